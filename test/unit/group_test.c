/*-------------------------------------------------------------------------
 *
 * group_test.c
 *	  Random plans on the CPU engine, against the reference.
 *
 * The seeds of the plans follow each other, from the program's seed on: one
 * that failed runs alone with `make check SEED=... PLANS=1`.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>

#include "engine/cpu/plan/plan.h"
#include "engine/devices.h"
#include "test/common/compare.h"
#include "test/common/plan_stages.h"

/* Rows of a plan; of one plan in MANY_IN. */
#define MAX_ROWS	3000
#define MANY_ROWS	24000
#define MANY_IN		24

#define DEVICES		3

/* Damaged plans for each that is whole; most are refused at once. */
#define DAMAGED		3

/* Results of instructions that can be checked by hand. */
typedef struct by_hand
{
	gs_code		code;
	gs_type		type;
	gs_type		to;
	double		a;				/* ABSENT: NULL */
	double		b;
	double		result;			/* or ABSENT, or an error as below */
} by_hand;

#define ABSENT		1e99
#define RANGE		(ABSENT * 2)
#define DIVISION	(ABSENT * 4)

static const by_hand cases[] = {
	{GS_CODE_ADD, GS_INT2, 0, 32766, 1, 32767},
	{GS_CODE_ADD, GS_INT2, 0, 32767, 1, RANGE},
	{GS_CODE_ADD, GS_INT2, 0, 32767, ABSENT, ABSENT},
	{GS_CODE_SUBTRACT, GS_INT4, 0, -2147483648.0, 1, RANGE},
	{GS_CODE_MULTIPLY, GS_INT8, 0, -0x1p62, 2, -0x1p63},
	{GS_CODE_MULTIPLY, GS_INT8, 0, -0x1p62, -2, RANGE},
	{GS_CODE_DIVIDE, GS_INT4, 0, -7, 2, -3},
	{GS_CODE_DIVIDE, GS_INT4, 0, 7, 0, DIVISION},
	{GS_CODE_DIVIDE, GS_INT2, 0, -32768, -1, RANGE},
	{GS_CODE_DIVIDE, GS_INT2, 0, ABSENT, 0, ABSENT},
	{GS_CODE_NEGATE, GS_INT8, 0, -0x1p63, 0, RANGE},
	{GS_CODE_ABS, GS_INT4, 0, -5, 0, 5},
	{GS_CODE_ADD, GS_FLOAT8, 0, 1.7e308, 1.7e308, RANGE},
	{GS_CODE_MULTIPLY, GS_FLOAT8, 0, 1e-200, 1e-200, RANGE},
	{GS_CODE_MULTIPLY, GS_FLOAT4, 0, 1e30, 1e30, RANGE},
	{GS_CODE_DIVIDE, GS_FLOAT8, 0, 1, 0, DIVISION},
	{GS_CODE_DIVIDE, GS_FLOAT8, 0, 1, -4, -0.25},
	{GS_CODE_LT, GS_FLOAT8, 0, -0.0, 0.0, 0},
	{GS_CODE_GE, GS_INT8, 0, 3, 3, 1},
	{GS_CODE_AND, GS_BOOL, 0, ABSENT, 0, 0},
	{GS_CODE_AND, GS_BOOL, 0, ABSENT, 1, ABSENT},
	{GS_CODE_OR, GS_BOOL, 0, ABSENT, 1, 1},
	{GS_CODE_NOT, GS_BOOL, 0, ABSENT, 0, ABSENT},
	{GS_CODE_IS_NULL, GS_INT4, 0, ABSENT, 0, 1},
	{GS_CODE_LEAST, GS_INT4, 0, ABSENT, 4, 4},
	{GS_CODE_GREATEST, GS_FLOAT8, 0, 2, 4, 4},
	{GS_CODE_CAST, GS_FLOAT8, GS_INT4, 2.5, 0, 2},
	{GS_CODE_CAST, GS_FLOAT8, GS_INT2, -3.5, 0, -4},
	{GS_CODE_CAST, GS_FLOAT8, GS_INT2, 32767.5, 0, RANGE},
	{GS_CODE_CAST, GS_FLOAT8, GS_INT8, 0x1p63, 0, RANGE},
	{GS_CODE_CAST, GS_FLOAT8, GS_FLOAT4, 1e-60, 0, RANGE},
	{GS_CODE_CAST, GS_FLOAT8, GS_FLOAT4, 1e60, 0, RANGE},
	{GS_CODE_CAST, GS_INT8, GS_FLOAT4, 16777217, 0, 16777216},
	{GS_CODE_CAST, GS_INT4, GS_INT2, 40000, 0, RANGE},
	{GS_CODE_FLOOR_DIVIDE, GS_INT8, 0, -7, 2, -4},
	{GS_CODE_FLOOR_DIVIDE, GS_INT8, 0, 7, -2, -4},
	{GS_CODE_FLOOR_DIVIDE, GS_INT4, 0, -8, 2, -4},
	{GS_CODE_FLOOR_DIVIDE, GS_INT2, 0, -32768, -1, RANGE},
	{GS_CODE_FLOOR_DIVIDE, GS_INT2, 0, 1, 0, DIVISION},
	{GS_CODE_MODULO, GS_INT4, 0, -7, 2, -1},
	{GS_CODE_MODULO, GS_INT8, 0, -0x1p63, -1, 0},
	{GS_CODE_MODULO, GS_INT8, 0, 5, 0, DIVISION},
	{GS_CODE_SHIFT_LEFT, GS_INT2, 0, 1, 15, -32768},
	{GS_CODE_SHIFT_LEFT, GS_INT4, 0, 3, 33, 6},
	{GS_CODE_SHIFT_RIGHT, GS_INT8, 0, -5, 1, -3},
	{GS_CODE_BIT_NOT, GS_INT4, 0, 0, 0, -1},
	{GS_CODE_ROUND, GS_FLOAT8, 0, 2.5, 0, 2},
	{GS_CODE_FLOOR, GS_FLOAT8, 0, -0.5, 0, -1},
	{GS_CODE_TRUNC, GS_FLOAT8, 0, -1.5, 0, -1},
	{GS_CODE_SQRT, GS_FLOAT8, 0, -1, 0, RANGE},
	{GS_CODE_MONTH, GS_INT4, 0, 59, 0, 1},
	{GS_CODE_MONTH, GS_INT4, 0, 60, 0, 2},
	{GS_CODE_MONTH, GS_INT4, 0, -1, 0, -1},
	{GS_CODE_MONTH, GS_INT4, 0, -730426, 0, -23999},	/* February 29 of the year 0 */
	{GS_CODE_MONTH_START, GS_INT4, 0, 12, 0, 366},
	{GS_CODE_MONTH_START, GS_INT4, 0, -1, 0, -31},
	{GS_CODE_MONTH_START, GS_INT4, 0, 0x1p31 - 1, 0, RANGE},
	{GS_CODE_EXP, GS_FLOAT8, 0, 0, 0, 1},
	{GS_CODE_EXP, GS_FLOAT8, 0, 1, 0, 0x1.5bf0a8b145769p1},
	{GS_CODE_EXP, GS_FLOAT8, 0, 710, 0, RANGE},
	{GS_CODE_EXP, GS_FLOAT8, 0, -746, 0, RANGE},
	{GS_CODE_EXP, GS_FLOAT8, 0, -709, 0, RANGE},	/* subnormal */
	{GS_CODE_LN, GS_FLOAT8, 0, 10, 0, 0x1.26bb1bbb55516p1},
	{GS_CODE_LN, GS_FLOAT8, 0, 0, 0, RANGE},
	{GS_CODE_LN, GS_FLOAT8, 0, -1, 0, RANGE},
	{GS_CODE_LOG10, GS_FLOAT8, 0, 1000, 0, 3},
	{GS_CODE_LOG10, GS_FLOAT8, 0, 2, 0, 0x1.34413509f79ffp-2},
	{GS_CODE_LOG10, GS_FLOAT8, 0, -0.0, 0, RANGE},
	{GS_CODE_POWER, GS_FLOAT8, 0, 2, 0.5, 0x1.6a09e667f3bcdp0},
	{GS_CODE_POWER, GS_FLOAT8, 0, -2, 3, -8},
	{GS_CODE_POWER, GS_FLOAT8, 0, 10, 400, RANGE},
	{GS_CODE_POWER, GS_FLOAT8, 0, -2, 0.5, RANGE},
	{GS_CODE_POWER, GS_FLOAT8, 0, 0, -1, RANGE},
	{GS_CODE_POWER, GS_FLOAT8, 0, 0x1.fffffffffffffp26, 3, 0x1.ffffffffffffdp80},
};

static plan_cell
cell_of(gs_type type, double x)
{
	plan_cell	cell = plan_null();

	if (x == ABSENT)
		return cell;
	cell.null = false;
	if (type == GS_FLOAT8)
		cell.v.f8 = x;
	else if (type == GS_FLOAT4)
		cell.v.f4 = (float) x;
	else if (type == GS_INT8)
		cell.v.i8 = (int64_t) x;
	else if (type == GS_INT4)
		cell.v.i4 = (int32_t) x;
	else
		cell.v.i2 = (int16_t) x;
	return cell;
}

static void
test_reference(void)
{
	test_begin("the reference of plans");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
	{
		const by_hand *c = &cases[i];
		gs_instruction in = {.code = c->code, .type = c->type, .to = c->to};
		gs_plan		plan = {.code = &in};
		gs_type		type = plan_type(&plan, GS_RESULT(0));
		plan_cell	cell = plan_compute(&plan, &in, cell_of(c->type, c->a),
										cell_of(c->type, c->b), plan_null());
		double		result = cell.errors == GS_ERROR_RANGE ? RANGE :
			cell.errors == GS_ERROR_DIVISION ? DIVISION :
			cell.null ? ABSENT : value_double(type, cell.v);

		expect(result == c->result, "case %zu gives %g, not %g", i, result,
			   c->result);
	}
	test_end();
}

/* Sums that can be written down, in the form that states have. */
static void
test_sums(void)
{
	static const gs_float_sum one = {GS_SEEN_NOT_NEGATIVE_ZERO, 33, 0,
	{1 << 18}};
	static const gs_float_sum minus_least = {GS_SEEN_NOT_NEGATIVE_ZERO, 0, 0,
		{-1u, -1u, -1u, -1u, -1u, -1u, -1u, -1u, -1u}
	};
	gs_value	x[2] = {{.f8 = 1}, {.f8 = 0}};
	uint8_t		type = GS_FLOAT8;
	gs_aggregate agg = {.kind = GS_AGG_SUM, .a = GS_COLUMN(0)};
	gs_plan		plan = {.columns = 1, .column = &type, .aggregates = 1,
	.aggregate = &agg};
	plan_values values = {2, x, x};
	gs_float_sum sum;
	plan_wide	wide;

	test_begin("the reference of sums");
	expect(!plan_state(&plan, 0, &values, &sum, &wide), "1 is wide");
	expect(memcmp(&sum, &one, sizeof sum) == 0, "1 is at %d, %x", sum.first,
		   sum.limb[0]);
	x[0].f8 = -5e-324;
	plan_state(&plan, 0, &values, &sum, &wide);
	expect(memcmp(&sum, &minus_least, sizeof sum) == 0,
		   "-5e-324 is at %d, %x", sum.first, sum.limb[0]);
	x[1].f8 = 1.7e308;
	expect(plan_state(&plan, 0, &values, &sum, &wide) && sum.first == 0,
		   "what needs 2098 bits is not wide");
	x[0].f8 = -1.7e308;
	expect(!plan_state(&plan, 0, &values, &sum, &wide) && sum.first == 0 &&
		   sum.seen == GS_SEEN_NOT_NEGATIVE_ZERO, "what cancels is not 0");
	test_end();
}

/* Random plans, every batch of which is shared by threads. */
static void
test_threads(const plan_target *target, uint64_t seed, int64_t plans)
{
	const group_sharing sharing = gs_group_sharing;
	plan_tally	tally = {0};

	test_begin("%" PRId64 " random plans on 2 to 5 threads", plans);
	gs_group_sharing = (group_sharing) {
		.chunk = GROUP_TILE,.rows = 1,.bytes_a_row = INT32_MAX
	};
	for (int64_t i = 0; i < plans; i++)
	{
		gs_engine_threads = 2 + (int) ((seed + i) % 4);
		expect(plan_try(target, seed + i, (seed + i) % MANY_IN == 0 ?
						MANY_ROWS : MAX_ROWS, &tally),
			   "the plan of seed %" PRIu64 " fails", seed + i);
	}
	gs_engine_threads = 1;
	gs_group_sharing = sharing;
	test_end();
}

static int	in_use;

/* Logical devices: all of them are the host. */
static void
use_device(int device)
{
	expect(device >= 0 && device < DEVICES, "device %d is used", device);
	in_use = device;
}

static int
choose_device(void)
{
	return DEVICES - 1;
}

/* Random plans, whose batches are on several devices. */
static void
test_devices(uint64_t seed, int64_t plans)
{
	const plan_target target = {
		gs_plan_devices(&gs_plan_cpu, DEVICES, use_device, choose_device),
		&gs_engine_cpu, false, DEVICES
	};
	plan_tally	tally = {0};

	test_begin("%" PRId64 " random plans on %d devices", plans, DEVICES);
	for (int64_t i = 0; i < plans; i++)
		expect(plan_try(&target, seed + i, MAX_ROWS, &tally),
			   "the plan of seed %" PRIu64 " fails", seed + i);
	test_end();
}

static bool part_fails;
static const gs_plan_run *lost;

static gs_status
merge_loses(gs_plan_run *run, gs_plan_run *part)
{
	lost = part_fails ? part : run;
	return GS_DEVICE_LOST;
}

static const gs_error *
error_of(const gs_plan_run *run)
{
	static const gs_error device_lost = {.status = GS_DEVICE_LOST};

	return run == lost ? &device_lost : gs_plan_cpu.error(run);
}

/*
 * A device is lost when the groups of another are added to its own, or are those
 * that are added: it is the one in use afterwards.
 */
static void
test_lost_devices(void)
{
	static const gs_aggregate count = {.kind = GS_AGG_COUNT,.a = GS_COLUMN(0),
		.b = GS_NOTHING,.filter = GS_NOTHING
	};
	static const uint8_t type = GS_INT8;
	const gs_plan plan = {.columns = 1,.column = &type,.filter = GS_NOTHING,
		.aggregates = 1,.aggregate = &count
	};
	int64_t		value[4] = {0};
	gs_column_data column = {.values = value,.width = 8,.low = 1};
	static gs_plan_engine fails;
	const gs_plan_engine *engine;

	test_begin("devices that are lost as they merge");
	fails = gs_plan_cpu;
	fails.merge = merge_loses;
	fails.error = error_of;
	engine = gs_plan_devices(&fails, DEVICES, use_device, choose_device);
	for (int i = 0; i < 2; i++)
	{
		gs_batch	batch = {.n = 1,.column = &column,.resident = 1};
		gs_plan_run *run;
		gs_summary	summary;

		part_fails = i == 1;
		lost = NULL;
		if (!expect(engine->begin(&plan, &run) == GS_OK, "none begins"))
			break;
		for (; batch.device < 2; batch.device++)
			expect(engine->feed(run, &batch) == GS_OK, "no rows are taken");
		expect(engine->finish(run, &summary) == GS_DEVICE_LOST,
			   "no device is lost");
		expect(in_use == i, "device %d is lost, and %d is in use", i, in_use);
		expect(engine->error(run)->status == GS_DEVICE_LOST,
			   "the error is another one");
		engine->end(run);
	}
	test_end();
}

void
test_group(uint64_t seed, int64_t plans)
{
	static const plan_target target = {&gs_plan_cpu, &gs_engine_cpu, true, 0};
	plan_tally	tally = {0};

	test_reference();
	test_sums();
	test_begin("instructions on special values");
	for (int lanes = 2; lanes <= 8; lanes *= 2)
	{
		gs_cpu_most_lanes = lanes;
		expect(plan_try_instructions(&target, &tally), "some are wrong, of %d lanes",
			   lanes);
	}
	test_end();
	test_begin("%" PRId64 " random plans", plans);
	for (int64_t i = 0; i < plans; i++)
		expect(plan_try(&target, seed + i, (seed + i) % MANY_IN == 0 ?
						MANY_ROWS : MAX_ROWS, &tally),
			   "the plan of seed %" PRIu64 " fails", seed + i);
	printf("# %" PRId64 " plans with errors, %" PRId64 " without rows, %"
		   PRId64 " groups, %" PRId64 " wide sums\n", tally.errors, tally.empty,
		   tally.groups, tally.wide);
	expect(plans < 100 || (tally.errors + tally.empty < plans / 4 &&
						   tally.groups > plans), "plans test too little");
	test_end();
	test_threads(&target, seed, plans);
	test_devices(seed, plans);
	test_lost_devices();
	test_begin("%" PRId64 " random stages", plans);
	for (int64_t i = 0; i < plans; i++)
		expect(plan_try_stages(&target, seed + i, MAX_ROWS, &tally),
			   "the stages of seed %" PRIu64 " fail", seed + i);
	test_end();
	test_begin("damaged plans");
	for (int64_t i = 0; i < plans * DAMAGED; i++)
		expect(plan_try_damaged(&target, seed + i, &tally),
			   "the damaged plan of seed %" PRIu64 " fails", seed + i);
	printf("# %" PRId64 " of %" PRId64 " damaged plans were valid\n",
		   tally.valid, tally.damaged);
	test_end();
}
