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

#include "report/translate/scales.h"

typedef struct scale_key
{
	Oid			relation;
	int32		attribute;
} scale_key;

typedef struct known_scale
{
	scale_key	key;
	int			scale;
} known_scale;

static HTAB *scales;

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
		scales = hash_create("gpuscan scales", 16, &control,
							 HASH_ELEM | HASH_BLOBS);
	memset(&key, 0, sizeof key);
	key.relation = relation;
	key.attribute = attribute;
	s = hash_search(scales, &key, HASH_ENTER, &found);
	if (!found)
		s->scale = 0;
	return s;
}

int
gs_scale_assumed(Oid relation, AttrNumber attribute)
{
	return find(relation, attribute)->scale;
}

void
gs_scale_learn(Oid relation, AttrNumber attribute, int scale)
{
	find(relation, attribute)->scale = scale;
}
