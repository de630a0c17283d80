/*-------------------------------------------------------------------------
 *
 * loads.c
 *	  Invalid LOADs.
 *
 *-------------------------------------------------------------------------
 */
#include <pthread.h>

#include "cache.h"
#include "test/common/random.h"

static client c;

/* LOADs that must be refused. */
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
		{"more than fit a slot", {.n = 1 << 20, .present = 1 << 20}},
		{"part of a block", {.n = 1000, .present = 1000}},
		{"NULLs that are not announced", {.n = 4096, .present = 4095}},
		{"more values than elements", {.n = 4096, .present = 4097}},
		{"a lane that is not granted", {.n = 4096, .present = 4096, .lane = 2}},
		{"a negative lane", {.n = 4096, .present = 4096, .lane = -1}},
		{"an argument that there is not",
		{.n = 4096, .present = 4096, .argument = GS_MASK}},
		{"an argument out of range",
		{.n = 4096, .present = 4096, .argument = 33}},
		{"a negative argument", {.n = 4096, .present = 4096, .argument = -1}},
	};
	gs_toast_id fresh = some;
	gs_msg_load valid = {.n = 4096, .present = 4096};
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
	client_send(&c, &valid, GS_MSG_LOAD, sizeof valid);
	check(client_receive(&c) == GS_MSG_REFUSED, "LOAD outside a request");
	client_reopen(&c);
	check(is_loaded(&c, &fresh, 5) && is_cached(&c, &fresh, 5), "two sums");
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

/* Bitmaps and masks that must be refused. */
static void
test_hostile_data(void)
{
	static const gs_argument arguments[] = {
		{.max_values = -1, .nulls = 1},
		{.max_values = N + 1, .nulls = 1},
		{.max_values = N, .nulls = 2},
		{.max_values = N - 1, .nulls = 0},
		{.max_values = INT64_MAX, .nulls = 1},
	};
	gs_msg_begin begin = {.op = {.kind = GS_COMPACT, .type = GS_INT4}, .n = N,
	.lanes = 1};
	gs_msg_load m = {.n = 4096, .present = 2048};
	const gs_msg_granted *grant = (const gs_msg_granted *) c.buffer;
	bool		refused = true;
	char	   *slot;

	begin.argument[GS_DATA].toast_id = some;
	begin.argument[GS_DATA].toast_id.value = 78;
	begin.argument[GS_MASK].max_values = N;
	for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
	{
		gs_toast_id id = begin.argument[GS_DATA].toast_id;

		begin.argument[GS_DATA] = arguments[i];
		begin.argument[GS_DATA].toast_id = id;
		client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
		refused = refused && client_receive(&c) == GS_MSG_REFUSED;
		client_reopen(&c);
	}
	check(refused, "BEGIN with arguments out of range");

	begin.argument[GS_DATA].max_values = 5000;
	begin.argument[GS_DATA].nulls = 1;
	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	check(client_receive(&c) == GS_MSG_GRANTED && grant->cached &&
		  grant->load == 3,
		  "an array with NULLs, and a mask that is not toasted");
	slot = client_slot(&c, grant->input[0]);
	memset(slot, 1, SLOT_SIZE);
	memset(slot + 2048 * 4, 0x55, 512);
	slot[2048 * 4 + 17] = 0x5d;
	client_send(&c, &m, GS_MSG_LOAD, sizeof m);
	check(client_receive(&c) == GS_MSG_REFUSED,
		  "LOAD with another number of bits than values");
	client_reopen(&c);

	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	client_receive(&c);
	slot = client_slot(&c, grant->input[0]);
	memset(slot, 1, SLOT_SIZE);
	slot[100] = 2;
	m.present = 4096;
	m.argument = GS_MASK;
	client_send(&c, &m, GS_MSG_LOAD, sizeof m);
	check(client_receive(&c) == GS_MSG_REFUSED, "LOAD of a mask with a 2");
	client_reopen(&c);
}

/* A FEED before both arrays of positions are loaded, and too much of either. */
static void
test_hostile_places(void)
{
	static const gs_msg_load wrong[] = {
		{.n = 2048, .present = 2048, .argument = GS_DATA},
		{.n = 6144, .present = 6144, .argument = GS_MASK},
		{.n = 4096, .present = 4095, .argument = GS_MASK},
	};
	gs_msg_begin begin = {.op = {.kind = GS_TAKE, .type = GS_INT4,
	.mask.type = GS_INT2, .mask.elements = 5000}, .n = 1000, .lanes = 1,
	.argument = {{.max_values = 1000}, {.max_values = 5000}}};
	gs_msg_load data = {.n = 1000, .present = 1000};
	gs_msg_feed feed = {.n = 1000};
	bool		refused = true;

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
	{
		gs_msg_load m = wrong[i];

		client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
		client_receive(&c);
		client_send(&c, &m, GS_MSG_LOAD, sizeof m);
		refused = refused && client_receive(&c) == GS_MSG_REFUSED;
		client_reopen(&c);
	}
	check(refused, "LOAD of more than an array has");
	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	client_receive(&c);
	client_send(&c, &data, GS_MSG_LOAD, sizeof data);
	client_receive(&c);
	client_send(&c, &feed, GS_MSG_FEED, sizeof feed);
	check(client_receive(&c) == GS_MSG_REFUSED,
		  "FEED without the array that positions are of");
	client_reopen(&c);
}

/* An array whose every other element is NULL, and which one LOAD takes. */
#define HALF_N		15360
#define HALF_BITS	((HALF_N + 7) / 8)

static _Atomic bool scribbling;
static _Atomic bool scribbled;

/* Bits that keep changing; most of the time they match the message. */
static void *
scribble(void *bits)
{
	while (scribbling)
	{
		memset(bits, 0x55, HALF_BITS);
		for (volatile uint64_t i = random_bits() % 20000; i > 0; i--)
			;
		memset(bits, 0xff, HALF_BITS);
		for (volatile uint64_t i = random_bits() % 2000; i > 0; i--)
			;
		scribbled = true;
	}
	return NULL;
}

/* All results of a scan of a cached array; false on failure. */
static bool
scan_cached(client *with, int64_t elements)
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

/* A bitmap that changes after it was counted is not cached. */
static void
test_scribbling(void)
{
	gs_msg_begin begin = {.op = {.kind = GS_SCAN_SUM, .type = GS_INT4},
	.n = HALF_N, .lanes = 1};
	int			loaded = 0;
	int			silent = 0;

	begin.argument[GS_DATA].toast_id = some;
	begin.argument[GS_DATA].max_values = HALF_N / 2;
	begin.argument[GS_DATA].nulls = 1;
	/* until one at least was not refused */
	for (int i = 0; i < 100 || (loaded == 0 && i < 2000); i++)
	{
		const gs_msg_granted *grant = (const gs_msg_granted *) c.buffer;
		gs_msg_load m = {.n = HALF_N, .present = HALF_N / 2};
		int64_t		elements;
		pthread_t	thread;
		uint32_t	kind;

		begin.argument[GS_DATA].toast_id.value = 1000 + (uint32_t) i;
		client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
		client_receive(&c);
		elements = grant->elements;
		scribbling = true;
		scribbled = false;
		pthread_create(&thread, NULL, scribble,
					   client_slot(&c, grant->input[0]) +
					   HALF_N / 2 * sizeof(int32_t));
		/* a LOAD before the first change would prove nothing */
		while (!scribbled)
			;
		client_send(&c, &m, GS_MSG_LOAD, sizeof m);
		kind = client_receive(&c);
		scribbling = false;
		pthread_join(thread, NULL);
		loaded += kind == GS_MSG_LOADED;
		silent += kind != GS_MSG_LOADED && kind != GS_MSG_REFUSED;
		silent += kind == GS_MSG_LOADED && !scan_cached(&c, elements);
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
	test_hostile_places();
	test_scribbling();
	client_close(&c);
	check(service_is_idle(), "everything is released");
}
