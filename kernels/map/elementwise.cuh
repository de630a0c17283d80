/*-------------------------------------------------------------------------
 *
 * elementwise.cuh
 *	  Maps: a result for each element, or for each pair of two arrays', that
 *	  depends on nothing else.
 *
 * A functor says what is computed:
 *
 *		A, B, R			types of the elements and of the result
 *		vectors			16-byte vectors a thread, of the widest of these
 *		lenient			may a pair that lacks a value have a result?
 *		(a, b, &r)		computes a result; returns its errors (arithmetic.h)
 *		has(has_a, a, has_b, b)	lenient ones: is there a result?  An element
 *						that is NULL is 0.
 *
 * Of one array the kernel goes over the packed values, and copies the bitmap.
 * Of two, if there are NULLs, a value is found by its rank, and so is its
 * result's place: then a warp goes through the elements of a block of ranks, 32
 * at a time.
 *
 * A thread that has seen an error computes its results again, to find the first:
 * so the others carry nothing but a bit.
 *
 * Determinism: a result depends on its element, or pair, alone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ELEMENTWISE_CUH
#define GS_ELEMENTWISE_CUH

#include <type_traits>

#include "kernels/common.cuh"
#include "kernels/map/undecided.cuh"

#define GS_MAP_THREADS	256

/* The layout of a batch's scratch memory, for pairs with NULLs. */
struct pair_scratch
{
	uint32_t   *ranks[3];		/* of the arrays, and of the results */
	void	   *of_ranks;
	size_t		size;
};

static inline pair_scratch
scratch_at(void *scratch, int64_t n)
{
	char	   *at = (char *) scratch;
	pair_scratch s;

	for (int i = 0; i < 3; i++)
		s.ranks[i] = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(n));
	s.of_ranks = gs_part(&at, gs_bitmap_ranks_scratch_size(n));
	s.size = at - (char *) scratch;
	return s;
}

/* A few elements as they lie in memory. */
template <int bytes> struct raw_bytes;
template <> struct raw_bytes<1> { typedef unsigned char type; };
template <> struct raw_bytes<2> { typedef unsigned short type; };
template <> struct raw_bytes<4> { typedef unsigned int type; };
template <> struct raw_bytes<8> { typedef uint2 type; };
template <> struct raw_bytes<16> { typedef uint4 type; };

/* The elements that a vector has: 16 bytes of the widest type. */
template <class F>
struct vector_of
{
	static constexpr size_t pair = sizeof(typename F::A) > sizeof(typename F::B) ?
		sizeof(typename F::A) : sizeof(typename F::B);
	static constexpr size_t widest = pair > sizeof(typename F::R) ? pair :
		sizeof(typename F::R);
	static constexpr int elements = (int) (16 / widest);
};

/* An operand: an array's values, or the same value for all elements. */
template <typename T>
struct operand
{
	const T    *values;			/* NULL: it is the constant */
	T			constant;
	const uint32_t *validity;	/* NULL: all present */
	const uint32_t *ranks;		/* of the validity */

	template <int n>
	__device__ __forceinline__ void
	load(int64_t vector, T (&to)[n]) const
	{
		typedef typename raw_bytes<n * sizeof(T)>::type bytes;
		bytes		raw;

		if (values == NULL)
		{
#pragma unroll
			for (int i = 0; i < n; i++)
				to[i] = constant;
			return;
		}
		raw = __ldcs((const bytes *) values + vector);
		memcpy(to, &raw, sizeof raw);
	}

	__device__ __forceinline__ T
	at(int64_t i) const
	{
		return values == NULL ? constant : values[i];
	}
};

/* What a batch's kernels read and write beside the operands and results. */
struct map_batch
{
	int64_t		n;				/* elements */
	int64_t		present;		/* values; of pairs, where there are no NULLs */
	const uint64_t *validity;	/* of one array; NULL: all present */
	uint64_t   *bits;			/* NULL: no result is NULL */
	gs_done    *done;			/* value_error is 0 before */
};

/* The bitmap of the results, by threads of which there is one for each word. */
static __device__ __forceinline__ void
copy_bits(const map_batch &batch, int64_t word)
{
	uint64_t	bits = batch.validity == NULL ? ~UINT64_C(0) :
		batch.validity[word];

	if (batch.n - 64 * word < 64)
		bits &= (UINT64_C(1) << (batch.n - 64 * word)) - 1;
	batch.bits[word] = bits;
}

/* Note the errors of this place, if there are any: those of result r. */
template <typename R>
static __device__ __forceinline__ bool
note_errors(uint32_t errors, R r, int64_t place, gs_done *done)
{
	if (errors != 0)
		gs_note_error(done, place, gs_answer_of_errors
					  (errors, std::is_floating_point<R>::value && r == 0));
	return errors != 0;
}

/*
 * The first error of a thread that has one.  Not inlined, so that the kernel
 * needs no registers for it.
 */
template <class F>
static __device__ __noinline__ void
find_error(F f, operand<typename F::A> a, operand<typename F::B> b,
		   int64_t present, gs_done *done)
{
	constexpr int per = vector_of<F>::elements;
	const int64_t vectors = present / per;
	const int64_t first = (int64_t) blockIdx.x * (GS_MAP_THREADS * F::vectors) +
		threadIdx.x;
	const int64_t rest = vectors * per +
		(int64_t) blockIdx.x * GS_MAP_THREADS + threadIdx.x;

#pragma unroll 1
	for (int i = 0; i <= F::vectors * per; i++)
	{
		const int64_t vector = first + i / per * GS_MAP_THREADS;
		const bool	is_rest = i == F::vectors * per;
		const int64_t place = is_rest ? rest : vector * per + i % per;
		typename F::R r;

		if ((is_rest ? rest < present : vector < vectors) &&
			note_errors(f(a.at(place), b.at(place), &r), r, place, done))
			return;
	}
}

/*
 * A block has as many vectors as threads, `vectors` times: so neighbouring
 * threads read and write neighbouring vectors, however narrow one is.
 */
template <class F>
static __global__ void __launch_bounds__(GS_MAP_THREADS)
dense_kernel(F f, operand<typename F::A> a, operand<typename F::B> b,
			 map_batch batch, typename F::R *to)
{
	constexpr int per = vector_of<F>::elements;
	typedef typename raw_bytes<per * sizeof(typename F::R)>::type bytes;
	const int64_t vectors = batch.present / per;
	const int64_t thread = (int64_t) blockIdx.x * GS_MAP_THREADS + threadIdx.x;
	const int64_t first = (int64_t) blockIdx.x * (GS_MAP_THREADS * F::vectors) +
		threadIdx.x;
	typename F::A x[F::vectors][per];
	typename F::B y[F::vectors][per];
	uint32_t	errors = 0;

	/* there must be a thread for each word of the bitmap */
	static_assert(per * F::vectors <= 64, "too much for a thread");
#pragma unroll
	for (int i = 0; i < F::vectors; i++)
	{
		const int64_t vector = first + i * GS_MAP_THREADS;

		if (vector < vectors)
		{
			a.load(vector, x[i]);
			b.load(vector, y[i]);
		}
	}
#pragma unroll
	for (int i = 0; i < F::vectors; i++)
	{
		const int64_t vector = first + i * GS_MAP_THREADS;
		typename F::R r[per];
		bytes		raw;

		if (vector < vectors)
		{
#pragma unroll
			for (int k = 0; k < per; k++)
				errors |= f(x[i][k], y[i][k], &r[k]);
			memcpy(&raw, r, sizeof raw);
			__stcs((bytes *) to + vector, raw);
		}
	}
	/* less than a vector is left */
	if (thread < batch.present - vectors * per)
	{
		const int64_t i = vectors * per + thread;

		errors |= f(a.at(i), b.at(i), &to[i]);
	}
	if (batch.bits != NULL && thread < gs_divide_up(batch.n, 64))
		copy_bits(batch, thread);
	if (thread == 0)
	{
		batch.done->n = batch.n;
		batch.done->present = batch.present;
	}
	if (errors != 0)
		find_error(f, a, b, batch.present, batch.done);
}

/* Which pairs have both values? */
static __global__ void __launch_bounds__(GS_MAP_THREADS)
find_pairs(const uint64_t *a, const uint64_t *b, int64_t n, uint64_t *bits)
{
	const int64_t i = (int64_t) blockIdx.x * GS_MAP_THREADS + threadIdx.x;
	uint64_t	word;

	if (i >= gs_divide_up(n, 64))
		return;
	word = (a == NULL ? ~UINT64_C(0) : a[i]) & (b == NULL ? ~UINT64_C(0) : b[i]);
	if (n - 64 * i < 64)
		word &= (UINT64_C(1) << (n - 64 * i)) - 1;
	bits[i] = word;
}

/* This warp's block of ranks. */
static __device__ __forceinline__ int64_t
warp_block(void)
{
	return (int64_t) blockIdx.x * (GS_MAP_THREADS / GS_WARP) + gs_warp();
}

/* A warp's way through an operand. */
template <typename T>
struct walk
{
	const operand<T> &from;
	uint32_t	before;			/* values before the next 32 elements */

	__device__ __forceinline__
	walk(const operand<T> &o, int64_t block) : from(o)
	{
		before = o.validity == NULL ? (uint32_t) (block * GS_RANK_BLOCK) :
			o.ranks[block];
	}

	/* This lane's element of the next 32, if it is wanted; is it a value? */
	__device__ __forceinline__ bool
	next(int64_t word, bool wanted, T *value)
	{
		const uint32_t present = from.validity == NULL ? ~0u :
			from.validity[word];
		const uint32_t rank = before +
			__popc(present & ((1u << gs_lane()) - 1));
		const bool	has = present >> gs_lane() & 1;

		*value = has && wanted ? from.at(rank) : T(0);
		before += __popc(present);
		return has;
	}
};

/* Which results are there, of a lenient functor? */
template <class F>
static __global__ void __launch_bounds__(GS_MAP_THREADS)
find_results(F f, operand<typename F::A> a, operand<typename F::B> b,
			 int64_t n, uint32_t *bits)
{
	const int	words = GS_RANK_BLOCK / GS_WARP;
	const int64_t end = gs_divide_up(n, 64) * 2;	/* whole words of 64 */
	const int64_t block = warp_block();

	if (block >= gs_divide_up(n, GS_RANK_BLOCK))
		return;
	walk<typename F::A> of_a(a, block);
	walk<typename F::B> of_b(b, block);

	for (int i = 0; i < words && block * words + i < end; i++)
	{
		const int64_t word = block * words + i;
		const bool	wanted = word * GS_WARP + gs_lane() < n;
		typename F::A x;
		typename F::B y;
		const bool	has_a = of_a.next(word, wanted, &x);
		const bool	has_b = of_b.next(word, wanted, &y);
		const uint32_t there = __ballot_sync(GS_ALL_LANES, wanted &&
											 f.has(has_a, x, has_b, y));

		if (gs_lane() == 0)
			bits[word] = there;
	}
}

/* Pairs of which some have NULLs; a warp has a block of ranks. */
template <class F>
static __global__ void __launch_bounds__(GS_MAP_THREADS)
sparse_kernel(F f, operand<typename F::A> a, operand<typename F::B> b,
			  map_batch batch, const uint32_t *bits, const uint32_t *ranks,
			  typename F::R *to)
{
	const int	words = GS_RANK_BLOCK / GS_WARP;
	const int64_t blocks = gs_divide_up(batch.n, GS_RANK_BLOCK);
	const int64_t block = warp_block();
	uint32_t	out;

	if (block >= blocks)
		return;
	walk<typename F::A> of_a(a, block);
	walk<typename F::B> of_b(b, block);

	out = ranks[block];
	for (int i = 0; i < words; i++)
	{
		const int64_t word = block * words + i;
		typename F::A x;
		typename F::B y;
		uint32_t	there;
		bool		wanted;

		if (word * GS_WARP >= batch.n)
			break;
		there = bits[word];
		wanted = there >> gs_lane() & 1;
		of_a.next(word, wanted, &x);
		of_b.next(word, wanted, &y);
		if (wanted)
		{
			const uint32_t place = out +
				__popc(there & ((1u << gs_lane()) - 1));

			typename F::R r;

			note_errors(f(x, y, &r), r, place, batch.done);
			to[place] = r;
		}
		out += __popc(there);
	}
	if (block == 0 && gs_lane() == 0)
	{
		batch.done->n = batch.n;
		batch.done->present = ranks[blocks];
	}
}

/* The data, or, if `second`, the mask. */
template <typename T>
static operand<T>
array_operand(const gs_device_input *in, bool second, const pair_scratch *s)
{
	const gs_device_span *span = second ? &in->mask : &in->data;
	operand<T>	r = {(const T *) span->values, T(0), NULL, s->ranks[second]};

	if (span->present < in->n)
		r.validity = (const uint32_t *) span->validity;
	return r;
}

template <typename T>
static operand<T>
constant_operand(T value)
{
	operand<T>	r = {NULL, value, NULL, NULL};

	return r;
}

/* The ranks of the arrays that have NULLs, which are those with a validity. */
static inline cudaError_t
rank_arrays(const gs_device_input *in, const pair_scratch *s,
			const uint64_t *validity[2], cudaStream_t stream)
{
	const gs_device_span *span[] = {&in->data, &in->mask};

	for (int i = 0; i < 2; i++)
	{
		bool		nulls = span[i]->present < in->n;

		validity[i] = nulls ? (const uint64_t *) span[i]->validity : NULL;
		if (nulls)
			GS_TRY(gs_bitmap_ranks(span[i]->validity, in->n, s->ranks[i],
								   s->of_ranks, stream));
	}
	return cudaSuccess;
}

/* Pairs: the ranks of the arrays, the results' bitmap and ranks, the results. */
template <class F>
static cudaError_t
launch_pairs(const F &f, const operand<typename F::A> &a,
			 const operand<typename F::B> &b, const map_batch &batch,
			 const gs_device_input *in, const pair_scratch *s,
			 typename F::R *to, cudaStream_t stream)
{
	const uint64_t *validity[2];
	const unsigned int for_bits = (unsigned int)
		gs_divide_up(gs_divide_up(in->n, 64), GS_MAP_THREADS);
	const unsigned int for_ranks = (unsigned int)
		gs_divide_up(gs_divide_up(in->n, GS_RANK_BLOCK),
					 GS_MAP_THREADS / GS_WARP);

	GS_TRY(rank_arrays(in, s, validity, stream));
	if constexpr (F::lenient)
		find_results<F><<<for_ranks, GS_MAP_THREADS, 0, stream>>>
			(f, a, b, in->n, (uint32_t *) batch.bits);
	else
		find_pairs<<<for_bits, GS_MAP_THREADS, 0, stream>>>
			(validity[0], validity[1], in->n, batch.bits);
	GS_TRY(gs_launched());
	GS_TRY(gs_bitmap_ranks((const uint8_t *) batch.bits, in->n, s->ranks[2],
						   s->of_ranks, stream));
	sparse_kernel<F><<<for_ranks, GS_MAP_THREADS, 0, stream>>>
		(f, a, b, batch, (const uint32_t *) batch.bits, s->ranks[2], to);
	return gs_launched();
}

/*
 * A batch.  `gaps`: results may be NULL although no element is; only of pairs.
 */
template <class F>
static cudaError_t
launch_map(const F &f, const operand<typename F::A> &a,
		   const operand<typename F::B> &b, bool pairs, bool gaps,
		   const gs_device_input *in, const gs_device_output *out,
		   const pair_scratch *s, cudaStream_t stream)
{
	const int	per = vector_of<F>::elements * F::vectors;
	typename F::R *to = (typename F::R *) out->values;
	map_batch	batch = {0};
	int64_t		blocks = gs_divide_up(in->n, (int64_t) per * GS_MAP_THREADS);

	batch.n = in->n;
	batch.present = in->data.present;
	batch.bits = (uint64_t *) out->validity;
	batch.done = out->done;
	if (pairs && (gaps || in->data.present < in->n ||
				  in->mask.present < in->n))
		return launch_pairs<F>(f, a, b, batch, in, s, to, stream);
	if (in->data.present < in->n)
		batch.validity = (const uint64_t *) in->data.validity;
	dense_kernel<F><<<(unsigned int) blocks, GS_MAP_THREADS, 0, stream>>>
		(f, a, b, batch, to);
	return gs_launched();
}

static int64_t
constant_of(const gs_value *value, int64_t)
{
	return value->i8;
}

static int32_t
constant_of(const gs_value *value, int32_t)
{
	return value->i4;
}

static int16_t
constant_of(const gs_value *value, int16_t)
{
	return value->i2;
}

static uint8_t
constant_of(const gs_value *value, uint8_t)
{
	return (uint8_t) value->i2;
}

static float
constant_of(const gs_value *value, float)
{
	return value->f4;
}

static double
constant_of(const gs_value *value, double)
{
	return value->f8;
}

static size_t
map_scratch_size(const gs_op *op, int64_t chunk)
{
	return gs_has_mask(op) ? scratch_at(NULL, chunk).size : 0;
}

#endif							/* GS_ELEMENTWISE_CUH */
