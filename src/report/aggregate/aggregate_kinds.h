/*-------------------------------------------------------------------------
 *
 * aggregate_kinds.h
 *	  Which of SQL's aggregates are known, by function.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_AGGREGATE_KINDS_H
#define GS_REPORT_AGGREGATE_KINDS_H

#include "report/aggregate/aggregate_rules.h"

/* Types of arguments: bits. */
#define BOOLEANS	(1 << GS_BOOL)
#define INTEGERS	(1 << GS_INT2 | 1 << GS_INT4 | 1 << GS_INT8)
#define FLOATS		(1 << GS_FLOAT4 | 1 << GS_FLOAT8)
#define NUMBERS		(INTEGERS | FLOATS)
#define DECIMALS	(1 << (GS_FLOAT8 + 1))
#define CODES		(1 << (GS_FLOAT8 + 2))
#define VALUES		(NUMBERS | DECIMALS)
#define EXACT		(INTEGERS | DECIMALS)
#define ORDERED		(NUMBERS | CODES)
#define ANY			(BOOLEANS | NUMBERS | DECIMALS | CODES)
#define NONE		0

/* Which of a pair's values is a figure of?  The other one has to be present. */
typedef enum gs_only
{
	GS_BOTH,
	GS_ONLY_Y,
	GS_ONLY_X
} gs_only;

typedef struct aggregate_kind
{
	const char *name;			/* gpuscan's, if there is one: behind "gpu_" */
	gs_aggregate_rule rule;
	gs_aggregate_kind kind;		/* GS_RULE_COUNT, GS_RULE_VALUE */
	gs_figure	figure;			/* GS_RULE_FIGURE */
	int			types;			/* of gpuscan's */
	int			same;			/* types for which the built-in one has the
								 * same results */
	int			rounded;		/* and the same but for their rounding */
	gs_only		only;			/* of pairs */

	/*
	 * Of rows where the argument `compared`, from 0 on, is "min" or "max"
	 * (chosen_rows.h), or NULL.
	 */
	const char *extreme;
	int			compared;
} aggregate_kind;

/* A window function's own frame, of rows. */
typedef enum gs_own_frame
{
	GS_FRAME_OF_CLAUSE,			/* it has none */
	GS_FRAME_CUMULATIVE,		/* up to the current row */
	GS_FRAME_MOVING				/* its second and third arguments */
} gs_own_frame;

/* What is known of a function. */
typedef struct known_aggregate
{
	Oid			oid;			/* the key */
	bool		gpuscan;		/* is it a member of the extension? */
	bool		partial;		/* is it Citus' worker_partial_agg? */
	gs_own_frame frame;
	const aggregate_kind *kind; /* over its frame; NULL: of no use */
} known_aggregate;

/* Are values that are equal, by the type's default order, the same bytes? */
extern bool gs_equal_is_same(Oid type, Oid collation);

/* Look it up in the catalogs, or in what is remembered of them. */
extern known_aggregate gs_known_aggregate(Oid function);

#endif							/* GS_REPORT_AGGREGATE_KINDS_H */
