/*-------------------------------------------------------------------------
 *
 * columns_bits.c
 *	  Runs of bits, at any place in a bitmap.
 *
 *-------------------------------------------------------------------------
 */
#include "service/columns_table.h"

/* The bits of a word from `first` on, up to n of them. */
static uint64_t
run(int first, int64_t n)
{
	uint64_t	ones = n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;

	return ones << first;
}

void
gs_bits_set(uint64_t *bits, int64_t first, int64_t n)
{
	while (n > 0)
	{
		int			at = (int) (first % 64);
		int64_t		part = n < 64 - at ? n : 64 - at;

		bits[first / 64] |= run(at, part);
		first += part;
		n -= part;
	}
}

void
gs_bits_clear(uint64_t *bits, int64_t first, int64_t n)
{
	while (n > 0)
	{
		int			at = (int) (first % 64);
		int64_t		part = n < 64 - at ? n : 64 - at;

		bits[first / 64] &= ~run(at, part);
		first += part;
		n -= part;
	}
}

/* Up to 8 bits from place `at` on. */
static unsigned
eight(const uint8_t *bits, int64_t at, int64_t n)
{
	int			shift = (int) (at % 8);
	unsigned	value = (unsigned) bits[at / 8] >> shift;

	if (n > 8 - shift)
		value |= (unsigned) bits[at / 8 + 1] << (8 - shift);
	return value;
}

/* n bits; from NULL: ones */
void
gs_bits_copy(uint8_t *to, int64_t first, const uint8_t *from,
			 int64_t from_first, int64_t n)
{
	while (n > 0)
	{
		int			at = (int) (first % 8);
		int64_t		part = n < 8 - at ? n : 8 - at;
		unsigned	mask = ((1u << part) - 1) << at;
		unsigned	value = from == NULL ? 0xff : eight(from, from_first, part);

		to[first / 8] = (uint8_t) ((to[first / 8] & ~mask) |
								   (value << at & mask));
		first += part;
		from_first += part;
		n -= part;
	}
}
