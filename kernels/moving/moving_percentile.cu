/*-------------------------------------------------------------------------
 *
 * moving_percentile.cu
 *	  Medians and percentiles of moving frames.
 *
 * Only what is not NULL is an element here.  When all batches are there, CUB
 * sorts the elements, which gives each a rank among all; equal ones have ranks
 * in their order.  The ranks, in the order of the elements, become a wavelet
 * matrix (wavelet_matrix.cuh).  It finds the ranks in a frame that are wanted.
 *
 * The state consists of:
 *
 *		report
 *		before			how many elements there are before each place
 *		keys			two arrays; the sorted ones end in the first
 *		positions		two arrays: of the keys; then ranks, between levels
 *		matrix
 *		zeros			of all of a level
 *		results
 *		workspace		CUB's
 *
 * Results that doubles do not decide are left to the host (complete).  Until
 * then they are the two ranks between which they lie, and the first array of
 * positions lists their places.
 *
 * Determinism: the sort is stable, so each element has one rank, and a result
 * depends on ranks alone.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/moving/moving_validity.cuh"
#include "kernels/order/order_key.cuh"
#include "kernels/moving/wavelet_matrix.cuh"

#include "engine/percentile.h"

#include <cub/device/device_radix_sort.cuh>
#include <stdlib.h>

/* Results that the host computes at a time. */
#define UNDECIDED_PIECE	(INT64_C(1) << 20)

/* What is copied to the host. */
typedef struct percentile_report
{
	unsigned long long undecided;	/* results */
} percentile_report;

/* The layout of the state. */
template <typename Key> struct percentile_state
{
	percentile_report *report;
	uint32_t   *before;
	Key		   *key[2];
	uint32_t   *position[2];
	matrix		m;
	void	   *result;
	void	   *workspace;
	size_t		workspace_size;
};

/* Everything but the workspace's size, for which CUB needs some time. */
template <typename Key>
static percentile_state<Key>
lay_percentiles(int64_t n, void *state)
{
	percentile_state<Key> s = {};
	char	   *at = (char *) state;

	s.report = (percentile_report *) gs_part(&at, sizeof(percentile_report));
	s.before = (uint32_t *) gs_part(&at, n * sizeof(uint32_t));
	for (int i = 0; i < 2; i++)
		s.key[i] = (Key *) gs_part(&at, n * sizeof(Key));
	for (int i = 0; i < 2; i++)
		s.position[i] = (uint32_t *) gs_part(&at, n * sizeof(uint32_t));
	s.m.levels = levels_for(n);
	s.m.words = words_for(n);
	s.m.word = (matrix_word *)
		gs_part(&at, s.m.levels * s.m.words * sizeof(matrix_word));
	s.m.zeros = (uint32_t *) gs_part(&at, LEVELS * sizeof(uint32_t));
	s.result = gs_part(&at, n * sizeof(gs_value));
	s.workspace = at;
	return s;
}

/* ----------
 * Batches
 * ----------
 */

template <typename T, typename Key>
__global__ static void
__launch_bounds__(THREADS)
add_elements(const T *value, const uint32_t *validity, const uint32_t *ranks,
			 int64_t n, int64_t elements_before, uint32_t *before, Key *key,
			 uint32_t *position)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
	{
		int64_t		rank;
		bool		present = find_value(validity, ranks, i, &rank);
		int64_t		element = elements_before + rank;

		before[i] = (uint32_t) element;
		if (!present)
			continue;
		key[element] = order_key<T>::of(value[rank]);
		position[element] = (uint32_t) element;
	}
}

template <typename T>
static cudaError_t
add_batch(const gs_device_input *in, void *state, void *scratch,
		  cudaStream_t stream)
{
	typedef typename order_key<T>::type Key;
	percentile_state<Key> s = lay_percentiles<Key>(in->all, state);
	char	   *at = (char *) scratch;
	uint32_t   *ranks = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(in->n));
	unsigned int blocks;

	if (in->data.validity != NULL)
		GS_TRY(gs_bitmap_ranks(in->data.validity, in->n, ranks, at, stream));
	GS_TRY(grid_of(in->n, &blocks));
	add_elements<T, Key><<<blocks, THREADS, 0, stream>>>
		((const T *) in->data.values, (const uint32_t *) in->data.validity,
		 ranks, in->n, in->before, s.before + in->first, s.key[0],
		 s.position[0]);
	return gs_launched();
}

/* ----------
 * The matrix
 * ----------
 */

/* Where ranks stand, given the positions of the sorted elements. */
__global__ static void
__launch_bounds__(THREADS)
place_ranks(const uint32_t *position, int64_t n, uint32_t *rank)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
		rank[position[i]] = (uint32_t) i;
}

/* Sort, or only set the size that CUB needs, without a workspace. */
template <typename Key>
static cudaError_t
sort(percentile_state<Key> *s, int64_t n, int bits, cudaStream_t stream)
{
	cub::DoubleBuffer<Key> keys(s->key[0], s->key[1]);
	cub::DoubleBuffer<uint32_t> positions(s->position[0], s->position[1]);

	GS_TRY(cub::DeviceRadixSort::SortPairs(s->workspace, s->workspace_size,
										   keys, positions, n, 0, bits,
										   stream));
	s->position[0] = positions.Current();
	s->position[1] = positions.Alternate();
	if (s->workspace == NULL || keys.Current() == s->key[0])
		return cudaSuccess;
	return cudaMemcpyAsync(s->key[0], s->key[1], n * sizeof(Key),
						   cudaMemcpyDeviceToDevice, stream);
}

/* After an error of CUB's, a size that cannot be allocated. */
template <typename Key>
static size_t
workspace_size(int64_t n)
{
	percentile_state<Key> none = {};
	size_t		size = 0;

	if (n > 0 && (sort(&none, n, 8 * sizeof(Key), 0) != cudaSuccess ||
				  count_zeros(NULL, &size, NULL, words_for(n), NULL, 0) !=
				  cudaSuccess))
		return SIZE_MAX / 4;
	size = gs_aligned(size);
	return size > none.workspace_size ? size : none.workspace_size;
}

/* Of n sorted elements, with their positions. */
template <typename Key>
static cudaError_t
build_matrix(const percentile_state<Key> *s, const matrix &m, int64_t n,
			 cudaStream_t stream)
{
	/* the second array of keys is free */
	uint32_t   *zeros = (uint32_t *) s->key[1];
	uint32_t   *rank = s->position[1];
	uint32_t   *next = s->position[0];
	unsigned int blocks;

	GS_TRY(grid_of(n, &blocks));
	place_ranks<<<blocks, THREADS, 0, stream>>>(s->position[0], n, rank);
	GS_TRY(gs_launched());
	return fill_matrix(m, n, rank, next, zeros, s->workspace, s->workspace_size,
					   stream);
}

/* ----------
 * Frames
 * ----------
 */

__device__ static inline gs_pair
pair_of(double x)
{
	return gs_percentile_float(x);
}

__device__ static inline gs_pair
pair_of(float x)
{
	return gs_percentile_float(x);
}

template <typename T>
__device__ static inline gs_pair
pair_of(T x)
{
	return gs_percentile_integer(x);
}

template <typename T, typename Key>
__global__ static void
__launch_bounds__(THREADS)
make_elements(frame f, double fraction, const uint32_t *before,
			  int64_t present, const Key *key, matrix m, T *result)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < f.n;
		 i += step)
	{
		int64_t		first = f.first(i);
		int64_t		count = count_values(before, first, f.last(i), f.n,
										 present);
		uint32_t	start = (uint32_t) (before == NULL ? first :
										before[first]);
		uint32_t	after;

		if (count == 0)
			result[i] = 0;
		else
			result[i] = order_key<T>::value
				(key[find_ranks(m, start, start + (uint32_t) count,
								(uint32_t) gs_percentile_place
								(fraction, true, count).rank, false,
								&after)]);
	}
}

template <typename T, typename Key>
__global__ static void
__launch_bounds__(THREADS)
make_values(frame f, double fraction, const uint32_t *before, int64_t present,
			const Key *key, matrix m, double *result,
			percentile_report *report, uint32_t *list)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < f.n;
		 i += step)
	{
		int64_t		first = f.first(i);
		int64_t		count = count_values(before, first, f.last(i), f.n,
										 present);
		uint32_t	start = (uint32_t) (before == NULL ? first :
										before[first]);
		double		r = 0;

		if (count > 0)
		{
			gs_place	place = gs_percentile_place(fraction, false, count);
			const bool	between = place.proportion != 0;
			uint32_t	after;
			uint32_t	rank = find_ranks(m, start, start + (uint32_t) count,
										  (uint32_t) place.rank, between,
										  &after);
			gs_pair		low = pair_of(order_key<T>::value(key[rank]));
			gs_pair		high = between ?
				pair_of(order_key<T>::value(key[after])) : low;

			if (!gs_percentile_quickly(low, high, place.proportion, &r))
			{
				list[atomicAdd(&report->undecided, 1ull)] = (uint32_t) i;
				r = __hiloint2double((int) after, (int) rank);
			}
		}
		result[i] = r;
	}
}

template <typename T>
static cudaError_t
arrange(const gs_op *op, int64_t n, int64_t present, void *state,
		cudaStream_t stream)
{
	typedef typename order_key<T>::type Key;
	percentile_state<Key> s = lay_percentiles<Key>(n, state);
	const uint32_t *before = present < n ? s.before : NULL;
	uint32_t   *list = s.position[0];
	matrix		m = s.m;
	unsigned int blocks;

	s.workspace_size = workspace_size<Key>(n);
	m.levels = levels_for(present);
	m.words = words_for(present);
	if (present > 0)
	{
		GS_TRY(sort(&s, present, order_key<T>::bits, stream));
		GS_TRY(build_matrix(&s, m, present, stream));
	}
	GS_TRY(grid_of(n, &blocks));
	if (op->percentile.discrete)
		make_elements<T, Key><<<blocks, THREADS, 0, stream>>>
			(frame(op, n), op->percentile.fraction, before, present, s.key[0], m,
			 (T *) s.result);
	else
		make_values<T, Key><<<blocks, THREADS, 0, stream>>>
			(frame(op, n), op->percentile.fraction, before, present, s.key[0], m,
			 (double *) s.result, s.report, list);
	return gs_launched();
}

/* ----------
 * What doubles do not decide
 * ----------
 */

struct undecided
{
	gs_pair		low;
	gs_pair		high;
	double		proportion;
};

/* Of n results of a list. */
template <typename T, typename Key>
__global__ static void
__launch_bounds__(THREADS)
gather_undecided(frame f, double fraction, const uint32_t *before,
				 int64_t present, const uint32_t *list, int64_t n,
				 const double *result, const Key *key, undecided *to)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t k = (int64_t) blockIdx.x * THREADS + threadIdx.x; k < n;
		 k += step)
	{
		int64_t		i = list[k];
		double		ranks = result[i];
		int64_t		count = count_values(before, f.first(i), f.last(i), f.n,
										 present);
		undecided	u;

		u.low = pair_of(order_key<T>::value
						(key[(uint32_t) __double2loint(ranks)]));
		u.high = pair_of(order_key<T>::value
						 (key[(uint32_t) __double2hiint(ranks)]));
		u.proportion = gs_percentile_place(fraction, false, count).proportion;
		to[k] = u;
	}
}

__global__ static void
__launch_bounds__(THREADS)
scatter_values(const uint32_t *list, int64_t n, const double *value,
			   double *result)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
		result[list[i]] = value[i];
}

/* n results of a list, by way of `memory` on the host, for as many. */
template <typename T, typename Key>
static cudaError_t
decide(const gs_op *op, const percentile_state<Key> &s, const frame &f,
	   int64_t present, const uint32_t *list, int64_t n, undecided *memory,
	   cudaStream_t stream)
{
	undecided  *gathered = (undecided *) s.key[1];
	double	   *value = (double *) memory;
	unsigned int blocks;

	GS_TRY(grid_of(n, &blocks));
	gather_undecided<T, Key><<<blocks, THREADS, 0, stream>>>
		(f, op->percentile.fraction, present < f.n ? s.before : NULL, present, list, n,
		 (const double *) s.result, s.key[0], gathered);
	GS_TRY(gs_launched());
	GS_TRY(cudaMemcpyAsync(memory, gathered, n * sizeof(undecided),
						   cudaMemcpyDeviceToHost, stream));
	GS_TRY(cudaStreamSynchronize(stream));
	for (int64_t i = 0; i < n; i++)
	{
		undecided	u = memory[i];

		/* in the place of one that has been read */
		value[i] = gs_percentile_value(u.low, u.high, u.proportion);
	}
	GS_TRY(cudaMemcpyAsync(gathered, value, n * sizeof(double),
						   cudaMemcpyHostToDevice, stream));
	scatter_values<<<blocks, THREADS, 0, stream>>>
		(list, n, (const double *) gathered, (double *) s.result);
	GS_TRY(gs_launched());
	return cudaStreamSynchronize(stream);
}

template <typename T>
static cudaError_t
complete(const gs_op *op, int64_t n, int64_t present, int64_t left,
		 void *state, cudaStream_t stream)
{
	typedef typename order_key<T>::type Key;
	percentile_state<Key> s = lay_percentiles<Key>(n, state);
	const frame f(op, n);
	int64_t		piece = gs_aligned(n * sizeof(Key)) / sizeof(undecided);
	undecided  *memory;
	cudaError_t error = cudaSuccess;

	piece = piece < UNDECIDED_PIECE ? piece : UNDECIDED_PIECE;
	memory = (undecided *) malloc(piece * sizeof(undecided));
	if (memory == NULL)
		return cudaErrorMemoryAllocation;
	for (int64_t at = 0; at < left && error == cudaSuccess; at += piece)
		error = decide<T, Key>(op, s, f, present, s.position[0] + at,
							   left - at < piece ? left - at : piece, memory,
							   stream);
	free(memory);
	return error;
}

/* ----------
 * The operation
 * ----------
 */

template <typename T>
static size_t
state_size(int64_t n)
{
	typedef typename order_key<T>::type Key;

	return (size_t) lay_percentiles<Key>(n, NULL).workspace + workspace_size<Key>(n);
}

static size_t
percentile_state_size(const gs_op *op, int64_t n)
{
	GS_BY_TYPE(op->type, state_size, (n))
}

static size_t
percentile_report_size(const gs_op *)
{
	return sizeof(percentile_report);
}

/* Ranks, which tell which elements there are. */
static size_t
percentile_scratch_size(const gs_op *, int64_t n)
{
	return gs_aligned(gs_bitmap_ranks_size(n)) +
		gs_aligned(gs_bitmap_ranks_scratch_size(n));
}

static cudaError_t
percentile_start(const gs_op *, int64_t, void *state, cudaStream_t stream)
{
	return cudaMemsetAsync(state, 0, sizeof(percentile_report), stream);
}

static cudaError_t
percentile_batch(const gs_op *op, const gs_device_input *in,
				 const gs_device_output *, void *state, void *scratch,
				 cudaStream_t stream)
{
	GS_BY_TYPE(op->type, add_batch, (in, state, scratch, stream))
}

static cudaError_t
percentile_arrange(const gs_op *op, int64_t n, int64_t present, void *state,
				   cudaStream_t stream)
{
	if (n == 0)
		return cudaSuccess;
	GS_BY_TYPE(op->type, arrange, (op, n, present, state, stream))
}

static void
percentile_result(const gs_op *, const void *, gs_result *result)
{
	result->results = result->n;
}

template <typename T>
static cudaError_t
fetch_validity(const gs_op *op, int64_t n, int64_t present, int64_t first,
			   int64_t rows, void *state, uint64_t *to, cudaStream_t stream)
{
	const uint32_t *before =
		lay_percentiles<typename order_key<T>::type>(n, state).before;
	unsigned int blocks;

	GS_TRY(grid_of(64 * rows, &blocks));
	make_validity<<<blocks, THREADS, 0, stream>>>
		(frame(op, n), present < n ? before : NULL, present,
		 gs_moving_least(op), first, rows, to);
	return gs_launched();
}

static cudaError_t
percentile_fetch(const gs_op *op, int64_t n, int64_t present, gs_column,
				 int64_t first, int64_t count, void *state, void *to,
				 cudaStream_t stream)
{
	GS_BY_TYPE(op->type, fetch_validity, (op, n, present, first, count, state,
										  (uint64_t *) to, stream))
}

template <typename T>
static const void *
result_of(int64_t n, void *state)
{
	return lay_percentiles<typename order_key<T>::type>(n, state).result;
}

static const void *
percentile_column(const gs_op *op, int64_t n, gs_column column, void *state)
{
	if (column != GS_COLUMN_VALUES)
		return NULL;
	GS_BY_TYPE(op->type, result_of, (n, state))
}

static cudaError_t
percentile_complete(const gs_op *op, int64_t n, int64_t present, void *report,
					void *state, cudaStream_t stream)
{
	const int64_t left =
		(int64_t) ((const percentile_report *) report)->undecided;

	if (left == 0)
		return cudaSuccess;
	GS_BY_TYPE(op->type, complete, (op, n, present, left, state, stream))
}

const gs_kernels gs_moving_percentile_kernels = {
	.name = "moving percentiles",
	.state_size = percentile_state_size,
	.report_size = percentile_report_size,
	.scratch_size = percentile_scratch_size,
	.start = percentile_start,
	.batch = percentile_batch,
	.result = percentile_result,
	.arrange = percentile_arrange,
	.fetch = percentile_fetch,
	.column = percentile_column,
	.complete = percentile_complete
};
