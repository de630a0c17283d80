/*-------------------------------------------------------------------------
 *
 * ewma_tree.cuh
 *	  The tree over runs, groups and chunks, and folds of its blocks.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_EWMA_TREE_CUH
#define GS_EWMA_TREE_CUH

#include "kernels/moving/ewma.cuh"

/*
 * A block of the tree.  Where all gaps are 1, only its sum has to be known, but
 * for the first one, before which there is nothing to keep.
 */
template <bool GAPS>
struct ewma_node
{
	gs_ewma_block block;

	__device__ gs_pair keep(const ewma_args &, int) const { return block.keep; }
	__device__ gs_pair sum(void) const { return block.sum; }

	__device__ gs_pair
	weight(const ewma_args &, int) const
	{
		return block.weight;
	}

	/* Each of two blocks is of 2^level runs. */
	static __device__ ewma_node
	join(const ewma_args &a, int, ewma_node x, ewma_node y)
	{
		return {gs_ewma_join(a.adjust, x.block, y.block)};
	}
};

template <>
struct ewma_node<false>
{
	gs_pair		pair;

	__device__ gs_pair
	keep(const ewma_args &a, int level) const
	{
		return a.kept_by[level];
	}

	__device__ gs_pair sum(void) const { return pair; }

	__device__ gs_pair
	weight(const ewma_args &a, int level) const
	{
		return a.weight_of[level];
	}

	static __device__ ewma_node
	join(const ewma_args &a, int level, ewma_node x, ewma_node y)
	{
		const gs_factor keep = gs_factor_of(a.kept_by[level]);

		return {gs_pair_plus(gs_factor_times(keep, x.pair), y.pair)};
	}
};

/* Append a block of 2^level runs. */
template <bool GAPS>
__device__ static void
append(const ewma_args &a, int level, const ewma_node<GAPS> &node,
	   ewma_fold *fold)
{
	const gs_factor keep = gs_factor_of(node.keep(a, level));
	const gs_pair sum = node.sum();
	const gs_pair weight = node.weight(a, level);

	fold->sum = !fold->any ? sum :
		gs_pair_plus(gs_factor_times(keep, fold->sum), sum);
	if (a.adjust)
		fold->weight = !fold->any ? weight :
			gs_pair_plus(gs_factor_times(keep, fold->weight), weight);
	fold->any = true;
}

/*
 * A tree, in shared memory or the state: its `leaves`, of 2^base runs each, are
 * followed by the blocks of two, four, and so on, half as many places of each.
 */
template <bool GAPS>
struct ewma_tree
{
	typedef ewma_node<GAPS> node;
	node	   *leaf;
	int			leaves;			/* a power of two */
	int			base;

	static __host__ __device__ size_t
	size(int leaves)
	{
		return 2 * leaves * sizeof(node);
	}

	/* Join those that are whole.  All threads of a block call. */
	__device__ void
	join(const ewma_args &a, int whole) const
	{
		node	   *from = leaf;
		int			level = base;

		for (int width = leaves; whole > 1; width /= 2, level++)
		{
			node	   *to = from + width;

			whole /= 2;
			__syncthreads();
			for (int i = threadIdx.x; i < whole; i += THREADS)
				to[i] = node::join(a, level, from[2 * i], from[2 * i + 1]);
			from = to;
		}
		__syncthreads();
	}

	/* Append what is before leaf i. */
	__device__ void
	fold(const ewma_args &a, int i, ewma_fold *fold) const
	{
		const node *from = leaf + 2 * leaves - 2;
		int			digit = 31 - __clz(leaves);

		for (; digit >= 0; digit--, from -= leaves >> digit)
		{
			if (i >> digit & 1)
				append<GAPS>(a, base + digit, from[(i >> digit) - 1], fold);
		}
	}

	/* The block of all. */
	__device__ node
	root(void) const
	{
		return leaf[2 * leaves - 2];
	}
};

#endif							/* GS_EWMA_TREE_CUH */
