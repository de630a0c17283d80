/*-------------------------------------------------------------------------
 *
 * check_widen.cu
 *	  Integers to those of as many bytes or more, in device memory.
 *
 *		check_widen [small]
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/device/device.h"
#include "direct.h"

static buffer narrow;
static buffer wide;

static uint64_t
integer_at(const uint8_t *bytes, int width)
{
	uint64_t	v = 0;

	memcpy(&v, bytes, width);
	return v;
}

static void
check(int from, int to, int64_t n, uint64_t add)
{
	const std::string what = std::to_string(n) + " integers of " +
		std::to_string(from) + " bytes to " + std::to_string(to) + " plus " +
		std::to_string(add);
	const uint64_t mask = UINT64_MAX >> (64 - 8 * to);
	std::vector<uint8_t> before(n * from);
	std::vector<uint8_t> after(n * to);
	char	   *device_from = (char *) need(&narrow, n * from);
	char	   *device_to = (char *) need(&wide, n * to);
	bool		good = true;

	for (uint8_t &b : before)
		b = (uint8_t) random_bits();
	CUDA(cudaMemcpy(device_from, before.data(), before.size(),
					cudaMemcpyHostToDevice));
	CUDA(gs_widen(device_to, to, device_from, from, n, add, NULL));
	CUDA(cudaMemcpy(after.data(), device_to, after.size(),
					cudaMemcpyDeviceToHost));
	for (int64_t i = 0; i < n; i++)
		good = good && integer_at(&after[i * to], to) ==
			((integer_at(&before[i * from], from) + add) & mask);
	verdict(good, what);
	verdict(untouched(device_to + n * to, GUARD), what + ": behind");
}

static void
checks(void)
{
	static const int widths[] = {1, 2, 4, 8};
	static const int64_t sizes[] = {
		0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 511, 512, 513, 4095, 4096, 4097,
		100000, 3000001
	};

	for (int from = 0; from < 3; from++)
	{
		for (int to = from; to < 4; to++)
		{
			for (int64_t n : sizes)
			{
				if (small_only && n > 100000)
					continue;
				check(widths[from], widths[to], n, 0);
				check(widths[from], widths[to], n, random_bits());
				check(widths[from], widths[to], n, -(uint64_t) random_below(99));
			}
		}
	}
}

int
main(int argc, char **argv)
{
	return run_checks(argc, argv, checks);
}
