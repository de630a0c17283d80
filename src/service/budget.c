/*-------------------------------------------------------------------------
 *
 * budget.c
 *	  --cache-size, which cached arrays (cache.c), tables' columns (columns.c),
 *	  dictionaries (dictionary.c) and look-up tables (report_lookups.c) share,
 *	  and --host-cache-size.
 *
 * What can be evicted is an item, in a list in order of use, whichever of these
 * it is: the least recently used one goes first.  What is in use stays.
 * Memory counts from before it is allocated until it is released, so all of it
 * together never exceeds --cache-size, and that of no device its share.
 *
 * A column's values may also be in a second tier, --host-cache-size of the
 * host's memory, which the device reads at the rate of its link.  There they
 * are moved instead of being evicted, or come at once if the device is full of
 * what is as hot.  Every report reads all of a column, so what a byte on the device
 * saves is how often it is read: the heat of an item, its uses, of which
 * old ones count less.  An item makes room on the device for a hotter one only
 * if it is less than half as hot, so that columns which are used in turn
 * do not change places each time.
 *
 *-------------------------------------------------------------------------
 */
#include "service/service.h"

/* After so long without use, an item is half as hot. */
#define COOLING_US	INT64_C(60000000)

pthread_mutex_t gs_budget_lock = PTHREAD_MUTEX_INITIALIZER;

/* under the lock */
static gs_item *oldest;
static gs_item *newest;

/* grow under the lock only */
static _Atomic uint64_t taken;
static _Atomic uint64_t taken_on[GS_DEVICES_MAX];
static _Atomic uint64_t host_taken;

/* ----------
 * The caller holds the lock
 * ----------
 */

/*
 * How often it was used; a use T ago counts 1 / (1 + T / COOLING_US).  That is
 * about the number of uses in such a time, if they are regular.
 */
static double
heat_of(const gs_item *item)
{
	int64_t		since = gs_now_us(CLOCK_REALTIME) - item->last_used;

	return item->heat * (double) COOLING_US /
		(double) (COOLING_US + (since > 0 ? since : 0));
}

/* An item was used: it is the most recently used one from now on. */
void
gs_item_use(gs_item *item)
{
	item->heat = heat_of(item) + 1;
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

static bool
may_be_on(const gs_item *item, int device)
{
	return item->device == device || item->device == GS_ALL_DEVICES ||
		device == GS_ALL_DEVICES;
}

/*
 * Less of an item that is not in use is on a device: a part is moved to the
 * host or, if there is no room, all of it goes.  False: it is in use, or
 * nothing of it is there.  *next is where to go on: only older items may go for
 * this one.
 */
static bool
evict_from(gs_item *item, int device, gs_item **next)
{
	gs_item    *newer = item->newer;
	gs_demoted	demoted = item->demote == NULL ? GS_DEMOTE_NO_ROOM :
		item->demote(item, device, true);

	*next = demoted == GS_DEMOTED ? item : newer;
	return demoted == GS_DEMOTED ||
		(demoted == GS_DEMOTE_NO_ROOM && item->evict(item));
}

/*
 * Evict the least recently used item of these kinds (bits of gs_item_kind)
 * that is not in use, and has memory of the device; false if there is none.
 * Before a column goes that has no values there, those of one that is in use are
 * moved to the host.
 */
static bool
evict_on(unsigned kinds, int device)
{
	gs_item    *next;

	for (gs_item *item = oldest; item != NULL; item = item->newer)
	{
		if ((kinds & item->kind) != 0 && may_be_on(item, device) &&
			evict_from(item, device, &next))
			return true;
	}
	if (gs_service.host_cache_size == 0)
		return false;
	for (gs_item *item = oldest; item != NULL; item = item->newer)
	{
		if ((kinds & item->kind) != 0 && item->demote != NULL &&
			item->demote(item, device, false) == GS_DEMOTED)
			return true;
	}
	for (gs_item *item = oldest; item != NULL; item = item->newer)
	{
		if ((kinds & item->kind) != 0 && may_be_on(item, device) &&
			item->evict(item))
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
 * Evict from a device something that is less hot than this, from *next on, which moves
 * on, since there may be many items.
 */
static bool
evict_colder(double heat, const gs_item *spared, int device, gs_item **next)
{
	for (gs_item *item = *next; item != NULL; item = *next)
	{
		*next = item->newer;
		if (item != spared && heat_of(item) < heat &&
			may_be_on(item, device) && evict_from(item, device, next))
			return true;
	}
	return false;
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

/*
 * The same, evicting only what is less than half as hot as this item.
 */
void *
gs_budget_reserve_colder(const gs_item *item, size_t bytes)
{
	int			device = gs_device_in_use();
	double		heat = heat_of(item) / 2;
	gs_item    *next = oldest;
	void	   *memory = NULL;

	if (bytes > gs_service.cache_share)
		return NULL;
	do
	{
		if (atomic_load(&taken) + bytes <= gs_service.cache_size &&
			atomic_load(&taken_on[device]) + bytes <= gs_service.cache_share)
			memory = gs_service.engine->reserve(bytes);
	} while (memory == NULL && evict_colder(heat, item, device, &next));
	if (memory == NULL)
		return NULL;
	atomic_fetch_add(&taken, bytes);
	atomic_fetch_add(&taken_on[device], bytes);
	return memory;
}

/*
 * Memory of the host for values of an item, evicting values there that were
 * used before it; NULL: no memory.
 */
void *
gs_budget_reserve_host(const gs_item *item, size_t bytes)
{
	gs_item    *other = oldest;
	void	   *memory;

	if (bytes > gs_service.host_cache_size)
		return NULL;
	while (atomic_load(&host_taken) + bytes > gs_service.host_cache_size)
	{
		while (other != NULL && other != item &&
			   (other->evict_host == NULL || !other->evict_host(other)))
			other = other->newer;
		if (other == NULL || other == item)
			return NULL;
		other = oldest;
	}
	memory = gs_service.engine->reserve_host(bytes);
	if (memory != NULL)
		atomic_fetch_add(&host_taken, bytes);
	return memory;
}

/*
 * Memory for values of an item, which take so many bytes in either tier,
 * evicting what must go; NULL: no memory.
 */
void *
gs_budget_reserve_tiered(const gs_item *item, size_t bytes, size_t host_bytes,
						 bool *on_host)
{
	void	   *memory;

	*on_host = false;
	if (gs_service.host_cache_size == 0)
		return gs_budget_reserve(bytes);
	memory = gs_budget_reserve_colder(item, bytes);
	if (memory != NULL)
		return memory;
	memory = gs_budget_reserve_host(item, host_bytes);
	*on_host = memory != NULL;
	return memory != NULL ? memory : gs_budget_reserve(bytes);
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

uint64_t
gs_budget_host_taken(void)
{
	return atomic_load(&host_taken);
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

/* What gs_budget_reserve_host has given. */
void
gs_budget_release_host(void *memory, size_t bytes)
{
	gs_service.engine->release_host(memory, bytes);
	atomic_fetch_sub(&host_taken, bytes);
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
