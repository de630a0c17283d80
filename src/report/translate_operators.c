/*-------------------------------------------------------------------------
 *
 * translate_operators.c
 *	  PostgreSQL's functions of numbers that an instruction computes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "report/translate_parts.h"

#define MOST_OIDS	7

typedef struct sql_functions
{
	gs_sql_function function;
	Oid			oid[MOST_OIDS]; /* 0: no more */
} sql_functions;

/*
 * By what they compute, and in which type: a function of smallint and integer
 * is one of integers.  The OIDs of built-in functions never change.
 */
static const sql_functions table[] = {
	{{GS_CODE_ADD, GS_INT2}, {176}},
	{{GS_CODE_ADD, GS_INT4}, {177, 178, 179}},
	{{GS_CODE_ADD, GS_INT8}, {463, 837, 841, 1274, 1278}},
	{{GS_CODE_ADD, GS_FLOAT4}, {204}},
	{{GS_CODE_ADD, GS_FLOAT8}, {218, 281, 285}},

	{{GS_CODE_SUBTRACT, GS_INT2}, {180}},
	{{GS_CODE_SUBTRACT, GS_INT4}, {181, 182, 183}},
	{{GS_CODE_SUBTRACT, GS_INT8}, {464, 838, 942, 1275, 1279}},
	{{GS_CODE_SUBTRACT, GS_FLOAT4}, {205}},
	{{GS_CODE_SUBTRACT, GS_FLOAT8}, {219, 282, 286}},

	{{GS_CODE_MULTIPLY, GS_INT2}, {152}},
	{{GS_CODE_MULTIPLY, GS_INT4}, {141, 170, 171}},
	{{GS_CODE_MULTIPLY, GS_INT8}, {465, 839, 943, 1276, 1280}},
	{{GS_CODE_MULTIPLY, GS_FLOAT4}, {202}},
	{{GS_CODE_MULTIPLY, GS_FLOAT8}, {216, 279, 283}},

	{{GS_CODE_DIVIDE, GS_INT2}, {153}},
	{{GS_CODE_DIVIDE, GS_INT4}, {154, 172, 173}},
	{{GS_CODE_DIVIDE, GS_INT8}, {466, 840, 948, 1277, 1281}},
	{{GS_CODE_DIVIDE, GS_FLOAT4}, {203}},
	{{GS_CODE_DIVIDE, GS_FLOAT8}, {217, 280, 284}},

	{{GS_SQL_MODULO, GS_INT2}, {155, 940}},
	{{GS_SQL_MODULO, GS_INT4}, {156, 941}},
	{{GS_SQL_MODULO, GS_INT8}, {945, 947}},

	{{GS_CODE_NEGATE, GS_INT2}, {213}},
	{{GS_CODE_NEGATE, GS_INT4}, {212}},
	{{GS_CODE_NEGATE, GS_INT8}, {462}},
	{{GS_CODE_NEGATE, GS_FLOAT4}, {206}},
	{{GS_CODE_NEGATE, GS_FLOAT8}, {220}},

	{{GS_CODE_ABS, GS_INT2}, {1253, 1398}},
	{{GS_CODE_ABS, GS_INT4}, {1251, 1397}},
	{{GS_CODE_ABS, GS_INT8}, {1230, 1396}},
	{{GS_CODE_ABS, GS_FLOAT4}, {207, 1394}},
	{{GS_CODE_ABS, GS_FLOAT8}, {221, 1395}},

	{{GS_SQL_PLUS, GS_INT2}, {1911}},
	{{GS_SQL_PLUS, GS_INT4}, {1912}},
	{{GS_SQL_PLUS, GS_INT8}, {1910}},
	{{GS_SQL_PLUS, GS_FLOAT4}, {1913}},
	{{GS_SQL_PLUS, GS_FLOAT8}, {1914}},

	{{GS_CODE_LT, GS_BOOL}, {56}},
	{{GS_CODE_LT, GS_INT2}, {64}},
	{{GS_CODE_LT, GS_INT4}, {66, 160, 161, 1087}},
	{{GS_CODE_LT, GS_INT8}, {469, 476, 854, 1154, 1852, 1858, 2054}},
	{{GS_CODE_LT, GS_FLOAT4}, {289}},
	{{GS_CODE_LT, GS_FLOAT8}, {295, 301, 307}},

	{{GS_CODE_LE, GS_BOOL}, {1691}},
	{{GS_CODE_LE, GS_INT2}, {148}},
	{{GS_CODE_LE, GS_INT4}, {149, 166, 167, 1088}},
	{{GS_CODE_LE, GS_INT8}, {471, 478, 856, 1155, 1854, 1860, 2055}},
	{{GS_CODE_LE, GS_FLOAT4}, {290}},
	{{GS_CODE_LE, GS_FLOAT8}, {296, 302, 308}},

	{{GS_CODE_EQ, GS_BOOL}, {60}},
	{{GS_CODE_EQ, GS_INT2}, {63}},
	{{GS_CODE_EQ, GS_INT4}, {65, 158, 159, 1086}},
	{{GS_CODE_EQ, GS_INT8}, {467, 474, 852, 1152, 1850, 1856, 2052}},
	{{GS_CODE_EQ, GS_FLOAT4}, {287}},
	{{GS_CODE_EQ, GS_FLOAT8}, {293, 299, 305}},

	{{GS_CODE_NE, GS_BOOL}, {84}},
	{{GS_CODE_NE, GS_INT2}, {145}},
	{{GS_CODE_NE, GS_INT4}, {144, 164, 165, 1091}},
	{{GS_CODE_NE, GS_INT8}, {468, 475, 853, 1153, 1851, 1857, 2053}},
	{{GS_CODE_NE, GS_FLOAT4}, {288}},
	{{GS_CODE_NE, GS_FLOAT8}, {294, 300, 306}},

	{{GS_CODE_GE, GS_BOOL}, {1692}},
	{{GS_CODE_GE, GS_INT2}, {151}},
	{{GS_CODE_GE, GS_INT4}, {150, 168, 169, 1090}},
	{{GS_CODE_GE, GS_INT8}, {472, 479, 857, 1156, 1855, 1861, 2056}},
	{{GS_CODE_GE, GS_FLOAT4}, {292}},
	{{GS_CODE_GE, GS_FLOAT8}, {298, 304, 310}},

	{{GS_CODE_GT, GS_BOOL}, {57}},
	{{GS_CODE_GT, GS_INT2}, {146}},
	{{GS_CODE_GT, GS_INT4}, {147, 162, 163, 1089}},
	{{GS_CODE_GT, GS_INT8}, {470, 477, 855, 1157, 1853, 1859, 2057}},
	{{GS_CODE_GT, GS_FLOAT4}, {291}},
	{{GS_CODE_GT, GS_FLOAT8}, {297, 303, 309}},

	{{GS_CODE_CAST, GS_INT2}, {237, 238, 314, 714}},
	{{GS_CODE_CAST, GS_INT4}, {313, 317, 319, 480}},
	{{GS_CODE_CAST, GS_INT8}, {481, 483, 653, 754}},
	{{GS_CODE_CAST, GS_FLOAT4}, {236, 312, 318, 652}},
	{{GS_CODE_CAST, GS_FLOAT8}, {235, 311, 316, 482}},

	{{GS_SQL_BOOL_TO_INT4, GS_BOOL}, {2558}},
	{{GS_SQL_INT4_TO_BOOL, GS_INT4}, {2557}}
};

const gs_sql_function *
gs_find_function(Oid function)
{
	for (int i = 0; i < (int) lengthof(table); i++)
	{
		for (int k = 0; k < MOST_OIDS && table[i].oid[k] != InvalidOid; k++)
		{
			if (table[i].oid[k] == function)
				return &table[i].function;
		}
	}
	return NULL;
}
