/*-------------------------------------------------------------------------
 *
 * oracle.h
 *	  Exact sums by GNU MPFR, which shares no code with the tested sums.
 *
 * A sum is an MPFR number wide enough for every bit that a sum of doubles can
 * have.  A result is correctly rounded in one step, subnormals included.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <mpfr.h>

#include "unit.h"

typedef struct oracle_sum
{
	mpfr_t		sum;
	mpfr_t		squares;
	int64_t		n;
	bool		with_squares;
	bool		nan;
	bool		positive;		/* an infinity has come */
	bool		negative;
	bool		other;			/* anything but -0 has come */
} oracle_sum;

extern void oracle_init(oracle_sum *s, bool with_squares);
extern void oracle_clear(oracle_sum *s);
extern void oracle_reset(oracle_sum *s);
extern void oracle_add(oracle_sum *s, double x);

/* Results; an infinity where only overflow would give one. */
extern double oracle_round(oracle_sum *s);
extern float oracle_round_float(oracle_sum *s);
extern double oracle_mean(oracle_sum *s);
extern double oracle_variance(oracle_sum *s, bool sample);
extern double oracle_stddev(oracle_sum *s, bool sample);
extern double oracle_norm(oracle_sum *s);

/*
 * Quotients, and square roots of positive quotients, with more bits than any
 * result has and rounded to odd: they round again exactly as the true values
 * do.
 */
extern void oracle_divide(mpfr_t q, mpfr_t x, mpfr_t y);
extern void oracle_root(mpfr_t q, mpfr_t x);

/* A second opinion: mpfr_sum over all elements at once. */
extern double oracle_mpfr_sum(const double *v, int n);

#endif							/* ORACLE_H */
