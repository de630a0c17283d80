/*-------------------------------------------------------------------------
 *
 * pairs.c
 *	  The pairs of two arrays' elements, or the elements of one, without NULLs.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "engine/cpu/engine_cpu.h"

void
gs_cpu_pairs_open(cpu_pairs *p, const gs_input *in, int arrays, int width)
{
	const gs_span *span[] = {&in->data, &in->mask};

	p->arrays = arrays;
	p->width = width;
	p->nulls = false;
	for (int i = 0; i < 2; i++)
		p->column[i] = NULL;
	for (int i = 0; i < arrays; i++)
	{
		p->reader[i] = gs_cpu_reader(span[i], in->n, width);
		p->nulls = p->nulls || span[i]->present < in->n;
	}
	memset(p->flags, 1, sizeof p->flags);
}

/*
 * Of the next n elements, those in p->column, and their number; every block but
 * the last has CPU_BLOCK.
 */
int
gs_cpu_pairs_next(cpu_pairs *p, int n)
{
	const gs_value zero = {0};
	uint8_t		present[CPU_BLOCK];
	int			pairs = n;

	if (p->nulls)
		memset(p->flags, 1, sizeof p->flags);
	for (int i = 0; i < p->arrays; i++)
	{
		memset(present, 1, sizeof present);
		p->column[i] = gs_cpu_read(&p->reader[i], n, zero, p->dense[i],
								   present);
		for (int k = 0; p->nulls && k < n; k++)
			p->flags[k] &= present[k];
	}
	for (int i = 0; p->nulls && i < p->arrays; i++)
	{
		pairs = gs_cpu_pack(p->column[i], p->flags, n, p->width, p->packed[i]);
		p->column[i] = p->packed[i];
	}
	return pairs;
}
