/*-------------------------------------------------------------------------
 *
 * report_plans.c
 *	  Random plans and rows (plan_random.h) as reports, against the reference.
 *
 * gpuscand is made an engine here.  Its feed collects rows; finish makes two
 * reports of them: one for which all pages are read, and which keeps them, and
 * one that finds them.  The results are those of the second.
 *
 *-------------------------------------------------------------------------
 */
#include "report_client.h"
#include "test/common/plan_compare.h"
#include "test/common/random.h"

#define PLANS			150
#define DAMAGED			150
#define MAX_ROWS		400
#define MAP_BLOCKS		64
#define PAGE_ROWS		7		/* at most */

struct gs_plan_run
{
	report_client r;
	gs_plan		plan;
	gs_table_id id;
	int64_t		rows;
	int64_t		room;
	char	   *values[GS_PLAN_COLUMNS];
	bool	   *null[GS_PLAN_COLUMNS];
	int64_t		pages;
	gs_page_rows *page;
	gs_error	error;
};

static uint32_t relation = 50000;

static gs_status
fail(gs_plan_run *run, gs_status status, const char *message)
{
	run->error.status = status;
	snprintf(run->error.message, sizeof run->error.message, "%s", message);
	return status;
}

/* Can it be packed?  Only a client that is hostile sends others. */
static bool
can_pack(const gs_plan *plan)
{
	return plan->columns >= 0 && plan->columns <= GS_PLAN_COLUMNS &&
		plan->instructions >= 0 && plan->instructions <= GS_PLAN_CODE &&
		plan->constants >= 0 && plan->constants <= GS_PLAN_CONSTANTS &&
		plan->keys >= 0 && plan->keys <= GS_PLAN_KEYS &&
		plan->aggregates >= 0 && plan->aggregates <= GS_PLAN_AGGREGATES &&
		plan->list_length >= 0 && plan->list_length < 100000 &&
		plan->tables >= 0 && plan->tables <= GS_PLAN_TABLES;
}

static gs_status
begin(const gs_plan *plan, gs_plan_run **result)
{
	gs_plan_run *run;

	*result = NULL;
	if (!can_pack(plan))
		return GS_INVALID;
	*result = run = calloc(1, sizeof *run);
	run->plan = *plan;
	run->id = (gs_table_id) {.database = 1, .relation = ++relation};
	client_open(&run->r.c);
	if (report_begin(&run->r, plan, 1 + (int) random_below(3)))
		return GS_OK;
	return fail(run, run->r.status, "no OPENED");
}

static int64_t
integer_of(const void *values, int width, int64_t i)
{
	switch (width)
	{
		case 1:
			return ((const uint8_t *) values)[i];
		case 2:
			return ((const uint16_t *) values)[i];
		default:
			return ((const uint32_t *) values)[i];
	}
}

static bool
bit(const uint8_t *bits, int64_t i)
{
	return bits == NULL || (bits[i / 8] >> (i % 8) & 1) != 0;
}

/* The rows of a column that count, in the one form that reports have. */
static void
collect(gs_plan_run *run, int c, const gs_batch *batch)
{
	const gs_column_data *data = &batch->column[c];
	size_t		width = (size_t) gs_type_width(run->plan.column[c]);
	int64_t		to = run->rows;
	int64_t		at = 0;

	for (int64_t i = 0; i < batch->n; i++)
	{
		bool		valid = bit(data->validity, i);
		int64_t		from = data->packed ? at : i;
		char	   *value = run->values[c] + (size_t) to * width;

		at += valid;
		if (!bit(batch->rows, i))
			continue;
		run->null[c][to++] = !valid;
		if (data->packed && !valid)
			memset(value, 0xa5, width);
		else if (data->width == (int) width)
			memcpy(value, (const char *) data->values + (size_t) from * width,
				   width);
		else
		{
			/* of what counts as NULL it is any number */
			uint64_t	wide = (uint64_t) data->base +
				(uint64_t) integer_of(data->values, data->width, from);

			memcpy(value, &wide, width);	/* little-endian */
		}
		if (run->plan.column[c] == GS_BOOL)
			*value = *value != 0;
	}
}

static gs_status
feed(gs_plan_run *run, const gs_batch *batch)
{
	int64_t		count = 0;

	run->room = run->rows + batch->n;
	for (int c = 0; c < run->plan.columns; c++)
	{
		run->values[c] = realloc(run->values[c], (size_t) run->room * 8);
		run->null[c] = realloc(run->null[c], (size_t) run->room);
		collect(run, c, batch);
	}
	for (int64_t i = 0; i < batch->n; i++)
		count += bit(batch->rows, i);
	run->rows += count;
	return GS_OK;
}

/* The pages that the rows are on, of which some have none. */
static void
make_pages(gs_plan_run *run)
{
	int64_t		left = run->rows;

	run->page = calloc((size_t) run->rows * 8 + 8, sizeof *run->page);
	while (left > 0 || run->pages == 0)
	{
		int64_t		rows = random_below(PAGE_ROWS + 1);

		rows = rows < left ? rows : left;
		run->page[run->pages] = (gs_page_rows) {
			.block = (uint32_t) run->pages, .rows = (uint32_t) rows,
			.lsn = 1 + (uint64_t) random_below(1000), .keep = GS_KEEP_VISIBLE
		};
		run->pages++;
		left -= rows;
		if (run->pages >= run->rows * 8)
			run->page[run->pages - 1].rows += (uint32_t) left, left = 0;
	}
}

static void
make_map(const gs_plan_run *run, char *map)
{
	for (int64_t i = 0; i < run->pages; i++)
	{
		gs_map_page *page = (gs_map_page *)
			(map + i / MAP_BLOCKS * (int64_t) gs_map_size(MAP_BLOCKS));

		page->lsn = 77;
		page->visible[0] |= UINT64_C(1) << i % MAP_BLOCKS;
	}
}

/* Feed rows [first, last), which are on these pages; none: not to be held. */
static bool
feed_part(gs_plan_run *run, int64_t first, int64_t last,
		  const gs_page_rows *page, int64_t pages)
{
	const void *values[GS_PLAN_COLUMNS];
	const bool *null[GS_PLAN_COLUMNS];

	for (int c = 0; c < run->plan.columns; c++)
	{
		size_t		width = (size_t) gs_type_width(run->plan.column[c]);
		bool		any = one_in(2);

		for (int64_t i = first; i < last; i++)
			any |= run->null[c][i];
		values[c] = run->values[c] + (size_t) first * width;
		null[c] = any ? run->null[c] + first : NULL;
	}
	return report_rows(&run->r, last - first, values, null, page, pages);
}

static bool
feed_pages(gs_plan_run *run)
{
	int64_t		most = report_rows_max(&run->r);
	int64_t		row = 0;

	for (int64_t at = 0, n; at < run->pages; at += n)
	{
		int64_t		last = row;
		int64_t		some = 1 + random_below(40);

		for (n = 0; at + n < run->pages && n < some && n < most &&
			 last - row + run->page[at + n].rows <= most; n++)
			last += run->page[at + n].rows;
		if (!feed_part(run, row, last, run->page + at, n))
			return false;
		row = last;
	}
	return true;
}

/* The report for which all is read; half of the rows are of no page. */
static const char *
read_and_keep(gs_plan_run *run, const char *map)
{
	uint32_t	blocks = (uint32_t) run->pages;

	report_table(&run->r, &run->id, blocks, MAP_BLOCKS, true, NULL);
	if (!report_map(&run->r, map, false))
		return "MAP";
	if (run->r.pages.usable != 0 || run->r.pages.verify != 0)
		return "something is held of a new table";
	if (!feed_pages(run))
		return "FEED_ROWS";
	if (!report_look(&run->r, map))
		return "LOOK";
	if (!report_finish(&run->r))
		return "FINISH_REPORT";
	report_end(&run->r);
	return NULL;
}

static const char *
find_all(gs_plan_run *run, const char *map)
{
	gs_summary	first = {run->r.summary.groups, run->r.summary.rows,
	run->r.summary.errors};

	if (!report_begin(&run->r, &run->plan, 1))
		return "the second OPENED";
	report_table(&run->r, &run->id, (uint32_t) run->pages, MAP_BLOCKS, true,
				 NULL);
	if (!report_map(&run->r, map, false))
		return "the second MAP";
	if (run->r.pages.usable != run->pages || run->r.pages.rows != run->rows ||
		run->r.pages.masked != 0)
		return "not all is held";
	if (!report_finish(&run->r))
		return "the second FINISH_REPORT";
	if (run->r.summary.groups != first.groups ||
		run->r.summary.rows != first.rows ||
		run->r.summary.errors != first.errors)
		return "the second SUMMARY is another one";
	return NULL;
}

static gs_status
finish(gs_plan_run *run, gs_summary *summary)
{
	char	   *map;
	const char *problem;

	make_pages(run);
	map = calloc((size_t) run->pages / MAP_BLOCKS + 1,
				 gs_map_size(MAP_BLOCKS));
	make_map(run, map);
	problem = read_and_keep(run, map);
	if (problem == NULL)
		problem = find_all(run, map);
	free(map);
	if (problem != NULL)
		return fail(run, GS_DEVICE_LOST, problem);
	*summary = (gs_summary) {run->r.summary.groups, run->r.summary.rows,
	run->r.summary.errors};
	return GS_OK;
}

/* All columns at once, now and then. */
static bool
fetch_together(gs_plan_run *run, int column, int64_t first, int64_t n,
			   void *to)
{
	gs_groups_layout layout;

	gs_lay_groups(&run->plan, n, &layout);
	if (!report_groups(&run->r, -1, first, n))
		return false;
	memcpy(to, report_slot(&run->r, 0) + layout.column[column],
		   (size_t) n * gs_fetch_width(&run->plan, column));
	return true;
}

static gs_status
fetch(gs_plan_run *run, int column, int64_t first, int64_t n, void *to)
{
	size_t		width = gs_fetch_width(&run->plan, column);
	int64_t		most = width == 0 ? n :
		(int64_t) (run->r.c.welcome.slot_size / width);
	int64_t		together = gs_slot_groups(&run->plan,
										  run->r.c.welcome.slot_size);
	bool		wide = column > GS_FETCH_NULLS &&
		(column - GS_FETCH_NULLS) % 2 == 0;

	if (n == 0)
		return GS_OK;
	for (int64_t at = 0, part; at < n; at += part)
	{
		char	   *place = (char *) to + (size_t) at * width;

		part = n - at < most ? n - at : most;
		if (!wide && width > 0 && part <= together && one_in(2))
		{
			if (!fetch_together(run, column, first + at, part, place))
				return fail(run, run->r.status, "GROUPS of all columns");
			continue;
		}
		if (!report_groups(&run->r, column, first + at, part))
			return fail(run, run->r.status, "GROUPS");
		memcpy(place, report_slot(&run->r, 0), (size_t) part * width);
	}
	return GS_OK;
}

static const gs_error *
error(const gs_plan_run *run)
{
	return &run->error;
}

static void
end(gs_plan_run *run)
{
	client_close(&run->r.c);
	for (int c = 0; c < run->plan.columns; c++)
	{
		free(run->values[c]);
		free(run->null[c]);
	}
	free(run->page);
	free(run);
}

static const gs_plan_engine service_engine = {
	.name = "gpuscand",
	.begin = begin,
	.feed = feed,
	.finish = finish,
	.fetch = fetch,
	.error = error,
	.end = end
};

void
test_report_plans(void)
{
	static const plan_target target = {&service_engine, &gs_engine_cpu, false, 0};
	plan_tally	tally = {0};
	int			plans = 0;

	/* wide sums are rare: one seed in some has none among its first plans */
	for (; plans < PLANS || (tally.wide == 0 && plans < 20 * PLANS); plans++)
		plan_try(&target, seed + (uint64_t) plans, MAX_ROWS, &tally);
	check(tally.failed == 0 && tally.passed == plans && tally.groups > plans &&
		  tally.wide > 0, "%d plans as reports: %d right, %d groups",
		  plans, (int) tally.passed, (int) tally.groups);
	tally.failed = 0;
	for (uint64_t i = 0; i < DAMAGED; i++)
		tally.failed += !plan_try_damaged(&target, seed + i, &tally);
	check(tally.failed == 0, "%d damaged plans, %d of them valid",
		  (int) tally.damaged, (int) tally.valid);
	check(service_has_released(), "everything is released");
}
