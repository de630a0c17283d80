/*-------------------------------------------------------------------------
 *
 * scaled.cu
 *	  Values of 8 bytes as integers of fewer, and back (engine/scaled.h):
 *	  gs_engine's scale and unscale.
 *
 * Either side may be the host's memory.  A thread has four values, so that a warp
 * reads and writes whole lines of 128 bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/scaled.h"
#include "kernels/device/device.h"

#define THREADS		256
#define VALUES		4

template <typename T>
struct alignas(sizeof(T) * VALUES > 16 ? 16 : sizeof(T) * VALUES) values
{
	T			v[VALUES];
};

__device__ static inline int64_t
first_value(void)
{
	return ((int64_t) blockIdx.x * THREADS + threadIdx.x) * VALUES;
}

template <bool FLOATS>
__device__ static inline uint64_t
unscaled(int64_t k, int64_t unit)
{
	return FLOATS ? gs_unscale_float8(k, unit) : gs_unscale_int8(k, unit);
}

template <typename FROM, bool FLOATS>
__global__ static void
__launch_bounds__(THREADS)
unscale_kernel(uint64_t *to, const FROM *from, int64_t n, int64_t base,
			   int64_t unit)
{
	const int64_t first = first_value();

	if (first + VALUES <= n)
	{
		const values<FROM> x = *(const values<FROM> *) (from + first);
		values<uint64_t> y;

#pragma unroll
		for (int i = 0; i < VALUES; i++)
			y.v[i] = unscaled<FLOATS>(base + x.v[i], unit);
		*(values<uint64_t> *) (to + first) = y;
		return;
	}
	for (int64_t i = first; i < n; i++)
		to[i] = unscaled<FLOATS>(base + from[i], unit);
}

/* *misfit becomes 1 if a value, which is not NULL, is not in the encoding. */
template <typename TO, bool FLOATS>
__global__ static void
__launch_bounds__(THREADS)
scale_kernel(TO *to, const uint64_t *from, const uint8_t *validity, int64_t n,
			 int64_t base, int64_t unit, int *misfit)
{
	const int64_t first = first_value();
	values<TO>	y = {};
	bool		fits = true;

#pragma unroll
	for (int i = 0; i < VALUES; i++)
	{
		const int64_t row = first + i;
		int64_t		k;
		uint64_t	m;

		if (row >= n || (validity != NULL &&
						 (validity[row / 8] >> (row % 8) & 1) == 0))
			continue;
		fits = (FLOATS ? gs_scale_float8(from[row], unit, &k) :
				gs_scale_int8(from[row], unit, &k)) == 0 && fits;
		m = (uint64_t) k - (uint64_t) base;
		y.v[i] = (TO) m;
		fits = y.v[i] == m && fits;
	}
	if (!fits)
		*misfit = 1;
	if (first + VALUES <= n)
	{
		*(values<TO> *) (to + first) = y;
		return;
	}
#pragma unroll
	for (int i = 0; i < VALUES; i++)
	{
		if (first + i < n)
			to[first + i] = y.v[i];
	}
}

template <typename T>
static void
launch_unscale(void *to, gs_type type, const void *from, const gs_encoding *e,
			   int64_t n, unsigned int blocks, cudaStream_t stream)
{
	if (type == GS_FLOAT8)
		unscale_kernel<T, true><<<blocks, THREADS, 0, stream>>>
			((uint64_t *) to, (const T *) from, n, e->base, e->unit);
	else
		unscale_kernel<T, false><<<blocks, THREADS, 0, stream>>>
			((uint64_t *) to, (const T *) from, n, e->base, e->unit);
}

template <typename T>
static void
launch_scale(void *to, const gs_encoding *e, gs_type type, const void *from,
			 const uint8_t *validity, int64_t n, int *misfit,
			 unsigned int blocks, cudaStream_t stream)
{
	if (type == GS_FLOAT8)
		scale_kernel<T, true><<<blocks, THREADS, 0, stream>>>
			((T *) to, (const uint64_t *) from, validity, n, e->base, e->unit,
			 misfit);
	else
		scale_kernel<T, false><<<blocks, THREADS, 0, stream>>>
			((T *) to, (const uint64_t *) from, validity, n, e->base, e->unit,
			 misfit);
}

static unsigned int
blocks_for(int64_t n)
{
	return (unsigned int) gs_divide_up(n, THREADS * VALUES);
}

cudaError_t
gs_unscale(void *to, gs_type type, const void *from, const gs_encoding *e,
		   int64_t n, cudaStream_t stream)
{
	if (n == 0)
		return cudaSuccess;
	if (e->width == 1)
		launch_unscale<uint8_t>(to, type, from, e, n, blocks_for(n), stream);
	else if (e->width == 2)
		launch_unscale<uint16_t>(to, type, from, e, n, blocks_for(n), stream);
	else
		launch_unscale<uint32_t>(to, type, from, e, n, blocks_for(n), stream);
	return gs_launched();
}

/* *misfit, in the device's memory, is 0 before. */
cudaError_t
gs_scale(void *to, const gs_encoding *e, gs_type type, const void *from,
		 const uint8_t *validity, int64_t n, int *misfit, cudaStream_t stream)
{
	if (n == 0)
		return cudaSuccess;
	if (e->width == 1)
		launch_scale<uint8_t>(to, e, type, from, validity, n, misfit,
							  blocks_for(n), stream);
	else if (e->width == 2)
		launch_scale<uint16_t>(to, e, type, from, validity, n, misfit,
							   blocks_for(n), stream);
	else
		launch_scale<uint32_t>(to, e, type, from, validity, n, misfit,
							   blocks_for(n), stream);
	return gs_launched();
}
