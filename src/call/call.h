/*-------------------------------------------------------------------------
 *
 * call.h
 *	  One call of a SQL function, from its arguments to an engine's results.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CALL_H
#define GS_CALL_H

#include "fmgr.h"
#include "portability/instr_time.h"

#include "array/array.h"
#include "engine/engine.h"
#include "supervisor/cost_model.h"

typedef struct gs_call
{
	const char *function;		/* as in SQL */
	instr_time	start;
	gs_op		op;
	gs_array	data;
	gs_array	mask;			/* if op has one: gs_input.mask */
	gs_array	third;			/* if op has one */
	gs_array   *edges;			/* toasted ones, read when they are needed */
	const double *(*read_edges) (gs_array *edges);
	bool		only_cached;	/* use the service only if it has cached the
								 * arrays, rather than send them for one call */
	gs_builder *builder;		/* for scans, maps and compactions */

	/*
	 * For orders and groups: fetches results, once `result` tells how many
	 * there are. It is called again, on another engine, if it returns a
	 * status other than GS_OK. NULL: no results are fetched.
	 */
	gs_status	(*fetch) (struct gs_call *call, const gs_engine *engine);
	void	   *fetch_arg;		/* for fetch */
	gs_run	   *run;			/* the execution in progress */
	gs_estimate estimate;		/* of engine auto; 0: it was not asked */
	instr_time	moving;			/* fetching toasted values, touching memory */
	gs_run_stats stats;			/* of the execution */
	gs_result	result;
} gs_call;

/* What gpuscan_last_call() shows. */
typedef struct gs_call_record
{
	const char *function;		/* NULL: no call yet */
	int64		elements;
	const char *engine;			/* "cpu", "gpu" */
	char		reason[300];	/* why this engine; empty: the estimate */
	gs_estimate estimate;
	gs_run_stats stats;
	double		total_ms;
} gs_call_record;

extern gs_call_record gs_last_call;

extern void gs_call_open(gs_call *call, const char *function, gs_kind kind,
						 Datum array);
extern void gs_call_set_mask(gs_call *call, const char *name, Datum mask);
extern void gs_call_set_keys(gs_call *call, Datum keys);
extern bool gs_call_execute(gs_call *call);
extern gs_status gs_call_fetch(gs_call *call, const gs_engine *engine,
							   gs_column column, int64 n, gs_builder *builder);
extern bool gs_call_is_for_service(gs_call *call);
extern void gs_call_reduce(gs_call *call, const char *function, gs_kind kind,
						   Datum array);
extern bool gs_call_execute_on(gs_call *call, const gs_engine *engine);
extern void gs_call_answered(gs_call *call, const char *reason);
extern void gs_call_require_service(void);
extern void gs_call_close(gs_call *call);
extern bool gs_may_warn_of_loss(void);

extern void gs_require_option(FunctionCallInfo fcinfo, int argno,
							  const char *name);
extern int64 gs_chunk_argument(FunctionCallInfo fcinfo, int argno, int heads);

/* Element types of an anyarray */
#define GS_NUMBERS		0x01
#define GS_BOOLEANS		0x02
#define GS_TIMES		0x04
#define GS_DECIMALS		0x08	/* numeric, of states alone */
#define GS_ANY_ELEMENTS	(GS_NUMBERS | GS_BOOLEANS | GS_TIMES)

extern void gs_require_elements(FunctionCallInfo fcinfo, int elements);

pg_noreturn extern void gs_float_overflow(void);

#endif							/* GS_CALL_H */
