/*-------------------------------------------------------------------------
 *
 * tid_fetch.h
 *	  What a report's rows show of their table that the service does not have:
 *	  values of types that it does not compute with, and texts of which there are
 *	  too many different ones.
 *
 * The service gives the rows' TIDs instead, of which it has a column.  The scan
 * fetches each row that it returns from the table, and computes from it whatever is
 * of the table's columns alone.  A window function that gives a value of another row,
 * such as lag, gives that row's TID.
 *
 * A report's snapshot sees the rows that it counts, so they are still at these
 * places, whatever others do meanwhile.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_TID_FETCH_H
#define GS_REPORT_TID_FETCH_H

#include "report/query.h"
#include "report/report.h"

/*
 * Planning.  Can it be computed from a row of the fact table?  And make the query's
 * rows be fetched for whatever can: false if that is nothing.  `functions`: for window
 * functions, too.
 */
extern bool gs_tid_fetchable(const gs_report_query *q, Node *expression);
extern bool gs_tid_fetch_plan(gs_report_query *q, bool functions);

/* What it costs. */
extern Cost gs_tid_fetch_cost(const gs_report_query *q);

/*
 * What stands for the rows' TIDs in a scan's tuples, as integers, and for the OIDs
 * of their tables, if there are several; NIL: by_tid is.
 */
extern List *gs_tid_columns(const List *by_tid, int tables);

/* Which system column is it? */
extern AttrNumber gs_tid_attribute(const Expr *column);

/*
 * Executing.  needed: of the scan's keys, those that something reads; it becomes
 * those that the service is to give.  NULL: no row is fetched.
 */
extern gs_tid_fetch *gs_tid_fetch_begin(gs_report_scan *scan, bool *needed);

/* The numbers of the columns that are fetched; NIL: NULL has none. */
extern List *gs_tid_fetched(const gs_tid_fetch *f);

/* Fetch what the row is to show, whose other values are in the slot. */
extern void gs_tid_fetch_row(gs_tid_fetch *f, TupleTableSlot *slot);
extern void gs_tid_fetch_end(gs_tid_fetch *f);

#endif							/* GS_REPORT_TID_FETCH_H */
