/*-------------------------------------------------------------------------
 *
 * path.c
 *	  The planner's part: a custom scan above the scan of a table, if the query
 *	  reduces arrays of the table's columns.
 *
 * The custom scan gives the rows of its child, and costs nothing to speak of,
 * so it is put on every path of the table.  The calls stay where they are.
 * Those in WHERE are evaluated below it, and gain nothing.
 *
 * Nothing has to be loaded beforehand: the functions have gpuscan_support as
 * their support function, which the planner calls before it calls the hook
 * here.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_class.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/appendinfo.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "utils/lsyscache.h"

#include "ahead/ahead.h"
#include "client/link.h"
#include "functions/reduce/reduce.h"
#include "pg/settings.h"

static set_rel_pathlist_hook_type previous_hook = NULL;

/* A search for calls. */
typedef struct search
{
	Index		relation;
	List	   *calls;			/* FuncExprs */
} search;

/* The column that is a call's only argument; NULL: it is none. */
Var *
gs_ahead_argument(const FuncExpr *call)
{
	Node	   *argument;

	if (list_length(call->args) != 1)
		return NULL;
	argument = strip_implicit_coercions(linitial(call->args));
	return IsA(argument, Var) ? (Var *) argument : NULL;
}

/* Is it a function of ours that makes a reduction that can be asked for? */
bool
gs_ahead_kind(Oid function, gs_kind *kind)
{
	char	   *name = get_func_name(function);

	if (name == NULL || strncmp(name, "gpu_", 4) != 0)
		return false;
	return gs_reduction_of(gs_function_address(function), kind) &&
		gs_can_reduce_each(*kind);
}

static bool
find_calls(Node *node, search *s)
{
	if (node == NULL)
		return false;
	if (IsA(node, PlaceHolderVar))
		return false;			/* evaluated below */
	if (IsA(node, FuncExpr))
	{
		FuncExpr   *call = (FuncExpr *) node;
		Var		   *column = gs_ahead_argument(call);
		gs_kind		kind;

		if (column != NULL && (Index) column->varno == s->relation &&
			column->varlevelsup == 0 &&
			OidIsValid(get_element_type(column->vartype)) &&
			gs_ahead_kind(call->funcid, &kind))
			s->calls = list_append_unique(s->calls, call);
	}
	return expression_tree_walker(node, find_calls, s);
}

/* A partition's form of what names the table of the query. */
static Node *
of_partition(PlannerInfo *root, Node *node, Index relation)
{
	AppendRelInfo *step = root->append_rel_array == NULL ? NULL :
		root->append_rel_array[relation];

	if (step == NULL)
		return node;
	node = of_partition(root, node, step->parent_relid);
	return adjust_appendrel_attrs(root, node, 1, &step);
}

/* The table of the query that a relation is, or is a part of. */
static Index
top_relation(PlannerInfo *root, Index relation)
{
	while (root->append_rel_array != NULL &&
		   root->append_rel_array[relation] != NULL)
		relation = root->append_rel_array[relation]->parent_relid;
	return relation;
}

/* The calls above a relation's scan whose arguments are its columns. */
static List *
calls_of(PlannerInfo *root, Index relation)
{
	search		s = {.relation = top_relation(root, relation)};
	List	   *calls = NIL;
	ListCell   *cell;

	(void) find_calls((Node *) root->processed_tlist, &s);
	(void) find_calls(root->parse->havingQual, &s);
	foreach(cell, s.calls)
	{
		FuncExpr   *call = (FuncExpr *) of_partition(root, lfirst(cell), relation);
		Var		   *column = gs_ahead_argument(call);

		/* a partition of UNION ALL may have anything in the column's place */
		if (column != NULL && (Index) column->varno == relation)
			calls = lappend(calls, call);
	}
	return calls;
}

static Plan *
plan_ahead(PlannerInfo *root pg_attribute_unused(), RelOptInfo *rel,
		   CustomPath *path, List *tlist, List *clauses pg_attribute_unused(),
		   List *children)
{
	CustomScan *scan = makeNode(CustomScan);
	Plan	   *child = linitial(children);

	/* WHERE CURRENT OF looks for a scan of this relation */
	scan->scan.scanrelid = rel->relid;
	scan->scan.plan.targetlist = tlist;
	scan->flags = path->flags;
	scan->custom_plans = children;
	scan->custom_exprs = copyObject(path->custom_private);
	scan->custom_scan_tlist = copyObject(child->targetlist);
	scan->methods = &gs_ahead_scan_methods;
	return &scan->scan.plan;
}

static const CustomPathMethods path_methods = {
	.CustomName = "GpuscanPrefetch",
	.PlanCustomPath = plan_ahead,
};

static Path *
make_path(Path *child, List *calls)
{
	CustomPath *custom = makeNode(CustomPath);
	Path	   *path = &custom->path;

	path->pathtype = T_CustomScan;
	path->parent = child->parent;
	path->pathtarget = child->pathtarget;
	path->parallel_safe = child->parallel_safe;
	path->parallel_workers = child->parallel_workers;
	path->rows = child->rows;
	path->startup_cost = child->startup_cost;
	path->total_cost = child->total_cost;
	path->pathkeys = child->pathkeys;
	custom->custom_paths = list_make1(child);
	custom->custom_private = calls;
	custom->methods = &path_methods;
#ifdef CUSTOMPATH_SUPPORT_PROJECTION
	custom->flags = CUSTOMPATH_SUPPORT_PROJECTION;
#endif
	return path;
}

/* Each path's place is taken by one that has it as its child. */
static void
replace_paths(List *paths, List *calls)
{
	ListCell   *cell;

	foreach(cell, paths)
	{
		Path	   *path = lfirst(cell);

		/*
		 * the inner side of a nested loop has a few rows at a time; and an
		 * index has no toasted arrays
		 */
		if (path->param_info == NULL && path->pathtype != T_IndexOnlyScan)
			lfirst(cell) = make_path(path, calls);
	}
}

/* May the service have arrays cached, for this session? */
static bool
settings_allow(void)
{
	const char *reason;

	if (gs_engine_setting == GS_ENGINE_CPU || !gs_cache_setting)
		return false;
	return gs_engine_setting == GS_ENGINE_GPU ||
		!gs_link_hopeless_for_arrays(&reason);
}

static void
consider_ahead(PlannerInfo *root, RelOptInfo *rel, Index relation,
			   RangeTblEntry *entry)
{
	List	   *calls;

	if (previous_hook != NULL)
		previous_hook(root, rel, relation, entry);

	/* rows that are locked, or changed, are read again one by one */
	if (entry->rtekind != RTE_RELATION || entry->inh ||
		(entry->relkind != RELKIND_RELATION &&
		 entry->relkind != RELKIND_MATVIEW) ||
		(root->parse->commandType != CMD_SELECT &&
		 root->parse->commandType != CMD_INSERT) || root->rowMarks != NIL)
		return;

	/* most tables have none; whether there is a device takes system calls */
	calls = calls_of(root, relation);
	if (calls == NIL || !settings_allow())
		return;
	replace_paths(rel->pathlist, calls);
	replace_paths(rel->partial_pathlist, calls);
}

void
gs_ahead_init(void)
{
	RegisterCustomScanMethods(&gs_ahead_scan_methods);
	previous_hook = set_rel_pathlist_hook;
	set_rel_pathlist_hook = consider_ahead;
}
