/*-------------------------------------------------------------------------
 *
 * service_list.h
 *	  A list that the service sends in parts, as many entries as a message
 *	  holds.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SERVICE_LIST_H
#define GS_SERVICE_LIST_H

#include "protocol/protocol.h"

typedef struct gs_service_list
{
	gs_message	ask;			/* with gs_msg_list */
	gs_message	answer_kind;	/* gs_msg_entries, then the entries */
	size_t		width;			/* of an entry */
	int64		row;			/* the next row of the last answer */
	union
	{
		gs_msg_entries head;
		char		space[GS_MESSAGE_MAX];
	}			answer;
} gs_service_list;

/* The list is empty if no service runs. */
extern void gs_service_list_begin(gs_service_list *list, gs_message ask,
								  gs_message answer_kind, size_t width);

/* The next entry, valid until the next call, or NULL after the last. */
extern const void *gs_service_list_next(gs_service_list *list);

#endif							/* GS_SERVICE_LIST_H */
