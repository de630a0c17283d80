/*-------------------------------------------------------------------------
 *
 * supervisor.c
 *	  The background worker that starts and watches gpuscand.
 *
 * shared_preload_libraries registers it when gpuscan is listed there;
 * otherwise the first backend that wants the service does.  Of two that start
 * at once, the second one sees the first in shared memory, and exits.  It is
 * connected to the server, so that pg_stat_activity shows it, but to no
 * database: it never blocks DROP DATABASE, and it can run as soon as a standby
 * accepts connections.  It is in no transaction, and has no snapshot.
 *
 * Backends send requests through shared memory: start, stop, "the service is
 * silent".  The supervisor watches gpuscand through the lifeline, a socket
 * whose other end gpuscand has.  gpuscand sends either "ready" and its engine,
 * with its staging memory, or the reason why it could not start; and the socket
 * closes when gpuscand ends.
 *
 *		STOPPED -> STARTING -> RUNNING -> STOPPING -> STOPPED
 *						\		  |			a stop, or new settings
 *						 \		  v
 *						  +--> FAILED -> STARTING
 *
 * After a failure, it is restarted after a pause, which grows from crash to
 * crash, and is longer if it reports that it cannot start.  If it was never
 * ready, it is restarted only when a backend asks again.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "storage/ipc.h"
#include "storage/proc.h"
#include "storage/procsignal.h"
#include "utils/timestamp.h"

#include "pg/settings.h"
#include "pg/wait_events.h"
#include "protocol/protocol.h"
#include "supervisor/launch.h"
#include "supervisor/shared.h"
#include "supervisor/supervisor.h"

#define START_MS		60000	/* to become ready */
#define STOP_MS			5000	/* to finish requests in progress */
#define SHUTDOWN_MS		500		/* to finish requests at server shutdown */
#define FIRST_PAUSE_MS	500		/* before the second restart */
#define FAILED_PAUSE_MS	1000	/* after a failed start */
#define LONGEST_PAUSE_MS 8000	/* and half of response_timeout, so that calls
								 * with engine gpu outlast the pause */
#define LONGEST_FAILED_PAUSE_MS 60000
#define STEADY_MS		60000	/* a crash after so long resets the pause */

static gs_shared *shared;
static gs_command command;		/* of the running gpuscand */
static pid_t service;			/* 0: none */
static int	lifeline = -1;
static int	memory = -1;		/* staging memory of the last one that was
								 * ready */
static bool ready;				/* the service has said so */
static bool ending;				/* the service was told to end */
static bool stopped;			/* by gpuscan_stop(), and not started since */
static TimestampTz launched_at;
static TimestampTz kill_at;		/* when to kill it; 0: not at all */
static int	pause_ms;
static char reported[sizeof(((gs_shared *) 0)->reason)];
static char engine[16];			/* of a service that is ready */
static pid_t autoloaded;		/* the service that has a worker for that */
static char remaining[sizeof(reported)];	/* devices, since others have
											 * failed; empty: none has */
static char remaining_of[sizeof(reported)]; /* gpuscan.devices then */
static bool leaving;			/* the service ends, for them to be used */

static void
describe_worker(BackgroundWorker *worker)
{
	memset(worker, 0, sizeof(BackgroundWorker));
	worker->bgw_flags = BGWORKER_SHMEM_ACCESS |
		BGWORKER_BACKEND_DATABASE_CONNECTION;
	worker->bgw_start_time = BgWorkerStart_ConsistentState;
	strlcpy(worker->bgw_library_name, "gpuscan", BGW_MAXLEN);
	strlcpy(worker->bgw_function_name, "gs_supervisor_main", BGW_MAXLEN);
	strlcpy(worker->bgw_name, "gpuscan supervisor", BGW_MAXLEN);
	strlcpy(worker->bgw_type, "gpuscan supervisor", BGW_MAXLEN);
}

/*
 * Called from shared_preload_libraries: the worker starts with the server, and
 * stays.
 */
void
gs_supervisor_preload(void)
{
	BackgroundWorker worker;

	describe_worker(&worker);
	worker.bgw_restart_time = 1;
	worker.bgw_main_arg = BoolGetDatum(true);
	RegisterBackgroundWorker(&worker);
}

/* Called from a backend.  False if max_worker_processes are running. */
bool
gs_supervisor_register(void)
{
	BackgroundWorker worker;

	describe_worker(&worker);
	worker.bgw_restart_time = BGW_NEVER_RESTART;
	worker.bgw_main_arg = BoolGetDatum(false);
	return RegisterDynamicBackgroundWorker(&worker, NULL);
}

/*
 * With gpuscan.autoload a service that runs has a worker (admin/autoload.c), which
 * ends with it.
 */
static void
start_autoload(void)
{
	BackgroundWorker worker;

	if (!gs_autoload_setting)
		autoloaded = 0;
	if (!gs_autoload_setting || service == 0 || !ready || ending ||
		autoloaded == service)
		return;
	autoloaded = service;
	describe_worker(&worker);
	worker.bgw_restart_time = BGW_NEVER_RESTART;
	worker.bgw_main_arg = Int32GetDatum((int) service);
	strlcpy(worker.bgw_function_name, "gs_autoload_main", BGW_MAXLEN);
	strlcpy(worker.bgw_name, "gpuscan autoload", BGW_MAXLEN);
	strlcpy(worker.bgw_type, "gpuscan autoload", BGW_MAXLEN);
	if (!RegisterDynamicBackgroundWorker(&worker, NULL))
		ereport(LOG,
				errmsg("gpuscan: columns are not loaded again: no background worker is left"));
}

/*
 * Tell pg_stat_activity.  Neither "active" nor "idle": sessions that are one of
 * these for long may be ended by those who watch over them.
 */
static void
show_state(gs_service_state state)
{
	char		text[100];

	switch (state)
	{
		case GS_SERVICE_STOPPED:
			strlcpy(text, "service stopped", sizeof(text));
			break;
		case GS_SERVICE_STARTING:
			snprintf(text, sizeof(text), "service %d starting", (int) service);
			break;
		case GS_SERVICE_RUNNING:
			snprintf(text, sizeof(text), "service %d running, engine %s",
					 (int) service, engine);
			break;
		case GS_SERVICE_STOPPING:
			snprintf(text, sizeof(text), "service %d stopping", (int) service);
			break;
		case GS_SERVICE_FAILED:
			strlcpy(text, "service failed", sizeof(text));
			break;
	}
	pgstat_report_activity(STATE_UNDEFINED, text);
}

static void
set_state(gs_service_state state)
{
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	shared->state = state;
	shared->service = (int) service;
	if (state == GS_SERVICE_STARTING)
	{
		if (shared->started_at != 0 && !stopped)
			pg_atomic_fetch_add_u64(&shared->restarts, 1);
		stopped = false;
		shared->started_at = launched_at;
		if (shared->dismissed == (int) service)
			shared->dismissed = 0;	/* pids are reused */
	}
	if (state == GS_SERVICE_RUNNING)
		shared->start_ms = (int)
			TimestampDifferenceMilliseconds(launched_at,
											GetCurrentTimestamp());
	if (state == GS_SERVICE_RUNNING || state == GS_SERVICE_STOPPED)
		shared->reason[0] = '\0';
	if (state == GS_SERVICE_STOPPED)
	{
		stopped = stopped || shared->stop;
		shared->stop = false;
	}
	LWLockRelease(&shared->lock);
	ConditionVariableBroadcast(&shared->changed);
	show_state(state);
}

/* The service has crashed, or could not start: schedule the next start. */
static void
set_failed(const char *reason, bool crashed)
{
	TimestampTz now = GetCurrentTimestamp();
	int			longest = crashed ?
		Min(LONGEST_PAUSE_MS, (int64) gs_response_timeout * 1000 / 2) :
		LONGEST_FAILED_PAUSE_MS;

	if (crashed && TimestampDifferenceExceeds(launched_at, now, STEADY_MS))
		pause_ms = 0;
	else if (!crashed)
		pause_ms = Max(pause_ms, FAILED_PAUSE_MS);
	pause_ms = Min(pause_ms, longest);

	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	shared->state = GS_SERVICE_FAILED;
	shared->service = 0;
	shared->silent = 0;
	shared->crashed = crashed;
	shared->failed_at = now;
	shared->retry_at = TimestampTzPlusMilliseconds(now, pause_ms);
	shared->start = ready && !shared->stop;
	shared->stop = false;
	strlcpy(shared->reason, reason, sizeof(shared->reason));
	LWLockRelease(&shared->lock);
	ConditionVariableBroadcast(&shared->changed);
	show_state(GS_SERVICE_FAILED);
	ereport(LOG,
			errmsg("gpuscan: the service %s: %s",
				   crashed ? "has ended" : "could not start", reason));
	pause_ms = Max(2 * pause_ms, FIRST_PAUSE_MS);
}

/* The settings ask for a device, and the host has none: not a failure. */
static void
set_unwanted(void)
{
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	shared->start = false;
	LWLockRelease(&shared->lock);
	set_state(GS_SERVICE_STOPPED);
}

/* Those of the setting, but for what has failed since they were chosen. */
static const char *
devices_now(void)
{
	return remaining[0] != '\0' && strcmp(remaining_of, gs_devices) == 0 ?
		remaining : gs_devices;
}

static void
start_service(void)
{
	char		reason[sizeof(shared->reason)];

	launched_at = GetCurrentTimestamp();
	gs_command_make(&command, shared->incarnation, devices_now());
	ready = false;
	ending = false;
	leaving = false;
	reported[0] = '\0';
	if (!gs_end_survivor())
	{
		set_failed("a gpuscand of an earlier start of the server is still running",
				   false);
		return;
	}
	service = gs_launch(&command, &lifeline);
	if (service < 0)
	{
		service = 0;
		snprintf(reason, sizeof(reason), "could not start \"%s\": %m",
				 command.path);
		set_failed(reason, false);
		return;
	}
	kill_at = TimestampTzPlusMilliseconds(launched_at, START_MS);
	set_state(GS_SERVICE_STARTING);
}

/*
 * The service is about to be told to end.  A backend that loses it from now on
 * must not take this for a failure.
 */
static void
dismiss(void)
{
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	shared->dismissed = (int) service;
	LWLockRelease(&shared->lock);
}

/* Tell the service to end, and kill it if it has not after so many ms. */
static void
end_service(int ms)
{
	dismiss();
	(void) kill(service, SIGTERM);
	kill_at = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), ms);
	ending = true;
	set_state(GS_SERVICE_STOPPING);
}

/* Describe how a process ended, in a buffer of `size` bytes. */
static void
describe_end(int status, char *reason, size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(reason, size, "terminated by signal %d: %s",
				 WTERMSIG(status), pg_strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) == 127)
		snprintf(reason, size, "could not execute \"%s\"", command.path);
	else
		snprintf(reason, size, "exited with status %d", WEXITSTATUS(status));
}

/*
 * Free the staging memory of a service that has ended: sessions keep it mapped
 * until their next call, which may never come.  A session that is copying from
 * it right now notices by the mark (protocol.h), so while the mark is there,
 * the rest must stay.
 */
static void
free_memory(void)
{
	const int	how = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
	struct stat info;

	if (memory < 0 || fstat(memory, &info) != 0)
		return;
	if (fallocate(memory, how, info.st_size - GS_STAGING_PAGE,
				  GS_STAGING_PAGE) != 0 ||
		fallocate(memory, how, 0, info.st_size) != 0)
		ereport(LOG,
				errmsg("gpuscan: could not free the staging memory of a service that has ended: %m"));
}

/* Read a message of the service from the lifeline, or notice its end. */
static void
read_lifeline(void)
{
	char		text[sizeof(reported)];
	int			descriptor;
	ssize_t		got = gs_receive_memory(lifeline, text, sizeof(text) - 1,
										&descriptor);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0)
	{
		(void) close(lifeline);
		lifeline = -1;
		return;
	}
	if (descriptor >= 0)
	{
		/* free the previous one again: calls may have written to it since */
		free_memory();
		if (memory >= 0)
			(void) close(memory);
		memory = descriptor;
	}
	text[got] = '\0';
	if (strncmp(text, GS_READY, strlen(GS_READY)) == 0)
	{
		ready = true;
		strlcpy(engine, text + strlen(GS_READY), sizeof(engine));
		if (!ending)
		{
			kill_at = 0;
			set_state(GS_SERVICE_RUNNING);
		}
	}
	else if (strncmp(text, GS_REMAINING, strlen(GS_REMAINING)) == 0)
	{
		leaving = true;
		strlcpy(remaining, text + strlen(GS_REMAINING), sizeof(remaining));
		strlcpy(remaining_of, gs_devices, sizeof(remaining_of));
		ereport(LOG,
				errmsg("gpuscan: a device has failed, the next service uses devices %s",
					   remaining),
				errhint("To have it use all of them again, call gpuscan_stop()."));
	}
	else
		strlcpy(reported, text, sizeof(reported));
}

/* The service has ended. */
static void
service_ended(int status)
{
	char		reason[sizeof(shared->reason)];

	/* its last message may not have been read yet */
	if (lifeline >= 0)
		read_lifeline();
	if (lifeline >= 0)
		(void) close(lifeline);
	lifeline = -1;
	service = 0;
	kill_at = 0;
	if (ending)
	{
		pause_ms = 0;
		set_state(GS_SERVICE_STOPPED);
	}
	else if (reported[0] != '\0')
		set_failed(reported, ready);
	else
	{
		/* after a signal, the next start may well succeed */
		describe_end(status, reason, sizeof(reason));
		set_failed(reason, ready || WIFSIGNALED(status));
	}
	free_memory();
}

static void
reap_service(void)
{
	int			status;

	if (service != 0 && waitpid(service, &status, WNOHANG) == service)
		service_ended(status);
}

/* Do what backends and the configuration ask for. */
static void
handle_requests(void)
{
	TimestampTz now = GetCurrentTimestamp();
	gs_command	wanted;
	bool		start;
	bool		stop;
	bool		silent;

	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	stop = shared->stop;
	if (service == 0)
	{
		shared->stop = false;
		shared->silent = 0;
	}
	start = shared->start && (shared->state != GS_SERVICE_FAILED ||
							  now >= shared->retry_at);
	silent = shared->silent != 0 && shared->silent == (int) service;
	LWLockRelease(&shared->lock);

	if (stop)
		remaining[0] = '\0';
	if (service == 0)
	{
		if (start && gs_service_possible())
			start_service();
		else if (start)
			set_unwanted();
		return;
	}
	if (ending)
		return;
	gs_command_make(&wanted, shared->incarnation, devices_now());
	if (silent)
	{
		strlcpy(reported, "it did not answer", sizeof(reported));
		(void) kill(service, SIGKILL);
		LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
		shared->silent = 0;
		LWLockRelease(&shared->lock);
	}
	else if (stop || (!leaving && !gs_command_equal(&wanted, &command)))
		end_service(STOP_MS);
}

/* How long to sleep: in ms, or -1 for ever. */
static long
time_to_sleep(void)
{
	TimestampTz until = kill_at;

	if (service != 0 && lifeline < 0)
		return 10;				/* waitpid will report its end any moment */
	if (service == 0)
	{
		LWLockAcquire(&shared->lock, LW_SHARED);
		until = shared->start ? shared->retry_at : 0;
		LWLockRelease(&shared->lock);
	}
	if (until == 0)
		return -1;
	return Max(TimestampDifferenceMilliseconds(GetCurrentTimestamp(), until),
			   1);
}

static void
wait_for_event(void)
{
	long		ms = time_to_sleep();
	int			events = WL_LATCH_SET | WL_EXIT_ON_PM_DEATH;

	if (ms >= 0)
		events |= WL_TIMEOUT;
	if (lifeline >= 0)
		events |= WL_SOCKET_READABLE;
	events = WaitLatchOrSocket(MyLatch, events,
							   lifeline >= 0 ? lifeline : PGINVALID_SOCKET,
							   ms, gs_wait_event(GS_WAIT_SUPERVISOR));
	if (events & WL_LATCH_SET)
		ResetLatch(MyLatch);
	if (events & WL_SOCKET_READABLE)
		read_lifeline();
}

/* Send a signal, and wait for the service to end, for at most longest_ms. */
static void
signal_and_wait(int signo, int longest_ms)
{
	if (service == 0)
		return;
	(void) kill(service, signo);
	for (int ms = 0; ms < longest_ms; ms += 10)
	{
		if (waitpid(service, NULL, WNOHANG) == service)
		{
			service = 0;
			return;
		}
		pg_usleep(10000);
	}
}

/*
 * At the supervisor's exit, for whatever reason: leave nothing running, and
 * let backends know that there is no supervisor.
 */
static void
leave(int code pg_attribute_unused(), Datum argument pg_attribute_unused())
{
	if (service != 0)
		dismiss();
	signal_and_wait(SIGTERM, SHUTDOWN_MS);
	signal_and_wait(SIGKILL, STOP_MS);
	free_memory();
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	shared->supervisor = 0;
	shared->latch = NULL;
	shared->registered_at = 0;
	shared->service = 0;
	shared->state = GS_SERVICE_STOPPED;
	shared->reason[0] = '\0';
	LWLockRelease(&shared->lock);
	ConditionVariableBroadcast(&shared->changed);
}

/* Returns false if there is a supervisor already. */
static bool
become_supervisor(bool preloaded)
{
	bool		first;

	shared = gs_shared_get();
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	first = shared->supervisor == 0;
	if (first)
	{
		shared->supervisor = MyProcPid;
		shared->latch = MyLatch;
		shared->reason[0] = '\0';
		if (preloaded)
			shared->start = true;
	}
	LWLockRelease(&shared->lock);
	if (first)
		before_shmem_exit(leave, 0);
	return first;
}

static void
connect_to_server(void)
{
	BackgroundWorkerInitializeConnectionByOid(InvalidOid, InvalidOid, 0);
	SetConfigOption("application_name", MyBgworkerEntry->bgw_name,
					PGC_USERSET, PGC_S_SESSION);
	show_state(GS_SERVICE_STOPPED);
}

void
gs_supervisor_main(Datum argument)
{
	pqsignal(SIGINT, PG_SIG_IGN);	/* a cancelled one would end the service */
	pqsignal(SIGHUP, SignalHandlerForConfigReload);
	pqsignal(SIGTERM, SignalHandlerForShutdownRequest);
	pqsignal(SIGUSR1, procsignal_sigusr1_handler);
	BackgroundWorkerUnblockSignals();

	if (!become_supervisor(DatumGetBool(argument)))
		return;
	connect_to_server();
	while (!ShutdownRequestPending)
	{
		/* DROP DATABASE waits until every process has closed its files */
		CHECK_FOR_INTERRUPTS();
		if (ConfigReloadPending)
		{
			ConfigReloadPending = false;
			ProcessConfigFile(PGC_SIGHUP);
		}
		reap_service();
		handle_requests();
		start_autoload();
		if (kill_at != 0 && GetCurrentTimestamp() >= kill_at)
		{
			if (!ending)
				snprintf(reported, sizeof(reported),
						 "it was not ready after %d s", START_MS / 1000);
			(void) kill(service, SIGKILL);
			kill_at = 0;
		}
		wait_for_event();
	}
}
