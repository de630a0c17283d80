/*-------------------------------------------------------------------------
 *
 * search.cu
 *	  Positions of elements among sorted edges.
 *
 * A NULL gives a NULL, so the kernel goes over the packed values, each on its
 * own, and copies the bitmap.  A block has the edges and the starts of their
 * cells (search.cuh) in its shared memory, if there are not too many.
 *
 * The state of an execution is the edges and the starts.
 *
 * Source: interpolation search, by cells (search.cuh).
 * Determinism: a result depends on its element and the edges alone.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/common.cuh"
#include "kernels/histogram/search.cuh"

#define THREADS		512

/* Cells: at least so many; and at most, where edges are in global memory. */
#define MIN_CELLS	32
#define MAX_CELLS	(1 << 22)

/* The kernel's dynamic shared memory. */
extern __shared__ int64_t search_shared[];

static int64_t
count_edges(const gs_op *op)
{
	return op->search.count;
}

static bool
is_shared(const gs_op *op)
{
	return count_edges(op) <= GS_SHARED_EDGES_MAX;
}

static int
count_cells(const gs_op *op)
{
	const int64_t max = is_shared(op) ? GS_SHARED_CELLS : MAX_CELLS;
	int			cells = MIN_CELLS;

	while (cells < max && cells < 4 * count_edges(op))
		cells *= 2;
	return cells;
}

static size_t
edges_size(const gs_op *op)
{
	return gs_aligned(count_edges(op) * sizeof(int64_t));
}

static size_t
search_state_size(const gs_op *op, int64_t)
{
	return edges_size(op) +
		gs_aligned((count_cells(op) + (size_t) 1) * sizeof(uint32_t));
}

/* A block's way to the edges. */
struct global_edges
{
	search_map	map;
	const int64_t *edges;
	const uint32_t *starts;		/* cells + 1 */
	int			n;
	int			exclusive;

	__device__ void open() {}

	__device__ int
	place(int64_t key) const
	{
		int			cell = search_cell(&map, key);
		int			first = (int) starts[cell];

		return search_edges(edges, first, (int) starts[cell + 1] - first, key,
							exclusive);
	}
};

/* Shared memory holds the edges and then, for each cell, its start and size. */
struct shared_edges
{
	global_edges from;
	const int64_t *edges;
	const uint32_t *cells;

	static size_t
	shared_size(const gs_op *op)
	{
		return count_edges(op) * sizeof(int64_t) +
			count_cells(op) * sizeof(uint32_t);
	}

	__device__ void
	open()
	{
		int64_t    *to = search_shared;
		uint32_t   *to_cells = (uint32_t *) (to + from.n);

		for (int i = threadIdx.x; i < from.n; i += blockDim.x)
			to[i] = from.edges[i];
		for (int i = threadIdx.x; i < from.map.cells; i += blockDim.x)
		{
			uint32_t	start = from.starts[i];

			to_cells[i] = start << 16 | (from.starts[i + 1] - start);
		}
		edges = to;
		cells = to_cells;
	}

	__device__ int
	place(int64_t key) const
	{
		uint32_t	cell = cells[search_cell(&from.map, key)];

		return search_edges(edges, cell >> 16, cell & 0xffff, key,
							from.exclusive);
	}
};

static __global__ void
find_starts_kernel(search_map map, const int64_t *edges, int n,
				   uint32_t *starts)
{
	int			cell = blockIdx.x * blockDim.x + threadIdx.x;

	if (cell <= map.cells)
		starts[cell] = search_start(&map, edges, n, cell);
}

static cudaError_t
search_begin(const gs_op *op, int64_t, void *state, cudaStream_t stream)
{
	search_map	map = search_map_of(op, count_cells(op));
	uint32_t   *starts = (uint32_t *) ((char *) state + edges_size(op));

	GS_TRY(cudaMemcpyAsync(state, op->search.keys, count_edges(op) * sizeof(int64_t),
						   cudaMemcpyHostToDevice, stream));
	find_starts_kernel<<<map.cells / 256 + 1, 256, 0, stream>>>
		(map, (const int64_t *) state, (int) count_edges(op), starts);
	return gs_launched();
}

static __device__ __forceinline__ int64_t
key_of(double x)
{
	return gs_search_key(x);
}

static __device__ __forceinline__ int64_t
key_of(float x)
{
	return gs_search_key(x);
}

static __device__ __forceinline__ int64_t
key_of(int64_t x)
{
	return x;
}

static __device__ __forceinline__ int64_t
key_of(int32_t x)
{
	return x;
}

static __device__ __forceinline__ int64_t
key_of(int16_t x)
{
	return x;
}

/* What a batch's kernel reads and writes beside the values and results. */
struct search_batch
{
	int64_t		n;				/* elements */
	int64_t		present;
	const uint64_t *validity;	/* NULL: all present */
	uint64_t   *bits;
	gs_done    *done;
};

/* A thread has the values of 16 bytes at a time, and loads the next ones. */
template <typename T, typename Edges>
static __global__ void __launch_bounds__(THREADS)
search_kernel(const T *values, search_batch b, Edges edges, int32_t *to)
{
	constexpr int per = (int) (sizeof(uint4) / sizeof(T));
	const uint4 *vector = (const uint4 *) values;
	const int64_t vectors = b.present / per;
	const int64_t stride = (int64_t) gridDim.x * THREADS;
	const int64_t thread = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	uint4		next = make_uint4(0, 0, 0, 0);

	if (thread < vectors)
		next = __ldcs(vector + thread);
	edges.open();
	__syncthreads();
	for (int64_t i = thread; i < vectors; i += stride)
	{
		T			value[per];
		int32_t		place[per];

		memcpy(value, &next, sizeof value);
		if (i + stride < vectors)
			next = __ldcs(vector + i + stride);
#pragma unroll
		for (int j = 0; j < per; j++)
			place[j] = edges.place(key_of(value[j]));
		if constexpr (per == 2)
			__stcs((int2 *) to + i, make_int2(place[0], place[1]));
		else
		{
#pragma unroll
			for (int j = 0; j < per; j += 4)
				__stcs((int4 *) to + (i * per + j) / 4,
					   make_int4(place[j], place[j + 1], place[j + 2],
								 place[j + 3]));
		}
	}
	/* less than 16 bytes are left */
	if (thread < b.present - vectors * per)
	{
		int64_t		i = vectors * per + thread;

		to[i] = edges.place(key_of(values[i]));
	}
	if (b.validity != NULL)
	{
		for (int64_t i = thread; i < gs_divide_up(b.n, 64); i += stride)
		{
			uint64_t	word = b.validity[i];

			if (b.n - 64 * i < 64)
				word &= (UINT64_C(1) << (b.n - 64 * i)) - 1;
			b.bits[i] = word;
		}
	}
	if (thread == 0)
	{
		b.done->n = b.n;
		b.done->present = b.present;
		b.done->overflow = 0;
	}
}

template <typename T>
static cudaError_t
launch(const gs_op *op, const gs_device_input *in, const gs_device_output *out,
	   const void *state, cudaStream_t stream)
{
	const T    *values = (const T *) in->data.values;
	int32_t    *to = (int32_t *) out->values;
	search_batch b = {0};
	global_edges edges;
	int			blocks;

	b.n = in->n;
	b.present = in->data.present;
	if (b.present < b.n)
	{
		b.validity = (const uint64_t *) in->data.validity;
		b.bits = (uint64_t *) out->validity;
	}
	b.done = out->done;
	edges.map = search_map_of(op, count_cells(op));
	edges.edges = (const int64_t *) state;
	edges.starts = (const uint32_t *) ((const char *) state + edges_size(op));
	edges.n = (int) count_edges(op);
	edges.exclusive = op->search.left;
	GS_TRY(gs_grid(gs_divide_up(b.present * sizeof(T), 16 * THREADS) + 1,
				   GS_SEARCH_BLOCKS, &blocks));
	if (is_shared(op))
	{
		shared_edges shared = {edges, NULL, NULL};

		search_kernel<T><<<blocks, THREADS, shared_edges::shared_size(op),
			stream>>>(values, b, shared, to);
	}
	else
		search_kernel<T><<<blocks, THREADS, 0, stream>>>(values, b, edges, to);
	return gs_launched();
}

static cudaError_t
search_batch_of(const gs_op *op, const gs_device_input *in,
				const gs_device_output *out, void *state, void *,
				cudaStream_t stream)
{
	GS_BY_TYPE(op->type, launch, (op, in, out, state, stream))
}

const gs_kernels gs_search_kernels = {
	.name = "search",
	.state_size = search_state_size,
	.start = search_begin,
	.batch = search_batch_of
};
