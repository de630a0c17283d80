/*-------------------------------------------------------------------------
 *
 * area.cu
 *	  Areas below steps or lines: values times distances, exactly.
 *
 * A dot product (dot.cu) of the values and of the distances between their
 * neighbours, which are read again for each: the cache has them.  The state
 * keeps the last point of a batch, from which there is a distance to the next
 * batch's first one.
 *
 * Source, determinism: those of dot.cu.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/distance.cuh"
#include "kernels/reduce/dot.cuh"
#include "kernels/reduce/reduce_merge.cuh"
#include "kernels/reduce/reduce_propagate.cuh"

/* Points of a thread whose reads wait together. */
#define AREA_READS	4
#define AREA_TILE	(THREADS * AREA_READS)

struct area_state
{
	reduce_state sums;			/* its squares */
	unsigned int wrong;			/* there is no result */
	gs_value	first;			/* points' positions: the first of all, .. */
	gs_value	last;			/* .. and the last so far, */
	double		value;			/* whose value this is */
};

static __device__ __forceinline__ void
add_product(dot_float8 &r, double distance, double value, block_acc *acc)
{
	const double x[1] = {distance};
	const double y[1] = {value};

	r.add(x, y, acc);
}

/*
 * Add the areas of N points, which are values times the distances to the next
 * point and, below lines, from the one before: one product, where the sum of
 * these is a double.  False: a distance cannot be.
 */
template <typename T, bool lines, int N>
static __device__ __forceinline__ bool
add_areas(dot_float8 &r, const T (&before)[N], const T (&at)[N],
		  const T (&after)[N], const double (&y)[N], block_acc *acc)
{
	double		to[N];
	double		from[N];
	double		both[N];
	bool		good = true;
	bool		exact = true;

#pragma unroll
	for (int i = 0; i < N; i++)
	{
		gs_pair		sum;

		good &= gs_distance(at[i], after[i], &to[i]) && to[i] > 0;
		if (!lines)
			continue;
		good &= gs_distance(before[i], at[i], &from[i]) && from[i] > 0;
		sum = gs_two_sum(from[i], to[i]);
		both[i] = sum.hi;
		exact &= sum.lo == 0;
	}
	if (!good)
		return false;
	if (lines && exact)
		r.add(both, y, acc);
	else
	{
		r.add(to, y, acc);
		if (lines)
			r.add(from, y, acc);
	}
	return true;
}

/* Add the area between two points. */
template <typename T, bool lines>
static __device__ __forceinline__ bool
add_between(dot_float8 &r, T x0, double y0, T x1, double y1, block_acc *acc)
{
	double		distance;

	if (!gs_distance(x0, x1, &distance) || !(distance > 0))
		return false;
	add_product(r, distance, y0, acc);
	if (lines)
		add_product(r, distance, y1, acc);
	return true;
}

/* What the first point has, and the last, and what lies before the batch. */
template <typename T, bool lines>
static __device__ bool
add_ends(dot_float8 &r, const T *x, const double *y, int64_t n, bool first,
		 const area_state *state, block_acc *acc)
{
	bool		good = true;
	double		distance;

	if (!first)
	{
		T			last;

		memcpy(&last, &state->last, sizeof(T));
		good = add_between<T, lines>(r, last, state->value, x[0], y[0], acc);
	}
	if (n > 1)
	{
		good &= add_between<T, false>(r, x[0], y[0], x[1], 0, acc);
		if (lines && gs_distance(x[n - 2], x[n - 1], &distance))
			add_product(r, distance, y[n - 1], acc);
	}
	return good;
}

/* The areas of the n points of a batch. */
template <typename T, bool lines>
static __global__ void __launch_bounds__(THREADS, GS_DOT_BLOCKS)
area_kernel(dot_float8 nothing, const T *x, const double *y, int64_t n,
			bool first, area_state *state)
{
	__shared__ block_acc acc;
	const int64_t inner = n - 2;	/* from point 1 on */
	const int64_t full = inner < 0 ? 0 : inner / AREA_TILE * AREA_TILE;
	int64_t		tile = (int64_t) blockIdx.x * AREA_TILE;
	bool		good = true;
	dot_float8	r = own_copy(nothing);

	for (int i = threadIdx.x; i < (int) (sizeof acc / 4); i += THREADS)
		((uint32_t *) &acc)[i] = 0;
	__syncthreads();
	for (; tile < full; tile += (int64_t) gridDim.x * AREA_TILE)
	{
		T			before[AREA_READS];
		T			at[AREA_READS];
		T			after[AREA_READS];
		double		value[AREA_READS];

#pragma unroll
		for (int k = 0; k < AREA_READS; k++)
		{
			const int64_t i = 1 + tile + k * THREADS + threadIdx.x;

			before[k] = lines ? x[i - 1] : (T) 0;
			at[k] = x[i];
			after[k] = x[i + 1];
			value[k] = y[i];
		}
		good &= add_areas<T, lines>(r, before, at, after, value, &acc);
	}
	if (tile == full)
	{
		for (int64_t i = 1 + tile + threadIdx.x; i <= inner; i += THREADS)
		{
			const T		before[1] = {x[i - 1]};
			const T		at[1] = {x[i]};
			const T		after[1] = {x[i + 1]};
			const double value[1] = {y[i]};

			good &= add_areas<T, lines>(r, before, at, after, value, &acc);
		}
		if (threadIdx.x == 0)
			good &= add_ends<T, lines>(r, x, y, n, first, state, &acc);
	}
	__syncwarp();

	dot_total	total = block_merge(r.close(&acc), nothing, &acc);

	if (threadIdx.x == 0)
		total.add_to_state(&state->sums);
	flush_acc(&acc, &state->sums);
	if (!good)
		state->wrong = 1;
}

/* Keep the batch's last point, once all have used the one before. */
template <typename T>
static __global__ void
keep_last(const T *x, const double *y, int64_t n, bool first,
		  area_state *state)
{
	if (first)
		memcpy(&state->first, x, sizeof(T));
	memcpy(&state->last, x + n - 1, sizeof(T));
	state->value = y[n - 1];
}

static __global__ void
refuse(area_state *state)
{
	state->wrong = 1;
}

/* ----------
 * The family
 * ----------
 */

static size_t
area_state_size(const gs_op *, int64_t)
{
	return sizeof(area_state);
}

static size_t
area_report_size(const gs_op *)
{
	return sizeof(area_state);
}

static cudaError_t
area_start(const gs_op *, int64_t, void *state, cudaStream_t stream)
{
	return cudaMemsetAsync(state, 0, sizeof(area_state), stream);
}

template <typename T>
static cudaError_t
launch(const gs_op *op, const gs_device_input *in, area_state *state,
	   cudaStream_t stream)
{
	const T    *x = (const T *) in->data.values;
	const double *y = (const double *) in->mask.values;
	const bool	first = in->first == 0;
	int			blocks;

	if (in->data.present < in->n || in->mask.present < in->n)
	{
		refuse<<<1, 1, 0, stream>>>(state);
		return gs_launched();
	}
	GS_TRY(gs_grid(gs_divide_up(in->n, AREA_TILE), GS_DOT_BLOCKS, &blocks));
	if (op->area.both_sides)
		area_kernel<T, true><<<blocks, THREADS, 0, stream>>>
			(dot_float8(), x, y, in->n, first, state);
	else
		area_kernel<T, false><<<blocks, THREADS, 0, stream>>>
			(dot_float8(), x, y, in->n, first, state);
	GS_TRY(gs_launched());
	keep_last<T><<<1, 1, 0, stream>>>(x, y, in->n, first, state);
	GS_TRY(gs_launched());
	return propagate(in, &state->sums, stream);
}

static cudaError_t
area_batch(const gs_op *op, const gs_device_input *in,
		   const gs_device_output *, void *state, void *,
		   cudaStream_t stream)
{
	GS_BY_TYPE(op->type, launch, (op, in, (area_state *) state, stream))
}

static void
area_result(const gs_op *, const void *report, gs_result *result)
{
	const area_state *state = (const area_state *) report;

	result->errors = state->wrong != 0 || result->n < 2;
	if (result->errors)
		return;
	result->squares = state->sums.squares;
	gs_acc2_propagate(&result->squares);
	result->value = state->first;
	result->greatest = state->last;
}

const gs_kernels gs_area_kernels = {
	.name = "area",
	.state_size = area_state_size,
	.report_size = area_report_size,
	.start = area_start,
	.batch = area_batch,
	.result = area_result
};
