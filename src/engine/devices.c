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

#include "engine/relation.h"

/* set once */
static const gs_plan_engine *one;
static void (*use_device) (int device);
static int	(*choose_device) (void);

/* On a device; the plan's tables are that device's. */
typedef struct device_part
{
	gs_plan		plan;
	gs_plan_run *run;			/* NULL: it has not begun */
} device_part;

struct gs_plan_run
{
	const gs_plan *plan;
	bool		spreads;
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
	gs_plan_run *run = calloc(1, sizeof *run);

	*result = run;
	if (run == NULL)
		return GS_NO_MEMORY;
	run->plan = plan;
	run->spreads = one->merges != NULL && one->merges(plan);
	atomic_store(&run->first, -1);
	return GS_OK;
}

bool
gs_plan_spreads(const gs_plan_run *run)
{
	return run->spreads;
}

/* The part for batches of a device, which is in use then. */
static gs_status
find_part(gs_plan_run *run, int device, device_part **part)
{
	int			first = -1;

	if (!atomic_compare_exchange_strong(&run->first, &first, device) &&
		!run->spreads)
		device = first;
	use_device(device);
	*part = &run->part[device];
	if ((*part)->run != NULL)
		return GS_OK;
	(*part)->plan = *run->plan;
	if (run->plan->copy != NULL)
		(*part)->plan.table = run->plan->copy[device];
	return one->begin(&(*part)->plan, &(*part)->run);
}

/* Where rows go that are in no device. */
static int
device_of_host_rows(const gs_plan_run *run)
{
	int			first = atomic_load(&run->first);

	return first >= 0 ? first : choose_device();
}

static gs_status
feed(gs_plan_run *run, const gs_batch *batch)
{
	device_part *part;
	gs_status	status = find_part(run, batch->resident ? batch->device :
								   device_of_host_rows(run), &part);

	return status == GS_OK ? one->feed(part->run, batch) : status;
}

static void
end_part(gs_plan_run *run, int device)
{
	if (run->part[device].run == NULL)
		return;
	use_device(device);
	one->end(run->part[device].run);
	run->part[device].run = NULL;
}

static gs_status
finish(gs_plan_run *run, gs_summary *summary)
{
	device_part *first;
	gs_status	status = find_part(run, device_of_host_rows(run), &first);

	for (int i = 0; i < GS_DEVICES_MAX && status == GS_OK; i++)
	{
		if (run->part[i].run == NULL || &run->part[i] == first)
			continue;
		status = one->merge(first->run, run->part[i].run);
		if (status == GS_OK)
			end_part(run, i);
		use_device(atomic_load(&run->first));
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
gs_plan_devices(const gs_plan_engine *engine, void (*use) (int device),
				int (*choose) (void))
{
	static const gs_relation_engine relations = {
		.make = make,
		.windows = windows,
		.release = release
	};
	static gs_plan_engine devices = {
		.begin = begin,
		.feed = feed,
		.finish = finish,
		.fetch = fetch,
		.error = error,
		.end = end
	};

	one = engine;
	use_device = use;
	choose_device = choose;
	devices.name = engine->name;
	devices.relations = engine->relations == NULL ? NULL : &relations;
	return &devices;
}
