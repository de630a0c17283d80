/*-------------------------------------------------------------------------
 *
 * report_tiers.c
 *	  What does not fit a small cache is on the host, and what is used most
 *	  comes back.
 *
 *-------------------------------------------------------------------------
 */
#include <signal.h>

#include "heap.h"

#define TABLES		8
#define PAGES		200
#define COLUMN		4			/* the one with the widest values, alone */

static backend b;
static heap h[TABLES];
static int	size;				/* of a table's column, with what is known of it */
static char one[20];			/* room for that */
static char two[20];			/* for two such columns, but for half of the values
								 * of one */

static gs_msg_state
state_of(void)
{
	gs_header	ask;
	gs_msg_state state;

	client_send(&b.r.c, &ask, GS_MSG_STATUS, sizeof ask);
	client_receive(&b.r.c);
	memcpy(&state, b.r.c.buffer, sizeof state);
	return state;
}

/* Are both tiers within their limits? */
static bool
is_within(void)
{
	gs_msg_state state = state_of();

	return state.column_bytes <= state.cache_size &&
		state.host_bytes <= state.host_cache_size;
}

/* What is held of a table's columns; *host: of that, on the host. */
static int64_t
held_of(const heap *of, int64_t *host)
{
	const gs_msg_entries *head = (const gs_msg_entries *) b.r.c.buffer;
	const gs_msg_column_entry *entry = (const gs_msg_column_entry *) (head + 1);
	gs_msg_list list = {.from = 0};
	int64_t		bytes = 0;

	*host = 0;
	client_send(&b.r.c, &list, GS_MSG_LIST_COLUMNS, sizeof list);
	client_receive(&b.r.c);
	for (int64_t i = 0; i < head->count; i++)
	{
		if (entry[i].id.relation != of->id.relation)
			continue;
		bytes += entry[i].bytes;
		*host += entry[i].host_bytes;
	}
	return bytes;
}

static int64_t
on_host(const heap *of)
{
	int64_t		host;

	held_of(of, &host);
	return host;
}

/* A report that is right; so many pages need not be read. */
static bool
finds(heap *of, unsigned columns, int64_t pages)
{
	return backend_report(&b, of, columns) && b.held.usable == pages &&
		is_within();
}

static void
start(service *s, const char *device, const char *host)
{
	char		device_size[40];
	char		host_size[40];
	char	   *tiers[] = {device_size, host_size, NULL};

	snprintf(device_size, sizeof device_size, "--cache-size=%s", device);
	snprintf(host_size, sizeof host_size, "--host-cache-size=%s", host);
	service_start(s, tiers);
	client_open(&b.r.c);
	for (int i = 0; i < TABLES; i++)
		heap_init(&h[i], 8600 + (uint32_t) i, PAGES);
}

static void
end(service *s)
{
	client_close(&b.r.c);
	service_end(s, SIGTERM);
}

static void
measure(void)
{
	int			values;
	int64_t		host;
	service		s;

	start(&s, "1GB", "0");
	check(finds(&h[0], COLUMN, 0), "a column");
	size = (int) state_of().column_bytes;
	values = (int) held_of(&h[0], &host);
	end(&s);
	snprintf(one, sizeof one, "%d", size);
	snprintf(two, sizeof two, "%d", 2 * size - values / 2);
}

/* A table larger than the device's part, while it changes. */
static void
test_large(void)
{
	bool		good;
	service		s;

	start(&s, one, "1MB");
	good = finds(&h[0], 7, 0) && finds(&h[0], 7, PAGES);
	check(good && on_host(&h[0]) > 0, "a table that does not fit is held");
	for (uint32_t i = 0; i < 40 && good; i++)
	{
		heap_change(&h[0], i * 3);
		good = finds(&h[0], 7, PAGES - 1);
		heap_vacuum_all(&h[0]);
		good = good && finds(&h[0], i % 7 + 1, PAGES - 1);
		good = good && backend_report(&b, &h[0], 7);
	}
	check(good && on_host(&h[0]) > 0, "and its changes");
	end(&s);
}

/* Of two columns, what is known of pages is on the device, and the values of one. */
static void
test_heat(void)
{
	heap	   *near = &h[0];
	heap	   *far = &h[1];
	int64_t		values;
	bool		good;
	service		s;

	start(&s, two, "1MB");
	good = finds(near, COLUMN, 0) && finds(far, COLUMN, 0);
	if (on_host(far) == 0)
	{
		near = &h[1];
		far = &h[0];
	}
	values = on_host(far);
	check(good && values > 0 && on_host(near) == 0,
		  "one of two columns is on the device");
	for (int i = 0; i < 10 && good; i++)
		good = finds(near, COLUMN, PAGES) && on_host(near) == 0 &&
			finds(far, COLUMN, PAGES) && on_host(far) == values;
	check(good, "columns used in turn do not change places");
	for (int i = 0; i < 30 && good; i++)
		good = finds(far, COLUMN, PAGES);
	check(good && on_host(far) == 0 && on_host(near) > 0,
		  "one that is used more does");
	check(finds(near, COLUMN, PAGES), "which costs no pages");
	client_send(&b.r.c, &(gs_header) {0}, GS_MSG_CLEAR, sizeof(gs_header));
	check(client_receive(&b.r.c) == GS_MSG_CLEARED &&
		  state_of().column_bytes == 0 && state_of().host_bytes == 0,
		  "CLEAR clears both tiers");
	check(finds(far, COLUMN, 0) && on_host(far) == 0, "and there is room again");
	end(&s);
}

/* Pages of a table of doubles: how many rows, all of which have this value. */
typedef struct doubles
{
	int			rows;
	double		value;
} doubles;

#define DOUBLES_MAX		1500	/* rows of a page */

/* The number of pages of a table that has some more, which nobody reads. */
#define DOUBLES_BLOCKS	64

/*
 * A report of a table of which so many pages are held, and others are read
 * together; it has a group for each page.
 */
static bool
finds_doubles(const gs_table_id *id, const doubles *page, int held, int pages,
			  uint32_t blocks)
{
	static const gs_operand key = GS_COLUMN(0);
	static const gs_aggregate count = {
		.kind = GS_AGG_COUNT, .a = GS_NOTHING, .b = GS_NOTHING,
		.filter = GS_NOTHING
	};
	static const uint8_t column = GS_FLOAT8;
	static const gs_plan plan = {
		.columns = 1, .filter = GS_NOTHING, .column = &column, .keys = 1,
		.key = &key, .aggregates = 1, .aggregate = &count
	};
	static double values[3 * DOUBLES_MAX];
	const void *rows = values;
	const bool *nulls = NULL;
	gs_page_rows read[3];
	heap_map	map = {1, UINT64_MAX >> (64 - blocks)};
	int64_t		n = 0;
	int64_t		all = 0;
	bool		good = report_begin(&b.r, &plan, 1);

	report_table(&b.r, id, blocks, DOUBLES_BLOCKS, true, NULL);
	good = good && report_map(&b.r, &map, false) && b.r.pages.usable == held;
	for (int i = 0; i < pages; i++)
	{
		for (int row = 0; row < page[i].rows && i >= held; row++)
			values[n++] = page[i].value;
		if (i >= held)
			read[i - held] = (gs_page_rows) {
				.block = (uint32_t) i, .rows = (uint32_t) page[i].rows,
				.lsn = (uint64_t) i + 1, .keep = GS_KEEP_VISIBLE
			};
		all += page[i].rows;
	}
	good = good && (n == 0 ||
					report_rows(&b.r, n, &rows, &nulls, read, pages - held)) &&
		report_look(&b.r, &map) && report_finish(&b.r) &&
		b.r.summary.groups == pages && b.r.summary.rows == all;
	for (int g = 0; g < pages && good; g++)
	{
		double		value;
		int64_t		found;
		bool		known = false;

		good = report_groups(&b.r, GS_FETCH_KEY(0), g, 1);
		memcpy(&value, report_slot(&b.r, 0), sizeof value);
		good = good && report_groups(&b.r, GS_FETCH_STATE(0), g, 1);
		memcpy(&found, report_slot(&b.r, 0), sizeof found);
		for (int i = 0; i < pages; i++)
			known |= page[i].value == value && page[i].rows == found;
		good = good && known;
	}
	report_end(&b.r);
	return good;
}

/*
 * Values move to the host while they have a place for rows that are not written
 * yet: those of the second page, while the third one needs a segment.  Whatever is
 * there must not be taken for numbers of a unit, in which these rows have no place.
 */
static void
test_unwritten(void)
{
	static const doubles page[] = {
		{DOUBLES_MAX, 0}, {100, 1.0 / 3}, {DOUBLES_MAX, 0.01}
	};
	gs_table_id id = {.database = 7, .relation = 8700};
	char		size_of_one[20];
	uint64_t	before;
	bool		good;
	service		s;

	start(&s, "1GB", "1MB");
	good = finds_doubles(&id, page, 0, 1, 1);
	before = state_of().column_bytes;
	end(&s);
	check(good, "a page of doubles");

	/* with the table's pages, but without a bitmap for so many rows */
	snprintf(size_of_one, sizeof size_of_one, "%d", (int) before +
			 DOUBLES_BLOCKS * 48 + 1000);
	start(&s, size_of_one, "1MB");
	good = finds_doubles(&id, page, 0, 1, 1) &&
		state_of().column_bytes == before;
	check(good && finds_doubles(&id, page, 1, 3, DOUBLES_BLOCKS) && is_within(),
		  "values move while others are to be written");
	check(good && state_of().column_bytes < before,
		  "of the segment that they belong to");
	check(good && finds_doubles(&id, page, 3, 3, DOUBLES_BLOCKS),
		  "and all are held");
	end(&s);
}

/* The host's part has a limit, too. */
static void
test_full(void)
{
	char		host[20];
	bool		good = true;
	service		s;

	snprintf(host, sizeof host, "%d", 3 * size);
	start(&s, two, host);
	for (int i = 0; i < TABLES; i++)
		good = good && finds(&h[i], COLUMN, 0);
	check(good && finds(&h[TABLES - 1], COLUMN, PAGES) &&
		  finds(&h[TABLES - 2], COLUMN, PAGES), "what was read last is held");
	check(finds(&h[1], COLUMN, 0), "the rest was evicted");

	/* values are on the host, but masks are not */
	for (int i = 0; i < 100 && good; i++)
	{
		heap	   *of = &h[i * 7 % TABLES];

		heap_change(of, (uint32_t) (i * 3 % PAGES));
		good = backend_report(&b, of, (unsigned) i % 8) && is_within();
		if (i % 5 == 0)
			heap_vacuum_all(of);
	}
	check(good, "tables drive each other out of both tiers");
	client_close(&b.r.c);
	check(service_is_idle(), "everything is released");
	service_end(&s, SIGTERM);
}

void
test_report_tiers(void)
{
	measure();
	test_large();
	test_heat();
	test_full();
	test_unwritten();
}
