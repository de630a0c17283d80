/*-------------------------------------------------------------------------
 *
 * staging.c
 *	  The memory through which bulk data moves, and who may use which slot.
 *
 * One memfd, mapped by gpuscand and every backend, is cut into slots that are
 * granted to requests: however many sessions there are, this is all the memory
 * that they share.  It is sealed, because a client that could shrink it would
 * kill gpuscand by SIGBUS.  When gpuscand has ended, the supervisor frees the
 * memory, which idle sessions would otherwise hold.
 *
 * A page that is missing when it is touched kills whoever touches it, even a
 * backend.  So a slot's memory is allocated, once, before anybody uses it: by
 * the thread that it was granted to, or all at the start where the device has
 * it pinned.  If memory is short, the request fails, and nobody dies.
 *
 * Beside each slot there is memory of gpuscand's own, for the bitmaps of its
 * input: a client may change a slot at any time, and what has been counted in a
 * bitmap must not change.
 *
 * A request acquires all its slots at once and none later, so requests cannot
 * wait for each other in a cycle.  A request that finds too few joins a
 * queue.  Only the head of the queue is ever served, so nobody is overtaken.
 * While others wait, each request gets its minimum; otherwise it gets up to
 * its maximum, but at most half of the free slots.
 *
 *-------------------------------------------------------------------------
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "service/service.h"

/* Set once. */
static int	fd = -1;
static char *base;
static uint8_t *bitmaps;		/* private */
static size_t slot_bytes;
static uint32_t slots;

/* Of a slot that is granted: its connection's. */
static bool *is_allocated;

/* The lock protects the rest. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t *free_slot;		/* a stack, so that warm memory is reused
								 * first */
static uint32_t free_count;
static gs_grant *queue_head;
static gs_grant **queue_tail = &queue_head;

/* Allocate a part of the memory now.  On failure errno says why. */
static bool
allocate(uint64_t offset, uint64_t size)
{
	int			result;

	do
		result = fallocate(fd, 0, (off_t) offset, (off_t) size);
	while (result != 0 && errno == EINTR);
	return result == 0;
}

/* A size that would push the server out of memory is not tried. */
static bool
is_reasonable(uint64_t size)
{
	uint64_t	memory = (uint64_t) sysconf(_SC_PHYS_PAGES) *
		(uint64_t) sysconf(_SC_PAGESIZE);

	errno = ENOMEM;
	return size <= memory / 2;
}

/*
 * On failure errno says why.  All of the memory is allocated now, or each slot
 * when it is first used.
 */
bool
gs_staging_create(uint64_t size, uint32_t slot_size, bool all)
{
	uint64_t	mark = GS_STAGING_MARK;

	if (!is_reasonable(size))
		return false;
	slot_bytes = slot_size;
	slots = (uint32_t) (size / slot_size);
	fd = memfd_create("gpuscan", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0 || ftruncate(fd, (off_t) size + GS_STAGING_PAGE) != 0 ||
		(all && !allocate(0, size)) ||
		pwrite(fd, &mark, sizeof mark, (off_t) size) != sizeof mark ||
		fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
		return false;
	base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	bitmaps = mmap(NULL, size / GS_BITMAP_SHARE, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (base == MAP_FAILED || bitmaps == MAP_FAILED)
		return false;
	free_slot = malloc(slots * sizeof(uint32_t));
	is_allocated = malloc(slots * sizeof(bool));
	if (free_slot == NULL || is_allocated == NULL)
		return false;
	for (uint32_t i = 0; i < slots; i++)
	{
		free_slot[free_count++] = slots - 1 - i;
		is_allocated[i] = all;
	}
	return true;
}

int
gs_staging_fd(void)
{
	return fd;
}

void *
gs_staging_base(void)
{
	return base;
}

void *
gs_staging_slot(uint32_t slot)
{
	return base + (size_t) slot * slot_bytes;
}

/* Private memory for the bitmaps of the input in a slot. */
uint8_t *
gs_staging_bitmaps(uint32_t slot)
{
	return bitmaps + (size_t) slot * (slot_bytes / GS_BITMAP_SHARE);
}

/*
 * Serve the head of the queue as long as possible.  The caller holds the lock.
 */
static void
serve_queue(void)
{
	while (queue_head != NULL &&
		   free_count >= (uint32_t) queue_head->min_slots)
	{
		gs_grant   *g = queue_head;
		uint64_t	one = 1;
		int			count = g->min_slots;

		queue_head = g->next;
		if (queue_head == NULL)
		{
			queue_tail = &queue_head;
			while (count + g->step <= g->max_slots &&
				   (uint32_t) (count + g->step) <= free_count / 2)
				count += g->step;
		}
		for (int i = 0; i < count; i++)
			g->slot[i] = free_slot[--free_count];
		g->granted = count;
		g->waiting = false;
		(void) !write(g->ready_fd, &one, sizeof one);
	}
}

/*
 * Request slots.  False if there will never be enough.  Once ready_fd is
 * readable, gs_staging_is_granted() tells whether they have been granted.
 */
bool
gs_staging_acquire(gs_grant *grant)
{
	if ((uint32_t) grant->min_slots > slots)
		return false;
	pthread_mutex_lock(&lock);
	grant->waiting = true;
	grant->next = NULL;
	*queue_tail = grant;
	queue_tail = &grant->next;
	serve_queue();
	pthread_mutex_unlock(&lock);
	return true;
}

bool
gs_staging_is_granted(gs_grant *grant)
{
	bool		granted;

	pthread_mutex_lock(&lock);
	granted = grant->granted > 0;
	pthread_mutex_unlock(&lock);
	return granted;
}

/*
 * Allocate the memory of slots that have been granted, as far as they have
 * none.  False if there is not enough.
 */
bool
gs_staging_allocate(const gs_grant *grant)
{
	static _Atomic int64_t logged;

	for (int i = 0; i < grant->granted; i++)
	{
		uint32_t	slot = grant->slot[i];

		if (is_allocated[slot])
			continue;
		if (!allocate((uint64_t) slot * slot_bytes, slot_bytes))
		{
			if (gs_log_due(&logged))
				gs_log("could not allocate %zu bytes of staging memory: %s",
					   slot_bytes, strerror(errno));
			return false;
		}
		is_allocated[slot] = true;
	}
	return true;
}

/* Release all slots, or the place in the queue. */
void
gs_staging_release(gs_grant *grant)
{
	uint64_t	count;

	pthread_mutex_lock(&lock);
	if (grant->waiting)
	{
		gs_grant  **link = &queue_head;

		while (*link != grant)
			link = &(*link)->next;
		*link = grant->next;
		if (grant->next == NULL)
			queue_tail = link;
		grant->waiting = false;
	}
	if (grant->granted > 0)
		atomic_fetch_add(&gs_progress, 1);
	while (grant->granted > 0)
		free_slot[free_count++] = grant->slot[--grant->granted];
	serve_queue();
	pthread_mutex_unlock(&lock);

	/* nobody can signal it any more, so this resets it */
	(void) !read(grant->ready_fd, &count, sizeof count);
}

uint64_t
gs_staging_free(void)
{
	uint64_t	bytes;

	pthread_mutex_lock(&lock);
	bytes = (uint64_t) free_count * slot_bytes;
	pthread_mutex_unlock(&lock);
	return bytes;
}
