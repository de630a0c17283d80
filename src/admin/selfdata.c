/*-------------------------------------------------------------------------
 *
 * selfdata.c
 *	  Random operations and adversarial random data, for gpuscan_selfcheck().
 *
 * Everything follows from the generator's state, so that a failure can be
 * reproduced.  The distributions are hard cases for exact sums: sums that
 * cancel, ties that decide rounding, both ends of the range, infinities and
 * NaN.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "admin/selfdata.h"
#include "engine/plan.h"
#include "engine/search.h"

#define LARGEST			10000000	/* elements */
#define USUALLY_LARGEST	100000

/* Pseudorandom numbers: splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
static uint64
next(gs_random *r)
{
	uint64		z = r->state += UINT64CONST(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64CONST(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64CONST(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* From 0 to n - 1. */
static int64
below(gs_random *r, int64 n)
{
	return (int64) (next(r) % (uint64) n);
}

/* In [0, 1). */
static double
uniform(gs_random *r)
{
	return (double) (next(r) >> 11) * 0x1p-53;
}

/* Approximately normal. */
static double
normal(gs_random *r)
{
	double		sum = -6;

	for (int i = 0; i < 12; i++)
		sum += uniform(r);
	return sum;
}

/* Evenly distributed magnitudes, with an occasional large or empty array. */
int64
gs_random_size(gs_random *r)
{
	double		largest = below(r, 50) == 0 ? LARGEST : USUALLY_LARGEST;

	return (int64) pow(largest + 1, uniform(r)) - 1;
}

static double
random_sign(gs_random *r)
{
	return next(r) & 1 ? 1 : -1;
}

/* A double of the given distribution; `previous` is the one before it. */
static double
random_double(gs_random *r, int distribution, double previous)
{
	static const double special[] = {
		0.0, -0.0, 1, -1, DBL_MAX, -DBL_MAX, DBL_MIN, -DBL_MIN, 5e-324,
		INFINITY, -INFINITY, NAN
	};

	switch (distribution)
	{
		case 0:
			return uniform(r);
		case 1:
			return normal(r);
		case 2:
			return (double) below(r, 10000000) / 100;	/* money */
		case 3:
			return exp(2 * normal(r));
		case 4:
			return exp(10 * normal(r));
		case 5:
			/* cancels the previous one, half of the time */
			return next(r) & 1 ? -previous : normal(r) * 1e10;
		case 6:
			/* ties: halves of a unit in the last place of 2^53 */
			return random_sign(r) * ldexp(1, (int) below(r, 56));
		case 7:
			return random_sign(r) * ldexp(uniform(r), -1060);	/* subnormal */
		case 8:
			return random_sign(r) * ldexp(1 + uniform(r), 1023);
		case 9:
			return random_sign(r) * ldexp(1 + uniform(r),
										  (int) below(r, 2000) - 1000);
		case 10:
			return next(r) & 1 ? 0.0 : -0.0;
		case 11:
			return below(r, 1000) > 0 ? normal(r) :
				special[below(r, lengthof(special))];
		case 12:
			return special[below(r, lengthof(special))];
		default:
			return previous;	/* all equal */
	}
}

#define DOUBLE_DISTRIBUTIONS	14

/* A 64-bit integer, which narrower types truncate. */
static int64
random_integer(gs_random *r, int distribution, int bits)
{
	switch (distribution)
	{
		case 0:
			return below(r, 2001) - 1000;
		case 1:
			return below(r, 2);
		case 2:
			return below(r, 10) > 0 ? below(r, 7) - 3 :
				(int64) (UINT64CONST(1) << (bits - 1)) - below(r, 2);
		case 3:
			return 42;
		case 4:
			return (int64) (next(r) >> (16 + below(r, 48)));
		default:
			return (int64) next(r);
	}
}

#define INTEGER_DISTRIBUTIONS	6

/*
 * Convert to a 32-bit float: overflow becomes a large number, and underflow a
 * tiny one.
 */
static float
to_float(double value)
{
	if (isfinite(value) && fabs(value) > FLT_MAX)
		return copysign(FLT_MAX / 2, value);
	if (value != 0 && fabs(value) < FLT_MIN / 2)
		return copysign(1e-44f, value);
	return (float) value;
}

static void
fill_values(gs_random *r, gs_type type, int64 n, void *values)
{
	int			doubles = below(r, DOUBLE_DISTRIBUTIONS);
	int			integers = below(r, INTEGER_DISTRIBUTIONS);
	int			ones = 1 + below(r, 20);
	double		previous = normal(r);

	for (int64 i = 0; i < n; i++)
	{
		switch (type)
		{
			case GS_BOOL:
				((uint8 *) values)[i] = below(r, 21) < ones;
				break;
			case GS_INT2:
				((int16 *) values)[i] = (int16) random_integer(r, integers, 16);
				break;
			case GS_INT4:
				((int32 *) values)[i] = (int32) random_integer(r, integers, 32);
				break;
			case GS_INT8:
				((int64 *) values)[i] = random_integer(r, integers, 64);
				break;
			case GS_FLOAT4:
				previous = random_double(r, doubles, previous);
				((float *) values)[i] = to_float(previous);
				break;
			case GS_FLOAT8:
				previous = random_double(r, doubles, previous);
				((double *) values)[i] = previous;
				break;
		}
	}
}

/* Which elements are NULL: none, few, many, all, or in long runs. */
static uint8 *
random_validity(gs_random *r, int64 n, int64 *present)
{
	static const int per_thousand[] = {1, 300, 990, 1000};
	int			pattern = below(r, 10);
	uint8	   *bits;
	bool		in_run = false;

	*present = n;
	if (pattern > 4)
		return NULL;
	bits = palloc_extended(TYPEALIGN(64, n) / 8 + 8,
						   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	*present = 0;
	for (int64 i = 0; i < n; i++)
	{
		bool		null;

		if (below(r, 500) == 0)
			in_run = !in_run;
		null = pattern == 4 ? in_run :
			below(r, 1000) < per_thousand[pattern];
		if (null)
			continue;
		bits[i / 8] |= 1 << (i % 8);
		++*present;
	}
	return bits;
}

/* n elements, some of them NULL, in the current memory context. */
void
gs_random_span(gs_random *r, gs_type type, int64 n, gs_span *span)
{
	void	   *values;

	span->validity = random_validity(r, n, &span->present);
	values = palloc_extended(span->present * gs_type_width(type) + 8,
							 MCXT_ALLOC_HUGE);
	fill_values(r, type, span->present, values);
	span->values = values;
}

/*
 * n positions among `elements`, some of them NULL; rarely, one is beyond
 * these.
 */
void
gs_random_positions(gs_random *r, int64 n, int64 elements, gs_span *span)
{
	int32	   *place;

	gs_random_span(r, GS_INT4, n, span);
	place = (int32 *) span->values;
	for (int64 i = 0; i < span->present; i++)
		place[i] = 1 + (int32) below(r, elements);
	if (span->present > 0 && below(r, 20) == 0)
		place[below(r, span->present)] = below(r, 2) ? 0 : elements + 1;
}

static double
number_at(gs_type type, const void *values, int64 i)
{
	switch (type)
	{
		case GS_INT2:
			return ((const int16 *) values)[i];
		case GS_INT4:
			return ((const int32 *) values)[i];
		case GS_INT8:
			return (double) ((const int64 *) values)[i];
		case GS_FLOAT4:
			return ((const float *) values)[i];
		default:
			return ((const double *) values)[i];
	}
}

/* x is in the type's range. */
static void
set_number(gs_type type, void *values, int64 i, double x)
{
	switch (type)
	{
		case GS_INT2:
			((int16 *) values)[i] = (int16) floor(x);
			break;
		case GS_INT4:
			((int32 *) values)[i] = (int32) floor(x);
			break;
		case GS_INT8:
			((int64 *) values)[i] = (int64) floor(x);
			break;
		case GS_FLOAT4:
			((float *) values)[i] = (float) x;
			break;
		default:
			((double *) values)[i] = x;
	}
}

/* Ascending numbers, rarely with a NULL or a number that descends. */
void
gs_random_ascending(gs_random *r, gs_type type, int64 n, gs_span *span)
{
	static const double ranges[GS_TYPES] = {
		[GS_INT2] = 6e4, [GS_INT4] = 2e9, [GS_INT8] = 8e18,
		[GS_FLOAT4] = 1e7, [GS_FLOAT8] = 1e15
	};
	double		step = Min(ranges[type] / (n + 1), pow(10, 6 * uniform(r)));
	double		first = below(r, 2) ? 0 : -step * n / 2;
	bool		even = below(r, 2);

	if (type == GS_INT2)
		first = -3e4;
	if (even)
		step = Max(floor(step), 1);
	gs_random_span(r, type, n, span);
	if (below(r, 20) > 0)
	{
		span->validity = NULL;
		span->present = n;
		span->values = palloc_extended(n * gs_type_width(type) + 8,
									   MCXT_ALLOC_HUGE);
	}
	for (int64 i = 0; i < span->present; i++)
		set_number(type, (void *) span->values, i,
				   type == GS_INT2 ? first + floor(i * ranges[type] / n) :
				   first + step * (i + (even ? 0 : uniform(r))));
	if (span->present > 0 && below(r, 20) == 0)
		set_number(type, (void *) span->values, below(r, span->present),
				   first);
}

/* Numbers of which many lie among ascending ones. */
void
gs_random_among(gs_random *r, gs_type type, int64 n, const gs_span *ascending,
				gs_span *span)
{
	gs_random_span(r, type, n, span);
	for (int64 i = 0; i < span->present && ascending->present > 0; i++)
	{
		int64		k = below(r, ascending->present);
		double		low = number_at(type, ascending->values, k);
		double		high = number_at(type, ascending->values,
									 Min(k + 1, ascending->present - 1));

		if (below(r, 4) > 0)
			set_number(type, (void *) span->values, i, below(r, 2) ? low :
					   low + uniform(r) * (high - low));
	}
}

/*
 * Bounds or edges, on both sides of which there is data of most distributions.
 */
static void
random_buckets(gs_random *r, gs_op *op)
{
	double		scale = exp(5 * normal(r));
	double	   *edges;
	double		at = -scale * uniform(r);

	op->histogram.buckets = 1 + (int32) pow(below(r, 20) == 0 ? 1000000 : 5000,
								  uniform(r));
	if (op->kind == GS_HISTOGRAM_WIDTH)
	{
		op->histogram.low = at;
		op->histogram.high = at + random_sign(r) * (scale + 1);
		op->histogram.formula = GS_BUCKET_PRODUCT_FIRST + below(r, 2);
		return;
	}
	edges = palloc_extended((op->histogram.buckets + 1) * sizeof(double),
							MCXT_ALLOC_HUGE);
	for (int32 i = 0; i <= op->histogram.buckets; i++)
	{
		double		step = scale * uniform(r) / op->histogram.buckets;

		edges[i] = at;
		at = at + step > at ? at + step : nextafter(at, INFINITY);
	}
	op->histogram.edges = edges;
}

static int
ascending(const void *a, const void *b)
{
	int64		x = *(const int64 *) a;
	int64		y = *(const int64 *) b;

	return (x > y) - (x < y);
}

/* Keys, the same ones among them, as elements of most distributions have. */
static void
random_keys(gs_random *r, gs_op *op)
{
	int			doubles = below(r, DOUBLE_DISTRIBUTIONS);
	int			integers = below(r, INTEGER_DISTRIBUTIONS);
	double		previous = 0;
	int64	   *keys;

	op->search.left = below(r, 2);
	op->search.count = (int32) pow(below(r, 20) == 0 ? 1000000 : 10000,
								   uniform(r));
	keys = palloc_extended(op->search.count * sizeof(int64), MCXT_ALLOC_HUGE);
	for (int32 i = 0; i < op->search.count; i++)
	{
		if (op->type == GS_FLOAT4 || op->type == GS_FLOAT8)
		{
			previous = random_double(r, doubles, previous);
			keys[i] = gs_search_key(op->type == GS_FLOAT4 ? (float) previous :
									previous);
		}
		else
			keys[i] = random_integer(r, integers, 8 *
									 gs_type_width(op->type));
	}
	qsort(keys, op->search.count, sizeof(int64), ascending);
	op->search.keys = keys;
}

static void
random_bound(gs_random *r, gs_op *op)
{
	op->filter.compare = GS_LT + below(r, GS_GT - GS_LT + 1);
	op->filter.integer_bound = below(r, 2);
	if (op->filter.integer_bound)
		op->filter.ibound =
			random_integer(r, below(r, INTEGER_DISTRIBUTIONS), 32);
	else
		op->filter.bound = random_double(r, below(r, DOUBLE_DISTRIBUTIONS), 0.5);
}

/* A number as elements of most distributions are. */
static gs_value
random_constant(gs_random *r, int type)
{
	double		x = random_double(r, below(r, DOUBLE_DISTRIBUTIONS), 0.5);
	int			integers = below(r, INTEGER_DISTRIBUTIONS);
	gs_value	v = {.i8 = 0};

	if (type == GS_FLOAT8)
		v.f8 = x;
	else if (type == GS_FLOAT4)
		v.f4 = to_float(x);
	else if (type == GS_INT8)
		v.i8 = random_integer(r, integers, 64);
	else if (type == GS_INT4)
		v.i4 = (int32) random_integer(r, integers, 32);
	else
		v.i2 = type == GS_BOOL ? below(r, 2) :
			(int16) random_integer(r, integers, 16);
	return v;
}

/* The options of a map other than those of edges and steps. */
static void
random_map(gs_random *r, gs_op *op)
{
	if (op->kind == GS_DIFF)
		op->diff.null_first = below(r, 2);
	if (op->kind == GS_BETWEEN || op->kind == GS_CLIP)
	{
		op->range.low = random_constant(r, op->type);
		op->range.high = random_constant(r, op->type);
		op->range.outside = op->kind == GS_BETWEEN && below(r, 2);
	}
	if (op->kind == GS_CHOOSE)
	{
		op->choose.where_false = below(r, 2);
		op->choose.has_constant = below(r, 2);
		op->choose.constant = random_constant(r, op->type);
	}
	if (op->kind == GS_COMPARE)
		op->pairs.compare = GS_LT + below(r, GS_GT - GS_LT + 1);
}

/* Each step takes anything that is there. */
static void
random_expression(gs_random *r, gs_op *op)
{
	gs_expression *e = &op->expression;

	e->arrays = 1 + below(r, 2);
	if (op->kind == GS_EXPRESSION && e->arrays == 1 && below(r, 2))
	{
		if (below(r, 2))
			random_bound(r, op);
		e->differences = below(r, GS_DIFFERENCES_NULL + 1);
	}
	e->constants = 1 + below(r, GS_EXPRESSION_CONSTANTS);
	e->steps = op->kind == GS_ARITHMETIC ? 1 :
		1 + below(r, GS_EXPRESSION_STEPS);
	for (int i = 0; i < e->constants; i++)
	{
		double		x = random_double(r, below(r, DOUBLE_DISTRIBUTIONS), 0.5);

		if (op->type == GS_FLOAT8)
			e->constant[i].f8 = x;
		else if (op->type == GS_FLOAT4)
			e->constant[i].f4 = (float) x;
		else
			e->constant[i].i8 = (int64_t) below(r, 100) - 50;
	}
	for (int i = 0; i < e->steps; i++)
	{
		gs_step    *step = &e->step[i];
		gs_operand	operand[2];

		for (int j = 0; j < 2; j++)
			operand[j] = i > 0 && below(r, 2) ? GS_RESULT(below(r, i)) :
				below(r, 2) ? GS_CONSTANT(below(r, e->constants)) :
				GS_COLUMN(below(r, e->arrays));
		step->code = GS_CODE_ADD + below(r, GS_CODE_ABS - GS_CODE_ADD + 1);
		step->a = operand[0];
		step->b = step->code < GS_CODE_NEGATE ? operand[1] : GS_NOTHING;
	}
	if (op->kind == GS_EXPRESSION)
		op->aggregates = 1 + below(r, GS_GROUP_MEDIAN - 1);
}

/* A random operation of a family on a type; false if the family has none. */
bool
gs_random_op(gs_random *r, gs_family family, gs_type type, gs_op *op)
{
	int			first = GS_NO_KIND + 1;
	int			kinds = 0;

	while (gs_family_of(first) != family)
		first++;
	while (gs_family_of(first + kinds) == family)
		kinds++;

	/* some kinds take some types only */
	for (int attempt = 0; attempt < 100; attempt++)
	{
		int			restart = below(r, 4);

		memset(op, 0, sizeof(gs_op));
		op->kind = first + below(r, kinds);
		op->type = type;
		if (family == GS_FAMILY_SCAN)
		{
			op->scan.exclusive = below(r, 2);
			op->segment.marked = restart == 1;
			if (restart == 2)
				op->segment.length = (int64) pow(10, 7 * uniform(r));
		}
		else if (family == GS_FAMILY_HISTOGRAM)
			random_buckets(r, op);
		else if (op->kind == GS_SEARCH)
			random_keys(r, op);
		else if (gs_is_placement(op->kind) && gs_has_mask(op))
		{
			op->mask.type = GS_BOOL + below(r, GS_TYPES - GS_BOOL);
			op->mask.elements = 1 + gs_random_size(r);
		}
		else if (op->kind == GS_AREA)
			op->area.both_sides = below(r, 2);
		else if (op->kind == GS_SHIFT)
			op->shift.places = (int32) pow(10, 7 * uniform(r)) *
				(below(r, 2) ? 1 : -1);
		else if (op->kind == GS_POWER)
		{
			op->power.of_pairs = below(r, 2);
			op->power.constant_is_base = !op->power.of_pairs && below(r, 2);
			op->power.constant = below(r, 2) ? 1 + below(r, 3) : 4 * uniform(r);
		}
		else if (op->kind == GS_ROUND)
			op->round.digits = below(r, 30) - 10;
		else if (op->kind == GS_FILTER)
			random_bound(r, op);
		else if (op->kind == GS_TRANSPOSE)
			op->transpose.columns = (int64) pow(10, 7 * uniform(r));
		else if (family == GS_FAMILY_ORDER && op->kind != GS_DISTINCT)
			op->order.descending = below(r, 2);
		else if (family == GS_FAMILY_SEGMENT)
		{
			op->segment.marked = restart != 2;
			if (restart == 2)
				op->segment.length = 1 + (int64) pow(10, 7 * uniform(r));
		}
		else if (op->kind == GS_EWMA)
		{
			op->ewma.alpha = 1 - uniform(r);
			op->ewma.adjust = below(r, 2);
		}
		else if (family == GS_FAMILY_MOVING)
		{
			op->moving.preceding = (int32) pow(10, 7 * uniform(r)) - 1;
			op->moving.following = (int32) pow(10, 7 * uniform(r)) - 1;
			if (op->kind == GS_MOVING_PERCENTILE)
			{
				op->percentile.fraction = below(r, 2) ? 0.5 : uniform(r);
				op->percentile.discrete = below(r, 2);
			}
		}
		else if (family == GS_FAMILY_GROUP)
		{
			op->mask.type = GS_BOOL + below(r, GS_TYPES - GS_BOOL);
			op->aggregates = 1 + below(r, GS_GROUP_ALL);
		}
		else if (op->kind == GS_EXPRESSION || op->kind == GS_ARITHMETIC)
			random_expression(r, op);
		else if (family == GS_FAMILY_MAP)
			random_map(r, op);
		if (gs_op_check(op) == GS_OK)
			return true;
	}
	return false;
}
