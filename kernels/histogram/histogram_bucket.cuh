/*-------------------------------------------------------------------------
 *
 * histogram_bucket.cuh
 *	  Which bucket of a histogram a value falls into.
 *
 * A rule maps a double to an index into the counts: 0 below the range, 1 to
 * `buckets` within, buckets + 1 at or above, buckets + 2 for NaN.  There are
 * four rules:
 *
 * - width_rule evaluates the server's formula (gs_bucket_formula), bit for
 *   bit, in nine operations without a branch.  Its division by the width,
 *   which is constant, is a multiplication by the reciprocal whose result is
 *   then corrected to the rounded quotient: see divide.
 * - plain_width_rule is the formula as written, for widths so large or so
 *   small that the correction could overflow or underflow.
 * - shared_edges_rule and global_edges_rule search among given edges, in
 *   shared or in global memory.  A monotone map assigns values and edges to
 *   cells.  However the map rounds, an edge in a lower cell is below the
 *   value, and one in a higher cell above it, so only the edges in the value's
 *   own cell are compared: mostly one or none.
 *
 * Device functions use rounding intrinsics, which the compiler never fuses.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_HISTOGRAM_BUCKET_CUH
#define GS_HISTOGRAM_BUCKET_CUH

#include <math.h>

#include "engine/engine.h"

/*
 * What the two width rules share.  If the bounds are reversed, bounds and
 * values are negated, which changes no rounding.
 */
typedef struct width_bounds
{
	int			flip;			/* XORed to a value's upper word: the sign bit
								 * or 0 */
	int			buckets;
	double		low;
	double		high;			/* > low */
	double		width;			/* high - low, rounded; may be infinite */

	__device__ double flipped(double v) const
	{
		return __hiloint2double(__double2hiint(v) ^ flip, __double2loint(v));
	}
} width_bounds;

static inline width_bounds
width_bounds_of(const gs_op *op)
{
	width_bounds b;
	bool		reversed = op->histogram.low > op->histogram.high;

	b.flip = reversed ? INT32_MIN : 0;
	b.buckets = op->histogram.buckets;
	b.low = reversed ? -op->histogram.low : op->histogram.low;
	b.high = reversed ? -op->histogram.high : op->histogram.high;
	b.width = b.high - b.low;
	return b;
}

typedef struct width_rule
{
	width_bounds bounds;
	double		origin;			/* -low, but +0 for both zeros */
	double		inverse;		/* 1 / width, rounded */
	double		inverse_rest;	/* 1 / width - inverse, rounded */

	/*
	 * Both formulas: trunc(after * (before * d / w) + plus), at most
	 * max_bucket, + base.  Factors of 1 and a term of 0 round nothing.
	 */
	double		before;
	double		after;
	double		plus;
	int			max_bucket;
	int			base;

	__device__ void open(char *shared) {}

	/*
	 * x / width, correctly rounded.  The first quotient errs by little more
	 * than half a unit in its last place and its remainder is exact, so one
	 * step with the rounded reciprocal gives the rounded quotient (Markstein,
	 * IBM J. Res. Dev. 34, 1990, theorem 7).  width_rule_serves() rules out
	 * overflow; underflow affects only quotients below 2^-54, which fall into
	 * the first bucket anyway.
	 */
	__device__ double divide(double x) const
	{
		double		q = __fma_rn(x, inverse, __dmul_rn(x, inverse_rest));
		double		rest = __fma_rn(-q, bounds.width, x);

		return __fma_rn(rest, inverse, q);
	}

	__device__ int bucket(double v) const
	{
		double		x = bounds.flipped(v);
		double		d = __dadd_rn(x, origin);	/* never -0 */
		double		q = divide(__dmul_rn(before, d));
		double		t = __fma_rn(q, after, plus);
		int			k;

		/* adding 2^52 puts the integer part into the low bits */
		k = __double2loint(__dadd_rz(t, 4503599627370496.0));
		k = min(k, max_bucket) + base;
		k = __double2hiint(d) < 0 ? 0 : k;
		k = x >= bounds.high ? bounds.buckets + 1 : k;
		return x == x ? k : bounds.buckets + 2;
	}
} width_rule;

/* Is the range of op ordinary enough for a width_rule? */
static inline bool
width_rule_serves(const gs_op *op)
{
	double		width = fabs(op->histogram.high - op->histogram.low);

	return width >= 0x1p-900 && width <= 0x1p900;
}

static inline width_rule
width_rule_of(const gs_op *op)
{
	bool		product_first = op->histogram.formula == GS_BUCKET_PRODUCT_FIRST;
	width_rule	r;

	r.bounds = width_bounds_of(op);
	r.origin = 0 - r.bounds.low;
	r.inverse = 1 / r.bounds.width;
	r.inverse_rest = fma(-r.inverse, r.bounds.width, 1) * r.inverse;
	r.before = product_first ? op->histogram.buckets : 1;
	r.after = product_first ? 1 : op->histogram.buckets;
	r.plus = product_first ? 1 : 0;
	r.max_bucket = product_first ? op->histogram.buckets + 1 : op->histogram.buckets - 1;
	r.base = product_first ? 0 : 1;
	return r;
}

typedef struct plain_width_rule
{
	width_bounds bounds;
	int			formula;

	__device__ void open(char *shared) {}

	__device__ int bucket(double v) const
	{
		double		x = bounds.flipped(v);
		double		low = bounds.low;
		double		width = bounds.width;
		double		t;

		if (x != x)
			return bounds.buckets + 2;
		if (x < low)
			return 0;
		if (x >= bounds.high)
			return bounds.buckets + 1;
		if (formula == GS_BUCKET_PRODUCT_FIRST)
		{
			t = __dmul_rn(bounds.buckets, __dsub_rn(x, low));
			t = __dadd_rn(__ddiv_rn(t, width), 1);
			return t < bounds.buckets + 2.0 ? (int) t : bounds.buckets + 1;
		}
		if (isinf(width))
		{
			x *= 0.5;
			low *= 0.5;
			width = __dsub_rn(bounds.high * 0.5, low);
		}
		t = __ddiv_rn(__dsub_rn(x, low), width);
		return min((int) __dmul_rn(bounds.buckets, t), bounds.buckets - 1) + 1;
	}
} plain_width_rule;

static inline plain_width_rule
plain_width_rule_of(const gs_op *op)
{
	plain_width_rule r;

	r.bounds = width_bounds_of(op);
	r.formula = op->histogram.formula;
	return r;
}

/*
 * Maps values to cells 0 to cells - 1.  The linear map suits edges that are
 * spread evenly.  The map by the bits of the value suits edges spread evenly
 * on a logarithmic scale, and everything beyond the range of a linear map.
 */
typedef struct cell_map
{
	int			linear;
	int			cells;
	double		scale;
	double		offset;
	int64_t		first;			/* lowest order_bits */
	int64_t		last;			/* highest order_bits */
	int			shift;
} cell_map;

/* Integers in the order of the doubles; -0 equals 0. */
GS_INLINE int64_t
order_bits(double v)
{
	int64_t		bits = (int64_t) gs_double_bits(v == 0 ? 0 : v);

	return bits ^ ((bits >> 63) & INT64_MAX);
}

GS_INLINE int
cell_of(const cell_map *map, double v)
{
	int64_t		key;

	if (map->linear)
	{
		double		t = fma(v, map->scale, map->offset);

#ifdef __CUDA_ARCH__
		int			cell = __double2int_rz(t);	/* saturates; NaN is 0 */
#else
		int			cell = t >= map->cells ? map->cells : t <= 0 ? 0 : (int) t;
#endif

		return cell < 0 ? 0 : cell >= map->cells ? map->cells - 1 : cell;
	}
	key = order_bits(v);
	key = key < map->first ? map->first : key > map->last ? map->last : key;
	return (int) ((uint64_t) (key - map->first) >> map->shift);
}

static inline cell_map
linear_cell_map(const double *edges, int n, int cells)
{
	/* edges may begin and end with an infinity */
	int			first = isinf(edges[0]) ? 1 : 0;
	int			last = isinf(edges[n - 1]) ? n - 2 : n - 1;
	cell_map	map = {0};

	map.cells = cells;
	if (first >= last)
		return map;
	map.scale = cells / (edges[last] - edges[first]);
	map.offset = -edges[first] * map.scale;
	map.linear = map.scale > 0 && isfinite(map.scale) && isfinite(map.offset);
	return map;
}

static inline cell_map
bitwise_cell_map(const double *edges, int n, int cells)
{
	cell_map	map = {0};

	map.first = order_bits(edges[0]);
	map.last = order_bits(edges[n - 1]);
	while ((uint64_t) (map.last - map.first) >> map.shift >= (uint64_t) cells)
		map.shift++;
	map.cells = cells;
	return map;
}

/*
 * The expected number of edges in a value's cell, if values are distributed
 * like edges.
 */
static inline double
cell_map_crowding(const cell_map *map, const double *edges, int n)
{
	int			step = n / 4096 + 1;
	int			before = -1;
	int			run = 0;
	double		sum = 0;

	for (int i = 0; i < n; i += step)
	{
		int			cell = cell_of(map, edges[i]);

		run = cell == before ? run + 1 : 1;
		before = cell;
		sum += run;
	}
	return sum;
}

static inline cell_map
cell_map_of(const double *edges, int n, int cells)
{
	cell_map	linear = linear_cell_map(edges, n, cells);
	cell_map	bitwise = bitwise_cell_map(edges, n, cells);

	if (linear.linear && cell_map_crowding(&linear, edges, n) <=
		cell_map_crowding(&bitwise, edges, n))
		return linear;
	return bitwise;
}

/* The index of the first edge > v, from `first` on, among `few` edges. */
__device__ static inline int
search_edges(const double *edges, int first, int few, double v)
{
	while (few > 0)
	{
		int			half = few >> 1;

		if (v >= edges[first + half])
		{
			first += half + 1;
			few -= half + 1;
		}
		else
			few = half;
	}
	return first;
}

typedef struct global_edges_rule
{
	cell_map	map;
	const double *edges;
	const uint32_t *starts;		/* cells + 1: edges in lower cells */
	int			buckets;

	__device__ void open(char *shared) {}

	__device__ int bucket(double v) const
	{
		int			cell = cell_of(&map, v);
		int			first = starts[cell];
		int			k = search_edges(edges, first, starts[cell + 1] - first,
									 v);

		return v == v ? k : buckets + 2;
	}
} global_edges_rule;

/* Shared memory holds the edges and then, for each cell, its start and size. */
typedef struct shared_edges_rule
{
	global_edges_rule global_rule;
	double	   *edges;
	uint32_t   *cells;

	static size_t shared_size(int buckets, int cells)
	{
		return (buckets + 1) * sizeof(double) + cells * sizeof(uint32_t);
	}

	__device__ void open(char *shared)
	{
		edges = (double *) shared;
		cells = (uint32_t *) (edges + global_rule.buckets + 1);
		for (int i = threadIdx.x; i <= global_rule.buckets; i += blockDim.x)
			edges[i] = global_rule.edges[i];
		for (int i = threadIdx.x; i < global_rule.map.cells; i += blockDim.x)
		{
			uint32_t	start = global_rule.starts[i];

			cells[i] = start << 16 | (global_rule.starts[i + 1] - start);
		}
	}

	__device__ int bucket(double v) const
	{
		uint32_t	cell = cells[cell_of(&global_rule.map, v)];
		int			k = search_edges(edges, cell >> 16, cell & 0xffff, v);

		return v == v ? k : global_rule.buckets + 2;
	}
} shared_edges_rule;

#endif							/* GS_HISTOGRAM_BUCKET_CUH */
