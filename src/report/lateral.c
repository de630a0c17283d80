/*-------------------------------------------------------------------------
 *
 * lateral.c
 *	  Subqueries of FROM that give the first rows of each row's group.
 *
 *		FROM device d CROSS JOIN LATERAL (SELECT at, v FROM reading r
 *			WHERE r.device = d.id ORDER BY at DESC LIMIT 3) l
 *
 * has the rows of
 *
 *		FROM device d JOIN (SELECT at, v, r.device AS key, row_number() OVER
 *			(PARTITION BY r.device ORDER BY at DESC) AS place FROM reading r) l
 *			ON key = d.id AND place <= 3
 *
 * whose subquery may be a report (rewriting.h).  Where an index gives the rows of a
 * group, the former costs less.
 *
 * The former evaluates the subquery for the rows of some groups, the latter for all;
 * and conditions around it on its columns, which a LIMIT keeps out of it, may be
 * evaluated for all of these rows, too.  So what may raise an error for a row is not
 * taken, there or here.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/stratnum.h"
#include "catalog/pg_opfamily.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parse_oper.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"

#include "report/join.h"
#include "report/lateral.h"
#include "report/rewriting.h"
#include "report/rewriting_uses.h"
#include "report/windows.h"

/* More rows than this of a group are not worth it. */
#define ROWS_MAX	1000000

bool
gs_lateral_is_candidate(const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_SUBQUERY && rte->lateral &&
		rte->subquery->limitCount != NULL && !rte->security_barrier &&
		rte->securityQuals == NIL && gs_rewriting_is_simple(rte->subquery) &&
		rte->subquery->jointree->quals != NULL;
}

/* ----------
 * Rewriting them
 * ----------
 */

typedef struct lateral
{
	Query	   *around;
	int			relation;		/* its place in the range table there */
	RangeTblEntry *rte;
	Query	   *query;			/* the subquery */
	int64		count;
	int64		offset;
	List	   *equalities;		/* that tie its rows to those around it; */
	List	   *inner;			/* the sides that are its own; */
	Relids		outer;			/* and relations that the others refer to */
	Node	  **conditions;		/* where the equalities go to */
} lateral;

/* Numbers that are known now, whatever becomes of functions. */
static bool
known_number(const Node *node, ParamListInfo parameters, int64 *number)
{
	PlannerGlobal *global = makeNode(PlannerGlobal);
	PlannerInfo *root = makeNode(PlannerInfo);
	const Const *value;

	*number = 0;
	if (node == NULL)
		return true;
	global->boundParams = parameters;
	root->glob = global;
	value = (const Const *) eval_const_expressions(root, copyObject(unconstify(Node *, node)));
	if (!IsA(value, Const) || value->constisnull || global->invalItems != NIL)
		return false;
	*number = DatumGetInt64(value->constvalue);
	return true;
}

static bool
find_limit(lateral *l, ParamListInfo parameters)
{
	return known_number(l->query->limitCount, parameters, &l->count) &&
		known_number(l->query->limitOffset, parameters, &l->offset) &&
		l->count > 0 && l->count <= ROWS_MAX &&
		l->offset >= 0 && l->offset <= ROWS_MAX;
}

/* The outer side is evaluated for rows that have no group, too. */
static bool
is_harmless(const Node *outer)
{
	Node	   *moved = copyObject(unconstify(Node *, outer));

	IncrementVarSublevelsUp(moved, -1, 1);
	return !gs_subquery_row_may_raise(moved);
}

static bool
take_equality(lateral *l, OpExpr *op)
{
	for (int i = 0; IsA(op, OpExpr) && list_length(op->args) == 2 && i < 2; i++)
	{
		Node	   *inner = list_nth(op->args, i);
		Node	   *outer = list_nth(op->args, 1 - i);
		gs_references	of_inner = gs_references_of(inner);
		gs_references	of_outer = gs_references_of(outer);

		if (of_inner.own == NULL || of_inner.outer || of_outer.own != NULL ||
			of_outer.around == NULL || !gs_rewriting_ties(op, inner) ||
			gs_subquery_row_may_raise(inner) || !is_harmless(outer))
			continue;
		l->equalities = lappend(l->equalities, op);
		l->inner = lappend(l->inner, inner);
		l->outer = bms_add_members(l->outer, of_outer.around);
		return true;
	}
	return false;
}

static bool
take_equalities(lateral *l)
{
	FromExpr   *from = l->query->jointree;
	List	   *rest = NIL;
	ListCell   *cell;

	foreach(cell, make_ands_implicit((Expr *) from->quals))
	{
		if (!take_equality(l, lfirst(cell)))
			rest = lappend(rest, lfirst(cell));
	}
	from->quals = rest == NIL ? NULL : (Node *) make_ands_explicit(rest);
	return l->equalities != NIL;
}

/*
 * Where the conditions go: to the first join, on the way up, that has the relations
 * which they refer to.  False: the node does not have the subquery; or, with
 * lost, there is no such place.  Its relations are added to those below.
 *
 * On the way, rows without a partner must stay as they are: they are those of inner
 * joins, and of a left join's left side.
 */
static bool
find_place(lateral *l, Node *node, Relids *below, bool *lost)
{
	if (IsA(node, RangeTblRef))
	{
		*below = bms_add_member(*below, ((RangeTblRef *) node)->rtindex);
		return ((RangeTblRef *) node)->rtindex == l->relation;
	}
	if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;
		Relids		joined = bms_make_singleton(join->rtindex);
		bool		left = find_place(l, join->larg, &joined, lost);
		bool		right = find_place(l, join->rarg, &joined, lost);

		*below = bms_add_members(*below, joined);
		if ((!left && !right) || l->conditions != NULL)
			return left || right;
		if (bms_is_subset(l->outer, joined))
		{
			if (join->jointype == JOIN_INNER ||
				(join->jointype == JOIN_LEFT && right))
				l->conditions = &join->quals;
			else
				*lost = true;
		}
		else if (join->jointype != JOIN_INNER &&
				 !(join->jointype == JOIN_LEFT && left))
			*lost = true;
		return true;
	}
	return false;
}

static bool
find_conditions(lateral *l)
{
	FromExpr   *from = l->around->jointree;
	Relids		all = NULL;
	bool		found = false;
	bool		lost = false;
	ListCell   *cell;

	foreach(cell, from->fromlist)
		found |= find_place(l, lfirst(cell), &all, &lost);
	if (!found || lost)
		return false;
	if (l->conditions == NULL && bms_is_subset(l->outer, all))
		l->conditions = &from->quals;
	return l->conditions != NULL;
}

/* Behind those that the subquery gives already; others stay behind it. */
static TargetEntry *
add_column(lateral *l, Expr *expression, const char *name)
{
	TargetEntry *entry;
	int			columns = 0;
	ListCell   *cell;

	foreach(cell, l->query->targetList)
	{
		TargetEntry *other = lfirst_node(TargetEntry, cell);

		if (other->resjunk)
			other->resno++;
		else
			columns++;
	}
	entry = makeTargetEntry(expression, (AttrNumber) (columns + 1),
							pstrdup(name), false);
	l->query->targetList = list_insert_nth(l->query->targetList, columns,
										   entry);
	l->rte->eref->colnames = lappend(l->rte->eref->colnames,
									 makeString(pstrdup(name)));
	return entry;
}

static Expr *
column_of(const lateral *l, const TargetEntry *entry)
{
	const Node *expression = (const Node *) entry->expr;

	return (Expr *) makeVar(l->relation, entry->resno, exprType(expression),
							exprTypmod(expression), exprCollation(expression), 0);
}

static Index
next_reference(const lateral *l)
{
	Index		most = 0;
	ListCell   *cell;

	foreach(cell, l->query->targetList)
		most = Max(most, lfirst_node(TargetEntry, cell)->ressortgroupref);
	return most + 1;
}

/* The equality, of the subquery's new column. */
static Expr *
make_equality(const lateral *l, const OpExpr *op, const Node *inner,
			  const TargetEntry *entry)
{
	OpExpr	   *result = copyObject(unconstify(OpExpr *, op));
	bool		is_first = linitial(op->args) == (const void *) inner;
	Node	   *outer = is_first ? lsecond(result->args) :
		linitial(result->args);
	Expr	   *column = column_of(l, entry);

	IncrementVarSublevelsUp(outer, -1, 1);
	result->args = is_first ? list_make2(column, outer) :
		list_make2(outer, column);
	return (Expr *) result;
}

/* PARTITION BY the equalities' own sides, and what they are around the subquery. */
static List *
add_partition(lateral *l, WindowClause *window)
{
	List	   *conditions = NIL;
	ListCell   *cell;
	ListCell   *side;

	forboth(cell, l->equalities, side, l->inner)
	{
		SortGroupClause *clause = makeNode(SortGroupClause);
		TargetEntry *entry = add_column(l, copyObject(lfirst(side)), "key");

		entry->ressortgroupref = next_reference(l);
		clause->tleSortGroupRef = entry->ressortgroupref;
		get_sort_group_operators(exprType(lfirst(side)), true, true, false,
								 &clause->sortop, &clause->eqop, NULL,
								 &clause->hashable);
		window->partitionClause = lappend(window->partitionClause, clause);
		conditions = lappend(conditions,
							 make_equality(l, lfirst(cell), lfirst(side), entry));
	}
	return conditions;
}

/* row_number() or rank() compared with a number */
static Expr *
make_comparison(lateral *l, Oid function, int strategy, int64 number)
{
	WindowFunc *f = makeNode(WindowFunc);
	Expr	   *result;

	f->winfnoid = function;
	f->wintype = INT8OID;
	f->winref = 1;
	f->location = -1;
	result = make_opclause(get_opfamily_member(INTEGER_BTREE_FAM_OID, INT8OID,
											   INT8OID, (int16) strategy),
						   BOOLOID, false,
						   column_of(l, add_column(l, (Expr *) f, "place")),
						   (Expr *) makeConst(INT8OID, -1, InvalidOid,
											  sizeof(int64),
											  Int64GetDatum(number), false,
											  FLOAT8PASSBYVAL),
						   InvalidOid, InvalidOid);
	set_opfuncid((OpExpr *) result);
	return result;
}

static void
rewrite(lateral *l, int number)
{
	WindowClause *window = makeNode(WindowClause);
	Query	   *query = l->query;
	List	   *conditions = add_partition(l, window);
	bool		ties = query->limitOption == LIMIT_OPTION_WITH_TIES;

	window->orderClause = query->sortClause;
	window->frameOptions = FRAMEOPTION_DEFAULTS;
	window->winref = 1;
	query->windowClause = list_make1(window);
	query->hasWindowFuncs = true;
	query->sortClause = NIL;
	query->limitCount = query->limitOffset = NULL;
	query->limitOption = LIMIT_OPTION_COUNT;
	gs_rewriting_mark(query, number);
	l->rte->lateral = false;

	conditions = lappend(conditions,
						 make_comparison(l, ties ? GS_RANK : GS_ROW_NUMBER,
										 BTLessEqualStrategyNumber,
										 l->offset + l->count));
	if (l->offset > 0)
		conditions = lappend(conditions,
							 make_comparison(l, GS_ROW_NUMBER,
											 BTGreaterStrategyNumber, l->offset));
	*l->conditions = (Node *)
		make_ands_explicit(list_concat(make_ands_implicit((Expr *) *l->conditions),
									   conditions));
}

bool
gs_lateral_rewrite(Query *around, int relation, ParamListInfo parameters,
				   int number)
{
	lateral		l = {.around = around,.relation = relation};
	RangeTblEntry *rte = rt_fetch(relation, around->rtable);
	Query	   *query = rte->subquery;
	bool		may_raise = false;

	/* what is found to be none stays as it is */
	l.rte = rte;
	l.query = copyObject(query);
	if (!find_limit(&l, parameters) || !take_equalities(&l) ||
		gs_query_refers_outside(l.query) ||
		contain_volatile_functions((Node *) query) ||
		!gs_rewriting_reads_tables(l.query, &may_raise) || may_raise ||
		!find_conditions(&l) ||
		gs_is_used_whole(around, relation))
		return false;
	rte->subquery = l.query;
	rewrite(&l, number);
	return true;
}
