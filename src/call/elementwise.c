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

/* Tiles between two checks for interrupts: far below 1 ms. */
#define INTERRUPT_TILES		64

void
gs_elementwise_open(gs_elementwise *e, const char *function, Datum array)
{
	gs_call_open_elements(&e->call, function, array);
	e->reason = "the function runs on the CPU only";
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
	gs_array_open(a, array);
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

static void
compute(const gs_elementwise *e, gs_map *map, gs_type type,
		gs_builder *builder)
{
	int64		n = e->call.data.n;
	int			tiles = 0;

	for (int64 at = 0; at < n; at += GS_MAP_TILE)
	{
		int			rows = (int) Min(GS_MAP_TILE, n - at);
		uint8		validity[GS_MAP_TILE / 8];
		gs_output	out = {.validity = validity};
		gs_map_error error;

		if (tiles++ % INTERRUPT_TILES == 0)
			CHECK_FOR_INTERRUPTS();
		out.values = gs_builder_reserve(builder, rows);
		error = gs_map_tile(map, at, rows, &out);
		if (error.errors != 0)
			raise_error(type, &error, at + error.row + 1);
		gs_builder_commit(builder, &out);
	}
}

static void
describe(const gs_array *a, gs_column_data *column)
{
	*column = (gs_column_data) {
		.values = a->values,
		.validity = a->bitmap,
		.packed = a->bitmap != NULL,
		.width = gs_type_width(a->type),
		.low = 1				/* not known */
	};
}

/* Compute an operand of all elements. */
static void
execute(gs_elementwise *e, gs_operand result, gs_type type,
		gs_builder *builder)
{
	gs_column_data column[GS_ELEMENTWISE_ARRAYS];
	gs_batch	batch = {.n = e->call.data.n, .column = column};
	gs_map	   *map;
	gs_status	status;

	describe(&e->call.data, &column[0]);
	for (int i = 1; i < e->plan.columns; i++)
		describe(&e->other[i - 1], &column[i]);
	status = gs_map_begin(&e->plan, result, &map);
	PG_TRY();
	{
		if (status == GS_OK)
			status = gs_map_feed(map, &batch);
		if (status == GS_NO_MEMORY)
			ereport(ERROR,
					errcode(ERRCODE_OUT_OF_MEMORY),
					errmsg("out of memory"));
		if (status != GS_OK)
			elog(ERROR, "%s: the plan is not valid", e->call.function);
		compute(e, map, type, builder);
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
	gs_call_answered(&e->call, e->reason);
	gs_call_close(&e->call);
	return gs_builder_close(&builder);
}

Datum
gs_elementwise_unary(const char *function, gs_code code, Datum array)
{
	gs_elementwise e;

	gs_elementwise_open(&e, function, array);
	return gs_elementwise_close(&e, gs_elementwise_do(&e, code, e.type,
													  GS_COLUMN(0),
													  GS_NOTHING));
}

Datum
gs_elementwise_binary(const char *function, gs_code code, Datum a, Datum b)
{
	gs_elementwise e;
	gs_operand	other;

	gs_elementwise_open(&e, function, a);
	other = gs_elementwise_array(&e, b);
	return gs_elementwise_close(&e, gs_elementwise_do(&e, code, e.type,
													  GS_COLUMN(0), other));
}
