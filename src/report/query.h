/*-------------------------------------------------------------------------
 *
 * query.h
 *	  Queries that can be made as reports.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_QUERY_H
#define GS_REPORT_QUERY_H

#include "nodes/pathnodes.h"

#include "report/translate/translate.h"

/* An aggregation while it is examined. */
typedef struct gs_report_query
{
	PlannerInfo *root;
	RelOptInfo *input;			/* the relation that is aggregated: a table, or a join */
	UpperRelationKind upper;	/* what the report is to give */
	bool		distinct;		/* groups are those of SELECT DISTINCT */
	bool		of_rows;		/* it gives rows, no groups: windows.h */
	bool		aggregated;		/* what it gives, by PostgreSQL: aggregated_rows.h */
	PathTarget *target;
	List	   *having;			/* quals; of rows: of window functions */

	/*
	 * English, for EXPLAIN and DEBUG1: why it is not taken.  recalled: an
	 * execution has found it out.
	 */
	const char *reason;
	const char *detail;			/* of that, or NULL */
	const char *hint;			/* what to write instead, or NULL */
	bool		recalled;

	/*
	 * If it is over a report: its path, how many stages there are with this one,
	 * what the subquery's columns are of its groups, its HAVING of these, and OIDs
	 * of its table, then of what that consists of (stages.h)
	 */
	Path	   *stage;
	int			stages;
	List	   *given;
	List	   *below_having;
	List	   *relations;

	/*
	 * What gs_report_query_tables finds.  Of a join (join.h), each row of the fact
	 * table looks up one of each dimension; conditions are those on both.
	 */
	RelOptInfo *fact;			/* the table whose rows the report reads */
	List	   *dimensions;		/* gs_dimension, in the order of look-ups */
	List	   *dimension_rels; /* their RelOptInfos, and */
	List	   *dimension_sources;	/* those that give their rows */
	Cost		first_cost;		/* of reading what the service then holds; and what
								 * a run saves if all is held and kept that can be */
	Cost		saving;
	Cost		first_by_workers;	/* first_cost, by as many processes as will read, or
									 * if all of it is read before */
	bool		not_volatile;	/* all of the query, as far as it has been asked */
	Cost		unheld_cost;	/* more for dimensions that are read after all */
	List	   *conditions;		/* quals */
	List	   *subqueries;		/* join_subquery.c's */
	List	   *tables;			/* RelOptInfos: the fact table, or its partitions */
	List	   *others;			/* partitions that are no heap tables */

	/* what gs_report_query_expressions finds */
	Cost		evaluation;		/* of expressions, before a row is read */
	Cost		coding;			/* of values that have no code yet */
	List	   *keys;			/* of rows: what is used of each */
	List	   *key_refs;		/* their tleSortGroupRef, or 0 */
	double		key_values[GS_PLAN_KEYS];	/* no more distinct values each */
	List	   *pathkeys;		/* the groups' order, if that is the query's */
	List	   *aggregates;		/* Aggrefs, or WindowFuncs, each once */
	List	   *filter;			/* quals */

	/* keys and aggregates as they are translated: with what dimensions give in place
	 * of subqueries */
	List	   *computed_keys;
	List	   *computed_aggregates;
	List	   *groupings;		/* GroupingFuncs, each once */

	/* of groups: top.h */
	List	   *top;

	/* of rows: windows.h */
	List	   *windows;
	List	   *window_integers;
	int			order;			/* the window in whose order they come, or -1 */
	int			first;			/* DISTINCT ON: so many of each partition; 0: all;
								 * -n: n, and those that equal the last of these */
	int			limit;			/* ORDER BY ... LIMIT: so many; 0: all */
	double		rows;			/* before that */
	List	   *by_tid;			/* as in tid_fetch.h */
	double		most_rows;		/* it gives no more, as far as is known; 0: unknown */

	/*
	 * GROUPING SETS, ROLLUP, CUBE: of each set, the places of its keys among
	 * those above, and the values of the groupings (lists of integers).  NIL:
	 * there is one set, of all keys.
	 */
	List	   *sets;
	List	   *grouping_values;
	uint64		hash;			/* gs_attempt_hash of all of it */
	bool		parametric;
	bool		merge;			/* can sets be merged from others? */
	bool		hidden;			/* and all from a hidden one: sets.h */
} gs_report_query;

/* It is no report, for this reason. */
static inline bool
gs_refuse(gs_report_query *q, const char *reason)
{
	q->reason = reason;
	return false;
}

/* A detail */
#define GS_OVER_REPORT	"A subquery of it is a report."

/* These return false, with a reason, if the query cannot be taken. */
extern bool gs_report_query_tables(gs_report_query *q);
extern bool gs_report_query_expressions(gs_report_query *q);

/*
 * query_parts.c: the same, of keys, aggregates and what is computed of these; and of
 * an expression that has nothing but columns in it, for this reason or a better one.
 */
extern bool gs_query_find_parts(gs_report_query *q);
extern bool gs_query_is_of_columns(gs_report_query *q, Node *node, const char *reason);

/* What a table consists of, to q->tables, or q->others. */
extern bool gs_report_query_add_tables(gs_report_query *q, RelOptInfo *rel);

/*
 * estimate.c: how many values a key has at most, as far as is known, and then
 * how many groups are those of all keys, or of all sets.
 */
extern double gs_report_key_values(const gs_report_query *q,
								   const gs_translation *t, Expr *key);
extern double gs_report_key_groups(const gs_report_query *q);
/* How many groups are there of these expressions, by PostgreSQL's estimate? */
extern double gs_report_groups_by(const gs_report_query *q, List *expressions);
extern double gs_report_all_groups(const gs_report_query *q);

/* Is the engine's order of its values SQL's?  That of codes is not. */
extern bool gs_report_is_in_order(const Node *expression);

/* SortGroupClauses of the keys. */
extern List *gs_report_query_clauses(const gs_report_query *q);

/* Those by which an ordinary aggregation of these keys groups. */
extern List *gs_report_query_grouped_by(const gs_report_query *q);

/* Does the query call volatile functions anywhere?  It is asked once or more. */
extern bool gs_report_query_is_volatile(gs_report_query *q);

/* The table that is named, by which what is remembered of the query is found. */
extern Oid	gs_report_query_table(const gs_report_query *q);

/* Does it use an aggregate of gpuscan's?  For queries of any kind. */
extern bool gs_report_query_is_gpuscan(const gs_report_query *q);

/*
 * reason.c: tell why the query is not taken; would anybody be told?  The others
 * find the reason, if it is over something else than a table, and if something is
 * evaluated by subqueries; false: there is no such thing.
 */
extern void gs_report_tell_reason(const gs_report_query *q);
extern bool gs_report_tells_reasons(void);
extern void gs_report_input_reason(gs_report_query *q);
extern bool gs_report_subquery_reason(gs_report_query *q, Node *expression);

#endif							/* GS_REPORT_QUERY_H */
