/*-------------------------------------------------------------------------
 *
 * dense.c
 *	  Keys that are the index of a table of groups.
 *
 * A key is an integer or a boolean.  Less the least one it takes some bits of
 * the index, whose number follows from the range of all keys so far, and
 * whether it is NULL another bit, once there is a NULL.  Whether the keys of a
 * tile fit shows in the OR of their differences.
 *
 * If they do not, the table is made anew; if it would be too large, there is
 * none any more, and keys are hashed.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

#include <stdlib.h>

/*
 * A table may have SMALL_BITS in any case, and otherwise not many more entries
 * than there were rows that counted.
 */
#define SMALL_BITS		20
#define MAX_BITS		26
#define ENTRIES_A_ROW	4

/* The range of a key's values; none if low > high. */
typedef struct key_range
{
	int64_t		low;
	int64_t		high;
	bool		nulls;
} key_range;

#define FIND_RANGE(suffix, type) \
static void \
range_##suffix(const void *values, const uint8_t *states, int n, \
			   key_range *r) \
{ \
	const type *v = values; \
	bool		any = r->low <= r->high; \
	type		low = any ? (type) r->low : 0; \
	type		high = any ? (type) r->high : 0; \
\
	for (int i = 0; i < n; i++) \
	{ \
		if (states != NULL && states[i] != 0) \
		{ \
			r->nulls = true; \
			continue; \
		} \
		low = !any || v[i] < low ? v[i] : low; \
		high = !any || v[i] > high ? v[i] : high; \
		any = true; \
	} \
	if (any) \
	{ \
		r->low = low; \
		r->high = high; \
	} \
}

FIND_RANGE(bool, uint8_t)
FIND_RANGE(int2, int16_t)
FIND_RANGE(int4, int32_t)
FIND_RANGE(int8, int64_t)

static void
find_range(gs_type type, group_vector v, int n, key_range *r)
{
	switch (type)
	{
		case GS_BOOL:
			range_bool(v.values, v.states, n, r);
			break;
		case GS_INT2:
			range_int2(v.values, v.states, n, r);
			break;
		case GS_INT4:
			range_int4(v.values, v.states, n, r);
			break;
		default:
			range_int8(v.values, v.states, n, r);
	}
}

/* Of the groups so far. */
static void
find_stored_range(const gs_plan_run *run, int k, key_range *r)
{
	const uint64_t *stored = (const uint64_t *) run->keys.stored[k].data;

	for (int64_t g = 0; g < run->summary.groups; g++)
	{
		int64_t		value = (int64_t) (stored[g] ^ (UINT64_C(1) << 63));

		if (run->keys.nulls.data[g] >> k & 1)
			r->nulls = true;
		else if (r->low > r->high)
			r->low = r->high = value;
		else if (value < r->low)
			r->low = value;
		else if (value > r->high)
			r->high = value;
	}
}

/* What the caller knows of a column, while a batch is fed. */
static void
add_known_range(const gs_plan_run *run, int k, key_range *r)
{
	const group_output *o = &run->output[run->keys.output[k]];
	const gs_column_data *data;

	if (o->operand >= GS_CONSTANT(0) || o->type == GS_BOOL)
		return;
	data = run->column[o->operand].data;
	if (data == NULL || data->low > data->high)
		return;
	if (r->low > r->high)
	{
		r->low = data->low;
		r->high = data->high;
	}
	r->low = data->low < r->low ? data->low : r->low;
	r->high = data->high > r->high ? data->high : r->high;
}

static int
max_bits(const gs_plan_run *run)
{
	/* rows that will have counted, if as many do as so far */
	double		rows = run->summary.rows >= run->worked ? (double) run->rows :
		(double) run->rows * (double) run->summary.rows / (double) run->worked;
	int			bits = gs_cpu_bit_length((uint64_t) (rows * ENTRIES_A_ROW));

	return bits < SMALL_BITS ? SMALL_BITS : bits < MAX_BITS ? bits : MAX_BITS;
}

/*
 * Lay the keys' bits out; false if they are too many.  What the bits have more
 * than the range is left on both sides, so that keys that spread in whatever
 * direction cause a new table only when there are twice as many.
 */
static bool
lay_out(gs_plan_run *run, const key_range *range, group_dense_key *key,
		int *bits)
{
	*bits = 0;
	/* the first key in the leading bits: so the table is in order */
	for (int k = run->keys.n - 1; k >= 0; k--)
	{
		const key_range *r = &range[k];
		bool		any = r->low <= r->high;
		uint64_t	size = any ? (uint64_t) r->high - (uint64_t) r->low : 0;
		uint64_t	spare;

		key[k].bits = gs_cpu_bit_length(size);
		if (key[k].bits > MAX_BITS)
			return false;
		spare = ((UINT64_C(1) << key[k].bits) - 1 - size) / 2;
		key[k].low = !any ? 0 : r->low < INT64_MIN + (int64_t) spare ?
			INT64_MIN : r->low - (int64_t) spare;
		key[k].nulls = r->nulls;
		key[k].shift = *bits;
		*bits += key[k].bits + r->nulls;
		if (*bits > max_bits(run))
			return false;
	}
	return true;
}

static uint64_t
index_of_group(const group_keys *keys, int64_t group)
{
	uint64_t	index = 0;

	for (int k = 0; k < keys->n; k++)
	{
		const group_dense_key *key = &keys->key[k];
		uint64_t	stored = ((const uint64_t *) keys->stored[k].data)[group];

		if (keys->nulls.data[group] >> k & 1)
			index |= UINT64_C(1) << key->bits << key->shift;
		else
			index |= ((stored ^ (UINT64_C(1) << 63)) - (uint64_t) key->low) <<
				key->shift;
	}
	return index;
}

/*
 * A table for the groups so far and n rows, of which some do not fit in the
 * one there is; keys are hashed if that would be too large.
 */
static gs_status
make_table(gs_plan_run *run, int n)
{
	group_keys *keys = &run->keys;
	key_range	range[GS_PLAN_KEYS];
	key_range	known[GS_PLAN_KEYS];
	group_dense_key layout[GS_PLAN_KEYS] = {{0}};
	int			bits;

	free(keys->table);
	keys->table = NULL;
	for (int k = 0; k < keys->n; k++)
	{
		range[k] = (key_range) {0, -1, false};
		find_stored_range(run, k, &range[k]);
		find_range(keys->type[k], run->output[keys->output[k]].vector, n,
				   &range[k]);
		known[k] = range[k];
		add_known_range(run, k, &known[k]);
	}
	keys->dense = lay_out(run, known, layout, &bits) ||
		lay_out(run, range, layout, &bits);
	if (!keys->dense)
		return GS_OK;
	memcpy(keys->key, layout, sizeof layout);
	free(keys->entry);
	keys->entry = NULL;
	keys->table_bits = bits;
	keys->table = gs_group_long_zeros(run, (size_t) 1 << bits,
									  sizeof *keys->table);
	if (keys->table == NULL)
		return gs_group_no_memory(run);
	for (int64_t g = 0; g < run->summary.groups; g++)
	{
		if (g % (GROUP_PAUSE * 64) == 0)
			gs_cpu_pause();
		keys->table[index_of_group(keys, g)] = (uint32_t) g + 1;
	}
	return GS_OK;
}

/*
 * Add a key's part to the indexes of rows without NULL.  Returns what has to
 * be below 2^bits.  Indexes of keys that do not fit are wrong.
 */
#define ADD_INDEX(suffix, type, unsigned_type) \
static uint64_t \
index_##suffix(const void *values, int n, const group_dense_key *key, \
			   bool first, uint32_t *restrict index) \
{ \
	const type *restrict v = values; \
	const unsigned_type low = (unsigned_type) key->low; \
	const int	shift = key->shift; \
	unsigned_type all = 0; \
\
	if (first) \
	{ \
		for (int i = 0; i < n; i++) \
		{ \
			unsigned_type above = (unsigned_type) ((unsigned_type) v[i] - low); \
\
			all |= above; \
			index[i] = (uint32_t) above << shift; \
		} \
		return all; \
	} \
	for (int i = 0; i < n; i++) \
	{ \
		unsigned_type above = (unsigned_type) ((unsigned_type) v[i] - low); \
\
		all |= above; \
		index[i] |= (uint32_t) above << shift; \
	} \
	return all; \
}

ADD_INDEX(bool, uint8_t, uint32_t)
ADD_INDEX(int2, int16_t, uint32_t)
ADD_INDEX(int4, int32_t, uint32_t)
ADD_INDEX(int8, int64_t, uint64_t)

static uint64_t
add_index(gs_type type, const void *values, int n, const group_dense_key *key,
		  bool first, uint32_t *index)
{
	switch (type)
	{
		case GS_BOOL:
			return index_bool(values, n, key, first, index);
		case GS_INT2:
			return index_int2(values, n, key, first, index);
		case GS_INT4:
			return index_int4(values, n, key, first, index);
		default:
			return index_int8(values, n, key, first, index);
	}
}

static int64_t
value_at(gs_type type, const void *values, int i)
{
	switch (type)
	{
		case GS_BOOL:
			return ((const uint8_t *) values)[i];
		case GS_INT2:
			return ((const int16_t *) values)[i];
		case GS_INT4:
			return ((const int32_t *) values)[i];
		default:
			return ((const int64_t *) values)[i];
	}
}

/* Add a key with NULLs to the index, a row at a time. */
static bool
add_index_with_nulls(gs_type type, group_vector v, int n,
					 const group_dense_key *key, uint32_t *index)
{
	uint64_t	all = 0;

	if (!key->nulls)
		return false;
	for (int i = 0; i < n; i++)
	{
		uint64_t	above = UINT64_C(1) << key->bits;

		if (v.states[i] == 0)
		{
			above = (uint64_t) value_at(type, v.values, i) -
				(uint64_t) key->low;
			all |= above;
		}
		index[i] |= (uint32_t) above << key->shift;
	}
	return all >> key->bits == 0;
}

static bool
has_nulls(group_vector v, int n)
{
	uint8_t		all = 0;

	for (int i = 0; i < n && v.states != NULL; i++)
		all |= v.states[i];
	return all != 0;
}

/* The rows' indexes; false if some do not fit. */
static bool
index_tile(gs_plan_run *run, int n, uint32_t *index)
{
	group_keys *keys = &run->keys;

	if (keys->table == NULL)
		return false;
	for (int k = 0; k < keys->n; k++)
	{
		group_vector v = run->output[keys->output[k]].vector;
		const group_dense_key *key = &keys->key[k];
		bool		fits;

		if (has_nulls(v, n))
		{
			if (k == 0)
				memset(index, 0, n * sizeof *index);
			fits = add_index_with_nulls(keys->type[k], v, n, key, index);
		}
		else
			fits = add_index(keys->type[k], v.values, n, key, k == 0,
							 index) >> key->bits == 0;
		if (!fits)
			return false;
	}
	return true;
}

/*
 * The numbers of rows' groups by a single key without NULL, in one pass.  A key
 * that does not fit is looked up anywhere.  Returns what has to be below
 * 2^bits.
 */
#define NUMBER_SINGLE(suffix, type, unsigned_type) \
static uint64_t \
number_##suffix(const void *values, int n, const group_dense_key *key, \
				const uint32_t *restrict table, uint32_t *restrict group, \
				uint32_t *missing) \
{ \
	const type *restrict v = values; \
	const unsigned_type low = (unsigned_type) key->low; \
	const uint32_t mask = (UINT32_C(1) << key->bits) - 1; \
	unsigned_type all = 0; \
	uint32_t	none = 0; \
\
	for (int i = 0; i < n; i++) \
	{ \
		unsigned_type above = (unsigned_type) ((unsigned_type) v[i] - low); \
\
		all |= above; \
		group[i] = table[above & mask] - 1; \
		none |= group[i]; \
	} \
	*missing = none; \
	return all; \
}

NUMBER_SINGLE(bool, uint8_t, uint32_t)
NUMBER_SINGLE(int2, int16_t, uint32_t)
NUMBER_SINGLE(int4, int32_t, uint32_t)
NUMBER_SINGLE(int8, int64_t, uint64_t)

typedef uint64_t (*number_single) (const void *values, int n,
								   const group_dense_key *key,
								   const uint32_t *table, uint32_t *group,
								   uint32_t *missing);

static const number_single numbers[GS_TYPES] = {
	[GS_BOOL] = number_bool, BY_INTEGER(number)
};

/* False if the rows have several keys, a NULL, or one of no group so far. */
static bool
number_by_one_key(gs_plan_run *run, int n)
{
	const group_keys *keys = &run->keys;
	const group_dense_key *key = &keys->key[0];
	group_vector v = run->output[keys->output[0]].vector;
	uint64_t	all;
	uint32_t	missing;

	if (keys->n != 1 || keys->table == NULL || has_nulls(v, n))
		return false;
	all = numbers[keys->type[0]] (v.values, n, key, keys->table, run->group,
								  &missing);
	/* only 0 less 1 has the leading bit */
	return all >> key->bits == 0 && missing >> 31 == 0;
}

/* Sets run->group, unless keys->dense has become false. */
gs_status
gs_group_number_dense(gs_plan_run *run, int n)
{
	group_keys *keys = &run->keys;
	const uint32_t *table;
	uint32_t	index[GROUP_TILE];
	uint32_t	missing = 0;

	if (n == 0 || number_by_one_key(run, n))
		return GS_OK;
	if (!index_tile(run, n, index))
	{
		gs_status	status = make_table(run, n);

		if (status != GS_OK || !keys->dense)
			return status;
		(void) index_tile(run, n, index);
	}
	table = keys->table;
	for (int i = 0; i < n; i++)
	{
		uint32_t	number = table[index[i]];

		run->group[i] = number - 1;
		missing |= number - 1;
	}
	/* only 0 less 1 has the leading bit */
	if (missing >> 31 == 0)
		return GS_OK;
	for (int i = 0; i < n; i++)
	{
		uint32_t   *number = &keys->table[index[i]];

		if (*number == 0)
			*number = gs_group_new(run, i) + 1;
		run->group[i] = *number - 1;
	}
	return GS_OK;
}

/*
 * Keys that are hashed: should they be dense now, that there are more rows?
 * If so, makes the table.
 */
gs_status
gs_group_reconsider_dense(gs_plan_run *run, int n)
{
	return run->keys.can_be_dense ? make_table(run, n) : GS_OK;
}
