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
 * whose subquery may be a report.  So a statement that has one is planned in both
 * ways (statement.c): where an index gives the rows of a group, the former costs less.
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
#include "utils/typcache.h"

#include "report/join.h"
#include "report/lateral.h"
#include "report/lateral_uses.h"
#include "report/windows.h"

/* More rows than this of a group are not worth it. */
#define ROWS_MAX	1000000

/*
 * What Query.queryId of a subquery has, which means nothing there, once it has been
 * rewritten, and its number: the planner's copies have it, too.
 */
#define REWRITTEN	INT64CONST(0x677073636e4c0000)

/* ----------
 * Which subqueries
 * ----------
 */

/* Nothing that says which rows there are, but conditions, an order and a limit. */
static bool
is_simple(const Query *query)
{
	return query->commandType == CMD_SELECT && !query->hasAggs &&
		!query->hasWindowFuncs && !query->hasTargetSRFs &&
		query->groupClause == NIL && query->groupingSets == NIL &&
		query->havingQual == NULL && query->distinctClause == NIL &&
		query->setOperations == NULL && query->cteList == NIL &&
		query->rowMarks == NIL && !query->hasSubLinks;
}

static bool
is_candidate(const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_SUBQUERY && rte->lateral &&
		rte->subquery->limitCount != NULL && !rte->security_barrier &&
		rte->securityQuals == NIL && is_simple(rte->subquery) &&
		rte->subquery->jointree->quals != NULL;
}

/*
 * The subqueries of FROM and WITH, at any depth: those of expressions would have to be
 * searched for.  What is executed more than once is left alone, since the costs of the
 * ordinary plan would have to be multiplied.
 */
static bool
is_below(const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_SUBQUERY && !rte->lateral;
}

/* Where the query reads what WITH gives; 0: not in its FROM. */
static int
reader_of(const Query *query, const CommonTableExpr *with)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		const RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

		if (rte->rtekind == RTE_CTE && rte->ctelevelsup == 0 &&
			strcmp(rte->ctename, with->ctename) == 0)
			return foreach_current_index(cell) + 1;
	}
	return 0;
}

/* What is read by other queries may be inlined into each of them. */
static bool
is_read_once(const Query *query, const CommonTableExpr *with)
{
	return !with->cterecursive &&
		(with->ctematerialized == CTEMaterializeAlways ||
		 (with->cterefcount == 1 && reader_of(query, with) > 0));
}

static bool
may_have(const Query *query)
{
	return query->commandType == CMD_SELECT && query->rowMarks == NIL;
}

int
gs_lateral_candidates(const Query *query)
{
	int			n = 0;
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		const RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

		if (may_have(query) && is_candidate(rte))
			n++;
		else if (is_below(rte))
			n += gs_lateral_candidates(rte->subquery);
	}
	foreach(cell, query->cteList)
	{
		const CommonTableExpr *with = lfirst_node(CommonTableExpr, cell);

		if (is_read_once(query, with))
			n += gs_lateral_candidates((const Query *) with->ctequery);
	}
	return n;
}

/* ----------
 * What may raise an error
 * ----------
 */

/* Tables, joins of them, and views of these, in no order that says which are first. */
static bool
reads_tables(const Query *query)
{
	ListCell   *cell;

	if (gs_subquery_row_may_raise((Node *) query->targetList) ||
		gs_subquery_row_may_raise((Node *) query->jointree))
		return false;
	foreach(cell, query->rtable)
	{
		const RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

		if (gs_subquery_row_may_raise((Node *) rte->securityQuals))
			return false;
		switch (rte->rtekind)
		{
			case RTE_RELATION:
				if (rte->tablesample != NULL)
					return false;
				break;
			case RTE_JOIN:
				break;
			case RTE_SUBQUERY:
				if (!is_simple(rte->subquery) ||
					rte->subquery->limitCount != NULL ||
					rte->subquery->limitOffset != NULL ||
					rte->subquery->sortClause != NIL ||
					!reads_tables(rte->subquery))
					return false;
				break;
			default:
				return false;
		}
	}
	return true;
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

static bool
is_integer(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID;
}

static bool
is_float(Oid type)
{
	return type == FLOAT4OID || type == FLOAT8OID;
}

/*
 * Are values that equal a third one equal?  Between types of one family they need not
 * be: a timestamp is compared with a timestamptz in the session's time zone, where
 * one of them may be skipped.
 */
static bool
is_transitive(const OpExpr *op)
{
	Oid			left;
	Oid			right;

	op_input_types(op->opno, &left, &right);
	return left == right || (is_integer(left) && is_integer(right)) ||
		(is_float(left) && is_float(right));
}

/* Arrays of some types, and rows of these, have a family, but no order. */
static bool
is_ordered(Oid type)
{
	const TypeCacheEntry *entry = lookup_type_cache(type, TYPECACHE_LT_OPR |
													TYPECACHE_EQ_OPR);

	return OidIsValid(entry->lt_opr) && OidIsValid(entry->eq_opr);
}

/* Would PARTITION BY put the rows that an outer value equals, and no others, together? */
static bool
is_of_partition(const OpExpr *op, const Node *inner)
{
	Oid			collation = exprCollation(inner);

	return gs_join_is_equality(op->opno, exprType(inner)) &&
		is_transitive(op) && is_ordered(exprType(inner)) &&
		op->inputcollid == collation &&
		(!OidIsValid(collation) || get_collation_isdeterministic(collation));
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

		if (!of_inner.own || of_inner.outer || of_outer.own ||
			of_outer.around == NULL || !is_of_partition(op, inner) ||
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
	query->queryId = REWRITTEN + number;
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

static bool
try_rewrite(Query *around, int relation, ParamListInfo parameters, int number)
{
	lateral		l = {.around = around,.relation = relation};
	RangeTblEntry *rte = rt_fetch(relation, around->rtable);
	Query	   *query = rte->subquery;

	/* what is found to be none stays as it is */
	l.rte = rte;
	l.query = copyObject(query);
	if (!find_limit(&l, parameters) || !take_equalities(&l) ||
		gs_query_refers_outside(l.query) ||
		contain_volatile_functions((Node *) query) ||
		!reads_tables(l.query) ||
		!find_conditions(&l) ||
		gs_is_used_whole(around, relation))
		return false;
	rte->subquery = l.query;
	rewrite(&l, number);
	return true;
}

/*
 * Counts down; true: that one has been rewritten.  What is around the query must be
 * harmless, too, up to the statement or to a WITH that is executed on its own.
 */
static bool
rewrite_in(Query *query, ParamListInfo parameters, int *which, int number,
		   bool is_statement, bool harmless)
{
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		const RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);
		int			relation = foreach_current_index(cell) + 1;

		if (may_have(query) && is_candidate(rte) && (*which)-- == 0)
			return harmless && gs_lateral_keeps_harmless(query, relation, is_statement) &&
				try_rewrite(query, relation, parameters, number);
		if (is_below(rte) &&
			rewrite_in(rte->subquery, parameters, which, number, false,
					   harmless && gs_lateral_keeps_harmless(query, relation, is_statement)))
			return true;
		if (*which < 0)
			return false;
	}
	foreach(cell, query->cteList)
	{
		const CommonTableExpr *with = lfirst_node(CommonTableExpr, cell);
		bool		alone = with->ctematerialized == CTEMaterializeAlways;

		if (is_read_once(query, with) &&
			rewrite_in((Query *) with->ctequery, parameters, which, number, alone,
					   alone || (harmless &&
								 gs_lateral_keeps_harmless(query, reader_of(query, with),
												is_statement))))
			return true;
		if (*which < 0)
			return false;
	}
	return false;
}

Query *
gs_lateral_rewrite(const Query *query, ParamListInfo parameters, int which,
				   int number)
{
	Query	   *copy = copyObject(unconstify(Query *, query));

	return rewrite_in(copy, parameters, &which, number, true, true) ? copy : NULL;
}

int
gs_lateral_number(const Query *subquery)
{
	int64		number = (int64) subquery->queryId - REWRITTEN;

	return number >= 0 && number < GS_LATERALS_MAX ? (int) number : -1;
}

/* ----------
 * Plans
 * ----------
 */

static bool repeats_index(const Plan *plan, bool repeated);

static bool
any_repeats_index(const List *plans, bool repeated)
{
	ListCell   *cell;

	foreach(cell, plans)
	{
		if (repeats_index(lfirst(cell), repeated))
			return true;
	}
	return false;
}

static bool
repeats_index(const Plan *plan, bool repeated)
{
	if (plan == NULL)
		return false;
	switch (nodeTag(plan))
	{
		case T_IndexScan:
		case T_IndexOnlyScan:
		case T_BitmapHeapScan:
			return repeated;
		case T_SubqueryScan:
			return repeats_index(((const SubqueryScan *) plan)->subplan, repeated);
		case T_Append:
			return any_repeats_index(((const Append *) plan)->appendplans, repeated);
		case T_MergeAppend:
			return any_repeats_index(((const MergeAppend *) plan)->mergeplans,
									 repeated);
		default:
			return repeats_index(plan->lefttree, repeated) ||
				repeats_index(plan->righttree, repeated || IsA(plan, NestLoop));
	}
}

bool
gs_lateral_repeats_index(const PlannedStmt *plan)
{
	return repeats_index(plan->planTree, false) ||
		any_repeats_index(plan->subplans, false);
}
