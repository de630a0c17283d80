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
	if (m->attribute < 1 || m->from < 0 || m->from > GS_DICTIONARY_MAX ||
		m->count < 0)
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

/*
 * Add values, unless the client means another dictionary; and copy those asked
 * for.  Returns the bytes that these take.
 */
static size_t
exchange(const gs_msg_dictionary *m, const char *packed, size_t size,
		 gs_msg_values *answer)
{
	const gs_held_dictionary_key key = {
		m->database, m->relation, m->attribute, m->type
	};
	gs_held_dictionary *d = gs_held_dictionary_open(&key);
	int32_t		from = m->from;
	size_t		bytes;

	if (d == NULL)
	{
		answer->outcome.status = GS_NO_MEMORY;
		return 0;
	}
	answer->id = gs_held_dictionary_id(d);
	if (m->id != 0 && m->id != answer->id)
		from = 0;
	else if (!gs_held_dictionary_add(d, packed, size, m->count))
		answer->outcome.status = GS_NO_MEMORY;
	bytes = gs_held_dictionary_copy(d, from, answer,
									GS_MESSAGE_MAX - sizeof *answer);
	gs_held_dictionary_release(d);
	return bytes;
}

bool
gs_handle_dictionary(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_dictionary *m = message;
	const char *packed = (const char *) (m + 1);
	gs_msg_values *answer = (gs_msg_values *) c->out;
	const char *wrong;

	if (c->request.failed)
		return true;
	size -= sizeof *m;
	wrong = validate(m, packed, size);
	if (wrong != NULL)
		return gs_malformed(c, wrong);
	memset(answer, 0, sizeof *answer);
	size = exchange(m, packed, size, answer);
	return gs_send(c, answer, GS_MSG_VALUES, sizeof *answer + size);
}
