/*-------------------------------------------------------------------------
 *
 * histogram.c
 *	  Histograms on the CPU.
 *
 * NULLs are not counted, so the loops run over the packed values.  A block's
 * bucket numbers are computed first, without branches, and then counted.  A
 * few buckets are counted in several copies by turns, so that equal values do
 * not depend on each other's increments.
 *
 * Bucket numbers are those of gs_result.counts: 0 below, 1 to n the buckets, n
 * + 1 at or above, n + 2 NaN.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/histogram/edges.h"

#include <stdlib.h>

/* Copies of the counts; with this many buckets they fit in 32 KB of cache. */
#define COPIES			4
#define COPIED_BUCKETS	1021

typedef struct histogram
{
	gs_edge_index *index;		/* of the edges, or NULL */
	int64_t		size;			/* of one copy of the counts */
	int			copies;
	int64_t		counts[];
} histogram;

/*
 * Bucket numbers of equal width, by the server's own formula.  Reversed bounds
 * are handled by negating all numbers, since every rounding is symmetric.  If
 * the formula overflows and gives no bucket, the value counts as above the
 * range.
 *
 * All choices are made between doubles, so that the loop has no branches; the
 * second formula adds its 1 to the integer.
 */
typedef struct width_formula
{
	double		sign;
	double		scale;			/* 0.5 if the width is beyond double */
	double		low;
	double		high;
	double		width;
	double		buckets;
} width_formula;

static width_formula
width_formula_of(const gs_op *op)
{
	width_formula f;

	f.sign = op->histogram.low < op->histogram.high ? 1 : -1;
	f.scale = 1;
	f.low = f.sign * op->histogram.low;
	f.high = f.sign * op->histogram.high;
	f.width = f.high - f.low;
	f.buckets = op->histogram.buckets;
	if (op->histogram.formula == GS_BUCKET_QUOTIENT_FIRST &&
		!gs_is_finite(f.width))
	{
		f.scale = 0.5;
		f.width = f.high / 2 - f.low / 2;
	}
	return f;
}

ALWAYS_INLINE lanes
choose(masks m, lanes x, lanes y)
{
	return (lanes) (((masks) x & m) | ((masks) y & ~m));
}

/*
 * The bucket of x, given what the formula says; all numbers are less by `add`.
 */
ALWAYS_INLINE lanes
or_outside(lanes bucket, lanes x, const width_formula *f, double add)
{
	const lanes zero = {0, 0};

	bucket = choose((masks) (x < f->low), zero - add, bucket);
	bucket = choose((masks) (x >= f->high), zero + (f->buckets + 1 - add),
					bucket);
	return choose((masks) (x == x), bucket, zero + (f->buckets + 2 - add));
}

/* n is even */
static void
number_product_first(const width_formula *given, const double *values, int n,
					 int32_t *number)
{
	const width_formula f = *given;
	const lanes zero = {0, 0};

	for (int i = 0; i < n; i += 2)
	{
		lanes		x = f.sign * load_float8(values + i);
		lanes		bucket = f.buckets * (x - f.low) / f.width + 1;

		bucket = choose((masks) (bucket < f.buckets + 2), bucket,
						zero + (f.buckets + 1));
		bucket = or_outside(bucket, x, &f, 0);
		number[i] = (int32_t) bucket[0];
		number[i + 1] = (int32_t) bucket[1];
	}
}

static void
number_quotient_first(const width_formula *given, const double *values,
					  int n, int32_t *number)
{
	const width_formula f = *given;
	const lanes zero = {0, 0};

	for (int i = 0; i < n; i += 2)
	{
		lanes		x = f.sign * load_float8(values + i);
		lanes		d = x * f.scale - f.low * f.scale;
		lanes		bucket = f.buckets * (d / f.width);

		bucket = choose((masks) (bucket < f.buckets), bucket,
						zero + (f.buckets - 1));
		bucket = or_outside(bucket, x, &f, 1);
		number[i] = (int32_t) bucket[0] + 1;
		number[i + 1] = (int32_t) bucket[1] + 1;
	}
}

DEFINE_SEARCH(search_edges, double, GS_IS_AT_MOST)

/* Bucket numbers between edges: how many edges are <= the value. */
static void
number_edges(const gs_op *op, const gs_edge_index *index, const double *x,
			 int n, int32_t *number)
{
	if (index != NULL)
		gs_edge_starts(index, x, n, number);
	else
		memset(number, 0, n * sizeof *number);
	search_edges(op->histogram.edges, index != NULL ? index->most :
				 (int64_t) op->histogram.buckets + 1, x, n, number);
	for (int i = 0; i < n; i++)
		number[i] = x[i] == x[i] ? number[i] : op->histogram.buckets + 2;
}

static gs_status
histogram_begin(gs_run *run)
{
	int64_t		size = (int64_t) run->op->histogram.buckets + 3;
	int			copies = run->op->histogram.buckets <= COPIED_BUCKETS ?
		COPIES : 1;
	histogram  *h = calloc(1, sizeof *h + sizeof(int64_t) * size * copies);

	if (h == NULL)
		return GS_NO_MEMORY;
	h->size = size;
	h->copies = copies;
	if (run->op->kind == GS_HISTOGRAM_EDGES)
		h->index = gs_cpu_index_edges(run->op->histogram.edges,
									  gs_edge_count(run->op), run->n);
	run->state = h;
	return GS_OK;
}

static void
count(histogram *h, const int32_t *number, int n)
{
	int64_t    *counts = h->counts;
	int64_t		step = h->copies > 1 ? h->size : 0;
	int			i;

	for (i = 0; i + COPIES <= n; i += COPIES)
	{
		counts[number[i]]++;
		counts[number[i + 1] + step]++;
		counts[number[i + 2] + 2 * step]++;
		counts[number[i + 3] + 3 * step]++;
	}
	for (; i < n; i++)
		counts[number[i]]++;
}

/* The bucket numbers of n values, up to CPU_BLOCK, from index `at` on. */
static void
number_block(const gs_op *op, const width_formula *formula,
			 const gs_edge_index *index, const void *values, int64_t at, int n,
			 int32_t *number)
{
	const int	padded = gs_padded(n);
	double		x[CPU_BLOCK];

	gs_cpu_to_doubles((gs_type) op->type, (const char *) values +
					  at * gs_type_width((gs_type) op->type), n, x);
	/* the padding is not counted */
	for (int i = n; i < padded; i++)
		x[i] = 0;
	if (op->kind == GS_HISTOGRAM_EDGES)
		number_edges(op, index, x, padded, number);
	else if (op->histogram.formula == GS_BUCKET_PRODUCT_FIRST)
		number_product_first(formula, x, padded, number);
	else
		number_quotient_first(formula, x, padded, number);
}

void
gs_cpu_bucket_numbers(const gs_op *op, const void *values, int n,
					  int32_t *number)
{
	const width_formula formula = width_formula_of(op);
	int32_t		block[CPU_BLOCK];

	for (int at = 0; at < n; at += CPU_BLOCK)
	{
		int			size = gs_cpu_block_size(n - at);

		number_block(op, &formula, NULL, values, at, size, block);
		memcpy(number + at, block, size * sizeof *number);
	}
}

static gs_status
histogram_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	const gs_op *op = run->op;
	histogram  *h = run->state;
	int32_t		number[CPU_BLOCK];
	width_formula formula = {0};

	(void) out;
	if (op->kind == GS_HISTOGRAM_WIDTH)
		formula = width_formula_of(op);
	for (int64_t at = 0; at < in->data.present; at += CPU_BLOCK)
	{
		int			n = gs_cpu_block_size(in->data.present - at);

		number_block(op, &formula, h->index, in->data.values, at, n, number);
		count(h, number, n);
	}
	return GS_OK;
}

static void
histogram_finish(gs_run *run, gs_result *result)
{
	const histogram *h = run->state;

	memcpy(result->counts, h->counts, sizeof(int64_t) * h->size);
	for (int copy = 1; copy < h->copies; copy++)
	{
		for (int64_t i = 0; i < h->size; i++)
			result->counts[i] += h->counts[copy * h->size + i];
	}
}

static void
histogram_end(gs_run *run)
{
	histogram  *h = run->state;

	free(h->index);
	free(h);
}

const cpu_family gs_cpu_histogram = {
	.begin = histogram_begin, .feed = histogram_feed,
	.finish = histogram_finish, .end = histogram_end
};
