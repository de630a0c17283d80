/*-------------------------------------------------------------------------
 *
 * translate_extract.c
 *	  extract() and date_part(), of a field of a time.
 *
 * extract() gives a numeric (since PostgreSQL 14), of a scale that the field
 * decides; date_part() gives a double, and computes it as here.  Of an infinite
 * time, fields that come back again and again are NULL, and others infinite, which
 * no numeric here can be: an error of the plan.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/datetime.h"
#include "utils/float.h"
#include "utils/timestamp.h"

#include "report/translate/translate_times.h"

#define EPOCH_DAYS		(POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE)
#define EPOCH_TIME		(EPOCH_DAYS * USECS_PER_DAY)

/* A field, and what it is taken of. */
typedef struct extraction
{
	int			field;			/* DTK_... */
	bool		is_numeric;		/* else a double */
	gs_time		time;
} extraction;

/* ----------
 * Fields of a day
 * ----------
 */

/* The first of so many months, of which one begins with January 2000 */
static bool
put_first_month(gs_translation *t, gs_operand day, int months, gs_operand *r)
{
	return gs_put_unary(t, GS_CODE_MONTH, day, r) &&
		gs_put_floor(t, *r, months, r);
}

/* How many days the day is behind the first of its month, or of its year. */
static bool
put_days_behind(gs_translation *t, gs_operand day, int months, gs_operand *r)
{
	return put_first_month(t, day, months, r) &&
		gs_put_unary(t, GS_CODE_MONTH_START, *r, r) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, day, *r, r);
}

/* The year, where the one before 1 is 0. */
static bool
put_year(gs_translation *t, gs_operand day, gs_operand *r)
{
	return gs_put_unary(t, GS_CODE_MONTH, day, r) &&
		gs_put_with(t, GS_CODE_FLOOR_DIVIDE, *r, MONTHS_PER_YEAR, r) &&
		gs_put_with(t, GS_CODE_ADD, *r, 2000, r);
}

/* a + 1 where a is at least `least`, else a */
static bool
put_step(gs_translation *t, gs_operand a, int least, int step, gs_operand *r)
{
	gs_operand	more;
	gs_operand	above;

	return gs_put_with(t, GS_CODE_ADD, a, step, &more) &&
		gs_put_with(t, GS_CODE_GE, a, least, &above) &&
		(step > 0 ? gs_put_choose(t, above, more, a, r) :
		 gs_put_choose(t, above, a, more, r));
}

/* Centuries and millennia: 1 begins with the year 1, and there is no 0. */
static bool
put_years(gs_translation *t, gs_operand day, int years, gs_operand *r)
{
	return put_year(t, day, r) &&
		gs_put_with(t, GS_CODE_SUBTRACT, *r, 1, r) &&
		gs_put_with(t, GS_CODE_FLOOR_DIVIDE, *r, years, r) &&
		put_step(t, *r, 0, 1, r);
}

/* 0 on Mondays, to 6 */
static bool
put_weekday(gs_translation *t, gs_operand day, gs_operand *r)
{
	/* January 3, 2000, was one */
	return gs_put_with(t, GS_CODE_SUBTRACT, day, 2, r) &&
		gs_put_remainder(t, *r, 7, r);
}

/* A week is in the year in which its Thursday is. */
static bool
put_thursday(gs_translation *t, gs_operand day, gs_operand *r)
{
	return put_weekday(t, day, r) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, day, *r, r) &&
		gs_put_with(t, GS_CODE_ADD, *r, 3, r);
}

/* A field of a day, an int4. */
static bool
put_day_field(gs_translation *t, int field, gs_operand day, gs_operand *r)
{
	switch (field)
	{
		case DTK_DAY:
			return put_days_behind(t, day, 1, r) &&
				gs_put_with(t, GS_CODE_ADD, *r, 1, r);
		case DTK_DOY:
			return put_days_behind(t, day, MONTHS_PER_YEAR, r) &&
				gs_put_with(t, GS_CODE_ADD, *r, 1, r);
		case DTK_DOW:
			return gs_put_with(t, GS_CODE_SUBTRACT, day, 1, r) &&
				gs_put_remainder(t, *r, 7, r);
		case DTK_ISODOW:
			return put_weekday(t, day, r) &&
				gs_put_with(t, GS_CODE_ADD, *r, 1, r);
		case DTK_WEEK:
			return put_thursday(t, day, &day) &&
				put_days_behind(t, day, MONTHS_PER_YEAR, r) &&
				gs_put_with(t, GS_CODE_FLOOR_DIVIDE, *r, 7, r) &&
				gs_put_with(t, GS_CODE_ADD, *r, 1, r);
		case DTK_MONTH:
			return gs_put_unary(t, GS_CODE_MONTH, day, r) &&
				gs_put_remainder(t, *r, MONTHS_PER_YEAR, r) &&
				gs_put_with(t, GS_CODE_ADD, *r, 1, r);
		case DTK_QUARTER:
			return gs_put_unary(t, GS_CODE_MONTH, day, r) &&
				gs_put_remainder(t, *r, MONTHS_PER_YEAR, r) &&
				gs_put_with(t, GS_CODE_FLOOR_DIVIDE, *r, 3, r) &&
				gs_put_with(t, GS_CODE_ADD, *r, 1, r);
		case DTK_YEAR:
			return put_year(t, day, r) && put_step(t, *r, 1, -1, r);
		case DTK_ISOYEAR:
			return put_thursday(t, day, &day) && put_year(t, day, r) &&
				put_step(t, *r, 1, -1, r);
		case DTK_DECADE:
			return put_year(t, day, r) &&
				gs_put_with(t, GS_CODE_FLOOR_DIVIDE, *r, 10, r);
		case DTK_CENTURY:
			return put_years(t, day, 100, r);
		case DTK_MILLENNIUM:
			return put_years(t, day, 1000, r);
		case DTK_JULIAN:
			return gs_put_with(t, GS_CODE_ADD, day, POSTGRES_EPOCH_JDATE, r);
		default:
			return false;
	}
}

/* ----------
 * Fields of a time of day
 * ----------
 */

/* Microseconds, or a number of them, as a result of this scale */
static bool
put_result(gs_translation *t, const extraction *e, gs_operand a, int scale,
		   gs_operand *r)
{
	gs_constant zero;
	gs_operand	none;

	memset(&zero, 0, sizeof zero);
	zero.type = GS_INT8;
	if (!e->is_numeric)
		return gs_put_cast(t, GS_FLOAT8, a, r);
	if (!gs_put_cast(t, GS_INT8, a, r))
		return false;

	/* a sum has the scale of its first addend */
	return scale == 0 ||
		(gs_put_scaled(t, zero, scale, NULL, &none) &&
		 gs_put_binary(t, GS_CODE_ADD, none, *r, r));
}

/* As a double: whole / divisor + rest / divisor, or the like. */
static bool
put_quotient(gs_translation *t, gs_operand a, int64 divisor, gs_operand *r)
{
	return gs_put_cast(t, GS_FLOAT8, a, r) &&
		gs_put_with(t, GS_CODE_DIVIDE, *r, divisor, r);
}

/* Seconds times `factor`, and what is left of a second, divided. */
static bool
put_float_seconds(gs_translation *t, gs_operand microseconds, int64 factor,
				  gs_operand *r)
{
	gs_operand	seconds;
	gs_operand	rest;

	return gs_put_with(t, GS_CODE_DIVIDE, microseconds, USECS_PER_SEC,
					   &seconds) &&
		gs_put_with(t, GS_CODE_MODULO, microseconds, USECS_PER_SEC, &rest) &&
		put_quotient(t, rest, USECS_PER_SEC / factor, &rest) &&
		gs_put_cast(t, GS_FLOAT8, seconds, &seconds) &&
		gs_put_with(t, GS_CODE_MULTIPLY, seconds, factor, &seconds) &&
		gs_put_binary(t, GS_CODE_ADD, seconds, rest, r);
}

static bool
is_clock_field(int field)
{
	switch (field)
	{
		case DTK_HOUR:
		case DTK_MINUTE:
		case DTK_SECOND:
		case DTK_MILLISEC:
		case DTK_MICROSEC:
			return true;
		default:
			return false;
	}
}

/* Of the microseconds since a minute began: its seconds, or parts of them */
static bool
put_second_field(gs_translation *t, const extraction *e, gs_operand a,
				 gs_operand *r)
{
	if (e->field == DTK_MICROSEC)
		return put_result(t, e, a, 0, r);
	if (e->is_numeric)
		return put_result(t, e, a, e->field == DTK_SECOND ? 6 : 3, r);
	return put_float_seconds(t, a, e->field == DTK_SECOND ? 1 : 1000, r);
}

static bool
put_clock_field(gs_translation *t, const extraction *e, gs_operand *r)
{
	gs_operand	a = e->time.value;

	switch (e->field)
	{
		case DTK_HOUR:
			return (e->time.type == TIMEOID ||
					gs_put_remainder(t, a, USECS_PER_DAY, &a)) &&
				gs_put_with(t, GS_CODE_FLOOR_DIVIDE, a, USECS_PER_HOUR, &a) &&
				put_result(t, e, a, 0, r);
		case DTK_MINUTE:
			return gs_put_remainder(t, a, USECS_PER_HOUR, &a) &&
				gs_put_with(t, GS_CODE_FLOOR_DIVIDE, a, USECS_PER_MINUTE, &a) &&
				put_result(t, e, a, 0, r);
		default:
			return gs_put_remainder(t, a, USECS_PER_MINUTE, &a) &&
				put_second_field(t, e, a, r);
	}
}

/* ----------
 * Other fields
 * ----------
 */

static bool
put_epoch(gs_translation *t, const extraction *e, gs_operand *r)
{
	gs_operand	a = e->time.value;

	if (e->time.type == DATEOID)
		return gs_put_with(t, GS_CODE_ADD, a, EPOCH_DAYS, &a) &&
			gs_put_cast(t, GS_INT8, a, &a) &&
			gs_put_with(t, GS_CODE_MULTIPLY, a, SECS_PER_DAY, &a) &&
			put_result(t, e, a, 0, r);
	if (e->time.type != TIMEOID &&
		!gs_put_with(t, GS_CODE_ADD, a, EPOCH_TIME, &a))
		return false;
	return e->is_numeric ? put_result(t, e, a, 6, r) :
		put_quotient(t, a, USECS_PER_SEC, r);
}

/* What the session's zone adds to UTC: seconds, hours, or the minutes beside them */
static bool
put_offset_field(gs_translation *t, extraction *e, gs_operand *r)
{
	const gs_zone *zone = gs_session_zone(t);
	gs_operand	zero;

	if (zone == NULL || !gs_put_offset(t, zone, zone->utc, &e->time, r))
		return false;

	/* also if it is constant, it is NULL where the time is */
	if (!gs_put_with(t, GS_CODE_MULTIPLY, e->time.value, 0, &zero) ||
		!gs_put_binary(t, GS_CODE_ADD, zero, *r, r) ||
		!gs_put_with(t, GS_CODE_DIVIDE, *r,
					 e->field == DTK_TZ_HOUR ? USECS_PER_HOUR :
					 e->field == DTK_TZ_MINUTE ? USECS_PER_MINUTE :
					 USECS_PER_SEC, r))
		return false;
	return (e->field != DTK_TZ_MINUTE ||
			gs_put_with(t, GS_CODE_MODULO, *r, MINS_PER_HOUR, r)) &&
		put_result(t, e, *r, 0, r);
}

/* The Julian day as a double, with what has passed of it. */
static bool
put_julian(gs_translation *t, const extraction *e, gs_operand day,
		   gs_operand *r)
{
	gs_operand	time_of_day;

	return gs_put_remainder(t, e->time.value, USECS_PER_DAY, &time_of_day) &&
		put_float_seconds(t, time_of_day, 1, &time_of_day) &&
		gs_put_with(t, GS_CODE_DIVIDE, time_of_day, SECS_PER_DAY,
					&time_of_day) &&
		put_day_field(t, DTK_JULIAN, day, &day) &&
		gs_put_cast(t, GS_FLOAT8, day, &day) &&
		gs_put_binary(t, GS_CODE_ADD, day, time_of_day, r);
}

/* Of a finite time.  PostgreSQL raises an error for fields that a type lacks. */
static bool
put_field(gs_translation *t, extraction *e, gs_operand *r)
{
	const Oid	type = e->time.type;
	gs_time		day;

	if (e->field == DTK_EPOCH)
		return put_epoch(t, e, r);
	if (e->field == DTK_TZ || e->field == DTK_TZ_HOUR ||
		e->field == DTK_TZ_MINUTE)
		return type == TIMESTAMPTZOID && PG_VERSION_NUM >= 140000 &&
			put_offset_field(t, e, r);
	if (type == TIMESTAMPTZOID && !gs_convert_time(t, &e->time, TIMESTAMPOID))
		return false;
	if (is_clock_field(e->field))
		return type != DATEOID && put_clock_field(t, e, r);
	if (type == TIMEOID)
		return false;
	day = e->time;
	if (!gs_convert_time(t, &day, DATEOID))
		return false;
	if (e->field == DTK_JULIAN && type != DATEOID)
		return !e->is_numeric && put_julian(t, e, day.value, r);
	return put_day_field(t, e->field, day.value, r) &&
		put_result(t, e, *r, 0, r);
}

/* Does it come back again and again?  Then it is NULL of an infinite time. */
static bool
is_cyclic(int field)
{
	switch (field)
	{
		case DTK_YEAR:
		case DTK_DECADE:
		case DTK_CENTURY:
		case DTK_MILLENNIUM:
		case DTK_JULIAN:
		case DTK_ISOYEAR:
		case DTK_EPOCH:
			return false;
		default:
			return true;
	}
}

/* What an infinite time has in place of the field. */
static bool
put_infinite_field(gs_translation *t, const extraction *e, gs_operand field,
				   gs_operand *r)
{
	gs_operand	infinite;
	gs_value	value[2];

	*r = field;
	if (e->time.source == GS_NOTHING)
		return true;
	if (is_cyclic(e->field) || e->time.type == TIMEOID)
	{
		if (!gs_put_null(t, gs_operand_type(&t->plan, field), &infinite))
			return false;
	}
	else if (e->is_numeric)
		return true;
	else
	{
		memset(value, 0, sizeof value);
		value[0].f8 = -get_float8_infinity();
		value[1].f8 = get_float8_infinity();
		if (!gs_put_by_sign(t, &e->time, GS_FLOAT8, value[1], value[0],
							&infinite))
			return false;
	}
	return gs_put_by_source(t, &e->time, infinite, field, r);
}

/* ----------
 * Of the interval between two timestamps, which has days and what is left
 * ----------
 */

/* The whole units that are left of a longer unit. */
static bool
put_units(gs_translation *t, const extraction *e, gs_operand a, int64 longer,
		  int64 unit, gs_operand *r)
{
	return gs_put_with(t, GS_CODE_MODULO, a, longer, r) &&
		gs_put_with(t, GS_CODE_DIVIDE, *r, unit, r) &&
		put_result(t, e, *r, 0, r);
}

/* As a double: that of what is left, plus that of the days */
static bool
put_float_length(gs_translation *t, gs_operand a, gs_operand *r)
{
	gs_operand	days;

	return gs_put_with(t, GS_CODE_MODULO, a, USECS_PER_DAY, r) &&
		put_quotient(t, *r, USECS_PER_SEC, r) &&
		gs_put_with(t, GS_CODE_DIVIDE, a, USECS_PER_DAY, &days) &&
		gs_put_cast(t, GS_FLOAT8, days, &days) &&
		gs_put_with(t, GS_CODE_MULTIPLY, days, SECS_PER_DAY, &days) &&
		gs_put_binary(t, GS_CODE_ADD, *r, days, r);
}

static bool
put_interval_field(gs_translation *t, const extraction *e, gs_operand a,
				   gs_operand *r)
{
	switch (e->field)
	{
		case DTK_EPOCH:
			return e->is_numeric ? put_result(t, e, a, 6, r) :
				put_float_length(t, a, r);
		case DTK_DAY:
			return gs_put_with(t, GS_CODE_DIVIDE, a, USECS_PER_DAY, r) &&
				put_result(t, e, *r, 0, r);
		case DTK_HOUR:
			return put_units(t, e, a, USECS_PER_DAY, USECS_PER_HOUR, r);
		case DTK_MINUTE:
			return put_units(t, e, a, USECS_PER_HOUR, USECS_PER_MINUTE, r);
		case DTK_SECOND:
		case DTK_MILLISEC:
		case DTK_MICROSEC:
			return gs_put_with(t, GS_CODE_MODULO, a, USECS_PER_MINUTE, r) &&
				put_second_field(t, e, *r, r);
		default:
			return false;
	}
}

/* All of it has one sign, but for its length, which counts years of 365.25 days. */
static bool
put_age_field(gs_translation *t, const extraction *e, const List *args,
			  gs_operand *r)
{
	gs_operand	months;
	gs_operand	rest;

	if (!gs_put_age(t, args, &months, &rest))
		return false;
	switch (e->field)
	{
		case DTK_YEAR:
			return gs_put_with(t, GS_CODE_DIVIDE, months, MONTHS_PER_YEAR, r) &&
				put_result(t, e, *r, 0, r);
		case DTK_MONTH:
			return gs_put_with(t, GS_CODE_MODULO, months, MONTHS_PER_YEAR, r) &&
				put_result(t, e, *r, 0, r);
		case DTK_EPOCH:
			return gs_untranslated(t, "the length of an age is not supported");
		default:
			return put_interval_field(t, e, rest, r);
	}
}

/* ----------
 * All of it
 * ----------
 */

typedef enum extract_kind
{
	NONE,
	NUMERIC_FIELD,
	FLOAT_FIELD,
	NUMERIC_INTERVAL,
	FLOAT_INTERVAL
} extract_kind;

static extract_kind
kind_of(Oid function)
{
	switch (function)
	{
		case 6199:				/* extract(text, date) */
		case 6200:				/* extract(text, time) */
		case 6202:				/* extract(text, timestamp) */
		case 6203:				/* extract(text, timestamptz) */
			return NUMERIC_FIELD;
		case 1171:				/* date_part(text, timestamptz) */
		case 1385:				/* date_part(text, time) */
		case 2021:				/* date_part(text, timestamp) */
			return FLOAT_FIELD;
		case 6204:				/* extract(text, interval) */
			return NUMERIC_INTERVAL;
		case 1172:				/* date_part(text, interval) */
			return FLOAT_INTERVAL;
		default:
			return NONE;
	}
}

bool
gs_is_extract(Oid function)
{
	return kind_of(function) != NONE;
}

static bool
find_field(gs_translation *t, Expr *expression, int *field)
{
	char	   *name = gs_unit_name(t, expression);
	int			type;

	if (name == NULL)
		return gs_untranslated(t, "a field of a time is not known");
	type = DecodeUnits(0, name, field);
	if (type == UNKNOWN_FIELD)
		type = DecodeSpecial(0, name, field);
	return type == UNITS || (type == RESERV && *field == DTK_EPOCH) ||
		gs_untranslated(t, "a field of a time is not known");
}

bool
gs_translate_extract(gs_translation *t, Oid function, List *args,
					 gs_operand *r)
{
	extract_kind kind = kind_of(function);
	extraction	e;

	if (kind == NONE || gs_has_no_column((Expr *) args))
		return false;
	e.is_numeric = kind == NUMERIC_FIELD || kind == NUMERIC_INTERVAL;
	if (!find_field(t, linitial(args), &e.field))
		return false;
	if ((kind == NUMERIC_INTERVAL || kind == FLOAT_INTERVAL) &&
		gs_age_of(t, lsecond(args)) != NULL)
		return put_age_field(t, &e, gs_age_of(t, lsecond(args)), r);
	if (kind == NUMERIC_INTERVAL || kind == FLOAT_INTERVAL)
		return gs_translate(t, lsecond(args), r) &&
			put_interval_field(t, &e, *r, r);
	return gs_put_time(t, lsecond(args), &e.time) &&
		gs_put_usual_limits(t, &e.time) &&
		put_field(t, &e, r) && put_infinite_field(t, &e, *r, r);
}
