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

#include "call/array_iteration.h"

gs_value
gs_value_from_datum(gs_type type, Datum datum)
{
	gs_value	r;

	memset(&r, 0, sizeof r);
	switch (type)
	{
		case GS_BOOL:
			r.i2 = DatumGetBool(datum);
			break;
		case GS_INT2:
			r.i2 = DatumGetInt16(datum);
			break;
		case GS_INT4:
			r.i4 = DatumGetInt32(datum);
			break;
		case GS_INT8:
			r.i8 = DatumGetInt64(datum);
			break;
		case GS_FLOAT4:
			r.f4 = DatumGetFloat4(datum);
			break;
		case GS_FLOAT8:
			r.f8 = DatumGetFloat8(datum);
			break;
	}
	return r;
}

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
gs_writer_open(gs_writer *w, Oid elemtype, int64 capacity,
			   const ArrayType *shape, int64 bits)
{
	memset(w, 0, sizeof(gs_writer));
	gs_builder_open(&w->builder, elemtype, capacity, shape, bits);
}

/* Open a writer of n results of type numeric, any of which may be NULL. */
void
gs_writer_open_numeric(gs_writer *w, int64 n, const ArrayType *shape)
{
	int			ndim = shape == NULL ? 1 : ARR_NDIM(shape);

	memset(w, 0, sizeof(gs_writer));
	w->is_numeric = true;
	w->size = gs_array_size(n, 0, ndim, true);

	/* no value takes less than 8 bytes; huge pages could not grow in place */
	w->allocated = Min(w->size + 8 * n, MaxAllocSize);
	w->array = palloc(w->allocated);
	memset(w->array, 0, w->size);
	w->array->ndim = ndim;
	w->array->dataoffset = (int32) w->size;
	w->array->elemtype = NUMERICOID;
	if (shape != NULL)
		memcpy(ARR_DIMS(w->array), ARR_DIMS(shape), 2 * ndim * sizeof(int));
	else
	{
		ARR_DIMS(w->array)[0] = (int) n;
		ARR_LBOUND(w->array)[0] = 1;
	}
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
	int64		i = w->n++;
	Size		size;
	char	   *to;

	if (isnull)
		return;
	size = VARSIZE(DatumGetPointer(value));
	if (w->size + INTALIGN(size) > MaxAllocSize)
		ereport(ERROR,
				errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				errmsg("result is too large for an array"),
				errdetail("The first %lld elements take more than %zu bytes.",
						  (long long) w->n, (size_t) MaxAllocSize));
	while (w->size + INTALIGN(size) > w->allocated)
	{
		/* memory that has not been written to costs nothing yet */
		w->allocated = Min(2 * w->allocated, MaxAllocSize);
		w->array = repalloc(w->array, w->allocated);
	}
	to = (char *) w->array + w->size;
	memcpy(to, DatumGetPointer(value), size);
	memset(to + size, 0, INTALIGN(size) - size);
	w->size += INTALIGN(size);
	ARR_NULLBITMAP(w->array)[i / 8] |= 1 << (i % 8);
	w->present++;
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
		char	   *to = (char *) batch->values +
			batch->present++ * w->builder.width;

		if (w->builder.width > (int) sizeof(Datum))
			memcpy(to, DatumGetPointer(value), w->builder.width);
		else
			store_att_byval(to, value, w->builder.width);
		w->validity[batch->n / 8] |= 1 << (batch->n % 8);
	}
	if (++batch->n == GS_WRITER_BATCH)
	{
		gs_builder_commit(&w->builder, batch);
		batch->n = 0;
	}
}

static Datum
close_numeric(gs_writer *w)
{
	ArrayType  *array = w->array;

	MemoryContextDelete(w->context);
	if (w->n == 0)
	{
		pfree(array);
		return PointerGetDatum(construct_empty_array(NUMERICOID));
	}
	if (w->present == w->n)
	{
		/* PostgreSQL's arrays have no bitmap if nothing is NULL */
		Size		unneeded = ARR_DATA_OFFSET(array) -
			ARR_OVERHEAD_NONULLS(ARR_NDIM(array));
		char	   *values = ARR_DATA_PTR(array);

		gs_move_down(values - unneeded, values,
					 w->size - ARR_DATA_OFFSET(array));
		w->size -= unneeded;
		array->dataoffset = 0;
	}
	if (w->size < w->allocated)
		array = repalloc(array, w->size);
	SET_VARSIZE(array, w->size);
	return PointerGetDatum(array);
}

/* Return the complete array. */
Datum
gs_writer_close(gs_writer *w)
{
	if (w->is_numeric)
		return close_numeric(w);
	if (w->batch.n > 0)
		gs_builder_commit(&w->builder, &w->batch);
	return gs_builder_close(&w->builder);
}
