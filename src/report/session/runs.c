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

gs_runs *
gs_runs_of(const gs_attempt *query)
{
	static gs_runs known[SETS][PLACES];
	static uint64 asked;
	gs_runs    *set = known[query->query % SETS];
	gs_runs    *r = set;

	for (int i = 0; i < PLACES; i++)
	{
		if (memcmp(&set[i].query, query, sizeof *query) == 0)
		{
			r = &set[i];
			break;
		}
		if (set[i].asked < r->asked)
			r = &set[i];
	}
	if (memcmp(&r->query, query, sizeof *query) != 0)
		*r = (gs_runs) {.query = *query};
	r->asked = ++asked;
	return r;
}
