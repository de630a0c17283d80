/*-------------------------------------------------------------------------
 *
 * extreme_rows.c
 *	  Aggregates of rows where another column is least or greatest.
 *
 * The result is the least value among these rows.  So
 *
 *		SELECT key, gpu_first(value, at) FROM ... GROUP BY key
 *
 * is computed as
 *
 *		SELECT key, min(value) FILTER (WHERE at = first)
 *		FROM (SELECT key, value, at, min(at) OVER (PARTITION BY key) AS first FROM ...)
 *		GROUP BY key
 *
 * where gpu_first itself stands for min, as it takes values of all types and has
 * its own order of zeros (aggregate_kinds.c).  If other rows do not matter, only those
 * of rank() 1 are kept, which are found without sorting all.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parse_func.h"
#include "utils/typcache.h"

#include "report/aggregate/aggregate_kinds.h"
#include "report/extreme_rows.h"
#include "report/stages.h"
#include "report/translate/translate_parts.h"
#include "report/windows.h"

/* WindowFunc.winref of the one window */
#define WINDOW	1

/* rank(), whose macro is not the same in all versions */
#define RANK	3101

/* What rows have. */
typedef struct row_values
{
	List	   *values;			/* expressions, each once */
	List	   *functions;		/* WindowFuncs, each once */
	const Aggref *only;			/* the other rows are those of this aggregate; NULL:
								 * of several, or all rows matter */
} row_values;

static const aggregate_kind *
kind_of(const Aggref *aggref)
{
	const aggregate_kind *kind = gs_known_aggregate(aggref->aggfnoid).kind;

	return kind != NULL && kind->extreme != NULL ? kind : NULL;
}

bool
gs_has_extreme_rows(const List *aggregates)
{
	ListCell   *cell;

	foreach(cell, aggregates)
	{
		if (kind_of(lfirst_node(Aggref, cell)) != NULL)
			return true;
	}
	return false;
}

static Expr *
argument(const Aggref *aggref, int i)
{
	return list_nth_node(TargetEntry, aggref->args, i)->expr;
}

/* The other column. */
static Expr *
compared(const Aggref *aggref)
{
	return argument(aggref, kind_of(aggref)->compared);
}

/* Its least or greatest value in the group. */
static WindowFunc *
make_extreme(const Aggref *aggref)
{
	Expr	   *column = compared(aggref);
	Oid			type = exprType((Node *) column);
	WindowFunc *f = makeNode(WindowFunc);

	f->winfnoid = LookupFuncName(list_make2(makeString("pg_catalog"),
											makeString(pstrdup(kind_of(aggref)->extreme))),
								 1, &type, true);
	f->wintype = type;
	f->args = list_make1(column);
	f->aggfilter = aggref->aggfilter;
	f->winref = WINDOW;
	f->winagg = true;
	return f;
}

/* ----------
 * What rows have to have
 * ----------
 */

/* Parts of a record are values of their own. */
static void
add_value(row_values *rows, Node *node)
{
	ListCell   *cell;

	if (node == NULL || !contain_var_clause(node))
		return;
	if (!IsA(node, RowExpr))
		rows->values = list_append_unique(rows->values, node);
	else
	{
		foreach(cell, ((RowExpr *) node)->args)
			add_value(rows, lfirst(cell));
	}
}

/* Is it the least or greatest value of the other column itself? */
static bool
is_extreme_itself(const Aggref *aggref, const Aggref *of)
{
	const known_aggregate known = gs_known_aggregate(aggref->aggfnoid);

	return known.kind != NULL && known.kind->rule == GS_RULE_VALUE &&
		strcmp(known.kind->name, kind_of(of)->extreme) == 0 &&
		equal(argument(aggref, 0), compared(of));
}

static bool
is_float(Expr *e)
{
	Oid			type = exprType((Node *) e);

	return type == FLOAT4OID || type == FLOAT8OID;
}

/*
 * Are the same rows those of all aggregates?  Zeros of both signs have the same
 * rank, and must be told apart; and as keys, those of the other rows matter.
 */
static const Aggref *
find_only(const List *keys, const List *aggregates)
{
	const Aggref *only = NULL;
	ListCell   *cell;

	foreach(cell, keys)
	{
		if (is_float(lfirst(cell)))
			return NULL;
	}

	foreach(cell, aggregates)
	{
		const Aggref *aggref = lfirst_node(Aggref, cell);

		if (only == NULL && kind_of(aggref) != NULL)
			only = aggref;
	}
	foreach(cell, aggregates)
	{
		const Aggref *aggref = lfirst_node(Aggref, cell);

		if (aggref->aggfilter != NULL || is_float(compared(only)))
			return NULL;
		if (kind_of(aggref) == NULL ? !is_extreme_itself(aggref, only) :
			strcmp(kind_of(aggref)->extreme, kind_of(only)->extreme) != 0 ||
			!equal(compared(aggref), compared(only)))
			return NULL;
	}
	return only;
}

static WindowFunc *
make_rank(void)
{
	WindowFunc *f = makeNode(WindowFunc);

	f->winfnoid = RANK;
	f->wintype = INT8OID;
	f->winref = WINDOW;
	return f;
}

static bool
find_values(gs_translation *t, const List *keys, const List *aggregates,
			row_values *rows)
{
	ListCell   *cell;
	ListCell   *entry;

	foreach(cell, keys)
		add_value(rows, lfirst(cell));
	foreach(cell, aggregates)
	{
		const Aggref *aggref = lfirst_node(Aggref, cell);

		foreach(entry, aggref->args)
			add_value(rows, (Node *) lfirst_node(TargetEntry, entry)->expr);
		add_value(rows, (Node *) aggref->aggfilter);
		if (kind_of(aggref) == NULL)
			continue;
		if (!contain_var_clause((Node *) compared(aggref)))
			return gs_untranslated(t, "rows are compared by a constant");
		if (rows->only == NULL)
			rows->functions = list_append_unique(rows->functions,
												 make_extreme(aggref));
	}
	if (rows->only != NULL)
		rows->functions = list_make1(make_rank());
	return true;
}

/* What a row's values look like must be known by their type. */
static bool
have_one_look(gs_translation *t, const List *values)
{
	ListCell   *cell;

	foreach(cell, values)
	{
		gs_operand	operand;

		if (!gs_translate_any(t, lfirst(cell), &operand) ||
			!gs_equals_look_same(t, "value", operand))
			return false;
	}
	return true;
}

/* ----------
 * Expressions of what they have
 * ----------
 */

static int
place_of(const List *list, const Node *node)
{
	int			place = 0;
	ListCell   *cell;

	foreach(cell, list)
	{
		if (equal(lfirst(cell), node))
			break;
		place++;
	}
	return place;
}

static Node *
replace_values(Node *node, void *context)
{
	const row_values *rows = context;
	int			place;

	if (node == NULL)
		return NULL;
	place = place_of(rows->values, node);
	return place < list_length(rows->values) ?
		gs_make_given(place + 1, node) :
		expression_tree_mutator(node, replace_values, context);
}

static Expr *
make_equal(Expr *a, const WindowFunc *f, const row_values *rows)
{
	int			number = list_length(rows->values) +
		place_of(rows->functions, (const Node *) f) + 1;
	TypeCacheEntry *type = lookup_type_cache(f->wintype, TYPECACHE_EQ_OPR);
	Expr	   *condition = make_opclause(type->eq_opr, BOOLOID, false,
										  (Expr *) gs_make_given(number,
																 (const Node *) f),
										  a, InvalidOid, InvalidOid);

	set_opfuncid((OpExpr *) condition);
	return condition;
}

/*
 * Is the row one where the other column has that value?  Of rank 1, too, are rows
 * where it is NULL, if there are no others.
 */
static Expr *
make_condition(const Aggref *aggref, const row_values *rows)
{
	Expr	   *column = (Expr *) replace_values((Node *) compared(aggref),
												 (void *) rows);
	NullTest   *present;

	if (rows->only == NULL)
		return make_equal(column, make_extreme(aggref), rows);
	present = makeNode(NullTest);
	present->arg = column;
	present->nulltesttype = IS_NOT_NULL;
	return &present->xpr;
}

static Aggref *
replace_aggregate(const Aggref *aggref, const row_values *rows)
{
	Aggref	   *r = (Aggref *) expression_tree_mutator((Node *) aggref,
													   replace_values,
													   (void *) rows);
	Expr	   *condition;

	if (kind_of(aggref) == NULL)
		return r;
	condition = make_condition(aggref, rows);
	r->aggfilter = r->aggfilter == NULL ? condition :
		makeBoolExpr(AND_EXPR, list_make2(r->aggfilter, condition), -1);
	r->args = list_make1(list_nth(r->args, 1 - kind_of(aggref)->compared));
	return r;
}

/* ----------
 * Both plans
 * ----------
 */

static bool
translate_rows(gs_translation *before, const row_values *values, List *keys,
			   gs_translation *t)
{
	List	   *integers = list_make2_int(WINDOW, FRAMEOPTION_DEFAULTS);
	List	   *order = NIL;
	Const	   *first = makeConst(INT8OID, -1, InvalidOid, sizeof(int64),
								  Int64GetDatum(1), false, FLOAT8PASSBYVAL);
	gs_report_rows rows = {
		.keys = values->values,
		.functions = values->functions,
		.order = -1
	};

	/* partitions may be in any order; NULLs are last */
	for (int k = 0; k < list_length(keys); k++)
		integers = lappend_int(integers, 0);
	if (values->only != NULL)
	{
		order = list_make1(compared(values->only));
		integers = lappend_int(integers,
							   strcmp(kind_of(values->only)->extreme, "max") == 0 ?
							   GS_WAY_DESCENDING : 0);
	}
	rows.windows = list_make1(list_make3(keys, order, list_make2(NULL, NULL)));
	rows.integers = list_make1(integers);
	if (!gs_translate_rows(before, &rows, t))
		return false;
	return values->only == NULL ||
		gs_translate_filter(t, list_make1(make_equal((Expr *) first,
													 linitial(values->functions),
													 values)),
							&t->plan.filter);
}

bool
gs_translate_extreme_rows(gs_translation *t, List **keys, List **aggregates)
{
	row_values	rows = {0};
	gs_translation *before;
	List	   *of_rows = NIL;
	ListCell   *cell;

	if (!gs_has_extreme_rows(*aggregates))
		return true;
	rows.only = find_only(*keys, *aggregates);
	if (!find_values(t, *keys, *aggregates, &rows) ||
		!have_one_look(t, rows.values))
		return false;
	before = palloc(sizeof *before);
	*before = *t;
	gs_translation_init(t, InvalidOid, before->tlist, before->state);
	t->needed = before->needed;
	t->evaluation = before->evaluation;
	if (!translate_rows(before, &rows, *keys, t))
		return false;
	*keys = (List *) replace_values((Node *) *keys, &rows);
	foreach(cell, *aggregates)
		of_rows = lappend(of_rows,
						  replace_aggregate(lfirst_node(Aggref, cell), &rows));
	*aggregates = of_rows;
	return true;
}
