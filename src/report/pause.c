/*-------------------------------------------------------------------------
 *
 * pause.c
 *	  Points at which tests stop a report.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "utils/fmgrprotos.h"

#include "report/pause.h"

void
gs_report_pause_here(void)
{
	Datum		key = Int64GetDatum(GS_PAUSE_KEY);

	DirectFunctionCall1(pg_advisory_lock_shared_int8, key);
	DirectFunctionCall1(pg_advisory_unlock_shared_int8, key);
}
