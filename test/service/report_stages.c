/*-------------------------------------------------------------------------
 *
 * report_stages.c
 *	  Reports of several stages: random ones (plan_stages.h) against the
 *	  reference, damaged ones, and the end of one whose client has gone.
 *
 *-------------------------------------------------------------------------
 */
#include <signal.h>
#include <sys/wait.h>

#include "exact/figures.h"
#include "report_client.h"
#include "test/common/plan_stages.h"
#include "test/common/random.h"

#define REPORTS		200
#define DAMAGED		1500
#define MAX_ROWS	1500

/* The service as an engine whose plan is the last stage that is executed. */
struct gs_plan_run
{
	report_client r;
	gs_plan		plan;
	gs_error	error;
};

static uint32_t relation = 70000;

/* The rows of a case that count, some at a time. */
static bool
feed_case(report_client *r, const plan_case *c)
{
	int64_t		most = report_rows_max(r);
	char	   *values[GS_PLAN_COLUMNS];
	bool	   *null[GS_PLAN_COLUMNS];
	bool		good = true;

	for (int i = 0; i < c->plan.columns; i++)
	{
		values[i] = calloc((size_t) c->rows + 1, 8);
		null[i] = calloc((size_t) c->rows + 1, 1);
	}
	for (int64_t row = 0, n = 0; good && row <= c->rows; row++)
	{
		if (n == most || (row == c->rows && n > 0) || (n > 0 && one_in(200)))
		{
			good = report_rows(r, n, (const void *const *) values,
							   (const bool *const *) null, NULL, 0);
			n = 0;
		}
		if (row == c->rows || (c->counts != NULL && !c->counts[row]))
			continue;
		for (int i = 0; i < c->plan.columns; i++)
		{
			size_t		width = (size_t) gs_type_width(c->column[i]);

			memcpy(values[i] + (size_t) n * width, &c->value[i][row], width);
			if (c->column[i] == GS_BOOL)
				values[i][n] = c->value[i][row].i2 != 0;
			null[i][n] = c->null[i][row];
		}
		n++;
	}
	for (int i = 0; i < c->plan.columns; i++)
	{
		free(values[i]);
		free(null[i]);
	}
	return good;
}

/* Up to the rows of the first stage. */
static bool
begin_stages(report_client *r, const plan_stages *s)
{
	gs_table_id id = {.database = 1, .relation = ++relation};

	if (!report_begin_stages(r, s->stage, s->stages,
							 1 + (int) random_below(3)))
		return false;
	report_table(r, &id, 1, 64, false, NULL);
	return feed_case(r, s->c[0]);
}

static gs_status
finish(gs_plan_run *run, gs_summary *summary)
{
	report_finish(&run->r);
	*summary = (gs_summary) {run->r.summary.groups, run->r.summary.rows,
	run->r.summary.errors};
	return run->r.status;
}

static gs_status
fetch(gs_plan_run *run, int column, int64_t first, int64_t n, void *to)
{
	size_t		width = gs_fetch_width(&run->plan, column);
	int64_t		most = width == 0 ? n : (int64_t) (SLOT_SIZE / width);

	for (int64_t at = 0, part; at < n; at += part)
	{
		part = n - at < most ? n - at : most;
		if (!report_groups(&run->r, column, first + at, part))
			return run->r.status;
		memcpy((char *) to + (size_t) at * width, report_slot(&run->r, 0),
			   (size_t) part * width);
	}
	return GS_OK;
}

static const gs_error *
error(const gs_plan_run *run)
{
	return &run->error;
}

/* Is what each stage has made possible, and the last one's the result? */
static bool
work_matches(const gs_msg_summary *summary)
{
	const gs_stage_work *work = summary->work;
	int			last = summary->stage;
	bool		good = summary->errors != 0 ||
		(work[last].groups == summary->groups &&
		 work[last].rows == summary->rows);

	for (int i = 1; i <= last; i++)
		good = good && work[i].us >= 0 && work[i].rows >= 0 &&
			work[i].rows <= work[i - 1].groups;
	for (int i = last + 1; i < GS_STAGES_MAX; i++)
		good = good && work[i].us == 0 && work[i].rows == 0 &&
			work[i].groups == 0;
	return good;
}

static bool
try(uint64_t from, plan_tally *tally)
{
	static const gs_plan_engine engine = {
		.name = "gpuscand", .finish = finish, .fetch = fetch, .error = error
	};
	static const plan_target target = {&engine, NULL, true, 0};
	static gs_plan_run run;
	plan_stages *s = plan_stages_new(from, MAX_ROWS, true);
	plan_result got = {0};
	const char *problem = "rows are refused";
	bool		good;

	random_seed(from ^ 0x5eed);
	client_open(&run.r.c);
	run.plan = s->stage[s->last].plan;
	if (begin_stages(&run.r, s))
		problem = plan_take_results(&target, s->c[s->last], &run,
									s->c[s->last]->rows, &got);
	good = problem == NULL &&
		plan_stages_match(s, run.r.summary.stage, &got) &&
		work_matches(&run.r.summary);
	if (problem != NULL)
		printf("# seed %llu: %s\n", (unsigned long long) from, problem);
	tally->passed += good;
	tally->errors += s->wanted.summary.errors != 0;
	tally->groups += s->wanted.summary.groups;
	plan_result_free(&got);
	client_close(&run.r.c);
	plan_stages_free(s);
	return good;
}

/* ----------
 * Messages that are wrong
 * ----------
 */

/* Is a report with these bytes refused?  Else it is finished. */
static bool
is_refused(const plan_stages *s, const char *packed, size_t size)
{
	static report_client r;
	static _Thread_local union
	{
		gs_msg_report report;
		char		space[GS_MESSAGE_MAX];
	}			m;
	uint32_t	answer;

	client_open(&r.c);
	m.report = (gs_msg_report) {.plan_size = (int64_t) size, .lanes = 1};
	memcpy(m.space + sizeof m.report, packed, size);
	client_send(&r.c, &m, GS_MSG_REPORT, sizeof m.report + size);
	answer = client_receive(&r.c);
	if (answer == GS_MSG_OPENED)
	{
		gs_table_id id = {.database = 1, .relation = ++relation};

		memcpy(&r.opened, r.c.buffer, sizeof r.opened);
		r.plan = &s->stage[0].plan;
		r.lane = 0;
		if (r.opened.outcome.status == GS_OK)
		{
			report_table(&r, &id, 1, 64, false, NULL);
			(void) (feed_case(&r, s->c[0]) && report_finish(&r));
		}
	}
	client_close(&r.c);
	return answer == GS_MSG_REFUSED;
}

/* Some bytes are changed: whatever they say, nobody is harmed. */
static void
test_damaged(void)
{
	int			refused = 0;
	int			tried = 0;
	int			taken = 0;

	for (uint64_t i = 0; tried < DAMAGED; i++)
	{
		plan_stages *s = plan_stages_new(seed + i, 60, true);
		size_t		size = gs_stages_packed_size(s->stage, s->stages);
		char	   *packed = calloc(1, size + 8);

		random_seed(seed + i);
		for (int j = 0; j < 8 && size < 16384; j++, tried++)
		{
			gs_stages_pack(s->stage, s->stages, packed);
			if (one_in(8))
				packed[random_below(8)] = (char) random_below(12);
			else
			{
				const gs_stage *last = &s->stage[s->stages - 1];
				int64_t		windows = last->windows != NULL ?
					(int64_t) sizeof *last->windows : 0;
				int64_t		finish = last->plan.columns * 12;
				int64_t		place = random_below((int64_t) size);

				/* the last stage's finishings and windows are at the end */
				if (windows > 0 && one_in(2))
					place = (int64_t) size - 1 - random_below(windows);
				else if (finish > 0 && one_in(2))
					place = (int64_t) size - windows - 1 - random_below(finish);

				packed[place] = (char) (one_in(2) ? random_below(8) - 2 :
										random_below(256));
			}
			if (!is_taken())
				continue;
			taken++;
			refused += is_refused(s, packed, size - (size_t) (one_in(40) ? 8 : 0));
		}
		free(packed);
		plan_stages_free(s);
	}
	check(refused > taken / 10 && refused < taken,
		  "%d damaged stages, of which %d are refused", taken, refused);
}

/* A table's floats by an integer: their sum and count become columns. */
static const uint8_t table_type[] = {GS_INT8, GS_FLOAT8};
static const gs_operand table_key = GS_COLUMN(0);
static const gs_aggregate table_aggregate[] = {
	{.kind = GS_AGG_COUNT, .a = GS_COLUMN(1), .b = GS_NOTHING,
	.filter = GS_NOTHING},
	{.kind = GS_AGG_SUM, .a = GS_COLUMN(1), .b = GS_NOTHING,
	.filter = GS_NOTHING},
	{.kind = GS_AGG_MIN, .a = GS_COLUMN(0), .b = GS_NOTHING,
	.filter = GS_NOTHING},
	{.kind = GS_AGG_COUNT, .a = GS_COLUMN(0), .b = GS_NOTHING,
	.filter = GS_NOTHING}
};
static const uint8_t group_type[] = {GS_INT8, GS_INT8, GS_FLOAT8, GS_INT8};

static void
make_two(gs_stage *stage, const gs_finish *finish)
{
	memset(stage, 0, 2 * sizeof *stage);
	stage[0].plan = (gs_plan) {
		.columns = 2, .column = table_type, .filter = GS_NOTHING, .keys = 1,
		.key = &table_key, .aggregates = 4, .aggregate = table_aggregate
	};
	stage[1].plan = (gs_plan) {
		.columns = 4, .column = group_type, .filter = GS_NOTHING,
		.aggregates = 2, .aggregate = table_aggregate
	};
	stage[1].plan.aggregates = 1;
	stage[1].finish = finish;
}

static void
test_wrong(void)
{
	static const gs_finish right[4] = {
		{GS_FINISH_KEY, 0, 0, 0, 0, -1, -1, -1},
		{GS_FINISH_COUNT, 0, 0, 0, 0, -1, -1, -1},
		{GS_FINISH_FIGURE, GS_FIGURE_SUM, 0, 0, 1, 0, -1, -1},
		{GS_FINISH_VALUE, 0, 0, 0, 2, 3, -1, -1}
	};
	static const struct wrong_finish
	{
		int			column;
		gs_finish	finish;
	}			wrong[] = {
		{0, {0, 0, 0, 0, 0, -1, -1, -1}},
		{0, {GS_FINISH_WINDOW + 1, 0, 0, 0, 0, 0, -1, -1}},
		{2, {GS_FINISH_PERCENTILE, 0, 0, 0, 1, 0, -1, -1}}, /* a sum */
		{0, {GS_FINISH_KEY, 0, 0, 0, 1, -1, -1, -1}},	/* no such key */
		{0, {GS_FINISH_KEY, 0, 0, 0, -1, -1, -1, -1}},
		{0, {GS_FINISH_KEY, 0, 1, 0, 0, -1, -1, -1}},	/* of no specials */
		{0, {GS_FINISH_KEY, 0, 2, 0, 0, -1, -1, -1}},
		{0, {GS_FINISH_KEY, 0, 0, 0, 0, -1, -1, 0}},	/* that are none */
		{0, {GS_FINISH_KEY, 0, 0, 0, 0, -1, -1, 4}},
		{0, {GS_FINISH_KEY, 0, 0, 0, 0, -1, -1, -2}},
		{1, {GS_FINISH_COUNT, 0, 0, 0, 1, -1, -1, -1}}, /* a sum */
		{1, {GS_FINISH_COUNT, 0, 0, 0, 4, -1, -1, -1}},
		{1, {GS_FINISH_COUNT, 0, 0, 0, -1, -1, -1, -1}},
		{1, {GS_FINISH_INTEGER, 0, 0, 0, 1, 0, -1, -1}},	/* of floats */
		{2, {GS_FINISH_FIGURE, GS_FIGURE_SUM, 0, 0, 0, 0, -1, -1}},
		{2, {GS_FINISH_FIGURE, GS_FIGURE_SUM, 0, 0, 1, -1, -1, -1}},
		{2, {GS_FINISH_FIGURE, GS_FIGURE_SUM, 0, 0, 1, 1, -1, -1}},
		{2, {GS_FINISH_FIGURE, GS_FIGURE_SUM, 0, 0, 1, 3, -1, -1}}, /* of others */
		{2, {GS_FINISH_FIGURE, GS_FIGURE_SUM_REAL, 0, 0, 1, 0, -1, -1}},
		{2, {GS_FINISH_FIGURE, GS_FIGURE_SUM_BIGINT, 0, 0, 1, 0, -1, -1}},
		{2, {GS_FINISH_FIGURE, GS_FIGURE_VAR_POP, 0, 0, 1, 0, -1, -1}},
		{2, {GS_FINISH_FIGURE, GS_FIGURE_VAR_POP, 0, 0, 1, 0, 1, -1}},
		{2, {GS_FINISH_FIGURE, GS_FIGURE_VAR_POP, 0, 0, 1, 0, 100, -1}},
		{2, {GS_FINISH_FIGURE, GS_FIGURE_CORR, 0, 0, 1, 0, 1, -1}},
		{2, {GS_FINISH_FIGURE, 255, 0, 0, 1, 0, 1, -1}},
		{2, {GS_FINISH_VALUE, 0, 0, 0, 2, 3, -1, -1}},	/* another type */
		{3, {GS_FINISH_VALUE, 0, 0, 0, 2, 4, -1, -1}},
		{3, {GS_FINISH_VALUE, 0, 0, 0, 2, -1, -1, -1}},
		{3, {GS_FINISH_VALUE, 0, 0, 0, 0, 3, -1, -1}}	/* a count */
	};
	plan_stages *s = plan_stages_new(seed, 10, false);
	gs_stage	stage[2] = {0};
	gs_finish	finish[4];
	char		packed[4096];
	int			missed = 0;

	make_two(stage, right);
	gs_stages_pack(stage, 2, packed);
	check(gs_stages_check(stage, 2) == GS_OK, "two stages that are right");
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
	{
		memcpy(finish, right, sizeof finish);
		finish[wrong[i].column] = wrong[i].finish;
		make_two(stage, finish);
		gs_stages_pack(stage, 2, packed);
		if (!is_refused(s, packed, gs_stages_packed_size(stage, 2)))
		{
			printf("# wrong finishing %d is taken\n", (int) i);
			missed++;
		}
	}
	check(missed == 0, "finishings that are wrong");
	make_two(stage, right);
	for (int64_t n = -1; n < 12; n++)
	{
		gs_stages_pack(stage, 2, packed);
		memcpy(packed, &n, sizeof n);
		missed += n != 2 &&
			!is_refused(s, packed, gs_stages_packed_size(stage, 2));
	}
	check(missed == 0, "numbers of stages that are wrong");
	plan_stages_free(s);
}

void
test_report_stages(void)
{
	plan_tally	tally = {0};
	int			reports = 0;

	/* most have one group: few seeds have too few among their first */
	for (; reports < REPORTS ||
		 (tally.groups <= REPORTS && reports < 20 * REPORTS); reports++)
		try(seed + (uint64_t) reports, &tally);
	check(tally.passed == reports && tally.errors < reports / 2 &&
		  tally.groups > REPORTS, "%d reports of several stages: %d right, "
		  "%d groups, %d with errors", reports, (int) tally.passed,
		  (int) tally.groups, (int) tally.errors);
	test_wrong();
	test_damaged();
	check(service_has_released(), "everything is released");
}

/* ----------
 * Ends
 * ----------
 */

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/*
 * Eight stages of a row each take half a second, but only as long as there is a
 * client.
 */
static void
test_gone(void)
{
	static report_client r;
	char	   *slow[] = {"--debug-delay=400", NULL};
	static const gs_finish count = {GS_FINISH_COUNT, 0, 0, 0, 0, -1, -1, -1};
	gs_stage	stage[GS_STAGES_MAX] = {0};
	gs_table_id id = {.database = 1, .relation = 1};
	gs_msg_finish_report message = {.groups_max = 1};
	double		since;
	double		took;
	double		told = 0;
	bool		good;
	bool		soon = false;
	service		s;

	for (int i = 0; i < GS_STAGES_MAX; i++)
	{
		stage[i].plan = (gs_plan) {
			.columns = 1, .column = table_type, .filter = GS_NOTHING,
			.aggregates = 1, .aggregate = &table_aggregate[3]
		};
		stage[i].finish = i == 0 ? NULL : &count;
	}
	service_start(&s, slow);
	client_open(&r.c);
	good = report_begin_stages(&r, stage, GS_STAGES_MAX, 1);
	report_table(&r, &id, 1, 64, false, NULL);
	since = now();
	good = good && report_finish(&r) && r.summary.groups == 1 &&
		r.summary.rows == 1 && r.summary.stage == GS_STAGES_MAX - 1;
	took = now() - since;
	for (int i = 1; i < GS_STAGES_MAX && good; i++)
	{
		good = r.summary.work[i].us >= 300000 &&
			r.summary.work[i].rows == 1 && r.summary.work[i].groups == 1;
		told += (double) r.summary.work[i].us / 1e6;
	}
	check(good && took >= 2.8 && told <= took,
		  "each stage has a batch, and tells its time");
	report_end(&r);
	for (int i = 0; i < TRIES && good && !soon; i++)
	{
		good = report_begin_stages(&r, stage, GS_STAGES_MAX, 1);
		report_table(&r, &id, 1, 64, false, NULL);
		client_send(&r.c, &message, GS_MSG_FINISH_REPORT, sizeof message);
		since = now();
		client_close(&r.c);
		good = good && service_is_idle();
		soon = now() - since < 1.5;
		client_open(&r.c);
	}
	client_close(&r.c);
	check(good && soon,
		  "a report ends between stages when its client has gone");
	service_end(&s, SIGTERM);
}

static void
test_failing(void)
{
	static report_client r;
	char	   *failing[] = {"--debug-fail-after=1", NULL};
	static const gs_finish count = {GS_FINISH_COUNT, 0, 0, 0, 0, -1, -1, -1};
	gs_stage	stage[3] = {0};
	gs_table_id id = {.database = 1, .relation = 1};
	bool		good;
	service		s;

	for (int i = 0; i < 3; i++)
	{
		stage[i].plan = (gs_plan) {
			.columns = 1, .column = table_type, .filter = GS_NOTHING,
			.aggregates = 1, .aggregate = &table_aggregate[3]
		};
		stage[i].finish = i == 0 ? NULL : &count;
	}
	service_start(&s, failing);
	client_open(&r.c);
	good = report_begin_stages(&r, stage, 3, 1);
	report_table(&r, &id, 1, 64, false, NULL);
	check(good && !report_finish(&r) && r.status == GS_DEVICE_LOST,
		  "a device that fails in the third stage");
	check(WEXITSTATUS(service_end(&s, 0)) == 3, "and gpuscand, which ends");
	client_close(&r.c);
}

/* Another request has all private memory but a megabyte. */
static void
test_no_memory(void)
{
	static report_client r;
	static client other;
	static const gs_finish count = {GS_FINISH_COUNT, 0, 0, 0, 0, -1, -1, -1};
	gs_msg_begin sort = {.op = {.kind = GS_SORT, .type = GS_INT4},
	.n = ((INT64_C(4) << 30) - (1 << 20)) / 24, .lanes = 1};
	gs_stage	stage[2] = {0};
	gs_table_id id = {.database = 1, .relation = 1};
	bool		good;
	service		s;

	for (int i = 0; i < 2; i++)
	{
		stage[i].plan = (gs_plan) {
			.columns = 1, .column = table_type, .filter = GS_NOTHING,
			.aggregates = 1, .aggregate = &table_aggregate[3]
		};
		stage[i].finish = i == 0 ? NULL : &count;
	}
	service_start(&s, NULL);
	client_open(&r.c);
	client_open(&other);
	client_send(&other, &sort, GS_MSG_BEGIN, sizeof sort);
	good = client_receive(&other) == GS_MSG_GRANTED;
	good = good && report_begin_stages(&r, stage, 2, 1);
	report_table(&r, &id, 1, 64, false, NULL);
	check(good && !report_finish(&r) && r.status == GS_NO_MEMORY,
		  "no memory for the groups of a stage");
	client_close(&r.c);
	client_close(&other);
	good = service_is_idle();
	client_open(&r.c);
	good = good && report_begin_stages(&r, stage, 2, 1);
	report_table(&r, &id, 1, 64, false, NULL);
	check(good && report_finish(&r) && r.summary.groups == 1,
		  "and then there is");
	client_close(&r.c);
	check(service_is_idle(), "everything is released");
	service_end(&s, SIGTERM);
}

void
test_report_stages_ends(void)
{
	test_no_memory();
	test_gone();
	test_failing();
}
