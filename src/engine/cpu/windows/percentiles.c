/*-------------------------------------------------------------------------
 *
 * percentiles.c
 *	  Percentiles of the frames of a partition.
 *
 * As in moving_percentile.c: the values of the partition are sorted once, which
 * gives each a rank among them.  Then the ranks of a frame's values are a set that
 * they enter and leave.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/windows/windows.h"
#include "engine/cpu/moving/rank_set.h"
#include "engine/percentile.h"

#define SIGN			(UINT64_C(1) << 63)
#define ALIGNED(size)	(((size_t) (size) + 63) & ~(size_t) 63)

/* Of the places from `from` to `to` - 1. */
typedef struct sliding
{
	int64_t		first;			/* the partition */
	int64_t		from;
	int64_t		to;
	const uint64_t *key;		/* of each rank */
	const uint32_t *rank;		/* of each place of the partition */
	cpu_rank_set set;
} sliding;

size_t
cpu_window_ranking_size(int64_t rows)
{
	return 2 * ALIGNED(rows * 8) + 2 * ALIGNED(rows * 4) +
		ALIGNED(cpu_rank_set_size(rows));
}

/* Unsigned integers in the order of values, -0 below 0 and NaN above all. */
static inline uint64_t
key_at(const window_run *r, int64_t place)
{
	int64_t		key = gs_is_float(r->type) ?
		gs_cpu_key(window_float(r->argument, r->type, place)) :
		window_integer(r->argument, r->type, place);

	return (uint64_t) key ^ SIGN;
}

/* Rank the partition's values. */
static void
open_ranks(const window_run *r, sliding *s, int64_t first, int64_t end)
{
	int64_t		rows = end - first;
	char	   *at = r->ranking;
	cpu_keys	k = {.width = 8};
	uint32_t   *rank;

	k.key = at;
	k.other_key = at += ALIGNED(rows * 8);
	k.position = (uint32_t *) (at += ALIGNED(rows * 8));
	k.other_position = (uint32_t *) (at += ALIGNED(rows * 4));
	cpu_rank_set_open(&s->set, rows, at + ALIGNED(rows * 4));
	for (int64_t i = 0; i < rows; i++)
	{
		if (!window_is_present(r, first + i))
			continue;
		((uint64_t *) k.key)[k.n] = key_at(r, first + i);
		k.position[k.n++] = (uint32_t) i;
	}
	gs_cpu_sort(&k);
	rank = k.other_position;
	for (int64_t i = 0; i < rows && k.n < rows; i++)
		rank[i] = CPU_NO_RANK;
	for (int64_t i = 0; i < k.n; i++)
		rank[k.position[i]] = (uint32_t) i;
	s->first = s->from = s->to = first;
	s->key = k.key;
	s->rank = rank;
}

static inline void
enter(sliding *s, int64_t place)
{
	cpu_rank_set_enter(&s->set, s->rank[place - s->first]);
}

static inline void
leave(sliding *s, int64_t place)
{
	cpu_rank_set_leave(&s->set, s->rank[place - s->first]);
}

/* Not cpu_rank_set_clear, whose time grows with the partition. */
static inline void
leave_all(sliding *s)
{
	for (; s->from < s->to; s->from++)
		leave(s, s->from);
}

static inline int64_t
key_of_rank(const sliding *s, int64_t rank)
{
	return (int64_t) (s->key[rank] ^ SIGN);
}

static inline gs_pair
value_of_rank(const window_run *r, const sliding *s, int64_t rank)
{
	int64_t		key = key_of_rank(s, rank);

	return gs_is_float(r->type) ? gs_percentile_float(gs_cpu_unkey(key)) :
		gs_percentile_integer(key);
}

/* A value itself. */
static inline void
put_value(window_run *r, int64_t at, int64_t key)
{
	switch (r->type)
	{
		case GS_INT2:
			((int16_t *) r->result)[at] = (int16_t) key;
			break;
		case GS_INT4:
			((int32_t *) r->result)[at] = (int32_t) key;
			break;
		case GS_INT8:
			((int64_t *) r->result)[at] = key;
			break;
		case GS_FLOAT4:
			((float *) r->result)[at] = (float) gs_cpu_unkey(key);
			break;
		default:
			((double *) r->result)[at] = gs_cpu_unkey(key);
			break;
	}
}

/* The percentile of at least one value. */
static inline void
put_percentile(window_run *r, sliding *s, int64_t at)
{
	bool		discrete = r->f->kind == GS_WINDOW_PERCENTILE_DISC;
	gs_place	place = gs_percentile_place(r->f->fraction, discrete, s->set.n);
	int64_t		rank = cpu_rank_set_find(&s->set, place.rank);
	gs_pair		low;
	gs_pair		high;

	if (discrete)
	{
		put_value(r, at, key_of_rank(s, rank));
		return;
	}
	low = high = value_of_rank(r, s, rank);
	if (place.proportion != 0)
		high = value_of_rank(r, s, cpu_rank_set_next(&s->set, rank));
	((double *) r->result)[at] = gs_percentile_value(low, high,
													 place.proportion);
}

static void
percentiles_of_block(window_run *r, void *state, int64_t at, int n,
					 const uint32_t *start, const uint32_t *end)
{
	sliding    *s = state;
	size_t		width = r->f->kind == GS_WINDOW_PERCENTILE ? sizeof(double) :
		(size_t) gs_type_width(r->type);

	for (int i = 0; i < n; i++)
	{
		WINDOW_SLIDE(s->from, s->to, start[i], end[i], leave_all(s),
					 enter(s, s->to), leave(s, s->from));
		r->valid[at + i] = s->set.n > 0;
		if (s->set.n > 0)
			put_percentile(r, s, at + i);
		else
			memset((char *) r->result + (size_t) (at + i) * width, 0, width);
	}
}

void
cpu_window_percentile(window_run *r, void *state, int64_t first, int64_t end)
{
	sliding		s;

	(void) state;
	open_ranks(r, &s, first, end);
	cpu_window_frames(r, first, end, percentiles_of_block, &s);
}
