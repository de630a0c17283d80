/*-------------------------------------------------------------------------
 *
 * client_run.h
 *	  An execution by the service, as the files of the client share it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CLIENTRUN_H
#define GS_CLIENTRUN_H

#include "portability/instr_time.h"

#include "client/client.h"
#include "client/link.h"

struct gs_run
{
	const gs_op *op;
	int64		n;				/* elements of the whole array */
	bool		small;			/* one CALL does it */
	bool		begun;			/* BEGIN was sent: END is due */
	bool		finishing;		/* CALL or FINISH was sent */
	int			unanswered;		/* messages that an answer is due to */
	const gs_sources *sources;
	gs_op		with_edges;		/* op, once edges had to be read */

	gs_msg_lent		lent;
	int64		fed;			/* elements */
	gs_msg_result	answer;			/* of CALL or FINISH */
	const char *data;			/* that came with a CALL's */

	/* a ring of the feeds under way, the oldest first */
	int			first;
	int			count;
	gs_input	input[GS_MAX_SLOTS];
	gs_output  *output[GS_MAX_SLOTS];

	/* gs_run_stats */
	instr_time	wait;
	instr_time	staging;
	instr_time	device;
	int			hits;
	int			misses;
	int64		saved;

	gs_error	error;
};

/* client.c */
extern gs_status gs_run_send(gs_run *run, void *message, gs_message kind,
							 size_t length);
extern gs_status gs_run_receive(gs_run *run, void *answer, gs_message kind,
								size_t least, size_t most, size_t *size);
extern gs_status gs_run_heed(gs_run *run, const gs_outcome *outcome);
extern gs_status gs_run_unsound(gs_run *run);
extern char *gs_run_chunk(uint32 chunk);

/* arguments.c */
extern void gs_run_read_edges(gs_run *run);
extern void gs_run_describe_arguments(const gs_run *run, gs_msg_begin *begin);
extern void gs_run_count_hits(gs_run *run, const gs_msg_begin *begin);
extern gs_status gs_run_send_arguments(gs_run *run);

/* The bytes of so many bits. */
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

#endif							/* GS_CLIENTRUN_H */
