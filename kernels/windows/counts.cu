/*-------------------------------------------------------------------------
 *
 * counts.cu
 *	  Counts, and sums of integers, of frames: differences of prefix sums.
 *
 * Determinism: integers are added, and those of 128 bits wrap around: a
 * difference of sums is right, whatever the sums are.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/windows/frames.cuh"
#include "kernels/windows/prefix.cuh"

struct present_at
{
	windows_places places;
	windows_present present;

	__device__ uint32_t
	operator()(uint32_t i) const
	{
		return is_present(present, row_of(places, i));
	}
};

cudaError_t
windows_count_present(windows_call *c, const uint32_t **counts)
{
	const present_at f = {c->places, c->present};
	void	   *memory;

	*counts = NULL;
	if (c->all)
		return cudaSuccess;
	GS_TRY(windows_take(c->run, (c->places.n + (size_t) 1) * sizeof(uint32_t),
						&memory));
	*counts = (const uint32_t *) memory;
	return windows_prefix(c->run, c->places.n, f, windows_add(),
						  (uint32_t *) memory);
}

struct counted
{
	typedef int64_t result;
	windows_frames frames;
	const uint32_t *counts;

	__device__ int64_t
	operator()(const windows_places &p, uint32_t i, bool *valid) const
	{
		uint32_t	from;
		uint32_t	to;

		frame_of(p, frames, i, &from, &to);
		*valid = true;
		return count_of(counts, from, to);
	}
};

cudaError_t
windows_count(windows_call *c)
{
	counted		f = {windows_frames_of(c), NULL};

	GS_TRY(windows_count_present(c, &f.counts));
	return windows_compute(c, f);
}

/* ----------
 * Sums of integers
 * ----------
 */

/* Sum is int64_t, where no sum of all is beyond it, or __int128. */
template <typename Sum> struct integer_at
{
	windows_places places;
	windows_present present;
	const void *values;
	gs_type		type;

	__device__ Sum
	operator()(uint32_t i) const
	{
		uint32_t	row = row_of(places, i);

		return is_present(present, row) ?
			(Sum) integer_of(values, type, row) : 0;
	}
};

template <typename Sum> struct integer_sum
{
	typedef int64_t result;
	windows_frames frames;
	const uint32_t *counts;
	const Sum  *sums;
	windows_report *report;

	__device__ int64_t
	operator()(const windows_places &p, uint32_t i, bool *valid) const
	{
		uint32_t	from;
		uint32_t	to;
		Sum			sum;

		frame_of(p, frames, i, &from, &to);
		*valid = count_of(counts, from, to) > 0;
		sum = sums[to] - sums[from];
		if ((int64_t) sum != sum)
			windows_error(report, GS_ERROR_RANGE);
		return (int64_t) sum;
	}
};

template <typename Sum>
static cudaError_t
sum_integers(windows_call *c)
{
	const integer_at<Sum> at = {c->places, c->present, c->argument, c->type};
	integer_sum<Sum> f = {windows_frames_of(c), NULL, NULL, c->run->report};
	void	   *memory;

	GS_TRY(windows_count_present(c, &f.counts));
	GS_TRY(windows_take(c->run, (c->places.n + (size_t) 1) * sizeof(Sum),
						&memory));
	f.sums = (const Sum *) memory;
	GS_TRY(windows_prefix(c->run, c->places.n, at, windows_add(),
						  (Sum *) memory));
	return windows_compute(c, f);
}

/* Is no sum of n values from low to high beyond 63 bits? */
static bool
is_narrow(const windows_found *found, int64_t n)
{
	__int128	low = (__int128) found->low * n;
	__int128	high = (__int128) found->high * n;

	return found->low > found->high ||
		(low > INT64_MIN / 2 && high < INT64_MAX / 2);
}

cudaError_t
windows_integers(windows_call *c)
{
	if (is_narrow(&c->run->found[c->f->argument], c->places.n))
		return sum_integers<int64_t>(c);
	return sum_integers<__int128>(c);
}
