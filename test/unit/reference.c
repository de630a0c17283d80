/*-------------------------------------------------------------------------
 *
 * reference.c
 *	  The reference results; see reference.h.
 *
 * Exact sums are MPFR's, integers are summed in 128 bits, and products are
 * those of gs_product_stack, which product_test.c tests against the
 * definition.
 *
 *-------------------------------------------------------------------------
 */
#include "reference.h"
#include "oracle.h"
#include "engine/elements.h"
#include "engine/search.h"

#include <math.h>

/* The state of a run of a scan, or of a whole reduction. */
typedef struct run_state
{
	const gs_op *op;
	bool		any;
	int64_t		count;
	__int128	isum;
	oracle_sum	sum;
	gs_value	value;
	gs_value	greatest;		/* GS_STATS; value is the minimum */
	gs_product_stack product;
} run_state;

static int
compare_double(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a > b) - (a < b);
}

int
compare_sql(gs_type type, gs_value a, gs_value b)
{
	int64_t		x;
	int64_t		y;

	if (is_float(type))
		return compare_double(value_double(type, a), value_double(type, b));
	x = value_int(type, a);
	y = value_int(type, b);
	return (x > y) - (x < y);
}

int
compare_value(gs_type type, gs_value a, gs_value b)
{
	int			c = compare_sql(type, a, b);

	if (c == 0 && is_float(type) && value_double(type, a) == 0)
		return !!signbit(value_double(type, b)) -
			!!signbit(value_double(type, a));
	return c;
}

gs_value
canonical(gs_type type, gs_value v)
{
	if (is_float(type) && isnan(value_double(type, v)))
	{
		memset(&v, 0, sizeof v);
		if (type == GS_FLOAT8)
			v.i8 = INT64_C(0x7ff8000000000000);
		else
			v.i4 = 0x7fc00000;
	}
	return v;
}

/* Combine a value with an extreme or with bits. */
static void
add_value(run_state *s, gs_value v)
{
	gs_type		type = (gs_type) s->op->type;

	v = canonical(type, v);
	if (!s->any)
	{
		s->value = s->greatest = v;
		return;
	}
	switch (s->op->kind)
	{
		case GS_STATS:
			if (compare_value(type, v, s->greatest) > 0)
				s->greatest = v;
			/* and the minimum */
			__attribute__((fallthrough));
		case GS_MIN:
		case GS_SCAN_MIN:
			if (compare_value(type, v, s->value) < 0)
				s->value = v;
			break;
		case GS_MAX:
		case GS_SCAN_MAX:
			if (compare_value(type, v, s->value) > 0)
				s->value = v;
			break;
		case GS_BIT_AND:
		case GS_SCAN_BIT_AND:
			s->value.i8 &= v.i8;
			break;
		case GS_BIT_OR:
		case GS_SCAN_BIT_OR:
			s->value.i8 |= v.i8;
			break;
		case GS_BIT_XOR:
		case GS_SCAN_BIT_XOR:
			s->value.i8 ^= v.i8;
			break;
	}
}

static void
add_element(run_state *s, gs_value v)
{
	gs_type		type = (gs_type) s->op->type;
	bool		only_sum = s->op->kind == GS_SCAN_SUM ||
		s->op->kind == GS_SUM || s->op->kind == GS_ASUM ||
		s->op->kind == GS_MOMENTS;

	if (only_sum || s->op->kind == GS_STATS)
	{
		bool		magnitude = s->op->kind == GS_ASUM;

		if (is_float(type))
			oracle_add(&s->sum, magnitude ? fabs(value_double(type, v)) :
					   value_double(type, v));
		else
			s->isum += magnitude && value_int(type, v) < 0 ?
				-(__int128) value_int(type, v) : value_int(type, v);
	}
	if (!only_sum)
		add_value(s, v);
	s->any = true;
	s->count++;
}

static void
add_factor(run_state *s, const test_array *a, int64_t i, bool head)
{
	gs_product	factor = gs_product_one();

	if (a->valid[i] && is_float(a->type))
		factor = gs_product_from_double(value_double(a->type, a->v[i]));
	else if (a->valid[i])
		factor = gs_product_from_int64(value_int(a->type, a->v[i]));
	factor.starts = head;
	gs_product_stack_push(&s->product, factor, 0);
	s->any |= a->valid[i];
}

static bool
is_head(const gs_op *op, const test_array *a, int64_t i)
{
	if (op->segment.marked)
		return a->mask_valid[i] && a->mask[i];
	return op->segment.length > 0 && i % op->segment.length == 0;
}

void
emit(outcome *o, bool valid, gs_value v)
{
	o->out.valid[o->out.n] = valid;
	if (valid)
		o->out.v[o->out.n] = v;
	o->out.n++;
}

/* The result of a sum; false if it is out of range. */
static bool
emit_sum(outcome *o, run_state *s)
{
	gs_value	v;

	memset(&v, 0, sizeof v);
	if (!is_float((gs_type) s->op->type))
	{
		v.i8 = (int64_t) s->isum;
		if (v.i8 != s->isum)
			o->status = GS_BIGINT_RANGE;
	}
	else
	{
		bool		finite = !s->sum.positive && !s->sum.negative;

		if (s->op->type == GS_FLOAT4)
			v.f4 = oracle_round_float(&s->sum);
		else
			v.f8 = oracle_round(&s->sum);
		if (finite && isinf(value_double((gs_type) s->op->type, v)))
			o->status = GS_FLOAT_OVERFLOW;
	}
	emit(o, true, v);
	return o->status == GS_OK;
}

/* The scan's result in this state; false if it is out of range. */
static bool
emit_state(outcome *o, run_state *s)
{
	gs_value	v;

	memset(&v, 0, sizeof v);
	if (s->op->kind == GS_SCAN_COUNT)
	{
		v.i8 = s->count;
		emit(o, true, v);
		return true;
	}
	if (!s->any)
	{
		bool		empty_sum = s->op->kind == GS_SCAN_SUM ||
			s->op->kind == GS_SCAN_PRODUCT;

		if (s->op->kind == GS_SCAN_PRODUCT)
			v.f8 = 1;
		emit(o, s->op->scan.exclusive && empty_sum, v);
		return true;
	}
	if (s->op->kind == GS_SCAN_SUM)
		return emit_sum(o, s);
	if (s->op->kind == GS_SCAN_PRODUCT)
	{
		if (!gs_product_round(gs_product_stack_fold(&s->product), &v.f8))
			o->status = GS_FLOAT_OVERFLOW;
		emit(o, true, v);
		return o->status == GS_OK;
	}
	emit(o, true, s->value);
	return true;
}

static void
scan(const gs_op *op, const test_array *a, outcome *o)
{
	run_state	s;
	bool		more = true;

	memset(&s, 0, sizeof s);
	s.op = op;
	oracle_init(&s.sum, false);
	for (int64_t i = 0; i < a->n && more; i++)
	{
		bool		head = is_head(op, a, i);

		if (head)
		{
			s.any = false;
			s.count = 0;
			s.isum = 0;
			oracle_reset(&s.sum);
		}
		if (op->scan.exclusive)
			more = emit_state(o, &s);
		if (op->kind == GS_SCAN_PRODUCT)
			add_factor(&s, a, i, head);
		else if (a->valid[i])
			add_element(&s, a->v[i]);
		if (!op->scan.exclusive)
			more = emit_state(o, &s);
		if (!more)
			o->position = i + 1;
	}
	oracle_clear(&s.sum);
}

/* A sum in 192 bits of two's complement; ends the sum. */
static void
export_sum(mpz_t sum, uint64_t *words)
{
	mpz_t		range;

	mpz_init_set_ui(range, 1);
	mpz_mul_2exp(range, range, 192);
	mpz_mod(sum, sum, range);
	mpz_export(words, NULL, -1, sizeof *words, 0, 0, sum);
	mpz_clear(range);
	mpz_clear(sum);
}

static void
integer_squares(const test_array *a, uint64_t *words)
{
	mpz_t		sum;
	mpz_t		x;

	mpz_init(sum);
	mpz_init(x);
	for (int64_t i = 0; i < a->n; i++)
	{
		if (!a->valid[i])
			continue;
		mpz_set_si(x, value_int(a->type, a->v[i]));
		mpz_addmul(sum, x, x);
	}
	mpz_clear(x);
	export_sum(sum, words);
}

static void
dot(const test_array *a, outcome *o)
{
	mpz_t		sum;
	mpz_t		x;
	mpz_t		y;

	mpz_init(sum);
	mpz_init(x);
	mpz_init(y);
	for (int64_t i = 0; i < a->n; i++)
	{
		gs_value	other = other_factor(a, i);

		if (!a->valid[i] || !a->mask_valid[i])
			continue;
		o->result.present++;
		if (is_float(a->type))
		{
			gs_acc2_add_product(&o->result.squares,
								value_double(a->type, a->v[i]),
								value_double(a->type, other));
			continue;
		}
		mpz_set_si(x, value_int(a->type, a->v[i]));
		mpz_set_si(y, value_int(a->type, other));
		mpz_addmul(sum, x, y);
	}
	mpz_clear(x);
	mpz_clear(y);
	export_sum(sum, o->result.isquares);
}

static bool
is_better(const gs_op *op, gs_value v, gs_value best)
{
	int			c = compare_sql((gs_type) op->type, v, best);

	return op->kind == GS_ARGMIN ? c < 0 : c > 0;
}

static void
count_special(int64_t *special, double x)
{
	if (isnan(x))
		special[GS_SPECIAL_NAN]++;
	else if (isinf(x))
		special[signbit(x) ? GS_SPECIAL_NEGATIVE_INF :
				GS_SPECIAL_POSITIVE_INF]++;
	else if (x == 0 && signbit(x))
		special[GS_SPECIAL_NEGATIVE_ZERO]++;
}

static void
reduce(const gs_op *op, const test_array *a, outcome *o)
{
	run_state	s;
	gs_value	best;

	memset(&s, 0, sizeof s);
	memset(&best, 0, sizeof best);
	s.op = op;
	oracle_init(&s.sum, false);
	for (int64_t i = 0; i < a->n; i++)
	{
		if (op->kind == GS_PRODUCT)
			add_factor(&s, a, i, false);
		if (!a->valid[i])
			continue;
		o->result.present++;
		if (o->result.position == 0 || is_better(op, a->v[i], best))
		{
			best = a->v[i];
			o->result.position = i + 1;
		}
		if (op->kind != GS_PRODUCT)
			add_element(&s, a->v[i]);
		if (is_float(a->type))
			count_special(o->result.special, value_double(a->type, a->v[i]));
	}
	o->result.value = s.value;
	o->result.greatest = s.greatest;
	o->result.product = gs_product_stack_fold(&s.product);
	o->result.isum[0] = (uint64_t) s.isum;
	o->result.isum[1] = (uint64_t) (s.isum >> 64);
	if ((op->kind == GS_MOMENTS || op->kind == GS_STATS) &&
		!is_float(a->type))
		integer_squares(a, o->result.isquares);
	/* float sums are rounded, and stored in value */
	if ((op->kind == GS_SUM || op->kind == GS_ASUM) && is_float(a->type))
		o->result.value.f8 = oracle_round(&s.sum);
	oracle_clear(&s.sum);
}

static int32_t
bucket_of_width(const gs_op *op, double x)
{
	bool		reversed = op->histogram.low > op->histogram.high;
	double		d;
	double		w;
	double		bucket;

	if (reversed ? x > op->histogram.low : x < op->histogram.low)
		return 0;
	if (reversed ? x <= op->histogram.high : x >= op->histogram.high)
		return op->histogram.buckets + 1;
	d = reversed ? op->histogram.low - x : x - op->histogram.low;
	w = reversed ? op->histogram.low - op->histogram.high : op->histogram.high - op->histogram.low;
	if (op->histogram.formula == GS_BUCKET_PRODUCT_FIRST)
	{
		bucket = op->histogram.buckets * d / w + 1;
		return bucket >= 0 && bucket < op->histogram.buckets + 2.0 ? (int32_t) bucket :
			op->histogram.buckets + 1;
	}
	if (isinf(w))
	{
		d = fabs(x / 2 - op->histogram.low / 2);
		w = fabs(op->histogram.high / 2 - op->histogram.low / 2);
	}
	bucket = op->histogram.buckets * (d / w);
	if (bucket >= op->histogram.buckets)
		bucket = op->histogram.buckets - 1;
	return (int32_t) bucket + 1;
}

int32_t
bucket_of(const gs_op *op, double x)
{
	int32_t		bucket = 0;

	if (isnan(x))
		return op->histogram.buckets + 2;
	if (op->kind == GS_HISTOGRAM_WIDTH)
		return bucket_of_width(op, x);
	while (bucket <= op->histogram.buckets && op->histogram.edges[bucket] <= x)
		bucket++;
	return bucket;
}

static void
histogram(const gs_op *op, const test_array *a, outcome *o)
{
	size_t		size = sizeof(int64_t) * (op->histogram.buckets + 3);

	o->result.counts = allocate(size);
	memset(o->result.counts, 0, size);
	for (int64_t i = 0; i < a->n; i++)
	{
		if (a->valid[i])
			o->result.counts[bucket_of(op, value_double(a->type, a->v[i]))]++;
	}
}

static void
search(const gs_op *op, const test_array *a, outcome *o)
{
	for (int64_t i = 0; i < a->n; i++)
	{
		int64_t		key = is_float(a->type) ?
			gs_search_key(value_double(a->type, a->v[i])) :
			value_int(a->type, a->v[i]);
		gs_value	count = {.i8 = 0};

		for (int32_t j = 0; j < op->search.count; j++)
			count.i4 += op->search.left ? op->search.keys[j] < key :
				op->search.keys[j] <= key;
		emit(o, a->valid[i], count);
	}
}

/* In the widest type, and with the errors of that. */
static void
diff(const gs_op *op, const test_array *a, outcome *o)
{
	const gs_value *before = NULL;

	for (int64_t i = 0; i < a->n && o->status == GS_OK; i++)
	{
		gs_value	v = {.i8 = 0};

		if (!a->valid[i])
		{
			emit(o, false, v);
			continue;
		}
		if (is_float(a->type))
		{
			double		x = value_double(a->type, a->v[i]);
			double		y = before == NULL ? 0 : value_double(a->type, *before);
			double		r = x - y;

			if (a->type == GS_FLOAT4)
				r = (float) r;
			if (isinf(r) && isfinite(x) && isfinite(y))
				o->status = GS_FLOAT_OVERFLOW;
			if (isnan(r))
				r = gs_canonical_nan();
			if (a->type == GS_FLOAT4)
				v.f4 = (float) r;
			else
				v.f8 = r;
		}
		else if (__builtin_sub_overflow(value_int(a->type, a->v[i]),
										before == NULL ? 0 :
										value_int(a->type, *before), &v.i8))
			o->status = GS_BIGINT_RANGE;
		if (o->status != GS_OK)
			o->position = i + 1;
		emit(o, before != NULL || !op->diff.null_first, v);
		before = &a->v[i];
	}
}

static bool
is_true(int compare, int c)
{
	switch (compare)
	{
		case GS_LT:
			return c < 0;
		case GS_LE:
			return c <= 0;
		case GS_EQ:
			return c == 0;
		case GS_NE:
			return c != 0;
		case GS_GE:
			return c >= 0;
		default:
			return c > 0;
	}
}

/* What is below the range becomes its low end; NaN is above all, but stays. */
static gs_value
clipped(const gs_op *op, gs_value v)
{
	gs_type		type = (gs_type) op->type;

	if (compare_sql(type, v, op->range.low) < 0)
		v = op->range.low;
	if (compare_sql(type, v, op->range.high) > 0 &&
		!(is_float(type) && isnan(value_double(type, v))))
		v = op->range.high;
	return canonical(type, v);
}

/* The result of AND or OR: 1 or 0, or -1, which is NULL. */
static int
logic(int kind, int a, int b)
{
	int			decides = kind == GS_OR;

	if (a == decides || b == decides)
		return decides;
	return a < 0 || b < 0 ? -1 : !decides;
}

/* Maps whose results depend on nothing but the element, or the pair. */
static void
map(const gs_op *op, const test_array *a, outcome *o)
{
	for (int64_t i = 0; i < a->n; i++)
	{
		bool		valid = a->valid[i];
		int			mask = a->mask_valid[i] ? a->mask[i] : -1;
		gs_value	v = a->v[i];
		gs_value	r = {.i8 = 0};
		int			both;

		switch (op->kind)
		{
			case GS_BETWEEN:
				r.i2 = (compare_sql(a->type, v, op->range.low) >= 0 &&
						compare_sql(a->type, v, op->range.high) <= 0) !=
					op->range.outside;
				break;
			case GS_CLIP:
				r = clipped(op, v);
				break;
			case GS_COMPARE:
				valid = valid && a->mask_valid[i];
				r.i2 = is_true(op->pairs.compare, compare_sql(a->type, v,
														 other_factor(a, i)));
				break;
			case GS_NOT:
				r.i2 = !v.i2;
				break;
			case GS_CHOOSE:
				if ((mask == 1) != op->choose.where_false)
					r = v;
				else
				{
					valid = op->choose.has_constant;
					r = op->choose.constant;
				}
				break;
			default:
				both = logic(op->kind, valid ? v.i2 : -1, mask);
				valid = both >= 0;
				r.i2 = (int16_t) both;
		}
		emit(o, valid, r);
	}
}

/* The first of each run of equal values. */
static void
runs(const gs_op *op, const test_array *a, outcome *o)
{
	const gs_value *before = NULL;
	int32_t		values = 0;

	for (int64_t i = 0; i < a->n; i++)
	{
		gs_value	position = {.i8 = 0};

		if (!a->valid[i])
			continue;
		position.i4 = ++values;
		if (before == NULL || compare_sql(a->type, *before, a->v[i]) != 0)
			emit(o, true, op->kind == GS_UNIQUE ? a->v[i] : position);
		before = &a->v[i];
	}
}

static bool
passes(const gs_op *op, const test_array *a, int64_t i)
{
	int			c;

	if (!a->valid[i])
		return false;
	if (is_float(a->type) || !op->filter.integer_bound)
		c = compare_double(value_double(a->type, a->v[i]),
						   op->filter.integer_bound ? (double) op->filter.ibound :
						   op->filter.bound);
	else
	{
		int64_t		x = value_int(a->type, a->v[i]);

		c = (x > op->filter.ibound) - (x < op->filter.ibound);
	}
	return is_true(op->filter.compare, c);
}

static void
compact(const gs_op *op, const test_array *a, outcome *o)
{
	for (int64_t i = 0; i < a->n; i++)
	{
		gs_value	v = a->v[i];

		if (op->kind == GS_FILTER && passes(op, a, i))
			emit(o, true, v);
		else if (op->kind == GS_COMPACT && a->mask_valid[i] && a->mask[i])
			emit(o, a->valid[i], v);
		else if (op->kind == GS_WHERE && a->valid[i] && v.i2)
		{
			memset(&v, 0, sizeof v);
			v.i4 = (int32_t) (i + 1);
			emit(o, true, v);
		}
	}
}

/* An element to be sorted. */
typedef struct item
{
	const gs_op *op;
	gs_value	v;
	int64_t		position;
	int64_t		present;		/* how many values come before it */
} item;

static int
compare_items(const void *x, const void *y)
{
	const item *a = x;
	const item *b = y;
	gs_type		type = (gs_type) a->op->type;
	int			c = gs_has_positions((gs_kind) a->op->kind) ?
		compare_sql(type, a->v, b->v) :
		compare_value(type, a->v, b->v);

	if (a->op->order.descending)
		c = -c;
	if (c == 0)
		c = (a->position > b->position) - (a->position < b->position);
	return c;
}

/* 0 if it is -0. */
static gs_value
without_sign(gs_type type, gs_value v)
{
	if (type == GS_FLOAT4 && v.f4 == 0)
		v.f4 = 0;
	else if (type == GS_FLOAT8 && v.f8 == 0)
		v.f8 = 0;
	return v;
}

/* Distinct items, and how often each occurs. */
static void
distinct(const gs_op *op, const item *items, int64_t n, outcome *o)
{
	int64_t		max_count = 0;

	o->result.counts = allocate(sizeof(int64_t) * n);
	for (int64_t i = 0; i < n; i++)
	{
		int64_t    *count = &o->result.counts[o->out.n - 1];

		if (i > 0 && compare_sql((gs_type) op->type, items[i - 1].v,
								 items[i].v) == 0)
			++*count;
		else
		{
			o->result.counts[o->out.n] = 1;
			emit(o, true, without_sign((gs_type) op->type, items[i].v));
		}
	}
	for (int64_t i = 0; i < o->out.n; i++)
	{
		if (o->result.counts[i] > max_count)
		{
			max_count = o->result.counts[i];
			o->result.value = o->out.v[i];
		}
	}
}

/* The ranks of sorted items, where the outcome has the items. */
static void
rank(const gs_op *op, const item *items, int64_t n, outcome *o)
{
	int32_t		dense = 0;

	for (int64_t first = 0, end; first < n; first = end)
	{
		for (end = first + 1; end < n; end++)
		{
			if (compare_sql((gs_type) op->type, items[first].v,
							items[end].v) != 0)
				break;
		}
		dense++;
		for (int64_t i = first; i < end; i++)
		{
			gs_value   *v = &o->out.v[items[i].present];

			memset(v, 0, sizeof *v);
			v->i4 = op->kind == GS_DENSE_RANK ? dense : (int32_t)
				(op->kind == GS_RANK ? first + 1 :
				 op->kind == GS_LAST_RANK ? end : i + 1);
		}
	}
}

static void
order(const gs_op *op, const test_array *a, outcome *o)
{
	item	   *items = allocate(sizeof(item) * a->n);
	int64_t		n = 0;

	for (int64_t i = 0; i < a->n; i++)
	{
		if (a->valid[i])
		{
			items[n] = (item) {op, canonical(a->type, a->v[i]), i + 1, n};
			n++;
		}
	}
	qsort(items, n, sizeof(item), compare_items);
	for (int64_t i = 0; i < n && op->kind != GS_DISTINCT; i++)
	{
		gs_value	position = {.i8 = 0};

		position.i4 = (int32_t) items[i].position;
		emit(o, true, op->kind == GS_ARGSORT ? position : items[i].v);
	}
	if (gs_is_ranks((gs_kind) op->kind))
		rank(op, items, n, o);
	if (op->kind == GS_DISTINCT)
		distinct(op, items, n, o);
	o->result.results = o->out.n;
	free(items);
}

static void
transpose(const gs_op *op, const test_array *a, outcome *o)
{
	int64_t    *present = allocate(sizeof(int64_t) * a->n);
	int64_t		n = 0;

	for (int64_t i = 0; i < a->n; i++)
	{
		if (a->valid[i])
			present[n++] = i;
	}
	for (int64_t column = 0; column < op->transpose.columns && column < n;
		 column++)
	{
		for (int64_t i = column; i < n; i += op->transpose.columns)
			emit(o, true, a->v[present[i]]);
	}
	o->result.results = n;
	free(present);
}

outcome
reference(const gs_op *op, const test_array *a)
{
	gs_kind		kind = (gs_kind) op->kind;
	outcome		o;

	memset(&o, 0, sizeof o);
	o.result.n = a->n;
	o.out = array_new(gs_output_type(op), a->n);
	o.out.n = 0;
	if (kind == GS_DOT)
		dot(a, &o);
	else if (gs_is_reduction(kind))
		reduce(op, a, &o);
	else if (gs_is_scan(kind))
		scan(op, a, &o);
	else if (gs_is_histogram(kind))
		histogram(op, a, &o);
	else if (kind == GS_SEARCH)
		search(op, a, &o);
	else if (kind == GS_DIFF)
		diff(op, a, &o);
	else if (gs_is_of_elements(kind))
		reference_of_elements(op, a, &o);
	else if (gs_is_map(kind))
		map(op, a, &o);
	else if (kind == GS_UNIQUE || kind == GS_RUN_STARTS)
		runs(op, a, &o);
	else if (kind == GS_TRANSPOSE)
		transpose(op, a, &o);
	else if (gs_is_order(kind))
		order(op, a, &o);
	else if (kind == GS_EWMA)
		reference_of_means(op, a, &o);
	else if (gs_is_moving(kind))
		reference_of_frames(op, a, &o);
	else
		compact(op, a, &o);
	return o;
}
