/*-------------------------------------------------------------------------
 *
 * cache.c
 *	  The cache of toasted values, in the engine's own memory.
 *
 * A toasted value never changes, so a cached one needs no invalidation: it is
 * found by the value's id, and trusted if the proof (gs_toast_id) matches too.
 * All clients belong to one start of the server (gs_msg_hello), and so does
 * this process; beyond that, the proof would mean nothing.
 *
 * The life of an entry:
 *
 *		gs_cache_find		not found: the caller is to load it
 *		gs_entry_load		part by part; others wait, or do without it
 *		gs_cache_loaded		from now on others find it
 *		gs_cache_release	by everyone who got it from gs_cache_find or
 *							gs_cache_find_complete
 *
 * An entry that is released before it is complete is dropped.  Complete
 * entries stay until their memory is needed (budget.c) and they are not in use.
 *
 * An array that is not toasted, but goes with a toasted one into an execution,
 * has an unnamed entry, which nobody else finds.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "service/cache_entry.h"

#define BUCKETS			65536

/*
 * Values that were asked for and not loaded, remembered by their hash: as many
 * as a large cache holds, so that a report over all of them finds them wanted
 * the second time.
 */
#define WANTED			(1 << 20)

/*
 * Edges are cached in our own memory, because that is where engines read them,
 * and only up to this size, however much the device has.
 */
#define EDGES_MAX		(UINT64_C(64) << 20)

/* under gs_budget_lock */
static gs_entry *bucket[BUCKETS];
static uint64_t entries;		/* listed ones */
static uint64_t bytes;			/* of all */
static uint64_t edge_bytes;		/* of these, of edges */
static uint64_t hits;
static uint64_t misses;
static uint64_t saved;
static uint64_t wanted[WANTED];

/* The hash of an id, without its proof. */
static uint64_t
hash_of(const gs_toast_id *id)
{
	const uint32_t part[] = {id->database, id->relation,
	id->value, id->raw_size, id->extinfo};
	uint64_t	hash = 0;

	for (size_t i = 0; i < sizeof part / sizeof *part; i++)
	{
		hash = (hash ^ part[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash;
}

static bool
ids_equal(const gs_toast_id *a, const gs_toast_id *b)
{
	return a->database == b->database && a->relation == b->relation &&
		a->value == b->value && a->raw_size == b->raw_size &&
		a->extinfo == b->extinfo;
}

static bool
proofs_equal(const gs_toast_id *a, const gs_toast_id *b)
{
	return a->xmin == b->xmin && a->block == b->block &&
		a->offset == b->offset;
}

/* ----------
 * Memory; the caller holds the lock
 * ----------
 */

static void
free_entry(gs_entry *e)
{
	if (e->edges)
	{
		free(e->memory);
		gs_budget_give(e->bytes);
		edge_bytes -= e->bytes;
	}
	else
		gs_budget_release(e->memory, e->bytes, e->device);
	bytes -= e->bytes;
	free(e->rank);
	free(e);
}

/*
 * Remove an entry from the list: nobody finds it any more, and it is freed
 * when its last user releases it.
 */
static void
unlist_entry(gs_entry *e)
{
	gs_entry  **link = &bucket[hash_of(&e->id) % BUCKETS];

	while (*link != e)
		link = &(*link)->next;
	*link = e->next;
	gs_item_remove(&e->item);
	e->listed = false;
	entries--;
	if (e->users == 0)
		free_entry(e);
}

/* Add an entry to the list, as the most recently used one. */
static void
list_entry(gs_entry *e)
{
	gs_entry  **link = &bucket[hash_of(&e->id) % BUCKETS];

	e->next = *link;
	*link = e;
	gs_item_use(&e->item);
	e->listed = true;
	entries++;
}

/* gs_item.evict */
static bool
evict_entry(gs_item *item)
{
	gs_entry   *e = (gs_entry *) item;

	if (e->users > 0)
		return false;
	unlist_entry(e);
	return true;
}

/*
 * Arrays of one column are on one device: prefetch reduces many of them at once,
 * and a function of two takes them from the same table, as a rule.
 */
static int
device_for(const gs_toast_id *id)
{
	uint64_t	hash = ((uint64_t) id->database << 32 | id->relation) *
		UINT64_C(0x9e3779b97f4a7c15);

	return id->database == 0 ? gs_device_least_busy() :
		(int) ((hash >> 32) % (uint64_t) gs_service.devices);
}

/* Allocate an entry's memory, evicting others if necessary. */
static bool
find_memory(gs_entry *e)
{
	if (!e->edges)
	{
		e->device = e->item.device = device_for(&e->id);
		gs_device_use(e->device);
		e->memory = gs_budget_reserve(e->bytes);
		return e->memory != NULL;
	}
	if (e->bytes > EDGES_MAX)
		return false;
	while (edge_bytes + e->bytes > EDGES_MAX)
	{
		if (!gs_budget_evict(GS_ITEM_EDGES))
			return false;
	}
	if (!gs_budget_take(e->bytes))
		return false;
	e->memory = malloc(e->bytes);
	if (e->memory == NULL)
		gs_budget_give(e->bytes);
	return e->memory != NULL;
}

static size_t
aligned(size_t size)
{
	return (size + GS_CACHE_ALIGN - 1) / GS_CACHE_ALIGN *
		GS_CACHE_ALIGN;
}

/* Make a new entry, in use by the caller; NULL if the cache is full. */
static gs_entry *
make_entry(const gs_toast_id *id, gs_type type, int64_t n,
		   int64_t max_values,
		   bool nulls, bool edges)
{
	gs_entry   *e = calloc(1, sizeof *e);

	if (e == NULL)
		return NULL;
	e->item.device = GS_ALL_DEVICES;
	e->item.kind = edges ? GS_ITEM_EDGES : GS_ITEM_ARRAY;
	e->item.evict = evict_entry;
	e->id = *id;
	e->type = type;
	e->nulls = nulls;
	e->n = n;
	e->max_values = max_values;
	e->edges = edges;

	/* kernels may read to the end of the last 16 bytes */
	e->bits_at = aligned((size_t) max_values *
						 (size_t) gs_type_width(type) + 16);
	e->bytes = e->bits_at +
		(nulls ? aligned(((size_t) n + 7) / 8 + 16) : 0);
	if (nulls)
		e->rank = calloc((size_t) n / GS_BATCH_ALIGN + 2, sizeof(uint32_t));
	if ((nulls && e->rank == NULL) || !find_memory(e))
	{
		free(e->rank);
		free(e);
		return NULL;
	}
	bytes += e->bytes;
	if (edges)
		edge_bytes += e->bytes;
	e->users = 1;
	atomic_store(&e->last_loaded, gs_now_us(CLOCK_MONOTONIC));
	return e;
}

/* ----------
 * Finding and loading
 * ----------
 */

/* The entry with that id.  One with another proof is obsolete. */
static gs_entry *
look_up(const gs_toast_id *id, gs_type type, int64_t n, bool edges)
{
	gs_entry   *e = bucket[hash_of(id) % BUCKETS];

	while (e != NULL && (!ids_equal(&e->id, id) ||
						 e->edges != edges))
		e = e->next;
	if (e == NULL || (proofs_equal(&e->id, id) && e->type == type &&
					  e->n == n))
		return e;
	unlist_entry(e);
	return NULL;
}

static void
count_hit(gs_entry *e)
{
	e->users++;
	e->hits++;
	gs_item_use(&e->item);
	hits++;
	saved += (uint64_t) e->present * (uint64_t) gs_type_width(e->type);
}

/* Was it asked for before, not too long ago?  Remember that it is now. */
static bool
is_wanted(const gs_toast_id *id)
{
	uint64_t	hash = hash_of(id) ^
		(uint64_t) id->xmin << 32 ^ id->block ^ id->offset;
	uint64_t   *place = &wanted[hash % WANTED];
	bool		found = *place == hash;

	*place = hash;
	return found;
}

/*
 * Find a toasted value, or make an entry for it.  With only_cached, make one
 * only if the value has been asked for before.
 */
gs_found
gs_cache_find(const gs_argument *argument, gs_type type, int64_t n,
			  bool only_cached, gs_entry **entry)
{
	gs_found	found = GS_FOUND;
	gs_entry   *e;

	pthread_mutex_lock(&gs_budget_lock);
	e = look_up(&argument->toast_id, type, n, false);
	if (e != NULL && !e->complete)
		found = gs_now_us(CLOCK_MONOTONIC) - atomic_load(&e->last_loaded) >
			gs_service.patience * INT64_C(1000) ?
			GS_CACHE_FULL : GS_BEING_LOADED;
	else if (e != NULL)
		count_hit(e);
	else if (only_cached && !is_wanted(&argument->toast_id))
		found = GS_NOT_FOUND;
	else
	{
		e = make_entry(&argument->toast_id, type, n, argument->max_values,
					   argument->nulls != 0, false);
		found = e == NULL ? GS_CACHE_FULL : GS_TO_LOAD;
		misses++;
		if (e != NULL)
			list_entry(e);
	}
	pthread_mutex_unlock(&gs_budget_lock);
	*entry = found == GS_FOUND || found == GS_TO_LOAD ? e : NULL;
	return found;
}

/* Find a toasted value that is complete; NULL if there is none. */
gs_entry *
gs_cache_find_complete(const gs_argument *argument, gs_type type, int64_t n)
{
	gs_entry   *e;

	pthread_mutex_lock(&gs_budget_lock);
	e = look_up(&argument->toast_id, type, n, false);
	if (e != NULL && !e->complete)
		e = NULL;
	if (e != NULL)
		count_hit(e);
	pthread_mutex_unlock(&gs_budget_lock);
	return e;
}

/*
 * Make an entry for an array that is not toasted; NULL if the cache is full.
 */
gs_entry *
gs_cache_unnamed(const gs_argument *argument, gs_type type, int64_t n)
{
	static const gs_toast_id none;
	gs_entry   *e;

	pthread_mutex_lock(&gs_budget_lock);
	e = make_entry(&none, type, n, argument->max_values,
				   argument->nulls != 0, false);
	pthread_mutex_unlock(&gs_budget_lock);
	return e;
}

/* Has all of it been loaded?  Then others may use it from now on. */
bool
gs_cache_loaded(gs_entry *e)
{
	if (e->loaded < e->n)
		return false;
	pthread_mutex_lock(&gs_budget_lock);
	e->complete = true;
	pthread_mutex_unlock(&gs_budget_lock);
	return true;
}

void
gs_cache_release(gs_entry *e)
{
	pthread_mutex_lock(&gs_budget_lock);
	e->users--;
	if (e->listed && !e->complete)
		unlist_entry(e);
	else if (!e->listed && e->users == 0)
		free_entry(e);
	pthread_mutex_unlock(&gs_budget_lock);
}

/* ----------
 * Edges
 * ----------
 */

/* Cached edges, which are known to ascend; NULL if they are not cached. */
gs_entry *
gs_cache_find_edges(const gs_toast_id *id, int64_t n)
{
	gs_entry   *e;

	pthread_mutex_lock(&gs_budget_lock);
	e = look_up(id, GS_FLOAT8, n, true);
	if (e != NULL)
		count_hit(e);
	else
		misses++;
	pthread_mutex_unlock(&gs_budget_lock);
	return e;
}

/* Cache edges, which must ascend, unless the cache is full. */
void
gs_cache_add_edges(const gs_toast_id *id, const double *edges, int64_t n)
{
	gs_entry   *e = NULL;

	pthread_mutex_lock(&gs_budget_lock);
	if (look_up(id, GS_FLOAT8, n, true) == NULL)
		e = make_entry(id, GS_FLOAT8, n, n, false, true);
	if (e != NULL)
	{
		memcpy(e->memory, edges, (size_t) n * sizeof(double));
		e->present = e->loaded = n;
		e->complete = true;
		e->users = 0;
		list_entry(e);
	}
	pthread_mutex_unlock(&gs_budget_lock);
}

/* ----------
 * Information
 * ----------
 */

void
gs_cache_stats(gs_msg_state *state)
{
	pthread_mutex_lock(&gs_budget_lock);
	state->cache_size = gs_service.cache_size;
	state->cache_bytes = bytes;
	state->cache_entries = entries;
	state->cache_hits = hits;
	state->cache_misses = misses;
	state->cache_saved = saved;
	pthread_mutex_unlock(&gs_budget_lock);
}

/*
 * List up to max entries, starting at bucket *from.  Returns their number, and
 * sets *from to the bucket to continue with, or to 0.  Buckets are listed
 * whole; a message can hold any bucket.
 */
int64_t
gs_cache_list(uint64_t *from, gs_msg_entry *to, int64_t max)
{
	int64_t		count = 0;
	uint64_t	at;

	pthread_mutex_lock(&gs_budget_lock);
	for (at = *from; at < BUCKETS; at++)
	{
		int64_t		before = count;
		gs_entry   *e;

		for (e = bucket[at]; e != NULL && count < max; e = e->next)
		{
			gs_msg_entry *one = &to[count];

			if (!e->complete)
				continue;
			memset(one, 0, sizeof *one);
			one->toast_id = e->id;
			one->type = e->type;
			one->n = e->n;
			one->bytes = (int64_t) e->bytes;
			one->hits = (int64_t) e->hits;
			one->last_used = e->item.last_used;
			count++;
		}
		if (e != NULL && before > 0)
		{
			count = before;
			break;
		}
	}
	pthread_mutex_unlock(&gs_budget_lock);
	*from = at < BUCKETS ? at : 0;
	return count;
}

/* Drop all complete entries; those in use are freed when they are released. */
int64_t
gs_cache_clear(void)
{
	int64_t		count = 0;

	pthread_mutex_lock(&gs_budget_lock);
	for (uint64_t at = 0; at < BUCKETS; at++)
	{
		gs_entry   *next;

		for (gs_entry *e = bucket[at]; e != NULL; e = next)
		{
			next = e->next;
			if (!e->complete)
				continue;
			unlist_entry(e);
			count++;
		}
	}
	pthread_mutex_unlock(&gs_budget_lock);
	return count;
}
