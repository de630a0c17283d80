/*-------------------------------------------------------------------------
 *
 * array.c
 *	  PostgreSQL's arrays as spans of an engine, and results as arrays.
 *
 * A flat array already is what an engine reads: packed values, and a bitmap
 * that tells which elements have one.  So an argument is used in place,
 * whether it is in a tuple or the flat form that an expanded array (a PL/pgSQL
 * variable) keeps.  Only a toasted value, or an expanded one that has been
 * modified, is made flat in memory of our own.  Even that is avoided for a
 * large toasted value that is not compressed.  Opening it reads only its first
 * TOAST chunk, which contains the array's header; the bitmap is fetched when
 * needed, and a cursor fetches the values one span at a time.  If the service
 * has cached the value, which its gs_toast_id identifies, nothing but the
 * first TOAST chunk is read.
 *
 * A result is reserved at its maximum size, filled from the front, and
 * trimmed. What is not filled is not touched, so it costs address space for a
 * moment, but no memory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <sys/mman.h>
#include <unistd.h>

#include "access/detoast.h"
#include "access/tupmacs.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/date.h"
#include "utils/expandeddatum.h"
#include "utils/timestamp.h"

#include "array/array.h"
#include "array/parallel_copy.h"
#include "array/toasted.h"

/* Bytes of a bitmap counted between two checks for interrupts: 0.3 ms. */
#define COUNT_SIZE		(INT64CONST(1024) * 1024)

/* Bytes moved between two checks for interrupts: a few ms at worst. */
#define MOVE_SIZE		((Size) 8 * 1024 * 1024)

/*
 * A toasted array from this size on is read span by span.  A smaller one fits
 * the processor's cache, and reading it in parts would be slower.
 */
#define LAZY_SIZE		(64 * 1024)

/* Elements flattened between two checks for interrupts: 0.2 ms. */
#define FLATTEN_ELEMENTS	65536

/*
 * From this size on, ask for huge pages.  A smaller result would get few, if
 * any.
 */
#define LARGE_SIZE		(4 * 1024 * 1024)

/* NULLs that are appended at a time. */
#define NULLS_PIECE		8192

/* Rows of a column moved together at a time. */
#define PACK_PIECE		65536

/* The largest size of pages that are not huge. */
#define TOUCH_ALIGN		(64 * 1024)

/*
 * Of a type that functions are declared for.  Dates and timestamps are integers
 * inside, and their order is that of the integers: the infinities are the ends
 * of the range.  So they are taken as what they are inside; a result of their
 * type is one that gs_builder_open is told of.
 */
gs_type
gs_type_from_oid(Oid oid)
{
	switch (oid)
	{
		case BOOLOID:
			return GS_BOOL;
		case INT2OID:
			return GS_INT2;
		case INT4OID:
		case DATEOID:
			return GS_INT4;
		case INT8OID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return GS_INT8;
		case FLOAT4OID:
			return GS_FLOAT4;
		case FLOAT8OID:
			return GS_FLOAT8;
	}
	elog(ERROR, "unexpected array element type %u", oid);
	return 0;					/* keep the compiler quiet */
}

bool
gs_is_time(Oid oid)
{
	return oid == DATEOID || oid == TIMESTAMPOID || oid == TIMESTAMPTZOID;
}

/* Of a value of a type that is a time. */
bool
gs_time_is_finite(Oid oid, int64 time)
{
	return oid == DATEOID ? !DATE_NOT_FINITE(time) : !TIMESTAMP_NOT_FINITE(time);
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
 * palloc, with huge pages if the size is large; it may be a little more than
 * an array can have.  The first touch of memory is the largest cost of a large
 * result: the running sum of ten million bigints takes 46 ms into plain pages
 * and 8 ms into huge ones.
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

		/* just advice: if it is ignored, only time is lost */
		(void) madvise((void *) start, end - start, MADV_HUGEPAGE);
	}
#endif
	return result;
}

/*
 * Fetch all of a toasted value, as the server would, but into huge pages, and
 * checking for interrupts.
 */
static ArrayType *
fetch_all(const struct varatt_external *pointer)
{
	char	   *result = gs_alloc_large(pointer->va_rawsize);

	SET_VARSIZE(result, pointer->va_rawsize);
	gs_fetch_toasted(pointer, VARHDRSZ, pointer->va_rawsize - VARHDRSZ,
					 result + VARHDRSZ);
	return (ArrayType *) result;
}

static ArrayType *
detoast_array(Datum value)
{
	struct varatt_external pointer;

	if (!gs_is_toasted(value, &pointer))
		return DatumGetArrayTypeP(value);
	return fetch_all(&pointer);
}

/* Fetch the header of a toasted array, and the array's gs_toast_id. */
static ArrayType *
fetch_header(gs_array *a)
{
	Size		size = ARR_OVERHEAD_NONULLS(MAXDIM);
	ArrayType  *result = palloc(size);

	SET_VARSIZE(result, a->pointer.va_rawsize);
	if (!gs_read_first_toast_chunk(&a->pointer, (char *) result + VARHDRSZ,
								   size - VARHDRSZ, &a->toast_id))
		gs_fetch_toasted(&a->pointer, VARHDRSZ, size - VARHDRSZ,
						 (char *) result + VARHDRSZ);
	return result;
}

/*
 * The array's bitmap, NULL if it has none.  That of a toasted array is fetched
 * on the first call.
 */
const uint8 *
gs_array_bitmap(gs_array *a)
{
	if (a->nulls && a->bitmap == NULL)
	{
		Size		from = (char *) ARR_NULLBITMAP(a->flat) - (char *) a->flat;
		Size		size = ((Size) a->n + 7) / 8;
		uint8	   *bitmap = gs_alloc_large(size);

		gs_fetch_toasted(&a->pointer, from, size, (char *) bitmap);
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
		if (i % FLATTEN_ELEMENTS == 0)
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
		if (i % FLATTEN_ELEMENTS == 0)
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

/* The flat form of an expanded array, which may already have one. */
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

/* Fill in what follows from the flat form, or from its header. */
static void
describe(gs_array *a)
{
	a->elemtype = ARR_ELEMTYPE(a->flat);
	a->type = gs_type_from_oid(a->elemtype);
	a->n = ArrayGetNItems(ARR_NDIM(a->flat), ARR_DIMS(a->flat));
	a->nulls = ARR_HASNULL(a->flat);
	a->values = a->is_toasted ? NULL : ARR_DATA_PTR(a->flat);
	a->bitmap = a->is_toasted ? NULL : ARR_NULLBITMAP(a->flat);
}

/* Open an array, with all of it in memory. */
void
gs_array_open(gs_array *a, Datum value)
{
	a->is_toasted = false;
	a->toast_id.database = InvalidOid;
	if (VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(value)))
		a->flat = flat_from_expanded(value, &a->copied);
	else
	{
		a->flat = detoast_array(value);
		a->copied = (Pointer) a->flat != DatumGetPointer(value);
	}
	describe(a);
}

/*
 * Open an array whose values only a cursor will read: those of a large toasted
 * one are left in its table.
 */
void
gs_array_open_lazily(gs_array *a, Datum value)
{
	if (!gs_is_toasted(value, &a->pointer) ||
		a->pointer.va_rawsize < LAZY_SIZE)
	{
		gs_array_open(a, value);
		return;
	}
	a->is_toasted = true;
	a->toast_id.database = InvalidOid;
	a->flat = fetch_header(a);
	a->copied = true;
	describe(a);
}

/*
 * Open an array lazily, but only one that stays in its table and has a
 * toast_id.  False: it is none, and was not opened.
 */
bool
gs_array_open_if_identified(gs_array *a, Datum value)
{
	if (!gs_is_toasted(value, &a->pointer) ||
		a->pointer.va_rawsize < LAZY_SIZE)
		return false;
	gs_array_open_lazily(a, value);
	if (a->toast_id.database != InvalidOid)
		return true;
	gs_array_close(a);
	return false;
}

/* What the service has to know of an array to find or cache it. */
void
gs_array_describe(const gs_array *a, gs_argument *argument)
{
	int64		max = ((int64) VARSIZE(a->flat) - (int64)
					   ARR_DATA_OFFSET(a->flat)) / gs_type_width(a->type);

	argument->toast_id = a->toast_id;
	argument->nulls = a->nulls;
	argument->max_values = a->nulls ? Min(max, a->n) : a->n;
	argument->unused = 0;
}

/* Read all of an array that gs_array_open_lazily has left in its table. */
void
gs_array_read(gs_array *a)
{
	ArrayType  *flat;

	if (!a->is_toasted)
		return;
	flat = fetch_all(&a->pointer);
	if (a->bitmap != NULL)
		pfree((uint8 *) a->bitmap);
	pfree(a->flat);
	a->flat = flat;
	a->is_toasted = false;
	describe(a);
}

/* Free a copy early: it can be large, and the caller in a loop. */
void
gs_array_close(gs_array *a)
{
	if (a->is_toasted && a->bitmap != NULL)
		pfree((uint8 *) a->bitmap);
	if (a->copied)
		pfree(a->flat);
}

/* gs_count_bits for any number of bits, checking for interrupts. */
int64
gs_bits_count(const uint8 *bits, int64 n)
{
	int64		count = 0;

	for (int64 i = 0; i < n; i += COUNT_SIZE * 8)
	{
		CHECK_FOR_INTERRUPTS();
		count += gs_count_bits(bits + i / 8, Min(COUNT_SIZE * 8, n - i));
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

/* Fetch a span's values: into `buffer`, or into our own if that is NULL. */
static const char *
fetch_values(gs_cursor *c, int64 present, char *buffer)
{
	const gs_array *a = c->array;
	int			width = gs_type_width(a->type);
	Size		size = present * width;

	if (buffer == NULL && c->buffer_size < size)
	{
		gs_cursor_close(c);
		c->buffer = palloc(size);
		c->buffer_size = size;
	}
	if (buffer == NULL)
		buffer = c->buffer;
	gs_fetch_toasted(&a->pointer, ARR_DATA_OFFSET(a->flat) + c->present * width,
					 size, buffer);
	return buffer;
}

/*
 * The next n elements.  All spans except the last hold a multiple of 8
 * elements, so that a bitmap starts on a byte.  The values of a toasted array
 * are fetched into `buffer` or, if that is NULL, into one that is valid until
 * the next call.
 */
void
gs_cursor_next(gs_cursor *c, int64 n, void *buffer, gs_span *span)
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
	span->values = a->is_toasted ? fetch_values(c, span->present, buffer) :
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

/*
 * The size of an array.  Raises an error if PostgreSQL cannot have such an
 * array.
 */
Size
gs_array_size(int64 n, int width, int ndim, bool nulls)
{
	int64		size;

	/* cannot overflow: n is below 2^32 */
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
				errdetail("It could take %lld bytes, but an array can take at most %zu.",
						  (long long) size, (size_t) MaxAllocSize));
	return (Size) size;
}

/*
 * Start a result of up to `capacity` elements, of a type that functions are
 * declared for or interval.  It takes its dimensions and
 * lower bounds from `shape`, or is one-dimensional if that is NULL.  `bits` is
 * 0 if no result is NULL.  Otherwise it is the number of results, which must
 * be known because the values follow the bitmap.
 */
void
gs_builder_open(gs_builder *b, Oid elemtype, int64 capacity,
				const ArrayType *shape, int64 bits)
{
	int			ndim = shape == NULL ? 1 : ARR_NDIM(shape);
	Size		offset;

	memset(b, 0, sizeof(gs_builder));
	b->elemtype = elemtype;
	b->width = elemtype == INTERVALOID ? (int) sizeof(Interval) :
		gs_type_width(gs_type_from_oid(elemtype));
	b->capacity = capacity;
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
 * Touch memory up to `end`, and one huge page per thread more, so that all
 * threads have work.
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

/* Where to write the next n results. */
void *
gs_builder_reserve(gs_builder *b, int64 n)
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

/* Append the results that have been written there. */
void
gs_builder_commit(gs_builder *b, const gs_output *out)
{
	Assert(out->values == b->values + b->present * b->width);
	if (b->bitmap != NULL)
		append_bits(b->bitmap, b->n,
					out->present < out->n ? out->validity : NULL, out->n);
	b->n += out->n;
	b->present += out->present;
}

/*
 * Close the gaps in a column of n rows: the values of valid rows move to the
 * front, in their order.  Returns how many there are.
 */
#define PACK(width) \
static int64 \
pack_##width(char *values, const uint64 *validity, int64 n) \
{ \
	int64		present = 0; \
\
	for (int64 i = 0; i < GS_VALIDITY_ROWS(n); i++) \
	{ \
		const char *from = values + i * 64 * width; \
		uint64		valid = validity[i]; \
\
		if (i % (PACK_PIECE / 64) == 0) \
			CHECK_FOR_INTERRUPTS(); \
		if (valid == PG_UINT64_MAX) \
		{ \
			memmove(values + present * width, from, 64 * width); \
			present += 64; \
			continue; \
		} \
		for (; valid != 0; valid &= valid - 1) \
			memmove(values + present++ * width, \
					from + pg_rightmost_one_pos64(valid) * width, width); \
	} \
	return present; \
}

PACK(1)
PACK(2)
PACK(4)
PACK(8)

/*
 * Append n results that have been written there, one for each NULL, too.
 * validity is their GS_COLUMN_VALIDITY; NULL: none is NULL.
 */
void
gs_builder_commit_column(gs_builder *b, int64 n, const uint64 *validity)
{
	char	   *values = b->values + b->present * b->width;
	gs_output	out = {
		.values = values, .validity = (uint8 *) validity, .n = n, .present = n
	};

	if (validity != NULL)
		out.present = (b->width == 8 ? pack_8 : b->width == 4 ? pack_4 :
					   b->width == 2 ? pack_2 : pack_1) (values, validity, n);
	gs_builder_commit(b, &out);
}

/* Append n results that are NULL. */
void
gs_builder_append_nulls(gs_builder *b, int64 n)
{
	static uint8 validity[NULLS_PIECE / 8]; /* all 0 */

	for (int64 i = 0; i < n; i += NULLS_PIECE)
	{
		gs_output	out = {
			.values = gs_builder_reserve(b, 0),
			.n = Min(NULLS_PIECE, n - i),
			.validity = validity
		};

		CHECK_FOR_INTERRUPTS();
		gs_builder_commit(b, &out);
	}
}

/* Leave out the first result, which is NULL. */
void
gs_builder_drop_null(gs_builder *b)
{
	int64		bytes = (b->n + 7) / 8;

	Assert(b->present < b->n && !(b->bitmap[0] & 1));
	for (int64 i = 0; i < bytes; i++)
		b->bitmap[i] = b->bitmap[i] >> 1 |
			(i + 1 < bytes ? b->bitmap[i + 1] << 7 : 0);
	b->n--;
}

/* Forget all results. */
void
gs_builder_reset(gs_builder *b)
{
	b->n = 0;
	b->present = 0;
}

/* memmove to a lower address, checking for interrupts. */
void
gs_move_down(char *to, const char *from, Size size)
{
	for (Size done = 0; done < size; done += MOVE_SIZE)
	{
		CHECK_FOR_INTERRUPTS();
		memmove(to + done, from + done, Min(MOVE_SIZE, size - done));
	}
}

/* Return the complete array. */
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
		/* PostgreSQL's arrays have no bitmap if nothing is NULL */
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
