/*-------------------------------------------------------------------------
 *
 * row_type.h
 *	  The row type of a function's result.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ROW_TYPE_H
#define GS_ROW_TYPE_H

#include "funcapi.h"

/*
 * Allocated in the current memory context, which for a set-returning function
 * must be that of all its calls.
 */
static inline TupleDesc
gs_row_type(FunctionCallInfo fcinfo)
{
	TupleDesc	desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	return BlessTupleDesc(desc);
}

#endif							/* GS_ROW_TYPE_H */
