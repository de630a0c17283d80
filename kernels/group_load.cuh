/*-------------------------------------------------------------------------
 *
 * group_load.cuh
 *	  Reading several rows of a column at a time.
 *
 * A thread has PER_THREAD rows: first, first + STRIDE, and so on, where the first
 * rows of a warp's lanes follow each other and STRIDE is a multiple of 32.  Bit
 * r of a mask says whether row r takes part.  What depends on the column alone
 * is decided once, before the loop over the rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_LOAD_CUH
#define GS_GROUP_LOAD_CUH

#include "group.cuh"

#define GROUP_EACH_ROW(rows, mask, statement) \
	_Pragma("unroll") \
	for (int r = 0; r < (rows); r++) \
	{ \
		if ((mask) >> r & 1) \
			statement; \
	}

/* The mask of rows whose bit is set; bits may be NULL. */
template <int PER_THREAD, int STRIDE>
__device__ static inline uint32_t
group_rows_with_bit(const uint32_t *bits, int64_t first, uint32_t mask)
{
	uint32_t	with = 0;

	if (bits == NULL)
		return mask;
	GROUP_EACH_ROW(PER_THREAD, mask, with |= (__ldg(bits + (first + r * STRIDE) / 32) >>
										(threadIdx.x % 32) & 1) << r)
	return with;
}

/* The values of rows, as group_load gives them; FULL: of all rows. */
template <int PER_THREAD, int STRIDE, bool FULL>
__device__ static inline void
group_load_rows(const void *values, int format, int64_t base, int64_t first,
				uint32_t mask, int64_t *x)
{
#define LOAD_AS(type, before) \
	{ \
		const type *at = (const type *) values + first; \
\
		GROUP_EACH_ROW(PER_THREAD, FULL ? UINT32_MAX : mask, \
					   x[r] = before __ldcs(at + r * STRIDE)) \
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
 * by all threads of a block.
 */
__device__ static inline void
group_prefetch(const void *from, int64_t bytes)
{
	for (int64_t at = (int64_t) threadIdx.x * 128; at < bytes;
		 at += (int64_t) blockDim.x * 128)
		asm volatile("prefetch.global.L2 [%0];" ::
					 "l"((const char *) from + at));
}

#endif							/* GS_GROUP_LOAD_CUH */
