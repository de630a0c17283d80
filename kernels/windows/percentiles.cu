/*-------------------------------------------------------------------------
 *
 * percentiles.cu
 *	  Percentiles of frames.
 *
 * As in moving_percentile.cu: what is present is sorted, which gives each value a
 * rank among all partitions'.  The ranks in the order of places become a wavelet
 * matrix, which finds those of a frame that are wanted.  What doubles do not decide
 * is left to the host.
 *
 * Determinism: the sort is stable, so each value has one rank, and a result depends
 * on ranks alone.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/percentile.h"
#include "kernels/moving/wavelet_matrix.cuh"
#include "kernels/order/order_key.cuh"
#include "kernels/windows/frames.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <memory>
#include <new>

/* So many are on the host at a time: some MB. */
#define UNDECIDED_MAX	(1u << 16)

/* Between these values, and where the result goes. */
typedef struct undecided
{
	gs_pair		low;
	gs_pair		high;
	double		proportion;
	uint32_t	row;
} undecided;

/* Of the values that are present, in order. */
template <typename T> struct ranking
{
	typedef typename order_key<T>::type Key;
	uint32_t	values;
	const uint32_t *counts;		/* before each place; NULL: as many as places */
	const Key  *key;			/* of each rank */
	matrix		m;
};

template <typename T>
__global__ static void
__launch_bounds__(WINDOWS_THREADS)
make_order_keys(const __grid_constant__ windows_places p,
				const __grid_constant__ windows_present present,
				const uint32_t *counts, const T *value,
				typename order_key<T>::type *key, uint32_t *position)
{
	uint32_t	step = gridDim.x * WINDOWS_THREADS;

	for (uint32_t i = blockIdx.x * WINDOWS_THREADS + threadIdx.x; i < p.n;
		 i += step)
	{
		uint32_t	row = row_of(p, i);
		uint32_t	element = counts == NULL ? i : counts[i];

		if (!is_present(present, row))
			continue;
		key[element] = order_key<T>::of(value[row]);
		position[element] = element;
	}
}

__global__ static void
__launch_bounds__(WINDOWS_THREADS)
place_window_ranks(const uint32_t *position, uint32_t n, uint32_t *rank)
{
	uint32_t	step = gridDim.x * WINDOWS_THREADS;

	for (uint32_t i = blockIdx.x * WINDOWS_THREADS + threadIdx.x; i < n;
		 i += step)
		rank[position[i]] = i;
}

template <typename T>
__device__ static inline gs_pair
pair_of_key(typename order_key<T>::type key)
{
	T			x = order_key<T>::value(key);

	if constexpr (std::is_floating_point<T>::value)
		return gs_percentile_float(x);
	else
		return gs_percentile_integer(x);
}

/* How many values a row's frame has, and the first one's number. */
__device__ static inline uint32_t
values_of_frame(const windows_places &p, const windows_frames &frames,
				const uint32_t *counts, uint32_t i, uint32_t *start)
{
	uint32_t	from;
	uint32_t	to;

	frame_of(p, frames, i, &from, &to);
	*start = counts == NULL ? from : counts[from];
	return count_of(counts, from, to);
}

template <typename T> struct percentile_of
{
	typedef double result;
	windows_frames frames;
	ranking<T>	r;
	double		fraction;
	undecided  *list;
	unsigned long long *found;	/* how many are in it */

	__device__ double
	operator()(const windows_places &p, uint32_t i, bool *valid) const
	{
		uint32_t	start;
		uint32_t	count = values_of_frame(p, frames, r.counts, i, &start);
		uint32_t	after;
		uint32_t	rank;
		gs_place	place;
		undecided	u;
		double		x;

		*valid = count > 0;
		if (!*valid)
			return 0;
		place = gs_percentile_place(fraction, false, count);
		rank = find_ranks(r.m, start, start + count, (uint32_t) place.rank,
						  place.proportion != 0, &after);
		u.low = pair_of_key<T>(r.key[rank]);
		u.high = place.proportion != 0 ? pair_of_key<T>(r.key[after]) : u.low;
		u.proportion = place.proportion;
		u.row = row_of(p, i);
		if (!gs_percentile_quickly(u.low, u.high, u.proportion, &x))
		{
			list[atomicAdd(found, 1ull)] = u;
			x = 0;
		}
		return x;
	}
};

template <typename T> struct element_of
{
	typedef T	result;
	windows_frames frames;
	ranking<T>	r;
	double		fraction;

	__device__ T
	operator()(const windows_places &p, uint32_t i, bool *valid) const
	{
		uint32_t	start;
		uint32_t	count = values_of_frame(p, frames, r.counts, i, &start);
		uint32_t	after;

		*valid = count > 0;
		if (!*valid)
			return 0;
		return order_key<T>::value
			(r.key[find_ranks(r.m, start, start + count,
							  (uint32_t) gs_percentile_place
							  (fraction, true, count).rank, false, &after)]);
	}
};

template <typename T>
static cudaError_t
sort_values(windows_call *c, ranking<T> *r, uint32_t *position[2])
{
	typedef typename order_key<T>::type Key;
	windows_run *run = c->run;
	cudaStream_t stream = windows_stream(run);
	Key		   *key[2];
	unsigned int blocks;

	for (int i = 0; i < 2; i++)
		GS_TRY(windows_take(run, c->places.n * sizeof(Key),
							(void **) &key[i]));
	GS_TRY(windows_grid(c->places.n, &blocks));
	make_order_keys<T><<<blocks, WINDOWS_THREADS, 0, stream>>>
		(c->places, c->present, r->counts, (const T *) c->argument, key[0],
		 position[0]);
	GS_TRY(gs_launched());

	cub::DoubleBuffer<Key> keys(key[0], key[1]);
	cub::DoubleBuffer<uint32_t> positions(position[0], position[1]);

	GS_TRY(windows_with_workspace(run, [&](void *workspace, size_t &size) {
		return cub::DeviceRadixSort::SortPairs
			(workspace, size, keys, positions, (int) r->values, 0,
			 order_key<T>::bits, stream);
	}));
	r->key = keys.Current();
	position[0] = positions.Current();
	position[1] = positions.Alternate();
	return cudaSuccess;
}

static cudaError_t
make_matrix(windows_call *c, uint32_t values, uint32_t *position[2], matrix *m)
{
	windows_run *run = c->run;
	cudaStream_t stream = windows_stream(run);
	size_t		size = 0;
	void	   *workspace;
	uint32_t   *zeros;
	unsigned int blocks;

	m->levels = levels_for(values);
	m->words = words_for(values);
	GS_TRY(windows_take(run, m->levels * m->words * sizeof(matrix_word),
						(void **) &m->word));
	GS_TRY(windows_take(run, LEVELS * sizeof(uint32_t), (void **) &m->zeros));
	GS_TRY(windows_take(run, m->words * sizeof(uint32_t), (void **) &zeros));
	GS_TRY(count_zeros(NULL, &size, NULL, m->words, NULL, stream));
	GS_TRY(windows_take(run, size, &workspace));
	GS_TRY(windows_grid(values, &blocks));
	place_window_ranks<<<blocks, WINDOWS_THREADS, 0, stream>>>
		(position[0], values, position[1]);
	GS_TRY(gs_launched());
	return fill_matrix(*m, values, position[1], position[0], zeros, workspace,
					   size, stream);
}

template <typename T>
static cudaError_t
rank_values(windows_call *c, ranking<T> *r)
{
	windows_run *run = c->run;
	cudaStream_t stream = windows_stream(run);
	uint32_t   *seen = (uint32_t *) run->context->report;
	uint32_t   *position[2];

	GS_TRY(windows_count_present(c, &r->counts));
	r->values = c->places.n;
	if (r->counts != NULL)
	{
		GS_TRY(cudaMemcpyAsync(seen, r->counts + c->places.n, sizeof *seen,
							   cudaMemcpyDeviceToHost, stream));
		GS_TRY(cudaStreamSynchronize(stream));
		r->values = *seen;
	}
	for (int i = 0; i < 2; i++)
		GS_TRY(windows_take(run, c->places.n * sizeof(uint32_t),
							(void **) &position[i]));
	if (r->values == 0)
		return cudaSuccess;
	GS_TRY(sort_values(c, r, position));
	return make_matrix(c, r->values, position, &r->m);
}

__global__ static void
__launch_bounds__(WINDOWS_THREADS)
put_decided(const undecided *list, const double *value, uint32_t n,
			double *result)
{
	uint32_t	i = blockIdx.x * WINDOWS_THREADS + threadIdx.x;

	if (i < n)
		result[list[i].row] = value[i];
}

/* Some of what doubles have not decided, by way of the host's memory. */
static cudaError_t
decide_some(windows_call *c, const undecided *list, uint32_t n,
			undecided *some, double *value, double *memory)
{
	cudaStream_t stream = windows_stream(c->run);

	GS_TRY(cudaMemcpyAsync(some, list, n * sizeof *list,
						   cudaMemcpyDeviceToHost, stream));
	GS_TRY(cudaStreamSynchronize(stream));
	for (uint32_t i = 0; i < n; i++)
		value[i] = gs_percentile_value(some[i].low, some[i].high,
									   some[i].proportion);
	GS_TRY(cudaMemcpyAsync(memory, value, n * sizeof *value,
						   cudaMemcpyHostToDevice, stream));
	put_decided<<<(unsigned int) gs_divide_up(n, WINDOWS_THREADS),
		WINDOWS_THREADS, 0, stream>>>(list, memory, n,
									  (double *) c->output.values);
	GS_TRY(gs_launched());
	return cudaStreamSynchronize(stream);
}

/* All of it, a bounded part at a time. */
static cudaError_t
decide(windows_call *c, const undecided *list, const unsigned long long *found)
{
	cudaStream_t stream = windows_stream(c->run);
	std::unique_ptr<undecided[]> some;
	std::unique_ptr<double[]> value;
	unsigned long long left;
	unsigned long long most;
	void	   *memory;

	GS_TRY(cudaMemcpyAsync(c->run->context->report, found, sizeof left,
						   cudaMemcpyDeviceToHost, stream));
	GS_TRY(cudaStreamSynchronize(stream));
	left = *(const unsigned long long *) c->run->context->report;
	if (left == 0)
		return cudaSuccess;
	most = left < UNDECIDED_MAX ? left : UNDECIDED_MAX;
	some.reset(new (std::nothrow) undecided[most]);
	value.reset(new (std::nothrow) double[most]);
	if (!some || !value)
		return cudaErrorMemoryAllocation;
	GS_TRY(windows_take(c->run, most * sizeof(double), &memory));
	for (; left > 0 && !c->run->stopped; list += most, left -= most)
	{
		most = left < most ? left : most;
		GS_TRY(decide_some(c, list, (uint32_t) most, some.get(), value.get(),
						   (double *) memory));
		windows_ask(c->run);
	}
	return cudaSuccess;
}

template <typename T>
static cudaError_t
percentiles(windows_call *c)
{
	percentile_of<T> between = {windows_frames_of(c)};
	element_of<T> element = {windows_frames_of(c)};
	void	   *memory;

	GS_TRY(rank_values(c, &element.r));
	element.fraction = between.fraction = c->f->fraction;
	if (c->f->kind == GS_WINDOW_PERCENTILE_DISC)
		return windows_compute(c, element);
	between.r = element.r;
	GS_TRY(windows_take(c->run, c->places.n * sizeof(undecided), &memory));
	between.list = (undecided *) memory;
	GS_TRY(windows_take(c->run, sizeof *between.found, &memory));
	between.found = (unsigned long long *) memory;
	GS_TRY(cudaMemsetAsync(memory, 0, sizeof *between.found,
						   windows_stream(c->run)));
	GS_TRY(windows_compute(c, between));
	return decide(c, between.list, between.found);
}

cudaError_t
windows_percentile(windows_call *c)
{
	GS_BY_TYPE(c->type, percentiles, (c))
}
