/*-------------------------------------------------------------------------
 *
 * segment.c
 *	  SQL functions that reduce each segment of an array.
 *
 * A segment starts at the first element, and wherever heads is true or after
 * every chunk of elements.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "functions/frame.h"

/* The type of the results. */
typedef enum result_kind
{
	SUMS,						/* as of gpu_cumsum */
	AVERAGES,					/* numeric for integers, else a double */
	ELEMENTS,
	COUNTS
} result_kind;

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
	if (kind == COUNTS || (kind == SUMS && !is_float))
		type = GS_INT8;
	else if (kind == AVERAGES)
		type = GS_FLOAT8;
	gs_writer_open(w, gs_type_oid(type), n, shape, nulls ? n : 0);
}

/* Write the result of a segment; NULL if it is empty. */
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

/*
 * Segments
 */

/*
 * The current segment.  Nothing leaves it, so only the frame's state is used.
 */
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
		put_result(w, what, &s->frame, s->n == 0);
	if (s->frame.state != NULL)
		pfree(s->frame.state);
	s->frame.state = NULL;
	s->n = 0;
}

/* Where segments start. */
typedef struct segment_starts
{
	int64		chunk;			/* elements of each; 0: see heads */
	gs_reader	heads;
} segment_starts;

/* Does one start at the next element, whose place is i? */
static bool
starts_at(segment_starts *s, int64 i)
{
	gs_number	head;

	if (s->chunk > 0)
		return i % s->chunk == 0;
	return (gs_reader_next(&s->heads, &head) && head.i != 0) || i == 0;
}

static int64
count_segments(segment_starts s, int64 n)
{
	int64		count = 0;

	if (s.chunk > 0)
		return (n + s.chunk - 1) / s.chunk;
	for (int64 i = 0; i < n; i++)
		count += starts_at(&s, i);
	return count;
}

/* The arguments are (arr, heads, chunk); of 1.0, (arr, heads). */
static void
open_starts(segment_starts *s, FunctionCallInfo fcinfo, gs_call *call)
{
	s->chunk = PG_NARGS() > 2 ? gs_chunk_argument(fcinfo, 2, 1) : 0;
	if (s->chunk > 0)
		return;
	gs_call_set_mask(call, "heads", PG_GETARG_DATUM(1));
	gs_array_read(&call->mask);
	gs_reader_open(&s->heads, &call->mask);
}

/* `what` is NULL for a count. */
static Datum
segments(FunctionCallInfo fcinfo, const char *function, result_kind kind,
		 const gs_moving *what)
{
	gs_call		call;
	gs_reader	reader;
	gs_writer	writer;
	segment_starts starts;
	segment		s;

	if (PG_ARGISNULL(0) ||
		(PG_ARGISNULL(1) && (PG_NARGS() < 3 || PG_ARGISNULL(2))))
		PG_RETURN_NULL();
	gs_call_open_elements(&call, function, PG_GETARG_DATUM(0));
	open_starts(&starts, fcinfo, &call);
	open_results(&writer, kind, &call.data,
				 count_segments(starts, call.data.n), NULL,
				 call.data.nulls && what != NULL);
	gs_reader_open(&reader, &call.data);
	memset(&s, 0, sizeof(s));
	gs_frame_open(&s.frame, reader.type, CurrentMemoryContext);
	while (reader.i < reader.n)
	{
		gs_number	value;

		if (starts_at(&starts, reader.i) && reader.i > 0)
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
