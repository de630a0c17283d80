/*-------------------------------------------------------------------------
 *
 * order.c
 *	  Median, percentiles, mode, number of distinct elements.
 *
 * An engine orders the elements.  The backend then fetches the elements of the
 * ranks that it needs, or only the number of distinct ones.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/tupmacs.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/datum.h"
#include "utils/float.h"
#include "utils/lsyscache.h"

#include "call/call.h"
#include "call/decimal.h"
#include "call/decimal_array.h"
#include "engine/percentile.h"
#include "functions/decimal.h"
#include "functions/order/collected.h"
#include "functions/order/decimal_order.h"
#include "functions/order/order.h"

/*
 * Selecting one rank costs the CPU up to a fifth of a sort: more ranks than
 * this are taken from a sorted array.
 */
#define FEW_RANKS		4

/* What states hold. */
#define ORDERED			(GS_NUMBERS | GS_TIMES | GS_DECIMALS)

/*
 * From a sorted array, elements that follow are fetched along, where the next
 * ranks are likely to be among them.  Those of 8 bytes take about as long as
 * asking the service once more.
 */
#define FETCHED_ALONG	16384

void
gs_check_fraction(double fraction)
{
	if (!(fraction >= 0 && fraction <= 1))
		ereport(ERROR,
				errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("percentile value %s is not between 0 and 1",
					   float8out_internal(fraction)));
}

/* An element, without rounding. */
static gs_pair
pair_from_element(gs_type type, const void *element)
{
	Datum		datum = fetch_att(element, true, gs_type_width(type));

	switch (type)
	{
		case GS_INT2:
			return gs_percentile_integer(DatumGetInt16(datum));
		case GS_INT4:
			return gs_percentile_integer(DatumGetInt32(datum));
		case GS_INT8:
			return gs_percentile_integer(DatumGetInt64(datum));
		case GS_FLOAT4:
			return gs_percentile_float(DatumGetFloat4(datum));
		default:
			return gs_percentile_float(DatumGetFloat8(datum));
	}
}

Datum
gs_interpolated(gs_type type, const void *low, const void *high,
				double proportion)
{
	gs_pair		from = pair_from_element(type, low);
	gs_pair		to = proportion == 0 ? from : pair_from_element(type, high);

	return Float8GetDatum(gs_percentile_value(from, to, proportion));
}

/* Elements that have been fetched, from a rank on. */
typedef struct fetched
{
	int64		first;
	int64		n;
	int64		along;			/* fetch so many if the rank is near */
	char	   *elements;
} fetched;

static gs_status
fetch_elements(gs_call *call, const gs_engine *engine, fetched *f, int64 rank,
			   int64 n, const char **elements)
{
	gs_status	status = GS_OK;

	if (rank < f->first || rank + n > f->first + f->n)
	{
		bool		near = rank >= f->first &&
			rank - f->first - f->n < f->along;

		f->first = rank;
		f->n = !near ? n :
			Max(n, Min(f->along, call->result.results - rank));
		status = engine->fetch(call->run, GS_COLUMN_VALUES, rank, f->n,
							   f->elements);
	}
	*elements = f->elements +
		(rank - f->first) * gs_type_width(call->data.type);
	return status;
}

/* An integer that was fetched as the decimal that it stands for. */
static Datum
decimal_from_element(const gs_percentiles *p, const char *element)
{
	uint64		value;

	memcpy(&value, element, sizeof value);
	return gs_decimal_make(&value, 1, p->scale);
}

/*
 * Like percentile_cont, this computes the position in double precision, so
 * that a fraction of 0.1 means the second of eleven elements, although the
 * double 0.1 is a little more than a tenth.  The interpolation between two
 * elements is exact.
 */
static gs_status
take_interpolated(gs_call *call, const gs_engine *engine, fetched *f,
				  const gs_percentiles *p, double fraction, Datum *result)
{
	gs_type		type = call->data.type;
	gs_place	place = gs_percentile_place(fraction, false,
											call->result.results);
	bool		between = place.proportion > 0;
	const char *low;
	const char *high;
	gs_status	status = fetch_elements(call, engine, f, place.rank,
										between ? 2 : 1, &low);

	if (status != GS_OK)
		return status;
	high = between ? low + gs_type_width(type) : low;
	*result = p->decimals ?
		gs_decimal_between(decimal_from_element(p, low),
						   decimal_from_element(p, high), fraction, place,
						   call->result.results) :
		gs_interpolated(type, low, high, place.proportion);
	return GS_OK;
}

/* Like percentile_disc: the first element at or above the fraction. */
static gs_status
take_element(gs_call *call, const gs_engine *engine, fetched *f,
			 const gs_percentiles *p, double fraction, Datum *result)
{
	gs_place	place = gs_percentile_place(fraction, true,
											call->result.results);
	const char *element;
	gs_status	status = fetch_elements(call, engine, f, place.rank, 1,
										&element);

	if (status == GS_OK)
		*result = p->decimals ? decimal_from_element(p, element) :
			fetch_att(element, true, gs_type_width(call->data.type));
	return status;
}

gs_status
gs_fetch_percentiles(gs_call *call, const gs_engine *engine)
{
	gs_percentiles *p = call->fetch_arg;
	fetched		f = {.along = p->n <= FEW_RANKS ? 0 : FETCHED_ALONG};
	gs_status	status = GS_OK;

	if (call->result.results == 0)
		return GS_OK;
	f.elements = palloc(Max(f.along, 2) * sizeof(gs_value));
	for (int i = 0; i < p->n && status == GS_OK; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (p->null != NULL && p->null[i])
			continue;
		status = p->discrete ?
			take_element(call, engine, &f, p, p->fraction[i], &p->result[i]) :
			take_interpolated(call, engine, &f, p, p->fraction[i],
							  &p->result[i]);
	}
	pfree(f.elements);
	return status;
}

/* Execute an open call; false if there are no elements. */
static bool
execute_percentiles(gs_call *call, gs_percentiles *p)
{
	call->op.kind = p->n <= FEW_RANKS ? GS_SELECT : GS_SORT;
	call->fetch = gs_fetch_percentiles;
	call->fetch_arg = p;
	gs_call_execute(call);
	gs_call_close(call);
	return call->result.results > 0;
}

/*
 * Execute an open call for a single percentile; NULL if there are no elements.
 */
static Datum
percentile(FunctionCallInfo fcinfo, gs_call *call, gs_percentiles *p,
		   double fraction)
{
	Datum		result;

	p->n = 1;
	p->fraction = &fraction;
	p->result = &result;
	if (!execute_percentiles(call, p))
		PG_RETURN_NULL();
	return result;
}

Datum
gs_percentile(FunctionCallInfo fcinfo, gs_call *call, double fraction,
			  bool discrete)
{
	gs_percentiles p = {.discrete = discrete};

	return percentile(fcinfo, call, &p, fraction);
}

/* Open a call over argument 0, an array. */
static void
open_argument(FunctionCallInfo fcinfo, gs_call *call, const char *function,
			  gs_kind kind, gs_percentiles *p)
{
	Datum		array = gs_decimal_argument(fcinfo, 0, function, &p->scale);

	p->decimals = gs_takes_decimals(fcinfo);
	gs_call_open(call, function, kind, array);
}

/*
 * Open a call over a state's values.  False: they are of numeric, but no
 * decimals of one scale.
 */
static bool
open_values(gs_call *call, const char *function, gs_kind kind, Datum values,
			gs_percentiles *p)
{
	p->decimals = ARR_ELEMTYPE(DatumGetArrayTypeP(values)) == NUMERICOID;
	if (p->decimals)
	{
		values = PointerGetDatum(gs_decimal_array_try(function, values,
													  &p->scale));
		if (DatumGetPointer(values) == NULL)
			return false;
	}
	gs_call_open(call, function, kind, values);
	return true;
}

/* One percentile of a state's values, of which there is one that is numeric. */
static Datum
percentile_of_values(FunctionCallInfo fcinfo, const char *function,
					 bool discrete, Datum values, double fraction)
{
	gs_percentiles p = {.discrete = discrete,.n = 1,.fraction = &fraction};
	gs_decimals d;
	gs_call		call;
	Datum		result;

	if (open_values(&call, function, GS_SELECT, values, &p))
		return percentile(fcinfo, &call, &p, fraction);
	p.result = &result;
	gs_decimals_sort(&d, values);
	gs_decimals_percentiles(&d, &p);
	return datumCopy(result, false, -1);
}

PG_FUNCTION_INFO_V1(gpu_median);

/* Of times it is one of them: between two there need not be another. */
Datum
gpu_median(PG_FUNCTION_ARGS)
{
	gs_percentiles p = {0};
	gs_call		call;

	open_argument(fcinfo, &call, "gpu_median", GS_SELECT, &p);
	p.discrete = gs_is_time(call.data.elemtype);
	return percentile(fcinfo, &call, &p, 0.5);
}

/*
 * As with percentile_cont, a bad fraction is an error even without elements.
 */
static Datum
percentile_of_array(FunctionCallInfo fcinfo, const char *function,
					bool discrete)
{
	gs_percentiles p = {.discrete = discrete};
	gs_call		call;

	if (PG_ARGISNULL(1))
		PG_RETURN_NULL();
	gs_check_fraction(PG_GETARG_FLOAT8(1));
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	open_argument(fcinfo, &call, function, GS_SELECT, &p);
	return percentile(fcinfo, &call, &p, PG_GETARG_FLOAT8(1));
}

PG_FUNCTION_INFO_V1(gpu_percentile_cont);

Datum
gpu_percentile_cont(PG_FUNCTION_ARGS)
{
	return percentile_of_array(fcinfo, "gpu_percentile_cont", false);
}

PG_FUNCTION_INFO_V1(gpu_percentile_disc);

Datum
gpu_percentile_disc(PG_FUNCTION_ARGS)
{
	return percentile_of_array(fcinfo, "gpu_percentile_disc", true);
}

static void
check_fractions(const gs_percentiles *p)
{
	for (int i = 0; i < p->n; i++)
	{
		if (!p->null[i])
			gs_check_fraction(p->fraction[i]);
	}
}

/* Fractions in an array. */
static void
get_fractions(gs_percentiles *p, ArrayType *fractions)
{
	Datum	   *datum;
	double	   *fraction;
	bool	   *null;

	deconstruct_array(fractions, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL,
					  TYPALIGN_DOUBLE, &datum, &null, &p->n);
	fraction = palloc(p->n * sizeof(double));
	for (int i = 0; i < p->n; i++)
		fraction[i] = null[i] ? 0 : DatumGetFloat8(datum[i]);
	p->fraction = fraction;
	p->null = null;
	p->result = datum;
}

/* Results in an array of the same shape as the fractions. */
static Datum
percentile_array(const gs_percentiles *p, ArrayType *fractions, Oid elemtype)
{
	Oid			type = p->decimals ? NUMERICOID :
		p->discrete ? elemtype : FLOAT8OID;
	int16		width;
	bool		by_value;
	char		align;

	if (p->n == 0)
		PG_RETURN_ARRAYTYPE_P(construct_empty_array(type));
	get_typlenbyvalalign(type, &width, &by_value, &align);
	PG_RETURN_ARRAYTYPE_P(construct_md_array(p->result, (bool *) p->null,
											 ARR_NDIM(fractions),
											 ARR_DIMS(fractions),
											 ARR_LBOUND(fractions), type,
											 width, by_value, align));
}

/*
 * Execute an open call.  As with percentile_cont of an array, bad fractions are
 * no error without elements.
 */
static Datum
percentiles(FunctionCallInfo fcinfo, gs_call *call, gs_percentiles *p,
			ArrayType *fractions)
{
	if (gs_array_present(&call->data) > 0)
		check_fractions(p);
	if (!execute_percentiles(call, p))
		PG_RETURN_NULL();
	return percentile_array(p, fractions, call->data.elemtype);
}

Datum
gs_percentiles_of_multiset(const gs_multiset *m, Oid type, ArrayType *fractions,
						   bool discrete)
{
	gs_percentiles p = {.discrete = discrete,.decimals = m->decimals};

	get_fractions(&p, fractions);
	check_fractions(&p);
	for (int i = 0; i < p.n; i++)
	{
		if (!p.null[i])
			p.result[i] = gs_multiset_percentile(m, p.fraction[i], discrete);
	}
	return percentile_array(&p, fractions, type);
}

static Datum
percentiles_of_array(FunctionCallInfo fcinfo, const char *function,
					 bool discrete)
{
	gs_percentiles p = {.discrete = discrete};
	gs_call		call;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();
	get_fractions(&p, PG_GETARG_ARRAYTYPE_P(1));
	open_argument(fcinfo, &call, function, GS_SORT, &p);
	return percentiles(fcinfo, &call, &p, PG_GETARG_ARRAYTYPE_P(1));
}

PG_FUNCTION_INFO_V1(gpu_percentiles_cont);

Datum
gpu_percentiles_cont(PG_FUNCTION_ARGS)
{
	return percentiles_of_array(fcinfo, "gpu_percentile_cont", false);
}

PG_FUNCTION_INFO_V1(gpu_percentiles_disc);

Datum
gpu_percentiles_disc(PG_FUNCTION_ARGS)
{
	return percentiles_of_array(fcinfo, "gpu_percentile_disc", true);
}

/* Overloads for anyarray */
PG_FUNCTION_INFO_V1(gpu_percentiles_any_cont);

Datum
gpu_percentiles_any_cont(PG_FUNCTION_ARGS)
{
	/* the result is declared to be of double precision */
	if (gs_takes_decimals(fcinfo))
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("gpu_percentile_cont of numeric[] does not support an array of fractions"),
				errhint("Use gpu_percentiles_cont."));
	gs_require_elements(fcinfo, GS_NUMBERS);
	return percentiles_of_array(fcinfo, "gpu_percentile_cont", false);
}

PG_FUNCTION_INFO_V1(gpu_percentiles_any_disc);

Datum
gpu_percentiles_any_disc(PG_FUNCTION_ARGS)
{
	if (gs_takes_decimals(fcinfo))
		return gs_compare_decimals(fcinfo, gpu_percentiles_any_disc, true);
	gs_require_elements(fcinfo, GS_NUMBERS | GS_TIMES);
	return percentiles_of_array(fcinfo, "gpu_percentile_disc", true);
}

/* The aggregates: their states begin with the fractions, unless those are NULL */
static Datum
collect(FunctionCallInfo fcinfo, int elements)
{
	PG_RETURN_POINTER(gs_collect(fcinfo, elements, PG_ARGISNULL(2) ? NULL :
								 PG_GETARG_ARRAYTYPE_P(2), "fractions"));
}

PG_FUNCTION_INFO_V1(gpu_percentiles_cont_collect);

/* gpu_percentiles_cont_collect(bytea, value, fractions) */
Datum
gpu_percentiles_cont_collect(PG_FUNCTION_ARGS)
{
	return collect(fcinfo, GS_NUMBERS | GS_DECIMALS);
}

PG_FUNCTION_INFO_V1(gpu_percentiles_disc_collect);

Datum
gpu_percentiles_disc_collect(PG_FUNCTION_ARGS)
{
	return collect(fcinfo, ORDERED);
}

PG_FUNCTION_INFO_V1(gpu_percentile_disc_collect);

/* gpu_percentile_disc_collect(bytea, value, fraction) */
Datum
gpu_percentile_disc_collect(PG_FUNCTION_ARGS)
{
	gs_parameter parameter;
	double		fraction;

	if (!PG_ARGISNULL(2))
	{
		/* so that -0 is the same one as 0 */
		fraction = PG_GETARG_FLOAT8(2) + 0.0;
		gs_check_fraction(fraction);
		gs_parameter_set(&parameter, 1, &fraction);
	}
	PG_RETURN_POINTER(gs_collect(fcinfo, ORDERED,
								 PG_ARGISNULL(2) ? NULL : &parameter.array,
								 "fraction"));
}

/* Of a state; the other arguments are there for their types. */
static Datum
percentiles_of_rows(FunctionCallInfo fcinfo, const char *function,
					bool discrete)
{
	gs_percentiles p = {.discrete = discrete};
	Oid			type;
	gs_collected *c = gs_collected_argument(fcinfo, discrete ? ORDERED :
											GS_NUMBERS | GS_DECIMALS, &type);
	ArrayType  *fractions;
	gs_decimals d;
	gs_call		call;

	if (c == NULL)
		PG_RETURN_NULL();
	fractions = gs_collected_parameter(c);
	if (fractions == NULL)
		PG_RETURN_NULL();
	get_fractions(&p, fractions);
	if (open_values(&call, function, GS_SORT, gs_collected_values(c), &p))
		return percentiles(fcinfo, &call, &p, fractions);
	check_fractions(&p);
	gs_decimals_sort(&d, gs_collected_values(c));
	gs_decimals_percentiles(&d, &p);
	return percentile_array(&p, fractions, NUMERICOID);
}

PG_FUNCTION_INFO_V1(gpu_percentiles_cont_final);

Datum
gpu_percentiles_cont_final(PG_FUNCTION_ARGS)
{
	return percentiles_of_rows(fcinfo, "gpu_percentile_cont", false);
}

PG_FUNCTION_INFO_V1(gpu_percentiles_disc_final);

Datum
gpu_percentiles_disc_final(PG_FUNCTION_ARGS)
{
	return percentiles_of_rows(fcinfo, "gpu_percentile_disc", true);
}

/*
 * Without rows the state holds no fraction.  A fraction that does not depend
 * on rows is checked nevertheless, since percentile_cont checks it too.  If
 * the states come from parallel workers or from a window, it cannot be found.
 */
void
gs_check_unused_fraction(FunctionCallInfo fcinfo)
{
	Aggref	   *aggregate = AggGetAggref(fcinfo);
	Expr	   *fraction;
	AggState   *agg;
	Datum		value;
	bool		isnull;

	if (aggregate == NULL || DO_AGGSPLIT_COMBINE(aggregate->aggsplit) ||
		list_length(aggregate->args) != 2)
		return;
	fraction = lsecond_node(TargetEntry, aggregate->args)->expr;
	if (exprType((Node *) fraction) != FLOAT8OID ||
		contain_var_clause((Node *) fraction) ||
		contain_subplans((Node *) fraction) ||
		contain_volatile_functions((Node *) fraction))
		return;
	agg = castNode(AggState, fcinfo->context);
	value = ExecEvalExpr(ExecInitExpr(fraction, &agg->ss.ps),
						 agg->ss.ps.ps_ExprContext, &isnull);
	if (!isnull)
		gs_check_fraction(DatumGetFloat8(value));
}

static Datum
percentile_of_rows(FunctionCallInfo fcinfo, const char *function, bool discrete)
{
	Oid			type;
	gs_collected *c = gs_collected_argument(fcinfo, ORDERED, &type);
	ArrayType  *parameter;
	double		fraction;

	if (c == NULL)
	{
		gs_check_unused_fraction(fcinfo);
		PG_RETURN_NULL();
	}
	parameter = gs_collected_parameter(c);
	if (parameter == NULL)
		PG_RETURN_NULL();
	fraction = *gs_parameter_get(parameter, 1);
	gs_check_fraction(fraction);
	return percentile_of_values(fcinfo, function, discrete,
								gs_collected_values(c), fraction);
}

PG_FUNCTION_INFO_V1(gpu_percentile_disc_final);

/* gpu_percentile_disc_final(bytea, value, fraction) */
Datum
gpu_percentile_disc_final(PG_FUNCTION_ARGS)
{
	return percentile_of_rows(fcinfo, "gpu_percentile_disc", true);
}

PG_FUNCTION_INFO_V1(gpu_percentile_cont_final);

/* gpu_percentile_cont_final(bytea, numeric, fraction) */
Datum
gpu_percentile_cont_final(PG_FUNCTION_ARGS)
{
	return percentile_of_rows(fcinfo, "gpu_percentile_cont", false);
}

PG_FUNCTION_INFO_V1(gpu_median_final);

/* gpu_median_final(bytea, numeric) */
Datum
gpu_median_final(PG_FUNCTION_ARGS)
{
	Oid			type;
	gs_collected *c = gs_collected_argument(fcinfo, GS_DECIMALS, &type);

	if (c == NULL)
		PG_RETURN_NULL();
	return percentile_of_values(fcinfo, "gpu_median", false,
								gs_collected_values(c), 0.5);
}

PG_FUNCTION_INFO_V1(gpu_count_distinct);

Datum
gpu_count_distinct(PG_FUNCTION_ARGS)
{
	gs_call		call;

	gs_call_open(&call, "gpu_count_distinct", GS_DISTINCT, PG_GETARG_DATUM(0));
	gs_call_execute(&call);
	gs_call_close(&call);
	PG_RETURN_INT64(call.result.results);
}

PG_FUNCTION_INFO_V1(gpu_mode);

/* The smallest if several elements are the most frequent. */
Datum
gpu_mode(PG_FUNCTION_ARGS)
{
	gs_call		call;
	Datum		value;

	gs_call_open(&call, "gpu_mode", GS_DISTINCT, PG_GETARG_DATUM(0));
	gs_call_execute(&call);
	gs_call_close(&call);
	if (call.result.results == 0)
		PG_RETURN_NULL();
	value = fetch_att((char *) &call.result.value, true,
					  gs_type_width(call.data.type));
	PG_RETURN_DATUM(value);
}

/*
 * The least of the most frequent values of a state of numeric, and how many
 * there are; NULL: none.
 */
static Datum
mode_of_rows(FunctionCallInfo fcinfo, const char *function, int64 *distinct)
{
	Oid			type;
	gs_collected *c = gs_collected_argument(fcinfo, GS_DECIMALS, &type);
	gs_percentiles p = {0};
	gs_decimals d;
	gs_call		call;

	*distinct = 0;
	if (c == NULL)
		PG_RETURN_NULL();
	if (!open_values(&call, function, GS_DISTINCT, gs_collected_values(c), &p))
	{
		gs_decimals_sort(&d, gs_collected_values(c));
		return datumCopy(gs_decimals_mode(&d, distinct), false, -1);
	}
	gs_call_execute(&call);
	gs_call_close(&call);
	*distinct = call.result.results;
	if (*distinct == 0)
		PG_RETURN_NULL();
	return decimal_from_element(&p, (char *) &call.result.value);
}

PG_FUNCTION_INFO_V1(gpu_mode_final);

/* gpu_mode_final(bytea, numeric) */
Datum
gpu_mode_final(PG_FUNCTION_ARGS)
{
	int64		distinct;

	return mode_of_rows(fcinfo, "gpu_mode", &distinct);
}

PG_FUNCTION_INFO_V1(gpu_count_distinct_final);

/* gpu_count_distinct_final(bytea, numeric) */
Datum
gpu_count_distinct_final(PG_FUNCTION_ARGS)
{
	int64		distinct;

	mode_of_rows(fcinfo, "gpu_count_distinct", &distinct);
	fcinfo->isnull = false;
	PG_RETURN_INT64(distinct);
}
