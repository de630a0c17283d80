/*-------------------------------------------------------------------------
 *
 * moving_quick.c
 *	  Standard deviations and correlations of moving frames, where doubles
 *	  decide how they round.
 *
 * A frame's sums are kept in two or three doubles each.  Every element, square
 * and product is cut to multiples of their units, 2^-90 and so of the greatest,
 * always in the same way.  So sums are exact, what leaves a frame leaves no
 * trace, and they differ from the true ones by the cuts alone.  From them a
 * result is computed in pairs of doubles, with a bound of its error.  Where the
 * bound leaves two roundings possible, which is one frame in millions unless
 * deviations are tiny beside the values, who called has to compute the result
 * from integers, and so where elements are not finite.
 *
 * It goes by blocks of frames: how sums change from frame to frame and what
 * becomes of them are loops for vectors (moving_lanes.h), and adding up the
 * changes is not.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/fused.h"
#include "engine/cpu/moving/moving_quick.h"
#include "engine/moving_pairs.h"

#include <math.h>
#include <string.h>

/* Frames of so many elements, as a power of 2, have sums of three doubles. */
#define THREE_LEVELS	13

typedef struct quick_elements
{
	double		value[2][QUICK_BLOCK];
} quick_elements;

typedef struct quick_sum
{
	double		part[QUICK_LEVELS][QUICK_BLOCK];
} quick_sum;

#define TARGET
#define QUICK(name)		name##_2
#define PRODUCT			gs_two_product
#include "engine/cpu/moving/moving_lanes.h"

#ifdef HAS_WIDER_LANES

#define TARGET			FMA_4
#define QUICK(name)		name##_4
#define PRODUCT			fused_4
#include "engine/cpu/moving/moving_lanes.h"

#define TARGET			FMA_8
#define QUICK(name)		name##_8
#define PRODUCT			fused_8
#include "engine/cpu/moving/moving_lanes.h"

#define OF_LANES(name) \
	(gs_cpu_lanes() == 8 ? name##_8 : gs_cpu_lanes() == 4 ? name##_4 : name##_2)
#else
#define OF_LANES(name)	name##_2
#endif

/* The greatest finite magnitude of an array; are some not finite? */
static double
greatest_of(const cpu_quick *q, const void *elements, bool *specials)
{
	double		most = q->single ? INFINITY :
		OF_LANES(greatest) (elements, q->frame.n);
	int64_t		since = 0;

	if (most < INFINITY)
		return most;
	most = 0;
	for (int64_t i = 0; i < q->frame.n; i++)
	{
		double		x = q->single ? ((const float *) elements)[i] :
			((const double *) elements)[i];

		if (!gs_is_finite(x))
			*specials = true;
		else if (fabs(x) > most)
			most = fabs(x);
		pause_after(&since, 1);
	}
	return most;
}

/* Units for frames of up to 2^bits elements. */
static void
open_grid(quick_grid *g, int bits)
{
	double		unit = ldexp(1, bits - 52);

	g->levels = bits < THREE_LEVELS ? 2 : 3;
	for (int k = 0; k < g->levels; k++)
	{
		/* what is left over is half a unit, and a little more of products */
		if (k > 0)
			unit *= ldexp(1, bits - 53);
		g->rounder[k] = 0x1.8p52 * unit;
	}
	g->error = 4 * unit + 0x1p-99;
}

bool
cpu_quick_open(cpu_quick *q)
{
	int			bits = gs_cpu_bit_length(cpu_frame_most(&q->frame));

	open_grid(&q->grid, bits > 2 ? bits : 2);
	q->specials = false;
	for (int k = 0; k < q->arrays; k++)
	{
		int			exponent;

		(void) frexp(greatest_of(q, q->element[k], &q->specials), &exponent);

		/* far from where anything becomes subnormal, or infinite */
		if (exponent < -800 || exponent > 1000)
			return false;
		q->grid.scale[k] = ldexp(1, -exponent);
		if (k == 0)
			q->grid.unscale = ldexp(1, exponent);
	}
	q->at = -((q->frame.following + QUICK_BLOCK - 1) / QUICK_BLOCK * QUICK_BLOCK);
	q->since = 0;
	q->last_special = 0;
	memset(q->total, 0, sizeof q->total);
	return true;
}

/* Elements from `first` on, zeros where there are none. */
static void
load(const cpu_quick *q, int64_t first, quick_elements *to)
{
	int			from = first < 0 ? (int) (first < -QUICK_BLOCK ? QUICK_BLOCK :
										  -first) : 0;
	int			end = q->frame.n - first < QUICK_BLOCK ?
		(int) (q->frame.n - first > from ? q->frame.n - first : from) :
		QUICK_BLOCK;

	memset(to, 0, sizeof *to);
	for (int k = 0; k < q->arrays; k++)
	{
		double	   *v = to->value[k];

		if (!q->single)
			memcpy(v + from, (const double *) q->element[k] + (first + from),
				   (size_t) (end - from) * sizeof(double));
		for (int i = from; q->single && i < end; i++)
			v[i] = ((const float *) q->element[k])[first + i];
	}
}

/*
 * Make zeros of what is not finite, and of what it is paired with; last[i]
 * becomes last_special of the elements up to this one.
 */
static void
take_specials_out(cpu_quick *q, quick_elements *e, int64_t first, int64_t *last)
{
	for (int i = 0; i < QUICK_BLOCK; i++)
	{
		if (!gs_is_finite(e->value[0][i]) || !gs_is_finite(e->value[1][i]))
		{
			e->value[0][i] = e->value[1][i] = 0;
			q->last_special = first + i + 1;
		}
		last[i] = q->last_special;
	}
}

static void
count_values(const cpu_quick *q, int n, double *count)
{
	for (int i = 0; i < QUICK_BLOCK; i++)
		count[i] = i < n ? (double) cpu_frame_count(&q->frame, q->before,
													q->at + i) : 0;
}

/* The next block; without `result` only its sums. */
static void
step(cpu_quick *q, int n, double *result, uint8_t *known)
{
	int64_t		entering = q->at + q->frame.following;
	int64_t		leaving = q->at - q->frame.preceding - 1;
	quick_elements in;
	quick_elements out;
	int64_t		last[QUICK_BLOCK];
	double		count[QUICK_BLOCK];

	load(q, entering, &in);
	load(q, leaving, &out);
	if (q->specials)
	{
		int64_t		last_special = q->last_special;

		take_specials_out(q, &out, leaving, last);
		q->last_special = last_special;
		take_specials_out(q, &in, entering, last);
	}
	if (result != NULL)
		count_values(q, n, count);
	OF_LANES(next) (&q->grid, q->arrays, &in, &out, q->total, count, result,
					known);
	for (int i = 0; q->specials && i < n; i++)
	{
		if (last[i] > cpu_frame_first(&q->frame, q->at + i))
			known[i] = 0;
	}
	q->at += QUICK_BLOCK;
	pause_after(&q->since, QUICK_BLOCK);
}

int
cpu_quick_next(cpu_quick *q, double *result, uint8_t *known)
{
	int			n;

	/* the elements that follow the first one */
	while (q->at < 0)
		step(q, 0, NULL, NULL);
	n = q->frame.n - q->at < QUICK_BLOCK ? (int) (q->frame.n - q->at) :
		QUICK_BLOCK;
	if (n > 0)
		step(q, n, result, known);
	return n > 0 ? n : 0;
}
