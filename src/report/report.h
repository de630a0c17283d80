/*-------------------------------------------------------------------------
 *
 * report.h
 *	  The custom scan of reports: what its planning, execution and display
 *	  share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_H
#define GS_REPORT_H

#include "commands/explain.h"
#include "nodes/extensible.h"

#include "report/aggregate/aggregates.h"
#include "report/result/result.h"
#include "report/result/sets.h"
#include "report/session/losses.h"
#include "report/table/run.h"
#include "report/translate/dimension.h"
#include "report/translate/translate.h"

/*
 * A request to the service takes some 0.3 ms, and more where pages have to be
 * read: no longer than a sequential scan of this many rows.
 */
#define GS_REPORT_REQUEST_COST	(10000 * cpu_tuple_cost)

/* What a plan costs that takes 1 ms, with PostgreSQL's own settings of costs. */
#define GS_REPORT_COST_PER_MS	300

/*
 * The scan's tuples (custom_scan_tlist): the keys, then the aggregates (of rows:
 * what is shown of each, then the window functions), then the GROUPING()s, or TIDs as in tid_fetch.h, then columns that only the filter needs, which are never filled in, but give the
 * Vars of custom_exprs something to refer to.  custom_exprs is a list of lists:
 * gs_report_expressions.  The plan's qual is HAVING, and custom_plans are the
 * ordinary plan, then those of the dimensions.
 *
 * custom_private of the plan is a list of lists; in this order:
 */
typedef enum gs_report_private_list
{
	GS_REPORT_RELATIONS,		/* OIDs: the one that the query names, then
								 * the tables */
	GS_REPORT_COUNTS,			/* gs_report_count */
	GS_REPORT_HASH,				/* gs_report_hash */
	GS_REPORT_SETS,				/* the places of keys in grouping sets, and */
	GS_REPORT_GROUPINGS,		/* values of GROUPING()s there, as in query.h */
	GS_REPORT_JOIN_KINDS,		/* a JoinType for each dimension */
	GS_REPORT_JOIN_TABLES,		/* its tables, and */
	GS_REPORT_JOIN_TABLES_READ, /* all that it reads, as in dimension.h */
	GS_REPORT_JOIN_HELD,		/* of one whose tables the service makes: the
								 * table, then what that consists of; else NIL */
	GS_REPORT_COSTS,			/* gs_report_cost */
	GS_REPORT_WINDOW_INTEGERS,	/* as in windows.h */
	GS_REPORT_TOP,				/* as in top.h */
	GS_REPORT_BY_TID,			/* as in tid_fetch.h */
	GS_REPORT_ENTRIES			/* only in execution, if EXPLAIN sees others */
} gs_report_private_list;

typedef enum gs_report_expressions
{
	GS_REPORT_FILTER,			/* quals */
	GS_REPORT_WINDOWS,			/* as in windows.h */
	GS_REPORT_COMPUTED,			/* keys, and aggregates, if they are translated from
								 * others than the tuples'; or NIL */
	GS_REPORT_DIMENSIONS		/* of each: its outer keys, inner keys, columns,
								 * filter */
} gs_report_expressions;

typedef enum gs_report_count
{
	GS_REPORT_KEYS,
	GS_REPORT_AGGREGATES,
	GS_REPORT_GROUPING_CALLS,
	GS_REPORT_HIDDEN_SETS,		/* 0 or 1: sets.h */
	GS_REPORT_STAGES,			/* 1, or more: stages.h */
	GS_REPORT_ORDERED,			/* 0 or 1: groups come in the keys' order */
	GS_REPORT_OF_ROWS,			/* 0 or 1 */
	GS_REPORT_ORDER,			/* of rows: as in windows.h */
	GS_REPORT_FIRST,
	GS_REPORT_LIMIT,
	GS_REPORT_READ_WHOLE		/* 0 or 1: what is above reads all rows */
} gs_report_count;

/* Whole numbers */
typedef enum gs_report_cost
{
	GS_REPORT_SAVING,			/* as in query.h */
	GS_REPORT_FIRST_COST,
	GS_REPORT_FIRST_BY_WORKERS,
	GS_REPORT_READING			/* of each dimension; then each one's guess, as
								 * in dimension.h: the high half, and the low;
								 * then each one's share; then the
								 * number of its parent, or -1; then
								 * first_by_workers */
} gs_report_cost;

/* Of gs_attempt_hash. */
typedef enum gs_report_hash
{
	GS_REPORT_HASH_HIGH,		/* half */
	GS_REPORT_HASH_LOW,
	GS_REPORT_HASH_PARAMETERS	/* 1: it found some */
} gs_report_hash;

static inline List *
gs_report_list(const CustomScan *plan, gs_report_private_list which)
{
	return list_nth(plan->custom_private, which);
}

/* What EXPLAIN ANALYZE tells, of all executions. */
typedef struct gs_report_totals
{
	int64		reports;		/* that the service made */
	int64		tries;			/* before these: a row needed a value */
	int64		fallbacks;		/* others, for this reason the last time */
	char		reason[200];
	int64		groups;
	int64		sent;			/* of these, but of those of a hidden set */
	int64		merged;			/* grouping sets, from the groups of others */
	int64		fetches;		/* of rows from the table */
	int			stages;			/* one more than the scan's, if groups came as
								 * values */
	bool		on_device;
	char		engine[16];
	double		memory;			/* bytes at the most, of one execution */
	double		file;
	gs_report_stats stats;

	/* of stats' times, the rest: in all, of making the plan, and of results */
	double		total_ms;
	double		prepare_ms;
	double		result_ms;
} gs_report_totals;

/* Where tuples come from. */
typedef enum gs_report_source
{
	GS_REPORT_NOT_MADE,
	GS_REPORT_GROUPS,			/* the service made the report */
	GS_REPORT_CHILD				/* the ordinary plan makes it */
} gs_report_source;

typedef struct gs_tid_fetch gs_tid_fetch;

typedef struct gs_report_scan
{
	CustomScanState css;

	/* of the plan */
	Oid			relation;
	List	   *tables;			/* OIDs */
	List	   *entries;		/* what the tuples are translated from */
	bool		of_rows;		/* windows.h */
	int			order;			/* of rows; as in windows.h */
	int			first;
	int			limit;
	bool		few;			/* rows without a window: few of many */
	bool		read_whole;		/* by what is above, not by the statement's caller */
	int			shown;			/* keys, or what is used of each row; */
	int			functions;		/* aggregates, or window functions */
	int			tids;			/* columns of TIDs behind these */
	int			keys;			/* of all sets; of rows, all of the above */
	int			aggregates;
	int			groupings;
	int			sets;
	int			hidden;			/* 1: there is a hidden set behind them */
	int			stages;
	bool		chosen_rows;	/* chosen_rows.h */
	bool		ordered;
	List	   *top;			/* top.h */
	gs_tid_fetch *fetch;		/* NULL: nothing is read by TID */
	gs_report_set *set;
	gs_attempt	attempt;
	List	   *dimensions;		/* gs_dimension */
	double		saving;			/* as in query.h */
	double		first_cost;
	double		first_by_workers;
	bool		dimensions_read;
	bool		parametric;
	int			eflags;
	PlanState  *shown_child;	/* NULL: it is still the child */
	Oid			user;			/* as whom plans begin, and */
	int			security_context;
	bool		waits;			/* the child runs until reading pays */
	double		child_ms;

	/* of an execution */
	gs_report_source source;
	MemoryContext context;
	gs_report_run run;
	gs_report_memory memory;
	int			current;		/* the set whose groups come now */

	gs_report_totals totals;
	const struct gs_report_scan *next;	/* of the same statement */
} gs_report_scan;

/* Add the milliseconds since then. */
static inline void
gs_add_time(double *ms, instr_time start)
{
	instr_time	end;

	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_SUBTRACT(end, start);
	*ms += INSTR_TIME_GET_MILLISEC(end);
}

/* path.c */
extern void gs_report_init(void);

/* report_scan.c */
extern const CustomScanMethods gs_report_scan_methods;

/* By which the session knows how often it has run the query, and losses.h. */
extern gs_attempt gs_report_attempt(const CustomScan *plan);
extern bool gs_report_is_scan(const PlanState *state);
extern void gs_report_renew_dimensions(gs_report_scan *scan);

/*
 * tries.c.  gs_report_make: the results of all sets; false, with
 * scan->run.reason, if the ordinary plan must be taken.
 */
extern bool gs_report_make(gs_report_scan *scan);

/* explain.c */
extern void gs_report_explain(CustomScanState *node, List *ancestors,
							  ExplainState *es);

#endif							/* GS_REPORT_H */
