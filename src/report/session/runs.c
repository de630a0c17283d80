/*-------------------------------------------------------------------------
 *
 * runs.c
 *	  How often this session has run its queries.  Each has a place among a few, by its
 *	  hash; another one takes over that of which nobody has asked for longest.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "report/session/runs.h"

#define SETS	128
#define PLACES	4

static gs_runs known[SETS][PLACES];

/* The query's place; or that which it may take over. */
static gs_runs *
place_of(const gs_attempt *query)
{
	gs_runs    *set = known[query->query % SETS];
	gs_runs    *r = set;

	for (int i = 0; i < PLACES; i++)
	{
		if (memcmp(&set[i].query, query, sizeof *query) == 0)
			return &set[i];
		if (set[i].asked < r->asked)
			r = &set[i];
	}
	return r;
}

gs_runs *
gs_runs_of(const gs_attempt *query)
{
	static uint64 asked;
	gs_runs    *r = place_of(query);

	if (memcmp(&r->query, query, sizeof *query) != 0)
		*r = (gs_runs) {.query = *query};
	r->asked = ++asked;
	return r;
}

const gs_runs *
gs_runs_known(const gs_attempt *query)
{
	const gs_runs *r = place_of(query);

	return memcmp(&r->query, query, sizeof *query) == 0 ? r : NULL;
}
