/*-------------------------------------------------------------------------
 *
 * toasted.h
 *	  Toasted values that are out of line and not compressed: reading parts of
 *	  them, and identifying them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_TOASTED_H
#define GS_TOASTED_H

#include "protocol/protocol.h"

extern bool gs_is_toasted(Datum value, struct varatt_external *pointer);
extern void gs_fetch_toasted(const struct varatt_external *pointer, Size offset,
							 Size size, char *to);
extern bool gs_read_first_toast_chunk(const struct varatt_external *pointer,
									  char *to, Size size, gs_toast_id *id);

#endif							/* GS_TOASTED_H */
