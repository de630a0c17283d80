/*-------------------------------------------------------------------------
 *
 * common.cuh
 *	  What the kernels share: launches, warp primitives, order-preserving keys,
 *	  and atomic additions to the exact accumulator.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_COMMON_CUH
#define GS_COMMON_CUH

#include <cuda_runtime.h>
#include <stdint.h>

#include "kernels/kernels.h"
#include "kernels/tuning.h"

#define GS_WARP			32
#define GS_ALL_LANES	0xffffffffu

typedef unsigned __int128 gs_u128;

/* The error of the last launch. */
static inline cudaError_t
gs_launched(void)
{
	return cudaGetLastError();
}

/* Return from the calling function if this fails. */
#define GS_TRY(call) \
	do { \
		cudaError_t gs_try_error = (call); \
		if (gs_try_error != cudaSuccess) \
			return gs_try_error; \
	} while (0)

/*
 * Return function<T>(arguments) from the calling function, for the type T of
 * elements of a gs_type other than GS_BOOL.
 */
#define GS_BY_TYPE(type, function, arguments) \
	switch (type) \
	{ \
		case GS_INT2: \
			return function<int16_t> arguments; \
		case GS_INT4: \
			return function<int32_t> arguments; \
		case GS_INT8: \
			return function<int64_t> arguments; \
		case GS_FLOAT4: \
			return function<float> arguments; \
		default: \
			return function<double> arguments; \
	}

/* The aligned size of a part of scratch or state memory. */
static inline size_t
gs_aligned(size_t bytes)
{
	return (bytes + GS_DEVICE_ALIGN - 1) / GS_DEVICE_ALIGN * GS_DEVICE_ALIGN;
}

/* Carve the next part off a memory block. */
static inline void *
gs_part(char **at, size_t bytes)
{
	char	   *part = *at;

	*at += gs_aligned(bytes);
	return part;
}

__host__ __device__ static inline int64_t
gs_divide_up(int64_t a, int64_t b)
{
	return (a + b - 1) / b;
}

/*
 * The grid that fills the current device with per_multiprocessor blocks on
 * each multiprocessor, but at most max_blocks.
 */
static inline cudaError_t
gs_grid(int64_t max_blocks, int per_multiprocessor, int *blocks)
{
	int			device;
	int			count;

	GS_TRY(cudaGetDevice(&device));
	GS_TRY(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount,
								  device));
	*blocks = count * per_multiprocessor;
	if (*blocks > max_blocks)
		*blocks = (int) max_blocks;
	return cudaSuccess;
}

/*
 * Allow a kernel all dynamic shared memory that there is.  It is always the
 * maximum because the setting belongs to the kernel, and other threads launch
 * it at the same time with other sizes.  It is set once on a device because the
 * call takes as long as a launch; two threads may both set it, which does no harm.
 */
#define GS_CUDA_DEVICES_MAX	64	/* of the host; on others it is set each time */

template <auto kernel>
static cudaError_t
gs_allow_shared(void)
{
	static bool allowed[GS_CUDA_DEVICES_MAX];
	cudaFuncAttributes attributes;
	int			device;
	int			max_shared;

	GS_TRY(cudaGetDevice(&device));
	if (device < GS_CUDA_DEVICES_MAX && allowed[device])
		return cudaSuccess;
	GS_TRY(cudaDeviceGetAttribute(&max_shared,
								  cudaDevAttrMaxSharedMemoryPerBlockOptin,
								  device));
	GS_TRY(cudaFuncGetAttributes(&attributes, kernel));
	GS_TRY(cudaFuncSetAttribute(kernel,
								cudaFuncAttributeMaxDynamicSharedMemorySize,
								max_shared -
								(int) attributes.sharedSizeBytes));
	if (device < GS_CUDA_DEVICES_MAX)
		allowed[device] = true;
	return cudaSuccess;
}

__device__ static inline int
gs_lane(void)
{
	return threadIdx.x % GS_WARP;
}

__device__ static inline int
gs_warp(void)
{
	return threadIdx.x / GS_WARP;
}

/* By a whole warp, whose first lane's i is a multiple of 32: is result i not NULL? */
__device__ static inline void
gs_put_valid(uint64_t *validity, int64_t i, bool valid)
{
	uint32_t	bits = __ballot_sync(GS_ALL_LANES, valid);

	if (gs_lane() == 0)
		((uint32_t *) validity)[i / GS_WARP] = bits;
}

/* The sum of a warp's values, modulo 2^32, for all of its lanes. */
__device__ static __forceinline__ uint32_t
gs_warp_sum(uint32_t value)
{
#if __CUDA_ARCH__ >= 800
	return __reduce_add_sync(GS_ALL_LANES, value);
#else
	for (int d = GS_WARP / 2; d > 0; d /= 2)
		value += __shfl_xor_sync(GS_ALL_LANES, value, d);
	return value;
#endif
}

/* Shuffles of anything made of 32-bit words. */
template <typename T>
__device__ static inline T
gs_shuffle_down(T value, int delta)
{
	static_assert(sizeof(T) % 4 == 0, "not made of words");
	uint32_t	word[sizeof(T) / 4];

	memcpy(word, &value, sizeof(T));
#pragma unroll
	for (int i = 0; i < (int) (sizeof(T) / 4); i++)
		word[i] = __shfl_down_sync(GS_ALL_LANES, word[i], delta);
	memcpy(&value, word, sizeof(T));
	return value;
}

template <typename T>
__device__ static inline T
gs_shuffle_up(T value, int delta)
{
	static_assert(sizeof(T) % 4 == 0, "not made of words");
	uint32_t	word[sizeof(T) / 4];

	memcpy(word, &value, sizeof(T));
#pragma unroll
	for (int i = 0; i < (int) (sizeof(T) / 4); i++)
		word[i] = __shfl_up_sync(GS_ALL_LANES, word[i], delta);
	memcpy(&value, word, sizeof(T));
	return value;
}

template <typename T>
__device__ static inline T
gs_shuffle_xor(T value, int mask)
{
	static_assert(sizeof(T) % 4 == 0, "not made of words");
	uint32_t	word[sizeof(T) / 4];

	memcpy(word, &value, sizeof(T));
#pragma unroll
	for (int i = 0; i < (int) (sizeof(T) / 4); i++)
		word[i] = __shfl_xor_sync(GS_ALL_LANES, word[i], mask);
	memcpy(&value, word, sizeof(T));
	return value;
}

template <typename T>
__device__ static inline T
gs_shuffle(T value, int lane)
{
	static_assert(sizeof(T) % 4 == 0, "not made of words");
	uint32_t	word[sizeof(T) / 4];

	memcpy(word, &value, sizeof(T));
#pragma unroll
	for (int i = 0; i < (int) (sizeof(T) / 4); i++)
		word[i] = __shfl_sync(GS_ALL_LANES, word[i], lane);
	memcpy(&value, word, sizeof(T));
	return value;
}

__device__ static inline int
warp_max(int x)
{
#if __CUDA_ARCH__ >= 800
	return __reduce_max_sync(GS_ALL_LANES, x);
#else
#pragma unroll
	for (int d = 1; d < GS_WARP; d *= 2)
		x = max(x, __shfl_xor_sync(GS_ALL_LANES, x, d));
	return x;
#endif
}

/*
 * Keys: integers in the order of SQL's values: NaN above infinity, -0 below 0.
 * All NaN have the key of the canonical one.  first() and last() are the
 * lowest and highest values.
 */
template <typename T> struct gs_key;

template <> struct gs_key<int16_t>
{
	typedef int32_t type;
	GS_INLINE type of(int16_t x) { return x; }
	GS_INLINE int16_t value(type key) { return (int16_t) key; }
	GS_INLINE int16_t first(void) { return INT16_MIN; }
	GS_INLINE int16_t last(void) { return INT16_MAX; }
};

template <> struct gs_key<int32_t>
{
	typedef int32_t type;
	GS_INLINE type of(int32_t x) { return x; }
	GS_INLINE int32_t value(type key) { return key; }
	GS_INLINE int32_t first(void) { return INT32_MIN; }
	GS_INLINE int32_t last(void) { return INT32_MAX; }
};

template <> struct gs_key<int64_t>
{
	typedef int64_t type;
	GS_INLINE type of(int64_t x) { return x; }
	GS_INLINE int64_t value(type key) { return key; }
	GS_INLINE int64_t first(void) { return INT64_MIN; }
	GS_INLINE int64_t last(void) { return INT64_MAX; }
};

template <> struct gs_key<float>
{
	typedef int32_t type;

	GS_INLINE type
	of(float x)
	{
		int32_t		bits;

		memcpy(&bits, &x, sizeof bits);
		return x != x ? 0x7fc00000 : bits ^ ((bits >> 31) & 0x7fffffff);
	}

	GS_INLINE float
	value(type key)
	{
		float		x;

		key ^= (key >> 31) & 0x7fffffff;
		memcpy(&x, &key, sizeof x);
		return x;
	}

	GS_INLINE float first(void) { return -HUGE_VALF; }
	GS_INLINE float last(void) { return (float) gs_canonical_nan(); }
};

template <> struct gs_key<double>
{
	typedef int64_t type;

	GS_INLINE type
	of(double x)
	{
		int64_t		bits = (int64_t) gs_double_bits(x);

		return x != x ? INT64_C(0x7ff8000000000000) :
			bits ^ ((bits >> 63) & INT64_MAX);
	}

	GS_INLINE double
	value(type key)
	{
		key ^= (key >> 63) & INT64_MAX;
		return gs_bits_double((uint64_t) key);
	}

	GS_INLINE double first(void) { return -HUGE_VAL; }
	GS_INLINE double last(void) { return gs_canonical_nan(); }
};

/* Zero if all bits of x are zero. */
__device__ static inline uint32_t
set_bits(double x)
{
	return (uint32_t) __double2hiint(x) | (uint32_t) __double2loint(x);
}

/*
 * p + q, each of the form hi - lo; bits are set in *lost if that is not exact.
 */
template <class P>
__device__ static inline P
add_pairs(P p, P q, uint32_t *lost)
{
	gs_pair		s = gs_two_sum(p.hi, q.hi);
	gs_pair		e = gs_two_sum(p.lo, q.lo);
	gs_pair		f = gs_two_sum(e.hi, -s.lo);
	P			r = {s.hi, f.hi};

	*lost |= set_bits(e.lo) | set_bits(f.lo);
	return r;
}

/*
 * Add x to an accumulator to which other threads add at the same time.  Limbs
 * add as integers, so the order does not matter.  The caller makes sure that
 * carries are propagated before GS_ACC_ADDITIONS additions.
 */
__device__ static inline void
gs_limb_atomic_add(int64_t *limb, int64_t w)
{
	if (w != 0)
		atomicAdd((unsigned long long *) limb, (unsigned long long) w);
}

__device__ static inline void
gs_limbs_atomic_add(int64_t *limb, uint64_t m, int position, bool negative)
{
	int			k = position >> 5;
	int			shift = position & 31;
	uint64_t	low = m << shift;
	int64_t		w0 = (int64_t) (low & 0xffffffffu);
	int64_t		w1 = (int64_t) (low >> 32);
	int64_t		w2 = (int64_t) ((m >> 1) >> (63 - shift));

	gs_limb_atomic_add(limb + k, negative ? -w0 : w0);
	gs_limb_atomic_add(limb + k + 1, negative ? -w1 : w1);
	gs_limb_atomic_add(limb + k + 2, negative ? -w2 : w2);
}

__device__ static inline void
gs_acc_atomic_add(gs_acc *a, double x)
{
	uint32_t	seen = gs_seen(x);

	if ((*(volatile uint32_t *) &a->seen & seen) != seen)
		atomicOr(&a->seen, seen);
	if (gs_is_finite(x))
	{
		int			position;
		bool		negative;
		uint64_t	m = gs_split(x, &position, &negative);

		gs_limbs_atomic_add(a->limb, m, position, negative);
	}
}

/* Add the product x * y atomically. */
__device__ static inline void
gs_acc2_atomic_add_product(gs_acc2 *a, double x, double y)
{
	uint64_t	mx;
	uint64_t	my;
	uint64_t	lo;
	uint64_t	hi;
	int			px;
	int			py;
	bool		nx;
	bool		ny;

	if (!gs_is_finite(x) || !gs_is_finite(y))
	{
		atomicOr(&a->seen, gs_seen(x * y));
		return;
	}
	mx = gs_split(x, &px, &nx);
	my = gs_split(y, &py, &ny);
	if (!((mx == 0 || my == 0) && nx != ny))
		atomicOr(&a->seen, GS_SEEN_NOT_NEGATIVE_ZERO);
	lo = mx * my;
	hi = __umul64hi(mx, my);
	gs_limbs_atomic_add(a->limb, lo, px + py, nx != ny);
	gs_limbs_atomic_add(a->limb, hi, px + py + 64, nx != ny);
}

/*
 * Ranks: for each element of a bitmap whose index is a multiple of
 * GS_RANK_BLOCK, how many elements before it have values.  The table has
 * gs_divide_up(n, GS_RANK_BLOCK) of these, then the number of all values, and
 * then the index of the first element with a value, or n.
 */
#define GS_RANK_BLOCK	512

extern size_t gs_bitmap_ranks_size(int64_t n); /* of the table, in bytes */

static inline const uint32_t *
gs_bitmap_ranks_first_value(const uint32_t *table, int64_t n)
{
	return table + gs_divide_up(n, GS_RANK_BLOCK) + 1;
}

extern size_t gs_bitmap_ranks_scratch_size(int64_t n);
extern cudaError_t gs_bitmap_ranks(const uint8_t *validity, int64_t n,
								   uint32_t *table, void *scratch,
								   cudaStream_t stream);

#endif							/* GS_COMMON_CUH */
