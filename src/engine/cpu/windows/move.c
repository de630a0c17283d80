/*-------------------------------------------------------------------------
 *
 * move.c
 *	  Columns between the order of rows and that of places.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/windows/windows.h"

/* Rows that are fetched ahead: a cache line of each comes from memory. */
#define AHEAD			32

#define INLINE			static inline __attribute__((always_inline))

#define GATHER(type, bits) \
static void \
gather_##bits(const type *from, const uint32_t *row, int64_t n, type *to) \
{ \
	int64_t		i = 0; \
\
	for (; i + AHEAD < n; i++) \
	{ \
		__builtin_prefetch(&from[row[i + AHEAD]]); \
		to[i] = from[row[i]]; \
	} \
	for (; i < n; i++) \
		to[i] = from[row[i]]; \
} \
\
static void \
scatter_##bits(const type *from, const uint32_t *row, int64_t n, type *to) \
{ \
	for (int64_t i = 0; i < n; i++) \
		to[row[i]] = from[i]; \
}

GATHER(uint8_t, 8)
GATHER(gs_bits16, 16)
GATHER(gs_bits32, 32)
GATHER(gs_bits64, 64)

void
cpu_window_gather(const void *from, int width, const uint32_t *row, int64_t n,
				  void *to)
{
	switch (width)
	{
		case 1:
			gather_8(from, row, n, to);
			break;
		case 2:
			gather_16(from, row, n, to);
			break;
		case 4:
			gather_32(from, row, n, to);
			break;
		default:
			gather_64(from, row, n, to);
			break;
	}
}

static void
scatter(const void *from, int width, const uint32_t *row, int64_t n, void *to)
{
	switch (width)
	{
		case 1:
			scatter_8(from, row, n, to);
			break;
		case 2:
			scatter_16(from, row, n, to);
			break;
		case 4:
			scatter_32(from, row, n, to);
			break;
		default:
			scatter_64(from, row, n, to);
			break;
	}
}

static void
flags_of_places(const uint8_t *bits, const window_order *order,
				uint8_t *flags)
{
	for (int64_t i = 0; i < order->n; i++)
	{
		int64_t		row = order->row == NULL ? i : order->row[i];

		flags[i] = bits[row / 8] >> row % 8 & 1;
	}
}

void
cpu_window_bits(const uint8_t *flags, int64_t n, uint8_t *bits)
{
	for (int64_t i = 0; i < n; i += 8)
	{
		unsigned	byte = 0;

		for (int64_t j = i; j < n && j < i + 8; j++)
			byte |= (unsigned) flags[j] << (j - i);
		bits[i / 8] = (uint8_t) byte;
	}
}

bool
cpu_window_flags(const uint8_t *bits, const window_order *order,
				 uint8_t *flags)
{
	if (gs_count_bits(bits, order->n) == order->n)
		return false;
	flags_of_places(bits, order, flags);
	return true;
}

void
cpu_window_filter(const gs_column_data *column, window_run *r,
				  uint8_t *flags)
{
	const uint8_t *value = column->values;

	for (int64_t i = 0; i < r->order.n; i++)
	{
		int64_t		row = r->order.row == NULL ? i : r->order.row[i];
		bool		present = window_is_present(r, i);

		flags[i] = present && (column->validity[row / 8] >> row % 8 & 1) &&
			value[row] != 0;
	}
	r->present = flags;
}

void
cpu_window_permute(gs_column_data *column, int64_t rows,
				   const window_order *order, void *scratch, uint8_t *flags)
{
	void	   *values = (void *) (uintptr_t) column->values;
	uint8_t    *validity = (uint8_t *) (uintptr_t) column->validity;
	size_t		size = (size_t) order->n * (size_t) column->width;

	if (order->row == NULL)
		return;
	cpu_window_gather(values, column->width, order->row, order->n, scratch);
	memcpy(values, scratch, size);
	if (gs_count_bits(validity, rows) == rows)
		return;
	flags_of_places(validity, order, flags);
	cpu_window_bits(flags, order->n, validity);
}

static void
store_validity(uint8_t *validity, const window_run *r)
{
	int64_t		n = r->order.n;

	if (r->valid == NULL)
		gs_cpu_set_bits(validity, n);
	else if (r->order.row == NULL)
		cpu_window_bits(r->valid, n, validity);
	else
	{
		memset(validity, 0, ((size_t) n + 7) / 8);
		for (int64_t i = 0; i < n; i++)
		{
			uint32_t	row = r->order.row[i];

			validity[row / 8] |= (uint8_t) (r->valid[i] << row % 8);
		}
	}
}

void
cpu_window_store(gs_column_data *column, const window_run *r)
{
	store_validity((uint8_t *) (uintptr_t) column->validity, r);
	if (r->order.row != NULL)
		scatter(r->result, column->width, r->order.row, r->order.n,
				(void *) (uintptr_t) column->values);
}
