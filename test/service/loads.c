/*-------------------------------------------------------------------------
 *
 * loads.c
 *	  Loads of stored values that are not what they should be.
 *
 *-------------------------------------------------------------------------
 */
#include <pthread.h>

#include "cache.h"

static client c;

/* What LOAD may not be. */
static void
test_hostile_loads(void)
{
	static const struct
	{
		const char *name;
		gs_msg_load load;
	}			wrong[] = {
		{"no element", {.n = 0}},
		{"a negative number", {.n = -1024, .present = -1024}},
		{"more than there are", {.n = N + 1024, .present = N + 1024}},
		{"more than fit a chunk", {.n = 1 << 20, .present = 1 << 20}},
		{"part of a block", {.n = 1000, .present = 1000}},
		{"NULLs that are not announced", {.n = 4096, .present = 4095}},
		{"more values than elements", {.n = 4096, .present = 4097}},
		{"a slot that is not lent", {.n = 4096, .present = 4096, .slot = 2}},
		{"a negative slot", {.n = 4096, .present = 4096, .slot = -1}},
		{"an argument that there is not",
		{.n = 4096, .present = 4096, .argument = GS_MASK}},
		{"an argument out of range",
		{.n = 4096, .present = 4096, .argument = 33}},
		{"a negative argument", {.n = 4096, .present = 4096, .argument = -1}},
	};
	gs_stored	fresh = some;
	gs_msg_load sound = {.n = 4096, .present = 4096};
	gs_msg_feed feed = {.n = 4096, .present = 4096};
	gs_header	finish;

	fresh.value = 77;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
	{
		gs_msg_load m = wrong[i].load;

		begin_sum(&c, &fresh, N, false);
		client_send(&c, &m, GS_MSG_LOAD, sizeof m);
		check(client_receive(&c) == GS_MSG_REFUSED, "LOAD of %s",
			  wrong[i].name);
		client_reopen(&c);
	}
	client_send(&c, &sound, GS_MSG_LOAD, sizeof sound);
	check(client_receive(&c) == GS_MSG_REFUSED, "LOAD outside a request");
	client_reopen(&c);
	check(is_loaded(&c, &fresh, 5) && is_kept(&c, &fresh, 5), "two sums");
	client_send(&c, &finish, GS_MSG_END, sizeof finish);
	check(client_receive(&c) == GS_MSG_REFUSED, "END behind a sum");
	fresh.value++;
	client_reopen(&c);
	begin_sum(&c, &fresh, N, false);
	client_send(&c, &feed, GS_MSG_FEED, sizeof feed);
	check(client_receive(&c) == GS_MSG_REFUSED, "FEED before LOAD");
	client_reopen(&c);
	begin_sum(&c, &fresh, N, false);
	client_send(&c, &finish, GS_MSG_FINISH, sizeof finish);
	check(client_receive(&c) == GS_MSG_REFUSED, "FINISH before LOAD");
	client_reopen(&c);
}

/* What a bitmap and a mask may not be. */
static void
test_hostile_data(void)
{
	static const gs_argument arguments[] = {
		{.most = -1, .nulls = 1},
		{.most = N + 1, .nulls = 1},
		{.most = N, .nulls = 2},
		{.most = N - 1, .nulls = 0},
		{.most = INT64_MAX, .nulls = 1},
	};
	gs_msg_begin begin = {.op = {.kind = GS_COMPACT, .type = GS_INT4}, .n = N,
	.slots = 1};
	gs_msg_load m = {.n = 4096, .present = 2048};
	const gs_msg_lent *lent = (const gs_msg_lent *) c.buffer;
	bool		refused = true;
	char	   *room;

	begin.argument[GS_DATA].stored = some;
	begin.argument[GS_DATA].stored.value = 78;
	begin.argument[GS_MASK].most = N;
	for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
	{
		gs_stored	stored = begin.argument[GS_DATA].stored;

		begin.argument[GS_DATA] = arguments[i];
		begin.argument[GS_DATA].stored = stored;
		client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
		refused = refused && client_receive(&c) == GS_MSG_REFUSED;
		client_reopen(&c);
	}
	check(refused, "BEGIN with arguments out of range");

	begin.argument[GS_DATA].most = 5000;
	begin.argument[GS_DATA].nulls = 1;
	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	check(client_receive(&c) == GS_MSG_LENT && lent->resident &&
		  lent->load == 3, "an array with NULLs, and a mask without a name");
	room = client_chunk(&c, lent->input[0]);
	memset(room, 1, CHUNK_SIZE);
	memset(room + 2048 * 4, 0x55, 512);
	room[2048 * 4 + 17] = 0x5d;
	client_send(&c, &m, GS_MSG_LOAD, sizeof m);
	check(client_receive(&c) == GS_MSG_REFUSED,
		  "LOAD with another number of bits than values");
	client_reopen(&c);

	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	client_receive(&c);
	room = client_chunk(&c, lent->input[0]);
	memset(room, 1, CHUNK_SIZE);
	room[100] = 2;
	m.present = 4096;
	m.argument = GS_MASK;
	client_send(&c, &m, GS_MSG_LOAD, sizeof m);
	check(client_receive(&c) == GS_MSG_REFUSED, "LOAD of a mask with a 2");
	client_reopen(&c);
}

/* An array with NULLs, every other one, that one LOAD takes. */
#define HALF_N		15360
#define HALF_BITS	((HALF_N + 7) / 8)

static _Atomic bool scribbling;
static _Atomic bool scribbled;

/* Bits change all the time; most of the time they are what is announced. */
static void *
scribble(void *bits)
{
	while (scribbling)
	{
		memset(bits, 0x55, HALF_BITS);
		for (volatile uint64_t i = random_next() % 20000; i > 0; i--)
			;
		memset(bits, 0xff, HALF_BITS);
		for (volatile uint64_t i = random_next() % 2000; i > 0; i--)
			;
		scribbled = true;
	}
	return NULL;
}

/* All results of a scan that is resident; false if there are none. */
static bool
take_scan(client *with, int64_t elements)
{
	const gs_msg_done *done = (const gs_msg_done *) with->buffer;

	for (int64_t at = 0; at < HALF_N; at += elements)
	{
		gs_msg_feed feed = {.n = HALF_N - at < elements ? HALF_N - at :
		elements};

		client_send(with, &feed, GS_MSG_FEED, sizeof feed);
		if (client_receive(with) != GS_MSG_DONE ||
			done->outcome.status != GS_OK)
			return false;
	}
	return true;
}

/* A bitmap that changes after it was counted does not become a copy. */
static void
test_scribbling(void)
{
	gs_msg_begin begin = {.op = {.kind = GS_SCAN_SUM, .type = GS_INT4},
	.n = HALF_N, .slots = 1};
	int			loaded = 0;
	int			silent = 0;

	begin.argument[GS_DATA].stored = some;
	begin.argument[GS_DATA].most = HALF_N / 2;
	begin.argument[GS_DATA].nulls = 1;
	for (int i = 0; i < 200; i++)
	{
		const gs_msg_lent *lent = (const gs_msg_lent *) c.buffer;
		gs_msg_load m = {.n = HALF_N, .present = HALF_N / 2};
		int64_t		elements;
		pthread_t	thread;
		uint32_t	kind;

		begin.argument[GS_DATA].stored.value = 1000 + (uint32_t) i;
		client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
		client_receive(&c);
		elements = lent->elements;
		scribbling = true;
		scribbled = false;
		pthread_create(&thread, NULL, scribble, client_chunk(&c, lent->input[0]) +
					   HALF_N / 2 * sizeof(int32_t));
		/* a LOAD before the first change would say nothing */
		while (!scribbled)
			;
		client_send(&c, &m, GS_MSG_LOAD, sizeof m);
		kind = client_receive(&c);
		scribbling = false;
		pthread_join(thread, NULL);
		loaded += kind == GS_MSG_LOADED;
		silent += kind != GS_MSG_LOADED && kind != GS_MSG_REFUSED;
		silent += kind == GS_MSG_LOADED && !take_scan(&c, elements);
		client_reopen(&c);
	}
	check(loaded > 0 && silent == 0, "LOAD of a bitmap that changes");
}

void
test_loads(void)
{
	client_open(&c);
	test_hostile_loads();
	test_hostile_data();
	test_scribbling();
	client_close(&c);
	check(service_is_idle(), "all is given back");
}
