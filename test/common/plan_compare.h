/*-------------------------------------------------------------------------
 *
 * plan_compare.h
 *	  Does an engine give what the reference does (plan_reference.h)?
 *
 *-------------------------------------------------------------------------
 */
#ifndef TEST_PLAN_COMPARE_H
#define TEST_PLAN_COMPARE_H

#include "test/common/plan_reference.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* What is tested. */
typedef struct plan_target
{
	const gs_plan_engine *engine;
	const gs_engine *memory;	/* whose memory resident batches are in */
	bool		of_rows;		/* has it plans of rows, in their order? */
	int			devices;		/* that batches are on; 0: one */
} plan_target;

/* What the cases were, beside right or wrong. */
typedef struct plan_tally
{
	int64_t		passed;
	int64_t		failed;
	int64_t		errors;			/* that ended in an error flag */
	int64_t		empty;			/* without any row that counts */
	int64_t		groups;
	int64_t		wide;			/* sums */
	int64_t		damaged;		/* plans, and how many of them were valid */
	int64_t		valid;
} plan_tally;

/*
 * One case, in several ways: as one batch and as several, resident or not, and
 * as two halves whose results are merged.  A difference is printed, with a
 * smaller case that still has it.
 */
extern bool plan_try(const plan_target *target, uint64_t seed,
					 int64_t max_rows, plan_tally *tally);

/* Damaged plans: are the right ones refused, and do the others run? */
extern bool plan_try_damaged(const plan_target *target, uint64_t seed,
							 plan_tally *tally);

/* Each instruction on all pairs of special values. */
extern bool plan_try_instructions(const plan_target *target,
								  plan_tally *tally);

/* Sums by a key over many rows without NULLs; a few cases, if brief. */
extern bool plan_try_many(const plan_target *target, bool brief,
						  plan_tally *tally);

/* plan_table.c, plan_tiles.c: the cases of these */
typedef bool (*plan_check) (const plan_target *target, plan_case *c,
							plan_tally *tally);
extern bool plan_try_table(const plan_target *target, plan_check check,
						   plan_tally *tally);
extern bool plan_try_tiles(const plan_target *target, plan_check check,
						   bool brief, plan_tally *tally);

/* plan_shrink.c: make a case smaller, as long as it fails. */
typedef bool (*plan_fails) (const plan_target *target, const plan_case *c);
extern void plan_shrink(plan_case *c, const plan_target *target,
						plan_fails fails);

/* plan_print.c: the plan, with what it reads, and the first few rows. */
extern void plan_print(const plan_case *c);
extern void plan_print_state(const plan_case *c, int aggregate,
							 const void *state);

/* plan_run.c: what the engine gives of rows; NULL or what went wrong. */
extern const char *plan_run(const plan_target *target, const plan_case *c,
							int64_t first, int64_t n, bool whole,
							plan_result *result);

/* Its parts: feed all rows; finish, and take the results of n rows. */
extern const char *plan_feed(const plan_target *target, const plan_case *c,
							 gs_plan_run *run);
extern const char *plan_take_results(const plan_target *target,
									 const plan_case *c, gs_plan_run *run,
									 int64_t n, plan_result *r);

/* Are the results the same?  Else the difference is printed. */
extern bool plan_same_results(const plan_case *c, const plan_result *got,
							  const plan_result *wanted);

/* The results of two parts become those of all. */
extern void plan_merge(const plan_case *c, const plan_result *a,
					   const plan_result *b, plan_result *result);

/* Can states of this aggregate be merged, with what the plan has? */
extern bool plan_can_merge(const plan_case *c, int aggregate);

#ifdef __cplusplus
}
#endif

#endif							/* TEST_PLAN_COMPARE_H */
