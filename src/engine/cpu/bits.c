/*-------------------------------------------------------------------------
 *
 * bits.c
 *	  Bitmaps; expanding packed elements and packing dense ones.
 *
 * The engine's loops want dense arrays: one value an element, with a neutral
 * value in place of a NULL.  This file expands blocks and packs them again, a
 * few hundred elements at a time in the L1 cache.  Flags (bytes of 0 or 1) are
 * the form between bits and loops.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

/* 8 bits, least significant first, as 8 flags in the order of memory. */
static inline uint64_t
bits_to_bytes(uint8_t bits)
{
	uint64_t	spread = bits * UINT64_C(0x0101010101010101);

	/* keep bit i in byte i, then move it to the byte's lowest bit */
	spread &= UINT64_C(0x8040201008040201);
	spread = ((spread + UINT64_C(0x7f7f7f7f7f7f7f7f)) | spread) >> 7;
	spread &= UINT64_C(0x0101010101010101);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	spread = __builtin_bswap64(spread);
#endif
	return spread;
}

/* The reverse. */
static inline uint8_t
bytes_to_bits(uint64_t bytes)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	bytes = __builtin_bswap64(bytes);
#endif
	/* byte i moves to bit 56 + i; the partial products do not overlap */
	return (uint8_t) ((bytes * UINT64_C(0x0102040810204080)) >> 56);
}

/* The index of the flag that `rank` others precede. */
int
gs_cpu_find_flag(const uint8_t *flags, int rank)
{
	int			i = 0;

	while (!flags[i] || rank-- > 0)
		i++;
	return i;
}

/* The element that has a value of a span of n elements. */
int64_t
gs_cpu_element(const gs_span *span, int64_t n, int64_t value)
{
	return span->present == n ? value : gs_find_bit(span->validity, value);
}

/* The bits from `at` (a multiple of 8) on, as flags. */
void
gs_cpu_bits_to_flags(const uint8_t *bits, int64_t at, int n, uint8_t *flags)
{
	int			i = 0;

	bits += at / 8;
	for (; i + 8 <= n; i += 8)
	{
		uint64_t	bytes = bits_to_bytes(bits[i / 8]);

		memcpy(flags + i, &bytes, 8);
	}
	for (; i < n; i++)
		flags[i] = (bits[i / 8] >> (i % 8)) & 1;
}

/*
 * Append n flags to a bitmap of `at` bits.  Bits from there to the end of the
 * last byte become 0.
 */
void
gs_cpu_flags_to_bits(const uint8_t *flags, int n, uint8_t *bits, int64_t at)
{
	int			shift = (int) (at % 8);
	unsigned	pending;

	if (n == 0)
		return;
	bits += at / 8;
	pending = shift > 0 ? *bits & ((1u << shift) - 1) : 0;
	for (int i = 0; i < n; i += 8)
	{
		uint64_t	bytes = 0;

		memcpy(&bytes, flags + i, n - i < 8 ? n - i : 8);
		pending |= (unsigned) bytes_to_bits(bytes) << shift;
		*bits++ = (uint8_t) pending;
		pending >>= 8;
	}
	/* the last bits may spill into one more byte */
	if ((n + shift + 7) / 8 > (n + 7) / 8)
		*bits = (uint8_t) pending;
}

/* The first n bits become 1, the rest of the last byte 0. */
void
gs_cpu_set_bits(uint8_t *bits, int64_t n)
{
	memset(bits, 0xff, (size_t) (n / 8));
	if (n % 8 != 0)
		bits[n / 8] = (uint8_t) ((1u << (n % 8)) - 1);
}

/* Of n bits; those that follow in the last byte become zero. */
void
gs_cpu_copy_bits(const uint8_t *from, int64_t n, uint8_t *to)
{
	memcpy(to, from, (size_t) (n + 7) / 8);
	if (n % 8 != 0)
		to[n / 8] &= (uint8_t) ((1u << (n % 8)) - 1);
}

#define SPREAD(name, type) \
static int \
name(const type *packed, const uint8_t *flags, int n, type null, type *dense) \
{ \
	int			k = 0; \
	int			end = n; \
\
	/* up to the last value, packed[k] can be read */ \
	while (end > 0 && !flags[end - 1]) \
		dense[--end] = null; \
	for (int i = 0; i < end; i++) \
	{ \
		type		mask = (type) (0 - (type) flags[i]); \
\
		dense[i] = (type) ((packed[k] & mask) | (null & ~mask)); \
		k += flags[i]; \
	} \
	return k; \
}

SPREAD(spread1, uint8_t)
SPREAD(spread2, gs_bits16)
SPREAD(spread4, gs_bits32)
SPREAD(spread8, gs_bits64)

/*
 * dense[i] = the next packed value where flags[i] is set, else `null`.
 * Returns the number of values.
 */
static int
spread(const void *packed, const uint8_t *flags, int n, int width,
	   gs_value null, void *dense)
{
	switch (width)
	{
		case 1:
			return spread1(packed, flags, n, (uint8_t) null.i2, dense);
		case 2:
			return spread2(packed, flags, n, (uint16_t) null.i2, dense);
		case 4:
			return spread4(packed, flags, n, (uint32_t) null.i4, dense);
		default:
			return spread8(packed, flags, n, (uint64_t) null.i8, dense);
	}
}

#define PACK(name, type) \
static int \
name(const type *dense, const uint8_t *flags, int n, type *packed) \
{ \
	int			k = 0; \
\
	for (int i = 0; i < n; i++) \
	{ \
		packed[k] = dense[i]; \
		k += flags[i]; \
	} \
	return k; \
}

PACK(pack1, uint8_t)
PACK(pack2, gs_bits16)
PACK(pack4, gs_bits32)
PACK(pack8, gs_bits64)

/*
 * Pack the dense values whose flag is 1.  Returns their number.  `packed` must
 * be able to hold n values.
 */
int
gs_cpu_pack(const void *dense, const uint8_t *flags, int n, int width,
			void *packed)
{
	switch (width)
	{
		case 1:
			return pack1(dense, flags, n, packed);
		case 2:
			return pack2(dense, flags, n, packed);
		case 4:
			return pack4(dense, flags, n, packed);
		default:
			return pack8(dense, flags, n, packed);
	}
}

cpu_reader
gs_cpu_reader(const gs_span *span, int64_t n, int width)
{
	cpu_reader	r = {span->values, span->validity, width, 0};

	if (span->present == n)
		r.validity = NULL;
	return r;
}

const void *
gs_cpu_read(cpu_reader *r, int n, gs_value null, void *scratch,
			uint8_t *flags)
{
	const void *dense = r->values;

	if (r->validity == NULL)
		r->values += (size_t) n * r->width;
	else
	{
		int			count;

		gs_cpu_bits_to_flags(r->validity, r->at, n, flags);
		count = spread(dense, flags, n, r->width, null, scratch);
		r->values += (size_t) count * r->width;
		dense = scratch;
	}
	r->at += n;
	return dense;
}

/*
 * A mask's bytes may come from another process and have any value.  Its flags
 * must be 0 or 1, since they advance pointers.
 */
void
gs_cpu_read_mask(cpu_reader *r, int n, uint8_t *flags)
{
	const gs_value no = {0};
	uint8_t		scratch[CPU_BLOCK];
	uint8_t		valid[CPU_BLOCK];
	const uint8_t *values = gs_cpu_read(r, n, no, scratch, valid);

	for (int i = 0; i < n; i++)
		flags[i] = values[i] != 0;
}
