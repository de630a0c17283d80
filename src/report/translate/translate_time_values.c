/*-------------------------------------------------------------------------
 *
 * translate_time_values.c
 *	  Values of functions of times: their limits, and what infinite sources give.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "utils/date.h"
#include "utils/float.h"
#include "utils/timestamp.h"

#include "report/translate/translate_times.h"

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

bool
gs_put_between(gs_translation *t, gs_operand a, gs_operand first,
			   gs_operand last, gs_operand *r)
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

bool
gs_put_bounds(gs_translation *t, gs_operand a, int64 first, int64 last,
			  gs_operand *r)
{
	gs_type		type = gs_operand_type(&t->plan, a);
	gs_operand	b;
	gs_operand	c;

	return gs_put_number(t, type, first, &b) && gs_put_number(t, type, last, &c) &&
		gs_put_between(t, a, b, c, r);
}

bool
gs_put_limits(gs_translation *t, gs_time *time, int64 first, int64 last)
{
	int64		unit = time->type == DATEOID ? USECS_PER_DAY : 1;

	time->first = first;
	time->last = last;
	return gs_put_bounds(t, time->value, first / unit, last / unit,
						 &time->value);
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
void
gs_widen_limits(gs_time *time, int64 by)
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
