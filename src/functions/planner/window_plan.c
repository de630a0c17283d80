/*-------------------------------------------------------------------------
 *
 * window_plan.c
 *	  The planner's part of window functions: who wrote a frame clause is told
 *	  that a function ignores it.
 *
 * It cannot be an error, since a window may be shared with functions that
 * honour its frame.  The functions' support function loads the library when the
 * planner asks for their cost, which is before it calls the hook here, once a
 * query.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "fmgr.h"
#include "optimizer/clauses.h"
#include "optimizer/planner.h"
#include "utils/lsyscache.h"

#include "functions/aggregate/window.h"

#define RUNNING_FRAME	(FRAMEOPTION_ROWS | FRAMEOPTION_BETWEEN | \
						 FRAMEOPTION_START_UNBOUNDED_PRECEDING | \
						 FRAMEOPTION_END_CURRENT_ROW)

static create_upper_paths_hook_type previous_hook = NULL;

/* What a frame clause says, however it is written. */
static int
meaning_of(int options)
{
	return (options & ~FRAMEOPTION_NONDEFAULT) | FRAMEOPTION_BETWEEN;
}

/* Does a frame clause say something else than the function does? */
static bool
ignores_frame(const WindowClause *window, const gs_series_window *function)
{
	int			meaning = meaning_of(window->frameOptions);

	if (meaning == meaning_of(FRAMEOPTION_DEFAULTS))
		return false;
	return function->moving || meaning != RUNNING_FRAME;
}

static void
tell_ignored(const char *name, const gs_series_window *function)
{
	ereport(NOTICE,
			errmsg("window function %s ignores the frame clause", name),
			function->moving ?
			errdetail("Its frame is what its arguments \"preceding\" and "
					  "\"following\" say.") :
			errdetail("Its frame goes from the first row of the partition to "
					  "the current one."),
			errhint("An aggregate honours the frame clause: %s(...) OVER (...).",
					function->aggregate));
}

static void
examine_window(const WindowClause *window, const List *calls)
{
	List	   *told = NIL;
	ListCell   *cell;

	foreach(cell, calls)
	{
		const WindowFunc *call = lfirst_node(WindowFunc, cell);
		const gs_series_window *function;
		FmgrInfo	info;

		if (call->winagg || list_member_oid(told, call->winfnoid))
			continue;
		fmgr_info(call->winfnoid, &info);
		function = gs_series_window_of(info.fn_addr);
		if (function == NULL || !ignores_frame(window, function))
			continue;
		tell_ignored(get_func_name(call->winfnoid), function);
		told = lappend_oid(told, call->winfnoid);
	}
}

static void
examine_windows(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *input,
				RelOptInfo *windowed, void *extra)
{
	const List *windows = root->parse->windowClause;
	WindowFuncLists *calls;
	ListCell   *cell;

	if (previous_hook != NULL)
		previous_hook(root, stage, input, windowed, extra);
	if (stage != UPPERREL_WINDOW)
		return;
	calls = find_window_functions((Node *) root->processed_tlist,
								  list_length(windows));
	foreach(cell, windows)
	{
		const WindowClause *window = lfirst_node(WindowClause, cell);

		examine_window(window, calls->windowFuncs[window->winref]);
	}
}

void
gs_window_init(void)
{
	previous_hook = create_upper_paths_hook;
	create_upper_paths_hook = examine_windows;
}
