/*-------------------------------------------------------------------------
 *
 * group_op.c
 *	  GS_GROUP and GS_EXPRESSION, executed by the CPU engine for plans.
 *
 * Another process may own the memory of a batch, and change it after
 * engine_cpu.c has checked it.  A plan's engine relies on bitmaps and on
 * booleans, so it gets copies of them.
 *
 * Where the plan is of differences, the engine's own filter and differences
 * make them of each feed, in buffers that stay in the cache.  Both pass over
 * NULLs, which do not count in the plan, so it gets values alone.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

#include <stdlib.h>
#include <string.h>

#include "engine/group_op.h"

/* Executions over parts of the array, one after the other; see gs_prologue. */
typedef struct prologue
{
	gs_op		filter_op;
	gs_op		diff_op;
	gs_run		filter;			/* of no family: there is none */
	gs_run		diff;
	uint64_t	kept[CPU_BATCH];
	uint64_t	difference[CPU_BATCH];
	bool		wrong;			/* a difference is out of range */
} prologue;

typedef struct group_state
{
	gs_group_op op;
	gs_plan_run *run;
	uint8_t    *copies;
	size_t		size;			/* of copies, in bytes */
	prologue   *prologue;		/* may be NULL */
} group_state;

static void
group_op_end(gs_run *run)
{
	group_state *s = run->state;

	if (s->run != NULL)
		gs_plan_cpu.end(s->run);
	if (s->prologue != NULL)
	{
		free(s->prologue->filter.state);
		free(s->prologue->diff.state);
		free(s->prologue);
	}
	free(s->copies);
	free(s);
}

static gs_status
begin_prologue(const gs_op *op, prologue **result)
{
	prologue   *p = malloc(sizeof *p);

	*result = p;
	if (p == NULL)
		return GS_NO_MEMORY;
	memset(&p->filter, 0, sizeof p->filter);
	memset(&p->diff, 0, sizeof p->diff);
	p->wrong = false;
	gs_prologue(op, &p->filter_op, &p->diff_op);
	p->filter.op = &p->filter_op;
	p->diff.op = &p->diff_op;
	p->diff.family = &gs_cpu_diff;
	if (p->filter_op.filter.compare != 0)
		p->filter.family = &gs_cpu_compaction;
	if (p->filter.family != NULL &&
		p->filter.family->begin(&p->filter) != GS_OK)
		return GS_NO_MEMORY;
	return p->diff.family->begin(&p->diff);
}

static gs_status
group_op_begin(gs_run *run)
{
	group_state *s = calloc(1, sizeof *s);
	gs_status	status;

	if (s == NULL)
		return GS_NO_MEMORY;
	run->state = s;
	gs_group_op_plan(run->op, &s->op);
	status = gs_plan_cpu.begin(&s->op.plan, &s->run);
	if (status == GS_OK && gs_has_prologue(run->op))
		status = begin_prologue(run->op, &s->prologue);
	if (status != GS_OK)
		group_op_end(run);
	return status;
}

/* Take over what the other engine says of a failure. */
static gs_status
check(gs_run *run, gs_status status)
{
	const group_state *s = run->state;

	if (status != GS_OK)
	{
		run->error = *gs_plan_cpu.error(s->run);
		run->error.status = status;
	}
	return status;
}

/* Replace a column's bitmap and booleans by copies at `to`. */
static gs_status
copy_column(gs_column_data *column, gs_type type, const gs_span *span,
			int64_t n, uint8_t *to)
{
	size_t		size = ((size_t) n + 7) / 8;

	if (column->values == NULL)
		column->values = to;	/* there are no values */
	if (column->validity != NULL)
	{
		memcpy(to, column->validity, size);
		column->validity = to;
		to += size;
		if (gs_count_bits(column->validity, n) != span->present)
			return GS_INVALID;
	}
	if (type == GS_BOOL)
	{
		for (int64_t i = 0; i < span->present; i++)
			to[i] = ((const uint8_t *) column->values)[i] != 0;
		column->values = to;
	}
	return GS_OK;
}

/* Some values of the array: the plan gets their differences. */
static gs_status
feed_values(gs_run *run, const void *values, int64_t n)
{
	group_state *s = run->state;
	prologue   *p = s->prologue;
	gs_input	in = {.n = n, .data = {.values = values, .present = n}};
	gs_output	out = {.values = p->kept};
	gs_group_op_batch b;
	gs_status	status;

	if (p->filter.family != NULL)
	{
		status = p->filter.family->feed(&p->filter, &in, &out);
		if (status != GS_OK)
			return status;
		in.n = in.data.present = out.present;
		in.data.values = p->kept;
	}
	out.values = p->difference;
	if (p->diff.family->feed(&p->diff, &in, &out) != GS_OK)
	{
		p->wrong = true;
		return GS_OK;
	}
	in.n = in.data.present = out.present;
	in.data.values = p->difference;
	if (in.n == 0)
		return GS_OK;
	gs_group_op_input(run->op, &in, &b);
	return check(run, gs_plan_cpu.feed(s->run, &b.batch));
}

static gs_status
feed_differences(gs_run *run, const gs_input *in)
{
	const prologue *p = ((group_state *) run->state)->prologue;
	const uint8_t *values = in->data.values;
	int			width = gs_type_width((gs_type) run->op->type);
	gs_status	status = GS_OK;

	for (int64_t at = 0;
		 at < in->data.present && status == GS_OK && !p->wrong;
		 at += CPU_BATCH)
	{
		int64_t		left = in->data.present - at;

		status = feed_values(run, values + at * width,
							 left < CPU_BATCH ? left : CPU_BATCH);
	}
	return status;
}

static gs_status
group_op_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	group_state *s = run->state;
	size_t		size = ((size_t) in->n + 7) / 8 + (size_t) in->n;
	gs_status	status;
	gs_group_op_batch b;

	(void) out;
	if (in->n == 0)
		return GS_OK;
	if (s->prologue != NULL)
		return feed_differences(run, in);
	if (s->size < 2 * size)
	{
		free(s->copies);
		s->copies = malloc(2 * size);
		s->size = s->copies == NULL ? 0 : 2 * size;
	}
	if (s->copies == NULL)
		return GS_NO_MEMORY;
	gs_group_op_input(run->op, in, &b);
	status = copy_column(&b.column[0], (gs_type) run->op->type, &in->data,
						 in->n, s->copies);
	if (status == GS_OK && gs_has_mask(run->op))
		status = copy_column(&b.column[1], gs_mask_type(run->op), &in->mask,
							 in->n, s->copies + size);
	if (status != GS_OK)
		return status;
	return check(run, gs_plan_cpu.feed(s->run, &b.batch));
}

static void
group_op_finish(gs_run *run, gs_result *result)
{
	group_state *s = run->state;
	gs_summary	summary;

	if (s->prologue != NULL && s->prologue->wrong)
		gs_expression_wrong(result);
	else if (run->op->kind == GS_EXPRESSION)
		(void) check(run, gs_expression_finish(run->op, &gs_plan_cpu, s->run,
											   result));
	else if (check(run, gs_plan_cpu.finish(s->run, &summary)) == GS_OK)
		result->results = summary.groups;
}

static void
group_op_fetch(gs_run *run, gs_column column, int64_t first, int64_t n,
			   void *to)
{
	group_state *s = run->state;

	(void) check(run, gs_plan_cpu.fetch(s->run,
										gs_group_op_column(run->op, column),
										first, n, to));
}

const cpu_family gs_cpu_group = {
	.begin = group_op_begin, .feed = group_op_feed, .finish = group_op_finish,
	.fetch = group_op_fetch, .end = group_op_end
};
