/*-------------------------------------------------------------------------
 *
 * stages.h
 *	  Reports over reports: the rows of one are the groups of another.
 *
 * A subquery that is a report becomes a stage of the report that reads it
 * (engine/finish.h), and may have such a stage itself.  Expressions of the query
 * around it are made expressions of what its groups give: Vars of varno
 * GS_GROUP_VAR, of which the first are of its keys, the others of its aggregates;
 * or of what its rows have, and of their window functions (windows.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_STAGES_H
#define GS_REPORT_STAGES_H

#include "report/query.h"
#include "report/report.h"
#include "report/windows.h"

/* What stands for a key or an aggregate, by its number. */
extern Node *gs_make_given(int number, const Node *of);

/*
 * Planning.  Is the query over a report?  False, with a reason if it is over
 * another subquery.  Sets what the query knows of it.
 */
extern bool gs_stage_find(gs_report_query *q);

/* The ordinary aggregation, of so many groups, over the subquery's report. */
extern Path *gs_stage_aggregation(gs_report_query *q, RelOptInfo *grouped,
								  const Path *ordinary, double groups);

/*
 * What costs more than the path, but hardly, as most of it is what the subquery's
 * report costs, would stay instead of it if it had any order.  Drop it, unless
 * somebody may want that order.
 */
extern void gs_stage_drop_paths(const gs_report_query *q, RelOptInfo *grouped,
								const Path *path);

/* The query's expression, expressions, or conditions, as those of the rows; of a table, as it is. */
extern Expr *gs_stage_expression(const gs_report_query *q, Expr *expression);
extern List *gs_stage_expressions(const gs_report_query *q,
								  const List *expressions);
extern List *gs_stage_conditions(const gs_report_query *q);

/* What a query of rows says, its expressions likewise; and a scan of rows. */
extern void gs_stage_rows(const gs_report_query *q, gs_report_rows *rows);
extern void gs_stage_scan_rows(const gs_report_scan *scan,
							   const gs_translation *t, gs_report_rows *rows);

/* Before a query's expressions are translated: what gives its rows. */
extern bool gs_stage_plan(const gs_report_query *q, gs_translation *t);

/* Executing: the scan's HAVING, of what it gives. */
extern List *gs_stage_having(const gs_report_scan *scan);

/* Executing: the subquery's scan, in the child; NULL: there is none. */
extern gs_report_scan *gs_stage_scan(const gs_report_scan *scan);

/* All tables that a report reads, of which any may be why it is lost. */
extern List *gs_report_tables(gs_report_scan *scan);

/*
 * Begin to translate a scan's query, whose conditions are in *filter
 * then, and entries of its tuples in t->tlist.
 */
extern bool gs_stage_begin(gs_report_scan *scan, const gs_asked *asked,
						   gs_translation *t, List **filter);

/*
 * Groups become the rows of t, a plan that gives them as values, 8 bytes at the
 * most, where states have up to 48 and are finished by the session; and only those
 * that pass `having`, or can be among the first (top.h).  `shown` are the
 * expressions of the shape, which is that of rows then.  False: the service does not
 * finish all of them, or cannot leave groups out so; or that is not asked for, and
 * no state is longer.
 */
extern bool gs_stage_add_values(gs_translation *before, List *shown, List *having,
								const List *top, gs_report_shape *shape,
								gs_translation *t);

/* The plan of a translation, with those before it; returns how many. */
extern int	gs_stage_list(const gs_translation *t, gs_stage *stage);

/* The translation of a stage, counted from 0; that of the table is the first. */
extern const gs_translation *gs_stage_of(const gs_translation *t, int stage);

/* May rows of any have values that the plan took for absent? */
extern bool gs_stages_absent_have_come(const gs_translation *t);

/* A subquery's path as one of the relation that it is in the query around it. */
extern Path *gs_subquery_path(PlannerInfo *root, RelOptInfo *rel, Path *path);

#endif							/* GS_REPORT_STAGES_H */
