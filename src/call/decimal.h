/*-------------------------------------------------------------------------
 *
 * decimal.h
 *	  numeric as integers, and back: a value times 10^scale.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_DECIMAL_H
#define GS_DECIMAL_H

/* Integers that are read have at most so many decimal digits. */
#define GS_DECIMAL_DIGITS	18

extern const int64 gs_power_of_ten[GS_DECIMAL_DIGITS + 1];

/*
 * A numeric of this display scale, as it is stored: *value is the number times
 * 10^scale.  False: it has another scale, is no number or is too large.
 */
extern bool gs_decimal_read(const char *stored, int scale, int64 *value);

/* The shortest decimal form of a number. */
extern Datum gs_decimal_from_double(double x);

/* Of any numeric; -1: it is no number. */
extern int	gs_decimal_scale(Datum numeric);

/* Where a number times 10^scale lies among the integers of 64 bits. */
typedef enum gs_decimal_place
{
	GS_DECIMAL_BELOW,			/* below all of them */
	GS_DECIMAL_EQUAL,			/* it is *integer */
	GS_DECIMAL_BETWEEN,			/* above *integer, below the next one */
	GS_DECIMAL_ABOVE			/* above all of them; so is NaN */
} gs_decimal_place;

extern gs_decimal_place gs_decimal_find(Datum numeric, int scale,
										int64 *integer);

/*
 * An integer of n words, at most 3, in two's complement, least significant
 * first, times 10^-scale: with that display scale.
 */
extern Datum gs_decimal_make(const uint64 *words, int n, int scale);

#endif							/* GS_DECIMAL_H */
