/*-------------------------------------------------------------------------
 *
 * mixed.c
 *	  Arrays of integers beside arrays or values of real.
 *
 * PostgreSQL takes the function over real[] for these, and casts the integers to
 * real, which has 24 bits.  Its operators take both for double precision instead.
 * So the planner calls the function over double precision, and casts the result
 * if that is of real.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_coerce.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "functions/mixed.h"

/* The array that is cast to real[] unasked, if it is one of integers. */
static Node *
rounded_integers(Node *arg)
{
	ArrayCoerceExpr *cast = (ArrayCoerceExpr *) arg;
	Oid			element;

	if (!IsA(arg, ArrayCoerceExpr) || cast->resulttype != FLOAT4ARRAYOID ||
		cast->coerceformat != COERCE_IMPLICIT_CAST)
		return NULL;
	element = get_element_type(getBaseType(exprType((Node *) cast->arg)));
	return element == INT4OID || element == INT8OID ? (Node *) cast->arg : NULL;
}

static bool
rounds_integers(List *args)
{
	ListCell   *cell;

	foreach(cell, args)
	{
		if (rounded_integers(lfirst(cell)) != NULL)
			return true;
	}
	return false;
}

static Oid
double_type(Oid type)
{
	if (type == FLOAT4ARRAYOID)
		return FLOAT8ARRAYOID;
	return type == FLOAT4OID ? FLOAT8OID : type;
}

static Node *
cast(Node *node, Oid type, CoercionContext context)
{
	return coerce_to_target_type(NULL, node, exprType(node), type, -1, context,
								 COERCE_IMPLICIT_CAST, -1);
}

Node *
gs_mixed_simplify(FuncExpr *call)
{
	Oid		   *types;
	int			n;
	Oid			function;
	Oid			result;
	List	   *args = NIL;
	ListCell   *cell;
	int			i = 0;

	if (call->funcretset || !rounds_integers(call->args))
		return NULL;
	(void) get_func_signature(call->funcid, &types, &n);
	foreach(cell, call->args)
	{
		Node	   *arg = rounded_integers(lfirst(cell));

		if (arg == NULL)
			arg = lfirst(cell);
		types[i] = double_type(types[i]);
		args = lappend(args, cast(copyObject(arg), types[i], COERCION_IMPLICIT));
		i++;
	}
	function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
							   CStringGetDatum(get_func_name(call->funcid)),
							   PointerGetDatum(buildoidvector(types, n)),
							   ObjectIdGetDatum(get_func_namespace(call->funcid)));
	if (!OidIsValid(function))
		return NULL;
	result = get_func_rettype(function);
	return cast((Node *) makeFuncExpr(function, result, args, call->funccollid,
									  call->inputcollid, COERCE_EXPLICIT_CALL),
				call->funcresulttype, COERCION_EXPLICIT);
}
