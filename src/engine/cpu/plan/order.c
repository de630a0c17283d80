/*-------------------------------------------------------------------------
 *
 * order.c
 *	  The order of keys and values, and of the groups.
 *
 * A key or value of any type is compared as an unsigned integer of 64 bits.
 * Groups are sorted by these from the last key to the first, since the sort is
 * stable.  The table of dense keys is in order already.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

#include <stdlib.h>

#define SIGN	(UINT64_C(1) << 63)

#define ORDER_INTEGERS(suffix, type) \
static void \
order_##suffix(const void *values, int n, uint64_t *restrict key) \
{ \
	const type *restrict v = values; \
\
	for (int i = 0; i < n; i++) \
		key[i] = (uint64_t) (int64_t) v[i] ^ SIGN; \
}

/* A float is compared as a double; 0 added turns -0 into 0, and -0 does not. */
#define ORDER_FLOATS(suffix, type) \
static void \
order_##suffix(const void *values, int n, double zero, \
			   uint64_t *restrict key) \
{ \
	const type *restrict v = values; \
\
	for (int i = 0; i < n; i++) \
	{ \
		double		x = (double) v[i] + zero; \
		uint64_t	bits = gs_double_bits(x == x ? x : gs_canonical_nan()); \
\
		key[i] = bits ^ ((uint64_t) -(int64_t) (bits >> 63) | SIGN); \
	} \
}

ORDER_INTEGERS(bool, uint8_t)
ORDER_INTEGERS(int2, int16_t)
ORDER_INTEGERS(int4, int32_t)
ORDER_INTEGERS(int8, int64_t)
ORDER_FLOATS(float4, float)
ORDER_FLOATS(float8, double)

/* one_zero: -0 is 0. */
void
gs_group_order_keys(gs_type type, const void *values, int n, bool one_zero,
					uint64_t *key)
{
	double		zero = one_zero ? 0.0 : -0.0;

	switch (type)
	{
		case GS_BOOL:
			order_bool(values, n, key);
			break;
		case GS_INT2:
			order_int2(values, n, key);
			break;
		case GS_INT4:
			order_int4(values, n, key);
			break;
		case GS_INT8:
			order_int8(values, n, key);
			break;
		case GS_FLOAT4:
			order_float4(values, n, zero, key);
			break;
		default:
			order_float8(values, n, zero, key);
	}
}

gs_value
gs_group_value_of(gs_type type, uint64_t key)
{
	double		x = gs_bits_double(key & SIGN ? key ^ SIGN : ~key);
	gs_value	value;

	value.i8 = 0;
	switch (type)
	{
		case GS_BOOL:
		case GS_INT2:
			value.i2 = (int16_t) (key ^ SIGN);
			break;
		case GS_INT4:
			value.i4 = (int32_t) (key ^ SIGN);
			break;
		case GS_INT8:
			value.i8 = (int64_t) (key ^ SIGN);
			break;
		case GS_FLOAT4:
			value.f4 = (float) x;
			break;
		default:
			value.f8 = x;
	}
	return value;
}

static void
order_by_table(gs_plan_run *run)
{
	const uint32_t *table = run->keys.table;
	int64_t		entries = table == NULL ? 0 :
		INT64_C(1) << run->keys.table_bits;
	int64_t		place = 0;

	for (int64_t i = 0; i < entries; i++)
	{
		if (i % (GROUP_PAUSE * 64) == 0)
			gs_cpu_pause();
		if (table[i] != 0)
			run->order[place++] = table[i] - 1;
	}
}

/* Sort by what a key is, or by whether it is NULL. */
static void
sort_by(gs_plan_run *run, cpu_keys *sort, int k, bool nulls)
{
	const group_keys *keys = &run->keys;
	const uint64_t *stored = (const uint64_t *) keys->stored[k].data;

	sort->width = nulls ? 4 : 8;
	for (int64_t i = 0; i < sort->n; i++)
	{
		uint32_t	group = sort->position[i];

		if (i % (GROUP_PAUSE * 64) == 0)
			gs_cpu_pause();
		gs_cpu_set_key(sort->key, sort->width, i, nulls ?
					   keys->nulls.data[group] >> k & 1 : stored[group]);
	}
	gs_cpu_sort(sort);
}

static gs_status
order_by_sorting(gs_plan_run *run)
{
	size_t		n = (size_t) run->summary.groups;
	cpu_keys	sort = {.n = run->summary.groups};
	uint8_t		nulls = 0;

	run->scratch[0] = gs_group_allocate(n, sizeof(uint64_t));
	run->scratch[1] = gs_group_allocate(n, sizeof(uint64_t));
	run->scratch[2] = gs_group_allocate(n, sizeof(uint32_t));
	if (run->scratch[0] == NULL || run->scratch[1] == NULL ||
		run->scratch[2] == NULL)
		return gs_group_no_memory(run);
	sort.key = run->scratch[0];
	sort.other_key = run->scratch[1];
	sort.position = run->order;
	sort.other_position = run->scratch[2];
	for (size_t g = 0; g < n; g++)
	{
		run->order[g] = (uint32_t) g;
		nulls |= run->keys.nulls.data[g];
	}
	for (int k = run->keys.n - 1; k >= 0; k--)
	{
		sort_by(run, &sort, k, false);
		if (nulls >> k & 1)
			sort_by(run, &sort, k, true);
	}
	/* the two arrays of positions may have changed places */
	run->order = sort.position;
	run->scratch[2] = sort.other_position;
	return GS_OK;
}

/* Sets run->order. */
gs_status
gs_group_sort(gs_plan_run *run)
{
	gs_status	status = GS_OK;

	if (run->keys.n == 0)
		return GS_OK;
	run->order = gs_group_allocate((size_t) run->summary.groups,
								   sizeof *run->order);
	if (run->order == NULL)
		return gs_group_no_memory(run);
	if (run->keys.dense)
		order_by_table(run);
	else
		status = order_by_sorting(run);
	gs_group_free_scratch(run);
	return status;
}
