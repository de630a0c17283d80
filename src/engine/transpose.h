/*-------------------------------------------------------------------------
 *
 * transpose.h
 *	  Which value is the result of which rank, where GS_TRANSPOSE gives the
 *	  values column by column.
 *
 * The values that are not NULL form rows of `columns` values.  The last row
 * may be short: then the first columns have one value more than the others.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_TRANSPOSE_H
#define GS_TRANSPOSE_H

#include "exact/exact.h"

typedef struct gs_transposition
{
	int64_t		n;				/* values */
	int64_t		columns;
	int64_t		full;			/* rows that are not short */
	int64_t		rest;			/* values of the short one */
} gs_transposition;

static inline gs_transposition
gs_transposition_of(int64_t n, int64_t columns)
{
	gs_transposition t;

	t.n = n;
	t.columns = columns;
	t.full = n / columns;
	t.rest = n % columns;
	return t;
}

/* The rank of a column's first value. */
GS_INLINE int64_t
gs_column_start(const gs_transposition *t, int64_t column)
{
	return column * t->full + (column < t->rest ? column : t->rest);
}

/* The column of a rank, which is below n. */
GS_INLINE int64_t
gs_column_of(const gs_transposition *t, int64_t rank)
{
	int64_t		longer = t->rest * (t->full + 1);

	return rank < longer ? rank / (t->full + 1) :
		t->rest + (rank - longer) / t->full;
}

#endif							/* GS_TRANSPOSE_H */
