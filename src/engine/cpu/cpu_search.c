/*-------------------------------------------------------------------------
 *
 * cpu_search.c
 *	  Positions of elements among sorted edges, on the CPU.
 *
 * A NULL gives a NULL, so the loops run over the packed values, and the bitmap
 * of the elements is that of the results.
 *
 * The least and the greatest element of a block bound where the others are
 * searched: in sorted data that is next to nothing.  Within, several elements
 * are searched in step and without branches, so that their loads overlap.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/cpu_engine.h"
#include "engine/cpu/cpu_lanes.h"
#include "engine/search.h"

#include <string.h>

#define IN_STEP		8

#define TO_KEYS(suffix, type, key_of) \
static void \
to_keys_##suffix(const void *values, int64_t at, int n, int64_t *key) \
{ \
	const type *v = (const type *) values + at; \
\
	for (int i = 0; i < n; i++) \
		key[i] = key_of(v[i]); \
}

TO_KEYS(int2, int16_t, (int64_t))
TO_KEYS(int4, int32_t, (int64_t))
TO_KEYS(int8, int64_t, (int64_t))
TO_KEYS(float4, float, gs_search_key)
TO_KEYS(float8, double, gs_search_key)

typedef void (*to_keys) (const void *values, int64_t at, int n, int64_t *key);

static const to_keys to_keys_of[] = {BY_NUMBER(to_keys)};

/* Does an edge count for an element? */
ALWAYS_INLINE bool
counts(int64_t edge, int64_t key, bool exclusive)
{
	return exclusive ? edge < key : edge <= key;
}

/* How many of n edges count for a key? */
static int64_t
search_one(const int64_t *edges, int64_t n, int64_t key, bool exclusive)
{
	int64_t		low = 0;

	while (n > 0)
	{
		int64_t		half = n / 2;

		if (counts(edges[low + half], key, exclusive))
		{
			low += half + 1;
			n -= half + 1;
		}
		else
			n = half;
	}
	return low;
}

/* The answers for n keys, a multiple of IN_STEP, lie between low and high. */
ALWAYS_INLINE void
search_between(const int64_t *edges, int64_t low, int64_t high,
			   const int64_t *key, int n, bool exclusive, int32_t *place)
{
	for (int i = 0; i < n; i += IN_STEP)
	{
		const int64_t *from[IN_STEP];
		int64_t		step;

		for (int j = 0; j < IN_STEP; j++)
			from[j] = edges + low;
		/* edges before from[j] count for key[i + j]; `left` more may */
		for (int64_t left = high - low; left > 0; left -= step)
		{
			step = (left + 1) / 2;
			for (int j = 0; j < IN_STEP; j++)
				from[j] += -(int64_t) counts(from[j][step - 1], key[i + j],
											 exclusive) & step;
		}
		for (int j = 0; j < IN_STEP; j++)
			place[i + j] = (int32_t) (from[j] - edges);
	}
}

/* As many keys; those behind the n first repeat the last one. */
static void
search_block(const gs_op *op, const int64_t *key, int n, int32_t *place)
{
	const int64_t edges = (int64_t) op->buckets + 1;
	int64_t		least = key[0];
	int64_t		greatest = key[0];
	int64_t		low;
	int64_t		high;

	for (int i = 1; i < n; i++)
	{
		least = key[i] < least ? key[i] : least;
		greatest = key[i] > greatest ? key[i] : greatest;
	}
	low = search_one(op->keys, edges, least, op->exclusive);
	high = low + search_one(op->keys + low, edges - low, greatest,
							op->exclusive);
	n = (n + IN_STEP - 1) / IN_STEP * IN_STEP;
	if (op->exclusive)
		search_between(op->keys, low, high, key, n, true, place);
	else
		search_between(op->keys, low, high, key, n, false, place);
}

static gs_status
begin(gs_run *run)
{
	run->state = NULL;
	return GS_OK;
}

static gs_status
feed(gs_run *run, const gs_input *in, gs_output *out)
{
	const gs_op *op = run->op;
	int32_t    *to = out->values;
	int64_t		key[CPU_BLOCK + IN_STEP];
	int32_t		place[CPU_BLOCK + IN_STEP];

	for (int64_t at = 0; at < in->data.present; at += CPU_BLOCK)
	{
		int			n = gs_cpu_block_size(in->data.present - at);

		to_keys_of[op->type] (in->data.values, at, n, key);
		for (int i = n; i < n + IN_STEP; i++)
			key[i] = key[n - 1];
		search_block(op, key, n, place);
		memcpy(to + at, place, n * sizeof *place);
	}
	out->n = in->n;
	out->present = in->data.present;
	if (out->validity == NULL)
		return GS_OK;
	if (out->present == out->n)
		gs_cpu_set_bits(out->validity, out->n);
	else
		gs_cpu_copy_bits(in->data.validity, in->n, out->validity);
	return GS_OK;
}

const cpu_family gs_cpu_search = {.begin = begin, .feed = feed};
