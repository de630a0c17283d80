/*-------------------------------------------------------------------------
 *
 * scaled.c
 *	  Values of 8 bytes as integers of fewer, and back (scaled.h).
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"
#include "engine/scaled.h"

#define TILE	512

/* A tile's rows, which are the values' and the bitmap's from `at` on. */
typedef struct scaled_tile
{
	int			n;
	int64_t		k[TILE];		/* anything where NULL */
	uint8_t		present[TILE];	/* 0 or 1 */
} scaled_tile;

#define SCALE_TILE(suffix) \
static bool \
scale_tile_##suffix(const gs_bits64 *v, int64_t unit, scaled_tile *t) \
{ \
	uint64_t	bad = 0; \
\
	for (int i = 0; i < t->n; i++) \
		bad |= (uint64_t) !gs_scale_##suffix(v[i], unit, &t->k[i]) & \
			t->present[i]; \
	return bad == 0; \
} \
\
static void \
unscale_##suffix(const int64_t *k, int64_t unit, int n, gs_bits64 *to) \
{ \
	for (int i = 0; i < n; i++) \
		to[i] = gs_unscale_##suffix(k[i], unit); \
}

SCALE_TILE(float8)
SCALE_TILE(int8)

/* False: some row's value has no k. */
static bool
scale_tile(gs_type type, int64_t unit, const void *values,
		   const uint8_t *validity, int64_t at, int64_t left, scaled_tile *t)
{
	const gs_bits64 *v = (const gs_bits64 *) values + at;

	t->n = left < TILE ? (int) left : TILE;
	memset(t->present, 1, (size_t) t->n);
	for (int i = 0; i < t->n && validity != NULL; i++)
		t->present[i] = validity[(at + i) / 8] >> ((at + i) % 8) & 1;
	return type == GS_FLOAT8 ? scale_tile_float8(v, unit, t) :
		scale_tile_int8(v, unit, t);
}

/*
 * The range of k of n rows from `first` on, low > high if all are NULL; false:
 * some value has none.
 */
bool
gs_cpu_scaled_range(gs_type type, int64_t unit, const void *values,
					const uint8_t *validity, int64_t first, int64_t n,
					int64_t *low, int64_t *high)
{
	scaled_tile t;

	*low = INT64_MAX;
	*high = INT64_MIN;
	for (int64_t done = 0; done < n; done += t.n)
	{
		if (!scale_tile(type, unit, values, validity, first + done, n - done,
						&t))
			return false;
		for (int i = 0; i < t.n; i++)
		{
			int64_t		least = t.present[i] ? t.k[i] : *low;
			int64_t		most = t.present[i] ? t.k[i] : *high;

			*low = least < *low ? least : *low;
			*high = most > *high ? most : *high;
		}
	}
	return true;
}

/* Rows from `first` on, as gs_engine.scale; false: some do not fit. */
bool
gs_cpu_scale(void *to, const gs_encoding *encoding, gs_type type,
			 const void *values, const uint8_t *validity, int64_t first,
			 int64_t n)
{
	const uint64_t base = (uint64_t) encoding->base;
	const uint64_t greatest = UINT64_MAX >> (64 - 8 * encoding->width);
	scaled_tile t;

	for (int64_t done = 0; done < n; done += t.n)
	{
		uint64_t	bad = 0;

		if (!scale_tile(type, encoding->unit, values, validity, first + done,
						n - done, &t))
			return false;
		for (int i = 0; i < t.n; i++)
			bad |= (uint64_t) ((uint64_t) t.k[i] - base > greatest) &
				t.present[i];
		if (bad != 0)
			return false;
		gs_cpu_change_width(t.k, 8, (char *) to + done * encoding->width,
							encoding->width, t.n, -base);
	}
	return true;
}

/* As gs_engine.unscale. */
void
gs_cpu_unscale(void *to, gs_type type, const void *from,
			   const gs_encoding *encoding, int64_t n)
{
	int64_t		k[TILE];

	for (int64_t done = 0; done < n; done += TILE)
	{
		int			count = n - done < TILE ? (int) (n - done) : TILE;
		gs_bits64  *at = (gs_bits64 *) to + done;

		gs_cpu_change_width((const char *) from + done * encoding->width,
							encoding->width, k, 8, count,
							(uint64_t) encoding->base);
		if (type == GS_FLOAT8)
			unscale_float8(k, encoding->unit, count, at);
		else
			unscale_int8(k, encoding->unit, count, at);
	}
}
