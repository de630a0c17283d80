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
	gs_summary	summary;		/* of a slice */
} device_part;

struct gs_plan_run
{
	const gs_plan *plan;
	bool		spreads;
	gs_operand	by;				/* it has slices; GS_NOTHING: none */
	_Atomic int first;			/* the device that has all in the end; -1: none
								 * has begun */
	device_part part[GS_DEVICES_MAX];
	device_part *slice;			/* instead, if it has them: each device's, one
								 * after the other */
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

	if (one->slice == NULL || !plan->of_rows || w == NULL ||
		w->functions == 0 || w->order >= 0)
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

gs_status
gs_plan_slice(gs_plan_run *run, gs_operand by)
{
	run->slice = calloc((size_t) devices * (size_t) devices,
						sizeof *run->slice);
	if (run->slice == NULL)
		return GS_NO_MEMORY;
	run->by = by;
	return GS_OK;
}

/* A slice's rows among those that a device has. */
static device_part *
slice_part(const gs_plan_run *run, int device, int slice)
{
	return &run->slice[device * devices + slice];
}

/* ----------
 * The parts
 * ----------
 */

/* A part on a device, which has begun; the device is in use then. */
static gs_status
begin_part(const gs_plan_run *run, int device, device_part *part)
{
	use_device(device);
	if (part->run != NULL)
		return GS_OK;
	part->plan = *run->plan;
	if (run->plan->copy != NULL)
		part->plan.table = run->plan->copy[device];
	return one->begin(&part->plan, &part->run);
}

static gs_status
begin_slice(const gs_plan_run *run, int device, int slice)
{
	device_part *part = slice_part(run, device, slice);
	bool		begun = part->run != NULL;
	gs_status	status = begin_part(run, device, part);

	if (!begun && status == GS_OK)
		one->slice(part->run, run->by, devices, slice);
	return status;
}

/* The part for batches of a device. */
static gs_status
find_part(gs_plan_run *run, int device, device_part **part)
{
	int			first = -1;

	if (!atomic_compare_exchange_strong(&run->first, &first, device) &&
		!run->spreads)
		device = first;
	*part = &run->part[device];
	return begin_part(run, device, *part);
}

/* Where rows go that are in no device. */
static int
device_of_host_rows(const gs_plan_run *run)
{
	int			first = atomic_load(&run->first);

	return first >= 0 ? first : choose_device();
}

/* A device finds the rows of each slice among its own; the host's go to the slice's. */
static gs_status
feed_slices(gs_plan_run *run, const gs_batch *batch)
{
	gs_status	status = GS_OK;

	for (int i = 0; i < devices && status == GS_OK; i++)
	{
		int			device = batch->resident ? batch->device : i;

		status = begin_slice(run, device, i);
		if (status == GS_OK)
			status = one->feed(slice_part(run, device, i)->run, batch);
	}
	return status;
}

static gs_status
feed(gs_plan_run *run, const gs_batch *batch)
{
	device_part *part;
	gs_status	status;

	if (run->slice != NULL)
		return feed_slices(run, batch);
	status = find_part(run, batch->resident ? batch->device :
					   device_of_host_rows(run), &part);
	return status == GS_OK ? one->feed(part->run, batch) : status;
}

static void
end_part(int device, device_part *part)
{
	if (part->run == NULL)
		return;
	use_device(device);
	one->end(part->run);
	part->run = NULL;
}

/*
 * Add what a part has to another one on this device, which it must outlive until that
 * has been finished.  *failed is the part's device if it is the part that failed.
 */
static gs_status
merge_part(int device, const device_part *to, int from,
		   const device_part *part, int *failed)
{
	gs_status	status;

	use_device(device);
	status = one->merge(to->run, part->run);
	if (status != GS_OK && one->error(part->run)->status != GS_OK)
		*failed = from;
	return status;
}

/* A slice's rows come to its device, where they have room. */
static gs_status
gather_slice(gs_plan_run *run, int slice, int *failed)
{
	gs_status	status = begin_slice(run, slice, slice);

	for (int i = 0; i < devices && status == GS_OK; i++)
	{
		const device_part *part = slice_part(run, i, slice);

		if (i != slice && part->run != NULL)
			status = merge_part(slice, slice_part(run, slice, slice), i, part,
								failed);
	}
	return status;
}

static gs_status
finish_slices(gs_plan_run *run, gs_summary *summary)
{
	int			failed = -1;
	gs_status	status = GS_OK;

	memset(summary, 0, sizeof *summary);
	/* all devices copy at the same time, as far as nobody waits for it */
	for (int i = 0; i < devices && status == GS_OK; i++)
		status = gather_slice(run, i, &failed);
	for (int i = 0; i < devices && status == GS_OK; i++)
	{
		device_part *part = slice_part(run, i, i);

		use_device(i);
		status = one->finish(part->run, &part->summary);
		summary->groups += part->summary.groups;
		summary->rows += part->summary.rows;
		summary->errors |= part->summary.errors;
	}
	if (summary->errors != 0)
		summary->groups = summary->rows = 0;
	for (int i = 0; i < devices * devices && status == GS_OK; i++)
	{
		if (i / devices != i % devices)
			end_part(i / devices, &run->slice[i]);
	}
	if (failed >= 0)
		use_device(failed);
	return status;
}

gs_plan_run *
gs_plan_slice_of(gs_plan_run *run, int device, gs_summary *summary)
{
	const device_part *part = slice_part(run, device, device);

	use_device(device);
	*summary = part->summary;
	return part->run;
}

static gs_status
finish(gs_plan_run *run, gs_summary *summary)
{
	device_part *first;
	int			at;				/* its device */
	int			failed;
	gs_status	status;

	if (run->slice != NULL)
		return finish_slices(run, summary);
	status = find_part(run, device_of_host_rows(run), &first);
	at = failed = atomic_load(&run->first);
	for (int i = 0; i < devices && status == GS_OK; i++)
	{
		if (i != at && run->part[i].run != NULL)
			status = merge_part(at, first, i, &run->part[i], &failed);
	}
	use_device(failed);
	return status == GS_OK ? one->finish(first->run, summary) : status;
}

static gs_status
fetch(gs_plan_run *run, int column, int64_t first, int64_t n, void *to)
{
	use_device(atomic_load(&run->first));
	return one->fetch(first_of(run)->run, column, first, n, to);
}

static gs_status
range(gs_plan_run *run, int value, struct gs_value_range *found)
{
	use_device(atomic_load(&run->first));
	return one->range(first_of(run)->run, value, found);
}

static gs_status
scatter(gs_plan_run *run, const struct gs_scatter *s, void *to,
		int64_t *placed, int64_t *repeated)
{
	use_device(atomic_load(&run->first));
	return one->scatter(first_of(run)->run, s, to, placed, repeated);
}

int
gs_plan_device(const gs_plan_run *run)
{
	return atomic_load(&run->first);
}

/* That of the first device that has one. */
static const gs_error *
error(const gs_plan_run *run)
{
	static const gs_error none;
	const gs_error *e = &none;

	for (int i = 0; i < devices && e->status == GS_OK; i++)
	{
		if (run->part[i].run != NULL)
			e = one->error(run->part[i].run);
	}
	for (int i = 0; run->slice != NULL && i < devices * devices &&
		 e->status == GS_OK; i++)
	{
		if (run->slice[i].run != NULL)
			e = one->error(run->slice[i].run);
	}
	return e;
}

static void
end(gs_plan_run *run)
{
	/* what may still read other parts first */
	if (atomic_load(&run->first) >= 0)
		end_part(atomic_load(&run->first), first_of(run));
	for (int i = 0; i < devices; i++)
		end_part(i, &run->part[i]);
	for (int i = 0; run->slice != NULL && i < devices; i++)
		end_part(i, slice_part(run, i, i));
	for (int i = 0; run->slice != NULL && i < devices * devices; i++)
		end_part(i / devices, &run->slice[i]);
	free(run->slice);
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
		.end = end,
		.range = range,
		.scatter = scatter
	};

	one = engine;
	devices = number;
	use_device = use;
	choose_device = choose;
	all.name = engine->name;
	all.relations = engine->relations == NULL ? NULL : &relations;
	return &all;
}
