/*-------------------------------------------------------------------------
 *
 * shared.c
 *	  A page of shared memory: what backends ask for, and what the supervisor
 *	  did.
 *
 * Whoever needs it first creates it, so nothing depends on
 * shared_preload_libraries.  A crash restart of the server creates new shared
 * memory, hence a new incarnation: a service that survives the restart is no
 * longer ours.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/shmem.h"

#include "supervisor/cost_file.h"
#include "supervisor/shared.h"

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
	LWLockInitialize(&shared->statements_lock, shared->lock.tranche);
	ConditionVariableInit(&shared->changed);
	pg_atomic_init_u64(&shared->fallbacks, 0);
	pg_atomic_init_u64(&shared->restarts, 0);
	pg_atomic_init_u64(&shared->answers, 0);
	for (int i = 0; i < GS_COUNTERS; i++)
		pg_atomic_init_u64(&shared->counter[i], 0);
	if (!gs_cost_file_read(&shared->costs))
		gs_costs_default(&shared->costs);
	pg_atomic_init_u64(&shared->costs_version, 1);
	shared->layout = GS_SHARED_LAYOUT;
}

/*
 * Attach to the page, or create it.  The server has only a little shared
 * memory to spare after its start, and raises an error when that is used up.
 * Then shared stays NULL, without an error.
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

		/* raising the error reset it, although a lock is held */
		InterruptHoldoffCount = holdoff;
	}
	PG_END_TRY();
	if (!found)
		init_shared();
	LWLockRelease(AddinShmemInitLock);
}

/* Can the page be used?  If not, why? */
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
		attached = true;		/* memory once used up does not come back */
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

/* Count, if the page can be used: it is no reason to fail. */
void
gs_shared_count(gs_counter counter)
{
	if (gs_shared_attach() == GS_SHARED_READY)
		pg_atomic_fetch_add_u64(&shared->counter[counter], 1);
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

/*
 * From shared_preload_libraries: request space, instead of using the server's
 * reserve.
 */
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
