/*-------------------------------------------------------------------------
 *
 * statement.c
 *	  What becomes of statements, for gpuscan_statements().
 *
 * A statement with parts of rewriting.h is planned with and without them, and
 * what costs less is taken, if it would do so even without any report.  So if the
 * report cannot be made when it is executed, its ordinary plan is no loss.
 *
 * When a statement has been planned, the session notes it in a table of its
 * own, if there is a report in its plan, or could be: then with the reason why
 * there is none.  When it is executed, it is timed if it has a report, or
 * stands in that table; at its end it is counted in shared memory.
 *
 * Statements that a report could not make faster, since the whole plan costs
 * less than a request to the service, are left alone.  So are statements that
 * are explained, whose times are not what they would be.  Those that end by an
 * error are not counted.  A parallel worker counts nothing: it has no reports,
 * and has planned no statement.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "common/hashfn.h"
#include "executor/executor.h"
#include "lib/ilist.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "optimizer/planner.h"
#include "parser/scansup.h"
#include "pgstat.h"
#include "portability/instr_time.h"
#include "tcop/pquery.h"
#if PG_VERSION_NUM >= 140000
#include "utils/backend_status.h"
#endif

#include "pg/settings.h"
#include "report/rewriting.h"
#include "report/rewriting_uses.h"
#include "report/statement.h"
#include "supervisor/statements.h"

/* What hooks have one argument more of, in some versions. */
#if PG_VERSION_NUM >= 190000
#define EXPLAIN_PARAMETER	, ExplainState *es
#define EXPLAIN_ARGUMENT	, es
#else
#define EXPLAIN_PARAMETER
#define EXPLAIN_ARGUMENT
#endif
#if PG_VERSION_NUM >= 180000
#define ONCE_PARAMETER
#define ONCE_ARGUMENT
#else
#define ONCE_PARAMETER		, bool execute_once
#define ONCE_ARGUMENT		, execute_once
#endif

/* What the planner says of the statement that it is at. */
typedef struct planning
{
	bool		report;			/* there is one in the plan */
	const char *reason;			/* why there is none */
	bool		is_weak;		/* another reason tells more */
	int			options;		/* CURSOR_OPT_... */
	Bitmapset  *rewritten;		/* that it makes; numbers of rewriting.h */
	Cost		ordinary;		/* of that with the highest number */
	bool		waits;			/* another plan may be taken: */
	List	   *told;			/* telling, to be told then */
} planning;

typedef struct telling
{
	int			level;
	const char *reason;
	const char *detail;
	const char *hint;
} telling;

static planning *current = NULL;

/* Of the innermost run; 0: all.  After an error, the next run sets it. */
static uint64 rows_wanted = 0;

bool
gs_statement_is_cursor(void)
{
	return current != NULL && (current->options & CURSOR_OPT_FAST_PLAN) != 0;
}

bool
gs_statement_is_partial(void)
{
	return rows_wanted > 0;
}

/*
 * The statements that this session has planned, one in each place: another one
 * takes it over.
 */
#define KNOWN	256

static struct
{
	int64		id;				/* 0: nothing */
	char		reason[GS_STATEMENT_REASON];	/* empty: it is a report */
}			known[KNOWN];

/* A statement that is executed, in the memory context of its execution. */
typedef struct execution
{
	dlist_node	node;
	const EState *estate;
	MemoryContextCallback forget;
	const gs_report_scan *scans;	/* its reports */
	char		reason[GS_STATEMENT_REASON];	/* there are none */
	bool		has_run;
	double		ms;
} execution;

static dlist_head executions = DLIST_STATIC_INIT(executions);

static planner_hook_type previous_planner_hook;
static ExecutorStart_hook_type previous_start_hook;
static ExecutorRun_hook_type previous_run_hook;
static ExecutorEnd_hook_type previous_end_hook;

static void
note_reason(const char *reason, bool is_weak)
{
	if (current == NULL || (current->reason != NULL && !current->is_weak))
		return;
	current->reason = reason;
	current->is_weak = is_weak;
}

/*
 * Of several aggregations, the first that is refused for more than its costs
 * has the reason.  Who turned reports off knows why there are none, and nobody
 * asks for one over what a function returns, say, and no table.
 */
void
gs_statement_refused(const gs_report_query *q)
{
	bool		has_table = q->input->reloptkind != RELOPT_BASEREL ||
		q->input->rtekind == RTE_RELATION ||
		q->input->rtekind == RTE_SUBQUERY;

	if (has_table && gs_engine_setting != GS_ENGINE_CPU &&
		(gs_reports_setting != GS_REPORTS_GPUSCAN ||
		 gs_report_query_is_gpuscan(q)))
		note_reason(q->reason, q->detail != NULL);
}

/* In case that the planner takes another path. */
void
gs_statement_offered(void)
{
	note_reason("the ordinary plan costs less", true);
}

void
gs_statement_planned(const List *rewritten, Cost ordinary)
{
	ListCell   *cell;

	if (current == NULL)
		return;
	current->report = true;
	foreach(cell, rewritten)
	{
		int			number = lfirst_int(cell);


		if (bms_prev_member(current->rewritten, -1) <= number)
			current->ordinary = ordinary;
		current->rewritten = bms_add_member(current->rewritten, number);
	}
}

static void
tell(const telling *t)
{
	ereport(t->level,
			errmsg("gpuscan makes no report: %s", t->reason),
			t->detail == NULL ? 0 : errdetail_internal("%s", t->detail),
			t->hint == NULL ? 0 : errhint("%s", t->hint));
}

void
gs_statement_tell(int level, const gs_report_query *q)
{
	telling		t = {level, q->reason, q->detail, q->hint};
	telling    *later;

	if (current == NULL || !current->waits)
	{
		tell(&t);
		return;
	}
	later = palloc(sizeof *later);
	*later = t;
	current->told = lappend(current->told, later);
}

/*
 * Of several statements in one text, the one that the plan is of.  Those that
 * are stored in the catalog do not know where in the text they are, which may
 * be another one, or empty.
 */
static void
find_text(const PlannedStmt *plan, const char *source,
		  gs_statement_call *call)
{
	const char *text = source == NULL ? "" : source;
	int			length = (int) strlen(text);
	int			begin = plan->stmt_location;

	if (begin >= 0 && begin <= length)
	{
		text += begin;
		length -= begin;
		if (plan->stmt_len > 0)
			length = Min(length, plan->stmt_len);
	}
	for (; length > 0 && scanner_isspace(*text); length--)
		text++;
	while (length > 0 && (text[length - 1] == ';' ||
						  scanner_isspace(text[length - 1])))
		length--;
	call->text = text;
	call->length = length;
}

/* False: it has neither a query id nor a text. */
static bool
identify(const PlannedStmt *plan, const char *source, gs_statement_call *call)
{
	find_text(plan, source, call);
	call->key.is_query_id = plan->queryId != 0;
	call->key.id = call->key.is_query_id ? (int64) plan->queryId :
		(int64) hash_bytes_extended((const unsigned char *) call->text,
									call->length, 0);
	return call->key.is_query_id || call->length > 0;
}

/* Does it take so long that a report could be faster? */
static bool
is_large(const PlannedStmt *plan)
{
	return plan->planTree->total_cost >= GS_REPORT_REQUEST_COST;
}

/* Statements that were reports are of interest without, too. */
static const char *
reason_of_settings(bool is_known)
{
	if (!is_known)
		return NULL;
	if (gs_engine_setting == GS_ENGINE_CPU)
		return "gpuscan.engine is cpu";
	return gs_reports_setting == GS_REPORTS_OFF ? "gpuscan.reports is off" :
		NULL;
}

static void
note_plan(const PlannedStmt *plan, const char *source, const planning *p)
{
	gs_statement_call call;
	const char *reason;
	int			i;

	if ((!p->report && !is_large(plan)) || !identify(plan, source, &call))
		return;
	i = (int) ((uint64) call.key.id % KNOWN);
	reason = p->report ? "" : p->reason;
	if (reason == NULL)
		reason = reason_of_settings(known[i].id == call.key.id);
	if (reason == NULL)
		return;
	known[i].id = call.key.id;
	strlcpy(known[i].reason, reason, sizeof known[i].reason);
}

static PlannedStmt *
plan_in_one_way(Query *parse, const char *query_string, int options,
				ParamListInfo parameters EXPLAIN_PARAMETER, planning *p)
{
	planning   *outer = current;
	PlannedStmt *plan;

	p->options = options;
	current = p;
	PG_TRY();
	{
		plan = (previous_planner_hook != NULL ? previous_planner_hook :
				standard_planner) (parse, query_string, options,
								   parameters EXPLAIN_ARGUMENT);
	}
	PG_FINALLY();
	{
		current = outer;
	}
	PG_END_TRY();
	return plan;
}

static PlannedStmt *
plan_without_reports(const Query *parse, const char *query_string, int options,
					 ParamListInfo parameters EXPLAIN_PARAMETER)
{
	int			setting = gs_reports_setting;
	planning	p = {.waits = true};
	PlannedStmt *plan;

	gs_reports_setting = GS_REPORTS_OFF;
	PG_TRY();
	{
		plan = plan_in_one_way(copyObject(unconstify(Query *, parse)),
							   query_string, options,
							   parameters EXPLAIN_ARGUMENT, &p);
	}
	PG_FINALLY();
	{
		gs_reports_setting = setting;
	}
	PG_END_TRY();
	return plan;
}

/*
 * Parts of rewriting.h are rewritten, one after the other, until one does not pay:
 * others seldom do then.
 */
static PlannedStmt *
plan_rewritings(Query *parse, const char *query_string, int options,
				ParamListInfo parameters EXPLAIN_PARAMETER, planning *p)
{
	int			candidates = Min(gs_rewriting_candidates(parse), GS_REWRITINGS_MAX);
	int			taken = 0;
	int			which = 0;
	PlannedStmt *plan;

	p->waits = true;
	plan = plan_in_one_way(copyObject(parse), query_string, options,
						   parameters EXPLAIN_ARGUMENT, p);
	if (!gs_rewriting_is_large(plan) || gs_uses_virtual_that_may_raise(parse))
		return plan;
	for (; candidates > 0; candidates--)
	{
		gs_rewriting rewritten = gs_rewrite(parse, parameters, which, taken);
		planning	q = {.waits = true};
		PlannedStmt *other;

		which++;
		if (rewritten.query == NULL ||
			!gs_rewriting_is_worth_plans(plan, &rewritten))
			continue;
		other = plan_in_one_way(copyObject(rewritten.query), query_string, options,
								parameters EXPLAIN_ARGUMENT, &q);
		if (bms_num_members(q.rewritten) <= taken ||
			!gs_rewriting_is_better(plan, other, &rewritten, options))
			break;

		/* a report that has been made can be made again */
		if (rewritten.reads == 0 &&
			!gs_rewriting_is_surely_safe(plan, p->report, other, &rewritten,
										 q.ordinary, options))
		{
			const PlannedStmt *ordinary = !p->report ? plan :
				plan_without_reports(parse, query_string, options,
									 parameters EXPLAIN_ARGUMENT);
			const PlannedStmt *then =
				plan_without_reports(rewritten.query, query_string, options,
									 parameters EXPLAIN_ARGUMENT);

			if (!gs_rewriting_is_safe(gs_rewriting_cost(ordinary, options),
									  gs_rewriting_repeats_index(ordinary, InvalidOid),
									  gs_rewriting_cost(then, options),
									  &rewritten, q.ordinary))
				break;
		}

		/* it is none any more */
		which--;
		taken++;
		parse = rewritten.query;
		plan = other;
		*p = q;
	}
	return plan;
}

static PlannedStmt *
plan_statement(Query *parse, const char *query_string, int options,
			   ParamListInfo parameters EXPLAIN_PARAMETER)
{
	planning	p = {0};
	PlannedStmt *plan;
	ListCell   *cell;

	if (gs_reports_setting >= GS_REPORTS_EXACT &&
		gs_engine_setting != GS_ENGINE_CPU && gs_rewriting_candidates(parse) > 0)
		plan = plan_rewritings(parse, query_string, options,
							   parameters EXPLAIN_ARGUMENT, &p);
	else
		plan = plan_in_one_way(parse, query_string, options,
							   parameters EXPLAIN_ARGUMENT, &p);
	foreach(cell, p.told)
		tell(lfirst(cell));
	note_plan(plan, query_string, &p);
	return plan;
}

static execution *
find_execution(const EState *estate)
{
	dlist_iter	i;

	dlist_foreach(i, &executions)
	{
		execution  *e = dlist_container(execution, node, i.cur);

		if (e->estate == estate)
			return e;
	}
	return NULL;
}

static void
forget(void *e)
{
	dlist_delete(&((execution *) e)->node);
}

static bool
is_counted(int eflags)
{
	return (eflags & EXEC_FLAG_EXPLAIN_ONLY) == 0 && pgstat_track_activities &&
		(ActivePortal == NULL || ActivePortal->commandTag != CMDTAG_EXPLAIN);
}

/* NULL if there is no memory. */
static execution *
begin_execution(EState *estate)
{
	execution  *e = MemoryContextAllocExtended(estate->es_query_cxt, sizeof *e,
											   MCXT_ALLOC_NO_OOM |
											   MCXT_ALLOC_ZERO);

	if (e == NULL)
		return NULL;
	e->estate = estate;
	e->forget.func = forget;
	e->forget.arg = e;
	dlist_push_head(&executions, &e->node);
	MemoryContextRegisterResetCallback(estate->es_query_cxt, &e->forget);
	return e;
}

void
gs_statement_add_scan(gs_report_scan *scan, EState *estate, int eflags)
{
	execution  *e;

	if (!is_counted(eflags))
		return;
	e = find_execution(estate);
	if (e == NULL)
		e = begin_execution(estate);
	if (e == NULL)
		return;
	scan->next = e->scans;
	e->scans = scan;
}

/* Is it one that could be a report? */
static void
begin_ordinary(QueryDesc *query)
{
	gs_statement_call call;
	execution  *e;
	int			i;

	if (!identify(query->plannedstmt, query->sourceText, &call))
		return;
	i = (int) ((uint64) call.key.id % KNOWN);
	if (known[i].id != call.key.id)
		return;
	e = begin_execution(query->estate);
	if (e != NULL)
		strlcpy(e->reason, known[i].reason, sizeof e->reason);
}

static void
start_statement(QueryDesc *query, int eflags)
{
	if (previous_start_hook != NULL)
		previous_start_hook(query, eflags);
	else
		standard_ExecutorStart(query, eflags);
	if (is_large(query->plannedstmt) && is_counted(eflags) &&
		find_execution(query->estate) == NULL)
		begin_ordinary(query);
}

static void
run_statement(QueryDesc *query, ScanDirection direction,
			  uint64 count ONCE_PARAMETER)
{
	execution  *e = find_execution(query->estate);
	const uint64 outer_rows_wanted = rows_wanted;
	instr_time	begin;
	instr_time	end;

	rows_wanted = count;
	if (e != NULL)
		INSTR_TIME_SET_CURRENT(begin);
	if (previous_run_hook != NULL)
		previous_run_hook(query, direction, count ONCE_ARGUMENT);
	else
		standard_ExecutorRun(query, direction, count ONCE_ARGUMENT);
	rows_wanted = outer_rows_wanted;
	if (e == NULL)
		return;
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_SUBTRACT(end, begin);
	e->ms += INSTR_TIME_GET_MILLISEC(end);
	e->has_run = true;
}

/* By how much would the plan cost more with an ordinary plan instead? */
static Cost
cost_of_child(const gs_report_scan *scan)
{
	const CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	const Plan *child = linitial(plan->custom_plans);

	return child->total_cost - plan->scan.plan.total_cost;
}

static void
count(const execution *e, const QueryDesc *query)
{
	gs_statement_call call = {.planned = e->scans != NULL, .reason = e->reason,
	.ms = e->ms};
	Cost		cost = query->plannedstmt->planTree->total_cost;
	int64		reports = 0;
	int64		fallbacks = 0;

	for (const gs_report_scan *scan = e->scans; scan != NULL; scan = scan->next)
	{
		const gs_report_totals *totals = &scan->totals;

		reports += totals->reports;
		fallbacks += totals->fallbacks;
		if (totals->fallbacks > 0)
			call.reason = totals->reason;
		call.held_rows += totals->stats.held_rows;
		call.read_rows += totals->stats.kept_rows + totals->stats.read_rows;
		call.groups += totals->groups;
		cost += cost_of_child(scan);
	}

	/* no row of the report was asked for */
	if ((call.planned && reports + fallbacks == 0) ||
		!identify(query->plannedstmt, query->sourceText, &call))
		return;
	call.made = call.planned && fallbacks == 0;
	call.estimated_ms = Max(cost, 0) / GS_REPORT_COST_PER_MS;
	call.key.user = GetUserId();
	call.key.database = MyDatabaseId;
	gs_statements_count(&call);
}

static void
end_statement(QueryDesc *query)
{
	const execution *e = find_execution(query->estate);

	if (e != NULL && e->has_run)
		count(e, query);
	if (previous_end_hook != NULL)
		previous_end_hook(query);
	else
		standard_ExecutorEnd(query);
}

void
gs_statement_init(void)
{
	previous_planner_hook = planner_hook;
	planner_hook = plan_statement;
	previous_start_hook = ExecutorStart_hook;
	ExecutorStart_hook = start_statement;
	previous_run_hook = ExecutorRun_hook;
	ExecutorRun_hook = run_statement;
	previous_end_hook = ExecutorEnd_hook;
	ExecutorEnd_hook = end_statement;
}
