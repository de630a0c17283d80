/*-------------------------------------------------------------------------
 *
 * cache_entry.c
 *	  A cached toasted value: how it is loaded, and where its parts are.
 *
 * One connection loads it.  Once it is complete, any number of them may read
 * it. cache.c decides who finds it, and when it is evicted.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "service/cache_entry.h"

int
gs_entry_device(const gs_entry *e)
{
	return e->device;
}

bool
gs_entry_has_nulls(const gs_entry *e)
{
	return e->nulls;
}

/*
 * Record the rank of every GS_BATCH_ALIGN-th element, so that a part can be
 * found later.  False if the bits do not match `present`.
 */
static bool
count_ranks(gs_entry *e, const uint8_t *bits, int64_t n, int64_t present)
{
	int64_t		rank = e->present;

	for (int64_t at = 0; at < n; at += GS_BATCH_ALIGN)
	{
		int64_t		left = n - at < GS_BATCH_ALIGN ? n - at : GS_BATCH_ALIGN;

		rank += gs_count_bits(bits + at / 8, left);
		e->rank[(e->loaded + at) / GS_BATCH_ALIGN + 1] = (uint32_t) rank;
	}
	return rank == e->present + present;
}

/*
 * Copy a part whose numbers are valid.  GS_INVALID: its bits contradict them.
 */
static gs_status
copy_part(gs_entry *e, const gs_span *part, int64_t n)
{
	size_t		width = (size_t) gs_type_width(e->type);
	size_t		size = ((size_t) n + 7) / 8;
	uint8_t    *bits = NULL;
	gs_status	status = GS_OK;

	if (e->nulls)
	{
		/*
		 * copy them before counting: the client can still change the original
		 */
		bits = malloc(size);
		if (bits == NULL)
			return GS_NO_MEMORY;
		memcpy(bits, part->validity, size);
		if (!count_ranks(e, bits, n, part->present))
			status = GS_INVALID;
	}
	gs_device_use(e->device);
	if (status == GS_OK)
		status = gs_service.engine->put(e->memory + (size_t) e->present * width,
										part->values,
										(size_t) part->present * width);
	if (status == GS_OK && e->nulls)
		status = gs_service.engine->put(e->memory + e->bits_at +
										e->loaded / 8, bits, size);
	free(bits);
	return status;
}

/*
 * Append the next n elements; if the array has a bitmap, so must the part.
 * GS_INVALID: the part does not match its numbers.
 */
gs_status
gs_entry_load(gs_entry *e, const gs_span *part, int64_t n)
{
	gs_status	status;

	if (n < 1 || n > e->n - e->loaded ||
		(n < e->n - e->loaded && n % GS_BATCH_ALIGN != 0) ||
		part->present < 0 || part->present > n ||
		part->present > e->max_values - e->present ||
		(!e->nulls && part->present != n))
		return GS_INVALID;
	status = copy_part(e, part, n);
	e->loaded += n;
	e->present += part->present;
	atomic_store(&e->last_loaded, gs_now_us(CLOCK_MONOTONIC));
	return status;
}

/* n elements of a complete entry, starting at a multiple of GS_BATCH_ALIGN. */
void
gs_entry_span(const gs_entry *e, int64_t at, int64_t n, gs_span *span)
{
	int64_t		before = at;
	int64_t		after = at + n;

	if (e->nulls)
	{
		before = e->rank[at / GS_BATCH_ALIGN];
		after = e->rank[(at + n + GS_BATCH_ALIGN - 1) / GS_BATCH_ALIGN];
	}
	span->values = e->memory + before * gs_type_width(e->type);
	span->present = after - before;
	span->validity = span->present == n ? NULL :
		(const uint8_t *) e->memory + e->bits_at + at / 8;
}

const double *
gs_entry_edges(const gs_entry *e)
{
	return (const double *) e->memory;
}
