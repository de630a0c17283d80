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

#include "port/pg_bitutils.h"
#include "utils/float.h"

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

/*
 * Frames
 */

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
