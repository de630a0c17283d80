/*-------------------------------------------------------------------------
 *
 * histogram2d.c
 *	  gpu_histogram2d: pairs counted by the buckets of both, of arrays and of
 *	  columns.
 *
 * The state of the aggregate is a bigint array: the bits of low and high and
 * the buckets of x, then those of y, then the counts, y moving fastest.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "common/int.h"

#include "exact/exact.h"
#include "functions/histogram/bucket.h"
#include "functions/reduce/pairs.h"

typedef struct axis
{
	double		low;
	double		high;
	int32		buckets;
} axis;

enum
{
	STATE_LOW,
	STATE_HIGH,
	STATE_BUCKETS,
	STATE_AXIS,					/* values of each axis */
	STATE_COUNTS = 2 * STATE_AXIS
};

static void
get_axis(FunctionCallInfo fcinfo, int first, const char *const *names, axis *a)
{
	for (int i = 0; i < STATE_AXIS; i++)
		gs_require_option(fcinfo, first + i, names[i]);
	a->low = PG_GETARG_FLOAT8(first);
	a->high = PG_GETARG_FLOAT8(first + 1);
	a->buckets = PG_GETARG_INT32(first + 2);
}

/* Arguments 2 to 7 of arrays, 3 to 8 of a transition function */
static void
get_axes(FunctionCallInfo fcinfo, int first, axis *x, axis *y)
{
	static const char *const x_names[] = {"x_low", "x_high", "x_buckets"};
	static const char *const y_names[] = {"y_low", "y_high", "y_buckets"};

	get_axis(fcinfo, first, x_names, x);
	get_axis(fcinfo, first + STATE_AXIS, y_names, y);
}

static void
check_axes(const axis *x, const axis *y)
{
	gs_check_buckets(x->low, x->high, x->buckets);
	gs_check_buckets(y->low, y->high, y->buckets);
}

/* An array of zeros; too large a one is refused. */
static ArrayType *
zeros(int ndim, const int *dims)
{
	int64		n = 1;
	Size		size;
	ArrayType  *r;

	for (int i = 0; i < ndim; i++)
	{
		if (pg_mul_s64_overflow(n, dims[i], &n) ||
			n > (int64) MaxArraySize)
			ereport(ERROR,
					errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					errmsg("array size exceeds the maximum allowed (%d)",
						   (int) MaxArraySize));
	}
	size = gs_array_size(n, sizeof(int64), ndim, false);
	r = palloc0(size);
	SET_VARSIZE(r, size);
	r->ndim = ndim;
	r->elemtype = INT8OID;
	for (int i = 0; i < ndim; i++)
	{
		ARR_DIMS(r)[i] = dims[i];
		ARR_LBOUND(r)[i] = 1;
	}
	return r;
}

static void
count_more(int64 *count, int64 more)
{
	if (pg_add_s64_overflow(*count, more, count))
		ereport(ERROR,
				errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("bigint out of range"));
}

static inline void
count_pair(int64 *counts, const axis *x, const axis *y, double vx, double vy,
		   int more)
{
	int32		i = gs_bucket_of(vx, x->low, x->high, x->buckets);
	int32		j = gs_bucket_of(vy, y->low, y->high, y->buckets);

	if (i != 0 && j != 0)
		count_more(&counts[(int64) (i - 1) * y->buckets + j - 1], more);
}

PG_FUNCTION_INFO_V1(gpu_histogram2d);

Datum
gpu_histogram2d(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_array	other;
	gs_pairs	pairs;
	axis		x;
	axis		y;
	ArrayType  *result;

	get_axes(fcinfo, 2, &x, &y);
	check_axes(&x, &y);
	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();
	result = zeros(2, (int[]) {x.buckets, y.buckets});
	gs_call_open_elements(&call, "gpu_histogram2d", PG_GETARG_DATUM(0));
	gs_array_open(&other, PG_GETARG_DATUM(1));
	gs_pairs_open(&pairs, &call.data, &other);
	while (pairs.ys.i < pairs.ys.n)
	{
		double		a;
		double		b;

		if (gs_pairs_next(&pairs, &a, &b))
			count_pair((int64 *) ARR_DATA_PTR(result), &x, &y, a, b, 1);
	}
	gs_array_close(&other);
	gs_call_close_elements(&call);
	PG_RETURN_POINTER(result);
}

/*
 * The aggregate
 */

static pg_noinline void
no_state(void)
{
	ereport(ERROR,
			errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
			errmsg("the array is not a state of gpu_histogram2d"));
}

static inline bool
get_state_axis(const int64 *value, axis *a)
{
	a->low = gs_bits_double((uint64) value[STATE_LOW]);
	a->high = gs_bits_double((uint64) value[STATE_HIGH]);
	a->buckets = (int32) value[STATE_BUCKETS];
	return value[STATE_BUCKETS] >= 1 && value[STATE_BUCKETS] <= PG_INT32_MAX &&
		isfinite(a->low) && isfinite(a->high) && a->low != a->high;
}

static void
set_state_axis(int64 *value, const axis *a)
{
	value[STATE_LOW] = (int64) gs_double_bits(a->low);
	value[STATE_HIGH] = (int64) gs_double_bits(a->high);
	value[STATE_BUCKETS] = a->buckets;
}

static inline int64 *
state_values(ArrayType *state, axis *x, axis *y)
{
	int64	   *value = (int64 *) ARR_DATA_PTR(state);

	if (unlikely(ARR_NDIM(state) != 1 || ARR_HASNULL(state) ||
				 ARR_DIMS(state)[0] <= STATE_COUNTS ||
				 !get_state_axis(value, x) ||
				 !get_state_axis(value + STATE_AXIS, y) ||
				 (int64) x->buckets * y->buckets !=
				 ARR_DIMS(state)[0] - STATE_COUNTS))
		no_state();
	return value;
}

static ArrayType *
new_state(const axis *x, const axis *y)
{
	int64		n;
	ArrayType  *state;

	check_axes(x, y);
	n = (int64) x->buckets * y->buckets + STATE_COUNTS;
	state = zeros(1, (int[]) {(int) Min(n, PG_INT32_MAX)});
	set_state_axis((int64 *) ARR_DATA_PTR(state), x);
	set_state_axis((int64 *) ARR_DATA_PTR(state) + STATE_AXIS, y);
	return state;
}

static ArrayType *
state_to_change(FunctionCallInfo fcinfo)
{
	ArrayType  *state = (ArrayType *) DatumGetPointer(PG_GETARG_DATUM(0));

	if (likely(AggCheckCallContext(fcinfo, NULL) &&
			   !VARATT_IS_EXTENDED(state)))
		return state;
	return PG_GETARG_ARRAYTYPE_P_COPY(0);
}

static pg_noinline void
parameters_changed(void)
{
	ereport(ERROR,
			errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			errmsg("bounds and buckets must not change within a group"));
}

static inline bool
is_same(const axis *a, const axis *b)
{
	return gs_double_bits(a->low) == gs_double_bits(b->low) &&
		gs_double_bits(a->high) == gs_double_bits(b->high) &&
		a->buckets == b->buckets;
}

/* Count a pair, +1, or take it away, -1. */
static Datum
change(FunctionCallInfo fcinfo, int more)
{
	ArrayType  *state;
	int64	   *value;
	axis		wanted[2];
	axis		x;
	axis		y;

	get_axes(fcinfo, 3, &wanted[0], &wanted[1]);
	state = PG_ARGISNULL(0) ? new_state(&wanted[0], &wanted[1]) :
		state_to_change(fcinfo);
	value = state_values(state, &x, &y);
	if (!is_same(&x, &wanted[0]) || !is_same(&y, &wanted[1]))
		parameters_changed();
	if (!PG_ARGISNULL(1) && !PG_ARGISNULL(2))
		count_pair(value + STATE_COUNTS, &x, &y, PG_GETARG_FLOAT8(1),
				   PG_GETARG_FLOAT8(2), more);
	PG_RETURN_POINTER(state);
}

PG_FUNCTION_INFO_V1(gpu_histogram2d_add);

/* gpu_histogram2d_add(bigint[], x, y, axis of x, axis of y) */
Datum
gpu_histogram2d_add(PG_FUNCTION_ARGS)
{
	return change(fcinfo, 1);
}

PG_FUNCTION_INFO_V1(gpu_histogram2d_remove);

Datum
gpu_histogram2d_remove(PG_FUNCTION_ARGS)
{
	return change(fcinfo, -1);
}

PG_FUNCTION_INFO_V1(gpu_histogram2d_merge);

Datum
gpu_histogram2d_merge(PG_FUNCTION_ARGS)
{
	ArrayType  *state = state_to_change(fcinfo);
	axis		x;
	axis		y;
	axis		other_x;
	axis		other_y;
	int64	   *value = state_values(state, &x, &y);
	const int64 *other = state_values(PG_GETARG_ARRAYTYPE_P(1), &other_x,
									  &other_y);

	if (!is_same(&x, &other_x) || !is_same(&y, &other_y))
		parameters_changed();
	for (int i = STATE_COUNTS; i < ARR_DIMS(state)[0]; i++)
		count_more(&value[i], other[i]);
	PG_RETURN_POINTER(state);
}

PG_FUNCTION_INFO_V1(gpu_histogram2d_final);

/* Returns the counts, in two dimensions. */
Datum
gpu_histogram2d_final(PG_FUNCTION_ARGS)
{
	axis		x;
	axis		y;
	int64	   *value = state_values(PG_GETARG_ARRAYTYPE_P(0), &x, &y);
	ArrayType  *result = zeros(2, (int[]) {x.buckets, y.buckets});

	memcpy(ARR_DATA_PTR(result), value + STATE_COUNTS,
		   sizeof(int64) * x.buckets * y.buckets);
	PG_RETURN_POINTER(result);
}
