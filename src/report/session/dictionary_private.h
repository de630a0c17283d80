/*-------------------------------------------------------------------------
 *
 * dictionary_private.h
 *	  A dictionary's values, as shared by the files that keep them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_DICTIONARY_PRIVATE_H
#define GS_REPORT_DICTIONARY_PRIVATE_H

#include "protocol/report.h"
#include "report/session/dictionary.h"

/* Whose values they are. */
typedef struct gs_dictionary_key
{
	Oid			relation;		/* the topmost parent */
	int32		attribute;		/* its number there */
	Oid			type;
	int32		characters;		/* of char(n): n; of other types 0 */
} gs_dictionary_key;

/* A value as it is told apart from others. */
typedef struct gs_dictionary_bytes
{
	const char *bytes;
	uint32		size;
	uint32		hash;
} gs_dictionary_bytes;

/*
 * A place of the hash table, half a cache line.  code: 0, nothing is here; else
 * the number of a known value plus 1, or that of a pending one plus 1, negated.
 */
#define GS_DICTIONARY_SHORT		20

typedef struct gs_dictionary_slot
{
	uint32		hash;
	int32		code;
	uint32		size;
	char		bytes[GS_DICTIONARY_SHORT]; /* if it has no more */
} gs_dictionary_slot;

struct gs_dictionary_private
{
	MemoryContext context;		/* in which all of it is */
	gs_dictionary_key key;
	int16		length;			/* pg_type.typlen */
	bool		by_value;
	bool		lost;			/* the service has another one, or none */

	/* known values: d->n of them */
	int32		space;
	gs_dictionary_bytes *known;
	size_t		size;			/* bytes of all values, pending ones too */

	/*
	 * Pending values: new ones, whose codes the service has not told yet.
	 * Until then these are d->n and on.
	 */
	int32		pendings;
	int32		pending_space;
	gs_dictionary_bytes *pending;
	int32	   *code;			/* what the service has told; -1: nothing */

	/*
	 * dictionary_growth.c: how many values there were when reading began, how
	 * many statistics expect (0: there are none), and how many this process has
	 * found since; and after each part of the pages.
	 */
	int32		begin;
	double		expected;
	int32		found;
	size_t		found_size;
	int32		growth[GS_GROWTH_PARTS + 1];

	/* English: why a value was not taken; NULL: all were */
	const char *refusal;

	gs_dictionary_slot *slot;
	uint32		mask;			/* slots, a power of two, less 1 */

	/* where the last value was found, which often comes again */
	const gs_dictionary_slot *last;

	/* dictionary_order.c: the first `ordered` codes, by this collation */
	int32	   *order;
	int32		ordered;
	Oid			collation;
};

/* dictionary.c */
extern gs_dictionary *gs_dictionary_create(MemoryContext context,
										   const gs_dictionary_key *key);

/*
 * Add the value at the place d->n.  False: it is none of the type's, or it is
 * known already.
 */
extern bool gs_dictionary_learn(gs_dictionary *d, const char *bytes,
								uint32 size);

/* Forget pending values. */
extern void gs_dictionary_discard(gs_dictionary *d);

#endif							/* GS_REPORT_DICTIONARY_PRIVATE_H */
