/*-------------------------------------------------------------------------
 *
 * report_admission.c
 *	  Which reports have memory for what they compute, and who waits for it.
 *
 * Nobody knows before how much an execution will need, so all begin.  One that finds
 * too little ends, giving back what it has, and joins a queue.  The first in the queue
 * begins again once all have ended that had memory then, and keeps its place until it
 * has ended itself.  So what lacks memory runs one after the other, while others,
 * small ones most of them, pass.  Who waits has none but what the next stage reads, and
 * nobody waits for that: there is no deadlock.
 *
 *-------------------------------------------------------------------------
 */
#include <pthread.h>
#include <time.h>

#include "service/report_state.h"

/* So long after it first found too little, an execution does not wait any more. */
#define PATIENCE_US		INT64_C(3000000)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* under the lock: those that have memory or are in the queue, in its order */
static gs_admission *first;
static gs_admission *last;
static int64_t now;				/* grows with each execution, and each lack */

static void
join(gs_admission *a)
{
	a->before = last;
	a->after = NULL;
	*(last != NULL ? &last->after : &first) = a;
	last = a;
}

static void
leave(gs_admission *a)
{
	*(a->before != NULL ? &a->before->after : &first) = a->after;
	*(a->after != NULL ? &a->after->before : &last) = a->before;
}

/* An execution may have memory from now on. */
void
gs_admission_begin(gs_admission *a)
{
	pthread_mutex_lock(&lock);
	if (a->began == 0 && a->until == 0)
		join(a);
	a->began = ++now;
	pthread_mutex_unlock(&lock);
}

/* It has none any more, and needs none. */
void
gs_admission_end(gs_admission *a)
{
	pthread_mutex_lock(&lock);
	if (a->began != 0 || a->until != 0)
		leave(a);
	a->began = a->until = 0;
	pthread_mutex_unlock(&lock);
}

/* Who lacks memory joins the queue, or stays there; returns when that was. */
static int64_t
lack(gs_admission *a)
{
	int64_t		since;

	pthread_mutex_lock(&lock);
	if (a->until == 0)
	{
		if (a->began != 0)
			leave(a);
		join(a);
		a->until = gs_now_us(CLOCK_MONOTONIC) + PATIENCE_US;
	}
	a->began = 0;
	since = ++now;
	pthread_mutex_unlock(&lock);
	return since;
}

/* Is there another to wait for, that had memory then, or is before it in the queue? */
static bool
must_wait(const gs_admission *a, int64_t since)
{
	bool		must = false;
	bool		before = true;

	pthread_mutex_lock(&lock);
	for (const gs_admission *b = first; b != NULL && !must; b = b->after)
	{
		before &= b != a;
		must = (b->began != 0 && b->began < since) || (b->until != 0 && before);
	}
	pthread_mutex_unlock(&lock);
	return must;
}

/*
 * An execution has found too little memory, and has given back what it had: wait for
 * others.  `waits` is called meanwhile, and tells whether anybody still waits for it.
 * False: nobody does, there are no others, or it has waited for too long.
 */
bool
gs_admission_await(gs_admission *a, bool (*waits) (void))
{
	const struct timespec pause = {.tv_nsec = 1000000};
	int64_t		since = lack(a);

	if (!must_wait(a, since))
		return false;
	while (gs_now_us(CLOCK_MONOTONIC) < a->until && waits())
	{
		nanosleep(&pause, NULL);
		if (!must_wait(a, since))
			return true;
	}
	return false;
}
