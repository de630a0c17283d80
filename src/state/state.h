/*-------------------------------------------------------------------------
 *
 * state.h
 *	  States of aggregates: exact sums of the rows so far, in a flat value.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_STATE_H
#define GS_STATE_H

#include "engine/engine.h"
#include "exact/figures.h"

/* What a state sums. */
typedef enum gs_state_kind
{
	GS_STATE_INTEGERS = 1,		/* integers */
	GS_STATE_INTEGER_MOMENTS,	/* integers and their squares */
	GS_STATE_REALS,				/* real numbers */
	GS_STATE_MOMENTS,			/* real numbers and their squares */
	GS_STATE_STATS,				/* moments of real numbers, and extremes */
	GS_STATE_PAIRS				/* pairs of reals, squares and products */
} gs_state_kind;

/*
 * Special elements, which no sum can hold, are counted (gs_special).  Pairs
 * have one counter for x that are not finite and one for y.
 */
enum
{
	GS_SPECIAL_X,
	GS_SPECIAL_Y,
	GS_PAIR_SPECIALS
};

/*
 * A window of an accumulator (exact.h): limbs base .. base + limbs - 1; all
 * others are zero.  Without a base, all limbs are zero and the window may be
 * placed anywhere.
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
	GS_SUM_Y_WINDOW = GS_WINDOWS,	/* pairs only; the two above are for x */
	GS_SQUARES_Y_WINDOW,
	GS_PRODUCTS_WINDOW,
	GS_PAIR_WINDOWS
};

/*
 * A state: a flat varlena without pointers, changed in place.
 *
 * The tail holds, in this order:
 *
 * - GS_STATE_STATS: minimum and maximum as doubles; GS_STATE_PAIRS: a
 *	 gs_pairs_head
 * - the counters of special elements, if there have been any
 * - the limbs of each window
 *
 * For GS_STATE_INTEGER_MOMENTS it holds the three words of the sum of squares
 * instead.
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
		gs_pair		pair;		/* real numbers: added to the limbs' sum */
		uint64_t	integer[2]; /* two's complement, low word first */
	}			sum;
	int64_t		tail[FLEXIBLE_ARRAY_MEMBER];
} gs_state;

/*
 * The canonical form of a state's sums: a sum has only one.
 */
typedef struct gs_canonical_sum
{
	bool		negative;
	int			first;			/* limb of word[0]; 0 for a zero */
	int			words;			/* the first and the last are not zero */
	uint32_t	word[GS_ACC2_LIMBS + 2];
} gs_canonical_sum;

typedef struct gs_canonical
{
	gs_state_kind kind;
	int64_t		n;
	int64_t		special[GS_SPECIALS];
	double		extreme[2];		/* GS_STATE_STATS; 0 if n is 0 */
	gs_canonical_sum	window[GS_PAIR_WINDOWS];
} gs_canonical;

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
 * These change a state in place.  If its capacity is used up, they return a
 * larger, palloc'd one instead; the caller may then free the old one.  The
 * extremes of a GS_STATE_STATS stay what they are when a value is removed.
 */
extern gs_state *gs_state_add_double(gs_state *s, double x);
extern gs_state *gs_state_remove_double(gs_state *s, double x);
extern gs_state *gs_state_add_integer(gs_state *s, int64_t x);
extern gs_state *gs_state_remove_integer(gs_state *s, int64_t x);
extern gs_state *gs_state_add_pair(gs_state *s, double y, double x);
extern gs_state *gs_state_remove_pair(gs_state *s, double y, double x);
extern gs_state *gs_state_merge(gs_state *s, const gs_state *other);

/* Remove a GS_STATE_STATS that was merged; the extremes stay what they are. */
extern gs_state *gs_state_take_away(gs_state *s, const gs_state *other);

/*
 * The fast path of GS_STATE_REALS: add x to a state whose sum still fits two
 * doubles afterwards.  Returns false, with nothing changed, if it does not, or
 * if x needs anything else: then call gs_state_add_double.
 */
static inline bool
gs_state_add_real(gs_state *s, double x)
{
	gs_pair		a = gs_two_sum(s->sum.pair.hi, x);
	gs_pair		b = gs_two_sum(s->sum.pair.lo, a.lo);

	/* NaN and infinities make b.lo NaN; negative zeros need their counter */
	if (unlikely(!(b.lo == 0) || s->n == INT64_MAX ||
				 gs_double_bits(x) == UINT64_C(1) << 63))
		return false;
	s->sum.pair.hi = a.hi;
	s->sum.pair.lo = b.hi;
	s->n++;
	return true;
}

/* The error for removing an element that was not added. */
extern void gs_state_not_there(void);

/* A buffer for all limbs of an accumulator. */
typedef struct gs_limbs_buffer
{
	int64_t		limb[GS_ACC2_LIMBS];
} gs_limbs_buffer;

/* state_sum.c: results.  There are GS_PAIR_WINDOWS buffers. */
extern gs_limbs gs_state_limbs(const gs_state *s, int w,
							   gs_limbs_buffer *buffer);
extern gs_sums gs_state_sums(const gs_state *s, gs_limbs_buffer *buffer);

/* A figure that the state's kind has, as an SQL value; NULL sets *isnull. */
extern Datum gs_state_result(const gs_state *s, gs_figure f, bool *isnull);
extern void gs_state_extremes(const gs_state *s, double *min,
							  double *max);

/* state_sum.c: a state's parts, from and to the canonical form. */
extern void gs_state_get_specials(const gs_state *s, int64_t *counts);
extern void gs_state_set_canonical(gs_state *s, const gs_canonical *f);

/* state_canonical.c */
extern void gs_state_get_canonical(const gs_state *s, gs_canonical *f);
extern gs_state *gs_state_from_canonical(const gs_canonical *f);
extern gs_state *gs_state_new(gs_state_kind kind);
extern void gs_canonical_from_stats(gs_canonical *f, gs_type type,
								  const gs_result *stats);

/*
 * As gs_figures_from_stats, with sums of floats that are not the engine's
 * own.
 */
extern void gs_canonical_from_sums(gs_canonical *f, gs_type type,
								 const gs_result *stats, gs_limbs sum,
								 gs_limbs squares);

/* One sum; of integers, in two's complement: two words, squares three. */
extern void gs_canonical_set_sum(gs_canonical *f, int w, gs_limbs sum);
extern void gs_canonical_set_words(gs_canonical *f, int w,
								   const uint64_t *words);

/* state_check.c */
extern const char *gs_canonical_invalid(const gs_canonical *f);
extern void gs_state_check_removal(const gs_state *s, bool thorough);

#endif							/* GS_STATE_H */
