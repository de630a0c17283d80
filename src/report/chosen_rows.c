/*-------------------------------------------------------------------------
 *
 * chosen_rows.c
 *	  Aggregates of some of a group's rows, which its other rows decide.
 *
 * Window functions choose the rows, and FILTER leaves them:
 *
 *		SELECT key, gpu_first(value, at), sum(DISTINCT x) FROM ... GROUP BY key
 *
 * is computed as
 *
 *		SELECT key, min(value) FILTER (WHERE at = first), sum(x) FILTER (WHERE number = 1)
 *		FROM (SELECT key, value, at, x, min(at) OVER (PARTITION BY key) AS first,
 *				row_number() OVER (PARTITION BY key, x) AS number FROM ...)
 *		GROUP BY key
 *
 * where gpu_first itself stands for min, as it takes values of all types and has
 * its own order of zeros (aggregate_kinds.c).  If rows where `at` is not the first do
 * not matter, only those of rank() 1 are kept, which are found without sorting all.
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
#include "report/chosen_rows.h"
#include "report/stages.h"
#include "report/translate/translate_parts.h"
#include "report/windows.h"

/* What rows have, and the windows, as in windows.h. */
typedef struct row_values
{
	List	   *keys;
	List	   *values;			/* expressions, each once */
	List	   *functions;		/* WindowFuncs, each once */
	List	   *windows;
	List	   *integers;
	const Aggref *only;			/* the other rows are those of this aggregate; NULL:
								 * of several, or all rows matter */
} row_values;

/* ----------
 * Which aggregates are of chosen rows
 * ----------
 */

static Expr *
argument(const Aggref *aggref, int i)
{
	return list_nth_node(TargetEntry, aggref->args, i)->expr;
}

static const aggregate_kind *
kind_of(const Aggref *aggref)
{
	return gs_known_aggregate(aggref->aggfnoid).kind;
}

/* "min" or "max", of the other column; or NULL. */
static const char *
extreme_of(const Aggref *aggref)
{
	const aggregate_kind *kind = kind_of(aggref);

	return kind == NULL ? NULL : kind->extreme;
}

static Expr *
compared(const Aggref *aggref)
{
	return argument(aggref, kind_of(aggref)->compared);
}

/* Equal ones of other types may add up to something else. */
static bool
is_exact(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID ||
		type == NUMERICOID;
}

/* Of others, PostgreSQL raises an error. */
static bool
has_order(const RowExpr *row)
{
	ListCell   *cell;

	foreach(cell, row->args)
	{
		if (!OidIsValid(lookup_type_cache(exprType(lfirst(cell)),
										  TYPECACHE_CMP_PROC)->cmp_proc))
			return false;
	}
	return true;
}

/* Is it of one row for each value?  Some have a state of their own for that. */
static bool
is_distinct(const Aggref *aggref)
{
	const aggregate_kind *kind = kind_of(aggref);
	Expr	   *e;

	if (kind == NULL || aggref->aggdistinct == NIL ||
		list_length(aggref->args) != 1)
		return false;
	e = argument(aggref, 0);
	return kind->rule == GS_RULE_COUNT ?
		IsA(e, RowExpr) && !gs_report_is_small_record((RowExpr *) e) &&
		has_order((RowExpr *) e) :
		kind->rule == GS_RULE_FIGURE && is_exact(exprType((Node *) e));
}

static bool
is_of_chosen_rows(const Aggref *aggref)
{
	return extreme_of(aggref) != NULL || is_distinct(aggref);
}

bool
gs_has_chosen_rows(const List *aggregates)
{
	ListCell   *cell;

	foreach(cell, aggregates)
	{
		if (is_of_chosen_rows(lfirst_node(Aggref, cell)))
			return true;
	}
	return false;
}

/* Is it the least or greatest value of the other column itself? */
static bool
is_extreme_itself(const Aggref *aggref, const Aggref *of)
{
	const aggregate_kind *kind = kind_of(aggref);

	return kind != NULL && kind->rule == GS_RULE_VALUE &&
		strcmp(kind->name, extreme_of(of)) == 0 &&
		equal(argument(aggref, 0), compared(of));
}

static bool
has_same_rows(const Aggref *aggref, const Aggref *as)
{
	return strcmp(extreme_of(aggref), extreme_of(as)) == 0 &&
		equal(compared(aggref), compared(as));
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

	foreach(cell, aggregates)
	{
		if (only == NULL && extreme_of(lfirst_node(Aggref, cell)) != NULL)
			only = lfirst_node(Aggref, cell);
	}
	if (only == NULL || is_float(compared(only)))
		return NULL;
	foreach(cell, keys)
	{
		if (is_float(lfirst(cell)))
			return NULL;
	}
	foreach(cell, aggregates)
	{
		const Aggref *aggref = lfirst_node(Aggref, cell);

		if (aggref->aggfilter != NULL ||
			!(extreme_of(aggref) == NULL ? is_extreme_itself(aggref, only) :
			  has_same_rows(aggref, only)))
			return NULL;
	}
	return only;
}

/* ----------
 * Functions that choose them
 * ----------
 */

/* The WindowFunc.winref of a window, which is added if there is none. */
static Index
find_window(row_values *rows, List *partition, List *order, bool descending)
{
	List	   *window = list_make3(partition, order, list_make2(NULL, NULL));
	List	   *integers;
	ListCell   *cell;

	foreach(cell, rows->windows)
	{
		if (equal(lfirst(cell), window))
			return (Index) foreach_current_index(cell) + 1;
	}
	rows->windows = lappend(rows->windows, window);
	integers = list_make2_int(list_length(rows->windows),
							  FRAMEOPTION_DEFAULTS);

	/* NULLs are last */
	for (int i = 0; i < list_length(partition) + list_length(order); i++)
		integers = lappend_int(integers, i >= list_length(partition) &&
							   descending ? GS_WAY_DESCENDING : 0);
	rows->integers = lappend(rows->integers, integers);
	return (Index) list_length(rows->windows);
}

static WindowFunc *
make_rank(row_values *rows, Oid function, List *partition, List *order,
		  bool descending)
{
	WindowFunc *f = makeNode(WindowFunc);

	f->winfnoid = function;
	f->wintype = INT8OID;
	f->winref = find_window(rows, partition, order, descending);
	return f;
}

/* The least or greatest value of the other column in the group. */
static WindowFunc *
make_extreme(row_values *rows, const Aggref *aggref)
{
	Expr	   *column = compared(aggref);
	Oid			type = exprType((Node *) column);
	WindowFunc *f = makeNode(WindowFunc);

	f->winfnoid = LookupFuncName(list_make2(makeString("pg_catalog"),
											makeString(pstrdup(extreme_of(aggref)))),
								 1, &type, true);
	f->wintype = type;
	f->args = list_make1(column);
	f->aggfilter = aggref->aggfilter;
	f->winref = find_window(rows, rows->keys, NIL, false);
	f->winagg = true;
	return f;
}

/* The number of a row among those that count and have the same value. */
static WindowFunc *
make_number(row_values *rows, const Aggref *aggref)
{
	List	   *partition = list_copy(rows->keys);
	Expr	   *e = argument(aggref, 0);
	List	   *same = IsA(e, RowExpr) ? list_copy(((RowExpr *) e)->args) :
		list_make1(e);
	ListCell   *cell;

	if (aggref->aggfilter != NULL)
		same = lappend(same, aggref->aggfilter);
	foreach(cell, same)
	{
		if (contain_var_clause(lfirst(cell)))
			partition = list_append_unique(partition, lfirst(cell));
	}
	return make_rank(rows, GS_ROW_NUMBER, partition, NIL, false);
}

static WindowFunc *
find_function(row_values *rows, const Aggref *aggref)
{
	if (extreme_of(aggref) == NULL)
		return make_number(rows, aggref);
	return rows->only == NULL ? make_extreme(rows, aggref) :
		make_rank(rows, GS_RANK, rows->keys, list_make1(compared(aggref)),
				  strcmp(extreme_of(aggref), "max") == 0);
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

static bool
find_values(gs_translation *t, const List *aggregates, row_values *rows)
{
	ListCell   *cell;
	ListCell   *entry;

	foreach(cell, rows->keys)
		add_value(rows, lfirst(cell));
	foreach(cell, aggregates)
	{
		const Aggref *aggref = lfirst_node(Aggref, cell);

		foreach(entry, aggref->args)
			add_value(rows, (Node *) lfirst_node(TargetEntry, entry)->expr);
		add_value(rows, (Node *) aggref->aggfilter);
		if (!is_of_chosen_rows(aggref))
			continue;
		if (extreme_of(aggref) != NULL &&
			!contain_var_clause((Node *) compared(aggref)))
			return gs_untranslated(t, "rows are compared by a constant");
		rows->functions = list_append_unique(rows->functions,
											 find_function(rows, aggref));
	}
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

		if (!gs_translate_of_one_look(t, "value", lfirst(cell), &operand))
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

/* Is this what the function gives? */
static Expr *
make_equal(const row_values *rows, const WindowFunc *f, Expr *value)
{
	int			number = list_length(rows->values) +
		place_of(rows->functions, (const Node *) f) + 1;
	TypeCacheEntry *type = lookup_type_cache(f->wintype, TYPECACHE_EQ_OPR);
	Expr	   *condition = make_opclause(type->eq_opr, BOOLOID, false,
										  (Expr *) gs_make_given(number,
																 (const Node *) f),
										  value, InvalidOid, InvalidOid);

	set_opfuncid((OpExpr *) condition);
	return condition;
}

static Expr *
make_first(const row_values *rows, const WindowFunc *f)
{
	return make_equal(rows, f,
					  (Expr *) makeConst(INT8OID, -1, InvalidOid, sizeof(int64),
										 Int64GetDatum(1), false,
										 FLOAT8PASSBYVAL));
}

/*
 * Is the row chosen?  Of rank 1, too, are rows where the other column is NULL, if
 * there are no others.
 */
static Expr *
make_condition(row_values *rows, const Aggref *aggref)
{
	const WindowFunc *f = find_function(rows, aggref);
	Expr	   *column;
	NullTest   *present;

	if (extreme_of(aggref) == NULL)
		return make_first(rows, f);
	column = (Expr *) replace_values((Node *) compared(aggref), rows);
	if (rows->only == NULL)
		return make_equal(rows, f, column);
	present = makeNode(NullTest);
	present->arg = column;
	present->nulltesttype = IS_NOT_NULL;
	return &present->xpr;
}

/* A record is counted as what it is. */
static Aggref *
replace_aggregate(row_values *rows, const Aggref *aggref)
{
	Aggref	   *r = (Aggref *) expression_tree_mutator((Node *) aggref,
													   replace_values, rows);
	Expr	   *condition;

	if (!is_of_chosen_rows(aggref))
		return r;
	condition = make_condition(rows, aggref);
	r->aggfilter = r->aggfilter == NULL ? condition :
		makeBoolExpr(AND_EXPR, list_make2(r->aggfilter, condition), -1);
	if (extreme_of(aggref) != NULL)
		r->args = list_make1(list_nth(r->args, 1 - kind_of(aggref)->compared));
	else
	{
		r->aggdistinct = NIL;
		if (kind_of(aggref)->rule == GS_RULE_COUNT)
			r->args = NIL;
	}
	return r;
}

/* ----------
 * Both plans
 * ----------
 */

static bool
translate_rows(gs_translation *before, const row_values *values,
			   gs_translation *t)
{
	gs_report_rows rows = {
		.keys = values->values,
		.functions = values->functions,
		.windows = values->windows,
		.integers = values->integers,
		.order = -1
	};

	return gs_translate_rows(before, &rows, t) &&
		(values->only == NULL ||
		 gs_translate_filter(t, list_make1(make_first(values,
													  linitial(values->functions))),
							 &t->plan.filter));
}

bool
gs_translate_chosen_rows(gs_translation *t, List **keys, List **aggregates)
{
	row_values	rows = {.keys = *keys};
	gs_translation *before;
	List	   *of_rows = NIL;
	ListCell   *cell;

	if (!gs_has_chosen_rows(*aggregates))
		return true;
	rows.only = find_only(*keys, *aggregates);
	if (!find_values(t, *aggregates, &rows) || !have_one_look(t, rows.values))
		return false;
	before = palloc(sizeof *before);
	*before = *t;
	gs_translation_init(t, InvalidOid, before->tlist, before->state);
	t->needed = before->needed;
	t->passed = before->passed;
	t->evaluation = before->evaluation;
	if (!translate_rows(before, &rows, t))
		return false;
	*keys = (List *) replace_values((Node *) *keys, &rows);
	foreach(cell, *aggregates)
		of_rows = lappend(of_rows,
						  replace_aggregate(&rows, lfirst_node(Aggref, cell)));
	*aggregates = of_rows;
	return true;
}
