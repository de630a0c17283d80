/*-------------------------------------------------------------------------
 *
 * dictionary.h
 *	  The distinct values of a column, and their numbers.
 *
 * A column of values that are not numbers (text, enum, uuid, inet, bytea,
 * interval, jsonb) is held as codes:
 * the place of each value in the column's dictionary.  The service has the
 * dictionaries (service/dictionary.h), since it holds the codes, in memory that
 * sessions read.  Codes do not change: a dictionary only grows.  One that the
 * service lost, and made anew, has another id.
 *
 * A partition's column has the dictionary of its topmost parent's.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_DICTIONARY_H
#define GS_REPORT_DICTIONARY_H

#include "access/attnum.h"

#include "engine/engine.h"
#include "protocol/protocol.h"

/* Why a column has none; the limits are GS_DICTIONARY_.... */
#define GS_TOO_MANY_VALUES	"a column has more than 16,777,216 distinct values"
#define GS_TOO_MANY_BYTES	"a column's distinct values take more than 1,024 MB"
#define GS_NO_ROOM_FOR_VALUES \
	"gpuscan.cache_size has no room for a column's distinct values"
#define GS_TOO_LONG_VALUE	"a column has values of more than 4 kB"

/*
 * Values are told apart by their bytes: what SQL calls equal must have the same
 * ones.  Codes are 0 to n - 1, and others that the service has made since; in
 * rows that were read there may be more, until the next gs_dictionary_update.
 */
typedef struct gs_dictionary
{
	uint64		id;				/* the service's; 0: of this session alone */
	int32		n;
	struct gs_dictionary_private *private;	/* dictionary.c's */
} gs_dictionary;

/*
 * The dictionary of a column of a table, or of its topmost parent's, as this
 * session knows it; the service is asked if it knows none.  No report may be
 * under way.  NULL: the service cannot be asked, or there are too many values;
 * *reason says why (a literal).
 *
 * It lives until the next gs_dictionaries_trim.
 */
extern gs_dictionary *gs_dictionary_open(Oid relation, AttrNumber attribute,
										 const char **reason);

/*
 * The same of the patterns that a column's texts have been matched with; and the
 * code of one, which it gets if it has none; -1, with a reason: it cannot have one.
 * No report may be under way.
 */
extern gs_dictionary *gs_patterns_open(Oid relation, AttrNumber attribute,
									   const char **reason);
extern int32 gs_patterns_code(gs_dictionary *d, const char *bytes, size_t size,
							  const char **reason);

/*
 * Why there is no use in opening it, as found before in this session; NULL: not
 * known.
 */
extern const char *gs_dictionary_refusal(Oid relation, AttrNumber attribute);

/*
 * While pages are read: how many values will there be?  watch: reading begins.
 * outlook: this process has read so many of GS_GROWTH_PARTS of the pages, of which
 * it is told one after the other; NULL, or why the rest would be read in vain.
 */
#define GS_GROWTH_PARTS	32
extern void gs_dictionary_watch(gs_dictionary *d);
extern const char *gs_dictionary_outlook(gs_dictionary *d, int part);

/* Its values cannot be held. */
extern void gs_dictionary_refuse(const gs_dictionary *d, const char *reason);

/*
 * The same of a column whose values are held, but two are equal: its codes do not
 * tell rows apart.
 */
extern const char *gs_dictionary_equals_refusal(Oid relation,
												AttrNumber attribute);
extern void gs_dictionary_refuse_equals(const gs_dictionary *d,
										const char *reason);

/*
 * A value, of the column's type, as long as the dictionary lives.  There must be
 * such a code; of what the service should not have, an error is raised.
 */
extern Datum gs_dictionary_value(const gs_dictionary *d, int32 code);

/*
 * The code of a value that a query has, of the column's type; -1: no row that
 * has been read so far has it; -2: that cannot be told now.  Of a dictionary of
 * this session, -1 is all that there can be besides codes.
 */
extern int32 gs_dictionary_find_value(const gs_dictionary *d, Datum value);

/*
 * How many values a column, or its topmost parent's, has by statistics, or as
 * this session knows; 0: nothing is known.
 */
extern double gs_dictionary_expected(Oid relation, AttrNumber attribute);

/*
 * Planning: of how many values, if there are many, has the service no code yet,
 * about?
 */
extern double gs_dictionary_missing(Oid relation, AttrNumber attribute);

/* Bytes of the values of a dictionary of this session. */
extern size_t gs_dictionary_bytes_held(const gs_dictionary *d);

/* The SQL type of its values. */
extern Oid	gs_dictionary_type(const gs_dictionary *d);

/*
 * The code of a value (its bytes, without a varlena header).  One that is not
 * in the dictionary gets one in its place, until gs_dictionary_update finds out.
 */
extern int32 gs_dictionary_code(gs_dictionary *d, const char *bytes,
								size_t size);

/*
 * Codes 0 to n - 1 in the order of their values, ascending, as PostgreSQL sorts
 * them by a collation that is deterministic: in the current memory context.
 */
extern int32 *gs_dictionary_order(gs_dictionary *d, int32 n, Oid collation);

/* Is none of them equal to another one, by its type's equality? */
extern bool gs_dictionary_values_differ(gs_dictionary *d);

/* Is it the order of their bytes?  Then a million are sorted in half a second. */
extern bool gs_dictionary_bytes_decide(Oid type, Oid collation);

/* Have there been new values since the last gs_dictionary_update?  Enough? */
extern bool gs_dictionary_has_pending(const gs_dictionary *d);
extern bool gs_dictionary_is_full(const gs_dictionary *d);

/*
 * Have the service add the new values.  codes: n of a batch, which get those of
 * the service.  Within a report; no other answer may be awaited.
 */
extern gs_status gs_dictionary_update(gs_dictionary *d, int32 *codes, int64 n,
									  const char **reason);

/* Count the values that other sessions have added.  Are there more than n now? */
extern void gs_dictionary_refresh(gs_dictionary *d);
extern bool gs_dictionary_has_grown(const gs_dictionary *d, int32 n);

/* After a report has failed: has the service lost it?  Then it is forgotten. */
extern bool gs_dictionary_is_lost(gs_dictionary *d);

/* Forget this one: the service has lost it. */
extern void gs_dictionary_forget(gs_dictionary *d);

/*
 * Before a report: forget all, if they take too much memory.  Not between
 * these two: of a report whose expressions are being evaluated, and may begin
 * other reports.
 */
extern void gs_dictionaries_trim(void);
extern void gs_dictionaries_hold(void);
extern void gs_dictionaries_release(void);
extern bool gs_dictionaries_are_held(void);

/*
 * A dictionary of this session alone, in the current memory context: of what an
 * expression makes of another one's values.
 */
extern gs_dictionary *gs_dictionary_make(Oid type);
extern int32 gs_dictionary_add(gs_dictionary *d, Datum value);

/*
 * It lives for longer than this report: what is kept of its values is found by a name
 * then, which is the id where there is one.  0: it has none.
 */
extern void gs_dictionary_keep(gs_dictionary *d);
extern uint64 gs_dictionary_name(const gs_dictionary *d);

#endif							/* GS_REPORT_DICTIONARY_H */
