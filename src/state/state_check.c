/*-------------------------------------------------------------------------
 *
 * state_check.c
 *	  Could any elements have these sums?
 *
 * If not, input is refused, text or binary.  The checks are exact.  For k
 * numbers between lo and hi, with sum s and sum of squares q, they are:
 *
 *		k lo <= s <= k hi
 *		s^2 <= k q						(Cauchy and Schwarz)
 *		q <= (lo + hi) s - k lo hi		(the sum of (x - lo)(hi - x) is >= 0)
 *		q = s^2							if k is 1
 *
 * Where minimum and maximum are known, they are two of the elements, and the
 * checks apply to the others.
 *
 * Figures that pass are safe to calculate with: none is larger than this
 * number of elements can make it.  States that pass still pass after being
 * merged or added to.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <float.h>
#include <math.h>

#include "exact/bigint.h"
#include "state/state_parts.h"

/* Elements that are summed: how many, their sums, and their bounds. */
typedef struct gs_summed_range
{
	int64		k;
	bool		excludes;		/* the minimum or the maximum */
	gs_big		sum;
	gs_big		squares;
	gs_big		lo;
	gs_big		hi;
} gs_summed_range;

/* A sum as limbs in a buffer. */
static gs_limbs
canonical_limbs(const gs_canonical_sum *f, int lowest, gs_limbs_buffer *buffer)
{
	gs_limbs	a = {buffer->limb, f->words, lowest + 32 * f->first, 0};

	for (int i = 0; i < f->words; i++)
		buffer->limb[i] = f->negative ? -(int64_t) f->word[i] : f->word[i];
	return a;
}

static void
big_from_canonical(gs_big *r, const gs_canonical_sum *f, int lowest)
{
	gs_limbs_buffer buffer;

	gs_big_from_limbs(r, canonical_limbs(f, lowest, &buffer));
}

/* x + rest, exactly */
static void
big_from_doubles(gs_big *r, double x, double rest)
{
	gs_acc		a;

	gs_acc_init(&a);
	gs_acc_add(&a, x);
	gs_acc_add(&a, rest);
	gs_big_from_limbs(r, gs_acc_limbs(&a));
}

/* r = r - a */
static void
subtract(gs_big *r, const gs_big *a)
{
	gs_big		before = *r;

	gs_big_difference(r, &before, a);
}

static bool
is_below(const gs_big *a, const gs_big *b)
{
	gs_big		difference;

	gs_big_difference(&difference, a, b);
	return difference.negative;
}

static const char *
no_elements(const gs_summed_range *r)
{
	return r->excludes ? "A sum is not that of the minimum and the maximum." :
		"A sum of no elements is not zero.";
}

static const char *
sum_invalid(const gs_summed_range *r)
{
	gs_big		min = r->lo;
	gs_big		max = r->hi;

	if (r->k == 0)
		return r->sum.words == 0 ? NULL : no_elements(r);
	gs_big_multiply_small(&min, (uint64_t) r->k);
	gs_big_multiply_small(&max, (uint64_t) r->k);
	return is_below(&r->sum, &min) || is_below(&max, &r->sum) ?
		"The sum is out of range for this number of elements." : NULL;
}

static const char *
squares_invalid(const gs_summed_range *r)
{
	gs_big		a;
	gs_big		b;
	gs_big		c;

	if (r->k == 0)
		return r->squares.words == 0 ? NULL : no_elements(r);
	gs_big_multiply(&a, &r->sum, &r->sum);
	b = r->squares;
	gs_big_multiply_small(&b, (uint64_t) r->k);
	if (is_below(&b, &a))
		return "The sum of squares is too small for the sum.";
	if (r->k == 1)
		return is_below(&a, &b) ?
			"The sum of squares is too large for the sum." : NULL;

	/* the upper bound: a = (lo + hi) sum, c = k lo hi + squares */
	gs_big_multiply(&a, &r->lo, &r->sum);
	gs_big_multiply(&b, &r->hi, &r->sum);
	b.negative = b.words > 0 && !b.negative;
	subtract(&a, &b);
	gs_big_multiply(&c, &r->lo, &r->hi);
	gs_big_multiply_small(&c, (uint64_t) r->k);
	b = r->squares;
	b.negative = b.words > 0 && !b.negative;
	subtract(&c, &b);
	return is_below(&a, &c) ?
		"The sum of squares is too large for the sum." : NULL;
}

/* The range of k elements of a state of this kind, with its widest bounds. */
static void
open_range(gs_summed_range *r, gs_state_kind kind, int64 k,
		   const gs_canonical_sum *sum, const gs_canonical_sum *squares)
{
	static const int64_t min[] = {0, -INT64CONST(0x80000000)};
	static const int64_t max[] = {0xffffffff, 0x7fffffff};
	const gs_limbs lo = {min, 2, 0, 0};
	const gs_limbs hi = {max, 2, 0, 0};

	r->k = k;
	r->excludes = false;
	if (gs_state_is_integer(kind))
	{
		gs_big_from_limbs(&r->lo, lo);
		gs_big_from_limbs(&r->hi, hi);
		big_from_canonical(&r->sum, sum, 0);
		big_from_canonical(&r->squares, squares, 0);
		return;
	}
	big_from_doubles(&r->lo, -DBL_MAX, 0);
	big_from_doubles(&r->hi, DBL_MAX, 0);
	big_from_canonical(&r->sum, sum, GS_ACC_LOWEST);
	big_from_canonical(&r->squares, squares, GS_ACC2_LOWEST);
}

static const char *
range_invalid(const gs_summed_range *r, gs_state_kind kind)
{
	const char *reason = sum_invalid(r);

	return reason != NULL || !gs_state_has_squares(kind) ? reason :
		squares_invalid(r);
}

static bool
is_negative_zero(double x)
{
	return gs_is_special(x) && x == 0;
}

/* Do minimum and maximum agree with the counts of special elements? */
static bool
extremes_agree(const gs_canonical *f, int64 k)
{
	double		min = f->extreme[0];
	double		max = f->extreme[1];
	int64		nan = f->special[GS_SPECIAL_NAN];
	int64		zeros = f->special[GS_SPECIAL_NEGATIVE_ZERO];
	int64		below = f->special[GS_SPECIAL_NEGATIVE_INF];
	int64		above = f->special[GS_SPECIAL_POSITIVE_INF];

	if (isnan(min) || isnan(max))
	{
		if (isnan(min) != (nan == f->n) || isnan(max) != (nan > 0))
			return false;
	}
	else if (nan > 0)
		return false;

	if (is_negative_zero(min) && is_negative_zero(max) && k > 0)
		return false;

	/* each must be the first value from its end of which there are any */
	if (!isnan(min) &&
		!(below > 0 ? min == -HUGE_VAL :
		  k + zeros == 0 ? min == HUGE_VAL :
		  gs_is_finite(min) &&
		  (is_negative_zero(min) ? zeros > 0 :
		   k > 0 && (zeros == 0 || min < 0))))
		return false;
	return isnan(max) ||
		(above > 0 ? max == HUGE_VAL :
		 k + zeros == 0 ? max == -HUGE_VAL :
		 gs_is_finite(max) &&
		 (is_negative_zero(max) ? zeros > 0 :
		  k > 0 && (zeros == 0 || max >= 0)));
}

/*
 * A bigint is rounded to a double: how far from x, towards `to`, can the
 * element lie that was rounded to x?
 */
static double
rounding_of(double x, double to)
{
	const double exact = 9007199254740992.0;	/* 2^53 */
	const double end = 9223372036854775808.0;	/* 2^63 */

	if (fabs(x) < exact || fabs(x) > end || (fabs(x) == end && x * to > 0))
		return 0;
	return (nextafter(x, to) - x) / 2;
}

/*
 * Use the minimum or maximum, which is finite, as a bound.  If it is one of
 * the summed elements and known exactly, it is excluded from them.
 */
static void
close_range(gs_summed_range *r, double x, gs_big *bound, double outwards,
			bool exclude)
{
	double		rounding = rounding_of(x, outwards);
	gs_big		square;

	big_from_doubles(bound, x, rounding);
	if (!exclude || is_negative_zero(x) || rounding != 0 ||
		rounding_of(x, -outwards) != 0)
		return;
	gs_big_multiply(&square, bound, bound);
	subtract(&r->sum, bound);
	subtract(&r->squares, &square);
	r->excludes = true;
	r->k--;
}

static const char *
stats_invalid(const gs_canonical *f, int64 k)
{
	double		min = f->extreme[0];
	double		max = f->extreme[1];
	bool		one = k == 1 && gs_is_finite(min) &&
		gs_is_finite(max) && !is_negative_zero(min) &&
		!is_negative_zero(max);
	gs_summed_range r;

	if (f->n == 0)
	{
		if (gs_double_bits(min) != 0 || gs_double_bits(max) != 0)
			return "There are no elements, but a minimum or maximum.";
	}
	else if (!extremes_agree(f, k))
		return "The minimum or maximum does not agree with the counts.";
	else if (min > max)
		return "The minimum is above the maximum.";
	else if (one && min != max)
		return "The minimum and maximum of one element differ.";

	open_range(&r, f->kind, k, &f->window[GS_SUM_WINDOW],
			   &f->window[GS_SQUARES_WINDOW]);
	if (k > 0 && gs_is_finite(min))
		close_range(&r, min, &r.lo, -HUGE_VAL, true);
	if (k > 0 && gs_is_finite(max))
		close_range(&r, max, &r.hi, HUGE_VAL, !one);
	return range_invalid(&r, f->kind);
}

/* The sum of products, of pairs whose other sums are possible. */
static const char *
products_invalid(const gs_canonical *f)
{
	int64		others = Max(f->special[GS_SPECIAL_X],
							 f->special[GS_SPECIAL_Y]);
	gs_limbs_buffer buffer[GS_PAIR_WINDOWS];
	gs_sums		sums;
	gs_big		a;
	gs_big		b;
	gs_big		c;
	gs_big		bc;

	sums.n = f->n;
	sums.x = canonical_limbs(&f->window[GS_SUM_WINDOW], GS_ACC_LOWEST, &buffer[0]);
	sums.xx = canonical_limbs(&f->window[GS_SQUARES_WINDOW], GS_ACC2_LOWEST,
						   &buffer[1]);
	sums.y = canonical_limbs(&f->window[GS_SUM_Y_WINDOW], GS_ACC_LOWEST,
						  &buffer[2]);
	sums.yy = canonical_limbs(&f->window[GS_SQUARES_Y_WINDOW], GS_ACC2_LOWEST,
						   &buffer[3]);
	sums.xy = canonical_limbs(&f->window[GS_PRODUCTS_WINDOW], GS_ACC2_LOWEST,
						   &buffer[4]);
	if (f->n == others)
		return sums.xy.n > 0 ? "A sum of no elements is not zero." : NULL;
	if (others == 0)
		return gs_pairs_possible(&sums) ? NULL :
			"The sum of products is not possible with the other sums.";

	/* if one number of a pair is not finite, the other is still summed */
	gs_big_from_limbs(&c, sums.xy);
	gs_big_multiply(&a, &c, &c);
	gs_big_from_limbs(&b, sums.xx);
	gs_big_from_limbs(&c, sums.yy);
	gs_big_multiply(&bc, &b, &c);
	return is_below(&bc, &a) ?
		"The sum of products is not possible with the other sums." : NULL;
}

static const char *
pairs_invalid(const gs_canonical *f)
{
	for (int i = GS_SPECIAL_X; i <= GS_SPECIAL_Y; i++)
	{
		int			w = i == GS_SPECIAL_X ? GS_SUM_WINDOW : GS_SUM_Y_WINDOW;
		const char *reason;
		gs_summed_range r;

		open_range(&r, f->kind, f->n - f->special[i], &f->window[w],
				   &f->window[w + 1]);
		reason = range_invalid(&r, f->kind);
		if (reason != NULL)
			return reason;
	}
	return products_invalid(f);
}

/* Does each sum fit its accumulator, and does this kind have it? */
static const char *
sums_misplaced(const gs_canonical *f)
{
	for (int w = 0; w < window_count(f->kind); w++)
	{
		const gs_canonical_sum *sum = &f->window[w];
		int			limit = !gs_state_is_integer(f->kind) ? window_limit(w) :
			is_sum(w) ? INTEGER_SUM_WORDS : INTEGER_SQUARES_WORDS;

		if (sum->first + sum->words > limit)
			return "A sum is too large.";
		if (w == GS_SQUARES_WINDOW && sum->words > 0 &&
			(sum->negative || !gs_state_has_squares(f->kind)))
			return "The sum of squares is not possible.";
		if (w == GS_SQUARES_Y_WINDOW && sum->negative)
			return "The sum of squares is not possible.";
	}
	return NULL;
}

/* Why no elements can have these sums; NULL if some can. */
const char *
gs_canonical_invalid(const gs_canonical *f)
{
	int64		k = f->n;		/* elements that are in the sums */
	const char *reason;
	gs_summed_range r;

	if (f->n < 0)
		return "The count is negative.";
	for (int i = 0; i < GS_SPECIALS; i++)
	{
		if (f->special[i] < 0 || f->special[i] > k ||
			(i >= (gs_state_is_integer(f->kind) ? 0 : special_count(f->kind)) &&
			 f->special[i] != 0))
			return "The counts of special elements do not agree with the count.";

		/* in pairs, x and y are counted independently */
		if (f->kind != GS_STATE_PAIRS)
			k -= f->special[i];
	}
	reason = sums_misplaced(f);
	if (reason != NULL)
		return reason;
	if (f->kind == GS_STATE_PAIRS)
		reason = pairs_invalid(f);
	else if (f->kind == GS_STATE_STATS)
		return stats_invalid(f, k);
	else
	{
		open_range(&r, f->kind, k, &f->window[GS_SUM_WINDOW],
				   &f->window[GS_SQUARES_WINDOW]);
		reason = range_invalid(&r, f->kind);
	}
	return reason != NULL || (gs_double_bits(f->extreme[0]) == 0 &&
							  gs_double_bits(f->extreme[1]) == 0) ? reason :
		"This kind of state has no minimum and maximum.";
}

static bool
too_many_specials(const gs_state *s)
{
	int64		count[GS_SPECIALS];
	int64		rest = s->n;

	gs_state_get_specials(s, count);
	for (int i = 0; i < GS_SPECIALS; i++)
	{
		if (count[i] > rest)
			return true;
		if (s->kind != GS_STATE_PAIRS)
			rest -= count[i];
	}
	return false;
}

/*
 * An element has been removed from a state: is what remains a possible state?
 * Impossible sums are checked only if `thorough` or if no elements remain,
 * since a moving frame removes only what it has added.
 */
void
gs_state_check_removal(const gs_state *s, bool thorough)
{
	gs_canonical f;

	if (!too_many_specials(s))
	{
		if (!thorough && s->n > 0)
			return;
		gs_state_get_canonical(s, &f);
		if (gs_canonical_invalid(&f) == NULL)
			return;
	}
	gs_state_not_there();
}
