/*-------------------------------------------------------------------------
 *
 * translate_operators.c
 *	  Functions and operators, as far as an instruction computes them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <float.h>

#include "nodes/nodeFuncs.h"
#include "utils/float.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "engine/elements.h"
#include "pg/settings.h"
#include "report/translate/translate_times.h"

/* What takes several instructions, or none. */
enum
{
	SQL_PLUS = GS_CODES,
	SQL_SIGN,
	SQL_BOOL_TO_INT4,
	SQL_INT4_TO_BOOL,
	SQL_DECIMAL_TO_FLOAT8,
	SQL_DECIMAL_TO_FLOAT4,
	SQL_DECIMAL_TO_INTEGER,
	SQL_DECIMAL_TYPMOD,
	SQL_WIDTH_BUCKET,
	SQL_WIDTH_BUCKET_ARRAY
};

/* In place of a gs_type: numeric, whose operands are GS_INT8. */
#define DECIMAL		(GS_FLOAT8 + 1)

#define MOST_OIDS	8

/* SQL functions as an instruction. */
typedef struct sql_function
{
	uint8		code;			/* gs_code, or one of those above */
	uint8		type;			/* that operands are cast to first, or
								 * DECIMAL; SQL_DECIMAL_TO_INTEGER: the
								 * result's */
	Oid			oid[MOST_OIDS]; /* 0: no more */
} sql_function;

/*
 * By what they compute, and in which type: a function of smallint and integer
 * is one of integers.  The OIDs of built-in functions never change.
 */
static const sql_function table[] = {
	{GS_CODE_ADD, GS_INT2, {176}},
	{GS_CODE_ADD, GS_INT4, {177, 178, 179}},
	{GS_CODE_ADD, GS_INT8, {463, 837, 841, 1274, 1278}},
	{GS_CODE_ADD, GS_FLOAT4, {204}},
	{GS_CODE_ADD, GS_FLOAT8, {218, 281, 285}},

	{GS_CODE_SUBTRACT, GS_INT2, {180}},
	{GS_CODE_SUBTRACT, GS_INT4, {181, 182, 183}},
	{GS_CODE_SUBTRACT, GS_INT8, {464, 838, 942, 1275, 1279}},
	{GS_CODE_SUBTRACT, GS_FLOAT4, {205}},
	{GS_CODE_SUBTRACT, GS_FLOAT8, {219, 282, 286}},

	{GS_CODE_MULTIPLY, GS_INT2, {152}},
	{GS_CODE_MULTIPLY, GS_INT4, {141, 170, 171}},
	{GS_CODE_MULTIPLY, GS_INT8, {465, 839, 943, 1276, 1280}},
	{GS_CODE_MULTIPLY, GS_FLOAT4, {202}},
	{GS_CODE_MULTIPLY, GS_FLOAT8, {216, 279, 283}},

	{GS_CODE_DIVIDE, GS_INT2, {153}},
	{GS_CODE_DIVIDE, GS_INT4, {154, 172, 173}},
	{GS_CODE_DIVIDE, GS_INT8, {466, 840, 948, 1277, 1281}},
	{GS_CODE_DIVIDE, GS_FLOAT4, {203}},
	{GS_CODE_DIVIDE, GS_FLOAT8, {217, 280, 284}},

	{GS_CODE_MODULO, GS_INT2, {155, 940}},
	{GS_CODE_MODULO, GS_INT4, {156, 941}},
	{GS_CODE_MODULO, GS_INT8, {945, 947}},

	{GS_CODE_BIT_AND, GS_INT2, {1892}},
	{GS_CODE_BIT_AND, GS_INT4, {1898}},
	{GS_CODE_BIT_AND, GS_INT8, {1904}},
	{GS_CODE_BIT_OR, GS_INT2, {1893}},
	{GS_CODE_BIT_OR, GS_INT4, {1899}},
	{GS_CODE_BIT_OR, GS_INT8, {1905}},
	{GS_CODE_BIT_XOR, GS_INT2, {1894}},
	{GS_CODE_BIT_XOR, GS_INT4, {1900}},
	{GS_CODE_BIT_XOR, GS_INT8, {1906}},
	{GS_CODE_BIT_NOT, GS_INT2, {1895}},
	{GS_CODE_BIT_NOT, GS_INT4, {1901}},
	{GS_CODE_BIT_NOT, GS_INT8, {1907}},
	{GS_CODE_SHIFT_LEFT, GS_INT2, {1896}},
	{GS_CODE_SHIFT_LEFT, GS_INT4, {1902}},
	{GS_CODE_SHIFT_LEFT, GS_INT8, {1908}},
	{GS_CODE_SHIFT_RIGHT, GS_INT2, {1897}},
	{GS_CODE_SHIFT_RIGHT, GS_INT4, {1903}},
	{GS_CODE_SHIFT_RIGHT, GS_INT8, {1909}},

	{GS_CODE_FLOOR, GS_FLOAT8, {2309}},
	{GS_CODE_CEIL, GS_FLOAT8, {2308, 2320}},
	{GS_CODE_TRUNC, GS_FLOAT8, {229, 1343}},
	{GS_CODE_ROUND, GS_FLOAT8, {228, 1342}},
	{GS_CODE_SQRT, GS_FLOAT8, {230, 1344}},
	{SQL_SIGN, GS_FLOAT8, {2310}},
	{GS_CODE_EXP, GS_FLOAT8, {233, 1347}},
	{GS_CODE_LN, GS_FLOAT8, {234, 1341}},
	{GS_CODE_LOG10, GS_FLOAT8, {1194, 1339, 1340}},
	{GS_CODE_POWER, GS_FLOAT8, {232, 1346, 1368}},

	{GS_CODE_NEGATE, GS_INT2, {213}},
	{GS_CODE_NEGATE, GS_INT4, {212}},
	{GS_CODE_NEGATE, GS_INT8, {462}},
	{GS_CODE_NEGATE, GS_FLOAT4, {206}},
	{GS_CODE_NEGATE, GS_FLOAT8, {220}},

	{GS_CODE_ABS, GS_INT2, {1253, 1398}},
	{GS_CODE_ABS, GS_INT4, {1251, 1397}},
	{GS_CODE_ABS, GS_INT8, {1230, 1396}},
	{GS_CODE_ABS, GS_FLOAT4, {207, 1394}},
	{GS_CODE_ABS, GS_FLOAT8, {221, 1395}},

	{SQL_PLUS, GS_INT2, {1911}},
	{SQL_PLUS, GS_INT4, {1912}},
	{SQL_PLUS, GS_INT8, {1910}},
	{SQL_PLUS, GS_FLOAT4, {1913}},
	{SQL_PLUS, GS_FLOAT8, {1914}},

	{GS_CODE_LT, GS_BOOL, {56}},
	{GS_CODE_LT, GS_INT2, {64}},
	{GS_CODE_LT, GS_INT4, {66, 160, 161, 1087}},
	{GS_CODE_LT, GS_INT8, {469, 476, 854, 1154, 1852, 1858, 2054, 1102}},
	{GS_CODE_LT, GS_FLOAT4, {289}},
	{GS_CODE_LT, GS_FLOAT8, {295, 301, 307}},

	{GS_CODE_LE, GS_BOOL, {1691}},
	{GS_CODE_LE, GS_INT2, {148}},
	{GS_CODE_LE, GS_INT4, {149, 166, 167, 1088}},
	{GS_CODE_LE, GS_INT8, {471, 478, 856, 1155, 1854, 1860, 2055, 1103}},
	{GS_CODE_LE, GS_FLOAT4, {290}},
	{GS_CODE_LE, GS_FLOAT8, {296, 302, 308}},

	{GS_CODE_EQ, GS_BOOL, {60}},
	{GS_CODE_EQ, GS_INT2, {63}},
	{GS_CODE_EQ, GS_INT4, {65, 158, 159, 1086}},
	{GS_CODE_EQ, GS_INT8, {467, 474, 852, 1152, 1850, 1856, 2052, 1145}},
	{GS_CODE_EQ, GS_FLOAT4, {287}},
	{GS_CODE_EQ, GS_FLOAT8, {293, 299, 305}},

	{GS_CODE_NE, GS_BOOL, {84}},
	{GS_CODE_NE, GS_INT2, {145}},
	{GS_CODE_NE, GS_INT4, {144, 164, 165, 1091}},
	{GS_CODE_NE, GS_INT8, {468, 475, 853, 1153, 1851, 1857, 2053, 1106}},
	{GS_CODE_NE, GS_FLOAT4, {288}},
	{GS_CODE_NE, GS_FLOAT8, {294, 300, 306}},

	{GS_CODE_GE, GS_BOOL, {1692}},
	{GS_CODE_GE, GS_INT2, {151}},
	{GS_CODE_GE, GS_INT4, {150, 168, 169, 1090}},
	{GS_CODE_GE, GS_INT8, {472, 479, 857, 1156, 1855, 1861, 2056, 1105}},
	{GS_CODE_GE, GS_FLOAT4, {292}},
	{GS_CODE_GE, GS_FLOAT8, {298, 304, 310}},

	{GS_CODE_GT, GS_BOOL, {57}},
	{GS_CODE_GT, GS_INT2, {146}},
	{GS_CODE_GT, GS_INT4, {147, 162, 163, 1089}},
	{GS_CODE_GT, GS_INT8, {470, 477, 855, 1157, 1853, 1859, 2057, 1104}},
	{GS_CODE_GT, GS_FLOAT4, {291}},
	{GS_CODE_GT, GS_FLOAT8, {297, 303, 309}},

	{GS_CODE_CAST, GS_INT2, {237, 238, 314, 714}},
	{GS_CODE_CAST, GS_INT4, {313, 317, 319, 480}},
	{GS_CODE_CAST, GS_INT8, {481, 483, 653, 754}},
	{GS_CODE_CAST, GS_FLOAT4, {236, 312, 318, 652}},
	{GS_CODE_CAST, GS_FLOAT8, {235, 311, 316, 482}},

	{GS_CODE_ADD, DECIMAL, {1724}},
	{GS_CODE_SUBTRACT, DECIMAL, {1725}},
	{GS_CODE_MULTIPLY, DECIMAL, {1726}},
	{GS_CODE_DIVIDE, DECIMAL, {1973, 1980}},	/* div() */
	{GS_CODE_MODULO, DECIMAL, {1728, 1729}},
	{GS_CODE_FLOOR, DECIMAL, {1712}},
	{GS_CODE_CEIL, DECIMAL, {1711, 2167}},
	{GS_CODE_TRUNC, DECIMAL, {1709, 1710}},
	{GS_CODE_ROUND, DECIMAL, {1707, 1708}},
	{SQL_SIGN, DECIMAL, {1706}},
	{GS_CODE_NEGATE, DECIMAL, {1771}},
	{GS_CODE_ABS, DECIMAL, {1704, 1705}},
	{SQL_PLUS, DECIMAL, {1915}},
	{GS_CODE_LT, DECIMAL, {1722}},
	{GS_CODE_LE, DECIMAL, {1723}},
	{GS_CODE_EQ, DECIMAL, {1718}},
	{GS_CODE_NE, DECIMAL, {1719}},
	{GS_CODE_GE, DECIMAL, {1721}},
	{GS_CODE_GT, DECIMAL, {1720}},
	{GS_CODE_CAST, DECIMAL, {1740, 1781, 1782}},	/* of integers */
	{SQL_DECIMAL_TO_FLOAT8, DECIMAL, {1746}},
	{SQL_DECIMAL_TO_FLOAT4, DECIMAL, {1745}},
	{SQL_DECIMAL_TO_INTEGER, GS_INT2, {1783}},
	{SQL_DECIMAL_TO_INTEGER, GS_INT4, {1744}},
	{SQL_DECIMAL_TO_INTEGER, GS_INT8, {1779}},
	{SQL_DECIMAL_TYPMOD, DECIMAL, {1703}},

	{SQL_WIDTH_BUCKET, GS_FLOAT8, {320}},
	{SQL_WIDTH_BUCKET, DECIMAL, {2170}},
	{SQL_WIDTH_BUCKET_ARRAY, GS_FLOAT8, {3218}},	/* any type */
	{SQL_BOOL_TO_INT4, GS_BOOL, {2558}},
	{SQL_INT4_TO_BOOL, GS_INT4, {2557}}
};

/*
 * The table's place of each of PostgreSQL's first functions, and 1; 0: it has none.
 * A search took a tenth of what it takes to plan a report.
 */
#define FIRST_OIDS	4096

static uint8 place_of[FIRST_OIDS];

static void
find_places(void)
{
	StaticAssertDecl(lengthof(table) <= PG_UINT8_MAX, "a place is a byte");
	for (int i = 0; i < (int) lengthof(table); i++)
	{
		for (int k = 0; k < MOST_OIDS && table[i].oid[k] != InvalidOid; k++)
		{
			if (table[i].oid[k] >= FIRST_OIDS)
				elog(ERROR, "a function of the table is not among the first");
			place_of[table[i].oid[k]] = (uint8) (i + 1);
		}
	}
}

/* NULL if there is no instruction for it. */
static const sql_function *
find_function(gs_translation *t, Oid oid)
{
	char	   *name;

	if (place_of[table[0].oid[0]] == 0)
		find_places();
	if (oid < FIRST_OIDS && place_of[oid] > 0)
		return &table[place_of[oid] - 1];
	name = get_func_name(oid);
	gs_untranslated_hint(t,
						 psprintf("function %s is not supported", name ? name : "?"),
						 oid == F_NUMERIC_DIV ?
						 "Divide double precision values, or divide the results of aggregates."
						 : NULL);
	return NULL;
}

/* Both operands, as the function compares them. */
static bool
put_casts(gs_translation *t, const sql_function *function, gs_operand a,
		  gs_operand b, gs_operand *cast_a, gs_operand *cast_b)
{
	if (function->type != DECIMAL)
		return gs_put_cast(t, function->type, a, cast_a) &&
			gs_put_cast(t, function->type, b, cast_b);
	*cast_a = a;
	*cast_b = b;
	return gs_align_decimals(t, cast_a, cast_b);
}

/* Both arguments, in the function's type.  a, b: as they are. */
static bool
translate_two(gs_translation *t, const sql_function *function, List *args,
			  gs_operand *a, gs_operand *b, gs_operand *cast_a,
			  gs_operand *cast_b)
{
	return gs_translate(t, linitial(args), a) &&
		gs_translate(t, lsecond(args), b) &&
		put_casts(t, function, *a, *b, cast_a, cast_b);
}

/* -1, 0 or 1: by the place among thresholds, of which NaN is beyond them all. */
static bool
put_sign(gs_translation *t, gs_operand a, gs_operand *r)
{
	gs_type		type = gs_operand_type(&t->plan, a);
	gs_value	thresholds[3];
	gs_value	signs[4];

	memset(thresholds, 0, sizeof thresholds);
	memset(signs, 0, sizeof signs);
	if (type == GS_FLOAT8)
	{
		thresholds[1].f8 = DBL_TRUE_MIN;
		thresholds[2].f8 = get_float8_nan();
		signs[0].f8 = -1;
		signs[2].f8 = 1;
	}
	else
	{
		thresholds[1].i8 = 1;
		signs[0].i8 = -1;
		signs[2].i8 = 1;
	}
	return gs_put_search(t, a, thresholds, type == GS_FLOAT8 ? 3 : 2, r) &&
		gs_put_table(t, *r, type, signs, type == GS_FLOAT8 ? 4 : 3, r);
}

bool
gs_put_bool_to_int4(gs_translation *t, gs_operand a, gs_operand *r)
{
	gs_operand	yes;
	gs_operand	no;
	gs_operand	null;
	gs_operand	is_null;

	return gs_put_integer(t, 1, &yes) && gs_put_integer(t, 0, &no) &&
		gs_put_null(t, GS_INT4, &null) &&
		gs_put_unary(t, GS_CODE_IS_NULL, a, &is_null) &&
		gs_put_choose(t, a, yes, no, r) &&
		gs_put_choose(t, is_null, null, *r, r);
}

static bool
translate_unary(gs_translation *t, const sql_function *function, Expr *arg,
				gs_operand *r)
{
	gs_operand	a;

	if (!gs_translate(t, arg, &a))
		return false;
	switch (function->code)
	{
		case SQL_PLUS:
			*r = a;
			return true;
		case GS_CODE_CAST:
			return gs_put_cast(t, function->type == DECIMAL ? GS_INT8 :
							   function->type, a, r);
		case SQL_SIGN:
			return put_sign(t, a, r);
		case SQL_DECIMAL_TO_FLOAT8:
			return gs_decimal_to_float8(t, a, r);
		case SQL_DECIMAL_TO_FLOAT4:
			return gs_decimal_to_float4(t, a, r);
		case SQL_BOOL_TO_INT4:
			return gs_put_bool_to_int4(t, a, r);
		case SQL_INT4_TO_BOOL:
			return gs_put_integer(t, 0, r) &&
				gs_put_binary(t, GS_CODE_NE, a, *r, r);
		default:
			return gs_put_unary(t, function->code, a, r);
	}
}

/*
 * x^2, x^1 and x^-1 take no power.  All are rounded once, as the others are; the C
 * library's pow() may give another last digit.
 */
static bool
put_power(gs_translation *t, gs_operand a, gs_operand b, gs_operand *r)
{
	const gs_constant *known = gs_known_constant(t, b);
	double		exponent = known != NULL && !known->null ? known->value.f8 : 0;
	gs_operand	one;

	if (exponent == 2)
		return gs_put_binary(t, GS_CODE_MULTIPLY, a, a, r);
	if (exponent == -1)
		return gs_put_number(t, GS_FLOAT8, 1, &one) &&
			gs_put_binary(t, GS_CODE_DIVIDE, one, a, r);
	*r = a;
	return exponent == 1 || gs_put_binary(t, GS_CODE_POWER, a, b, r);
}

static bool
translate_elementary(gs_translation *t, gs_code code, List *args,
					 gs_operand *r)
{
	gs_operand	a;
	gs_operand	b;

	if (gs_reports_setting != GS_REPORTS_ALL)
		return gs_untranslated_hint(t, psprintf("the last digit of %s() depends on the C library",
												code == GS_CODE_EXP ? "exp" :
												code == GS_CODE_LN ? "ln" :
												code == GS_CODE_LOG10 ? "log" : "power"),
									"Set gpuscan.reports = 'all'.");
	if (!gs_translate(t, linitial(args), &a) ||
		!gs_put_cast(t, GS_FLOAT8, a, &a))
		return false;
	if (code != GS_CODE_POWER)
		return gs_put_unary(t, code, a, r);
	return gs_translate(t, lsecond(args), &b) &&
		gs_put_cast(t, GS_FLOAT8, b, &b) && put_power(t, a, b, r);
}

/* A constant argument of type integer. */
static bool
read_integer(gs_translation *t, Expr *e, int32 *value)
{
	const Const *constant = (const Const *) e;

	if (!IsA(e, Const) || constant->constisnull)
		return gs_untranslated(t, "the number of digits is not a constant");
	*value = DatumGetInt32(constant->constvalue);
	return true;
}

/* numeric: to some digits, or 0 */
static bool
translate_rounding(gs_translation *t, const sql_function *function, List *args,
				   gs_operand *r)
{
	int32		digits = 0;

	if (list_length(args) == 2 && !read_integer(t, lsecond(args), &digits))
		return false;
	switch (function->code)
	{
		case SQL_DECIMAL_TYPMOD:
			return gs_translate_typmod(t, linitial(args), digits, r);
		case SQL_DECIMAL_TO_INTEGER:
			return gs_translate_rounding(t, GS_CODE_ROUND, linitial(args), 0,
										 r) &&
				gs_put_cast(t, function->type, *r, r);
		default:
			return gs_translate_rounding(t, function->code, linitial(args),
										 digits, r);
	}
}

static bool
rounds(const sql_function *function)
{
	return function->code == SQL_DECIMAL_TYPMOD ||
		function->code == SQL_DECIMAL_TO_INTEGER ||
		(function->type == DECIMAL && function->code >= GS_CODE_FLOOR &&
		 function->code <= GS_CODE_ROUND);
}

bool
gs_translate_function(gs_translation *t, Oid oid, List *args, gs_operand *r)
{
	const sql_function *function = find_function(t, oid);
	gs_operand	a;
	gs_operand	b;

	if (function == NULL)
		return gs_translate_time(t, oid, args, r) ||
			gs_translate_extract(t, oid, args, r) ||
			gs_translate_dates(t, oid, args, r) ||
			gs_translate_interval(t, oid, args, r);
	if (function->code == SQL_WIDTH_BUCKET)
		return gs_translate_buckets(t, function->type == DECIMAL, args, r);
	if (function->code == SQL_WIDTH_BUCKET_ARRAY)
		return gs_translate_places(t, args, r);
	if (gs_code_is_elementary(function->code))
		return translate_elementary(t, function->code, args, r);
	if (rounds(function))
		return translate_rounding(t, function, args, r);
	if (list_length(args) == 1)
		return translate_unary(t, function, linitial(args), r);
	if (function->type == DECIMAL)
		return gs_translate_decimal(t, function->code, args, r);
	return translate_two(t, function, args, &a, &b, &a, &b) &&
		gs_put_binary(t, function->code, a, b, r);
}

/* NULL where both are equal, else the first one */
bool
gs_translate_null_if(gs_translation *t, OpExpr *e, gs_operand *r)
{
	const sql_function *function = find_function(t, e->opfuncid);
	gs_operand	a;
	gs_operand	b;
	gs_operand	x;
	gs_operand	y;

	return function != NULL &&
		translate_two(t, function, e->args, &a, &b, &x, &y) &&
		gs_put_binary(t, GS_CODE_EQ, x, y, r) &&
		gs_put_null(t, gs_operand_type(&t->plan, a), &b) &&
		gs_put_choice(t, *r, b, a, r);
}

/* Not equal, and not both NULL */
bool
gs_translate_distinct(gs_translation *t, OpExpr *e, gs_operand *r)
{
	const sql_function *function = find_function(t, e->opfuncid);
	gs_operand	a;
	gs_operand	b;
	gs_operand	x;
	gs_operand	y;
	gs_operand	no;

	return function != NULL &&
		translate_two(t, function, e->args, &a, &b, &x, &y) &&
		gs_put_unary(t, GS_CODE_IS_NULL, a, &a) &&
		gs_put_unary(t, GS_CODE_IS_NULL, b, &b) &&
		gs_put_binary(t, GS_CODE_AND, a, b, &b) &&
		gs_put_unary(t, GS_CODE_NOT, b, &b) &&
		gs_put_binary(t, GS_CODE_EQ, x, y, r) &&
		gs_put_boolean(t, false, &no) && gs_put_choose(t, *r, no, b, r);
}

/* = ANY and <> ALL, which is NOT (= ANY) */
bool
gs_translate_in(gs_translation *t, ScalarArrayOpExpr *e, gs_operand *r)
{
	const sql_function *function = find_function(t, e->opfuncid);
	gs_operand	a;

	if (function == NULL)
		return false;
	if (function->code != (e->useOr ? GS_CODE_EQ : GS_CODE_NE))
		return gs_untranslated(t, "an array is compared other than by = ANY or "
							   "<> ALL");
	return gs_translate(t, linitial(e->args), &a) &&
		gs_put_in(t, a, lsecond(e->args), function->type, r) &&
		(e->useOr || gs_put_unary(t, GS_CODE_NOT, *r, r));
}
