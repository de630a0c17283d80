/*-------------------------------------------------------------------------
 *
 * supervisor.h
 *	  The background worker that starts and watches gpuscand.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SUPERVISOR_H
#define GS_SUPERVISOR_H

extern void gs_supervisor_preload(void);
extern bool gs_supervisor_register(void);
extern PGDLLEXPORT void gs_supervisor_main(Datum argument);

#endif							/* GS_SUPERVISOR_H */
