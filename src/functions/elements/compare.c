/*-------------------------------------------------------------------------
 *
 * compare.c
 *	  SQL functions that give or take conditions: boolean arrays.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/tupmacs.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"

#include "call/array_iteration.h"
#include "call/elementwise.h"
#include "functions/bound.h"
#include "functions/decimal.h"
#include "pg/settings.h"

/* The type of a bound. */
typedef enum bound_type
{
	DOUBLE,
	BIGINT,
	NUMERIC,
	TIME						/* that of the elements */
} bound_type;

/* The elements of which a comparison with argument `arg` is true. */
static gs_range
range_of(FunctionCallInfo fcinfo, gs_compare compare, int arg, bound_type type,
		 gs_type element)
{
	gs_op		op = {.type = element};

	if (type == DOUBLE)
		gs_bound_by_double(&op, compare, PG_GETARG_FLOAT8(arg));
	else if (type == BIGINT)
		gs_bound_by_int64(&op, compare, PG_GETARG_INT64(arg));
	else if (type == TIME)
		gs_bound_by_int64(&op, compare,
						  gs_number_from_datum(PG_GETARG_DATUM(arg),
											   element).i);
	else
		gs_bound_by_numeric(&op, compare, PG_GETARG_NUMERIC(arg));
	return gs_range_of_comparison(&op);
}

/* Which elements are in the range? */
static Datum
within(gs_call *call, const gs_range *range)
{
	Datum		result;

	gs_range_set(&call->op, range);
	(void) gs_call_map(call, BOOLOID, call->data.flat, call->data.nulls,
					   &result);
	return result;
}

/* (arr, op, bound) */
static Datum
compare_bound(FunctionCallInfo fcinfo, bound_type type)
{
	gs_compare	compare = gs_comparison_from_text(PG_GETARG_TEXT_PP(1));
	gs_call		call;
	gs_range	range;

	gs_require_elements(fcinfo, type == TIME ? GS_TIMES : GS_NUMBERS);
	gs_call_open(&call, "gpu_compare", GS_BETWEEN, PG_GETARG_DATUM(0));
	range = range_of(fcinfo, compare, 2, type, call.data.type);
	return within(&call, &range);
}

/* (arr, low, high) */
static Datum
between(FunctionCallInfo fcinfo, bound_type type)
{
	gs_call		call;
	gs_range	range;
	gs_range	below;

	gs_require_elements(fcinfo, type == TIME ? GS_TIMES : GS_NUMBERS);
	gs_call_open(&call, "gpu_between", GS_BETWEEN, PG_GETARG_DATUM(0));
	range = range_of(fcinfo, GS_GE, 1, type, call.data.type);
	below = range_of(fcinfo, GS_LE, 2, type, call.data.type);
	range.high = below.high;
	range.empty |= below.empty;
	return within(&call, &range);
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

/* An operation on each pair of two arrays', or each element, that is boolean. */
static Datum
condition_of(const char *function, gs_kind kind, gs_compare compare, Datum a,
			 const Datum *b)
{
	gs_call		call;
	Datum		result;

	gs_call_open(&call, function, kind, a);
	call.op.pairs.compare = compare;
	if (b != NULL)
	{
		gs_array_open_lazily(&call.mask, *b);
		gs_require_same_shape(call.data.flat, call.mask.flat);
	}
	(void) gs_call_map(&call, BOOLOID, call.data.flat,
					   call.data.nulls || call.mask.nulls, &result);
	return result;
}

PG_FUNCTION_INFO_V1(gpu_compare);

/* gpu_compare(a, op, b) */
Datum
gpu_compare(PG_FUNCTION_ARGS)
{
	gs_compare	compare = gs_comparison_from_text(PG_GETARG_TEXT_PP(1));

	return condition_of("gpu_compare", GS_COMPARE, compare, PG_GETARG_DATUM(0),
						&PG_GETARG_DATUM(2));
}

PG_FUNCTION_INFO_V1(gpu_compare_any);

/* gpu_compare of any element type */
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
	return condition_of("gpu_and", GS_AND, 0, PG_GETARG_DATUM(0),
						&PG_GETARG_DATUM(1));
}

PG_FUNCTION_INFO_V1(gpu_or);

Datum
gpu_or(PG_FUNCTION_ARGS)
{
	return condition_of("gpu_or", GS_OR, 0, PG_GETARG_DATUM(0),
						&PG_GETARG_DATUM(1));
}

PG_FUNCTION_INFO_V1(gpu_not);

Datum
gpu_not(PG_FUNCTION_ARGS)
{
	return condition_of("gpu_not", GS_NOT, 0, PG_GETARG_DATUM(0), NULL);
}

/* (condition, a, b) of which a or b is an array, and the other a value */
static Datum
choose_or_value(FunctionCallInfo fcinfo, Oid elemtype, bool a_is_array)
{
	int			array = a_is_array ? 1 : 2;
	int			value = a_is_array ? 2 : 1;
	gs_call		call;
	Datum		result;

	gs_call_open(&call, "gpu_if", GS_CHOOSE, PG_GETARG_DATUM(array));
	gs_array_open_lazily(&call.mask, PG_GETARG_DATUM(0));
	gs_require_same_shape(call.mask.flat, call.data.flat);
	call.op.choose.where_false = !a_is_array;
	if (!PG_ARGISNULL(value))
	{
		call.op.choose.has_constant = true;
		call.op.choose.constant =
			gs_value_from_datum(call.data.type, PG_GETARG_DATUM(value));
	}
	(void) gs_call_map(&call, elemtype, call.mask.flat,
					   call.data.nulls || PG_ARGISNULL(value), &result);
	return result;
}

/*
 * (condition, a, b), all of them arrays, by the service.  False if it is not to
 * be asked: here, all of a and b would have to be in memory.
 */
static bool
choose_by_service(FunctionCallInfo fcinfo, Oid elemtype, Datum *result)
{
	gs_call		call;

	if (gs_engine_setting == GS_ENGINE_CPU)
		return false;
	gs_call_open(&call, "gpu_if", GS_CHOOSE_EITHER, PG_GETARG_DATUM(0));
	gs_array_open_lazily(&call.mask, PG_GETARG_DATUM(1));
	gs_array_open_lazily(&call.third, PG_GETARG_DATUM(2));
	gs_require_same_shape(call.data.flat, call.mask.flat);
	gs_require_same_shape(call.data.flat, call.third.flat);
	call.op.mask.type = call.mask.type;
	call.op.mask.elements = call.data.n;
	if (call.data.n > 0 && gs_call_is_for_service(&call))
		return gs_call_map(&call, elemtype, call.data.flat,
						   call.mask.nulls || call.third.nulls, result);
	gs_call_close(&call);
	return false;
}

/*
 * Elements that are chosen between two checks for interrupts.  Stored arrays are
 * fetched so many at a time, which the caches hold; all of an array would take
 * new memory, whose pages cost more than the rest.
 */
#define PIECE		(32 * 1024)

/* What to choose from: an array's elements, or a value. */
typedef struct choice
{
	gs_array	array;
	gs_cursor	cursor;
	bool		is_array;
	gs_span		piece;			/* of a value: copies */
} choice;

/* Argument `arg` of gpu_if, for the condition that call has. */
static void
open_choice(choice *c, const gs_call *call, FunctionCallInfo fcinfo, int arg,
			bool is_array)
{
	const int	width = gs_type_width(call->op.mask.type);
	const int64 n = Min(PIECE, call->data.n);
	char	   *copies;

	memset(c, 0, sizeof *c);
	c->is_array = is_array;
	if (is_array)
	{
		gs_array_open_lazily(&c->array, PG_GETARG_DATUM(arg));
		gs_require_same_shape(call->data.flat, c->array.flat);
		gs_cursor_open(&c->cursor, &c->array);
		return;
	}
	if (PG_ARGISNULL(arg))
	{
		c->piece.validity = palloc0(PIECE / 8);
		return;
	}
	copies = palloc(n * width);
	for (int64 i = 0; i < n; i++)
		store_att_byval(copies + i * width, PG_GETARG_DATUM(arg), width);
	c->piece.values = copies;
}

static gs_span
read_choice(choice *c, int64 n)
{
	if (c->is_array)
		gs_cursor_next(&c->cursor, n, NULL, &c->piece);
	else
		c->piece.present = c->piece.validity == NULL ? n : 0;
	return c->piece;
}

static void
close_choice(choice *c)
{
	if (!c->is_array)
		return;
	gs_cursor_close(&c->cursor);
	gs_array_close(&c->array);
}

/* A piece, as an array of its own. */
static void
choose_piece(gs_op op, const gs_input *in, gs_output *out)
{
	gs_run	   *run;
	gs_status	status;

	op.mask.elements = in->n;
	status = gs_engine_cpu.begin(&op, in->n, NULL, &run);
	if (status == GS_OK)
	{
		status = gs_engine_cpu.feed(run, in, out);
		gs_engine_cpu.end(run);
	}
	if (status == GS_NO_MEMORY)
		ereport(ERROR,
				errcode(ERRCODE_OUT_OF_MEMORY),
				errmsg("out of memory"));
	if (status != GS_OK)
		elog(ERROR, "gpu_if failed with status %d", (int) status);
}

/* (condition, a, b), both arrays or both values, piece by piece. */
static Datum
choose_here(FunctionCallInfo fcinfo, Oid elemtype, bool are_arrays)
{
	gs_call		call;
	choice		a;
	choice		b;
	gs_cursor	condition;
	gs_builder	builder;
	gs_output	out = {.validity = palloc(PIECE / 8)};
	gs_input	in;

	gs_call_open(&call, "gpu_if", GS_CHOOSE_EITHER, PG_GETARG_DATUM(0));
	call.op.mask.type = gs_type_from_oid(elemtype);
	open_choice(&a, &call, fcinfo, 1, are_arrays);
	open_choice(&b, &call, fcinfo, 2, are_arrays);
	gs_cursor_open(&condition, &call.data);
	gs_builder_open(&builder, elemtype, call.data.n, call.data.flat,
					a.array.nulls || b.array.nulls || PG_ARGISNULL(1) ||
					PG_ARGISNULL(2) ? call.data.n : 0);
	for (int64 at = 0; at < call.data.n; at += in.n)
	{
		CHECK_FOR_INTERRUPTS();
		in.n = Min(PIECE, call.data.n - at);
		gs_cursor_next(&condition, in.n, NULL, &in.data);
		in.mask = read_choice(&a, in.n);
		in.third = read_choice(&b, in.n);
		out.values = gs_builder_reserve(&builder, in.n);
		choose_piece(call.op, &in, &out);
		gs_builder_commit(&builder, &out);
	}
	gs_cursor_close(&condition);
	close_choice(&a);
	close_choice(&b);
	gs_call_answered(&call, "the function runs on the CPU only");
	gs_call_close(&call);
	return gs_builder_close(&builder);
}

/* (condition, a, b): which of a and b are arrays? */
static Datum
choose(FunctionCallInfo fcinfo, bool a_is_array, bool b_is_array)
{
	Oid			elemtype = get_element_type(get_fn_expr_rettype(fcinfo->flinfo));
	Datum		result;

	if (PG_ARGISNULL(0) || (a_is_array && PG_ARGISNULL(1)) ||
		(b_is_array && PG_ARGISNULL(2)))
		PG_RETURN_NULL();
	if (a_is_array != b_is_array)
		return choose_or_value(fcinfo, elemtype, a_is_array);
	if (a_is_array && choose_by_service(fcinfo, elemtype, &result))
		return result;
	return choose_here(fcinfo, elemtype, a_is_array);
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
