/*-------------------------------------------------------------------------
 *
 * moving_float.c
 *	  Moving sums, means and standard deviations of floats on the CPU.
 *
 * A sum is an integer of 128 bits where the bits of all elements lie close
 * enough together (moving.h), and else the limbs that they lie in, which is
 * slower.  What neither can hold (NaN, infinities, -0) is counted.  So it is
 * with sums of squares, which take 256 bits; but of standard deviations doubles
 * decide nearly all (moving_quick.h).
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/moving/moving_quick.h"
#include "engine/moving_moments.h"

#include <float.h>
#include <string.h>

/* The sum of a frame. */
typedef struct frame_sum
{
	int64_t		first;			/* its elements, NULLs among them, are */
	int64_t		end;			/* first .. end - 1 */
	int64_t		special[GS_SPECIALS];
	int64_t		specials;		/* the sum of these, but for -0 */
	gs_wide		wide;
	int64_t		limb[GS_ACC_LIMBS]; /* if not wide; each is below 2^32 times
									 * the length */

	/* of squares, for standard deviations */
	gs_quad		quad;
	int64_t		square_limb[GS_ACC2_LIMBS]; /* below 2^33 times the length,
											 * which is at most 2^28 (1 GB) */
} frame_sum;

/* How it is computed; the same for all frames. */
typedef struct summing
{
	cpu_frame	frame;
	const void *element;
	const uint32_t *before;
	bool		single;			/* elements are of type float */
	bool		mean;
	bool		wide;
	int			base;			/* of a wide sum */
	int			first;			/* the limbs that are not zero */
	int			limbs;
	int			first_square;
	int			square_limbs;
} summing;

static inline double
element_at(const summing *s, int64_t i)
{
	return s->single ? ((const float *) s->element)[i] :
		((const double *) s->element)[i];
}

/* An element enters the frame, or leaves it. */
static inline void
change(const summing *s, frame_sum *sum, double x, bool leaves, bool squares)
{
	if (gs_is_special(x))
	{
		gs_special	which = gs_special_of(x);

		sum->special[which] += leaves ? -1 : 1;
		if (which != GS_SPECIAL_NEGATIVE_ZERO)
			sum->specials += leaves ? -1 : 1;
	}
	else if (s->wide)
	{
		gs_wide		a = gs_wide_of(x, s->base);

		sum->wide = leaves ? gs_wide_subtract(sum->wide, a) :
			gs_wide_add(sum->wide, a);
		if (squares)
			gs_quad_add_product(&sum->quad, a, a, leaves);
	}
	else
	{
		int			position;
		bool		negative;
		uint64_t	m = gs_split(x, &position, &negative);

		gs_limbs_add(sum->limb, m, position, negative != leaves);
		if (squares)
		{
			unsigned __int128 square = (unsigned __int128) m * m;

			gs_limbs_add(sum->square_limb, (uint64_t) square, 2 * position,
						 leaves);
			gs_limbs_add(sum->square_limb, (uint64_t) (square >> 64),
						 2 * position + 64, leaves);
		}
	}
}

static uint32_t
seen(const frame_sum *sum)
{
	return (sum->special[GS_SPECIAL_NAN] > 0 ? GS_SEEN_NAN : 0) |
		(sum->special[GS_SPECIAL_POSITIVE_INF] > 0 ?
		 GS_SEEN_POSITIVE_INF : 0) |
		(sum->special[GS_SPECIAL_NEGATIVE_INF] > 0 ?
		 GS_SEEN_NEGATIVE_INF : 0) |
		(sum->special[GS_SPECIAL_NEGATIVE_ZERO] < sum->end - sum->first ?
		 GS_SEEN_NOT_NEGATIVE_ZERO : 0);
}

/* The result from limbs, or of special elements alone. */
static gs_rounding
round_limbs(const summing *s, const frame_sum *sum, int64_t n, double *x,
			float *single)
{
	gs_limbs	limbs = {sum->limb + s->first, s->limbs,
	32 * s->first + GS_ACC_LOWEST, seen(sum)};

	if (s->mean)
		return gs_limbs_mean(limbs, n, x);
	return s->single ? gs_limbs_round_float(limbs, single) :
		gs_limbs_round(limbs, x);
}

/* Store the result of element i; false if it is out of range. */
static inline bool
store_result(const summing *s, const frame_sum *sum, int64_t i, void *results)
{
	double	   *to = (double *) results + i;
	float	   *single = (float *) results + i;
	int64_t		n = cpu_frame_count(&s->frame, s->before, i);

	if (n == 0 && s->single && !s->mean)
		*single = 0;
	else if (n == 0)
		*to = 0;
	else if (!s->wide || sum->specials > 0 ||
			 (sum->wide.low | sum->wide.high) == 0)
		return round_limbs(s, sum, n, to, single) != GS_OVERFLOW;
	else if (s->mean)
		*to = gs_wide_mean(sum->wide, s->base, (uint32_t) n);
	else if (s->single)
	{
		*single = gs_wide_round_float(sum->wide, s->base);
		return gs_is_finite(*single);
	}
	else
	{
		*to = gs_wide_round(sum->wide, s->base);
		return gs_is_finite(*to);
	}
	return true;
}

/* Store the standard deviation of frame i; false: it overflows. */
static inline bool
store_stddev(const summing *s, const frame_sum *sum, int64_t i, void *results)
{
	double	   *to = (double *) results + i;
	int64_t		n = cpu_frame_count(&s->frame, s->before, i);
	gs_limbs	limbs = {sum->limb + s->first, s->limbs,
	32 * s->first + GS_ACC_LOWEST, GS_SEEN_NOT_NEGATIVE_ZERO};
	gs_limbs	squares = {sum->square_limb + s->first_square, s->square_limbs,
	32 * s->first_square + GS_ACC2_LOWEST, GS_SEEN_NOT_NEGATIVE_ZERO};

	*to = 0;
	if (n < 2)
		return true;
	if (sum->specials > 0)
	{
		*to = gs_canonical_nan();
		return true;
	}
	if (!s->wide)
		return gs_limbs_stddev(limbs, squares, n, true, to) != GS_OVERFLOW;
	*to = gs_wide_stddev(sum->wide, sum->quad, s->base, n);
	return gs_is_finite(*to);
}

/* Make it the sum of the frame of element i. */
static inline void
move_to(const summing *s, frame_sum *sum, int64_t i, bool squares)
{
	int64_t		first = cpu_frame_first(&s->frame, i);
	int64_t		end = cpu_frame_end(&s->frame, i);
	int64_t		since = 0;

	if (sum->end < first)
	{
		memset(sum, 0, sizeof *sum);
		sum->first = sum->end = first;
	}
	for (; sum->end < end; sum->end++)
	{
		change(s, sum, element_at(s, sum->end), false, squares);
		pause_after(&since, 1);
	}
	for (; sum->first < first; sum->first++)
	{
		change(s, sum, element_at(s, sum->first), true, squares);
		pause_after(&since, 1);
	}
}

/* As gs_moving_floats, of sums and means. */
static int64_t
move_sums(const summing *s, void *results)
{
	frame_sum	sum;
	int64_t		since = 0;

	memset(&sum, 0, sizeof sum);
	for (int64_t i = 0; i < s->frame.n; i++)
	{
		move_to(s, &sum, i, false);
		if (!store_result(s, &sum, i, results))
			return i;
		pause_after(&since, 1);
	}
	return s->frame.n;
}

/* Standard deviations of all frames, exactly where doubles do not decide. */
static int64_t
move_deviations(const summing *s, double *results)
{
	cpu_quick	q = {
		.frame = s->frame,
		.before = s->before,
		.arrays = 1,
		.single = s->single,
		.element = {s->element}
	};
	frame_sum	sum;
	double		block[QUICK_BLOCK];
	uint8_t		known[QUICK_BLOCK] = {0};
	bool		quick = cpu_quick_open(&q);
	int64_t		since = 0;
	int			count;

	memset(&sum, 0, sizeof sum);
	for (int64_t at = 0; at < s->frame.n; at += count)
	{
		count = quick ? cpu_quick_next(&q, block, known) :
			s->frame.n - at < QUICK_BLOCK ? (int) (s->frame.n - at) : QUICK_BLOCK;
		for (int i = 0; i < count; i++)
		{
			if (known[i])
			{
				results[at + i] = block[i];
				continue;
			}
			move_to(s, &sum, at + i, true);
			if (!store_stddev(s, &sum, at + i, results))
				return at + i;
			pause_after(&since, EXACT_ELEMENTS);
		}
	}
	return s->frame.n;
}

gs_extent
cpu_moving_extent(const gs_op *op, int64_t n, const void *elements)
{
	summing		s = {.element = elements, .single = op->type == GS_FLOAT4};
	gs_extent	e = GS_NO_EXTENT;
	int64_t		since = 0;

	for (int64_t i = 0; i < n; i++)
	{
		double		x = element_at(&s, i);

		if (gs_is_finite(x))
			gs_extent_add(&e, x);
		pause_after(&since, 1);
	}
	return e;
}

bool
cpu_moving_may_overflow(const gs_op *op, int64_t n, gs_extent e)
{
	cpu_frame	f = cpu_frame_of(op, n);
	int			range = op->type == GS_FLOAT4 ? FLT_MAX_EXP : DBL_MAX_EXP;

	/* it is at most sqrt(2) times the greatest magnitude, and rounded */
	if (op->kind == GS_MOVING_STDDEV)
		return e.end + 1 > DBL_MAX_EXP - GS_ACC_LOWEST;

	/* one bit more: a sum may be rounded up */
	return op->kind == GS_MOVING_SUM &&
		e.end + gs_cpu_bit_length(cpu_frame_most(&f)) + 1 > range - GS_ACC_LOWEST;
}

int64_t
cpu_moving_floats(const gs_op *op, int64_t n, const void *elements,
				  const uint32_t *before, gs_extent e, void *results)
{
	summing		s = {
		.frame = cpu_frame_of(op, n),
		.element = elements,
		.before = before,
		.single = op->type == GS_FLOAT4,
		.mean = op->kind == GS_MOVING_AVG
	};

	if (n == 0)
		return 0;
	s.wide = gs_wide_fits(e, cpu_frame_most(&s.frame), &s.base);
	if (e.end > 0)
	{
		/* a sum has up to 31 bits more than an element */
		s.first = e.lowest / 32;
		s.limbs = (e.end + 31) / 32 + 2 - s.first;
		if (s.limbs > GS_ACC_LIMBS - s.first)
			s.limbs = GS_ACC_LIMBS - s.first;
	}
	else
		s.limbs = 1;
	if (op->kind == GS_MOVING_STDDEV)
	{
		s.first_square = s.first * 2;
		s.square_limbs = (2 * e.end + 31) / 32 + 2 - s.first_square;
		if (s.square_limbs > GS_ACC2_LIMBS - s.first_square)
			s.square_limbs = GS_ACC2_LIMBS - s.first_square;
		return move_deviations(&s, results);
	}
	return move_sums(&s, results);
}

int64_t
gs_moving_floats(const gs_op *op, int64_t n, const void *elements,
				 const uint32_t *before, void *results)
{
	return cpu_moving_floats(op, n, elements, before,
							 cpu_moving_extent(op, n, elements), results);
}
