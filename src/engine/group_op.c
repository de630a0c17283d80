/*-------------------------------------------------------------------------
 *
 * group_op.c
 *	  GS_GROUP and GS_EXPRESSION, operations over arrays, as plans.
 *
 * What engines for operations (engine.h) have in common when they leave these
 * to an engine for plans (plan.h).
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "engine/group_op.h"

enum
{
	ELEMENTS,					/* columns of the plan */
	MASK
};

/* The aggregates in the order of their bits. */
static const gs_aggregate_kind kinds[GS_GROUP_OP_AGGREGATES] = {
	GS_AGG_COUNT, GS_AGG_SUM, GS_AGG_SQUARES, GS_AGG_MIN, GS_AGG_MAX,
	GS_AGG_PERCENTILE
};

/* The aggregates of an operand. */
static void
set_aggregates(const gs_op *op, gs_operand of, gs_group_op *g)
{
	for (int i = 0; i < GS_GROUP_OP_AGGREGATES; i++)
	{
		gs_aggregate *a = &g->aggregate[g->plan.aggregates];

		if (!(op->aggregates & 1 << i))
			continue;
		a->kind = kinds[i];
		a->a = of;
		a->b = GS_NOTHING;
		a->filter = GS_NOTHING;
		if (kinds[i] == GS_AGG_PERCENTILE)
			a->fraction = 0.5;
		g->plan.aggregates++;
	}
	g->plan.aggregate = g->aggregate;
}

/*
 * A filter of the elements, by instructions behind the expression's.  It
 * compares as GS_FILTER does: integers with an integer as int8, all else as
 * float8.
 */
static void
set_filter(const gs_op *op, gs_group_op *g)
{
	bool		is_float = op->type == GS_FLOAT4 || op->type == GS_FLOAT8;
	gs_type		type = op->filter.integer_bound && !is_float ?
		GS_INT8 : GS_FLOAT8;
	gs_constant *bound = &g->constant[g->plan.constants];
	gs_instruction *code = &g->code[g->plan.instructions];
	gs_operand	element = GS_COLUMN(ELEMENTS);

	bound->type = type;
	if (type == GS_INT8)
		bound->value.i8 = op->filter.ibound;
	else
		bound->value.f8 = op->filter.integer_bound ?
			(double) op->filter.ibound : op->filter.bound;
	if (op->type != (int32_t) type)
	{
		code->code = GS_CODE_CAST;
		code->type = (uint8_t) op->type;
		code->to = (uint8_t) type;
		code->a = element;
		code->b = code->c = GS_NOTHING;
		element = GS_RESULT(g->plan.instructions++);
		code++;
	}
	code->code = (uint8_t) (GS_CODE_LT + op->filter.compare - GS_LT);
	code->type = (uint8_t) type;
	code->a = element;
	code->b = GS_CONSTANT(g->plan.constants++);
	code->c = GS_NOTHING;
	g->plan.filter = GS_RESULT(g->plan.instructions++);
}

static void
set_expression(const gs_op *op, gs_group_op *g)
{
	const gs_expression *e = &op->expression;
	gs_type		type = gs_expression_type(op);

	for (int i = 0; i < e->constants; i++)
	{
		g->constant[i].type = type;
		g->constant[i].value = e->constant[i];
	}
	for (int i = 0; i < e->steps; i++)
	{
		g->code[i].code = (uint8_t) e->step[i].code;
		g->code[i].type = (uint8_t) type;
		g->code[i].a = e->step[i].a;
		g->code[i].b = e->step[i].b;
		g->code[i].c = GS_NOTHING;
	}
	g->plan.constants = e->constants;
	g->plan.constant = g->constant;
	g->plan.instructions = e->steps;
	g->plan.code = g->code;
	if (op->filter.compare != 0 && !gs_has_prologue(op))
		set_filter(op, g);
}

/* The type of the plan's elements. */
static gs_type
plan_type(const gs_op *op)
{
	return gs_has_prologue(op) ? gs_expression_type(op) : (gs_type) op->type;
}

void
gs_prologue(const gs_op *op, gs_op *filter, gs_op *diff)
{
	memset(filter, 0, sizeof *filter);
	filter->kind = GS_FILTER;
	filter->type = op->type;
	filter->filter = op->filter;
	memset(diff, 0, sizeof *diff);
	diff->kind = GS_DIFF;
	diff->type = op->type;
	diff->diff.null_first = op->expression.differences == GS_DIFFERENCES_NULL;
}

void
gs_group_op_plan(const gs_op *op, gs_group_op *g)
{
	memset(g, 0, sizeof *g);
	g->plan.filter = GS_NOTHING;
	g->plan.columns = gs_has_mask(op) ? 2 : 1;
	g->plan.column = g->column;
	g->column[ELEMENTS] = (uint8_t) plan_type(op);
	g->column[MASK] = (uint8_t) gs_mask_type(op);
	if (op->kind == GS_EXPRESSION || op->kind == GS_ARITHMETIC)
	{
		set_expression(op, g);
		set_aggregates(op, op->expression.steps == 0 ? GS_COLUMN(ELEMENTS) :
					   GS_RESULT(op->expression.steps - 1), g);
		return;
	}
	g->key = GS_COLUMN(MASK);
	g->plan.keys = 1;
	g->plan.key = &g->key;
	set_aggregates(op, GS_COLUMN(ELEMENTS), g);
}

bool
gs_expression_is_valid(const gs_op *op)
{
	const gs_expression *e = &op->expression;
	bool		changed = op->filter.compare != 0 ||
		e->differences != GS_NO_DIFFERENCES;
	gs_group_op g;

	if (e->arrays < 1 || e->arrays > (changed ? 1 : 2) ||
		e->steps < (changed ? 0 : 1) || e->steps > GS_EXPRESSION_STEPS ||
		e->differences < GS_NO_DIFFERENCES ||
		e->differences > GS_DIFFERENCES_NULL ||
		(op->filter.compare != 0 &&
		 (op->filter.compare < GS_LT || op->filter.compare > GS_GT)) ||
		op->filter.integer_bound < 0 || op->filter.integer_bound > 1 ||
		e->constants < 0 || e->constants > GS_EXPRESSION_CONSTANTS)
		return false;
	for (int i = 0; i < e->steps; i++)
	{
		if (e->step[i].code < GS_CODE_ADD || e->step[i].code > GS_CODE_ABS)
			return false;
	}
	gs_group_op_plan(op, &g);
	return gs_plan_check(&g.plan) == GS_OK;
}

/*
 * An accumulator's n limbs from a fetched sum.  Limbs of the sum beyond the
 * accumulator's last only repeat its sign.
 */
static gs_status
get_float_sum(const gs_plan_engine *engine, gs_plan_run *run, int aggregate,
			  bool squares, int64_t *limb, int n, uint32_t *seen)
{
	int			lowest = squares ? GS_ACC2_LOWEST : GS_ACC_LOWEST;
	int			first;
	gs_float_sum sum;
	gs_acc2		wide;
	int64_t		space[GS_FLOAT_SUM_LIMBS];
	gs_limbs	limbs;
	gs_status	status;

	status = engine->fetch(run, GS_FETCH_STATE(aggregate), 0, 1, &sum);
	if (status == GS_OK && sum.wide > 0)
		status = engine->fetch(run, GS_FETCH_WIDE(aggregate), 0, 1, &wide);
	if (status != GS_OK)
		return status;
	limbs = gs_float_sum_limbs(&sum, squares, &wide, space);
	first = (limbs.lowest - lowest) / 32;
	for (int i = limbs.n - 1; i >= 0; i--)
	{
		if (first + i < n - 1)
			limb[first + i] = limbs.limb[i];
		else
			limb[n - 1] = (int64_t) ((uint64_t) limb[n - 1] << 32) +
				limbs.limb[i];
	}
	*seen = limbs.seen;
	return GS_OK;
}

static gs_status
get_integer_sum(const gs_plan_engine *engine, gs_plan_run *run,
				int aggregate, uint64_t *words, int n)
{
	gs_integer_sum sum;
	gs_status	status = engine->fetch(run, GS_FETCH_STATE(aggregate), 0, 1,
									   &sum);

	if (status == GS_OK)
		memcpy(words, sum.word, (size_t) n * sizeof *words);
	return status;
}

static gs_status
get_state(const gs_op *op, const gs_aggregate *a, int aggregate,
		  const gs_plan_engine *engine, gs_plan_run *run, gs_result *result)
{
	bool		is_float = op->type == GS_FLOAT4 || op->type == GS_FLOAT8;

	switch (a->kind)
	{
		case GS_AGG_SUM:
			if (!is_float)
				return get_integer_sum(engine, run, aggregate, result->isum, 2);
			return get_float_sum(engine, run, aggregate, false,
								 result->sum.limb, GS_ACC_LIMBS,
								 &result->sum.seen);
		case GS_AGG_SQUARES:
			if (!is_float)
				return get_integer_sum(engine, run, aggregate,
									   result->isquares, 3);
			return get_float_sum(engine, run, aggregate, true,
								 result->squares.limb, GS_ACC2_LIMBS,
								 &result->squares.seen);
		case GS_AGG_MIN:
			return engine->fetch(run, GS_FETCH_STATE(aggregate), 0, 1,
								 &result->value);
		case GS_AGG_MAX:
			return engine->fetch(run, GS_FETCH_STATE(aggregate), 0, 1,
								 &result->greatest);
		default:
			return engine->fetch(run, GS_FETCH_STATE(aggregate), 0, 1,
								 &result->present);
	}
}

gs_status
gs_expression_finish(const gs_op *op, const gs_plan_engine *engine,
					 gs_plan_run *run, gs_result *result)
{
	gs_group_op g;
	gs_summary	summary;
	gs_status	status = engine->finish(run, &summary);

	if (status != GS_OK)
		return status;
	result->present = 0;
	result->errors = summary.errors;
	gs_group_op_plan(op, &g);
	for (int i = 0;
		 i < g.plan.aggregates && status == GS_OK && summary.errors == 0; i++)
		status = get_state(op, &g.aggregate[i], i, engine, run, result);
	return status;
}

void
gs_expression_wrong(gs_result *result)
{
	result->present = 0;
	result->errors = GS_ERROR_RANGE;
}

static void
set_column(gs_column_data *column, gs_type type, const gs_span *span,
		   int64_t n)
{
	column->values = span->values;
	column->validity = span->present < n ? span->validity : NULL;
	column->packed = 1;
	column->width = gs_type_width(type);
	column->low = 1;			/* above high: not known */
}

void
gs_group_op_input(const gs_op *op, const gs_input *in, gs_group_op_batch *b)
{
	memset(b, 0, sizeof *b);
	set_column(&b->column[ELEMENTS], plan_type(op), &in->data, in->n);
	if (gs_has_mask(op))
		set_column(&b->column[MASK], gs_mask_type(op), &in->mask, in->n);
	b->batch.n = in->n;
	b->batch.column = b->column;
}

int
gs_group_op_column(const gs_op *op, gs_column column)
{
	static const struct
	{
		int32_t		bit;
		bool		wide;
	}			states[GS_COLUMNS] = {
		[GS_COLUMN_COUNTS] = {GS_GROUP_COUNT, false},
		[GS_COLUMN_SUMS] = {GS_GROUP_SUM, false},
		[GS_COLUMN_WIDE_SUMS] = {GS_GROUP_SUM, true},
		[GS_COLUMN_SQUARES] = {GS_GROUP_SQUARES, false},
		[GS_COLUMN_WIDE_SQUARES] = {GS_GROUP_SQUARES, true},
		[GS_COLUMN_MIN] = {GS_GROUP_MIN, false},
		[GS_COLUMN_MAX] = {GS_GROUP_MAX, false},
		[GS_COLUMN_MEDIANS] = {GS_GROUP_MEDIAN, false}
	};
	bool		is_float = op->type == GS_FLOAT4 || op->type == GS_FLOAT8;
	int			aggregate;

	if (column == GS_COLUMN_KEYS)
		return GS_FETCH_KEY(0);
	if (column == GS_COLUMN_KEY_NULLS)
		return GS_FETCH_NULLS;
	if ((unsigned) column >= GS_COLUMNS ||
		!(op->aggregates & states[column].bit) ||
		(states[column].wide && !is_float))
		return -1;
	aggregate = __builtin_popcount((unsigned) op->aggregates &
								   (unsigned) (states[column].bit - 1));
	return states[column].wide ? GS_FETCH_WIDE(aggregate) :
		GS_FETCH_STATE(aggregate);
}

int64_t
gs_wide_end(const gs_float_sum *sums, int64_t n)
{
	int64_t		end = 0;

	for (int64_t i = 0; i < n; i++)
	{
		if (sums[i].wide > end)
			end = sums[i].wide;
	}
	return end;
}

bool
gs_group_op_valid(const gs_op *op, gs_column column, const void *results,
				  int64_t n, int64_t groups)
{
	const gs_float_sum *sum = results;
	bool		squares = column == GS_COLUMN_SQUARES;

	if ((column != GS_COLUMN_SUMS && !squares) ||
		(op->type != GS_FLOAT4 && op->type != GS_FLOAT8))
		return true;
	for (int64_t i = 0; i < n; i++)
	{
		if (sum[i].wide < 0 || sum[i].wide > groups || sum[i].first < 0 ||
			sum[i].first >= (squares ? GS_ACC2_LIMBS : GS_ACC_LIMBS))
			return false;
	}
	return true;
}

size_t
gs_group_op_width(const gs_op *op, gs_column column)
{
	gs_group_op g;

	gs_group_op_plan(op, &g);
	return gs_fetch_width(&g.plan, gs_group_op_column(op, column));
}
