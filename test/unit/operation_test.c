/*-------------------------------------------------------------------------
 *
 * operation_test.c
 *	  Operations and input that must be refused; bitmaps and flags.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/plan.h"
#include "engine/cpu/engine_cpu.h"
#include "harness.h"

#include <math.h>

static const double three_edges[] = {-1, 0, HUGE_VAL};
static const double nan_edges[] = {0, NAN, 1};
static const double equal_edges[] = {0, -0.0, 1};

static const int64_t keys[] = {INT64_MIN, 7, 7};
static const int64_t descending_keys[] = {1, 0};

static const gs_op valid[] = {
	{.kind = GS_SUM, .type = GS_INT2},
	{.kind = GS_BIT_OR, .type = GS_BOOL},
	{.kind = GS_STATS, .type = GS_FLOAT4},
	{.kind = GS_SCAN_SUM, .type = GS_FLOAT4, .scan.exclusive = 1, .segment.marked = 1},
	{.kind = GS_SCAN_MIN, .type = GS_INT8, .segment.length = INT64_MAX},
	{.kind = GS_HISTOGRAM_WIDTH, .type = GS_FLOAT8, .histogram.low = 1, .histogram.high = -1,
	.histogram.buckets = 1, .histogram.formula = GS_BUCKET_PRODUCT_FIRST},
	{.kind = GS_HISTOGRAM_EDGES, .type = GS_FLOAT8, .histogram.buckets = 2,
	.histogram.edges = three_edges},
	{.kind = GS_SEARCH, .type = GS_INT2, .search.count = 3, .search.keys = keys},
	{.kind = GS_SEARCH, .type = GS_FLOAT8, .search.left = 1, .search.count = 1, .search.keys = keys},
	{.kind = GS_ARITHMETIC, .type = GS_INT4, .expression = {.arrays = 1,
	.steps = 1, .step = {{GS_CODE_ABS, GS_COLUMN(0), GS_NOTHING, 0}}}},
	{.kind = GS_BETWEEN, .type = GS_FLOAT8, .range.outside = 1},
	{.kind = GS_CLIP, .type = GS_INT2},
	{.kind = GS_COMPARE, .type = GS_FLOAT4, .pairs.compare = GS_GT},
	{.kind = GS_NOT, .type = GS_BOOL},
	{.kind = GS_AND, .type = GS_BOOL},
	{.kind = GS_CHOOSE, .type = GS_BOOL, .choose.where_false = 1},
	{.kind = GS_CHOOSE, .type = GS_INT8, .choose = {.has_constant = 1}},
	{.kind = GS_EXPRESSION, .type = GS_FLOAT4, .aggregates = 1,
	.filter.compare = GS_EQ, .filter.bound = NAN, .expression = {.arrays = 1}},
	{.kind = GS_EXPRESSION, .type = GS_INT2, .aggregates = 1,
	.expression = {.arrays = 1, .differences = GS_DIFFERENCES_NULL}},
	{.kind = GS_DIFF, .type = GS_INT8, .diff.null_first = 1},
	{.kind = GS_TAKE, .type = GS_INT4, .mask.type = GS_BOOL, .mask.elements = 1},
	{.kind = GS_AREA, .type = GS_INT2, .area.both_sides = 1},
	{.kind = GS_ASOF, .type = GS_FLOAT4, .mask.elements = INT32_MAX},
	{.kind = GS_INTERPOLATE, .type = GS_INT8, .mask.elements = 1},
	{.kind = GS_CHOOSE_EITHER, .type = GS_BOOL, .mask.type = GS_BOOL,
	.mask.elements = 1},
	{.kind = GS_REVERSE, .type = GS_BOOL},
	{.kind = GS_SHIFT, .type = GS_FLOAT8, .shift.places = INT32_MIN},
	{.kind = GS_SQRT, .type = GS_INT2},
	{.kind = GS_LN, .type = GS_FLOAT4},
	{.kind = GS_POWER, .type = GS_FLOAT8, .power.constant = NAN,
	.power.constant_is_base = 1},
	{.kind = GS_POWER, .type = GS_INT8, .power.of_pairs = 1},
	{.kind = GS_ROUND, .type = GS_FLOAT8, .round.digits = INT16_MAX},
	{.kind = GS_PCT_CHANGE, .type = GS_INT8},
	{.kind = GS_UNIQUE, .type = GS_FLOAT4},
	{.kind = GS_RUN_STARTS, .type = GS_INT2},
	{.kind = GS_FILTER, .type = GS_FLOAT8, .filter.compare = GS_GT, .filter.bound = NAN},
	{.kind = GS_WHERE, .type = GS_BOOL},
	{.kind = GS_ARGSORT, .type = GS_FLOAT4, .order.descending = 1},
	{.kind = GS_LAST_RANK, .type = GS_INT8},
	{.kind = GS_DISTINCT, .type = GS_INT2},
	{.kind = GS_TRANSPOSE, .type = GS_INT8, .transpose.columns = INT64_MAX},
	{.kind = GS_GROUP, .type = GS_FLOAT4, .mask.type = GS_BOOL,
	.aggregates = GS_GROUP_ALL},
	{.kind = GS_SEGMENT_SUM, .type = GS_FLOAT4, .segment.marked = 1},
	{.kind = GS_SEGMENT_COUNT, .type = GS_INT2, .segment.length = INT64_MAX},
	{.kind = GS_MOVING_SUM, .type = GS_INT8, .moving.preceding = INT32_MAX,
	.moving.following = INT32_MAX},
	{.kind = GS_MOVING_MIN, .type = GS_FLOAT4},
	{.kind = GS_MOVING_AVG, .type = GS_INT4},
	{.kind = GS_MOVING_STDDEV, .type = GS_INT8, .moving.following = 1},
	{.kind = GS_EWMA, .type = GS_INT2, .ewma.alpha = 1, .ewma.adjust = 1},
	{.kind = GS_MOVING_PERCENTILE, .type = GS_INT8},
	{.kind = GS_MOVING_PERCENTILE, .type = GS_FLOAT4, .percentile.fraction = 1,
	.percentile.discrete = 1, .moving.following = INT32_MAX},
};

static const gs_op invalid[] = {
	{.kind = 0, .type = GS_INT4},
	{.kind = -1, .type = GS_INT4},
	{.kind = GS_KINDS, .type = GS_INT4},
	{.kind = GS_KINDS + 31, .type = GS_INT4},
	{.kind = 99, .type = GS_BOOL},
	{.kind = INT32_MAX, .type = GS_INT4},
	{.kind = GS_SUM, .type = 0},
	{.kind = GS_SUM, .type = -1},
	{.kind = GS_SUM, .type = GS_FLOAT8 + 1},
	{.kind = GS_SUM, .type = 33},
	{.kind = GS_SUM, .type = GS_BOOL},
	{.kind = GS_BIT_AND, .type = GS_FLOAT8},
	{.kind = GS_BIT_XOR, .type = GS_BOOL},
	{.kind = GS_STATS, .type = GS_BOOL},
	{.kind = GS_SCAN_BIT_AND, .type = GS_FLOAT4},
	{.kind = GS_WHERE, .type = GS_INT4},
	{.kind = GS_SCAN_SUM, .type = GS_INT4, .scan.exclusive = 2},
	{.kind = GS_SCAN_SUM, .type = GS_INT4, .segment.marked = -1},
	{.kind = GS_SCAN_SUM, .type = GS_INT4, .segment.length = -1},
	{.kind = GS_SCAN_SUM, .type = GS_INT4, .segment.length = 1, .segment.marked = 1},
	{.kind = GS_HISTOGRAM_WIDTH, .type = GS_FLOAT8, .histogram.low = 0, .histogram.high = 1,
	.histogram.buckets = 0, .histogram.formula = GS_BUCKET_PRODUCT_FIRST},
	{.kind = GS_HISTOGRAM_WIDTH, .type = GS_FLOAT8, .histogram.low = 0, .histogram.high = 1,
	.histogram.buckets = INT32_MAX, .histogram.formula = GS_BUCKET_PRODUCT_FIRST},
	{.kind = GS_HISTOGRAM_WIDTH, .type = GS_FLOAT8, .histogram.low = 0, .histogram.high = -0.0,
	.histogram.buckets = 1, .histogram.formula = GS_BUCKET_PRODUCT_FIRST},
	{.kind = GS_HISTOGRAM_WIDTH, .type = GS_FLOAT8, .histogram.low = 0, .histogram.high = NAN,
	.histogram.buckets = 1, .histogram.formula = GS_BUCKET_PRODUCT_FIRST},
	{.kind = GS_HISTOGRAM_WIDTH, .type = GS_FLOAT8, .histogram.low = 0,
	.histogram.high = HUGE_VAL, .histogram.buckets = 1, .histogram.formula = GS_BUCKET_PRODUCT_FIRST},
	{.kind = GS_HISTOGRAM_WIDTH, .type = GS_FLOAT8, .histogram.low = 0, .histogram.high = 1,
	.histogram.buckets = 1, .histogram.formula = 3},
	{.kind = GS_HISTOGRAM_EDGES, .type = GS_FLOAT8, .histogram.buckets = 2},
	{.kind = GS_HISTOGRAM_EDGES, .type = GS_FLOAT8, .histogram.buckets = 2,
	.histogram.edges = nan_edges},
	{.kind = GS_HISTOGRAM_EDGES, .type = GS_FLOAT8, .histogram.buckets = 2,
	.histogram.edges = equal_edges},
	{.kind = GS_SEARCH, .type = GS_BOOL, .search.count = 3, .search.keys = keys},
	{.kind = GS_SEARCH, .type = GS_INT4, .search.count = 3},
	{.kind = GS_SEARCH, .type = GS_INT4, .search.count = 0, .search.keys = keys},
	{.kind = GS_SEARCH, .type = GS_INT4, .search.count = INT32_MAX, .search.keys = keys},
	{.kind = GS_SEARCH, .type = GS_INT4, .search.count = 2,
	.search.keys = descending_keys},
	{.kind = GS_SEARCH, .type = GS_INT4, .search.left = 2, .search.count = 1, .search.keys = keys},
	{.kind = GS_ARITHMETIC, .type = GS_INT4},
	{.kind = GS_ARITHMETIC, .type = GS_INT4, .expression = {.arrays = 1,
	.steps = 2, .step = {{GS_CODE_ABS, GS_COLUMN(0), GS_NOTHING, 0},
	{GS_CODE_ABS, GS_COLUMN(0), GS_NOTHING, 0}}}},
	{.kind = GS_ARITHMETIC, .type = GS_INT4, .expression = {.arrays = 1,
	.steps = 1, .step = {{GS_CODE_ADD, GS_COLUMN(0), GS_COLUMN(1), 0}}}},
	{.kind = GS_ARITHMETIC, .type = GS_INT4, .filter.compare = GS_LT, .expression =
	{.arrays = 1, .steps = 1, .step = {{GS_CODE_ABS, GS_COLUMN(0), GS_NOTHING, 0}}}},
	{.kind = GS_ARITHMETIC, .type = GS_INT4, .expression = {.arrays = 1,
	.differences = GS_DIFFERENCES_NULL, .steps = 1,
	.step = {{GS_CODE_ABS, GS_COLUMN(0), GS_NOTHING, 0}}}},
	{.kind = GS_BETWEEN, .type = GS_BOOL},
	{.kind = GS_BETWEEN, .type = GS_INT4, .range.outside = 2},
	{.kind = GS_CLIP, .type = GS_BOOL},
	{.kind = GS_COMPARE, .type = GS_BOOL, .pairs.compare = GS_LT},
	{.kind = GS_COMPARE, .type = GS_INT4},
	{.kind = GS_COMPARE, .type = GS_INT4, .pairs.compare = GS_GT + 1},
	{.kind = GS_COMPARE, .type = GS_INT4, .pairs.compare = -1},
	{.kind = GS_NOT, .type = GS_INT4},
	{.kind = GS_AND, .type = GS_FLOAT8},
	{.kind = GS_OR, .type = GS_INT2},
	{.kind = GS_CHOOSE, .type = GS_INT4, .choose.where_false = -1},
	{.kind = GS_CHOOSE, .type = GS_INT4, .choose.has_constant = 2},
	{.kind = GS_CHOOSE, .type = GS_INT4, .choose.has_constant = -1},
	{.kind = GS_EXPRESSION, .type = GS_INT4, .aggregates = 1,
	.expression = {.arrays = 1}},
	{.kind = GS_EXPRESSION, .type = GS_INT4, .aggregates = 1,
	.filter.compare = GS_GT + 1, .expression = {.arrays = 1}},
	{.kind = GS_EXPRESSION, .type = GS_INT4, .aggregates = 1,
	.filter.compare = -1, .expression = {.arrays = 1}},
	{.kind = GS_EXPRESSION, .type = GS_INT4, .aggregates = 1,
	.filter.compare = GS_GT, .filter.integer_bound = 2, .expression = {.arrays = 1}},
	{.kind = GS_EXPRESSION, .type = GS_INT4, .aggregates = 1,
	.filter.compare = GS_GT, .expression = {.arrays = 2}},
	{.kind = GS_EXPRESSION, .type = GS_INT4, .aggregates = 1,
	.expression = {.arrays = 2, .differences = GS_DIFFERENCES_KEEP}},
	{.kind = GS_EXPRESSION, .type = GS_INT4, .aggregates = 1,
	.expression = {.arrays = 1, .differences = GS_DIFFERENCES_NULL + 1}},
	{.kind = GS_EXPRESSION, .type = GS_INT4, .aggregates = 1,
	.expression = {.arrays = 1, .differences = -1}},
	{.kind = GS_DIFF, .type = GS_BOOL},
	{.kind = GS_DIFF, .type = GS_INT4, .diff.null_first = -1},
	{.kind = GS_TAKE, .type = GS_INT8, .mask.type = GS_INT4, .mask.elements = 1},
	{.kind = GS_TAKE, .type = GS_INT4, .mask.elements = 1},
	{.kind = GS_TAKE, .type = GS_INT4, .mask.type = GS_FLOAT8 + 1,
	.mask.elements = 1},
	{.kind = GS_TAKE, .type = GS_INT4, .mask.type = GS_INT4},
	{.kind = GS_TAKE, .type = GS_INT4, .mask.type = GS_INT4,
	.mask.elements = INT64_C(1) << 31},
	{.kind = GS_AREA, .type = GS_BOOL},
	{.kind = GS_AREA, .type = GS_INT4, .area.both_sides = 2},
	{.kind = GS_ASOF, .type = GS_INT4},
	{.kind = GS_ASOF, .type = GS_BOOL, .mask.elements = 1},
	{.kind = GS_INTERPOLATE, .type = GS_FLOAT8,
	.mask.elements = INT64_C(1) << 31},
	{.kind = GS_CHOOSE_EITHER, .type = GS_INT4, .mask.type = GS_INT4,
	.mask.elements = 1},
	{.kind = GS_CHOOSE_EITHER, .type = GS_BOOL, .mask.elements = 1},
	{.kind = GS_CHOOSE_EITHER, .type = GS_BOOL, .mask.type = GS_INT4},
	{.kind = GS_EXP, .type = GS_BOOL},
	{.kind = GS_POWER, .type = GS_FLOAT8, .power.of_pairs = 2},
	{.kind = GS_POWER, .type = GS_FLOAT8, .power.of_pairs = -1},
	{.kind = GS_POWER, .type = GS_FLOAT8, .power.of_pairs = 1,
	.power.constant_is_base = 1},
	{.kind = GS_POWER, .type = GS_FLOAT8, .power.constant_is_base = 2},
	{.kind = GS_ROUND, .type = GS_FLOAT8, .round.digits = INT16_MAX + 1},
	{.kind = GS_ROUND, .type = GS_INT8, .round.digits = INT32_MIN},
	{.kind = GS_PCT_CHANGE, .type = GS_BOOL},
	{.kind = GS_UNIQUE, .type = GS_BOOL},
	{.kind = GS_RUN_STARTS, .type = GS_BOOL},
	{.kind = GS_FILTER, .type = GS_FLOAT8, .filter.compare = 0},
	{.kind = GS_FILTER, .type = GS_FLOAT8, .filter.compare = GS_GT + 1},
	{.kind = GS_FILTER, .type = GS_FLOAT8, .filter.compare = GS_GT,
	.filter.integer_bound = 2},
	{.kind = GS_SORT, .type = GS_BOOL},
	{.kind = GS_SELECT, .type = GS_INT8, .order.descending = 2},
	{.kind = GS_DISTINCT, .type = GS_INT8, .order.descending = 1},
	{.kind = GS_TRANSPOSE, .type = GS_INT8},
	{.kind = GS_TRANSPOSE, .type = GS_INT8, .transpose.columns = -1},
	{.kind = GS_GROUP, .type = GS_INT8, .aggregates = GS_GROUP_SUM},
	{.kind = GS_GROUP, .type = GS_INT8, .mask.type = GS_FLOAT8 + 1,
	.aggregates = GS_GROUP_SUM},
	{.kind = GS_GROUP, .type = GS_INT8, .mask.type = GS_INT4},
	{.kind = GS_GROUP, .type = GS_INT8, .mask.type = GS_INT4,
	.aggregates = GS_GROUP_ALL + 1},
	{.kind = GS_GROUP, .type = GS_INT8, .mask.type = GS_INT4,
	.aggregates = -1},
	{.kind = GS_GROUP, .type = GS_BOOL, .mask.type = GS_INT4,
	.aggregates = GS_GROUP_COUNT},
	{.kind = GS_SEGMENT_SUM, .type = GS_BOOL, .segment.marked = 1},
	{.kind = GS_SEGMENT_SUM, .type = GS_INT8},
	{.kind = GS_SEGMENT_AVG, .type = GS_INT8, .segment.marked = 2},
	{.kind = GS_SEGMENT_MIN, .type = GS_INT8, .segment.length = -1},
	{.kind = GS_SEGMENT_MIN, .type = GS_INT8, .segment.length = 5,
	.segment.marked = 1},
	{.kind = GS_MOVING_SUM, .type = GS_INT8, .moving.preceding = -1},
	{.kind = GS_MOVING_MAX, .type = GS_INT8, .moving.following = INT32_MIN},
	{.kind = GS_MOVING_MAX, .type = GS_BOOL},
	{.kind = GS_MOVING_AVG, .type = GS_BOOL},
	{.kind = GS_MOVING_STDDEV, .type = GS_INT2, .moving.preceding = -1},
	{.kind = GS_EWMA, .type = GS_FLOAT8},
	{.kind = GS_EWMA, .type = GS_FLOAT8, .ewma.alpha = NAN},
	{.kind = GS_EWMA, .type = GS_FLOAT8, .ewma.alpha = 1.001},
	{.kind = GS_EWMA, .type = GS_FLOAT8, .ewma.alpha = 0.5, .ewma.adjust = 2},
	{.kind = GS_MOVING_PERCENTILE, .type = GS_INT8, .percentile.fraction = -0.001},
	{.kind = GS_MOVING_PERCENTILE, .type = GS_INT8, .percentile.fraction = 1.001},
	{.kind = GS_MOVING_PERCENTILE, .type = GS_INT8, .percentile.fraction = NAN},
	{.kind = GS_MOVING_PERCENTILE, .type = GS_INT8, .percentile.discrete = 2},
	{.kind = GS_MOVING_PERCENTILE, .type = GS_BOOL, .percentile.fraction = 0.5},
	{.kind = INT32_MIN, .type = GS_INT8},
};

static void
test_check(void)
{
	test_begin("gs_op_check");
	for (size_t i = 0; i < sizeof valid / sizeof *valid; i++)
		expect(gs_op_check(&valid[i]) == GS_OK, "refuses valid operation %zu",
			   i);
	for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++)
	{
		gs_run	   *run;

		expect(gs_op_check(&invalid[i]) == GS_INVALID,
			   "passes invalid operation %zu", i);
		expect(gs_engine_cpu.begin(&invalid[i], 0, NULL, &run) == GS_INVALID,
			   "engine begins invalid operation %zu", i);
	}
	expect(gs_engine_cpu.begin(&valid[0], -1, NULL, &(gs_run *) {NULL}) ==
		   GS_INVALID, "engine begins an array of -1 elements");
	test_end();
}

/* The status of feeding `first` elements, if any, and then `in`, of n. */
static gs_status
feed_status(const gs_op *op, int64_t n, int64_t first, const gs_input *in,
			gs_output *out)
{
	gs_run	   *run;
	gs_status	status = gs_engine_cpu.begin(op, n, NULL, &run);
	int32_t    *values = allocate(sizeof(int32_t) * 2048);
	gs_input	before = {.n = first, .data = {values, NULL, first}};
	int64_t    *buffer = allocate(sizeof(int64_t) * 2048);
	gs_output	before_out = {.values = buffer};

	memset(values, 0, sizeof(int32_t) * 2048);
	if (status == GS_OK && first > 0)
		status = gs_engine_cpu.feed(run, &before, &before_out);
	if (status == GS_OK)
		status = gs_engine_cpu.feed(run, in, out);
	if (status != GS_OK)
		expect(gs_engine_cpu.error(run)->message[0] != '\0',
			   "no message with status %d", status);
	gs_engine_cpu.end(run);
	free(values);
	free(buffer);
	return status;
}

/* Malformed input, as another process may send it. */
static void
test_examples(void)
{
	test_begin("gs_op_example");
	for (gs_kind kind = GS_NO_KIND; kind < GS_KINDS; kind++)
	{
		for (gs_type type = GS_BOOL; type < GS_TYPES; type++)
		{
			gs_op		op;
			bool		is_there = gs_operation_of(kind)->types >> type & 1;

			expect(gs_op_example(kind, type, &op) == is_there,
				   "%s of type %d has %s example",
				   is_there ? gs_operation_of(kind)->name : "nothing", type,
				   is_there ? "no" : "an");
		}
	}
	test_end();
}

static void
test_malformed(void)
{
	const gs_op op = {.kind = GS_SCAN_SUM, .type = GS_INT4, .segment.marked = 1};
	const uint8_t bits = 0x0b;
	const uint8_t heads[4] = {0, 0, 0, 0};
	const int32_t values[4] = {1, 2, 3, 4};
	int64_t		buffer[4];
	uint8_t		validity[8];
	const gs_input good = {.n = 4, .data = {values, &bits, 3}, .mask = {heads, NULL, 4}};
	const gs_op plain = {.kind = GS_SCAN_SUM, .type = GS_INT4};
	gs_output	out = {buffer, validity, 0, 0};
	gs_input	in;

	test_begin("malformed chunks");
	expect(feed_status(&op, 4, 0, &good, &out) == GS_OK, "good batch refused");
	expect(feed_status(&op, 3, 0, &good, &out) == GS_INVALID,
		   "more elements than the array has");
	expect(feed_status(&plain, 1004, 1000, &good, &out) == GS_INVALID,
		   "batch after one that is not aligned");
	expect(feed_status(&plain, 1028, 1024, &good, &out) == GS_OK,
		   "aligned batch refused");
	in = good;
	in.n = -1;
	expect(feed_status(&op, 4, 0, &in, &out) == GS_INVALID, "negative size");
	in = good;
	in.data.present = 2;
	expect(feed_status(&op, 4, 0, &in, &out) == GS_INVALID, "too few values");
	in.data.present = 5;
	expect(feed_status(&op, 4, 0, &in, &out) == GS_INVALID, "too many values");
	in.data.present = -1;
	expect(feed_status(&op, 4, 0, &in, &out) == GS_INVALID,
		   "negative number of values");
	in = good;
	in.data.validity = NULL;
	expect(feed_status(&op, 4, 0, &in, &out) == GS_INVALID, "no bitmap");
	in = good;
	in.data.values = NULL;
	expect(feed_status(&op, 4, 0, &in, &out) == GS_INVALID, "no values");
	in = good;
	in.mask.present = 3;
	expect(feed_status(&op, 4, 0, &in, &out) == GS_INVALID, "no mask bitmap");
	in.mask.validity = &bits;
	expect(feed_status(&op, 4, 0, &in, &out) == GS_OK, "NULL mask refused");
	out.validity = NULL;
	expect(feed_status(&op, 4, 0, &good, &out) == GS_INVALID,
		   "no buffer for a bitmap");
	out.values = NULL;
	expect(feed_status(&op, 4, 0, &good, &out) == GS_INVALID,
		   "no buffer for values");
	test_end();
}

/* Any bytes in a mask are accepted and cause no access out of bounds. */
static void
test_odd_mask(void)
{
	enum
	{
		N = 600
	};
	const gs_op op = {.kind = GS_COMPACT, .type = GS_INT2};
	int16_t    *values = allocate(sizeof(int16_t) * N);
	uint8_t    *keep = allocate(N);
	int16_t    *buffer = allocate(sizeof(int16_t) * N);
	gs_output	out = {.values = buffer};
	gs_input	in = {.n = N, .data = {values, NULL, N}, .mask = {keep, NULL, N}};

	test_begin("mask of bytes other than 0 and 1");
	memset(values, 1, sizeof(int16_t) * N);
	memset(keep, 0xff, N);
	expect(feed_status(&op, N, 0, &in, &out) == GS_OK && out.n == N,
		   "%lld kept", (long long) out.n);
	test_end();
	free(values);
	free(keep);
	free(buffer);
}

static void
test_unfinished(void)
{
	gs_run	   *run;
	gs_result	result;

	test_begin("array that is not complete");
	gs_engine_cpu.begin(&valid[0], 5, NULL, &run);
	expect(gs_engine_cpu.finish(run, &result) == GS_INVALID,
		   "finished without its elements");
	gs_engine_cpu.end(run);
	test_end();
}

void
test_op(void)
{
	test_check();
	test_examples();
	test_malformed();
	test_odd_mask();
	test_unfinished();
}

/*
 * Conversion of flags to bits at every offset and back; counting and finding.
 */
void
test_bits(void)
{
	test_begin("bitmaps");
	for (int i = 0; i < 3000; i++)
	{
		int			n = (int) random_below(i < 1000 ? 20 : 200);
		int			at = (int) random_below(40);
		int			size = (at + n + 7) / 8;
		uint8_t    *bits = allocate(size);
		uint8_t    *flags = allocate(n);
		uint8_t    *back = allocate(at + n);
		int64_t		count = 0;

		for (int j = 0; j < size; j++)
			bits[j] = (uint8_t) (j < (at + 7) / 8 ? 0xff : random_bits());
		for (int j = 0; j < n; j++)
			flags[j] = random_bits() & 1;
		gs_cpu_flags_to_bits(flags, n, bits, at);
		gs_cpu_bits_to_flags(bits, 0, at + n, back);
		for (int j = 0; j < at + n; j++)
		{
			expect(back[j] == (j < at ? 1 : flags[j - at]),
				   "bit %d of %d + %d", j, at, n);
			if (!back[j])
				continue;
			expect(gs_find_bit(bits, count) == j,
				   "1 number %lld of %d + %d", (long long) count, at, n);
			count++;
		}
		expect(gs_count_bits(bits, at + n) == count, "count of %d + %d",
			   at, n);
		free(bits);
		free(flags);
		free(back);
	}
	test_end();
}

static uint64_t
integer_at(const uint8_t *bytes, int width)
{
	switch (width)
	{
		case 1:
			return *bytes;
		case 2:
			return *(const gs_bits16 *) bytes;
		case 4:
			return *(const gs_bits32 *) bytes;
		default:
			return *(const gs_bits64 *) bytes;
	}
}

/* Integers of any width to any other, in memory that just holds them. */
void
test_change_width(void)
{
	test_begin("integers of other widths");
	for (int i = 0; i < 16 * 50; i++)
	{
		int			from = 1 << i % 4;
		int			to = 1 << i / 4 % 4;
		int			n = (int) random_below(70);
		uint64_t	add = random_bits() >> random_below(64);
		uint64_t	mask = UINT64_MAX >> (64 - 8 * to);
		uint8_t    *before = allocate(n * from);
		uint8_t    *after = allocate(n * to);

		for (int j = 0; j < n * from; j++)
			before[j] = (uint8_t) random_bits();
		add = i % 3 == 0 ? -add : add;
		gs_cpu_change_width(before, from, after, to, n, add);
		for (int j = 0; j < n; j++)
			expect(integer_at(after + j * to, to) ==
				   ((integer_at(before + j * from, from) + add) & mask),
				   "number %d of %d, %d bytes to %d", j, n, from, to);
		free(before);
		free(after);
	}
	test_end();
}
