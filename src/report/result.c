/*-------------------------------------------------------------------------
 *
 * result.c
 *	  A report's groups, in this session.
 *
 * They are kept in slices, each what one fetch gave (gs_lay_groups) with the
 * wide sums of its groups behind it.  Slices are in memory as far as the
 * ordinary plan's hash table might use it, then in a temporary file.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "storage/buffile.h"

#include "exact/exact.h"
#include "report/result.h"

/* Of an aggregate that has them. */
typedef struct wide_sums
{
	int64		first;			/* place of the first one that is here */
	int64		n;
	size_t		offset;			/* in the slice */
} wide_sums;

typedef struct result_slice
{
	int64		first;			/* group */
	int64		n;
	size_t		size;
	char	   *base;			/* NULL: in the file */
	wide_sums  *wide;			/* of all aggregates; NULL: no sum is wide */
} result_slice;

struct gs_report_result
{
	const gs_plan *plan;
	List	   *slices;
	int			next;
	double		memory;			/* bytes that are left for slices */
	BufFile    *file;
	char	   *buffer;			/* of a slice in the file */
	size_t		buffer_size;
	gs_report_groups groups;
};

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

/* Lay out a slice whose groups are at base; false if these cannot be right. */
static bool
lay_slice(const gs_report_result *result, const gs_groups_layout *layout,
		  const char *base, result_slice *slice)
{
	const gs_plan *plan = result->plan;
	wide_sums	wide[GS_PLAN_AGGREGATES] = {0};
	bool		any = false;

	slice->size = layout->size;
	for (int a = 0; a < plan->aggregates; a++)
	{
		size_t		width = gs_fetch_width(plan, GS_FETCH_WIDE(a));

		if (width == 0)
			continue;
		if (!find_wide((const gs_float_sum *)
					   (base + layout->column[GS_FETCH_STATE(a)]), slice->n,
					   plan->aggregate[a].kind != GS_AGG_SUM, &wide[a]))
			return false;
		wide[a].offset = slice->size;
		slice->size += (size_t) wide[a].n * width;
		any |= wide[a].n > 0;
	}
	slice->wide = NULL;
	if (any)
	{
		slice->wide = palloc(sizeof wide);
		memcpy(slice->wide, wide, sizeof wide);
	}
	return true;
}

static char *
make_buffer(gs_report_result *result, size_t size)
{
	if (size > result->buffer_size)
	{
		result->buffer = result->buffer == NULL ?
			palloc_extended(size, MCXT_ALLOC_HUGE) :
			repalloc_huge(result->buffer, size);
		result->buffer_size = size;
	}
	return result->buffer;
}

/* Fetch the wide sums of a slice behind its states. */
static gs_status
fetch_wide(const gs_report_result *result, gs_report_run *run,
		   const result_slice *slice, char *base)
{
	gs_status	status = GS_OK;

	for (int a = 0; a < result->plan->aggregates && status == GS_OK; a++)
	{
		const wide_sums *wide = &slice->wide[a];

		if (wide->n > 0)
			status = gs_report_wide(run, a, wide->first, wide->n,
									base + wide->offset);
	}
	return status;
}

static gs_status
fetch_slice(gs_report_result *result, gs_report_run *run, result_slice *slice)
{
	gs_groups_layout layout;
	bool		in_memory;
	char	   *to;
	gs_status	status;

	gs_lay_groups(result->plan, slice->n, &layout);
	in_memory = result->file == NULL && (double) layout.size <= result->memory;
	to = in_memory ? palloc_extended(layout.size, MCXT_ALLOC_HUGE) :
		make_buffer(result, layout.size);
	status = gs_report_fetch(run, slice->first, slice->n, to);
	if (status != GS_OK)
		return status;
	if (!lay_slice(result, &layout, to, slice))
	{
		strlcpy(run->reason, "the service gave wrong results",
				sizeof run->reason);
		return GS_INVALID;
	}
	if (slice->wide != NULL)
	{
		to = in_memory ? repalloc_huge(to, slice->size) :
			make_buffer(result, slice->size);
		status = fetch_wide(result, run, slice, to);
		if (status != GS_OK)
			return status;
	}
	slice->base = in_memory ? to : NULL;
	if (in_memory)
		result->memory -= (double) slice->size;
	else
	{
		if (result->file == NULL)
			result->file = BufFileCreateTemp(false);
		BufFileWrite(result->file, to, slice->size);
	}
	return GS_OK;
}

gs_status
gs_report_result_fetch(gs_report_run *run, gs_report_result **made)
{
	gs_report_result *result = palloc0(sizeof *result);
	int64		most = gs_report_fetch_max(run);

	*made = result;
	result->plan = run->plan;
	result->memory = work_mem * hash_mem_multiplier * 1024.0;
	for (int64 first = 0; first < run->summary.groups; first += most)
	{
		result_slice *slice = palloc(sizeof *slice);
		gs_status	status;

		CHECK_FOR_INTERRUPTS();
		slice->first = first;
		slice->n = Min(most, run->summary.groups - first);
		status = fetch_slice(result, run, slice);
		if (status != GS_OK)
			return status;
		result->slices = lappend(result->slices, slice);
	}
	gs_report_result_rewind(result);
	return GS_OK;
}

void
gs_report_result_rewind(gs_report_result *result)
{
	result->next = 0;
	if (result->file != NULL && BufFileSeek(result->file, 0, 0, SEEK_SET) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not rewind a report's temporary file")));
}

bool
gs_report_result_next(gs_report_result *result, gs_report_groups **groups)
{
	gs_report_groups *g = &result->groups;
	result_slice *slice;
	char	   *base;

	if (result->next >= list_length(result->slices))
		return false;
	slice = list_nth(result->slices, result->next++);
	base = slice->base;
	if (base == NULL)
	{
		base = make_buffer(result, slice->size);
		BufFileReadExact(result->file, base, slice->size);
	}
	g->plan = result->plan;
	g->base = base;
	g->first = slice->first;
	g->n = slice->n;
	gs_lay_groups(result->plan, slice->n, &g->layout);
	memset(g->wide, 0, sizeof g->wide);
	for (int a = 0; slice->wide != NULL && a < result->plan->aggregates; a++)
	{
		g->wide[a] = base + slice->wide[a].offset;
		g->wide_first[a] = slice->wide[a].first;
	}
	*groups = g;
	return true;
}

void
gs_report_result_free(gs_report_result *result)
{
	if (result->file != NULL)
		BufFileClose(result->file);
	result->file = NULL;
}
