/*-------------------------------------------------------------------------
 *
 * reduce.c
 *	  SQL functions that reduce an array to one value.
 *
 * Every function is an operation of the engine and a finish function, which
 * converts the engine's exact result to the SQL type.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "call/call.h"
#include "call/figures.h"
#include "functions/reduce/reduce.h"

/* Returns the result, or sets *isnull. */
typedef Datum (*finish_function) (gs_type type, const gs_result *result,
								  bool *isnull);

static Datum
reduce(FunctionCallInfo fcinfo, const char *function, gs_kind kind,
	   finish_function convert)
{
	gs_call		call;
	Datum		result = (Datum) 0;
	bool		isnull = false;

	gs_call_reduce(&call, function, kind, PG_GETARG_DATUM(0));
	if (call.result.present == 0)
		isnull = true;
	else
		result = convert(call.data.type, &call.result, &isnull);
	if (isnull)
		PG_RETURN_NULL();
	return result;
}

static Datum
finish(gs_figure f, gs_type type, const gs_result *result, bool *isnull)
{
	gs_sums		sums = gs_result_sums(result, type, 0);

	return gs_figure_result(f, &sums, isnull);
}

/* Of reals as its type; of integers a bigint, but numeric of bigint. */
gs_figure
gs_sum_figure(gs_type type)
{
	return type == GS_FLOAT4 ? GS_FIGURE_SUM_REAL :
		type == GS_FLOAT8 || type == GS_INT8 ? GS_FIGURE_SUM :
		GS_FIGURE_SUM_BIGINT;
}

static Datum
finish_sum(gs_type type, const gs_result *result, bool *isnull)
{
	return finish(gs_sum_figure(type), type, result, isnull);
}

/* Of any integers numeric, as for products. */
static Datum
finish_asum(gs_type type, const gs_result *result, bool *isnull)
{
	return finish(gs_is_float(type) ? gs_sum_figure(type) : GS_FIGURE_SUM,
				  type, result, isnull);
}

Datum
gs_datum_from_value(gs_type type, const gs_value *value)
{
	switch (type)
	{
		case GS_BOOL:
			return BoolGetDatum(value->i2 != 0);
		case GS_INT2:
			return Int16GetDatum(value->i2);
		case GS_INT4:
			return Int32GetDatum(value->i4);
		case GS_INT8:
			return Int64GetDatum(value->i8);
		case GS_FLOAT4:
			return Float4GetDatum(value->f4);
		case GS_FLOAT8:
			return Float8GetDatum(value->f8);
	}
	return (Datum) 0;			/* keep the compiler quiet */
}

/* A result of the element type. */
static Datum
finish_value(gs_type type, const gs_result *result,
			 bool *isnull pg_attribute_unused())
{
	return gs_datum_from_value(type, &result->value);
}

static Datum
finish_position(gs_type type pg_attribute_unused(), const gs_result *result,
				bool *isnull pg_attribute_unused())
{
	return Int32GetDatum((int32) result->position);
}

static Datum
finish_product(gs_type type pg_attribute_unused(), const gs_result *result,
			   bool *isnull pg_attribute_unused())
{
	double		value;

	if (!gs_product_round(result->product, &value))
		gs_float_overflow();
	return Float8GetDatum(value);
}

#define FINISH(name, figure) \
static Datum \
finish_##name(gs_type type, const gs_result *result, bool *isnull) \
{ \
	return finish(figure, type, result, isnull); \
}

FINISH(avg, GS_FIGURE_AVG)
FINISH(var_pop, GS_FIGURE_VAR_POP)
FINISH(var_samp, GS_FIGURE_VAR_SAMP)
FINISH(stddev_pop, GS_FIGURE_STDDEV_POP)
FINISH(stddev_samp, GS_FIGURE_STDDEV_SAMP)

/* The square root of the sum of squares, in double precision for all types. */
static Datum
finish_norm(gs_type type, const gs_result *result, bool *isnull)
{
	const uint32_t infinities = GS_SEEN_POSITIVE_INF | GS_SEEN_NEGATIVE_INF;
	gs_acc2		squares;
	double		value = 0;

	if (gs_is_float(type))
	{
		squares = result->squares;
		squares.seen = GS_SEEN_NOT_NEGATIVE_ZERO |
			(result->sum.seen & GS_SEEN_NAN) |
			(result->sum.seen & infinities ? GS_SEEN_POSITIVE_INF : 0);
	}
	else
	{
		gs_acc2_init(&squares);
		for (int i = 0; i < (int) lengthof(result->isquares); i++)
			gs_limbs_add(squares.limb, result->isquares[i],
						 64 * i - GS_ACC2_LOWEST, false);
		squares.seen = GS_SEEN_NOT_NEGATIVE_ZERO;
	}
	*isnull = gs_rounding_is_null(gs_acc2_sqrt(&squares, &value));
	return Float8GetDatum(value);
}

/* SQL function, operation, how its result is finished */
#define REDUCTIONS(row) \
	row(gpu_sum, GS_SUM, finish_sum) \
	row(gpu_avg, GS_SUM, finish_avg) \
	row(gpu_asum, GS_ASUM, finish_asum) \
	row(gpu_min, GS_MIN, finish_value) \
	row(gpu_max, GS_MAX, finish_value) \
	row(gpu_argmin, GS_ARGMIN, finish_position) \
	row(gpu_argmax, GS_ARGMAX, finish_position) \
	row(gpu_product, GS_PRODUCT, finish_product) \
	row(gpu_var_pop, GS_MOMENTS, finish_var_pop) \
	row(gpu_var_samp, GS_MOMENTS, finish_var_samp) \
	row(gpu_variance, GS_MOMENTS, finish_var_samp) \
	row(gpu_stddev_pop, GS_MOMENTS, finish_stddev_pop) \
	row(gpu_stddev_samp, GS_MOMENTS, finish_stddev_samp) \
	row(gpu_stddev, GS_MOMENTS, finish_stddev_samp) \
	row(gpu_norm, GS_MOMENTS, finish_norm) \
	row(gpu_bit_and, GS_BIT_AND, finish_value) \
	row(gpu_bit_or, GS_BIT_OR, finish_value) \
	row(gpu_bit_xor, GS_BIT_XOR, finish_value) \
	row(gpu_bool_and, GS_BIT_AND, finish_value) \
	row(gpu_bool_or, GS_BIT_OR, finish_value)

#define FUNCTION(function, kind, finish) \
PG_FUNCTION_INFO_V1(function); \
Datum \
function(PG_FUNCTION_ARGS) \
{ \
	return reduce(fcinfo, #function, kind, finish); \
}

REDUCTIONS(FUNCTION)

/* The reductions above as a table. */
typedef struct reduction
{
	const char *name;
	PGFunction	function;
	gs_kind		kind;
	finish_function finish;
} reduction;

static const reduction *
find_reduction(PGFunction function)
{
	static const reduction known[] = {
#define KNOWN(function, kind, finish) {#function, function, kind, finish},
		REDUCTIONS(KNOWN)
		{"gpu_stats", gpu_stats_array, GS_STATS, NULL}
	};

	for (int i = 0; i < (int) lengthof(known); i++)
	{
		if (known[i].function == function)
			return &known[i];
	}
	return NULL;
}

/* Where the C function of an SQL function is. */
PGFunction
gs_function_address(Oid function)
{
	FmgrInfo	info;

	fmgr_info(function, &info);
	return info.fn_addr;
}

/*
 * Which reduction does a SQL function make of its argument?  False: none, or
 * not only that.
 */
bool
gs_reduction_of(PGFunction function, gs_kind *kind)
{
	const reduction *r = find_reduction(function);

	if (r != NULL)
		*kind = r->kind;
	return r != NULL;
}

const char *
gs_reduction_name(PGFunction function)
{
	return find_reduction(function)->name;
}

Datum
gs_reduction_finish(PGFunction function, gs_type type, const gs_result *result,
					bool *isnull)
{
	return find_reduction(function)->finish(type, result, isnull);
}

PG_FUNCTION_INFO_V1(gpu_count);

/* The array's NULL bitmap has the answer. */
Datum
gpu_count(PG_FUNCTION_ARGS)
{
	gs_call		call;
	int64		result;

	gs_call_open(&call, "gpu_count", GS_SUM, PG_GETARG_DATUM(0));
	result = gs_array_present(&call.data);
	gs_call_answered(&call, "the array's null bitmap has the answer");
	gs_call_close(&call);
	PG_RETURN_INT64(result);
}
