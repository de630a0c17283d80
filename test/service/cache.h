/*-------------------------------------------------------------------------
 *
 * cache.h
 *	  A stored value, for tests of the copies of such.
 *
 *-------------------------------------------------------------------------
 */
#ifndef KEPT_H
#define KEPT_H

#include "harness.h"

#define N			9000		/* elements: two LOADs */

extern const gs_toast_id some;	/* of N int4 */

extern const gs_msg_granted *begin_sum(client *with, const gs_toast_id *stored,
									int64_t n, bool only_cached);

/* N times `value` are loaded, or found, and add up. */
extern bool is_loaded(client *with, const gs_toast_id *stored, int32_t value);
extern bool is_kept(client *with, const gs_toast_id *stored, int32_t value);

#endif							/* KEPT_H */
