/*-------------------------------------------------------------------------
 *
 * losses.c
 *	  What has ended in the ordinary plan, and why: it is not tried again soon.
 *
 * Each session has a table of losses.  The last of all sessions are in the
 * shared page, too, where a session looks that knows of none: a new one need not
 * try for itself.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "nodes/nodes.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "report/session/losses.h"
#include "report/session/node_key.h"
#include "supervisor/shared.h"

/* How long it is not tried again the first time, and how often that doubles. */
#define PAUSE_MS			(10 * 60 * 1000)
#define PASSING_PAUSE_MS	(10 * 1000)
#define DOUBLINGS			7

/*
 * So many times any change of a table or its statistics, VACUUM's too, lets it
 * be tried again.  From then on, one of the tables must have another file, or
 * become larger or smaller by this share.
 */
#define CHANGES_TRUSTED		2
#define CHANGE_SHARE		0.2

/* Losses are forgotten, all of them, when there are more. */
#define LOSSES_MAX			1000

typedef struct loss
{
	gs_attempt	attempt;
	bool		changed;		/* a table, or its statistics, since then */
	gs_loss		what;
} loss;

static HTAB *losses;

static bool
is_lost(const loss *l)
{
	return l != NULL && l->what.times > 0;
}

static bool
is_of(const gs_loss *what, Oid relation)
{
	for (int i = 0; i < GS_LOSS_TABLES; i++)
	{
		if (what->table[i].relation == relation)
			return true;
	}
	return false;
}

/* A relation has changed, or all have. */
static void
note_change(Datum arg pg_attribute_unused(), Oid relation)
{
	HASH_SEQ_STATUS scan;
	loss	   *l;

	hash_seq_init(&scan, losses);
	while ((l = hash_seq_search(&scan)) != NULL)
		l->changed |= !OidIsValid(relation) || is_of(&l->what, relation);
}

static loss *
find(const gs_attempt *attempt, HASHACTION action)
{
	HASHCTL		control = {
		.keysize = sizeof(gs_attempt),
		.entrysize = sizeof(loss)
	};

	if (losses == NULL)
	{
		losses = hash_create("gpuscan losses", 64, &control,
							 HASH_ELEM | HASH_BLOBS);
		CacheRegisterRelcacheCallback(note_change, (Datum) 0);
	}
	if (action == HASH_ENTER && hash_get_num_entries(losses) >= LOSSES_MAX)
	{
		HASH_SEQ_STATUS scan;
		loss	   *l;

		hash_seq_init(&scan, losses);
		while ((l = hash_seq_search(&scan)) != NULL)
			hash_search(losses, &l->attempt, HASH_REMOVE, NULL);
	}
	return hash_search(losses, attempt, action, NULL);
}

/* ----------
 * How the tables were then
 * ----------
 */

static void
describe_table(Oid relation, gs_loss_table *described)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	const FormData_pg_class *table;

	memset(described, 0, sizeof *described);
	described->relation = relation;
	if (!HeapTupleIsValid(tuple))
		return;
	table = (const FormData_pg_class *) GETSTRUCT(tuple);
	described->file = table->relfilenode;
	described->pages = table->relpages;
	described->tuples = table->reltuples;
	ReleaseSysCache(tuple);
}

static void
describe_tables(const List *tables, gs_loss *what)
{
	int			n = 0;
	ListCell   *cell;

	foreach(cell, tables)
	{
		if (n < GS_LOSS_TABLES && !is_of(what, lfirst_oid(cell)))
			describe_table(lfirst_oid(cell), &what->table[n++]);
	}
}

static bool
is_other(double before, double now)
{
	return fabs(now - before) > CHANGE_SHARE * Max(before, now);
}

/* Is one of the tables another one now, or, at all, has it other statistics? */
static bool
is_other_table(const gs_loss *what, bool at_all)
{
	for (int i = 0; i < GS_LOSS_TABLES; i++)
	{
		const gs_loss_table *then = &what->table[i];
		gs_loss_table now;

		if (!OidIsValid(then->relation))
			break;
		describe_table(then->relation, &now);
		if (now.file != then->file || is_other(then->pages, now.pages) ||
			is_other(then->tuples, now.tuples) ||
			(at_all && memcmp(&now, then, sizeof now) != 0))
			return true;
	}
	return false;
}

/* ----------
 * What sessions share
 * ----------
 */

static uint64
shared_key(const gs_attempt *attempt)
{
	return hash_bytes_extended((const unsigned char *) attempt,
							   sizeof *attempt, MyDatabaseId);
}

/* The loss's place in the shared page, or NULL.  The page is locked. */
static gs_loss *
find_shared(gs_shared *shared, uint64 key)
{
	for (int i = 0; i < GS_LOSSES; i++)
	{
		if (shared->loss[i].times > 0 && shared->loss[i].key == key)
			return &shared->loss[i];
	}
	return NULL;
}

/* A place for another one: an empty one, or that of the oldest. */
static gs_loss *
make_room(gs_shared *shared)
{
	gs_loss    *room = &shared->loss[0];

	for (int i = 1; i < GS_LOSSES && room->times > 0; i++)
	{
		if (shared->loss[i].times == 0 || shared->loss[i].at < room->at)
			room = &shared->loss[i];
	}
	return room;
}

static void
share(const gs_loss *what)
{
	gs_shared  *shared;
	gs_loss    *place;

	if (gs_shared_attach() != GS_SHARED_READY)
		return;
	shared = gs_shared_get();
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	place = find_shared(shared, what->key);
	if (place == NULL && what->times > 0)
		place = make_room(shared);
	if (place != NULL)
		*place = *what;
	LWLockRelease(&shared->lock);
}

/*
 * What another process has found since, unless a table has changed by now.
 */
static loss *
adopt(const gs_attempt *attempt, loss *known)
{
	gs_shared  *shared;
	const gs_loss *place;
	gs_loss		found = {0};
	loss	   *l = known;

	if (gs_shared_attach() != GS_SHARED_READY)
		return known;
	shared = gs_shared_get();
	LWLockAcquire(&shared->lock, LW_SHARED);
	place = find_shared(shared, shared_key(attempt));
	if (place != NULL)
		found = *place;
	LWLockRelease(&shared->lock);
	if (found.times == 0 || (is_lost(l) && l->what.at >= found.at))
		return known;
	if (l == NULL)
		l = find(attempt, HASH_ENTER);
	l->what = found;
	l->changed = is_other_table(&found, true);
	return l;
}

/* ----------
 * Losses
 * ----------
 */

uint64
gs_attempt_hash(const List *parts, bool *parametric)
{
	gs_node_key key;
	uint64		hash;

	gs_node_key_init(&key);
	gs_node_key_add(&key, parts);
	hash = hash_bytes_extended((const unsigned char *) key.bytes.data,
							   key.bytes.len, 0);
	pfree(key.bytes.data);

	/* x IN (SELECT ...) has one, which stands for the subquery's values */
	*parametric = key.params > key.subplans;
	return hash;
}

static bool
is_over(const gs_loss *what)
{
	int			doublings = Min(what->times - 1, DOUBLINGS);
	int			pause = what->passing ? PASSING_PAUSE_MS : PAUSE_MS;

	return TimestampDifferenceExceeds(what->at, GetCurrentTimestamp(),
									  pause << doublings);
}

/* Has a table changed so that it may be otherwise now? */
static bool
is_changed(loss *l)
{
	if (!l->changed)
		return false;
	l->changed = l->what.times <= CHANGES_TRUSTED ||
		is_other_table(&l->what, false);
	return l->changed;
}

static bool
may_try(loss *l)
{
	return !is_lost(l) || is_over(&l->what) || is_changed(l);
}

/* The loss, if it is no use to try again yet, or NULL. */
static const gs_loss *
find_standing(const gs_attempt *attempt)
{
	loss	   *l = find(attempt, HASH_FIND);

	if (may_try(l))
		l = adopt(attempt, l);
	return may_try(l) ? NULL : &l->what;
}

const char *
gs_loss_known(const gs_attempt *attempt)
{
	const gs_loss *what = find_standing(attempt);

	return what == NULL ? NULL : what->reason;
}

const char *
gs_loss_lasting(const gs_attempt *attempt)
{
	const gs_loss *what = find_standing(attempt);

	return what == NULL || what->passing ? NULL : what->reason;
}

void
gs_loss_learn(const gs_attempt *attempt, const List *tables,
			  const char *reason, bool passing)
{
	loss	   *l = find(attempt, HASH_FIND);
	int			times = is_lost(l) ? l->what.times : 0;
	gs_loss		what = {0};		/* the reason may be that of this very loss */

	if (l == NULL)
		l = find(attempt, HASH_ENTER);
	what.key = shared_key(attempt);
	what.times = Min(times + 1, DOUBLINGS + 1);
	what.passing = passing;
	what.at = GetCurrentTimestamp();
	strlcpy(what.reason, reason, sizeof what.reason);
	describe_tables(tables != NIL ? tables : list_make1_oid(attempt->relation),
					&what);
	l->changed = false;
	l->what = what;
	share(&l->what);
}

void
gs_loss_forget(const gs_attempt *attempt)
{
	loss	   *l = find(attempt, HASH_FIND);

	if (!is_lost(l))
		return;
	l->what.times = 0;
	share(&l->what);
}
