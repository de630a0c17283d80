/*-------------------------------------------------------------------------
 *
 * sizes.c
 *	  Which operations, types and sizes are tried.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include <cuda_runtime_api.h>

#define COUNT(a) ((int) (sizeof(a) / sizeof *(a)))

static const int64_t sizes_few[] = {
	0, 1, 31, 33, 1000, 1023, 1025, 4097, 9000
};

static const int64_t sizes_many[] = {
	0, 1, 2, 3, 7, 8, 31, 32, 33, 63, 64, 65, 127, 129, 255, 256, 257, 511,
	512, 513, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 3071, 4095, 4096, 4097,
	8191, 8192, 8193, 16383, 16385, 32767, 32768, 32769, 65535, 65537, 100000
};

/* Of several feeds, where they are short. */
static const int64_t sizes_cut[] = {
	1025, 2048, 3073, 5000, 10239, 10240, 10241, 50000, 70000
};

/* The engine's own feeds are 2^19 to 2^22 elements, by the width. */
static const int64_t sizes_large[] = {
	(1 << 18) - 1, (1 << 19) - 1, 1 << 19, (1 << 19) + 1, (1 << 20) + 1,
	3 * (1 << 19) + 77, (1 << 21) - 1, (1 << 22) + 1025
};

/* Random data of any kind, with NULLs or not. */
static void
try_one(worker *w, int kind, gs_type type, int64_t n, int64_t cut)
{
	data_kind	values = (data_kind) random_below(DATA_KINDS);
	null_pattern nulls = one_in(3) ? NULLS_NONE :
		(null_pattern) random_below(NULL_PATTERNS);
	array_case	c;

	random_case(w, &c, kind, type, n, values, nulls);
	c.cut = cut;
	try_case(w, &c);
}

static void
try_sizes(worker *w, const int64_t *sizes, int count, int64_t cut)
{
	for (int kind = GS_NO_KIND + 1; kind < GS_KINDS; kind++)
	{
		for (int type = GS_BOOL; type <= GS_FLOAT8; type++)
		{
			for (int i = 0; i < count && is_tried(kind, type); i++)
				try_one(w, kind, (gs_type) type, sizes[i], cut);
		}
	}
}

/*
 * Scans where a tile for each multiprocessor has the fewest warps (scan.cu), or
 * as many as it can have (kernels/tuning.h), or just not.
 */
static void
try_scan_limits(worker *w)
{
	static const int warps[] = {4, 15, 19, 31};
	int64_t		sizes[3 * COUNT(warps)];
	int			device;
	int			multiprocessors;

	if (cudaGetDevice(&device) != cudaSuccess ||
		cudaDeviceGetAttribute(&multiprocessors,
							   cudaDevAttrMultiProcessorCount,
							   device) != cudaSuccess)
		fail("the device's number of multiprocessors cannot be read");
	for (int i = 0; i < COUNT(sizes); i++)
		sizes[i] = (int64_t) multiprocessors * warps[i / 3] * 512 + i % 3 - 1;
	for (int kind = GS_NO_KIND + 1; kind < GS_KINDS; kind++)
	{
		for (int type = GS_BOOL; type <= GS_FLOAT8; type++)
		{
			if (gs_is_scan((gs_kind) kind) && is_tried(kind, type))
				try_one(w, kind, (gs_type) type,
						sizes[random_below(COUNT(sizes))], CUT_MAX);
		}
	}
}

/* Running sums of floats where totals of warps and tiles lose bits. */
static void
try_levels(worker *w)
{
	for (int i = 0; i < 60; i++)
	{
		gs_type		type = i % 2 == 0 ? GS_FLOAT4 : GS_FLOAT8;
		array_case	c;

		if (!is_tried(GS_SCAN_SUM, type))
			continue;
		random_case(w, &c, GS_SCAN_SUM, type, 1 + random_below(300000),
					DATA_LEVELS, NULLS_NONE);
		c.cut = i % 3 == 0 ? CUT_RANDOM : CUT_MAX;
		try_case(w, &c);
	}
}

/* Each operation once over an array of many feeds, of any of its types. */
static void
try_many_feeds(worker *w)
{
	for (int kind = GS_NO_KIND + 1; kind < GS_KINDS; kind++)
	{
		int			type = (int) random_below(GS_FLOAT8);
		int			left = GS_FLOAT8;

		while (!is_tried(kind, GS_BOOL + type) && --left > 0)
			type = (type + 1) % GS_FLOAT8;
		if (left > 0)
			try_one(w, kind, (gs_type) (GS_BOOL + type), 10000000, CUT_MAX);
	}
}

void
try_all(uint64_t thread)
{
	worker		w;

	worker_init(&w, thread, (size_t) 1 << 30, thread % 2 == 0);
	try_sizes(&w, sizes_many, COUNT(sizes_many), CUT_MAX);
	try_sizes(&w, sizes_cut, COUNT(sizes_cut), GS_BATCH_ALIGN);
	for (int i = 0; i < 2; i++)
		try_sizes(&w, sizes_cut, COUNT(sizes_cut), CUT_RANDOM);
	try_sizes(&w, &sizes_large[thread % COUNT(sizes_large)], 1,
			  thread % 3 == 0 ? CUT_RANDOM : CUT_MAX);
	for (int i = 0; i < 3; i++)
		try_scan_limits(&w);
	try_levels(&w);
	if (thread == 1)
		try_many_feeds(&w);
	worker_end(&w);
}

void
try_small(void)
{
	worker		w;

	worker_init(&w, 0, (size_t) 16 << 20, true);
	try_sizes(&w, sizes_few, COUNT(sizes_few), CUT_MAX);
	try_sizes(&w, sizes_cut, COUNT(sizes_cut) - 2, GS_BATCH_ALIGN);
	worker_end(&w);
}
