/*-------------------------------------------------------------------------
 *
 * summands.cuh
 *	  The floats of places that are added up, as integers of 128 bits where the
 *	  bits of all lie close enough together (engine/moving.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_WINDOWS_SUMMANDS_CUH
#define GS_WINDOWS_SUMMANDS_CUH

#include "kernels/windows/prefix.cuh"

/* The values of places. */
typedef struct summands
{
	windows_places places;
	windows_present present;
	const void *values;
	gs_type		type;
} summands;

/* Is it present?  If so, *x is the value. */
__device__ static inline bool
find_summand(const summands &s, uint32_t i, double *x)
{
	uint32_t	row = row_of(s.places, i);

	if (!is_present(s.present, row))
		return false;
	*x = float_of(s.values, s.type, row);
	return true;
}

/* What is not finite is a zero. */
struct wide_at
{
	summands	s;
	int			base;

	__device__ gs_wide
	operator()(uint32_t i) const
	{
		gs_wide		zero = {0, 0};
		double		x;

		return find_summand(s, i, &x) && gs_is_finite(x) ?
			gs_wide_of(x, base) : zero;
	}
};

struct add_wide
{
	__host__ __device__ gs_wide
	operator()(gs_wide a, gs_wide b) const
	{
		return gs_wide_add(a, b);
	}
};

/* Where the bits of a column's values lie. */
static inline gs_extent
windows_extent_of(const windows_found *found)
{
	const gs_extent extent = {found->end == 0 ? INT32_MAX :
		(int) found->lowest, (int) found->end};

	return extent;
}

/* Of prefix sums of n places. */
template <typename T>
static inline cudaError_t
windows_take_sums(windows_call *c, T **sums)
{
	void	   *memory;

	GS_TRY(windows_take(c->run, (c->places.n + (size_t) 1) * sizeof(T),
						&memory));
	*sums = (T *) memory;
	return cudaSuccess;
}

#endif							/* GS_WINDOWS_SUMMANDS_CUH */
