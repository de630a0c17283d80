/*-------------------------------------------------------------------------
 *
 * evaluation.c
 *	  What an expression gives for each value that its only column can have, or
 *	  for each row of a dimension.
 *
 * Some values may be of no row that counts, so that an error in their evaluation
 * must not be raised.  It ends a subtransaction, and stands in the table as an
 * error.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "executor/executor.h"
#include "jit/jit.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "port/pg_bitutils.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/resowner.h"

#include "report/translate/evaluation.h"
#include "report/translate/like.h"
#include "report/translate/ranges.h"

/* Each error takes a subtransaction of its own. */
#define ERRORS_MAX	100

#define RESULTS_MAX	((size_t) 16 * 1024 * 1024)

typedef struct evaluator
{
	PlanState  *plan;
	Expr	   *expression;
	const gs_domain *domain;
	int32		last;			/* of what is evaluated, from result->first on */
	gs_evaluation *result;
	gs_like    *like;			/* it is this, of a dictionary; or NULL */
	ExprState  *state;
	ExprContext *context;
	TupleTableSlot *slot;		/* of the column, or the dimension's */
	int16		length;			/* of the results' type */
	bool		by_value;
	size_t		size;			/* of the different results so far */
	size_t		size_max;
	int32	   *place;			/* by results' hashes: 1 + the first one's place */
	uint32		places;			/* a power of two, more than the values */
	const char *refusal;		/* why it has ended, or NULL */
} evaluator;

ExprState *
gs_prepare_expression(PlanState *plan, Expr *expression)
{
	EState	   *estate = plan->state;
	int			flags = estate->es_jit_flags;
	ExprState  *state;

	estate->es_jit_flags = PGJIT_NONE;
	state = ExecInitExpr(expression, plan);
	estate->es_jit_flags = flags;
	return state;
}

static Datum
value_of(const gs_domain *d, int32 i)
{
	int64		ends[2];

	if (d->dictionary != NULL)
		return gs_dictionary_value(d->dictionary, i);
	if (d->infinite && i >= d->n - 2)
	{
		gs_infinities(d->var->vartype, &ends[0], &ends[1]);
		return d->var->vartype == DATEOID ?
			Int32GetDatum((int32) ends[i - (d->n - 2)]) :
			Int64GetDatum(ends[i - (d->n - 2)]);
	}
	if (d->var->vartype == INT2OID)
		return Int16GetDatum((int16) (d->low + i));
	if (d->var->vartype == INT4OID || d->var->vartype == DATEOID)
		return Int32GetDatum((int32) (d->low + i));
	return Int64GetDatum(d->low + i * d->step);
}

static void
put_values(const gs_domain *d, int32 i, Datum *value, bool *null)
{
	const gs_dimension_rows *rows;

	if (d->dimension == NULL)
	{
		*null = i == d->n;
		*value = i == d->n ? (Datum) 0 : value_of(d, i);
		return;
	}
	rows = d->dimension->rows;
	for (int c = 0; c < list_length(d->dimension->columns); c++)
	{
		value[c] = rows->value[c][i];
		null[c] = rows->null[c][i];
	}
}

static TupleTableSlot *
make_slot(const gs_domain *d)
{
	const List *columns = d->dimension != NULL ? d->dimension->columns :
		list_make1(unconstify(Var *, d->var));
	TupleDesc	desc = CreateTemplateTupleDesc(list_length(columns));
	ListCell   *cell;

	foreach(cell, columns)
	{
		const Var  *var = lfirst_node(Var, cell);
		AttrNumber	number = foreach_current_index(cell) + 1;

		TupleDescInitEntry(desc, number, NULL, var->vartype, var->vartypmod, 0);
		TupleDescInitEntryCollation(desc, number, var->varcollid);
	}
	return MakeSingleTupleTableSlot(desc, &TTSOpsVirtual);
}

size_t
gs_evaluation_memory(const gs_domain *d)
{
	return d->dimension != NULL ? gs_dimension_memory() : RESULTS_MAX;
}

static void
begin(evaluator *e, const gs_domain *d)
{
	const size_t n = (size_t) e->result->n;

	/* of an inner join, no row that counts is without one of the dimension's */
	e->last = e->result->first + e->result->n - 1;
	if (d->dimension != NULL && d->dimension->kind != JOIN_LEFT &&
		e->last == d->n)
		e->last--;
	e->slot = make_slot(d);
	get_typlenbyval(exprType((Node *) e->expression), &e->length, &e->by_value);
	if (d->dictionary != NULL)
		e->like = gs_like_of(e->expression);
	e->size_max = gs_evaluation_memory(d);
	if (!e->by_value)
	{
		e->places = pg_nextpower2_32(2 * (uint32) n);
		e->place = palloc0(e->places * sizeof(int32));
	}
	e->result->value = palloc0(n * sizeof(Datum));
	e->result->null = palloc0(n * sizeof(bool));
	if (e->last < e->result->first + e->result->n - 1)
		e->result->null[n - 1] = true;
	e->result->raised = palloc0(n * sizeof(bool));
}

/* A copy of a result, which may be that of an earlier value. */
static Datum
copy(evaluator *e, int32 i, Datum value)
{
	size_t		size = datumGetSize(value, false, e->length);
	uint32		mask = e->places - 1;
	uint32		at = hash_bytes((const unsigned char *) DatumGetPointer(value),
								(int) size);

	for (at &= mask; e->place[at] != 0; at = (at + 1) & mask)
	{
		Datum		other = e->result->value[e->place[at] - 1];

		if (datumIsEqual(value, other, false, e->length))
			return other;
	}
	e->place[at] = i + 1;
	e->size += size;
	return datumCopy(value, false, e->length);
}

/* Refuse what takes too much memory. */
static void
keep(evaluator *e, int32 i, Datum value, bool isnull)
{
	i -= e->result->first;
	e->result->null[i] = isnull;
	if (isnull)
		return;
	e->result->value[i] = e->by_value ? value : copy(e, i, value);
	if (e->size > e->size_max)
		e->refusal = "an expression's results are too long";
}

static void
evaluate_one(evaluator *e, int32 i)
{
	bool		isnull;
	Datum		value;

	if (e->like != NULL && i < e->domain->n)
	{
		value = gs_dictionary_value(e->domain->dictionary, i);
		keep(e, i, BoolGetDatum(gs_like_result(e->like, value)), false);
		return;
	}
	ExecClearTuple(e->slot);
	put_values(e->domain, i, e->slot->tts_values, e->slot->tts_isnull);
	ExecStoreVirtualTuple(e->slot);
	ResetExprContext(e->context);
	value = ExecEvalExprSwitchContext(e->state, e->context, &isnull);
	keep(e, i, value, isnull);
}

/*
 * The i'th value raised an error.  It is raised if it is not the expression's
 * own: a query that is cancelled, or a transaction that cannot go on.
 */
static void
judge(evaluator *e, int32 i, ErrorData *error)
{
	switch (ERRCODE_TO_CATEGORY(error->sqlerrcode))
	{
		case ERRCODE_OPERATOR_INTERVENTION:
		case ERRCODE_TRANSACTION_ROLLBACK:
			ReThrowError(error);
			break;
		case ERRCODE_INSUFFICIENT_RESOURCES:
		case ERRCODE_SYSTEM_ERROR:
			e->refusal = "evaluating an expression ran out of memory or another resource";
			break;
		default:
			e->result->raised[i - e->result->first] = true;
			if (++e->result->errors > ERRORS_MAX)
				e->refusal = "an expression raises errors for too many values";
			break;
	}
	FreeErrorData(error);
}

/*
 * From value `first` on, in a subtransaction, up to the first error; returns
 * which value is next.  What an error leaves behind is not used again.
 */
static int32
evaluate_from(evaluator *e, int32 first)
{
	MemoryContext memory = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	volatile int32 i = first;
	ErrorData  *volatile error = NULL;

	e->context = CreateExprContext(e->plan->state);
	e->context->ecxt_outertuple = e->slot;
	e->state = gs_prepare_expression(e->plan, e->expression);
	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(memory);
	PG_TRY();
	{
		for (; i <= e->last && e->refusal == NULL; i++)
		{
			CHECK_FOR_INTERRUPTS();
			evaluate_one(e, i);
		}
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(memory);
		error = CopyErrorData();
		FlushErrorState();
	}
	PG_END_TRY();
	FreeExprContext(e->context, error == NULL);

	/*
	 * In parallel mode, since 17, a command that writes, as CREATE TABLE AS does, cannot
	 * be continued by a subtransaction's commit.  There is nothing to commit.
	 */
	if (error == NULL && !IsInParallelMode())
		ReleaseCurrentSubTransaction();
	else
		RollbackAndReleaseCurrentSubTransaction();
	MemoryContextSwitchTo(memory);
	CurrentResourceOwner = owner;
	if (error != NULL)
		judge(e, i++, error);
	return i;
}

/*
 * A query whose ordinary plan is parallel runs in parallel mode, which before 17
 * forbids subtransactions, since workers would not know of them.  No worker runs
 * yet.  Returns how often the mode was entered.  (Since 17 it may have been
 * entered by a transaction above this one, and cannot be left here.)
 */
static int
leave_parallel_mode(void)
{
	int			levels = 0;

#if PG_VERSION_NUM < 170000
	for (; IsInParallelMode(); levels++)
		ExitParallelMode();
#endif
	return levels;
}

/* Is it a dimension's column?  Then its values are there. */
static bool
take_column(const Expr *expression, const gs_domain *d, gs_evaluation *result)
{
	int			column;

	while (IsA(expression, RelabelType))
		expression = ((const RelabelType *) expression)->arg;
	if (d->dimension == NULL || !IsA(expression, Var))
		return false;
	column = ((const Var *) expression)->varattno - 1;
	result->value = d->dimension->rows->value[column] + result->first;
	result->null = d->dimension->rows->null[column] + result->first;
	result->raised = palloc0(result->n * sizeof(bool));
	return true;
}

const char *
gs_evaluate_domain(PlanState *plan, Expr *expression, const gs_domain *domain,
				   gs_evaluation *result)
{
	evaluator	e = {
		.plan = plan,
		.expression = expression,
		.domain = domain,
		.result = result
	};
	int			levels;

	if (take_column(expression, domain, result))
		return NULL;
	if (ParallelContextActive() || IsParallelWorker())
		return "parallel workers are running";
	begin(&e, domain);
	levels = leave_parallel_mode();
	for (int32 i = result->first; i <= e.last && e.refusal == NULL;)
		i = evaluate_from(&e, i);
	for (; levels > 0; levels--)
		EnterParallelMode();
	ExecDropSingleTupleTableSlot(e.slot);
	if (e.place != NULL)
		pfree(e.place);
	return e.refusal;
}
