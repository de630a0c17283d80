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

#include "engine/group.h"

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

/* Can this function end a chain? */
extern bool gs_ends_chain(PGFunction function);

/* One call for a call whose argument is a chain; NULL: it is none. */
extern Node *gs_chain_simplify(FuncExpr *call);

#endif							/* GS_CHAIN_H */
