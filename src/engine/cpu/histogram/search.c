/*-------------------------------------------------------------------------
 *
 * search.c
 *	  Positions of elements among sorted edges, on the CPU.
 *
 * A NULL gives a NULL, so the loops run over the packed values, and the bitmap
 * of the elements is that of the results.
 *
 * Where edges have no index, the least and the greatest element of a block bound
 * where the others are searched: in sorted data that is next to nothing.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/histogram/edges.h"
#include "engine/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

DEFINE_SEARCH(search_inclusive, int64_t, GS_IS_AT_MOST)
DEFINE_SEARCH(search_exclusive, int64_t, GS_IS_BELOW)

/* How many of n edges count for a key? */
static int64_t
search_one(const int64_t *edges, int64_t n, int64_t key, bool exclusive)
{
	int64_t		low = 0;

	while (n > 0)
	{
		int64_t		half = n / 2;

		if (exclusive ? edges[low + half] < key : edges[low + half] <= key)
		{
			low += half + 1;
			n -= half + 1;
		}
		else
			n = half;
	}
	return low;
}

/*
 * Where the searches for n keys begin, without an index; returns how many edges
 * may count after that.
 */
static int64_t
bound_block(const gs_op *op, const int64_t *key, int n, int32_t *place)
{
	const int64_t edges = op->search.count;
	int64_t		least = key[0];
	int64_t		greatest = key[0];
	int64_t		low;

	for (int i = 1; i < n; i++)
	{
		least = key[i] < least ? key[i] : least;
		greatest = key[i] > greatest ? key[i] : greatest;
	}
	low = search_one(op->search.keys, edges, least, op->search.left);
	for (int i = 0; i < n; i++)
		place[i] = (int32_t) low;
	return search_one(op->search.keys + low, edges - low, greatest,
					  op->search.left);
}

/* The places of n elements, up to CPU_BLOCK, from index `at` on, and padding. */
static void
search_block(const gs_op *op, const gs_edge_index *index, const void *values,
			 int64_t at, int n, int32_t *place)
{
	const int	padded = gs_padded(n);
	int64_t		key[CPU_BLOCK];
	double		x[CPU_BLOCK];
	int64_t		left;

	to_keys_of[op->type] (values, at, n, key);
	for (int i = n; i < padded; i++)
		key[i] = key[n - 1];
	if (index == NULL)
		left = bound_block(op, key, padded, place);
	else
	{
		gs_cpu_to_doubles((gs_type) op->type, (const char *) values +
						  at * gs_type_width((gs_type) op->type), n, x);
		for (int i = n; i < padded; i++)
			x[i] = x[n - 1];
		gs_edge_starts(index, x, padded, place);
		left = index->most;
	}
	if (op->search.left)
		search_exclusive(op->search.keys, left, key, padded, place);
	else
		search_inclusive(op->search.keys, left, key, padded, place);
}

/* A key of an edge as a number; floats have keys of NaN at both ends. */
static double
number_of(gs_type type, int64_t key)
{
	double		x;

	if (type != GS_FLOAT4 && type != GS_FLOAT8)
		return (double) key;
	x = gs_search_number(key);
	return x != x && key < 0 ? -HUGE_VAL : x;
}

/* The state is the index of the edges, or NULL. */
static gs_status
search_begin(gs_run *run)
{
	const gs_op *op = run->op;
	const int64_t n = op->search.count;
	double	   *edges;

	run->state = NULL;
	if (run->n <= n)
		return GS_OK;
	edges = malloc(n * sizeof *edges);
	if (edges == NULL)
		return GS_OK;
	for (int64_t i = 0; i < n; i++)
		edges[i] = number_of((gs_type) op->type, op->search.keys[i]);
	run->state = gs_cpu_index_edges(edges, n, run->n);
	free(edges);
	return GS_OK;
}

static gs_status
search_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	int32_t    *to = out->values;
	int32_t		place[CPU_BLOCK];

	for (int64_t at = 0; at < in->data.present; at += CPU_BLOCK)
	{
		int			n = gs_cpu_block_size(in->data.present - at);

		/* not in place: a client can change results while they are searched */
		search_block(run->op, run->state, in->data.values, at, n, place);
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

const cpu_family gs_cpu_search = {.begin = search_begin, .feed = search_feed};
