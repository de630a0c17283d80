/*-------------------------------------------------------------------------
 *
 * moving_percentile.c
 *	  Medians and percentiles of moving frames on the CPU.
 *
 * The array is cut into pieces, some times as long as a frame.  The elements
 * of all frames of a piece are sorted once, which gives each a rank among
 * them.  Then the ranks of the current frame's elements are a set that one
 * enters and one leaves at a time (rank_set.h).  So the time an element
 * takes grows with the logarithm of the frame alone, whatever the elements are.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/moving/moving.h"

#include <string.h>

#include "engine/cpu/moving/rank_set.h"
#include "engine/percentile.h"

/*
 * Frames of a piece: sorting reads the elements of the frames at its ends
 * twice, and should stay in the processor's cache.
 */
#define PIECE_FRAMES	4		/* times the elements of a frame */
#define LEAST_PIECE		8192

#define SIGN			(UINT64_C(1) << 63)
#define ALIGNED(size)	(((size) + 63) / 64 * 64)

typedef struct array
{
	const gs_op *op;
	cpu_frame	frame;
	const void *elements;
	const uint32_t *before;		/* NULL: no element is NULL */
} array;

/* The elements of a piece's frames. */
typedef struct piece
{
	int64_t		first;			/* the first of these elements */
	cpu_keys	keys;			/* of those that are not NULL, in order */
	uint32_t   *rank;			/* of each element: the other positions */
	cpu_rank_set frame;
	int64_t		since;			/* the last pause */
} piece;

static int64_t
frames_of_piece(const cpu_frame *f)
{
	int64_t		frames = PIECE_FRAMES * cpu_frame_most(f);

	frames = frames > LEAST_PIECE ? frames : LEAST_PIECE;
	return frames < f->n ? frames : f->n;
}

static int64_t
elements_of_piece(const cpu_frame *f)
{
	int64_t		elements = frames_of_piece(f) + cpu_frame_most(f);

	return elements < f->n ? elements : f->n;
}

size_t
cpu_moving_percentiles_size(const gs_op *op, int64_t n)
{
	cpu_frame	f = cpu_frame_of(op, n);
	int64_t		elements = elements_of_piece(&f);

	return n == 0 ? 0 : 2 * ALIGNED(elements * sizeof(uint64_t)) +
		2 * ALIGNED(elements * sizeof(uint32_t)) +
		cpu_rank_set_size(elements);
}

static void *
part(uint8_t **memory, size_t size)
{
	void	   *result = *memory;

	*memory += ALIGNED(size);
	return result;
}

static void
open_piece(piece *p, int64_t elements, uint8_t *memory)
{
	memset(p, 0, sizeof *p);
	p->keys.width = sizeof(uint64_t);
	p->keys.key = part(&memory, elements * sizeof(uint64_t));
	p->keys.other_key = part(&memory, elements * sizeof(uint64_t));
	p->keys.position = part(&memory, elements * sizeof(uint32_t));
	p->keys.other_position = part(&memory, elements * sizeof(uint32_t));
	cpu_rank_set_open(&p->frame, elements, memory);
}

/* Unsigned integers in the order of elements, -0 below 0 and NaN above all. */
static inline uint64_t
key_at(const array *a, int64_t i)
{
	int64_t		key;

	switch (a->op->type)
	{
		case GS_INT2:
			key = ((const int16_t *) a->elements)[i];
			break;
		case GS_INT4:
			key = ((const int32_t *) a->elements)[i];
			break;
		case GS_INT8:
			key = ((const int64_t *) a->elements)[i];
			break;
		case GS_FLOAT4:
			key = gs_cpu_key(((const float *) a->elements)[i]);
			break;
		default:
			key = gs_cpu_key(((const double *) a->elements)[i]);
	}
	return (uint64_t) key ^ SIGN;
}

static inline bool
is_null(const array *a, int64_t i)
{
	return a->before != NULL && a->before[i + 1] == a->before[i];
}

/* Rank n elements from `first` on. */
static void
read_piece(piece *p, const array *a, int64_t first, int64_t n)
{
	cpu_keys   *keys = &p->keys;

	p->first = first;
	keys->n = 0;
	keys->sorted = false;
	for (int64_t i = 0; i < n; i++)
	{
		pause_after(&p->since, 1);
		if (is_null(a, first + i))
			continue;
		((uint64_t *) keys->key)[keys->n] = key_at(a, first + i);
		keys->position[keys->n++] = (uint32_t) i;
	}
	gs_cpu_sort(keys);
	p->rank = keys->other_position;
	for (int64_t i = 0; i < n && keys->n < n; i++)
	{
		pause_after(&p->since, 1);
		p->rank[i] = CPU_NO_RANK;
	}
	for (int64_t i = 0; i < keys->n; i++)
	{
		pause_after(&p->since, 1);
		p->rank[keys->position[i]] = (uint32_t) i;
	}
}

static inline void
enter(piece *p, int64_t element)
{
	cpu_rank_set_enter(&p->frame, p->rank[element - p->first]);
}

static inline void
leave(piece *p, int64_t element)
{
	cpu_rank_set_leave(&p->frame, p->rank[element - p->first]);
}

static inline int64_t
key_of_rank(const piece *p, int64_t rank)
{
	return (int64_t) (((const uint64_t *) p->keys.key)[rank] ^ SIGN);
}

static inline gs_pair
value_of_rank(const piece *p, const gs_op *op, int64_t rank)
{
	int64_t		key = key_of_rank(p, rank);

	return op->type == GS_FLOAT4 || op->type == GS_FLOAT8 ?
		gs_percentile_float(gs_cpu_unkey(key)) : gs_percentile_integer(key);
}

/* An element, as result i. */
static inline void
put_element(const gs_op *op, int64_t key, void *results, int64_t i)
{
	switch (op->type)
	{
		case GS_INT2:
			((int16_t *) results)[i] = (int16_t) key;
			break;
		case GS_INT4:
			((int32_t *) results)[i] = (int32_t) key;
			break;
		case GS_INT8:
			((int64_t *) results)[i] = key;
			break;
		case GS_FLOAT4:
			((float *) results)[i] = (float) gs_cpu_unkey(key);
			break;
		default:
			((double *) results)[i] = gs_cpu_unkey(key);
	}
}

/* The current frame, which is not empty, is that of element i. */
static inline void
put_result(piece *p, const gs_op *op, void *results, int64_t i)
{
	gs_place	place = gs_percentile_place(op->percentile.fraction,
											op->percentile.discrete,
											p->frame.n);
	int64_t		rank = cpu_rank_set_find(&p->frame, place.rank);
	gs_pair		low;
	gs_pair		high;

	if (op->percentile.discrete)
	{
		put_element(op, key_of_rank(p, rank), results, i);
		return;
	}
	low = high = value_of_rank(p, op, rank);
	if (place.proportion != 0)
		high = value_of_rank(p, op, cpu_rank_set_next(&p->frame, rank));
	((double *) results)[i] = gs_percentile_value(low, high, place.proportion);
}

/* The results of frames first .. end - 1, but those of empty ones. */
static void
move_over_piece(piece *p, const array *a, int64_t first, int64_t end,
				void *results)
{
	int64_t		entering = p->first;
	int64_t		leaving = p->first;

	cpu_rank_set_clear(&p->frame);
	for (int64_t i = first; i < end; i++)
	{
		const int64_t from = cpu_frame_first(&a->frame, i);
		const int64_t to = cpu_frame_end(&a->frame, i);

		pause_after(&p->since, 1 + to - entering);
		while (entering < to)
			enter(p, entering++);
		while (leaving < from)
			leave(p, leaving++);
		if (p->frame.n > 0)
			put_result(p, a->op, results, i);
	}
}

void
cpu_moving_percentiles(const gs_op *op, int64_t n, const void *elements,
					   const uint32_t *before, void *memory, void *results)
{
	array		a = {op, cpu_frame_of(op, n), elements, before};
	int64_t		frames = frames_of_piece(&a.frame);
	piece		p;

	if (n == 0)
		return;
	open_piece(&p, elements_of_piece(&a.frame), memory);
	for (int64_t at = 0; at < n; at += frames)
	{
		int64_t		end = n - at < frames ? n : at + frames;
		int64_t		first = cpu_frame_first(&a.frame, at);

		read_piece(&p, &a, first, cpu_frame_end(&a.frame, end - 1) - first);
		move_over_piece(&p, &a, at, end, results);
	}
}
