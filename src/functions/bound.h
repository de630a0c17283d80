/*-------------------------------------------------------------------------
 *
 * bound.h
 *	  Comparisons with a bound of any type.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_BOUND_H
#define GS_BOUND_H

#include "utils/numeric.h"

#include "call/array_iteration.h"
#include "engine/engine.h"

/* What an operator is called: <, <=, =, <>, !=, >=, >.  An error if it is none. */
extern gs_compare gs_comparison_from_text(const text *op);

/* The comparison that a C string names; false if it is none. */
extern bool gs_find_comparison(const char *name, gs_compare *compare);

/* Set comparison and bound of a GS_FILTER whose element type is set. */
extern void gs_bound_by_int64(gs_op *op, gs_compare compare, int64 bound);
extern void gs_bound_by_double(gs_op *op, gs_compare compare, double bound);
extern void gs_bound_by_numeric(gs_op *op, gs_compare compare, Numeric bound);

/* By a value of one of these three types. */
extern bool gs_can_bound(Oid type);
extern void gs_bound_by_datum(gs_op *op, gs_compare compare, Oid type,
							  Datum bound);

/*
 * A range of elements, in SQL's order: a high end that is NaN is above all
 * floats.
 */
typedef struct gs_range
{
	gs_number	low;
	gs_number	high;
	bool		empty;
	bool		outside;		/* those that are not in it */
} gs_range;

extern gs_range gs_range_of_all(gs_type type);

/* The elements for which the comparison that was set is true. */
extern gs_range gs_range_of_comparison(const gs_op *op);

/* Make it that of a GS_BETWEEN or GS_CLIP whose element type is set. */
extern void gs_range_set(gs_op *op, const gs_range *range);

#endif							/* GS_BOUND_H */
