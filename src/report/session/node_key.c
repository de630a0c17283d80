/*-------------------------------------------------------------------------
 *
 * node_key.c
 *	  Expressions, queries and plans as bytes, which are the same only for what
 *	  says the same.
 *
 * A node is its tag, the members that say something, and the nodes below it.  What
 * is seldom met is PostgreSQL's text of it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "nodes/extensible.h"
#include "nodes/parsenodes.h"
#include "nodes/plannodes.h"
#include "nodes/primnodes.h"
#include "utils/datum.h"

#include "report/session/node_key.h"

/* Members of 32 bits at most. */
#define PUT(key, ...) \
	do { \
		const uint32 put_[] = {__VA_ARGS__}; \
		appendBinaryStringInfo(&(key)->bytes, (const char *) put_, sizeof put_); \
	} while (0)

void
gs_node_key_init(gs_node_key *key)
{
	initStringInfo(&key->bytes);
	key->params = key->subplans = 0;
}

static void
put_bytes(gs_node_key *key, const void *bytes, size_t size)
{
	PUT(key, (uint32) size);
	appendBinaryStringInfo(&key->bytes, bytes, (int) size);
}

static void
put_name(gs_node_key *key, const char *name)
{
	put_bytes(key, name == NULL ? "" : name, name == NULL ? 0 : strlen(name));
}

/* ----------
 * As text
 * ----------
 */

static int
count(const char *text, const char *part)
{
	int			n = 0;

	while ((text = strstr(text, part)) != NULL)
	{
		text += strlen(part);
		n++;
	}
	return n;
}

static void
remove_locations(char *text)
{
	static const char place[] = " :location ";
	char	   *to = text;
	const char *from = text;
	const char *next;

	while ((next = strstr(from, place)) != NULL)
	{
		memmove(to, from, next - from);
		to += next - from;
		from = next + strlen(place);
		from += strspn(from, "-0123456789");
	}
	memmove(to, from, strlen(from) + 1);
}

static void
put_text(gs_node_key *key, const void *node)
{
	char	   *text = nodeToString(node);

	remove_locations(text);
	key->params += count(text, "{PARAM ");
	key->subplans += count(text, "{SUBPLAN ");
	put_name(key, text);
	pfree(text);
}

/* ----------
 * Expressions
 * ----------
 */

static void
put_list(gs_node_key *key, const List *list)
{
	ListCell   *cell;

	PUT(key, (uint32) list_length(list));
	foreach(cell, list)
	{
		if (IsA(list, List))
			gs_node_key_add(key, lfirst(cell));
		else
			PUT(key, (uint32) lfirst_int(cell));	/* Oid is as wide */
	}
}

static void
put_var(gs_node_key *key, const Var *var)
{
	PUT(key, (uint32) var->varno, (uint32) var->varattno, var->vartype,
		(uint32) var->vartypmod, var->varcollid, var->varlevelsup);
#if PG_VERSION_NUM >= 160000
	{
		int			i = -1;

		while ((i = bms_next_member(var->varnullingrels, i)) >= 0)
			PUT(key, (uint32) i);
		PUT(key, PG_UINT32_MAX);
	}
#endif
#if PG_VERSION_NUM >= 180000
	PUT(key, (uint32) var->varreturningtype);
#endif
}

static void
put_const(gs_node_key *key, const Const *constant)
{
	PUT(key, constant->consttype, (uint32) constant->consttypmod,
		constant->constcollid, constant->constisnull);
	if (constant->constisnull)
		return;
	if (constant->constbyval)
		put_bytes(key, &constant->constvalue, sizeof(Datum));
	else
		put_bytes(key, DatumGetPointer(constant->constvalue),
				  datumGetSize(constant->constvalue, false, constant->constlen));
}

static void
put_aggref(gs_node_key *key, const Aggref *aggref)
{
	PUT(key, aggref->aggfnoid, aggref->aggtype, aggref->aggcollid,
		aggref->inputcollid, aggref->aggstar, aggref->aggvariadic,
		(uint32) aggref->aggkind, aggref->agglevelsup,
		(uint32) aggref->aggsplit);
	gs_node_key_add(key, aggref->aggargtypes);
	gs_node_key_add(key, aggref->aggdirectargs);
	gs_node_key_add(key, aggref->args);
	gs_node_key_add(key, aggref->aggorder);
	gs_node_key_add(key, aggref->aggdistinct);
	gs_node_key_add(key, aggref->aggfilter);
}

static void
put_function(gs_node_key *key, const FuncExpr *function)
{
	PUT(key, function->funcid, function->funcresulttype, function->funcretset,
		function->funcvariadic, function->funccollid, function->inputcollid);
	gs_node_key_add(key, function->args);
}

/* NULLIF and IS DISTINCT FROM, too */
static void
put_operator(gs_node_key *key, const OpExpr *op)
{
	PUT(key, op->opno, op->opresulttype, op->opretset, op->opcollid,
		op->inputcollid);
	gs_node_key_add(key, op->args);
}

static void
put_case(gs_node_key *key, const CaseExpr *expression)
{
	PUT(key, expression->casetype, expression->casecollid);
	gs_node_key_add(key, expression->arg);
	gs_node_key_add(key, expression->args);
	gs_node_key_add(key, expression->defresult);
}

static void
put_entry(gs_node_key *key, const TargetEntry *entry)
{
	PUT(key, (uint32) entry->resno, entry->ressortgroupref, entry->resjunk);
	gs_node_key_add(key, entry->expr);
}

static void
put_clause(gs_node_key *key, const SortGroupClause *clause)
{
	PUT(key, clause->tleSortGroupRef, clause->eqop, clause->sortop,
		clause->nulls_first);
}

static void
put_relabel(gs_node_key *key, const RelabelType *relabel)
{
	PUT(key, relabel->resulttype, (uint32) relabel->resulttypmod,
		relabel->resultcollid);
	gs_node_key_add(key, relabel->arg);
}

static void
put_array_operator(gs_node_key *key, const ScalarArrayOpExpr *op)
{
	PUT(key, op->opno, op->useOr, op->inputcollid);
	gs_node_key_add(key, op->args);
}

/* ----------
 * Queries
 * ----------
 */

static void
put_query(gs_node_key *key, const Query *query)
{
	PUT(key, (uint32) query->commandType, query->hasDistinctOn,
		(uint32) query->limitOption);
#if PG_VERSION_NUM >= 140000
	PUT(key, query->groupDistinct);
#endif
	gs_node_key_add(key, query->cteList);
	gs_node_key_add(key, query->rtable);
	gs_node_key_add(key, query->jointree);
	gs_node_key_add(key, query->targetList);
	gs_node_key_add(key, query->groupClause);
	gs_node_key_add(key, query->groupingSets);
	gs_node_key_add(key, query->havingQual);
	gs_node_key_add(key, query->windowClause);
	gs_node_key_add(key, query->distinctClause);
	gs_node_key_add(key, query->sortClause);
	gs_node_key_add(key, query->limitOffset);
	gs_node_key_add(key, query->limitCount);
	gs_node_key_add(key, query->rowMarks);
	gs_node_key_add(key, query->setOperations);
}

static void
put_table(gs_node_key *key, const RangeTblEntry *rte)
{
	PUT(key, (uint32) rte->rtekind, rte->relid, rte->inh);
	gs_node_key_add(key, rte->securityQuals);
	switch (rte->rtekind)
	{
		case RTE_RELATION:
			gs_node_key_add(key, rte->tablesample);
			break;
		case RTE_SUBQUERY:
			PUT(key, rte->security_barrier);
			gs_node_key_add(key, rte->subquery);
			break;
		case RTE_JOIN:
			PUT(key, (uint32) rte->jointype);
			gs_node_key_add(key, rte->joinaliasvars);	/* of USING, others */
			break;
		default:
			put_text(key, rte);
	}
}

static void
put_join(gs_node_key *key, const JoinExpr *join)
{
	PUT(key, (uint32) join->jointype, (uint32) join->rtindex);
	gs_node_key_add(key, join->larg);
	gs_node_key_add(key, join->rarg);
	gs_node_key_add(key, join->quals);
}

/* ----------
 * Plans
 * ----------
 */

static void
put_plan(gs_node_key *key, const Plan *plan)
{
	PUT(key, plan->parallel_aware);
	gs_node_key_add(key, plan->targetlist);
	gs_node_key_add(key, plan->qual);
	gs_node_key_add(key, plan->initPlan);
	gs_node_key_add(key, plan->lefttree);
	gs_node_key_add(key, plan->righttree);
}

static void
put_scan(gs_node_key *key, const Scan *scan)
{
	put_plan(key, &scan->plan);
	PUT(key, scan->scanrelid);
}

static void
put_index_scan(gs_node_key *key, const IndexScan *scan)
{
	put_scan(key, &scan->scan);
	PUT(key, scan->indexid, (uint32) scan->indexorderdir);
	gs_node_key_add(key, scan->indexqual);
	gs_node_key_add(key, scan->indexqualorig);
	gs_node_key_add(key, scan->indexorderby);
	gs_node_key_add(key, scan->indexorderbyorig);
	gs_node_key_add(key, scan->indexorderbyops);
}

static void
put_custom_scan(gs_node_key *key, const CustomScan *scan)
{
	put_scan(key, &scan->scan);
	put_name(key, scan->methods->CustomName);
	PUT(key, scan->flags);
	gs_node_key_add(key, scan->custom_plans);
	gs_node_key_add(key, scan->custom_exprs);
	gs_node_key_add(key, scan->custom_private);
	gs_node_key_add(key, scan->custom_scan_tlist);
}

static void
put_plan_join(gs_node_key *key, const Join *join)
{
	put_plan(key, &join->plan);
	PUT(key, (uint32) join->jointype, join->inner_unique);
	gs_node_key_add(key, join->joinqual);
}

static void
put_hash_join(gs_node_key *key, const HashJoin *join)
{
	put_plan_join(key, &join->join);
	gs_node_key_add(key, join->hashclauses);
	gs_node_key_add(key, join->hashoperators);
	gs_node_key_add(key, join->hashcollations);
	gs_node_key_add(key, join->hashkeys);
}

static void
put_agg(gs_node_key *key, const Agg *agg)
{
	put_plan(key, &agg->plan);
	PUT(key, (uint32) agg->aggstrategy, (uint32) agg->aggsplit);
	PUT(key, (uint32) agg->numCols);
	for (int i = 0; i < agg->numCols; i++)
		PUT(key, (uint32) agg->grpColIdx[i], agg->grpOperators[i],
			agg->grpCollations[i]);
	gs_node_key_add(key, agg->groupingSets);
	gs_node_key_add(key, agg->chain);
}

/* ----------
 * All of them
 * ----------
 */

void
gs_node_key_add(gs_node_key *key, const void *node)
{
	check_stack_depth();
	if (node == NULL)
	{
		PUT(key, T_Invalid);
		return;
	}
	PUT(key, (uint32) nodeTag(node));
	switch (nodeTag(node))
	{
		case T_List:
		case T_IntList:
		case T_OidList:
			put_list(key, node);
			break;
		case T_Var:
			put_var(key, node);
			break;
		case T_Const:
			put_const(key, node);
			break;
		case T_Param:
			key->params++;
			PUT(key, (uint32) ((const Param *) node)->paramkind,
				(uint32) ((const Param *) node)->paramid,
				((const Param *) node)->paramtype,
				(uint32) ((const Param *) node)->paramtypmod,
				((const Param *) node)->paramcollid);
			break;
		case T_Aggref:
			put_aggref(key, node);
			break;
		case T_FuncExpr:
			put_function(key, node);
			break;
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
			put_operator(key, node);
			break;
		case T_ScalarArrayOpExpr:
			put_array_operator(key, node);
			break;
		case T_BoolExpr:
			PUT(key, (uint32) ((const BoolExpr *) node)->boolop);
			gs_node_key_add(key, ((const BoolExpr *) node)->args);
			break;
		case T_RelabelType:
			put_relabel(key, node);
			break;
		case T_CaseExpr:
			put_case(key, node);
			break;
		case T_CaseWhen:
			gs_node_key_add(key, ((const CaseWhen *) node)->expr);
			gs_node_key_add(key, ((const CaseWhen *) node)->result);
			break;
		case T_NullTest:
			PUT(key, (uint32) ((const NullTest *) node)->nulltesttype,
				((const NullTest *) node)->argisrow);
			gs_node_key_add(key, ((const NullTest *) node)->arg);
			break;
		case T_BooleanTest:
			PUT(key, (uint32) ((const BooleanTest *) node)->booltesttype);
			gs_node_key_add(key, ((const BooleanTest *) node)->arg);
			break;
		case T_CoalesceExpr:
			PUT(key, ((const CoalesceExpr *) node)->coalescetype,
				((const CoalesceExpr *) node)->coalescecollid);
			gs_node_key_add(key, ((const CoalesceExpr *) node)->args);
			break;
		case T_TargetEntry:
			put_entry(key, node);
			break;
		case T_SortGroupClause:
			put_clause(key, node);
			break;
		case T_Query:
			put_query(key, node);
			break;
		case T_RangeTblEntry:
			put_table(key, node);
			break;
		case T_RangeTblRef:
			PUT(key, (uint32) ((const RangeTblRef *) node)->rtindex);
			break;
		case T_FromExpr:
			gs_node_key_add(key, ((const FromExpr *) node)->fromlist);
			gs_node_key_add(key, ((const FromExpr *) node)->quals);
			break;
		case T_JoinExpr:
			put_join(key, node);
			break;
		case T_SeqScan:
			put_scan(key, node);
			break;
		case T_IndexScan:
			put_index_scan(key, node);
			break;
		case T_SubqueryScan:
			put_scan(key, node);
			gs_node_key_add(key, ((const SubqueryScan *) node)->subplan);
			break;
		case T_CustomScan:
			put_custom_scan(key, node);
			break;
		case T_NestLoop:
			put_plan_join(key, node);
			gs_node_key_add(key, ((const NestLoop *) node)->nestParams);
			break;
		case T_HashJoin:
			put_hash_join(key, node);
			break;
		case T_Hash:
			put_plan(key, node);
			gs_node_key_add(key, ((const Hash *) node)->hashkeys);
			break;
		case T_Agg:
			put_agg(key, node);
			break;
		default:
			put_text(key, node);
	}
}
