/*-------------------------------------------------------------------------
 *
 * link.c
 *	  This session's connection to the service.
 *
 * The first call that wants the service opens it.  It stays open for the
 * session, and is reopened when a call finds that the service has gone.  Any
 * failure closes it: the end of the connection makes the service release all
 * that it held for this session, so nothing needs to be cleaned up in step.
 *
 * Every wait is also a wait for the latch, so that a cancel, statement_timeout
 * or the end of the server takes effect at any moment.  An error thrown in the
 * middle of a call leaves the link open; gs_engine.end then closes it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "miscadmin.h"
#include "portability/instr_time.h"
#include "storage/fd.h"
#include "storage/latch.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "client/link.h"
#include "pg/settings.h"
#include "pg/wait_events.h"
#include "protocol/spin_wait.h"
#include "supervisor/launch.h"
#include "supervisor/service_control.h"
#include "supervisor/shared.h"

#define CHECK_MS		1000	/* between checks that others get answers */
#define OWN_TIMEOUTS	10		/* of response_timeout: the longest wait for
								 * our own answer while others get theirs */

gs_link		gs_session_link = {.fd = PGINVALID_SOCKET};

static const char *const no_device_here = "This host has no NVIDIA device.";
static char error[256];			/* why the link was closed or could not open */
static gs_refusal refusal;		/* 0: the service has not refused */

/*
 * What every wait is for, once there was one with this link: to make it for each
 * takes longer than the rest of a wait.
 */
static WaitEventSet *waits;
static int	socket_place;		/* the socket's place in it */

const char *
gs_link_error(void)
{
	return error;
}

void
gs_link_close(void)
{
	gs_link    *l = &gs_session_link;

	if (l->fd == PGINVALID_SOCKET)
		return;
	if (l->staging != NULL)
		(void) munmap(l->staging, l->staging_size + GS_STAGING_PAGE);
	l->staging = NULL;
	if (waits != NULL)
		FreeWaitEventSet(waits);
	waits = NULL;
	(void) close(l->fd);
	l->fd = PGINVALID_SOCKET;
	ReleaseExternalFD();
}

static void fail(const char *format,...)
			__attribute__((format(printf, 1, 2)));

/* Close the link, and record why. */
static void
fail(const char *format,...)
{
	va_list		arguments;

	va_start(arguments, format);
	vsnprintf(error, sizeof(error), format, arguments);
	va_end(arguments);
	gs_link_close();
}

/* Is the link open, and the service still at the other end? */
static bool
is_alive(void)
{
	char		byte;
	ssize_t		got;

	if (gs_session_link.fd == PGINVALID_SOCKET)
		return false;
	got = recv(gs_session_link.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
	if (got < 0 && errno == EAGAIN)
		return true;
	fail("The service has ended.");
	return false;
}

/*
 * Is what was just copied out of the service's memory what the service wrote
 * there?  When the service has ended, that memory is freed, starting with the
 * page of the mark.
 */
bool
gs_link_copied(void)
{
	const gs_link *l = &gs_session_link;

	pg_read_barrier();
	if (*(volatile uint64 *) (l->staging + l->staging_size) == GS_STAGING_MARK)
		return true;
	fail("The service has ended.");
	return false;
}

/*
 * Was the service at the other end, of a link open or closed, told to end?
 * Then its loss deserves no warning.
 */
bool
gs_link_dismissed(void)
{
	return gs_service_was_dismissed(gs_session_link.service);
}

/*
 * How long the service has been silent to all sessions that have calls, and
 * to this one: if it answers others, it is alive, and ours may only be slow.
 * Time in which we did not check, because this process or the host was
 * suspended, does not count.
 */
typedef struct silence
{
	bool		begun;
	instr_time	checked_at;
	uint64		answers;
	double		ms;				/* to all */
	double		own_ms;			/* to us, with this wait */
} silence;

static void
measure(silence *s)
{
	uint64		answers = pg_atomic_read_u64(&gs_shared_get()->answers);
	instr_time	now;
	instr_time	passed;

	INSTR_TIME_SET_CURRENT(now);
	passed = now;
	if (s->begun)
	{
		double		ms;

		INSTR_TIME_SUBTRACT(passed, s->checked_at);
		ms = Min(INSTR_TIME_GET_MILLISEC(passed), 2 * CHECK_MS);
		s->ms = answers == s->answers ? s->ms + ms : 0;
		s->own_ms += ms;
	}
	s->begun = true;
	s->checked_at = now;
	s->answers = answers;
}

static void
make_waits(int event)
{
	WaitEventSet *set = CreateWaitEventSet(GS_LASTING_WAITS, 3);

	(void) AddWaitEventToSet(set, WL_LATCH_SET, PGINVALID_SOCKET, MyLatch, NULL);
	(void) AddWaitEventToSet(set, WL_EXIT_ON_PM_DEATH, PGINVALID_SOCKET, NULL,
							 NULL);
	socket_place = AddWaitEventToSet(set, event, gs_session_link.fd, NULL,
									 NULL);
	waits = set;
}

/*
 * Wait until the socket is readable or writable.  False if no session has got
 * an answer for timeout_ms: the service is then reported as silent.  Also false
 * if others have, and this one has not for much longer: its request may be
 * stuck, but the service stays.
 */
static bool
wait_for_socket(int event, silence *s, int timeout_ms, gs_wait wait)
{
	WaitEvent	occurred;

	measure(s);
	if (s->ms >= timeout_ms)
	{
		gs_service_report_silent(gs_session_link.service);
		fail("The service has not answered for %d ms.", timeout_ms);
		return false;
	}
	if (s->own_ms >= (double) OWN_TIMEOUTS * timeout_ms)
	{
		fail("The service has not answered this session for %d ms.",
			 OWN_TIMEOUTS * timeout_ms);
		return false;
	}
	if (waits == NULL)
		make_waits(event);
	ModifyWaitEvent(waits, socket_place, event, NULL);
	if (WaitEventSetWait(waits, Min(CHECK_MS, timeout_ms - (long) s->ms),
						 &occurred, 1, gs_wait_event(wait)) == 1 &&
		occurred.events == WL_LATCH_SET)
	{
		ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
	}
	return true;
}

/*
 * Does a message of this kind answer a part of a call?  WELCOME, WAITING and
 * what the service says of itself come even if no call moves.
 */
static bool
answers_call(uint32 kind)
{
	return kind == GS_MSG_GRANTED || kind == GS_MSG_ACCEPTED ||
		kind == GS_MSG_LOADED || kind == GS_MSG_DONE ||
		kind == GS_MSG_RESULT || kind == GS_MSG_COUNTED ||
		kind == GS_MSG_FETCHED || kind == GS_MSG_OPENED ||
		kind == GS_MSG_PAGES || kind == GS_MSG_FED ||
		kind == GS_MSG_SUMMARY;
}

/* Does the service answer so once it has granted slots of staging memory? */
static bool
awaits_slots(gs_message awaited)
{
	return awaited == GS_MSG_GRANTED || awaited == GS_MSG_OPENED;
}

/*
 * Receive a message, within timeout_ms of silence, and a descriptor that comes
 * with it, if `descriptor` is not NULL; -1: none.  Another kind of message than the one
 * that is awaited may come; that it takes long says nothing about others.
 * Returns the length, or -1 if there is
 * none: the link is then closed.  GS_MSG_REFUSED closes it, too.  The caller
 * must close the descriptor, even then.
 */
ssize_t
gs_link_receive_memory(void *message, size_t size, int timeout_ms,
					   gs_message awaited, int *descriptor)
{
	static gs_spin spin[GS_MSG_CODES + 1];
	const gs_header *header = message;
	silence		quiet = {0};
	bool		reset = false;
	int			fd = gs_session_link.fd;
	ssize_t		got;

	while ((got = descriptor == NULL ? recv(fd, message, size, MSG_DONTWAIT) :
			gs_receive_memory(fd, message, size, descriptor)) < 0 &&
		   (errno == EAGAIN || errno == EINTR ||
			(errno == ECONNRESET && !reset)))
	{
		/* it closed with our data unread; its last message can follow */
		if (errno == ECONNRESET)
		{
			reset = true;
			continue;
		}
		if (!quiet.begun)
		{
			measure(&quiet);
			if (gs_spin_wait(&spin[awaited], fd))
				continue;
		}
		if (!wait_for_socket(WL_SOCKET_READABLE, &quiet, timeout_ms,
							 awaits_slots(awaited) ? GS_WAIT_STAGING :
							 GS_WAIT_ANSWER))
			return -1;
	}
	if (got < (ssize_t) sizeof(gs_header) ||
		header->length != (uint32) got)
		return fail("The service has ended."), -1;
	if (answers_call(header->kind))
		pg_atomic_fetch_add_u64(&gs_shared_get()->answers, 1);
	if (header->kind == GS_MSG_REFUSED && got == sizeof(gs_msg_refused))
	{
		const gs_msg_refused *refused = message;

		refusal = refused->refusal;
		if (refusal == GS_REFUSED_VERSION)
			return fail("The service belongs to another release of gpuscan: "
						"the server must be restarted."), -1;
		return fail("The service refuses this session: %.*s.",
					(int) sizeof(refused->message), refused->message), -1;
	}
	return got;
}

ssize_t
gs_link_receive(void *message, size_t size, int timeout_ms,
				gs_message awaited)
{
	return gs_link_receive_memory(message, size, timeout_ms, awaited, NULL);
}

/*
 * Send a message, after filling in kind and length.  A closed connection is
 * not reported here: gs_link_receive will notice it, after any message that
 * the service may still have sent.
 */
bool
gs_link_send(void *message, gs_message kind, size_t length)
{
	gs_header  *header = message;
	silence		quiet = {0};

	header->kind = kind;
	header->length = (uint32) length;
	while (send(gs_session_link.fd, message, length,
				MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t) length)
	{
		if (errno == EPIPE || errno == ECONNRESET)
			return true;
		if (errno != EAGAIN && errno != EINTR)
		{
			fail("Could not send to the service: %m.");
			return false;
		}
		if (!wait_for_socket(WL_SOCKET_WRITEABLE, &quiet,
							 gs_response_timeout * 1000, GS_WAIT_ANSWER))
			return false;
	}
	return true;
}

/* Map the memory that came with the welcome. */
static bool
accept_welcome(const gs_msg_welcome *welcome, int memory)
{
	gs_link    *l = &gs_session_link;
	void	   *staging;

	if (welcome->version != GS_PROTOCOL_VERSION ||
		welcome->incarnation != gs_shared_get()->incarnation)
	{
		fail("The service belongs to another start of the server.");
		return false;
	}
	staging = mmap(NULL, welcome->staging_size + GS_STAGING_PAGE,
				   PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	if (staging == MAP_FAILED)
	{
		fail("Could not map the service's memory: %m.");
		return false;
	}
	l->service = welcome->pid;
	l->staging = staging;
	l->staging_size = welcome->staging_size;
	l->slot_size = welcome->slot_size;
	l->call_size = welcome->call_size;
	l->on_device = welcome->on_device;
	gs_shared_get()->on_device = l->on_device;
	strlcpy(l->engine, welcome->engine, sizeof(l->engine));
	strlcpy(l->no_device, welcome->no_device, sizeof(l->no_device));
	if (l->buffer == NULL)
		l->buffer = MemoryContextAlloc(TopMemoryContext, GS_MESSAGE_MAX);
	return true;
}

/* Exchange HELLO and WELCOME. */
static bool
shake_hands(int timeout_ms)
{
	gs_msg_hello hello = {
		.magic = GS_PROTOCOL_MAGIC,
		.version = GS_PROTOCOL_VERSION,
		.incarnation = gs_shared_get()->incarnation
	};
	union
	{
		gs_msg_welcome welcome;
		gs_msg_refused refused;
	}			answer;
	ssize_t		got;
	int			memory = -1;
	bool		accepted;

	if (!gs_link_send(&hello, GS_MSG_HELLO, sizeof(hello)))
		return false;
	got = gs_link_receive_memory(&answer, sizeof(answer), timeout_ms,
								 GS_MSG_WELCOME, &memory);
	if (got >= 0 && (got != sizeof(gs_msg_welcome) || memory < 0 ||
					 answer.welcome.header.kind != GS_MSG_WELCOME))
		fail("The service did not complete the handshake.");
	accepted = gs_session_link.fd != PGINVALID_SOCKET &&
		accept_welcome(&answer.welcome, memory);
	if (memory >= 0)
		(void) close(memory);
	return accepted;
}

/*
 * Connect to a running service.  False, with the error set, if there is none.
 */
static bool
open_link(int timeout_ms)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	gs_shared  *shared = gs_shared_get();
	bool		opened = false;
	int			fd;

	gs_link_close();
	refusal = 0;
	strlcpy(address.sun_path, GS_SOCKET_PATH, sizeof(address.sun_path));
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
	{
		fail("Could not create a socket: %m.");
		return false;
	}
	if (connect(fd, (struct sockaddr *) &address, sizeof(address)) != 0)
	{
		fail("The service is not running.");
		(void) close(fd);
		return false;
	}
	ReserveExternalFD();
	gs_session_link.fd = fd;
	gs_session_link.service = shared->service;
	PG_TRY();
	{
		opened = shake_hands(timeout_ms);
	}
	PG_CATCH();
	{
		gs_link_close();
		PG_RE_THROW();
	}
	PG_END_TRY();
	return opened;
}

/* Is there a reason why the service cannot be used, however long we wait? */
bool
gs_link_hopeless(const char **reason)
{
	if (!IsUnderPostmaster)
		*reason = "There is no service in single-user mode.";
	else if (!gs_service_possible())
		*reason = no_device_here;
	else if (gs_shared_attach() == GS_SHARED_UPGRADED)
		*reason = "gpuscan has been upgraded: the server must be restarted.";
	else
		return false;
	return true;
}

/*
 * Is there such a reason for functions over arrays, which a service without a
 * device does not serve, unless gpuscan.service_engine is cpu.
 */
bool
gs_link_hopeless_for_arrays(const char **reason)
{
	const gs_link *l = &gs_session_link;

	if (gs_link_hopeless(reason))
		return true;
	if (!gs_service_possible_for_arrays())
		*reason = no_device_here;
	else if (l->fd != PGINVALID_SOCKET && l->no_device[0] != '\0')
		*reason = l->no_device;
	else
		return false;
	return true;
}

/*
 * Has our request for a start been dropped, because another session stopped
 * the service since, or the supervisor ended?  The caller holds the lock.
 */
static bool
request_was_dropped(const gs_shared *s)
{
	return s->state != GS_SERVICE_RUNNING && s->state != GS_SERVICE_STARTING &&
		(!s->start || (s->supervisor == 0 && s->registered_at == 0));
}

/*
 * After a request for a start: wait until the service runs, or the request
 * must be repeated.  False, with the reason, if it will not run before
 * `until`.
 */
static bool
wait_for_service(TimestampTz asked_at, TimestampTz until, const char **reason)
{
	static char text[300];
	gs_shared  *s = gs_shared_get();
	bool		running = false;
	bool		dropped = false;
	bool		waiting = true;

	ConditionVariablePrepareToSleep(&s->changed);
	while (waiting)
	{
		TimestampTz now = GetCurrentTimestamp();

		LWLockAcquire(&s->lock, LW_SHARED);
		running = s->state == GS_SERVICE_RUNNING;
		if (running || now >= until)
			waiting = false;
		else if (s->state == GS_SERVICE_FAILED && !s->crashed)
			waiting = s->failed_at < asked_at && s->retry_at <= now;
		dropped = waiting && request_was_dropped(s);
		snprintf(text, sizeof(text), "%s",
				 s->state != GS_SERVICE_FAILED ? "The service is starting." :
				 s->reason);
		LWLockRelease(&s->lock);
		waiting = waiting && !dropped;
		if (waiting)
			ConditionVariableTimedSleep(&s->changed, 100,
										gs_wait_event(GS_WAIT_START));
	}
	ConditionVariableCancelSleep();
	*reason = text;
	return running || dropped;
}

/*
 * Make sure that the link is open.  If no service runs, request one and wait
 * for its start, no longer than wait_ms.  If the service cannot be used, set
 * the reason, a sentence.
 */
static gs_availability
acquire(bool arrays, int wait_ms, const char **reason)
{
	TimestampTz asked_at = 0;
	TimestampTz until = 0;
	int			attempts = 0;

	if (is_alive())
		return GS_AVAILABLE;
	if (arrays ? gs_link_hopeless_for_arrays(reason) : gs_link_hopeless(reason))
		return GS_UNAVAILABLE;
	if (gs_shared_attach() == GS_SHARED_NO_MEMORY)
	{
		*reason = "Not enough shared memory is left for gpuscan's service.";
		return GS_NO_SHARED_MEMORY;
	}
	while (!open_link(gs_response_timeout * 1000))
	{
		*reason = error;
		if (refusal == GS_REFUSED_VERSION || refusal == GS_REFUSED_USER ||
			refusal == GS_REFUSED_BUSY)
			return GS_UNAVAILABLE;
		if (attempts == 0)
		{
			/* from now on: a silent service has used up its time already */
			asked_at = GetCurrentTimestamp();
			until = TimestampTzPlusMilliseconds(asked_at, wait_ms);
		}
		if (gs_service_start() == GS_REQUEST_NO_WORKER)
		{
			*reason = gs_no_worker_left;
			return GS_NO_WORKER;
		}
		if (!wait_for_service(asked_at, until, reason))
			return GS_UNAVAILABLE;
		*reason = error;
		if (attempts > 0 && GetCurrentTimestamp() >= until)
			return GS_UNAVAILABLE;
		if (attempts++ > 0)
		{
			/* it "runs", but its end has not been noticed yet */
			CHECK_FOR_INTERRUPTS();
			pg_usleep(10000);
		}
	}
	return GS_AVAILABLE;
}

gs_availability
gs_link_acquire(int wait_ms, const char **reason)
{
	return acquire(false, wait_ms, reason);
}

/*
 * Acquire the link for functions over arrays.  Where there is no sign of a
 * device, no service is started.
 */
gs_availability
gs_link_acquire_for_arrays(bool wait, const char **reason)
{
	gs_availability available = acquire(true,
										wait ? gs_response_timeout * 1000 : 0,
										reason);

	if (available == GS_AVAILABLE && gs_session_link.no_device[0] != '\0' &&
		gs_link_hopeless_for_arrays(reason))
		return GS_UNAVAILABLE;
	return available;
}

/* Ask a running service a question; false if it does not answer. */
bool
gs_ask_service(void *question, gs_message kind, size_t size, void *answer,
			   gs_message answer_kind, size_t max)
{
	volatile bool answered = false;

	if (!is_alive() && !open_link(gs_response_timeout * 1000))
		return false;
	PG_TRY();
	{
		bool		got = gs_link_send(question, kind, size);

		/* WAITING may still be there for a report that has been given up */
		do
			got = got && gs_link_receive(answer, max, gs_response_timeout * 1000,
										 answer_kind) >= 0;
		while (got && ((gs_header *) answer)->kind == GS_MSG_WAITING);
		answered = got && ((gs_header *) answer)->kind == answer_kind;
	}
	PG_FINALLY();
	{
		/* a late answer must not be mistaken for another one's */
		if (!answered)
			gs_link_close();
	}
	PG_END_TRY();
	return answered;
}
