/*-------------------------------------------------------------------------
 *
 * translate_dates.c
 *	  Comparisons of a date with a timestamp and others, of different types.
 *
 * PostgreSQL turns one of them into the other's type, for which the engine has
 * no instruction.  But if one is a constant, that can be turned into the other
 * side's type once.  Two timestamps of which only the one with a time zone is
 * constant are left: local time that goes back or leaps does not have its
 * order.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/date.h"
#include "utils/fmgrprotos.h"
#include "utils/timestamp.h"

#include "report/translate_parts.h"

/* Neither is a value of any column, but all others are on the right side. */
#define NO_DATE				(DATEVAL_NOBEGIN + 1)
#define LAST_TIMESTAMP		(DT_NOEND - 1)

/* From here on, a date is behind all timestamps. */
#define DATES_OF_TIMESTAMPS	(TIMESTAMP_END_JULIAN - POSTGRES_EPOCH_JDATE)
#define FIRST_DATE			(DATETIME_MIN_JULIAN - POSTGRES_EPOCH_JDATE)

/* Days near the ends of a type, where a time zone decides what there is. */
#define DOUBT				3

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

gs_code
gs_exchanged(gs_code code)
{
	switch (code)
	{
		case GS_CODE_LT:
			return GS_CODE_GT;
		case GS_CODE_LE:
			return GS_CODE_GE;
		case GS_CODE_GE:
			return GS_CODE_LE;
		case GS_CODE_GT:
			return GS_CODE_LT;
		default:
			return code;
	}
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
	return type == TIMESTAMPTZOID &&
		timestamp_of_local(DatumGetTimestamp(datum), &b->constant.value);
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
	if (type == TIMESTAMPOID && other == TIMESTAMPTZOID)
		return gs_untranslated(t, "a timestamp without a time zone is compared "
							   "with one that has one");
	if (!gs_translate(t, a, &value))
		return false;
	if (!gs_is_known(t, b))
		return gs_put_unknown(t, b, by.constant.type, &limit) &&
			gs_put_binary(t, code, value, limit, r);
	datum = gs_evaluate(t, b, &isnull);
	if (!isnull && !find_bound(type, other, datum, &by))
		return gs_untranslated(t, "a time is near the ends of its type");
	by.constant.null = isnull;
	return gs_put_constant(t, by.constant, NULL, &limit) &&
		gs_put_binary(t, by.code, value, limit, r);
}

bool
gs_translate_dates(gs_translation *t, Oid function, List *args,
				   gs_operand *r)
{
	int			code = find_comparison(function);
	Expr	   *a;
	Expr	   *b;

	if (code == 0)
		return false;
	a = linitial(args);
	b = lsecond(args);
	if (gs_has_no_column(b))
		return compare_with_constant(t, code, a, b, r);
	if (gs_has_no_column(a))
		return compare_with_constant(t, gs_exchanged(code), b, a, r);
	return gs_untranslated(t, "a date is compared with a timestamp");
}
