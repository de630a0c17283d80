/*-------------------------------------------------------------------------
 *
 * figures.c
 *	  The SQL values of figures.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "utils/builtins.h"

#include "call/call.h"
#include "call/decimal.h"
#include "call/figures.h"
#include "call/numeric.h"

gs_sums
gs_result_sums(const gs_result *result, gs_type type, int scale)
{
	if (gs_is_float(type))
		return gs_sums_of_reals(result->present, gs_acc_limbs(&result->sum),
								gs_acc2_limbs(&result->squares));
	return gs_sums_of_integers(result->present, result->isum,
							   lengthof(result->isum), result->isquares, scale);
}

/* As PostgreSQL shows it, which may be with fewer places than the integers. */
static Datum
decimal(const uint64 *words, int n, int scale, int display)
{
	Datum		value = gs_decimal_make(words, n, scale);

	return display == scale ? value :
		DirectFunctionCall2(numeric_round, value, Int32GetDatum(display));
}

/* Of integers: equal to the built-in aggregates' to the last digit. */
static Datum
numeric_figure(gs_figure f, const gs_sums *s)
{
	Datum		sum = decimal(s->sum, s->words, s->scale, s->display);

	if (f == GS_FIGURE_SUM)
		return sum;
	if (f == GS_FIGURE_AVG)
		return gs_numeric_mean(sum, s->n);
	return gs_numeric_spread(sum, decimal(s->squares, 3, 2 * s->scale,
										  2 * s->display), s->n, f);
}

gs_rounding
gs_figure_datum(gs_figure f, const gs_sums *s, Datum *value)
{
	gs_rounding rounding = GS_ROUNDED;
	double		real = 0;
	int64		integer = 0;

	if (s->sum == NULL)
	{
		rounding = gs_figure_real(f, s, &real);
		*value = f == GS_FIGURE_SUM_REAL ? Float4GetDatum((float4) real) :
			Float8GetDatum(real);
	}
	else if (f == GS_FIGURE_SUM_BIGINT)
	{
		rounding = gs_figure_bigint(s, &integer);
		*value = Int64GetDatum(integer);
	}
	else if (s->n < gs_figure_least(f))
		rounding = GS_UNDEFINED;
	else
		*value = numeric_figure(f, s);
	return rounding;
}

bool
gs_rounding_is_null(gs_rounding rounding)
{
	switch (rounding)
	{
		case GS_OVERFLOW:
			gs_float_overflow();
		case GS_INTEGER_OVERFLOW:
			ereport(ERROR,
					errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
					errmsg("bigint out of range"));
		case GS_NO_WEIGHT:

			/* as sum(v * w) / sum(w) */
			ereport(ERROR,
					errcode(ERRCODE_DIVISION_BY_ZERO),
					errmsg("the weights sum to zero"));
		default:
			return rounding == GS_UNDEFINED;
	}
}

Datum
gs_figure_result(gs_figure f, const gs_sums *s, bool *isnull)
{
	Datum		value = (Datum) 0;

	*isnull = gs_rounding_is_null(gs_figure_datum(f, s, &value));
	return value;
}
