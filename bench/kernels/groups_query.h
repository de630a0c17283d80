/*-------------------------------------------------------------------------
 *
 * groups_query.h
 *	  A plan, its one batch, and its execution by the CUDA engine.
 *
 * Make one by the add functions, then seal it.  A failure ends the program.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GROUPS_QUERY_H
#define GROUPS_QUERY_H

#include "groups.h"

#include "kernels/cuda_engine.h"

class query
{
public:
	gs_plan		plan = {};
	std::vector<gs_operand> keys;
	std::vector<gs_aggregate> aggregates;
	gs_plan_run *run = NULL;
	gs_summary	summary = {};

	query(void);
	~query(void);

	/* low > high: not known */
	gs_operand add_column(gs_type type, const void *values, int width,
						  int64_t base, int64_t low, int64_t high);
	gs_operand add_int4(int32_t constant);
	gs_operand add_int8(int64_t constant);
	gs_operand add_float8(double constant);
	gs_operand add_code(gs_code what, gs_type type, gs_operand a, gs_operand b);

	/* valid until the next */
	gs_aggregate *add_aggregate(gs_aggregate_kind kind, gs_operand a);
	void seal(void);

	/* Any number of times: end the execution before; results stay for fetch. */
	void execute(void);
	void fetch(int column, int64_t first, int64_t n, void *to);

private:
	gs_batch	batch = {};
	std::vector<uint8_t> types;
	std::vector<gs_column_data> columns;
	std::vector<gs_instruction> code;
	std::vector<gs_constant> constants;

	gs_operand add_constant(gs_type type, gs_value value);
	void check(gs_status status);
};

/* Of aggregates of float8 or int8, `columns` numbers in all; one int4 key. */
extern figures figures_of(query &q, int groups, int columns);

#endif							/* GROUPS_QUERY_H */
