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

/* Of floats, from their exact sum; of `type`, or double precision. */
extern Datum gs_round_sum(gs_type type, gs_limbs sum);
extern Datum gs_round_avg(gs_limbs sum, int64 n);
extern Datum gs_round_stddev_samp(gs_limbs sum, gs_limbs squares, int64 n,
								  bool *isnull);

extern Datum gs_datum_from_value(gs_type type, const gs_value *value);
extern Datum gs_finish_sum(gs_type type, const gs_result *result,
						   bool *isnull);
extern Datum gs_finish_avg(gs_type type, const gs_result *result,
						   bool *isnull);
extern Datum gs_finish_stddev_samp(gs_type type, const gs_result *result,
								   bool *isnull);

/* reduce.c: the operations of SQL functions */
extern PGFunction gs_function_address(Oid function);
extern bool gs_reduction_of(PGFunction function, gs_kind *kind);
extern const char *gs_reduction_name(PGFunction function);

/* Its SQL result, or *isnull, of at least one element. */
extern Datum gs_reduction_finish(PGFunction function, gs_type type,
								 const gs_result *result, bool *isnull);
extern Datum gpu_stats_array(PG_FUNCTION_ARGS);	/* stats.c */

#endif							/* GS_REDUCE_H */
