/*-------------------------------------------------------------------------
 *
 * group_load.cuh
 *	  Reading several rows of a column at a time.
 *
 * A thread has N rows, whose numbers are in an array.  Bit r of a mask says
 * whether row r takes part; FULL: all do, whatever the mask.  What depends on
 * the column alone is decided once, before the loop over the rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_LOAD_CUH
#define GS_GROUP_LOAD_CUH

#include "group.cuh"

#define GROUP_EACH_ROW(n, full, mask, statement) \
	_Pragma("unroll") \
	for (int r = 0; r < (n); r++) \
	{ \
		if ((full) || ((mask) >> r & 1)) \
			statement; \
	}

/* The mask of rows whose bit is set; bits may be NULL. */
template <int N>
__device__ static inline uint32_t
group_rows_with_bit(const uint32_t *bits, const uint32_t *row, uint32_t mask)
{
	uint32_t	with = 0;

	if (bits == NULL)
		return mask;
	GROUP_EACH_ROW(N, false, mask,
				   with |= (__ldg(bits + row[r] / 32) >> (row[r] % 32) & 1) <<
				   r)
	return with;
}

/* The values of rows, as group_load gives them. */
template <int N, bool FULL>
__device__ static inline void
group_load_rows(const void *values, int format, int64_t base,
				const uint32_t *row, uint32_t mask, int64_t *x)
{
#define LOAD_AS(type, before) \
	{ \
		const type *at = (const type *) values; \
\
		GROUP_EACH_ROW(N, FULL, mask, x[r] = before __ldcs(at + row[r])) \
	}

	switch (format)
	{
		case GROUP_U1:
			LOAD_AS(uint8_t, base +)
			break;
		case GROUP_U2:
			LOAD_AS(uint16_t, base +)
			break;
		case GROUP_U4:
			LOAD_AS(uint32_t, base +)
			break;
		case GROUP_S2:
			LOAD_AS(int16_t,)
			break;
		case GROUP_S4:
			LOAD_AS(int32_t,)
			break;
		case GROUP_FLOAT4:
			LOAD_AS(uint32_t,)
			break;
		default:
			LOAD_AS(long long,)
	}
#undef LOAD_AS
}

/*
 * Bring a part of a column to the L2 cache: `bytes` from a multiple of 128 on,
 * by a warp.
 */
__device__ static inline void
group_prefetch(const char *from, int bytes)
{
	for (int at = gs_lane() * 128; at < bytes; at += GS_WARP * 128)
		asm volatile("prefetch.global.L2 [%0];" :: "l"(from + at));
}

#endif							/* GS_GROUP_LOAD_CUH */
