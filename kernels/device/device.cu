/*-------------------------------------------------------------------------
 *
 * device.cu
 *	  The device, and the pool of execution contexts.
 *
 * Streams, events and pinned memory are slow to create, compared with a small
 * execution, so the context of one execution (gs_exec_context) is kept for the
 * next.  Device memory comes from memory.cu, and goes back there at the end of
 * each execution.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/device/device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The most idle contexts to keep. */
#define IDLE_MAX		16

/* Spin for this long on an event before blocking. */
#define SPIN_NS			200000

/* The lowest compute capability that kernels are compiled for. */
#define MIN_MAJOR		7
#define MIN_MINOR		5

static int	the_device = -1;
static cudaStream_t put_stream;	/* to and from memory that outlives
									 * executions */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* under lock */
static gs_exec_context *idle;
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
		gs_memory_acquire(size, &memory) != cudaSuccess)
		return NULL;			/* other calls report a lost device */
	return memory;
}

/* Kernels read up to the next multiple of 16 bytes: clear what follows. */
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

gs_status
gs_memory_write(void *to, const void *from, size_t size)
{
	if (cudaSetDevice(the_device) == cudaSuccess &&
		cudaMemcpyAsync(to, from, size, cudaMemcpyHostToDevice,
						put_stream) == cudaSuccess &&
		cudaStreamSynchronize(put_stream) == cudaSuccess)
		return GS_OK;
	return GS_DEVICE_LOST;
}

gs_status
gs_memory_get(void *to, const void *from, size_t size)
{
	if (cudaSetDevice(the_device) == cudaSuccess &&
		cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToHost,
						put_stream) == cudaSuccess &&
		cudaStreamSynchronize(put_stream) == cudaSuccess)
		return GS_OK;
	return GS_DEVICE_LOST;
}

gs_status
gs_memory_widen(void *to, int to_width, const void *from, int from_width,
				int64_t n, uint64_t add)
{
	if (cudaSetDevice(the_device) == cudaSuccess &&
		gs_widen(to, to_width, from, from_width, n, add,
				 put_stream) == cudaSuccess &&
		cudaStreamSynchronize(put_stream) == cudaSuccess)
		return GS_OK;
	return GS_DEVICE_LOST;
}

void
gs_memory_release(void *memory, size_t)
{
	(void) cudaSetDevice(the_device);
	gs_memory_give_back((char *) memory);
}

/* ----------
 * Execution contexts
 * ----------
 */

static void
give_memory(gs_exec_context *context)
{
	if (context->memory != NULL)
		gs_memory_give_back(context->memory);
	context->memory = NULL;
	context->size = 0;
}

cudaError_t
gs_exec_context_reserve(gs_exec_context *context, size_t size)
{
	if (size <= context->size)
		return cudaSuccess;
	give_memory(context);
	GS_TRY(gs_memory_acquire(size, &context->memory));
	context->size = size;
	return cudaSuccess;
}

static void
destroy(gs_exec_context *context)
{
	for (int i = 0; i < GS_DEPTH; i++)
	{
		gs_pipeline_stage *stage = &context->stage[i];

		if (stage->uploaded != NULL)
			(void) cudaEventDestroy(stage->uploaded);
		if (stage->computed != NULL)
			(void) cudaEventDestroy(stage->computed);
		if (stage->downloaded != NULL)
			(void) cudaEventDestroy(stage->downloaded);
	}
	if (context->reported != NULL)
		(void) cudaEventDestroy(context->reported);
	if (context->upload != NULL)
		(void) cudaStreamDestroy(context->upload);
	if (context->patient != NULL)
		(void) cudaStreamDestroy(context->patient);
	if (context->compute != NULL)
		(void) cudaStreamDestroy(context->compute);
	if (context->download != NULL)
		(void) cudaStreamDestroy(context->download);
	if (context->pinned != NULL)
		(void) cudaFreeHost(context->pinned);
	free(context);
}

static cudaError_t
create_event(cudaEvent_t *event)
{
	return cudaEventCreateWithFlags(event, cudaEventDisableTiming |
									cudaEventBlockingSync);
}

static cudaError_t
create_stream(cudaStream_t *stream)
{
	return cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
}

static cudaError_t
create(gs_exec_context *context)
{
	const size_t undecided_size = GS_UNDECIDED_MAX * sizeof(gs_undecided);
	const size_t stage_size = gs_aligned(sizeof(gs_done)) +
		gs_aligned(undecided_size) + 2 * GS_BOUNCE_SIZE;
	char	   *at;

	int			least;
	int			greatest;

	GS_TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
	GS_TRY(create_stream(&context->upload));
	GS_TRY(cudaStreamCreateWithPriority(&context->compute,
										cudaStreamNonBlocking, greatest));
	GS_TRY(create_stream(&context->patient));
	GS_TRY(create_stream(&context->download));
	GS_TRY(create_event(&context->reported));
	GS_TRY(cudaHostAlloc((void **) &context->pinned,
						 GS_DEPTH * stage_size + GS_REPORT_SIZE,
						 cudaHostAllocDefault));
	at = context->pinned;
	context->report = (char *) gs_part(&at, GS_REPORT_SIZE);
	for (int i = 0; i < GS_DEPTH; i++)
	{
		gs_pipeline_stage *stage = &context->stage[i];

		GS_TRY(create_event(&stage->uploaded));
		GS_TRY(create_event(&stage->computed));
		GS_TRY(create_event(&stage->downloaded));
		stage->in = (char *) gs_part(&at, GS_BOUNCE_SIZE);
		stage->out = (char *) gs_part(&at, GS_BOUNCE_SIZE);
		stage->done = (gs_done *) gs_part(&at, sizeof(gs_done));
		stage->undecided = (gs_undecided *) gs_part(&at, undecided_size);
	}
	return cudaSuccess;
}

/* An idle context, or a new one. */
cudaError_t
gs_exec_context_acquire(gs_exec_context **result)
{
	gs_exec_context *context;
	cudaError_t error;

	*result = NULL;
	GS_TRY(cudaSetDevice(the_device));
	pthread_mutex_lock(&lock);
	context = idle;
	if (context != NULL)
	{
		idle = context->next;
		idle_count--;
	}
	pthread_mutex_unlock(&lock);
	if (context == NULL)
	{
		context = (gs_exec_context *) calloc(1, sizeof *context);
		if (context == NULL)
			return cudaErrorMemoryAllocation;
		error = create(context);
		if (error != cudaSuccess)
		{
			destroy(context);
			return error;
		}
	}
	*result = context;
	return cudaSuccess;
}

void
gs_exec_context_release(gs_exec_context *context)
{
	bool		keep;

	give_memory(context);
	pthread_mutex_lock(&lock);
	keep = idle_count < IDLE_MAX;
	if (keep)
	{
		context->next = idle;
		idle = context;
		idle_count++;
	}
	pthread_mutex_unlock(&lock);
	if (!keep)
		destroy(context);
}

/* ----------
 * Events
 * ----------
 */

cudaError_t
gs_event_is_complete(cudaEvent_t event, bool *complete)
{
	cudaError_t error = cudaEventQuery(event);

	*complete = error == cudaSuccess;
	if (error != cudaErrorNotReady)
		return error;
	(void) cudaGetLastError();	/* not ready is no error */
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
gs_event_wait(cudaEvent_t event)
{
	int64_t		end = now_ns() + SPIN_NS;
	bool		complete;

	do
	{
		GS_TRY(gs_event_is_complete(event, &complete));
		if (complete)
			return cudaSuccess;
	} while (now_ns() < end);
	return cudaEventSynchronize(event);
}

/* ----------
 * Errors
 * ----------
 */

gs_status
gs_device_fail(gs_error *error, gs_status status, const char *message)
{
	if (error->status != GS_OK)
		return error->status;
	error->status = status;
	snprintf(error->message, sizeof error->message, "%s", message);
	return status;
}

gs_status
gs_device_outcome(gs_error *error, cudaError_t result)
{
	if (result == cudaSuccess)
		return GS_OK;
	if (result == cudaErrorMemoryAllocation)
	{
		(void) cudaGetLastError();	/* or the next launch would report it */
		return gs_device_fail(error, GS_NO_MEMORY, "out of device memory");
	}
	return gs_device_fail(error, GS_DEVICE_LOST, cudaGetErrorString(result));
}

/* ----------
 * The device
 * ----------
 */

/* The driver's own version or, if that cannot be read, its CUDA version. */
static void
get_driver_version(char *to, size_t size)
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
	gs_exec_context *context;

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
	if (property.major < MIN_MAJOR ||
		(property.major == MIN_MAJOR && property.minor < MIN_MINOR))
	{
		snprintf(message, size,
				 "device %d (%s) has compute capability %d.%d, %d.%d is "
				 "needed", device, property.name, property.major,
				 property.minor, MIN_MAJOR, MIN_MINOR);
		return cudaErrorNoDevice;
	}
	GS_TRY(cudaSetDevice(device));
	the_device = device;
	GS_TRY(cudaMemGetInfo(&available, &total));
	GS_TRY(cudaRuntimeGetVersion(&version));
	snprintf(info->name, sizeof info->name, "%.127s", property.name);
	snprintf(info->runtime, sizeof info->runtime, "%d.%d", version / 1000,
			 version % 1000 / 10);
	get_driver_version(info->driver, sizeof info->driver);
	info->memory_total = total;
	info->memory_used = total - available;

	gs_memory_open(limit, total);
	GS_TRY(create_stream(&put_stream));

	/* create the first context now, not in the first execution */
	GS_TRY(gs_exec_context_acquire(&context));
	gs_exec_context_release(context);
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
