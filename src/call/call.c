/*-------------------------------------------------------------------------
 *
 * call.c
 *	  One call of a SQL function, from its arguments to an engine's results.
 *
 * The life of a call:
 *
 *		gs_call_open			starts the clock, opens the array
 *		gs_call_set_mask		heads or keep, where the function has one;
 *								gs_call_set_keys: its keys
 *		(the caller checks its options, fills in op, and opens a builder or sets
 *		fetch)
 *		gs_call_execute			picks an engine and drives it
 *		gs_call_close			frees copies
 *
 * The engine takes the array in batches, up to `depth` of them in flight at a
 * time.  They form a ring: feeds fill it at one end, waits empty it at the
 * other.  Interrupts are checked between any two steps.  However the execution
 * ends, the engine's end() is called.
 *
 * Nothing is copied without need.  A toasted array is fetched batch by batch,
 * directly into the engine's input buffer.  Results go directly to their final
 * place, which is known as soon as the results of all earlier batches have
 * come.
 *
 * Losing the device loses nothing: the input is still here, and the whole
 * operation starts over on the CPU engine, or on the next service if this one
 * was merely told to end.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/parallel.h"
#include "miscadmin.h"

#include "call/answers.h"
#include "call/call.h"
#include "call/elementwise.h"
#include "client/client.h"
#include "client/link.h"
#include "engine/elements.h"
#include "pg/progress.h"
#include "pg/settings.h"
#include "supervisor/cost.h"
#include "supervisor/service_control.h"
#include "supervisor/shared.h"

/* A batch in flight. */
typedef struct batch
{
	gs_input	in;
	gs_output	out;
} batch;

/* An argument that is read for an engine. */
typedef struct source
{
	bool		used;			/* the operation has it */
	gs_cursor	cursor;
	bool		whole;			/* each batch has all of it */
	gs_span		all;
} source;

/* Calls over so many elements tell how far they are. */
#define LONG_CALL		(1 << 16)

gs_call_record gs_last_call;

static const char *const could_not_finish =
"the GPU could not finish the call";
static const char *const array_is_cached =
"the service has cached the array";
static const char *const array_was_asked_for =
"the service has cached the array, and the result was prefetched";

/* Start a call over `array`, which is not NULL. */
void
gs_call_open(gs_call *call, const char *function, gs_kind kind, Datum array)
{
	memset(call, 0, sizeof(gs_call));
	INSTR_TIME_SET_CURRENT(call->start);
	call->function = function;
	gs_array_open_lazily(&call->data, array);
	call->op.kind = kind;
	call->op.type = call->data.type;
}

/* Add the argument `name`, boolean[] with as many elements as the array. */
void
gs_call_set_mask(gs_call *call, const char *name, Datum mask)
{
	/* if the data has NULLs, sizing the result reads the mask, too */
	if (!call->data.nulls)
		gs_array_open_lazily(&call->mask, mask);
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

/* Add the keys of the array's elements. */
void
gs_call_set_keys(gs_call *call, Datum keys)
{
	gs_array_open_lazily(&call->mask, keys);
	call->op.mask.type = call->mask.type;
	if (call->mask.n != call->data.n)
		ereport(ERROR,
				errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				errmsg("there must be as many keys as values"),
				errdetail("There are %lld keys and %lld values.",
						  (long long) call->mask.n,
						  (long long) call->data.n));
}

/* Free the copies that opening the arrays may have made. */
void
gs_call_close(gs_call *call)
{
	gs_array_close(&call->data);
	if (call->mask.flat != NULL)
		gs_array_close(&call->mask);
	if (call->third.flat != NULL)
		gs_array_close(&call->third);
}

/* Raise an error if an option is NULL that must not be. */
void
gs_require_option(FunctionCallInfo fcinfo, int argno, const char *name)
{
	if (PG_ARGISNULL(argno))
		ereport(ERROR,
				errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				errmsg("%s must not be null", name));
}

/*
 * The argument chunk, or 0 if it is NULL; `heads` is the number of the argument
 * that cannot be given with it.
 */
int64
gs_chunk_argument(FunctionCallInfo fcinfo, int argno, int heads)
{
	int32		chunk;

	if (PG_ARGISNULL(argno))
		return 0;
	chunk = PG_GETARG_INT32(argno);
	if (chunk < 1)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("chunk must be at least 1, but is %d", chunk));
	if (!PG_ARGISNULL(heads))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("chunk and heads cannot both be given"));
	return chunk;
}

/* Raise the error of a rounded result that is out of range. */
void
gs_float_overflow(void)
{
	ereport(ERROR,
			errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			errmsg("value out of range: overflow"));
}

/* Raise the error of engine gpu when there is no GPU. */
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
		(void) gs_shared_get(); /* raises the error */
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
	gs_availability available = gs_link_acquire_for_arrays(true, &reason);

	if (available != GS_AVAILABLE)
		refuse_gpu(available, reason);
}

/*
 * Warn of a lack of resources: once per session, and never in a parallel
 * worker.
 */
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
				errmsg("not enough shared memory is left for gpuscan's service, falling back to the CPU"),
				errhint("Add gpuscan to shared_preload_libraries."));
	else
		ereport(WARNING,
				errcode(ERRCODE_INSUFFICIENT_RESOURCES),
				errmsg("no background worker is left for gpuscan's service, falling back to the CPU"),
				errhint("Raise max_worker_processes, or add gpuscan to shared_preload_libraries."));
}

/*
 * Although the CPU is expected to be faster than the GPU, would the GPU be
 * faster if the service had the array cached?
 */
static bool
is_faster_if_cached(const gs_call *call)
{
	gs_estimate cached;

	/* where the mask is what matters, the data may be sent */
	if ((gs_is_placement(call->op.kind) && gs_has_mask(&call->op) ?
		 call->mask : call->data)
		.toast_id.database == InvalidOid)
		return false;
	gs_estimate_cached(&call->op, call->data.n, &cached);
	return cached.gpu < cached.cpu;
}

/* Pick the engine, and say why; an empty reason stands for the estimate. */
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
		return &gs_engine_client;
	}
	*reason = "";
	gs_estimate_call(&call->op, call->data.n, &call->estimate);
	call->only_cached = call->estimate.cpu <= call->estimate.gpu;
	if (call->only_cached && !is_faster_if_cached(call))
		return &gs_engine_cpu;
	available = gs_link_acquire_for_arrays(false, reason);
	if (available == GS_AVAILABLE)
	{
		*reason = call->only_cached ? array_is_cached : "";
		return &gs_engine_client;
	}
	if (available != GS_UNAVAILABLE)
		warn_short_of(available);
	return &gs_engine_cpu;
}

/* Is the service to execute it?  It need not have the array in the end. */
bool
gs_call_is_for_service(gs_call *call)
{
	const char *ignored;

	return pick_engine(call, &ignored) != &gs_engine_cpu;
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
	if (engine == &gs_engine_cpu)
		gs_shared_count(GS_CALLS_BACKEND);
	else
		gs_shared_count(gs_session_link.on_device ?
						GS_CALLS_GPU : GS_CALLS_SERVICE);
}

static void
add_time(instr_time *sum, instr_time start)
{
	instr_time	end;

	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_ACCUM_DIFF(*sum, end, start);
}

static void
open_source(source *s, gs_array *a, bool whole)
{
	s->used = true;
	s->whole = whole;
	if (whole)
	{
		gs_array_read(a);
		s->all.values = a->values;
		s->all.validity = a->bitmap;
		s->all.present = gs_array_present(a);
	}
	else
		gs_cursor_open(&s->cursor, a);
}

static void
close_source(source *s)
{
	if (s->used && !s->whole)
		gs_cursor_close(&s->cursor);
}

static void
read_source(source *s, int64 n, void *buffer, gs_span *span)
{
	if (s->whole)
		*span = s->all;
	else
		gs_cursor_next(&s->cursor, n, buffer, span);
}

/* Feed the next batch, read from the sources, if there are any. */
static gs_status
feed_batch(gs_call *call, const gs_engine *engine, batch *b, int64 n,
		   source *sources)
{
	gs_span    *span[GS_ARRAYS] = {&b->in.data, &b->in.mask, &b->in.third};
	void	   *buffer = engine->input_buffer == NULL ? NULL :
		engine->input_buffer(call->run);
	instr_time	start;

	INSTR_TIME_SET_CURRENT(start);
	b->in.n = n;
	for (int i = 0; sources != NULL && i < GS_ARRAYS; i++)
	{
		if (sources[i].used)
			read_source(&sources[i], n, i == GS_DATA ? buffer : NULL, span[i]);
	}
	if (call->builder != NULL && !engine->output_at_wait)
		b->out.values = gs_builder_reserve(call->builder, n);
	add_time(&call->moving, start);
	return engine->feed(call->run, &b->in, &b->out);
}

/* Wait for the oldest batch in flight, and append its results. */
static gs_status
drain_batch(gs_call *call, const gs_engine *engine, batch *b)
{
	gs_status	status;
	instr_time	start;

	INSTR_TIME_SET_CURRENT(start);
	if (call->builder != NULL && engine->output_at_wait)
		b->out.values = gs_builder_reserve(call->builder, b->in.n);
	add_time(&call->moving, start);
	status = engine->wait(call->run);
	if (status == GS_OK && call->builder != NULL)
		gs_builder_commit(call->builder, &b->out);
	return status;
}

/* Pass the array through call->run, reading from the sources, if any. */
static gs_status
stream(gs_call *call, const gs_engine *engine, source *sources)
{
	gs_status	status = GS_OK;
	batch	   *batches;
	int64		batch_size;
	int			depth;
	int64		passed = 0;
	int64		fed = 0;
	int64		drained = 0;

	engine->shape(call->run, &batch_size, &depth);
	gs_progress_phase(GS_PHASE_PASSING, call->data.n);
	if (call->builder != NULL && !engine->output_at_wait)
		depth = 1;				/* each batch's results must come before the
								 * place of the next ones is known */
	batches = palloc0(depth * sizeof(batch));
	if (call->builder != NULL &&
		gs_gives_null(&call->op, call->data.nulls))
	{
		/* all share one bitmap, which is consumed right after each wait */
		uint8	   *validity = palloc(TYPEALIGN(64, batch_size) / 8);

		for (int i = 0; i < depth; i++)
			batches[i].out.validity = validity;
	}
	while (status == GS_OK && (passed < call->data.n || drained < fed))
	{
		int64		n = Min(batch_size, call->data.n - passed);

		CHECK_FOR_INTERRUPTS();
		gs_progress_done(passed);
		if (n > 0 && fed - drained < depth)
		{
			status = feed_batch(call, engine, &batches[fed++ % depth], n,
								sources);
			passed += n;
		}
		else
			status = drain_batch(call, engine, &batches[drained++ % depth]);
	}
	gs_progress_phase(GS_PHASE_COMPUTING, 0);
	if (status == GS_OK)
		status = engine->finish(call->run, &call->result);
	if (status == GS_OK && call->fetch != NULL)
		status = call->fetch(call, engine);
	return status;
}

/*
 * For call->fetch: append the first n results of a column to an array.  They
 * are fetched in one piece, so that an engine can compute them there.
 */
gs_status
gs_call_fetch(gs_call *call, const gs_engine *engine, gs_column column,
			  int64 n, gs_builder *builder)
{
	uint64	   *validity = NULL;
	gs_status	status = engine->fetch(call->run, column, 0, n,
									   gs_builder_reserve(builder, n));

	if (status == GS_OK && column == GS_COLUMN_VALUES &&
		gs_has_column(&call->op, GS_COLUMN_VALIDITY) &&
		gs_gives_null(&call->op, call->data.nulls))
	{
		validity = palloc(GS_VALIDITY_ROWS(n) * sizeof(uint64));
		status = engine->fetch(call->run, GS_COLUMN_VALIDITY, 0,
							   GS_VALIDITY_ROWS(n), validity);
	}
	if (status == GS_OK)
		gs_builder_commit_column(builder, n, validity);
	if (validity != NULL)
		pfree(validity);
	return status;
}

/* Execute what begin has started. */
static gs_status
execute_begun(gs_call *call, const gs_engine *engine)
{
	const gs_op *op = &call->op;
	bool		has_mask = gs_has_mask(op);
	bool		whole = gs_is_placement(op->kind);
	source		sources[GS_ARRAYS] = {0};
	gs_status	status;

	if (engine->has_arrays != NULL && engine->has_arrays(call->run))
		return stream(call, engine, NULL);
	open_source(&sources[GS_DATA], &call->data, whole && !has_mask);
	if (has_mask)
		open_source(&sources[GS_MASK], &call->mask, whole);
	if (gs_has_third(op))
		open_source(&sources[GS_THIRD], &call->third, whole);
	status = stream(call, engine, sources);
	for (int i = 0; i < GS_ARRAYS; i++)
		close_source(&sources[i]);
	return status;
}

/*
 * May a lost device be warned of?  Once per session if the user left the choice
 * of the engine to us, and never in a parallel worker, whose leader would also
 * warn.
 */
bool
gs_may_warn_of_loss(void)
{
	static bool warned = false;

	if (IsParallelWorker() ||
		(warned && gs_engine_setting == GS_ENGINE_AUTO))
		return false;
	warned = true;
	return true;
}

static void
warn_device_lost(const gs_call *call, const char *message)
{
	if (!gs_may_warn_of_loss())
		return;
	ereport(WARNING,
			errcode(ERRCODE_SYSTEM_ERROR),
			errmsg("the GPU was lost during %s, falling back to the CPU",
				   call->function),
			message[0] == '\0' ? 0 : errdetail_internal("%s", message));
}

/* Raise the error of a status other than GS_OK, or warn of a lost device. */
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
		case GS_VALUE_ERROR:
			if (error->answer != GS_ANSWERED)
				gs_raise_value_error(&call->op, error);
			break;
		case GS_NOT_CACHED:
			break;
		case GS_NO_MEMORY:
			if (engine != &gs_engine_cpu)
				break;			/* of the device or the service, not ours */
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
 * Execute the call on an engine.  Returns GS_OK, or GS_VALUE_ERROR of which the
 * engine does not know why, or, so that another engine can take over, one of: the
 * device was lost, it is short of memory, or the arrays are not cached although
 * they had to be.  An element without a result raises an error, and so does any
 * failure of the CPU engine; other failures of the service count as its loss.
 */
static gs_status
execute_on(gs_call *call, const gs_engine *engine)
{
	gs_sources	sources = {
		.array = {&call->data},
		.edges = call->edges,
		.read_edges = call->read_edges,
		.only_cached = call->only_cached
	};
	volatile gs_status status = GS_OK;

	if (gs_has_mask(&call->op))
		sources.array[GS_MASK] = &call->mask;
	if (gs_has_third(&call->op))
		sources.array[GS_THIRD] = &call->third;
	call->run = NULL;
	INSTR_TIME_SET_ZERO(call->moving);
	memset(&call->stats, 0, sizeof(call->stats));
	PG_TRY();
	{
		if (!engine->reads_sources && call->edges != NULL &&
			gs_edges(&call->op) == NULL)
			gs_set_edges(&call->op, call->read_edges(call->edges));
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

/* execute_on for callers that only need to know whether it succeeded. */
bool
gs_call_execute_on(gs_call *call, const gs_engine *engine)
{
	return execute_on(call, engine) == GS_OK;
}

/*
 * Which engine continues a call that the service has not answered?  If that
 * service was told to end, its successor does, unless that one was lost as
 * well.  If the array is not cached, the CPU does, as the estimate says; and if
 * a device has left elements to it, or refused them.
 */
static const gs_engine *
pick_successor(gs_status status, bool may_retry, const char **reason)
{
	const char *ignored;

	if (status == GS_VALUE_ERROR)
	{
		*reason = could_not_finish;
		return &gs_engine_cpu;
	}
	if (status == GS_NOT_CACHED)
	{
		*reason = "";
		return &gs_engine_cpu;
	}
	if (may_retry && gs_link_dismissed() &&
		gs_link_acquire_for_arrays(gs_engine_setting == GS_ENGINE_GPU,
								   &ignored) == GS_AVAILABLE)
		return &gs_engine_client;
	*reason = could_not_finish;
	pg_atomic_fetch_add_u64(&gs_shared_get()->fallbacks, 1);
	return &gs_engine_cpu;
}

/*
 * Execute the operation.  The results are in call->result and, of a scan, a map
 * or a compaction, in call->builder.  False: the CPU engine has refused arrays
 * (GS_TAKE, engine/interpolate.h), which the caller has to explain.
 */
bool
gs_call_execute(gs_call *call)
{
	const char *reason;
	const gs_engine *engine = pick_engine(call, &reason);
	bool		may_retry = true;
	gs_status	status;

	if (call->edges == NULL && gs_op_check(&call->op) != GS_OK)
		elog(ERROR, "invalid operation %d on type %d during %s",
			 call->op.kind, call->op.type, call->function);

	/* the declarations in SQL see to it */
	if ((gs_has_mask(&call->op) &&
		 call->mask.type != gs_mask_type(&call->op)) ||
		(gs_has_third(&call->op) &&
		 call->third.type != gs_third_type(&call->op)))
		elog(ERROR, "arrays of types %d and %d during %s", call->mask.type,
			 call->third.type, call->function);

	if (call->data.n >= LONG_CALL)
		gs_progress_begin(GS_WORK_CALL, call->op.kind);
	while ((status = execute_on(call, engine)) != GS_OK &&
		   engine != &gs_engine_cpu)
	{
		if (call->builder != NULL)
			gs_builder_reset(call->builder);
		engine = pick_successor(status, may_retry, &reason);
		may_retry = false;
	}
	if (call->data.n >= LONG_CALL)
		gs_progress_end();
	if (status != GS_OK && status != GS_VALUE_ERROR)
		elog(ERROR, "the CPU engine lost a device");
	if (status == GS_OK)
		record_call(call, engine, reason);
	return status == GS_OK;
}

/*
 * A whole call of a reduction without options: its result is in call->result,
 * if it is not known already, and the array is closed.
 */
void
gs_call_reduce(gs_call *call, const char *function, gs_kind kind, Datum array)
{
	gs_type		type;
	const gs_result *known = gs_answers_find(array, kind, &type);

	if (known == NULL)
	{
		gs_call_open(call, function, kind, array);
		gs_call_execute(call);
		gs_call_close(call);
		return;
	}
	memset(call, 0, sizeof(gs_call));
	INSTR_TIME_SET_CURRENT(call->start);
	call->function = function;
	call->op.kind = kind;
	call->op.type = type;
	call->data.type = type;
	call->data.n = known->n;
	call->result = *known;
	call->stats.cache_hits = 1;
	record_call(call, &gs_engine_client, array_was_asked_for);
}

/*
 * The caller has the answer without an engine.  With engine gpu, still raise
 * an error if there is no GPU; otherwise no service is started for this.
 */
void
gs_call_answered(gs_call *call, const char *reason)
{
	const char *ignored;

	if (gs_engine_setting == GS_ENGINE_GPU)
		(void) pick_engine(call, &ignored);
	record_call(call, &gs_engine_cpu, reason);
}
