/*-------------------------------------------------------------------------
 *
 * dimension.c
 *	  The rows of a join's table, and where they are found by key.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/date.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "engine/index.h"
#include "report/translate/dimension.h"
#include "report/translate/evaluation.h"
#include "report/translate/lookup.h"

/*
 * What a hash join may take is not enough: it goes to disk beyond that, which is
 * not done here.
 */
#define WORK_MEMS		32

/*
 * An index is dense if it has at most so many places for each row, and these: each
 * expression has a table of as many.
 */
#define DENSE_PLACES	2
#define DENSE_MORE		4096

/*
 * One table of places is reckoned at 3 ns for each of its numbers until the engine
 * has it, and saves each row a search of 43 ns.
 */
#define MAPPED_NUMBERS	8
#define MAPPED_MORE		131072

/* What small values are copied into. */
#define BLOCK_SIZE		65536

#define TOO_MANY_ROWS	"a join's table has more than 16,777,216 rows"

/* Numbers of several keys are less. */
#define NUMBER_MAX		(INT64_C(1) << 62)

size_t
gs_dimension_memory(void)
{
	return (size_t) (WORK_MEMS * 1024.0 * work_mem * hash_mem_multiplier);
}

/* ----------
 * Columns
 * ----------
 */

int
gs_dimension_column(const gs_dimension *d, const Var *var)
{
	ListCell   *cell;

	foreach(cell, d->columns)
	{
		const Var  *column = lfirst_node(Var, cell);

		if (column->varno == var->varno && column->varattno == var->varattno &&
			var->varlevelsup == 0)
			return foreach_current_index(cell);
	}
	return -1;
}

gs_dimension *
gs_dimension_of(const List *dimensions, const Var *var)
{
	ListCell   *cell;

	foreach(cell, dimensions)
	{
		if (gs_dimension_column(lfirst(cell), var) >= 0)
			return lfirst(cell);
	}
	return NULL;
}

static Node *
replace_columns(Node *node, void *context)
{
	int			column;

	if (node == NULL)
		return NULL;
	if (!IsA(node, Var))
		return expression_tree_mutator(node, replace_columns, context);
	column = gs_dimension_column(context, (Var *) node);
	Assert(column >= 0);
	return (Node *) makeVar(OUTER_VAR, column + 1, exprType(node),
							exprTypmod(node), exprCollation(node), 0);
}

Expr *
gs_dimension_expression(const gs_dimension *d, Expr *expression)
{
	return (Expr *) replace_columns((Node *) expression,
									unconstify(gs_dimension *, d));
}

/* ----------
 * Rows
 * ----------
 */

typedef struct reader
{
	gs_dimension_rows *rows;
	int			columns;
	int16	   *length;			/* of each column's type */
	bool	   *by_value;
	int32		space;			/* rows for which there is room */
	double		size;			/* bytes taken */
	char	   *block;			/* for small values: where the next one goes, and */
	size_t		left;			/* what is left */
} reader;

static void
begin_rows(reader *r, const gs_dimension *d)
{
	int			n = list_length(d->columns);

	r->rows = palloc0(sizeof(gs_dimension_rows));
	r->rows->context = CurrentMemoryContext;
	r->rows->value = palloc0(Max(n, 1) * sizeof(Datum *));
	r->rows->null = palloc0(Max(n, 1) * sizeof(bool *));
	r->columns = n;
	r->length = palloc(Max(n, 1) * sizeof(int16));
	r->by_value = palloc(Max(n, 1) * sizeof(bool));
	r->space = 0;
	r->size = 0;
	r->left = 0;
	for (int c = 0; c < n; c++)
		get_typlenbyval(list_nth_node(Var, d->columns, c)->vartype,
						&r->length[c], &r->by_value[c]);
}

static void
set_room(reader *r, int32 space)
{
	for (int c = 0; c < r->columns; c++)
	{
		Datum	   *value = r->rows->value[c];
		bool	   *null = r->rows->null[c];

		r->rows->value[c] = value == NULL ? palloc(space * sizeof(Datum)) :
			repalloc(value, space * sizeof(Datum));
		r->rows->null[c] = null == NULL ? palloc(space * sizeof(bool)) :
			repalloc(null, space * sizeof(bool));
	}
	r->size += ((double) space - r->space) * r->columns *
		(sizeof(Datum) + sizeof(bool));
	r->space = space;
}

/* Room for one row more. */
static void
make_room(reader *r)
{
	if (r->rows->n == r->space)
		set_room(r, Max(2 * r->space, 64));
}

/* Small values come one behind the other, without what palloc adds to each. */
static void *
take_bytes(reader *r, size_t size)
{
	char	   *taken;

	r->size += size;
	size = MAXALIGN(size);
	if (size > BLOCK_SIZE / 8)
		return palloc(size);
	if (size > r->left)
	{
		r->block = palloc(BLOCK_SIZE);
		r->left = BLOCK_SIZE;
	}
	taken = r->block;
	r->block += size;
	r->left -= size;
	return taken;
}

static Datum
copy_value(reader *r, int column, Datum value)
{
	void	   *from = DatumGetPointer(value);
	void	   *copy;
	size_t		size;

	if (r->by_value[column])
		return value;
	if (r->length[column] == -1 && VARATT_IS_SHORT(from))
	{
		size = VARSIZE_SHORT(from) - VARHDRSZ_SHORT;
		copy = take_bytes(r, size + VARHDRSZ);
		SET_VARSIZE(copy, size + VARHDRSZ);
		memcpy(VARDATA(copy), VARDATA_SHORT(from), size);
	}
	else if (r->length[column] == -1 && VARATT_IS_EXTENDED(from))
	{
		copy = PG_DETOAST_DATUM_COPY(value);
		r->size += VARSIZE(copy);
	}
	else
	{
		size = datumGetSize(value, false, r->length[column]);
		copy = take_bytes(r, size);
		memcpy(copy, from, size);
	}
	return PointerGetDatum(copy);
}

/* slot: NULL: a row of NULLs, which is not counted */
static void
add_row(reader *r, TupleTableSlot *slot)
{
	int32		i = r->rows->n;

	make_room(r);
	for (int c = 0; c < r->columns; c++)
	{
		bool		null = slot == NULL || slot->tts_isnull[c];

		r->rows->null[c][i] = null;
		r->rows->value[c][i] = null ? (Datum) 0 :
			copy_value(r, c, slot->tts_values[c]);
	}
	r->rows->n += slot != NULL;
}

/* A plan keeps its scan's state in the current memory context, beyond this report. */
static TupleTableSlot *
next_row(PlanState *plan)
{
	MemoryContext old = MemoryContextSwitchTo(plan->state->es_query_cxt);
	TupleTableSlot *slot = ExecProcNode(plan);

	MemoryContextSwitchTo(old);
	return slot;
}

/* May several rows have the same keys? */
static bool
may_repeat(const gs_dimension *d)
{
	return d->kind == JOIN_SEMI || d->kind == JOIN_ANTI || d->repeats;
}

static const char *
read_rows(reader *r, gs_dimension *d)
{
	const double size_max = (double) gs_dimension_memory();
	bool		is_one = d->outer_keys == NIL;
	bool		repeats = may_repeat(d);

	for (;;)
	{
		TupleTableSlot *slot = next_row(d->plan);

		if (TupIsNull(slot))
			break;
		if (is_one && r->rows->n == 1)
			return repeats ? NULL : "a join without a key has more than one row";
		if (r->rows->n == GS_DIMENSION_ROWS)
			return TOO_MANY_ROWS;
		slot_getallattrs(slot);
		add_row(r, slot);
		if (r->size > size_max)
			return "the rows of a join's table take too much memory";
	}
	return NULL;
}

/* ----------
 * Keys
 * ----------
 */

Oid
gs_dimension_key_type(Oid type)
{
	switch (type)
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
			return INT8OID;
		case TEXTOID:
		case VARCHAROID:
			return TEXTOID;
		case BOOLOID:
		case DATEOID:
		case TIMEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
		case BPCHAROID:
		case CHAROID:
		case UUIDOID:
			return type;
		default:
			return get_typtype(type) == TYPTYPE_ENUM ? type : InvalidOid;
	}
}

bool
gs_dimension_is_equality(Oid operator, Oid type)
{
	Oid			family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;

	return OidIsValid(operator) && OidIsValid(family) &&
		get_op_opfamily_strategy(operator, family) == BTEqualStrategyNumber;
}

/* codes: NULL: it is of a type that has integers */
static int64
key_of(Oid type, Datum value, gs_dictionary *codes)
{
	if (codes != NULL)
		return gs_dictionary_add(codes, value);
	switch (type)
	{
		case BOOLOID:
			return DatumGetBool(value);
		case INT2OID:
			return DatumGetInt16(value);
		case INT4OID:
			return DatumGetInt32(value);
		case DATEOID:
			return DatumGetDateADT(value);
		default:
			/* times, too, are of 64 bits */
			return DatumGetInt64(value);
	}
}

static bool
has_integers(Oid type)
{
	return type == BOOLOID || type == INT2OID || type == INT4OID ||
		type == INT8OID || type == DATEOID || type == TIMEOID ||
		type == TIMESTAMPOID || type == TIMESTAMPTZOID;
}

static const char *
make_key(gs_dimension *d, PlanState *scan, int k)
{
	gs_dimension_rows *rows = d->rows;
	gs_dimension_key *key = &rows->key[k];
	Expr	   *expression = list_nth(d->inner_keys, k);
	Oid			type = exprType((Node *) expression);
	gs_domain	domain = {.dimension = d, .n = rows->n};
	gs_evaluation e = {.n = rows->n + 1};
	const char *reason = gs_evaluate_domain(scan,
											gs_dimension_expression(d, expression),
											&domain, &e);

	if (reason != NULL)
		return reason;
	if (e.errors > 0)
		return "a join's key raises an error";
	key->value = palloc(Max(rows->n, 1) * sizeof(int64));
	key->codes = has_integers(type) ? NULL : gs_dictionary_make(type);
	for (int32 i = 0; i < rows->n; i++)
	{
		rows->keyless[i] |= e.null[i];
		key->value[i] = e.null[i] ? 0 : key_of(type, e.value[i], key->codes);
	}
	return NULL;
}

static const char *
make_keys(gs_dimension *d, PlanState *scan)
{
	gs_dimension_rows *rows = d->rows;
	gs_dimension_index *index = palloc0(sizeof *index);
	int64	   *value[GS_DIMENSION_KEYS] = {NULL};
	bool		has_codes = false;
	const char *reason = NULL;

	rows->keyless = palloc0(rows->n + 1);
	for (int k = 0; k < list_length(d->inner_keys) && reason == NULL; k++)
	{
		reason = make_key(d, scan, k);
		value[k] = rows->key[k].value;
		has_codes |= rows->key[k].codes != NULL;
	}

	/* of codes, it tells whether they repeat */
	if (reason == NULL)
		reason = gs_dimension_index_make(d, value, rows->keyless, index);
	rows->index = has_codes ? NULL : index;
	return reason;
}

void
gs_plan_restart(PlanState *state)
{
	state->chgParam = bms_add_members(state->chgParam, state->plan->extParam);
	ExecReScan(state);
}

static const char *
read_all(gs_dimension *d, PlanState *scan)
{
	reader		r;
	const char *reason;

	begin_rows(&r, d);
	d->rows = r.rows;
	reason = read_rows(&r, d);

	/* else workers would keep expressions from being evaluated */
	(void) ExecShutdownNode(d->plan);
	if (reason != NULL)
		return reason;
	add_row(&r, NULL);
	set_room(&r, d->rows->n + 1);
	return make_keys(d, scan);
}

/* The service makes tables of them: there is none here but that of NULLs. */
static const char *
hold(gs_dimension *d, PlanState *scan, bool *lost)
{
	reader		r;

	begin_rows(&r, d);
	d->rows = r.rows;
	add_row(&r, NULL);
	d->rows->held = true;
	return gs_held_find_rows(d, scan, lost);
}

/* All of it, into the current memory context. */
static const char *
make_rows(gs_dimension *d, PlanState *scan)
{
	const char *reason;

	d->service_lost = false;
	if (d->refused && d->plan->plan->plan_rows > GS_DIMENSION_ROWS)
		return TOO_MANY_ROWS;
	if (!OidIsValid(d->held) || d->refused)
		return read_all(d, scan);
	reason = hold(d, scan, &d->service_lost);
	if (reason == NULL || d->service_lost || strcmp(reason, GS_REPEATED_KEY) == 0)
		return reason;
	ereport(DEBUG1,
			(errmsg_internal("gpuscan reads a join's table: %s", reason)));
	d->refused = true;
	return d->plan->plan->plan_rows > GS_DIMENSION_ROWS ? reason :
		read_all(d, scan);
}

void
gs_dimensions_relate(List *dimensions)
{
	ListCell   *cell;

	foreach(cell, dimensions)
	{
		gs_dimension *d = lfirst(cell);

		for (gs_dimension *p = d->parent; p != NULL; p = p->parent)
			p->children = lappend(p->children, d);
	}
}

gs_dimension *
gs_dimension_root(gs_dimension *d, const gs_dimension *of)
{
	gs_dimension *root = d;

	for (gs_dimension *p = d->parent; p != NULL && p != of; p = p->parent)
	{
		if (p->rows != NULL && p->rows->held)
			root = p;
	}
	return root;
}

void
gs_dimension_forget(gs_dimension *d)
{
	d->rows->varies = true;
	d->rows = NULL;
}

void
gs_dimension_find(gs_dimension *d)
{
	d->version = gs_dimension_version_of(d);
	d->rows = d->version == NULL ? NULL : gs_dimensions_find(d->version);
}

const char *
gs_dimension_read(gs_dimension *d, PlanState *scan)
{
	const char *reason;
	MemoryContext old;

	if (d->rows != NULL)
		return NULL;
	old = MemoryContextSwitchTo(AllocSetContextCreate(CurrentMemoryContext,
													  "gpuscan dimension",
													  ALLOCSET_DEFAULT_SIZES));
	reason = make_rows(d, scan);
	if (reason != NULL)
		d->rows = NULL;
	else if (d->version != NULL)
		gs_dimensions_keep(d->version, d->rows);
	MemoryContextSwitchTo(old);
	return reason;
}

/* ----------
 * Index
 * ----------
 */

void
gs_dimension_limit_key(gs_dimension_index *x, int key, int64 low, int64 high)
{
	if (low > high)
		low = high = 0;
	x->low[key] = low;
	x->high[key] = high;
	x->least[key] = low == PG_INT64_MIN ? low : low - 1;
	x->most[key] = high == PG_INT64_MAX ? high : high + 1;
}

/* Between which values each key lies.  Without any row: around 0. */
static void
find_ranges(gs_dimension_index *x, int keys, int64 *const *value,
			const bool *keyless, int32 n)
{
	for (int k = 0; k < keys; k++)
	{
		int64		low = PG_INT64_MAX;
		int64		high = PG_INT64_MIN;

		for (int32 i = 0; i < n; i++)
		{
			if (keyless[i])
				continue;
			low = Min(low, value[k][i]);
			high = Max(high, value[k][i]);
		}
		gs_dimension_limit_key(x, k, low, high);
	}
}

bool
gs_dimension_count_numbers(const gs_dimension_index *x, int keys,
						   uint64 *count)
{
	*count = 1;
	for (int k = 0; k < keys; k++)
	{
		uint64		size = (uint64) x->most[k] - (uint64) x->least[k] + 1;

		if (size == 0 || size > NUMBER_MAX / *count)
			return false;
		*count *= size;
	}
	return true;
}

static int64
number_of(const gs_dimension_index *x, int keys, int64 *const *value, int32 i)
{
	int64		number = 0;

	if (keys == 1)
		return value[0][i];
	for (int k = 0; k < keys; k++)
		number = number * (x->most[k] - x->least[k] + 1) +
			(value[k][i] - x->least[k]);
	return number;
}

static const char *
make_dense(gs_dimension_index *x, int keys, int64 *const *value,
		   const bool *keyless, int32 n, bool repeats)
{
	x->row = palloc(x->places * sizeof(int32));
	memset(x->row, -1, x->places * sizeof(int32));
	for (int32 i = 0; i < n; i++)
	{
		int32	   *row;

		if (keyless[i])
			continue;
		row = &x->row[number_of(x, keys, value, i) - x->first];
		if (*row >= 0 && !repeats)
			return GS_REPEATED_KEY;
		*row = i;
	}
	return NULL;
}

static const char *
make_mapped(gs_dimension_index *x, int keys, int64 *const *value,
			const bool *keyless, int32 n, bool repeats)
{
	x->place = palloc_extended(x->numbers * sizeof(int32), MCXT_ALLOC_HUGE);
	memset(x->place, -1, x->numbers * sizeof(int32));
	x->row = palloc((n + 1) * sizeof(int32));
	x->row[0] = -1;
	x->places = 1;
	for (int32 i = 0; i < n; i++)
	{
		int32	   *place;

		if (keyless[i])
			continue;
		place = &x->place[number_of(x, keys, value, i) - x->first];
		if (*place >= 0 && !repeats)
			return GS_REPEATED_KEY;
		if (*place < 0)
			*place = x->places++;
		x->row[*place] = i;
	}
	return NULL;
}

static const char *
make_sparse(gs_dimension_index *x, int keys, int64 *const *value,
			const bool *keyless, int32 n, bool repeats)
{
	int64	   *number = palloc(Max(n, 1) * sizeof(int64));
	int32	   *row = palloc(Max(n, 1) * sizeof(int32));
	int32		present = 0;
	int32		places;

	for (int32 i = 0; i < n; i++)
	{
		if (keyless[i])
			continue;
		number[present] = number_of(x, keys, value, i);
		row[present++] = i;
	}
	x->row = palloc((present + 1) * sizeof(int32));
	x->row[0] = -1;
	x->bits = gs_index_bits(present);
	x->map = palloc0(sizeof *x->map);
	x->map->value = palloc_extended(gs_index_size(present) * sizeof(gs_value),
									MCXT_ALLOC_HUGE);
	places = gs_index_make(number, present, x->map->value, x->row + 1,
						   &x->factor);
	x->map->size = (int32) (gs_index_starts(x->bits) + places);
	x->places = 1 + places;
	for (int32 i = 1; i <= places; i++)
		x->row[i] = row[x->row[i]];
	pfree(number);
	pfree(row);
	if (places < 0)
		return "a join's keys cannot be indexed";
	return places < present && !repeats ? GS_REPEATED_KEY : NULL;
}

static gs_dimension_kind
kind_of(const gs_dimension *d, double numbers)
{
	if (numbers <= DENSE_PLACES * (double) d->rows->n + DENSE_MORE)
		return GS_DIMENSION_DENSE;
	return numbers <= GS_DIMENSION_ROWS &&
		numbers <= MAPPED_NUMBERS * d->outer_rows + MAPPED_MORE ?
		GS_DIMENSION_MAPPED : GS_DIMENSION_SPARSE;
}

const char *
gs_dimension_index_make(const gs_dimension *d, int64 *const *value,
						const bool *keyless, gs_dimension_index *x)
{
	int			keys = list_length(d->inner_keys);
	int32		n = d->rows->n;
	bool		repeats = may_repeat(d);
	uint64		count;
	bool		counted;

	memset(x, 0, sizeof *x);
	find_ranges(x, keys, value, keyless, n);
	counted = gs_dimension_count_numbers(x, keys, &count);
	if (!counted && keys > 1)
		return "the values of a join's keys are too far apart for one number";
	x->kind = kind_of(d, counted ? (double) count : INFINITY);
	if (x->kind == GS_DIMENSION_SPARSE)
		return make_sparse(x, keys, value, keyless, n, repeats);
	x->first = keys == 1 ? x->least[0] : 0;
	if (x->kind == GS_DIMENSION_MAPPED)
	{
		x->numbers = (int32) count;
		return make_mapped(x, keys, value, keyless, n, repeats);
	}
	x->places = (int32) count;
	if (keys > 0)
		return make_dense(x, keys, value, keyless, n, repeats);
	x->row = palloc(sizeof(int32));
	x->row[0] = n > 0 ? 0 : -1;
	return NULL;
}
