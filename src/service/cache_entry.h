/*-------------------------------------------------------------------------
 *
 * cache_entry.h
 *	  A cached toasted value, as shared by the files of the cache.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CACHE_ENTRY_H
#define GS_CACHE_ENTRY_H

#include "service/service.h"

struct gs_entry
{
	gs_item		item;			/* first */

	/* set once */
	gs_toast_id id;				/* database 0: unnamed */
	gs_type		type;
	bool		nulls;			/* it has a bitmap */
	int64_t		n;				/* elements */
	int64_t		max_values;		/* not NULL */
	int			device;			/* that has the memory */
	size_t		bytes;			/* size of memory, in bytes */
	char	   *memory;			/* of the engine; values, then bits */
	size_t		bits_at;
	bool		edges;			/* edges: memory is from malloc */

	/* changed by its loader until it is complete, then constant */
	int64_t		loaded;			/* elements */
	int64_t		present;		/* of these, not NULL */
	uint32_t   *rank;			/* values before every GS_BATCH_ALIGN-th
								 * element; NULL: no bitmap */

	_Atomic int64_t last_loaded;	/* microseconds of the monotonic clock */

	/* under gs_budget_lock */
	bool		complete;
	bool		listed;			/* listed, so that it can be found */
	int			users;
	uint64_t	hits;
	struct gs_entry *next;		/* in its bucket */
};

#endif							/* GS_CACHE_ENTRY_H */
