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

typedef struct scaled_tile
{
	int			n;
	int64_t		k[TILE];
	bool		nulls;
	uint8_t		present[TILE];	/* 0 or 1, if there are NULLs */
	uint64_t	values[TILE];	/* then these, with 0 for NULL */
} scaled_tile;

#define LOOPS(suffix) \
static bool \
scale_##suffix(const gs_bits64 *v, int64_t unit, int n, int64_t *k) \
{ \
	uint64_t	bad = 0; \
\
	for (int i = 0; i < n; i++) \
		bad |= gs_scale_##suffix(v[i], unit, &k[i]); \
	return bad == 0; \
} \
\
static void \
unscale_##suffix(const int64_t *k, int64_t unit, int n, gs_bits64 *to) \
{ \
	for (int i = 0; i < n; i++) \
		to[i] = gs_unscale_##suffix(k[i], unit); \
}

LOOPS(float8)
LOOPS(int8)

/*
 * The k of the next rows, of which `left` are from row `at` on; of NULL any.
 * False: some row's value has none.
 */
static bool
scale_tile(gs_type type, int64_t unit, const void *values,
		   const uint8_t *validity, int64_t at, int64_t left, scaled_tile *t)
{
	const gs_bits64 *v = (const gs_bits64 *) values + at;

	t->n = left < TILE ? (int) left : TILE;
	t->nulls = validity != NULL;
	for (int i = 0; i < t->n && t->nulls; i++)
	{
		t->present[i] = validity[(at + i) / 8] >> ((at + i) % 8) & 1;
		t->values[i] = t->present[i] ? v[i] : 0;
	}
	v = t->nulls ? t->values : v;
	return type == GS_FLOAT8 ? scale_float8(v, unit, t->n, t->k) :
		scale_int8(v, unit, t->n, t->k);
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
	int64_t		least = INT64_MAX;
	int64_t		most = INT64_MIN;
	scaled_tile t;

	for (int64_t done = 0; done < n; done += t.n)
	{
		if (!scale_tile(type, unit, values, validity, first + done, n - done,
						&t))
			return false;
		for (int i = 0; i < t.n; i++)
		{
			if (t.nulls && !t.present[i])
				continue;
			least = t.k[i] < least ? t.k[i] : least;
			most = t.k[i] > most ? t.k[i] : most;
		}
	}
	*low = least;
	*high = most;
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
		uint64_t	above = 0;

		if (!scale_tile(type, encoding->unit, values, validity, first + done,
						n - done, &t))
			return false;
		for (int i = 0; i < t.n && t.nulls; i++)
			t.k[i] = t.present[i] ? t.k[i] : encoding->base;
		for (int i = 0; i < t.n; i++)
			above |= ((uint64_t) t.k[i] - base) & ~greatest;
		if (above != 0)
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
