/*-------------------------------------------------------------------------
 *
 * unit.c
 *	  The framework of the unit tests; see unit.h.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

#include <stdarg.h>
#include <stdio.h>

/* Failed expectations that a test prints; the rest are counted. */
#define MAX_COMPLAINTS	5

static char test_name[200];
static long expectations;
static long complaints;
static int	passed;
static int	failed;

void
test_begin(const char *format,...)
{
	va_list		args;

	va_start(args, format);
	vsnprintf(test_name, sizeof test_name, format, args);
	va_end(args);
	expectations = 0;
	complaints = 0;
}

bool
expect(bool condition, const char *format,...)
{
	va_list		args;

	expectations++;
	if (condition || complaints++ >= MAX_COMPLAINTS)
		return condition;
	printf("# ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	return false;
}

void
test_end(void)
{
	bool		ok = complaints == 0 && expectations > 0;

	if (ok)
		passed++;
	else
		failed++;
	printf("%s %d - %s", ok ? "ok" : "not ok", passed + failed, test_name);
	if (!ok)
		printf(" (%ld of %ld)", complaints, expectations);
	printf("\n");
	fflush(stdout);
}

/* The last line, and the program's exit status. */
int
tests_finish(void)
{
	printf("1..%d\n%d passed, %d failed\n", passed + failed, passed, failed);
	return failed > 0 || passed == 0;
}

void *
allocate(size_t size)
{
	void	   *p = malloc(size > 0 ? size : 1);

	if (p == NULL)
		abort();
	return p;
}

<<<<<<< HEAD
/* SplitMix64: Steele, Lea and Flood, OOPSLA 2014. */
static uint64_t state;

void
random_seed(uint64_t seed)
{
	state = seed;
}

uint64_t
random_bits(void)
{
	uint64_t	z = state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

int64_t
random_below(int64_t bound)
{
	return (int64_t) (random_bits() % (uint64_t) bound);
}

double
random_uniform(void)
{
	return (double) (random_bits() >> 11) * 0x1p-53;
}

double
random_normal(void)
{
	double		radius = sqrt(-2 * log(1 - random_uniform()));

	return radius * cos(2 * M_PI * random_uniform());
}

const char *const data_names[DATA_KINDS] = {
	"uniform", "normal", "money", "lognormal sigma 2", "lognormal sigma 10",
	"cancelling", "ties", "subnormal", "near overflow",
	"edge of overflow", "mixed magnitudes",
	"some binades",
	"signed zeros", "negative zeros", "infinities", "NaN", "small integers",
	"any bits"
};

/* A finite double of a random sign and an exponent in a range. */
static double
random_double(int min, int max)
{
	double		m = 1 + random_uniform();
	int			e = min + (int) random_below(max - min + 1);

	return ldexp(random_bits() & 1 ? m : -m, e);
}

/*
 * A number, then exactly half of its last place, sometimes a little more or
 * less, and sometimes the number again with the other sign: prefixes are ties
 * at a precision of `digits` bits, or nearly.
 */
static double
tie_element(int i, int digits)
{
	static double base;
	double		half;
	int			exponent;

	if (i % 4 == 0)
	{
		base = random_double(-20, 20);
		if (digits < 53)
			base = (float) base;
		return base;
	}
	(void) frexp(base, &exponent);
	half = ldexp(1, exponent - digits - 1);
	if (i % 4 == 1)
		return random_bits() & 1 ? half : -half;
	if (i % 4 == 2)
		return ldexp(random_bits() & 1 ? half : -half,
					 -(int) random_below(80));
	return random_bits() & 1 ? -base : half;
}

/* Within some binades, at either end of a type's range or anywhere. */
static double
binades_element(int i, int min, int max)
{
	static int	lowest;
	static int	width;

	if (i == 0)
	{
		int			choice = (int) random_below(3);

		width = (int) random_below(180);
		lowest = choice == 0 ? min : choice == 1 ? max - width :
			min + (int) random_below(max - min - width);
	}
	return random_double(lowest, lowest + width);
}

/* The largest number, and then fractions of its last place. */
static double
edge_element(int i, double max, int last_place)
{
	double		x = i == 0 ? max :
		ldexp(1, last_place - 4 + (int) random_below(5));

	return random_below(3) > 0 ? x : -x;
}

static double
any_double(void)
{
	return gs_bits_double(random_bits());
}

static double
random_zero(void)
{
	return random_bits() & 1 ? 0.0 : -0.0;
}

/* One element; `before` is the one before it. */
static double
element(data_kind kind, int i, double before)
{
	switch (kind)
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
			if (i % 2 == 0)
				return random_double(-60, 60);
			return random_below(4) > 0 ? -before :
				nextafter(-before, random_double(0, 0));
		case DATA_TIES:
			return tie_element(i, 53);
		case DATA_SUBNORMAL:
			return random_double(-1074, -1015);
		case DATA_NEAR_OVERFLOW:
			/* sometimes step back, so that some prefixes stay in range */
			return random_below(3) > 0 && i > 0 ? -before :
				random_double(1018, 1023);
		case DATA_EDGE_OF_OVERFLOW:
			return edge_element(i, DBL_MAX, 971);
		case DATA_MIXED:
			return random_double(-996, 996);
		case DATA_BINADES:
			return binades_element(i, -1074, 1003);
		case DATA_ZEROS:
			return random_below(100) > 0 ? random_zero() : random_normal();
		case DATA_NEGATIVE_ZEROS:
			return -0.0;
		case DATA_INFINITIES:
			return random_below(50) > 0 ? random_normal() :
				random_below(4) > 0 ? HUGE_VAL : -HUGE_VAL;
		case DATA_NAN:
			return random_below(50) > 0 ? random_normal() :
				random_bits() & 1 ? NAN : -NAN;
		case DATA_SMALL_INTEGERS:
			return (double) (random_below(2001) - 1000);
		default:
			return any_double();
	}
}

void
fill_double(double *v, int n, data_kind kind)
{
	double		before = 0;

	for (int i = 0; i < n; i++)
		before = v[i] = element(kind, i, before);
}

void
fill_float(float *v, int n, data_kind kind)
{
	float		before = 0;

	for (int i = 0; i < n; i++)
	{
		uint32_t	bits = (uint32_t) random_bits();

		switch (kind)
		{
			case DATA_TIES:
				v[i] = (float) tie_element(i, 24);
				break;
			case DATA_SUBNORMAL:
				v[i] = (float) random_double(-149, -120);
				break;
			case DATA_NEAR_OVERFLOW:
				v[i] = random_below(3) > 0 && i > 0 ? -before :
					(float) (random_double(122, 127) * 0.999);
				break;
			case DATA_EDGE_OF_OVERFLOW:
				v[i] = (float) edge_element(i, FLT_MAX, 104);
				break;
			case DATA_MIXED:
				v[i] = (float) random_double(-140, 120);
				break;
			case DATA_BINADES:
				v[i] = (float) binades_element(i, -149, 125);
				break;
			case DATA_ANY_BITS:
				memcpy(&v[i], &bits, sizeof bits);
				break;
			default:
				v[i] = (float) element(kind, i, before);
		}
		before = v[i];
	}
}

=======
>>>>>>> main
int
main(int argc, char **argv)
{
	uint64_t	seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 20240229;

	printf("# seed %llu\n", (unsigned long long) seed);
	random_seed(seed);
	test_op();
	test_bits();
	test_exact();
	test_regression();
	test_product();
	test_engine();
	return tests_finish();
}
