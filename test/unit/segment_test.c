/*-------------------------------------------------------------------------
 *
 * segment_test.c
 *	  Segments: the CPU engine against one segment after the other.
 *
 * Sums and means of floats are MPFR's.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/mean.h"
#include "harness.h"
#include "oracle.h"
#include "reference.h"

#include <math.h>

/* What a segment's elements have been reduced to. */
typedef struct segment
{
	int64_t		present;
	oracle_sum	sum;
	__int128	isum;
	gs_value	extreme;
} segment;

static bool
is_real(gs_type type)
{
	return type == GS_FLOAT4 || type == GS_FLOAT8;
}

static int64_t
integer_of(gs_type type, gs_value v)
{
	return type == GS_INT2 ? v.i2 : type == GS_INT4 ? v.i4 : v.i8;
}

static void
add(segment *s, const gs_op *op, gs_value v)
{
	gs_type		type = (gs_type) op->type;
	int			c = s->present == 0 ? 0 : compare_value(type, v, s->extreme);

	if (s->present == 0 || (op->kind == GS_SEGMENT_MIN ? c < 0 : c > 0))
		s->extreme = canonical(type, v);
	if (is_real(type))
		oracle_add(&s->sum, type == GS_FLOAT4 ? v.f4 : v.f8);
	else
		s->isum += integer_of(type, v);
	s->present++;
}

/* The bytes of its result; false if that is out of range. */
static bool
result_of(segment *s, const gs_op *op, uint64_t *result)
{
	gs_type		type = (gs_type) op->type;
	gs_value	v = {.i8 = 0};

	result[0] = result[1] = 0;
	if (s->present == 0 || op->kind == GS_SEGMENT_COUNT)
		return true;
	if (op->kind == GS_SEGMENT_MIN || op->kind == GS_SEGMENT_MAX)
		v = s->extreme;
	else if (!is_real(type))
	{
		if (op->kind == GS_SEGMENT_SUM && s->isum != (int64_t) s->isum)
			return false;
		result[1] = (uint64_t) (s->isum >> 64);
		v.i8 = (int64_t) s->isum;
	}
	else if (op->kind == GS_SEGMENT_AVG)
		v.f8 = oracle_mean(&s->sum);
	else if (type == GS_FLOAT4)
		v.f4 = oracle_round_float(&s->sum);
	else
		v.f8 = oracle_round(&s->sum);
	if (op->kind == GS_SEGMENT_SUM && is_real(type) &&
		!s->sum.nan && !s->sum.positive && !s->sum.negative &&
		!isfinite(type == GS_FLOAT4 ? v.f4 : v.f8))
		return false;
	if (op->kind == GS_SEGMENT_SUM || op->kind == GS_SEGMENT_AVG)
		v = canonical(op->kind == GS_SEGMENT_AVG && is_real(type) ?
					  GS_FLOAT8 : is_real(type) ? type : GS_INT8, v);
	memcpy(result, &v, sizeof v);
	return true;
}

/* The column that has the results, or the counts if these are the results. */
static gs_column
column_of(const gs_op *op)
{
	if (gs_has_column(op, GS_COLUMN_SUMS))
		return GS_COLUMN_SUMS;
	return gs_has_column(op, GS_COLUMN_VALUES) ? GS_COLUMN_VALUES :
		GS_COLUMN_COUNTS;
}

static void
fetch_counts(gs_run *run, const gs_op *op, int64_t n, int64_t *counts)
{
	int64_t		rows = GS_VALIDITY_ROWS(n);
	int64_t		part = random_below(rows + 1);
	uint64_t   *row = allocate(rows * sizeof *row);

	if (gs_has_column(op, GS_COLUMN_COUNTS))
		expect(gs_engine_cpu.fetch(run, GS_COLUMN_COUNTS, 0, n, counts) ==
			   GS_OK, "counts");
	else
	{
		expect(gs_engine_cpu.fetch(run, GS_COLUMN_VALIDITY, part, rows - part,
								   row + part) == GS_OK &&
			   gs_engine_cpu.fetch(run, GS_COLUMN_VALIDITY, 0, part, row) ==
			   GS_OK && gs_validity_fits(row, n), "validity");
		for (int64_t i = 0; i < n; i++)
			counts[i] = row[i / 64] >> i % 64 & 1;
	}
	free(row);
}

/*
 * Execute, and fetch results and counts, or 1 for each result that is not NULL.
 */
static gs_result
execute_segments(const gs_op *op, const test_array *a,
				 const test_array *heads, cut how, uint8_t *results,
				 int64_t *counts)
{
	int64_t		width = (int64_t) gs_column_width(op, column_of(op));
	gs_run	   *run;
	gs_result	result = {0};
	gs_output	out = {0};
	int64_t		part;

	expect(gs_engine_cpu.begin(op, a->n, NULL, &run) == GS_OK, "begin");
	for (int64_t at = 0, n; at < a->n; at += n)
	{
		gs_input	in;

		n = piece_size(how, a->n - at);
		in = (gs_input) {.n = n, .data = span_of(a, at, n)};
		if (op->segment.marked)
			in.mask = span_of(heads, at, n);
		expect(gs_engine_cpu.feed(run, &in, &out) == GS_OK &&
			   gs_engine_cpu.wait(run) == GS_OK, "feed");
		span_free(&in.data);
		span_free(&in.mask);
	}
	expect(gs_engine_cpu.finish(run, &result) == GS_OK, "finish");
	part = result.results > 0 ? random_below(result.results + 1) : 0;
	if (result.results <= a->n)
		expect(gs_engine_cpu.fetch(run, column_of(op), part,
								   result.results - part,
								   results + part * width) == GS_OK &&
			   gs_engine_cpu.fetch(run, column_of(op), 0, part, results) ==
			   GS_OK, "fetch");
	if (result.results <= a->n)
		fetch_counts(run, op, result.results, counts);
	gs_engine_cpu.end(run);
	return result;
}

static bool
starts(const gs_op *op, const test_array *heads, int64_t i)
{
	if (op->segment.marked)
		return i == 0 || (heads->valid[i] && heads->v[i].i2);
	return i % op->segment.length == 0;
}

static void
compare_segments(const gs_op *op, const test_array *a,
				 const test_array *heads, cut how)
{
	size_t		width = gs_column_width(op, column_of(op));
	uint8_t    *results = allocate((size_t) a->n * width);
	int64_t    *counts = allocate((size_t) a->n * sizeof(int64_t));
	gs_result	got = execute_segments(op, a, heads, how, results, counts);
	int64_t		segments = 0;
	int64_t		position = 0;
	segment		s = {0};

	oracle_init(&s.sum, false);
	for (int64_t i = 0; i < a->n; i++)
	{
		uint64_t	wanted[2];

		if (starts(op, heads, i))
		{
			oracle_reset(&s.sum);
			s.present = 0;
			s.isum = 0;
			segments++;
		}
		if (a->valid[i])
			add(&s, op, a->v[i]);
		if ((i + 1 < a->n && !starts(op, heads, i + 1)) ||
			!expect(segments <= got.results, "too few segments"))
			continue;
		if (!result_of(&s, op, wanted))
		{
			position = position == 0 ? segments : position;
			memset(wanted, 0, sizeof wanted);
		}
		expect(counts[segments - 1] ==
			   (gs_has_column(op, GS_COLUMN_COUNTS) ? s.present : s.present > 0),
			   "segment %lld: count %lld, of %lld values", (long long) segments,
			   (long long) counts[segments - 1], (long long) s.present);
		expect(column_of(op) == GS_COLUMN_COUNTS ||
			   memcmp(results + (segments - 1) * width, wanted, width) == 0,
			   "segment %lld of %lld elements: not %llx",
			   (long long) segments, (long long) s.present,
			   (unsigned long long) wanted[0]);
	}
	expect(got.results == segments, "%lld segments, not %lld",
		   (long long) got.results, (long long) segments);
	expect(got.position == position, "out of range at %lld, not %lld",
		   (long long) got.position, (long long) position);
	oracle_clear(&s.sum);
	free(results);
	free(counts);
}

static void
fill(test_array *a)
{
	int			width = gs_type_width(a->type);
	uint8_t    *packed = allocate((size_t) a->n * width);
	null_series nulls = random_nulls((null_pattern)
									 random_below(NULL_PATTERNS), a->n);

	fill_elements(packed, a->type, a->n,
				  (data_kind) random_below(DATA_KINDS));
	for (int64_t i = 0; i < a->n; i++)
	{
		a->v[i] = value_load(a->type, packed + i * width);
		a->valid[i] = !is_null(&nulls, i);
	}
	free(packed);
}

static void
fill_heads(test_array *heads)
{
	static const int64_t densities[] = {1, 2, 10, 300, 2000};
	int64_t		density = densities[random_below(5)];
	bool		nulls = one_in(3);

	for (int64_t i = 0; i < heads->n; i++)
	{
		heads->v[i].i2 = one_in(density);
		heads->valid[i] = !nulls || !one_in(4);
	}
}

static void
test_segments_of(gs_kind kind, gs_type type)
{
	static const int64_t sizes[] = {
		0, 1, 2, 255, 256, 511, 512, 513, 1024, 1025, 4000, 9000
	};

	test_begin("%s of %s", gs_operation_of(kind)->name, type_names[type]);
	for (int i = 0; i < 12 * 6; i++)
	{
		int64_t		n = sizes[i / 6];
		test_array	a = array_new(type, n);
		test_array	heads = array_new(GS_BOOL, n);
		gs_op		op = {.kind = kind, .type = type};

		fill(&a);
		if (i % 3 == 0)
			op.segment.length = one_in(5) ? INT64_MAX :
				1 + random_below(one_in(2) ? 20 : 2000);
		else
		{
			op.segment.marked = 1;
			fill_heads(&heads);
		}
		compare_segments(&op, &a, &heads, (cut) (i % 6 / 2));
		array_free(&a);
		array_free(&heads);
	}
	test_end();
}

/* Any byte but 0 is a head. */
static void
test_odd_heads(void)
{
	const gs_op op = {.kind = GS_SEGMENT_SUM, .type = GS_INT4, .segment.marked = 1};
	const int32_t values[] = {1, 2, 4, 8, 16};
	const uint8_t heads[] = {0, 0xff, 0, 2, 0};
	gs_input	in = {.n = 5, .data = {values, NULL, 5}, .mask = {heads, NULL, 5}};
	gs_output	out = {0};
	gs_result	result = {0};
	gs_run	   *run;
	int64_t		sums[3] = {0};

	test_begin("heads of bytes other than 0 and 1");
	gs_engine_cpu.begin(&op, 5, NULL, &run);
	gs_engine_cpu.feed(run, &in, &out);
	gs_engine_cpu.finish(run, &result);
	expect(result.results == 3 &&
		   gs_engine_cpu.fetch(run, GS_COLUMN_VALUES, 0, 3, sums) == GS_OK &&
		   sums[0] == 1 && sums[1] == 6 && sums[2] == 24, "other segments");
	expect(gs_engine_cpu.fetch(run, GS_COLUMN_SUMS, 0, 1, sums) == GS_INVALID,
		   "a column that is not there");
	gs_engine_cpu.end(run);
	test_end();
}

/* A double of any kind that makes ties, and cancels. */
static double
random_part(double before)
{
	switch (random_below(5))
	{
		case 0:
			return -before;
		case 1:
			return ldexp(before, -53 - (int) random_below(3));
		case 2:
			return (double) random_below(1000) - 500;
		case 3:
			return ldexp(random_normal(), (int) random_below(1900) - 950);
		default:
			return ldexp(random_normal(), (int) random_below(120) - 60);
	}
}

static void
test_mean_of_three(void)
{
	int64_t		refused = 0;

	test_begin("means of sums in three doubles");
	for (int i = 0; i < 200000; i++)
	{
		double		a = random_part(1);
		double		b = random_part(a);
		double		c = one_in(2) ? 0 : random_part(b);
		int64_t		n = one_in(2) ? 1 + random_below(100) :
			1 + random_below(INT32_MAX);
		gs_acc		acc;
		double		wanted;
		double		got;

		gs_acc_init(&acc);
		gs_acc_add(&acc, a);
		gs_acc_add(&acc, b);
		gs_acc_add(&acc, c);
		gs_acc_mean(&acc, n, &wanted);
		if (!gs_mean_of_three(a, b, c, (double) n, &got))
			refused++;
		else
			expect(gs_double_bits(got) == gs_double_bits(wanted),
				   "(%a + %a + %a) / %lld = %a, not %a", a, b, c,
				   (long long) n, got, wanted);
	}
	expect(refused < 100000, "%lld are refused", (long long) refused);
	test_end();
}

void
test_segments(void)
{
	for (gs_kind kind = GS_SEGMENT_SUM; kind <= GS_SEGMENT_COUNT; kind++)
	{
		for (gs_type type = GS_INT2; type < GS_TYPES; type++)
			test_segments_of(kind, type);
	}
	test_odd_heads();
	test_mean_of_three();
}
