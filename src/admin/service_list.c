/*-------------------------------------------------------------------------
 *
 * service_list.c
 *	  A list that the service sends in parts.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "admin/service_list.h"
#include "client/link.h"

/* Ask for entries from `from` on. */
static void
ask_entries(gs_service_list *list, uint64 from)
{
	gs_msg_list ask = {.from = from};
	gs_msg_entries *head = &list->answer.head;

	if (!gs_ask_service(&ask, list->ask, sizeof(ask), &list->answer,
						list->answer_kind, sizeof(list->answer)) ||
		head->count < 0 ||
		head->header.length != sizeof(gs_msg_entries) +
		head->count * list->width)
	{
		head->count = 0;
		head->next = 0;
	}
	list->row = 0;
}

void
gs_service_list_begin(gs_service_list *list, gs_message ask,
					  gs_message answer_kind, size_t width)
{
	list->ask = ask;
	list->answer_kind = answer_kind;
	list->width = width;
	ask_entries(list, 0);
}

const void *
gs_service_list_next(gs_service_list *list)
{
	const char *entries = (const char *) (&list->answer.head + 1);

	while (list->row >= list->answer.head.count)
	{
		if (list->answer.head.next == 0)
			return NULL;
		ask_entries(list, list->answer.head.next);
	}
	return entries + list->row++ * list->width;
}
