/*-------------------------------------------------------------------------
 *
 * lookup_cache.c
 *	  Tables of results that this session has kept.
 *
 * A table is kept if the same expression gives the same results again: it is made
 * of functions that are built in, and immutable or stable by nothing but settings
 * that are known here, over types whose values these functions alone decide.
 * Functions of users may be replaced, and need not be what they are declared to
 * be: PostgreSQL would call them again, too.
 *
 * A report holds on to results until its groups are here, so that tables go away
 * only where no report is under way: gs_lookups_trim.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/transam.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "lib/ilist.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "pgtime.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "report/translate/lookup.h"
#include "report/translate/translate_parts.h"

/* What all tables may take together when a report begins, and one of them. */
#define TABLES_MAX		((size_t) 32 * 1024 * 1024)
#define TABLE_MAX		((size_t) 20 * 1024 * 1024)

/* As many are looked through for each expression. */
#define ENTRIES_MAX		64

typedef struct entry
{
	dlist_node	node;			/* in `entries`, the last used first */
	MemoryContext context;		/* in which all of it is */
	Expr	   *expression;
	uint64		dictionary;		/* name of the domain's; 0: integers */
	int64		low;
	int64		step;
	int32		n;
	bool		infinite;
	gs_settings settings;
	gs_lookup	lookup;
} entry;

static dlist_head entries = DLIST_STATIC_INIT(entries);
static MemoryContext tables;	/* the parent of all entries' */

/* ----------
 * What may be kept
 * ----------
 */

static bool
is_plain(Oid type)
{
	switch (type)
	{
		case BOOLOID:
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case FLOAT4OID:
		case FLOAT8OID:
		case NUMERICOID:
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
		case CHAROID:
		case UUIDOID:
		case DATEOID:
		case TIMEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
		case INTERVALOID:
		case JSONBOID:
			/* of casts by text */
		case CSTRINGOID:
		case OIDOID:
			/* what is counted */
		case ANYOID:
			return true;
		default:
			return false;
	}
}

/* Is it stable, and depends on gs_settings alone? */
static bool
depends_on_settings(Oid function)
{
	static const char *const names[] = {
		"date", "date_out", "date_part", "date_trunc", "extract",
		"interval_pl_timestamptz", "time", "timestamp", "timestamp_out",
		"timestamptz", "timestamptz_mi_interval", "timestamptz_out",
		"timestamptz_pl_interval", "to_char"
	};
	const char *name = get_func_name(function);

	for (int i = 0; name != NULL && i < (int) lengthof(names); i++)
	{
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

static bool
function_varies(Oid function, void *context pg_attribute_unused())
{
	char		volatility;
	Oid		   *argument;
	int			n;

	if (function >= FirstGenbkiObjectId ||
		!is_plain(get_func_signature(function, &argument, &n)))
		return true;
	for (int i = 0; i < n; i++)
	{
		if (!is_plain(argument[i]))
			return true;
	}
	volatility = func_volatile(function);
	return volatility == PROVOLATILE_VOLATILE ||
		(volatility == PROVOLATILE_STABLE && !depends_on_settings(function));
}

/* The operators of what groups or sorts are in operator classes. */
static bool
clause_varies(const SortGroupClause *clause)
{
	return clause->eqop >= FirstGenbkiObjectId ||
		clause->sortop >= FirstGenbkiObjectId;
}

/* May the same settings and values give another result? */
static bool
varies(Node *node, void *context)
{
	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_List:
		case T_Var:
		case T_Const:
		case T_FuncExpr:
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
		case T_ScalarArrayOpExpr:
		case T_BoolExpr:
		case T_BooleanTest:
		case T_NullTest:
		case T_CaseExpr:
		case T_CaseWhen:
		case T_CaseTestExpr:
		case T_CoalesceExpr:
		case T_RelabelType:
		case T_CoerceViaIO:
		case T_Aggref:
		case T_TargetEntry:
		case T_FromExpr:
		case T_JoinExpr:
		case T_RangeTblRef:
			return check_functions_in_node(node, function_varies, NULL) ||
				expression_tree_walker(node, varies, context);
		case T_SortGroupClause:
			return clause_varies((SortGroupClause *) node);
		default:
			return true;
	}
}

bool
gs_varies(Node *expression)
{
	return varies(expression, NULL);
}

void
gs_settings_read(gs_settings *s)
{
	memset(s, 0, sizeof *s);
	s->zone = session_timezone;
	s->date_style = DateStyle;
	s->date_order = DateOrder;
	s->interval_style = IntervalStyle;
	s->float_digits = extra_float_digits;
	s->quote_all = quote_all_identifiers;	/* quote_ident() */
	strlcpy(s->time, GetConfigOption("lc_time", false, false), sizeof s->time);
	strlcpy(s->numeric, GetConfigOption("lc_numeric", false, false), sizeof s->numeric);
	strlcpy(s->monetary, GetConfigOption("lc_monetary", false, false), sizeof s->monetary);
	strlcpy(s->abbreviations,
			GetConfigOption("timezone_abbreviations", false, false),
			sizeof s->abbreviations);
}

/* ----------
 * The tables
 * ----------
 */

static void
drop(entry *e)
{
	dlist_delete(&e->node);
	MemoryContextDelete(e->context);
}

static bool
is_of(const entry *e, const Expr *expression, const gs_domain *d,
	  const gs_settings *s)
{
	uint64		name = d->dictionary == NULL ? 0 :
		gs_dictionary_name(d->dictionary);

	return e->n == d->n && e->infinite == d->infinite && e->dictionary == name &&
		e->low == d->low &&
		e->step == d->step && memcmp(&e->settings, s, sizeof *s) == 0 &&
		equal(e->expression, expression);
}

bool
gs_lookups_find(const Expr *expression, const gs_domain *domain,
				gs_lookup *lookup)
{
	gs_settings now;
	dlist_iter	iter;

	gs_settings_read(&now);
	dlist_foreach(iter, &entries)
	{
		entry	   *e = dlist_container(entry, node, iter.cur);

		if (is_of(e, expression, domain, &now))
		{
			*lookup = e->lookup;
			dlist_move_head(&entries, &e->node);
			return true;
		}
	}
	return false;
}

MemoryContext
gs_lookups_context(const Expr *expression, const gs_domain *domain)
{
	/* what has no name would not be known again */
	if ((domain->dictionary != NULL &&
		 gs_dictionary_name(domain->dictionary) == 0) ||
		varies((Node *) unconstify(Expr *, expression), NULL))
		return NULL;
	return AllocSetContextCreate(CurrentMemoryContext, "gpuscan table of results",
								 ALLOCSET_DEFAULT_SIZES);
}

void
gs_lookups_keep(MemoryContext context, const Expr *expression,
				const gs_domain *domain, const gs_lookup *lookup)
{
	entry	   *e;
	MemoryContext old;

	if (MemoryContextMemAllocated(context, true) > TABLE_MAX)
		return;
	if (tables == NULL)
		tables = AllocSetContextCreate(TopMemoryContext,
									   "gpuscan tables of results",
									   ALLOCSET_SMALL_SIZES);
	e = MemoryContextAllocZero(context, sizeof *e);
	e->context = context;
	old = MemoryContextSwitchTo(context);
	e->expression = copyObject(unconstify(Expr *, expression));
	MemoryContextSwitchTo(old);
	e->dictionary = domain->dictionary == NULL ? 0 :
		gs_dictionary_name(domain->dictionary);
	e->low = domain->low;
	e->step = domain->step;
	e->n = domain->n;
	e->infinite = domain->infinite;
	gs_settings_read(&e->settings);
	e->lookup = *lookup;

	/* from now on the service may keep them, too */
	if (lookup->table != NULL)
		gs_lookup_number(lookup->table);
	if (lookup->errors != NULL)
		gs_lookup_number(lookup->errors);
	MemoryContextSetParent(context, tables);
	dlist_push_head(&entries, &e->node);
}

void
gs_lookups_trim(void)
{
	size_t		size = 0;
	int			n = 0;
	dlist_mutable_iter iter;

	dlist_foreach_modify(iter, &entries)
	{
		entry	   *e = dlist_container(entry, node, iter.cur);

		size += MemoryContextMemAllocated(e->context, true);
		if (++n > ENTRIES_MAX || size > TABLES_MAX)
			drop(e);
	}
}
