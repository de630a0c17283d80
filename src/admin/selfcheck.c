/*-------------------------------------------------------------------------
 *
 * selfcheck.c
 *	  gpuscan_selfcheck(): do the service and the CPU engine agree, bit for
 *	  bit?
 *
 * Random operations over random data go through both engines, by way of the
 * engine interface, without PostgreSQL's arrays.  Everything that the engines
 * return is compared: results, NULLs, errors and their positions.  The CPU
 * engine gets its input in batches of random size, which also checks that its
 * results do not depend on them.
 *
 * There is one row per family and type.  The row of a failure tells how to
 * reproduce it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "admin/selfdata.h"
#include "array/array.h"
#include "call/call.h"
#include "client/client.h"
#include "client/link.h"
#include "engine/elements.h"
#include "engine/group_op.h"
#include "pg/row_type.h"

PG_FUNCTION_INFO_V1(gpuscan_selfcheck);

/* Everything that an engine has returned. */
typedef struct outcome
{
	gs_status	status;
	gs_error	error;
	gs_result	result;
	char	   *values;
	uint8	   *validity;
	int64		n;
	int64		present;
	int64	   *counts;			/* of distinct values */

	/* groups and segments */
	char	   *column[GS_COLUMNS];
	int64		rows[GS_COLUMNS];
} outcome;

/* One row. */
typedef struct check_row
{
	gs_family	family;
	gs_type		type;
	int			arrays;
	bool		equal;
	char		detail[300];
} check_row;

/* Of so many elements the GPU decides all (kernels/kernels.h). */
#define LEFT_MOST	2048

/* An engine being driven over an input. */
typedef struct drive
{
	const gs_engine *engine;
	const gs_op *op;
	const gs_input *in;			/* the whole array */
	bool		whole;			/* gs_is_placement() */
	gs_array	array[GS_ARRAYS];	/* if so, what the service is to load */
	gs_sources	sources;
	int64		batch;			/* maximum size; 0: as the engine says */
	int64		fed;			/* elements fed so far */
	int64		fed_present;	/* their values, of the data .. */
	int64		fed_mask;		/* .. and of the mask */
	gs_run	   *run;
} drive;

static void *
alloc_zero(Size size)
{
	return palloc_extended(size + 8, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

/* The next n elements of a span, of which `passed` values have been fed. */
static gs_span
next_part(const gs_span *span, int width, int64 at, int64 n, int64 *passed)
{
	gs_span		part = {.present = n};

	if (span->validity != NULL)
	{
		part.validity = span->validity + at / 8;
		part.present = gs_bits_count(part.validity, n);
	}
	part.values = (const char *) span->values + *passed * width;
	*passed += part.present;
	return part;
}

/* Append a batch's results. */
static void
append(outcome *o, const gs_output *out, int width)
{
	memcpy(o->values + o->present * width, out->values, out->present * width);
	o->present += out->present;
	for (int64 i = 0; i < out->n; i++, o->n++)
	{
		if (out->validity == NULL || (out->validity[i / 8] >> (i % 8)) & 1)
			o->validity[o->n / 8] |= 1 << (o->n % 8);
	}
}

/* Feed one batch, and append its results. */
static gs_status
drive_batch(drive *d, int64 n, gs_output *out, outcome *o)
{
	gs_input	part = {.n = n};
	gs_status	status;

	if (d->whole && !gs_has_mask(d->op))
		part.data = d->in->data;
	else
		part.data = next_part(&d->in->data, gs_type_width(d->op->type), d->fed,
							  n, &d->fed_present);
	if (d->whole && gs_has_mask(d->op))
	{
		part.mask = d->in->mask;
		part.third = d->in->third;
	}
	else if (gs_has_mask(d->op))
		part.mask = next_part(&d->in->mask, gs_type_width(gs_mask_type(d->op)),
							  d->fed, n, &d->fed_mask);
	d->fed += n;
	status = d->engine->feed(d->run, &part, out);
	if (status == GS_OK)
		status = d->engine->wait(d->run);
	if (status == GS_OK && out->values != NULL)
		append(o, out, gs_type_width(gs_output_type(d->op)));
	return status;
}

/*
 * Fetch values: of an order, all of them or those of a few ranks, the same for
 * both engines, or of moving frames.
 */
static gs_status
fetch_results(drive *d, outcome *o)
{
	int64		n = o->result.results;
	int64		first = 0;
	gs_status	status;

	if (d->op->kind == GS_SELECT)
	{
		first = n / 3;
		n = Min(n - first, 3);
	}
	o->n = o->present = n;
	o->values = alloc_zero(n * gs_type_width(gs_column_type(d->op,
															GS_COLUMN_VALUES)));
	status = d->engine->fetch(d->run, GS_COLUMN_VALUES, first, n, o->values);
	if (status == GS_OK && gs_has_column(d->op, GS_COLUMN_VALIDITY))
	{
		o->validity = alloc_zero(GS_VALIDITY_ROWS(n) * sizeof(uint64));
		return d->engine->fetch(d->run, GS_COLUMN_VALIDITY, 0,
								GS_VALIDITY_ROWS(n), o->validity);
	}
	if (status != GS_OK || !gs_has_column(d->op, GS_COLUMN_COUNTS))
		return status;
	o->counts = alloc_zero(n * sizeof(int64));
	return d->engine->fetch(d->run, GS_COLUMN_COUNTS, first, n, o->counts);
}

/* Fetch all columns of groups, segments or moving frames. */
static gs_status
fetch_columns(drive *d, outcome *o)
{
	gs_status	status = GS_OK;

	for (int c = 0; c < GS_COLUMNS && status == GS_OK; c++)
	{
		int64		n = gs_column_rows(c, o->result.results);

		if (!gs_has_column(d->op, c))
			continue;
		if (c == GS_COLUMN_WIDE_SUMS || c == GS_COLUMN_WIDE_SQUARES)
			n = gs_wide_end((gs_float_sum *) o->column[c - 1], n);
		o->rows[c] = n;
		o->column[c] = alloc_zero(n * gs_column_width(d->op, c));
		status = d->engine->fetch(d->run, c, 0, n, o->column[c]);
	}
	return status;
}

static gs_status
drive_all(drive *d, outcome *o)
{
	gs_output	out = {0};
	gs_status	status = GS_OK;
	int64		batch;
	int			depth;

	d->engine->shape(d->run, &batch, &depth);
	if (d->batch > 0 && d->batch < batch)
		batch = d->batch;
	if (gs_has_output(d->op))
	{
		int			width = gs_type_width(gs_output_type(d->op));
		int64		max = Min(batch, d->in->n);

		o->values = alloc_zero(d->in->n * width);
		o->validity = alloc_zero(d->in->n / 8);
		out.values = alloc_zero(max * width);
		if (gs_gives_null(d->op, d->in->data.validity != NULL))
			out.validity = alloc_zero(TYPEALIGN(64, max) / 8);
	}
	if (gs_is_histogram(d->op->kind))
		o->result.counts = alloc_zero((d->op->histogram.buckets + 3) *
									  sizeof(int64));
	while (status == GS_OK && d->fed < d->in->n)
	{
		CHECK_FOR_INTERRUPTS();
		status = drive_batch(d, Min(batch, d->in->n - d->fed), &out, o);
	}
	if (status == GS_OK)
		status = d->engine->finish(d->run, &o->result);
	if (status == GS_OK && gs_is_series(d->op))
		status = fetch_results(d, o);
	else if (status == GS_OK && gs_is_fetched(d->op->kind))
		status = fetch_columns(d, o);
	return status;
}

static void
end_run(drive *d)
{
	if (d->run != NULL)
		d->engine->end(d->run);
	d->run = NULL;
}

static void
execute(drive *d, outcome *o)
{
	memset(o, 0, sizeof(outcome));
	d->fed = d->fed_present = d->fed_mask = 0;
	PG_TRY();
	{
		o->status = d->engine->begin(d->op, d->in->n, &d->sources, &d->run);
		if (o->status == GS_OK)
			o->status = drive_all(d, o);
		if (o->status != GS_OK && d->run != NULL)
			o->error = *d->engine->error(d->run);
	}
	PG_CATCH();
	{
		end_run(d);
		PG_RE_THROW();
	}
	PG_END_TRY();
	end_run(d);
}

static bool
is_float(int type)
{
	return type == GS_FLOAT4 || type == GS_FLOAT8;
}

/* Exact sums are equal if they are equal once their carries are propagated. */
static bool
sums_equal(gs_result *a, gs_result *b)
{
	gs_acc_propagate(&a->sum);
	gs_acc_propagate(&b->sum);
	return a->sum.seen == b->sum.seen &&
		memcmp(a->sum.limb, b->sum.limb, sizeof(a->sum.limb)) == 0;
}

static bool
squares_equal(gs_result *a, gs_result *b)
{
	gs_acc2_propagate(&a->squares);
	gs_acc2_propagate(&b->squares);
	return a->squares.seen == b->squares.seen &&
		memcmp(a->squares.limb, b->squares.limb, sizeof(a->squares.limb)) == 0;
}

static bool
doubles_equal(double a, double b)
{
	return gs_double_bits(a) == gs_double_bits(b) || (a != a && b != b);
}

/* Compare sums, and sums of squares or products; unused ones are zero. */
static bool
moments_equal(const gs_op *op, gs_result *a, gs_result *b)
{
	if (is_float(op->type))
		return sums_equal(a, b) && squares_equal(a, b);
	return memcmp(a->isum, b->isum, sizeof(a->isum)) == 0 &&
		memcmp(a->isquares, b->isquares, sizeof(a->isquares)) == 0;
}

static bool
values_equal(int type, const gs_value *a, const gs_value *b)
{
	return memcmp(a, b, Max(gs_type_width(type), 2)) == 0;
}

/* Compare a column of groups or segments; a value's other bytes have no meaning. */
static bool
columns_equal(const gs_op *op, int c, const outcome *a, const outcome *b)
{
	int			values = c == GS_COLUMN_MEDIANS ? 2 :
		c == GS_COLUMN_KEYS || c == GS_COLUMN_MIN || c == GS_COLUMN_MAX;

	if (a->rows[c] != b->rows[c])
		return false;
	for (int64 i = 0; i < a->rows[c] * values; i++)
	{
		if (!values_equal(c == GS_COLUMN_KEYS ? op->mask.type : op->type,
						  (gs_value *) a->column[c] + i,
						  (gs_value *) b->column[c] + i))
			return false;
	}
	return a->rows[c] == 0 || values > 0 ||
		memcmp(a->column[c], b->column[c],
			   a->rows[c] * gs_column_width(op, c)) == 0;
}

static bool
all_columns_equal(const gs_op *op, const outcome *a, const outcome *b)
{
	for (int c = 0; c < GS_COLUMNS; c++)
	{
		if (!columns_equal(op, c, a, b))
			return false;
	}
	return true;
}

static bool
results_equal(const gs_op *op, gs_result *a, gs_result *b)
{
	if (a->n != b->n || a->present != b->present)
		return false;
	if (gs_is_histogram(op->kind))
		return memcmp(a->counts, b->counts,
					  (op->histogram.buckets + 3) * sizeof(int64)) == 0;
	if (gs_is_fetched(op->kind))
		return a->results == b->results && a->position == b->position &&
			(op->kind != GS_DISTINCT || a->results == 0 ||
			 memcmp(&a->value, &b->value, gs_type_width(op->type)) == 0);
	if (a->errors != b->errors)
		return false;
	if (!gs_is_reduction(op->kind) || a->present == 0 ||
		(op->kind == GS_AREA && a->errors))
		return true;
	switch (op->kind)
	{
		case GS_SUM:
		case GS_ASUM:
		case GS_DOT:
		case GS_MOMENTS:
			return moments_equal(op, a, b);
		case GS_STATS:
			return moments_equal(op, a, b) &&
				values_equal(op->type, &a->value, &b->value) &&
				values_equal(op->type, &a->greatest, &b->greatest) &&
				memcmp(a->special, b->special, sizeof(a->special)) == 0;
		case GS_AREA:
			return squares_equal(a, b) &&
				values_equal(op->type, &a->value, &b->value) &&
				values_equal(op->type, &a->greatest, &b->greatest);
		case GS_EXPRESSION:
			return moments_equal(op, a, b) &&
				values_equal(gs_expression_type(op), &a->value, &b->value) &&
				values_equal(gs_expression_type(op), &a->greatest,
							 &b->greatest);
		case GS_ARGMIN:
		case GS_ARGMAX:
			return a->position == b->position;
		case GS_PRODUCT:
			return doubles_equal(a->product.hi, b->product.hi) &&
				doubles_equal(a->product.lo, b->product.lo) &&
				a->product.exponent == b->product.exponent;
		default:
			return values_equal(op->type, &a->value, &b->value);
	}
}

/* NULL if the outcomes are equal, else what differs. */
static const char *
difference(const gs_op *op, outcome *a, outcome *b)
{
	gs_type		type;

	/* the GPU leaves the operation to the CPU if too little is decided */
	if ((gs_is_of_elements(op->kind) ||
		 (op->kind == GS_INTERPOLATE && a->n > LEFT_MOST)) &&
		b->status == GS_VALUE_ERROR && b->error.answer == GS_ANSWERED)
		return NULL;
	if (a->status != b->status)
		return "status";
	if (a->status != GS_OK)
		return a->error.position != b->error.position ? "position" :
			a->error.answer != b->error.answer ? "error" : NULL;
	if (!results_equal(op, &a->result, &b->result))
		return "result";
	if (!all_columns_equal(op, a, b))
		return "columns";
	if (a->n != b->n || a->present != b->present)
		return "number of results";
	if (a->n == 0)
		return NULL;
	if (a->validity != NULL &&
		memcmp(a->validity, b->validity, (a->n + 7) / 8) != 0)
		return "NULLs";
	type = gs_output_type(op);
	if (memcmp(a->values, b->values, a->present * gs_type_width(type)) != 0)
		return "values";
	if (a->counts != NULL &&
		memcmp(a->counts, b->counts, a->n * sizeof(int64)) != 0)
		return "counts";
	return NULL;
}

/* A span of n elements as an argument of the service's. */
static void
open_span(gs_array *a, gs_type type, int64 n, const gs_span *span)
{
	bool		nulls = span->present < n;
	gs_output	out = {.n = n, .present = span->present};
	gs_builder	builder;

	gs_builder_open(&builder, gs_type_oid(type), n, NULL, nulls ? n : 0);
	out.values = gs_builder_reserve(&builder, n);
	memcpy(out.values, span->values, span->present * gs_type_width(type));
	out.validity = (uint8 *) span->validity;
	gs_builder_commit(&builder, &out);
	gs_array_open(a, gs_builder_close(&builder));
}

static void
open_sources(drive *d, gs_type type)
{
	d->whole = true;
	open_span(&d->array[GS_DATA], type, d->in->n, &d->in->data);
	d->sources.array[GS_DATA] = &d->array[GS_DATA];
	if (!gs_has_mask(d->op))
		return;
	open_span(&d->array[GS_MASK], gs_mask_type(d->op),
			  gs_mask_elements(d->op, d->in->n), &d->in->mask);
	d->sources.array[GS_MASK] = &d->array[GS_MASK];
	if (!gs_has_third(d->op))
		return;
	open_span(&d->array[GS_THIRD], gs_third_type(d->op),
			  gs_mask_elements(d->op, d->in->n), &d->in->third);
	d->sources.array[GS_THIRD] = &d->array[GS_THIRD];
}

/* Floats in place of the NULLs. */
static void
make_present(gs_span *span, int64 n)
{
	double	   *values;

	if (span->present == n)
		return;
	values = palloc_extended(n * sizeof(double) + 8,
							 MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	memcpy(values, span->values, span->present * sizeof(double));
	*span = (gs_span) {.values = values,.present = n};
}

/* Random arrays that the operation takes. */
static void
fill_input(gs_random *random, gs_op *op, gs_input *in)
{
	int64		elements;

	in->n = gs_random_size(random);
	if (op->kind == GS_CHOOSE_EITHER)
		op->mask.elements = Max(in->n, 1);
	elements = gs_mask_elements(op, in->n);
	if (op->kind == GS_AREA)
		gs_random_ascending(random, op->type, in->n, &in->data);
	else if (op->kind == GS_TAKE)
		gs_random_positions(random, in->n, elements, &in->data);
	else if (op->kind == GS_ASOF || op->kind == GS_INTERPOLATE)
	{
		gs_random_ascending(random, op->type, elements, &in->mask);
		gs_random_among(random, op->type, in->n, &in->mask, &in->data);
	}
	else
		gs_random_span(random, op->type, in->n, &in->data);
	if (gs_has_mask(op) && in->mask.values == NULL)
		gs_random_span(random, gs_mask_type(op), elements, &in->mask);
	if (gs_has_third(op))
		gs_random_span(random, gs_third_type(op), elements, &in->third);
	/* or nearly all would be refused */
	if (op->kind == GS_INTERPOLATE || op->kind == GS_AREA)
		make_present(op->kind == GS_AREA ? &in->mask : &in->third, elements);
}

/* Compare one operation over one array on both engines. */
static void
check_array(gs_random *random, check_row *row)
{
	uint64		seed = random->state;
	gs_op		op;
	gs_input	in = {0};
	drive		on_cpu = {.engine = &gs_engine_cpu, .op = &op, .in = &in};
	drive		on_service = {.engine = &gs_engine_client,
	.op = &op, .in = &in};
	outcome		expected;
	outcome		got;
	const char *differs;

	if (!gs_random_op(random, row->family, row->type, &op))
		return;
	fill_input(random, &op, &in);
	if (gs_is_placement(op.kind))
	{
		on_cpu.whole = true;
		open_sources(&on_service, row->type);
	}
	on_cpu.batch = GS_BATCH_ALIGN * (1 + (seed >> 32) % 40);
	execute(&on_cpu, &expected);
	do
	{
		gs_call_require_service();
		execute(&on_service, &got);
	} while (got.status == GS_DEVICE_LOST && gs_link_dismissed());
	row->arrays++;
	/* too many groups for the service: functions then use the CPU engine */
	if (got.status == GS_NO_MEMORY && op.kind == GS_GROUP)
		return;
	differs = difference(&op, &expected, &got);
	if (differs == NULL || !row->equal)
		return;
	row->equal = false;
	snprintf(row->detail, sizeof(row->detail),
			 "%s: array %d, kind %d, %lld elements, seed %llx%s%s",
			 differs, row->arrays, op.kind, (long long) in.n,
			 (unsigned long long) seed, got.error.message[0] ? ": " : "",
			 got.error.message);
}

static void
check_row_arrays(check_row *row, int arrays, uint64 seed)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "gpuscan_selfcheck",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	gs_random	random = {seed};

	row->equal = true;
	for (int i = 0; i < arrays; i++)
	{
		CHECK_FOR_INTERRUPTS();
		check_array(&random, row);
		MemoryContextReset(context);
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}

/* The family and type of row i, counted from 0; false after the last. */
static bool
row_number(int i, check_row *row)
{
	gs_random	random = {0};
	gs_op		op;

	for (int family = GS_NO_FAMILY + 1; family < GS_FAMILIES; family++)
	{
		for (int type = GS_BOOL; type <= GS_FLOAT8; type++)
		{
			if (!gs_random_op(&random, family, type, &op) || i-- > 0)
				continue;
			memset(row, 0, sizeof(check_row));
			row->family = family;
			row->type = type;
			return true;
		}
	}
	return false;
}

static HeapTuple
make_row(TupleDesc desc, const check_row *row)
{
	Datum		values[5];
	bool		nulls[5] = {false};

	values[0] = CStringGetTextDatum(gs_family_name(row->family));
	values[1] = CStringGetTextDatum(format_type_be(gs_type_oid(row->type)));
	values[2] = Int32GetDatum(row->arrays);
	values[3] = BoolGetDatum(row->equal);
	nulls[4] = row->detail[0] == '\0';
	if (!nulls[4])
		values[4] = CStringGetTextDatum(row->detail);
	return heap_form_tuple(desc, values, nulls);
}

/* gpuscan_selfcheck(arrays): check so many arrays per family and type. */
Datum
gpuscan_selfcheck(PG_FUNCTION_ARGS)
{
	int			arrays = PG_GETARG_INT32(0);
	FuncCallContext *context;
	uint64	   *seed;
	check_row	row;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;

		if (arrays < 1)
			ereport(ERROR,
					errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("arrays must be at least 1, but is %d", arrays));
		gs_call_require_service();
		context = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		context->tuple_desc = gs_row_type(fcinfo);
		seed = palloc(sizeof(uint64));
		if (!pg_strong_random(seed, sizeof(uint64)))
			ereport(ERROR,
					errcode(ERRCODE_INTERNAL_ERROR),
					errmsg("could not generate a random number"));
		context->user_fctx = seed;
		MemoryContextSwitchTo(old);
	}
	context = SRF_PERCALL_SETUP();
	seed = context->user_fctx;
	if (row_number(context->call_cntr, &row))
	{
		HeapTuple	tuple;

		check_row_arrays(&row, arrays, *seed + context->call_cntr);
		tuple = make_row(context->tuple_desc, &row);
		SRF_RETURN_NEXT(context, HeapTupleGetDatum(tuple));
	}
	SRF_RETURN_DONE(context);
}
