/*-------------------------------------------------------------------------
 *
 * link.h
 *	  This session's connection to the service.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_LINK_H
#define GS_LINK_H

#include "protocol/protocol.h"

/* The link while it is open. */
typedef struct gs_link
{
	pgsocket	fd;				/* PGINVALID_SOCKET: closed */
	int			service;		/* pid */
	char	   *staging;		/* the shared memory */
	size_t		staging_size;
	uint32		slot_size;
	uint32		call_size;
	bool		on_device;		/* as in gs_msg_welcome */
	char		engine[16];		/* the service's */
	char		no_device[200]; /* as in gs_msg_welcome */
	char	   *buffer;			/* of GS_MESSAGE_MAX bytes */
} gs_link;

/* Can the service be used? */
typedef enum gs_availability
{
	GS_AVAILABLE,
	GS_UNAVAILABLE,
	GS_NO_WORKER,				/* max_worker_processes are running */
	GS_NO_SHARED_MEMORY
} gs_availability;

extern gs_link gs_session_link;

extern gs_availability gs_link_acquire(int wait_ms, const char **reason);
extern gs_availability gs_link_acquire_for_arrays(bool wait,
												  const char **reason);
extern bool gs_link_hopeless(const char **reason);
extern bool gs_link_hopeless_for_arrays(const char **reason);
extern bool gs_link_copied(void);
extern bool gs_link_dismissed(void);
extern void gs_link_close(void);
extern bool gs_link_send(void *message, gs_message kind, size_t length);
extern ssize_t gs_link_receive(void *message, size_t size, int timeout_ms,
							   gs_message awaited);
extern ssize_t gs_link_receive_memory(void *message, size_t size,
									  int timeout_ms, gs_message awaited,
									  int *descriptor);
extern bool gs_ask_service(void *question, gs_message kind, size_t size,
						   void *answer, gs_message answer_kind, size_t max);
extern const char *gs_link_error(void);

#endif							/* GS_LINK_H */
