/*-------------------------------------------------------------------------
 *
 * calibrate.c
 *	  gpuscan_calibrate(): measure what operations cost on this host.
 *
 * Every operation is timed on both engines, from an array in memory to the
 * result array, at a size where the cost per call hardly counts.  One
 * operation is timed at sizes where only the cost per call counts.  The
 * figures take effect in all sessions at once (cost.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "access/htup_details.h"
#include "funcapi.h"
#include "miscadmin.h"

#include "call/call.h"
#include "client/client.h"
#include "engine/elements.h"
#include "engine/search.h"
#include "pg/row_type.h"
#include "supervisor/cost.h"

/* Enough for several batches, and 16 MB of the widest type. */
#define LARGE_ELEMENTS	(2 * 1024 * 1024)

/*
 * An array for one message each way, and one that is just too large for that.
 */
#define SMALL_ELEMENTS	128
#define BATCH_ELEMENTS	(16 * 1024)

#define LARGE_RUNS		5
#define SMALL_RUNS		31

/* No run begins later than this: a long one says enough.  Microseconds. */
#define RUNS_TIME		100000

#define BUCKETS			256

PG_FUNCTION_INFO_V1(gpuscan_calibrate);

/* What is measured on: an array, a mask and keys with as many elements. */
typedef struct subject
{
	ArrayType  *array;
	ArrayType  *positive;
	ArrayType  *mask;
	ArrayType  *keys;			/* 2001 different ones */
	ArrayType  *places;			/* random positions among them */
	ArrayType  *ascending;
	ArrayType  *among;			/* those, at these places */
	ArrayType  *floats;
	int64		counts[BUCKETS + 3];
} subject;

/* The same numbers each time, from an xorshift generator. */
static uint64
next_random(void)
{
	static uint64 x = UINT64CONST(0x9e3779b97f4a7c15);

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

/*
 * Values that put no operation out of range: integers from -1000 to 1000, the
 * first of them 0, so that all products are 0, or from 1 to 500, which have
 * logarithms and exponentials; and floats from 0.5 to 1.5.
 */
static void
fill(char *to, gs_type type, int64 n, bool positive)
{
	for (int64 i = 0; i < n; i++)
	{
		uint64		random = next_random();
		int			integer = i == 0 ? 0 : (int) (random % 2001) - 1000;
		double		real = 0.5 + ldexp((double) (random >> 11), -53);

		if (positive)
			integer = (int) (random % 500) + 1;
		switch (type)
		{
			case GS_BOOL:
				to[i] = random % 2;
				break;
			case GS_INT2:
				((int16 *) to)[i] = integer;
				break;
			case GS_INT4:
				((int32 *) to)[i] = integer;
				break;
			case GS_INT8:
				((int64 *) to)[i] = integer;
				break;
			case GS_FLOAT4:
				((float *) to)[i] = real;
				break;
			case GS_FLOAT8:
				((double *) to)[i] = real;
				break;
		}
	}
}

static ArrayType *
make_array(gs_type type, int64 n, bool positive)
{
	Size		size = gs_array_size(n, gs_type_width(type), 1, false);
	ArrayType  *result = gs_alloc_large(size);

	SET_VARSIZE(result, size);
	result->ndim = 1;
	result->dataoffset = 0;
	result->elemtype = gs_type_oid(type);
	ARR_DIMS(result)[0] = (int) n;
	ARR_LBOUND(result)[0] = 1;
	fill(ARR_DATA_PTR(result), type, n, positive);
	return result;
}

/* n positions of n elements. */
static ArrayType *
make_places(int64 n)
{
	ArrayType  *places = make_array(GS_INT4, n, false);
	int32	   *place = (int32 *) ARR_DATA_PTR(places);

	for (int64 i = 0; i < n; i++)
		place[i] = 1 + (int32) (next_random() % n);
	return places;
}

/* n ascending numbers; 32 bits or more hold different ones. */
static ArrayType *
make_ascending(gs_type type, int64 n)
{
	ArrayType  *ascending = make_array(type, n, false);
	char	   *to = ARR_DATA_PTR(ascending);

	for (int64 i = 0; i < n; i++)
	{
		if (type == GS_INT2)
			((int16 *) to)[i] = (int16) (i * 30000 / n);
		else if (type == GS_INT4)
			((int32 *) to)[i] = (int32) i;
		else if (type == GS_INT8)
			((int64 *) to)[i] = i;
		else if (type == GS_FLOAT4)
			((float *) to)[i] = i;
		else if (type == GS_FLOAT8)
			((double *) to)[i] = i;
	}
	return ascending;
}

/* The elements of an array at n places. */
static ArrayType *
make_among(ArrayType *array, ArrayType *places, gs_type type, int64 n)
{
	ArrayType  *among = make_array(type, n, false);
	const int32 *place = (const int32 *) ARR_DATA_PTR(places);
	int			width = gs_type_width(type);

	for (int64 i = 0; i < n; i++)
		memcpy(ARR_DATA_PTR(among) + i * width,
			   ARR_DATA_PTR(array) + (place[i] - 1) * width, width);
	return among;
}

static void
make_subject(subject *s, gs_type type, int64 n)
{
	s->array = make_array(type, n, false);
	s->positive = make_array(type, n, true);
	s->mask = make_array(GS_BOOL, n, false);
	s->keys = make_array(GS_INT4, n, false);
	s->places = make_places(n);
	s->ascending = make_ascending(type, n);
	s->among = make_among(s->ascending, s->places, type, n);
	s->floats = make_array(GS_FLOAT8, n, false);
}

static void
free_subject(subject *s)
{
	pfree(s->array);
	pfree(s->positive);
	pfree(s->mask);
	pfree(s->keys);
	pfree(s->places);
	pfree(s->ascending);
	pfree(s->among);
	pfree(s->floats);
}

/* An example that suits a subject; false if there is none on that type. */
static bool
make_op(gs_op *op, gs_kind kind, gs_type type)
{
	static double edges[BUCKETS + 1];
	static int64 keys[BUCKETS + 1];
	bool		real = gs_is_float(type);
	double		low = real ? 0.5 : -1000;
	double		high = real ? 1.5 : 1000;

	if (!gs_op_example(kind, type, op))
		return false;
	if (gs_is_placement(kind) && gs_has_mask(op))
		op->mask.elements = LARGE_ELEMENTS;
	for (int i = 0; gs_has_edges(kind) && i <= BUCKETS; i++)
	{
		edges[i] = low + i * (high - low) / BUCKETS;
		keys[i] = real ? gs_search_key(edges[i]) : (int64) edges[i];
	}
	if (gs_is_histogram(kind))
		op->histogram.buckets = BUCKETS;
	if (kind == GS_HISTOGRAM_WIDTH)
	{
		op->histogram.low = low;
		op->histogram.high = high;
	}
	if (kind == GS_SEARCH)
		op->search.count = BUCKETS + 1;
	if (gs_has_edges(kind))
		gs_set_edges(op, kind == GS_SEARCH ? (void *) keys : edges);
	return true;
}

/* Fetch a column of groups, segments or moving frames. */
static gs_status
fetch_column(gs_call *call, const gs_engine *engine)
{
	const gs_op *op = &call->op;
	int64		n = call->result.results;
	gs_column	column = gs_has_column(op, GS_COLUMN_SUMS) ? GS_COLUMN_SUMS :
		gs_has_column(op, GS_COLUMN_VALUES) ? GS_COLUMN_VALUES :
		GS_COLUMN_COUNTS;
	void	   *results = palloc(n * gs_column_width(op, column));
	gs_status	status = engine->fetch(call->run, column, 0, n, results);

	pfree(results);
	return status;
}

/* Fetch an order's results: all of them, a median, or just their number. */
static gs_status
fetch_results(gs_call *call, const gs_engine *engine)
{
	int64		n = call->result.results;
	char		elements[2 * sizeof(gs_value)];

	if (call->op.kind == GS_DISTINCT)
		return GS_OK;
	if (call->op.kind == GS_SELECT)
		return engine->fetch(call->run, GS_COLUMN_VALUES, n / 2 - 1, 2,
							 elements);
	return engine->fetch(call->run, GS_COLUMN_VALUES, 0, n,
						 gs_builder_reserve(call->fetch_arg, n));
}

/* Time one call, from array to result, in us. */
static double
time_call(const gs_engine *engine, const gs_op *op, subject *s)
{
	gs_call		call;
	gs_builder	builder;
	instr_time	end;

	CHECK_FOR_INTERRUPTS();
	if (engine == &gs_engine_client)
		gs_call_require_service();
	gs_call_open(&call, "gpuscan_calibrate", op->kind,
				 PointerGetDatum(op->kind == GS_TAKE ? s->places :
								 op->kind == GS_AREA ? s->ascending :
								 op->kind == GS_ASOF ||
								 op->kind == GS_INTERPOLATE ? s->among :
								 gs_is_of_elements(op->kind) ? s->positive :
								 s->array));
	call.op = *op;
	if (op->kind == GS_ASOF || op->kind == GS_INTERPOLATE)
		gs_array_open(&call.mask, PointerGetDatum(s->ascending));
	else if (op->kind == GS_CHOOSE_EITHER)
		gs_array_open(&call.mask, PointerGetDatum(s->keys));
	else if (op->kind == GS_AREA)
		gs_array_open(&call.mask, PointerGetDatum(s->floats));
	else if (op->kind == GS_GROUP)
		gs_call_set_keys(&call, PointerGetDatum(s->keys));
	else if (gs_has_mask(op) && gs_mask_type(op) == GS_BOOL)
		gs_call_set_mask(&call, "keep", PointerGetDatum(s->mask));
	else if (gs_has_mask(op))
		gs_array_open(&call.mask, PointerGetDatum(s->array));
	if (gs_has_third(op))
		gs_array_open(&call.third, PointerGetDatum(op->kind == GS_INTERPOLATE ?
												   s->floats : s->keys));
	if (gs_has_output(op))
	{
		call.builder = &builder;
		gs_builder_open(&builder, gs_type_oid(gs_output_type(op)),
						call.data.n, NULL, 0);
	}
	else if (gs_fetches_each(op->kind) && gs_is_series(op))
	{
		call.fetch_arg = &builder;
		gs_builder_open(&builder,
						gs_type_oid(gs_column_type(op, GS_COLUMN_VALUES)),
						call.data.n, NULL, 0);
	}
	if (gs_is_series(op))
		call.fetch = fetch_results;
	else if (gs_is_fetched(op->kind))
		call.fetch = fetch_column;
	call.result.counts = s->counts;
	if (!gs_call_execute_on(&call, engine))
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("the GPU was lost during gpuscan_calibrate"));
	gs_call_close(&call);
	if (call.builder != NULL || call.fetch_arg != NULL)
		pfree(DatumGetPointer(gs_builder_close(&builder)));
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_SUBTRACT(end, call.start);
	return INSTR_TIME_GET_DOUBLE(end) * 1e6;
}

/* The fastest of several runs: any disturbance only makes a run slower. */
static double
fastest(const gs_engine *engine, const gs_op *op, subject *s, int runs)
{
	double		all = time_call(engine, op, s);
	double		best = all;

	for (int i = 1; i < runs && all < RUNS_TIME; i++)
	{
		double		run = time_call(engine, op, s);

		all += run;
		best = Min(best, run);
	}
	return best;
}

/* Measure the costs per call. */
static void
measure_calls(gs_costs *costs)
{
	subject		s;
	gs_op		op;

	make_subject(&s, GS_FLOAT8, SMALL_ELEMENTS);
	make_op(&op, GS_SUM, GS_FLOAT8);
	costs->cpu_call = fastest(&gs_engine_cpu, &op, &s, SMALL_RUNS);
	costs->gpu_small_call = fastest(&gs_engine_client, &op, &s, SMALL_RUNS);
	free_subject(&s);
	make_subject(&s, GS_FLOAT8, BATCH_ELEMENTS);
	costs->gpu_call = fastest(&gs_engine_client, &op, &s, SMALL_RUNS);
	free_subject(&s);
}

/* Measure all operations on a type. */
static void
measure_type(gs_costs *costs, gs_type type)
{
	subject		s;
	gs_op		op;

	make_subject(&s, type, LARGE_ELEMENTS);
	for (int kind = GS_NO_KIND + 1; kind < GS_KINDS; kind++)
	{
		double		cpu;
		double		gpu;

		if (!make_op(&op, kind, type))
			continue;
		cpu = fastest(&gs_engine_cpu, &op, &s, LARGE_RUNS);
		gpu = fastest(&gs_engine_client, &op, &s, LARGE_RUNS);
		costs->cpu_element[kind][type] =
			Max(cpu - costs->cpu_call, 0) * 1000 / LARGE_ELEMENTS;
		costs->gpu_element[kind][type] =
			Max(gpu - costs->gpu_call, 0) * 1000 / LARGE_ELEMENTS;
	}
	free_subject(&s);
}

/* The number of elements from which on the GPU is faster; 0 if never. */
static int64
crossover(const gs_costs *costs, const gs_op *op)
{
	gs_estimate e;
	int64		below = 0;
	int64		above = MaxArraySize;

	gs_costs_estimate(costs, op, above, &e);
	if (e.cpu <= e.gpu)
		return 0;
	while (above - below > 1)
	{
		int64		middle = (below + above) / 2;

		gs_costs_estimate(costs, op, middle, &e);
		if (e.cpu <= e.gpu)
			below = middle;
		else
			above = middle;
	}
	return above;
}

/* Row i, counted from 0; NULL after the last. */
static HeapTuple
make_row(TupleDesc desc, const gs_costs *costs, int64 i)
{
	for (int kind = GS_NO_KIND + 1; kind < GS_KINDS; kind++)
	{
		for (int type = GS_BOOL; type <= GS_FLOAT8; type++)
		{
			Datum		values[5];
			bool		nulls[5] = {false};
			gs_op		op;
			int64		elements;

			if (!make_op(&op, kind, type) || i-- > 0)
				continue;
			elements = crossover(costs, &op);
			values[0] = CStringGetTextDatum(gs_operation_of(kind)->name);
			values[1] = CStringGetTextDatum(format_type_be(gs_type_oid(type)));
			values[2] = Float4GetDatum(costs->cpu_element[kind][type]);
			values[3] = Float4GetDatum(costs->gpu_element[kind][type]);
			values[4] = Int64GetDatum(elements);
			nulls[4] = elements == 0;
			return heap_form_tuple(desc, values, nulls);
		}
	}
	return NULL;
}

/* Measure, store and show: one row per operation and type. */
Datum
gpuscan_calibrate(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	HeapTuple	row;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;
		gs_costs   *costs;

		gs_call_require_service();
		context = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		context->tuple_desc = gs_row_type(fcinfo);
		costs = palloc0(sizeof(gs_costs));
		context->user_fctx = costs;
		MemoryContextSwitchTo(old);
		measure_calls(costs);
		for (int type = GS_BOOL; type <= GS_FLOAT8; type++)
			measure_type(costs, type);
		gs_costs_store(costs);
	}
	context = SRF_PERCALL_SETUP();
	row = make_row(context->tuple_desc, context->user_fctx,
				   context->call_cntr);
	if (row != NULL)
		SRF_RETURN_NEXT(context, HeapTupleGetDatum(row));
	SRF_RETURN_DONE(context);
}
