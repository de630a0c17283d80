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
#include "call/numeric.h"
#include "functions/reduce.h"

/* Returns the result, or sets *isnull. */
typedef Datum (*finish_function) (gs_type type, const gs_result *result,
								  bool *isnull);

static Datum
reduce(FunctionCallInfo fcinfo, const char *function, gs_kind kind,
	   finish_function finish)
{
	gs_call		call;
	Datum		result = (Datum) 0;
	bool		isnull = false;

	gs_call_reduce(&call, function, kind, PG_GETARG_DATUM(0));
	if (call.result.present == 0)
		isnull = true;
	else
		result = finish(call.data.type, &call.result, &isnull);
	if (isnull)
		PG_RETURN_NULL();
	return result;
}

static bool
is_float(gs_type type)
{
	return type == GS_FLOAT4 || type == GS_FLOAT8;
}

/* A double rounded from an exact result. */
static Datum
rounded(gs_rounding rounding, const double *value, bool *isnull)
{
	if (rounding == GS_OVERFLOW)
		gs_float_overflow();
	*isnull = rounding == GS_UNDEFINED;
	return Float8GetDatum(*value);
}

Datum
gs_round_sum(gs_type type, gs_limbs sum)
{
	double		value = 0;
	float		value4 = 0;

	if (type == GS_FLOAT4)
	{
		if (gs_limbs_round_float(sum, &value4) == GS_OVERFLOW)
			gs_float_overflow();
		return Float4GetDatum(value4);
	}
	if (gs_limbs_round(sum, &value) == GS_OVERFLOW)
		gs_float_overflow();
	return Float8GetDatum(value);
}

Datum
gs_finish_sum(gs_type type, const gs_result *result,
			  bool *isnull pg_attribute_unused())
{
	switch (type)
	{
		case GS_FLOAT4:
		case GS_FLOAT8:
			return gs_round_sum(type, gs_acc_limbs(&result->sum));
		case GS_INT8:
			return gs_numeric_sum(result, 0);
		default:
			/* an array has too few elements for more than 64 bits */
			return Int64GetDatum((int64) result->isum[0]);
	}
}

/* Of any integers numeric, as for products. */
static Datum
finish_asum(gs_type type, const gs_result *result, bool *isnull)
{
	return is_float(type) ? gs_finish_sum(type, result, isnull) :
		gs_numeric_sum(result, 0);
}

/* n is not 0. */
Datum
gs_round_avg(gs_limbs sum, int64 n)
{
	double		value = 0;

	if (gs_limbs_mean(sum, n, &value) == GS_OVERFLOW)
		gs_float_overflow();
	return Float8GetDatum(value);
}

Datum
gs_finish_avg(gs_type type, const gs_result *result,
			  bool *isnull pg_attribute_unused())
{
	if (!is_float(type))
		return gs_numeric_avg(result, 0);
	return gs_round_avg(gs_acc_limbs(&result->sum), result->present);
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

Datum
gs_round_stddev_samp(gs_limbs sum, gs_limbs squares, int64 n, bool *isnull)
{
	double		value = 0;
	gs_rounding rounding = gs_limbs_stddev(sum, squares, n, true, &value);

	return rounded(rounding, &value, isnull);
}

static Datum
finish_spread(gs_type type, const gs_result *result, bool *isnull,
			  gs_spread spread, bool sample)
{
	double		value = 0;
	gs_rounding rounding;

	if (is_float(type))
	{
		rounding = (spread == GS_STDDEV ? gs_stddev : gs_variance)
			(&result->sum, &result->squares, result->present, sample, &value);
		return rounded(rounding, &value, isnull);
	}
	if (sample && result->present < 2)
	{
		*isnull = true;
		return (Datum) 0;
	}
	return gs_numeric_spread(result, 0, spread, sample);
}

static Datum
finish_var_pop(gs_type type, const gs_result *result, bool *isnull)
{
	return finish_spread(type, result, isnull, GS_VARIANCE, false);
}

static Datum
finish_var_samp(gs_type type, const gs_result *result, bool *isnull)
{
	return finish_spread(type, result, isnull, GS_VARIANCE, true);
}

static Datum
finish_stddev_pop(gs_type type, const gs_result *result, bool *isnull)
{
	return finish_spread(type, result, isnull, GS_STDDEV, false);
}

Datum
gs_finish_stddev_samp(gs_type type, const gs_result *result, bool *isnull)
{
	return finish_spread(type, result, isnull, GS_STDDEV, true);
}

/* The square root of the sum of squares, in double precision for all types. */
static Datum
finish_norm(gs_type type, const gs_result *result, bool *isnull)
{
	const uint32_t infinities = GS_SEEN_POSITIVE_INF | GS_SEEN_NEGATIVE_INF;
	gs_acc2		squares;
	double		value = 0;

	if (is_float(type))
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
	return rounded(gs_acc2_sqrt(&squares, &value), &value, isnull);
}

/* SQL function, operation, how its result is finished */
#define REDUCTIONS(row) \
	row(gpu_sum, GS_SUM, gs_finish_sum) \
	row(gpu_avg, GS_SUM, gs_finish_avg) \
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
	row(gpu_stddev_samp, GS_MOMENTS, gs_finish_stddev_samp) \
	row(gpu_stddev, GS_MOMENTS, gs_finish_stddev_samp) \
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
