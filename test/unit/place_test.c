/*-------------------------------------------------------------------------
 *
 * place_test.c
 *	  Elements from other places: the CPU engine against the array's elements,
 *	  one after the other.
 *
 *-------------------------------------------------------------------------
 */
#include "harness.h"

static const int64_t sizes[] = {
	1, 2, 7, 8, 63, 64, 65, 511, 512, 513, 1024, 1025, 2600, 70000
};

#define SIZES	((int) (sizeof sizes / sizeof *sizes))

static test_array
random_array(gs_type type, int64_t n)
{
	test_array	a = array_new(type, n);
	null_pattern pattern = one_in(2) ? NULLS_NONE :
		(null_pattern) random_below(NULL_PATTERNS);
	null_series nulls = random_nulls(pattern, n);

	for (int64_t i = 0; i < n; i++)
	{
		uint64_t	bits = random_bits();

		if (type == GS_BOOL)
			bits &= 1;
		a.v[i] = value_load(type, (const uint8_t *) &bits);
		a.valid[i] = !is_null(&nulls, i);
	}
	return a;
}

/* Positions among n elements, of which one is perhaps wrong. */
static bool
set_positions(test_array *p, int64_t n)
{
	static const int32_t wrong[] = {0, -1, INT32_MIN, INT32_MAX};
	bool		good = true;

	for (int64_t i = 0; i < p->n; i++)
		p->v[i].i4 = 1 + (int32_t) random_below(n);
	if (p->n > 0 && one_in(5))
	{
		int64_t		i = random_below(p->n);

		p->v[i].i4 = one_in(2) ? (int32_t) n + 1 : wrong[random_below(4)];
		good = !p->valid[i];
	}
	return good;
}

/* Where the result of a place comes from, counted from 0; -1: NULL. */
static int64_t
origin(const gs_op *op, const test_array *data, int64_t i)
{
	if (op->kind == GS_TAKE)
		return data->valid[i] ? data->v[i].i4 - 1 : -1;
	if (op->kind == GS_REVERSE)
		return data->n - 1 - i;
	return i - op->shift.places >= 0 && i - op->shift.places < data->n ?
		i - op->shift.places : -1;
}

static void
check_results(const gs_op *op, const test_array *data, const test_array *whole,
			  int64_t at, const gs_output *out)
{
	const int	width = gs_type_width(whole->type);
	int64_t		k = 0;

	for (int64_t i = 0; i < out->n; i++)
	{
		int64_t		from = origin(op, data, at + i);
		bool		valid = from >= 0 && whole->valid[from];
		bool		got = out->validity == NULL ||
			(out->validity[i / 8] >> (i % 8) & 1);

		if (!expect(got == valid, "result %lld is%s NULL",
					(long long) (at + i), got ? " not" : ""))
			return;
		if (valid &&
			!expect(value_bits(whole->type, value_load
							   (whole->type, (const uint8_t *) out->values +
								k++ * width)) ==
					value_bits(whole->type, whole->v[from]), "result %lld",
					(long long) (at + i)))
			return;
	}
	expect(out->present == k, "%lld values, not %lld",
		   (long long) out->present, (long long) k);
}

/* What a choice between a and b gives, against `want`. */
static void
check_choice(const gs_op *op, const test_array *condition,
			 const test_array *a, const test_array *b, const test_array *want)
{
	const gs_op same = {.kind = GS_SHIFT};	/* each result at its place */
	gs_input	in = {
		.mask = span_of(a, 0, a->n),.third = span_of(b, 0, b->n)
	};
	gs_run	   *run;
	gs_status	status = gs_engine_cpu.begin(op, condition->n, NULL, &run);

	for (int64_t at = 0; at < condition->n && status == GS_OK; at += in.n)
	{
		gs_output	out = {0};

		in.n = piece_size(one_in(2) ? CUT_NONE : CUT_RANDOM, condition->n - at);
		in.data = span_of(condition, at, in.n);
		out.values = allocate((size_t) in.n * gs_type_width(a->type));
		out.validity = allocate((in.n + 63) / 64 * 8);
		status = gs_engine_cpu.feed(run, &in, &out);
		if (status == GS_OK && expect(out.n == in.n, "%lld results of %lld",
									  (long long) out.n, (long long) in.n))
			check_results(&same, want, want, at, &out);
		span_free(&in.data);
		free(out.values);
		free(out.validity);
	}
	expect(status == GS_OK, "status %d", status);
	gs_engine_cpu.end(run);
	span_free(&in.mask);
	span_free(&in.third);
}

/* Feed data, and all of `whole` each time, and check what comes of it. */
static gs_status
execute_op(const gs_op *op, const test_array *data, const test_array *whole)
{
	const int	width = gs_type_width(whole->type);
	bool		masked = gs_has_mask(op);
	gs_span		all = span_of(whole, 0, whole->n);
	gs_result	result = {0};
	gs_run	   *run;
	gs_status	status = gs_engine_cpu.begin(op, data->n, NULL, &run);

	expect(status == GS_OK, "begin gives %d", status);
	for (int64_t at = 0, n; at < data->n && status == GS_OK; at += n)
	{
		gs_input	in = {.data = all, .mask = all};
		gs_output	out = {0};

		in.n = n = piece_size(one_in(2) ? CUT_NONE : CUT_RANDOM, data->n - at);
		if (masked)
			in.data = span_of(data, at, n);
		out.values = allocate((size_t) n * width);
		if (gs_gives_null(op, all.present < whole->n) || one_in(2))
			out.validity = allocate((n + 63) / 64 * 8);
		status = gs_engine_cpu.feed(run, &in, &out);
		if (status == GS_OK && expect(out.n == n, "%lld results of %lld",
									  (long long) out.n, (long long) n))
			check_results(op, data, whole, at, &out);
		if (masked)
			span_free(&in.data);
		free(out.values);
		free(out.validity);
	}
	if (status == GS_OK)
	{
		int64_t		present = 0;

		for (int64_t i = 0; i < data->n; i++)
			present += data->valid[i];
		status = gs_engine_cpu.finish(run, &result);
		expect(result.n == data->n && result.present == present,
			   "%lld of %lld", (long long) result.present,
			   (long long) result.n);
	}
	gs_engine_cpu.end(run);
	span_free(&all);
	return status;
}

static void
test_take(gs_type type)
{
	test_begin("take of %s", type_names[type]);
	for (int i = 0; i < 4 * SIZES; i++)
	{
		test_array	whole = random_array(type, sizes[random_below(SIZES)]);
		test_array	positions = random_array(GS_INT4, one_in(10) ? 0 :
											 sizes[i / 4]);
		bool		good = set_positions(&positions, whole.n);
		gs_op		op = {.kind = GS_TAKE, .type = GS_INT4, .mask.type = type,
		.mask.elements = whole.n};
		gs_status	status = execute_op(&op, &positions, &whole);

		expect(status == (good ? GS_OK : GS_VALUE_ERROR), "status %d", status);
		array_free(&whole);
		array_free(&positions);
	}
	test_end();
}

static void
test_move(gs_kind kind, gs_type type)
{
	static const int32_t by[] = {0, 1, -1, 63, -64, INT32_MAX, INT32_MIN};

	test_begin("%s of %s", gs_operation_of(kind)->name, type_names[type]);
	for (int i = 0; i < 4 * SIZES; i++)
	{
		test_array	whole = random_array(type, sizes[i / 4]);
		gs_op		op = {.kind = kind, .type = type};

		if (kind == GS_SHIFT)
			op.shift.places = one_in(2) ? by[random_below(7)] :
				(int32_t) random_below(2 * whole.n + 2) - whole.n - 1;
		expect(execute_op(&op, &whole, &whole) == GS_OK, "it fails");
		array_free(&whole);
	}
	test_end();
}

/* Of either of two arrays, which have as many elements as the conditions or more. */
static void
test_choose(gs_type type)
{
	test_begin("choose either of %s", type_names[type]);
	for (int i = 0; i < 4 * SIZES; i++)
	{
		int64_t		n = sizes[i / 4];
		test_array	condition = random_array(GS_BOOL, n);
		test_array	a = random_array(type, n);
		test_array	b = random_array(type, n);
		test_array	want = array_new(type, n);
		gs_op		op = {.kind = GS_CHOOSE_EITHER,.type = GS_BOOL,
		.mask.type = type,.mask.elements = n};

		for (int64_t k = 0; k < n; k++)
		{
			const test_array *from =
				condition.valid[k] && condition.v[k].i2 ? &a : &b;

			want.v[k] = from->v[k];
			want.valid[k] = from->valid[k];
		}
		check_choice(&op, &condition, &a, &b, &want);
		array_free(&condition);
		array_free(&a);
		array_free(&b);
		array_free(&want);
	}
	test_end();
}

/* An array whose bitmap contradicts its number of values is refused. */
static void
test_contradictions(void)
{
	int32_t		values[64] = {1};
	uint8_t		bits[8] = {1};
	const gs_op ops[] = {
		{.kind = GS_TAKE, .type = GS_INT4, .mask.type = GS_INT4,
		.mask.elements = 64},
		{.kind = GS_REVERSE, .type = GS_INT4},
		{.kind = GS_SHIFT, .type = GS_INT4},
		{.kind = GS_ASOF, .type = GS_INT4, .mask.elements = 64},
		{.kind = GS_CHOOSE_EITHER, .type = GS_BOOL, .mask.type = GS_INT4,
		.mask.elements = 64},
		{.kind = GS_CHOOSE_EITHER, .type = GS_BOOL, .mask.type = GS_INT4,
		.mask.elements = 63}
	};

	test_begin("places in an array that contradicts itself");
	for (int i = 0; i < 6; i++)
	{
		gs_input	in = {.n = 64, .data = {values, NULL, 64},
		.mask = {values, bits, 2},.third = {values, bits, 2}};
		uint64_t	validity;
		int32_t		to[64];
		gs_output	out = {.values = to, .validity = (uint8_t *) &validity};
		gs_status	status;
		gs_run	   *run;

		if (i > 0 && !gs_has_mask(&ops[i]))
			in.data = in.mask;
		if (i == 4)
			in.mask = in.data;	/* the third alone is wrong */
		if (i == 5)
			in.mask = in.third = in.data;	/* only too short */
		gs_engine_cpu.begin(&ops[i], 64, NULL, &run);
		status = gs_engine_cpu.feed(run, &in, &out);
		expect(status == GS_INVALID, "status %d", status);
		gs_engine_cpu.end(run);
	}
	test_end();
}

void
test_places(void)
{
	for (gs_type type = GS_BOOL; type < GS_TYPES; type++)
	{
		test_take(type);
		test_move(GS_REVERSE, type);
		test_move(GS_SHIFT, type);
		test_choose(type);
	}
	test_contradictions();
}
