/*-------------------------------------------------------------------------
 *
 * cache.c
 *	  Copies of stored values, in the engine's own memory.
 *
 * A stored value never changes, so a copy of it needs no invalidation: it is
 * found by the value's name, and believed if the proof (gs_stored) is the same
 * too.  All clients belong to one start of the server (gs_msg_hello), and so
 * does this process, beyond which the proof would mean nothing.
 *
 * The life of an entry:
 *
 *		gs_cache_find		nobody has it: the caller is to load it
 *		gs_entry_load		part by part; others wait for it, or do without
 *		gs_cache_loaded		from now on others find it
 *		gs_cache_release	by everyone who has got it from gs_cache_find
 *
 * One that is released before it is complete is gone.  Complete ones stay, until
 * room is needed: then the one that has not been used for longest goes first,
 * but none that is in use.  What is in use counts as well, so that all entries
 * together never take more than --cache-size.
 *
 * An array that is no stored value, but goes with one into an execution, has an
 * entry without a name, which nobody else finds.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "service/cache_entry.h"

#define BUCKETS			65536

/*
 * Values that were asked for and not loaded, remembered by their hash: as many
 * as a large cache holds, lest a report over all of them never finds one.
 */
#define WANTED			(1 << 20)

/*
 * Edges stay in our own memory, since engines take them from there: this much
 * of it at most, whatever a device has room for.
 */
#define EDGES_MAX		(UINT64_C(64) << 20)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* under lock */
static gs_entry *bucket[BUCKETS];
static gs_entry *oldest;
static gs_entry *newest;
static uint64_t entries;		/* named ones */
static uint64_t bytes;			/* of all */
static uint64_t edge_bytes;		/* of these, of edges */
static uint64_t hits;
static uint64_t misses;
static uint64_t saved;
static uint64_t wanted[WANTED];

/* Of the name, without the proof. */
static uint64_t
hash_of(const gs_stored *stored)
{
	const uint32_t part[] = {stored->database, stored->relation,
		stored->value, stored->raw_size, stored->stored};
	uint64_t	hash = 0;

	for (size_t i = 0; i < sizeof part / sizeof *part; i++)
	{
		hash = (hash ^ part[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash;
}

static bool
name_equals(const gs_stored *a, const gs_stored *b)
{
	return a->database == b->database && a->relation == b->relation &&
		a->value == b->value && a->raw_size == b->raw_size &&
		a->stored == b->stored;
}

static bool
proof_equals(const gs_stored *a, const gs_stored *b)
{
	return a->xmin == b->xmin && a->block == b->block &&
		a->offset == b->offset;
}

/* ----------
 * Memory; all of it under lock
 * ----------
 */

static void
free_entry(gs_entry *e)
{
	if (e->edges)
	{
		free(e->memory);
		edge_bytes -= e->bytes;
	}
	else if (e->memory != NULL)
		gs_service.engine->release(e->memory, e->bytes);
	bytes -= e->bytes;
	free(e->rank);
	free(e);
}

static void
unlink_use(gs_entry *e)
{
	*(e->older != NULL ? &e->older->newer : &oldest) = e->newer;
	*(e->newer != NULL ? &e->newer->older : &newest) = e->older;
}

static void
link_newest(gs_entry *e)
{
	e->older = newest;
	e->newer = NULL;
	*(newest != NULL ? &newest->newer : &oldest) = e;
	newest = e;
}

/* Nobody finds it any more; it goes when it is not used any more. */
static void
take_name(gs_entry *e)
{
	gs_entry  **link = &bucket[hash_of(&e->stored) % BUCKETS];

	while (*link != e)
		link = &(*link)->next;
	*link = e->next;
	unlink_use(e);
	e->named = false;
	entries--;
	if (e->users == 0)
		free_entry(e);
}

static void
give_name(gs_entry *e)
{
	gs_entry  **link = &bucket[hash_of(&e->stored) % BUCKETS];

	e->next = *link;
	*link = e;
	link_newest(e);
	e->named = true;
	entries++;
}

/*
 * Let go what was not used for longest, or of edges alone; false if all are in
 * use.
 */
static bool
evict_one(bool edges)
{
	gs_entry   *e = oldest;

	while (e != NULL && (e->users > 0 || (edges && !e->edges)))
		e = e->newer;
	if (e != NULL)
		take_name(e);
	return e != NULL;
}

/* Find memory for an entry, if need be that of others. */
static bool
find_memory(gs_entry *e)
{
	if (e->bytes > gs_service.cache_size ||
		(e->edges && e->bytes > EDGES_MAX))
		return false;
	while (e->edges && edge_bytes + e->bytes > EDGES_MAX)
	{
		if (!evict_one(true))
			return false;
	}
	while (bytes + e->bytes > gs_service.cache_size)
	{
		if (!evict_one(false))
			return false;
	}
	do
		e->memory = e->edges ? malloc(e->bytes) :
			gs_service.engine->reserve(e->bytes);
	while (e->memory == NULL && evict_one(false));
	return e->memory != NULL;
}

static size_t
aligned(size_t size)
{
	return (size + GS_RESIDENT_ALIGN - 1) / GS_RESIDENT_ALIGN *
		GS_RESIDENT_ALIGN;
}

/* A new entry, used by the caller; NULL if there is no room. */
static gs_entry *
make_entry(const gs_stored *stored, gs_type type, int64_t n, int64_t most,
		   bool nulls, bool edges)
{
	gs_entry   *e = calloc(1, sizeof *e);

	if (e == NULL)
		return NULL;
	e->stored = *stored;
	e->type = type;
	e->nulls = nulls;
	e->n = n;
	e->most = most;
	e->edges = edges;

	/* kernels may read on to the end of 16 bytes */
	e->bits_at = aligned((size_t) most * (size_t) gs_type_width(type) + 16);
	e->bytes = e->bits_at +
		(nulls ? aligned(((size_t) n + 7) / 8 + 16) : 0);
	if (nulls)
		e->rank = calloc((size_t) n / GS_CHUNK_ALIGN + 2, sizeof(uint32_t));
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
	e->last_used = gs_now_us(CLOCK_REALTIME);
	atomic_store(&e->last_loaded, gs_now_us(CLOCK_MONOTONIC));
	return e;
}

/* Let go one that is not in use, for who needs memory; false: there is none. */
bool
gs_cache_make_room(void)
{
	bool		made;

	pthread_mutex_lock(&lock);
	made = evict_one(false);
	pthread_mutex_unlock(&lock);
	return made;
}

/* ----------
 * Finding and loading
 * ----------
 */

/* The entry of that name.  One that has another proof is of no use any more. */
static gs_entry *
look_up(const gs_stored *stored, gs_type type, int64_t n, bool edges)
{
	gs_entry   *e = bucket[hash_of(stored) % BUCKETS];

	while (e != NULL && (!name_equals(&e->stored, stored) ||
						 e->edges != edges))
		e = e->next;
	if (e == NULL || (proof_equals(&e->stored, stored) && e->type == type &&
					  e->n == n))
		return e;
	take_name(e);
	return NULL;
}

static void
count_hit(gs_entry *e)
{
	e->users++;
	e->hits++;
	e->last_used = gs_now_us(CLOCK_REALTIME);
	unlink_use(e);
	link_newest(e);
	hits++;
	saved += (uint64_t) e->present * (uint64_t) gs_type_width(e->type);
}

/* Has it been asked for before, and not that long ago?  From now on it has. */
static bool
is_wanted(const gs_stored *stored)
{
	uint64_t	hash = hash_of(stored) ^
		(uint64_t) stored->xmin << 32 ^ stored->block ^ stored->offset;
	uint64_t   *place = &wanted[hash % WANTED];
	bool		found = *place == hash;

	*place = hash;
	return found;
}

/*
 * Find a stored value, or room for it.  With only_kept there is room only for
 * what is asked for again.
 */
gs_found
gs_cache_find(const gs_argument *argument, gs_type type, int64_t n,
			  bool only_kept, gs_entry **entry)
{
	gs_found	found = GS_FOUND;
	gs_entry   *e;

	pthread_mutex_lock(&lock);
	e = look_up(&argument->stored, type, n, false);
	if (e != NULL && !e->complete)
		found = gs_now_us(CLOCK_MONOTONIC) - atomic_load(&e->last_loaded) >
			gs_service.patience * INT64_C(1000) ? GS_NO_ROOM : GS_BEING_LOADED;
	else if (e != NULL)
		count_hit(e);
	else if (only_kept && !is_wanted(&argument->stored))
		found = GS_NOT_FOUND;
	else
	{
		e = make_entry(&argument->stored, type, n, argument->most,
					   argument->nulls != 0, false);
		found = e == NULL ? GS_NO_ROOM : GS_TO_LOAD;
		misses++;
		if (e != NULL)
			give_name(e);
	}
	pthread_mutex_unlock(&lock);
	*entry = found == GS_FOUND || found == GS_TO_LOAD ? e : NULL;
	return found;
}

/* Room for an array that is no stored value; NULL if there is none. */
gs_entry *
gs_cache_unnamed(const gs_argument *argument, gs_type type, int64_t n)
{
	static const gs_stored nameless;
	gs_entry   *e;

	pthread_mutex_lock(&lock);
	e = make_entry(&nameless, type, n, argument->most, argument->nulls != 0,
				   false);
	pthread_mutex_unlock(&lock);
	return e;
}

/* Has all of it been loaded?  Others may use it then. */
bool
gs_cache_loaded(gs_entry *e)
{
	if (e->loaded < e->n)
		return false;
	pthread_mutex_lock(&lock);
	e->complete = true;
	pthread_mutex_unlock(&lock);
	return true;
}

void
gs_cache_release(gs_entry *e)
{
	pthread_mutex_lock(&lock);
	e->users--;
	if (e->named && !e->complete)
		take_name(e);
	else if (!e->named && e->users == 0)
		free_entry(e);
	pthread_mutex_unlock(&lock);
}

/* ----------
 * Edges
 * ----------
 */

/* Edges that have been found to ascend; NULL if they are not here. */
gs_entry *
gs_cache_find_edges(const gs_stored *stored, int64_t n)
{
	gs_entry   *e;

	pthread_mutex_lock(&lock);
	e = look_up(stored, GS_FLOAT8, n, true);
	if (e != NULL)
		count_hit(e);
	else
		misses++;
	pthread_mutex_unlock(&lock);
	return e;
}

/* Keep edges that ascend, if there is room. */
void
gs_cache_keep_edges(const gs_stored *stored, const double *edges, int64_t n)
{
	gs_entry   *e = NULL;

	pthread_mutex_lock(&lock);
	if (look_up(stored, GS_FLOAT8, n, true) == NULL)
		e = make_entry(stored, GS_FLOAT8, n, n, false, true);
	if (e != NULL)
	{
		memcpy(e->memory, edges, (size_t) n * sizeof(double));
		e->present = e->loaded = n;
		e->complete = true;
		e->users = 0;
		give_name(e);
	}
	pthread_mutex_unlock(&lock);
}

/* ----------
 * What is there
 * ----------
 */

void
gs_cache_tell(gs_msg_state *state)
{
	pthread_mutex_lock(&lock);
	state->cache_size = gs_service.cache_size;
	state->cache_bytes = bytes;
	state->cache_entries = entries;
	state->cache_hits = hits;
	state->cache_misses = misses;
	state->cache_saved = saved;
	pthread_mutex_unlock(&lock);
}

/*
 * Entries from a bucket on, at most so many; returns how many, and sets *from to
 * the bucket to go on with, or 0.  A bucket is told of as a whole; it holds
 * less than a message does.
 */
int64_t
gs_cache_list(uint64_t *from, gs_msg_entry *to, int64_t most)
{
	int64_t		count = 0;
	uint64_t	at;

	pthread_mutex_lock(&lock);
	for (at = *from; at < BUCKETS; at++)
	{
		int64_t		before = count;
		gs_entry   *e;

		for (e = bucket[at]; e != NULL && count < most; e = e->next)
		{
			gs_msg_entry *one = &to[count];

			if (!e->complete)
				continue;
			memset(one, 0, sizeof *one);
			one->stored = e->stored;
			one->type = e->type;
			one->n = e->n;
			one->bytes = (int64_t) e->bytes;
			one->hits = (int64_t) e->hits;
			one->last_used = e->last_used;
			count++;
		}
		if (e != NULL && before > 0)
		{
			count = before;
			break;
		}
	}
	pthread_mutex_unlock(&lock);
	*from = at < BUCKETS ? at : 0;
	return count;
}

/* Let go all that is complete; what is in use goes when it is used no more. */
int64_t
gs_cache_clear(void)
{
	int64_t		count = 0;
	gs_entry   *newer;

	pthread_mutex_lock(&lock);
	for (gs_entry *e = oldest; e != NULL; e = newer)
	{
		newer = e->newer;
		if (!e->complete)
			continue;
		take_name(e);
		count++;
	}
	pthread_mutex_unlock(&lock);
	return count;
}
