/*-------------------------------------------------------------------------
 *
 * device.cu
 *	  The device, its memory, and what executions work with.
 *
 * Streams, events, pinned memory and device memory take long to make, compared
 * with a small execution.  So what one execution had (gs_work) is kept for the
 * next.  The memory of those at rest is not lost to the others: an execution
 * that finds too little takes theirs.
 *
 * What outlives executions, copies of stored arrays, comes out of a pool of
 * CUDA's: its pieces are of any size, and come and go without the device having
 * to pause.  Both kinds count together against the limit.
 *
 *-------------------------------------------------------------------------
 */
#include "device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* At rest, so many are kept, and so much device memory of each. */
#define IDLE_MOST		16
#define IDLE_SIZE_MOST	((size_t) 64 << 20)

/* Device memory is taken in pieces of this many bytes. */
#define GRAIN			((size_t) 2 << 20)

/* The pool keeps so much that is not in use, rather than give it back. */
#define POOL_IDLE		((uint64_t) 256 << 20)

/* Time to look for an event before going to sleep. */
#define LOOK_NS			200000

/* The least compute capability that kernels are compiled for. */
#define LEAST_MAJOR		7
#define LEAST_MINOR		5

static int	the_device = -1;
static uint64_t memory_limit;
static cudaMemPool_t pool;		/* NULL: the device has none */
static cudaStream_t pool_stream;	/* all that is done to its pieces */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* under lock */
static gs_work *idle;
static int	idle_count;
static uint64_t memory_used;

/* ----------
 * Device memory
 * ----------
 */

static void
free_memory(gs_work *work)
{
	if (work->memory == NULL)
		return;
	(void) cudaFree(work->memory);
	memory_used -= work->size;
	work->memory = NULL;
	work->size = 0;
}

/* What the pool holds: all of it, or what is in use. */
static uint64_t
pool_size(cudaMemPoolAttr which)
{
	uint64_t	size = 0;

	if (pool == NULL ||
		cudaMemPoolGetAttribute(pool, which, &size) != cudaSuccess)
		return 0;
	return size;
}

static uint64_t
all_memory_used(void)
{
	return memory_used + pool_size(cudaMemPoolAttrReservedMemCurrent);
}

/* Have the pool give back what is not in use. */
static void
trim_pool(void)
{
	if (pool != NULL)
		(void) cudaMemPoolTrimTo(pool, 0);
}

/* Under lock: take memory, if the limit and the device have it. */
static cudaError_t
take_memory(gs_work *work, size_t size)
{
	cudaError_t error;

	if (memory_limit > 0 && all_memory_used() + size > memory_limit)
		trim_pool();
	if (memory_limit > 0 && all_memory_used() + size > memory_limit)
		return cudaErrorMemoryAllocation;
	error = cudaMalloc((void **) &work->memory, size);
	if (error == cudaErrorMemoryAllocation)
	{
		(void) cudaGetLastError();	/* it does not stick; forget it */
		trim_pool();
		error = cudaMalloc((void **) &work->memory, size);
	}
	if (error == cudaErrorMemoryAllocation)
		(void) cudaGetLastError();
	if (error != cudaSuccess)
	{
		work->memory = NULL;
		return error;
	}
	work->size = size;
	memory_used += size;
	return cudaSuccess;
}

cudaError_t
gs_work_reserve(gs_work *work, size_t size)
{
	cudaError_t error;

	if (size <= work->size)
		return cudaSuccess;
	if (size > SIZE_MAX - GRAIN)
		return cudaErrorMemoryAllocation;
	size = (size + GRAIN - 1) / GRAIN * GRAIN;
	pthread_mutex_lock(&lock);
	free_memory(work);
	error = take_memory(work, size);
	for (gs_work *w = idle; w != NULL && error == cudaErrorMemoryAllocation;
		 w = w->next)
	{
		if (w->memory == NULL)
			continue;
		free_memory(w);
		error = take_memory(work, size);
	}
	pthread_mutex_unlock(&lock);
	return error;
}

uint64_t
gs_cuda_memory_used(void)
{
	uint64_t	used;

	pthread_mutex_lock(&lock);
	used = all_memory_used();
	pthread_mutex_unlock(&lock);
	return used;
}

/* ----------
 * Memory that outlives executions
 * ----------
 */

/* Without a pool, there is just no such memory. */
static cudaError_t
create_pool(int device)
{
	cudaMemPoolProps properties;
	uint64_t	idle = POOL_IDLE;
	int			supported = 0;

	GS_TRY(cudaDeviceGetAttribute(&supported,
								  cudaDevAttrMemoryPoolsSupported, device));
	if (!supported)
		return cudaSuccess;
	memset(&properties, 0, sizeof properties);
	properties.allocType = cudaMemAllocationTypePinned;
	properties.location.type = cudaMemLocationTypeDevice;
	properties.location.id = device;
	GS_TRY(cudaStreamCreateWithFlags(&pool_stream, cudaStreamNonBlocking));
	GS_TRY(cudaMemPoolCreate(&pool, &properties));
	return cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
								   &idle);
}

/* Under lock: would the limit allow for so much more of the pool? */
static bool
pool_may_grow(size_t size)
{
	return memory_limit == 0 || memory_used +
		pool_size(cudaMemPoolAttrUsedMemCurrent) + size <= memory_limit;
}

void *
gs_memory_reserve(size_t size)
{
	void	   *memory = NULL;

	if (pool == NULL || cudaSetDevice(the_device) != cudaSuccess)
		return NULL;
	pthread_mutex_lock(&lock);
	for (gs_work *w = idle; w != NULL && !pool_may_grow(size); w = w->next)
		free_memory(w);
	if (pool_may_grow(size) &&
		(cudaMallocFromPoolAsync(&memory, size, pool,
								 pool_stream) != cudaSuccess ||
		 cudaStreamSynchronize(pool_stream) != cudaSuccess))
	{
		(void) cudaGetLastError();	/* what is serious comes again */
		memory = NULL;
	}
	pthread_mutex_unlock(&lock);
	return memory;
}

/* Kernels read on to the end of 16 bytes; what they find there is something. */
gs_status
gs_memory_put(void *to, const void *from, size_t size)
{
	if (cudaSetDevice(the_device) == cudaSuccess &&
		cudaMemcpyAsync(to, from, size, cudaMemcpyHostToDevice,
						pool_stream) == cudaSuccess &&
		cudaMemsetAsync((char *) to + size, 0, 16,
						pool_stream) == cudaSuccess &&
		cudaStreamSynchronize(pool_stream) == cudaSuccess)
		return GS_OK;
	return GS_DEVICE_LOST;
}

void
gs_memory_release(void *memory, size_t)
{
	if (cudaSetDevice(the_device) != cudaSuccess ||
		cudaFreeAsync(memory, pool_stream) != cudaSuccess)
		(void) cudaGetLastError();	/* the device is lost, as others will see */
}

/* ----------
 * Work
 * ----------
 */

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
	pthread_mutex_lock(&lock);
	free_memory(work);
	pthread_mutex_unlock(&lock);
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

	pthread_mutex_lock(&lock);
	if (work->size > IDLE_SIZE_MOST)
		free_memory(work);
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
open_device(int device, gs_cuda_info *info, char *message, size_t size)
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

	GS_TRY(create_pool(device));

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
	memory_limit = limit;
	error = open_device(device, info, message, size);
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
