/*-------------------------------------------------------------------------
 *
 * threads.c
 *	  Threads that help the caller's.
 *
 * They are started for one piece of work, and end with it.  All executions
 * share gs_engine_threads.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

#include <signal.h>
#include <stdatomic.h>

int			gs_engine_threads = 1;

/* Vectors of a tile of a plan are on the stack, some at a time. */
#define STACK_SIZE		(512 * 1024)

/* Helpers of all executions. */
static _Atomic int helpers_busy;

int
gs_cpu_take_helpers(int wanted)
{
	int			busy = atomic_load(&helpers_busy);
	int			taken;

	if (gs_engine_pause != NULL)
		return 0;
	do
	{
		taken = gs_engine_threads - 1 - busy;
		if (taken > wanted)
			taken = wanted;
		if (taken <= 0)
			return 0;
	} while (!atomic_compare_exchange_weak(&helpers_busy, &busy, busy + taken));
	return taken;
}

void
gs_cpu_give_helpers(int taken)
{
	atomic_fetch_sub(&helpers_busy, taken);
}

static void *
help(void *argument)
{
	const cpu_helper *helper = argument;
	const cpu_helpers *all = helper->all;

	gs_engine_owner = all->owner;
	all->work(all->state, (int) (helper - all->helper));
	return NULL;
}

void
gs_cpu_start_helpers(cpu_helpers *h, int wanted,
					 void (*work) (void *state, int helper), void *state)
{
	pthread_attr_t attributes;
	sigset_t	all;
	sigset_t	before;

	h->n = 0;
	h->work = work;
	h->state = state;
	h->owner = gs_engine_owner;
	if (wanted <= 0 || pthread_attr_init(&attributes) != 0)
		return;
	(void) pthread_attr_setstacksize(&attributes, STACK_SIZE);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (; h->n < wanted; h->n++)
	{
		cpu_helper *helper = &h->helper[h->n];

		helper->all = h;
		if (pthread_create(&helper->thread, &attributes, help, helper) != 0)
			break;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
}

void
gs_cpu_join_helpers(cpu_helpers *h)
{
	for (int i = 0; i < h->n; i++)
		pthread_join(h->helper[i].thread, NULL);
}
