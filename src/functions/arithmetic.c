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

/* An array and a value, or a value and an array. */
static Datum
array_and_value(FunctionCallInfo fcinfo, const char *function, gs_code code,
				bool value_first)
{
	gs_elementwise e;
	gs_operand	x;
	gs_operand	result;

	gs_elementwise_open(&e, function, PG_GETARG_DATUM(value_first ? 1 : 0));
	x = gs_elementwise_datum(&e, e.type, PG_GETARG_DATUM(value_first ? 0 : 1));
	result = gs_elementwise_do(&e, code, e.type,
							   value_first ? x : GS_COLUMN(0),
							   value_first ? GS_COLUMN(0) : x);
	return gs_elementwise_close(&e, result);
}

#define BINARY(name, code) \
PG_FUNCTION_INFO_V1(gpu_##name); \
\
Datum \
gpu_##name(PG_FUNCTION_ARGS) \
{ \
	return gs_elementwise_binary("gpu_" #name, code, PG_GETARG_DATUM(0), \
								 PG_GETARG_DATUM(1)); \
} \
\
PG_FUNCTION_INFO_V1(gpu_##name##_value); \
\
Datum \
gpu_##name##_value(PG_FUNCTION_ARGS) \
{ \
	return array_and_value(fcinfo, "gpu_" #name, code, false); \
} \
\
PG_FUNCTION_INFO_V1(gpu_##name##_to_value); \
\
Datum \
gpu_##name##_to_value(PG_FUNCTION_ARGS) \
{ \
	return array_and_value(fcinfo, "gpu_" #name, code, true); \
}

BINARY(add, GS_CODE_ADD)
BINARY(subtract, GS_CODE_SUBTRACT)
BINARY(multiply, GS_CODE_MULTIPLY)
BINARY(divide, GS_CODE_DIVIDE)

PG_FUNCTION_INFO_V1(gpu_abs);

Datum
gpu_abs(PG_FUNCTION_ARGS)
{
	return gs_elementwise_unary("gpu_abs", GS_CODE_ABS, PG_GETARG_DATUM(0));
}

PG_FUNCTION_INFO_V1(gpu_negate);

Datum
gpu_negate(PG_FUNCTION_ARGS)
{
	return gs_elementwise_unary("gpu_negate", GS_CODE_NEGATE,
								PG_GETARG_DATUM(0));
}

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
