/*-------------------------------------------------------------------------
 *
 * state_sum.c
 *	  The sums of a state, and figures of them as SQL values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "call/figures.h"
#include "state/state_parts.h"

/* The GS_SEEN_... flags of the elements that are summed in window w. */
static uint32_t
seen(const gs_state *s, int w)
{
	const int64_t *count = specials(s);

	if (!s->has_specials)
		return s->n > 0 ? GS_SEEN_NOT_NEGATIVE_ZERO : 0;
	if (s->kind == GS_STATE_PAIRS)
		return GS_SEEN_NOT_NEGATIVE_ZERO |
			(count[w == GS_SUM_WINDOW ? GS_SPECIAL_X : GS_SPECIAL_Y] > 0 ?
			 GS_SEEN_NAN : 0);
	return (count[GS_SPECIAL_NAN] > 0 ? GS_SEEN_NAN : 0) |
		(count[GS_SPECIAL_POSITIVE_INF] > 0 ? GS_SEEN_POSITIVE_INF : 0) |
		(count[GS_SPECIAL_NEGATIVE_INF] > 0 ? GS_SEEN_NEGATIVE_INF : 0) |
		(count[GS_SPECIAL_NEGATIVE_ZERO] < s->n ?
		 GS_SEEN_NOT_NEGATIVE_ZERO : 0);
}

/* A complete sum of real numbers in limbs: window w and its pair. */
gs_limbs
gs_state_limbs(const gs_state *s, int w, gs_limbs_buffer *buffer)
{
	const gs_limb_window *window = window_of(s, w);
	const double *part = is_sum(w) ? &pair_of(s, w)->hi : NULL;
	uint64_t	m[2] = {0, 0};
	int			position[2];
	bool		negative[2];
	int			first = window_limit(w);
	int			end = 0;
	gs_limbs	r;

	if (window->base != GS_NO_BASE)
	{
		first = window->base;
		end = first + window->limbs;
	}
	for (int i = 0; part != NULL && i < 2; i++)
	{
		m[i] = gs_split(part[i], &position[i], &negative[i]);
		if (m[i] != 0)
		{
			first = Min(first, position[i] >> 5);
			end = Max(end, (position[i] >> 5) + 3);
		}
	}
	r.n = Max(end - first, 0);
	memset(buffer->limb, 0, sizeof(int64_t) * r.n);
	if (window->base != GS_NO_BASE)
		memcpy(buffer->limb + window->base - first, limbs(s, w),
			   sizeof(int64_t) * window->limbs);
	for (int i = 0; i < 2; i++)
	{
		if (m[i] != 0)
			gs_limbs_add(buffer->limb, m[i], position[i] - 32 * first,
						 negative[i]);
	}
	r.limb = buffer->limb;
	r.lowest = 32 * first + window_lowest(w);
	r.seen = seen(s, w);
	return r;
}

/* Is the whole sum in the pair, and not zero? */
static inline bool
sum_is_pair(const gs_state *s)
{
	return !s->has_specials && s->window[GS_SUM_WINDOW].base == GS_NO_BASE &&
		s->sum.pair.hi + s->sum.pair.lo != 0;
}

/*
 * pair / n, if a quotient in twice the precision determines its rounding;
 * otherwise false.
 *
 * With q = round(hi / n), the remainder hi - q n + lo is within a few units in
 * the last place of hi.  It is exact except for the addition of lo, so that
 * remainder / n has a relative error below 2^-49.
 */
static bool
mean_of_pair(gs_pair pair, int64_t n, double *result)
{
	const double doubt = 1 / 35184372088832.0;	/* 2^-45 */
	gs_pair		s = gs_two_sum(pair.hi, pair.lo);
	gs_pair		p;
	double		q;
	double		rest;

	if (!(fabs(s.hi) < 1e290 && fabs(s.hi) > 1e-250 && n < INT64_C(1) << 53))
		return false;
	q = s.hi / (double) n;
	p = gs_two_product(q, (double) n);
	rest = (((s.hi - p.hi) - p.lo) + s.lo) / (double) n;
	*result = q + rest;
	return q + (rest - fabs(rest) * doubt) == q + (rest + fabs(rest) * doubt);
}

/* Of a sum that is in the pair; false: it takes the limbs. */
static bool
figure_of_pair(const gs_state *s, gs_figure f, double *result)
{
	switch (f)
	{
		case GS_FIGURE_SUM:
			*result = s->sum.pair.hi + s->sum.pair.lo;
			return gs_is_finite(*result);
		case GS_FIGURE_SUM_REAL:
			*result = (float) gs_round_to_odd(s->sum.pair);
			return gs_is_finite(*result);
		case GS_FIGURE_AVG:
			return mean_of_pair(s->sum.pair, s->n, result);
		default:
			return false;
	}
}

gs_sums
gs_state_sums(const gs_state *s, gs_limbs_buffer *buffer)
{
	gs_sums		r = {.n = s->n};

	if (gs_state_is_integer(s->kind))
		return gs_sums_of_integers(s->n, s->sum.integer,
								   lengthof(s->sum.integer),
								   (const uint64_t *) s->tail, 0);
	r.x = gs_state_limbs(s, GS_SUM_WINDOW, &buffer[0]);
	if (gs_state_has_squares(s->kind))
		r.xx = gs_state_limbs(s, GS_SQUARES_WINDOW, &buffer[1]);
	if (s->kind != GS_STATE_PAIRS)
		return r;
	r.y = gs_state_limbs(s, GS_SUM_Y_WINDOW, &buffer[2]);
	r.yy = gs_state_limbs(s, GS_SQUARES_Y_WINDOW, &buffer[3]);
	r.xy = gs_state_limbs(s, GS_PRODUCTS_WINDOW, &buffer[4]);
	return r;
}

Datum
gs_state_result(const gs_state *s, gs_figure f, bool *isnull)
{
	gs_limbs_buffer buffer[GS_PAIR_WINDOWS];
	gs_sums		sums;
	double		value;

	if (!gs_state_is_integer(s->kind) && sum_is_pair(s) &&
		figure_of_pair(s, f, &value))
		return f == GS_FIGURE_SUM_REAL ? Float4GetDatum((float4) value) :
			Float8GetDatum(value);
	sums = gs_state_sums(s, buffer);
	return gs_figure_result(f, &sums, isnull);
}

/* The state must not be empty. */
void
gs_state_extremes(const gs_state *s, double *min, double *max)
{
	*min = extremes(s)[0];
	*max = extremes(s)[1];
}

void
gs_state_get_specials(const gs_state *s, int64_t *counts)
{
	for (int i = 0; i < GS_SPECIALS; i++)
		counts[i] = s->has_specials && i < special_count(s->kind) ?
			specials(s)[i] : 0;
}

/* Store sums of real numbers in a state that is zero, with capacity. */
void
gs_state_set_canonical(gs_state *s, const gs_canonical *f)
{
	if (s->kind == GS_STATE_STATS)
		memcpy(extremes(s), f->extreme, sizeof f->extreme);
	if (s->has_specials)
		memcpy(specials(s), f->special,
			   sizeof(int64_t) * special_count(s->kind));
	for (int w = 0; w < window_count(s->kind); w++)
	{
		gs_limb_window *window = window_of(s, w);
		const gs_canonical_sum *from = &f->window[w];
		int64_t    *to;

		if (from->words == 0)
			continue;
		window->base = Min(from->first, window_limit(w) - window->limbs);
		to = limbs(s, w) + from->first - window->base;
		for (int i = 0; i < from->words; i++)
			to[i] = from->negative ? -(int64_t) from->word[i] : from->word[i];
	}
}
