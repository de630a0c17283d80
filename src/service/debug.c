/*-------------------------------------------------------------------------
 *
 * debug.c
 *	  An engine around another that is slow, or fails, for tests.
 *
 * A real device is too fast to be caught in the middle of a call, and does not
 * fail on demand.  Each batch takes --debug-delay longer, one after the other,
 * as on an overloaded device.  After --debug-fail-after batches, everything
 * that this process computes is lost, as after a sticky CUDA error, or what it
 * computes on --debug-fail-device.
 *
 *-------------------------------------------------------------------------
 */
#include <errno.h>
#include <time.h>

#include "engine/relation.h"
#include "service/service.h"

static const gs_engine *real;
static const gs_plan_engine *real_plan;
static int	delay_ms;
static int64_t fail_at;			/* 0: never */
static int	failing;			/* the device; GS_ALL_DEVICES: each */
static _Atomic bool failed;
static _Atomic int64_t batches;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static gs_error lost = {
	.status = GS_DEVICE_LOST,
	.message = "the device fails because --debug-fail-after says so"
};

static bool
has_failed(void)
{
	bool		fails = fail_at > 0 && atomic_load(&batches) > fail_at &&
		(failing == GS_ALL_DEVICES || failing == gs_device_in_use());

	if (fails)
		atomic_store(&failed, true);
	return fails;
}

static gs_status
debug_begin(const gs_op *op, int64_t n, const gs_sources *sources,
			gs_run **run)
{
	return real->begin(op, n, sources, run);
}

static void
debug_shape(const gs_run *run, int64_t *batch, int *depth)
{
	real->shape(run, batch, depth);
}

/* A batch has come; false if the device has failed. */
static bool
take_batch(void)
{
	struct timespec left = {delay_ms / 1000, delay_ms % 1000 * 1000000L};

	atomic_fetch_add(&batches, 1);
	if (has_failed())
		return false;
	pthread_mutex_lock(&turn);
	while (nanosleep(&left, &left) != 0 && errno == EINTR)
		;
	pthread_mutex_unlock(&turn);
	return true;
}

static gs_status
debug_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	return take_batch() ? real->feed(run, in, out) : GS_DEVICE_LOST;
}

static gs_status
debug_wait(gs_run *run)
{
	return has_failed() ? GS_DEVICE_LOST : real->wait(run);
}

static gs_status
debug_finish(gs_run *run, gs_result *result)
{
	return has_failed() ? GS_DEVICE_LOST : real->finish(run, result);
}

static gs_status
debug_fetch(gs_run *run, gs_column column, int64_t first, int64_t n, void *to)
{
	atomic_fetch_add(&batches, 1);
	return has_failed() ? GS_DEVICE_LOST :
		real->fetch(run, column, first, n, to);
}

static const gs_error *
debug_error(const gs_run *run)
{
	return atomic_load(&failed) ? &lost : real->error(run);
}

static void
debug_end(gs_run *run)
{
	real->end(run);
}

const gs_engine *
gs_debug_engine(const gs_engine *engine, int delay, int64_t fail_after,
				int fail_device)
{
	static gs_engine debug = {
		.begin = debug_begin,
		.shape = debug_shape,
		.feed = debug_feed,
		.wait = debug_wait,
		.finish = debug_finish,
		.fetch = debug_fetch,
		.error = debug_error,
		.end = debug_end
	};

	real = engine;
	delay_ms = delay;
	fail_at = fail_after;
	failing = fail_device;
	debug.name = engine->name;
	debug.reserve = engine->reserve;
	debug.put = engine->put;
	debug.get = engine->get;
	debug.write = engine->write;
	debug.widen = engine->widen;
	debug.scale = engine->scale;
	debug.unscale = engine->unscale;
	debug.release = engine->release;
	debug.reserve_host = engine->reserve_host;
	debug.release_host = engine->release_host;
	debug.use = engine->use;
	debug.on_device = engine->on_device;
	return &debug;
}

/* ----------
 * An engine for plans, with the delay and the number of batches given above
 * ----------
 */

static gs_status
debug_group_begin(const gs_plan *plan, gs_plan_run **run)
{
	return real_plan->begin(plan, run);
}

static gs_status
debug_group_feed(gs_plan_run *run, const gs_batch *batch)
{
	return take_batch() ? real_plan->feed(run, batch) : GS_DEVICE_LOST;
}

static gs_status
debug_group_finish(gs_plan_run *run, gs_summary *summary)
{
	return has_failed() ? GS_DEVICE_LOST : real_plan->finish(run, summary);
}

static gs_status
debug_group_fetch(gs_plan_run *run, int column, int64_t first, int64_t n,
				  void *to)
{
	return has_failed() ? GS_DEVICE_LOST :
		real_plan->fetch(run, column, first, n, to);
}

static gs_status
debug_group_range(gs_plan_run *run, int value, struct gs_value_range *range)
{
	return has_failed() ? GS_DEVICE_LOST : real_plan->range(run, value, range);
}

static gs_status
debug_group_scatter(gs_plan_run *run, const struct gs_scatter *s, void *to,
					int64_t *placed, int64_t *repeated)
{
	return has_failed() ? GS_DEVICE_LOST :
		real_plan->scatter(run, s, to, placed, repeated);
}

static const gs_error *
debug_group_error(const gs_plan_run *run)
{
	return atomic_load(&failed) ? &lost : real_plan->error(run);
}

static void
debug_group_end(gs_plan_run *run)
{
	real_plan->end(run);
}

static gs_status
debug_make(gs_plan_run *run, const gs_stage *next, gs_relation *relation,
		   uint32_t *errors)
{
	return has_failed() ? GS_DEVICE_LOST :
		real_plan->relations->make(run, next, relation, errors);
}

static gs_status
debug_windows(const gs_stage *next, gs_relation *relation,
			  const gs_windows_caller *caller, uint32_t *errors,
			  gs_error *error)
{
	if (!has_failed())
		return real_plan->relations->windows(next, relation, caller, errors,
											 error);
	*error = lost;
	return GS_DEVICE_LOST;
}

static void
debug_release(gs_relation *relation)
{
	real_plan->relations->release(relation);
}

const gs_plan_engine *
gs_debug_plan_engine(const gs_plan_engine *engine)
{
	static gs_plan_engine debug = {
		.begin = debug_group_begin,
		.feed = debug_group_feed,
		.finish = debug_group_finish,
		.fetch = debug_group_fetch,
		.error = debug_group_error,
		.end = debug_group_end,
		.range = debug_group_range,
		.scatter = debug_group_scatter
	};
	static const gs_relation_engine relations = {
		.make = debug_make,
		.windows = debug_windows,
		.release = debug_release
	};

	real_plan = engine;
	debug.name = engine->name;
	debug.merges = engine->merges;
	debug.merge = engine->merge;
	debug.slice = engine->slice;
	debug.relations = engine->relations == NULL ? NULL : &relations;
	return &debug;
}
