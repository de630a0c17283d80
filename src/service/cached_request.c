/*-------------------------------------------------------------------------
 *
 * cached_request.c
 *	  Requests whose arrays stay with gpuscand, beyond the request.
 *
 * BEGIN says which stored values its arguments are.  If all arguments are
 * here, or there is room for those that are not, the request is resident: what
 * is missing is loaded, an argument after the other, and the engine reads all
 * of it from its own memory.  Otherwise the arrays stream through the request
 * as if none were stored.
 *
 * Who finds that somebody else is loading a value waits, holding nothing that
 * the other could wait for: no slots, and no value that it is to load itself.
 *
 *-------------------------------------------------------------------------
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/service.h"

/* How often to look whether somebody else has loaded a value. */
#define LOOK_MS			2

/* Well below the shortest --response-timeout, 1 s: who waits hears of us. */
#define WAITING_MS		250

/*
 * Wait a moment.  The client is told now and then that it waits; it sends
 * nothing meanwhile, so anything readable is its end.
 */
static bool
wait_a_moment(gs_connection *c, int *waited)
{
	struct pollfd fd = {.fd = c->socket, .events = POLLIN};
	gs_msg_waiting waiting;
	int			ready = poll(&fd, 1, LOOK_MS);

	if (ready > 0 || (ready < 0 && errno != EINTR))
		return false;
	*waited += LOOK_MS;
	if (*waited % WAITING_MS >= LOOK_MS)
		return true;
	waiting.progress = atomic_load(&gs_progress);
	return gs_send(c, &waiting, GS_MSG_WAITING, sizeof waiting);
}

/* Find an argument, or room for it; false: the client has gone. */
static bool
find(gs_connection *c, const gs_argument *argument, int i, bool only_cached,
	 gs_found *found)
{
	gs_request *r = &c->request;
	gs_type		type = gs_argument_type(&r->op, i);
	int			waited = 0;

	*found = GS_BEING_LOADED;
	if (argument->toast_id.database != 0)
	{
		for (;;)
		{
			*found = gs_cache_find(argument, type, r->n, only_cached,
								   &r->entry[i]);
			if (*found != GS_BEING_LOADED || r->load != 0)
				break;
			if (!wait_a_moment(c, &waited))
				return false;
		}
	}
	if (*found == GS_BEING_LOADED)
	{
		/* no stored value, or one that must not be waited for */
		r->entry[i] = gs_cache_unnamed(argument, type, r->n);
		*found = r->entry[i] == NULL ? GS_CACHE_FULL : GS_TO_LOAD;
	}
	return true;
}

static bool
validate_argument(const gs_argument *a, int64_t n)
{
	return a->max_values >= 0 && a->max_values <= n && (a->nulls == 0 || a->nulls == 1) &&
		(a->nulls != 0 || a->max_values == n);
}

/* The arrays are not here: they stream. */
static void
let_go(gs_request *r)
{
	for (int i = 0; i < GS_ARRAYS; i++)
	{
		if (r->entry[i] != NULL)
			gs_cache_release(r->entry[i]);
		r->entry[i] = NULL;
	}
	r->hit &= ~(1u << GS_DATA | 1u << GS_MASK);
	r->load = 0;
}

/*
 * See which arguments are here, and make room for the others.  False: the
 * connection is to end.
 */
bool
gs_cached_begin(gs_connection *c, const gs_msg_begin *begin,
				  gs_status *status)
{
	gs_request *r = &c->request;
	int			arrays = gs_has_mask(&r->op) ? 2 : 1;
	bool		stored = false;

	for (int i = 0; i < arrays; i++)
		stored |= begin->argument[i].toast_id.database != 0;
	if (!stored || r->n == 0)
		return true;
	for (int i = 0; i < arrays; i++)
	{
		const gs_argument *argument = &begin->argument[i];
		gs_found	found;

		if (!validate_argument(argument, r->n))
			return gs_malformed(c, "BEGIN with an argument out of range");
		if (!find(c, argument, i, begin->only_cached != 0, &found))
			return false;
		switch (found)
		{
			case GS_FOUND:
				r->hit |= 1u << i;
				break;
			case GS_TO_LOAD:
				r->load |= 1u << i;
				break;
			default:
				let_go(r);
				if (begin->only_cached)
					*status = GS_NOT_CACHED;
				return true;
		}
	}
	r->op.cached = 1;
	return true;
}

/* The next n elements of the arrays that are here. */
void
gs_cached_input(gs_request *r, int64_t n, gs_input *in)
{
	memset(in, 0, sizeof *in);
	in->n = n;
	gs_entry_span(r->entry[GS_DATA], r->fed, n, &in->data);
	if (r->entry[GS_MASK] != NULL)
		gs_entry_span(r->entry[GS_MASK], r->fed, n, &in->mask);
}

/* All feeds of a request that has no output. */
gs_status
gs_cached_feed_all(gs_connection *c)
{
	gs_request *r = &c->request;
	gs_status	status = GS_OK;

	while (status == GS_OK && r->fed < r->n)
	{
		int64_t		n = r->n - r->fed < r->batch ? r->n - r->fed : r->batch;
		gs_input	in;

		gs_cached_input(r, n, &in);
		gs_execution_busy(c);
		status = gs_service.engine->feed(r->run, &in, &r->output[0]);
		if (status == GS_OK)
			status = gs_service.engine->wait(r->run);
		gs_execution_done(c);
		r->fed += n;
	}
	return status;
}

/*
 * Find a LOAD's data.  NULL if it is sound, else what is wrong.
 */
static const char *
read_load(gs_connection *c, const gs_msg_load *load, gs_span *part)
{
	gs_request *r = &c->request;
	gs_type		type;
	bool		nulls;
	gs_input_layout layout;
	const char *base;

	if (load->argument < 0 || load->argument >= GS_ARRAYS ||
		(r->load & 1u << load->argument) == 0)
		return "LOAD of what is not to be loaded";
	if (load->lane < 0 || load->lane >= r->lanes)
		return "LOAD of a lane that is not grant";
	type = gs_argument_type(&r->op, load->argument);
	nulls = gs_entry_has_nulls(r->entry[load->argument]);
	if (load->n < 1 || load->present < 0 || load->present > load->n ||
		load->n > gs_load_elements(type, nulls, gs_service.slot_size))
		return "LOAD with a number out of range";
	gs_lay_load(type, nulls, load->n, load->present, &layout);
	base = gs_staging_slot(c->grant.slot[load->lane]);
	part->values = base + layout.values;
	part->validity = nulls ? (const uint8_t *) base + layout.validity : NULL;
	part->present = load->present;
	if (type == GS_BOOL && !gs_validate_flags(part->values, load->present))
		return "LOAD with flags that are none";
	return NULL;
}

bool
gs_cached_load(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_load *load = message;
	gs_request *r = &c->request;
	gs_entry   *entry;
	const char *wrong;
	gs_span		part;
	gs_msg_loaded loaded;
	gs_status	status;

	(void) size;
	if (!r->open)
		return gs_malformed(c, "LOAD outside a request");
	if (r->failed)
		return true;
	wrong = read_load(c, load, &part);
	if (wrong != NULL)
		return gs_malformed(c, wrong);
	entry = r->entry[load->argument];
	gs_execution_busy(c);
	status = gs_entry_load(entry, &part, load->n);
	gs_execution_done(c);
	if (status == GS_INVALID)
		return gs_malformed(c, "LOAD with data that does not fit its numbers");
	if (status == GS_OK && gs_cache_loaded(entry))
		r->load &= ~(1u << load->argument);
	gs_execution_outcome(c, &loaded.outcome, status);
	if (status == GS_DEVICE_LOST)
		snprintf(loaded.outcome.message, sizeof loaded.outcome.message,
				 "could not copy to the engine's memory");
	return gs_execution_answered(gs_send(c, &loaded, GS_MSG_LOADED, sizeof loaded),
						   &loaded.outcome) &&
		gs_result_continue(c);
}

/* Tell of what is here. */
bool
gs_cached_list(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_list *list = message;
	gs_msg_entries *answer = (gs_msg_entries *) c->out;
	uint64_t	from = list->from;

	(void) size;
	memset(answer, 0, sizeof *answer);
	answer->count = gs_cache_list(&from, (gs_msg_entry *) (answer + 1),
								  (int64_t) ((sizeof c->out - sizeof *answer) /
											 sizeof(gs_msg_entry)));
	answer->next = from;
	return gs_send(c, answer, GS_MSG_ENTRIES, sizeof *answer +
				   (size_t) answer->count * sizeof(gs_msg_entry));
}

/* Let go what is here. */
bool
gs_cached_clear(gs_connection *c, const void *message, size_t size)
{
	gs_msg_cleared answer;

	(void) message;
	(void) size;
	answer.count = gs_cache_clear();
	return gs_send(c, &answer, GS_MSG_CLEARED, sizeof answer);
}
