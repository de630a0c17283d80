/*-------------------------------------------------------------------------
 *
 * check_group_large.c
 *	  Does the CUDA engine give of very many rows what the CPU engine gives?
 *
 *		check_group_large [--rows=N] [--feeds=N] [--device=N] [--cpu]
 *
 * For what check_group's random plans are too small for: digits and words of
 * sums that are about to overflow are emptied and normalised, a batch is
 * processed in slices, a hash table grows, percentiles are selected from a
 * sample.  Every addend of a sum has the most bits that it can have.  The same
 * batch is fed several times.  And an error in the last of many rows.  --cpu: the CPU engine with itself.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/group_op.h"
#include "kernels/cuda_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	KEY,
	WIDE_KEY,					/* hashed, since its range is wide */
	ONES,						/* -1: all its digits have all bits */
	ONE,
	FLOATS,						/* -(2 - 2^-52), and now and then 1e-300 */
	FLOAT_ONE,
	COLUMNS
};

static const uint8_t types[COLUMNS] = {
	GS_INT4, GS_INT8, GS_INT8, GS_INT8, GS_FLOAT8, GS_FLOAT8
};

#define SUM_OF(kind, a, b) \
	{kind, GS_COLUMN(a), b, GS_NOTHING, 0, 0, 0, 0, 0}

static const gs_aggregate sums[] = {
	{GS_AGG_COUNT, GS_NOTHING, GS_NOTHING, GS_NOTHING, 0, 0, 0, 0, 0},
	SUM_OF(GS_AGG_SUM, ONES, GS_NOTHING),
	SUM_OF(GS_AGG_PRODUCTS, ONES, GS_COLUMN(ONE)),
	SUM_OF(GS_AGG_SUM, FLOATS, GS_NOTHING),
	SUM_OF(GS_AGG_SQUARES, FLOATS, GS_NOTHING),
	SUM_OF(GS_AGG_PRODUCTS, FLOATS, GS_COLUMN(FLOAT_ONE)),
	SUM_OF(GS_AGG_MIN, FLOATS, GS_NOTHING)
};
static const gs_aggregate percentile = {
	GS_AGG_PERCENTILE, GS_COLUMN(WIDE_KEY), GS_NOTHING, GS_NOTHING,
	0, 0, 0, 0, 0.3
};

typedef struct test
{
	const char *name;
	int			key;
	int64_t		groups;
	int64_t		share;			/* one of how many rows */
	bool		skewed;			/* one group has half of the rows */
	bool		percentile;
} test;

static const test tests[] = {
	{"one group", KEY, 1, 1, false, false},
	{"300 groups", KEY, 300, 1, false, false},
	{"1,000,000 groups", KEY, 1000000, 1, false, false},
	{"1,000,000 groups, half of the rows in one", KEY, 1000000, 1, true, false},
	{"5,000,000 hashed groups", WIDE_KEY, 5000000, 4, false, false},
	{"percentile of 10 groups", KEY, 10, 16, false, true}
};

static const gs_plan_engine *engine = &gs_plan_cuda;
static int64_t rows = INT64_C(1) << 26;
static int	feeds = 4;
static int	device;
static void *values[COLUMNS];

static void *
allocate(size_t size)
{
	void	   *memory = malloc(size + 16);

	if (memory == NULL)
	{
		fprintf(stderr, "out of memory\n");
		exit(2);
	}
	return memory;
}

static void
make_values(const test *t)
{
	for (int64_t i = 0; i < rows; i++)
	{
		int64_t		group = t->skewed && i % 2 != 0 ? 0 :
			(int64_t) ((uint64_t) i * 0x9e3779b1 % (uint64_t) t->groups);

		((int32_t *) values[KEY])[i] = (int32_t) group;
		((int64_t *) values[WIDE_KEY])[i] = t->percentile ?
			(int64_t) ((uint64_t) i * UINT64_C(0x9e3779b97f4a7c15)) :
			group * 1000000007 - 5;
	}
}

static void
make_constant_values(void)
{
	for (int64_t i = 0; i < rows; i++)
	{
		((int64_t *) values[ONES])[i] = -1;
		((int64_t *) values[ONE])[i] = 1;
		((double *) values[FLOATS])[i] = i % 1000003 == 1000 ? 1e-300 :
			-0x1.fffffffffffffp0;
		((double *) values[FLOAT_ONE])[i] = 1;
	}
}

/* Feed the rows; exits if the engine fails. */
static gs_plan_run *
run_plan(const gs_plan_engine *e, const gs_plan *plan, const gs_batch *batch,
		 gs_summary *summary)
{
	gs_plan_run *run;
	gs_status	status = e->begin(plan, &run);

	for (int i = 0; i < feeds && status == GS_OK; i++)
		status = e->feed(run, batch);
	if (status == GS_OK)
		status = e->finish(run, summary);
	if (status != GS_OK)
	{
		fprintf(stderr, "%s: status %d, %s\n", e->name, (int) status,
				run == NULL ? "" : e->error(run)->message);
		exit(2);
	}
	return run;
}

static void *
fetch(const gs_plan_engine *e, gs_plan_run *run, const gs_plan *plan,
	  int column, int64_t n)
{
	size_t		width = gs_fetch_width(plan, column);
	char	   *to = allocate(n * width);

	if (e->fetch(run, column, 0, n, to) != GS_OK)
	{
		fprintf(stderr, "%s: fetch: %s\n", e->name, e->error(run)->message);
		exit(2);
	}

	/* how many additions an accumulator has had means nothing */
	for (int64_t i = 0; i < n && column >= GS_FETCH_STATE(0) &&
		 (column - GS_FETCH_STATE(0)) % 2 != 0; i++)
		memset(to + i * width + sizeof(uint32_t), 0, sizeof(int32_t));
	return to;
}

/* Have both the same in a column?  *wide is how many wide sums it has. */
static bool
same_column(gs_plan_run *a, gs_plan_run *b, const gs_plan *plan, int column,
			int64_t n, int64_t *wide)
{
	void	   *x = fetch(engine, a, plan, column, n);
	void	   *y = fetch(&gs_plan_cpu, b, plan, column, n);
	bool		same = memcmp(x, y, n * gs_fetch_width(plan, column)) == 0;

	if (wide != NULL)
		*wide = gs_wide_end(y, n);
	if (!same)
		printf("# column %d differs\n", column);
	free(x);
	free(y);
	return same;
}

static bool
same_results(gs_plan_run *a, gs_plan_run *b, const gs_plan *plan, int64_t n)
{
	bool		same = same_column(a, b, plan, GS_FETCH_KEY(0), n, NULL) &&
		same_column(a, b, plan, GS_FETCH_NULLS, n, NULL);

	for (int i = 0; i < plan->aggregates && same; i++)
	{
		int64_t		wide = 0;
		bool		may_be_wide =
			gs_fetch_width(plan, GS_FETCH_WIDE(i)) > 0;

		same = same_column(a, b, plan, GS_FETCH_STATE(i), n,
						   may_be_wide ? &wide : NULL);
		if (same && wide > 0)
			same = same_column(a, b, plan, GS_FETCH_WIDE(i), wide, NULL);
	}
	return same;
}

static bool
passes(const test *t)
{
	gs_operand	key = GS_COLUMN(t->key);
	gs_column_data column[COLUMNS];
	gs_plan		plan = {
		.columns = COLUMNS,
		.keys = 1,
		.aggregates = t->percentile ? 1 : sizeof sums / sizeof *sums,
		.filter = GS_NOTHING,
		.column = types,
		.key = &key,
		.aggregate = t->percentile ? &percentile : sums
	};
	gs_batch	batch = {.n = rows / t->share, .column = column};
	gs_summary	a;
	gs_summary	b;
	gs_plan_run *run;
	gs_plan_run *cpu;
	bool		same;

	if (batch.n == 0)
		batch.n = 1;
	memset(column, 0, sizeof column);
	for (int c = 0; c < COLUMNS; c++)
	{
		column[c].values = values[c];
		column[c].width = gs_type_width((gs_type) types[c]);
		column[c].low = 1;		/* above high: not known */
	}
	make_values(t);
	run = run_plan(engine, &plan, &batch, &a);
	cpu = run_plan(&gs_plan_cpu, &plan, &batch, &b);
	same = a.groups == b.groups && a.rows == b.rows && a.errors == b.errors &&
		same_results(run, cpu, &plan, b.groups);
	engine->end(run);
	gs_plan_cpu.end(cpu);
	return same;
}

/*
 * An error of a computed argument counts in whichever row it is, also where
 * arguments are not written to memory: 10 / key, with 0 in the last row or
 * nowhere.
 */
static bool
finds_late_error(void)
{
	const gs_instruction quotient = {
		.code = GS_CODE_DIVIDE, .type = GS_INT4,
		.a = GS_CONSTANT(0), .b = GS_COLUMN(0), .c = GS_NOTHING
	};
	const gs_constant ten = {.type = GS_INT4, .value.i4 = 10};
	const gs_aggregate sum = {
		.kind = GS_AGG_SUM, .a = GS_RESULT(0),
		.b = GS_NOTHING, .filter = GS_NOTHING
	};
	const gs_column_data column = {
		.values = values[KEY], .width = sizeof(int32_t), .low = 1
	};
	gs_plan		plan = {
		.columns = 1, .instructions = 1, .constants = 1, .aggregates = 1,
		.filter = GS_NOTHING, .column = types, .code = &quotient,
		.constant = &ten, .aggregate = &sum
	};
	gs_batch	batch = {.n = rows, .column = &column};
	bool		right = true;

	for (int64_t i = 0; i < rows; i++)
		((int32_t *) values[KEY])[i] = 5;
	for (int zero = 0; zero <= 1; zero++)
	{
		gs_summary	summary;
		gs_plan_run *run;

		if (zero)
			((int32_t *) values[KEY])[rows - 1] = 0;
		run = run_plan(engine, &plan, &batch, &summary);
		right &= summary.errors == (zero ? GS_ERROR_DIVISION : 0u);
		if (!zero)
		{
			gs_integer_sum *total = fetch(engine, run, &plan,
										  GS_FETCH_STATE(0), 1);

			right &= total->word[0] == 2 * (uint64_t) (rows * feeds);
			free(total);
		}
		engine->end(run);
	}
	return right;
}

static void
read_options(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
	{
		const char *value = strchr(argv[i], '=');

		value = value == NULL ? "" : value + 1;
		if (strncmp(argv[i], "--rows=", 7) == 0)
			rows = strtoll(value, NULL, 0);
		else if (strncmp(argv[i], "--feeds=", 8) == 0)
			feeds = atoi(value);
		else if (strncmp(argv[i], "--device=", 9) == 0)
			device = atoi(value);
		else if (strcmp(argv[i], "--cpu") == 0)
			engine = &gs_plan_cpu;
		else
		{
			fprintf(stderr, "unknown option \"%s\"\n", argv[i]);
			exit(2);
		}
	}
	if (rows < 1 || rows > GS_PLAN_BATCH_MAX || feeds < 1)
	{
		fprintf(stderr, "an option is out of range\n");
		exit(2);
	}
}

int
main(int argc, char **argv)
{
	int			failed = 0;

	read_options(argc, argv);
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (engine == &gs_plan_cuda)
	{
		gs_cuda_info info = {1, {device}, ""};
		char		message[200];

		if (gs_cuda_open(0, &info, message, sizeof message) != GS_OK)
		{
			printf("%s\n", message);
			return 2;
		}
	}
	for (int c = 0; c < COLUMNS; c++)
		values[c] = allocate(rows * gs_type_width((gs_type) types[c]));
	make_constant_values();
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
	{
		bool		passed = passes(&tests[i]);

		printf("%s: %s\n", tests[i].name, passed ? "ok" : "FAILED");
		failed += !passed;
	}
	if (!finds_late_error())
	{
		printf("an error in the last row: FAILED\n");
		failed++;
	}
	else
		printf("an error in the last row: ok\n");
	for (int c = 0; c < COLUMNS; c++)
		free(values[c]);
	return failed > 0;
}
