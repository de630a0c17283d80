/*-------------------------------------------------------------------------
 *
 * segment.cu
 *	  The family of segments: each is reduced to one result.
 *
 * The array is reduced once all of it is in device memory.  An array of one
 * batch stays where it is; the batches of others are gathered.
 *
 * Heads become a bitmap, and ranks (bitmap_rank.cu) tell how many heads, and
 * how many values, precede each block of 512 elements.  So a warp that owns a
 * piece of the array knows the numbers of its segments, and waits for no
 * other.
 *
 * 1. Upsweep: a warp writes the results of segments that lie inside its piece.
 *    What precedes the first head is the piece's lead, and what follows the
 *    last its trail; a piece without head is all lead.
 * 2. Spine: each trail is combined with the leads that follow, up to that of
 *    the next piece that has a head.
 *
 * Source: the sweeps of segmented scans (Sengupta, Harris, Zhang and Owens,
 * Scan primitives for GPU computing, 2007).
 * Determinism: states combine exactly, whatever the order (segment.cuh).
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/reduce/segment.cuh"

#define THREADS			256
#define WARPS			(THREADS / GS_WARP)
#define BLOCK_ITEMS		GS_RANK_BLOCK
#define ITEMS			(BLOCK_ITEMS / GS_WARP)		/* a lane's, of a block */
#define PIECE_BLOCKS	4
#define PIECE_ITEMS		((int64_t) PIECE_BLOCKS * BLOCK_ITEMS)
#define VALIDITY_BLOCKS	8		/* a multiprocessor */
#define AHEAD			4		/* leads that a lane loads at once */

/* Bytes of the largest state. */
#define STATE_SIZE		32

/* ----------
 * Heads
 * ----------
 */

/* A bit for each of four bytes: is it other than 0? */
__device__ static inline uint32_t
set_bytes(uint32_t bytes)
{
	return ((__vcmpne4(bytes, 0) & 0x01010101) * 0x10204080) >> 28;
}

__device__ static inline uint32_t
set_bytes(uint4 bytes)
{
	return set_bytes(bytes.x) | set_bytes(bytes.y) << 4 |
		set_bytes(bytes.z) << 8 | set_bytes(bytes.w) << 12;
}

/*
 * The bits of 32 elements a thread, from element `first` of the array on.
 * values is NULL where segments have a length; validity is NULL if no head is,
 * and ranks then unused.
 */
__global__ static void
__launch_bounds__(THREADS)
heads_kernel(const uint8_t *values, const uint8_t *validity,
			 const uint32_t *ranks, int64_t first, int64_t n, int64_t length,
			 uint32_t *heads)
{
	int64_t		word = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	int64_t		mine = word * 32;
	int			count;
	uint32_t	valid;
	uint32_t	bits = 0;

	if (mine >= n)
	{
		/* others read whole 16 bytes */
		if (word < gs_divide_up(n, 128) * 4)
			heads[word] = 0;
		return;
	}
	count = n - mine < 32 ? (int) (n - mine) : 32;
	valid = count == 32 ? GS_ALL_LANES : (1u << count) - 1;
	if (values == NULL)
	{
		int64_t		into = (first + mine) % length;

		for (int64_t i = into == 0 ? 0 : length - into; i < count; i += length)
			bits |= 1u << i;
	}
	else
	{
		values += mine;
		if (validity != NULL)
		{
			const uint32_t *from = (const uint32_t *) validity + word;
			int64_t		rank = ranks[mine / GS_RANK_BLOCK];

			for (int i = (int) (mine % GS_RANK_BLOCK / 32); i > 0; i--)
				rank += __popc(from[-i]);
			values += rank - mine;
			valid &= *from;
		}
		if (validity == NULL && count == 32)
			bits = set_bytes(((const uint4 *) values)[0]) |
				set_bytes(((const uint4 *) values)[1]) << 16;
		else
			for (int i = 0; i < count; i++)
				if (valid >> i & 1)
					bits |= (uint32_t) (*values++ != 0) << i;
	}
	if (first + mine == 0)
		bits |= 1;
	heads[word] = bits;
}

/* ----------
 * Pieces
 * ----------
 */

/* Where a value is in shared memory: no two lanes' shares are in one bank. */
__device__ static inline int
padded(int i)
{
	return i + i / ITEMS;
}

#define PADDED_ITEMS	(BLOCK_ITEMS + BLOCK_ITEMS / ITEMS)

/* Write a segment's result and count. */
template <class S>
__device__ static __noinline__ void
put(segment_output out, int64_t i, S s)
{
	out.counts[i] = s.n;
	s.put(out, i);
}

/* The sum of the values of earlier lanes, and of all. */
__device__ static inline uint32_t
sum_before(uint32_t value, uint32_t *all)
{
	uint32_t	sum = value;

#pragma unroll
	for (int d = 1; d < GS_WARP; d *= 2)
	{
		uint32_t	earlier = __shfl_up_sync(GS_ALL_LANES, sum, d);

		if (gs_lane() >= d)
			sum += earlier;
	}
	*all = __shfl_sync(GS_ALL_LANES, sum, GS_WARP - 1);
	return sum - value;
}

/* A lane's elements of a block. */
struct lane_share
{
	int			count;			/* elements */
	uint32_t	valid;
	uint32_t	heads;
	int			offset;			/* the first one's value in shared memory */
	uint32_t	rank;			/* heads before it */
};

/* Find the elements of a block, and load their values; by all lanes. */
template <class S>
__device__ static inline lane_share
load_block(const segment_args &a, int64_t block, typename S::T *buffer)
{
	typedef typename S::T T;
	int64_t		first = block * BLOCK_ITEMS;
	int64_t		mine = first + gs_lane() * ITEMS;
	int64_t		left = a.n - mine;
	int64_t		at = first;
	uint32_t	have = a.n - first < BLOCK_ITEMS ? (uint32_t) (a.n - first) :
		BLOCK_ITEMS;
	uint32_t	block_heads;
	lane_share	l;

	l.count = left >= ITEMS ? ITEMS : left <= 0 ? 0 : (int) left;
	l.valid = (1u << l.count) - 1;
	l.heads = l.count == 0 ? 0 :
		((const uint16_t *) a.heads)[mine / ITEMS] & l.valid;
	l.offset = gs_lane() * ITEMS;
	if (a.validity != NULL)
	{
		if (l.count > 0)
			l.valid &= ((const uint16_t *) a.validity)[mine / ITEMS];
		l.offset = (int) sum_before(__popc(l.valid), &have);
		at = a.ranks[block];
	}
	if (S::VALUES)
	{
		const T    *values = (const T *) a.values + at;

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			uint32_t	k = i * GS_WARP + gs_lane();

			if (k < have)
				buffer[padded((int) k)] = values[k];
		}
		__syncwarp();
	}
	l.rank = a.head_ranks[block] + sum_before(__popc(l.heads), &block_heads);
	return l;
}

/*
 * A lane's own state, from its last head on; *lead is what precedes its first
 * head.  Segments between are complete.
 */
template <class S>
__device__ static inline S
reduce_share(const segment_args &a, const lane_share &l,
			 const typename S::T *buffer, S *lead)
{
	S			own = S::identity();
	int			at = l.offset;
	int			heads = 0;

	*lead = S::identity();
	if (l.heads == 0 && !S::VALUES)
		own.n = __popc(l.valid);
	else if (l.heads == 0 && l.valid == (1u << ITEMS) - 1)
	{
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			own.add(buffer[padded(at + i)]);
	}
	else
	{
#pragma unroll 1
		for (int i = 0; i < l.count; i++)
		{
			if (l.heads >> i & 1)
			{
				if (heads == 0)
					*lead = own;
				else
					put(a.out, (int64_t) l.rank + heads - 1, own);
				own = S::identity();
				heads++;
			}
			if (l.valid >> i & 1)
			{
				own.add(S::VALUES ? buffer[padded(at)] : typename S::T());
				at++;
			}
		}
	}
	return own;
}

/*
 * What a warp carries from block to block of a piece: the state from the last
 * head on, or from the start if there was none.
 */
template <class S>
struct piece_carry
{
	S			state;
	bool		headed;
};

/* Combine the lanes' states; by all lanes. */
template <class S>
__device__ static inline void
combine_lanes(const segment_args &a, int64_t piece, const lane_share &l,
			  S own, S lead, piece_carry<S> *carry)
{
	S			sum = own;
	S			before;
	int			headed = l.heads != 0;
	int			headed_before;

#pragma unroll
	for (int d = 1; d < GS_WARP; d *= 2)
	{
		S			earlier = gs_shuffle_up(sum, d);
		int			other = __shfl_up_sync(GS_ALL_LANES, headed, d);

		if (gs_lane() >= d)
		{
			if (!headed)
				sum = S::combine(earlier, sum);
			headed |= other;
		}
	}
	before = gs_shuffle_up(sum, 1);
	headed_before = __shfl_up_sync(GS_ALL_LANES, headed, 1);
	if (gs_lane() == 0)
	{
		before = S::identity();
		headed_before = 0;
	}
	if (!headed_before)
		before = S::combine(carry->state, before);
	if (l.heads != 0)
	{
		/* the lane's first head ends a segment */
		before = S::combine(before, lead);
		if (headed_before || carry->headed)
			put(a.out, (int64_t) l.rank - 1, before);
		else
			((S *) a.leads)[piece] = before;
	}
	__syncwarp();
	sum = gs_shuffle(sum, GS_WARP - 1);
	headed = __shfl_sync(GS_ALL_LANES, headed, GS_WARP - 1);
	carry->state = headed ? sum : S::combine(carry->state, sum);
	carry->headed |= headed != 0;
}

template <class S>
__global__ static void
__launch_bounds__(THREADS)
upsweep_kernel(segment_args a)
{
	__shared__ typename S::T buffers[WARPS][PADDED_ITEMS];
	typename S::T *buffer = buffers[gs_warp()];
	int64_t		piece = (int64_t) blockIdx.x * WARPS + gs_warp();
	piece_carry<S> carry = {S::identity(), false};

	/* no barrier is for more than a warp */
	for (int i = 0; i < PIECE_BLOCKS; i++)
	{
		int64_t		block = piece * PIECE_BLOCKS + i;
		lane_share	l;
		S			lead;
		S			own;

		if (block * BLOCK_ITEMS >= a.n)
			break;
		l = load_block<S>(a, block, buffer);
		own = reduce_share<S>(a, l, buffer, &lead);
		combine_lanes<S>(a, piece, l, own, lead, &carry);
	}
	if (piece * PIECE_ITEMS < a.n && gs_lane() == 0)
		((S *) (carry.headed ? a.trails : a.leads))[piece] = carry.state;
}

/* ----------
 * Segments of several pieces
 * ----------
 */

/* Heads before a piece, or before the array's end. */
__device__ static inline uint32_t
heads_before(const segment_args &a, int64_t piece)
{
	return a.head_ranks[min(piece * PIECE_BLOCKS,
							gs_divide_up(a.n, BLOCK_ITEMS))];
}

/* The next piece that has a head, or the number of pieces. */
__device__ static int64_t
next_with_head(const segment_args &a, int64_t piece, int64_t pieces)
{
	uint32_t	heads = heads_before(a, piece + 1);
	int64_t		low = piece + 1;
	int64_t		high = low;

	for (int64_t step = 1; high < pieces &&
		 heads_before(a, high + 1) == heads; step *= 2)
	{
		low = high + 1;
		high += step;
	}
	if (high > pieces)
		high = pieces;
	while (low < high)
	{
		int64_t		middle = (low + high) / 2;

		if (heads_before(a, middle + 1) > heads)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* A warp for each piece: its trail, with the leads that follow. */
template <class S>
__global__ static void
__launch_bounds__(THREADS)
spine_kernel(segment_args a, int64_t pieces)
{
	const S    *leads = (const S *) a.leads;
	int64_t		piece = (int64_t) blockIdx.x * WARPS + gs_warp();
	S			sum = S::identity();
	int64_t		last;
	int64_t		at;

	if (piece >= pieces ||
		heads_before(a, piece) == heads_before(a, piece + 1))
		return;
	last = min(next_with_head(a, piece, pieces), pieces - 1);
	if (gs_lane() == 0)
		sum = ((const S *) a.trails)[piece];
	for (at = piece + 1 + gs_lane(); at + (AHEAD - 1) * GS_WARP <= last;
		 at += AHEAD * GS_WARP)
	{
		S			lead[AHEAD];

#pragma unroll
		for (int i = 0; i < AHEAD; i++)
			lead[i] = leads[at + i * GS_WARP];
#pragma unroll
		for (int i = 0; i < AHEAD; i++)
			sum = S::combine(sum, lead[i]);
	}
	for (; at <= last; at += GS_WARP)
		sum = S::combine(sum, leads[at]);
	__syncwarp();
#pragma unroll
	for (int d = 1; d < GS_WARP; d *= 2)
		sum = S::combine(sum, gs_shuffle_xor(sum, d));
	if (gs_lane() == 0)
		put(a.out, (int64_t) heads_before(a, piece + 1) - 1, sum);
}

/* ----------
 * Launches
 * ----------
 */

/* After all others: which results are not NULL. */
__global__ static void
__launch_bounds__(THREADS)
validity_kernel(segment_args a, uint64_t *validity)
{
	int64_t		results = a.out.header->results;
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
		 i < 64 * GS_VALIDITY_ROWS(results); i += step)
		gs_put_valid(validity, i, i < results &&
					 (a.validity == NULL || a.out.counts[i] > 0));
}

typedef cudaError_t (*launcher) (const segment_args &a, cudaStream_t stream);

template <class S>
static cudaError_t
launch(const segment_args &a, cudaStream_t stream)
{
	static_assert(sizeof(S) <= STATE_SIZE, "a state is larger than its room");
	int64_t		pieces = gs_divide_up(a.n, PIECE_ITEMS);
	unsigned int blocks = (unsigned int) gs_divide_up(pieces, WARPS);

	upsweep_kernel<S><<<blocks, THREADS, 0, stream>>>(a);
	GS_TRY(gs_launched());
	spine_kernel<S><<<blocks, THREADS, 0, stream>>>(a, pieces);
	return gs_launched();
}

/* By type. */
static const launcher sums[GS_TYPES] = {
	NULL, NULL, launch<segment_integers<int16_t, int64_t, false>>,
	launch<segment_integers<int32_t, int64_t, false>>,
	launch<segment_integers<int64_t, __int128, false>>,
	launch<segment_floats<float, false>>, launch<segment_floats<double, false>>
};
static const launcher means[GS_TYPES] = {
	NULL, NULL, launch<segment_integers<int16_t, int64_t, true>>,
	launch<segment_integers<int32_t, int64_t, true>>,
	launch<segment_integers<int64_t, __int128, true>>,
	launch<segment_floats<float, true>>, launch<segment_floats<double, true>>
};
static const launcher minima[GS_TYPES] = {
	NULL, NULL, launch<segment_extreme<int16_t, false>>,
	launch<segment_extreme<int32_t, false>>,
	launch<segment_extreme<int64_t, false>>,
	launch<segment_extreme<float, false>>,
	launch<segment_extreme<double, false>>
};
static const launcher maxima[GS_TYPES] = {
	NULL, NULL, launch<segment_extreme<int16_t, true>>,
	launch<segment_extreme<int32_t, true>>,
	launch<segment_extreme<int64_t, true>>,
	launch<segment_extreme<float, true>>,
	launch<segment_extreme<double, true>>
};

static launcher
launcher_of(const gs_op *op)
{
	switch (op->kind)
	{
		case GS_SEGMENT_SUM:
			return sums[op->type];
		case GS_SEGMENT_AVG:
			return means[op->type];
		case GS_SEGMENT_MIN:
			return minima[op->type];
		case GS_SEGMENT_MAX:
			return maxima[op->type];
		case GS_SEGMENT_COUNT:
			return launch<segment_count>;
		default:
			return NULL;
	}
}

/* ----------
 * The family
 * ----------
 */

typedef struct segment_state
{
	segment_header *header;		/* first: the report */
	uint32_t   *heads;
	uint32_t   *head_ranks;
	uint32_t   *ranks;
	void	   *ranks_scratch;
	char	   *leads;
	char	   *trails;
	char	   *results;
	int64_t    *counts;
	uint64_t   *results_validity;	/* if there is such a column */
	char	   *values;			/* gathered; NULL: there is one batch */
	uint8_t    *validity;
	size_t		size;
} segment_state;

/* The bytes of a result, without its count; 0: there is only that. */
static size_t
result_width(const gs_op *op)
{
	if (gs_has_column(op, GS_COLUMN_SUMS))
		return gs_column_width(op, GS_COLUMN_SUMS);
	return gs_has_column(op, GS_COLUMN_VALUES) ?
		gs_column_width(op, GS_COLUMN_VALUES) : 0;
}

/* Kernels read whole 16 bytes. */
static size_t
bits_size(int64_t n)
{
	return gs_divide_up(n, 128) * 16;
}

static segment_state
share_out(const gs_op *op, int64_t n, void *state)
{
	int64_t		pieces = gs_divide_up(n, PIECE_ITEMS);
	int64_t		most = op->segment.length > 0 ?
		gs_divide_up(n, op->segment.length < n ? op->segment.length : n + 1) :
		n;
	char	   *at = (char *) state;
	segment_state s;

	memset(&s, 0, sizeof s);
	s.header = (segment_header *) gs_part(&at, sizeof(segment_header));
	s.heads = (uint32_t *) gs_part(&at, bits_size(n));
	s.head_ranks = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(n));
	s.ranks = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(n));
	s.ranks_scratch = gs_part(&at, gs_bitmap_ranks_scratch_size(n));
	s.leads = (char *) gs_part(&at, pieces * STATE_SIZE);
	s.trails = (char *) gs_part(&at, pieces * STATE_SIZE);
	s.results = (char *) gs_part(&at, most * result_width(op));
	s.counts = (int64_t *) gs_part(&at, most * sizeof(int64_t));
	if (gs_has_column(op, GS_COLUMN_VALIDITY))
		s.results_validity = (uint64_t *)
			gs_part(&at, GS_VALIDITY_ROWS(most) * sizeof(uint64_t));
	if (!op->cached || n > GS_BATCH_MAX)
	{
		s.values = (char *) gs_part(&at, n * gs_type_width((gs_type) op->type));
		s.validity = (uint8_t *) gs_part(&at, bits_size(n));
	}
	s.size = at - (char *) state;
	return s;
}

static size_t
segment_state_size(const gs_op *op, int64_t n)
{
	return share_out(op, n, NULL).size;
}

static size_t
segment_report_size(const gs_op *)
{
	return sizeof(segment_header);
}

/* For heads that may be NULL: their ranks. */
static size_t
segment_scratch_size(const gs_op *op, int64_t batch)
{
	return !op->segment.marked ? 0 : gs_aligned(gs_bitmap_ranks_size(batch)) +
		gs_bitmap_ranks_scratch_size(batch);
}

static cudaError_t
segment_start(const gs_op *, int64_t, void *state, cudaStream_t stream)
{
	segment_header *header = (segment_header *) state;

	GS_TRY(cudaMemsetAsync(header, 0, sizeof *header, stream));
	return cudaMemsetAsync(&header->overflow, 0xff, sizeof header->overflow,
						   stream);
}

/* The bits of a batch's heads. */
static cudaError_t
find_heads(const gs_op *op, const gs_device_input *in, const segment_state &s,
		   void *scratch, cudaStream_t stream)
{
	char	   *at = (char *) scratch;
	uint32_t   *ranks = NULL;
	bool		has_nulls = op->segment.marked && in->mask.validity != NULL;

	if (has_nulls)
	{
		ranks = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(in->n));
		GS_TRY(gs_bitmap_ranks(in->mask.validity, in->n, ranks, at, stream));
	}
	heads_kernel<<<(unsigned int) gs_divide_up(gs_divide_up(in->n, 32),
											   THREADS), THREADS, 0, stream>>>
		(op->segment.marked ? (const uint8_t *) in->mask.values : NULL,
		 has_nulls ? in->mask.validity : NULL, ranks, in->first, in->n,
		 op->segment.length, s.heads + in->first / 32);
	return gs_launched();
}

/* Append a batch to what has been gathered. */
static cudaError_t
gather(const gs_op *op, const gs_device_input *in, const segment_state &s,
	   cudaStream_t stream)
{
	int			width = gs_type_width((gs_type) op->type);
	uint8_t    *bits = s.validity + in->first / 8;
	size_t		bytes = bits_size(in->n);

	/* a batch as long as the array was expected (engine_cuda.cu) */
	if (s.values == NULL)
		return cudaErrorMemoryAllocation;
	if (in->data.present > 0)
		GS_TRY(cudaMemcpyAsync(s.values + in->before * width, in->data.values,
							   in->data.present * width,
							   cudaMemcpyDeviceToDevice, stream));
	return in->data.validity == NULL ?
		cudaMemsetAsync(bits, 0xff, bytes, stream) :
		cudaMemcpyAsync(bits, in->data.validity, bytes,
						cudaMemcpyDeviceToDevice, stream);
}

/* Reduce the array. */
static cudaError_t
reduce(const gs_op *op, int64_t n, const void *values,
	   const uint8_t *validity, const segment_state &s, cudaStream_t stream)
{
	bool		is_float = op->type == GS_FLOAT4 || op->type == GS_FLOAT8;
	launcher	launch = launcher_of(op);
	int			blocks;
	segment_args a = {n, values, validity, s.ranks, s.heads, s.head_ranks,
	{s.header, s.results, s.counts}, s.leads, s.trails};

	if (launch == NULL)
		return cudaErrorNotSupported;
	if (validity != NULL)
		GS_TRY(gs_bitmap_ranks(validity, n, s.ranks, s.ranks_scratch, stream));
	GS_TRY(gs_bitmap_ranks((const uint8_t *) s.heads, n, s.head_ranks,
						   s.ranks_scratch, stream));
	GS_TRY(cudaMemcpyAsync(&s.header->results,
						   s.head_ranks + gs_divide_up(n, GS_RANK_BLOCK),
						   sizeof(uint32_t), cudaMemcpyDeviceToDevice, stream));
	GS_TRY(launch(a, stream));
	if (is_float &&
		(op->kind == GS_SEGMENT_SUM || op->kind == GS_SEGMENT_AVG))
		GS_TRY(gs_segment_exact(op, a, stream));
	if (!gs_has_column(op, GS_COLUMN_VALIDITY))
		return cudaSuccess;
	GS_TRY(gs_grid(gs_divide_up(n, THREADS), VALIDITY_BLOCKS, &blocks));
	validity_kernel<<<blocks, THREADS, 0, stream>>>(a, s.results_validity);
	return gs_launched();
}

static cudaError_t
segment_batch(const gs_op *op, const gs_device_input *in,
			  const gs_device_output *, void *state, void *scratch,
			  cudaStream_t stream)
{
	segment_state s = share_out(op, in->all, state);

	GS_TRY(find_heads(op, in, s, scratch, stream));
	if (in->n == in->all)
		return reduce(op, in->n, in->data.values, in->data.validity, s, stream);
	GS_TRY(gather(op, in, s, stream));
	if (in->first + in->n < in->all)
		return cudaSuccess;
	return reduce(op, in->all, s.values,
				  in->before + in->data.present < in->all ? s.validity : NULL,
				  s, stream);
}

static void
segment_result(const gs_op *, const void *report, gs_result *result)
{
	const segment_header *header = (const segment_header *) report;

	result->results = header->results;
	result->position = header->overflow == ~0ull ? 0 :
		(int64_t) header->overflow;
}

static const void *
segment_column(const gs_op *op, int64_t n, gs_column column, void *state)
{
	segment_state s = share_out(op, n, state);

	if (column == GS_COLUMN_VALIDITY)
		return s.results_validity;
	return column == GS_COLUMN_COUNTS ? (const void *) s.counts : s.results;
}

const gs_kernels gs_segment_kernels = {
	.name = "segment",
	.state_size = segment_state_size,
	.report_size = segment_report_size,
	.scratch_size = segment_scratch_size,
	.start = segment_start,
	.batch = segment_batch,
	.result = segment_result,
	.column = segment_column
};
