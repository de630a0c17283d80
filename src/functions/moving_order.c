/*-------------------------------------------------------------------------
 *
 * moving_order.c
 *	  Medians and percentiles of a frame that moves over an array.
 *
 * The array is cut into pieces, some times as long as a frame.  The elements
 * of all frames of a piece are sorted once, which gives each a rank among
 * them.  Then the ranks of the current frame's elements are a set that one
 * enters and one leaves at a time (rank_set.h).  So the time an element takes
 * grows with the logarithm of the frame alone, whatever the elements are.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "engine/cpu/cpu_engine.h"
#include "functions/frame.h"
#include "functions/order.h"
#include "functions/rank_set.h"

/*
 * Frames of a piece: sorting reads the elements of the frames at its ends
 * twice, and should stay in the processor's cache.
 */
#define PIECE_FRAMES	4		/* times the elements of a frame */
#define LEAST_PIECE		8192

#define NO_RANK			PG_UINT32_MAX	/* of a NULL */

#define SIGN			(UINT64CONST(1) << 63)

/* What is wanted of each frame. */
typedef struct moving_order
{
	int64		preceding;
	int64		following;
	double		fraction;
	bool		discrete;		/* an element, not interpolated */
} moving_order;

/* The elements of a piece's frames. */
typedef struct piece
{
	gs_type		type;
	int64		first;			/* the first of these elements */
	cpu_keys	keys;			/* of those that are not NULL, in order */
	uint32	   *rank;			/* of each element */
	gs_rank_set frame;
} piece;

/* Unsigned integers in the order of gs_number_is_below, and back. */
static inline uint64
key_from_number(gs_number value, bool is_float)
{
	uint64		bits;

	if (!is_float)
		return (uint64) value.i ^ SIGN;
	bits = gs_double_bits(value.d != value.d ? gs_canonical_nan() : value.d);
	return bits & SIGN ? ~bits : bits | SIGN;
}

static inline gs_number
number_from_key(uint64 key, bool is_float)
{
	gs_number	r;

	if (is_float)
		r.d = gs_bits_double(key & SIGN ? key ^ SIGN : ~key);
	else
		r.i = (int64) (key ^ SIGN);
	return r;
}

static void
open_piece(piece *p, gs_type type, int64 elements)
{
	p->type = type;
	p->keys = (cpu_keys) {
		.width = sizeof(uint64),
		.key = gs_alloc_large(elements * sizeof(uint64)),
		.other_key = gs_alloc_large(elements * sizeof(uint64)),
		.position = gs_alloc_large(elements * sizeof(uint32)),
		.other_position = gs_alloc_large(elements * sizeof(uint32))
	};
	p->rank = gs_alloc_large(elements * sizeof(uint32));
	gs_rank_set_open(&p->frame, elements);
}

static void
close_piece(piece *p)
{
	pfree(p->keys.key);
	pfree(p->keys.other_key);
	pfree(p->keys.position);
	pfree(p->keys.other_position);
	pfree(p->rank);
	gs_rank_set_close(&p->frame);
}

/* Read n elements, and rank them. */
static void
read_piece(piece *p, gs_reader *reader, int64 n)
{
	cpu_keys   *keys = &p->keys;
	uint64	   *key = keys->key;

	p->first = reader->i;
	keys->n = 0;
	keys->sorted = false;
	for (int64 i = 0; i < n; i++)
	{
		gs_number	value;

		p->rank[i] = NO_RANK;
		if (!gs_reader_next(reader, &value))
			continue;
		key[keys->n] = key_from_number(value, reader->is_float);
		keys->position[keys->n++] = (uint32) i;
	}
	gs_cpu_sort(keys);
	for (int64 i = 0; i < keys->n; i++)
	{
		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		p->rank[keys->position[i]] = (uint32) i;
	}
}

static inline void
enter(piece *p, int64 element)
{
	uint32		rank = p->rank[element - p->first];

	if (rank != NO_RANK)
		gs_rank_set_add(&p->frame, rank);
}

static inline void
leave(piece *p, int64 element)
{
	uint32		rank = p->rank[element - p->first];

	if (rank != NO_RANK)
		gs_rank_set_remove(&p->frame, rank);
}

static inline Datum
element_of_rank(const piece *p, int64 rank)
{
	uint64		key = ((const uint64 *) p->keys.key)[rank];

	return gs_datum_from_number(number_from_key(key, gs_is_float(p->type)),
								p->type);
}

/* Of a frame that is not empty; places are those of gpu_percentile_disc. */
static Datum
discrete_of_frame(piece *p, double fraction)
{
	int64		rank = (int64) ceil(fraction * (double) p->frame.n);

	return element_of_rank(p, gs_rank_set_find(&p->frame, Max(rank, 1) - 1));
}

/* The same for gpu_percentile_cont. */
static Datum
interpolated_of_frame(piece *p, double fraction)
{
	double		place = fraction * (double) (p->frame.n - 1);
	int64		k = (int64) floor(place);
	int64		rank = gs_rank_set_find(&p->frame, k);
	double		proportion = place - (double) k;
	int			width = gs_type_width(p->type);
	gs_value	low;
	gs_value	high;

	store_att_byval(&low, element_of_rank(p, rank), width);
	if (proportion != 0)
		store_att_byval(&high,
						element_of_rank(p, gs_rank_set_next(&p->frame, rank)),
						width);
	return gs_interpolated(p->type, &low, &high, proportion);
}

/* Write the results of frames first .. end - 1. */
static void
move_over_piece(piece *p, const moving_order *m, int64 first, int64 end,
				int64 n, gs_writer *w)
{
	int64		entering = p->first;
	int64		leaving = p->first;

	gs_rank_set_clear(&p->frame);
	for (int64 i = first; i < end; i++)
	{
		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		while (entering < n && entering <= i + m->following)
		{
			if (entering % GS_INTERRUPT_ELEMENTS == 0)
				CHECK_FOR_INTERRUPTS();
			enter(p, entering++);
		}
		while (leaving < i - m->preceding)
			leave(p, leaving++);
		if (p->frame.n == 0)
			gs_writer_put(w, (Datum) 0, true);
		else
			gs_writer_put(w, m->discrete ?
						  discrete_of_frame(p, m->fraction) :
						  interpolated_of_frame(p, m->fraction), false);
	}
}

static void
move_over(const gs_array *a, const moving_order *m, gs_writer *w)
{
	int64		elements = Min(m->preceding + 1 + m->following, a->n);
	int64		frames = Min(Max(PIECE_FRAMES * elements, LEAST_PIECE), a->n);
	gs_reader	reader;
	piece		p;

	gs_reader_open(&reader, a);
	open_piece(&p, a->type, Min(frames + elements, a->n));
	for (int64 first = 0; first < a->n; first += frames)
	{
		int64		end = Min(first + frames, a->n);
		gs_reader	ahead;
		gs_number	ignored;

		while (reader.i < first - m->preceding)
			(void) gs_reader_next(&reader, &ignored);
		ahead = reader;
		read_piece(&p, &ahead, Min(end + m->following, a->n) - reader.i);
		move_over_piece(&p, m, first, end, a->n, w);
	}
	close_piece(&p);
}

/* The frame is in arguments `frame` and after it. */
static Datum
moving(FunctionCallInfo fcinfo, const char *function, moving_order *m,
	   int frame)
{
	gs_call		call;
	gs_writer	writer;

	m->preceding = gs_frame_argument(fcinfo, frame, "preceding");
	m->following = gs_frame_argument(fcinfo, frame + 1, "following");
	gs_call_open_elements(&call, function, PG_GETARG_DATUM(0));
	gs_writer_open(&writer, m->discrete ? call.data.elemtype : FLOAT8OID,
				   call.data.n, call.data.flat,
				   call.data.nulls ? call.data.n : 0);
	if (call.data.n > 0)
		move_over(&call.data, m, &writer);
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}

PG_FUNCTION_INFO_V1(gpu_moving_median);

/* gpu_moving_median(arr, preceding, following) */
Datum
gpu_moving_median(PG_FUNCTION_ARGS)
{
	moving_order m = {.fraction = 0.5};

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	return moving(fcinfo, "gpu_moving_median", &m, 1);
}

/* As with percentile_cont, a bad fraction is an error even without elements. */
static Datum
moving_percentile(FunctionCallInfo fcinfo, const char *function, bool discrete)
{
	moving_order m = {.discrete = discrete};

	if (PG_ARGISNULL(1))
		PG_RETURN_NULL();
	m.fraction = PG_GETARG_FLOAT8(1);
	gs_check_fraction(m.fraction);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	return moving(fcinfo, function, &m, 2);
}

PG_FUNCTION_INFO_V1(gpu_moving_percentile_cont);

/* gpu_moving_percentile_cont(arr, fraction, preceding, following) */
Datum
gpu_moving_percentile_cont(PG_FUNCTION_ARGS)
{
	return moving_percentile(fcinfo, "gpu_moving_percentile_cont", false);
}

PG_FUNCTION_INFO_V1(gpu_moving_percentile_disc);

Datum
gpu_moving_percentile_disc(PG_FUNCTION_ARGS)
{
	return moving_percentile(fcinfo, "gpu_moving_percentile_disc", true);
}
