/*-------------------------------------------------------------------------
 *
 * oracle.c
 *	  Exact sums by GNU MPFR; see oracle.h.
 *
 *-------------------------------------------------------------------------
 */
#include "oracle.h"

#include <math.h>

/* From 2^-1074 to 2^1023, and 2^64 addends; squares of that. */
#define SUM_BITS		2200
#define SQUARES_BITS	4400

/* Bits of a quotient: more than any result has. */
#define QUOTIENT_BITS	400

void
oracle_init(oracle_sum *s, bool with_squares)
{
	mpfr_init2(s->sum, SUM_BITS);
	mpfr_init2(s->squares, SQUARES_BITS);
	s->with_squares = with_squares;
	oracle_reset(s);
}

void
oracle_clear(oracle_sum *s)
{
	mpfr_clear(s->sum);
	mpfr_clear(s->squares);
}

void
oracle_reset(oracle_sum *s)
{
	mpfr_set_zero(s->sum, 1);
	mpfr_set_zero(s->squares, 1);
	s->n = 0;
	s->nan = s->positive = s->negative = s->other = false;
}

void
oracle_add(oracle_sum *s, double x)
{
	s->n++;
	if (x != 0 || !signbit(x))
		s->other = true;
	if (isnan(x))
		s->nan = true;
	else if (isinf(x))
	{
		if (x > 0)
			s->positive = true;
		else
			s->negative = true;
	}
	else
	{
		if (mpfr_add_d(s->sum, s->sum, x, MPFR_RNDN) != 0)
			abort();			/* not exact: the oracle is wrong */
		if (s->with_squares)
		{
			mpfr_t		square;

			mpfr_init2(square, 106);
			mpfr_set_d(square, x, MPFR_RNDN);
			if (mpfr_sqr(square, square, MPFR_RNDN) != 0 ||
				mpfr_add(s->squares, s->squares, square, MPFR_RNDN) != 0)
				abort();
			mpfr_clear(square);
		}
	}
}

static bool
special(const oracle_sum *s, double *result)
{
	if (s->nan || (s->positive && s->negative))
		*result = gs_bits_double(UINT64_C(0x7ff8000000000000));
	else if (s->positive)
		*result = HUGE_VAL;
	else if (s->negative)
		*result = -HUGE_VAL;
	else if (!s->other)
		*result = -0.0;
	else
		return false;
	return true;
}

double
oracle_round(oracle_sum *s)
{
	double		result;

	if (special(s, &result))
		return result;
	if (mpfr_zero_p(s->sum))
		return 0;
	return mpfr_get_d(s->sum, MPFR_RNDN);
}

float
oracle_round_float(oracle_sum *s)
{
	double		result;

	if (special(s, &result))
		return (float) result;
	if (mpfr_zero_p(s->sum))
		return 0;
	return mpfr_get_flt(s->sum, MPFR_RNDN);
}

/* If bits were lost when q was truncated, set its last one. */
static void
to_odd(mpfr_t q, int lost)
{
	mpfr_exp_t	exponent;
	int			sign = mpfr_sgn(q);
	mpz_t		m;

	if (lost == 0)
		return;
	/* of the magnitude: GMP's bits are those of two's complement */
	mpz_init(m);
	exponent = mpfr_get_z_2exp(m, q);
	mpz_abs(m, m);
	mpz_setbit(m, 0);
	mpfr_set_z_2exp(q, m, exponent, MPFR_RNDN);
	mpfr_setsign(q, q, sign < 0, MPFR_RNDN);
	mpz_clear(m);
}

/*
 * q = x / y, truncated to QUOTIENT_BITS, with the last bit set if anything was
 * lost: it rounds to fewer bits exactly as the quotient does.
 */
void
oracle_divide(mpfr_t q, mpfr_t x, mpfr_t y)
{
	mpfr_set_prec(q, QUOTIENT_BITS);
	to_odd(q, mpfr_div(q, x, y, MPFR_RNDZ));
}

/*
 * q = the root of x, truncated to QUOTIENT_BITS / 2, with the last bit set if
 * anything was lost.
 */
void
oracle_root(mpfr_t q, mpfr_t x)
{
	mpfr_t		root;

	mpfr_init2(root, QUOTIENT_BITS / 2);
	to_odd(root, mpfr_sqrt(root, x, MPFR_RNDZ));
	mpfr_set_prec(q, QUOTIENT_BITS / 2);
	mpfr_set(q, root, MPFR_RNDN);
	mpfr_clear(root);
}

static void
divide(mpfr_t q, mpfr_t x, mpz_t y)
{
	mpfr_t		divisor;

	mpfr_init2(divisor, mpz_sizeinbase(y, 2) + 1);
	mpfr_set_z(divisor, y, MPFR_RNDN);
	oracle_divide(q, x, divisor);
	mpfr_clear(divisor);
}

double
oracle_mean(oracle_sum *s)
{
	double		result;
	mpfr_t		q;
	mpz_t		n;

	if (special(s, &result))
		return result;
	if (mpfr_zero_p(s->sum))
		return 0;
	mpfr_init2(q, QUOTIENT_BITS);
	mpz_init_set_si(n, s->n);
	divide(q, s->sum, n);
	result = mpfr_get_d(q, MPFR_RNDN);
	mpfr_clear(q);
	mpz_clear(n);
	return result;
}

/* The variance of finite elements, as exact as divide is. */
static void
variance(mpfr_t q, oracle_sum *s, bool sample)
{
	mpfr_t		x;
	mpfr_t		y;
	mpz_t		d;

	mpfr_init2(x, SQUARES_BITS + 200);
	mpfr_init2(y, SQUARES_BITS + 200);
	mpz_init_set_si(d, s->n);
	mpz_mul_si(d, d, s->n - sample);
	if (mpfr_mul_si(x, s->squares, s->n, MPFR_RNDN) != 0 ||
		mpfr_sqr(y, s->sum, MPFR_RNDN) != 0 ||
		mpfr_sub(x, x, y, MPFR_RNDN) != 0)
		abort();
	divide(q, x, d);
	mpfr_clear(x);
	mpfr_clear(y);
	mpz_clear(d);
}

double
oracle_variance(oracle_sum *s, bool sample)
{
	double		result;
	mpfr_t		q;

	if (s->nan || s->positive || s->negative)
		return gs_bits_double(UINT64_C(0x7ff8000000000000));
	mpfr_init2(q, QUOTIENT_BITS);
	variance(q, s, sample);
	result = mpfr_zero_p(q) ? 0 : mpfr_get_d(q, MPFR_RNDN);
	mpfr_clear(q);
	return result;
}

/* The square root of x, rounded. */
static double
root(mpfr_t x)
{
	double		result;
	mpfr_t		q;

	if (mpfr_zero_p(x))
		return 0;
	mpfr_init2(q, QUOTIENT_BITS);
	oracle_root(q, x);
	result = mpfr_get_d(q, MPFR_RNDN);
	mpfr_clear(q);
	return result;
}

double
oracle_stddev(oracle_sum *s, bool sample)
{
	double		result;
	mpfr_t		q;

	if (s->nan || s->positive || s->negative)
		return gs_bits_double(UINT64_C(0x7ff8000000000000));
	mpfr_init2(q, QUOTIENT_BITS);
	variance(q, s, sample);
	result = root(q);
	mpfr_clear(q);
	return result;
}

/* The square root of the sum of squares. */
double
oracle_norm(oracle_sum *s)
{
	double		result;
	mpfr_t		x;

	if (s->nan)
		return gs_bits_double(UINT64_C(0x7ff8000000000000));
	if (s->positive || s->negative)
		return HUGE_VAL;
	mpfr_init2(x, SQUARES_BITS);
	mpfr_set(x, s->squares, MPFR_RNDN);
	result = root(x);
	mpfr_clear(x);
	return result;
}

double
oracle_mpfr_sum(const double *v, int n)
{
	mpfr_t	   *x = allocate(sizeof(mpfr_t) * n);
	mpfr_ptr   *p = allocate(sizeof(mpfr_ptr) * n);
	mpfr_t		sum;
	double		result;

	for (int i = 0; i < n; i++)
	{
		mpfr_init2(x[i], 53);
		mpfr_set_d(x[i], v[i], MPFR_RNDN);
		p[i] = x[i];
	}
	mpfr_init2(sum, 53);
	mpfr_sum(sum, p, n, MPFR_RNDN);
	result = mpfr_get_d(sum, MPFR_RNDN);
	if (isnan(result))
		result = gs_bits_double(UINT64_C(0x7ff8000000000000));
	for (int i = 0; i < n; i++)
		mpfr_clear(x[i]);
	mpfr_clear(sum);
	free(x);
	free(p);
	return result;
}
