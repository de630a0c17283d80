/*-------------------------------------------------------------------------
 *
 * enable.h
 *	  Which sessions load the library at their start.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ENABLE_H
#define GS_ENABLE_H

extern const char *gs_loaded_by(void);
extern bool gs_database_is_enabled(void);
extern void gs_enable_init(void);

#endif							/* GS_ENABLE_H */
