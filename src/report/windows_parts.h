/*-------------------------------------------------------------------------
 *
 * windows_parts.h
 *	  From SQL's window functions to the engine's, as shared by the files that do it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_WINDOWS_PARTS_H
#define GS_REPORT_WINDOWS_PARTS_H

#include "report/aggregate/aggregate_kinds.h"
#include "report/translate/translate_parts.h"
#include "report/windows.h"

/* Both plans, and what is between them. */
typedef struct rows_translation
{
	gs_translation *before;
	gs_translation *t;
	const gs_report_rows *rows;
	gs_given   *given;
	gs_windows *windows;
	int			window[GS_WINDOWS_MAX * 8]; /* which of windows->window is that
										 * of each of rows->windows */
} rows_translation;

#define BAD_PARAMETER	"a window function's parameter is not a constant that the service computes with"

/* windows_translate.c.  Why it is no report; false. */
extern bool gs_rows_refuse(rows_translation *r, const char *reason);
extern bool gs_rows_refuse_function(rows_translation *r,
									const WindowFunc *call, const char *of);
extern bool gs_rows_refuse_as_before(rows_translation *r);

/*
 * The column that an operand of the plan before becomes, of the next plan; what
 * gives it is the last of r->given.
 */
extern bool gs_rows_put_operand(rows_translation *r, gs_operand operand,
								Expr *expression, int16 *column);

/* Is a parameter the same for all rows; and such an integer, not less than that. */
extern bool gs_is_window_constant(Expr *expression);
extern bool gs_window_parameter(rows_translation *r, Expr *expression,
								int64 least, int64 *result);

/*
 * windows_aggregate.c.  What an aggregate over a window is to the engine, but for
 * the frame; and the frame, of gpuscan's functions that have one of their own.
 */
extern bool gs_window_aggregate(rows_translation *r, const WindowFunc *call,
								gs_given *given, gs_window_function *f);
extern bool gs_window_own_frame(rows_translation *r, const WindowFunc *call,
								gs_own_frame frame, gs_window_function *f);

#endif							/* GS_REPORT_WINDOWS_PARTS_H */
