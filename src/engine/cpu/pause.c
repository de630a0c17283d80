/*-------------------------------------------------------------------------
 *
 * pause.c
 *	  Long loops call this, so that the caller can check for a cancel, or tell
 *	  others that there is progress.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

void		(*gs_engine_pause) (void);
void		(*gs_engine_progress) (void);

void
gs_cpu_pause(void)
{
	if (gs_engine_pause != NULL)
		gs_engine_pause();
	if (gs_engine_progress != NULL)
		gs_engine_progress();
}
