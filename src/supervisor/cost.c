/*-------------------------------------------------------------------------
 *
 * cost.c
 *	  The costs in effect, which all sessions share.
 *
 * They are in shared memory, and in a file for the next start of the server.
 * Each session keeps a copy, and checks a version number to see whether it is
 * current, so that deciding takes a hundred nanoseconds.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "supervisor/cost.h"
#include "supervisor/cost_file.h"
#include "supervisor/shared.h"

/* Put these costs into effect for all sessions. */
void
gs_costs_store(const gs_costs *costs)
{
	gs_shared  *s = gs_shared_get();

	LWLockAcquire(&s->lock, LW_EXCLUSIVE);
	s->costs = *costs;
	pg_atomic_fetch_add_u64(&s->costs_version, 1);
	LWLockRelease(&s->lock);
	gs_cost_file_write(costs);
}

static const gs_costs *
current_costs(void)
{
	static gs_costs costs;
	static uint64 version = 0;	/* 0: none yet */
	gs_shared  *s = gs_shared_attach() == GS_SHARED_READY ? gs_shared_get() :
		NULL;

	if (s == NULL)
		gs_costs_default(&costs);
	else if (version != pg_atomic_read_u64(&s->costs_version))
	{
		LWLockAcquire(&s->lock, LW_SHARED);
		costs = s->costs;
		version = pg_atomic_read_u64(&s->costs_version);
		LWLockRelease(&s->lock);
	}
	return &costs;
}

void
gs_estimate_call(const gs_op *op, int64_t n, gs_estimate *estimate)
{
	gs_costs_estimate(current_costs(), op, n, estimate);
}

/* The estimate for a toasted array that the service has cached. */
void
gs_estimate_cached(const gs_op *op, int64_t n, gs_estimate *estimate)
{
	gs_costs_estimate_cached(current_costs(), op, n, estimate);
}
