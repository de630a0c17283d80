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

#include "engine/index.h"
#include "kernels/plan/load.cuh"

/*
 * The mask of rows for which a probe's entry is not false; NULL, and what is
 * beyond a table, is not.  All entries come from memory at the same time.
 */
template <int N, int STEP>
__device__ static inline uint32_t
group_rows_probed(const evaluate_probe &b, const uint8_t *table,
				  const uint32_t *row, uint32_t mask)
{
	uint32_t	known = group_rows_with_bit<N>(b.c.validity, row, mask);
	uint32_t	passes = 0;
	int64_t		x[N] = {};
	int32_t		place[N];
	uint8_t		entry[N];

	group_load_rows<N, STEP>(b.c.values, b.c.format, b.c.base, row, mask, x);
	GROUP_EACH_ROW(N, true, 0, {
		const uint64_t at = (uint64_t) x[r] - (uint64_t) b.first;
		const bool	within = at <= b.span;
		const bool	is_below = x[r] < b.first;

		place[r] = b.offset +
			(int32_t) (within ? (uint32_t) at : is_below ? 0 : b.span);
		if (!within && !(is_below ? b.below : b.above))
			known &= ~(1u << r);
	})
	GROUP_EACH_ROW(N, false, known,
				   entry[r] = __ldg(table + (int64_t) place[r] * b.width))
	if (b.nulls != 0)
	{
		GROUP_EACH_ROW(N, false, known, {
			if (gs_lookup_null(table + b.nulls, place[r]))
				entry[r] = 1;
		})
	}
	GROUP_EACH_ROW(N, false, known, passes |= (entry[r] & 1u) << r)
	return passes | (mask & ~known);
}

/* STEP: as group_fetch_rows has it. */
template <int N, int STEP>
__device__ static inline uint32_t
group_rows_prefiltered(const evaluate_program *p, const evaluate_prefilter &f,
					   const uint32_t *row, uint32_t mask)
{
	mask = group_rows_in_ranges<N, STEP>(f.range, f.placed, row, mask);
	for (int i = 0; i < f.probes && mask != 0; i++)
	{
		const evaluate_probe &b = f.probe[i];
		const gs_value *table = b.table < 0 ? p->table[GS_TABLE(b.table)] :
			p->list + b.table;

		mask = group_rows_probed<N, STEP>(b, (const uint8_t *) table, row, mask);
	}
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

	/* not if it is full */
	__device__ void put(const uint32_t *number, uint32_t mask)
	{
		const uint32_t before = (1u << gs_lane()) - 1;

#pragma unroll
		for (int r = 0; r < N; r++)
		{
			const uint32_t lanes = __ballot_sync(GS_ALL_LANES, mask >> r & 1);

			if (mask >> r & 1)
				row[rows + __popc(lanes & before)] = number[r];
			rows += __popc(lanes);
		}
		__syncwarp();
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
