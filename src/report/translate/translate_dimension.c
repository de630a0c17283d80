/*-------------------------------------------------------------------------
 *
 * translate_dimension.c
 *	  Joins as instructions: what an expression over a dimension's columns has in
 *	  the place of a row (translate_place.c).
 *
 * A row always has a place: one without a row of the dimension, if the keys are
 * NULL or of no such row.  A table has, in places without a row, what the
 * expression gives for NULLs in place of all columns, as a left join has it; of
 * an inner join, rows that find nothing do not count.
 *
 * PostgreSQL chooses the order of joins, and evaluates a condition as soon as its
 * columns are there.  So an error in a key or a condition counts wherever it might
 * be met: the ordinary plan tells whether it is.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "port/pg_bitutils.h"
#include "utils/lsyscache.h"

#include "report/translate/translate_parts.h"

/* Values of a plan's lists, all together. */
#define PLACES_MAX	(1 << 26)

/* ----------
 * Expressions of one dimension
 * ----------
 */

typedef struct search
{
	const gs_translation *t;
	gs_dimension *dimension;	/* of the Vars so far, or NULL */
	bool		own;			/* the Vars' own, not that whose tables have them */
} search;

/* Is there a Var in it that is not of the one dimension? */
static bool
leads_elsewhere(Node *node, void *context)
{
	search	   *s = context;
	gs_dimension *d;

	if (node == NULL)
		return false;
	node = gs_resolve(s->t, node);
	if (!IsA(node, Var))
		return expression_tree_walker(node, leads_elsewhere, context);
	d = gs_dimension_of(s->t->dimensions, (Var *) node);
	if (d != NULL && !s->own)
		d = gs_dimension_root(d, s->t->of);
	if (d == NULL || (s->dimension != NULL && s->dimension != d))
		return true;
	s->dimension = d;
	return false;
}

typedef struct replacement
{
	const gs_translation *t;
	Node	   *stand_in;		/* of each Var; NULL: what it stands for */
} replacement;

static Node *
replace_vars(Node *node, void *context)
{
	const replacement *r = context;

	if (node == NULL)
		return NULL;
	node = gs_resolve(r->t, node);
	if (!IsA(node, Var))
		return expression_tree_mutator(node, replace_vars, context);
	return r->stand_in != NULL ? r->stand_in : node;
}

static gs_dimension *
find_dimension(const gs_translation *t, Expr *expression, bool own)
{
	Node	   *node = (Node *) expression;
	search		s = {.t = t, .own = own};
	replacement r = {.t = t};

	if (t->dimensions == NIL || leads_elsewhere(node, &s) ||
		s.dimension == NULL)
		return NULL;
	r.stand_in = makeBoolConst(false, true);
	return gs_has_no_column((Expr *) replace_vars(node, &r)) ? s.dimension :
		NULL;
}

gs_dimension *
gs_find_dimension(const gs_translation *t, Expr *expression)
{
	return find_dimension(t, expression, false);
}

/* Whose columns are there?  A bit for each dimension, and one for the table. */
#define OF_TABLE	(1U << GS_DIMENSIONS_MAX)

typedef struct table_search
{
	const gs_translation *t;
	uint32		tables;
} table_search;

static bool
add_tables(Node *node, void *context)
{
	table_search *s = context;
	gs_dimension *d;
	ListCell   *cell;
	uint32		bit = 1;

	if (node == NULL)
		return false;
	node = gs_resolve(s->t, node);
	if (!IsA(node, Var))
		return expression_tree_walker(node, add_tables, context);
	d = gs_dimension_of(s->t->dimensions, (Var *) node);
	if (d != NULL)
		d = gs_dimension_root(d, s->t->of);
	foreach(cell, s->t->dimensions)
	{
		if (lfirst(cell) == d)
			break;
		bit <<= 1;
	}
	s->tables |= d == NULL ? OF_TABLE : bit;
	return false;
}

static uint32
tables_of(const gs_translation *t, Expr *expression)
{
	table_search s = {.t = t};

	(void) add_tables((Node *) expression, &s);
	return s.tables;
}

bool
gs_is_of_table(const gs_translation *t, Expr *expression)
{
	return t->dimensions == NIL || (tables_of(t, expression) & ~OF_TABLE) == 0;
}

/* ----------
 * Tables
 * ----------
 */

/*
 * What an expression has given for the rows; NULL: whether there are any; a list of
 * expressions: the first row that has the same of all.
 */
typedef struct kept_lookup
{
	Expr	   *expression;
	gs_lookup	lookup;

	/* at each place of the rows' own index, if they have one */
	bool		has_table;
	bool		has_errors;
	gs_lookup_table table;
	gs_lookup_table errors;

	/* the service made the table: of a column's codes, of this dictionary */
	AttrNumber	coded;
	uint64		dictionary;
} kept_lookup;

static void
pack(kept_lookup *kept, const gs_dimension_index *index)
{
	memset(&kept->errors, 0, sizeof kept->errors);
	gs_lookup_pack(&kept->lookup, index->row, index->places, &kept->table);
	kept->has_errors = gs_lookup_pack_errors(&kept->lookup, index->row,
											 index->places, &kept->errors);
}

/* What a place has; of a kind when planning. */
static bool
put_by_place(gs_translation *t, gs_dimension *d,
			 const gs_dimension_place *place, kept_lookup *kept, gs_operand *r)
{
	const gs_domain domain = {
		.step = 1,
		.low = place->index->kind == GS_DIMENSION_DENSE ?
		place->index->first : 0,
		.n = place->index->places
	};
	kept_lookup own = *kept;
	MemoryContext old;
	bool		done;

	if (t->state == NULL)
		return gs_put_lookup(t, &domain, place->operand, &kept->lookup, r);
	if (d->rows->held)
		return gs_put_lookup_table(t, &domain, place->operand, &kept->lookup,
								   &kept->table, NULL, r);
	if (t->plan.list_length > PLACES_MAX - 2 * (domain.n + 1))
		return gs_untranslated(t, "the tables of its joins would be too long");
	if (place->index == d->rows->index && !kept->has_table)
	{
		old = MemoryContextSwitchTo(d->rows->context);
		pack(kept, place->index);
		kept->has_table = true;
		if (d->rows->kept)
		{
			gs_lookup_number(&kept->table);
			gs_lookup_number(&kept->errors);
		}
		MemoryContextSwitchTo(old);
	}
	if (kept->has_table)
		own = *kept;
	else
		pack(&own, place->index);
	done = gs_put_lookup_table(t, &domain, place->operand, &own.lookup,
							   &own.table, own.has_errors ? &own.errors : NULL, r);
	if (kept->has_table)
		return done;
	pfree(own.table.value);
	if (own.has_errors)
		pfree(own.errors.value);
	return done;
}

/* Once an execution; NULL: there is none so far. */
static kept_lookup *
find_kept(const gs_dimension_rows *rows, const Expr *expression)
{
	ListCell   *cell;

	foreach(cell, rows->lookups)
	{
		kept_lookup *kept = lfirst(cell);

		if (equal(kept->expression, expression))
			return kept;
	}
	return NULL;
}

/* NULL, with a reason: it cannot be evaluated. */
static kept_lookup *
evaluate(gs_translation *t, gs_dimension *d, Expr *expression)
{
	const gs_domain domain = {.dimension = d, .step = 1, .n = d->rows->n};
	kept_lookup *kept = find_kept(d->rows, expression);
	gs_lookup	lookup;
	MemoryContext old;

	if (kept != NULL)
		return kept;
	t->reason = gs_lookup_get(t->state, expression, &domain, &lookup);
	t->in_vain |= t->reason != NULL;
	if (t->reason != NULL)
		return NULL;
	old = MemoryContextSwitchTo(d->rows->context);
	kept = palloc0(sizeof *kept);
	kept->expression = copyObject(expression);
	kept->lookup = lookup;
	if (d->rows->kept && lookup.form == GS_FORM_CODE)
		gs_dictionary_keep(lookup.dictionary);
	d->rows->lookups = lappend(d->rows->lookups, kept);
	d->rows->varies |= gs_varies((Node *) expression);
	MemoryContextSwitchTo(old);
	return kept;
}

/* If the service has lost the dictionary, its codes are others now. */
static bool
has_codes(const gs_dimension *d, kept_lookup *kept)
{
	const char *reason;

	if (kept->coded == 0)
		return true;
	kept->lookup.dictionary = gs_dictionary_open(d->held, kept->coded,
												 &reason);
	return kept->lookup.dictionary != NULL &&
		kept->lookup.dictionary->id == kept->dictionary;
}

/* The same by the service; what cannot be, may be read. */
static kept_lookup *
evaluate_held(gs_translation *t, gs_dimension *d, Expr *expression)
{
	kept_lookup *kept = find_kept(d->rows, expression);
	kept_lookup made = {0};
	const char *reason;
	MemoryContext old;

	if (kept != NULL && has_codes(d, kept))
		return kept;
	if (kept != NULL)
		d->rows->lookups = list_delete_ptr(d->rows->lookups, kept);
	reason = gs_held_evaluate(d, t->state, expression, &made.lookup,
							  &made.table, &made.coded);
	if (reason != NULL)
	{
		d->refused = true;
		gs_untranslated(t, reason);
		return NULL;
	}
	if (made.coded != 0)
		made.dictionary = made.lookup.dictionary->id;
	old = MemoryContextSwitchTo(d->rows->context);
	kept = palloc(sizeof *kept);
	*kept = made;
	kept->expression = copyObject(expression);
	d->rows->lookups = lappend(d->rows->lookups, kept);
	d->rows->varies |= gs_varies((Node *) expression);
	MemoryContextSwitchTo(old);
	return kept;
}

/* Put what an expression over the dimension has, with its own place. */
static bool
put_own(gs_translation *t, gs_dimension *d, Expr *expression, gs_operand *r)
{
	const gs_dimension_place *place = gs_dimension_place_of(t, d);
	kept_lookup *kept;

	if (place == NULL)
		return false;
	kept = d->rows->held ? evaluate_held(t, d, expression) :
		evaluate(t, d, gs_dimension_expression(d, expression));
	return kept != NULL && put_by_place(t, d, place, kept, r);
}

/*
 * The same where the service makes the tables.  What it cannot put into those of a
 * parent, such as texts that were read here, is looked up in two steps.
 */
static bool
put_held(gs_translation *t, gs_dimension *d, Expr *expression,
		 const gs_lookup *kind, gs_operand *r)
{
	gs_dimension *own = find_dimension(t, expression, true);
	bool		refused = d->refused;

	if (own == d || own == NULL)
		return put_own(t, d, expression, r);
	if ((kind->form != GS_FORM_CODE || own->rows->held) &&
		put_own(t, d, expression, r))
		return true;
	d->refused = refused;
	gs_untranslated(t, NULL);
	return put_own(t, own, expression, r);
}

bool
gs_translate_of_dimension(gs_translation *t, gs_dimension *d,
						  Expr *expression, gs_operand *r)
{
	const gs_dimension_place *place;
	replacement resolved = {.t = t};
	gs_lookup	lookup;
	kept_lookup kind = {0};
	Param	   *unknown;

	t->reason = gs_lookup_kind(expression, t->private->by_bytes, &lookup);
	if (t->reason != NULL)
		return false;
	unknown = t->state == NULL ? NULL : gs_unknown_parameter(t, expression);
	if (unknown != NULL)
		return gs_put_need(t, expression, unknown, &lookup, r);
	if (t->state != NULL)
	{
		expression = (Expr *) replace_vars((Node *) expression, &resolved);
		return d->rows->held ? put_held(t, d, expression, &lookup, r) :
			put_own(t, d, expression, r);
	}
	place = gs_dimension_place_of(t, d);
	if (place == NULL)
		return false;
	if (!OidIsValid(d->held))
		gs_add_evaluation(t, expression, place->index->places);
	kind.lookup = lookup;
	return put_by_place(t, d, place, &kind, r);
}

/* Where there are rows; but of an antijoin, where there are none. */
static kept_lookup *
find_rows(gs_dimension *d)
{
	int32		n = d->rows->n;
	kept_lookup *kept = find_kept(d->rows, NULL);
	MemoryContext old;

	if (kept != NULL)
		return kept;
	old = MemoryContextSwitchTo(d->rows->context);
	kept = palloc0(sizeof *kept);
	kept->lookup.type = GS_BOOL;
	if (d->rows->held)
	{
		kept->table = *d->rows->found;
		d->rows->lookups = lappend(d->rows->lookups, kept);
		MemoryContextSwitchTo(old);
		return kept;
	}
	kept->lookup.n = n + 1;
	kept->lookup.value = palloc0((n + 1) * sizeof(gs_value));
	kept->lookup.null = palloc0(n + 1);
	for (int32 i = 0; i <= n; i++)
		kept->lookup.value[i].i2 = (i < n) != (d->kind == JOIN_ANTI);
	d->rows->lookups = lappend(d->rows->lookups, kept);
	MemoryContextSwitchTo(old);
	return kept;
}

/* Does the join keep a row that has this place?  Of a left join, it always does. */
static bool
put_found(gs_translation *t, gs_dimension *d, gs_operand *r)
{
	const gs_dimension_place *place = gs_dimension_place_of(t, d);
	kept_lookup kind = {.lookup = {.type = GS_BOOL}};

	return place != NULL &&
		put_by_place(t, d, place, t->state == NULL ? &kind : find_rows(d), r);
}

/* ----------
 * Keys of groups
 * ----------
 */

/* What is told apart by its integers, and looks the same if these are. */
static bool
can_combine(gs_translation *t, Expr *expression)
{
	gs_lookup	kind;

	return gs_lookup_kind(expression, false, &kind) == NULL &&
		kind.type != GS_FLOAT4 && kind.type != GS_FLOAT8 &&
		gs_unknown_parameter(t, expression) == NULL;
}

/* The dimension whose rows are here, and tell these keys apart; NULL: there is none. */
static gs_dimension *
dimension_of_key(const gs_translation *t, Expr *key)
{
	gs_dimension *d = gs_find_dimension(t, key);

	if (d == NULL || t->state == NULL || !d->rows->held)
		return d;
	d = find_dimension(t, key, true);
	return d == NULL || d->rows->held ? NULL : d;
}

/* Of these keys, those of the dimension; NIL: fewer than two can be combined. */
static List *
find_keys(gs_translation *t, const List *keys, const gs_dimension *d)
{
	List	   *found = NIL;
	ListCell   *cell;

	foreach(cell, keys)
	{
		Expr	   *key = lfirst(cell);

		if (dimension_of_key(t, key) == d && can_combine(t, key))
			found = lappend(found, key);
	}
	return list_length(found) < 2 ? NIL : found;
}

static bool
is_same_row(kept_lookup *const *key, int keys, int32 a, int32 b)
{
	for (int k = 0; k < keys; k++)
	{
		const gs_lookup *l = &key[k]->lookup;

		if (l->null[a] != l->null[b] ||
			(!l->null[a] && gs_lookup_integer(l->type, l->value[a]) !=
			 gs_lookup_integer(l->type, l->value[b])))
			return false;
	}
	return true;
}

static uint64
hash_of_row(kept_lookup *const *key, int keys, int32 row)
{
	uint64		hash = 0;

	for (int k = 0; k < keys; k++)
	{
		const gs_lookup *l = &key[k]->lookup;

		if (!l->null[row])
			hash ^= (uint64) gs_lookup_integer(l->type, l->value[row]);
		hash = (hash + 1) * UINT64CONST(0x9E3779B97F4A7C15);
		hash ^= hash >> 32;
	}
	return hash;
}

/* For each row, and for none, the first one with the same keys. */
static void
find_first_rows(kept_lookup *const *key, int keys, gs_lookup *first)
{
	int32		n = key[0]->lookup.n;
	uint32		slots = pg_nextpower2_32((uint32) 2 * n);
	int32	   *slot = palloc_extended(slots * sizeof(int32), MCXT_ALLOC_HUGE);

	memset(slot, -1, slots * sizeof(int32));
	first->type = GS_INT4;
	first->n = n;
	first->value = palloc0(n * sizeof(gs_value));
	first->null = palloc0(n);
	for (int32 i = 0; i < n; i++)
	{
		uint32		at = (uint32) hash_of_row(key, keys, i) & (slots - 1);

		while (slot[at] >= 0 && !is_same_row(key, keys, slot[at], i))
			at = (at + 1) & (slots - 1);
		if (slot[at] < 0)
			slot[at] = i;
		first->value[i].i4 = slot[at];
	}
	pfree(slot);
}

/* Once an execution, as the expressions that these are. */
static kept_lookup *
find_rows_of_keys(gs_dimension *d, List *expressions, kept_lookup *const *key)
{
	kept_lookup *kept = find_kept(d->rows, (Expr *) expressions);
	MemoryContext old;

	if (kept != NULL)
		return kept;
	old = MemoryContextSwitchTo(d->rows->context);
	kept = palloc0(sizeof *kept);
	kept->expression = copyObject((Expr *) expressions);
	find_first_rows(key, list_length(expressions), &kept->lookup);
	d->rows->lookups = lappend(d->rows->lookups, kept);
	MemoryContextSwitchTo(old);
	return kept;
}

/* What a key is of the first row that has it. */
static void
describe_key(Expr *key, const gs_lookup *lookup, int place,
			 gs_report_value *value)
{
	memset(value, 0, sizeof *value);
	value->type = lookup->type;
	value->form = lookup->form;
	value->scale = Max(lookup->scale, 0);
	value->length = get_typlen(exprType((Node *) key));
	value->dictionary = lookup->dictionary;
	value->place = place;
	value->rows = lookup->n;
	value->of_row = lookup->value;
	value->of_row_null = lookup->null;
}

/*
 * Put one key for these of a dimension.  *put: 0, if they had better be keys of
 * their own.
 */
static bool
put_rows_key(gs_translation *t, gs_dimension *d, List *found, const List *keys,
			 gs_report_value *value, bool *put)
{
	const replacement resolved = {.t = t};
	const gs_dimension_place *place = gs_dimension_place_of(t, d);
	kept_lookup **key = palloc(list_length(found) * sizeof *key);
	List	   *expressions = NIL;
	gs_operand	operand;
	ListCell   *cell;

	*put = false;
	if (place == NULL)
		return false;
	foreach(cell, found)
	{
		Expr	   *e = (Expr *) replace_vars(lfirst(cell), (void *) &resolved);
		int			n = list_length(expressions);

		e = gs_dimension_expression(d, e);
		key[n] = evaluate(t, d, e);
		if (key[n] == NULL)
			return false;
		if (key[n]->lookup.raised != NULL)
			return true;
		expressions = lappend(expressions, e);
	}
	if (t->plan.keys == GS_PLAN_KEYS)
		return true;
	if (!put_by_place(t, d, place, find_rows_of_keys(d, expressions, key),
					  &operand))
		return false;
	foreach(cell, keys)
	{
		int			k = foreach_current_index(cell);

		for (int i = 0; i < list_length(found); i++)
		{
			if (list_nth(found, i) == lfirst(cell))
				describe_key(lfirst(cell), &key[i]->lookup, t->plan.keys,
							 &value[k]);
		}
	}
	t->private->key[t->plan.keys++] = operand;
	*put = true;
	return true;
}

/*
 * Groups by several columns of a dimension are the same as groups by the first of
 * its rows that has these: one table is enough for the rows of the report, and
 * the columns are those of the groups' rows.
 */
bool
gs_translate_keys(gs_translation *t, List *keys, bool combine,
				  gs_report_value *value)
{
	bool	   *done = palloc0(list_length(keys) + 1);
	ListCell   *cell;

	foreach(cell, keys)
	{
		Expr	   *key = lfirst(cell);
		int			k = foreach_current_index(cell);
		gs_dimension *d = combine ? dimension_of_key(t, key) : NULL;
		List	   *found = NIL;
		bool		put = false;

		if (done[k])
			continue;
		if (d != NULL && (d->kind == JOIN_INNER || d->kind == JOIN_LEFT))
			found = find_keys(t, keys, d);
		if (list_member_ptr(found, key) &&
			!put_rows_key(t, d, found, keys, value, &put))
			return false;
		for (int i = k; put && i < list_length(keys); i++)
			done[i] |= list_member_ptr(found, list_nth(keys, i));
		if (put)
			continue;
		if (!gs_translate_key(t, key))
			return false;
		gs_translated_value(t, key, t->plan.key[t->plan.keys - 1], &value[k]);
		value[k].place = t->plan.keys - 1;
	}
	return true;
}

/* ----------
 * Joins
 * ----------
 */

/* An error, if `a` is one, where `where` is true; else true. */
static bool
put_check(gs_translation *t, gs_operand where, gs_operand a, gs_operand *r)
{
	gs_operand	yes;

	return gs_put_boolean(t, true, &yes) &&
		gs_put_unary(t, GS_CODE_IS_NULL, a, r) &&
		gs_put_choose(t, *r, yes, yes, r) &&
		(where == GS_NOTHING || gs_put_choose(t, where, *r, yes, r));
}

/* A join's keys; of an earlier dimension without a row they are NULL. */
static bool
add_key_check(gs_translation *t, gs_dimension *d, gs_operand *r)
{
	const gs_dimension_place *place = gs_dimension_place_of(t, d);
	gs_operand	check;

	return place != NULL &&
		(!gs_can_raise(t, place->operand) ||
		 (put_check(t, GS_NOTHING, place->operand, &check) &&
		  gs_add_qual(t, check, r)));
}

/*
 * What is true wherever a condition on these tables is evaluated: an inner join
 * has found their rows.
 */
static bool
add_found(gs_translation *t, uint32 tables, gs_operand *r)
{
	ListCell   *cell;

	foreach(cell, t->dimensions)
	{
		gs_dimension *d = lfirst(cell);
		gs_operand	found;

		if (d->kind == JOIN_INNER &&
			(tables & 1U << foreach_current_index(cell)) != 0 &&
			(!put_found(t, d, &found) || !gs_add_qual(t, found, r)))
			return false;
	}
	return true;
}

/*
 * The last of these conditions.  Those before it have been evaluated by then that
 * are on no other tables.
 */
static bool
add_condition_check(gs_translation *t, const uint32 *tables,
					const gs_operand *condition, int last, gs_operand *r)
{
	gs_operand	where = GS_NOTHING;
	gs_operand	check;

	if (!gs_can_raise(t, condition[last]))
		return true;
	if (!add_found(t, tables[last], &where))
		return false;
	for (int i = 0; i < last; i++)
	{
		if ((tables[i] & ~tables[last]) == 0 &&
			!gs_add_qual(t, condition[i], &where))
			return false;
	}
	return put_check(t, where, condition[last], &check) &&
		gs_add_qual(t, check, r);
}

/*
 * In instructions: what a search in an index takes (43 ns, another one 4); to list
 * the rows that a test leaves, of all; and to pack their columns, of those.
 */
#define FIND_PRICE	10
#define LIST_PRICE	2
#define PACK_PRICE	4

/* What it takes to compute an operand, in instructions. */
static double
price_of(const gs_translation *t, gs_operand operand)
{
	const gs_instruction *code = t->private->code;
	bool	   *needed;
	double		price = 0;

	if (operand < GS_RESULT(0))
		return 0;
	needed = palloc0(t->plan.instructions);
	needed[operand - GS_RESULT(0)] = true;
	for (int i = operand - GS_RESULT(0); i >= 0; i--)
	{
		const gs_operand of[] = {code[i].a, code[i].b, code[i].c};

		if (!needed[i])
			continue;
		price += code[i].code == GS_CODE_FIND ? FIND_PRICE : 1;
		for (int o = 0; o < gs_code_operands(code[i].code); o++)
		{
			if (of[o] >= GS_RESULT(0))
				needed[of[o] - GS_RESULT(0)] = true;
		}
	}
	pfree(needed);
	return price;
}

/* Whether a dimension's join keeps a row. */
typedef struct found_flag
{
	gs_dimension *dimension;
	gs_operand	flag;
	double		rank;			/* less: to be tested earlier */
} found_flag;

/* So that the fewest instructions are executed, if one does not tell of another. */
static void
sort_flags(const gs_translation *t, found_flag *flag, int n)
{
	for (int i = 0; i < n; i++)
	{
		/* what can be an error stays behind what may keep it from being one */
		if (gs_can_raise(t, flag[i].flag))
			return;
	}
	for (int i = 0; i < n; i++)
	{
		found_flag	f = flag[i];
		double		share = f.dimension->share;
		int			k;

		f.rank = (price_of(t, f.flag) + LIST_PRICE + PACK_PRICE * share) /
			Max(1 - share, 1.0 / GS_DIMENSION_SHARES);
		for (k = i; k > 0 && flag[k - 1].rank > f.rank; k--)
			flag[k] = flag[k - 1];
		flag[k] = f;
	}
}

/* An engine tests what is joined by AND from the left. */
static bool
add_flags(gs_translation *t, gs_operand *r)
{
	found_flag *flag = palloc(list_length(t->dimensions) * sizeof *flag);
	int			n = 0;
	ListCell   *cell;

	foreach(cell, t->dimensions)
	{
		gs_dimension *d = lfirst(cell);

		if (d->kind == JOIN_LEFT || gs_dimension_root(d, t->of) != d)
			continue;
		flag[n].dimension = d;
		if (!put_found(t, d, &flag[n].flag))
			return false;
		n++;
	}
	sort_flags(t, flag, n);
	for (int i = 0; i < n; i++)
	{
		flag[i].dimension->tested = i + 1;
		if (!gs_add_qual(t, flag[i].flag, r))
			return false;
	}
	return true;
}

bool
gs_add_joins(gs_translation *t, List *conditions, gs_operand *r)
{
	int			n = list_length(conditions);
	gs_operand *condition = palloc(n * sizeof *condition);
	uint32	   *tables = palloc(n * sizeof *tables);
	ListCell   *cell;

	foreach(cell, t->dimensions)
	{
		gs_dimension *d = lfirst(cell);

		if (t->state != NULL && t->of == NULL)
			d->index_within = gs_dimension_root(d, t->of) != d;
		if (gs_dimension_root(d, t->of) == d && !add_key_check(t, d, r))
			return false;
	}
	foreach(cell, conditions)
	{
		int			i = foreach_current_index(cell);

		tables[i] = tables_of(t, lfirst(cell));
		if (!gs_translate_condition(t, lfirst(cell), &condition[i]) ||
			!add_condition_check(t, tables, condition, i, r))
			return false;
	}
	if (!add_flags(t, r))
		return false;
	for (int i = 0; i < n; i++)
	{
		if (!gs_add_qual(t, condition[i], r))
			return false;
	}
	return true;
}
