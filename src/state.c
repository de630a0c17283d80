/*-------------------------------------------------------------------------
 *
 * state.c
 *	  What aggregates know of the rows so far: exact sums in a flat value.
 *
 * A row costs two error-free additions: the sum is kept as two doubles, and
 * what does not fit into them, nearly always nothing, goes to a window of
 * limbs (exact.h), which is as wide as the numbers need and grows with them.
 * Squares have so many bits that they go to limbs at once.
 *
 * All of this is exact, so what has been added can be taken away again; that
 * is what a moving frame does.  NaN, infinities and negative zeros can leave a
 * frame too, so they are counted, each for itself.
 *
 * A state grows by being copied.  In the aggregate's memory, where it is
 * changed in place, the executor takes the copy instead of it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"

#include <math.h>

#include "common/int.h"

#include "state.h"

static int
window_limit(int w)
{
	return w == GS_SUM_WINDOW ? GS_ACC_LIMBS : GS_ACC2_LIMBS;
}

/* Where parts of the tail are. */
static inline double *
extremes(const gs_state *s)
{
	return (double *) s->tail;
}

static inline int64_t *
specials(const gs_state *s)
{
	return (int64_t *) s->tail + (s->kind == GS_STATE_STATS ? 2 : 0);
}

static inline int64_t *
limbs(const gs_state *s, int w)
{
	int64_t    *first = specials(s) + (s->has_specials ? GS_SPECIALS : 0);

	return w == GS_SUM_WINDOW ? first : first + s->window[GS_SUM_WINDOW].limbs;
}

/* A copy with other windows, which hold the old ones, or with counters. */
static gs_state *
reshape(const gs_state *s, bool has_specials, const gs_window *window)
{
	gs_state	head = *s;
	gs_state   *r;
	Size		size;

	head.has_specials = has_specials;
	memcpy(head.window, window, sizeof head.window);
	size = offsetof(gs_state, tail) + sizeof(int64_t) *
		(limbs(&head, GS_SQUARES_WINDOW) - head.tail +
		 window[GS_SQUARES_WINDOW].limbs);
	r = palloc0(size);
	memcpy(r, &head, offsetof(gs_state, tail));
	SET_VARSIZE(r, size);

	if (s->kind == GS_STATE_STATS)
		memcpy(extremes(r), extremes(s), 2 * sizeof(double));
	if (s->has_specials)
		memcpy(specials(r), specials(s), GS_SPECIALS * sizeof(int64_t));
	for (int w = 0; w < GS_WINDOWS; w++)
	{
		if (s->window[w].base != GS_NO_BASE)
			memcpy(limbs(r, w) + s->window[w].base - window[w].base,
				   limbs(s, w), s->window[w].limbs * sizeof(int64_t));
	}
	return r;
}

/* Make room for limbs first .. last in window w, where they are not there. */
static pg_noinline gs_state *
widen(gs_state *s, int w, int first, int last)
{
	int			limit = window_limit(w);
	gs_window	window[GS_WINDOWS];
	int			base;
	int			end;

	memcpy(window, s->window, sizeof window);
	if (window[w].base == GS_NO_BASE)
	{
		int			spare = window[w].limbs - (last - first + 1);

		if (spare >= 0)
		{
			/* smaller numbers follow more often than larger ones */
			base = Max(first - (spare + 1) / 2, 0);
			s->window[w].base = Min(base, limit - window[w].limbs);
			return s;
		}
		base = first;
		end = last + 1;
	}
	else
	{
		base = Min(first, window[w].base);
		end = Max(last + 1, window[w].base + window[w].limbs);
	}
	base = Max(base - 1, 0);
	end = Min(end + 1, limit);
	window[w].base = base;
	window[w].limbs = end - base;
	return reshape(s, s->has_specials, window);
}

static inline gs_state *
make_room(gs_state *s, int w, int first, int last)
{
	if (likely(first >= s->window[w].base &&
			   last < s->window[w].base + s->window[w].limbs))
		return s;
	return widen(s, w, first, last);
}

/* Bring the limbs of both windows below 2^32; those at the top may need room. */
static pg_noinline gs_state *
propagate(gs_state *s)
{
	for (int w = 0; w < GS_WINDOWS; w++)
	{
		int			n = s->window[w].limbs;
		int			base = s->window[w].base;
		int64_t    *limb = limbs(s, w);
		int64_t		carry = 0;

		if (base == GS_NO_BASE)
			continue;
		for (int i = 0; i < n - 1; i++)
		{
			int64_t		sum = limb[i] + carry;

			limb[i] = sum & 0xffffffff;
			carry = sum >> 32;
		}
		limb[n - 1] += carry;
		carry = limb[n - 1] >> 32;
		if (carry != 0 && carry != -1 && base + n < window_limit(w))
		{
			s = make_room(s, w, base, base + n);
			limb = limbs(s, w) + base - s->window[w].base;
			limb[n - 1] &= 0xffffffff;
			limb[n] += carry;
		}
	}
	s->additions = 0;
	return s;
}

static inline gs_state *
count_additions(gs_state *s, int additions)
{
	s->additions += additions;
	if (unlikely(s->additions >= GS_ACC_ADDITIONS))
		s = propagate(s);
	return s;
}

/* Add m * 2^position, position counted from the least limb's lowest bit. */
static gs_state *
add_bits(gs_state *s, int w, uint64_t m, int position, bool negative)
{
	s = make_room(s, w, position >> 5, (position >> 5) + 2);
	gs_limbs_add(limbs(s, w), m, position - 32 * s->window[w].base, negative);
	return count_additions(s, 1);
}

static gs_state *
add_double_bits(gs_state *s, double x)
{
	uint64_t	m;
	int			position;
	bool		negative;

	m = gs_split(x, &position, &negative);
	return m == 0 ? s : add_bits(s, GS_SUM_WINDOW, m, position, negative);
}

/* Add the square of m * 2^position. */
static inline gs_state *
add_square(gs_state *s, uint64_t m, int position, bool negative)
{
	unsigned __int128 square = (unsigned __int128) m * m;
	int			k = (2 * position) >> 5;
	int64_t    *limb;

	if (unlikely(m == 0))
		return s;
	s = make_room(s, GS_SQUARES_WINDOW, k, k + 4);
	limb = limbs(s, GS_SQUARES_WINDOW) + k - s->window[GS_SQUARES_WINDOW].base;
	gs_limbs_add(limb, (uint64_t) square, 2 * position & 31, negative);
	gs_limbs_add(limb + 2, (uint64_t) (square >> 64), 2 * position & 31,
				 negative);
	return count_additions(s, 2);
}

static void
not_in_state(void)
{
	ereport(ERROR,
			errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			errmsg("the value to be removed is not in the state"));
}

/* Which special element is x?  GS_SPECIALS if it is an ordinary one. */
static gs_special
special_of(double x)
{
	if (x != x)
		return GS_SPECIAL_NAN;
	if (!gs_is_finite(x))
		return x > 0 ? GS_SPECIAL_POSITIVE_INF : GS_SPECIAL_NEGATIVE_INF;
	if (gs_double_bits(x) == UINT64_C(1) << 63)
		return GS_SPECIAL_NEGATIVE_ZERO;
	return GS_SPECIALS;
}

/* Count n special elements more. */
static gs_state *
add_specials(gs_state *s, gs_special which, int64_t n)
{
	if (!s->has_specials)
		s = reshape(s, true, s->window);
	if (specials(s)[which] + n < 0)
		not_in_state();
	specials(s)[which] += n;
	return s;
}

/* Add what two doubles cannot hold: pair is what they would be. */
static pg_noinline gs_state *
add_rest(gs_state *s, double x, int sign, gs_pair pair, double rest)
{
	gs_special	which = special_of(x);

	if (which != GS_SPECIALS)
		return add_specials(s, which, sign);
	if (!gs_is_finite(rest))	/* the pair has overflowed */
		return add_double_bits(s, sign * x);
	s->sum.pair = pair;
	return add_double_bits(s, rest);
}

/* Add sign * x to the sum; sign is 1 or -1. */
static inline gs_state *
add_to_sum(gs_state *s, double x, int sign)
{
	gs_pair		a = gs_two_sum(s->sum.pair.hi, sign * x);
	gs_pair		b = gs_two_sum(s->sum.pair.lo, a.lo);

	/* NaN and infinities make b.lo a NaN; a zero may be a negative one */
	a.lo = b.hi;
	if (unlikely(!(b.lo == 0) || x == 0))
		return add_rest(s, x, sign, a, b.lo);
	s->sum.pair = a;
	return s;
}

static inline gs_state *
add_double_square(gs_state *s, double x, int sign)
{
	uint64_t	m;
	int			position;
	bool		negative;

	if (unlikely(!gs_is_finite(x)))
		return s;
	m = gs_split(x, &position, &negative);
	return add_square(s, m, position, sign < 0);
}

/* NaN is above all, -0 just below 0. */
static bool
is_below(double a, double b)
{
	if (a == 0 && b == 0)
		return gs_double_bits(a) > gs_double_bits(b);
	return a < b || (b != b && a == a);
}

static void
add_extremes(gs_state *s, double least, double greatest)
{
	double	   *extreme = extremes(s);

	if (s->n == 0 || is_below(least, extreme[0]))
		extreme[0] = least != least ? gs_canonical_nan() : least;
	if (s->n == 0 || is_below(extreme[1], greatest))
		extreme[1] = greatest != greatest ? gs_canonical_nan() : greatest;
}

gs_state *
gs_state_add_double(gs_state *s, double x)
{
	if (s->kind == GS_STATE_STATS)
		add_extremes(s, x, x);
	s->n++;
	s = add_to_sum(s, x, 1);
	if (s->kind != GS_STATE_REALS)
		s = add_double_square(s, x, 1);
	return s;
}

gs_state *
gs_state_remove_double(gs_state *s, double x)
{
	if (s->n == 0)
		not_in_state();
	s->n--;
	s = add_to_sum(s, x, -1);
	if (s->kind != GS_STATE_REALS)
		s = add_double_square(s, x, -1);
	return s;
}

static uint64_t
magnitude(int64_t x)
{
	return x < 0 ? 0 - (uint64_t) x : (uint64_t) x;
}

/* Of integers: add x and its square, or take them away. */
static void
add_words(gs_state *s, int64_t x, int sign)
{
	__int128	sum;

	memcpy(&sum, s->sum.integer, sizeof sum);
	sum += sign * (__int128) x;
	memcpy(s->sum.integer, &sum, sizeof sum);
	if (s->kind == GS_STATE_INTEGER_MOMENTS)
	{
		uint64_t	m = magnitude(x);
		unsigned __int128 square = (unsigned __int128) m * m;
		unsigned __int128 low;

		memcpy(&low, s->tail, sizeof low);
		if (sign > 0)
		{
			low += square;
			s->tail[2] += low < square;
		}
		else
		{
			s->tail[2] -= low < square;
			low -= square;
		}
		memcpy(s->tail, &low, sizeof low);
	}
}

gs_state *
gs_state_add_integer(gs_state *s, int64_t x)
{
	/* to a double's bits, 2^0 is bit -GS_ACC_LOWEST */
	if (gs_state_is_integer(s->kind))
		add_words(s, x, 1);
	else
	{
		add_extremes(s, (double) x, (double) x);
		s = add_bits(s, GS_SUM_WINDOW, magnitude(x), -GS_ACC_LOWEST, x < 0);
		s = add_square(s, magnitude(x), -GS_ACC_LOWEST, false);
	}
	s->n++;
	return s;
}

gs_state *
gs_state_remove_integer(gs_state *s, int64_t x)
{
	if (s->n == 0)
		not_in_state();
	s->n--;
	add_words(s, x, -1);
	return s;
}

/* Add a window of another state, which may lie anywhere. */
static gs_state *
merge_window(gs_state *s, const gs_state *other, int w)
{
	const gs_window *window = &other->window[w];
	const int64_t *from = limbs(other, w);
	int			end = window->base + window->limbs;
	int64_t    *to;

	if (window->base == GS_NO_BASE)
		return s;

	/* what a limb holds above 32 bits is added to the next one, if there is */
	s = make_room(s, w, window->base, Min(end, window_limit(w) - 1));
	to = limbs(s, w) + window->base - s->window[w].base;
	for (int i = 0; i < window->limbs; i++)
	{
		if (window->base + i + 1 < window_limit(w))
		{
			to[i] += from[i] & 0xffffffff;
			to[i + 1] += from[i] >> 32;
		}
		else
			to[i] += from[i];
	}
	return count_additions(s, 2);
}

static void
merge_words(gs_state *s, const gs_state *other)
{
	__int128	sum;
	__int128	more;

	memcpy(&sum, s->sum.integer, sizeof sum);
	memcpy(&more, other->sum.integer, sizeof more);
	sum += more;
	memcpy(s->sum.integer, &sum, sizeof sum);
	if (s->kind == GS_STATE_INTEGER_MOMENTS)
	{
		unsigned __int128 low;
		unsigned __int128 low_more;

		memcpy(&low, s->tail, sizeof low);
		memcpy(&low_more, other->tail, sizeof low_more);
		low += low_more;
		s->tail[2] += other->tail[2] + (low < low_more);
		memcpy(s->tail, &low, sizeof low);
	}
}

/* Add other to s. */
gs_state *
gs_state_merge(gs_state *s, const gs_state *other)
{
	int64		n;

	if (s->kind != other->kind)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("states of different kinds cannot be merged"));
	if (pg_add_s64_overflow(s->n, other->n, &n))
		ereport(ERROR,
				errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("bigint out of range"),
				errdetail("Together the states count more elements than a bigint can."));
	if (other->n == 0)
		return s;
	if (gs_state_is_integer(s->kind))
		merge_words(s, other);
	else
	{
		if (s->kind == GS_STATE_STATS)
			add_extremes(s, extremes(other)[0], extremes(other)[1]);

		/* both are finite; negative zeros are not counted here */
		s = add_to_sum(s, other->sum.pair.hi + 0.0, 1);
		s = add_to_sum(s, other->sum.pair.lo + 0.0, 1);
		for (int w = 0; w < GS_WINDOWS; w++)
			s = merge_window(s, other, w);
		for (int i = 0; other->has_specials && i < GS_SPECIALS; i++)
			s = add_specials(s, i, specials(other)[i]);
	}
	s->n = n;
	return s;
}

/* GS_SEEN_... of the elements. */
static uint32_t
seen(const gs_state *s)
{
	const int64_t *count = specials(s);

	if (!s->has_specials)
		return s->n > 0 ? GS_SEEN_NOT_NEGATIVE_ZERO : 0;
	return (count[GS_SPECIAL_NAN] > 0 ? GS_SEEN_NAN : 0) |
		(count[GS_SPECIAL_POSITIVE_INF] > 0 ? GS_SEEN_POSITIVE_INF : 0) |
		(count[GS_SPECIAL_NEGATIVE_INF] > 0 ? GS_SEEN_NEGATIVE_INF : 0) |
		(count[GS_SPECIAL_NEGATIVE_ZERO] < s->n ? GS_SEEN_NOT_NEGATIVE_ZERO : 0);
}

/* A whole sum, of real numbers, in limbs: window w and what is beside it. */
gs_limbs
gs_state_limbs(const gs_state *s, int w, gs_limbs_room *room)
{
	const gs_window *window = &s->window[w];
	const double *part = &s->sum.pair.hi;
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
	for (int i = 0; w == GS_SUM_WINDOW && i < 2; i++)
	{
		m[i] = gs_split(part[i], &position[i], &negative[i]);
		if (m[i] != 0)
		{
			first = Min(first, position[i] >> 5);
			end = Max(end, (position[i] >> 5) + 3);
		}
	}
	r.n = Max(end - first, 0);
	memset(room->limb, 0, sizeof(int64_t) * r.n);
	if (window->base != GS_NO_BASE)
		memcpy(room->limb + window->base - first, limbs(s, w),
			   sizeof(int64_t) * window->limbs);
	for (int i = 0; i < 2; i++)
	{
		if (m[i] != 0)
			gs_limbs_add(room->limb, m[i], position[i] - 32 * first,
						 negative[i]);
	}
	r.limb = room->limb;
	r.lowest = 32 * first + (w == GS_SUM_WINDOW ? GS_ACC_LOWEST : GS_ACC2_LOWEST);
	r.seen = seen(s);
	return r;
}

/* Is the sum just what the pair holds, and no zero? */
static inline bool
pair_is_all(const gs_state *s)
{
	return !s->has_specials && s->window[GS_SUM_WINDOW].base == GS_NO_BASE &&
		s->sum.pair.hi + s->sum.pair.lo != 0;
}

gs_rounding
gs_state_sum(const gs_state *s, double *result)
{
	gs_limbs_room room;

	if (pair_is_all(s))
	{
		*result = s->sum.pair.hi + s->sum.pair.lo;
		return gs_is_finite(*result) ? GS_ROUNDED : GS_OVERFLOW;
	}
	return gs_limbs_round(gs_state_limbs(s, GS_SUM_WINDOW, &room), result);
}

gs_rounding
gs_state_sum_float(const gs_state *s, float *result)
{
	gs_limbs_room room;

	if (pair_is_all(s))
	{
		*result = (float) gs_round_to_odd(s->sum.pair);
		return gs_is_finite(*result) ? GS_ROUNDED : GS_OVERFLOW;
	}
	return gs_limbs_round_float(gs_state_limbs(s, GS_SUM_WINDOW, &room), result);
}

/*
 * pair / n, if a quotient in twice the precision leaves no doubt of its
 * rounding; else false.
 *
 * With q = round(hi / n), what is left, hi - q n + lo, is within a few units
 * in the last place of hi, exact but for the addition of lo, and so divided by
 * n to a relative error below 2^-49.
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

gs_rounding
gs_state_mean(const gs_state *s, double *result)
{
	gs_limbs_room room;

	if (pair_is_all(s) && mean_of_pair(s->sum.pair, s->n, result))
		return GS_ROUNDED;
	return gs_limbs_mean(gs_state_limbs(s, GS_SUM_WINDOW, &room), s->n, result);
}

gs_rounding
gs_state_variance(const gs_state *s, bool sample, double *result)
{
	gs_limbs_room sum;
	gs_limbs_room squares;

	return gs_limbs_variance(gs_state_limbs(s, GS_SUM_WINDOW, &sum),
							 gs_state_limbs(s, GS_SQUARES_WINDOW, &squares),
							 s->n, sample, result);
}

gs_rounding
gs_state_stddev(const gs_state *s, bool sample, double *result)
{
	gs_limbs_room sum;
	gs_limbs_room squares;

	return gs_limbs_stddev(gs_state_limbs(s, GS_SUM_WINDOW, &sum),
						   gs_state_limbs(s, GS_SQUARES_WINDOW, &squares),
						   s->n, sample, result);
}

/* n is not 0. */
void
gs_state_extremes(const gs_state *s, double *least, double *greatest)
{
	*least = extremes(s)[0];
	*greatest = extremes(s)[1];
}

void
gs_state_get_specials(const gs_state *s, int64_t *counts)
{
	for (int i = 0; i < GS_SPECIALS; i++)
		counts[i] = s->has_specials ? specials(s)[i] : 0;
}

/* Put in the figures of real numbers, where there is nothing but room yet. */
void
gs_state_set_figures(gs_state *s, const gs_figures *f)
{
	if (s->kind == GS_STATE_STATS)
		memcpy(extremes(s), f->extreme, sizeof f->extreme);
	if (s->has_specials)
		memcpy(specials(s), f->special, sizeof f->special);
	for (int w = 0; w < GS_WINDOWS; w++)
	{
		const gs_figure *from = &f->window[w];
		int64_t    *to;

		if (from->words == 0)
			continue;
		s->window[w].base = Min(from->first,
								window_limit(w) - s->window[w].limbs);
		to = limbs(s, w) + from->first - s->window[w].base;
		for (int i = 0; i < from->words; i++)
			to[i] = from->negative ? -(int64_t) from->word[i] : from->word[i];
	}
}
