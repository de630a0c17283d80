/*-------------------------------------------------------------------------
 *
 * cpu_unique.c
 *	  Runs of equal neighbours on the CPU: their first values, or where these
 *	  are.
 *
 * NULLs are skipped, so the loops run over the packed values.  As in
 * cpu_compact.c each one is stored, but the output advances only at the start
 * of a run.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/cpu_engine.h"

#include <stdlib.h>
#include <string.h>

typedef struct runs
{
	bool		any;			/* has there been a value? */
	gs_value	last;
} runs;

#define INTEGERS_DIFFER(a, b)	((a) != (b))

/* NaN equals NaN. */
#define FLOATS_DIFFER(a, b)		(!(((a) == (b)) | (((a) != (a)) & ((b) != (b)))))

/* Both return how many runs start. */
#define RUNS(suffix, type, member, differ) \
static int64_t \
values_##suffix(const runs *r, const void *values, int64_t n, void *out) \
{ \
	const type *v = values; \
	type	   *kept = out; \
	int64_t		k; \
\
	kept[0] = v[0]; \
	k = !r->any || differ(v[0], r->last.member); \
	for (int64_t i = 1; i < n; i++) \
	{ \
		kept[k] = v[i]; \
		k += differ(v[i], v[i - 1]); \
	} \
	return k; \
} \
\
static int64_t \
positions_##suffix(const runs *r, const void *values, int64_t n, \
				   int64_t before, int32_t *position) \
{ \
	const type *v = values; \
	int64_t		k; \
\
	position[0] = (int32_t) before + 1; \
	k = !r->any || differ(v[0], r->last.member); \
	for (int64_t i = 1; i < n; i++) \
	{ \
		position[k] = (int32_t) (before + i) + 1; \
		k += differ(v[i], v[i - 1]); \
	} \
	return k; \
}

RUNS(int2, int16_t, i2, INTEGERS_DIFFER)
RUNS(int4, int32_t, i4, INTEGERS_DIFFER)
RUNS(int8, int64_t, i8, INTEGERS_DIFFER)
RUNS(float4, float, f4, FLOATS_DIFFER)
RUNS(float8, double, f8, FLOATS_DIFFER)

static gs_status
begin(gs_run *run)
{
	run->state = calloc(1, sizeof(runs));
	return run->state == NULL ? GS_NO_MEMORY : GS_OK;
}

static gs_status
feed(gs_run *run, const gs_input *in, gs_output *out)
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

const cpu_family gs_cpu_unique = {.begin = begin, .feed = feed};
