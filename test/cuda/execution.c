/*-------------------------------------------------------------------------
 *
 * execution.c
 *	  A case on an engine: the array in feeds, several under way at once, into
 *	  poisoned memory that ends in canaries.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"
#include "engine/group_op.h"

#define CANARY_SIZE		64
#define POISON			0xa5
#define MAX_DEPTH		8

/* A feed under way. */
typedef struct slot
{
	gs_input	in;
	gs_output	out;
	uint8_t    *values;
	uint8_t    *bits;
	int64_t		capacity;		/* results */
} slot;

/* Elements at .. at + n - 1 of a span, `before` values before them. */
static gs_span
sub_span(const gs_span *all, int64_t at, int64_t n, int64_t before, int width)
{
	gs_span		s;

	s.values = (const uint8_t *) all->values + before * width;
	s.validity = all->validity == NULL ? NULL : all->validity + at / 8;
	s.present = all->validity == NULL ? n :
		gs_count_bits(s.validity, n);
	return s;
}

/* Moves a part of `all` to the same place in a copy of it. */
static void
move_span(gs_span *part, const gs_span *all, const gs_span *copy)
{
	part->values = (const uint8_t *) copy->values +
		((const uint8_t *) part->values - (const uint8_t *) all->values);
	if (part->validity != NULL)
		part->validity = copy->validity + (part->validity - all->validity);
}

static bool
is_filled(const uint8_t *p, uint8_t with, int64_t size)
{
	for (int64_t i = 0; i < size; i++)
	{
		if (p[i] != with)
			return false;
	}
	return true;
}

static void
append_bits(uint8_t *to, int64_t at, const uint8_t *from, int64_t n)
{
	for (int64_t i = 0; i < n; i++, at++)
	{
		if (from == NULL || (from[i / 8] >> (i % 8) & 1))
			to[at / 8] |= (uint8_t) (1u << (at % 8));
	}
}

/* Append a feed's results to the outcome, or say what is wrong with them. */
static void
append_output(const gs_op *op, const slot *s, outcome *o)
{
	int			width = gs_type_width(gs_output_type(op));
	const gs_output *out = &s->out;

	if (out->n < 0 || out->n > s->capacity || out->present < 0 ||
		out->present > out->n)
		differ(&o->problem, "%lld of %lld results, where %lld fit",
			   (long long) out->present, (long long) out->n,
			   (long long) s->capacity);
	else if (!is_filled(s->values + s->capacity * width, POISON, CANARY_SIZE))
		differ(&o->problem, "values beyond the end");
	else if (out->validity != NULL &&
			 !is_filled(s->bits + (s->capacity + 63) / 64 * 8, POISON,
						CANARY_SIZE))
		differ(&o->problem, "bits beyond the end");
	else if ((out->validity == NULL ? out->n :
			  gs_count_bits(out->validity, out->n)) != out->present)
		differ(&o->problem,
			   "%lld results have %lld values, another number of bits",
			   (long long) out->n, (long long) out->present);
	else
	{
		memcpy(o->values + o->present * width, out->values,
			   out->present * width);
		append_bits(o->bits, o->n, out->validity, out->n);
		o->n += out->n;
		o->present += out->present;
	}
}

/* How many elements the next feed has. */
static int64_t
feed_size(const array_case *c, int64_t most, int64_t left)
{
	int64_t		n = most;

	if (c->cut > 0 && c->cut < most)
		n = c->cut;
	else if (c->cut == CUT_RANDOM)
		n = GS_BATCH_ALIGN * (1 + random_below(most / GS_BATCH_ALIGN));
	return n < left ? n : left;
}

static gs_status
feed(const gs_engine *engine, gs_run *run, const array_case *c,
	 slot *s, int64_t at, int64_t n, int64_t *before, int64_t *mask_before)
{
	const gs_op *op = &c->op;

	memset(&s->in, 0, sizeof s->in);
	s->in.n = n;
	if (gs_is_placement((gs_kind) op->kind) && !gs_has_mask(op))
		s->in.data = c->data;
	else
		s->in.data = sub_span(&c->data, at, n, *before,
							  gs_type_width((gs_type) op->type));
	*before += s->in.data.present;
	if (gs_is_placement((gs_kind) op->kind))
	{
		s->in.mask = c->mask;
		s->in.third = c->third;
	}
	else if (gs_has_mask(op))
	{
		s->in.mask = sub_span(&c->mask, at, n, *mask_before,
							  gs_type_width(gs_mask_type(op)));
		*mask_before += s->in.mask.present;
	}
	if (op->cached)
	{
		move_span(&s->in.data, &c->data, &c->data_copy);
		if (gs_has_mask(op))
			move_span(&s->in.mask, &c->mask, &c->mask_copy);
		if (gs_has_third(op))
			move_span(&s->in.third, &c->third, &c->third_copy);
	}
	memset(&s->out, 0, sizeof s->out);
	if (gs_has_output(op))
	{
		s->capacity = n;
		memset(s->values, POISON,
			   n * gs_type_width(gs_output_type(op)) + CANARY_SIZE);
		memset(s->bits, POISON, (n + 63) / 64 * 8 + CANARY_SIZE);
		s->out.values = s->values;
		if (gs_gives_null(op, s->in.data.present <
						  gs_data_elements(op, n, c->n)) || one_in(4))
			s->out.validity = s->bits;
	}
	return engine->feed(run, &s->in, &s->out);
}

/* The whole array, with as many feeds under way as the engine likes. */
static gs_status
feed_all(worker *w, const gs_engine *engine, gs_run *run, const array_case *c,
		 outcome *o)
{
	slot		slots[MAX_DEPTH];
	int64_t		most;
	int			depth;
	int64_t		at = 0;
	int64_t		before = 0;
	int64_t		mask_before = 0;
	int64_t		feeds = 0;
	int64_t		waits = 0;
	gs_status	status = GS_OK;

	engine->shape(run, &most, &depth);
	if (depth > MAX_DEPTH)
		depth = MAX_DEPTH;
	for (int i = 0; i < depth && gs_has_output(&c->op); i++)
	{
		int64_t		capacity = most < c->n ? most : c->n;

		slots[i].values = arena_take(&w->memory, capacity *
									 gs_type_width(gs_output_type(&c->op)) +
									 CANARY_SIZE);
		slots[i].bits = arena_take(&w->memory,
								   (capacity + 63) / 64 * 8 + CANARY_SIZE);
	}
	while (status == GS_OK && o->problem.text[0] == '\0' &&
		   (at < c->n || waits < feeds))
	{
		if (at < c->n && feeds - waits < depth)
		{
			int64_t		n = feed_size(c, most, c->n - at);

			status = feed(engine, run, c, &slots[feeds++ % depth], at, n,
						  &before, &mask_before);
			at += n;
		}
		else
		{
			slot	   *s = &slots[waits++ % depth];

			status = engine->wait(run);
			if (status == GS_OK && gs_has_output(&c->op))
				append_output(&c->op, s, o);
		}
	}
	return status;
}

/* A column of results, behind which nothing may be written. */
static void *
take_column(worker *w, const gs_engine *engine, gs_run *run,
			const array_case *c, gs_column column, int64_t first, int64_t n,
			outcome *o)
{
	int64_t		width = (int64_t) gs_column_width(&c->op, column);
	uint8_t    *to = arena_take(&w->memory, n * width + CANARY_SIZE);
	int64_t		part = n / 3;

	memset(to, POISON, n * width + CANARY_SIZE);
	o->status = engine->fetch(run, column, first, part, to);
	if (o->status == GS_OK)
		o->status = engine->fetch(run, column, first + part, n - part,
								  to + part * width);
	if (!is_filled(to + n * width, POISON, CANARY_SIZE))
		differ(&o->problem, "results beyond the end");
	return to;
}

static void
fetch_results(worker *w, const gs_engine *engine, gs_run *run,
			  const array_case *c, outcome *o)
{
	int64_t		n = o->result.results;
	int64_t		first = 0;

	if (n < 0 || n > c->n)
	{
		differ(&o->problem, "%lld results", (long long) n);
		return;
	}
	if (c->op.kind == GS_SELECT && n > 0)
	{
		first = (int64_t) (c->part % (uint64_t) n);
		n = n - first < 5 ? n - first : 5;
	}
	o->n = o->present = n;
	o->values = take_column(w, engine, run, c, GS_COLUMN_VALUES, first, n, o);
	if (gs_has_column(&c->op, GS_COLUMN_VALIDITY) && o->status == GS_OK)
		o->bits = take_column(w, engine, run, c, GS_COLUMN_VALIDITY, 0,
							  GS_VALIDITY_ROWS(n), o);
	if (gs_has_column(&c->op, GS_COLUMN_COUNTS) && o->status == GS_OK)
		o->taken_counts = take_column(w, engine, run, c, GS_COLUMN_COUNTS, 0, n,
									  o);
}

/* All columns of groups or segments, or of moving frames without values. */
static void
fetch_columns(worker *w, const gs_engine *engine, gs_run *run,
			 const array_case *c, outcome *o)
{
	for (int i = 0; i < GS_COLUMNS && o->status == GS_OK; i++)
	{
		int64_t		n = o->result.results;

		if (n < 0 || n > c->n)
		{
			differ(&o->problem, "%lld results", (long long) n);
			return;
		}
		n = gs_column_rows((gs_column) i, n);
		if (!gs_has_column(&c->op, (gs_column) i))
			continue;
		if (i == GS_COLUMN_WIDE_SUMS || i == GS_COLUMN_WIDE_SQUARES)
			n = gs_wide_end((const gs_float_sum *) o->column[i - 1], n);
		o->rows[i] = n;
		o->column[i] = take_column(w, engine, run, c, (gs_column) i, 0, n, o);
	}
}

outcome
execute(worker *w, const gs_engine *engine, const array_case *c,
		int64_t *counts)
{
	outcome		o;
	gs_run	   *run;

	memset(&o, 0, sizeof o);
	if (gs_has_output(&c->op))
	{
		o.values = arena_take(&w->memory,
							  c->n * gs_type_width(gs_output_type(&c->op)));
		o.bits = arena_take(&w->memory, (c->n + 7) / 8);
		memset(o.bits, 0, (c->n + 7) / 8);
	}
	o.result.counts = counts;
	memset(counts, POISON, sizeof(int64_t) * (c->op.histogram.buckets + 3));
	o.status = engine->begin(&c->op, c->n, NULL, &run);
	if (o.status == GS_OK)
		o.status = feed_all(w, engine, run, c, &o);
	if (o.status == GS_OK && o.problem.text[0] == '\0')
		o.status = engine->finish(run, &o.result);
	if (o.status == GS_OK && o.problem.text[0] == '\0' &&
		gs_is_series(&c->op))
		fetch_results(w, engine, run, c, &o);
	if (o.status == GS_OK && o.problem.text[0] == '\0' &&
		gs_is_fetched((gs_kind) c->op.kind) && !gs_is_series(&c->op))
		fetch_columns(w, engine, run, c, &o);
	if (run != NULL)
	{
		const gs_error *error = engine->error(run);

		o.answer = error->answer;
		o.position = error->position;
		if (o.status != GS_OK && o.status != GS_BIGINT_RANGE &&
			o.status != GS_FLOAT_OVERFLOW)
			differ(&o.problem, "%.180s", error->message);
		engine->end(run);
	}
	return o;
}
