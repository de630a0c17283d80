/*-------------------------------------------------------------------------
 *
 * valid_requests.c
 *	  Valid requests are answered as the CPU engine answers them.
 *
 *-------------------------------------------------------------------------
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/elements.h"
#include "harness.h"
#include "test/common/random.h"

#define MAX_N	20000			/* elements */

static client c;
static int32_t values[MAX_N];
static int64_t expected[MAX_N];
static int64_t counts[MAX_N];

/* Compute a running sum of the values directly. */
static void
expect_sums(int64_t n)
{
	int64_t		sum = 0;

	for (int64_t i = 0; i < n; i++)
	{
		values[i] = (int32_t) (random_bits() % 2001) - 1000;
		expected[i] = sum += values[i];
	}
}

static void
test_call(void)
{
	union
	{
		gs_msg_call call;
		char		space[GS_MESSAGE_MAX];
	}			m = {.call = {.op = {.kind = GS_SCAN_SUM, .type = GS_INT4},
	.n = 50, .present = 50}};
	gs_msg_result *result = (gs_msg_result *) c.buffer;

	expect_sums(50);
	memcpy(m.space + sizeof m.call, values, 200);
	client_send(&c, &m, GS_MSG_CALL, sizeof m.call + 256);
	check(client_receive(&c) == GS_MSG_RESULT &&
		  result->outcome.status == GS_OK && result->n == 50 &&
		  result->present == 50 && result->result.n == 50 &&
		  memcmp(c.buffer + sizeof *result, expected, 400) == 0,
		  "CALL: a scan");

	m.call.op.kind = GS_SUM;
	client_send(&c, &m, GS_MSG_CALL, sizeof m.call + 256);
	check(client_receive(&c) == GS_MSG_RESULT &&
		  c.got == sizeof *result &&
		  (int64_t) result->result.isum[0] == expected[49],
		  "CALL: a reduction");

	m.call.n = m.call.present = 0;
	client_send(&c, &m, GS_MSG_CALL, sizeof m.call);
	check(client_receive(&c) == GS_MSG_RESULT &&
		  result->outcome.status == GS_OK && result->result.present == 0,
		  "CALL: an empty array");
}

/* A scan with several feeds, as many in flight as possible. */
static void
test_feeds(void)
{
	gs_msg_begin begin = {.op = {.kind = GS_SCAN_SUM, .type = GS_INT4},
	.n = MAX_N, .lanes = 4};
	gs_msg_feed feed = {.n = 0};
	gs_msg_granted grant;
	gs_header	empty;
	bool		equal = true;
	int64_t		sent = 0;
	int64_t		done = 0;

	expect_sums(MAX_N);
	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	check(client_receive(&c) == GS_MSG_GRANTED, "BEGIN");
	memcpy(&grant, c.buffer, sizeof grant);
	check(grant.outcome.status == GS_OK && grant.lanes == 1 &&
		  grant.elements % GS_BATCH_ALIGN == 0 && grant.input[0] < 4 &&
		  grant.output[0] < 4 && grant.input[0] != grant.output[0],
		  "half of the free slots are granted");
	while (sent < MAX_N)
	{
		const gs_msg_done *answer = (const gs_msg_done *) c.buffer;

		feed.n = feed.present = MAX_N - sent < 4096 ? MAX_N - sent : 4096;
		memcpy(client_slot(&c, grant.input[0]), values + sent, feed.n * 4);
		client_send(&c, &feed, GS_MSG_FEED, sizeof feed);
		sent += feed.n;
		equal = equal && client_receive(&c) == GS_MSG_DONE &&
			answer->n == feed.n && answer->present == feed.n &&
			memcmp(client_slot(&c, grant.output[0]), expected + done,
				   feed.n * 8) == 0;
		done += feed.n;
	}
	client_send(&c, &empty, GS_MSG_FINISH, sizeof empty);
	check(client_receive(&c) == GS_MSG_RESULT && equal, "FEED, DONE");
	client_send(&c, &empty, GS_MSG_END, sizeof empty);
}

static bool
is_negative(const gs_outcome *outcome, int64_t position)
{
	return outcome->status == GS_VALUE_ERROR &&
		outcome->answer == GS_ROOT_OF_NEGATIVE && outcome->position == position;
}

/* The first element without a result, of a CALL and of the second FEED. */
static void
test_value_errors(void)
{
	union
	{
		gs_msg_call call;
		char		space[GS_MESSAGE_MAX];
	}			m = {.call = {.op = {.kind = GS_SQRT, .type = GS_INT4},
	.n = 50, .present = 50}};
	gs_msg_begin begin = {.op = m.call.op, .n = MAX_N, .lanes = 1};
	gs_msg_feed feed = {.n = 2048, .present = 2048};
	const gs_msg_done *done = (const gs_msg_done *) c.buffer;
	gs_msg_granted grant;
	gs_header	empty;

	for (int i = 0; i < MAX_N; i++)
		values[i] = i % 2003 == 49 || i % 2003 == 40 ? -1 : i;
	memcpy(m.space + sizeof m.call, values, 200);
	client_send(&c, &m, GS_MSG_CALL, sizeof m.call + 256);
	check(client_receive(&c) == GS_MSG_RESULT &&
		  is_negative(&((gs_msg_result *) c.buffer)->outcome, 41),
		  "CALL: an element without a result");

	values[40] = values[49] = 0;
	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	check(client_receive(&c) == GS_MSG_GRANTED, "BEGIN of roots");
	memcpy(&grant, c.buffer, sizeof grant);
	for (int i = 0; i < 2; i++)
	{
		memcpy(client_slot(&c, grant.input[0]), values + 2048 * i, 2048 * 4);
		if (i == 0)
			memset(client_slot(&c, grant.input[0]), 0, 2048 * 4);
		client_send(&c, &feed, GS_MSG_FEED, sizeof feed);
		check(client_receive(&c) == GS_MSG_DONE &&
			  (i == 0 ? done->outcome.status == GS_OK :
			   is_negative(&done->outcome, 2003 + 49 + 1)),
			  "FEED %d of roots", i);
	}
	client_send(&c, &empty, GS_MSG_END, sizeof empty);
}

/* Edges and counts that need several messages each. */
static void
test_histogram(void)
{
	gs_msg_begin begin = {.op = {.kind = GS_HISTOGRAM_EDGES, .type = GS_INT4,
	.histogram.buckets = MAX_N - 4}, .n = 1024, .lanes = 1};
	gs_msg_edges edges;
	gs_msg_feed feed = {.n = 1024, .present = 1024};
	gs_msg_counts ask;
	gs_header	empty;
	gs_msg_granted grant;
	int64_t		wrong = 0;

	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	client_receive(&c);
	memcpy(&grant, c.buffer, sizeof grant);
	for (int64_t at = 0; at < MAX_N - 3; at += edges.count)
	{
		edges.count = MAX_N - 3 - at < 5000 ? MAX_N - 3 - at : 5000;
		for (int64_t i = 0; i < edges.count; i++)
			((double *) client_slot(&c, grant.input[0]))[i] = at + i;
		client_send(&c, &edges, GS_MSG_EDGES, sizeof edges);
		client_receive(&c);
	}
	check(((gs_msg_accepted *) c.buffer)->elements >= 1024, "EDGES");
	for (int i = 0; i < 1024; i++)
		((int32_t *) client_slot(&c, grant.input[0]))[i] = 7 * i;
	client_send(&c, &feed, GS_MSG_FEED, sizeof feed);
	client_receive(&c);
	client_send(&c, &empty, GS_MSG_FINISH, sizeof empty);
	check(client_receive(&c) == GS_MSG_RESULT, "a histogram's RESULT");
	for (ask.first = 0; ask.first < MAX_N - 1; ask.first += ask.count)
	{
		ask.count = MAX_N - 1 - ask.first < 6000 ? MAX_N - 1 - ask.first : 6000;
		client_send(&c, &ask, GS_MSG_COUNTS, sizeof ask);
		client_receive(&c);
		memcpy(counts + ask.first, client_slot(&c, grant.input[0]),
			   ask.count * 8);
	}
	for (int64_t i = 0; i < MAX_N - 4; i++)
		wrong += counts[1 + i] != (i % 7 == 0 && i / 7 < 1024);
	check(wrong == 0, "COUNTS");
	client_send(&c, &empty, GS_MSG_END, sizeof empty);
}

/* A sort whose results are fetched one ahead of the other. */
static void
test_order(void)
{
	gs_msg_begin begin = {.op = {.kind = GS_SORT, .type = GS_INT4,
	.order.descending = 1}, .n = 8192, .lanes = 2};
	gs_msg_feed feed = {.n = 8192, .present = 8192};
	gs_msg_fetch fetch = {.column = GS_COLUMN_VALUES, .count = 4096};
	const gs_msg_result *result = (const gs_msg_result *) c.buffer;
	const gs_msg_fetched *fetched = (const gs_msg_fetched *) c.buffer;
	gs_header	empty;
	gs_msg_granted grant;
	int			wrong = 0;

	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	client_receive(&c);
	memcpy(&grant, c.buffer, sizeof grant);
	check(grant.lanes == 2 && grant.output[0] == 0 && grant.output[1] == 0,
		  "an order has no output");
	for (int i = 0; i < 8192; i++)
		((int32_t *) client_slot(&c, grant.input[0]))[i] = i * 5 % 8192;
	client_send(&c, &feed, GS_MSG_FEED, sizeof feed);
	client_receive(&c);
	client_send(&c, &empty, GS_MSG_FINISH, sizeof empty);
	check(client_receive(&c) == GS_MSG_RESULT &&
		  result->result.results == 8192, "an order's RESULT");
	client_send(&c, &fetch, GS_MSG_FETCH, sizeof fetch);
	fetch.first = 4096;
	fetch.lane = 1;
	client_send(&c, &fetch, GS_MSG_FETCH, sizeof fetch);
	for (int i = 0; i < 2; i++)
	{
		wrong += client_receive(&c) != GS_MSG_FETCHED ||
			fetched->outcome.status != GS_OK;
		for (int j = 0; j < 4096; j++)
			wrong += ((int32_t *) client_slot(&c, grant.input[i]))[j] !=
				8191 - i * 4096 - j;
	}
	check(wrong == 0, "FETCH");
	client_send(&c, &empty, GS_MSG_END, sizeof empty);
}

/* Moving frames: the values of all, and which are not NULL. */
static void
test_moving(void)
{
	gs_msg_begin begin = {.op = {.kind = GS_MOVING_SUM, .type = GS_INT2,
	.moving.preceding = 2, .moving.following = 1}, .n = 2048, .lanes = 1};
	gs_msg_feed feed = {.n = 2048, .present = 2048};
	gs_msg_fetch fetch = {.first = 1, .count = 2047};
	const gs_msg_result *result = (const gs_msg_result *) c.buffer;
	gs_header	empty;
	gs_msg_granted grant;
	char	   *slot;
	int			wrong = 0;

	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	client_receive(&c);
	memcpy(&grant, c.buffer, sizeof grant);
	slot = client_slot(&c, grant.input[0]);
	for (int i = 0; i < 2048; i++)
		((int16_t *) slot)[i] = (int16_t) i;
	client_send(&c, &feed, GS_MSG_FEED, sizeof feed);
	client_receive(&c);
	client_send(&c, &empty, GS_MSG_FINISH, sizeof empty);
	check(client_receive(&c) == GS_MSG_RESULT &&
		  result->result.results == 2048, "the RESULT of moving frames");
	client_send(&c, &fetch, GS_MSG_FETCH, sizeof fetch);
	wrong += client_receive(&c) != GS_MSG_FETCHED;
	for (int i = 1; i < 2048; i++)
	{
		int			first = i < 2 ? 0 : i - 2;
		int			last = i < 2047 ? i + 1 : i;

		wrong += ((int64_t *) slot)[i - 1] !=
			(last - first + 1) * (first + last) / 2;
	}
	fetch.column = GS_COLUMN_VALIDITY;
	fetch.count = 31;
	client_send(&c, &fetch, GS_MSG_FETCH, sizeof fetch);
	wrong += client_receive(&c) != GS_MSG_FETCHED;
	for (int i = 0; i < 31; i++)
		wrong += ((uint64_t *) slot)[i] != UINT64_MAX;
	check(wrong == 0, "FETCH of moving frames");
	client_send(&c, &empty, GS_MSG_END, sizeof empty);
}

/* Groups: keys beside the elements, and columns of different widths. */
static void
test_group(void)
{
	gs_msg_begin begin = {.op = {.kind = GS_GROUP, .type = GS_INT4,
	.mask.type = GS_INT8, .aggregates = GS_GROUP_COUNT | GS_GROUP_SUM},
	.n = 2048, .lanes = 1};
	gs_msg_feed feed = {.n = 2048, .present = 2048, .mask_present = 2048};
	gs_msg_fetch fetch = {.count = 100};
	const gs_msg_result *result = (const gs_msg_result *) c.buffer;
	gs_header	empty;
	gs_msg_granted grant;
	char	   *slot;
	int			wrong = 0;

	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	client_receive(&c);
	memcpy(&grant, c.buffer, sizeof grant);
	slot = client_slot(&c, grant.input[0]);
	for (int i = 0; i < 2048; i++)
	{
		((int32_t *) slot)[i] = i;
		((int64_t *) (slot + 8192))[i] = 99 - i % 100;
	}
	client_send(&c, &feed, GS_MSG_FEED, sizeof feed);
	client_receive(&c);
	client_send(&c, &empty, GS_MSG_FINISH, sizeof empty);
	check(client_receive(&c) == GS_MSG_RESULT &&
		  result->result.results == 100, "the RESULT of groups");
	for (fetch.column = GS_COLUMN_COUNTS; fetch.column <= GS_COLUMN_SUMS;
		 fetch.column++)
	{
		client_send(&c, &fetch, GS_MSG_FETCH, sizeof fetch);
		wrong += client_receive(&c) != GS_MSG_FETCHED;
		for (int i = 0; i < 100; i++)
		{
			/* 99 - i, 199 - i, and so on */
			int			count = 99 - i < 48 ? 21 : 20;
			int			sum = count * (99 - i) + 50 * count * (count - 1);

			wrong += fetch.column == GS_COLUMN_COUNTS ?
				((int64_t *) slot)[i] != count :
				fetch.column == GS_COLUMN_KEYS ?
				((int64_t *) slot)[i] != i :
				fetch.column == GS_COLUMN_KEY_NULLS ? slot[i] != 0 :
				((gs_integer_sum *) slot)[i].word[0] != (uint64_t) sum;
		}
	}
	check(wrong == 0, "FETCH of groups");
	client_send(&c, &empty, GS_MSG_END, sizeof empty);
}

/* Segments of seven elements: their sums, and which are not NULL. */
static void
test_segments(void)
{
	gs_msg_begin begin = {.op = {.kind = GS_SEGMENT_SUM, .type = GS_INT4,
	.segment.length = 7}, .n = 2048, .lanes = 1};
	gs_msg_feed feed = {.n = 2048, .present = 2048};
	gs_msg_fetch fetch = {.count = 293};
	const gs_msg_result *result = (const gs_msg_result *) c.buffer;
	gs_header	empty;
	gs_msg_granted grant;
	char	   *slot;
	int			wrong = 0;

	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	client_receive(&c);
	memcpy(&grant, c.buffer, sizeof grant);
	slot = client_slot(&c, grant.input[0]);
	for (int i = 0; i < 2048; i++)
		((int32_t *) slot)[i] = i;
	client_send(&c, &feed, GS_MSG_FEED, sizeof feed);
	client_receive(&c);
	client_send(&c, &empty, GS_MSG_FINISH, sizeof empty);
	check(client_receive(&c) == GS_MSG_RESULT &&
		  result->result.results == 293, "the RESULT of segments");
	client_send(&c, &fetch, GS_MSG_FETCH, sizeof fetch);
	wrong += client_receive(&c) != GS_MSG_FETCHED;
	for (int i = 0; i < 293; i++)
	{
		int			count = i < 292 ? 7 : 4;

		wrong += ((int64_t *) slot)[i] !=
			count * (7 * i) + count * (count - 1) / 2;
	}
	fetch.column = GS_COLUMN_VALIDITY;
	fetch.count = 5;
	client_send(&c, &fetch, GS_MSG_FETCH, sizeof fetch);
	wrong += client_receive(&c) != GS_MSG_FETCHED;
	for (int i = 0; i < 5; i++)
		wrong += ((uint64_t *) slot)[i] !=
			(i < 4 ? UINT64_MAX : (UINT64_C(1) << 293 % 64) - 1);
	check(wrong == 0, "FETCH of segments");
	client_send(&c, &empty, GS_MSG_END, sizeof empty);
}

#define TAKEN			3000
#define TAKEN_FROM		5000

/* LOAD one of the arrays of test_take, a part at a time. */
static bool
load_for_take(char *slot, int argument, int64_t n, int32_t wrong)
{
	const int64_t width = argument == GS_MASK ? 8 : 4;
	bool		good = true;

	for (int64_t at = 0; at < n; at += 2048)
	{
		gs_msg_load m = {.argument = argument};

		m.n = m.present = n - at < 2048 ? n - at : 2048;
		for (int64_t i = 0; i < m.n; i++)
		{
			int64_t		value = argument == GS_MASK ? 7 * (at + i) :
				1 + (at + i) * 1009 % TAKEN_FROM;

			memcpy(slot + i * width, &value, width);
		}
		if (wrong != 0 && at == 2048)
			((int32_t *) slot)[5] = wrong;
		client_send(&c, &m, GS_MSG_LOAD, sizeof m);
		good = good && client_receive(&c) == GS_MSG_LOADED;
	}
	return good;
}

/*
 * Elements at positions of an array of another length, none of them toasted.
 * A position is `wrong`, unless that is 0; returns the status.
 */
static gs_status
take(int32_t wrong)
{
	gs_msg_begin begin = {.op = {.kind = GS_TAKE, .type = GS_INT4,
	.mask.type = GS_INT8, .mask.elements = TAKEN_FROM}, .n = TAKEN, .lanes = 1,
	.argument = {{.max_values = TAKEN}, {.max_values = TAKEN_FROM}}};
	const gs_msg_done *done = (const gs_msg_done *) c.buffer;
	gs_status	status = GS_OK;
	int			unlike = 0;
	gs_header	empty;
	gs_msg_granted grant;

	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	client_receive(&c);
	memcpy(&grant, c.buffer, sizeof grant);
	check(grant.outcome.status == GS_OK && grant.cached && grant.hit == 0 &&
		  grant.load == 3 && grant.elements >= 2048, "BEGIN of positions");
	check(load_for_take(client_slot(&c, grant.input[0]), GS_DATA, TAKEN, wrong)
		  && load_for_take(client_slot(&c, grant.input[0]), GS_MASK,
						   TAKEN_FROM, 0), "LOAD of both arrays");
	for (int64_t at = 0; at < TAKEN && status == GS_OK; at += 2048)
	{
		gs_msg_feed feed = {.n = TAKEN - at < 2048 ? TAKEN - at : 2048};
		const int64_t *got = (const int64_t *) client_slot(&c, grant.output[0]);

		client_send(&c, &feed, GS_MSG_FEED, sizeof feed);
		if (at + feed.n == TAKEN)
			client_send(&c, &empty, GS_MSG_FINISH, sizeof empty);
		client_receive(&c);
		status = (gs_status) done->outcome.status;
		for (int64_t i = 0; status == GS_OK && i < feed.n; i++)
			unlike += got[i] != 7 * ((at + i) * 1009 % TAKEN_FROM);
	}
	if (status == GS_OK)
		check(client_receive(&c) == GS_MSG_RESULT && unlike == 0,
			  "elements at positions");
	client_send(&c, &empty, GS_MSG_END, sizeof empty);
	return status;
}

static void
test_take(void)
{
	static const int32_t wrong[] = {-1, TAKEN_FROM + 1, INT32_MAX, INT32_MIN};

	check(take(0) == GS_OK, "positions");
	for (int i = 0; i < 4; i++)
		check(take(wrong[i]) == GS_VALUE_ERROR, "position %d", wrong[i]);
}

/*
 * Feed 65,536 elements of an array whose memory as groups of their own would
 * be too much, with so many different keys.  Returns the status of the last.
 */
static gs_status
feed_groups(int different)
{
	gs_msg_begin begin = {.op = {.kind = GS_GROUP, .type = GS_INT4,
	.mask.type = GS_INT4, .aggregates = GS_GROUP_ALL},
	.n = GS_MAX_ELEMENTS, .lanes = 1};
	gs_msg_feed feed = {.n = 2048, .present = 2048, .mask_present = 2048};
	const gs_msg_done *done = (const gs_msg_done *) c.buffer;
	gs_status	status;
	gs_header	empty;
	gs_msg_granted grant;

	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	client_receive(&c);
	memcpy(&grant, c.buffer, sizeof grant);
	status = (gs_status) grant.outcome.status;
	for (int at = 0; at < 65536 && status == GS_OK; at += 2048)
	{
		int32_t    *slot = (int32_t *) client_slot(&c, grant.input[0]);

		for (int i = 0; i < 2048; i++)
			slot[i] = slot[2048 + i] = (at + i) % different;
		client_send(&c, &feed, GS_MSG_FEED, sizeof feed);
		client_receive(&c);
		status = (gs_status) done->outcome.status;
	}
	client_send(&c, &empty, GS_MSG_END, sizeof empty);
	return status;
}

/*
 * The memory of groups is reserved as they become more: here another client
 * has all but 3 MiB of what there is for all.
 */
static void
test_group_memory(void)
{
	static client other;
	gs_msg_begin begin = {.op = {.kind = GS_SORT, .type = GS_INT4},
	.n = ((INT64_C(4) << 30) - (3 << 20)) / 24, .lanes = 1};
	gs_msg_granted grant;

	client_open(&other);
	client_send(&other, &begin, GS_MSG_BEGIN, sizeof begin);
	client_receive(&other);
	memcpy(&grant, other.buffer, sizeof grant);
	check(grant.outcome.status == GS_OK, "an order of what memory there is");
	check(feed_groups(100) == GS_OK, "few groups need little memory");
	check(feed_groups(65536) == GS_NO_MEMORY, "many groups need more");
	check(feed_groups(100) == GS_OK, "and have given it back");
	client_close(&other);
}

/* An error ends the request, but not the connection. */
static void
test_error(void)
{
	gs_msg_begin begin = {.op = {.kind = GS_SCAN_SUM, .type = GS_INT8},
	.n = 1024, .lanes = 1};
	gs_msg_feed feed = {.n = 1024, .present = 1024};
	gs_msg_done *done = (gs_msg_done *) c.buffer;
	gs_header	empty;
	gs_msg_granted grant;

	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	client_receive(&c);
	memcpy(&grant, c.buffer, sizeof grant);
	for (int i = 0; i < 1024; i++)
		((int64_t *) client_slot(&c, grant.input[0]))[i] = i ? INT64_MAX : 0;
	client_send(&c, &feed, GS_MSG_FEED, sizeof feed);
	client_send(&c, &empty, GS_MSG_FINISH, sizeof empty);
	check(client_receive(&c) == GS_MSG_DONE &&
		  done->outcome.status == GS_BIGINT_RANGE &&
		  done->outcome.position == 3, "an overflow, and where");
	client_send(&c, &empty, GS_MSG_END, sizeof empty);
	client_send(&c, &empty, GS_MSG_STATUS, sizeof empty);
	check(client_receive(&c) == GS_MSG_STATE,
		  "what followed it was discarded, and the connection goes on");
}

void
test_valid_requests(void)
{
	client_open(&c);
	check(c.welcome.version == GS_PROTOCOL_VERSION &&
		  c.welcome.incarnation == INCARNATION &&
		  c.welcome.staging_size == STAGING_SIZE &&
		  c.welcome.slot_size == SLOT_SIZE, "WELCOME");
	check(ftruncate(c.memory, 0) != 0 && errno == EPERM &&
		  ftruncate(c.memory, 2 * STAGING_SIZE) != 0,
		  "the memory's size cannot be changed");
	test_call();
	test_feeds();
	test_histogram();
	test_order();
	test_moving();
	test_group();
	test_segments();
	test_take();
	test_value_errors();
	test_group_memory();
	test_error();
	client_close(&c);
	check(service_is_idle(), "everything is released");
}
