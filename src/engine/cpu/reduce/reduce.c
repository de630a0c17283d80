/*-------------------------------------------------------------------------
 *
 * reduce.c
 *	  Reductions on the CPU.
 *
 * Most reductions never read a bitmap: values are packed, so the loops run
 * over them as if there were no NULLs.  Only two need to know where a value
 * was.  An extreme's position is found among the packed values first, and the
 * bitmap is searched only for a new best.  A product expands the elements,
 * since its tree depends on their indexes.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"
#include "engine/cpu/reduce/extremes.h"

#include <stdlib.h>

typedef struct reduction
{
	bool		any;			/* has there been any value? */
	gs_value	value;			/* min, bits; best of argmin, argmax */
	gs_value	greatest;		/* max */
	int64_t		position;
	uint64_t	isum[2];
	uint64_t	isquares[3];
	gs_acc		sum;
	gs_acc2		squares;
	int64_t		special[GS_SPECIALS];
	gs_product_stack product;
} reduction;

/* Sums of integers.  Fewer than 2^32 values of 32 bits fit in 64 bits. */
#define SUMS(suffix, type) \
static void \
sum_##suffix(reduction *r, const void *values, int64_t n) \
{ \
	const type *v = values; \
	int64_t		sum = 0; \
\
	for (int64_t i = 0; i < n; i++) \
		sum += v[i]; \
	gs_cpu_add_wide(r->isum, 2, sum); \
} \
\
static void \
magnitudes_##suffix(reduction *r, const void *values, int64_t n) \
{ \
	const type *v = values; \
	int64_t		sum = 0; \
\
	for (int64_t i = 0; i < n; i++) \
		sum += v[i] < 0 ? -(int64_t) v[i] : v[i]; \
	gs_cpu_add_wide(r->isum, 2, sum); \
}

SUMS(int2, int16_t)
SUMS(int4, int32_t)

/*
 * Values of 64 bits: the low 64 bits of the sum wrap around, and the sum of
 * the upper halves determines the rest.  Adding 2^63 to each value makes both
 * sums of unsigned numbers.
 */
static void
sum_int8(reduction *r, const void *values, int64_t n)
{
	const int64_t *v = values;
	uint64_t	low = 0;
	uint64_t	high = 0;
	unsigned __int128 sum;

	for (int64_t i = 0; i < n; i++)
	{
		uint64_t	x = (uint64_t) v[i] ^ (UINT64_C(1) << 63);

		low += x;
		high += x >> 32;
	}
	/* high * 2^32 <= sum < high * 2^32 + n * 2^32, n < 2^32 */
	sum = (unsigned __int128) high << 32;
	sum += low - (uint64_t) sum;
	gs_cpu_add_wide(r->isum, 2,
			 (__int128) (sum - ((unsigned __int128) (uint64_t) n << 63)));
}

static void
magnitudes_int8(reduction *r, const void *values, int64_t n)
{
	const int64_t *v = values;
	unsigned __int128 sum = 0;

	for (int64_t i = 0; i < n; i++)
		sum += v[i] < 0 ? -(uint64_t) v[i] : (uint64_t) v[i];
	gs_cpu_add_wide(r->isum, 2, (__int128) sum);
}

static void
squares_int2(reduction *r, const void *values, int64_t n)
{
	const int16_t *v = values;
	int64_t		sum = 0;

	for (int64_t i = 0; i < n; i++)
		sum += (int32_t) v[i] * v[i];
	gs_cpu_add_wide(r->isquares, 3, sum);
}

static void
squares_int4(reduction *r, const void *values, int64_t n)
{
	const int32_t *v = values;
	uint64_t	low = 0;
	uint64_t	high = 0;

	for (int64_t i = 0; i < n; i++)
	{
		uint64_t	x = (uint64_t) ((int64_t) v[i] * v[i]);

		low += x & 0xffffffff;
		high += x >> 32;
	}
	gs_cpu_add_wide(r->isquares, 3, ((__int128) high << 32) + low);
}

static void
squares_int8(reduction *r, const void *values, int64_t n)
{
	const int64_t *v = values;

	for (int64_t i = 0; i < n; i++)
		gs_cpu_add_wide(r->isquares, 3, (__int128) v[i] * v[i]);
}

static void
sum_float4(reduction *r, const void *values, int64_t n)
{
	const float *v = values;

	gs_cpu_sum_float4(&r->sum, v, n);
}

static void
sum_float8(reduction *r, const void *values, int64_t n)
{
	const double *v = values;

	gs_cpu_sum_float8(&r->sum, v, n);
}

#define MAGNITUDES(suffix, type) \
static void \
magnitudes_##suffix(reduction *r, const void *values, int64_t n) \
{ \
	const type *v = values; \
	type		magnitude[4 * CPU_BLOCK]; \
\
	for (int64_t at = 0; at < n; at += 4 * CPU_BLOCK) \
	{ \
		int64_t		m = n - at < 4 * CPU_BLOCK ? n - at : 4 * CPU_BLOCK; \
\
		for (int64_t i = 0; i < m; i++) \
			magnitude[i] = (type) __builtin_fabs(v[at + i]); \
		gs_cpu_sum_##suffix(&r->sum, magnitude, m); \
	} \
}

MAGNITUDES(float4, float)
MAGNITUDES(float8, double)

static void
squares_float4(reduction *r, const void *values, int64_t n)
{
	const float *v = values;

	gs_cpu_squares_float4(&r->squares, v, n);
}

static void
squares_float8(reduction *r, const void *values, int64_t n)
{
	const double *v = values;

	gs_cpu_squares_float8(&r->squares, v, n);
}

/*
 * Extremes.  As a value, -0 is less than 0; as a position, the first of either
 * counts (extremes.h).
 */
#define VALUE_EXTREME(name, where, type, member, keytype, key, unkey, better) \
static void \
name(reduction *r, const void *values, int64_t n) \
{ \
	const type *v = values; \
	keytype		best = name##_best(v, n); \
\
	if (!r->any || better(best, key(r->where.member))) \
		r->where.member = (type) unkey(best); \
}

/*
 * The index of the first value better than all before it in this batch and
 * than the best so far; -1 if there is none.
 */
#define POSITION_EXTREME(name, type, member, keytype, key, better) \
static int64_t \
name(reduction *r, const void *values, int64_t n) \
{ \
	const type *v = values; \
	keytype		best = name##_best(v, n); \
	int64_t		i = 0; \
\
	if (r->any && !better(best, key(r->value.member))) \
		return -1; \
	/* a client may change them meanwhile */ \
	while (i < n - 1 && key(v[i]) != best) \
		i++; \
	r->value.member = v[i]; \
	return i; \
}

#define EXTREMES(suffix, type, member, keytype, vkey, unkey, pkey) \
VALUE_EXTREME(min_##suffix, value, type, member, keytype, vkey, unkey, LESS) \
VALUE_EXTREME(max_##suffix, greatest, type, member, keytype, vkey, unkey, \
			  GREATER) \
POSITION_EXTREME(argmin_##suffix, type, member, keytype, pkey, LESS) \
POSITION_EXTREME(argmax_##suffix, type, member, keytype, pkey, GREATER)

EXTREMES(int2, int16_t, i2, int16_t, PLAIN, PLAIN, PLAIN)
EXTREMES(int4, int32_t, i4, int32_t, PLAIN, PLAIN, PLAIN)
EXTREMES(int8, int64_t, i8, int64_t, PLAIN, PLAIN, PLAIN)
EXTREMES(float4, float, f4, int64_t, KEY_FLOAT, gs_cpu_unkey, POSITION_KEY)
EXTREMES(float8, double, f8, int64_t, KEY_FLOAT, gs_cpu_unkey, POSITION_KEY)

#define SPECIALS(suffix, type) \
static void \
specials_##suffix(reduction *r, const void *values, int64_t n) \
{ \
	const type *v = values; \
\
	for (int64_t i = 0; i < n; i++) \
	{ \
		if (gs_is_special(v[i])) \
			r->special[gs_special_of(v[i])]++; \
	} \
}

SPECIALS(float4, float)
SPECIALS(float8, double)

/* Integers have none. */
#define specials_int2(r, values, n)
#define specials_int4(r, values, n)
#define specials_int8(r, values, n)

#define BITS(suffix, type, member) \
static void \
and_##suffix(reduction *r, const void *values, int64_t n) \
{ \
	const type *v = values; \
	type		bits = r->any ? (type) r->value.member : (type) -1; \
\
	for (int64_t i = 0; i < n; i++) \
		bits &= v[i]; \
	r->value.member = bits; \
} \
static void \
or_##suffix(reduction *r, const void *values, int64_t n) \
{ \
	const type *v = values; \
	type		bits = r->any ? (type) r->value.member : 0; \
\
	for (int64_t i = 0; i < n; i++) \
		bits |= v[i]; \
	r->value.member = bits; \
} \
static void \
xor_##suffix(reduction *r, const void *values, int64_t n) \
{ \
	const type *v = values; \
	type		bits = r->any ? (type) r->value.member : 0; \
\
	for (int64_t i = 0; i < n; i++) \
		bits ^= v[i]; \
	r->value.member = bits; \
}

BITS(int2, int16_t, i2)
BITS(int4, int32_t, i4)
BITS(int8, int64_t, i8)

static void
and_bool(reduction *r, const void *values, int64_t n)
{
	const uint8_t *v = values;
	int			all = !r->any || r->value.i2;

	for (int64_t i = 0; i < n; i++)
		all &= v[i] != 0;
	r->value.i2 = (int16_t) all;
}

static void
or_bool(reduction *r, const void *values, int64_t n)
{
	const uint8_t *v = values;
	int			some = r->any && r->value.i2;

	for (int64_t i = 0; i < n; i++)
		some |= v[i] != 0;
	r->value.i2 = (int16_t) some;
}

/* Several of these in turn: the elements of a feed stay in the cache. */
#define MOMENTS(suffix) \
static void \
moments_##suffix(reduction *r, const void *values, int64_t n) \
{ \
	sum_##suffix(r, values, n); \
	squares_##suffix(r, values, n); \
}

#define STATS(suffix) \
MOMENTS(suffix) \
static void \
stats_##suffix(reduction *r, const void *values, int64_t n) \
{ \
	moments_##suffix(r, values, n); \
	min_##suffix(r, values, n); \
	max_##suffix(r, values, n); \
	specials_##suffix(r, values, n); \
}

STATS(int2)
STATS(int4)
STATS(int8)
STATS(float4)
STATS(float8)

typedef void (*value_function) (reduction *r, const void *values, int64_t n);
typedef int64_t (*position_function) (reduction *r, const void *values,
									  int64_t n);

static const value_function value_functions[GS_KINDS][GS_TYPES] = {
	[GS_SUM] = {BY_NUMBER(sum)},
	[GS_ASUM] = {BY_NUMBER(magnitudes)},
	[GS_MOMENTS] = {BY_NUMBER(moments)},
	[GS_MIN] = {BY_NUMBER(min)},
	[GS_MAX] = {BY_NUMBER(max)},
	[GS_STATS] = {BY_NUMBER(stats)},
	[GS_BIT_AND] = {[GS_BOOL] = and_bool, BY_INTEGER(and)},
	[GS_BIT_OR] = {[GS_BOOL] = or_bool, BY_INTEGER(or)},
	[GS_BIT_XOR] = {BY_INTEGER(xor)},
};
static const position_function position_functions[GS_KINDS][GS_TYPES] = {
	[GS_ARGMIN] = {BY_NUMBER(argmin)},
	[GS_ARGMAX] = {BY_NUMBER(argmax)},
};

static void
feed_product(reduction *r, const gs_input *in, gs_type type)
{
	cpu_reader	reader = gs_cpu_reader(&in->data, in->n,
									   gs_type_width(type));
	uint64_t	scratch[CPU_BLOCK];
	uint8_t		flags[CPU_BLOCK];
	gs_value	one = gs_cpu_one(type);

	for (int64_t at = 0; at < in->n; at += CPU_BLOCK)
	{
		int			n = gs_cpu_block_size(in->n - at);
		const void *dense = gs_cpu_read(&reader, n, one, scratch, flags);

		gs_cpu_multiply(&r->product, type, dense, n);
	}
}

static void
feed_position(gs_run *run, const gs_input *in)
{
	reduction  *r = run->state;
	position_function function =
		position_functions[run->op->kind][run->op->type];
	int64_t		i = function(r, in->data.values, in->data.present);

	if (i < 0)
		return;
	if (in->data.present < in->n)
		i = gs_find_bit(in->data.validity, i);
	r->position = run->fed + i + 1;
}

static gs_status
reduce_begin(gs_run *run)
{
	const gs_op *op = run->op;

	if (op->kind != GS_PRODUCT &&
		value_functions[op->kind][op->type] == NULL &&
		position_functions[op->kind][op->type] == NULL)
		return GS_INVALID;
	run->state = calloc(1, sizeof(reduction));
	return run->state == NULL ? GS_NO_MEMORY : GS_OK;
}

static gs_status
reduce_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	reduction  *r = run->state;
	gs_type		type = (gs_type) run->op->type;

	(void) out;
	if (run->op->kind == GS_PRODUCT)
		feed_product(r, in, type);
	else if (in->data.present == 0)
		return GS_OK;
	else if (position_functions[run->op->kind][type] != NULL)
		feed_position(run, in);
	else
		value_functions[run->op->kind][type] (r, in->data.values,
											  in->data.present);
	r->any = true;
	return GS_OK;
}

static void
reduce_finish(gs_run *run, gs_result *result)
{
	reduction  *r = run->state;

	result->value = run->op->kind == GS_MAX ? r->greatest : r->value;
	result->greatest = r->greatest;
	result->position = r->position;
	result->product = gs_product_stack_fold(&r->product);
	memcpy(result->isum, r->isum, sizeof r->isum);
	memcpy(result->isquares, r->isquares, sizeof r->isquares);
	result->sum = r->sum;
	result->squares = r->squares;
	memcpy(result->special, r->special, sizeof r->special);
}

const cpu_family gs_cpu_reduction = {
	.begin = reduce_begin, .feed = reduce_feed, .finish = reduce_finish
};
