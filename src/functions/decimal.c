/*-------------------------------------------------------------------------
 *
 * decimal.c
 *	  SQL functions of arrays of numeric.
 *
 * Most are the functions of bigint[]: arrays of numeric become arrays of
 * bigint of one scale, and the result becomes numeric again.  Of means and
 * deviations, the digits depend on the scale, so these are made here, in
 * moving.c, segment.c and group.c.
 *
 * What only moves elements moves their places in a table instead, so that any
 * numeric stays as it is.  Products, quotients and rounding are the server's.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/lsyscache.h"

#include "call/call.h"
#include "call/decimal.h"
#include "call/decimal_array.h"
#include "call/elementwise.h"
#include "call/figures.h"
#include "functions/decimal.h"

/* What becomes of the result of the function of bigint? */
typedef enum result_kind
{
	AS_IS,						/* a count, positions */
	VALUE,						/* bigint: an element */
	SUM,						/* numeric: a sum of elements */
	PRODUCTS,					/* numeric: a sum of products of two elements */
	ARRAY						/* bigint[]: elements, or sums of them */
} result_kind;

/* What is kept between calls: the function as one of bigint. */
typedef struct substitute
{
	int			n;
	Oid			type[FUNC_MAX_ARGS];	/* of the arguments, as in SQL */
	FmgrInfo	info;
} substitute;

static Oid
integer_type(Oid type)
{
	return type == NUMERICARRAYOID ? INT8ARRAYOID :
		type == NUMERICOID ? INT8OID : type;
}

/* Is it a value to compare elements with, rather than one like them? */
static bool
is_bound(Oid type, bool bounds)
{
	return bounds && (type == NUMERICOID || type == INT8OID || type == FLOAT8OID);
}

/* bounds: those become numeric */
static substitute *
make_substitute(FunctionCallInfo fcinfo, bool bounds)
{
	FmgrInfo   *info = fcinfo->flinfo;
	MemoryContext old = MemoryContextSwitchTo(info->fn_mcxt);
	substitute *s = palloc0(sizeof(substitute));
	List	   *arguments = NIL;

	s->n = PG_NARGS();
	for (int i = 0; i < s->n; i++)
	{
		CaseTestExpr *argument = makeNode(CaseTestExpr);

		s->type[i] = get_fn_expr_argtype(info, i);
		argument->typeId = is_bound(s->type[i], bounds) ? NUMERICOID :
			integer_type(s->type[i]);
		argument->typeMod = -1;
		arguments = lappend(arguments, argument);
	}
	s->info = *info;
	s->info.fn_extra = NULL;
	s->info.fn_expr = (Node *)
		makeFuncExpr(info->fn_oid, integer_type(get_fn_expr_rettype(info)),
					 arguments, InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	MemoryContextSwitchTo(old);
	return s;
}

/* The greatest scale of arguments that are values, at least 0. */
static int
scale_of_values(FunctionCallInfo fcinfo, const substitute *s)
{
	int			scale = 0;

	for (int i = 0; i < s->n; i++)
	{
		if (s->type[i] == NUMERICOID && !PG_ARGISNULL(i))
			scale = Max(scale, gs_decimal_scale(PG_GETARG_DATUM(i)));
	}
	return scale;
}

/*
 * Arrays of numeric as arrays of bigint, of one scale, which is returned: at
 * least `scale`.
 */
static int
read_arrays(FunctionCallInfo fcinfo, const substitute *s, const char *function,
			int scale, FunctionCallInfo inner)
{
	ArrayType  *array[FUNC_MAX_ARGS] = {NULL};
	int			scale_of[FUNC_MAX_ARGS];

	for (int i = 0; i < s->n; i++)
	{
		inner->args[i] = fcinfo->args[i];
		if (s->type[i] != NUMERICARRAYOID || PG_ARGISNULL(i))
			continue;
		array[i] = gs_decimal_array_read(function, PG_GETARG_DATUM(i), &scale);
		scale_of[i] = scale;
		inner->args[i].value = PointerGetDatum(array[i]);
	}
	for (int i = 0; i < s->n; i++)
	{
		if (array[i] != NULL && scale_of[i] < scale)
			gs_decimal_array_raise(function, array[i], scale_of[i], scale);
	}
	return scale;
}

static Datum
ten_to_the(int power)
{
	uint64		one = 1;

	if (power <= 0)
		return gs_decimal_make(&one, 1, -power);
	return gs_decimal_make((const uint64 *) &gs_power_of_ten[power], 1, 0);
}

/*
 * A bound of elements that are times 10^scale.  One of double precision stands
 * for its shortest decimal form.
 */
static Datum
make_bound(Datum bound, Oid type, int scale)
{
	if (type == INT8OID)
		bound = NumericGetDatum(int64_to_numeric(DatumGetInt64(bound)));
	else if (type == FLOAT8OID)
	{
		double		x = DatumGetFloat8(bound);

		/* until 14, numeric has no infinities: beyond all elements will do */
		bound = gs_decimal_from_double(isinf(x) ? copysign(1e100, x) : x);
	}
	return DirectFunctionCall2(numeric_mul, bound, ten_to_the(scale));
}

/* Values as bigint times 10^scale, or as bounds. */
static void
read_values(const substitute *s, const char *function, int scale, bool bounds,
			FunctionCallInfo inner)
{
	for (int i = 0; i < s->n; i++)
	{
		NullableDatum *a = &inner->args[i];

		if (a->isnull)
			continue;
		if (is_bound(s->type[i], bounds))
			a->value = make_bound(a->value, s->type[i], scale);
		else if (s->type[i] == NUMERICOID)
			a->value = Int64GetDatum(gs_decimal_value_read(function, a->value,
														   scale));
	}
}

static Datum
make_result(Datum result, result_kind kind, int scale)
{
	switch (kind)
	{
		case AS_IS:
			break;
		case VALUE:
			{
				int64		value = DatumGetInt64(result);

				return gs_decimal_make((uint64 *) &value, 1, scale);
			}
		case SUM:
			return DirectFunctionCall2(numeric_mul, result, ten_to_the(-scale));
		case PRODUCTS:
			return DirectFunctionCall2(numeric_mul, result,
									   ten_to_the(-2 * scale));
		case ARRAY:
			return gs_decimal_array_make(result, scale);
	}
	return result;
}

static Datum
call_with_integers(FunctionCallInfo fcinfo, PGFunction function,
				   result_kind kind, bool bounds)
{
	const char *name = get_func_name(fcinfo->flinfo->fn_oid);
	LOCAL_FCINFO(inner, FUNC_MAX_ARGS);
	substitute *s = fcinfo->flinfo->fn_extra;
	int			scale;
	Datum		result;

	if (s == NULL)
		s = fcinfo->flinfo->fn_extra = make_substitute(fcinfo, bounds);
	InitFunctionCallInfoData(*inner, &s->info, s->n, fcinfo->fncollation,
							 NULL, NULL);
	scale = read_arrays(fcinfo, s, name,
						bounds ? 0 : scale_of_values(fcinfo, s), inner);
	read_values(s, name, scale, bounds, inner);
	result = function(inner);
	if (inner->isnull)
		PG_RETURN_NULL();
	return make_result(result, kind, scale);
}

/* Of bigint, and what becomes of its result. */
#define SAME(function, kind) \
extern Datum function(PG_FUNCTION_ARGS); \
PG_FUNCTION_INFO_V1(function##_decimals); \
Datum \
function##_decimals(PG_FUNCTION_ARGS) \
{ \
	return call_with_integers(fcinfo, function, kind, false); \
}

SAME(gpu_count, AS_IS)
SAME(gpu_min, VALUE)
SAME(gpu_max, VALUE)
SAME(gpu_argmin, AS_IS)
SAME(gpu_argmax, AS_IS)
SAME(gpu_sum, SUM)
SAME(gpu_asum, SUM)
SAME(gpu_dot, PRODUCTS)
SAME(gpu_mode, VALUE)
SAME(gpu_count_distinct, AS_IS)
SAME(gpu_cumsum, ARRAY)
SAME(gpu_cumcount, AS_IS)
SAME(gpu_cummin, ARRAY)
SAME(gpu_cummax, ARRAY)
SAME(gpu_sort, ARRAY)
SAME(gpu_argsort, AS_IS)
SAME(gpu_rank, AS_IS)
SAME(gpu_dense_rank, AS_IS)
SAME(gpu_cume_dist, AS_IS)
SAME(gpu_ntile, AS_IS)
SAME(gpu_topk, ARRAY)
SAME(gpu_distinct, ARRAY)
SAME(gpu_percentile_disc, VALUE)
SAME(gpu_percentiles_disc, ARRAY)
SAME(gpu_unique, ARRAY)
SAME(gpu_searchsorted, AS_IS)
SAME(gpu_asof, AS_IS)
SAME(gpu_diff, ARRAY)
SAME(gpu_moving_sum, ARRAY)
SAME(gpu_moving_min, ARRAY)
SAME(gpu_moving_max, ARRAY)
SAME(gpu_moving_percentile_disc, ARRAY)
SAME(gpu_segment_sum, ARRAY)
SAME(gpu_segment_min, ARRAY)
SAME(gpu_segment_max, ARRAY)
SAME(gpu_segment_count, AS_IS)
SAME(gpu_add, ARRAY)
SAME(gpu_add_value, ARRAY)
SAME(gpu_add_to_value, ARRAY)
SAME(gpu_subtract, ARRAY)
SAME(gpu_subtract_value, ARRAY)
SAME(gpu_subtract_to_value, ARRAY)
SAME(gpu_abs, ARRAY)
SAME(gpu_negate, ARRAY)
SAME(gpu_clip, ARRAY)

SAME(gpu_compare, AS_IS)

Datum
gs_move_decimals(FunctionCallInfo fcinfo, PGFunction function)
{
	const char *name = get_func_name(fcinfo->flinfo->fn_oid);
	LOCAL_FCINFO(inner, FUNC_MAX_ARGS);
	substitute *s = fcinfo->flinfo->fn_extra;
	gs_decimal_table table = {0};
	Datum		result;

	if (s == NULL)
		s = fcinfo->flinfo->fn_extra = make_substitute(fcinfo, false);
	InitFunctionCallInfoData(*inner, &s->info, s->n, fcinfo->fncollation,
							 NULL, NULL);
	for (int i = 0; i < s->n; i++)
	{
		NullableDatum *a = &inner->args[i];

		*a = fcinfo->args[i];
		if (a->isnull)
			continue;
		if (s->type[i] == NUMERICARRAYOID)
			a->value = PointerGetDatum(gs_decimal_array_number(name, a->value,
															   &table));
		else if (s->type[i] == NUMERICOID)
			a->value = Int64GetDatum(gs_decimal_value_number(a->value, &table));
	}
	result = function(inner);
	if (inner->isnull)
		PG_RETURN_NULL();
	return gs_decimal_array_collect(result, &table);
}

#define MOVED(function) \
extern Datum function(PG_FUNCTION_ARGS); \
PG_FUNCTION_INFO_V1(function##_decimals); \
Datum \
function##_decimals(PG_FUNCTION_ARGS) \
{ \
	return gs_move_decimals(fcinfo, function); \
}

MOVED(gpu_compact)
MOVED(gpu_transpose)
MOVED(gpu_if)
MOVED(gpu_if_array_value)
MOVED(gpu_if_value_array)
MOVED(gpu_if_values)

bool
gs_takes_decimals(FunctionCallInfo fcinfo)
{
	return get_fn_expr_argtype(fcinfo->flinfo, 0) == NUMERICARRAYOID;
}

Datum
gs_compare_decimals(FunctionCallInfo fcinfo, PGFunction function,
					bool gives_elements)
{
	return call_with_integers(fcinfo, function,
							  gives_elements ? ARRAY : AS_IS, true);
}

/* ----------
 * The server's functions, for each element: of any digits
 * ----------
 */

/* An array, or a value beside all elements of the other operand. */
typedef struct operand
{
	ArrayType  *array;			/* NULL: a value */
	gs_decimal_reader reader;
	Datum		value;			/* that, or the last element read */
} operand;

static void
open_operand(operand *o, FunctionCallInfo fcinfo, int i)
{
	if (get_fn_expr_argtype(fcinfo->flinfo, i) != NUMERICARRAYOID)
	{
		o->array = NULL;
		o->value = PG_GETARG_DATUM(i);
		return;
	}
	o->array = PG_GETARG_ARRAYTYPE_P(i);
	gs_decimal_reader_open(&o->reader, o->array);
}

/* False: it is NULL. */
static bool
next_operand(operand *o)
{
	if (o->array != NULL)
		o->value = PointerGetDatum(gs_decimal_reader_next(&o->reader));
	return DatumGetPointer(o->value) != NULL || o->array == NULL;
}

static void
tell_element(void *element)
{
	errcontext("element %lld", (long long) *(const int64 *) element);
}

/* function: of two arguments */
static Datum
compute_each(FunctionCallInfo fcinfo, const char *name, PGFunction function)
{
	gs_call		call = {.function = name};
	ErrorContextCallback context = {.previous = error_context_stack,
	.callback = tell_element};
	operand		a;
	operand		b;
	gs_writer	writer;
	const ArrayType *shape;
	int64		element;

	INSTR_TIME_SET_CURRENT(call.start);
	open_operand(&a, fcinfo, 0);
	open_operand(&b, fcinfo, 1);
	if (a.array != NULL && b.array != NULL)
		gs_require_same_shape(a.array, b.array);
	shape = a.array != NULL ? a.array : b.array;
	call.data.n = ArrayGetNItems(ARR_NDIM(shape), ARR_DIMS(shape));
	gs_writer_open_numeric(&writer, call.data.n, shape);
	context.arg = &element;
	error_context_stack = &context;
	for (element = 1; element <= call.data.n; element++)
	{
		bool		has_a = next_operand(&a);
		bool		has = next_operand(&b) && has_a;
		MemoryContext old = MemoryContextSwitchTo(writer.context);
		Datum		result;

		/* a quotient of many digits may take a second */
		CHECK_FOR_INTERRUPTS();
		result = has ?
			DirectFunctionCall2(function, a.value, b.value) : (Datum) 0;
		MemoryContextSwitchTo(old);
		gs_writer_put(&writer, result, !has);
		if (has)
			MemoryContextReset(writer.context);
	}
	error_context_stack = context.previous;
	gs_call_answered(&call, "the function runs on the CPU only");
	return gs_writer_close(&writer);
}

#define EACH(symbol, name, function) \
PG_FUNCTION_INFO_V1(symbol##_decimals); \
Datum \
symbol##_decimals(PG_FUNCTION_ARGS) \
{ \
	return compute_each(fcinfo, name, function); \
}

EACH(gpu_multiply, "gpu_multiply", numeric_mul)
EACH(gpu_multiply_value, "gpu_multiply", numeric_mul)
EACH(gpu_multiply_to_value, "gpu_multiply", numeric_mul)
EACH(gpu_divide, "gpu_divide", numeric_div)
EACH(gpu_divide_value, "gpu_divide", numeric_div)
EACH(gpu_divide_to_value, "gpu_divide", numeric_div)
EACH(gpu_round, "gpu_round", numeric_round)

/* Those that look at their argument's type themselves. */
#define OF_DECIMALS(function) \
extern Datum function(PG_FUNCTION_ARGS); \
PG_FUNCTION_INFO_V1(function##_decimals); \
Datum \
function##_decimals(PG_FUNCTION_ARGS) \
{ \
	return function(fcinfo); \
}

OF_DECIMALS(gpu_moving_avg)
OF_DECIMALS(gpu_moving_stddev)
OF_DECIMALS(gpu_segment_avg)
OF_DECIMALS(gpu_value_counts)
OF_DECIMALS(gpu_rle)
OF_DECIMALS(gpu_group)
OF_DECIMALS(gpu_group_count)
OF_DECIMALS(gpu_group_sum)
OF_DECIMALS(gpu_group_avg)
OF_DECIMALS(gpu_group_min)
OF_DECIMALS(gpu_group_max)
OF_DECIMALS(gpu_group_median)
OF_DECIMALS(gpu_median)
OF_DECIMALS(gpu_percentile_cont)
OF_DECIMALS(gpu_percentiles_cont)
OF_DECIMALS(gpu_describe)

/* ----------
 * Means and deviations
 * ----------
 */

static Datum
reduce(FunctionCallInfo fcinfo, const char *function, gs_kind kind, gs_figure f)
{
	gs_call		call;
	gs_sums		sums;
	int			scale = 0;
	ArrayType  *integers = gs_decimal_array_read(function, PG_GETARG_DATUM(0),
												 &scale);

	gs_call_reduce(&call, function, kind, PointerGetDatum(integers));
	sums = gs_result_sums(&call.result, call.data.type, scale);
	return gs_figure_result(f, &sums, &fcinfo->isnull);
}

#define REDUCTION(name, kind, figure) \
PG_FUNCTION_INFO_V1(name##_decimals); \
Datum \
name##_decimals(PG_FUNCTION_ARGS) \
{ \
	return reduce(fcinfo, #name, kind, figure); \
}

REDUCTION(gpu_avg, GS_SUM, GS_FIGURE_AVG)
REDUCTION(gpu_var_pop, GS_MOMENTS, GS_FIGURE_VAR_POP)
REDUCTION(gpu_var_samp, GS_MOMENTS, GS_FIGURE_VAR_SAMP)
REDUCTION(gpu_variance, GS_MOMENTS, GS_FIGURE_VAR_SAMP)
REDUCTION(gpu_stddev_pop, GS_MOMENTS, GS_FIGURE_STDDEV_POP)
REDUCTION(gpu_stddev_samp, GS_MOMENTS, GS_FIGURE_STDDEV_SAMP)
REDUCTION(gpu_stddev, GS_MOMENTS, GS_FIGURE_STDDEV_SAMP)
