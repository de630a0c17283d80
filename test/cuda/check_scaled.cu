/*-------------------------------------------------------------------------
 *
 * check_scaled.cu
 *	  gs_engine's scale and unscale: values of 8 bytes to integers of fewer, and
 *	  back, in the device's memory and the host's.
 *
 *		check_scaled [small]
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/cuda_engine.h"
#include "direct.h"

static bool ok;

/* A piece of memory, with the GUARD behind it poisoned. */
static char *
take(size_t size, bool on_host)
{
	std::vector<uint8_t> poison(size + GUARD, POISON);
	char	   *at = (char *) (on_host ? gs_engine_cuda.reserve_host :
							   gs_engine_cuda.reserve) (size + GUARD + 16);

	if (at == NULL ||
		gs_engine_cuda.write(at, poison.data(), size + GUARD) != GS_OK)
	{
		fprintf(stderr, "no memory\n");
		exit(2);
	}
	return at;
}

static std::vector<uint8_t>
content(const void *at, size_t size)
{
	std::vector<uint8_t> to(size);

	ok = gs_engine_cuda.get(to.data(), at, size) == GS_OK && ok;
	return to;
}

static bool
ends_in_poison(const std::vector<uint8_t> &of)
{
	for (size_t i = of.size() - GUARD; i < of.size(); i++)
	{
		if (of[i] != POISON)
			return false;
	}
	return true;
}

static bool
is_null(const std::vector<uint8_t> &validity, int64_t i)
{
	return !validity.empty() && (validity[i / 8] >> (i % 8) & 1) == 0;
}

/* k in units, by the definition. */
static uint64_t
value_of(gs_type type, int64_t k, int64_t unit)
{
	double		x = (double) k / (double) unit;
	uint64_t	bits;

	memcpy(&bits, &x, sizeof bits);
	return type == GS_FLOAT8 ? bits : (uint64_t) k * (uint64_t) unit;
}

/* `bad` >= 0: that row's value does not fit. */
static void
check(gs_type type, const gs_encoding &e, int64_t n, bool on_host, bool nulls,
	  int64_t bad)
{
	const std::string what = std::to_string(n) + (type == GS_FLOAT8 ?
		" floats" : " integers") + " of unit " + std::to_string(e.unit) +
		" in " + std::to_string(e.width) + " bytes" +
		(on_host ? " on the host" : "") + (nulls ? ", some NULL" : "") +
		(bad >= 0 ? ", one bad" : "");
	const uint64_t greatest = UINT64_MAX >> (64 - 8 * e.width);
	std::vector<uint64_t> v(n);
	std::vector<uint8_t> narrow(n * e.width);
	std::vector<uint8_t> validity(nulls ? (n + 7) / 8 + 16 : 0);
	std::vector<uint8_t> got;
	char	   *plain = take(n * 8, false);
	char	   *scaled = take(n * e.width, on_host);
	char	   *back = take(n * 8, on_host && one_in(2));
	char	   *bits = take(validity.size(), false);
	bool		good = true;
	gs_status	status;

	ok = true;
	for (uint8_t &b : validity)
		b = (uint8_t) random_bits();
	for (int64_t i = 0; i < n; i++)
	{
		uint64_t	m = one_in(9) ? 0 : one_in(9) ? greatest :
			random_bits() & greatest;

		v[i] = is_null(validity, i) ? random_bits() :
			value_of(type, e.base + (int64_t) m, e.unit);
		memcpy(&narrow[i * e.width], &m, e.width);
	}
	if (bad >= 0)
		v[bad] = one_in(2) ? value_of(type, e.base - 1, e.unit) :
			one_in(2) ? value_of(type, e.base + (int64_t) greatest + 1, e.unit) :
			type == GS_INT8 ? value_of(type, e.base, e.unit) - 1 :
			one_in(2) ? UINT64_C(1) << 63 : UINT64_C(0x7ff8000000000000);
	ok = gs_engine_cuda.write(plain, v.data(), n * 8) == GS_OK && ok;
	ok = gs_engine_cuda.write(bits, validity.data(), validity.size()) ==
		GS_OK && ok;
	status = gs_engine_cuda.scale(scaled, &e, type, plain,
								  nulls ? (const uint8_t *) bits : NULL, n);
	if (bad >= 0 && !is_null(validity, bad))
		verdict(status == GS_VALUE_ERROR, what + ": not refused");
	else if (bad < 0)
	{
		verdict(status == GS_OK, what + ": refused");
		got = content(scaled, n * e.width + GUARD);
		for (int64_t i = 0; i < n; i++)
			good = good && (is_null(validity, i) ||
							memcmp(&got[i * e.width], &narrow[i * e.width],
								   e.width) == 0);
		verdict(good && ends_in_poison(got), what + ": scaled");
		verdict(gs_engine_cuda.unscale(back, type, scaled, &e, n) == GS_OK,
				what + ": fails");
		got = content(back, n * 8 + GUARD);
		for (int64_t i = 0; i < n; i++)
			good = good && (is_null(validity, i) ||
							memcmp(&got[i * 8], &v[i], 8) == 0);
		verdict(good && ends_in_poison(got), what + ": unscaled");
	}
	verdict(ok, what + ": memory");
	gs_engine_cuda.release(plain, n * 8 + GUARD + 16);
	(on_host ? gs_engine_cuda.release_host : gs_engine_cuda.release)
		(scaled, n * e.width + GUARD + 16);
	gs_engine_cuda.release(back, n * 8 + GUARD + 16);
	gs_engine_cuda.release(bits, validity.size() + GUARD + 16);
}

static void
checks(void)
{
	static const int64_t sizes[] = {
		0, 1, 3, 4, 5, 7, 8, 1023, 1024, 1025, 4099, 100000, 3000001
	};
	static const int64_t units[] = {1, 10, 64, 100, 1000, 65536, 1000000};
	static const gs_type types[] = {GS_FLOAT8, GS_INT8};

	for (int64_t n : sizes)
	{
		for (int64_t unit : units)
		{
			for (int i = 0; i < 24; i++)
			{
				gs_type		type = types[i % 2];
				gs_encoding e = {1 << i / 2 % 3,
					(int64_t) random_below(2000000000) - 1000000000, unit};

				if ((small_only && n > 5000) || (n > 100000 && unit != 100))
					continue;
				if (type == GS_FLOAT8 && one_in(3))
					e.base *= 1000000;
				check(type, e, n, i / 6 % 2 == 0, i / 12 % 2 == 0, -1);
				if (n > 0)
					check(type, e, n, i / 6 % 2 == 0, i / 12 % 2 == 0,
						  random_below(n));
			}
		}
	}
}

int
main(int argc, char **argv)
{
	open_device();
	return run_checks(argc, argv, checks);
}
