/*-------------------------------------------------------------------------
 *
 * groups_cub.cu
 *	  Groups by CUB: sort the rows by key, by as few bits as keys have, and
 *	  reduce runs of equal keys.
 *
 * Sums of floats are rounded, so they differ from the exact ones.  The arena
 * has sorted rows in its `in`, results in its `out`.
 *
 *-------------------------------------------------------------------------
 */
#include "groups.h"

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include "groups_states.cuh"

#define GIB			(INT64_C(1) << 30)

/* ----------
 * Sort by key, reduce by key
 * ----------
 */

static int32_t *
sorted_keys(void)
{
	return (int32_t *) memory.in;
}

template <typename P>
static P *
sorted_payload(void)
{
	return (P *) (memory.in + GIB);
}

/* The results: how many runs, their keys, their states. */
static int *
run_count(void)
{
	return (int *) memory.out;
}

static int32_t *
run_keys(void)
{
	return (int32_t *) (memory.out + 256);
}

template <typename S>
static S *
run_states(void)
{
	return (S *) (memory.out + GIB);
}

static int
bits_of(int groups)
{
	int			bits = 1;

	while (1 << bits < groups)
		bits++;
	return bits;
}

struct plus
{
	template <typename S>
	__host__ __device__ S operator()(const S &a, const S &b) const
	{
		return a + b;
	}
};

template <typename P, typename F>
static void
sort_and_reduce(const int32_t *key, const P *payload, int64_t n, int groups,
				F make)
{
	typedef decltype(make(P())) state;
	size_t		size = ARENA_SIZE;

	CUDA(cub::DeviceRadixSort::SortPairs(memory.scratch, size, key,
										 sorted_keys(), payload,
										 sorted_payload<P>(), (int) n, 0,
										 bits_of(groups)));
	size = ARENA_SIZE;
	CUDA(cub::DeviceReduce::ReduceByKey(
			memory.scratch, size, sorted_keys(), run_keys(),
			thrust::make_transform_iterator(sorted_payload<P>(), make),
			run_states<state>(), run_count(), plus(), (int) n));
}

template <typename S>
static figures
get_runs(int groups, int columns)
{
	int			runs;
	figures		f = no_figures(groups, columns);
	std::vector<int32_t> keys;
	std::vector<S> states;

	CUDA(cudaMemcpy(&runs, run_count(), sizeof runs, cudaMemcpyDeviceToHost));
	if (runs < 0 || runs > groups)
		return f;
	keys.resize(runs);
	states.resize(runs);
	CUDA(cudaMemcpy(keys.data(), run_keys(), runs * sizeof(int32_t),
					cudaMemcpyDeviceToHost));
	CUDA(cudaMemcpy(states.data(), run_states<S>(), runs * sizeof(S),
					cudaMemcpyDeviceToHost));
	for (int i = 0; i < runs; i++)
	{
		if (keys[i] >= 0 && keys[i] < groups)
			states[i].put(&f.at[(size_t) keys[i] * columns]);
	}
	return f;
}

template <typename S>
struct make_state
{
	__host__ __device__ S operator()(double v) const
	{
		return state_of(v, S());
	}
};

template <>
struct make_state<six_state>
{
	__device__ six_state operator()(double v) const
	{
		return state_of(v, six_state());
	}
};

struct composite_bucket
{
	of_bucket	work;

	__device__ int operator()(int i) const { return work.index(i); }
};

/* Rows come by their numbers, so that a sort need not move three columns. */
struct make_charge
{
	of_charge	work;

	__device__ charge_state operator()(uint32_t row) const
	{
		return work.of(row);
	}
};

static __global__ void
number_rows(uint32_t *to, int64_t n)
{
	for (int64_t i = FIRST_ROW; i < n; i += STEP)
		to[i] = (uint32_t) i;
}

/* Of the filter: the rows that pass, behind the sorted ones. */
static int32_t *
passed_keys(void)
{
	return (int32_t *) (memory.in + 3 * GIB);
}

static double *
passed_values(void)
{
	return (double *) (memory.in + 4 * GIB);
}

struct passes
{
	__device__ bool
	operator()(const thrust::tuple<int32_t, double, int32_t, double> &t) const
	{
		return thrust::get<2>(t) >= FIRST_DAY && thrust::get<2>(t) < END_DAY &&
			thrust::get<3>(t) > LIGHTEST;
	}
};

static int64_t
select_rows(void)
{
	int		   *there = (int *) (memory.in + 6 * GIB);
	int			count;
	size_t		size = ARENA_SIZE;

	CUDA(cub::DeviceSelect::If(
			memory.scratch, size,
			thrust::make_zip_iterator(thrust::make_tuple(
				(const int32_t *) rows.key, (const double *) rows.value,
				(const int32_t *) rows.day, (const double *) rows.weight)),
			thrust::make_zip_iterator(thrust::make_tuple(
				passed_keys(), passed_values(),
				thrust::make_discard_iterator(),
				thrust::make_discard_iterator())),
			there, (int) GROUP_ROWS, passes()));
	CUDA(cudaMemcpy(&count, there, sizeof count, cudaMemcpyDeviceToHost));
	return count;
}

/* ----------
 * The contestants
 * ----------
 */

template <typename S>
static contestant
of_values(group_work work, int groups, const figures *expected)
{
	return group_contestant("CUB sort, reduce by key", [=] {
		sort_and_reduce(rows.key, rows.value, GROUP_ROWS, groups,
						make_state<S>());
	}, [=] {
		return get_runs<S>(groups, columns_of(work));
	}, work, expected);
}

static contestant
of_filtered_rows(group_work work, int groups, const figures *expected)
{
	return group_contestant("CUB select, sort, reduce by key", [=] {
		sort_and_reduce(passed_keys(), passed_values(), select_rows(), groups,
						make_state<average_state>());
	}, [=] {
		return get_runs<average_state>(groups, columns_of(work));
	}, work, expected);
}

static contestant
of_charges(group_work work, int groups, const figures *expected)
{
	uint32_t   *numbers = (uint32_t *) (memory.in + 3 * GIB);

	number_rows<<<2048, 256>>>(numbers, GROUP_ROWS);
	CUDA(cudaGetLastError());
	return group_contestant("CUB sort, reduce by key", [=] {
		sort_and_reduce(rows.key, numbers, GROUP_ROWS, groups,
						make_charge{{rows}});
	}, [=] {
		return get_runs<charge_state>(groups, columns_of(work));
	}, work, expected);
}

static contestant
of_buckets(group_work work, int groups, const figures *expected)
{
	const int	counts = groups * (BUCKETS + 3);

	return group_contestant("CUB HistogramEven of key and bucket", [=] {
		size_t		size = ARENA_SIZE;

		CUDA(cub::DeviceHistogram::HistogramEven(
				memory.scratch, size,
				thrust::make_transform_iterator(
					thrust::make_counting_iterator(0),
					composite_bucket{{rows}}),
				(unsigned *) memory.out, counts + 1, 0, counts,
				(int) GROUP_ROWS));
	}, [=] { return get_group_counts(groups); }, work, expected);
}

/* With one group there is nothing to group. */
static contestant
of_one_group(const figures *expected)
{
	return group_contestant("CUB reduce, keys not read", [] {
		size_t		size = ARENA_SIZE;

		CUDA(cub::DeviceReduce::Sum(memory.scratch, size, rows.value,
									(double *) memory.out, (int) GROUP_ROWS));
	}, [] {
		figures		f = no_figures(1, 1);

		CUDA(cudaMemcpy(f.at.data(), memory.out, sizeof(double),
						cudaMemcpyDeviceToHost));
		return f;
	}, WORK_SUM, expected);
}

std::vector<contestant>
group_cub(group_work work, int groups, const figures *expected)
{
	switch (work)
	{
		case WORK_AVERAGE:
			return {of_filtered_rows(work, groups, expected)};
		case WORK_SIX:
			return {of_values<six_state>(work, groups, expected)};
		case WORK_CHARGE:
			return {of_charges(work, groups, expected)};
		case WORK_HISTOGRAM:
			return {of_buckets(work, groups, expected)};
		default:
			if (groups == 1)
				return {of_values<sum_state>(work, groups, expected),
					of_one_group(expected)};
			return {of_values<sum_state>(work, groups, expected)};
	}
}

/* ----------
 * Medians: a sort by value, and a stable one by key
 * ----------
 */

/* Where in the sorted keys does `key` begin? */
static __device__ int
first_of(const int32_t *keys, int n, int key)
{
	int			low = 0;
	int			high = n;

	while (low < high)
	{
		const int	middle = low + (high - low) / 2;

		if (keys[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static __global__ void
pick_medians(const int32_t *keys, const double *values, int n, int groups,
			 double *to)
{
	for (int g = (int) FIRST_ROW; g < groups; g += (int) STEP)
	{
		const int	first = first_of(keys, n, g);
		const int	count = first_of(keys, n, g + 1) - first;

		to[2 * g] = values[first + (count - 1) / 2];
		to[2 * g + 1] = values[first + count / 2];
	}
}

contestant
group_cub_median(int groups)
{
	const int	n = (int) GROUP_ROWS;
	double	   *values = (double *) (memory.in + 3 * GIB);
	int32_t    *keys = (int32_t *) (memory.in + 5 * GIB);
	contestant	p;

	p.name = "CUB sort by value, by key";
	p.run = [=] {
		size_t		size = ARENA_SIZE;

		CUDA(cub::DeviceRadixSort::SortPairs(memory.scratch, size, rows.value,
											 values, rows.key, keys, n));
		size = ARENA_SIZE;
		CUDA(cub::DeviceRadixSort::SortPairs(memory.scratch, size, keys,
											 sorted_keys(), values,
											 sorted_payload<double>(), n, 0,
											 bits_of(groups)));
		pick_medians<<<(groups + 255) / 256, 256>>>(sorted_keys(),
													sorted_payload<double>(),
													n, groups,
													(double *) memory.out);
		CUDA(cudaGetLastError());
	};
	p.is_right = [=] {
		figures		f = {groups, 2, std::vector<double>(2 * groups)};

		CUDA(cudaMemcpy(f.at.data(), memory.out, 2 * groups * sizeof(double),
						cudaMemcpyDeviceToHost));
		return are_medians(f);
	};
	return p;
}
