/*-------------------------------------------------------------------------
 *
 * bucket.c
 *	  Buckets of equal width, the same as those of width_bucket.
 *
 * The server's formula differs between major versions.  A trial call of
 * width_bucket shows which one this server has, and calling it also checks the
 * arguments.  Rounding moves the edges of its buckets by a few doubles; the
 * formula is monotone, so a search finds where a bucket really begins.
 *
 * Where the formula overflows, the bucket is the mathematical one, the same
 * with every server:
 *
 *		floor(buckets * (x - low) / (high - low)) + 1
 *
 * Reversed bounds (low > high) are handled by negating all numbers, since
 * every rounding is symmetric.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "pg/compat.h"

#include "miscadmin.h"
#include "utils/float.h"

#include "array/array.h"
#include "exact/bigint.h"
#include "functions/histogram/bucket.h"

/* Edges checked between two interrupt checks: below 0.1 ms. */
#define EDGES_PIECE		65536

static int32
server_width_bucket(double operand, double low, double high, int32 buckets)
{
	return DatumGetInt32(DirectFunctionCall4(width_bucket_float8,
											 Float8GetDatum(operand),
											 Float8GetDatum(low),
											 Float8GetDatum(high),
											 Int32GetDatum(buckets)));
}

/*
 * The server's formula.  Where high - low is beyond the range of double, only
 * one of the two formulas gives the right bucket.
 */
static gs_bucket_formula formula = 0;

static pg_noinline void
find_formula(void)
{
	formula = server_width_bucket(0, -1.7e308, 1.7e308, 10) == 6 ?
		GS_BUCKET_QUOTIENT_FIRST : GS_BUCKET_PRODUCT_FIRST;
}

static inline bool
product_first(void)
{
	if (unlikely(formula == 0))
		find_formula();
	return formula == GS_BUCKET_PRODUCT_FIRST;
}

gs_bucket_formula
gs_server_formula(void)
{
	(void) product_first();
	return formula;
}

/* Raise the errors that width_bucket raises for these arguments. */
void
gs_check_buckets(double low, double high, int32 buckets)
{
	(void) server_width_bucket(low, low, high, buckets);
}

void
gs_check_edges(const double *edges, int64 n)
{
	for (int64 i = 0; i < n; i++)
	{
		if (i % EDGES_PIECE == 0)
			CHECK_FOR_INTERRUPTS();
		if (isnan(edges[i]))
			ereport(ERROR,
					errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("edges must not be NaN, but edge %lld is",
						   (long long) i + 1));
		if (i > 0 && !(edges[i - 1] < edges[i]))
			ereport(ERROR,
					errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("edges must be strictly ascending, but %s follows %s",
						   float8out_internal(edges[i]),
						   float8out_internal(edges[i - 1])));
	}
}

bool
gs_range_is_wide(double low, double high, int32 buckets)
{
	double		width = high - low;

	if (product_first())
		width *= buckets;
	return isinf(width);
}

/*
 * Ranges with low < high
 */

/*
 * The bucket of low <= x < high by the formula; buckets + 1 if it rounds up to
 * that.
 */
static inline int32
bucket_by_formula(double x, double low, double high, int32 buckets)
{
	double		width = high - low;
	double		bucket;

	if (product_first())
	{
		bucket = buckets * (x - low) / width + 1;
		return bucket < buckets + 1.0 ? (int32) bucket : buckets + 1;
	}
	bucket = buckets * ((x - low) / width);
	return bucket < buckets ? (int32) bucket + 1 : buckets;
}

static void
big_product(gs_big *r, double x, uint32 factor)
{
	gs_acc		acc;

	gs_acc_init(&acc);
	gs_acc_add(&acc, x);
	gs_big_from_limbs(r, gs_acc_limbs(&acc));
	gs_big_multiply_small(r, factor);
}

/* x buckets - low (buckets - i) - high i >= 0?  Exactly. */
static bool
is_above_edge_exactly(double x, double low, double high, int32 buckets,
					  int32 i)
{
	gs_big		a;
	gs_big		b;
	gs_big		difference;

	big_product(&a, x, buckets);
	big_product(&b, low, buckets - i);
	gs_big_difference(&difference, &a, &b);
	big_product(&b, high, i);
	gs_big_difference(&a, &difference, &b);
	return a.words == 0 || !a.negative;
}

/*
 * x >= low + i (high - low) / buckets, in a range where the formula overflows?
 * Arithmetic in pairs of doubles nearly always decides.  The scaling, or an
 * underflow, may take bits from a small x, but they are negligible beside such
 * a range.
 */
static bool
is_above_edge(double x, double low, double high, int32 buckets, int32 i)
{
	const double factor = 0x1p-64;
	gs_pair		a = gs_two_product(x * factor, buckets);
	gs_pair		b = gs_two_product(low * factor, buckets - i);
	gs_pair		c = gs_two_product(high * factor, i);
	gs_pair		sum = gs_two_sum(a.hi, -b.hi);
	double		rest = sum.lo + (a.lo - b.lo - c.lo);
	double		difference;

	sum = gs_two_sum(sum.hi, -c.hi);
	difference = sum.hi + (sum.lo + rest);
	/* a generous bound of the rounding errors in `rest` and the sum */
	if (fabs(difference) > 0x1p-96 * (fabs(a.hi) + fabs(b.hi) + fabs(c.hi)))
		return difference > 0;
	return is_above_edge_exactly(x, low, high, buckets, i);
}

/* The bucket of low <= x < high in a range where the formula overflows. */
static int32
bucket_of_wide(double x, double low, double high, int32 buckets)
{
	double		number = buckets *
		((x / 2 - low / 2) / (high / 2 - low / 2));
	double		edge = rint(number);

	Assert(number >= 0 && number <= buckets);
	/* farther from an edge than a few roundings can move it? */
	if (fabs(number - edge) > ldexp(buckets, -50))
		return (int32) number + 1;
	return (int32) edge + is_above_edge(x, low, high, buckets, (int32) edge);
}

/* Map doubles to integers of the same order, and back. */
static int64
order_of_double(double x)
{
	int64		bits = (int64) gs_double_bits(x);

	return bits >= 0 ? bits : PG_INT64_MIN - bits;
}

static double
double_of_order(int64 order)
{
	return gs_bits_double((uint64) (order >= 0 ? order :
									PG_INT64_MIN - order));
}

/* Is low <= x < high beyond bucket i? */
static inline bool
is_beyond(double x, double low, double high, int32 buckets, int32 i, bool wide)
{
	return wide ? is_above_edge(x, low, high, buckets, i) :
		bucket_by_formula(x, low, high, buckets) > i;
}

/*
 * The smallest double beyond bucket i.  It is near the mathematical edge: from
 * there, steps of doubling size reach a double on the other side, and
 * bisection finds the border between the two.
 */
static double
first_beyond(double low, double high, int32 buckets, int32 i, bool wide)
{
	int64		before = order_of_double(low);	/* not beyond, if i > 0 */
	int64		from = order_of_double(high);	/* beyond */
	double		part = (double) i / buckets;
	int64		at = order_of_double(low * (1 - part) + high * part);

	if (i == 0)
		return low;
	for (uint64 step = 1; before < at && at < from; step *= 2)
	{
		bool		beyond = is_beyond(double_of_order(at), low, high,
									   buckets, i, wide);

		if (beyond)
			from = at;
		else
			before = at;
		if ((uint64) from - (uint64) before <= step)
			break;
		at = (int64) (beyond ? (uint64) from - step : (uint64) before + step);
	}
	while ((uint64) from - (uint64) before > 1)
	{
		at = before + (int64) (((uint64) from - (uint64) before) / 2);
		if (is_beyond(double_of_order(at), low, high, buckets, i, wide))
			from = at;
		else
			before = at;
	}
	return double_of_order(from);
}

/*
 * Ranges of either direction
 */

int32
gs_bucket_of(double x, double low, double high, int32 buckets)
{
	int32		bucket;

	if (low > high)
		return gs_bucket_of(-x, -low, -high, buckets);
	if (!(x >= low && x < high))
		return 0;
	if (unlikely(gs_range_is_wide(low, high, buckets)))
		return bucket_of_wide(x, low, high, buckets);
	bucket = bucket_by_formula(x, low, high, buckets);
	return bucket <= buckets ? bucket : 0;
}

double
gs_bucket_edge(double low, double high, int32 buckets, int32 i)
{
	if (low > high)
		return 0 - gs_bucket_edge(-low, -high, buckets, i);
	return first_beyond(low, high, buckets, i,
						gs_range_is_wide(low, high, buckets)) + 0.0;
}

/*
 * With reversed bounds, buckets begin after their edges; the last comes first.
 */
double *
gs_wide_edges(double low, double high, int32 buckets)
{
	Size		size = gs_array_size(buckets, sizeof(double), 1, false);
	double	   *edges = gs_alloc_large(size);	/* the header covers one more */

	for (int32 i = 0; i <= buckets; i++)
	{
		CHECK_FOR_INTERRUPTS();
		edges[i] = low < high ? gs_bucket_edge(low, high, buckets, i) :
			nextafter(gs_bucket_edge(low, high, buckets, buckets - i),
					  HUGE_VAL);
	}
	return edges;
}
