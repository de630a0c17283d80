/*-------------------------------------------------------------------------
 *
 * service_control.c
 *	  Starting and stopping the service, from a backend.
 *
 * Backends leave their requests in shared memory and wake the supervisor,
 * which does the work.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "utils/timestamp.h"

#include "pg/wait_events.h"
#include "supervisor/service_control.h"
#include "supervisor/shared.h"
#include "supervisor/supervisor.h"

/*
 * How long a registered supervisor may take to appear before another is
 * registered: the postmaster may have failed to fork it.
 */
#define REGISTRATION_MS		5000

const char *const gs_no_worker_left = "All max_worker_processes are in use.";

/* Wake the supervisor.  The caller holds the lock. */
static void
wake_supervisor(gs_shared *s)
{
	if (s->latch != NULL)
		SetLatch(s->latch);
}

/* Ask for the service, and for a supervisor if none is running. */
gs_request_result
gs_service_start(void)
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
		if (s->supervisor == 0)
			strlcpy(s->reason, gs_no_worker_left, sizeof(s->reason));
		LWLockRelease(&s->lock);
		return GS_REQUEST_NO_WORKER;
	}
	return GS_REQUEST_MADE;
}

/*
 * Stop the service, and wait until it has ended.  False if none is running; a
 * pending restart after a crash is cancelled.
 */
bool
gs_service_stop(void)
{
	gs_shared  *s = gs_shared_get();
	bool		running = true;

	LWLockAcquire(&s->lock, LW_EXCLUSIVE);
	running = s->supervisor != 0 && s->service != 0;
	s->start = false;
	if (s->supervisor != 0)		/* which also forgets which devices have failed */
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
										gs_wait_event(GS_WAIT_STOP));
	}
	ConditionVariableCancelSleep();
	return true;
}

/* If it does not run, how many ms will a start take, as far as is known? */
int
gs_service_start_left(void)
{
	gs_shared  *s = gs_shared_get();
	int64		left;

	LWLockAcquire(&s->lock, LW_SHARED);
	left = s->state == GS_SERVICE_RUNNING ? 0 : s->start_ms;
	if (s->state == GS_SERVICE_STARTING)
		left -= TimestampDifferenceMilliseconds(s->started_at,
												GetCurrentTimestamp());
	LWLockRelease(&s->lock);
	return (int) Max(left, 0);
}

/* The service with this pid answers no session: have it replaced. */
void
gs_service_report_silent(int service)
{
	gs_shared  *s = gs_shared_get();

	LWLockAcquire(&s->lock, LW_EXCLUSIVE);
	s->silent = service;
	wake_supervisor(s);
	LWLockRelease(&s->lock);
}

/* Was the service with this pid told to end? */
bool
gs_service_was_dismissed(int service)
{
	gs_shared  *s = gs_shared_get();
	bool		dismissed;

	LWLockAcquire(&s->lock, LW_SHARED);
	dismissed = s->dismissed == service;
	LWLockRelease(&s->lock);
	return dismissed;
}
