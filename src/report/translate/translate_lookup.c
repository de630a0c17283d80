/*-------------------------------------------------------------------------
 *
 * translate_lookup.c
 *	  A table of results, one for each value that a column can have, as
 *	  instructions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "report/translate/translate_parts.h"

/* An operand that is an error. */
static bool
put_error(gs_translation *t, gs_type type, gs_operand *r)
{
	gs_constant zero;
	gs_operand	a;

	memset(&zero, 0, sizeof zero);
	zero.type = GS_INT2;
	if (!gs_put_constant(t, zero, NULL, &a) ||
		!gs_put_binary(t, GS_CODE_DIVIDE, a, a, r))
		return false;
	return type == GS_BOOL ? gs_put_binary(t, GS_CODE_EQ, *r, a, r) :
		gs_put_cast(t, type, *r, r);
}

void
gs_describe_lookup(gs_translation *t, const gs_lookup *lookup, gs_operand r)
{
	gs_translation_private *p = t->private;
	int			i = r - GS_RESULT(0);

	p->scale[i] = lookup->scale;
	p->is_code[i] = lookup->form == GS_FORM_CODE;
	p->dictionary[i] = lookup->dictionary;
}

/* Put the place, counted from in->low, of a row's value; low begins a step. */
static bool
put_place(gs_translation *t, const gs_domain *d, gs_instruction *in)
{
	gs_operand	step;

	in->type = gs_operand_type(&t->plan, in->a);
	in->low = d->low / d->step;
	if (d->step == 1)
		return true;
	return gs_put_bigint(t, d->step, &step) &&
		gs_put_binary(t, GS_CODE_FLOOR_DIVIDE, in->a, step, &in->a);
}

/* Put what a row's value has in the plan's list, from `first` on. */
static bool
put_lookup(gs_translation *t, const gs_domain *d, gs_operand operand,
		   const gs_lookup *lookup, int32 first, gs_operand *r)
{
	gs_instruction in = {
		.code = GS_CODE_LOOKUP,
		.to = lookup->type,
		.a = operand,
		.first = first,
		.count = d->n,
		.on_null = t->state == NULL ? -1 : d->n,
	};

	if (!put_place(t, d, &in))
		return false;

	/* without tables, two lookups are not the same */
	if (t->state == NULL)
		in.low = t->plan.instructions;
	if (!gs_put(t, in, r))
		return false;
	gs_describe_lookup(t, lookup, *r);
	return true;
}

/* Where a value raised an error, the result is one, too. */
static bool
put_errors(gs_translation *t, const gs_domain *d, gs_operand operand,
		   const gs_lookup *lookup, gs_operand *r)
{
	const gs_lookup boolean = {.type = GS_BOOL};
	const gs_operand value = *r;
	int32		first = t->plan.list_length;
	gs_value   *list = gs_extend_list(t, lookup->n);
	gs_operand	raised;
	gs_operand	error;

	memset(list, 0, lookup->n * sizeof(gs_value));
	for (int32 i = 0; i < lookup->n; i++)
		list[i].i2 = lookup->raised[i];
	t->plan.list_length += lookup->n;
	if (!put_lookup(t, d, operand, &boolean, first, &raised) ||
		!put_error(t, lookup->type, &error) ||
		!gs_put_choose(t, raised, error, value, r))
		return false;
	gs_describe_lookup(t, lookup, *r);
	return true;
}

/*
 * Where the plan's list has these results for another lookup, whose result is
 * the same kind of value; -1: nowhere.
 */
static int32
find_results(const gs_translation *t, const gs_lookup *lookup)
{
	const gs_translation_private *p = t->private;

	for (int i = 0; i < t->plan.instructions; i++)
	{
		const gs_instruction *in = &p->code[i];

		if (in->code == GS_CODE_LOOKUP && in->to == lookup->type &&
			in->count + 1 == lookup->n && in->on_null == in->count &&
			p->is_code[i] == (lookup->form == GS_FORM_CODE) &&
			p->dictionary[i] == lookup->dictionary &&
			p->scale[i] == lookup->scale &&
			memcmp(p->list + in->first, lookup->value,
				   lookup->n * sizeof(gs_value)) == 0 &&
			memcmp(p->list_nulls + in->first, lookup->null, lookup->n) == 0)
			return in->first;
	}
	return -1;
}

static bool
put_results(gs_translation *t, const gs_domain *d, gs_operand operand,
			const gs_lookup *lookup, gs_operand *r)
{
	int32		first = find_results(t, lookup);

	if (first < 0)
	{
		gs_value   *list = gs_extend_list(t, lookup->n);

		first = t->plan.list_length;
		memcpy(list, lookup->value, lookup->n * sizeof(gs_value));
		memcpy(t->private->list_nulls + first, lookup->null, lookup->n);
		t->plan.list_length += lookup->n;
	}
	return put_lookup(t, d, operand, lookup, first, r) &&
		(lookup->raised == NULL || put_errors(t, d, operand, lookup, r));
}

/* A condition over very many values.  They must be all that there are. */
static bool
put_listed(gs_translation *t, const gs_domain *d, gs_operand operand,
		   const gs_lookup *lookup, gs_operand *r)
{
	gs_instruction in = {
		.code = GS_CODE_IN,
		.type = GS_INT4,
		.a = operand,
		.first = t->plan.list_length,
		.count = lookup->codes
	};
	gs_value   *list = gs_extend_list(t, lookup->codes);
	gs_operand	is_null;
	gs_operand	on_null;

	memset(list, 0, lookup->codes * sizeof(gs_value));
	for (int32 i = 0; i < lookup->codes; i++)
		list[i].i4 = lookup->code[i];
	t->plan.list_length += lookup->codes;
	gs_must_not_grow(t, d->dictionary, d->n);
	if (!gs_put(t, in, r) ||
		(lookup->inverted && !gs_put_unary(t, GS_CODE_NOT, *r, r)))
		return false;
	return lookup->on_null < 0 ||
		(gs_put_unary(t, GS_CODE_IS_NULL, operand, &is_null) &&
		 gs_put_boolean(t, lookup->on_null != 0, &on_null) &&
		 gs_put_choose(t, is_null, on_null, *r, r));
}

bool
gs_put_lookup(gs_translation *t, const gs_domain *domain, gs_operand operand,
			  const gs_lookup *lookup, gs_operand *r)
{
	if (t->state != NULL && domain->listed)
		return put_listed(t, domain, operand, lookup, r);
	return t->state == NULL ? put_lookup(t, domain, operand, lookup, 0, r) :
		put_results(t, domain, operand, lookup, r);
}

/* Codes 0 to n - 1 as they are, which have the last place for NULL. */
static gs_lookup
make_codes(int n)
{
	gs_lookup	lookup = {
		.type = GS_INT4,
		.n = n + 1,
		.value = palloc0((n + 1) * sizeof(gs_value)),
		.null = palloc0(n + 1)
	};

	for (int i = 0; i < n; i++)
		lookup.value[i].i4 = i;
	lookup.null[n] = 1;
	return lookup;
}

/* The codes that another dictionary's values have in this one. */
static bool
put_other_codes(gs_translation *t, gs_dictionary *texts, gs_operand code,
				gs_operand *r)
{
	const gs_dictionary *other = gs_dictionary_of(t, code);
	const gs_domain codes = {
		.step = 1,
		.n = other == NULL ? 0 : other->n
	};
	gs_lookup	lookup;

	if (!gs_has_few_values(t, codes.n))
		return false;
	lookup = make_codes(codes.n);
	for (int i = 0; i < codes.n; i++)
		lookup.value[i].i4 = gs_dictionary_add(texts,
											   gs_dictionary_value(other, i));
	return gs_put_lookup(t, &codes, code, &lookup, r);
}

/* A constant's code; false: the dictionary is a column's, and lacks it. */
static bool
put_constant_code(gs_translation *t, gs_dictionary *texts, Datum value,
				  gs_operand *r)
{
	int32		code = texts->id == 0 ? gs_dictionary_add(texts, value) :
		gs_dictionary_find_value(texts, value);

	return code >= 0 && gs_put_integer(t, code, r);
}

bool
gs_put_text(gs_translation *t, gs_dictionary *texts, Expr *e, gs_operand *r)
{
	Datum		datum;
	bool		isnull;

	if (!gs_has_no_column(e))
	{
		if (!gs_translate_any(t, e, r) || !gs_is_code(t, *r))
			return false;
		return (t->state != NULL && gs_dictionary_of(t, *r) == texts) ||
			(texts->id == 0 && put_other_codes(t, texts, *r, r));
	}
	if (!gs_is_known(t, e))
		return gs_put_unknown(t, e, GS_INT4, r);
	datum = gs_evaluate(t, e, &isnull);
	return isnull ? gs_put_null(t, GS_INT4, r) :
		put_constant_code(t, texts, datum, r);
}

bool
gs_put_texts(gs_translation *t, gs_dictionary *texts, gs_operand code,
			 gs_operand *r)
{
	const gs_domain codes = {.step = 1, .n = texts->n};
	gs_lookup	lookup = make_codes(texts->n);

	lookup.form = GS_FORM_CODE;
	lookup.dictionary = t->state == NULL ? NULL : texts;
	return gs_put_lookup(t, &codes, code, &lookup, r);
}
