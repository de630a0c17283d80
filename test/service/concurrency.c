/*-------------------------------------------------------------------------
 *
 * concurrency.c
 *	  Many clients at once, with staging memory for two.
 *
 *-------------------------------------------------------------------------
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "harness.h"

#define CLIENTS		12
#define ROUNDS		30
#define MAX_N		30000

static _Atomic int wrong;
static _Atomic int answered;

/*
 * A scan of n elements, all 1: to the end or, if `leave` is not negative, for
 * so many feeds.
 */
static bool
scan(client *c, int64_t n, int leave)
{
	gs_msg_begin begin = {.op = {.kind = GS_SCAN_SUM, .type = GS_INT4},
	.n = n, .lanes = 3};
	gs_msg_granted grant;
	gs_header	empty;
	int64_t		fed = 0;

	client_send(c, &begin, GS_MSG_BEGIN, sizeof begin);
	if (client_receive(c) != GS_MSG_GRANTED)
		return false;
	memcpy(&grant, c->buffer, sizeof grant);
	while (fed < n && leave-- != 0)
	{
		int32_t    *in = (int32_t *) client_slot(c, grant.input[0]);
		int64_t    *out = (int64_t *) client_slot(c, grant.output[0]);
		gs_msg_feed feed = {0};

		feed.n = n - fed < 4096 ? n - fed : 4096;
		feed.present = feed.n;
		for (int64_t i = 0; i < feed.n; i++)
			in[i] = 1;
		client_send(c, &feed, GS_MSG_FEED, sizeof feed);
		if (client_receive(c) != GS_MSG_DONE || out[0] != fed + 1 ||
			out[feed.n - 1] != fed + feed.n)
			return false;
		fed += feed.n;
	}
	if (fed < n)
		return true;			/* and the connection is closed */
	client_send(c, &empty, GS_MSG_FINISH, sizeof empty);
	if (client_receive(c) != GS_MSG_RESULT)
		return false;
	client_send(c, &empty, GS_MSG_END, sizeof empty);
	answered++;
	return true;
}

static void *
be_client(void *argument)
{
	client	   *c = malloc(sizeof *c);
	int			number = (int) (intptr_t) argument;

	client_open(c);
	for (int i = 0; i < ROUNDS; i++)
	{
		int			leave = (i + number) % 5 == 0 ? i % 3 : -1;

		if (!scan(c, 1 + (number * 7919 + i * 104729) % MAX_N, leave))
			wrong++;
		if (leave >= 0)
		{
			client_close(c);
			client_open(c);
		}
	}
	client_close(c);
	free(c);
	return NULL;
}

void
test_concurrency(void)
{
	pthread_t	thread[CLIENTS];

	for (int i = 0; i < CLIENTS; i++)
		pthread_create(&thread[i], NULL, be_client, (void *) (intptr_t) i);
	for (int i = 0; i < CLIENTS; i++)
		pthread_join(thread[i], NULL);
	check(wrong == 0 && answered > CLIENTS * ROUNDS / 2,
		  "%d clients at once, %d scans", CLIENTS, answered);
	check(service_is_idle(), "that vanish and come back");
}
