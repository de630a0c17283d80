/*-------------------------------------------------------------------------
 *
 * scales.c
 *	  Columns whose equal values can look different: what this session knows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/timestamp.h"

#include "report/scales.h"

/* It is tried again when the table or its statistics have changed, too. */
#define REFUSAL_MS		(10 * 60 * 1000)

/* Columns and questions that are remembered. */
#define MOST_KNOWN		10000

typedef struct scale_key
{
	Oid			relation;
	int32		attribute;
	uint32		question;		/* of this, the attribute is 0 */
} scale_key;

typedef struct known_scale
{
	scale_key	key;
	int			scale;
	bool		refused;
	TimestampTz refused_at;
	const char *reason;			/* of a question */
} known_scale;

static HTAB *scales;
static bool refusals;			/* is there any? */

static void
forget_refusals(Datum arg pg_attribute_unused(), Oid relation)
{
	HASH_SEQ_STATUS scan;
	known_scale *s;

	if (!refusals)
		return;
	refusals = false;
	hash_seq_init(&scan, scales);
	while ((s = hash_seq_search(&scan)) != NULL)
	{
		if (s->key.relation == relation || !OidIsValid(relation))
			s->refused = false;
		refusals |= s->refused;
	}
}

/* What is known; HASH_FIND: NULL if that is nothing. */
static known_scale *
find(Oid relation, AttrNumber attribute, uint32 question, HASHACTION action)
{
	HASHCTL		control = {
		.keysize = sizeof(scale_key),
		.entrysize = sizeof(known_scale)
	};
	scale_key	key;
	known_scale *s;
	bool		found;

	if (scales == NULL)
	{
		scales = hash_create("gpuscan scales", 16, &control,
							 HASH_ELEM | HASH_BLOBS);
		CacheRegisterRelcacheCallback(forget_refusals, (Datum) 0);
	}
	memset(&key, 0, sizeof key);
	key.relation = relation;
	key.attribute = attribute;
	key.question = question;
	s = hash_search(scales, &key, action, &found);
	if (!found && s != NULL)
	{
		s->scale = 0;
		s->refused = false;
	}
	return s;
}

int
gs_scale_assumed(Oid relation, AttrNumber attribute)
{
	return find(relation, attribute, 0, HASH_ENTER)->scale;
}

static bool
is_refused(const known_scale *s)
{
	return s->refused &&
		!TimestampDifferenceExceeds(s->refused_at, GetCurrentTimestamp(),
									REFUSAL_MS);
}

static void
refuse(known_scale *s)
{
	refusals = true;
	s->refused = true;
	s->refused_at = GetCurrentTimestamp();
}

const char *
gs_scale_refusal(Oid relation, AttrNumber attribute)
{
	return is_refused(find(relation, attribute, 0, HASH_ENTER)) ?
		"a numeric column has values of different scales, or of many digits" :
		NULL;
}

void
gs_scale_learn(Oid relation, AttrNumber attribute, int scale)
{
	find(relation, attribute, 0, HASH_ENTER)->scale = scale;
}

void
gs_scale_refuse(Oid relation, AttrNumber attribute)
{
	refuse(find(relation, attribute, 0, HASH_ENTER));
}

const char *
gs_equals_refusal(Oid relation, uint32 question)
{
	const known_scale *s = !refusals ? NULL :
		find(relation, 0, question, HASH_FIND);

	return s != NULL && is_refused(s) ? s->reason : NULL;
}

/* Forget all if there are too many. */
void
gs_equals_refuse(Oid relation, uint32 question, const char *reason)
{
	HASH_SEQ_STATUS scan;
	known_scale *s;

	if (find(relation, 0, question, HASH_FIND) == NULL &&
		hash_get_num_entries(scales) >= MOST_KNOWN)
	{
		hash_seq_init(&scan, scales);
		while ((s = hash_seq_search(&scan)) != NULL)
			(void) hash_search(scales, &s->key, HASH_REMOVE, NULL);
	}
	s = find(relation, 0, question, HASH_ENTER);
	s->reason = reason;
	refuse(s);
}
