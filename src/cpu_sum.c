/*-------------------------------------------------------------------------
 *
 * cpu_sum.c
 *	  Exact sums of floats and of their squares, fast.
 *
 * A block of elements is summed in independent lanes.  Each lane keeps its
 * total as two doubles: TwoSum adds an element to the first, a second TwoSum
 * adds the error of that to the second, and what that one leaves over must be
 * zero.  Nearly always it is, and the block's total is exact; the lanes then
 * go to the accumulator.  If it is not, or anything overflowed (which makes
 * the rest a NaN), the block is added again, element by element, to the
 * accumulator itself.
 *
 *-------------------------------------------------------------------------
 */
#include "cpu_engine.h"
#include "cpu_lanes.h"

/* Add x to s + e; what does not fit is or-ed into rest, bit by bit. */
ALWAYS_INLINE void
add_lanes(lanes *s, lanes *e, masks *rest, lanes x)
{
	lanes		t = *s + x;
	lanes		r = sum_error(t, *s, x);
	lanes		f = *e + r;

	*rest |= (masks) sum_error(f, *e, r);
	*s = t;
	*e = f;
}

ALWAYS_INLINE void
flush_lanes(gs_acc *a, lanes x)
{
	for (int i = 0; i < 2; i++)
		gs_cpu_add_finite(a, x[i]);
}

/*
 * The squares of finite values: p + e = x * x exactly, if the exponents allow
 * (see unsafe_squares).  gs_two_product, by lanes.
 */
ALWAYS_INLINE lanes
square_lanes(lanes x, lanes *e)
{
	const double split = 134217729.0;	/* 2^27 + 1 */
	lanes		p = x * x;
	lanes		c = x * split;
	lanes		h = c - (c - x);
	lanes		l = x - h;

	*e = ((h * h - p) + h * l + l * h) + l * l;
	return p;
}

/*
 * Lanes are all ones where x is neither zero nor in 2^-480 .. 2^480, where
 * squares and all their bits are well inside double.
 */
ALWAYS_INLINE masks
unsafe_squares(lanes x)
{
	masks		magnitude = (masks) x & INT64_MAX;
	lanes		m = (lanes) magnitude;

	/* a NaN is not <= anything */
	return ~((m <= 0x1p480) & ((m >= 0x1p-480) | (m == 0.0)));
}

/*
 * Sums, for both types: block by block, in lanes if that is exact.
 */
#define SUM(suffix, type) \
static void \
see_block_##suffix(gs_acc *a, const type *v, int n) \
{ \
	for (int i = 0; i < n && !(a->seen & GS_SEEN_NOT_NEGATIVE_ZERO); i++) \
		a->seen |= gs_seen(v[i]); \
} \
\
/* a += a block, where all of its sums in lanes are exact; else false */ \
ALWAYS_INLINE bool \
sum_block_##suffix(gs_acc *a, const type *v, int n) \
{ \
	lanes		s[4] = {{0}}; \
	lanes		e[4] = {{0}}; \
	masks		rest = {0}; \
	int			i; \
\
	for (i = 0; i + 8 <= n; i += 8) \
	{ \
		for (int j = 0; j < 4; j++) \
			add_lanes(&s[j], &e[j], &rest, load_##suffix(v + i + 2 * j)); \
	} \
	if (!is_zero(rest)) \
		return false; \
	see_block_##suffix(a, v, i); \
	for (int j = 0; j < 4; j++) \
	{ \
		flush_lanes(a, s[j]); \
		flush_lanes(a, e[j]); \
	} \
	for (; i < n; i++) \
		gs_acc_add(a, v[i]); \
	return true; \
} \
\
void \
gs_cpu_sum_##suffix(gs_acc *a, const type *v, int64_t n) \
{ \
	for (int64_t at = 0; at < n; at += CPU_BLOCK) \
	{ \
		int			m = gs_cpu_block_size(n - at); \
\
		if (a->additions > GS_ACC_ADDITIONS - 2 * CPU_BLOCK) \
			gs_acc_propagate(a); \
		if (!sum_block_##suffix(a, v + at, m)) \
		{ \
			for (int i = 0; i < m; i++) \
				gs_acc_add(a, v[at + i]); \
		} \
	} \
}

SUM(float4, float)
SUM(float8, double)

/*
 * The same for squares.  The products' errors are summed apart from the
 * products, whose last bits are so much higher.
 */
#define SQUARES(suffix, type) \
ALWAYS_INLINE bool \
squares_block_##suffix(gs_acc2 *a, const type *v, int n) \
{ \
	lanes		ps = {0}; \
	lanes		pe = {0}; \
	lanes		es = {0}; \
	lanes		ee = {0}; \
	masks		rest = {0}; \
	masks		unsafe = {0}; \
	int			i; \
\
	for (i = 0; i + 2 <= n; i += 2) \
	{ \
		lanes		x = load_##suffix(v + i); \
		lanes		e; \
		lanes		p = square_lanes(x, &e); \
\
		unsafe |= unsafe_squares(x); \
		add_lanes(&ps, &pe, &rest, p); \
		add_lanes(&es, &ee, &rest, e); \
	} \
	if (!is_zero(rest) || !is_zero(unsafe)) \
		return false; \
	flush_squares(a, ps); \
	flush_squares(a, pe); \
	flush_squares(a, es); \
	flush_squares(a, ee); \
	for (; i < n; i++) \
		gs_acc2_add_product(a, v[i], v[i]); \
	return true; \
} \
\
void \
gs_cpu_squares_##suffix(gs_acc2 *a, const type *v, int64_t n) \
{ \
	if (n > 0) \
		a->seen |= GS_SEEN_NOT_NEGATIVE_ZERO;	/* no square is -0 */ \
	for (int64_t at = 0; at < n; at += CPU_BLOCK) \
	{ \
		int			m = gs_cpu_block_size(n - at); \
\
		if (a->additions > GS_ACC_ADDITIONS - 8 * CPU_BLOCK) \
			gs_acc2_propagate(a); \
		if (!squares_block_##suffix(a, v + at, m)) \
		{ \
			for (int i = 0; i < m; i++) \
				gs_acc2_add_product(a, v[at + i], v[at + i]); \
		} \
	} \
}

/* A double's place in a gs_acc2 is as much higher as its lowest is lower. */
ALWAYS_INLINE void
flush_squares(gs_acc2 *a, lanes x)
{
	for (int i = 0; i < 2; i++)
	{
		uint64_t	m;
		int			position;
		bool		negative;

		m = gs_split(x[i], &position, &negative);
		gs_limbs_add(a->limb, m, position + GS_ACC_LOWEST - GS_ACC2_LOWEST,
					 negative);
		a->additions++;
	}
}

SQUARES(float4, float)
SQUARES(float8, double)
