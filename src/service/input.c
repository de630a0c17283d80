/*-------------------------------------------------------------------------
 *
 * input.c
 *	  Does a client's input match what its message says, and where is it?
 *
 * The engine relies on it: as many values as announced, as many 1s in a bitmap
 * as there are values, and flags that are 0 or 1.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "service/service.h"

bool
gs_validate_flags(const uint8_t *flags, int64_t n)
{
	uint64_t	seen = 0;
	uint64_t	word;
	int64_t		i;

	for (i = 0; i + 8 <= n; i += 8)
	{
		memcpy(&word, flags + i, 8);
		seen |= word;
	}
	for (; i < n; i++)
		seen |= flags[i];
	return (seen & ~UINT64_C(0x0101010101010101)) == 0;
}

static bool
validate_span(const gs_span *span, int64_t n, bool are_flags)
{
	if (are_flags && !gs_validate_flags(span->values, span->present))
		return false;
	if (span->validity == NULL)
		return span->present == n;
	return gs_count_bits(span->validity, n) == span->present;
}

/*
 * A bitmap of n elements, in private memory: copied to *bitmaps, unless that is
 * NULL, where it is private already.
 */
static const uint8_t *
own_bitmap(const char *from, int64_t n, uint8_t **bitmaps)
{
	const size_t size = (size_t) (n + 7) / 8;
	uint8_t    *to = *bitmaps;

	if (to == NULL)
		return (const uint8_t *) from;
	*bitmaps += gs_staging_align(size);
	return memcpy(to, from, size);
}

/*
 * Find the input at base; false if it does not match its numbers.  Of a slot,
 * `bitmaps` is gs_staging_bitmaps(); of a message, NULL.
 */
bool
gs_find_input(const gs_op *op, const char *base, const gs_input_layout *layout,
			  int64_t n, int64_t present, int64_t mask_present,
			  uint8_t *bitmaps, gs_input *in)
{
	memset(in, 0, sizeof *in);
	in->n = n;
	in->data.values = base + layout->values;
	in->data.present = present;
	if (present < n)
		in->data.validity = own_bitmap(base + layout->validity, n, &bitmaps);
	if (!validate_span(&in->data, n, op->type == GS_BOOL))
		return false;
	if (!gs_has_mask(op))
		return true;
	in->mask.values = base + layout->mask;
	in->mask.present = mask_present;
	if (mask_present < n)
		in->mask.validity = own_bitmap(base + layout->mask_validity, n,
									   &bitmaps);
	return validate_span(&in->mask, n, gs_mask_type(op) == GS_BOOL);
}

void
gs_find_output(const gs_op *op, char *base, int64_t n, gs_output *out)
{
	gs_output_layout layout;

	gs_lay_output(op, n, &layout);
	out->values = base + layout.values;
	out->validity = (uint8_t *) base + layout.validity;
	out->n = 0;
	out->present = 0;
}

bool
gs_validate_counts(const gs_op *op, int64_t n, int64_t present,
				   int64_t mask_present)
{
	return n >= 0 && n <= GS_MAX_ELEMENTS &&
		present >= 0 && present <= n &&
		mask_present >= 0 && mask_present <= (gs_has_mask(op) ? n : 0);
}
