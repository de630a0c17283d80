/*-------------------------------------------------------------------------
 *
 * ewma.cu
 *	  Exponentially weighted means, by the steps of exact/ewma.h.
 *
 * Only what is not NULL is an element here.  How elements are scaled depends on
 * the greatest, so all batches come first; they stay where they are if the
 * engine has them cached, and are gathered in the state if not.  Where weights
 * decay fast, near_means() (ewma_near.cuh) mostly does all.  Else:
 *
 * 1. Upsweep: each thread goes through one run, of GS_EWMA_RUN elements, and
 *	  each block of threads joins its runs to a group.  This is done as if there
 *	  were nothing to scale, and again if there is.  Groups are joined to chunks.
 * 2. Spine: one block joins the chunks.
 * 3. Downsweep: what comes before each group is folded, then what comes before
 *	  each run, whose thread goes through it again, for the results.
 *
 * From the first element on that is not finite, results are NaN or infinite,
 * and depend on where the first of each of these is.
 *
 * Source: a reduce-then-scan (Blelloch, 1990) by the steps that the
 * definition fixes, and so is the tree over runs.
 * Determinism: the same steps in the same order whatever the grid;
 * near_means() keeps what is provably the same double.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/moving/ewma_near.cuh"
#include "kernels/moving/ewma_tree.cuh"

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
 * Sums of runs, and what is before each group
 * ----------
 */

/*
 * All runs and, of whole groups, the blocks of these.  SCALED: unless it has
 * been done.
 */
template <typename T, bool GAPS, bool SCALED>
static __global__ void __launch_bounds__(THREADS)
upsweep_runs(const __grid_constant__ ewma_args a)
{
	extern __shared__ double shared[];
	typedef ewma_node<GAPS> node;
	const ewma_tree<GAPS> tree = {(node *) shared, THREADS, 0};
	const double scale = SCALED ? scale_of(a.s.found, is_float(T())) : 1;
	ewma_partial partial;
	ewma_run	r;
	node		run;

	if (near_is_right(a) || (SCALED && scale == 1))
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
upsweep_groups(const __grid_constant__ ewma_args a)
{
	extern __shared__ double shared[];
	typedef ewma_node<GAPS> node;
	const ewma_tree<GAPS> tree = {(node *) shared, CHUNK, GROUP_LEVEL};

	if (near_is_right(a))
		return;
	tree.leaf[threadIdx.x] =
		((const node *) a.s.group)[(int64_t) blockIdx.x * CHUNK + threadIdx.x];
	tree.join(a, CHUNK);
	if (threadIdx.x == 0)
		((node *) a.s.chunk)[blockIdx.x] = tree.root();
}

/* One block has all chunks. */
template <bool GAPS>
static __global__ void __launch_bounds__(THREADS)
spine_chunks(const __grid_constant__ ewma_args a, int leaves, int whole)
{
	const ewma_tree<GAPS> tree = {(ewma_node<GAPS> *) a.s.chunk, leaves,
		CHUNK_LEVEL};

	if (!near_is_right(a))
		tree.join(a, whole);
}

/* What is before each group, of which a block has a chunk. */
template <bool GAPS>
static __global__ void __launch_bounds__(THREADS)
downsweep_groups(const __grid_constant__ ewma_args a, int leaves)
{
	extern __shared__ double shared[];
	typedef ewma_node<GAPS> node;
	const ewma_tree<GAPS> groups = {(node *) shared, CHUNK, GROUP_LEVEL};
	const ewma_tree<GAPS> chunks = {(node *) a.s.chunk, leaves, CHUNK_LEVEL};
	const int64_t first = (int64_t) blockIdx.x * CHUNK;
	const int64_t group = first + threadIdx.x;
	const int	whole = (int) min((int64_t) CHUNK, a.present / GROUP - first);
	ewma_fold	fold = {};

	if (near_is_right(a))
		return;
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
downsweep_runs(const __grid_constant__ ewma_args a)
{
	extern __shared__ double shared[];
	const ewma_tree<GAPS> tree = {(ewma_node<GAPS> *) shared, THREADS, 0};
	const ewma_found *found = a.s.found;
	const T    *values = (const T *) found->values;
	const double scale = scale_of(found, is_float(T()));
	ewma_fold	fold;
	ewma_run	r;
	gs_pair		sum;

	if (near_is_right(a))
		return;
	fold = fold_runs<GAPS>(a, tree);
	r = load_run<T, GAPS, false>(a, shared);
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

/* Rows `first` and following ones: after which elements is there a mean? */
static __global__ void __launch_bounds__(THREADS)
make_validity(const uint32_t *upto, int64_t n, int64_t first, int64_t rows,
			  uint64_t *to)
{
	const int64_t step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
		 i < 64 * rows; i += step)
	{
		int64_t		at = 64 * first + i;

		gs_put_valid(to, i, at < n && (upto == NULL || upto[at] > 0));
	}
}

static void
set_factors(const gs_op *op, gs_ewma *e, ewma_args *a)
{
	gs_ewma_open(e, op->ewma.alpha, op->ewma.adjust, 0);
	a->alpha = op->ewma.alpha;
	a->adjust = op->ewma.adjust;
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
	a->quick = !op->ewma.adjust && op->ewma.alpha > 0x1p-90;
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
		upsweep_groups<GAPS><<<chunks, THREADS, tree::size(CHUNK), stream>>>(a);
	GS_TRY(gs_launched());
	if (chunks > 1)
		spine_chunks<GAPS><<<1, THREADS, 0, stream>>>(a, leaves, chunks);
	GS_TRY(gs_launched());
	downsweep_groups<GAPS><<<(unsigned int) gs_divide_up(groups, CHUNK), THREADS,
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
	GS_TRY((gs_allow_shared<upsweep_runs<T, GAPS, false>>()));
	GS_TRY((gs_allow_shared<downsweep_runs<T, GAPS>>()));
	if (a.near > 0)
		GS_TRY(launch_near<T>(a, stream));
	upsweep_runs<T, GAPS, false><<<groups, THREADS, shared, stream>>>(a);
	GS_TRY(gs_launched());
	if (is_float(T()))
	{
		GS_TRY((gs_allow_shared<upsweep_runs<T, GAPS, true>>()));
		upsweep_runs<T, GAPS, true><<<groups, THREADS, shared, stream>>>(a);
		GS_TRY(gs_launched());
	}
	GS_TRY(launch_groups<GAPS>(a, stream));
	downsweep_runs<T, GAPS><<<groups, THREADS, shared, stream>>>(a);
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
	{
		a.near = near_levels(op, &a);
		return launch<T, false>(a, stream);
	}
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

static size_t
ewma_state_size(const gs_op *op, int64_t n)
{
	return lay_state(op, n, NULL).size;
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
	GS_TRY(cudaMemsetAsync(&found->greatest, 0, sizeof found->greatest, stream));
	return cudaMemsetAsync(&found->doubtful, 0,
						   sizeof found->doubtful + sizeof found->most, stream);
}

static cudaError_t
ewma_arrange(const gs_op *op, int64_t n, int64_t present, void *state,
			 cudaStream_t stream)
{
	if (n == 0)
		return cudaSuccess;
	GS_BY_TYPE(op->type, arrange, (op, n, present, state, stream))
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

	GS_TRY(grid_of(64 * count, &blocks));
	make_validity<<<blocks, THREADS, 0, stream>>>
		(present < n ? lay_state(op, n, state).upto : NULL, n, first, count,
		 (uint64_t *) to);
	return gs_launched();
}

static const void *
ewma_column(const gs_op *op, int64_t n, gs_column column, void *state)
{
	return column == GS_COLUMN_VALUES ? lay_state(op, n, state).result : NULL;
}

const gs_kernels gs_ewma_kernels = {
	.name = "ewma",
	.state_size = ewma_state_size,
	.scratch_size = ewma_scratch_size,
	.start = ewma_start,
	.batch = ewma_batch,
	.result = ewma_result,
	.arrange = ewma_arrange,
	.fetch = ewma_fetch,
	.column = ewma_column
};
