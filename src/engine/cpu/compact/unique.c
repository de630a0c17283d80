/*-------------------------------------------------------------------------
 *
 * unique.c
 *	  Runs of equal neighbours on the CPU: their first values, or where these
 *	  are.
 *
 * NULLs are skipped, so the loops run over the packed values.  As in
 * compact.c each one is stored, but the output advances only at the start
 * of a run.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

#include <stdlib.h>
#include <string.h>

typedef struct runs
{
	bool		any;			/* has there been a value? */
	gs_value	last;
} runs;

#define EACH	"engine/cpu/compact/unique_type.h"
#include "engine/cpu/each_number.h"
#undef EACH

static gs_status
unique_begin(gs_run *run)
{
	run->state = calloc(1, sizeof(runs));
	return run->state == NULL ? GS_NO_MEMORY : GS_OK;
}

static gs_status
unique_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	static int64_t (*const values[GS_TYPES]) (const runs *r, const void *v,
											  int64_t n, void *out) =
	{BY_NUMBER(values)};
	static int64_t (*const positions[GS_TYPES]) (const runs *r, const void *v,
												 int64_t n, int64_t before,
												 int32_t *position) =
	{BY_NUMBER(positions)};
	int			type = run->op->type;
	int			width = gs_type_width((gs_type) type);
	int64_t		n = in->data.present;
	const uint8_t *v = in->data.values;
	runs	   *r = run->state;

	if (n == 0)
		return GS_OK;
	if (run->op->kind == GS_UNIQUE)
		out->n = values[type] (r, v, n, out->values);
	else
		out->n = positions[type] (r, v, n, run->present, out->values);
	out->present = out->n;
	if (out->validity != NULL)
		gs_cpu_set_bits(out->validity, out->n);
	r->any = true;
	memcpy(&r->last, v + (n - 1) * width, width);
	return GS_OK;
}

const cpu_family gs_cpu_unique = {.begin = unique_begin, .feed = unique_feed};
