/*-------------------------------------------------------------------------
 *
 * dictionary_memory.c
 *	  The memory of a dictionary, which clients map.
 *
 * It is a memfd with room for the largest dictionary, of which only what is used
 * is allocated: always before anybody touches it, as in staging.c.  Clients can
 * neither shrink it nor write to it.
 *
 * A client has it mapped until it learns that the dictionary was lost, or its
 * transaction ends.
 *
 *-------------------------------------------------------------------------
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "service/dictionary_memory.h"

#define PAGE		((size_t) 4096)

/* since Linux 5.1, which headers may not know */
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

static const size_t begin[GS_DICTIONARY_PARTS] = {
	0, GS_DICTIONARY_PLACES_AT, GS_DICTIONARY_ENTRIES_AT
};

static size_t
total(const gs_dictionary_memory *m)
{
	size_t		size = 0;

	for (int i = 0; i < GS_DICTIONARY_PARTS; i++)
		size += m->allocated[i];
	return size;
}

/* On an older kernel nothing but PROT_READ keeps clients from writing. */
static bool
seal(int fd)
{
	const int	seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

	return fcntl(fd, F_ADD_SEALS, seals | F_SEAL_FUTURE_WRITE) == 0 ||
		fcntl(fd, F_ADD_SEALS, seals) == 0;
}

static bool
allocate(gs_dictionary_memory *m, size_t at, size_t size)
{
	int			result;

	do
		result = fallocate(m->fd, 0, (off_t) at, (off_t) size);
	while (result != 0 && errno == EINTR);
	return result == 0;
}

bool
gs_dictionary_memory_make(gs_dictionary_memory *m)
{
	static _Atomic int64_t logged;

	memset(m, 0, sizeof *m);
	if (!gs_budget_take(PAGE))
		return false;
	m->base = MAP_FAILED;
	m->allocated[GS_PART_SLOTS] = PAGE;
	m->fd = memfd_create("gpuscan dictionary", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (m->fd >= 0 && ftruncate(m->fd, (off_t) GS_DICTIONARY_SIZE) == 0 &&
		allocate(m, 0, PAGE))
		m->base = mmap(NULL, GS_DICTIONARY_SIZE, PROT_READ | PROT_WRITE,
					   MAP_SHARED, m->fd, 0);
	if (m->base != MAP_FAILED && seal(m->fd))
	{
		(void) madvise(m->base, GS_DICTIONARY_SIZE, MADV_DONTDUMP);
		return true;
	}
	if (gs_log_due(&logged))
		gs_log("could not make a dictionary: %s", strerror(errno));
	gs_dictionary_memory_free(m);
	return false;
}

void
gs_dictionary_memory_free(gs_dictionary_memory *m)
{
	if (m->base != MAP_FAILED)
		(void) munmap(m->base, GS_DICTIONARY_SIZE);
	if (m->fd >= 0)
		(void) close(m->fd);
	gs_budget_give(total(m));
}

bool
gs_dictionary_memory_extend(gs_dictionary_memory *m, gs_dictionary_part part,
							size_t size)
{
	static _Atomic int64_t logged;
	size_t		before = m->allocated[part];
	size_t		more;
	bool		fits;

	if (size <= before)
		return true;

	/* an eighth more, so that it is not done for every value */
	more = (size + size / 8 + PAGE - 1) / PAGE * PAGE - before;
	if (part + 1 < GS_DICTIONARY_PARTS &&
		begin[part] + before + more > begin[part + 1])
		more = begin[part + 1] - begin[part] - before;
	else if (begin[part] + before + more > GS_DICTIONARY_SIZE)
		more = GS_DICTIONARY_SIZE - begin[part] - before;
	pthread_mutex_lock(&gs_budget_lock);
	fits = gs_budget_take(more);
	pthread_mutex_unlock(&gs_budget_lock);
	if (!fits)
		return false;
	if (!allocate(m, begin[part] + before, more))
	{
		gs_budget_give(more);
		if (gs_log_due(&logged))
			gs_log("could not allocate %zu bytes of a dictionary: %s", more,
				   strerror(errno));
		return false;
	}
	m->allocated[part] += more;
	return true;
}
