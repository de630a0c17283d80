/*-------------------------------------------------------------------------
 *
 * cache.c
 *	  Copies of stored values: which of them a client gets to see.
 *
 * The names that the clients here give to values are made up, so that two
 * values can have one name, as in a server whose counter of OIDs has come
 * round.
 *
 *-------------------------------------------------------------------------
 */
#include <signal.h>

#include "cache.h"

#define MANY		20000		/* values that a report looks at */
#define VALUE_SIZE	36096		/* bytes of them, as they are kept */

const gs_stored some = {.database = 5, .relation = 16390,
	.value = 16400, .raw_size = 24 + 4 * N, .stored = 20 + 4 * N,
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
send_begin(client *with, const gs_stored *stored, int64_t n, bool only_kept)
{
	gs_msg_begin begin = {.op = {.kind = GS_SUM, .type = GS_INT4}, .n = n,
	.slots = 2, .only_kept = only_kept};

	begin.argument[GS_DATA].stored = *stored;
	begin.argument[GS_DATA].most = n;
	client_send(with, &begin, GS_MSG_BEGIN, sizeof begin);
}

static const gs_msg_lent *
receive_lent(client *with)
{
	return client_receive(with) != GS_MSG_LENT ? NULL :
		(const gs_msg_lent *) with->buffer;
}

/* BEGIN a sum of n elements of a stored array; the answer is in the buffer. */
const gs_msg_lent *
begin_sum(client *with, const gs_stored *stored, int64_t n, bool only_kept)
{
	send_begin(with, stored, n, only_kept);
	return receive_lent(with);
}

static bool
is_hit(const gs_msg_lent *lent)
{
	return lent != NULL && lent->outcome.status == GS_OK && lent->resident &&
		lent->hit == 1 && lent->load == 0;
}

static bool
is_to_load(const gs_msg_lent *lent)
{
	return lent != NULL && lent->outcome.status == GS_OK && lent->resident &&
		lent->hit == 0 && lent->load == 1 && lent->slots > 0;
}

/* LOAD `value` as elements from .. to - 1 of N, and see it answered. */
static bool
load(client *with, uint32_t chunk, int32_t value, int64_t from, int64_t to)
{
	gs_msg_load m = {.n = to - from, .present = to - from};
	int32_t    *room = (int32_t *) client_chunk(with, chunk);

	for (int64_t i = 0; i < m.n; i++)
		room[i] = value;
	client_send(with, &m, GS_MSG_LOAD, sizeof m);
	return client_receive(with) == GS_MSG_LOADED &&
		((gs_msg_loaded *) with->buffer)->outcome.status == GS_OK;
}

/*
 * The sum that comes by itself; END is due if it does not.  That the value is
 * not in use any more is certain when the next message has been answered.
 */
static int64_t
take_sum(client *with)
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

/* Load N times `value`, as the answer to a BEGIN asks for, and add it up. */
static bool
load_all(client *with, const gs_msg_lent *lent, int32_t value)
{
	uint32_t	chunk = lent == NULL ? 0 : lent->input[0];

	return is_to_load(lent) && load(with, chunk, value, 0, 4096) &&
		load(with, chunk, value, 4096, N) &&
		take_sum(with) == (int64_t) N * value;
}

/* BEGIN, which is to be a miss, and load the first part. */
static bool
load_part(client *with, const gs_stored *stored, int32_t value,
		  uint32_t *chunk)
{
	const gs_msg_lent *lent = begin_sum(with, stored, N, false);

	*chunk = lent == NULL ? 0 : lent->input[0];
	return is_to_load(lent) && load(with, *chunk, value, 0, 4096);
}

/* The sum of N times `value`, after the miss that it is to be. */
bool
is_loaded(client *with, const gs_stored *stored, int32_t value)
{
	return load_all(with, begin_sum(with, stored, N, false), value);
}

/* The same, if it is a hit. */
bool
is_kept(client *with, const gs_stored *stored, int32_t value)
{
	return is_hit(begin_sum(with, stored, N, false)) &&
		take_sum(with) == (int64_t) N * value;
}

/* Each part of a name counts, and each of a proof. */
static void
test_names(void)
{
	uint32_t	parts[sizeof some / sizeof(uint32_t)];
	gs_stored	other;
	bool		apart = true;
	int			i;

	check(is_loaded(&c, &some, 1), "a value is loaded");
	check(is_kept(&c, &some, 1), "and kept");
	for (i = 0; i < 5; i++)
	{
		memcpy(parts, &some, sizeof some);
		parts[i]++;
		memcpy(&other, parts, sizeof other);
		apart = apart && is_loaded(&c, &other, 10 + i) &&
			is_kept(&c, &some, 1) && is_kept(&c, &other, 10 + i);
	}
	check(apart, "values whose names differ in one part are kept apart");
	check(STATE(cache_entries) == 6 &&
		  STATE(cache_bytes) == 6 * VALUE_SIZE, "six of them");
	for (i = 5; i < 8; i++)
	{
		memcpy(parts, &some, sizeof some);
		parts[i]++;
		memcpy(&other, parts, sizeof other);
		check(is_loaded(&c, &other, 20 + i) && is_kept(&c, &other, 20 + i),
			  "the same name with another proof (%d): another value", i);
		check(is_loaded(&c, &some, 1), "and the other way round");
	}
	check(STATE(cache_entries) == 6 &&
		  STATE(cache_bytes) == 6 * VALUE_SIZE, "which takes its place");
	check(is_to_load(begin_sum(&c, &some, N - 1, false)),
		  "nor is it found with another number of elements");
	client_reopen(&c);
}

/* One that has another proof goes while somebody works on it. */
static void
test_replaced(void)
{
	static client other;
	gs_stored	later = some;
	uint32_t	chunk;

	later.xmin++;
	client_open(&other);
	check(load_part(&c, &some, 1, &chunk) && is_loaded(&other, &later, 2),
		  "replaced while it is loaded");
	check(load(&c, chunk, 1, 4096, N) && take_sum(&c) == N,
		  "who loads it goes on");
	check(is_kept(&other, &later, 2), "and it is not found");
	client_close(&other);
}

/* only_kept: the second time that somebody asks, it is worth loading. */
static void
test_only_kept(void)
{
	gs_stored	fresh = some;
	const gs_msg_lent *lent;
	int			again = 0;
	gs_header	end;

	fresh.value = 99;
	lent = begin_sum(&c, &fresh, N, true);
	check(lent != NULL && lent->outcome.status == GS_NOT_KEPT &&
		  lent->slots == 0, "only_kept: not the first time");
	client_send(&c, &end, GS_MSG_END, sizeof end);
	fresh.xmin++;
	lent = begin_sum(&c, &fresh, N, true);
	check(lent != NULL && lent->outcome.status == GS_NOT_KEPT,
		  "only_kept: nor another value of that name");
	client_send(&c, &end, GS_MSG_END, sizeof end);
	check(is_to_load(begin_sum(&c, &fresh, N, true)),
		  "only_kept: the second time");
	client_reopen(&c);

	/* a report over many, twice */
	for (int i = 0; i < 2 * MANY; i++)
	{
		fresh.value = 100000 + (uint32_t) (i % MANY);
		again += is_to_load(begin_sum(&c, &fresh, N, true));
		client_send(&c, &end, GS_MSG_END, sizeof end);
	}
	check(again > MANY * 9 / 10, "only_kept: of many, %d", again);
}

static bool
clear(void)
{
	gs_header	ask;

	client_send(&c, &ask, GS_MSG_CLEAR, sizeof ask);
	return client_receive(&c) == GS_MSG_CLEARED && STATE(cache_bytes) == 0;
}

/* A cache without anything in it, and a value of which one has loaded a part. */
static bool
load_part_anew(uint32_t *chunk)
{
	return clear() && load_part(&c, &some, 3, chunk);
}

/* Who finds that another loads waits for it, since patience has no end here. */
static void
test_waiting(void)
{
	static client other;
	uint32_t	chunk;

	client_open(&other);
	check(load_part_anew(&chunk), "one loads");
	send_begin(&other, &some, N, false);
	check(client_receive_any(&other) == GS_MSG_WAITING, "another waits for it");
	check(load(&c, chunk, 3, 4096, N) && take_sum(&c) == 3 * N, "to the end");
	check(is_hit(receive_lent(&other)) && take_sum(&other) == 3 * N,
		  "one who waited for it has a hit");

	check(load_part_anew(&chunk), "one loads, and leaves");
	send_begin(&other, &some, N, false);
	check(client_receive_any(&other) == GS_MSG_WAITING, "another waits for it");
	client_close(&c);
	check(load_all(&other, receive_lent(&other), 4), "and loads");
	client_close(&other);
	client_open(&c);
}

/* But not for one that has stopped. */
void
test_patience(void)
{
	char	   *little[] = {"--debug-patience=50", NULL};
	static client other;
	const gs_msg_lent *lent;
	uint32_t	chunk;
	service		s;

	service_start(&s, little);
	client_open(&c);
	client_open(&other);
	check(load_part_anew(&chunk), "one loads, and stops");
	lent = begin_sum(&other, &some, N, false);
	check(lent != NULL && lent->outcome.status == GS_OK && !lent->resident,
		  "the next one goes on without a copy");
	client_close(&c);
	client_close(&other);
	service_end(&s, SIGTERM);
}

#define EDGES_SIZE	(8 << 20)	/* bytes */
#define EDGES_MOST	7			/* of that size, that are kept in 64 MB */

/* BEGIN a histogram with stored edges, which are sent if they must be. */
static bool
give_edges(const gs_stored *stored, bool *hit)
{
	const gs_msg_lent *lent = (const gs_msg_lent *) c.buffer;
	const gs_msg_taken *taken = (const gs_msg_taken *) c.buffer;
	int64_t		total = EDGES_SIZE / sizeof(double);
	gs_msg_begin begin = {.op = {.kind = GS_HISTOGRAM_EDGES, .type = GS_INT4,
	.buckets = (int32_t) total - 1}, .n = N, .slots = 1};
	gs_msg_edges edges = {.count = CHUNK_SIZE / sizeof(double)};
	bool		good = true;
	double	   *room;
	gs_header	end;

	*hit = false;
	begin.argument[GS_EDGES].stored = *stored;
	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	if (client_receive(&c) != GS_MSG_LENT || lent->outcome.status != GS_OK)
		return false;
	*hit = lent->hit == 1u << GS_EDGES;
	room = (double *) client_chunk(&c, lent->input[0]);
	for (int64_t at = 0; good && !*hit && at < total; at += edges.count)
	{
		for (int64_t i = 0; i < edges.count; i++)
			room[i] = (double) (at + i);
		client_send(&c, &edges, GS_MSG_EDGES, sizeof edges);
		good = client_receive(&c) == GS_MSG_TAKEN &&
			taken->outcome.status == GS_OK;
	}
	client_send(&c, &end, GS_MSG_END, sizeof end);
	return good;
}

/* Edges are kept as well, but not as many as there is room for arrays. */
static void
test_edges(void)
{
	gs_stored	stored = some;
	bool		good = clear() && is_loaded(&c, &some, 9);
	int64_t		before = STATE(cache_bytes);
	bool		hit;
	int			hits = 0;

	for (int i = 0; i < EDGES_MOST; i++)
	{
		stored.value = 5000 + (uint32_t) i;
		good = good && give_edges(&stored, &hit) && !hit;
	}
	check(good && STATE(cache_bytes) - before > EDGES_MOST * EDGES_SIZE,
		  "edges are kept");
	for (int i = 0; i < EDGES_MOST; i++)
	{
		stored.value = 5000 + (uint32_t) i;
		good = good && give_edges(&stored, &hit);
		hits += hit;
	}
	check(good && hits == EDGES_MOST, "and found");
	stored.value = 6000;
	check(give_edges(&stored, &hit) && give_edges(&stored, &hit) && hit &&
		  STATE(cache_bytes) - before < (EDGES_MOST + 1) * EDGES_SIZE,
		  "one more makes room among edges");
	check(is_kept(&c, &some, 9), "and not among arrays");
	stored.value = 5000;
	check(give_edges(&stored, &hit) && !hit, "the oldest of them goes");
}

/* A small cache: what was used last stays, and never more than there is room. */
void
test_kept_size(void)
{
	char	   *little[] = {"--cache-size=120kB", NULL};
	char	   *none[] = {"--cache-size=0", NULL};
	gs_stored	value[4] = {some, some, some, some};
	static client other;
	const gs_msg_lent *lent;
	service		s;
	bool		good = true;
	gs_msg_begin scan = {.op = {.kind = GS_SCAN_SUM, .type = GS_INT4}, .n = N,
	.slots = 1, .argument = {[GS_DATA] = {.most = N}}};
	gs_header	end;

	service_start(&s, little);
	client_open(&c);
	for (int i = 0; i < 4; i++)
		value[i].value += (uint32_t) i;
	for (int i = 0; i < 3; i++)
		good = good && is_loaded(&c, &value[i], i);
	check(good && is_kept(&c, &value[0], 0), "room for three");
	check(is_loaded(&c, &value[3], 3) && is_kept(&c, &value[0], 0) &&
		  is_kept(&c, &value[2], 2), "a fourth: others stay");
	check(is_loaded(&c, &value[1], 1),
		  "but not the one that was not used for longest");
	check(STATE(cache_entries) == 3 && STATE(cache_bytes) == 3 * VALUE_SIZE,
		  "three at a time");

	/* the oldest stays while somebody uses it */
	client_open(&other);
	client_send(&c, &end, GS_MSG_CLEAR, sizeof end);
	check(client_receive(&c) == GS_MSG_CLEARED && is_loaded(&c, &value[0], 0),
		  "one is loaded");
	scan.argument[GS_DATA].stored = value[0];
	client_send(&other, &scan, GS_MSG_BEGIN, sizeof scan);
	check(client_receive(&other) == GS_MSG_LENT &&
		  is_hit((const gs_msg_lent *) other.buffer), "and used");
	for (int i = 1; i < 4; i++)
		good = good && is_loaded(&c, &value[i], i);
	check(good && is_kept(&c, &value[0], 0),
		  "what is in use stays, however old");
	client_reopen(&other);

	/* a large one is being loaded: no room for another */
	check(is_to_load(begin_sum(&other, &(gs_stored) {.database = 9}, 27000,
							   false)), "a large one needs all the room");
	lent = begin_sum(&c, &value[0], N, false);
	check(lent != NULL && lent->outcome.status == GS_OK && !lent->resident &&
		  lent->slots > 0, "what is in use does not go");
	check(STATE(cache_bytes) <= 120 * 1024, "the cap is held");
	client_close(&other);
	client_reopen(&c);
	lent = begin_sum(&c, &some, 40000, false);
	check(lent != NULL && !lent->resident, "a value larger than the cache");
	client_close(&c);
	service_end(&s, SIGTERM);

	service_start(&s, none);
	client_open(&c);
	lent = begin_sum(&c, &some, N, false);
	check(lent != NULL && lent->outcome.status == GS_OK && !lent->resident,
		  "--cache-size=0");
	client_reopen(&c);
	for (int i = 0; i < 2; i++)
	{
		lent = begin_sum(&c, &some, N, true);
		check(lent != NULL && lent->outcome.status == GS_NOT_KEPT,
			  "--cache-size=0, only_kept: not the copy that there is not");
		client_send(&c, &end, GS_MSG_END, sizeof end);
	}
	client_close(&c);
	service_end(&s, SIGTERM);
}

void
test_kept(void)
{
	client_open(&c);
	test_names();
	test_replaced();
	test_only_kept();
	test_waiting();
	test_edges();
	client_close(&c);
	check(service_is_idle(), "all is given back");
}
