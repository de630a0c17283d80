/*-------------------------------------------------------------------------
 *
 * engines.c
 *	  A case on the CPU engine, on the CUDA engine, and there again from copies
 *	  in the engine's own memory, alone and together; and the count of what
 *	  passed.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include "engine/elements.h"
#include "kernels/kernels.h"

#include <pthread.h>

#define FAILURES_SHOWN	20

/* The CUDA engine has accumulators for so many wide sums (plan/engine.cu). */
#define WIDE_SUMS		16384

/* Totals of all threads, and how many failures were shown, under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t passed[GS_KINDS];
static int64_t failed[GS_KINDS];
static int64_t refused;			/* left to the CPU, where that may be */
static int64_t shown;

/* May there be too little memory? */
static bool
may_refuse(const array_case *c, const outcome *wanted)
{
	return options.memory_limit > 0 ||
		(c->op.kind == GS_GROUP && wanted->result.results > WIDE_SUMS &&
		 (c->op.type == GS_FLOAT4 || c->op.type == GS_FLOAT8));
}

/*
 * The engine may leave a batch to the CPU in which two doubles do not decide more
 * results than its list has places for (kernels/kernels.h).
 */
static bool
may_leave(const array_case *c, const outcome *got)
{
	return (gs_is_of_elements((gs_kind) c->op.kind) ||
			c->op.kind == GS_INTERPOLATE) &&
		got->status == GS_VALUE_ERROR && got->answer == GS_ANSWERED &&
		c->n > GS_UNDECIDED_MAX;
}

/* Count a case that passed; count and show one that failed. */
static void
record(const array_case *c, const outcome *got, const outcome *wanted)
{
	difference	d = {""};
	char		what[300];
	bool		good = same_outcome(&c->op, got, wanted, &d);
	bool		left = got->status == GS_NO_MEMORY ? may_refuse(c, wanted) :
		may_leave(c, got);

	pthread_mutex_lock(&lock);
	if (good)
		passed[c->op.kind]++;
	else if (left)
		refused++;
	else
	{
		failed[c->op.kind]++;
		if (shown++ < FAILURES_SHOWN)
		{
			describe_case(c, what, sizeof what);
			printf("FAILED: %s%s\n        %s\n", what,
				   c->op.cached ? ", cached" : "", d.text);
		}
	}
	pthread_mutex_unlock(&lock);
	if (got->status == GS_DEVICE_LOST)
	{
		printf("the device is lost: %s\n", got->problem.text);
		exit(1);
	}
}

/* Bytes of a copy of the values, up to where the bitmap starts. */
static size_t
values_size(const gs_span *span, int width)
{
	return (span->present * width + 16 + GS_CACHE_ALIGN - 1) /
		GS_CACHE_ALIGN * GS_CACHE_ALIGN;
}

/* Copy a span of n elements into the engine's memory. */
static gs_status
copy_span(const gs_span *span, int64_t n, int width, gs_span *copy)
{
	size_t		size = values_size(span, width);
	char	   *memory = gs_engine_cuda.reserve(size + (n + 7) / 8 + 16);
	gs_status	status;

	*copy = *span;
	copy->values = memory;
	if (memory == NULL)
		return GS_NO_MEMORY;
	status = gs_engine_cuda.put(memory, span->values, span->present * width);
	if (span->validity == NULL || status != GS_OK)
		return status;
	copy->validity = (const uint8_t *) memory + size;
	return gs_engine_cuda.put(memory + size, span->validity, (n + 7) / 8);
}

static void
release_copy(const gs_span *span, int64_t n, int width, const gs_span *copy)
{
	if (copy->values != NULL)
		gs_engine_cuda.release((void *) copy->values,
							   values_size(span, width) + (n + 7) / 8 + 16);
}

/*
 * A reduction of a copy, of its first half, of the copy, and so on, all at
 * once.
 */
static void
try_together(worker *w, const array_case *copy, const outcome *wanted)
{
	array_case	half = *copy;
	gs_input	in[GS_REDUCE_ARRAYS];
	gs_result	result[GS_REDUCE_ARRAYS];
	int			count = 1 + (int) (copy->n % GS_REDUCE_ARRAYS);
	gs_error	error;
	gs_status	status;
	outcome		wanted_half;

	half.op.cached = 0;
	half.n = copy->n / 2;
	half.data.present = copy->data.validity == NULL ? half.n :
		gs_count_bits(copy->data.validity, half.n);
	wanted_half = execute(w, &gs_engine_cpu, &half, w->counts[0]);
	memset(in, 0, sizeof in);
	memset(&error, 0, sizeof error);
	for (int i = 0; i < count; i++)
	{
		in[i].n = i % 2 == 0 ? copy->n : half.n;
		in[i].data = copy->data_copy;
		in[i].data.present = i % 2 == 0 ? copy->data.present :
			half.data.present;
	}
	status = gs_engine_cuda.reduce(&copy->op, count, in, result, &error);
	for (int i = 0; i < count; i++)
	{
		const outcome *of = i % 2 == 0 ? wanted : &wanted_half;
		outcome		got = *of;

		got.status = status;
		got.result = result[i];
		record(i % 2 == 0 ? copy : &half, &got, of);
	}
}

/* A case, from copies of its arrays in the engine's memory. */
static void
try_cached(worker *w, const array_case *c, const outcome *wanted)
{
	array_case	copy = *c;
	int			width = gs_type_width((gs_type) c->op.type);
	bool		has_mask = gs_has_mask(&c->op);
	bool		has_third = gs_has_third(&c->op);
	int			mask_width = gs_type_width(gs_mask_type(&c->op));
	int			third_width = gs_type_width(gs_third_type(&c->op));
	int64_t		mask_elements = gs_mask_elements(&c->op, c->n);
	outcome		got;

	memset(&got, 0, sizeof got);
	copy.op.cached = 1;
	if (!gs_has_output(&c->op))
		copy.cut = CUT_MAX;
	got.status = copy_span(&c->data, c->n, width, &copy.data_copy);
	if (has_mask && got.status == GS_OK)
		got.status = copy_span(&c->mask, mask_elements, mask_width,
							   &copy.mask_copy);
	if (has_third && got.status == GS_OK)
		got.status = copy_span(&c->third, mask_elements, third_width,
							   &copy.third_copy);
	if (got.status == GS_OK)
		got = execute(w, &gs_engine_cuda, &copy, w->counts[1]);
	record(&copy, &got, wanted);
	if (got.status == GS_OK && gs_can_reduce_each((gs_kind) c->op.kind))
		try_together(w, &copy, wanted);
	release_copy(&c->data, c->n, width, &copy.data_copy);
	if (has_mask)
		release_copy(&c->mask, mask_elements, mask_width, &copy.mask_copy);
	if (has_third)
		release_copy(&c->third, mask_elements, third_width, &copy.third_copy);
}

void
try_case(worker *w, const array_case *c)
{
	outcome		wanted = execute(w, &gs_engine_cpu, c, w->counts[0]);
	size_t		used = w->memory.used;

	/* the CUDA engine executes it only over copies in its own memory */
	if (c->n == 0 || !gs_is_placement((gs_kind) c->op.kind))
	{
		outcome		got = execute(w, &gs_engine_cuda, c, w->counts[1]);

		record(c, &got, &wanted);
		w->memory.used = used;
	}
	if (c->n > 0)
		try_cached(w, c, &wanted);
}

/* A test is an operation; its cases are comparisons. */
void
print_totals(int64_t *comparisons, int *good, int *bad)
{
	for (int kind = GS_NO_KIND + 1; kind < GS_KINDS; kind++)
	{
		if (passed[kind] + failed[kind] > 0)
			printf("# %-12s %-20s %7lld passed %7lld failed\n",
				   gs_family_name(gs_family_of(kind)),
				   gs_operation_of(kind)->name, (long long) passed[kind],
				   (long long) failed[kind]);
		*comparisons += passed[kind] + failed[kind];
		*good += passed[kind] > 0 && failed[kind] == 0;
		*bad += failed[kind] > 0;
	}
	if (refused > 0)
		printf("# %lld were left to the CPU\n", (long long) refused);
	if (options.memory_limit > 0)
	{
		uint64_t	held = gs_cuda_memory_used();

		printf("# %llu bytes are held of %llu\n", (unsigned long long) held,
			   (unsigned long long) options.memory_limit);
		if (held > options.memory_limit)
			++*bad;
		else
			++*good;
	}
}
