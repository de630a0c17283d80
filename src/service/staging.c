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

/* The lock protects the rest. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t *free_slot;		/* a stack, so that warm memory is reused
								 * first */
static uint32_t free_count;
static gs_grant *queue_head;
static gs_grant **queue_tail = &queue_head;

/*
 * Allocate all of it now.  If memory is short, gpuscand can report that and
 * end, whereas a page that is found missing later kills whoever touches it,
 * even a backend.  A size that would push the server out of memory is not
 * tried.
 */
static bool
allocate(uint64_t size)
{
	uint64_t	memory = (uint64_t) sysconf(_SC_PHYS_PAGES) *
		(uint64_t) sysconf(_SC_PAGESIZE);
	int			result;

	if (size > memory / 2)
	{
		errno = ENOMEM;
		return false;
	}
	do
		result = fallocate(fd, 0, 0, (off_t) size);
	while (result != 0 && errno == EINTR);
	return result == 0;
}

/* On failure errno says why. */
bool
gs_staging_create(uint64_t size, uint32_t slot_size)
{
	uint64_t	mark = GS_STAGING_MARK;

	slot_bytes = slot_size;
	slots = (uint32_t) (size / slot_size);
	fd = memfd_create("gpuscan", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0 || !allocate(size + GS_STAGING_PAGE) ||
		pwrite(fd, &mark, sizeof mark, (off_t) size) != sizeof mark ||
		fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
		return false;
	base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	bitmaps = mmap(NULL, size / GS_BITMAP_SHARE, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (base == MAP_FAILED || bitmaps == MAP_FAILED)
		return false;
	free_slot = malloc(slots * sizeof(uint32_t));
	if (free_slot == NULL)
		return false;
	for (uint32_t i = 0; i < slots; i++)
		free_slot[free_count++] = slots - 1 - i;
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
