/*-------------------------------------------------------------------------
 *
 * row_type.h
 *	  The type of the rows that a function returns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ROWS_H
#define GS_ROWS_H

#include "funcapi.h"

/* In the current memory context: for a set, that of all its calls. */
static inline TupleDesc
gs_row_type(FunctionCallInfo fcinfo)
{
	TupleDesc	desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	return BlessTupleDesc(desc);
}

#endif							/* GS_ROWS_H */
