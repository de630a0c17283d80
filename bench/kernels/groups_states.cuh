/*-------------------------------------------------------------------------
 *
 * groups_states.cuh
 *	  What groups_cub.cu and groups_atomics.cu compute: states of aggregates,
 *	  and how one row makes one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GROUPS_STATES_CUH
#define GROUPS_STATES_CUH

#include "groups.h"

#include <cstring>

typedef unsigned long long word;

/* ----------
 * States
 *
 * add_to is atomic, and the sum of a state and nothing is the state.
 * ----------
 */

struct sum_state
{
	double		sum;

	static __host__ __device__ sum_state nothing(void) { return {0}; }

	__host__ __device__ sum_state operator+(const sum_state &b) const
	{
		return {sum + b.sum};
	}

	__device__ void add_to(sum_state *to) const
	{
		atomicAdd(&to->sum, sum);
	}

	bool is_empty(void) const { return sum == 0; }

	void put(double *to) const { to[0] = sum; }
};

struct average_state
{
	word		count;
	double		sum;

	static __host__ __device__ average_state nothing(void) { return {0, 0}; }

	__host__ __device__ average_state operator+(const average_state &b) const
	{
		return {count + b.count, sum + b.sum};
	}

	__device__ void add_to(average_state *to) const
	{
		atomicAdd(&to->count, count);
		atomicAdd(&to->sum, sum);
	}

	bool is_empty(void) const { return count == 0; }

	void put(double *to) const
	{
		to[0] = (double) count;
		to[1] = sum;
	}
};

/* min and max are of values that are not negative: ordered like integers */
struct six_state
{
	word		count;
	double		sum;
	double		squares;
	word		min;
	word		max;

	static __host__ __device__ six_state nothing(void)
	{
		return {0, 0, 0, ~0ull, 0};
	}

	__host__ __device__ six_state operator+(const six_state &b) const
	{
		return {count + b.count, sum + b.sum, squares + b.squares,
				min < b.min ? min : b.min, max > b.max ? max : b.max};
	}

	/* most values are no new extremes, so look before the atomic operation */
	__device__ void add_to(six_state *to) const
	{
		atomicAdd(&to->count, count);
		atomicAdd(&to->sum, sum);
		atomicAdd(&to->squares, squares);
		if (min < *(volatile word *) &to->min)
			atomicMin(&to->min, min);
		if (max > *(volatile word *) &to->max)
			atomicMax(&to->max, max);
	}

	bool is_empty(void) const { return count == 0; }

	void put(double *to) const
	{
		to[0] = (double) count;
		to[1] = sum;
		to[2] = squares;
		memcpy(to + 3, &min, sizeof min);
		memcpy(to + 4, &max, sizeof max);
	}
};

struct charge_state
{
	word		count;
	word		sum[4];

	static __host__ __device__ charge_state nothing(void) { return {}; }

	__host__ __device__ charge_state operator+(const charge_state &b) const
	{
		return {count + b.count, {sum[0] + b.sum[0], sum[1] + b.sum[1],
								  sum[2] + b.sum[2], sum[3] + b.sum[3]}};
	}

	__device__ void add_to(charge_state *to) const
	{
		atomicAdd(&to->count, count);
		for (int k = 0; k < 4; k++)
			atomicAdd(&to->sum[k], sum[k]);
	}

	bool is_empty(void) const { return count == 0; }

	void put(double *to) const
	{
		to[0] = (double) count;
		for (int k = 0; k < 4; k++)
			to[1 + k] = (double) (int64_t) sum[k];
	}
};

/* A histogram's counts are states of one number. */
struct count_state
{
	unsigned	count;

	static __host__ __device__ count_state nothing(void) { return {0}; }

	__host__ __device__ count_state operator+(const count_state &b) const
	{
		return {count + b.count};
	}

	__device__ void add_to(count_state *to) const
	{
		atomicAdd(&to->count, count);
	}
};

/* ----------
 * Work: the state of one row, and which rows count
 * ----------
 */

static __host__ __device__ inline sum_state
state_of(double v, sum_state)
{
	return {v};
}

static __host__ __device__ inline average_state
state_of(double v, average_state)
{
	return {1, v};
}

static __device__ inline six_state
state_of(double v, six_state)
{
	const word	bits = (word) __double_as_longlong(v);

	return {1, v, v * v, bits, bits};
}

/* A sum, or six aggregates, of the value. */
template <typename S>
struct of_value
{
	typedef S	state;
	group_rows	r;

	__device__ bool counts(int64_t) const { return true; }
	__device__ int index(int64_t i) const { return r.key[i]; }
	__device__ S of(int64_t i) const { return state_of(r.value[i], S()); }
};

struct of_filtered : of_value<average_state>
{
	__device__ bool counts(int64_t i) const
	{
		return r.day[i] >= FIRST_DAY && r.day[i] < END_DAY &&
			r.weight[i] > LIGHTEST;
	}
};

struct of_charge
{
	typedef charge_state state;
	group_rows	r;

	__device__ bool counts(int64_t) const { return true; }
	__device__ int index(int64_t i) const { return r.key[i]; }

	__device__ charge_state of(int64_t i) const
	{
		const int64_t discounted = r.price[i] * (100 - r.discount[i]);

		return {1, {(word) r.price[i], (word) r.discount[i], (word) discounted,
					(word) (discounted * (100 + r.tax[i]))}};
	}
};

/* PostgreSQL's formula, with low = 0 and high = 1 */
static __device__ inline int
bucket_of(double v)
{
	if (v < 0)
		return 0;
	if (v >= 1)
		return BUCKETS + 1;
	return v == v ? (int) (v * BUCKETS + 1) : BUCKETS + 2;
}

struct of_bucket
{
	typedef count_state state;
	group_rows	r;

	__device__ bool counts(int64_t) const { return true; }

	__device__ int index(int64_t i) const
	{
		return r.key[i] * (BUCKETS + 3) + bucket_of(r.value[i]);
	}

	__device__ count_state of(int64_t) const { return {1}; }
};

#define STEP		((int64_t) gridDim.x * blockDim.x)
#define FIRST_ROW	((int64_t) blockIdx.x * blockDim.x + threadIdx.x)

#endif							/* GROUPS_STATES_CUH */
