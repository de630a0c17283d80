/*-------------------------------------------------------------------------
 *
 * dictionary.h
 *	  The distinct values of columns that are held as codes.
 *
 * A code is a value's place in its column's dictionary (protocol/report.h).  A
 * dictionary is known by its id alone: columns of codes have it, too
 * (columns_table.h), so those of a dictionary that was lost are not found
 * again, and are evicted in time.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SERVICE_DICTIONARY_H
#define GS_SERVICE_DICTIONARY_H

#include "protocol/report.h"
#include "service/service.h"

typedef struct gs_held_dictionary gs_held_dictionary;

/* Whose dictionary it is. */
typedef struct gs_held_dictionary_key
{
	uint32_t	database;
	uint32_t	relation;
	int32_t		attribute;
	uint32_t	type;
} gs_held_dictionary_key;

/* What is in use is not evicted; use and open are undone by release. */
extern gs_held_dictionary *
		gs_held_dictionary_open(const gs_held_dictionary_key *key);
extern gs_held_dictionary *gs_held_dictionary_use(uint64_t id,
												  uint32_t database);
extern void gs_held_dictionary_release(gs_held_dictionary *d);
extern uint64_t gs_held_dictionary_id(const gs_held_dictionary *d);
extern int	gs_held_dictionary_fd(const gs_held_dictionary *d);

extern void gs_held_dictionary_add(gs_held_dictionary *d, const char *packed,
								   size_t size, int32_t count,
								   gs_msg_codes *answer);
extern void gs_held_dictionaries_clear(void);

#endif							/* GS_SERVICE_DICTIONARY_H */
