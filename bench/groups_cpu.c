/*-------------------------------------------------------------------------
 *
 * groups_cpu.c
 *	  The CPU engine's filters, look-ups, groups and aggregates, on one thread.
 *
 * Each plan is timed over columns in memory, fed in batches as a backend feeds
 * them, with all results fetched.  The figure is the median of several runs.
 *
 *		bench-groups [rows [runs [name]]]	those whose name contains this
 *
 *-------------------------------------------------------------------------
 */
#define _POSIX_C_SOURCE 199309L

#include "engine/index.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

#define MAX_RUNS	101
#define BATCH		(64 * 1024)
#define FETCH		1024

enum
{
	KEY_1,						/* keys: as many different ones */
	KEY_100,
	KEY_SKEWED,					/* of 100, one has half of the rows */
	KEY_10_4,
	KEY_10_6,
	KEY_10_7,
	KEY_WIDE,					/* 100 keys of any int8 */
	KEY_RANDOM,					/* 1,000,000 keys of any int8 */
	VALUE,						/* float8, normal */
	SIGMA_10,					/* float8, lognormal with sigma 10 */
	INTEGER,					/* int4 */
	PRICE,						/* int8, scaled integers */
	DISCOUNT,
	TAX,
	YEAR,						/* int4 */
	NULLS,						/* VALUE, a tenth NULL, packed */
	COLUMNS
};

static const uint8_t types[COLUMNS] = {
	GS_INT4, GS_INT4, GS_INT4, GS_INT4, GS_INT4, GS_INT4, GS_INT8, GS_INT8,
	GS_FLOAT8, GS_FLOAT8, GS_INT4, GS_INT8, GS_INT8, GS_INT8, GS_INT4,
	GS_FLOAT8
};

static int64_t n = 10000000;
static int	runs = 5;
static void *columns[COLUMNS];
static uint8_t *validity;		/* of NULLS */

static uint64_t
random_bits(void)
{
	static uint64_t x = 88172645463325252u;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

static uint64_t
random_below(uint64_t limit)
{
	return (uint64_t) ((unsigned __int128) random_bits() * limit >> 64);
}

static double
random_normal(void)
{
	double		u = (double) (random_bits() >> 11) * 0x1p-53;
	double		v = (double) (random_bits() >> 11) * 0x1p-53;

	return sqrt(-2 * log(1 - u)) * cos(6.283185307179586 * v);
}

#define INT4(column)	(((int32_t *) columns[column])[i])
#define INT8(column)	(((int64_t *) columns[column])[i])
#define FLOAT8(column)	(((double *) columns[column])[i])

static void
make_data(void)
{
	int64_t		present = 0;

	for (int c = 0; c < COLUMNS; c++)
		columns[c] = allocate((size_t) n * gs_type_width((gs_type) types[c]));
	validity = allocate((size_t) n / 8 + 8);
	memset(validity, 0, (size_t) n / 8 + 8);
	for (int64_t i = 0; i < n; i++)
	{
		INT4(KEY_1) = 7;
		INT4(KEY_100) = (int32_t) random_below(100);
		INT4(KEY_SKEWED) = random_bits() & 1 ? 50 : (int32_t) random_below(100);
		INT4(KEY_10_4) = (int32_t) random_below(10000);
		INT4(KEY_10_6) = (int32_t) random_below(1000000);
		INT4(KEY_10_7) = (int32_t) random_below(10000000);
		INT8(KEY_WIDE) = (int64_t) (random_below(100) * 0x9e3779b97f4a7c15u);
		INT8(KEY_RANDOM) = (int64_t) (random_below(1000000) *
									  0x9e3779b97f4a7c15u);
		FLOAT8(VALUE) = random_normal();
		FLOAT8(SIGMA_10) = exp(10 * random_normal());
		INT4(INTEGER) = (int32_t) random_bits();
		INT8(PRICE) = (int64_t) random_below(10000000);
		INT8(DISCOUNT) = (int64_t) random_below(11);
		INT8(TAX) = (int64_t) random_below(9);
		INT4(YEAR) = 2000 + (int32_t) random_below(7);
		if (random_below(10) > 0)
		{
			validity[i / 8] |= (uint8_t) (1u << (i % 8));
			((double *) columns[NULLS])[present++] = random_normal();
		}
	}
}

#define MANY	8

typedef struct benchmark
{
	const char *name;
	gs_operand	key;			/* GS_NOTHING: none */
	gs_operand	filter;
	gs_aggregate aggregate[MANY];
	double		limit_ns;		/* target a row; 0: none */
} benchmark;

static const gs_constant constants[] = {
	{GS_INT4, 0, {.i4 = 2003}},
	{GS_FLOAT8, 0, {.f8 = 0.25}},
	{GS_INT8, 0, {.i8 = 100}},
	{GS_INT4, 0, {.i4 = -1}},
	{GS_INT4, 0, {.i4 = 1000000}},
};

/*
 * Look-up tables: of 1,000,000 rows an int4; an index of as many int8; a byte of each
 * row, with one before the first and one behind the last, as of joins.
 */
#define ROWS		1000000

static gs_plan_table tables[3];

/*
 * r2: a year and v > 0.25; r6: price (100 - discount) (100 + tax); r8: what a
 * dense key has in a relation; r10: what a key of 64 bits has; r13, r14: a
 * flag, and a value, of what a join looks up
 */
static gs_instruction code[] = {
	{.code = GS_CODE_EQ, .type = GS_INT4, .a = YEAR, .b = GS_CONSTANT(0)},
	{.code = GS_CODE_GT, .type = GS_FLOAT8, .a = VALUE, .b = GS_CONSTANT(1)},
	{.code = GS_CODE_AND, .type = GS_BOOL, .a = GS_RESULT(0), .b = GS_RESULT(1)},
	{.code = GS_CODE_SUBTRACT, .type = GS_INT8, .a = GS_CONSTANT(2),
	.b = DISCOUNT},
	{.code = GS_CODE_ADD, .type = GS_INT8, .a = GS_CONSTANT(2), .b = TAX},
	{.code = GS_CODE_MULTIPLY, .type = GS_INT8, .a = PRICE, .b = GS_RESULT(3)},
	{.code = GS_CODE_MULTIPLY, .type = GS_INT8, .a = GS_RESULT(5),
	.b = GS_RESULT(4)},
	{.code = GS_CODE_GE, .type = GS_INT4, .a = YEAR, .b = GS_CONSTANT(0)},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT4, .a = KEY_10_6,
	.width = 4, .first = GS_TABLE(0), .count = ROWS, .on_null = -1},
	{.code = GS_CODE_FIND, .type = GS_INT8, .a = KEY_RANDOM,
	.first = GS_TABLE(1), .count = ROWS},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT4, .a = GS_RESULT(9),
	.width = 4, .first = GS_TABLE(0), .count = ROWS, .on_null = -1, .low = 1},
	{.code = GS_CODE_LEAST, .type = GS_INT4, .a = KEY_10_6, .b = GS_CONSTANT(4)},
	{.code = GS_CODE_GREATEST, .type = GS_INT4, .a = GS_RESULT(11),
	.b = GS_CONSTANT(3)},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_BOOL, .a = GS_RESULT(12),
	.width = 1, .first = GS_TABLE(2), .count = ROWS + 2, .on_null = -1, .low = -1},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT4, .a = GS_RESULT(12),
	.width = 1, .first = GS_TABLE(2), .count = ROWS + 2, .on_null = -1, .low = -1},
};

static void
make_tables(void)
{
	int64_t    *number = allocate(ROWS * sizeof *number);
	int32_t    *row = allocate(ROWS * sizeof *row);
	int32_t    *attribute = allocate(ROWS * sizeof *attribute);
	int64_t		size = gs_index_size(ROWS);
	gs_value   *index = allocate((size_t) size * sizeof *index);
	uint64_t	factor;
	double		start = seconds();
	uint8_t    *byte = allocate(ROWS + 8);

	memset(byte, 1, ROWS + 8);
	tables[2] = (gs_plan_table) {.size = (ROWS + 9) / 8, .value = (gs_value *) byte};
	for (int i = 0; i < ROWS; i++)
	{
		number[i] = (int64_t) ((uint64_t) i * 0x9e3779b97f4a7c15u);
		attribute[i] = (int32_t) random_bits();
	}
	if (gs_index_make(number, ROWS, index, row, &factor) != ROWS)
		exit(1);
	printf("an index of %d keys of 64 bits: %.1f ms\n\n", ROWS,
		   (seconds() - start) * 1e3);
	tables[0] = (gs_plan_table) {.size = ROWS / 2, .value = (gs_value *) attribute};
	tables[1] = (gs_plan_table) {.size = size, .value = index};
	code[9].width = (int16_t) gs_index_bits(ROWS);
	code[9].low = (int64_t) factor;
	free(number);
	free(row);
}

#define AGG(k, argument)	{.kind = k, .a = argument, .filter = GS_NOTHING}
#define COUNT				AGG(GS_AGG_COUNT, GS_NOTHING)
#define SUM(argument)		AGG(GS_AGG_SUM, argument)
#define SIX(argument) \
	{COUNT, SUM(argument), AGG(GS_AGG_SQUARES, argument), \
	AGG(GS_AGG_MIN, argument), AGG(GS_AGG_MAX, argument)}
#define MEDIAN \
	{{.kind = GS_AGG_PERCENTILE, .a = VALUE, .filter = GS_NOTHING, \
	.fraction = 0.5}}
#define HISTOGRAM \
	{{.kind = GS_AGG_HISTOGRAM, .a = VALUE, .filter = GS_NOTHING, \
	.buckets = 256, .formula = GS_BUCKET_PRODUCT_FIRST, .low = -4, .high = 4}}

static const benchmark benchmarks[] = {
	{"sum float8, no key", GS_NOTHING, GS_NOTHING, {SUM(VALUE)}, 0},
	{"sum float8 by 1", KEY_1, GS_NOTHING, {SUM(VALUE)}, 3},
	{"sum float8 by 100", KEY_100, GS_NOTHING, {SUM(VALUE)}, 3},
	{"sum float8 by 100, one half", KEY_SKEWED, GS_NOTHING, {SUM(VALUE)}, 0},
	{"sum float8 sigma 10 by 100", KEY_100, GS_NOTHING, {SUM(SIGMA_10)}, 0},
	{"sum float8 with NULLs by 100", KEY_100, GS_NOTHING, {SUM(NULLS)}, 0},
	{"sum int4 by 100", KEY_100, GS_NOTHING, {SUM(INTEGER)}, 0},
	{"count by 100", KEY_100, GS_NOTHING, {COUNT}, 0},
	{"six of float8 by 100", KEY_100, GS_NOTHING, SIX(VALUE), 8},
	{"six of int4 by 100", KEY_100, GS_NOTHING, SIX(INTEGER), 0},
	{"1 of 7 years, v > 0.25: sum, count by 100", KEY_100, GS_RESULT(2),
	{SUM(VALUE), COUNT}, 4},
	{"4 of 7 years: sum, count by 100", KEY_100, GS_RESULT(7),
	{SUM(VALUE), COUNT}, 4},
	{"Q1's charge: six of int8 by 7", YEAR, GS_NOTHING, SIX(GS_RESULT(6)), 0},
	{"sum float8 by 10^4", KEY_10_4, GS_NOTHING, {SUM(VALUE)}, 0},
	{"sum float8 by 10^6", KEY_10_6, GS_NOTHING, {SUM(VALUE)}, 0},
	{"sum float8 by 10^7", KEY_10_7, GS_NOTHING, {SUM(VALUE)}, 0},
	{"sum float8 by 100, hashed", KEY_WIDE, GS_NOTHING, {SUM(VALUE)}, 0},
	{"sum float8 by 10^6, hashed", KEY_RANDOM, GS_NOTHING, {SUM(VALUE)}, 0},
	{"int4 looked up in 10^6 rows, summed by 100", KEY_100, GS_NOTHING,
	{SUM(GS_RESULT(8))}, 4},
	{"the same by keys of 64 bits", KEY_100, GS_NOTHING, {SUM(GS_RESULT(10))}, 0},
	{"int4 looked up in 10^6 rows: is it there?", GS_NOTHING, GS_RESULT(13),
	{COUNT, SUM(INTEGER)}, 4},
	{"int4 looked up in 10^6 rows, a byte summed", GS_NOTHING, GS_NOTHING,
	{SUM(GS_RESULT(14))}, 4},
	{"int4 looked up in 10^6 rows, both", GS_NOTHING, GS_RESULT(13),
	{COUNT, SUM(GS_RESULT(14))}, 0},
	{"median float8 by 100", KEY_100, GS_NOTHING, MEDIAN, 0},
	{"histogram 256 float8 by 7", YEAR, GS_NOTHING, HISTOGRAM, 0},
};

static void
fail(const char *what, gs_plan_run *run)
{
	fprintf(stderr, "%s: %s\n", what,
			run == NULL ? "" : gs_plan_cpu.error(run)->message);
	exit(1);
}

/* All of a column, a part at a time. */
static void
fetch_column(gs_plan_run *run, const gs_plan *plan, int column,
			 int64_t groups)
{
	uint8_t    *to = allocate(FETCH * gs_fetch_width(plan, column));

	for (int64_t at = 0; at < groups; at += FETCH)
	{
		int64_t		count = groups - at < FETCH ? groups - at : FETCH;

		if (gs_plan_cpu.fetch(run, column, at, count, to) != GS_OK)
			fail("fetch", run);
	}
	free(to);
}

/* Returns how many groups there are. */
static int64_t
execute(const gs_plan *plan)
{
	gs_column_data data[COLUMNS];
	gs_summary	summary;
	int64_t		present = 0;
	gs_plan_run *run;

	if (gs_plan_cpu.begin(plan, &run) != GS_OK)
		fail("begin", run);
	for (int64_t at = 0; at < n; at += BATCH)
	{
		gs_batch	batch = {.n = n - at < BATCH ? n - at : BATCH};

		batch.column = data;
		for (int c = 0; c < COLUMNS; c++)
		{
			int			width = gs_type_width((gs_type) types[c]);
			int64_t		first = c == NULLS ? present : at;

			data[c] = (gs_column_data) {
				.values = (const uint8_t *) columns[c] + first * width,
				.validity = c == NULLS ? validity + at / 8 : NULL,
				.packed = c == NULLS, .width = width, .low = 1
			};
		}
		present += gs_count_bits(validity + at / 8, batch.n);
		if (gs_plan_cpu.feed(run, &batch) != GS_OK)
			fail("feed", run);
	}
	if (gs_plan_cpu.finish(run, &summary) != GS_OK || summary.errors != 0)
		fail("finish", run);
	for (int k = 0; k < plan->keys; k++)
		fetch_column(run, plan, GS_FETCH_KEY(k), summary.groups);
	for (int i = 0; i < plan->aggregates; i++)
		fetch_column(run, plan, GS_FETCH_STATE(i), summary.groups);
	gs_plan_cpu.end(run);
	return summary.groups;
}

static int
compare(const void *a, const void *b)
{
	const double *x = a;
	const double *y = b;

	return (*x > *y) - (*x < *y);
}

static void
measure(const benchmark *b)
{
	double		time[MAX_RUNS];
	int64_t		groups = 0;
	gs_plan		plan = {
		.columns = COLUMNS,.column = types,
		.instructions = sizeof code / sizeof *code,.code = code,
		.constants = sizeof constants / sizeof *constants,
		.constant = constants,
		.tables = 3,.table = tables,
		.keys = b->key != GS_NOTHING,.key = &b->key,
		.filter = b->filter,.aggregate = b->aggregate
	};
	double		ns;

	while (plan.aggregates < MANY && b->aggregate[plan.aggregates].kind != 0)
		plan.aggregates++;
	for (int i = 0; i < runs; i++)
	{
		double		start = seconds();

		groups = execute(&plan);
		time[i] = seconds() - start;
	}
	qsort(time, runs, sizeof *time, compare);
	ns = time[runs / 2] * 1e9 / (double) n;
	printf("| %-42s | %9lld | %8.2f |", b->name, (long long) groups, ns);
	if (b->limit_ns > 0)
		printf(" %g ns %-6s |\n", b->limit_ns, ns > b->limit_ns ? "missed" :
			   "met");
	else
		printf("             |\n");
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	const char *name = "";

	if (argc > 1)
		n = atoll(argv[1]);
	if (argc > 2)
		runs = atoi(argv[2]);
	if (argc > 3)
		name = argv[3];
	if (n < 1 || n > 1000000000 || runs < 1 || runs > MAX_RUNS)
	{
		fprintf(stderr, "usage: bench-groups [rows [runs [name]]]\n");
		return 1;
	}
	make_data();
	make_tables();
	printf("%lld rows, one thread, processor time, medians of %d runs\n\n"
		   "| plan                                       |    groups | "
		   "ns a row | aim         |\n"
		   "|--------------------------------------------|-----------|"
		   "----------|-------------|\n", (long long) n, runs);
	for (size_t i = 0; i < sizeof benchmarks / sizeof *benchmarks; i++)
	{
		if (strstr(benchmarks[i].name, name) != NULL)
			measure(&benchmarks[i]);
	}
	return 0;
}
