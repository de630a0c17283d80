/*-------------------------------------------------------------------------
 *
 * unread.c
 *	  WAITING for a client that does not read.
 *
 * gpuscand sends it with a table's lock, so that whoever waits for the lock would
 * wait for the client, too.  Its own code is called here, with the end of a
 * socket that it would have.
 *
 *-------------------------------------------------------------------------
 */
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness.h"
#include "service/service.h"

/* More than a socket takes. */
#define MESSAGES	100000

/* what message.c needs of process.c */
_Atomic uint64_t gs_progress;

void
gs_log(const char *format,...)
{
	(void) format;
}

bool
gs_log_due(_Atomic int64_t *last)
{
	(void) last;
	return false;
}

void
test_unread(void)
{
	static gs_connection c;
	struct pollfd room = {.events = POLLOUT};
	gs_msg_waiting message;
	int			fd[2];
	int			sent = 0;

	check(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd) == 0, "a pair of sockets");
	c.socket = room.fd = fd[0];
	alarm(60);					/* if it waits: 100,000 need less than a second */
	while (sent < MESSAGES && gs_send_waiting(&c))
		sent++;
	check(sent == MESSAGES, "of %d messages, %d seem to be sent", MESSAGES,
		  sent);
	check(poll(&room, 1, 0) == 0, "most of which had no room");
	check(recv(fd[1], &message, sizeof message, 0) == sizeof message &&
		  message.header.kind == GS_MSG_WAITING, "others are there");
	close(fd[1]);
	check(!gs_send_waiting(&c), "a client that has gone is noticed");
	alarm(0);
	close(fd[0]);
}
