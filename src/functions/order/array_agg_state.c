/*-------------------------------------------------------------------------
 *
 * array_agg_state.c
 *	  Aggregates whose state is an array.
 *
 * An aggregate that needs all values of a group at once keeps them in an array
 * with spare capacity, which doubles when it is used up.  So each value is
 * copied only a few times, the state is of an ordinary type, and the final
 * function is the array function.  A percentile's state begins with its
 * fraction, NaN for NULL.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "access/tupmacs.h"
#include "catalog/pg_type.h"
#include "common/int.h"
#include "utils/float.h"

#include "call/call.h"
#include "functions/order/collected.h"
#include "functions/order/order.h"

static ArrayType *
state_argument(FunctionCallInfo fcinfo, int i)
{
	ArrayType  *a;

	if (PG_ARGISNULL(i))		/* the function may not be strict */
		ereport(ERROR,
				errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				errmsg("the state must not be null"));
	a = PG_GETARG_ARRAYTYPE_P(i);
	if (ARR_NDIM(a) > 1 || ARR_HASNULL(a))
		ereport(ERROR,
				errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				errmsg("the state must be an array of one dimension without nulls"));
	return a;
}

static int64
state_count(const ArrayType *a)
{
	return ARR_NDIM(a) == 0 ? 0 : ARR_DIMS(a)[0];
}

/* Make sure that `more` elements fit after the last; may return a copy. */
static ArrayType *
reserve(FunctionCallInfo fcinfo, ArrayType *a, int64 more, int width)
{
	const Size	header = ARR_OVERHEAD_NONULLS(1);
	int64		n = state_count(a);
	int64		capacity = ARR_NDIM(a) == 0 ? 0 :
		(ARR_SIZE(a) - header) / width;
	ArrayType  *r;

	if (likely(n + more <= capacity && AggCheckCallContext(fcinfo, NULL)))
		return a;
	capacity = gs_group_capacity(n, n + more, header, width, "values");
	r = gs_alloc_large(header + capacity * width);
	SET_VARSIZE(r, header + capacity * width);
	r->ndim = 1;
	r->dataoffset = 0;
	r->elemtype = ARR_ELEMTYPE(a);
	ARR_DIMS(r)[0] = n;
	ARR_LBOUND(r)[0] = 1;
	memcpy(ARR_DATA_PTR(r), ARR_DATA_PTR(a), n * width);
	memset(ARR_DATA_PTR(r) + n * width, 0, (capacity - n) * width);
	return r;
}

static int
element_width(const ArrayType *a)
{
	switch (ARR_ELEMTYPE(a))
	{
		case INT2OID:
			return sizeof(int16);
		case INT4OID:
		case FLOAT4OID:
		case DATEOID:
			return sizeof(int32);
		default:
			return sizeof(int64);
	}
}

PG_FUNCTION_INFO_V1(gpu_collect);

/* gpu_collect(E[], E) */
Datum
gpu_collect(PG_FUNCTION_ARGS)
{
	ArrayType  *a = state_argument(fcinfo, 0);
	int			width = element_width(a);

	a = reserve(fcinfo, a, 1, width);
	store_att_byval(ARR_DATA_PTR(a) + (Size) ARR_DIMS(a)[0] * width,
					PG_GETARG_DATUM(1), width);
	ARR_DIMS(a)[0]++;
	PG_RETURN_POINTER(a);
}

/* Append the elements of b, starting at element `first`. */
static ArrayType *
append(FunctionCallInfo fcinfo, ArrayType *a, const ArrayType *b, int64 first)
{
	int			width = element_width(a);
	int64		more = state_count(b) - first;

	if (more <= 0)
		return a;
	a = reserve(fcinfo, a, more, width);
	memcpy(ARR_DATA_PTR(a) + (Size) ARR_DIMS(a)[0] * width,
		   ARR_DATA_PTR(b) + first * width, more * width);
	ARR_DIMS(a)[0] += more;
	return a;
}

PG_FUNCTION_INFO_V1(gpu_collect_merge);

/* gpu_collect_merge(E[], E[]) */
Datum
gpu_collect_merge(PG_FUNCTION_ARGS)
{
	ArrayType  *a = state_argument(fcinfo, 0);

	PG_RETURN_POINTER(append(fcinfo, a, state_argument(fcinfo, 1), 0));
}

/*
 * The state of a percentile: the fraction, NaN for NULL, followed by doubles;
 * or, since a double cannot hold every bigint, the bits of the fraction
 * followed by bigints.
 */
static const char *
fraction_text(double fraction)
{
	return isnan(fraction) ? "NULL" : float8out_internal(fraction);
}

static void
check_fractions(double a, double b)
{
	if (a != b && !(isnan(a) && isnan(b)))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("fraction must not change within a group"),
				errdetail("It changes from %s to %s.",
						  fraction_text(a), fraction_text(b)));
}

static ArrayType *
append_word(FunctionCallInfo fcinfo, ArrayType *a, Datum value)
{
	a = reserve(fcinfo, a, 1, sizeof(int64));
	((Datum *) ARR_DATA_PTR(a))[ARR_DIMS(a)[0]] = value;
	ARR_DIMS(a)[0]++;
	return a;
}

static ArrayType *
append_double(FunctionCallInfo fcinfo, ArrayType *a, double value)
{
	return append_word(fcinfo, a, Float8GetDatum(value));
}

static ArrayType *
append_to_percentile(FunctionCallInfo fcinfo, Datum value)
{
	ArrayType  *a = state_argument(fcinfo, 0);
	double		fraction;

	fraction = PG_ARGISNULL(2) ? get_float8_nan() : PG_GETARG_FLOAT8(2);
	if (state_count(a) > 0)
		check_fractions(*(double *) ARR_DATA_PTR(a), fraction);
	else
	{
		if (!PG_ARGISNULL(2))
			gs_check_fraction(fraction);
		a = append_double(fcinfo, a, fraction);
	}
	/* with a NULL fraction the values do not matter */
	return PG_ARGISNULL(1) || PG_ARGISNULL(2) ? a :
		append_word(fcinfo, a, value);
}

/* _gpu_percentile_collect(double precision[], E, double precision) */
#define PERCENTILE_APPEND(suffix, argument) \
PG_FUNCTION_INFO_V1(gpu_percentile_collect_##suffix); \
Datum \
gpu_percentile_collect_##suffix(PG_FUNCTION_ARGS) \
{ \
	Datum		value = PG_ARGISNULL(1) ? 0 : \
		Float8GetDatum((double) argument(1)); \
 \
	PG_RETURN_POINTER(append_to_percentile(fcinfo, value)); \
}

PERCENTILE_APPEND(int2, PG_GETARG_INT16)
PERCENTILE_APPEND(int4, PG_GETARG_INT32)
PERCENTILE_APPEND(float4, PG_GETARG_FLOAT4)
PERCENTILE_APPEND(float8, PG_GETARG_FLOAT8)

PG_FUNCTION_INFO_V1(gpu_percentile_collect_int8);

/* _gpu_percentile_collect(bigint[], bigint, double precision) */
Datum
gpu_percentile_collect_int8(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(append_to_percentile(fcinfo, PG_GETARG_DATUM(1)));
}

PG_FUNCTION_INFO_V1(gpu_percentile_merge);

Datum
gpu_percentile_merge(PG_FUNCTION_ARGS)
{
	ArrayType  *a = state_argument(fcinfo, 0);
	ArrayType  *b = state_argument(fcinfo, 1);

	if (state_count(a) > 0 && state_count(b) > 0)
		check_fractions(*(double *) ARR_DATA_PTR(a),
						*(double *) ARR_DATA_PTR(b));
	PG_RETURN_POINTER(append(fcinfo, a, b, state_count(a) > 0 ? 1 : 0));
}

PG_FUNCTION_INFO_V1(gpu_percentile_final);

Datum
gpu_percentile_final(PG_FUNCTION_ARGS)
{
	ArrayType  *a = state_argument(fcinfo, 0);
	double		fraction;
	gs_call		call;

	if (state_count(a) == 0)
	{
		gs_check_unused_fraction(fcinfo);
		PG_RETURN_NULL();
	}
	fraction = *(double *) ARR_DATA_PTR(a);
	if (isnan(fraction))
		PG_RETURN_NULL();
	gs_check_fraction(fraction);
	gs_call_open(&call, "gpu_percentile_cont", GS_SELECT, PointerGetDatum(a));
	call.data.values += sizeof(double);
	call.data.n--;
	return gs_percentile(fcinfo, &call, fraction, false);
}

/*
 * Sums of arrays, element by element
 */

void
gs_check_same_shape(const ArrayType *a, const ArrayType *b)
{
	if (ARR_NDIM(a) == ARR_NDIM(b) &&
		memcmp(ARR_DIMS(a), ARR_DIMS(b), ARR_NDIM(a) * sizeof(int)) == 0)
		return;
	ereport(ERROR,
			errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
			errmsg("arrays of different lengths cannot be added"),
			errdetail("They have %d and %d elements.",
					  ArrayGetNItems(ARR_NDIM(a), ARR_DIMS(a)),
					  ArrayGetNItems(ARR_NDIM(b), ARR_DIMS(b))));
}

pg_noinline void
gs_sum_out_of_range(int i)
{
	ereport(ERROR,
			errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			errmsg("bigint out of range"),
			errdetail("The sum at element %d leaves the range.", i + 1));
}

static int64
add_element(int64 a, int64 b, int i)
{
	int64		sum;

	if (pg_add_s64_overflow(a, b, &sum))
		gs_sum_out_of_range(i);
	return sum;
}

/* The sum of NULL and a value is the value. */
static ArrayType *
add_with_nulls(ArrayType *a, ArrayType *b)
{
	Datum	   *x;
	Datum	   *y;
	bool	   *x_null;
	bool	   *y_null;
	int			n;

	deconstruct_array(a, INT8OID, sizeof(int64), FLOAT8PASSBYVAL,
					  TYPALIGN_DOUBLE, &x, &x_null, &n);
	deconstruct_array(b, INT8OID, sizeof(int64), FLOAT8PASSBYVAL,
					  TYPALIGN_DOUBLE, &y, &y_null, &n);
	for (int i = 0; i < n; i++)
	{
		if (y_null[i])
			continue;
		x[i] = x_null[i] ? y[i] :
			Int64GetDatum(add_element(DatumGetInt64(x[i]),
									  DatumGetInt64(y[i]), i));
		x_null[i] = false;
	}
	return construct_md_array(x, x_null, ARR_NDIM(a), ARR_DIMS(a),
							  ARR_LBOUND(a), INT8OID, sizeof(int64),
							  FLOAT8PASSBYVAL, TYPALIGN_DOUBLE);
}

PG_FUNCTION_INFO_V1(gpu_array_add);

/* gpu_array_add(bigint[], bigint[]): modifies the first in an aggregate */
Datum
gpu_array_add(PG_FUNCTION_ARGS)
{
	ArrayType  *a = PG_GETARG_ARRAYTYPE_P(0);
	ArrayType  *b = PG_GETARG_ARRAYTYPE_P(1);
	int			n = ArrayGetNItems(ARR_NDIM(a), ARR_DIMS(a));
	int64	   *x;
	const int64 *y;

	gs_check_same_shape(a, b);
	if (ARR_HASNULL(a) || ARR_HASNULL(b))
		PG_RETURN_POINTER(add_with_nulls(a, b));
	if (!AggCheckCallContext(fcinfo, NULL))
		a = PG_GETARG_ARRAYTYPE_P_COPY(0);
	x = (int64 *) ARR_DATA_PTR(a);
	y = (const int64 *) ARR_DATA_PTR(b);
	for (int i = 0; i < n; i++)
		x[i] = add_element(x[i], y[i], i);
	PG_RETURN_POINTER(a);
}
