/*-------------------------------------------------------------------------
 *
 * state.c
 *	  States of aggregates: adding and removing rows, merging.
 *
 * A row costs two error-free additions: the sum is kept as two doubles.  The
 * rest that does not fit into them, nearly always zero, goes to a window of
 * limbs (exact.h), which is as wide as the numbers require and grows with
 * them.  Squares have so many bits that they go to limbs directly.
 *
 * All of this is exact, so elements can be removed again, as a moving frame
 * does.  NaN, infinities and negative zeros can leave a frame too, so each is
 * counted separately.
 *
 * Pairs have five such sums: x, y, their squares and their product.  A number
 * that is not finite is left out of its own variable's sums only.  The other
 * variable's sums continue, since they show whether it is constant.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "common/int.h"

#include "state/state_parts.h"

static inline gs_state *
count_additions(gs_state *s, int additions)
{
	s->additions += additions;
	if (unlikely(s->additions >= GS_ACC_ADDITIONS))
		s = gs_state_propagate(s);
	return s;
}

/* Add m * 2^position, position counted from the lowest bit of limb 0. */
static gs_state *
add_bits(gs_state *s, int w, uint64_t m, int position, bool negative)
{
	s = include_limbs(s, w, position >> 5, (position >> 5) + 2);
	gs_limbs_add(limbs(s, w), m, position - 32 * window_of(s, w)->base,
				 negative);
	return count_additions(s, 1);
}

static gs_state *
add_double_bits(gs_state *s, int w, double x)
{
	uint64_t	m;
	int			position;
	bool		negative;

	m = gs_split(x, &position, &negative);
	return m == 0 ? s : add_bits(s, w, m, position, negative);
}

/* Add the product a b * 2^position. */
static inline gs_state *
add_product(gs_state *s, int w, uint64_t a, uint64_t b, int position,
			bool negative)
{
	unsigned __int128 product = (unsigned __int128) a * b;
	int			k = position >> 5;
	int64_t    *limb;

	if (unlikely(product == 0))
		return s;
	s = include_limbs(s, w, k, k + 4);
	limb = limbs(s, w) + k - window_of(s, w)->base;
	gs_limbs_add(limb, (uint64_t) product, position & 31, negative);
	gs_limbs_add(limb + 2, (uint64_t) (product >> 64), position & 31,
				 negative);
	return count_additions(s, 2);
}

void
gs_state_not_there(void)
{
	ereport(ERROR,
			errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			errmsg("the value to be removed is not in the state"));
}

static void
too_many_elements(void)
{
	ereport(ERROR,
			errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			errmsg("bigint out of range"),
			errdetail("The state would count more elements than a bigint can."));
}

/* Count n more special elements. */
static gs_state *
add_specials(gs_state *s, int which, int64_t n)
{
	if (!s->has_specials)
		s = gs_state_with_specials(s);
	if (specials(s)[which] + n < 0)
		gs_state_not_there();
	specials(s)[which] += n;
	return s;
}

/* The slow path of add_to_sum: `pair` is the new sum, except for `rest`. */
static pg_noinline gs_state *
add_rest(gs_state *s, int w, double x, int sign, gs_pair pair, double rest)
{
	if (s->kind == GS_STATE_PAIRS && !gs_is_finite(x))
		return add_specials(s, w == GS_SUM_WINDOW ? GS_SPECIAL_X :
							GS_SPECIAL_Y, sign);
	if (s->kind != GS_STATE_PAIRS && gs_is_special(x))
		return add_specials(s, gs_special_of(x), sign);
	if (!gs_is_finite(rest))	/* the pair has overflowed */
		return add_double_bits(s, w, sign * x);
	*pair_of(s, w) = pair;
	return add_double_bits(s, w, rest);
}

/* Add sign * x to the sum in window w; sign is 1 or -1. */
static inline gs_state *
add_to_sum(gs_state *s, int w, double x, int sign)
{
	gs_pair    *pair = pair_of(s, w);
	gs_pair		a = gs_two_sum(pair->hi, sign * x);
	gs_pair		b = gs_two_sum(pair->lo, a.lo);

	/* NaN and infinities make b.lo NaN; x may be a negative zero */
	a.lo = b.hi;
	if (unlikely(!(b.lo == 0) || x == 0))
		return add_rest(s, w, x, sign, a, b.lo);
	*pair = a;
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
	return add_product(s, GS_SQUARES_WINDOW, m, m, 2 * position, sign < 0);
}

/* NaN is above all numbers, -0 just below 0. */
static bool
is_below(double a, double b)
{
	if (a == 0 && b == 0)
		return gs_double_bits(a) > gs_double_bits(b);
	return a < b || (b != b && a == a);
}

static void
add_extremes(gs_state *s, double min, double max)
{
	double	   *extreme = extremes(s);

	if (s->n == 0 || is_below(min, extreme[0]))
		extreme[0] = min != min ? gs_canonical_nan() : min;
	if (s->n == 0 || is_below(extreme[1], max))
		extreme[1] = max != max ? gs_canonical_nan() : max;
}

/*
 * The fast path of GS_STATE_MOMENTS, like gs_state_add_real: add x if the
 * window has the limbs for its square.  It never has them for subnormals, for
 * which k is -1, nor without a base.
 */
static inline bool
add_moments(gs_state *s, double x)
{
	const gs_window *window = &s->window[GS_SQUARES_WINDOW];
	uint64_t	bits = gs_double_bits(x);
	uint64_t	m = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1) << 52;
	int			exponent = (bits >> 52) & 0x7ff;
	int			k = (exponent - 1) >> 4;
	int			shift = 2 * ((exponent - 1) & 15);
	unsigned __int128 square = (unsigned __int128) m * m;
	uint64_t	low = (uint64_t) square;
	uint64_t	high = square >> 64;
	uint64_t	middle = high << shift | low >> 1 >> (63 - shift);
	int64_t    *limb;

	if (unlikely(k < window->base ||
				 k + 4 >= window->base + window->limbs ||
				 s->additions + 1 >= GS_ACC_ADDITIONS ||
				 !gs_state_add_real(s, x)))
		return false;
	limb = s->tail + (s->has_specials ? GS_SPECIALS : 0) +
		s->window[GS_SUM_WINDOW].limbs + k - window->base;
	low <<= shift;
	limb[0] += (uint32_t) low;
	limb[1] += low >> 32;
	limb[2] += (uint32_t) middle;
	limb[3] += middle >> 32;
	limb[4] += high >> 1 >> (63 - shift);
	s->additions++;
	return true;
}

static pg_noinline gs_state *
add_double(gs_state *s, double x)
{
	if (unlikely(s->n == PG_INT64_MAX))
		too_many_elements();
	if (s->kind == GS_STATE_STATS)
		add_extremes(s, x, x);
	s->n++;
	s = add_to_sum(s, GS_SUM_WINDOW, x, 1);
	if (s->kind != GS_STATE_REALS)
		s = add_double_square(s, x, 1);
	return s;
}

gs_state *
gs_state_add_double(gs_state *s, double x)
{
	if (s->kind == GS_STATE_MOMENTS && likely(add_moments(s, x)))
		return s;
	if (s->kind == GS_STATE_REALS && likely(gs_state_add_real(s, x)))
		return s;
	return add_double(s, x);
}

gs_state *
gs_state_remove_double(gs_state *s, double x)
{
	if (s->n == 0)
		gs_state_not_there();
	s->n--;
	s = add_to_sum(s, GS_SUM_WINDOW, x, -1);
	if (s->kind != GS_STATE_REALS)
		s = add_double_square(s, x, -1);
	return s;
}

/* Add a pair (sign is 1), or remove it (-1). */
static inline gs_state *
add_pair(gs_state *s, double y, double x, int sign)
{
	uint64_t	mx;
	uint64_t	my;
	int			px;
	int			py;
	bool		nx;
	bool		ny;

	s->n += sign;
	s = add_to_sum(s, GS_SUM_WINDOW, x, sign);
	s = add_to_sum(s, GS_SUM_Y_WINDOW, y, sign);
	mx = gs_split(x, &px, &nx);
	my = gs_split(y, &py, &ny);
	if (likely(gs_is_finite(x)))
		s = add_product(s, GS_SQUARES_WINDOW, mx, mx, 2 * px, sign < 0);
	if (likely(gs_is_finite(y)))
		s = add_product(s, GS_SQUARES_Y_WINDOW, my, my, 2 * py, sign < 0);
	if (likely(gs_is_finite(x) && gs_is_finite(y)))
		s = add_product(s, GS_PRODUCTS_WINDOW, mx, my, px + py,
						(nx != ny) != (sign < 0));
	return s;
}

gs_state *
gs_state_add_pair(gs_state *s, double y, double x)
{
	if (unlikely(s->n == PG_INT64_MAX))
		too_many_elements();
	return add_pair(s, y, x, 1);
}

gs_state *
gs_state_remove_pair(gs_state *s, double y, double x)
{
	if (s->n == 0)
		gs_state_not_there();
	return add_pair(s, y, x, -1);
}

static uint64_t
magnitude(int64_t x)
{
	return x < 0 ? 0 - (uint64_t) x : (uint64_t) x;
}

/*
 * Add x and its square to a state of integers (sign is 1), or remove them
 * (-1).
 */
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

/*
 * Add x and its square to the sums of a GS_STATE_STATS (sign is 1), or remove
 * them (-1).  In an accumulator, 2^0 is bit -GS_ACC_LOWEST.
 */
static pg_noinline gs_state *
add_integer_to_stats(gs_state *s, int64_t x, int sign)
{
	s = add_bits(s, GS_SUM_WINDOW, magnitude(x), -GS_ACC_LOWEST,
				 (x < 0) != (sign < 0));
	s = add_product(s, GS_SQUARES_WINDOW, magnitude(x), magnitude(x),
					-GS_ACC2_LOWEST, sign < 0);
	s->n += sign;
	return s;
}

gs_state *
gs_state_add_integer(gs_state *s, int64_t x)
{
	if (unlikely(s->n == PG_INT64_MAX))
		too_many_elements();
	if (unlikely(!gs_state_is_integer(s->kind)))
	{
		add_extremes(s, (double) x, (double) x);
		return add_integer_to_stats(s, x, 1);
	}
	add_words(s, x, 1);
	s->n++;
	return s;
}

gs_state *
gs_state_remove_integer(gs_state *s, int64_t x)
{
	if (s->n == 0)
		gs_state_not_there();
	if (unlikely(!gs_state_is_integer(s->kind)))
		return add_integer_to_stats(s, x, -1);
	s->n--;
	add_words(s, x, -1);
	return s;
}

/* Add a window of another state, with any base (sign is 1), or remove it (-1). */
static gs_state *
merge_window(gs_state *s, const gs_state *other, int w, int sign)
{
	const gs_window *window = window_of(other, w);
	const int64_t *from = limbs(other, w);
	int			end = window->base + window->limbs;
	int64_t    *to;

	if (window->base == GS_NO_BASE)
		return s;

	/* the bits of a limb above 32 go to the next one, if it exists */
	s = include_limbs(s, w, window->base, Min(end, window_limit(w) - 1));
	to = limbs(s, w) + window->base - window_of(s, w)->base;
	for (int i = 0; i < window->limbs; i++)
	{
		if (window->base + i + 1 < window_limit(w))
		{
			to[i] += sign * (from[i] & 0xffffffff);
			to[i + 1] += sign * (from[i] >> 32);
		}
		else
			to[i] += sign * from[i];
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

/* Add the sums of reals of another state (sign is 1), or remove them (-1). */
static gs_state *
merge_sums(gs_state *s, const gs_state *other, int sign)
{
	for (int w = 0; w < window_count(s->kind); w++)
	{
		s = merge_window(s, other, w, sign);
		if (is_sum(w))
		{
			/* both are finite; negative zeros are not counted here */
			s = add_to_sum(s, w, pair_of(other, w)->hi + 0.0, sign);
			s = add_to_sum(s, w, pair_of(other, w)->lo + 0.0, sign);
		}
	}
	for (int i = 0; other->has_specials && i < special_count(s->kind); i++)
		s = add_specials(s, i, sign * specials(other)[i]);
	return s;
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
		too_many_elements();
	if (other->n == 0)
		return s;
	if (gs_state_is_integer(s->kind))
		merge_words(s, other);
	else
	{
		if (s->kind == GS_STATE_STATS)
			add_extremes(s, extremes(other)[0], extremes(other)[1]);
		s = merge_sums(s, other, 1);
	}
	s->n = n;
	return s;
}

gs_state *
gs_state_take_away(gs_state *s, const gs_state *other)
{
	if (s->n < other->n)
		gs_state_not_there();
	s = merge_sums(s, other, -1);
	s->n -= other->n;
	return s;
}
