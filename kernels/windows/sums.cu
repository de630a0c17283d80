/*-------------------------------------------------------------------------
 *
 * sums.cu
 *	  Sums and means of floats of frames, rounded once: differences of prefix
 *	  sums.
 *
 * Where the bits of all values lie close enough together, sums are integers of
 * 128 bits (engine/moving.h).  Else each of the limbs that values lie in has
 * prefix sums of its own, without carries: there are at most 2^30 rows.  What
 * NaN, infinities and -0 make of a sum follows from where each of them was last.
 *
 * Determinism: sums are integers, and rounded only at last.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/reduce/segment_round.cuh"
#include "kernels/windows/frames.cuh"
#include "kernels/windows/summands.cuh"

/* What a value adds to one limb. */
struct limb_at
{
	summands	s;
	int			limb;

	__device__ int64_t
	operator()(uint32_t i) const
	{
		double		x;
		int			position;
		bool		negative;
		uint64_t	m;
		int			shift;
		int64_t		part;

		if (!find_summand(s, i, &x) || !gs_is_finite(x))
			return 0;
		m = gs_split(x, &position, &negative);
		shift = position & 31;
		switch (limb - (position >> 5))
		{
			case 0:
				part = (int64_t) ((m << shift) & 0xffffffffu);
				break;
			case 1:
				part = (int64_t) (m << shift >> 32);
				break;
			case 2:
				part = (int64_t) ((m >> 1) >> (63 - shift));
				break;
			default:
				part = 0;
				break;
		}
		return negative ? -part : part;
	}
};

struct last_seen_at
{
	summands	s;

	__device__ gs_last_seen
	operator()(uint32_t i) const
	{
		gs_last_seen none = {{0}};
		double		x;

		return find_summand(s, i, &x) ? gs_last_seen_of(x, i) : none;
	}
};

struct add_last_seen
{
	__host__ __device__ gs_last_seen
	operator()(gs_last_seen a, gs_last_seen b) const
	{
		return gs_last_seen_merge(a, b);
	}
};

/* Prefix sums, from 0 to n. */
typedef struct float_sums
{
	windows_frames frames;
	const uint32_t *counts;
	const gs_last_seen *seen;	/* NULL: no value is special */
	const gs_wide *wide;		/* or limbs: */
	int			base;			/* of these */
	const int64_t *limbs;		/* those of each limb after the others */
	int			first;
	int			limb_count;
	bool		mean;
	windows_report *report;
} float_sums;

__device__ static inline double
sum_of_limbs(const float_sums &s, uint32_t n, uint32_t from, uint32_t to,
			 uint32_t count)
{
	gs_digits	d = {};
	int64_t		carry = 0;

	for (int k = 0; k < s.limb_count; k++)
	{
		const int64_t *limb = s.limbs + k * (n + (size_t) 1);

		carry = (limb[to] - limb[from] + carry) >> 32;
	}
	d.negative = carry < 0;
	carry = 0;
	for (int k = 0; k < s.limb_count; k++)
	{
		const int64_t *limb = s.limbs + k * (n + (size_t) 1);
		int64_t		sum = limb[to] - limb[from];

		carry += d.negative ? -sum : sum;
		d.digit[s.first + k + 2] = (uint32_t) carry;
		carry >>= 32;
	}
	if (s.mean)
		gs_digits_divide(&d, count);
	return gs_digits_to_double(&d);
}

struct float_sum
{
	typedef double result;
	float_sums	s;

	__device__ double
	operator()(const windows_places &p, uint32_t i, bool *valid) const
	{
		uint32_t	from;
		uint32_t	to;
		uint32_t	count;
		double		x;

		frame_of(p, s.frames, i, &from, &to);
		count = count_of(s.counts, from, to);
		*valid = count > 0;
		if (!*valid ||
			(s.seen != NULL &&
			 gs_special_sum(gs_last_seen_since(s.seen[to], from), &x)))
			return *valid ? x : 0;
		if (s.wide == NULL)
			x = sum_of_limbs(s, p.n, from, to, count);
		else
		{
			gs_wide		sum = gs_wide_subtract(s.wide[to], s.wide[from]);

			x = s.mean ? gs_wide_mean(sum, s.base, count) :
				gs_wide_round(sum, s.base);
		}
		if (!gs_is_finite(x))
			windows_error(s.report, GS_ERROR_RANGE);
		return x;
	}
};

static cudaError_t
sum_wide(windows_call *c, const summands &s, float_sums *sums)
{
	const wide_at at = {s, sums->base};
	gs_wide    *memory;

	GS_TRY(windows_take_sums(c, &memory));
	sums->wide = memory;
	return windows_prefix(c->run, c->places.n, at, add_wide(), memory);
}

static cudaError_t
sum_limbs(windows_call *c, const summands &s, const gs_extent &extent,
		  float_sums *sums)
{
	cudaStream_t stream = windows_stream(c->run);
	size_t		n = c->places.n + (size_t) 1;
	size_t		size = 0;
	void	   *workspace = NULL;
	void	   *memory;

	sums->first = extent.lowest / 32;
	sums->limb_count = (extent.end + 31) / 32 + 2 - sums->first;
	if (sums->limb_count > GS_ACC_LIMBS - sums->first)
		sums->limb_count = GS_ACC_LIMBS - sums->first;
	GS_TRY(windows_take(c->run, sums->limb_count * n * sizeof(int64_t),
						&memory));
	sums->limbs = (const int64_t *) memory;
	GS_TRY(cudaMemsetAsync(memory, 0, sums->limb_count * n * sizeof(int64_t),
						   stream));
	for (int k = -1; k < sums->limb_count; k++)
	{
		const limb_at at = {s, sums->first + k};

		/* in turn, so they share a workspace */
		if (k == 0)
			GS_TRY(windows_take(c->run, size, &workspace));
		GS_TRY(cub::DeviceScan::InclusiveScan
			   (workspace, size, windows_each_place(at),
				(int64_t *) memory + k * (int64_t) n + 1, windows_add(),
				(int) c->places.n, stream));
	}
	return cudaSuccess;
}

static cudaError_t
find_last_seen(windows_call *c, const summands &s, float_sums *sums)
{
	const last_seen_at at = {s};
	gs_last_seen *memory;

	GS_TRY(windows_take_sums(c, &memory));
	sums->seen = memory;
	return windows_prefix(c->run, c->places.n, at, add_last_seen(), memory);
}

cudaError_t
windows_floats(windows_call *c)
{
	const windows_found *found = &c->run->found[c->f->argument];
	const gs_extent extent = windows_extent_of(found);
	const summands s = {c->places, c->present, c->argument, c->type};
	float_sum	f = {};

	f.s.frames = windows_frames_of(c);
	f.s.mean = c->f->kind == GS_WINDOW_AVERAGE;
	f.s.report = c->run->report;
	GS_TRY(windows_count_present(c, &f.s.counts));
	if (found->special != 0)
		GS_TRY(find_last_seen(c, s, &f.s));
	if (gs_wide_fits(extent, c->places.n, &f.s.base))
		GS_TRY(sum_wide(c, s, &f.s));
	else
		GS_TRY(sum_limbs(c, s, extent, &f.s));
	return windows_compute(c, f);
}
