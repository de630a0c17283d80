/*-------------------------------------------------------------------------
 *
 * diff.c
 *	  Each element less the one before it, on the CPU.
 *
 * NULLs are skipped, so the loops run over the packed values, and the bitmap
 * of the elements is that of the results, but for the first.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"
#include "engine/difference.h"

#include <stdlib.h>
#include <string.h>

typedef struct differences
{
	bool		any;			/* has there been a value? */
	gs_value	last;
} differences;

#define EACH	"engine/cpu/map/diff_type.h"
#include "engine/cpu/each_number.h"
#undef EACH

static gs_status
diff_begin(gs_run *run)
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
		first = gs_find_bit(in->data.validity, 0);
	validity[first / 8] &= (uint8_t) ~(1u << first % 8);
}

static gs_status
diff_feed(gs_run *run, const gs_input *in, gs_output *out)
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
			 gs_find_bit(in->data.validity, done));
		return gs_range_status(run->op);
	}
	out->n = in->n;
	out->present = in->data.present - skip;
	if (out->validity != NULL)
		set_validity(in, skip, out->validity);
	return GS_OK;
}

const cpu_family gs_cpu_diff = {.begin = diff_begin, .feed = diff_feed};
