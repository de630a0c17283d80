/*-------------------------------------------------------------------------
 *
 * windows.h
 *	  Reports of rows: window functions over the rows of a table, a join or a
 *	  report.
 *
 * The rows' values are one plan's, which makes them a relation; window functions
 * add columns to it (engine/windows.h), and another plan reads both: a plan of
 * rows whose values the scan's tuples have, or the plan of the query around it
 * (stages.h).  Of the query, `keys` are what is shown or used of each row, and
 * `aggregates` are WindowFuncs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_WINDOWS_H
#define GS_REPORT_WINDOWS_H

#include "engine/windows.h"
#include "report/aggregate/aggregates.h"
#include "report/query.h"

/* What a query says of a WINDOW: three lists of expressions, and integers. */
typedef enum gs_window_list
{
	GS_WINDOW_PARTITION,
	GS_WINDOW_ORDER,
	GS_WINDOW_OFFSETS			/* where the frame starts, and ends; or NULL */
} gs_window_list;

typedef enum gs_window_integer
{
	GS_WINDOW_REFERENCE,		/* WindowFunc.winref */
	GS_WINDOW_FRAME,			/* FRAMEOPTION_... */
	GS_WINDOW_WAYS				/* of each expression of the partition, then of the
								 * order: bits below */
} gs_window_integer;

/* row_number() and rank(), whose macros are not the same in all versions */
#define GS_ROW_NUMBER	3100
#define GS_RANK			3101

#define GS_WAY_DESCENDING	1
#define GS_WAY_NULLS_FIRST	2

/*
 * Planning: find the windows, keys, functions and order of a query.  False, with
 * a reason: they are not those of a report.
 *
 * DISTINCT ON is a window, too, of which only first rows are shown; and ORDER BY
 * with LIMIT is one, of one partition, without functions.
 */
extern bool gs_windows_find(gs_report_query *q);

/* Its keys are all that the target has, in this order. */
extern void gs_windows_find_tuples(gs_report_query *q);

/*
 * Sending rows takes as long as scanning them.  So without an order they are worth it
 * if a table has so many times as many.  This asks before anything else is looked at:
 * most queries with a filter find their rows by an index.
 */
#define GS_FEW_OF	10

extern bool gs_windows_few_rows(const PlannerInfo *root,
								const RelOptInfo *rows);

/*
 * Does the whole query give few of a table's rows?  It has no windows then, and
 * PostgreSQL sorts the rows.  And is this one that does?
 */
extern bool gs_windows_are_few(const PlannerInfo *root,
							   const RelOptInfo *rows);
extern bool gs_windows_is_of_few(const gs_report_query *q);

/*
 * Give up the order of the query that windows' rows would come in, for which texts
 * need ranks.  False: there is none.
 */
extern bool gs_windows_unsort(gs_report_query *q);

/* Of the ordinary paths, the cheapest that can take the report's place; or NULL. */
extern Path *gs_windows_ordinary(const gs_report_query *q,
								 RelOptInfo *rel);

/* That path, made to give the target. */
extern Path *gs_windows_child(Path *ordinary, PathTarget *target);

/* How many of so many rows it gives. */
extern double gs_windows_rows(const gs_report_query *q, double rows);

/* What it costs to sort the rows, compute the functions, and give them. */
extern Cost gs_windows_cost(const gs_report_query *q, double rows);

/*
 * windows_translate.c: make t read the rows of `before`, whose filter has been
 * translated.  Its rows give (Vars of GS_GROUP_VAR) keys, then functions.
 */
typedef struct gs_report_rows
{
	List	   *keys;
	List	   *functions;		/* WindowFuncs */
	List	   *windows;		/* of each, lists as above; */
	List	   *integers;		/* of each */
	int			order;			/* rows are in this window's; -1: in any */
	bool		sorted;			/* its partitions, too, are in order of their values */
	int			first;			/* of each of its partitions only so many; 0: all;
								 * -n: n, and those that equal the last of these */
	int			limit;			/* without functions: of all; 0: all */
	List	   *by_tid;			/* tid_fetch.h: numbers of keys and functions, and */
	List	   *tids;			/* what they give beside these */
} gs_report_rows;

extern bool gs_translate_rows(gs_translation *before,
							  const gs_report_rows *rows, gs_translation *t);

/*
 * Of the rows of t only the first by a column of it, and, with ties, those that equal
 * the last of these: given[spare - 1] is to be free then.
 */
extern bool gs_translate_first(gs_translation *t, gs_given *given, int spare,
							   gs_sort_column by, int first, bool ties);

/* What they give, by its number; NULL: nothing. */
extern List *gs_rows_shown(const gs_report_rows *rows);

/* Is it one of PostgreSQL's whose results are its argument's values? */
extern bool gs_window_chooses(const WindowFunc *call);

/*
 * Add what is shown as the expression, the rows' `number`, to a plan of rows: where
 * its values are, and what.
 */
extern bool gs_translate_shown(gs_translation *t, int number, Expr *expression,
							   gs_row_value *value, gs_report_value *shown);

#endif							/* GS_REPORT_WINDOWS_H */
