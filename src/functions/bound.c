/*-------------------------------------------------------------------------
 *
 * bound.c
 *	  Comparisons with a bound of any type.
 *
 * gpu_filter and gpu_compare compare integers exactly with bounds of every
 * type, and floats exactly with integers and floats.  An engine, however,
 * compares integers only with a bigint and floats only with a double.  Any
 * other bound lies between two neighbouring values of that type, or beyond all
 * of them.  It is replaced by the lower neighbour, and the operator by the one
 * that then gives the same answers.
 *
 * Where an engine asks for a range, both ends of it are elements: those of which
 * the comparison is true are all that the range has, or all that it has not.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "utils/builtins.h"

#include "engine/range.h"
#include "functions/bound.h"

static const struct
{
	const char *name;
	gs_compare	compare;
}			comparisons[] = {
	{"<", GS_LT},
	{"<=", GS_LE},
	{"=", GS_EQ},
	{"<>", GS_NE},
	{"!=", GS_NE},
	{">=", GS_GE},
	{">", GS_GT}
};

/* 2^63, the smallest double above all bigints */
#define BIGINT_END		9223372036854775808.0

bool
gs_find_comparison(const char *name, gs_compare *compare)
{
	for (int i = 0; i < (int) lengthof(comparisons); i++)
	{
		if (strcmp(name, comparisons[i].name) == 0)
		{
			*compare = comparisons[i].compare;
			return true;
		}
	}
	return false;
}

gs_compare
gs_comparison_from_text(const text *op)
{
	char	   *name = text_to_cstring(op);
	gs_compare	compare;

	if (gs_find_comparison(name, &compare))
		return compare;
	ereport(ERROR,
			errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			errmsg("unrecognized comparison operator: \"%s\"", name),
			errhint("Valid operators are <, <=, =, <>, >= and >."));
	return 0;					/* keep the compiler quiet */
}

/* Make the comparison true for all elements, or for none. */
static void
compare_always(gs_op *op, bool result)
{
	op->filter.compare = result ? GS_GE : GS_LT;
	op->filter.ibound = PG_INT64_MIN;
	op->filter.bound = -HUGE_VAL;
}

/*
 * Compare with a bound that has been rounded down to the type of op's bound;
 * `equal` says whether that changed nothing.
 */
static void
compare_with_lower(gs_op *op, gs_compare compare, bool equal)
{
	op->filter.compare = compare;
	if (equal)
		return;
	switch (compare)
	{
		case GS_LT:
			op->filter.compare = GS_LE;
			break;
		case GS_GE:
			op->filter.compare = GS_GT;
			break;
		case GS_EQ:
			compare_always(op, false);
			break;
		case GS_NE:
			compare_always(op, true);
			break;
		default:
			break;
	}
}

/* Compare with a bound that is below all bigints. */
static void
compare_with_lowest(gs_op *op, gs_compare compare)
{
	compare_always(op, compare == GS_GT || compare == GS_GE ||
				   compare == GS_NE);
}

static void
integers_by_double(gs_op *op, gs_compare compare, double bound)
{
	double		lower = floor(bound);

	if (lower < -BIGINT_END)
	{
		compare_with_lowest(op, compare);
		return;
	}
	/* NaN is above all */
	op->filter.ibound = lower < BIGINT_END ? (int64) lower : PG_INT64_MAX;
	compare_with_lower(op, compare, lower < BIGINT_END && lower == bound);
}

static void
floats_by_int64(gs_op *op, gs_compare compare, int64 bound)
{
	double		nearest = (double) bound;
	bool		above = nearest >= BIGINT_END || (int64) nearest > bound;

	op->filter.bound = above ? nextafter(nearest, -HUGE_VAL) : nearest;
	compare_with_lower(op, compare, !above && (int64) nearest == bound);
}

static int
compare_numerics(Numeric a, Numeric b)
{
	return DatumGetInt32(DirectFunctionCall2(numeric_cmp, NumericGetDatum(a),
											 NumericGetDatum(b)));
}

static void
integers_by_numeric(gs_op *op, gs_compare compare, Numeric bound)
{
	Numeric		lower;
	bool		beyond;

	lower = DatumGetNumeric(DirectFunctionCall1(numeric_floor,
												NumericGetDatum(bound)));
	if (compare_numerics(lower, int64_to_numeric(PG_INT64_MIN)) < 0)
	{
		compare_with_lowest(op, compare);
		return;
	}
	/* NaN is above all here too */
	beyond = compare_numerics(lower, int64_to_numeric(PG_INT64_MAX)) > 0;
	op->filter.ibound = beyond ? PG_INT64_MAX :
		DatumGetInt64(DirectFunctionCall1(numeric_int8,
										  NumericGetDatum(lower)));
	compare_with_lower(op, compare,
					   !beyond && compare_numerics(lower, bound) == 0);
}

/*
 * As in SQL, the bound is first rounded to the nearest double, so that the
 * literal 0.1, which is a numeric, equals the double 0.1.  Only a bound beyond
 * the range of double is compared exactly.
 */
static void
floats_by_numeric(gs_op *op, gs_compare compare, Numeric bound)
{
	double		nearest;
	bool		beyond;

	nearest = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow,
												 NumericGetDatum(bound)));
	beyond = isinf(nearest) && !numeric_is_inf(bound);
	op->filter.bound = beyond && nearest > 0 ? DBL_MAX : nearest;
	compare_with_lower(op, compare, !beyond);
}

void
gs_bound_by_int64(gs_op *op, gs_compare compare, int64 bound)
{
	op->filter.integer_bound = !gs_is_float(op->type);
	if (!op->filter.integer_bound)
	{
		floats_by_int64(op, compare, bound);
		return;
	}
	op->filter.ibound = bound;
	op->filter.compare = compare;
}

void
gs_bound_by_double(gs_op *op, gs_compare compare, double bound)
{
	op->filter.integer_bound = !gs_is_float(op->type);
	if (op->filter.integer_bound)
	{
		integers_by_double(op, compare, bound);
		return;
	}
	op->filter.bound = bound;
	op->filter.compare = compare;
}

void
gs_bound_by_numeric(gs_op *op, gs_compare compare, Numeric bound)
{
	op->filter.integer_bound = !gs_is_float(op->type);
	if (op->filter.integer_bound)
		integers_by_numeric(op, compare, bound);
	else
		floats_by_numeric(op, compare, bound);
}

bool
gs_can_bound(Oid type)
{
	return type == FLOAT8OID || type == INT8OID || type == NUMERICOID;
}

void
gs_bound_by_datum(gs_op *op, gs_compare compare, Oid type, Datum bound)
{
	if (type == FLOAT8OID)
		gs_bound_by_double(op, compare, DatumGetFloat8(bound));
	else if (type == INT8OID)
		gs_bound_by_int64(op, compare, DatumGetInt64(bound));
	else
		gs_bound_by_numeric(op, compare, DatumGetNumeric(bound));
}

/* ----------
 * Ranges
 * ----------
 */

gs_range
gs_range_of_all(gs_type type)
{
	gs_range	r = {.empty = false};

	switch (type)
	{
		case GS_INT2:
			r.low.i = PG_INT16_MIN;
			r.high.i = PG_INT16_MAX;
			break;
		case GS_INT4:
			r.low.i = PG_INT32_MIN;
			r.high.i = PG_INT32_MAX;
			break;
		case GS_INT8:
			r.low.i = PG_INT64_MIN;
			r.high.i = PG_INT64_MAX;
			break;
		default:
			r.low.d = -HUGE_VAL;
			r.high.d = gs_canonical_nan();
	}
	return r;
}

/* A comparison with a bound limits a range at these ends. */
static bool
has_low(int32 compare)
{
	return compare != GS_LT && compare != GS_LE;
}

static bool
has_high(int32 compare)
{
	return compare != GS_GT && compare != GS_GE;
}

static gs_range
range_of_integers(const gs_op *op)
{
	gs_range	all = gs_range_of_all(op->type);
	gs_range	r = all;
	int64		bound = op->filter.ibound;

	if (has_low(op->filter.compare))
	{
		r.empty = op->filter.compare == GS_GT && bound == PG_INT64_MAX;
		r.low.i = op->filter.compare == GS_GT && !r.empty ? bound + 1 : bound;
	}
	if (has_high(op->filter.compare))
	{
		r.empty = op->filter.compare == GS_LT && bound == PG_INT64_MIN;
		r.high.i = op->filter.compare == GS_LT && !r.empty ? bound - 1 : bound;
	}
	r.empty |= r.low.i > all.high.i || r.high.i < all.low.i;
	r.low.i = Max(r.low.i, all.low.i);
	r.high.i = Min(r.high.i, all.high.i);
	return r;
}

/* The neighbour of a float of the type. */
static double
next_float(gs_type type, double x, double towards)
{
	return type == GS_FLOAT4 ? nextafterf((float) x, (float) towards) :
		nextafter(x, towards);
}

/*
 * The greatest float of the type that is not above the bound, or, if `below`,
 * that is below it; false if there is none.
 */
static bool
greatest_float(gs_type type, double bound, bool below, double *x)
{
	*x = type == GS_FLOAT4 ? (double) (float) bound : bound;
	if (isnan(bound))
	{
		if (below)
			*x = HUGE_VAL;
		return true;
	}
	if (*x < bound || (*x == bound && !below))
		return true;
	if (*x == -HUGE_VAL)
		return false;
	*x = next_float(type, *x, -HUGE_VAL);
	return true;
}

/* The least float of the type that is above x; false if there is none. */
static bool
float_above(gs_type type, double *x)
{
	if (isnan(*x))
		return false;
	*x = *x == HUGE_VAL ? gs_canonical_nan() :
		next_float(type, *x, HUGE_VAL);
	return true;
}

static gs_range
range_of_floats(const gs_op *op)
{
	gs_range	r = gs_range_of_all(op->type);

	/* what is at least the bound is above all that is below it */
	if (has_low(op->filter.compare) &&
		greatest_float(op->type, op->filter.bound,
					   op->filter.compare != GS_GT, &r.low.d))
		r.empty = !float_above(op->type, &r.low.d);
	else
		r.low.d = -HUGE_VAL;
	if (has_high(op->filter.compare) &&
		!greatest_float(op->type, op->filter.bound,
						op->filter.compare == GS_LT, &r.high.d))
		r.empty = true;
	return r;
}

gs_range
gs_range_of_comparison(const gs_op *op)
{
	gs_range	r = gs_is_float(op->type) ? range_of_floats(op) :
		range_of_integers(op);

	r.outside = op->filter.compare == GS_NE;
	return r;
}

void
gs_range_set(gs_op *op, const gs_range *range)
{
	gs_range	all = gs_range_of_all(op->type);
	gs_number	low = range->empty ? all.high : range->low;
	gs_number	high = range->empty ? all.low : range->high;

	op->range.low =
		gs_value_from_datum(op->type, gs_datum_from_number(low, op->type));
	op->range.high =
		gs_value_from_datum(op->type, gs_datum_from_number(high, op->type));
	op->range.outside = range->outside;
}
