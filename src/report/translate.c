/*-------------------------------------------------------------------------
 *
 * translate.c
 *	  From SQL's expressions to a plan of the engine: the plan's parts.
 *
 * Instructions, constants and columns that are there already are not put a
 * second time.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "utils/lsyscache.h"

#include "report/translate_parts.h"

void
gs_translation_init(gs_translation *t, List *tlist, PlanState *state)
{
	gs_translation_private *p = palloc(sizeof(gs_translation_private));

	memset(t, 0, sizeof(gs_translation));
	p->list = NULL;
	p->list_space = 0;
	p->case_value = GS_NOTHING;
	t->plan.filter = GS_NOTHING;
	t->plan.column = p->column;
	t->plan.code = p->code;
	t->plan.constant = p->constant;
	t->plan.key = p->key;
	t->plan.aggregate = p->aggregate;
	t->tlist = tlist;
	t->state = state;
	t->private = p;
}

bool
gs_report_type(Oid type, gs_type *result)
{
	switch (type)
	{
		case BOOLOID:
			*result = GS_BOOL;
			return true;
		case INT2OID:
			*result = GS_INT2;
			return true;
		case INT4OID:
		case DATEOID:
			*result = GS_INT4;
			return true;
		case INT8OID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			*result = GS_INT8;
			return true;
		case FLOAT4OID:
			*result = GS_FLOAT4;
			return true;
		case FLOAT8OID:
			*result = GS_FLOAT8;
			return true;
		default:
			return false;
	}
}

bool
gs_untranslated(gs_translation *t, const char *reason)
{
	t->reason = reason;
	return false;
}

const gs_constant *
gs_known_constant(const gs_translation *t, gs_operand operand)
{
	int			i = operand - GS_CONSTANT(0);

	if (i < 0 || i >= t->plan.constants || t->private->source[i] != NULL)
		return NULL;
	return &t->plan.constant[i];
}

bool
gs_can_raise(const gs_translation *t, gs_operand operand)
{
	return operand >= GS_RESULT(0) &&
		t->private->raises[operand - GS_RESULT(0)];
}

/* Can the instruction itself turn operands into an error? */
static bool
raises(const gs_instruction *in)
{
	switch (in->code)
	{
		case GS_CODE_NEGATE:
		case GS_CODE_ABS:
			return in->type != GS_FLOAT4 && in->type != GS_FLOAT8;
		case GS_CODE_CAST:
			/* types ascend by what they hold, from GS_INT2 to GS_FLOAT8 */
			return in->to < in->type;
		case GS_CODE_ADD:
		case GS_CODE_SUBTRACT:
		case GS_CODE_MULTIPLY:
		case GS_CODE_DIVIDE:
		case GS_CODE_LOOKUP:
			return true;
		default:
			return false;
	}
}

/* Operands that the instruction does not have must be 0. */
bool
gs_put(gs_translation *t, gs_instruction in, gs_operand *r)
{
	gs_translation_private *p = t->private;
	int			n = t->plan.instructions;

	for (int i = 0; i < n; i++)
	{
		if (memcmp(&p->code[i], &in, sizeof in) == 0)
		{
			*r = GS_RESULT(i);
			return true;
		}
	}
	if (n == GS_PLAN_CODE)
		return gs_untranslated(t, "the expressions are too long");
	p->code[n] = in;
	p->raises[n] = raises(&in) || gs_can_raise(t, in.a) ||
		gs_can_raise(t, in.b) || gs_can_raise(t, in.c);
	t->plan.instructions++;
	*r = GS_RESULT(n);
	return true;
}

/* The type of an instruction is that of its operands. */
bool
gs_put_unary(gs_translation *t, gs_code code, gs_operand a, gs_operand *r)
{
	const gs_instruction in = {
		.code = code,
		.type = gs_operand_type(&t->plan, a),
		.a = a
	};

	return gs_put(t, in, r);
}

bool
gs_put_binary(gs_translation *t, gs_code code, gs_operand a, gs_operand b,
			  gs_operand *r)
{
	const gs_instruction in = {
		.code = code,
		.type = gs_operand_type(&t->plan, a),
		.a = a,
		.b = b
	};

	return gs_put(t, in, r);
}

bool
gs_put_choose(gs_translation *t, gs_operand a, gs_operand b, gs_operand c,
			  gs_operand *r)
{
	const gs_instruction in = {
		.code = GS_CODE_CHOOSE,
		.type = gs_operand_type(&t->plan, b),
		.a = a,
		.b = b,
		.c = c
	};

	return gs_put(t, in, r);
}

bool
gs_put_constant(gs_translation *t, gs_constant value, Expr *source,
				gs_operand *r)
{
	gs_translation_private *p = t->private;
	int			n = t->plan.constants;

	for (int i = 0; i < n; i++)
	{
		if (memcmp(&p->constant[i], &value, sizeof value) == 0 &&
			(p->source[i] == NULL) == (source == NULL) &&
			(source == NULL || equal(p->source[i], source)))
		{
			*r = GS_CONSTANT(i);
			return true;
		}
	}
	if (n == GS_PLAN_CONSTANTS)
		return gs_untranslated(t, "there are too many constants");
	p->constant[n] = value;
	p->source[n] = source;
	t->plan.constants++;
	*r = GS_CONSTANT(n);
	return true;
}

bool
gs_put_boolean(gs_translation *t, bool value, gs_operand *r)
{
	gs_constant c;

	memset(&c, 0, sizeof c);
	c.type = GS_BOOL;
	c.value.i2 = value;
	return gs_put_constant(t, c, NULL, r);
}

bool
gs_put_null(gs_translation *t, gs_type type, gs_operand *r)
{
	gs_constant c;

	memset(&c, 0, sizeof c);
	c.type = type;
	c.null = 1;
	return gs_put_constant(t, c, NULL, r);
}

/* A cast between numbers; of constants, if that cannot fail. */
bool
gs_put_cast(gs_translation *t, gs_type to, gs_operand a, gs_operand *r)
{
	gs_type		type = gs_operand_type(&t->plan, a);
	const gs_constant *known = gs_known_constant(t, a);
	gs_instruction in = {.code = GS_CODE_CAST, .type = type, .to = to, .a = a};
	gs_constant c;

	if (type == to)
	{
		*r = a;
		return true;
	}
	memset(&c, 0, sizeof c);
	c.type = to;
	if (known != NULL)
	{
		c.null = known->null;
		if (c.null || gs_convert(type, known->value, to, &c.value))
			return gs_put_constant(t, c, NULL, r);
	}
	return gs_put(t, in, r);
}

static bool
put_column(gs_translation *t, AttrNumber attribute, gs_type type,
		   gs_operand *r)
{
	int			n = t->plan.columns;

	for (int i = 0; i < n; i++)
	{
		if (t->attribute[i] == attribute)
		{
			*r = GS_COLUMN(i);
			return true;
		}
	}
	if (n == GS_PLAN_COLUMNS)
		return gs_untranslated(t, "there are too many columns");
	t->attribute[n] = attribute;
	t->private->column[n] = type;
	t->plan.columns++;
	*r = GS_COLUMN(n);
	return true;
}

static bool
translate_var(gs_translation *t, Var *var, gs_operand *r)
{
	gs_type		type;

	if (var->varno == INDEX_VAR && t->tlist != NIL)
	{
		TargetEntry *entry = list_nth_node(TargetEntry, t->tlist,
										   var->varattno - 1);

		return gs_translate_part(t, entry->expr, r);
	}
	if (var->varattno <= 0 || var->varlevelsup != 0)
		return gs_untranslated(t, "it needs system columns or whole rows");
	if (!gs_report_type(var->vartype, &type))
		return gs_untranslated(t, psprintf("a column has type %s",
										   format_type_be(var->vartype)));
	return put_column(t, var->varattno, type, r);
}

/* Forget what has been put since. */
static void
forget(gs_translation *t, const gs_plan *before)
{
	t->plan.columns = before->columns;
	t->plan.instructions = before->instructions;
	t->plan.constants = before->constants;
	t->plan.list_length = before->list_length;
}

/* Of a part of an expression. */
bool
gs_translate_part(gs_translation *t, Expr *expression, gs_operand *r)
{
	gs_plan		before = t->plan;
	const char *reason;

	check_stack_depth();
	if (IsA(expression, Var))
		return translate_var(t, (Var *) expression, r);
	if (IsA(expression, Const) || IsA(expression, Param))
		return gs_put_value(t, expression, r);
	if (gs_translate_compound(t, expression, r))
	{
		/* without rows its value is known, if only that is sure to exist */
		if (t->state == NULL || *r < GS_RESULT(0) || gs_can_raise(t, *r) ||
			!gs_has_no_column(expression))
			return true;
		forget(t, &before);
		return gs_put_value(t, expression, r);
	}
	reason = t->reason;
	forget(t, &before);
	if (gs_has_no_column(expression) && gs_put_value(t, expression, r))
		return true;
	forget(t, &before);
	return gs_untranslated(t, reason);
}

bool
gs_translate(gs_translation *t, Expr *expression, gs_operand *operand)
{
	return gs_translate_part(t, expression, operand);
}

bool
gs_translate_filter(gs_translation *t, List *quals, gs_operand *operand)
{
	const gs_constant *known;

	if (!gs_translate_and(t, quals, operand))
		return false;
	known = gs_known_constant(t, *operand);
	if (known != NULL && !known->null && known->value.i2 != 0)
		*operand = GS_NOTHING;
	return true;
}

bool
gs_translate_key(gs_translation *t, Expr *expression)
{
	gs_aggregate zeros;
	gs_operand	key;
	gs_type		type;

	if (!gs_translate_part(t, expression, &key))
		return false;
	if (key >= GS_CONSTANT(0) && key < GS_RESULT(0))
		return gs_untranslated(t, "a group is of a constant");
	if (t->plan.keys == GS_PLAN_KEYS)
		return gs_untranslated(t, "groups are of too many columns");
	t->private->key[t->plan.keys++] = key;

	/* a group of 0 may have -0, which the key does not show */
	type = gs_operand_type(&t->plan, key);
	memset(&zeros, 0, sizeof zeros);
	zeros.kind = GS_AGG_SPECIALS;
	zeros.a = key;
	zeros.filter = GS_NOTHING;
	return (type != GS_FLOAT4 && type != GS_FLOAT8) ||
		gs_translation_aggregate(t, &zeros) >= 0;
}

/*
 * By their cost, as the planner's order_qual_clauses() does, apart from
 * security levels: a report has none.  The order of equal ones stays.
 */
List *
gs_order_quals(PlannerInfo *root, List *quals)
{
	int			n = list_length(quals);
	Cost	   *cost = palloc(sizeof(Cost) * n);
	Node	  **qual = palloc(sizeof(Node *) * n);
	List	   *result = NIL;
	int			filled = 0;
	ListCell   *cell;

	foreach(cell, quals)
	{
		Node	   *clause = lfirst(cell);
		QualCost	own;
		int			i;

		cost_qual_eval_node(&own, clause, root);
		for (i = filled++; i > 0 && cost[i - 1] > own.per_tuple; i--)
		{
			cost[i] = cost[i - 1];
			qual[i] = qual[i - 1];
		}
		cost[i] = own.per_tuple;
		qual[i] = clause;
	}
	for (int i = 0; i < n; i++)
		result = lappend(result, qual[i]);
	return result;
}

int
gs_translation_aggregate(gs_translation *t, const gs_aggregate *aggregate)
{
	int			n = t->plan.aggregates;

	for (int i = 0; i < n; i++)
	{
		if (memcmp(&t->private->aggregate[i], aggregate,
				   sizeof(gs_aggregate)) == 0)
			return i;
	}
	if (n == GS_PLAN_AGGREGATES)
	{
		gs_untranslated(t, "there are too many aggregates");
		return -1;
	}
	t->private->aggregate[n] = *aggregate;
	return t->plan.aggregates++;
}
