/*-------------------------------------------------------------------------
 *
 * translate_dates.c
 *	  Comparisons of a date with a timestamp and others, of different types;
 *	  the days between two dates; and whether a time is finite.
 *
 * PostgreSQL turns one of them into the other's type, and so do reports.  But if
 * one is a constant, that is turned into the other side's type, once.
 *
 * A timestamp without a time zone that is compared with a constant that has one
 * is turned into the other type by PostgreSQL, row by row, as local time of the
 * session's zone.  Here the constant becomes the first local time that is not
 * before it.  Where clocks leap ahead, local times that were left out stand for
 * the same times as those behind, so that for so long there is no such bound.
 * (Then the constant is compared as a column would be.)
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "pgtime.h"
#include "utils/date.h"
#include "utils/fmgrprotos.h"
#include "utils/timestamp.h"

#include "report/translate/translate_times.h"

/* None is a value of any column, but all others are on the right side. */
#define NO_DATE				(DATEVAL_NOBEGIN + 1)
#define NO_TIMESTAMP		(DT_NOBEGIN + 1)
#define LAST_TIMESTAMP		(DT_NOEND - 1)

/* From here on, a date is behind all timestamps. */
#define DATES_OF_TIMESTAMPS	(TIMESTAMP_END_JULIAN - POSTGRES_EPOCH_JDATE)
#define FIRST_DATE			(DATETIME_MIN_JULIAN - POSTGRES_EPOCH_JDATE)

/* Days near the ends of a type, where a time zone decides what there is. */
#define DOUBT				3

/* Local time is no further away than this, whatever the zone. */
#define ZONE_SECONDS		(8 * SECS_PER_DAY)

#define UNIX_EPOCH_SECONDS \
	((POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * (int64) SECS_PER_DAY)

/* The functions of a pair of types, from this OID on, compare like these. */
static const Oid first_function[] = {2338, 2351, 2364, 2377, 2520, 2527};
static const gs_code comparisons[] = {
	GS_CODE_LT, GS_CODE_LE, GS_CODE_EQ, GS_CODE_GT, GS_CODE_GE, GS_CODE_NE
};

/* What b, a constant, is for a, of another type: a `code` value. */
typedef struct bound
{
	gs_code		code;
	gs_constant constant;
} bound;

/* 0: it is not such a function. */
static int
find_comparison(Oid function)
{
	for (int i = 0; i < (int) lengthof(first_function); i++)
	{
		Oid			at = function - first_function[i];

		if (function >= first_function[i] && at < lengthof(comparisons))
			return comparisons[at];
	}
	return 0;
}

/* Is the date before (< 0), at or behind the time, as PostgreSQL has it? */
static int
compare_date(DateADT date, Timestamp time, bool zoned)
{
	return DatumGetInt32(DirectFunctionCall2(zoned ? date_cmp_timestamptz :
											 date_cmp_timestamp,
											 DateADTGetDatum(date),
											 TimestampGetDatum(time)));
}

/*
 * A bound of dates: the last date that is not behind the time.  In the zone of
 * a session a day may have been left out, and two dates begin at once.
 */
static bool
bound_of_dates(Timestamp time, bool zoned, bound *b)
{
	DateADT		date;
	bool		exact;

	if (TIMESTAMP_NOT_FINITE(time))
	{
		b->constant.value.i4 = TIMESTAMP_IS_NOBEGIN(time) ? DATEVAL_NOBEGIN :
			DATEVAL_NOEND;
		return true;
	}
	date = (DateADT) (time / USECS_PER_DAY);
	while (compare_date(date, time, zoned) <= 0)
		date++;
	while (compare_date(date, time, zoned) > 0)
		date--;
	exact = compare_date(date, time, zoned) == 0;
	if (date < FIRST_DATE + DOUBT)
		return false;
	if (exact && compare_date(date - 1, time, zoned) == 0)
		return false;
	b->constant.value.i4 = date;
	if (exact)
		return true;
	switch (b->code)
	{
		case GS_CODE_LT:
			b->code = GS_CODE_LE;
			break;
		case GS_CODE_GE:
			b->code = GS_CODE_GT;
			break;
		case GS_CODE_EQ:
		case GS_CODE_NE:
			b->constant.value.i4 = NO_DATE;
			break;
		default:
			break;
	}
	return true;
}

static Timestamp
converted(PGFunction function, Datum datum)
{
	return DatumGetTimestamp(DirectFunctionCall1(function, datum));
}

/* A date as a timestamp. */
static bool
timestamp_of_date(DateADT date, bool zoned, gs_value *value)
{
	PGFunction	function = zoned ? date_timestamptz : date_timestamp;

	if (DATE_NOT_FINITE(date))
		value->i8 = DATE_IS_NOBEGIN(date) ? DT_NOBEGIN : DT_NOEND;
	else if (date >= DATES_OF_TIMESTAMPS + DOUBT)
		value->i8 = LAST_TIMESTAMP;
	else if (date > DATES_OF_TIMESTAMPS - DOUBT || date < FIRST_DATE + DOUBT)
		return false;
	else
		value->i8 = converted(function, DateADTGetDatum(date));
	return true;
}

/* A local time as one with a time zone. */
static bool
timestamp_of_local(Timestamp time, gs_value *value)
{
	value->i8 = time;
	if (TIMESTAMP_NOT_FINITE(time))
		return true;
	if (time < MIN_TIMESTAMP + DOUBT * USECS_PER_DAY ||
		time > END_TIMESTAMP - DOUBT * USECS_PER_DAY)
		return false;
	value->i8 = converted(timestamp_timestamptz, TimestampGetDatum(time));
	return true;
}

/* How the session's zone changes near some time; at most once. */
typedef struct zone_change
{
	pg_time_t	at;				/* Unix time */
	long int	before;			/* seconds east of Greenwich */
	long int	after;
} zone_change;

/* False: it changes more often, or is more than a day away. */
static bool
find_change(pg_time_t time, zone_change *c)
{
	const pg_time_t from = time - ZONE_SECONDS;
	zone_change next;
	int			is_dst;
	int			found = pg_next_dst_boundary(&from, &c->before, &is_dst, &c->at,
											 &c->after, &is_dst,
											 session_timezone);

	if (found > 0 && c->at <= time + ZONE_SECONDS)
	{
		found = pg_next_dst_boundary(&c->at, &next.before, &is_dst, &next.at,
									 &next.after, &is_dst, session_timezone);
		if (found > 0 && next.at <= time + ZONE_SECONDS)
			return false;
	}
	else
	{
		/* it does not change */
		c->after = c->before;
		c->at = time;
	}
	return found >= 0 && labs(c->before) < SECS_PER_DAY &&
		labs(c->after) < SECS_PER_DAY;
}

/*
 * The first local time that PostgreSQL takes for one that is not before `time`.
 * Local times before that of the change, as told by clocks behind it, are told
 * by those before it.  False: there are others behind that are before, too.
 */
static bool
first_local(TimestampTz time, Timestamp *local)
{
	pg_time_t	second = time / USECS_PER_SEC - (time % USECS_PER_SEC < 0);
	zone_change c;
	TimestampTz at;
	TimestampTz leap;			/* where local times before the change end */

	if (!find_change(second + UNIX_EPOCH_SECONDS, &c))
		return false;
	at = (c.at - UNIX_EPOCH_SECONDS) * USECS_PER_SEC;
	leap = at + (c.after - c.before) * USECS_PER_SEC;
	if (time > at && time < leap)
		return false;
	if (time <= Min(at, leap))
		*local = time + c.before * USECS_PER_SEC;
	else
		*local = Max(time, at) + c.after * USECS_PER_SEC;
	return true;
}

/* A bound of local times. */
static bool
bound_of_local(TimestampTz time, bound *b)
{
	Timestamp	next;
	int64	   *value = &b->constant.value.i8;

	*value = time;
	if (TIMESTAMP_NOT_FINITE(time))
		return true;
	if (time < MIN_TIMESTAMP + 2 * ZONE_SECONDS * USECS_PER_SEC ||
		time > END_TIMESTAMP - 2 * ZONE_SECONDS * USECS_PER_SEC)
		return false;
	switch (b->code)
	{
		case GS_CODE_LE:
			b->code = GS_CODE_LT;
			return first_local(time + 1, value);
		case GS_CODE_GT:
			b->code = GS_CODE_GE;
			return first_local(time + 1, value);
		case GS_CODE_EQ:
		case GS_CODE_NE:
			if (!first_local(time, value) || !first_local(time + 1, &next))
				return false;

			/* clocks that go back leave times out */
			if (*value == next)
				*value = NO_TIMESTAMP;
			return true;
		default:
			return first_local(time, value);
	}
}

/* The bound for values of type `type` by a value of another. */
static bool
find_bound(Oid type, Oid other, Datum datum, bound *b)
{
	if (type == DATEOID)
		return bound_of_dates(DatumGetTimestamp(datum),
							  other == TIMESTAMPTZOID, b);
	if (other == DATEOID)
		return timestamp_of_date(DatumGetDateADT(datum),
								 type == TIMESTAMPTZOID, &b->constant.value);
	if (type == TIMESTAMPOID)
		return bound_of_local(DatumGetTimestampTz(datum), b);
	return timestamp_of_local(DatumGetTimestamp(datum), &b->constant.value);
}

/* A comparison, row by row, in the type that has more. */
static bool
compare_times(gs_translation *t, gs_code code, Expr *a, Expr *b, gs_operand *r)
{
	gs_time		x;
	gs_time		y;
	gs_operand	first;
	gs_operand	second;
	Oid			type;

	if (!gs_put_time(t, a, &x) || !gs_put_time(t, b, &y))
		return false;
	type = x.type == TIMESTAMPTZOID || y.type == TIMESTAMPTZOID ?
		TIMESTAMPTZOID : TIMESTAMPOID;
	return gs_convert_time(t, &x, type) && gs_convert_time(t, &y, type) &&
		gs_put_finished(t, &x, &first) && gs_put_finished(t, &y, &second) &&
		gs_put_binary(t, code, first, second, r);
}

/* Infinite dates are an error, as in PostgreSQL. */
static bool
put_days_between(gs_translation *t, List *args, gs_operand *r)
{
	gs_time		a;
	gs_time		b;

	return gs_put_time(t, linitial(args), &a) &&
		gs_put_time(t, lsecond(args), &b) &&
		gs_put_usual_limits(t, &a) && gs_put_usual_limits(t, &b) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, a.value, b.value, r);
}

static bool
put_is_finite(gs_translation *t, List *args, gs_operand *r)
{
	gs_time		time;
	gs_operand	value;

	/* of the value, not of its source: it may be NULL or an error */
	if (!gs_put_time(t, linitial(args), &time) ||
		!gs_put_finished(t, &time, &value))
		return false;
	time.source = value;
	time.source_type = time.type;
	return gs_put_is_infinite(t, &time, r) &&
		gs_put_unary(t, GS_CODE_NOT, *r, r);
}

/* A comparison whose second argument has no column. */
static bool
compare_with_constant(gs_translation *t, gs_code code, Expr *a, Expr *b,
					  gs_operand *r)
{
	Oid			type = exprType((Node *) a);
	Oid			other = exprType((Node *) b);
	bool		isnull;
	bound		by;
	Datum		datum;
	gs_operand	value;
	gs_operand	limit;

	memset(&by, 0, sizeof by);
	by.code = code;
	by.constant.type = type == DATEOID ? GS_INT4 : GS_INT8;
	if (!gs_translate(t, a, &value))
		return false;
	if (!gs_is_known(t, b))
		return gs_put_unknown(t, b, by.constant.type, &limit) &&
			gs_put_binary(t, code, value, limit, r);
	datum = gs_evaluate(t, b, &isnull);
	if (!isnull && !find_bound(type, other, datum, &by))
		return compare_times(t, code, a, b, r);
	by.constant.null = isnull;
	return gs_put_constant(t, by.constant, NULL, &limit) &&
		gs_put_binary(t, by.code, value, limit, r);
}

bool
gs_translate_dates(gs_translation *t, Oid function, List *args,
				   gs_operand *r)
{
	const int	code = find_comparison(function);
	Expr	   *a;
	Expr	   *b;

	if (gs_has_no_column((Expr *) args))
		return false;
	switch (function)
	{
		case 1140:				/* date - date */
			return put_days_between(t, args, r);
		case 1373:				/* isfinite(date) */
		case 1389:				/* isfinite(timestamptz) */
		case 2048:				/* isfinite(timestamp) */
			return put_is_finite(t, args, r);
		default:
			break;
	}
	if (code == 0)
		return false;
	a = linitial(args);
	b = lsecond(args);
	if (gs_has_no_column(b))
		return compare_with_constant(t, code, a, b, r);
	if (gs_has_no_column(a))
		return compare_with_constant(t, gs_code_exchanged(code), b, a, r);
	return compare_times(t, code, a, b, r);
}
