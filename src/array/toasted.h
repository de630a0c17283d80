/*-------------------------------------------------------------------------
 *
 * toasted.h
 *	  Values out of line, that are not compressed: their parts, their names.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_STORED_H
#define GS_STORED_H

#include "protocol/protocol.h"

extern bool gs_is_stored(Datum value, struct varatt_external *pointer);
extern void gs_fetch_stored(const struct varatt_external *pointer, Size offset,
							Size size, char *to);
extern bool gs_read_first_chunk(const struct varatt_external *pointer,
								char *to, Size size, gs_stored *stored);

#endif							/* GS_STORED_H */
