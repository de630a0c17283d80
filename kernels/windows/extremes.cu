/*-------------------------------------------------------------------------
 *
 * extremes.cu
 *	  The least and the greatest of frames.
 *
 * Values are integers in their order, of which the least is wanted.  Of each
 * place there is the least from its block's first place on, and that up to the
 * block's last one; and of blocks a table of the least of each 2^k that follow
 * one another.  So a frame of several blocks takes four values.
 *
 * Source: van Herk 1992, Gil and Werman 1993, for the blocks; Bender and
 * Farach-Colton 2000, for the table.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/windows/frames.cuh"
#include "kernels/windows/prefix.cuh"

#define BLOCK			GS_WARP
#define LEVELS			32

/* Where a value is not present. */
#define ABSENT			INT64_MAX

typedef struct extremes
{
	windows_present present;
	const void *values;
	gs_type		type;
	bool		greatest;
	int64_t    *key;			/* of places */
	int64_t    *since;			/* the least from the block's first on */
	int64_t    *until;			/* up to its last */
	int64_t    *table[LEVELS];	/* of blocks; 0: of each alone */
	uint32_t	blocks;
} extremes;

__device__ static inline int64_t
extreme_key(const extremes &e, uint32_t row)
{
	int64_t		key;

	if (e.type == GS_FLOAT8)
		key = gs_key<double>::of(((const double *) e.values)[row]);
	else if (e.type == GS_FLOAT4)
		key = gs_key<float>::of(((const float *) e.values)[row]);
	else
		key = integer_of(e.values, e.type, row);
	return e.greatest ? ~key : key;
}

__global__ static void
__launch_bounds__(WINDOWS_THREADS)
make_blocks(const __grid_constant__ windows_places p,
			const __grid_constant__ extremes e)
{
	uint32_t	step = gridDim.x * WINDOWS_THREADS;
	int			lane = gs_lane();

	for (uint32_t at = blockIdx.x * WINDOWS_THREADS; at < p.n; at += step)
	{
		uint32_t	i = at + threadIdx.x;
		int64_t		key = ABSENT;
		int64_t		since;
		int64_t		until;

		if (i < p.n)
		{
			uint32_t	row = row_of(p, i);

			if (is_present(e.present, row))
				key = extreme_key(e, row);
		}
		since = until = key;
#pragma unroll
		for (int d = 1; d < GS_WARP; d *= 2)
		{
			int64_t		before = gs_shuffle_up(since, d);
			int64_t		behind = gs_shuffle_down(until, d);

			if (lane >= d)
				since = min(since, before);
			if (lane + d < GS_WARP)
				until = min(until, behind);
		}
		if (i >= p.n)
			continue;
		e.key[i] = key;
		e.since[i] = since;
		e.until[i] = until;
		if (lane == 0)
			e.table[0][i / BLOCK] = until;
	}
}

__global__ static void
__launch_bounds__(WINDOWS_THREADS)
make_level(const int64_t *from, uint32_t distance, uint32_t blocks,
		   int64_t *to)
{
	uint32_t	step = gridDim.x * WINDOWS_THREADS;

	for (uint32_t i = blockIdx.x * WINDOWS_THREADS + threadIdx.x; i < blocks;
		 i += step)
		to[i] = i + distance < blocks ? min(from[i], from[i + distance]) :
			from[i];
}

/* The least from a place to another one, inclusive. */
__device__ static inline int64_t
least_of(const extremes &e, uint32_t from, uint32_t last)
{
	uint32_t	first_block = from / BLOCK + 1;
	uint32_t	last_block = last / BLOCK;
	int64_t		key;
	int			level;

	if (first_block > last_block)	/* in one block */
	{
		if (from % BLOCK == 0)
			return e.since[last];
		key = e.key[from];
		for (uint32_t i = from + 1; i <= last; i++)
			key = min(key, e.key[i]);
		return key;
	}
	key = min(e.until[from], e.since[last]);
	if (first_block == last_block)
		return key;
	level = 31 - __clz((int) (last_block - first_block));
	key = min(key, e.table[level][first_block]);
	return min(key, e.table[level][last_block - (1u << level)]);
}

template <typename T>
__device__ static inline T
value_of_key(int64_t key)
{
	if constexpr (std::is_floating_point<T>::value)
		return gs_key<T>::value((typename gs_key<T>::type) key);
	else
		return (T) key;
}

template <typename T> struct extreme
{
	typedef T	result;
	windows_frames frames;
	extremes	e;
	const uint32_t *counts;
	const uint32_t *negative_zeros;	/* NULL: they do not matter */
	bool		zeros;
	windows_report *report;

	/* Is it a zero of which PostgreSQL might have the other one? */
	__device__ bool
	is_doubtful(T x, uint32_t from, uint32_t to) const
	{
		if constexpr (std::is_floating_point<T>::value)
		{
			if (!zeros || x != 0)
				return false;
			return !e.greatest ? signbit(x) :
				!signbit(x) && negative_zeros[to] != negative_zeros[from];
		}
		return false;
	}

	__device__ T
	operator()(const windows_places &p, uint32_t i, bool *valid) const
	{
		uint32_t	from;
		uint32_t	to;
		int64_t		key;
		T			x;

		frame_of(p, frames, i, &from, &to);
		*valid = count_of(counts, from, to) > 0;
		if (!*valid)
			return 0;
		key = least_of(e, from, to - 1);
		x = value_of_key<T>(e.greatest ? ~key : key);
		if (is_doubtful(x, from, to))
			windows_error(report, GS_ERROR_RANGE);
		return x;
	}
};

struct is_negative_zero
{
	windows_places places;
	windows_present present;
	const void *values;
	gs_type		type;

	__device__ uint32_t
	operator()(uint32_t i) const
	{
		uint32_t	row = row_of(places, i);
		double		x = float_of(values, type, row);

		return x == 0 && signbit(x) && is_present(present, row);
	}
};

static cudaError_t
take_keys(windows_run *run, size_t n, int64_t **keys)
{
	return windows_take(run, n * sizeof(int64_t), (void **) keys);
}

static cudaError_t
make_extremes(windows_call *c, extremes *e)
{
	windows_run *run = c->run;
	cudaStream_t stream = windows_stream(run);
	uint32_t	n = c->places.n;
	unsigned int blocks;
	int64_t    *table;
	int			levels = 1;

	e->present = c->present;
	e->values = c->argument;
	e->type = c->type;
	e->greatest = c->f->kind == GS_WINDOW_MAX;
	e->blocks = (uint32_t) gs_divide_up(n, BLOCK);
	while ((UINT32_C(1) << levels) < e->blocks)
		levels++;
	GS_TRY(take_keys(run, n, &e->key));
	GS_TRY(take_keys(run, n, &e->since));
	GS_TRY(take_keys(run, n, &e->until));
	GS_TRY(take_keys(run, (size_t) levels * e->blocks, &table));
	for (int k = 0; k < levels; k++)
		e->table[k] = table + (size_t) k * e->blocks;
	GS_TRY(windows_grid(n, &blocks));
	make_blocks<<<blocks, WINDOWS_THREADS, 0, stream>>>(c->places, *e);
	GS_TRY(gs_launched());
	GS_TRY(windows_grid(e->blocks, &blocks));
	for (int k = 1; k < levels; k++)
	{
		make_level<<<blocks, WINDOWS_THREADS, 0, stream>>>
			(e->table[k - 1], UINT32_C(1) << (k - 1), e->blocks, e->table[k]);
		GS_TRY(gs_launched());
	}
	return cudaSuccess;
}

template <typename T>
static cudaError_t
find_extremes(windows_call *c)
{
	const is_negative_zero zeros = {c->places, c->present, c->argument,
		c->type};
	extreme<T>	f = {windows_frames_of(c)};
	void	   *memory;

	GS_TRY(make_extremes(c, &f.e));
	GS_TRY(windows_count_present(c, &f.counts));
	f.zeros = c->f->zeros;
	f.report = c->run->report;
	if (std::is_floating_point<T>::value && f.zeros && f.e.greatest)
	{
		GS_TRY(windows_take(c->run,
							(c->places.n + (size_t) 1) * sizeof(uint32_t),
							&memory));
		GS_TRY(windows_prefix(c->run, c->places.n, zeros, windows_add(),
							  (uint32_t *) memory));
		f.negative_zeros = (const uint32_t *) memory;
	}
	return windows_compute(c, f);
}

cudaError_t
windows_extreme(windows_call *c)
{
	GS_BY_TYPE(c->type, find_extremes, (c))
}
