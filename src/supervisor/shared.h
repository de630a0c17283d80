/*-------------------------------------------------------------------------
 *
 * shared.h
 *	  What backends and the supervisor both know about the service.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SHARED_H
#define GS_SHARED_H

#include "datatype/timestamp.h"
#include "port/atomics.h"
#include "storage/condition_variable.h"
#include "storage/dsm.h"
#include "storage/latch.h"
#include "storage/lwlock.h"

#include "supervisor/cost_model.h"

typedef enum gs_service_state
{
	GS_SERVICE_STOPPED,			/* not wanted, or not wanted yet */
	GS_SERVICE_STARTING,
	GS_SERVICE_RUNNING,
	GS_SERVICE_STOPPING,
	GS_SERVICE_FAILED			/* it did not start, or crashed */
} gs_service_state;

/*
 * The size of the page is the same in all releases, and it begins with a
 * number that changes with its layout and with the operations, because all of
 * them have costs.  After an upgrade without a restart of the server,
 * processes of two releases may use the same page.
 */
#define GS_SHARED_SIZE		8192
#define GS_SHARED_LAYOUT	(7 << 8 | GS_KINDS)

/* What gpuscan_calls() counts. */
typedef enum gs_counter
{
	GS_CALLS_GPU,				/* calls over arrays: by the service */
	GS_CALLS_SERVICE,			/* by the service, on the CPU */
	GS_CALLS_BACKEND,			/* by the session itself */
	GS_REPORTS_GPU,
	GS_REPORTS_SERVICE,
	GS_REPORTS_ORDINARY,		/* the ordinary plan instead */
	GS_COUNTERS
} gs_counter;

/*
 * What reports have lost, lately (report/session/losses.c), and how the tables
 * were then of which one may be the reason: the first ones, if there are more.
 */
#define GS_LOSSES			20
#define GS_LOSS_TABLES		4

typedef struct gs_loss_table
{
	Oid			relation;		/* InvalidOid: there are no more */
	Oid			file;			/* pg_class.relfilenode */
	int32		pages;			/* relpages */
	float4		tuples;			/* reltuples */
} gs_loss_table;

typedef struct gs_loss
{
	uint64		key;
	TimestampTz at;
	gs_loss_table table[GS_LOSS_TABLES];
	int16		times;			/* in a row; 0: it is not lost */
	bool		passing;		/* the reason may soon be gone */
	char		reason[73];		/* English */
} gs_loss;

typedef struct gs_shared
{
	/* set once */
	uint32		layout;			/* GS_SHARED_LAYOUT */
	uint64		incarnation;	/* random, new with each start of the server */
	LWLock		lock;

	/* under the lock: the supervisor, and requests to it */
	int			supervisor;		/* pid, or 0 */
	Latch	   *latch;			/* the supervisor's */
	TimestampTz registered_at;	/* when a backend registered one */
	bool		start;			/* the service is wanted */
	bool		stop;			/* stop the service until it is wanted again */
	int			silent;			/* pid of a service that answers no session */

	/* under the lock, written by the supervisor: the service */
	gs_service_state state;
	int			service;		/* pid, or 0 */
	int			dismissed;		/* pid of the last one told to end */
	bool		crashed;		/* GS_SERVICE_FAILED: a restart may succeed */
	TimestampTz started_at;		/* of the last start; 0: none yet */
	int			start_ms;		/* what a start took, the last time; 0: none yet */
	TimestampTz failed_at;
	TimestampTz retry_at;		/* GS_SERVICE_FAILED: no restart before then */
	char		reason[256];	/* why it failed, or is stopped although it was
								 * asked for; else empty */
	ConditionVariable changed;	/* broadcast when the state changes */

	/* under the lock: what operations cost */
	gs_costs	costs;

	/* under the lock: what is not to be tried again */
	gs_loss		loss[GS_LOSSES];
	/* statements.c's: its lock, and memory, or 0 before there is any */
	LWLock		statements_lock;
	dsm_handle	statements;

	/* whoever connects to the service writes it; one byte */
	bool		on_device;		/* it has a device, which computes */

	/* atomic */
	pg_atomic_uint64 fallbacks; /* calls that fell back to the CPU */
	pg_atomic_uint64 restarts;	/* of the service, which nobody had stopped */
	pg_atomic_uint64 costs_version; /* starts at 1, grows with each change */

	/* atomic, changing with every call, hence in a cache line of its own */
	char		apart[PG_CACHE_LINE_SIZE];
	pg_atomic_uint64 answers;	/* to calls, that all sessions got */
	pg_atomic_uint64 counter[GS_COUNTERS];
} gs_shared;

/* Can this process use the page? */
typedef enum gs_shared_fitness
{
	GS_SHARED_READY,
	GS_SHARED_UPGRADED,			/* created by another release */
	GS_SHARED_NO_MEMORY			/* the server had no shared memory left */
} gs_shared_fitness;

extern gs_shared_fitness gs_shared_attach(void);
extern gs_shared *gs_shared_get(void);
extern void gs_shared_request_space(void);
extern void gs_shared_count(gs_counter counter);

/* The service's socket, relative to the data directory */
#define GS_SOCKET_PATH	"pg_stat_tmp/gpuscan.sock"

#endif							/* GS_SHARED_H */
