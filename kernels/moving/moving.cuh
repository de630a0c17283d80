/*-------------------------------------------------------------------------
 *
 * moving.cuh
 *	  Moving frames: the state, and what each kind does with elements.
 *
 * A kind is a struct with these members:
 *
 *		type			of the array's elements
 *		element			of those that are stored, one for each NULL too
 *		part			of prefix sums or extremes (moving.cu)
 *		result			of the results
 *		extremes		ahead and rest are extremes, and the struct is the
 *						function that merges two; else ahead has prefix sums,
 *						and the struct makes parts of elements
 *		floats			they are summed: batches find where their bits lie
 *		totals			there are no results: fetch gives the sums
 *		of, neutral		an element of a value, of a NULL
 *		finish			the result of a frame, of which so many elements are not
 *						NULL; false if it is out of range
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_MOVING_CUH
#define GS_MOVING_CUH

#include "kernels/common.cuh"
#include "engine/moving_moments.h"

#include <limits.h>
#include <type_traits>

#define THREADS		256
#define BLOCKS		8			/* a multiprocessor */

/* What is copied to the host for result. */
typedef struct moving_report
{
	unsigned long long out_of_range;	/* the first such result, from 1;
										 * ULLONG_MAX: none */

	/* floats, to sum: the gs_extent of those that are not special */
	unsigned int lowest;		/* UINT_MAX: none */
	unsigned int end;
	unsigned int special;		/* is one NaN, infinite or -0? */
} moving_report;

/* A frame, whose offsets are clamped to the array's length. */
struct frame
{
	int64_t		n;
	int64_t		preceding;
	int64_t		following;

	frame(const gs_op *op, int64_t elements) : n(elements)
	{
		preceding = op->moving.preceding < n ? op->moving.preceding : n;
		following = op->moving.following < n ? op->moving.following : n;
	}

	/* of element i */
	__device__ int64_t
	first(int64_t i) const
	{
		return i > preceding ? i - preceding : 0;
	}

	__device__ int64_t
	last(int64_t i) const
	{
		return i + following < n ? i + following : n - 1;
	}

	/* longer blocks than the array make no difference */
	__host__ __device__ uint32_t
	block_length(void) const
	{
		int64_t		length = preceding + 1 + following;

		return (uint32_t) (length < n ? length : n);
	}
};

/* The layout of the state. */
template <class M> struct moving_state
{
	moving_report *report;
	uint32_t   *before;
	typename M::element *element;
	typename M::part *ahead;
	typename M::part *rest;		/* extremes only */
	typename M::result *result; /* but of totals */
	void	   *workspace;
	size_t		workspace_size;
};

/* Everything but the workspace's size, for which CUB needs some time. */
template <class M>
static moving_state<M>
lay_state(int64_t n, void *state)
{
	moving_state<M> s = {};
	char	   *at = (char *) state;

	s.report = (moving_report *) gs_part(&at, sizeof(moving_report));
	s.before = (uint32_t *) gs_part(&at, n * sizeof(uint32_t));
	s.element = (typename M::element *)
		gs_part(&at, n * sizeof(typename M::element));
	s.ahead = (typename M::part *) gs_part(&at, n * sizeof(typename M::part));
	if (M::extremes)
		s.rest = (typename M::part *)
			gs_part(&at, n * sizeof(typename M::part));
	if (!M::totals)
		s.result = (typename M::result *)
			gs_part(&at, n * sizeof(typename M::result));
	s.workspace = at;
	return s;
}

static cudaError_t
grid_of(int64_t n, unsigned int *blocks)
{
	int			count;

	GS_TRY(gs_grid(gs_divide_up(n, THREADS), BLOCKS, &count));
	*blocks = (unsigned int) count;
	return cudaSuccess;
}

/* How many of elements first .. last are not NULL; before is NULL if all. */
__device__ static inline int64_t
count_values(const uint32_t *before, int64_t first, int64_t last, int64_t n,
			 int64_t present)
{
	if (before == NULL)
		return last - first + 1;
	return (last + 1 < n ? before[last + 1] : present) - before[first];
}

/*
 * Has element i of a batch a value, and where does it lie?  Without a bitmap,
 * all have.
 */
__device__ static inline bool
find_value(const uint32_t *validity, const uint32_t *ranks, int64_t i,
		   int64_t *rank)
{
	int64_t		word = i / 32;
	uint32_t	bits;

	*rank = i;
	if (validity == NULL)
		return true;
	bits = validity[word];
	*rank = ranks[i / GS_RANK_BLOCK] +
		__popc(bits & ((UINT32_C(1) << (i % 32)) - 1));
	for (int64_t w = i / GS_RANK_BLOCK * (GS_RANK_BLOCK / 32); w < word; w++)
		*rank += __popc(validity[w]);
	return bits >> (i % 32) & 1;
}

/* The number of the block of element i. */
struct block_of
{
	uint32_t	length;

	__host__ __device__ uint32_t
	operator()(uint32_t i) const
	{
		return i / length;
	}
};

/* The number of element i's block, counted from the array's end. */
struct block_from_end
{
	uint32_t	length;
	uint32_t	last;

	__host__ __device__ uint32_t
	operator()(uint32_t i) const
	{
		return (last - i) / length;
	}
};

struct same_block
{
	__host__ __device__ bool
	operator()(uint32_t a, uint32_t b) const
	{
		return a == b;
	}
};

/* ----------
 * Sums
 * ----------
 */

struct alignas(16) wide_sum
{
	gs_wide		sum;
};

/* For standard deviations. */
struct alignas(16) wide_moments
{
	gs_wide		sum;
	gs_quad		squares;
};

struct add_parts
{
	__host__ __device__ int64_t
	operator()(int64_t a, int64_t b) const
	{
		return a + b;
	}

	__host__ __device__ wide_sum
	operator()(wide_sum a, wide_sum b) const
	{
		wide_sum	r = {gs_wide_add(a.sum, b.sum)};

		return r;
	}

	__host__ __device__ wide_moments
	operator()(wide_moments a, wide_moments b) const
	{
		wide_moments r = {gs_wide_add(a.sum, b.sum),
		gs_quad_add(a.squares, b.squares, false)};

		return r;
	}
};

/* The difference of two prefix sums: of elements first .. last. */
__device__ static inline gs_wide
difference(const wide_sum *ahead, int64_t first, int64_t last)
{
	wide_sum	sum = ahead[last];

	return first > 0 ? gs_wide_subtract(sum.sum, ahead[first - 1].sum) :
		sum.sum;
}

__device__ static inline wide_moments
difference(const wide_moments *ahead, int64_t first, int64_t last)
{
	wide_moments r = ahead[last];

	if (first > 0)
	{
		r.sum = gs_wide_subtract(r.sum, ahead[first - 1].sum);
		r.squares = gs_quad_add(r.squares, ahead[first - 1].squares, true);
	}
	return r;
}

/* 64 bits hold all prefix sums. */
template <typename T> struct moving_integer_sum
{
	typedef T type;
	typedef T element;
	typedef int64_t part;
	typedef int64_t result;
	static const bool extremes = false;
	static const bool floats = false;
	static const bool totals = false;

	moving_integer_sum(const gs_op *, const moving_report *)
	{
	}

	__device__ T of(T x) const { return x; }
	__device__ T neutral(void) const { return 0; }

	__host__ __device__ int64_t
	operator()(T x) const
	{
		return x;
	}

	__device__ bool
	finish(const frame &, const int64_t *ahead, const int64_t *,
		   int64_t first, int64_t last, int64_t, int64_t *result) const
	{
		*result = ahead[last] - (first > 0 ? ahead[first - 1] : 0);
		return true;
	}
};

struct moving_wide_sum
{
	typedef int64_t type;
	typedef int64_t element;
	typedef wide_sum part;
	typedef int64_t result;
	static const bool extremes = false;
	static const bool floats = false;
	static const bool totals = false;

	moving_wide_sum(const gs_op *, const moving_report *)
	{
	}

	__device__ int64_t of(int64_t x) const { return x; }
	__device__ int64_t neutral(void) const { return 0; }

	__host__ __device__ wide_sum
	operator()(int64_t x) const
	{
		wide_sum	r = {gs_wide_of_int64(x)};

		return r;
	}

	__device__ bool
	finish(const frame &, const wide_sum *ahead, const wide_sum *,
		   int64_t first, int64_t last, int64_t, int64_t *result) const
	{
		gs_wide		sum = difference(ahead, first, last);

		*result = (int64_t) sum.low;
		return sum.high == (uint64_t) (*result >> 63);
	}
};

/* For means of integers: their sums; of elements that are not NULL. */
template <typename T> struct moving_total
{
	typedef T type;
	typedef T element;
	typedef wide_sum part;
	typedef int64_t result;		/* none */
	static const bool extremes = false;
	static const bool floats = false;
	static const bool totals = true;

	moving_total(const gs_op *, const moving_report *)
	{
	}

	__device__ T of(T x) const { return x; }
	__device__ T neutral(void) const { return 0; }

	__host__ __device__ wide_sum
	operator()(T x) const
	{
		wide_sum	r = {gs_wide_of_int64(x)};

		return r;
	}
};

/* For standard deviations: those of squares too. */
template <typename T> struct moving_moments
{
	typedef T type;
	typedef T element;
	typedef wide_moments part;
	typedef int64_t result;		/* none */
	static const bool extremes = false;
	static const bool floats = false;
	static const bool totals = true;

	moving_moments(const gs_op *, const moving_report *)
	{
	}

	__device__ T of(T x) const { return x; }
	__device__ T neutral(void) const { return 0; }

	__host__ __device__ wide_moments
	operator()(T x) const
	{
		wide_moments r = {gs_wide_of_int64(x), {{0}}};

		gs_quad_add_product(&r.squares, r.sum, r.sum, false);
		return r;
	}
};

/* ----------
 * Extremes
 * ----------
 */

template <typename T> struct moving_extreme
{
	typedef T type;
	typedef typename gs_key<T>::type element;
	typedef element part;
	typedef T result;
	static const bool extremes = true;
	static const bool floats = false;
	static const bool totals = false;
	bool		max;

	moving_extreme(const gs_op *op, const moving_report *) :
		max(op->kind == GS_MOVING_MAX)
	{
	}

	__device__ element of(T x) const { return gs_key<T>::of(x); }

	__device__ element
	neutral(void) const
	{
		return gs_key<T>::of(max ? gs_key<T>::first() : gs_key<T>::last());
	}

	__host__ __device__ part
	operator()(part a, part b) const
	{
		return max == (a < b) ? b : a;
	}

	/*
	 * A frame within one block starts with it, or ends with it or with the
	 * array.
	 */
	__device__ bool
	finish(const frame &f, const part *ahead, const part *rest, int64_t first,
		   int64_t last, int64_t, T *result) const
	{
		uint32_t	length = f.block_length();
		part		r;

		if ((uint32_t) first / length != (uint32_t) last / length)
			r = (*this) (rest[first], ahead[last]);
		else if ((uint32_t) first % length == 0)
			r = ahead[last];
		else
			r = rest[first];
		*result = gs_key<T>::value(r);
		return true;
	}
};

#endif							/* GS_MOVING_CUH */
