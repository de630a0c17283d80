/*-------------------------------------------------------------------------
 *
 * engine_test.c
 *	  The CPU engine against the reference.
 *
 * Every operation over every type, with all patterns of NULLs, in every mode,
 * over arrays of sizes around the borders of blocks and batches,
 * in one feed and in many.
 *
 *-------------------------------------------------------------------------
 */
#include "harness.h"
#include "reference.h"

#include "engine/cpu/engine_cpu.h"
#include "engine/elements.h"
#include "engine/search.h"

#include <math.h>

static const int64_t sizes[] = {
	0, 1, 2, 7, 8, 63, 65, 511, 512, 513, 1023, 1024, 1025, 2048, 2600
};

#define SIZES	((int) (sizeof sizes / sizeof *sizes))

typedef enum scan_mode
{
	SCAN_PLAIN,
	SCAN_CHUNK,
	SCAN_HEADS,
	SCAN_MODES
} scan_mode;

static gs_value
int_value(gs_type type, int64_t x)
{
	gs_value	v;

	memset(&v, 0, sizeof v);
	if (type == GS_INT8)
		v.i8 = x;
	else if (type == GS_INT4)
		v.i4 = (int32_t) x;
	else
		v.i2 = (int16_t) x;
	return v;
}

static gs_value
double_value(gs_type type, double x)
{
	gs_value	v;

	memset(&v, 0, sizeof v);
	if (type == GS_FLOAT8)
		v.f8 = x;
	else if (type == GS_FLOAT4)
		v.f4 = (float) x;
	else
	{
		/* clamp to the range */
		double		limit = type == GS_INT8 ? 0x1p62 :
			type == GS_INT4 ? 0x1p30 : 0x1p14;

		x = x > limit ? limit : x > -limit ? x : -limit;
		v = int_value(type, (int64_t) x);
	}
	return v;
}

static void
fill_values(test_array *a)
{
	data_kind	kind = (data_kind) random_below(DATA_KINDS);
	bool		with_zeros = is_float(a->type) && one_in(4);
	int			width = gs_type_width(a->type);
	uint8_t    *packed = allocate((size_t) a->n * width);

	if (!is_float(a->type) && one_in(2))
		kind = DATA_MIXED;
	fill_elements(packed, a->type, a->n, kind);
	for (int64_t i = 0; i < a->n; i++)
		a->v[i] = with_zeros && one_in(2) ? double_value(a->type, -0.0) :
			value_load(a->type, packed + i * width);
	free(packed);
}

static void
fill_valid(bool *valid, int64_t n, null_pattern pattern)
{
	null_series nulls = random_nulls(pattern, n);

	for (int64_t i = 0; i < n; i++)
		valid[i] = !is_null(&nulls, i);
}

static null_pattern
random_pattern(void)
{
	return (null_pattern) random_below(NULL_PATTERNS);
}

static void
fill_mask(test_array *a)
{
	static const int64_t densities[] = {1, 2, 10, 300};
	int64_t		density = densities[random_below(4)];

	for (int64_t i = 0; i < a->n; i++)
		a->mask[i] = one_in(density);
	fill_valid(a->mask_valid, a->n, one_in(2) ? NULLS_NONE : random_pattern());
}

static test_array
random_array(gs_type type, int64_t n, null_pattern nulls)
{
	test_array	a = array_new(type, n);

	fill_values(&a);
	fill_valid(a.valid, n, nulls);
	fill_mask(&a);
	return a;
}

static bool
same_values(gs_type type, const test_array *got, const test_array *wanted)
{
	if (!expect(got->n == wanted->n, "%lld results, not %lld",
				(long long) got->n, (long long) wanted->n))
		return false;
	for (int64_t i = 0; i < got->n; i++)
	{
		if (!expect(got->valid[i] == wanted->valid[i],
					"result %lld is%s NULL", (long long) i + 1,
					got->valid[i] ? " not" : ""))
			return false;
		if (got->valid[i] &&
			!expect(value_bits(type, got->v[i]) ==
					value_bits(type, wanted->v[i]),
					"result %lld: %g %#llx, not %g %#llx", (long long) i + 1,
					value_double(type, got->v[i]),
					(unsigned long long) value_bits(type, got->v[i]),
					value_double(type, wanted->v[i]),
					(unsigned long long) value_bits(type, wanted->v[i])))
			return false;
	}
	return true;
}

/* A reduction of floats; the reference gives the rounded sum as its value. */
static bool
same_float_sum(const gs_op *op, const gs_result *got, const gs_result *wanted)
{
	double		sum;
	gs_rounding r = gs_acc_round(&got->sum, &sum);

	if (op->kind == GS_DOT)
	{
		gs_acc2		a = got->squares;
		gs_acc2		b = wanted->squares;

		gs_acc2_propagate(&a);
		gs_acc2_propagate(&b);
		return expect(a.seen == b.seen &&
					  memcmp(a.limb, b.limb, sizeof a.limb) == 0,
					  "dot product: seen %x, not %x", a.seen, b.seen);
	}
	/* exact_test.c tests moments of floats */
	if ((op->kind != GS_SUM && op->kind != GS_ASUM) || got->present == 0)
		return true;
	return expect(r == GS_OVERFLOW ? isinf(wanted->value.f8) :
				  gs_double_bits(sum) == gs_double_bits(wanted->value.f8),
				  "sum %a, not %a", sum, wanted->value.f8);
}

/* An order, or moving frames. */
static bool
same_fetched(const gs_op *op, const outcome *got, const outcome *wanted)
{
	gs_type		type = (gs_type) op->type;
	difference	d = {""};

	if (!expect(got->result.results == wanted->result.results,
				"%lld results, not %lld", (long long) got->result.results,
				(long long) wanted->result.results) ||
		!same_values(gs_column_type(op, GS_COLUMN_VALUES), &got->out,
					 &wanted->out))
		return false;
	for (int64_t i = 0; gs_has_column(op, GS_COLUMN_COUNTS) && i < got->out.n;
		 i++)
	{
		if (!expect(got->result.counts[i] == wanted->result.counts[i],
					"value %lld is there %lld times, not %lld",
					(long long) i + 1, (long long) got->result.counts[i],
					(long long) wanted->result.counts[i]))
			return false;
	}
	return op->kind != GS_DISTINCT || got->out.n == 0 ||
		expect(same_value(type, "mode", got->result.value,
						  wanted->result.value, &d), "%s", d.text);
}

/*
 * Execute an operation, cut in every way, and compare all results.  Returns the
 * status that is right.
 */
static gs_status
compare(const gs_op *op, const test_array *a)
{
	outcome		wanted = reference(op, a);
	difference	d = {""};
	bool		same = true;

	for (cut how = CUT_NONE; how <= CUT_RANDOM && same; how++)
	{
		outcome		got = execute(op, a, how);

		same = expect(got.status == wanted.status &&
					  got.position == wanted.position &&
					  got.answer == wanted.answer,
					  "status %d, %d at %lld, not %d, %d at %lld", got.status,
					  got.answer, (long long) got.position, wanted.status,
					  wanted.answer, (long long) wanted.position);
		if (same && got.status == GS_OK)
		{
			if (gs_is_reduction((gs_kind) op->kind))
				same = expect(same_sizes(&got.result, &wanted.result, &d) &&
							  same_reduction(op, &got.result, &wanted.result,
											 &d), "%s", d.text) &&
					(!has_float_sum(op) ||
					 same_float_sum(op, &got.result, &wanted.result));
			else if (gs_is_histogram((gs_kind) op->kind))
				same = expect(same_counts(op, &got.result, &wanted.result, &d),
							  "%s", d.text);
			else if (gs_is_fetched((gs_kind) op->kind))
				same = same_fetched(op, &got, &wanted);
			else
				same = same_values(gs_output_type(op), &got.out, &wanted.out);
		}
		outcome_free(&got);
	}
	outcome_free(&wanted);
	return wanted.status;
}

static void
test_kind(gs_kind kind, gs_type type)
{
	gs_op		op = {.kind = kind, .type = type};
	bool		scan = gs_is_scan(kind);

	if (gs_op_check(&op) != GS_OK)
		return;					/* not allowed (operation_test.c), or needs
								 * more members (below) */
	test_begin("%s of %s", gs_operation_of(kind)->name, type_names[type]);
	for (int i = 0; i < SIZES * NULL_PATTERNS; i++)
	{
		/* scans are exclusive or not; the others have half as many arrays */
		for (int mode = 0; mode < SCAN_MODES * (scan ? 2 : 1); mode++)
		{
			test_array	a = random_array(type, sizes[i / NULL_PATTERNS],
										 (null_pattern) (i % NULL_PATTERNS));

			if (scan)
			{
				op.scan.exclusive = mode % 2;
				op.segment.marked = mode / 2 == SCAN_HEADS;
				op.segment.length = mode / 2 == SCAN_CHUNK ?
					1 + random_below(random_bits() & 1 ? 10 : 1500) : 0;
			}
			compare(&op, &a);
			array_free(&a);
		}
	}
	test_end();
}

/* Values on, just below and just above a number. */
static gs_value
value_near(gs_type type, double x)
{
	int			step = (int) random_below(3);

	if (step > 0 && type == GS_FLOAT8)
		x = nextafter(x, step == 1 ? -HUGE_VAL : HUGE_VAL);
	else if (step > 0 && type == GS_FLOAT4)
		x = nextafterf((float) x, step == 1 ? -HUGE_VALF : HUGE_VALF);
	else if (step > 0)
		x += step == 1 ? -1 : 1;
	return double_value(type, x);
}

/* A third of the values anywhere, the others near the numbers. */
static void
fill_near(test_array *a, const double *numbers, int n)
{
	for (int64_t i = 0; i < a->n; i++)
	{
		if (random_below(3) > 0)
			a->v[i] = value_near(a->type, numbers[random_below(n)]);
	}
}

/* Bounds from ordinary ones to those for which the formulas overflow. */
static void
random_bounds(gs_op *op, gs_type type)
{
	static const double odd[][2] = {
		{-1e308, 1e308}, {1.7e308, -1.7e308}, {0, 5e-324}, {-1e-320, 1e-320},
		{1e300, 1e308}, {0.1, 0.3}, {0, 1}
	};

	if (type < GS_FLOAT4)
	{
		op->histogram.low = (double) random_below(2000) - 1000;
		op->histogram.high = (double) random_below(2000) - 1000.5;
	}
	else if (random_bits() & 1)
	{
		op->histogram.low = random_normal();
		op->histogram.high = random_normal();
	}
	else
	{
		int			i = (int) random_below(sizeof odd / sizeof *odd);

		op->histogram.low = odd[i][0];
		op->histogram.high = odd[i][1];
	}
}

static void
test_histogram_width(gs_type type)
{
	gs_op		op = {.kind = GS_HISTOGRAM_WIDTH, .type = type};

	test_begin("histogram of %s, equal widths", type_names[type]);
	for (int i = 0; i < 3 * SIZES * NULL_PATTERNS; i++)
	{
		test_array	a = random_array(type, sizes[i / 3 / NULL_PATTERNS],
									 (null_pattern) (i % NULL_PATTERNS));
		static const int32_t buckets[] = {1, 2, 7, 256, 1021, 1022, 5000};
		double		edges[64];

		op.histogram.formula = 1 + (int32_t) (random_bits() & 1);
		op.histogram.buckets = buckets[random_below(7)];
		random_bounds(&op, type);
		for (int j = 0; j < 64; j++)
		{
			double		part = (double) random_below(op.histogram.buckets + 1) /
				op.histogram.buckets;

			edges[j] = op.histogram.low * (1 - part) + op.histogram.high * part;
		}
		fill_near(&a, edges, 64);
		compare(&op, &a);
		array_free(&a);
	}
	test_end();
}

static void
test_histogram_edges(gs_type type)
{
	gs_op		op = {.kind = GS_HISTOGRAM_EDGES, .type = type};

	test_begin("histogram of %s, given edges", type_names[type]);
	for (int i = 0; i < 3 * SIZES * NULL_PATTERNS; i++)
	{
		test_array	a = random_array(type, sizes[i / 3 / NULL_PATTERNS],
									 (null_pattern) (i % NULL_PATTERNS));
		int32_t		n = 2 +
			(int32_t) random_below(random_bits() & 1 ? 6 : 900);
		double	   *edges = allocate(sizeof(double) * n);
		double		edge = random_bits() & 1 ? -HUGE_VAL :
			random_normal() * 100;

		for (int32_t j = 0; j < n; j++)
		{
			edges[j] = edge;
			edge = isinf(edge) ? -1000.25 : edge + ceil(5 * random_uniform());
		}
		/* so far apart that the width of all may be beyond double */
		for (int32_t j = 0; i % 4 == 3 && !isinf(edges[0]) && j < n; j++)
			edges[j] = (edges[j] - edges[n - 1] / 2) * 1e305;
		op.histogram.buckets = n - 1;
		op.histogram.edges = edges;
		fill_near(&a, edges, n);
		compare(&op, &a);
		free(edges);
		array_free(&a);
	}
	test_end();
}

static int
compare_keys(const void *x, const void *y)
{
	int64_t		a = *(const int64_t *) x;
	int64_t		b = *(const int64_t *) y;

	return (a > b) - (a < b);
}

static void
test_search(gs_type type)
{
	gs_op		op = {.kind = GS_SEARCH, .type = type};

	test_begin("searchsorted of %s", type_names[type]);
	for (int i = 0; i < 2 * SIZES * NULL_PATTERNS; i++)
	{
		test_array	a = random_array(type, sizes[i / 2 / NULL_PATTERNS],
									 (null_pattern) (i % NULL_PATTERNS));
		int32_t		n = 1 + (int32_t) random_below(random_bits() & 1 ? 4 : 200);
		int64_t    *keys = allocate(sizeof(int64_t) * n);

		/* elements of the array, or anything else */
		for (int32_t j = 0; j < n; j++)
		{
			gs_value	v = a.n > 0 && random_below(4) > 0 ?
				a.v[random_below(a.n)] :
				double_value(type, (double) random_below(100));

			keys[j] = random_below(50) == 0 ? INT64_MAX :
				random_below(50) == 0 ? INT64_MIN :
				is_float(type) ? gs_search_key(value_double(type, v)) :
				value_int(type, v);
		}
		qsort(keys, n, sizeof(int64_t), compare_keys);
		op.search.count = n;
		op.search.keys = keys;
		op.search.left = random_bits() & 1;
		compare(&op, &a);
		free(keys);
		array_free(&a);
	}
	test_end();
}

static void
test_neighbours(gs_kind kind, gs_type type)
{
	gs_op		op = {.kind = kind, .type = type};

	test_begin("%s of %s", gs_operation_of(kind)->name, type_names[type]);
	for (int i = 0; i < 4 * SIZES * NULL_PATTERNS; i++)
	{
		test_array	a = random_array(type, sizes[i / 4 / NULL_PATTERNS],
									 (null_pattern) (i % NULL_PATTERNS));

		/* runs, of 0 and -0 and of NaN, too */
		for (int64_t j = 1; i % 2 == 0 && j < a.n; j++)
		{
			if (random_below(3) > 0)
				a.v[j] = a.v[j - 1];
		}
		op.diff.null_first = kind == GS_DIFF && random_bits() & 1;
		compare(&op, &a);
		array_free(&a);
	}
	test_end();
}

/* Elements that have results, but for one now and then. */
static void
fill_elements_of_map(test_array *a, gs_kind kind, const gs_op *op)
{
	double		most = kind == GS_EXP ? 60 : kind == GS_POWER ? 12 : 30000;
	bool		positive = kind == GS_SQRT || kind == GS_LN ||
		(kind == GS_POWER && !op->power.constant_is_base);
	bool		special = is_float(a->type) && one_in(4);

	for (int64_t i = 0; i < a->n; i++)
	{
		double		x = (2 * random_uniform() - 1) * most;

		if (is_float(a->type) && one_in(3))
			x = ldexp(x, -(int) random_below(80));
		if (positive || kind == GS_PCT_CHANGE)
			x = fabs(x) + (kind == GS_SQRT ? 0 : is_float(a->type) ? 0x1p-100 : 1);
		if (kind == GS_ROUND && one_in(2))
			x = floor(x) / 8;
		a->v[i] = i > 0 && one_in(8) ? a->v[i - 1] :
			double_value(a->type, special && one_in(9) ?
						 (one_in(2) ? (double) INFINITY : (double) NAN) : x);
	}
	if (a->n > 0 && one_in(8))
		a->v[random_below(a->n)] = double_value(a->type, one_in(2) ? 0 : -3);
}

static void
test_elements(gs_kind kind, gs_type type)
{
	static const int digits[] = {0, 1, 2, 5, 22, 23, 300, -1, -2, -4, -9, -25};
	const bool	of_pairs = kind == GS_POWER;
	int			errors = 0;
	int			arrays = 2 * SIZES * NULL_PATTERNS;

	test_begin("%s of %s", gs_operation_of(kind)->name, type_names[type]);
	for (int i = 0; i < arrays; i++)
	{
		gs_op		op = {.kind = kind, .type = type};
		test_array	a = random_array(type, sizes[i / 2 / NULL_PATTERNS],
									 (null_pattern) (i % NULL_PATTERNS));

		if (of_pairs)
			op.power.of_pairs = one_in(2);
		if (of_pairs && !op.power.of_pairs)
		{
			op.power.constant_is_base = one_in(2);
			op.power.constant = op.power.constant_is_base ? 20 * random_uniform() :
				one_in(4) ? (double) random_below(5) : 8 * random_uniform() - 4;
		}
		if (kind == GS_ROUND)
			op.round.digits = digits[random_below(12)];
		fill_elements_of_map(&a, kind, &op);
		errors += compare(&op, &a) != GS_OK;
		array_free(&a);
	}
	expect(errors < arrays * 3 / 4, "%d of %d arrays have errors", errors,
		   arrays);
	test_end();
}

static void
test_transpose(gs_type type)
{
	gs_op		op = {.kind = GS_TRANSPOSE, .type = type};

	test_begin("transpose of %s", type_names[type]);
	for (int i = 0; i < 4 * SIZES * NULL_PATTERNS; i++)
	{
		test_array	a = random_array(type, sizes[i / 4 / NULL_PATTERNS],
									 (null_pattern) (i % NULL_PATTERNS));

		op.transpose.columns = 1 + random_below(i % 3 == 0 ? 40 :
											 i % 3 == 1 ? a.n + 2 : 2000);
		compare(&op, &a);
		array_free(&a);
	}
	test_end();
}

static void
test_filter(gs_type type)
{
	static const double bounds[] = {
		0, -0.0, 1, -1.5, NAN, HUGE_VAL, -HUGE_VAL, 5e-324, 0x1p63, 0x1p53
	};
	static const int64_t ibounds[] = {
		0, 1, -1, INT64_MAX, INT64_MIN, INT16_MAX, (INT64_C(1) << 53) + 1
	};
	gs_op		op = {.kind = GS_FILTER, .type = type};

	test_begin("filter of %s", type_names[type]);
	for (int i = 0; i < 6 * SIZES * NULL_PATTERNS; i++)
	{
		test_array	a = random_array(type, sizes[i / 6 / NULL_PATTERNS],
									 (null_pattern) (i % NULL_PATTERNS));
		double		number;

		op.filter.compare = GS_LT + i / NULL_PATTERNS % 6;
		op.filter.integer_bound = (int32_t) (random_bits() & 1);
		op.filter.bound = bounds[random_below(10)];
		op.filter.ibound = ibounds[random_below(7)];
		if (random_below(3) == 0 && a.n > 0)
		{
			op.filter.bound = value_double(type, a.v[0]);
			if (type == GS_INT8)
				op.filter.ibound = a.v[0].i8;
		}
		number = op.filter.integer_bound ? (double) op.filter.ibound : op.filter.bound;
		if (!isnan(number))
			fill_near(&a, &number, 1);
		compare(&op, &a);
		array_free(&a);
	}
	test_end();
}

/* A value of the array, or one that is at an end of the type, or NaN. */
static gs_value
some_end(const test_array *a)
{
	static const double ends[] = {0, -0.0, NAN, HUGE_VAL, -HUGE_VAL, 5e-324, -1};
	static const int64_t integers[] = {0, INT64_MAX, INT64_MIN, -1};
	gs_value	v = {.i8 = 0};

	if (a->n > 0 && random_below(3) > 0)
		return a->v[random_below(a->n)];
	if (is_float(a->type))
		return canonical(a->type, double_value(a->type, ends[random_below(7)]));
	v.i8 = integers[random_below(4)];
	if (a->type == GS_INT4)
		return int_value(GS_INT4, v.i8 == INT64_MAX ? INT32_MAX :
						 v.i8 == INT64_MIN ? INT32_MIN : v.i8);
	if (a->type == GS_INT2)
		return int_value(GS_INT2, v.i8 == INT64_MAX ? INT16_MAX :
						 v.i8 == INT64_MIN ? INT16_MIN : v.i8);
	if (a->type == GS_BOOL)
		v.i8 = v.i8 != 0;
	return v;
}

/* Ranges, comparisons and choices, in vectors of each width. */
static void
test_map(gs_kind kind, gs_type type)
{
	gs_op		op = {.kind = kind, .type = type, .pairs = {GS_LT}};

	if (gs_op_check(&op) != GS_OK)
		return;
	test_begin("%s of %s, with options", gs_operation_of(kind)->name,
			   type_names[type]);
	for (int i = 0; i < 4 * SIZES * NULL_PATTERNS; i++)
	{
		test_array	a = random_array(type, sizes[i / 4 / NULL_PATTERNS],
									 (null_pattern) (i % NULL_PATTERNS));

		/* pairs of equals, which the mask has in reverse order */
		for (int64_t j = 0; one_in(2) && j < a.n; j++)
			a.v[j] = one_in(2) ? a.v[j] : a.v[a.n - 1 - j];
		op.range.low = some_end(&a);
		op.range.high = some_end(&a);
		op.range.outside = one_in(2);
		op.choose.constant = some_end(&a);
		op.choose.has_constant = (int32_t) random_below(2);
		op.choose.where_false = one_in(2);
		op.pairs.compare = GS_LT + (int32_t) random_below(6);
		gs_cpu_most_lanes = one_in(2) ? 8 : 2;
		compare(&op, &a);
		array_free(&a);
	}
	gs_cpu_most_lanes = 8;
	test_end();
}

/*
 * Prefix sums near the ends of bigint's range, which random ones rarely reach.
 * The first one out of range is reported, by exclusive and segmented scans
 * too.
 */
static void
test_bigint_range(void)
{
	test_begin("range of bigint");
	for (int i = 0; i < 3000; i++)
	{
		gs_op		op = {.kind = GS_SCAN_SUM, .type = GS_INT8};
		test_array	a = random_array(GS_INT8, sizes[i % SIZES],
									 one_in(3) ? NULLS_NONE : random_pattern());

		for (int64_t j = 0; j < a.n; j++)
		{
			a.v[j].i8 = random_below(a.n + 1) > 2 ? random_below(9) - 4 :
				random_bits() & 1 ? INT64_MAX - 1 : INT64_MIN;
			a.mask[j] = random_below(4) == 0;
		}
		op.scan.exclusive = (int32_t) (random_bits() & 1);
		op.segment.marked = (int32_t) (random_bits() & 1);
		compare(&op, &a);
		array_free(&a);
	}
	test_end();
}

/* Few distinct values, so that many are equal. */
static void
make_few(test_array *a)
{
	int64_t		distinct = 1 + random_below(random_bits() & 1 ? 3 : 300);

	for (int64_t i = distinct; i < a->n; i++)
		a->v[i] = a->v[random_below(distinct)];
}

/*
 * The sorter treats few keys differently from many: sizes around the
 * thresholds, and around the pieces in which it works.
 */
static void
test_order(gs_kind kind, gs_type type)
{
	static const int64_t order_sizes[] = {
		0, 1, 2, 39, 40, 41, 300, 8191, 8192, 8193, 17000
	};
	gs_op		op = {.kind = kind, .type = type};

	if (gs_op_check(&op) != GS_OK)
		return;
	test_begin("%s of %s", gs_operation_of(kind)->name, type_names[type]);
	for (int i = 0; i < 4 * 11; i++)
	{
		test_array	a = random_array(type, order_sizes[i / 4],
									 random_pattern());

		op.order.descending = kind != GS_DISTINCT && i % 2;
		if (i / 2 % 2)
			make_few(&a);
		compare(&op, &a);
		array_free(&a);
	}
	/* a large one, of the widest and the narrowest elements */
	if (type == GS_FLOAT8 || type == GS_INT2)
	{
		test_array	a = random_array(type, (1 << 20) + 1500, NULLS_SOME);

		compare(&op, &a);
		array_free(&a);
	}
	test_end();
}

/*
 * Integers whose sums come near the ends of bigint's range, or do so now and
 * then; floats of about the same magnitude, with all bits or a few.
 */
static void
fill_summable(test_array *a, bool few)
{
	for (int64_t i = 0; i < a->n; i++)
	{
		if (a->type == GS_INT8)
			a->v[i].i8 = random_below(few ? 2 : a->n + 1) ?
				random_below(9) - 4 :
				random_bits() & 1 ? INT64_MAX / 2 : INT64_MIN / 2;
		else if (a->type >= GS_FLOAT4 && !one_in(200))
			a->v[i] = double_value(a->type, few ?
								   (double) (random_below(2001) - 1000) / 8 :
								   random_normal());
	}
}

/* Frames of every size, up to ones longer than the array. */
static void
test_moving(gs_kind kind, gs_type type)
{
	gs_op		op = {.kind = kind, .type = type, .ewma = {.alpha = 1}};

	if (gs_op_check(&op) != GS_OK || !gs_is_series(&op))
		return;					/* moving_test.c tests sums of integers */
	test_begin("%s of %s", gs_operation_of(kind)->name, type_names[type]);
	for (int i = 0; i < 2 * SIZES * NULL_PATTERNS; i++)
	{
		test_array	a = random_array(type, sizes[i / 2 / NULL_PATTERNS],
									 (null_pattern) (i % NULL_PATTERNS));
		int64_t		most = one_in(2) ? 4 : one_in(4) ? a.n + 3 : 100;

		op.moving.preceding = one_in(20) ? INT32_MAX :
			(int32_t) random_below(most);
		op.moving.following = one_in(20) ? INT32_MAX : one_in(2) ? 0 :
			(int32_t) random_below(most);
		if (kind == GS_EWMA)
		{
			op.ewma.alpha = one_in(10) ? 1 : 1 - random_uniform();
			op.ewma.adjust = one_in(2);
		}
		if (kind == GS_MOVING_PERCENTILE)
		{
			op.percentile.fraction = one_in(4) ? (double) random_below(2) :
				one_in(2) ? 0.5 : random_uniform();
			op.percentile.discrete = one_in(2);
		}
		if (i % 3 > 0)
			fill_summable(&a, i % 3 == 1);
		compare(&op, &a);
		array_free(&a);
	}
	test_end();
}

void
test_engine(void)
{
	test_refused_results();
	for (gs_kind kind = GS_NO_KIND + 1; kind < GS_KINDS; kind++)
	{
		for (gs_type type = GS_BOOL; type < GS_TYPES; type++)
		{
			if (gs_is_order(kind))
				test_order(kind, type);
			else if (gs_is_moving(kind))
				test_moving(kind, type);
			else if (gs_is_placement(kind) || kind == GS_AREA)
				continue;		/* place_test.c, interpolate_test.c */
			else
				test_kind(kind, type);
			if (gs_is_map(kind) && kind != GS_ARITHMETIC && kind != GS_SEARCH &&
				kind != GS_DIFF && !gs_is_of_elements(kind))
				test_map(kind, type);
		}
	}
	for (gs_type type = GS_INT2; type < GS_TYPES; type++)
	{
		test_histogram_width(type);
		test_histogram_edges(type);
		test_search(type);
		test_neighbours(GS_DIFF, type);
		for (gs_kind kind = GS_SQRT; kind <= GS_PCT_CHANGE; kind++)
			test_elements(kind, type);
		test_neighbours(GS_UNIQUE, type);
		test_neighbours(GS_RUN_STARTS, type);
		test_transpose(type);
		test_filter(type);
	}
	test_bigint_range();
}
