/*-------------------------------------------------------------------------
 *
 * keys.cuh
 *	  Words of up to 64 bits, in whose order rows are sorted.
 *
 * A column's values become unsigned integers from 0 on, NULL one of them, and
 * several columns share a word, as far as there are bits.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_WINDOWS_KEYS_CUH
#define GS_WINDOWS_KEYS_CUH

#include "kernels/windows/places.cuh"

/* A part of a word: from a column's values, or only from where it is NULL. */
typedef struct windows_part
{
	const void *values;
	const uint8_t *validity;	/* NULL: there is no NULL */
	uint64_t	null;			/* the code of NULL */
	uint64_t	first;			/* the code of the first value */
	int64_t		edge;			/* the first value */
	uint8_t		type;			/* gs_type */
	bool		descending;
	bool		flag;			/* 1 bit: is it NULL, or not */
	int			bits;
} windows_part;

#define WINDOWS_PARTS	(2 * GS_WINDOW_COLUMNS_MAX)

typedef struct windows_word
{
	int			part;			/* the first one */
	int			parts;
	int			bits;
	int			order_bits;		/* of these, which are not the partition's */
} windows_word;

/* Words, the first of which decides. */
typedef struct windows_keys
{
	int			words;
	windows_word word[WINDOWS_PARTS];
	windows_part part[WINDOWS_PARTS];
} windows_keys;

/* Integers in the order of values; equal values have the same one. */
__device__ static inline int64_t
order_of(const void *values, gs_type type, uint32_t i)
{
	if (type == GS_FLOAT8)
	{
		double		x = ((const double *) values)[i];

		return gs_key<double>::of(x == 0 ? 0 : x);
	}
	if (type == GS_FLOAT4)
	{
		float		x = ((const float *) values)[i];

		return gs_key<float>::of(x == 0 ? 0 : x);
	}
	return integer_of(values, type, i);
}

__device__ static inline uint64_t
code_of(const windows_part &p, uint32_t row)
{
	uint64_t	x;

	if (!bit_of(p.validity, row))
		return p.null;
	if (p.flag)
		return p.first;
	x = (uint64_t) order_of(p.values, (gs_type) p.type, row);
	return p.first + (p.descending ? (uint64_t) p.edge - x :
					  x - (uint64_t) p.edge);
}

__device__ static inline uint64_t
word_of(const windows_keys &k, int word, uint32_t row)
{
	const windows_word &w = k.word[word];
	uint64_t	x = 0;

	for (int i = w.part; i < w.part + w.parts; i++)
	{
		const windows_part &p = k.part[i];

		x = (p.bits == 64 ? 0 : x << p.bits) | code_of(p, row);
	}
	return x;
}

#endif							/* GS_WINDOWS_KEYS_CUH */
