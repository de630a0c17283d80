/*-------------------------------------------------------------------------
 *
 * parallel_copy.c
 *	  Copying and touching large memory with several threads.
 *
 * One thread copies 12 GB/s where four copy 42.  One thread touches memory for
 * the first time, which makes the kernel clear it, at 4.5 GB/s where four do
 * at 16.  So a session with much to move gets helpers:
 *
 *		the first large copy of a transaction starts the threads,
 *		each job is cut into pieces, which they and the caller take in turn,
 *		the caller returns when all pieces are done,
 *		the end of the transaction ends the threads.
 *
 * The threads know nothing of PostgreSQL.  They call none of its functions,
 * own no memory, and block all signals, so that every signal reaches the
 * backend's own thread.  Whenever that thread runs PostgreSQL code, which may
 * throw an error or exit, there is no job and the threads are waiting.  So
 * they can be ended at any such moment, and an exiting backend has to wait for
 * nothing.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "access/xact.h"

#include "array/parallel_copy.h"
#include "pg/settings.h"

/*
 * Below this size, waking a thread takes as long as the time it saves: 80 us.
 */
#define SHARED_SIZE		(1024 * 1024)

/* A piece of a copy: 20 us, so that a thread that wakes late takes fewer. */
#define COPY_PIECE		(256 * 1024)

/* Plenty for a memcpy, plus thread-local storage. */
#define STACK_SIZE		(256 * 1024)

/* A copy, or a first touch if `from` is NULL. */
typedef struct job
{
	char	   *to;
	const char *from;
	size_t		size;
	size_t		piece;			/* a power of two; pieces end on multiples */
} job;

/* The threads that are running; only the backend's own thread changes this. */
static int	threads;
static pthread_t thread[GS_COPY_THREADS_MAX - 1];
static bool start_failed;		/* do not retry in this transaction */

/* The lock protects the rest. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;	/* to threads: work or
														 * end */
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;	/* unfinished is 0 */
static bool ending;
static job	current;
static size_t handed_out;		/* bytes of the job handed out */
static int	unfinished;			/* pieces in progress */

/* Take the next piece of the job; false if there is none left. */
static bool
take_piece(job *piece)
{
	uintptr_t	start = (uintptr_t) current.to + handed_out;
	uintptr_t	end;

	/* so it is, too, before the first job, which has no size of pieces yet */
	if (handed_out == current.size)
		return false;
	end = (start / current.piece + 1) * current.piece;
	piece->to = (char *) start;
	piece->from = current.from == NULL ? NULL : current.from + handed_out;
	piece->size = Min(end - start, current.size - handed_out);
	handed_out += piece->size;
	unfinished++;
	return true;
}

static void
do_piece(const job *piece)
{
	static const size_t page = 4096;	/* the smallest of any system */

	if (piece->from != NULL)
	{
		memcpy(piece->to, piece->from, piece->size);
		return;
	}
	for (size_t i = 0; i < piece->size; i += page)
		*(volatile char *) (piece->to + i) = 0;
}

/* Do pieces until there are none left.  Called and left with the lock held. */
static void
work(void)
{
	job			piece;

	while (take_piece(&piece))
	{
		pthread_mutex_unlock(&lock);
		do_piece(&piece);
		pthread_mutex_lock(&lock);
		if (--unfinished == 0)
			pthread_cond_signal(&done);
	}
}

static void *
thread_main(void *argument pg_attribute_unused())
{
	pthread_mutex_lock(&lock);
	while (!ending)
	{
		work();
		if (!ending)
			pthread_cond_wait(&wake, &lock);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void
stop_threads(void)
{
	pthread_mutex_lock(&lock);
	ending = true;
	pthread_cond_broadcast(&wake);
	pthread_mutex_unlock(&lock);
	while (threads > 0)
		pthread_join(thread[--threads], NULL);
	ending = false;
}

static void
end_of_transaction(XactEvent event, void *argument pg_attribute_unused())
{
	switch (event)
	{
		case XACT_EVENT_COMMIT:
		case XACT_EVENT_PARALLEL_COMMIT:
		case XACT_EVENT_ABORT:
		case XACT_EVENT_PARALLEL_ABORT:
		case XACT_EVENT_PREPARE:
			if (threads > 0)
				stop_threads();
			start_failed = false;
			break;
		default:
			break;
	}
}

/* Start threads until there are `wanted`, or as many as possible. */
static void
start_threads(int wanted)
{
	static bool registered = false;
	pthread_attr_t attributes;
	sigset_t	all;
	sigset_t	before;

	if (!registered)
		RegisterXactCallback(end_of_transaction, NULL);
	registered = true;
	if (pthread_attr_init(&attributes) != 0)
		return;
	(void) pthread_attr_setstacksize(&attributes, STACK_SIZE);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (threads < wanted && !start_failed)
	{
		if (pthread_create(&thread[threads], &attributes, thread_main,
						   NULL) == 0)
			threads++;
		else
			start_failed = true;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
}

/* How many threads, the backend's own among them, share large copies? */
int
gs_copy_threads(void)
{
	static int	by_cores = 0;

	if (gs_copy_threads_setting >= 0)
		return Max(gs_copy_threads_setting, 1);
	if (by_cores == 0)
		by_cores = Max(1, Min(sysconf(_SC_NPROCESSORS_ONLN) / 2,
							  GS_COPY_THREADS_MAX));
	return by_cores;
}

/* Do a job together with the threads; returns when it is done. */
static void
share(const job *j)
{
	pthread_mutex_lock(&lock);
	current = *j;
	handed_out = 0;
	pthread_cond_broadcast(&wake);
	work();
	while (unfinished > 0)
		pthread_cond_wait(&done, &lock);
	pthread_mutex_unlock(&lock);
}

/* memcpy, by several threads if that pays. */
void
gs_copy(void *to, const void *from, size_t size)
{
	job			j = {to, from, size, COPY_PIECE};
	int			wanted = gs_copy_threads() - 1;

	if (size >= SHARED_SIZE && threads < wanted)
		start_threads(wanted);
	if (size >= SHARED_SIZE && threads > 0)
		share(&j);
	else if (size > 0)
		memcpy(to, from, size);
}

/*
 * Touch memory that has not been written to yet.  Pieces are huge pages: two
 * threads that touch the same one at the same time would both clear it.
 */
void
gs_touch(void *memory, size_t size)
{
	job			j = {memory, NULL, size, GS_HUGE_PAGE};
	int			wanted = gs_copy_threads() - 1;

	if (threads < wanted)
		start_threads(wanted);
	if (threads > 0)
		share(&j);
}
