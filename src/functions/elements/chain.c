/*-------------------------------------------------------------------------
 *
 * chain.c
 *	  A reduction of elementwise functions' results, as one operation.
 *
 * The planner replaces gpu_sum(gpu_multiply(a, b)) by
 *
 *		_gpu_chain_double('gpu_sum(gpu_multiply($1, $2))', a, b)
 *
 * (chain_plan.c), which computes it without the array between the calls, and
 * on the device where the service has a and b cached.  The text is checked as
 * if a stranger had written it, who may.
 *
 * The array may be filtered, and differences taken of it, before the elementwise
 * functions: gpu_avg(gpu_diff(gpu_filter(a, '>', 0))) is
 *
 *		_gpu_chain_double('gpu_avg(gpu_diff(gpu_filter($1, ''>'', $2), ''null''))', a, 0)
 *
 * Then there is no other array in the chain.  The operator is part of the text,
 * for a wrong one is an error even where the bound is NULL.
 *
 * Where an engine finds an error, or the arrays do not fit, the calls are made
 * one by one: they raise what they always raise.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "parser/parse_func.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "call/array_iteration.h"
#include "call/elementwise.h"
#include "functions/bound.h"
#include "functions/elements/chain.h"
#include "functions/reduce/reduce.h"

#define LINKS_MAX		GS_EXPRESSION_STEPS
#define DEPTH_MAX		(LINKS_MAX + 1)

/* A call in the chain; its arguments are results of links before it. */
typedef struct chain_link
{
	const gs_link_function *function;
	gs_operand	argument[2];	/* GS_RESULT, or GS_COLUMN: of the SQL
								 * function's arguments, counted from 0 */
} chain_link;

/* What is done with the only array before. */
typedef struct chain_prologue
{
	int			array;			/* of the SQL function's arguments */
	int			bound;			/* argument, too; 0: there is no filter */
	gs_compare	compare;
	gs_differences differences;
	const char *first;			/* of gpu_diff */
} chain_prologue;

/* What the text says. */
typedef struct chain
{
	PGFunction	end;			/* the reduction */
	gs_kind		kind;
	int			links;
	chain_link	link[LINKS_MAX];
	Oid			array;			/* type of all arrays' elements */
	Oid			element;		/* of all links' arrays, and all values */
	gs_type		type;			/* of element */
	bool		has_prologue;
	chain_prologue prologue;
	PGFunction	diff;			/* if it has differences */
	bool		is_operand[FUNC_MAX_ARGS];	/* of a link? */
} chain;

typedef struct parser
{
	FunctionCallInfo fcinfo;
	const char *at;
	Oid			schema;
	chain	   *chain;
	bool		bare;			/* an array without a prologue was read */
} parser;

/* What must be known of the values; 0: the reduction is of another kind. */
static int32
needs(gs_kind kind)
{
	switch (kind)
	{
		case GS_SUM:
			return GS_GROUP_COUNT | GS_GROUP_SUM;
		case GS_MOMENTS:
			return GS_GROUP_COUNT | GS_GROUP_SUM | GS_GROUP_SQUARES;
		case GS_MIN:
			return GS_GROUP_COUNT | GS_GROUP_MIN;
		case GS_MAX:
			return GS_GROUP_COUNT | GS_GROUP_MAX;
		default:
			return 0;
	}
}

bool
gs_ends_chain(PGFunction function)
{
	gs_kind		kind;

	return gs_reduction_of(function, &kind) && needs(kind) != 0;
}

/* ----------
 * The text
 * ----------
 */

pg_noreturn static void
refuse(const parser *p)
{
	ereport(ERROR,
			errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			errmsg("this is not a chain of calls for %s",
				   get_func_name(p->fcinfo->flinfo->fn_oid)),
			errhint("The planner makes such chains of the calls of functions of gpuscan."));
}

static void
skip(parser *p, char c)
{
	if (*p->at != c)
		refuse(p);
	p->at++;
}

/* The name of a function, and what follows up to its arguments. */
static char *
read_name(parser *p)
{
	const char *start = p->at;

	while ((*p->at >= 'a' && *p->at <= 'z') || *p->at == '_')
		p->at++;
	if (p->at == start || p->at - start >= NAMEDATALEN)
		refuse(p);
	return pnstrdup(start, p->at - start);
}

/*
 * The function of the extension's that a name means for these types.  Who may
 * not call it may not have it called.
 */
static Oid
find_function(const parser *p, char *name, int n, const Oid *types)
{
	List	   *names = list_make2(makeString(get_namespace_name(p->schema)),
								   makeString(name));
	Oid			function = LookupFuncName(names, n, types, true);
	AclResult	allowed;

	if (!OidIsValid(function))
		refuse(p);
	allowed = object_aclcheck(ProcedureRelationId, function, GetUserId(),
							  ACL_EXECUTE);
	if (allowed != ACLCHECK_OK)
		aclcheck_error(allowed, OBJECT_FUNCTION, name);
	return function;
}

/* $1, $2, ...: an argument of fcinfo's behind the text. */
static gs_operand
read_argument(parser *p, Oid *type)
{
	int			n = 0;

	skip(p, '$');
	while (*p->at >= '0' && *p->at <= '9' && n < FUNC_MAX_ARGS)
		n = 10 * n + *p->at++ - '0';
	if (n < 1 || n >= p->fcinfo->nargs)
		refuse(p);
	*type = get_fn_expr_argtype(p->fcinfo->flinfo, n);
	return GS_COLUMN(n);
}

/* Is this what the function takes and returns? */
static bool
is_fitting(const chain *c, const gs_link_function *function, const Oid *types)
{
	Oid			array = get_array_type(c->element);

	switch (function->form)
	{
		case GS_LINK_VALUE_ARRAY:
			return types[0] == c->element && types[1] == array;
		case GS_LINK_ARRAY_VALUE:
			return types[0] == array && types[1] == c->element;
		case GS_LINK_ARRAYS:
			return types[0] == array && types[1] == array;
		default:
			return types[0] == array;
	}
}

/* 'word', of which there are up to 4 characters */
static char *
read_word(parser *p)
{
	const char *start;

	skip(p, '\'');
	start = p->at;
	while (*p->at != '\'' && *p->at != '\0' && p->at - start <= 4)
		p->at++;
	skip(p, '\'');
	return pnstrdup(start, p->at - 1 - start);
}

static void
skip_comma(parser *p)
{
	skip(p, ',');
	if (*p->at == ' ')
		p->at++;
}

/* gpu_filter's overloads that are not for any array have a bigint. */
static Oid
find_filter(const parser *p, char *name, Oid array, Oid bound)
{
	Oid			types[] = {array, TEXTOID, bound};
	Oid			element = get_element_type(array);
	bool		integers = element == INT2OID || element == INT4OID ||
		element == INT8OID;

	if (bound != INT8OID || !integers)
		types[0] = ANYARRAYOID;
	return find_function(p, name, lengthof(types), types);
}

/* The rest of gpu_filter($1, '>', $2), or just $1. */
static void
read_filter(parser *p, chain_prologue *l)
{
	char	   *name;
	Oid			array;
	Oid			bound;

	if (*p->at == '$')
	{
		l->array = read_argument(p, &array);
		return;
	}
	name = read_name(p);
	skip(p, '(');
	l->array = read_argument(p, &array);
	skip_comma(p);
	if (!gs_find_comparison(read_word(p), &l->compare))
		refuse(p);
	skip_comma(p);
	l->bound = read_argument(p, &bound);
	skip(p, ')');
	if (array != get_array_type(p->chain->array) || !gs_can_bound(bound) ||
		!gs_is_filter(gs_function_address(find_filter(p, name, array, bound))))
		refuse(p);
}

/* gpu_diff(..., 'null'), or what is in there. */
static void
read_diff(parser *p, chain_prologue *l)
{
	Oid			types[] = {get_array_type(p->chain->array), TEXTOID};
	char	   *name;

	if (strncmp(p->at, "gpu_diff(", 9) != 0)
	{
		read_filter(p, l);
		return;
	}
	name = read_name(p);
	skip(p, '(');
	read_filter(p, l);
	skip_comma(p);
	l->first = gs_diff_first(read_word(p), &l->differences);
	if (l->first == NULL)
		refuse(p);
	skip(p, ')');
	p->chain->diff = gs_function_address(find_function(p, name, 2, types));
	if (!gs_is_diff(p->chain->diff))
		refuse(p);
}

static bool
is_prologue(const char *text)
{
	return strncmp(text, "gpu_diff(", 9) == 0 ||
		strncmp(text, "gpu_filter(", 11) == 0;
}

/* The array that links take.  It is the same wherever it is written. */
static gs_operand
read_prologue(parser *p, Oid *type)
{
	chain	   *c = p->chain;
	chain_prologue l = {0};

	read_diff(p, &l);
	if (p->bare ||
		get_fn_expr_argtype(p->fcinfo->flinfo, l.array) !=
		get_array_type(c->array) ||
		(c->has_prologue &&
		 (l.array != c->prologue.array || l.bound != c->prologue.bound ||
		  l.compare != c->prologue.compare || l.first != c->prologue.first)))
		refuse(p);
	c->has_prologue = true;
	c->prologue = l;
	if (l.differences != GS_NO_DIFFERENCES && !gs_is_float(c->type))
	{
		c->element = INT8OID;
		c->type = GS_INT8;
	}
	*type = get_array_type(c->element);
	return GS_COLUMN(l.array);
}

static gs_operand read_operand(parser *p, int depth, Oid *type);

static gs_operand
read_link(parser *p, int depth, Oid *type)
{
	chain	   *c = p->chain;
	char	   *name = read_name(p);
	Oid			types[2];
	chain_link	l = {.argument = {GS_NOTHING, GS_NOTHING}};
	int			n = 0;
	Oid			function;

	if (depth > DEPTH_MAX)
		refuse(p);
	skip(p, '(');
	l.argument[n] = read_operand(p, depth + 1, &types[n]);
	n++;
	if (*p->at == ',')
	{
		p->at += strncmp(p->at, ", ", 2) == 0 ? 2 : 1;
		l.argument[n] = read_operand(p, depth + 1, &types[n]);
		n++;
	}
	skip(p, ')');
	function = find_function(p, name, n, types);
	l.function = gs_link_function_of(gs_function_address(function));
	if (c->links == LINKS_MAX || l.function == NULL ||
		n != (l.function->form == GS_LINK_ARRAY ? 1 : 2) ||
		!is_fitting(c, l.function, types))
		refuse(p);
	*type = get_array_type(c->element);
	c->link[c->links] = l;
	return GS_RESULT(c->links++);
}

static gs_operand
read_operand(parser *p, int depth, Oid *type)
{
	gs_operand	argument;

	if (is_prologue(p->at))
		return read_prologue(p, type);
	if (*p->at != '$')
		return read_link(p, depth, type);
	argument = read_argument(p, type);
	p->chain->is_operand[argument] = true;
	if (OidIsValid(get_element_type(*type)))
		p->bare = true;
	return argument;
}

/* The element type is that of the first array among the arguments. */
static void
find_element(parser *p)
{
	for (int i = 1; i < p->fcinfo->nargs; i++)
	{
		Oid			type = get_fn_expr_argtype(p->fcinfo->flinfo, i);

		p->chain->element = get_element_type(type);
		if (OidIsValid(p->chain->element))
			break;
	}
	p->chain->array = p->chain->element;
	switch (p->chain->element)
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case FLOAT4OID:
		case FLOAT8OID:
			p->chain->type = gs_type_from_oid(p->chain->element);
			return;
		default:
			refuse(p);
	}
}

static chain *
parse(FunctionCallInfo fcinfo, const char *text)
{
	chain	   *c = palloc0(sizeof(chain));
	parser		p = {.fcinfo = fcinfo, .at = text, .chain = c};
	char	   *name;
	Oid			type;
	Oid			function;

	p.schema = get_func_namespace(fcinfo->flinfo->fn_oid);
	find_element(&p);
	name = read_name(&p);
	skip(&p, '(');
	(void) read_operand(&p, 1, &type);
	skip(&p, ')');
	if (*p.at != '\0' || (c->links == 0 && !c->has_prologue) ||
		(c->has_prologue && p.bare))
		refuse(&p);
	function = find_function(&p, name, 1, &type);
	c->end = gs_function_address(function);
	if (get_func_rettype(function) != get_fn_expr_rettype(fcinfo->flinfo) ||
		!gs_ends_chain(c->end))
		refuse(&p);
	(void) gs_reduction_of(c->end, &c->kind);
	return c;
}

/* The chain of this call, which is read once if the text is constant. */
static const chain *
find_chain(FunctionCallInfo fcinfo)
{
	FmgrInfo   *info = fcinfo->flinfo;
	MemoryContext old;

	if (info->fn_extra == NULL || !get_fn_expr_arg_stable(info, 0))
	{
		old = MemoryContextSwitchTo(info->fn_mcxt);
		if (info->fn_extra != NULL)
			pfree(info->fn_extra);
		info->fn_extra = NULL;
		info->fn_extra = parse(fcinfo,
							   text_to_cstring(PG_GETARG_TEXT_PP(0)));
		MemoryContextSwitchTo(old);
	}
	return info->fn_extra;
}

/* ----------
 * Call by call
 * ----------
 */

/* NULL, as of any strict function, if an argument is. */
static NullableDatum
call_function(PGFunction function, int n, const NullableDatum *arguments)
{
	LOCAL_FCINFO(fcinfo, 2);
	NullableDatum result = {0, true};

	InitFunctionCallInfoData(*fcinfo, NULL, n, InvalidOid, NULL, NULL);
	for (int i = 0; i < n; i++)
	{
		if (arguments[i].isnull)
			return result;
		fcinfo->args[i] = arguments[i];
	}
	result.value = function(fcinfo);
	result.isnull = fcinfo->isnull;
	return result;
}

/* The array that the links take. */
static NullableDatum
call_prologue(FunctionCallInfo fcinfo, const chain *c)
{
	const chain_prologue *l = &c->prologue;
	NullableDatum arguments[2] = {fcinfo->args[l->array]};

	if (l->bound > 0 && PG_ARGISNULL(l->bound))
		arguments[0].isnull = true;
	else if (l->bound > 0 && !arguments[0].isnull)
		arguments[0].value =
			gs_filter(arguments[0].value, l->compare,
					  get_fn_expr_argtype(fcinfo->flinfo, l->bound),
					  PG_GETARG_DATUM(l->bound));
	if (l->differences == GS_NO_DIFFERENCES)
		return arguments[0];
	arguments[1].value = CStringGetTextDatum(l->first);
	return call_function(c->diff, 2, arguments);
}

static Datum
call_by_call(FunctionCallInfo fcinfo, const chain *c)
{
	NullableDatum results[LINKS_MAX];
	NullableDatum array = {0, true};
	NullableDatum result;

	if (c->has_prologue)
		array = call_prologue(fcinfo, c);

	for (int i = 0; i < c->links; i++)
	{
		const chain_link *l = &c->link[i];
		int			n = l->function->form == GS_LINK_ARRAY ? 1 : 2;
		NullableDatum arguments[2];

		for (int k = 0; k < n; k++)
			arguments[k] = l->argument[k] >= GS_RESULT(0) ?
				results[l->argument[k] - GS_RESULT(0)] :
				c->has_prologue && l->argument[k] == c->prologue.array ?
				array : fcinfo->args[l->argument[k]];
		results[i] = call_function(l->function->function, n, arguments);
	}
	if (c->links > 0)
		array = results[c->links - 1];
	result = call_function(c->end, 1, &array);
	if (result.isnull)
		PG_RETURN_NULL();
	return result.value;
}

/* ----------
 * As one operation
 * ----------
 */

/* Arguments that are arrays, and values. */
typedef struct leaves
{
	int			arrays;
	int			array[2];		/* argument numbers */
	gs_operand	operand[FUNC_MAX_ARGS];	/* of each argument */
} leaves;

/* False: there are more than an operation takes. */
static bool
find_leaves(FunctionCallInfo fcinfo, const chain *c, leaves *l,
			gs_expression *e)
{
	memset(l, 0, sizeof *l);
	for (int i = 1; i < PG_NARGS(); i++)
	{
		if (get_fn_expr_argtype(fcinfo->flinfo, i) == get_array_type(c->array))
		{
			if (l->arrays == (c->has_prologue ? 1 : 2))
				return false;
			l->operand[i] = GS_COLUMN(l->arrays);
			l->array[l->arrays++] = i;
			continue;
		}
		if (!c->is_operand[i])
			continue;			/* a bound */
		if (e->constants == GS_EXPRESSION_CONSTANTS)
			return false;
		e->constant[e->constants] = gs_value_from_datum(c->type,
														PG_GETARG_DATUM(i));
		l->operand[i] = GS_CONSTANT(e->constants++);
	}
	e->arrays = l->arrays;
	return true;
}

static gs_operand
operand_of(const leaves *l, gs_operand argument)
{
	return argument >= GS_RESULT(0) || argument == GS_NOTHING ? argument :
		l->operand[argument];
}

static void
set_steps(const chain *c, const leaves *l, gs_expression *e)
{
	for (int i = 0; i < c->links; i++)
	{
		e->step[i].code = c->link[i].function->code;
		e->step[i].a = operand_of(l, c->link[i].argument[0]);
		e->step[i].b = operand_of(l, c->link[i].argument[1]);
	}
	e->steps = c->links;
}

/* False: only calls one by one give the result, or the error. */
static bool
reduce(FunctionCallInfo fcinfo, const chain *c, gs_result *result)
{
	gs_call		call;
	gs_expression e = {0};
	leaves		l;

	if (!find_leaves(fcinfo, c, &l, &e))
		return false;
	e.differences = c->prologue.differences;
	set_steps(c, &l, &e);
	gs_call_open(&call, gs_reduction_name(c->end), GS_EXPRESSION,
				 PG_GETARG_DATUM(l.array[0]));
	if (l.arrays > 1)
	{
		gs_array_open_lazily(&call.mask, PG_GETARG_DATUM(l.array[1]));
		if (!gs_same_shape(call.data.flat, call.mask.flat))
		{
			gs_call_close(&call);
			return false;
		}
	}
	call.op.expression = e;
	if (c->prologue.bound > 0)
		gs_bound_by_datum(&call.op, c->prologue.compare,
						  get_fn_expr_argtype(fcinfo->flinfo,
											  c->prologue.bound),
						  PG_GETARG_DATUM(c->prologue.bound));
	call.op.aggregates = needs(c->kind);
	gs_call_execute(&call);
	gs_call_close(&call);
	*result = call.result;
	if (c->kind == GS_MAX)
		result->value = result->greatest;
	return result->errors == 0;
}

static bool
has_null(FunctionCallInfo fcinfo)
{
	for (int i = 1; i < PG_NARGS(); i++)
	{
		if (PG_ARGISNULL(i))
			return true;
	}
	return false;
}

PG_FUNCTION_INFO_V1(gpu_chain);

/* _gpu_chain_double(chain, VARIADIC arguments), and for other results */
Datum
gpu_chain(PG_FUNCTION_ARGS)
{
	const chain *c;
	gs_result	result;
	Datum		value;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	c = find_chain(fcinfo);
	/* calls before the one that is NULL may raise errors */
	if (has_null(fcinfo) || !reduce(fcinfo, c, &result))
		return call_by_call(fcinfo, c);
	if (result.present == 0)
		PG_RETURN_NULL();
	value = gs_reduction_finish(c->end, c->type, &result, &fcinfo->isnull);
	if (fcinfo->isnull)
		PG_RETURN_NULL();
	return value;
}
