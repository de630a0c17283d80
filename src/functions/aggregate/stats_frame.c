/*-------------------------------------------------------------------------
 *
 * stats_frame.c
 *	  Summaries of moving frames: gpu_stats_agg and gpu_rollup as window functions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "call/call.h"
#include "functions/aggregate/moving.h"
#include "state/state.h"

/*
 * A moving frame: its values in order, and a summary from which values are taken
 * away, but for its extremes
 */

static void
enter_value(gs_frame *f, int64 row, gs_number value)
{
	if (f->state == NULL)
		gs_frame_open_state(f, GS_STATE_STATS);
	gs_moving_percentile.enter(f, row, value);
	gs_frame_keep_state(f, f->is_float ?
						gs_state_add_double(f->state, value.d) :
						gs_state_add_integer(f->state, value.i));
}

static void
leave_value(gs_frame *f, gs_number value)
{
	gs_moving_percentile.leave(f, value);
	gs_frame_keep_state(f, f->is_float ?
						gs_state_remove_double(f->state, value.d) :
						gs_state_remove_integer(f->state, value.i));
}

static double
value_of_rank(const gs_frame *f, int64 rank)
{
	gs_number	value = gs_multiset_at(f->values, rank);

	return f->is_float ? value.d : (double) value.i;
}

/* The summary with these extremes. */
static Datum
with_extremes(const gs_state *s, double least, double greatest)
{
	gs_canonical canonical;

	gs_state_get_canonical(s, &canonical);
	canonical.extreme[0] = least;
	canonical.extreme[1] = greatest;
	return PointerGetDatum(gs_state_from_canonical(&canonical));
}

static Datum
stats_of_frame(const gs_frame *f, bool *isnull pg_attribute_unused())
{
	return with_extremes(f->state, value_of_rank(f, 0),
						 value_of_rank(f, f->state->n - 1));
}

static const gs_moving moving_stats =
{enter_value, leave_value, stats_of_frame};

PG_FUNCTION_INFO_V1(gpu_frame_stats);

/* gpu_frame_stats(internal, value) */
Datum
gpu_frame_stats(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(gs_moving_add(fcinfo, GS_NUMBERS, &moving_stats, NULL,
									NULL));
}

/*
 * A moving frame of summaries
 */

typedef struct rollup
{
	gs_frame	least;			/* has the sums, too */
	gs_frame	greatest;
	int64		entered;		/* summaries of at least one value */
	int64		left;
} rollup;

static rollup *
new_rollup(MemoryContext context)
{
	rollup	   *r = MemoryContextAllocZero(context, sizeof *r);

	gs_frame_open(&r->least, FLOAT8OID, context);
	gs_frame_open(&r->greatest, FLOAT8OID, context);
	gs_frame_open_state(&r->least, GS_STATE_STATS);
	return r;
}

PG_FUNCTION_INFO_V1(gpu_frame_rollup);

/* gpu_frame_rollup(internal, gpu_stats) */
Datum
gpu_frame_rollup(PG_FUNCTION_ARGS)
{
	MemoryContext context = gs_window_context(fcinfo);
	rollup	   *r = PG_ARGISNULL(0) ? new_rollup(context) :
		(rollup *) PG_GETARG_POINTER(0);
	const gs_state *s;
	gs_number	extreme[2];

	if (PG_ARGISNULL(1))
		PG_RETURN_POINTER(r);
	s = (const gs_state *) PG_DETOAST_DATUM(PG_GETARG_DATUM(1));
	if (s->n == 0)
		PG_RETURN_POINTER(r);
	gs_state_extremes(s, &extreme[0].d, &extreme[1].d);
	gs_frame_keep_state(&r->least, gs_state_merge(r->least.state, s));
	gs_frame_enter(&r->least, r->entered, extreme[0], &gs_moving_min);
	gs_frame_enter(&r->greatest, r->entered++, extreme[1], &gs_moving_max);
	PG_RETURN_POINTER(r);
}

PG_FUNCTION_INFO_V1(gpu_frame_rollup_remove);

Datum
gpu_frame_rollup_remove(PG_FUNCTION_ARGS)
{
	rollup	   *r = gs_window_state(fcinfo);
	const gs_state *s;

	if (PG_ARGISNULL(1))
		PG_RETURN_POINTER(r);
	s = (const gs_state *) PG_DETOAST_DATUM(PG_GETARG_DATUM(1));
	if (s->n == 0)
		PG_RETURN_POINTER(r);
	gs_frame_keep_state(&r->least, gs_state_take_away(r->least.state, s));
	gs_frame_leave(&r->least, ++r->left, &gs_moving_min);
	gs_frame_leave(&r->greatest, r->left, &gs_moving_max);
	PG_RETURN_POINTER(r);
}

PG_FUNCTION_INFO_V1(gpu_frame_rollup_final);

Datum
gpu_frame_rollup_final(PG_FUNCTION_ARGS)
{
	const rollup *r = PG_ARGISNULL(0) ? NULL :
		(const rollup *) PG_GETARG_POINTER(0);

	if (r == NULL || r->entered == r->left)
		PG_RETURN_NULL();
	return with_extremes(r->least.state,
						 gs_frame_entry_at(&r->least, 0)->value.d,
						 gs_frame_entry_at(&r->greatest, 0)->value.d);
}
