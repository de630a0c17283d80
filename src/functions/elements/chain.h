/*-------------------------------------------------------------------------
 *
 * chain.h
 *	  Calls of which one takes the other's array: gpu_sum(gpu_multiply(a, b)).
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CHAIN_H
#define GS_CHAIN_H

#include "fmgr.h"
#include "nodes/primnodes.h"

#include "engine/plan.h"

/* What stands where in the arguments of an elementwise function? */
typedef enum gs_link_form
{
	GS_LINK_ARRAY,				/* (arr) */
	GS_LINK_ARRAYS,				/* (arr, arr) */
	GS_LINK_ARRAY_VALUE,		/* (arr, value) */
	GS_LINK_VALUE_ARRAY			/* (value, arr) */
} gs_link_form;

/* An elementwise function that can be a link: all types are the elements'. */
typedef struct gs_link_function
{
	PGFunction	function;
	gs_code		code;
	gs_link_form form;
} gs_link_function;

/* arithmetic.c; NULL: it cannot be. */
extern const gs_link_function *gs_link_function_of(PGFunction function);

/*
 * What may be done with the array first (gs_expression): gpu_filter, and
 * gpu_diff of it.
 */
extern bool gs_is_filter(PGFunction function);	/* compact.c */
extern Datum gs_filter(Datum array, gs_compare compare, Oid type, Datum bound);
extern bool gs_is_diff(PGFunction function);	/* adjacent.c */

/*
 * The argument `first` of gpu_diff as it is written; NULL: it is none. To a
 * reduction an element that is NULL and one that is not there are the same.
 */
extern const char *gs_diff_first(const char *word,
								 gs_differences *differences);

/* Can this function end a chain? */
extern bool gs_ends_chain(PGFunction function);

/* One call for a call whose argument is a chain; NULL: it is none. */
extern Node *gs_chain_simplify(FuncExpr *call);

#endif							/* GS_CHAIN_H */
