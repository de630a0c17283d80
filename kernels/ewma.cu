/*-------------------------------------------------------------------------
 *
 * ewma.cu
 *	  Exponentially weighted means, by the steps of exact/ewma.h.
 *
 * Only what is not NULL is an element here.  How elements are scaled depends on
 * the greatest, so all batches come first; they stay where they are if the
 * engine has them cached, and are gathered in the state if not.  Then:
 *
 * 1. each thread goes through one run, of GS_EWMA_RUN elements, and each block
 *	  of threads joins its runs to a group.  This is done as if there were
 *	  nothing to scale, and again if there is;
 * 2. groups are joined to chunks, and what comes before each group is folded;
 * 3. each thread folds what comes before its run, and goes through it again,
 *	  for the results.
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
#include <type_traits>

/*
 * Of 2^28 float8 on an H200: 2.08 ms with 128 threads, 2.29 with 256; an exact
 * running sum takes 1.25.
 */
#define THREADS		128
#define BLOCKS		16			/* a multiprocessor */
#define MEANS_BLOCKS	6		/* likewise, as shared memory lets it have */
#define GROUP		(THREADS * GS_EWMA_RUN)	/* elements; a thread has a run */
#define CHUNK		THREADS		/* groups */
#define LEVELS		28			/* of the tree over runs */
#define GROUP_LEVEL	7
#define CHUNK_LEVEL	14

static_assert(1 << GROUP_LEVEL == THREADS && 1 << CHUNK_LEVEL == THREADS * CHUNK,
			  "levels of groups and chunks");

#define WARPS		(THREADS / GS_WARP)

static_assert(GS_EWMA_RUN == GS_WARP, "a warp's lanes have a run side by side");

/* A row of shared memory: threads that go through runs use different banks. */
#define ROW			(GS_EWMA_RUN + 1)

/* What is known of the elements. */
typedef struct ewma_found
{
	/* elements before the first one of each kind; ULLONG_MAX: all */
	unsigned long long before_nan;
	unsigned long long before_infinity;
	unsigned long long before_minus_infinity;

	unsigned int greatest;		/* the high word of the greatest finite
								 * magnitude, whose exponent matters */
	const void *values;			/* the elements */
} ewma_found;

/* What is before something, a fold of blocks. */
typedef struct ewma_fold
{
	gs_pair		sum;
	gs_pair		weight;			/* if adjusted */
	bool		any;			/* there is something */
} ewma_fold;

/* The layout of the state. */
typedef struct ewma_state
{
	ewma_found *found;
	gs_ewma_step *step;			/* of gap i + 1, i < GS_EWMA_GAPS */

	/* nodes (below): all runs, as whole ones; whole groups; a tree over whole
	 * chunks */
	void	   *run;
	void	   *group;
	void	   *chunk;
	ewma_fold  *before;			/* what is before each group but the first */

	bool	   *plain;			/* of each group: no element is tiny but 0 */
	uint32_t   *place;			/* of each element, from 0, NULLs too */
	uint32_t   *upto;			/* how many elements there are up to each place */
	void	   *values;			/* unless they are cached */
	double	   *mean;			/* after each element, if there are NULLs */
	double	   *result;			/* at each place */
	size_t		size;
} ewma_state;

/* More than there are whole chunks, as one of them may be partial. */
static int
chunk_leaves(int64_t groups)
{
	int			leaves = 1;

	while (leaves <= groups / CHUNK)
		leaves *= 2;
	return leaves;
}

static ewma_state
lay_state(const gs_op *op, int64_t n, void *state)
{
	const int64_t groups = gs_divide_up(n, GROUP);
	char	   *at = (char *) state;
	ewma_state	s;

	s.found = (ewma_found *) gs_part(&at, sizeof(ewma_found));
	s.step = (gs_ewma_step *)
		gs_part(&at, GS_EWMA_GAPS * sizeof(gs_ewma_step));
	s.run = gs_part(&at, groups * THREADS * sizeof(gs_ewma_block));
	s.group = gs_part(&at, groups * sizeof(gs_ewma_block));
	s.chunk = gs_part(&at, 2 * chunk_leaves(groups) * sizeof(gs_ewma_block));
	s.before = (ewma_fold *) gs_part(&at, groups * sizeof(ewma_fold));
	s.plain = (bool *) gs_part(&at, groups * sizeof(bool));
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

static cudaError_t
ewma_batch(const gs_op *op, const gs_device_input *in,
		   const gs_device_output *, void *state, void *scratch,
		   cudaStream_t stream)
{
	const ewma_state s = lay_state(op, in->all, state);
	const int	width = gs_type_width((gs_type) op->type);
	char	   *at = (char *) scratch;
	uint32_t   *ranks = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(in->n));
	unsigned int blocks;

	if (in->first == 0)
		GS_TRY(cudaMemcpyAsync(&s.found->values, op->cached ?
							   &in->data.values : (const void **) &s.values,
							   sizeof in->data.values, cudaMemcpyHostToDevice,
							   stream));
	if (!op->cached)
		GS_TRY(cudaMemcpyAsync((char *) s.values + in->before * width,
							   in->data.values, in->data.present * width,
							   cudaMemcpyDeviceToDevice, stream));
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
	gs_pair		product[GS_EWMA_RUN];	/* up to each element of a run */
	gs_pair		weight[GS_EWMA_RUN];
	gs_pair		kept_by[LEVELS];	/* blocks of 2^k runs */
	gs_pair		weight_of[LEVELS];
	bool		quick;			/* steps by quick_run(), where elements allow */
} ewma_args;

static_assert(sizeof(ewma_args) <= 4096, "they are a kernel's arguments");

/* A thread's run, in a group's shared memory. */
typedef struct ewma_run
{
	bool		plain;			/* no element of the group is tiny but 0 */
	int64_t		first;			/* element */
	double	   *x;				/* elements, or bigints; results take their
								 * place */
	const uint32_t *gap;
} ewma_run;

/* The high word of a magnitude. */
__device__ static inline unsigned int
high_word(double x)
{
	return __double2hiint(x) & INT32_MAX;
}

/* Below 2^-800, below 2^-900 (see gs_factor_times). */
#define TINY	((1023u - 800) << 20)
#define SMALL	((1023u - 900) << 20)
#define INFINITE	(2047u << 20)

/* The high word of the greatest magnitude; all of a warp tell. */
__device__ static void
tell_greatest(unsigned int greatest, ewma_found *to)
{
#pragma unroll
	for (int d = GS_WARP / 2; d > 0; d /= 2)
		greatest = max(greatest, __shfl_xor_sync(GS_ALL_LANES, greatest, d));
	if (gs_lane() == 0 && greatest > *(volatile unsigned int *) &to->greatest)
		atomicMax(&to->greatest, greatest);
}

__host__ __device__ static constexpr bool
is_float(float)
{
	return true;
}

__host__ __device__ static constexpr bool
is_float(double)
{
	return true;
}

template <typename T>
__host__ __device__ static constexpr bool
is_float(T)
{
	return false;
}

/* Elements before the first that is not finite. */
__device__ static inline unsigned long long
count_finite(const ewma_found *f)
{
	return min(f->before_nan, min(f->before_infinity,
								  f->before_minus_infinity));
}

__device__ static inline double
scale_of(const ewma_found *f, bool floats)
{
	return floats ? gs_ewma_scale(__hiloint2double((int) f->greatest, 0)) : 1;
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

/*
 * Tell which of a thread's elements are not finite; returns the high word of the
 * greatest magnitude of those that are.
 */
template <typename T>
__device__ static unsigned int
tell_specials(const T *values, int64_t first, int64_t end, ewma_found *to)
{
	unsigned int greatest = 0;

	for (int64_t i = first; i < end; i += THREADS)
	{
		const double x = (double) values[i];

		if (gs_is_finite(x))
			greatest = max(greatest, high_word(x));
		else
			atomicMin(x != x ? &to->before_nan : x > 0 ? &to->before_infinity :
					  &to->before_minus_infinity, (unsigned long long) i);
	}
	return greatest;
}

/*
 * Load a group, side by side, and return this thread's run.  After the last
 * element there are zeros.  FIRST: what is seen is told.
 */
template <typename T, bool GAPS, bool FIRST>
__device__ static ewma_run
load_run(const ewma_args &a, double *shared)
{
	const int	BATCH = 8;
	const T    *values = (const T *) a.s.found->values;
	const int64_t start = (int64_t) blockIdx.x * GROUP;
	const int64_t first = start + threadIdx.x;
	const int64_t end = min(start + GROUP, a.present);
	double	   *to = shared + gs_warp() * ROW + gs_lane();
	uint32_t   *gaps = (uint32_t *) (shared + THREADS * ROW);
	unsigned int greatest = 0;
	bool		tiny = false;
	ewma_run	r;

#pragma unroll 1
	for (int j = 0; j < GS_EWMA_RUN; j += BATCH)
	{
		T			x[BATCH];

#pragma unroll
		for (int k = 0; k < BATCH; k++)
		{
			const int64_t i = first + (j + k) * THREADS;

			x[k] = end == start + GROUP || i < end ? values[i] : T(0);
		}
#pragma unroll
		for (int k = 0; k < BATCH; k++)
		{
			to[(j + k) * WARPS * ROW] = to_shared(x[k]);
			if (FIRST)
			{
				greatest = max(greatest, high_word((double) x[k]));
				tiny |= x[k] != 0 && high_word((double) x[k]) < TINY;
			}
		}
	}
	for (int j = 0; GAPS && j < GS_EWMA_RUN; j++)
	{
		const int64_t i = first + j * THREADS;

		gaps[(j * WARPS + gs_warp()) * ROW + gs_lane()] =
			i >= end || i == 0 ? 1 : a.s.place[i] - a.s.place[i - 1];
	}
	if (FIRST)
	{
		if (__any_sync(GS_ALL_LANES, greatest >= INFINITE))
			greatest = tell_specials(values, first, end, a.s.found);
		tell_greatest(greatest, a.s.found);
		r.plain = !__syncthreads_or(tiny);
		if (threadIdx.x == 0)
			a.s.plain[blockIdx.x] = r.plain;
	}
	else
	{
		r.plain = !is_float(T()) || a.s.plain[blockIdx.x];
		__syncthreads();
	}
	r.first = start + threadIdx.x * GS_EWMA_RUN;
	r.x = shared + threadIdx.x * ROW;
	r.gap = gaps + threadIdx.x * ROW;
	return r;
}

/* gain x, where the gain is one double. */
template <typename T>
__device__ static inline gs_pair
gain_of(const gs_factor &gain, gs_pair x, T)
{
	gs_pair		r = {gain.hi * x.hi, 0};

	if (high_word(r.hi) < SMALL)
		return gs_factor_times(gain, x);
	r.lo = __fma_rn(gain.hi, x.hi, -r.hi);
	return r;
}

__device__ static inline gs_pair
gain_of(const gs_factor &gain, gs_pair x, int64_t)
{
	return gs_factor_times(gain, x);
}

/* The sum up to an element of a run and, if there are gaps, the block. */
struct ewma_partial
{
	gs_ewma_block block = {{1, 0}, {0, 0}, {0, 0}};

	/* Element i of the run r. */
	template <typename T, bool GAPS>
	__device__ __forceinline__ void
	add(const ewma_args &a, const ewma_run &r, int i, double scale)
	{
		gs_pair		x = element_of(r.x[i], scale, T());

		if (GAPS)
			add_step(a.adjust, r.first + i == 0 ? gs_ewma_first_step() :
					 r.gap[i] > GS_EWMA_GAPS ?
					 gs_ewma_step_of(a.alpha, a.adjust, r.gap[i]) :
					 a.s.step[r.gap[i] - 1], x);
		else
		{
			if (!a.adjust && (i > 0 || r.first > 0))
				x = gain_of(a.even.gain, x, T());
			block.sum = gs_pair_plus(gs_factor_times(a.even.keep, block.sum),
									 x);
		}
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

/* May quick_run be tried?  The same for all of a block. */
template <typename T, bool GAPS>
__device__ static inline bool
can_be_quick(const ewma_args &a, const ewma_run &r, double scale)
{
	return !GAPS && a.quick && scale == 1 &&
		!std::is_same<T, int64_t>::value && r.plain;
}

/*
 * a x, where *small does not become true.  A product of 0 is not small.
 */
__device__ static inline gs_pair
quick_times(gs_pair a, gs_pair x, bool *small)
{
	gs_pair		r = {a.hi * x.hi, 0};

	if (high_word(r.hi) < SMALL)
		*small |= x.hi != 0;
	r.lo = __fma_rn(a.hi, x.hi, -r.hi) + (a.hi * x.lo + a.lo * x.hi);
	return r;
}

/*
 * The sum of an even run, not adjusted, of a plain group's doubles; MEANS:
 * and the means, given what is before.  False: a product is small, so these
 * steps may give other bits than ewma.h's.
 */
template <bool MEANS>
__device__ static __forceinline__ bool
quick_run(const ewma_args &a, const ewma_run &r, gs_pair before, gs_pair *sum)
{
	const gs_pair keep = {a.even.keep.hi, a.even.keep.lo};
	bool		small = false;
	bool		ignored = false;

	*sum = {0, 0};
	if (MEANS)
		(void) quick_times(a.product[GS_EWMA_RUN - 1], before, &small);
#pragma unroll
	for (int i = 0; i < GS_EWMA_RUN; i++)
	{
		const double gain = i == 0 && r.first == 0 ? 1 : a.even.gain.hi;
		gs_pair		x = {gain * r.x[i], 0};

		x.lo = __fma_rn(gain, r.x[i], -x.hi);
		*sum = gs_pair_plus(quick_times(keep, *sum, &small), x);
		if (MEANS)
			r.x[i] = gs_pair_plus(quick_times(a.product[i], before, &ignored),
								  *sum).hi;
	}
	return !small;
}

/* ----------
 * The tree
 * ----------
 */

/*
 * A block of the tree.  Where all gaps are 1, only its sum has to be known, but
 * for the first one, before which there is nothing to keep.
 */
template <bool GAPS>
struct ewma_node
{
	gs_ewma_block block;

	__device__ gs_pair keep(const ewma_args &, int) const { return block.keep; }
	__device__ gs_pair sum(void) const { return block.sum; }

	__device__ gs_pair
	weight(const ewma_args &, int) const
	{
		return block.weight;
	}

	/* Each of two blocks is of 2^level runs. */
	static __device__ ewma_node
	join(const ewma_args &a, int, ewma_node x, ewma_node y)
	{
		return {gs_ewma_join(a.adjust, x.block, y.block)};
	}
};

template <>
struct ewma_node<false>
{
	gs_pair		pair;

	__device__ gs_pair
	keep(const ewma_args &a, int level) const
	{
		return a.kept_by[level];
	}

	__device__ gs_pair sum(void) const { return pair; }

	__device__ gs_pair
	weight(const ewma_args &a, int level) const
	{
		return a.weight_of[level];
	}

	static __device__ ewma_node
	join(const ewma_args &a, int level, ewma_node x, ewma_node y)
	{
		const gs_factor keep = gs_factor_of(a.kept_by[level]);

		return {gs_pair_plus(gs_factor_times(keep, x.pair), y.pair)};
	}
};

/* Append a block of 2^level runs. */
template <bool GAPS>
__device__ static void
append(const ewma_args &a, int level, const ewma_node<GAPS> &node,
	   ewma_fold *fold)
{
	const gs_factor keep = gs_factor_of(node.keep(a, level));
	const gs_pair sum = node.sum();
	const gs_pair weight = node.weight(a, level);

	fold->sum = !fold->any ? sum :
		gs_pair_plus(gs_factor_times(keep, fold->sum), sum);
	if (a.adjust)
		fold->weight = !fold->any ? weight :
			gs_pair_plus(gs_factor_times(keep, fold->weight), weight);
	fold->any = true;
}

/*
 * A tree, in shared memory or the state: its `leaves`, of 2^base runs each, are
 * followed by the blocks of two, four, and so on, half as many places of each.
 */
template <bool GAPS>
struct ewma_tree
{
	typedef ewma_node<GAPS> node;
	node	   *leaf;
	int			leaves;			/* a power of two */
	int			base;

	static __host__ __device__ size_t
	size(int leaves)
	{
		return 2 * leaves * sizeof(node);
	}

	/* Join those that are whole.  All threads of a block call. */
	__device__ void
	join(const ewma_args &a, int whole) const
	{
		node	   *from = leaf;
		int			level = base;

		for (int width = leaves; whole > 1; width /= 2, level++)
		{
			node	   *to = from + width;

			whole /= 2;
			__syncthreads();
			for (int i = threadIdx.x; i < whole; i += THREADS)
				to[i] = node::join(a, level, from[2 * i], from[2 * i + 1]);
			from = to;
		}
		__syncthreads();
	}

	/* Append what is before leaf i. */
	__device__ void
	fold(const ewma_args &a, int i, ewma_fold *fold) const
	{
		const node *from = leaf + 2 * leaves - 2;
		int			digit = 31 - __clz(leaves);

		for (; digit >= 0; digit--, from -= leaves >> digit)
		{
			if (i >> digit & 1)
				append<GAPS>(a, base + digit, from[(i >> digit) - 1], fold);
		}
	}

	/* The block of all. */
	__device__ node
	root(void) const
	{
		return leaf[2 * leaves - 2];
	}
};

/*
 * All runs and, of whole groups, the blocks of these.  SCALED: unless it has
 * been done.
 */
template <typename T, bool GAPS, bool SCALED>
static __global__ void __launch_bounds__(THREADS)
sum_runs(const __grid_constant__ ewma_args a)
{
	extern __shared__ double shared[];
	typedef ewma_node<GAPS> node;
	const ewma_tree<GAPS> tree = {(node *) shared, THREADS, 0};
	const double scale = SCALED ? scale_of(a.s.found, is_float(T())) : 1;
	ewma_partial partial;
	ewma_run	r;
	node		run;

	if (SCALED && scale == 1)
		return;
	r = load_run<T, GAPS, is_float(T()) && !SCALED>(a, shared);
	if (!can_be_quick<T, GAPS>(a, r, scale) ||
		!quick_run<false>(a, r, {0, 0}, &partial.block.sum))
	{
		partial = ewma_partial();
		for (int i = 0; i < GS_EWMA_RUN; i++)
			partial.add<T, GAPS>(a, r, i, scale);
	}
	if constexpr (GAPS)
		run.block = partial.block;
	else
		run.pair = partial.block.sum;
	((node *) a.s.run)[(int64_t) blockIdx.x * THREADS + threadIdx.x] = run;
	if (((int64_t) blockIdx.x + 1) * GROUP > a.present)
		return;
	__syncthreads();
	tree.leaf[threadIdx.x] = run;
	tree.join(a, THREADS);
	if (threadIdx.x == 0)
		((node *) a.s.group)[blockIdx.x] = tree.root();
}

/* A block has a whole chunk. */
template <bool GAPS>
static __global__ void __launch_bounds__(THREADS)
join_groups(const __grid_constant__ ewma_args a)
{
	extern __shared__ double shared[];
	typedef ewma_node<GAPS> node;
	const ewma_tree<GAPS> tree = {(node *) shared, CHUNK, GROUP_LEVEL};

	tree.leaf[threadIdx.x] =
		((const node *) a.s.group)[(int64_t) blockIdx.x * CHUNK + threadIdx.x];
	tree.join(a, CHUNK);
	if (threadIdx.x == 0)
		((node *) a.s.chunk)[blockIdx.x] = tree.root();
}

/* One block has all chunks. */
template <bool GAPS>
static __global__ void __launch_bounds__(THREADS)
join_chunks(const __grid_constant__ ewma_args a, int leaves, int whole)
{
	const ewma_tree<GAPS> tree = {(ewma_node<GAPS> *) a.s.chunk, leaves,
		CHUNK_LEVEL};

	tree.join(a, whole);
}

/* What is before each group, of which a block has a chunk. */
template <bool GAPS>
static __global__ void __launch_bounds__(THREADS)
fold_groups(const __grid_constant__ ewma_args a, int leaves)
{
	extern __shared__ double shared[];
	typedef ewma_node<GAPS> node;
	const ewma_tree<GAPS> groups = {(node *) shared, CHUNK, GROUP_LEVEL};
	const ewma_tree<GAPS> chunks = {(node *) a.s.chunk, leaves, CHUNK_LEVEL};
	const int64_t first = (int64_t) blockIdx.x * CHUNK;
	const int64_t group = first + threadIdx.x;
	const int	whole = (int) min((int64_t) CHUNK, a.present / GROUP - first);
	ewma_fold	fold = {};

	if (threadIdx.x < whole)
		groups.leaf[threadIdx.x] = ((const node *) a.s.group)[group];
	groups.join(a, whole);
	chunks.fold(a, blockIdx.x, &fold);
	if (threadIdx.x <= whole)
		groups.fold(a, threadIdx.x, &fold);
	if (group * GROUP < a.present)
		a.s.before[group] = fold;
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

/* What is before this thread's run.  All threads call. */
template <bool GAPS>
__device__ static ewma_fold
fold_runs(const ewma_args &a, const ewma_tree<GAPS> &tree)
{
	const int64_t first = (int64_t) blockIdx.x * THREADS;
	const int64_t whole = a.present / GS_EWMA_RUN - first;
	ewma_fold	fold = a.s.before[blockIdx.x];

	tree.leaf[threadIdx.x] =
		((const ewma_node<GAPS> *) a.s.run)[first + threadIdx.x];
	tree.join(a, (int) min(whole, (int64_t) THREADS));
	tree.fold(a, threadIdx.x, &fold);
	__syncthreads();
	return fold;
}

/* The means of a run, in place of its elements, by all of ewma.h's steps. */
template <typename T, bool GAPS>
__device__ static void
mean_run(const ewma_args &a, const ewma_run &r, const ewma_fold &fold,
		 double scale)
{
	const T    *values = (const T *) a.s.found->values;
	const double scale_back = 1 / scale;
	ewma_partial partial;

	for (int i = 0; i < GS_EWMA_RUN && r.first + i < a.present; i++)
	{
		gs_factor	kept;
		gs_pair		mean;

		/* quick_run has written there */
		r.x[i] = to_shared(values[r.first + i]);
		partial.add<T, GAPS>(a, r, i, scale);
		kept = gs_factor_of(GAPS ? partial.block.keep : a.product[i]);
		mean = gs_pair_plus(gs_factor_times(kept, fold.sum),
							partial.block.sum);
		if (a.adjust)
			mean = gs_pair_over(mean, gs_pair_plus
								(gs_factor_times(kept, fold.weight), GAPS ?
								 partial.block.weight : a.weight[i]));
		r.x[i] = mean.hi * scale_back;
	}
}

/* Write a group's means, side by side. */
template <typename T>
__device__ static void
write_means(const ewma_args &a, const double *shared, const T *values)
{
	const ewma_found *found = a.s.found;
	const int64_t start = (int64_t) blockIdx.x * GROUP;
	const int64_t end = min(start + GROUP, a.present);
	const double *from = shared + gs_warp() * ROW + gs_lane();
	const unsigned long long finite = a.alpha == 1 ? 0 : count_finite(found);

	if (end == start + GROUP && finite >= (unsigned long long) end)
	{
#pragma unroll
		for (int k = 0; k < GS_EWMA_RUN; k++)
			__stcs(&a.mean[start + k * THREADS + threadIdx.x],
				   from[k * WARPS * ROW]);
		return;
	}
	for (int64_t i = start + threadIdx.x; i < end;
		 i += THREADS, from += WARPS * ROW)
		a.mean[i] = (unsigned long long) i < finite ? *from :
			special_mean(found, a.alpha, i, (double) values[i]);
}

template <typename T, bool GAPS>
static __global__ void __launch_bounds__(THREADS, MEANS_BLOCKS)
make_means(const __grid_constant__ ewma_args a)
{
	extern __shared__ double shared[];
	const ewma_tree<GAPS> tree = {(ewma_node<GAPS> *) shared, THREADS, 0};
	const ewma_found *found = a.s.found;
	const T    *values = (const T *) found->values;
	const double scale = scale_of(found, is_float(T()));
	const ewma_fold fold = fold_runs<GAPS>(a, tree);
	const ewma_run r = load_run<T, GAPS, false>(a, shared);
	gs_pair		sum;

	if (!can_be_quick<T, GAPS>(a, r, scale) ||
		!quick_run<true>(a, r, fold.sum, &sum))
		mean_run<T, GAPS>(a, r, fold, scale);
	__syncthreads();
	write_means(a, shared, values);
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
	a->kept_by[0] = a->product[GS_EWMA_RUN - 1];
	a->weight_of[0] = a->weight[GS_EWMA_RUN - 1];
	for (int k = 1; k < LEVELS; k++)
	{
		const gs_factor keep = gs_factor_of(a->kept_by[k - 1]);

		a->kept_by[k] = gs_pair_times(a->kept_by[k - 1], a->kept_by[k - 1]);
		a->weight_of[k] = gs_pair_plus
			(gs_factor_times(keep, a->weight_of[k - 1]), a->weight_of[k - 1]);
	}
	/* its product with what is not tiny is not small */
	a->quick = !op->exclusive && op->bound > 0x1p-90;
}

/* Once all runs have been summed. */
template <bool GAPS>
static cudaError_t
launch_groups(const ewma_args &a, cudaStream_t stream)
{
	typedef ewma_tree<GAPS> tree;
	const int64_t groups = gs_divide_up(a.present, GROUP);
	const int	chunks = (int) (a.present / GROUP / CHUNK);	/* whole ones */
	const int	leaves = chunk_leaves(groups);

	if (chunks > 0)
		join_groups<GAPS><<<chunks, THREADS, tree::size(CHUNK), stream>>>(a);
	GS_TRY(gs_launched());
	if (chunks > 1)
		join_chunks<GAPS><<<1, THREADS, 0, stream>>>(a, leaves, chunks);
	GS_TRY(gs_launched());
	fold_groups<GAPS><<<(unsigned int) gs_divide_up(groups, CHUNK), THREADS,
		tree::size(CHUNK), stream>>>(a, leaves);
	return gs_launched();
}

template <typename T, bool GAPS>
static cudaError_t
launch(const ewma_args &a, cudaStream_t stream)
{
	const size_t shared = THREADS * ROW *
		(sizeof(double) + (GAPS ? sizeof(uint32_t) : 0));
	const unsigned int groups = (unsigned int) gs_divide_up(a.present, GROUP);

	static_assert(2 * sizeof(gs_ewma_block) <= ROW * sizeof(double),
				  "a group's tree fits");
	GS_TRY((gs_allow_shared<sum_runs<T, GAPS, false>>()));
	GS_TRY((gs_allow_shared<make_means<T, GAPS>>()));
	sum_runs<T, GAPS, false><<<groups, THREADS, shared, stream>>>(a);
	GS_TRY(gs_launched());
	if (is_float(T()))
	{
		GS_TRY((gs_allow_shared<sum_runs<T, GAPS, true>>()));
		sum_runs<T, GAPS, true><<<groups, THREADS, shared, stream>>>(a);
		GS_TRY(gs_launched());
	}
	GS_TRY(launch_groups<GAPS>(a, stream));
	make_means<T, GAPS><<<groups, THREADS, shared, stream>>>(a);
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
	return cudaMemsetAsync(&found->greatest, 0, sizeof found->greatest, stream);
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
