/*-------------------------------------------------------------------------
 *
 * compare.c
 *	  SQL functions that give or take conditions: boolean arrays.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "utils/lsyscache.h"

#include "call/array_iteration.h"
#include "call/elementwise.h"
#include "functions/bound.h"
#include "functions/decimal.h"

static gs_code
code_of(gs_compare compare)
{
	static const gs_code code[] = {
		[GS_LT] = GS_CODE_LT,
		[GS_LE] = GS_CODE_LE,
		[GS_EQ] = GS_CODE_EQ,
		[GS_NE] = GS_CODE_NE,
		[GS_GE] = GS_CODE_GE,
		[GS_GT] = GS_CODE_GT
	};

	return code[compare];
}

/* The type of a bound. */
typedef enum bound_type
{
	DOUBLE,
	BIGINT,
	NUMERIC,
	TIME						/* that of the elements */
} bound_type;

/* The comparison of each element with argument `arg`. */
static gs_operand
compare_with(gs_elementwise *e, FunctionCallInfo fcinfo, gs_compare compare,
			 int arg, bound_type type)
{
	gs_op		op = {.type = e->type};
	gs_type		common = gs_is_float(e->type) ? GS_FLOAT8 : GS_INT8;
	gs_operand	elements = gs_elementwise_cast(e, GS_COLUMN(0), common);
	gs_value	bound = {0};

	if (type == DOUBLE)
		gs_bound_by_double(&op, compare, PG_GETARG_FLOAT8(arg));
	else if (type == BIGINT)
		gs_bound_by_int64(&op, compare, PG_GETARG_INT64(arg));
	else if (type == TIME)
		gs_bound_by_int64(&op, compare,
						  gs_number_from_datum(PG_GETARG_DATUM(arg),
											   e->type).i);
	else
		gs_bound_by_numeric(&op, compare, PG_GETARG_NUMERIC(arg));
	if (op.integer_bound)
		bound.i8 = op.ibound;
	else
		bound.f8 = op.bound;
	return gs_elementwise_do(e, code_of(op.compare), common, elements,
							 gs_elementwise_constant(e, common, bound));
}

/* (arr, op, bound) */
static Datum
compare_bound(FunctionCallInfo fcinfo, bound_type type)
{
	gs_compare	compare = gs_comparison_from_text(PG_GETARG_TEXT_PP(1));
	gs_elementwise e;

	gs_require_elements(fcinfo, type == TIME ? GS_TIMES : GS_NUMBERS);
	gs_elementwise_open(&e, "gpu_compare", PG_GETARG_DATUM(0));
	return gs_elementwise_close(&e, compare_with(&e, fcinfo, compare, 2, type));
}

/* (arr, low, high) */
static Datum
between(FunctionCallInfo fcinfo, bound_type type)
{
	gs_elementwise e;
	gs_operand	low;
	gs_operand	high;

	gs_require_elements(fcinfo, type == TIME ? GS_TIMES : GS_NUMBERS);
	gs_elementwise_open(&e, "gpu_between", PG_GETARG_DATUM(0));
	low = compare_with(&e, fcinfo, GS_GE, 1, type);
	high = compare_with(&e, fcinfo, GS_LE, 2, type);
	return gs_elementwise_close(&e, gs_elementwise_do(&e, GS_CODE_AND, GS_BOOL,
													  low, high));
}

extern Datum gpu_compare_numeric(PG_FUNCTION_ARGS);
extern Datum gpu_between_numeric(PG_FUNCTION_ARGS);

#define BY_BOUND(suffix, type) \
PG_FUNCTION_INFO_V1(gpu_compare_##suffix); \
\
Datum \
gpu_compare_##suffix(PG_FUNCTION_ARGS) \
{ \
	if (gs_takes_decimals(fcinfo)) \
		return gs_compare_decimals(fcinfo, gpu_compare_numeric, false); \
	return compare_bound(fcinfo, type); \
} \
\
PG_FUNCTION_INFO_V1(gpu_between_##suffix); \
\
Datum \
gpu_between_##suffix(PG_FUNCTION_ARGS) \
{ \
	if (gs_takes_decimals(fcinfo)) \
		return gs_compare_decimals(fcinfo, gpu_between_numeric, false); \
	return between(fcinfo, type); \
}

BY_BOUND(double, DOUBLE)
BY_BOUND(bigint, BIGINT)
BY_BOUND(numeric, NUMERIC)
BY_BOUND(time, TIME)

PG_FUNCTION_INFO_V1(gpu_compare);

/* gpu_compare(a, op, b) */
Datum
gpu_compare(PG_FUNCTION_ARGS)
{
	gs_compare	compare = gs_comparison_from_text(PG_GETARG_TEXT_PP(1));

	return gs_elementwise_binary("gpu_compare", code_of(compare),
								 PG_GETARG_DATUM(0), PG_GETARG_DATUM(2));
}

PG_FUNCTION_INFO_V1(gpu_compare_any);

/* The same, of any element type */
Datum
gpu_compare_any(PG_FUNCTION_ARGS)
{
	gs_require_elements(fcinfo, GS_NUMBERS | GS_TIMES);
	return gpu_compare(fcinfo);
}

PG_FUNCTION_INFO_V1(gpu_and);

Datum
gpu_and(PG_FUNCTION_ARGS)
{
	return gs_elementwise_binary("gpu_and", GS_CODE_AND, PG_GETARG_DATUM(0),
								 PG_GETARG_DATUM(1));
}

PG_FUNCTION_INFO_V1(gpu_or);

Datum
gpu_or(PG_FUNCTION_ARGS)
{
	return gs_elementwise_binary("gpu_or", GS_CODE_OR, PG_GETARG_DATUM(0),
								 PG_GETARG_DATUM(1));
}

PG_FUNCTION_INFO_V1(gpu_not);

Datum
gpu_not(PG_FUNCTION_ARGS)
{
	return gs_elementwise_unary("gpu_not", GS_CODE_NOT, PG_GETARG_DATUM(0));
}

/* Argument `arg` of gpu_if: an array, or a value, which may be NULL. */
static gs_operand
choice(gs_elementwise *e, FunctionCallInfo fcinfo, int arg, bool is_array,
	   gs_type type)
{
	if (is_array)
		return gs_elementwise_array(e, PG_GETARG_DATUM(arg));
	if (PG_ARGISNULL(arg))
		return gs_elementwise_null(e, type);
	return gs_elementwise_datum(e, type, PG_GETARG_DATUM(arg));
}

/* (condition, a, b): which of a and b are arrays? */
static Datum
choose(FunctionCallInfo fcinfo, bool a_is_array, bool b_is_array)
{
	Oid			elemtype = get_element_type(get_func_rettype(fcinfo->flinfo->fn_oid));
	gs_type		type = gs_type_from_oid(elemtype);
	gs_elementwise e;
	gs_operand	a;
	gs_operand	b;

	if (PG_ARGISNULL(0) || (a_is_array && PG_ARGISNULL(1)) ||
		(b_is_array && PG_ARGISNULL(2)))
		PG_RETURN_NULL();
	gs_elementwise_open(&e, "gpu_if", PG_GETARG_DATUM(0));
	e.elemtype = elemtype;
	a = choice(&e, fcinfo, 1, a_is_array, type);
	b = choice(&e, fcinfo, 2, b_is_array, type);
	return gs_elementwise_close(&e, gs_elementwise_choose(&e, GS_COLUMN(0), a,
														  b));
}

#define IF(name, a_is_array, b_is_array) \
PG_FUNCTION_INFO_V1(name); \
\
Datum \
name(PG_FUNCTION_ARGS) \
{ \
	return choose(fcinfo, a_is_array, b_is_array); \
}

IF(gpu_if, true, true)
IF(gpu_if_array_value, true, false)
IF(gpu_if_value_array, false, true)
IF(gpu_if_values, false, false)
