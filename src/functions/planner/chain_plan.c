/*-------------------------------------------------------------------------
 *
 * chain_plan.c
 *	  The planner's part of chains: one call for nested ones.
 *
 * The support function of the outer call asks.  What is taken is up to two
 * different arrays, some values, and functions that chain.c knows; an argument
 * that occurs twice is evaluated once, unless it is volatile.  First it is tried
 * with gpu_filter and gpu_diff of the only array, then with these as arguments.
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

#include "functions/bound.h"
#include "functions/elements/chain.h"
#include "functions/reduce/reduce.h"

typedef struct search
{
	Oid			schema;			/* of gpuscan's functions */
	bool		prologues;		/* take gpu_filter and gpu_diff? */
	int			links;
	int			arrays;
	int			values;			/* of links */
	Node	   *prologue;		/* all arrays are this, or none is */
	bool		bare;			/* there is an array that is none */
	List	   *arguments;
	StringInfoData text;
} search;

/* The function of gpuscan's that this is a call of; NULL: it is none. */
static PGFunction
called(const search *s, Node *node)
{
	FuncExpr   *call = (FuncExpr *) node;
	char	   *name;

	if (!IsA(node, FuncExpr) || get_func_namespace(call->funcid) != s->schema)
		return NULL;
	name = get_func_name(call->funcid);
	if (name == NULL || strncmp(name, "gpu_", 4) != 0)
		return NULL;
	return gs_function_address(call->funcid);
}

/* The function called, if it can be a link of a chain. */
static const gs_link_function *
link_function(const search *s, Node *node)
{
	PGFunction	function = called(s, node);

	return function == NULL ? NULL : gs_link_function_of(function);
}

/* Is it an array of numbers that chains are of? */
static bool
is_array(Node *node)
{
	switch (get_element_type(exprType(node)))
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case FLOAT4OID:
		case FLOAT8OID:
			return true;
		default:
			return false;
	}
}

/* An argument that is a constant text; NULL: it is none. */
static char *
constant_text(FuncExpr *call, int argument)
{
	Const	   *node;

	if (list_length(call->args) <= argument)
		return NULL;
	node = list_nth(call->args, argument);
	if (!IsA(node, Const) || node->constisnull || node->consttype != TEXTOID)
		return NULL;
	return TextDatumGetCString(node->constvalue);
}

/* gpu_filter(array, constant operator, bound)? */
static bool
is_filter(const search *s, Node *node)
{
	PGFunction	function = called(s, node);
	gs_compare	compare;
	char	   *op;

	if (function == NULL || !gs_is_filter(function))
		return false;
	op = constant_text((FuncExpr *) node, 1);
	return op != NULL && gs_find_comparison(op, &compare) &&
		is_array(linitial(((FuncExpr *) node)->args)) &&
		gs_can_bound(exprType(lthird(((FuncExpr *) node)->args)));
}

/* gpu_diff(array, constant)? */
static bool
is_diff(const search *s, Node *node)
{
	PGFunction	function = called(s, node);
	gs_differences differences;
	char	   *first;

	if (function == NULL || !gs_is_diff(function))
		return false;
	first = constant_text((FuncExpr *) node, 1);
	return first != NULL && gs_diff_first(first, &differences) != NULL &&
		is_array(linitial(((FuncExpr *) node)->args));
}

static bool
is_prologue(const search *s, Node *node)
{
	return s->prologues && (is_filter(s, node) || is_diff(s, node));
}

/* The number, from 1, of an argument; 0: there are too many values. */
static int
number_of(search *s, Node *node, bool is_bound)
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
	else if (!is_bound && s->values++ == GS_EXPRESSION_CONSTANTS)
		return 0;
	s->arguments = lappend(s->arguments, node);
	return n;
}

/* gpu_filter($1, '>', $2), or an argument */
static void
write_filter(search *s, Node *node)
{
	FuncExpr   *call = (FuncExpr *) node;

	if (!is_filter(s, node))
	{
		appendStringInfo(&s->text, "$%d", number_of(s, node, false));
		return;
	}
	appendStringInfo(&s->text, "%s($%d, '%s', ", get_func_name(call->funcid),
					 number_of(s, linitial(call->args), false),
					 constant_text(call, 1));
	appendStringInfo(&s->text, "$%d)",
					 number_of(s, lthird(call->args), true));
}

/* gpu_diff(..., 'null'); false if there are other arrays. */
static bool
write_prologue(search *s, Node *node)
{
	FuncExpr   *call = (FuncExpr *) node;
	gs_differences differences;

	if (s->bare)
		return false;
	if (s->prologue != NULL &&
		(!equal(s->prologue, node) || contain_volatile_functions(node)))
		return false;
	s->prologue = node;
	if (is_filter(s, node))
	{
		write_filter(s, node);
		return true;
	}
	appendStringInfo(&s->text, "%s(", get_func_name(call->funcid));
	write_filter(s, linitial(call->args));
	appendStringInfo(&s->text, ", '%s')",
					 gs_diff_first(constant_text(call, 1), &differences));
	return true;
}

/* An array, or a value; false if it cannot be an argument. */
static bool
write_argument(search *s, Node *node)
{
	int			number;

	if (type_is_array(exprType(node)))
	{
		if (s->prologue != NULL)
			return false;
		s->bare = true;
	}
	number = number_of(s, node, false);
	appendStringInfo(&s->text, "$%d", number);
	return number > 0;
}

/* Write a call, or an argument; false if it cannot be part of a chain. */
static bool
write_node(search *s, Node *node)
{
	ListCell   *cell;
	const char *between = "(";

	check_stack_depth();
	if (is_prologue(s, node))
		return write_prologue(s, node);
	if (link_function(s, node) == NULL)
		return write_argument(s, node);
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

static Node *
simplify(FuncExpr *call, bool prologues)
{
	search		s = {.schema = get_func_namespace(call->funcid),
	.prologues = prologues};
	Node	   *inner = linitial(call->args);
	Oid			function;
	Const	   *chain;

	if (link_function(&s, inner) == NULL && !is_prologue(&s, inner))
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

Node *
gs_chain_simplify(FuncExpr *call)
{
	Node	   *chain;

	if (list_length(call->args) != 1 ||
		!gs_ends_chain(gs_function_address(call->funcid)))
		return NULL;
	chain = simplify(call, true);
	return chain != NULL ? chain : simplify(call, false);
}
