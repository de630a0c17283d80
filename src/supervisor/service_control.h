/*-------------------------------------------------------------------------
 *
 * service_control.h
 *	  Starting and stopping the service, from a backend.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SERVICE_CONTROL_H
#define GS_SERVICE_CONTROL_H

/* The result of asking for the service. */
typedef enum gs_request_result
{
	GS_REQUEST_MADE,
	GS_REQUEST_NO_WORKER		/* max_worker_processes are running */
} gs_request_result;

/* the reason of GS_REQUEST_NO_WORKER */
extern const char *const gs_no_worker_left;

extern gs_request_result gs_service_start(void);
extern bool gs_service_stop(void);
extern int	gs_service_start_left(void);
extern void gs_service_report_silent(int service);
extern bool gs_service_was_dismissed(int service);

#endif							/* GS_SERVICE_CONTROL_H */
