/*-------------------------------------------------------------------------
 *
 * translate_age.c
 *	  age() of two timestamps: what is compared with it, and its fields.
 *
 * It is so many months, and then days and a time, all of the same sign, which no
 * number of the engine's stands for.  So it is no key, and no value.
 *
 * PostgreSQL takes the local times of timestamptz, apart, and does not look at
 * whether their offsets differ.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/timestamp.h"

#include "report/translate/translate_times.h"

#define AGE_OF_TIMESTAMPTZ	1199
#define AGE_OF_TIMESTAMP	2058

/* A column of dates has a table of the results, which takes fewer steps. */
static bool
has_date(Node *node, void *t)
{
	if (node == NULL)
		return false;
	node = gs_resolve(t, node);
	if (IsA(node, Var))
		return ((const Var *) node)->vartype == DATEOID;
	return expression_tree_walker(node, has_date, t);
}

const List *
gs_age_of(const gs_translation *t, Expr *e)
{
	const FuncExpr *call = (const FuncExpr *) gs_resolve(t, (Node *) e);

	return IsA(call, FuncExpr) &&
		(call->funcid == AGE_OF_TIMESTAMP ||
		 call->funcid == AGE_OF_TIMESTAMPTZ) &&
		!gs_has_no_column((Expr *) call) &&
		!has_date((Node *) call, unconstify(gs_translation *, t)) ?
		call->args : NULL;
}

/* A timestamp of local time, as calendars have it. */
typedef struct date_time
{
	gs_operand	month;
	gs_operand	start;			/* the month's first day */
	gs_operand	day;			/* days behind it */
	gs_operand	rest;			/* microseconds since midnight */
} date_time;

static bool
put_date_time(gs_translation *t, gs_operand local, date_time *d)
{
	return gs_put_day(t, local, &d->day, &d->rest) &&
		gs_put_unary(t, GS_CODE_MONTH, d->day, &d->month) &&
		gs_put_unary(t, GS_CODE_MONTH_START, d->month, &d->start) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, d->day, d->start, &d->day);
}

/* Infinite ones are beyond the limits, which is an error of the plan. */
static bool
put_local(gs_translation *t, Expr *e, gs_operand *value, gs_operand *local)
{
	gs_time		time = {
		.type = exprType((Node *) e),
		.source = GS_NOTHING, .missing = GS_NOTHING,
		.first = PG_INT64_MIN, .last = PG_INT64_MAX
	};

	if (!gs_translate(t, e, &time.value) || !gs_put_usual_limits(t, &time))
		return false;
	*value = time.value;
	if (time.type == TIMESTAMPTZOID && !gs_put_session_local(t, &time))
		return false;
	*local = time.value;
	return true;
}

/* Where a is negative, *a and *b become `more` more and one less. */
static bool
put_borrow(gs_translation *t, gs_operand more, gs_operand *a, gs_operand *b)
{
	gs_operand	is_negative;
	gs_operand	one;

	return gs_put_with(t, GS_CODE_LT, *a, 0, &is_negative) &&
		gs_put_binary(t, GS_CODE_ADD, *a, more, &more) &&
		gs_put_choose(t, is_negative, more, *a, a) &&
		gs_put_bool_to_int4(t, is_negative, &one) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, *b, one, b);
}

/* From one to a later one. */
static bool
put_between(gs_translation *t, const date_time *from, const date_time *to,
			gs_operand *months, gs_operand *rest)
{
	gs_operand	length;			/* of the month that the earlier one is in */
	gs_operand	day;
	gs_operand	days;

	return gs_put_with(t, GS_CODE_ADD, from->month, 1, &length) &&
		gs_put_unary(t, GS_CODE_MONTH_START, length, &length) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, length, from->start, &length) &&
		gs_put_bigint(t, USECS_PER_DAY, &day) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, to->month, from->month, months) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, to->day, from->day, &days) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, to->rest, from->rest, rest) &&
		put_borrow(t, day, rest, &days) &&
		put_borrow(t, length, &days, months) &&
		gs_put_timestamp(t, days, &days) &&
		gs_put_binary(t, GS_CODE_ADD, days, *rest, rest);
}

/* -a where the condition is true, else a */
static bool
put_negative(gs_translation *t, gs_operand condition, gs_operand *a)
{
	gs_operand	negative;

	return gs_put_unary(t, GS_CODE_NEGATE, *a, &negative) &&
		gs_put_choose(t, condition, negative, *a, a);
}

bool
gs_put_age(gs_translation *t, const List *args, gs_operand *months,
		   gs_operand *rest)
{
	gs_operand	value[2];
	gs_operand	local[2];
	gs_operand	is_less;
	gs_operand	first;
	gs_operand	last;
	date_time	from;
	date_time	to;

	return put_local(t, linitial(args), &value[0], &local[0]) &&
		put_local(t, lsecond(args), &value[1], &local[1]) &&
		gs_put_binary(t, GS_CODE_LT, value[0], value[1], &is_less) &&
		gs_put_choose(t, is_less, local[0], local[1], &first) &&
		gs_put_choose(t, is_less, local[1], local[0], &last) &&
		put_date_time(t, first, &from) && put_date_time(t, last, &to) &&
		put_between(t, &from, &to, months, rest) &&
		put_negative(t, is_less, months) && put_negative(t, is_less, rest);
}
