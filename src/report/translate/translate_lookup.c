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

#include "engine/arithmetic.h"
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

/* ----------
 * Tables
 * ----------
 */

/* The bits of a float are those of an integer. */
int64
gs_lookup_integer(gs_type type, gs_value value)
{
	switch (gs_type_width(type))
	{
		case 1:
		case 2:
			return value.i2;
		case 4:
			return value.i4;
		default:
			return value.i8;
	}
}

/* Bytes that hold each of the results, which are between low and high. */
static int16
find_width(const gs_lookup *lookup, int64 *lowest, int64 *highest)
{
	int64		low = 0;
	int64		high = 0;

	*lowest = *highest = 0;
	if (lookup->type == GS_FLOAT4 || lookup->type == GS_FLOAT8 ||
		lookup->type == GS_BOOL)
		return (int16) gs_type_width(lookup->type);
	for (int32 i = 0; i < lookup->n; i++)
	{
		int64		x = lookup->null[i] ? 0 :
			gs_lookup_integer(lookup->type, lookup->value[i]);

		low = Min(low, x);
		high = Max(high, x);
	}
	*lowest = low;
	*highest = high;
	if (low >= PG_INT8_MIN && high <= PG_INT8_MAX)
		return 1;
	if (low >= PG_INT16_MIN && high <= PG_INT16_MAX)
		return 2;
	return low >= PG_INT32_MIN && high <= PG_INT32_MAX ? 4 : 8;
}

static void
put_entry(void *table, int width, int32 i, int64 x)
{
	switch (width)
	{
		case 1:
			((int8 *) table)[i] = (int8) x;
			break;
		case 2:
			((int16 *) table)[i] = (int16) x;
			break;
		case 4:
			((int32 *) table)[i] = (int32) x;
			break;
		default:
			((int64 *) table)[i] = x;
	}
}

#define SPREAD(type) \
static void \
spread_##type(const void *results, int32 none, const int32 *row, int32 n, \
			  void *table) \
{ \
	const type *from = results; \
	type	   *to = table; \
\
	for (int32 i = 0; i < n; i++) \
		to[i] = from[row[i] < 0 ? none : row[i]]; \
	to[n] = from[none]; \
}

SPREAD(int8)
SPREAD(int16)
SPREAD(int32)
SPREAD(int64)

static void
spread(int width, const void *results, int32 none, const int32 *row, int32 n,
	   void *table)
{
	switch (width)
	{
		case 1:
			spread_int8(results, none, row, n, table);
			break;
		case 2:
			spread_int16(results, none, row, n, table);
			break;
		case 4:
			spread_int32(results, none, row, n, table);
			break;
		default:
			spread_int64(results, none, row, n, table);
	}
}

/* row: as for gs_lookup_pack; n: with the last entry */
static void
put_nulls(const uint8 *null, int32 none, const int32 *row, int32 n,
		  uint8 *bits)
{
	for (int32 i = 0; i < n; i++)
	{
		int32		from = i;

		if (row != NULL)
			from = i == n - 1 || row[i] < 0 ? none : row[i];
		bits[i / 8] |= null[from] << (i % 8);
	}
}

void
gs_lookup_pack(const gs_lookup *lookup, const int32 *row, int32 n,
			   gs_lookup_table *table)
{
	gs_instruction in = {.on_null = -1};
	int32		none = lookup->n - 1;
	void	   *results;

	table->n = n + 1;
	table->width = find_width(lookup, &table->low, &table->high);
	table->has_nulls = memchr(lookup->null, 1, lookup->n) != NULL;
	table->number = 0;
	in.count = table->n;
	in.width = table->width;
	in.list_null = table->has_nulls;
	table->size = (int32) gs_lookup_size(&in);
	table->value = palloc_extended(table->size * sizeof(gs_value),
								   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	results = row == NULL ? table->value :
		palloc_extended((Size) lookup->n * table->width, MCXT_ALLOC_HUGE);
	for (int32 i = 0; i < lookup->n; i++)
		put_entry(results, table->width, i, lookup->null[i] ? 0 :
				  gs_lookup_integer(lookup->type, lookup->value[i]));
	if (row != NULL)
	{
		spread(table->width, results, none, row, n, table->value);
		pfree(results);
	}
	if (table->has_nulls)
		put_nulls(lookup->null, none, row, table->n,
				  (uint8 *) (table->value + gs_lookup_values(&in)));
}

/*
 * A smaller table travels in the plan's list: the service would have to be asked
 * for it, too.
 */
#define NUMBERED_MIN	64

uint64
gs_lookup_next_number(void)
{
	static uint64 last;

	return ++last;
}

void
gs_lookup_number(gs_lookup_table *table)
{
	if (table->size >= NUMBERED_MIN)
		table->number = gs_lookup_next_number();
}

/* Where one raised an error; false: nothing did. */
bool
gs_lookup_pack_errors(const gs_lookup *lookup, const int32 *row, int32 n,
					  gs_lookup_table *table)
{
	gs_lookup	errors = {.type = GS_BOOL, .n = lookup->n};

	if (lookup->raised == NULL)
		return false;
	errors.value = palloc0(errors.n * sizeof(gs_value));
	errors.null = palloc0(errors.n);
	for (int32 i = 0; i < errors.n; i++)
		errors.value[i].i2 = lookup->raised[i];
	gs_lookup_pack(&errors, row, n, table);
	pfree(errors.value);
	pfree(errors.null);
	return true;
}

/* ----------
 * Instructions
 * ----------
 */

/* Put what a row's value has in a table; when planning, there is none. */
static bool
put_lookup(gs_translation *t, const gs_domain *d, gs_operand operand,
		   const gs_lookup *lookup, const gs_lookup_table *table, int32 first,
		   gs_operand *r)
{
	gs_instruction in = {
		.code = GS_CODE_LOOKUP,
		.to = lookup->type,
		.a = operand,
		.count = d->n,
		.on_null = -1
	};

	if (!put_place(t, d, &in))
		return false;
	if (table != NULL)
	{
		in.first = first;
		in.width = table->width;
		in.list_null = table->has_nulls;
		in.on_null = d->n;
	}
	else
		in.low = t->plan.instructions;	/* two are not the same */
	if (!gs_put(t, in, r))
		return false;
	gs_describe_lookup(t, lookup, *r);
	return true;
}

/* Does another lookup have this table, behind `first`? */
static bool
is_same_table(const gs_translation *t, int32 first,
			  const gs_lookup_table *table)
{
	const gs_value *value = first < 0 ? t->plan.table[GS_TABLE(first)].value :
		t->private->list + first;

	/* only the service has the one or the other */
	if (value == NULL || table->value == NULL)
		return first < 0 &&
			t->plan.table[GS_TABLE(first)].number == table->number;
	return value == table->value ||
		memcmp(value, table->value, table->size * sizeof(gs_value)) == 0;
}

/*
 * Where the plan has this table for another lookup, whose result is the same kind
 * of value.  False: nowhere.
 */
static bool
find_table(const gs_translation *t, const gs_lookup *lookup,
		   const gs_lookup_table *table, int32 *first)
{
	const gs_translation_private *p = t->private;

	for (int i = 0; i < t->plan.instructions; i++)
	{
		const gs_instruction *in = &p->code[i];

		if (in->code == GS_CODE_LOOKUP && in->to == lookup->type &&
			in->count + 1 == table->n && in->on_null == in->count &&
			in->width == table->width &&
			in->list_null == table->has_nulls &&
			p->is_code[i] == (lookup->form == GS_FORM_CODE) &&
			p->dictionary[i] == lookup->dictionary &&
			p->scale[i] == lookup->scale &&
			is_same_table(t, in->first, table))
		{
			*first = in->first;
			return true;
		}
	}
	return false;
}

/* Beside the list, of the first stage, for which the service keeps it; else false. */
static bool
add_table(gs_translation *t, const gs_lookup_table *table, int32 *first)
{
	if (table->number == 0 || t->given != NULL ||
		t->plan.tables == GS_PLAN_TABLES)
		return false;
	*first = GS_TABLE(t->plan.tables);
	t->private->table[t->plan.tables++] = (gs_plan_table) {
		.number = table->number,
		.size = table->size,
		.value = table->value
	};
	return true;
}

/* Where the plan has it from now on. */
static int32
place_table(gs_translation *t, const gs_lookup_table *table)
{
	int32		first;
	gs_value   *list;

	if (add_table(t, table, &first))
		return first;
	list = gs_extend_list(t, table->size);
	first = t->plan.list_length;
	memcpy(list, table->value, table->size * sizeof(gs_value));
	t->plan.list_length += table->size;
	return first;
}

/* lookup: of what kind its results are */
static bool
put_table(gs_translation *t, const gs_domain *d, gs_operand operand,
		  const gs_lookup *lookup, const gs_lookup_table *table, gs_operand *r)
{
	int32		first;

	if (!find_table(t, lookup, table, &first))
	{
		if (table->value == NULL && !add_table(t, table, &first))
			return gs_untranslated(t, "it has too many look-up tables");
		if (table->value != NULL)
			first = place_table(t, table);
	}
	return put_lookup(t, d, operand, lookup, table, first, r);
}

bool
gs_put_with_table(gs_translation *t, gs_instruction in,
				  const gs_lookup_table *table, gs_operand *r)
{
	in.first = place_table(t, table);
	return gs_put(t, in, r);
}

/* Where a value raised an error, the result is one, too. */
static bool
put_errors(gs_translation *t, const gs_domain *d, gs_operand operand,
		   const gs_lookup *lookup, const gs_lookup_table *errors,
		   gs_operand *r)
{
	const gs_lookup boolean = {.type = GS_BOOL};
	const gs_operand value = *r;
	gs_operand	raised;
	gs_operand	error;

	if (!put_table(t, d, operand, &boolean, errors, &raised) ||
		!put_error(t, lookup->type, &error) ||
		!gs_put_choose(t, raised, error, value, r))
		return false;
	gs_describe_lookup(t, lookup, *r);
	return true;
}

bool
gs_put_lookup_table(gs_translation *t, const gs_domain *d, gs_operand operand,
					const gs_lookup *lookup, const gs_lookup_table *table,
					const gs_lookup_table *errors, gs_operand *r)
{
	return put_table(t, d, operand, lookup, table, r) &&
		(errors == NULL || put_errors(t, d, operand, lookup, errors, r));
}

static bool
put_results(gs_translation *t, const gs_domain *d, gs_operand operand,
			const gs_lookup *lookup, gs_operand *r)
{
	gs_lookup_table table;
	gs_lookup_table errors;
	bool		has_errors;
	bool		done;

	if (lookup->table != NULL)
		return gs_put_lookup_table(t, d, operand, lookup, lookup->table,
								   lookup->errors, r);
	gs_lookup_pack(lookup, NULL, d->n, &table);
	has_errors = gs_lookup_pack_errors(lookup, NULL, d->n, &errors);
	done = gs_put_lookup_table(t, d, operand, lookup, &table,
							   has_errors ? &errors : NULL, r);
	pfree(table.value);
	if (has_errors)
		pfree(errors.value);
	return done;
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
	if (lookup->code != NULL)
		return put_listed(t, domain, operand, lookup, r);
	return t->state == NULL ?
		put_lookup(t, domain, operand, lookup, NULL, 0, r) :
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
