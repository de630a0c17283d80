/*-------------------------------------------------------------------------
 *
 * groups_data.cu
 *	  Rows to group.
 *
 *-------------------------------------------------------------------------
 */
#include "groups.h"

#include <cstdio>
#include <cstdlib>

#include "fill.cuh"
#include "kernels/cuda_engine.h"

group_rows	rows;

template <typename T>
static void
reserve(T **column)
{
	*column = (T *) gs_engine_cuda.reserve(GROUP_ROWS * sizeof(T) + 16);
	if (*column != NULL)
		return;
	fprintf(stderr, "too little device memory\n");
	exit(2);
}

template <typename T>
static void
release(T **column)
{
	if (*column != NULL)
		gs_engine_cuda.release(*column, GROUP_ROWS * sizeof(T) + 16);
	*column = NULL;
}

void
open_rows(void)
{
	gs_cuda_info info = {1, {0}};
	char		message[200];

	if (rows.key != NULL)
		return;
	if (gs_cuda_open(0, &info, message, sizeof message) != GS_OK)
	{
		fprintf(stderr, "%s\n", message);
		exit(2);
	}
	reserve(&rows.key);
	reserve(&rows.value);
	reserve(&rows.day);
	reserve(&rows.weight);
	reserve(&rows.price);
	reserve(&rows.discount);
	reserve(&rows.tax);
	reserve(&rows.narrow_price);
	reserve(&rows.narrow_discount);
	reserve(&rows.narrow_tax);
}

void
close_rows(void)
{
	release(&rows.key);
	release(&rows.value);
	release(&rows.day);
	release(&rows.weight);
	release(&rows.price);
	release(&rows.discount);
	release(&rows.tax);
	release(&rows.narrow_price);
	release(&rows.narrow_discount);
	release(&rows.narrow_tax);
}

/* Random bits that those of the row do not show. */
static __device__ uint64_t
further_bits(uint64_t bits)
{
	return random_bits(1, (int64_t) bits);
}

template <typename T>
struct to_range
{
	uint64_t	many;
	T			first;

	__device__ T operator()(uint64_t bits) const
	{
		return (T) (bits % many) + first;
	}
};

struct to_skewed
{
	uint64_t	many;

	__device__ int32_t operator()(uint64_t bits) const
	{
		return bits >> 63 ? many / 2 : further_bits(bits) % many;
	}
};

struct to_unit_interval
{
	__device__ double operator()(uint64_t bits) const
	{
		return (double) (bits >> 11) * 0x1p-53;
	}
};

/* A binade has half as many values as the next, and all their bits. */
struct to_full
{
	__device__ double operator()(uint64_t bits) const
	{
		const int	binade = __clzll((long long) further_bits(bits)) + 1;

		return ldexp(1 + (double) (bits >> 12) * 0x1p-52, -binade);
	}
};

/* Box and Muller */
struct to_normal
{
	__device__ double operator()(uint64_t bits) const
	{
		const double u = (double) ((bits >> 11) + 1) * 0x1p-53;
		const double v = (double) (further_bits(bits) >> 11) * 0x1p-53;

		return sqrt(-2 * log(u)) * cospi(2 * v);
	}
};

/* The engine's streams wait for no other. */
template <typename T, typename F>
static void
fill_column(T *to, uint64_t seed, F f)
{
	fill<<<FILL_BLOCKS, FILL_THREADS>>>(to, GROUP_ROWS, seed, f);
	CUDA(cudaGetLastError());
	CUDA(cudaDeviceSynchronize());
}

__global__ static void
ascend(int32_t *to, int64_t n, int64_t rows_a_key)
{
	int64_t		step = (int64_t) gridDim.x * blockDim.x;

	for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < n;
		 i += step)
		to[i] = (int32_t) (i / rows_a_key);
}

void
fill_keys(int groups, key_order order, uint64_t seed)
{
	if (order == ASCENDING)
	{
		ascend<<<FILL_BLOCKS, FILL_THREADS>>>(rows.key, GROUP_ROWS,
											  GROUP_ROWS / groups);
		CUDA(cudaGetLastError());
		CUDA(cudaDeviceSynchronize());
	}
	else if (order == HALF_IN_ONE)
		fill_column(rows.key, seed, to_skewed{(uint64_t) groups});
	else
		fill_column(rows.key, seed, to_range<int32_t>{(uint64_t) groups, 0});
}

void
fill_values(distribution d, uint64_t seed)
{
	if (d == FULL)
		fill_column(rows.value, seed, to_full());
	else if (d == UNIT)
		fill_column(rows.value, seed, to_unit_interval());
	else
		fill_column(rows.value, seed, to_normal());
}

void
fill_filter(void)
{
	fill_column(rows.day, 31, to_range<int32_t>{DAYS, 0});
	fill_column(rows.weight, 32, to_unit_interval());
}

void
fill_charge(void)
{
	const uint64_t prices = PRICE_HIGH - PRICE_LOW + 1;

	fill_column(rows.price, 33, to_range<int64_t>{prices, PRICE_LOW});
	fill_column(rows.discount, 34, to_range<int64_t>{DISCOUNT_HIGH + 1, 0});
	fill_column(rows.tax, 35, to_range<int64_t>{TAX_HIGH + 1, 0});
	fill_column(rows.narrow_price, 33, to_range<uint32_t>{prices, 0});
	fill_column(rows.narrow_discount, 34,
				to_range<uint8_t>{DISCOUNT_HIGH + 1, 0});
	fill_column(rows.narrow_tax, 35, to_range<uint8_t>{TAX_HIGH + 1, 0});
}
