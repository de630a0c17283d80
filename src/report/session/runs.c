/*-------------------------------------------------------------------------
 *
 * runs.c
 *	  How often this session has run its queries: one in each place, which another
 *	  one takes over.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "report/session/runs.h"

#define KNOWN	256

gs_runs *
gs_runs_of(const gs_attempt *query)
{
	static gs_runs known[KNOWN];
	gs_runs    *r = &known[query->query % KNOWN];

	if (memcmp(&r->query, query, sizeof *query) != 0)
		*r = (gs_runs) {.query = *query};
	return r;
}
