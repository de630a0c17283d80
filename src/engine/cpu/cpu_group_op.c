/*-------------------------------------------------------------------------
 *
 * cpu_group_op.c
 *	  GS_GROUP and GS_EXPRESSION, executed by the CPU engine for plans.
 *
 * Another process may own the memory of a batch, and change it after
 * engine_cpu.c has checked it.  A plan's engine relies on bitmaps and on
 * booleans, so it gets copies of them.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/cpu_engine.h"

#include <stdlib.h>
#include <string.h>

#include "engine/group_op.h"

typedef struct group_state
{
	gs_group_op op;
	gs_group_run *run;
	uint8_t    *copies;
	size_t		size;			/* of copies, in bytes */
} group_state;

static void
end(gs_run *run)
{
	group_state *s = run->state;

	if (s->run != NULL)
		gs_group_cpu.end(s->run);
	free(s->copies);
	free(s);
}

static gs_status
begin(gs_run *run)
{
	group_state *s = calloc(1, sizeof *s);
	gs_status	status;

	if (s == NULL)
		return GS_NO_MEMORY;
	run->state = s;
	gs_group_op_plan(run->op, &s->op);
	status = gs_group_cpu.begin(&s->op.plan, &s->run);
	if (status != GS_OK)
		end(run);
	return status;
}

/* Take over what the other engine says of a failure. */
static gs_status
check(gs_run *run, gs_status status)
{
	const group_state *s = run->state;

	if (status != GS_OK)
	{
		run->error = *gs_group_cpu.error(s->run);
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

static gs_status
feed(gs_run *run, const gs_input *in, gs_output *out)
{
	group_state *s = run->state;
	size_t		size = ((size_t) in->n + 7) / 8 + (size_t) in->n;
	gs_status	status;
	gs_group_op_batch b;

	(void) out;
	if (in->n == 0)
		return GS_OK;
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
	return check(run, gs_group_cpu.feed(s->run, &b.batch));
}

static void
finish(gs_run *run, gs_result *result)
{
	group_state *s = run->state;
	gs_summary	summary;

	if (run->op->kind == GS_EXPRESSION)
		(void) check(run, gs_expression_finish(run->op, &gs_group_cpu, s->run,
											   result));
	else if (check(run, gs_group_cpu.finish(s->run, &summary)) == GS_OK)
		result->results = summary.groups;
}

static void
fetch(gs_run *run, gs_column column, int64_t first, int64_t n, void *to)
{
	group_state *s = run->state;

	(void) check(run, gs_group_cpu.fetch(s->run,
										 gs_group_op_column(run->op, column),
										 first, n, to));
}

const cpu_family gs_cpu_group = {
	.begin = begin, .feed = feed, .finish = finish, .fetch = fetch, .end = end
};
