/*-------------------------------------------------------------------------
 *
 * dictionary_client.c
 *	  A client that asks about dictionaries.
 *
 *-------------------------------------------------------------------------
 */
#include "dictionary_client.h"

void
ask_begin(question *to, client *c, uint32_t relation)
{
	to->c = c;
	to->message.m = (gs_msg_dictionary) {
		.database = DICTIONARY_DATABASE, .relation = relation,
		.attribute = 1
	};
	to->size = sizeof to->message.m;
}

bool
ask_put(question *to, const char *bytes, uint32_t length)
{
	size_t		size = gs_values_put(&to->message, GS_MESSAGE_MAX, to->size,
									 bytes, length);

	if (size == 0)
		return false;
	to->size = size;
	to->message.m.count++;
	return true;
}

bool
ask_text(question *to, const char *text)
{
	return ask_put(to, text, (uint32_t) strlen(text));
}

bool
ask_number(question *to, int number, uint32_t length)
{
	char		value[GS_DICTIONARY_VALUE_MAX + 1];

	memset(value, 'x', sizeof value);
	memcpy(value, &number, sizeof number);
	return ask_put(to, value, length);
}

bool
ask_answered(question *to, gs_status status)
{
	const gs_msg_values *answer = (const gs_msg_values *) to->c->buffer;

	client_send(to->c, &to->message, GS_MSG_DICTIONARY, to->size);
	if (client_receive(to->c) != GS_MSG_VALUES ||
		answer->outcome.status != (int32_t) status)
		return false;
	to->answer = answer;
	to->at = sizeof *answer;
	return true;
}

bool
ask_next(question *to, const char *bytes, uint32_t length)
{
	const char *value;
	uint32_t	got;

	to->at = gs_values_get(to->answer, (size_t) to->c->got, to->at, &value,
						   &got);
	return to->at != 0 && got == length && memcmp(value, bytes, length) == 0;
}

bool
ask_next_text(question *to, const char *text)
{
	return ask_next(to, text, (uint32_t) strlen(text));
}

bool
ask_has(const question *of, int32_t n, int32_t first, int32_t count)
{
	return of->answer->n == n && of->answer->first == first &&
		of->answer->count == count;
}

bool
ask_at_end(const question *of)
{
	return (ssize_t) of->at == of->c->got;
}

/* ----------
 * Whole dictionaries, and what is told of all
 * ----------
 */

static question q;

uint64_t
dictionary_id(client *c, uint32_t relation)
{
	ask_begin(&q, c, relation);
	return ask_answered(&q, GS_OK) ? q.answer->id : 0;
}

uint64_t
service_column_bytes(client *c)
{
	gs_header	ask;

	client_send(c, &ask, GS_MSG_STATUS, sizeof ask);
	client_receive(c);
	return ((const gs_msg_state *) c->buffer)->column_bytes;
}

void
service_clear(client *c)
{
	gs_header	ask;

	client_send(c, &ask, GS_MSG_CLEAR, sizeof ask);
	client_receive(c);
}

bool
dictionary_add(client *c, uint32_t relation, int from, int to, uint32_t length)
{
	while (from < to)
	{
		ask_begin(&q, c, relation);
		q.message.m.from = GS_DICTIONARY_MAX;
		while (from < to && ask_number(&q, from, length))
			from++;
		if (!ask_answered(&q, GS_OK) || q.answer->n != from)
			return false;
	}
	return true;
}

bool
dictionary_has(client *c, uint32_t relation, int32_t n, uint32_t length)
{
	char		value[GS_DICTIONARY_VALUE_MAX];
	int32_t		at = 0;

	memset(value, 'x', sizeof value);
	while (at < n)
	{
		ask_begin(&q, c, relation);
		q.message.m.from = at;
		if (!ask_answered(&q, GS_OK) || q.answer->first != at ||
			q.answer->count == 0 || q.answer->n != n)
			return false;
		for (int32_t i = 0; i < q.answer->count; i++, at++)
		{
			memcpy(value, &at, sizeof at);
			if (!ask_next(&q, value, length))
				return false;
		}
		if (!ask_at_end(&q) || c->got > GS_MESSAGE_MAX ||
			(at < n && c->got + 4 + (length + 3) / 4 * 4 <= GS_MESSAGE_MAX))
			return false;
	}
	return true;
}
