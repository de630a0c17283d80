/*-------------------------------------------------------------------------
 *
 * report_dictionary.c
 *	  The message about dictionaries.
 *
 * It may come in a report or not, and a dictionary that is too large does not
 * fail the report: its client reads on without codes.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "service/dictionary.h"

/* NULL if a DICTIONARY is valid, else what is wrong. */
static const char *
validate(const gs_msg_dictionary *m, const char *packed, size_t size)
{
	size_t		at = 0;

	if (m->database == 0 || m->relation == 0)
		return "DICTIONARY without an id";
	if (m->attribute < 1 || m->map < 0 || m->map > 1 || m->count < 0 ||
		m->count > GS_DICTIONARY_COUNT)
		return "DICTIONARY with a number out of range";
	for (int32_t i = 0; i < m->count; i++)
	{
		const char *bytes;
		uint32_t	length;

		at = gs_values_get(packed, size, at, &bytes, &length);
		if (at == 0)
			return "DICTIONARY with fewer values than announced";
	}
	return at != size ? "DICTIONARY with more than its values" : NULL;
}

/* Add values, unless the client means another dictionary. */
static void
add_values(gs_held_dictionary *d, const gs_msg_dictionary *m,
		   const char *packed, size_t size, gs_msg_codes *answer)
{
	answer->id = gs_held_dictionary_id(d);
	gs_held_dictionary_add(d, packed, size,
						   m->id == 0 || m->id == answer->id ? m->count : 0,
						   answer);
}

static bool
send_answer(gs_connection *c, const gs_held_dictionary *d, bool map,
			gs_msg_codes *answer)
{
	size_t		size = sizeof *answer + (size_t) answer->count * sizeof(int32_t);

	if (!map)
		return gs_send(c, answer, GS_MSG_CODES, size);
	answer->header.kind = GS_MSG_CODES;
	answer->header.length = (uint32_t) size;
	return gs_send_memory(c->socket, answer, size, gs_held_dictionary_fd(d)) ==
		(ssize_t) size;
}

bool
gs_handle_dictionary(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_dictionary *m = message;
	const gs_held_dictionary_key key = {
		m->database, m->relation, m->attribute, m->type
	};
	const char *packed = (const char *) (m + 1);
	gs_msg_codes *answer = (gs_msg_codes *) c->out;
	const char *wrong;
	gs_held_dictionary *d;
	bool		sent;

	if (c->request.failed)
		return true;
	size -= sizeof *m;
	wrong = validate(m, packed, size);
	if (wrong != NULL)
		return gs_malformed(c, wrong);
	memset(answer, 0, sizeof *answer);
	d = gs_held_dictionary_open(&key);
	if (d == NULL)
	{
		answer->outcome.status = GS_NO_MEMORY;
		return gs_send(c, answer, GS_MSG_CODES, sizeof *answer);
	}
	add_values(d, m, packed, size, answer);
	sent = send_answer(c, d, m->map != 0, answer);
	gs_held_dictionary_release(d);
	return sent;
}
