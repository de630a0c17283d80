/*-------------------------------------------------------------------------
 *
 * product.cu
 *	  Products and their scans.
 *
 * The tree is fixed (product.h) and evaluated as it is.  For each batch:
 *
 * 1. Upsweep: the product of each whole tile, and of the blocks of tiles, a
 *    launch for each level of the tree that has many.
 * 2. Spine: one block does the levels above.  Blocks that lie, or begin, before
 *    the batch come from the state, which in the end holds those of the whole
 *    array so far.
 * 3. Downsweep, for a scan: what comes before each block and tile; then each
 *    tile is gone over once more, starting from that.  A reduction does so only
 *    for the array's last tile, if it is partial.
 *
 * Source: Blelloch, Prefix sums and their applications, 1990.
 * Determinism: factors are rounded, but the tree that multiplies them depends
 * on the elements' numbers alone.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/scan/product.cuh"

/* The single block does the levels of up to this many entries. */
#define ONE_BLOCK		4096
#define TREE_THREADS	512

/*
 * The tree over the tiles of a batch.  Level k has the blocks of 2^k tiles
 * that end in the batch, lo(k) to hi(k) - 1, and the products before each of
 * them and before what follows them, lo(k) to hi(k).
 */
typedef struct tree
{
	int64_t		first;			/* tiles before this batch */
	int64_t		end;			/* and including its whole tiles */
	int			top;			/* the lowest level without blocks */
	int			joint;			/* the lowest level of the single block */
	factor	   *block;
	factor	   *before;
	factor	   *fold;			/* before lo(k), by level */

	__host__ __device__ int64_t lo(int k) const { return first >> k; }
	__host__ __device__ int64_t hi(int k) const { return end >> k; }

	__device__ int64_t
	offset(int k, int more) const
	{
		int64_t		at = 0;

		for (int i = 0; i < k; i++)
			at += hi(i) - lo(i) + more;
		return at;
	}

	__device__ factor *blocks(int k) const { return block + offset(k, 0); }
	__device__ factor *befores(int k) const { return before + offset(k, 1); }
} tree;

/* Upsweep: level k from level k - 1. */
__device__ static void
upsweep_level(const tree &t, const factor *block_before, int k,
			   int64_t thread, int64_t threads)
{
	const factor *from = t.blocks(k - 1);
	factor	   *to = t.blocks(k);

	for (int64_t i = t.lo(k) + thread; i < t.hi(k); i += threads)
	{
		int64_t		left = 2 * i - t.lo(k - 1);

		to[i - t.lo(k)] = multiply(left < 0 ? block_before[k - 1] : from[left],
								   from[left + 1]);
	}
}

/* Downsweep: the products before the entries of level k, from level k + 1. */
__device__ static void
downsweep_level(const tree &t, int k, int64_t thread, int64_t threads)
{
	const factor *from = t.befores(k + 1);
	const factor *block = t.blocks(k);
	factor	   *to = t.befores(k);

	for (int64_t i = t.lo(k) + thread; i <= t.hi(k); i += threads)
	{
		factor		f;

		if (i == t.lo(k))
			f = t.fold[k];
		else
		{
			f = from[i / 2 - t.lo(k + 1)];
			if (i % 2 != 0)
				f = multiply(f, block[i - 1 - t.lo(k)]);
		}
		to[i - t.lo(k)] = f;
	}
}

__global__ static void
upsweep_levels_kernel(tree t, const product_state *state, int k)
{
	upsweep_level(t, state->block, k,
				   blockIdx.x * (int64_t) blockDim.x + threadIdx.x,
				   gridDim.x * (int64_t) blockDim.x);
}

__global__ static void
downsweep_levels_kernel(tree t, int k)
{
	downsweep_level(t, k, blockIdx.x * (int64_t) blockDim.x + threadIdx.x,
					 gridDim.x * (int64_t) blockDim.x);
}

__global__ static void
__launch_bounds__(TREE_THREADS)
spine_kernel(tree t, product_state *state, bool scan)
{
	for (int k = t.joint + 1; k < t.top; k++)
	{
		upsweep_level(t, state->block, k, threadIdx.x, TREE_THREADS);
		__syncthreads();
	}
	if (scan && threadIdx.x == 0)
	{
		factor		f = fold_blocks(state->block, t.first >> t.top << t.top);

		t.fold[t.top] = f;
		t.befores(t.top)[0] = f;
		for (int k = t.top - 1; k >= 0; k--)
		{
			if (t.first >> k & 1)
				f = multiply(f, state->block[k]);
			t.fold[k] = f;
		}
	}
	__syncthreads();

	/* store the blocks of all tiles so far */
	if (threadIdx.x < LEVELS)
	{
		int			k = threadIdx.x;
		int64_t		i = t.hi(k) - 1;

		if ((t.hi(k) & 1) && i >= t.lo(k))
			state->block[k] = t.blocks(k)[i - t.lo(k)];
	}
	if (!scan)
	{
		__syncthreads();
		if (threadIdx.x == 0)
			state->result = fold_blocks(state->block, t.end);
		return;
	}
	for (int k = t.top - 1; k >= t.joint; k--)
	{
		downsweep_level(t, k, threadIdx.x, TREE_THREADS);
		__syncthreads();
	}
}

/* ----------
 * Elements
 * ----------
 */

/* The kernels' view of a batch. */
template <typename T>
struct chunk_input
{
	packed<T>	data;
	packed<uint8_t> mask;
	int64_t		first;			/* index of the batch in the array */
	int64_t		n;
	int64_t		segment_length; /* 0: no such segments */
	bool		segmented;
	bool		exclusive;
};

/* Shared memory for loading a block's elements. */
typedef struct load_buffer
{
	tile_bits	data;
	tile_bits	mask;
} load_buffer;

/* Which of this thread's elements start a segment? */
template <typename T>
__device__ static uint32_t
find_heads(const chunk_input<T> &in, int64_t tile, const load_buffer *buffer)
{
	uint32_t	heads = 0;

	if (in.segmented)
	{
		uint8_t		x[EACH];
		uint32_t	valid = load_own(in.mask, in.n, tile, &buffer->mask, x);

#pragma unroll
		for (int i = 0; i < EACH; i++)
		{
			if ((valid >> i & 1) && x[i])
				heads |= 1u << i;
		}
	}
	else if (in.segment_length > 0)
	{
		int64_t		index = in.first + tile * TILE + threadIdx.x * EACH;
		int64_t		past = index % in.segment_length;
		int64_t		to_head = past == 0 ? 0 : in.segment_length - past;

		for (int i = 0; i < EACH; i++, to_head--)
		{
			if (to_head == 0)
			{
				heads |= 1u << i;
				to_head = in.segment_length;
			}
		}
	}
	return heads;
}

/* This thread's elements as factors; returns its heads. */
template <typename T>
__device__ static uint32_t
load_factors(const chunk_input<T> &in, int64_t tile, load_buffer *buffer,
			 factor *e)
{
	T			x[EACH];
	uint32_t	valid;
	uint32_t	heads;

	if (gs_warp() == 0 && in.data.validity != NULL)
		load_bits(in.data.validity, in.data.ranks, in.n, tile, &buffer->data);
	if (gs_warp() == 1 && in.mask.validity != NULL)
		load_bits(in.mask.validity, in.mask.ranks, in.n, tile, &buffer->mask);
	__syncthreads();
	valid = load_own(in.data, in.n, tile, &buffer->data, x);
	heads = find_heads(in, tile, buffer);
#pragma unroll
	for (int i = 0; i < EACH; i++)
	{
		bool		has_value = valid >> i & 1;

		e[i] = factor_of(has_value ? factor_from(x[i]) : gs_product_one(),
						 has_value);
		e[i].starts = heads >> i & 1;
	}
	return heads;
}

/* Upsweep: the products of whole tiles, one block each. */
template <typename T>
__global__ static void
__launch_bounds__(THREADS)
upsweep_tiles_kernel(chunk_input<T> in, factor *of_tile)
{
	__shared__ load_buffer loading;
	__shared__ tile_buffer buffer;
	factor		e[EACH];
	factor		f;

	(void) load_factors(in, blockIdx.x, &loading, e);
	f = tile_product(e, &buffer);
	if (threadIdx.x == 0)
		of_tile[blockIdx.x] = f;
}

/* A reduction's elements after the last whole tile. */
template <typename T>
__global__ static void
__launch_bounds__(THREADS)
rest_kernel(chunk_input<T> in, int64_t tiles_before, product_state *state)
{
	__shared__ load_buffer loading;
	__shared__ tile_buffer buffer;
	int			rest = (int) (in.n % TILE);
	factor		e[EACH];
	factor		f;

	(void) load_factors(in, in.n / TILE, &loading, e);
	f = tile_prefix(e, fold_blocks(state->block, tiles_before), &buffer);
	if (threadIdx.x == rest / EACH)
	{
		if (rest % EACH >= 2)
			f = multiply(f, multiply(e[0], e[1]));
		if (rest % EACH == 1)
			f = multiply(f, e[0]);
		if (rest % EACH == 3)
			f = multiply(f, e[2]);
		state->result = f;
	}
}

/* The progress of a scan, which its blocks share. */
typedef struct scan_progress
{
	unsigned int ticket;		/* tiles begun */
	unsigned int done;			/* tiles finished */
	unsigned long long overflow;	/* minus the first position out of range;
									 * or 0 */
	unsigned long long present; /* results that are not NULL; set by the last
								 * tile */
	unsigned long long unused;	/* so that the tile states are aligned to 16
								 * bytes */
} scan_progress;

/*
 * The exclusive prefix: how many results of earlier tiles are not NULL.
 * `count` is this tile's number.
 */
__device__ static uint32_t
prefix_of_tile(gs_u128 *tiles, int64_t tile, bool last, uint32_t count,
			  scan_progress *progress)
{
	gs_count_part total = {count};
	gs_count_part before = {0};

	if (tile > 0)
	{
		if (gs_lane() == 0)
			gs_publish(tiles, tile, total, GS_TILE_AGGREGATE);
		before = gs_look_back<gs_count_part>(tiles, tile);
	}
	total = gs_count_part::combine(before, total);
	if (gs_lane() == 0)
	{
		gs_publish(tiles, tile, total, GS_TILE_PREFIX);
		if (last)
			progress->present = total.count;
	}
	return (uint32_t) before.count;
}

typedef struct write_buffer
{
	uint32_t	of_warp[WARPS];
	uint32_t	before;
} write_buffer;

/* Pack this thread's results, of which `known` are not NULL. */
__device__ static void
write_known(const double *x, uint32_t known, int64_t n, int64_t tile,
			const gs_device_output &out, scan_progress *progress,
			write_buffer *buffer)
{
	gs_u128    *tiles = (gs_u128 *) (progress + 1);
	double	   *values = (double *) out.values;
	int64_t		first = tile * TILE + threadIdx.x * EACH;
	uint32_t	count = __popc(known);
	uint32_t	rank = count;
	uint32_t	bits = known << threadIdx.x * EACH % 32;

#pragma unroll
	for (int d = 1; d < GS_WARP; d *= 2)
	{
		uint32_t	earlier = __shfl_up_sync(GS_ALL_LANES, rank, d);

		if (gs_lane() >= d)
			rank += earlier;
	}
	if (gs_lane() == GS_WARP - 1)
		buffer->of_warp[gs_warp()] = rank;
	__syncthreads();
	if (gs_warp() == 0)
	{
		uint32_t	total = 0;
		uint32_t	before;

		for (int i = 0; i < WARPS; i++)
			total += buffer->of_warp[i];
		before = prefix_of_tile(tiles, tile, (tile + 1) * TILE >= n, total,
							   progress);
		if (gs_lane() == 0)
			buffer->before = before;
	}
	__syncthreads();

	rank += buffer->before - count;
	for (int i = 0; i < gs_warp(); i++)
		rank += buffer->of_warp[i];
#pragma unroll
	for (int i = 0; i < EACH; i++)
	{
		if (known >> i & 1)
			values[rank++] = x[i];
	}
#pragma unroll
	for (int d = 1; d < 32 / EACH; d *= 2)
		bits |= __shfl_xor_sync(GS_ALL_LANES, bits, d);
	if (first % 32 == 0 && first < n)
		((uint32_t *) out.validity)[first / 32] = bits;
}

__device__ static void
write_all(const double *x, int64_t n, int64_t tile,
		  const gs_device_output &out)
{
	int64_t		first = tile * TILE + threadIdx.x * EACH;
	double	   *to = (double *) out.values + first;

	if (first + EACH <= n)
	{
		((double2 *) to)[0] = make_double2(x[0], x[1]);
		((double2 *) to)[1] = make_double2(x[2], x[3]);
	}
	else
	{
#pragma unroll
		for (int i = 0; i < EACH; i++)
		{
			if (first + i < n)
				to[i] = x[i];
		}
	}
}

/* The last block to finish reports the batch's counts. */
__device__ static void
report(const gs_device_output &out, int64_t n, bool nulls,
	   scan_progress *progress)
{
	__syncthreads();
	if (threadIdx.x != 0)
		return;
	__threadfence();
	if (atomicAdd(&progress->done, 1) != gridDim.x - 1)
		return;
	__threadfence();
	out.done->n = n;
	out.done->present = nulls ?
		*(volatile unsigned long long *) &progress->present : n;
	out.done->overflow = (int64_t) (0 - *(volatile unsigned long long *)
									&progress->overflow);
}

/*
 * A tile of a scan.  before_tile has the product before each tile and before
 * the elements after the last whole one; NULL if the batch has no whole tile.
 */
template <typename T>
__global__ static void
__launch_bounds__(THREADS)
downsweep_tiles_kernel(chunk_input<T> in, const factor *before_tile,
			const product_state *state, gs_device_output out,
			scan_progress *progress)
{
	__shared__ load_buffer loading;
	__shared__ tile_buffer buffer;
	__shared__ write_buffer writing;
	__shared__ unsigned int ticket;
	const bool	nulls = in.data.validity != NULL && !in.exclusive;
	factor		e[EACH];
	factor		f[EACH + 1];
	double		x[EACH];
	int64_t		tile = blockIdx.x;
	uint32_t	heads;
	uint32_t	known = 0;
	factor		before;

	if (nulls)
	{
		/* tiles that look back must start in order */
		if (threadIdx.x == 0)
			ticket = atomicAdd(&progress->ticket, 1);
		__syncthreads();
		tile = ticket;
	}
	heads = load_factors(in, tile, &loading, e);
	before = before_tile == NULL ?
		fold_blocks(state->block, in.first / TILE) : before_tile[tile];

	/* products before each element, and before the next thread's first */
	f[0] = tile_prefix(e, before, &buffer);
	f[1] = multiply(f[0], e[0]);
	f[2] = multiply(f[0], multiply(e[0], e[1]));
	f[3] = multiply(f[2], e[2]);
	f[4] = gs_shuffle_down(f[0], 1);
	if (gs_lane() == GS_WARP - 1)
	{
		if (gs_warp() < WARPS - 1)
			f[4] = buffer.before_warp[gs_warp() + 1];
		else if ((tile + 1) * TILE <= in.n)
			f[4] = before_tile[tile + 1];
	}

#pragma unroll
	for (int i = 0; i < EACH; i++)
	{
		int64_t		index = tile * TILE + threadIdx.x * EACH + i;
		factor		r = in.exclusive ? f[i] : f[i + 1];

		if (in.exclusive && (heads >> i & 1))
			r = nothing();
		if (index >= in.n)
			continue;
		if (r.any)
			known |= 1u << i;
		if (!gs_product_round(product_of(r), &x[i]))
		{
			x[i] = 0;
			atomicMax(&progress->overflow,
					  0 - (unsigned long long) (in.first + index + 1));
		}
	}
	if (nulls)
		write_known(x, known, in.n, tile, out, progress, &writing);
	else
		write_all(x, in.n, tile, out);
	report(out, in.n, nulls, progress);
}

/* ----------
 * The families
 * ----------
 */

/* The parts of scratch for a batch of n elements. */
typedef struct product_scratch
{
	tree		t;
	uint32_t   *data_ranks;
	uint32_t   *mask_ranks;
	void	   *rank_scratch;
	scan_progress *progress;
	size_t		progress_size;
	size_t		size;
} product_scratch;

static product_scratch
lay_out(void *scratch, int64_t n)
{
	product_scratch s;
	int64_t		tiles = gs_divide_up(n, TILE);
	char	   *at = (char *) scratch;

	s.t.block = (factor *) gs_part(&at, (2 * tiles + LEVELS) * sizeof(factor));
	s.t.before = (factor *)
		gs_part(&at, (2 * tiles + 2 * LEVELS) * sizeof(factor));
	s.t.fold = (factor *) gs_part(&at, LEVELS * sizeof(factor));
	s.data_ranks = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(n));
	s.mask_ranks = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(n));
	s.rank_scratch = gs_part(&at, gs_bitmap_ranks_scratch_size(n));
	s.progress_size = sizeof(scan_progress) + tiles * sizeof(gs_u128);
	s.progress = (scan_progress *) gs_part(&at, s.progress_size);
	s.size = at - (char *) scratch;
	return s;
}

/* From the products of tiles to what comes before each tile. */
static cudaError_t
launch_tree(tree *t, int64_t first, int64_t tiles, bool scan,
			product_state *state, cudaStream_t stream)
{
	t->first = first;
	t->end = first + tiles;
	for (t->joint = 0; t->hi(t->joint) - t->lo(t->joint) > ONE_BLOCK;)
		t->joint++;
	for (t->top = t->joint; t->hi(t->top) > t->lo(t->top);)
		t->top++;
	for (int k = 1; k <= t->joint; k++)
	{
		upsweep_levels_kernel<<<(unsigned int)
			gs_divide_up(t->hi(k) - t->lo(k), 128), 128, 0, stream>>>
			(*t, state, k);
		GS_TRY(gs_launched());
	}
	spine_kernel<<<1, TREE_THREADS, 0, stream>>> (*t, state, scan);
	GS_TRY(gs_launched());
	for (int k = t->joint - 1; scan && k >= 0; k--)
	{
		downsweep_levels_kernel<<<(unsigned int)
			gs_divide_up(t->hi(k) - t->lo(k) + 1, 128), 128, 0, stream>>>
			(*t, k);
		GS_TRY(gs_launched());
	}
	return cudaSuccess;
}

template <typename T>
static cudaError_t
find_span(packed<T> *to, const gs_device_span *span, int64_t n,
		  uint32_t *ranks, void *scratch, cudaStream_t stream)
{
	to->values = (const T *) span->values;
	to->validity = span->validity;
	to->ranks = ranks;
	if (span->validity == NULL)
		return cudaSuccess;
	return gs_bitmap_ranks(span->validity, n, ranks, scratch, stream);
}

template <typename T>
static cudaError_t
run_chunk(const gs_op *op, const gs_device_input *in,
		  const gs_device_output *out, product_state *state,
		  product_scratch *s, cudaStream_t stream)
{
	const int64_t tiles = in->n / TILE;
	const int64_t first = in->first / TILE;
	const bool	scan = op->kind == GS_SCAN_PRODUCT;
	chunk_input<T> c;

	memset(&c, 0, sizeof c);
	c.first = in->first;
	c.n = in->n;
	c.segment_length = op->segment.length;
	c.segmented = op->segment.marked;
	c.exclusive = op->scan.exclusive;
	GS_TRY(find_span(&c.data, &in->data, in->n, s->data_ranks,
					 s->rank_scratch, stream));
	if (op->segment.marked)
		GS_TRY(find_span(&c.mask, &in->mask, in->n, s->mask_ranks,
						 s->rank_scratch, stream));
	if (tiles > 0)
	{
		upsweep_tiles_kernel<T><<<(unsigned int) tiles, THREADS, 0, stream>>>
			(c, s->t.block);
		GS_TRY(gs_launched());
		GS_TRY(launch_tree(&s->t, first, tiles, scan, state, stream));
	}
	if (scan)
	{
		GS_TRY(cudaMemsetAsync(s->progress, 0, s->progress_size, stream));
		downsweep_tiles_kernel<T><<<(unsigned int) gs_divide_up(in->n, TILE), THREADS, 0,
			stream>>> (c, tiles > 0 ? s->t.before : NULL, state, *out,
					   s->progress);
		return gs_launched();
	}
	if (in->n % TILE != 0)
	{
		rest_kernel<T><<<1, THREADS, 0, stream>>> (c, first + tiles, state);
		return gs_launched();
	}
	return cudaSuccess;
}

static cudaError_t
product_chunk(const gs_op *op, const gs_device_input *in,
			  const gs_device_output *out, void *state, void *scratch,
			  cudaStream_t stream)
{
	product_scratch s = lay_out(scratch, in->n);
	product_state *p = (product_state *) state;

	if (in->n == 0)
		return cudaSuccess;
	GS_BY_TYPE(op->type, run_chunk, (op, in, out, p, &s, stream))
}

static size_t
product_state_size(const gs_op *, int64_t)
{
	return sizeof(product_state);
}

static size_t
product_report_size(const gs_op *)
{
	return sizeof(factor);
}

static size_t
product_scratch_size(const gs_op *, int64_t chunk)
{
	return lay_out(NULL, chunk).size;
}

/* An all-zero state has no blocks; its result is that of no elements. */
static cudaError_t
product_start(const gs_op *, int64_t, void *state, cudaStream_t stream)
{
	return cudaMemsetAsync(state, 0, sizeof(product_state), stream);
}

static void
product_result(const gs_op *, const void *report, gs_result *result)
{
	const factor *f = (const factor *) report;

	result->product = f->any ? product_of(*f) : gs_product_one();
}

const gs_kernels gs_product_kernels = {
	.name = "product",
	.state_size = product_state_size,
	.report_size = product_report_size,
	.scratch_size = product_scratch_size,
	.start = product_start,
	.batch = product_chunk,
	.result = product_result
};

const gs_kernels gs_product_scan_kernels = {
	.name = "product_scan",
	.state_size = product_state_size,
	.scratch_size = product_scratch_size,
	.start = product_start,
	.batch = product_chunk
};
