/*-------------------------------------------------------------------------
 *
 * rewriting.c
 *	  Statements in other words, of which a report can make more.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "report/eager.h"
#include "report/join.h"
#include "report/lateral.h"
#include "report/rewriting.h"
#include "report/rewriting_uses.h"

/*
 * What Query.queryId of a subquery has, which means nothing there, once it has been
 * rewritten, and its number: the planner's copies have it, too.
 */
#define REWRITTEN	INT64CONST(0x677073636e4c0000)

void
gs_rewriting_mark(Query *subquery, int number)
{
	subquery->queryId = REWRITTEN + number;
}

int
gs_rewriting_number(const Query *subquery)
{
	int64		number = (int64) subquery->queryId - REWRITTEN;

	return number >= 0 && number < GS_REWRITINGS_MAX ? (int) number : -1;
}

/* ----------
 * Which parts
 * ----------
 */

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

/*
 * Is it of groups that each reader could have made for itself, with what it wants of
 * them, instead of reading them all?
 */
static bool
is_read_more(const CommonTableExpr *with)
{
	Query	   *query = (Query *) with->ctequery;

	return with->ctematerialized == CTEMaterializeDefault && !with->cterecursive &&
		with->cterefcount > 1 && query->commandType == CMD_SELECT &&
		(query->hasAggs || query->groupClause != NIL) &&
		!gs_with_may_differ(query);
}

static bool
may_have(const Query *query)
{
	return query->commandType == CMD_SELECT && query->rowMarks == NIL;
}

int
gs_rewriting_candidates(const Query *query)
{
	int			n = may_have(query) && gs_eager_is_candidate(query);
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		const RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

		if (may_have(query) && gs_lateral_is_candidate(rte))
			n++;
		else if (is_below(rte))
			n += gs_rewriting_candidates(rte->subquery);
	}
	foreach(cell, query->cteList)
	{
		const CommonTableExpr *with = lfirst_node(CommonTableExpr, cell);

		if (is_read_once(query, with))
			n += gs_rewriting_candidates((const Query *) with->ctequery);
		else
			n += is_read_more(with);
	}
	return n;
}

/* Where in the statement a query is. */
typedef struct place
{
	bool		is_statement;	/* or a WITH that is executed on its own */
	bool		harmless;		/* what is around it, up to that; */
	bool		whole;			/* and that takes all rows that it gives */
} place;

/* What is below may be joined to other things, once it is pulled up. */
static bool
takes_all_rows(const Query *query)
{
	const FromExpr *from = query->jointree;

	return from->quals == NULL && list_length(from->fromlist) <= 1 &&
		(from->fromlist == NIL || IsA(linitial(from->fromlist), RangeTblRef));
}

static place
place_below(const Query *query, int relation, const place *p)
{
	return (place) {
		.harmless = p->harmless &&
			gs_rewriting_keeps_harmless(query, relation, p->is_statement),
		.whole = p->whole && takes_all_rows(query)
	};
}

/* Counts down; true: that one has been rewritten. */
static bool
rewrite_in(gs_rewriting *r, Query *query, ParamListInfo parameters, int *which,
		   int number, const place *p)
{
	const place alone = {true, true, true};
	place		below;
	ListCell   *cell;

	if (may_have(query) && gs_eager_is_candidate(query) && (*which)-- == 0)
	{
		r->of_groups = true;
		return p->harmless && gs_eager_rewrite(query, p->is_statement, p->whole,
											   number, &r->many);
	}
	foreach(cell, query->rtable)
	{
		const RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);
		int			relation = foreach_current_index(cell) + 1;

		below = place_below(query, relation, p);
		if (may_have(query) && gs_lateral_is_candidate(rte) && (*which)-- == 0)
			return below.harmless &&
				gs_lateral_rewrite(query, relation, parameters, number);
		if (is_below(rte) &&
			rewrite_in(r, rte->subquery, parameters, which, number, &below))
			return true;
		if (*which < 0)
			return false;
	}
	foreach(cell, query->cteList)
	{
		CommonTableExpr *with = lfirst_node(CommonTableExpr, cell);

		if (is_read_more(with) && (*which)-- == 0)
		{
			r->reads = with->cterefcount;
			with->ctematerialized = CTEMaterializeNever;
			gs_rewriting_mark((Query *) with->ctequery, number);
			return true;
		}
		if (!is_read_once(query, with))
			continue;
		below = with->ctematerialized == CTEMaterializeAlways ? alone :
			place_below(query, reader_of(query, with), p);
		if (rewrite_in(r, (Query *) with->ctequery, parameters, which, number,
					   &below))
			return true;
		if (*which < 0)
			return false;
	}
	return false;
}

gs_rewriting
gs_rewrite(const Query *query, ParamListInfo parameters, int which, int number)
{
	const place statement = {true, true, true};
	gs_rewriting r = {0};
	Query	   *copy = copyObject(unconstify(Query *, query));

	if (rewrite_in(&r, copy, parameters, &which, number, &statement))
		r.query = copy;
	return r;
}

/* ----------
 * What they read
 * ----------
 */

bool
gs_rewriting_is_simple(const Query *query)
{
	return query->commandType == CMD_SELECT && !query->hasAggs &&
		!query->hasWindowFuncs && !query->hasTargetSRFs &&
		query->groupClause == NIL && query->groupingSets == NIL &&
		query->havingQual == NULL && query->distinctClause == NIL &&
		query->setOperations == NULL && query->cteList == NIL &&
		query->rowMarks == NIL && !query->hasSubLinks;
}

bool
gs_rewriting_reads_table(const RangeTblEntry *rte, bool *may_raise)
{
	*may_raise |= gs_subquery_row_may_raise((Node *) rte->securityQuals);
	switch (rte->rtekind)
	{
		case RTE_RELATION:
			return rte->tablesample == NULL;
		case RTE_JOIN:
			return true;
		case RTE_SUBQUERY:
			return gs_rewriting_is_simple(rte->subquery) &&
				rte->subquery->limitCount == NULL &&
				rte->subquery->limitOffset == NULL &&
				rte->subquery->sortClause == NIL &&
				gs_rewriting_reads_tables(rte->subquery, may_raise);
		default:
			return false;
	}
}

bool
gs_rewriting_reads_tables(const Query *query, bool *may_raise)
{
	ListCell   *cell;

	if (gs_subquery_row_may_raise((Node *) query->targetList))
		return false;
	*may_raise |= gs_subquery_row_may_raise((Node *) query->jointree);
	foreach(cell, query->rtable)
	{
		if (!gs_rewriting_reads_table(lfirst_node(RangeTblEntry, cell),
									  may_raise))
			return false;
	}
	return true;
}

/* ----------
 * Equalities
 * ----------
 */

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

bool
gs_rewriting_ties(const OpExpr *op, const Node *inner)
{
	Oid			collation = exprCollation(inner);

	return gs_dimension_is_equality(op->opno, exprType(inner)) &&
		is_transitive(op) && is_ordered(exprType(inner)) &&
		op->inputcollid == collation &&
		(!OidIsValid(collation) || get_collation_isdeterministic(collation));
}

/* ----------
 * Plans
 * ----------
 */

typedef struct index_search
{
	const List *rtable;
	Oid			table;
} index_search;

static bool repeats_index(const index_search *s, const Plan *plan, bool repeated);

static bool
any_repeats_index(const index_search *s, const List *plans, bool repeated)
{
	ListCell   *cell;

	foreach(cell, plans)
	{
		if (repeats_index(s, lfirst(cell), repeated))
			return true;
	}
	return false;
}

static bool
is_of_table(const index_search *s, const Scan *scan)
{
	return !OidIsValid(s->table) ||
		rt_fetch(scan->scanrelid, s->rtable)->relid == s->table;
}

static bool
repeats_index(const index_search *s, const Plan *plan, bool repeated)
{
	if (plan == NULL)
		return false;
	switch (nodeTag(plan))
	{
		case T_IndexScan:
		case T_IndexOnlyScan:
		case T_BitmapHeapScan:
			return repeated && is_of_table(s, (const Scan *) plan);
		case T_SubqueryScan:
			return repeats_index(s, ((const SubqueryScan *) plan)->subplan,
								 repeated);
		case T_Append:
			return any_repeats_index(s, ((const Append *) plan)->appendplans,
									 repeated);
		case T_MergeAppend:
			return any_repeats_index(s, ((const MergeAppend *) plan)->mergeplans,
									 repeated);
		default:
			return repeats_index(s, plan->lefttree, repeated) ||
				repeats_index(s, plan->righttree,
							  repeated || IsA(plan, NestLoop));
	}
}

bool
gs_rewriting_repeats_index(const PlannedStmt *plan, Oid table)
{
	const index_search s = {plan->rtable, table};

	return repeats_index(&s, plan->planTree, false) ||
		any_repeats_index(&s, plan->subplans, false);
}
