/*-------------------------------------------------------------------------
 *
 * report_shared.c
 *	  Many clients that make reports of the same tables at once.
 *
 *-------------------------------------------------------------------------
 */
#include <pthread.h>
#include <stdatomic.h>

#include "heap.h"

#define CLIENTS		6
#define ROUNDS		60
#define TABLES		3

static heap heaps[TABLES];
static _Atomic int wrong;
static _Atomic int64_t held;

/* Read a part, and go. */
static bool
leave(backend *b, heap *h)
{
	uint32_t	from = 0;
	bool		good = backend_begin(b, h, 7);

	backend_copy_map(b);
	good = good && backend_map(b, true) && backend_usable(b) &&
		backend_read(b, &from, 40);
	client_close(&b->r.c);
	client_open(&b->r.c);
	return good;
}

static bool
ask(client *c, gs_message kind, gs_message answer)
{
	gs_msg_list m = {.from = 0};

	client_send(c, &m, kind, kind == GS_MSG_LIST_COLUMNS ? sizeof m :
				sizeof m.header);
	return client_receive(c) == (uint32_t) answer;
}

static void *
be_client(void *argument)
{
	backend    *b = calloc(1, sizeof *b);
	int			number = (int) (intptr_t) argument;
	uint32_t	x = (uint32_t) number + 1;

	client_open(&b->r.c);
	for (int i = 0; i < ROUNDS; i++)
	{
		heap	   *h;
		bool		good;

		x = x * 1664525 + 1013904223;
		h = &heaps[x >> 8 & 3 ? 0 : 1 + (x >> 10) % (TABLES - 1)];
		if ((x >> 16) % 20 == 0)
			good = leave(b, h);
		else if ((x >> 16) % 20 == 1)
			good = ask(&b->r.c, GS_MSG_CLEAR, GS_MSG_CLEARED);
		else if ((x >> 16) % 20 == 2)
			good = ask(&b->r.c, GS_MSG_LIST_COLUMNS, GS_MSG_COLUMN_ENTRIES);
		else
			good = backend_report(b, h, (x >> 24) % 8);
		held += b->held.usable;
		wrong += !good;
	}
	client_close(&b->r.c);
	free(b);
	return NULL;
}

static void
run_clients(const char *where)
{
	pthread_t	thread[CLIENTS];

	wrong = 0;
	held = 0;
	for (int i = 0; i < TABLES; i++)
		heap_init(&heaps[i], 7000 + (uint32_t) i, 100 + 70 * (uint32_t) i);
	for (int i = 0; i < CLIENTS; i++)
		pthread_create(&thread[i], NULL, be_client, (void *) (intptr_t) i);
	for (int i = 0; i < CLIENTS; i++)
		pthread_join(thread[i], NULL);
	check(wrong == 0 && held > 0,
		  "%d clients at once, %s: %d wrong reports, %lld held pages used",
		  CLIENTS, where, wrong, (long long) held);
	check(service_is_idle(), "that vanish and come back");
}

void
test_report_shared(void)
{
	run_clients("with memory for all tables");
}

/* Clients whose tables drive each other out of the cache. */
void
test_report_shared_little(void)
{
	char	   *little[] = {"--cache-size=60kB", NULL};
	service		s;

	service_start(&s, little);
	run_clients("with little memory");
	service_end(&s, 15);
}

/* The same, with values on the host. */
void
test_report_shared_tiers(void)
{
	char	   *tiers[] = {"--cache-size=60kB", "--host-cache-size=40kB",
	"--devices=0,0", NULL};
	service		s;

	service_start(&s, tiers);
	run_clients("with little memory in two tiers");
	service_end(&s, 15);
}
