/*-------------------------------------------------------------------------
 *
 * cpu_ewma.c
 *	  Exponentially weighted means on the CPU, as exact/ewma.h defines them.
 *
 *-------------------------------------------------------------------------
 */
#include <float.h>
#include <math.h>

#include "engine/cpu/cpu_moving.h"
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

void
cpu_ewma(const gs_op *op, int64_t n, const void *elements,
		 const uint32_t *before, double *result)
{
	ewma_source s = {.type = (gs_type) op->type, .n = n,
		.elements = elements, .before = before};
	bool		adjust = op->exclusive;
	bool		has_low = s.type == GS_INT8;
	int64_t		present = before == NULL ? n : before[n];
	int64_t		finite = present;
	int64_t		place = -1;		/* of the last one read */
	int64_t		since = 0;
	double		greatest = 1;
	uint32_t	seen = 0;
	gs_ewma		e;

	/* integers are neither too large nor too small to be multiplied */
	if (s.type == GS_FLOAT4 || s.type == GS_FLOAT8)
		finite = count_finite(&s, present, &greatest);
	if (op->bound == 1)
		finite = 0;
	gs_ewma_open(&e, op->bound, adjust, greatest);
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
			mean_specials(&s, op->bound, k, &seen, to);
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
