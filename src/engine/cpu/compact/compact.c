/*-------------------------------------------------------------------------
 *
 * compact.c
 *	  Compactions on the CPU: the selected elements, in order.
 *
 * Every element is stored, but the output position advances only if the
 * element is kept.  There is no branch, so speed does not depend on how
 * predictable the choice is.  An output position never exceeds the element's
 * index, so the output cannot overflow.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

#include <math.h>
#include <stdlib.h>

/*
 * A filter keeps the elements in a closed range or, if inverted, those outside
 * it.  An empty range has low > high.  NaN is in no range.
 */
typedef struct filter
{
	bool		integers;		/* compare as integers */
	bool		inverted;		/* keep values outside the range */
	double		low;
	double		high;
	int64_t		ilow;
	int64_t		ihigh;
} filter;

/* GE, GT and NE are negations of LT, LE and EQ. */
static gs_compare
positive_compare(gs_compare compare)
{
	switch (compare)
	{
		case GS_GE:
			return GS_LT;
		case GS_GT:
			return GS_LE;
		case GS_NE:
			return GS_EQ;
		default:
			return compare;
	}
}

static void
set_integer_range(filter *f, gs_compare compare, int64_t bound)
{
	f->integers = true;
	f->ilow = INT64_MIN;
	f->ihigh = bound;
	if (compare == GS_EQ)
		f->ilow = bound;
	else if (compare == GS_LT)
	{
		if (bound == INT64_MIN)
		{
			f->ilow = 1;
			f->ihigh = 0;
		}
		else
			f->ihigh = bound - 1;
	}
}

/*
 * A bound of NaN equals NaN and is above all else.  NaN elements are found as
 * those outside the range of all numbers.
 */
static void
set_float_range(filter *f, gs_compare compare, double bound)
{
	f->low = -HUGE_VAL;
	f->high = bound;
	if (bound != bound)
	{
		f->high = HUGE_VAL;
		if (compare == GS_LE)	/* all: the complement of the empty range */
			f->low = NAN;
		if (compare != GS_LT)
			f->inverted = !f->inverted;
	}
	else if (compare == GS_EQ)
		f->low = bound;
	else if (compare == GS_LT)
	{
		if (bound == -HUGE_VAL)
			f->low = NAN;
		else
			f->high = nextafter(bound, -HUGE_VAL);
	}
}

static gs_status
compact_begin(gs_run *run)
{
	const gs_op *op = run->op;
	gs_compare	compare;
	filter	   *f = calloc(1, sizeof *f);

	if (f == NULL)
		return GS_NO_MEMORY;
	run->state = f;
	if (op->kind != GS_FILTER)
		return GS_OK;
	compare = positive_compare((gs_compare) op->filter.compare);
	f->inverted = compare != (gs_compare) op->filter.compare;
	if (op->filter.integer_bound && op->type != GS_FLOAT4 &&
		op->type != GS_FLOAT8)
		set_integer_range(f, compare, op->filter.ibound);
	else
		set_float_range(f, compare,
						op->filter.integer_bound ?
						(double) op->filter.ibound : op->filter.bound);
	return GS_OK;
}

#define EACH	"engine/cpu/compact/compact_type.h"
#include "engine/cpu/each_number.h"
#undef EACH

typedef int64_t (*filter_function) (const filter *f, const void *values,
									int64_t n, void *out);

static const filter_function as_integers[GS_TYPES] = {
	[GS_INT2] = integers_int2,
	[GS_INT4] = integers_int4,
	[GS_INT8] = integers_int8
};
static const filter_function as_floats[GS_TYPES] = {
	[GS_INT2] = floats_int2,
	[GS_INT4] = floats_int4,
	[GS_INT8] = floats_int8,
	[GS_FLOAT4] = floats_float4,
	[GS_FLOAT8] = floats_float8
};

static void
feed_filter(gs_run *run, const gs_input *in, gs_output *out)
{
	const filter *f = run->state;
	const filter_function *table = f->integers ? as_integers : as_floats;

	out->present = table[run->op->type] (f, in->data.values,
										 in->data.present, out->values);
	out->n = out->present;
}

static void
feed_compact(gs_run *run, const gs_input *in, gs_output *out)
{
	int			width = gs_type_width((gs_type) run->op->type);
	cpu_reader	data = gs_cpu_reader(&in->data, in->n, width);
	cpu_reader	mask = gs_cpu_reader(&in->mask, in->n, 1);

	for (int64_t at = 0; at < in->n; at += CPU_BLOCK)
	{
		int			n = gs_cpu_block_size(in->n - at);
		uint64_t	scratch[CPU_BLOCK];
		uint8_t		valid[CPU_BLOCK];
		uint8_t		keep[CPU_BLOCK];
		uint8_t		kept_valid[CPU_BLOCK];
		const gs_value zero = {0};
		const void *dense;
		int			kept;

		gs_cpu_read_mask(&mask, n, keep);
		dense = gs_cpu_read(&data, n, zero, scratch, valid);
		if (data.validity == NULL)
			memset(valid, 1, sizeof(valid));
		kept = gs_cpu_pack(valid, keep, n, 1, kept_valid);
		if (out->validity != NULL)
			gs_cpu_flags_to_bits(kept_valid, kept, out->validity, out->n);
		out->n += kept;
		for (int i = 0; i < n; i++)
			keep[i] &= valid[i];
		out->present += gs_cpu_pack(dense, keep, n, width,
									(uint8_t *) out->values +
									out->present * width);
	}
}

static void
feed_where(gs_run *run, const gs_input *in, gs_output *out)
{
	cpu_reader	mask = gs_cpu_reader(&in->data, in->n, 1);
	int32_t    *positions = out->values;
	int64_t		k = 0;

	for (int64_t at = 0; at < in->n; at += CPU_BLOCK)
	{
		int			n = gs_cpu_block_size(in->n - at);
		int32_t		first = (int32_t) (run->fed + at) + 1;
		uint8_t		keep[CPU_BLOCK];

		gs_cpu_read_mask(&mask, n, keep);
		for (int i = 0; i < n; i++)
		{
			positions[k] = first + i;
			k += keep[i];
		}
	}
	out->present = out->n = k;
}

static gs_status
compact_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	if (run->op->kind == GS_FILTER)
		feed_filter(run, in, out);
	else if (run->op->kind == GS_COMPACT)
		feed_compact(run, in, out);
	else
		feed_where(run, in, out);
	if (out->validity != NULL && run->op->kind != GS_COMPACT)
		gs_cpu_set_bits(out->validity, out->n);
	return GS_OK;
}

const cpu_family gs_cpu_compaction = {
	.begin = compact_begin, .feed = compact_feed
};
