/*-------------------------------------------------------------------------
 *
 * array.h
 *	  PostgreSQL's arrays as spans of an engine, and results as arrays.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ARRAY_H
#define GS_ARRAY_H

#include "utils/array.h"
#include "utils/memutils.h"

#include "engine/engine.h"
#include "protocol/protocol.h"

/* An array argument. */
typedef struct gs_array
{
	ArrayType  *flat;			/* only the header if is_toasted */
	bool		copied;			/* flat is our own copy */
	Oid			elemtype;
	gs_type		type;			/* of what the elements are inside */
	int64		n;				/* elements */
	bool		nulls;			/* there is a bitmap */
	const char *values;			/* the packed values; NULL if is_toasted */
	const uint8 *bitmap;		/* see gs_array_bitmap */

	/* a toasted array, whose values a cursor fetches */
	bool		is_toasted;
	struct varatt_external pointer;
	gs_toast_id toast_id;		/* database 0: none */
} gs_array;

/* A position in an array that is cut into spans. */
typedef struct gs_cursor
{
	gs_array   *array;
	int64		n;				/* elements passed */
	int64		present;		/* values passed */

	/* for values that the caller has no buffer for */
	char	   *buffer;
	Size		buffer_size;
} gs_cursor;

/*
 * A result array while it grows.
 *
 * Memory for the maximum number of results is reserved at the start, and what
 * is left is returned at the end.  In between, memory that is not needed stays
 * untouched, except for a little that several threads touch ahead of the
 * results.
 */
typedef struct gs_builder
{
	ArrayType  *array;
	Size		allocated;		/* bytes */
	int64		capacity;		/* maximum number of results */
	Oid			elemtype;
	int			width;			/* bytes of a value */
	bool		shaped;			/* dimensions and lower bounds are set */
	char	   *values;
	uint8	   *bitmap;			/* NULL if no result is NULL */
	int64		n;				/* results so far */
	int64		present;		/* of these, not NULL */
	char	   *touched;		/* end of the memory touched so far; NULL: do
								 * not touch ahead */
} gs_builder;

extern void gs_array_open(gs_array *a, Datum value);
extern void gs_array_open_lazily(gs_array *a, Datum value);
extern bool gs_array_open_if_identified(gs_array *a, Datum value);
extern void gs_array_describe(const gs_array *a, gs_argument *argument);
extern void gs_array_read(gs_array *a);
extern void gs_array_close(gs_array *a);
extern const uint8 *gs_array_bitmap(gs_array *a);
extern void gs_cursor_open(gs_cursor *c, gs_array *a);
extern void gs_cursor_next(gs_cursor *c, int64 n, void *buffer, gs_span *span);
extern void gs_cursor_close(gs_cursor *c);
extern int64 gs_array_present(gs_array *a);
extern int64 gs_bits_count(const uint8 *bits, int64 n);
extern Oid	gs_type_oid(gs_type type);
extern gs_type gs_type_from_oid(Oid oid);
extern bool gs_is_time(Oid oid);
extern bool gs_time_is_finite(Oid oid, int64 time);

extern void *gs_alloc_large(Size size);
extern void gs_move_down(char *to, const char *from, Size size);
extern Size gs_array_size(int64 n, int width, int ndim, bool nulls);
extern void gs_builder_open(gs_builder *b, Oid elemtype, int64 capacity,
							const ArrayType *shape, int64 bits);
extern void *gs_builder_reserve(gs_builder *b, int64 n);
extern void gs_builder_commit(gs_builder *b, const gs_output *out);
extern void gs_builder_commit_column(gs_builder *b, int64 n,
									 const uint64 *validity);
extern void gs_builder_append_nulls(gs_builder *b, int64 n);
extern void gs_builder_drop_null(gs_builder *b);
extern void gs_builder_reset(gs_builder *b);
extern Datum gs_builder_close(gs_builder *b);

#endif							/* GS_ARRAY_H */
