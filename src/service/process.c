/*-------------------------------------------------------------------------
 *
 * process.c
 *	  The process as a whole: its configuration, counters, log and end.
 *
 *-------------------------------------------------------------------------
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "service/service.h"

#ifdef GS_WITH_CUDA
#include "kernels/cuda_engine.h"
#endif

gs_config	gs_service;
_Atomic uint64_t gs_progress;
_Atomic uint64_t gs_calls;
_Atomic int32_t gs_connections;
_Atomic bool gs_stopping;
int			gs_stop_fd;
bool		gs_listening;

/* Write a line to standard error, which is the server's log. */
void
gs_log(const char *format,...)
{
	char		line[1024];
	struct timespec now;
	struct tm	utc;
	size_t		at;
	va_list		arguments;

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &utc);
	at = strftime(line, sizeof line, "%Y-%m-%d %H:%M:%S", &utc);
	at += (size_t) snprintf(line + at, sizeof line - at,
							".%03d UTC [%d] gpuscand: ",
							(int) (now.tv_nsec / 1000000), (int) getpid());
	va_start(arguments, format);
	at += (size_t) vsnprintf(line + at, sizeof line - at - 1, format,
							 arguments);
	va_end(arguments);
	if (at > sizeof line - 2)
		at = sizeof line - 2;
	line[at++] = '\n';
	(void) !write(STDERR_FILENO, line, at);
}

/*
 * Is a repeated event due for another line in the log?  At most one a minute;
 * `last` is initially 0.
 */
bool
gs_log_due(_Atomic int64_t *last)
{
	int64_t		before = atomic_load(last);
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (before == 0 || now.tv_sec - before >= 60) &&
		atomic_compare_exchange_strong(last, &before, now.tv_sec);
}

/* End at once, even if other threads are working. */
void
gs_exit(int status)
{
	if (gs_listening)
		unlink(gs_service.socket);
	gs_log("exiting with status %d after %llu calls", status,
		   (unsigned long long) atomic_load(&gs_calls));
	_exit(status);
}

/* Tell the supervisor which devices are left without this one. */
static void
tell_remaining(int failed)
{
	char		message[sizeof GS_REMAINING + GS_DEVICES_MAX * 5] = GS_REMAINING;
	size_t		length = strlen(message);

	for (int i = 0; i < gs_service.devices; i++)
	{
		if (i != failed)
			length += (size_t) snprintf(message + length,
										sizeof message - length, "%d,",
										gs_service.device[i]);
	}
	(void) send(gs_service.lifeline, message, length - 1, MSG_NOSIGNAL);
}

/*
 * A device that has failed does not recover within a process: end.  Of several,
 * the next process does without it.
 */
void
gs_device_failed(int device, const char *message)
{
	gs_log("device %d has failed: %s", gs_service.device[device], message);
	if (gs_service.devices > 1 && gs_service.lifeline >= 0)
		tell_remaining(device);
	gs_exit(GS_EXIT_DEVICE);
}

/* The device memory that this process uses, in bytes. */
uint64_t
gs_memory_used(void)
{
#ifdef GS_WITH_CUDA
	if (gs_service.engine->on_device)
		return gs_cuda_memory_used();
#endif
	return 0;
}

/* The time, in microseconds. */
int64_t
gs_now_us(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
