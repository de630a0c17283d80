/*-------------------------------------------------------------------------
 *
 * plan_stages.h
 *	  Random stages (engine/finish.h), and what they give.
 *
 * The first stage is a random case (plan_random.h); the rows of each other one
 * are made of the reference's groups of the one before, and of windows over these.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TEST_PLAN_STAGES_H
#define TEST_PLAN_STAGES_H

#include "engine/windows.h"
#include "test/common/plan_compare.h"

typedef struct plan_stages
{
	uint64_t	seed;
	int			stages;
	bool		of_rows;		/* may stages be plans of rows, and have windows? */
	plan_case  *c[GS_STAGES_MAX];
	gs_finish	finish[GS_STAGES_MAX][GS_PLAN_COLUMNS];
	gs_windows	windows[GS_STAGES_MAX];
	gs_stage	stage[GS_STAGES_MAX];

	/* what comes of them: the results of the stage where they end */
	int			last;
	plan_result wanted;
} plan_stages;

/* of_rows: some stages are plans of rows, and some have windows. */
extern plan_stages *plan_stages_new(uint64_t seed, int64_t max_rows,
									bool of_rows);
extern void plan_stages_free(plan_stages *s);

/* Are these the results?  Else the difference is printed. */
extern bool plan_stages_match(const plan_stages *s, int last,
							  const plan_result *got);

/* On an engine, in this process. */
extern bool plan_try_stages(const plan_target *target, uint64_t seed,
							int64_t max_rows, plan_tally *tally);

/*
 * plan_relation.c: what a stage's results become in the engine's own memory, which
 * is to be released, is what the host has made of them: NULL or what is wrong.
 */
extern const char *plan_relation_make(const plan_target *target,
									  const plan_stages *s, int stage,
									  gs_plan_run *run,
									  const gs_relation *wanted,
									  uint32_t wanted_errors,
									  gs_relation *relation);
extern const char *plan_relation_feed(const plan_target *target,
									  gs_plan_run *run,
									  const gs_relation *relation);

#endif							/* TEST_PLAN_STAGES_H */
