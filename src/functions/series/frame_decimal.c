/*-------------------------------------------------------------------------
 *
 * frame_decimal.c
 *	  A moving frame over numeric: sums, means, deviations.
 *
 * numeric adds and subtracts exactly.  Results have the display scale of
 * PostgreSQL's aggregates over the frame, that of the value with most decimal
 * places, so values are counted by it.  What is no number is counted, too, for
 * it cannot be subtracted.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "utils/builtins.h"
#include "utils/numeric.h"

#include "call/decimal.h"
#include "call/numeric.h"
#include "functions/series/frame.h"

typedef struct gs_decimal_sums
{
	int64		n;				/* values in the frame */
	int64		nans;
	int64		positive;		/* infinities */
	int64		negative;
	gs_number	sum;			/* of the numbers */
	gs_number	squares;
	int			scale;			/* no number has a greater one */
	int			scales;			/* that there is memory for */
	int64	   *of_scale;		/* how many have it */
} gs_decimal_sums;

static Datum
zero(void)
{
	return NumericGetDatum(int64_to_numeric(0));
}

static gs_decimal_sums *
open_sums(gs_frame *f)
{
	gs_decimal_sums *s = MemoryContextAllocZero(f->context, sizeof *s);

	s->sum = gs_frame_copy(f, gs_number_of_decimal(zero()));
	s->squares = gs_frame_copy(f, gs_number_of_decimal(zero()));
	f->sums = s;
	return s;
}

static void
make_room(const gs_frame *f, gs_decimal_sums *s, int scale)
{
	int64	   *of_scale;
	int			scales = Max(scale + 1, 2 * s->scales);

	if (scale < s->scales)
		return;
	of_scale = MemoryContextAllocZero(f->context, scales * sizeof *of_scale);
	if (s->of_scale != NULL)
	{
		memcpy(of_scale, s->of_scale, s->scales * sizeof *of_scale);
		pfree(s->of_scale);
	}
	s->of_scale = of_scale;
	s->scales = scales;
}

/* A number comes, +1, or goes, -1. */
static void
count_scale(const gs_frame *f, gs_decimal_sums *s, int scale, int more)
{
	make_room(f, s, scale);
	s->of_scale[scale] += more;
	s->scale = Max(s->scale, scale);
	while (s->scale > 0 && s->of_scale[s->scale] == 0)
		s->scale--;
}

static void
count_special(gs_decimal_sums *s, Datum value, int more)
{
	if (numeric_is_nan(DatumGetNumeric(value)))
		s->nans += more;
	else if (DatumGetBool(DirectFunctionCall2(numeric_gt, value, zero())))
		s->positive += more;
	else
		s->negative += more;
}

static void
change(const gs_frame *f, gs_number *sum, Datum value, int more)
{
	Datum		result = DirectFunctionCall2(more > 0 ? numeric_add : numeric_sub,
											 gs_decimal_of(*sum), value);

	pfree(DatumGetPointer(gs_decimal_of(*sum)));
	*sum = gs_frame_copy(f, gs_number_of_decimal(result));
	pfree(DatumGetPointer(result));
}

static void
add(gs_frame *f, Datum value, int more, bool squares)
{
	gs_decimal_sums *s = f->sums != NULL ? f->sums : open_sums(f);
	int			scale = gs_decimal_scale(value);
	Datum		square;

	s->n += more;
	if (scale < 0)
	{
		count_special(s, value, more);
		return;
	}
	count_scale(f, s, scale, more);
	change(f, &s->sum, value, more);
	if (!squares)
		return;
	square = DirectFunctionCall2(numeric_mul, value, value);
	change(f, &s->squares, square, more);
	pfree(DatumGetPointer(square));
}

static void
enter_sums(gs_frame *f, int64 row pg_attribute_unused(), gs_number value)
{
	add(f, gs_decimal_of(value), 1, false);
}

static void
leave_sums(gs_frame *f, gs_number value)
{
	add(f, gs_decimal_of(value), -1, false);
}

static void
enter_moments(gs_frame *f, int64 row pg_attribute_unused(), gs_number value)
{
	add(f, gs_decimal_of(value), 1, true);
}

static void
leave_moments(gs_frame *f, gs_number value)
{
	add(f, gs_decimal_of(value), -1, true);
}

static Datum
special(const char *name)
{
	return DirectFunctionCall3(numeric_in, CStringGetDatum(name),
							   ObjectIdGetDatum(InvalidOid),
							   Int32GetDatum(-1));
}

static Datum
at_scale(gs_number sum, int scale)
{
	return DirectFunctionCall2(numeric_round, gs_decimal_of(sum),
							   Int32GetDatum(scale));
}

static Datum
sum_of_frame(const gs_frame *f, bool *isnull pg_attribute_unused())
{
	const gs_decimal_sums *s = f->sums;

	if (s->nans > 0 || (s->positive > 0 && s->negative > 0))
		return special("NaN");
	if (s->positive > 0)
		return special("Infinity");
	return s->negative > 0 ? special("-Infinity") : at_scale(s->sum, s->scale);
}

static Datum
avg_of_frame(const gs_frame *f, bool *isnull)
{
	return gs_numeric_mean(sum_of_frame(f, isnull), f->sums->n);
}

static Datum
stddev_of_frame(const gs_frame *f, bool *isnull)
{
	const gs_decimal_sums *s = f->sums;

	*isnull = s->n < 2;
	if (*isnull)
		return (Datum) 0;
	if (s->nans > 0 || s->positive > 0 || s->negative > 0)
		return special("NaN");
	return gs_numeric_spread(at_scale(s->sum, s->scale),
							 at_scale(s->squares, 2 * s->scale), s->n,
							 GS_FIGURE_STDDEV_SAMP);
}

const gs_moving gs_moving_decimal_sum = {enter_sums, leave_sums, sum_of_frame};
const gs_moving gs_moving_decimal_avg = {enter_sums, leave_sums, avg_of_frame};
const gs_moving gs_moving_decimal_stddev =
{enter_moments, leave_moments, stddev_of_frame};
