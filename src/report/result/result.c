/*-------------------------------------------------------------------------
 *
 * result.c
 *	  A report's groups, in this session.
 *
 * Groups come in slices.  Their results are in memory as far as the ordinary
 * plan's hash table might use it, then in a temporary file.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "storage/buffile.h"
#include "utils/datum.h"
#include "utils/memutils.h"

#include "call/figures.h"
#include "report/result/fetch.h"

/*
 * The results of a slice: a column of Datums for each that is needed, then the
 * columns of what they are (gs_rounding), then what is passed by
 * reference, to which the Datums are offsets.
 */
typedef struct result_slice
{
	int64		n;
	size_t		size;
	char	   *base;			/* NULL: in the file */
} result_slice;

struct gs_report_result
{
	/* of what is needed: the place among a group's keys and aggregates */
	int			columns;
	int		   *place;
	bool	   *by_reference;
	int16	   *length;			/* pg_type.typlen of these */

	List	   *slices;
	int			next;
	gs_report_memory *memory;
	BufFile    *file;
	gs_report_buffer slice;		/* one that is made, or read from the file */

	/* while results are made */
	const gs_report_shape *shape;
	bool		doubtful;		/* the ordinary plan may have to give them */
	MemoryContext scratch;

	/* where gs_report_result_next is */
	int64		n;
	int64		row;
	const char *base;
};

void
gs_report_memory_init(gs_report_memory *memory)
{
	memset(memory, 0, sizeof *memory);
	memory->limit = work_mem * hash_mem_multiplier * 1024.0;
}

bool
gs_report_memory_take(gs_report_memory *memory, double size)
{
	if (memory->used + size > memory->limit)
		return false;
	memory->used += size;
	memory->peak = Max(memory->peak, memory->used);
	return true;
}

/* ----------
 * Results
 * ----------
 */

static Datum *
values_of(const char *base, int64 n, int c)
{
	return (Datum *) base + c * n;
}

static uint8 *
outcomes_of(const gs_report_result *result, const char *base, int64 n, int c)
{
	return (uint8 *) (base + result->columns * n * sizeof(Datum) + c * n);
}

/* The result of group i in place k: keys, then aggregates. */
static gs_rounding
result_at(const gs_report_shape *shape, const gs_report_groups *groups, int k,
		  int64 i, Datum *value)
{
	if (shape->value != NULL && shape->value[k].count >= 0)
		return gs_report_mean(&groups[k], &shape->key[k], i, value);
	if (shape->value != NULL)
		return gs_report_key(&groups[k], &shape->key[k], i, value);
	if (k < shape->keys)
		return gs_report_key(groups, &shape->key[k], i, value);
	return gs_report_aggregate_result(&shape->aggregate[k - shape->keys],
									  groups, i, value);
}

/* Make a column whose results are passed by reference, behind all others. */
static void
make_references(gs_report_result *result, const gs_report_groups *groups,
				int c, result_slice *slice)
{
	int			length = result->length[c];
	MemoryContext old = MemoryContextSwitchTo(result->scratch);

	for (int64 i = 0; i < slice->n; i++)
	{
		gs_report_buffer *b = &result->slice;
		Datum		value;
		gs_rounding outcome = result_at(result->shape, groups,
										result->place[c], i, &value);

		if (outcome == GS_ROUNDED)
		{
			size_t		size = datumGetSize(value, false, length);

			if (slice->size + size > b->size)
				gs_report_enlarge(b, 2 * b->size + size);
			memcpy(b->data + slice->size, DatumGetPointer(value), size);
			value = (Datum) slice->size;
			slice->size += MAXALIGN(size);
		}
		values_of(b->data, slice->n, c)[i] = value;
		outcomes_of(result, b->data, slice->n, c)[i] = outcome;
		MemoryContextReset(result->scratch);
	}
	MemoryContextSwitchTo(old);
}

/* Make the results of the groups. */
static void
make_results(gs_report_result *result, const gs_report_groups *groups,
			 result_slice *slice)
{
	const gs_report_shape *shape = result->shape;
	int64		n = slice->n;

	slice->size = MAXALIGN(result->columns * n * (sizeof(Datum) + 1));
	gs_report_enlarge(&result->slice, slice->size);
	for (int c = 0; c < result->columns; c++)
	{
		int			k = result->place[c];
		Datum	   *values = values_of(result->slice.data, n, c);
		uint8	   *outcomes = outcomes_of(result, result->slice.data, n, c);

		if (result->by_reference[c])
			make_references(result, groups, c, slice);
		else if (shape->value != NULL)
			gs_report_keys(&groups[k], &shape->key[k], values, outcomes);
		else if (k >= shape->keys)
			gs_report_aggregate_results(&shape->aggregate[k - shape->keys],
										groups, values, outcomes);
		else
			gs_report_keys(groups, &shape->key[k], values, outcomes);
	}
}

/* Store the slice that was made. */
static void
store_slice(gs_report_result *result, result_slice *slice)
{
	slice->base = NULL;
	if (result->file == NULL &&
		gs_report_memory_take(result->memory, (double) slice->size))
	{
		slice->base = palloc_extended(slice->size, MCXT_ALLOC_HUGE);
		memcpy(slice->base, result->slice.data, slice->size);
	}
	else
	{
		if (result->file == NULL)
			result->file = BufFileCreateTemp(false);
		BufFileWrite(result->file, result->slice.data, slice->size);
		result->memory->file += (double) slice->size;
	}
	result->slices = lappend(result->slices, slice);
}

/* ----------
 * All groups
 * ----------
 */

/* May the ordinary plan have to give results? */
static bool
is_doubtful(const gs_report_shape *shape)
{
	bool		may = false;

	if (shape->value != NULL)
		return false;
	for (int k = 0; k < shape->keys; k++)
		may |= shape->key[k].type == GS_FLOAT4 ||
			shape->key[k].type == GS_FLOAT8;
	for (int a = 0; a < shape->aggregates; a++)
		may |= shape->aggregate[a].any_zero || shape->aggregate[a].bounded ||
			shape->aggregate[a].part[GS_INTERVAL_DAYS] >= 0;
	return may;
}

gs_report_result *
gs_report_result_begin(const gs_report_shape *shape, gs_report_memory *memory)
{
	int			all = shape->keys + shape->aggregates;
	gs_report_result *result = palloc0(sizeof *result);

	result->memory = memory;
	result->place = palloc(all * sizeof(int));
	result->length = palloc0(all * sizeof(int16));
	result->by_reference = palloc0(all * sizeof(bool));
	for (int i = 0; i < all; i++)
	{
		int			c = result->columns;

		if (!shape->needed[i])
			continue;
		result->place[c] = i;
		result->length[c] = i < shape->keys ? shape->key[i].length :
			shape->aggregate[i - shape->keys].length;
		result->by_reference[c] = i < shape->keys ?
			gs_report_by_reference(&shape->key[i]) :
			shape->aggregate[i - shape->keys].by_reference;
		result->columns++;
	}
	result->shape = shape;
	result->doubtful = is_doubtful(shape);
	result->scratch = AllocSetContextCreate(CurrentMemoryContext,
											"gpuscan report's values",
											ALLOCSET_SMALL_SIZES);
	return result;
}

const char *
gs_report_result_add(gs_report_result *result, const gs_report_groups *groups)
{
	result_slice *slice;
	const char *reason = NULL;

	if (result->doubtful)
		reason = gs_report_cannot_show(result->shape->aggregate,
									   result->shape->aggregates, groups);
	if (reason != NULL || groups->n == 0)
		return reason;
	slice = palloc(sizeof *slice);
	slice->n = groups->n;
	make_results(result, groups, slice);
	store_slice(result, slice);
	return NULL;
}

void
gs_report_result_finish(gs_report_result *result)
{
	MemoryContextDelete(result->scratch);
	gs_report_release(&result->slice);
	gs_report_result_rewind(result);
}

void
gs_report_result_rewind(gs_report_result *result)
{
	result->next = 0;
	result->n = 0;
	result->row = -1;
	if (result->file != NULL && BufFileSeek(result->file, 0, 0, SEEK_SET) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not rewind a report's temporary file")));
}

/* Go to the next slice, if there is one. */
static bool
next_slice(gs_report_result *result)
{
	const result_slice *slice;

	if (result->next >= list_length(result->slices))
		return false;
	slice = list_nth(result->slices, result->next++);
	result->base = slice->base;
	if (slice->base == NULL)
	{
		gs_report_enlarge(&result->slice, slice->size);
		BufFileReadExact(result->file, result->slice.data, slice->size);
		result->base = result->slice.data;
	}
	result->n = slice->n;
	result->row = 0;
	return true;
}

bool
gs_report_result_next(gs_report_result *result, Datum *values, bool *isnull)
{
	int64		n;

	if (++result->row >= result->n && !next_slice(result))
	{
		result->row = result->n - 1;	/* there it stays */
		return false;
	}
	n = result->n;
	for (int c = 0; c < result->columns; c++)
	{
		int			to = result->place[c];
		Datum		value = values_of(result->base, n, c)[result->row];
		uint8		outcome =
			outcomes_of(result, result->base, n, c)[result->row];

		isnull[to] = outcome != GS_ROUNDED && gs_rounding_is_null(outcome);
		values[to] = result->by_reference[c] && !isnull[to] ?
			PointerGetDatum(result->base + value) : value;
	}
	return true;
}

void
gs_report_result_free(gs_report_result *result)
{
	ListCell   *cell;

	foreach(cell, result->slices)
	{
		result_slice *slice = lfirst(cell);

		if (slice->base == NULL)
			continue;
		pfree(slice->base);
		result->memory->used -= (double) slice->size;
	}
	result->slices = NIL;
	if (result->file != NULL)
		BufFileClose(result->file);
	result->file = NULL;
}
