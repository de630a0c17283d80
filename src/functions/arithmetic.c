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

#include <math.h>

#include "pg/compat.h"

#include "call/array_iteration.h"
#include "call/elementwise.h"
#include "functions/chain.h"

/* The operands of a step: an array, and perhaps another one, or a value. */
typedef struct operands
{
	Datum		array;
	Datum		other;
	gs_operand	a;
	gs_operand	b;
} operands;

/*
 * By the service, if that is faster.  False: it is not, or an element has no
 * result, or the shapes differ; what raises the errors is below.
 */
static bool
execute(gs_call *call, const operands *o, gs_code code, const char **reason,
		Datum *result)
{
	gs_builder	builder;
	gs_expression *e = &call->op.expression;
	bool		done;

	e->arrays = 1;
	e->steps = 1;
	e->step[0].code = code;
	e->step[0].a = o->a;
	e->step[0].b = o->b;
	if (o->a == GS_CONSTANT(0) || o->b == GS_CONSTANT(0))
		e->constant[e->constants++] = gs_value_from_datum(call->data.type,
														  o->other);
	else if (o->b != GS_NOTHING)
	{
		gs_array_open_lazily(&call->mask, o->other);
		if (!gs_same_shape(call->data.flat, call->mask.flat))
			return false;
		e->arrays = 2;
	}
	call->builder = &builder;
	gs_builder_open(&builder, call->data.elemtype, call->data.n,
					call->data.flat,
					call->data.nulls || call->mask.nulls ? call->data.n : 0);
	done = gs_call_try(call, reason);
	*result = gs_builder_close(&builder);
	if (!done)
		pfree(DatumGetPointer(*result));
	return done;
}

static Datum
compute(const char *function, gs_code code, const operands *o)
{
	gs_call		call;
	gs_elementwise e;
	const char *reason = "";
	Datum		result;
	bool		done;

	gs_call_open(&call, function, GS_ARITHMETIC, o->array);
	done = execute(&call, o, code, &reason, &result);
	gs_call_close(&call);
	if (done)
		return result;
	gs_elementwise_open(&e, function, o->array);
	e.reason = reason;
	e.call.estimate = call.estimate;
	if (o->a == GS_CONSTANT(0) || o->b == GS_CONSTANT(0))
		(void) gs_elementwise_datum(&e, e.type, o->other);
	else if (o->b != GS_NOTHING)
		(void) gs_elementwise_array(&e, o->other);
	return gs_elementwise_close(&e, gs_elementwise_do(&e, code, e.type, o->a,
													  o->b));
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

/* Elements beyond a bound, above it (GT) or below it (LT), become it. */
static gs_operand
bounded(gs_elementwise *e, gs_operand element, gs_code code, Datum bound)
{
	gs_operand	to = gs_elementwise_datum(e, e->type, bound);
	gs_operand	beyond = gs_elementwise_do(e, code, e->type, element, to);

	if (code == GS_CODE_GT && gs_is_float(e->type))
	{
		/* NaN is above all numbers, but no number */
		Datum		infinity = gs_datum_from_number((gs_number) {.d = INFINITY},
													e->type);
		gs_operand	greatest = gs_elementwise_datum(e, e->type, infinity);
		gs_operand	number = gs_elementwise_do(e, GS_CODE_LE, e->type, element,
											   greatest);

		beyond = gs_elementwise_do(e, GS_CODE_AND, GS_BOOL, beyond, number);
	}
	return gs_elementwise_choose(e, beyond, to, element);
}

PG_FUNCTION_INFO_V1(gpu_clip);

/* gpu_clip(arr, low, high); a bound that is NULL is none */
Datum
gpu_clip(PG_FUNCTION_ARGS)
{
	gs_elementwise e;
	gs_operand	result = GS_COLUMN(0);

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	gs_elementwise_open(&e, "gpu_clip", PG_GETARG_DATUM(0));
	e.elemtype = e.call.data.elemtype;
	if (!PG_ARGISNULL(1))
		result = bounded(&e, result, GS_CODE_LT, PG_GETARG_DATUM(1));
	if (!PG_ARGISNULL(2))
		result = bounded(&e, result, GS_CODE_GT, PG_GETARG_DATUM(2));
	return gs_elementwise_close(&e, result);
}
