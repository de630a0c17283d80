/*-------------------------------------------------------------------------
 *
 * cost.h
 *	  The costs in effect, which all sessions share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_COST_H
#define GS_COST_H

#include "supervisor/cost_model.h"

extern void gs_costs_store(const gs_costs *costs);
extern void gs_estimate_call(const gs_op *op, int64_t n,
							 gs_estimate *estimate);
extern void gs_estimate_cached(const gs_op *op, int64_t n,
							   gs_estimate *estimate);

#endif							/* GS_COST_H */
