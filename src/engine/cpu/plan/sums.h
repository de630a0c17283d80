/*-------------------------------------------------------------------------
 *
 * sums.h
 *	  Exact sums of floats for each group.
 *
 * A sum is a fixed-point number of a few words of 64 bits in two's complement.
 * Its window, the same for all groups, is chosen from the first rows.  Bit 0
 * of word 0 is a flag: something other than a zero was added.  Above it, bit 1
 * stands for the position `first` (gs_split), or for products the sum of two
 * positions.  An element fits if its last bit is at a position of first to
 * first + reach.  The words have `headroom` bits and a sign more than the
 * largest element, so that 2^headroom additions cannot overflow.
 *
 * Elements that do not fit are exceptions: they are kept as they are, until
 * the result is wanted, or until they take as much memory as a wider window
 * would.  Then all sums get that window.
 *
 * If there are many more rows than groups, most elements are added to partial
 * sums (partial.c), which take less time, and these to the windows.
 *
 * Without keys there is one group, and its sum is an accumulator
 * (reduce/sum.c).
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CPU_PLAN_SUMS_H
#define GS_CPU_PLAN_SUMS_H

#include "engine/cpu/plan/plan.h"

/* 2^31 additions at first. */
#define GROUP_HEADROOM	31

/* Windows of the fast loops. */
#define SUM_WORDS		2
#define PRODUCT_WORDS	3

/* More than the widest window has. */
#define WORDS_MAX		80

typedef struct group_exception
{
	double		x;
	double		y;				/* of products */
	uint32_t	group;
} group_exception;

/* Partial sums: partial.c */
typedef struct group_partial
{
	int			first;			/* the elements' least exponent, as in a double */
	int64_t		rows;			/* since they were added to the windows */
	void	   *memory;			/* of the groups; NULL: there are none */
	bool		given_up;		/* there are too many groups */
} group_partial;

struct group_sums
{
	bool		products;		/* squares or products */
	int			words;			/* 0: there is no window yet */
	int			first;
	int			reach;
	int			headroom;
	int64_t		additions;		/* rows so far */
	bool		seen;			/* group_state.present has flags */

	group_exception *exception; /* in finish: in the order of groups */
	int64_t		exceptions;
	int64_t		room;			/* for so many */

	/* finish: the places of groups whose sums are wide, ascending */
	uint32_t   *wide;
	int64_t		wides;

	gs_acc2    *whole;			/* without keys; a gs_acc if not products */

	group_partial partial;
};

/* Bits of an element; the greatest position of its last bit. */
static inline int
gs_sums_bits(const group_sums *sums)
{
	return sums->products ? 106 : 53;
}

static inline int
gs_sums_top(const group_sums *sums)
{
	return sums->products ? 2 * 2045 : 2045;
}

/* The position of the last bit of x, or of x * y; finite, not 0. */
static inline int
gs_sums_position(const group_sums *sums, double x, double y)
{
	uint64_t	ex = gs_double_bits(x) >> 52 & 0x7ff;
	uint64_t	ey = gs_double_bits(y) >> 52 & 0x7ff;
	int			position = (int) ex - (ex != 0);

	return sums->products ? position + (int) ey - (ey != 0) : position;
}

/* Is x, or x * y, a number other than 0? */
static inline bool
gs_sums_is_plain(const group_sums *sums, double x, double y)
{
	if (!gs_is_finite(x) || x == 0)
		return false;
	return !sums->products || (gs_is_finite(y) && y != 0);
}

/* window.c */
extern gs_status gs_sums_add(gs_plan_run *run, group_state *s,
							 const group_rows *rows, const double *x,
							 const double *y);
extern bool gs_sums_add_if_fits(const group_sums *sums, uint64_t *word,
								double x, double y);
extern void gs_sums_add_integer(const group_sums *sums, uint64_t *word,
								__int128 units, int position);

/* widen.c */
extern gs_status gs_sums_prepare(gs_plan_run *run, group_state *s, int n,
								 const double *x, const double *y);
extern gs_status gs_sums_merge(gs_plan_run *run, group_state *s,
							   const group_state *from, const uint32_t *group,
							   int64_t groups);

/* partial.c */
extern bool gs_partial_takes(gs_plan_run *run, group_state *s, int n,
							 const double *x);
extern gs_status gs_partial_add(gs_plan_run *run, group_state *s,
								const group_rows *rows, const double *x);
extern void gs_partial_empty(gs_plan_run *run, group_state *s);

#endif							/* GS_CPU_PLAN_SUMS_H */
