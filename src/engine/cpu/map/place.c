/*-------------------------------------------------------------------------
 *
 * place.c
 *	  Elements from other places of an array, or from either of two, on the CPU.
 *
 * The results' places in the array are computed a block at a time, and then
 * the elements are fetched.  The values of an array with NULLs are packed, so
 * its bitmap is copied word by word, each with the number of values before it:
 * both are then in the same line of the cache.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

#include <stdlib.h>
#include <string.h>

/* 64 elements */
typedef struct word
{
	uint64_t	present;
	int64_t		before;			/* values before these */
} word;

/* An array that results come from. */
typedef struct source
{
	const void *values;
	int64_t		n;				/* elements */
	word	   *words;			/* NULL: none is NULL */
} source;

typedef struct sources
{
	bool		known;			/* there has been a batch */
	source		source[2];		/* GS_CHOOSE_EITHER has two */
} sources;

static gs_status
place_begin(gs_run *run)
{
	run->state = calloc(1, sizeof(sources));
	return run->state == NULL ? GS_NO_MEMORY : GS_OK;
}

static void
place_end(gs_run *run)
{
	sources    *s = run->state;

	free(s->source[0].words);
	free(s->source[1].words);
	free(s);
}

static gs_status
set_source(source *s, const gs_span *span, int64_t n)
{
	int64_t		before = 0;

	s->values = span->values;
	s->n = n;
	if (span->present == n)
		return GS_OK;
	s->words = gs_cpu_allocate((size_t) ((n + 63) / 64) * sizeof(word));
	if (s->words == NULL)
		return GS_NO_MEMORY;
	for (int64_t i = 0; i < n; i += 64)
	{
		int64_t		left = n - i < 64 ? n - i : 64;
		uint64_t	bits = 0;

		memcpy(&bits, span->validity + i / 8, (size_t) (left + 7) / 8);
		if (left < 64)
			bits &= (UINT64_C(1) << left) - 1;
		s->words[i / 64] = (word) {bits, before};
		before += __builtin_popcountll(bits);
	}
	return GS_OK;
}

/*
 * Where the results of a block come from, counted from 0, whatever is in the
 * array there; flags says which of them come from anywhere.  False: a position
 * is out of range.
 */
static bool
find_taken(const source *s, cpu_reader *reader, int n, int32_t *place,
		   uint8_t *flags)
{
	const gs_value first = {.i4 = 1};
	int32_t		scratch[CPU_BLOCK];
	const int32_t *position = gs_cpu_read(reader, n, first, scratch, flags);
	bool		wrong = false;

	for (int k = 0; k < n; k++)
	{
		place[k] = (int32_t) ((uint32_t) position[k] - 1);
		wrong |= (uint32_t) place[k] >= (uint32_t) s->n;
	}
	return !wrong;
}

static void
find_reversed(const source *s, int64_t at, int n, int32_t *place)
{
	for (int k = 0; k < n; k++)
		place[k] = (int32_t) (s->n - 1 - at - k);
}

/* Do all of them come from anywhere? */
static bool
find_shifted(const source *s, int64_t from, int n, int32_t *place,
			 uint8_t *flags)
{
	bool		all = from >= 0 && from + n <= s->n;

	for (int k = 0; k < n; k++)
	{
		flags[k] = all || (from + k >= 0 && from + k < s->n);
		place[k] = flags[k] ? (int32_t) (from + k) : 0;
	}
	return all;
}

/* Is the element at a place not NULL?  Then *index is that of its value. */
static inline bool
find_value(const source *s, int64_t place, int64_t *index)
{
	const word *w;
	uint64_t	bit = UINT64_C(1) << (place % 64);

	*index = place;
	if (s->words == NULL)
		return true;
	w = &s->words[place / 64];
	*index = w->before + __builtin_popcountll(w->present & (bit - 1));
	return (w->present & bit) != 0;
}

/* Leave only the places of values, as indexes of these; how many are left? */
static int
keep_values(const source *s, int n, int32_t *place, uint8_t *flags)
{
	int			kept = 0;

	for (int k = 0; k < n; k++)
	{
		int64_t		index;

		flags[k] &= find_value(s, place[k], &index);
		place[kept] = (int32_t) index;
		kept += flags[k];
	}
	return kept;
}

#define FETCH(type) \
{ \
	const type *from = values; \
	type	   *r = to; \
\
	for (int k = 0; k < n; k++) \
		r[k] = from[index[k]]; \
	break; \
}

static void
fetch_values(const void *values, int width, const int32_t *index, int n,
			 void *to)
{
	switch (width)
	{
		case 1:
			FETCH(uint8_t)
		case 2:
			FETCH(gs_bits16)
		case 4:
			FETCH(gs_bits32)
		default:
			FETCH(gs_bits64)
	}
}

#define CHOOSE(type) \
{ \
	const type *a = (const type *) s[0].values + at; \
	const type *b = (const type *) s[1].values + at; \
	type	   *r = to; \
\
	for (int k = 0; k < n; k++) \
		r[k] = (type) (b[k] ^ ((a[k] ^ b[k]) & (type) -(type) flags[k])); \
	break; \
}

/*
 * Elements from place `at` on, of s[0] where flags say so, else of s[1]: by masks,
 * since branches by a condition that is anything are mispredicted.
 */
static void
choose_values(const source s[2], int width, int64_t at, const uint8_t *flags,
			  int n, void *to)
{
	switch (width)
	{
		case 1:
			CHOOSE(uint8_t)
		case 2:
			CHOOSE(gs_bits16)
		case 4:
			CHOOSE(gs_bits32)
		default:
			CHOOSE(gs_bits64)
	}
}

/*
 * Choose values where some are NULL, which flags then say; how many are
 * not?
 */
static int
choose_present(const source s[2], int width, int64_t at, uint8_t *flags,
			   int n, uint8_t *to)
{
	int			present = 0;

	for (int k = 0; k < n; k++)
	{
		const source *from = &s[!flags[k]];
		int64_t		index;

		flags[k] = find_value(from, at + k, &index);
		if (flags[k])
			memcpy(to + present++ * width,
				   (const uint8_t *) from->values + index * width, width);
	}
	return present;
}

/* A batch of a GS_CHOOSE_EITHER. */
static void
choose(const gs_run *run, const source s[2], const gs_input *in,
	   gs_output *out)
{
	const int	width = gs_type_width(gs_output_type(run->op));
	const bool	nulls = s[0].words != NULL || s[1].words != NULL;
	cpu_reader	reader = gs_cpu_reader(&in->data, in->n, 1);

	for (int64_t at = 0; at < in->n; at += CPU_BLOCK)
	{
		int			n = gs_cpu_block_size(in->n - at);
		int			present = n;
		uint8_t    *to = (uint8_t *) out->values + out->present * width;
		uint8_t		flags[CPU_BLOCK];

		gs_cpu_read_mask(&reader, n, flags);
		if (nulls)
			present = choose_present(s, width, run->fed + at, flags, n, to);
		else
		{
			choose_values(s, width, run->fed + at, flags, n, to);
			memset(flags, 1, n);
		}
		gs_cpu_flags_to_bits(flags, n, out->validity, at);
		out->present += present;
	}
	out->n = in->n;
}

static gs_status
set_sources(sources *s, const gs_run *run, const gs_input *in)
{
	const gs_op *op = run->op;
	gs_status	status;

	s->known = true;
	if (!gs_has_mask(op))
		return set_source(&s->source[0], &in->data, run->n);
	status = set_source(&s->source[0], &in->mask, op->mask.elements);
	return status == GS_OK && gs_has_third(op) ?
		set_source(&s->source[1], &in->third, op->mask.elements) : status;
}

static gs_status
place_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	const gs_op *op = run->op;
	const int	width = gs_type_width(gs_output_type(op));
	sources    *whole = run->state;
	const source *s = &whole->source[0];
	cpu_reader	reader = {0};
	bool		nulls;

	if (!whole->known)
	{
		gs_status	status = set_sources(whole, run, in);

		if (status != GS_OK)
			return status;
	}
	if (op->kind == GS_CHOOSE_EITHER)
	{
		choose(run, whole->source, in, out);
		return GS_OK;
	}
	if (op->kind == GS_TAKE)
		reader = gs_cpu_reader(&in->data, in->n, sizeof(int32_t));
	nulls = s->words != NULL || reader.validity != NULL;
	for (int64_t at = 0; at < in->n; at += CPU_BLOCK)
	{
		int			n = gs_cpu_block_size(in->n - at);
		int			values = n;
		bool		all = !nulls;
		int32_t		place[CPU_BLOCK];
		uint8_t		flags[CPU_BLOCK];

		memset(flags, 1, sizeof flags);
		if (op->kind == GS_REVERSE)
			find_reversed(s, run->fed + at, n, place);
		else if (op->kind == GS_SHIFT)
			all &= find_shifted(s, run->fed + at - op->shift.places, n, place,
								flags);
		else if (!find_taken(s, &reader, n, place, flags))
			return GS_VALUE_ERROR;
		if (!all)
			values = keep_values(s, n, place, flags);
		fetch_values(s->values, width, place, values,
					 (uint8_t *) out->values + out->present * width);
		out->present += values;
		if (out->validity != NULL)
			gs_cpu_flags_to_bits(flags, n, out->validity, at);
	}
	out->n = in->n;
	return GS_OK;
}

/* The bitmaps' places, by the byte, of arrays that come whole. */
static int64_t
memory(const gs_op *op, int64_t n)
{
	return (gs_has_third(op) ? 2 : 1) * gs_mask_elements(op, n) / 4;
}

const cpu_family gs_cpu_place = {
	.memory = memory, .begin = place_begin, .feed = place_feed,
	.end = place_end
};
