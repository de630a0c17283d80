/*-------------------------------------------------------------------------
 *
 * accumulate_ahead.cuh
 *	  Sums of one column of float8 by one key, whose rows all count.
 *
 * This is what most is asked for, and takes little more than reading it.  So
 * a thread reads the rows of its next tile while it adds those of this one:
 * each register is read into again as soon as its value has been used.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_ACCUMULATE_AHEAD_CUH
#define GS_GROUP_ACCUMULATE_AHEAD_CUH

#include "kernels/plan/add.cuh"
#include "kernels/plan/block_states.cuh"

/* So many tiles after the one that is added, one comes to the L2 cache. */
#define AHEAD_TILES	2

/* Where a thread reads from; row r of a tile is r * THREADS further. */
template <typename KEY> struct ahead_columns
{
	const KEY  *key;
	const long long *value;
};

/* Add what does not fit the window, of the rows in a mask. */
template <add_mode MODE>
__device__ static inline void
add_floats_below(const block_states &b, const add_action &a,
				 const int32_t *target, uint32_t below,
				 const long long *value)
{
	long long	v[ROWS];

#pragma unroll
	for (int r = 0; r < ROWS; r++)
		v[r] = below >> r & 1 ? __ldcs(value + r * THREADS) : 0;
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		if (v[r] != 0)
			add_float_below<MODE>(b, a, target[r], v[r]);
	}
}

/*
 * Are all rows of each of a warp's threads of one group?  Where rows are in the
 * keys' order they mostly are.
 */
__device__ static inline bool
have_one_target(const int32_t *target)
{
	bool		one = true;

#pragma unroll
	for (int r = 1; r < ROWS; r++)
		one &= target[r] == target[0];
	return __all_sync(GS_ALL_LANES, one);
}

/*
 * Add a tile, whose keys and values are in k and v, then those of the next
 * one.  Counts in shared memory before are returned, OR-ed.
 *
 * With fewer replicas than lanes, lanes that add to one group wait for each
 * other, so each adds up its rows of one group first.
 */
template <add_mode MODE, typename KEY>
__device__ static inline uint32_t
add_tile_ahead(const block_states &b, uint32_t low, bool any_hot,
			   const add_action &a, const ahead_columns<KEY> &now,
			   const ahead_columns<KEY> &next, KEY *k, long long *v)
{
	const int	replicated = a.replicated;
	const int	word = a.word;
	const int	window = a.unit + 1;
	int32_t		target[ROWS];
	uint32_t	seen = 0;
	uint32_t	below = 0;
	fixed<3>	sum = {};
	bool		one;

#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		target[r] = target_of<MODE>(b, (uint32_t) k[r] - low, any_hot);
		k[r] = __ldcs(next.key + r * THREADS);
	}
	one = MODE == ADD_PACKED && have_one_target(target);
	if (one)
		seen = count_more(b, target[0], ROWS) + ROWS - 1;
	else
	{
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			seen |= count_one<MODE>(b, target[r], 0, 0);
	}
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		fixed<3>	x;

		if (!float_in_window(v[r], window, &x))
			below |= 1u << r;
		v[r] = __ldcs(next.value + r * THREADS);
		if (one)
			add_fixed(&sum, x);
		else
			add_digits<MODE, 4>(b, replicated, word, target[r], x);
	}
	if (one)
		add_digits<MODE, 4>(b, replicated, word, target[0], sum);
	if (below != 0)
		add_floats_below<MODE>(b, a, target, below, now.value);
	return seen;
}

/* Add a block's whole tiles from `first` on; the first row of what is left. */
template <add_mode MODE, typename KEY>
__device__ static inline int64_t
add_tiles_ahead(const block_states &b, const add_key &key,
				const add_action &a, relief *room, int64_t first)
{
	const group_job *job = b.job;
	const int64_t step = (int64_t) gridDim.x * GROUP_TILE;
	const int64_t end = job->end;
	const uint32_t low = (uint32_t) key.low -
		(group_has_base(key.format) ? (uint32_t) key.base : 0);
	const bool	any_hot = job->hots > 0;
	ahead_columns<KEY> now;
	KEY			k[ROWS];
	long long	v[ROWS];

	if (first + GROUP_TILE > end)
		return first;
	now.key = (const KEY *) key.values + first + threadIdx.x;
	now.value = (const long long *) a.a + first + threadIdx.x;
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		k[r] = __ldcs(now.key + r * THREADS);
		v[r] = __ldcs(now.value + r * THREADS);
	}
	for (;;)
	{
		const bool	more = first + step + GROUP_TILE <= end;
		ahead_columns<KEY> next = now;

		/* else what is read is not used */
		if (more)
		{
			next.key += step;
			next.value += step;
		}
		make_room<MODE>(b, room);
		prefetch_tile(job, first + AHEAD_TILES * step, end);
		room->seen |= add_tile_ahead<MODE>(b, low, any_hot, a, now, next, k,
										   v);
		first += step;
		if (!more)
			return first;
		now = next;
	}
}

template <add_mode MODE>
__device__ static inline int64_t
add_ahead(const block_states &b, const add_key &key, const add_action &a,
		  relief *room, int64_t first)
{
	switch (key.format)
	{
		case GROUP_U1:
			return add_tiles_ahead<MODE, uint8_t>(b, key, a, room, first);
		case GROUP_U2:
			return add_tiles_ahead<MODE, uint16_t>(b, key, a, room, first);
		case GROUP_S2:
			return add_tiles_ahead<MODE, int16_t>(b, key, a, room, first);
		default:
			return add_tiles_ahead<MODE, uint32_t>(b, key, a, room, first);
	}
}

#endif							/* GS_GROUP_ACCUMULATE_AHEAD_CUH */
