/*-------------------------------------------------------------------------
 *
 * interpolate.cu
 *	  Where elements lie among ascending ones, and lines between these.
 *
 * The ascending elements are on the device.  A first pass checks, once, that
 * they ascend; a second one counts by bisection how many of them are not above
 * each element, and so finds out which results there are; a third one writes
 * the counts, or computes values between two points.  A result's place is its
 * rank among the results.
 *
 * The few values that two doubles do not decide are left to the host.
 *
 * Determinism: a result depends on its element and the ascending ones alone;
 * lines are rounded once.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/common.cuh"
#include "kernels/distance.cuh"
#include "kernels/ranked.cuh"

#define THREADS		256

/* Words of 32 elements that have a rank. */
#define RANK_WORDS	(GS_RANK_BLOCK / GS_WARP)

/* The ascending elements, and their values. */
template <typename T>
struct interpolate_points
{
	const T    *x;
	const double *y;			/* NULL: no lines are asked for */
	int64_t		n;
};

/* A batch of results. */
struct interpolate_batch
{
	int64_t		n;
	uint32_t   *bits;
	int32_t    *counts;			/* of all elements that have a result */
	gs_done    *done;
	gs_undecided *undecided;
};

/* The layout of the scratch memory. */
struct interpolate_scratch
{
	int32_t    *counts;
	char	   *elements;		/* ranks */
	uint32_t   *results;
	void	   *of_results;
	size_t		size;
};

static interpolate_scratch
scratch_at(void *scratch, int64_t n)
{
	char	   *at = (char *) scratch;
	interpolate_scratch s;

	s.counts = (int32_t *) gs_part(&at, n * sizeof(int32_t));
	s.elements = (char *) gs_part(&at, ranks_size(n));
	s.results = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(n));
	s.of_results = gs_part(&at, gs_bitmap_ranks_scratch_size(n));
	s.size = at - (char *) scratch;
	return s;
}

static size_t
interpolate_scratch_size(const gs_op *, int64_t batch)
{
	return scratch_at(NULL, batch).size;
}

/* ----------
 * The ascending elements
 * ----------
 */

template <typename T>
static __device__ __forceinline__ bool
is_above(T a, T b)
{
	return GS_IS_ABOVE(a, b);
}

template <typename T>
static __device__ __forceinline__ bool
ends_line(gs_type type, T x)
{
	gs_value	v;

	memcpy(&v, &x, sizeof(T));
	return gs_ends_line(type, v);
}

template <typename T>
static __global__ void __launch_bounds__(THREADS)
check_kernel(interpolate_points<T> points, gs_type type, gs_done *done)
{
	const int64_t step = (int64_t) gridDim.x * THREADS;
	const int64_t thread = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	bool		wrong = false;

#pragma unroll 4
	for (int64_t i = thread; i + 1 < points.n; i += step)
		wrong |= is_above(points.x[i], points.x[i + 1]);
	if (thread == 0 && points.y != NULL)
		wrong |= !ends_line(type, points.x[0]) ||
			!ends_line(type, points.x[points.n - 1]);
	if (wrong)
		done->overflow = 1;
}

static __global__ void
refuse(gs_done *done)
{
	done->overflow = 1;
	done->n = 0;
	done->present = 0;
}

/* ----------
 * Counts
 * ----------
 */

/* How many elements are not above one? */
template <typename T>
static __device__ __forceinline__ int64_t
count_not_above(const T *x, int64_t n, T at)
{
	int64_t		low = 0;

	while (n > 0)
	{
		const int64_t half = n / 2;
		const bool	above = is_above(__ldg(x + low + half), at);

		low = above ? low : low + half + 1;
		n = above ? half : n - half - 1;
	}
	return low;
}

/* A warp's 32 elements, as a word of bits. */
static __device__ __forceinline__ int64_t
warp_word(void)
{
	return (int64_t) blockIdx.x * (THREADS / GS_WARP) + gs_warp();
}

/* How many bits are 1 before a word, where `ranks` are of blocks of words? */
static __device__ __forceinline__ uint32_t
rank_of_word(const uint32_t *bits, const uint32_t *ranks, int64_t word)
{
	const int64_t block = word / RANK_WORDS;
	const int64_t mine = block * RANK_WORDS + gs_lane();
	uint32_t	rank = mine < word ? __popc(bits[mine]) : 0;

	for (int delta = RANK_WORDS / 2; delta > 0; delta /= 2)
		rank += __shfl_xor_sync(GS_ALL_LANES, rank, delta);
	return ranks[block] + __shfl_sync(GS_ALL_LANES, rank, 0);
}

/*
 * This lane's element of a word; false if it is NULL, or behind the last one.
 */
template <typename T>
static __device__ __forceinline__ bool
element_of(const ranked<T> &at, int64_t word, int64_t n, T *x)
{
	const int64_t i = word * GS_WARP + gs_lane();
	uint32_t	present;
	uint32_t	rank;

	if (at.ranks == NULL)
	{
		if (i < n)
			*x = __ldcs(at.values + i);
		return i < n;
	}
	present = at.present(word * GS_WARP, n);
	rank = rank_of_word((const uint32_t *) at.validity, at.ranks, word) +
		__popc(present & ((1u << gs_lane()) - 1));
	if (!(present >> gs_lane() & 1))
		return false;
	*x = at.values[rank];
	return true;
}

/* Which elements have results? */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
count_kernel(interpolate_points<T> points, ranked<T> at, interpolate_batch batch)
{
	const int64_t word = warp_word();
	bool		has = false;
	T			x;
	uint32_t	bits;

	if (word * GS_WARP >= batch.n)
		return;
	if (element_of(at, word, batch.n, &x))
	{
		const int64_t count = count_not_above(points.x, points.n, x);

		has = count > 0 && (points.y == NULL || count < points.n ||
							points.x[count - 1] == x);
		batch.counts[word * GS_WARP + gs_lane()] = (int32_t) count;
	}
	bits = __ballot_sync(GS_ALL_LANES, has);
	if (gs_lane() == 0)
		batch.bits[word] = bits;
}

/* ----------
 * Results
 * ----------
 */

/* The value at x, which is not before point `count`, counted from 1. */
template <typename T>
static __device__ __forceinline__ double
value_at(const interpolate_points<T> &points, int64_t count, T x, int64_t place,
		 const interpolate_batch &batch)
{
	const T		x0 = points.x[count - 1];
	const double y0 = points.y[count - 1];
	T			x1;
	double		y1;
	double		run;
	double		length;
	double		result;

	if (x0 == x)
		return y0 == y0 ? y0 : gs_canonical_nan();
	x1 = points.x[count];
	y1 = points.y[count];
	result = y0 + y1;
	if (!gs_is_finite(y0) || !gs_is_finite(y1))
		return result == result ? result : gs_canonical_nan();
	if (y0 == y1)
		return result == 0 ? result : y0;
	if (!gs_distance(x0, x, &run) || !gs_distance(x0, x1, &length) ||
		!gs_line_quickly(y0, y1, run, length, &result))
	{
		const unsigned long long i = atomicAdd
			((unsigned long long *) &batch.done->undecided, 1ull);

		if (i < GS_UNDECIDED_MAX)
		{
			gs_undecided *u = &batch.undecided[i];

			u->place = place;
			memcpy(&u->value[0], &x0, sizeof(T));
			memcpy(&u->value[1], &x1, sizeof(T));
			memcpy(&u->value[2], &x, sizeof(T));
			u->value[3].f8 = y0;
			u->value[4].f8 = y1;
		}
		else
			batch.done->overflow = 1;
	}
	return result;
}

/* `ranks` are those of the results. */
template <typename T, bool lines>
static __global__ void __launch_bounds__(THREADS)
result_kernel(interpolate_points<T> points, ranked<T> at, interpolate_batch batch,
			  const uint32_t *ranks, void *to)
{
	const int64_t word = warp_word();
	uint32_t	bits;
	uint32_t	place;
	T			x;

	if (word * GS_WARP >= batch.n)
		return;
	bits = batch.bits[word];
	place = rank_of_word(batch.bits, ranks, word) +
		__popc(bits & ((1u << gs_lane()) - 1));
	if (lines)
		(void) element_of(at, word, batch.n, &x);
	if (bits >> gs_lane() & 1)
	{
		const int32_t count = batch.counts[word * GS_WARP + gs_lane()];

		if (lines)
			((double *) to)[place] = value_at(points, count, x, place, batch);
		else
			((int32_t *) to)[place] = count;
	}
	if (word == 0 && gs_lane() == 0)
	{
		batch.done->n = batch.n;
		batch.done->present = ranks[gs_divide_up(batch.n, GS_RANK_BLOCK)];
	}
}

/* ----------
 * Batches
 * ----------
 */

template <typename T>
static cudaError_t
launch(const gs_op *op, const gs_device_input *in,
	   const gs_device_output *out, void *scratch, cudaStream_t stream)
{
	const bool	lines = op->kind == GS_INTERPOLATE;
	const unsigned int blocks = (unsigned int)
		gs_divide_up(in->n, THREADS);
	const interpolate_scratch s = scratch_at(scratch, in->n);
	const interpolate_points<T> points = {
		(const T *) in->mask.values,
		lines ? (const double *) in->third.values : NULL, op->mask.elements
	};
	const interpolate_batch batch = {
		in->n, (uint32_t *) out->validity, s.counts, out->done, out->undecided
	};
	ranked<T>	at;

	if (in->mask.present < points.n ||
		(lines && in->third.present < points.n))
	{
		refuse<<<1, 1, 0, stream>>>(out->done);
		return gs_launched();
	}
	if (in->first == 0)
	{
		int			check;

		GS_TRY(gs_grid(gs_divide_up(points.n, THREADS), 8, &check));
		check_kernel<T><<<check, THREADS, 0, stream>>>
			(points, (gs_type) op->type, out->done);
		GS_TRY(gs_launched());
	}
	GS_TRY(find_ranks(&in->data, in->n, s.elements, stream, &at));
	count_kernel<T><<<blocks, THREADS, 0, stream>>>(points, at, batch);
	GS_TRY(gs_launched());
	GS_TRY(gs_bitmap_ranks(out->validity, in->n, s.results, s.of_results,
						   stream));
	if (lines)
		result_kernel<T, true><<<blocks, THREADS, 0, stream>>>
			(points, at, batch, s.results, out->values);
	else
		result_kernel<T, false><<<blocks, THREADS, 0, stream>>>
			(points, at, batch, s.results, out->values);
	return gs_launched();
}

static cudaError_t
interpolate_batch_of(const gs_op *op, const gs_device_input *in,
					 const gs_device_output *out, void *, void *scratch,
					 cudaStream_t stream)
{
	GS_BY_TYPE(op->type, launch, (op, in, out, scratch, stream))
}

const gs_kernels gs_interpolate_kernels = {
	.name = "interpolate",
	.scratch_size = interpolate_scratch_size,
	.batch = interpolate_batch_of
};
