/*-------------------------------------------------------------------------
 *
 * widen.cu
 *	  Unsigned integers in device memory to those of as many bytes or more,
 *	  with something added: gs_engine's widen.
 *
 * A thread makes 16 bytes, of as many values as these hold.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/device/device.h"

#define THREADS		256

/* N values that come from memory, or go there, at once. */
template <typename T, int N>
struct alignas(sizeof(T) * N) values
{
	T			v[N];
};

template <typename FROM, typename TO>
__global__ static void
__launch_bounds__(THREADS)
widen_kernel(TO *to, const FROM *from, int64_t n, TO add)
{
	constexpr int N = 16 / sizeof(TO);
	const int64_t first = ((int64_t) blockIdx.x * THREADS + threadIdx.x) * N;

	if (first + N <= n)
	{
		const values<FROM, N> x = *(const values<FROM, N> *) (from + first);
		values<TO, N> y;

#pragma unroll
		for (int i = 0; i < N; i++)
			y.v[i] = (TO) ((TO) x.v[i] + add);
		*(values<TO, N> *) (to + first) = y;
		return;
	}
	for (int64_t i = first; i < n; i++)
		to[i] = (TO) ((TO) from[i] + add);
}

template <typename FROM, typename TO>
static cudaError_t
widen(void *to, const FROM *from, int64_t n, uint64_t add, cudaStream_t stream)
{
	const int64_t each = THREADS * (16 / (int64_t) sizeof(TO));

	if constexpr (sizeof(TO) < sizeof(FROM))
		return cudaErrorInvalidValue;
	else if (n > 0)
		widen_kernel<<<(unsigned int) gs_divide_up(n, each), THREADS, 0,
					   stream>>>((TO *) to, from, n, (TO) add);
	return gs_launched();
}

template <typename FROM>
static cudaError_t
widen_from(const void *values, void *to, int to_width, int64_t n, uint64_t add,
		   cudaStream_t stream)
{
	const FROM *from = (const FROM *) values;

	switch (to_width)
	{
		case 1:
			return widen<FROM, uint8_t>(to, from, n, add, stream);
		case 2:
			return widen<FROM, uint16_t>(to, from, n, add, stream);
		case 4:
			return widen<FROM, uint32_t>(to, from, n, add, stream);
		default:
			return widen<FROM, uint64_t>(to, from, n, add, stream);
	}
}

cudaError_t
gs_widen(void *to, int to_width, const void *from, int from_width, int64_t n,
		 uint64_t add, cudaStream_t stream)
{
	switch (from_width)
	{
		case 1:
			return widen_from<uint8_t>(from, to, to_width, n, add, stream);
		case 2:
			return widen_from<uint16_t>(from, to, to_width, n, add, stream);
		default:
			return widen_from<uint32_t>(from, to, to_width, n, add, stream);
	}
}
