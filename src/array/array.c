/*-------------------------------------------------------------------------
 *
 * array.c
 *	  PostgreSQL's arrays as spans of an engine, and results as arrays.
 *
 * A flat array already is what an engine reads: values packed, a bitmap that
 * says which elements have one.  So an argument is used where it lies, whether
 * in a tuple or as the flat form that an expanded array (a PL/pgSQL variable)
 * keeps; only a TOASTed value, or an expanded one that has been changed, is
 * made flat in memory of our own.  Of a large TOASTed value that is not
 * compressed, not even that: its first chunk is read when it is opened, which
 * has the header, the bitmap when that is asked for, and a cursor fetches the
 * values of one span at a time.  Whoever has a copy of the value, for it has a
 * name (gs_stored), reads no more of it than the first chunk.
 *
 * A result is reserved for as many elements as there can be, filled from the
 * front, and cut to size.  What is not filled is not touched, so it costs
 * address space for a moment, but no memory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <sys/mman.h>
#include <unistd.h>

#include "pg/compat.h"

#include "access/detoast.h"
#include "access/tupmacs.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/expandeddatum.h"

#include "array/array.h"
#include "array/parallel_copy.h"
#include "array/toasted.h"

/* Bytes of a bitmap counted between two looks for a cancel: some 0.3 ms. */
#define COUNT_PIECE		(INT64CONST(1024) * 1024)

/* Bytes moved between two looks for a cancel: some milliseconds at worst. */
#define MOVE_PIECE		((Size) 8 * 1024 * 1024)

/*
 * A stored array from this size on is read span by span.  A smaller one fits a
 * cache, and would be slower to read in parts.
 */
#define STORED_SIZE		(64 * 1024)

/* Elements flattened between two looks for a cancel: 0.2 ms. */
#define FLATTEN_PIECE	65536

/*
 * From this size on memory is asked for in huge pages.  A smaller result lies
 * in few of them, if in any.
 */
#define LARGE_SIZE		(4 * 1024 * 1024)

/* Pages that are not huge, at the largest */
#define TOUCH_ALIGN		(64 * 1024)

static gs_type
type_from_oid(Oid oid)
{
	switch (oid)
	{
		case BOOLOID:
			return GS_BOOL;
		case INT2OID:
			return GS_INT2;
		case INT4OID:
			return GS_INT4;
		case INT8OID:
			return GS_INT8;
		case FLOAT4OID:
			return GS_FLOAT4;
		case FLOAT8OID:
			return GS_FLOAT8;
	}
	elog(ERROR, "unexpected array element type %u", oid);
	return 0;					/* keep the compiler quiet */
}

Oid
gs_type_oid(gs_type type)
{
	switch (type)
	{
		case GS_BOOL:
			return BOOLOID;
		case GS_INT2:
			return INT2OID;
		case GS_INT4:
			return INT4OID;
		case GS_INT8:
			return INT8OID;
		case GS_FLOAT4:
			return FLOAT4OID;
		case GS_FLOAT8:
			return FLOAT8OID;
	}
	elog(ERROR, "unexpected element type %d", (int) type);
	return InvalidOid;			/* keep the compiler quiet */
}

/*
 * palloc, with huge pages for what is large, which may be a little more than
 * an array can be.  The first touch is what a large result costs most: the
 * running sum of ten million bigints takes 46 ms into plain pages and 8 ms
 * into huge ones.
 */
void *
gs_alloc_large(Size size)
{
	void	   *result = palloc_extended(size, MCXT_ALLOC_HUGE);

#ifdef MADV_HUGEPAGE
	if (size >= LARGE_SIZE)
	{
		uintptr_t	page = (uintptr_t) sysconf(_SC_PAGESIZE);
		uintptr_t	start = ((uintptr_t) result + page - 1) / page * page;
		uintptr_t	end = ((uintptr_t) result + size) / page * page;

		/* advice: where it is not taken, nothing is lost but time */
		(void) madvise((void *) start, end - start, MADV_HUGEPAGE);
	}
#endif
	return result;
}

/*
 * All of a stored value, as the server would fetch it, but into huge pages, and
 * so that it can be cancelled.
 */
static ArrayType *
fetch_all(const struct varatt_external *pointer)
{
	char	   *result = gs_alloc_large(pointer->va_rawsize);

	SET_VARSIZE(result, pointer->va_rawsize);
	gs_fetch_stored(pointer, VARHDRSZ, pointer->va_rawsize - VARHDRSZ,
					result + VARHDRSZ);
	return (ArrayType *) result;
}

static ArrayType *
detoast_array(Datum value)
{
	struct varatt_external pointer;

	if (!gs_is_stored(value, &pointer))
		return DatumGetArrayTypeP(value);
	return fetch_all(&pointer);
}

/* The header of a stored array, which is a large one. */
static ArrayType *
fetch_header(gs_array *a)
{
	Size		size = ARR_OVERHEAD_NONULLS(MAXDIM);
	ArrayType  *result = palloc(size);

	SET_VARSIZE(result, a->pointer.va_rawsize);
	if (!gs_read_first_chunk(&a->pointer, (char *) result + VARHDRSZ,
							 size - VARHDRSZ, &a->stored))
		gs_fetch_stored(&a->pointer, VARHDRSZ, size - VARHDRSZ,
						(char *) result + VARHDRSZ);
	return result;
}

/* The array's bitmap, NULL if it has none.  That of a stored one is fetched. */
const uint8 *
gs_array_bitmap(gs_array *a)
{
	if (a->nulls && a->bitmap == NULL)
	{
		Size		from = (char *) ARR_NULLBITMAP(a->flat) - (char *) a->flat;
		Size		size = ((Size) a->n + 7) / 8;
		uint8	   *bitmap = gs_alloc_large(size);

		gs_fetch_stored(&a->pointer, from, size, (char *) bitmap);
		a->bitmap = bitmap;
	}
	return a->bitmap;
}

/* How many elements of an expanded array are not NULL? */
static int64
count_present(const ExpandedArrayHeader *expanded)
{
	int64		present = expanded->nelems;

	if (expanded->dnulls == NULL)
		return present;
	for (int i = 0; i < expanded->nelems; i++)
	{
		if (i % FLATTEN_PIECE == 0)
			CHECK_FOR_INTERRUPTS();
		present -= expanded->dnulls[i];
	}
	return present;
}

/*
 * Flatten an expanded array, with the same two advantages.  Its elements are
 * passed by value.
 */
static ArrayType *
flatten_array(const ExpandedArrayHeader *expanded)
{
	int			n = expanded->nelems;
	int			ndim = expanded->ndims;
	int			width = expanded->typlen;
	int64		present = count_present(expanded);
	Size		offset = present < n ? ARR_OVERHEAD_WITHNULLS(ndim, n) :
		ARR_OVERHEAD_NONULLS(ndim);
	Size		size = offset + present * width;
	ArrayType  *result = gs_alloc_large(size);
	char	   *to = (char *) result + offset;
	uint8	   *bitmap;

	memset(result, 0, offset);
	SET_VARSIZE(result, size);
	result->ndim = ndim;
	result->dataoffset = present < n ? (int32) offset : 0;
	result->elemtype = expanded->element_type;
	memcpy(ARR_DIMS(result), expanded->dims, ndim * sizeof(int));
	memcpy(ARR_LBOUND(result), expanded->lbound, ndim * sizeof(int));
	bitmap = ARR_NULLBITMAP(result);
	for (int i = 0; i < n; i++)
	{
		if (i % FLATTEN_PIECE == 0)
			CHECK_FOR_INTERRUPTS();
		if (bitmap != NULL)
		{
			if (expanded->dnulls[i])
				continue;
			bitmap[i / 8] |= 1 << (i % 8);
		}
		store_att_byval(to, expanded->dvalues[i], width);
		to += width;
	}
	return result;
}

/* The flat form of an expanded array; it may be kept beside the other one. */
static ArrayType *
flat_from_expanded(Datum value, bool *copied)
{
	ExpandedArrayHeader *expanded = (ExpandedArrayHeader *) DatumGetEOHP(value);

	Assert(expanded->ea_magic == EA_MAGIC);
	*copied = expanded->fvalue == NULL;
	if (!*copied)
		return expanded->fvalue;
	if (!expanded->typbyval)
		return DatumGetArrayTypeP(value);
	return flatten_array(expanded);
}

/* What the flat form, or its header, says. */
static void
describe(gs_array *a)
{
	a->type = type_from_oid(ARR_ELEMTYPE(a->flat));
	a->n = ArrayGetNItems(ARR_NDIM(a->flat), ARR_DIMS(a->flat));
	a->nulls = ARR_HASNULL(a->flat);
	a->values = a->is_stored ? NULL : ARR_DATA_PTR(a->flat);
	a->bitmap = a->is_stored ? NULL : ARR_NULLBITMAP(a->flat);
}

/* Open an array, all of it in memory. */
void
gs_array_open(gs_array *a, Datum value)
{
	a->is_stored = false;
	a->stored.database = InvalidOid;
	if (VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(value)))
		a->flat = flat_from_expanded(value, &a->copied);
	else
	{
		a->flat = detoast_array(value);
		a->copied = (Pointer) a->flat != DatumGetPointer(value);
	}
	describe(a);
}

/* Open an array whose values only a cursor will look at. */
void
gs_array_open_stored(gs_array *a, Datum value)
{
	if (!gs_is_stored(value, &a->pointer) ||
		a->pointer.va_rawsize < STORED_SIZE)
	{
		gs_array_open(a, value);
		return;
	}
	a->is_stored = true;
	a->stored.database = InvalidOid;
	a->flat = fetch_header(a);
	a->copied = true;
	describe(a);
}

/* Have all of an array in memory, whose values were to be left to a cursor. */
void
gs_array_read(gs_array *a)
{
	ArrayType  *flat;

	if (!a->is_stored)
		return;
	flat = fetch_all(&a->pointer);
	if (a->bitmap != NULL)
		pfree((uint8 *) a->bitmap);
	pfree(a->flat);
	a->flat = flat;
	a->is_stored = false;
	describe(a);
}

/* Give back a copy early: it can be large, and the caller a loop. */
void
gs_array_close(gs_array *a)
{
	if (a->is_stored && a->bitmap != NULL)
		pfree((uint8 *) a->bitmap);
	if (a->copied)
		pfree(a->flat);
}

/* gs_count_bits of any number of bits: it looks for a cancel in between. */
int64
gs_bits_count(const uint8 *bits, int64 n)
{
	int64		count = 0;

	for (int64 i = 0; i < n; i += COUNT_PIECE * 8)
	{
		CHECK_FOR_INTERRUPTS();
		count += gs_count_bits(bits + i / 8, Min(COUNT_PIECE * 8, n - i));
	}
	return count;
}

/* How many elements are not NULL? */
int64
gs_array_present(gs_array *a)
{
	return !a->nulls ? a->n : gs_bits_count(gs_array_bitmap(a), a->n);
}

void
gs_cursor_open(gs_cursor *c, gs_array *a)
{
	memset(c, 0, sizeof(gs_cursor));
	c->array = a;
	(void) gs_array_bitmap(a);
}

/* Fetch a span's values: into `room`, or memory of our own if it is NULL. */
static const char *
fetch_values(gs_cursor *c, int64 present, char *room)
{
	const gs_array *a = c->array;
	int			width = gs_type_width(a->type);
	Size		size = present * width;

	if (room == NULL && c->buffer_size < size)
	{
		gs_cursor_close(c);
		c->buffer = palloc(size);
		c->buffer_size = size;
	}
	if (room == NULL)
		room = c->buffer;
	gs_fetch_stored(&a->pointer, ARR_DATA_OFFSET(a->flat) + c->present * width,
					size, room);
	return room;
}

/*
 * The next n elements.  All spans but the last hold a multiple of 8 elements,
 * so that a bitmap starts on a byte.  A stored array's values are fetched into
 * `room`, or stay until the next span if it is NULL.
 */
void
gs_cursor_next(gs_cursor *c, int64 n, void *room, gs_span *span)
{
	const gs_array *a = c->array;

	Assert(c->n % 8 == 0 && c->n + n <= a->n);
	span->validity = NULL;
	span->present = n;
	if (a->bitmap != NULL)
	{
		span->present = gs_bits_count(a->bitmap + c->n / 8, n);
		if (span->present < n)
			span->validity = a->bitmap + c->n / 8;
	}
	span->values = a->is_stored ? fetch_values(c, span->present, room) :
		a->values + c->present * gs_type_width(a->type);
	c->n += n;
	c->present += span->present;
}

void
gs_cursor_close(gs_cursor *c)
{
	if (c->buffer != NULL)
		pfree(c->buffer);
	c->buffer = NULL;
}

/* The size of an array, which is an error if PostgreSQL cannot have it. */
Size
gs_array_size(int64 n, int width, int ndim, bool nulls)
{
	int64		size;

	/* neither product nor sum can overflow: n is below 2^32 */
	size = nulls ? ARR_OVERHEAD_WITHNULLS(ndim, n) :
		ARR_OVERHEAD_NONULLS(ndim);
	size += n * width;

	if (n > (int64) MaxArraySize)
		ereport(ERROR,
				errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				errmsg("result of %lld elements is too large for an array",
					   (long long) n),
				errdetail("An array can have at most %zu elements.",
						  (size_t) MaxArraySize));
	if (size > (int64) MaxAllocSize)
		ereport(ERROR,
				errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				errmsg("result of %lld elements is too large for an array",
					   (long long) n),
				errdetail("It could take %lld bytes, and an array at most %zu.",
						  (long long) size, (size_t) MaxAllocSize));
	return (Size) size;
}

/*
 * Start a result of at most `capacity` elements.  It takes dimensions and
 * lower bounds from `shape`, or has one dimension if that is NULL.  `bits` is
 * 0 if no result is NULL, else the number of results, which must be known
 * because the values lie behind the bitmap.
 */
void
gs_builder_open(gs_builder *b, gs_type type, int64 capacity,
				const ArrayType *shape, int64 bits)
{
	int			ndim = shape == NULL ? 1 : ARR_NDIM(shape);
	Size		offset;

	memset(b, 0, sizeof(gs_builder));
	b->elemtype = gs_type_oid(type);
	b->width = gs_type_width(type);
	b->room = capacity;
	b->allocated = gs_array_size(capacity, b->width, ndim, bits > 0);
	b->array = gs_alloc_large(b->allocated);

	offset = bits > 0 ? ARR_OVERHEAD_WITHNULLS(ndim, bits) :
		ARR_OVERHEAD_NONULLS(ndim);
	b->array->ndim = ndim;
	b->array->dataoffset = bits > 0 ? (int32) offset : 0;
	b->array->elemtype = b->elemtype;
	b->shaped = shape != NULL;
	if (b->shaped)
		memcpy(ARR_DIMS(b->array), ARR_DIMS(shape), 2 * ndim * sizeof(int));
	b->values = (char *) b->array + offset;
	b->bitmap = ARR_NULLBITMAP(b->array);
	if (b->allocated >= LARGE_SIZE && gs_copy_threads() > 1)
		b->touched = (char *) TYPEALIGN(TOUCH_ALIGN, b->values);
}

/*
 * Have memory touched up to `end`, and a huge page a thread more, so that they
 * all have something to do.
 */
static void
touch(gs_builder *b, char *end)
{
	char	   *limit = (char *) b->array + b->allocated;
	Size		ahead = (Size) gs_copy_threads() * GS_HUGE_PAGE;

	ahead += end - b->touched;
	ahead = Min(TYPEALIGN(GS_HUGE_PAGE, ahead), (Size) (limit - b->touched));
	gs_touch(b->touched, ahead);
	b->touched += ahead;
}

/* Where the next n results may be written. */
void *
gs_builder_place(gs_builder *b, int64 n)
{
	char	   *result = b->values + b->present * b->width;
	char	   *end = result + n * b->width;

	if (b->touched != NULL && end > b->touched)
		touch(b, end);
	return result;
}

/* Append n bits, all ones if `bits` is NULL, to a bitmap of `offset` bits. */
static void
append_bits(uint8 *bitmap, int64 offset, const uint8 *bits, int64 n)
{
	int			shift = offset % 8;
	uint8	   *to = bitmap + offset / 8;
	unsigned int carry = shift == 0 ? 0 : *to & ((1u << shift) - 1);

	for (int64 left = n; left > 0; left -= 8)
	{
		unsigned int byte = bits == NULL ? 0xff : *bits++;

		if (left < 8)
			byte &= (1u << left) - 1;
		carry |= byte << shift;
		*to++ = (uint8) carry;
		carry >>= 8;
	}
	if ((offset + n + 7) / 8 > to - bitmap)
		*to = (uint8) carry;
}

/* Take what has been written there. */
void
gs_builder_take(gs_builder *b, const gs_output *out)
{
	Assert(out->values == b->values + b->present * b->width);
	if (b->bitmap != NULL)
		append_bits(b->bitmap, b->n,
					out->present < out->n ? out->validity : NULL, out->n);
	b->n += out->n;
	b->present += out->present;
}

/* Forget all results. */
void
gs_builder_reset(gs_builder *b)
{
	b->n = 0;
	b->present = 0;
}

/* memmove to a lower address, of any size: it looks for a cancel in between. */
void
gs_move_down(char *to, const char *from, Size size)
{
	for (Size done = 0; done < size; done += MOVE_PIECE)
	{
		CHECK_FOR_INTERRUPTS();
		memmove(to + done, from + done, Min(MOVE_PIECE, size - done));
	}
}

/* The array, complete. */
Datum
gs_builder_close(gs_builder *b)
{
	ArrayType  *array = b->array;
	Size		size;

	if (b->n == 0)
	{
		pfree(array);
		return PointerGetDatum(construct_empty_array(b->elemtype));
	}
	if (b->bitmap != NULL && b->present == b->n)
	{
		/* without a NULL no array has a bitmap */
		char	   *to = (char *) array + ARR_OVERHEAD_NONULLS(array->ndim);

		gs_move_down(to, b->values, b->present * b->width);
		b->values = to;
		array->dataoffset = 0;
	}
	else if (b->bitmap != NULL)
	{
		uint8	   *end = b->bitmap + (b->n + 7) / 8;

		memset(end, 0, (uint8 *) b->values - end);
	}

	if (!b->shaped)
	{
		ARR_DIMS(array)[0] = (int) b->n;
		ARR_LBOUND(array)[0] = 1;
	}
	size = (Size) (b->values - (char *) array) + b->present * b->width;
	if (size < b->allocated)
		array = repalloc(array, size);
	SET_VARSIZE(array, size);
	return PointerGetDatum(array);
}
