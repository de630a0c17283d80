/*-------------------------------------------------------------------------
 *
 * elementary.h
 *	  Exponential, logarithm, power and decimal rounding, rounded once.
 *
 * The results are the nearest doubles to the true values, of two that are as
 * near the even one.  Nothing depends on the C library's functions of these
 * names, whose last bits differ.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ELEMENTARY_H
#define GS_ELEMENTARY_H

#include "exact/exact.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* Make the tables, if that has not been done; any thread may call. */
extern void gs_elementary_init(void);

/*
 * GS_OVERFLOW if the result would be infinite; 0 if it is too small for any
 * other double.  Arguments are finite, and those of a logarithm positive.
 */
extern gs_rounding gs_exp(double x, double *result);
extern double gs_ln(double x);
extern double gs_log10(double x);

/* x^y, for any finite x and y but a zero to a negative power; NaN for a
 * negative x to a power that is no integer. */
extern gs_rounding gs_power(double x, double y, double *result);

/*
 * The nearest multiple of 10^-digits, of two the even one, as a double or a
 * float.
 */
extern gs_rounding gs_round_decimal(double x, int digits, double *result);
extern gs_rounding gs_round_decimal_float(float x, int digits, float *result);

/* 10^exponent, for exponents from 0 on; 0 if that is no double. */
extern double gs_double_power_of_ten(int exponent);

#ifdef __cplusplus
}
#endif

#endif							/* GS_ELEMENTARY_H */
