/*-------------------------------------------------------------------------
 *
 * memory.cu
 *	  The allocator of device memory: segments from the device, cut into
 *	  pieces.
 *
 * Each execution and each cached array has a piece.  CUDA's own allocators do
 * not fit: cudaFree waits for all work in flight, in all sessions, and a CUDA
 * memory pool reserves so much from the first byte on that it would break
 * small limits.
 *
 * Small pieces share segments; a large piece has a segment of its own.  Empty
 * segments stay idle for the next piece of about that size, so that a large
 * execution is as cheap to repeat as a small one.  They are freed, longest
 * idle first, when there are too many of them, or when the limit or the device
 * leaves no other memory.  All segments count against the limit, empty or not.
 *
 * Each device has a pool of its own, with its own limit; a piece goes back to the
 * one that it came from.
 *
 * A piece given back may be reused at once, so the caller must make sure that
 * no work in flight uses it.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/device/device.h"

#include <pthread.h>
#include <stdlib.h>

/* The granularity of pieces, and of segments, which is the driver's own. */
#define UNIT			((size_t) GS_DEVICE_ALIGN)
#define GRAIN			((size_t) 2 << 20)

/* The size of a shared segment: this, or all memory divided by this. */
#define SHARED_MAX		((size_t) 64 << 20)
#define SHARED_PART		64

/*
 * A piece larger than a shared segment divided by this has its own segment, ..
 */
#define LARGE_PART		4

/* .. which exceeds the piece by at most its size divided by this. */
#define WASTE_PART		4

/* Idle segments: at most all memory divided by this. */
#define IDLE_PART		8

#define BINS			64		/* powers of two */
#define BUCKETS			8192

struct segment;
struct pool;

typedef struct piece
{
	struct segment *segment;
	char	   *at;
	size_t		size;
	bool		used;
	struct piece *before;		/* adjacent pieces of the segment */
	struct piece *behind;
	struct piece *next;			/* in the bin, if it is free and the segment is
								 * shared; in the hash bucket, if it is used */
	struct piece *previous;		/* in the bin */
} piece;

typedef struct segment
{
	struct pool *pool;
	piece	   *first;
	size_t		size;
	bool		shared;
	int64_t		used;			/* pieces */
	struct segment *older;		/* list of idle segments */
	struct segment *newer;
} segment;

/* The memory of a device. */
typedef struct pool
{
	int			device;

	/* set once */
	uint64_t	limit;			/* limit on all segments */
	uint64_t	max_idle;
	size_t		shared_size;

	/* under lock */
	piece	   *bin[BINS];		/* bin i: free pieces of 2^i to 2^(i+1) - 1 */
	segment    *oldest;			/* idle */
	segment    *newest;
	uint64_t	held;			/* size of all segments */
	uint64_t	idle_size;
} pool;

static pool pools[GS_DEVICES_MAX];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* under lock */
static piece *bucket[BUCKETS];	/* hash table of used pieces */

/* ----------
 * Free pieces, and used ones
 * ----------
 */

static int
bin_of(size_t size)
{
	return 63 - __builtin_clzll(size);
}

static void
add_free(piece *p)
{
	piece	  **first = &p->segment->pool->bin[bin_of(p->size)];

	p->used = false;
	p->previous = NULL;
	p->next = *first;
	if (*first != NULL)
		(*first)->previous = p;
	*first = p;
}

static void
remove_free(piece *p)
{
	if (p->previous != NULL)
		p->previous->next = p->next;
	else
		p->segment->pool->bin[bin_of(p->size)] = p->next;
	if (p->next != NULL)
		p->next->previous = p->previous;
}

static piece *
find_free(const pool *from, size_t size)
{
	for (int i = bin_of(size); i < BINS; i++)
	{
		for (piece *p = from->bin[i]; p != NULL; p = p->next)
		{
			if (p->size >= size)
				return p;
		}
	}
	return NULL;
}

static piece **
bucket_of(const char *at)
{
	return &bucket[(uintptr_t) at / UNIT * UINT64_C(0x9e3779b97f4a7c15) >> 51];
}

static void
add_used(piece *p)
{
	piece	  **first = bucket_of(p->at);

	p->used = true;
	p->next = *first;
	*first = p;
}

static piece *
remove_used(const char *at)
{
	piece	  **link = bucket_of(at);
	piece	   *p;

	while ((*link)->at != at)
		link = &(*link)->next;
	p = *link;
	*link = p->next;
	return p;
}

/* ----------
 * Segments
 * ----------
 */

static void
remove_idle(segment *s)
{
	pool	   *from = s->pool;

	*(s->older != NULL ? &s->older->newer : &from->oldest) = s->newer;
	*(s->newer != NULL ? &s->newer->older : &from->newest) = s->older;
	from->idle_size -= s->size;
}

/* Free the segment that has been idle longest; false: there is none. */
static bool
free_oldest(pool *from)
{
	segment    *s = from->oldest;
	int			used = gs_device_used();

	if (s == NULL)
		return false;
	remove_idle(s);
	if (s->shared)
		remove_free(s->first);
	(void) gs_device_set(from->device);
	(void) cudaFree(s->first->at);
	(void) gs_device_set(used);
	from->held -= s->size;
	free(s->first);
	free(s);
	return true;
}

static void
add_idle(segment *s)
{
	pool	   *to = s->pool;

	s->older = to->newest;
	s->newer = NULL;
	*(to->newest != NULL ? &to->newest->newer : &to->oldest) = s;
	to->newest = s;
	to->idle_size += s->size;
	while (to->idle_size > to->max_idle)
		(void) free_oldest(to);
}

/* Memory from the device, freeing idle segments if necessary. */
static cudaError_t
device_allocate(pool *from, size_t size, char **memory)
{
	cudaError_t error;

	while (from->limit > 0 && from->held + size > from->limit)
	{
		if (!free_oldest(from))
			return cudaErrorMemoryAllocation;
	}
	for (;;)
	{
		error = cudaMalloc((void **) memory, size);
		if (error != cudaErrorMemoryAllocation)
			return error;
		(void) cudaGetLastError();	/* clear the error */
		if (!free_oldest(from))
			return error;
	}
}

/* A new segment of one piece, which is neither free nor used yet. */
static cudaError_t
make_segment(pool *from, size_t size, bool shared, piece **result)
{
	segment    *s = (segment *) calloc(1, sizeof *s);
	piece	   *p = (piece *) calloc(1, sizeof *p);
	cudaError_t error = cudaErrorMemoryAllocation;

	if (s != NULL && p != NULL)
		error = device_allocate(from, size, &p->at);
	if (error != cudaSuccess)
	{
		free(s);
		free(p);
		return error;
	}
	from->held += size;
	s->pool = from;
	s->first = p;
	s->size = p->size = size;
	s->shared = shared;
	p->segment = s;
	*result = p;
	return cudaSuccess;
}

/* ----------
 * Pieces
 * ----------
 */

/* Split a piece: what exceeds this size becomes a free piece. */
static bool
cut(piece *p, size_t size)
{
	piece	   *rest;

	if (p->size == size)
		return true;
	rest = (piece *) calloc(1, sizeof *rest);
	if (rest == NULL)
		return false;
	rest->segment = p->segment;
	rest->at = p->at + size;
	rest->size = p->size - size;
	rest->before = p;
	rest->behind = p->behind;
	if (p->behind != NULL)
		p->behind->before = rest;
	p->behind = rest;
	p->size = size;
	add_free(rest);
	return true;
}

/* Merge a free piece with the one behind it, if that is free too. */
static void
join(piece *p)
{
	piece	   *behind = p->behind;

	if (behind == NULL || behind->used)
		return;
	remove_free(behind);
	p->size += behind->size;
	p->behind = behind->behind;
	if (p->behind != NULL)
		p->behind->before = p;
	free(behind);
}

static cudaError_t
find_shared(pool *from, size_t size, piece **result)
{
	piece	   *p = find_free(from, size);

	if (p != NULL)
	{
		remove_free(p);
		if (p->segment->used == 0)
			remove_idle(p->segment);
	}
	else
		GS_TRY(make_segment(from, from->shared_size, true, &p));
	if (!cut(p, size))
	{
		add_free(p);
		if (p->segment->used == 0)
			add_idle(p->segment);
		return cudaErrorMemoryAllocation;
	}
	*result = p;
	return cudaSuccess;
}

/*
 * The smallest idle segment that is large enough but not too large, or a new
 * one.
 */
static cudaError_t
find_own(pool *from, size_t size, piece **result)
{
	segment    *best = NULL;

	for (segment *s = from->oldest; s != NULL; s = s->newer)
	{
		if (!s->shared && s->size >= size &&
			s->size - size <= size / WASTE_PART &&
			(best == NULL || s->size < best->size))
			best = s;
	}
	if (best == NULL)
		return make_segment(from, (size + GRAIN - 1) / GRAIN * GRAIN, false,
							result);
	remove_idle(best);
	*result = best->first;
	return cudaSuccess;
}

cudaError_t
gs_memory_acquire(size_t size, char **memory)
{
	pool	   *from = &pools[gs_device_used()];
	piece	   *p;
	cudaError_t error;

	if (size == 0 || size > SIZE_MAX - GRAIN)
		return cudaErrorMemoryAllocation;
	size = (size + UNIT - 1) / UNIT * UNIT;
	pthread_mutex_lock(&lock);
	error = size <= from->shared_size / LARGE_PART ?
		find_shared(from, size, &p) : find_own(from, size, &p);
	if (error == cudaSuccess)
	{
		p->segment->used++;
		add_used(p);
		*memory = p->at;
	}
	pthread_mutex_unlock(&lock);
	return error;
}

void
gs_memory_give_back(char *memory)
{
	piece	   *p;
	segment    *s;

	pthread_mutex_lock(&lock);
	p = remove_used(memory);
	s = p->segment;
	p->used = false;
	if (s->shared)
	{
		join(p);
		add_free(p);
		if (p->before != NULL && !p->before->used)
		{
			p = p->before;
			remove_free(p);
			join(p);
			add_free(p);
		}
	}
	if (--s->used == 0)
		add_idle(s);
	pthread_mutex_unlock(&lock);
}

void
gs_memory_open(int device, uint64_t memory_limit, uint64_t device_memory)
{
	pool	   *p = &pools[device];
	uint64_t	all = memory_limit > 0 && memory_limit < device_memory ?
		memory_limit : device_memory;

	p->device = device;
	p->limit = memory_limit;
	p->max_idle = all / IDLE_PART;
	p->shared_size = all / SHARED_PART / GRAIN * GRAIN;
	if (p->shared_size < GRAIN)
		p->shared_size = GRAIN;
	if (p->shared_size > SHARED_MAX)
		p->shared_size = SHARED_MAX;
}

uint64_t
gs_cuda_memory_used(void)
{
	uint64_t	used = 0;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < GS_DEVICES_MAX; i++)
		used += pools[i].held;
	pthread_mutex_unlock(&lock);
	return used;
}
