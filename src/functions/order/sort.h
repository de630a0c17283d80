/*-------------------------------------------------------------------------
 *
 * sort.h
 *	  Elements and values in order, for other files.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_FUNCTIONS_SORT_H
#define GS_FUNCTIONS_SORT_H

#include "call/call.h"

typedef struct gs_sorting
{
	int64		nulls;
	bool		nulls_first;
	int32	   *position;		/* where positions are fetched to */
	gs_builder	builder;
} gs_sorting;

/*
 * Open a call over argument 0, which is not NULL; descending and nulls_first
 * are the arguments from `options` on.
 */
extern void gs_sorting_open(gs_sorting *s, gs_call *call, const char *function,
							gs_kind kind, FunctionCallInfo fcinfo,
							int options);

/*
 * Execute a call of kind GS_ARGSORT: the positions of all elements in order,
 * of equals by position, counted from 1.
 */
extern void gs_sorting_positions(gs_sorting *s, gs_call *call,
								 int32 *position);

/* A number for each value, in their order: NaN is the greatest, -0 below 0. */
extern int64 gs_order_key(gs_type type, Datum value);

static inline int64
gs_order_key_of_double(double x)
{
	int64		bits = (int64) gs_double_bits(x);

	return x != x ? PG_INT64_MAX : bits ^ ((bits >> 63) & PG_INT64_MAX);
}

static inline double
gs_double_of_order_key(int64 key)
{
	return key == PG_INT64_MAX ? gs_canonical_nan() :
		gs_bits_double(key ^ ((key >> 63) & PG_INT64_MAX));
}

/* The k greatest or least elements of an array, best first. */
extern Datum gs_topk(Datum array, int32 k, bool largest);
extern void gs_check_topk(int32 k);

#endif							/* GS_FUNCTIONS_SORT_H */
