/*-------------------------------------------------------------------------
 *
 * arithmetic.c
 *	  SQL functions that compute with each element.
 *
 * They compute as SQL's operators do: the result has the elements' type, and
 * what is out of its range is an error.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "call/array_iteration.h"
#include "call/elementwise.h"
#include "functions/bound.h"
#include "functions/elements/chain.h"

/* The operands of a step: an array, and perhaps another one, or a value. */
typedef struct operands
{
	Datum		array;
	Datum		other;
	gs_operand	a;
	gs_operand	b;
} operands;

static Datum
compute(const char *function, gs_code code, const operands *o)
{
	gs_call		call;
	gs_expression *x = &call.op.expression;
	Datum		result;

	gs_call_open(&call, function, GS_ARITHMETIC, o->array);
	x->arrays = 1;
	x->steps = 1;
	x->step[0].code = code;
	x->step[0].a = o->a;
	x->step[0].b = o->b;
	if (o->a == GS_CONSTANT(0) || o->b == GS_CONSTANT(0))
		x->constant[x->constants++] = gs_value_from_datum(call.data.type,
														  o->other);
	else if (o->b != GS_NOTHING)
	{
		gs_array_open_lazily(&call.mask, o->other);
		gs_require_same_shape(call.data.flat, call.mask.flat);
		x->arrays = 2;
	}
	(void) gs_call_map(&call, call.data.elemtype, call.data.flat,
					   call.data.nulls || call.mask.nulls, &result);
	return result;
}

#define BINARY(name, code) \
PG_FUNCTION_INFO_V1(gpu_##name); \
\
Datum \
gpu_##name(PG_FUNCTION_ARGS) \
{ \
	const operands o = {PG_GETARG_DATUM(0), PG_GETARG_DATUM(1), GS_COLUMN(0), \
	GS_COLUMN(1)}; \
\
	return compute("gpu_" #name, code, &o); \
} \
\
PG_FUNCTION_INFO_V1(gpu_##name##_value); \
\
Datum \
gpu_##name##_value(PG_FUNCTION_ARGS) \
{ \
	const operands o = {PG_GETARG_DATUM(0), PG_GETARG_DATUM(1), GS_COLUMN(0), \
	GS_CONSTANT(0)}; \
\
	return compute("gpu_" #name, code, &o); \
} \
\
PG_FUNCTION_INFO_V1(gpu_##name##_to_value); \
\
Datum \
gpu_##name##_to_value(PG_FUNCTION_ARGS) \
{ \
	const operands o = {PG_GETARG_DATUM(1), PG_GETARG_DATUM(0), \
	GS_CONSTANT(0), GS_COLUMN(0)}; \
\
	return compute("gpu_" #name, code, &o); \
}

BINARY(add, GS_CODE_ADD)
BINARY(subtract, GS_CODE_SUBTRACT)
BINARY(multiply, GS_CODE_MULTIPLY)
BINARY(divide, GS_CODE_DIVIDE)

#define UNARY(name, code) \
PG_FUNCTION_INFO_V1(gpu_##name); \
\
Datum \
gpu_##name(PG_FUNCTION_ARGS) \
{ \
	const operands o = {PG_GETARG_DATUM(0), 0, GS_COLUMN(0), GS_NOTHING}; \
\
	return compute("gpu_" #name, code, &o); \
}

UNARY(abs, GS_CODE_ABS)
UNARY(negate, GS_CODE_NEGATE)

const gs_link_function *
gs_link_function_of(PGFunction function)
{
#define LINKS(name, code) \
	{gpu_##name, code, GS_LINK_ARRAYS}, \
	{gpu_##name##_value, code, GS_LINK_ARRAY_VALUE}, \
	{gpu_##name##_to_value, code, GS_LINK_VALUE_ARRAY}
	static const gs_link_function functions[] = {
		LINKS(add, GS_CODE_ADD),
		LINKS(subtract, GS_CODE_SUBTRACT),
		LINKS(multiply, GS_CODE_MULTIPLY),
		LINKS(divide, GS_CODE_DIVIDE),
		{gpu_abs, GS_CODE_ABS, GS_LINK_ARRAY},
		{gpu_negate, GS_CODE_NEGATE, GS_LINK_ARRAY}
	};

	for (int i = 0; i < (int) lengthof(functions); i++)
	{
		if (functions[i].function == function)
			return &functions[i];
	}
	return NULL;
}

PG_FUNCTION_INFO_V1(gpu_clip);

/* gpu_clip(arr, low, high); a bound that is NULL is none */
Datum
gpu_clip(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_range	range;
	Datum		result;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	gs_call_open(&call, "gpu_clip", GS_CLIP, PG_GETARG_DATUM(0));
	range = gs_range_of_all(call.data.type);
	if (!PG_ARGISNULL(1))
		range.low = gs_number_from_datum(PG_GETARG_DATUM(1), call.data.type);
	if (!PG_ARGISNULL(2))
		range.high = gs_number_from_datum(PG_GETARG_DATUM(2), call.data.type);
	gs_range_set(&call.op, &range);
	(void) gs_call_map(&call, call.data.elemtype, call.data.flat,
					   call.data.nulls, &result);
	return result;
}
