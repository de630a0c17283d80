/*-------------------------------------------------------------------------
 *
 * division.c
 *	  Division of int8 by a positive constant, without dividing.
 *
 * Times are truncated by such divisions, and the processor's takes many times
 * as long as a product.  With 2^(s-1) < d <= 2^s, the quotient of x < 2^63 is
 * x * m / 2^(63+s), where m = floor(2^(63+s) / d) + 1: T. Granlund and
 * P. Montgomery, "Division by invariant integers using multiplication", PLDI
 * 1994, theorem 4.2 for 63 bits.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

typedef unsigned __int128 wide;

typedef struct divisor
{
	uint64_t	d;
	uint64_t	m;
	int			shift;			/* s - 1; d is not 1 */
} divisor;

static divisor
divisor_of(int64_t d)
{
	divisor		r = {.d = (uint64_t) d};

	while (((uint64_t) 2 << r.shift) < r.d)
		r.shift++;
	r.m = (uint64_t) (((wide) 1 << (64 + r.shift)) / r.d + 1);
	return r;
}

static inline uint64_t
quotient(uint64_t x, divisor by)
{
	return (uint64_t) ((wide) x * by.m >> 64) >> by.shift;
}

/* name(x, sign): of a value x, which is negative if sign is -1, else 0. */
#define BY_CONSTANT(name, result) \
static uint32_t \
name(const void *a, const void *b, int n, void *results, uint8_t *errors) \
{ \
	const int64_t *restrict values = a; \
	const divisor by = divisor_of(*(const int64_t *) b); \
	int64_t    *restrict r = results; \
\
	(void) errors; \
	for (int i = 0; i < n; i++) \
	{ \
		const int64_t x = values[i]; \
		const int64_t sign = x >> 63; \
\
		r[i] = result; \
	} \
	return 0; \
}

/* rounded down: ~x / d of a negative x, and that inverted again */
BY_CONSTANT(floor_divide, (int64_t) quotient((uint64_t) (x ^ sign), by) ^ sign)

/* The quotient times d may be less than the least int8: that wraps, and back. */
static inline int64_t
remainder_of(int64_t x, int64_t sign, divisor by)
{
	uint64_t	floor = quotient((uint64_t) (x ^ sign), by) ^ (uint64_t) sign;
	int64_t		down = (int64_t) ((uint64_t) x - floor * by.d);

	/* with the sign of x */
	return down - (int64_t) (by.d & (uint64_t) (sign & -(int64_t) (down != 0)));
}

BY_CONSTANT(modulo, remainder_of(x, sign, by))

group_loop
gs_group_divide_by_constant(const gs_instruction *in, const gs_constant *b)
{
	if (in->type != GS_INT8 || b->null || b->value.i8 < 2)
		return NULL;
	return in->code == GS_CODE_FLOOR_DIVIDE ? floor_divide :
		in->code == GS_CODE_MODULO ? modulo : NULL;
}
