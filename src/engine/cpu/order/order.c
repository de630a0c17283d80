/*-------------------------------------------------------------------------
 *
 * order.c
 *	  Orders on the CPU: sorted elements, their positions, ranks, distinct
 *	  elements.
 *
 * feed converts elements to keys, unsigned integers in the same order.  finish
 * sorts the keys, unless only a few results are wanted: then fetch selects just
 * those.  Elements are converted back from their keys.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

#include <stdlib.h>
#include <sys/mman.h>

/* From this size on, memory is worth huge pages; and the size of those. */
#define LARGE_SIZE		((size_t) 4 << 20)
#define HUGE_PAGE		((size_t) 2 << 20)

/* Results between two pauses: less than 1 ms. */
#define PAUSE_INTERVAL	(INT64_C(1) << 18)

#define ALIGNED(size)	(((size) + 63) / 64 * 64)

typedef struct order_state
{
	cpu_keys	keys;
	uint32_t   *counts;			/* GS_DISTINCT: how often each key occurs */
} order_state;

/* Large memory has huge pages, where there are any. */
void *
gs_cpu_allocate(size_t size)
{
	void	   *result;

	if (size < LARGE_SIZE)
		return malloc(size);
	if (posix_memalign(&result, HUGE_PAGE, size) != 0)
		return NULL;
#ifdef MADV_HUGEPAGE
	/* only advice: without huge pages it is slower */
	(void) madvise(result, size, MADV_HUGEPAGE);
#endif
	return result;
}

/* Memory that is not used is not touched, and costs nothing. */
static gs_status
order_begin(gs_run *run)
{
	const gs_op *op = run->op;
	int			width = gs_type_width((gs_type) op->type) == 8 ? 8 : 4;
	size_t		keys = ALIGNED((size_t) run->n * width);
	size_t		positions = gs_has_positions((gs_kind) op->kind) ?
		ALIGNED((size_t) run->n * sizeof(uint32_t)) : 0;
	size_t		counts = op->kind == GS_SELECT ?
		gs_cpu_select_counts(run->n) * sizeof(uint32_t) : 0;
	uint8_t    *memory = gs_cpu_allocate(ALIGNED(sizeof(order_state)) +
										 2 * keys + 2 * positions + counts);
	order_state *s = (order_state *) memory;

	if (memory == NULL)
		return GS_NO_MEMORY;
	run->state = memory;
	memset(s, 0, sizeof *s);
	memory += ALIGNED(sizeof(order_state));
	s->keys.width = width;
	s->keys.key = memory;
	s->keys.other_key = memory + keys;
	memory += 2 * keys;
	if (positions > 0)
	{
		s->keys.position = (uint32_t *) memory;
		s->keys.other_position = (uint32_t *) (memory + positions);
	}
	s->keys.counts = (uint32_t *) (memory + 2 * positions);
	return GS_OK;
}

/*
 * Integers in the order of floats: a negative number's bits are inverted, any
 * other's sign bit is set.
 */
#define FLOAT_KEY(bits, sign) \
	((bits) & (sign) ? ~(bits) : (bits) | (sign))
#define FLOAT_BITS(key, sign) \
	((key) & (sign) ? (key) ^ (sign) : ~(key))

#define SIGN2	0x8000u
#define SIGN4	UINT32_C(0x80000000)
#define SIGN8	UINT64_C(0x8000000000000000)

static inline uint32_t
key_from_float4(float x)
{
	uint32_t	bits;

	if (x != x)
		x = (float) gs_canonical_nan();
	memcpy(&bits, &x, sizeof bits);
	return FLOAT_KEY(bits, SIGN4);
}

static inline uint64_t
key_from_float8(double x)
{
	uint64_t	bits = gs_double_bits(x != x ? gs_canonical_nan() : x);

	return FLOAT_KEY(bits, SIGN8);
}

static inline float
float4_from_key(uint32_t key)
{
	uint32_t	bits = FLOAT_BITS(key, SIGN4);
	float		x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

/*
 * Append values as keys, inverted by flip.  `zero` is added to floats: 0 turns
 * -0 into 0, and -0 changes nothing.
 */
#define ADD(name, type, key_type, conversion) \
static void \
add_##name(const void *values, int64_t n, key_type flip, type zero, void *to) \
{ \
	const type *v = values; \
	key_type   *key = to; \
\
	for (int64_t i = 0; i < n; i++) \
	{ \
		type		x = (type) (v[i] + zero); \
\
		key[i] = (conversion) ^ flip; \
	} \
}

ADD(int2, int16_t, uint32_t, (uint16_t) x ^ SIGN2)
ADD(int4, int32_t, uint32_t, (uint32_t) x ^ SIGN4)
ADD(int8, int64_t, uint64_t, (uint64_t) x ^ SIGN8)
ADD(float4, float, uint32_t, key_from_float4(x))
ADD(float8, double, uint64_t, key_from_float8(x))

static void
add_keys(const gs_op *op, cpu_keys *k, const gs_span *span)
{
	uint64_t	flip = op->order.descending ? UINT64_MAX : 0;
	double		zero = gs_has_one_zero((gs_kind) op->kind) ? 0.0 : -0.0;
	void	   *to = (uint8_t *) k->key + k->n * k->width;

	switch (op->type)
	{
		case GS_INT2:
			add_int2(span->values, span->present, (uint32_t) flip, 0, to);
			break;
		case GS_INT4:
			add_int4(span->values, span->present, (uint32_t) flip, 0, to);
			break;
		case GS_INT8:
			add_int8(span->values, span->present, flip, 0, to);
			break;
		case GS_FLOAT4:
			add_float4(span->values, span->present, (uint32_t) flip,
					   (float) zero, to);
			break;
		default:
			add_float8(span->values, span->present, flip, zero, to);
	}
	k->n += span->present;
}

/* The positions of a batch's elements that are not NULL. */
static void
add_positions(uint32_t *to, const gs_input *in, int64_t fed)
{
	for (int64_t at = 0; at < in->n; at += CPU_BLOCK)
	{
		int			n = gs_cpu_block_size(in->n - at);
		uint32_t	first = (uint32_t) (fed + at) + 1;
		uint8_t		valid[CPU_BLOCK];
		uint32_t	position[CPU_BLOCK];

		if (in->data.present == in->n)
			memset(valid, 1, sizeof(valid));
		else
			gs_cpu_bits_to_flags(in->data.validity, at, n, valid);
		for (int i = 0; i < n; i++)
			position[i] = first + i;
		to += gs_cpu_pack(position, valid, n, sizeof(uint32_t), to);
	}
}

/* Ranks go to the places of the values, whatever lies between them. */
static void
number_keys(cpu_keys *k, int64_t n)
{
	for (int64_t i = k->n; i < k->n + n; i++)
		k->position[i] = (uint32_t) i;
}

static gs_status
order_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	order_state *s = run->state;

	(void) out;
	if (gs_is_ranks((gs_kind) run->op->kind))
		number_keys(&s->keys, in->data.present);
	else if (s->keys.position != NULL)
		add_positions(s->keys.position + s->keys.n, in, run->fed);
	add_keys(run->op, &s->keys, &in->data);
	return GS_OK;
}

/*
 * Reduce each run of equal keys to one, in place, and count it.  The
 * counts replace the other array of keys.  Also finds the mode: the first of
 * the longest runs.
 */
static void
find_distinct(order_state *s, uint64_t *mode)
{
	cpu_keys   *k = &s->keys;
	uint32_t	longest = 0;
	int64_t		m = 0;

	s->counts = k->other_key;
	for (int64_t i = 0, end; i < k->n; i = end)
	{
		uint64_t	key = gs_cpu_get_key(k->key, k->width, i);

		for (end = i + 1; end < k->n; end++)
		{
			if (gs_cpu_get_key(k->key, k->width, end) != key)
				break;
		}
		gs_cpu_set_key(k->key, k->width, m, key);
		s->counts[m++] = (uint32_t) (end - i);
		if (end - i > longest)
		{
			longest = (uint32_t) (end - i);
			*mode = key;
		}
		if (m % PAUSE_INTERVAL == 0)
			gs_cpu_pause();
	}
	k->n = m;
}

/* Ranks of sorted keys at .. end - 1, of which `rank` is that of the one before. */
#define RANKS(name, key_type) \
static uint32_t \
rank_##name(const cpu_keys *k, gs_kind kind, int64_t at, int64_t end, \
			uint32_t rank) \
{ \
	const key_type *key = k->key; \
\
	for (int64_t i = at; i < end; i++) \
	{ \
		uint32_t	next = kind == GS_DENSE_RANK ? rank + 1 : (uint32_t) i + 1; \
		bool		same = kind != GS_ROW_NUMBER && i > 0 && \
			key[i] == key[i - 1]; \
\
		rank = same ? rank : next; \
		k->other_position[k->position[i]] = rank; \
	} \
	return rank; \
} \
\
/* From the last one on: `rank` is that of the one after. */ \
static uint32_t \
rank_last_##name(const cpu_keys *k, int64_t at, int64_t end, uint32_t rank) \
{ \
	const key_type *key = k->key; \
\
	for (int64_t i = end - 1; i >= at; i--) \
	{ \
		bool		same = i + 1 < k->n && key[i] == key[i + 1]; \
\
		rank = same ? rank : (uint32_t) i + 1; \
		k->other_position[k->position[i]] = rank; \
	} \
	return rank; \
}

RANKS(4, uint32_t)
RANKS(8, uint64_t)

/* In place of the other positions. */
static void
rank_keys(const cpu_keys *k, gs_kind kind)
{
	const bool	last = kind == GS_LAST_RANK;
	uint32_t	rank = 0;

	for (int64_t done = 0; done < k->n; done += PAUSE_INTERVAL)
	{
		int64_t		n = k->n - done < PAUSE_INTERVAL ? k->n - done :
			PAUSE_INTERVAL;
		int64_t		at = last ? k->n - done - n : done;

		gs_cpu_pause();
		if (last)
			rank = k->width == 4 ? rank_last_4(k, at, at + n, rank) :
				rank_last_8(k, at, at + n, rank);
		else
			rank = k->width == 4 ? rank_4(k, kind, at, at + n, rank) :
				rank_8(k, kind, at, at + n, rank);
	}
}

/* Elements from keys. */
#define ELEMENTS(name, type, key_type, conversion) \
static void \
elements_##name(const void *keys, int64_t n, key_type flip, void *to) \
{ \
	const key_type *k = keys; \
	type	   *v = to; \
\
	for (int64_t i = 0; i < n; i++) \
	{ \
		key_type	key = k[i] ^ flip; \
\
		v[i] = conversion; \
	} \
}

ELEMENTS(int2, int16_t, uint32_t, (int16_t) (key ^ SIGN2))
ELEMENTS(int4, int32_t, uint32_t, (int32_t) (key ^ SIGN4))
ELEMENTS(int8, int64_t, uint64_t, (int64_t) (key ^ SIGN8))
ELEMENTS(float4, float, uint32_t, float4_from_key(key))
ELEMENTS(float8, double, uint64_t, gs_bits_double(FLOAT_BITS(key, SIGN8)))

static void
elements_from_keys(const gs_op *op, const void *keys, int64_t n, void *to)
{
	uint64_t	flip = op->order.descending ? UINT64_MAX : 0;

	switch (op->type)
	{
		case GS_INT2:
			elements_int2(keys, n, (uint32_t) flip, to);
			break;
		case GS_INT4:
			elements_int4(keys, n, (uint32_t) flip, to);
			break;
		case GS_INT8:
			elements_int8(keys, n, flip, to);
			break;
		case GS_FLOAT4:
			elements_float4(keys, n, (uint32_t) flip, to);
			break;
		default:
			elements_float8(keys, n, flip, to);
	}
}

static void
order_finish(gs_run *run, gs_result *result)
{
	order_state *s = run->state;
	uint64_t	mode = 0;
	uint32_t	mode4;

	if (run->op->kind != GS_SELECT)
		gs_cpu_sort(&s->keys);
	if (run->op->kind == GS_DISTINCT && s->keys.n > 0)
	{
		find_distinct(s, &mode);
		mode4 = (uint32_t) mode;
		elements_from_keys(run->op, s->keys.width == 4 ?
						   (const void *) &mode4 : &mode, 1, &result->value);
	}
	if (gs_is_ranks((gs_kind) run->op->kind))
		rank_keys(&s->keys, (gs_kind) run->op->kind);
	result->results = s->keys.n;
}

/* n results from rank `first` on, given their keys. */
static void
take_some(const gs_op *op, const order_state *s, gs_column column,
		  int64_t first, const void *keys, int64_t n, void *to)
{
	if (column == GS_COLUMN_COUNTS)
	{
		for (int64_t i = 0; i < n; i++)
			((int64_t *) to)[i] = s->counts[first + i];
	}
	else if (gs_has_positions((gs_kind) op->kind))
		memcpy(to, (gs_is_ranks((gs_kind) op->kind) ? s->keys.other_position :
					s->keys.position) + first, (size_t) n * sizeof(uint32_t));
	else
		elements_from_keys(op, keys, n, to);
}

static void
order_fetch(gs_run *run, gs_column column, int64_t first, int64_t n, void *to)
{
	order_state *s = run->state;
	int			width = (int) gs_column_width(run->op, column);
	int			key_width = s->keys.width;
	const uint8_t *keys = (const uint8_t *) s->keys.key + first * key_width;

	if (n > 0 && run->op->kind == GS_SELECT)
		keys = gs_cpu_select(&s->keys, first, n);
	for (int64_t at = 0; at < n; at += PAUSE_INTERVAL)
	{
		int64_t		count = n - at < PAUSE_INTERVAL ? n - at : PAUSE_INTERVAL;

		gs_cpu_pause();
		take_some(run->op, s, column, first + at, keys + at * key_width,
				  count, (uint8_t *) to + at * width);
	}
}

static int64_t
memory(const gs_op *op, int64_t n)
{
	(void) op;
	return n * CPU_ORDER_WIDTH;
}

const cpu_family gs_cpu_order = {
	.memory = memory, .begin = order_begin, .feed = order_feed,
	.finish = order_finish, .fetch = order_fetch
};
