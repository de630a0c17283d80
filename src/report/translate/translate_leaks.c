/*-------------------------------------------------------------------------
 *
 * translate_leaks.c
 *	  Expressions that must not see each value of a column.
 *
 * A dictionary has values of rows that the user must not see: others have
 * deleted them, or not committed them yet.  So whatever runs code of users',
 * which may tell of its arguments, is not evaluated over a dictionary.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/transam.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"

#include "report/translate/translate_parts.h"

static bool
may_leak(Oid function, void *context pg_attribute_unused())
{
	return function >= FirstNormalObjectId && !get_func_leakproof(function);
}

/*
 * Does making a value of the type check a domain, which may have any function in
 * a constraint?  A domain can be in an array, a row or a range.
 */
static bool
checks_domain(Oid type)
{
	Oid			element = get_element_type(type);

	switch (get_typtype(type))
	{
		case TYPTYPE_BASE:
			return OidIsValid(element) && checks_domain(element);
		case TYPTYPE_ENUM:
			return false;
		default:
			return type >= FirstNormalObjectId || type == RECORDOID ||
				type == CSTRINGOID;
	}
}

/*
 * Does it make values of types that it is given?  A function does of the type of
 * an argument, such as json_populate_record(), and an input function of a type
 * that an argument names.
 */
static bool
makes_domain(Node *node)
{
	ListCell   *cell;

	if (IsA(node, CoerceViaIO))
		return checks_domain(((CoerceViaIO *) node)->resulttype);
	if (!IsA(node, FuncExpr))
		return false;
	foreach(cell, ((FuncExpr *) node)->args)
	{
		if (checks_domain(getBaseType(exprType(lfirst(cell)))))
			return true;
	}
	return false;
}

static bool
leaks(Node *node, void *context)
{
	return node != NULL &&
		(IsA(node, CoerceToDomain) || makes_domain(node) ||
		 check_functions_in_node(node, may_leak, context) ||
		 expression_tree_walker(node, leaks, context));
}

/* May it tell of values in rows that the user must not see? */
bool
gs_leaks(Node *expression)
{
	return leaks(expression, NULL);
}
