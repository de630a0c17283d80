/*-------------------------------------------------------------------------
 *
 * spin_wait.h
 *	  How a backend and gpuscand wait for each other: spin, then block.
 *
 * A small call is answered sooner than a process can be put to sleep and woken
 * up, and the next call of a statement follows just as soon.  Where it does
 * not, as with more active sessions than processors, spinning wastes time:
 * after a spin that found nothing, the next few waits block at once.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SPIN_WAIT_H
#define GS_SPIN_WAIT_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define GS_SPIN_NS		100000	/* how long to spin */
#define GS_SPIN_SKIP	15		/* waits that do not spin after a failure */

/* State of one end of a connection; initially zero. */
typedef struct gs_spin
{
	int			skip;			/* waits that are still not to spin */
} gs_spin;

static inline int64_t
gs_monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

/*
 * Spin until fd is readable.  False: it is not yet, so the caller should
 * block.
 */
static inline bool
gs_spin_wait(gs_spin *spin, int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int64_t		end;

	if (spin->skip > 0)
	{
		spin->skip--;
		return false;
	}
	end = gs_monotonic_ns() + GS_SPIN_NS;
	do
	{
		if (poll(&p, 1, 0) > 0)
			return true;
	} while (gs_monotonic_ns() < end);
	spin->skip = GS_SPIN_SKIP;
	return false;
}

#endif							/* GS_SPIN_WAIT_H */
