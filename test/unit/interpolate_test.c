/*-------------------------------------------------------------------------
 *
 * interpolate_test.c
 *	  Places among ascending elements, lines between these and areas: the CPU
 *	  engine against one element after the other.
 *
 * Lines are gs_line_at's, and areas gs_area_add's, which line_test.c compares
 * with MPFR.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/interpolate.h"
#include "harness.h"

#include <math.h>

static const int64_t sizes[] = {1, 2, 3, 7, 64, 65, 511, 513, 1025, 2600};

#define SIZES	((int) (sizeof sizes / sizeof *sizes))

/* How ascending numbers are chosen. */
typedef enum ascent
{
	ASCENT_STEPS,				/* small integers */
	ASCENT_EQUALS,				/* of which many are equal */
	ASCENT_FRACTIONS,			/* some distances are no double */
	ASCENT_ANY,
	ASCENTS
} ascent;

static bool
is_above(gs_type type, gs_value a, gs_value b)
{
	switch (type)
	{
		case GS_INT2:
			return a.i2 > b.i2;
		case GS_INT4:
			return a.i4 > b.i4;
		case GS_INT8:
			return a.i8 > b.i8;
		case GS_FLOAT4:
			return GS_IS_ABOVE(a.f4, b.f4);
		default:
			return GS_IS_ABOVE(a.f8, b.f8);
	}
}

static gs_value
number(gs_type type, double x)
{
	gs_value	v = {0};

	switch (type)
	{
		case GS_INT2:
			v.i2 = (int16_t) fmod(x, 32768);
			break;
		case GS_INT4:
			v.i4 = (int32_t) fmod(x, 2147483648.0);
			break;
		case GS_INT8:
			v.i8 = (int64_t) fmod(x, 0x1p63);
			break;
		case GS_FLOAT4:
			v.f4 = (float) x;
			break;
		default:
			v.f8 = x;
	}
	return v;
}

static gs_value
random_value(gs_type type, ascent how)
{
	uint64_t	bits = random_bits();

	switch (how)
	{
		case ASCENT_STEPS:
			return number(type, (double) random_below(20000) - 10000);
		case ASCENT_EQUALS:
			return number(type, (double) random_below(20) - 10);
		case ASCENT_FRACTIONS:
			return number(type, 1e5 * random_uniform());
		default:
			return value_load(type, (const uint8_t *) &bits);
	}
}

static gs_type sorted_type;

static int
compare_values(const void *a, const void *b)
{
	const gs_value *x = a;
	const gs_value *y = b;

	return is_above(sorted_type, *x, *y) - is_above(sorted_type, *y, *x);
}

/* Ascending numbers, none of them NULL. */
static test_array
ascending(gs_type type, int64_t n, ascent how)
{
	test_array	a = array_new(type, n);

	for (int64_t i = 0; i < n; i++)
		a.v[i] = random_value(type, how);
	sorted_type = type;
	qsort(a.v, n, sizeof(gs_value), compare_values);
	return a;
}

/* Distances of steps are doubles, and above 0. */
static void
make_strict(test_array *a)
{
	for (int64_t i = 0; i < a->n; i++)
		a->v[i] = number(a->type, (double) (3 * i + random_below(3)));
}

/* Elements to look up: any, equal to others, some of them NULL. */
static test_array
elements_for(const test_array *x, int64_t n, ascent how)
{
	test_array	at = array_new(x->type, n);
	bool		nulls = one_in(2);

	for (int64_t i = 0; i < n; i++)
	{
		at.v[i] = one_in(3) ? x->v[random_below(x->n)] :
			random_value(x->type, how);
		at.valid[i] = !nulls || !one_in(4);
	}
	return at;
}

static test_array
values_for(const test_array *x)
{
	test_array	y = array_new(GS_FLOAT8, x->n);
	bool		specials = one_in(4);

	for (int64_t i = 0; i < x->n; i++)
		y.v[i].f8 = specials && one_in(4) ?
			(one_in(3) ? (double) NAN : one_in(2) ? HUGE_VAL : -HUGE_VAL) :
			one_in(8) ? -0.0 : (double) random_below(2000) / 8 - 100;
	return y;
}

static int64_t
count_not_above(const test_array *x, gs_value at)
{
	int64_t		n = 0;

	while (n < x->n && !is_above(x->type, x->v[n], at))
		n++;
	return n;
}

/* The result at an element; false: NULL. */
static bool
expected(const gs_op *op, const test_array *x, const test_array *y,
		 gs_value at, gs_value *result)
{
	int64_t		n = count_not_above(x, at);

	memset(result, 0, sizeof *result);
	result->i4 = (int32_t) n;
	if (n == 0 || op->kind == GS_ASOF)
		return n > 0;
	if (!is_above(x->type, at, x->v[n - 1]))
		result->f8 = y->v[n - 1].f8;
	else if (n == x->n)
		return false;
	else
		result->f8 = gs_line_between(x->type, x->v[n - 1], x->v[n], at,
									 y->v[n - 1].f8, y->v[n].f8);
	if (result->f8 != result->f8)
		result->f8 = gs_canonical_nan();
	return true;
}

static void
check_batch(const gs_op *op, const test_array *x, const test_array *y,
			const test_array *at, int64_t first, const gs_output *out)
{
	gs_type		type = gs_output_type(op);
	int64_t		k = 0;

	for (int64_t i = 0; i < out->n; i++)
	{
		gs_value	want;
		bool		valid = at->valid[first + i] &&
			expected(op, x, y, at->v[first + i], &want);
		bool		got = out->validity[i / 8] >> (i % 8) & 1;

		if (!expect(got == valid, "result %lld is%s NULL",
					(long long) (first + i), got ? " not" : ""))
			return;
		if (valid &&
			!expect(value_bits(type, value_load
							   (type, (const uint8_t *) out->values +
								k++ * gs_type_width(type))) ==
					value_bits(type, want), "result %lld",
					(long long) (first + i)))
			return;
	}
	expect(out->present == k, "%lld values, not %lld",
		   (long long) out->present, (long long) k);
}

static gs_status
look_up(const gs_op *op, const test_array *x, const test_array *y,
		const test_array *at)
{
	gs_span		of_x = span_of(x, 0, x->n);
	gs_span		of_y = span_of(y, 0, y->n);
	gs_status	status;
	gs_run	   *run;

	status = gs_engine_cpu.begin(op, at->n, NULL, &run);
	for (int64_t i = 0, n; i < at->n && status == GS_OK; i += n)
	{
		gs_input	in = {.mask = of_x,.third = of_y};
		gs_output	out = {0};

		in.n = n = piece_size(one_in(2) ? CUT_NONE : CUT_RANDOM, at->n - i);
		in.data = span_of(at, i, n);
		out.values = allocate(n * gs_type_width(gs_output_type(op)));
		out.validity = allocate((n + 63) / 64 * 8);
		status = gs_engine_cpu.feed(run, &in, &out);
		if (status == GS_OK && expect(out.n == n, "%lld results of %lld",
									  (long long) out.n, (long long) n))
			check_batch(op, x, y, at, i, &out);
		span_free(&in.data);
		free(out.values);
		free(out.validity);
	}
	gs_engine_cpu.end(run);
	span_free(&of_x);
	span_free(&of_y);
	return status;
}

/* May lines end where these elements do? */
static bool
ends_lines(const test_array *x)
{
	return gs_ends_line(x->type, x->v[0]) &&
		gs_ends_line(x->type, x->v[x->n - 1]);
}

static void
test_ascending(gs_kind kind, gs_type type)
{
	test_begin("%s of %s", gs_operation_of(kind)->name, type_names[type]);
	for (int i = 0; i < 12 * SIZES; i++)
	{
		ascent		how = (ascent) random_below(ASCENTS);
		test_array	x = ascending(type, sizes[random_below(SIZES)], how);
		test_array	y = values_for(&x);
		test_array	at = elements_for(&x, sizes[i / 12], how);
		gs_op		op = {.kind = kind,.type = type,.mask.elements = x.n};
		bool		good = kind == GS_ASOF || ends_lines(&x);

		if (x.n > 1 && one_in(4))
		{
			int64_t		k = 1 + random_below(x.n - 1);

			if (one_in(2))
				x.valid[k] = good = false;
			else if (is_above(type, x.v[k], x.v[k - 1]))
			{
				gs_value	v = x.v[k];

				x.v[k] = x.v[k - 1];
				x.v[k - 1] = v;
				good = false;
			}
		}
		if (kind == GS_INTERPOLATE && one_in(10))
			y.valid[random_below(y.n)] = good = false;
		expect(look_up(&op, &x, &y, &at) == (good ? GS_OK : GS_VALUE_ERROR),
			   "a status");
		array_free(&x);
		array_free(&y);
		array_free(&at);
	}
	test_end();
}

/* Is the distance between two elements a double? */
static bool
is_exact_distance(gs_type type, gs_pair from, gs_pair to)
{
	double		ignored;

	if (type >= GS_FLOAT4)
		return gs_distance_of_doubles(from.hi, to.hi, &ignored);
	return fabs(from.hi) < 0x1p52 && fabs(to.hi) < 0x1p52;
}

/* The area one interval after the other; false: there is none. */
static bool
expected_area(const gs_op *op, const test_array *x, const test_array *y,
			  gs_acc2 *sum)
{
	gs_acc2_init(sum);
	for (int64_t i = 0; i < x->n; i++)
	{
		gs_pair		from;
		gs_pair		to;

		if (!x->valid[i] || !y->valid[i])
			return false;
		if (i == 0)
			continue;
		from = gs_exact_number(x->type, x->v[i - 1]);
		to = gs_exact_number(x->type, x->v[i]);
		if (!is_above(x->type, x->v[i], x->v[i - 1]) ||
			!is_exact_distance(x->type, from, to))
			return false;
		gs_area_add(sum, (gs_pair) {y->v[i - 1].f8, 0}, from, to);
		if (op->area.both_sides)
			gs_area_add(sum, (gs_pair) {y->v[i].f8, 0}, from, to);
		gs_acc2_propagate(sum);
	}
	return x->n > 1;
}

static gs_result
area_of(const gs_op *op, const test_array *x, const test_array *y)
{
	gs_result	result = {0};
	gs_run	   *run;

	gs_engine_cpu.begin(op, x->n, NULL, &run);
	for (int64_t i = 0, n; i < x->n; i += n)
	{
		gs_input	in = {0};

		in.n = n = piece_size(one_in(2) ? CUT_MIN : CUT_RANDOM, x->n - i);
		in.data = span_of(x, i, n);
		in.mask = span_of(y, i, n);
		expect(gs_engine_cpu.feed(run, &in, NULL) == GS_OK, "feed fails");
		span_free(&in.data);
		span_free(&in.mask);
	}
	expect(gs_engine_cpu.finish(run, &result) == GS_OK, "finish fails");
	gs_engine_cpu.end(run);
	return result;
}

static void
test_area(gs_type type)
{
	test_begin("area of %s", type_names[type]);
	for (int i = 0; i < 12 * SIZES; i++)
	{
		test_array	x = ascending(type, sizes[i / 12],
								  (ascent) random_below(ASCENTS));
		test_array	y = values_for(&x);
		gs_op		op = {.kind = GS_AREA,.type = type,.area.both_sides = one_in(2)};
		gs_result	got;
		gs_acc2		want;

		if (!one_in(4))
			make_strict(&x);
		if (one_in(8))
			(one_in(2) ? &x : &y)->valid[random_below(x.n)] = false;
		got = area_of(&op, &x, &y);
		if (!expected_area(&op, &x, &y, &want))
			expect(got.errors == 1, "it has a result");
		else if (expect(got.errors == 0, "it has no result"))
		{
			expect(memcmp(got.squares.limb, want.limb, sizeof want.limb) == 0,
				   "another sum");
			expect(got.squares.seen == want.seen, "%x seen, not %x",
				   got.squares.seen, want.seen);
			expect(value_bits(type, got.value) == value_bits(type, x.v[0]) &&
				   value_bits(type, got.greatest) ==
				   value_bits(type, x.v[x.n - 1]), "another end");
		}
		array_free(&x);
		array_free(&y);
	}
	test_end();
}

void
test_interpolations(void)
{
	for (gs_type type = GS_INT2; type < GS_TYPES; type++)
	{
		test_ascending(GS_ASOF, type);
		test_ascending(GS_INTERPOLATE, type);
		test_area(type);
	}
}
