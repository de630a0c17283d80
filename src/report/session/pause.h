/*-------------------------------------------------------------------------
 *
 * pause.h
 *	  Points at which tests stop a report.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_PAUSE_H
#define GS_REPORT_PAUSE_H

#include "pg/settings.h"

/*
 * If gpuscan.debug_pause names this point, wait while another session holds
 * the advisory lock GS_PAUSE_KEY.
 */
#define GS_PAUSE_KEY	7283

extern void gs_report_pause_here(void);

static inline void
gs_report_pause(gs_pause_point point)
{
	if (unlikely(gs_debug_pause == (int) point))
		gs_report_pause_here();
}

#endif							/* GS_REPORT_PAUSE_H */
