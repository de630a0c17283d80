/*-------------------------------------------------------------------------
 *
 * harness.c
 *	  Runs an operation on an engine; see harness.h.
 *
 *-------------------------------------------------------------------------
 */
#include "harness.h"

#define CANARY_SIZE		16
#define CANARY			0xc5

test_array
array_new(gs_type type, int64_t n)
{
	test_array	a;

	a.type = type;
	a.n = n;
	a.v = allocate(sizeof(gs_value) * n);
	a.valid = allocate(n);
	a.mask = allocate(n);
	a.mask_valid = allocate(n);
	memset(a.v, 0, sizeof(gs_value) * n);
	memset(a.valid, 1, n);
	memset(a.mask, 0, n);
	memset(a.mask_valid, 1, n);
	return a;
}

void
array_free(test_array *a)
{
	free(a->v);
	free(a->valid);
	free(a->mask);
	free(a->mask_valid);
}

static void
value_store(gs_type type, gs_value v, uint8_t *to)
{
	if (type == GS_BOOL)
		*to = (uint8_t) v.i2;
	else
		memcpy(to, &v, gs_type_width(type));
}

gs_value
value_load(gs_type type, const uint8_t *from)
{
	gs_value	v;

	memset(&v, 0, sizeof v);
	if (type == GS_BOOL)
		v.i2 = *from;
	else
		memcpy(&v, from, gs_type_width(type));
	return v;
}

/* A span of n elements in memory of its own. */
static gs_span
span_new(gs_type type, const gs_value *v, const bool *valid, int64_t n)
{
	gs_span		span = {NULL, NULL, 0};
	int			width = gs_type_width(type);
	uint8_t    *values;

	for (int64_t i = 0; i < n; i++)
		span.present += valid[i];
	values = allocate((size_t) span.present * width);
	span.values = values;
	for (int64_t i = 0; i < n; i++)
	{
		if (valid[i])
		{
			value_store(type, v[i], values);
			values += width;
		}
	}
	if (span.present < n)
	{
		uint8_t    *bits = allocate((n + 7) / 8);

		/* bits beyond the last element have no meaning */
		memset(bits, 0xff, (n + 7) / 8);
		for (int64_t i = 0; i < n; i++)
		{
			if (!valid[i])
				bits[i / 8] &= (uint8_t) ~(1u << (i % 8));
		}
		span.validity = bits;
	}
	return span;
}

gs_value
other_factor(const test_array *a, int64_t i)
{
	return a->v[a->n - 1 - i];
}

static gs_span
mask_new(const gs_op *op, const test_array *a, int64_t at, int64_t n)
{
	gs_value   *v = allocate(sizeof(gs_value) * n);
	gs_span		span;

	for (int64_t i = 0; i < n; i++)
	{
		if (gs_mask_type(op) != GS_BOOL)
			v[i] = other_factor(a, at + i);
		else
			v[i].i2 = a->mask[at + i];
	}
	span = span_new(gs_mask_type(op), v, a->mask_valid + at, n);
	free(v);
	return span;
}

gs_span
span_of(const test_array *a, int64_t at, int64_t n)
{
	return span_new(a->type, a->v + at, a->valid + at, n);
}

void
span_free(gs_span *span)
{
	free((void *) span->values);
	free((void *) span->validity);
}

static bool
canary_is_intact(const uint8_t *p)
{
	for (int i = 0; i < CANARY_SIZE; i++)
	{
		if (p[i] != CANARY)
			return false;
	}
	return true;
}

/* Append what a feed wrote to the outcome. */
static void
append_output(outcome *o, const gs_output *out, int64_t capacity)
{
	test_array *to = &o->out;
	const uint8_t *values = out->values;
	int64_t		k = 0;

	if (!expect(out->n >= 0 && out->n <= capacity && out->present <= out->n,
				"%lld of %lld results in a buffer of %lld",
				(long long) out->present, (long long) out->n,
				(long long) capacity))
		return;
	for (int64_t i = 0; i < out->n; i++)
	{
		bool		valid = out->validity == NULL ||
			(out->validity[i / 8] >> (i % 8) & 1);

		to->valid[to->n] = valid;
		if (valid)
			to->v[to->n] = value_load(to->type, values +
									  k++ * gs_type_width(to->type));
		to->n++;
	}
	expect(k == out->present, "%lld values, %lld in the bitmap",
		   (long long) out->present, (long long) k);
}

/* Feed elements at .. at + n - 1. */
static gs_status
feed_piece(gs_run *run, const gs_op *op, const test_array *a, int64_t at,
		   int64_t n, outcome *o)
{
	gs_input	in;
	gs_output	out;
	gs_status	status;
	size_t		values_size = (size_t) n * gs_type_width(gs_output_type(op));
	size_t		bits_size = (n + 63) / 64 * 8;

	memset(&in, 0, sizeof in);
	memset(&out, 0, sizeof out);
	in.n = n;
	in.data = span_of(a, at, n);
	if (gs_has_mask(op))
		in.mask = mask_new(op, a, at, n);
	out.values = allocate(values_size + CANARY_SIZE);
	memset(out.values, CANARY, values_size + CANARY_SIZE);
	if (gs_gives_null(op, in.data.present < n) || random_below(4) == 0)
	{
		out.validity = allocate(bits_size + CANARY_SIZE);
		memset(out.validity, CANARY, bits_size + CANARY_SIZE);
	}
	status = gs_engine_cpu.feed(run, &in, &out);
	if (status == GS_OK)
		status = gs_engine_cpu.wait(run);
	expect(canary_is_intact((uint8_t *) out.values + values_size),
		   "values written beyond the output");
	if (out.validity != NULL)
		expect(canary_is_intact(out.validity + bits_size),
			   "bits written beyond the bitmap");
	if (status == GS_OK)
		append_output(o, &out, n);
	span_free(&in.data);
	span_free(&in.mask);
	free(out.values);
	free(out.validity);
	return status;
}

int64_t
piece_size(cut how, int64_t left)
{
	int64_t		n = left;

	if (how == CUT_MIN)
		n = GS_BATCH_ALIGN;
	else if (how == CUT_RANDOM)
		n = GS_BATCH_ALIGN * (1 + random_below(3));
	return n < left ? n : left;
}

/* Which results are NULL; their values must be 0. */
static void
take_validity(gs_run *run, outcome *o)
{
	const gs_value zero = {0};
	test_array *to = &o->out;
	int64_t		rows = GS_VALIDITY_ROWS(to->n);
	int64_t		first = random_below(rows + 1);
	uint64_t   *row = allocate((rows + 1) * sizeof *row);

	row[rows] = CANARY;
	expect(gs_engine_cpu.fetch(run, GS_COLUMN_VALIDITY, first, rows - first,
							   row + first) == GS_OK &&
		   gs_engine_cpu.fetch(run, GS_COLUMN_VALIDITY, 0, first, row) == GS_OK,
		   "validity");
	expect(row[rows] == CANARY && gs_validity_fits(row, to->n),
		   "bits beyond the end");
	for (int64_t i = 0; i < to->n; i++)
	{
		to->valid[i] = row[i / 64] >> i % 64 & 1;
		expect(to->valid[i] || memcmp(&to->v[i], &zero, sizeof zero) == 0,
			   "result %lld is NULL, but not 0", (long long) i + 1);
	}
	free(row);
}

/* Fetch results first .. first + n - 1 of an order. */
static void
take_piece(gs_run *run, const gs_op *op, int64_t first, int64_t n, outcome *o)
{
	int			width = gs_type_width(o->out.type);
	size_t		size = (size_t) n * width;
	uint8_t    *values = allocate(size + CANARY_SIZE);
	gs_status	status;

	memset(values, CANARY, size + CANARY_SIZE);
	status = gs_engine_cpu.fetch(run, GS_COLUMN_VALUES, first, n, values);
	expect(status == GS_OK, "take gives %d", status);
	expect(canary_is_intact(values + size), "values written beyond the buffer");
	for (int64_t i = 0; i < n; i++)
		o->out.v[first + i] = value_load(o->out.type, values + i * width);
	free(values);
	if (!gs_has_column(op, GS_COLUMN_COUNTS))
		return;
	status = gs_engine_cpu.fetch(run, GS_COLUMN_COUNTS, first, n,
								 o->result.counts + first);
	expect(status == GS_OK, "take of counts gives %d", status);
}

/*
 * Fetch parts that overlap, in any order, and then the rest at both ends;
 * results that are fetched twice must be the same.
 */
static void
fetch_results(gs_run *run, const gs_op *op, outcome *o)
{
	int64_t		n = o->result.results;
	int64_t		low = n;
	int64_t		high = n;

	o->out.n = n;
	if (gs_has_column(op, GS_COLUMN_COUNTS))
		o->result.counts = allocate(sizeof(int64_t) * n);
	for (int i = 0; i < 3 && n > 0; i++)
	{
		int64_t		first = random_below(n);
		int64_t		max = random_bits() & 1 && n - first > 3 ? 3 : n - first;
		int64_t		count = random_below(max) + 1;

		take_piece(run, op, first, count, o);
		low = first;
		high = first + count;
	}
	take_piece(run, op, 0, low, o);
	take_piece(run, op, high, n - high, o);
	if (gs_has_column(op, GS_COLUMN_VALIDITY))
		take_validity(run, o);
}

/* Fetching parts that do not exist is refused. */
static void
refuse_results(const gs_op *op, const test_array *a)
{
	for (int i = 0; i < 6; i++)
	{
		gs_run	   *run;
		gs_result	result = {0};
		gs_input	in = {.n = a->n};
		gs_output	out = {0};
		uint64_t	to[4];
		gs_status	status;

		in.data = span_new(a->type, a->v, a->valid, a->n);
		gs_engine_cpu.begin(op, a->n, NULL, &run);
		gs_engine_cpu.feed(run, &in, &out);
		if (i != 0)
			gs_engine_cpu.finish(run, &result);
		status = gs_engine_cpu.fetch(run, i == 1 ? GS_COLUMN_KEYS :
									 i == 2 && op->kind != GS_DISTINCT ?
									 GS_COLUMN_COUNTS : GS_COLUMN_VALUES,
									 i == 3 ? -1 : i == 4 ? result.results : 0,
									 i == 5 ? -1 : i == 2 &&
									 op->kind == GS_DISTINCT ? INT64_MAX : 1,
									 to);
		expect(status == GS_INVALID, "part %d gives %d", i, status);
		gs_engine_cpu.end(run);
		span_free(&in.data);
	}
}

void
test_refused_results(void)
{
	test_array	a = array_new(GS_INT8, 5);

	test_begin("results that are not there");
	for (int kind = GS_SORT; kind <= GS_TRANSPOSE; kind++)
		refuse_results(&(gs_op) {.kind = kind, .type = GS_INT8,
			.transpose = {kind == GS_TRANSPOSE ? 2 : 0}}, &a);
	test_end();
	array_free(&a);
}

outcome
execute(const gs_op *op, const test_array *a, cut how)
{
	outcome		o;
	gs_run	   *run;

	memset(&o, 0, sizeof o);
	o.out = array_new(gs_output_type(op), a->n);
	o.out.n = 0;
	o.status = gs_engine_cpu.begin(op, a->n, NULL, &run);
	if (!expect(o.status == GS_OK, "begin gives %d", o.status))
		return o;
	for (int64_t at = 0; at < a->n && o.status == GS_OK;)
	{
		int64_t		n = piece_size(how, a->n - at);

		o.status = feed_piece(run, op, a, at, n, &o);
		at += n;
	}
	if (gs_is_histogram((gs_kind) op->kind))
		o.result.counts = allocate(sizeof(int64_t) * (op->histogram.buckets + 3));
	if (o.status == GS_OK)
		o.status = gs_engine_cpu.finish(run, &o.result);
	if (o.status == GS_OK && gs_is_fetched((gs_kind) op->kind) &&
		expect(o.result.results >= 0 && o.result.results <= a->n,
			   "%lld results", (long long) o.result.results))
		fetch_results(run, op, &o);
	o.position = gs_engine_cpu.error(run)->position;
	o.answer = gs_engine_cpu.error(run)->answer;
	expect(gs_engine_cpu.error(run)->status == o.status,
		   "error says status %d, not %d", gs_engine_cpu.error(run)->status,
		   o.status);
	gs_engine_cpu.end(run);
	return o;
}

void
outcome_free(outcome *o)
{
	array_free(&o->out);
	free(o->result.counts);
}
