/*-------------------------------------------------------------------------
 *
 * counts.c
 *	  Counts, and sums of integers, of the frames of a partition.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/windows/windows.h"

/* Of the places from `from` to `to` - 1. */
typedef struct sliding
{
	int64_t		from;
	int64_t		to;
	int64_t		count;
	__int128	sum;
} sliding;

/* A frame that has the rows of the one before has its result. */
static inline bool
is_same(int i, const uint32_t *start, const uint32_t *end)
{
	return i > 0 && start[i] == start[i - 1] && end[i] == end[i - 1];
}

static void
count_block(window_run *r, void *state, int64_t at, int n,
			const uint32_t *start, const uint32_t *end)
{
	sliding    *s = state;
	int64_t    *result = (int64_t *) r->result + at;

	for (int i = 0; i < n; i++)
	{
		if (r->present == NULL)
			result[i] = end[i] > start[i] ? end[i] - start[i] : 0;
		else
		{
			WINDOW_SLIDE(s->from, s->to, start[i], end[i], s->count = 0,
						 s->count += r->present[s->to],
						 s->count -= r->present[s->from]);
			result[i] = s->count;
		}
	}
}

static inline void
change(const window_run *r, sliding *s, int64_t place, int sign)
{
	if (!window_is_present(r, place))
		return;
	s->count += sign;
	s->sum += sign * (__int128) window_integer(r->argument, r->type, place);
}

static void
sum_block(window_run *r, void *state, int64_t at, int n,
		  const uint32_t *start, const uint32_t *end)
{
	sliding    *s = state;
	int64_t    *result = (int64_t *) r->result + at;
	uint8_t    *valid = r->valid + at;

	for (int i = 0; i < n; i++)
	{
		if (is_same(i, start, end))
		{
			result[i] = result[i - 1];
			valid[i] = valid[i - 1];
			continue;
		}
		WINDOW_SLIDE(s->from, s->to, start[i], end[i], s->count = s->sum = 0,
					 change(r, s, s->to, 1), change(r, s, s->from, -1));
		valid[i] = s->count > 0;
		result[i] = (int64_t) s->sum;
		if (result[i] != s->sum)
			r->errors |= GS_ERROR_RANGE;
	}
}

void
cpu_window_count(window_run *r, void *state, int64_t first, int64_t end)
{
	sliding		s = {.from = first, .to = first};

	(void) state;
	cpu_window_frames(r, first, end, count_block, &s);
}

void
cpu_window_integers(window_run *r, void *state, int64_t first, int64_t end)
{
	sliding		s = {.from = first, .to = first};

	(void) state;
	cpu_window_frames(r, first, end, sum_block, &s);
}
