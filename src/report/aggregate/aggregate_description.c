/*-------------------------------------------------------------------------
 *
 * aggregate_description.c
 *	  gpu_describe: an overview of a group's values, in one row.
 *
 * Compare functions/aggregate/describe.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "utils/typcache.h"

#include "call/figures.h"
#include "functions/aggregate/describe.h"
#include "functions/reduce/reduce.h"
#include "report/aggregate/aggregate_rules.h"
#include "report/translate/translate_parts.h"

static const gs_aggregate_kind kinds[] = {
	GS_AGG_COUNT, GS_AGG_MIN, GS_AGG_MAX, GS_AGG_SUM, GS_AGG_SQUARES,
	GS_AGG_SPECIALS
};

bool
gs_report_description_add(gs_translation *t, gs_operand a, gs_operand filter,
						  gs_report_aggregate *r)
{
	int		   *state[] = {
		&r->count, &r->value, &r->greatest, &r->sum, &r->squares, &r->specials
	};
	gs_report_fraction *f = palloc0(GS_DESCRIBE_FRACTIONS * sizeof *f);
	gs_aggregate aggregate;

	memset(&aggregate, 0, sizeof aggregate);
	aggregate.filter = filter;
	aggregate.kind = GS_AGG_COUNT;
	aggregate.a = GS_NOTHING;
	r->rows = gs_translation_aggregate(t, &aggregate);
	aggregate.a = a;
	for (int i = 0; i < (int) lengthof(kinds); i++)
	{
		if (kinds[i] == GS_AGG_SPECIALS && !gs_is_float(r->type))
			continue;
		aggregate.kind = kinds[i];
		*state[i] = gs_translation_aggregate(t, &aggregate);
		if (*state[i] < 0)
			return false;
	}
	r->fractions = GS_DESCRIBE_FRACTIONS;
	r->fraction = f;
	for (int i = 0; i < GS_DESCRIBE_FRACTIONS; i++)
	{
		f[i].fraction = gs_describe_fractions[i];
		if (!gs_report_fraction_add(t, a, filter, &f[i]))
			return false;
	}
	return r->rows >= 0;
}

/* Columns of a group that has values; an outcome that is an error goes first. */
static gs_rounding
set_columns(const gs_report_aggregate *a, const gs_report_groups *groups,
			int64 i, int64 count, Datum *values, bool *nulls)
{
	static const int place[] = {DESCRIBE_SUM, DESCRIBE_AVG, DESCRIBE_STDDEV};
	const gs_figure figure[] = {
		a->value_of.form == GS_FORM_DECIMAL ? GS_FIGURE_SUM :
		gs_sum_figure(a->type), GS_FIGURE_AVG, GS_FIGURE_STDDEV_SAMP
	};
	int64		space[5][GS_FLOAT_SUM_LIMBS];
	gs_sums		sums = gs_report_sums(a, groups, i, count, space);

	for (int k = 0; k < (int) lengthof(place); k++)
	{
		gs_rounding outcome = gs_figure_datum(figure[k], &sums,
											  &values[place[k]]);

		nulls[place[k]] = outcome == GS_UNDEFINED;
		if (outcome != GS_ROUNDED && outcome != GS_UNDEFINED)
			return outcome;
	}
	if (a->specials >= 0)
		values[DESCRIBE_NANS] =
			Int64GetDatum(((const int64 *) states(groups, a->specials))
						  [i * GS_SPECIALS + GS_SPECIAL_NAN]);
	values[DESCRIBE_MIN] = gs_report_datum(&a->value_of, (const gs_value *)
										   states(groups, a->value) + i);
	values[DESCRIBE_MAX] = gs_report_datum(&a->value_of, (const gs_value *)
										   states(groups, a->greatest) + i);
	for (int k = 0; k < GS_DESCRIBE_FRACTIONS; k++)
		values[DESCRIBE_PERCENTILES + k] =
			gs_report_percentile(a, &a->fraction[k], groups, i, count);
	return GS_ROUNDED;
}

gs_rounding
gs_report_description(const gs_report_aggregate *a,
					  const gs_report_groups *groups, int64 i, int64 count,
					  Datum *value)
{
	int64		rows = ((const int64 *) states(groups, a->rows))[i];
	Datum		values[DESCRIBE_COLUMNS] = {0};
	bool		nulls[DESCRIBE_COLUMNS] = {false};
	gs_rounding outcome = GS_ROUNDED;
	TupleDesc	row;

	values[DESCRIBE_COUNT] = Int64GetDatum(count);
	values[DESCRIBE_NULLS] = Int64GetDatum(rows - count);
	values[DESCRIBE_NANS] = Int64GetDatum(0);
	if (count > 0)
		outcome = set_columns(a, groups, i, count, values, nulls);
	else
		memset(nulls + DESCRIBE_MIN, true, DESCRIBE_COLUMNS - DESCRIBE_MIN);
	row = lookup_rowtype_tupdesc(a->result_type, -1);
	*value = HeapTupleGetDatum(heap_form_tuple(row, values, nulls));
	ReleaseTupleDesc(row);
	return outcome;
}
