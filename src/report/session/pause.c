/*-------------------------------------------------------------------------
 *
 * pause.c
 *	  Points at which tests stop a report.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "storage/lock.h"

#include "report/session/pause.h"

/*
 * What pg_advisory_xact_lock_shared() does, which a parallel worker may not call.
 * A session's lock would stay if an error came just when it was granted.
 */
void
gs_report_pause_here(void)
{
	LOCKTAG		tag;

	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, 0, GS_PAUSE_KEY, 1);
	(void) LockAcquire(&tag, ShareLock, false, false);
	(void) LockRelease(&tag, ShareLock, false);
}
