/*-------------------------------------------------------------------------
 *
 * decimal_order.c
 *	  numeric in order, of any digits: percentiles, modes, and what else
 *	  aggregates find by it.
 *
 * Engines do this where a group's values are decimals of one scale that fit
 * into integers.  Others are sorted here: of several scales, NaN, infinities,
 * more digits.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/numeric.h"

#include "call/decimal.h"
#include "call/decimal_array.h"
#include "functions/order/decimal_order.h"

/* ----------
 * Order
 * ----------
 */

static int
compare_values(Datum a, Datum b)
{
	return DatumGetInt32(DirectFunctionCall2(numeric_cmp, a, b));
}

int
gs_decimal_compare(Datum a, Datum b)
{
	int			comparison = compare_values(a, b);

	return comparison != 0 ? comparison :
		gs_decimal_scale(a) - gs_decimal_scale(b);
}

int
gs_decimal_greatest(Datum a, Datum b)
{
	int			comparison = compare_values(a, b);

	return comparison != 0 ? comparison :
		gs_decimal_scale(b) - gs_decimal_scale(a);
}

static int
compare_elements(const void *a, const void *b)
{
	CHECK_FOR_INTERRUPTS();
	return gs_decimal_compare(*(const Datum *) a, *(const Datum *) b);
}

void
gs_decimals_sort(gs_decimals *d, Datum array)
{
	gs_decimal_reader reader;

	gs_decimal_reader_open(&reader, DatumGetArrayTypeP(array));
	d->value = gs_alloc_large(Max(reader.n, 1) * sizeof(Datum));
	d->n = 0;
	while (reader.i < reader.n)
	{
		const char *stored = gs_decimal_reader_next(&reader);

		if (stored != NULL)
			d->value[d->n++] =
				PointerGetDatum(PG_DETOAST_DATUM(PointerGetDatum(stored)));
	}
	qsort(d->value, d->n, sizeof(Datum), compare_elements);
}

/* The first rank of the elements that equal the one of this rank. */
static int64
first_equal(const gs_decimals *d, int64 rank)
{
	while (rank > 0 &&
		   compare_values(d->value[rank - 1], d->value[rank]) == 0)
	{
		CHECK_FOR_INTERRUPTS();
		rank--;
	}
	return rank;
}

Datum
gs_decimals_element(const gs_decimals *d, int64 rank)
{
	return d->value[first_equal(d, rank)];
}

void
gs_decimals_best(gs_decimals *d, int64 k, bool largest)
{
	Datum	   *best;
	int64		end = d->n;
	int64		n = 0;

	if (!largest)
	{
		d->n = Min(k, d->n);
		return;
	}
	best = gs_alloc_large(Max(Min(k, d->n), 1) * sizeof(Datum));
	while (n < k && end > 0)
	{
		int64		first = first_equal(d, end - 1);

		for (int64 i = first; i < end && n < k; i++)
			best[n++] = d->value[i];
		end = first;
	}
	d->value = best;
	d->n = n;
}

/* ----------
 * Percentiles
 * ----------
 */

static Datum
from_integer(int64 value)
{
	return NumericGetDatum(int64_to_numeric(value));
}

/*
 * fraction * (n - 1) - rank, exactly.  The rank is that of double precision,
 * which may be one off where this is a whole number: then the proportion is 0 or
 * 1.
 */
static Datum
decimal_proportion(double fraction, gs_place place, int64 n)
{
	Datum		exact = gs_decimal_from_double(fraction);
	Datum		scale = Int32GetDatum(gs_decimal_scale(exact));
	Datum		zero = DirectFunctionCall2(numeric_round, from_integer(0), scale);
	Datum		one = DirectFunctionCall2(numeric_round, from_integer(1), scale);

	exact = DirectFunctionCall2(numeric_mul, exact, from_integer(n - 1));
	exact = DirectFunctionCall2(numeric_sub, exact, from_integer(place.rank));
	if (place.proportion == 0 || compare_values(exact, zero) < 0)
		return zero;
	return compare_values(exact, one) > 0 ? one : exact;
}

/* Of values one of which is no number at least, or which are the same. */
static Datum
between_specials(Datum low, Datum high, Datum proportion)
{
	if (compare_values(proportion, from_integer(0)) == 0 ||
		compare_values(low, high) == 0)
		return low;
	return compare_values(proportion, from_integer(1)) == 0 ? high :
		DirectFunctionCall2(numeric_add, low, high);
}

Datum
gs_decimal_between(Datum low, Datum high, double fraction, gs_place place,
				   int64 n)
{
	Datum		proportion = decimal_proportion(fraction, place, n);
	Datum		step;

	if (gs_decimal_scale(low) < 0 || gs_decimal_scale(high) < 0)
		return between_specials(low, high, proportion);
	step = DirectFunctionCall2(numeric_sub, high, low);
	step = DirectFunctionCall2(numeric_mul, step, proportion);
	return DirectFunctionCall2(numeric_add, low, step);
}

/* As order.c's take_interpolated and take_element. */
static Datum
percentile(const gs_decimals *d, double fraction, bool discrete)
{
	gs_place	place = gs_percentile_place(fraction, discrete, d->n);
	int64		next = place.rank + (place.proportion > 0);
	Datum		low = gs_decimals_element(d, place.rank);

	if (discrete)
		return low;
	return gs_decimal_between(low, gs_decimals_element(d, next), fraction,
							  place, d->n);
}

void
gs_decimals_percentiles(const gs_decimals *d, const gs_percentiles *p)
{
	for (int i = 0; i < p->n; i++)
	{
		if (p->null == NULL || !p->null[i])
			p->result[i] = percentile(d, p->fraction[i], p->discrete);
	}
}

/* ----------
 * Extremes
 * ----------
 */

PG_FUNCTION_INFO_V1(gpu_lesser_numeric);

Datum
gpu_lesser_numeric(PG_FUNCTION_ARGS)
{
	Datum		a = NumericGetDatum(PG_GETARG_NUMERIC(0));
	Datum		b = NumericGetDatum(PG_GETARG_NUMERIC(1));

	PG_RETURN_DATUM(gs_decimal_compare(b, a) < 0 ? b : a);
}

PG_FUNCTION_INFO_V1(gpu_greater_numeric);

Datum
gpu_greater_numeric(PG_FUNCTION_ARGS)
{
	Datum		a = NumericGetDatum(PG_GETARG_NUMERIC(0));
	Datum		b = NumericGetDatum(PG_GETARG_NUMERIC(1));

	PG_RETURN_DATUM(gs_decimal_greatest(a, b) < 0 ? b : a);
}

/* ----------
 * Equal elements
 * ----------
 */

/* How many elements from this rank on are equal? */
static int64
run_at(const gs_decimals *d, int64 rank)
{
	int64		end = rank + 1;

	while (end < d->n && compare_values(d->value[rank], d->value[end]) == 0)
	{
		CHECK_FOR_INTERRUPTS();
		end++;
	}
	return end - rank;
}

Datum
gs_decimals_mode(const gs_decimals *d, int64 *distinct)
{
	int64		mode = 0;
	int64		most = 0;
	int64		run;

	*distinct = 0;
	for (int64 rank = 0; rank < d->n; rank += run)
	{
		run = run_at(d, rank);
		(*distinct)++;
		if (run > most)
		{
			most = run;
			mode = rank;
		}
	}
	return most == 0 ? (Datum) 0 : d->value[mode];
}

/* ----------
 * Sums
 * ----------
 */

static Datum
add(Datum sum, Datum value)
{
	Datum		result = DirectFunctionCall2(numeric_add, sum, value);

	pfree(DatumGetPointer(sum));
	return result;
}

void
gs_decimals_moments(const gs_decimals *d, Datum *sum, Datum *squares)
{
	*sum = from_integer(0);
	*squares = from_integer(0);
	for (int64 i = 0; i < d->n; i++)
	{
		Datum		square = DirectFunctionCall2(numeric_mul, d->value[i],
												 d->value[i]);

		CHECK_FOR_INTERRUPTS();
		*sum = add(*sum, d->value[i]);
		*squares = add(*squares, square);
		pfree(DatumGetPointer(square));
	}
}
