/*-------------------------------------------------------------------------
 *
 * decimal_array.h
 *	  Arrays of numeric as arrays of bigint and one scale, and back.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_DECIMAL_ARRAY_H
#define GS_DECIMAL_ARRAY_H

#include "fmgr.h"
#include "utils/array.h"

#include "call/array_iteration.h"

/* A position in an array of numeric. */
typedef struct gs_decimal_reader
{
	const char *stored;			/* behind the element before */
	const uint8 *bitmap;
	int64		i;				/* elements read */
	int64		n;
} gs_decimal_reader;

static inline void
gs_decimal_reader_open(gs_decimal_reader *r, const ArrayType *a)
{
	r->stored = ARR_DATA_PTR(a);
	r->bitmap = ARR_NULLBITMAP(a);
	r->i = 0;
	r->n = ArrayGetNItems(ARR_NDIM(a), ARR_DIMS(a));
}

/* The next element as it is stored, maybe with a short header; NULL for NULL. */
static inline const char *
gs_decimal_reader_next(gs_decimal_reader *r)
{
	int64		i = r->i++;
	const char *stored;

	if (unlikely(i % GS_INTERRUPT_ELEMENTS == 0))
		CHECK_FOR_INTERRUPTS();
	if (r->bitmap != NULL && !(r->bitmap[i / 8] & (1 << (i % 8))))
		return NULL;
	stored = (const char *) att_align_pointer(r->stored, TYPALIGN_INT, -1,
											  r->stored);
	r->stored = att_addlength_pointer(stored, -1, stored);
	return stored;
}

/* Elements of arrays where they are stored, counted from 0. */
typedef struct gs_decimal_table
{
	const char **stored;
	int64		n;
} gs_decimal_table;

/*
 * numeric[] as bigint[] of the same shape: places in the table, to whose end the
 * elements are added.  The array has to stay.
 */
extern ArrayType *gs_decimal_array_number(const char *function, Datum array,
										  gs_decimal_table *table);

/* A value as its place in the table, to whose end it is added. */
extern int64 gs_decimal_value_number(Datum value, gs_decimal_table *table);

/* bigint[] of such places as numeric[] of the same shape. */
extern Datum gs_decimal_array_collect(Datum places,
									  const gs_decimal_table *table);

/*
 * numeric[] as bigint[] of the same shape: the elements times 10^*scale, which
 * is the greatest of their display scales and at least *scale.  Raises an error
 * in the name of `function` if they have more than 18 digits, or are no numbers.
 */
extern ArrayType *gs_decimal_array_read(const char *function, Datum array,
										int *scale);

/*
 * gs_decimal_array_read if the elements have one display scale and so few
 * digits; NULL: they do not, or are no numbers.
 */
extern ArrayType *gs_decimal_array_try(const char *function, Datum array,
									   int *scale);

/* Multiply the elements of such a bigint[], in place, by 10^(to - from). */
extern void gs_decimal_array_raise(const char *function, ArrayType *integers,
								   int from, int to);

/*
 * A value times 10^scale; raises an error in the name of `function` where it is
 * not a whole number of at most 18 digits.
 */
extern int64 gs_decimal_value_read(const char *function, Datum value,
								   int scale);

/* bigint[] as numeric[] of the same shape: the elements times 10^-scale. */
extern Datum gs_decimal_array_make(Datum integers, int scale);

/*
 * Argument i, an array, and scale 0; but numeric[] as bigint[], with its scale.
 */
extern Datum gs_decimal_argument(FunctionCallInfo fcinfo, int i,
								 const char *function, int *scale);

#endif							/* GS_DECIMAL_ARRAY_H */
