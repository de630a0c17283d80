/*-------------------------------------------------------------------------
 *
 * merge.h
 *	  The groups of a grouping set, merged from those of one with more keys.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_MERGE_H
#define GS_REPORT_MERGE_H

#include "report/result/result.h"

/* Can the states of a plan be merged?  aggregates: what they are for. */
extern bool gs_report_can_merge(const gs_plan *plan,
								const gs_report_aggregate *aggregate,
								int aggregates);

/*
 * Keep all groups of a plan, n, as they are fetched, in the current memory
 * context.  False: there is no room, and none are kept.
 */
extern bool gs_report_keep_begin(gs_report_groups *kept, const gs_plan *plan,
								 int64 n, gs_report_memory *memory);
extern bool gs_report_keep(gs_report_groups *kept, const gs_report_groups *part,
						   gs_report_memory *memory);
extern void gs_report_keep_end(gs_report_groups *kept,
							   gs_report_memory *memory);

/*
 * Merge the groups whose keys among these are the same: *to, in the current
 * memory context.  Its groups have the same plan, and their other keys are NULL.
 * False: there is no room.
 */
extern bool gs_report_merge(const gs_report_groups *from, const bool *has_key,
							gs_report_groups *to, gs_report_memory *memory);

#endif							/* GS_REPORT_MERGE_H */
