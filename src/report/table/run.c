/*-------------------------------------------------------------------------
 *
 * run.c
 *	  One execution of a report's plan by the service, over tables.
 *
 * The life of a report:
 *
 *		gs_report_begin			REPORT, PLAN
 *		gs_report_table			table.c: what the service holds, and what it lacks;
 *								within that
 *		gs_report_opened		it has granted slots
 *		gs_report_complete		LOOKUP: look-up tables that it lacks
 *								(all in gs_report_read)
 *		gs_report_finish		FINISH_REPORT: it computes
 *		gs_report_ask_groups	GROUPS, unless they have come
 *		gs_report_end			END
 *
 * Waiting takes longer than a small report.  So it waits twice: what it knows
 * before the slots are granted, it sends at once, and few groups come with what
 * is known of them.
 *
 * From begin to end, the session's link is this report's alone (link_owner.h).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"

#include "pg/progress.h"
#include "pg/settings.h"
#include "report/session/link_owner.h"
#include "report/session/pause.h"
#include "report/table/run_private.h"

/*
 * The service works on one lane while the other one is filled.  More would
 * only take slots away from other sessions.
 */
#define LANES			2

/* Room in a batch: a page for each so many rows. */
#define ROWS_A_PAGE		8

/*
 * So many groups a slice: few enough that they stay in the processor's cache,
 * and that there is something to do while the service fetches the next.
 */
#define SLICE_GROUPS	16384
#define FEW_ROWS		1024

/* Send the stages, as much at a time as a message holds. */
static gs_status
send_stages(gs_report_run *run)
{
	char	   *message = gs_session_link.buffer;
	gs_msg_report *report = (gs_msg_report *) message;
	gs_exchange *x = &run->private->exchange;
	size_t		size = gs_stages_packed_size(run->stage, run->stages);
	char	   *packed = palloc_extended(size, MCXT_ALLOC_HUGE);
	size_t		sent = Min(size, GS_MESSAGE_MAX - sizeof(gs_msg_report));
	gs_status	status;

	gs_stages_pack(run->stage, run->stages, packed);
	memset(report, 0, sizeof(gs_msg_report));
	report->plan_size = (int64) size;
	report->lanes = LANES;
	memcpy(message + sizeof(gs_msg_report), packed, sent);
	status = gs_exchange_send(x, message, GS_MSG_REPORT,
							  sizeof(gs_msg_report) + sent);
	while (status == GS_OK && sent < size)
	{
		size_t		n = Min(size - sent, GS_MESSAGE_MAX - sizeof(gs_msg_plan));

		((gs_msg_plan *) message)->first = (int64) sent;
		memcpy(message + sizeof(gs_msg_plan), packed + sent, n);
		if (!gs_link_send(message, GS_MSG_PLAN, sizeof(gs_msg_plan) + n))
			status = gs_exchange_lost(x);
		sent += n;
	}
	pfree(packed);
	return status;
}

/* Take over the slots, if they are within the memory that we have mapped. */
static bool
take_slots(struct gs_report_private *p, const gs_msg_opened *opened)
{
	uint32		slots = gs_session_link.staging_size /
		gs_session_link.slot_size;

	if (opened->lanes < 1 || opened->lanes > LANES)
		return false;
	p->lanes = opened->lanes;
	for (int i = 0; i < p->lanes; i++)
	{
		if (opened->slot[i] >= slots)
			return false;
		p->slot[i] = gs_staging_slot(opened->slot[i]);
	}
	return true;
}

/* Send a look-up table, as much at a time as a slot holds. */
static gs_status
send_lookup(gs_report_run *run, int i)
{
	const gs_plan_table *table = &run->plan->table[i];
	gs_exchange *x = &run->private->exchange;
	int64		size = table->size * (int64) sizeof(gs_value);
	gs_status	status = GS_OK;

	for (int64 at = 0; at < size && status == GS_OK;)
	{
		gs_msg_lookup part = {.table = i, .first = at};
		gs_msg_fed	answer;

		part.size = Min(size - at, gs_session_link.slot_size);
		memcpy(run->private->slot[0], (const char *) table->value + at,
			   part.size);
		status = gs_exchange_send(x, &part, GS_MSG_LOOKUP, sizeof(part));
		if (status == GS_OK)
			status = gs_exchange_await(x, &answer, GS_MSG_FED, sizeof(answer));
		if (status == GS_OK)
			status = gs_exchange_check(x, &answer.outcome);
		at += part.size;
	}
	return status;
}

/* Send those that the service lacks: then it can compute. */
gs_status
gs_report_complete(gs_report_run *run)
{
	struct gs_report_private *p = run->private;
	gs_status	status = gs_report_opened(run);

	for (int i = 0; p->lacking != 0 && status == GS_OK; i++)
	{
		if ((p->lacking >> i & 1) != 0 && run->plan->table[i].value == NULL)
		{
			run->lacks_table = true;
			return gs_report_refuse(run, "the service has lost a look-up table");
		}
		if ((p->lacking >> i & 1) != 0)
		{
			status = send_lookup(run, i);
			if (status != GS_OK)
				return gs_report_fail(run, status);
		}
		p->lacking &= ~(UINT32_C(1) << i);
	}
	return status;
}

/* Do some rows, and a group, fit a slot at all? */
static bool
lay_slots(gs_report_run *run)
{
	struct gs_report_private *p = run->private;

	p->rows_max = Min(gs_slot_rows(run->plan, ROWS_A_PAGE,
								   gs_session_link.slot_size),
					  GS_PLAN_BATCH_MAX);
	p->pages_max = p->rows_max / ROWS_A_PAGE;
	if (p->pages_max < 1 || gs_report_fetch_max(run) < 1)
		return false;
	gs_lay_rows(run->plan, p->rows_max, p->pages_max, &p->layout);
	return true;
}

gs_status
gs_report_begin(gs_report_run *run, const gs_stage *stage, int stages,
				bool queue)
{
	struct gs_report_private *p;
	const char *reason;
	gs_status	status;

	memset(run, 0, sizeof(gs_report_run));
	run->stage = stage;
	run->stages = stages;
	run->plan = &stage[0].plan;
	run->groups = &stage[stages - 1].plan;
	if (gs_engine_setting == GS_ENGINE_CPU)
		return gs_report_refuse(run, "gpuscan.engine is cpu");
	if (gs_link_is_owned())
		return gs_report_refuse(run, "another report is under way");
	if (gs_link_acquire(0, &reason) != GS_AVAILABLE)
		return gs_report_refuse(run, reason);
	run->on_device = gs_session_link.on_device;
	strlcpy(run->engine, gs_session_link.engine, sizeof(run->engine));
	p = run->private = palloc0(sizeof(struct gs_report_private));
	p->exchange.impatient = !queue;
	if (!lay_slots(run))
		return gs_report_refuse(run, "the service's slots are too small for the plan");
	p->number = gs_link_own();
	status = send_stages(run);
	return status == GS_OK ? GS_OK : gs_report_fail(run, status);
}

/* Wait for the slots, unless they are here. */
gs_status
gs_report_opened(gs_report_run *run)
{
	struct gs_report_private *p = run->private;
	gs_exchange *x = &p->exchange;
	gs_msg_opened opened;
	gs_status	status;

	if (run->begun)
		return GS_OK;
	status = gs_exchange_await(x, &opened, GS_MSG_OPENED, sizeof(opened));
	if (status == GS_OK)
	{
		status = gs_exchange_check(x, &opened.outcome);
		/* what was sent meanwhile is discarded */
		if (status != GS_OK)
			x->unanswered = 0;
	}
	if (status == GS_OK && (!take_slots(p, &opened) ||
							(uint64) opened.lacking >> run->plan->tables != 0))
		status = gs_exchange_violated(x);
	if (status != GS_OK)
		return gs_report_fail(run, status);
	p->lacking = opened.lacking;
	x->impatient = false;
	run->begun = true;
	return GS_OK;
}

/* The first stage's time is the rest of what this session has waited. */
static void
take_work(gs_report_run *run, const gs_msg_summary *summary)
{
	gs_stage_work *stage = run->stats.stage;

	memcpy(stage, summary->work, sizeof(summary->work));
	stage[0].us = (int64) (run->stats.compute_ms * 1000);
	for (int i = 1; i < run->stages; i++)
		stage[0].us -= stage[i].us;
	stage[0].us = Max(stage[0].us, 0);
}

gs_status
gs_report_finish(gs_report_run *run)
{
	gs_exchange *x = &run->private->exchange;
	const instr_time before = x->device;
	instr_time	waited;
	gs_msg_finish_report finish = {
		.groups_max = gs_report_fetch_max(run)
	};
	gs_msg_summary summary;
	gs_status	status;

	gs_progress_phase(GS_PHASE_COMPUTING, 0);
	gs_report_pause(GS_PAUSE_FINISH);
	status = gs_report_complete(run);
	if (status != GS_OK)
		return status;
	status = gs_exchange_send(x, &finish, GS_MSG_FINISH_REPORT,
							  sizeof(finish));
	if (status != GS_OK)
		return gs_report_fail(run, status);
	status = gs_batch_drain(run);
	if (status != GS_OK)
		return status;
	waited = x->device;
	INSTR_TIME_SUBTRACT(waited, before);
	status = gs_exchange_await(x, &summary, GS_MSG_SUMMARY, sizeof(summary));
	if (status == GS_OK)
		status = gs_exchange_check(x, &summary.outcome);
	if (status == GS_OK && (summary.groups < 0 || summary.stage < 0 ||
							summary.stage >= run->stages ||
							(summary.fetched != 0 &&
							 (summary.fetched != 1 || summary.groups < 1 ||
							  summary.groups > finish.groups_max))))
		status = gs_exchange_violated(x);
	if (status != GS_OK)
		return gs_report_fail(run, status);
	run->private->fetched = summary.fetched != 0 ? summary.groups : 0;
	run->summary.groups = summary.groups;
	run->summary.rows = summary.rows;
	run->summary.errors = summary.errors;
	run->failed_stage = summary.stage;
	run->stats.bytes = summary.held_bytes;
	run->stats.compute_ms += summary.compute_us / 1000.0 +
		INSTR_TIME_GET_MILLISEC(waited);
	take_work(run, &summary);
	if (summary.errors != 0)
		return gs_report_refuse(run, "an expression may raise an error");
	return GS_OK;
}

/* All columns of many rows would be copied once more. */
int64
gs_report_fetch_max(const gs_report_run *run)
{
	return Min(gs_slot_groups(run->groups, gs_session_link.slot_size),
			   run->groups->of_rows ? FEW_ROWS : SLICE_GROUPS);
}

bool
gs_report_has_all(const gs_report_run *run)
{
	return run->private->fetched > 0;
}

/* Ask for something of some groups, into lane 0's slot. */
static gs_status
ask_groups(gs_report_run *run, int column, int64 first, int64 count)
{
	gs_msg_groups groups = {.first = first, .count = count, .column = column};

	run->private->fetched = 0;
	return gs_report_send(run, &groups, GS_MSG_GROUPS, sizeof(groups));
}

/* Wait for that, and copy it. */
static gs_status
take_groups(gs_report_run *run, void *to, size_t size)
{
	struct gs_report_private *p = run->private;
	gs_msg_pages answer;
	gs_status	status = GS_OK;

	if (p->fetched == 0)
		status = gs_report_receive(run, &answer);
	if (status != GS_OK)
		return status;
	memcpy(to, p->slot[0], size);
	status = gs_exchange_copied(&p->exchange);
	return status == GS_OK ? GS_OK : gs_report_fail(run, status);
}

gs_status
gs_report_ask_groups(gs_report_run *run, int64 first, int64 count)
{
	Assert(count <= gs_report_fetch_max(run));
	if (first == 0 && count == run->private->fetched)
		return GS_OK;
	return ask_groups(run, -1, first, count);
}

gs_status
gs_report_take_groups(gs_report_run *run, int64 count, void *to)
{
	gs_groups_layout layout;

	gs_lay_groups(run->groups, count, &layout);
	return take_groups(run, to, layout.size);
}

gs_status
gs_report_column_part(gs_report_run *run, int column, int64 first, int64 count,
					  void *to)
{
	size_t		width = gs_fetch_width(run->groups, column);
	int64		per_slot = gs_session_link.slot_size / width;
	gs_status	status = GS_OK;

	for (int64 at = 0; at < count && status == GS_OK; at += per_slot)
	{
		int64		n = Min(per_slot, count - at);

		status = ask_groups(run, column, first + at, n);
		if (status == GS_OK)
			status = take_groups(run, (char *) to + at * width, n * width);
	}
	return status;
}

gs_status
gs_report_value_ranges(gs_report_run *run, gs_value_range range[GS_RANGES_MAX])
{
	gs_exchange *x = &run->private->exchange;
	gs_header	ask;
	gs_msg_ranged answer;
	gs_status	status;

	CHECK_FOR_INTERRUPTS();
	status = gs_exchange_send(x, &ask, GS_MSG_RANGES, sizeof(ask));
	if (status == GS_OK)
		status = gs_exchange_await(x, &answer, GS_MSG_RANGED, sizeof(answer));
	if (status == GS_OK)
		status = gs_exchange_check(x, &answer.outcome);
	if (status != GS_OK)
		return gs_report_fail(run, status);
	memcpy(range, answer.range, sizeof(answer.range));
	return GS_OK;
}

gs_status
gs_report_scatter(gs_report_run *run, uint64 number, bool unique,
				  const gs_scatter *scatter, int64 *repeated)
{
	gs_exchange *x = &run->private->exchange;
	gs_msg_scatter ask = {
		.number = number, .unique = unique, .scatter = *scatter
	};
	gs_msg_scattered answer;
	gs_status	status;

	CHECK_FOR_INTERRUPTS();
	status = gs_exchange_send(x, &ask, GS_MSG_SCATTER, sizeof(ask));
	if (status == GS_OK)
		status = gs_exchange_await(x, &answer, GS_MSG_SCATTERED,
								   sizeof(answer));
	if (status == GS_OK)
		status = gs_exchange_check(x, &answer.outcome);
	if (status != GS_OK)
		return gs_report_fail(run, status);
	*repeated = answer.repeated;
	return GS_OK;
}

void
gs_report_end(gs_report_run *run)
{
	struct gs_report_private *p = run->private;

	if (p == NULL)
		return;
	gs_link_disown(p->number, p->exchange.unanswered > 0);
	pfree(p);
	run->private = NULL;
}
