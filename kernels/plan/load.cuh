/*-------------------------------------------------------------------------
 *
 * load.cuh
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

#include "kernels/plan/evaluate.cuh"

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
 * The values of rows as they lie in memory, at most their low 32 bits if they
 * are not of 8 bytes.  Nothing waits for them here, so that several columns
 * can come from memory at the same time.  STEP: row r is row[0] + r * STEP,
 * and all take part; 0: they are as they are.
 */
template <int N, int STEP>
__device__ static inline void
group_fetch_rows(const void *values, int format, const uint32_t *row,
				 uint32_t mask, int64_t *x)
{
#define FETCH_AS(type, via) \
	{ \
		const type *at = (const type *) values + (STEP > 0 ? row[0] : 0); \
\
		GROUP_EACH_ROW(N, STEP > 0, mask, { \
			const type	v = __ldcs(at + (STEP > 0 ? r * STEP : row[r])); \
\
			x[r] = (via) v; \
		}) \
	}

	switch (format)
	{
		case GROUP_U1:
			FETCH_AS(uint8_t, uint32_t)
			break;
		case GROUP_U2:
			FETCH_AS(uint16_t, uint32_t)
			break;
		case GROUP_S2:
			FETCH_AS(int16_t, uint32_t)
			break;
		case GROUP_WORD:
			FETCH_AS(long long, long long)
			break;
		default:
			FETCH_AS(uint32_t, uint32_t)
	}
#undef FETCH_AS
}

/* Is a column's base added to what lies in memory? */
__device__ static inline bool
group_has_base(int format)
{
	return format < GROUP_S2;
}

/* Make what group_fetch_rows gave what group_load gives. */
template <int N, int STEP>
__device__ static inline void
group_convert_rows(int format, int64_t base, uint32_t mask, int64_t *x)
{
	if (format == GROUP_S2 || format == GROUP_S4)
	{
		GROUP_EACH_ROW(N, STEP > 0, mask, x[r] = (int32_t) x[r])
	}
	else if (format == GROUP_WIDENED)
	{
		GROUP_EACH_ROW(N, STEP > 0, mask,
					   x[r] = __double_as_longlong(__int_as_float((int) x[r])))
	}
	else if (group_has_base(format))
	{
		GROUP_EACH_ROW(N, STEP > 0, mask, x[r] += base)
	}
}

/* The values of rows, as group_load gives them. */
template <int N, int STEP>
__device__ static inline void
group_load_rows(const void *values, int format, int64_t base,
				const uint32_t *row, uint32_t mask, int64_t *x)
{
	group_fetch_rows<N, STEP>(values, format, row, mask, x);
	group_convert_rows<N, STEP>(format, base, mask, x);
}

/* The mask of rows, fetched already, in which a column is in a range. */
template <int N, int STEP>
__device__ static inline uint32_t
group_fetched_in_range(const evaluate_range &range, const uint32_t *row,
					   uint32_t mask, int64_t *x)
{
	const uint64_t span = (uint64_t) range.high - (uint64_t) range.low;
	uint32_t	with = 0;

	mask = group_rows_with_bit<N>(range.c.validity, row, mask);
	if (range.test == RANGE_BITS)
	{
		const uint32_t first = range.first.bits;
		const uint32_t bits = range.last.bits - first;

		GROUP_EACH_ROW(N, true, 0,
					   with |= (uint32_t) ((uint32_t) x[r] - first <= bits) <<
					   r)
		return mask & with;
	}
	if (range.test == RANGE_DOUBLE || range.test == RANGE_DOUBLE_OR_NAN)
	{
		const double first = range.first.value;
		const double last = range.last.value;
		const bool	nan = range.test == RANGE_DOUBLE_OR_NAN;

		GROUP_EACH_ROW(N, true, 0, {
			double		v = __longlong_as_double(x[r]);

			with |= (uint32_t) (nan ? !(v < first) : v >= first && v <= last)
				<< r;
		})
		return mask & with;
	}
	group_convert_rows<N, STEP>(range.c.format, range.c.base, mask, x);
	if (group_is_float(range.c.type))
	{
		GROUP_EACH_ROW(N, true, 0, x[r] = group_ordered(range.c.type, x[r]))
	}
	GROUP_EACH_ROW(N, true, 0,
				   with |= (uint32_t) ((uint64_t) x[r] -
									   (uint64_t) range.low <= span) << r)
	return range.low <= range.high ? mask & with : 0;
}

/*
 * The mask of rows in which columns are in ranges.  Two columns are read at a
 * time; whatever is read is used, or the next loads to its registers, and all
 * behind them, would wait for it.
 */
template <int N, int STEP>
__device__ static inline uint32_t
group_rows_in_ranges(const evaluate_range *range, int ranges,
					 const uint32_t *row, uint32_t mask)
{
	int64_t		x[N];
	int64_t		y[N];
	int			i = 0;

	for (; i + 1 < ranges; i += 2)
	{
		const evaluate_range &a = range[i];
		const evaluate_range &b = range[i + 1];

		group_fetch_rows<N, STEP>(a.c.values, a.c.format, row, mask, x);
		group_fetch_rows<N, STEP>(b.c.values, b.c.format, row, mask, y);
		mask = group_fetched_in_range<N, STEP>(a, row, mask, x);
		mask = group_fetched_in_range<N, STEP>(b, row, mask, y);
	}
	if (i < ranges)
	{
		const evaluate_range &a = range[i];

		group_fetch_rows<N, STEP>(a.c.values, a.c.format, row, mask, x);
		mask = group_fetched_in_range<N, STEP>(a, row, mask, x);
	}
	return mask;
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
