/*-------------------------------------------------------------------------
 *
 * shared.h
 *	  What backends and the supervisor know in common of the service.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SHARED_H
#define GS_SHARED_H

#include "datatype/timestamp.h"
#include "port/atomics.h"
#include "storage/condition_variable.h"
#include "storage/latch.h"
#include "storage/lwlock.h"

#include "supervisor/cost.h"

typedef enum gs_service_state
{
	GS_SERVICE_STOPPED,			/* not wanted, or not yet */
	GS_SERVICE_STARTING,
	GS_SERVICE_RUNNING,
	GS_SERVICE_STOPPING,
	GS_SERVICE_FAILED			/* it did not start, or crashed */
} gs_service_state;

/*
 * The page is of this size in all releases, and begins with a number that
 * changes with anything below, and with the operations, which all have costs:
 * processes of two releases may meet in it, after an upgrade without a restart
 * of the server.
 */
#define GS_SHARED_SIZE		8192
#define GS_SHARED_LAYOUT	(2 << 8 | GS_KINDS)

typedef struct gs_shared
{
	/* set once */
	uint32		layout;			/* GS_SHARED_LAYOUT */
	uint64		incarnation;	/* random, new with each start of the server */
	LWLock		lock;

	/* under the lock: who supervises, and what it is asked to do */
	int			supervisor;		/* pid, or 0 */
	Latch	   *latch;			/* the supervisor's */
	TimestampTz registered_at;	/* when a backend asked for a supervisor */
	bool		start;			/* the service is wanted */
	bool		stop;			/* end it, until it is wanted again */
	int			silent;			/* pid of a service that answers nobody */

	/* under the lock: what has become of the service; supervisor writes */
	gs_service_state state;
	int			service;		/* pid, or 0 */
	int			dismissed;		/* pid of the last that was told to end */
	bool		crashed;		/* GS_SERVICE_FAILED: it may well start again */
	TimestampTz started_at;		/* of the last start; 0: none yet */
	TimestampTz failed_at;
	TimestampTz retry_at;		/* no start before, in GS_SERVICE_FAILED */
	char		reason[256];	/* of the last failure; empty: none */
	ConditionVariable changed;	/* broadcast when the state changes */

	/* under the lock: what operations cost */
	gs_costs	costs;

	/* changing freely */
	pg_atomic_uint64 fallbacks; /* calls that went on on the CPU */
	pg_atomic_uint64 restarts;	/* of the service, beyond the first start */
	pg_atomic_uint64 costs_version; /* 1 at first, grows with each change */

	/* changing all the time, and apart from what is only read as often */
	char		apart[PG_CACHE_LINE_SIZE];
	pg_atomic_uint64 answers;	/* that sessions got from the service */
} gs_shared;

/* Can this process use the page? */
typedef enum gs_shared_fitness
{
	GS_SHARED_READY,
	GS_SHARED_UPGRADED,			/* another release has made it */
	GS_SHARED_NO_MEMORY			/* the server had none left for it */
} gs_shared_fitness;

/* How asking for the service can fail. */
typedef enum gs_request_result
{
	GS_REQUEST_MADE,
	GS_REQUEST_NO_WORKER		/* max_worker_processes are running */
} gs_request_result;

extern gs_shared_fitness gs_shared_attach(void);
extern gs_shared *gs_shared_get(void);
extern void gs_shared_request_space(void);
extern gs_request_result gs_shared_start_service(void);
extern bool gs_shared_stop_service(void);
extern void gs_shared_report_silent(int service);
extern bool gs_shared_dismissed(int service);

/* The service's socket, seen from the data directory. */
#define GS_SOCKET_PATH	"pg_stat_tmp/gpuscan.sock"

#endif							/* GS_SHARED_H */
