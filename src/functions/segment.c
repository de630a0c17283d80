/*-------------------------------------------------------------------------
 *
 * segment.c
 *	  SQL functions that reduce each segment of an array, and those that
 *	  reduce a frame that moves over it.
 *
 * A segment starts at the first element, and wherever heads is true.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "functions/frame.h"

/* Which results an array of them has. */
typedef enum result_kind
{
	SUMS,						/* as gpu_cumsum */
	AVERAGES,					/* numeric of integers, else double precision */
	ELEMENTS,
	COUNTS
} result_kind;

/* Start n results over an array; those of nothing but NULLs are NULL. */
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
	if (kind == COUNTS || (kind == SUMS && !is_float))
		type = GS_INT8;
	else if (kind == AVERAGES)
		type = GS_FLOAT8;
	gs_writer_open(w, type, n, shape, nulls ? n : 0);
}

/* Write what the values of a frame come to; NULL if there are none. */
static void
put_result(gs_writer *w, const gs_moving *what, const gs_frame *f, int64 n)
{
	bool		isnull = n == 0;
	Datum		result = (Datum) 0;
	MemoryContext old = CurrentMemoryContext;

	/* finding a numeric leaves others behind */
	if (w->is_numeric)
		MemoryContextSwitchTo(w->context);
	if (!isnull)
		result = what->result(f, &isnull);
	MemoryContextSwitchTo(old);
	gs_writer_put(w, result, isnull);
	if (w->is_numeric)
		MemoryContextReset(w->context);
}

/*
 * Segments
 */

/* The current one; of the frame only the state is used: nothing leaves it. */
typedef struct segment
{
	int64		n;				/* values that are not NULL */
	gs_frame	frame;
	gs_number	extreme;
} segment;

static void
add_to_segment(segment *s, const gs_moving *what, gs_number value)
{
	gs_frame   *f = &s->frame;

	if (what == &gs_moving_min || what == &gs_moving_max)
	{
		if (s->n == 0 ||
			(what == &gs_moving_min ?
			 gs_number_is_below(value, s->extreme, f->is_float) :
			 gs_number_is_below(s->extreme, value, f->is_float)))
			s->extreme = value;
	}
	else if (what != NULL)
	{
		if (s->n == 0)
			gs_frame_open_state(f, f->is_float ? GS_STATE_REALS :
								GS_STATE_INTEGERS);
		gs_frame_keep_state(f, f->is_float ?
							gs_state_add_double(f->state, value.d) :
							gs_state_add_integer(f->state, value.i));
	}
	s->n++;
}

/* Write the result of a segment, and start the next one. */
static void
end_segment(segment *s, const gs_moving *what, gs_writer *w)
{
	if (what == NULL)
		gs_writer_put(w, Int64GetDatum(s->n), false);
	else if (what == &gs_moving_min || what == &gs_moving_max)
		gs_writer_put(w, gs_datum_from_number(s->extreme, s->frame.type),
					  s->n == 0);
	else
		put_result(w, what, &s->frame, s->n);
	if (s->frame.state != NULL)
		pfree(s->frame.state);
	s->frame.state = NULL;
	s->n = 0;
}

static int64
count_segments(const gs_array *heads)
{
	gs_reader	reader;
	gs_number	head;
	int64		count = 0;

	gs_reader_open(&reader, heads);
	while (reader.i < reader.n)
	{
		bool		starts = gs_reader_next(&reader, &head) && head.i != 0;

		count += starts || reader.i == 1;
	}
	return count;
}

/* `what` is NULL for a count. */
static Datum
segments(FunctionCallInfo fcinfo, const char *function, result_kind kind,
		 const gs_moving *what)
{
	gs_call		call;
	gs_reader	reader;
	gs_reader	heads;
	gs_writer	writer;
	segment		s;

	gs_call_open_elements(&call, function, PG_GETARG_DATUM(0));
	gs_call_set_mask(&call, "heads", PG_GETARG_DATUM(1));
	gs_array_read(&call.mask);
	open_results(&writer, kind, &call.data, count_segments(&call.mask), NULL,
				 call.data.nulls && what != NULL);
	gs_reader_open(&reader, &call.data);
	gs_reader_open(&heads, &call.mask);
	memset(&s, 0, sizeof(s));
	gs_frame_open(&s.frame, reader.type, CurrentMemoryContext);
	while (reader.i < reader.n)
	{
		gs_number	value;
		gs_number	head;
		bool		starts = gs_reader_next(&heads, &head) && head.i != 0;

		if (starts && reader.i > 0)
			end_segment(&s, what, &writer);
		if (gs_reader_next(&reader, &value))
			add_to_segment(&s, what, value);
	}
	if (reader.n > 0)
		end_segment(&s, what, &writer);
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}

#define SEGMENTS(function, kind, what) \
PG_FUNCTION_INFO_V1(function); \
Datum \
function(PG_FUNCTION_ARGS) \
{ \
	return segments(fcinfo, #function, kind, what); \
}

SEGMENTS(gpu_segment_sum, SUMS, &gs_moving_sum)
SEGMENTS(gpu_segment_avg, AVERAGES, &gs_moving_avg)
SEGMENTS(gpu_segment_min, ELEMENTS, &gs_moving_min)
SEGMENTS(gpu_segment_max, ELEMENTS, &gs_moving_max)
SEGMENTS(gpu_segment_count, COUNTS, NULL)

/*
 * Frames
 */

static int64
frame_offset(FunctionCallInfo fcinfo, int i, const char *name)
{
	return gs_frame_offset(PG_ARGISNULL(i) ? 0 : PG_GETARG_INT32(i),
						   PG_ARGISNULL(i), name);
}

static Datum
moving(FunctionCallInfo fcinfo, const char *function, result_kind kind,
	   const gs_moving *what)
{
	gs_call		call;
	gs_reader	reader;
	gs_writer	writer;
	gs_frame	frame;
	int64		preceding;
	int64		following;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	preceding = frame_offset(fcinfo, 1, "preceding");
	following = frame_offset(fcinfo, 2, "following");
	gs_call_open_elements(&call, function, PG_GETARG_DATUM(0));
	gs_reader_open(&reader, &call.data);
	open_results(&writer, kind, &call.data, reader.n, call.data.flat,
				 call.data.nulls || what == &gs_moving_stddev);
	gs_frame_open(&frame, reader.type, CurrentMemoryContext);
	for (int64 i = 0; i < reader.n; i++)
	{
		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		while (reader.i < reader.n && reader.i <= i + following)
		{
			int64		row = reader.i;
			gs_number	value;

			if (gs_reader_next(&reader, &value))
				what->enter(&frame, row, value);
		}
		gs_frame_leave(&frame, i - preceding, what);
		put_result(&writer, what, &frame, frame.n);
	}
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
