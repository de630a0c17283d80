/*-------------------------------------------------------------------------
 *
 * dictionary_growth.c
 *	  How many distinct values a column will turn out to have.
 *
 * The planner keeps reports away from columns that have too many by the table's
 * statistics.  These are often too low by far, where few values are frequent and
 * most are rare.  Then a report would read much of the table, to no avail: so
 * while pages are read it is watched how the number of values grows.
 *
 * If values came at random, D of them in all, then after a share s of the rows
 * there are D * (1 - exp(-c * s)), and what the second half of that share has
 * added is u = exp(-c * s / 2) of what the first has.  Where some values are more
 * frequent than others, more are to come than this says.
 *
 * Values may also come in an order in which all are new at first.  So statistics
 * are believed until there are more than they expect.  And where several processes
 * read, each finds what the others have not told of yet: less than there is.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "catalog/pg_statistic.h"
#include "utils/syscache.h"

#include "pg/settings.h"
#include "report/session/dictionary_private.h"

/* There must be this much too many. */
#define MARGIN	1.25

static double
rows_of(Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	double		rows;

	if (!HeapTupleIsValid(tuple))
		return 0;
	rows = ((Form_pg_class) GETSTRUCT(tuple))->reltuples;
	ReleaseSysCache(tuple);
	return Max(rows, 0);
}

double
gs_dictionary_expected_values(const gs_dictionary_key *key)
{
	double		most = 0;

	for (int inherited = 0; inherited <= 1; inherited++)
	{
		HeapTuple	statistics = SearchSysCache3(STATRELATTINH,
												 ObjectIdGetDatum(key->relation),
												 Int16GetDatum(key->attribute),
												 BoolGetDatum(inherited != 0));
		double		different;

		if (!HeapTupleIsValid(statistics))
			continue;
		different = ((Form_pg_statistic) GETSTRUCT(statistics))->stadistinct;
		if (different < 0)
			different *= -rows_of(key->relation);
		most = Max(most, different);
		ReleaseSysCache(statistics);
	}
	return most;
}

void
gs_dictionary_watch(gs_dictionary *d)
{
	struct gs_dictionary_private *p = d->private;

	p->begin = d->n + p->n_added;
	p->expected = gs_dictionary_expected_values(&p->key);
	p->found = 0;
	p->found_size = 0;
	memset(p->growth, 0, sizeof p->growth);
}

/* All that the values may take, as far as a setting says. */
static double
most_bytes(void)
{
	double		cache = gs_cache_size * 1024.0 * 1024.0;

	return gs_cache_size < 0 ? GS_DICTIONARY_BYTES :
		Min(cache, GS_DICTIONARY_BYTES);
}

/* How many after so many times as much, if half of that gave `half` of `now`? */
static double
extrapolate(double half, double now, double times)
{
	double		u = (now - half) / Max(half, 1);

	return u >= 1 ? now * times :
		now * (1 - pow(u, 2 * times)) / (1 - u * u);
}

const char *
gs_dictionary_outlook(gs_dictionary *d, int part)
{
	struct gs_dictionary_private *p = d->private;
	double		more;

	p->growth[part] = p->found;
	if (part % 2 != 0 || p->found == 0 || p->expected == 0 ||
		d->n + p->n_added <= p->expected)
		return NULL;
	more = extrapolate(p->growth[part / 2], p->found,
					   (double) GS_GROWTH_PARTS / part);
	if (p->begin + more <= MARGIN * GS_DICTIONARY_MAX &&
		more * p->found_size / p->found <= MARGIN * most_bytes())
		return NULL;
	return "a column seems to have too many distinct values";
}
