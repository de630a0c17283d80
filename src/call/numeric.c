/*-------------------------------------------------------------------------
 *
 * numeric.c
 *	  Results of type numeric, from exact sums.
 *
 * They must equal those of avg, variance and stddev over the same values, to
 * the last digit and the display scale.  So they are computed with numeric's own
 * operators, in the order of the built-in aggregates.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "parser/parse_func.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "call/call.h"
#include "call/decimal.h"
#include "call/numeric.h"

static Datum
numeric_from_int64(int64 value)
{
	return NumericGetDatum(int64_to_numeric(value));
}

/* As avg; count is not 0. */
Datum
gs_numeric_mean(Datum sum, int64 count)
{
	return DirectFunctionCall2(numeric_div, sum, numeric_from_int64(count));
}

/*
 * The square root of a variance, rounded once, to the scale of the variance,
 * as stddev does it.
 *
 * numeric_sqrt rounds to a scale of its own choice, sometimes with more
 * digits. Rounding again, half up, goes wrong in only one case: if the first
 * rounding went up to a half.  The result s is then one unit u too large,
 * which shows in (s - u/2)^2 being above the variance.
 */
static Datum
sqrt_of_variance(Datum variance)
{
	Datum		scale = DirectFunctionCall1(numeric_scale, variance);
	Datum		root = DirectFunctionCall1(numeric_sqrt, variance);
	char	   *half_text;
	Datum		half;
	Datum		low;
	Datum		square;

	root = DirectFunctionCall2(numeric_round, root, scale);
	half_text = psprintf("5e-%d", DatumGetInt32(scale) + 1);
	half = DirectFunctionCall3(numeric_in, CStringGetDatum(half_text),
							   ObjectIdGetDatum(InvalidOid),
							   Int32GetDatum(-1));
	low = DirectFunctionCall2(numeric_sub, root, half);
	square = DirectFunctionCall2(numeric_mul, low, low);
	if (DatumGetBool(DirectFunctionCall2(numeric_gt, square, variance)))
	{
		root = DirectFunctionCall2(numeric_sub, low, half);
		root = DirectFunctionCall2(numeric_round, root, scale);
	}
	return root;
}

/*
 * As var_pop, var_samp, stddev_pop and stddev_samp.  The caller has checked that
 * there are enough values.
 */
Datum
gs_numeric_spread(Datum sum, Datum squares, int64 n, gs_figure f)
{
	Datum		count = numeric_from_int64(n);
	Datum		zero = numeric_from_int64(0);
	Datum		numerator;
	Datum		denominator;
	Datum		variance;

	/* n * squares - sum^2 */
	numerator = DirectFunctionCall2(numeric_mul, count, squares);
	numerator = DirectFunctionCall2(numeric_sub, numerator,
									DirectFunctionCall2(numeric_mul, sum, sum));
	if (numeric_is_nan(DatumGetNumeric(numerator)))
		return numerator;
	if (DatumGetBool(DirectFunctionCall2(numeric_eq, numerator, zero)))
		return zero;

	denominator = DirectFunctionCall2(numeric_mul, count,
									  numeric_from_int64(n + 1 -
														 gs_figure_least(f)));
	variance = DirectFunctionCall2(numeric_div, numerator, denominator);
	return f == GS_FIGURE_STDDEV_POP || f == GS_FIGURE_STDDEV_SAMP ?
		sqrt_of_variance(variance) : variance;
}

/*
 * An integer of 32-bit words, least significant first, times 2^exponent,
 * exactly.  Halving is multiplying by 5 and dividing by 10.
 */
Datum
gs_numeric_binary(const uint32_t *words, int n, bool negative, int exponent)
{
	Datum		radix = numeric_from_int64(INT64_C(1) << 32);
	Datum		result = numeric_from_int64(0);
	char		tens[20];
	Datum		scale;

	for (int i = n - 1; i >= 0; i--)
	{
		result = DirectFunctionCall2(numeric_mul, result, radix);
		result = DirectFunctionCall2(numeric_add, result,
									 numeric_from_int64(words[i]));
	}
	if (negative)
		result = DirectFunctionCall1(numeric_uminus, result);
	for (int e = exponent; e > 0; e -= 32)
	{
		int64		power = INT64_C(1) << Min(e, 32);

		result = DirectFunctionCall2(numeric_mul, result,
									 numeric_from_int64(power));
	}
	if (exponent >= 0)
		return result;

	for (int e = -exponent; e > 0; e -= 27)
	{
		int64		power = 1;

		for (int i = 0; i < Min(e, 27); i++)
			power *= 5;
		result = DirectFunctionCall2(numeric_mul, result,
									 numeric_from_int64(power));
	}
	snprintf(tens, sizeof tens, "1e%d", exponent);
	scale = DirectFunctionCall3(numeric_in, CStringGetDatum(tens),
								ObjectIdGetDatum(InvalidOid),
								Int32GetDatum(-1));
	result = DirectFunctionCall2(numeric_mul, result, scale);
	return DirectFunctionCall1(numeric_trim_scale, result);
}

static void
refuse_numeric_array(FunctionCallInfo fcinfo)
{
	ereport(ERROR,
			errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			errmsg("%s does not support type numeric[]",
				   get_func_name(fcinfo->flinfo->fn_oid)),
			errhint("Cast the array, for example to double precision[] or bigint[]."));
}

/* An array of a type that no function takes. */
static void
refuse_array(FunctionCallInfo fcinfo, Oid type)
{
	ereport(ERROR,
			errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			errmsg("%s does not support type %s",
				   get_func_name(fcinfo->flinfo->fn_oid),
				   format_type_be(type)),
			errhint("gpuscan's functions accept arrays of smallint, integer, bigint, real and double precision; some also accept boolean, date, timestamp and timestamptz."));
}

/* Which of GS_ANY_ELEMENTS is an element type?  0: none. */
static int
kind_of_elements(Oid type)
{
	switch (type)
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case FLOAT4OID:
		case FLOAT8OID:
			return GS_NUMBERS;
		case BOOLOID:
			return GS_BOOLEANS;
	}
	return gs_is_time(type) ? GS_TIMES : 0;
}

/*
 * Raise an error if the first argument, an anyarray, is of other elements.  If
 * those are of a type that other functions take, or the other arguments decide,
 * it is the same error as if there were one overload per type.
 */
void
gs_require_elements(FunctionCallInfo fcinfo, int elements)
{
	Oid			function = fcinfo->flinfo->fn_oid;
	Oid			types[FUNC_MAX_ARGS] = {InvalidOid};
	Oid			type;

	for (int i = 0; i < PG_NARGS(); i++)
		types[i] = get_fn_expr_argtype(fcinfo->flinfo, i);
	type = get_base_element_type(types[0]);
	if (kind_of_elements(type) & elements)
		return;
	if (type == NUMERICOID)
		refuse_numeric_array(fcinfo);
	if (OidIsValid(type) && kind_of_elements(type) == 0)
		refuse_array(fcinfo, types[0]);
	ereport(ERROR,
			errcode(ERRCODE_UNDEFINED_FUNCTION),
			errmsg("function %s does not exist",
				   funcname_signature_string(get_func_name(function),
											 PG_NARGS(), NIL, types)),
			errhint("No function matches the given name and argument types. "
					"You might need to add explicit type casts."));
}

PG_FUNCTION_INFO_V1(gpuscan_numeric_unsupported);

/*
 * Declared for functions that do not take numeric[], which would otherwise
 * silently be cast to an array of double precision.
 */
Datum
gpuscan_numeric_unsupported(PG_FUNCTION_ARGS)
{
	refuse_numeric_array(fcinfo);
	PG_RETURN_NULL();
}

PG_FUNCTION_INFO_V1(gpuscan_numeric_column_unsupported);

/* Declared for aggregates and window functions that do not take numeric. */
Datum
gpuscan_numeric_column_unsupported(PG_FUNCTION_ARGS)
{
	Aggref	   *aggregate = AggGetAggref(fcinfo);

	ereport(ERROR,
			errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			errmsg("%s does not support type numeric",
				   get_func_name(aggregate != NULL ? aggregate->aggfnoid :
								 fcinfo->flinfo->fn_oid)),
			errhint("Cast the argument, for example to double precision or bigint."));
	PG_RETURN_NULL();
}
