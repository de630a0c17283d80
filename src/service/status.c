/*-------------------------------------------------------------------------
 *
 * status.c
 *	  The messages outside of requests: gpuscand's state, its cache,
 *	  and what it holds of tables.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "service/columns.h"
#include "service/dictionary.h"

/* Send gpuscand's state. */
bool
gs_status_state(gs_connection *c, const void *message, size_t size)
{
	gs_msg_state state;

	(void) message;
	(void) size;
	memset(&state, 0, sizeof state);
	strncpy(state.engine, gs_service.engine->name, sizeof state.engine - 1);
	memcpy(state.device, gs_service.device_name, sizeof state.device);
	memcpy(state.driver, gs_service.driver, sizeof state.driver);
	state.memory_total = gs_service.memory_total;
	state.memory_used = gs_memory_used();
	state.staging_total = gs_service.staging_size;
	state.staging_free = gs_staging_free();
	state.calls = atomic_load(&gs_calls);
	state.connections = atomic_load(&gs_connections);
	state.started_at = gs_service.started_at;
	gs_cache_stats(&state);
	gs_columns_stats(&state);
	gs_report_counts(&state);

	return gs_send(c, &state, GS_MSG_STATE, sizeof state);
}

/* List cached values, as many as a message holds. */
bool
gs_status_list(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_list *list = message;
	gs_msg_entries *answer = (gs_msg_entries *) c->out;
	uint64_t	from = list->from;

	(void) size;
	memset(answer, 0, sizeof *answer);
	answer->count = gs_cache_list(&from, (gs_msg_entry *) (answer + 1),
								  (int64_t) ((sizeof c->out - sizeof *answer) /
											 sizeof(gs_msg_entry)));
	answer->next = from;
	return gs_send(c, answer, GS_MSG_ENTRIES, sizeof *answer +
				   (size_t) answer->count * sizeof(gs_msg_entry));
}

/* List held columns, as many as a message holds. */
bool
gs_status_list_columns(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_list *list = message;
	gs_msg_entries *answer = (gs_msg_entries *) c->out;
	uint64_t	from = list->from;

	(void) size;
	memset(answer, 0, sizeof *answer);
	answer->count =
		gs_columns_list(&from, (gs_msg_column_entry *) (answer + 1),
						(int64_t) ((sizeof c->out - sizeof *answer) /
								   sizeof(gs_msg_column_entry)));
	answer->next = from;
	return gs_send(c, answer, GS_MSG_COLUMN_ENTRIES, sizeof *answer +
				   (size_t) answer->count * sizeof(gs_msg_column_entry));
}

/* Clear the cache, and forget what is held of tables. */
bool
gs_status_clear(gs_connection *c, const void *message, size_t size)
{
	gs_msg_cleared answer;

	(void) message;
	(void) size;
	answer.count = gs_cache_clear() + gs_columns_clear();
	gs_held_dictionaries_clear();
	gs_lookups_clear();
	return gs_send(c, &answer, GS_MSG_CLEARED, sizeof answer);
}
