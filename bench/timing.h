/*-------------------------------------------------------------------------
 *
 * timing.h
 *	  What the programs that time the CPU engine share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_BENCH_TIMING_H
#define GS_BENCH_TIMING_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Processor time of this process. */
static inline double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Memory, or the end of the program. */
static inline void *
allocate(size_t size)
{
	void	   *p = malloc(size);

	if (p == NULL)
	{
		fprintf(stderr, "out of memory\n");
		exit(1);
	}
	return p;
}

#endif							/* GS_BENCH_TIMING_H */
