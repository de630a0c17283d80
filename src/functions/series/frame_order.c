/*-------------------------------------------------------------------------
 *
 * frame_order.c
 *	  A moving frame: what depends on the order of its values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "utils/datum.h"

#include "functions/series/frame.h"

static void
enter_values(gs_frame *f, gs_number value, bool by_value)
{
	if (unlikely(f->values == NULL))
		f->values = gs_multiset_new(f->context, f->type, f->decimals, by_value);
	gs_multiset_add(f->values, value);
}

static void
enter_ordered(gs_frame *f, int64 row pg_attribute_unused(), gs_number value)
{
	enter_values(f, value, false);
}

static void
enter_distinct(gs_frame *f, int64 row pg_attribute_unused(), gs_number value)
{
	enter_values(f, value, true);
}

static void
leave_values(gs_frame *f, gs_number value)
{
	gs_multiset_remove(f->values, value);
}

/* One of equal values stands for them, and it may leave before others. */
static void
enter_mode(gs_frame *f, int64 row pg_attribute_unused(), gs_number value)
{
	enter_values(f, value, true);
	if (!f->decimals)
		return;
	if (unlikely(f->variants == NULL))
		f->variants = gs_multiset_new(f->context, f->type, true, false);
	gs_multiset_add(f->variants, value);
}

static void
leave_mode(gs_frame *f, gs_number value)
{
	gs_multiset_remove(f->values, value);
	if (f->decimals)
		gs_multiset_remove(f->variants, value);
}

static Datum
percentile_of_frame(const gs_frame *f, bool *isnull pg_attribute_unused())
{
	return gs_multiset_percentile(f->values, f->fraction, f->discrete);
}

/* Not of times. */
static Datum
median_of_frame(const gs_frame *f, bool *isnull pg_attribute_unused())
{
	return gs_multiset_percentile(f->values, 0.5, false);
}

static Datum
mode_of_frame(const gs_frame *f, bool *isnull pg_attribute_unused())
{
	gs_number	mode = gs_multiset_mode(f->values);
	int64		rank;

	if (!f->decimals)
		return gs_datum_from_number(mode, f->type);
	mode = gs_multiset_first_equal(f->variants, mode, &rank);
	return datumCopy(gs_decimal_of(mode), false, -1);
}

static Datum
distinct_of_frame(const gs_frame *f, bool *isnull pg_attribute_unused())
{
	return Int64GetDatum(f->values->distinct);
}

const gs_moving gs_moving_median =
{enter_ordered, leave_values, median_of_frame};
const gs_moving gs_moving_percentile =
{enter_ordered, leave_values, percentile_of_frame};
const gs_moving gs_moving_mode = {enter_mode, leave_mode, mode_of_frame};
const gs_moving gs_moving_distinct =
{enter_distinct, leave_values, distinct_of_frame};
