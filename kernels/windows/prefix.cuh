/*-------------------------------------------------------------------------
 *
 * prefix.cuh
 *	  Prefix sums over places, by CUB.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_WINDOWS_PREFIX_CUH
#define GS_WINDOWS_PREFIX_CUH

#include "kernels/windows/places.cuh"

#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

/* f(i) of places from 0 on, as CUB reads it. */
template <typename F>
static inline auto
windows_each_place(F f)
{
	return thrust::make_transform_iterator
		(thrust::counting_iterator<uint32_t>(0), f);
}

/*
 * sums[0] is zero, and sums[i] that of f of the places before i, by an operation
 * to which zero bits are neutral.
 */
template <typename T, typename F, typename Operation>
static cudaError_t
windows_prefix(windows_run *run, uint32_t n, F f, Operation operation, T *sums)
{
	GS_TRY(cudaMemsetAsync(sums, 0, sizeof(T), windows_stream(run)));
	return windows_with_workspace(run, [&](void *workspace, size_t &size) {
		return cub::DeviceScan::InclusiveScan
			(workspace, size, windows_each_place(f), sums + 1, operation,
			 (int) n, windows_stream(run));
	});
}

struct windows_add
{
	template <typename T>
	__host__ __device__ T
	operator()(T a, T b) const
	{
		return a + b;
	}
};

#endif							/* GS_WINDOWS_PREFIX_CUH */
