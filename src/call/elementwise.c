/*-------------------------------------------------------------------------
 *
 * elementwise.c
 *	  Functions whose result has an element for each of their arrays'.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"

#include "call/array_iteration.h"
#include "call/elementwise.h"
#include "engine/map.h"

/*
 * Elements that are read, and computed, between two checks for interrupts: far
 * below 1 ms.  Stored arrays are fetched so many at a time, which the caches
 * hold; all of an array would take new memory, whose pages cost more than
 * the rest.
 */
#define PIECE		(64 * GS_MAP_TILE)

bool
gs_call_map(gs_call *call, Oid elemtype, const ArrayType *shape, bool nulls,
			Datum *result)
{
	gs_builder	builder;
	bool		done;

	call->builder = &builder;
	gs_builder_open(&builder, elemtype, call->data.n, shape,
					nulls ? call->data.n : 0);
	done = gs_call_execute(call);
	*result = gs_builder_close(&builder);
	if (!done)
		pfree(DatumGetPointer(*result));
	gs_call_close(call);
	return done;
}

void
gs_elementwise_open(gs_elementwise *e, const char *function, Datum array)
{
	gs_call_open(&e->call, function, GS_SUM, array);
	e->type = e->call.data.type;
	e->elemtype = InvalidOid;
	memset(&e->plan, 0, sizeof e->plan);
	e->plan.filter = GS_NOTHING;
	e->plan.column = e->column;
	e->plan.constant = e->constant;
	e->plan.code = e->code;
	e->plan.columns = 1;
	e->column[0] = e->type;
	e->nulls = e->call.data.nulls;
}

/* Its dimensions, as "2 x 3". */
static const char *
dimensions_of(const ArrayType *a)
{
	StringInfoData text;

	initStringInfo(&text);
	if (ARR_NDIM(a) == 0)
		appendStringInfoChar(&text, '0');
	for (int i = 0; i < ARR_NDIM(a); i++)
		appendStringInfo(&text, "%s%d", i == 0 ? "" : " x ", ARR_DIMS(a)[i]);
	return text.data;
}

bool
gs_same_shape(const ArrayType *a, const ArrayType *b)
{
	return ARR_NDIM(a) == ARR_NDIM(b) &&
		memcmp(ARR_DIMS(a), ARR_DIMS(b), ARR_NDIM(a) * sizeof(int)) == 0;
}

void
gs_require_same_shape(const ArrayType *a, const ArrayType *b)
{
	if (gs_same_shape(a, b))
		return;
	ereport(ERROR,
			errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
			errmsg("arrays must have the same dimensions"),
			errdetail("They have the dimensions %s and %s.",
					  dimensions_of(a), dimensions_of(b)));
}

gs_operand
gs_elementwise_array(gs_elementwise *e, Datum array)
{
	int			i = e->plan.columns++;
	gs_array   *a = &e->other[i - 1];

	Assert(i < GS_ELEMENTWISE_ARRAYS);
	gs_array_open_lazily(a, array);
	gs_require_same_shape(e->call.data.flat, a->flat);
	e->column[i] = a->type;
	e->nulls = e->nulls || a->nulls;
	return GS_COLUMN(i);
}

static gs_operand
add_constant(gs_elementwise *e, gs_constant constant)
{
	int			i = e->plan.constants++;

	Assert(i < GS_ELEMENTWISE_CONSTANTS);
	e->constant[i] = constant;
	return GS_CONSTANT(i);
}

gs_operand
gs_elementwise_constant(gs_elementwise *e, gs_type type, gs_value value)
{
	return add_constant(e, (gs_constant) {.type = type, .value = value});
}

gs_operand
gs_elementwise_null(gs_elementwise *e, gs_type type)
{
	e->nulls = true;
	return add_constant(e, (gs_constant) {.type = type, .null = 1});
}

gs_operand
gs_elementwise_datum(gs_elementwise *e, gs_type type, Datum value)
{
	return gs_elementwise_constant(e, type, gs_value_from_datum(type, value));
}

static gs_operand
add_instruction(gs_elementwise *e, gs_instruction instruction)
{
	int			i = e->plan.instructions++;

	Assert(i < GS_ELEMENTWISE_CODE);
	e->code[i] = instruction;
	return GS_RESULT(i);
}

gs_operand
gs_elementwise_do(gs_elementwise *e, gs_code code, gs_type type, gs_operand a,
				  gs_operand b)
{
	return add_instruction(e, (gs_instruction) {
		.code = code,
		.type = type,
		.a = a,
		.b = b,
		.c = GS_NOTHING
	});
}

gs_operand
gs_elementwise_choose(gs_elementwise *e, gs_operand a, gs_operand b,
					  gs_operand c)
{
	return add_instruction(e, (gs_instruction) {
		.code = GS_CODE_CHOOSE,
		.type = gs_operand_type(&e->plan, b),
		.a = a,
		.b = b,
		.c = c
	});
}

gs_operand
gs_elementwise_cast(gs_elementwise *e, gs_operand a, gs_type type)
{
	gs_type		from = gs_operand_type(&e->plan, a);

	if (from == type)
		return a;
	return add_instruction(e, (gs_instruction) {
		.code = GS_CODE_CAST,
		.type = from,
		.to = type,
		.a = a,
		.b = GS_NOTHING,
		.c = GS_NOTHING
	});
}

/* What is wrong, in PostgreSQL's words. */
pg_noreturn static void
raise_error(gs_type type, const gs_map_error *error, int64 position)
{
	if (error->errors & GS_ERROR_DIVISION)
		ereport(ERROR,
				errcode(ERRCODE_DIVISION_BY_ZERO),
				errmsg("division by zero"),
				errdetail("The divisor of element %lld is zero.",
						  (long long) position));
	ereport(ERROR,
			errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			gs_is_float(type) ? errmsg("value out of range: %s",
									   error->zero ? "underflow" : "overflow") :
			errmsg("%s out of range", type == GS_INT2 ? "smallint" :
				   type == GS_INT4 ? "integer" : "bigint"),
			errdetail("The result at element %lld is out of range.",
					  (long long) position));
}

/* The map's batch has n elements, from number `first` of the array on. */
static void
compute(gs_map *map, gs_type type, int64 first, int64 n, gs_builder *builder)
{
	for (int64 at = 0; at < n; at += GS_MAP_TILE)
	{
		int			rows = (int) Min(GS_MAP_TILE, n - at);
		uint8		validity[GS_MAP_TILE / 8];
		gs_output	out = {.validity = validity};
		gs_map_error error;

		out.values = gs_builder_reserve(builder, rows);
		error = gs_map_tile(map, at, rows, &out);
		if (error.errors != 0)
			raise_error(type, &error, first + at + error.row + 1);
		gs_builder_commit(builder, &out);
	}
}

/* The next n elements of an array, as a column. */
static void
read_column(gs_cursor *cursor, int64 n, gs_column_data *column)
{
	gs_span		span;

	gs_cursor_next(cursor, n, NULL, &span);
	*column = (gs_column_data) {
		.values = span.values,
		.validity = span.validity,
		.packed = span.validity != NULL,
		.width = gs_type_width(cursor->array->type),
		.low = 1				/* not known */
	};
}

/* Piece by piece; an error of the map, or GS_OK. */
static gs_status
feed_and_compute(gs_elementwise *e, gs_map *map, gs_type type,
				 gs_builder *builder)
{
	gs_cursor	cursor[GS_ELEMENTWISE_ARRAYS];
	gs_status	status = GS_OK;
	int64		rows;

	for (int i = 0; i < e->plan.columns; i++)
		gs_cursor_open(&cursor[i], i == 0 ? &e->call.data : &e->other[i - 1]);
	for (int64 at = 0; at < e->call.data.n && status == GS_OK; at += rows)
	{
		gs_column_data column[GS_ELEMENTWISE_ARRAYS];
		gs_batch	batch = {.column = column};

		CHECK_FOR_INTERRUPTS();
		batch.n = rows = Min(PIECE, e->call.data.n - at);
		for (int i = 0; i < e->plan.columns; i++)
			read_column(&cursor[i], rows, &column[i]);
		status = gs_map_feed(map, &batch);
		if (status == GS_OK)
			compute(map, type, at, rows, builder);
	}
	for (int i = 0; i < e->plan.columns; i++)
		gs_cursor_close(&cursor[i]);
	return status;
}

/* Compute an operand of all elements. */
static void
execute(gs_elementwise *e, gs_operand result, gs_type type,
		gs_builder *builder)
{
	gs_map	   *map;
	gs_status	status;

	status = gs_map_begin(&e->plan, result, &map);
	PG_TRY();
	{
		if (status == GS_OK)
			status = feed_and_compute(e, map, type, builder);
		if (status == GS_NO_MEMORY)
			ereport(ERROR,
					errcode(ERRCODE_OUT_OF_MEMORY),
					errmsg("out of memory"));
		if (status != GS_OK)
			elog(ERROR, "%s: the plan is not valid", e->call.function);
	}
	PG_FINALLY();
	{
		gs_map_end(map);
	}
	PG_END_TRY();
}

Datum
gs_elementwise_close(gs_elementwise *e, gs_operand result)
{
	gs_type		type = gs_operand_type(&e->plan, result);
	int64		n = e->call.data.n;
	gs_builder	builder;

	gs_builder_open(&builder,
					OidIsValid(e->elemtype) ? e->elemtype : gs_type_oid(type),
					n, e->call.data.flat, e->nulls ? n : 0);
	if (n > 0)
		execute(e, result, type, &builder);
	for (int i = 1; i < e->plan.columns; i++)
		gs_array_close(&e->other[i - 1]);
	gs_call_answered(&e->call, "the function runs on the CPU only");
	gs_call_close(&e->call);
	return gs_builder_close(&builder);
}
