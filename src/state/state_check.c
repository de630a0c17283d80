/*-------------------------------------------------------------------------
 *
 * state_check.c
 *	  Could any elements have these figures?
 *
 * What comes from outside, as text or in binary, is refused if not.  The
 * bounds are those of k numbers between lo and hi, with sum s and sum of
 * squares q, compared exactly:
 *
 *		k lo <= s <= k hi
 *		s^2 <= k q						(Cauchy and Schwarz)
 *		q <= (lo + hi) s - k lo hi		(the sum of (x - lo)(hi - x) is >= 0)
 *		q = s^2							if k is 1
 *
 * Where the least and the greatest are known, they are two of the elements,
 * and the bounds are those of the others.
 *
 * What passes can be calculated with: no figure is larger than so many
 * elements can make it.  States that pass, merged or added to, pass again.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <float.h>
#include <math.h>

#include "exact/bigint.h"
#include "state/state_parts.h"

/* Of elements that are summed: how many, their sums, between which bounds. */
typedef struct gs_range
{
	int64		k;
	bool		taken;			/* the least or the greatest is not in it */
	gs_big		sum;
	gs_big		squares;
	gs_big		lo;
	gs_big		hi;
} gs_range;

/* As limbs; room has place for them. */
static gs_limbs
figure_limbs(const gs_figure *f, int lowest, gs_limbs_room *room)
{
	gs_limbs	a = {room->limb, f->words, lowest + 32 * f->first, 0};

	for (int i = 0; i < f->words; i++)
		room->limb[i] = f->negative ? -(int64_t) f->word[i] : f->word[i];
	return a;
}

static void
big_from_figure(gs_big *r, const gs_figure *f, int lowest)
{
	gs_limbs_room room;

	gs_big_from_limbs(r, figure_limbs(f, lowest, &room));
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
take_away(gs_big *r, const gs_big *a)
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
no_elements(const gs_range *r)
{
	return r->taken ? "A sum is not that of the least and the greatest." :
		"A sum of no elements is not zero.";
}

static const char *
sum_invalid(const gs_range *r)
{
	gs_big		least = r->lo;
	gs_big		greatest = r->hi;

	if (r->k == 0)
		return r->sum.words == 0 ? NULL : no_elements(r);
	gs_big_multiply_small(&least, (uint64_t) r->k);
	gs_big_multiply_small(&greatest, (uint64_t) r->k);
	return is_below(&r->sum, &least) || is_below(&greatest, &r->sum) ?
		"The sum is out of the range of so many elements." : NULL;
}

static const char *
squares_invalid(const gs_range *r)
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

	/* the same bound from above: a = (lo + hi) sum, c = k lo hi + squares */
	gs_big_multiply(&a, &r->lo, &r->sum);
	gs_big_multiply(&b, &r->hi, &r->sum);
	b.negative = b.words > 0 && !b.negative;
	take_away(&a, &b);
	gs_big_multiply(&c, &r->lo, &r->hi);
	gs_big_multiply_small(&c, (uint64_t) r->k);
	b = r->squares;
	b.negative = b.words > 0 && !b.negative;
	take_away(&c, &b);
	return is_below(&a, &c) ?
		"The sum of squares is too large for the sum." : NULL;
}

/* Of k elements of a state of this kind, of which nothing else is known. */
static void
open_range(gs_range *r, gs_state_kind kind, int64 k, const gs_figure *sum,
		   const gs_figure *squares)
{
	static const int64_t least[] = {0, -INT64CONST(0x80000000)};
	static const int64_t greatest[] = {0xffffffff, 0x7fffffff};
	const gs_limbs lo = {least, 2, 0, 0};
	const gs_limbs hi = {greatest, 2, 0, 0};

	r->k = k;
	r->taken = false;
	if (gs_state_is_integer(kind))
	{
		gs_big_from_limbs(&r->lo, lo);
		gs_big_from_limbs(&r->hi, hi);
		big_from_figure(&r->sum, sum, 0);
		big_from_figure(&r->squares, squares, 0);
		return;
	}
	big_from_doubles(&r->lo, -DBL_MAX, 0);
	big_from_doubles(&r->hi, DBL_MAX, 0);
	big_from_figure(&r->sum, sum, GS_ACC_LOWEST);
	big_from_figure(&r->squares, squares, GS_ACC2_LOWEST);
}

static const char *
range_invalid(const gs_range *r, gs_state_kind kind)
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

/* Do the least and the greatest agree with the counts of special elements? */
static bool
extremes_agree(const gs_figures *f, int64 k)
{
	double		least = f->extreme[0];
	double		greatest = f->extreme[1];
	int64		nan = f->special[GS_SPECIAL_NAN];
	int64		zeros = f->special[GS_SPECIAL_NEGATIVE_ZERO];
	int64		below = f->special[GS_SPECIAL_NEGATIVE_INF];
	int64		above = f->special[GS_SPECIAL_POSITIVE_INF];

	if (isnan(least) || isnan(greatest))
	{
		if (isnan(least) != (nan == f->n) || isnan(greatest) != (nan > 0))
			return false;
	}
	else if (nan > 0)
		return false;

	if (is_negative_zero(least) && is_negative_zero(greatest) && k > 0)
		return false;

	/* each is what comes first from its end, if there is any of it */
	if (!isnan(least) &&
		!(below > 0 ? least == -HUGE_VAL :
		  k + zeros == 0 ? least == HUGE_VAL :
		  gs_is_finite(least) &&
		  (is_negative_zero(least) ? zeros > 0 :
		   k > 0 && (zeros == 0 || least < 0))))
		return false;
	return isnan(greatest) ||
		(above > 0 ? greatest == HUGE_VAL :
		 k + zeros == 0 ? greatest == -HUGE_VAL :
		 gs_is_finite(greatest) &&
		 (is_negative_zero(greatest) ? zeros > 0 :
		  k > 0 && (zeros == 0 || greatest >= 0)));
}

/*
 * How far from x, towards `to`, an element lies at most that has become x: a
 * bigint is rounded to a double.
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
 * The least or greatest, which is finite, as a bound.  If it is one of the
 * elements that are summed, and known exactly, it is taken out of them.
 */
static void
close_range(gs_range *r, double x, gs_big *bound, double outwards, bool take)
{
	double		rounding = rounding_of(x, outwards);
	gs_big		square;

	big_from_doubles(bound, x, rounding);
	if (!take || is_negative_zero(x) || rounding != 0 ||
		rounding_of(x, -outwards) != 0)
		return;
	gs_big_multiply(&square, bound, bound);
	take_away(&r->sum, bound);
	take_away(&r->squares, &square);
	r->taken = true;
	r->k--;
}

static const char *
stats_invalid(const gs_figures *f, int64 k)
{
	double		least = f->extreme[0];
	double		greatest = f->extreme[1];
	bool		one = k == 1 && gs_is_finite(least) &&
		gs_is_finite(greatest) && !is_negative_zero(least) &&
		!is_negative_zero(greatest);
	gs_range	r;

	if (f->n == 0)
	{
		if (gs_double_bits(least) != 0 || gs_double_bits(greatest) != 0)
			return "There are a least and a greatest of no elements.";
	}
	else if (!extremes_agree(f, k))
		return "The least or the greatest element does not agree with the counts.";
	else if (least > greatest)
		return "The least element is above the greatest.";
	else if (one && least != greatest)
		return "The least and the greatest of one element differ.";

	open_range(&r, f->kind, k, &f->window[GS_SUM_WINDOW],
			   &f->window[GS_SQUARES_WINDOW]);
	if (k > 0 && gs_is_finite(least))
		close_range(&r, least, &r.lo, -HUGE_VAL, true);
	if (k > 0 && gs_is_finite(greatest))
		close_range(&r, greatest, &r.hi, HUGE_VAL, !one);
	return range_invalid(&r, f->kind);
}

/* Of pairs whose x, and whose y, could be. */
static const char *
products_invalid(const gs_figures *f)
{
	int64		others = Max(f->special[GS_SPECIAL_X], f->special[GS_SPECIAL_Y]);
	gs_limbs_room room[GS_PAIR_WINDOWS];
	gs_pair_sums sums;
	gs_big		a;
	gs_big		b;
	gs_big		c;
	gs_big		bc;

	sums.n = f->n;
	sums.x = figure_limbs(&f->window[GS_SUM_WINDOW], GS_ACC_LOWEST, &room[0]);
	sums.xx = figure_limbs(&f->window[GS_SQUARES_WINDOW], GS_ACC2_LOWEST,
						   &room[1]);
	sums.y = figure_limbs(&f->window[GS_SUM_Y_WINDOW], GS_ACC_LOWEST, &room[2]);
	sums.yy = figure_limbs(&f->window[GS_SQUARES_Y_WINDOW], GS_ACC2_LOWEST,
						   &room[3]);
	sums.xy = figure_limbs(&f->window[GS_PRODUCTS_WINDOW], GS_ACC2_LOWEST,
						   &room[4]);
	if (f->n == others)
		return sums.xy.n > 0 ? "A sum of no elements is not zero." : NULL;
	if (others == 0)
		return gs_pairs_possible(&sums) ? NULL :
			"The sum of products is not possible with the other sums.";

	/* of a pair that is not finite, one number may be in its own sums */
	gs_big_from_limbs(&c, sums.xy);
	gs_big_multiply(&a, &c, &c);
	gs_big_from_limbs(&b, sums.xx);
	gs_big_from_limbs(&c, sums.yy);
	gs_big_multiply(&bc, &b, &c);
	return is_below(&bc, &a) ?
		"The sum of products is not possible with the other sums." : NULL;
}

static const char *
pairs_invalid(const gs_figures *f)
{
	for (int i = GS_SPECIAL_X; i <= GS_SPECIAL_Y; i++)
	{
		int			w = i == GS_SPECIAL_X ? GS_SUM_WINDOW : GS_SUM_Y_WINDOW;
		const char *reason;
		gs_range	r;

		open_range(&r, f->kind, f->n - f->special[i], &f->window[w],
				   &f->window[w + 1]);
		reason = range_invalid(&r, f->kind);
		if (reason != NULL)
			return reason;
	}
	return products_invalid(f);
}

/* Are the figures as short as the arithmetic takes them, and are they there? */
static const char *
figures_misplaced(const gs_figures *f)
{
	for (int w = 0; w < window_count(f->kind); w++)
	{
		const gs_figure *figure = &f->window[w];
		int			limit = !gs_state_is_integer(f->kind) ? window_limit(w) :
			is_sum(w) ? INTEGER_SUM_WORDS : INTEGER_SQUARES_WORDS;

		if (figure->first + figure->words > limit)
			return "A sum is too large.";
		if (w == GS_SQUARES_WINDOW && figure->words > 0 &&
			(figure->negative || !gs_state_has_squares(f->kind)))
			return "The sum of squares is not possible.";
		if (w == GS_SQUARES_Y_WINDOW && figure->negative)
			return "The sum of squares is not possible.";
	}
	return NULL;
}

/* Could no elements have these figures?  The reason, or NULL. */
const char *
gs_figures_invalid(const gs_figures *f)
{
	int64		k = f->n;		/* elements that are in the sums */
	const char *reason;
	gs_range	r;

	if (f->n < 0)
		return "The count is negative.";
	for (int i = 0; i < GS_SPECIALS; i++)
	{
		if (f->special[i] < 0 || f->special[i] > k ||
			(i >= (gs_state_is_integer(f->kind) ? 0 : special_count(f->kind)) &&
			 f->special[i] != 0))
			return "The counts of special elements do not agree with the count.";

		/* an x and a y are counted each for itself */
		if (f->kind != GS_STATE_PAIRS)
			k -= f->special[i];
	}
	reason = figures_misplaced(f);
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
		"There are a least and a greatest, which the state does not have.";
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
 * An element has been taken away from a state: could what is left be a state?
 * A sum that is impossible is looked for only if the check is to be thorough,
 * or nothing is left: a moving frame removes only what it has added.
 */
void
gs_state_check_removal(const gs_state *s, bool thorough)
{
	gs_figures	f;

	if (!too_many_specials(s))
	{
		if (!thorough && s->n > 0)
			return;
		gs_state_get_figures(s, &f);
		if (gs_figures_invalid(&f) == NULL)
			return;
	}
	gs_state_not_there();
}
