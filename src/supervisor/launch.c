/*-------------------------------------------------------------------------
 *
 * launch.c
 *	  gpuscand as a process: its command line, its start, and survivors of
 *	  crashes.
 *
 * gpuscand must never outlive its server.  Its supervisor stops it in order
 * when it can.  When it cannot (a crash restart ends background workers
 * without any callback, and kill -9 ends anything), the kernel kills gpuscand
 * by its parent-death signal; should that signal be lost, gpuscand notices the
 * end of the lifeline.  If a gpuscand survives all of this, the next
 * supervisor finds it by the lock that it holds.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "miscadmin.h"

#include "pg/settings.h"
#include "supervisor/launch.h"
#include "supervisor/shared.h"

#define SURVIVOR_MS		5000	/* time for a killed process to disappear */

/* Is there any sign of a device on this host? */
static bool
device_possible(void)
{
	static const char *const nodes[] = {
		"/dev/nvidiactl",
		"/dev/nvidia0",
		"/dev/dxg",				/* under Windows (WSL) */
		"/dev/nvhost-gpu"		/* Tegra */
	};

	for (int i = 0; i < (int) lengthof(nodes); i++)
	{
		if (access(nodes[i], F_OK) == 0)
			return true;
	}
	return false;
}

/*
 * Can the service run?  If it must have a device, and there is no sign of one,
 * it is not started.
 */
bool
gs_service_possible(void)
{
	return gs_service_engine_setting != GS_SERVICE_CUDA || device_possible();
}

/* Can the service run for functions over arrays, which need a device? */
bool
gs_service_possible_for_arrays(void)
{
	return gs_service_engine_setting == GS_SERVICE_CPU || device_possible();
}

static void add_argument(gs_command *command, const char *format,...)
			__attribute__((format(printf, 2, 3)));

static void
add_argument(gs_command *command, const char *format,...)
{
	char	   *text = command->text[command->count];
	va_list		arguments;

	Assert(command->count < GS_LAUNCH_ARGUMENTS - 1);
	va_start(arguments, format);
	vsnprintf(text, MAXPGPATH, format, arguments);
	va_end(arguments);
	command->argument[command->count++] = text;
	command->argument[command->count] = NULL;
}

/*
 * The service beside the library, or one for all servers of the host, which a
 * package of its own installs.  If that is of another release, sessions are
 * refused and use the CPU.
 */
static void
find_service(char path[MAXPGPATH])
{
#ifdef GS_CUDA_SERVICE
	if (access(GS_CUDA_SERVICE, X_OK) == 0)
	{
		strlcpy(path, GS_CUDA_SERVICE, MAXPGPATH);
		return;
	}
#endif
	snprintf(path, MAXPGPATH, "%s/gpuscand", pkglib_path);
}

/*
 * The command line that follows from the settings.  gs_launch adds the
 * lifeline.
 */
void
gs_command_make(gs_command *command, uint64 incarnation, const char *devices)
{
	static const char *const engines[] = {
		[GS_SERVICE_AUTO] = "auto",
		[GS_SERVICE_CUDA] = "cuda",
		[GS_SERVICE_CPU] = "cpu"
	};

	command->count = 0;
	find_service(command->path);
	add_argument(command, "gpuscand");
	add_argument(command, "--engine=%s", engines[gs_service_engine_setting]);
	add_argument(command, "--devices=%s", devices);
	add_argument(command, "--socket=%s", GS_SOCKET_PATH);
	add_argument(command, "--incarnation=%llx",
				 (unsigned long long) incarnation);
	add_argument(command, "--staging-size=%dkB",
				 Max(gs_staging_size, 2 * gs_chunk_size));
	add_argument(command, "--chunk-size=%dkB", gs_chunk_size);
	add_argument(command, "--memory-limit=%dMB", gs_memory_limit);
	if (gs_cache_size >= 0)
		add_argument(command, "--cache-size=%dMB", gs_cache_size);
	if (gs_host_cache_size >= 0)
		add_argument(command, "--host-cache-size=%dMB", gs_host_cache_size);
	if (gs_service_threads > 0)
		add_argument(command, "--threads=%d", gs_service_threads);
	add_argument(command, "--response-timeout=%d", gs_response_timeout);
	if (gs_debug_delay > 0)
		add_argument(command, "--debug-delay=%d", gs_debug_delay);
	if (gs_debug_fail_after > 0)
		add_argument(command, "--debug-fail-after=%d", gs_debug_fail_after);
	if (gs_debug_fail_device >= 0)
		add_argument(command, "--debug-fail-device=%d", gs_debug_fail_device);
}

bool
gs_command_equal(const gs_command *a, const gs_command *b)
{
	if (a->count != b->count)
		return false;
	for (int i = 0; i < a->count; i++)
	{
		if (strcmp(a->text[i], b->text[i]) != 0)
			return false;
	}
	return true;
}

/*
 * The child's part between fork and exec, which makes only async-signal-safe
 * calls.  Of the server's descriptors the child keeps standard error, which is
 * the log, and the lifeline.
 */
static void
become_service(gs_command *command, pid_t parent, int lifeline,
			   int descriptors)
{
	sigset_t	none;
	int			null = open("/dev/null", O_RDONLY);

	(void) prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);				/* it died before we asked to die with it */

	/* leave the process group, which the postmaster signals as a whole */
	(void) setsid();
	for (int signo = 1; signo < NSIG; signo++)
		(void) signal(signo, SIG_DFL);
	sigemptyset(&none);
	(void) sigprocmask(SIG_SETMASK, &none, NULL);

	if (null >= 0)
		(void) dup2(null, STDIN_FILENO);
	(void) dup2(STDERR_FILENO, STDOUT_FILENO);
	for (int fd = STDERR_FILENO + 1; fd < descriptors; fd++)
	{
		if (fd != lifeline)
			(void) close(fd);
	}
	(void) execv(command->path, command->argument);
	_exit(127);
}

/*
 * Start gpuscand.  Returns its pid and sets our end of the lifeline, or
 * returns -1 with errno set.
 */
pid_t
gs_launch(gs_command *command, int *lifeline)
{
	gs_command	complete = *command;
	long		descriptors = sysconf(_SC_OPEN_MAX);
	pid_t		parent = getpid();
	sigset_t	all;
	sigset_t	before;
	int			ends[2];
	pid_t		pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0)
		return -1;
	(void) fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	for (int i = 0; i < complete.count; i++)
		complete.argument[i] = complete.text[i];
	add_argument(&complete, "--lifeline=%d", ends[1]);
	if (descriptors < 0 || descriptors > 65536)
		descriptors = 65536;

	/* the child must not run this process's signal handlers */
	sigfillset(&all);
	(void) sigprocmask(SIG_SETMASK, &all, &before);
	pid = fork();
	if (pid == 0)
		become_service(&complete, parent, ends[1], (int) descriptors);
	(void) sigprocmask(SIG_SETMASK, &before, NULL);
	(void) close(ends[1]);
	if (pid < 0)
	{
		int			fork_errno = errno;

		(void) close(ends[0]);
		errno = fork_errno;
		return -1;
	}
	*lifeline = ends[0];
	return pid;
}

/* The pid of the process that holds the lock file; 0 if none does. */
static pid_t
lock_holder(int fd)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (fcntl(fd, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
		return 0;
	return lock.l_pid;
}

/*
 * Kill a gpuscand that survived its server, if there is one.  False if it does
 * not disappear.
 */
bool
gs_end_survivor(void)
{
	int			fd = open(GS_SOCKET_PATH ".lock", O_RDWR | O_CLOEXEC);
	pid_t		holder = 0;

	if (fd < 0)
		return true;			/* none has ever run here */
	for (int ms = 0; ms < SURVIVOR_MS; ms += 10)
	{
		holder = lock_holder(fd);
		if (holder <= 0)
			break;
		if (ms == 0)
		{
			ereport(LOG,
					errmsg("gpuscan: ending a gpuscand of an earlier start of the server (PID %d)",
						   (int) holder));
			(void) kill(holder, SIGKILL);
		}
		pg_usleep(10000);
	}
	(void) close(fd);
	return holder == 0;
}
