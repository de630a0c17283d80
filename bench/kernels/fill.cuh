/*-------------------------------------------------------------------------
 *
 * fill.cuh
 *	  Random inputs, made on the device.
 *
 *-------------------------------------------------------------------------
 */
#ifndef FILL_CUH
#define FILL_CUH

#include <cstdint>

#define FILL_BLOCKS	2048
#define FILL_THREADS 256

/*
 * Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014.
 */
static __device__ inline uint64_t
random_bits(uint64_t seed, int64_t i)
{
	uint64_t	x = (seed << 40) + i * UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

template <typename T, typename F>
static __global__ void
fill(T *to, int64_t n, uint64_t seed, F f)
{
	int64_t		step = (int64_t) gridDim.x * blockDim.x;

	for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < n;
		 i += step)
		to[i] = f(random_bits(seed, i));
}

#endif							/* FILL_CUH */
