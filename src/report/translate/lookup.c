/*-------------------------------------------------------------------------
 *
 * lookup.c
 *	  What an expression gives for each value of a column, as a plan has it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"

#include "call/array_iteration.h"
#include "call/decimal.h"
#include "report/translate/lookup.h"
#include "report/translate/translate_parts.h"

const char *
gs_lookup_kind(Expr *expression, bool by_bytes, gs_lookup *lookup)
{
	Node	   *node = (Node *) expression;
	Oid			type = exprType(node);
	gs_report_column column;

	memset(lookup, 0, sizeof *lookup);
	lookup->form = GS_FORM_DECIMAL;
	lookup->scale = GS_ANY_SCALE;
	lookup->type = GS_INT8;
	if (type == NUMERICOID)
		return NULL;
	if ((gs_codes_may_be_equal(type) && !by_bytes) ||
		!gs_column_form_of(type, exprTypmod(node), exprCollation(node),
						   &column, &lookup->type))
		return psprintf("an expression has type %s", format_type_be(type));
	lookup->form = column.form;
	lookup->scale = 0;
	return NULL;
}

/* All results must have the same display scale. */
static bool
put_decimal(gs_lookup *lookup, Datum value, gs_value *result)
{
	int			scale = gs_decimal_scale(value);

	if (lookup->scale == GS_ANY_SCALE)
		lookup->scale = scale;
	return scale == lookup->scale && scale >= 0 &&
		gs_decimal_read(DatumGetPointer(value), scale, &result->i8);
}

static bool
put_value(gs_lookup *lookup, Datum value, gs_value *result)
{
	switch (lookup->form)
	{
		case GS_FORM_DECIMAL:
			return put_decimal(lookup, value, result);
		case GS_FORM_CODE:
			result->i4 = gs_dictionary_add(lookup->dictionary, value);
			return true;
		default:
			*result = gs_value_from_datum(lookup->type, value);
			return true;
	}
}

/* Room for all results, in the current memory context. */
static void
begin_values(gs_lookup *lookup, Oid type, const gs_domain *domain)
{
	if (lookup->form == GS_FORM_CODE)
		lookup->dictionary = gs_dictionary_make(type);
	lookup->n = domain->n + 1;
	lookup->value = palloc_extended((Size) lookup->n * sizeof(gs_value),
									MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	lookup->null = palloc0(lookup->n);
}

/* Those of a piece of the domain. */
static const char *
put_values(gs_lookup *lookup, const gs_domain *domain, const gs_evaluation *e)
{
	if (lookup->raised == NULL && e->errors > 0)
		lookup->raised = palloc0(lookup->n);
	for (int32 i = 0; i < e->n; i++)
	{
		const int32 to = e->first + i;

		lookup->null[to] = e->null[i] || e->raised[i];
		if (e->raised[i])
			lookup->raised[to] = 1;
		if (!lookup->null[to] &&
			!put_value(lookup, e->value[i], &lookup->value[to]))
			return "an expression's numeric results differ in scale or have "
				"too many digits";
	}
	return lookup->form == GS_FORM_CODE &&
		gs_dictionary_bytes_held(lookup->dictionary) > gs_evaluation_memory(domain) ?
		"an expression's results are too long" : NULL;
}

static void
free_values(gs_lookup *lookup)
{
	pfree(lookup->value);
	pfree(lookup->null);
	if (lookup->raised != NULL)
		pfree(lookup->raised);
	lookup->value = NULL;
	lookup->null = lookup->raised = NULL;
}

/*
 * If it has no NULL and no errors, a list of the codes for which it is true, or
 * of the others, may be shorter than a table.  False: it is not.
 */
static bool
put_list(gs_lookup *lookup, const gs_domain *domain)
{
	const int32 n = domain->n;
	int32		yes = 0;
	int32		codes;

	if (lookup->raised != NULL || memchr(lookup->null, 1, n) != NULL)
		return false;
	for (int32 i = 0; i < n; i++)
		yes += lookup->value[i].i2 != 0;
	codes = Min(yes, n - yes);
	if (codes > n / (int32) sizeof(gs_value))
		return false;
	lookup->inverted = yes > n - yes;
	lookup->on_null = lookup->null[n] ? -1 : lookup->value[n].i2 != 0;
	lookup->code = palloc(Max(codes, 1) * sizeof(int32));
	for (int32 i = 0; i < n; i++)
	{
		if ((lookup->value[i].i2 != 0) != lookup->inverted)
			lookup->code[lookup->codes++] = i;
	}
	return true;
}

/* They are as long as the lookup, which may be kept. */
void
gs_lookup_make_tables(gs_lookup *lookup, const gs_domain *domain)
{
	lookup->table = palloc(sizeof *lookup->table);
	lookup->errors = palloc(sizeof *lookup->errors);
	gs_lookup_pack(lookup, NULL, domain->n, lookup->table);
	if (!gs_lookup_pack_errors(lookup, NULL, domain->n, lookup->errors))
		lookup->errors = NULL;
}

/* So many values at a time: their results take no memory after that. */
#define PIECE	(1 << 16)

/* In this memory context. */
static const char *
make_lookup(PlanState *plan, Expr *expression, const gs_domain *domain,
			MemoryContext context, gs_lookup *lookup)
{
	MemoryContext piece = AllocSetContextCreate(CurrentMemoryContext,
												"gpuscan results",
												ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	const char *reason = NULL;
	gs_evaluation e = {.first = 0};

	begin_values(lookup, exprType((Node *) expression), domain);
	for (; e.first <= domain->n && reason == NULL; e.first += e.n)
	{
		e.n = Min(PIECE, domain->n + 1 - e.first);
		MemoryContextSwitchTo(piece);
		reason = gs_evaluate_domain(plan, expression, domain, &e);
		MemoryContextSwitchTo(context);
		if (reason == NULL)
			reason = put_values(lookup, domain, &e);
		MemoryContextReset(piece);
	}

	/* of a dimension's rows, there are as many tables as ways to find them */
	if (reason == NULL && domain->dimension == NULL &&
		(!domain->listed || !put_list(lookup, domain)))
		gs_lookup_make_tables(lookup, domain);

	/* of very many values they are what takes the memory, if it is kept */
	if (reason != NULL || domain->dimension == NULL)
		free_values(lookup);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(piece);
	return reason;
}

const char *
gs_lookup_get(PlanState *plan, Expr *expression, const gs_domain *domain,
			  gs_lookup *lookup)
{
	const char *reason = gs_lookup_kind(expression, true, lookup);
	MemoryContext context;

	if (reason != NULL)
		return reason;
	if (domain->dimension != NULL)
		return make_lookup(plan, expression, domain,
						   domain->dimension->rows->context, lookup);
	if (gs_lookups_find(expression, domain, lookup))
		return NULL;
	context = gs_lookups_context(expression, domain);
	reason = make_lookup(plan, expression, domain,
						 context != NULL ? context : CurrentMemoryContext,
						 lookup);
	if (reason == NULL && context != NULL)
		gs_lookups_keep(context, expression, domain, lookup);
	return reason;
}
