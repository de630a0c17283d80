/*-------------------------------------------------------------------------
 *
 * collected.h
 *	  The values of a group, with what its aggregate was told once.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_COLLECTED_H
#define GS_COLLECTED_H

#include "fmgr.h"
#include "utils/array.h"

/*
 * A state of type bytea, changed in place.  After the header comes the
 * parameter, an array of double precision, unless `values` says that there is
 * none; then an array of one dimension without NULLs, with spare capacity.
 */
typedef struct gs_collected
{
	int32		vl_len_;
	int32		values;			/* where the array of values begins */
	int64		nulls;			/* rows whose value is NULL */
} gs_collected;

/* Add argument 1 to argument 0, a state, or NULL before the first row. */
extern gs_collected *gs_collect(FunctionCallInfo fcinfo, ArrayType *parameter);

/*
 * Argument 0 of a final function whose argument 1 is a value, of *type.  NULL if
 * there were no rows.
 */
extern gs_collected *gs_collected_argument(FunctionCallInfo fcinfo, Oid *type);
extern ArrayType *gs_collected_parameter(gs_collected *c);
extern Datum gs_collected_values(gs_collected *c);

/* array_agg_state.c: a larger capacity for `wanted` values, now `n`. */
extern int64 gs_group_capacity(int64 n, int64 wanted, Size header, int width);

#endif							/* GS_COLLECTED_H */
