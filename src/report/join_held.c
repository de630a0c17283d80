/*-------------------------------------------------------------------------
 *
 * join_held.c
 *	  Dimensions whose look-up tables the service makes of columns that it holds
 *	  (translate/translate_held.c).
 *
 * These are large tables, or partitions of one, with conditions on themselves
 * alone.  To read one here would take longer than the ordinary plan's join may;
 * as a report it takes what any report over its table does.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "parser/parsetree.h"

#include "pg/settings.h"
#include "report/join.h"

/* Is it known only when a subquery has been executed? */
static bool
needs_subquery(Node *node)
{
	return contain_subplans(node) || gs_subquery_gives(node);
}

/* Do these hold for a row whatever else there is, and whenever they are evaluated? */
static bool
are_plain(const List *conditions)
{
	ListCell   *cell;

	foreach(cell, conditions)
	{
		const RestrictInfo *info = lfirst_node(RestrictInfo, cell);

		if (info->pseudoconstant || info->security_level > 0 ||
			needs_subquery((Node *) info->clause))
			return false;
	}
	return true;
}

/* The tables that it consists of; NIL: not all can be held. */
static List *
find_tables(gs_report_query *q, RelOptInfo *rel)
{
	gs_report_query of = {.root = q->root, .fact = rel, .distinct = true};

	return gs_report_query_add_tables(&of, rel) && of.others == NIL ?
		of.tables : NIL;
}

bool
gs_join_is_held(gs_report_query *q, gs_dimension *d, RelOptInfo *rel,
				const RelOptInfo *source, List **tables)
{
	const RangeTblEntry *rte;
	List	   *conditions = NIL;
	ListCell   *cell;

	if (gs_debug_held_rows < 0 || source != rel ||
		rel->reloptkind != RELOPT_BASEREL || rel->rtekind != RTE_RELATION ||
		rel->tuples < gs_debug_held_rows || d->inner_keys == NIL ||
		list_length(d->inner_keys) > GS_DIMENSION_KEYS)
		return false;
	rte = planner_rt_fetch(rel->relid, q->root);
	if (rte->tablesample != NULL || rte->securityQuals != NIL ||
		IS_DUMMY_REL(rel) || !are_plain(rel->baserestrictinfo) ||
		needs_subquery((Node *) d->inner_keys))
		return false;
	*tables = find_tables(q, rel);
	if (*tables == NIL)
		return false;
	foreach(cell, rel->baserestrictinfo)
		conditions = lappend(conditions,
							 lfirst_node(RestrictInfo, cell)->clause);
	d->filter = gs_join_above(q->root, gs_order_quals(q->root, conditions));
	d->held_tables = NIL;
	foreach(cell, *tables)
		d->held_tables = lappend_oid(d->held_tables,
									 planner_rt_fetch(((const RelOptInfo *) lfirst(cell))->relid,
													  q->root)->relid);
	d->held = rte->relid;
	return true;
}

void
gs_join_is_read(gs_dimension *d)
{
	d->held = InvalidOid;
	d->filter = d->held_tables = NIL;
}

/* Now that their columns are known: those of which not all can be held are read. */
void
gs_join_examine_held(gs_report_query *q)
{
	ListCell   *cell;

	foreach(cell, q->dimensions)
	{
		gs_dimension *d = lfirst(cell);

		if (!OidIsValid(d->held) || gs_held_can_be(d))
			continue;
		gs_join_is_read(d);
		q->first_cost -= d->first_cost;
		q->first_by_workers -= d->first_by_workers;
		d->first_by_workers = 0;
		if (d->tables == NIL)
			q->unheld_cost += d->ordinary_cost - d->cost;
		d->cost = d->ordinary_cost;
	}
}
