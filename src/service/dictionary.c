/*-------------------------------------------------------------------------
 *
 * dictionary.c
 *	  The distinct values of columns that are held as codes.
 *
 * A dictionary is found by its column, or by its id.  It is an item of the
 * budget (budget.c), which goes when nobody uses it: a report whose columns have
 * its codes, or a message about it.
 *
 * Its values are in memory that clients map (protocol/dictionary.h).
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "service/columns_table.h"
#include "service/dictionary.h"
#include "service/dictionary_memory.h"

#define BUCKETS			4096

/* Of a hash table at first: what the head's page has room for. */
#define SLOTS_MIN		256

struct gs_held_dictionary
{
	gs_item		item;			/* first; listed: it can be found */
	gs_held_dictionary_key key;
	uint64_t	id;

	pthread_mutex_t lock;		/* protects what follows */
	gs_dictionary_memory memory;
	int32_t		n;
	uint32_t	slots;			/* at least twice n */
	size_t		end;			/* of the entries */
	size_t		bytes;			/* of all values alone */

	/* under gs_budget_lock */
	int			users;
	gs_held_dictionary *next;	/* in its bucket */
};

/* under gs_budget_lock */
static gs_held_dictionary *bucket[BUCKETS];
static uint64_t made;			/* ever */

/* ----------
 * Finding and releasing; the caller of static functions holds gs_budget_lock
 * ----------
 */

static size_t
bucket_of(const gs_held_dictionary_key *key)
{
	uint64_t	hash = ((uint64_t) key->database << 32 | key->relation) *
		UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t) (uint32_t) key->attribute;

	return (hash ^ hash >> 32) % BUCKETS;
}

static bool
is_of(const gs_held_dictionary *d, const gs_held_dictionary_key *key)
{
	return d->key.database == key->database &&
		d->key.relation == key->relation &&
		d->key.attribute == key->attribute && d->key.type == key->type;
}

static void
free_dictionary(gs_held_dictionary *d)
{
	pthread_mutex_destroy(&d->lock);
	gs_dictionary_memory_free(&d->memory);
	gs_columns_free(d, 1, sizeof *d);
}

/* Nobody finds it any more. */
static void
unlist(gs_held_dictionary *d)
{
	gs_held_dictionary **link = &bucket[bucket_of(&d->key)];

	while (*link != d)
		link = &(*link)->next;
	*link = d->next;
	gs_item_remove(&d->item);
	if (d->users == 0)
		free_dictionary(d);
}

/* gs_item.evict */
static bool
evict(gs_item *item)
{
	gs_held_dictionary *d = (gs_held_dictionary *) item;

	if (d->users > 0)
		return false;
	unlist(d);
	return true;
}

/*
 * An id is never used again.  A client may still know one of a gpuscand before
 * this one, so they count from the time of its start; and the last bits are the
 * bucket, so that it is found.
 */
static uint64_t
make_id(size_t at)
{
	return ((uint64_t) gs_service.started_at + ++made) * BUCKETS + at;
}

/* Make an empty one. */
static gs_held_dictionary *
make_dictionary(const gs_held_dictionary_key *key)
{
	gs_held_dictionary *d;
	size_t		at = bucket_of(key);

	if (!gs_budget_take(sizeof *d))
		return NULL;
	d = calloc(1, sizeof *d);
	if (d == NULL || !gs_dictionary_memory_make(&d->memory))
	{
		free(d);
		gs_budget_give(sizeof *d);
		return NULL;
	}
	d->item.kind = GS_ITEM_DICTIONARY;
	d->item.device = GS_ALL_DEVICES;
	d->item.evict = evict;
	d->key = *key;
	d->id = make_id(at);
	pthread_mutex_init(&d->lock, NULL);
	d->next = bucket[at];
	bucket[at] = d;
	return d;
}

/* A column's dictionary, in use by the caller; NULL: there is no memory. */
gs_held_dictionary *
gs_held_dictionary_open(const gs_held_dictionary_key *key)
{
	gs_held_dictionary *d;

	pthread_mutex_lock(&gs_budget_lock);
	d = bucket[bucket_of(key)];
	while (d != NULL && !is_of(d, key))
		d = d->next;
	if (d == NULL)
		d = make_dictionary(key);
	if (d != NULL)
	{
		d->users++;
		gs_item_use(&d->item);
	}
	pthread_mutex_unlock(&gs_budget_lock);
	return d;
}

/* The one of this id, in use by the caller; NULL: there is none. */
gs_held_dictionary *
gs_held_dictionary_use(uint64_t id, uint32_t database)
{
	gs_held_dictionary *d;

	pthread_mutex_lock(&gs_budget_lock);
	d = bucket[id % BUCKETS];
	while (d != NULL && (d->id != id || d->key.database != database))
		d = d->next;
	if (d != NULL)
		d->users++;
	pthread_mutex_unlock(&gs_budget_lock);
	return d;
}

/*
 * The caller does not use it any more.  It was used later than the columns that
 * have its codes: these are to go first.
 */
void
gs_held_dictionary_release(gs_held_dictionary *d)
{
	pthread_mutex_lock(&gs_budget_lock);
	d->users--;
	if (d->item.listed)
		gs_item_use(&d->item);
	else if (d->users == 0)
		free_dictionary(d);
	pthread_mutex_unlock(&gs_budget_lock);
}

/* Forget all; those in use go when they are not. */
void
gs_held_dictionaries_clear(void)
{
	pthread_mutex_lock(&gs_budget_lock);
	for (int i = 0; i < BUCKETS; i++)
	{
		while (bucket[i] != NULL)
			unlist(bucket[i]);
	}
	pthread_mutex_unlock(&gs_budget_lock);
}

uint64_t
gs_held_dictionary_id(const gs_held_dictionary *d)
{
	return d->id;
}

/* Its memory, which is the caller's to send, as long as it uses the dictionary. */
int
gs_held_dictionary_fd(const gs_held_dictionary *d)
{
	return d->memory.fd;
}

/* ----------
 * Values; the caller of static functions holds the dictionary's lock
 * ----------
 */

/* Where a value belongs that is not there: at least half of the slots are empty. */
static void
fill_slot(gs_held_dictionary *d, uint32_t hash, uint32_t place)
{
	uint64_t   *slot = (uint64_t *) (d->memory.base + GS_DICTIONARY_SLOTS_AT);
	uint32_t	at = hash & (d->slots - 1);

	for (uint32_t i = 0; i < d->slots && slot[at] != 0; i++)
		at = (at + 1) & (d->slots - 1);
	__atomic_store_n(&slot[at], (uint64_t) hash << 32 | (place + 1),
					 __ATOMIC_RELEASE);
}

/* A hash table of so many slots, in the place of the one before. */
static bool
make_slots(gs_held_dictionary *d, uint32_t slots)
{
	gs_dictionary_head *head = (gs_dictionary_head *) d->memory.base;
	uint64_t   *slot = (uint64_t *) (d->memory.base + GS_DICTIONARY_SLOTS_AT);
	const uint32_t *place = (const uint32_t *)
		(d->memory.base + GS_DICTIONARY_PLACES_AT);

	if (!gs_dictionary_memory_extend(&d->memory, GS_PART_SLOTS,
									 GS_DICTIONARY_SLOTS_AT +
									 slots * sizeof(uint64_t)))
		return false;
	__atomic_fetch_add(&head->generation, 1, __ATOMIC_ACQ_REL);
	for (uint32_t i = 0; i < d->slots; i++)
		__atomic_store_n(&slot[i], 0, __ATOMIC_RELEASE);
	d->slots = slots;
	__atomic_store_n(&head->slots, slots, __ATOMIC_RELEASE);
	for (int32_t code = 0; code < d->n; code++)
	{
		const gs_dictionary_entry *entry;
		uint32_t	length;

		entry = gs_dictionary_entry_at(d->memory.base, place[code], &length);
		if (entry != NULL)
			fill_slot(d, gs_dictionary_hash(entry->bytes, length), place[code]);
	}
	__atomic_fetch_add(&head->generation, 1, __ATOMIC_RELEASE);
	return true;
}

/* Room for one more value. */
static bool
make_room(gs_held_dictionary *d, size_t size)
{
	size_t		n = (size_t) d->n + 1;

	return gs_dictionary_memory_extend(&d->memory, GS_PART_PLACES,
									   n * sizeof(uint32_t)) &&
		gs_dictionary_memory_extend(&d->memory, GS_PART_ENTRIES,
									d->end + size) &&
		(2 * n <= d->slots ||
		 make_slots(d, d->slots == 0 ? SLOTS_MIN : 2 * d->slots));
}

/*
 * The code of a value, which gets one if it has none.  -1: the dictionary would
 * be too large, or there is no memory.
 */
static int32_t
add_value(gs_held_dictionary *d, const char *bytes, uint32_t length)
{
	gs_dictionary_head *head = (gs_dictionary_head *) d->memory.base;
	uint32_t   *place = (uint32_t *) (d->memory.base + GS_DICTIONARY_PLACES_AT);
	uint32_t	hash = gs_dictionary_hash(bytes, length);
	int32_t		code = gs_dictionary_find(d->memory.base, bytes, length, hash);
	size_t		size = (sizeof(gs_dictionary_entry) + length +
						GS_DICTIONARY_ALIGN - 1) & ~(size_t) (GS_DICTIONARY_ALIGN - 1);
	gs_dictionary_entry *entry;

	if (code >= 0)
		return code;
	if (d->n == GS_DICTIONARY_MAX || length > GS_DICTIONARY_VALUE_MAX ||
		d->bytes + length > GS_DICTIONARY_BYTES || !make_room(d, size))
		return -1;
	entry = (gs_dictionary_entry *)
		(d->memory.base + GS_DICTIONARY_ENTRIES_AT + d->end);
	entry->code = d->n;
	entry->size = gs_dictionary_size_word(length);
	memcpy(entry->bytes, bytes, length);
	place[d->n] = (uint32_t) (d->end / GS_DICTIONARY_ALIGN);
	__atomic_store_n(&head->n, d->n + 1, __ATOMIC_RELEASE);
	fill_slot(d, hash, place[d->n]);
	d->end += size;
	d->bytes += length;
	return d->n++;
}

/*
 * Find or make the codes of packed values, whose number has been checked, and
 * put them behind the answer.  As soon as one gets none, the status says so.
 */
void
gs_held_dictionary_add(gs_held_dictionary *d, const char *packed, size_t size,
					   int32_t count, gs_msg_codes *answer)
{
	int32_t    *codes = (int32_t *) (answer + 1);
	size_t		at = 0;

	pthread_mutex_lock(&d->lock);
	for (answer->count = 0; answer->count < count; answer->count++)
	{
		const char *bytes;
		uint32_t	length;
		int32_t		code;

		at = gs_values_get(packed, size, at, &bytes, &length);
		code = add_value(d, bytes, length);
		if (code < 0)
		{
			answer->outcome.status = GS_NO_MEMORY;
			break;
		}
		codes[answer->count] = code;
	}
	answer->n = d->n;
	answer->bytes = (int64_t) d->bytes;
	pthread_mutex_unlock(&d->lock);
}
