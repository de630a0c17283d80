/*-------------------------------------------------------------------------
 *
 * cases.c
 *	  A random operation over random data.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include "engine/elements.h"
#include "engine/plan.h"
#include "engine/search.h"

#include <math.h>

void
describe_case(const array_case *c, char *text, size_t size)
{
	const gs_op *op = &c->op;
	int			used;

	used = snprintf(text, size, "%s of %s, n=%lld, %s, %s, cut %lld",
					gs_operation_of(c->op.kind)->name, type_names[op->type],
					(long long) c->n, data_names[c->values],
					null_names[c->nulls], (long long) c->cut);
	if (gs_is_scan((gs_kind) op->kind) || gs_is_segments((gs_kind) op->kind))
		snprintf(text + used, size - used, "%s%s chunk=%lld",
				 op->scan.exclusive ? ", exclusive" : "",
				 op->segment.marked ? ", heads" : "",
				 (long long) op->segment.length);
	else if (gs_is_histogram((gs_kind) op->kind))
		snprintf(text + used, size - used,
				 ", %d buckets from %g to %g, formula %d", op->histogram.buckets,
				 op->histogram.low, op->histogram.high, op->histogram.formula);
	else if (op->kind == GS_TRANSPOSE)
		snprintf(text + used, size - used, ", %lld columns",
				 (long long) op->transpose.columns);
	else if (gs_is_order((gs_kind) op->kind))
		snprintf(text + used, size - used, "%s",
				 op->order.descending ? ", descending" : "");
	else if (op->kind == GS_EWMA)
		snprintf(text + used, size - used, ", alpha %a%s", op->ewma.alpha,
				 op->ewma.adjust ? ", adjusted" : "");
	else if (op->kind == GS_MOVING_PERCENTILE)
		snprintf(text + used, size - used,
				 ", %d preceding, %d following, fraction %a%s",
				 op->moving.preceding, op->moving.following,
				 op->percentile.fraction,
				 op->percentile.discrete ? ", elements" : "");
	else if (gs_is_moving((gs_kind) op->kind))
		snprintf(text + used, size - used, ", %d preceding, %d following",
				 op->moving.preceding, op->moving.following);
	else if (op->kind == GS_GROUP)
		snprintf(text + used, size - used, " by %s, aggregates %d",
				 type_names[op->mask.type], op->aggregates);
	else if (op->kind == GS_SEARCH)
		snprintf(text + used, size - used, ", %d edges%s", op->search.count,
				 op->search.left ? ", below" : "");
	else if (op->kind == GS_TAKE || op->kind == GS_CHOOSE_EITHER)
		snprintf(text + used, size - used, " from %lld %s",
				 (long long) op->mask.elements, type_names[op->mask.type]);
	else if (op->kind == GS_ASOF || op->kind == GS_INTERPOLATE)
		snprintf(text + used, size - used, " among %lld",
				 (long long) op->mask.elements);
	else if (op->kind == GS_AREA)
		snprintf(text + used, size - used, "%s",
				 op->area.both_sides ? ", below lines" : "");
	else if (op->kind == GS_SHIFT)
		snprintf(text + used, size - used, ", by %d",
				 op->shift.places);
	else if (op->kind == GS_DIFF)
		snprintf(text + used, size - used, "%s",
				 op->diff.null_first ? ", NULL first" : "");
	else if (op->kind == GS_POWER)
		snprintf(text + used, size - used, "%s, %s %a",
				 op->power.of_pairs ? " of pairs" : "",
				 op->power.constant_is_base ? "base" : "exponent",
				 op->power.constant);
	else if (op->kind == GS_ROUND)
		snprintf(text + used, size - used, ", %d places",
				 op->round.digits);
	else if (op->kind == GS_EXPRESSION || op->kind == GS_ARITHMETIC)
	{
		used += snprintf(text + used, size - used, ", %d arrays, aggregates %d, "
						 "compare %d %g %lld (%d), differences %d:",
						 op->expression.arrays, op->aggregates, op->filter.compare,
						 op->filter.bound, (long long) op->filter.ibound,
						 op->filter.integer_bound,
						 op->expression.differences);
		for (int i = 0; i < op->expression.steps; i++)
			used += snprintf(text + used, size - used, " %d(%x %x)",
							 op->expression.step[i].code,
							 (unsigned) op->expression.step[i].a,
							 (unsigned) op->expression.step[i].b);
	}
	else if (gs_is_map((gs_kind) op->kind))
		snprintf(text + used, size - used,
				 ", compare %d, %llx to %llx%s, else %llx (%d)%s",
				 op->pairs.compare, (unsigned long long) op->range.low.i8,
				 (unsigned long long) op->range.high.i8,
				 op->range.outside ? ", outside" : "",
				 (unsigned long long) op->choose.constant.i8,
				 op->choose.has_constant,
				 op->choose.where_false ? ", where false" : "");
	else if (op->kind == GS_FILTER)
		snprintf(text + used, size - used, ", compare %d %g %lld (%d)",
				 op->filter.compare, op->filter.bound,
				 (long long) op->filter.ibound,
				 op->filter.integer_bound);
}

static double
value_at(const gs_span *span, gs_type type, int64_t i)
{
	switch (type)
	{
		case GS_FLOAT8:
			return ((const double *) span->values)[i];
		case GS_FLOAT4:
			return ((const float *) span->values)[i];
		case GS_INT8:
			return (double) ((const int64_t *) span->values)[i];
		case GS_INT4:
			return ((const int32_t *) span->values)[i];
		default:
			return ((const int16_t *) span->values)[i];
	}
}

/* One of the array's own values, or something near it. */
static double
some_value(const array_case *c)
{
	int64_t		i;

	if (c->data.present == 0 || one_in(4))
		return (double) random_below(2000) / 10 - 100;
	i = random_below(c->data.present);
	return value_at(&c->data, (gs_type) c->op.type, i);
}

static null_pattern
random_mask_nulls(void)
{
	return one_in(2) ? NULLS_NONE :
		(null_pattern) random_below(NULL_PATTERNS);
}

static void
choose_scan(worker *w, array_case *c)
{
	static const int64_t densities[] = {0, 1, 2, 10, 300, 5000};

	c->op.scan.exclusive = one_in(2);
	switch (random_below(3))
	{
		case 0:
			c->op.segment.marked = true;
			c->mask = random_flags(&w->memory, c->n, densities[random_below(6)],
								   random_mask_nulls());
			break;
		case 1:
			c->op.segment.length = one_in(10) ? INT64_MAX - 5 :
				1 + random_below(one_in(2) ? 40 : 2 * c->n + 1);
			break;
		default:
			break;
	}
}

/* Heads of any density, of which some are NULL, or segments of one length. */
static void
choose_segments(worker *w, array_case *c)
{
	static const int64_t densities[] = {0, 1, 2, 10, 300, 1000, 5000, 100000};

	if (one_in(3))
	{
		c->op.segment.length = one_in(10) ? INT64_MAX - 5 :
			1 + random_below(one_in(2) ? 40 : 2 * c->n + 1);
		return;
	}
	c->op.segment.marked = true;
	c->mask = random_flags(&w->memory, c->n, densities[random_below(8)],
						   random_mask_nulls());
}

/* Keys of any type: a few different ones, or as many as there are rows. */
static void
choose_group(worker *w, array_case *c)
{
	static const int64_t different[] = {1, 3, 100, 5000};
	gs_type		type = (gs_type) (GS_BOOL + random_below(GS_TYPES - GS_BOOL));
	int			width = gs_type_width(type);
	int64_t		few = different[random_below(4)];
	uint8_t    *keys;

	c->op.mask.type = type;
	c->op.aggregates = one_in(2) ? GS_GROUP_ALL :
		1 + (int32_t) random_below(GS_GROUP_ALL);
	c->mask = random_span(&w->memory, type, c->n,
						  (data_kind) random_below(DATA_KINDS),
						  random_mask_nulls());
	keys = (uint8_t *) c->mask.values;
	/* a hostile client's booleans */
	for (int64_t i = 0; type == GS_BOOL && i < c->mask.present; i++)
		keys[i] *= (uint8_t) (1 + random_below(255));
	if (c->n <= 100000 && one_in(3))
		return;
	for (int64_t i = few; i < c->mask.present; i++)
		memcpy(keys + i * width, keys + random_below(few) * width, width);
}

int
ascending(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return (x > y) - (x < y);
}

static void
choose_histogram(worker *w, array_case *c)
{
	static const int32_t sizes[] = {
		1, 2, 3, 10, 100, 256, 1000, 1021, 4096, 20000, 65536
	};
	gs_op	   *op = &c->op;
	int32_t		n = sizes[random_below(options.small ? 8 : 11)];

	op->histogram.buckets = n;
	if (op->kind == GS_HISTOGRAM_WIDTH)
	{
		op->histogram.formula = 1 + (int32_t) random_below(2);
		op->histogram.low = some_value(c);
		op->histogram.high = some_value(c);
		if (one_in(20))
		{
			op->histogram.low = -1.7e308;
			op->histogram.high = 1.7e308;
		}
		if (!gs_is_finite(op->histogram.low) || !gs_is_finite(op->histogram.high) ||
			op->histogram.low == op->histogram.high)
		{
			op->histogram.low = 0;
			op->histogram.high = 1;
		}
		return;
	}
	op->histogram.edges = w->edges;
	for (int32_t i = 0; i <= n; i++)
	{
		w->edges[i] = some_value(c);
		if (w->edges[i] != w->edges[i])
			w->edges[i] = 0;
	}
	qsort(w->edges, n + 1, sizeof(double), ascending);
	/* strictly: equal ones go */
	op->histogram.buckets = 0;
	for (int32_t i = 1; i <= n; i++)
	{
		if (w->edges[i] > w->edges[op->histogram.buckets])
			w->edges[++op->histogram.buckets] = w->edges[i];
	}
	if (op->histogram.buckets == 0)
	{
		w->edges[0] = -1;
		w->edges[1] = 1;
		op->histogram.buckets = 1;
	}
}

static int
ascending_keys(const void *a, const void *b)
{
	int64_t		x = *(const int64_t *) a;
	int64_t		y = *(const int64_t *) b;

	return (x > y) - (x < y);
}

/* The key of one of the array's own values, or of something near it. */
static int64_t
some_key(const array_case *c)
{
	bool		is_real = is_float((gs_type) c->op.type);
	double		x;

	if (is_real || c->op.type != GS_INT8 || c->data.present == 0 || one_in(4))
	{
		x = some_value(c);
		if (is_real)
			return one_in(50) ? INT64_MAX : gs_search_key(x);
		return fabs(x) < 9e18 ? (int64_t) x : INT64_MIN;
	}
	return ((const int64_t *) c->data.values)[random_below(c->data.present)];
}

/* Edges, some of them the same, that fit shared memory or do not. */
static void
choose_search(worker *w, array_case *c)
{
	static const int32_t sizes[] = {
		1, 2, 3, 10, 100, 256, 1000, 4095, 4096, 4097, 20000, 65536
	};
	int32_t		n = sizes[random_below(options.small ? 7 : 12)];
	int64_t    *keys = (int64_t *) w->edges;

	c->op.search.left = one_in(2);
	c->op.search.count = n;
	c->op.search.keys = keys;
	for (int32_t i = 0; i < n; i++)
		keys[i] = some_key(c);
	qsort(keys, n, sizeof(int64_t), ascending_keys);
}

/* Integers are cut to their range. */
static void
set_value(gs_span *span, gs_type type, int64_t i, double x)
{
	if (type == GS_FLOAT8)
		((double *) span->values)[i] = x;
	else if (type == GS_FLOAT4)
		((float *) span->values)[i] = (float) x;
	else if (type == GS_INT8)
		((int64_t *) span->values)[i] = (int64_t) fmin(x, 0x1p62);
	else if (type == GS_INT4)
		((int32_t *) span->values)[i] = (int32_t) fmin(x, INT32_MAX);
	else
		((int16_t *) span->values)[i] = (int16_t) fmin(x, INT16_MAX);
}

/* As x, but of a moderate size, and not zero. */
static double
moderate(double x, int exponents)
{
	int			exponent;
	double		m = frexp(x, &exponent);

	if (!gs_is_finite(x))
		return x;
	return x == 0 ? 1 : ldexp(m, exponent % exponents);
}

/* An element that has a result, or could have one, made of x. */
static double
with_result(const gs_op *op, bool second, double x)
{
	switch (op->kind)
	{
		case GS_SQRT:
			return fabs(x);
		case GS_EXP:
			return fmod(x, 690);
		case GS_LN:
			return x == 0 ? 1 : fabs(x);
		case GS_PCT_CHANGE:
			return op->type >= GS_FLOAT4 ? moderate(x, 100) : x == 0 ? 1 : x;
		case GS_POWER:
			return second || op->power.constant_is_base ? fmod(x, 6) :
				op->type >= GS_FLOAT4 ? fabs(moderate(x, 20)) :
				1 + fmod(fabs(x), 1000);
		default:
			return x;
	}
}

/*
 * What elements.h has.  Both engines give results: if the host had to find too
 * many of them, the GPU would not.
 */
static void
choose_elements(worker *w, array_case *c)
{
	static const double exponents[] = {2, 1.5, 0.5, -1, 0, 2.25, -3.7, 1};
	gs_op	   *op = &c->op;
	gs_type		type = (gs_type) op->type;

	if (op->kind == GS_ROUND)
		op->round.digits = (int32_t) (one_in(10) ?
									  random_below(2 * INT16_MAX) - INT16_MAX :
									  random_below(one_in(2) ? 5 : 60) -
									  (one_in(2) ? 0 : 25));
	if (op->kind == GS_POWER)
	{
		op->power.of_pairs = (int32_t) random_below(2);
		op->power.constant_is_base = !op->power.of_pairs && one_in(3);
		op->power.constant = op->power.constant_is_base ?
			30 * random_uniform() + 1e-3 : exponents[random_below(8)];
		if (op->power.of_pairs)
			c->mask = random_span(&w->memory, type, c->n,
								  (data_kind) random_below(DATA_KINDS),
								  random_mask_nulls());
	}
	for (int64_t i = 0; i < c->data.present && op->kind != GS_ROUND; i++)
		set_value(&c->data, type, i,
				  with_result(op, false, value_at(&c->data, type, i)));
	for (int64_t i = 0; i < c->mask.present; i++)
		set_value(&c->mask, type, i,
				  with_result(op, true, value_at(&c->mask, type, i)));
	/* without a result: 0 for some, negative for others; the first one counts */
	for (int i = one_in(10) ? 1 + (int) random_below(4) : 0;
		 i > 0 && c->data.present > 0; i--)
		set_value(&c->data, type, random_below(c->data.present),
				  one_in(2) ? 0 : -2);
}

/* From none to all of the array, and beyond it. */
static int32_t
choose_offset(int64_t n)
{
	static const int64_t few[] = {0, 1, 2, 31, 100, 511, 5000};

	return one_in(20) ? INT32_MAX : (int32_t)
		(one_in(2) ? few[random_below(7)] : random_below(n + 3));
}

/* Any positions of an array of about as many elements; rarely a wrong one. */
static void
choose_take(worker *w, array_case *c)
{
	gs_op	   *op = &c->op;
	int32_t    *position = (int32_t *) c->data.values;

	op->mask.type = (int32_t) (GS_BOOL + random_below(GS_TYPES - GS_BOOL));
	op->mask.elements = 1 + random_below(one_in(2) ? c->n + 1 : 5000);
	c->mask = random_span(&w->memory, (gs_type) op->mask.type,
						  op->mask.elements,
						  (data_kind) random_below(DATA_KINDS),
						  random_mask_nulls());
	for (int64_t i = 0; i < c->data.present; i++)
		position[i] = 1 + (int32_t) random_below(op->mask.elements);
	if (c->data.present > 0 && one_in(10))
		position[random_below(c->data.present)] = one_in(3) ? 0 : one_in(2) ?
			INT32_MIN : (int32_t) op->mask.elements + 1;
}

/* Ascending numbers, without NULLs. */
static gs_span
ascending_span(worker *w, gs_type type, int64_t n)
{
	static const double steps[] = {1, 0.5, 0.1, 1e-3, 60, 1e6};
	gs_span		span = random_span(&w->memory, type, n, (data_kind) 0,
								   NULLS_NONE);
	double		step = steps[random_below(type == GS_INT8 ? 6 : 5)];
	bool		even = one_in(2);
	bool		centred = one_in(2) || type == GS_INT2;

	if (type == GS_INT2 && n > 60000)
		step = 60000.0 / (double) n;
	if (type == GS_INT4 && step * (double) n > 1e9)
		step = 1;
	for (int64_t i = 0; i < n; i++)
		set_value(&span, type, i, floor(centred ? -step * (double) n / 2 : 0) +
				  step * ((double) i + (even ? 0 : random_uniform())));
	return span;
}

/* Some of it is not as it should be, rarely. */
static void
disturb(gs_span *span, gs_type type, int64_t n)
{
	if (n > 1 && one_in(10))
		set_value(span, type, random_below(n), -30000);
}

/* What lies among ascending elements, and beyond; values at these. */
static void
choose_interpolation(worker *w, array_case *c)
{
	gs_op	   *op = &c->op;
	gs_type		type = (gs_type) op->type;
	int64_t		n = 1 + random_below(one_in(2) ? c->n + 1 : 5000);

	op->mask.elements = n;
	c->mask = ascending_span(w, type, n);
	for (int64_t i = 0; i < c->data.present; i++)
	{
		int64_t		k = random_below(n);
		double		low = value_at(&c->mask, type, k);
		double		high = value_at(&c->mask, type, k + 1 < n ? k + 1 : k);

		if (!one_in(4))
			set_value(&c->data, type, i, one_in(3) ? low :
					  low + random_uniform() * (high - low));
	}
	disturb(&c->mask, type, n);
	if (one_in(20))
		c->mask = random_span(&w->memory, type, n, c->values,
							  random_mask_nulls());
	if (op->kind == GS_INTERPOLATE)
		c->third = random_span(&w->memory, GS_FLOAT8, n,
							   (data_kind) random_below(DATA_KINDS),
							   one_in(20) ? random_mask_nulls() : NULLS_NONE);
	if (op->kind == GS_INTERPOLATE && one_in(4))
		scatter_specials(&c->third, GS_FLOAT8);
}

static void
choose_area(worker *w, array_case *c)
{
	gs_op	   *op = &c->op;
	gs_type		type = (gs_type) op->type;

	op->area.both_sides = one_in(2);
	if (!one_in(10))
		c->data = ascending_span(w, type, c->n);
	c->mask = random_span(&w->memory, GS_FLOAT8, c->n,
						  (data_kind) random_below(DATA_KINDS),
						  one_in(10) ? random_mask_nulls() : NULLS_NONE);
	if (c->data.present == c->n)
		disturb(&c->data, type, c->n);
	if (one_in(4))
		scatter_specials(&c->mask, GS_FLOAT8);
}

static void
choose_either(worker *w, array_case *c)
{
	gs_op	   *op = &c->op;
	gs_span    *array[] = {&c->mask, &c->third};

	op->mask.type = (int32_t) (GS_BOOL + random_below(GS_TYPES - GS_BOOL));
	op->mask.elements = c->n > 0 ? c->n : 1;
	for (int i = 0; i < 2; i++)
		*array[i] = random_span(&w->memory, (gs_type) op->mask.type,
								op->mask.elements,
								(data_kind) random_below(DATA_KINDS),
								one_in(2) ? NULLS_NONE : random_mask_nulls());
}

static void
choose_filter(array_case *c)
{
	gs_op	   *op = &c->op;

	op->filter.compare = 1 + (int32_t) random_below(6);
	op->filter.integer_bound = one_in(2);
	op->filter.bound = some_value(c);
	if (one_in(10))
		op->filter.bound = one_in(2) ? (double) NAN : HUGE_VAL;
	if (op->filter.integer_bound)
	{
		op->filter.ibound = fabs(op->filter.bound) < 9e18 ?
			(int64_t) op->filter.bound : INT64_MAX;
		if (one_in(10))
			op->filter.ibound = INT64_MIN;
		op->filter.bound = 0;
	}
}

/* Each step takes anything that is there; its errors are results, too. */
static void
choose_expression(worker *w, array_case *c)
{
	gs_expression *e = &c->op.expression;

	e->arrays = 1 + (int32_t) random_below(2);
	if (c->op.kind == GS_EXPRESSION && e->arrays == 1 && one_in(2))
	{
		if (one_in(2))
			choose_filter(c);
		e->differences = (int32_t) random_below(GS_DIFFERENCES_NULL + 1);
	}
	e->constants = 1 + (int32_t) random_below(GS_EXPRESSION_CONSTANTS);
	e->steps = c->op.kind == GS_ARITHMETIC ? 1 :
		1 + (int32_t) random_below(one_in(2) ? 2 : GS_EXPRESSION_STEPS);
	for (int i = 0; i < e->constants; i++)
	{
		if (c->op.type == GS_FLOAT8)
			e->constant[i].f8 = some_value(c);
		else if (c->op.type == GS_FLOAT4)
			e->constant[i].f4 = (float) some_value(c);
		else
			e->constant[i].i8 = random_below(100);
	}
	for (int i = 0; i < e->steps; i++)
	{
		gs_step    *step = &e->step[i];

		/* quotients by anything are mostly errors */
		step->code = GS_CODE_ADD + (int16_t) random_below(6);
		if (step->code == GS_CODE_DIVIDE && !one_in(10))
			step->code = GS_CODE_ADD;
		step->a = i > 0 ? GS_RESULT(i - 1) : GS_COLUMN(0);
		step->b = step->code >= GS_CODE_NEGATE ? GS_NOTHING :
			one_in(2) ? GS_CONSTANT(random_below(e->constants)) :
			GS_COLUMN(random_below(e->arrays));
	}
	if (c->op.kind == GS_EXPRESSION)
		c->op.aggregates = one_in(2) ? GS_GROUP_MEDIAN - 1 :
		1 + (int32_t) random_below(GS_GROUP_MEDIAN - 1);
	if (e->arrays > 1)
		c->mask = random_span(&w->memory, (gs_type) c->op.type, c->n,
							  one_in(2) ? c->values :
							  (data_kind) random_below(DATA_KINDS),
							  random_mask_nulls());
}

/* One of the array's own values, or something near it. */
static gs_value
some_constant(const array_case *c)
{
	gs_value	v = {0};
	double		x;

	if (c->op.type == GS_BOOL)
	{
		v.i2 = one_in(2);
		return v;
	}
	x = some_value(c);
	if (one_in(10))
		x = one_in(3) ? (double) NAN : one_in(2) ? HUGE_VAL : -HUGE_VAL;
	if (c->op.type == GS_FLOAT8)
		v.f8 = x;
	else if (c->op.type == GS_FLOAT4)
		v.f4 = (float) x;
	else if (c->op.type == GS_INT8)
		v.i8 = fabs(x) < 9e18 ? (int64_t) x : x > 0 ? INT64_MAX : INT64_MIN;
	else if (c->op.type == GS_INT4)
		v.i4 = fabs(x) < 2e9 ? (int32_t) x : x > 0 ? INT32_MAX : INT32_MIN;
	else
		v.i2 = fabs(x) < 32000 ? (int16_t) x : x > 0 ? INT16_MAX : INT16_MIN;
	return v;
}

/* Ranges, empty ones too, comparisons, logic and choices. */
static void
choose_map(worker *w, array_case *c)
{
	static const int64_t densities[] = {0, 1, 2, 10, 300};
	gs_op	   *op = &c->op;

	if (op->kind == GS_BETWEEN || op->kind == GS_CLIP)
	{
		op->range.low = some_constant(c);
		op->range.high = some_constant(c);
		op->range.outside = one_in(2);
	}
	if (op->kind == GS_CHOOSE)
	{
		op->choose.constant = some_constant(c);
		op->choose.has_constant = one_in(2);
		op->choose.where_false = one_in(2);
	}
	if (op->kind == GS_COMPARE)
		op->pairs.compare = 1 + (int32_t) random_below(6);
	if (!gs_has_mask(op))
		return;
	if (gs_mask_type(op) == GS_BOOL)
		c->mask = random_flags(&w->memory, c->n, densities[random_below(5)],
							   random_mask_nulls());
	else if (one_in(3) && c->data.present == c->n)
		c->mask = c->data;		/* all are equal */
	else
		c->mask = random_span(&w->memory, (gs_type) op->type, c->n,
							  one_in(2) ? c->values :
							  (data_kind) random_below(DATA_KINDS),
							  random_mask_nulls());
}

void
random_case(worker *w, array_case *c, int kind, gs_type type, int64_t n,
			data_kind values, null_pattern nulls)
{
	static const int64_t densities[] = {0, 1, 2, 10, 300};

	w->memory.used = 0;
	memset(c, 0, sizeof *c);
	c->op.kind = kind;
	c->op.type = type;
	c->n = n;
	c->values = values;
	c->nulls = nulls;
	c->data = random_span(&w->memory, type, n, values, nulls);
	if (gs_is_scan((gs_kind) kind))
		choose_scan(w, c);
	else if (gs_is_segments((gs_kind) kind))
		choose_segments(w, c);
	else if (gs_is_histogram((gs_kind) kind))
		choose_histogram(w, c);
	else if (gs_is_order((gs_kind) kind))
	{
		if (kind == GS_TRANSPOSE)
			c->op.transpose.columns = 1 +
				random_below(one_in(2) ? 200 : one_in(2) ? 2 * n + 1 : 5000);
		else
			c->op.order.descending = kind != GS_DISTINCT && one_in(3);
		c->part = random_bits();
	}
	else if (kind == GS_GROUP)
		choose_group(w, c);
	else if (kind == GS_SEARCH)
		choose_search(w, c);
	else if (kind == GS_TAKE)
		choose_take(w, c);
	else if (kind == GS_ASOF || kind == GS_INTERPOLATE)
		choose_interpolation(w, c);
	else if (kind == GS_CHOOSE_EITHER)
		choose_either(w, c);
	else if (kind == GS_AREA)
		choose_area(w, c);
	else if (kind == GS_SHIFT)
		c->op.shift.places = choose_offset(n) * (one_in(2) ? 1 : -1);
	else if (kind == GS_DIFF)
		c->op.diff.null_first = one_in(2);
	else if (gs_is_of_elements((gs_kind) kind))
		choose_elements(w, c);
	else if (kind == GS_EXPRESSION || kind == GS_ARITHMETIC)
		choose_expression(w, c);
	else if (gs_is_map((gs_kind) kind))
		choose_map(w, c);
	else if (kind == GS_EWMA)
	{
		c->op.ewma.alpha = one_in(20) ? 1 : one_in(2) ?
			random_below(1000) / 1e6 + 1e-9 : 1 - random_uniform();
		c->op.ewma.adjust = one_in(2);
		if ((type == GS_FLOAT4 || type == GS_FLOAT8) && one_in(3))
			scatter_specials(&c->data, type);
	}
	else if (gs_is_moving((gs_kind) kind))
	{
		if (kind == GS_MOVING_CORR)
			c->mask = random_span(&w->memory, type, n,
								  one_in(2) ? values :
								  (data_kind) random_below(DATA_KINDS),
								  random_mask_nulls());
		if (kind == GS_MOVING_PERCENTILE)
		{
			c->op.percentile.fraction = one_in(4) ? (double) random_below(2) :
				one_in(2) ? 0.5 : random_uniform();
			c->op.percentile.discrete = one_in(2);
		}
		c->op.moving.preceding = choose_offset(n);
		c->op.moving.following = one_in(2) ? 0 : choose_offset(n);
		if ((type == GS_FLOAT4 || type == GS_FLOAT8) && one_in(2))
			scatter_specials(&c->data, type);
	}
	else if (kind == GS_FILTER)
		choose_filter(c);
	else if (kind == GS_DOT)
		c->mask = random_span(&w->memory, type, n,
							  one_in(2) ? values :
							  (data_kind) random_below(DATA_KINDS),
							  random_mask_nulls());
	else if (kind == GS_COMPACT)
		c->mask = random_flags(&w->memory, n, densities[random_below(5)],
							   random_mask_nulls());
}

/* Does an engine do it, and is it asked for? */
bool
is_tried(int kind, int type)
{
	gs_op		op;

	return (options.only == NULL ||
			strcmp(options.only, gs_family_name(gs_family_of(kind))) == 0) &&
		gs_op_example((gs_kind) kind, (gs_type) type, &op);
}
