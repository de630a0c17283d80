/*-------------------------------------------------------------------------
 *
 * plan_test.c
 *	  Plans that must be refused; results of plans that are known; many groups;
 *	  a jump out of finish and fetch.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

#include <math.h>
#include <setjmp.h>

#include "engine/plan.h"

/* A column of each type, by its number. */
enum
{
	BOOL,
	INT2,
	INT4,
	INT8,
	FLOAT4,
	FLOAT8,
	COLUMNS
};

static const uint8_t types[] = {
	GS_BOOL, GS_INT2, GS_INT4, GS_INT8, GS_FLOAT4, GS_FLOAT8
};

static const gs_constant constants[] = {
	{GS_INT4, 0, {.i4 = 2}},
	{GS_BOOL, 1, {.i2 = 77}},
};

static const gs_value list[] = {{.i4 = 1}, {.i4 = 5}, {.i4 = 5}};
static const gs_value floats[] = {{.f8 = -1}, {.f8 = HUGE_VAL}, {.f8 = NAN},
{.f8 = NAN}};

/* An instruction for a comparison comes before those to be tested. */
#define FIRST	{.code = GS_CODE_LT, .type = GS_INT4, .a = INT4, .b = INT4}
#define RESULT	GS_RESULT(0)

static const gs_instruction valid_code[] = {
	{.code = GS_CODE_ADD, .type = GS_INT2, .a = INT2, .b = INT2},
	{.code = GS_CODE_DIVIDE, .type = GS_INT4, .a = INT4, .b = GS_CONSTANT(0)},
	{.code = GS_CODE_ABS, .type = GS_FLOAT4, .a = FLOAT4, .b = GS_NOTHING},
	{.code = GS_CODE_EQ, .type = GS_BOOL, .a = BOOL, .b = RESULT},
	{.code = GS_CODE_AND, .type = GS_BOOL, .a = RESULT, .b = GS_CONSTANT(1)},
	{.code = GS_CODE_NOT, .type = GS_BOOL, .a = RESULT, .b = 99},
	{.code = GS_CODE_IS_NULL, .type = GS_FLOAT8, .a = FLOAT8},
	{.code = GS_CODE_CHOOSE, .type = GS_INT8, .a = RESULT, .b = INT8,
	.c = INT8},
	{.code = GS_CODE_LEAST, .type = GS_BOOL, .a = BOOL, .b = BOOL},
	{.code = GS_CODE_CAST, .type = GS_FLOAT8, .to = GS_INT2, .a = FLOAT8},
	{.code = GS_CODE_IN, .type = GS_INT4, .a = INT4, .count = 2,
	.list_null = 1},
	{.code = GS_CODE_IN, .type = GS_INT4, .a = INT4, .first = 3},
	{.code = GS_CODE_LOOKUP, .type = GS_INT2, .to = GS_INT4, .a = INT2,
	.count = 3, .on_null = 2, .low = INT64_MIN, .width = 8},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT4, .a = INT4,
	.count = 2, .on_null = 2, .width = 8},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_BOOL, .a = INT4,
	.count = 16, .on_null = -1, .width = 1, .list_null = 1},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_FLOAT4, .a = INT4,
	.first = 3, .on_null = -1, .width = 4, .list_null = 1},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT4, .a = INT4,
	.first = GS_TABLE(0), .count = 2, .on_null = -1, .width = 8},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_BOOL, .a = INT4,
	.first = GS_TABLE(1), .count = 8, .on_null = -1, .width = 1},
	{.code = GS_CODE_SEARCH, .type = GS_INT4, .a = INT4, .count = 2},
	{.code = GS_CODE_CHECK, .type = GS_INT8, .a = INT8, .b = INT8, .c = INT8},
	{.code = GS_CODE_MODULO, .type = GS_INT2, .a = INT2, .b = INT2},
	{.code = GS_CODE_SQRT, .type = GS_FLOAT8, .a = FLOAT8},
	{.code = GS_CODE_MONTH, .type = GS_INT4, .a = INT4},
	{.code = GS_CODE_LN, .type = GS_FLOAT8, .a = FLOAT8},
	{.code = GS_CODE_POWER, .type = GS_FLOAT8, .a = FLOAT8, .b = FLOAT8},
};

static const gs_instruction invalid_code[] = {
	{.code = 0, .type = GS_INT4, .a = INT4, .b = INT4},
	{.code = GS_CODES, .type = GS_INT4, .a = INT4, .b = INT4},
	{.code = GS_CODE_ADD, .type = GS_BOOL, .a = BOOL, .b = BOOL},
	{.code = GS_CODE_ADD, .type = 0, .a = INT4, .b = INT4},
	{.code = GS_CODE_ADD, .type = 40, .a = INT4, .b = INT4},
	{.code = GS_CODE_ADD, .type = GS_INT4, .a = INT4, .b = INT8},
	{.code = GS_CODE_ADD, .type = GS_INT4, .a = GS_NOTHING, .b = INT4},
	{.code = GS_CODE_ADD, .type = GS_INT4, .a = INT4, .b = COLUMNS},
	{.code = GS_CODE_ADD, .type = GS_INT4, .a = INT4, .b = INT16_MIN},
	{.code = GS_CODE_ADD, .type = GS_INT4, .a = INT4, .b = GS_CONSTANT(2)},
	{.code = GS_CODE_AND, .type = GS_BOOL, .a = BOOL, .b = GS_RESULT(1)},
	{.code = GS_CODE_AND, .type = GS_BOOL, .a = BOOL, .b = GS_RESULT(2)},
	{.code = GS_CODE_AND, .type = GS_BOOL, .a = BOOL, .b = INT16_MAX},
	{.code = GS_CODE_AND, .type = GS_INT4, .a = INT4, .b = INT4},
	{.code = GS_CODE_CHOOSE, .type = GS_INT8, .a = INT8, .b = INT8, .c = INT8},
	{.code = GS_CODE_CHOOSE, .type = GS_INT8, .a = BOOL, .b = INT8, .c = INT4},
	{.code = GS_CODE_CAST, .type = GS_INT4, .to = GS_BOOL, .a = INT4},
	{.code = GS_CODE_CAST, .type = GS_BOOL, .to = GS_INT4, .a = BOOL},
	{.code = GS_CODE_CAST, .type = GS_INT4, .to = 200, .a = INT4},
	{.code = GS_CODE_IN, .type = GS_INT4, .a = INT4, .first = -1, .count = 1},
	{.code = GS_CODE_IN, .type = GS_INT4, .a = INT4, .count = 4},
	{.code = GS_CODE_IN, .type = GS_INT4, .a = INT4, .first = 3, .count = 1},
	{.code = GS_CODE_IN, .type = GS_INT4, .a = INT4, .first = 1, .count = -1},
	{.code = GS_CODE_IN, .type = GS_INT4, .a = INT4, .first = INT32_MAX,
	.count = INT32_MAX},
	/* not ascending; no boolean */
	{.code = GS_CODE_IN, .type = GS_INT4, .a = INT4, .first = 1, .count = 2},
	{.code = GS_CODE_IN, .type = GS_BOOL, .a = BOOL, .count = 2},
	{.code = GS_CODE_IN, .type = GS_INT4, .a = INT4, .count = 2,
	.list_null = 2},
	{.code = GS_CODE_LOOKUP, .type = GS_FLOAT8, .to = GS_INT4, .a = FLOAT8,
	.count = 2, .width = 8},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = 0, .a = INT4, .count = 2,
	.width = 8},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT4, .a = INT4,
	.count = 2, .on_null = 3, .width = 8},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT4, .a = INT4,
	.count = 2, .on_null = -2, .width = 8},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT4, .a = INT4,
	.count = 2, .on_null = INT32_MAX, .width = 8},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT4, .a = INT4,
	.count = 2, .on_null = -1},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT4, .a = INT4,
	.count = 2, .on_null = -1, .width = 3},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT4, .a = INT4,
	.count = 25, .on_null = -1, .width = 1},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT4, .a = INT4,
	.count = 17, .on_null = -1, .width = 1, .list_null = 1},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT4, .a = INT4,
	.count = 2, .on_null = -1, .width = 8, .list_null = 2},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_FLOAT8, .a = INT4,
	.count = 2, .on_null = -1, .width = 4},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT4, .a = INT4,
	.first = GS_TABLE(0), .count = 2, .on_null = 2, .width = 8},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT4, .a = INT4,
	.first = GS_TABLE(1), .count = 2, .on_null = -1, .width = 8},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT4, .a = INT4,
	.first = GS_TABLE(2), .count = 1, .on_null = -1, .width = 8},
	{.code = GS_CODE_LOOKUP, .type = GS_INT4, .to = GS_INT4, .a = INT4,
	.first = INT32_MIN, .count = 1, .on_null = -1, .width = 8},
	{.code = GS_CODE_IN, .type = GS_INT4, .a = INT4, .first = GS_TABLE(0),
	.count = 1},
	{.code = GS_CODE_SEARCH, .type = GS_INT4, .a = INT4, .first = 1, .count = 2},
	{.code = GS_CODE_SEARCH, .type = GS_BOOL, .a = BOOL},
	{.code = GS_CODE_CHECK, .type = GS_INT8, .a = INT8, .b = INT8, .c = INT4},
	{.code = GS_CODE_CHECK, .type = GS_INT8, .a = INT8, .b = INT8,
	.c = GS_NOTHING},
	{.code = GS_CODE_FLOOR_DIVIDE, .type = GS_FLOAT8, .a = FLOAT8, .b = FLOAT8},
	{.code = GS_CODE_FLOOR, .type = GS_FLOAT4, .a = FLOAT4},
	{.code = GS_CODE_MONTH, .type = GS_INT8, .a = INT8},
	{.code = GS_CODE_EXP, .type = GS_FLOAT4, .a = FLOAT4},
	{.code = GS_CODE_POWER, .type = GS_FLOAT8, .a = FLOAT8, .b = FLOAT4},
	{.code = GS_CODE_POWER, .type = GS_FLOAT8, .a = FLOAT8, .b = GS_NOTHING},
};

#define AGG(k, argument)	.kind = k, .a = argument, .filter = GS_NOTHING
#define HISTOGRAM			AGG(GS_AGG_HISTOGRAM, FLOAT8), .low = 0, .high = 1

static const gs_aggregate valid_aggregates[] = {
	{AGG(GS_AGG_COUNT, GS_NOTHING)},
	{.kind = GS_AGG_COUNT, .a = BOOL, .filter = RESULT},
	{AGG(GS_AGG_SUM, GS_CONSTANT(0))},
	{AGG(GS_AGG_PRODUCTS, INT2), .b = INT2},
	{AGG(GS_AGG_BIT_AND, BOOL)},
	{AGG(GS_AGG_DISTINCT, BOOL)},
	{AGG(GS_AGG_PERCENTILE, FLOAT4), .fraction = 1},
	{HISTOGRAM, .buckets = 1, .formula = GS_BUCKET_QUOTIENT_FIRST},
};

static const gs_aggregate invalid_aggregates[] = {
	{AGG(0, INT4)},
	{AGG(GS_AGGREGATE_KINDS, INT4)},
	{AGG(GS_AGG_COUNT, COLUMNS)},
	{AGG(GS_AGG_SUM, GS_NOTHING)},
	{AGG(GS_AGG_SUM, BOOL)},
	{AGG(GS_AGG_SUM, GS_RESULT(1))},
	{.kind = GS_AGG_COUNT, .a = INT4, .filter = INT4},
	{.kind = GS_AGG_COUNT, .a = INT4, .filter = -2},
	{AGG(GS_AGG_PRODUCTS, INT2), .b = INT4},
	{AGG(GS_AGG_PRODUCTS, INT2), .b = GS_NOTHING},
	{AGG(GS_AGG_BIT_XOR, BOOL)},
	{AGG(GS_AGG_BIT_AND, FLOAT4)},
	{AGG(GS_AGG_SPECIALS, INT4)},
	{AGG(GS_AGG_MODE, BOOL)},
	{AGG(GS_AGG_PERCENTILE, INT4), .fraction = NAN},
	{AGG(GS_AGG_PERCENTILE, INT4), .fraction = 1.0000001},
	{HISTOGRAM, .buckets = 0, .formula = 1},
	{HISTOGRAM, .buckets = INT32_MAX, .formula = 1},
	{HISTOGRAM, .buckets = 9},
	{AGG(GS_AGG_HISTOGRAM, FLOAT8), .low = 1, .high = 1, .buckets = 9,
	.formula = 1},
};

static const gs_plan_table tables[] = {{1, 2, list}, {0, 1, list}};

static gs_plan
base_plan(void)
{
	static const gs_instruction first = FIRST;
	gs_plan		plan = {
		.columns = COLUMNS,.column = types,
		.instructions = 1,.code = &first,
		.constants = 2,.constant = constants,
		.list_length = 3,.list = list,
		.tables = 2,.table = tables,
		.filter = GS_NOTHING
	};

	return plan;
}

static bool
is_refused(const gs_plan *plan)
{
	gs_plan_run *run;
	bool		refused = gs_plan_check(plan) == GS_INVALID;

	expect((gs_plan_cpu.begin(plan, &run) == GS_INVALID) == refused,
		   "the engine differs from gs_plan_check");
	expect(!refused || gs_plan_cpu.error(run)->message[0] != '\0',
		   "no message");
	gs_plan_cpu.end(run);
	return refused;
}

static bool
refuses_code(const gs_instruction *in)
{
	gs_instruction code[2] = {FIRST, *in};
	gs_plan		plan = base_plan();

	plan.instructions = 2;
	plan.code = code;
	return is_refused(&plan);
}

static bool
refuses_aggregate(const gs_aggregate *aggregate)
{
	gs_plan		plan = base_plan();

	plan.aggregates = 1;
	plan.aggregate = aggregate;
	return is_refused(&plan);
}

static bool
refuses_float_list(int first, int count)
{
	const gs_instruction in = {
		.code = GS_CODE_IN,.type = GS_FLOAT8,.a = FLOAT8,
		.first = first,.count = count
	};
	gs_plan		plan = base_plan();

	plan.instructions = 1;
	plan.code = &in;
	plan.list = floats;
	plan.list_length = 4;
	return is_refused(&plan);
}

static bool
refuses_key(gs_operand key)
{
	gs_plan		plan = base_plan();

	plan.keys = 1;
	plan.key = &key;
	return is_refused(&plan);
}

static bool
refuses_filter(gs_operand filter)
{
	gs_plan		plan = base_plan();

	plan.filter = filter;
	return is_refused(&plan);
}

static bool
refuses_constant(gs_constant constant)
{
	gs_plan		plan = base_plan();

	plan.constants = 1;
	plan.constant = &constant;
	return is_refused(&plan);
}

#define LENGTH(array)	(sizeof (array) / sizeof *(array))

/* Numbers of elements that are out of range or that no array is there for. */
static void
test_counts(void)
{
	static const int32_t wrong[] = {-1, INT32_MIN, INT32_MAX, 100000, 1};

	for (size_t i = 0; i < LENGTH(wrong); i++)
	{
		gs_plan		plans[7];

		for (int k = 0; k < 7; k++)
			plans[k] = (gs_plan) {.filter = GS_NOTHING};
		plans[0].columns = plans[1].instructions = plans[2].constants =
			plans[3].keys = plans[4].aggregates = plans[5].list_length =
			plans[6].tables = wrong[i];
		for (int k = 0; k < 7; k++)
			expect(is_refused(&plans[k]), "passes count %d of array %d",
				   wrong[i], k);
	}
}

static void
test_check(void)
{
	uint8_t		odd_type = GS_FLOAT8 + 1;
	gs_plan		plan = base_plan();

	test_begin("gs_plan_check");
	expect(!is_refused(&plan), "refuses a plan");
	for (size_t i = 0; i < LENGTH(valid_code); i++)
		expect(!refuses_code(&valid_code[i]), "refuses instruction %zu", i);
	for (size_t i = 0; i < LENGTH(invalid_code); i++)
		expect(refuses_code(&invalid_code[i]), "passes instruction %zu", i);
	for (size_t i = 0; i < LENGTH(valid_aggregates); i++)
		expect(!refuses_aggregate(&valid_aggregates[i]),
			   "refuses aggregate %zu", i);
	for (size_t i = 0; i < LENGTH(invalid_aggregates); i++)
		expect(refuses_aggregate(&invalid_aggregates[i]),
			   "passes aggregate %zu", i);
	expect(!refuses_float_list(0, 3) && refuses_float_list(2, 2),
		   "NaN is not the greatest in a list");
	expect(!refuses_key(RESULT) && !refuses_key(FLOAT4), "refuses a key");
	expect(refuses_key(GS_CONSTANT(0)) && refuses_key(GS_NOTHING) &&
		   refuses_key(GS_RESULT(1)), "passes a key");
	expect(!refuses_filter(GS_CONSTANT(1)) && refuses_filter(INT4) &&
		   refuses_filter(GS_CONSTANT(0)), "the filter");
	expect(!refuses_constant((gs_constant) {GS_BOOL, 0, {.i2 = 1}}) &&
		   refuses_constant((gs_constant) {GS_BOOL, 0, {.i2 = 2}}) &&
		   refuses_constant((gs_constant) {GS_INT4, 2, {.i4 = 2}}) &&
		   refuses_constant((gs_constant) {-1, 0, {.i4 = 2}}), "constants");
	test_counts();
	plan.column = &odd_type;
	plan.columns = 1;
	plan.instructions = 0;
	expect(is_refused(&plan), "passes a column's type");
	test_end();
}

static void
test_widths(void)
{
	static const gs_operand key = INT4;
	static const gs_aggregate aggregates[] = {
		{AGG(GS_AGG_SUM, FLOAT4)},
		{AGG(GS_AGG_SQUARES, FLOAT8)},
		{AGG(GS_AGG_SUM, INT4)},
		{HISTOGRAM, .buckets = 10, .formula = 1},
	};
	gs_plan		plan = base_plan();

	test_begin("gs_fetch_width");
	plan.keys = 1;
	plan.key = &key;
	plan.aggregates = 4;
	plan.aggregate = aggregates;
	expect(gs_fetch_width(&plan, GS_FETCH_KEY(0)) == sizeof(gs_value), "key");
	expect(gs_fetch_width(&plan, GS_FETCH_KEY(1)) == 0, "no such key");
	expect(gs_fetch_width(&plan, -1) == 0, "no such column");
	expect(gs_fetch_width(&plan, GS_FETCH_NULLS) == 1, "NULLs");
	expect(gs_fetch_width(&plan, GS_FETCH_STATE(0)) == sizeof(gs_float_sum),
		   "sum of floats");
	expect(gs_fetch_width(&plan, GS_FETCH_WIDE(0)) == sizeof(gs_acc), "wide");
	expect(gs_fetch_width(&plan, GS_FETCH_WIDE(1)) == sizeof(gs_acc2),
		   "wide squares");
	expect(gs_fetch_width(&plan, GS_FETCH_STATE(2)) == sizeof(gs_integer_sum),
		   "sum of integers");
	expect(gs_fetch_width(&plan, GS_FETCH_WIDE(2)) == 0, "it is never wide");
	expect(gs_fetch_width(&plan, GS_FETCH_STATE(3)) == 13 * sizeof(int64_t),
		   "histogram");
	expect(gs_fetch_width(&plan, GS_FETCH_STATE(4)) == 0 &&
		   gs_fetch_width(&plan, INT32_MAX) == 0, "no such state");
	test_end();
}

/* Keys and values of rows; sums, counts and medians by key. */
static const uint8_t pair_types[] = {GS_INT8, GS_FLOAT8};
static const gs_operand first_column = GS_COLUMN(0);
static const gs_aggregate by_key[] = {
	{AGG(GS_AGG_SUM, GS_COLUMN(1))},
	{AGG(GS_AGG_COUNT, GS_NOTHING)},
	{AGG(GS_AGG_PERCENTILE, GS_COLUMN(1)), .fraction = 0.5},
};
static const gs_plan pair_plan = {
	.columns = 2,.column = pair_types,.keys = 1,.key = &first_column,
	.filter = GS_NOTHING,.aggregates = 3,.aggregate = by_key
};

static gs_status
feed_pairs(gs_plan_run *run, const int64_t *keys, const double *values,
		   const uint8_t *validity, int64_t n)
{
	const gs_column_data data[] = {
		{.values = keys,.width = 8,.low = 1},
		{.values = values,.validity = validity,.width = 8,.low = 1},
	};
	const gs_batch batch = {.n = n,.column = data};

	return gs_plan_cpu.feed(run, &batch);
}

static double
sum_of(const gs_float_sum *sum)
{
	int64_t		space[GS_FLOAT_SUM_LIMBS];
	double		result = NAN;

	gs_limbs_round(gs_float_sum_limbs(sum, false, NULL, space), &result);
	return result;
}

static void
test_answers(void)
{
	const int64_t keys[] = {3, -1, 3, 3, -1};
	const double values[] = {1e-300, 2.5, 0.25, -1e-300, 1e300};
	const uint8_t validity[] = {0x0f};
	gs_plan_run *run;
	gs_summary	summary;
	gs_value	key[2];
	gs_float_sum sum[2];
	int64_t		count[2];
	gs_value	median[2][2];

	test_begin("groups of a few rows");
	expect(gs_plan_cpu.begin(&pair_plan, &run) == GS_OK, "begin");
	expect(feed_pairs(run, keys, values, validity, 5) == GS_OK, "feed");
	expect(gs_plan_cpu.fetch(run, GS_FETCH_KEY(0), 0, 0, key) == GS_INVALID,
		   "results before the end");
	expect(gs_plan_cpu.finish(run, &summary) == GS_OK &&
		   summary.groups == 2 && summary.rows == 5 && summary.errors == 0,
		   "%lld groups", (long long) summary.groups);
	expect(gs_plan_cpu.fetch(run, GS_FETCH_KEY(0), 0, 2, key) == GS_OK &&
		   key[0].i8 == -1 && key[1].i8 == 3, "keys");
	expect(gs_plan_cpu.fetch(run, GS_FETCH_STATE(0), 0, 2, sum) == GS_OK &&
		   sum_of(&sum[0]) == 2.5 && sum_of(&sum[1]) == 0.25, "sums");
	expect(gs_plan_cpu.fetch(run, GS_FETCH_STATE(1), 0, 2, count) == GS_OK &&
		   count[0] == 2 && count[1] == 3, "counts");
	expect(gs_plan_cpu.fetch(run, GS_FETCH_STATE(2), 0, 2, median) == GS_OK &&
		   median[0][0].f8 == 2.5 && median[1][1].f8 == 1e-300, "medians");
	expect(gs_plan_cpu.fetch(run, GS_FETCH_STATE(1), 1, 2, count) ==
		   GS_INVALID, "more results than there are");
	gs_plan_cpu.end(run);
	test_end();
}

/*
 * Every key once, in batches: keys that always fit a table, that first are too
 * far apart for one, and that are hashed all the time.
 */
static void
test_many(int64_t n, int64_t spread, int64_t batch)
{
	const int64_t step = 1000003;	/* prime to n */
	int64_t    *keys = allocate(n * sizeof *keys);
	double	   *values = allocate(n * sizeof *values);
	gs_value   *found = allocate(n * sizeof *found);
	gs_float_sum *sums = allocate(n * sizeof *sums);
	gs_plan_run *run;
	gs_summary	summary;
	gs_status	status = gs_plan_cpu.begin(&pair_plan, &run);

	test_begin("%lld groups, keys %lld apart", (long long) n,
			   (long long) spread);
	for (int64_t i = 0; i < n; i++)
	{
		keys[i] = (i * step % n - n / 2) * spread;
		values[i] = (double) keys[i] / 3;
	}
	for (int64_t at = 0; at < n && status == GS_OK; at += batch)
		status = feed_pairs(run, keys + at, values + at, NULL,
							n - at < batch ? n - at : batch);
	expect(status == GS_OK && gs_plan_cpu.finish(run, &summary) == GS_OK &&
		   summary.groups == n, "groups are missing");
	expect(gs_plan_cpu.fetch(run, GS_FETCH_KEY(0), 0, n, found) == GS_OK &&
		   gs_plan_cpu.fetch(run, GS_FETCH_STATE(0), 0, n, sums) == GS_OK,
		   "fetch");
	for (int64_t i = 0; i < n; i++)
	{
		int64_t		key = (i - n / 2) * spread;

		if (!expect(found[i].i8 == key && sum_of(&sums[i]) == (double) key / 3,
					"group %lld", (long long) i))
			break;
	}
	test_end();
	gs_plan_cpu.end(run);
	free(keys);
	free(values);
	free(found);
	free(sums);
}

/* The sums of a group, and those of its rows alone. */
static const uint8_t sum_types[] = {GS_INT8, GS_FLOAT8, GS_FLOAT8};
static const gs_aggregate three_sums[] = {
	{AGG(GS_AGG_SUM, GS_COLUMN(1))},
	{AGG(GS_AGG_SQUARES, GS_COLUMN(1))},
	{AGG(GS_AGG_PRODUCTS, GS_COLUMN(1)), .b = GS_COLUMN(2)},
};

typedef struct sum_results
{
	gs_float_sum sum[3];
	gs_acc		wide_sum;
	gs_acc2		wide[3];
} sum_results;

static void
fetch_sums(gs_plan_run *run, int64_t group, sum_results *r)
{
	memset(r, 0, sizeof *r);
	for (int i = 0; i < 3; i++)
	{
		gs_float_sum *sum = &r->sum[i];

		expect(gs_plan_cpu.fetch(run, GS_FETCH_STATE(i), group, 1, sum) ==
			   GS_OK, "fetch");
		if (sum->wide > 0)
			expect(gs_plan_cpu.fetch(run, GS_FETCH_WIDE(i), sum->wide - 1, 1,
									 i == 0 ? (void *) &r->wide_sum :
									 &r->wide[i]) == GS_OK, "fetch wide");
		sum->wide = sum->wide > 0;
	}
}

/* The rows of one key, as the only group; or of all keys. */
static gs_plan_run *
run_sums(const int64_t *keys, const double *x, const double *y, int n,
		 int key)
{
	gs_plan		plan = {
		.columns = 3,.column = sum_types,.keys = key < 0,
		.key = &first_column,.filter = GS_NOTHING,.aggregates = 3,
		.aggregate = three_sums
	};
	static gs_plan kept[2];		/* until the end of the execution */
	const gs_column_data data[] = {
		{.values = keys,.width = 8,.low = 1},
		{.values = x,.width = 8},
		{.values = y,.width = 8},
	};
	uint8_t    *rows = allocate(n / 8 + 1);
	const gs_batch batch = {.n = n,.column = data,.rows = rows};
	gs_summary	summary;
	gs_plan_run *run;

	memset(rows, 0, n / 8 + 1);
	for (int i = 0; i < n; i++)
	{
		if (key < 0 || keys[i] == key)
			rows[i / 8] |= (uint8_t) (1u << (i % 8));
	}
	kept[key < 0] = plan;
	expect(gs_plan_cpu.begin(&kept[key < 0], &run) == GS_OK &&
		   gs_plan_cpu.feed(run, &batch) == GS_OK &&
		   gs_plan_cpu.finish(run, &summary) == GS_OK, "execution");
	free(rows);
	return run;
}

/* After the first rows, exponents of up to `scale`. */
static void
test_scales(int scale)
{
	enum {N = 40000, KEYS = 3};
	int64_t    *keys = allocate(N * sizeof *keys);
	double	   *x = allocate(N * sizeof *x);
	double	   *y = allocate(N * sizeof *y);
	gs_plan_run *run;

	test_begin("sums of groups, exponents up to %d", scale);
	for (int i = 0; i < N; i++)
	{
		int			range = i < 2000 ? 4 : scale;

		keys[i] = (int64_t) random_below(KEYS);
		x[i] = ldexp((double) random_bits() - 0x1p63,
					 (int) random_below(2 * range + 1) - range - 63);
		y[i] = ldexp((double) random_bits() - 0x1p63,
					 (int) random_below(2 * range + 1) - range - 63);
	}
	run = run_sums(keys, x, y, N, -1);
	for (int key = 0; key < KEYS; key++)
	{
		gs_plan_run *alone = run_sums(keys, x, y, N, key);
		sum_results r;
		sum_results wanted;

		fetch_sums(run, key, &r);
		fetch_sums(alone, 0, &wanted);
		expect(memcmp(&r, &wanted, sizeof r) == 0, "group %d", key);
		gs_plan_cpu.end(alone);
	}
	gs_plan_cpu.end(run);
	test_end();
	free(keys);
	free(x);
	free(y);
}

static jmp_buf escape;
static int	pauses_left;
static volatile bool fed;		/* feed came to its end */

static void
jump_out(void)
{
	if (pauses_left-- == 0)
		longjmp(escape, 1);
}

/* Whether an execution comes to its end; else a pause has left it. */
static bool
runs_to_end(const int64_t *keys, const double *values, int64_t n, int pauses)
{
	gs_plan_run *run;
	gs_summary	summary;
	gs_float_sum *sums = allocate(n * sizeof *sums);
	volatile bool done = false;

	gs_plan_cpu.begin(&pair_plan, &run);
	fed = false;
	pauses_left = pauses;
	gs_engine_pause = jump_out;
	if (setjmp(escape) == 0)
	{
		feed_pairs(run, keys, values, NULL, n);
		fed = true;
		gs_plan_cpu.finish(run, &summary);
		gs_plan_cpu.fetch(run, GS_FETCH_STATE(0), 0, n, sums);
		done = true;
	}
	gs_engine_pause = NULL;
	gs_plan_cpu.end(run);
	free(sums);
	return done;
}

/* What has been allocated is freed: the sanitizer would tell. */
static void
test_pause(void)
{
	enum {N = 5000};
	int64_t    *keys = allocate(N * sizeof *keys);
	double	   *values = allocate(N * sizeof *values);
	int			pauses = 0;

	test_begin("a jump out of feed, finish and fetch");
	for (int i = 0; i < N; i++)
	{
		/* sums with exceptions, of keys that are hashed */
		keys[i] = INT64_MAX / N * i;
		values[i] = i % 2 == 0 || i < 1024 ? 1 : 1e-200;
	}
	expect(!runs_to_end(keys, values, N, 0) && !fed,
		   "feed makes room for many groups without a pause");
	while (pauses < 1000 && !runs_to_end(keys, values, N, pauses))
		pauses++;
	expect(pauses > 5 && pauses < 1000, "%d pauses", pauses);
	test_end();
	free(keys);
	free(values);
}

/* An engine must not fail in another way than by its status. */
static void
test_malformed(void)
{
	const int64_t keys[] = {1};
	const double values[] = {1};
	gs_column_data data[] = {
		{.values = keys,.width = 8},
		{.values = values,.width = 8},
	};
	gs_batch	batch = {.n = 1,.column = data};
	gs_plan_run *run;

	test_begin("malformed batches");
	for (int i = 0; i < 7; i++)
	{
		gs_batch	b = batch;
		gs_column_data d[] = {data[0], data[1]};

		b.column = d;
		b.n = i == 1 ? 0 : i == 2 ? -1 : i == 3 ? GS_PLAN_BATCH_MAX + 1 : 1;
		if (i == 4)
			d[1].width = 4;		/* of a float8 */
		if (i == 5)
			d[0].width = 3;
		if (i == 6)
			d[0].values = NULL;
		gs_plan_cpu.begin(&pair_plan, &run);
		expect((gs_plan_cpu.feed(run, &b) == GS_OK) == (i == 0), "batch %d", i);
		gs_plan_cpu.end(run);
	}
	test_end();
}

void
test_plan(void)
{
	test_check();
	test_widths();
	test_answers();
	test_many(300007, 1, 20000);
	test_many(600011, 2, 1000);
	test_many(100003, INT64_C(1000000007), 5000);
	test_scales(12);
	test_scales(60);
	test_scales(300);
	test_scales(1022);
	test_pause();
	test_malformed();
}
