/*-------------------------------------------------------------------------
 *
 * dictionary_cache.c
 *	  This session's copies of the service's dictionaries.
 *
 * A copy is made when a query first needs it, and then only grows: before a
 * batch of rows is sent, the service is told of the new values among them, and
 * tells what others have added meanwhile.  What it tells is taken a message at
 * a time, so that an error in between leaves a copy that lacks some values, and
 * nothing wrong.  After an error within a question the link is closed.
 *
 * A nested query may run while another one's expressions are translated, so
 * that no copy may go away then: gs_dictionaries_hold.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/partition.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"

#include "client/exchange.h"
#include "pg/settings.h"
#include "report/session/dictionary_private.h"
#include "report/session/link_owner.h"
#include "report/session/losses.h"

/* What all copies may take together when a report begins. */
#define COPIES_MAX		((size_t) 32 * 1024 * 1024)

/* What the session knows of a column. */
typedef struct copy
{
	gs_dictionary_key key;
	gs_dictionary *dictionary;	/* NULL: none */
} copy;

static HTAB *copies;
static MemoryContext copies_context;	/* of the dictionaries */
static int	holders;

static void
make_copies(void)
{
	HASHCTL		control = {
		.keysize = sizeof(gs_dictionary_key),
		.entrysize = sizeof(copy)
	};

	copies_context = AllocSetContextCreate(TopMemoryContext,
										   "gpuscan dictionaries",
										   ALLOCSET_SMALL_SIZES);
	copies = hash_create("gpuscan dictionaries", 64, &control,
						 HASH_ELEM | HASH_BLOBS);
}

/* The column of the topmost parent, by its name. */
static void
find_key(Oid relation, AttrNumber attribute, gs_dictionary_key *key)
{
	Oid			collation;
	int32		typmod;

	memset(key, 0, sizeof *key);
	key->relation = relation;
	key->attribute = attribute;
	if (get_rel_relispartition(relation))
	{
		List	   *parents = get_partition_ancestors(relation);

		key->relation = llast_oid(parents);
		key->attribute = get_attnum(key->relation,
									get_attname(relation, attribute, false));
		list_free(parents);
	}
	get_atttypetypmodcoll(relation, attribute, &key->type, &typmod,
						  &collation);
	if (key->type == BPCHAROID)
		key->characters = typmod - VARHDRSZ;
}

static copy *
find_copy(const gs_dictionary_key *key)
{
	copy	   *c;
	bool		found;

	if (copies == NULL)
		make_copies();
	c = hash_search(copies, key, HASH_ENTER, &found);
	if (!found)
		c->dictionary = NULL;
	return c;
}

static gs_attempt
attempt_of(const gs_dictionary_key *key)
{
	return (gs_attempt) {.relation = key->relation, .attribute = key->attribute};
}

const char *
gs_dictionary_refusal(Oid relation, AttrNumber attribute)
{
	gs_dictionary_key key;
	gs_attempt	attempt;

	find_key(relation, attribute, &key);
	attempt = attempt_of(&key);
	return gs_loss_known(&attempt);
}

void
gs_dictionary_refuse(const gs_dictionary *d, const char *reason)
{
	const gs_attempt attempt = attempt_of(&d->private->key);

	/* without an id, the service has no memory for it */
	gs_loss_learn(&attempt, reason, d->id == 0);
}

/* ----------
 * Questions
 * ----------
 */

/* The next question: as many pending values from *sent on as it has room for. */
static size_t
write_question(const gs_dictionary *d, int32 *sent)
{
	const struct gs_dictionary_private *p = d->private;
	gs_msg_dictionary *question = (gs_msg_dictionary *) gs_session_link.buffer;
	size_t		size = sizeof *question;

	memset(question, 0, sizeof *question);
	question->database = MyDatabaseId;
	question->relation = p->key.relation;
	question->id = d->id;
	question->attribute = p->key.attribute;
	question->from = d->n;
	question->type = p->key.type;
	for (; *sent < p->pendings; (*sent)++)
	{
		const gs_dictionary_bytes *v = &p->pending[*sent];
		size_t		end = gs_values_put(question, GS_MESSAGE_MAX, size,
										v->bytes, v->size);

		if (end == 0)
			break;
		size = end;
		question->count++;
	}
	return size;
}

/* Learn the values of an answer.  False: it cannot be right. */
static bool
read_answer(gs_dictionary *d, const gs_msg_values *answer, size_t size)
{
	size_t		at = sizeof *answer;

	if (answer->id == 0 || answer->first != d->n || answer->count < 0 ||
		answer->n > GS_DICTIONARY_MAX || answer->n - d->n < answer->count ||
		(answer->count == 0 && answer->n > d->n))
		return false;
	d->id = answer->id;
	for (int32 i = 0; i < answer->count; i++)
	{
		const char *bytes;
		uint32		length;

		at = gs_values_get(answer, size, at, &bytes, &length);
		if (at == 0 || length > GS_DICTIONARY_VALUE_MAX ||
			!gs_dictionary_learn(d, bytes, length))
			return false;
	}
	return true;
}

/* Ask, with pending values from *sent on.  *n: how many values there are. */
static gs_status
ask_once(gs_dictionary *d, int32 *sent, int32 *n, const char **reason)
{
	gs_exchange x = {0};
	gs_msg_values *answer = (gs_msg_values *) gs_session_link.buffer;
	size_t		size = write_question(d, sent);
	gs_status	status;

	status = gs_exchange_send(&x, gs_session_link.buffer, GS_MSG_DICTIONARY,
							  size);
	if (status == GS_OK)
		status = gs_exchange_receive(&x, answer, GS_MSG_VALUES,
									 sizeof *answer, GS_MESSAGE_MAX, &size);
	if (status != GS_OK)
	{
		*reason = gs_link_error();
		return status;
	}
	status = gs_exchange_check(&x, &answer->outcome);
	*n = answer->n;
	if (status == GS_NO_MEMORY && answer->id == 0)
		*reason = "the service has no memory for a dictionary";
	else if (status == GS_NO_MEMORY)
		*reason = answer->n + d->private->pendings > GS_DICTIONARY_MAX ?
			GS_TOO_MANY_VALUES : GS_TOO_MANY_BYTES;
	else if (status != GS_OK)
		*reason = "the service failed with a dictionary";
	else if (d->id != 0 && d->id != answer->id)
	{
		*reason = "the service has lost a dictionary";
		gs_dictionary_forget(d);
		status = GS_INVALID;
	}
	else if (!read_answer(d, answer, size))
	{
		*reason = "The service has violated the protocol.";
		status = gs_exchange_violated(&x);
	}
	return status;
}

/* Ask until all values from *sent on were sent, and there are n at least. */
static gs_status
ask(gs_dictionary *d, int32 sent, int32 n, const char **reason)
{
	gs_status	status;

	PG_TRY();
	{
		int32		all;

		do
		{
			CHECK_FOR_INTERRUPTS();
			status = ask_once(d, &sent, &all, reason);
		} while (status == GS_OK &&
				 (sent < d->private->pendings || d->n < Min(n, all)));
	}
	PG_CATCH();
	{
		/* an answer may be on its way */
		gs_link_close();
		gs_dictionary_discard(d);
		PG_RE_THROW();
	}
	PG_END_TRY();
	return status;
}

/* ----------
 * Copies
 * ----------
 */

/* NULL, with a reason, if the service cannot be asked. */
static gs_dictionary *
copy_dictionary(const gs_dictionary_key *key, const char **reason)
{
	MemoryContext context;
	gs_dictionary *d;

	if (gs_engine_setting == GS_ENGINE_CPU)
		*reason = "gpuscan.engine is cpu";
	else if (gs_link_is_owned())
		*reason = "another report is under way";
	else if (gs_link_acquire(0, reason) == GS_AVAILABLE)
		*reason = NULL;
	if (*reason != NULL)
		return NULL;
	context = AllocSetContextCreate(CurTransactionContext,
									"gpuscan dictionary",
									ALLOCSET_START_SMALL_SIZES);
	d = gs_dictionary_create(context, key);
	if (ask(d, 0, GS_DICTIONARY_MAX, reason) == GS_OK)
	{
		MemoryContextSetParent(context, copies_context);
		return d;
	}
	MemoryContextDelete(context);
	return NULL;
}

gs_dictionary *
gs_dictionary_open(Oid relation, AttrNumber attribute, const char **reason)
{
	gs_dictionary_key key;
	gs_attempt	attempt;
	copy	   *c;

	find_key(relation, attribute, &key);
	attempt = attempt_of(&key);
	*reason = gs_loss_known(&attempt);
	if (*reason != NULL)
		return NULL;
	c = find_copy(&key);
	if (c->dictionary == NULL)
		c->dictionary = copy_dictionary(&key, reason);
	else
		gs_dictionary_discard(c->dictionary);
	return c->dictionary;
}

/* The codes of pending values are known: those of a batch may be others. */
static void
correct_codes(const struct gs_dictionary_private *p, int32 before,
			  int32 *codes, int64 n)
{
	bool		correct = true;

	for (int32 i = 0; i < p->pendings && correct; i++)
		correct = p->code[i] == before + i;
	for (int64 i = 0; i < n && !correct; i++)
	{
		uint32		place = (uint32) codes[i] - (uint32) before;

		if (place < (uint32) p->pendings)
			codes[i] = p->code[place];
	}
}

gs_status
gs_dictionary_update(gs_dictionary *d, int32 *codes, int64 n,
					 const char **reason)
{
	struct gs_dictionary_private *p = d->private;
	int32		before = d->n;
	gs_status	status = GS_OK;

	*reason = p->refusal;
	if (p->refusal != NULL)
		status = GS_NO_MEMORY;
	else if (p->pendings > 0)
		status = ask(d, 0, GS_DICTIONARY_MAX, reason);
	for (int32 i = 0; i < p->pendings && status == GS_OK; i++)
	{
		if (p->code[i] < 0)
		{
			*reason = "The service has violated the protocol.";
			status = GS_DEVICE_LOST;
			gs_link_close();
		}
	}
	if (status == GS_OK)
		correct_codes(p, before, codes, n);
	else if (status == GS_NO_MEMORY)
		gs_dictionary_refuse(d, *reason);
	gs_dictionary_discard(d);
	return status;
}

gs_status
gs_dictionary_fetch(gs_dictionary *d, int32 n, const char **reason)
{
	gs_dictionary_discard(d);
	return ask(d, 0, n, reason);
}

bool
gs_dictionary_is_lost(gs_dictionary *d)
{
	const char *reason;

	if (!d->private->lost && gs_link_acquire(0, &reason) == GS_AVAILABLE)
		(void) gs_dictionary_fetch(d, d->n, &reason);
	return d->private->lost;
}

void
gs_dictionary_forget(gs_dictionary *d)
{
	struct gs_dictionary_private *p = d->private;
	copy	   *c = find_copy(&p->key);

	p->lost = true;
	if (c->dictionary != d)
		return;
	c->dictionary = NULL;

	/* whoever uses it does so until the transaction ends, at most */
	MemoryContextSetParent(p->context, TopTransactionContext);
}

void
gs_dictionaries_hold(void)
{
	holders++;
}

void
gs_dictionaries_release(void)
{
	holders--;
}

bool
gs_dictionaries_are_held(void)
{
	return holders > 0;
}

void
gs_dictionaries_trim(void)
{
	HASH_SEQ_STATUS scan;
	copy	   *c;

	if (holders > 0 || copies == NULL ||
		MemoryContextMemAllocated(copies_context, true) <= COPIES_MAX)
		return;
	hash_seq_init(&scan, copies);
	while ((c = hash_seq_search(&scan)) != NULL)
		c->dictionary = NULL;
	MemoryContextDeleteChildren(copies_context);
}
