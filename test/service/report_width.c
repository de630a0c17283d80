/*-------------------------------------------------------------------------
 *
 * report_width.c
 *	  In how many bytes gpuscand holds a column's values, page after page.
 *
 *-------------------------------------------------------------------------
 */
#include <signal.h>

#include "report_client.h"

#define BLOCKS		10			/* at most */
#define ROWS		1500		/* of a page */
#define VALUES		3			/* different ones of a page */
#define NONE		INT64_C(0x123456789)	/* NULL */
#define A_THIRD		INT64_C(0x123456788)	/* of GS_FLOAT8 */

/* Pages, and the bytes of a value once a page has come. */
typedef struct page
{
	int64_t		value[VALUES];
	int			width;
} page;

typedef struct table
{
	const char *name;
	gs_type		type;
	double		parts;			/* GS_FLOAT8: values are divided by it */
	int			blocks;
	page		page[BLOCKS];
} table;

static const table tables[] = {
	{"any", GS_INT8, 0, 9, {
		{{NONE, NONE, NONE}, 1}, {{5, 5, 5}, 1}, {{-100, NONE, 0}, 1},
		{{200, 200, NONE}, 2}, {{-40000, 0, 1}, 2},
		{{INT32_MAX, NONE, 7}, 4}, {{NONE, NONE, NONE}, 4},
		{{INT64_MIN, INT64_MAX, NONE}, 8}, {{1, 2, 3}, 8}
	}},
	{"from the least on", GS_INT8, 0, 7, {
		{{INT64_MIN, INT64_MIN + 255, INT64_MIN + 9}, 1},
		{{INT64_MIN + 256, NONE, INT64_MIN + 256}, 2},
		{{INT64_MIN + 65535, INT64_MIN, INT64_MIN + 1}, 2},
		{{INT64_MIN + 65536, INT64_MIN, INT64_MIN + 1}, 4},
		{{INT64_MIN + UINT32_MAX, INT64_MIN, NONE}, 4},
		{{INT64_MIN + UINT32_MAX + 1, INT64_MIN, NONE}, 8},
		{{0, -1, 1}, 8}
	}},
	{"from the greatest on", GS_INT8, 0, 6, {
		{{INT64_MAX, INT64_MAX - 255, INT64_MAX - 9}, 1},
		{{INT64_MAX - 256, INT64_MAX, INT64_MAX - 1}, 2},
		{{INT64_MAX - 65535, INT64_MAX, INT64_MAX - 1}, 2},
		{{INT64_MAX - 65536, INT64_MAX, INT64_MAX - 1}, 4},
		{{INT64_MAX - UINT32_MAX, NONE, NONE}, 4},
		{{INT64_MAX - UINT32_MAX - 1, NONE, NONE}, 8}
	}},
	{"integer", GS_INT4, 0, 5, {
		{{INT32_MIN, INT32_MIN, INT32_MIN}, 1}, {{INT32_MIN + 255, NONE, INT32_MIN}, 1},
		{{INT32_MIN + 65535, NONE, INT32_MIN}, 2},
		{{INT32_MAX, INT32_MIN, 0}, 4}, {{NONE, NONE, NONE}, 4}
	}},
	{"smallint", GS_INT2, 0, 4, {
		{{INT16_MAX, INT16_MAX - 1, INT16_MAX}, 1}, {{NONE, INT16_MAX - 255, NONE}, 1},
		{{INT16_MIN, INT16_MAX, 0}, 2}, {{1, 2, 3}, 2}
	}},
	{"a step at a time", GS_INT8, 0, 8, {
		{{0, 1, 2}, 1}, {{-120, 120, NONE}, 1}, {{-127, 128, NONE}, 1},
		{{129, -126, 0}, 2}, {{-32000, 0, 0}, 2}, {{33535, 0, 0}, 2},
		{{33536, 0, 0}, 4}, {{-INT64_C(4294967296) + 33536, 0, 0}, 8}
	}}
};

/* On the host, where values of 8 bytes may have a unit. */
static const table far_tables[] = {
	{"prices", GS_FLOAT8, 100, 8, {
		{{1999, 0, NONE}, 2}, {{-31768, 33767, 5}, 2}, {{33768, 1, 1}, 4},
		{{NONE, NONE, NONE}, 4}, {{INT64_C(2000000000), NONE, 3}, 4},
		{{INT64_C(8000000000), NONE, 3}, 8}, {{A_THIRD, 7, 7}, 8},
		{{1, 2, 3}, 8}
	}},
	{"a price that is none", GS_FLOAT8, 100, 3, {
		{{5, 6, NONE}, 1}, {{7, 8, A_THIRD}, 8}, {{1, 2, 3}, 8}
	}},
	{"more digits than before", GS_FLOAT8, 1000, 3, {
		{{5, 7, NONE}, 1}, {{100, -100, NONE}, 1}, {{2000, 3, 4}, 2}
	}},
	{"whole numbers, then halves", GS_FLOAT8, 2, 2, {
		{{2, 4, NONE}, 1}, {{2, 4, 5}, 8}
	}},
	{"64ths", GS_FLOAT8, 64, 3, {
		{{1, 3, NONE}, 1}, {{-125, 129, 0}, 1}, {{200, 1, 1}, 2}
	}},
	{"no unit", GS_FLOAT8, 1, 2, {{{A_THIRD, 1, NONE}, 8}, {{1, 2, 3}, 8}}},
	{"NULL first", GS_FLOAT8, 1, 2, {{{NONE, NONE, NONE}, 8}, {{1, 2, 3}, 8}}},
	{"hours in microseconds", GS_INT8, 0, 4, {
		{{0, INT64_C(7200000000), NONE}, 2},
		{{INT64_C(-3600000000), NONE, INT64_C(36000000000)}, 2},
		{{INT64_C(3600000000000), 0, 0}, 4}, {{1, 0, 0}, 8}
	}},
	{"seconds, then hours", GS_INT8, 0, 5, {
		{{1000000, 9000000, NONE}, 4}, {{3000000, 2000000, NONE}, 4},
		{{INT64_C(7200000000), NONE, -1000000}, 2},
		{{INT64_C(3600000000000), 0, 0}, 4}, {{1, 0, 0}, 8}
	}},
	{"microseconds, then hours", GS_INT8, 0, 4, {
		{{1000001, 9000000, NONE}, 4}, {{3000000, 2000000, NONE}, 4},
		{{INT64_C(7200000000), NONE, -1000000}, 8}, {{1000000, 0, 0}, 8}
	}},
	{"far apart", GS_INT8, 0, 2, {
		{{INT64_MIN, INT64_MAX, NONE}, 8}, {{1000000, NONE, 2000000}, 8}
	}},
	{"multiples of 10", GS_INT8, 0, 2, {
		{{INT64_C(10000000000), 0, 10}, 4}, {{INT64_C(5), NONE, NONE}, 8}
	}}
};

static const table wide = {"wide", GS_INT8, 0, 2, {
	{{1, 2, NONE}, 1}, {{INT64_MIN, INT64_MAX, 0}, 1}
}};

static report_client r;
static uint32_t relation = 50000;

/* Row i of a page is NULL if the first's value of these is NONE. */
static int64_t
value_at(const table *t, int block, int row)
{
	return t->page[block].value[row * 7 / 5 % VALUES];
}

static double
float_of(const table *t, int64_t v)
{
	return v == A_THIRD ? 1.0 / 3 : (double) v / t->parts;
}

static bool
feed(const table *t, int block)
{
	static char values[ROWS * 8];
	static bool null[ROWS];
	const void *column = values;
	const bool *nulls = null;
	const gs_page_rows of = {
		.block = (uint32_t) block, .rows = ROWS, .lsn = (uint64_t) block + 1,
		.keep = GS_KEEP_VISIBLE
	};

	for (int i = 0; i < ROWS; i++)
	{
		int64_t		v = value_at(t, block, i);

		null[i] = v == NONE;
		if (t->type == GS_INT2)
			((int16_t *) values)[i] = (int16_t) v;
		else if (t->type == GS_INT4)
			((int32_t *) values)[i] = (int32_t) v;
		else if (t->type == GS_FLOAT8)
			((double *) values)[i] = float_of(t, v);
		else
			((int64_t *) values)[i] = v;
	}
	return report_rows(&r, ROWS, &column, &nulls, &of, 1);
}

/* Is a result a table's value v? */
static bool
is_value(const table *t, gs_value got, int64_t v)
{
	const double x = t->type == GS_FLOAT8 ? float_of(t, v) : 0;

	return t->type == GS_FLOAT8 ? memcmp(&got, &x, sizeof x) == 0 :
		(t->type == GS_INT2 ? got.i2 : t->type == GS_INT4 ? got.i4 : got.i8) == v;
}

/* Has each value of the first `blocks` pages been counted? */
static bool
counts_all(const table *t, int blocks)
{
	int64_t		groups = r.summary.groups;
	gs_value	key[BLOCKS * VALUES + 1];
	uint8_t		nulls[BLOCKS * VALUES + 1];
	int64_t		count[BLOCKS * VALUES + 1];
	int64_t		left = (int64_t) blocks * ROWS;

	if (groups < 1 || groups > BLOCKS * VALUES + 1 ||
		!report_groups(&r, GS_FETCH_KEY(0), 0, groups))
		return false;
	memcpy(key, report_slot(&r, 0), (size_t) groups * sizeof *key);
	if (!report_groups(&r, GS_FETCH_NULLS, 0, groups))
		return false;
	memcpy(nulls, report_slot(&r, 0), (size_t) groups);
	if (!report_groups(&r, GS_FETCH_STATE(0), 0, groups))
		return false;
	memcpy(count, report_slot(&r, 0), (size_t) groups * sizeof *count);
	for (int64_t g = 0; g < groups; g++)
	{
		left -= count[g];
		for (int i = 0; i < blocks * ROWS; i++)
		{
			int64_t		v = value_at(t, i / ROWS, i % ROWS);

			count[g] -= nulls[g] ? v == NONE :
				v != NONE && is_value(t, key[g], v);
		}
		if (count[g] != 0)
			return false;
	}
	return left == 0;
}

/*
 * A report of a table's first `blocks` pages, of which so many are held, and
 * the rest is read; all pages of the table are known to gpuscand, so that there
 * is room for them in one segment.
 */
static bool
reports(const table *t, const gs_table_id *id, int blocks, int64_t held)
{
	static const gs_operand key = GS_COLUMN(0);
	static const gs_aggregate count = {
		.kind = GS_AGG_COUNT, .a = GS_NOTHING, .b = GS_NOTHING,
		.filter = GS_NOTHING
	};
	const uint8_t column = (uint8_t) t->type;
	const gs_plan plan = {
		.columns = 1, .filter = GS_NOTHING, .column = &column, .keys = 1,
		.key = &key, .aggregates = 1, .aggregate = &count
	};
	struct
	{
		uint64_t	lsn;
		uint64_t	visible;
	}			map = {1, (UINT64_C(1) << t->blocks) - 1};
	bool		good = report_begin(&r, &plan, 1);

	report_table(&r, id, (uint32_t) t->blocks, 64, true, NULL);
	good = good && report_map(&r, &map, false) && r.pages.usable == held;
	for (int i = (int) held; i < blocks && good; i++)
		good = feed(t, i);
	good = good && report_look(&r, &map) && report_finish(&r) &&
		counts_all(t, blocks);
	report_end(&r);
	return good;
}

/* Pages come one by one; each time, what is held is all that came before. */
static void
test_table(const table *t)
{
	const gs_table_id id = {.database = 7, .relation = ++relation};
	bool		good = true;
	int			i;

	for (i = 0; i < t->blocks && good; i++)
		good = reports(t, &id, i + 1, i) && reports(t, &id, i + 1, i + 1) &&
			r.summary.segments == 1 &&
			r.summary.held_bytes == (int64_t) (i + 1) * ROWS * t->page[i].width;
	check(good, "values widen: %s, %d pages, %d bytes", t->name, i,
		  (int) (r.summary.held_bytes / (i * ROWS)));
}

/* All at once: the first page chooses, or none is left to widen. */
static void
test_together(const table *t)
{
	const gs_table_id id = {.database = 7, .relation = ++relation};

	check(reports(t, &id, t->blocks, 0) &&
		  reports(t, &id, t->blocks, t->blocks) &&
		  r.summary.held_bytes ==
		  (int64_t) t->blocks * ROWS * t->page[t->blocks - 1].width,
		  "values widen during a report: %s", t->name);
}

/* What is held stays as it is if there is no memory to widen it. */
static void
test_no_memory(void)
{
	char	   *little[] = {"--cache-size=14kB", NULL};
	const gs_table_id id = {.database = 7, .relation = ++relation};
	service		s;

	service_start(&s, little);
	client_open(&r.c);
	check(reports(&wide, &id, 1, 0) && reports(&wide, &id, 2, 1) &&
		  reports(&wide, &id, 2, 1) && r.summary.held_bytes == ROWS,
		  "there is no memory to widen integers");
	client_close(&r.c);
	service_end(&s, SIGTERM);
}

static void
test_tables(const table *t, size_t n, char *const *options)
{
	service		s;

	service_start(&s, options);
	client_open(&r.c);
	for (size_t i = 0; i < n; i++)
	{
		test_table(&t[i]);
		test_together(&t[i]);
	}
	client_close(&r.c);
	check(service_end(&s, SIGTERM) == 0, "gpuscand ends in order");
}

void
test_report_width(void)
{
	char	   *far[] = {"--cache-size=14kB", "--host-cache-size=4MB", NULL};

	test_tables(tables, sizeof tables / sizeof *tables, NULL);
	test_tables(far_tables, sizeof far_tables / sizeof *far_tables, far);
	test_no_memory();
}
