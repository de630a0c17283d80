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
	GS_SERVICE_AUTO,			/* CUDA where there is a device, else CPU */
	GS_SERVICE_CUDA,
	GS_SERVICE_CPU
} gs_service_engine;

/* The setting gpuscan.reports: which queries may the service answer? */
typedef enum gs_reports_choice
{
	GS_REPORTS_OFF,
	GS_REPORTS_GPUSCAN,			/* that use an aggregate of gpuscan's */
	GS_REPORTS_EXACT,			/* built-in ones, too, if the results are the
								 * same */
	GS_REPORTS_ALL				/* sums and averages of floats, too */
} gs_reports_choice;

/* The setting gpuscan.debug_pause: where tests stop a report. */
typedef enum gs_pause_point
{
	GS_PAUSE_NEVER,
	GS_PAUSE_EXAMINE,			/* a query is to be examined, in planning */
	GS_PAUSE_MAP,				/* the map has been copied, not sent */
	GS_PAUSE_DECIDED,			/* the service has said what it holds */
	GS_PAUSE_PAGE,				/* a page has been read */
	GS_PAUSE_LOOK,				/* all have been, before the second look */
	GS_PAUSE_FINISH				/* before the groups are asked for */
} gs_pause_point;

/* The default of gpuscan.debug_held_rows. */
#define GS_HELD_ROWS_DEFAULT	100000

/* The maximum of gpuscan.copy_threads. */
#define GS_COPY_THREADS_MAX	4

extern int	gs_engine_setting;	/* gs_engine_choice */
extern int	gs_service_engine_setting;	/* gs_service_engine */
extern int	gs_reports_setting; /* gs_reports_choice */
extern bool gs_cache_setting;
extern bool gs_autoload_setting;
extern char *gs_devices;
extern int	gs_staging_size;	/* kB */
extern int	gs_memory_limit;	/* MB; 0: none */
extern int	gs_cache_size;		/* MB; -1: depends on the device's memory */
extern int	gs_host_cache_size; /* MB; -1: depends on the host's memory */
extern int	gs_copy_threads_setting;	/* -1: depends on the cores */
extern int	gs_service_threads; /* 0: depends on the cores */
extern int	gs_response_timeout;	/* s */
extern int	gs_chunk_size;		/* kB */
extern int	gs_debug_delay;		/* ms */
extern int	gs_debug_fail_after;	/* batches; 0: never */
extern int	gs_debug_fail_device;	/* -1: each */
extern int	gs_debug_held_rows; /* -1: never */
extern int	gs_debug_pause; /* gs_pause_point */

extern void gs_settings_define(void);

#endif							/* GS_SETTINGS_H */
