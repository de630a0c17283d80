/*-------------------------------------------------------------------------
 *
 * windows.cu
 *	  Windows over a relation in device memory: from begin to end.
 *
 * As on the CPU, each window is sorted, and its functions computed, before the
 * next one.  The window in whose order rows come is the last: columns are brought
 * into its order first, so that its functions read and write them where they
 * are.
 *
 * The host waits at the end of each step, gives the step's memory back, and asks
 * whether the caller still waits.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/windows/windows.cuh"

/* The end of a step. */
static cudaError_t
end_step(windows_run *run, int pieces)
{
	GS_TRY(cudaStreamSynchronize(windows_stream(run)));
	windows_keep(run, pieces);
	windows_ask(run);
	return cudaSuccess;
}

static bool
needs_peers(const gs_window_function *f)
{
	if (f->mode != 0)
		return f->mode != GS_FRAME_ROWS;
	return f->kind >= GS_WINDOW_RANK && f->kind <= GS_WINDOW_CUME_DIST;
}

/* Is what is in the argument of interest, beyond which values are NULL? */
static bool
is_of_numbers(const gs_window_function *f)
{
	return f->kind == GS_WINDOW_SUM || f->kind == GS_WINDOW_AVERAGE ||
		f->kind == GS_WINDOW_FIGURE;
}

/* ----------
 * One function
 * ----------
 */

static cudaError_t
compute(windows_call *c)
{
	switch (c->f->kind)
	{
		case GS_WINDOW_SHIFT:
			return windows_shift(c);
		case GS_WINDOW_FIRST:
		case GS_WINDOW_LAST:
		case GS_WINDOW_NTH:
			return windows_value(c);
		case GS_WINDOW_COUNT:
			return windows_count(c);
		case GS_WINDOW_SUM:
		case GS_WINDOW_AVERAGE:
			return gs_is_float(c->type) ? windows_floats(c) :
				windows_integers(c);
		case GS_WINDOW_MIN:
		case GS_WINDOW_MAX:
			return windows_extreme(c);
		case GS_WINDOW_PERCENTILE:
		case GS_WINDOW_PERCENTILE_DISC:
			return windows_percentile(c);
		case GS_WINDOW_FIGURE:
			return windows_figure(c);
		default:
			return windows_ranks(c);
	}
}

static void
set_argument(windows_call *c)
{
	const gs_relation *relation = c->run->relation;
	const gs_window_function *f = c->f;

	if (f->argument >= 0)
	{
		const gs_column_data *column = &relation->column[f->argument];

		c->type = (gs_type) c->run->type[f->argument];
		c->argument = column->values;
		c->present.validity = column->validity;
		if (is_of_numbers(f) && !c->run->found[f->argument].nulls)
			c->present.validity = NULL;
	}
	if (f->second >= 0 &&
		(!gs_window_is_of_pairs(f) || c->run->found[f->second].nulls))
		c->present.second = relation->column[f->second].validity;
	if (f->filter >= 0)
	{
		c->present.filter = (const uint8_t *)
			relation->column[f->filter].values;
		c->present.filter_validity = relation->column[f->filter].validity;
	}
	c->all = c->present.validity == NULL && c->present.second == NULL &&
		c->present.filter == NULL;
}

/* A column that may have NULLs has a bitmap. */
static cudaError_t
set_output(windows_call *c, gs_column_data *column)
{
	c->output.values = (void *) column->values;
	c->output.row = c->places.row;
	if (gs_window_is_never_null(c->f))
	{
		column->validity = NULL;
		return cudaSuccess;
	}
	if (column->validity == NULL)
		return cudaErrorInvalidValue;
	c->output.validity = (uint32_t *) column->validity;
	return windows_set_bits(c->run, c->output.validity, c->places.n);
}

static cudaError_t
compute_function(windows_run *run, int f, const windows_places *places)
{
	const gs_window_function *function = &run->w->function[f];
	gs_column_data *column = &run->relation->column[function->result];
	windows_call c = {};
	int			pieces = run->pieces;

	c.run = run;
	c.f = function;
	c.window = &run->w->window[function->window];
	c.places = *places;
	set_argument(&c);
	if (gs_window_has_distances(function))
		GS_TRY(windows_find_range(&c));
	GS_TRY(set_output(&c, column));
	GS_TRY(compute(&c));
	gs_window_set_range(function, c.type, run->relation);
	return end_step(run, pieces);
}

/* ----------
 * One window
 * ----------
 */

/* What its order and its functions need. */
typedef struct window_needs
{
	bool		functions;
	bool		peers;
	uint64_t	columns;		/* to look at */
	uint64_t	sorted;			/* those of the order among them */
} window_needs;

static void
find_needs(const gs_windows *w, int window, window_needs *needs)
{
	memset(needs, 0, sizeof *needs);
	for (int i = 0; i < w->window[window].columns; i++)
		needs->sorted |= UINT64_C(1) << w->window[window].column[i].column;
	needs->columns = needs->sorted;
	for (int i = 0; i < w->functions; i++)
	{
		const gs_window_function *f = &w->function[i];

		if (f->window != window)
			continue;
		needs->functions = true;
		needs->peers |= needs_peers(f);
		if (is_of_numbers(f))
			needs->columns |= UINT64_C(1) << f->argument;
		if (gs_window_is_of_pairs(f))
			needs->columns |= UINT64_C(1) << f->second;
	}
}

/* Bring the relation into an order, which becomes that of its rows. */
static cudaError_t
order_rows(windows_run *run, int window, windows_places *places)
{
	for (int i = 0; i < run->relation->columns && places->row != NULL &&
		 !run->stopped; i++)
	{
		int			pieces = run->pieces;

		if (gs_window_computes(run->w, window, i))
			continue;
		GS_TRY(windows_permute(run, i, places));
		GS_TRY(end_step(run, pieces));
	}
	run->relation->rows = places->n;
	places->row = NULL;
	return cudaSuccess;
}

static cudaError_t
compute_window(windows_run *run, int window)
{
	const gs_windows *w = run->w;
	bool		last = window == w->order;
	bool		limited = last && w->limit > 0 &&
		w->limit < run->relation->rows;
	int			pieces = run->pieces;
	window_needs needs;
	windows_places places;

	find_needs(w, window, &needs);
	if (!last && !needs.functions)
		return cudaSuccess;
	GS_TRY(windows_look(run, needs.columns, needs.sorted));
	if (last && w->first > 0)
		GS_TRY(windows_sort_top(run, &w->window[window], w->first,
								needs.functions, needs.peers, &places));
	else if (limited)
		GS_TRY(windows_sort_first(run, &w->window[window], w->limit, &places));
	else
		GS_TRY(windows_sort(run, &w->window[window], needs.functions,
							needs.peers, &places));
	GS_TRY(end_step(run, run->pieces));
	if (last && !run->stopped)
		GS_TRY(order_rows(run, window, &places));
	for (int f = 0; f < w->functions && !run->stopped; f++)
	{
		if (w->function[f].window == window)
			GS_TRY(compute_function(run, f, &places));
	}
	windows_keep(run, pieces);
	return cudaSuccess;
}

static cudaError_t
compute_windows(windows_run *run, uint32_t *errors)
{
	cudaStream_t stream = windows_stream(run);
	uint32_t   *seen = (uint32_t *) run->context->report;
	void	   *memory;

	GS_TRY(windows_take(run, sizeof(windows_report), &memory));
	run->report = (windows_report *) memory;
	GS_TRY(cudaMemsetAsync(memory, 0, sizeof(windows_report), stream));
	for (int i = 0; i < run->w->windows && !run->stopped; i++)
	{
		if (i != run->w->order)
			GS_TRY(compute_window(run, i));
	}
	if (run->w->order >= 0 && !run->stopped)
		GS_TRY(compute_window(run, run->w->order));
	GS_TRY(cudaMemcpyAsync(seen, &run->report->errors, sizeof *seen,
						   cudaMemcpyDeviceToHost, stream));
	GS_TRY(cudaStreamSynchronize(stream));
	*errors |= *seen;
	return cudaSuccess;
}

bool
gs_windows_cuda_takes(const gs_stage *)
{
	return true;
}

gs_status
gs_windows_cuda(const gs_stage *next, gs_relation *relation,
				const gs_windows_caller *caller, uint32_t *errors,
				gs_error *error)
{
	windows_run run = {};
	cudaError_t result;
	gs_status	status;

	if (next->windows == NULL || relation->rows == 0)
		return GS_OK;
	if (relation->rows > WINDOWS_ROWS_MAX)
		return gs_device_fail(error, GS_NO_MEMORY, "too many rows for windows");
	run.caller = caller;
	run.w = next->windows;
	run.type = next->plan.column;
	run.relation = relation;
	result = gs_exec_context_acquire(&run.context);
	if (result == cudaSuccess)
		result = compute_windows(&run, errors);

	/* after an error something may still be in flight */
	if (result != cudaSuccess && run.context != NULL)
		(void) cudaStreamSynchronize(windows_stream(&run));
	windows_keep(&run, 0);
	status = gs_device_outcome(error, result);
	if (run.context != NULL)
		gs_exec_context_release(run.context);
	return status == GS_OK && run.stopped ? GS_INVALID : status;
}
