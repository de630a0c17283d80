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
}
