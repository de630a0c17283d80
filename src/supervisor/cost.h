/*-------------------------------------------------------------------------
 *
 * cost.h
 *	  What an operation costs on either engine.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_COST_H
#define GS_COST_H

#include "engine/engine.h"

/* A call of n elements takes `call` and n times `element`. */
typedef struct gs_costs
{
	float		cpu_call;		/* us */
	float		gpu_small_call; /* us, of what travels in one message, */
	float		gpu_call;		/* .. and of what travels in chunks */
	float		cpu_element[GS_KINDS][GS_TYPES];	/* ns */
	float		gpu_element[GS_KINDS][GS_TYPES];	/* ns */
} gs_costs;

/* What a call would take, in us. */
typedef struct gs_estimate
{
	double		cpu;
	double		gpu;
} gs_estimate;

extern void gs_costs_init(gs_costs *costs);
extern void gs_costs_store(const gs_costs *costs);
extern void gs_estimate_with(const gs_costs *costs, const gs_op *op, int64_t n,
							 gs_estimate *estimate);
extern void gs_estimate_kept(const gs_op *op, int64_t n,
							 gs_estimate *estimate);
extern void gs_estimate_call(const gs_op *op, int64_t n,
							 gs_estimate *estimate);

#endif							/* GS_COST_H */
