/*-------------------------------------------------------------------------
 *
 * translate_codes.c
 *	  Codes compared with constants, =, <>, IN and NOT IN, or with those of
 *	  another dictionary.
 *
 * Equal values have equal codes, so that such a comparison is one of codes,
 * however many values the column has.  A constant without a code equals no row
 * that has been read so far.  Rows that this report reads may bring it: then it
 * has a code when the report is done, which must be made once more.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "report/translate/translate_parts.h"

/* A comparison of a column with what is no column. */
typedef struct comparison
{
	Oid			operator;
	Oid			collation;
	bool		is_array;
	bool		is_any;			/* of an array: = ANY; else <> ALL */
	Var		   *column;
	Expr	   *other;
} comparison;

/*
 * Values that have no code so far: these, or, if there are none, any that a
 * dictionary of more than n values has.
 */
typedef struct absent
{
	const gs_dictionary *dictionary;
	int32		n;				/* when they were looked for; -1: look again */
	int			values;
	Datum	   *value;
} absent;

/* The column behind other names of its type; NULL: it is none. */
static Var *
find_column(const gs_translation *t, Node *node)
{
	for (;;)
	{
		node = gs_resolve(t, node);
		if (!IsA(node, RelabelType))
			break;
		node = (Node *) ((RelabelType *) node)->arg;
	}
	return IsA(node, Var) &&
		gs_dimension_of(t->dimensions, (Var *) node) == NULL ?
		(Var *) node : NULL;
}

static bool
find_sides(const gs_translation *t, List *args, bool swappable, comparison *c)
{
	c->column = find_column(t, linitial(args));
	c->other = lsecond(args);
	if (c->column == NULL && swappable)
	{
		c->column = find_column(t, lsecond(args));
		c->other = linitial(args);
	}
	return c->column != NULL && gs_has_no_column(c->other);
}

static bool
find_comparison(const gs_translation *t, Expr *expression, comparison *c)
{
	const OpExpr *op = (const OpExpr *) expression;
	const ScalarArrayOpExpr *in = (const ScalarArrayOpExpr *) expression;

	memset(c, 0, sizeof *c);
	if (IsA(expression, OpExpr))
	{
		c->operator = op->opno;
		c->collation = op->inputcollid;
		return list_length(op->args) == 2 && find_sides(t, op->args, true, c);
	}
	c->operator = in->opno;
	c->collation = in->inputcollid;
	c->is_array = true;
	c->is_any = in->useOr;
	return find_sides(t, in->args, false, c);
}

/* Has a value of this type the bytes that the column would have for it? */
static bool
is_of_type(Oid type, Oid column)
{
	if (column == TEXTOID || column == VARCHAROID)
		return type == TEXTOID || type == VARCHAROID;
	return type == column;
}

/* Is it equality of values with the same bytes?  *equal: or its negation. */
static bool
compares_bytes(const comparison *c, Oid column, bool *equal)
{
	Oid			type = exprType((Node *) c->other);
	Oid			equality = lookup_type_cache(column, TYPECACHE_EQ_OPR)->eq_opr;

	if (gs_codes_may_be_equal(column))
		return false;
	*equal = c->operator == equality;
	if (!*equal && get_negator(c->operator) != equality)
		return false;
	if (c->is_array && *equal != c->is_any)
		return false;
	return is_of_type(c->is_array ? get_element_type(type) : type, column) &&
		(!type_is_collatable(column) ||
		 (OidIsValid(c->collation) && get_collation_isdeterministic(c->collation)));
}

/* ----------
 * Constants
 * ----------
 */

/* Its code; -1: it has none so far. */
static int32
code_of(gs_translation *t, gs_dictionary *d, Datum value)
{
	int32		code = gs_dictionary_find_value(d, value);
	Datum	   *copy;

	if (code >= 0)
		return code;
	copy = palloc(sizeof(Datum));
	*copy = value;
	gs_must_lack(t, d, code == -1 ? d->n : -1, copy, 1);
	return -1;
}

void
gs_must_lack(gs_translation *t, const gs_dictionary *d, int32 n, Datum *value,
			 int values)
{
	absent	   *a = palloc(sizeof *a);

	a->dictionary = d;
	a->n = n;
	a->values = values;
	a->value = value;
	t->absent = lappend(t->absent, a);
}

void
gs_must_not_grow(gs_translation *t, const gs_dictionary *d, int32 n)
{
	gs_must_lack(t, d, n, NULL, 0);
}

static bool
has_come(const absent *a)
{
	if (!gs_dictionary_has_grown(a->dictionary, a->n))
		return false;
	for (int i = 0; i < a->values; i++)
	{
		if (gs_dictionary_find_value(a->dictionary, a->value[i]) != -1)
			return true;
	}
	return a->values == 0;
}

bool
gs_absent_have_come(const gs_translation *t)
{
	ListCell   *cell;

	foreach(cell, t->absent)
	{
		if (has_come(lfirst(cell)))
			return true;
	}
	return false;
}

static bool
put_one(gs_translation *t, gs_dictionary *d, Datum value, bool isnull,
		gs_operand *r)
{
	return isnull ? gs_put_null(t, GS_INT4, r) :
		gs_put_integer(t, code_of(t, d, value), r);
}

/* = ANY (array).  Of an array without elements it is false even for NULL. */
static bool
put_in(gs_translation *t, gs_dictionary *d, gs_operand a, ArrayType *array,
	   gs_operand *r)
{
	gs_instruction in = {.code = GS_CODE_IN, .type = GS_INT4, .a = a};
	int16		length;
	bool		by_value;
	char		align;
	Datum	   *datums;
	bool	   *nulls;
	int			n;
	int			kept = 0;
	gs_value   *list;

	get_typlenbyvalalign(ARR_ELEMTYPE(array), &length, &by_value, &align);
	deconstruct_array(array, ARR_ELEMTYPE(array), length, by_value, align,
					  &datums, &nulls, &n);
	if (n == 0)
		return gs_put_boolean(t, false, r);
	list = gs_extend_list(t, n);
	memset(list, 0, n * sizeof(gs_value));
	for (int i = 0; i < n; i++)
	{
		if (nulls[i])
			in.list_null = 1;
		else
		{
			list[kept].i4 = code_of(t, d, datums[i]);
			kept += list[kept].i4 >= 0;
		}
	}
	return gs_put_in_list(t, in, kept, r);
}

/* What is put where constants have no codes, since it is being planned. */
static bool
put_planned(gs_translation *t, const comparison *c, gs_operand a,
			gs_operand *r)
{
	gs_constant code;

	memset(&code, 0, sizeof code);
	code.type = GS_INT4;
	return gs_put_constant(t, code, c->other, r) &&
		gs_put_binary(t, GS_CODE_EQ, a, *r, r);
}

static bool
put_equal(gs_translation *t, const comparison *c, gs_operand a,
		  gs_operand *r)
{
	gs_dictionary *d = gs_dictionary_of(t, a);
	bool		isnull;
	Datum		value = gs_evaluate(t, c->other, &isnull);

	if (c->is_array && !isnull)
		return put_in(t, d, a, DatumGetArrayTypeP(value), r);
	return put_one(t, d, value, isnull, r) &&
		gs_put_binary(t, GS_CODE_EQ, a, *r, r);
}

static bool
translate_constants(gs_translation *t, Expr *expression, gs_operand *r)
{
	gs_report_column form;
	gs_type		type;
	comparison	c;
	gs_operand	a;
	bool		equal;

	if ((!IsA(expression, OpExpr) && !IsA(expression, ScalarArrayOpExpr)) ||
		!find_comparison(t, expression, &c) ||
		!gs_column_form_of(c.column->vartype, c.column->vartypmod,
						   c.column->varcollid, &form, &type) ||
		form.form != GS_FORM_CODE || !compares_bytes(&c, c.column->vartype, &equal) ||
		(t->state != NULL && !gs_is_known(t, c.other)))
		return false;
	return gs_translate_any(t, (Expr *) c.column, &a) &&
		(t->state == NULL ? put_planned(t, &c, a, r) : put_equal(t, &c, a, r)) &&
		(equal || gs_put_unary(t, GS_CODE_NOT, *r, r));
}

/* ----------
 * Two dictionaries
 * ----------
 */

int32 *
gs_find_codes(gs_translation *t, const gs_dictionary *from,
			  const gs_dictionary *to)
{
	int32	   *code = palloc(Max(from->n, 1) * sizeof(int32));
	Datum	   *lacking = palloc(Max(from->n, 1) * sizeof(Datum));
	int			n = 0;
	bool		sure = true;

	for (int32 i = 0; i < from->n; i++)
	{
		Datum		value = gs_dictionary_value(from, i);

		code[i] = gs_dictionary_find_value(to, value);
		if (code[i] >= 0)
			continue;
		sure &= code[i] == -1;
		code[i] = -1;
		lacking[n++] = value;
	}
	if (n > 0 && to->id != 0)
		gs_must_lack(t, to, sure ? to->n : -1, lacking, n);
	return code;
}

/* The codes that a's values have in another dictionary, -1 for none. */
static bool
put_codes_of(gs_translation *t, const gs_dictionary *from,
			 const gs_dictionary *to, gs_operand a, gs_operand *r)
{
	const gs_domain domain = {.step = 1, .n = from->n};
	gs_lookup	lookup = {.type = GS_INT4, .n = from->n + 1};
	int32	   *code;

	if (!gs_has_few_values(t, from->n))
		return false;
	code = gs_find_codes(t, from, to);
	lookup.value = palloc0(lookup.n * sizeof(gs_value));
	lookup.null = palloc0(lookup.n);
	lookup.null[from->n] = 1;
	for (int32 i = 0; i < from->n; i++)
		lookup.value[i].i4 = code[i];
	return gs_put_lookup(t, &domain, a, &lookup, r);
}

/* As codes of the same dictionary: that with more values. */
static bool
put_comparable(gs_translation *t, gs_operand *a, gs_operand *b)
{
	const gs_dictionary *x = gs_dictionary_of(t, *a);
	const gs_dictionary *y = gs_dictionary_of(t, *b);

	if (t->state == NULL || x == y)
		return true;
	return x->n < y->n ? put_codes_of(t, x, y, *a, a) :
		put_codes_of(t, y, x, *b, b);
}

static bool
is_of_codes(const Expr *e)
{
	gs_report_column form;
	gs_type		type;
	const Node *node = (const Node *) e;

	return gs_column_form_of(exprType(node), exprTypmod(node),
							 exprCollation(node), &form, &type) &&
		form.form == GS_FORM_CODE;
}

static bool
translate_two(gs_translation *t, OpExpr *e, gs_operand *r)
{
	comparison	c = {.operator = e->opno, .collation = e->inputcollid};
	Expr	   *first;
	gs_operand	a;
	gs_operand	b;
	bool		equal;

	if (!IsA(e, OpExpr) || list_length(e->args) != 2)
		return false;
	first = linitial(e->args);
	c.other = lsecond(e->args);
	/* char(n) has as many blanks at the end as n says */
	if (exprType((Node *) first) == BPCHAROID &&
		exprTypmod((Node *) first) != exprTypmod((Node *) c.other))
		return false;
	return is_of_codes(first) && is_of_codes(c.other) &&
		compares_bytes(&c, exprType((Node *) first), &equal) &&
		!gs_has_no_column(first) && !gs_has_no_column(c.other) &&
		gs_translate_any(t, first, &a) && gs_is_code(t, a) &&
		gs_translate_any(t, c.other, &b) && gs_is_code(t, b) &&
		put_comparable(t, &a, &b) && gs_put_binary(t, GS_CODE_EQ, a, b, r) &&
		(equal || gs_put_unary(t, GS_CODE_NOT, *r, r));
}

/*
 * False without a reason if it is none of these comparisons, or a value of the
 * constants is not known yet.
 */
bool
gs_translate_codes(gs_translation *t, Expr *expression, gs_operand *r)
{
	return translate_constants(t, expression, r) ||
		(t->reason == NULL && translate_two(t, (OpExpr *) expression, r));
}
