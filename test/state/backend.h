/*-------------------------------------------------------------------------
 *
 * backend.h
 *	  The little of a backend that states need: errors, messages.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BACKEND_H
#define BACKEND_H

#include <setjmp.h>

/* The error that ended a call that was entered by setjmp(on_error). */
extern jmp_buf on_error;
extern int	error_code;

/* What AggCheckCallContext says. */
extern int	agg_context;

/* Memory that has been allocated since the last call of this is freed. */
extern void free_all(void);

#endif							/* BACKEND_H */
