/*-------------------------------------------------------------------------
 *
 * aggregate_ranks.c
 *	  What depends on the order of codes' values: least and greatest values,
 *	  elements of sorted ones, the least of the most frequent, sorted rows.
 *
 * The engine gets the rank that each code's value has in that order.  What it
 * finds among ranks is the rank of the result.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"

#include "report/aggregate/aggregate_rules.h"
#include "report/translate/translate_parts.h"

/* A session sorts no more; of those that a collation compares, seconds long. */
#define RANKS_MAX	(1 << 22)
#define COLLATED_MAX	(1 << 18)

/* To sort more than so many may take longer than a query does; a value costs: */
#define MANY_RANKS		(1 << 20)
#define SORT_COST		8

static void
reverse(int32 *code, int32 n)
{
	for (int32 i = 0; i < n / 2; i++)
	{
		int32		other = code[n - 1 - i];

		code[n - 1 - i] = code[i];
		code[i] = other;
	}
}

/* A table of ranks, NULL's behind them. */
static void
make_table(gs_lookup *lookup, const gs_domain *domain, const int32 *code)
{
	const int32 n = domain->n;

	lookup->n = n + 1;
	lookup->value = palloc0(lookup->n * sizeof(gs_value));
	lookup->null = palloc0(lookup->n);
	lookup->null[n] = 1;
	for (int32 rank = 0; rank < n; rank++)
		lookup->value[code[rank]].i4 = rank;
	gs_lookup_make_tables(lookup, domain);
	pfree(lookup->value);
	pfree(lookup->null);
	lookup->value = NULL;
	lookup->null = NULL;
}

/*
 * The table is kept with what expressions give, among which no other is that of an
 * OID.
 */
static void
make_ranks(gs_lookup *lookup, const gs_domain *domain, gs_report_value *value,
		   Oid collation, bool descending)
{
	int32	   *code = gs_dictionary_order(value->dictionary, domain->n, collation);
	Expr	   *name = (Expr *) makeConst(OIDOID, descending, InvalidOid,
										  sizeof(Oid), ObjectIdGetDatum(collation),
										  false, true);
	MemoryContext context;
	MemoryContext old;

	if (descending)
		reverse(code, domain->n);
	value->code = code;
	value->ranks = domain->n;
	if (gs_lookups_find(name, domain, lookup))
		return;
	context = gs_lookups_context(name, domain);
	old = MemoryContextSwitchTo(context != NULL ? context : CurrentMemoryContext);
	make_table(lookup, domain, code);
	MemoryContextSwitchTo(old);
	if (context != NULL)
		gs_lookups_keep(context, name, domain, lookup);
}

bool
gs_report_ranks_put(gs_translation *t, Oid collation, bool descending,
					Expr *argument, gs_operand *r, gs_report_value *value)
{
	gs_domain	domain = {.step = 1};
	gs_lookup	lookup = {.type = GS_INT4};
	int32		n = 0;

	if (type_is_collatable(exprType((Node *) argument)) &&
		(!OidIsValid(collation) || !get_collation_isdeterministic(collation)))
		return gs_untranslated(t, "values have a nondeterministic collation");
	if (t->state != NULL)
		n = value->dictionary->n;
	else if (*r < GS_CONSTANT(0))
		n = t->column[*r - GS_COLUMN(0)].values;
	if (n > RANKS_MAX ||
		(n > COLLATED_MAX &&
		 !gs_dictionary_bytes_decide(exprType((Node *) argument), collation)))
	{
		t->in_vain = true;
		return gs_untranslated(t, "the order of too many distinct values is needed");
	}
	if (t->state == NULL)
	{
		t->evaluation += n * cpu_tuple_cost;
		if (n > MANY_RANKS)
			t->sorting += n * SORT_COST * cpu_tuple_cost;
	}
	if (t->state != NULL)
	{
		domain.n = n;
		domain.dictionary = value->dictionary;
		make_ranks(&lookup, &domain, value, collation, descending);
	}
	return gs_put_lookup(t, &domain, *r, &lookup, r);
}

/* What stands behind a state without values is not looked at. */
bool
gs_report_ranks_are_possible(const gs_report_aggregate *a,
							 const gs_report_groups *groups)
{
	const int64 *count = (const int64 *) states(groups, a->count);
	bool		possible = true;

	if (a->value_of.code == NULL)
		return true;
	for (int k = 0; k < Max(a->fractions, 1); k++)
	{
		bool		pairs = a->fractions > 0;
		int			state = pairs ? a->fraction[k].state : a->value;
		int			n = pairs ? 2 : 1;

		if (state < 0)
			continue;
		for (int64 i = 0; i < groups->n * n; i++)
			possible &= count[i / n] == 0 ||
				(uint32) ((const gs_value *) states(groups, state))[i].i4 <
				(uint32) a->value_of.ranks;
	}
	return possible;
}
