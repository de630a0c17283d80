/*-------------------------------------------------------------------------
 *
 * devices.c
 *	  The devices of the host, and which of them a thread uses.
 *
 * A thread names the device before it reserves or begins anything there.  What
 * is held lies where it was put: a segment of a table (columns_room.c) and a
 * cached array (cache.c) have a device.  A request over arrays has the device of
 * the first of them that is cached, or the least busy one; a report is on all
 * that have some of its segments (engine/devices.h).
 *
 *-------------------------------------------------------------------------
 */
#include "service/service.h"

static _Atomic int requests[GS_DEVICES_MAX];
static _Atomic int failed = GS_ALL_DEVICES; /* the first that has */
static _Thread_local int in_use;

/* What this thread reserves or begins is on that device from now on. */
void
gs_device_use(int device)
{
	in_use = device;
	if (gs_service.engine->use != NULL)
		gs_service.engine->use(device);
}

int
gs_device_in_use(void)
{
	return in_use;
}

/* If the device in use has failed, remember that it has. */
void
gs_device_note(gs_status status)
{
	int			none = GS_ALL_DEVICES;

	if (status == GS_DEVICE_LOST)
		(void) atomic_compare_exchange_strong(&failed, &none, in_use);
}

/* The device that has failed first, of what this or another thread has noted. */
int
gs_device_noted(void)
{
	return atomic_load(&failed);
}

/* The first of those with the fewest requests. */
int
gs_device_least_busy(void)
{
	int			best = 0;

	for (int i = 1; i < gs_service.devices; i++)
	{
		if (atomic_load(&requests[i]) < atomic_load(&requests[best]))
			best = i;
	}
	return best;
}

/* A request begins, and ends, to be executed there. */
void
gs_device_begin(int device)
{
	atomic_fetch_add(&requests[device], 1);
}

void
gs_device_end(int device)
{
	atomic_fetch_sub(&requests[device], 1);
}
