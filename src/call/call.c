/*-------------------------------------------------------------------------
 *
 * call.c
 *	  One call of a SQL function, from its arguments to an engine's results.
 *
 * The life of a call:
 *
 *		gs_call_open			the clock starts, the array is made flat
 *		gs_call_set_mask		heads or keep, where the function has one
 *		(the caller checks its options, fills in op, opens a builder, or says
 *		what to take of an order)
 *		gs_call_execute			an engine is picked and driven
 *		gs_call_close			copies are freed
 *
 * An engine takes the array in chunks, up to `depth` of them under way at a
 * time.  Their slots form a ring: feeds fill it at one end, waits empty it at
 * the other.  Between any two steps a cancel is looked for; however the
 * execution ends, the engine's end() is called.
 *
 * Nothing is copied without need: a stored array is fetched chunk by chunk to
 * where the engine wants it, and results go to their final places at once,
 * which are known when those of all earlier chunks have come.
 *
 * If the device is lost, nothing is: the input is still here, and the whole
 * operation starts again on the CPU engine, or, if the service only made way
 * for another one, there.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/parallel.h"
#include "miscadmin.h"

#include "call/call.h"
#include "client/client.h"
#include "client/link.h"
#include "pg/settings.h"
#include "supervisor/shared.h"

/* A chunk under way. */
typedef struct slot
{
	gs_input	in;
	gs_output	out;
} slot;

gs_call_record gs_last_call;

static const char *const has_copy = "the service has a copy of the array";

/* Start a call over `array`, which is not NULL. */
void
gs_call_open(gs_call *call, const char *function, gs_kind kind, Datum array)
{
	memset(call, 0, sizeof(gs_call));
	INSTR_TIME_SET_CURRENT(call->start);
	call->function = function;
	gs_array_open_stored(&call->data, array);
	call->op.kind = kind;
	call->op.type = call->data.type;
}

/* Add the argument `name`, boolean[] with as many elements as the array. */
void
gs_call_set_mask(gs_call *call, const char *name, Datum mask)
{
	/* with NULLs in the data, whoever makes room for results reads it as well */
	if (!call->data.nulls)
		gs_array_open_stored(&call->mask, mask);
	else
		gs_array_open(&call->mask, mask);
	if (call->mask.n != call->data.n)
		ereport(ERROR,
				errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				errmsg("%s must have as many elements as the array", name),
				errdetail("%s has %lld elements, the array %lld.", name,
						  (long long) call->mask.n,
						  (long long) call->data.n));
}

/* Free what opening a call may have copied. */
void
gs_call_close(gs_call *call)
{
	gs_array_close(&call->data);
	if (call->mask.flat != NULL)
		gs_array_close(&call->mask);
}

/* Raise the error for an option that is NULL and must not be. */
void
gs_require_option(FunctionCallInfo fcinfo, int argno, const char *name)
{
	if (PG_ARGISNULL(argno))
		ereport(ERROR,
				errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				errmsg("%s must not be null", name));
}

/* Raise the error for a rounded result out of range. */
void
gs_float_overflow(void)
{
	ereport(ERROR,
			errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			errmsg("value out of range: overflow"));
}

/* The user insists on the GPU, and there is none. */
static void
refuse_gpu(gs_availability why, const char *reason)
{
	if (why == GS_NO_WORKER)
		ereport(ERROR,
				errcode(ERRCODE_INSUFFICIENT_RESOURCES),
				errmsg("no background worker is left for gpuscan's service"),
				errdetail("%s", reason),
				errhint("Raise max_worker_processes, or add gpuscan to shared_preload_libraries."));
	if (why == GS_NO_SHARED_MEMORY)
		(void) gs_shared_get();	/* raises it */
	ereport(ERROR,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("no GPU is available to gpuscan"),
			errdetail("%s", reason),
			errhint("Set gpuscan.engine to auto or cpu, or see gpuscan_status()."));
}

/* Make sure of the link to the service, or raise why there is none. */
void
gs_call_require_service(void)
{
	const char *reason;
	gs_availability available = gs_link_acquire(true, &reason);

	if (available != GS_AVAILABLE)
		refuse_gpu(available, reason);
}

/* Warn of what this session cannot change, once, and not from a worker. */
static void
warn_short_of(gs_availability what)
{
	static bool warned = false;

	if (warned || IsParallelWorker())
		return;
	warned = true;
	if (what == GS_NO_SHARED_MEMORY)
		ereport(WARNING,
				errcode(ERRCODE_OUT_OF_MEMORY),
				errmsg("not enough shared memory is left for gpuscan's service, the CPU takes over"),
				errhint("Add gpuscan to shared_preload_libraries."));
	else
		ereport(WARNING,
				errcode(ERRCODE_INSUFFICIENT_RESOURCES),
				errmsg("no background worker is left for gpuscan's service, the CPU takes over"),
				errhint("Raise max_worker_processes, or add gpuscan to shared_preload_libraries."));
}

/*
 * Is it worth asking the service whether it has a copy of the array?  Where the
 * GPU would be faster even without one, that is no question.
 */
static bool
worth_asking(const gs_call *call)
{
	gs_estimate kept;

	if (call->data.stored.database == InvalidOid)
		return false;
	gs_estimate_kept(&call->op, call->data.n, &kept);
	return kept.gpu < kept.cpu;
}

/* Which engine answers, and why: empty if call->estimate says it. */
static const gs_engine *
pick_engine(gs_call *call, const char **reason)
{
	gs_availability available;

	if (gs_engine_setting == GS_ENGINE_CPU)
	{
		*reason = "gpuscan.engine is cpu";
		return &gs_engine_cpu;
	}
	if (gs_engine_setting == GS_ENGINE_GPU)
	{
		gs_call_require_service();
		*reason = "gpuscan.engine is gpu";
		return &gs_engine_service;
	}
	*reason = "";
	gs_estimate_call(&call->op, call->data.n, &call->estimate);
	call->only_kept = call->estimate.cpu <= call->estimate.gpu;
	if (call->only_kept && !worth_asking(call))
		return &gs_engine_cpu;
	available = gs_link_acquire(false, reason);
	if (available == GS_AVAILABLE)
	{
		*reason = call->only_kept ? has_copy : "";
		return &gs_engine_service;
	}
	if (available != GS_UNAVAILABLE)
		warn_short_of(available);
	return &gs_engine_cpu;
}

static void
record_call(const gs_call *call, const gs_engine *engine, const char *reason)
{
	instr_time	duration;

	INSTR_TIME_SET_CURRENT(duration);
	INSTR_TIME_SUBTRACT(duration, call->start);
	gs_last_call.function = call->function;
	gs_last_call.elements = call->data.n;
	gs_last_call.engine = engine->name;
	strlcpy(gs_last_call.reason, reason, sizeof(gs_last_call.reason));
	gs_last_call.estimate = call->estimate;
	gs_last_call.stats = call->stats;
	gs_last_call.total_ms = INSTR_TIME_GET_MILLISEC(duration);
}

static void
add_time(instr_time *sum, instr_time start)
{
	instr_time	end;

	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_ACCUM_DIFF(*sum, end, start);
}

/* Feed the next chunk of the input, which cursors read, if any. */
static gs_status
feed_slot(gs_call *call, const gs_engine *engine, slot *s, int64 n,
		  gs_cursor *data, gs_cursor *mask)
{
	void	   *room = engine->room == NULL ? NULL : engine->room(call->run);
	instr_time	start;

	INSTR_TIME_SET_CURRENT(start);
	s->in.n = n;
	if (data != NULL)
		gs_cursor_next(data, n, room, &s->in.data);
	if (mask != NULL)
		gs_cursor_next(mask, n, NULL, &s->in.mask);
	if (call->builder != NULL && !engine->late_output)
		s->out.values = gs_builder_place(call->builder, n);
	add_time(&call->moving, start);
	return engine->feed(call->run, &s->in, &s->out);
}

/* Wait for the oldest chunk under way, and take its results. */
static gs_status
empty_slot(gs_call *call, const gs_engine *engine, slot *s)
{
	gs_status	status;
	instr_time	start;

	INSTR_TIME_SET_CURRENT(start);
	if (call->builder != NULL && engine->late_output)
		s->out.values = gs_builder_place(call->builder, s->in.n);
	add_time(&call->moving, start);
	status = engine->wait(call->run);
	if (status == GS_OK && call->builder != NULL)
		gs_builder_take(call->builder, &s->out);
	return status;
}

/* Pass the array through call->run, read by cursors, if any. */
static gs_status
stream(gs_call *call, const gs_engine *engine, gs_cursor *data,
	   gs_cursor *mask)
{
	gs_status	status = GS_OK;
	slot	   *slots;
	int64		chunk;
	int			depth;
	int64		passed = 0;
	int64		fed = 0;
	int64		emptied = 0;

	engine->shape(call->run, &chunk, &depth);
	if (call->builder != NULL && !engine->late_output)
		depth = 1;				/* the next results' place is not known before */
	slots = palloc0(depth * sizeof(slot));
	if (call->builder != NULL &&
		gs_gives_null(&call->op, call->data.nulls))
	{
		/* they are taken out again right after each wait */
		uint8	   *validity = palloc(TYPEALIGN(64, chunk) / 8);

		for (int i = 0; i < depth; i++)
			slots[i].out.validity = validity;
	}
	while (status == GS_OK && (passed < call->data.n || emptied < fed))
	{
		int64		n = Min(chunk, call->data.n - passed);

		CHECK_FOR_INTERRUPTS();
		if (n > 0 && fed - emptied < depth)
		{
			status = feed_slot(call, engine, &slots[fed++ % depth], n, data,
							   mask);
			passed += n;
		}
		else
			status = empty_slot(call, engine, &slots[emptied++ % depth]);
	}
	if (status == GS_OK)
		status = engine->finish(call->run, &call->result);
	if (status == GS_OK && call->take != NULL)
		status = call->take(call, engine);
	return status;
}

/* Execute what has begun. */
static gs_status
execute_begun(gs_call *call, const gs_engine *engine)
{
	bool		has_mask = gs_has_mask(&call->op);
	gs_status	status;
	gs_cursor	data;
	gs_cursor	mask;

	if (engine->has_arrays != NULL && engine->has_arrays(call->run))
		return stream(call, engine, NULL, NULL);
	gs_cursor_open(&data, &call->data);
	if (has_mask)
		gs_cursor_open(&mask, &call->mask);
	status = stream(call, engine, &data, has_mask ? &mask : NULL);
	gs_cursor_close(&data);
	if (has_mask)
		gs_cursor_close(&mask);
	return status;
}

/*
 * Say that the device was lost: once a session where the user left the choice
 * of an engine to us, and never from a parallel worker, whose leader says it.
 */
static void
warn_device_lost(const gs_call *call, const char *message)
{
	static bool warned = false;

	if (IsParallelWorker() ||
		(warned && gs_engine_setting == GS_ENGINE_AUTO))
		return;
	warned = true;
	ereport(WARNING,
			errcode(ERRCODE_SYSTEM_ERROR),
			errmsg("the GPU was lost during %s, the CPU takes over",
				   call->function),
			message[0] == '\0' ? 0 : errdetail_internal("%s", message));
}

/* Raise what a status other than GS_OK means; for a lost device, warn. */
static void
report_status(const gs_call *call, const gs_engine *engine, gs_status status)
{
	const gs_error *error = call->run == NULL ? NULL :
		engine->error(call->run);
	const char *message = error == NULL ? "" : error->message;

	switch (status)
	{
		case GS_BIGINT_RANGE:
			ereport(ERROR,
					errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
					errmsg("bigint out of range"),
					errdetail("The result at element %lld is out of range.",
							  (long long) error->position));
			break;
		case GS_FLOAT_OVERFLOW:
			ereport(ERROR,
					errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
					errmsg("value out of range: overflow"),
					errdetail("The result at element %lld is out of range.",
							  (long long) error->position));
			break;
		case GS_DEVICE_LOST:
			if (!gs_link_dismissed())
				warn_device_lost(call, message);
			break;
		case GS_NOT_KEPT:
			break;
		case GS_NO_MEMORY:
			if (engine != &gs_engine_cpu)
				break;			/* the device's, not ours */
			ereport(ERROR,
					errcode(ERRCODE_OUT_OF_MEMORY),
					errmsg("out of memory"),
					errdetail("Failed in engine \"%s\" during %s.",
							  engine->name, call->function));
			break;
		default:
			if (engine != &gs_engine_cpu)
			{
				warn_device_lost(call, message);
				break;
			}
			elog(ERROR, "engine \"%s\" failed during %s with status %d: %s",
				 engine->name, call->function, (int) status, message);
	}
}

static void
end_run(gs_call *call, const gs_engine *engine)
{
	if (call->run != NULL)
		engine->end(call->run);
	call->run = NULL;
}

/*
 * Execute the call on an engine.  Returns what happened if that is GS_OK, or
 * its device was lost or is short of memory, or it was to have copies and has
 * none; all other failures are errors.
 */
static gs_status
execute_on(gs_call *call, const gs_engine *engine)
{
	gs_sources	sources = {
		.array = {&call->data},
		.edges = call->edges,
		.read_edges = call->read_edges,
		.only_kept = call->only_kept
	};
	volatile gs_status status = GS_OK;

	if (gs_has_mask(&call->op))
		sources.array[GS_MASK] = &call->mask;
	call->run = NULL;
	INSTR_TIME_SET_ZERO(call->moving);
	memset(&call->stats, 0, sizeof(call->stats));
	PG_TRY();
	{
		if (!engine->reads_sources && call->edges != NULL &&
			call->op.edges == NULL)
			call->op.edges = call->read_edges(call->edges);
		status = engine->begin(&call->op, call->data.n, &sources, &call->run);
		if (status == GS_OK)
			status = execute_begun(call, engine);
		if (status != GS_OK)
			report_status(call, engine, status);
		else if (engine->stats != NULL)
		{
			engine->stats(call->run, &call->stats);
			call->stats.staging_ms += INSTR_TIME_GET_MILLISEC(call->moving);
		}
	}
	PG_CATCH();
	{
		end_run(call, engine);
		PG_RE_THROW();
	}
	PG_END_TRY();
	end_run(call, engine);
	return status;
}

/* The same, for who wants to know no more than whether it was executed. */
bool
gs_call_execute_on(gs_call *call, const gs_engine *engine)
{
	return execute_on(call, engine) == GS_OK;
}

/*
 * Which engine goes on with a call that the service has not answered?  If that
 * was told to end, it has a successor, unless that ended as well.  If it has no
 * copy of the array, the call is the CPU's, as was expected before.
 */
static const gs_engine *
pick_successor(gs_status status, bool again, const char **reason)
{
	const char *ignored;

	if (status == GS_NOT_KEPT)
	{
		*reason = "";
		return &gs_engine_cpu;
	}
	if (again && gs_link_dismissed() &&
		gs_link_acquire(gs_engine_setting == GS_ENGINE_GPU,
						&ignored) == GS_AVAILABLE)
		return &gs_engine_service;
	*reason = "the GPU could not go on with the call";
	pg_atomic_fetch_add_u64(&gs_shared_get()->fallbacks, 1);
	return &gs_engine_cpu;
}

/*
 * Execute the operation.  The results are in call->result and, from a scan or
 * a compaction, in call->builder.
 */
void
gs_call_execute(gs_call *call)
{
	const char *reason;
	const gs_engine *engine = pick_engine(call, &reason);
	bool		again = true;
	gs_status	status;

	if (call->edges == NULL && gs_op_check(&call->op) != GS_OK)
		elog(ERROR, "invalid operation %d on type %d during %s",
			 call->op.kind, call->op.type, call->function);

	while ((status = execute_on(call, engine)) != GS_OK)
	{
		if (engine == &gs_engine_cpu)
			elog(ERROR, "the CPU engine lost a device");
		if (call->builder != NULL)
			gs_builder_reset(call->builder);
		engine = pick_successor(status, again, &reason);
		again = false;
	}
	record_call(call, engine, reason);
}

/*
 * The caller has the answer without an engine.  Who insists on the GPU learns
 * even so that there is none; nobody else starts a service for this.
 */
void
gs_call_answered(gs_call *call, const char *reason)
{
	const char *ignored;

	if (gs_engine_setting == GS_ENGINE_GPU)
		(void) pick_engine(call, &ignored);
	record_call(call, &gs_engine_cpu, reason);
}
