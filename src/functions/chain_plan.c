/*-------------------------------------------------------------------------
 *
 * chain_plan.c
 *	  The planner's part of chains: one call for nested ones.
 *
 * The support function of the outer call asks.  What is taken is up to two
 * different arrays, some values, and functions that chain.c knows; an argument
 * that occurs twice is evaluated once, unless it is volatile.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parse_func.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "functions/chain.h"
#include "functions/reduce.h"

typedef struct search
{
	Oid			schema;			/* of gpuscan's functions */
	int			links;
	int			arrays;
	List	   *arguments;
	StringInfoData text;
} search;

/* The function that this is a call of, if it can be a link. */
static const gs_link_function *
link_function(const search *s, Node *node)
{
	FuncExpr   *call = (FuncExpr *) node;
	char	   *name;

	if (!IsA(node, FuncExpr) || get_func_namespace(call->funcid) != s->schema)
		return NULL;
	name = get_func_name(call->funcid);
	if (name == NULL || strncmp(name, "gpu_", 4) != 0)
		return NULL;
	return gs_link_function_of(gs_function_address(call->funcid));
}

/* The number, from 1, of an argument; 0: there are too many. */
static int
number_of(search *s, Node *node)
{
	ListCell   *cell;
	int			n = 1;

	foreach(cell, s->arguments)
	{
		if (equal(lfirst(cell), node) && !contain_volatile_functions(node))
			return n;
		n++;
	}
	if (type_is_array(exprType(node)))
	{
		if (s->arrays == 2)
			return 0;
		s->arrays++;
	}
	else if (n - 1 - s->arrays == GS_EXPRESSION_CONSTANTS)
		return 0;
	s->arguments = lappend(s->arguments, node);
	return n;
}

/* Write a call, or an argument; false if it cannot be part of a chain. */
static bool
write_node(search *s, Node *node)
{
	int			number;
	ListCell   *cell;
	const char *between = "(";

	check_stack_depth();
	if (link_function(s, node) == NULL)
	{
		number = number_of(s, node);
		appendStringInfo(&s->text, "$%d", number);
		return number > 0;
	}
	if (++s->links > GS_EXPRESSION_STEPS)
		return false;
	appendStringInfoString(&s->text,
						   get_func_name(((FuncExpr *) node)->funcid));
	foreach(cell, ((FuncExpr *) node)->args)
	{
		appendStringInfoString(&s->text, between);
		if (!write_node(s, lfirst(cell)))
			return false;
		between = ", ";
	}
	appendStringInfoChar(&s->text, ')');
	return true;
}

/* The function that gives this type; InvalidOid: there is none. */
static Oid
chain_function(Oid schema, Oid result)
{
	static const Oid types[] = {TEXTOID, ANYOID};
	const char *name = result == FLOAT8OID ? "_gpu_chain_double" :
		result == FLOAT4OID ? "_gpu_chain_real" :
		result == NUMERICOID ? "_gpu_chain_numeric" :
		result == INT8OID ? "_gpu_chain_bigint" :
		result == INT4OID ? "_gpu_chain_integer" :
		result == INT2OID ? "_gpu_chain_smallint" : NULL;

	if (name == NULL)
		return InvalidOid;
	return LookupFuncName(list_make2(makeString(get_namespace_name(schema)),
									 makeString(pstrdup(name))),
						  lengthof(types), types, true);
}

Node *
gs_chain_simplify(FuncExpr *call)
{
	search		s = {.schema = get_func_namespace(call->funcid)};
	Node	   *inner;
	Oid			function;
	Const	   *chain;

	if (list_length(call->args) != 1)
		return NULL;
	inner = linitial(call->args);
	if (link_function(&s, inner) == NULL ||
		!gs_ends_chain(gs_function_address(call->funcid)))
		return NULL;
	initStringInfo(&s.text);
	appendStringInfo(&s.text, "%s(", get_func_name(call->funcid));
	if (!write_node(&s, inner))
		return NULL;
	appendStringInfoChar(&s.text, ')');
	function = chain_function(s.schema, call->funcresulttype);
	if (!OidIsValid(function))
		return NULL;
	chain = makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
					  CStringGetTextDatum(s.text.data), false, false);
	return (Node *) makeFuncExpr(function, call->funcresulttype,
								 lcons(chain, s.arguments), InvalidOid,
								 InvalidOid, COERCE_EXPLICIT_CALL);
}
