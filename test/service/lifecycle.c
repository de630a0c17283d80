/*-------------------------------------------------------------------------
 *
 * lifecycle.c
 *	  How gpuscand starts and ends.
 *
 *-------------------------------------------------------------------------
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "service/service.h"

static client c;

static bool
exited_with(int status, int code)
{
	return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

/* Begin a scan, and have a batch of it in flight. */
static void
begin_scan(void)
{
	gs_msg_begin begin = {.op = {.kind = GS_SCAN_SUM, .type = GS_INT4},
	.n = 2048, .lanes = 1};
	gs_msg_feed feed = {.n = 1024, .present = 1024};

	client_open(&c);
	client_send(&c, &begin, GS_MSG_BEGIN, sizeof begin);
	client_receive(&c);
	client_send(&c, &feed, GS_MSG_FEED, sizeof feed);
}

/* SIGTERM: a request continues to its end, an idle client is disconnected. */
static void
test_termination(void)
{
	char	   *slow[] = {"--debug-delay=200", NULL};
	char	   *slower[] = {"--debug-delay=3600000", NULL};
	gs_msg_hello hello = {.magic = GS_PROTOCOL_MAGIC,
	.version = GS_PROTOCOL_VERSION, .incarnation = INCARNATION};
	gs_msg_feed feed = {.n = 1024, .present = 1024};
	static client idle;
	gs_header	empty;
	service		s;
	int			status;
	bool		done;

	service_start(&s, slow);
	client_open(&idle);
	begin_scan();
	kill(s.pid, SIGTERM);
	check(client_receive(&idle) == 0,
		  "SIGTERM: an idle client is disconnected");
	client_close(&idle);
	done = client_receive(&c) == GS_MSG_DONE;
	client_send(&c, &feed, GS_MSG_FEED, sizeof feed);
	done = done && client_receive(&c) == GS_MSG_DONE;
	client_send(&c, &empty, GS_MSG_FINISH, sizeof empty);
	check(done && client_receive(&c) == GS_MSG_RESULT,
		  "SIGTERM: a request goes on");
	client_send(&c, &empty, GS_MSG_END, sizeof empty);
	check(client_receive(&c) == 0, "SIGTERM: to its end");
	client_close(&c);
	check(exited_with(service_end(&s, 0), GS_EXIT_ORDERLY),
		  "SIGTERM: gpuscand ends");
	check(access("test.sock", F_OK) != 0, "SIGTERM: the socket is gone");

	/* a client that comes just then need not wait for others to end */
	service_start(&s, slow);
	begin_scan();
	kill(s.pid, SIGSTOP);
	waitpid(s.pid, &status, WUNTRACED);
	client_connect(&idle);
	client_send(&idle, &hello, GS_MSG_HELLO, sizeof hello);
	kill(s.pid, SIGTERM);
	kill(s.pid, SIGCONT);
	check(client_receive(&idle) == 0, "SIGTERM: nobody is kept waiting");
	client_close(&idle);
	client_close(&c);
	service_end(&s, 0);

	service_start(&s, slower);
	client_open(&idle);
	begin_scan();
	kill(s.pid, SIGTERM);
	check(client_receive(&idle) == 0, "SIGTERM twice: the first");
	client_close(&idle);
	check(exited_with(service_end(&s, SIGTERM), GS_EXIT_ORDERLY),
		  "SIGTERM twice: at once");
	check(client_receive(&c) == 0, "SIGTERM twice: nobody is served");
	client_close(&c);
}

/* When the supervisor ends, so does gpuscand. */
static void
test_lifeline(void)
{
	service		s;
	int			status;

	service_start(&s, NULL);
	client_open(&c);
	close(s.lifeline);
	check(client_receive(&c) == 0, "no supervisor: clients are told");
	client_close(&c);
	waitpid(s.pid, &status, 0);
	check(exited_with(status, GS_EXIT_ORDERLY), "no supervisor: it ends");
}

/* A failed device, or a request that never ends: both end gpuscand. */
static void
test_failures(void)
{
	char	   *failing[] = {"--debug-fail-after=1", NULL};
	char	   *stuck[] = {"--debug-delay=3600000", "--response-timeout=1",
	NULL};
	gs_msg_feed feed = {.n = 1024, .present = 1024};
	gs_msg_done *done = (gs_msg_done *) c.buffer;
	service		s;

	service_start(&s, failing);
	begin_scan();
	check(client_receive(&c) == GS_MSG_DONE && done->outcome.status == GS_OK,
		  "failing: at first it does not");
	client_send(&c, &feed, GS_MSG_FEED, sizeof feed);
	check(client_receive(&c) == GS_MSG_DONE &&
		  done->outcome.status == GS_DEVICE_LOST, "failing: then it does");
	check(client_receive(&c) == 0, "failing: for good");
	client_close(&c);
	check(exited_with(service_end(&s, 0), GS_EXIT_DEVICE),
		  "failing: it says so");

	service_start(&s, stuck);
	begin_scan();
	check(client_receive(&c) == 0, "stuck: nobody is served");
	client_close(&c);
	check(exited_with(service_end(&s, 0), GS_EXIT_STUCK), "stuck: it says so");
}

/* One gpuscand per socket; a killed one leaves nothing in the way. */
static void
test_lock(void)
{
	service		first;
	service		second;
	struct stat info;

	service_start(&first, NULL);
	service_start(&second, NULL);
	check(strstr(second.said, "another gpuscand holds") != NULL,
		  "a second one on a socket does not start");
	check(exited_with(service_end(&second, 0), GS_EXIT_START),
		  "and says so");
	check(service_is_idle(), "the first is not disturbed");
	service_end(&first, SIGKILL);
	check(stat("test.sock", &info) == 0 && S_ISSOCK(info.st_mode) &&
		  (info.st_mode & 0777) == 0600, "killed, it leaves its socket");
	service_start(&first, NULL);
	check(strcmp(first.said, GS_READY "cpu") == 0 && service_is_idle(),
		  "which is not in the way of the next");
	service_end(&first, SIGTERM);
}

/* Another operating system user, if we may become one, is refused. */
static void
test_user(void)
{
	gs_msg_hello hello = {{GS_MSG_HELLO, sizeof hello}, GS_PROTOCOL_MAGIC,
	GS_PROTOCOL_VERSION, INCARNATION};
	service		s;

	if (geteuid() != 0)
		return;
	service_start(&s, NULL);
	chmod("test.sock", 0666);	/* the socket's mode is not the only
								 * protection */
	if (seteuid(65534) != 0)
		return;
	client_connect(&c);
	check(client_hello(&c, &hello) == GS_REFUSED_USER,
		  "another user is refused");
	client_close(&c);
	if (seteuid(0) != 0)
		exit(1);
	service_end(&s, SIGTERM);
}

/* How much of the staging memory is there? */
static int64_t
allocated(void)
{
	struct stat info;

	return fstat(c.memory, &info) == 0 ? (int64_t) info.st_blocks * 512 : -1;
}

/* From now on this process and its children get no memory in files. */
static bool
refuse_memory(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fallocate, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSPC),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
	};
	struct sock_fprog program = {4, filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* A service without memory refuses what needs it, and goes on. */
static bool
refuses(void)
{
	const gs_msg_granted *granted = (gs_msg_granted *) c.buffer;
	service		s;
	bool		good;

	service_start(&s, NULL);
	begin_scan();
	good = ((gs_header *) c.buffer)->kind == GS_MSG_GRANTED &&
		granted->outcome.status == GS_NO_MEMORY;
	client_close(&c);
	return good && service_is_idle() && service_end(&s, SIGTERM) == 0;
}

/* Slots get their memory when they are granted, or the request fails. */
static void
test_memory(void)
{
	service		s;
	int			status;
	pid_t		child;

	service_start(&s, NULL);
	client_open(&c);
	check(allocated() >= 0 && allocated() < SLOT_SIZE,
		  "memory: none at the start");
	client_close(&c);
	begin_scan();
	check(allocated() >= 2 * SLOT_SIZE && allocated() < 3 * SLOT_SIZE,
		  "memory: of two slots that are granted");
	client_close(&c);
	check(service_has_released(), "memory: they are released");
	begin_scan();
	check(allocated() < 3 * SLOT_SIZE, "memory: which are used again");
	client_close(&c);
	service_end(&s, SIGTERM);

	child = fork();
	if (child == 0)
		_exit(refuse_memory() && refuses() ? 0 : 1);
	check(child > 0 && waitpid(child, &status, 0) == child &&
		  exited_with(status, 0), "memory: there is none left");
}

void
test_lifecycle(void)
{
	test_memory();
	test_termination();
	test_lifeline();
	test_failures();
	test_lock();
	test_user();
}
