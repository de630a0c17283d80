/*-------------------------------------------------------------------------
 *
 * frame_pair.c
 *	  A moving frame of pairs: their correlation.
 *
 * A pair is two values of its row, which enter and leave one after the other:
 * the ring stores single values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "functions/series/frame.h"

/* Is this the x of a pair?  Else remember it as the y. */
static bool
completes_pair(gs_frame *f, gs_number value)
{
	f->has_y = !f->has_y;
	if (f->has_y)
		f->y = value;
	return !f->has_y;
}

static void
enter_pairs(gs_frame *f, int64 row pg_attribute_unused(), gs_number value)
{
	if (!completes_pair(f, value))
		return;
	if (unlikely(f->state == NULL))
		gs_frame_open_state(f, GS_STATE_PAIRS);
	gs_frame_keep_state(f, gs_state_add_pair(f->state, f->y.d, value.d));
}

static void
leave_pairs(gs_frame *f, gs_number value)
{
	if (completes_pair(f, value))
		gs_frame_keep_state(f, gs_state_remove_pair(f->state, f->y.d, value.d));
}

static Datum
corr_of_frame(const gs_frame *f, bool *isnull)
{
	return gs_state_result(f->state, GS_FIGURE_CORR, isnull);
}

const gs_moving gs_moving_corr = {enter_pairs, leave_pairs, corr_of_frame};
