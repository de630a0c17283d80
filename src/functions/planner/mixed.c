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
 * It does for integers that come from rows.  A constant has been cast before it
 * asks, and so has a parameter, but only where the plan is for its value: what is
 * made of these alone stays as it is, lest a statement's result depend on that.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_coerce.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "functions/planner/mixed.h"
#include "functions/reduce/reduce.h"

/* Does the expression take anything from rows? */
static bool
is_of_rows(Node *node, void *context)
{
	if (node == NULL)
		return false;
	return IsA(node, Var) || IsA(node, SubLink) ||
		expression_tree_walker(node, is_of_rows, context);
}

/*
 * The array that is cast to real[] unasked, if it is one of integers, and comes
 * from rows.
 */
static Node *
rounded_integers(Node *arg)
{
	ArrayCoerceExpr *cast = (ArrayCoerceExpr *) arg;
	Oid			element;

	if (!IsA(arg, ArrayCoerceExpr) || cast->resulttype != FLOAT4ARRAYOID ||
		cast->coerceformat != COERCE_IMPLICIT_CAST)
		return NULL;
	element = get_element_type(getBaseType(exprType((Node *) cast->arg)));
	return (element == INT4OID || element == INT8OID) &&
		is_of_rows((Node *) cast->arg, NULL) ? (Node *) cast->arg : NULL;
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

/* Rights to both are needed, since one is called in the place of the other. */
static bool
may_stand_for(Oid function, Oid other)
{
	return OidIsValid(function) &&
		gs_function_address(function) == gs_function_address(other) &&
		object_aclcheck(ProcedureRelationId, function, GetUserId(),
						ACL_EXECUTE) == ACLCHECK_OK &&
		object_aclcheck(ProcedureRelationId, other, GetUserId(),
						ACL_EXECUTE) == ACLCHECK_OK;
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
	if (!may_stand_for(function, call->funcid))
		return NULL;
	result = get_func_rettype(function);
	return cast((Node *) makeFuncExpr(function, result, args, call->funccollid,
									  call->inputcollid, COERCE_EXPLICIT_CALL),
				call->funcresulttype, COERCION_EXPLICIT);
}
