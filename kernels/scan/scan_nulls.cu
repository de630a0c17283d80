/*-------------------------------------------------------------------------
 *
 * scan_nulls.cu
 *	  Which results of a scan are NULL, and packing the others.
 *
 * A result is a value once its segment has had one.  On bits this behaves like
 * a carry: an element with a value generates one, a head stops it, and any
 * other element propagates it.  So an addition of 64-bit words finds the
 * answer for 64 elements at a time.
 *
 * Source: a look-back (lookback.cuh) over carries, as in a carry-lookahead
 * adder.
 * Determinism: carries combine exactly.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/scan/scan_nulls.cuh"

#define THREADS		256
#define TILE_BITS	(64 * THREADS)

/* The first `count` bits of a word, at most all of them. */
__device__ static uint64_t
n_bits(uint64_t word, int64_t count)
{
	return count < 64 ? word & ((UINT64_C(1) << count) - 1) : word;
}

/* The bits of the elements from `first` on; those from n on are 0. */
__device__ static uint64_t
word_of_bits(const uint8_t *bits, int64_t first, int64_t n)
{
	return n_bits(((const uint64_t *) bits)[first / 64], n - first);
}

/* 32 elements a step, one a lane; 512 a warp. */
__global__ static void
mask_bits_kernel(const uint8_t *values, const uint8_t *validity, int64_t n,
				 const uint32_t *ranks, uint32_t *bits)
{
	int64_t		block = (int64_t) blockIdx.x * (THREADS / GS_WARP) + gs_warp();
	int64_t		first = block * GS_RANK_BLOCK;
	uint32_t	rank;

	if (first >= n)
		return;
	rank = ranks[block];
	for (int64_t i = first; i < first + GS_RANK_BLOCK && i < n; i += GS_WARP)
	{
		uint32_t	valid = ((const uint32_t *) validity)[i / 32];
		bool		set = false;

		if (n - i < 32)
			valid &= (1u << (n - i)) - 1;
		if (valid >> gs_lane() & 1)
			set = values[rank + __popc(valid & earlier_lanes())];
		rank += __popc(valid);
		valid = __ballot_sync(GS_ALL_LANES, set);
		if (gs_lane() == 0)
			bits[i / 32] = valid;
	}
}

cudaError_t
gs_scan_mask_bits(const gs_device_span *mask, int64_t n,
				  const uint32_t *ranks, uint8_t *bits, cudaStream_t stream)
{
	int64_t		warps = gs_divide_up(n, GS_RANK_BLOCK);

	mask_bits_kernel<<<(unsigned int) gs_divide_up(warps, THREADS / GS_WARP),
		THREADS, 0, stream>>>
		((const uint8_t *) mask->values, mask->validity, n, ranks,
		 (uint32_t *) bits);
	return gs_launched();
}

/*
 * What a range of elements does to a carry: out = generates | (propagates &
 * in).
 */
struct carry_part
{
	static const int WORDS = 1;
	uint32_t	generates;
	uint32_t	propagates;

	__device__ static carry_part
	identity()
	{
		carry_part	r = {0, 1};

		return r;
	}

	__device__ static carry_part
	combine(carry_part earlier, carry_part later)
	{
		carry_part	r;

		r.generates = later.generates | (later.propagates & earlier.generates);
		r.propagates = later.propagates & earlier.propagates;
		return r;
	}

	__device__ void
	pack(gs_u128 *word) const
	{
		word[0] = (gs_u128) propagates << 32 | generates;
	}

	__device__ static carry_part
	unpack(const gs_u128 *word)
	{
		carry_part	r = {(uint32_t) word[0], (uint32_t) (word[0] >> 32)};

		return r;
	}
};

/* Heads among the 64 elements from `first` on. */
__device__ static uint64_t
word_of_heads(const scan_args &a, int64_t first)
{
	uint64_t	bits = 0;
	uint32_t	after;

	switch (a.head_source)
	{
		case HEADS_BYTES:
			for (int i = 0; i < 64 && first + i < a.n; i += 4)
				bits |= (uint64_t)
					gather_bits(*(const uint32_t *) (a.heads + first + i))
					<< i;
			break;
		case HEADS_BITS:
			bits = ((const uint64_t *) a.heads)[first / 64];
			break;
		case HEADS_EVERY:
			after = ((uint32_t) first + a.lead) % a.every;
			for (uint32_t i = after == 0 ? 0 : a.every - after; i < 64;
				 i += a.every)
				bits |= UINT64_C(1) << i;
			break;
		default:
			break;
	}
	return n_bits(bits, a.n - first);
}

__global__ static void
known_kernel(scan_args a, uint64_t *known, gs_u128 *scratch)
{
	__shared__ carry_part of_warp[THREADS / GS_WARP];
	__shared__ carry_part before_tile;
	__shared__ unsigned int ticket;
	gs_u128    *published = scratch + 1;
	unsigned int tile;
	int64_t		first;
	uint64_t	generates = 0;
	uint64_t	propagates = UINT64_MAX;
	uint64_t	in;
	carry_part	mine;
	carry_part	before;

	if (threadIdx.x == 0)
		ticket = atomicAdd((unsigned int *) scratch, 1u);
	__syncthreads();
	tile = ticket;
	first = (int64_t) tile * TILE_BITS + threadIdx.x * 64;
	if (first < a.n)
	{
		generates = a.validity == NULL ? n_bits(UINT64_MAX, a.n - first) :
			word_of_bits(a.validity, first, a.n);
		propagates = ~word_of_heads(a, first);
	}
	/*
	 * the carry of an addition that generates and propagates like the elements
	 */
	mine.generates = (generates | propagates) + generates < generates;
	mine.propagates = propagates == UINT64_MAX;

	before = mine;
#pragma unroll
	for (int d = 1; d < GS_WARP; d *= 2)
	{
		carry_part	earlier = gs_shuffle_up(before, d);

		if (gs_lane() >= d)
			before = carry_part::combine(earlier, before);
	}
	if (gs_lane() == GS_WARP - 1)
		of_warp[gs_warp()] = before;
	before = gs_shuffle_up(before, 1);
	if (gs_lane() == 0)
		before = carry_part::identity();
	__syncthreads();

	if (gs_warp() == 0)
	{
		carry_part	total = carry_part::identity();
		carry_part	prefix = {a.first == 0 ? 0 : a.state->seen, 0};
		bool		ends;

		for (int i = 0; i < THREADS / GS_WARP; i++)
			total = carry_part::combine(total, of_warp[i]);
		ends = total.generates || !total.propagates;
		if (tile == 0)
			__threadfence();	/* read `seen` before publishing anything */
		else
		{
			if (gs_lane() == 0)
				gs_publish(published, tile, total,
						   ends ? GS_TILE_PREFIX : GS_TILE_AGGREGATE);
			prefix = gs_look_back<carry_part>(published, tile);
		}
		total = carry_part::combine(prefix, total);
		if (gs_lane() == 0)
		{
			if (!ends || tile == 0)
				gs_publish(published, tile, total, GS_TILE_PREFIX);
			before_tile = prefix;
			if (tile == gridDim.x - 1)
			{
				/* wait until the first tile has read it */
				while (tile > 0 &&
					   gs_read_tile(published, 0, &prefix) != GS_TILE_PREFIX)
					;
				a.state->seen = total.generates;
			}
		}
	}
	__syncthreads();

	for (int i = gs_warp() - 1; i >= 0; i--)
		before = carry_part::combine(of_warp[i], before);
	before = carry_part::combine(before_tile, before);
	in = ((generates | propagates) + generates + before.generates) ^
		(generates | propagates) ^ generates;
	in &= propagates;
	if (first < a.n)
		known[first / 64] = n_bits(a.exclusive ? in : generates | in,
								   a.n - first);
}

size_t
gs_scan_known_scratch_size(int64_t n)
{
	return (1 + gs_divide_up(n, TILE_BITS)) * sizeof(gs_u128);
}

cudaError_t
gs_scan_known(const scan_args &a, uint8_t *known, void *scratch,
			  cudaStream_t stream)
{
	GS_TRY(cudaMemsetAsync(scratch, 0, gs_scan_known_scratch_size(a.n),
						   stream));
	known_kernel<<<(unsigned int) gs_divide_up(a.n, TILE_BITS), THREADS, 0,
		stream>>>(a, (uint64_t *) known, (gs_u128 *) scratch);
	return gs_launched();
}

/* ----------
 * Packing
 * ----------
 */
template <typename T>
__global__ static void
pack_kernel(const T *values, int64_t n, const uint32_t *known,
			const uint32_t *ranks, T *out, gs_done *done)
{
	int64_t		block = (int64_t) blockIdx.x * (THREADS / GS_WARP) + gs_warp();
	int64_t		first = block * GS_RANK_BLOCK;
	uint32_t	rank;

	if (first >= n)
		return;
	rank = ranks[block];
	for (int64_t i = first; i < first + GS_RANK_BLOCK && i < n; i += GS_WARP)
	{
		uint32_t	bits = known[i / 32];

		if (bits >> gs_lane() & 1)
			out[rank + __popc(bits & earlier_lanes())] = values[i + gs_lane()];
		rank += __popc(bits);
	}
	if (block == 0 && gs_lane() == 0)
		done->present = ranks[gs_divide_up(n, GS_RANK_BLOCK)];
}

template <typename T>
static cudaError_t
pack(const void *values, int64_t n, const uint8_t *known,
	 const uint32_t *ranks, void *out, gs_done *done, cudaStream_t stream)
{
	int64_t		warps = gs_divide_up(n, GS_RANK_BLOCK);

	pack_kernel<<<(unsigned int) gs_divide_up(warps, THREADS / GS_WARP),
		THREADS, 0, stream>>>
		((const T *) values, n, (const uint32_t *) known, ranks, (T *) out,
		 done);
	return gs_launched();
}

cudaError_t
gs_scan_pack(const void *values, int width, int64_t n, const uint8_t *known,
			 const uint32_t *ranks, void *out, gs_done *done,
			 cudaStream_t stream)
{
	switch (width)
	{
		case 1:
			return pack<uint8_t>(values, n, known, ranks, out, done, stream);
		case 2:
			return pack<uint16_t>(values, n, known, ranks, out, done, stream);
		case 4:
			return pack<uint32_t>(values, n, known, ranks, out, done, stream);
		default:
			return pack<uint64_t>(values, n, known, ranks, out, done, stream);
	}
}
