/*-------------------------------------------------------------------------
 *
 * like.h
 *	  LIKE and starts_with() of very many texts with one pattern.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_LIKE_H
#define GS_REPORT_LIKE_H

#include "nodes/primnodes.h"

typedef struct gs_like gs_like;

/* NULL if the expression is neither, of a Var, or not one that bytes decide. */
extern gs_like *gs_like_of(const Expr *expression);

/* Its pattern, as pattern.h has it; and is it that of NOT LIKE? */
extern const char *gs_like_bytes(const gs_like *like, size_t *size);
extern bool gs_like_is_negated(const gs_like *like);

/* The expression's result for a text. */
extern bool gs_like_result(const gs_like *like, Datum text);

#endif							/* GS_REPORT_LIKE_H */
