/*-------------------------------------------------------------------------
 *
 * evaluation.c
 *	  What an expression gives for each value that its only column can have.
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
#include "executor/executor.h"
#include "jit/jit.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/resowner.h"

#include "report/translate/evaluation.h"

/* Each error takes a subtransaction of its own. */
#define ERRORS_MAX	100

/* Bytes that all results may take together. */
#define RESULTS_MAX	((size_t) 16 * 1024 * 1024)

typedef struct evaluator
{
	PlanState  *plan;
	Expr	   *expression;
	const gs_domain *domain;
	gs_evaluation *result;
	ExprState  *state;
	ExprContext *context;
	TupleTableSlot *slot;		/* of the column */
	int16		length;			/* of the results' type */
	bool		by_value;
	size_t		size;			/* of the results so far */
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
	if (d->dictionary != NULL)
		return gs_dictionary_value(d->dictionary, i);
	if (d->var->vartype == INT2OID)
		return Int16GetDatum((int16) (d->low + i));
	if (d->var->vartype == INT4OID || d->var->vartype == DATEOID)
		return Int32GetDatum((int32) (d->low + i));
	return Int64GetDatum(d->low + i * d->step);
}

static void
begin(evaluator *e, const gs_domain *d)
{
	TupleDesc	desc = CreateTemplateTupleDesc(1);
	size_t		n = (size_t) d->n + 1;

	TupleDescInitEntry(desc, 1, NULL, d->var->vartype, d->var->vartypmod, 0);
	TupleDescInitEntryCollation(desc, 1, d->var->varcollid);
	e->slot = MakeSingleTupleTableSlot(desc, &TTSOpsVirtual);
	get_typlenbyval(exprType((Node *) e->expression), &e->length, &e->by_value);
	e->result->value = palloc0(n * sizeof(Datum));
	e->result->null = palloc0(n * sizeof(bool));
	e->result->raised = palloc0(n * sizeof(bool));
	e->result->errors = 0;
}

/* Refuse what takes too much memory. */
static void
keep(evaluator *e, int32 i, Datum value, bool isnull)
{
	e->result->null[i] = isnull;
	if (isnull)
		return;
	if (!e->by_value)
		e->size += datumGetSize(value, false, e->length);
	if (e->size > RESULTS_MAX)
		e->refusal = "an expression's results are too long";
	else
		e->result->value[i] = datumCopy(value, e->by_value, e->length);
}

static void
evaluate_one(evaluator *e, int32 i)
{
	bool		isnull;
	Datum		value;

	ExecClearTuple(e->slot);
	e->slot->tts_isnull[0] = i == e->domain->n;
	e->slot->tts_values[0] = i == e->domain->n ? (Datum) 0 :
		value_of(e->domain, i);
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
			e->result->raised[i] = true;
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
		for (; i <= e->domain->n && e->refusal == NULL; i++)
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
	if (error == NULL)
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

	if (ParallelContextActive() || IsParallelWorker())
		return "parallel workers are running";
	begin(&e, domain);
	levels = leave_parallel_mode();
	for (int32 i = 0; i <= domain->n && e.refusal == NULL;)
		i = evaluate_from(&e, i);
	for (; levels > 0; levels--)
		EnterParallelMode();
	ExecDropSingleTupleTableSlot(e.slot);
	return e.refusal;
}
