/*-------------------------------------------------------------------------
 *
 * report_fresh.c
 *	  When what gpuscand holds of a table's pages is used, rule by rule.
 *
 *-------------------------------------------------------------------------
 */
#include "heap.h"

#define BLOCKS	200

static backend b;
static heap h;
static uint32_t relation = 1000;

/* A table of which these columns are held. */
static bool
load(unsigned columns)
{
	heap_init(&h, ++relation, BLOCKS);
	return backend_report(&b, &h, columns) && b.held.usable == 0 &&
		b.fed == BLOCKS && backend_report(&b, &h, columns) &&
		b.held.usable == BLOCKS && b.held.masked == 0;
}

/* A report that finds so many pages. */
static bool
finds(unsigned columns, int64_t pages)
{
	return backend_report(&b, &h, columns) && b.held.usable == pages;
}

static bool
begin_and_map(unsigned columns)
{
	if (!backend_begin(&b, &h, columns))
		return false;
	backend_copy_map(&b);
	return backend_map(&b, false);
}

static bool
read_all(void)
{
	uint32_t	from = 0;

	while (from < b.blocks)
	{
		if (!backend_read(&b, &from, 30))
			return false;
	}
	return true;
}

static void
test_bit(void)
{
	bool		good = load(7);

	check(good, "all pages are held");
	heap_change(&h, 5);
	heap_change(&h, 70);
	check(finds(7, BLOCKS - 2) && b.held.masked > 0,
		  "but for those whose bit is not set");
	h.map[0].visible |= UINT64_C(1) << 5;
	check(finds(7, BLOCKS - 2) && finds(7, BLOCKS - 1),
		  "which are not held any more, until they are read again");
}

static void
test_map_lsn(void)
{
	bool		good = load(3);

	heap_change(&h, 5);
	heap_vacuum(&h, 0, INT64_MAX);
	check(good && begin_and_map(3) && b.held.verify == 64 &&
		  b.held.usable == 0, "a map page with another LSN: verify");
	check(backend_map(&b, true) && b.held.verify == 0 &&
		  b.held.usable == BLOCKS - 64 && backend_usable(&b) &&
		  read_all() && backend_finish(&b), "or do without");
	check(finds(3, BLOCKS - 1) && b.verified == 64,
		  "of its pages, those with the same LSN are verified");
	check(finds(3, BLOCKS) && b.verified == 0, "once");
}

static void
test_look(void)
{
	bool		good;

	heap_init(&h, ++relation, BLOCKS);
	good = begin_and_map(7) && backend_usable(&b) && read_all();
	heap_change(&h, 9);
	backend_copy_map(&b);
	check(good && backend_look(&b) && b.r.pages.usable == BLOCKS - 1 &&
		  backend_finish(&b) && finds(7, BLOCKS - 1),
		  "a page that changed before the second look");

	heap_init(&h, ++relation, BLOCKS);
	good = begin_and_map(7) && backend_usable(&b) && read_all();
	heap_change(&h, 9);
	heap_vacuum(&h, 0, INT64_MAX);
	backend_copy_map(&b);
	check(good && backend_look(&b) && backend_finish(&b) &&
		  finds(7, BLOCKS - 64), "and whose bit was set again");

	/* it is read with the LSN that it keeps, but as the snapshot sees it */
	heap_init(&h, ++relation, BLOCKS);
	good = begin_and_map(7) && backend_usable(&b);
	heap_change(&h, 9);
	good = good && read_all();
	backend_copy_map(&b);
	good = good && backend_look(&b) && backend_finish(&b);
	heap_vacuum_all(&h);
	check(good && finds(7, BLOCKS - 1), "a page that changed before it was read");
}

/* LOOK takes only pages whose bit was set in MAP. */
static void
test_bit_in_map(void)
{
	bool		good;

	heap_init(&h, ++relation, BLOCKS);
	h.map[0].visible &= ~(UINT64_C(1) << 9);
	good = begin_and_map(7) && backend_usable(&b);
	b.map[0].visible |= UINT64_C(1) << 9;
	good = good && read_all();
	h.map[0].visible |= UINT64_C(1) << 9;
	backend_copy_map(&b);
	check(good && backend_look(&b) && backend_finish(&b) &&
		  finds(7, BLOCKS - 1), "a page whose bit was not set in MAP");
}

static void
test_identity(void)
{
	bool		good = load(7);
	gs_table_id id = h.id;

	h.id.relation += 10000;
	good = good && finds(7, 0);
	h.id = id;
	h.id.database++;
	good = good && finds(7, 0);
	h.id = id;
	h.id.tablespace++;
	check(good && finds(7, 0), "another database, tablespace or relfilenode");
	h.id = id;
	check(finds(7, BLOCKS), "has pages of its own");
}

static void
test_blocks(void)
{
	bool		good = load(7);

	h.blocks = 120;
	check(good && finds(7, 120), "a table that has become smaller");
	h.blocks = BLOCKS;
	check(finds(7, 120) && b.fed == BLOCKS - 120 && finds(7, BLOCKS),
		  "and larger again");
	h.blocks = BLOCKS + 10;
	heap_vacuum_all(&h);
	check(finds(7, BLOCKS) && finds(7, BLOCKS + 10), "a table that grows");
}

static void
test_columns(void)
{
	check(load(1) && finds(2, 0) && finds(3, BLOCKS) &&
		  b.held.masked == 0, "columns join in the same rows");
	check(finds(4, 0) && finds(7, BLOCKS) && finds(5, BLOCKS) &&
		  finds(0, BLOCKS), "in any order, or none");
	check(load(1), "another table");
	heap_change(&h, 3);
	heap_vacuum_all(&h);
	check(finds(2, 0) && finds(2, BLOCKS), "a page that changed, for one");
	check(finds(1, BLOCKS - 1), "has not the other's old values");
	check(load(0) && finds(0, BLOCKS) && finds(7, 0) && finds(7, BLOCKS),
		  "a report without columns");
	check(load(1) && report_begin(&b.r, &b.plan, 1), "another attribute");
	report_table(&b.r, &h.id, BLOCKS, HEAP_MAP_BLOCKS, true, &(int16_t) {9});
	check(backend_map(&b, false) && b.held.usable == 0, "of the same type");
	report_end(&b.r);
}

/* What was read under a later LSN confirms what is held of other columns. */
static void
test_reading_verifies(void)
{
	bool		good = load(1);

	heap_change(&h, 100);
	heap_vacuum_all(&h);
	check(good && finds(2, 0) && b.verified == 0 && finds(3, BLOCKS - 1) &&
		  b.verified == 0, "reading pages again verifies them");

	/* but not all of them */
	good = load(1);
	heap_change(&h, 100);
	heap_vacuum_all(&h);
	good = good && begin_and_map(2) && backend_usable(&b) &&
		backend_read(&b, &(uint32_t) {64}, 27) && backend_look(&b);
	report_end(&b.r);
	check(good && finds(1, BLOCKS - 64 + 27) && b.verified == 0,
		  "but only those that were");
}

/* Pages whose bits are not set. */
static void
test_settled(void)
{
	static backend old;
	uint64_t	all = UINT64_MAX;
	bool		good = load(7);

	client_open(&old.r.c);
	b.settles = true;
	heap_change(&h, 5);
	heap_change(&h, 70);
	check(good && finds(7, BLOCKS - 2) && b.fed == 2 && finds(7, BLOCKS) &&
		  b.verified == 2 && finds(7, BLOCKS) && b.verified == 2,
		  "settled pages are held, and verified each time");
	heap_change(&h, 5);
	check(finds(7, BLOCKS - 1) && b.verified == 2 && finds(7, BLOCKS),
		  "but for those that have changed");
	heap_vacuum_all(&h);
	check(finds(7, BLOCKS) && b.verified > 2 && finds(7, BLOCKS) &&
		  b.verified == 0, "until their bits are set");
	good = load(7);
	for (uint32_t i = 0; i < HEAP_MAP_BLOCKS; i++)
		heap_change(&h, i);
	good = good && finds(7, BLOCKS - HEAP_MAP_BLOCKS) && finds(7, BLOCKS) &&
		b.verified == HEAP_MAP_BLOCKS;
	heap_vacuum_all(&h);
	check(good && finds(7, BLOCKS) && b.verified >= HEAP_MAP_BLOCKS &&
		  finds(7, BLOCKS) && b.verified == 0,
		  "though a map page has no others");
	check(load(1), "a column");
	heap_change(&h, 5);
	check(finds(1, BLOCKS - 1) && finds(2, 0) && finds(3, BLOCKS) &&
		  b.verified == 1, "others join in the rows of settled pages");

	/* a snapshot that does not see what a settled page has */
	good = load(7) && backend_begin(&old, &h, 7);
	heap_change(&h, 9);
	good = good && finds(7, BLOCKS - 1) && finds(7, BLOCKS);
	backend_copy_map(&old);
	check(good && backend_map(&old, false) && old.held.usable == BLOCKS - 1 &&
		  backend_usable(&old) && backend_read(&old, &(uint32_t) {0}, 200) &&
		  backend_finish(&old), "which an older snapshot does not use");

	/* nor by a map that is as old */
	good = load(7) && backend_begin(&old, &h, 7);
	backend_copy_map(&old);
	heap_change(&h, 9);
	good = good && finds(7, BLOCKS - 1) && finds(7, BLOCKS);
	check(good && backend_map(&old, false) && old.held.usable == BLOCKS - 1 &&
		  backend_usable(&old) && backend_read(&old, &(uint32_t) {0}, 200) &&
		  backend_finish(&old), "even if its map has the page's bit");

	/* nor by a later map that verifies all, and has the bit of before */
	good = load(7);
	heap_change(&h, 5);
	heap_vacuum(&h, 0, INT64_MAX);
	good = good && backend_begin(&old, &h, 7);
	backend_copy_map(&old);
	heap_change(&h, 9);
	good = good && begin_and_map(7) && backend_map(&b, true) &&
		backend_usable(&b) && backend_read(&b, &(uint32_t) {9}, 1);
	backend_copy_map(&b);
	good = good && backend_look(&b) && b.r.pages.usable == 1;
	report_end(&b.r);
	good = good && backend_map(&old, false) && old.held.verify == 63 &&
		backend_verify(&old) && old.verified == 64 && backend_map(&old, true);
	check(good && old.held.usable == BLOCKS - 2 && backend_usable(&old) &&
		  backend_read(&old, &(uint32_t) {0}, 200) && backend_finish(&old),
		  "nor confirms");

	/* another extract than the one whose LSN was asked for */
	good = load(7);
	heap_change(&h, 9);
	good = good && finds(7, BLOCKS - 1) && backend_begin(&old, &h, 7);
	backend_copy_map(&old);
	good = good && backend_map(&old, false) && old.held.verify == 1;
	heap_change(&h, 9);
	good = good && finds(7, BLOCKS - 1) &&
		report_verified(&old.r, 0, &all) && backend_map(&old, true);
	check(good && old.held.usable == BLOCKS - 1 && backend_usable(&old) &&
		  backend_read(&old, &(uint32_t) {0}, 200) && backend_finish(&old),
		  "VERIFIED of an extract that is gone");
	good = load(7);
	heap_change(&h, 9);
	good = good && finds(7, BLOCKS - 1) && backend_begin(&old, &h, 7);
	backend_copy_map(&old);
	good = good && backend_map(&old, false) && old.held.verify == 1 &&
		report_verified(&old.r, 0, &all);
	heap_change(&h, 9);
	good = good && finds(7, BLOCKS - 1) && backend_map(&old, true);
	check(good && old.held.usable == BLOCKS - 1 && backend_usable(&old) &&
		  backend_read(&old, &(uint32_t) {0}, 200) && backend_finish(&old),
		  "or is replaced afterwards");

	/* no bit, and no LSN of a map */
	heap_init(&h, ++relation, BLOCKS);
	for (uint32_t i = 0; i < BLOCKS; i++)
		heap_change(&h, i);
	check(finds(7, 0) && finds(7, BLOCKS) && b.verified == BLOCKS,
		  "a table that was never vacuumed");
	h.blocks = 120;
	check(finds(7, 120) && b.verified == 120, "and becomes smaller");
	h.blocks = BLOCKS;
	check(finds(7, 120) && finds(7, BLOCKS), "and larger again");
	b.settles = false;
	client_close(&old.r.c);
}

/* Messages that come late. */
static void
test_late(void)
{
	static backend late;
	uint64_t	all = UINT64_MAX;
	bool		good = load(3);

	client_open(&late.r.c);
	heap_change(&h, 5);
	heap_vacuum(&h, 0, INT64_MAX);
	good = good && backend_begin(&late, &h, 3);
	backend_copy_map(&late);
	good = good && backend_map(&late, false) && late.held.verify == 64;
	heap_change(&h, 6);
	heap_vacuum(&h, 0, INT64_MAX);
	good = good && finds(3, BLOCKS - 2) && finds(3, BLOCKS);
	heap_change(&h, 7);
	heap_vacuum(&h, 0, INT64_MAX);
	check(good && report_verified(&late.r, 0, &all) && finds(3, BLOCKS - 1),
		  "VERIFIED of an LSN that is older than the noted one");
	report_end(&late.r);

	good = load(3);
	heap_change(&h, 5);
	heap_vacuum(&h, 0, INT64_MAX);
	good = good && backend_begin(&late, &h, 3);
	backend_copy_map(&late);
	good = good && backend_map(&late, false);
	heap_change(&h, 6);
	heap_vacuum(&h, 0, INT64_MAX);
	good = good && begin_and_map(3) && backend_verify(&b);
	report_end(&b.r);
	check(good && report_verified(&late.r, 0, &all) && begin_and_map(3) &&
		  b.held.verify == 0, "the later one stays noted");
	report_end(&b.r);
	report_end(&late.r);

	good = load(3);
	heap_change(&h, 5);
	good = good && backend_begin(&late, &h, 3);
	backend_copy_map(&late);
	heap_vacuum(&h, 0, INT64_MAX);
	good = good && finds(3, BLOCKS - 1) && finds(3, BLOCKS) &&
		backend_map(&late, true) && late.held.usable == BLOCKS - 64;
	report_end(&late.r);
	check(good && finds(3, BLOCKS), "a bit that was not set under an older LSN");

	good = load(3) && backend_begin(&late, &h, 4);
	backend_copy_map(&late);
	good = good && backend_map(&late, true) && backend_usable(&late);
	heap_change(&h, 7);
	heap_vacuum(&h, 0, INT64_MAX);
	good = good && finds(3, BLOCKS - 1) && finds(3, BLOCKS);
	check(good && backend_read(&late, &(uint32_t) {0}, 20) &&
		  backend_look(&late) && backend_finish(&late) == false &&
		  finds(3, BLOCKS) && finds(4, 0),
		  "LOOK at an LSN that is older than the noted one");

	/* the extracts are others than those whose LSNs were asked for */
	good = load(3);
	heap_change(&h, 5);
	heap_vacuum(&h, 0, INT64_MAX);
	good = good && backend_begin(&late, &h, 3);
	backend_copy_map(&late);
	good = good && backend_map(&late, false) && late.held.verify == 64;
	h.map[0].lsn--;				/* one that looked before */
	good = good && begin_and_map(3) && backend_map(&b, true) &&
		backend_usable(&b) && read_all() && backend_look(&b) &&
		backend_finish(&b);
	h.map[0].lsn++;
	check(good && report_verified(&late.r, 0, &all) && begin_and_map(3) &&
		  b.held.verify > 0, "VERIFIED of extracts that are gone");
	report_end(&b.r);
	report_end(&late.r);
	client_close(&late.r.c);
}

/* Reports that read pages at the same time, or never say that they are true. */
static void
test_pending(void)
{
	static backend other;
	bool		good;

	client_open(&other.r.c);
	heap_init(&h, ++relation, BLOCKS);
	good = begin_and_map(7) && backend_usable(&b) && read_all();
	check(good && backend_report(&other, &h, 7) &&
		  other.held.usable == 0, "two read the same pages");
	check(backend_report(&other, &h, 7) && other.held.usable == 0,
		  "which nobody finds as long as the first one has not looked");
	check(backend_look(&b) && backend_finish(&b) && finds(7, BLOCKS) &&
		  b.held.masked == 0, "and are kept once");

	heap_init(&h, ++relation, BLOCKS);
	good = begin_and_map(7) && backend_usable(&b) && read_all();
	report_end(&b.r);
	check(good && finds(7, 0) && finds(7, BLOCKS), "a report that is given up");
	heap_init(&h, ++relation, BLOCKS);
	good = begin_and_map(7) && backend_usable(&b) && read_all();
	client_reopen(&b.r.c);
	check(good && finds(7, 0) && finds(7, BLOCKS), "a client that vanishes");
	client_close(&other.r.c);
}

/* Rows that do not count any more do not pile up. */
static void
test_dead(void)
{
	bool		good = load(7);

	for (int round = 0; round < 20 && good; round++)
	{
		for (uint32_t i = 0; i < BLOCKS; i += 3)
			heap_change(&h, i);
		heap_vacuum_all(&h);
		good = backend_report(&b, &h, 7) && backend_report(&b, &h, 7) &&
			b.held.usable == BLOCKS &&
			b.held.masked <= b.held.rows + 8;
	}
	check(good, "at most half of the rows that are read do not count");
}

/* A second table ends the first, and both are in the result. */
static void
test_two_tables(void)
{
	bool		good = load(7);
	int64_t		rows = 0;
	gs_header	m;

	good = good && begin_and_map(7) && b.held.usable == BLOCKS;
	rows = b.held.rows;
	heap_init(&h, ++relation, 90);
	report_table(&b.r, &h.id, h.blocks, HEAP_MAP_BLOCKS, true, b.attribute);
	b.blocks = h.blocks;
	memcpy(b.version, h.version, sizeof b.version);
	backend_copy_map(&b);
	good = good && backend_map(&b, false) && backend_usable(&b) && read_all();
	client_send(&b.r.c, &m, GS_MSG_CLEAR, sizeof m);
	check(client_receive(&b.r.c) == GS_MSG_CLEARED,
		  "all is forgotten in the middle of a report");
	good = good && backend_look(&b) && report_finish(&b.r);
	for (uint32_t i = 0; i < 90; i++)
		rows += heap_rows(i, 0);
	check(good && b.r.summary.rows == rows, "a report of two tables");
	report_end(&b.r);
	check(finds(7, 0) && finds(7, 90), "and nothing is found afterwards");
}

/* Ask for all of the table or nothing; the answer is in b.held. */
static bool
ask_whole(void)
{
	bool		good = backend_begin(&b, &h, 7);

	backend_copy_map(&b);
	b.r.whole = true;
	good = good && backend_map(&b, false);
	b.r.whole = false;
	return good;
}

/* Nothing was used: the table comes again, and what is lacking is read. */
static bool
report_again(uint32_t usable)
{
	uint32_t	from = 0;
	bool		good;

	report_table(&b.r, &h.id, h.blocks, HEAP_MAP_BLOCKS, true, b.attribute);
	good = backend_map(&b, false) &&
		(b.held.verify == 0 || (backend_verify(&b) && backend_map(&b, true))) &&
		b.held.usable == usable && backend_usable(&b);
	while (good && from < b.blocks)
		good = backend_read(&b, &from, 60);
	backend_copy_map(&b);
	return good && backend_look(&b) && backend_finish(&b);
}

static void
test_whole(void)
{
	heap_init(&h, ++relation, 100);
	check(ask_whole() && b.held.usable == 0 && report_again(0),
		  "all pages or none: none");
	check(ask_whole() && b.held.usable == 100 && backend_finish(&b), "all");
	heap_change(&h, 5);
	check(ask_whole() && b.held.usable == 99 && report_again(99),
		  "what is not all is not used");
	heap_vacuum(&h, 0, INT64_MAX);
	check(ask_whole() && b.held.usable == 0 && b.held.verify > 0 &&
		  report_again(99), "nor what is to be verified");
}

void
test_report_fresh(void)
{
	client_open(&b.r.c);
	test_bit();
	test_map_lsn();
	test_look();
	test_bit_in_map();
	test_identity();
	test_blocks();
	test_columns();
	test_reading_verifies();
	test_settled();
	test_late();
	test_pending();
	test_dead();
	test_two_tables();
	test_whole();
	client_close(&b.r.c);
	check(service_is_idle(), "everything is released");
}
