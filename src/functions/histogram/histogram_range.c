/*-------------------------------------------------------------------------
 *
 * histogram_range.c
 *	  gpu_histogram(arr, buckets): buckets between the least element and the
 *	  greatest, both counted, as NumPy's histogram has them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "utils/float.h"
#include "utils/lsyscache.h"

#include "call/array_iteration.h"
#include "call/numeric.h"
#include "functions/histogram/bucket.h"
#include "functions/reduce/reduce.h"

/* Counts beside those of the buckets: below, above, NaN. */
#define EXTRA_COUNTS	3

/* The least or greatest element. */
typedef struct extreme
{
	double		value;			/* infinite if it is */
	Oid			type;
	Datum		datum;
} extreme;

static double
double_from_element(const gs_array *a, Datum element)
{
	gs_number	value = gs_number_from_datum(element, a->type);

	if (gs_is_float(a->type))
		return value.d;
	if (gs_is_time(a->elemtype) && !gs_time_is_finite(a->elemtype, value.i))
		return value.i < 0 ? -get_float8_infinity() : get_float8_infinity();
	return (double) value.i;
}

/* False if all are NULL. */
static bool
find_extreme(Datum array, gs_kind kind, extreme *result, int64 *present)
{
	gs_call		call;

	gs_call_open(&call, "gpu_histogram", kind, array);
	gs_call_execute(&call);
	*present = call.result.present;
	if (*present > 0)
	{
		result->type = call.data.elemtype;
		result->datum = gs_datum_from_value(call.data.type,
											&call.result.value);
		result->value = double_from_element(&call.data, result->datum);
	}
	gs_call_close(&call);
	return *present > 0;
}

static char *
text_of(const extreme *e)
{
	Oid			output;
	bool		varlena;

	getTypeOutputInfo(e->type, &output, &varlena);
	return OidOutputFunctionCall(output, e->datum);
}

static void
check_range(const extreme *low, const extreme *high)
{
	if (isfinite(low->value) && isfinite(high->value))
		return;
	ereport(ERROR,
			errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			errmsg("the range of the elements is not finite"),
			errdetail("It goes from %s to %s.",
					  text_of(low), text_of(high)),
			errhint("Give bounds, or use gpu_filter() to remove elements that are not finite."));
}

/*
 * What an engine counts as below the range or above it are the greatest element
 * and integers beyond 2^53 that are not as the bound is, which is rounded.
 */
static void
count_between(Datum array, double low, double high, int32 buckets,
			  int64 *counts)
{
	gs_call		call;

	gs_check_buckets(low, high, buckets);
	gs_call_open(&call, "gpu_histogram", GS_HISTOGRAM_WIDTH, array);
	call.op.histogram.low = low;
	call.op.histogram.high = high;
	call.op.histogram.buckets = buckets;
	call.op.histogram.formula = gs_server_formula();
	if (gs_range_is_wide(low, high, buckets))
	{
		call.op.kind = GS_HISTOGRAM_EDGES;
		call.op.histogram.edges = gs_wide_edges(low, high, buckets);
	}
	call.result.counts = gs_alloc_large((buckets + (Size) EXTRA_COUNTS) *
										sizeof(int64));
	gs_call_execute(&call);
	memcpy(counts, call.result.counts + 1, buckets * sizeof(int64));
	counts[0] += call.result.counts[0];
	counts[buckets - 1] += call.result.counts[buckets + INT64CONST(1)];
	pfree(call.result.counts);
	gs_call_close(&call);
}

PG_FUNCTION_INFO_V1(gpu_histogram_range);

/*
 * gpu_histogram(arr, buckets).  Elements that are all equal are in the middle
 * of a range that is 1 wide, and without elements all counts are 0.
 */
Datum
gpu_histogram_range(PG_FUNCTION_ARGS)
{
	Datum		array;
	int32		buckets;
	extreme		low = {.value = 0};
	extreme		high = {.value = 1};
	int64		present;
	Size		size;
	ArrayType  *result;
	int64	   *counts;

	gs_require_elements(fcinfo, GS_NUMBERS | GS_TIMES);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	gs_require_option(fcinfo, 1, "buckets");
	array = PG_GETARG_DATUM(0);
	buckets = PG_GETARG_INT32(1);
	gs_check_buckets(0, 1, buckets);
	if (find_extreme(array, GS_MIN, &low, &present))
	{
		(void) find_extreme(array, GS_MAX, &high, &present);
		check_range(&low, &high);
	}
	size = gs_array_size(buckets, sizeof(int64), 1, false);
	result = gs_alloc_large(size);
	SET_VARSIZE(result, size);
	result->ndim = 1;
	result->dataoffset = 0;
	result->elemtype = INT8OID;
	ARR_DIMS(result)[0] = buckets;
	ARR_LBOUND(result)[0] = 1;
	counts = (int64 *) ARR_DATA_PTR(result);
	if (present > 0 && low.value < high.value)
		count_between(array, low.value, high.value, buckets, counts);
	else
	{
		memset(counts, 0, buckets * sizeof(int64));
		counts[buckets / 2] = present;
	}
	PG_RETURN_ARRAYTYPE_P(result);
}
