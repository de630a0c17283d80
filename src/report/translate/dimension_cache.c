/*-------------------------------------------------------------------------
 *
 * dimension_cache.c
 *	  Dimensions that this session has kept.
 *
 * The rows that a plan gives are the same again if it is the same plan, over
 * tables that have not changed.  A table has not changed if all of its pages are
 * all-visible and the pages of its visibility map have the LSNs that they had
 * before the rows were read, with a snapshot that is older than that
 * (docs/freshness.md: all-visible pages).
 *
 * A report holds on to rows until its groups are here, so that rows go away only
 * where no report is under way: gs_dimensions_trim.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "lib/ilist.h"
#include "storage/bufmgr.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "report/session/node_key.h"
#include "report/table/map.h"
#include "report/table/table.h"
#include "report/translate/dimension.h"
#include "report/translate/lookup.h"

/* What all may take together when a report begins: this, or a part of one's most. */
#define KEPT_MIN	((size_t) 64 * 1024 * 1024)
#define KEPT_PART	4

/* What a table was like. */
typedef struct table_version
{
	Oid			file;			/* relfilenode */
	BlockNumber blocks;
	uint64		lsn;			/* of its map's pages, as one number */
} table_version;

struct gs_dimension_version
{
	gs_node_key plan;			/* with what the keys are */
	gs_settings settings;
	int			n;
	table_version *table;
};

typedef struct entry
{
	dlist_node	node;			/* in `entries`, the last used first */
	MemoryContext context;		/* in which all of it is */
	gs_dimension_version *version;
	gs_dimension_rows *rows;
	bool		stale;
} entry;

static dlist_head entries = DLIST_STATIC_INIT(entries);
static MemoryContext kept;		/* the parent of all entries' */

/* ----------
 * Versions
 * ----------
 */

/* The LSN of a map page never decreases, so the sum tells if any of them has changed. */
static bool
find_lsn(Relation relation, table_version *version)
{
	gs_map	   *map = palloc(sizeof(gs_map));
	bool		known = true;

	version->lsn = 0;
	for (uint32 m = 0; known && m < gs_map_count(version->blocks); m++)
	{
		gs_map_copy(relation, m, version->blocks, map);
		known = map->lsn != 0 && map->all;
		version->lsn += map->lsn;
	}
	pfree(map);
	return known;
}

/*
 * False: later versions could not be told from this one.  As of the report's own
 * table, a column that this transaction has added may become another one
 * (gs_table_may_hold).
 */
static bool
find_version(Oid oid, Snapshot snapshot, table_version *version)
{
	Relation	relation = table_open(oid, NoLock);
	char		kind = relation->rd_rel->relkind;
	bool		known = (kind == RELKIND_RELATION || kind == RELKIND_MATVIEW) &&
		relation->rd_rel->relpersistence == RELPERSISTENCE_PERMANENT &&
		gs_table_may_hold(relation, snapshot);

	if (known)
	{
		version->file = relation->rd_locator.relNumber;
		version->blocks = RelationGetNumberOfBlocks(relation);
		known = find_lsn(relation, version);
	}
	table_close(relation, NoLock);
	return known;
}

/* A plan has tables' numbers in the statement: which one has which? */
static List *
numbers_of_tables(const gs_dimension *d)
{
	List	   *numbers = NIL;
	ListCell   *cell;

	foreach(cell, d->plan->state->es_range_table)
	{
		const RangeTblEntry *rte = lfirst(cell);

		if (rte->rtekind != RTE_RELATION ||
			!list_member_oid(d->tables, rte->relid))
			continue;
		numbers = lappend_oid(numbers, (Oid) foreach_current_index(cell));
		numbers = lappend_oid(numbers, rte->relid);
	}
	return numbers;
}

/* False: what decides its rows cannot be told from others. */
static bool
add_dimension(const gs_dimension *d, gs_dimension_version *version)
{
	ListCell   *cell;

	if (d->tables == NIL)
		return false;
	gs_node_key_add(&version->plan, d->plan->plan);
	if (version->plan.subplans > 0)
		return false;			/* what these do is not in the key */
	foreach(cell, d->tables)
	{
		if (!find_version(lfirst_oid(cell), d->plan->state->es_snapshot,
						  &version->table[version->n++]))
			return false;
	}
	gs_node_key_add(&version->plan, list_make1_int((int) d->kind));
	gs_node_key_add(&version->plan, d->inner_keys);
	gs_node_key_add(&version->plan, d->tables);

	/* rows that the service has are of no use where they are to be read */
	gs_node_key_add(&version->plan, list_make1_oid(d->held));
	gs_node_key_add(&version->plan, d->filter);
	if (list_length(d->tables) > 1 || d->parent != NULL || d->children != NIL)
		gs_node_key_add(&version->plan, numbers_of_tables(d));
	return true;
}

/* Those that are in its tables, if the service makes them. */
static bool
add_children(const gs_dimension *d, gs_dimension_version *version)
{
	ListCell   *cell;

	foreach(cell, d->children)
	{
		const gs_dimension *child = lfirst(cell);

		if (!add_dimension(child, version))
			return false;
		gs_node_key_add(&version->plan, child->outer_keys);
	}
	return true;
}

gs_dimension_version *
gs_dimension_version_of(const gs_dimension *d)
{
	gs_dimension_version *version;
	int			tables = list_length(d->tables);
	ListCell   *cell;

	/* who reads serializably locks what is read */
	if (IsolationIsSerializable())
		return NULL;
	foreach(cell, d->children)
		tables += list_length(((const gs_dimension *) lfirst(cell))->tables);
	version = palloc0(sizeof *version);
	gs_node_key_init(&version->plan);
	version->table = palloc0(Max(tables, 1) * sizeof(table_version));
	if (!add_dimension(d, version) ||
		(OidIsValid(d->held) && !add_children(d, version)))
		return NULL;
	gs_settings_read(&version->settings);
	return version;
}

static bool
is_same_plan(const gs_node_key *a, const gs_node_key *b)
{
	return a->bytes.len == b->bytes.len &&
		memcmp(a->bytes.data, b->bytes.data, a->bytes.len) == 0;
}

static bool
is_same_version(const gs_dimension_version *a, const gs_dimension_version *b)
{
	return a->n == b->n &&
		memcmp(a->table, b->table, a->n * sizeof(table_version)) == 0 &&
		memcmp(&a->settings, &b->settings, sizeof a->settings) == 0;
}

/* ----------
 * Rows
 * ----------
 */

gs_dimension_rows *
gs_dimensions_find(const gs_dimension_version *version)
{
	dlist_iter	iter;

	dlist_foreach(iter, &entries)
	{
		entry	   *e = dlist_container(entry, node, iter.cur);

		if (!is_same_plan(&e->version->plan, &version->plan) || e->rows->varies)
			continue;
		if (is_same_version(e->version, version))
		{
			dlist_move_head(&entries, &e->node);
			return e->rows;
		}
		e->stale = true;
	}
	return NULL;
}

void
gs_dimensions_keep(const gs_dimension_version *version,
				   gs_dimension_rows *rows)
{
	size_t		size = version->n * sizeof(table_version);
	MemoryContext old = MemoryContextSwitchTo(rows->context);
	entry	   *e = palloc0(sizeof *e);

	if (kept == NULL)
		kept = AllocSetContextCreate(TopMemoryContext, "gpuscan dimensions",
									 ALLOCSET_SMALL_SIZES);
	e->context = rows->context;
	e->rows = rows;
	rows->kept = true;
	e->version = palloc(sizeof *e->version);
	*e->version = *version;
	gs_node_key_init(&e->version->plan);
	appendBinaryStringInfo(&e->version->plan.bytes, version->plan.bytes.data,
						   version->plan.bytes.len);
	e->version->table = palloc(size);
	memcpy(e->version->table, version->table, size);
	MemoryContextSwitchTo(old);
	MemoryContextSetParent(rows->context, kept);
	dlist_push_head(&entries, &e->node);
}

void
gs_dimensions_trim(void)
{
	size_t		size_max = Max(KEPT_MIN, gs_dimension_memory() / KEPT_PART);
	size_t		size = 0;
	dlist_mutable_iter iter;

	dlist_foreach_modify(iter, &entries)
	{
		entry	   *e = dlist_container(entry, node, iter.cur);

		size += MemoryContextMemAllocated(e->context, true);
		if (e->stale || e->rows->varies || size > size_max)
		{
			dlist_delete(&e->node);
			MemoryContextDelete(e->context);
		}
	}
}
