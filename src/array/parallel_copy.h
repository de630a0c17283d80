/*-------------------------------------------------------------------------
 *
 * parallel_copy.h
 *	  Copying and touching large memory with several threads.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_PARALLEL_COPY_H
#define GS_PARALLEL_COPY_H

/* The size of a huge page. */
#define GS_HUGE_PAGE	(2 * 1024 * 1024)

extern int	gs_copy_threads(void);
extern void gs_copy(void *to, const void *from, size_t size);
extern void gs_touch(void *memory, size_t size);

#endif							/* GS_PARALLEL_COPY_H */
