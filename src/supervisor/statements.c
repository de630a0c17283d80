/*-------------------------------------------------------------------------
 *
 * statements.c
 *	  The counts of statements, in dynamic shared memory.
 *
 * The first session that has something to count makes the segment, which stays
 * until the server stops; its handle is in the shared page.  So nothing has to
 * be preloaded, and servers without reports do not pay for it.
 *
 * A statement is found by a hash table, and is in a list by the time of its
 * last use.  Both are made of places in the array, since the segment has
 * another address in each process.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "storage/dsm.h"
#include "utils/resowner.h"
#include "utils/timestamp.h"

#include "supervisor/shared.h"
#include "supervisor/statements.h"

#define BUCKETS		1024		/* a power of two */
#define NOWHERE		(-1)

typedef struct entry
{
	int			next;			/* of the same bucket */
	int			newer;			/* used after this one */
	int			older;
	gs_statement statement;
} entry;

/* Under the page's statements_lock. */
typedef struct statement_table
{
	int			n;				/* entries in use: the first ones */
	int			newest;
	int			oldest;
	int			bucket[BUCKETS];
	entry		entry[GS_STATEMENTS_MAX];
} statement_table;

static void
clear(statement_table *t)
{
	t->n = 0;
	t->newest = t->oldest = NOWHERE;
	for (int i = 0; i < BUCKETS; i++)
		t->bucket[i] = NOWHERE;
}

/*
 * Map the segment, or make it, for as long as the session lasts.  NULL: there
 * is no memory, for which an error is raised that is no one's business.
 */
static statement_table *
map(gs_shared *s)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	uint32		holdoff = InterruptHoldoffCount;
	statement_table *volatile t = NULL;

	CurrentResourceOwner = NULL;
	PG_TRY();
	{
		bool		is_new = s->statements == DSM_HANDLE_INVALID;
		dsm_segment *segment = is_new ?
			dsm_create(sizeof *t, DSM_CREATE_NULL_IF_MAXSEGMENTS) :
			dsm_attach(s->statements);

		if (segment != NULL && is_new)
		{
			clear(dsm_segment_address(segment));
			dsm_pin_segment(segment);
			s->statements = dsm_segment_handle(segment);
		}
		if (segment != NULL)
			t = dsm_segment_address(segment);
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		FlushErrorState();

		/* raising the error reset it, although a lock is held */
		InterruptHoldoffCount = holdoff;
	}
	PG_END_TRY();
	CurrentResourceOwner = owner;
	return t;
}

/* Take the lock.  False, without it: there is nothing, nor is any made. */
static bool
acquire(statement_table **table, bool make)
{
	static statement_table *mapped = NULL;
	static bool failed = false;
	gs_shared  *s;

	if (failed || !IsUnderPostmaster ||
		gs_shared_attach() != GS_SHARED_READY)
		return false;
	s = gs_shared_get();
	LWLockAcquire(&s->statements_lock, LW_EXCLUSIVE);
	if (mapped == NULL && (make || s->statements != DSM_HANDLE_INVALID))
	{
		mapped = map(s);
		failed = mapped == NULL;
	}
	*table = mapped;
	if (mapped == NULL)
		LWLockRelease(&s->statements_lock);
	return mapped != NULL;
}

static void
release(void)
{
	LWLockRelease(&gs_shared_get()->statements_lock);
}

static int *
bucket_of(statement_table *t, const gs_statement_key *key)
{
	uint64		hash = (uint64) key->id ^ key->user ^
		((uint64) key->database << 5);

	return &t->bucket[(hash ^ hash >> 32) % BUCKETS];
}

static bool
is_same(const gs_statement_key *a, const gs_statement_key *b)
{
	return a->id == b->id && a->is_query_id == b->is_query_id &&
		a->user == b->user && a->database == b->database;
}

static int
find(statement_table *t, const gs_statement_key *key)
{
	int			i = *bucket_of(t, key);

	while (i != NOWHERE && !is_same(&t->entry[i].statement.key, key))
		i = t->entry[i].next;
	return i;
}

/* Take it out of the list by time. */
static void
unlink_entry(statement_table *t, int i)
{
	const entry *e = &t->entry[i];

	*(e->newer == NOWHERE ? &t->newest : &t->entry[e->newer].older) = e->older;
	*(e->older == NOWHERE ? &t->oldest : &t->entry[e->older].newer) = e->newer;
}

static void
link_as_newest(statement_table *t, int i)
{
	entry	   *e = &t->entry[i];

	e->newer = NOWHERE;
	e->older = t->newest;
	*(t->newest == NOWHERE ? &t->oldest : &t->entry[t->newest].newer) = i;
	t->newest = i;
}

/* The place of the one that was not used for longest, which is no more. */
static int
evict(statement_table *t)
{
	int			i = t->oldest;
	int		   *from = bucket_of(t, &t->entry[i].statement.key);

	while (*from != i)
		from = &t->entry[*from].next;
	*from = t->entry[i].next;
	unlink_entry(t, i);
	return i;
}

static int
make_entry(statement_table *t, const gs_statement_call *call)
{
	int			i = t->n < GS_STATEMENTS_MAX ? t->n++ : evict(t);
	int		   *bucket = bucket_of(t, &call->key);
	gs_statement *s = &t->entry[i].statement;
	int			length = pg_mbcliplen(call->text, call->length,
									  GS_STATEMENT_TEXT - 1);

	memset(s, 0, sizeof *s);
	s->key = call->key;
	s->encoding = GetDatabaseEncoding();
	memcpy(s->text, call->text, (size_t) length);
	t->entry[i].next = *bucket;
	*bucket = i;
	return i;
}

static void
add(gs_statement *s, const gs_statement_call *call, TimestampTz now)
{
	s->last_used = now;
	s->estimated_ms = call->estimated_ms;
	s->held_rows += call->held_rows;
	s->read_rows += call->read_rows;
	s->groups += call->groups;
	if (call->made)
	{
		s->reports++;
		s->report_ms += call->ms;
		return;
	}
	s->ordinary++;
	s->refused += !call->planned;
	s->ordinary_ms += call->ms;
	strlcpy(s->reason, call->reason, sizeof s->reason);
}

void
gs_statements_count(const gs_statement_call *call)
{
	TimestampTz now = GetCurrentTimestamp();
	statement_table *t;
	int			i;

	if (!acquire(&t, true))
		return;
	i = find(t, &call->key);
	if (i == NOWHERE)
		i = make_entry(t, call);
	else
		unlink_entry(t, i);
	link_as_newest(t, i);
	add(&t->entry[i].statement, call, now);
	release();
}

int
gs_statements_list(gs_statement **list)
{
	statement_table *t;
	int			n = 0;

	*list = palloc(GS_STATEMENTS_MAX * sizeof **list);
	if (!acquire(&t, false))
		return 0;
	for (; n < t->n; n++)
		(*list)[n] = t->entry[n].statement;
	release();
	return n;
}

int
gs_statements_forget(void)
{
	statement_table *t;
	int			n;

	if (!acquire(&t, false))
		return 0;
	n = t->n;
	clear(t);
	release();
	return n;
}
