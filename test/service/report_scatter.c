/*-------------------------------------------------------------------------
 *
 * report_scatter.c
 *	  Look-up tables that gpuscand makes of a report's rows: another report finds
 *	  them by number, and no other connection does; and messages that are wrong.
 *
 *-------------------------------------------------------------------------
 */
#include "report_client.h"

#define ROWS		1000
#define LEAST		(-20)		/* keys: every other integer from here on */
#define PLACES		(2 * ROWS + 3)

static uint32_t relation = 80000;
static int32_t key[ROWS];
static int64_t value[ROWS];

static const uint8_t types[2] = {GS_INT4, GS_INT8};
static const gs_aggregate values[2] = {
	{.kind = GS_AGG_VALUE, .a = GS_COLUMN(0), .filter = GS_NOTHING},
	{.kind = GS_AGG_VALUE, .a = GS_COLUMN(1), .filter = GS_NOTHING}
};
static const gs_plan of_rows = {
	.columns = 2, .aggregates = 2, .filter = GS_NOTHING, .of_rows = 1,
	.column = types, .aggregate = values
};

/* What a key finds in a table, summed: 0 behind its end. */
static const gs_instruction look_up = {
	.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT8, .a = GS_COLUMN(0),
	.width = 8, .first = GS_TABLE(0), .count = PLACES, .on_null = PLACES,
	.low = LEAST - 1
};
static const gs_aggregate sum = {
	.kind = GS_AGG_SUM, .a = GS_RESULT(0), .filter = GS_NOTHING
};

/* A report of both columns' rows. */
static bool
report(report_client *r, const gs_plan *plan)
{
	const void *const columns[2] = {key, value};
	const bool *const null[2] = {NULL, NULL};
	const gs_table_id id = {.database = 1, .relation = ++relation};

	if (!report_begin(r, plan, 1))
		return false;
	report_table(r, &id, 1, 64, false, NULL);
	return report_rows(r, ROWS, columns, null, NULL, 0) && report_finish(r);
}

static gs_msg_scatter
scatter_of(uint64_t number, int32_t of)
{
	return (gs_msg_scatter) {
		.header = {GS_MSG_SCATTER, sizeof(gs_msg_scatter)},
		.number = number, .unique = of < 0,
		.scatter = {
			.keys = 1, .value = of, .key = {0}, .width = of < 0 ? 1 : 8,
			.counts = of < 0, .least = {LEAST - 1}, .count = {PLACES},
			.places = PLACES
		}
	};
}

static bool
scatter(report_client *r, gs_msg_scatter m, int64_t placed, int64_t repeated)
{
	gs_msg_scattered answer;

	client_send_raw(&r->c, &m, sizeof m);
	if (client_receive(&r->c) != GS_MSG_SCATTERED)
		return false;
	memcpy(&answer, r->c.buffer, sizeof answer);
	return answer.outcome.status == GS_OK && answer.placed == placed &&
		answer.repeated == repeated;
}

/* Does the service have the table?  Then the sum of what the keys find there. */
static bool
finds(report_client *r, uint64_t number, int64_t *found)
{
	static gs_value nothing[PLACES + 1];
	const gs_plan_table table = {number, PLACES + 1, nothing};
	const gs_plan plan = {
		.columns = 2, .instructions = 1, .aggregates = 1, .tables = 1,
		.filter = GS_NOTHING, .column = types, .code = &look_up,
		.table = &table, .aggregate = &sum
	};
	gs_integer_sum of;
	bool		had;

	*found = -1;
	if (!report(r, &plan))
		return false;
	had = r->opened.lacking == 0;
	if (!report_groups(r, GS_FETCH_STATE(0), 0, 1))
		return false;
	memcpy(&of, report_slot(r, 0), sizeof of);
	*found = (int64_t) of.word[0];
	report_end(r);
	return had;
}

static void
test_tables(void)
{
	static report_client r;
	static report_client other;
	gs_header	ranges = {GS_MSG_RANGES, sizeof ranges};
	gs_msg_ranged ranged;
	int64_t		total = 0;
	int64_t		found;

	for (int i = 0; i < ROWS; i++)
	{
		key[i] = LEAST + 2 * i;
		value[i] = i * INT64_C(10000000000);
		total += value[i];
	}
	client_open(&r.c);
	check(report(&r, &of_rows), "a report of rows");
	client_send_raw(&r.c, &ranges, sizeof ranges);
	check(client_receive(&r.c) == GS_MSG_RANGED, "ranges");
	memcpy(&ranged, r.c.buffer, sizeof ranged);
	check(ranged.range[0].low == LEAST &&
		  ranged.range[0].high == LEAST + 2 * (ROWS - 1) &&
		  ranged.range[1].high == value[ROWS - 1] &&
		  ranged.range[0].nulls == 0 && ranged.range[2].high == 0,
		  "what they are");
	check(scatter(&r, scatter_of(11, 1), ROWS, 0), "a table of values");
	check(scatter(&r, scatter_of(12, -1), ROWS, 0), "where there are rows");
	report_end(&r);
	check(finds(&r, 11, &found) && found == total, "another report finds it");
	check(!finds(&r, 13, &found) && found == 0, "but no other one");
	client_open(&other.c);
	check(!finds(&other, 11, &found) && found == 0,
		  "nor does another connection");
	client_close(&other.c);

	/* a key twice */
	key[7] = key[8];
	check(report(&r, &of_rows) && scatter(&r, scatter_of(14, -1), ROWS, 1) &&
		  scatter(&r, scatter_of(15, 1), ROWS, 0), "a key that is there twice");
	report_end(&r);
	check(finds(&r, 15, &found), "a table of values is kept");
	client_close(&r.c);
	key[7] = LEAST + 14;
}

/* Is it refused, in a report of such a plan, before or after its end? */
static bool
is_refused(const gs_plan *plan, bool finished, const void *message,
		   size_t size)
{
	static report_client r;
	bool		good;
	bool		refused;

	client_open(&r.c);
	good = finished ? report(&r, plan) : report_begin(&r, plan, 1);
	client_send_raw(&r.c, message, size);
	refused = client_receive(&r.c) == GS_MSG_REFUSED;
	client_close(&r.c);
	return good && refused;
}

static void
test_wrong(void)
{
	static const struct
	{
		size_t		at;
		size_t		width;
		int64_t		value;
	}			wrong[] = {
		{offsetof(gs_msg_scatter, number), 8, 0},
		{offsetof(gs_msg_scatter, unique), 4, 2},
		{offsetof(gs_msg_scatter, unique), 4, -1},
		{offsetof(gs_msg_scatter, unique), 4, 1},
		{offsetof(gs_msg_scatter, scatter.keys), 4, 0},
		{offsetof(gs_msg_scatter, scatter.keys), 4, 2},
		{offsetof(gs_msg_scatter, scatter.keys), 4, INT32_MAX},
		{offsetof(gs_msg_scatter, scatter.value), 4, 2},
		{offsetof(gs_msg_scatter, scatter.value), 4, INT32_MIN},
		{offsetof(gs_msg_scatter, scatter.key), 4, 2},
		{offsetof(gs_msg_scatter, scatter.key), 4, -1},
		{offsetof(gs_msg_scatter, scatter.width), 4, 16},
		{offsetof(gs_msg_scatter, scatter.has_nulls), 4, -1},
		{offsetof(gs_msg_scatter, scatter.none_null), 4, 1},
		{offsetof(gs_msg_scatter, scatter.counts), 4, 1},
		{offsetof(gs_msg_scatter, scatter.count), 8, INT64_MAX},
		{offsetof(gs_msg_scatter, scatter.count), 8, -1},
		{offsetof(gs_msg_scatter, scatter.places), 8, PLACES - 1},
		{offsetof(gs_msg_scatter, scatter.places), 8, INT64_MAX}
	};
	const gs_header ranges = {GS_MSG_RANGES, sizeof ranges};
	const gs_aggregate count = {
		.kind = GS_AGG_COUNT, .a = GS_NOTHING, .filter = GS_NOTHING
	};
	const gs_plan groups = {
		.columns = 2, .aggregates = 1, .filter = GS_NOTHING, .column = types,
		.aggregate = &count
	};
	gs_msg_scatter m = scatter_of(16, 1);
	int			missed = 0;

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
	{
		m = scatter_of(16, 1);
		memcpy((char *) &m + wrong[i].at, &wrong[i].value, wrong[i].width);
		missed += !is_refused(&of_rows, true, &m, sizeof m);
	}
	check(missed == 0, "%d numbers out of range", missed);
	m = scatter_of(16, 1);
	check(is_refused(&of_rows, false, &m, sizeof m) &&
		  is_refused(&of_rows, false, &ranges, sizeof ranges),
		  "before the rows are known");
	check(is_refused(&groups, true, &m, sizeof m) &&
		  is_refused(&groups, true, &ranges, sizeof ranges), "of groups");
}

void
test_report_scatter(void)
{
	test_tables();
	test_wrong();
}
