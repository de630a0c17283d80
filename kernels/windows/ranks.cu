/*-------------------------------------------------------------------------
 *
 * ranks.cu
 *	  Functions of a row's place in its partition.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/windows/places.cuh"

struct row_number
{
	typedef int64_t result;

	__device__ int64_t
	operator()(const windows_places &p, uint32_t i, bool *valid) const
	{
		*valid = true;
		return (int64_t) i - partition_first(p, i) + 1;
	}
};

struct rank_of
{
	typedef int64_t result;

	__device__ int64_t
	operator()(const windows_places &p, uint32_t i, bool *valid) const
	{
		*valid = true;
		return (int64_t) peers_first(p, i) - partition_first(p, i) + 1;
	}
};

struct dense_rank
{
	typedef int64_t result;

	__device__ int64_t
	operator()(const windows_places &p, uint32_t i, bool *valid) const
	{
		*valid = true;
		return (int64_t) p.peers[i] - p.peers[partition_first(p, i)] + 1;
	}
};

struct percent_rank
{
	typedef double result;

	__device__ double
	operator()(const windows_places &p, uint32_t i, bool *valid) const
	{
		uint32_t	first = partition_first(p, i);
		uint32_t	before = peers_first(p, i) - first;

		*valid = true;
		return before == 0 ? 0 :
			(double) before / (double) (partition_end(p, i) - first - 1);
	}
};

struct cume_dist
{
	typedef double result;

	__device__ double
	operator()(const windows_places &p, uint32_t i, bool *valid) const
	{
		uint32_t	first = partition_first(p, i);

		*valid = true;
		return (double) (peers_end(p, i) - first) /
			(double) (partition_end(p, i) - first);
	}
};

/* The first buckets have a row more than the others. */
struct ntile
{
	typedef int32_t result;
	uint32_t	buckets;

	__device__ int32_t
	operator()(const windows_places &p, uint32_t i, bool *valid) const
	{
		uint32_t	first = partition_first(p, i);
		uint32_t	all = partition_end(p, i) - first;
		uint32_t	rows = all / buckets;
		uint32_t	more = all % buckets;
		uint32_t	place = i - first;

		*valid = true;
		if (place / (rows + 1) < more)
			return (int32_t) (place / (rows + 1)) + 1;
		return (int32_t) ((place - more) / rows) + 1;
	}
};

cudaError_t
windows_ranks(windows_call *c)
{
	switch (c->f->kind)
	{
		case GS_WINDOW_ROW_NUMBER:
			return windows_compute(c, row_number());
		case GS_WINDOW_RANK:
			return windows_compute(c, rank_of());
		case GS_WINDOW_DENSE_RANK:
			return windows_compute(c, dense_rank());
		case GS_WINDOW_PERCENT_RANK:
			return windows_compute(c, percent_rank());
		case GS_WINDOW_CUME_DIST:
			return windows_compute(c, cume_dist());
		default:
			return windows_compute(c, ntile {(uint32_t) c->f->offset});
	}
}
