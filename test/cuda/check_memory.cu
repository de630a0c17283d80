/*-------------------------------------------------------------------------
 *
 * check_memory.cu
 *	  Device memory by pieces: whole, apart from each other, below the limit.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/cuda_engine.h"
#include "kernels/device/device.h"
#include "direct.h"

#include <algorithm>
#include <map>

/* Pieces that are taken, by their start. */
static std::map<char *, size_t> taken;
static uint64_t in_use;

/* Take a piece; false if there is no shared. */
static bool
take(uint64_t limit, size_t size, char **result)
{
	cudaError_t error = gs_memory_acquire(size, result);
	std::string what = std::to_string(size) + " bytes below " +
		std::to_string(limit);
	auto		behind = taken.lower_bound(*result);

	verdict(limit == 0 || gs_cuda_memory_used() <= limit,
			what + ": the limit is not kept");
	if (error != cudaSuccess)
	{
		verdict(error == cudaErrorMemoryAllocation, what + ": " +
				cudaGetErrorString(error));
		return false;
	}
	verdict((uintptr_t) *result % GS_DEVICE_ALIGN == 0, what + ": alignment");
	verdict(behind == taken.end() || *result + size <= behind->first,
			what + ": into the next piece");
	verdict(behind == taken.begin() ||
			std::prev(behind)->first + std::prev(behind)->second <= *result,
			what + ": into the piece before");
	taken[*result] = size;
	in_use += size;
	verdict(gs_cuda_memory_used() >= in_use, what + ": held");
	return true;
}

static void
give(std::map<char *, size_t>::iterator piece)
{
	in_use -= piece->second;
	gs_memory_give_back(piece->first);
	taken.erase(piece);
}

static void
give_all(void)
{
	while (!taken.empty())
		give(taken.begin());
}

/* Pieces of any size come and go, more and more, then fewer and fewer. */
static void
check_churn(uint64_t limit, uint64_t most)
{
	const int	steps = small_only ? 2000 : 30000;
	int64_t		refused = 0;

	for (int i = 0; i < steps; i++)
	{
		char	   *piece = NULL;
		bool		grow = i / 500 % 2 == 0;

		if (taken.empty() || random_below(10) < (grow ? 7 : 3))
			refused += !take(limit, 1 + (size_t)
							 pow((double) most / 3, sqrt(random_uniform())),
							 &piece);
		else
		{
			auto		at = taken.begin();

			std::advance(at, random_below((int64_t) taken.size()));
			give(at);
		}
	}
	verdict(refused < steps / 2, "most was refused");
	give_all();
}

/* What was given back is there, all of it together too. */
static void
check_rest(uint64_t limit, uint64_t most)
{
	char	   *first = NULL;
	char	   *piece = NULL;
	uint64_t	used;

	verdict(gs_cuda_memory_used() <= most / 8, "too much is kept at rest");
	take(limit, most / 10, &first);
	give_all();
	used = gs_cuda_memory_used();
	for (int i = 0; i < 3; i++)
	{
		take(limit, most / 10 - random_below(most / 100), &piece);
		verdict(piece == first && gs_cuda_memory_used() == used,
				"what rests is not taken again");
		give_all();
	}
	for (int i = 0; i < 1000; i++)
		take(limit, most / 4000, &piece);
	give_all();
	verdict(take(limit, most - most / 10, &piece), "most of the memory");
	give_all();
}

static void
checks(void)
{
	static const uint64_t limits[] = {40000000, UINT64_C(1) << 30, 0};
	size_t		available;
	size_t		total;

	CUDA(cudaMemGetInfo(&available, &total));
	for (uint64_t limit : limits)
	{
		uint64_t	most = limit > 0 ? limit :
			std::min((uint64_t) available / 2, UINT64_C(4) << 30);

		gs_memory_open(0, limit, most);
		check_churn(limit, most);
		check_rest(limit, most);
	}
}

int
main(int argc, char **argv)
{
	return run_checks(argc, argv, checks);
}
