/*-------------------------------------------------------------------------
 *
 * number.c
 *	  From keys to numbers of groups.
 *
 * Keys of few possible values are the index of a table of numbers
 * (dense.c); others are looked up in a hash table, by linear probing.
 * Either is made anew when it does not suffice any more, from the keys of the
 * groups so far.  The groups keep their numbers, and so the states stay where
 * they are.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

#include <stdlib.h>

#define MIN_ENTRY_BITS	12

/* Entries that are fetched ahead. */
#define AHEAD			16

static inline uint64_t
mix(uint64_t x)
{
	x ^= x >> 32;
	x *= UINT64_C(0x9e3779b97f4a7c15);
	return x;
}

/* The place where the search for a hash begins. */
static inline uint64_t
place_of(const group_keys *keys, uint64_t hash)
{
	return mix(hash) >> (64 - keys->entry_bits);
}

/* A hash of keys of which none decides alone. */
static inline uint64_t
combine(uint64_t hash, uint64_t key)
{
	return mix(hash ^ key) + (key >> 7);
}

static uint64_t
hash_of_group(const group_keys *keys, int64_t group)
{
	uint64_t	hash = keys->nulls.data[group];

	if (keys->n == 1)
		return ((const uint64_t *) keys->stored[0].data)[group];
	for (int k = 0; k < keys->n; k++)
		hash = combine(hash, ((const uint64_t *) keys->stored[k].data)[group]);
	return hash;
}

static void
insert(group_keys *keys, uint64_t hash, uint32_t group)
{
	uint64_t	mask = (UINT64_C(1) << keys->entry_bits) - 1;
	uint64_t	place = place_of(keys, hash);

	while (keys->entry[place].group != 0)
		place = (place + 1) & mask;
	keys->entry[place].key = hash;
	keys->entry[place].group = group + 1;
}

/* A hash table with room for so many groups, at most two thirds full. */
static gs_status
make_entries(gs_plan_run *run, int64_t groups)
{
	group_keys *keys = &run->keys;
	int			bits = MIN_ENTRY_BITS;

	while ((INT64_C(2) << bits) / 3 < groups)
		bits++;
	free(keys->entry);
	keys->entry = NULL;
	keys->entry_bits = bits;
	keys->entry = gs_group_long_zeros(run, (size_t) 1 << bits,
									  sizeof *keys->entry);
	if (keys->entry == NULL)
		return gs_group_no_memory(run);
	keys->null_group = 0;
	for (int64_t g = 0; g < run->summary.groups; g++)
	{
		if (g % (GROUP_PAUSE * 64) == 0)
			gs_cpu_pause();
		if (keys->n == 1 && keys->nulls.data[g] != 0)
			keys->null_group = (uint32_t) g + 1;
		else
			insert(keys, hash_of_group(keys, g), (uint32_t) g);
	}
	return GS_OK;
}

/* The tile's keys, as stored, and their hashes. */
static void
hash_tile(gs_plan_run *run, int n)
{
	group_keys *keys = &run->keys;
	uint64_t   *hash = keys->hash;

	memset(keys->tile_nulls, 0, n);
	for (int k = 0; k < keys->n; k++)
	{
		group_vector v = run->output[keys->output[k]].vector;
		uint64_t   *key = keys->n == 1 ? hash : keys->tile[k];

		gs_group_order_keys(keys->type[k], v.values, n, true, key);
		for (int i = 0; i < n && v.states != NULL; i++)
		{
			if (v.states[i] == 0)
				continue;
			key[i] = 0;
			keys->tile_nulls[i] |= (uint8_t) (1u << k);
		}
	}
	if (keys->n == 1)
		return;
	for (int i = 0; i < n; i++)
		hash[i] = keys->tile_nulls[i];
	for (int k = 0; k < keys->n; k++)
	{
		for (int i = 0; i < n; i++)
			hash[i] = combine(hash[i], keys->tile[k][i]);
	}
}

/* Has a group the keys of a row?  Their hashes are the same. */
static inline bool
same_keys(const group_keys *keys, uint32_t group, int row)
{
	if (keys->n == 1)
		return true;
	if (keys->nulls.data[group] != keys->tile_nulls[row])
		return false;
	for (int k = 0; k < keys->n; k++)
	{
		if (((const uint64_t *) keys->stored[k].data)[group] !=
			keys->tile[k][row])
			return false;
	}
	return true;
}

static uint32_t
find(gs_plan_run *run, uint64_t hash, int row)
{
	group_keys *keys = &run->keys;
	uint64_t	mask = (UINT64_C(1) << keys->entry_bits) - 1;
	uint64_t	place = place_of(keys, hash);
	group_entry *e;

	for (;; place = (place + 1) & mask)
	{
		e = &keys->entry[place];
		if (e->group == 0)
			break;
		if (e->key == hash && same_keys(keys, e->group - 1, row))
			return e->group - 1;
	}
	e->key = hash;
	e->group = gs_group_new(run, row) + 1;
	return e->group - 1;
}

static void
number_hashed(gs_plan_run *run, int n)
{
	group_keys *keys = &run->keys;

	hash_tile(run, n);
	for (int i = 0; i < n; i++)
	{
		if (i + AHEAD < n)
			__builtin_prefetch(&keys->entry[place_of(keys,
													 keys->hash[i + AHEAD])]);
		if (keys->n == 1 && keys->tile_nulls[i] != 0)
		{
			if (keys->null_group == 0)
				keys->null_group = gs_group_new(run, i) + 1;
			run->group[i] = keys->null_group - 1;
		}
		else
			run->group[i] = find(run, keys->hash[i], i);
	}
}

/* Before n rows: room in the table, for the case that all are new groups. */
static gs_status
make_room(gs_plan_run *run, int n)
{
	group_keys *keys = &run->keys;
	int64_t		groups = run->summary.groups + n;

	if (keys->entry != NULL &&
		groups <= (INT64_C(2) << keys->entry_bits) / 3)
		return GS_OK;
	if (keys->entry != NULL)
	{
		gs_status	status = gs_group_reconsider_dense(run, n);

		if (status != GS_OK || keys->dense)
			return status;
	}
	return make_entries(run, groups + groups / 2);
}

/* run->group: the numbers of the groups of n rows. */
gs_status
gs_group_number(gs_plan_run *run, int n)
{
	group_keys *keys = &run->keys;
	int64_t		groups = run->summary.groups + n;
	gs_status	status;

	if (keys->n == 0)
	{
		memset(run->group, 0, n * sizeof *run->group);
		return GS_OK;
	}
	if (groups > GROUP_MAX)
		return gs_group_fail(run, GS_NO_MEMORY, "too many groups");
	for (int k = 0; k < keys->n; k++)
	{
		if (!gs_group_store_grow(run, &keys->stored[k], groups))
			return gs_group_no_memory(run);
	}
	if (!gs_group_store_grow(run, &keys->nulls, groups))
		return gs_group_no_memory(run);
	if (keys->dense)
	{
		status = gs_group_number_dense(run, n);
		if (status != GS_OK || keys->dense)
			return status;
	}
	status = make_room(run, n);
	if (status != GS_OK)
		return status;
	if (keys->dense)
		return gs_group_number_dense(run, n);
	number_hashed(run, n);
	return GS_OK;
}
