/*-------------------------------------------------------------------------
 *
 * cache.h
 *	  A toasted value, for tests of the cache.
 *
 *-------------------------------------------------------------------------
 */
#ifndef CACHE_H
#define CACHE_H

#include "harness.h"

#define N			9000		/* elements: two LOADs */

extern const gs_toast_id some;	/* of N int4 */

extern const gs_msg_granted *begin_sum(client *with, const gs_toast_id *id,
									   int64_t n, bool only_cached);

/* N times `value` are loaded, or found in the cache, and add up. */
extern bool is_loaded(client *with, const gs_toast_id *id, int32_t value);
extern bool is_cached(client *with, const gs_toast_id *id, int32_t value);

#endif							/* CACHE_H */
