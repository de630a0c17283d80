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

/*
 * *beyond: 1 or -1 if a constant is longer than any between two timestamps, this
 * way or the other; then *r is the longest.
 */
static bool
put_length(gs_translation *t, Expr *e, gs_operand *r, int *beyond)
{
	gs_constant c;
	__int128	length;
	Datum		datum;
	bool		isnull;

	*beyond = 0;
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
		*beyond = length > PG_INT64_MAX ? 1 : length < PG_INT64_MIN ? -1 : 0;
		c.value.i8 = *beyond > 0 ? PG_INT64_MAX :
			*beyond < 0 ? PG_INT64_MIN : (int64) length;
	}
	return gs_put_constant(t, c, NULL, r);
}

/*
 * How to compare with the longest in place of one that is beyond it: whatever is
 * compared is less, or greater.
 */
static gs_code
comparison_beyond(gs_code code, int beyond)
{
	if (beyond > 0)
		return code == GS_CODE_LT || code == GS_CODE_LE ||
			code == GS_CODE_NE ? GS_CODE_LE : GS_CODE_GT;
	return code == GS_CODE_GT || code == GS_CODE_GE || code == GS_CODE_NE ?
		GS_CODE_GE : GS_CODE_LT;
}

/* One of them has a column, so that only the other one can be beyond. */
static bool
put_comparison(gs_translation *t, gs_code code, List *args, gs_operand *r)
{
	int			beyond[2];
	gs_operand	a;
	gs_operand	b;

	if (!put_length(t, linitial(args), &a, &beyond[0]) ||
		!put_length(t, lsecond(args), &b, &beyond[1]))
		return false;
	if (beyond[0] != 0)
		return gs_put_binary(t, comparison_beyond(gs_code_exchanged(code),
												  beyond[0]), b, a, r);
	if (beyond[1] != 0)
		code = comparison_beyond(code, beyond[1]);
	return gs_put_binary(t, code, a, b, r);
}

bool
gs_translate_interval(gs_translation *t, Oid function, List *args,
					  gs_operand *r)
{
	const Oid	at = function - FIRST_COMPARISON;

	if (gs_has_no_column((Expr *) args))
		return false;
	if (function == TIMESTAMPTZ_MI || function == TIMESTAMP_MI)
		return put_between(t, args, r);
	return function >= FIRST_COMPARISON && at < lengthof(comparisons) &&
		put_comparison(t, comparisons[at], args, r);
}
