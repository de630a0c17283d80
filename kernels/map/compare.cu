/*-------------------------------------------------------------------------
 *
 * compare.cu
 *	  Comparisons with a range or another array, elements kept within a range,
 *	  logic, and elements chosen by a condition.
 *
 * elementwise.cuh has the kernels.  A bool is a byte, so a result of a comparison
 * is far narrower than the elements: a thread has 2 bytes of results for 16 of
 * doubles, and neighbours write neighbouring ones.
 *
 *-------------------------------------------------------------------------
 */
#include <float.h>

#include "kernels/map/elementwise.cuh"

#include "engine/arithmetic.h"
#include "engine/range.h"

/* The range of a type, and what its comparisons are. */
template <typename T> struct ordered;

#define ORDERED(suffix, type) \
template <> struct ordered<type> \
{ \
	typedef gs_range_##suffix range; \
\
	static range \
	range_of(const gs_op *op) \
	{ \
		return gs_range_of_##suffix(op); \
	} \
\
	static range \
	ends_of(const gs_op *op) \
	{ \
		return gs_ends_##suffix(op); \
	} \
\
	static __device__ __forceinline__ bool \
	within(const range &r, type x) \
	{ \
		return gs_within_##suffix(&r, x); \
	} \
\
	static __device__ __forceinline__ type \
	clip(const range &r, type x) \
	{ \
		return gs_clip_##suffix(&r, x); \
	} \
\
	static __device__ __forceinline__ bool \
	less(type x, type y) \
	{ \
		return gs_less_##suffix(x, y); \
	} \
\
	static __device__ __forceinline__ bool \
	equal(type x, type y) \
	{ \
		return gs_equal_##suffix(x, y); \
	} \
};

ORDERED(int2, int16_t)
ORDERED(int4, int32_t)
ORDERED(int8, int64_t)
ORDERED(float4, float)
ORDERED(float8, double)

/*
 * One array: GS_COMPARE_VECTORS 16-byte loads are in flight a thread, as there is
 * no second array's.
 */
template <typename T>
struct between
{
	typedef T	A;
	typedef T	B;
	typedef uint8_t R;
	static constexpr int vectors = GS_COMPARE_VECTORS;
	static constexpr bool lenient = false;

	typename ordered<T>::range range;

	__device__ __forceinline__ uint32_t
	operator()(T a, T, uint8_t *r) const
	{
		*r = ordered<T>::within(range, a);
		return 0;
	}
};

template <typename T>
struct clip
{
	typedef T	A;
	typedef T	B;
	typedef T	R;
	static constexpr int vectors = 1;
	static constexpr bool lenient = false;

	typename ordered<T>::range range;

	__device__ __forceinline__ uint32_t
	operator()(T a, T, T *r) const
	{
		*r = ordered<T>::clip(range, a);
		return 0;
	}
};

template <typename T, bool equality>
struct comparison
{
	typedef T	A;
	typedef T	B;
	typedef uint8_t R;
	static constexpr int vectors = 1;
	static constexpr bool lenient = false;

	bool		reverse;

	__device__ __forceinline__ uint32_t
	operator()(T a, T b, uint8_t *r) const
	{
		*r = (equality ? ordered<T>::equal(a, b) : ordered<T>::less(a, b)) !=
			reverse;
		return 0;
	}
};

/* A client's booleans may be any byte. */
struct negation
{
	typedef uint8_t A;
	typedef uint8_t B;
	typedef uint8_t R;
	static constexpr int vectors = 1;
	static constexpr bool lenient = false;

	__device__ __forceinline__ uint32_t
	operator()(uint8_t a, uint8_t, uint8_t *r) const
	{
		*r = a == 0;
		return 0;
	}
};

/* An element that is true, of OR, or false, of AND, decides alone. */
template <bool conjunction>
struct logic
{
	typedef uint8_t A;
	typedef uint8_t B;
	typedef uint8_t R;
	static constexpr int vectors = 1;
	static constexpr bool lenient = true;

	__device__ __forceinline__ uint32_t
	operator()(uint8_t a, uint8_t b, uint8_t *r) const
	{
		*r = conjunction ? (a != 0) & (b != 0) : (a | b) != 0;
		return 0;
	}

	__device__ __forceinline__ bool
	has(bool has_a, uint8_t a, bool has_b, uint8_t b) const
	{
		return (has_a && has_b) || (has_a && (a != 0) != conjunction) ||
			(has_b && (b != 0) != conjunction);
	}
};

/* An element or the constant, as the mask says. */
template <typename T>
struct choice
{
	typedef T	A;
	typedef uint8_t B;
	typedef T	R;
	static constexpr int vectors = 1;
	static constexpr bool lenient = true;

	T			constant;
	bool		has_constant;
	bool		reverse;

	__device__ __forceinline__ uint32_t
	operator()(T a, uint8_t b, T *r) const
	{
		*r = (b != 0) != reverse ? a : constant;
		return 0;
	}

	__device__ __forceinline__ bool
	has(bool has_a, T, bool, uint8_t b) const
	{
		return (b != 0) != reverse ? has_a : has_constant;
	}
};

/* What a batch is computed with. */
struct map_call
{
	const gs_op *op;
	const gs_device_input *in;
	const gs_device_output *out;
	pair_scratch scratch;
	cudaStream_t stream;
};

template <class F>
static cudaError_t
launch_one(const map_call *c, const F &f)
{
	return launch_map(f, array_operand<typename F::A>(c->in, false,
													  &c->scratch),
					  constant_operand(typename F::B(0)), false, false, c->in,
					  c->out, &c->scratch, c->stream);
}

/* swapped: the mask is the functor's first operand */
template <class F>
static cudaError_t
launch_two(const map_call *c, const F &f, bool swapped, bool gaps)
{
	return launch_map(f, array_operand<typename F::A>(c->in, swapped,
													  &c->scratch),
					  array_operand<typename F::B>(c->in, !swapped,
												   &c->scratch),
					  true, gaps, c->in, c->out, &c->scratch, c->stream);
}

/* a > b is b < a, and a <= b is its reverse. */
template <typename T>
static cudaError_t
compare(const map_call *c)
{
	const int	code = c->op->pairs.compare;
	const bool	reverse = code == GS_LE || code == GS_GE || code == GS_NE;

	if (code == GS_EQ || code == GS_NE)
		return launch_two(c, comparison<T, true>{reverse}, false, false);
	return launch_two(c, comparison<T, false>{reverse},
					  code == GS_GT || code == GS_LE, false);
}

template <typename T>
static cudaError_t
choose(const map_call *c)
{
	const bool	has_constant = c->op->choose.has_constant;
	const choice<T> f = {constant_of(&c->op->choose.constant, T(0)), has_constant,
		c->op->choose.where_false != 0};

	return launch_two(c, f, false, !has_constant);
}

template <typename T>
static cudaError_t
launch(const map_call *c)
{
	switch (c->op->kind)
	{
		case GS_BETWEEN:
			return launch_one(c, between<T>{ordered<T>::range_of(c->op)});
		case GS_CLIP:
			return launch_one(c, clip<T>{ordered<T>::ends_of(c->op)});
		case GS_COMPARE:
			return compare<T>(c);
		default:
			return choose<T>(c);
	}
}

static cudaError_t
launch_bool(const map_call *c)
{
	switch (c->op->kind)
	{
		case GS_NOT:
			return launch_one(c, negation{});
		case GS_AND:
			return launch_two(c, logic<true>{}, false, false);
		case GS_OR:
			return launch_two(c, logic<false>{}, false, false);
		default:
			return choose<uint8_t>(c);
	}
}

static cudaError_t
compare_batch(const gs_op *op, const gs_device_input *in,
			  const gs_device_output *out, void *, void *scratch,
			  cudaStream_t stream)
{
	const map_call call = {op, in, out,
		scratch_at(scratch, gs_has_mask(op) ? in->n : 0), stream};

	if (op->type == GS_BOOL)
		return launch_bool(&call);
	GS_BY_TYPE(op->type, launch, (&call))
}

const gs_kernels gs_compare_kernels = {
	.name = "compare",
	.scratch_size = map_scratch_size,
	.batch = compare_batch
};
