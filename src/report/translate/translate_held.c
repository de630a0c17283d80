/*-------------------------------------------------------------------------
 *
 * translate_held.c
 *	  Look-up tables of a join, made by the service of columns that it holds.
 *
 * A large dimension is not read here.  A report of its own, over its table, gives
 * the keys of its rows, with the report's snapshot; the service then makes of these
 * the table that says which keys have a row, and keeps it by number (RANGES,
 * SCATTER in protocol/report.h).  Each expression over the dimension is such a
 * report, too, as soon as a translation needs it: the first one reads all columns,
 * so that the others find them held.
 *
 * Keys are integers, and close together: their number is a row's place.  Whatever
 * else there is, the rows are read as those of other dimensions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "utils/memutils.h"

#include "engine/arithmetic.h"
#include "report/table/run.h"
#include "report/translate/translate_parts.h"

/*
 * Places, for each of its rows, or of those that look them up, and beyond these: a
 * byte or more for each.
 */
#define PLACES_A_ROW	8
#define PLACES_MORE		(1 << 20)

/* Values may come that codes, or ranges, do not have yet. */
#define TRIES_MAX		4

/* Columns of more distinct values are not given codes for a join. */
#define HELD_CODES_MAX		65536

/* A report over a dimension's table. */
typedef struct held_report
{
	gs_translation t;
	gs_report_run run;
	int			key[GS_DIMENSION_KEYS]; /* which of its values are keys, */
	int			value;			/* and the expression's; -1: none is */
	gs_operand	operand;
	gs_stage	stage;
	bool		lost;			/* the service is */
} held_report;

/* ----------
 * The plan
 * ----------
 */

/* The number of a value of the plan's rows; -1: there are too many. */
static int
add_value(gs_translation *t, gs_operand operand)
{
	gs_aggregate value;

	memset(&value, 0, sizeof value);
	value.kind = GS_AGG_VALUE;
	value.a = operand;
	value.filter = GS_NOTHING;
	return gs_translation_aggregate(t, &value);
}

static bool
is_integer(gs_type type)
{
	return type == GS_BOOL || type == GS_INT2 || type == GS_INT4 ||
		type == GS_INT8;
}

static bool
add_keys(held_report *r, const gs_dimension *d)
{
	gs_translation *t = &r->t;
	ListCell   *cell;

	foreach(cell, d->inner_keys)
	{
		Oid			type = exprType(lfirst(cell));
		gs_operand	operand;

		/* others are codes, which are not the other side's */
		if (type == NUMERICOID || type == INTERVALOID ||
			!gs_translate(t, lfirst(cell), &operand))
			return false;
		if (!is_integer(gs_operand_type(&t->plan, operand)) ||
			gs_known_constant(t, operand) != NULL)
			return gs_untranslated(t, "a join's key is no integer of a column");
		r->key[foreach_current_index(cell)] = add_value(t, operand);
	}
	return true;
}

/* All results look as SQL's: of numeric they have one scale. */
static bool
add_expression(held_report *r, Expr *expression)
{
	gs_translation *t = &r->t;
	gs_operand	operand;

	if (!gs_translate_any(t, expression, &operand))
		return false;
	if (gs_display_of(t, operand) != GS_NOTHING)
		return gs_untranslated(t, "an expression's numeric results differ in scale");
	r->operand = operand;
	r->value = add_value(t, operand);
	return true;
}

/* Is it a column that is not made of codes? */
static bool
is_plain(const Var *var)
{
	gs_report_column column;
	gs_type		type;

	return var->varattno > 0 &&
		gs_column_form_of(var->vartype, var->vartypmod, var->varcollid,
						  &column, &type) && column.form != GS_FORM_CODE;
}

/* What later reports need is read in one go. */
static void
add_columns(held_report *r, const gs_dimension *d)
{
	gs_translation *t = &r->t;
	ListCell   *cell;

	foreach(cell, d->columns)
	{
		const gs_translation_mark before = gs_mark(t);
		gs_operand	operand;

		if (is_plain(lfirst(cell)) &&
			!gs_translate_any(t, lfirst(cell), &operand))
			gs_forget(t, &before);
	}
}

/* expression: NULL: the keys alone */
static bool
translate_rows(held_report *r, const gs_dimension *d, PlanState *state,
		  Expr *expression)
{
	gs_translation *t = &r->t;

	gs_translation_init(t, d->held, NIL, state);
	t->plan.of_rows = 1;
	t->of = d;
	if (state != NULL)
		t->dimensions = d->children;
	r->value = -1;
	r->lost = false;
	if (!add_keys(r, d) ||
		(expression != NULL && !add_expression(r, expression)) ||
		!gs_translate_filter(t, d->filter, &t->plan.filter))
		return false;
	if (expression == NULL)
		add_columns(r, d);
	return true;
}

static bool
has_few_codes(const gs_dimension *d, const Var *var)
{
	double		values = gs_dictionary_expected(d->held, var->varattno);

	return values > 0 && values <= HELD_CODES_MAX;
}

bool
gs_held_can_be(const gs_dimension *d)
{
	held_report *r = palloc(sizeof *r);
	bool		can = translate_rows(r, d, NULL, NULL);
	ListCell   *cell;

	foreach(cell, d->columns)
		can &= is_plain(lfirst(cell)) || has_few_codes(d, lfirst(cell));
	for (int c = 0; c < r->t.plan.columns && can; c++)
	{
		if (r->t.column[c].form == GS_FORM_CODE)
			can = gs_dictionary_refusal(d->held, r->t.column[c].attribute) == NULL;
	}
	pfree(r->t.private);
	pfree(r);
	return can;
}

/* ----------
 * The report
 * ----------
 */

/* Rows have met values that the session did not know. */
static void
learn_values(held_report *r, const gs_dimension *d, Snapshot snapshot)
{
	const gs_translation *t = &r->t;
	bool		grown;

	if (t->ranges.n > 0)
		(void) gs_ranges_read(&r->run, t, d->held_tables, snapshot, &grown);
	for (int c = 0; c < t->plan.columns; c++)
	{
		if (t->column[c].dictionary != NULL)
			gs_dictionary_refresh(t->column[c].dictionary);
	}
}

/* GS_OK: it has been made, and is to be ended. */
static gs_status
try_once(held_report *r, const gs_dimension *d, Snapshot snapshot)
{
	const gs_report_input input = {
		.tables = d->held_tables,
		.named = d->held,
		.column = r->t.column,
		.snapshot = snapshot,
		.workers = max_parallel_workers_per_gather
	};
	gs_status	status;

	memset(&r->stage, 0, sizeof r->stage);
	r->stage.plan = r->t.plan;
	status = gs_report_read(&r->run, &r->stage, 1, &input);
	if (status == GS_OK)
		status = gs_report_finish(&r->run);
	r->lost = status == GS_DEVICE_LOST;
	if (status != GS_OK)
		gs_report_end(&r->run);
	return status;
}

/* If the service has lost a table of those that rows look up: false: it cannot be made. */
static bool
renew_children(const gs_dimension *d, PlanState *scan)
{
	const char *reason = NULL;

	for (int i = list_length(d->children) - 1; i >= 0 && reason == NULL; i--)
	{
		gs_dimension *child = list_nth(d->children, i);

		if (child->rows == NULL || !child->rows->held)
			continue;
		gs_dimension_forget(child);
		reason = gs_dimension_read(child, scan);
	}
	return reason == NULL;
}

/* NULL: it has been made, and is to be ended; or English: why not */
static const char *
make(held_report *r, const gs_dimension *d, PlanState *scan, Expr *expression)
{
	Snapshot	snapshot = scan->state->es_snapshot;
	bool		grown;

	for (int tries = 0; tries < TRIES_MAX; tries++)
	{
		if (!translate_rows(r, d, scan, expression))
			return r->t.reason != NULL ? r->t.reason : "it is too long";
		if (r->t.ranges.missing)
		{
			if (gs_ranges_read(&r->run, &r->t, d->held_tables, snapshot,
							   &grown) != GS_OK)
				return pstrdup(r->run.reason);
			continue;
		}
		if (try_once(r, d, snapshot) == GS_OK)
		{
			if (!gs_absent_have_come(&r->t))
				return NULL;
			gs_report_end(&r->run);
		}
		else if (r->run.summary.errors == GS_ERROR_LOOKUP &&
				 r->t.unknown == NULL)
			learn_values(r, d, snapshot);
		else if (r->run.lacks_table && renew_children(d, scan))
			continue;
		else if (!gs_report_codes_are_lost(r->t.column, r->t.plan.columns))
			return pstrdup(r->run.reason);
	}
	return "new values of columns keep coming";
}

/* ----------
 * Its rows as tables
 * ----------
 */

/* Where a key's row is, as in dimension.c. */
static const char *
make_index(const held_report *r, const gs_dimension *d,
		   const gs_value_range *range, gs_dimension_index *x)
{
	int			keys = list_length(d->inner_keys);
	double		rows = Max((double) r->run.summary.groups, d->outer_rows);
	double		places_max = PLACES_A_ROW * rows + PLACES_MORE;
	uint64		count;

	memset(x, 0, sizeof *x);
	for (int k = 0; k < keys; k++)
		gs_dimension_limit_key(x, k, range[r->key[k]].low,
							   range[r->key[k]].high);
	if (!gs_dimension_count_numbers(x, keys, &count) ||
		count > GS_SCATTER_PLACES || (double) count > places_max)
		return "a join's keys are too far apart for tables of the service";
	x->kind = GS_DIMENSION_DENSE;
	x->first = keys == 1 ? x->least[0] : 0;
	x->places = (int32) count;
	return NULL;
}

static void
set_places(const held_report *r, const gs_dimension *d,
		   const gs_dimension_index *x, gs_scatter *s)
{
	memset(s, 0, sizeof *s);
	s->keys = list_length(d->inner_keys);
	s->places = x->places;
	for (int k = 0; k < s->keys; k++)
	{
		s->key[k] = r->key[k];
		s->least[k] = x->least[k];
		s->count[k] = x->most[k] - x->least[k] + 1;
	}
}

/* As a plan has it, which only the service does. */
static void
describe_table(const gs_scatter *s, gs_lookup_table *table)
{
	gs_instruction in = {
		.on_null = -1, .count = (int32) s->places + 1, .width = (int16) s->width,
		.list_null = s->has_nulls
	};

	memset(table, 0, sizeof *table);
	table->n = in.count;
	table->width = in.width;
	table->has_nulls = s->has_nulls;
	table->size = (int32) gs_lookup_size(&in);
	table->number = gs_lookup_next_number();
}

/* NULL, with *repeated, or English: why there is no table */
static const char *
scatter(held_report *r, const gs_scatter *s, bool unique,
		gs_lookup_table *table, int64 *repeated)
{
	describe_table(s, table);
	return gs_report_scatter(&r->run, table->number, unique, s,
							 repeated) == GS_OK ? NULL : pstrdup(r->run.reason);
}

static const char *
find_rows(held_report *r, const gs_dimension *d, gs_dimension_index *x,
		  gs_lookup_table *found)
{
	bool		unique = d->kind == JOIN_INNER || d->kind == JOIN_LEFT;
	gs_value_range range[GS_RANGES_MAX];
	gs_scatter	s;
	int64		repeated = 0;
	const char *reason;

	if (gs_report_value_ranges(&r->run, range) != GS_OK)
		return pstrdup(r->run.reason);
	reason = make_index(r, d, range, x);
	if (reason != NULL)
		return reason;
	set_places(r, d, x, &s);
	s.value = -1;
	s.width = 1;
	s.none = d->kind == JOIN_ANTI;
	s.counts = unique;
	reason = scatter(r, &s, unique, found, &repeated);
	return reason == NULL && unique && repeated > 0 ? GS_REPEATED_KEY : reason;
}

const char *
gs_held_find_rows(const gs_dimension *d, PlanState *scan, bool *lost)
{
	gs_dimension_rows *rows = d->rows;
	held_report *r = palloc(sizeof *r);
	const char *reason = make(r, d, scan, NULL);

	*lost = r->lost;
	rows->index = palloc0(sizeof *rows->index);
	rows->found = palloc0(sizeof *rows->found);
	if (reason == NULL)
	{
		rows->held_rows = r->run.summary.groups;
		rows->columns_read = r->run.stats.kept_rows > r->run.stats.held_rows;
		reason = find_rows(r, d, rows->index, rows->found);
		gs_report_end(&r->run);
	}
	pfree(r->t.private);
	pfree(r);
	return reason;
}

/* Bytes that hold an integer's values, and that where there is no row. */
static int
find_width(gs_type type, int64 low, int64 high)
{
	if (type == GS_FLOAT4 || type == GS_FLOAT8 || type == GS_BOOL)
		return (int) gs_type_width(type);
	if (low >= PG_INT8_MIN && high <= PG_INT8_MAX)
		return 1;
	if (low >= PG_INT16_MIN && high <= PG_INT16_MAX)
		return 2;
	return low >= PG_INT32_MIN && high <= PG_INT32_MAX ? 4 : 8;
}

static Node *
replace_columns(Node *node, void *context)
{
	if (node != NULL && IsA(node, Var))
		return (Node *) makeNullConst(exprType(node), exprTypmod(node),
									  exprCollation(node));
	return expression_tree_mutator(node, replace_columns, context);
}

/*
 * What the expression gives for NULLs in place of all columns: places without a
 * row have that.
 */
static const char *
set_none(const gs_dimension *d, PlanState *scan, Expr *expression,
		 const gs_lookup *kind, gs_scatter *s)
{
	const gs_domain domain = {
		.dimension = unconstify(gs_dimension *, d), .step = 1
	};
	gs_lookup	none;
	const char *reason = gs_lookup_get(scan, (Expr *)
									   replace_columns((Node *) expression, NULL),
									   &domain, &none);

	if (reason != NULL)
		return reason;
	if (none.raised != NULL)
		return "an expression over NULLs raises an error";
	s->none_null = none.null[0];
	if (s->none_null)
		return NULL;
	if (none.type != kind->type || none.form != kind->form ||
		none.scale != kind->scale || none.form == GS_FORM_CODE)
		return "an expression over NULLs is not NULL";
	s->none = gs_lookup_integer(none.type, none.value[0]);
	return NULL;
}

/* Of what kind the values are, and whose codes. */
static const char *
describe(const held_report *r, Expr *expression, gs_lookup *lookup,
		 AttrNumber *coded)
{
	gs_report_value value;

	memset(lookup, 0, sizeof *lookup);
	gs_translated_value(&r->t, expression, r->operand, &value);
	lookup->type = value.type;
	lookup->form = value.form;
	lookup->scale = value.scale;
	lookup->dictionary = value.dictionary;
	*coded = 0;
	if (value.form != GS_FORM_CODE)
		return value.form == GS_FORM_VALUE || value.form == GS_FORM_DECIMAL ?
			NULL : "an expression has values of a type that is no table's";
	for (int c = 0; c < r->t.plan.columns; c++)
	{
		if (r->t.column[c].dictionary == value.dictionary)
			*coded = r->t.column[c].attribute;
	}
	return *coded != 0 ? NULL : "an expression makes texts of its own";
}

static const char *
make_values(held_report *r, const gs_dimension *d, PlanState *scan,
			Expr *expression, gs_lookup *lookup, gs_lookup_table *table,
			AttrNumber *coded)
{
	gs_value_range range[GS_RANGES_MAX];
	const gs_value_range *of = &range[r->value];
	gs_scatter	s;
	int64		repeated;
	const char *reason = describe(r, expression, lookup, coded);

	if (reason != NULL)
		return reason;
	set_places(r, d, d->rows->index, &s);
	reason = set_none(d, scan, expression, lookup, &s);
	if (reason != NULL)
		return reason;
	if (gs_report_value_ranges(&r->run, range) != GS_OK)
		return pstrdup(r->run.reason);
	s.value = r->value;
	s.width = find_width(lookup->type, Min(Min(of->low, 0), s.none),
						 Max(Max(of->high, 0), s.none));
	s.has_nulls = of->nulls > 0 || s.none_null;
	return scatter(r, &s, false, table, &repeated);
}

const char *
gs_held_evaluate(const gs_dimension *d, PlanState *scan, Expr *expression,
				 gs_lookup *lookup, gs_lookup_table *table, AttrNumber *coded)
{
	held_report *r = palloc(sizeof *r);
	const char *reason = make(r, d, scan, expression);

	if (reason == NULL)
	{
		reason = make_values(r, d, scan, expression, lookup, table, coded);
		gs_report_end(&r->run);
	}
	pfree(r->t.private);
	pfree(r);
	return reason;
}
