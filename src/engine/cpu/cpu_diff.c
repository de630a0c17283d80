/*-------------------------------------------------------------------------
 *
 * cpu_diff.c
 *	  Each element less the one before it, on the CPU.
 *
 * NULLs are skipped, so the loops run over the packed values, and the bitmap
 * of the elements is that of the results, but for the first.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/cpu_engine.h"
#include "engine/difference.h"

#include <stdlib.h>
#include <string.h>

typedef struct differences
{
	bool		any;			/* has there been a value? */
	gs_value	last;
} differences;

/*
 * A batch's values: r[i] becomes v[i] - v[i - 1], and r[0], if there has been
 * no value, v[0] itself; if `skip`, that is left out, and the others come one
 * place earlier.  Returns n, or the index of the first result out of range.
 */
#define DIFFERENCES(suffix, member, type, result, difference) \
static int64_t \
differences_##suffix(differences *d, const void *values, int64_t n, int skip, \
					 void *results) \
{ \
	const type *v = values; \
	result	   *r = results; \
	bool		wrong = false; \
\
	if (n == 0) \
		return 0; \
	if (!skip) \
		r[0] = difference(v[0], d->any ? d->last.member : 0, &wrong); \
	if (wrong) \
		return 0; \
	for (int64_t i = 1; i < n; i++) \
		r[i - skip] = difference(v[i], v[i - 1], &wrong); \
	d->any = true; \
	d->last.member = v[n - 1]; \
	if (!wrong) \
		return n; \
	wrong = false; \
	for (int64_t i = 1; i < n; i++) \
	{ \
		(void) difference(v[i], v[i - 1], &wrong); \
		if (wrong) \
			return i; \
	} \
	return n; \
}

DIFFERENCES(int2, i2, int16_t, int64_t, gs_difference_int8)
DIFFERENCES(int4, i4, int32_t, int64_t, gs_difference_int8)
DIFFERENCES(int8, i8, int64_t, int64_t, gs_difference_int8)
DIFFERENCES(float4, f4, float, float, gs_difference_float4)
DIFFERENCES(float8, f8, double, double, gs_difference_float8)

static gs_status
begin(gs_run *run)
{
	run->state = calloc(1, sizeof(differences));
	return run->state == NULL ? GS_NO_MEMORY : GS_OK;
}

/* The results' bitmap; if `skip`, the first value's result is NULL. */
static void
set_validity(const gs_input *in, int skip, uint8_t *validity)
{
	int64_t		first = 0;

	if (in->data.present == in->n)
		gs_cpu_set_bits(validity, in->n);
	else
		gs_cpu_copy_bits(in->data.validity, in->n, validity);
	if (!skip)
		return;
	if (in->data.present < in->n)
		first = gs_cpu_find_bit(in->data.validity, 0);
	validity[first / 8] &= (uint8_t) ~(1u << first % 8);
}

static gs_status
feed(gs_run *run, const gs_input *in, gs_output *out)
{
	static int64_t (*const of_type[GS_TYPES]) (differences *d,
											   const void *values, int64_t n,
											   int skip, void *results) =
	{BY_NUMBER(differences)};
	differences *d = run->state;
	int			skip = run->op->diff.null_first && !d->any &&
		in->data.present > 0;
	int64_t		done = of_type[run->op->type] (d, in->data.values,
											   in->data.present, skip,
											   out->values);

	if (done < in->data.present)
	{
		run->error.position = run->fed + 1 +
			(in->data.present == in->n ? done :
			 gs_cpu_find_bit(in->data.validity, done));
		return gs_range_status(run->op);
	}
	out->n = in->n;
	out->present = in->data.present - skip;
	if (out->validity != NULL)
		set_validity(in, skip, out->validity);
	return GS_OK;
}

const cpu_family gs_cpu_diff = {.begin = begin, .feed = feed};
