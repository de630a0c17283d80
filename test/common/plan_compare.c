/*-------------------------------------------------------------------------
 *
 * plan_compare.c
 *	  Compares an engine with the reference; see plan_compare.h.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/common/compare.h"
#include "test/common/random.h"

/* Differences of a run that are printed; the rest are counted. */
#define MAX_COMPLAINTS	5

/* Where two results differ. */
typedef struct place
{
	char		what[500];
	int			aggregate;		/* -1: not a state */
	const void *got;
	const void *wanted;
} place;

static bool
differs(place *p, const char *what, int which, int64_t group, uint64_t got,
		uint64_t wanted)
{
	snprintf(p->what, sizeof p->what, "%s %d of group %" PRId64 ": %" PRIx64
			 ", not %" PRIx64, what, which, group, got, wanted);
	p->aggregate = -1;
	return false;
}

/* Are values equal, in the members of their type? */
static bool
same_values(gs_type type, const void *a, const void *b, int n)
{
	for (int i = 0; i < n; i++)
	{
		gs_value	x;
		gs_value	y;

		memcpy(&x, (const gs_value *) a + i, sizeof x);
		memcpy(&y, (const gs_value *) b + i, sizeof y);
		if (value_bits(type, x) != value_bits(type, y))
			return false;
	}
	return true;
}

static bool
same_state(const gs_plan *plan, int i, const void *a, const void *b)
{
	gs_type		type = plan->aggregate[i].a == GS_NOTHING ? GS_BOOL :
		plan_type(plan, plan->aggregate[i].a);

	switch (plan->aggregate[i].kind)
	{
		case GS_AGG_MIN:
		case GS_AGG_MAX:
		case GS_AGG_BIT_AND:
		case GS_AGG_BIT_OR:
		case GS_AGG_BIT_XOR:
		case GS_AGG_MODE:
			return same_values(type, a, b, 1);
		case GS_AGG_PERCENTILE:
			return same_values(type, a, b, 2);
		default:
			return memcmp(a, b, plan_state_size(plan, i)) == 0;
	}
}

static bool
same_states(const plan_case *c, int i, const plan_result *got,
			const plan_result *wanted, place *p)
{
	size_t		size = plan_state_size(&c->plan, i);

	for (int64_t j = 0; j < wanted->summary.groups; j++)
	{
		const uint8_t *a = got->state[i] + j * size;
		const uint8_t *b = wanted->state[i] + j * size;

		if (!same_state(&c->plan, i, a, b))
		{
			snprintf(p->what, sizeof p->what, "a%d of group %" PRId64, i, j);
			p->aggregate = i;
			p->got = a;
			p->wanted = b;
			return false;
		}
	}
	for (int64_t j = 0; c->plan.of_rows &&
		 j < GS_VALIDITY_ROWS(wanted->summary.groups); j++)
	{
		if (got->validity[i][j] != wanted->validity[i][j])
			return differs(p, "validity of a", i, j, got->validity[i][j],
						   wanted->validity[i][j]);
	}
	for (int64_t j = 0; j < wanted->wides[i]; j++)
	{
		plan_big	a;
		plan_big	b;
		gs_float_sum sum = {.wide = 1};
		bool		squares = plan_is_squares(&c->plan, i);
		size_t		width = squares ? sizeof(gs_acc2) : sizeof(gs_acc);
		const plan_wide *x = &got->wide[i][j];
		const plan_wide *y = &wanted->wide[i][j];

		plan_sum_to_big(&sum, squares, x, &a);
		plan_sum_to_big(&sum, squares, y, &b);
		if (memcmp(&a, &b, sizeof a) != 0)
			return differs(p, "number of wide sum, a", i, j, 0, 0);
		/* the number of additions means nothing */
		if (memcmp((const char *) x + 8, (const char *) y + 8, width - 8) != 0)
			return differs(p, "form of wide sum, a", i, j, 0, 0);
		if (x->acc.seen != y->acc.seen)
			return differs(p, "wide sum's seen, a", i, j, x->acc.seen,
						   y->acc.seen);
	}
	return true;
}

/* only_merged: but for states that plan_merge leaves out. */
static bool
same_results(const plan_case *c, const plan_result *got,
			 const plan_result *wanted, bool only_merged, place *p)
{
	const gs_plan *plan = &c->plan;

	p->aggregate = -1;
	if (got->summary.errors != wanted->summary.errors)
		return differs(p, "errors", 0, 0, got->summary.errors,
					   wanted->summary.errors);
	if (wanted->summary.errors != 0)
		return true;
	if (got->summary.rows != wanted->summary.rows)
		return differs(p, "rows", 0, 0, got->summary.rows,
					   wanted->summary.rows);
	if (got->summary.groups != wanted->summary.groups)
		return differs(p, "groups", 0, 0, got->summary.groups,
					   wanted->summary.groups);
	for (int64_t j = 0; j < wanted->summary.groups; j++)
	{
		if (got->nulls[j] != wanted->nulls[j])
			return differs(p, "nulls", 0, j, got->nulls[j], wanted->nulls[j]);
		for (int k = 0; k < plan->keys; k++)
		{
			gs_type		type = plan_type(plan, plan->key[k]);

			if (!same_values(type, &got->key[k][j], &wanted->key[k][j], 1))
				return differs(p, "key", k, j,
							   value_bits(type, got->key[k][j]),
							   value_bits(type, wanted->key[k][j]));
		}
	}
	for (int i = 0; i < plan->aggregates; i++)
	{
		if (only_merged && !plan_can_merge(c, i))
			continue;
		if (!same_states(c, i, got, wanted, p))
			return false;
	}
	return true;
}

/* All bytes the same, also those that have no meaning? */
static bool
same_bytes(const plan_case *c, const plan_result *a, const plan_result *b,
		   place *p)
{
	int64_t		groups = b->summary.groups;

	p->aggregate = -1;
	for (int k = 0; k < c->plan.keys && b->summary.errors == 0; k++)
	{
		if (memcmp(a->key[k], b->key[k], groups * sizeof(gs_value)) != 0)
			return differs(p, "meaningless bytes, key", k, 0, 0, 0);
	}
	for (int i = 0; i < c->plan.aggregates && b->summary.errors == 0; i++)
	{
		if (memcmp(a->state[i], b->state[i],
				   groups * plan_state_size(&c->plan, i)) != 0)
			return differs(p, "meaningless bytes, a", i, 0, 0, 0);
	}
	return true;
}

/* Do the limbs that gs_float_sum_limbs shows make the same number? */
static bool
same_limbs(const plan_case *c, const plan_result *r, place *p)
{
	int64_t		space[GS_ACC2_LIMBS];

	for (int i = 0; i < c->plan.aggregates; i++)
	{
		const gs_float_sum *sum = (const gs_float_sum *) r->state[i];
		bool		squares = plan_is_squares(&c->plan, i);

		if (!plan_is_float_sum(&c->plan, i))
			continue;
		for (int64_t j = 0; j < r->summary.groups; j++)
		{
			const plan_wide *wide = sum[j].wide > 0 ?
				&r->wide[i][sum[j].wide - 1] : NULL;
			gs_limbs	limbs = gs_float_sum_limbs(&sum[j], squares, wide,
												   space);
			plan_wide	as_wide;
			plan_big	a;
			plan_big	b;
			int			lowest = squares ? GS_ACC2_LOWEST : GS_ACC_LOWEST;
			int64_t    *limb = squares ? as_wide.acc2.limb : as_wide.acc.limb;

			memset(&as_wide, 0, sizeof as_wide);
			if (limbs.lowest < lowest || (limbs.lowest - lowest) % 32 != 0 ||
				limbs.seen != sum[j].seen)
				return differs(p, "limbs of a", i, j, limbs.lowest, lowest);
			for (int k = 0; k < limbs.n; k++)
			{
				int			at = (limbs.lowest - lowest) / 32 + k;

				if (at < (squares ? GS_ACC2_LIMBS : GS_ACC_LIMBS))
					limb[at] = limbs.limb[k];
			}
			plan_sum_to_big(&sum[j], squares, wide, &a);
			plan_sum_to_big(&(gs_float_sum) {.wide = 1}, squares, &as_wide, &b);
			if (limbs.n + (limbs.lowest - lowest) / 32 <=
				(squares ? GS_ACC2_LIMBS : GS_ACC_LIMBS) &&
				memcmp(&a, &b, sizeof a) != 0)
				return differs(p, "value of limbs of a", i, j, 0, 0);
		}
	}
	return true;
}

/* The two parts of the rows, merged, give what all of them give. */
static const char *
check_halves(const plan_target *target, const plan_case *c,
			 const plan_result *whole, place *p)
{
	int64_t		cut = random_below(c->rows + 1);
	plan_result a = {0};
	plan_result b = {0};
	plan_result merged = {0};
	const char *problem;

	if (c->plan.of_rows)
		return NULL;
	problem = plan_run(target, c, 0, cut, false, &a);

	if (problem == NULL)
		problem = plan_run(target, c, cut, c->rows - cut, false, &b);
	if (problem == NULL)
	{
		plan_merge(c, &a, &b, &merged);
		if (!same_results(c, &merged, whole, true, p))
			problem = "two parts merged";
		p->aggregate = -1;
	}
	plan_result_free(&a);
	plan_result_free(&b);
	plan_result_free(&merged);
	return problem;
}

static void
print_problem(const plan_case *c, const char *problem, const place *p)
{
	flockfile(stdout);
	printf("# seed %" PRIu64 ": %s %s\n", c->seed, problem, p->what);
	plan_print(c);
	if (p->aggregate >= 0)
	{
		printf("#   got    ");
		plan_print_state(c, p->aggregate, p->got);
		printf("\n#   wanted ");
		plan_print_state(c, p->aggregate, p->wanted);
		printf("\n");
	}
	fflush(stdout);
	funlockfile(stdout);
}

bool
plan_same_results(const plan_case *c, const plan_result *got,
				  const plan_result *wanted)
{
	place		p = {{0}, -1, NULL, NULL};

	if (same_results(c, got, wanted, false, &p))
		return true;
	print_problem(c, "results", &p);
	return false;
}

/* Run a case in all ways. */
static bool
check_case(const plan_target *target, const plan_case *c, bool print,
		   plan_tally *tally)
{
	plan_result wanted;
	plan_result whole = {0};
	plan_result split = {0};
	place		p = {{0}, -1, NULL, NULL};
	const char *problem;

	random_seed(c->seed ^ 0x5eed);
	plan_reference(c, 0, c->rows, &wanted);
	problem = plan_run(target, c, 0, c->rows, true, &whole);
	if (problem == NULL && !same_results(c, &whole, &wanted, false, &p))
		problem = "results";
	if (problem == NULL && wanted.summary.errors == 0 &&
		!same_limbs(c, &whole, &p))
		problem = "gs_float_sum_limbs";
	if (problem == NULL)
		problem = plan_run(target, c, 0, c->rows, false, &split);
	if (problem == NULL && (!same_results(c, &split, &wanted, false, &p) ||
							!same_bytes(c, &split, &whole, &p)))
		problem = "results of several batches";
	if (problem == NULL)
		problem = check_halves(target, c, &whole, &p);
	if (problem != NULL && print)
		print_problem(c, problem, &p);
	if (tally != NULL)
	{
		tally->errors += wanted.summary.errors != 0;
		tally->empty += wanted.summary.rows == 0;
		tally->groups += wanted.summary.groups;
		for (int i = 0; i < GS_PLAN_AGGREGATES; i++)
			tally->wide += wanted.wides[i];
	}
	plan_result_free(&wanted);
	plan_result_free(&whole);
	plan_result_free(&split);
	return problem == NULL;
}

static bool
check_case_fails(const plan_target *target, const plan_case *c)
{
	return !check_case(target, c, false, NULL);
}

/* Without several batches and halves: there are many such cases. */
static bool
check_once(const plan_target *target, plan_case *c, plan_tally *tally)
{
	plan_result wanted;
	plan_result got;
	place		p = {{0}, -1, NULL, NULL};
	const char *problem;

	plan_reference(c, 0, c->rows, &wanted);
	problem = plan_run(target, c, 0, c->rows, true, &got);
	if (problem == NULL && !same_results(c, &got, &wanted, false, &p))
		problem = "results";
	if (problem == NULL)
		tally->passed++;
	else if (tally->failed++ < MAX_COMPLAINTS)
		print_problem(c, problem, &p);
	plan_result_free(&wanted);
	plan_result_free(&got);
	return problem == NULL;
}

bool
plan_try_instructions(const plan_target *target, plan_tally *tally)
{
	random_seed(0);
	return plan_try_table(target, check_once, tally);
}

bool
plan_try_many(const plan_target *target, bool brief, plan_tally *tally)
{
	random_seed(0);
	return plan_try_tiles(target, check_once, brief, tally);
}

bool
plan_try(const plan_target *target, uint64_t seed, int64_t max_rows,
		 plan_tally *tally)
{
	plan_case  *c = plan_case_new(seed, max_rows, target->of_rows);
	bool		good = check_case(target, c, tally->failed < MAX_COMPLAINTS,
								  tally);

	if (!good && tally->failed < MAX_COMPLAINTS)
	{
		plan_shrink(c, target, check_case_fails);
		printf("# a smaller one\n");
		check_case(target, c, true, NULL);
	}
	if (good)
		tally->passed++;
	else
		tally->failed++;
	plan_case_free(c);
	return good;
}

bool
plan_try_damaged(const plan_target *target, uint64_t seed, plan_tally *tally)
{
	plan_case  *c = plan_case_new(seed, 200, target->of_rows);
	uint8_t		column[GS_PLAN_COLUMNS];
	int			columns = c->plan.columns;
	bool		runs = true;
	bool		good;

	memcpy(column, c->column, sizeof column);
	plan_damage(c);
	tally->damaged++;
	good = (gs_plan_check(&c->plan) == GS_OK) == plan_is_valid(&c->plan);
	if (!good && tally->failed < MAX_COMPLAINTS)
		printf("# damaged plan of seed %" PRIu64 ": gs_plan_check gives %d\n",
			   seed, gs_plan_check(&c->plan));
	else if (good && plan_is_valid(&c->plan))
	{
		tally->valid++;
		for (int i = 0; i < c->plan.columns; i++)
		{
			if (i >= columns || c->column[i] != column[i])
				plan_fill_column(c, i);
		}
		/* large histograms would only show how much memory there is */
		for (int i = 0; i < c->plan.aggregates; i++)
			runs &= c->aggregate[i].kind != GS_AGG_HISTOGRAM ||
				c->aggregate[i].buckets < 5000;
		good = !runs || check_case(target, c, tally->failed < MAX_COMPLAINTS,
								   NULL);
	}
	else if (good)
	{
		gs_plan_run *run = NULL;

		good = target->engine->begin(&c->plan, &run) == GS_INVALID;
		if (!good)
			printf("# damaged plan of seed %" PRIu64 " begins\n", seed);
		if (run != NULL)
			target->engine->end(run);
	}
	if (good)
		tally->passed++;
	else
		tally->failed++;
	plan_case_free(c);
	return good;
}
