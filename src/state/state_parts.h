/*-------------------------------------------------------------------------
 *
 * state_parts.h
 *	  Access to the parts of a state (state.h); private to the state*.c files.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_STATE_PARTS_H
#define GS_STATE_PARTS_H

#include "state/state.h"

/* The head of the tail of a GS_STATE_PAIRS. */
typedef struct gs_pairs_head
{
	gs_pair		y;				/* as sum.pair is for x */
	gs_limb_window window[4];		/* from GS_WINDOWS on; the last is unused */
} gs_pairs_head;

static inline int
window_count(int kind)
{
	return kind == GS_STATE_PAIRS ? GS_PAIR_WINDOWS : GS_WINDOWS;
}

static inline int
special_count(int kind)
{
	return kind == GS_STATE_PAIRS ? GS_PAIR_SPECIALS : GS_SPECIALS;
}

static inline bool
is_sum(int w)
{
	return w == GS_SUM_WINDOW || w == GS_SUM_Y_WINDOW;
}

/*
 * The accumulator that window w belongs to: number of limbs, lowest exponent.
 */
static inline int
window_limit(int w)
{
	return is_sum(w) ? GS_ACC_LIMBS : GS_ACC2_LIMBS;
}

static inline int
window_lowest(int w)
{
	return is_sum(w) ? GS_ACC_LOWEST : GS_ACC2_LOWEST;
}

/* Size of integer sums in a state, in 32-bit words. */
#define INTEGER_SUM_WORDS		4
#define INTEGER_SQUARES_WORDS	6

static inline gs_limb_window *
window_of(const gs_state *s, int w)
{
	return (gs_limb_window *) (w < GS_WINDOWS ? s->window + w :
						  ((gs_pairs_head *) s->tail)->window + w - GS_WINDOWS);
}

/* The part of the sum in window w that is not in its limbs. */
static inline gs_pair *
pair_of(const gs_state *s, int w)
{
	return (gs_pair *) (w == GS_SUM_WINDOW ? &s->sum.pair :
						&((gs_pairs_head *) s->tail)->y);
}

static inline double *
extremes(const gs_state *s)
{
	return (double *) s->tail;
}

/* 64-bit words of the tail before the counters of special elements. */
static inline int
head_words(int kind)
{
	return kind == GS_STATE_STATS ? 2 :
		kind == GS_STATE_PAIRS ? sizeof(gs_pairs_head) / sizeof(int64_t) : 0;
}

static inline int64_t *
specials(const gs_state *s)
{
	return (int64_t *) s->tail + head_words(s->kind);
}

static inline int64_t *
limbs(const gs_state *s, int w)
{
	int64_t    *first = specials(s) +
		(s->has_specials ? special_count(s->kind) : 0);

	for (int before = 0; before < w; before++)
		first += window_of(s, before)->limbs;
	return first;
}

/*
 * state_grow.c: copies with more capacity.  gs_state_propagate propagates
 * carries, which brings the limbs of all windows below 2^32.
 */
extern gs_state *gs_state_with_specials(const gs_state *s);
extern gs_state *gs_state_widen(gs_state *s, int w, int first, int last);
extern gs_state *gs_state_propagate(gs_state *s);

/* Make sure that window w contains limbs first .. last. */
static inline gs_state *
include_limbs(gs_state *s, int w, int first, int last)
{
	const gs_limb_window *window = window_of(s, w);

	if (likely(first >= window->base && last < window->base + window->limbs))
		return s;
	return gs_state_widen(s, w, first, last);
}

#endif							/* GS_STATE_PARTS_H */
