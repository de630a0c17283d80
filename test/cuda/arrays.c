/*-------------------------------------------------------------------------
 *
 * arrays.c
 *	  Random arrays; see arrays.h.
 *
 *-------------------------------------------------------------------------
 */
#include "arrays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ALIGN	256

const char *const data_names[DATA_KINDS] = {
	"uniform", "normal", "money", "lognormal 2", "lognormal 10", "cancelling",
	"levels", "ties", "subnormal", "near overflow", "1e-300 to 1e300", "zeros",
	"infinities", "NaN", "near one", "constant", "sorted", "any bits"
};

const char *const null_names[NULL_PATTERNS] = {
	"no NULL", "some NULLs", "many NULLs", "runs of NULLs", "leading NULLs",
	"all NULL", "the last NULL", "all but the last NULL"
};

/* Steele, Lea and Flood's splitmix (2014). */
uint64_t
random_bits(dice *d)
{
	uint64_t	z = d->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

int64_t
random_below(dice *d, int64_t bound)
{
	return (int64_t) (random_bits(d) % (uint64_t) bound);
}

bool
one_in(dice *d, int64_t n)
{
	return random_below(d, n) == 0;
}

void *
arena_take(arena *a, size_t size)
{
	void	   *p = a->base + a->used;

	a->used += (size + ALIGN - 1) / ALIGN * ALIGN;
	if (a->used > a->size)
	{
		fprintf(stderr, "the arena of %zu bytes is too small\n", a->size);
		exit(2);
	}
	return p;
}

static double
uniform(dice *d)
{
	return (double) (random_bits(d) >> 11) * 0x1p-53;
}

static double
normal(dice *d)
{
	return sqrt(-2 * log(1 - uniform(d))) * cos(2 * M_PI * uniform(d));
}

/* Of either sign, an exponent in [low, high]. */
static double
of_exponent(dice *d, int low, int high)
{
	double		x = ldexp(1 + uniform(d),
						  low + (int) random_below(d, high - low + 1));

	return one_in(d, 2) ? x : -x;
}

/* The ranges that matter are those of the type. */
typedef struct float_range
{
	int			digits;
	int			least;			/* exponents: subnormal, normal, greatest */
	int			normal;
	int			greatest;
} float_range;

static const float_range range_float8 = {53, -1074, -1022, 1023};
static const float_range range_float4 = {24, -149, -126, 127};

/*
 * Halfway between two numbers, pushed off it or not, and taken back: every
 * fourth element is a base, and the next ones half of its last bit.
 */
static double
tie(dice *d, const float_range *r, int64_t i, double *base)
{
	double		half;
	int			exponent;

	if (i % 4 == 0)
	{
		*base = of_exponent(d, -20, 20);
		if (r->digits == 24)
			*base = (float) *base;
		return *base;
	}
	(void) frexp(*base, &exponent);
	half = ldexp(one_in(d, 2) ? 1 : -1, exponent - r->digits - 1);
	if (i % 4 == 1)
		return half;
	if (i % 4 == 2)
		return ldexp(half, -(int) random_below(d, 80));
	return one_in(d, 2) ? -*base : half;
}

/*
 * Runs as long as the share of a warp, or a tile, of a scan, the elements of
 * each of one size.  Some runs are added up, then taken back, the last one
 * first: so totals need 125 bits, more than two doubles have and less than
 * three, of which the least matter in the end.
 */
static double
level(uint64_t seed, const float_range *r, int64_t i)
{
	int64_t		length = INT64_C(512) << seed / 16 % 5;
	int64_t		most = 1 + (int64_t) (seed % 16);	/* runs added up */
	int64_t		run = i / length % (2 * most);
	int64_t		same = run < most ? run : 2 * most - 1 - run;
	dice		d = {seed + (uint64_t) (i / length / (2 * most) * 64 + same)};
	int			range = 125 - 12 - r->digits;
	int			exponent = (int) random_below(&d, range) - range / 2;
	double		x;

	d.state = random_bits(&d) + (uint64_t) (i % length);
	x = ldexp(1 + uniform(&d), exponent);
	if (one_in(&d, 2))
		x = -x;
	return run < most ? x : -x;
}

/* `state` is the kind's, from element to element. */
static double
float_element(dice *d, const float_range *r, data_kind kind, int64_t i,
			  double *state)
{
	switch (kind)
	{
		case DATA_UNIFORM:
			return uniform(d);
		case DATA_NORMAL:
			return normal(d);
		case DATA_MONEY:
			return (double) random_below(d, 10000000) / 100;
		case DATA_LOGNORMAL_2:
			return exp(2 * normal(d));
		case DATA_LOGNORMAL_10:
			return exp(10 * normal(d));
		case DATA_CANCEL:
			if (i % 2 == 0)
				return *state = of_exponent(d, -60, 60);
			return one_in(d, 4) ? -*state * (1 + 0x1p-20) : -*state;
		case DATA_LEVELS:
			if (i == 0)
				*state = (double) (random_bits(d) >> 12);
			return level((uint64_t) *state, r, i);
		case DATA_TIES:
			return tie(d, r, i, state);
		case DATA_SUBNORMAL:
			return of_exponent(d, r->least, r->normal + 5);
		case DATA_NEAR_OVERFLOW:
			/* mostly back and forth, so that most prefixes stay inside */
			if (*state != 0 && !one_in(d, 50))
			{
				double		x = -*state;

				*state = 0;
				return x;
			}
			return *state = of_exponent(d, r->greatest - 6, r->greatest - 1);
		case DATA_WIDE:
			return of_exponent(d, r->normal + 26, r->greatest - 27);
		case DATA_ZEROS:
			return !one_in(d, 20) ? (one_in(d, 2) ? 0.0 : -0.0) : normal(d);
		case DATA_INFINITIES:
			return !one_in(d, 300) ? normal(d) :
				one_in(d, 4) ? -HUGE_VAL : HUGE_VAL;
		case DATA_NAN:
			return !one_in(d, 300) ? normal(d) :
				one_in(d, 2) ? (double) NAN : -(double) NAN;
		case DATA_NEAR_ONE:
			return one_in(d, 100) ? -1 : exp(normal(d));
		case DATA_CONSTANT:
			if (i == 0)
				*state = normal(d);
			return *state;
		default:
			return *state += uniform(d);	/* sorted */
	}
}

static void
fill_float8(dice *d, double *v, int64_t n, data_kind kind)
{
	double		state = 0;

	for (int64_t i = 0; i < n; i++)
		v[i] = kind == DATA_ANY_BITS ? gs_bits_double(random_bits(d)) :
			float_element(d, &range_float8, kind, i, &state);
}

static void
fill_float4(dice *d, float *v, int64_t n, data_kind kind)
{
	double		state = 0;

	for (int64_t i = 0; i < n; i++)
	{
		uint32_t	bits = (uint32_t) random_bits(d);

		if (kind == DATA_ANY_BITS)
			memcpy(&v[i], &bits, sizeof bits);
		else
			v[i] = (float) float_element(d, &range_float4, kind, i, &state);
	}
}

/* An integer of `bits` bits, sign included. */
static int64_t
integer_element(dice *d, data_kind kind, int bits, int64_t i, int64_t *state)
{
	int64_t		any = (int64_t) random_bits(d) >> (64 - bits);

	switch (kind)
	{
		case DATA_UNIFORM:
		case DATA_ANY_BITS:
			return any;
		case DATA_NEAR_OVERFLOW:
			/* back and forth between the ends */
			if (one_in(d, 100))
				return any;
			any = (int64_t) (INT64_MAX >> (64 - bits)) >> 1;
			return i % 2 == 0 ? any : -any;
		case DATA_INFINITIES:
			return one_in(d, 2) ? INT64_MAX >> (64 - bits) :
				INT64_MIN >> (64 - bits);
		case DATA_ZEROS:
			return one_in(d, 20) ? any : 0;
		case DATA_NEAR_ONE:
			return one_in(d, 50) ? 3 : one_in(d, 3) ? -1 : 1;
		case DATA_CONSTANT:
			if (i == 0)
				*state = any >> bits / 2;
			return *state;
		case DATA_SORTED:
			/* wraps where the type is narrow */
			*state += random_below(d, 3);
			return (int64_t) ((uint64_t) *state << (64 - bits)) >> (64 - bits);
		case DATA_SUBNORMAL:
			return random_below(d, 7) - 3;
		default:
			return any >> bits / 2;
	}
}

static void
fill_values(dice *d, void *values, gs_type type, int64_t n, data_kind kind)
{
	int64_t		state = 0;

	if (type == GS_FLOAT8)
		fill_float8(d, values, n, kind);
	else if (type == GS_FLOAT4)
		fill_float4(d, values, n, kind);
	else
	{
		for (int64_t i = 0; i < n; i++)
		{
			if (type == GS_INT8)
				((int64_t *) values)[i] =
					integer_element(d, kind, 64, i, &state);
			else if (type == GS_INT4)
				((int32_t *) values)[i] = (int32_t)
					integer_element(d, kind, 32, i, &state);
			else if (type == GS_INT2)
				((int16_t *) values)[i] = (int16_t)
					integer_element(d, kind, 16, i, &state);
			else
				((uint8_t *) values)[i] = random_bits(d) & 1;
		}
	}
}

int64_t
count_bits(const uint8_t *bits, int64_t from, int64_t n)
{
	int64_t		count = 0;
	int64_t		i = from;

	for (; i < from + n && i % 8 != 0; i++)
		count += bits[i / 8] >> (i % 8) & 1;
	for (; i + 8 <= from + n; i += 8)
		count += __builtin_popcount(bits[i / 8]);
	for (; i < from + n; i++)
		count += bits[i / 8] >> (i % 8) & 1;
	return count;
}

static bool
is_null(dice *d, null_pattern nulls, int64_t i, int64_t n, int64_t border)
{
	switch (nulls)
	{
		case NULLS_SOME:
			return one_in(d, 10);
		case NULLS_MANY:
			return !one_in(d, 50);
		case NULLS_RUNS:
			return i / border % 2 == 1;
		case NULLS_LEADING:
			return i < border;
		case NULLS_ALL:
			return true;
		case NULLS_LAST:
			return i == n - 1;
		case NULLS_BUT_LAST:
			return i < n - 1;
		default:
			return false;
	}
}

static void
make_nulls(dice *d, arena *a, gs_span *span, int64_t n, null_pattern nulls)
{
	int64_t		border = 1 + random_below(d, n > 0 ? n : 1);
	uint8_t    *bits;

	span->present = n;
	span->validity = NULL;
	if (nulls == NULLS_NONE)
		return;
	/* bits beyond the last element are nobody's */
	bits = arena_take(a, (n + 7) / 8 + 1);
	memset(bits, 0xff, (n + 7) / 8 + 1);
	for (int64_t i = 0; i < n; i++)
	{
		if (is_null(d, nulls, i, n, border))
			bits[i / 8] &= (uint8_t) ~(1u << (i % 8));
	}
	span->present = count_bits(bits, 0, n);
	span->validity = bits;
}

gs_span
random_span(dice *d, arena *a, gs_type type, int64_t n, data_kind kind,
			null_pattern nulls)
{
	gs_span		span;
	void	   *values;

	make_nulls(d, a, &span, n, nulls);
	values = arena_take(a, span.present * gs_type_width(type));
	fill_values(d, values, type, span.present, kind);
	span.values = values;
	return span;
}

gs_span
random_flags(dice *d, arena *a, int64_t n, int64_t density,
			 null_pattern nulls)
{
	gs_span		span;
	uint8_t    *flags;

	make_nulls(d, a, &span, n, nulls);
	flags = arena_take(a, span.present);
	for (int64_t i = 0; i < span.present; i++)
		flags[i] = density > 0 && one_in(d, density);
	span.values = flags;
	return span;
}
