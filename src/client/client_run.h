/*-------------------------------------------------------------------------
 *
 * client_run.h
 *	  An execution by the service, as shared by the files of the client.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CLIENT_RUN_H
#define GS_CLIENT_RUN_H

#include "client/client.h"
#include "client/exchange.h"

struct gs_run
{
	gs_exchange exchange;
	const gs_op *op;
	int64		n;				/* elements of the whole array */
	bool		small;			/* it travels as one CALL */
	bool		begun;			/* BEGIN was sent, so END must follow */
	bool		finishing;		/* CALL or FINISH was sent */
	const gs_sources *sources;
	gs_op		with_edges;		/* copy of op, once its edges have been read */

	gs_msg_granted grant;
	int64		fed;			/* elements */
	gs_msg_result answer;		/* to CALL or FINISH */
	const char *data;			/* that came with the answer to a CALL */

	/* ring of the feeds in flight, oldest first */
	int			first;
	int			count;
	gs_input	input[GS_MAX_LANES];
	gs_output  *output[GS_MAX_LANES];

	/* gs_run_stats */
	instr_time	wait;
	instr_time	staging;
	int			hits;
	int			misses;
	int64		saved;
};

/* arguments.c */
extern void gs_run_read_edges(gs_run *run);
extern void gs_run_describe_arguments(const gs_run *run, gs_msg_begin *begin);
extern void gs_run_count_hits(gs_run *run, const gs_msg_begin *begin);
extern gs_status gs_run_send_arguments(gs_run *run);

/* The size of a bitmap, in bytes. */
static inline size_t
gs_bitmap_size(int64 n)
{
	return ((size_t) n + 7) / 8;
}

static inline void
gs_add_time(instr_time *sum, instr_time start)
{
	instr_time	end;

	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_ACCUM_DIFF(*sum, end, start);
}

#endif							/* GS_CLIENT_RUN_H */
