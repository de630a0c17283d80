/*-------------------------------------------------------------------------
 *
 * ewma.c
 *	  Exponentially weighted means, a tile at a time.
 *
 * The runs of a tile go side by side, so that no step waits for the one before
 * and the compiler makes vectors of them.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/ewma.h"

#define RUN		GS_EWMA_RUN
#define RUNS	GS_EWMA_RUNS

#define ALWAYS_INLINE	static inline __attribute__((always_inline))

/* Pairs at the same place of all runs. */
typedef struct row
{
	double		hi[RUNS];
	double		lo[RUNS];
} row;

typedef struct factors
{
	row			pair;
	double		top[RUNS];
	double		rest[RUNS];
} factors;

/* What a tile computes; that of elements beyond the end is not used. */
typedef struct tile
{
	row			sum[RUN];		/* gain x; then partial sums */
	row			weight[RUN];	/* gain; then partial weights: if adjusted */

	/* of a tile with gaps */
	factors		keep[RUN];
	factors		product[RUN];	/* of what is kept, up to each element */
} tile;

#define FOR_TILE \
	for (int i = 0; i < RUN; i++) \
		for (int r = 0; r < RUNS; r++)

ALWAYS_INLINE gs_pair
get(const row *from, int r)
{
	return (gs_pair) {from->hi[r], from->lo[r]};
}

ALWAYS_INLINE void
put(row *to, int r, gs_pair x)
{
	to->hi[r] = x.hi;
	to->lo[r] = x.lo;
}

ALWAYS_INLINE gs_factor
get_factor(const factors *f, int r)
{
	return (gs_factor) {f->pair.hi[r], f->pair.lo[r], f->top[r], f->rest[r]};
}

ALWAYS_INLINE void
put_factor(factors *f, int r, gs_factor x)
{
	put(&f->pair, r, (gs_pair) {x.hi, x.lo});
	f->top[r] = x.top;
	f->rest[r] = x.rest;
}

static gs_ewma_step
find_step(gs_ewma *e, int64_t gap)
{
	if (gap > GS_EWMA_GAPS)
		return gs_ewma_step_of(e->alpha, e->adjust, gap);
	while (e->steps < gap)
	{
		e->steps++;
		e->step[e->steps - 1] = gs_ewma_step_of(e->alpha, e->adjust, e->steps);
	}
	return e->step[gap - 1];
}

void
gs_ewma_open(gs_ewma *e, double alpha, bool adjust, double greatest)
{
	gs_pair		all = {1, 0};
	gs_pair		weight = {0, 0};
	gs_factor	keep;

	*e = (gs_ewma) {
		.alpha = alpha,
		.adjust = adjust,
		.scale = gs_ewma_scale(greatest)
	};
	keep = find_step(e, 1).keep;
	for (int i = 0; i < GS_EWMA_RUN; i++)
	{
		all = gs_factor_times(keep, all);
		all = gs_fast_two_sum(all.hi, all.lo);
		e->product[i] = gs_factor_of(all);
		weight = gs_pair_plus(gs_factor_times(keep, weight), (gs_pair) {1, 0});
		e->weight[i] = weight;
	}
}

/* Append a run; as gs_product_stack_push. */
static void
push(gs_ewma *e, gs_ewma_block block)
{
	int64_t		carry = e->elements / GS_EWMA_RUN;

	for (; carry & 1; carry >>= 1)
		block = gs_ewma_join(e->adjust, e->block[--e->depth], block);
	e->block[e->depth] = block;
	e->fold[e->depth] = e->depth == 0 ? block :
		gs_ewma_join(e->adjust, e->fold[e->depth - 1], block);
	e->depth++;
}

ALWAYS_INLINE void
read_part(const double *x, double scale, int n, row *to, bool low)
{
	FOR_TILE
	{
		double	   *into = low ? &to[i].lo[r] : &to[i].hi[r];
		int			k = r * RUN + i;

		*into = k < n ? x[k] * scale : 0;
	}
}

static void
read_elements(const gs_ewma *e, const double *x, const double *low, int n,
			  row *to)
{
	if (n == GS_EWMA_TILE)
		read_part(x, e->scale, GS_EWMA_TILE, to, false);
	else
		read_part(x, e->scale, n, to, false);
	if (low != NULL)
		read_part(low, e->scale, n, to, true);
	else
	{
		FOR_TILE
			to[i].lo[r] = 0;
	}
}

/* Partial sums of gains, in their place; keep NULL: all are `even`. */
ALWAYS_INLINE void
sum_up(row *x, const factors *keep, gs_factor even)
{
	row			last = {0};

	FOR_TILE
	{
		gs_factor	factor = keep == NULL ? even : get_factor(&keep[i], r);
		gs_pair		kept = gs_factor_times(factor, get(&last, r));
		gs_pair		sum = gs_pair_plus(kept, get(&x[i], r));

		put(&x[i], r, sum);
		put(&last, r, sum);
	}
}

static void
sum_evenly(const gs_ewma *e, tile *t)
{
	gs_ewma_step step = e->step[0];

	if (!e->adjust)
	{
		FOR_TILE
			put(&t->sum[i], r,
				gs_factor_times(step.gain, get(&t->sum[i], r)));
	}
	sum_up(t->sum, NULL, step.keep);
}

static void
multiply_up(tile *t)
{
	row			last;

	for (int r = 0; r < RUNS; r++)
		put(&last, r, (gs_pair) {1, 0});
	FOR_TILE
	{
		gs_pair		all = gs_factor_times(get_factor(&t->keep[i], r),
										  get(&last, r));

		all = gs_fast_two_sum(all.hi, all.lo);
		put(&last, r, all);
		put_factor(&t->product[i], r, gs_factor_of(all));
	}
}

static void
sum_with_gaps(gs_ewma *e, tile *t, const int32_t *gap, int n)
{
	for (int k = 0; k < GS_EWMA_TILE; k++)
	{
		int			i = k % RUN;
		int			r = k / RUN;
		gs_ewma_step step = find_step(e, gap != NULL && k < n ? gap[k] : 1);

		if (e->elements + k == 0)
			step = gs_ewma_first_step();
		put_factor(&t->keep[i], r, step.keep);
		put(&t->sum[i], r, gs_factor_times(step.gain, get(&t->sum[i], r)));
		put(&t->weight[i], r, (gs_pair) {1, 0});
	}
	sum_up(t->sum, t->keep, e->step[0].keep);
	if (e->adjust)
		sum_up(t->weight, t->keep, e->step[0].keep);
	multiply_up(t);
}

/* Append the tile's whole runs, and say what came before each. */
static void
push_runs(gs_ewma *e, const tile *t, bool even, int n, row *sum, row *weight)
{
	for (int r = 0; r * RUN < n; r++)
	{
		gs_factor	keep = even ? e->product[RUN - 1] :
			get_factor(&t->product[RUN - 1], r);
		gs_ewma_block block = {
			.keep = {keep.hi, keep.lo},
			.sum = get(&t->sum[RUN - 1], r),
			.weight = even ? e->weight[RUN - 1] :
			get(&t->weight[RUN - 1], r)
		};

		if (e->depth > 0)
		{
			put(sum, r, e->fold[e->depth - 1].sum);
			put(weight, r, e->fold[e->depth - 1].weight);
		}
		if ((r + 1) * RUN <= n)
		{
			push(e, block);
			e->elements += RUN;
		}
	}
}

/* The means, scaled, in place of the partial sums. */
ALWAYS_INLINE void
add_folds(const gs_ewma *e, tile *t, bool even, bool adjust, const row *sum,
		  const row *weight)
{
	FOR_TILE
	{
		gs_factor	kept = even ? e->product[i] :
			get_factor(&t->product[i], r);
		gs_pair		mean = gs_pair_plus(gs_factor_times(kept, get(sum, r)),
										get(&t->sum[i], r));

		if (adjust)
		{
			gs_pair		part = even ? e->weight[i] : get(&t->weight[i], r);
			gs_pair		whole = gs_factor_times(kept, get(weight, r));

			mean = gs_pair_over(mean, gs_pair_plus(whole, part));
		}
		t->sum[i].hi[r] = mean.hi;
	}
}

void
gs_ewma_next(gs_ewma *e, const double *x, const double *low,
			 const int32_t *gap, int n, double *result)
{
	bool		even = gap == NULL && e->elements > 0;
	double		scale_back = 1 / e->scale;
	tile		t;
	row			sum = {0};
	row			weight = {0};

	read_elements(e, x, low, n, t.sum);
	if (even)
		sum_evenly(e, &t);
	else
		sum_with_gaps(e, &t, gap, n);
	push_runs(e, &t, even, n, &sum, &weight);
	if (even && e->adjust)
		add_folds(e, &t, true, true, &sum, &weight);
	else if (even)
		add_folds(e, &t, true, false, &sum, &weight);
	else if (e->adjust)
		add_folds(e, &t, false, true, &sum, &weight);
	else
		add_folds(e, &t, false, false, &sum, &weight);
	for (int k = 0; k < n; k++)
		result[k] = t.sum[k % RUN].hi[k / RUN] * scale_back;
}
