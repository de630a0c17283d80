/*-------------------------------------------------------------------------
 *
 * report_devices.c
 *	  What several devices do for a report at the same time.
 *
 * One of them is worked on by the caller's thread, which would only wait otherwise,
 * each other one by a thread of its own.  To begin a thread, or to wake one up, may take
 * as long as a device needs for a report.  So threads stay, for whatever connection
 * needs one next, and spin for a while before they sleep: a report has several such
 * pieces of work.
 *
 *-------------------------------------------------------------------------
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "service/report_state.h"

typedef struct piece
{
	gs_connection *c;
	int			device;
	void		(*work) (void *state, int device);
	void	   *state;
	bool		given;			/* to a worker */
	sem_t		done;			/* the last that the worker has to do with this */
} piece;

typedef struct worker
{
	struct worker *next;		/* in `idle` */
	_Atomic(piece *) piece;
	sem_t		ready;			/* there is a piece, or will be soon */
} worker;

static worker *idle = NULL;		/* the last that has become it */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* False: it has not come so soon. */
static bool
spin(sem_t *semaphore)
{
	int64_t		end = gs_monotonic_ns() + GS_SPIN_NS;

	while (sem_trywait(semaphore) != 0)
	{
		if (gs_monotonic_ns() >= end)
			return false;
		(void) sched_yield();	/* who has no processor of its own needs this one */
	}
	return true;
}

static void
wait_for(sem_t *semaphore)
{
	if (spin(semaphore))
		return;
	while (sem_wait(semaphore) != 0)
		;						/* a signal has interrupted it */
}

static void
work_on(const piece *p)
{
	gs_execution_own(p->c);
	gs_device_use(p->device);
	p->work(p->state, p->device);
}

static void *
worker_main(void *argument)
{
	worker	   *w = argument;

	for (;;)
	{
		piece	   *p;

		wait_for(&w->ready);
		p = atomic_exchange(&w->piece, NULL);
		if (p == NULL)
			continue;
		work_on(p);
		pthread_mutex_lock(&lock);
		w->next = idle;
		idle = w;
		pthread_mutex_unlock(&lock);
		sem_post(&p->done);
	}
	return NULL;				/* never */
}

/* NULL: there cannot be one more. */
static worker *
begin_worker(void)
{
	worker	   *w = calloc(1, sizeof *w);
	pthread_t	thread;

	if (w == NULL)
		return NULL;
	sem_init(&w->ready, 0, 0);
	if (pthread_create(&thread, NULL, worker_main, w) != 0)
	{
		sem_destroy(&w->ready);
		free(w);
		return NULL;
	}
	(void) pthread_detach(thread);
	return w;
}

static bool
give(piece *p)
{
	worker	   *w;

	pthread_mutex_lock(&lock);
	w = idle;
	if (w != NULL)
		idle = w->next;
	pthread_mutex_unlock(&lock);
	if (w == NULL)
		w = begin_worker();
	if (w == NULL)
		return false;
	sem_init(&p->done, 0, 0);
	atomic_store(&w->piece, p);
	sem_post(&w->ready);
	return true;
}

/*
 * Workers that have fallen asleep wake up, which may take longer than it does until they
 * are needed.
 */
void
gs_report_wake(int devices)
{
	if (devices < 2)
		return;
	pthread_mutex_lock(&lock);
	for (worker *w = idle; w != NULL && devices > 1; w = w->next, devices--)
		sem_post(&w->ready);
	pthread_mutex_unlock(&lock);
}

/*
 * Wait for a worker, and tell the client that there is progress.  The devices have about
 * the same to do, so spin first.
 */
static void
await(piece *p, int64_t *told, atomic_bool *gone)
{
	struct timespec until;
	bool		done = spin(&p->done);

	while (!done)
	{
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += GS_WAITING_MS * 1000000L;
		until.tv_sec += until.tv_nsec / 1000000000L;
		until.tv_nsec %= 1000000000L;
		if (!atomic_load(gone) && !gs_report_tell_progress(p->c, told))
			atomic_store(gone, true);
		done = sem_timedwait(&p->done, &until) == 0;
	}
	sem_destroy(&p->done);
}

/*
 * Work on these devices (bits), at the same time.  *gone is set once the client
 * has gone; while the caller works, gs_report_progress tells it.
 */
void
gs_report_on_devices(gs_connection *c, uint32_t devices,
					 void (*work) (void *state, int device), void *state,
					 int64_t *told, atomic_bool *gone)
{
	piece		pieces[GS_DEVICES_MAX];
	int			n = 0;

	for (; devices != 0; devices &= devices - 1)
	{
		piece	   *p = &pieces[n++];
		bool		is_last = (devices & (devices - 1)) == 0;

		*p = (piece) {
			.c = c, .device = __builtin_ctz(devices), .work = work, .state = state
		};
		p->given = !is_last && give(p);
		if (!p->given)
			work_on(p);
	}
	for (int i = 0; i < n; i++)
	{
		if (pieces[i].given)
			await(&pieces[i], told, gone);
	}
}
