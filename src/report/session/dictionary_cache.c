/*-------------------------------------------------------------------------
 *
 * dictionary_cache.c
 *	  The service's dictionaries, as this session has them mapped.
 *
 * A dictionary is mapped when a query first needs it.  Before a batch of rows is
 * sent, the service is told of the new values among them, and tells their codes.
 * After an error within a question the link is closed.
 *
 * A nested query may run while another one's expressions are translated, so
 * that none may go away then: gs_dictionaries_hold.  Large ones go when the
 * transaction ends, since an idle session would keep the memory of one that the
 * service has evicted.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/xact.h"
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
#include "supervisor/shared.h"

/* What all may take together when a report begins, or a transaction ends. */
#define MAPPED_MAX		((size_t) 32 * 1024 * 1024)

/* To have the service make codes for more than so many takes a while. */
#define MANY_VALUES		65536

/* The type of the patterns of a column, which no column has. */
#define PATTERNS		CSTRINGOID

/* Their codes have 16 bits (protocol/report.h). */
#define PATTERNS_MAX	32768

/* What the session knows of a column. */
typedef struct known
{
	gs_dictionary_key key;
	gs_dictionary *dictionary;	/* NULL: none */
} known;

static HTAB *all_known;
static MemoryContext known_context; /* of the dictionaries */
static int	holders;

static void
end_of_transaction(XactEvent event, void *arg pg_attribute_unused())
{
	if (event == XACT_EVENT_COMMIT || event == XACT_EVENT_ABORT ||
		event == XACT_EVENT_PREPARE)
		gs_dictionaries_trim();
}

static void
begin_knowing(void)
{
	HASHCTL		control = {
		.keysize = sizeof(gs_dictionary_key),
		.entrysize = sizeof(known)
	};

	known_context = AllocSetContextCreate(TopMemoryContext,
										  "gpuscan dictionaries",
										  ALLOCSET_SMALL_SIZES);
	all_known = hash_create("gpuscan dictionaries", 64, &control,
							HASH_ELEM | HASH_BLOBS);
	RegisterXactCallback(end_of_transaction, NULL);
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

static known *
find_known(const gs_dictionary_key *key)
{
	known	   *k;
	bool		found;

	if (all_known == NULL)
		begin_knowing();
	k = hash_search(all_known, key, HASH_ENTER, &found);
	if (!found)
		k->dictionary = NULL;
	return k;
}

/* To have the column's codes; or, equals: to tell its values apart by these. */
static gs_attempt
attempt_of(const gs_dictionary_key *key, bool equals)
{
	return (gs_attempt) {
		.relation = key->relation,.attribute = key->attribute,
		.query = key->type == PATTERNS ? 2 : equals
	};
}

static const char *
refusal_of(Oid relation, AttrNumber attribute, bool equals)
{
	gs_dictionary_key key;
	gs_attempt	attempt;

	find_key(relation, attribute, &key);
	attempt = attempt_of(&key, equals);
	return gs_loss_known(&attempt);
}

const char *
gs_dictionary_refusal(Oid relation, AttrNumber attribute)
{
	return refusal_of(relation, attribute, false);
}

void
gs_dictionary_refuse(const gs_dictionary *d, const char *reason)
{
	const gs_attempt attempt = attempt_of(&d->private->key, false);

	/* without an id, the service has no memory for it */
	gs_loss_learn(&attempt, NIL, reason, d->id == 0);
}

const char *
gs_dictionary_equals_refusal(Oid relation, AttrNumber attribute)
{
	return refusal_of(relation, attribute, true);
}

void
gs_dictionary_refuse_equals(const gs_dictionary *d, const char *reason)
{
	const gs_attempt attempt = attempt_of(&d->private->key, true);

	gs_loss_learn(&attempt, NIL, reason, false);
}

/* ----------
 * Questions
 * ----------
 */

/*
 * The next question: as many pending values from *sent on as it has room for;
 * and for the memory, if that is not mapped.
 */
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
	question->map = p->memory == NULL;
	question->type = p->key.type;
	for (; *sent < p->n_added && question->count < GS_DICTIONARY_COUNT; (*sent)++)
	{
		const gs_dictionary_bytes *v = &p->added[*sent];
		size_t		end = gs_values_put(question, GS_MESSAGE_MAX, size,
										v->bytes, v->size);

		if (end == 0)
			break;
		size = end;
		question->count++;
	}
	return size;
}

static void
unmap(void *memory)
{
	(void) munmap(memory, GS_DICTIONARY_SIZE);
}

/* Map the memory.  It must keep its size, or reading it could end this process. */
static const char *
map_memory(gs_dictionary *d, int fd)
{
	struct gs_dictionary_private *p = d->private;
	struct stat st;
	void	   *memory;

	if (fd < 0 || fstat(fd, &st) != 0 || st.st_size < (off_t) GS_DICTIONARY_SIZE ||
		(fcntl(fd, F_GET_SEALS) & F_SEAL_SHRINK) == 0)
		return "the service has not sent a dictionary";
	memory = mmap(NULL, GS_DICTIONARY_SIZE, PROT_READ, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return "a dictionary could not be mapped";
	(void) madvise(memory, GS_DICTIONARY_SIZE, MADV_DONTDUMP);
	p->memory = memory;
	p->unmap = (MemoryContextCallback) {.func = unmap, .arg = memory};
	MemoryContextRegisterResetCallback(p->context, &p->unmap);
	return NULL;
}

/* Take the codes of `count` pending values from `first` on.  False: they are wrong. */
static bool
read_codes(gs_dictionary *d, const gs_msg_codes *answer, size_t size,
		   int32 first, int32 count)
{
	const int32 *code = (const int32 *) (answer + 1);
	struct gs_dictionary_private *p = d->private;

	if (answer->id == 0 || answer->count < 0 || answer->count > count ||
		(answer->outcome.status == GS_OK && answer->count < count) ||
		size != sizeof *answer + answer->count * sizeof *code)
		return false;
	d->id = answer->id;
	for (int32 i = 0; i < answer->count; i++)
	{
		if (code[i] < 0 || code[i] >= GS_DICTIONARY_MAX)
			return false;
		p->code[first + i] = code[i];
	}
	return true;
}

/* Why a value got no code. */
static const char *
limit_met(const gs_msg_codes *answer)
{
	if (answer->id == 0)
		return "the service has no memory for a dictionary";
	if (answer->n >= GS_DICTIONARY_MAX)
		return GS_TOO_MANY_VALUES;
	return answer->bytes > GS_DICTIONARY_BYTES - GS_DICTIONARY_VALUE_MAX ?
		GS_TOO_MANY_BYTES : GS_NO_ROOM_FOR_VALUES;
}

/* Ask, with pending values from *sent on. */
static gs_status
ask_once(gs_dictionary *d, int32 *sent, const char **reason)
{
	gs_exchange x = {0};
	gs_msg_codes *answer = (gs_msg_codes *) gs_session_link.buffer;
	int32		first = *sent;
	size_t		size = write_question(d, sent);
	int			fd = -1;
	gs_status	status;

	*reason = NULL;
	status = gs_exchange_send(&x, gs_session_link.buffer, GS_MSG_DICTIONARY,
							  size);
	if (status == GS_OK)
		status = gs_exchange_receive_memory(&x, answer, GS_MSG_CODES,
											sizeof *answer, GS_MESSAGE_MAX,
											&size,
											d->private->memory == NULL ? &fd : NULL);
	if (status == GS_OK && answer->outcome.status == GS_OK &&
		d->private->memory == NULL)
		*reason = map_memory(d, fd);
	if (fd >= 0)
		(void) close(fd);
	if (status != GS_OK)
	{
		*reason = gs_link_error();
		return status;
	}
	if (*reason != NULL)
		return GS_INVALID;
	status = gs_exchange_check(&x, &answer->outcome);
	if (status == GS_NO_MEMORY)
		*reason = limit_met(answer);
	else if (status != GS_OK)
		*reason = "the service failed with a dictionary";
	else if (d->id != 0 && d->id != answer->id)
	{
		*reason = "the service has lost a dictionary";
		gs_dictionary_forget(d);
		status = GS_INVALID;
	}
	else if (!read_codes(d, answer, size, first, *sent - first))
	{
		*reason = "The service has violated the protocol.";
		status = gs_exchange_violated(&x);
	}
	return status;
}

/* Ask until all values have been sent. */
static gs_status
ask(gs_dictionary *d, const char **reason)
{
	gs_status	status;
	int32		sent = 0;

	PG_TRY();
	{
		do
		{
			CHECK_FOR_INTERRUPTS();
			status = ask_once(d, &sent, reason);
		} while (status == GS_OK && sent < d->private->n_added);
	}
	PG_CATCH();
	{
		/* an answer may be on its way */
		gs_link_close();
		gs_dictionary_discard(d);
		PG_RE_THROW();
	}
	PG_END_TRY();
	gs_dictionary_refresh(d);
	return status;
}

/* ----------
 * Dictionaries
 * ----------
 */

void
gs_dictionary_refresh(gs_dictionary *d)
{
	if (d->private->memory != NULL)
		d->n = gs_dictionary_count(d->private->memory);
}

bool
gs_dictionary_has_grown(const gs_dictionary *d, int32 n)
{
	return d->private->memory != NULL &&
		gs_dictionary_count(d->private->memory) > n;
}

/* NULL, with a reason, if the service cannot be asked. */
static gs_dictionary *
map_dictionary(const gs_dictionary_key *key, const char **reason)
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
	if (ask(d, reason) == GS_OK)
	{
		MemoryContextSetParent(context, known_context);
		return d;
	}
	MemoryContextDelete(context);
	return NULL;
}

static gs_dictionary *
open_known(const gs_dictionary_key *key, const char **reason)
{
	const gs_attempt attempt = attempt_of(key, false);
	known	   *k;

	*reason = gs_loss_known(&attempt);
	if (*reason != NULL)
		return NULL;
	k = find_known(key);
	if (k->dictionary == NULL)
		k->dictionary = map_dictionary(key, reason);
	else
	{
		gs_dictionary_discard(k->dictionary);
		gs_dictionary_refresh(k->dictionary);
	}
	return k->dictionary;
}

gs_dictionary *
gs_dictionary_open(Oid relation, AttrNumber attribute, const char **reason)
{
	gs_dictionary_key key;

	find_key(relation, attribute, &key);
	return open_known(&key, reason);
}

gs_dictionary *
gs_patterns_open(Oid relation, AttrNumber attribute, const char **reason)
{
	gs_dictionary_key key;

	find_key(relation, attribute, &key);
	key.type = PATTERNS;
	key.characters = 0;
	return open_known(&key, reason);
}

int32
gs_patterns_code(gs_dictionary *d, const char *bytes, size_t size,
				 const char **reason)
{
	int32		code;

	*reason = "a pattern is longer than 4 kB";
	if (size > GS_DICTIONARY_VALUE_MAX)
		return -1;
	code = gs_dictionary_code(d, bytes, size);
	if (code >= GS_DICTIONARY_MAX && d->n < PATTERNS_MAX &&
		(gs_link_acquire(0, reason) != GS_AVAILABLE ||
		 gs_dictionary_update(d, &code, 1, reason) != GS_OK))
		return -1;
	*reason = "a column's texts have been matched with more than 32,768 patterns";
	return code < PATTERNS_MAX ? code : -1;
}

/* Runs the service?  If not, it has no dictionary, and is not started to tell so. */
static bool
can_ask(void)
{
	return gs_session_link.fd != PGINVALID_SOCKET ||
		(gs_shared_attach() == GS_SHARED_READY &&
		 gs_shared_get()->state == GS_SERVICE_RUNNING);
}

double
gs_dictionary_missing(Oid relation, AttrNumber attribute)
{
	gs_dictionary_key key;
	double		expected;
	known	   *k;
	const char *reason = NULL;

	find_key(relation, attribute, &key);
	expected = gs_dictionary_expected_values(&key);
	if (expected <= MANY_VALUES)
		return 0;
	k = find_known(&key);
	if (k->dictionary == NULL && can_ask())
		k->dictionary = map_dictionary(&key, &reason);
	if (k->dictionary == NULL)
		return expected;
	gs_dictionary_refresh(k->dictionary);
	return Max(expected - k->dictionary->n, 0);
}

double
gs_dictionary_expected(Oid relation, AttrNumber attribute)
{
	gs_dictionary_key key;
	double		expected;
	const known *k;

	find_key(relation, attribute, &key);
	expected = gs_dictionary_expected_values(&key);
	k = find_known(&key);
	return k->dictionary == NULL ? expected :
		Max(expected, k->dictionary->n);
}

/* Pending values of a batch have got their codes. */
static void
correct_codes(const struct gs_dictionary_private *p, int32 *codes, int64 n)
{
	for (int64 i = 0; i < n; i++)
	{
		uint32		number = (uint32) codes[i] - GS_DICTIONARY_MAX;

		if (number < (uint32) p->n_added)
			codes[i] = p->code[number];
	}
}

gs_status
gs_dictionary_update(gs_dictionary *d, int32 *codes, int64 n,
					 const char **reason)
{
	struct gs_dictionary_private *p = d->private;
	gs_status	status = GS_OK;

	*reason = p->refusal;
	if (p->refusal != NULL)
		status = GS_NO_MEMORY;
	else if (p->n_added > 0)
		status = ask(d, reason);
	if (status == GS_OK)
	{
		correct_codes(p, codes, n);
		gs_dictionary_settle(d);
	}
	else if (status == GS_NO_MEMORY)
		gs_dictionary_refuse(d, *reason);
	gs_dictionary_discard(d);
	return status;
}

bool
gs_dictionary_is_lost(gs_dictionary *d)
{
	const char *reason;

	gs_dictionary_discard(d);
	if (!d->private->lost && gs_link_acquire(0, &reason) == GS_AVAILABLE)
		(void) ask(d, &reason);
	return d->private->lost;
}

void
gs_dictionary_forget(gs_dictionary *d)
{
	struct gs_dictionary_private *p = d->private;
	known	   *k = find_known(&p->key);

	p->lost = true;
	if (k->dictionary != d)
		return;
	k->dictionary = NULL;

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

/* What the service has allocated of its memory, about. */
static size_t
mapped_size(const gs_dictionary *d)
{
	const char *memory = d->private->memory;
	const gs_dictionary_head *head = gs_dictionary_head_of(memory);
	const uint32 *place = (const uint32 *) (memory + GS_DICTIONARY_PLACES_AT);
	int32		n = gs_dictionary_count(memory);

	return head->slots * sizeof(uint64) + n * sizeof(uint32) +
		(n > 0 ? (size_t) place[n - 1] * GS_DICTIONARY_ALIGN : 0);
}

void
gs_dictionaries_trim(void)
{
	HASH_SEQ_STATUS scan;
	size_t		size;
	known	   *k;

	if (holders > 0 || all_known == NULL)
		return;
	size = MemoryContextMemAllocated(known_context, true);
	hash_seq_init(&scan, all_known);
	while ((k = hash_seq_search(&scan)) != NULL)
		size += k->dictionary != NULL ? mapped_size(k->dictionary) : 0;
	if (size <= MAPPED_MAX)
		return;
	hash_seq_init(&scan, all_known);
	while ((k = hash_seq_search(&scan)) != NULL)
		k->dictionary = NULL;
	MemoryContextDeleteChildren(known_context);
}
