/*-------------------------------------------------------------------------
 *
 * backend.h
 *	  The few functions of a backend that states need: memory, errors, messages.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BACKEND_H
#define BACKEND_H

#include <setjmp.h>

/* An error jumps to on_error, which the test has set by setjmp. */
extern jmp_buf on_error;
extern int	error_code;

/* The result of AggCheckCallContext. */
extern int	agg_context;

/* Free all memory that was allocated since the last call of free_all. */
extern void free_all(void);

#endif							/* BACKEND_H */
