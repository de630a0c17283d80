/*-------------------------------------------------------------------------
 *
 * index.h
 *	  An index of integers that are far apart: GS_CODE_FIND.
 *
 * The highest bits of its product with a factor are the bucket of a number
 * (Dietzfelbinger et al., J. Algorithms 25, 1997).  The numbers of a bucket are
 * adjacent, and the place of one is where it stands among all.  So a number is
 * found with two accesses of memory, as a rule.
 *
 * An index is an array of gs_values.  First come int32s: 2^bits + 1 of them, where
 * each bucket starts and the last one ends.  Then come the numbers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_INDEX_H
#define GS_INDEX_H

#include "engine/plan.h"

/* A bucket with more is not looked into, and is not made. */
#define GS_INDEX_MOST	32

#define GS_INDEX_BITS	30

GS_INLINE int64_t
gs_index_bucket(int64_t number, uint64_t factor, int bits)
{
	return bits == 0 ? 0 :
		(int64_t) (((uint64_t) number * factor) >> (64 - bits));
}

/* So many gs_values are before the numbers. */
GS_INLINE int64_t
gs_index_starts(int bits)
{
	return ((INT64_C(1) << bits) + 2) / 2;
}

/* Where a bucket's numbers are; 0 of them, if the bytes are not an index. */
GS_INLINE int
gs_index_range(const gs_value *index, int32_t count, int64_t bucket,
			   int32_t *first)
{
	const int32_t *start = (const int32_t *) index + bucket;
	int64_t		n = (int64_t) start[1] - start[0];

	*first = start[0];
	return start[0] < 0 || start[1] > count || n < 0 || n > GS_INDEX_MOST ? 0 :
		(int) n;
}

/* The place of one of n numbers from `first` on, from 1; 0: it is not there. */
GS_INLINE int32_t
gs_index_place(const gs_value *number, int32_t first, int n, int64_t a)
{
	for (int i = 0; i < n; i++)
	{
		if (number[first + i].i8 == a)
			return first + i + 1;
	}
	return 0;
}

GS_INLINE int32_t
gs_index_find(const gs_value *index, int bits, uint64_t factor, int32_t count,
			  int64_t a)
{
	int32_t		first;
	int			n = gs_index_range(index, count, gs_index_bucket(a, factor, bits),
								   &first);

	return gs_index_place(index + gs_index_starts(bits), first, n, a);
}

#ifdef __cplusplus
extern "C"
{
#endif

/* One of n numbers takes so many buckets, and at most so many gs_values. */
extern int	gs_index_bits(int32_t n);
extern int64_t gs_index_size(int32_t n);

/*
 * Make the index of n numbers.  row[place - 1] is which of them stands there;
 * equal ones have one place.  Returns how many places there are; -1: it cannot be
 * made.  *factor says which.
 */
extern int32_t gs_index_make(const int64_t *number, int32_t n,
							 gs_value *index, int32_t *row, uint64_t *factor);

#ifdef __cplusplus
}
#endif

#endif							/* GS_INDEX_H */
