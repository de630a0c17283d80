/*-------------------------------------------------------------------------
 *
 * window.h
 *	  A running total in 256 bits, rounded after every element.
 *
 * Rounding a gs_acc costs hundreds of instructions.  But a block of elements
 * and the total before it nearly always lie within some 256 binades, and in
 * such a window the total is four words: an addition propagates a carry
 * through them, and rounding looks for the first that is not zero.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CPU_WINDOW_H
#define GS_CPU_WINDOW_H

#include "engine/cpu/engine_cpu.h"

#define WINDOW_WORDS	4
#define WINDOW_BITS		(64 * WINDOW_WORDS)

/*
 * The positions (see gs_split) that windows may cover: those where a value of
 * 64 leading bits is a normal double, whichever way it is rounded.
 */
#define WINDOW_LOWEST	128
#define WINDOW_HIGHEST	(1023 - GS_ACC_LOWEST)

/* Two's complement, least significant word first, in units of 2^base. */
typedef struct cpu_window
{
	uint64_t	word[WINDOW_WORDS];
	int			base;			/* a position at which a limb starts */
} cpu_window;

/* Add a finite x that lies in the window. */
static inline void
window_add(cpu_window *w, double x)
{
	int			position;
	bool		negative;
	uint64_t	m = gs_split(x, &position, &negative);
	int			k = (position - w->base) >> 6;
	int			shift = (position - w->base) & 63;
	uint64_t	sign = -(uint64_t) negative;
	uint64_t	addend[WINDOW_WORDS + 1] = {0};
	unsigned __int128 carry = negative;

	if (m == 0)
		return;
	addend[k] = m << shift;
	addend[k + 1] = (m >> 1) >> (63 - shift);
	for (int i = 0; i < WINDOW_WORDS; i++)
	{
		carry += (unsigned __int128) w->word[i] + (addend[i] ^ sign);
		w->word[i] = (uint64_t) carry;
		carry >>= 64;
	}
}

/*
 * The magnitude of the total: its 64 leading bits, in units of 2^exponent.
 * The last bit is sticky: it stands for all that follow as well.
 */
static inline uint64_t
window_leading(const cpu_window *w, int *exponent)
{
	uint64_t	sign = -(w->word[WINDOW_WORDS - 1] >> 63);
	uint64_t	magnitude[WINDOW_WORDS];
	unsigned __int128 carry = sign & 1;
	uint64_t	top;
	uint64_t	rest = 0;
	int			k = WINDOW_WORDS - 1;
	int			shift;

	for (int i = 0; i < WINDOW_WORDS; i++)
	{
		carry += w->word[i] ^ sign;
		magnitude[i] = (uint64_t) carry;
		carry >>= 64;
	}
	while (k > 0 && magnitude[k] == 0)
		k--;
	top = magnitude[k];
	if (top == 0)
		return 0;
	shift = __builtin_clzll(top);
	top <<= shift;
	if (k > 0)
	{
		top |= (magnitude[k - 1] >> 1) >> (63 - shift);
		rest = magnitude[k - 1] << shift;
		for (int i = 0; i < k - 1; i++)
			rest |= magnitude[i];
	}
	*exponent = w->base + 64 * k - shift + GS_ACC_LOWEST;
	return top | (rest != 0);
}

/* The rounded total, which is not zero. */
static inline double
window_round_float8(const cpu_window *w)
{
	int			exponent = 0;
	uint64_t	top = window_leading(w, &exponent);
	double		scale = gs_bits_double((uint64_t) (exponent + 1024) << 52);
	double		magnitude =
		(double) (int64_t) ((top >> 1) | (top & 1)) * scale;

	return w->word[WINDOW_WORDS - 1] >> 63 ? -magnitude : magnitude;
}

/* Rounded to odd first; an infinity if out of range. */
static inline float
window_round_float4(const cpu_window *w)
{
	int			exponent = 0;
	uint64_t	top = window_leading(w, &exponent);
	double		scale = gs_bits_double((uint64_t) (exponent + 1034) << 52);
	double		magnitude =
		(double) (int64_t) ((top >> 11) | ((top & 0x7ff) != 0)) * scale;

	return (float) (w->word[WINDOW_WORDS - 1] >> 63 ? -magnitude : magnitude);
}

static inline bool
window_is_zero(const cpu_window *w)
{
	uint64_t	any = 0;

	for (int i = 0; i < WINDOW_WORDS; i++)
		any |= w->word[i];
	return any == 0;
}

/*
 * Put the total of a propagated accumulator into a window that can also hold a
 * block of elements whose bits have positions lowest .. highest.  False if
 * there is no such window.
 */
static inline bool
window_open(cpu_window *w, const gs_acc *a, int lowest, int highest)
{
	const int	last = GS_ACC_LIMBS - 1;
	bool		negative = a->limb[last] < 0;
	int64_t		extension = negative ? 0xffffffff : 0;
	int			low = 0;
	int			high = last;

	while (low < last && a->limb[low] == 0)
		low++;
	if (a->limb[last] != (negative ? -1 : 0))
		return false;
	while (high > 0 && a->limb[high - 1] == extension)
		high--;
	if (low < last || negative)
	{
		if (32 * low < lowest)
			lowest = 32 * low;
		if (32 * high > highest)
			highest = 32 * high;
	}
	/* bits for the sum of a block, and for the sign */
	highest += 16;
	w->base = lowest / 32 * 32;
	if (w->base > 32 * GS_ACC_LIMBS - WINDOW_BITS)
		w->base = 32 * GS_ACC_LIMBS - WINDOW_BITS;
	if (w->base < WINDOW_LOWEST || highest >= WINDOW_HIGHEST ||
		highest - w->base >= WINDOW_BITS)
		return false;
	for (int i = 0; i < WINDOW_WORDS; i++)
	{
		const int64_t *limb = a->limb + w->base / 32 + 2 * i;

		w->word[i] = (uint64_t) limb[1] << 32 | (uint64_t) limb[0];
	}
	return true;
}

/* Put the total back into the accumulator. */
static inline void
window_close(const cpu_window *w, gs_acc *a)
{
	int64_t    *limb = a->limb + w->base / 32;

	memset(a->limb, 0, sizeof a->limb);
	for (int i = 0; i < WINDOW_WORDS; i++)
	{
		limb[2 * i] = w->word[i] & 0xffffffff;
		limb[2 * i + 1] = (int64_t) (w->word[i] >> 32);
	}
	/* the last limb has the sign */
	limb[2 * WINDOW_WORDS - 1] = (int64_t) w->word[WINDOW_WORDS - 1] >> 32;
	a->additions = 1;
}

#endif							/* GS_CPU_WINDOW_H */
