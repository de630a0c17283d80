/*-------------------------------------------------------------------------
 *
 * keys.cuh
 *	  The words that rows are sorted by (engine/sort_keys.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_WINDOWS_KEYS_CUH
#define GS_WINDOWS_KEYS_CUH

#include "engine/search.h"
#include "engine/sort_keys.h"
#include "kernels/windows/places.cuh"

/* Integers in the order of values; equal values have the same one. */
__device__ static inline int64_t
order_of(const void *values, gs_type type, uint32_t i)
{
	if (type == GS_FLOAT8)
		return gs_search_key(((const double *) values)[i]);
	if (type == GS_FLOAT4)
	{
		float		x = ((const float *) values)[i];

		return gs_key<float>::of(x == 0 ? 0 : x);
	}
	return integer_of(values, type, i);
}

__device__ static inline uint64_t
code_of(const gs_sort_part &p, uint32_t row)
{
	if (!bit_of(p.validity, row))
		return p.null;
	if (p.flag)
		return p.first;
	return gs_sort_code(&p, order_of(p.values, (gs_type) p.type, row));
}

__device__ static inline uint64_t
word_of(const gs_sort_keys &k, int word, uint32_t row)
{
	const gs_sort_word &w = k.word[word];
	uint64_t	x = 0;

	for (int i = w.part; i < w.part + w.parts; i++)
	{
		const gs_sort_part &p = k.part[i];

		x = (p.bits == 64 ? 0 : x << p.bits) | code_of(p, row);
	}
	return x;
}

#endif							/* GS_WINDOWS_KEYS_CUH */
