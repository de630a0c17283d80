/*-------------------------------------------------------------------------
 *
 * plan_relation.c
 *	  Relations in an engine's own memory, beside what the host makes; see
 *	  plan_stages.h.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_stages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/relation.h"
#include "test/common/random.h"

static bool
is_present(const gs_column_data *column, int64_t i)
{
	return column->validity == NULL ||
		(column->validity[i / 8] >> (i % 8) & 1) != 0;
}

static int64_t
integer_at(const gs_column_data *column, int64_t i)
{
	switch (column->width)
	{
		case 2:
			return ((const int16_t *) column->values)[i];
		case 4:
			return ((const int32_t *) column->values)[i];
		default:
			return ((const int64_t *) column->values)[i];
	}
}

/* A copy in host memory, or NULL. */
static const void *
copy_of(const plan_target *target, const void *from, size_t size)
{
	void	   *to = malloc(size + 1);

	if (from != NULL && target->memory->get(to, from, size) == GS_OK)
		return to;
	free(to);
	return NULL;
}

/* zeros: NULL is 0, as before it is moved by windows. */
static const char *
compare_rows(gs_type type, const gs_column_data *got,
			 const gs_column_data *wanted, bool zeros, int64_t rows,
			 int64_t *row)
{
	static const uint8_t zero[8];
	size_t		width = (size_t) wanted->width;
	bool		ranged = type != GS_BOOL && !gs_is_float(type) &&
		got->low <= got->high;

	for (int64_t i = 0; i < rows; i++)
	{
		const char *value = (const char *) got->values + (size_t) i * width;

		*row = i;
		if (is_present(got, i) != is_present(wanted, i))
			return "validity";
		if (!is_present(wanted, i))
		{
			if (zeros && memcmp(value, zero, width) != 0)
				return "a value that is NULL";
			continue;
		}
		if (memcmp(value, (const char *) wanted->values + (size_t) i * width,
				   width) != 0)
			return "a value";
		if (ranged && (integer_at(got, i) < got->low ||
					   integer_at(got, i) > got->high))
			return "a value out of range";
	}
	return NULL;
}

/* Column c is as the host has it: NULL, or what is not. */
static const char *
compare_column(const plan_target *target, const plan_stages *s, int stage,
			   int c, const gs_relation *relation, const gs_relation *wanted)
{
	static _Thread_local char message[200];
	const gs_stage *next = &s->stage[stage + 1];
	const gs_column_data *from = &relation->column[c];
	gs_column_data got = *from;
	size_t		width = (size_t) wanted->column[c].width;
	int64_t		row = 0;
	const char *problem = NULL;

	if (got.packed || (size_t) got.width != width || got.base != 0)
		return "a relation's column is packed or narrow";
	if ((uintptr_t) got.values % GS_CACHE_ALIGN != 0 ||
		(uintptr_t) got.validity % GS_CACHE_ALIGN != 0)
		return "a relation's column is not aligned";

	got.values = copy_of(target, from->values, (size_t) wanted->rows * width);
	got.validity = copy_of(target, from->validity,
						   (size_t) GS_VALIDITY_ROWS(wanted->rows) * 8);
	if (got.values == NULL || (got.validity == NULL) != (from->validity == NULL))
		problem = "it cannot be read";
	else
		problem = compare_rows(next->plan.column[c], &got, &wanted->column[c],
							   next->windows == NULL, wanted->rows, &row);
	if (problem != NULL)
	{
		snprintf(message, sizeof message, "column %d (finishing %d of %d, figure "
				 "%d) of a relation, row %" PRId64 " of %" PRId64 ": %s", c,
				 next->finish[c].kind, next->finish[c].of,
				 next->finish[c].figure, row, wanted->rows, problem);
		if (got.values != NULL && width == 8)
			snprintf(message + strlen(message), sizeof message - strlen(message),
					 ": %" PRIx64 ", not %" PRIx64,
					 (uint64_t) ((const int64_t *) got.values)[row],
					 (uint64_t) ((const int64_t *)
								 wanted->column[c].values)[row]);
		problem = message;
	}
	free((void *) (uintptr_t) got.values);
	free((void *) (uintptr_t) got.validity);
	return problem;
}

static bool
still_waits(void *who)
{
	++*(int64_t *) who;
	return true;
}

/* What the stage's results become, windows included. */
static const char *
make(const plan_target *target, const plan_stages *s, int stage,
	 gs_plan_run *run, gs_relation *relation, uint32_t *errors)
{
	const gs_relation_engine *relations = target->engine->relations;
	const gs_stage *next = &s->stage[stage + 1];
	int64_t		asked = 0;
	gs_windows_caller caller = {still_waits, &asked};
	gs_error	error = {0};

	if (relations->make(run, next, relation, errors) != GS_OK)
		return target->engine->error(run)->message;
	if (*errors != 0 || next->windows == NULL || relation->rows == 0)
		return NULL;
	if (relations->windows(next, relation, one_in(2) ? &caller : NULL, errors,
						   &error) == GS_OK)
		return NULL;
	printf("# windows: %s\n", error.message);
	return "windows fail";
}

const char *
plan_relation_make(const plan_target *target, const plan_stages *s, int stage,
				   gs_plan_run *run, const gs_relation *wanted,
				   uint32_t wanted_errors, gs_relation *relation)
{
	uint32_t	errors = 0;
	const char *problem = make(target, s, stage, run, relation, &errors);

	if (problem != NULL || relation->memory == NULL)
		return problem;
	if (errors != wanted_errors)
		return "errors of a relation";
	if (errors != 0)
		return NULL;
	if (relation->rows != wanted->rows ||
		relation->columns != wanted->columns)
		return "a relation's size";
	for (int c = 0; c < wanted->columns && problem == NULL; c++)
		problem = compare_column(target, s, stage, c, relation, wanted);
	return problem;
}

/* As one batch, or cut where bitmaps stay aligned. */
const char *
plan_relation_feed(const plan_target *target, gs_plan_run *run,
				   const gs_relation *relation)
{
	int64_t		most = one_in(2) ? relation->rows : GS_CACHE_ALIGN * 8;

	for (int64_t at = 0; at < relation->rows; at += most)
	{
		gs_column_data column[GS_PLAN_COLUMNS];
		gs_batch	batch = {
			.n = relation->rows - at < most ? relation->rows - at : most,
			.column = column, .resident = 1
		};

		for (int c = 0; c < relation->columns; c++)
		{
			column[c] = relation->column[c];
			column[c].values = (const char *) column[c].values +
				at * column[c].width;
			if (column[c].validity != NULL)
				column[c].validity += at / 8;
		}
		if (target->engine->feed(run, &batch) != GS_OK)
			return target->engine->error(run)->message;
	}
	return NULL;
}
