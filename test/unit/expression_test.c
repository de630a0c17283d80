/*-------------------------------------------------------------------------
 *
 * expression_test.c
 *	  GS_EXPRESSION against reductions of an array of the expression's values;
 *	  GS_ARITHMETIC against that array; the first also of filtered elements and
 *	  of differences.
 *
 * The values are computed one by one, as PostgreSQL's operators do.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"
#include "engine/group_op.h"
#include "harness.h"
#include "engine/elements.h"
#include "reference.h"

#include <math.h>

/* A number, wide enough for any operation on integers. */
typedef struct number
{
	bool		null;
	bool		error;
	__int128	i;
	double		d;
} number;

static number
number_of(gs_type type, gs_value v)
{
	number		x = {0};

	if (is_float(type))
		x.d = value_double(type, v);
	else
		x.i = value_int(type, v);
	return x;
}

static gs_value
value_of(gs_type type, number x)
{
	gs_value	v = {0};

	if (type == GS_FLOAT8)
		v.f8 = x.d;
	else if (type == GS_FLOAT4)
		v.f4 = (float) x.d;
	else if (type == GS_INT8)
		v.i8 = (int64_t) x.i;
	else if (type == GS_INT4)
		v.i4 = (int32_t) x.i;
	else
		v.i2 = (int16_t) x.i;
	return v;
}

/* A float result; of products and quotients, too, 0 is underflow. */
static number
rounded(gs_type type, double d, bool infinite, bool zero)
{
	number		r = {.d = type == GS_FLOAT4 ? (double) (float) d : d};

	r.error = (isinf(r.d) && !infinite) || (r.d == 0 && !zero);
	return r;
}

static number
float_step(gs_type type, int code, double a, double b)
{
	bool		infinite = isinf(a) || isinf(b);

	switch (code)
	{
		case GS_CODE_ADD:
			return rounded(type, a + b, infinite, true);
		case GS_CODE_SUBTRACT:
			return rounded(type, a - b, infinite, true);
		case GS_CODE_MULTIPLY:
			return rounded(type, a * b, infinite, a == 0 || b == 0);
		case GS_CODE_NEGATE:
			return (number) {.d = -a};
		case GS_CODE_ABS:
			return (number) {.d = fabs(a)};
		default:
			if (b == 0 && !isnan(a))
				return (number) {.error = true};
			return rounded(type, a / b, isinf(a), a == 0 || isinf(b));
	}
}

static number
integer_step(gs_type type, int code, __int128 a, __int128 b)
{
	int			bits = 8 * gs_type_width(type);
	__int128	limit = (__int128) 1 << (bits - 1);
	number		r = {0};

	if (code == GS_CODE_DIVIDE && b == 0)
		return (number) {.error = true};
	r.i = code == GS_CODE_ADD ? a + b : code == GS_CODE_SUBTRACT ? a - b :
		code == GS_CODE_MULTIPLY ? a * b : code == GS_CODE_DIVIDE ? a / b :
		code == GS_CODE_NEGATE ? -a : a < 0 ? -a : a;
	r.error = r.i < -limit || r.i >= limit;
	return r;
}

static number
step(gs_type type, const gs_step *s, number a, number b)
{
	bool		both = s->b != GS_NOTHING;
	number		r;

	/* an error goes before NULL */
	if (a.error || (both && b.error))
		return (number) {.error = true};
	if (a.null || (both && b.null))
		return (number) {.null = true};
	r = is_float(type) ? float_step(type, s->code, a.d, b.d) :
		integer_step(type, s->code, a.i, b.i);
	return r;
}

static number
operand_of(const gs_op *op, const test_array *a, int64_t i, gs_operand operand,
		   const number *results)
{
	const gs_expression *e = &op->expression;
	number		null = {.null = true};

	if (operand >= GS_RESULT(0))
		return results[operand - GS_RESULT(0)];
	if (operand >= GS_CONSTANT(0))
		return number_of(a->type, e->constant[operand - GS_CONSTANT(0)]);
	if (operand == GS_COLUMN(0))
		return a->valid[i] ? number_of(a->type, a->v[i]) : null;
	return a->mask_valid[i] ? number_of(a->type, other_factor(a, i)) : null;
}

/* The expression's values; false if one is an error. */
static bool
evaluate(const gs_op *op, const test_array *a, test_array *values)
{
	const gs_expression *e = &op->expression;
	bool		good = true;

	for (int64_t i = 0; i < a->n; i++)
	{
		number		results[GS_EXPRESSION_STEPS] = {{0}};
		number		last;

		for (int k = 0; k < e->steps; k++)
		{
			const gs_step *s = &e->step[k];
			number		none = {0};

			results[k] = step(a->type, s,
							  operand_of(op, a, i, s->a, results),
							  s->b == GS_NOTHING ? none :
							  operand_of(op, a, i, s->b, results));
		}
		last = e->steps == 0 ? operand_of(op, a, i, GS_COLUMN(0), NULL) :
			results[e->steps - 1];
		good = good && !last.error;
		values->valid[i] = !last.null;
		values->v[i] = value_of(a->type, last);
	}
	return good;
}

static gs_operand
random_operand(const gs_expression *e, int before)
{
	if (before > 0 && one_in(2))
		return GS_RESULT(random_below(before));
	return one_in(3) ? GS_CONSTANT(random_below(e->constants)) :
		GS_COLUMN(random_below(e->arrays));
}

static void
random_expression(gs_op *op, const test_array *a)
{
	gs_expression *e = &op->expression;

	e->arrays = 1 + (int) random_below(2);
	e->constants = 1 + (int) random_below(GS_EXPRESSION_CONSTANTS);
	e->steps = 1 + (int) random_below(one_in(2) ? 2 : GS_EXPRESSION_STEPS);
	for (int i = 0; i < e->constants; i++)
		e->constant[i] = a->n > 0 && one_in(3) ? a->v[random_below(a->n)] :
			value_of(a->type, (number) {.i = random_below(20) - 10,
				.d = (double) random_below(20) / 4 - 2});
	for (int i = 0; i < e->steps; i++)
	{
		e->step[i].code = (int16_t) (GS_CODE_ADD + random_below(6));
		e->step[i].a = random_operand(e, i);
		e->step[i].b = e->step[i].code < GS_CODE_NEGATE ?
			random_operand(e, i) : GS_NOTHING;
	}
	op->aggregates = GS_GROUP_ALL & ~GS_GROUP_MEDIAN;
}

static bool
same_accumulators(const outcome *got, const outcome *wanted)
{
	gs_acc		sum = got->result.sum;
	gs_acc		wanted_sum = wanted->result.sum;
	gs_acc2		squares = got->result.squares;
	gs_acc2		wanted_squares = wanted->result.squares;

	gs_acc_propagate(&sum);
	gs_acc_propagate(&wanted_sum);
	gs_acc2_propagate(&squares);
	gs_acc2_propagate(&wanted_squares);
	return sum.seen == wanted_sum.seen &&
		memcmp(sum.limb, wanted_sum.limb, sizeof sum.limb) == 0 &&
		memcmp(squares.limb, wanted_squares.limb, sizeof squares.limb) == 0;
}

/*
 * The elements that the expression is of: of differences, those that are not
 * NULL.  False if a difference is out of range.
 */
static bool
prepare(const gs_op *op, const test_array *a, test_array *to)
{
	gs_op		filter = {.kind = GS_FILTER, .type = op->type,
	.filter = op->filter};
	gs_type		type = gs_expression_type(op);
	outcome		kept = {0};
	const test_array *from = a;
	number		before = {0};
	bool		good = true;
	bool		any = false;
	int64_t		n = 0;

	if (op->filter.compare != 0)
	{
		kept = reference(&filter, a);
		from = &kept.out;
	}
	*to = array_new(type, from->n);
	for (int64_t i = 0; i < from->n; i++)
	{
		number		x = number_of(a->type, from->v[i]);
		number		r = {0};

		if (op->expression.differences == GS_NO_DIFFERENCES)
		{
			to->valid[n] = from->valid[i];
			to->v[n++] = from->v[i];
			continue;
		}
		if (!from->valid[i])
			continue;
		r = is_float(type) ? float_step(type, GS_CODE_SUBTRACT, x.d, before.d) :
			integer_step(type, GS_CODE_SUBTRACT, x.i, before.i);
		if (!any)
			r = x;
		good = good && !r.error;
		to->valid[n] = true;
		to->v[n] = value_of(type, r);
		n += any || op->expression.differences == GS_DIFFERENCES_KEEP;
		before = x;
		any = true;
	}
	to->n = n;
	if (op->filter.compare != 0)
		outcome_free(&kept);
	return good;
}

/* Returns whether there was an error. */
static bool
compare_prepared(const gs_op *op, const test_array *a)
{
	gs_op		stats = {.kind = GS_STATS, .type = gs_expression_type(op)};
	gs_op		rest = *op;
	test_array	prepared;
	bool		differences = prepare(op, a, &prepared);
	test_array	values = array_new(prepared.type, prepared.n);
	outcome		got = execute(op, a, CUT_RANDOM);
	outcome		wanted;
	difference	d = {""};
	bool		good;

	rest.filter.compare = 0;
	rest.expression.differences = GS_NO_DIFFERENCES;
	good = evaluate(&rest, &prepared, &values) && differences;
	expect(got.status == GS_OK && good == (got.result.errors == 0),
		   "status %d, errors %lld, not %d", got.status,
		   (long long) got.result.errors, !good);
	expect(differences || got.result.errors == GS_ERROR_RANGE,
		   "errors %lld of differences", (long long) got.result.errors);
	if (good)
	{
		wanted = execute(&stats, &values, CUT_RANDOM);
		wanted.result.n = a->n;
		memcpy(got.result.special, wanted.result.special,
			   sizeof got.result.special);
		expect(same_sizes(&got.result, &wanted.result, &d) &&
			   same_reduction(&stats, &got.result, &wanted.result, &d),
			   "%s", d.text);
		expect(!is_float(a->type) || same_accumulators(&got, &wanted),
			   "another sum or other squares");
		outcome_free(&wanted);
	}
	outcome_free(&got);
	array_free(&values);
	array_free(&prepared);
	return !good;
}

/* Returns whether there was an error. */
static bool
compare(const gs_op *op, const test_array *a)
{
	const gs_op stats = {.kind = GS_STATS, .type = op->type};
	test_array	values = array_new(a->type, a->n);
	bool		good = evaluate(op, a, &values);
	outcome		got = execute(op, a, CUT_RANDOM);
	outcome		wanted;
	difference	d = {""};

	expect(got.status == GS_OK && good == (got.result.errors == 0),
		   "status %d, errors %lld, not %d", got.status,
		   (long long) got.result.errors, !good);
	if (good)
	{
		wanted = execute(&stats, &values, CUT_RANDOM);
		memcpy(got.result.special, wanted.result.special,
			   sizeof got.result.special);
		expect(same_sizes(&got.result, &wanted.result, &d) &&
			   same_reduction(&stats, &got.result, &wanted.result, &d),
			   "%s", d.text);
		expect(!is_float(a->type) || same_accumulators(&got, &wanted),
			   "another sum or other squares");
		outcome_free(&wanted);
	}
	outcome_free(&got);
	array_free(&values);
	return !good;
}

/* Which error is that of a step's result r, where the second operand is y? */
static gs_answer
error_of(gs_type type, const gs_step *s, number y, number r)
{
	if (s->code == GS_CODE_DIVIDE && (is_float(type) ? y.d == 0 : y.i == 0))
		return GS_DIVISION_BY_ZERO;
	return is_float(type) && r.d == 0 ? GS_UNDERFLOW : GS_OUT_OF_RANGE;
}

/* One step of an expression, for each element; whether there was an error. */
static bool
compare_arithmetic(gs_op op, const test_array *a)
{
	test_array	values = array_new(a->type, a->n);
	test_array	present = array_new(a->type, a->n);
	gs_answer	answer = GS_ANSWERED;
	int64_t		position = 0;
	outcome		got;

	op.kind = GS_ARITHMETIC;
	op.aggregates = 0;
	op.expression.steps = 1;
	gs_cpu_most_lanes = one_in(2) ? 8 : 2;
	got = execute(&op, a, CUT_RANDOM);
	gs_cpu_most_lanes = 8;
	for (int64_t i = 0; i < a->n; i++)
	{
		const gs_step *s = &op.expression.step[0];
		number		none = {0};
		number		y = s->b == GS_NOTHING ? none :
			operand_of(&op, a, i, s->b, NULL);
		number		r = step(a->type, s, operand_of(&op, a, i, s->a, NULL), y);

		present.valid[i] = a->valid[i] &&
			(op.expression.arrays == 1 || a->mask_valid[i]);
		if (present.valid[i] && r.error && position == 0)
		{
			position = i + 1;
			answer = error_of(a->type, s, y, r);
		}
		values.v[i] = canonical(a->type, value_of(a->type, r));
	}
	expect(got.status == (position == 0 ? GS_OK : GS_VALUE_ERROR) &&
		   got.answer == (int32_t) answer && got.position == position,
		   "status %d, %d at %lld, not %d at %lld", got.status, got.answer,
		   (long long) got.position, answer, (long long) position);
	for (int64_t i = 0; got.status == GS_OK && i < a->n; i++)
	{
		if (!expect(got.out.valid[i] == present.valid[i] &&
					(!present.valid[i] ||
					 value_bits(a->type, got.out.v[i]) ==
					 value_bits(a->type, values.v[i])), "element %lld",
					(long long) i))
			break;
	}
	outcome_free(&got);
	array_free(&values);
	array_free(&present);
	return position > 0;
}

#define ARRAYS	1000

static void
test_type(gs_type type)
{
	int			errors = 0;
	int			wrong_steps = 0;

	test_begin("expressions over %s", type_names[type]);
	for (int i = 0; i < ARRAYS; i++)
	{
		int64_t		n = random_below(one_in(4) ? 2100 : 40);
		test_array	a = array_new(type, n);
		gs_op		op = {.kind = GS_EXPRESSION, .type = type};
		bool		small = one_in(2);

		for (int64_t k = 0; k < n; k++)
		{
			uint64_t	bits = random_bits();

			a.v[k] = small ?
				value_of(type, (number) {.i = random_below(21) - 10,
					.d = (double) random_below(2000) / 64 - 15}) :
				value_load(type, (const uint8_t *) &bits);
			a.valid[k] = !one_in(20);
			a.mask_valid[k] = !one_in(20);
		}
		random_expression(&op, &a);
		if (gs_op_check(&op) == GS_OK)
		{
			errors += compare(&op, &a);
			wrong_steps += compare_arithmetic(op, &a);
		}
		array_free(&a);
	}
	expect(errors > 20 && errors < ARRAYS - 20, "%d errors", errors);
	expect(wrong_steps > 20 && wrong_steps < ARRAYS - 20, "%d errors of one step",
		   wrong_steps);
	test_end();
}

/* A bound that is one of the elements, or near them. */
static void
random_filter(gs_op *op, const test_array *a)
{
	gs_value	v = a->n > 0 && one_in(2) ? a->v[random_below(a->n)] :
		value_of(a->type, (number) {.i = random_below(20) - 10,
			.d = (double) random_below(20) - 10});

	op->filter.compare = GS_LT + (int32_t) random_below(GS_GT - GS_LT + 1);
	op->filter.integer_bound = !is_float(a->type) || one_in(5);
	if (op->filter.integer_bound && !is_float(a->type) && !one_in(5))
		op->filter.ibound = value_int(a->type, v);
	else if (op->filter.integer_bound)
		op->filter.ibound = random_below(20) - 10;
	else
		op->filter.bound = value_double(a->type, v);
	if (!is_float(a->type) && one_in(5))
	{
		op->filter.integer_bound = 0;
		op->filter.bound = (double) random_below(40) / 2 - 10;
	}
}

#define PROLOGUES	400

static void
test_prologues(gs_type type)
{
	int			errors = 0;

	test_begin("expressions of filtered %s and differences", type_names[type]);
	/* one seed in some ten thousand has few errors among its first */
	for (int i = 0; i < PROLOGUES || (errors <= 5 && i < 20 * PROLOGUES); i++)
	{
		int64_t		n = one_in(40) ? 70000 : random_below(one_in(4) ? 2100 : 40);
		test_array	a = array_new(type, n);
		gs_op		op = {.kind = GS_EXPRESSION, .type = type};
		test_array	typed = {.n = 0};
		bool		small = one_in(2);

		for (int64_t k = 0; k < n; k++)
		{
			uint64_t	bits = random_bits();

			a.v[k] = small ?
				value_of(type, (number) {.i = random_below(21) - 10,
					.d = (double) random_below(2000) / 64 - 15}) :
				value_load(type, (const uint8_t *) &bits);
			a.valid[k] = !one_in(20);
		}
		op.expression.differences =
			(int32_t) random_below(GS_DIFFERENCES_NULL + 1);
		/* constants are of the values' type */
		typed.type = gs_expression_type(&op);
		random_expression(&op, &typed);
		op.expression.arrays = 1;
		for (int k = 0; k < op.expression.steps; k++)
		{
			if (op.expression.step[k].a == GS_COLUMN(1))
				op.expression.step[k].a = GS_COLUMN(0);
			if (op.expression.step[k].b == GS_COLUMN(1))
				op.expression.step[k].b = GS_COLUMN(0);
		}
		if (one_in(3))
			op.expression.steps = 0;
		if (op.expression.differences == GS_NO_DIFFERENCES || one_in(2))
			random_filter(&op, &a);
		if (expect(gs_op_check(&op) == GS_OK, "it is not valid"))
			errors += compare_prepared(&op, &a);
		array_free(&a);
	}
	expect(errors > 5 && errors < PROLOGUES - 5, "%d errors", errors);
	test_end();
}

void
test_expressions_of_parts(void)
{
	for (gs_type type = GS_INT2; type < GS_TYPES; type++)
		test_prologues(type);
}

void
test_expressions(void)
{
	for (gs_type type = GS_INT2; type < GS_TYPES; type++)
		test_type(type);
}
