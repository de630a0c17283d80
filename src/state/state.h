/*-------------------------------------------------------------------------
 *
 * state.h
 *	  What aggregates know of the rows so far: exact sums in a flat value.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_STATE_H
#define GS_STATE_H

#include "engine/engine.h"
#include "exact/exact.h"

/* What a state sums. */
typedef enum gs_state_kind
{
	GS_STATE_INTEGERS = 1,		/* integers */
	GS_STATE_INTEGER_MOMENTS,	/* integers and their squares */
	GS_STATE_REALS,				/* real numbers */
	GS_STATE_MOMENTS,			/* real numbers and their squares */
	GS_STATE_STATS,				/* the same, with the least and greatest */
	GS_STATE_PAIRS				/* pairs of them, squares and products */
} gs_state_kind;

/*
 * Elements that no sum can hold have counters (gs_special).  Of pairs, what is
 * not finite is counted for x and for y.
 */
enum
{
	GS_SPECIAL_X,
	GS_SPECIAL_Y,
	GS_PAIR_SPECIALS
};

/*
 * Where a sum is not zero: limbs base .. base + limbs - 1 of an accumulator
 * (exact.h).  No base: all of them are zero, and fit anywhere.
 */
typedef struct gs_window
{
	uint8_t		base;
	uint8_t		limbs;
} gs_window;

#define GS_NO_BASE	255

enum
{
	GS_SUM_WINDOW,
	GS_SQUARES_WINDOW,
	GS_WINDOWS,
	GS_SUM_Y_WINDOW = GS_WINDOWS,	/* of pairs, where those above are x's */
	GS_SQUARES_Y_WINDOW,
	GS_PRODUCTS_WINDOW,
	GS_PAIR_WINDOWS
};

/*
 * A state: a varlena, flat, without pointers, changed in place.
 *
 * The tail holds, one after the other: of GS_STATE_STATS, the least and the
 * greatest element as doubles, of GS_STATE_PAIRS a gs_pairs_head; if there have
 * been special elements, their counters; the limbs of each window.  Of integers
 * it holds the three words of the sum of squares, if that is wanted.
 */
typedef struct gs_state
{
	int32_t		vl_len_;
	uint8_t		kind;			/* gs_state_kind */
	uint8_t		has_specials;
	gs_window	window[GS_WINDOWS];
	int32_t		additions;		/* to limbs, since carries were propagated */
	int64_t		n;				/* elements, special ones too */
	union
	{
		gs_pair		pair;		/* of real numbers: in the sum, beside limbs */
		uint64_t	integer[2]; /* two's complement, low word first */
	}			sum;
	int64_t		tail[FLEXIBLE_ARRAY_MEMBER];
} gs_state;

/* A state's figures, in the one form that each has. */
typedef struct gs_figure
{
	bool		negative;
	int			first;			/* limb of word[0]; 0 for a zero */
	int			words;			/* first and last word are not zero */
	uint32_t	word[GS_ACC2_LIMBS + 2];
} gs_figure;

typedef struct gs_figures
{
	gs_state_kind kind;
	int64_t		n;
	int64_t		special[GS_SPECIALS];
	double		extreme[2];		/* GS_STATE_STATS; 0 if n is 0 */
	gs_figure	window[GS_PAIR_WINDOWS];
} gs_figures;

static inline bool
gs_state_is_integer(int kind)
{
	return kind == GS_STATE_INTEGERS || kind == GS_STATE_INTEGER_MOMENTS;
}

/* Are there squares? */
static inline bool
gs_state_has_squares(int kind)
{
	return kind != GS_STATE_INTEGERS && kind != GS_STATE_REALS;
}

/*
 * These change a state in place, or give a larger one, palloc'd, where there
 * is no more room; the old one is then the caller's to free.
 */
extern gs_state *gs_state_add_double(gs_state *s, double x);
extern gs_state *gs_state_remove_double(gs_state *s, double x);
extern gs_state *gs_state_add_integer(gs_state *s, int64_t x);
extern gs_state *gs_state_remove_integer(gs_state *s, int64_t x);
extern gs_state *gs_state_add_pair(gs_state *s, double y, double x);
extern gs_state *gs_state_remove_pair(gs_state *s, double y, double x);
extern gs_state *gs_state_merge(gs_state *s, const gs_state *other);

/*
 * What nearly every row costs, for GS_STATE_REALS: add x to a state whose sum
 * two doubles then hold.  False, and nothing is changed, where they do not, and
 * for whatever else takes more than that: gs_state_add_double.
 */
static inline bool
gs_state_add_real(gs_state *s, double x)
{
	gs_pair		a = gs_two_sum(s->sum.pair.hi, x);
	gs_pair		b = gs_two_sum(s->sum.pair.lo, a.lo);

	/* NaN and infinities make b.lo a NaN; negative zeros are counted */
	if (unlikely(!(b.lo == 0) || s->n == INT64_MAX ||
				 gs_double_bits(x) == UINT64_C(1) << 63))
		return false;
	s->sum.pair.hi = a.hi;
	s->sum.pair.lo = b.hi;
	s->n++;
	return true;
}

/* The error of a removal. */
extern void gs_state_not_there(void);

/* A window with room for all of an accumulator's limbs. */
typedef struct gs_limbs_room
{
	int64_t		limb[GS_ACC2_LIMBS];
} gs_limbs_room;

/* state_sum.c: results. */
extern gs_limbs gs_state_limbs(const gs_state *s, int w, gs_limbs_room *room);
extern gs_rounding gs_state_sum(const gs_state *s, double *result);
extern gs_rounding gs_state_sum_float(const gs_state *s, float *result);
extern gs_rounding gs_state_mean(const gs_state *s, double *result);
extern gs_rounding gs_state_variance(const gs_state *s, bool sample,
									 double *result);
extern gs_rounding gs_state_stddev(const gs_state *s, bool sample,
								   double *result);
extern gs_pair_sums gs_state_pair_sums(const gs_state *s, gs_limbs_room *room);
extern void gs_state_extremes(const gs_state *s, double *least,
							  double *greatest);

/* A state's parts, from and to figures. */
extern void gs_state_get_specials(const gs_state *s, int64_t *counts);
extern void gs_state_set_figures(gs_state *s, const gs_figures *f);

/* state_figures.c */
extern void gs_state_get_figures(const gs_state *s, gs_figures *f);
extern gs_state *gs_state_from_figures(const gs_figures *f);
extern gs_state *gs_state_new(gs_state_kind kind);
extern void gs_figures_from_stats(gs_figures *f, gs_type type,
								  const gs_result *stats);

/* state_check.c */
extern const char *gs_figures_invalid(const gs_figures *f);
extern void gs_state_check_removal(const gs_state *s, bool thorough);

/*
 * state_result.c: of the SQL type, of states of the right kind.  *isnull is set
 * where there is no result.
 */
extern Datum gs_state_sum_double(const gs_state *s, bool *isnull);
extern Datum gs_state_sum_real(const gs_state *s, bool *isnull);
extern Datum gs_state_sum_bigint(const gs_state *s, bool *isnull);
extern Datum gs_state_sum_numeric(const gs_state *s, bool *isnull);
extern Datum gs_state_avg_double(const gs_state *s, bool *isnull);
extern Datum gs_state_avg_numeric(const gs_state *s, bool *isnull);
extern Datum gs_state_var_pop(const gs_state *s, bool *isnull);
extern Datum gs_state_var_samp(const gs_state *s, bool *isnull);
extern Datum gs_state_stddev_pop(const gs_state *s, bool *isnull);
extern Datum gs_state_stddev_samp(const gs_state *s, bool *isnull);
extern Datum gs_state_covar_pop(const gs_state *s, bool *isnull);
extern Datum gs_state_covar_samp(const gs_state *s, bool *isnull);
extern Datum gs_state_corr(const gs_state *s, bool *isnull);
extern Datum gs_state_regr_slope(const gs_state *s, bool *isnull);
extern Datum gs_state_regr_intercept(const gs_state *s, bool *isnull);
extern Datum gs_state_regr_r2(const gs_state *s, bool *isnull);

#endif							/* GS_STATE_H */
