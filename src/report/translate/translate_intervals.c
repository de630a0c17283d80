/*-------------------------------------------------------------------------
 *
 * translate_intervals.c
 *	  The interval between two timestamps, and comparisons of such.
 *
 * It is whole days and a rest of the same sign, so that the microseconds of both
 * tell it from others, and have its order.  If a timestamp is infinite, that is an
 * error of the plan.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/timestamp.h"

#include "report/translate/translate_times.h"

/* timestamp - timestamp, with a time zone and without */
#define TIMESTAMPTZ_MI	1188
#define TIMESTAMP_MI	2031

/* interval = interval, and the others */
#define FIRST_COMPARISON	1162

static const gs_code comparisons[] = {
	GS_CODE_EQ, GS_CODE_NE, GS_CODE_LT, GS_CODE_LE, GS_CODE_GE, GS_CODE_GT
};

/* The infinite ones are the ends of the integers: those are errors. */
static bool
put_finite(gs_translation *t, Expr *e, gs_operand *r)
{
	return gs_translate(t, e, r) && gs_put_with(t, GS_CODE_ADD, *r, 1, r) &&
		gs_put_with(t, GS_CODE_SUBTRACT, *r, 2, r);
}

static bool
put_between(gs_translation *t, List *args, gs_operand *r)
{
	gs_operand	end;
	gs_operand	start;

	return put_finite(t, linitial(args), &end) &&
		put_finite(t, lsecond(args), &start) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, end, start, r);
}

/* In microseconds, as comparisons have it: a month is 30 days. */
static __int128
length_of(const Interval *interval)
{
	return (((__int128) interval->month * DAYS_PER_MONTH + interval->day) *
			USECS_PER_DAY) + interval->time;
}

bool
gs_interval_value(const Interval *interval, int64 *value)
{
	const __int128 length = length_of(interval);

	*value = (int64) length;
	return *value == length && interval->month == 0 &&
		interval->day == *value / USECS_PER_DAY;
}

/* One that is longer than any between two timestamps is as long as can be. */
static bool
put_length(gs_translation *t, Expr *e, gs_operand *r)
{
	gs_constant c;
	__int128	length;
	Datum		datum;
	bool		isnull;

	if (!gs_has_no_column(e))
		return gs_translate(t, e, r);
	if (!gs_is_known(t, e))
		return gs_put_unknown(t, e, GS_INT8, r);
	datum = gs_evaluate(t, e, &isnull);
	memset(&c, 0, sizeof c);
	c.type = GS_INT8;
	c.null = isnull;
	if (!isnull)
	{
		length = length_of(DatumGetIntervalP(datum));
		c.value.i8 = length > PG_INT64_MAX ? PG_INT64_MAX :
			length < PG_INT64_MIN ? PG_INT64_MIN : (int64) length;
	}
	return gs_put_constant(t, c, NULL, r);
}

bool
gs_translate_interval(gs_translation *t, Oid function, List *args,
					  gs_operand *r)
{
	const Oid	at = function - FIRST_COMPARISON;
	gs_operand	a;
	gs_operand	b;

	if (gs_has_no_column((Expr *) args))
		return false;
	if (function == TIMESTAMPTZ_MI || function == TIMESTAMP_MI)
		return put_between(t, args, r);
	return function >= FIRST_COMPARISON && at < lengthof(comparisons) &&
		put_length(t, linitial(args), &a) &&
		put_length(t, lsecond(args), &b) &&
		gs_put_binary(t, comparisons[at], a, b, r);
}
