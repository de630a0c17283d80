/*-------------------------------------------------------------------------
 *
 * harness.c
 *	  A client of gpuscand, and what its tests share.
 *
 *-------------------------------------------------------------------------
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"
#include "test/common/random.h"

#define SOCKET		"test.sock"

/*
 * The time after which something counts as stuck.  Nothing else here depends
 * on time: the machine may be busy.
 */
#define TIMEOUT_S	180

const char *gpuscand;
uint64_t	seed;
int			attempts_per_taken;

/* Of all tests, and of the one that is under way. */
static int	passed;
static int	failed;
static int	comparisons;
static int	right;
static int	wrong;

static _Atomic int open_clients;

void
check(bool ok, const char *format,...)
{
	va_list		arguments;

	*(ok ? &right : &wrong) += 1;
	printf("%s - ", ok ? "ok" : "NOT OK");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	fflush(stdout);
}

void
test_end(const char *name, time_t began)
{
	bool		ok = wrong == 0 && right > 0;

	*(ok ? &passed : &failed) += 1;
	printf("%s %d - %s: %d of %d, %d s\n", ok ? "ok" : "not ok",
		   passed + failed, name, right, right + wrong,
		   (int) (time(NULL) - began));
	comparisons += right + wrong;
	right = wrong = 0;
}

bool
is_taken(void)
{
	return one_in(attempts_per_taken);
}

/* The last lines, and the program's exit status. */
int
tests_finish(void)
{
	printf("%d comparisons\n%d passed, %d failed\n", comparisons, passed,
		   failed);
	return failed > 0 || passed == 0;
}

static void
fatal(const char *what)
{
	perror(what);
	wrong++;
	test_end(what, time(NULL));
	exit(tests_finish());
}

void
random_fill(void *memory, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((unsigned char *) memory)[i] = (unsigned char) random_bits();
}

/*
 * Start gpuscand with more options, and wait for its message on the lifeline.
 */
void
service_start(service *s, char *const *more)
{
	char		lifeline[32];
	char		incarnation[64];
	char		staging[64];
	char		slot[64];
	char		timeout[64];
	char	   *arguments[32] = {"gpuscand", "--engine=cpu", "--socket=" SOCKET,
	lifeline, incarnation, staging, slot, timeout};
	int			ends[2];
	ssize_t		got;

	for (int i = 8; more != NULL && *more != NULL; i++)
		arguments[i] = *more++;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0)
		fatal("socketpair");
	snprintf(lifeline, sizeof lifeline, "--lifeline=%d", ends[1]);
	snprintf(incarnation, sizeof incarnation, "--incarnation=%llx",
			 (unsigned long long) INCARNATION);
	snprintf(staging, sizeof staging, "--staging-size=%d", STAGING_SIZE);
	snprintf(slot, sizeof slot, "--chunk-size=%d", SLOT_SIZE);
	snprintf(timeout, sizeof timeout, "--response-timeout=%d", TIMEOUT_S);
	s->pid = fork();
	if (s->pid == 0)
	{
		close(ends[0]);
		execv(gpuscand, arguments);
		_exit(127);
	}
	close(ends[1]);
	s->lifeline = ends[0];
	got = recv(s->lifeline, s->said, sizeof s->said - 1, 0);
	s->said[got > 0 ? got : 0] = '\0';
}

/* Send a signal, if any, and return the exit status of gpuscand. */
int
service_end(service *s, int signo)
{
	int			status;

	if (signo != 0)
		kill(s->pid, signo);
	if (waitpid(s->pid, &status, 0) != s->pid)
		fatal("waitpid");
	close(s->lifeline);
	return status;
}

void
client_connect(client *c)
{
	struct sockaddr_un address = {AF_UNIX, SOCKET};
	struct timeval timeout = {TIMEOUT_S, 0};

	c->memory = -1;
	c->staging = NULL;
	c->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	setsockopt(c->fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
	if (connect(c->fd, (struct sockaddr *) &address, sizeof address) != 0)
		fatal("connect");
	open_clients++;
}

/* Send HELLO.  0 if the answer is WELCOME, else the reason, or -1. */
gs_refusal
client_hello(client *c, const gs_msg_hello *hello)
{
	struct iovec iov = {c->buffer, sizeof c->buffer};
	char		control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8)));
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1,
	.msg_control = control, .msg_controllen = sizeof control};

	client_send_raw(c, hello, sizeof *hello);
	c->got = recvmsg(c->fd, &m, MSG_CMSG_CLOEXEC);
	if (c->got == sizeof(gs_msg_refused))
		return (gs_refusal) ((gs_msg_refused *) c->buffer)->refusal;
	if (c->got != sizeof(gs_msg_welcome) || m.msg_controllen == 0)
		return (gs_refusal) -1;
	memcpy(&c->welcome, c->buffer, sizeof c->welcome);
	memcpy(&c->memory, CMSG_DATA((struct cmsghdr *) control), sizeof(int));
	c->staging = mmap(NULL, c->welcome.staging_size, PROT_READ | PROT_WRITE,
					  MAP_SHARED, c->memory, 0);
	return (gs_refusal) 0;
}

/* Connect, once gpuscand accepts one more connection. */
void
client_open(client *c)
{
	gs_msg_hello hello = {{GS_MSG_HELLO, sizeof hello}, GS_PROTOCOL_MAGIC,
	GS_PROTOCOL_VERSION, INCARNATION};
	time_t		until = time(NULL) + TIMEOUT_S;
	gs_refusal	refusal;

	client_connect(c);
	while ((refusal = client_hello(c, &hello)) == GS_REFUSED_BUSY &&
		   time(NULL) < until)
	{
		client_close(c);
		usleep(1000);
		client_connect(c);
	}
	if (refusal != 0)
		fatal("no welcome");
}

void
client_close(client *c)
{
	if (c->staging != NULL)
		munmap(c->staging, c->welcome.staging_size);
	if (c->memory >= 0)
		close(c->memory);
	close(c->fd);
	open_clients--;
}

/* Reconnect, once gpuscand has released everything of the old connection. */
void
client_reopen(client *c)
{
	client_close(c);
	if (!service_has_released())
		fatal("a closed connection is not released");
	client_open(c);
}

bool
client_send_raw(client *c, const void *message, size_t length)
{
	return send(c->fd, message, length, MSG_NOSIGNAL) == (ssize_t) length;
}

bool
client_send(client *c, void *message, gs_message kind, size_t length)
{
	gs_header  *header = message;

	header->kind = kind;
	header->length = (uint32_t) length;
	return client_send_raw(c, message, length);
}

/*
 * The kind of the next message, which is put into the buffer; 0 at the end of
 * the connection, and UINT32_MAX if nothing comes.
 */
uint32_t
client_receive_any(client *c)
{
	c->got = recv(c->fd, c->buffer, sizeof c->buffer, 0);
	if (c->got == 0 || (c->got < 0 && errno == ECONNRESET))
		return 0;
	if (c->got < (ssize_t) sizeof(gs_header))
		return UINT32_MAX;
	return ((gs_header *) c->buffer)->kind;
}

/* The kind of the next message other than WAITING. */
uint32_t
client_receive(client *c)
{
	time_t		until = time(NULL) + TIMEOUT_S;
	uint32_t	kind;

	do
		kind = client_receive_any(c);
	while (kind == GS_MSG_WAITING && time(NULL) < until);
	return kind == GS_MSG_WAITING ? UINT32_MAX : kind;
}

char *
client_slot(client *c, uint32_t slot)
{
	return c->staging + (size_t) slot * c->welcome.slot_size;
}

/* Wait until gpuscand's state is as it should be. */
static bool
wait_for_state(bool (*good) (const gs_msg_state *state))
{
	time_t		until = time(NULL) + TIMEOUT_S;
	client		c;
	gs_header	ask;
	bool		is_good = false;

	client_open(&c);
	while (client_send(&c, &ask, GS_MSG_STATUS, sizeof ask) &&
		   client_receive(&c) == GS_MSG_STATE)
	{
		is_good = good((const gs_msg_state *) c.buffer);
		if (is_good || time(NULL) > until)
			break;
		usleep(1000);
	}
	client_close(&c);
	return is_good;
}

static bool
is_idle(const gs_msg_state *state)
{
	return state->connections == 1 &&
		state->staging_free == state->staging_total;
}

static bool
only_open_ones(const gs_msg_state *state)
{
	return state->connections == open_clients;
}

/* Is gpuscand there, with all staging memory free and no other client? */
bool
service_is_idle(void)
{
	return wait_for_state(is_idle);
}

/* Wait until it has released everything of clients that have disconnected. */
bool
service_has_released(void)
{
	return wait_for_state(only_open_ones);
}
