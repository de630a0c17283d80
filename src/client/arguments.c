/*-------------------------------------------------------------------------
 *
 * arguments.c
 *	  What the service gets of an execution's arguments before the elements.
 *
 * BEGIN names the arguments that are stored values.  Of these the service has
 * copies, or asks to have them loaded, all of an array at once; edges it has or
 * gets in any case.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"

#include "client/client_run.h"
#include "array/parallel_copy.h"

/* Edges that are stored are read when somebody wants them. */
void
gs_run_read_edges(gs_run *run)
{
	if (run->op->kind != GS_HISTOGRAM_EDGES || run->op->edges != NULL)
		return;
	run->with_edges = *run->op;
	run->with_edges.edges = run->sources->read_edges(run->sources->edges);
	run->op = &run->with_edges;
}

/* Do that many elements fit a chunk?  They are known when edges have come. */
static bool
elements_are_sound(const gs_run *run)
{
	return run->lent.elements >= GS_CHUNK_ALIGN &&
		run->lent.elements <= gs_chunk_elements(run->op,
												gs_session_link.chunk_size);
}

/* The edges go before the elements, a chunk's worth at a time. */
static gs_status
send_edges(gs_run *run)
{
	int64		total = (int64) run->op->buckets + 1;
	int64		room = gs_session_link.chunk_size / sizeof(double);

	gs_run_read_edges(run);
	for (int64 sent = 0; sent < total; sent += room)
	{
		gs_msg_edges	edges = {.count = Min(room, total - sent)};
		gs_msg_taken	taken;
		gs_status	status;

		CHECK_FOR_INTERRUPTS();
		memcpy(gs_run_chunk(run->lent.input[0]), run->op->edges + sent,
			   edges.count * sizeof(double));
		status = gs_run_send(run, &edges, GS_MSG_EDGES, sizeof(edges));
		if (status == GS_OK)
			status = gs_run_receive(run, &taken, GS_MSG_TAKEN, sizeof(taken),
									sizeof(taken), NULL);
		if (status == GS_OK)
			status = gs_run_heed(run, &taken.outcome);
		if (status != GS_OK)
			return status;
		run->lent.elements = taken.elements;
	}
	return GS_OK;
}

/* Send the next part of an argument that the service wants to keep. */
static gs_status
send_part(gs_run *run, int argument, int slot, gs_cursor *cursor)
{
	gs_array   *a = cursor->array;
	char	   *to = gs_run_chunk(run->lent.input[slot]);
	int64		from = cursor->n;
	gs_msg_load load;
	gs_input_layout layout;
	gs_span		span;
	instr_time	start;

	INSTR_TIME_SET_CURRENT(start);
	memset(&load, 0, sizeof(load));
	load.n = Min(gs_load_elements(a->type, a->nulls,
								  gs_session_link.chunk_size), a->n - from);
	gs_cursor_next(cursor, load.n, to, &span);
	load.present = span.present;
	load.slot = slot;
	load.argument = argument;
	gs_lay_load(a->type, a->nulls, load.n, load.present, &layout);
	if (span.values != to)
		gs_copy(to, span.values, span.present * gs_type_width(a->type));
	if (a->nulls)
		gs_copy(to + layout.validity, gs_array_bitmap(a) + from / 8,
				gs_bitmap_size(load.n));
	gs_add_time(&run->staging, start);
	return gs_run_send(run, &load, GS_MSG_LOAD, sizeof(load));
}

/* Send an argument that the service wants to keep. */
static gs_status
load_argument(gs_run *run, int argument)
{
	gs_status	status = GS_OK;
	gs_msg_loaded loaded;
	gs_cursor	cursor;
	int			sent = 0;
	int			answered = 0;

	gs_cursor_open(&cursor, run->sources->array[argument]);
	while (status == GS_OK && (cursor.n < run->n || answered < sent))
	{
		CHECK_FOR_INTERRUPTS();
		if (cursor.n < run->n && sent - answered < run->lent.slots)
		{
			status = send_part(run, argument, sent++ % run->lent.slots,
							   &cursor);
			continue;
		}
		status = gs_run_receive(run, &loaded, GS_MSG_LOADED, sizeof(loaded),
								sizeof(loaded), NULL);
		if (status == GS_OK)
			status = gs_run_heed(run, &loaded.outcome);
		answered++;
	}
	gs_cursor_close(&cursor);
	return status;
}

/* What BEGIN says of an argument. */
static void
describe_argument(const gs_array *a, gs_argument *argument)
{
	int64		most = ((int64) VARSIZE(a->flat) - (int64)
						ARR_DATA_OFFSET(a->flat)) / gs_type_width(a->type);

	argument->stored = a->stored;
	argument->nulls = a->nulls;
	argument->most = a->nulls ? Min(most, a->n) : a->n;
}

/* Fill in the arguments of a BEGIN. */
void
gs_run_describe_arguments(const gs_run *run, gs_msg_begin *begin)
{
	const gs_sources *sources = run->sources;

	begin->only_kept = sources->only_kept;
	for (int i = 0; i < GS_ARRAYS; i++)
	{
		if (sources->array[i] != NULL)
			describe_argument(sources->array[i], &begin->argument[i]);
	}
	if (sources->edges != NULL)
		begin->argument[GS_EDGES].stored = sources->edges->stored;
}

/* Which stored arguments did the service have? */
void
gs_run_count_hits(gs_run *run, const gs_msg_begin *begin)
{
	for (int i = 0; i < GS_ARGUMENTS; i++)
	{
		if (begin->argument[i].stored.database == InvalidOid)
			continue;
		if ((run->lent.hit & (1u << i)) == 0)
		{
			run->misses++;
			continue;
		}
		run->hits++;
		run->saved += begin->argument[i].stored.raw_size;
	}
}

/* Send what the service lacks. */
gs_status
gs_run_send_arguments(gs_run *run)
{
	gs_status	status = GS_OK;

	if (run->op->kind == GS_HISTOGRAM_EDGES &&
		(run->lent.hit & (1u << GS_EDGES)) == 0)
		status = send_edges(run);
	if (status == GS_OK && !elements_are_sound(run))
		return gs_run_unsound(run);
	for (int i = 0; i < GS_ARRAYS && status == GS_OK; i++)
	{
		if ((run->lent.load & (1u << i)) != 0)
			status = load_argument(run, i);
	}
	return status;
}
