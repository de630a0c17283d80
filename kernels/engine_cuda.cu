/*-------------------------------------------------------------------------
 *
 * engine_cuda.cu
 *	  The CUDA engine: executions on a device.
 *
 * What an execution computes, the families of kernels.h know.  Here is how
 * chunks travel.  An execution has SLOTS chunks under way at a time, each with
 * device memory of its own, and three streams:
 *
 *		upload		host to device, of chunk k + 1
 *		compute		the family's work on chunk k
 *		download	device to host, of the results of chunk k - 1
 *
 * tied together by events.  A small array uses one stream and no events, one
 * chunk at a time: fewer calls, which is what its time consists of.
 *
 * The host learns what a chunk gave from gs_done, in host memory that the
 * device writes to.  Where it says how much is to be copied (a compaction keeps
 * an unknown number of elements), the copy waits for it; else results are
 * copied unseen.
 *
 * Lanes, the streams and events of an execution, are kept for the next one.
 * Device memory is one piece for each execution, from a pool of CUDA's; what
 * all executions hold together is counted here and kept below the limit, by
 * smaller chunks if need be.
 *
 *-------------------------------------------------------------------------
 */
#include "common.cuh"
#include "cuda_engine.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define SLOTS			3
#define CHUNK_ELEMENTS	(INT64_C(1) << 19)
#define SINGLE_ELEMENTS	(INT64_C(1) << 16)
#define LEAST_ELEMENTS	(16 * (int64_t) GS_CHUNK_ALIGN)

/* What the pool keeps of memory that nobody holds. */
#define POOL_KEEPS		(UINT64_C(1) << 30)

typedef struct lane
{
	struct lane *next;
	cudaStream_t upload;
	cudaStream_t compute;
	cudaStream_t download;
	cudaEvent_t ready;			/* the state is initialised */
	cudaEvent_t uploaded[SLOTS];
	cudaEvent_t computed[SLOTS];
	cudaEvent_t downloaded[SLOTS];
	gs_done    *done;			/* SLOTS of them */
} lane;

/* The device memory of a chunk, and where its results go. */
typedef struct slot
{
	uint8_t    *values;
	uint8_t    *validity;
	uint8_t    *mask;
	uint8_t    *mask_validity;
	uint8_t    *out_values;
	uint8_t    *out_validity;
	gs_output  *out;			/* of the feed under way */
	int64_t		n;
} slot;

struct gs_run
{
	const gs_op *op;
	const gs_family *family;
	lane	   *lane;
	int64_t		n;				/* elements of the array */
	int64_t		fed;
	int64_t		present;
	int64_t		chunk;			/* most elements of a feed */
	bool		single;			/* one stream, one chunk at a time */
	bool		gives;			/* has output */
	uint8_t    *memory;
	size_t		memory_size;
	void	   *state;
	void	   *scratch;
	slot		slots[SLOTS];
	int64_t		feeds;
	int64_t		waits;
	gs_error	error;
};

/* Set by gs_cuda_open. */
static int	the_device;
static uint64_t memory_limit;
static cudaMemPool_t pool;

/* Under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static lane *free_lanes;
static uint64_t memory_used;

/* ----------
 * Errors
 * ----------
 */
static gs_status
status_of(cudaError_t error)
{
	return error == cudaSuccess ? GS_OK :
		error == cudaErrorMemoryAllocation ? GS_NO_MEMORY : GS_DEVICE_LOST;
}

static gs_status
fail(gs_run *run, gs_status status, const char *message)
{
	run->error.status = status;
	snprintf(run->error.message, sizeof run->error.message, "%s", message);
	return status;
}

/* What a run's function returns after CUDA has returned this. */
static gs_status
outcome(gs_run *run, cudaError_t error)
{
	if (error == cudaSuccess)
		return GS_OK;
	(void) cudaGetLastError();	/* clears it, if it can be cleared */
	return fail(run, status_of(error), cudaGetErrorString(error));
}

/* ----------
 * The device
 * ----------
 */
static cudaError_t
open_device(int device, uint64_t limit, gs_cuda_info *info)
{
	struct cudaDeviceProp properties;
	cudaMemPoolProps pool_properties;
	uint64_t	keeps = POOL_KEEPS;
	int			driver;

	GS_TRY(cudaSetDevice(device));
	GS_TRY(cudaFree(NULL));		/* makes the context */
	GS_TRY(cudaGetDeviceProperties(&properties, device));
	GS_TRY(cudaDriverGetVersion(&driver));
	snprintf(info->name, sizeof info->name, "%s", properties.name);
	snprintf(info->driver, sizeof info->driver, "CUDA %d.%d", driver / 1000,
			 driver % 1000 / 10);
	info->memory_total = properties.totalGlobalMem;

	memset(&pool_properties, 0, sizeof pool_properties);
	pool_properties.allocType = cudaMemAllocationTypePinned;
	pool_properties.location.type = cudaMemLocationTypeDevice;
	pool_properties.location.id = device;
	GS_TRY(cudaMemPoolCreate(&pool, &pool_properties));
	GS_TRY(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
								   &keeps));
	the_device = device;
	memory_limit = limit;
	return cudaSuccess;
}

gs_status
gs_cuda_open(int device, uint64_t limit, gs_cuda_info *info, char *message,
			 size_t size)
{
	int			count = 0;
	cudaError_t error = cudaGetDeviceCount(&count);

	if (error != cudaSuccess)
		snprintf(message, size, "no device: %s", cudaGetErrorString(error));
	else if (device < 0 || device >= count)
		snprintf(message, size, "no device %d: there are %d", device, count);
	else
	{
		error = open_device(device, limit, info);
		if (error == cudaSuccess)
			return GS_OK;
		snprintf(message, size, "could not open device %d: %s", device,
				 cudaGetErrorString(error));
	}
	return GS_DEVICE_LOST;
}

gs_status
gs_cuda_register(void *base, size_t size)
{
	return status_of(cudaHostRegister(base, size, cudaHostRegisterPortable |
									  cudaHostRegisterMapped));
}

uint64_t
gs_cuda_memory_used(void)
{
	uint64_t	used;

	pthread_mutex_lock(&lock);
	used = memory_used;
	pthread_mutex_unlock(&lock);
	return used;
}

/* ----------
 * Lanes and memory
 * ----------
 */
static void
lane_free(lane *l)
{
	cudaStream_t streams[] = {l->upload, l->compute, l->download};

	for (int i = 0; i < 3; i++)
		if (streams[i] != NULL)
			(void) cudaStreamDestroy(streams[i]);
	if (l->ready != NULL)
		(void) cudaEventDestroy(l->ready);
	for (int i = 0; i < SLOTS; i++)
	{
		if (l->uploaded[i] != NULL)
			(void) cudaEventDestroy(l->uploaded[i]);
		if (l->computed[i] != NULL)
			(void) cudaEventDestroy(l->computed[i]);
		if (l->downloaded[i] != NULL)
			(void) cudaEventDestroy(l->downloaded[i]);
	}
	if (l->done != NULL)
		(void) cudaFreeHost(l->done);
	free(l);
}

static cudaError_t
lane_fill(lane *l)
{
	GS_TRY(cudaStreamCreateWithFlags(&l->upload, cudaStreamNonBlocking));
	GS_TRY(cudaStreamCreateWithFlags(&l->compute, cudaStreamNonBlocking));
	GS_TRY(cudaStreamCreateWithFlags(&l->download, cudaStreamNonBlocking));
	GS_TRY(cudaEventCreateWithFlags(&l->ready, cudaEventDisableTiming));
	for (int i = 0; i < SLOTS; i++)
	{
		GS_TRY(cudaEventCreateWithFlags(&l->uploaded[i],
										cudaEventDisableTiming));
		GS_TRY(cudaEventCreateWithFlags(&l->computed[i],
										cudaEventDisableTiming));
		GS_TRY(cudaEventCreateWithFlags(&l->downloaded[i],
										cudaEventDisableTiming));
	}
	return cudaHostAlloc((void **) &l->done, SLOTS * sizeof(gs_done),
						 cudaHostAllocMapped | cudaHostAllocPortable);
}

static cudaError_t
lane_get(lane **result)
{
	lane	   *l;
	cudaError_t error;

	pthread_mutex_lock(&lock);
	l = free_lanes;
	if (l != NULL)
		free_lanes = l->next;
	pthread_mutex_unlock(&lock);
	*result = l;
	if (l != NULL)
		return cudaSuccess;
	l = (lane *) calloc(1, sizeof *l);
	if (l == NULL)
		return cudaErrorMemoryAllocation;
	error = lane_fill(l);
	if (error != cudaSuccess)
		lane_free(l);
	else
		*result = l;
	return error;
}

static void
lane_put(lane *l)
{
	pthread_mutex_lock(&lock);
	l->next = free_lanes;
	free_lanes = l;
	pthread_mutex_unlock(&lock);
}

/* Count bytes as used, if the limit allows it. */
static bool
reserve(size_t bytes)
{
	bool		fits;

	pthread_mutex_lock(&lock);
	fits = memory_limit == 0 || bytes <= memory_limit - memory_used;
	if (fits)
		memory_used += bytes;
	pthread_mutex_unlock(&lock);
	return fits;
}

static void
unreserve(size_t bytes)
{
	pthread_mutex_lock(&lock);
	memory_used -= bytes;
	pthread_mutex_unlock(&lock);
}

/* Share out memory, or count how much there is to share out. */
static size_t
share_out(gs_run *run, uint8_t *memory)
{
	const gs_op *op = run->op;
	size_t		n = (size_t) run->chunk;
	size_t		bitmap = (n + 63) / 64 * 8;
	char	   *at = (char *) memory;

	run->state = gs_part(&at, run->family->state_size(op, run->n));
	run->scratch = gs_part(&at, run->family->scratch_size(op, run->chunk));
	for (int i = 0; i < (run->single ? 1 : SLOTS); i++)
	{
		slot	   *s = &run->slots[i];

		s->values = (uint8_t *)
			gs_part(&at, n * gs_type_width((gs_type) op->type));
		s->validity = (uint8_t *) gs_part(&at, bitmap);
		if (gs_has_mask(op))
		{
			s->mask = (uint8_t *) gs_part(&at, n);
			s->mask_validity = (uint8_t *) gs_part(&at, bitmap);
		}
		if (run->gives)
		{
			s->out_values = (uint8_t *)
				gs_part(&at, n * gs_type_width(gs_output_type(op)));
			s->out_validity = (uint8_t *) gs_part(&at, bitmap);
		}
	}
	return (size_t) (at - (char *) memory);
}

/* Memory for the run, for smaller chunks if there is too little. */
static cudaError_t
take_memory(gs_run *run)
{
	cudaStream_t stream = run->lane->compute;

	for (;;)
	{
		size_t		size;
		cudaError_t error = cudaErrorMemoryAllocation;

		size = share_out(run, NULL);
		if (reserve(size))
		{
			error = cudaMallocFromPoolAsync((void **) &run->memory, size,
											pool, stream);
			if (error == cudaSuccess)
			{
				run->memory_size = size;
				share_out(run, run->memory);
				return cudaSuccess;
			}
			unreserve(size);
			(void) cudaGetLastError();
		}
		if (error != cudaErrorMemoryAllocation ||
			run->chunk <= LEAST_ELEMENTS)
			return error;
		run->chunk /= 2;
	}
}

/* ----------
 * The engine
 * ----------
 */
const gs_family *
gs_family_of(const gs_op *op)
{
	gs_kind		kind = (gs_kind) op->kind;

	if (kind == GS_PRODUCT)
		return &gs_product_family;
	if (gs_is_reduction(kind))
		return &gs_reduce_family;
	if (gs_is_scan(kind))
		return &gs_scan_family;
	return gs_is_histogram(kind) ? &gs_histogram_family : &gs_compact_family;
}

static cudaError_t
start(gs_run *run)
{
	GS_TRY(cudaSetDevice(the_device));
	GS_TRY(lane_get(&run->lane));
	GS_TRY(take_memory(run));
	GS_TRY(run->family->start(run->op, run->n, run->state,
							  run->lane->compute));
	if (!run->single)
	{
		/* uploads wait for the memory */
		GS_TRY(cudaEventRecord(run->lane->ready, run->lane->compute));
		GS_TRY(cudaStreamWaitEvent(run->lane->upload, run->lane->ready, 0));
	}
	return cudaSuccess;
}

static void
cuda_end(gs_run *run)
{
	lane	   *l = run->lane;

	if (l != NULL)
	{
		/* nothing may touch the caller's memory, or this, after here */
		bool		ends = run->error.status != GS_DEVICE_LOST;

		ends = cudaStreamSynchronize(l->upload) == cudaSuccess && ends;
		ends = cudaStreamSynchronize(l->compute) == cudaSuccess && ends;
		ends = cudaStreamSynchronize(l->download) == cudaSuccess && ends;
		if (run->memory != NULL)
			ends = cudaFreeAsync(run->memory, l->compute) == cudaSuccess &&
				ends;
		if (ends)
			lane_put(l);
		else
			lane_free(l);
	}
	if (run->memory != NULL)
		unreserve(run->memory_size);
	free(run);
}

static gs_status
cuda_begin(const gs_op *op, int64_t n, gs_run **result)
{
	gs_run	   *run;
	gs_status	status;

	*result = NULL;
	if (gs_op_check(op) != GS_OK || n < 0 || n > INT32_MAX)
		return GS_INVALID;
	run = (gs_run *) calloc(1, sizeof *run);
	if (run == NULL)
		return GS_NO_MEMORY;
	run->op = op;
	run->n = n;
	run->family = gs_family_of(op);
	run->gives = gs_is_scan((gs_kind) op->kind) ||
		gs_is_compaction((gs_kind) op->kind);
	run->chunk = CHUNK_ELEMENTS;
	run->single = n <= SINGLE_ELEMENTS;
	if (n < run->chunk)
		run->chunk = gs_divide_up(n > 0 ? n : 1, GS_CHUNK_ALIGN) *
			GS_CHUNK_ALIGN;
	status = outcome(run, start(run));
	if (status != GS_OK)
	{
		cuda_end(run);
		return status;
	}
	*result = run;
	return GS_OK;
}

static void
cuda_shape(const gs_run *run, int64_t *chunk, int *depth)
{
	*chunk = run->chunk;
	*depth = run->single ? 1 : SLOTS;
}

/* Is what a span says of itself true? */
static bool
span_is_sound(const gs_span *span, int64_t n)
{
	int64_t		count = 0;

	if (span->present < 0 || span->present > n ||
		(span->present > 0 && span->values == NULL))
		return false;
	if (span->present == n)
		return true;
	if (span->validity == NULL)
		return false;
	for (int64_t i = 0; i < n / 64; i++)
	{
		uint64_t	word;

		memcpy(&word, span->validity + 8 * i, 8);
		count += __builtin_popcountll(word);
	}
	for (int64_t i = n / 64 * 64; i < n; i++)
		count += span->validity[i / 8] >> (i % 8) & 1;
	return count == span->present;
}

static cudaError_t
upload_span(const gs_span *span, int64_t n, int width, uint8_t *values,
			uint8_t *validity, cudaStream_t stream, gs_device_span *result)
{
	result->values = values;
	result->present = span->present;
	result->validity = NULL;
	if (span->present > 0)
		GS_TRY(cudaMemcpyAsync(values, span->values,
							   (size_t) span->present * width,
							   cudaMemcpyHostToDevice, stream));
	if (span->present < n)
	{
		result->validity = validity;
		GS_TRY(cudaMemcpyAsync(validity, span->validity, (size_t) (n + 7) / 8,
							   cudaMemcpyHostToDevice, stream));
	}
	return cudaSuccess;
}

/* Does only gs_done tell how many results there are to copy? */
static bool
copies_late(const gs_run *run)
{
	return gs_is_compaction((gs_kind) run->op->kind);
}

/* Copy what a chunk gave, or will have given, to the host. */
static cudaError_t
download(gs_run *run, const slot *s, int64_t n, int64_t present,
		 bool has_nulls, cudaStream_t stream)
{
	if (present > 0)
		GS_TRY(cudaMemcpyAsync(s->out->values, s->out_values,
							   (size_t) present *
							   gs_type_width(gs_output_type(run->op)),
							   cudaMemcpyDeviceToHost, stream));
	if (has_nulls && n > 0)
		GS_TRY(cudaMemcpyAsync(s->out->validity, s->out_validity,
							   (size_t) (n + 7) / 8, cudaMemcpyDeviceToHost,
							   stream));
	return cudaSuccess;
}

static cudaError_t
run_chunk(gs_run *run, const gs_input *in, gs_output *out)
{
	const gs_op *op = run->op;
	int			k = (int) (run->feeds % SLOTS);
	slot	   *s = &run->slots[run->single ? 0 : k];
	lane	   *l = run->lane;
	cudaStream_t upload = run->single ? l->compute : l->upload;
	gs_device_input device_in;
	gs_device_output device_out;

	memset(&device_in, 0, sizeof device_in);
	device_in.first = run->fed;
	device_in.n = in->n;
	s->out = out;
	s->n = in->n;
	if (run->feeds >= SLOTS && !run->single)
		GS_TRY(cudaStreamWaitEvent(upload, l->computed[k], 0));
	GS_TRY(upload_span(&in->data, in->n, gs_type_width((gs_type) op->type),
					   s->values, s->validity, upload, &device_in.data));
	if (gs_has_mask(op))
		GS_TRY(upload_span(&in->mask, in->n, 1, s->mask, s->mask_validity,
						   upload, &device_in.mask));
	if (!run->single)
	{
		GS_TRY(cudaEventRecord(l->uploaded[k], upload));
		GS_TRY(cudaStreamWaitEvent(l->compute, l->uploaded[k], 0));
	}

	device_out.values = s->out_values;
	device_out.validity = s->out_validity;
	device_out.done = &l->done[k];
	memset(&l->done[k], 0, sizeof(gs_done));
	GS_TRY(run->family->chunk(op, &device_in, run->gives ? &device_out : NULL,
							  run->state, run->scratch, l->compute));
	if (!run->single)
		GS_TRY(cudaEventRecord(l->computed[k], l->compute));
	if (!run->gives || copies_late(run))
		return cudaSuccess;
	if (!run->single)
		GS_TRY(cudaStreamWaitEvent(l->download, l->computed[k], 0));
	GS_TRY(download(run, s, in->n, in->n,
					gs_gives_null(op, in->data.present < in->n),
					run->single ? l->compute : l->download));
	return run->single ? cudaSuccess :
		cudaEventRecord(l->downloaded[k], l->download);
}

static gs_status
cuda_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	const gs_op *op = run->op;
	gs_status	status;

	if (run->error.status != GS_OK)
		return run->error.status;
	if (in->n < 0 || in->n > run->n - run->fed || in->n > run->chunk ||
		run->fed % GS_CHUNK_ALIGN != 0)
		return fail(run, GS_INVALID, "chunk does not fit the array");
	if (run->feeds - run->waits >= (run->single ? 1 : SLOTS))
		return fail(run, GS_INVALID, "too many chunks under way");
	if (!span_is_sound(&in->data, in->n) ||
		(gs_has_mask(op) && !span_is_sound(&in->mask, in->n)))
		return fail(run, GS_INVALID, "chunk's counts are wrong");
	if (run->gives)
	{
		if (in->n > 0 && (out->values == NULL ||
						  (out->validity == NULL &&
						   gs_gives_null(op, in->data.present < in->n))))
			return fail(run, GS_INVALID, "chunk has no room for results");
		out->n = 0;
		out->present = 0;
	}
	run->slots[run->single ? 0 : run->feeds % SLOTS].n = 0;
	if (in->n > 0)
	{
		status = outcome(run, run_chunk(run, in, out));
		if (status != GS_OK)
			return status;
	}
	run->feeds++;
	run->fed += in->n;
	run->present += in->data.present;
	return GS_OK;
}

/* Until the caller's memory is the caller's again. */
static cudaError_t
wait_for(gs_run *run, int k, slot *s)
{
	lane	   *l = run->lane;
	gs_done    *done = &l->done[k];

	if (!run->gives)
		return run->single ? cudaStreamSynchronize(l->compute) :
			cudaEventSynchronize(l->uploaded[k]);
	if (!copies_late(run))
		return run->single ? cudaStreamSynchronize(l->compute) :
			cudaEventSynchronize(l->downloaded[k]);
	GS_TRY(run->single ? cudaStreamSynchronize(l->compute) :
		   cudaEventSynchronize(l->computed[k]));
	GS_TRY(download(run, s, done->n, done->present, done->present < done->n,
					run->single ? l->compute : l->download));
	return cudaStreamSynchronize(run->single ? l->compute : l->download);
}

static gs_status
cuda_wait(gs_run *run)
{
	int			k = (int) (run->waits % SLOTS);
	slot	   *s = &run->slots[run->single ? 0 : k];
	const gs_done *done = &run->lane->done[k];
	gs_status	status;

	if (run->error.status != GS_OK)
		return run->error.status;
	if (run->waits == run->feeds)
		return fail(run, GS_INVALID, "no chunk is under way");
	run->waits++;
	if (s->n == 0)
		return GS_OK;
	status = outcome(run, wait_for(run, k, s));
	if (status != GS_OK || !run->gives)
		return status;
	if (done->overflow != 0)
	{
		run->error.position = done->overflow;
		return fail(run, run->op->kind == GS_SCAN_SUM &&
					run->op->type == GS_INT8 ? GS_BIGINT_RANGE :
					GS_FLOAT_OVERFLOW, "");
	}
	s->out->n = done->n;
	s->out->present = done->present;
	return GS_OK;
}

static cudaError_t
fetch_report(gs_run *run, void *report, size_t size)
{
	cudaStream_t stream = run->lane->compute;

	GS_TRY(run->family->finish(run->op, run->n, run->state, stream));
	if (size > 0)
		GS_TRY(cudaMemcpyAsync(report, run->state, size,
							   cudaMemcpyDeviceToHost, stream));
	return cudaStreamSynchronize(stream);
}

static gs_status
cuda_finish(gs_run *run, gs_result *result)
{
	int64_t    *counts = result->counts;
	size_t		size = run->family->report_size(run->op);
	void	   *report;
	gs_status	status;

	if (run->error.status != GS_OK)
		return run->error.status;
	if (run->fed != run->n || run->waits != run->feeds)
		return fail(run, GS_INVALID, "array is not complete");
	memset(result, 0, sizeof *result);
	result->n = run->n;
	result->present = run->present;
	result->counts = counts;
	if (size == 0)
		return GS_OK;
	report = malloc(size);
	if (report == NULL)
		return fail(run, GS_NO_MEMORY, "out of memory");
	status = outcome(run, fetch_report(run, report, size));
	if (status == GS_OK)
		run->family->result(run->op, report, result);
	free(report);
	return status;
}

static const gs_error *
cuda_error(const gs_run *run)
{
	return &run->error;
}

const gs_engine gs_engine_cuda = {
	"cuda",
	cuda_begin,
	cuda_shape,
	cuda_feed,
	cuda_wait,
	cuda_finish,
	cuda_error,
	cuda_end
};
