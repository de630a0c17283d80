/*-------------------------------------------------------------------------
 *
 * ewma.c
 *	  Exponentially weighted means on the CPU, as exact/ewma.h defines them.
 *
 * Without NULLs, quick steps are tried first.  Where one of their results is in
 * doubt, all are computed by the definition.
 *
 *-------------------------------------------------------------------------
 */
#include <float.h>
#include <math.h>

#include "engine/cpu/moving/moving.h"
#include "exact/ewma.h"
#include "exact/line.h"

/* The elements that are not NULL, a tile at a time. */
typedef struct ewma_source
{
	gs_type		type;
	int64_t		n;
	const void *elements;
	const uint32_t *before;		/* NULL: no element is NULL */
	int64_t		at;				/* the place after the last one read */

	/* of the tile, by number */
	double		x[GS_EWMA_TILE];
	double		low[GS_EWMA_TILE];	/* of bigint: what x lacks */
	int64_t		place[GS_EWMA_TILE];	/* from 0; only if some are NULL */
	int32_t		gap[GS_EWMA_TILE];
} ewma_source;

/* Element i as a double; what that lacks goes to *low. */
static inline double
value_at(const ewma_source *s, int64_t i, double *low)
{
	gs_pair		pair;

	switch (s->type)
	{
		case GS_FLOAT8:
			return ((const double *) s->elements)[i];
		case GS_FLOAT4:
			return ((const float *) s->elements)[i];
		case GS_INT8:
			pair = gs_pair_normal(((const int64_t *) s->elements)[i]);
			*low = pair.lo;
			return pair.hi;
		case GS_INT4:
			return ((const int32_t *) s->elements)[i];
		default:
			return ((const int16_t *) s->elements)[i];
	}
}

#define READ(type) \
	do \
	{ \
		const type *from = (const type *) s->elements + s->at; \
\
		for (int i = 0; i < n; i++) \
			s->x[i] = from[i]; \
	} while (0)

/* The next n elements, none of which is NULL. */
static void
read_all(ewma_source *s, int n)
{
	switch (s->type)
	{
		case GS_FLOAT8:
			READ(double);
			break;
		case GS_FLOAT4:
			READ(float);
			break;
		case GS_INT4:
			READ(int32_t);
			break;
		case GS_INT2:
			READ(int16_t);
			break;
		default:
			for (int i = 0; i < n; i++)
				s->x[i] = value_at(s, s->at + i, &s->low[i]);
	}
	s->at += n;
}

/* The next n elements that are not NULL. */
static void
read_present(ewma_source *s, int n, int64_t *last_place)
{
	for (int i = 0; i < n; i++, s->at++)
	{
		while (s->before[s->at + 1] == s->before[s->at])
			s->at++;
		s->x[i] = value_at(s, s->at, &s->low[i]);
		s->place[i] = s->at;
		s->gap[i] = (int32_t) (s->at - *last_place);
		*last_place = s->at;
	}
}

/*
 * How many come before the first that is not finite; the greatest magnitude of
 * those that are.  For a NULL there is a 0.
 */
static int64_t
count_finite(const ewma_source *s, int64_t present, double *greatest)
{
	double		most = 0;
	int64_t		finite = present;
	int64_t		since = 0;

	for (int64_t i = 0; i < s->n; i++)
	{
		double		low;
		double		magnitude = fabs(value_at(s, i, &low));

		pause_after(&since, 1);
		if (magnitude <= DBL_MAX)
			most = magnitude > most ? magnitude : most;
		else if (finite == present)
			finite = s->before == NULL ? i : s->before[i];
	}
	*greatest = most;
	return finite;
}

/*
 * The means of all up to each, one of which is not finite: of those only that
 * matters.  With alpha 1 each element is its own mean.
 */
static void
mean_specials(const ewma_source *s, double alpha, int n, uint32_t *seen,
			  double *mean)
{
	for (int i = 0; i < n; i++)
	{
		*seen |= gs_seen(s->x[i]);
		if (alpha == 1)
			mean[i] = s->x[i] != s->x[i] ? gs_canonical_nan() : s->x[i];
		else if ((*seen & GS_SEEN_NAN) ||
				 ((*seen & GS_SEEN_POSITIVE_INF) &&
				  (*seen & GS_SEEN_NEGATIVE_INF)))
			mean[i] = gs_canonical_nan();
		else
			mean[i] = *seen & GS_SEEN_POSITIVE_INF ? INFINITY : -INFINITY;
	}
}

/* Results from `from` up to `to` that are as the one before; 0 before all. */
static void
fill(double *result, int64_t from, int64_t to)
{
	for (int64_t i = from; i < to; i++)
		result[i] = i > 0 ? result[i - 1] : 0;
}

#if defined(__x86_64__) && defined(__GNUC__)

#define FMA		__attribute__((target("avx2,fma")))

/* Of a smaller alpha too many results would be in doubt. */
#define LEAST_QUICK_ALPHA	0x1p-10

/* In the order of magnitudes, infinities and NaN last. */
#define BITS_OF(exponent)	((uint64_t) ((exponent) + 1023) << 52)

typedef struct quick_mean
{
	gs_pair		keep;
	double		alpha;
	double		doubt;			/* of the greatest magnitude */
	gs_pair		sum;
} quick_mean;

static FMA uint64_t
greatest_bits(const double *x, int n)
{
	int64_t		most = 0;

	for (int i = 0; i < n; i++)
	{
		int64_t		bits = gs_double_bits(x[i]) & INT64_MAX;

		most = bits > most ? bits : most;
	}
	return most;
}

/* False: a result is in doubt. */
static FMA bool
quick_steps(quick_mean *q, const double *x, int n, double greatest,
			double *result)
{
	double		doubt = q->doubt * greatest;
	int			doubtful = 0;
	double		hi[GS_EWMA_TILE];
	double		lo[GS_EWMA_TILE];

	for (int i = 0; i < n;)
	{
		int			end = n - i < GS_EWMA_QUICK ? n : i + GS_EWMA_QUICK;

		q->sum = gs_fast_two_sum(q->sum.hi, q->sum.lo);
		for (; i < end; i++)
		{
			q->sum = gs_ewma_quick_step(q->keep, q->sum, q->alpha, x[i]);
			hi[i] = q->sum.hi;
			lo[i] = q->sum.lo;
		}
	}
	for (int i = 0; i < n; i++)
		doubtful += !gs_ewma_is_sure((gs_pair) {hi[i], lo[i]}, doubt,
									 &result[i]);
	return doubtful == 0;
}

/*
 * All means, of an array without NULLs; false: it is not known whether they are.
 *
 * The definition's are the first: with alpha 0.5, say, one often lies halfway
 * between two doubles there, before it has more than 53 bits.  With adjustment
 * the weight is 1 / alpha, but for a part (1 - alpha)^n of it, which is below
 * 2^-130 after 91 / alpha elements.
 */
static bool
quick_means(ewma_source *s, const gs_op *op, int64_t *since, double *result)
{
	const double alpha = op->ewma.alpha;
	const int64_t by_definition = op->ewma.adjust ? (int64_t) (91 / alpha) : 1;
	quick_mean	q = {.keep = gs_two_sum(1, -alpha), .alpha = alpha,
		.doubt = gs_ewma_doubt(alpha)};
	uint64_t	most = 0;
	gs_ewma		e;

	gs_ewma_open(&e, alpha, op->ewma.adjust, 1);
	while (s->at < s->n)
	{
		const int64_t at = s->at;
		const int	n = s->n - at < GS_EWMA_TILE ? (int) (s->n - at) :
			GS_EWMA_TILE;
		uint64_t	bits;
		bool		sure;

		read_all(s, n);
		bits = greatest_bits(s->x, n);
		most = bits > most ? bits : most;
		if (most < BITS_OF(-700) || most >= BITS_OF(900))
			return false;
		if (at == 0 && !op->ewma.adjust)
			q.sum.hi = s->x[0]; /* (1 - alpha) x + alpha x = x */
		sure = quick_steps(&q, s->x, n, gs_bits_double(most), result + at);
		if (at <= by_definition)
			gs_ewma_next(&e, s->x, NULL, NULL, n, result + at);
		else if (!sure)
			return false;
		pause_after(since, n);
	}
	return gs_ewma_scale(gs_bits_double(most)) == 1;
}

/* May they be tried, on this machine? */
static bool
can_be_quick(const gs_op *op, const uint32_t *before)
{
	return before == NULL && op->type != GS_INT8 &&
		op->ewma.alpha >= LEAST_QUICK_ALPHA && op->ewma.alpha < 1 &&
		gs_cpu_lanes() >= 4;
}

#else
#define can_be_quick(op, before)					false
#define quick_means(s, op, since, result)			false
#endif

void
cpu_ewma(const gs_op *op, int64_t n, const void *elements,
		 const uint32_t *before, double *result)
{
	ewma_source s = {.type = (gs_type) op->type, .n = n,
		.elements = elements, .before = before};
	bool		adjust = op->ewma.adjust;
	bool		has_low = s.type == GS_INT8;
	int64_t		present = before == NULL ? n : before[n];
	int64_t		finite = present;
	int64_t		place = -1;		/* of the last one read */
	int64_t		since = 0;
	double		greatest = 1;
	uint32_t	seen = 0;
	gs_ewma		e;

	if (can_be_quick(op, before) && quick_means(&s, op, &since, result))
		return;
	s.at = 0;

	/* integers are neither too large nor too small to be multiplied */
	if (s.type == GS_FLOAT4 || s.type == GS_FLOAT8)
		finite = count_finite(&s, present, &greatest);
	if (op->ewma.alpha == 1)
		finite = 0;
	gs_ewma_open(&e, op->ewma.alpha, adjust, greatest);
	for (int64_t at = 0; at < present;)
	{
		double		mean[GS_EWMA_TILE];
		int64_t		left = (at < finite ? finite : present) - at;
		int			k = left < GS_EWMA_TILE ? (int) left : GS_EWMA_TILE;
		int64_t		filled = s.at;
		double	   *to = before == NULL ? result + s.at : mean;

		if (before == NULL)
			read_all(&s, k);
		else
			read_present(&s, k, &place);
		if (at < finite)
			gs_ewma_next(&e, s.x, has_low ? s.low : NULL,
						 before == NULL ? NULL : s.gap, k, to);
		else
			mean_specials(&s, op->ewma.alpha, k, &seen, to);
		for (int i = 0; before != NULL && i < k; i++)
		{
			fill(result, filled, s.place[i]);
			result[s.place[i]] = mean[i];
			filled = s.place[i] + 1;
		}
		at += k;
		pause_after(&since, k);
	}
	fill(result, s.at, n);
}
