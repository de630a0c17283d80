/*-------------------------------------------------------------------------
 *
 * losses.h
 *	  What has ended in the ordinary plan, and why: it is not tried again soon.
 *
 * A report that is tried, and not made, costs time that the ordinary plan would
 * not have taken.  So what was found is remembered: of a column, that its values
 * cannot be held; of a query, anything else.  It is tried again when one of the
 * tables that may be the reason, or its statistics, have changed and, since that
 * may not be what matters, when some time has passed: each time that it is lost
 * again, twice as much.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_LOSSES_H
#define GS_REPORT_LOSSES_H

#include "nodes/pg_list.h"

/* What is tried.  No bytes between its members: it is hashed as it is. */
typedef struct gs_attempt
{
	Oid			relation;
	int32		attribute;		/* 0: of a query; and one that tries.c has */
	uint64		query;			/* gs_attempt_hash of it; of a column: 0, 1: that its
								 * values tell rows apart, or 2: its patterns */
} gs_attempt;

/* parametric: it has parameters, whose values may decide. */
extern uint64 gs_attempt_hash(const List *parts, bool *parametric);

/* Why there is no use in it, as found before; NULL: it may be tried. */
extern const char *gs_loss_known(const gs_attempt *attempt);

/*
 * gs_loss_known for a plan, which may be kept for longer than a passing
 * reason.
 */
extern const char *gs_loss_lasting(const gs_attempt *attempt);

/*
 * It has been lost.  tables: OIDs of those that may be the reason; NIL: the
 * attempt's relation.  passing: for a reason, such as a lack of memory, that may
 * soon be gone.
 */
extern void gs_loss_learn(const gs_attempt *attempt, const List *tables,
						  const char *reason, bool passing);

/* It has not. */
extern void gs_loss_forget(const gs_attempt *attempt);

#endif							/* GS_REPORT_LOSSES_H */
