/*-------------------------------------------------------------------------
 *
 * report_codes.c
 *	  Columns that are held as codes, and the dictionaries that they name.
 *
 *-------------------------------------------------------------------------
 */
#include <signal.h>

#include "dictionary_client.h"
#include "heap.h"

#define BLOCKS		200
#define TABLES		8			/* more than fit in a small cache */

static question q;
static backend b;
static heap h[TABLES];

/* A report whose first column has codes; how many pages were held? */
static bool
reports(heap *of, uint64_t dictionary, int64_t held)
{
	b.r.dictionary[0] = dictionary;
	return backend_report(&b, of, 7) && b.held.usable == held;
}

static void
test_columns(void)
{
	uint64_t	one = dictionary_id(&b.r.c, 200);
	uint64_t	other = dictionary_id(&b.r.c, 201);

	heap_init(&h[0], 9000, BLOCKS);
	check(reports(&h[0], one, 0) && reports(&h[0], one, BLOCKS),
		  "codes are held");
	check(reports(&h[0], other, 0) && reports(&h[0], 0, 0),
		  "but are not another dictionary's, and no numbers");
	check(reports(&h[0], one, BLOCKS) && reports(&h[0], other, BLOCKS) &&
		  reports(&h[0], 0, BLOCKS), "each column stays");
	heap_change(&h[0], 5);
	check(reports(&h[0], other, BLOCKS - 1) && reports(&h[0], one, BLOCKS - 1),
		  "all of them lose a page that changes");
	service_clear(&b.r.c);
	check(dictionary_id(&b.r.c, 200) != one && service_column_bytes(&b.r.c) > 0,
		  "a dictionary that was lost has another id");
}

/* The answer to what follows, after all messages that are discarded. */
static bool
is_discarded(client *c, void *message, gs_message kind, size_t size)
{
	gs_header	ask;

	client_send(c, message, kind, size);
	client_send(c, &ask, GS_MSG_STATUS, sizeof ask);
	return client_receive(c) == GS_MSG_STATE;
}

/* TABLE with a dictionary that gpuscand has not, or not any more. */
static void
test_stale(void)
{
	client	   *c = &b.r.c;
	uint64_t	stale[3] = {1};
	uint64_t	id;
	bool		good;

	stale[1] = dictionary_id(c, 210);
	service_clear(c);
	id = dictionary_id(c, 210);
	ask_begin(&q, c, 210);
	q.message.m.database++;
	good = ask_answered(&q, GS_OK);
	stale[2] = q.answer->id;
	heap_init(&h[0], 9100, BLOCKS);
	for (int i = 0; i < 3 && good; i++)
	{
		b.r.dictionary[0] = stale[i];
		good = backend_begin(&b, &h[0], 7);
		backend_copy_map(&b);
		good = good && !backend_map(&b, false) &&
			b.r.status == GS_NOT_CACHED &&
			is_discarded(c, &q.message, GS_MSG_DICTIONARY, q.size);
		report_end(&b.r);
	}
	check(good && reports(&h[0], id, 0) && reports(&h[0], id, BLOCKS),
		  "MAP tells of a dictionary that is not there");

	b.r.dictionary[0] = stale[0];
	good = backend_begin(&b, &h[0], 7);
	check(good && !report_finish(&b.r) && b.r.status == GS_NOT_CACHED,
		  "FINISH_REPORT does");
	report_end(&b.r);
	for (int i = 0; i < 2; i++)
	{
		uint32_t	from = 0;

		b.r.dictionary[0] = i == 0 ? stale[0] : id;
		good = report_begin(&b.r, &b.plan, 1);
		report_table(&b.r, &h[0].id, BLOCKS, HEAP_MAP_BLOCKS, false,
					 b.attribute);
		memset(b.usable, 0, sizeof b.usable);
		memset(b.map, 0, sizeof b.map);
		while (good && from < b.blocks)
			good = backend_read(&b, &from, 60);
		if (i == 0)
		{
			check(!good && b.r.status == GS_NOT_CACHED, "FEED_ROWS does");
			report_end(&b.r);
		}
		else
			check(good && backend_finish(&b), "unless it is there");
	}
}

/* In a report: values that do not fit are no failure. */
static void
test_within(void)
{
	uint64_t	id = dictionary_id(&b.r.c, 220);
	uint32_t	from = 0;
	bool		good;

	heap_init(&h[0], 9200, BLOCKS);
	b.r.dictionary[0] = id;
	good = backend_begin(&b, &h[0], 7);
	backend_copy_map(&b);
	good = good && backend_map(&b, false) && backend_usable(&b);
	while (good && from < b.blocks)
	{
		good = backend_read(&b, &from, 60);
		ask_begin(&q, &b.r.c, 220);
		q.message.m.id = id;
		ask_number(&q, (int) from, 4);
		good = good && ask_answered(&q, GS_OK);
		ask_number(&q, 0, GS_DICTIONARY_VALUE_MAX + 1);
		good = good && ask_answered(&q, GS_NO_MEMORY);
	}
	check(good && q.answer->n == 4 && backend_finish(&b),
		  "values come between the rows of a report");

	/* CLEAR takes it from everybody else */
	good = backend_begin(&b, &h[0], 7);
	service_clear(&b.r.c);
	ask_begin(&q, &b.r.c, 220);
	q.message.m.id = id;
	ask_text(&q, "new");
	good = good && ask_answered(&q, GS_OK) && ask_has(&q, 0, 0) &&
		q.answer->id != id;
	backend_copy_map(&b);
	good = good && backend_map(&b, false) && backend_usable(&b);
	for (from = 0; good && from < b.blocks;)
		good = backend_read(&b, &from, 60);
	check(good && backend_finish(&b),
		  "a report goes on with a dictionary that was cleared");
}

/* ----------
 * Memory
 * ----------
 */

static void
test_little(void)
{
	char	   *little[] = {"--cache-size=100kB", NULL};
	char	   *none[] = {"--cache-size=0", NULL};
	client		c;
	service		s;
	uint64_t	used;
	bool		good = true;

	service_start(&s, little);
	client_open(&b.r.c);
	client_open(&c);
	for (uint32_t i = 0; i < TABLES; i++)
		heap_init(&h[i], 9300 + i, BLOCKS);

	used = dictionary_id(&c, 300);
	good = dictionary_add(&c, 300, 0, 100, 20) && reports(&h[0], used, 0);
	for (int i = 1; i < TABLES; i++)
		good = good && reports(&h[i], 0, 0) && reports(&h[0], used, BLOCKS);
	good = good && reports(&h[1], 0, 0);
	check(good && dictionary_id(&c, 300) == used &&
		  dictionary_has(&c, 300, 100, 20),
		  "a dictionary that is used stays");

	/* TABLE has no answer */
	b.r.dictionary[0] = used;
	good = backend_begin(&b, &h[0], 7) && dictionary_id(&b.r.c, 300) == used;
	for (uint32_t i = 0; i < 4; i++)
		good = good && dictionary_add(&c, 301 + i, 0, 1000, 20);
	good = good && !dictionary_add(&c, 400, 0, 1000, 100) &&
		service_column_bytes(&c) <= 100 * 1024;
	check(good && dictionary_id(&c, 300) == used &&
		  dictionary_has(&c, 300, 100, 20),
		  "one that a report uses does, too, if others find no memory");
	backend_copy_map(&b);
	good = good && backend_map(&b, false) && b.held.usable == BLOCKS;
	report_end(&b.r);
	good = good && service_column_bytes(&b.r.c) > 0;	/* nor has END */
	for (uint32_t i = 0; i < 4; i++)
		good = good && dictionary_add(&c, 311 + i, 0, 1000, 20);
	check(good && dictionary_id(&c, 300) != used, "then it goes");
	client_close(&c);
	client_close(&b.r.c);
	check(service_end(&s, SIGTERM) == 0, "gpuscand ends in order");

	service_start(&s, none);
	client_open(&c);
	ask_begin(&q, &c, 300);
	ask_text(&q, "one");
	check(ask_answered(&q, GS_NO_MEMORY) && ask_has(&q, 0, 0) &&
		  q.answer->id == 0, "--cache-size=0");
	client_close(&c);
	service_end(&s, SIGTERM);
}

void
test_report_codes(void)
{
	service		s;

	service_start(&s, NULL);
	client_open(&b.r.c);
	test_columns();
	test_stale();
	test_within();
	check(service_column_bytes(&b.r.c) > 0, "all of it counts");
	service_clear(&b.r.c);
	check(service_column_bytes(&b.r.c) == 0, "and CLEAR leaves nothing");
	client_close(&b.r.c);
	check(service_end(&s, SIGTERM) == 0, "gpuscand ends in order");
	test_little();
}
