/*-------------------------------------------------------------------------
 *
 * device.cu
 *	  The device, and what executions work with.
 *
 * Streams, events and pinned memory take long to make, compared with a small
 * execution.  So what one execution had (gs_work) is kept for the next.  Device
 * memory comes from memory.cu, and goes back there with each execution's end.
 *
 *-------------------------------------------------------------------------
 */
#include "device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* At rest, so many are kept. */
#define IDLE_MOST		16

/* Time to look for an event before going to sleep. */
#define LOOK_NS			200000

/* The least compute capability that kernels are compiled for. */
#define LEAST_MAJOR		7
#define LEAST_MINOR		5

static int	the_device = -1;
static cudaStream_t put_stream;	/* to memory that outlives executions */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* under lock */
static gs_work *idle;
static int	idle_count;

/* ----------
 * Memory that outlives executions
 * ----------
 */

void *
gs_memory_reserve(size_t size)
{
	char	   *memory;

	if (cudaSetDevice(the_device) != cudaSuccess ||
		gs_memory_take(size, &memory) != cudaSuccess)
		return NULL;			/* a device that is lost shows elsewhere */
	return memory;
}

/* Kernels read on to the end of 16 bytes; what they find there is something. */
gs_status
gs_memory_put(void *to, const void *from, size_t size)
{
	if (cudaSetDevice(the_device) == cudaSuccess &&
		cudaMemcpyAsync(to, from, size, cudaMemcpyHostToDevice,
						put_stream) == cudaSuccess &&
		cudaMemsetAsync((char *) to + size, 0, 16,
						put_stream) == cudaSuccess &&
		cudaStreamSynchronize(put_stream) == cudaSuccess)
		return GS_OK;
	return GS_DEVICE_LOST;
}

void
gs_memory_release(void *memory, size_t)
{
	(void) cudaSetDevice(the_device);
	gs_memory_give((char *) memory);
}

/* ----------
 * Work
 * ----------
 */

static void
give_memory(gs_work *work)
{
	if (work->memory != NULL)
		gs_memory_give(work->memory);
	work->memory = NULL;
	work->size = 0;
}

cudaError_t
gs_work_reserve(gs_work *work, size_t size)
{
	if (size <= work->size)
		return cudaSuccess;
	give_memory(work);
	GS_TRY(gs_memory_take(size, &work->memory));
	work->size = size;
	return cudaSuccess;
}

static void
destroy(gs_work *work)
{
	for (int i = 0; i < GS_DEPTH; i++)
	{
		gs_bay	   *bay = &work->bay[i];

		if (bay->uploaded != NULL)
			(void) cudaEventDestroy(bay->uploaded);
		if (bay->computed != NULL)
			(void) cudaEventDestroy(bay->computed);
		if (bay->downloaded != NULL)
			(void) cudaEventDestroy(bay->downloaded);
	}
	if (work->reported != NULL)
		(void) cudaEventDestroy(work->reported);
	if (work->upload != NULL)
		(void) cudaStreamDestroy(work->upload);
	if (work->compute != NULL)
		(void) cudaStreamDestroy(work->compute);
	if (work->download != NULL)
		(void) cudaStreamDestroy(work->download);
	if (work->pinned != NULL)
		(void) cudaFreeHost(work->pinned);
	free(work);
}

static cudaError_t
create_event(cudaEvent_t *event)
{
	return cudaEventCreateWithFlags(event, cudaEventDisableTiming |
									cudaEventBlockingSync);
}

static cudaError_t
create(gs_work *work)
{
	size_t		of_bay = gs_aligned(sizeof(gs_done)) + 2 * GS_BOUNCE_SIZE;
	char	   *at;

	GS_TRY(cudaStreamCreateWithFlags(&work->upload, cudaStreamNonBlocking));
	GS_TRY(cudaStreamCreateWithFlags(&work->compute, cudaStreamNonBlocking));
	GS_TRY(cudaStreamCreateWithFlags(&work->download, cudaStreamNonBlocking));
	GS_TRY(create_event(&work->reported));
	GS_TRY(cudaHostAlloc((void **) &work->pinned,
						 GS_DEPTH * of_bay + GS_REPORT_SIZE,
						 cudaHostAllocDefault));
	at = work->pinned;
	work->report = (char *) gs_part(&at, GS_REPORT_SIZE);
	for (int i = 0; i < GS_DEPTH; i++)
	{
		gs_bay	   *bay = &work->bay[i];

		GS_TRY(create_event(&bay->uploaded));
		GS_TRY(create_event(&bay->computed));
		GS_TRY(create_event(&bay->downloaded));
		bay->in = (char *) gs_part(&at, GS_BOUNCE_SIZE);
		bay->out = (char *) gs_part(&at, GS_BOUNCE_SIZE);
		bay->done = (gs_done *) gs_part(&at, sizeof(gs_done));
	}
	return cudaSuccess;
}

/* One at rest, or a new one. */
cudaError_t
gs_work_get(gs_work **result)
{
	gs_work    *work;
	cudaError_t error;

	*result = NULL;
	GS_TRY(cudaSetDevice(the_device));
	pthread_mutex_lock(&lock);
	work = idle;
	if (work != NULL)
	{
		idle = work->next;
		idle_count--;
	}
	pthread_mutex_unlock(&lock);
	if (work == NULL)
	{
		work = (gs_work *) calloc(1, sizeof *work);
		if (work == NULL)
			return cudaErrorMemoryAllocation;
		error = create(work);
		if (error != cudaSuccess)
		{
			destroy(work);
			return error;
		}
	}
	*result = work;
	return cudaSuccess;
}

void
gs_work_put(gs_work *work)
{
	bool		keep;

	give_memory(work);
	pthread_mutex_lock(&lock);
	keep = idle_count < IDLE_MOST;
	if (keep)
	{
		work->next = idle;
		idle = work;
		idle_count++;
	}
	pthread_mutex_unlock(&lock);
	if (!keep)
		destroy(work);
}

/* ----------
 * Events
 * ----------
 */

cudaError_t
gs_has_come(cudaEvent_t event, bool *come)
{
	cudaError_t error = cudaEventQuery(event);

	*come = error == cudaSuccess;
	if (error != cudaErrorNotReady)
		return error;
	(void) cudaGetLastError();	/* it is no error */
	return cudaSuccess;
}

static int64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

cudaError_t
gs_await(cudaEvent_t event)
{
	int64_t		end = now_ns() + LOOK_NS;
	bool		come;

	do
	{
		GS_TRY(gs_has_come(event, &come));
		if (come)
			return cudaSuccess;
	} while (now_ns() < end);
	return cudaEventSynchronize(event);
}

/* ----------
 * The device
 * ----------
 */

/* The driver's own version; CUDA's says only what it can do. */
static void
tell_driver(char *to, size_t size)
{
	FILE	   *file = fopen("/proc/driver/nvidia/version", "r");
	char		line[256];
	int			version = 0;

	(void) cudaDriverGetVersion(&version);
	snprintf(to, size, "CUDA %d.%d", version / 1000, version % 1000 / 10);
	if (file == NULL)
		return;
	if (fgets(line, sizeof line, file) != NULL)
	{
		char	   *rest;

		for (char *word = strtok_r(line, " \t\n", &rest); word != NULL;
			 word = strtok_r(NULL, " \t\n", &rest))
		{
			if (strspn(word, "0123456789.") == strlen(word) &&
				strchr(word, '.') != NULL)
			{
				snprintf(to, size, "%s", word);
				break;
			}
		}
	}
	fclose(file);
}

static cudaError_t
open_device(int device, uint64_t limit, gs_cuda_info *info, char *message,
			size_t size)
{
	struct cudaDeviceProp property;
	size_t		available;
	size_t		total;
	int			version;
	int			count = 0;
	gs_work    *work;

	GS_TRY(cudaDriverGetVersion(&version));
	if (version == 0)
	{
		snprintf(message, size, "no device: there is no NVIDIA driver");
		return cudaErrorNoDevice;
	}
	GS_TRY(cudaGetDeviceCount(&count));
	if (device < 0 || device >= count)
	{
		snprintf(message, size, "no device %d: there are %d, counted from 0",
				 device, count);
		return cudaErrorNoDevice;
	}
	GS_TRY(cudaGetDeviceProperties(&property, device));
	if (property.major < LEAST_MAJOR ||
		(property.major == LEAST_MAJOR && property.minor < LEAST_MINOR))
	{
		snprintf(message, size,
				 "device %d (%s) has compute capability %d.%d, %d.%d is needed",
				 device, property.name, property.major, property.minor,
				 LEAST_MAJOR, LEAST_MINOR);
		return cudaErrorNoDevice;
	}
	GS_TRY(cudaSetDevice(device));
	the_device = device;
	GS_TRY(cudaMemGetInfo(&available, &total));
	GS_TRY(cudaRuntimeGetVersion(&version));
	snprintf(info->name, sizeof info->name, "%.127s", property.name);
	snprintf(info->runtime, sizeof info->runtime, "%d.%d", version / 1000,
			 version % 1000 / 10);
	tell_driver(info->driver, sizeof info->driver);
	info->memory_total = total;
	info->memory_used = total - available;

	gs_memory_open(limit, total);
	GS_TRY(cudaStreamCreateWithFlags(&put_stream, cudaStreamNonBlocking));

	/* what the first execution needs */
	GS_TRY(gs_work_get(&work));
	gs_work_put(work);
	return cudaSuccess;
}

gs_status
gs_cuda_open(int device, uint64_t limit, gs_cuda_info *info, char *message,
			 size_t size)
{
	cudaError_t error;

	memset(info, 0, sizeof *info);
	message[0] = '\0';
	error = open_device(device, limit, info, message, size);
	if (error == cudaSuccess)
		return GS_OK;
	if (message[0] == '\0')
		snprintf(message, size, "no device: %s", cudaGetErrorString(error));
	return GS_DEVICE_LOST;
}

gs_status
gs_cuda_register(void *base, uint64_t size)
{
	cudaError_t error = cudaHostRegister(base, size, cudaHostRegisterPortable);

	if (error == cudaSuccess)
		return GS_OK;
	(void) cudaGetLastError();
	return cudaDeviceSynchronize() == cudaSuccess ? GS_NO_MEMORY :
		GS_DEVICE_LOST;
}

void
gs_cuda_unregister(void *base)
{
	(void) cudaHostUnregister(base);
}
