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

/* A value that only this process knows, as it is told apart from others. */
typedef struct gs_dictionary_bytes
{
	const char *bytes;
	uint32		size;
	uint32		hash;
} gs_dictionary_bytes;

/*
 * A value that was looked up lately, in half a cache line.  code: that of a
 * pending value is GS_DICTIONARY_MAX plus its number.
 */
#define GS_DICTIONARY_SHORT		20

typedef struct gs_dictionary_slot
{
	uint32		hash;
	int32		code;
	uint32		size;			/* UINT32_MAX: the slot is empty */
	char		bytes[GS_DICTIONARY_SHORT]; /* if it has more: where they are */
} gs_dictionary_slot;

struct gs_dictionary_private
{
	MemoryContext context;		/* in which all of it is */
	gs_dictionary_key key;
	int16		length;			/* pg_type.typlen */
	bool		by_value;
	bool		lost;			/* the service has another one, or none */
	int32		different;		/* values that have been compared, and differ */

	/* the service's (protocol/dictionary.h); NULL: of this session alone */
	const char *memory;
	MemoryContextCallback unmap;

	/* values that were looked up lately */
	gs_dictionary_slot *slot;
	uint32		mask;			/* slots, a power of two, less 1 */
	uint32		filled;
	uint32		next;			/* to be replaced */
	const gs_dictionary_slot *last;

	/*
	 * Values of this process alone: pending ones, whose codes the service has
	 * not told yet; or all of a dictionary of this session alone.
	 */
	uint64		name;			/* of the latter, if it is kept; else 0 */
	MemoryContext added_context;	/* of their bytes */
	int32		n_added;
	int32		added_space;
	gs_dictionary_bytes *added;
	int32	   *code;			/* what the service has told; -1: nothing */
	size_t		size;			/* bytes of all */
	int32	   *place;			/* hash table: a number + 1, or 0 */
	uint32		place_mask;

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
};

/* dictionary.c */
extern gs_dictionary *gs_dictionary_create(MemoryContext context,
										   const gs_dictionary_key *key);

/* dictionary_growth.c: by the table's statistics; 0: there are none. */
extern double gs_dictionary_expected_values(const gs_dictionary_key *key);

/* Pending values have got their codes, as far as p->code says: forget them. */
extern void gs_dictionary_settle(gs_dictionary *d);

/* Forget pending values. */
extern void gs_dictionary_discard(gs_dictionary *d);

#endif							/* GS_REPORT_DICTIONARY_PRIVATE_H */
