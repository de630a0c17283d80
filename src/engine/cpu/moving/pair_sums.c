/*-------------------------------------------------------------------------
 *
 * pair_sums.c
 *	  Exact sums over frames that move; see pair_sums.h.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/moving/pair_sums.h"

#include <string.h>

/* Then carries are propagated. */
#define CHANGES_MAX		(1 << 28)

static gs_extent
extent_of(const double *v, int64_t n)
{
	gs_extent	e = GS_NO_EXTENT;
	int64_t		since = 0;

	for (int64_t i = 0; i < n; i++)
	{
		if (gs_is_finite(v[i]))
			gs_extent_add(&e, v[i]);
		pause_after(&since, 1);
	}
	return e;
}

/* Limbs are of use only if not wide. */
static void
clear(cpu_pair_sums *p, int64_t first)
{
	int			base_y = p->integer.base_y;
	int			base_x = p->integer.base_x;
	size_t		end = p->wide ? offsetof(cpu_pair_sums, changes) : sizeof *p;

	memset(&p->first, 0, end - offsetof(cpu_pair_sums, first));
	p->integer.base_y = base_y;
	p->integer.base_x = base_x;
	p->first = p->end = first;
}

void
cpu_pair_sums_open(cpu_pair_sums *p, int64_t n, int64_t most)
{
	const gs_extent none = GS_NO_EXTENT;

	p->open = true;
	p->extent_y = p->y == NULL ? none : extent_of(p->y, n);
	p->extent_x = extent_of(p->x, n);
	p->wide = gs_wide_fits(p->extent_y, most, &p->integer.base_y) &&
		gs_wide_fits(p->extent_x, most, &p->integer.base_x);
	clear(p, 0);
}

/* ----------
 * Limbs
 * ----------
 */

static void
add_product(int64_t *limb, double x, double y, bool leaves)
{
	int			position_x;
	int			position_y;
	bool		negative_x;
	bool		negative_y;
	uint64_t	a = gs_split(x, &position_x, &negative_x);
	uint64_t	b = gs_split(y, &position_y, &negative_y);
	unsigned __int128 product = (unsigned __int128) a * b;
	bool		negative = (negative_x != negative_y) != leaves;

	gs_limbs_add(limb, (uint64_t) product, position_x + position_y, negative);
	gs_limbs_add(limb, (uint64_t) (product >> 64), position_x + position_y + 64,
				 negative);
}

static void
add_value(int64_t *limb, double x, bool leaves)
{
	int			position;
	bool		negative;
	uint64_t	m = gs_split(x, &position, &negative);

	gs_limbs_add(limb, m, position, negative != leaves);
}

/* The limbs of a sum or, in pairs, of a sum of products. */
static gs_limbs
limbs_of(const int64_t *limb, int lowest, int end, bool products,
		 int64_t specials)
{
	int			most = products ? GS_ACC2_LIMBS : GS_ACC_LIMBS;
	int			unit = products ? GS_ACC2_LOWEST : GS_ACC_LOWEST;
	int			first = lowest / 32;
	int			limbs = (end + 31) / 32 + 2 - first;

	if (limbs > most - first)
		limbs = most - first;
	return (gs_limbs) {limb + first, limbs, 32 * first + unit,
		specials > 0 ? GS_SEEN_NAN : GS_SEEN_NOT_NEGATIVE_ZERO};
}

static gs_sums
sums_of(const cpu_pair_sums *p, int64_t n)
{
	/* without any bits, an extent is empty */
	const gs_extent none = {0, 0};
	gs_extent	y = p->extent_y.end > 0 ? p->extent_y : none;
	gs_extent	x = p->extent_x.end > 0 ? p->extent_x : none;

	return (gs_sums) {
		.n = n,
		.y = limbs_of(p->sum_y, y.lowest, y.end, false, p->special_y),
		.x = limbs_of(p->sum_x, x.lowest, x.end, false, p->special_x),
		.yy = limbs_of(p->yy, 2 * y.lowest, 2 * y.end, true, 0),
		.xx = limbs_of(p->xx, 2 * x.lowest, 2 * x.end, true, 0),
		.xy = limbs_of(p->xy, x.lowest + y.lowest, x.end + y.end, true, 0)
	};
}

/* The last limb has the sign. */
static void
propagate(gs_limbs a)
{
	int64_t    *limb = (int64_t *) (uintptr_t) a.limb;

	for (int i = 0; i < a.n - 1; i++)
	{
		limb[i + 1] += limb[i] >> 32;
		limb[i] &= 0xffffffff;
	}
}

static void
propagate_all(cpu_pair_sums *p)
{
	gs_sums		s = sums_of(p, 0);

	propagate(s.y);
	propagate(s.x);
	propagate(s.yy);
	propagate(s.xx);
	propagate(s.xy);
	p->changes = 0;
}

/* ----------
 * Frames
 * ----------
 */

/* What is not finite adds nothing, in no product either. */
static inline double
finite_part(double x, int by, int64_t *specials)
{
	if (gs_is_finite(x))
		return x;
	*specials += by;
	return 0;
}

/* A pair enters, or leaves. */
static inline void
change(cpu_pair_sums *p, int64_t i, bool leaves)
{
	int			by = leaves ? -1 : 1;
	double		x = finite_part(p->x[i], by, &p->special_x);
	double		y = p->y == NULL ? 0 : finite_part(p->y[i], by, &p->special_y);

	if (p->wide && p->y == NULL)
		gs_moving_values_change(&p->integer, x, leaves);
	else if (p->wide)
		gs_moving_pairs_change(&p->integer, y, x, leaves);
	else
	{
		if (++p->changes > CHANGES_MAX)
			propagate_all(p);
		add_value(p->sum_x, x, leaves);
		add_product(p->xx, x, x, leaves);
		if (p->y == NULL)
			return;
		add_value(p->sum_y, y, leaves);
		add_product(p->yy, y, y, leaves);
		add_product(p->xy, x, y, leaves);
	}
}

void
cpu_pair_sums_move(cpu_pair_sums *p, int64_t first, int64_t end)
{
	int64_t		since = 0;

	if (p->end <= first)
		clear(p, first);
	for (; p->end < end; p->end++)
	{
		change(p, p->end, false);
		pause_after(&since, 1);
	}
	for (; p->first < first; p->first++)
	{
		change(p, p->first, true);
		pause_after(&since, 1);
	}
}

gs_rounding
cpu_pair_sums_figure(const cpu_pair_sums *p, gs_figure f, int64_t n,
					 double *result)
{
	gs_moving_pairs s = p->integer;
	gs_sums		sums;

	if (p->wide)
	{
		s.n = n;
		return gs_moving_pairs_figure(&s, f, p->special_y == 0,
									  p->special_x == 0, result);
	}
	sums = sums_of(p, n);
	return gs_figure_real(f, &sums, result);
}
