/*-------------------------------------------------------------------------
 *
 * array_iteration.c
 *	  An array's elements one by one, and results one by one.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "call/array_iteration.h"

/* Open an array that is read here, all of it. */
void
gs_call_open_elements(gs_call *call, const char *function, Datum array)
{
	gs_call_open(call, function, GS_SUM, array);
	gs_array_read(&call->data);
}

void
gs_call_close_elements(gs_call *call)
{
	gs_call_answered(call, "the function is the CPU's alone");
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

/* The same for n results of numeric, of which any may be NULL. */
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
begin_piece(gs_writer *w)
{
	gs_builder *b = &w->builder;

	memset(w->validity, 0, sizeof(w->validity));
	memset(&w->piece, 0, sizeof(gs_output));
	w->piece.validity = w->validity;
	w->piece.values = gs_builder_place(b, Min(GS_WRITER_PIECE,
											  b->room - b->n));
}

/* What PostgreSQL cannot hold is found before all memory is full of it. */
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
		/* what is not written to takes no memory yet */
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
	gs_output  *piece = &w->piece;

	if (w->is_numeric)
	{
		put_numeric(w, value, isnull);
		return;
	}
	if (piece->n == 0)
		begin_piece(w);
	if (!isnull)
	{
		store_att_byval((char *) piece->values +
						piece->present++ * w->builder.width, value,
						w->builder.width);
		w->validity[piece->n / 8] |= 1 << (piece->n % 8);
	}
	if (++piece->n == GS_WRITER_PIECE)
	{
		gs_builder_take(&w->builder, piece);
		piece->n = 0;
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
		/* without a NULL no array has a bitmap */
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

/* The array, complete. */
Datum
gs_writer_close(gs_writer *w)
{
	if (w->is_numeric)
		return close_numeric(w);
	if (w->piece.n > 0)
		gs_builder_take(&w->builder, &w->piece);
	return gs_builder_close(&w->builder);
}
