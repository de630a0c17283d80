/*-------------------------------------------------------------------------
 *
 * report_memory.c
 *	  What is held of tables within a small cache, what is told of it, and
 *	  services that are slow or fail.
 *
 *-------------------------------------------------------------------------
 */
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "cache.h"
#include "heap.h"

#define TABLES		8

static backend b;
static heap h[TABLES];

static gs_msg_state
state_of(void)
{
	static client other;
	gs_header	ask;
	gs_msg_state state;

	client_open(&other);
	client_send(&other, &ask, GS_MSG_STATUS, sizeof ask);
	client_receive(&other);
	memcpy(&state, other.buffer, sizeof state);
	client_close(&other);
	return state;
}

static bool
is_within(void)
{
	gs_msg_state state = state_of();

	return state.column_bytes + state.cache_bytes <= state.cache_size;
}

/* A report that finds all pages, or none. */
static bool
finds_all(heap *of, unsigned columns)
{
	return backend_report(&b, of, columns) && b.held.usable == of->blocks;
}

static bool
finds_none(heap *of, unsigned columns)
{
	return backend_report(&b, of, columns) && b.held.usable == 0;
}

static void
test_eviction(void)
{
	char	   *little[] = {"--cache-size=100kB", NULL};
	static client other;
	static backend user;
	bool		good = true;
	service		s;

	service_start(&s, little);
	client_open(&b.r.c);
	client_open(&other);
	client_open(&user.r.c);
	for (int i = 0; i < TABLES; i++)
	{
		heap_init(&h[i], 8000 + (uint32_t) i, 200);
		good = good && finds_none(&h[i], 7) && finds_all(&h[i], 7) &&
			is_within();
	}
	check(good, "each table finds memory");
	check(finds_all(&h[TABLES - 1], 7), "the last one is held");
	check(finds_none(&h[0], 7), "the first one is not held any more");

	check(good && is_loaded(&other, &some, 1) && is_cached(&other, &some, 1),
		  "so do arrays");
	for (int i = 0; i < TABLES; i++)
		good = good && backend_report(&b, &h[i], 7) && finds_all(&h[i], 7) &&
			is_within();
	check(good && is_loaded(&other, &some, 1), "which tables drive out");

	/* what is in use stays */
	good = good && finds_none(&h[0], 7) && backend_begin(&user, &h[0], 7);
	backend_copy_map(&user);
	good = good && backend_map(&user, false) && user.held.usable == 200;
	for (int i = 1; i < TABLES; i++)
		good = good && finds_none(&h[i], 7) && is_within();
	check(good && finds_all(&h[0], 7) && backend_finish(&user),
		  "what a report uses is not evicted");

	/* a column that is not used goes before those that are */
	good = finds_none(&h[1], 7);
	for (int i = 2; i < TABLES && good; i++)
		good = finds_all(&h[1], 5) && backend_report(&b, &h[i], 2);
	check(good && finds_all(&h[1], 5), "columns that are used stay");
	client_close(&user.r.c);
	client_close(&other);
	client_close(&b.r.c);
	service_end(&s, SIGTERM);
}

/* A table that does not fit: a part of it stays. */
static void
test_large_table(void)
{
	char	   *tiny[] = {"--cache-size=20kB", NULL};
	char	   *none[] = {"--cache-size=0", NULL};
	int64_t		usable;
	bool		good;
	service		s;

	service_start(&s, tiny);
	client_open(&b.r.c);
	heap_init(&h[0], 8100, HEAP_BLOCKS);
	good = finds_none(&h[0], 7) && backend_report(&b, &h[0], 7);
	usable = b.held.usable;
	check(good && usable > 0 && usable < HEAP_BLOCKS && is_within(),
		  "%d of %d pages fit", (int) usable, HEAP_BLOCKS);
	for (int i = 0; i < 5; i++)
		good = good && backend_report(&b, &h[0], 7) &&
			b.held.usable == usable;
	check(good, "and stay");
	client_close(&b.r.c);
	service_end(&s, SIGTERM);

	service_start(&s, none);
	client_open(&b.r.c);
	check(finds_none(&h[0], 7) && finds_none(&h[0], 7) &&
		  state_of().columns == 0, "--cache-size=0");
	client_close(&b.r.c);
	service_end(&s, SIGTERM);
}

/*
 * A report that drops what is not true any more needs memory for a mask, and
 * only what it is about to use could be evicted.
 */
static void
test_mask(void)
{
	char		size[40];
	char	   *exact[] = {size, NULL};
	bool		good;
	service		s;

	service_start(&s, NULL);
	client_open(&b.r.c);
	heap_init(&h[0], 8150, 200);
	good = finds_none(&h[0], 4);

	/* and a little more, for what is known of a column */
	snprintf(size, sizeof size, "--cache-size=%d",
			 (int) state_of().column_bytes + 64);
	client_close(&b.r.c);
	service_end(&s, SIGTERM);

	service_start(&s, exact);
	client_open(&b.r.c);
	good = good && finds_none(&h[0], 4) && finds_all(&h[0], 4);
	heap_change(&h[0], 7);
	check(good && backend_report(&b, &h[0], 0) && b.held.usable == 199,
		  "a report does not evict what it uses");
	client_close(&b.r.c);
	service_end(&s, SIGTERM);
}

/*
 * A table grows, and so does what is known of a column that nobody uses; but the
 * memory for that must not be its own.
 */
static void
test_growth(void)
{
	char		size[40];
	char	   *exact[] = {size, NULL};
	int			held;
	bool		good;
	service		s;

	service_start(&s, NULL);
	client_open(&b.r.c);
	heap_init(&h[0], 8160, HEAP_MAP_BLOCKS);
	good = finds_none(&h[0], 1);
	held = (int) state_of().column_bytes;
	client_close(&b.r.c);
	service_end(&s, SIGTERM);

	/* one of these sizes leaves memory for all but that */
	for (int more = 0; more < 512 && good; more += 16)
	{
		snprintf(size, sizeof size, "--cache-size=%d", held + more);
		service_start(&s, exact);
		client_open(&b.r.c);
		heap_init(&h[0], 8160, HEAP_BLOCKS);
		h[0].blocks = HEAP_MAP_BLOCKS;
		good = finds_none(&h[0], 1) && finds_all(&h[0], 1);
		h[0].blocks = HEAP_BLOCKS;
		good = good && backend_report(&b, &h[0], 2) && is_within();
		client_close(&b.r.c);
		service_end(&s, SIGTERM);
	}
	check(good, "a table grows while memory is short");
}

/* What LIST_COLUMNS and STATUS tell. */
static void
test_list(void)
{
	const gs_msg_entries *head = (const gs_msg_entries *) b.r.c.buffer;
	const gs_msg_column_entry *entry = (const gs_msg_column_entry *) (head + 1);
	gs_msg_list list = {.from = 0};
	int64_t		rows = 0;
	int64_t		masked;
	int			width;
	int			seen = 0;
	bool		good;
	gs_msg_state state;
	service		s;

	service_start(&s, NULL);
	client_open(&b.r.c);
	heap_init(&h[0], 8200, 100);
	heap_init(&h[1], 8201, 50);
	good = finds_none(&h[0], 7) && finds_none(&h[1], 2);
	heap_change(&h[0], 7);
	masked = heap_rows(7, 0);
	good = good && backend_report(&b, &h[0], 3);
	for (uint32_t i = 0; i < 100; i++)
		rows += i == 7 ? 0 : heap_rows(i, 0);
	client_send(&b.r.c, &list, GS_MSG_LIST_COLUMNS, sizeof list);
	good = good && client_receive(&b.r.c) == GS_MSG_COLUMN_ENTRIES &&
		head->next == 0 && head->count == 4;
	for (int i = 0; i < 4 && good; i++)
	{
		if (entry[i].id.relation != 8200)
			continue;
		width = entry[i].attribute == 1 ? 1 : entry[i].attribute == 2 ? 4 : 8;
		seen |= 1 << entry[i].attribute;
		good = entry[i].rows == rows && entry[i].masked == masked &&
			entry[i].bytes >= width * rows &&
			entry[i].bytes < 2 * width * rows && entry[i].segments == 1 &&
			entry[i].hits == (entry[i].attribute < 3) &&
			entry[i].type == (entry[i].attribute == 1 ? GS_INT4 :
							  entry[i].attribute == 2 ? GS_INT8 : GS_FLOAT8) &&
			entry[i].last_used > INT64_C(1700000000000000);
	}
	check(good && seen == 14, "columns are listed");
	state = state_of();
	check(state.columns == 4 && state.column_bytes > 0 && state.reports == 3 &&
		  state.report_held == (uint64_t) rows && state.report_fed > 0,
		  "and counted");
	heap_vacuum_all(&h[0]);
	check(backend_report(&b, &h[0], 3) && b.verified == 63 &&
		  state_of().report_verified == 63, "verified pages, too");
	client_send(&b.r.c, &list.header, GS_MSG_CLEAR, sizeof list.header);
	check(client_receive(&b.r.c) == GS_MSG_CLEARED &&
		  ((gs_msg_cleared *) b.r.c.buffer)->count == 4 &&
		  state_of().columns == 0 && state_of().column_bytes == 0,
		  "CLEAR leaves nothing");

	/* more than a message holds */
	for (uint32_t i = 0; i < 1000; i++)
	{
		heap_init(&h[0], 10000 + i, 3);
		good = good && finds_none(&h[0], 1);
	}
	for (seen = 0;; list.from = head->next)
	{
		client_send(&b.r.c, &list, GS_MSG_LIST_COLUMNS, sizeof list);
		client_receive(&b.r.c);
		seen += (int) head->count;
		if (head->next == 0)
			break;
	}
	check(good && seen == 1000, "1000 columns in several parts");
	client_close(&b.r.c);
	service_end(&s, SIGTERM);
}

/*
 * An engine without memory: what nobody uses is evicted, the report tries
 * again, and then it fails alone.
 */
static void
test_no_memory(void)
{
	static client other;
	gs_msg_begin sort = {.op = {.kind = GS_SORT, .type = GS_INT4},
	.n = ((INT64_C(4) << 30) - (3 << 20)) / 24, .lanes = 1};
	const gs_operand key = GS_COLUMN(0);
	const uint8_t column = GS_INT8;
	const gs_aggregate histogram = {
		.kind = GS_AGG_HISTOGRAM, .a = GS_COLUMN(0), .b = GS_NOTHING,
		.filter = GS_NOTHING, .buckets = 2000,
		.formula = GS_BUCKET_PRODUCT_FIRST, .high = 1
	};
	const gs_plan large = {
		.columns = 1, .filter = GS_NOTHING, .column = &column, .keys = 1,
		.key = &key, .aggregates = 1, .aggregate = &histogram
	};
	const int16_t attribute = 2;
	bool		good;
	service		s;

	service_start(&s, NULL);
	client_open(&b.r.c);
	client_open(&other);
	heap_init(&h[0], 8300, 200);
	heap_init(&h[1], 8301, 200);
	good = finds_none(&h[0], 2) && finds_none(&h[1], 2);
	client_send(&other, &sort, GS_MSG_BEGIN, sizeof sort);
	good = good && client_receive(&other) == GS_MSG_GRANTED;
	good = good && report_begin(&b.r, &large, 1);
	report_table(&b.r, &h[0].id, 200, HEAP_MAP_BLOCKS, true, &attribute);
	check(good && backend_map(&b, false) && b.held.usable == 200 &&
		  !report_finish(&b.r) && b.r.status == GS_NO_MEMORY,
		  "a report that needs too much memory");
	report_end(&b.r);
	check(finds_none(&h[1], 2) && finds_all(&h[0], 2),
		  "what it did not use was evicted");
	client_close(&other);
	client_close(&b.r.c);
	check(service_is_idle(), "everything is released");
	service_end(&s, SIGTERM);
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static void
test_debug(void)
{
	char	   *slow[] = {"--debug-delay=100", NULL};
	char	   *failing[] = {"--debug-fail-after=3", NULL};
	double		since;
	bool		good;
	service		s;

	heap_init(&h[0], 8400, 100);
	service_start(&s, slow);
	client_open(&b.r.c);
	since = now();
	good = finds_none(&h[0], 1);
	check(good && now() - since >= 0.2, "two FEED_ROWS that are slow");
	since = now();
	check(finds_all(&h[0], 1) && now() - since >= 0.1,
		  "and a segment that is");
	client_close(&b.r.c);
	service_end(&s, SIGTERM);

	service_start(&s, failing);
	client_open(&b.r.c);
	good = finds_none(&h[0], 1) && backend_begin(&b, &h[0], 1);
	backend_copy_map(&b);
	good = good && backend_map(&b, false) && b.held.usable == 100 &&
		report_finish(&b.r);
	report_end(&b.r);
	good = good && backend_begin(&b, &h[0], 1) && backend_map(&b, false);
	check(good && !report_finish(&b.r) && b.r.status == GS_DEVICE_LOST,
		  "a device that fails");
	check(WEXITSTATUS(service_end(&s, 0)) == 3, "and gpuscand, which ends");
	client_close(&b.r.c);
}

/*
 * Does a report of a hundred segments, five seconds of work, end soon when
 * its client has gone?  A page has changed, and USABLE does not come, so that
 * nothing is computed before FINISH_REPORT.
 */
static bool
ends_soon(bool *good)
{
	gs_msg_finish_report finish = {.groups_max = 0};
	double		since;

	client_open(&b.r.c);
	heap_change(&h[0], 7);
	*good = *good && backend_begin(&b, &h[0], 1);
	backend_copy_map(&b);
	for (int i = 0; i < 100 && *good; i++)
	{
		report_table(&b.r, &h[0].id, 100, HEAP_MAP_BLOCKS, true, b.attribute);
		*good = backend_map(&b, false) && b.held.usable == 99;
	}
	client_send(&b.r.c, &finish, GS_MSG_FINISH_REPORT, sizeof finish);
	since = now();
	client_close(&b.r.c);
	*good = *good && service_is_idle();
	return now() - since < 2.5;
}

/*
 * It ends with the segment that is being computed: in one of some tries, as the
 * host may be busy.
 */
static void
test_gone(void)
{
	char	   *slow[] = {"--debug-delay=50", NULL};
	bool		good;
	bool		soon = false;
	service		s;

	heap_init(&h[0], 8500, 100);
	service_start(&s, slow);
	client_open(&b.r.c);
	good = finds_none(&h[0], 1);
	client_close(&b.r.c);
	for (int i = 0; i < TRIES && good && !soon; i++)
		soon = ends_soon(&good);
	check(good && soon, "a report ends when its client has gone");
	service_end(&s, SIGTERM);
}

/*
 * While a report computes, another one over the same columns begins, and hears
 * what is held: at once, in one of some tries.
 */
static void
test_begin_beside(void)
{
	static backend second;
	char	   *slow[] = {"--debug-delay=300", NULL};
	bool		good;
	bool		soon = false;
	service		s;

	heap_init(&h[0], 8600, 100);
	service_start(&s, slow);
	client_open(&b.r.c);
	client_open(&second.r.c);
	good = finds_none(&h[0], 1);
	for (int i = 0; i < TRIES && good && !soon; i++)
	{
		double		since;

		good = backend_begin(&b, &h[0], 1);
		backend_copy_map(&b);
		good = good && backend_map(&b, false) && b.held.usable == 100;
		since = now();
		good = good && backend_begin(&second, &h[0], 1);
		backend_copy_map(&second);
		good = good && backend_map(&second, false) && second.held.usable == 100;
		soon = now() - since < 0.15;
		good = good && backend_finish(&b) && backend_finish(&second);
	}
	check(good && soon, "a report begins while another one computes");
	client_close(&b.r.c);
	client_close(&second.r.c);
	service_end(&s, SIGTERM);
}

void
test_report_memory(void)
{
	test_eviction();
	test_large_table();
	test_mask();
	test_growth();
	test_list();
	test_no_memory();
	test_debug();
	test_gone();
	test_begin_beside();
}
