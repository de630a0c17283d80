/*-------------------------------------------------------------------------
 *
 * dictionary_memory.h
 *	  The memory of a dictionary, which clients map.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SERVICE_DICTIONARY_MEMORY_H
#define GS_SERVICE_DICTIONARY_MEMORY_H

#include "protocol/dictionary.h"
#include "service/service.h"

/* What grows by itself (protocol/dictionary.h). */
typedef enum gs_dictionary_part
{
	GS_PART_SLOTS,				/* and the head before them */
	GS_PART_PLACES,
	GS_PART_ENTRIES,
	GS_DICTIONARY_PARTS
} gs_dictionary_part;

typedef struct gs_dictionary_memory
{
	int			fd;
	char	   *base;
	size_t		allocated[GS_DICTIONARY_PARTS];
} gs_dictionary_memory;

/*
 * Make one with a head alone, or undo that.  All of what is allocated counts in
 * the budget.  make: the caller holds gs_budget_lock; free: whether or not.
 */
extern bool gs_dictionary_memory_make(gs_dictionary_memory *m);
extern void gs_dictionary_memory_free(gs_dictionary_memory *m);

/*
 * Have so many bytes of a part allocated.  False: there is no memory.  The
 * caller does not hold gs_budget_lock, and uses the dictionary.
 */
extern bool gs_dictionary_memory_extend(gs_dictionary_memory *m,
										gs_dictionary_part part, size_t size);

#endif							/* GS_SERVICE_DICTIONARY_MEMORY_H */
