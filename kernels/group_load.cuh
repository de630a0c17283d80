/*-------------------------------------------------------------------------
 *
 * group_load.cuh
 *	  Reading several rows of a column at a time.
 *
 * A thread has N rows, whose numbers are in an array.  Bit r of a mask says
 * whether row r takes part.  What depends on the column alone is decided once,
 * before the loop over the rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_LOAD_CUH
#define GS_GROUP_LOAD_CUH

#include "group_evaluate.cuh"

#define GROUP_EACH_ROW(n, full, mask, ...) \
	_Pragma("unroll") \
	for (int r = 0; r < (n); r++) \
	{ \
		if ((full) || ((mask) >> r & 1)) \
			__VA_ARGS__; \
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

/*
 * The values of rows, as group_load gives them.  STEP: row r is row[0] + r *
 * STEP, and all take part; 0: they are as they are.
 */
template <int N, int STEP>
__device__ static inline void
group_load_rows(const void *values, int format, int64_t base,
				const uint32_t *row, uint32_t mask, int64_t *x)
{
#define LOAD_AS(type, what) \
	{ \
		const type *at = (const type *) values + (STEP > 0 ? row[0] : 0); \
\
		GROUP_EACH_ROW(N, STEP > 0, mask, { \
			const type	v = __ldcs(at + (STEP > 0 ? r * STEP : row[r])); \
\
			x[r] = what; \
		}) \
	}

	switch (format)
	{
		case GROUP_U1:
			LOAD_AS(uint8_t, base + v)
			break;
		case GROUP_U2:
			LOAD_AS(uint16_t, base + v)
			break;
		case GROUP_U4:
			LOAD_AS(uint32_t, base + v)
			break;
		case GROUP_S2:
			LOAD_AS(int16_t, v)
			break;
		case GROUP_S4:
			LOAD_AS(int32_t, v)
			break;
		case GROUP_FLOAT4:
			LOAD_AS(uint32_t, v)
			break;
		case GROUP_WIDENED:
			LOAD_AS(float, __double_as_longlong(v))
			break;
		default:
			LOAD_AS(long long, v)
	}
#undef LOAD_AS
}

/* The mask of rows in which a column is in a range. */
template <int N, int STEP>
__device__ static inline uint32_t
group_rows_in_range(const evaluate_range &range, const uint32_t *row,
					uint32_t mask)
{
	const uint64_t span = (uint64_t) range.high - (uint64_t) range.low;
	uint32_t	with = 0;
	int64_t		x[N];

	mask = group_rows_with_bit<N>(range.c.validity, row, mask);
	group_load_rows<N, STEP>(range.c.values, range.c.format, range.c.base,
							 row, mask, x);
	if (group_is_float(range.c.type))
	{
		GROUP_EACH_ROW(N, true, 0, x[r] = group_ordered(range.c.type, x[r]))
	}
	if (range.low <= range.high)
	{
		GROUP_EACH_ROW(N, true, 0,
					   with |= (uint32_t) ((uint64_t) x[r] -
										   (uint64_t) range.low <= span) << r)
	}
	return mask & with;
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
