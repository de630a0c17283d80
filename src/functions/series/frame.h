/*-------------------------------------------------------------------------
 *
 * frame.h
 *	  A moving frame: reductions over the values in it.
 *
 * Sums add the values that enter and subtract those that leave, which only
 * exact sums may do.  For minimum and maximum, a monotonic queue holds the
 * candidates, that is, the values that can still become the result; each enters
 * and leaves once.  What depends on the order of all values has them in a
 * multiset.
 *
 * Window functions need the values that leave, and nobody else keeps them, so
 * they are stored here, in a ring.  Frames that nothing leaves need none.
 * Aggregates are told which value leaves, and store candidates alone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_FRAME_H
#define GS_FRAME_H

#include "call/array_iteration.h"
#include "functions/order/multiset.h"
#include "state/state.h"

typedef struct gs_frame_entry
{
	int64		row;			/* counted from 0 */
	gs_number	value;
} gs_frame_entry;

typedef struct gs_frame
{
	MemoryContext context;		/* of all memory that belongs to it */
	gs_type		type;			/* GS_INT8 if numbers are pointers */
	bool		is_float;
	bool		decimals;		/* numbers are copies of numeric: gs_decimal_of */
	bool		owned;			/* numbers are pointers to memory of its own */
	gs_state   *state;
	struct gs_decimal_sums *sums;	/* of numeric: frame_decimal.c */

	/* frame_order.c */
	gs_multiset *values;
	gs_multiset *variants;		/* of a mode of numeric: 1 and 1.00 apart */
	double		fraction;		/* of a percentile */
	bool		discrete;		/* itself a value */

	/* frame_pair.c: the y of a pair that has not got its x yet */
	bool		has_y;
	gs_number	y;

	/* a ring: a window's values that are not NULL, or the candidates */
	gs_frame_entry *ring;
	int64		capacity;		/* a power of two */
	int64		first;
	int64		n;
} gs_frame;

/* The steps of a moving function. */
typedef struct gs_moving
{
	void		(*enter) (gs_frame *f, int64 row, gs_number value);
	void		(*leave) (gs_frame *f, gs_number value);	/* or NULL */

	/* the frame must not be empty */
	Datum		(*result) (const gs_frame *f, bool *isnull);
} gs_moving;

extern const gs_moving gs_moving_sum;
extern const gs_moving gs_moving_avg;
extern const gs_moving gs_moving_stddev;
extern const gs_moving gs_moving_min;
extern const gs_moving gs_moving_max;

extern const gs_moving gs_moving_median;
extern const gs_moving gs_moving_percentile;	/* of the frame's fraction */
extern const gs_moving gs_moving_mode;
extern const gs_moving gs_moving_distinct;	/* how many there are */

/* Of pairs of doubles: each is two values of a row, y and x. */
extern const gs_moving gs_moving_corr;

/* Those of sums of numeric. */
extern const gs_moving gs_moving_decimal_sum;
extern const gs_moving gs_moving_decimal_avg;
extern const gs_moving gs_moving_decimal_stddev;

/* A numeric as a number, and back. */
static inline gs_number
gs_number_of_decimal(Datum decimal)
{
	gs_number	number;

	number.i = (int64) decimal;
	return number;
}

static inline Datum
gs_decimal_of(gs_number number)
{
	return (Datum) number.i;
}

extern gs_number gs_frame_copy(const gs_frame *f, gs_number decimal);

/* For values of this type. */
extern void gs_frame_open(gs_frame *f, Oid type, MemoryContext context);

/* A queue of candidates: one more at its end, one less, the last one. */
extern void gs_frame_push(gs_frame *f, int64 row, gs_number value);
extern void gs_frame_drop_last(gs_frame *f);

static inline const gs_frame_entry *
gs_frame_entry_at(const gs_frame *f, int64 i)
{
	return &f->ring[(f->first + i) & (f->capacity - 1)];
}

extern void gs_frame_open_state(gs_frame *f, gs_state_kind kind);
extern int64 gs_frame_offset(int32 offset, bool isnull, const char *name);
extern int64 gs_frame_argument(FunctionCallInfo fcinfo, int i,
							   const char *name);
extern void gs_frame_enter(gs_frame *f, int64 row, gs_number value,
						   const gs_moving *what);
extern void gs_frame_leave(gs_frame *f, int64 row, const gs_moving *what);

/*
 * Store a state in the frame's memory; it may be a new one, which has grown.
 */
static inline void
gs_frame_keep_state(gs_frame *f, gs_state *s)
{
	gs_state   *copy;

	if (likely(s == f->state))
		return;
	copy = MemoryContextAlloc(f->context, VARSIZE(s));
	memcpy(copy, s, VARSIZE(s));
	pfree(f->state);
	pfree(s);
	f->state = copy;
}

#endif							/* GS_FRAME_H */
