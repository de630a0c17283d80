/*-------------------------------------------------------------------------
 *
 * exact.h
 *	  Exact sums of floating-point numbers, rounded once.
 *
 * A sum is exact when no bit of any addend is lost before the end.  Then the
 * order of additions does not matter, and neither do batches, threads or
 * hardware.  Two tools, the faster one first:
 *
 * - Error-free transformations: the sum or product of two doubles is exactly
 *   the sum of two doubles, the rounded result and its error (Knuth, TAOCP 2,
 *   4.2.2, theorem B; Dekker, Numer. Math. 18, 1971).  This holds as long as
 *   nothing overflows and, for products, underflows.  A running total kept as
 *   two doubles is exact until it needs a third, and that can be detected.
 *
 * - gs_acc, the accumulator: a fixed-point number that spans the whole range
 *   of double (after Kulisch).  It is always exact.  It is also the form in
 *   which state travels, from batch to batch and from device to host.  gs_acc2
 *   is the same for products and squares of doubles.
 *
 * All of this needs IEEE 754 binary64, rounding to nearest, no contraction of
 * a*b+c into one operation, and no flushing of subnormals to zero.  The
 * functions here compile for the host and, with nvcc, for the device.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_EXACT_H
#define GS_EXACT_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "gpuscan needs double arithmetic without excess precision"
#endif
#ifdef __FAST_MATH__
#error "gpuscan's exact sums do not survive -ffast-math"
#endif

#ifdef __CUDACC__
#define GS_INLINE __host__ __device__ static inline
#else
#define GS_INLINE static inline
#endif

/* An exact value as the sum of two doubles, in no particular order. */
typedef struct gs_pair
{
	double		hi;
	double		lo;
} gs_pair;

GS_INLINE uint64_t
gs_double_bits(double x)
{
	uint64_t	bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

GS_INLINE double
gs_bits_double(uint64_t bits)
{
	double		x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

/* x is not 0. */
GS_INLINE int
gs_leading_zeros(uint64_t x)
{
#ifdef __CUDA_ARCH__
	return __clzll((long long) x);
#else
	return __builtin_clzll(x);
#endif
}

/* The NaN that every result uses. */
GS_INLINE double
gs_canonical_nan(void)
{
	return gs_bits_double(UINT64_C(0x7ff8000000000000));
}

GS_INLINE bool
gs_is_finite(double x)
{
	return (gs_double_bits(x) << 1) < (UINT64_C(0x7ff) << 53);
}

/* a + b = hi + lo exactly, hi = round(a + b). */
GS_INLINE gs_pair
gs_two_sum(double a, double b)
{
	gs_pair		r;
	double		bb;

	r.hi = a + b;
	bb = r.hi - a;
	r.lo = (a - (r.hi - bb)) + (b - bb);
	return r;
}

/* gs_two_sum where a is zero or its exponent is not below b's. */
GS_INLINE gs_pair
gs_fast_two_sum(double a, double b)
{
	gs_pair		r;

	r.hi = a + b;
	r.lo = b - (r.hi - a);
	return r;
}

/* a * b = hi + lo exactly, if |a * b| and its last bit are in range. */
GS_INLINE gs_pair
gs_two_product(double a, double b)
{
	gs_pair		r;

	r.hi = a * b;
#if defined(__CUDA_ARCH__)
	r.lo = __fma_rn(a, b, -r.hi);
#elif defined(__FP_FAST_FMA)
	r.lo = __builtin_fma(a, b, -r.hi);
#else
	{
		/* Dekker: both factors split into halves of 26 bits (Veltkamp) */
		const double split = 134217729.0;	/* 2^27 + 1 */
		double		ac = a * split;
		double		bc = b * split;
		double		ah = ac - (ac - a);
		double		bh = bc - (bc - b);
		double		al = a - ah;
		double		bl = b - bh;

		r.lo = ((ah * bh - r.hi) + ah * bl + al * bh) + al * bl;
	}
#endif
	return r;
}

/*
 * The next double to all of hi + lo +- error; false if there are two (Ziv, ACM
 * TOMS 17, 1991).
 */
GS_INLINE bool
gs_round_surely(double hi, double lo, double error, double *result)
{
	*result = hi + (lo - error);
	return hi + (lo + error) == *result;
}

/*
 * hi + lo rounded to odd: truncated, with the last bit set if that lost
 * anything.  Such a double rounds correctly to any type of at most 51 bits.
 */
GS_INLINE double
gs_round_to_odd(gs_pair x)
{
	gs_pair		s = gs_two_sum(x.hi, x.lo);
	uint64_t	bits = gs_double_bits(s.hi);

	if (s.lo == 0)
		return s.hi;
	if ((s.hi > 0) != (s.lo > 0))
		bits--;					/* one step towards zero */
	return gs_bits_double(bits | 1);
}

/*
 * What the addends were, beyond their finite values.  Flags combine by OR, so
 * they do not depend on the order either.
 */
#define GS_SEEN_NAN				1u
#define GS_SEEN_POSITIVE_INF	2u
#define GS_SEEN_NEGATIVE_INF	4u
#define GS_SEEN_NOT_NEGATIVE_ZERO 8u	/* anything but -0 */

GS_INLINE uint32_t
gs_seen(double x)
{
	if (x != x)
		return GS_SEEN_NAN | GS_SEEN_NOT_NEGATIVE_ZERO;
	if (!gs_is_finite(x))
		return (x > 0 ? GS_SEEN_POSITIVE_INF : GS_SEEN_NEGATIVE_INF) |
			GS_SEEN_NOT_NEGATIVE_ZERO;
	return gs_double_bits(x) == UINT64_C(0x8000000000000000) ?
		0 : GS_SEEN_NOT_NEGATIVE_ZERO;
}

/* Is the result fixed by special addends, or by only -0 among them? */
GS_INLINE bool
gs_special_sum(uint32_t seen, double *result)
{
	const uint32_t both = GS_SEEN_POSITIVE_INF | GS_SEEN_NEGATIVE_INF;

	if ((seen & GS_SEEN_NAN) || (seen & both) == both)
		*result = gs_canonical_nan();
	else if (seen & GS_SEEN_POSITIVE_INF)
		*result = gs_bits_double(UINT64_C(0x7ff) << 52);
	else if (seen & GS_SEEN_NEGATIVE_INF)
		*result = gs_bits_double(UINT64_C(0xfff) << 52);
	else if (!(seen & GS_SEEN_NOT_NEGATIVE_ZERO))
		*result = -0.0;
	else
		return false;
	return true;
}

/* Elements that an accumulator cannot hold, where their number matters. */
typedef enum gs_special
{
	GS_SPECIAL_NAN,
	GS_SPECIAL_POSITIVE_INF,
	GS_SPECIAL_NEGATIVE_INF,
	GS_SPECIAL_NEGATIVE_ZERO,
	GS_SPECIALS					/* how many there are */
} gs_special;

/*
 * Is x one of them?  The bits of those without a sign, and of -0, are
 * adjacent; the bits of the others come last.
 */
GS_INLINE bool
gs_is_special(double x)
{
	uint64_t	bits = gs_double_bits(x);

	return bits - (UINT64_C(0x7ff) << 52) <= UINT64_C(1) << 52 ||
		bits >= UINT64_C(0xfff) << 52;
}

/* Which one? */
GS_INLINE gs_special
gs_special_of(double x)
{
	if (x != x)
		return GS_SPECIAL_NAN;
	if (x == 0)
		return GS_SPECIAL_NEGATIVE_ZERO;
	return x > 0 ? GS_SPECIAL_POSITIVE_INF : GS_SPECIAL_NEGATIVE_INF;
}

/*
 * The accumulators: limb k counts units of 2^(32 k + lowest).  One addition
 * changes a limb by less than 2^32, so 2^30 additions fit before carries must
 * be propagated; `additions` counts them.  Limbs need not be normalised: any
 * limbs with the right weighted sum represent the value, so accumulators add
 * limb by limb.
 */
#define GS_ACC_LOWEST	(-1074) /* last bit of the smallest double */
#define GS_ACC_LIMBS	68		/* 2^1024, 64 spare bits, rounded up */
#define GS_ACC2_LOWEST	(2 * GS_ACC_LOWEST)
#define GS_ACC2_LIMBS	134		/* 2^2048, 64 spare bits, rounded up */

#define GS_ACC_ADDITIONS	(INT32_C(1) << 30)

typedef struct gs_acc
{
	uint32_t	seen;			/* GS_SEEN_... of all addends */
	int32_t		additions;		/* since carries were propagated */
	int64_t		limb[GS_ACC_LIMBS];
} gs_acc;

typedef struct gs_acc2
{
	uint32_t	seen;
	int32_t		additions;
	int64_t		limb[GS_ACC2_LIMBS];
} gs_acc2;

/*
 * Split a finite double: |x| = m * 2^(position - 1074), m < 2^53; *negative is
 * the sign.  A position is the place of m's last bit in a gs_acc.
 */
GS_INLINE uint64_t
gs_split(double x, int *position, bool *negative)
{
	uint64_t	bits = gs_double_bits(x);
	int			exponent = (int) ((bits >> 52) & 0x7ff);
	uint64_t	m = bits & UINT64_C(0xfffffffffffff);

	*negative = (bits >> 63) != 0;
	if (exponent == 0)
	{
		*position = 0;
		return m;
	}
	*position = exponent - 1;
	return m | UINT64_C(0x10000000000000);
}

/* Add m * 2^position to limbs. */
GS_INLINE void
gs_limbs_add(int64_t *limb, uint64_t m, int position, bool negative)
{
	int			k = position >> 5;
	int			shift = position & 31;
	uint64_t	low = m << shift;
	int64_t		w0 = (int64_t) (low & 0xffffffffu);
	int64_t		w1 = (int64_t) (low >> 32);
	int64_t		w2 = (int64_t) ((m >> 1) >> (63 - shift));

	if (negative)
	{
		limb[k] -= w0;
		limb[k + 1] -= w1;
		limb[k + 2] -= w2;
	}
	else
	{
		limb[k] += w0;
		limb[k + 1] += w1;
		limb[k + 2] += w2;
	}
}

/* Add x to a.  The caller calls gs_acc_propagate often enough. */
GS_INLINE void
gs_acc_add(gs_acc *a, double x)
{
	uint64_t	m;
	int			position;
	bool		negative;

	a->seen |= gs_seen(x);
	if (!gs_is_finite(x))
		return;
	m = gs_split(x, &position, &negative);
	gs_limbs_add(a->limb, m, position, negative);
	a->additions++;
}

/* Add x * y to a. */
GS_INLINE void
gs_acc2_add_product(gs_acc2 *a, double x, double y)
{
	uint64_t	mx;
	uint64_t	my;
	uint64_t	xh;
	uint64_t	xl;
	uint64_t	yh;
	uint64_t	yl;
	int			px;
	int			py;
	bool		nx;
	bool		ny;

	if (!gs_is_finite(x) || !gs_is_finite(y))
	{
		a->seen |= gs_seen(x * y);
		return;
	}
	mx = gs_split(x, &px, &nx);
	my = gs_split(y, &py, &ny);
	a->seen |= (mx == 0 || my == 0) && nx != ny ? 0 :
		GS_SEEN_NOT_NEGATIVE_ZERO;

	/* in halves of 27 bits, so that every partial product fits */
	xh = mx >> 27;
	xl = mx & 0x7ffffff;
	yh = my >> 27;
	yl = my & 0x7ffffff;
	gs_limbs_add(a->limb, xl * yl, px + py, nx != ny);
	gs_limbs_add(a->limb, xh * yl, px + py + 27, nx != ny);
	gs_limbs_add(a->limb, xl * yh, px + py + 27, nx != ny);
	gs_limbs_add(a->limb, xh * yh, px + py + 54, nx != ny);
	a->additions += 4;
}

/* The outcome of a rounding. */
typedef enum gs_rounding
{
	GS_ROUNDED,
	GS_OVERFLOW,				/* out of the range of a floating-point type */
	GS_INTEGER_OVERFLOW,		/* out of that of a bigint */
	GS_NO_WEIGHT,				/* the weights of a mean sum to zero */
	GS_UNDEFINED				/* of too few elements: NULL */
} gs_rounding;

#ifdef __cplusplus
extern "C"
{
#endif

extern void gs_acc_init(gs_acc *a);
extern void gs_acc2_init(gs_acc2 *a);

/* Propagate carries: all limbs but the last come into [0, 2^32). */
extern void gs_acc_propagate(gs_acc *a);
extern void gs_acc2_propagate(gs_acc2 *a);

/* a += b */
extern void gs_acc_merge(gs_acc *a, const gs_acc *b);
extern void gs_acc2_merge(gs_acc2 *a, const gs_acc2 *b);

/*
 * A view of limbs: limb[i] counts units of 2^(32 i + lowest).  It covers a
 * whole accumulator or only its part that is not zero.
 */
typedef struct gs_limbs
{
	const int64_t *limb;
	int			n;
	int			lowest;
	uint32_t	seen;			/* GS_SEEN_... of all addends */
} gs_limbs;

GS_INLINE gs_limbs
gs_acc_limbs(const gs_acc *a)
{
	gs_limbs	r = {a->limb, GS_ACC_LIMBS, GS_ACC_LOWEST, a->seen};

	return r;
}

GS_INLINE gs_limbs
gs_acc2_limbs(const gs_acc2 *a)
{
	gs_limbs	r = {a->limb, GS_ACC2_LIMBS, GS_ACC2_LOWEST, a->seen};

	return r;
}

/*
 * The sum, rounded once to nearest, ties to even.  NaN and infinities among
 * the addends take precedence; a zero sum is -0 if every addend was -0.
 */
extern gs_rounding gs_limbs_round(gs_limbs a, double *result);
extern gs_rounding gs_limbs_round_float(gs_limbs a, float *result);

/* sum / n, rounded once. */
extern gs_rounding gs_limbs_mean(gs_limbs sum, int64_t n, double *result);

/*
 * (n squares - sum^2) / (n (n - 1)), or over n^2 for the population variance,
 * rounded once.  GS_UNDEFINED for n < 2, or n < 1.  NaN if any element was not
 * finite.
 */
extern gs_rounding gs_limbs_variance(gs_limbs sum, gs_limbs squares, int64_t n,
									 bool sample, double *result);

/* The square root of the unrounded variance, rounded once. */
extern gs_rounding gs_limbs_stddev(gs_limbs sum, gs_limbs squares, int64_t n,
								   bool sample, double *result);

/*
 * Exact sums over n doubles x, or pairs (x, y) of them, of those that are
 * finite; or over integers, which are decimals times 10^scale.
 */
typedef struct gs_sums
{
	int64_t		n;
	gs_limbs	x;				/* its seen covers all x */
	gs_limbs	y;
	gs_limbs	xx;				/* of squares; their seen is not used */
	gs_limbs	yy;
	gs_limbs	xy;				/* of products */

	/* two's complement, least significant word first; NULL: of doubles */
	const uint64_t *sum;
	const uint64_t *squares;
	int			words;			/* of the sum */
	int			scale;
	int			display;		/* the largest display scale of the decimals */
} gs_sums;

/*
 * regression.c: each rounded once, the correlation too.  GS_UNDEFINED where
 * the SQL standard's functions of these names are NULL: no pairs, fewer than
 * two for the sample covariance, all x equal for the line, all x or all y
 * equal for the correlation.  Otherwise NaN if any x or y was not finite.
 */
extern gs_rounding gs_covariance(const gs_sums *s, bool sample,
								 double *result);

/* The sum of x's squared deviations from its mean, and that of products. */
extern gs_rounding gs_squared_deviations(const gs_sums *s, double *result);
extern gs_rounding gs_deviation_products(const gs_sums *s, double *result);
extern gs_rounding gs_correlation(const gs_sums *s, double *result);
extern gs_rounding gs_slope(const gs_sums *s, double *result);
extern gs_rounding gs_intercept(const gs_sums *s, double *result);

/* The square of the correlation; 1 where all y are equal but not all x. */
extern gs_rounding gs_determination(const gs_sums *s, double *result);

/* The mean of y, weighted by x: sum(x y) / sum(x), or GS_NO_WEIGHT. */
extern gs_rounding gs_weighted_mean(const gs_sums *s, double *result);

/* Do any n pairs of finite numbers have these sums? */
extern bool gs_pairs_possible(const gs_sums *s);

/* An integer as the sum of two doubles; |hi| >= |lo|, or hi is 0. */
GS_INLINE gs_pair
gs_pair_from_int64(int64_t x)
{
	gs_pair		r;

	r.hi = (double) (x >> 32) * 4294967296.0;
	r.lo = (double) (uint32_t) x;
	return r;
}

/*
 * low + proportion (high - low), 0 <= proportion < 1, rounded once.  low <=
 * high; each is a double and 0, or an integer as above.  NaN between -infinity
 * and infinity, else an infinity if either is one.
 */
extern double gs_interpolate(gs_pair low, gs_pair high, double proportion);

/* Results from accumulators, rounded once. */
extern gs_rounding gs_acc_round(const gs_acc *a, double *result);
extern gs_rounding gs_acc_round_float(const gs_acc *a, float *result);
extern gs_rounding gs_acc2_round(const gs_acc2 *a, double *result);
extern gs_rounding gs_acc_mean(const gs_acc *sum, int64_t n, double *result);
extern gs_rounding gs_variance(const gs_acc *sum, const gs_acc2 *squares,
							   int64_t n, bool sample, double *result);
extern gs_rounding gs_stddev(const gs_acc *sum, const gs_acc2 *squares,
							 int64_t n, bool sample, double *result);

/* The square root of a sum of squares, rounded once. */
extern gs_rounding gs_acc2_sqrt(const gs_acc2 *squares, double *result);

#ifdef __cplusplus
}
#endif

#endif							/* GS_EXACT_H */
