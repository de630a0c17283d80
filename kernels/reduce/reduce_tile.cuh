/*-------------------------------------------------------------------------
 *
 * reduce_tile.cuh
 *	  Reductions: how a thread loads its elements.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REDUCE_TILE_CUH
#define GS_REDUCE_TILE_CUH

#include "kernels/reduce/reduce.cuh"

#define THREADS		GS_REDUCE_THREADS
#define WARPS		(THREADS / GS_WARP)
#define LOADS		GS_REDUCE_LOADS
#define STAGES		GS_REDUCE_STAGES

/* 16 bytes of elements. */
template <typename T>
union vector
{
	uint4		raw;
	T			x[16 / sizeof(T)];
};

#define TILE		(THREADS * LOADS)	/* 16-byte loads a block */

/*
 * Add a thread's elements of a tile; `at` is the index of the tile's first
 * vector.
 */
template <class R>
__device__ static inline void
add_loads(R &r, const uint4 (&raw)[LOADS], int64_t at, block_acc *acc)
{
	typedef typename R::element T;
	const int	EACH = 16 / sizeof(T);

	if constexpr (R::NEEDS_INDEX)
	{
#pragma unroll
		for (int i = 0; i < LOADS; i++)
		{
			vector<T>	v;

			v.raw = raw[i];
			r.add(v.x, (at + i * THREADS + threadIdx.x) * EACH, acc);
		}
	}
	else
	{
		T			x[LOADS * EACH];

		memcpy(x, raw, sizeof x);
		r.add(x, 0, acc);
	}
}

/*
 * Asynchronous copies to shared memory, each thread's for itself: they allow
 * more loads in flight than registers would.
 */
__device__ static inline void
load_async(uint4 *buffer, const uint4 *from, int64_t at, int64_t full)
{
#if __CUDA_ARCH__ >= 800
	if (at < full)
	{
#pragma unroll
		for (int i = 0; i < LOADS; i++)
			asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : :
						 "r"((uint32_t) __cvta_generic_to_shared
							 (buffer + i * THREADS + threadIdx.x)),
						 "l"(from + at + i * THREADS + threadIdx.x)
						 : "memory");
	}
	asm volatile("cp.async.commit_group;" : : : "memory");
#else
	if (at < full)
#pragma unroll
		for (int i = 0; i < LOADS; i++)
			buffer[i * THREADS + threadIdx.x] =
				from[at + i * THREADS + threadIdx.x];
#endif
}

/* Wait for all copies but those of the last STAGES - 1 calls. */
__device__ static inline void
load_wait(void)
{
#if __CUDA_ARCH__ >= 800
	asm volatile("cp.async.wait_group %0;" : : "n"(STAGES - 1) : "memory");
#endif
}

/* Add the block's full tiles; returns the index after them. */
template <class R>
__device__ static inline int64_t
add_tiles(R &r, const uint4 *from, int64_t full, block_acc *acc)
{
	const int64_t step = (int64_t) gridDim.x * TILE;
	int64_t		at = (int64_t) blockIdx.x * TILE;

	for (; at < full; at += step)
	{
		uint4		raw[LOADS];

#pragma unroll
		for (int i = 0; i < LOADS; i++)
			raw[i] = __ldcs(from + at + i * THREADS + threadIdx.x);
		add_loads(r, raw, at, acc);
	}
	return at;
}

template <class R>
__device__ static inline int64_t
add_tiles_staged(R &r, const uint4 *from, int64_t full, block_acc *acc)
{
	extern __shared__ uint4 buffers[];
	const int64_t step = (int64_t) gridDim.x * TILE;
	int64_t		at = (int64_t) blockIdx.x * TILE;
	int			k = 0;			/* stage of the current tile */

#pragma unroll
	for (int i = 0; i < STAGES - 1; i++)
		load_async(buffers + i * TILE, from, at + i * step, full);
	for (; at < full; at += step)
	{
		uint4		raw[LOADS];
		int			free = k == 0 ? STAGES - 1 : k - 1;

		load_async(buffers + free * TILE, from, at + (STAGES - 1) * step, full);
		load_wait();
#pragma unroll
		for (int i = 0; i < LOADS; i++)
			raw[i] = buffers[k * TILE + i * THREADS + threadIdx.x];
		k = k == STAGES - 1 ? 0 : k + 1;
		add_loads(r, raw, at, acc);
	}
	return at;
}

/* The tail tile, from vector `at` on; all its loads are in flight at once. */
template <class R>
__device__ static inline void
add_rest(R &r, const typename R::element *values, int64_t n, int64_t at,
		 block_acc *acc)
{
	typedef typename R::element T;
	const int	EACH = 16 / sizeof(T);
	const int64_t vectors = n / EACH;
	const int64_t single = vectors * EACH + threadIdx.x;
	const uint4 *from = (const uint4 *) values;
	vector<T>	v[LOADS];
	T			x[1];

	if (single < n)
		x[0] = values[single];
#pragma unroll
	for (int i = 0; i < LOADS; i++)
		if (at + i * THREADS + threadIdx.x < vectors)
			v[i].raw = __ldcs(from + at + i * THREADS + threadIdx.x);
#pragma unroll
	for (int i = 0; i < LOADS; i++)
		if (at + i * THREADS + threadIdx.x < vectors)
			r.add(v[i].x, (at + i * THREADS + threadIdx.x) * EACH, acc);
	if (single < n)
		r.add(x, single, acc);
}

/* Add all of this thread's elements. */
template <class R>
__device__ static void
add_share(R &r, const typename R::element *values, int64_t n, block_acc *acc)
{
	typedef typename R::element T;
	const int	EACH = 16 / sizeof(T);
	const int64_t vectors = n / EACH;
	const int64_t full = vectors / TILE * TILE;
	const uint4 *from = (const uint4 *) values;
	int64_t		at;

	if constexpr (R::STAGED)
		at = add_tiles_staged(r, from, full, acc);
	else
		at = add_tiles(r, from, full, acc);

	/* the tail tile belongs to the block whose turn it is */
	if (at / TILE == vectors / TILE)
		add_rest(r, values, n, at, acc);
}

#endif							/* GS_REDUCE_TILE_CUH */
