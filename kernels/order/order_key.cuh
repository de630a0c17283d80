/*-------------------------------------------------------------------------
 *
 * order_key.cuh
 *	  Keys that CUB sorts: unsigned integers in the elements' order.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ORDER_KEY_CUH
#define GS_ORDER_KEY_CUH

#include "kernels/common.cuh"

/* Elements as unsigned integers of `bits` bits in the same order. */
template <typename T> struct order_key
{
	static const int bits = 32;
	typedef uint32_t type;

	GS_INLINE type
	of(T x)
	{
		return (uint32_t) gs_key<T>::of(x) ^ UINT32_C(0x80000000);
	}

	GS_INLINE T
	value(type key)
	{
		return gs_key<T>::value((int32_t) (key ^ UINT32_C(0x80000000)));
	}
};

template <> struct order_key<int16_t>
{
	static const int bits = 16;
	typedef uint32_t type;

	GS_INLINE type of(int16_t x) { return (uint16_t) x ^ 0x8000u; }
	GS_INLINE int16_t value(type key) { return (int16_t) (key ^ 0x8000u); }
};

template <typename T> struct wide_order_key
{
	static const int bits = 64;
	typedef uint64_t type;

	GS_INLINE type
	of(T x)
	{
		return (uint64_t) gs_key<T>::of(x) ^ UINT64_C(0x8000000000000000);
	}

	GS_INLINE T
	value(type key)
	{
		return gs_key<T>::value((int64_t)
								(key ^ UINT64_C(0x8000000000000000)));
	}
};

template <> struct order_key<int64_t> : wide_order_key<int64_t> {};
template <> struct order_key<double> : wide_order_key<double> {};

#endif							/* GS_ORDER_KEY_CUH */
