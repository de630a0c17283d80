/*-------------------------------------------------------------------------
 *
 * moving.h
 *	  Moving frames on the CPU: what their files share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CPU_MOVING_H
#define GS_CPU_MOVING_H

#include "engine/cpu/engine_cpu.h"
#include "engine/moving.h"

/* Elements between two pauses: less than 1 ms. */
#define PAUSE_INTERVAL	(INT64_C(1) << 18)

/* A result that doubles do not decide takes as long as so many: some us. */
#define EXACT_ELEMENTS	64

/* A frame, whose offsets are clamped to the array's length. */
typedef struct cpu_frame
{
	int64_t		n;
	int64_t		preceding;
	int64_t		following;
} cpu_frame;

static inline cpu_frame
cpu_frame_of(const gs_op *op, int64_t n)
{
	cpu_frame	f = {n, op->moving.preceding, op->moving.following};

	if (op->kind == GS_EWMA)
		f = (cpu_frame) {n, n, 0};
	if (f.preceding > n)
		f.preceding = n;
	if (f.following > n)
		f.following = n;
	return f;
}

/* The elements of the longest. */
static inline int64_t
cpu_frame_most(const cpu_frame *f)
{
	int64_t		most = f->preceding + 1 + f->following;

	return most < f->n ? most : f->n;
}

/* Of the frame of element i. */
static inline int64_t
cpu_frame_first(const cpu_frame *f, int64_t i)
{
	return i > f->preceding ? i - f->preceding : 0;
}

static inline int64_t
cpu_frame_end(const cpu_frame *f, int64_t i)
{
	return f->n - i > f->following ? i + f->following + 1 : f->n;
}

/* How many of its elements are not NULL, given how many before each are. */
static inline int64_t
cpu_frame_count(const cpu_frame *f, const uint32_t *before, int64_t i)
{
	int64_t		first = cpu_frame_first(f, i);
	int64_t		end = cpu_frame_end(f, i);

	return before == NULL ? end - first : before[end] - before[first];
}

/* After every so many elements. */
static inline void
pause_after(int64_t *since, int64_t done)
{
	*since += done;
	if (*since < PAUSE_INTERVAL)
		return;
	*since = 0;
	gs_cpu_pause();
}

/* moving_float.c: gs_is_float_sum of n floats, with -0 for each NULL */

/* Where the bits of the finite ones lie. */
extern gs_extent cpu_moving_extent(const gs_op *op, int64_t n,
								   const void *elements);

/* May a sum or standard deviation be out of range?  A mean is not. */
extern bool cpu_moving_may_overflow(const gs_op *op, int64_t n, gs_extent e);

/* As gs_moving_floats (moving.h), given their extent. */
extern int64_t cpu_moving_floats(const gs_op *op, int64_t n,
								 const void *elements, const uint32_t *before,
								 gs_extent e, void *results);

/* ewma.c: GS_EWMA, given how many values are before each; NULL: all are */
extern void cpu_ewma(const gs_op *op, int64_t n, const void *elements,
					 const uint32_t *before, double *result);

/* moving_percentile.c: bytes of the memory that GS_MOVING_PERCENTILE needs */
extern size_t cpu_moving_percentiles_size(const gs_op *op, int64_t n);

/* Its results, but those of empty frames; before as for cpu_ewma. */
extern void cpu_moving_percentiles(const gs_op *op, int64_t n,
								   const void *elements,
								   const uint32_t *before, void *memory,
								   void *results);

#endif							/* GS_CPU_MOVING_H */
