/*-------------------------------------------------------------------------
 *
 * cost_model.h
 *	  What an operation costs on either engine, as far as arithmetic goes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_COST_MODEL_H
#define GS_COST_MODEL_H

#include "engine/engine.h"

/* The cost of n elements is that of a call plus n times that of an element. */
typedef struct gs_costs
{
	float		cpu_call;		/* us */
	float		gpu_small_call; /* us, if it travels in one message */
	float		gpu_call;		/* us, if it travels in batches */
	float		cpu_element[GS_KINDS][GS_TYPES];	/* ns */
	float		gpu_element[GS_KINDS][GS_TYPES];	/* ns */
} gs_costs;

/* The estimated time of a call, in us. */
typedef struct gs_estimate
{
	double		cpu;
	double		gpu;
} gs_estimate;

extern void gs_costs_default(gs_costs *costs);
extern void gs_costs_estimate(const gs_costs *costs, const gs_op *op,
							  int64_t n, gs_estimate *estimate);
extern void gs_costs_estimate_cached(const gs_costs *costs, const gs_op *op,
									 int64_t n, gs_estimate *estimate);

#endif							/* GS_COST_MODEL_H */
