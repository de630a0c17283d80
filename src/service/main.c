/*-------------------------------------------------------------------------
 *
 * main.c
 *	  gpuscand: owns the GPU on behalf of a PostgreSQL server.
 *
 * The supervisor, a background worker of the server (supervisor.c), starts it,
 * and learns through the lifeline when it is ready, or why it could not start.
 * Backends then connect to the socket.  What ends gpuscand:
 *
 * - SIGTERM: it stops accepting connections, finishes all requests, and exits
 *   when the last connection has ended.  A second SIGTERM ends it at once, and
 *   the supervisor sends SIGKILL if it takes too long.
 * - The end of the lifeline: the supervisor has died, for whatever reason.
 *   (The supervisor also has the kernel kill gpuscand when it dies.)
 * - A failure of the device, or a request that does not end.
 *
 * Only one gpuscand can serve a socket: it holds a lock on a file beside it
 * while it lives.  The socket gets its name, by a rename, only when everything
 * is ready, so a socket that a killed predecessor left behind does no harm.
 *
 *-------------------------------------------------------------------------
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "engine/devices.h"
#include "service/service.h"

#ifdef GS_WITH_CUDA
#include "kernels/cuda_engine.h"
#endif

#define MAX_CONNECTIONS	4096
#define OTHER_DESCRIPTORS	128 /* including CUDA's */

static void fail_start(const char *format,...)
			__attribute__((format(printf, 1, 2), noreturn));

static void
fail_start(const char *format,...)
{
	char		reason[256];
	va_list		arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	gs_log("could not start: %s", reason);
	if (gs_service.lifeline >= 0)
		(void) send(gs_service.lifeline, reason, strlen(reason), MSG_NOSIGNAL);
	exit(GS_EXIT_START);
}

/* False, with the reason, if there is no device that can be used. */
static bool
open_device(char *message, size_t size)
{
#ifdef GS_WITH_CUDA
	gs_config  *c = &gs_service;
	gs_cuda_info info;

	memset(&info, 0, sizeof info);
	info.devices = c->all_devices ? 0 : c->devices;
	memcpy(info.device, c->device, sizeof info.device);
	if (gs_cuda_open(c->memory_limit, &info, message, size) != GS_OK)
		return false;
	c->devices = info.devices;
	memcpy(c->device, info.device, sizeof c->device);
	if (info.left_out[0] != '\0')
		gs_log("not all devices are used: %s", info.left_out);
	snprintf(c->device_name, sizeof c->device_name, "%s", info.name);
	snprintf(c->driver, sizeof c->driver, "%s", info.driver);
	c->memory_total = info.memory_total;
	c->engine = &gs_engine_cuda;
	c->plan_engine = &gs_plan_cuda;
	return true;
#else
	snprintf(message, size,
			 "no device: this gpuscand was built without CUDA");
	return false;
#endif
}

/* What a container may use, of either version of cgroups; else all there is. */
static uint64_t
host_memory(void)
{
	static const char *const limits[] = {
		"/sys/fs/cgroup/memory.max",
		"/sys/fs/cgroup/memory/memory.limit_in_bytes"
	};
	uint64_t	memory = (uint64_t) sysconf(_SC_PHYS_PAGES) *
		(uint64_t) sysconf(_SC_PAGESIZE);

	for (int i = 0; i < 2; i++)
	{
		FILE	   *file = fopen(limits[i], "r");
		uint64_t	limit;

		if (file == NULL)
			continue;
		if (fscanf(file, "%" SCNu64, &limit) == 1 && limit < memory)
			memory = limit;
		fclose(file);
	}
	return memory;
}

static uint64_t
default_cache_size(void)
{
	const gs_config *c = &gs_service;
	uint64_t	eighth = host_memory() / 8;

	if (c->engine->on_device)
		return c->memory_limit > 0 ?
			c->memory_limit / 4 * (uint64_t) c->devices : c->memory_total / 4;
	return eighth < GS_CACHE_HOST_MAX ? eighth : GS_CACHE_HOST_MAX;
}

static int
default_threads(void)
{
	long		half = sysconf(_SC_NPROCESSORS_ONLN) / 2;

	return half < 1 ? 1 : half > GS_ENGINE_THREADS_MAX ?
		GS_ENGINE_THREADS_MAX : (int) half;
}

/* Is any device another one's memory, too? */
static bool
are_logical(const gs_config *c)
{
	for (int i = 0; i < c->devices; i++)
	{
		for (int j = 0; j < i; j++)
		{
			if (c->device[i] == c->device[j])
				return true;
		}
	}
	return !c->engine->on_device;
}

/*
 * Where `auto` finds no device, backends learn from the welcome that this
 * service is for reports alone.  It does not look for a device again: after a
 * failure of the device, the log tells why reports have become slower.
 */
static void
open_engine(void)
{
	gs_config  *c = &gs_service;
	char		message[sizeof c->no_device] = "";

	c->engine = &gs_engine_cpu;
	c->plan_engine = &gs_plan_cpu;
	if (c->wanted != GS_WANT_CPU && !open_device(message, sizeof message))
	{
		if (c->wanted == GS_WANT_CUDA)
			fail_start("%s", message);
		gs_log("%s; until it is started again, the service computes reports "
			   "on the CPU, and functions over arrays do not use it",
			   message);
		memcpy(c->no_device, message, sizeof c->no_device);
	}
	if (!c->engine->on_device &&
		(c->all_devices || c->wanted != GS_WANT_CPU))
		c->devices = 1;
	c->logical_devices = c->devices > 1 && are_logical(c);
	gs_engine_reserve = gs_execution_grow;
	gs_engine_progress = gs_report_progress;
	gs_engine_threads = c->threads > 0 ? c->threads : default_threads();
	if (c->cache_size == GS_CACHE_DEFAULT)
		c->cache_size = default_cache_size();
	else if (c->engine->on_device && !c->logical_devices)
		c->cache_size *= (uint64_t) c->devices;
	c->cache_share = c->cache_size / (uint64_t) c->devices;
	if (c->host_cache_size == GS_CACHE_DEFAULT)
		c->host_cache_size = c->engine->on_device ? host_memory() / 4 : 0;
	if (c->delay > 0 || c->fail_after > 0)
	{
		c->engine = gs_debug_engine(c->engine, c->delay, c->fail_after,
									c->fail_device);
		c->plan_engine = gs_debug_plan_engine(c->plan_engine);
	}
	if (c->devices > 1)
		c->plan_engine = gs_plan_devices(c->plan_engine, c->devices,
										 gs_device_use, gs_device_least_busy);
}

#ifdef GS_WITH_CUDA
/*
 * Register it with CUDA, for fast copies: all of it is pinned.  The host may
 * not allow so much pinned memory.
 */
static void
register_staging(void)
{
	gs_status	status = gs_cuda_register(gs_staging_base(),
										  gs_service.staging_size);

	if (status == GS_OK)
		status = gs_cuda_register(gs_staging_bitmaps(0),
								  gs_service.staging_size / GS_BITMAP_SHARE);
	if (status == GS_DEVICE_LOST)
		fail_start("the device failed when memory was registered with it");
	if (status != GS_OK)
		gs_log("could not register %llu bytes of staging memory with CUDA; "
			   "copies to and from the device will be slower",
			   (unsigned long long) gs_service.staging_size);
}
#endif

static void
create_staging(void)
{
	bool		on_device = gs_service.engine->on_device;

	if (!gs_staging_create(gs_service.staging_size, gs_service.slot_size,
						   on_device))
		fail_start("could not create %llu bytes of staging memory: %s",
				   (unsigned long long) gs_service.staging_size,
				   strerror(errno));
#ifdef GS_WITH_CUDA
	if (on_device)
		register_staging();
#endif
}

/*
 * Lock the lock file, until this process ends; F_GETLK tells others its pid.
 */
static void
acquire_lock(void)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	char		path[128];
	int			fd;

	snprintf(path, sizeof path, "%s.lock", gs_service.socket);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		fail_start("could not open \"%s\": %s", path, strerror(errno));
	if (fcntl(fd, F_SETLK, &lock) != 0)
		fail_start("another gpuscand holds \"%s\"", path);
}

static int
listen_on_socket(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int			fd;

	snprintf(address.sun_path, sizeof address.sun_path, "%s.new",
			 gs_service.socket);
	unlink(address.sun_path);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 ||
		bind(fd, (struct sockaddr *) &address, sizeof address) != 0 ||
		chmod(address.sun_path, 0600) != 0 ||
		listen(fd, MAX_CONNECTIONS) != 0 ||
		rename(address.sun_path, gs_service.socket) != 0)
		fail_start("could not listen on \"%s\": %s", gs_service.socket,
				   strerror(errno));
	gs_listening = true;
	return fd;
}

static int
prepare_signals(void)
{
	sigset_t	signals;
	int			fd;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	gs_stop_fd = eventfd(0, EFD_CLOEXEC);
	if (fd < 0 || gs_stop_fd < 0)
		fail_start("could not prepare for signals: %s", strerror(errno));
	return fd;
}

/*
 * Raise the limit on descriptors, two of which each connection takes, and
 * limit the number of connections so that descriptors never run out: a client
 * that is not accepted waits, and takes us for dead.
 */
static void
raise_limits(void)
{
	struct rlimit limit;

	gs_service.max_connections = MAX_CONNECTIONS;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void) setrlimit(RLIMIT_NOFILE, &limit);
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
		limit.rlim_cur < 2 * MAX_CONNECTIONS + OTHER_DESCRIPTORS)
		gs_service.max_connections = limit.rlim_cur <= OTHER_DESCRIPTORS ? 1 :
			(int) (limit.rlim_cur - OTHER_DESCRIPTORS) / 2;
}

/*
 * If memory runs out, have the kernel kill this process, which costs no query
 * its answer, rather than one of the server's.
 */
static void
prefer_oom_kill(void)
{
	int			fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void) !write(fd, "1000", 4);
	close(fd);
}

static void
accept_client(int listener)
{
	static _Atomic int64_t logged;
	int			fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

	if (fd >= 0)
		gs_connection_start(fd);
	else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
	{
		/* the client waits in the queue; do not spin meanwhile */
		if (gs_log_due(&logged))
			gs_log("could not accept a connection: %s", strerror(errno));
		usleep(100000);
	}
}

/* Start to end; at once, if this is the second signal. */
static void
stop(void)
{
	uint64_t	one = 1;

	if (atomic_load(&gs_stopping))
		gs_exit(GS_EXIT_ORDERLY);
	gs_log("stopping once %d connections have ended",
		   (int) atomic_load(&gs_connections));
	unlink(gs_service.socket);
	gs_listening = false;
	atomic_store(&gs_stopping, true);
	(void) !write(gs_stop_fd, &one, sizeof one);
}

/* Serve until it is time to end. */
static void
run(int listener, int signals)
{
	struct pollfd fds[3] = {
		{.fd = signals, .events = POLLIN},
		{.fd = gs_service.lifeline, .events = POLLIN},
		{.fd = listener, .events = POLLIN}
	};

	while (!atomic_load(&gs_stopping) || atomic_load(&gs_connections) > 0)
	{
		struct signalfd_siginfo info;
		bool		stopping = atomic_load(&gs_stopping);

		/* clients not accepted yet look for another service at once */
		if (stopping && fds[2].fd >= 0)
		{
			close(fds[2].fd);
			fds[2].fd = -1;		/* poll ignores it */
		}
		(void) poll(fds, 3, stopping ? 10 : 500);
		if (fds[0].revents & POLLIN &&
			read(signals, &info, sizeof info) == sizeof info)
			stop();
		if (fds[1].revents != 0)
		{
			gs_log("the supervisor has gone");
			gs_exit(GS_EXIT_ORDERLY);
		}
		if (fds[2].revents != 0 && !atomic_load(&gs_stopping))
			accept_client(listener);
		gs_connections_watch();
	}
}

/*
 * Tell the supervisor, and give it the staging memory, which it frees after
 * our end.  The end of the lifeline is noticed elsewhere.
 */
static void
tell_ready(void)
{
	char		message[64];

	snprintf(message, sizeof message, GS_READY "%s", gs_service.engine->name);
	if (gs_service.lifeline >= 0)
		(void) gs_send_memory(gs_service.lifeline, message, strlen(message),
							  gs_staging_fd());
}

int
main(int argc, char **argv)
{
	struct timespec now;
	int			signals;
	int			listener;

	gs_options(argc, argv);
	clock_gettime(CLOCK_REALTIME, &now);
	gs_service.started_at = (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
	if (gs_service.lifeline >= 0)
		fcntl(gs_service.lifeline, F_SETFD, FD_CLOEXEC);
	umask(077);
	signals = prepare_signals();
	raise_limits();
	prefer_oom_kill();
	acquire_lock();
	open_engine();
	create_staging();
	listener = listen_on_socket();
	gs_log("ready: version " GS_VERSION ", engine %s%s%s, staging %llu MB",
		   gs_service.engine->name,
		   gs_service.device_name[0] != '\0' ? ", device " : "",
		   gs_service.device_name,
		   (unsigned long long) (gs_service.staging_size >> 20));
	tell_ready();
	run(listener, signals);
	gs_log("exiting after %llu calls",
		   (unsigned long long) atomic_load(&gs_calls));
	return GS_EXIT_ORDERLY;
}
