/*-------------------------------------------------------------------------
 *
 * translate_constant.c
 *	  What has no column in it, when its value is known: constants of a plan,
 *	  and lists of IN.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "call/array_iteration.h"
#include "call/decimal.h"
#include "engine/arithmetic.h"
#include "report/translate/translate_times.h"

/*
 * The value of an expression without a column, as a constant.  sure: when
 * executing, that it cannot raise an error.
 */
bool
gs_put_value(gs_translation *t, Expr *expression, bool sure, gs_operand *r)
{
	Oid			sql_type = exprType((Node *) expression);
	gs_constant c;
	gs_type		type;
	Datum		datum;
	bool		isnull;

	if (!gs_computed_type(sql_type, &type))
		return gs_untranslated(t, psprintf("an expression has type %s",
										   format_type_be(sql_type)));
	if (!sure && !gs_is_known(t, expression))
		return gs_put_unknown(t, expression, type, r);
	memset(&c, 0, sizeof c);
	c.type = type;
	datum = gs_evaluate(t, expression, &isnull);
	c.null = isnull;
	if (!isnull && sql_type == NUMERICOID)
		return gs_put_decimal(t, datum, r);
	if (!isnull && sql_type == INTERVALOID)
	{
		if (!gs_interval_value(DatumGetIntervalP(datum), &c.value.i8))
			return gs_untranslated(t, "an interval is none between two times");
	}
	else if (!isnull)
		c.value = gs_value_from_datum(type, datum);
	return gs_put_constant(t, c, NULL, r);
}

static int64
integer_value(gs_type type, gs_value value)
{
	switch (type)
	{
		case GS_INT4:
			return value.i4;
		case GS_INT8:
			return value.i8;
		default:
			return value.i2;
	}
}

/*
 * The value in another type of numbers; false if it is out of its range, or if
 * it is left to the engine.
 */
bool
gs_convert(gs_type from, gs_value value, gs_type to, gs_value *result)
{
	int64		integer = integer_value(from, value);

	memset(result, 0, sizeof(gs_value));
	if (from == to)
	{
		*result = value;
		return true;
	}
	if (from == GS_FLOAT4 && to == GS_FLOAT8)
	{
		result->f8 = value.f4;
		return true;
	}
	if (from == GS_FLOAT4 || from == GS_FLOAT8)
		return false;
	switch (to)
	{
		case GS_INT2:
			return gs_cast_int8_int2(integer, &result->i2) == 0;
		case GS_INT4:
			return gs_cast_int8_int4(integer, &result->i4) == 0;
		case GS_INT8:
			result->i8 = integer;
			return true;
		case GS_FLOAT4:
			return gs_cast_int8_float4(integer, &result->f4) == 0;
		case GS_FLOAT8:
			return gs_cast_int8_float8(integer, &result->f8) == 0;
		default:
			return false;
	}
}

static int
compare_values(const void *a, const void *b, void *type)
{
	const gs_value *x = a;
	const gs_value *y = b;

	switch (*(gs_type *) type)
	{
		case GS_INT4:
			return gs_compare_int4(x->i4, y->i4);
		case GS_INT8:
			return gs_compare_int8(x->i8, y->i8);
		case GS_FLOAT4:
			return gs_compare_float4(x->f4, y->f4);
		case GS_FLOAT8:
			return gs_compare_float8(x->f8, y->f8);
		default:
			return gs_compare_int2(x->i2, y->i2);
	}
}

/* Make room for n more values of the plan's list; returns where they go. */
gs_value *
gs_extend_list(gs_translation *t, int n)
{
	gs_translation_private *p = t->private;
	int			length = t->plan.list_length;

	if (p->list == NULL || length + n > p->list_space)
	{
		p->list_space = Max(length + n, 2 * p->list_space);
		p->list = p->list == NULL ? palloc(p->list_space * sizeof(gs_value)) :
			repalloc_huge(p->list, p->list_space * sizeof(gs_value));
		t->plan.list = p->list;
	}
	return p->list + length;
}

/*
 * Put an instruction with a list, or one with the same list that is there
 * already.
 */
bool
gs_put_listed(gs_translation *t, gs_instruction in, const gs_value *values,
			  int n, gs_operand *r)
{
	const gs_translation_private *p = t->private;
	gs_value   *list;

	in.count = n;
	for (int i = 0; i < t->plan.instructions; i++)
	{
		const gs_instruction *other = &p->code[i];

		if (other->code == in.code && other->count == n &&
			other->width == in.width && other->first >= 0 &&
			other->first + n <= t->plan.list_length &&
			memcmp(p->list + other->first, values, n * sizeof(gs_value)) == 0)
		{
			in.first = other->first;
			return gs_put(t, in, r);
		}
	}
	list = gs_extend_list(t, n);
	memcpy(list, values, n * sizeof(gs_value));
	in.first = t->plan.list_length;
	t->plan.list_length += n;
	return gs_put(t, in, r);
}

bool
gs_put_search(gs_translation *t, gs_operand a, const gs_value *thresholds,
			  int n, gs_operand *r)
{
	const gs_instruction in = {
		.code = GS_CODE_SEARCH,
		.type = gs_operand_type(&t->plan, a),
		.a = a
	};

	return gs_put_listed(t, in, thresholds, n, r);
}

bool
gs_put_table(gs_translation *t, gs_operand a, gs_type type,
			 const gs_value *results, int n, gs_operand *r)
{
	const gs_instruction in = {
		.code = GS_CODE_LOOKUP,
		.type = gs_operand_type(&t->plan, a),
		.to = type,
		.a = a,
		.width = sizeof(gs_value),
		.on_null = -1
	};

	return gs_put_listed(t, in, results, n, r);
}

/* An element as a value that equals no other one of `type`, if there is one. */
static bool
convert_element(Oid sql_type, Datum datum, gs_type type, int scale,
				gs_value *value)
{
	gs_type		element_type = type;
	int64		integer;

	if (sql_type == NUMERICOID)
	{
		bool		equal = gs_decimal_find(datum, Max(scale, 0), &integer) ==
			GS_DECIMAL_EQUAL;

		memset(value, 0, sizeof *value);
		value->i8 = integer;
		return equal;
	}
	gs_report_type(sql_type, &element_type);
	return gs_convert(element_type, gs_value_from_datum(element_type, datum),
					  type, value);
}

/*
 * An array's elements as values of `type` and scale, for gs_put_in_list.  Those
 * that it cannot hold equal nothing, and are left out.  Returns how many there are.
 */
static int
take_elements(gs_translation *t, ArrayType *array, gs_type type, int scale,
			  gs_instruction *in)
{
	int16		length;
	bool		by_value;
	char		align;
	Datum	   *datums;
	bool	   *nulls;
	int			n;
	int			kept = 0;
	gs_value   *list;

	get_typlenbyvalalign(ARR_ELEMTYPE(array), &length, &by_value, &align);
	deconstruct_array(array, ARR_ELEMTYPE(array), length, by_value, align,
					  &datums, &nulls, &n);
	list = gs_extend_list(t, n);
	for (int i = 0; i < n; i++)
	{
		if (nulls[i])
			in->list_null = 1;
		else if (convert_element(ARR_ELEMTYPE(array), datums[i], type, scale,
								 &list[kept]))
			kept++;
	}
	return kept;
}

bool
gs_put_in_list(gs_translation *t, gs_instruction in, int n, gs_operand *r)
{
	gs_type		type = (gs_type) in.type;
	gs_value   *list = t->private->list + t->plan.list_length;

	qsort_arg(list, n, sizeof(gs_value), compare_values, &type);
	in.first = t->plan.list_length;
	for (int i = 0; i < n; i++)
	{
		if (i == 0 ||
			compare_values(&list[i], &list[in.count - 1], &type) != 0)
			list[in.count++] = list[i];
	}
	t->plan.list_length += in.count;
	return gs_put(t, in, r);
}

/* False, of whatever is not an error. */
static bool
put_false(gs_translation *t, gs_operand a, gs_operand *r)
{
	gs_operand	no;
	gs_operand	is_null;

	if (!gs_put_boolean(t, false, &no))
		return false;
	*r = no;
	return !gs_can_raise(t, a) ||
		(gs_put_unary(t, GS_CODE_IS_NULL, a, &is_null) &&
		 gs_put_choose(t, is_null, no, no, r));
}

/*
 * a = ANY (array).  type: in which they are compared.  Of an array without
 * elements it is false even for NULL.
 */
bool
gs_put_in(gs_translation *t, gs_operand a, Expr *array, gs_type type,
		  gs_operand *r)
{
	gs_instruction in = {.code = GS_CODE_IN};
	ArrayType  *value;
	gs_operand	other;
	Datum		datum;
	bool		isnull;
	int			n;

	if (!gs_has_no_column(array))
		return gs_untranslated(t, "an array is not the same for all rows");

	/* integers stay as they are: elements are made to fit */
	if (type != GS_FLOAT4 && type != GS_FLOAT8)
		type = gs_operand_type(&t->plan, a);
	if (!gs_put_cast(t, type, a, &a))
		return false;
	if (!gs_is_known(t, array))
		return gs_put_unknown(t, array, type, &other) &&
			gs_put_binary(t, GS_CODE_EQ, a, other, r);
	in.type = type;
	in.a = a;
	datum = gs_evaluate(t, array, &isnull);
	if (isnull)
		return gs_put_null(t, type, &other) &&
			gs_put_binary(t, GS_CODE_EQ, a, other, r);
	value = DatumGetArrayTypeP(datum);
	if (ArrayGetNItems(ARR_NDIM(value), ARR_DIMS(value)) == 0)
		return put_false(t, a, r);
	n = take_elements(t, value, type, gs_scale_of(t, a), &in);
	return gs_put_in_list(t, in, n, r);
}
