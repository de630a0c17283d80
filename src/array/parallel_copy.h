/*-------------------------------------------------------------------------
 *
 * parallel_copy.h
 *	  Large memory, copied and touched by several threads.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_COPY_H
#define GS_COPY_H

/* What the kernel gives at once where it gives huge pages. */
#define GS_HUGE_PAGE	(2 * 1024 * 1024)

extern int	gs_copy_threads(void);
extern void gs_copy(void *to, const void *from, size_t size);
extern void gs_touch(void *memory, size_t size);

#endif							/* GS_COPY_H */
