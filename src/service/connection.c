/*-------------------------------------------------------------------------
 *
 * connection.c
 *	  One client of gpuscand, and the thread that serves it.
 *
 * The thread first makes sure of the other side (the same user, protocol
 * version and incarnation of the server).  Then it reads message after
 * message, and hands each to its handler.  While feeds are in flight, it
 * handles messages that have already arrived, to keep the engine busy, and
 * waits for the engine when there are none.  Between messages of a report it
 * feeds the engine what is held.
 *
 * A connection ends when its client has gone, has sent an invalid message, or,
 * between two requests, when gpuscand is to end.  In any case the thread
 * releases everything that the client had.
 *
 *-------------------------------------------------------------------------
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "protocol/report.h"
#include "service/service.h"

#define HELLO_TIMEOUT		10000	/* ms */
#define STACK_SIZE			(2 * 1024 * 1024)	/* CUDA's compiler runs on it */
#define AWAY_MS				2000	/* main.c checks every 500 ms */

typedef bool (*handler) (gs_connection *c, const void *message, size_t size);

/* The messages that a client may send once it has been welcomed. */
static const struct
{
	size_t		size;
	bool		has_data;		/* data may follow */
	handler		handle;
}			handlers[] = {
	[GS_MSG_CALL] = {sizeof(gs_msg_call), true, gs_request_call},
	[GS_MSG_BEGIN] = {sizeof(gs_msg_begin), false, gs_request_begin},
	[GS_MSG_EDGES] = {sizeof(gs_msg_edges), false, gs_request_edges},
	[GS_MSG_FEED] = {sizeof(gs_msg_feed), false, gs_request_feed},
	[GS_MSG_FINISH] = {sizeof(gs_header), false, gs_result_finish},
	[GS_MSG_COUNTS] = {sizeof(gs_msg_counts), false, gs_result_counts},
	[GS_MSG_FETCH] = {sizeof(gs_msg_fetch), false, gs_result_fetch},
	[GS_MSG_END] = {sizeof(gs_header), false, gs_request_end},
	[GS_MSG_STATUS] = {sizeof(gs_header), false, gs_status_state},
	[GS_MSG_LOAD] = {sizeof(gs_msg_load), false, gs_request_load},
	[GS_MSG_LIST] = {sizeof(gs_msg_list), false, gs_status_list},
	[GS_MSG_CLEAR] = {sizeof(gs_header), false, gs_status_clear},
	[GS_MSG_REDUCE] = {sizeof(gs_msg_reduce), true, gs_reduce_arrays},

	[GS_MSG_REPORT] = {sizeof(gs_msg_report), true, gs_handle_begin},
	[GS_MSG_PLAN] = {sizeof(gs_msg_plan), true, gs_handle_plan},
	[GS_MSG_LOOKUP] = {sizeof(gs_msg_lookup), false, gs_handle_lookup},
	[GS_MSG_TABLE] = {sizeof(gs_msg_table), false, gs_handle_table},
	[GS_MSG_MAP] = {sizeof(gs_msg_map), true, gs_handle_map},
	[GS_MSG_LSNS] = {sizeof(gs_msg_lsns), false, gs_handle_lsns},
	[GS_MSG_VERIFIED] = {sizeof(gs_msg_map), false, gs_handle_verified},
	[GS_MSG_USABLE] = {sizeof(gs_msg_map), false, gs_handle_usable},
	[GS_MSG_FEED_ROWS] = {sizeof(gs_msg_feed_rows), false, gs_handle_rows},
	[GS_MSG_LOOK] = {sizeof(gs_msg_map), false, gs_handle_look},
	[GS_MSG_FINISH_REPORT] = {sizeof(gs_msg_finish_report), false,
	gs_handle_finish},
	[GS_MSG_GROUPS] = {sizeof(gs_msg_groups), false, gs_handle_groups},
	[GS_MSG_RANGES] = {sizeof(gs_header), false, gs_handle_ranges},
	[GS_MSG_SCATTER] = {sizeof(gs_msg_scatter), false, gs_handle_scatter},
	[GS_MSG_LIST_COLUMNS] = {sizeof(gs_msg_list), false,
	gs_status_list_columns},
	[GS_MSG_DICTIONARY] = {sizeof(gs_msg_dictionary), true,
	gs_handle_dictionary},
};

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static gs_connection *list;

/* Send WELCOME, with the staging memory's descriptor. */
static bool
send_welcome(gs_connection *c)
{
	gs_msg_welcome welcome;

	memset(&welcome, 0, sizeof welcome);
	welcome.header.kind = GS_MSG_WELCOME;
	welcome.header.length = sizeof welcome;
	welcome.version = GS_PROTOCOL_VERSION;
	welcome.pid = getpid();
	welcome.incarnation = gs_service.incarnation;
	welcome.staging_size = gs_service.staging_size;
	welcome.slot_size = gs_service.slot_size;
	welcome.call_size = gs_service.call_size;
	welcome.on_device = gs_service.engine->on_device;
	strncpy(welcome.engine, gs_service.engine->name, sizeof welcome.engine - 1);
	memcpy(welcome.no_device, gs_service.no_device, sizeof welcome.no_device);
	return gs_send_memory(c->socket, &welcome, sizeof welcome,
						  gs_staging_fd()) == sizeof welcome;
}

/*
 * Is the client the operating system user of gpuscand, that is, of the server?
 */
static bool
user_is_ours(int socket)
{
	struct ucred peer;
	socklen_t	size = sizeof peer;

	return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
		peer.uid == geteuid();
}

static bool
readable(int fd, int timeout)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return poll(&p, 1, timeout) > 0;
}

/* Receive the next message; false at the end of the connection. */
static bool
receive(gs_connection *c, size_t *size)
{
	const gs_header *header = (const gs_header *) c->in;
	ssize_t		got;

	do
		got = recv(c->socket, c->in, sizeof c->in, MSG_TRUNC);
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		return false;
	if (got < (ssize_t) sizeof(gs_header) || got > (ssize_t) sizeof c->in ||
		header->length != (uint32_t) got)
		return gs_malformed(c, "message of a wrong length");
	*size = (size_t) got;
	return true;
}

static bool
shake_hands(gs_connection *c)
{
	const gs_msg_hello *hello = (const gs_msg_hello *) c->in;
	size_t		size = 0;

	/*
	 * read before refusing: closing with unread data would discard the reason
	 */
	if (!readable(c->socket, HELLO_TIMEOUT) || !receive(c, &size))
		return false;
	if (!user_is_ours(c->socket))
		return gs_refuse(c, GS_REFUSED_USER,
						 "client runs as another user");
	if (hello->header.kind != GS_MSG_HELLO || size < sizeof *hello ||
		hello->magic != GS_PROTOCOL_MAGIC)
		return gs_malformed(c, "client sent no HELLO");
	if (hello->version != GS_PROTOCOL_VERSION)
		return gs_refuse(c, GS_REFUSED_VERSION,
						 "client speaks another protocol version");
	if (size != sizeof *hello)
		return gs_malformed(c, "message of a wrong length");
	if (hello->incarnation != gs_service.incarnation)
		return gs_refuse(c, GS_REFUSED_INCARNATION,
						 "client belongs to another start of the server");
	return send_welcome(c);
}

/* Wait for a message; false if it is time to end and none has come. */
static bool
wait_for_message(gs_connection *c)
{
	struct pollfd fds[2] = {
		{.fd = c->socket, .events = POLLIN},
		{.fd = gs_stop_fd, .events = POLLIN}
	};

	while (gs_report_is_ahead(c) && !readable(c->socket, 0))
		gs_report_go_ahead(c);
	if (gs_spin_wait(&c->spin[c->last], c->socket))
		return true;

	/* a request in progress may continue to its end */
	while (poll(fds, c->request.open ? 1 : 2, -1) < 0)
	{
		if (errno != EINTR)
			return false;
	}
	return fds[0].revents != 0;
}

static bool
serve_message(gs_connection *c)
{
	const gs_header *header = (const gs_header *) c->in;
	size_t		size = 0;

	if (!receive(c, &size))
		return false;
	if (header->kind >= sizeof handlers / sizeof *handlers ||
		handlers[header->kind].handle == NULL)
		return gs_malformed(c, "message of an unknown kind");
	if (size < handlers[header->kind].size ||
		(size > handlers[header->kind].size &&
		 !handlers[header->kind].has_data))
		return gs_malformed(c, "message of a wrong length");
	c->last = (gs_message) header->kind;
	gs_device_use(c->request.device);
	return handlers[header->kind].handle(c, c->in, size);
}

static void
serve(gs_connection *c)
{
	gs_request *r = &c->request;

	for (;;)
	{
		bool		in_flight = r->feeds > 0 && !r->failed;

		if (in_flight && !readable(c->socket, 0))
		{
			if (!gs_execution_wait(c))
				return;
		}
		else if (!in_flight && !wait_for_message(c))
			return;
		else if (!serve_message(c))
			return;
	}
}

static void
remove_connection(gs_connection *c)
{
	pthread_mutex_lock(&list_lock);
	*c->link = c->next;
	if (c->next != NULL)
		c->next->link = c->link;
	pthread_mutex_unlock(&list_lock);
	close(c->grant.ready_fd);
	close(c->socket);
	free(c);
	atomic_fetch_sub(&gs_connections, 1);
}

static void *
connection_main(void *argument)
{
	gs_connection *c = argument;

	if (shake_hands(c))
		serve(c);
	gs_execution_end(c);
	gs_lookups_end(c);
	remove_connection(c);
	return NULL;
}

static gs_connection *
add_connection(int socket)
{
	gs_connection *c = aligned_alloc(GS_STAGING_ALIGN, sizeof *c);

	if (c == NULL)
		return NULL;
	/* not the buffers, whose pages may never be needed */
	memset(c, 0, offsetof(gs_connection, in));
	c->socket = socket;
	c->grant.ready_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (c->grant.ready_fd < 0)
	{
		free(c);
		return NULL;
	}
	pthread_mutex_lock(&list_lock);
	c->next = list;
	c->link = &list;
	if (list != NULL)
		list->link = &c->next;
	list = c;
	pthread_mutex_unlock(&list_lock);
	atomic_fetch_add(&gs_connections, 1);
	return c;
}

/* Serve a new client in a thread of its own. */
void
gs_connection_start(int socket)
{
	gs_connection *c = NULL;
	pthread_attr_t attributes;
	pthread_t	thread;

	if (atomic_load(&gs_connections) < gs_service.max_connections)
		c = add_connection(socket);
	if (c == NULL)
	{
		gs_refuse_socket(socket, GS_REFUSED_BUSY, "too many connections");
		close(socket);
		return;
	}
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&thread, &attributes, connection_main, c) != 0)
	{
		gs_refuse(c, GS_REFUSED_BUSY, "could not create a thread");
		remove_connection(c);
	}
	pthread_attr_destroy(&attributes);
}

/*
 * End gpuscand if the engine has worked on a request for too long, and has
 * finished nothing else meanwhile.  There is no other way to end a kernel that
 * never ends, and clients in the queue would wait for ever.
 *
 * This is called regularly.  If it was not, because the process or the host
 * was suspended, the time starts again.
 */
void
gs_connections_watch(void)
{
	static uint64_t progress;
	static int64_t checked_at;
	static int64_t quiet;		/* ms without progress */
	int64_t		timeout = (int64_t) gs_service.response_timeout * 1000;
	int64_t		now = gs_monotonic_ns() / 1000000;

	quiet += now - checked_at;
	if (now - checked_at > AWAY_MS || atomic_load(&gs_progress) != progress)
		quiet = 0;
	checked_at = now;
	progress = atomic_load(&gs_progress);
	if (quiet <= timeout)
		return;
	pthread_mutex_lock(&list_lock);
	for (gs_connection *c = list; c != NULL; c = c->next)
	{
		int64_t		since = atomic_load(&c->busy_since);

		if (since != 0 && now - since > timeout)
		{
			gs_log("a request has not moved for %d s, ending",
				   gs_service.response_timeout);
			gs_exit(GS_EXIT_STUCK);
		}
	}
	pthread_mutex_unlock(&list_lock);
}
