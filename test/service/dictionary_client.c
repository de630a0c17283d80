/*-------------------------------------------------------------------------
 *
 * dictionary_client.c
 *	  A client that asks about dictionaries.
 *
 *-------------------------------------------------------------------------
 */
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

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
	const gs_msg_codes *answer = (const gs_msg_codes *) to->c->buffer;

	client_send(to->c, &to->message, GS_MSG_DICTIONARY, to->size);
	if (client_receive(to->c) != GS_MSG_CODES ||
		answer->outcome.status != (int32_t) status ||
		(size_t) to->c->got != sizeof *answer +
		(size_t) answer->count * sizeof(int32_t))
		return false;
	to->answer = answer;
	return true;
}

bool
ask_has(const question *of, int32_t n, int32_t count)
{
	return of->answer->n == n && of->answer->count == count;
}

int32_t
ask_code(const question *of, int32_t i)
{
	return ((const int32_t *) (of->answer + 1))[i];
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
		int			first = from;

		ask_begin(&q, c, relation);
		while (from < to && ask_number(&q, from, length))
			from++;
		if (!ask_answered(&q, GS_OK) || !ask_has(&q, from, from - first))
			return false;
		for (int i = first; i < from; i++)
		{
			if (ask_code(&q, i - first) != i)
				return false;
		}
	}
	return true;
}

/* ----------
 * Memory
 * ----------
 */

const char *
dictionary_map(client *c, uint32_t relation)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
	struct iovec iov = {c->buffer, sizeof c->buffer};
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof control
	};
	gs_msg_dictionary ask = {
		.database = DICTIONARY_DATABASE, .relation = relation,
		.attribute = 1, .map = 1
	};
	void	   *memory;
	int			fd;

	client_send(c, &ask, GS_MSG_DICTIONARY, sizeof ask);
	c->got = recvmsg(c->fd, &m, MSG_CMSG_CLOEXEC);
	if (c->got != sizeof(gs_msg_codes) || m.msg_controllen == 0)
		return NULL;
	memcpy(&fd, CMSG_DATA((struct cmsghdr *) control), sizeof fd);
	memory = mmap(NULL, GS_DICTIONARY_SIZE, PROT_READ, MAP_SHARED, fd, 0);
	if (ftruncate(fd, 4096) == 0 || ftruncate(fd, (off_t) GS_DICTIONARY_SIZE + 1) == 0)
	{
		munmap(memory, GS_DICTIONARY_SIZE);
		memory = MAP_FAILED;
	}
	close(fd);
	return memory == MAP_FAILED ? NULL : memory;
}

void
dictionary_unmap(const char *memory)
{
	if (memory != NULL)
		munmap((void *) memory, GS_DICTIONARY_SIZE);
}

bool
dictionary_holds(const char *memory, int32_t code, const char *bytes,
				 uint32_t length)
{
	const gs_dictionary_entry *entry;
	uint32_t	got;

	if (memory == NULL || code >= gs_dictionary_count(memory))
		return false;
	entry = gs_dictionary_entry_of(memory, code, &got);
	return entry != NULL && entry->code == code && got == length &&
		memcmp(entry->bytes, bytes, length) == 0 &&
		gs_dictionary_find(memory, bytes, length,
						   gs_dictionary_hash(bytes, length)) == code;
}

bool
dictionary_has(client *c, uint32_t relation, int32_t n, uint32_t length)
{
	const char *memory = dictionary_map(c, relation);
	char		value[GS_DICTIONARY_VALUE_MAX];
	bool		good = memory != NULL && gs_dictionary_count(memory) == n;

	memset(value, 'x', sizeof value);
	for (int32_t i = 0; i < n && good; i++)
	{
		memcpy(value, &i, sizeof i);
		good = dictionary_holds(memory, i, value, length);
	}
	if (good)
	{
		memcpy(value, &n, sizeof n);
		good = gs_dictionary_find(memory, value, length,
								  gs_dictionary_hash(value, length)) == -1;
	}
	dictionary_unmap(memory);
	return good;
}
