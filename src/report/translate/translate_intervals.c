/*-------------------------------------------------------------------------
 *
 * translate_intervals.c
 *	  The interval between two timestamps, and comparisons of such; and the parts
 *	  of others, which have codes.
 *
 * The first is whole days and a rest of the same sign, so that the microseconds of both
 * tell it from others, and have its order.  If a timestamp is infinite, that is an
 * error of the plan.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
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

static bool
put_length_of_age(gs_translation *t, const List *args, gs_operand *r)
{
	gs_operand	months;
	gs_operand	rest;

	return gs_put_age(t, args, &months, &rest) &&
		gs_put_cast(t, GS_INT8, months, &months) &&
		gs_put_with(t, GS_CODE_MULTIPLY, months, DAYS_PER_MONTH * USECS_PER_DAY,
					r) &&
		gs_put_binary(t, GS_CODE_ADD, *r, rest, r);
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
	if (gs_age_of(t, e) != NULL)
		return put_length_of_age(t, gs_age_of(t, e), r);
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

/* ----------
 * Codes of intervals
 * ----------
 */

static bool
is_infinite(const Interval *interval)
{
#if PG_VERSION_NUM >= 170000
	return INTERVAL_NOT_FINITE(interval);
#else
	return interval == NULL;
#endif
}

/* The part of each value, and of NULL behind them. */
static void
put_part_values(const gs_domain *d, gs_interval_part part, gs_lookup *l)
{
	l->n = d->n + 1;
	l->value = palloc_extended(l->n * sizeof(gs_value),
							   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	l->null = palloc0(l->n);
	l->null[d->n] = 1;
	for (int32 i = 0; i < d->n; i++)
	{
		const Interval *interval =
		DatumGetIntervalP(gs_dictionary_value(d->dictionary, i));

		if (is_infinite(interval))
		{
			if (l->raised == NULL)
				l->raised = palloc0(l->n);
			l->raised[i] = l->null[i] = 1;
		}
		else if (part == GS_INTERVAL_TIME)
			l->value[i].i8 = interval->time;
		else
			l->value[i].i4 = part == GS_INTERVAL_DAYS ? interval->day :
				interval->month;
	}
}

/*
 * The session keeps it, as it keeps what an expression gives for each value, by a
 * constant, which no such expression is.
 */
static void
make_part(const gs_domain *d, gs_interval_part part, gs_lookup *lookup)
{
	Expr	   *name = (Expr *) makeConst(INT4OID, -1, InvalidOid,
										  sizeof(int32), Int32GetDatum(part),
										  false, true);
	MemoryContext context;
	MemoryContext old;

	if (gs_lookups_find(name, d, lookup))
		return;
	context = gs_lookups_context(name, d);
	old = MemoryContextSwitchTo(context != NULL ? context :
								CurrentMemoryContext);
	put_part_values(d, part, lookup);
	gs_lookup_make_tables(lookup, d);
	MemoryContextSwitchTo(old);
	if (context != NULL)
		gs_lookups_keep(context, name, d, lookup);
}

bool
gs_put_interval_parts(gs_translation *t, gs_operand code,
					  gs_interval_parts *parts)
{
	const gs_dictionary *dictionary = gs_dictionary_of(t, code);
	gs_domain	d = {.dictionary = dictionary, .step = 1};

	memset(parts, 0, sizeof *parts);
	if (code < GS_CONSTANT(0))
		d.n = t->column[code - GS_COLUMN(0)].values;
	else if (dictionary != NULL)
		d.n = dictionary->n;
	if (!gs_has_few_values(t, d.n))
		return false;
	for (int part = 0; part < GS_INTERVAL_PARTS; part++)
	{
		gs_lookup	lookup = {
			.type = part == GS_INTERVAL_TIME ? GS_INT8 : GS_INT4
		};

		if (t->state != NULL)
		{
			make_part(&d, part, &lookup);
			parts->low[part] = lookup.table->low;
			parts->high[part] = lookup.table->high;
		}
		if (!gs_put_lookup(t, &d, code, &lookup, &parts->part[part]))
			return false;
	}
	return true;
}
