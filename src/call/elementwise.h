/*-------------------------------------------------------------------------
 *
 * elementwise.h
 *	  Functions whose result has an element for each of their arrays'.
 *
 * What an engine has an operation for is one call, gs_call_map.  Anything else
 * runs here: a function says what it computes by instructions of a plan
 * (engine/group.h):
 *
 *		gs_elementwise e;
 *
 *		gs_elementwise_open(&e, "gpu_add", first);
 *		other = gs_elementwise_array(&e, second);
 *		sum = gs_elementwise_do(&e, GS_CODE_ADD, e.type, GS_COLUMN(0), other);
 *		return gs_elementwise_close(&e, sum);
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ELEMENTWISE_H
#define GS_ELEMENTWISE_H

#include "call/call.h"
#include "engine/group.h"

#define GS_ELEMENTWISE_ARRAYS		3
#define GS_ELEMENTWISE_CONSTANTS	3
#define GS_ELEMENTWISE_CODE			8

typedef struct gs_elementwise
{
	gs_call		call;			/* of the first array, which gives the shape */
	gs_type		type;			/* of the first array */
	Oid			elemtype;		/* of the results; InvalidOid: as computed */
	gs_plan		plan;
	bool		nulls;			/* a result may be NULL */
	gs_array	other[GS_ELEMENTWISE_ARRAYS - 1];
	uint8		column[GS_ELEMENTWISE_ARRAYS];
	gs_constant constant[GS_ELEMENTWISE_CONSTANTS];
	gs_instruction code[GS_ELEMENTWISE_CODE];
} gs_elementwise;

/* An error if the dimensions of two arrays differ. */
extern bool gs_same_shape(const ArrayType *a, const ArrayType *b);
extern void gs_require_same_shape(const ArrayType *a, const ArrayType *b);

/*
 * The results of a map, of which call has the operation and the arrays, as an
 * array of this shape; `nulls`: one may be NULL.  Closes the call.  False: an
 * element has no result.
 */
extern bool gs_call_map(gs_call *call, Oid elemtype, const ArrayType *shape,
						bool nulls, Datum *result);

/* The first array is GS_COLUMN(0). */
extern void gs_elementwise_open(gs_elementwise *e, const char *function,
								Datum array);

/* An error if another array has other dimensions than the first one. */
extern gs_operand gs_elementwise_array(gs_elementwise *e, Datum array);
extern gs_operand gs_elementwise_constant(gs_elementwise *e, gs_type type,
										  gs_value value);
extern gs_operand gs_elementwise_null(gs_elementwise *e, gs_type type);
extern gs_operand gs_elementwise_datum(gs_elementwise *e, gs_type type,
									   Datum value);
extern gs_operand gs_elementwise_do(gs_elementwise *e, gs_code code,
									gs_type type, gs_operand a, gs_operand b);
extern gs_operand gs_elementwise_choose(gs_elementwise *e, gs_operand a,
										gs_operand b, gs_operand c);

/* The operand, cast. */
extern gs_operand gs_elementwise_cast(gs_elementwise *e, gs_operand a,
									  gs_type type);

/*
 * The array of an operand's values.  Raises the error of the first element of
 * which there is one.
 */
extern Datum gs_elementwise_close(gs_elementwise *e, gs_operand result);

#endif							/* GS_ELEMENTWISE_H */
