/*-------------------------------------------------------------------------
 *
 * budget.c
 *	  --cache-size, which cached arrays (cache.c), tables' columns (columns.c),
 *	  dictionaries (dictionary.c) and look-up tables (report_lookups.c) share.
 *
 * What can be evicted is an item, in a list in order of use, whichever of these
 * it is: the least recently used one goes first.  What is in use stays.
 * Memory counts from before it is allocated until it is released, so all of it
 * together never exceeds --cache-size, and that of no device its share.
 *
 *-------------------------------------------------------------------------
 */
#include "service/service.h"

pthread_mutex_t gs_budget_lock = PTHREAD_MUTEX_INITIALIZER;

/* under the lock */
static gs_item *oldest;
static gs_item *newest;

/* grows under the lock only */
static _Atomic uint64_t taken;
static _Atomic uint64_t taken_on[GS_DEVICES_MAX];

/* ----------
 * The caller holds the lock
 * ----------
 */

/* An item was used: it is the most recently used one from now on. */
void
gs_item_use(gs_item *item)
{
	if (item->listed)
		gs_item_remove(item);
	item->older = newest;
	item->newer = NULL;
	*(newest != NULL ? &newest->newer : &oldest) = item;
	newest = item;
	item->listed = true;
	item->last_used = gs_now_us(CLOCK_REALTIME);
}

void
gs_item_remove(gs_item *item)
{
	*(item->older != NULL ? &item->older->newer : &oldest) = item->newer;
	*(item->newer != NULL ? &item->newer->older : &newest) = item->older;
	item->listed = false;
}

/*
 * Evict the least recently used item of these kinds (bits of gs_item_kind)
 * that is not in use, and has memory of the device; false if there is none.
 */
static bool
evict_on(unsigned kinds, int device)
{
	for (gs_item *item = oldest; item != NULL; item = item->newer)
	{
		if ((kinds & item->kind) != 0 &&
			(item->device == device || item->device == GS_ALL_DEVICES ||
			 device == GS_ALL_DEVICES) && item->evict(item))
			return true;
	}
	return false;
}

bool
gs_budget_evict(unsigned kinds)
{
	return evict_on(kinds, GS_ALL_DEVICES);
}

/*
 * Count so many bytes more, evicting what must go; false if they do not fit.  They
 * are a device's memory, or the host's.
 */
static bool
take(size_t bytes, int device)
{
	bool		on_device = device != GS_ALL_DEVICES;

	if (bytes > (on_device ? gs_service.cache_share : gs_service.cache_size))
		return false;
	while (on_device &&
		   atomic_load(&taken_on[device]) + bytes > gs_service.cache_share)
	{
		if (!evict_on(GS_ITEM_ANY, device))
			return false;
	}
	while (atomic_load(&taken) + bytes > gs_service.cache_size)
	{
		if (!gs_budget_evict(GS_ITEM_ANY))
			return false;
	}
	atomic_fetch_add(&taken, bytes);
	if (on_device)
		atomic_fetch_add(&taken_on[device], bytes);
	return true;
}

/* Of the host's memory. */
bool
gs_budget_take(size_t bytes)
{
	return take(bytes, GS_ALL_DEVICES);
}

/*
 * Take that of the device in use, and allocate so much of its memory; NULL: no
 * memory.
 */
void *
gs_budget_reserve(size_t bytes)
{
	int			device = gs_device_in_use();
	void	   *memory;

	if (!take(bytes, device))
		return NULL;
	do
		memory = gs_service.engine->reserve(bytes);
	while (memory == NULL && evict_on(GS_ITEM_ANY, device));
	if (memory == NULL)
	{
		gs_budget_give(bytes);
		atomic_fetch_sub(&taken_on[device], bytes);
	}
	return memory;
}

/* ----------
 * Whether or not the caller holds the lock
 * ----------
 */

uint64_t
gs_budget_taken(void)
{
	return atomic_load(&taken);
}

void
gs_budget_give(size_t bytes)
{
	atomic_fetch_sub(&taken, bytes);
}

/* What gs_budget_reserve has given of that device; NULL: nothing. */
void
gs_budget_release(void *memory, size_t bytes, int device)
{
	if (memory == NULL)
		return;
	gs_service.engine->release(memory, bytes);
	gs_budget_give(bytes);
	atomic_fetch_sub(&taken_on[device], bytes);
}

/* ----------
 * The caller does not hold the lock
 * ----------
 */

/* Evict something, for a caller that needs memory; false if nothing can be. */
bool
gs_evict(void)
{
	bool		evicted;

	pthread_mutex_lock(&gs_budget_lock);
	evicted = gs_budget_evict(GS_ITEM_ANY);
	pthread_mutex_unlock(&gs_budget_lock);
	return evicted;
}

/* Evict a quarter of what may be held, or less. */
bool
gs_evict_part(void)
{
	uint64_t	before = gs_budget_taken();
	bool		evicted = gs_evict();

	while (evicted && before - gs_budget_taken() < gs_service.cache_size / 4 &&
		   gs_evict())
		;
	return evicted;
}
