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
#include "utils/date.h"
#include "utils/datetime.h"
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
 * Days and months
 * ----------
 */

/* A timestamp's day, and microseconds since it began. */
bool
gs_put_day(gs_translation *t, gs_operand timestamp, gs_operand *day,
		   gs_operand *rest)
{
	return gs_put_floor(t, timestamp, USECS_PER_DAY, rest) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, timestamp, *rest, rest) &&
		gs_put_with(t, GS_CODE_FLOOR_DIVIDE, timestamp, USECS_PER_DAY, day) &&
		gs_put_cast(t, GS_INT4, *day, day);
}

bool
gs_put_timestamp(gs_translation *t, gs_operand day, gs_operand *r)
{
	return gs_put_cast(t, GS_INT8, day, r) &&
		gs_put_with(t, GS_CODE_MULTIPLY, *r, USECS_PER_DAY, r);
}

/* From UTC to the session's local time, and back. */
bool
gs_put_session_local(gs_translation *t, gs_time *time)
{
	const gs_zone *zone = gs_session_zone(t);

	return zone != NULL && gs_put_local(t, zone, time);
}

bool
gs_put_session_utc(gs_translation *t, gs_time *time)
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
			!gs_put_timestamp(t, time->value, &time->value))
			return false;
		time->type = TIMESTAMPOID;
	}
	if (type == TIMESTAMPTZOID)
		return gs_put_session_utc(t, time) && gs_put_usual_limits(t, time);
	if ((time->type == TIMESTAMPTZOID && !gs_put_session_local(t, time)) ||
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
 * Others
 * ----------
 */

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

	return gs_put_bounds(t, year, FIRST_YEAR, LAST_YEAR, &before) &&
		gs_put_with(t, GS_CODE_ADD, before, 1, &before) &&
		gs_put_bounds(t, year, 1, LAST_YEAR, &after) &&
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
		gs_put_bounds(t, month, 1, MONTHS_PER_YEAR, &month) &&
		gs_put_binary(t, GS_CODE_ADD, year, month, &next) &&
		gs_put_with(t, GS_CODE_SUBTRACT, next, 1, &start) &&
		gs_put_unary(t, GS_CODE_MONTH_START, start, &start) &&
		gs_put_unary(t, GS_CODE_MONTH_START, next, &next) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, next, start, &next) &&
		gs_put_integer(t, 1, &one) &&
		gs_put_between(t, day, one, next, &day) &&
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
		gs_put_bounds(t, time->source, GS_FIRST_TIME / USECS_PER_SEC + epoch,
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
			return gs_truncate_time(t, args, time);
		case BIN:
			return gs_bin_time(t, function->oid, args, time);
		case PLUS_INTERVAL:
			return gs_add_interval(t, args, 1, time);
		case MINUS_INTERVAL:
			return gs_add_interval(t, args, -1, time);
		case ROUND:
			return round_time(t, args, time);
		case PLUS_DAYS:
			return gs_add_days(t, args, GS_CODE_ADD, time);
		case MINUS_DAYS:
			return gs_add_days(t, args, GS_CODE_SUBTRACT, time);
		case PLUS_TIME:
			return gs_add_time(t, args, time);
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
