/*-------------------------------------------------------------------------
 *
 * argument.c
 *	  gpu_argmin and gpu_argmax of a column: what another column has where this
 *	  one is least or greatest.  gpu_first and gpu_last are the same of a time,
 *	  and get the two columns the other way round.
 *
 * That may be a value of any type, of whose bytes nothing can be checked.  So the
 * state is internal: nobody can make one up.
 *
 * Of several rows the least payload is the result, in the order of its type; of
 * those that this takes for equal, or if there is no order, the one whose text
 * has the lesser bytes.  That does not depend on the order of rows.
 *
 * In a moving frame, a queue holds the rows that can still become the result
 * (frame.h).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/numeric.h"
#include "utils/typcache.h"

#include "array/array.h"
#include "functions/aggregate/moving.h"
#include "functions/order/collected.h"
#include "functions/order/sort.h"

/* What rows are compared by. */
typedef struct arg_key
{
	int64		order;			/* gs_order_key of the value; ~ for the least; of
								 * numeric, 0 or ~0 */
	Datum		decimal;		/* 0: it is not of numeric */
} arg_key;

typedef struct arg_state
{
	arg_key		key;
	Oid			type;			/* of the payload */
	int16		width;
	bool		by_value;
	bool		isnull;
	Datum		payload;
} arg_state;

static MemoryContext
aggregate_context(FunctionCallInfo fcinfo)
{
	MemoryContext context;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR, "aggregate function called in non-aggregate context");
	return context;
}

/* Is text a's before b's?  Equal ones are the same for every purpose. */
static bool
has_lesser_text(Oid type, Datum a, Datum b)
{
	Oid			output;
	bool		is_varlena;

	getTypeOutputInfo(type, &output, &is_varlena);
	return strcmp(OidOutputFunctionCall(output, a),
				  OidOutputFunctionCall(output, b)) < 0;
}

/* NULL is the greatest. */
static bool
is_lesser_payload(FunctionCallInfo fcinfo, const arg_state *s, Datum payload,
				  bool isnull)
{
	TypeCacheEntry *order;
	int			comparison = 0;

	if (isnull || s->isnull)
		return !isnull;
	if (datumIsEqual(payload, s->payload, s->by_value, s->width))
		return false;
	order = lookup_type_cache(s->type, TYPECACHE_CMP_PROC_FINFO);
	if (OidIsValid(order->cmp_proc_finfo.fn_oid))
		comparison = DatumGetInt32(FunctionCall2Coll(&order->cmp_proc_finfo,
													 PG_GET_COLLATION(),
													 payload, s->payload));
	return comparison == 0 ? has_lesser_text(s->type, payload, s->payload) :
		comparison < 0;
}

/* Above 0: the first one is the better one. */
static int
compare_keys(const arg_key *a, const arg_key *b)
{
	int			comparison;

	if (a->decimal == 0)
		return (a->order > b->order) - (a->order < b->order);
	comparison = DatumGetInt32(DirectFunctionCall2(numeric_cmp, a->decimal,
												   b->decimal));
	return a->order < 0 ? -comparison : comparison;
}

/* The state becomes of this row. */
static void
take(MemoryContext context, arg_state *s, const arg_key *key, Datum payload,
	 bool isnull)
{
	MemoryContext old = MemoryContextSwitchTo(context);
	Datum		copy = isnull ? (Datum) 0 :
		datumCopy(payload, s->by_value, s->width);
	Datum		decimal = key->decimal == 0 ? (Datum) 0 :
		datumCopy(key->decimal, false, -1);

	if (!s->isnull && !s->by_value)
		pfree(DatumGetPointer(s->payload));
	if (s->key.decimal != 0)
		pfree(DatumGetPointer(s->key.decimal));
	s->key.order = key->order;
	s->key.decimal = decimal;
	s->isnull = isnull;
	s->payload = copy;
	MemoryContextSwitchTo(old);
}

static void
offer(FunctionCallInfo fcinfo, MemoryContext context, arg_state *s,
	  const arg_key *key, Datum payload, bool isnull)
{
	int			comparison = compare_keys(key, &s->key);

	if (comparison > 0 ||
		(comparison == 0 && is_lesser_payload(fcinfo, s, payload, isnull)))
		take(context, s, key, payload, isnull);
}

static arg_state *
new_state(MemoryContext context, Oid type)
{
	arg_state  *s = MemoryContextAllocZero(context, sizeof(arg_state));

	s->type = type;
	s->isnull = true;
	get_typlenbyval(type, &s->width, &s->by_value);
	return s;
}

/* Where a function has its value; the payload is in the other one of 1 and 2. */
enum
{
	VALUE_FIRST = 1,
	VALUE_LAST
};

static arg_key
make_key(FunctionCallInfo fcinfo, int value, int64 flip)
{
	Oid			type = gs_value_type(fcinfo, value,
									 GS_NUMBERS | GS_TIMES | GS_DECIMALS);
	arg_key		key = {flip, 0};

	if (type == NUMERICOID)
		key.decimal = NumericGetDatum(PG_GETARG_NUMERIC(value));
	else
		key.order ^= gs_order_key(gs_type_from_oid(type),
								  PG_GETARG_DATUM(value));
	return key;
}

static Datum
add_row(FunctionCallInfo fcinfo, int value, int64 flip)
{
	MemoryContext context = aggregate_context(fcinfo);
	arg_state  *s = PG_ARGISNULL(0) ? NULL : (arg_state *) PG_GETARG_POINTER(0);
	const int	payload = VALUE_FIRST + VALUE_LAST - value;
	arg_key		key;

	if (PG_ARGISNULL(value))
	{
		if (s == NULL)
			PG_RETURN_NULL();
		PG_RETURN_POINTER(s);
	}
	key = make_key(fcinfo, value, flip);
	if (s == NULL)
	{
		s = new_state(context, get_fn_expr_argtype(fcinfo->flinfo, payload));
		take(context, s, &key, PG_GETARG_DATUM(payload),
			 PG_ARGISNULL(payload));
	}
	else
		offer(fcinfo, context, s, &key, PG_GETARG_DATUM(payload),
			  PG_ARGISNULL(payload));
	PG_RETURN_POINTER(s);
}

/*
 * A moving frame
 */

typedef struct arg_frame
{
	gs_frame	frame;			/* its numbers are pointers to arg_state */
	int64		entered;		/* rows with a value */
	int64		left;
} arg_frame;

static const gs_moving arg_moving = {NULL, NULL, NULL};

static gs_number
number_of(arg_state *s)
{
	gs_number	number;

	number.i = (int64) PointerGetDatum(s);
	return number;
}

static arg_state *
candidate_at(const arg_frame *f, int64 i)
{
	return (arg_state *)
		DatumGetPointer((Datum) gs_frame_entry_at(&f->frame, i)->value.i);
}

/* A row as one piece of memory. */
static arg_state *
make_candidate(const arg_frame *f, const arg_state *row)
{
	Size		decimal = row->key.decimal == 0 ? 0 :
		MAXALIGN(VARSIZE(DatumGetPointer(row->key.decimal)));
	Size		payload = row->isnull || row->by_value ? 0 :
		datumGetSize(row->payload, false, row->width);
	arg_state  *s = MemoryContextAlloc(f->frame.context,
									   MAXALIGN(sizeof *s) + decimal + payload);
	char	   *to = (char *) s + MAXALIGN(sizeof *s);

	*s = *row;
	if (decimal > 0)
	{
		memcpy(to, DatumGetPointer(row->key.decimal),
			   VARSIZE(DatumGetPointer(row->key.decimal)));
		s->key.decimal = PointerGetDatum(to);
	}
	if (payload > 0)
	{
		memcpy(to + decimal, DatumGetPointer(row->payload), payload);
		s->payload = PointerGetDatum(to + decimal);
	}
	return s;
}

/* Can the last candidate still become the result when this one has entered? */
static bool
stands_before(FunctionCallInfo fcinfo, const arg_state *last,
			  const arg_state *entering)
{
	int			comparison = compare_keys(&last->key, &entering->key);

	return comparison > 0 ||
		(comparison == 0 && is_lesser_payload(fcinfo, entering, last->payload,
											  last->isnull));
}

static Datum
enter_row(FunctionCallInfo fcinfo, int value, int64 flip)
{
	MemoryContext context = gs_window_context(fcinfo);
	arg_frame  *f = PG_ARGISNULL(0) ? NULL : (arg_frame *) PG_GETARG_POINTER(0);
	const int	payload = VALUE_FIRST + VALUE_LAST - value;
	arg_state	row = {.isnull = PG_ARGISNULL(payload)};

	if (f == NULL)
	{
		f = MemoryContextAllocZero(context, sizeof *f);
		gs_frame_open(&f->frame, INT8OID, context);
		f->frame.owned = true;
	}
	if (PG_ARGISNULL(value))
		PG_RETURN_POINTER(f);
	row.key = make_key(fcinfo, value, flip);
	row.type = get_fn_expr_argtype(fcinfo->flinfo, payload);
	get_typlenbyval(row.type, &row.width, &row.by_value);
	/* one that is expanded becomes flat */
	row.payload = row.isnull || row.by_value ? PG_GETARG_DATUM(payload) :
		datumCopy(PG_GETARG_DATUM(payload), false, row.width);
	while (f->frame.n > 0 &&
		   !stands_before(fcinfo, candidate_at(f, f->frame.n - 1), &row))
		gs_frame_drop_last(&f->frame);
	gs_frame_push(&f->frame, f->entered++, number_of(make_candidate(f, &row)));
	PG_RETURN_POINTER(f);
}

static Datum
leave_row(FunctionCallInfo fcinfo, int value)
{
	arg_frame  *f = gs_window_state(fcinfo);

	if (!PG_ARGISNULL(value))
		gs_frame_leave(&f->frame, ++f->left, &arg_moving);
	PG_RETURN_POINTER(f);
}

PG_FUNCTION_INFO_V1(gpu_frame_arg_final);

/* gpu_frame_arg_final(internal, ...): the rest is there for its types */
Datum
gpu_frame_arg_final(PG_FUNCTION_ARGS)
{
	const arg_frame *f;
	const arg_state *s;

	aggregate_context(fcinfo);
	f = PG_ARGISNULL(0) ? NULL : (const arg_frame *) PG_GETARG_POINTER(0);
	if (f == NULL || f->frame.n == 0)
		PG_RETURN_NULL();
	s = candidate_at(f, 0);
	if (s->isnull)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(datumCopy(s->payload, s->by_value, s->width));
}

/*
 * gpu_arg..._add(internal, value, payload), gpu_first_add and gpu_last_add(internal,
 * payload, value), and the same for frames
 */
#define TRANSITION(name, value, flip) \
PG_FUNCTION_INFO_V1(gpu_##name##_add); \
Datum \
gpu_##name##_add(PG_FUNCTION_ARGS) \
{ \
	return add_row(fcinfo, value, flip); \
} \
\
PG_FUNCTION_INFO_V1(gpu_frame_##name); \
Datum \
gpu_frame_##name(PG_FUNCTION_ARGS) \
{ \
	return enter_row(fcinfo, value, flip); \
}

TRANSITION(argmax, VALUE_FIRST, 0)
TRANSITION(argmin, VALUE_FIRST, -1)
TRANSITION(last, VALUE_LAST, 0)
TRANSITION(first, VALUE_LAST, -1)

PG_FUNCTION_INFO_V1(gpu_frame_arg_remove);

/* gpu_frame_arg_remove(internal, value, payload) */
Datum
gpu_frame_arg_remove(PG_FUNCTION_ARGS)
{
	return leave_row(fcinfo, VALUE_FIRST);
}

PG_FUNCTION_INFO_V1(gpu_frame_first_remove);

/* gpu_frame_first_remove(internal, payload, value) */
Datum
gpu_frame_first_remove(PG_FUNCTION_ARGS)
{
	return leave_row(fcinfo, VALUE_LAST);
}

PG_FUNCTION_INFO_V1(gpu_arg_merge);

/* gpu_arg_merge(internal, internal) */
Datum
gpu_arg_merge(PG_FUNCTION_ARGS)
{
	MemoryContext context = aggregate_context(fcinfo);
	arg_state  *s = PG_ARGISNULL(0) ? NULL : (arg_state *) PG_GETARG_POINTER(0);
	const arg_state *other;

	if (PG_ARGISNULL(1))
	{
		if (s == NULL)
			PG_RETURN_NULL();
		PG_RETURN_POINTER(s);
	}
	other = (const arg_state *) PG_GETARG_POINTER(1);
	if (s == NULL)
	{
		s = new_state(context, other->type);
		take(context, s, &other->key, other->payload, other->isnull);
	}
	else
		offer(fcinfo, context, s, &other->key, other->payload, other->isnull);
	PG_RETURN_POINTER(s);
}

PG_FUNCTION_INFO_V1(gpu_arg_serialize);

/* gpu_arg_serialize(internal): for processes of this server only */
Datum
gpu_arg_serialize(PG_FUNCTION_ARGS)
{
	const arg_state *s = (const arg_state *) PG_GETARG_POINTER(0);
	bool		other = s->key.decimal == 0;
	Size		size = datumEstimateSpace(s->payload, s->isnull, s->by_value,
										  s->width) +
		datumEstimateSpace(s->key.decimal, other, false, -1);
	bytea	   *r;
	char	   *to;

	aggregate_context(fcinfo);
	r = palloc(VARHDRSZ + sizeof(s->key.order) + sizeof(s->type) + size);
	to = VARDATA(r);
	memcpy(to, &s->key.order, sizeof s->key.order);
	to += sizeof s->key.order;
	memcpy(to, &s->type, sizeof s->type);
	to += sizeof s->type;
	datumSerialize(s->key.decimal, other, false, -1, &to);
	datumSerialize(s->payload, s->isnull, s->by_value, s->width, &to);
	SET_VARSIZE(r, to - (char *) r);
	PG_RETURN_BYTEA_P(r);
}

PG_FUNCTION_INFO_V1(gpu_arg_deserialize);

/* gpu_arg_deserialize(bytea, internal) */
Datum
gpu_arg_deserialize(PG_FUNCTION_ARGS)
{
	bytea	   *b;
	char	   *from;
	arg_state  *s;
	int64		order;
	Oid			type;
	bool		isnull;

	aggregate_context(fcinfo);
	b = PG_GETARG_BYTEA_PP(0);
	from = VARDATA_ANY(b);
	memcpy(&order, from, sizeof order);
	from += sizeof order;
	memcpy(&type, from, sizeof type);
	from += sizeof type;
	s = new_state(CurrentMemoryContext, type);
	s->key.order = order;
	s->key.decimal = datumRestore(&from, &isnull);
	s->payload = datumRestore(&from, &s->isnull);
	PG_RETURN_POINTER(s);
}

PG_FUNCTION_INFO_V1(gpu_arg_final);

/* gpu_arg_final(internal, ...): the rest is there for its types */
Datum
gpu_arg_final(PG_FUNCTION_ARGS)
{
	const arg_state *s;

	aggregate_context(fcinfo);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	s = (const arg_state *) PG_GETARG_POINTER(0);
	if (s->isnull)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(datumCopy(s->payload, s->by_value, s->width));
}
