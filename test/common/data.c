/*-------------------------------------------------------------------------
 *
 * data.c
 *	  Random elements of arrays; see data.h.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/data.h"
#include "test/common/random.h"

#include <math.h>
#include <string.h>

const char *const data_names[DATA_KINDS] = {
	"uniform", "normal", "money", "lognormal sigma 2", "lognormal sigma 10",
	"cancelling", "levels", "ties", "subnormal", "near overflow",
	"edge of overflow", "mixed magnitudes", "some binades", "signed zeros",
	"negative zeros", "infinities", "NaN", "near one", "constant", "sorted",
	"small integers", "any bits"
};

const char *const null_names[NULL_PATTERNS] = {
	"no NULL", "some NULLs", "many NULLs", "runs of NULLs", "leading NULLs",
	"trailing NULLs", "all NULL", "the last NULL", "all but the last NULL"
};

/* A type's precision, and exponents that are critical for it. */
typedef struct float_format
{
	int			digits;			/* of the significand, in bits */
	int			subnormal;		/* the smallest exponent */
	int			normal;			/* the smallest of a normal number */
	int			max;
	int			mixed_min;		/* DATA_MIXED; sums of these are finite */
	int			mixed_max;
	int			binades_max;	/* DATA_BINADES */
} float_format;

static const float_format format_float8 = {
	53, -1074, -1022, 1023, -996, 996, 1003
};
static const float_format format_float4 = {
	24, -149, -126, 127, -140, 120, 125
};

/* Values of one array: the state from which the next one is made. */
typedef struct series
{
	data_kind	kind;
	const float_format *format;
	int64_t		rarity;			/* one element in this many is unusual, or is
								 * what the kind is named for */
	double		before;			/* the element before this one */
	double		base;			/* DATA_TIES */
	int			lowest;			/* DATA_BINADES: exponents */
	int			binades;
	uint64_t	seed;			/* DATA_LEVELS */
	int64_t		sum;			/* DATA_SORTED of integers */
	int64_t		constant;		/* DATA_CONSTANT of integers */
} series;

/* A double of either sign, with an exponent from min to max. */
static double
random_double(int min, int max)
{
	double		m = 1 + random_uniform();
	int			e = min + (int) random_below(max - min + 1);

	return ldexp(random_bits() & 1 ? m : -m, e);
}

static double
random_zero(void)
{
	return random_bits() & 1 ? 0.0 : -0.0;
}

static series
series_new(data_kind kind, const float_format *f)
{
	static const int64_t rarities[] = {3, 20, 50, 300};
	series		s;

	memset(&s, 0, sizeof s);
	s.kind = kind;
	s.format = f;
	s.rarity = rarities[random_below(4)];
	if (kind == DATA_LEVELS)
		s.seed = random_bits() >> 12;
	else if (kind == DATA_BINADES && f != NULL)
	{
		int			max = f->binades_max;
		int			choice = (int) random_below(3);

		/* at either end of the type's range, or anywhere */
		s.binades = (int) random_below(180);
		s.lowest = choice == 0 ? f->subnormal : choice == 1 ? max - s.binades :
			f->subnormal +
			(int) random_below(max - f->subnormal - s.binades);
	}
	return s;
}

/* A number, and then usually its negative, exactly or nearly. */
static double
cancelling_element(const series *s, int64_t i)
{
	int			bits = one_in(2) ? 20 : s->format->digits - 1;

	if (i % 2 == 0)
		return random_double(-60, 60);
	return !one_in(4) ? -s->before : -s->before * (1 + ldexp(1, -bits));
}

/*
 * A number, then exactly half of its last place, sometimes a little more or
 * less, and sometimes the number again with the other sign: prefixes are ties,
 * or nearly.
 */
static double
tie_element(series *s, int64_t i)
{
	int			digits = s->format->digits;
	double		half;
	int			exponent;

	if (i % 4 == 0)
	{
		s->base = random_double(-20, 20);
		if (digits == format_float4.digits)
			s->base = (float) s->base;
		return s->base;
	}
	(void) frexp(s->base, &exponent);
	half = ldexp(one_in(2) ? 1 : -1, exponent - digits - 1);
	if (i % 4 == 1)
		return half;
	if (i % 4 == 2)
		return ldexp(half, -(int) random_below(80));
	return one_in(2) ? -s->base : half;
}

/*
 * Runs as long as a warp's share or a tile of a scan, each with elements of
 * one magnitude.  Some runs are added up and then subtracted again, the last
 * one first.  So totals need 125 bits, more than two doubles have and less
 * than three, and in the end the lowest of them matter.
 */
static double
level_element(const series *s, int64_t i)
{
	int64_t		length = INT64_C(512) << s->seed / 16 % 5;
	int64_t		runs = 1 + (int64_t) (s->seed % 16);	/* added up */
	int64_t		run = i / length % (2 * runs);
	int64_t		same = run < runs ? run : 2 * runs - 1 - run;
	uint64_t	state = s->seed +
		(uint64_t) (i / length / (2 * runs) * 64 + same);
	uint64_t	range = 125 - 12 - (uint64_t) s->format->digits;
	int			exponent = (int) (splitmix64(&state) % range) - (int) range / 2;
	double		x;

	/* the numbers that were added before, when they are subtracted */
	state = splitmix64(&state) + (uint64_t) (i % length);
	x = 1 + (double) (splitmix64(&state) >> 11) * 0x1p-53;
	x = ldexp(splitmix64(&state) % 2 == 0 ? -x : x, exponent);
	return run < runs ? x : -x;
}

/* The largest number, and then fractions of its last place. */
static double
edge_element(const float_format *f, int64_t i)
{
	double		x = i == 0 ? ldexp(2 - ldexp(1, 1 - f->digits), f->max) :
		ldexp(1, f->max - f->digits - 3 + (int) random_below(5));

	return one_in(3) ? -x : x;
}

static double
float_element(series *s, int64_t i)
{
	const float_format *f = s->format;

	switch (s->kind)
	{
		case DATA_UNIFORM:
			return random_uniform();
		case DATA_NORMAL:
			return random_normal();
		case DATA_MONEY:
			return (double) random_below(10000000) / 100;
		case DATA_LOGNORMAL_2:
			return exp(2 * random_normal());
		case DATA_LOGNORMAL_10:
			return exp(10 * random_normal());
		case DATA_CANCEL:
			return cancelling_element(s, i);
		case DATA_LEVELS:
			return level_element(s, i);
		case DATA_TIES:
			return tie_element(s, i);
		case DATA_SUBNORMAL:
			return random_double(f->subnormal, f->normal + 7);
		case DATA_NEAR_OVERFLOW:

			/*
			 * Back and forth, so that some prefixes stay in range.  The
			 * factor 0.999 keeps rounding to a float from giving infinity.
			 */
			return i > 0 && !one_in(s->rarity) ? -s->before :
				0.999 * random_double(f->max - 5, f->max);
		case DATA_EDGE_OF_OVERFLOW:
			return edge_element(f, i);
		case DATA_MIXED:
			return random_double(f->mixed_min, f->mixed_max);
		case DATA_BINADES:
			return random_double(s->lowest, s->lowest + s->binades);
		case DATA_ZEROS:
			return one_in(s->rarity) ? random_normal() : random_zero();
		case DATA_NEGATIVE_ZEROS:
			return -0.0;
		case DATA_INFINITIES:
			return !one_in(s->rarity) ? random_normal() :
				one_in(4) ? -HUGE_VAL : HUGE_VAL;
		case DATA_NAN:
			return !one_in(s->rarity) ? random_normal() :
				one_in(2) ? (double) NAN : -(double) NAN;
		case DATA_NEAR_ONE:
			return one_in(s->rarity) ? -1 : exp(random_normal());
		case DATA_CONSTANT:
			return i == 0 ? random_normal() : s->before;
		case DATA_SORTED:
			return s->before + random_uniform();
		case DATA_SMALL_INTEGERS:
			return (double) (random_below(2001) - 1000);
		default:
			return gs_bits_double(random_bits());
	}
}

void
fill_double(double *v, int64_t n, data_kind kind)
{
	series		s = series_new(kind, &format_float8);

	for (int64_t i = 0; i < n; i++)
		s.before = v[i] = float_element(&s, i);
}

void
fill_float(float *v, int64_t n, data_kind kind)
{
	series		s = series_new(kind, &format_float4);

	for (int64_t i = 0; i < n; i++)
	{
		if (kind == DATA_ANY_BITS)
		{
			uint32_t	bits = (uint32_t) random_bits();

			memcpy(&v[i], &bits, sizeof bits);
		}
		else
			s.before = v[i] = (float) float_element(&s, i);
	}
}

/* Integers of all sizes, sometimes the extremes. */
static int64_t
mixed_integer(int bits)
{
	int64_t		x = (int64_t) random_bits() >> (64 - bits);

	switch (random_below(4))
	{
		case 0:
			return random_below(7) - 3;
		case 1:
			return x >> random_below(bits);
		case 2:
			return x >> (bits / 2);
		default:
			return !one_in(10) ? x >> 8 : one_in(2) ?
				INT64_MAX >> (64 - bits) : INT64_MIN >> (64 - bits);
	}
}

/* An integer of `bits` bits, sign included. */
static int64_t
integer_element(series *s, int bits, int64_t i)
{
	int64_t		any = (int64_t) random_bits() >> (64 - bits);
	int64_t		max = INT64_MAX >> (64 - bits);

	switch (s->kind)
	{
		case DATA_UNIFORM:
		case DATA_ANY_BITS:
			return any;
		case DATA_MIXED:
			return mixed_integer(bits);
		case DATA_NEAR_OVERFLOW:
			/* back and forth between the ends */
			if (one_in(100))
				return any;
			return i % 2 == 0 ? max >> 1 : -(max >> 1);
		case DATA_EDGE_OF_OVERFLOW:
			return i == 0 ? max : random_below(7) - 3;
		case DATA_INFINITIES:
			return one_in(2) ? max : -max - 1;
		case DATA_ZEROS:
			return one_in(s->rarity) ? any : 0;
		case DATA_NEGATIVE_ZEROS:
			return 0;
		case DATA_NEAR_ONE:
			return one_in(s->rarity) ? 3 : one_in(3) ? -1 : 1;
		case DATA_CONSTANT:
			if (i == 0)
				s->constant = any >> bits / 2;
			return s->constant;
		case DATA_SORTED:
			/* wraps where the type is narrow */
			s->sum += random_below(3);
			return (int64_t) ((uint64_t) s->sum << (64 - bits)) >> (64 - bits);
		case DATA_SUBNORMAL:
			return random_below(7) - 3;
		case DATA_SMALL_INTEGERS:
			return random_below(2001) - 1000;
		default:
			return any >> bits / 2;
	}
}

static void
fill_integers(void *values, gs_type type, int64_t n, data_kind kind)
{
	series		s = series_new(kind, NULL);

	for (int64_t i = 0; i < n; i++)
	{
		if (type == GS_INT8)
			((int64_t *) values)[i] = integer_element(&s, 64, i);
		else if (type == GS_INT4)
			((int32_t *) values)[i] = (int32_t) integer_element(&s, 32, i);
		else if (type == GS_INT2)
			((int16_t *) values)[i] = (int16_t) integer_element(&s, 16, i);
		else
			((uint8_t *) values)[i] = random_bits() & 1;
	}
}

void
fill_elements(void *values, gs_type type, int64_t n, data_kind kind)
{
	if (type == GS_FLOAT8)
		fill_double(values, n, kind);
	else if (type == GS_FLOAT4)
		fill_float(values, n, kind);
	else
		fill_integers(values, type, n, kind);
}

null_series
random_nulls(null_pattern pattern, int64_t n)
{
	null_series r = {pattern, n, 0, 0};

	r.border = 1 + random_below(n > 0 ? n : 1);
	/* whole chunks with and without NULLs */
	if (r.border >= GS_BATCH_ALIGN && one_in(2))
		r.border -= r.border % GS_BATCH_ALIGN;
	r.rarity = 2 + random_below(20);
	return r;
}

bool
is_null(const null_series *of, int64_t i)
{
	switch (of->pattern)
	{
		case NULLS_SOME:
			return one_in(of->rarity);
		case NULLS_MANY:
			return !one_in(50);
		case NULLS_RUNS:
			return i / of->border % 2 == 1;
		case NULLS_LEADING:
			return i < of->border;
		case NULLS_TRAILING:
			return i >= of->border;
		case NULLS_ALL:
			return true;
		case NULLS_LAST:
			return i == of->n - 1;
		case NULLS_BUT_LAST:
			return i < of->n - 1;
		default:
			return false;
	}
}
