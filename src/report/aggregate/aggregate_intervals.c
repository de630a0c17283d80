/*-------------------------------------------------------------------------
 *
 * aggregate_intervals.c
 *	  Aggregates of the interval between two timestamps.
 *
 * The engine has the microseconds (translate_intervals.c).  Such an interval is whole days and a rest, and PostgreSQL adds these up one by
 * one: so do two sums of integers here.  Where either is out of range in the end,
 * the ordinary plan runs.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "datatype/timestamp.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "report/aggregate/aggregate_rules.h"
#include "report/translate/translate_parts.h"

bool
gs_report_interval_add(gs_translation *t, gs_operand time, gs_operand filter,
					   gs_report_aggregate *r)
{
	gs_aggregate aggregate;
	gs_operand	day;
	gs_operand	days;
	gs_operand	whole;
	gs_operand	rest;

	if (!gs_put_bigint(t, USECS_PER_DAY, &day) ||
		!gs_put_binary(t, GS_CODE_DIVIDE, time, day, &days) ||
		!gs_put_binary(t, GS_CODE_MULTIPLY, days, day, &whole) ||
		!gs_put_binary(t, GS_CODE_SUBTRACT, time, whole, &rest))
		return false;
	memset(&aggregate, 0, sizeof aggregate);
	aggregate.kind = GS_AGG_COUNT;
	aggregate.a = time;
	aggregate.filter = filter;
	r->count = gs_translation_aggregate(t, &aggregate);
	aggregate.kind = GS_AGG_SUM;
	aggregate.a = rest;
	r->sum = gs_translation_aggregate(t, &aggregate);
	aggregate.a = days;
	r->days = gs_translation_aggregate(t, &aggregate);
	return r->count >= 0 && r->sum >= 0 && r->days >= 0;
}

/* False: it is out of range. */
static bool
find_sum(const gs_report_groups *groups, int aggregate, int64 i, int64 *sum)
{
	const gs_integer_sum *s =
	(const gs_integer_sum *) states(groups, aggregate) + i;
	gs_sums		sums = gs_sums_of_integers(1, s->word, lengthof(s->word),
										   NULL, 0);

	return gs_figure_bigint(&sums, sum) == GS_ROUNDED;
}

static bool
find_interval(const gs_report_aggregate *a, const gs_report_groups *groups,
			  int64 i, Interval *interval)
{
	int64		days;

	memset(interval, 0, sizeof *interval);
	if (!find_sum(groups, a->sum, i, &interval->time) ||
		!find_sum(groups, a->days, i, &days) ||
		days < PG_INT32_MIN || days > PG_INT32_MAX)
		return false;
	interval->day = (int32) days;
	return true;
}

bool
gs_report_interval_overflows(const gs_report_aggregate *a,
							 const gs_report_groups *groups)
{
	Interval	interval;

	for (int64 i = 0; a->days >= 0 && i < groups->n; i++)
	{
		if (!find_interval(a, groups, i, &interval))
			return true;
	}
	return false;
}

Datum
gs_report_interval(const gs_report_aggregate *a,
				   const gs_report_groups *groups, int64 i, int64 count)
{
	Interval   *interval = palloc(sizeof *interval);

	(void) find_interval(a, groups, i, interval);
	if (a->figure == GS_FIGURE_AVG)
		return DirectFunctionCall2(interval_div, IntervalPGetDatum(interval),
								   Float8GetDatum((double) count));
	return IntervalPGetDatum(interval);
}

/* As PostgreSQL interpolates. */
Datum
gs_report_interval_between(Datum low, Datum high, double proportion)
{
	Datum		step = DirectFunctionCall2(interval_mi, high, low);

	step = DirectFunctionCall2(interval_mul, step, Float8GetDatum(proportion));
	return DirectFunctionCall2(interval_pl, step, low);
}
