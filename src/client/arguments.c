/*-------------------------------------------------------------------------
 *
 * arguments.c
 *	  What the service gets of an execution's arguments before the first feed.
 *
 * BEGIN names the arguments that are toasted values.  The service has them
 * cached, or asks for whole arrays to be loaded into its cache.  Edges are
 * sent in any case, unless they are cached.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"

#include "array/parallel_copy.h"
#include "client/client_run.h"

/* Read toasted edges, which are not read until they are needed. */
void
gs_run_read_edges(gs_run *run)
{
	if (!gs_has_edges(run->op->kind) || gs_edges(run->op) != NULL)
		return;
	run->with_edges = *run->op;
	gs_set_edges(&run->with_edges,
				 run->sources->read_edges(run->sources->edges));
	run->op = &run->with_edges;
}

/*
 * Does the granted number of elements per batch fit a slot?  It is known when
 * the edges have been sent.
 */
static bool
validate_batch_size(const gs_run *run)
{
	return run->grant.elements >= GS_BATCH_ALIGN &&
		run->grant.elements <= gs_slot_elements(run->op,
												gs_session_link.slot_size);
}

/* The edges precede the elements, a slot's worth at a time. */
static gs_status
send_edges(gs_run *run)
{
	int64		total = gs_edge_count(run->op);
	int64		per_slot = gs_session_link.slot_size / sizeof(double);

	gs_run_read_edges(run);
	for (int64 sent = 0; sent < total; sent += per_slot)
	{
		gs_msg_edges edges = {.count = Min(per_slot, total - sent)};
		gs_msg_accepted accepted;
		gs_status	status;

		CHECK_FOR_INTERRUPTS();
		memcpy(gs_staging_slot(run->grant.input[0]),
			   (const double *) gs_edges(run->op) + sent,
			   edges.count * sizeof(double));
		status = gs_exchange_send(&run->exchange, &edges, GS_MSG_EDGES,
								  sizeof(edges));
		if (status == GS_OK)
			status = gs_exchange_receive(&run->exchange, &accepted,
										 GS_MSG_ACCEPTED, sizeof(accepted),
										 sizeof(accepted), NULL);
		if (status == GS_OK)
			status = gs_exchange_check(&run->exchange, &accepted.outcome);
		if (status != GS_OK)
			return status;
		run->grant.elements = accepted.elements;
	}
	return GS_OK;
}

/* Send the next part of an argument for the service's cache. */
static gs_status
send_part(gs_run *run, int argument, int lane, gs_cursor *cursor)
{
	gs_array   *a = cursor->array;
	char	   *to = gs_staging_slot(run->grant.input[lane]);
	int64		from = cursor->n;
	gs_msg_load load;
	gs_input_layout layout;
	gs_span		span;
	instr_time	start;

	INSTR_TIME_SET_CURRENT(start);
	memset(&load, 0, sizeof(load));
	load.n = Min(gs_load_elements(a->type, a->nulls,
								  gs_session_link.slot_size), a->n - from);
	gs_cursor_next(cursor, load.n, to, &span);
	load.present = span.present;
	load.lane = lane;
	load.argument = argument;
	gs_lay_load(a->type, a->nulls, load.n, load.present, &layout);
	if (span.values != to)
		gs_copy(to, span.values, span.present * gs_type_width(a->type));
	if (a->nulls)
		gs_copy(to + layout.validity, gs_array_bitmap(a) + from / 8,
				gs_bitmap_size(load.n));
	gs_add_time(&run->staging, start);
	return gs_exchange_send(&run->exchange, &load, GS_MSG_LOAD, sizeof(load));
}

/* Send an argument for the service's cache. */
static gs_status
load_argument(gs_run *run, int argument)
{
	gs_status	status = GS_OK;
	int64		n = run->sources->array[argument]->n;
	gs_msg_loaded loaded;
	gs_cursor	cursor;
	int			sent = 0;
	int			answered = 0;

	gs_cursor_open(&cursor, run->sources->array[argument]);
	while (status == GS_OK && (cursor.n < n || answered < sent))
	{
		CHECK_FOR_INTERRUPTS();
		if (cursor.n < n && sent - answered < run->grant.lanes)
		{
			status = send_part(run, argument, sent++ % run->grant.lanes,
							   &cursor);
			continue;
		}
		status = gs_exchange_receive(&run->exchange, &loaded, GS_MSG_LOADED,
									 sizeof(loaded), sizeof(loaded), NULL);
		if (status == GS_OK)
			status = gs_exchange_check(&run->exchange, &loaded.outcome);
		answered++;
	}
	gs_cursor_close(&cursor);
	return status;
}

/* Describe all arguments for BEGIN. */
void
gs_run_describe_arguments(const gs_run *run, gs_msg_begin *begin)
{
	const gs_sources *sources = run->sources;

	begin->only_cached = sources->only_cached;
	for (int i = 0; i < GS_ARRAYS; i++)
	{
		if (sources->array[i] != NULL)
			gs_array_describe(sources->array[i], &begin->argument[i]);
	}
	if (sources->edges != NULL)
		begin->argument[GS_EDGES].toast_id = sources->edges->toast_id;
}

/* Count the toasted arguments that were cached, and those that were not. */
void
gs_run_count_hits(gs_run *run, const gs_msg_begin *begin)
{
	for (int i = 0; i < GS_ARGUMENTS; i++)
	{
		if (begin->argument[i].toast_id.database == InvalidOid)
			continue;
		if ((run->grant.hit & (1u << i)) == 0)
		{
			run->misses++;
			continue;
		}
		run->hits++;
		run->saved += begin->argument[i].toast_id.raw_size;
	}
}

/* Send what the service lacks. */
gs_status
gs_run_send_arguments(gs_run *run)
{
	gs_status	status = GS_OK;

	if (gs_has_edges(run->op->kind) &&
		(run->grant.hit & (1u << GS_EDGES)) == 0)
		status = send_edges(run);
	if (status == GS_OK && !validate_batch_size(run))
		return gs_exchange_violated(&run->exchange);
	for (int i = 0; i < GS_ARRAYS && status == GS_OK; i++)
	{
		if ((run->grant.load & (1u << i)) != 0)
			status = load_argument(run, i);
	}
	return status;
}
