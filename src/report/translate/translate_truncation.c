/*-------------------------------------------------------------------------
 *
 * translate_truncation.c
 *	  date_trunc() and date_bin().
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "parser/scansup.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/timestamp.h"

#include "report/translate/translate_times.h"

/* ----------
 * date_trunc
 * ----------
 */

char *
gs_unit_name(gs_translation *t, Expr *expression)
{
	bool		isnull;
	Datum		datum;
	char	   *name;

	if (!gs_has_no_column(expression) || !gs_is_known(t, expression))
		return NULL;
	datum = gs_evaluate(t, expression, &isnull);
	if (isnull)
		return NULL;
	name = TextDatumGetCString(datum);
	return downcase_truncate_identifier(name, strlen(name), false);
}

/* A unit of so many microseconds, and where one begins; 0: it is another one. */
static int64
unit_length(int unit, int64 *origin)
{
	*origin = 0;
	switch (unit)
	{
		case DTK_MICROSEC:
			return 1;
		case DTK_MILLISEC:
			return 1000;
		case DTK_SECOND:
			return USECS_PER_SEC;
		case DTK_MINUTE:
			return USECS_PER_MINUTE;
		case DTK_HOUR:
			return USECS_PER_HOUR;
		case DTK_DAY:
			return USECS_PER_DAY;
		case DTK_WEEK:
			/* January 3, 2000, was a Monday */
			*origin = 2 * USECS_PER_DAY;
			return 7 * USECS_PER_DAY;
		default:
			return 0;
	}
}

/* A unit of so many months, and where one begins; 0: it is another one. */
static int
unit_months(int unit, int *origin)
{
	*origin = 0;
	switch (unit)
	{
		case DTK_MONTH:
			return 1;
		case DTK_QUARTER:
			return 3;
		case DTK_YEAR:
			return MONTHS_PER_YEAR;
		case DTK_DECADE:
			return 10 * MONTHS_PER_YEAR;
		case DTK_CENTURY:
			/* January 2001 */
			*origin = MONTHS_PER_YEAR;
			return 100 * MONTHS_PER_YEAR;
		case DTK_MILLENNIUM:
			*origin = MONTHS_PER_YEAR;
			return 1000 * MONTHS_PER_YEAR;
		default:
			return 0;
	}
}

/* The last origin + i * length, i an integer, that is not above it. */
static bool
put_truncated(gs_translation *t, gs_operand *value, int64 length, int64 origin)
{
	if (length == 1)
		return true;
	if (origin == 0)
		return gs_put_floor(t, *value, length, value);
	return gs_put_with(t, GS_CODE_SUBTRACT, *value, origin, value) &&
		gs_put_floor(t, *value, length, value) &&
		gs_put_with(t, GS_CODE_ADD, *value, origin, value);
}

static bool
truncate_local(gs_translation *t, int unit, gs_operand *value)
{
	int64		origin;
	int64		length = unit_length(unit, &origin);
	int			first;
	int			months;
	gs_operand	day;
	gs_operand	rest;

	if (length > 0)
		return put_truncated(t, value, length, origin);
	months = unit_months(unit, &first);
	return gs_put_day(t, *value, &day, &rest) &&
		gs_put_unary(t, GS_CODE_MONTH, day, value) &&
		put_truncated(t, value, months, first) &&
		gs_put_unary(t, GS_CODE_MONTH_START, *value, value) &&
		gs_put_timestamp(t, *value, value);
}

/*
 * With a time zone: days and longer units begin by local time.  Shorter ones keep
 * what UTC and local time are apart.
 */
static bool
truncate_in_zone(gs_translation *t, const gs_zone *zone, int unit,
				 gs_time *time)
{
	gs_operand	offset;
	int64		origin;
	int64		length = unit_length(unit, &origin);

	if (zone == NULL)
		return false;
	if (length == 0 || length >= USECS_PER_DAY || zone->n == 0)
		return gs_put_local(t, zone, time) &&
			truncate_local(t, unit, &time->value) &&
			gs_put_utc(t, zone, time);
	return gs_put_offset(t, zone, zone->utc, time, &offset) &&
		gs_put_binary(t, GS_CODE_ADD, time->value, offset, &time->value) &&
		truncate_local(t, unit, &time->value) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, time->value, offset, &time->value);
}

bool
gs_truncate_time(gs_translation *t, List *args, gs_time *time)
{
	char	   *name = gs_unit_name(t, linitial(args));
	int64		origin;
	int			first;
	int			unit;

	if (name == NULL || DecodeUnits(0, name, &unit) != UNITS ||
		(unit_length(unit, &origin) == 0 && unit_months(unit, &first) == 0))
		return gs_untranslated(t, "a unit of time is not known");
	if (!gs_put_time(t, lsecond(args), time) || !gs_put_usual_limits(t, time))
		return false;
	if (time->type != TIMESTAMPTZOID)
		return truncate_local(t, unit, &time->value);
	return truncate_in_zone(t, list_length(args) == 3 ?
							gs_named_zone(t, lthird(args)) :
							gs_session_zone(t), unit, time);
}

/* ----------
 * date_bin
 * ----------
 */

/* Before 14.11, 15.6 and 16.2 a multiple before the origin was taken for the one below. */
static bool
bins_are_right(Oid function)
{
	const Interval day = {.day = 1};
	Timestamp	at = -USECS_PER_DAY;

	return DatumGetTimestamp(OidFunctionCall3(function, IntervalPGetDatum(&day),
											  TimestampGetDatum(at),
											  TimestampGetDatum(0))) == at;
}

bool
gs_bin_time(gs_translation *t, Oid function, List *args, gs_time *time)
{
	Expr	   *third = lthird(args);
	Interval	stride;
	int64		length;
	Timestamp	origin;
	bool		isnull;

	if (!gs_known_interval(t, linitial(args), &stride))
		return false;
	length = stride.day * USECS_PER_DAY + stride.time;
	if (stride.month != 0 || length <= 0 || length > GS_MOST_TIME)
		return gs_untranslated(t, "a stride is not above 0, or has months");
	if (!gs_has_no_column(third) || !gs_is_known(t, third))
		return gs_untranslated(t, "the origin is not a constant");
	origin = DatumGetTimestamp(gs_evaluate(t, third, &isnull));
	if (isnull || origin < GS_FIRST_TIME || origin > GS_LAST_TIME)
		return gs_untranslated(t, "the origin is too far away");
	if (!bins_are_right(function))
		return gs_untranslated(t, "this server's date_bin() is not the newest");
	if (!gs_put_time(t, lsecond(args), time) || !gs_put_usual_limits(t, time) ||
		!put_truncated(t, &time->value, length, origin))
		return false;
	gs_widen_limits(time, length);
	return gs_put_usual_limits(t, time);
}
