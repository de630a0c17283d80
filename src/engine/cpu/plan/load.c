/*-------------------------------------------------------------------------
 *
 * load.c
 *	  Columns of a batch, as vectors of a tile.
 *
 * Values that already are what a vector needs stay where they are, if they are
 * in the engine's own memory.  Others are copied: another process may change
 * them between two looks, and then a key, or an exponent, is not in the range
 * that was found.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

/* What a fetch brings into the cache; on some machines more. */
#define CACHE_LINE	64

static bool
is_integer(gs_type type)
{
	return type >= GS_INT2 && type <= GS_INT8;
}

static bool
column_is_valid(const gs_column_data *c, gs_type type)
{
	int			width = gs_type_width(type);

	if (c->values == NULL || (c->packed != 0 && c->packed != 1))
		return false;
	if (c->width == width)
		return c->base == 0 && c->unit == 0;
	return c->width < width &&
		(c->width == 1 || c->width == 2 || c->width == 4) &&
		(c->unit == 0 ? is_integer(type) :
		 c->unit > 0 && (type == GS_INT8 || type == GS_FLOAT8));
}

gs_status
gs_group_check_batch(gs_plan_run *run, const gs_batch *batch)
{
	if (batch->n < 1 || batch->n > GS_PLAN_BATCH_MAX)
		return gs_group_fail(run, GS_INVALID, "invalid number of rows");
	for (int i = 0; i < run->plan->columns; i++)
	{
		if (run->column[i].used &&
			(batch->column == NULL ||
			 !column_is_valid(&batch->column[i], run->column[i].type)))
			return gs_group_fail(run, GS_INVALID, "malformed column");
	}
	return GS_OK;
}

void
gs_group_start_batch(gs_plan_run *run, const gs_batch *batch)
{
	for (int i = 0; i < run->plan->columns; i++)
	{
		group_column *c = &run->column[i];

		if (!c->used)
			continue;
		c->data = &batch->column[i];
		c->copied = batch->resident == 0;
		c->reader = (cpu_reader) {
			c->data->values, c->data->validity, c->data->width, 0
		};
	}
}

/* The batch's memory is its owner's again. */
void
gs_group_end_batch(gs_plan_run *run)
{
	for (int i = 0; i < run->plan->columns; i++)
		run->column[i].data = NULL;
}

/* Are n bits from `at` on, a multiple of 8, all 1? */
static bool
all_set(const uint8_t *bits, int64_t at, int n)
{
	uint8_t		all = 0xff;

	bits += at / 8;
	for (int i = 0; i < n / 8; i++)
		all &= bits[i];
	if (n % 8 != 0)
		all &= bits[n / 8] | (uint8_t) (0xff << (n % 8));
	return all == 0xff;
}

/* Booleans may come from another process and have any value. */
static const void *
clean_booleans(const uint8_t *values, int n, uint8_t *clean)
{
	uint8_t		all = 0;

	for (int i = 0; i < n; i++)
		all |= values[i];
	if (all <= 1)
		return values;
	for (int i = 0; i < n; i++)
		clean[i] = values[i] != 0;
	return clean;
}

static void
load(group_column *c, int64_t at, int n)
{
	const gs_column_data *data = c->data;
	const gs_value zero = {0};
	const int	width = gs_type_width(c->type);
	const uint8_t *validity = data->validity;
	uint8_t		flags[GROUP_TILE];
	uint64_t	raw[GROUP_TILE];
	const void *values;

	if (validity != NULL && all_set(validity, at, n))
		validity = NULL;
	c->vector.states = NULL;
	if (validity != NULL)
	{
		gs_cpu_bits_to_flags(validity, at, n, flags);
		for (int i = 0; i < n; i++)
			c->space->states[i] = (uint8_t) ((flags[i] ^ 1) * GS_STATE_NULL);
		c->vector.states = c->space->states;
	}
	if (data->packed)
	{
		c->reader.validity = validity;
		values = gs_cpu_read(&c->reader, n, zero, raw, flags);
		if (values == raw && data->width == width)
		{
			memcpy(c->space->values, raw, (size_t) n * width);
			values = c->space->values;
		}
	}
	else
		values = (const uint8_t *) data->values + at * data->width;
	if (data->unit != 0)
	{
		const gs_encoding encoding = {data->width, data->base, data->unit};

		gs_cpu_unscale(c->space->values, c->type, values, &encoding, n);
		values = c->space->values;
	}
	else if (data->width < width)
	{
		gs_cpu_change_width(values, data->width, c->space->values, width, n,
							(uint64_t) data->base);
		values = c->space->values;
	}
	else if (c->type == GS_BOOL)
		values = clean_booleans(values, n, (uint8_t *) c->space->values);
	if (c->copied && values != c->space->values)
		values = memcpy(c->space->values, values, (size_t) n * width);
	c->vector.values = values;
}

/*
 * Fetch a quarter of the next tile's values, n of whose rows are from `at` on,
 * into the cache.  A tile's columns are read one after the other, in pieces too
 * short for the hardware to foresee the next ones.  All of a tile at once would
 * keep the processor waiting.
 */
void
gs_group_fetch_ahead(const gs_plan_run *run, int64_t at, int n, int quarter)
{
	int			from = n * quarter / 4;
	int			to = n * (quarter + 1) / 4;

	for (int i = 0; i < run->plan->columns; i++)
	{
		const group_column *c = &run->column[i];
		const uint8_t *values;

		if (!c->used || c->data->packed)
			continue;
		values = (const uint8_t *) c->data->values + at * c->data->width;
		for (int byte = from * c->data->width; byte < to * c->data->width;
			 byte += CACHE_LINE)
			__builtin_prefetch(values + byte);
	}
}

/* Rows `at` to at + n - 1 of the batch. */
void
gs_group_load(gs_plan_run *run, int64_t at, int n)
{
	for (int i = 0; i < run->plan->columns; i++)
	{
		if (run->column[i].used)
			load(&run->column[i], at, n);
	}
}
