/*-------------------------------------------------------------------------
 *
 * pairs.h
 *	  Two arrays of the same length, read in step.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_PAIRS_H
#define GS_PAIRS_H

#include "call/array_iteration.h"

typedef struct gs_pairs
{
	gs_reader	ys;
	gs_reader	xs;
} gs_pairs;

static inline void
gs_pairs_require(const gs_array *ys, const gs_array *xs)
{
	if (ys->n != xs->n)
		ereport(ERROR,
				errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				errmsg("arrays of different lengths are not arrays of pairs"),
				errdetail("They have %lld and %lld elements.",
						  (long long) ys->n, (long long) xs->n));
}

static inline void
gs_pairs_open(gs_pairs *p, const gs_array *ys, const gs_array *xs)
{
	gs_pairs_require(ys, xs);
	gs_reader_open(&p->ys, ys);
	gs_reader_open(&p->xs, xs);
}

/*
 * An element as double precision.  An integer beyond 2^53 is rounded, as the
 * aggregates' argument would be.
 */
static inline double
gs_double_of(gs_number value, bool is_float)
{
	return is_float ? value.d : (double) value.i;
}

/* The next pair; false if either of it is NULL. */
static inline bool
gs_pairs_next(gs_pairs *p, double *y, double *x)
{
	gs_number	a = {0};
	gs_number	b = {0};
	bool		has_a = gs_reader_next(&p->ys, &a);
	bool		has_b = gs_reader_next(&p->xs, &b);

	*y = gs_double_of(a, p->ys.is_float);
	*x = gs_double_of(b, p->xs.is_float);
	return has_a && has_b;
}

#endif							/* GS_PAIRS_H */
