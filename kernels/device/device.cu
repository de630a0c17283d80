/*-------------------------------------------------------------------------
 *
 * device.cu
 *	  The devices, and their pools of execution contexts.
 *
 * Streams, events and pinned memory are slow to create, compared with a small
 * execution, so the context of one execution (gs_exec_context) is kept for the
 * next.  Device memory comes from memory.cu, and goes back there at the end of
 * each execution.
 *
 * A thread uses one device at a time, which has a number of the engine's own:
 * CUDA's device may have several, for tests (gs_cuda_info).
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

/* Of several devices, one that has this part of its memory is idle enough. */
#define IDLE_ENOUGH		2

/* The lowest compute capability that kernels are compiled for. */
#define MIN_MAJOR		7
#define MIN_MINOR		5

static int	number_of[GS_DEVICES_MAX];	/* CUDA's */
static cudaStream_t put_stream[GS_DEVICES_MAX];	/* to and from memory that
												 * outlives executions */

static thread_local int used;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* under lock */
static gs_exec_context *idle[GS_DEVICES_MAX];
static int	idle_count[GS_DEVICES_MAX];

/* ----------
 * The device that a thread uses
 * ----------
 */

int
gs_device_used(void)
{
	return used;
}

cudaError_t
gs_device_set(int device)
{
	used = device;
	return cudaSetDevice(number_of[device]);
}

/* What follows reports a lost device. */
void
gs_device_use_cuda(int device)
{
	(void) gs_device_set(device);
}

/* ----------
 * Memory that outlives executions
 * ----------
 */

void *
gs_memory_reserve(size_t size)
{
	char	   *memory;

	if (gs_device_set(used) != cudaSuccess ||
		gs_memory_acquire(size, &memory) != cudaSuccess)
		return NULL;			/* other calls report a lost device */
	return memory;
}

void *
gs_memory_reserve_host(size_t size)
{
	char	   *memory;

	return gs_device_set(used) == cudaSuccess &&
		gs_memory_acquire_host(size, &memory) == cudaSuccess ? memory : NULL;
}

/* Kernels read up to the next multiple of 16 bytes: clear what follows. */
gs_status
gs_memory_put(void *to, const void *from, size_t size)
{
	if (gs_device_set(used) == cudaSuccess &&
		cudaMemcpyAsync(to, from, size, cudaMemcpyHostToDevice,
						put_stream[used]) == cudaSuccess &&
		cudaMemsetAsync((char *) to + size, 0, 16,
						put_stream[used]) == cudaSuccess &&
		cudaStreamSynchronize(put_stream[used]) == cudaSuccess)
		return GS_OK;
	return GS_DEVICE_LOST;
}

gs_status
gs_memory_write(void *to, const void *from, size_t size)
{
	if (gs_device_set(used) == cudaSuccess &&
		cudaMemcpyAsync(to, from, size, cudaMemcpyHostToDevice,
						put_stream[used]) == cudaSuccess &&
		cudaStreamSynchronize(put_stream[used]) == cudaSuccess)
		return GS_OK;
	return GS_DEVICE_LOST;
}

gs_status
gs_memory_get(void *to, const void *from, size_t size)
{
	if (gs_device_set(used) == cudaSuccess &&
		cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToHost,
						put_stream[used]) == cudaSuccess &&
		cudaStreamSynchronize(put_stream[used]) == cudaSuccess)
		return GS_OK;
	return GS_DEVICE_LOST;
}

gs_status
gs_memory_widen(void *to, int to_width, const void *from, int from_width,
				int64_t n, uint64_t add)
{
	if (gs_device_set(used) == cudaSuccess &&
		gs_widen(to, to_width, from, from_width, n, add,
				 put_stream[used]) == cudaSuccess &&
		cudaStreamSynchronize(put_stream[used]) == cudaSuccess)
		return GS_OK;
	return GS_DEVICE_LOST;
}

gs_status
gs_memory_unscale(void *to, gs_type type, const void *from,
				  const gs_encoding *encoding, int64_t n)
{
	if (gs_device_set(used) == cudaSuccess &&
		gs_unscale(to, type, from, encoding, n,
				   put_stream[used]) == cudaSuccess &&
		cudaStreamSynchronize(put_stream[used]) == cudaSuccess)
		return GS_OK;
	return GS_DEVICE_LOST;
}

/* With a word of the device's memory for the kernel. */
static cudaError_t
scale_with(int *word, void *to, const gs_encoding *encoding, gs_type type,
		   const void *from, const uint8_t *validity, int64_t n, int *misfit)
{
	cudaStream_t stream = put_stream[used];

	GS_TRY(cudaMemsetAsync(word, 0, sizeof *word, stream));
	GS_TRY(gs_scale(to, encoding, type, from, validity, n, word, stream));
	GS_TRY(cudaMemcpyAsync(misfit, word, sizeof *word, cudaMemcpyDeviceToHost,
						   stream));
	return cudaStreamSynchronize(stream);
}

gs_status
gs_memory_scale(void *to, const gs_encoding *encoding, gs_type type,
				const void *from, const uint8_t *validity, int64_t n)
{
	char	   *word;
	int			misfit = 0;
	cudaError_t error;

	if (gs_device_set(used) != cudaSuccess)
		return GS_DEVICE_LOST;
	if (gs_memory_acquire(sizeof(int), &word) != cudaSuccess)
		return GS_NO_MEMORY;
	error = scale_with((int *) word, to, encoding, type, from, validity, n,
					   &misfit);
	gs_memory_give_back(word);
	return error != cudaSuccess ? GS_DEVICE_LOST :
		misfit != 0 ? GS_VALUE_ERROR : GS_OK;
}

void
gs_memory_release(void *memory, size_t)
{
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
	GS_TRY(gs_device_set(used));
	pthread_mutex_lock(&lock);
	context = idle[used];
	if (context != NULL)
	{
		idle[used] = context->next;
		idle_count[used]--;
	}
	pthread_mutex_unlock(&lock);
	if (context == NULL)
	{
		context = (gs_exec_context *) calloc(1, sizeof *context);
		if (context == NULL)
			return cudaErrorMemoryAllocation;
		context->device = used;
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
	keep = idle_count[context->device] < IDLE_MAX;
	if (keep)
	{
		context->next = idle[context->device];
		idle[context->device] = context;
		idle_count[context->device]++;
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
 * The devices
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

/* Does it serve?  If not, `why` says what is wrong. */
static cudaError_t
look_at_device(int number, int count, struct cudaDeviceProp *property,
			   char *why, size_t size)
{
	if (number < 0 || number >= count)
	{
		snprintf(why, size, "no device %d: there are %d, counted from 0",
				 number, count);
		return cudaErrorNoDevice;
	}
	GS_TRY(cudaGetDeviceProperties(property, number));
	if (property->major < MIN_MAJOR ||
		(property->major == MIN_MAJOR && property->minor < MIN_MINOR))
	{
		snprintf(why, size,
				 "device %d (%s) has compute capability %d.%d, %d.%d is "
				 "needed", number, property->name, property->major,
				 property->minor, MIN_MAJOR, MIN_MINOR);
		return cudaErrorNoDevice;
	}
	return cudaSuccess;
}

/* Let two devices read each other's memory; a logical one does. */
static cudaError_t
enable_peer(int a, int b)
{
	int			possible;
	cudaError_t error;

	if (number_of[a] == number_of[b])
		return cudaSuccess;
	GS_TRY(cudaDeviceCanAccessPeer(&possible, number_of[a], number_of[b]));
	if (!possible)
		return cudaErrorPeerAccessUnsupported;
	GS_TRY(gs_device_set(a));
	error = cudaDeviceEnablePeerAccess(number_of[b], 0);
	if (error != cudaErrorPeerAccessAlreadyEnabled)
		return error;
	(void) cudaGetLastError();	/* clear the error */
	return cudaSuccess;
}

/* Open the engine's next device.  Of several, it is to be idle enough. */
static cudaError_t
open_device(int number, int count, bool idle_only, uint64_t limit,
			gs_cuda_info *info, char *why, size_t size)
{
	struct cudaDeviceProp property;
	size_t		available;
	size_t		total;
	int			device = info->devices;
	size_t		length = strlen(info->name);
	bool		known = false;
	gs_exec_context *context;

	GS_TRY(look_at_device(number, count, &property, why, size));
	number_of[device] = number;
	GS_TRY(gs_device_set(device));
	GS_TRY(cudaMemGetInfo(&available, &total));
	if (idle_only && available < total / IDLE_ENOUGH)
	{
		snprintf(why, size, "device %d has %zu of %zu MB left", number,
				 available >> 20, total >> 20);

		/* its context, without which nothing is known of its memory, goes */
		(void) cudaDeviceReset();
		return cudaErrorMemoryAllocation;
	}
	for (int i = 0; i < device; i++)
	{
		known |= number_of[i] == number;
		GS_TRY(enable_peer(i, device));
		GS_TRY(enable_peer(device, i));
	}
	GS_TRY(gs_device_set(device));
	gs_memory_open(device, limit, total);
	GS_TRY(create_stream(&put_stream[device]));

	/* create the first context now, not in the first execution */
	GS_TRY(gs_exec_context_acquire(&context));
	gs_exec_context_release(context);
	info->device[info->devices++] = number;
	if (known)
		return cudaSuccess;
	info->memory_total += total;
	info->memory_used += total - available;
	if (length + 2 < sizeof info->name)
		snprintf(info->name + length, sizeof info->name - length, "%s%s",
				 length > 0 ? ", " : "", property.name);
	return cudaSuccess;
}

static cudaError_t
open_devices(uint64_t limit, gs_cuda_info *info, char *message, size_t size)
{
	int			wanted = info->devices;
	bool		all = wanted == 0;
	int			device[GS_DEVICES_MAX];
	int			version;
	int			count = 0;
	cudaError_t result = cudaErrorNoDevice;

	GS_TRY(cudaDriverGetVersion(&version));
	if (version == 0)
	{
		snprintf(message, size, "no device: there is no NVIDIA driver");
		return cudaErrorNoDevice;
	}
	GS_TRY(cudaGetDeviceCount(&count));
	memcpy(device, info->device, sizeof device);
	if (all)
	{
		wanted = count < GS_DEVICES_MAX ? count : GS_DEVICES_MAX;
		for (int i = 0; i < wanted; i++)
			device[i] = i;
	}
	info->devices = 0;
	for (int i = 0; i < wanted; i++)
	{
		char		why[160] = "";
		cudaError_t error = open_device(device[i], count, all && count > 1,
										limit, info, why, sizeof why);

		if (error == cudaSuccess)
			continue;
		(void) cudaGetLastError();	/* the others may do */
		result = error;
		if (why[0] == '\0')
			snprintf(why, sizeof why, "device %d: %s", device[i],
					 cudaGetErrorString(error));
		if (message[0] == '\0')
			snprintf(message, size, "%s", why);
		if (info->left_out[0] == '\0')
			snprintf(info->left_out, sizeof info->left_out, "%s", why);
	}
	if (info->devices == 0)
		return result;
	GS_TRY(gs_device_set(0));
	GS_TRY(cudaRuntimeGetVersion(&version));
	snprintf(info->runtime, sizeof info->runtime, "%d.%d", version / 1000,
			 version % 1000 / 10);
	get_driver_version(info->driver, sizeof info->driver);
	return cudaSuccess;
}

gs_status
gs_cuda_open(uint64_t limit, gs_cuda_info *info, char *message, size_t size)
{
	cudaError_t error;

	info->name[0] = info->left_out[0] = '\0';
	info->memory_total = info->memory_used = 0;
	message[0] = '\0';

	/*
	 * Streams that share one of the device's queues wait for each other, whatever
	 * their priorities.  There are 8 unless more are asked for, 32 at most.
	 */
	(void) setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
	error = open_devices(limit, info, message, size);
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
