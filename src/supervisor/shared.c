/*-------------------------------------------------------------------------
 *
 * shared.c
 *	  A page of shared memory: what backends ask for, what the supervisor did.
 *
 * It is got when first needed, by whoever comes first, so that nothing needs
 * shared_preload_libraries.  A crash restart of the server makes new shared
 * memory, hence a new incarnation: a service that survived it is no longer
 * ours.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/shmem.h"
#include "utils/timestamp.h"

#include "supervisor/shared.h"
#include "supervisor/supervisor.h"

/*
 * A worker that was registered is given this long to show up before another
 * is: the postmaster may have failed to fork it.
 */
#define REGISTRATION_MS		5000

static gs_shared *shared;

#if PG_VERSION_NUM >= 150000
static shmem_request_hook_type previous_request_hook;
#endif

static void
init_shared(void)
{
	memset(shared, 0, sizeof(gs_shared));
	if (!pg_strong_random(&shared->incarnation, sizeof(shared->incarnation)))
		ereport(ERROR,
				errcode(ERRCODE_INTERNAL_ERROR),
				errmsg("could not generate a random number"));
	LWLockInitialize(&shared->lock, LWLockNewTrancheId("gpuscan"));
	ConditionVariableInit(&shared->changed);
	pg_atomic_init_u64(&shared->fallbacks, 0);
	pg_atomic_init_u64(&shared->restarts, 0);
	pg_atomic_init_u64(&shared->answers, 0);
	gs_costs_init(&shared->costs);
	pg_atomic_init_u64(&shared->costs_version, 1);
	shared->layout = GS_SHARED_LAYOUT;
}

/*
 * Get the page, or make it.  The server has only a little memory to spare for
 * those who come late, and says by an error that it has no more; then there is
 * no page, and that is no error here.
 */
static void
get_page(void)
{
	MemoryContext context = CurrentMemoryContext;
	volatile bool found = true;
	uint32		holdoff;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	holdoff = InterruptHoldoffCount;
	PG_TRY();
	{
		bool		is_there;

		shared = ShmemInitStruct("gpuscan", GS_SHARED_SIZE, &is_there);
		found = is_there;
	}
	PG_CATCH();
	{
		if (geterrcode() != ERRCODE_OUT_OF_MEMORY)
			PG_RE_THROW();
		MemoryContextSwitchTo(context);
		FlushErrorState();

		/* an error has forgotten that a lock is held */
		InterruptHoldoffCount = holdoff;
	}
	PG_END_TRY();
	if (!found)
		init_shared();
	LWLockRelease(AddinShmemInitLock);
}

/* Whether, and if not why not, the page can be used. */
gs_shared_fitness
gs_shared_attach(void)
{
	static bool attached = false;

	StaticAssertStmt(sizeof(gs_shared) <= GS_SHARED_SIZE,
					 "the page is too small");
	if (!attached)
	{
		get_page();
		if (shared != NULL && shared->layout == GS_SHARED_LAYOUT)
			LWLockRegisterTranche(shared->lock.tranche, "gpuscan");
		attached = true;		/* memory does not come back */
	}
	if (shared == NULL)
		return GS_SHARED_NO_MEMORY;
	return shared->layout == GS_SHARED_LAYOUT ? GS_SHARED_READY :
		GS_SHARED_UPGRADED;
}

gs_shared *
gs_shared_get(void)
{
	gs_shared_fitness fitness = gs_shared_attach();

	if (fitness == GS_SHARED_NO_MEMORY)
		ereport(ERROR,
				errcode(ERRCODE_OUT_OF_MEMORY),
				errmsg("not enough shared memory is left for gpuscan's service"),
				errhint("Add gpuscan to shared_preload_libraries."));
	if (fitness == GS_SHARED_UPGRADED)
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("gpuscan has been upgraded since the server started"),
				errhint("Restart the server."));
	return shared;
}

#if PG_VERSION_NUM >= 150000
static void
request_space(void)
{
	if (previous_request_hook != NULL)
		previous_request_hook();
	RequestAddinShmemSpace(GS_SHARED_SIZE);
}
#endif

/* While shared_preload_libraries are loaded: do not live on spare space. */
void
gs_shared_request_space(void)
{
#if PG_VERSION_NUM >= 150000
	previous_request_hook = shmem_request_hook;
	shmem_request_hook = request_space;
#else
	RequestAddinShmemSpace(GS_SHARED_SIZE);
#endif
}

/* Wake the supervisor.  The lock is held. */
static void
wake_supervisor(gs_shared *s)
{
	if (s->latch != NULL)
		SetLatch(s->latch);
}

/* Ask for the service, and for a supervisor if there is none. */
gs_request_result
gs_shared_start_service(void)
{
	gs_shared  *s = gs_shared_get();
	TimestampTz now = GetCurrentTimestamp();
	bool		registers;

	LWLockAcquire(&s->lock, LW_EXCLUSIVE);
	s->start = true;
	wake_supervisor(s);
	registers = s->supervisor == 0 &&
		TimestampDifferenceExceeds(s->registered_at, now, REGISTRATION_MS);
	if (registers)
		s->registered_at = now;
	LWLockRelease(&s->lock);

	if (registers && !gs_supervisor_register())
	{
		LWLockAcquire(&s->lock, LW_EXCLUSIVE);
		s->registered_at = 0;
		LWLockRelease(&s->lock);
		return GS_REQUEST_NO_WORKER;
	}
	return GS_REQUEST_MADE;
}

/*
 * Have the service ended, and wait until it has.  False if none runs; one that
 * was to be started again after a crash is not.
 */
bool
gs_shared_stop_service(void)
{
	gs_shared  *s = gs_shared_get();
	bool		running = true;

	LWLockAcquire(&s->lock, LW_EXCLUSIVE);
	running = s->supervisor != 0 && s->service != 0;
	s->start = false;
	if (running)
	{
		s->stop = true;
		wake_supervisor(s);
	}
	LWLockRelease(&s->lock);
	if (!running)
		return false;

	ConditionVariablePrepareToSleep(&s->changed);
	while (running)
	{
		LWLockAcquire(&s->lock, LW_SHARED);
		running = s->stop && s->supervisor != 0;
		LWLockRelease(&s->lock);
		if (running)
			ConditionVariableTimedSleep(&s->changed, 1000,
										PG_WAIT_EXTENSION);
	}
	ConditionVariableCancelSleep();
	return true;
}

/* The service with this pid answers nobody: it is to be replaced. */
void
gs_shared_report_silent(int service)
{
	gs_shared  *s = gs_shared_get();

	LWLockAcquire(&s->lock, LW_EXCLUSIVE);
	s->silent = service;
	wake_supervisor(s);
	LWLockRelease(&s->lock);
}

/* Has the service with this pid ended because it was told to? */
bool
gs_shared_dismissed(int service)
{
	gs_shared  *s = gs_shared_get();
	bool		dismissed;

	LWLockAcquire(&s->lock, LW_SHARED);
	dismissed = s->dismissed == service;
	LWLockRelease(&s->lock);
	return dismissed;
}
