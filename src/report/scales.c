/*-------------------------------------------------------------------------
 *
 * scales.c
 *	  numeric columns without a scale of their own: what this session knows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/timestamp.h"

#include "report/scales.h"

/* A column is tried again when the table or its statistics have changed, too. */
#define REFUSAL_MS		(10 * 60 * 1000)

typedef struct scale_key
{
	Oid			relation;
	int32		attribute;
} scale_key;

typedef struct known_scale
{
	scale_key	key;
	int			scale;
	bool		refused;
	TimestampTz refused_at;
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

static known_scale *
find(Oid relation, AttrNumber attribute)
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
	s = hash_search(scales, &key, HASH_ENTER, &found);
	if (!found)
	{
		s->scale = 0;
		s->refused = false;
	}
	return s;
}

int
gs_scale_assumed(Oid relation, AttrNumber attribute)
{
	return find(relation, attribute)->scale;
}

const char *
gs_scale_refusal(Oid relation, AttrNumber attribute)
{
	const known_scale *s = find(relation, attribute);

	return s->refused &&
		!TimestampDifferenceExceeds(s->refused_at, GetCurrentTimestamp(),
									REFUSAL_MS) ?
		"a numeric column has values of different scales, or of many digits" :
		NULL;
}

void
gs_scale_learn(Oid relation, AttrNumber attribute, int scale)
{
	find(relation, attribute)->scale = scale;
}

void
gs_scale_refuse(Oid relation, AttrNumber attribute)
{
	known_scale *s = find(relation, attribute);

	refusals = true;
	s->refused = true;
	s->refused_at = GetCurrentTimestamp();
}
