/*-------------------------------------------------------------------------
 *
 * columns.c
 *	  The tables of which gpuscand holds columns, and who uses them.
 *
 * A table is found by its id.  The columns of a reading (columns_reading.c) are
 * in use until it is closed, and nothing of them is evicted meanwhile.  A
 * column that nobody uses is an item of the budget (budget.c); with its last
 * column a table goes.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>

#include "service/columns_table.h"

#define BUCKETS		4096

/* under gs_budget_lock */
static gs_table *bucket[BUCKETS];
static uint64_t tables;			/* ever made */

/* The table that this thread has locked for writing. */
static _Thread_local gs_table *written;

/* ----------
 * Locks and memory
 * ----------
 */

void
gs_table_read(gs_table *t)
{
	pthread_rwlock_rdlock(&t->lock);
}

void
gs_table_write(gs_table *t)
{
	pthread_rwlock_wrlock(&t->lock);
	written = t;
}

void
gs_table_unlock(gs_table *t)
{
	if (written == t)
		written = NULL;
	pthread_rwlock_unlock(&t->lock);
}

/* Zeros that count as held; NULL: there is no memory, or none is needed. */
void *
gs_columns_zeros(size_t count, size_t width)
{
	void	   *memory = NULL;
	bool		fits;

	if (count == 0)
		return NULL;
	pthread_mutex_lock(&gs_budget_lock);
	fits = gs_budget_take(count * width);
	pthread_mutex_unlock(&gs_budget_lock);
	if (fits)
		memory = calloc(count, width);
	if (fits && memory == NULL)
		gs_budget_give(count * width);
	return memory;
}

/* Whether or not the caller holds gs_budget_lock. */
void
gs_columns_free(void *memory, size_t count, size_t width)
{
	if (memory == NULL)
		return;
	free(memory);
	gs_budget_give(count * width);
}

/* ----------
 * Tables
 * ----------
 */

static gs_table **
bucket_of(const gs_table_id *id)
{
	uint64_t	hash = ((uint64_t) id->database << 32 | id->relation) *
		UINT64_C(0x9e3779b97f4a7c15) ^ id->tablespace;

	return &bucket[(hash ^ hash >> 32) % BUCKETS];
}

/* The caller holds gs_budget_lock. */
static gs_table *
look_up(const gs_table_id *id, uint32_t map_blocks)
{
	gs_table   *t = *bucket_of(id);

	while (t != NULL && (t->id.database != id->database ||
						 t->id.tablespace != id->tablespace ||
						 t->id.relation != id->relation ||
						 t->map_blocks != map_blocks))
		t = t->next;
	return t;
}

/* Nobody finds it any more; the caller holds gs_budget_lock. */
static void
unlist(gs_table *t)
{
	gs_table  **link = bucket_of(&t->id);

	if (!t->listed)
		return;
	while (*link != t)
		link = &(*link)->next;
	*link = t->next;
	t->listed = false;
}

static gs_table *
make_table(const gs_table_id *id, uint32_t map_blocks)
{
	gs_table   *t = calloc(1, sizeof *t);
	pthread_rwlockattr_t attributes;

	if (t == NULL)
		return NULL;
	t->id = *id;
	t->map_blocks = map_blocks;
	t->words = gs_map_words(map_blocks);

	/* readers come one after the other, and would keep writers waiting */
	pthread_rwlockattr_init(&attributes);
	pthread_rwlockattr_setkind_np(&attributes,
								  PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&t->lock, &attributes);
	pthread_rwlockattr_destroy(&attributes);
	return t;
}

/* The table, in use by the caller; NULL: there is no memory. */
gs_table *
gs_table_open(const gs_table_id *id, uint32_t map_blocks)
{
	gs_table   *t;

	pthread_mutex_lock(&gs_budget_lock);
	t = look_up(id, map_blocks);
	if (t == NULL && (t = make_table(id, map_blocks)) != NULL)
	{
		t->next = *bucket_of(id);
		*bucket_of(id) = t;
		t->listed = true;
		t->number = ++tables;
	}
	if (t != NULL)
		t->users++;
	pthread_mutex_unlock(&gs_budget_lock);
	return t;
}

/* The caller does not use it any more. */
void
gs_table_close(gs_table *t)
{
	pthread_mutex_lock(&gs_budget_lock);
	if (--t->users == 0 && (!t->listed || t->columns == NULL))
	{
		unlist(t);
		gs_table_free(t);
	}
	pthread_mutex_unlock(&gs_budget_lock);
}

/*
 * The first table from this number on, in use by the caller; NULL: there is
 * none.
 */
gs_table *
gs_tables_next(uint64_t number)
{
	gs_table   *first = NULL;

	pthread_mutex_lock(&gs_budget_lock);
	for (int i = 0; i < BUCKETS; i++)
	{
		for (gs_table *t = bucket[i]; t != NULL; t = t->next)
		{
			if (t->number >= number &&
				(first == NULL || t->number < first->number))
				first = t;
		}
	}
	if (first != NULL)
		first->users++;
	pthread_mutex_unlock(&gs_budget_lock);
	return first;
}

/*
 * Forget all tables; those in use go when they are not.  Returns the number of
 * their columns.
 */
int64_t
gs_columns_clear(void)
{
	int64_t		count = 0;

	pthread_mutex_lock(&gs_budget_lock);
	for (int i = 0; i < BUCKETS; i++)
	{
		while (bucket[i] != NULL)
		{
			gs_table   *t = bucket[i];

			unlist(t);
			count += atomic_load(&t->count);
			if (t->users == 0)
				gs_table_free(t);
		}
	}
	pthread_mutex_unlock(&gs_budget_lock);
	return count;
}

/* After gs_cache_stats. */
void
gs_columns_stats(gs_msg_state *state)
{
	pthread_mutex_lock(&gs_budget_lock);
	for (int i = 0; i < BUCKETS; i++)
	{
		for (gs_table *t = bucket[i]; t != NULL; t = t->next)
			state->columns += (uint64_t) atomic_load(&t->count);
	}
	if (gs_budget_taken() > state->cache_bytes)
		state->column_bytes = gs_budget_taken() - state->cache_bytes;
	pthread_mutex_unlock(&gs_budget_lock);
}

/* ----------
 * Columns
 * ----------
 */

/*
 * gs_item.evict: the caller has gs_budget_lock, and may have a table's.  A
 * table that is locked is in use.
 */
static bool
evict(gs_item *item)
{
	gs_table_column  *c = (gs_table_column *) item;
	gs_table   *t = c->table;

	if (c->users > 0 ||
		(t != written && pthread_rwlock_trywrlock(&t->lock) != 0))
		return false;
	gs_table_column_drop(c);
	if (t == written)
		return true;
	pthread_rwlock_unlock(&t->lock);
	if (t->users == 0 && t->columns == NULL)
	{
		unlist(t);
		gs_table_free(t);
	}
	return true;
}

static int
free_slot(const gs_table *t)
{
	int			slot = 0;

	for (gs_table_column *c = t->columns; c != NULL;)
	{
		if (c->slot != slot)
			c = c->next;
		else
		{
			slot++;
			c = t->columns;
		}
	}
	return slot;
}

/* The column, in use by the caller, who has the table's lock; NULL: there is none. */
gs_table_column *
gs_table_column_find(gs_table *t, int16_t attribute, uint8_t type,
					 uint64_t dictionary, int16_t scale)
{
	gs_table_column *c = t->columns;

	while (c != NULL && (c->attribute != attribute || c->type != type ||
						 c->dictionary != dictionary || c->scale != scale))
		c = c->next;
	if (c == NULL)
		return NULL;
	pthread_mutex_lock(&gs_budget_lock);
	c->users++;
	gs_item_use(&c->item);
	pthread_mutex_unlock(&gs_budget_lock);
	return c;
}

/*
 * The same, made if there is none; the caller has the lock for writing.  NULL:
 * there is no memory.
 */
gs_table_column *
gs_table_column_open(gs_table *t, int16_t attribute, uint8_t type,
					 uint64_t dictionary, int16_t scale)
{
	gs_table_column *c = gs_table_column_find(t, attribute, type, dictionary,
											  scale);
	size_t		words = t->maps * t->words;
	uint64_t   *held;

	if (c != NULL)
		return c;
	held = gs_columns_zeros(words, sizeof(uint64_t));
	if (words > 0 && held == NULL)
		return NULL;
	c = calloc(1, sizeof *c);
	if (c == NULL)
	{
		gs_columns_free(held, words, sizeof(uint64_t));
		return NULL;
	}
	c->item.kind = GS_ITEM_COLUMN;
	c->item.device = GS_ALL_DEVICES;
	c->item.evict = evict;
	c->table = t;
	c->attribute = attribute;
	c->type = type;
	c->dictionary = dictionary;
	c->scale = scale;
	c->held = held;
	c->words = words;
	c->slot = free_slot(t);
	c->next = t->columns;
	t->columns = c;
	atomic_fetch_add(&t->count, 1);
	pthread_mutex_lock(&gs_budget_lock);
	c->users++;
	gs_item_use(&c->item);
	pthread_mutex_unlock(&gs_budget_lock);
	return c;
}
