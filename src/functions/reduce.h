/*-------------------------------------------------------------------------
 *
 * reduce.h
 *	  From an engine's exact result, of at least one element, to the SQL type.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REDUCE_H
#define GS_REDUCE_H

#include "engine/engine.h"

extern Datum gs_finish_sum(gs_type type, const gs_result *result,
						   bool *isnull);
extern Datum gs_finish_avg(gs_type type, const gs_result *result,
						   bool *isnull);
extern Datum gs_finish_stddev_samp(gs_type type, const gs_result *result,
								   bool *isnull);

#endif							/* GS_REDUCE_H */
