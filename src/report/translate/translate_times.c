/*-------------------------------------------------------------------------
 *
 * translate_times.c
 *	  Functions whose result is a date, a timestamp or a time of day.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "parser/scansup.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/float.h"
#include "utils/timestamp.h"

#include "report/translate/translate_times.h"

typedef enum time_kind
{
	TO_DATE,					/* casts */
	TO_TIMESTAMP,
	TO_TIMESTAMPTZ,
	TO_TIME,
	AT_TIME_ZONE,				/* zone, time */
	TRUNCATE,					/* unit, time; and in which zone, or none */
	BIN,						/* stride, time, origin */
	PLUS_INTERVAL,				/* time, interval */
	MINUS_INTERVAL,
	ROUND,						/* time, decimal places of its seconds */
	PLUS_DAYS,					/* date, integer */
	MINUS_DAYS,
	PLUS_TIME,					/* date, time */
	MAKE_DATE,					/* year, month, day */
	OF_EPOCH					/* seconds since 1970 */
} time_kind;

typedef struct time_function
{
	Oid			oid;
	time_kind	kind;
} time_function;

static const time_function functions[] = {
	{1178, TO_DATE},			/* of timestamptz */
	{2029, TO_DATE},			/* of timestamp */
	{2024, TO_TIMESTAMP},		/* of date */
	{2027, TO_TIMESTAMP},		/* of timestamptz */
	{1174, TO_TIMESTAMPTZ},		/* of date */
	{2028, TO_TIMESTAMPTZ},		/* of timestamp */
	{1316, TO_TIME},			/* of timestamp */
	{2019, TO_TIME},			/* of timestamptz */
	{1026, AT_TIME_ZONE},		/* timezone(interval, timestamptz) */
	{1159, AT_TIME_ZONE},		/* timezone(text, timestamptz) */
	{2069, AT_TIME_ZONE},		/* timezone(text, timestamp) */
	{2070, AT_TIME_ZONE},		/* timezone(interval, timestamp) */
	{1217, TRUNCATE},			/* of timestamptz */
	{1284, TRUNCATE},			/* of timestamptz, in a zone */
	{2020, TRUNCATE},			/* of timestamp */
	{6177, BIN},				/* of timestamp */
	{6178, BIN},				/* of timestamptz */
	{1961, ROUND},				/* timestamp(n) */
	{1967, ROUND},				/* timestamptz(n) */
	{1968, ROUND},				/* time(n) */
	{1189, PLUS_INTERVAL},		/* to timestamptz */
	{1747, PLUS_INTERVAL},		/* to time */
	{2032, PLUS_INTERVAL},		/* to timestamp */
	{2071, PLUS_INTERVAL},		/* to date */
	{1190, MINUS_INTERVAL},
	{1748, MINUS_INTERVAL},
	{2033, MINUS_INTERVAL},
	{2072, MINUS_INTERVAL},
	{1141, PLUS_DAYS},
	{1142, MINUS_DAYS},
	{1272, PLUS_TIME},			/* date + time */
	{2025, PLUS_TIME},			/* timestamp(date, time) */
	{3846, MAKE_DATE},
	{1158, OF_EPOCH}
};

/* Intervals that are added or that times are cut into are not longer. */
#define MOST_MONTHS		(1000 * MONTHS_PER_YEAR)
#define MOST_DAYS		(1000 * 366)
#define MOST_TIME		(MOST_DAYS * USECS_PER_DAY)

#define FIRST_YEAR		(-3000)
#define LAST_YEAR		290000

static const time_function *
find_function(Oid oid)
{
	for (int i = 0; i < (int) lengthof(functions); i++)
	{
		if (functions[i].oid == oid)
			return &functions[i];
	}
	return NULL;
}

/* ----------
 * Instructions
 * ----------
 */

bool
gs_put_with(gs_translation *t, gs_code code, gs_operand a, int64 b,
			gs_operand *r)
{
	gs_operand	constant;

	return gs_put_number(t, gs_operand_type(&t->plan, a), b, &constant) &&
		gs_put_binary(t, code, a, constant, r);
}

bool
gs_put_floor(gs_translation *t, gs_operand a, int64 b, gs_operand *r)
{
	return gs_put_with(t, GS_CODE_FLOOR_DIVIDE, a, b, r) &&
		gs_put_with(t, GS_CODE_MULTIPLY, *r, b, r);
}

bool
gs_put_remainder(gs_translation *t, gs_operand a, int64 b, gs_operand *r)
{
	return gs_put_floor(t, a, b, r) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, a, *r, r);
}

static bool
put_check(gs_translation *t, gs_operand a, gs_operand first, gs_operand last,
		  gs_operand *r)
{
	const gs_instruction in = {
		.code = GS_CODE_CHECK,
		.type = gs_operand_type(&t->plan, a),
		.a = a,
		.b = first,
		.c = last
	};

	return gs_put(t, in, r);
}

static bool
put_bounds(gs_translation *t, gs_operand a, int64 first, int64 last,
		   gs_operand *r)
{
	gs_type		type = gs_operand_type(&t->plan, a);
	gs_operand	b;
	gs_operand	c;

	return gs_put_number(t, type, first, &b) && gs_put_number(t, type, last, &c) &&
		put_check(t, a, b, c, r);
}

bool
gs_put_limits(gs_translation *t, gs_time *time, int64 first, int64 last)
{
	int64		unit = time->type == DATEOID ? USECS_PER_DAY : 1;

	time->first = first;
	time->last = last;
	return put_bounds(t, time->value, first / unit, last / unit, &time->value);
}

bool
gs_put_usual_limits(gs_translation *t, gs_time *time)
{
	if (time->type == TIMEOID ||
		(time->first >= GS_FIRST_TIME - GS_SLACK &&
		 time->last <= GS_LAST_TIME + GS_SLACK))
		return true;
	return gs_put_limits(t, time, GS_FIRST_TIME, GS_LAST_TIME);
}

/* What has limits is moved by so much at most. */
static void
widen(gs_time *time, int64 by)
{
	time->first -= by;
	time->last += by;
}

/* ----------
 * Infinite sources
 * ----------
 */

/* The two infinities of a type; false: it has none. */
static bool
infinities(Oid type, gs_value *value)
{
	memset(value, 0, 2 * sizeof(gs_value));
	switch (type)
	{
		case DATEOID:
			value[0].i4 = DATEVAL_NOBEGIN;
			value[1].i4 = DATEVAL_NOEND;
			return true;
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			value[0].i8 = DT_NOBEGIN;
			value[1].i8 = DT_NOEND;
			return true;
		case FLOAT8OID:
			value[0].f8 = -get_float8_infinity();
			value[1].f8 = get_float8_infinity();
			return true;
		default:
			return false;
	}
}

bool
gs_put_is_infinite(gs_translation *t, const gs_time *time, gs_operand *r)
{
	gs_instruction in = {
		.code = GS_CODE_IN,
		.type = gs_operand_type(&t->plan, time->source),
		.a = time->source
	};
	gs_value	value[2];

	infinities(time->source_type, value);
	return gs_put_listed(t, in, value, lengthof(value), r);
}

bool
gs_put_by_sign(gs_translation *t, const gs_time *time, gs_type type,
			   gs_value b, gs_value c, gs_operand *r)
{
	gs_constant constant;
	gs_operand	positive;
	gs_operand	negative;

	memset(&constant, 0, sizeof constant);
	constant.type = type;
	constant.value = b;
	if (!gs_put_constant(t, constant, NULL, &positive))
		return false;
	constant.value = c;
	return gs_put_constant(t, constant, NULL, &negative) &&
		gs_put_with(t, GS_CODE_GT, time->source, 0, r) &&
		gs_put_choose(t, *r, positive, negative, r);
}

/* A time of day is NULL where the source is infinite. */
static bool
put_infinity(gs_translation *t, const gs_time *time, gs_operand *r)
{
	gs_type		type = gs_operand_type(&t->plan, time->value);
	gs_value	from[2];
	gs_value	to[2];

	if (!infinities(time->type, to))
		return gs_put_null(t, type, r);
	infinities(time->source_type, from);
	*r = time->source;
	return memcmp(from, to, sizeof to) == 0 ||
		gs_put_by_sign(t, time, type, to[1], to[0], r);
}

bool
gs_put_by_source(gs_translation *t, const gs_time *time, gs_operand infinite,
				 gs_operand finite, gs_operand *r)
{
	gs_operand	is_infinite;
	gs_operand	null;

	return gs_put_is_infinite(t, time, &is_infinite) &&
		(time->missing == GS_NOTHING ||
		 (gs_put_null(t, gs_operand_type(&t->plan, infinite), &null) &&
		  gs_put_choose(t, time->missing, null, infinite, &infinite))) &&
		gs_put_choice(t, is_infinite, infinite, finite, r);
}

bool
gs_put_finished(gs_translation *t, const gs_time *time, gs_operand *r)
{
	gs_operand	infinity;

	*r = time->value;
	if (time->source == GS_NOTHING || time->source == time->value)
		return true;
	return put_infinity(t, time, &infinity) &&
		gs_put_by_source(t, time, infinity, time->value, r);
}

/* ----------
 * Days and months
 * ----------
 */

/* A timestamp's day, and microseconds since it began. */
static bool
put_day(gs_translation *t, gs_operand timestamp, gs_operand *day,
		gs_operand *rest)
{
	return gs_put_floor(t, timestamp, USECS_PER_DAY, rest) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, timestamp, *rest, rest) &&
		gs_put_with(t, GS_CODE_FLOOR_DIVIDE, timestamp, USECS_PER_DAY, day) &&
		gs_put_cast(t, GS_INT4, *day, day);
}

static bool
put_timestamp(gs_translation *t, gs_operand day, gs_operand *r)
{
	return gs_put_cast(t, GS_INT8, day, r) &&
		gs_put_with(t, GS_CODE_MULTIPLY, *r, USECS_PER_DAY, r);
}

/* From UTC to the session's local time, and back. */
static bool
put_local(gs_translation *t, gs_time *time)
{
	const gs_zone *zone = gs_session_zone(t);

	return zone != NULL && gs_put_local(t, zone, time);
}

static bool
put_utc(gs_translation *t, gs_time *time)
{
	const gs_zone *zone = gs_session_zone(t);

	return zone != NULL && gs_put_utc(t, zone, time);
}

bool
gs_convert_time(gs_translation *t, gs_time *time, Oid type)
{
	if (time->type == type)
		return true;
	if (time->type == DATEOID)
	{
		if (!gs_put_usual_limits(t, time) ||
			!put_timestamp(t, time->value, &time->value))
			return false;
		time->type = TIMESTAMPOID;
	}
	if (type == TIMESTAMPTZOID)
		return put_utc(t, time) && gs_put_usual_limits(t, time);
	if ((time->type == TIMESTAMPTZOID && !put_local(t, time)) ||
		!gs_put_usual_limits(t, time))
		return false;
	time->type = type;
	switch (type)
	{
		case DATEOID:
			return gs_put_with(t, GS_CODE_FLOOR_DIVIDE, time->value,
							   USECS_PER_DAY, &time->value) &&
				gs_put_cast(t, GS_INT4, time->value, &time->value);
		case TIMEOID:
			return gs_put_remainder(t, time->value, USECS_PER_DAY,
									&time->value);
		default:
			return true;
	}
}

/* AT TIME ZONE, from or to a local time. */
static bool
change_zone(gs_translation *t, List *args, gs_time *time)
{
	const gs_zone *zone = gs_named_zone(t, linitial(args));

	if (zone == NULL || !gs_put_time(t, lsecond(args), time) ||
		!gs_put_usual_limits(t, time))
		return false;
	return time->type == TIMESTAMPTZOID ? gs_put_local(t, zone, time) :
		gs_put_utc(t, zone, time);
}

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
	return put_day(t, *value, &day, &rest) &&
		gs_put_unary(t, GS_CODE_MONTH, day, value) &&
		put_truncated(t, value, months, first) &&
		gs_put_unary(t, GS_CODE_MONTH_START, *value, value) &&
		put_timestamp(t, *value, value);
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

static bool
truncate_time(gs_translation *t, List *args, gs_time *time)
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

/* An interval without a column; false without a reason if it is not known. */
static bool
known_interval(gs_translation *t, Expr *expression, Interval *interval)
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
		Abs((int64) interval->day) > MOST_DAYS ||
		interval->time > MOST_TIME || interval->time < -MOST_TIME)
		return gs_untranslated(t, "an interval is longer than a thousand years");
	return true;
}

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

static bool
bin_time(gs_translation *t, Oid function, List *args, gs_time *time)
{
	Expr	   *third = lthird(args);
	Interval	stride;
	int64		length;
	Timestamp	origin;
	bool		isnull;

	if (!known_interval(t, linitial(args), &stride))
		return false;
	length = stride.day * USECS_PER_DAY + stride.time;
	if (stride.month != 0 || length <= 0 || length > MOST_TIME)
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
	widen(time, length);
	return gs_put_usual_limits(t, time);
}

/* ----------
 * Others
 * ----------
 */

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

	return put_day(t, *value, &day, &rest) &&
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
		put_timestamp(t, day, value) &&
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
		if ((zoned && !put_local(t, time)) ||
			!put_months(t, interval->month, &time->value))
			return false;
		widen(time, Abs(interval->month) * 31 * USECS_PER_DAY);
		if (zoned && !put_utc(t, time))
			return false;
	}
	if (interval->day != 0)
	{
		if ((zoned && !put_local(t, time)) ||
			!put_shift(t, days, &time->value))
			return false;
		widen(time, Abs(days));
		if (zoned && !put_utc(t, time))
			return false;
	}
	widen(time, Abs(interval->time));
	return put_shift(t, interval->time, &time->value) &&
		gs_put_usual_limits(t, time);
}

static bool
add_interval(gs_translation *t, List *args, int sign, gs_time *time)
{
	Interval	interval;

	if (!known_interval(t, lsecond(args), &interval) ||
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

static bool
add_days(gs_translation *t, List *args, gs_code code, gs_time *time)
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

static bool
add_time(gs_translation *t, List *args, gs_time *time)
{
	gs_time		other;
	gs_operand	time_of_day;

	if (!gs_put_time(t, linitial(args), time) ||
		!gs_convert_time(t, time, TIMESTAMPOID))
		return false;
	widen(time, USECS_PER_DAY);
	return gs_put_time(t, lsecond(args), &other) &&
		gs_put_finished(t, &other, &time_of_day) &&
		put_missing(t, time_of_day, time) &&
		gs_put_binary(t, GS_CODE_ADD, time->value, time_of_day,
					  &time->value);
}

/* To so many decimal places of a second; a half away from 2000. */
static bool
round_time(gs_translation *t, List *args, gs_time *time)
{
	Expr	   *second = lsecond(args);
	bool		isnull;
	int			places;
	int64		unit = USECS_PER_SEC;
	gs_operand	is_behind;
	gs_operand	less;

	if (!IsA(second, Const))
		return gs_untranslated(t, "a precision is not a constant");
	places = DatumGetInt32(gs_evaluate(t, second, &isnull));
	if (isnull || places < 0 || places > MAX_TIMESTAMP_PRECISION)
		return gs_untranslated(t, "a precision is not known");
	if (!gs_put_time(t, linitial(args), time) || !gs_put_usual_limits(t, time))
		return false;
	while (places-- > 0)
		unit /= 10;
	if (unit == 1)
		return true;
	return gs_put_with(t, GS_CODE_GE, time->value, 0, &is_behind) &&
		gs_put_with(t, GS_CODE_SUBTRACT, time->value, unit / 2, &less) &&
		gs_put_with(t, GS_CODE_ADD, time->value, unit / 2, &time->value) &&
		gs_put_choose(t, is_behind, time->value, less, &time->value) &&
		gs_put_with(t, GS_CODE_DIVIDE, time->value, unit, &time->value) &&
		gs_put_with(t, GS_CODE_MULTIPLY, time->value, unit, &time->value);
}

/* Years count from 1, or from -1 downwards; here the one before 1 is 0. */
static bool
put_year(gs_translation *t, gs_operand year, gs_operand *r)
{
	gs_operand	before;
	gs_operand	after;

	return put_bounds(t, year, FIRST_YEAR, LAST_YEAR, &before) &&
		gs_put_with(t, GS_CODE_ADD, before, 1, &before) &&
		put_bounds(t, year, 1, LAST_YEAR, &after) &&
		gs_put_with(t, GS_CODE_LT, year, 0, r) &&
		gs_put_choose(t, *r, before, after, r);
}

static bool
date_of_parts(gs_translation *t, List *args, gs_time *time)
{
	gs_operand	year;
	gs_operand	month;
	gs_operand	day;
	gs_operand	start;
	gs_operand	next;
	gs_operand	one;

	time->type = DATEOID;
	time->source = time->missing = GS_NOTHING;
	time->first = GS_FIRST_TIME - 366 * USECS_PER_DAY;
	time->last = GS_LAST_TIME + 366 * USECS_PER_DAY;
	return gs_translate(t, linitial(args), &year) &&
		gs_translate(t, lsecond(args), &month) &&
		gs_translate(t, lthird(args), &day) &&
		put_year(t, year, &year) &&
		gs_put_with(t, GS_CODE_SUBTRACT, year, 2000, &year) &&
		gs_put_with(t, GS_CODE_MULTIPLY, year, MONTHS_PER_YEAR, &year) &&
		put_bounds(t, month, 1, MONTHS_PER_YEAR, &month) &&
		gs_put_binary(t, GS_CODE_ADD, year, month, &next) &&
		gs_put_with(t, GS_CODE_SUBTRACT, next, 1, &start) &&
		gs_put_unary(t, GS_CODE_MONTH_START, start, &start) &&
		gs_put_unary(t, GS_CODE_MONTH_START, next, &next) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, next, start, &next) &&
		gs_put_integer(t, 1, &one) &&
		put_check(t, day, one, next, &day) &&
		gs_put_with(t, GS_CODE_SUBTRACT, day, 1, &day) &&
		gs_put_binary(t, GS_CODE_ADD, start, day, &time->value);
}

/* As to_timestamp() computes it; the cast rounds as rint() does. */
static bool
of_epoch(gs_translation *t, List *args, gs_time *time)
{
	const int64 epoch = (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) *
		(int64) SECS_PER_DAY;

	time->type = TIMESTAMPTZOID;
	time->source_type = FLOAT8OID;
	time->missing = GS_NOTHING;
	time->first = GS_FIRST_TIME;
	time->last = GS_LAST_TIME;
	return gs_translate(t, linitial(args), &time->source) &&
		put_bounds(t, time->source, GS_FIRST_TIME / USECS_PER_SEC + epoch,
				   GS_LAST_TIME / USECS_PER_SEC + epoch, &time->value) &&
		gs_put_with(t, GS_CODE_SUBTRACT, time->value, epoch, &time->value) &&
		gs_put_with(t, GS_CODE_MULTIPLY, time->value, USECS_PER_SEC,
					&time->value) &&
		gs_put_cast(t, GS_INT8, time->value, &time->value);
}

/* ----------
 * All of it
 * ----------
 */

static bool
cast_time(gs_translation *t, List *args, Oid type, gs_time *time)
{
	return gs_put_time(t, linitial(args), time) &&
		gs_convert_time(t, time, type);
}

static bool
put_function(gs_translation *t, const time_function *function, List *args,
			 gs_time *time)
{
	switch (function->kind)
	{
		case TO_DATE:
			return cast_time(t, args, DATEOID, time);
		case TO_TIMESTAMP:
			return cast_time(t, args, TIMESTAMPOID, time);
		case TO_TIMESTAMPTZ:
			return cast_time(t, args, TIMESTAMPTZOID, time);
		case TO_TIME:
			return cast_time(t, args, TIMEOID, time);
		case AT_TIME_ZONE:
			return change_zone(t, args, time);
		case TRUNCATE:
			return truncate_time(t, args, time);
		case BIN:
			return bin_time(t, function->oid, args, time);
		case PLUS_INTERVAL:
			return add_interval(t, args, 1, time);
		case MINUS_INTERVAL:
			return add_interval(t, args, -1, time);
		case ROUND:
			return round_time(t, args, time);
		case PLUS_DAYS:
			return add_days(t, args, GS_CODE_ADD, time);
		case MINUS_DAYS:
			return add_days(t, args, GS_CODE_SUBTRACT, time);
		case PLUS_TIME:
			return add_time(t, args, time);
		case MAKE_DATE:
			return date_of_parts(t, args, time);
		case OF_EPOCH:
			return of_epoch(t, args, time);
	}
	return false;
}

/* The function and arguments of a call of one of these functions; NULL: it is none. */
static const time_function *
call_of(Expr *expression, List **args)
{
	if (IsA(expression, FuncExpr))
	{
		*args = ((FuncExpr *) expression)->args;
		return find_function(((FuncExpr *) expression)->funcid);
	}
	if (IsA(expression, OpExpr))
	{
		set_opfuncid((OpExpr *) expression);
		*args = ((OpExpr *) expression)->args;
		return find_function(((OpExpr *) expression)->opfuncid);
	}
	return NULL;
}

bool
gs_is_of_times(Expr *expression)
{
	List	   *args;

	return call_of(expression, &args) != NULL ||
		(IsA(expression, FuncExpr) &&
		 gs_is_extract(((FuncExpr *) expression)->funcid));
}

bool
gs_put_time(gs_translation *t, Expr *expression, gs_time *time)
{
	Expr	   *resolved = (Expr *) gs_resolve(t, (Node *) expression);
	List	   *args;
	const time_function *function = call_of(resolved, &args);

	if (gs_is_stack_short(t))
		return false;
	if (function != NULL && !gs_has_no_column(resolved))
		return put_function(t, function, args, time);
	time->type = time->source_type = exprType((Node *) expression);
	time->missing = GS_NOTHING;
	time->first = PG_INT64_MIN;
	time->last = PG_INT64_MAX;
	if (!gs_translate(t, expression, &time->value))
		return false;
	time->source = time->type == TIMEOID ? GS_NOTHING : time->value;
	return true;
}

bool
gs_translate_time(gs_translation *t, Oid oid, List *args, gs_operand *r)
{
	const time_function *function = find_function(oid);
	gs_time		time;

	if (function == NULL || gs_has_no_column((Expr *) args))
		return false;
	return put_function(t, function, args, &time) &&
		gs_put_finished(t, &time, r);
}
