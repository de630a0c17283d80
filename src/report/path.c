/*-------------------------------------------------------------------------
 *
 * path.c
 *	  The planner's part of reports: a custom scan in place of the scan and
 *	  the aggregation of a table.
 *
 * The custom scan computes the keys and aggregates of all groups; HAVING and
 * what else is computed of them are its qual and its projection.  Its child,
 * made of the cheapest ordinary plan, gives the very same keys and aggregates,
 * and so can take its place at any time before the first group was used.
 *
 * Nothing has to be loaded beforehand: the functions that gpuscan's aggregates
 * are made of have gpuscan_aggregate_support as their support function, which
 * the planner calls for the cost of an aggregation, before it calls the hook
 * here.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/planner.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/spccache.h"

#include "pg/settings.h"
#include "report/aggregated_rows.h"
#include "report/join.h"
#include "report/partial.h"
#include "report/query.h"
#include "report/report.h"
#include "report/rewriting.h"
#include "report/session/pause.h"
#include "report/stages.h"
#include "report/statement.h"
#include "report/tid_fetch.h"
#include "report/windows.h"

/*
 * What a report costs, beside the request.
 *
 * The planner does not know what the service holds.  A row that is held costs
 * nothing to speak of, one that is read for the first time about a quarter of
 * what a sequential scan and an aggregation take for it.  With these shares of
 * a page's and a row's costs the first report is worth it, too.
 */
#define PAGE_SHARE		0.25
#define ROW_SHARE		0.1

/*
 * A dimension's rows are kept with their keys, and what expressions give.  They are
 * kept for the same query's next run, which may be the first report, so that this is
 * what it takes (keeping.c); and so is FIRST_TIMES that of the above.
 */
#define DIMENSION_ROW_SHARE	8
#define FIRST_TIMES		4

/*
 * Joins are often estimated badly.  So a plan has a report over one although it is
 * estimated at so many times the ordinary plan, whose time an execution measures
 * first (tries.c); it is put in its place at this share of its cost.
 */
#define MEASURED_TIMES	4
#define MEASURED_SHARE	0.9

/*
 * Rows of pages that are not all-visible may have to be read each time.  If
 * these are more than this share of the table's, then the ordinary plan, which
 * may be parallel, may be as good.
 */
#define HIDDEN_MAX		0.5

/*
 * Grouping sets of which none has all keys are merged from a set that has, if
 * this gives no more groups: so few can be merged fast on any engine.
 */
#define HIDDEN_SET_GROUPS	8192

static create_upper_paths_hook_type previous_hook = NULL;

PG_FUNCTION_INFO_V1(gpuscan_aggregate_support);
PG_FUNCTION_INFO_V1(gpuscan_result);

/* Its call loads the library; the cost is the declared one. */
Datum
gpuscan_aggregate_support(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	PG_RETURN_POINTER(NULL);
}

/*
 * The final function of aggregates whose transition function is a built-in
 * one, and cannot load the library.
 */
Datum
gpuscan_result(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(PG_GETARG_DATUM(0));
}

/*
 * SELECT DISTINCT may be planned as a sort, which cannot compute anything else:
 * here it is an aggregation.
 */
static Path *
make_distinct(gs_report_query *q, RelOptInfo *grouped)
{
	List	   *clauses = gs_report_query_clauses(q);
	const Path *path = linitial(grouped->pathlist);

	if (!grouping_is_hashable(clauses))
		return NULL;
	return (Path *) create_agg_path(q->root, grouped,
									q->input->cheapest_total_path, q->target,
									AGG_HASHED, AGGSPLIT_SIMPLE, clauses, NIL,
									NULL, path->rows);
}

/* The path's cost; with LIMIT, of as many of its rows. */
static Cost
cost_of(const gs_report_query *q, const Path *path)
{
	double		share = q->upper == UPPERREL_ORDERED &&
		q->root->limit_tuples > 0 ?
		Min(q->root->limit_tuples / Max(path->rows, 1), 1) : 1;

	return path->startup_cost +
		share * (path->total_cost - path->startup_cost);
}

/*
 * What the ordinary plan costs, and, of its paths that aggregate as their last
 * step, the cheapest.  (Others, such as the partitionwise ones, cannot be told
 * to give what the custom scan gives.)
 */
static Path *
cheapest_aggregation(gs_report_query *q, RelOptInfo *grouped, Cost *least)
{
	Path	   *best = NULL;
	ListCell   *cell;

	*least = INFINITY;
	foreach(cell, grouped->pathlist)
		*least = Min(*least, cost_of(q, lfirst(cell)));
	if (q->of_rows)
		return gs_windows_ordinary(q, grouped);
	foreach(cell, grouped->pathlist)
	{
		Path	   *path = lfirst(cell);

		if ((IsA(path, AggPath) || IsA(path, GroupPath) ||
			 IsA(path, GroupingSetsPath)) &&
			(best == NULL || path->total_cost < best->total_cost))
			best = path;
	}
	return q->distinct && best == NULL ? make_distinct(q, grouped) : best;
}

static double
number_of_groups(const Path *aggregation)
{
	return IsA(aggregation, AggPath) ?
		((const AggPath *) aggregation)->numGroups : aggregation->rows;
}

/* Are most pages not all-visible? */
bool
gs_report_is_hidden(const gs_report_query *q)
{
	double		pages = 0;
	double		hidden_pages = 0;
	ListCell   *cell;

	foreach(cell, q->tables)
	{
		const RelOptInfo *rel = lfirst(cell);

		pages += rel->pages;
		hidden_pages += (1 - rel->allvisfrac) * rel->pages;
	}
	return hidden_pages > HIDDEN_MAX * pages;
}

/*
 * What rows cost, however many groups there are.  False, with a reason, if most
 * pages are not all-visible.
 */
bool
gs_report_cost_tables(gs_report_query *q, Path *path)
{
	bool		is_kept = gs_windows_is_of_few(q);
	Cost		cost = GS_REPORT_REQUEST_COST;
	Cost		first = 0;
	ListCell   *cell;
	ListCell   *source;

	foreach(cell, q->tables)
	{
		RelOptInfo *rel = lfirst(cell);
		double		hidden = 1 - rel->allvisfrac;
		double		page_cost;

		get_tablespace_page_costs(rel->reltablespace, NULL, &page_cost);
		first += rel->allvisfrac * (PAGE_SHARE * page_cost * rel->pages +
									ROW_SHARE * cpu_tuple_cost * rel->tuples);
		cost += hidden * (page_cost * rel->pages +
						  (cpu_tuple_cost + rel->baserestrictcost.per_tuple) *
						  rel->tuples);
	}
	if (q->stage != NULL)
		cost = q->stage->startup_cost +
			ROW_SHARE * cpu_tuple_cost * q->stage->rows;
	if (gs_report_is_hidden(q))
	{
		q->reason = "most pages are not all-visible: VACUUM would help";
		return false;
	}
	forboth(cell, q->dimensions, source, q->dimension_sources)
	{
		gs_dimension *dimension = lfirst(cell);
		const Path *rows = ((RelOptInfo *) lfirst(source))->cheapest_total_path;

		dimension->cost = rows->total_cost +
			DIMENSION_ROW_SHARE * cpu_tuple_cost * rows->rows;

		if (dimension->tables == NIL)
			cost += dimension->cost;
		else
			is_kept = true;
	}

	/* an execution tells whether it is time to read what is kept */
	if (is_kept)
		q->first_cost = FIRST_TIMES * first;
	else if (q->stage == NULL)
		cost += first;
	path->startup_cost = path->total_cost = cost;
	return true;
}

/* The ordinary plan's estimate, or ours of the keys. */
static void
cost_groups(const gs_report_query *q, const Path *aggregation, Path *path)
{
	double		ordinary = number_of_groups(aggregation);
	double		groups;

	if (q->of_rows)
	{
		path->startup_cost += gs_windows_cost(q, aggregation->rows);
		path->rows = gs_windows_rows(q, aggregation->rows);
		path->total_cost = path->startup_cost + q->target->cost.startup +
			q->target->cost.per_tuple * path->rows +
			(q->by_tid == NIL ? 0 : gs_tid_fetch_cost(q));
		return;
	}
	groups = Min(ordinary, gs_report_all_groups(q));
	path->rows = clamp_row_est(aggregation->rows * groups / Max(ordinary, 1));
	path->total_cost += cpu_tuple_cost * groups + q->target->cost.startup +
		q->target->cost.per_tuple * path->rows;
}

/* Are a set's keys among those of another one, or is it the same as an earlier? */
static bool
is_covered(const List *sets, int which)
{
	const List *set = list_nth(sets, which);
	int			place = 0;
	ListCell   *cell;

	foreach(cell, sets)
	{
		const List *other = lfirst(cell);
		List	   *more = list_difference_int(set, other);

		if (place != which && more == NIL &&
			(list_length(other) > list_length(set) || place < which))
			return true;
		place++;
	}
	return false;
}

/* How many sets are not merged from others? */
static int
plan_sets(gs_report_query *q)
{
	int			n = list_length(q->sets);
	int			alone = 0;

	if (!q->merge || n < 2)
		return Max(n, 1);
	for (int i = 0; i < n; i++)
		alone += !is_covered(q->sets, i);
	q->hidden = alone > 1 &&
		gs_report_key_groups(q) <= HIDDEN_SET_GROUPS;
	return q->hidden ? 1 : alone;
}

/*
 * Each grouping set that is not merged is a report of its own, which evaluates
 * expressions anew.
 */
static void
cost_sets(gs_report_query *q, Path *path)
{
	int			sets = plan_sets(q);
	Cost		more = path->startup_cost * (sets - 1) + q->evaluation * sets;

	path->startup_cost += more;
	path->total_cost += more;
}

static void
refuse_as_dear(gs_report_query *q, const char *reason, Cost cost,
			   Cost ordinary)
{
	q->reason = reason;
	q->detail = psprintf("It is estimated at %.0f, the report at %.0f.", ordinary,
						 cost);
}

/*
 * Codes are kept.  If they make the first report dearer than the ordinary plan, an
 * execution tells whether it is time for it, as for what a join keeps.
 */
static void
cost_codes(gs_report_query *q, Path *path, Cost ordinary)
{
	if (q->first_cost > 0 || (path->total_cost < ordinary &&
							  path->total_cost + q->coding >= ordinary))
		q->first_cost += q->coding;
	else
	{
		path->startup_cost += q->coding;
		path->total_cost += q->coding;
	}
}

bool
gs_report_is_worth(gs_report_query *q, const Path *path, Cost ordinary)
{
	int			times = q->first_cost > 0 && !q->of_rows ? MEASURED_TIMES : 1;

	if (path->total_cost >= times * ordinary)
		refuse_as_dear(q, "the ordinary plan costs less", path->total_cost,
					   ordinary);
	return q->reason == NULL;
}

/*
 * The path, made to give the custom scan's keys and aggregates, of all groups,
 * in its order.
 */
static Path *
make_child(const gs_report_query *q, RelOptInfo *grouped,
		   Path *aggregation)
{
	PathTarget *target = create_empty_pathtarget();
	Path	   *path;
	ListCell   *cell;
	ListCell   *ref;

	forboth(cell, q->keys, ref, q->key_refs)
		add_column_to_pathtarget(target, lfirst(cell), (Index) lfirst_int(ref));
	foreach(cell, q->aggregates)
		add_column_to_pathtarget(target, lfirst(cell), 0);
	foreach(cell, q->groupings)
		add_column_to_pathtarget(target, lfirst(cell), 0);
	if (q->of_rows || q->aggregated)
		path = gs_windows_child(aggregation, target);
	else if (IsA(aggregation, GroupingSetsPath))
	{
		GroupingSetsPath *sets = makeNode(GroupingSetsPath);

		*sets = *(const GroupingSetsPath *) aggregation;
		sets->qual = NIL;
		path = &sets->path;
	}
	else if (IsA(aggregation, AggPath))
	{
		AggPath    *agg = makeNode(AggPath);

		*agg = *(const AggPath *) aggregation;
		agg->qual = NIL;
		path = &agg->path;
	}
	else
	{
		GroupPath  *group = makeNode(GroupPath);

		*group = *(const GroupPath *) aggregation;
		group->qual = NIL;
		path = &group->path;
	}
	if (path != aggregation)
		path->pathtarget = set_pathtarget_cost_width(q->root, target);
	if (!q->of_rows && !q->aggregated)
		path->rows = number_of_groups(aggregation);
	if (!pathkeys_contained_in(q->pathkeys, path->pathkeys))
		path = (Path *) create_sort_path(q->root, grouped, path, q->pathkeys,
										 -1);
	return path;
}

/* custom_private of the path is a list of lists, in this order. */
typedef enum path_list
{
	PATH_KEYS,
	PATH_AGGREGATES,
	PATH_HAVING,
	PATH_FILTER,
	PATH_RELATIONS,				/* as in the plan, and the rest, too */
	PATH_HASH,
	PATH_SETS,
	PATH_GROUPINGS,
	PATH_GROUPING_VALUES,
	PATH_HIDDEN,				/* sets */
	PATH_JOIN,					/* of each dimension: its outer keys, inner
								 * keys and columns */
	PATH_JOIN_KINDS,
	PATH_JOIN_TABLES,
	PATH_JOIN_TABLES_READ,
	PATH_COSTS,					/* as in the plan */
	PATH_STAGE,					/* of the report below, and how many there are */
	PATH_GIVEN,
	PATH_BELOW_HAVING,
	PATH_STAGES,
	PATH_WINDOWS,				/* as in windows.h */
	PATH_WINDOW_INTEGERS,
	PATH_ROWS,					/* from GS_REPORT_OF_ROWS on */
	PATH_TOP,
	PATH_BY_TID,				/* as in tid_fetch.h */
	PATH_REWRITTEN,				/* numbers of rewriting.h */
	PATH_LISTS
} path_list;

static List *
list_of(const CustomPath *path, path_list which)
{
	return list_nth(path->custom_private, which);
}

static Plan *
plan_report(PlannerInfo *root, RelOptInfo *rel pg_attribute_unused(),
			CustomPath *path, List *tlist, List *clauses pg_attribute_unused(),
			List *children)
{
	CustomScan *scan = makeNode(CustomScan);
	List	   *keys = list_of(path, PATH_KEYS);
	List	   *aggregates = list_of(path, PATH_AGGREGATES);
	List	   *groupings = list_of(path, PATH_GROUPINGS);
	List	   *filter = list_of(path, PATH_FILTER);
	List	   *join = list_of(path, PATH_JOIN);
	List	   *windows = list_of(path, PATH_WINDOWS);
	List	   *scan_tlist = NIL;
	List	   *entries;
	List	   *counts;
	ListCell   *cell;

	gs_join_separate(root);
	gs_statement_planned(list_of(path, PATH_REWRITTEN),
						 ((const Plan *) linitial(children))->total_cost);
	entries = list_concat(list_concat_copy(keys, aggregates), groupings);
	entries = list_concat(entries,
						  gs_tid_columns(list_of(path, PATH_BY_TID),
										 list_length(list_of(path, PATH_RELATIONS)) - 1));
	entries = list_concat_unique(entries,
								 pull_var_clause((Node *) list_make3(filter, join,
																  windows), 0));
	foreach(cell, entries)
		scan_tlist = lappend(scan_tlist,
							 makeTargetEntry(copyObject(lfirst(cell)),
											 list_length(scan_tlist) + 1,
											 NULL, false));
	scan->scan.plan.targetlist = tlist;
	scan->scan.plan.qual = copyObject(list_of(path, PATH_HAVING));
	scan->flags = path->flags;
	scan->custom_plans = children;
	scan->custom_exprs = copyObject(list_concat(list_make2(filter, windows), join));

	/* in the order of gs_report_private_list and gs_report_count */
	counts = list_make5_int(list_length(keys), list_length(aggregates),
							list_length(groupings),
							linitial_int(list_of(path, PATH_HIDDEN)),
							linitial_int(list_of(path, PATH_STAGES)));
	counts = lappend_int(counts, path->path.pathkeys != NIL);
	counts = list_concat(counts, list_of(path, PATH_ROWS));
	scan->custom_private =
		list_make5(list_of(path, PATH_RELATIONS), counts,
				   list_of(path, PATH_HASH), list_of(path, PATH_SETS),
				   list_of(path, PATH_GROUPING_VALUES));
	scan->custom_private = lappend(scan->custom_private,
								   list_of(path, PATH_JOIN_KINDS));
	scan->custom_private = lappend(scan->custom_private,
								   list_of(path, PATH_JOIN_TABLES));
	scan->custom_private = lappend(scan->custom_private,
								   list_of(path, PATH_JOIN_TABLES_READ));
	scan->custom_private = lappend(scan->custom_private,
								   list_of(path, PATH_COSTS));
	scan->custom_private = lappend(scan->custom_private,
								   list_of(path, PATH_WINDOW_INTEGERS));
	scan->custom_private = lappend(scan->custom_private,
								   list_of(path, PATH_TOP));
	scan->custom_private = lappend(scan->custom_private,
								   list_of(path, PATH_BY_TID));
	scan->custom_scan_tlist = scan_tlist;
	scan->methods = &gs_report_scan_methods;
	return &scan->scan.plan;
}

static const CustomPathMethods path_methods = {
	.CustomName = "GpuscanReport",
	.PlanCustomPath = plan_report,
};

bool
gs_report_is_path(const Path *path)
{
	return path != NULL && IsA(path, CustomPath) &&
		((const CustomPath *) path)->methods == &path_methods;
}

/* As far as a translation in planning needs them. */
static List *
dimensions_of(const CustomPath *path)
{
	List	   *dimensions = NIL;
	ListCell   *cell;
	ListCell   *kind;

	forboth(cell, list_of(path, PATH_JOIN),
			kind, list_of(path, PATH_JOIN_KINDS))
	{
		gs_dimension *d = palloc0(sizeof *d);

		d->kind = (JoinType) lfirst_int(kind);
		d->outer_keys = linitial((List *) lfirst(cell));
		d->inner_keys = lsecond((List *) lfirst(cell));
		d->columns = lthird((List *) lfirst(cell));
		d->share = 1;
		dimensions = lappend(dimensions, d);
	}
	return dimensions;
}

void
gs_report_path_query(const Path *path, gs_report_query *q)
{
	const CustomPath *custom = (const CustomPath *) path;
	const List *hash = list_of(custom, PATH_HASH);
	const List *stage = list_of(custom, PATH_STAGE);

	q->keys = list_of(custom, PATH_KEYS);
	q->aggregates = list_of(custom, PATH_AGGREGATES);
	q->having = list_of(custom, PATH_HAVING);
	q->filter = list_of(custom, PATH_FILTER);
	q->relations = list_of(custom, PATH_RELATIONS);
	q->hash = (uint64) (uint32) list_nth_int(hash, GS_REPORT_HASH_HIGH) << 32 |
		(uint32) list_nth_int(hash, GS_REPORT_HASH_LOW);
	q->parametric = list_nth_int(hash, GS_REPORT_HASH_PARAMETERS) != 0;
	q->stage = stage == NIL ? NULL : linitial(stage);
	q->given = list_of(custom, PATH_GIVEN);
	q->below_having = list_of(custom, PATH_BELOW_HAVING);
	q->dimensions = dimensions_of(custom);
	q->saving = list_nth_int(list_of(custom, PATH_COSTS), GS_REPORT_SAVING);
	q->stages = linitial_int(list_of(custom, PATH_STAGES));
	q->windows = list_of(custom, PATH_WINDOWS);
	q->window_integers = list_of(custom, PATH_WINDOW_INTEGERS);
	q->of_rows = linitial_int(list_of(custom, PATH_ROWS)) != 0;
	q->order = lsecond_int(list_of(custom, PATH_ROWS));
	q->first = lthird_int(list_of(custom, PATH_ROWS));
	q->limit = lfourth_int(list_of(custom, PATH_ROWS));
}

static List *
relations_of(const gs_report_query *q)
{
	List	   *relations;
	ListCell   *cell;

	if (q->stage != NULL)
		return q->relations;
	relations = list_make1_oid(gs_report_query_table(q));
	foreach(cell, q->tables)
	{
		RelOptInfo *rel = lfirst(cell);

		relations = lappend_oid(relations,
								planner_rt_fetch(rel->relid, q->root)->relid);
	}
	return relations;
}

static List *
join_of(const gs_report_query *q)
{
	List	   *join = NIL;
	ListCell   *cell;

	foreach(cell, q->dimensions)
	{
		const gs_dimension *d = lfirst(cell);

		join = lappend(join, list_make3(d->outer_keys, d->inner_keys,
										d->columns));
	}
	return join;
}

static List *
kinds_of(const gs_report_query *q)
{
	List	   *kinds = NIL;
	ListCell   *cell;

	foreach(cell, q->dimensions)
		kinds = lappend_int(kinds, ((const gs_dimension *) lfirst(cell))->kind);
	return kinds;
}

static List *
join_tables_of(const gs_report_query *q)
{
	List	   *tables = NIL;
	ListCell   *cell;

	foreach(cell, q->dimensions)
		tables = lappend(tables, ((const gs_dimension *) lfirst(cell))->tables);
	return tables;
}

static List *
join_tables_read_of(const gs_report_query *q)
{
	List	   *tables = NIL;
	ListCell   *cell;

	foreach(cell, q->dimensions)
		tables = lappend(tables,
						 ((const gs_dimension *) lfirst(cell))->tables_read);
	return tables;
}

static int
whole_cost(Cost cost)
{
	return (int) Max(Min(cost, INT_MAX / 2), -INT_MAX / 2);
}

/* In the order of gs_report_cost. */
static List *
costs_of(const gs_report_query *q)
{
	List	   *costs = list_make2_int(whole_cost(q->saving),
									   whole_cost(q->first_cost));
	ListCell   *cell;

	foreach(cell, q->dimensions)
		costs = lappend_int(costs, whole_cost(((const gs_dimension *) lfirst(cell))->cost));
	foreach(cell, q->dimensions)
	{
		uint64		guess = ((const gs_dimension *) lfirst(cell))->guess;

		costs = lappend_int(costs, (int) (guess >> 32));
		costs = lappend_int(costs, (int) guess);
	}
	foreach(cell, q->dimensions)
		costs = lappend_int(costs, (int) (((const gs_dimension *) lfirst(cell))->share *
										  GS_DIMENSION_SHARES));
	return costs;
}

/* PostgreSQL sorts few of many rows, so that it has read them all first. */
static bool
sorts_few(const gs_report_query *q)
{
	return gs_windows_is_of_few(q) && q->root->sort_pathkeys != NIL;
}

/* Which subqueries of rewriting.h does it make, here or in the reports below? */
static List *
rewritten_of(const gs_report_query *q)
{
	int			number = gs_rewriting_number(q->root->parse);
	List	   *rewritten = q->stage == NULL ? NIL :
		list_copy(list_of((const CustomPath *) q->stage, PATH_REWRITTEN));

	return number < 0 ? rewritten : lappend_int(rewritten, number);
}

static List *
private_of(const gs_report_query *q)
{
	List	   *list[PATH_LISTS] = {
		[PATH_KEYS] = q->keys,
		[PATH_AGGREGATES] = q->aggregates,
		[PATH_HAVING] = q->having,
		[PATH_FILTER] = q->filter,
		[PATH_RELATIONS] = relations_of(q),
		/* in the order of gs_report_hash */
		[PATH_HASH] = list_make3_int((int) (q->hash >> 32), (int) q->hash,
									 q->parametric),
		[PATH_SETS] = q->sets,
		[PATH_GROUPINGS] = q->groupings,
		[PATH_GROUPING_VALUES] = q->grouping_values,
		[PATH_HIDDEN] = list_make1_int(q->hidden),
		[PATH_JOIN] = join_of(q),
		[PATH_JOIN_KINDS] = kinds_of(q),
		[PATH_JOIN_TABLES] = join_tables_of(q),
		[PATH_JOIN_TABLES_READ] = join_tables_read_of(q),
		[PATH_COSTS] = costs_of(q),
		[PATH_STAGE] = q->stage == NULL ? NIL : list_make1(q->stage),
		[PATH_GIVEN] = q->given,
		[PATH_BELOW_HAVING] = q->below_having,
		[PATH_STAGES] = list_make1_int(q->stages),
		[PATH_WINDOWS] = q->windows,
		[PATH_WINDOW_INTEGERS] = q->window_integers,
		[PATH_ROWS] = list_make5_int(q->of_rows, q->order, q->first, q->limit,
									 q->aggregated || sorts_few(q)),
		[PATH_TOP] = q->top,
		[PATH_BY_TID] = q->by_tid,
		[PATH_REWRITTEN] = rewritten_of(q)
	};
	List	   *all = NIL;

	for (int i = 0; i < PATH_LISTS; i++)
		all = lappend(all, list[i]);
	return all;
}

/*
 * Who turns PostgreSQL's own ways off does not want another one of the kind.  What
 * costs little is asked first.
 */
static bool
settings_allow(gs_report_query *q)
{
	if (gs_engine_setting == GS_ENGINE_CPU)
		q->reason = "gpuscan.engine is cpu";
	else if (!enable_seqscan)
		q->reason = "enable_seqscan is off";
	else if (!enable_hashagg && q->root->parse->groupClause != NIL)
		q->reason = "enable_hashagg is off";
	else if (gs_reports_setting == GS_REPORTS_GPUSCAN && !q->aggregated &&
			 !gs_report_query_is_gpuscan(q))
		q->reason = "it has no aggregate of gpuscan's";
	return q->reason == NULL;
}

Path *
gs_report_make_path(gs_report_query *q, RelOptInfo *grouped,
					const Path *costs, Path *aggregation)
{
	CustomPath *custom = makeNode(CustomPath);
	Path	   *path = &custom->path;

	path->rows = costs->rows;
	path->startup_cost = costs->startup_cost;
	path->total_cost = costs->total_cost;
	path->pathtype = T_CustomScan;
	path->parent = grouped;
	path->pathtarget = q->target;
	path->pathkeys = q->pathkeys;
	custom->custom_paths = lcons(make_child(q, grouped, aggregation),
								 gs_report_dimension_paths(q));
	custom->custom_private = private_of(q);
	custom->methods = &path_methods;
#ifdef CUSTOMPATH_SUPPORT_PROJECTION
	custom->flags = CUSTOMPATH_SUPPORT_PROJECTION;
#endif
	return path;
}

Path *
gs_report_find_path(gs_report_query *q, RelOptInfo *grouped, Path *child,
					Cost ordinary)
{
	Path		costs;

	q->rows = child->rows;
	memset(&costs, 0, sizeof costs);
	if (!gs_report_cost_tables(q, &costs) ||
		!gs_report_is_worth(q, &costs, ordinary) ||
		!gs_report_query_expressions(q))
		return NULL;
	cost_groups(q, child, &costs);
	cost_sets(q, &costs);
	cost_codes(q, &costs, ordinary);
	if (!gs_report_is_worth(q, &costs, ordinary))
		return NULL;
	q->saving += ordinary - costs.total_cost;
	if (costs.total_cost >= ordinary)
	{
		costs.total_cost = ordinary * MEASURED_SHARE;
		costs.startup_cost = Min(costs.startup_cost, costs.total_cost);
	}
	return gs_report_make_path(q, grouped, &costs, child);
}

bool
gs_report_examine(gs_report_query *q)
{
	gs_report_pause(GS_PAUSE_EXAMINE);
	return settings_allow(q) && gs_report_query_tables(q);
}

/* Add a path that makes a report, if that can be done and pays. */
static bool
add_report(gs_report_query *q, RelOptInfo *grouped)
{
	Path	   *path;
	Path	   *aggregation;
	Cost		ordinary;

	if (!gs_report_examine(q))
		return false;
	if (q->others != NIL)
		return gs_report_add_partial(q, grouped);
	aggregation = cheapest_aggregation(q, grouped, &ordinary);
	if (aggregation == NULL)
	{
		q->reason = q->of_rows ? "its windows are planned in another way" :
			"partitions are aggregated one by one";
		return false;
	}
	if (q->stage != NULL && !q->of_rows)
		aggregation = gs_stage_aggregation(q, grouped, aggregation,
										   number_of_groups(aggregation));
	path = gs_report_find_path(q, grouped, aggregation, ordinary);
	if (path == NULL)
		return false;
	if (sorts_few(q))
		path = (Path *) create_sort_path(q->root, grouped, path,
										 q->root->sort_pathkeys, -1);
	if (q->stage != NULL)
		gs_stage_drop_paths(q, grouped, path);
	else if (gs_windows_is_of_few(q))
		grouped->pathlist = NIL;

	/* its paths may be the input's, and below the child: add_path would free them */
	if (q->upper == UPPERREL_ORDERED)
		grouped->pathlist = lappend(grouped->pathlist, path);
	else
		add_path(grouped, path);

	/* its order may be of no use */
	if (!list_member_ptr(grouped->pathlist, path))
		refuse_as_dear(q, "the ordinary plan costs about as much",
					   path->total_cost, ordinary);
	return q->reason == NULL;
}

/* Groups; rows with window functions; the first rows of an order; few of many. */
static bool
may_give(const PlannerInfo *root, UpperRelationKind stage,
		 const RelOptInfo *input)
{
	const Query *query = root->parse;

	switch (stage)
	{
		case UPPERREL_GROUP_AGG:
		case UPPERREL_WINDOW:
		case UPPERREL_DISTINCT:
			return true;
		case UPPERREL_ORDERED:
			return gs_windows_are_few(root, input) ||
				(query->limitCount != NULL && !query->hasAggs &&
				 query->groupClause == NIL && query->groupingSets == NIL &&
				 query->distinctClause == NIL && !query->hasWindowFuncs);
		case UPPERREL_FINAL:
			return query->sortClause == NIL && gs_windows_are_few(root, input);
		default:
			return false;
	}
}

/*
 * Would no report be worth it, even if all of it were held?  Then none is examined,
 * which takes up to some tenths of a millisecond, unless somebody is told why there is
 * none.  A report over another one costs what that does.
 */
static bool
is_too_small(gs_report_query *q, const RelOptInfo *grouped)
{
	const Cost	least = GS_REPORT_REQUEST_COST * MEASURED_SHARE / MEASURED_TIMES;
	ListCell   *cell;

	if (q->input->rtekind == RTE_SUBQUERY || gs_report_tells_reasons())
		return false;
	foreach(cell, grouped->pathlist)
	{
		if (((const Path *) lfirst(cell))->total_cost < least)
		{
			/* nobody is told the detail, which says that costs have decided */
			q->reason = "the ordinary plan costs less";
			q->detail = "A request to the service costs more.";
			return true;
		}
	}
	return false;
}

static void
consider_report(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *input,
				RelOptInfo *grouped, void *extra)
{
	gs_report_query q = {.root = root, .input = input};

	if (previous_hook != NULL)
		previous_hook(root, stage, input, grouped, extra);

	/* partitions, one by one, are no report */
	if (gs_reports_setting == GS_REPORTS_OFF ||
		!may_give(root, stage, input) || IS_OTHER_REL(input))
		return;
	q.upper = stage;
	q.distinct = stage == UPPERREL_DISTINCT && !root->parse->hasDistinctOn;
	q.of_rows = stage != UPPERREL_GROUP_AGG && !q.distinct;
	q.target = stage == UPPERREL_GROUP_AGG ? grouped->reltarget :
		root->upper_targets[stage];
	if (stage == UPPERREL_GROUP_AGG)
		q.having = gs_order_quals(root,
								  (List *) ((GroupPathExtraData *) extra)->havingQual);
	if (!is_too_small(&q, grouped) &&
		(add_report(&q, grouped) ||
		 (stage == UPPERREL_GROUP_AGG && gs_aggregated_rows_add(&q, grouped))))
		gs_statement_offered();
	else if (stage == UPPERREL_GROUP_AGG ||
			 input->reloptkind == RELOPT_BASEREL)
	{
		gs_report_tell_reason(&q);
		gs_statement_refused(&q);
	}
}

void
gs_report_init(void)
{
	RegisterCustomScanMethods(&gs_report_scan_methods);
	previous_hook = create_upper_paths_hook;
	create_upper_paths_hook = consider_report;
	gs_statement_init();
}
