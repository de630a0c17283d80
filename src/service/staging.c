/*-------------------------------------------------------------------------
 *
 * staging.c
 *	  The memory through which bulk data goes, and who may use which chunk.
 *
 * One memfd, mapped by gpuscand and by every backend, cut into chunks that are
 * lent to requests: however many sessions there are, this is all the memory
 * that they share.  It is sealed, since a client that could shrink it would
 * kill gpuscand by SIGBUS.  When gpuscand has ended, the supervisor frees the
 * memory; sessions that do nothing would keep it.
 *
 * A request borrows all its chunks at once and nothing later, so requests
 * cannot wait for each other in a circle.  Who finds too few stands in a
 * queue; only its head is ever served, so nobody is passed over.  While
 * somebody waits, each gets the least that it can work with; else as much as
 * it wants, but no more than half of what is free.
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
static size_t chunk_bytes;
static uint32_t chunks;

/* The lock protects the rest. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t *free_chunk;	/* a stack, so that warm memory is used first */
static uint32_t free_count;
static gs_borrower *queue_head;
static gs_borrower **queue_tail = &queue_head;

/*
 * All of it at once: where memory is short, we say so and end, while a page
 * that is found missing later kills whoever touches it, a backend even.  What
 * would push the server itself out of memory is not even tried.
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
gs_staging_create(uint64_t size, uint32_t chunk_size)
{
	uint64_t	mark = GS_STAGING_MARK;

	chunk_bytes = chunk_size;
	chunks = (uint32_t) (size / chunk_size);
	fd = memfd_create("gpuscan", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0 || !allocate(size + GS_STAGING_PAGE) ||
		pwrite(fd, &mark, sizeof mark, (off_t) size) != sizeof mark ||
		fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
		return false;
	base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (base == MAP_FAILED)
		return false;
	free_chunk = malloc(chunks * sizeof(uint32_t));
	if (free_chunk == NULL)
		return false;
	for (uint32_t i = 0; i < chunks; i++)
		free_chunk[free_count++] = chunks - 1 - i;
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
gs_staging_chunk(uint32_t chunk)
{
	return base + (size_t) chunk * chunk_bytes;
}

/* Serve the queue's head, as long as that is possible.  The lock is held. */
static void
serve_queue(void)
{
	while (queue_head != NULL &&
		   free_count >= (uint32_t) queue_head->least)
	{
		gs_borrower *b = queue_head;
		uint64_t	one = 1;
		int			count = b->least;

		queue_head = b->next;
		if (queue_head == NULL)
		{
			queue_tail = &queue_head;
			while (count + b->step <= b->most &&
				   (uint32_t) (count + b->step) <= free_count / 2)
				count += b->step;
		}
		for (int i = 0; i < count; i++)
			b->chunk[i] = free_chunk[--free_count];
		b->lent = count;
		b->waiting = false;
		(void) !write(b->ready_fd, &one, sizeof one);
	}
}

/*
 * Ask for chunks.  False if there will never be as many.  When ready_fd has
 * become readable, gs_staging_lent() tells that it has them.
 */
bool
gs_staging_borrow(gs_borrower *borrower)
{
	if ((uint32_t) borrower->least > chunks)
		return false;
	pthread_mutex_lock(&lock);
	borrower->waiting = true;
	borrower->next = NULL;
	*queue_tail = borrower;
	queue_tail = &borrower->next;
	serve_queue();
	pthread_mutex_unlock(&lock);
	return true;
}

bool
gs_staging_lent(gs_borrower *borrower)
{
	bool		lent;

	pthread_mutex_lock(&lock);
	lent = borrower->lent > 0;
	pthread_mutex_unlock(&lock);
	return lent;
}

/* Give back all chunks, or the place in the queue. */
void
gs_staging_return(gs_borrower *borrower)
{
	uint64_t	count;

	pthread_mutex_lock(&lock);
	if (borrower->waiting)
	{
		gs_borrower **link = &queue_head;

		while (*link != borrower)
			link = &(*link)->next;
		*link = borrower->next;
		if (borrower->next == NULL)
			queue_tail = link;
		borrower->waiting = false;
	}
	if (borrower->lent > 0)
		atomic_fetch_add(&gs_progress, 1);
	while (borrower->lent > 0)
		free_chunk[free_count++] = borrower->chunk[--borrower->lent];
	serve_queue();
	pthread_mutex_unlock(&lock);

	/* it is in nobody's hands now, so what was written to it is all here */
	(void) !read(borrower->ready_fd, &count, sizeof count);
}

uint64_t
gs_staging_free(void)
{
	uint64_t	bytes;

	pthread_mutex_lock(&lock);
	bytes = (uint64_t) free_count * chunk_bytes;
	pthread_mutex_unlock(&lock);
	return bytes;
}
