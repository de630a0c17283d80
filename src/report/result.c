/*-------------------------------------------------------------------------
 *
 * result.c
 *	  A report's groups, in this session.
 *
 * Groups come in slices.  A slice's states, with the wide sums behind them,
 * are in a buffer only until results have been made of them.  The results
 * are in memory as far as the ordinary plan's hash table might use it, then in
 * a temporary file.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "storage/buffile.h"
#include "utils/datum.h"
#include "utils/memutils.h"

#include "call/call.h"
#include "exact/exact.h"
#include "report/result.h"

/*
 * So many groups a slice: few enough that they stay in the processor's cache,
 * and that there is something to do while the service fetches the next.
 */
#define SLICE_GROUPS	16384

/* Of an aggregate that has them. */
typedef struct wide_sums
{
	int64		first;			/* place of the first one that is here */
	int64		n;
} wide_sums;

/*
 * The results of a slice: a column of Datums for each that is needed, then the
 * columns of what they are (gs_report_outcome), then what is passed by
 * reference, to which the Datums are offsets.
 */
typedef struct result_slice
{
	int64		n;
	size_t		size;
	char	   *base;			/* NULL: in the file */
} result_slice;

/* Memory that is used again and again. */
typedef struct buffer
{
	char	   *data;
	size_t		size;
} buffer;

struct gs_report_result
{
	/* of what is needed: the place among a group's keys and aggregates */
	int			columns;
	int		   *place;
	bool	   *by_reference;
	int16	   *length;			/* pg_type.typlen of these */

	List	   *slices;
	int			next;
	double		memory;			/* bytes that are left for slices */
	BufFile    *file;
	buffer		slice;			/* one that is made, or read from the file */

	/* where gs_report_result_next is */
	int64		n;
	int64		row;
	const char *base;
};

/* What the fetching takes. */
typedef struct fetching
{
	gs_report_run *run;
	const gs_report_shape *shape;
	bool		zeros;			/* results may depend on the order of rows */
	buffer		states;
	gs_report_groups groups;
	MemoryContext scratch;
} fetching;

static void
enlarge(buffer *b, size_t size)
{
	if (b->data != NULL && size <= b->size)
		return;
	b->data = b->data == NULL ? palloc_extended(size, MCXT_ALLOC_HUGE) :
		repalloc_huge(b->data, size);
	b->size = size;
}

static void
release(buffer *b)
{
	if (b->data != NULL)
		pfree(b->data);
	*b = (buffer) {0};
}

/* ----------
 * States
 * ----------
 */

/*
 * Find the wide sums among an aggregate's states.  False: the states cannot be
 * right, and would lead out of bounds.
 */
static bool
find_wide(const gs_float_sum *state, int64 n, bool squares, wide_sums *wide)
{
	int			limbs = squares ? GS_ACC2_LIMBS : GS_ACC_LIMBS;

	for (int64 i = 0; i < n; i++)
	{
		if (state[i].first < 0 || state[i].first >= limbs)
			return false;
		if (state[i].wide == 0)
			continue;
		if (wide->n == 0)
			wide->first = state[i].wide - 1;
		if (state[i].wide - 1 != wide->first + wide->n || wide->first < 0)
			return false;
		wide->n++;
	}
	return true;
}

static gs_status
wrong_results(gs_report_run *run)
{
	strlcpy(run->reason, "the service gave wrong results",
			sizeof run->reason);
	return GS_DEVICE_LOST;
}

/* Fetch the wide sums of the groups at hand behind their states. */
static gs_status
fetch_wide(fetching *f)
{
	const gs_plan *plan = f->run->plan;
	gs_report_groups *g = &f->groups;
	size_t		end = g->layout.size;
	size_t		offset[GS_PLAN_AGGREGATES];

	memset(g->wide, 0, sizeof g->wide);
	for (int a = 0; a < plan->aggregates; a++)
	{
		size_t		width = gs_fetch_width(plan, GS_FETCH_WIDE(a));
		wide_sums	wide = {0};
		gs_status	status;

		offset[a] = 0;
		if (width == 0)
			continue;
		if (!find_wide((const gs_float_sum *)
					   (f->states.data + g->layout.column[GS_FETCH_STATE(a)]),
					   g->n, plan->aggregate[a].kind != GS_AGG_SUM, &wide))
			return wrong_results(f->run);
		if (wide.n == 0)
			continue;
		offset[a] = end;
		g->wide_first[a] = wide.first;
		end += (size_t) wide.n * width;
		enlarge(&f->states, end);
		status = gs_report_wide(f->run, a, wide.first, wide.n,
								f->states.data + offset[a]);
		if (status != GS_OK)
			return status;
	}
	g->base = f->states.data;
	for (int a = 0; a < plan->aggregates; a++)
	{
		if (offset[a] != 0)
			g->wide[a] = g->base + offset[a];
	}
	return GS_OK;
}

/* Learn of the values that a key's codes are of, and others have added. */
static gs_status
fetch_values(fetching *f, int k)
{
	gs_dictionary *d = f->shape->key[k].dictionary;
	int32		most = gs_report_greatest_code(&f->groups, k);
	const char *reason;
	gs_status	status = GS_OK;

	if (most >= d->n && most < GS_DICTIONARY_MAX)
		status = gs_dictionary_fetch(d, most + 1, &reason);
	if (status != GS_OK)
		strlcpy(f->run->reason, reason, sizeof f->run->reason);
	else if (most >= d->n)
		status = wrong_results(f->run);
	return status;
}

/* Take the groups that were asked for. */
static gs_status
take_groups(fetching *f, int64 first, int64 n)
{
	gs_report_groups *g = &f->groups;
	gs_status	status;

	g->plan = f->run->plan;
	g->first = first;
	g->n = n;
	gs_lay_groups(g->plan, n, &g->layout);
	enlarge(&f->states, g->layout.size);
	status = gs_report_take_groups(f->run, n, f->states.data);
	if (status == GS_OK)
		status = fetch_wide(f);
	for (int k = 0; k < f->shape->keys && status == GS_OK; k++)
	{
		if (f->shape->key[k].form == GS_FORM_CODE)
			status = fetch_values(f, k);
	}
	for (int a = 0; a < f->shape->aggregates && status == GS_OK; a++)
	{
		if (!gs_report_ranks_are_possible(&f->shape->aggregate[a], g))
			status = wrong_results(f->run);
	}
	if (status == GS_OK && f->zeros &&
		gs_report_depends_on_order(f->shape->aggregate, f->shape->aggregates, g))
	{
		strlcpy(f->run->reason, "the order of rows decides between 0 and -0",
				sizeof f->run->reason);
		return GS_INVALID;
	}
	return status;
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
static gs_report_outcome
result_at(const fetching *f, int k, int64 i, Datum *value)
{
	const gs_report_shape *shape = f->shape;

	if (k < shape->keys)
		return gs_report_key(&f->groups, k, &shape->key[k], i, value);
	return gs_report_aggregate_result(&shape->aggregate[k - shape->keys],
									  &f->groups, i, value);
}

/* Make a column whose results are passed by reference, behind all others. */
static void
make_references(gs_report_result *result, fetching *f, int c,
				result_slice *slice)
{
	int			length = result->length[c];

	MemoryContext old = MemoryContextSwitchTo(f->scratch);

	for (int64 i = 0; i < slice->n; i++)
	{
		buffer	   *b = &result->slice;
		Datum		value;
		gs_report_outcome outcome = result_at(f, result->place[c], i, &value);

		if (outcome == GS_RESULT_VALUE)
		{
			size_t		size = datumGetSize(value, false, length);

			if (slice->size + size > b->size)
				enlarge(b, 2 * b->size + size);
			memcpy(b->data + slice->size, DatumGetPointer(value), size);
			value = (Datum) slice->size;
			slice->size += MAXALIGN(size);
		}
		values_of(b->data, slice->n, c)[i] = value;
		outcomes_of(result, b->data, slice->n, c)[i] = outcome;
		MemoryContextReset(f->scratch);
	}
	MemoryContextSwitchTo(old);
}

/* Make the results of the groups at hand. */
static void
make_results(gs_report_result *result, fetching *f, result_slice *slice)
{
	const gs_report_shape *shape = f->shape;
	int64		n = f->groups.n;

	slice->n = n;
	slice->size = MAXALIGN(result->columns * n * (sizeof(Datum) + 1));
	enlarge(&result->slice, slice->size);
	for (int c = 0; c < result->columns; c++)
	{
		int			k = result->place[c];
		Datum	   *values = values_of(result->slice.data, n, c);
		uint8	   *outcomes = outcomes_of(result, result->slice.data, n, c);

		if (result->by_reference[c])
			make_references(result, f, c, slice);
		else if (k >= shape->keys)
			gs_report_aggregate_results(&shape->aggregate[k - shape->keys],
										&f->groups, values, outcomes);
		else
			gs_report_keys(&f->groups, k, &shape->key[k], values, outcomes);
	}
}

/* Store the slice that was made. */
static void
store_slice(gs_report_result *result, result_slice *slice)
{
	slice->base = NULL;
	if (result->file == NULL && (double) slice->size <= result->memory)
	{
		slice->base = palloc_extended(slice->size, MCXT_ALLOC_HUGE);
		memcpy(slice->base, result->slice.data, slice->size);
		result->memory -= (double) slice->size;
	}
	else
	{
		if (result->file == NULL)
			result->file = BufFileCreateTemp(false);
		BufFileWrite(result->file, result->slice.data, slice->size);
	}
	result->slices = lappend(result->slices, slice);
}

/* ----------
 * All groups
 * ----------
 */

static gs_report_result *
make_result(const gs_report_shape *shape)
{
	int			all = shape->keys + shape->aggregates;
	gs_report_result *result = palloc0(sizeof *result);

	result->memory = work_mem * hash_mem_multiplier * 1024.0;
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
	return result;
}

/* May results depend on the order of rows? */
static bool
may_depend_on_order(const gs_report_shape *shape)
{
	bool		may = false;

	for (int k = 0; k < shape->keys; k++)
		may |= shape->key[k].type == GS_FLOAT4 ||
			shape->key[k].type == GS_FLOAT8;
	for (int a = 0; a < shape->aggregates; a++)
		may |= shape->aggregate[a].any_zero;
	return may;
}

static gs_status
fetch_all(gs_report_result *result, fetching *f)
{
	gs_report_run *run = f->run;
	int64		groups = run->summary.groups;
	int64		most = Min(gs_report_fetch_max(run), SLICE_GROUPS);
	gs_status	status = GS_OK;

	if (groups > 0)
		status = gs_report_ask_groups(run, 0, Min(most, groups));
	for (int64 first = 0; first < groups && status == GS_OK; first += most)
	{
		result_slice *slice = palloc(sizeof *slice);
		int64		next = first + most;

		status = take_groups(f, first, Min(most, groups - first));
		if (status == GS_OK && next < groups)
			status = gs_report_ask_groups(run, next,
										  Min(most, groups - next));
		if (status == GS_OK)
		{
			make_results(result, f, slice);
			store_slice(result, slice);
		}
	}
	return status;
}

gs_status
gs_report_result_fetch(gs_report_run *run, const gs_report_shape *shape,
					   gs_report_result **made)
{
	fetching   *f = palloc0(sizeof *f);
	gs_report_result *result = *made = make_result(shape);
	gs_status	status;

	f->run = run;
	f->shape = shape;
	f->zeros = may_depend_on_order(shape);
	f->scratch = AllocSetContextCreate(CurrentMemoryContext,
									   "gpuscan report's values",
									   ALLOCSET_SMALL_SIZES);
	status = fetch_all(result, f);
	MemoryContextDelete(f->scratch);
	release(&f->states);
	release(&result->slice);
	pfree(f);
	if (status == GS_OK)
		gs_report_result_rewind(result);
	return status;
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
		enlarge(&result->slice, slice->size);
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

		if (unlikely(outcome == GS_RESULT_OVERFLOW))
			gs_float_overflow();
		isnull[to] = outcome == GS_RESULT_NULL;
		values[to] = result->by_reference[c] && !isnull[to] ?
			PointerGetDatum(result->base + value) : value;
	}
	return true;
}

void
gs_report_result_free(gs_report_result *result)
{
	if (result->file != NULL)
		BufFileClose(result->file);
	result->file = NULL;
}
