/*-------------------------------------------------------------------------
 *
 * elementary_table.c
 *	  Makes the table of exponentials and logarithms, in fixed point.
 *
 * That takes half a millisecond, once.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/elementary.h"
#include "exact/elementary_table.h"

#include <math.h>
#include <pthread.h>

/* Bits of a constant whose product with an exponent of 18 bits is a double. */
#define SHORT_BITS		35

/* The sum of such a logarithm and a multiple of ln2_high is a double. */
#define LN_BITS			42

gs_elementary_table gs_elementary;

/* The leading `bits` of a number, at most 53, which are taken off. */
static double
take_bits(gs_fixed *a, int bits)
{
	gs_leading	v = gs_fixed_leading(a);
	gs_fixed	taken;

	if (v.top == 0)
		return 0;
	v.top = v.top >> (64 - bits) << (64 - bits);
	gs_fixed_set(&taken, v.top >> 11, v.exponent + 11);
	gs_fixed_subtract(a, &taken);
	return ldexp((double) (v.top >> 11), v.exponent + 11);
}

static gs_pair
pair_of(gs_fixed a)
{
	double		hi = take_bits(&a, 53);

	return gs_fast_two_sum(hi, take_bits(&a, 53));
}

/* As pair_of, but hi, below 1, is a multiple of 2^-LN_BITS. */
static gs_pair
short_pair_of(gs_fixed a)
{
	gs_leading	v = gs_fixed_leading(&a);
	double		hi = 0;

	/* the first bit is that of 2^(v.exponent + 63) */
	if (v.top != 0 && v.exponent + 63 + LN_BITS >= 0)
		hi = take_bits(&a, v.exponent + 64 + LN_BITS);
	return (gs_pair) {hi, take_bits(&a, 53)};
}

static void
make_powers(void)
{
	gs_fixed	step = gs_elementary.ln2;
	gs_fixed	power;
	gs_signed	x = {.negative = false};
	int			exponent;

	gs_fixed_divide_small(&step, GS_EXP_ENTRIES);
	x.magnitude = step;
	for (int i = 0; i < 3; i++)
		gs_elementary.step[i] = take_bits(&step, i < 2 ? SHORT_BITS : 53);
	gs_elementary.steps_per_one = 1 /
		(gs_elementary.step[0] + gs_elementary.step[1]);
	gs_fixed_exp(&step, &exponent, &x, &gs_elementary.ln2);
	gs_fixed_set(&power, 1, 0);
	for (int i = 0; i < GS_EXP_ENTRIES; i++)
	{
		gs_elementary.power[i] = pair_of(power);
		gs_fixed_multiply(&power, &step);
	}
}

/*
 * The inverses are multiples of 1/512, and 1 beside m = 1 and 1/2 beside m = 2,
 * so that logarithms near 0 are those of 1 + z alone.
 */
static void
make_logarithms(void)
{
	gs_fixed	ln[GS_LN_ENTRIES + 1]; /* ln (512 / j), from j = 256 on */

	ln[0] = gs_elementary.ln2;
	for (int i = 1; i <= GS_LN_ENTRIES; i++)
	{
		/* ln ((j + 1) / j) = 2 atanh (1 / (2 j + 1)) */
		gs_fixed	change;

		gs_fixed_atanh_inverse(&change, 2 * (255 + i) + 1);
		gs_fixed_shift(&change, 1);
		ln[i] = ln[i - 1];
		if (i == GS_LN_ENTRIES)
			gs_fixed_set(&ln[i], 0, 0); /* ln 1, not nearly so */
		else
			gs_fixed_subtract(&ln[i], &change);
	}
	for (int i = 0; i < GS_LN_ENTRIES; i++)
	{
		int			j = (int) (512 * 512 / (512 + 2 * i + 1.0) + 0.5);
		gs_fixed	a;

		if (i == 0)
			j = 512;
		if (i == GS_LN_ENTRIES - 1)
			j = 256;
		gs_elementary.inverse[i] = j / 512.0;
		a = ln[j - 256];
		if (i < GS_LN_UPPER)
			gs_elementary.ln[i] = short_pair_of(a);
		else
		{
			a = gs_elementary.ln2;
			gs_fixed_subtract(&a, &ln[j - 256]);
			gs_elementary.ln[i] = short_pair_of(a);
			gs_elementary.ln[i].hi = -gs_elementary.ln[i].hi;
			gs_elementary.ln[i].lo = -gs_elementary.ln[i].lo;
		}
	}
}

static void
make_log10_e(void)
{
	gs_signed	ln10;

	gs_fixed_ln(&ln10, UINT64_C(10) << 49, -49, &gs_elementary.ln2);
	gs_fixed_inverse(&gs_elementary.log10_e, &ln10.magnitude,
					 0.43429448190325182765);
	gs_elementary.pair_log10_e = pair_of(gs_elementary.log10_e);
}

static void
make(void)
{
	gs_fixed	a;

	gs_fixed_ln2(&gs_elementary.ln2);
	a = gs_elementary.ln2;
	gs_elementary.ln2_high = take_bits(&a, SHORT_BITS);
	gs_elementary.ln2_low = take_bits(&a, 53);
	gs_fixed_set(&a, 1, 0);
	gs_fixed_divide_small(&a, 3);
	gs_elementary.third = pair_of(a);
	make_log10_e();
	make_powers();
	make_logarithms();
}

void
gs_elementary_init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	(void) pthread_once(&once, make);
}
