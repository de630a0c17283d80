/*-------------------------------------------------------------------------
 *
 * dot.c
 *	  Dot products on the CPU.
 *
 * Values are packed.  Where one of the arrays has NULLs, the pairs without
 * them are packed anew, a block at a time.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

#include <stdlib.h>

typedef struct dot
{
	int64_t		pairs;
	gs_acc2		floats;

	uint64_t	integers[3];
} dot;

static void
add_int2(dot *d, const int16_t *x, const int16_t *y, int64_t n)
{
	int64_t		sum = 0;

	for (int64_t i = 0; i < n; i++)
		sum += (int32_t) x[i] * y[i];
	gs_cpu_add_wide(d->integers, 3, sum);
}

static void
add_int4(dot *d, const int32_t *x, const int32_t *y, int64_t n)
{
	__int128	sum = 0;

	for (int64_t i = 0; i < n; i++)
		sum += (int64_t) x[i] * y[i];
	gs_cpu_add_wide(d->integers, 3, sum);
}

static void
add_int8(dot *d, const int64_t *x, const int64_t *y, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		gs_cpu_add_wide(d->integers, 3, (__int128) x[i] * y[i]);
}

static void
add_pairs(dot *d, gs_type type, const void *x, const void *y, int64_t n)
{
	d->pairs += n;
	switch (type)
	{
		case GS_INT2:
			add_int2(d, x, y, n);
			break;
		case GS_INT4:
			add_int4(d, x, y, n);
			break;
		case GS_INT8:
			add_int8(d, x, y, n);
			break;
		case GS_FLOAT4:
			gs_cpu_products_float4(&d->floats, x, y, n);
			break;
		default:
			gs_cpu_products_float8(&d->floats, x, y, n);
			break;
	}
}

/* The next n elements, and which of them have values. */
static const void *
read_block(cpu_reader *reader, int n, void *scratch, uint8_t *flags)
{
	const gs_value zero = {0};

	if (reader->validity == NULL)
		memset(flags, 1, n);
	return gs_cpu_read(reader, n, zero, scratch, flags);
}

static void
feed_nulls(dot *d, gs_type type, const gs_input *in)
{
	const int	width = gs_type_width(type);
	cpu_reader	x = gs_cpu_reader(&in->data, in->n, width);
	cpu_reader	y = gs_cpu_reader(&in->mask, in->n, width);

	for (int64_t at = 0; at < in->n; at += CPU_BLOCK)
	{
		int			n = gs_cpu_block_size(in->n - at);
		uint64_t	space_x[CPU_BLOCK];
		uint64_t	space_y[CPU_BLOCK];
		uint64_t	packed_x[CPU_BLOCK];
		uint64_t	packed_y[CPU_BLOCK];
		uint8_t		flags[CPU_BLOCK];
		uint8_t		flags_y[CPU_BLOCK];
		const void *dense_x = read_block(&x, n, space_x, flags);
		const void *dense_y = read_block(&y, n, space_y, flags_y);
		int			pairs;

		for (int i = 0; i < n; i++)
			flags[i] &= flags_y[i];
		pairs = gs_cpu_pack(dense_x, flags, n, width, packed_x);
		gs_cpu_pack(dense_y, flags, n, width, packed_y);
		add_pairs(d, type, packed_x, packed_y, pairs);
	}
}

static gs_status
dot_begin(gs_run *run)
{
	run->state = calloc(1, sizeof(dot));
	return run->state == NULL ? GS_NO_MEMORY : GS_OK;
}

static gs_status
dot_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	gs_type		type = (gs_type) run->op->type;

	(void) out;
	if (in->data.present < in->n || in->mask.present < in->n)
		feed_nulls(run->state, type, in);
	else
		add_pairs(run->state, type, in->data.values, in->mask.values, in->n);
	return GS_OK;
}

static void
dot_finish(gs_run *run, gs_result *result)
{
	const dot  *d = run->state;

	result->present = d->pairs;
	result->squares = d->floats;
	memcpy(result->isquares, d->integers, sizeof d->integers);
}

const cpu_family gs_cpu_dot = {
	.begin = dot_begin, .feed = dot_feed, .finish = dot_finish
};
