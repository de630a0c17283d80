/*-------------------------------------------------------------------------
 *
 * translate_shifts.c
 *	  Times plus or minus intervals, days and times of day.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "utils/timestamp.h"

#include "report/translate/translate_times.h"

#define MOST_MONTHS		(1000 * MONTHS_PER_YEAR)

/* An interval without a column; false without a reason if it is not known. */
bool
gs_known_interval(gs_translation *t, Expr *expression, Interval *interval)
{
	bool		isnull;
	Datum		datum;

	if (!gs_has_no_column(expression) || !gs_is_known(t, expression))
		return gs_untranslated(t, "an interval is not a constant");
	datum = gs_evaluate(t, expression, &isnull);
	if (isnull)
		return gs_untranslated(t, "an interval is NULL");
	*interval = *DatumGetIntervalP(datum);
	if (Abs((int64) interval->month) > MOST_MONTHS ||
		Abs((int64) interval->day) > GS_MOST_DAYS ||
		interval->time > GS_MOST_TIME || interval->time < -GS_MOST_TIME)
		return gs_untranslated(t, "an interval is longer than a thousand years");
	return true;
}

/*
 * So many months later, on the same day, or on the last of a month that does not
 * have it.
 */
static bool
put_months(gs_translation *t, int months, gs_operand *value)
{
	gs_operand	day;
	gs_operand	rest;
	gs_operand	month;
	gs_operand	start;
	gs_operand	last;

	return gs_put_day(t, *value, &day, &rest) &&
		gs_put_unary(t, GS_CODE_MONTH, day, &month) &&
		gs_put_unary(t, GS_CODE_MONTH_START, month, &start) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, day, start, &day) &&
		gs_put_with(t, GS_CODE_ADD, month, months, &month) &&
		gs_put_unary(t, GS_CODE_MONTH_START, month, &start) &&
		gs_put_binary(t, GS_CODE_ADD, day, start, &day) &&
		gs_put_with(t, GS_CODE_ADD, month, 1, &month) &&
		gs_put_unary(t, GS_CODE_MONTH_START, month, &last) &&
		gs_put_with(t, GS_CODE_SUBTRACT, last, 1, &last) &&
		gs_put_binary(t, GS_CODE_LEAST, day, last, &day) &&
		gs_put_timestamp(t, day, value) &&
		gs_put_binary(t, GS_CODE_ADD, *value, rest, value);
}

static bool
put_shift(gs_translation *t, int64 by, gs_operand *value)
{
	return by == 0 || gs_put_with(t, GS_CODE_ADD, *value, by, value);
}

/* Months, and then days, by local time; and then the time of the interval. */
static bool
put_interval(gs_translation *t, const Interval *interval, gs_time *time)
{
	const bool	zoned = time->type == TIMESTAMPTZOID;
	const int64 days = interval->day * USECS_PER_DAY;

	if (interval->month != 0)
	{
		if ((zoned && !gs_put_session_local(t, time)) ||
			!put_months(t, interval->month, &time->value))
			return false;
		gs_widen_limits(time, Abs(interval->month) * 31 * USECS_PER_DAY);
		if (zoned && !gs_put_session_utc(t, time))
			return false;
	}
	if (interval->day != 0)
	{
		if ((zoned && !gs_put_session_local(t, time)) ||
			!put_shift(t, days, &time->value))
			return false;
		gs_widen_limits(time, Abs(days));
		if (zoned && !gs_put_session_utc(t, time))
			return false;
	}
	gs_widen_limits(time, Abs(interval->time));
	return put_shift(t, interval->time, &time->value) &&
		gs_put_usual_limits(t, time);
}

bool
gs_add_interval(gs_translation *t, List *args, int sign, gs_time *time)
{
	Interval	interval;

	if (!gs_known_interval(t, lsecond(args), &interval) ||
		!gs_put_time(t, linitial(args), time) || !gs_put_usual_limits(t, time) ||
		(time->type == DATEOID && !gs_convert_time(t, time, TIMESTAMPOID)))
		return false;
	interval.month *= sign;
	interval.day *= sign;
	interval.time *= sign;

	/* times of day go round, and only by hours */
	if (time->type == TIMEOID)
		return put_shift(t, interval.time, &time->value) &&
			gs_put_remainder(t, time->value, USECS_PER_DAY, &time->value);
	return put_interval(t, &interval, time);
}

/* NULL may be added to the time. */
static bool
put_missing(gs_translation *t, gs_operand other, gs_time *time)
{
	const gs_constant *known = gs_known_constant(t, other);
	gs_operand	is_null;

	if (time->source == GS_NOTHING || (known != NULL && !known->null))
		return true;
	if (!gs_put_unary(t, GS_CODE_IS_NULL, other, &is_null))
		return false;
	if (time->missing != GS_NOTHING)
		return gs_put_binary(t, GS_CODE_OR, time->missing, is_null,
							 &time->missing);
	time->missing = is_null;
	return true;
}

bool
gs_add_days(gs_translation *t, List *args, gs_code code, gs_time *time)
{
	gs_operand	days;

	if (!gs_put_time(t, linitial(args), time) || !gs_put_usual_limits(t, time) ||
		!gs_translate(t, lsecond(args), &days) ||
		!put_missing(t, days, time) ||
		!gs_put_binary(t, code, time->value, days, &time->value))
		return false;
	return gs_put_limits(t, time, GS_FIRST_TIME - GS_SLACK,
						 GS_LAST_TIME + GS_SLACK);
}

bool
gs_add_time(gs_translation *t, List *args, gs_time *time)
{
	gs_time		other;
	gs_operand	time_of_day;

	if (!gs_put_time(t, linitial(args), time) ||
		!gs_convert_time(t, time, TIMESTAMPOID))
		return false;
	gs_widen_limits(time, USECS_PER_DAY);
	return gs_put_time(t, lsecond(args), &other) &&
		gs_put_finished(t, &other, &time_of_day) &&
		put_missing(t, time_of_day, time) &&
		gs_put_binary(t, GS_CODE_ADD, time->value, time_of_day,
					  &time->value);
}
