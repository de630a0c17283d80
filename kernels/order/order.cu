/*-------------------------------------------------------------------------
 *
 * order.cu
 *	  Orders: sorted elements, their positions, ranks, distinct elements.
 *
 * Each batch becomes keys, unsigned integers in the elements' order, which
 * stay on the device.  When all are there, CUB sorts them.  Elements are
 * converted back from their keys when they are fetched.  The state consists
 * of:
 *
 *		report
 *		keys			two arrays, between which CUB moves them; the sorted
 *						keys end in the first
 *		positions		two arrays, if they are wanted
 *		workspace		CUB's
 *
 * For distinct elements, the second array of keys then holds the starts of the
 * runs of equal keys in the first; everything else follows from these.  For
 * ranks, it holds those of the sorted keys, which are scattered to the second
 * array of positions.
 *
 * Source: CUB's radix sort (Adinets and Merrill, Onesweep, 2022).
 * Determinism: it is stable, so equal elements keep their order.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/order/order_key.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#define THREADS		256
#define BLOCKS		8			/* a multiprocessor */

/* What is copied to the host for result. */
typedef struct order_report
{
	int64_t		results;
	uint64_t	mode;			/* its key */

	/*
	 * the longest run: its length and, inverted, its number, so that the first
	 * run is the maximum
	 */
	unsigned long long longest;
} order_report;

/* The layout of the state. */
template <typename Key> struct order_state
{
	order_report *report;
	Key		   *key[2];
	uint32_t   *position[2];	/* NULL: not wanted */
	void	   *workspace;
	size_t		workspace_size; /* 0: not known */
};

/* Does a run of equal elements start at key i? */
template <typename Key> struct starts_run
{
	const Key  *key;

	__device__ bool
	operator()(uint32_t i) const
	{
		return i == 0 || key[i] != key[i - 1];
	}
};

static bool
is_real(const gs_op *op)
{
	return op->type == GS_FLOAT4 || op->type == GS_FLOAT8;
}

static bool
has_positions(const gs_op *op)
{
	return gs_has_positions((gs_kind) op->kind);
}

static bool
has_ranks(const gs_op *op)
{
	return gs_is_ranks((gs_kind) op->kind);
}

static int
key_bits(const gs_op *op)
{
	return 8 * gs_type_width((gs_type) op->type);
}

/*
 * Sort n keys, and positions with them.  Without a workspace, only set the
 * size that CUB needs for n keys.
 */
template <typename Key>
static cudaError_t
sort(const gs_op *op, order_state<Key> *s, int64_t n, cudaStream_t stream)
{
	cub::DoubleBuffer<Key> keys(s->key[0], s->key[1]);
	cub::DoubleBuffer<uint32_t> positions(s->position[0], s->position[1]);

	if (has_positions(op))
		GS_TRY(cub::DeviceRadixSort::SortPairs(s->workspace,
											   s->workspace_size, keys,
											   positions, n, 0, key_bits(op),
											   stream));
	else
		GS_TRY(cub::DeviceRadixSort::SortKeys(s->workspace, s->workspace_size,
											  keys, n, 0, key_bits(op),
											  stream));
	if (s->workspace == NULL || keys.Current() == s->key[0])
		return cudaSuccess;
	GS_TRY(cudaMemcpyAsync(s->key[0], s->key[1], n * sizeof(Key),
						   cudaMemcpyDeviceToDevice, stream));
	if (!has_positions(op))
		return cudaSuccess;
	return cudaMemcpyAsync(s->position[0], s->position[1],
						   n * sizeof(uint32_t), cudaMemcpyDeviceToDevice,
						   stream);
}

/* Find where runs start among n sorted keys; without a workspace, as sort. */
template <typename Key>
static cudaError_t
find_runs(const gs_op *op, order_state<Key> *s, int64_t n,
		  cudaStream_t stream)
{
	starts_run<Key> starts = {s->key[0]};

	return cub::DeviceSelect::If(s->workspace, s->workspace_size,
								 thrust::counting_iterator<uint32_t>(0),
								 (uint32_t *) s->key[1],
								 s->report == NULL ? (int64_t *) NULL :
								 &s->report->results, n, starts, stream);
}

/*
 * What a rank starts from: where a run of equals starts, its first place, or 1
 * to count; elsewhere 0.  If `last`, from the last key on: where a run ends, how
 * many keys come after.
 */
template <typename Key> struct rank_part
{
	starts_run<Key> starts;
	bool		dense;
	bool		last;
	uint32_t	n;

	__device__ uint32_t
	operator()(uint32_t i) const
	{
		if (last)
			return i > 0 && starts(n - i) ? i : 0;
		return !starts(i) ? 0 : dense ? 1 : i + 1;
	}
};

struct add_or_greatest
{
	bool		add;

	__device__ uint32_t
	operator()(uint32_t a, uint32_t b) const
	{
		return add ? a + b : max(a, b);
	}
};

/* The ranks of n sorted keys; without a workspace, as sort. */
template <typename Key>
static cudaError_t
rank_keys(const gs_op *op, order_state<Key> *s, int64_t n, cudaStream_t stream)
{
	const bool	dense = op->kind == GS_DENSE_RANK;
	const rank_part<Key> part = {{s->key[0]}, dense,
		op->kind == GS_LAST_RANK, (uint32_t) n};

	return cub::DeviceScan::InclusiveScan
		(s->workspace, s->workspace_size, thrust::make_transform_iterator
		 (thrust::counting_iterator<uint32_t>(0), part),
		 (uint32_t *) s->key[1], add_or_greatest {dense}, (int) n, stream);
}

/* After an error of CUB's, a size that cannot be allocated. */
template <typename Key>
static size_t
workspace_size(const gs_op *op, int64_t n)
{
	order_state<Key> none = {};
	size_t		size;

	if (sort(op, &none, n, 0) != cudaSuccess)
		return SIZE_MAX / 4;
	size = none.workspace_size;
	none.workspace_size = 0;
	if ((op->kind == GS_DISTINCT && find_runs(op, &none, n, 0) != cudaSuccess) ||
		(has_ranks(op) && rank_keys(op, &none, n, 0) != cudaSuccess))
		return SIZE_MAX / 4;
	return size > none.workspace_size ? size : none.workspace_size;
}

/* Everything but the workspace's size, for which CUB needs some time. */
template <typename Key>
static order_state<Key>
lay_state(const gs_op *op, int64_t n, void *state)
{
	order_state<Key> s = {};
	char	   *at = (char *) state;

	s.report = (order_report *) gs_part(&at, sizeof(order_report));
	for (int i = 0; i < 2; i++)
		s.key[i] = (Key *) gs_part(&at, n * sizeof(Key));
	for (int i = 0; i < 2 && has_positions(op); i++)
		s.position[i] = (uint32_t *) gs_part(&at, n * sizeof(uint32_t));
	s.workspace = at;
	return s;
}

template <typename Key>
static size_t
state_size(const gs_op *op, int64_t n)
{
	return (size_t) lay_state<Key>(op, n, NULL).workspace +
		workspace_size<Key>(op, n);
}

static size_t
order_state_size(const gs_op *op, int64_t n)
{
	return key_bits(op) == 64 ? state_size<uint64_t>(op, n) :
		state_size<uint32_t>(op, n);
}

static size_t
order_report_size(const gs_op *op)
{
	return sizeof(order_report);
}

/* Ranks, for the positions of elements that are not NULL. */
static size_t
order_scratch_size(const gs_op *op, int64_t n)
{
	if (op->kind != GS_ARGSORT)
		return 0;
	return gs_aligned(gs_bitmap_ranks_size(n)) +
		gs_aligned(gs_bitmap_ranks_scratch_size(n));
}

static cudaError_t
order_start(const gs_op *op, int64_t n, void *state, cudaStream_t stream)
{
	return cudaMemsetAsync(state, 0, sizeof(order_report), stream);
}

static cudaError_t
grid_of(int64_t n, unsigned int *blocks)
{
	int			count;

	GS_TRY(gs_grid(gs_divide_up(n, THREADS), BLOCKS, &count));
	*blocks = (unsigned int) count;
	return cudaSuccess;
}

/* ----------
 * Batches
 * ----------
 */

template <typename T>
__global__ static void
__launch_bounds__(THREADS)
make_keys(const T *value, int64_t n, bool one_zero,
		  typename order_key<T>::type flip, typename order_key<T>::type *key)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
	{
		T			x = value[i];

		/* -0 becomes 0 */
		if (one_zero && x == 0)
			x = 0;
		key[i] = order_key<T>::of(x) ^ flip;
	}
}

/* From `first` on. */
__global__ static void
__launch_bounds__(THREADS)
number_keys(int64_t n, uint32_t first, uint32_t *position)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
		position[i] = first + (uint32_t) i;
}

/* Without a bitmap, all elements have values. */
__global__ static void
__launch_bounds__(THREADS)
make_positions(const uint32_t *validity, const uint32_t *ranks, int64_t n,
			   uint32_t first, uint32_t *position)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
	{
		int64_t		to = i;

		if (validity != NULL)
		{
			int64_t		word = i / 32;
			uint32_t	bits = validity[word];

			if (!(bits >> (i % 32) & 1))
				continue;
			to = ranks[i / GS_RANK_BLOCK] +
				__popc(bits & ((UINT32_C(1) << (i % 32)) - 1));
			for (int64_t w = i / GS_RANK_BLOCK * (GS_RANK_BLOCK / 32);
				 w < word; w++)
				to += __popc(validity[w]);
		}
		position[to] = first + (uint32_t) i;
	}
}

template <typename T>
static cudaError_t
add_keys(const gs_op *op, const gs_device_input *in, void *state,
		 cudaStream_t stream)
{
	typedef typename order_key<T>::type Key;
	order_state<Key> s = lay_state<Key>(op, in->all, state);
	Key			flip = op->order.descending ? ~(Key) 0 : 0;
	unsigned int blocks;

	if (in->data.present == 0)
		return cudaSuccess;
	GS_TRY(grid_of(in->data.present, &blocks));
	make_keys<T><<<blocks, THREADS, 0, stream>>>
		((const T *) in->data.values, in->data.present,
		 gs_has_one_zero((gs_kind) op->kind) && is_real(op), flip,
		 s.key[0] + in->before);
	return gs_launched();
}

static cudaError_t
add_keys_of(const gs_op *op, const gs_device_input *in, void *state,
			cudaStream_t stream)
{
	GS_BY_TYPE(op->type, add_keys, (op, in, state, stream))
}

template <typename Key>
static cudaError_t
add_positions(const gs_op *op, const gs_device_input *in, void *state,
			  void *scratch, cudaStream_t stream)
{
	order_state<Key> s = lay_state<Key>(op, in->all, state);
	char	   *at = (char *) scratch;
	uint32_t   *ranks = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(in->n));
	unsigned int blocks;

	/* ranks go to the places of the values, whatever lies between them */
	if (has_ranks(op))
	{
		if (in->data.present == 0)
			return cudaSuccess;
		GS_TRY(grid_of(in->data.present, &blocks));
		number_keys<<<blocks, THREADS, 0, stream>>>
			(in->data.present, (uint32_t) in->before,
			 s.position[0] + in->before);
		return gs_launched();
	}
	if (in->data.validity != NULL)
		GS_TRY(gs_bitmap_ranks(in->data.validity, in->n, ranks, at, stream));
	GS_TRY(grid_of(in->n, &blocks));
	make_positions<<<blocks, THREADS, 0, stream>>>
		((const uint32_t *) in->data.validity, ranks, in->n,
		 (uint32_t) in->first + 1, s.position[0] + in->before);
	return gs_launched();
}

static cudaError_t
order_chunk(const gs_op *op, const gs_device_input *in,
			const gs_device_output *, void *state, void *scratch,
			cudaStream_t stream)
{
	GS_TRY(add_keys_of(op, in, state, stream));
	if (!has_positions(op))
		return cudaSuccess;
	if (key_bits(op) == 64)
		return add_positions<uint64_t>(op, in, state, scratch, stream);
	return add_positions<uint32_t>(op, in, state, scratch, stream);
}

/* ----------
 * All keys
 * ----------
 */

__global__ static void
count_results(order_report *report, int64_t n)
{
	report->results = n;
}

/* The length of run i of `runs`, which cover n keys. */
__device__ static inline uint32_t
run_length(const uint32_t *start, int64_t i, int64_t runs, int64_t n)
{
	return (i + 1 < runs ? start[i + 1] : (uint32_t) n) - start[i];
}

__global__ static void
__launch_bounds__(THREADS)
find_longest(order_report *report, const uint32_t *start, int64_t n)
{
	int64_t		runs = report->results;
	int64_t		step = (int64_t) gridDim.x * THREADS;
	unsigned long long longest = 0;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < runs;
		 i += step)
	{
		unsigned long long run =
			(unsigned long long) run_length(start, i, runs, n) << 32 |
			(uint32_t) ~i;

		if (run > longest)
			longest = run;
	}
	for (int d = GS_WARP / 2; d > 0; d /= 2)
	{
		unsigned long long other = gs_shuffle_down(longest, d);

		if (other > longest)
			longest = other;
	}
	if (gs_lane() == 0 && longest > 0)
		atomicMax(&report->longest, longest);
}

template <typename Key>
__global__ static void
find_mode(order_report *report, const Key *key, const uint32_t *start)
{
	report->mode = key[start[(uint32_t) ~report->longest]];
}

/* The ranks of n sorted keys to where these keys were. */
__global__ static void
__launch_bounds__(THREADS)
scatter_ranks(gs_kind kind, const uint32_t *rank, const uint32_t *position,
			  int64_t n, uint32_t *to)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
		to[position[i]] = kind == GS_ROW_NUMBER ? (uint32_t) i + 1 :
			kind == GS_LAST_RANK ? (uint32_t) n - rank[n - 1 - i] : rank[i];
}

template <typename Key>
static cudaError_t
arrange(const gs_op *op, int64_t n, int64_t present, void *state,
		cudaStream_t stream)
{
	order_state<Key> s = lay_state<Key>(op, n, state);
	const uint32_t *start = (const uint32_t *) s.key[1];
	unsigned int blocks;

	if (present == 0)
		return cudaSuccess;		/* no results, as start has set */
	s.workspace_size = workspace_size<Key>(op, n);
	GS_TRY(sort(op, &s, present, stream));
	GS_TRY(grid_of(present, &blocks));
	if (has_ranks(op))
	{
		if (op->kind != GS_ROW_NUMBER)
			GS_TRY(rank_keys(op, &s, present, stream));
		scatter_ranks<<<blocks, THREADS, 0, stream>>>
			((gs_kind) op->kind, (const uint32_t *) s.key[1], s.position[0],
			 present, s.position[1]);
		GS_TRY(gs_launched());
	}
	if (op->kind != GS_DISTINCT)
	{
		count_results<<<1, 1, 0, stream>>>(s.report, present);
		return gs_launched();
	}
	GS_TRY(find_runs(op, &s, present, stream));
	find_longest<<<blocks, THREADS, 0, stream>>>(s.report, start, present);
	GS_TRY(gs_launched());
	find_mode<Key><<<1, 1, 0, stream>>>(s.report, s.key[0], start);
	return gs_launched();
}

static cudaError_t
order_arrange(const gs_op *op, int64_t n, int64_t present, void *state,
			  cudaStream_t stream)
{
	if (key_bits(op) == 64)
		return arrange<uint64_t>(op, n, present, state, stream);
	return arrange<uint32_t>(op, n, present, state, stream);
}

/* ----------
 * Results
 * ----------
 */

/* n elements from `first` on, of the sorted or of the distinct ones. */
template <typename T>
__global__ static void
__launch_bounds__(THREADS)
take_elements(const typename order_key<T>::type *key, const uint32_t *start,
			  typename order_key<T>::type flip, int64_t first, int64_t n,
			  T *to)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
	{
		int64_t		at = start == NULL ? first + i : start[first + i];

		to[i] = order_key<T>::value(key[at] ^ flip);
	}
}

__global__ static void
__launch_bounds__(THREADS)
take_counts(const order_report *report, const uint32_t *start,
			int64_t present, int64_t first, int64_t n, int64_t *to)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
		to[i] = run_length(start, first + i, report->results, present);
}

template <typename T>
static cudaError_t
take_of(const gs_op *op, int64_t n, int64_t present, gs_column column,
		int64_t first, int64_t count, void *state, void *to,
		cudaStream_t stream)
{
	typedef typename order_key<T>::type Key;
	order_state<Key> s = lay_state<Key>(op, n, state);
	const uint32_t *start = op->kind == GS_DISTINCT ?
		(const uint32_t *) s.key[1] : NULL;
	Key			flip = op->order.descending ? ~(Key) 0 : 0;
	unsigned int blocks;

	if (has_positions(op))
		return cudaMemcpyAsync(to, s.position[has_ranks(op)] + first,
							   count * sizeof(uint32_t),
							   cudaMemcpyDeviceToDevice, stream);
	GS_TRY(grid_of(count, &blocks));
	if (column == GS_COLUMN_COUNTS)
		take_counts<<<blocks, THREADS, 0, stream>>>
			(s.report, start, present, first, count, (int64_t *) to);
	else
		take_elements<T><<<blocks, THREADS, 0, stream>>>
			(s.key[0], start, flip, first, count, (T *) to);
	return gs_launched();
}

static cudaError_t
order_take(const gs_op *op, int64_t n, int64_t present, gs_column column,
		   int64_t first, int64_t count, void *state, void *to,
		   cudaStream_t stream)
{
	GS_BY_TYPE(op->type, take_of, (op, n, present, column, first, count, state,
								   to, stream))
}

template <typename T>
static void
put_key(uint64_t key, gs_value *value)
{
	const T		element =
		order_key<T>::value((typename order_key<T>::type) key);

	memcpy(value, &element, sizeof element);
}

static void
put_mode(const gs_op *op, uint64_t key, gs_value *value)
{
	GS_BY_TYPE(op->type, put_key, (key, value))
}

static void
order_result(const gs_op *op, const void *report, gs_result *result)
{
	const order_report *r = (const order_report *) report;

	result->results = r->results;
	if (op->kind == GS_DISTINCT)
		put_mode(op, r->mode, &result->value);
}

const gs_kernels gs_order_kernels = {
	.name = "order",
	.state_size = order_state_size,
	.report_size = order_report_size,
	.scratch_size = order_scratch_size,
	.start = order_start,
	.batch = order_chunk,
	.result = order_result,
	.arrange = order_arrange,
	.fetch = order_take
};
