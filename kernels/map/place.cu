/*-------------------------------------------------------------------------
 *
 * place.cu
 *	  Elements from other places of an array, which is on the device.
 *
 * Elements in reverse order, or so many places later, are a range of the
 * array: so are their packed values, and the bitmap of a batch is as many bits
 * of the array's, from any bit on, perhaps turned around.  The ends of the
 * range of values are ranks of the array's bitmap.
 *
 * Elements at given positions may come from anywhere.  Where nothing is NULL a
 * thread has a few positions, and fetches the values of all of them before it
 * writes the first.  Else a first pass finds out which results there are, and
 * a second one fetches them: a position is found by its rank among the
 * positions, its value by its rank in the array, and a result's place is its
 * rank among the results.
 *
 * Elements of either of two arrays stay at their places.  Where nothing is NULL a
 * thread has 16 bytes of both arrays; else there are two passes as above.
 *
 * The state has the ranks of the array's bitmap, or both arrays', counted before
 * the first batch.
 *
 * Determinism: results are copies; their places are ranks.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/common.cuh"
#include "kernels/ranked.cuh"

#define THREADS		256

/* Positions of a thread, where nothing is NULL: fetches that wait together. */
#define POSITIONS	4

/* The array that the results come from. */
struct place_source
{
	const void *values;
	int64_t		n;				/* elements */
	const uint64_t *validity;	/* NULL: all present */
	const uint32_t *ranks;		/* of the validity */
};

/* A batch of results. */
struct place_batch
{
	int64_t		n;
	uint64_t   *bits;			/* NULL: no result is NULL */
	gs_done    *done;			/* overflow is 0 before */
};

/* The layout of the state. */
struct place_state
{
	uint32_t   *ranks[2];		/* GS_CHOOSE_EITHER has two arrays */
	void	   *of_ranks;
	size_t		size;
};

/* The layout of the scratch memory, for positions. */
struct place_scratch
{
	uint32_t   *positions;		/* ranks */
	uint32_t   *results;
	void	   *of_ranks;
	size_t		size;
};

static int64_t
source_elements(const gs_op *op, int64_t n)
{
	return gs_has_mask(op) ? gs_mask_elements(op, n) : n;
}

static place_state
state_at(const gs_op *op, void *state, int64_t elements)
{
	char	   *at = (char *) state;
	place_state s;

	for (int i = 0; i < (gs_has_third(op) ? 2 : 1); i++)
		s.ranks[i] = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(elements));
	s.of_ranks = gs_part(&at, gs_bitmap_ranks_scratch_size(elements));
	s.size = at - (char *) state;
	return s;
}

static place_scratch
scratch_at(void *scratch, int64_t n)
{
	char	   *at = (char *) scratch;
	place_scratch s;

	s.positions = (uint32_t *) gs_part(&at, ranks_size(n));
	s.results = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(n));
	s.of_ranks = gs_part(&at, gs_bitmap_ranks_scratch_size(n));
	s.size = at - (char *) scratch;
	return s;
}

static size_t
place_state_size(const gs_op *op, int64_t n)
{
	return state_at(op, NULL, source_elements(op, n)).size;
}

static size_t
place_scratch_size(const gs_op *op, int64_t chunk)
{
	return gs_has_mask(op) ? scratch_at(NULL, chunk).size : 0;
}

/* Is there an element at a place of the array? */
static __device__ __forceinline__ bool
has_value(const place_source &s, int64_t place)
{
	return s.validity == NULL || (s.validity[place / 64] >> (place % 64) & 1);
}

/* How many values are before a place, which may be the array's end? */
static __device__ __forceinline__ int64_t
rank_at(const place_source &s, int64_t place)
{
	const int64_t block = place / GS_RANK_BLOCK;
	int64_t		rank;

	if (s.validity == NULL)
		return place;
	rank = s.ranks[block];
	for (int64_t w = block * (GS_RANK_BLOCK / 64); w < place / 64; w++)
		rank += __popcll(s.validity[w]);
	if (place % 64 != 0)
		rank += __popcll(s.validity[place / 64] &
						 ((UINT64_C(1) << (place % 64)) - 1));
	return rank;
}

/* ----------
 * Ranges
 * ----------
 */

/* The bits of elements 64 * w on; 0 where there is none. */
static __device__ __forceinline__ uint64_t
word_at(const place_source &s, int64_t w)
{
	uint64_t	word;

	if (w < 0 || w * 64 >= s.n)
		return 0;
	word = s.validity == NULL ? ~UINT64_C(0) : s.validity[w];
	return s.n - w * 64 >= 64 ? word :
		word & ((UINT64_C(1) << (s.n - w * 64)) - 1);
}

/* The bits of 64 elements from any place on, which need not exist. */
static __device__ __forceinline__ uint64_t
bits_from(const place_source &s, int64_t place)
{
	const int64_t w = place >> 6;
	const int	skip = (int) (place & 63);
	uint64_t	bits = word_at(s, w) >> skip;

	if (skip > 0)
		bits |= word_at(s, w + 1) << (64 - skip);
	return bits;
}

/*
 * The batch's elements are those from place `from` on, of which only those of
 * `low` to `high` - 1 exist.  A thread has 16 bytes, as in arithmetic.cu.
 */
template <typename T, bool reversed>
static __global__ void __launch_bounds__(THREADS)
range_kernel(place_source s, place_batch batch, int64_t from, int64_t low,
			 int64_t high, T *to)
{
	constexpr int per = (int) (16 / sizeof(T));
	__shared__ int64_t rank[2];
	const int64_t thread = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	const int64_t first = (int64_t) blockIdx.x * (THREADS * per) + threadIdx.x;
	const T    *values = (const T *) s.values;
	T			x[per];
	int64_t		n;

	if (threadIdx.x < 2)
		rank[threadIdx.x] = rank_at(s, threadIdx.x == 0 ? low : high);
	__syncthreads();
	n = rank[1] - rank[0];
#pragma unroll
	for (int k = 0; k < per; k++)
	{
		const int64_t i = first + k * THREADS;

		if (i < n)
			x[k] = __ldcs(values + (reversed ? rank[1] - 1 - i : rank[0] + i));
	}
#pragma unroll
	for (int k = 0; k < per; k++)
	{
		if (first + k * THREADS < n)
			__stcs(to + first + k * THREADS, x[k]);
	}
	/* there are threads for all words */
	if (batch.bits != NULL && thread * 64 < batch.n)
	{
		uint64_t	word = reversed ?
			__brevll(bits_from(s, from + batch.n - 64 * (thread + 1))) :
			bits_from(s, from + 64 * thread);

		if (batch.n - 64 * thread < 64)
			word &= (UINT64_C(1) << (batch.n - 64 * thread)) - 1;
		batch.bits[thread] = word;
	}
	if (thread == 0)
	{
		batch.done->n = batch.n;
		batch.done->present = n;
	}
}

static int64_t
within(int64_t place, int64_t n)
{
	return place < 0 ? 0 : place > n ? n : place;
}

template <typename T>
static cudaError_t
launch_range(const gs_op *op, const place_source &s, const place_batch &batch,
			 int64_t first, T *to, cudaStream_t stream)
{
	const bool	reversed = op->kind == GS_REVERSE;
	const int64_t from = reversed ? s.n - first - batch.n :
		first - op->shift.places;
	const int64_t low = within(from, s.n);
	const int64_t high = within(from + batch.n, s.n);
	const unsigned int blocks = (unsigned int)
		gs_divide_up(batch.n * sizeof(T), 16 * THREADS);

	if (reversed)
		range_kernel<T, true><<<blocks, THREADS, 0, stream>>>
			(s, batch, from, low, high, to);
	else
		range_kernel<T, false><<<blocks, THREADS, 0, stream>>>
			(s, batch, from, low, high, to);
	return gs_launched();
}

/* ----------
 * Positions
 * ----------
 */

/* The array and all positions are without NULLs. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
take_kernel(place_source s, const int32_t *positions, place_batch batch, T *to)
{
	const int64_t thread = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	const int64_t first = (int64_t) blockIdx.x * (THREADS * POSITIONS) +
		threadIdx.x;
	const uint32_t n = (uint32_t) s.n;
	const T    *values = (const T *) s.values;
	uint32_t	place[POSITIONS];
	T			x[POSITIONS];
	bool		wrong = false;

#pragma unroll
	for (int k = 0; k < POSITIONS; k++)
	{
		const int64_t i = first + k * THREADS;

		place[k] = i < batch.n ? (uint32_t) __ldcs(positions + i) - 1 : 0;
		if (place[k] >= n)
		{
			wrong = true;
			place[k] = 0;
		}
	}
#pragma unroll
	for (int k = 0; k < POSITIONS; k++)
		x[k] = __ldg(values + place[k]);
#pragma unroll
	for (int k = 0; k < POSITIONS; k++)
	{
		const int64_t i = first + k * THREADS;

		if (i < batch.n)
			__stcs(to + i, x[k]);
	}
	/* there are threads for all words */
	if (thread * 64 < batch.n)
		batch.bits[thread] = batch.n - 64 * thread >= 64 ? ~UINT64_C(0) :
			(UINT64_C(1) << (batch.n - 64 * thread)) - 1;
	if (wrong)
		batch.done->overflow = 1;
	if (thread == 0)
	{
		batch.done->n = batch.n;
		batch.done->present = batch.n;
	}
}

/* The positions of a batch, of which some may be NULL. */
struct place_positions
{
	const int32_t *values;
	const uint32_t *validity;	/* NULL: all present */
	const uint32_t *ranks;		/* of the validity */
};

/* So many words of 32 elements have a rank. */
#define RANK_WORDS	(GS_RANK_BLOCK / GS_WARP)

/* A warp's block of ranks, among the positions. */
static __device__ __forceinline__ int64_t
warp_block(void)
{
	return (int64_t) blockIdx.x * (THREADS / GS_WARP) + gs_warp();
}

/* Positions before a block. */
static __device__ __forceinline__ uint32_t
positions_before(const place_positions &p, int64_t block)
{
	return p.validity == NULL ? (uint32_t) (block * GS_RANK_BLOCK) :
		p.ranks[block];
}

/*
 * The place, counted from 0, that this lane's element of a word of positions
 * says; false if it is NULL.  Moves `before` behind the word.
 */
static __device__ __forceinline__ bool
next_place(const place_positions &p, int64_t n, int64_t word, uint32_t *before,
		   uint32_t *place)
{
	const uint32_t present = p.validity == NULL ? ~0u : p.validity[word];
	const uint32_t at = *before + __popc(present & ((1u << gs_lane()) - 1));

	*before += __popc(present);
	if (word * GS_WARP + gs_lane() >= n || !(present >> gs_lane() & 1))
		return false;
	*place = (uint32_t) p.values[at] - 1;
	return true;
}

/* Which results are not NULL? */
static __global__ void __launch_bounds__(THREADS)
find_results(place_source s, place_positions p, place_batch batch)
{
	const int64_t block = warp_block();
	bool		wrong = false;
	uint32_t	before;

	if (block * GS_RANK_BLOCK >= batch.n)
		return;
	before = positions_before(p, block);
	for (int i = 0; i < RANK_WORDS; i++)
	{
		const int64_t word = block * RANK_WORDS + i;
		uint32_t	place;
		uint32_t	bits;
		bool		there;

		if (word * GS_WARP >= batch.n)
			break;
		there = next_place(p, batch.n, word, &before, &place);
		if (there && place >= (uint32_t) s.n)
		{
			wrong = true;
			there = false;
		}
		bits = __ballot_sync(GS_ALL_LANES, there && has_value(s, place));
		if (gs_lane() == 0)
			((uint32_t *) batch.bits)[word] = bits;
	}
	if (wrong)
		batch.done->overflow = 1;
}

/* Fetch these; `ranks` are those of their bits. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
fetch_results(place_source s, place_positions p, place_batch batch,
			  const uint32_t *ranks, T *to)
{
	const int64_t block = warp_block();
	const T    *values = (const T *) s.values;
	uint32_t	before;
	uint32_t	out;

	if (block * GS_RANK_BLOCK >= batch.n)
		return;
	before = positions_before(p, block);
	out = ranks[block];
	for (int i = 0; i < RANK_WORDS; i++)
	{
		const int64_t word = block * RANK_WORDS + i;
		uint32_t	place;
		uint32_t	bits;

		if (word * GS_WARP >= batch.n)
			break;
		bits = ((const uint32_t *) batch.bits)[word];
		if (next_place(p, batch.n, word, &before, &place) &&
			(bits >> gs_lane() & 1))
			to[out + __popc(bits & ((1u << gs_lane()) - 1))] =
				values[rank_at(s, place)];
		out += __popc(bits);
	}
	if (block == 0 && gs_lane() == 0)
	{
		batch.done->n = batch.n;
		batch.done->present = ranks[gs_divide_up(batch.n, GS_RANK_BLOCK)];
	}
}

template <typename T>
static cudaError_t
launch_sparse(const place_source &s, const gs_device_span *positions,
			  const place_batch &batch, const place_scratch &scratch, T *to,
			  cudaStream_t stream)
{
	const unsigned int blocks = (unsigned int)
		gs_divide_up(batch.n, GS_RANK_BLOCK * (THREADS / GS_WARP));
	place_positions p = {(const int32_t *) positions->values, NULL,
						 scratch.positions};

	if (positions->present < batch.n)
	{
		p.validity = (const uint32_t *) positions->validity;
		GS_TRY(gs_bitmap_ranks(positions->validity, batch.n,
							   scratch.positions, scratch.of_ranks, stream));
	}
	find_results<<<blocks, THREADS, 0, stream>>>(s, p, batch);
	GS_TRY(gs_launched());
	GS_TRY(gs_bitmap_ranks((const uint8_t *) batch.bits, batch.n,
						   scratch.results, scratch.of_ranks, stream));
	fetch_results<T><<<blocks, THREADS, 0, stream>>>(s, p, batch,
													 scratch.results, to);
	return gs_launched();
}

template <typename T>
static cudaError_t
launch_take(const place_source &s, const gs_device_span *positions,
			const place_batch &batch, const place_scratch &scratch, T *to,
			cudaStream_t stream)
{
	const unsigned int blocks = (unsigned int)
		gs_divide_up(batch.n, THREADS * POSITIONS);

	if (s.validity != NULL || positions->present < batch.n)
		return launch_sparse<T>(s, positions, batch, scratch, to, stream);
	take_kernel<T><<<blocks, THREADS, 0, stream>>>
		(s, (const int32_t *) positions->values, batch, to);
	return gs_launched();
}

/* ----------
 * Choices
 * ----------
 */

/* 16 bytes of values */
template <typename T>
union place_vector
{
	uint4		raw;
	T			x[16 / sizeof(T)];
};

/* All is there; `first` is the batch's first place. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
choose_kernel(const T *a, const T *b, const uint8_t *condition,
			  place_batch batch, int64_t first, T *to)
{
	constexpr int per = (int) (16 / sizeof(T));
	const int64_t thread = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	const int64_t at = thread * per;

	if (at + per <= batch.n)
	{
		place_vector<T> u;
		place_vector<T> v;
		uint8_t		flag[per];

		u.raw = __ldcs((const uint4 *) (a + first) + thread);
		v.raw = __ldcs((const uint4 *) (b + first) + thread);
		memcpy(flag, __builtin_assume_aligned(condition + at, per), per);
#pragma unroll
		for (int k = 0; k < per; k++)
			u.x[k] = flag[k] ? u.x[k] : v.x[k];
		__stcs((uint4 *) to + thread, u.raw);
	}
	else
		for (int64_t i = at; i < batch.n; i++)
			to[i] = condition[i] ? a[first + i] : b[first + i];
	/* there are threads for all words */
	if (thread * 64 < batch.n)
		batch.bits[thread] = batch.n - 64 * thread >= 64 ? ~UINT64_C(0) :
			(UINT64_C(1) << (batch.n - 64 * thread)) - 1;
	if (thread == 0)
	{
		batch.done->n = batch.n;
		batch.done->present = batch.n;
	}
}

/*
 * The elements of a warp's block of ranks, 32 at a time: which of them are
 * chosen from a?
 */
static __device__ __forceinline__ bool
next_choice(const ranked<uint8_t> &condition, int64_t n, int64_t at,
			uint32_t *before)
{
	const uint32_t present = condition.present(at, n);
	const uint32_t index = *before +
		__popc(present & ((1u << gs_lane()) - 1));

	*before += __popc(present);
	return (present >> gs_lane() & 1) && condition.values[index];
}

/* Which results are not NULL? */
static __global__ void __launch_bounds__(THREADS)
find_chosen(place_source a, place_source b, ranked<uint8_t> condition,
			place_batch batch, int64_t first)
{
	const int64_t block = warp_block();
	uint32_t	before;

	if (block * GS_RANK_BLOCK >= batch.n)
		return;
	before = condition.first_of(block);
	for (int i = 0; i < RANK_WORDS; i++)
	{
		const int64_t at = block * GS_RANK_BLOCK + i * GS_WARP;
		bool		chosen;
		uint32_t	bits;

		if (at >= batch.n)
			break;
		chosen = next_choice(condition, batch.n, at, &before);
		bits = __ballot_sync(GS_ALL_LANES, at + gs_lane() < batch.n &&
							 has_value(chosen ? a : b,
									   first + at + gs_lane()));
		if (gs_lane() == 0)
			((uint32_t *) batch.bits)[at / GS_WARP] = bits;
	}
}

/* Fetch these; `ranks` are those of their bits. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
fetch_chosen(place_source a, place_source b, ranked<uint8_t> condition,
			 place_batch batch, int64_t first, const uint32_t *ranks, T *to)
{
	const int64_t block = warp_block();
	uint32_t	before;
	uint32_t	out;

	if (block * GS_RANK_BLOCK >= batch.n)
		return;
	before = condition.first_of(block);
	out = ranks[block];
	for (int i = 0; i < RANK_WORDS; i++)
	{
		const int64_t at = block * GS_RANK_BLOCK + i * GS_WARP;
		uint32_t	bits;
		bool		chosen;

		if (at >= batch.n)
			break;
		bits = ((const uint32_t *) batch.bits)[at / GS_WARP];
		chosen = next_choice(condition, batch.n, at, &before);
		if (bits >> gs_lane() & 1)
		{
			const place_source &from = chosen ? a : b;

			to[out + __popc(bits & ((1u << gs_lane()) - 1))] =
				((const T *) from.values)[rank_at(from,
												  first + at + gs_lane())];
		}
		out += __popc(bits);
	}
	if (block == 0 && gs_lane() == 0)
	{
		batch.done->n = batch.n;
		batch.done->present = ranks[gs_divide_up(batch.n, GS_RANK_BLOCK)];
	}
}

template <typename T>
static cudaError_t
launch_choose(const place_source (&s)[2], const gs_device_input *in,
			  const place_batch &batch, const place_scratch &scratch, T *to,
			  cudaStream_t stream)
{
	const unsigned int blocks = (unsigned int)
		gs_divide_up(batch.n, GS_RANK_BLOCK * (THREADS / GS_WARP));
	ranked<uint8_t> condition;

	if (s[0].validity == NULL && s[1].validity == NULL &&
		in->data.validity == NULL)
	{
		choose_kernel<T><<<(unsigned int) gs_divide_up(batch.n * sizeof(T),
													   16 * THREADS),
			THREADS, 0, stream>>>
			((const T *) s[0].values, (const T *) s[1].values,
			 (const uint8_t *) in->data.values, batch, in->first, to);
		return gs_launched();
	}
	GS_TRY(find_ranks(&in->data, batch.n, (char *) scratch.positions, stream,
					  &condition));
	find_chosen<<<blocks, THREADS, 0, stream>>>(s[0], s[1], condition, batch,
												in->first);
	GS_TRY(gs_launched());
	GS_TRY(gs_bitmap_ranks((const uint8_t *) batch.bits, batch.n,
						   scratch.results, scratch.of_ranks, stream));
	fetch_chosen<T><<<blocks, THREADS, 0, stream>>>
		(s[0], s[1], condition, batch, in->first, scratch.results, to);
	return gs_launched();
}

/* ----------
 * Batches
 * ----------
 */

/* Values are only moved, so their width is all that matters. */
template <typename T>
static cudaError_t
launch(const gs_op *op, const gs_device_input *in,
	   const place_source (&s)[2], const place_batch &batch, void *scratch,
	   void *to, cudaStream_t stream)
{
	if (op->kind == GS_CHOOSE_EITHER)
		return launch_choose<T>(s, in, batch, scratch_at(scratch, in->n),
								(T *) to, stream);
	if (op->kind != GS_TAKE)
		return launch_range<T>(op, s[0], batch, in->first, (T *) to, stream);
	return launch_take<T>(s[0], &in->data, batch, scratch_at(scratch, in->n),
						  (T *) to, stream);
}

/* An array, whose ranks are counted before the first batch. */
static cudaError_t
find_source(const gs_device_span *span, int64_t elements, bool first,
			uint32_t *ranks, void *of_ranks, cudaStream_t stream,
			place_source *s)
{
	*s = {span->values, elements, NULL, ranks};
	if (span->present == elements)
		return cudaSuccess;
	s->validity = (const uint64_t *) span->validity;
	return !first ? cudaSuccess :
		gs_bitmap_ranks(span->validity, elements, ranks, of_ranks, stream);
}

static cudaError_t
place_batch_of(const gs_op *op, const gs_device_input *in,
			   const gs_device_output *out, void *state, void *scratch,
			   cudaStream_t stream)
{
	const int64_t elements = source_elements(op, in->all);
	const place_state at = state_at(op, state, elements);
	const place_batch batch = {in->n, (uint64_t *) out->validity, out->done};
	place_source s[2];

	GS_TRY(find_source(gs_has_mask(op) ? &in->mask : &in->data, elements,
					   in->first == 0, at.ranks[0], at.of_ranks, stream,
					   &s[0]));
	if (gs_has_third(op))
		GS_TRY(find_source(&in->third, elements, in->first == 0, at.ranks[1],
						   at.of_ranks, stream, &s[1]));
	switch (gs_type_width(gs_output_type(op)))
	{
		case 1:
			return launch<uint8_t>(op, in, s, batch, scratch, out->values,
								   stream);
		case 2:
			return launch<uint16_t>(op, in, s, batch, scratch, out->values,
									stream);
		case 4:
			return launch<uint32_t>(op, in, s, batch, scratch, out->values,
									stream);
		default:
			return launch<uint64_t>(op, in, s, batch, scratch, out->values,
									stream);
	}
}

const gs_kernels gs_place_kernels = {
	.name = "place",
	.state_size = place_state_size,
	.scratch_size = place_scratch_size,
	.batch = place_batch_of
};
