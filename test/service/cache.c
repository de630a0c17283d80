/*-------------------------------------------------------------------------
 *
 * cache.c
 *	  The cache of toasted values: which of them a client gets to see.
 *
 * The clients here make up the ids of values, so that two values can have the
 * same id, as in a server whose OID counter has wrapped around.
 *
 *-------------------------------------------------------------------------
 */
#include <signal.h>

#include "cache.h"

#define MANY		20000		/* values that a report reads */
#define VALUE_SIZE	36096		/* bytes of the cache that each takes */

const gs_toast_id some = {.database = 5, .relation = 16390,
	.value = 16400, .raw_size = 24 + 4 * N, .extinfo = 20 + 4 * N,
.xmin = 750, .block = 3, .offset = 7};

static client c;

static int64_t
state_of(size_t member)
{
	static client other;
	gs_header	ask;
	uint64_t	value;

	client_open(&other);
	client_send(&other, &ask, GS_MSG_STATUS, sizeof ask);
	client_receive(&other);
	memcpy(&value, other.buffer + member, sizeof value);
	client_close(&other);
	return (int64_t) value;
}

#define STATE(member)	state_of(offsetof(gs_msg_state, member))

static void
send_begin(client *with, const gs_toast_id *id, int64_t n, bool only_cached)
{
	gs_msg_begin begin = {.op = {.kind = GS_SUM, .type = GS_INT4}, .n = n,
	.lanes = 2, .only_cached = only_cached};

	begin.argument[GS_DATA].toast_id = *id;
	begin.argument[GS_DATA].max_values = n;
	client_send(with, &begin, GS_MSG_BEGIN, sizeof begin);
}

static const gs_msg_granted *
receive_grant(client *with)
{
	return client_receive(with) != GS_MSG_GRANTED ? NULL :
		(const gs_msg_granted *) with->buffer;
}

/*
 * BEGIN a sum of n elements of a toasted array; the answer is in the buffer.
 */
const gs_msg_granted *
begin_sum(client *with, const gs_toast_id *id, int64_t n, bool only_cached)
{
	send_begin(with, id, n, only_cached);
	return receive_grant(with);
}

static bool
is_hit(const gs_msg_granted *grant)
{
	return grant != NULL && grant->outcome.status == GS_OK && grant->cached &&
		grant->hit == 1 && grant->load == 0;
}

static bool
is_to_load(const gs_msg_granted *grant)
{
	return grant != NULL && grant->outcome.status == GS_OK && grant->cached &&
		grant->hit == 0 && grant->load == 1 && grant->lanes > 0;
}

/* LOAD `value` as elements from .. to - 1 of N, and check the answer. */
static bool
load(client *with, uint32_t slot, int32_t value, int64_t from, int64_t to)
{
	gs_msg_load m = {.n = to - from, .present = to - from};
	int32_t    *values = (int32_t *) client_slot(with, slot);

	for (int64_t i = 0; i < m.n; i++)
		values[i] = value;
	client_send(with, &m, GS_MSG_LOAD, sizeof m);
	return client_receive(with) == GS_MSG_LOADED &&
		((gs_msg_loaded *) with->buffer)->outcome.status == GS_OK;
}

/* The sum, which comes without FINISH; if it does not, END must follow. */
static int64_t
receive_sum(client *with)
{
	const gs_msg_result *result = (const gs_msg_result *) with->buffer;
	int64_t		sum = -1;
	gs_header	m;

	if (client_receive(with) == GS_MSG_RESULT &&
		result->outcome.status == GS_OK)
		sum = (int64_t) result->result.isum[0];
	else
		client_send(with, &m, GS_MSG_END, sizeof m);
	client_send(with, &m, GS_MSG_STATUS, sizeof m);
	return client_receive(with) == GS_MSG_STATE ? sum : -1;
}

/* Load N times `value`, as a grant asks for, and check the sum. */
static bool
load_all(client *with, const gs_msg_granted *grant, int32_t value)
{
	uint32_t	slot = grant == NULL ? 0 : grant->input[0];

	return is_to_load(grant) && load(with, slot, value, 0, 4096) &&
		load(with, slot, value, 4096, N) &&
		receive_sum(with) == (int64_t) N * value;
}

/* BEGIN, which must be a cache miss, and load the first part. */
static bool
load_part(client *with, const gs_toast_id *id, int32_t value,
		  uint32_t *slot)
{
	const gs_msg_granted *grant = begin_sum(with, id, N, false);

	*slot = grant == NULL ? 0 : grant->input[0];
	return is_to_load(grant) && load(with, *slot, value, 0, 4096);
}

/* Is the sum of N times `value` right, after a cache miss? */
bool
is_loaded(client *with, const gs_toast_id *id, int32_t value)
{
	return load_all(with, begin_sum(with, id, N, false), value);
}

/* Is the sum of N times `value` right, after a cache hit? */
bool
is_cached(client *with, const gs_toast_id *id, int32_t value)
{
	return is_hit(begin_sum(with, id, N, false)) &&
		receive_sum(with) == (int64_t) N * value;
}

/* Every member of an id counts, and of its proof. */
static void
test_ids(void)
{
	uint32_t	parts[sizeof some / sizeof(uint32_t)];
	gs_toast_id other;
	bool		apart = true;
	int			i;

	check(is_loaded(&c, &some, 1), "a value is loaded");
	check(is_cached(&c, &some, 1), "and cached");
	for (i = 0; i < 5; i++)
	{
		memcpy(parts, &some, sizeof some);
		parts[i]++;
		memcpy(&other, parts, sizeof other);
		apart = apart && is_loaded(&c, &other, 10 + i) &&
			is_cached(&c, &some, 1) && is_cached(&c, &other, 10 + i);
	}
	check(apart, "values whose ids differ in one member are told apart");
	check(STATE(cache_entries) == 6 &&
		  STATE(cache_bytes) == 6 * VALUE_SIZE, "six of them");
	for (i = 5; i < 8; i++)
	{
		memcpy(parts, &some, sizeof some);
		parts[i]++;
		memcpy(&other, parts, sizeof other);
		check(is_loaded(&c, &other, 20 + i) && is_cached(&c, &other, 20 + i),
			  "the same id with another proof (%d): another value", i);
		check(is_loaded(&c, &some, 1), "and the other way round");
	}
	check(STATE(cache_entries) == 6 &&
		  STATE(cache_bytes) == 6 * VALUE_SIZE, "which replaces it");
	check(is_to_load(begin_sum(&c, &some, N - 1, false)),
		  "nor is it found with another number of elements");
	client_reopen(&c);
}

/* An entry is replaced, because of another proof, while it is loaded. */
static void
test_replaced(void)
{
	static client other;
	gs_toast_id later = some;
	uint32_t	slot;

	later.xmin++;
	client_open(&other);
	check(load_part(&c, &some, 1, &slot) && is_loaded(&other, &later, 2),
		  "replaced while it is loaded");
	check(load(&c, slot, 1, 4096, N) && receive_sum(&c) == N,
		  "its loader goes on");
	check(is_cached(&other, &later, 2), "and its entry is not found");
	client_close(&other);
}

/* only_cached: the second time it is asked for, a value is worth loading. */
static void
test_only_cached(void)
{
	gs_toast_id fresh = some;
	const gs_msg_granted *grant;
	int			wanted = 0;
	gs_header	end;

	fresh.value = 99;
	grant = begin_sum(&c, &fresh, N, true);
	check(grant != NULL && grant->outcome.status == GS_NOT_CACHED &&
		  grant->lanes == 0, "only_cached: not the first time");
	client_send(&c, &end, GS_MSG_END, sizeof end);
	fresh.xmin++;
	grant = begin_sum(&c, &fresh, N, true);
	check(grant != NULL && grant->outcome.status == GS_NOT_CACHED,
		  "only_cached: nor another value with that id");
	client_send(&c, &end, GS_MSG_END, sizeof end);
	check(is_to_load(begin_sum(&c, &fresh, N, true)),
		  "only_cached: the second time");
	client_reopen(&c);

	/* a report over many, twice */
	for (int i = 0; i < 2 * MANY; i++)
	{
		fresh.value = 100000 + (uint32_t) (i % MANY);
		wanted += is_to_load(begin_sum(&c, &fresh, N, true));
		client_send(&c, &end, GS_MSG_END, sizeof end);
	}
	check(wanted > MANY * 9 / 10, "only_cached: of many, %d", wanted);
}

static bool
clear(void)
{
	gs_header	ask;

	client_send(&c, &ask, GS_MSG_CLEAR, sizeof ask);
	return client_receive(&c) == GS_MSG_CLEARED && STATE(cache_bytes) == 0;
}

/* Clear the cache, and load a part of a value. */
static bool
load_part_anew(uint32_t *slot)
{
	return clear() && load_part(&c, &some, 3, slot);
}

/*
 * A client waits for a value that another one is loading: here without limit.
 */
static void
test_waiting(void)
{
	static client other;
	uint32_t	slot;

	client_open(&other);
	check(load_part_anew(&slot), "one loads");
	send_begin(&other, &some, N, false);
	check(client_receive_any(&other) == GS_MSG_WAITING, "another waits for it");
	check(load(&c, slot, 3, 4096, N) && receive_sum(&c) == 3 * N, "to the end");
	check(is_hit(receive_grant(&other)) && receive_sum(&other) == 3 * N,
		  "a client that waited for it has a hit");

	check(load_part_anew(&slot), "one loads, and disconnects");
	send_begin(&other, &some, N, false);
	check(client_receive_any(&other) == GS_MSG_WAITING, "another waits for it");
	client_close(&c);
	check(load_all(&other, receive_grant(&other), 4), "and loads");
	client_close(&other);
	client_open(&c);
}

/* But it does not wait for a client that has stopped loading. */
void
test_patience(void)
{
	char	   *little[] = {"--debug-patience=50", NULL};
	static client other;
	const gs_msg_granted *grant;
	uint32_t	slot;
	service		s;

	service_start(&s, little);
	client_open(&c);
	client_open(&other);
	check(load_part_anew(&slot), "one loads, and stops");
	grant = begin_sum(&other, &some, N, false);
	check(grant != NULL && grant->outcome.status == GS_OK && !grant->cached,
		  "the next one does without the cache");
	client_close(&c);
	client_close(&other);
	service_end(&s, SIGTERM);
}

#define EDGES_SIZE	(8 << 20)	/* bytes */
#define MAX_EDGES	7			/* of that size, that fit 64 MB */

/*
 * BEGIN a histogram with toasted edges, and send them if they are not cached.
 */
static bool
give_edges(const gs_toast_id *id, bool *hit)
{
	const gs_msg_granted *grant = (const gs_msg_granted *) c.buffer;
	const gs_msg_accepted *accepted = (const gs_msg_accepted *) c.buffer;
	int64_t		total = EDGES_SIZE / sizeof(double);
	gs_msg_begin begin = {.op = {.kind = GS_HISTOGRAM_EDGES, .type = GS_INT4,
	.histogram.buckets = (int32_t) total - 1}, .n = N, .lanes = 1};
	gs_msg_edges edges = {.count = SLOT_SIZE / sizeof(double)};
	bool		good = true;
	double	   *values;
	gs_header	end;

	*hit = false;
	begin.argument[GS_EDGES].toast_id = *id;
	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	if (client_receive(&c) != GS_MSG_GRANTED || grant->outcome.status != GS_OK)
		return false;
	*hit = grant->hit == 1u << GS_EDGES;
	values = (double *) client_slot(&c, grant->input[0]);
	for (int64_t at = 0; good && !*hit && at < total; at += edges.count)
	{
		for (int64_t i = 0; i < edges.count; i++)
			values[i] = (double) (at + i);
		client_send(&c, &edges, GS_MSG_EDGES, sizeof edges);
		good = client_receive(&c) == GS_MSG_ACCEPTED &&
			accepted->outcome.status == GS_OK;
	}
	client_send(&c, &end, GS_MSG_END, sizeof end);
	return good;
}

/* Edges are cached as well, but may not use all of the cache. */
static void
test_edges(void)
{
	gs_toast_id id = some;
	bool		good = clear() && is_loaded(&c, &some, 9);
	int64_t		before = STATE(cache_bytes);
	bool		hit;
	int			hits = 0;

	for (int i = 0; i < MAX_EDGES; i++)
	{
		id.value = 5000 + (uint32_t) i;
		good = good && give_edges(&id, &hit) && !hit;
	}
	check(good && STATE(cache_bytes) - before > MAX_EDGES * EDGES_SIZE,
		  "edges are cached");
	for (int i = 0; i < MAX_EDGES; i++)
	{
		id.value = 5000 + (uint32_t) i;
		good = good && give_edges(&id, &hit);
		hits += hit;
	}
	check(good && hits == MAX_EDGES, "and found");
	id.value = 6000;
	check(give_edges(&id, &hit) && give_edges(&id, &hit) && hit &&
		  STATE(cache_bytes) - before < (MAX_EDGES + 1) * EDGES_SIZE,
		  "one more evicts edges");
	check(is_cached(&c, &some, 9), "and no arrays");
	id.value = 5000;
	check(give_edges(&id, &hit) && !hit, "of which it is the oldest");
}

/* A small cache keeps what was used last, and never exceeds its size. */
void
test_cache_size(void)
{
	char	   *little[] = {"--cache-size=120kB", NULL};
	char	   *none[] = {"--cache-size=0", NULL};
	gs_toast_id value[4] = {some, some, some, some};
	static client other;
	const gs_msg_granted *grant;
	service		s;
	bool		good = true;
	gs_msg_begin scan = {.op = {.kind = GS_SCAN_SUM, .type = GS_INT4}, .n = N,
	.lanes = 1, .argument = {[GS_DATA] = {.max_values = N}}};
	gs_header	end;

	service_start(&s, little);
	client_open(&c);
	for (int i = 0; i < 4; i++)
		value[i].value += (uint32_t) i;
	for (int i = 0; i < 3; i++)
		good = good && is_loaded(&c, &value[i], i);
	check(good && is_cached(&c, &value[0], 0), "three fit");
	check(is_loaded(&c, &value[3], 3) && is_cached(&c, &value[0], 0) &&
		  is_cached(&c, &value[2], 2), "a fourth: others stay");
	check(is_loaded(&c, &value[1], 1),
		  "but not the least recently used one");
	check(STATE(cache_entries) == 3 && STATE(cache_bytes) == 3 * VALUE_SIZE,
		  "three at a time");

	/* an entry stays while it is in use, even the oldest */
	client_open(&other);
	client_send(&c, &end, GS_MSG_CLEAR, sizeof end);
	check(client_receive(&c) == GS_MSG_CLEARED && is_loaded(&c, &value[0], 0),
		  "one is loaded");
	scan.argument[GS_DATA].toast_id = value[0];
	client_send(&other, &scan, GS_MSG_BEGIN, sizeof scan);
	check(client_receive(&other) == GS_MSG_GRANTED &&
		  is_hit((const gs_msg_granted *) other.buffer), "and used");
	for (int i = 1; i < 4; i++)
		good = good && is_loaded(&c, &value[i], i);
	check(good && is_cached(&c, &value[0], 0),
		  "what is in use stays, however old");
	client_reopen(&other);

	/* while a large one is being loaded, another does not fit */
	check(is_to_load(begin_sum(&other, &(gs_toast_id) {.database = 9}, 27000,
							   false)), "a large one takes the whole cache");
	grant = begin_sum(&c, &value[0], N, false);
	check(grant != NULL && grant->outcome.status == GS_OK && !grant->cached &&
		  grant->lanes > 0, "what is in use does not go");
	check(STATE(cache_bytes) <= 120 * 1024, "the limit holds");
	client_close(&other);
	client_reopen(&c);
	grant = begin_sum(&c, &some, 40000, false);
	check(grant != NULL && !grant->cached, "a value larger than the cache");
	client_close(&c);
	service_end(&s, SIGTERM);

	service_start(&s, none);
	client_open(&c);
	grant = begin_sum(&c, &some, N, false);
	check(grant != NULL && grant->outcome.status == GS_OK && !grant->cached,
		  "--cache-size=0");
	client_reopen(&c);
	for (int i = 0; i < 2; i++)
	{
		grant = begin_sum(&c, &some, N, true);
		check(grant != NULL && grant->outcome.status == GS_NOT_CACHED,
			  "--cache-size=0, only_cached: nothing is cached");
		client_send(&c, &end, GS_MSG_END, sizeof end);
	}
	client_close(&c);
	service_end(&s, SIGTERM);
}

void
test_cache(void)
{
	client_open(&c);
	test_ids();
	test_replaced();
	test_only_cached();
	test_waiting();
	test_edges();
	client_close(&c);
	check(service_is_idle(), "everything is released");
}
