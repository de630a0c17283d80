/*-------------------------------------------------------------------------
 *
 * ewma.cu
 *	  Exponentially weighted means, by the steps of exact/ewma.h.
 *
 * Only what is not NULL is an element here.  The elements are scaled by their
 * greatest magnitude, so all batches come first; they stay where they are if
 * the engine has them cached, and are gathered in the state if not.  Then:
 *
 * 1. each thread goes through one run, of GS_EWMA_RUN elements, and each block
 *    of threads joins its runs to a group;
 * 2. the groups are joined to the blocks of the tree, and what comes before
 *    each group is folded;
 * 3. each thread folds what comes before its run, and goes through it again,
 *    for the results.
 *
 * From the first element on that is not finite, results are NaN or infinite,
 * and depend on where the first of each of these is.
 *
 *-------------------------------------------------------------------------
 */
#include "common.cuh"

#include "exact/ewma.h"
#include "exact/line.h"

#include <limits.h>

#define RUNS		128			/* of a group; threads of a block */
#define RUN_LEVELS	7
#define GROUP		(RUNS * GS_EWMA_RUN)
#define THREADS		256
#define BLOCKS		8			/* a multiprocessor */
#define TREE_THREADS	1024

/* A row of shared memory: threads that go through runs use different banks. */
#define ROW			(GS_EWMA_RUN + 1)

/* What batches leave behind. */
typedef struct ewma_found
{
	/* elements before the first one of each kind; ULLONG_MAX: all */
	unsigned long long before_nan;
	unsigned long long before_infinity;
	unsigned long long before_minus_infinity;

	/* the bits of the greatest finite magnitude; of that before all others */
	unsigned long long greatest;
	unsigned long long greatest_before;

	const void *values;			/* the elements */
} ewma_found;

/* The layout of the state.  m is the number of whole groups. */
typedef struct ewma_state
{
	ewma_found *found;
	gs_ewma_step *step;			/* of gap i + 1, i < GS_EWMA_GAPS */
	gs_ewma_block *run;			/* all runs, as whole ones */
	gs_ewma_block *tree;		/* blocks of 2^k groups, by k: m >> k */
	gs_ewma_block *before;		/* all groups; nothing of the first */
	uint32_t   *place;			/* of each element, from 0, NULLs too */
	uint32_t   *upto;			/* how many elements there are up to each place */
	void	   *values;			/* unless they are cached */
	double	   *mean;			/* after each element, if there are NULLs */
	double	   *result;			/* at each place */
	size_t		size;
} ewma_state;

static ewma_state
lay_state(const gs_op *op, int64_t n, void *state)
{
	const int64_t groups = gs_divide_up(n, GROUP);
	char	   *at = (char *) state;
	ewma_state	s;

	s.found = (ewma_found *) gs_part(&at, sizeof(ewma_found));
	s.step = (gs_ewma_step *)
		gs_part(&at, GS_EWMA_GAPS * sizeof(gs_ewma_step));
	s.run = (gs_ewma_block *)
		gs_part(&at, groups * RUNS * sizeof(gs_ewma_block));
	s.tree = (gs_ewma_block *) gs_part(&at, 2 * groups * sizeof(gs_ewma_block));
	s.before = (gs_ewma_block *) gs_part(&at, groups * sizeof(gs_ewma_block));
	s.place = (uint32_t *) gs_part(&at, n * sizeof(uint32_t));
	s.upto = (uint32_t *) gs_part(&at, n * sizeof(uint32_t));
	s.values = gs_part(&at, op->cached ? 0 :
					   n * gs_type_width((gs_type) op->type));
	s.mean = (double *) gs_part(&at, n * sizeof(double));
	s.result = (double *) gs_part(&at, n * sizeof(double));
	s.size = at - (char *) state;
	return s;
}

static cudaError_t
grid_of(int64_t n, unsigned int *blocks)
{
	int			count;

	GS_TRY(gs_grid(gs_divide_up(n, THREADS), BLOCKS, &count));
	*blocks = count > 0 ? (unsigned int) count : 1;
	return cudaSuccess;
}

/* ----------
 * Batches
 * ----------
 */

/* Of elements that a thread has seen. */
struct ewma_seen
{
	ewma_found	f = {ULLONG_MAX, ULLONG_MAX, ULLONG_MAX, 0, 0, NULL};

	__device__ void
	add(double x, int64_t i)
	{
		const unsigned long long bits = gs_double_bits(fabs(x));

		if (gs_is_finite(x))
			f.greatest = max(f.greatest, bits);
		else if (x != x)
			f.before_nan = min(f.before_nan, (unsigned long long) i);
		else if (x > 0)
			f.before_infinity = min(f.before_infinity, (unsigned long long) i);
		else
			f.before_minus_infinity = min(f.before_minus_infinity,
										  (unsigned long long) i);
	}

	/* All of a warp tell. */
	__device__ void
	tell(ewma_found *to)
	{
#pragma unroll
		for (int d = GS_WARP / 2; d > 0; d /= 2)
			f.greatest = max(f.greatest,
							 __shfl_xor_sync(GS_ALL_LANES, f.greatest, d));
		if (gs_lane() == 0 && f.greatest > 0)
			atomicMax(&to->greatest, f.greatest);
		if (f.before_nan != ULLONG_MAX)
			atomicMin(&to->before_nan, f.before_nan);
		if (f.before_infinity != ULLONG_MAX)
			atomicMin(&to->before_infinity, f.before_infinity);
		if (f.before_minus_infinity != ULLONG_MAX)
			atomicMin(&to->before_minus_infinity, f.before_minus_infinity);
	}
};

__host__ __device__ static inline bool
is_float(float)
{
	return true;
}

__host__ __device__ static inline bool
is_float(double)
{
	return true;
}

template <typename T>
__host__ __device__ static inline bool
is_float(T)
{
	return false;
}

/* n elements, which `before` others precede; to: NULL, or where all go. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
add_values(const T *from, int64_t n, int64_t before, T *to, ewma_found *found)
{
	const int64_t step = (int64_t) gridDim.x * THREADS;
	ewma_seen	seen;

#pragma unroll 4
	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
	{
		const T		x = from[i];

		if (to != NULL)
			to[before + i] = x;
		if (is_float(T()))
			seen.add((double) x, before + i);
	}
	seen.tell(found);
	if (before == 0 && blockIdx.x == 0 && threadIdx.x == 0)
		found->values = to == NULL ? from : to;
}

/* Where the elements of a batch lie, which starts at place `first`. */
static __global__ void __launch_bounds__(THREADS)
add_places(const uint32_t *validity, const uint32_t *ranks, int64_t n,
		   int64_t first, int64_t before, uint32_t *place, uint32_t *upto)
{
	const int64_t step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
	{
		uint32_t	rank = (uint32_t) i;
		bool		present = true;

		if (validity != NULL)
		{
			const uint32_t bits = validity[i / 32];

			present = bits >> (i % 32) & 1;
			rank = ranks[i / GS_RANK_BLOCK] +
				__popc(bits & ((UINT32_C(1) << (i % 32)) - 1));
			for (int64_t w = i / GS_RANK_BLOCK * (GS_RANK_BLOCK / 32);
				 w < i / 32; w++)
				rank += __popc(validity[w]);
		}
		rank += (uint32_t) before;
		if (present)
			place[rank] = (uint32_t) (first + i);
		upto[first + i] = rank + present;
	}
}

template <typename T>
static cudaError_t
add_batch(const gs_op *op, const gs_device_input *in, void *state,
		  void *scratch, cudaStream_t stream)
{
	const ewma_state s = lay_state(op, in->all, state);
	char	   *at = (char *) scratch;
	uint32_t   *ranks = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(in->n));
	unsigned int blocks;

	GS_TRY(grid_of(in->data.present, &blocks));
	add_values<T><<<blocks, THREADS, 0, stream>>>
		((const T *) in->data.values, in->data.present, in->before,
		 op->cached ? NULL : (T *) s.values, s.found);
	GS_TRY(gs_launched());
	/* nobody asks for places if all are present */
	if (in->data.validity == NULL && in->n == in->all)
		return cudaSuccess;
	if (in->data.validity != NULL)
		GS_TRY(gs_bitmap_ranks(in->data.validity, in->n, ranks, at, stream));
	GS_TRY(grid_of(in->n, &blocks));
	add_places<<<blocks, THREADS, 0, stream>>>
		((const uint32_t *) in->data.validity, ranks, in->n, in->first,
		 in->before, s.place, s.upto);
	return gs_launched();
}

/* ----------
 * Runs
 * ----------
 */

/* What the kernels read and write. */
typedef struct ewma_args
{
	ewma_state	s;
	int64_t		present;
	double		alpha;
	bool		adjust;
	double	   *mean;			/* after each element */

	/* where all gaps are 1 */
	gs_ewma_step even;
	gs_pair		product[GS_EWMA_RUN];
	gs_pair		weight[GS_EWMA_RUN];
} ewma_args;

/* A thread's run, in a group's shared memory. */
typedef struct ewma_run
{
	int64_t		first;			/* element */
	int			count;			/* elements, at most GS_EWMA_RUN */
	double	   *x;				/* elements, or bigints; results take their
								 * place */
	const uint32_t *gap;
} ewma_run;

/* Elements before the first that is not finite. */
__device__ static inline unsigned long long
count_finite(const ewma_found *f)
{
	return min(f->before_nan, min(f->before_infinity,
								  f->before_minus_infinity));
}

/* If one is not finite, the greatest magnitude is that of those before it. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
find_greatest(ewma_found *found)
{
	const unsigned long long n = count_finite(found);
	const unsigned long long step = (unsigned long long) gridDim.x * THREADS;
	const T    *values = (const T *) found->values;
	unsigned long long greatest = 0;

	if (n == ULLONG_MAX)
		return;
	for (unsigned long long i = (unsigned long long) blockIdx.x * THREADS +
		 threadIdx.x; i < n; i += step)
		greatest = max(greatest, (unsigned long long)
					   gs_double_bits(fabs((double) values[i])));
	if (greatest > 0)
		atomicMax(&found->greatest_before, greatest);
}

__device__ static inline double
scale_of(const ewma_found *f, bool floats)
{
	if (!floats)
		return gs_ewma_scale(1);
	return gs_ewma_scale(gs_bits_double(count_finite(f) == ULLONG_MAX ?
										f->greatest : f->greatest_before));
}

template <typename T>
__device__ static inline double
to_shared(T x)
{
	return (double) x;
}

__device__ static inline double
to_shared(int64_t x)
{
	return __longlong_as_double(x);
}

template <typename T>
__device__ static inline gs_pair
element_of(double x, double scale, T)
{
	gs_pair		r = {x * scale, 0};

	return r;
}

__device__ static inline gs_pair
element_of(double x, double, int64_t)
{
	return gs_pair_normal(__double_as_longlong(x));
}

/* Load a group, side by side, and return this thread's run. */
template <typename T, bool GAPS>
__device__ static ewma_run
load_run(const ewma_args &a, double *shared)
{
	const T    *values = (const T *) a.s.found->values;
	const int64_t start = (int64_t) blockIdx.x * GROUP;
	uint32_t   *gaps = (uint32_t *) (shared + RUNS * ROW);
	ewma_run	r;

#pragma unroll 8
	for (int j = 0; j < GS_EWMA_RUN; j++)
	{
		const int	i = j * RUNS + threadIdx.x;
		const int	to = i / GS_EWMA_RUN * ROW + i % GS_EWMA_RUN;

		if (start + i >= a.present)
			continue;
		shared[to] = to_shared(values[start + i]);
		if (GAPS)
			gaps[to] = a.s.place[start + i] -
				(start + i > 0 ? a.s.place[start + i - 1] : 0);
	}
	__syncthreads();
	r.first = start + threadIdx.x * GS_EWMA_RUN;
	r.count = (int) max((int64_t) 0,
						min((int64_t) GS_EWMA_RUN, a.present - r.first));
	r.x = shared + threadIdx.x * ROW;
	r.gap = gaps + threadIdx.x * ROW;
	return r;
}

/* Partial sums up to an element of a run. */
struct ewma_partial
{
	gs_ewma_block block = {{1, 0}, {0, 0}, {0, 0}};

	/* Element i of the run r. */
	template <typename T, bool GAPS>
	__device__ __forceinline__ void
	add(const ewma_args &a, const ewma_run &r, int i, double scale)
	{
		gs_pair		x = element_of(r.x[i], scale, T());

		if (!GAPS)
		{
			if (!a.adjust && (r.first > 0 || i > 0))
				x = gs_factor_times(a.even.gain, x);
			block.sum = gs_pair_plus(gs_factor_times(a.even.keep, block.sum),
									 x);
			block.keep = a.product[i];
			block.weight = a.weight[i];
			return;
		}
		add_step(a.adjust, r.first + i == 0 ? gs_ewma_first_step() :
				 r.gap[i] > GS_EWMA_GAPS ?
				 gs_ewma_step_of(a.alpha, a.adjust, r.gap[i]) :
				 a.s.step[r.gap[i] - 1], x);
	}

	__device__ void
	add_step(bool adjust, const gs_ewma_step &step, gs_pair x)
	{
		const gs_pair one = {1, 0};

		block.sum = gs_pair_plus(gs_factor_times(step.keep, block.sum),
								 gs_factor_times(step.gain, x));
		block.keep = gs_factor_times(step.keep, block.keep);
		block.keep = gs_fast_two_sum(block.keep.hi, block.keep.lo);
		if (adjust)
			block.weight = gs_pair_plus(gs_factor_times(step.keep,
														block.weight), one);
	}
};

/*
 * Join a group's whole runs, of which `level` has the blocks of one: blocks of
 * 2^k runs follow those of fewer, RUNS >> k places of them.  All threads call.
 */
__device__ static void
join_runs(bool adjust, gs_ewma_block *level, int whole)
{
	for (int k = 1; k <= RUN_LEVELS; k++)
	{
		gs_ewma_block *to = level + (RUNS >> (k - 1));

		__syncthreads();
		if (threadIdx.x < whole >> k)
			to[threadIdx.x] = gs_ewma_join(adjust, level[2 * threadIdx.x],
										   level[2 * threadIdx.x + 1]);
		level = to;
	}
	__syncthreads();
}

/* The blocks of all runs and, of whole groups, of these. */
template <typename T, bool GAPS>
static __global__ void __launch_bounds__(RUNS)
sum_runs(const __grid_constant__ ewma_args a)
{
	extern __shared__ double shared[];
	gs_ewma_block *level = (gs_ewma_block *) shared;
	const double scale = scale_of(a.s.found, is_float(T()));
	ewma_run	r = load_run<T, GAPS>(a, shared);
	ewma_partial partial;

	for (int i = 0; i < r.count; i++)
		partial.add<T, GAPS>(a, r, i, scale);
	a.s.run[(int64_t) blockIdx.x * RUNS + threadIdx.x] = partial.block;
	if (((int64_t) blockIdx.x + 1) * GROUP > a.present)
		return;
	__syncthreads();
	level[threadIdx.x] = partial.block;
	join_runs(a.adjust, level, RUNS);
	if (threadIdx.x == 0)
		a.s.tree[blockIdx.x] = level[2 * RUNS - 2];
}

/* ----------
 * Groups
 * ----------
 */

/* One block joins them, level by level. */
static __global__ void __launch_bounds__(TREE_THREADS)
join_groups(gs_ewma_block *level, int64_t groups, bool adjust)
{
	for (int64_t n = groups / 2; n > 0; n /= 2)
	{
		gs_ewma_block *to = level + groups;

		for (int64_t i = threadIdx.x; i < n; i += TREE_THREADS)
			to[i] = gs_ewma_join(adjust, level[2 * i], level[2 * i + 1]);
		__syncthreads();
		level = to;
		groups = n;
	}
}

/* A block after what is before, which may be nothing. */
__device__ static inline void
append(bool adjust, bool *any, gs_ewma_block *before, gs_ewma_block block)
{
	*before = *any ? gs_ewma_join(adjust, *before, block) : block;
	*any = true;
}

/* What is before each group: a thread has one. */
static __global__ void __launch_bounds__(THREADS)
fold_groups(const gs_ewma_block *tree, int64_t whole, int64_t groups,
			bool adjust, gs_ewma_block *before)
{
	const int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	gs_ewma_block fold = {};
	bool		any = false;

	if (i == 0 || i >= groups)
		return;
	for (int k = 63 - __clzll(i); k >= 0; k--)
	{
		int64_t		at = 0;		/* of level k */

		if (!(i >> k & 1))
			continue;
		for (int j = 0; j < k; j++)
			at += whole >> j;
		append(adjust, &any, &fold, tree[at + (i >> k) - 1]);
	}
	before[i] = fold;
}

/* ----------
 * Results
 * ----------
 */

/* The mean up to element k, one of which is not finite; x is that element. */
__device__ static inline double
special_mean(const ewma_found *f, double alpha, unsigned long long k, double x)
{
	const bool	infinity = f->before_infinity <= k;

	if (alpha == 1)
		return x == x ? x : gs_canonical_nan();
	if (f->before_nan <= k || (infinity && f->before_minus_infinity <= k))
		return gs_canonical_nan();
	return infinity ? gs_bits_double(UINT64_C(0x7ff) << 52) :
		gs_bits_double(UINT64_C(0xfff) << 52);
}

/* What is before this thread's run; false: nothing.  All threads call. */
__device__ static bool
fold_runs(const ewma_args &a, gs_ewma_block *shared, gs_ewma_block *fold)
{
	const int64_t whole = a.present / GS_EWMA_RUN - (int64_t) blockIdx.x * RUNS;
	gs_ewma_block *level = shared + 2 * RUNS - 1;
	bool		any = blockIdx.x > 0;

	shared[threadIdx.x] = a.s.run[(int64_t) blockIdx.x * RUNS + threadIdx.x];
	join_runs(a.adjust, shared, (int) min(whole, (int64_t) RUNS));
	if (any)
		*fold = a.s.before[blockIdx.x];
	for (int k = RUN_LEVELS; k >= 0; k--)
	{
		level -= RUNS >> k;
		if (threadIdx.x >> k & 1)
			append(a.adjust, &any, fold, level[(threadIdx.x >> k) - 1]);
	}
	__syncthreads();
	return any;
}

template <typename T, bool GAPS>
static __global__ void __launch_bounds__(RUNS)
make_means(const __grid_constant__ ewma_args a)
{
	extern __shared__ double shared[];
	const ewma_found *found = a.s.found;
	const unsigned long long finite = a.alpha == 1 ? 0 : count_finite(found);
	const double scale = scale_of(found, is_float(T()));
	const double scale_back = 1 / scale;
	const int64_t start = (int64_t) blockIdx.x * GROUP;
	gs_ewma_block fold = {};
	ewma_partial partial;
	ewma_run	r;

	(void) fold_runs(a, (gs_ewma_block *) shared, &fold);
	r = load_run<T, GAPS>(a, shared);
	for (int i = 0; i < r.count; i++)
	{
		const double x = r.x[i];
		gs_factor	kept;
		gs_pair		mean;

		partial.add<T, GAPS>(a, r, i, scale);
		kept = gs_factor_of(partial.block.keep);
		mean = gs_pair_plus(gs_factor_times(kept, fold.sum),
							partial.block.sum);
		if (a.adjust)
			mean = gs_pair_over(mean,
								gs_pair_plus(gs_factor_times(kept,
															 fold.weight),
											 partial.block.weight));
		r.x[i] = mean.hi * scale_back;
		if (r.first + i >= finite)
			r.x[i] = special_mean(found, a.alpha, r.first + i,
								  element_of(x, 1, T()).hi);
	}
	__syncthreads();
#pragma unroll 8
	for (int j = 0; j < GS_EWMA_RUN; j++)
	{
		const int	i = j * RUNS + threadIdx.x;

		if (start + i < a.present)
			__stcs(&a.mean[start + i],
				   shared[i / GS_EWMA_RUN * ROW + i % GS_EWMA_RUN]);
	}
}

/* At each place the mean after the last element; 0 before all. */
static __global__ void __launch_bounds__(THREADS)
spread_means(const double *mean, const uint32_t *upto, int64_t n,
			 double *result)
{
	const int64_t step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
		result[i] = upto[i] > 0 ? mean[upto[i] - 1] : 0;
}

static __global__ void __launch_bounds__(THREADS)
make_counts(const uint32_t *upto, int64_t first, int64_t n, int64_t *to)
{
	const int64_t step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
		to[i] = upto == NULL ? first + i + 1 : upto[first + i];
}

static void
set_factors(const gs_op *op, gs_ewma *e, ewma_args *a)
{
	gs_ewma_open(e, op->bound, op->exclusive, 0);
	a->alpha = op->bound;
	a->adjust = op->exclusive;
	a->even = e->step[0];
	for (int i = 0; i < GS_EWMA_RUN; i++)
	{
		a->product[i].hi = e->product[i].hi;
		a->product[i].lo = e->product[i].lo;
		a->weight[i] = e->weight[i];
	}
}

template <typename T, bool GAPS>
static cudaError_t
launch(const ewma_args &a, cudaStream_t stream)
{
	const size_t shared = RUNS * ROW *
		(sizeof(double) + (GAPS ? sizeof(uint32_t) : 0));
	const int64_t whole = a.present / GROUP;
	const unsigned int groups = (unsigned int) gs_divide_up(a.present, GROUP);

	static_assert(2 * RUNS * sizeof(gs_ewma_block) <=
				  RUNS * ROW * sizeof(double), "a group's tree fits");
	GS_TRY((gs_allow_shared<sum_runs<T, GAPS>>()));
	GS_TRY((gs_allow_shared<make_means<T, GAPS>>()));
	if (is_float(T()))
	{
		unsigned int blocks;

		GS_TRY(grid_of(a.present, &blocks));
		find_greatest<T><<<blocks, THREADS, 0, stream>>>(a.s.found);
		GS_TRY(gs_launched());
	}
	sum_runs<T, GAPS><<<groups, RUNS, shared, stream>>>(a);
	GS_TRY(gs_launched());
	join_groups<<<1, TREE_THREADS, 0, stream>>>(a.s.tree, whole, a.adjust);
	GS_TRY(gs_launched());
	fold_groups<<<(unsigned int) gs_divide_up(groups, THREADS), THREADS, 0,
		stream>>>(a.s.tree, whole, groups, a.adjust, a.s.before);
	GS_TRY(gs_launched());
	make_means<T, GAPS><<<groups, RUNS, shared, stream>>>(a);
	return gs_launched();
}

template <typename T>
static cudaError_t
arrange(const gs_op *op, int64_t n, int64_t present, void *state,
		cudaStream_t stream)
{
	ewma_args	a = {};
	gs_ewma		e;
	unsigned int blocks;

	a.s = lay_state(op, n, state);
	a.present = present;
	set_factors(op, &e, &a);
	a.mean = present < n ? a.s.mean : a.s.result;
	if (present == n)
		return launch<T, false>(a, stream);
	for (int gap = 1; gap <= GS_EWMA_GAPS; gap++)
		e.step[gap - 1] = gs_ewma_step_of(a.alpha, a.adjust, gap);
	GS_TRY(cudaMemcpyAsync(a.s.step, e.step, sizeof e.step,
						   cudaMemcpyHostToDevice, stream));
	if (present > 0)
		GS_TRY((launch<T, true>(a, stream)));
	GS_TRY(grid_of(n, &blocks));
	spread_means<<<blocks, THREADS, 0, stream>>>(a.s.mean, a.s.upto, n,
												 a.s.result);
	return gs_launched();
}

/* ----------
 * The operation
 * ----------
 */

#define BY_TYPE(op, function, arguments) \
	switch ((op)->type) \
	{ \
		case GS_INT2: \
			return function<int16_t> arguments; \
		case GS_INT4: \
			return function<int32_t> arguments; \
		case GS_INT8: \
			return function<int64_t> arguments; \
		case GS_FLOAT4: \
			return function<float> arguments; \
		default: \
			return function<double> arguments; \
	}

static size_t
ewma_state_size(const gs_op *op, int64_t n)
{
	return lay_state(op, n, NULL).size;
}

static size_t
ewma_report_size(const gs_op *)
{
	return 0;
}

/* Ranks, which tell the places of elements. */
static size_t
ewma_scratch_size(const gs_op *, int64_t n)
{
	return gs_aligned(gs_bitmap_ranks_size(n)) +
		gs_aligned(gs_bitmap_ranks_scratch_size(n));
}

static cudaError_t
ewma_start(const gs_op *, int64_t, void *state, cudaStream_t stream)
{
	ewma_found *found = (ewma_found *) state;

	GS_TRY(cudaMemsetAsync(found, 0xff, sizeof *found, stream));
	return cudaMemsetAsync(&found->greatest, 0, 2 * sizeof found->greatest,
						   stream);
}

static cudaError_t
ewma_batch(const gs_op *op, const gs_device_input *in,
		   const gs_device_output *, void *state, void *scratch,
		   cudaStream_t stream)
{
	BY_TYPE(op, add_batch, (op, in, state, scratch, stream))
}

static cudaError_t
ewma_arrange(const gs_op *op, int64_t n, int64_t present, void *state,
			 cudaStream_t stream)
{
	if (n == 0)
		return cudaSuccess;
	BY_TYPE(op, arrange, (op, n, present, state, stream))
}

static cudaError_t
ewma_finish(const gs_op *, int64_t, void *, cudaStream_t)
{
	return cudaSuccess;
}

static void
ewma_result(const gs_op *, const void *, gs_result *result)
{
	result->results = result->n;
}

static cudaError_t
ewma_fetch(const gs_op *op, int64_t n, int64_t present, gs_column, int64_t first,
		   int64_t count, void *state, void *to, cudaStream_t stream)
{
	unsigned int blocks;

	GS_TRY(grid_of(count, &blocks));
	make_counts<<<blocks, THREADS, 0, stream>>>
		(present < n ? lay_state(op, n, state).upto : NULL, first, count,
		 (int64_t *) to);
	return gs_launched();
}

static const void *
ewma_column(const gs_op *op, int64_t n, gs_column column, void *state)
{
	return column == GS_COLUMN_VALUES ? lay_state(op, n, state).result : NULL;
}

const gs_kernels gs_ewma_kernels = {
	"ewma",
	ewma_state_size,
	ewma_report_size,
	ewma_scratch_size,
	ewma_start,
	ewma_batch,
	ewma_finish,
	NULL,
	ewma_result,
	ewma_arrange,
	ewma_fetch,
	ewma_column
};
