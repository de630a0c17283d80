/*-------------------------------------------------------------------------
 *
 * dictionary.c
 *	  The distinct values of columns that are held as codes.
 *
 * A dictionary is found by its column, or by its id.  It is an item of the
 * budget (budget.c), which goes when nobody uses it: a report whose columns have
 * its codes, or a message about it.
 *
 * Values are kept as messages have them (gs_values_put), one after the other,
 * so that a run of them is copied into an answer at once.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "service/columns_table.h"
#include "service/dictionary.h"

#define BUCKETS			4096

/* Of each array at first; from then on it is doubled. */
#define ENTRIES_MIN		64

struct gs_held_dictionary
{
	gs_item		item;			/* first; listed: it can be found */
	gs_held_dictionary_key key;
	uint64_t	id;

	pthread_mutex_t lock;		/* protects what follows */
	int32_t		n;
	size_t		bytes;			/* of all values alone */
	char	   *packed;
	size_t		packed_max;
	uint32_t   *end;			/* where each value's packed form ends */
	size_t		end_max;
	int32_t    *slot;			/* hash table, a power of two: a code + 1, or 0 */
	size_t		slots;			/* at least twice n */

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
	gs_columns_free(d->packed, d->packed_max, 1);
	gs_columns_free(d->end, d->end_max, sizeof *d->end);
	gs_columns_free(d->slot, d->slots, sizeof *d->slot);
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
	if (d == NULL)
	{
		gs_budget_give(sizeof *d);
		return NULL;
	}
	d->item.kind = GS_ITEM_DICTIONARY;
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

uint64_t
gs_held_dictionary_id(const gs_held_dictionary *d)
{
	return d->id;
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

/* ----------
 * Values; the caller of static functions holds the dictionary's lock
 * ----------
 */

static size_t
begin_of(const gs_held_dictionary *d, int32_t code)
{
	return code == 0 ? 0 : d->end[code - 1];
}

static const char *
value_of(const gs_held_dictionary *d, int32_t code, uint32_t *length)
{
	const char *bytes;

	gs_values_get(d->packed, d->packed_max, begin_of(d, code), &bytes, length);
	return bytes;
}

static uint64_t
hash_of(const char *bytes, uint32_t length)
{
	uint64_t	hash = length;
	uint64_t	word;

	for (uint32_t i = 0; i < length; i += 8)
	{
		word = 0;
		memcpy(&word, bytes + i, length - i < 8 ? length - i : 8);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash * UINT64_C(0xbf58476d1ce4e5b9) >> 32;
}

/* The slot that a value has, or should have; there are slots. */
static int32_t *
slot_of(const gs_held_dictionary *d, const char *bytes, uint32_t length)
{
	size_t		at = hash_of(bytes, length) & (d->slots - 1);

	for (; d->slot[at] != 0; at = (at + 1) & (d->slots - 1))
	{
		uint32_t	other_length;
		const char *other = value_of(d, d->slot[at] - 1, &other_length);

		if (other_length == length && memcmp(other, bytes, length) == 0)
			break;
	}
	return &d->slot[at];
}

/* An array with more room, in place of this one; NULL: there is no memory. */
static void *
enlarge(void *old, size_t *max, size_t needed, size_t width)
{
	size_t		more = *max < ENTRIES_MIN ? ENTRIES_MIN : *max;
	void	   *memory;

	while (more < needed)
		more *= 2;
	memory = gs_columns_zeros(more, width);
	if (memory == NULL)
		return NULL;
	if (*max > 0)
		memcpy(memory, old, *max * width);
	gs_columns_free(old, *max, width);
	*max = more;
	return memory;
}

static bool
make_slots(gs_held_dictionary *d, size_t needed)
{
	int32_t    *slot = enlarge(d->slot, &d->slots, needed, sizeof *slot);

	if (slot == NULL)
		return false;
	memset(slot, 0, d->slots * sizeof *slot);
	d->slot = slot;
	for (int32_t code = 0; code < d->n; code++)
	{
		uint32_t	length;
		const char *bytes = value_of(d, code, &length);

		*slot_of(d, bytes, length) = code + 1;
	}
	return true;
}

/* Room for one more value. */
static bool
make_room(gs_held_dictionary *d, uint32_t length)
{
	size_t		n = (size_t) d->n + 1;
	size_t		packed = begin_of(d, d->n) + 2 * sizeof length + length;
	void	   *memory;

	if (packed > d->packed_max)
	{
		memory = enlarge(d->packed, &d->packed_max, packed, 1);
		if (memory == NULL)
			return false;
		d->packed = memory;
	}
	if (n > d->end_max)
	{
		memory = enlarge(d->end, &d->end_max, n, sizeof *d->end);
		if (memory == NULL)
			return false;
		d->end = memory;
	}
	return 2 * n <= d->slots || make_slots(d, 2 * n);
}

/* False: the dictionary would be too large, or there is no memory. */
static bool
add_value(gs_held_dictionary *d, const char *bytes, uint32_t length)
{
	if (d->n > 0 && *slot_of(d, bytes, length) != 0)
		return true;
	if (d->n == GS_DICTIONARY_MAX || length > GS_DICTIONARY_VALUE_MAX ||
		d->bytes + length > GS_DICTIONARY_BYTES || !make_room(d, length))
		return false;
	d->end[d->n] = (uint32_t) gs_values_put(d->packed, d->packed_max,
											begin_of(d, d->n), bytes, length);
	d->bytes += length;
	*slot_of(d, bytes, length) = ++d->n;
	return true;
}

/*
 * Remove the last value.  As it came last, no other was put behind its slot
 * because that was taken.
 */
static void
remove_last(gs_held_dictionary *d)
{
	uint32_t	length;
	const char *bytes = value_of(d, d->n - 1, &length);

	*slot_of(d, bytes, length) = 0;
	d->bytes -= length;
	d->n--;
}

/*
 * Add values that it lacks, packed ones whose number has been checked.  False:
 * none was added.
 */
bool
gs_held_dictionary_add(gs_held_dictionary *d, const char *packed, size_t size,
					   int32_t count)
{
	bool		fits = true;
	size_t		at = 0;
	int32_t		before;

	pthread_mutex_lock(&d->lock);
	before = d->n;
	for (int32_t i = 0; i < count && fits; i++)
	{
		const char *bytes;
		uint32_t	length;

		at = gs_values_get(packed, size, at, &bytes, &length);
		fits = add_value(d, bytes, length);
	}
	while (!fits && d->n > before)
		remove_last(d);
	pthread_mutex_unlock(&d->lock);
	return fits;
}

/*
 * Put values from one on behind the answer, as many as fit in so many bytes.
 * Returns how many bytes they take.
 */
size_t
gs_held_dictionary_copy(gs_held_dictionary *d, int32_t from,
						gs_msg_values *answer, size_t size)
{
	int32_t		to;
	size_t		first;
	size_t		bytes;

	pthread_mutex_lock(&d->lock);
	answer->n = d->n;
	answer->first = from < d->n ? from : d->n;
	first = begin_of(d, answer->first);
	for (to = answer->first; to < d->n && d->end[to] - first <= size;)
		to++;
	answer->count = to - answer->first;
	bytes = begin_of(d, to) - first;
	if (bytes > 0)
		memcpy(answer + 1, d->packed + first, bytes);
	pthread_mutex_unlock(&d->lock);
	return bytes;
}
