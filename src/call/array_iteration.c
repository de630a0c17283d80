/*-------------------------------------------------------------------------
 *
 * array_iteration.c
 *	  The elements of an array one by one, and results one by one.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "utils/datum.h"

#include "call/array_iteration.h"

/* Open an array, and read all of it into memory. */
void
gs_call_open_elements(gs_call *call, const char *function, Datum array)
{
	gs_call_open(call, function, GS_SUM, array);
	gs_array_read(&call->data);
}

void
gs_call_close_elements(gs_call *call)
{
	gs_call_answered(call, "the function runs on the CPU only");
	gs_call_close(call);
}

/* As gs_builder_open. */
void
gs_writer_open(gs_writer *w, gs_type type, int64 capacity,
			   const ArrayType *shape, int64 bits)
{
	memset(w, 0, sizeof(gs_writer));
	gs_builder_open(&w->builder, type, capacity, shape, bits);
}

/* The same for numeric results, some of which may be NULL. */
void
gs_writer_open_numeric(gs_writer *w, int64 capacity, const ArrayType *shape)
{
	memset(w, 0, sizeof(gs_writer));
	w->is_numeric = true;
	if (shape != NULL)
	{
		/* copied, because the array may be gone by then */
		Size		header = ARR_OVERHEAD_NONULLS(ARR_NDIM(shape));

		w->shape = palloc(header);
		memcpy(w->shape, shape, header);
	}
	w->values = gs_alloc_large(Max(capacity, 1) * sizeof(Datum));
	w->nulls = gs_alloc_large(Max(capacity, 1) * sizeof(bool));
	w->context = AllocSetContextCreate(CurrentMemoryContext,
									   "gpuscan numeric result",
									   ALLOCSET_SMALL_SIZES);
}

static void
begin_batch(gs_writer *w)
{
	gs_builder *b = &w->builder;

	memset(w->validity, 0, sizeof(w->validity));
	memset(&w->batch, 0, sizeof(gs_output));
	w->batch.validity = w->validity;
	w->batch.values = gs_builder_reserve(b, Min(GS_WRITER_BATCH,
												b->capacity - b->n));
}

/* Detect a result too large for PostgreSQL before it fills the memory. */
static void
put_numeric(gs_writer *w, Datum value, bool isnull)
{
	if (!isnull)
		w->size += INTALIGN(VARSIZE_ANY(DatumGetPointer(value)));
	if (w->size > MaxAllocSize)
		ereport(ERROR,
				errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				errmsg("result is too large for an array"),
				errdetail("The first %lld elements take more than %zu bytes.",
						  (long long) w->n + 1, (size_t) MaxAllocSize));
	w->nulls[w->n] = isnull;
	w->values[w->n++] = isnull ? (Datum) 0 : datumCopy(value, false, -1);
}

void
gs_writer_put(gs_writer *w, Datum value, bool isnull)
{
	gs_output  *batch = &w->batch;

	if (w->is_numeric)
	{
		put_numeric(w, value, isnull);
		return;
	}
	if (batch->n == 0)
		begin_batch(w);
	if (!isnull)
	{
		store_att_byval((char *) batch->values +
						batch->present++ * w->builder.width, value,
						w->builder.width);
		w->validity[batch->n / 8] |= 1 << (batch->n % 8);
	}
	if (++batch->n == GS_WRITER_BATCH)
	{
		gs_builder_commit(&w->builder, batch);
		batch->n = 0;
	}
}

/* Return the complete array. */
Datum
gs_writer_close(gs_writer *w)
{
	int			n = (int) w->n;
	int			one = 1;
	ArrayType  *result;

	if (!w->is_numeric)
	{
		if (w->batch.n > 0)
			gs_builder_commit(&w->builder, &w->batch);
		return gs_builder_close(&w->builder);
	}
	MemoryContextDelete(w->context);
	if (n == 0)
		return PointerGetDatum(construct_empty_array(NUMERICOID));
	result = construct_md_array(w->values, w->nulls,
								w->shape ? ARR_NDIM(w->shape) : 1,
								w->shape ? ARR_DIMS(w->shape) : &n,
								w->shape ? ARR_LBOUND(w->shape) : &one,
								NUMERICOID, -1, false, TYPALIGN_INT);
	return PointerGetDatum(result);
}
