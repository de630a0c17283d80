/*-------------------------------------------------------------------------
 *
 * elementary_lanes.h
 *	  The loops of elementary.c, for one kind of vector.
 *
 * elementary.c includes this file for each kind, which it describes as
 * exact/elementary_quick.h wants it.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/elementary_quick.h"

static TARGET void
QUICK(exps) (const double *restrict x, int n, double *restrict result,
			 uint8_t *restrict known)
{
	for (int i = 0; i < n; i++)
		known[i] = QUICK(exp_shortly) (x[i], &result[i]);
}

static TARGET void
QUICK(lns) (const double *restrict x, int n, double *restrict result,
			uint8_t *restrict known)
{
	for (int i = 0; i < n; i++)
		known[i] = QUICK(ln_shortly) (x[i], &result[i]);
}

static TARGET void
QUICK(powers) (const double *restrict x, const double *restrict y, int n,
			   double *restrict result, uint8_t *restrict known)
{
	for (int i = 0; i < n; i++)
		known[i] = QUICK(power_shortly) (x[i], y[i], &result[i]);
}

static TARGET void
QUICK(round_to_integers) (const double *restrict x, int n,
						  double *restrict result)
{
	for (int i = 0; i < n; i++)
	{
		double		rounded = QUICK(magnitude_rounded) (fabs(x[i]));

		result[i] = x[i] == x[i] ? copysign(rounded, x[i]) :
			gs_canonical_nan();
	}
}

static TARGET void
QUICK(round_to_places) (const double *restrict x, double power, int n,
						double *restrict result, uint8_t *restrict known)
{
	const double inverse = 1 / power;

	for (int i = 0; i < n; i++)
		known[i] = QUICK(round_to_places_shortly) (x[i], power, inverse,
												   &result[i]);
}

/* As gs_round_decimal's quick way: m is x divided by power; or x is kept. */
static TARGET void
QUICK(round_to_zeros) (const double *restrict x, double power, int n,
					   double *restrict result, uint8_t *restrict known)
{
	for (int i = 0; i < n; i++)
	{
		double		magnitude = fabs(x[i]);
		double		q = magnitude / power;
		double		m = QUICK(magnitude_rounded) (q);
		gs_pair		p = PRODUCT(m, power);
		gs_pair		rest = gs_two_sum(magnitude - p.hi, -p.lo);
		double		above = rest.hi - power / 2 + rest.lo;
		double		below = rest.hi + power / 2 + rest.lo;

		m += above > 0 ? 1.0 : 0.0;
		m -= below < 0 ? 1.0 : 0.0;
		result[i] = q > GS_ROUND_KEPT ? x[i] : copysign(m * power, x[i]);
		known[i] = (q < 0x1p52) | (q > GS_ROUND_KEPT);
	}
}

static inline __attribute__((always_inline)) TARGET bool
QUICK(is_between) (double magnitude)
{
	return (magnitude > 0x1p-120) & (magnitude < 0x1p120);
}

/*
 * As gs_change_quickly, but that the remainder's quotient is one by a float:
 * that errs by less than 2^-22 of itself, which is decided by 2^-75 of q.
 */
static TARGET void
QUICK(changes) (const double *restrict from, int n, double *restrict result,
				uint8_t *restrict known)
{
	for (int i = 0; i < n; i++)
	{
		gs_pair		change = gs_two_sum(from[i + 1], -from[i]);
		double		q = change.hi / from[i];
		double		inverse = (double) (1.0f / (float) from[i]);
		gs_pair		product = PRODUCT(q, from[i]);
		double		rest = ((change.hi - product.hi) - product.lo +
							change.lo) * inverse;
		double		error = 0x1p-22 * fabs(rest);
		double		least = q + (rest - error);
		double		greatest = q + (rest + error);
		bool		moderate = QUICK(is_between) (fabs(from[i])) &
			((change.hi == 0) | QUICK(is_between) (fabs(change.hi)));

		/* 0, not -0, of equals */
		result[i] = change.lo == 0 ? q + 0.0 : least;
		known[i] = moderate & ((change.lo == 0) | (least == greatest));
	}
}

/* Is it 0, or such that no product here underflows? */
static inline __attribute__((always_inline)) TARGET bool
QUICK(is_moderate) (double x)
{
	return (x == 0) | QUICK(is_between) (fabs(x));
}

/* As line_quickly() of exact/line.c, but what is 0 is not known. */
static TARGET void
QUICK(lines) (const double *restrict y0, const double *restrict y1,
			  const double *restrict run, const double *restrict length,
			  int n, double *restrict result, uint8_t *restrict known)
{
	for (int i = 0; i < n; i++)
	{
		gs_pair		rise = gs_two_sum(y1[i], -y0[i]);
		gs_pair		product = PRODUCT(rise.hi, run[i]);
		double		q = product.hi / length[i];
		gs_pair		back = PRODUCT(q, length[i]);
		double		rest = ((product.hi - back.hi) - back.lo +
							(product.lo + rise.lo * run[i])) / length[i];
		gs_pair		sum = gs_two_sum(y0[i], q);
		double		error;
		double		least;
		double		greatest;

		rest += sum.lo;
		error = 0x1p-98 * fabs(q) + 0x1p-50 * fabs(rest);
		least = sum.hi + (rest - error);
		greatest = sum.hi + (rest + error);
		result[i] = least;
		known[i] = (least == greatest) & (least != 0) &
			QUICK(is_moderate) (y0[i]) & QUICK(is_moderate) (y1[i]) &
			QUICK(is_moderate) (run[i]) & QUICK(is_moderate) (length[i]);
	}
}

#undef TARGET
#undef QUICK
#undef PRODUCT
#undef MULTIPLY_ADD
#undef FUSED
#undef TABLE
