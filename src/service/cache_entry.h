/*-------------------------------------------------------------------------
 *
 * cache_entry.h
 *	  A copy of a stored value, as the files of the cache share it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ENTRY_H
#define GS_ENTRY_H

#include <time.h>

#include "service/service.h"

struct gs_entry
{
	/* set once */
	gs_toast_id	stored;			/* database 0: no name */
	gs_type		type;
	bool		nulls;			/* it has a bitmap */
	int64_t		n;				/* elements */
	int64_t		most;			/* values, at most */
	size_t		bytes;			/* of memory */
	char	   *memory;			/* the engine's; values, then bits */
	size_t		bits_at;
	bool		edges;			/* memory is our own, and ascends */

	/* its loader's until it is complete, and set from then on */
	int64_t		loaded;			/* elements */
	int64_t		present;		/* of these, not NULL */
	uint32_t   *rank;			/* values before every GS_BATCH_ALIGN-th
								 * element; NULL: no bitmap */

	_Atomic int64_t last_loaded;	/* microseconds of the monotonic clock */

	/* under cache.c's lock */
	bool		complete;
	bool		named;			/* it can be found */
	int			users;
	uint64_t	hits;
	int64_t		last_used;		/* microseconds since 1970 */
	struct gs_entry *next;		/* in its bucket */
	struct gs_entry *older;		/* by use; named ones only */
	struct gs_entry *newer;
};

extern int64_t gs_now_us(clockid_t clock);

#endif							/* GS_ENTRY_H */
