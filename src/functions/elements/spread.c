/*-------------------------------------------------------------------------
 *
 * spread.c
 *	  An array's elements by place.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "functions/elements/spread.h"

void
gs_spread_open(gs_spread *s, const gs_array *a)
{
	const char *from = a->values;

	*s = (gs_spread) {
		.type = a->type,
		.width = gs_type_width(a->type),
		.n = a->n,
		.values = a->values,
		.bitmap = a->bitmap
	};
	if (s->bitmap == NULL)
		return;
	s->own = gs_alloc_large(Max(s->n, 1) * s->width);
	for (int64 i = 0; i < s->n; i++)
	{
		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		if (gs_spread_has(s, i))
		{
			memcpy(s->own + i * s->width, from, s->width);
			from += s->width;
		}
	}
	s->values = s->own;
}

void
gs_spread_close(gs_spread *s)
{
	if (s->own != NULL)
		pfree(s->own);
}
