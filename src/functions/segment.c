/*-------------------------------------------------------------------------
 *
 * segment.c
 *	  SQL functions that reduce each segment of an array, or a moving frame.
 *
 * A segment starts at the first element, and wherever heads is true or after
 * every chunk of elements.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/float.h"

#include "call/numeric.h"
#include "functions/frame.h"

/* The type of the results. */
typedef enum result_kind
{
	SUMS,						/* as of gpu_cumsum */
	AVERAGES,					/* numeric for integers, else a double */
	ELEMENTS
} result_kind;

/*
 * Segments
 */

/* Results fetched at a time where they need more than copying. */
#define FETCHED_RESULTS	65536

typedef struct segment_results
{
	gs_builder	builder;
	gs_writer	writer;			/* averages of integers, instead */
} segment_results;

static void
check_range(const gs_call *call)
{
	if (call->result.position == 0)
		return;
	if (gs_is_float(call->data.type))
		gs_float_overflow();
	ereport(ERROR,
			errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			errmsg("bigint out of range"));
}

/* Results of which none is NULL, from one column. */
static gs_status
fetch_column(gs_call *call, const gs_engine *engine, gs_builder *builder,
			 gs_column column)
{
	int64		n = call->result.results;
	gs_output	out = {.n = n, .present = n};
	gs_status	status;

	gs_builder_open(builder, gs_type_oid(gs_column_type(&call->op, column)), n,
					NULL, 0);
	out.values = gs_builder_reserve(builder, n);
	status = engine->fetch(call->run, column, 0, n, out.values);
	gs_builder_commit(builder, &out);
	return status;
}

/* Append n results; those without elements are NULL. */
static void
append_present(gs_builder *builder, const int64 *counts, int64 n,
			   uint8 *validity)
{
	gs_output	out = {.n = n, .validity = validity};
	char	   *values = gs_builder_reserve(builder, n);
	int			width = builder->width;

	out.values = values;
	memset(validity, 0, (n + 7) / 8);
	for (int64 i = 0; i < n; i++)
	{
		if (counts[i] == 0)
			continue;
		validity[i / 8] |= 1 << (i % 8);
		if (out.present < i)
			memcpy(values + out.present * width, values + i * width, width);
		out.present++;
	}
	gs_builder_commit(builder, &out);
}

static gs_status
fetch_with_nulls(gs_call *call, const gs_engine *engine, gs_builder *builder)
{
	int64		n = call->result.results;
	int64	   *counts = palloc(FETCHED_RESULTS * sizeof(int64));
	uint8	   *validity = palloc(FETCHED_RESULTS / 8);
	gs_status	status = GS_OK;

	gs_builder_open(builder, gs_type_oid(gs_column_type(&call->op,
														GS_COLUMN_VALUES)),
					n, NULL, n);
	for (int64 at = 0; at < n && status == GS_OK; at += FETCHED_RESULTS)
	{
		int64		part = Min(n - at, FETCHED_RESULTS);

		CHECK_FOR_INTERRUPTS();
		status = engine->fetch(call->run, GS_COLUMN_COUNTS, at, part, counts);
		if (status == GS_OK)
			status = engine->fetch(call->run, GS_COLUMN_VALUES, at, part,
								   gs_builder_reserve(builder, part));
		append_present(builder, counts, part, validity);
	}
	pfree(counts);
	pfree(validity);
	return status;
}

/* Append averages of integers. */
static void
append_averages(gs_writer *writer, const int64 *counts,
				const uint64 (*sums)[2], int64 n)
{
	for (int64 i = 0; i < n; i++)
	{
		gs_result	result = {.present = counts[i]};
		MemoryContext old;
		Datum		average = (Datum) 0;

		/* computing a numeric leaves garbage behind */
		old = MemoryContextSwitchTo(writer->context);
		memcpy(result.isum, sums[i], sizeof(result.isum));
		if (counts[i] > 0)
			average = gs_numeric_avg(&result);
		MemoryContextSwitchTo(old);
		gs_writer_put(writer, average, counts[i] <= 0);
		MemoryContextReset(writer->context);
	}
}

static gs_status
fetch_averages(gs_call *call, const gs_engine *engine, gs_writer *writer)
{
	int64		n = call->result.results;
	int64	   *counts = palloc(FETCHED_RESULTS * sizeof(int64));
	uint64		(*sums)[2] = palloc(FETCHED_RESULTS * sizeof(*sums));
	gs_status	status = GS_OK;

	gs_writer_open_numeric(writer, n, NULL);
	for (int64 at = 0; at < n && status == GS_OK; at += FETCHED_RESULTS)
	{
		int64		part = Min(n - at, FETCHED_RESULTS);

		CHECK_FOR_INTERRUPTS();
		status = engine->fetch(call->run, GS_COLUMN_COUNTS, at, part, counts);
		if (status == GS_OK)
			status = engine->fetch(call->run, GS_COLUMN_SUMS, at, part, sums);
		if (status == GS_OK)
			append_averages(writer, counts, (const uint64 (*)[2]) sums, part);
	}
	pfree(counts);
	pfree(sums);
	return status;
}

static gs_status
fetch_segments(gs_call *call, const gs_engine *engine)
{
	segment_results *r = call->fetch_arg;

	check_range(call);
	if (call->op.kind == GS_SEGMENT_COUNT)
		return fetch_column(call, engine, &r->builder, GS_COLUMN_COUNTS);
	if (gs_has_column(&call->op, GS_COLUMN_SUMS))
		return fetch_averages(call, engine, &r->writer);
	if (call->data.nulls)
		return fetch_with_nulls(call, engine, &r->builder);
	return fetch_column(call, engine, &r->builder, GS_COLUMN_VALUES);
}

/* The arguments are (arr, heads, chunk); of 1.0, (arr, heads). */
static Datum
segments(FunctionCallInfo fcinfo, const char *function, gs_kind kind)
{
	gs_call		call;
	segment_results results;

	if (PG_ARGISNULL(0) ||
		(PG_ARGISNULL(1) && (PG_NARGS() < 3 || PG_ARGISNULL(2))))
		PG_RETURN_NULL();
	gs_call_open(&call, function, kind, PG_GETARG_DATUM(0));
	call.op.segment_length = PG_NARGS() > 2 ?
		gs_chunk_argument(fcinfo, 2, 1) : 0;
	if (call.op.segment_length == 0)
	{
		call.op.segmented = 1;
		gs_call_set_mask(&call, "heads", PG_GETARG_DATUM(1));
	}
	call.fetch = fetch_segments;
	call.fetch_arg = &results;
	gs_call_execute(&call);
	gs_call_close(&call);
	return gs_has_column(&call.op, GS_COLUMN_SUMS) ?
		gs_writer_close(&results.writer) : gs_builder_close(&results.builder);
}

#define SEGMENTS(function, kind) \
PG_FUNCTION_INFO_V1(function); \
Datum \
function(PG_FUNCTION_ARGS) \
{ \
	return segments(fcinfo, #function, kind); \
}

SEGMENTS(gpu_segment_sum, GS_SEGMENT_SUM)
SEGMENTS(gpu_segment_avg, GS_SEGMENT_AVG)
SEGMENTS(gpu_segment_min, GS_SEGMENT_MIN)
SEGMENTS(gpu_segment_max, GS_SEGMENT_MAX)
SEGMENTS(gpu_segment_count, GS_SEGMENT_COUNT)

/*
 * Frames
 */

/* Open a writer for n results over an array. */
static void
open_results(gs_writer *w, result_kind kind, const gs_array *a, int64 n,
			 const ArrayType *shape, bool nulls)
{
	gs_type		type = a->type;
	bool		is_float = gs_is_float(type);

	if (kind == AVERAGES && !is_float)
	{
		gs_writer_open_numeric(w, n, shape);
		return;
	}
	if (kind == SUMS && !is_float)
		type = GS_INT8;
	else if (kind == AVERAGES)
		type = GS_FLOAT8;
	gs_writer_open(w, gs_type_oid(type), n, shape, nulls ? n : 0);
}

/* Write the result of a frame; NULL if it is empty. */
static void
put_result(gs_writer *w, const gs_moving *what, const gs_frame *f, bool isnull)
{
	Datum		result = (Datum) 0;
	MemoryContext old = CurrentMemoryContext;

	/* computing a numeric leaves garbage behind */
	if (w->is_numeric)
		MemoryContextSwitchTo(w->context);
	if (!isnull)
		result = what->result(f, &isnull);
	MemoryContextSwitchTo(old);
	gs_writer_put(w, result, isnull);
	if (w->is_numeric)
		MemoryContextReset(w->context);
}

/* Sums.  The values that leave the frame are read a second time. */
static void
move_sums(gs_writer *w, const gs_moving *what, const gs_array *a,
		  int64 preceding, int64 following)
{
	gs_reader	entering;
	gs_reader	leaving;
	gs_frame	frame;
	gs_number	value;
	int64		present = -1;	/* the last element that is not NULL */

	gs_reader_open(&entering, a);
	gs_reader_open(&leaving, a);
	gs_frame_open(&frame, a->type, CurrentMemoryContext);
	for (int64 i = 0; i < a->n; i++)
	{
		int64		first = Max(i - preceding, 0);

		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		while (entering.i < a->n && entering.i <= i + following)
		{
			if (gs_reader_next(&entering, &value))
			{
				present = entering.i - 1;
				what->enter(&frame, present, value);
			}
		}
		while (leaving.i < first)
		{
			if (gs_reader_next(&leaving, &value))
				what->leave(&frame, value);
		}
		put_result(w, what, &frame, present < first);
	}
}

/*
 * Minimum and maximum.  The queue of candidates (frame.h) could become as long
 * as the frame, so it holds the extremes of blocks instead of elements.  A
 * frame then consists of the rest of the block that it starts in, whole
 * blocks, and the start of the block that it ends in (after van Herk, Pattern
 * Recognition Letters 13, 1992).  When the frame's start moves to another
 * block, that block is read a second time, to find the extreme of its rest
 * from each element on.
 */
#define EXTREMES_BLOCK	4096

typedef struct extremes
{
	const gs_moving *what;
	bool		is_float;
	gs_number	none;			/* the identity: never the extreme */
	int			shift;			/* a block has 1 << shift elements */
	int64		mask;
	gs_frame	blocks;			/* whole blocks; rows are their numbers */
	gs_reader	entering;
	gs_number	start;			/* extreme of the block that the frame ends
								 * in, up to its end */
	gs_reader	leaving;		/* at the end of the block that it starts in */
	gs_number	rest[EXTREMES_BLOCK];	/* extremes of the rest of that block */
} extremes;

static inline gs_number
extreme_of(const extremes *e, gs_number a, gs_number b)
{
	if (e->what == &gs_moving_min)
		return gs_number_is_below(b, a, e->is_float) ? b : a;
	return gs_number_is_below(a, b, e->is_float) ? b : a;
}

static void
open_extremes(extremes *e, const gs_moving *what, const gs_array *a,
			  int64 elements)
{
	bool		is_min = what == &gs_moving_min;

	e->what = what;
	e->is_float = gs_is_float(a->type);
	if (e->is_float)
		e->none.d = is_min ? gs_canonical_nan() : -get_float8_infinity();
	else
		e->none.i = is_min ? PG_INT64_MAX : PG_INT64_MIN;

	/* a frame is at least as long as a block, or reaches the array's end */
	e->shift = pg_leftmost_one_pos64(Min(elements, EXTREMES_BLOCK));
	e->mask = (INT64CONST(1) << e->shift) - 1;
	gs_frame_open(&e->blocks, a->type, CurrentMemoryContext);
	gs_reader_open(&e->entering, a);
	e->start = e->none;
	gs_reader_open(&e->leaving, a);
}

/* The next element enters; false if it is NULL. */
static bool
enter_extremes(extremes *e)
{
	int64		i = e->entering.i;
	gs_number	value = e->none;
	bool		present = gs_reader_next(&e->entering, &value);

	e->start = (i & e->mask) == 0 ? value : extreme_of(e, e->start, value);
	if ((i & e->mask) == e->mask)
		e->what->enter(&e->blocks, i >> e->shift, e->start);
	return present;
}

/* The frame's start moves to the next block. */
static void
read_rest(extremes *e)
{
	int64		i = e->leaving.i;
	int			n = (int) Min(e->mask + 1, e->leaving.n - i);

	gs_frame_leave(&e->blocks, (i >> e->shift) + 1, e->what);
	for (int k = 0; k < n; k++)
	{
		e->rest[k] = e->none;
		(void) gs_reader_next(&e->leaving, &e->rest[k]);
	}
	for (int k = n - 2; k >= 0; k--)
		e->rest[k] = extreme_of(e, e->rest[k], e->rest[k + 1]);
}

static void
move_extremes(gs_writer *w, const gs_moving *what, const gs_array *a,
			  int64 preceding, int64 following)
{
	extremes   *e = palloc(sizeof(extremes));
	int64		present = -1;	/* the last element that is not NULL */

	open_extremes(e, what, a, preceding + 1 + following);
	for (int64 i = 0; i < a->n; i++)
	{
		int64		first = Max(i - preceding, 0);
		gs_number	result = e->none;

		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		while (e->entering.i < a->n && e->entering.i <= i + following)
		{
			if (enter_extremes(e))
				present = e->entering.i - 1;
		}

		/* until its start moves, the frame starts with a whole block */
		if (first > 0)
		{
			while (first >= e->leaving.i)
				read_rest(e);
			result = e->rest[first & e->mask];
		}
		if (first == 0 || first >> e->shift < (e->entering.i - 1) >> e->shift)
		{
			if (e->blocks.n > 0)
				result = extreme_of(e, result, gs_frame_first(&e->blocks));
			result = extreme_of(e, result, e->start);
		}
		gs_writer_put(w, gs_datum_from_number(result, a->type),
					  present < first);
	}
	pfree(e);
}

static Datum
moving(FunctionCallInfo fcinfo, const char *function, result_kind kind,
	   const gs_moving *what)
{
	gs_call		call;
	gs_writer	writer;
	int64		preceding;
	int64		following;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	preceding = gs_frame_argument(fcinfo, 1, "preceding");
	following = gs_frame_argument(fcinfo, 2, "following");
	gs_call_open_elements(&call, function, PG_GETARG_DATUM(0));
	open_results(&writer, kind, &call.data, call.data.n, call.data.flat,
				 call.data.nulls || what == &gs_moving_stddev);
	if (what->leave != NULL)
		move_sums(&writer, what, &call.data, preceding, following);
	else
		move_extremes(&writer, what, &call.data, preceding, following);
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}

#define MOVING(figure, kind) \
PG_FUNCTION_INFO_V1(gpu_moving_##figure); \
Datum \
gpu_moving_##figure(PG_FUNCTION_ARGS) \
{ \
	return moving(fcinfo, "gpu_moving_" #figure, kind, &gs_moving_##figure); \
}

MOVING(sum, SUMS)
MOVING(avg, AVERAGES)
MOVING(stddev, AVERAGES)
MOVING(min, ELEMENTS)
MOVING(max, ELEMENTS)
