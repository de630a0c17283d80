/*-------------------------------------------------------------------------
 *
 * scaled_test.c
 *	  Values of 8 bytes as integers of fewer, and back: bit for bit, or not at
 *	  all.
 *
 *-------------------------------------------------------------------------
 */
#include <float.h>
#include <math.h>

#include "engine/cpu/engine_cpu.h"
#include "unit.h"

#define MOST	1200			/* rows: several tiles */

static const int64_t units[] = {
	1, 10, 64, 100, 1000, 1024, 10000, 65536, 100000, 1000000
};

#define UNITS	((int) (sizeof units / sizeof *units))

static uint64_t
bits_of(double x)
{
	uint64_t	bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

/* k in units, by the definition. */
static uint64_t
value_of(gs_type type, int64_t k, int64_t unit)
{
	return type == GS_FLOAT8 ? bits_of((double) k / (double) unit) :
		(uint64_t) k * (uint64_t) unit;
}

static bool
null_at(const uint8_t *validity, int64_t row)
{
	return validity != NULL && (validity[row / 8] >> (row % 8) & 1) == 0;
}

/* Rows go into an encoding and come back, in memory that just holds them. */
static bool
comes_back(const gs_encoding *e, gs_type type, const uint64_t *v,
		   const uint8_t *validity, int64_t first, int64_t n)
{
	uint8_t    *narrow = allocate((size_t) (n * e->width));
	uint64_t   *after = allocate((size_t) n * sizeof *after);
	bool		held = gs_cpu_scale(narrow, e, type, v, validity, first, n);

	if (held)
		gs_cpu_unscale(after, type, narrow, e, n);
	for (int64_t i = 0; i < n && held; i++)
		expect(null_at(validity, first + i) || after[i] == v[first + i],
			   "row %d of %d, %d bytes, unit %lld: %llx became %llx", (int) i,
			   (int) n, e->width, (long long) e->unit,
			   (unsigned long long) v[first + i],
			   (unsigned long long) after[i]);
	free(narrow);
	free(after);
	return held;
}

/* One value, in the widest encoding around its k: is it held? */
static bool
is_held(gs_type type, uint64_t value, int64_t unit)
{
	int64_t		low;
	int64_t		high;
	gs_encoding e = {.width = 4,.unit = unit};

	if (!gs_cpu_scaled_range(type, unit, &value, NULL, 0, 1, &low, &high))
		return false;
	expect(low == high, "the range of one value");
	e.base = low;
	return expect(comes_back(&e, type, &value, NULL, 0, 1), "%llx is held",
				  (unsigned long long) value);
}

/* Numbers of a unit, with NULLs, from some row on: all held. */
static void
test_multiples(gs_type type)
{
	test_begin("%s of a unit", type == GS_FLOAT8 ? "floats" : "integers");
	for (int i = 0; i < 1000; i++)
	{
		gs_encoding e = {
			.width = 1 << random_below(3),.unit = units[i % UNITS],
			.base = (int64_t) (random_bits() >>
							   ((type == GS_FLOAT8 ? 14 : 34) + random_below(30)))
		};
		int64_t		greatest = (int64_t) (UINT64_MAX >> (64 - 8 * e.width));
		int64_t		first = random_below(70);
		int64_t		n = random_below(one_in(2) ? 70 : MOST - 70);
		bool		nulls = one_in(2);
		uint64_t   *v = allocate((size_t) (first + n) * sizeof *v);
		uint8_t    *validity = allocate((size_t) (first + n + 7) / 8);
		int64_t		low;
		int64_t		high;

		e.base = one_in(2) ? -e.base : e.base;
		for (int64_t j = 0; j < first + n; j++)
		{
			bool		null = nulls && one_in(3);
			int64_t		m = one_in(9) ? 0 : one_in(9) ? greatest :
				(int64_t) (random_bits() & (uint64_t) greatest);

			validity[j / 8] &= (uint8_t) ~(1u << (j % 8));
			validity[j / 8] |= (uint8_t) (!null << (j % 8));
			v[j] = null ? random_bits() : value_of(type, e.base + m, e.unit);
		}
		expect(gs_cpu_scaled_range(type, e.unit, v, nulls ? validity : NULL,
								   first, n, &low, &high) &&
			   (low > high ||
				(low >= e.base && high <= e.base + greatest)),
			   "a range");
		expect(comes_back(&e, type, v, nulls ? validity : NULL, first, n),
			   "%d rows of unit %lld", (int) n, (long long) e.unit);
		free(v);
		free(validity);
	}
	test_end();
}

/* What is next to the range, and one bit away from a multiple, is refused. */
static void
test_limits(gs_type type)
{
	test_begin("limits of %s of a unit", type == GS_FLOAT8 ? "floats" : "integers");
	for (int i = 0; i < 600; i++)
	{
		gs_encoding e = {
			.width = 1 << i % 3,.unit = units[i % UNITS],
			.base = (int64_t) random_below(1000000) - 500000
		};
		int64_t		greatest = (int64_t) (UINT64_MAX >> (64 - 8 * e.width));
		uint64_t	v[MOST];
		int64_t		at = random_below(MOST);

		for (int j = 0; j < MOST; j++)
			v[j] = value_of(type, e.base + 7, e.unit);
		v[at] = value_of(type, e.base, e.unit);
		expect(comes_back(&e, type, v, NULL, 0, MOST), "the least");
		v[at] = value_of(type, e.base - 1, e.unit);
		expect(!comes_back(&e, type, v, NULL, 0, MOST), "less");
		v[at] = value_of(type, e.base + greatest, e.unit);
		expect(comes_back(&e, type, v, NULL, 0, MOST), "the greatest");
		v[at] = value_of(type, e.base + greatest + 1, e.unit);
		expect(!comes_back(&e, type, v, NULL, 0, MOST), "more");
		v[at] = value_of(type, e.base + 3, e.unit) ^ 1;
		expect(!comes_back(&e, type, v, NULL, 0, MOST) ||
			   (type == GS_INT8 && e.unit == 1), "a bit away");
	}
	test_end();
}

static void
test_hostile_floats(void)
{
	const double never[] = {
		-0.0, NAN, -NAN, INFINITY, -INFINITY, DBL_MIN, DBL_TRUE_MIN,
		-DBL_TRUE_MIN, DBL_MAX, -DBL_MAX, 1e308, 0.1 + 0.2, 1.0 / 3, 1e-7,
		0x1p51, -0x1p51 - 1, 0x1p53, 1e22, nextafter(0.07, 1), nextafter(19.99, 0)
	};
	const double decimals[] = {
		0, 1, -1, 0.5, 0.01, 0.07, -0.07, 19.99, 99999.99, -33554431.99, 0.1, 0.3
	};

	test_begin("floats that are hostile to units");
	for (int u = 0; u < UNITS; u++)
	{
		for (size_t i = 0; i < sizeof never / sizeof *never; i++)
			expect(!is_held(GS_FLOAT8, bits_of(never[i]), units[u]),
				   "%a of unit %lld", never[i], (long long) units[u]);
		expect(is_held(GS_FLOAT8, bits_of((0x1p51 - 1) / (double) units[u]),
					   units[u]), "2^51 - 1 of unit %lld", (long long) units[u]);
	}
	for (size_t i = 0; i < sizeof decimals / sizeof *decimals; i++)
		expect(is_held(GS_FLOAT8, bits_of(decimals[i]), 100) &&
			   is_held(GS_FLOAT8, bits_of(decimals[i]), 1000000),
			   "%g", decimals[i]);

	/* whatever is taken comes back */
	for (int i = 0; i < 100000; i++)
	{
		double		x = random_uniform() * (double) (1 << random_below(30));
		uint64_t	near = bits_of(round(x * 1000) / 1000);

		is_held(GS_FLOAT8, random_bits(), units[i % UNITS]);
		is_held(GS_FLOAT8, bits_of(x), units[i % UNITS]);
		is_held(GS_FLOAT8, near + (uint64_t) random_below(3) - 1,
				units[i % UNITS]);
	}
	test_end();
}

static void
test_hostile_integers(void)
{
	const int64_t v[] = {
		INT64_MIN, INT64_MIN + 1, -1, 0, 1, 1000001, INT64_MAX,
		INT64_C(2000000000000000), INT64_C(-7000000000000000000)
	};

	test_begin("integers that are hostile to units");
	for (int u = 0; u < UNITS; u++)
	{
		for (size_t i = 0; i < sizeof v / sizeof *v; i++)
			expect(is_held(GS_INT8, (uint64_t) v[i], units[u]) ==
				   (v[i] % units[u] == 0 &&
					llabs(v[i] / units[u]) < INT64_C(1) << 51), "%lld of unit %lld",
				   (long long) v[i], (long long) units[u]);
	}
	test_end();
}

void
test_scaled(void)
{
	test_multiples(GS_FLOAT8);
	test_multiples(GS_INT8);
	test_limits(GS_FLOAT8);
	test_limits(GS_INT8);
	test_hostile_floats();
	test_hostile_integers();
}
