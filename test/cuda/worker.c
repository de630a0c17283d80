/*-------------------------------------------------------------------------
 *
 * worker.c
 *	  What a thread of check works with: its memory and its random numbers.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include <sys/mman.h>

#define ALIGN	256

void
worker_init(worker *w, uint64_t number, size_t size, bool registered)
{
	random_seed(options.seed ^ number * UINT64_C(0x2545f4914f6cdd1d));
	w->memory.base = mmap(NULL, size, PROT_READ | PROT_WRITE,
						  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	w->memory.size = size;
	w->memory.used = 0;
	w->memory.registered = registered;
	w->counts[0] = malloc(sizeof(int64_t) * (MAX_BUCKETS + 3));
	w->counts[1] = malloc(sizeof(int64_t) * (MAX_BUCKETS + 3));
	w->edges = malloc(sizeof(double) * (MAX_BUCKETS + 1));
	if (w->memory.base == MAP_FAILED || w->counts[0] == NULL ||
		w->counts[1] == NULL || w->edges == NULL ||
		(registered && gs_cuda_register(w->memory.base, size) != GS_OK))
		fail("out of memory");
}

void
worker_end(worker *w)
{
	if (w->memory.registered)
		gs_cuda_unregister(w->memory.base);
	munmap(w->memory.base, w->memory.size);
	free(w->counts[0]);
	free(w->counts[1]);
	free(w->edges);
}

void *
arena_take(arena *a, size_t size)
{
	void	   *p = a->base + a->used;

	a->used += (size + ALIGN - 1) / ALIGN * ALIGN;
	if (a->used > a->size)
		fail("a worker's memory is too small");
	return p;
}
