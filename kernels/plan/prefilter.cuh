/*-------------------------------------------------------------------------
 *
 * prefilter.cuh
 *	  Which rows may pass a plan's filter, by one column at a time; and the rows
 *	  that do, until there are enough for all lanes of a warp.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_PREFILTER_CUH
#define GS_GROUP_PREFILTER_CUH

#include "kernels/plan/execute.cuh"

/*
 * What a LOOKUP gives for these numbers of rows, and of which of them it is known:
 * not where it is NULL or an error.
 */
template <int N>
__device__ static inline void
look_up_known(const evaluate_program *p, const gs_instruction &code, int64_t *x,
			  uint32_t *known)
{
	lane_values<N> v = {};
	int32_t		place[N];

	GROUP_EACH_ROW(N, true, 0, {
		place[r] = gs_lookup_place(x[r], code.low, code.count);
		if (place[r] < 0)
			*known &= ~(1u << r);
	})
	read_entries<N>(p, code, place, *known, &v);
	GROUP_EACH_ROW(N, true, 0, {
		x[r] = v.value[r];
		if (state_of(v.states, r) != 0)
			*known &= ~(1u << r);
	})
}

/* The mask of rows but for those that fail a probe. */
template <int N, int STEP>
__device__ static inline uint32_t
group_rows_probed(const evaluate_program *p, const evaluate_probe &b,
				  const uint32_t *row, uint32_t mask)
{
	uint32_t	known = group_rows_with_bit<N>(b.c.validity, row, mask);
	uint32_t	passes = 0;
	int64_t		x[N] = {};

	group_load_rows<N, STEP>(b.c.values, b.c.format, b.c.base, row, mask, x);
	GROUP_EACH_ROW(N, true, 0, {
		x[r] = x[r] < b.most ? x[r] : b.most;
		x[r] = x[r] > b.least ? x[r] : b.least;
	})
	if (b.through.code == GS_CODE_FIND)
	{
		const gs_value *index = table_of(p, b.through);

		GROUP_EACH_ROW(N, false, known,
					   x[r] = gs_index_find(index, b.through.width,
											(uint64_t) b.through.low,
											b.through.count, x[r]))
	}
	else if (b.through.code == GS_CODE_LOOKUP)
		look_up_known<N>(p, b.through, x, &known);
	look_up_known<N>(p, b.flag, x, &known);
	GROUP_EACH_ROW(N, true, 0, passes |= (uint32_t) (x[r] & 1) << r)
	return mask & (passes | ~known);
}

/* STEP: as group_fetch_rows has it. */
template <int N, int STEP>
__device__ static inline uint32_t
group_rows_prefiltered(const evaluate_program *p, const evaluate_prefilter &f,
					   const uint32_t *row, uint32_t mask)
{
	mask = group_rows_in_ranges<N, STEP>(f.range, f.placed, row, mask);
	for (int i = 0; i < f.probes && mask != 0; i++)
		mask = group_rows_probed<N, STEP>(p, f.probe[i], row, mask);
	return mask;
}

/*
 * Rows of a warp that wait in shared memory, fewer than two times 32 * N.  All
 * lanes call its functions.
 */
template <int N> struct row_queue
{
	uint32_t   *row;
	uint32_t	rows;

	__device__ bool is_full() const
	{
		return rows >= N * GS_WARP;
	}

	/* not if it is full; returns how many */
	__device__ uint32_t put(const uint32_t *number, uint32_t mask)
	{
		const uint32_t before = (1u << gs_lane()) - 1;
		const uint32_t waited = rows;

#pragma unroll
		for (int r = 0; r < N; r++)
		{
			const uint32_t lanes = __ballot_sync(GS_ALL_LANES, mask >> r & 1);

			if (mask >> r & 1)
				row[rows + __popc(lanes & before)] = number[r];
			rows += __popc(lanes);
		}
		__syncwarp();
		return rows - waited;
	}

	/* up to N a lane; the mask of those that there are */
	__device__ uint32_t take(uint32_t *number)
	{
		const uint32_t n = is_full() ? N * GS_WARP : rows;
		uint32_t	mask = 0;

		rows -= n;
#pragma unroll
		for (int r = 0; r < N; r++)
		{
			const uint32_t at = r * GS_WARP + gs_lane();

			number[r] = at < n ? row[rows + at] : 0;
			mask |= (at < n ? 1u : 0u) << r;
		}
		__syncwarp();
		return mask;
	}
};

#endif							/* GS_GROUP_PREFILTER_CUH */
