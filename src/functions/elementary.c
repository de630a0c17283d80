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

/* What is wrong with an element. */
typedef struct fault
{
	int			sqlstate;
	const char *message;
	const char *detail;			/* of the position of the element */
} fault;

#define IS_OUT_OF_RANGE		"The result at element %lld is out of range."

static const fault faults[] = {
	[GS_OUT_OF_RANGE] = {ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE,
	"value out of range: overflow", IS_OUT_OF_RANGE},
	[GS_UNDERFLOW] = {ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE,
	"value out of range: underflow", IS_OUT_OF_RANGE},
	[GS_ROOT_OF_NEGATIVE] = {ERRCODE_INVALID_ARGUMENT_FOR_POWER_FUNCTION,
		"cannot take square root of a negative number",
	"Element %lld is negative."},
	[GS_LOGARITHM_OF_ZERO] = {ERRCODE_INVALID_ARGUMENT_FOR_LOG,
	"cannot take logarithm of zero", "Element %lld is zero."},
	[GS_LOGARITHM_OF_NEGATIVE] = {ERRCODE_INVALID_ARGUMENT_FOR_LOG,
		"cannot take logarithm of a negative number",
	"Element %lld is negative."},
	[GS_ZERO_TO_NEGATIVE] = {ERRCODE_INVALID_ARGUMENT_FOR_POWER_FUNCTION,
		"zero raised to a negative power is undefined",
	"This is so at element %lld."},
	[GS_COMPLEX_POWER] = {ERRCODE_INVALID_ARGUMENT_FOR_POWER_FUNCTION,
		"a negative number raised to a non-integer power yields a complex result",
	"This is so at element %lld."},
	[GS_DIVISION_BY_ZERO] = {ERRCODE_DIVISION_BY_ZERO,
	"division by zero", "The divisor of element %lld is zero."}
};

pg_noreturn static void
raise_fault(gs_answer answer, const gs_op *op, int64 position)
{
	fault		f = faults[answer];

	if (op->kind == GS_ROUND && !gs_is_float(op->type))
		f.message = op->type == GS_INT2 ? "smallint out of range" :
			op->type == GS_INT4 ? "integer out of range" :
			"bigint out of range";
	ereport(ERROR,
			errcode(f.sqlstate),
			errmsg("%s", f.message),
			errdetail_internal(f.detail, (long long) position));
}

static bool
next_value(gs_reader *r, gs_value *value)
{
	gs_number	number = {0};

	if (!gs_reader_next(r, &number))
		return false;
	*value = gs_value_from_datum(r->type, gs_datum_from_number(number, r->type));
	return true;
}

/* Raise the error of the first element that has no result. */
pg_noreturn static void
find_fault(const gs_op *op, Datum array, Datum other)
{
	gs_array	data[2];
	gs_reader	reader[2];
	gs_value	before = {0};
	bool		had = false;
	bool		pairs = gs_has_mask(op);

	gs_array_open(&data[0], array);
	gs_reader_open(&reader[0], &data[0]);
	if (pairs)
	{
		gs_array_open(&data[1], other);
		gs_reader_open(&reader[1], &data[1]);
	}
	while (reader[0].i < reader[0].n)
	{
		gs_value	x;
		gs_value	y = before;
		gs_value	result;
		gs_answer	answer = GS_ANSWERED;
		bool		has = next_value(&reader[0], &x);
		bool		asked = has;

		if (reader[0].i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		if (pairs)
			asked &= next_value(&reader[1], &y);
		if (op->kind == GS_PCT_CHANGE)
			asked &= had;
		if (asked)
			answer = gs_element(op, &x, &y, &result);
		if (answer != GS_ANSWERED)
			raise_fault(answer, op, reader[0].i);
		before = x;
		had = has;
	}
	elog(ERROR, "no element has an error");
}

/*
 * The operation of each element of an array, or of each pair of two.  An engine
 * says only that there is an error.
 */
static Datum
for_each(const char *function, const gs_op *op, Datum array, const Datum *other)
{
	gs_call		call;
	gs_builder	builder;
	gs_op		done;
	bool		has_results;

	gs_elementary_init();
	gs_call_open(&call, function, op->kind, array);
	done = *op;
	done.type = call.op.type;
	call.op = done;
	if (other != NULL)
	{
		gs_array_open_lazily(&call.mask, *other);
		gs_require_same_shape(call.data.flat, call.mask.flat);
	}
	call.builder = &builder;
	gs_builder_open(&builder, gs_type_oid(gs_output_type(&done)), call.data.n,
					call.data.flat,
					gs_gives_null(&done, call.data.nulls) ? call.data.n : 0);
	has_results = gs_call_execute(&call);
	gs_call_close(&call);
	if (!has_results)
		find_fault(&done, array, other == NULL ? (Datum) 0 : *other);
	return gs_builder_close(&builder);
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
