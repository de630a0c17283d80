/*-------------------------------------------------------------------------
 *
 * sum_lanes.h
 *	  The loops of sum.c, for vectors of LANES doubles.
 *
 * sum.c includes this file for each kind of vector, which it describes by
 *
 *		LANES			doubles in a vector
 *		NAME(name)		a name for this kind alone
 *		TARGET			the attribute of functions that use such vectors
 *		TOTALS			independent totals of a sum, whose additions overlap
 *		PRODUCT_TOTALS	the same of products, and again of their errors
 *		FUSED(x, y, p)	x * y - p, rounded once; where the CPU has that
 *
 *-------------------------------------------------------------------------
 */
#define LANE_INLINE		static inline __attribute__((always_inline)) TARGET

#define lanes			NAME(lanes)
#define masks			NAME(masks)
#define total			NAME(total)

typedef double lanes __attribute__((vector_size(8 * LANES)));
typedef int64_t masks __attribute__((vector_size(8 * LANES)));
typedef double NAME(lanes_unaligned)
			__attribute__((vector_size(8 * LANES), aligned(8), may_alias));

typedef struct total
{
	lanes		part[MOST_PARTS];
} total;

LANE_INLINE lanes
NAME(load_float8) (const double *v)
{
	return *(const NAME(lanes_unaligned) *) v;
}

LANE_INLINE lanes
NAME(load_float4) (const float *v)
{
	lanes		x = {0};

	for (int i = 0; i < LANES; i++)
		x[i] = v[i];
	return x;
}

LANE_INLINE total
NAME(start) (int top, int parts)
{
	const lanes zero = {0};
	total		t = {0};

	for (int i = 0; i < parts; i++)
		t.part[i] = zero + part_start(top, i);
	return t;
}

/*
 * Add x.  What no part holds is OR-ed into *rest, and the bits of the first
 * part that change into *moved.
 */
LANE_INLINE void
NAME(add) (total *t, int parts, lanes x, masks *rest, masks *moved)
{
	for (int i = 0; i < parts; i++)
	{
		lanes		sum = t->part[i] + x;

		if (i == 0)
			*moved |= (masks) sum ^ (masks) t->part[i];
		x -= sum - t->part[i];
		t->part[i] = sum;
	}
	*rest |= (masks) x;
}

LANE_INLINE uint64_t
NAME(any_bits) (masks m)
{
	uint64_t	bits = 0;

	for (int i = 0; i < LANES; i++)
		bits |= (uint64_t) m[i];
	return bits;
}

/* Nothing but signs of zeros is left, and all stayed in their binades. */
LANE_INLINE bool
NAME(is_exact) (masks rest, masks moved)
{
	return NAME(any_bits) (rest) << 1 == 0 && NAME(any_bits) (moved) >> 52 == 0;
}

/*
 * Do a block's totals add without rounding?  Less their starts, all first ones
 * are multiples of 2^(top + LOG_LANE - 51).  If no element is above 2^top they
 * are together at most BLOCK times that, and what was rounded to them: less
 * than 2^53 units.  But top may be another block's.  The parts after the first
 * always add, being of at most half a unit an element.
 */
LANE_INLINE bool
NAME(add_up) (const total *t, int totals, int top)
{
	const double limit = start_for(top) / (3 * LANES / 4.0);
	lanes		sum = {0};

	for (int i = 0; i < totals; i++)
		sum += (lanes) ((masks) (t[i].part[0] - start_for(top)) & INT64_MAX);
	return NAME(any_bits) ((masks) (sum > limit)) == 0;
}

/*
 * Add totals of a block to an accumulator's limbs, a gs_acc's or a gs_acc2's.
 */
LANE_INLINE void
NAME(flush) (int64_t *limb, int32_t *additions, int lowest, const total *t,
			 int totals, int parts, int top)
{
	for (int i = 0; i < parts; i++)
	{
		lanes		part = t[0].part[i] - part_start(top, i);
		double		sum;
		uint64_t	m;
		int			position;
		bool		negative;

		for (int j = 1; j < totals; j++)
			part += t[j].part[i] - part_start(top, i);
		sum = part[0];
		for (int j = 1; j < LANES; j++)
			sum += part[j];
		m = gs_split(sum, &position, &negative);
		gs_limbs_add(limb, m, position + GS_ACC_LOWEST - lowest, negative);
	}
	*additions += parts;
}

/*
 * x * y - p exactly, where p is x * y rounded, if the exponents allow:
 * gs_two_product in lanes.
 */
LANE_INLINE lanes
NAME(product_error) (lanes x, lanes y, lanes p)
{
#ifdef FUSED
	return FUSED(x, y, p);
#else
	const double split = 134217729.0;	/* 2^27 + 1 */
	lanes		cx = x * split;
	lanes		cy = y * split;
	lanes		hx = cx - (cx - x);
	lanes		hy = cy - (cy - y);
	lanes		lx = x - hx;
	lanes		ly = y - hy;

	return ((hx * hy - p) + hx * ly + lx * hy) + lx * ly;
#endif
}

/* Non-zero where x is too small for the error of a product, but not zero. */
LANE_INLINE masks
NAME(too_small) (lanes x)
{
	masks		magnitude = (masks) x & INT64_MAX;

	return magnitude & (masks) ((lanes) magnitude < MIN_FACTOR);
}

#define TYPE			float
#define OF(name)		NAME(name##_float4)
#include "engine/cpu/reduce/sum_lanes_type.h"
#undef TYPE
#undef OF

#define TYPE			double
#define OF(name)		NAME(name##_float8)
#include "engine/cpu/reduce/sum_lanes_type.h"
#undef TYPE
#undef OF

#undef total
#undef masks
#undef lanes
#undef LANE_INLINE
