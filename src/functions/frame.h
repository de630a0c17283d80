/*-------------------------------------------------------------------------
 *
 * frame.h
 *	  A frame that moves over values: what is in it comes to.
 *
 * Moving window functions and those of arrays share it.  Sums add what enters
 * and take away what leaves, which only exact ones may do; for the least and
 * the greatest, a queue of those values that can still become it, which only
 * rise or fall, so that each enters and leaves once.
 *
 * What leaves a window's frame comes from a ring here, since nobody else keeps
 * it; what leaves an array's, from the array.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_FRAME_H
#define GS_FRAME_H

#include "call/array_iteration.h"
#include "state/state.h"

typedef struct gs_frame_entry
{
	int64		row;			/* counted from 0 */
	gs_number	value;
} gs_frame_entry;

typedef struct gs_frame
{
	MemoryContext context;		/* of all that belongs to it */
	gs_type		type;
	bool		is_float;
	gs_state   *state;

	/*
	 * The values in it that are not NULL, of a window; or the candidates: a
	 * ring
	 */
	gs_frame_entry *ring;
	int64		capacity;		/* a power of two */
	int64		first;
	int64		n;
} gs_frame;

/* What a moving function does. */
typedef struct gs_moving
{
	void		(*enter) (gs_frame *f, int64 row, gs_number value);
	void		(*leave) (gs_frame *f, gs_number value);	/* or NULL */

	/* of a frame that is not empty */
	Datum		(*result) (const gs_frame *f, bool *isnull);
} gs_moving;

extern const gs_moving gs_moving_sum;
extern const gs_moving gs_moving_avg;
extern const gs_moving gs_moving_stddev;
extern const gs_moving gs_moving_min;
extern const gs_moving gs_moving_max;

extern void gs_frame_open(gs_frame *f, gs_type type, MemoryContext context);
extern void gs_frame_open_state(gs_frame *f, gs_state_kind kind);
extern int64 gs_frame_offset(int32 offset, bool isnull, const char *name);
extern void gs_frame_enter(gs_frame *f, int64 row, gs_number value,
						   const gs_moving *what);
extern void gs_frame_leave(gs_frame *f, int64 row, const gs_moving *what);
extern gs_number gs_frame_first(const gs_frame *f);

/* Take a state that may have grown into the frame's memory. */
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
