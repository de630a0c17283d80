/*-------------------------------------------------------------------------
 *
 * aggregate_parameters.c
 *	  Aggregates with parameters: percentiles and histograms.
 *
 * The parameters must be known when an execution begins.  Those that are an
 * error, or are unusual, are left to the ordinary plan.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/lsyscache.h"

#include "call/decimal.h"
#include "engine/percentile.h"
#include "functions/histogram/bucket.h"
#include "functions/histogram/histogram_time.h"
#include "functions/order/decimal_order.h"
#include "functions/order/order.h"
#include "report/aggregate/aggregate_rules.h"
#include "report/aggregate/aggregates.h"
#include "report/translate/translate_parts.h"

/* Histograms of more buckets are not held for each group. */
#define HISTOGRAM_BUCKETS_MAX	65536

/*
 * The value of a parameter.  When planning it may not be known; then *value is
 * left as it is.
 */
static bool
find_parameter(gs_translation *t, Expr *e, Oid type, Datum *value,
			   bool *isnull)
{
	*isnull = false;
	if (exprType((Node *) e) != type)
		return gs_untranslated(t, "an aggregate's parameter has an unusual type");
	if (gs_is_known(t, e))
		*value = gs_evaluate(t, e, isnull);
	else if (t->state != NULL || !IsA(e, Param))
		return gs_untranslated(t, "an aggregate's parameter is not known when the report starts");
	return true;
}

static Expr *
argument(const Aggref *aggref, int i)
{
	return list_nth_node(TargetEntry, aggref->args, i)->expr;
}

/* ----------
 * Percentiles
 * ----------
 */

bool
gs_report_fraction_add(gs_translation *t, gs_operand a, gs_operand filter,
					   gs_report_fraction *f)
{
	gs_aggregate aggregate;

	f->state = -1;
	if (f->isnull)
		return true;
	if (!(f->fraction >= 0 && f->fraction <= 1))
		return gs_untranslated(t, "a fraction is not between 0 and 1");
	memset(&aggregate, 0, sizeof aggregate);
	aggregate.kind = GS_AGG_PERCENTILE;
	aggregate.a = a;
	aggregate.filter = filter;
	aggregate.fraction = f->fraction;
	f->state = gs_translation_aggregate(t, &aggregate);
	return f->state >= 0;
}

/* The fractions of an array, in a copy of it. */
static gs_report_fraction *
take_fractions(const ArrayType *array, int *n)
{
	gs_report_fraction *f;
	Datum	   *values;
	bool	   *nulls;

	deconstruct_array((ArrayType *) array, FLOAT8OID, sizeof(float8),
					  FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &values, &nulls, n);
	f = palloc0(*n * sizeof *f);
	for (int i = 0; i < *n; i++)
	{
		f[i].isnull = nulls[i];
		f[i].fraction = nulls[i] ? 0 : DatumGetFloat8(values[i]);
	}
	return f;
}

/* Which percentiles are there to be? */
static bool
find_fractions(gs_translation *t, const Aggref *aggref,
			   gs_report_fraction **fractions, gs_report_aggregate *r)
{
	gs_report_fraction *f = palloc0(sizeof *f);
	Datum		value = Float8GetDatum(0.5);
	Expr	   *e;
	bool		isnull = false;

	r->fractions = 1;
	*fractions = f;
	if (aggref->aggdirectargs != NIL)
		e = linitial(aggref->aggdirectargs);
	else if (list_length(aggref->args) > 1)
		e = argument(aggref, 1);
	else
		e = NULL;
	if (e != NULL && get_element_type(exprType((Node *) e)) == FLOAT8OID)
	{
		value = PointerGetDatum(construct_array(&value, 1, FLOAT8OID,
												sizeof(float8),
												FLOAT8PASSBYVAL,
												TYPALIGN_DOUBLE));
		if (!find_parameter(t, e, exprType((Node *) e), &value, &isnull))
			return false;
		if (!isnull)
		{
			r->shape = DatumGetArrayTypePCopy(value);
			*fractions = take_fractions(r->shape, &r->fractions);
		}
	}
	else if (e != NULL && !find_parameter(t, e, FLOAT8OID, &value, &isnull))
		return false;
	else
		f->fraction = isnull ? 0 : DatumGetFloat8(value);
	return !isnull || gs_untranslated(t, "a fraction is NULL");
}

static bool
add_percentiles(gs_translation *t, const Aggref *aggref, gs_operand a,
				gs_operand filter, gs_report_aggregate *r)
{
	gs_report_fraction *f;
	gs_aggregate aggregate;
	gs_operand	sorted = a;

	if (gs_display_of(t, a) != GS_NOTHING)
		return gs_untranslated(t, "the values of an aggregate may differ in display scale");

	/* the aggregate itself raises an error */
	if (r->rule == GS_RULE_PERCENTILE &&
		gs_is_time(exprType((Node *) argument(aggref, 0))))
		return gs_untranslated(t, "there is nothing between two times");
	if (!find_fractions(t, aggref, &f, r))
		return false;
	r->fraction = f;
	if (r->descending && !gs_report_put_reversed(t, a, &sorted))
		return false;
	for (int i = 0; i < r->fractions; i++)
	{
		if (!gs_report_fraction_add(t, sorted, filter, &f[i]))
			return false;
	}
	memset(&aggregate, 0, sizeof aggregate);
	aggregate.kind = GS_AGG_COUNT;
	aggregate.a = a;
	aggregate.filter = filter;
	r->count = gs_translation_aggregate(t, &aggregate);
	if (!r->any_zero)
		return r->count >= 0;
	aggregate.kind = GS_AGG_SPECIALS;
	r->specials = gs_translation_aggregate(t, &aggregate);
	return r->count >= 0 && r->specials >= 0;
}

/*
 * Between two values; gpuscan's is of decimals, or rounds once, PostgreSQL's as
 * it does.  Its argument is always a double, or an interval.
 */
static Datum
between(const gs_report_aggregate *a, const gs_report_fraction *f,
		const gs_value *pair, int64 n)
{
	double		place = f->fraction * (double) (n - 1);
	double		proportion = place - floor(place);

	if (a->value_of.form == GS_FORM_DECIMAL)
		return gs_decimal_between(gs_report_datum(&a->value_of, &pair[0]),
								  gs_report_datum(&a->value_of, &pair[1]),
								  f->fraction,
								  gs_percentile_place(f->fraction, false, n), n);
	if (a->value_of.form == GS_FORM_INTERVAL)
	{
		Datum		low = gs_report_datum(&a->value_of, &pair[0]);

		return proportion == 0 ? low :
			gs_report_interval_between(low,
									   gs_report_datum(&a->value_of, &pair[1]),
									   proportion);
	}
	if (a->gpuscan)
		return gs_interpolated(a->type, &pair[0], &pair[1], proportion);
	if (proportion == 0)
		return Float8GetDatum(pair[0].f8);
	return Float8GetDatum(pair[0].f8 + proportion * (pair[1].f8 - pair[0].f8));
}

/* The values at the engine's two places. */
static void
find_pair(const gs_report_aggregate *a, const gs_report_fraction *f,
		  const gs_report_groups *groups, int64 i, gs_value *pair)
{
	memcpy(pair, (const gs_value *) states(groups, f->state) + 2 * i,
		   2 * sizeof *pair);
	for (int k = 0; a->descending && k < 2; k++)
		pair[k] = gs_report_reversed(a->type, pair[k]);
}

/*
 * Between two values zeros do not matter: the sum of a zero and what is not
 * negative is never -0.
 */
bool
gs_report_percentile_is_zero(const gs_report_aggregate *a,
							 const gs_report_groups *groups, int64 i)
{
	int64		n = ((const int64 *) states(groups, a->count))[i];
	const int64 *specials =
	(const int64 *) states(groups, a->specials) + i * GS_SPECIALS;

	if (specials[GS_SPECIAL_NEGATIVE_ZERO] == 0)
		return false;
	for (int k = 0; k < a->fractions; k++)
	{
		const gs_report_fraction *f = &a->fraction[k];
		double		place = f->fraction * (double) (n - 1);
		gs_value	pair[2];
		const gs_value *v = pair;

		if (f->isnull || (a->rule != GS_RULE_ELEMENT && place != floor(place)))
			continue;
		find_pair(a, f, groups, i, pair);
		if (a->rule == GS_RULE_ELEMENT)
			v = &v[gs_percentile_element(f->fraction, n)];
		if ((a->type == GS_FLOAT4 ? (double) v->f4 : v->f8) == 0)
			return true;
	}
	return false;
}

Datum
gs_report_percentile(const gs_report_aggregate *a, const gs_report_fraction *f,
					 const gs_report_groups *groups, int64 i, int64 n)
{
	gs_value	pair[2];

	find_pair(a, f, groups, i, pair);
	if (a->rule == GS_RULE_ELEMENT)
		return gs_report_datum(&a->value_of, &pair[gs_percentile_element(f->fraction, n)]);
	return between(a, f, pair, n);
}

/* In an array like that of the fractions. */
static Datum
percentile_array(const gs_report_aggregate *a, const gs_report_groups *groups,
				 int64 i, int64 n)
{
	Oid			type = get_element_type(a->result_type);
	Datum	   *values = palloc(a->fractions * sizeof *values);
	bool	   *nulls = palloc(a->fractions * sizeof *nulls);
	int16		width;
	bool		by_value;
	char		align;

	if (a->fractions == 0)
		return PointerGetDatum(construct_empty_array(type));
	for (int k = 0; k < a->fractions; k++)
	{
		nulls[k] = a->fraction[k].isnull;
		values[k] = nulls[k] ? (Datum) 0 :
			gs_report_percentile(a, &a->fraction[k], groups, i, n);
	}
	get_typlenbyvalalign(type, &width, &by_value, &align);
	return PointerGetDatum(construct_md_array(values, nulls, ARR_NDIM(a->shape),
											  ARR_DIMS(a->shape),
											  ARR_LBOUND(a->shape), type,
											  width, by_value, align));
}

/* ----------
 * Histograms
 * ----------
 */

static const char histogram_of_null[] =
"a parameter of a histogram is NULL";

/* A bound, of the type of the values if these are times. */
static bool
find_bound(gs_translation *t, const Aggref *aggref, int i, double unknown,
		   double *bound)
{
	Oid			type = exprType((Node *) argument(aggref, 0));
	bool		is_time = gs_is_time(type);
	Datum		value = type == DATEOID ? Int32GetDatum((int32) unknown) :
		is_time ? Int64GetDatum((int64) unknown) : Float8GetDatum(unknown);
	bool		isnull;

	if (!find_parameter(t, argument(aggref, i), is_time ? type : FLOAT8OID,
						&value, &isnull))
		return false;
	if (isnull)
		return gs_untranslated(t, histogram_of_null);
	if (is_time && !gs_time_is_bound(type, value))
		return gs_untranslated(t, "a histogram's bounds or number of buckets are not supported");
	*bound = is_time ? gs_bound_from_time(type, value) : DatumGetFloat8(value);
	return true;
}

/*
 * Of numeric, the buckets are those of width_bucket(), whose bounds are the shortest
 * decimals: the histogram is that of their numbers.
 */
static bool
put_decimal_bucket(gs_translation *t, Expr *value, gs_aggregate *aggregate)
{
	Const	   *bound[2];
	Const	   *buckets = makeConst(INT4OID, -1, InvalidOid, sizeof(int32),
									Int32GetDatum(aggregate->buckets), false,
									true);

	for (int i = 0; i < 2; i++)
		bound[i] = makeConst(NUMERICOID, -1, InvalidOid, -1,
							 gs_decimal_from_double(i == 0 ? aggregate->low :
													aggregate->high),
							 false, false);
	aggregate->low = 1;
	aggregate->high = aggregate->buckets + 1;
	return gs_translate_buckets(t, true, list_make4(value, bound[0], bound[1],
													buckets), &aggregate->a);
}

static bool
add_histogram(gs_translation *t, const Aggref *aggref, gs_operand a,
			  gs_operand filter, gs_report_aggregate *r)
{
	Datum		buckets = Int32GetDatum(1);
	gs_aggregate aggregate;
	bool		isnull;

	memset(&aggregate, 0, sizeof aggregate);
	aggregate.kind = GS_AGG_HISTOGRAM;
	aggregate.a = a;
	aggregate.filter = filter;
	if (!find_bound(t, aggref, 1, 0, &aggregate.low) ||
		!find_bound(t, aggref, 2, 1, &aggregate.high) ||
		!find_parameter(t, argument(aggref, 3), INT4OID, &buckets, &isnull))
		return false;
	if (isnull)
		return gs_untranslated(t, histogram_of_null);
	aggregate.buckets = DatumGetInt32(buckets);
	aggregate.formula = gs_server_formula();
	if (!isfinite(aggregate.low) || !isfinite(aggregate.high) ||
		aggregate.low == aggregate.high || aggregate.buckets < 1 ||
		aggregate.buckets > HISTOGRAM_BUCKETS_MAX ||
		gs_range_is_wide(aggregate.low, aggregate.high, aggregate.buckets))
		return gs_untranslated(t, "a histogram's bounds or number of buckets are not supported");
	if (r->value_of.form == GS_FORM_DECIMAL &&
		!put_decimal_bucket(t, argument(aggref, 0), &aggregate))
		return false;
	r->buckets = aggregate.buckets;
	r->value = gs_translation_aggregate(t, &aggregate);

	/* rows without a value make it empty, but not NULL */
	memset(&aggregate, 0, sizeof aggregate);
	aggregate.kind = GS_AGG_COUNT;
	aggregate.a = GS_NOTHING;
	aggregate.filter = filter;
	r->count = gs_translation_aggregate(t, &aggregate);
	return r->value >= 0 && r->count >= 0;
}

/* The counts that are in buckets. */
static Datum
histogram(const gs_report_aggregate *a, const gs_report_groups *groups,
		  int64 i)
{
	const int64 *counts = (const int64 *) states(groups, a->value) +
	i * (a->buckets + 3) + 1;
	Datum	   *values = palloc(a->buckets * sizeof *values);

	for (int k = 0; k < a->buckets; k++)
		values[k] = Int64GetDatum(counts[k]);
	return PointerGetDatum(construct_array(values, a->buckets, INT8OID,
										   sizeof(int64), FLOAT8PASSBYVAL,
										   TYPALIGN_DOUBLE));
}

/* ----------
 * All of them
 * ----------
 */

bool
gs_report_parameters_add(gs_translation *t, const Aggref *aggref,
						 gs_operand a, gs_operand filter,
						 gs_report_aggregate *r)
{
	if (r->rule == GS_RULE_HISTOGRAM)
		return add_histogram(t, aggref, a, filter, r);
	return add_percentiles(t, aggref, a, filter, r);
}

Datum
gs_report_parameters_result(const gs_report_aggregate *a,
							const gs_report_groups *groups, int64 i,
							int64 count)
{
	if (a->rule == GS_RULE_HISTOGRAM)
		return histogram(a, groups, i);
	if (a->shape != NULL)
		return percentile_array(a, groups, i, count);
	return gs_report_percentile(a, a->fraction, groups, i, count);
}
