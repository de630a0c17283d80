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
#include "exact/figures.h"

/* What sum() is of elements of this type. */
extern gs_figure gs_sum_figure(gs_type type);
extern Datum gs_datum_from_value(gs_type type, const gs_value *value);

/* reduce.c: the operations of SQL functions */
extern PGFunction gs_function_address(Oid function);
extern bool gs_reduction_of(PGFunction function, gs_kind *kind);
extern const char *gs_reduction_name(PGFunction function);

/* Its SQL result, or *isnull, of at least one element. */
extern Datum gs_reduction_finish(PGFunction function, gs_type type,
								 const gs_result *result, bool *isnull);
extern Datum gpu_stats_array(PG_FUNCTION_ARGS);	/* stats.c */

#endif							/* GS_REDUCE_H */
