/*-------------------------------------------------------------------------
 *
 * cpu_cumsum.c
 *	  Exact prefix sums of floats: every prefix rounded once.
 *
 * The running total is kept as s - ne, exactly.  An element is added to s,
 * the error of that addition to -ne, whose own error must be zero; the rounded
 * difference of the two then is the correctly rounded prefix.  Nothing is
 * normalised on the way, so that each of the two chains costs one addition an
 * element.  The difference, not a sum, gives zeros their sign: s is -0 while
 * nothing but -0 has come, ne is +0, and a total that has cancelled is +0.
 *
 * A block whose total needs more than two doubles, or in which something is
 * not finite, is done again with the accumulator, each prefix rounded from it.
 * After such a block the total returns to two doubles as soon as they hold it.
 *
 *-------------------------------------------------------------------------
 */
#include "cpu_engine.h"

static const uint32_t not_finite = GS_SEEN_NAN | GS_SEEN_POSITIVE_INF |
	GS_SEEN_NEGATIVE_INF;

void
gs_cpu_prefix_init(cpu_prefix *p)
{
	p->wide = false;
	p->s = -0.0;
	p->ne = 0;
}

/* The total moves to the accumulator. */
static void
widen(cpu_prefix *p)
{
	gs_acc_init(&p->acc);
	if (gs_seen(p->s) != 0)
		p->acc.seen = GS_SEEN_NOT_NEGATIVE_ZERO;
	gs_cpu_add_finite(&p->acc, p->s);
	gs_cpu_add_finite(&p->acc, -p->ne);
	p->wide = true;
}

/* The total moves to two doubles, if they can hold it. */
static void
narrow(cpu_prefix *p)
{
	gs_acc		left;
	double		hi;
	double		lo;

	if ((p->acc.seen & not_finite) || gs_acc_round(&p->acc, &hi) != GS_ROUNDED)
		return;
	left = p->acc;
	left.seen |= GS_SEEN_NOT_NEGATIVE_ZERO;
	gs_cpu_add_finite(&left, -hi);
	if (gs_acc_round(&left, &lo) != GS_ROUNDED)
		return;
	gs_cpu_add_finite(&left, -lo);
	gs_acc_propagate(&left);
	for (int i = 0; i < GS_ACC_LIMBS; i++)
	{
		if (left.limb[i] != 0)
			return;
	}
	p->s = hi;
	p->ne = 0 - lo;
	p->wide = false;
}

/* s - ne to the result type; a float by way of rounding to odd. */
static inline double
round_float8(double s, double ne)
{
	return s - ne;
}

static inline float
round_float4(double s, double ne)
{
	gs_pair		total = {s, -ne};

	return (float) gs_round_to_odd(total);
}

/*
 * FAST gives false if a prefix is not the sum of two doubles, or if one, or
 * its rounded value, is not finite; p is unchanged then.
 *
 * SLOW gives n, or the index of the first prefix out of range.
 */
#define PREFIX(suffix, type, acc_round) \
static inline bool \
fast_##suffix(cpu_prefix *p, const type *v, const uint8_t *heads, \
			  type *out, int n) \
{ \
	double		s = p->s; \
	double		ne = p->ne; \
	uint64_t	rest = 0; \
	gs_pair		total; \
\
	for (int i = 0; i < n; i++) \
	{ \
		gs_pair		a; \
		gs_pair		b; \
		type		result; \
\
		if (heads != NULL && heads[i]) \
		{ \
			s = -0.0; \
			ne = 0; \
		} \
		a = gs_two_sum(s, v[i]); \
		b = gs_two_sum(ne, -a.lo); \
		s = a.hi; \
		ne = b.hi; \
		result = round_##suffix(s, ne); \
		out[i] = result; \
		/* a difference with itself is zero only of what is finite */ \
		rest |= gs_double_bits(b.lo) | gs_double_bits(result - result); \
	} \
	if (rest << 1 != 0) \
		return false; \
	total = gs_two_sum(s, -ne); \
	p->s = total.hi; \
	p->ne = 0 - total.lo; \
	return true; \
} \
\
static int \
slow_##suffix(cpu_prefix *p, const type *v, const uint8_t *heads, \
			  type *out, int n) \
{ \
	if (!p->wide) \
		widen(p); \
	if (p->acc.additions > GS_ACC_ADDITIONS - 2 * CPU_BLOCK) \
		gs_acc_propagate(&p->acc); \
	for (int i = 0; i < n; i++) \
	{ \
		if (heads != NULL && heads[i]) \
			gs_acc_init(&p->acc); \
		gs_acc_add(&p->acc, v[i]); \
		if (acc_round(&p->acc, &out[i]) != GS_ROUNDED) \
			return i; \
	} \
	narrow(p); \
	return n; \
} \
\
int \
gs_cpu_prefix_##suffix(cpu_prefix *p, const type *v, const uint8_t *heads, \
					   type *out, int n) \
{ \
	if (!p->wide && (heads != NULL ? fast_##suffix(p, v, heads, out, n) : \
					 fast_##suffix(p, v, NULL, out, n))) \
		return n; \
	return slow_##suffix(p, v, heads, out, n); \
}

PREFIX(float4, float, gs_acc_round_float)
PREFIX(float8, double, gs_acc_round)
