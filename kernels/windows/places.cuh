/*-------------------------------------------------------------------------
 *
 * places.cuh
 *	  Places of an order: their partitions, values of rows, results.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_WINDOWS_PLACES_CUH
#define GS_WINDOWS_PLACES_CUH

#include "kernels/windows/windows.cuh"

__device__ static inline uint32_t
row_of(const windows_places &p, uint32_t i)
{
	return p.row == NULL ? i : p.row[i];
}

__device__ static inline uint32_t
partition_first(const windows_places &p, uint32_t i)
{
	return p.partition == NULL ? 0 : p.partition_start[p.partition[i] - 1];
}

__device__ static inline uint32_t
partition_end(const windows_places &p, uint32_t i)
{
	return p.partition == NULL ? p.n : p.partition_start[p.partition[i]];
}

__device__ static inline uint32_t
peers_first(const windows_places &p, uint32_t i)
{
	return p.peers_start[p.peers[i] - 1];
}

__device__ static inline uint32_t
peers_end(const windows_places &p, uint32_t i)
{
	return p.peers_start[p.peers[i]];
}

__host__ __device__ static inline bool
bit_of(const uint8_t *bits, uint32_t i)
{
	return bits == NULL || (bits[i / 8] >> (i % 8) & 1);
}

__device__ static inline bool
is_present(const windows_present &p, uint32_t row)
{
	return bit_of(p.validity, row) && bit_of(p.second, row) &&
		(p.filter == NULL ||
		 (p.filter[row] != 0 && bit_of(p.filter_validity, row)));
}

__host__ __device__ static inline int64_t
integer_of(const void *values, gs_type type, uint32_t i)
{
	switch (type)
	{
		case GS_INT8:
			return ((const int64_t *) values)[i];
		case GS_INT4:
			return ((const int32_t *) values)[i];
		case GS_INT2:
			return ((const int16_t *) values)[i];
		default:
			return ((const uint8_t *) values)[i];
	}
}

__device__ static inline double
float_of(const void *values, gs_type type, uint32_t i)
{
	return type == GS_FLOAT4 ? (double) ((const float *) values)[i] :
		((const double *) values)[i];
}

__device__ static inline void
windows_error(windows_report *report, uint32_t error)
{
	if ((*(volatile unsigned int *) &report->errors & error) != error)
		atomicOr(&report->errors, error);
}

/*
 * f(places, i, &valid) is the result of place i, which is a zero if it is not
 * valid.  Each warp has 32 places at a time that follow one another.
 */
template <typename F>
__global__ static void
__launch_bounds__(WINDOWS_THREADS)
windows_each(const __grid_constant__ windows_places p,
			 const __grid_constant__ windows_output out,
			 const __grid_constant__ F f)
{
	typedef typename F::result T;
	uint32_t	step = gridDim.x * WINDOWS_THREADS;

	for (uint32_t at = blockIdx.x * WINDOWS_THREADS; at < p.n; at += step)
	{
		uint32_t	i = at + threadIdx.x;
		bool		valid = false;
		T			value = 0;
		uint32_t	row = 0;

		if (i < p.n)
		{
			value = f(p, i, &valid);
			row = out.row == NULL ? i : out.row[i];
			((T *) out.values)[row] = valid ? value : (T) 0;
		}
		if (out.validity == NULL)
			continue;
		if (out.row == NULL)
		{
			uint32_t	bits = __ballot_sync(GS_ALL_LANES, valid);

			if (gs_lane() == 0 && i < p.n)
				out.validity[i / GS_WARP] = bits;
		}
		else if (i < p.n && !valid)
			atomicAnd(&out.validity[row / GS_WARP],
					  ~(1u << (row % GS_WARP)));
	}
}

template <typename F>
static cudaError_t
windows_compute(windows_call *c, const F &f)
{
	unsigned int blocks;

	GS_TRY(windows_grid(c->places.n, &blocks));
	windows_each<F><<<blocks, WINDOWS_THREADS, 0, windows_stream(c->run)>>>
		(c->places, c->output, f);
	return gs_launched();
}

#endif							/* GS_WINDOWS_PLACES_CUH */
