/*-------------------------------------------------------------------------
 *
 * search.h
 *	  The keys of GS_SEARCH: integers in the order of SQL's values.
 *
 * An integer is its own key.  NaN is above all numbers, and -0 equals 0.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SEARCH_H
#define GS_SEARCH_H

#include "exact/exact.h"

GS_INLINE int64_t
gs_search_key(double x)
{
	int64_t		bits = (int64_t) gs_double_bits(x == 0 ? 0 : x);

	return x != x ? INT64_MAX : bits ^ ((bits >> 63) & INT64_MAX);
}

/* The number of a key that is not that of NaN. */
GS_INLINE double
gs_search_number(int64_t key)
{
	return gs_bits_double((uint64_t) (key ^ ((key >> 63) & INT64_MAX)));
}

#endif							/* GS_SEARCH_H */
