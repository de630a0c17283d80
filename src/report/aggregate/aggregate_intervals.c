/*-------------------------------------------------------------------------
 *
 * aggregate_intervals.c
 *	  Aggregates of intervals.
 *
 * PostgreSQL adds up months, days and microseconds, each apart: so do three sums
 * of integers here, of what tables have for the codes of intervals.  Of the
 * interval between two timestamps the engine has the microseconds
 * (translate_intervals.c), which are whole days and a rest: two sums.  Where one
 * is out of range, the ordinary plan runs.
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

/* Of the microseconds between two timestamps. */
static bool
put_days(gs_translation *t, gs_operand time, gs_interval_parts *parts)
{
	gs_operand	day;
	gs_operand	whole;

	memset(parts, 0, sizeof *parts);
	parts->part[GS_INTERVAL_MONTHS] = GS_NOTHING;
	return gs_put_bigint(t, USECS_PER_DAY, &day) &&
		gs_put_binary(t, GS_CODE_DIVIDE, time, day,
					  &parts->part[GS_INTERVAL_DAYS]) &&
		gs_put_binary(t, GS_CODE_MULTIPLY, parts->part[GS_INTERVAL_DAYS], day,
					  &whole) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, time, whole,
					  &parts->part[GS_INTERVAL_TIME]);
}

/*
 * As codes, by which nothing is told apart; or, what is chosen among intervals
 * between timestamps, as these.
 */
static bool
translate_argument(gs_translation *t, Expr *e, gs_operand *r)
{
	const gs_translation_mark before = gs_mark(t);
	const bool	in_vain = t->in_vain;
	const char *reason;
	bool		done;

	t->private->by_bytes = true;
	done = gs_translate_any(t, e, r);
	t->private->by_bytes = false;
	if (done || IsA(gs_resolve(t, (Node *) e), Var))
		return done;
	reason = t->reason;
	gs_forget(t, &before);
	gs_untranslated(t, NULL);
	if (!gs_translate_any(t, e, r))
		return gs_untranslated(t, reason != NULL ? reason : t->reason);
	t->in_vain = in_vain;
	return true;
}

static bool
add_sums(gs_translation *t, const gs_interval_parts *parts, gs_operand filter,
		 gs_report_aggregate *r)
{
	gs_aggregate sum;

	memset(&sum, 0, sizeof sum);
	sum.kind = GS_AGG_SUM;
	sum.filter = filter;
	for (int i = 0; i < GS_INTERVAL_PARTS; i++)
	{
		if (parts->part[i] == GS_NOTHING)
			continue;
		sum.a = parts->part[i];
		r->part[i] = gs_translation_aggregate(t, &sum);
		r->part_low[i] = parts->low[i];
		r->part_high[i] = parts->high[i];
		if (r->part[i] < 0)
			return false;
	}
	return true;
}

bool
gs_report_interval_add(gs_translation *t, const Aggref *aggref,
					   gs_operand filter, gs_report_aggregate *r)
{
	Expr	   *e = linitial_node(TargetEntry, aggref->args)->expr;
	gs_aggregate count;
	gs_interval_parts parts;
	gs_operand	interval;

	if (!translate_argument(t, e, &interval) ||
		!(gs_is_code(t, interval) ? gs_put_interval_parts(t, interval, &parts) :
		  put_days(t, interval, &parts)))
		return false;
	r->rule = GS_RULE_INTERVAL;
	r->type = GS_INT8;
	r->value_of = (gs_report_value) {
		.type = GS_INT8, .form = GS_FORM_INTERVAL, .length = sizeof(Interval)
	};
	memset(&count, 0, sizeof count);
	count.kind = GS_AGG_COUNT;
	count.a = interval;
	count.filter = filter;
	r->count = gs_translation_aggregate(t, &count);
	return r->count >= 0 && add_sums(t, &parts, filter, r);
}

/* 0, if there is none of this part.  False: it is out of range. */
static bool
find_sum(const gs_report_aggregate *a, const gs_report_groups *groups,
		 gs_interval_part part, int64 i, int64 *sum)
{
	const gs_integer_sum *s;
	gs_sums		sums;

	*sum = 0;
	if (a->part[part] < 0)
		return true;
	s = (const gs_integer_sum *) states(groups, a->part[part]) + i;
	sums = gs_sums_of_integers(1, s->word, lengthof(s->word), NULL, 0);
	return gs_figure_bigint(&sums, sum) == GS_ROUNDED &&
		(part == GS_INTERVAL_TIME ||
		 (*sum >= PG_INT32_MIN && *sum <= PG_INT32_MAX));
}

/* From 17 on, the ends of all three are the infinite ones. */
static bool
is_finite(const Interval *interval)
{
#if PG_VERSION_NUM >= 170000
	return !INTERVAL_NOT_FINITE(interval);
#else
	return interval != NULL;
#endif
}

static bool
find_interval(const gs_report_aggregate *a, const gs_report_groups *groups,
			  int64 i, Interval *interval)
{
	int64		sum[GS_INTERVAL_PARTS];

	memset(interval, 0, sizeof *interval);
	for (int part = 0; part < GS_INTERVAL_PARTS; part++)
	{
		if (!find_sum(a, groups, part, i, &sum[part]))
			return false;
	}
	interval->month = (int32) sum[GS_INTERVAL_MONTHS];
	interval->day = (int32) sum[GS_INTERVAL_DAYS];
	interval->time = sum[GS_INTERVAL_TIME];
	return is_finite(interval);
}

/*
 * PostgreSQL's sum may be out of range on the way to one that is not, if there are
 * values of both signs: could it be, in any order of so many?
 */
static bool
may_leave_range(const gs_report_aggregate *a, int64 count)
{
	for (int part = 0; part < GS_INTERVAL_PARTS; part++)
	{
		const __int128 low = a->part_low[part];
		const __int128 high = a->part_high[part];
		int64		most = part == GS_INTERVAL_TIME ? PG_INT64_MAX : PG_INT32_MAX;

		if (low < 0 && high > 0 && Max(-low, high) * count >= most)
			return true;
	}
	return false;
}

bool
gs_report_interval_overflows(const gs_report_aggregate *a,
							 const gs_report_groups *groups)
{
	Interval	interval;

	if (a->part[GS_INTERVAL_DAYS] < 0)
		return false;
	for (int64 i = 0; i < groups->n; i++)
	{
		if (may_leave_range(a, ((const int64 *) states(groups, a->count))[i]) ||
			!find_interval(a, groups, i, &interval))
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
