/*-------------------------------------------------------------------------
 *
 * rewriting.h
 *	  Statements in other words, of which a report can make more.
 *
 * Parts of a statement have another form, with a subquery that may be a report:
 *
 *	lateral.h	LATERAL ... LIMIT, as numbers of the rows of all groups
 *	eager.h		GROUP BY a row of a left join, as a join with groups of its many rows
 *	WITH queries that group and are read several times, as a subquery for each
 *
 * They are looked for in the parse tree, before it is planned.  The statement is planned
 * in both forms, and the one that costs less is taken (statement.c).
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_REWRITING_H
#define GS_REPORT_REWRITING_H

#include "nodes/params.h"
#include "nodes/parsenodes.h"
#include "nodes/plannodes.h"

/* So many parts of a statement at the most are examined. */
#define GS_REWRITINGS_MAX	4

/* How many may there be to rewrite?  This looks at range tables alone. */
extern int	gs_rewriting_candidates(const Query *query);

typedef struct gs_rewriting
{
	Query	   *query;			/* the statement, with such a part; NULL: it has no
								 * other form */
	bool		of_groups;		/* eager.h; */
	Oid			many;			/* the table of its many rows; 0: of several */
	int			reads;			/* of a WITH query, which becomes so many; else 0 */
} gs_rewriting;

/* Rewrite one of them, counted from 0.  In the result it is no candidate any more. */
extern gs_rewriting gs_rewrite(const Query *query, ParamListInfo parameters,
							   int which, int number);

/* The subquery's number: that it was rewritten with; -1: it was not. */
extern void gs_rewriting_mark(Query *subquery, int number);
extern int	gs_rewriting_number(const Query *subquery);

/* Nothing in it but conditions, an order and a limit says which rows there are. */
extern bool gs_rewriting_is_simple(const Query *query);

/*
 * Does it read tables, joins of them, and views of these, in no order that says which
 * are first, and give nothing that may raise an error for a row?  So does one item of a
 * range table.  may_raise is set if a condition may.
 */
extern bool gs_rewriting_reads_tables(const Query *query, bool *may_raise);
extern bool gs_rewriting_reads_table(const RangeTblEntry *rte, bool *may_raise);

/*
 * An equality whose one side is inner: would GROUP BY inner, or PARTITION BY, put the
 * rows that a value of the other side equals, and no others, together?
 */
extern bool gs_rewriting_ties(const OpExpr *op, const Node *inner);

/* Is an index of the table, or, if that is 0, of any, scanned for each row of something? */
extern bool gs_rewriting_repeats_index(const PlannedStmt *plan, Oid table);

/*
 * Of plans of a statement, rewriting_costs.c: may another form cost less; what does one
 * cost; of a cursor, as far as the planner takes it to be read.
 */
extern bool gs_rewriting_is_large(const PlannedStmt *plan);
extern Cost gs_rewriting_cost(const PlannedStmt *plan, int options);

/* Are more plans worth their time? */
extern bool gs_rewriting_is_worth_plans(const PlannedStmt *plan,
										const gs_rewriting *rewriting);

/* Does it cost less as rewritten, by `other`, if reports can be made? */
extern bool gs_rewriting_is_better(const PlannedStmt *plan,
								   const PlannedStmt *other,
								   const gs_rewriting *rewriting, int options);

/*
 * May `other` take the place of a plan, in case that no report can be made?  plan and
 * other are what both cost without; sort: what it costs to number the rows.  The rest of
 * the statement may cost much in both.
 */
extern bool gs_rewriting_is_safe(Cost plan, bool repeats_index, Cost other,
								 const gs_rewriting *rewriting, Cost sort);

/*
 * Without planning once more: the first plan costs no less without reports, and the
 * other one no more than with their children in their place.
 */
extern bool gs_rewriting_is_surely_safe(const PlannedStmt *plan, bool has_report,
										const PlannedStmt *other,
										const gs_rewriting *rewriting,
										Cost sort, int options);

#endif							/* GS_REPORT_REWRITING_H */
