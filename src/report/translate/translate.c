/*-------------------------------------------------------------------------
 *
 * translate.c
 *	  From SQL's expressions to a plan of the engine: the plan's parts.
 *
 * Instructions and constants that are there already are not put a second time, and
 * neither are columns (translate_columns.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"

#include "report/translate/scales.h"
#include "report/translate/translate_parts.h"

void
gs_translation_init(gs_translation *t, Oid relation, List *tlist,
					PlanState *state)
{
	gs_translation_private *p = palloc(sizeof(gs_translation_private));

	memset(t, 0, sizeof(gs_translation));
	p->list = NULL;
	p->list_space = 0;
	p->case_value = GS_NOTHING;
	p->by_bytes = false;
	for (int d = 0; d < GS_DIMENSIONS_MAX; d++)
		p->place[d].operand = GS_NOTHING;
	t->plan.filter = GS_NOTHING;
	t->counted = GS_NOTHING;
	t->plan.column = p->column;
	t->plan.table = p->table;
	t->plan.code = p->code;
	t->plan.constant = p->constant;
	t->plan.key = p->key;
	t->plan.aggregate = p->aggregate;
	t->relation = relation;
	t->tlist = tlist;
	t->state = state;
	t->private = p;
}

bool
gs_computed_type(Oid type, gs_type *result)
{
	if (type == NUMERICOID || type == INTERVALOID)
	{
		*result = GS_INT8;
		return true;
	}
	return gs_report_type(type, result);
}

bool
gs_untranslated_hint(gs_translation *t, const char *reason, const char *hint)
{
	t->reason = reason;
	t->hint = hint;
	return false;
}

bool
gs_untranslated(gs_translation *t, const char *reason)
{
	return gs_untranslated_hint(t, reason, NULL);
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

/* Division by a positive constant always has a result. */
static bool
divides_by_constant(const gs_translation *t, const gs_instruction *in)
{
	const gs_constant *known = gs_known_constant(t, in->b);
	gs_value	zero;

	memset(&zero, 0, sizeof zero);
	return known != NULL && !known->null && in->type <= GS_INT8 &&
		gs_compare_values(in->type, known->value, zero) > 0;
}

/* Can the instruction itself turn operands into an error? */
static bool
raises(const gs_translation *t, const gs_instruction *in)
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
		case GS_CODE_SQRT:
		case GS_CODE_EXP:
		case GS_CODE_LN:
		case GS_CODE_LOG10:
		case GS_CODE_POWER:
		case GS_CODE_MONTH_START:
		case GS_CODE_CHECK:
			return true;
		case GS_CODE_DIVIDE:
		case GS_CODE_FLOOR_DIVIDE:
		case GS_CODE_MODULO:
			return !divides_by_constant(t, in);
		case GS_CODE_LOOKUP:
			/* without a place it stands for an unknown value */
			return in->count == 0;
		default:
			return false;
	}
}

/*
 * Operands that the instruction does not have must be 0.  display: the result's
 * display scale, GS_NOTHING if that is its scale.
 */
bool
gs_put_displayed(gs_translation *t, gs_instruction in, gs_operand display,
				 gs_operand *r)
{
	gs_translation_private *p = t->private;
	int			n = t->plan.instructions;

	for (int i = 0; i < n; i++)
	{
		if (memcmp(&p->code[i], &in, sizeof in) == 0 &&
			p->display[i] == display)
		{
			*r = GS_RESULT(i);
			return true;
		}
	}
	if (n == GS_PLAN_CODE)
		return gs_untranslated(t, "the expressions are too long");
	p->code[n] = in;
	p->raises[n] = raises(t, &in) || gs_can_raise(t, in.a) ||
		gs_can_raise(t, in.b) || gs_can_raise(t, in.c);
	p->scale[n] = gs_result_scale(t, &in);
	p->display[n] = display;
	p->is_code[n] = false;
	p->dictionary[n] = NULL;
	t->plan.instructions++;
	*r = GS_RESULT(n);
	return true;
}

bool
gs_put(gs_translation *t, gs_instruction in, gs_operand *r)
{
	return gs_put_displayed(t, in, GS_NOTHING, r);
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
	bool		is_number = code == GS_CODE_NEGATE || code == GS_CODE_ABS;

	return gs_put_displayed(t, in, is_number ? gs_display_of(t, a) : GS_NOTHING,
							r);
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
gs_put_scaled(gs_translation *t, gs_constant value, int scale, Expr *source,
			  gs_operand *r)
{
	gs_translation_private *p = t->private;
	int			n = t->plan.constants;

	for (int i = 0; i < n; i++)
	{
		if (memcmp(&p->constant[i], &value, sizeof value) == 0 &&
			p->constant_scale[i] == scale &&
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
	p->constant_scale[n] = scale;
	p->source[n] = source;
	t->plan.constants++;
	*r = GS_CONSTANT(n);
	return true;
}

bool
gs_put_constant(gs_translation *t, gs_constant value, Expr *source,
				gs_operand *r)
{
	int			scale = value.null || source != NULL ? GS_ANY_SCALE : 0;

	return gs_put_scaled(t, value, scale, source, r);
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
gs_put_number(gs_translation *t, gs_type type, int64 value, gs_operand *r)
{
	gs_constant c;

	memset(&c, 0, sizeof c);
	c.type = type;
	switch (type)
	{
		case GS_INT4:
			c.value.i4 = (int32) value;
			break;
		case GS_INT8:
			c.value.i8 = value;
			break;
		default:
			c.value.f8 = (double) value;
			break;
	}
	return gs_put_constant(t, c, NULL, r);
}

bool
gs_put_integer(gs_translation *t, int32 value, gs_operand *r)
{
	return gs_put_number(t, GS_INT4, value, r);
}

bool
gs_put_bigint(gs_translation *t, int64 value, gs_operand *r)
{
	return gs_put_number(t, GS_INT8, value, r);
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

void
gs_translated_value(const gs_translation *t, Expr *expression,
					gs_operand operand, gs_report_value *value)
{
	memset(value, 0, sizeof *value);
	value->type = gs_operand_type(&t->plan, operand);
	value->length = get_typlen(exprType((Node *) expression));
	value->form = GS_FORM_VALUE;
	if (exprType((Node *) expression) == NUMERICOID)
	{
		value->form = GS_FORM_DECIMAL;
		value->scale = Max(gs_scale_of(t, operand), 0);
	}
	if (exprType((Node *) expression) == INTERVALOID)
		value->form = GS_FORM_INTERVAL;
	if (gs_is_code(t, operand))
	{
		value->form = GS_FORM_CODE;
		value->dictionary = gs_dictionary_of(t, operand);
	}
}

gs_translation_mark
gs_mark(const gs_translation *t)
{
	return (gs_translation_mark) {
		.columns = t->plan.columns,
		.instructions = t->plan.instructions,
		.constants = t->plan.constants,
		.list_length = t->plan.list_length,
		.tables = t->plan.tables,
		.ranges = t->ranges.n,
		.missing = t->ranges.missing,
		.unknown = t->unknown,
		.more_unknown = t->more_unknown
	};
}

/* An operand that is no column. */
static bool
is_put(const gs_translation *t, gs_operand operand)
{
	return operand >= GS_RESULT(0) ?
		operand < GS_RESULT(t->plan.instructions) :
		operand < GS_CONSTANT(t->plan.constants);
}

void
gs_forget(gs_translation *t, const gs_translation_mark *before)
{
	t->plan.columns = before->columns;
	t->plan.instructions = before->instructions;
	t->plan.constants = before->constants;
	t->plan.list_length = before->list_length;
	t->plan.tables = before->tables;
	t->ranges.n = before->ranges;
	t->ranges.missing = before->missing;
	t->unknown = before->unknown;
	t->more_unknown = before->more_unknown;
	for (int d = 0; d < GS_DIMENSIONS_MAX; d++)
	{
		if (!is_put(t, t->private->place[d].operand))
			t->private->place[d].operand = GS_NOTHING;
	}
}

bool
gs_translate_filter(gs_translation *t, List *quals, gs_operand *operand)
{
	List	   *of_table = NIL;
	List	   *others = NIL;
	ListCell   *cell;

	foreach(cell, quals)
	{
		if (gs_is_of_table(t, lfirst(cell)))
			of_table = lappend(of_table, lfirst(cell));
		else
			others = lappend(others, lfirst(cell));
	}
	*operand = t->counted;
	return gs_add_quals(t, of_table, operand) &&
		gs_add_joins(t, others, operand);
}

/* Is there more than one column in it, each of which can be a key? */
static bool
is_of_keys(gs_translation *t, Expr *expression)
{
	const List *columns = pull_var_clause((Node *) expression, 0);
	bool		several = false;
	gs_operand	key;
	ListCell   *cell;

	foreach(cell, columns)
	{
		if (!gs_translate_any(t, lfirst(cell), &key))
			return false;
		several |= !equal(lfirst(cell), linitial(columns));
	}
	return several;
}

/* Why an expression cannot be a key. */
static bool
refuse_key(gs_translation *t, Expr *expression)
{
	const char *reason = t->reason;
	const char *hint = t->hint;

	return t->state == NULL && is_of_keys(t, expression) ?
		gs_untranslated_hint(t, "a key is computed of several columns",
							 "Group by these columns, and compute the key from "
							 "the groups.") :
		gs_untranslated_hint(t, reason, hint);
}

static bool
is_float(const gs_translation *t, gs_operand operand)
{
	gs_type		type = gs_operand_type(&t->plan, operand);

	return type == GS_FLOAT4 || type == GS_FLOAT8;
}

bool
gs_equals_look_same(gs_translation *t, const char *of, gs_operand operand)
{
	if (gs_display_of(t, operand) == GS_NOTHING)
		return true;
	t->in_vain = true;
	return gs_untranslated(t, psprintf("the values of a %s may differ in display scale",
									   of));
}

bool
gs_translate_of_one_look(gs_translation *t, const char *of, Expr *expression,
						 gs_operand *r)
{
	return gs_translate_any(t, expression, r) && gs_equals_look_same(t, of, *r);
}

bool
gs_translate_key(gs_translation *t, Expr *expression)
{
	gs_aggregate zeros;
	gs_operand	key;

	if (!gs_translate_any(t, expression, &key))
		return refuse_key(t, expression);
	if (gs_has_no_column(expression) ||
		!contain_var_clause((Node *) expression) ||
		(key >= GS_CONSTANT(0) && key < GS_RESULT(0)))
		return gs_untranslated(t, "GROUP BY a constant");
	if (!gs_equals_look_same(t, "key", key))
		return false;
	if (t->plan.keys == GS_PLAN_KEYS)
		return gs_untranslated(t, "it has too many keys");
	t->private->key[t->plan.keys++] = key;

	/* a group of 0 may have -0, which the key does not show */
	memset(&zeros, 0, sizeof zeros);
	zeros.kind = GS_AGG_SPECIALS;
	zeros.a = key;
	zeros.filter = GS_NOTHING;
	return !is_float(t, key) || gs_translation_aggregate(t, &zeros) >= 0;
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
