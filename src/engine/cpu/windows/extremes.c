/*-------------------------------------------------------------------------
 *
 * extremes.c
 *	  The least and the greatest of the frames of a partition.
 *
 * Those of a frame's values that may become an extreme are in a queue: each is
 * beyond all that came later, so that the first is the extreme.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/windows/windows.h"

#include <math.h>

/* Of the places from `from` to `to` - 1. */
typedef struct sliding
{
	int64_t		from;
	int64_t		to;
	int64_t		head;			/* of the queue, and behind its last */
	int64_t		tail;
	int64_t		negative_zeros;
} sliding;

/* Integers in the order of values, which ascends with them: or descends. */
static inline int64_t
key_at(const window_run *r, int64_t place)
{
	int64_t		key = gs_is_float(r->type) ?
		gs_cpu_key(window_float(r->argument, r->type, place)) :
		window_integer(r->argument, r->type, place);

	return r->f->kind == GS_WINDOW_MIN ? key : ~key;
}

static inline bool
is_negative_zero(const window_run *r, int64_t place)
{
	double		x = window_float(r->argument, r->type, place);

	return x == 0 && signbit(x) != 0;
}

static inline void
add(window_run *r, sliding *s, int64_t place)
{
	int64_t		key;

	if (!window_is_present(r, place))
		return;
	key = key_at(r, place);
	while (s->tail > s->head && key_at(r, r->queue[s->tail - 1]) >= key)
		s->tail--;
	r->queue[s->tail++] = (uint32_t) place;
	if (r->f->zeros && gs_is_float(r->type))
		s->negative_zeros += is_negative_zero(r, place);
}

static inline void
drop(window_run *r, sliding *s, int64_t place)
{
	if (!window_is_present(r, place))
		return;
	if (s->tail > s->head && r->queue[s->head] == place)
		s->head++;
	if (r->f->zeros && gs_is_float(r->type))
		s->negative_zeros -= is_negative_zero(r, place);
}

/* Is it a zero of which PostgreSQL might have the other one? */
static bool
is_doubtful(const window_run *r, const sliding *s, double x)
{
	if (!r->f->zeros || x != 0)
		return false;
	return r->f->kind == GS_WINDOW_MIN ? signbit(x) != 0 :
		signbit(x) == 0 && s->negative_zeros > 0;
}

static void
put(window_run *r, const sliding *s, int64_t at)
{
	int64_t		place = r->queue[s->head];
	double		x;

	if (!gs_is_float(r->type))
	{
		size_t		width = (size_t) gs_type_width(r->type);

		memcpy((char *) r->result + (size_t) at * width,
			   (const char *) r->argument + (size_t) place * width, width);
		return;
	}
	x = window_float(r->argument, r->type, place);
	if (x != x)
		x = gs_canonical_nan();
	if (is_doubtful(r, s, x))
		r->errors |= GS_ERROR_RANGE;
	if (r->type == GS_FLOAT4)
		((float *) r->result)[at] = (float) x;
	else
		((double *) r->result)[at] = x;
}

static void
extremes_of_block(window_run *r, void *state, int64_t at, int n,
				  const uint32_t *start, const uint32_t *end)
{
	sliding    *s = state;
	size_t		width = (size_t) gs_type_width(r->type);

	for (int i = 0; i < n; i++)
	{
		WINDOW_SLIDE(s->from, s->to, start[i], end[i],
					 (s->head = s->tail, s->negative_zeros = 0),
					 add(r, s, s->to), drop(r, s, s->from));
		r->valid[at + i] = s->tail > s->head;
		if (s->tail > s->head)
			put(r, s, at + i);
		else
			memset((char *) r->result + (size_t) (at + i) * width, 0, width);
	}
}

void
cpu_window_extreme(window_run *r, void *state, int64_t first, int64_t end)
{
	sliding		s = {.from = first, .to = first};

	(void) state;
	cpu_window_frames(r, first, end, extremes_of_block, &s);
}
