/*-------------------------------------------------------------------------
 *
 * elementary.c
 *	  SQL functions that are the root, exponential, logarithm or power of each
 *	  element, or its multiple of a power of ten, or its relative change.
 *
 * They have the errors of SQL's functions and operators.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "call/array_iteration.h"
#include "call/elementwise.h"
#include "engine/elements.h"
#include "exact/elementary.h"

/* The operation of each element of an array, or of each pair of two. */
static Datum
for_each(const char *function, const gs_op *op, Datum array, const Datum *other)
{
	gs_call		call;
	Datum		result;
	gs_op		done;

	gs_call_open(&call, function, op->kind, array);
	done = *op;
	done.type = call.op.type;
	call.op = done;
	if (other != NULL)
	{
		gs_array_open_lazily(&call.mask, *other);
		gs_require_same_shape(call.data.flat, call.mask.flat);
	}
	(void) gs_call_map(&call, gs_type_oid(gs_output_type(&done)),
					   call.data.flat,
					   gs_gives_null(&done, call.data.nulls), &result);
	return result;
}

#define UNARY(name, operation) \
PG_FUNCTION_INFO_V1(name); \
\
Datum \
name(PG_FUNCTION_ARGS) \
{ \
	const gs_op op = {.kind = operation}; \
\
	return for_each(#name, &op, PG_GETARG_DATUM(0), NULL); \
}

UNARY(gpu_sqrt, GS_SQRT)
UNARY(gpu_exp, GS_EXP)
UNARY(gpu_ln, GS_LN)
UNARY(gpu_pct_change, GS_PCT_CHANGE)

PG_FUNCTION_INFO_V1(gpu_power);

/* gpu_power(a, b), of arrays */
Datum
gpu_power(PG_FUNCTION_ARGS)
{
	const gs_op op = {.kind = GS_POWER, .power = {.of_pairs = 1}};
	Datum		exponents = PG_GETARG_DATUM(1);

	return for_each("gpu_power", &op, PG_GETARG_DATUM(0), &exponents);
}

PG_FUNCTION_INFO_V1(gpu_power_value);

Datum
gpu_power_value(PG_FUNCTION_ARGS)
{
	const gs_op op = {.kind = GS_POWER, .power = {
		.constant = PG_GETARG_FLOAT8(1)
	}};

	return for_each("gpu_power", &op, PG_GETARG_DATUM(0), NULL);
}

PG_FUNCTION_INFO_V1(gpu_power_to_value);

Datum
gpu_power_to_value(PG_FUNCTION_ARGS)
{
	const gs_op op = {.kind = GS_POWER, .power = {
		.constant = PG_GETARG_FLOAT8(0),.constant_is_base = 1
	}};

	return for_each("gpu_power", &op, PG_GETARG_DATUM(1), NULL);
}

PG_FUNCTION_INFO_V1(gpu_round);

/* gpu_round(arr, digits) */
Datum
gpu_round(PG_FUNCTION_ARGS)
{
	const gs_op op = {.kind = GS_ROUND,
	.round = {Max(-GS_MOST_DIGITS, Min(GS_MOST_DIGITS, PG_GETARG_INT32(1)))}};

	return for_each("gpu_round", &op, PG_GETARG_DATUM(0), NULL);
}
