/*-------------------------------------------------------------------------
 *
 * spin_wait.h
 *	  How backend and gpuscand wait for each other: at first by looking.
 *
 * A small call is answered sooner than a process is put to sleep and woken
 * again, and the next call of a statement follows as soon.  Where that is not
 * so, as when there are more sessions at work than processors, looking is a
 * waste: who has looked in vain lets some occasions pass.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_LOOK_H
#define GS_LOOK_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define GS_LOOK_NS		100000	/* as long as that */
#define GS_LOOK_PASS	15		/* occasions */

/* Of one end of a connection; zero at first. */
typedef struct gs_look
{
	int			pass;			/* so many occasions more */
} gs_look;

static inline int64_t
gs_look_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Does something come to be read from fd?  If not yet, sleep. */
static inline bool
gs_look_for(gs_look *look, int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int64_t		end;

	if (look->pass > 0)
	{
		look->pass--;
		return false;
	}
	end = gs_look_now() + GS_LOOK_NS;
	do
	{
		if (poll(&p, 1, 0) > 0)
			return true;
	} while (gs_look_now() < end);
	look->pass = GS_LOOK_PASS;
	return false;
}

#endif							/* GS_LOOK_H */
