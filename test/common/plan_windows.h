/*-------------------------------------------------------------------------
 *
 * plan_windows.h
 *	  Random windows (engine/windows.h), and what they give, row by row as SQL
 *	  defines it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TEST_PLAN_WINDOWS_H
#define TEST_PLAN_WINDOWS_H

#include "engine/windows.h"
#include "test/common/plan_reference.h"

#ifdef __cplusplus
extern "C"
{
#endif

/*
 * Random windows over the columns that are there, and as many more columns as
 * they have functions: their types, no values, and finish[] of all of those.
 */
extern void plan_windows_new(gs_windows *w, plan_columns *rows,
							 gs_finish *finish);

/*
 * The values of these columns, and the rows in order.  Bits of *errors are set;
 * then the values mean nothing.
 */
extern void plan_windows_reference(const gs_windows *w, plan_columns *rows,
								   uint32_t *errors);

#ifdef __cplusplus
}
#endif

#endif							/* TEST_PLAN_WINDOWS_H */
