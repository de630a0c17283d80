/*-------------------------------------------------------------------------
 *
 * product.cu
 *	  Products and scans of products, over the fixed tree of product.h.
 *
 * The tree's leaves here are blocks of LEAF elements, which chunks consist of.
 * All nodes above them are kept for the whole array: 64 bytes a leaf.
 *
 *	1. Each warp multiplies its WARP_ITEMS elements together, by pairs of
 *	   neighbours; two warps make a leaf.
 *	2. One block multiplies pairs of nodes, level by level.
 *	3. For each leaf, a thread folds the nodes of the digits of the leaf's
 *	   number: the product of all elements before.
 *	4. In a scan, each warp multiplies its elements once more, and goes down
 *	   the tree again to each of them.
 *
 * A product of all elements needs the last two only for a last leaf that is not
 * full.
 *
 *-------------------------------------------------------------------------
 */
#include "product.cuh"

#define LEAF			GS_CHUNK_ALIGN
#define LEAF_WARPS		(LEAF / WARP_ITEMS)
#define LEAVES			(TILE_ITEMS / LEAF) /* a block */
#define LEVELS			32		/* above the leaves */
#define NODE_THREADS	1024

static_assert(LEAF_WARPS == 2, "a leaf is a pair of warps");

/*
 * Node i of level k is the product of the 2^k leaves from i 2^k on.  It has the
 * place between its leaves that is the middle.
 */
__device__ static inline gs_product *
node_at(gs_product *tree, int k, int64_t i)
{
	return tree + ((2 * i + 1) << k) - 1;
}

size_t
gs_product_tree_size(int64_t n)
{
	return 2 * (size_t) (gs_divide_up(n, LEAF) + 1) * sizeof(gs_product);
}

/* Products of all before each leaf, and before the end. */
size_t
gs_product_scratch_size(int64_t n)
{
	return gs_aligned((gs_divide_up(n, LEAF) + 1) * sizeof(gs_product));
}

__device__ static inline gs_product
product_of(double x)
{
	return gs_product_from_double(x);
}

__device__ static inline gs_product
product_of(int64_t x)
{
	return gs_product_from_int64(x);
}

/* How a thread takes its elements (share_take). */
template <typename T_>
struct factors
{
	typedef T_	T;
	typedef T_	item;

	__device__ item of(T x) const { return x; }
	__device__ static item neutral() { return 1; }
};

template <typename T> struct widest { typedef int64_t type; };
template <> struct widest<float> { typedef double type; };
template <> struct widest<double> { typedef double type; };

template <typename T>
__device__ static inline gs_product
factor_of(T x, bool starts)
{
	gs_product	p = product_of((typename widest<T>::type) x);

	p.starts = starts;
	return p;
}

/* The product of 2^k of a thread's elements. */
template <typename T, int K>
struct block_of
{
	__device__ static inline gs_product
	product(const T *x, uint32_t heads)
	{
		const int	half = 1 << (K - 1);

		return gs_product_multiply
			(block_of<T, K - 1>::product(x, heads),
			 block_of<T, K - 1>::product(x + half, heads >> half));
	}
};

template <typename T>
struct block_of<T, 0>
{
	__device__ static inline gs_product
	product(const T *x, uint32_t heads)
	{
		return factor_of(*x, heads & 1);
	}
};

/* What a thread of a warp has to do with. */
template <typename T>
struct product_share
{
	warp_share	w;
	int			count;
	uint32_t	heads;
	T			x[ITEMS];

	__device__
	product_share(const scan_args &a, int64_t base, uint4 *room)
	{
		share_begin<T, true, true>(&w, a, base, room);
		copy_async_wait();
		__syncwarp();
		count = share_count(w, a);
		heads = a.head_source == HEADS_NONE ? 0 : share_heads(w, a, count);
		share_take(factors<T>(), w, a, room, count, x);
	}
};

/* ----------
 * The tree
 * ----------
 */
template <typename T>
__global__ static void
__launch_bounds__(SCAN_THREADS)
leaves_kernel(scan_args a, gs_product *tree)
{
	typedef region<T, T> space;
	extern __shared__ uint4 buffers[];
	__shared__ gs_product of_warp[SCAN_WARPS];
	int64_t		base = (int64_t) blockIdx.x * TILE_ITEMS +
		gs_warp() * WARP_ITEMS;
	product_share<T> s(a, base, buffers + gs_warp() * space::PIECES);
	gs_product	p = block_of<T, 4>::product(s.x, s.heads);

#pragma unroll
	for (int d = 1; d < GS_WARP; d *= 2)
		p = gs_product_multiply(p, gs_shuffle_down(p, d));
	if (gs_lane() == 0)
		of_warp[gs_warp()] = p;
	__syncthreads();
	if (gs_warp() % LEAF_WARPS == 0 && gs_lane() == 0 && base < a.n)
		*node_at(tree, 0, (a.first + base) / LEAF) =
			gs_product_multiply(p, of_warp[gs_warp() + 1]);
}

/* The nodes that the leaves from `from` to `to` complete. */
__global__ static void
__launch_bounds__(NODE_THREADS)
nodes_kernel(gs_product *tree, int64_t from, int64_t to)
{
	for (int k = 1; to >> k > 0; k++)
	{
		for (int64_t i = (from >> k) + threadIdx.x; i < to >> k;
			 i += NODE_THREADS)
			*node_at(tree, k, i) =
				gs_product_multiply(*node_at(tree, k - 1, 2 * i),
									*node_at(tree, k - 1, 2 * i + 1));
		__syncthreads();
	}
}

/* The products of all that comes before each of the leaves from `from` on. */
__global__ static void
folds_kernel(gs_product *tree, int64_t from, int64_t count, gs_product *folds)
{
	int64_t		i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
	int64_t		leaf = from + i;
	gs_product	fold = gs_product_one();

	if (i >= count)
		return;
	for (int k = LEVELS - 1; k >= 0; k--)
		if (leaf >> k & 1)
			fold = gs_product_multiply(fold,
									   *node_at(tree, k, (leaf >> k) - 1));
	folds[i] = fold;
}

/* ----------
 * Down to the elements
 * ----------
 */

/* The value rounded once, as gs_product_round does; infinite if too large. */
__device__ static double
round_product(gs_product x, bool *over)
{
	uint64_t	sign = gs_double_bits(x.hi) & UINT64_C(0x8000000000000000);
	uint64_t	m;
	uint64_t	top;
	double		units;
	double		whole;
	bool		sticky;
	int			position;
	bool		negative;
	int64_t		e = x.exponent;
	int			drop;

	*over = false;
	if (gs_product_is_special(x.hi))
		return x.hi != x.hi ? gs_canonical_nan() : x.hi;
	/* hi is nearest to hi + lo, so where it is a double it is the result */
	if (e >= -1022)
	{
		*over = e > 1023;
		if (*over)
			return gs_bits_double(sign | UINT64_C(0x7ff0000000000000));
		return gs_bits_double((gs_double_bits(x.hi) &
							   UINT64_C(0x800fffffffffffff)) |
							  (uint64_t) (e + 1023) << 52);
	}
	if (e < -1076)
		return gs_bits_double(sign);

	/* |hi + lo| in units of 2^-63, rounded down */
	m = gs_split(x.hi, &position, &negative);
	units = (negative ? -x.lo : x.lo) * 9223372036854775808.0;
	whole = floor(units);
	sticky = units != whole;
	top = (m << 11) + (uint64_t) (int64_t) whole;

	/* the last bit of the result is 2^-1074; what is below it, is dropped */
	drop = (int) (-1011 - e);
	if (drop > 64)
		return gs_bits_double(sign);
	if (drop == 64)
		m = 0;
	else
		m = top >> drop;
	if (drop < 64)
		top <<= 64 - drop;
	if (top > UINT64_C(1) << 63 ||
		(top == UINT64_C(1) << 63 && (sticky || (m & 1))))
		m++;
	return gs_bits_double(sign | m);
}

/*
 * Results of a warp's elements, `before` being the product of all before them.
 * The last one, unrounded, goes to *total if wanted.
 */
template <typename T>
__device__ static void
scan_warp(const scan_args &a, const product_share<T> &s, gs_product before,
		  uint4 *room, uint32_t leading, gs_product *total)
{
	gs_product	node[5];		/* of 2^k threads from this one on */
	gs_product	block[5];		/* largest first: a stack, as in product.h */
	gs_product	fold = before;
	double		out[ITEMS];
	int64_t		mine = s.w.base + gs_lane() * ITEMS;

	node[0] = block_of<T, 4>::product(s.x, s.heads);
#pragma unroll
	for (int k = 1; k < 5; k++)
		node[k] = gs_product_multiply
			(node[k - 1], gs_shuffle_down(node[k - 1], 1 << (k - 1)));
#pragma unroll
	for (int k = 4; k >= 0; k--)
	{
		int			left = gs_lane() >> (k + 1) << (k + 1);
		gs_product	p = gs_shuffle(node[k], left);

		if (gs_lane() >> k & 1)
			fold = gs_product_multiply(fold, p);
	}

	/* base[d]: the product before the stack's block d */
	gs_product	base[6];
	int			depth = 0;

	base[0] = fold;
#pragma unroll
	for (int i = 0; i < ITEMS; i++)
	{
		gs_product	p = factor_of(s.x[i], s.heads >> i & 1);
		gs_product	last = base[depth];
		bool		over;

#pragma unroll
		for (int carry = i; carry & 1; carry >>= 1)
			p = gs_product_multiply(block[--depth], p);
		block[depth] = p;
		base[depth + 1] = gs_product_multiply(base[depth], p);
		depth++;
		if (a.exclusive)
		{
			out[i] = round_product(last, &over);
			if (s.heads >> i & 1)
			{
				out[i] = 1;
				over = false;
			}
		}
		else
			out[i] = round_product(base[depth], &over);
		if (over && i < s.count)
			note_range(a, mine + i);
		if (total != NULL && mine + i == a.n - 1)
			*total = base[depth];
	}
	if (a.out == NULL)
		return;
	__syncwarp();
	share_put(room, out);
	__syncwarp();
	if (s.w.base < a.n)
		share_write<double>(s.w, a, room, leading);
}

/* From leaf `from` of the chunk on, which folds[0] belongs to. */
template <typename T>
__global__ static void
__launch_bounds__(SCAN_THREADS)
products_kernel(scan_args a, int64_t from, const gs_product *folds,
				gs_product *total)
{
	typedef region<T, double> space;
	extern __shared__ uint4 buffers[];
	__shared__ gs_product of_warp[SCAN_WARPS];
	uint4	   *room = buffers + gs_warp() * space::PIECES;
	uint32_t	leading = a.leading == NULL ? 0 : *a.leading;
	int64_t		leaf = (int64_t) blockIdx.x * LEAVES + gs_warp() / LEAF_WARPS;
	int64_t		base = (from + leaf) * LEAF +
		gs_warp() % LEAF_WARPS * WARP_ITEMS;
	product_share<T> s(a, base, room);
	gs_product	p = block_of<T, 4>::product(s.x, s.heads);
	gs_product	before = gs_product_one();

#pragma unroll
	for (int d = 1; d < GS_WARP; d *= 2)
		p = gs_product_multiply(p, gs_shuffle_down(p, d));
	if (gs_lane() == 0)
		of_warp[gs_warp()] = p;
	__syncthreads();
	if (base < a.n)
		before = folds[leaf];
	__syncthreads();
	if (gs_warp() % LEAF_WARPS == 1)
		before = gs_product_multiply(before, of_warp[gs_warp() - 1]);
	scan_warp(a, s, before, room, leading, total);

	__syncthreads();
	if (a.done != NULL && threadIdx.x == 0 && is_last_block(a))
		report(a, leading);
}

/* ----------
 * The host's side
 * ----------
 */

/* The leaves and all above them. */
template <typename T>
static cudaError_t
grow_tree(const scan_args &a, gs_product *tree, cudaStream_t stream)
{
	typedef region<T, T> space;
	int64_t		from = a.first / LEAF;
	int64_t		to = (a.first + a.n) / LEAF;

	leaves_kernel<T><<<(unsigned int) a.tiles, SCAN_THREADS,
		SCAN_WARPS * space::PIECES * sizeof(uint4), stream>>>(a, tree);
	GS_TRY(gs_launched());
	if (to > 1)
		nodes_kernel<<<1, NODE_THREADS, 0, stream>>>
			(tree, from, to);
	return gs_launched();
}

static cudaError_t
fold(gs_product *tree, int64_t from, int64_t count, gs_product *folds,
	 cudaStream_t stream)
{
	folds_kernel<<<(unsigned int) gs_divide_up(count, GS_WARP), GS_WARP, 0,
		stream>>>(tree, from, count, folds);
	return gs_launched();
}

template <typename T>
static cudaError_t
scan(const scan_args &a, gs_product *tree, gs_product *folds,
	 cudaStream_t stream)
{
	typedef region<T, double> space;

	GS_TRY(grow_tree<T>(a, tree, stream));
	GS_TRY(fold(tree, a.first / LEAF, gs_divide_up(a.n, LEAF), folds, stream));
	products_kernel<T><<<(unsigned int) a.tiles, SCAN_THREADS,
		SCAN_WARPS * space::PIECES * sizeof(uint4), stream>>>
		(a, 0, folds, NULL);
	return gs_launched();
}

/* The product of the chunk and all before it, to *total on the device. */
template <typename T>
static cudaError_t
reduce(const scan_args &a, gs_product *tree, gs_product *total,
	   cudaStream_t stream)
{
	typedef region<T, double> space;
	int64_t		leaves = a.n / LEAF;

	GS_TRY(grow_tree<T>(a, tree, stream));
	GS_TRY(fold(tree, a.first / LEAF + leaves, 1, total, stream));
	if (a.n % LEAF == 0)
		return cudaSuccess;
	products_kernel<T><<<1, SCAN_THREADS,
		SCAN_WARPS * space::PIECES * sizeof(uint4), stream>>>
		(a, leaves, total, total);
	return gs_launched();
}

#define OF_EACH_TYPE(f) \
	{NULL, NULL, f<int16_t>, f<int32_t>, f<int64_t>, f<float>, f<double>}

typedef cudaError_t (*step) (const scan_args &a, gs_product *tree,
							 gs_product *more, cudaStream_t stream);

static const step scans[] = OF_EACH_TYPE(scan);
static const step reductions[] = OF_EACH_TYPE(reduce);

cudaError_t
gs_scan_products(const gs_op *op, const scan_args &a, void *tree,
				 void *scratch, cudaStream_t stream)
{
	return scans[op->type] (a, (gs_product *) tree, (gs_product *) scratch,
							stream);
}

/* ----------
 * The family: GS_PRODUCT
 * ----------
 */

/* The state: the product so far, and the tree. */
static size_t
product_state_size(const gs_op *, int64_t n)
{
	return GS_DEVICE_ALIGN + gs_product_tree_size(n);
}

static size_t
product_report_size(const gs_op *)
{
	return sizeof(gs_product);
}

static size_t
product_scratch_size(const gs_op *, int64_t chunk)
{
	return gs_aligned(gs_ranks_size(chunk)) + gs_ranks_scratch_size(chunk);
}

/* What an empty array leaves undefined, is 0. */
static cudaError_t
product_start(const gs_op *, int64_t, void *state, cudaStream_t stream)
{
	return cudaMemsetAsync(state, 0, sizeof(gs_product), stream);
}

static cudaError_t
product_chunk(const gs_op *op, const gs_device_input *in,
			  const gs_device_output *, void *state, void *scratch,
			  cudaStream_t stream)
{
	char	   *at = (char *) state;
	gs_product *total = (gs_product *) gs_part(&at, sizeof(gs_product));
	gs_product *tree = (gs_product *) at;
	uint32_t   *ranks;
	scan_args	a;

	memset(&a, 0, sizeof a);
	a.first = in->first;
	a.n = in->n;
	a.tiles = gs_divide_up(in->n, TILE_ITEMS);
	a.values = in->data.values;
	a.validity = in->data.validity;
	if (a.validity != NULL)
	{
		at = (char *) scratch;
		ranks = (uint32_t *) gs_part(&at, gs_ranks_size(in->n));
		GS_TRY(gs_ranks(a.validity, a.n, ranks, at, stream));
		a.ranks = ranks;
	}
	return reductions[op->type] (a, tree, total, stream);
}

static cudaError_t
product_finish(const gs_op *, int64_t, void *, cudaStream_t)
{
	return cudaSuccess;
}

static void
product_result(const gs_op *, const void *report, gs_result *result)
{
	memcpy(&result->product, report, sizeof result->product);
}

const gs_family gs_product_family = {
	"product",
	product_state_size,
	product_report_size,
	product_scratch_size,
	product_start,
	product_chunk,
	product_finish,
	product_result
};
