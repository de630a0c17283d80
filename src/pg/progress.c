/*-------------------------------------------------------------------------
 *
 * progress.c
 *	  What a session's long work has come to.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "pgstat.h"
#if PG_VERSION_NUM >= 140000
#include "utils/backend_progress.h"
#include "utils/backend_status.h"
#endif

#include "pg/progress.h"

/* How many pieces of work are within each other. */
static int	depth = 0;

/* Is anything told?  0: no, and it can be begun. */
static int
command(void)
{
#if PG_VERSION_NUM >= 140000
	return MyBEEntry == NULL ? -1 : (int) MyBEEntry->st_progress_command;
#else
	return -1;
#endif
}

/* An error may have ended what was told, but not set depth. */
static bool
is_told(void)
{
	return depth > 0 && command() == GS_PROGRESS_COMMAND;
}

void
gs_progress_begin(gs_work work, int64 of)
{
	static const int index[] = {GS_PROGRESS_WORK, GS_PROGRESS_OF};
	const int64 value[] = {work, of};

	if (is_told())
	{
		depth++;
		return;
	}
	depth = 0;
	if (command() != PROGRESS_COMMAND_INVALID)
		return;
	pgstat_progress_start_command((ProgressCommandType) GS_PROGRESS_COMMAND,
								  InvalidOid);
	pgstat_progress_update_multi_param(2, index, value);
	depth = 1;
}

void
gs_progress_phase(gs_phase phase, int64 total)
{
	static const int index[] = {
		GS_PROGRESS_PHASE, GS_PROGRESS_DONE, GS_PROGRESS_TOTAL
	};
	const int64 value[] = {phase, 0, total};

	if (depth == 1 && is_told())
		pgstat_progress_update_multi_param(3, index, value);
}

void
gs_progress_done(int64 done)
{
	if (depth == 1 && is_told())
		pgstat_progress_update_param(GS_PROGRESS_DONE, done);
}

void
gs_progress_end(void)
{
	if (is_told() && --depth == 0)
		pgstat_progress_end_command();
}
