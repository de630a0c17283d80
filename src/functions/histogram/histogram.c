/*-------------------------------------------------------------------------
 *
 * histogram.c
 *	  SQL functions that count elements by bucket.
 *
 * Buckets of equal width are those of the server's own width_bucket, or the
 * mathematical ones where that overflows (bucket.c).  To an engine the latter
 * are buckets between given edges.
 *
 * An engine counts elements below the range, in each bucket, above the range,
 * and NaN, in that order.  gpu_histogram returns the buckets alone,
 * gpu_histogram_table all counts.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "pg/compat.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "common/int.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/date.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"

#include "functions/histogram/bucket.h"
#include "functions/histogram/histogram_time.h"
#include "call/call.h"
#include "call/decimal.h"
#include "pg/row_type.h"

/* Counts beside those of the buckets: below, above, NaN. */
#define EXTRA_COUNTS	3

/* State of gpu_histogram_table between rows. */
typedef struct table_state
{
	gs_op		op;				/* edges are a copy; NULL: equal width */
	Oid			elemtype;
	int64	   *counts;
	double		upper;			/* of the previous row */
} table_state;

/* Argument `arg`: a double or, of times, one of them */
static double
get_bound(FunctionCallInfo fcinfo, int arg, Oid type)
{
	return gs_is_time(type) ? gs_bound_from_time(type, PG_GETARG_DATUM(arg)) :
		PG_GETARG_FLOAT8(arg);
}

/* Arguments low, high, buckets, from `first` on */
static void
get_width(FunctionCallInfo fcinfo, int first, Oid type, gs_op *op)
{
	gs_require_option(fcinfo, first, "low");
	gs_require_option(fcinfo, first + 1, "high");
	gs_require_option(fcinfo, first + 2, "buckets");
	op->histogram.low = get_bound(fcinfo, first, type);
	op->histogram.high = get_bound(fcinfo, first + 1, type);
	op->histogram.buckets = PG_GETARG_INT32(first + 2);
	op->histogram.formula = gs_server_formula();
	gs_check_buckets(op->histogram.low, op->histogram.high,
					 op->histogram.buckets);
}

/* Read edges that have been opened, and check them. */
static const double *
read_edges(gs_array *edges)
{
	gs_array_read(edges);
	if (gs_array_present(edges) < edges->n)
		ereport(ERROR,
				errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				errmsg("edges must not contain nulls"));
	gs_check_edges((const double *) edges->values, edges->n);
	return (const double *) edges->values;
}

/*
 * Arguments (arr, edges).  Stored edges are not read until they are needed:
 * the service may have a cached copy, which has been checked.
 */
static void
get_edges(FunctionCallInfo fcinfo, gs_call *call, gs_array *edges)
{
	gs_array_open_lazily(edges, PG_GETARG_DATUM(1));
	if (edges->n < 2)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("there must be at least two edges, but there are %lld",
					   (long long) edges->n));
	call->op.histogram.buckets = (int32) (edges->n - 1);
	if (gs_is_time(edges->elemtype))
	{
		call->op.histogram.edges = gs_edges_from_times(edges);
		gs_array_close(edges);
		return;
	}
	call->edges = edges;
	call->read_edges = read_edges;
	if (edges->toast_id.database == InvalidOid)
		call->op.histogram.edges = read_edges(edges);
}

/* Open the call for either argument list; false if an array is NULL. */
static bool
histogram_open(FunctionCallInfo fcinfo, const char *function, gs_call *call,
			   gs_array *edges)
{
	bool		by_edges = PG_NARGS() == 2;

	if (PG_ARGISNULL(0) || (by_edges && PG_ARGISNULL(1)))
		return false;
	gs_call_open(call, function,
				 by_edges ? GS_HISTOGRAM_EDGES : GS_HISTOGRAM_WIDTH,
				 PG_GETARG_DATUM(0));
	if (by_edges)
	{
		get_edges(fcinfo, call, edges);
		return true;
	}
	get_width(fcinfo, 1, call->data.elemtype, &call->op);
	if (gs_range_is_wide(call->op.histogram.low, call->op.histogram.high,
						 call->op.histogram.buckets))
	{
		call->op.kind = GS_HISTOGRAM_EDGES;
		call->op.histogram.edges =
			gs_wide_edges(call->op.histogram.low, call->op.histogram.high,
						  call->op.histogram.buckets);
	}
	return true;
}

/*
 * Execute the call.  For a reversed range that is given as edges, the engine's
 * first bucket is the last one: put the counts in order.
 */
static void
histogram_execute(gs_call *call)
{
	int64	   *counts = call->result.counts;
	const gs_op *op = &call->op;

	gs_call_execute(call);
	if (op->kind != GS_HISTOGRAM_EDGES || op->histogram.low <= op->histogram.high)
		return;
	for (int64 i = 0, j = op->histogram.buckets + INT64CONST(1); i < j; i++, j--)
	{
		int64		count = counts[i];

		counts[i] = counts[j];
		counts[j] = count;
	}
}

static void
histogram_close(gs_call *call)
{
	if (call->edges != NULL)
		gs_array_close(call->edges);
	gs_call_close(call);
}

PG_FUNCTION_INFO_V1(gpu_histogram);

Datum
gpu_histogram(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_array	edges;
	int64		buckets;
	Size		size;
	ArrayType  *result;

	if (!histogram_open(fcinfo, "gpu_histogram", &call, &edges))
		PG_RETURN_NULL();

	/*
	 * The engine writes its counts straight into the result array.  The count
	 * below the range overlaps the header, which is written later; those
	 * after the buckets are cut off.
	 */
	buckets = call.op.histogram.buckets;
	size = gs_array_size(buckets, sizeof(int64), 1, false);
	result = gs_alloc_large(size + (EXTRA_COUNTS - 1) * sizeof(int64));
	call.result.counts = (int64 *)
		((char *) result + ARR_OVERHEAD_NONULLS(1)) - 1;
	histogram_execute(&call);
	histogram_close(&call);

	SET_VARSIZE(result, size);
	result->ndim = 1;
	result->dataoffset = 0;
	result->elemtype = INT8OID;
	ARR_DIMS(result)[0] = (int) buckets;
	ARR_LBOUND(result)[0] = 1;
	PG_RETURN_ARRAYTYPE_P(result);
}

/* A bound of a bucket, as the elements' type has it. */
static Datum
datum_from_bound(const table_state *state, double bound)
{
	if (!gs_is_time(state->elemtype))
		return Float8GetDatum(bound);
	return gs_time_from_bound(state->elemtype, bound,
							  state->op.histogram.low > state->op.histogram.high);
}

/* The bound between bucket i and bucket i + 1. */
static double
bucket_bound(const table_state *state, int32 i)
{
	const gs_op *op = &state->op;

	return op->histogram.edges != NULL ? op->histogram.edges[i] :
		gs_bucket_edge(op->histogram.low, op->histogram.high,
					   op->histogram.buckets, i);
}

/* Execute the call, and keep in the context what the rows need. */
static table_state *
table_execute(gs_call *call, bool by_edges, MemoryContext context)
{
	MemoryContext old = MemoryContextSwitchTo(context);
	int64		buckets = call->op.histogram.buckets;
	table_state *state = palloc(sizeof(table_state));

	call->result.counts =
		gs_alloc_large(gs_array_size(buckets, sizeof(int64), 1, false) +
					   EXTRA_COUNTS * sizeof(int64));
	state->counts = call->result.counts;
	state->op = call->op;
	state->op.histogram.edges = NULL;
	state->elemtype = call->data.elemtype;
	if (call->edges != NULL)
		call->op.histogram.edges = read_edges(call->edges);
	if (by_edges)
	{
		double	   *copy = gs_alloc_large((buckets + 1) * sizeof(double));

		memcpy(copy, call->op.histogram.edges, (buckets + 1) * sizeof(double));
		state->op.histogram.edges = copy;
	}
	MemoryContextSwitchTo(old);
	histogram_execute(call);
	return state;
}

/* A row of the table: below, the buckets, above, NaN. */
static HeapTuple
table_row(table_state *state, TupleDesc desc, int64 row)
{
	const gs_op *op = &state->op;
	double		after = op->histogram.low > op->histogram.high ?
		-get_float8_infinity() :
		get_float8_infinity();
	bool		nan = row > op->histogram.buckets + INT64CONST(1);
	double		upper;
	Datum		values[4];
	bool		nulls[4] = {nan, nan, nan, false};

	if (row > op->histogram.buckets)
		upper = after;
	else
		upper = bucket_bound(state, (int32) row);
	values[0] = Int32GetDatum((int32) row);
	values[1] = datum_from_bound(state, row == 0 ? -after : state->upper);
	values[2] = datum_from_bound(state, upper);
	values[3] = Int64GetDatum(state->counts[row]);
	state->upper = upper;
	return heap_form_tuple(desc, values, nulls);
}

PG_FUNCTION_INFO_V1(gpu_histogram_table);

Datum
gpu_histogram_table(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	table_state *state;
	HeapTuple	row;

	if (SRF_IS_FIRSTCALL())
	{
		gs_call		call;
		gs_array	edges;
		MemoryContext old;

		context = SRF_FIRSTCALL_INIT();
		if (histogram_open(fcinfo, "gpu_histogram_table", &call, &edges))
		{
			state = table_execute(&call, PG_NARGS() == 2,
								  context->multi_call_memory_ctx);
			histogram_close(&call);
			context->user_fctx = state;
			context->max_calls = state->op.histogram.buckets + UINT64CONST(2);
			if (state->counts[context->max_calls] > 0)
				context->max_calls++;
		}
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		context->tuple_desc = gs_row_type(fcinfo);
		MemoryContextSwitchTo(old);
	}
	context = SRF_PERCALL_SETUP();
	state = context->user_fctx;
	if (context->call_cntr >= context->max_calls)
		SRF_RETURN_DONE(context);
	row = table_row(state, context->tuple_desc, context->call_cntr);
	SRF_RETURN_NEXT(context, HeapTupleGetDatum(row));
}

/*
 * The aggregate
 *
 * Its state is a bigint array: the bits of low and high, then the counts of
 * the buckets.
 */
#define STATE_BOUNDS	2

static pg_noinline void
no_state(void)
{
	ereport(ERROR,
			errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
			errmsg("the array is not a state of gpu_histogram"));
}

static inline int64 *
state_values(ArrayType *state, int *buckets)
{
	if (unlikely(ARR_NDIM(state) != 1 || ARR_HASNULL(state) ||
				 ARR_DIMS(state)[0] <= STATE_BOUNDS))
		no_state();
	*buckets = ARR_DIMS(state)[0] - STATE_BOUNDS;
	return (int64 *) ARR_DATA_PTR(state);
}

static void
count_more(int64 *count, int64 more)
{
	if (pg_add_s64_overflow(*count, more, count))
		ereport(ERROR,
				errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("bigint out of range"));
}

static pg_noinline void
parameters_changed(void)
{
	ereport(ERROR,
			errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			errmsg("low, high and buckets must not change within a group"));
}

/* The state for the first row of a group of this type. */
static pg_noinline ArrayType *
state_open(FunctionCallInfo fcinfo, Oid type)
{
	gs_op		op = {0};
	ArrayType  *state;
	int64	   *value;
	Size		size;

	get_width(fcinfo, 2, type, &op);
	size = gs_array_size((int64) op.histogram.buckets + STATE_BOUNDS,
						 sizeof(int64), 1,
						 false);
	state = palloc0(size);
	SET_VARSIZE(state, size);
	state->ndim = 1;
	state->elemtype = INT8OID;
	ARR_DIMS(state)[0] = op.histogram.buckets + STATE_BOUNDS;
	ARR_LBOUND(state)[0] = 1;
	value = (int64 *) ARR_DATA_PTR(state);
	value[0] = (int64) gs_double_bits(op.histogram.low);
	value[1] = (int64) gs_double_bits(op.histogram.high);
	return state;
}

/* The state, to be modified: in place in an aggregate, otherwise a copy. */
static inline ArrayType *
state_to_change(FunctionCallInfo fcinfo)
{
	ArrayType  *state = (ArrayType *) DatumGetPointer(PG_GETARG_DATUM(0));

	if (likely(AggCheckCallContext(fcinfo, NULL) &&
			   !VARATT_IS_EXTENDED(state)))
		return state;
	return PG_GETARG_ARRAYTYPE_P_COPY(0);
}

/*
 * The state, opened for the first row; bounds are of this type.  *counts: of its
 * buckets.
 */
static inline ArrayType *
state_for_row(FunctionCallInfo fcinfo, Oid type, double *low, double *high,
			  int *buckets, int64 **counts)
{
	ArrayType  *state;
	int64	   *value;

	state = unlikely(PG_ARGISNULL(0)) ? state_open(fcinfo, type) :
		state_to_change(fcinfo);
	value = state_values(state, buckets);
	if (PG_ARGISNULL(2) || PG_ARGISNULL(3) || PG_ARGISNULL(4))
		parameters_changed();
	*low = get_bound(fcinfo, 2, type);
	*high = get_bound(fcinfo, 3, type);
	if (value[0] != (int64) gs_double_bits(*low) ||
		value[1] != (int64) gs_double_bits(*high) ||
		PG_GETARG_INT32(4) != *buckets)
		parameters_changed();
	/* a state that was made up, and arguments to match */
	if (unlikely(isinf(*low) || isinf(*high) ||
				 !(*low < *high || *low > *high)))
		no_state();
	*counts = value + STATE_BOUNDS;
	return state;
}

/* Count a value, +1, or take it away, -1. */
static inline Datum
histogram_change(FunctionCallInfo fcinfo, Oid type, double x, int more)
{
	int			buckets;
	int32		bucket;
	double		low;
	double		high;
	int64	   *counts;
	ArrayType  *state = state_for_row(fcinfo, type, &low, &high, &buckets,
									  &counts);

	bucket = PG_ARGISNULL(1) ? 0 : gs_bucket_of(x, low, high, buckets);
	if (bucket != 0)
		count_more(&counts[bucket - 1], more);
	PG_RETURN_POINTER(state);
}

/*
 * gpu_histogram_add(bigint[], O, low, high, buckets), and the same for removal:
 * bounds are of this type
 */
#define HISTOGRAM_CHANGE(function, type, argument, more) \
PG_FUNCTION_INFO_V1(function); \
Datum \
function(PG_FUNCTION_ARGS) \
{ \
	return histogram_change(fcinfo, type, \
							PG_ARGISNULL(1) ? 0 : (double) argument(1), more); \
}

#define HISTOGRAM_ADD(suffix, type, argument) \
HISTOGRAM_CHANGE(gpu_histogram_add_##suffix, type, argument, 1) \
HISTOGRAM_CHANGE(gpu_histogram_remove_##suffix, type, argument, -1)

HISTOGRAM_ADD(int2, FLOAT8OID, PG_GETARG_INT16)
HISTOGRAM_ADD(int4, FLOAT8OID, PG_GETARG_INT32)
HISTOGRAM_ADD(int8, FLOAT8OID, PG_GETARG_INT64)
HISTOGRAM_ADD(float4, FLOAT8OID, PG_GETARG_FLOAT4)
HISTOGRAM_ADD(float8, FLOAT8OID, PG_GETARG_FLOAT8)
HISTOGRAM_ADD(date, DATEOID, PG_GETARG_DATEADT)
HISTOGRAM_ADD(timestamp, TIMESTAMPOID, PG_GETARG_TIMESTAMP)
HISTOGRAM_ADD(timestamptz, TIMESTAMPTZOID, PG_GETARG_TIMESTAMPTZ)

/* Bounds as decimals, kept between rows. */
typedef struct decimal_bounds
{
	double		low;
	double		high;
	Datum		low_decimal;
	Datum		high_decimal;
} decimal_bounds;

static const decimal_bounds *
find_decimal_bounds(FunctionCallInfo fcinfo, double low, double high)
{
	decimal_bounds *b = fcinfo->flinfo->fn_extra;
	MemoryContext old;

	if (likely(b != NULL && b->low == low && b->high == high))
		return b;
	old = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	if (b == NULL)
		b = fcinfo->flinfo->fn_extra = palloc0(sizeof *b);
	else
	{
		/* each group may have its own */
		pfree(DatumGetPointer(b->low_decimal));
		pfree(DatumGetPointer(b->high_decimal));
	}
	b->low = low;
	b->high = high;
	b->low_decimal = gs_decimal_from_double(low);
	b->high_decimal = gs_decimal_from_double(high);
	MemoryContextSwitchTo(old);
	return b;
}

/* A bound stands for its shortest decimal form, and the bucket is the server's. */
static Datum
change_decimal(FunctionCallInfo fcinfo, int more)
{
	const decimal_bounds *b;
	int			buckets;
	int32		bucket;
	double		low;
	double		high;
	int64	   *counts;
	ArrayType  *state = state_for_row(fcinfo, FLOAT8OID, &low, &high, &buckets,
									  &counts);

	if (PG_ARGISNULL(1) || numeric_is_nan(PG_GETARG_NUMERIC(1)))
		PG_RETURN_POINTER(state);
	b = find_decimal_bounds(fcinfo, low, high);
	bucket = DatumGetInt32(DirectFunctionCall4(width_bucket_numeric,
											   PG_GETARG_DATUM(1),
											   b->low_decimal, b->high_decimal,
											   Int32GetDatum(buckets)));
	if (bucket >= 1 && bucket <= buckets)
		count_more(&counts[bucket - 1], more);
	PG_RETURN_POINTER(state);
}

PG_FUNCTION_INFO_V1(gpu_histogram_add_numeric);

Datum
gpu_histogram_add_numeric(PG_FUNCTION_ARGS)
{
	return change_decimal(fcinfo, 1);
}

PG_FUNCTION_INFO_V1(gpu_histogram_remove_numeric);

Datum
gpu_histogram_remove_numeric(PG_FUNCTION_ARGS)
{
	return change_decimal(fcinfo, -1);
}

PG_FUNCTION_INFO_V1(gpu_histogram_merge);

Datum
gpu_histogram_merge(PG_FUNCTION_ARGS)
{
	ArrayType  *state = AggCheckCallContext(fcinfo, NULL) ?
		PG_GETARG_ARRAYTYPE_P(0) : PG_GETARG_ARRAYTYPE_P_COPY(0);
	int			buckets;
	int			other_buckets;
	int64	   *value = state_values(state, &buckets);
	const int64 *other = state_values(PG_GETARG_ARRAYTYPE_P(1), &other_buckets);

	if (buckets != other_buckets ||
		memcmp(value, other, STATE_BOUNDS * sizeof(int64)) != 0)
		parameters_changed();
	for (int i = 0; i < buckets; i++)
		count_more(&value[STATE_BOUNDS + i], other[STATE_BOUNDS + i]);
	PG_RETURN_POINTER(state);
}

PG_FUNCTION_INFO_V1(gpu_histogram_final);

/* Returns the counts without the bounds. */
Datum
gpu_histogram_final(PG_FUNCTION_ARGS)
{
	ArrayType  *state = PG_GETARG_ARRAYTYPE_P(0);
	int			buckets;
	int64	   *value = state_values(state, &buckets);
	Size		size = gs_array_size(buckets, sizeof(int64), 1, false);
	ArrayType  *result = palloc(size);

	memcpy(result, state, ARR_OVERHEAD_NONULLS(1));
	SET_VARSIZE(result, size);
	ARR_DIMS(result)[0] = buckets;
	memcpy(ARR_DATA_PTR(result), value + STATE_BOUNDS, buckets * sizeof(int64));
	PG_RETURN_POINTER(result);
}
