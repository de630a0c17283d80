/*-------------------------------------------------------------------------
 *
 * engine_cpu.c
 *	  The CPU engine: one execution from begin to end.
 *
 * It runs in the backend, in the service where there is no GPU, and in tests.
 * Everything happens in feed, in the calling thread.  Input is checked here,
 * once: the families rely on counts and bitmaps that agree with each other,
 * even if another process owns the memory that they lie in.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cpu_family *const families[GS_KINDS] = {
#define OPERATION(kind, name, family, types, arguments, output, \
				  null_result, cpu, ...) \
	[kind] = &gs_cpu_##cpu,
	GS_OPERATIONS(OPERATION)
#undef OPERATION
};

static gs_status
fail(gs_run *run, gs_status status, const char *message)
{
	run->error.status = status;
	if (run->error.message[0] == '\0')
		snprintf(run->error.message, sizeof run->error.message, "%s", message);
	return status;
}

gs_status
gs_cpu_value_error(gs_run *run, gs_answer answer, int64_t element)
{
	run->error.answer = answer;
	run->error.position = run->fed + element + 1;
	return GS_VALUE_ERROR;
}

static gs_status
cpu_begin(const gs_op *op, int64_t n, const gs_sources *sources,
		  gs_run **result)
{
	gs_run	   *run;

	(void) sources;
	*result = NULL;
	/* positions have 32 bits, and 64 bits hold 2^31 sums of int4 */
	if (gs_op_check(op) != GS_OK || n < 0 || n > INT32_MAX)
		return GS_INVALID;
	run = calloc(1, sizeof *run);
	if (run == NULL)
		return GS_NO_MEMORY;
	run->op = op;
	run->n = n;
	run->family = families[op->kind];
	if (run->family->begin(run) != GS_OK)
	{
		free(run);
		return GS_NO_MEMORY;
	}
	*result = run;
	return GS_OK;
}

static int64_t
cpu_memory(const gs_op *op, int64_t n)
{
	const cpu_family *family = families[op->kind];

	return family->memory == NULL ? 0 : family->memory(op, n);
}

static void
cpu_shape(const gs_run *run, int64_t *batch, int *depth)
{
	(void) run;
	*batch = CPU_BATCH;
	*depth = 1;
}

/* Do a span's count and bitmap agree? */
static bool
validate_span(const gs_span *span, int64_t n)
{
	if (span->present < 0 || span->present > n ||
		(span->present > 0 && span->values == NULL))
		return false;
	if (span->present == n)
		return true;
	return span->validity != NULL &&
		gs_count_bits(span->validity, n) == span->present;
}

/*
 * An array that comes with each batch is used as the first one has it
 * (map/place.c, map/interpolate.c).
 */
static bool
validate_input(const gs_run *run, const gs_input *in)
{
	const gs_op *op = run->op;
	bool		known = run->fed > 0 && gs_is_placement((gs_kind) op->kind);

	if (op->kind == GS_CHOOSE_EITHER &&
		run->fed + in->n > op->mask.elements)
		return false;
	if (!(known && !gs_has_mask(op)) &&
		!validate_span(&in->data, gs_data_elements(op, in->n, run->n)))
		return false;
	if (known || !gs_has_mask(op))
		return true;
	return validate_span(&in->mask, gs_mask_elements(op, in->n)) &&
		(!gs_has_third(op) ||
		 validate_span(&in->third, gs_mask_elements(op, in->n)));
}

static gs_status
cpu_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	const gs_op *op = run->op;
	bool		has_nulls = in->data.present <
		gs_data_elements(op, in->n, run->n);
	gs_status	status;

	if (in->n < 0 || in->n > run->n - run->fed ||
		run->fed % GS_BATCH_ALIGN != 0)
		return fail(run, GS_INVALID, "batch does not fit the array");
	if (!validate_input(run, in))
		return fail(run, GS_INVALID, "batch's counts are wrong");
	if (gs_has_output(op))
	{
		if (in->n > 0 && (out->values == NULL ||
						  (out->validity == NULL &&
						   gs_gives_null(op, has_nulls))))
			return fail(run, GS_INVALID, "batch has no output buffer");
		out->n = 0;
		out->present = 0;
	}
	status = run->family->feed(run, in, out);
	if (status != GS_OK)
		return fail(run, status, "");
	if (run->fed > 0 && gs_data_elements(op, in->n, run->n) != in->n)
		run->present = 0;		/* it is the same array */
	run->fed += in->n;
	run->present += in->data.present;
	return GS_OK;
}

static gs_status
cpu_wait(gs_run *run)
{
	return run->error.status;
}

static gs_status
cpu_finish(gs_run *run, gs_result *result)
{
	int64_t    *counts = result->counts;

	if (run->fed != run->n)
		return fail(run, GS_INVALID, "array is not complete");
	memset(result, 0, sizeof *result);
	result->n = run->n;
	result->present = run->present;
	result->counts = counts;
	if (run->family->finish != NULL)
		run->family->finish(run, result);
	run->results = result->results;
	return run->error.status;
}

static gs_status
cpu_fetch(gs_run *run, gs_column column, int64_t first, int64_t n, void *to)
{
	const int64_t rows = gs_column_rows(column, run->results);

	if (run->family->fetch == NULL || !gs_has_column(run->op, column) ||
		first < 0 || n < 0 || first > rows || n > rows - first)
		return fail(run, GS_INVALID, "results are out of range");
	run->family->fetch(run, column, first, n, to);
	return run->error.status;
}

static const gs_error *
cpu_error(const gs_run *run)
{
	return &run->error;
}

static void
cpu_end(gs_run *run)
{
	if (run->family->end != NULL)
		run->family->end(run);
	else
		free(run->state);
	free(run);
}

/* The engine's own memory is the host's. */
static void *
cpu_reserve(size_t size)
{
	return aligned_alloc(GS_CACHE_ALIGN, (size + GS_CACHE_ALIGN - 1) /
						 GS_CACHE_ALIGN * GS_CACHE_ALIGN);
}

static gs_status
cpu_put(void *to, const void *from, size_t size)
{
	memcpy(to, from, size);
	return GS_OK;
}

static gs_status
cpu_widen(void *to, int to_width, const void *from, int from_width,
		  int64_t n, uint64_t add)
{
	gs_cpu_change_width(from, from_width, to, to_width, n, add);
	return GS_OK;
}

static gs_status
cpu_scale(void *to, const gs_encoding *encoding, gs_type type,
		  const void *from, const uint8_t *validity, int64_t n)
{
	return gs_cpu_scale(to, encoding, type, from, validity, 0, n) ? GS_OK :
		GS_VALUE_ERROR;
}

static gs_status
cpu_unscale(void *to, gs_type type, const void *from,
			const gs_encoding *encoding, int64_t n)
{
	gs_cpu_unscale(to, type, from, encoding, n);
	return GS_OK;
}

static void
cpu_release(void *memory, size_t size)
{
	(void) size;
	free(memory);
}

const gs_engine gs_engine_cpu = {
	.name = "cpu",
	.memory = cpu_memory,
	.begin = cpu_begin,
	.shape = cpu_shape,
	.feed = cpu_feed,
	.wait = cpu_wait,
	.finish = cpu_finish,
	.fetch = cpu_fetch,
	.error = cpu_error,
	.end = cpu_end,
	.reserve = cpu_reserve,
	.put = cpu_put,
	.write = cpu_put,
	.get = cpu_put,
	.widen = cpu_widen,
	.scale = cpu_scale,
	.unscale = cpu_unscale,
	.release = cpu_release,
	.reserve_host = cpu_reserve,
	.release_host = cpu_release
};
