/*-------------------------------------------------------------------------
 *
 * groups_atomics.cu
 *	  Groups by atomic additions.
 *
 * The key is an index, so this is what hash aggregations do (cuDF's, say),
 * without a hash table's cost.  The table is in global memory, or there are
 * some in shared memory: as many for a block as fit, up to one a thread, so
 * that few lanes of a warp meet at one address.  Sums of floats are rounded,
 * so they differ from run to run.
 *
 *-------------------------------------------------------------------------
 */
#include "groups.h"

#include <algorithm>

#include "groups_states.cuh"

#define UNROLL		4
#define THREADS		256
#define TABLES		(24 << 10)	/* shared memory that leaves all threads */
#define LARGE_TABLE	(200 << 10)

template <typename S>
static __global__ void
clear(S *to, int64_t n)
{
	for (int64_t i = FIRST_ROW; i < n; i += STEP)
		to[i] = S::nothing();
}

/* Loads of several rows are in flight before the first of them is added. */
template <typename W>
static __device__ inline void
add_rows(const W &work, int64_t n, typename W::state *to)
{
	typename W::state state[UNROLL];
	int			index[UNROLL];

	for (int64_t first = FIRST_ROW; first < n; first += UNROLL * STEP)
	{
#pragma unroll
		for (int k = 0; k < UNROLL; k++)
		{
			const int64_t i = first + k * STEP;

			index[k] = -1;
			if (i < n && work.counts(i))
			{
				index[k] = work.index(i);
				state[k] = work.of(i);
			}
		}
#pragma unroll
		for (int k = 0; k < UNROLL; k++)
		{
			if (index[k] >= 0)
				state[k].add_to(&to[index[k]]);
		}
	}
}

template <typename W>
static __global__ void
add_in_global(W work, int64_t n, typename W::state *to)
{
	add_rows(work, n, to);
}

template <typename W>
static __global__ void
add_in_shared(W work, int64_t n, int groups, int tables, typename W::state *to)
{
	extern __shared__ __align__(16) char shared[];
	typename W::state *const table = (typename W::state *) shared;

	for (int i = threadIdx.x; i < groups * tables; i += blockDim.x)
		table[i] = W::state::nothing();
	__syncthreads();
	add_rows(work, n, table + threadIdx.x % tables * groups);
	__syncthreads();
	for (int g = threadIdx.x; g < groups; g += blockDim.x)
	{
		typename W::state sum = table[g];

		for (int i = 1; i < tables; i++)
			sum = sum + table[i * groups + g];
		sum.add_to(&to[g]);
	}
}

static int
multiprocessors(void)
{
	int			count;

	CUDA(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
	return count;
}

template <typename W>
static std::function<void(void)>
in_shared(const W &work, int groups)
{
	typedef typename W::state state;
	const int	size = groups * (int) sizeof(state);
	const int	threads = size > TABLES ? 1024 : THREADS;
	const int	tables = std::max(1, std::min(THREADS, TABLES / size));
	state	   *to = (state *) memory.out;
	int			blocks;

	CUDA(cudaFuncSetAttribute(add_in_shared<W>,
							  cudaFuncAttributeMaxDynamicSharedMemorySize,
							  LARGE_TABLE));
	CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks,
													   add_in_shared<W>,
													   threads,
													   tables * size));
	blocks *= multiprocessors();
	return [=] {
		clear<<<(groups + THREADS - 1) / THREADS, THREADS>>>(to, groups);
		add_in_shared<<<blocks, threads, tables * size>>>(work, GROUP_ROWS,
														  groups, tables, to);
		CUDA(cudaGetLastError());
	};
}

template <typename W>
static std::function<void(void)>
in_global(const W &work, int groups)
{
	typename W::state *to = (typename W::state *) memory.out;
	const int	blocks = multiprocessors() * 8;

	return [=] {
		clear<<<blocks, THREADS>>>(to, groups);
		add_in_global<<<blocks, THREADS>>>(work, GROUP_ROWS, to);
		CUDA(cudaGetLastError());
	};
}

template <typename S>
static figures
get_table(int groups, int columns)
{
	std::vector<S> states(groups);
	figures		f = no_figures(groups, columns);

	CUDA(cudaMemcpy(states.data(), memory.out, groups * sizeof(S),
					cudaMemcpyDeviceToHost));
	for (int g = 0; g < groups; g++)
	{
		if (!states[g].is_empty())
			states[g].put(&f.at[(size_t) g * columns]);
	}
	return f;
}

template <typename W>
static void
add_contestants(std::vector<contestant> *to, const W &w, group_work work,
				int groups, const figures *expected)
{
	typedef typename W::state state;
	auto		get = [=] {
		return get_table<state>(groups, columns_of(work));
	};

	/* few groups would queue for few addresses in global memory */
	if (groups * sizeof(state) <= LARGE_TABLE)
		to->push_back(group_contestant("atomics, shared memory",
									   in_shared(w, groups), get, work,
									   expected));
	if (groups >= 1000)
		to->push_back(group_contestant("atomics, global memory",
									   in_global(w, groups), get, work,
									   expected));
}

std::vector<contestant>
group_atomics(group_work work, int groups, const figures *expected)
{
	std::vector<contestant> all;

	if (work == WORK_SUM)
		add_contestants(&all, of_value<sum_state>{rows}, work, groups,
						expected);
	else if (work == WORK_AVERAGE)
		add_contestants(&all, of_filtered{{rows}}, work, groups, expected);
	else if (work == WORK_SIX)
		add_contestants(&all, of_value<six_state>{rows}, work, groups,
						expected);
	else if (work == WORK_CHARGE)
		add_contestants(&all, of_charge{rows}, work, groups, expected);
	else
		all.push_back(group_contestant("atomics, shared memory",
									   in_shared(of_bucket{rows}, groups *
												 (BUCKETS + 3)),
									   [=] { return get_group_counts(groups); },
									   work, expected));
	return all;
}
