/*-------------------------------------------------------------------------
 *
 * collected.c
 *	  Aggregates that keep a group's values and a parameter.
 *
 * The state is flat and of type bytea, one for all types of values: it can be
 * sent anywhere, and is checked wherever it comes from.  Each row checks what
 * keeps it within the state's memory; final functions check the rest.
 *
 * Neither these states nor the arrays of array_agg_state.c are ever spilled to
 * disk, so a group of unexpected size must end in an error before the server
 * runs out of memory.  The limit is a multiple of work_mem, since work_mem alone
 * is too little for many legitimate groups.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/tupmacs.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "parser/parse_func.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"

#include "array/array.h"
#include "call/call.h"
#include "functions/order/collected.h"

/* Elements for which a new state has capacity. */
#define INITIAL_CAPACITY	4

/* The values of a group may take this many times work_mem. */
#define GROUP_WORK_MEMS	64

/* The least that a numeric takes: two headers, and up to an alignment. */
#define DECIMAL_BYTES	8

static void
too_many_values(int64 max, int64 max_of_array, const char *of)
{
	if (max == max_of_array)
		ereport(ERROR,
				errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				errmsg("a group of more than %lld %s is too large",
					   (long long) max, of),
				errhint("The built-in ordered-set aggregates sort larger groups on disk."));
	ereport(ERROR,
			errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
			errmsg("a group of more than %lld %s exceeds %d times work_mem (%dkB)",
				   (long long) max, of, GROUP_WORK_MEMS, work_mem),
			errhint("Increase work_mem, or use the built-in ordered-set aggregates, which sort large groups on disk."));
}

/*
 * A capacity for `wanted` values of this width, of which there are n now, after
 * a header; or of what else a message is to call them.
 */
int64
gs_group_capacity(int64 n, int64 wanted, Size header, int width,
				  const char *of)
{
	const int64 max_of_array = Min((MaxAllocSize - header) / width,
								   MaxArraySize);
	const int64 max = Min((int64) work_mem * 1024 * GROUP_WORK_MEMS / width,
						  max_of_array);

	if (wanted > max)
		too_many_values(max, max_of_array, of);
	return Min(Max(Max(wanted, 2 * n), INITIAL_CAPACITY), max);
}

pg_noinline void
gs_collected_invalid(void)
{
	ereport(ERROR,
			errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			errmsg("the value is not a state of this aggregate"));
}

static inline ArrayType *
values_of(gs_collected *c)
{
	return (ArrayType *) ((char *) c + c->values);
}

/* What capacity is counted in: values or, of numeric, words. */
static inline int
unit_of(const ArrayType *values)
{
	return ARR_ELEMTYPE(values) == NUMERICOID ? MAXIMUM_ALIGNOF :
		gs_type_width(gs_type_from_oid(ARR_ELEMTYPE(values)));
}

static inline char *
data_of(gs_collected *c)
{
	return ARR_DATA_PTR(values_of(c));
}

static bool
is_element(Oid type, int elements)
{
	if (type == NUMERICOID)
		return (elements & GS_DECIMALS) != 0;
	if (type == INT2OID || type == INT4OID || type == INT8OID ||
		type == FLOAT4OID || type == FLOAT8OID)
		return (elements & GS_NUMBERS) != 0;
	return gs_is_time(type) && (elements & GS_TIMES) != 0;
}

/* Does the header keep everything within the state? */
static bool
is_within(gs_collected *c)
{
	const Size	header = ARR_OVERHEAD_NONULLS(1);
	const ArrayType *values;
	Size		left;

	if (VARSIZE(c) < sizeof(gs_collected) ||
		c->values < (int32) sizeof(gs_collected) ||
		c->values % MAXIMUM_ALIGNOF != 0 || c->nulls < 0 ||
		VARSIZE(c) - sizeof(gs_collected) < header ||
		(Size) c->values > VARSIZE(c) - header)
		return false;
	values = values_of(c);
	left = VARSIZE(c) - c->values;
	if (!VARATT_IS_4B_U(values) || VARSIZE(values) != left ||
		values->ndim != 1 || values->dataoffset != 0 ||
		ARR_DIMS(values)[0] < 0 || ARR_LBOUND(values)[0] != 1 ||
		c->bytes < 0 || left - header < (Size) c->bytes)
		return false;
	if (ARR_ELEMTYPE(values) == NUMERICOID)
		return c->bytes % ALIGNOF_INT == 0 &&
			c->bytes / DECIMAL_BYTES >= ARR_DIMS(values)[0];
	return is_element(ARR_ELEMTYPE(values), GS_NUMBERS | GS_TIMES) &&
		c->bytes == (int64) ARR_DIMS(values)[0] * unit_of(values);
}

/* Are the values of type numeric, one after the other? */
static bool
are_decimals(gs_collected *c)
{
	const char *value = data_of(c);
	const char *end = value + c->bytes;

	for (int64 i = 0; i < ARR_DIMS(values_of(c))[0]; i++)
	{
		if (end - value < DECIMAL_BYTES || !VARATT_IS_4B_U(value) ||
			VARSIZE(value) < VARHDRSZ + sizeof(uint16) ||
			(Size) (end - value) < VARSIZE(value))
			return false;
		value += INTALIGN(VARSIZE(value));
	}
	return value == end;
}

/* Is the parameter an array of double precision, and nothing else? */
static bool
is_parameter(ArrayType *a, Size size)
{
	Size		header;
	int			n;
	int64		present;

	if (size < sizeof(ArrayType) || !VARATT_IS_4B_U(a) ||
		MAXALIGN(VARSIZE(a)) != size || ARR_ELEMTYPE(a) != FLOAT8OID ||
		ARR_NDIM(a) < 0 || ARR_NDIM(a) > MAXDIM ||
		VARSIZE(a) < ARR_OVERHEAD_NONULLS(ARR_NDIM(a)))
		return false;
	n = ArrayGetNItems(ARR_NDIM(a), ARR_DIMS(a));
	header = ARR_HASNULL(a) ? ARR_OVERHEAD_WITHNULLS(ARR_NDIM(a), n) :
		ARR_OVERHEAD_NONULLS(ARR_NDIM(a));
	if ((ARR_HASNULL(a) && (Size) a->dataoffset != header) || VARSIZE(a) < header)
		return false;
	present = ARR_HASNULL(a) ? gs_bits_count(ARR_NULLBITMAP(a), n) : n;
	return (VARSIZE(a) - header) / sizeof(float8) == (Size) present &&
		(VARSIZE(a) - header) % sizeof(float8) == 0;
}

/* An argument that is a state, to read or, in an aggregate, to change. */
static inline gs_collected *
state_argument(FunctionCallInfo fcinfo, int i)
{
	gs_collected *c = (gs_collected *) PG_GETARG_BYTEA_P(i);

	/* stored values have the alignment of bytea, which is less */
	if (unlikely((uintptr_t) c % MAXIMUM_ALIGNOF != 0))
		c = (gs_collected *) PG_GETARG_BYTEA_P_COPY(i);
	if (unlikely(!is_within(c)))
		gs_collected_invalid();
	return c;
}

/*
 * Names in the error are those of overloads, of which there would be one a
 * type.
 */
static void
unsupported(FunctionCallInfo fcinfo, Oid type)
{
	Aggref	   *aggregate = AggGetAggref(fcinfo);
	const char *name = get_func_name(aggregate != NULL ?
									 aggregate->aggfnoid :
									 fcinfo->flinfo->fn_oid);

	ereport(ERROR,
			errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			errmsg("%s does not support type %s", name,
				   OidIsValid(type) ? format_type_be(type) : "unknown"));
}

Oid
gs_value_type(FunctionCallInfo fcinfo, int argument, int elements)
{
	Oid			type = get_fn_expr_argtype(fcinfo->flinfo, argument);

	if (unlikely(!is_element(type, elements)))
	{
		if (OidIsValid(type))
			type = getBaseType(type);
		if (!is_element(type, elements))
			unsupported(fcinfo, type);
	}
	return type;
}

/* A state with a capacity of these bytes, which holds what `c` does. */
static gs_collected *
with_capacity(gs_collected *c, Size capacity)
{
	Size		begin = c->values + ARR_OVERHEAD_NONULLS(1);
	Size		used = begin + c->bytes;
	Size		size = begin + capacity;
	gs_collected *r = gs_alloc_large(size);

	memcpy(r, c, used);
	memset((char *) r + used, 0, size - used);
	SET_VARSIZE(r, size);
	SET_VARSIZE(values_of(r), size - c->values);
	return r;
}

/*
 * Make sure that so many bytes fit after the last value; may return a copy.  Of
 * numeric, they may be no whole words.
 */
static inline gs_collected *
reserve(FunctionCallInfo fcinfo, gs_collected *c, int64 more)
{
	const ArrayType *values = values_of(c);
	const Size	header = ARR_OVERHEAD_NONULLS(1);
	int64		capacity = VARSIZE(values) - header;
	int			unit;

	if (likely(c->bytes + more <= capacity && AggCheckCallContext(fcinfo, NULL)))
		return c;
	if (c->bytes + more > capacity)
	{
		unit = unit_of(values);
		capacity = unit *
			gs_group_capacity(c->bytes / unit,
							  (c->bytes + more + unit - 1) / unit,
							  c->values + header, unit,
							  ARR_ELEMTYPE(values) == NUMERICOID ?
							  "words of numeric" : "values");
	}
	return with_capacity(c, capacity);
}

/* The state of a group without rows. */
static gs_collected *
new_state(Oid type, const ArrayType *parameter)
{
	Size		size = parameter == NULL ? 0 : VARSIZE(parameter);
	Size		values = MAXALIGN(sizeof(gs_collected) + size);
	gs_collected *c;

	if (size > MaxAllocSize / 2)
		ereport(ERROR,
				errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				errmsg("the array of fractions is too large"));
	c = palloc0(values + ARR_OVERHEAD_NONULLS(1));
	SET_VARSIZE(c, values + ARR_OVERHEAD_NONULLS(1));
	c->values = (int32) values;
	if (parameter != NULL)
		memcpy(c + 1, parameter, size);
	SET_VARSIZE(values_of(c), ARR_OVERHEAD_NONULLS(1));
	values_of(c)->ndim = 1;
	values_of(c)->elemtype = type;
	ARR_LBOUND(values_of(c))[0] = 1;
	return c;
}

pg_noinline void
gs_parameter_changed(const char *names)
{
	ereport(ERROR,
			errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			errmsg("%s must not change within a group", names));
}

static inline void
check_parameter(const gs_collected *c, const ArrayType *parameter,
				const char *names)
{
	Size		size = parameter == NULL ? 0 : VARSIZE(parameter);

	if (unlikely(c->values != (int32) MAXALIGN(sizeof(gs_collected) + size) ||
				 (size > 0 && memcmp(c + 1, parameter, size) != 0)))
		gs_parameter_changed(names);
}

static inline void
count_nulls(gs_collected *c, int64 more)
{
	if (more > PG_INT64_MAX - c->nulls)
		gs_collected_invalid();
	c->nulls += more;
}

gs_collected *
gs_collected_open(FunctionCallInfo fcinfo, int elements,
				  const ArrayType *parameter, const char *names)
{
	Oid			type = gs_value_type(fcinfo, 1, elements);
	gs_collected *c = PG_ARGISNULL(0) ? new_state(type, parameter) :
		state_argument(fcinfo, 0);

	if (unlikely(ARR_ELEMTYPE(values_of(c)) != type))
		gs_collected_invalid();
	check_parameter(c, parameter, names);
	return reserve(fcinfo, c, 0);
}

static gs_collected *
append_decimal(FunctionCallInfo fcinfo, gs_collected *c, Datum value)
{
	Numeric		decimal = DatumGetNumeric(value);
	Size		size = VARSIZE(decimal);
	char	   *to;

	c = reserve(fcinfo, c, INTALIGN(size));
	to = data_of(c) + c->bytes;
	memcpy(to, decimal, size);
	memset(to + size, 0, INTALIGN(size) - size);
	c->bytes += INTALIGN(size);
	ARR_DIMS(values_of(c))[0]++;
	return c;
}

gs_collected *
gs_collected_append(FunctionCallInfo fcinfo, gs_collected *c, Datum value)
{
	int			width;

	if (ARR_ELEMTYPE(values_of(c)) == NUMERICOID)
		return append_decimal(fcinfo, c, value);
	width = unit_of(values_of(c));
	c = reserve(fcinfo, c, width);
	store_att_byval(data_of(c) + c->bytes, value, width);
	c->bytes += width;
	ARR_DIMS(values_of(c))[0]++;
	return c;
}

gs_collected *
gs_collect(FunctionCallInfo fcinfo, int elements, const ArrayType *parameter,
		   const char *names)
{
	gs_collected *c = gs_collected_open(fcinfo, elements, parameter, names);

	if (!PG_ARGISNULL(1))
		return gs_collected_append(fcinfo, c, PG_GETARG_DATUM(1));
	count_nulls(c, 1);
	return c;
}

gs_collected *
gs_collected_to_merge(FunctionCallInfo fcinfo, gs_collected **other,
					  const char *names)
{
	gs_collected *c = state_argument(fcinfo, 0);

	*other = state_argument(fcinfo, 1);
	if (ARR_ELEMTYPE(values_of(c)) != ARR_ELEMTYPE(values_of(*other)))
		gs_collected_invalid();
	if (c->values != (*other)->values ||
		memcmp(c + 1, *other + 1, c->values - sizeof(gs_collected)) != 0)
		gs_parameter_changed(names);
	return reserve(fcinfo, c, 0);
}

gs_collected *
gs_collected_append_all(FunctionCallInfo fcinfo, gs_collected *c,
						gs_collected *other)
{
	c = reserve(fcinfo, c, other->bytes);
	memcpy(data_of(c) + c->bytes, data_of(other), other->bytes);
	c->bytes += other->bytes;
	ARR_DIMS(values_of(c))[0] += ARR_DIMS(values_of(other))[0];
	return c;
}

void
gs_collected_keep(gs_collected *c, const Datum *values, int64 n)
{
	char	   *kept = palloc(Max(c->bytes, 1));
	Size		bytes = 0;

	for (int64 i = 0; i < n; i++)
	{
		Size		size = INTALIGN(VARSIZE(DatumGetPointer(values[i])));

		memcpy(kept + bytes, DatumGetPointer(values[i]), size);
		bytes += size;
	}
	memcpy(data_of(c), kept, bytes);
	c->bytes = bytes;
	ARR_DIMS(values_of(c))[0] = n;
	pfree(kept);
}

PG_FUNCTION_INFO_V1(gpu_collected_merge);

/* gpu_collected_merge(bytea, bytea) */
Datum
gpu_collected_merge(PG_FUNCTION_ARGS)
{
	gs_collected *other;
	gs_collected *c = gs_collected_to_merge(fcinfo, &other, "fractions");

	c = gs_collected_append_all(fcinfo, c, other);
	count_nulls(c, other->nulls);
	PG_RETURN_POINTER(c);
}

gs_collected *
gs_collected_argument(FunctionCallInfo fcinfo, int elements, Oid *type)
{
	gs_collected *c;

	*type = gs_value_type(fcinfo, 1, elements);
	if (PG_ARGISNULL(0))
		return NULL;
	c = state_argument(fcinfo, 0);
	if (ARR_ELEMTYPE(values_of(c)) != *type ||
		(*type == NUMERICOID && !are_decimals(c)))
		gs_collected_invalid();
	return c;
}

/* NULL if there is none */
ArrayType *
gs_collected_parameter(gs_collected *c)
{
	Size		size = c->values - sizeof(gs_collected);

	if (size == 0)
		return NULL;
	if (!is_parameter((ArrayType *) (c + 1), size))
		gs_collected_invalid();
	return (ArrayType *) (c + 1);
}

void
gs_parameter_set(gs_parameter *p, int n, const double *values)
{
	Assert(n <= GS_PARAMETER_MAX);
	memset(p, 0, sizeof(gs_parameter));
	SET_VARSIZE(&p->array, ARR_OVERHEAD_NONULLS(1) + n * sizeof(float8));
	p->array.ndim = 1;
	p->array.elemtype = FLOAT8OID;
	ARR_DIMS(&p->array)[0] = n;
	ARR_LBOUND(&p->array)[0] = 1;
	memcpy(ARR_DATA_PTR(&p->array), values, n * sizeof(float8));
}

const double *
gs_parameter_get(const ArrayType *a, int n)
{
	if (a == NULL || ARR_NDIM(a) != 1 || ARR_HASNULL(a) || ARR_DIMS(a)[0] != n)
		gs_collected_invalid();
	return (const double *) ARR_DATA_PTR(a);
}

Datum
gs_collected_values(gs_collected *c)
{
	return PointerGetDatum(values_of(c));
}
