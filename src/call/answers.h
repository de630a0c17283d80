/*-------------------------------------------------------------------------
 *
 * answers.h
 *	  Reductions of toasted arrays whose results are known before the calls.
 *
 * Who knows which calls will come (src/ahead) asks for their results, several
 * at a time, and the calls find them here.  A call that finds none computes its
 * result as ever.
 *
 * An answer belongs to a TOAST pointer, which names the same value for as long
 * as any snapshot sees a row with it.  So whoever adds answers must hold a
 * snapshot that sees the rows until the answers are gone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ANSWERS_H
#define GS_ANSWERS_H

#include "engine/engine.h"

/* Those of one plan node. */
typedef struct gs_answers gs_answers;

extern gs_answers *gs_answers_open(MemoryContext context);
extern void gs_answers_clear(gs_answers *answers);
extern void gs_answers_add(gs_answers *answers,
						   const struct varatt_external *pointer, gs_type type,
						   gs_kind kind, const gs_result *result);
extern const gs_result *gs_answers_find(Datum array, gs_kind kind,
										gs_type *type);

#endif							/* GS_ANSWERS_H */
