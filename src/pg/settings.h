/*-------------------------------------------------------------------------
 *
 * settings.h
 *	  gpuscan's settings.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SETTINGS_H
#define GS_SETTINGS_H

/* The setting gpuscan.engine. */
typedef enum gs_engine_choice
{
	GS_ENGINE_AUTO,
	GS_ENGINE_CPU,
	GS_ENGINE_GPU
} gs_engine_choice;

typedef enum gs_service_engine
{
	GS_SERVICE_CUDA,
	GS_SERVICE_CPU
} gs_service_engine;

/* The maximum of gpuscan.copy_threads. */
#define GS_COPY_THREADS_MAX	4

extern int	gs_engine_setting;	/* gs_engine_choice */
extern int	gs_service_engine_setting;	/* gs_service_engine */
extern bool gs_cache_setting;
extern int	gs_device;
extern int	gs_staging_size;	/* kB */
extern int	gs_memory_limit;	/* MB; 0: none */
extern int	gs_cache_size;		/* MB; -1: depends on the device's memory */
extern int	gs_copy_threads_setting;	/* -1: depends on the cores */
extern int	gs_response_timeout;	/* s */
extern int	gs_chunk_size;		/* kB */
extern int	gs_debug_delay;		/* ms */
extern int	gs_debug_fail_after;	/* batches; 0: never */

extern void gs_settings_define(void);

#endif							/* GS_SETTINGS_H */
