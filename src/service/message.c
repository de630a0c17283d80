/*-------------------------------------------------------------------------
 *
 * message.c
 *	  Sending messages to a client, and refusing those of a client.
 *
 *-------------------------------------------------------------------------
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "service/service.h"

/* Send a message, after filling in kind and length. */
static bool
send_message(int socket, void *message, gs_message kind, size_t length,
			 int flags)
{
	gs_header  *header = message;
	ssize_t		sent;

	header->kind = kind;
	header->length = (uint32_t) length;
	do
		sent = send(socket, message, length, MSG_NOSIGNAL | flags);
	while (sent < 0 && errno == EINTR);
	return sent == (ssize_t) length;
}

bool
gs_send(gs_connection *c, void *message, gs_message kind, size_t length)
{
	return send_message(c->socket, message, kind, length, 0);
}

/*
 * Tell a client that has to wait that gpuscand is alive; false if it has gone.  The
 * caller may hold locks, so do not wait for a client that does not read: it has
 * enough of these messages.
 */
bool
gs_send_waiting(gs_connection *c)
{
	gs_msg_waiting waiting;

	waiting.progress = atomic_load(&gs_progress);
	return send_message(c->socket, &waiting, GS_MSG_WAITING, sizeof waiting,
						MSG_DONTWAIT) ||
		errno == EAGAIN;
}

/*
 * Tell a client why its connection is about to end.  A client may retry with
 * every call, so each kind of refusal is logged only now and then.
 */
void
gs_refuse_socket(int socket, gs_refusal refusal, const char *message)
{
	static _Atomic int64_t logged[GS_REFUSED_BUSY + 1];
	gs_msg_refused refused;

	memset(&refused, 0, sizeof refused);
	refused.refusal = refusal;
	refused.version = GS_PROTOCOL_VERSION;
	strncpy(refused.message, message, sizeof refused.message - 1);
	if (gs_log_due(&logged[refusal]))
		gs_log("refused a client: %s", message);
	send_message(socket, &refused, GS_MSG_REFUSED, sizeof refused, 0);
}

/* Refuse a connection.  Returns false: it is to end. */
bool
gs_refuse(gs_connection *c, gs_refusal refusal, const char *message)
{
	gs_refuse_socket(c->socket, refusal, message);
	return false;
}

bool
gs_malformed(gs_connection *c, const char *message)
{
	return gs_refuse(c, GS_REFUSED_MALFORMED, message);
}
