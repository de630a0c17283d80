/*-------------------------------------------------------------------------
 *
 * run_private.h
 *	  An execution of a report's plan, as shared by the files that carry it out.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_RUN_PRIVATE_H
#define GS_REPORT_RUN_PRIVATE_H

#include "client/exchange.h"
#include "report/table/rows.h"
#include "report/table/run.h"

struct gs_report_private
{
	gs_exchange exchange;
	uint64		number;			/* of this report in this session */
	int			lanes;
	char	   *slot[GS_MAX_LANES];
	uint32		lacking;		/* look-up tables, as in gs_msg_opened */
	int64		fetched;		/* groups, all of them, in slot[0]; 0: none */

	/* batches; the next one is being filled in `lane` */
	gs_rows_layout layout;
	int64		rows_max;
	int64		pages_max;
	int			lane;
	int			in_flight;		/* sent, and not answered yet */
	gs_rows		rows;
	int64		pages;			/* whose rows these are, if they are listed */
	int64		kept;			/* of these, to be held */
	const gs_report_column *column; /* of the table that is read */
};

/* run.c; queue: wait for slots that other sessions hold */
extern gs_status gs_report_begin(gs_report_run *run, const gs_stage *stage,
								 int stages, bool queue);
extern gs_status gs_report_opened(gs_report_run *run);
extern gs_status gs_report_complete(gs_report_run *run);

/* run_messages.c */
extern gs_status gs_report_fail(gs_report_run *run, gs_status status);
extern gs_status gs_report_refuse(gs_report_run *run, const char *reason);
extern gs_status gs_report_tell(gs_report_run *run, void *message,
								gs_message kind, size_t length);
extern gs_status gs_report_send(gs_report_run *run, void *message,
								gs_message kind, size_t length);
extern gs_status gs_report_receive(gs_report_run *run, gs_msg_pages *answer);
extern gs_status gs_report_ask(gs_report_run *run, void *message,
							   gs_message kind, size_t length,
							   gs_msg_pages *answer);

/*
 * table.c: add one table's rows; add those of all tables whose pages need not be
 * read, and say which these are, and which share of all pages need not be
 */
extern gs_status gs_report_table(gs_report_run *run, Oid table,
								 const gs_report_input *input);
extern gs_status gs_report_whole_tables(gs_report_run *run,
										const gs_report_input *input,
										bool *whole, double *held);

/* batch.c */
extern gs_status gs_batch_begin(gs_report_run *run);
extern gs_status gs_batch_send(gs_report_run *run);
extern gs_status gs_batch_drain(gs_report_run *run);

#endif							/* GS_REPORT_RUN_PRIVATE_H */
