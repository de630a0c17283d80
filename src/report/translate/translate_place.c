/*-------------------------------------------------------------------------
 *
 * translate_place.c
 *	  The place of a row's keys among those of a dimension, as instructions.
 *
 * Keys become numbers, several of them one number; that is the place itself, or is
 * looked up, or found in an index where numbers are too far apart for a table.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"

#include "report/translate/translate_parts.h"

/* ----------
 * Keys
 * ----------
 */

/* Equal values of text have the same bytes, of both sides. */
static bool
is_deterministic(const Expr *e)
{
	Oid			collation = exprCollation((const Node *) e);

	return !type_is_collatable(exprType((const Node *) e)) ||
		(OidIsValid(collation) && get_collation_isdeterministic(collation));
}

/* A key of the report's side: an integer, or a code. */
static bool
translate_key(gs_translation *t, const gs_dimension *d, int k, gs_operand *r)
{
	Expr	   *inner = list_nth(d->inner_keys, k);
	Expr	   *outer = list_nth(d->outer_keys, k);
	Oid			type = exprType((Node *) outer);
	bool		is_code;

	if (!OidIsValid(gs_dimension_key_type(type)) ||
		gs_dimension_key_type(exprType((Node *) inner)) !=
		gs_dimension_key_type(type))
		return gs_untranslated(t, psprintf("a join's key has type %s",
										   format_type_be(type)));
	if (!is_deterministic(inner) || !is_deterministic(outer))
		return gs_untranslated(t, "a join's key has a nondeterministic collation");
	if (!gs_translate_any(t, outer, r))
		return false;
	is_code = gs_is_code(t, *r);
	if (type == BPCHAROID && (!is_code || *r >= GS_CONSTANT(0)))
		return gs_untranslated(t, "a join's key of type character is computed");
	if (is_code)
		return true;
	switch (gs_operand_type(&t->plan, *r))
	{
		case GS_BOOL:
			return gs_put_bool_to_int4(t, *r, r);
		case GS_INT2:
			return gs_put_cast(t, GS_INT4, *r, r);
		default:
			return true;
	}
}

/* As codes of the report's side, for those of the rows' own dictionary. */
static void
convert_key(const gs_dimension_key *key, const int32 *code, int32 n,
			int64 *value, bool *keyless)
{
	for (int32 i = 0; i < n; i++)
	{
		if (keyless[i])
			continue;
		value[i] = code[key->value[i]];
		keyless[i] = value[i] < 0;
	}
}

/* Of rows whose keys are codes, with those of the report's side. */
static bool
make_index(gs_translation *t, const gs_dimension *d, const gs_operand *key,
		   gs_dimension_index *index)
{
	const gs_dimension_rows *rows = d->rows;
	bool	   *keyless = palloc(rows->n + 1);
	int64	   *value[GS_DIMENSION_KEYS];
	const char *reason;

	memcpy(keyless, rows->keyless, rows->n + 1);
	for (int k = 0; k < list_length(d->inner_keys); k++)
	{
		value[k] = rows->key[k].value;
		if (rows->key[k].codes == NULL)
			continue;
		value[k] = palloc0(Max(rows->n, 1) * sizeof(int64));
		convert_key(&rows->key[k],
					gs_find_codes(t, rows->key[k].codes,
								  gs_dictionary_of(t, key[k])),
					rows->n, value[k], keyless);
	}
	reason = gs_dimension_index_make(d, value, keyless, index);
	t->in_vain |= reason != NULL;
	return reason == NULL || gs_untranslated(t, reason);
}

/* Of as many rows as there may be, when planning. */
static gs_dimension_index *
expect_index(const gs_dimension *d)
{
	int			keys = list_length(d->inner_keys);
	gs_dimension_index *x = palloc0(sizeof *x);

	x->places = (int32) Min(Max(d->rows_expected, 1), GS_DIMENSION_ROWS);
	for (int k = 0; k < keys; k++)
	{
		x->high[k] = x->places / keys;
		x->least[k] = -1;
		x->most[k] = x->high[k] + 1;
	}
	return x;
}

/* ----------
 * The place of a row
 * ----------
 */

/* Can both be of the type?  That of a code is int4, too. */
static bool
holds(gs_type type, int64 low, int64 high)
{
	return type == GS_INT8 || (low >= PG_INT32_MIN && high <= PG_INT32_MAX);
}

/* Within `least` and `most` of key k: NULL and what has no row are one of them. */
static bool
put_limits(gs_translation *t, const gs_dimension_index *x, int k, gs_operand a,
		   gs_operand *r)
{
	gs_type		type = gs_operand_type(&t->plan, a);
	gs_operand	limit;

	*r = a;
	if (x->most[k] != x->high[k] &&
		(!gs_put_number(t, type, x->most[k], &limit) ||
		 !gs_put_binary(t, GS_CODE_LEAST, *r, limit, r)))
		return false;
	return x->least[k] == x->low[k] ||
		(gs_put_number(t, type, x->least[k], &limit) &&
		 gs_put_binary(t, GS_CODE_GREATEST, *r, limit, r));
}

/* Arithmetic that cannot overflow. */
static bool
put_safe(gs_translation *t, gs_code code, gs_operand a, int64 constant,
		 gs_operand *r)
{
	gs_operand	b;

	if (!gs_put_bigint(t, constant, &b) || !gs_put_binary(t, code, a, b, r))
		return false;
	t->private->raises[*r - GS_RESULT(0)] = gs_can_raise(t, a);
	return true;
}

static bool
put_digit(gs_translation *t, const gs_dimension_index *x, int k, gs_operand a,
		  gs_operand *r)
{
	gs_operand	digit;
	gs_operand	number;

	if (!gs_put_cast(t, GS_INT8, a, &digit) ||
		!put_limits(t, x, k, digit, &digit) ||
		(x->least[k] != 0 &&
		 !put_safe(t, GS_CODE_SUBTRACT, digit, x->least[k], &digit)))
		return false;
	if (k == 0)
	{
		*r = digit;
		return true;
	}
	if (!put_safe(t, GS_CODE_MULTIPLY, *r, x->most[k] - x->least[k] + 1,
				  &number) ||
		!gs_put_binary(t, GS_CODE_ADD, number, digit, r))
		return false;
	t->private->raises[*r - GS_RESULT(0)] = gs_can_raise(t, number) ||
		gs_can_raise(t, digit);
	return true;
}

/* The number of several keys. */
static bool
put_number(gs_translation *t, const gs_dimension_index *x,
		   const gs_operand *key, int keys, gs_operand *r)
{
	for (int k = 0; k < keys; k++)
	{
		if (!put_digit(t, x, k, key[k], r))
			return false;
	}
	return true;
}

/* The place in an index; NULL, too, has place 0. */
static bool
put_sparse(gs_translation *t, const gs_dimension *d,
		   const gs_dimension_index *x, gs_operand a, gs_operand *r)
{
	const gs_instruction find = {
		.code = GS_CODE_FIND,
		.type = gs_operand_type(&t->plan, a),
		.a = a,
		.count = x->places - 1,
		.width = (int16) x->bits,
		.low = (int64) x->factor
	};
	gs_operand	zero;

	if (x == d->rows->index && d->rows->kept && x->map->number == 0)
		gs_lookup_number(x->map);
	return gs_put_with_table(t, find, x->map, r) &&
		gs_put_integer(t, 0, &zero) &&
		gs_put_binary(t, GS_CODE_GREATEST, *r, zero, r);
}

/* The table of places, beside the index. */
static void
make_map(const gs_dimension_rows *rows, gs_dimension_index *x)
{
	bool		is_rows = x == rows->index;
	MemoryContext old = MemoryContextSwitchTo(is_rows ? rows->context :
											  CurrentMemoryContext);
	gs_lookup	places = {.type = GS_INT4};

	places.n = x->places + 1;
	places.value = palloc0(places.n * sizeof(gs_value));
	places.null = palloc0(places.n);
	for (int32 i = 0; i < x->places; i++)
		places.value[i].i4 = i;
	x->map = palloc(sizeof *x->map);
	gs_lookup_pack(&places, x->place, x->numbers, x->map);
	if (is_rows && rows->kept)
		gs_lookup_number(x->map);
	pfree(x->place);
	pfree(places.value);
	pfree(places.null);
	x->place = NULL;
	MemoryContextSwitchTo(old);
}

/* What a number has in the table of places; the other numbers have place 0. */
static bool
put_mapped(gs_translation *t, const gs_dimension *d, gs_dimension_index *x,
		   gs_operand a, gs_operand *r)
{
	const gs_domain numbers = {.step = 1, .low = x->first, .n = x->numbers};
	const gs_lookup place = {.type = GS_INT4};

	if (x->place != NULL)
		make_map(d->rows, x);
	return gs_put_lookup_table(t, &numbers, a, &place, x->map, NULL, r);
}

static bool
put_place(gs_translation *t, const gs_dimension *d, gs_dimension_index *x,
		  const gs_operand *key, gs_operand *r)
{
	int			keys = list_length(d->outer_keys);
	gs_operand	a = key[0];

	if (keys == 0)
		return gs_put_integer(t, 0, r);
	if (keys > 1)
	{
		if (!put_number(t, x, key, keys, &a))
			return false;
	}
	else if (!holds(gs_operand_type(&t->plan, a), x->least[0], x->most[0]) &&
			 !gs_put_cast(t, GS_INT8, a, &a))
		return false;
	if (x->kind == GS_DIMENSION_SPARSE)
		return put_sparse(t, d, x, a, r);
	*r = a;
	return (keys > 1 || put_limits(t, x, 0, a, r)) &&
		(x->kind == GS_DIMENSION_DENSE ||
		 put_mapped(t, d, x, *r, r));
}

/* The index is made for the codes of this translation, or was when reading. */
static bool
find_place(gs_translation *t, gs_dimension *d, gs_dimension_place *place)
{
	gs_operand	key[GS_DIMENSION_KEYS] = {GS_NOTHING};
	gs_dimension_index *made;

	if (list_length(d->outer_keys) > GS_DIMENSION_KEYS)
		return gs_untranslated(t, "a join has more than 4 keys");
	for (int k = 0; k < list_length(d->outer_keys); k++)
	{
		if (!translate_key(t, d, k, &key[k]))
			return false;
	}
	if (t->state == NULL)
	{
		place->index = expect_index(d);
		if (!OidIsValid(d->held))
			t->evaluation += place->index->places * cpu_tuple_cost;
	}
	else if (d->rows->index != NULL)
		place->index = d->rows->index;
	else
	{
		made = palloc(sizeof *made);
		if (!make_index(t, d, key, made))
			return false;
		place->index = made;
	}
	if (t->state != NULL)
	{
		d->index_rows = d->rows->held ?
			(int32) Min(d->rows->held_rows, PG_INT32_MAX) : d->rows->n;
		d->index_held = d->rows->held;
		d->index_kind = place->index->kind;
	}
	return put_place(t, d, place->index, key, &place->operand);
}

const gs_dimension_place *
gs_dimension_place_of(gs_translation *t, gs_dimension *d)
{
	gs_dimension_place *place = t->private->place;
	ListCell   *cell;

	if (list_length(t->dimensions) > GS_DIMENSIONS_MAX)
	{
		gs_untranslated(t, "it has more than 16 joins");
		return NULL;
	}
	foreach(cell, t->dimensions)
	{
		if (lfirst(cell) == d)
			break;
		place++;
	}
	if (place->operand != GS_NOTHING || find_place(t, d, place))
		return place;
	place->operand = GS_NOTHING;
	return NULL;
}
