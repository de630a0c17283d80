/*-------------------------------------------------------------------------
 *
 * arguments.c
 *	  A request's arrays in the cache.
 *
 * BEGIN names the toasted values among its arguments.  If all arrays are
 * cached, or the cache has memory for those that are not, the request works on
 * the cache: the client loads what is missing (request.c), one argument after
 * the other, and the engine reads everything from its own memory.  Otherwise
 * the arrays stream through the request as if none were toasted; those of a
 * gs_is_placement() cannot, so they have to fit, toasted or not.
 *
 * A request that finds another connection loading a value waits for it, but
 * holds nothing that the other one could be waiting for: no slots, and no
 * value that it is to load itself.
 *
 *-------------------------------------------------------------------------
 */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "service/service.h"

/* How often to check whether another connection has loaded a value. */
#define CHECK_MS			2

/*
 * Wait a moment.  The client regularly gets WAITING, and sends nothing
 * meanwhile: if its socket is readable, it has gone.
 */
static bool
wait_a_moment(gs_connection *c, int *waited)
{
	struct pollfd fd = {.fd = c->socket, .events = POLLIN};
	int			ready = poll(&fd, 1, CHECK_MS);

	if (ready > 0 || (ready < 0 && errno != EINTR))
		return false;
	*waited += CHECK_MS;
	if (*waited % GS_WAITING_MS >= CHECK_MS)
		return true;
	return gs_send_waiting(c);
}

/* Find an argument, or make an entry for it; false: the client has gone. */
static bool
find_argument(gs_connection *c, const gs_argument *argument, int i,
			  bool only_cached, gs_found *found)
{
	gs_request *r = &c->request;
	gs_type		type = gs_argument_type(&r->op, i);
	int64_t		n = gs_argument_elements(&r->op, i, r->n);
	int			waited = 0;

	*found = GS_BEING_LOADED;
	if (argument->toast_id.database != 0)
	{
		for (;;)
		{
			*found = gs_cache_find(argument, type, n, only_cached,
								   &r->entry[i]);
			if (*found != GS_BEING_LOADED || r->load != 0)
				break;
			if (!wait_a_moment(c, &waited))
				return false;
		}
	}
	if (*found == GS_BEING_LOADED)
	{
		/* not toasted, or must not be waited for */
		r->entry[i] = gs_cache_unnamed(argument, type, n);
		*found = r->entry[i] == NULL ? GS_CACHE_FULL : GS_TO_LOAD;
	}
	return true;
}

/* Are the numbers of an argument possible? */
static bool
validate_argument(const gs_argument *a, int64_t n)
{
	return a->max_values >= 0 && a->max_values <= n &&
		(a->nulls == 0 || a->nulls == 1) &&
		(a->nulls != 0 || a->max_values == n);
}

/* Release what was found: the arrays stream. */
static void
release_arrays(gs_request *r)
{
	for (int i = 0; i < GS_ARRAYS; i++)
	{
		if (r->entry[i] != NULL)
			gs_cache_release(r->entry[i]);
		r->entry[i] = NULL;
	}
	r->hit &= ~((1u << GS_ARRAYS) - 1);
	r->load = 0;
}

/*
 * Find the arrays in the cache, or make entries for them.  False: the
 * connection is to end.
 */
bool
gs_arguments_find(gs_connection *c, const gs_msg_begin *begin,
				  gs_status *status)
{
	gs_request *r = &c->request;
	int			arrays = 1 + gs_has_mask(&r->op) + gs_has_third(&r->op);
	bool		in_memory = gs_is_placement((gs_kind) r->op.kind);
	bool		wanted = in_memory;

	for (int i = 0; i < arrays; i++)
		wanted |= begin->argument[i].toast_id.database != 0;
	if (!wanted || r->n == 0)
		return true;
	for (int i = 0; i < arrays; i++)
	{
		const gs_argument *argument = &begin->argument[i];
		gs_found	found;

		if (!validate_argument(argument,
							   gs_argument_elements(&r->op, i, r->n)))
			return gs_malformed(c, "BEGIN with an argument out of range");
		if (!find_argument(c, argument, i, begin->only_cached != 0, &found))
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
				release_arrays(r);
				if (begin->only_cached)
					*status = GS_NOT_CACHED;
				else if (in_memory)
					*status = GS_NO_MEMORY;
				return true;
		}
	}
	r->op.cached = 1;
	return true;
}

/*
 * The next n elements of the cached arrays.  Of a gs_is_placement() all of the
 * array comes each time, or all of the mask and the third, even if these have as
 * many elements as the batch.
 */
void
gs_arguments_input(gs_request *r, int64_t n, gs_input *in)
{
	const bool	whole = gs_is_placement((gs_kind) r->op.kind);
	const bool	masked = gs_has_mask(&r->op);
	const int64_t elements = gs_mask_elements(&r->op, n);

	memset(in, 0, sizeof *in);
	in->n = n;
	gs_entry_span(r->entry[GS_DATA], whole && !masked ? 0 : r->fed,
				  gs_data_elements(&r->op, n, r->n), &in->data);
	if (masked)
		gs_entry_span(r->entry[GS_MASK], whole ? 0 : r->fed, elements,
					  &in->mask);
	if (gs_has_third(&r->op))
		gs_entry_span(r->entry[GS_THIRD], 0, elements, &in->third);
}
