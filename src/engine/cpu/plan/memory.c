/*-------------------------------------------------------------------------
 *
 * memory.c
 *	  An execution's memory, and its errors.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

#include <stdio.h>
#include <stdlib.h>

bool		(*gs_engine_reserve) (void *owner, size_t bytes);
__thread void *gs_engine_owner;

gs_status
gs_group_fail(gs_plan_run *run, gs_status status, const char *message)
{
	run->error.status = status;
	snprintf(run->error.message, sizeof run->error.message, "%s", message);
	return status;
}

gs_status
gs_group_no_memory(gs_plan_run *run)
{
	return gs_group_fail(run, GS_NO_MEMORY, "out of memory");
}

/* May so many elements be allocated, or so many more? */
bool
gs_group_reserve(size_t n, size_t width)
{
	return n <= SIZE_MAX / 2 / width &&
		(gs_engine_reserve == NULL ||
		 gs_engine_reserve(gs_engine_owner, n * width));
}

/* malloc and calloc of an array, which may have no elements */
void *
gs_group_allocate(size_t n, size_t width)
{
	if (!gs_group_reserve(n, width))
		return NULL;
	return gs_cpu_allocate(n == 0 ? width : n * width);
}

/*
 * Memory of which much will be used, and in any order, is worth huge pages.
 * What calloc gives costs nothing until it is used.
 */
#define LARGE_ZEROS		((size_t) 8 << 20)
#define WIDE_ELEMENT	1024

void *
gs_group_zeros(size_t n, size_t width)
{
	void	   *memory;

	if (!gs_group_reserve(n, width))
		return NULL;
	if (n * width < LARGE_ZEROS || width > WIDE_ELEMENT)
		return calloc(n == 0 ? 1 : n, width);
	memory = gs_cpu_allocate(n * width);
	if (memory != NULL)
		memset(memory, 0, n * width);
	return memory;
}

/*
 * Bytes that are written between two pauses.  Most of the time goes to the
 * kernel, which gives new pages.
 */
#define PAUSE_BYTES		((size_t) 4 << 20)

/* Zeros that are large in a long execution; kept as run->fresh. */
static void *
make_fresh(gs_plan_run *run, size_t n, size_t width)
{
	size_t		size = n * width;
	uint8_t    *memory;

	if (n > SIZE_MAX / 2 / width || size < LARGE_ZEROS || width > WIDE_ELEMENT)
		return run->fresh = gs_group_zeros(n, width);
	if (!gs_group_reserve(n, width))
		return NULL;
	run->fresh = memory = gs_cpu_allocate(size);
	for (size_t at = 0; at < size && memory != NULL; at += PAUSE_BYTES)
	{
		memset(memory + at, 0,
			   size - at < PAUSE_BYTES ? size - at : PAUSE_BYTES);
		gs_cpu_pause();
	}
	return memory;
}

/* Like gs_group_zeros, with pauses. */
void *
gs_group_long_zeros(gs_plan_run *run, size_t n, size_t width)
{
	void	   *memory = make_fresh(run, n, width);

	run->fresh = NULL;
	return memory;
}

/* Room for so many groups; false if there is no memory. */
bool
gs_group_store_grow(gs_plan_run *run, group_store *s, int64_t groups)
{
	int64_t		capacity = groups +
		(s->width <= WIDE_ELEMENT ? groups + 16 : groups / 4);
	size_t		size = (size_t) s->capacity * s->width;
	uint8_t    *data;

	if (s->width == 0 || groups <= s->capacity)
		return true;
	data = make_fresh(run, (size_t) capacity, s->width);
	if (data == NULL)
		return false;
	for (size_t at = 0; at < size; at += PAUSE_BYTES)
	{
		memcpy(data + at, s->data + at,
			   size - at < PAUSE_BYTES ? size - at : PAUSE_BYTES);
		gs_cpu_pause();
	}
	run->fresh = NULL;
	free(s->data);
	s->data = data;
	s->capacity = capacity;
	return true;
}

void
gs_group_free_scratch(gs_plan_run *run)
{
	for (int i = 0; i < GROUP_SCRATCH; i++)
	{
		free(run->scratch[i]);
		run->scratch[i] = NULL;
	}
}
