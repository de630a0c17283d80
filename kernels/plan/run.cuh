/*-------------------------------------------------------------------------
 *
 * run.cuh
 *	  An execution of a plan, as the files know it that its life is in.
 *
 *		engine.cu			from begin to the last batch, and the end
 *		stream.cu			batches that are on the host
 *		reserve.cu			the memory of its groups
 *		merge.cu			what another device has found
 *		results.cu			finish and fetch
 *		rows.cu				the rows of a plan of rows
 *		scatter.cu			these as a look-up table
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_RUN_CUH
#define GS_GROUP_RUN_CUH

#include "kernels/plan/engine.cuh"
#include "kernels/plan/fetch.cuh"
#include "kernels/plan/plain.cuh"
#include "kernels/plan/relation.cuh"
#include "kernels/plan/rows.cuh"

struct gs_plan_run
{
	const gs_plan *plan;
	gs_exec_context *context;
	gs_error	error;
	evaluate_program program;
	group_layout layout;
	group_keys	keys;
	group_values values[GS_PLAN_AGGREGATES];	/* group_values_of */
	bool		collects;		/* there are such, or rows */
	bool		computes_with_rows;	/* arguments, which are not in memory */
	bool		filters_with_rows;	/* ranges; of the batch */
	bool		is_plain;		/* what is computed with rows; of the batch */
	plain_program plain;
	int64_t		groups;			/* that have records */
	int64_t		rows_since_normalised;
	int64_t		rows;			/* of all batches */
	bool		ordered;		/* the groups of all batches so far */
	bool		merged;			/* with another's; at_end.window is known then */
	group_reported at_end;		/* if they are ordered; else after finish */
	bool		finished;
	int64_t		results;
	bool		fetched;		/* anything */
	const char *few;			/* all but wide sums, if that is little, else NULL;
								 * column c from few_at[c] on */
	size_t		few_at[GS_FETCH_STATE(GS_PLAN_AGGREGATES)];
	int64_t		wide[GROUP_ACTIONS];	/* sums that are */

	group_rows	found;			/* of a plan of rows */
	group_batch_memory batch;
	group_memory program_memory;
	group_memory list;			/* the plan's */
	group_memory elementary_table;
	group_memory computed[EVALUATE_OUTPUTS];
	group_memory computed_validity[EVALUATE_OUTPUTS];
	group_memory filter_bits[EVALUATE_FILTERS];
	group_memory tested_bits;
	group_memory row_bits;
	group_memory reported;		/* a group_reported, and room for few results */
	group_memory records;
	group_memory rare;
	group_memory moved;
	group_memory moved_rare;
	group_memory moved_wide;
	group_memory wide_of[GROUP_ACTIONS];
	group_memory wide_sums[GROUP_ACTIONS];
	group_memory wide_number[GROUP_ACTIONS];
	group_memory states[GS_PLAN_AGGREGATES];	/* of values */
	group_memory scratch;
};

static inline gs_status
group_fail(gs_plan_run *run, gs_status status, const char *message)
{
	return gs_device_fail(&run->error, status, message);
}

static inline gs_status
group_outcome(gs_plan_run *run, cudaError_t error)
{
	return gs_device_outcome(&run->error, error);
}

static inline cudaStream_t
stream_of(const gs_plan_run *run)
{
	return run->context->compute;
}

/* In device memory. */
static inline group_reported *
reported_of(const gs_plan_run *run)
{
	return (group_reported *) run->reported.at;
}

static inline group_records
records_of(const gs_plan_run *run)
{
	group_records g = {(int64_t *) run->records.at, (int64_t *) run->rare.at,
		run->layout.words, run->layout.rare_words};

	return g;
}

/*
 * The values of an aggregate that needs them: those of the first one with the
 * same argument and filter.
 */
static inline group_values *
group_values_of(gs_plan_run *run, int aggregate)
{
	const gs_aggregate *a = &run->plan->aggregate[aggregate];
	int			first = 0;

	while (run->layout.of_aggregate[first] >= 0 ||
		   run->plan->aggregate[first].a != a->a ||
		   run->plan->aggregate[first].filter != a->filter)
		first++;
	return &run->values[first];
}

/* ----------
 * engine.cu
 * ----------
 */

/* Where kernels find an operand that is a column or was computed. */
extern group_column group_operand_column(const gs_plan_run *run, gs_operand o);

/* A batch, none of whose columns is the host's; has been computed when it returns. */
extern cudaError_t group_feed_batch(gs_plan_run *run, const gs_batch *batch);

/* ----------
 * stream.cu
 * ----------
 */

/* Has a batch columns that are the host's? */
extern bool group_is_streamed(const gs_plan *plan, const gs_batch *batch);
extern cudaError_t group_feed_streamed(gs_plan_run *run,
									   const gs_batch *batch);

/* ----------
 * reserve.cu
 * ----------
 */

/* Accumulators for the float sum of action i, as far as there is room. */
extern cudaError_t group_reserve_wide(gs_plan_run *run, int i);

/* Records for all groups that there are now. */
extern cudaError_t group_reserve_records(gs_plan_run *run);

/* Groups have other numbers: move their records. */
extern cudaError_t group_renumber(gs_plan_run *run, const uint32_t *number);

/* Give back all memory of the execution. */
extern void group_free_memory(gs_plan_run *run);

/* ----------
 * results.cu
 * ----------
 */

/* Few results are behind the report, with which they come to the host: so much of both. */
#define GROUP_FEW_AT		gs_aligned(sizeof(group_reported))
#define GROUP_REPORTED_SIZE	GS_BOUNCE_SIZE

/* Put the groups in order, and report on all. */
extern cudaError_t group_order(gs_plan_run *run);

extern gs_status group_finish(gs_plan_run *run, gs_summary *summary);
extern gs_status group_fetch(gs_plan_run *run, int column, int64_t first,
							 int64_t n, void *to);

/* ----------
 * merge.cu: as gs_plan_engine's
 * ----------
 */
extern bool group_merges(const gs_plan *plan);
extern gs_status group_merge(gs_plan_run *run, gs_plan_run *part);

/* ----------
 * rows.cu
 * ----------
 */
extern void group_rows_begin(gs_plan_run *run);

/* Append the rows of a batch that count; NULL: all n. */
extern cudaError_t group_rows_add(gs_plan_run *run, const uint32_t *rows,
								  int64_t n);

/* Append the rows of another execution, which is on any device. */
extern cudaError_t group_rows_merge(gs_plan_run *run, const gs_plan_run *part);

/* As group_fetch. */
extern gs_status group_rows_fetch(gs_plan_run *run, int column, int64_t first,
								  int64_t n, void *to);
extern void group_rows_free(group_rows *r);

/* scatter.cu: as in gs_plan_engine */
struct gs_value_range;
struct gs_scatter;
extern gs_status group_range(gs_plan_run *run, int value,
							 struct gs_value_range *range);
extern gs_status group_scatter(gs_plan_run *run, const struct gs_scatter *s,
							   void *to, int64_t *placed, int64_t *repeated);

/* As gs_relation_engine.make. */
extern cudaError_t group_rows_relation(gs_plan_run *run, const gs_stage *next,
									   gs_relation *relation,
									   uint32_t *errors);

#endif							/* GS_GROUP_RUN_CUH */
