/*-------------------------------------------------------------------------
 *
 * devices.c
 *	  Plans over all devices of an engine.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/devices.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "engine/relation.h"

/*
 * A value's slice follows from its remainder by a prime, so that regular values,
 * all even ones, say, are in all slices, too.
 */
#define SLICE_PRIME		1009
#define SLICE_STEPS		7
#define SLICE_CONSTANTS	3

/* A plan with more instructions than these is not cut. */
#define SLICE_CODE_MAX	64

/* set once */
static const gs_plan_engine *one;
static int	devices;
static void (*use_device) (int device);
static int	(*choose_device) (void);

/* On a device; the plan's tables are that device's. */
typedef struct device_part
{
	gs_plan		plan;
	gs_plan_run *run;			/* NULL: it has not begun */

	/* of a slice */
	gs_instruction *code;
	gs_constant *constant;
	gs_summary	summary;
} device_part;

struct gs_plan_run
{
	const gs_plan *plan;
	bool		spreads;
	gs_operand	by;				/* it has slices; GS_NOTHING: none */
	_Atomic int first;			/* the device that has all in the end; -1: none
								 * has begun */
	device_part part[GS_DEVICES_MAX];
};

static device_part *
first_of(const gs_plan_run *run)
{
	return (device_part *) &run->part[atomic_load(&run->first)];
}

static gs_status
begin(const gs_plan *plan, gs_plan_run **result)
{
	gs_plan_run *run;

	*result = NULL;
	if (gs_plan_check(plan) != GS_OK)
		return GS_INVALID;
	run = *result = calloc(1, sizeof *run);
	if (run == NULL)
		return GS_NO_MEMORY;
	run->plan = plan;
	run->by = GS_NOTHING;
	run->spreads = one->merges != NULL && one->merges(plan);
	atomic_store(&run->first, -1);
	return GS_OK;
}

bool
gs_plan_spreads(const gs_plan_run *run)
{
	return run->spreads;
}

/* ----------
 * Slices
 * ----------
 */

gs_operand
gs_plan_slices(const gs_plan *plan, const gs_stage *next)
{
	const gs_windows *w = next->windows;

	if (!plan->of_rows || w == NULL || w->functions == 0 || w->order >= 0 ||
		plan->instructions > SLICE_CODE_MAX ||
		plan->constants > GS_PLAN_CONSTANTS - SLICE_CONSTANTS)
		return GS_NOTHING;
	for (int i = 0; i < w->window[0].partition; i++)
	{
		int16_t		column = w->window[0].column[i].column;
		const gs_finish *finish = &next->finish[column];
		int			in = 0;
		gs_type		type;

		if (finish->kind != GS_FINISH_ROW)
			continue;
		type = gs_operand_type(plan, plan->aggregate[finish->of].a);
		for (int k = 0; k < w->windows; k++)
		{
			int			c = 0;

			while (c < w->window[k].partition &&
				   w->window[k].column[c].column != column)
				c++;
			in += c < w->window[k].partition;
		}
		if (in == w->windows &&
			(type == GS_INT2 || type == GS_INT4 || type == GS_INT8))
			return plan->aggregate[finish->of].a;
	}
	return GS_NOTHING;
}

static gs_constant
constant_of(gs_type type, int value)
{
	gs_constant c = {.type = type};

	if (type == GS_INT2)
		c.value.i2 = (int16_t) value;
	else if (type == GS_INT4)
		c.value.i4 = value;
	else
		c.value.i8 = value;
	return c;
}

/* Add an instruction; returns its result. */
static gs_operand
add_step(gs_plan *plan, gs_instruction *code, gs_code what, gs_type type,
		 gs_operand a, gs_operand b)
{
	code[plan->instructions] = (gs_instruction) {
		.code = what,.type = type,.a = a,.b = b,.c = GS_NOTHING
	};
	return GS_RESULT(plan->instructions++);
}

/*
 * Let the filter keep only a device's slice; the first has NULLs.  False: no
 * memory.
 */
static bool
cut_slice(device_part *part, gs_operand by, int device)
{
	gs_plan    *plan = &part->plan;
	gs_type		type = gs_operand_type(plan, by);
	int			constants = plan->constants;
	gs_instruction *code = calloc((size_t) plan->instructions + SLICE_STEPS,
								  sizeof *code);
	gs_constant *constant = calloc((size_t) constants + SLICE_CONSTANTS,
								   sizeof *constant);
	gs_operand	o = by;

	part->code = code;
	part->constant = constant;
	if (code == NULL || constant == NULL)
		return false;
	if (plan->instructions > 0)
		memcpy(code, plan->code, (size_t) plan->instructions * sizeof *code);
	if (constants > 0)
		memcpy(constant, plan->constant,
			   (size_t) constants * sizeof *constant);
	constant[constants] = constant_of(type, SLICE_PRIME);
	constant[constants + 1] = constant_of(type, devices);
	constant[constants + 2] = constant_of(type, device);
	plan->constant = constant;
	plan->constants += SLICE_CONSTANTS;
	plan->code = code;
	o = add_step(plan, code, GS_CODE_MODULO, type, o, GS_CONSTANT(constants));
	o = add_step(plan, code, GS_CODE_MODULO, type, o,
				 GS_CONSTANT(constants + 1));
	o = add_step(plan, code, GS_CODE_ABS, type, o, GS_NOTHING);
	o = add_step(plan, code, GS_CODE_EQ, type, o, GS_CONSTANT(constants + 2));
	if (device == 0)
		o = add_step(plan, code, GS_CODE_OR, GS_BOOL, o,
					 add_step(plan, code, GS_CODE_IS_NULL, type, by,
							  GS_NOTHING));
	plan->filter = plan->filter == GS_NOTHING ? o :
		add_step(plan, code, GS_CODE_AND, GS_BOOL, plan->filter, o);
	return true;
}

void
gs_plan_slice(gs_plan_run *run, gs_operand by)
{
	run->by = by;
}

/* ----------
 * The parts
 * ----------
 */

/* A device's part, which has begun; the device is in use then. */
static gs_status
begin_part(gs_plan_run *run, int device, device_part **part)
{
	use_device(device);
	*part = &run->part[device];
	if ((*part)->run != NULL)
		return GS_OK;
	(*part)->plan = *run->plan;
	if (run->plan->copy != NULL)
		(*part)->plan.table = run->plan->copy[device];
	if (run->by != GS_NOTHING && !cut_slice(*part, run->by, device))
		return GS_NO_MEMORY;
	return one->begin(&(*part)->plan, &(*part)->run);
}

/* The part for batches of a device. */
static gs_status
find_part(gs_plan_run *run, int device, device_part **part)
{
	int			first = -1;

	if (!atomic_compare_exchange_strong(&run->first, &first, device) &&
		!run->spreads)
		device = first;
	return begin_part(run, device, part);
}

/* Where rows go that are in no device. */
static int
device_of_host_rows(const gs_plan_run *run)
{
	int			first = atomic_load(&run->first);

	return first >= 0 ? first : choose_device();
}

gs_status
gs_plan_feed_slice(gs_plan_run *run, int device, const gs_batch *batch)
{
	device_part *part;
	gs_status	status = begin_part(run, device, &part);

	return status == GS_OK ? one->feed(part->run, batch) : status;
}

static gs_status
feed(gs_plan_run *run, const gs_batch *batch)
{
	device_part *part;
	gs_status	status = GS_OK;

	if (run->by != GS_NOTHING)
	{
		for (int i = 0; i < devices && status == GS_OK; i++)
			status = gs_plan_feed_slice(run, i, batch);
		return status;
	}
	status = find_part(run, batch->resident ? batch->device :
					   device_of_host_rows(run), &part);
	return status == GS_OK ? one->feed(part->run, batch) : status;
}

static void
end_part(gs_plan_run *run, int device)
{
	device_part *part = &run->part[device];

	if (part->run != NULL)
	{
		use_device(device);
		one->end(part->run);
		part->run = NULL;
	}
	free(part->code);
	free(part->constant);
	part->code = NULL;
	part->constant = NULL;
}

static gs_status
finish_slices(gs_plan_run *run, gs_summary *summary)
{
	gs_status	status = GS_OK;

	memset(summary, 0, sizeof *summary);
	for (int i = 0; i < devices && status == GS_OK; i++)
	{
		device_part *part;

		status = begin_part(run, i, &part);
		if (status == GS_OK)
			status = one->finish(part->run, &part->summary);
		summary->groups += part->summary.groups;
		summary->rows += part->summary.rows;
		summary->errors |= part->summary.errors;
	}
	if (summary->errors != 0)
		summary->groups = summary->rows = 0;
	return status;
}

gs_plan_run *
gs_plan_slice_of(gs_plan_run *run, int device, gs_summary *summary)
{
	use_device(device);
	*summary = run->part[device].summary;
	return run->part[device].run;
}

static gs_status
finish(gs_plan_run *run, gs_summary *summary)
{
	device_part *first;
	int			failed = -1;	/* a part's device */
	gs_status	status;

	if (run->by != GS_NOTHING)
		return finish_slices(run, summary);
	status = find_part(run, device_of_host_rows(run), &first);

	for (int i = 0; i < GS_DEVICES_MAX && status == GS_OK; i++)
	{
		if (run->part[i].run == NULL || &run->part[i] == first)
			continue;
		status = one->merge(first->run, run->part[i].run);
		if (status == GS_OK)
			end_part(run, i);
		else if (one->error(run->part[i].run)->status != GS_OK)
			failed = i;
		use_device(failed >= 0 ? failed : atomic_load(&run->first));
	}
	return status == GS_OK ? one->finish(first->run, summary) : status;
}

static gs_status
fetch(gs_plan_run *run, int column, int64_t first, int64_t n, void *to)
{
	use_device(atomic_load(&run->first));
	return one->fetch(first_of(run)->run, column, first, n, to);
}

/* That of the first device that has one. */
static const gs_error *
error(const gs_plan_run *run)
{
	static const gs_error none;
	const gs_error *e = &none;

	for (int i = 0; i < GS_DEVICES_MAX && e->status == GS_OK; i++)
	{
		if (run->part[i].run != NULL)
			e = one->error(run->part[i].run);
	}
	return e;
}

static void
end(gs_plan_run *run)
{
	for (int i = 0; i < GS_DEVICES_MAX; i++)
		end_part(run, i);
	free(run);
}

/* ----------
 * Relations
 * ----------
 */

static gs_status
make(gs_plan_run *run, const gs_stage *next, gs_relation *relation,
	 uint32_t *errors)
{
	int			device = atomic_load(&run->first);
	gs_status	status;

	use_device(device);
	status = one->relations->make(run->part[device].run, next, relation,
								  errors);
	relation->device = device;
	return status;
}

static gs_status
windows(const gs_stage *next, gs_relation *relation,
		const gs_windows_caller *caller, uint32_t *errors, gs_error *e)
{
	use_device(relation->device);
	return one->relations->windows(next, relation, caller, errors, e);
}

static void
release(gs_relation *relation)
{
	use_device(relation->device);
	one->relations->release(relation);
}

const gs_plan_engine *
gs_plan_one_device(void)
{
	return one;
}

const gs_plan_engine *
gs_plan_devices(const gs_plan_engine *engine, int number,
				void (*use) (int device), int (*choose) (void))
{
	static const gs_relation_engine relations = {
		.make = make,
		.windows = windows,
		.release = release
	};
	static gs_plan_engine all = {
		.begin = begin,
		.feed = feed,
		.finish = finish,
		.fetch = fetch,
		.error = error,
		.end = end
	};

	one = engine;
	devices = number;
	use_device = use;
	choose_device = choose;
	all.name = engine->name;
	all.relations = engine->relations == NULL ? NULL : &relations;
	return &all;
}
