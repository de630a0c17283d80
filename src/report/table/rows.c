/*-------------------------------------------------------------------------
 *
 * rows.c
 *	  From the tuples of a heap page to columns.
 *
 * In most tuples, most columns that can be computed with lie at fixed places:
 * behind attributes of fixed width that are not NULL.  Such a column is copied
 * for all tuples of a page in one loop.  Behind attributes of varying length,
 * char(n) above all, tuples are compared with a sample: those whose attributes
 * have the same lengths have them at the same places.  What else there is, is
 * found by a walk over the tuple, which starts where the tuple differs or, if
 * one of the attributes is NULL or missing, at the first one.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/detoast.h"
#include "access/tupmacs.h"

#include "call/decimal.h"
#include "protocol/report.h"
#include "report/table/rows.h"

/* Stands in for the data of a tuple that is not copied in such loops. */
static const char nothing[BLCKSZ] pg_attribute_aligned(MAXIMUM_ALIGNOF);

static inline void
store(const gs_row_column *c, const char *from, gs_rows *to, int64 row)
{
	char	   *at = to->values[c->column] + row * c->width;

	switch (c->width)
	{
		case 1:
			memcpy(at, from, 1);
			break;
		case 2:
			memcpy(at, from, 2);
			break;
		case 4:
			memcpy(at, from, 4);
			break;
		default:
			memcpy(at, from, 8);
	}
}

/* Of a value that is compressed, or elsewhere. */
static pg_noinline int32
code_of_toasted(const gs_row_column *c, const char *from)
{
	struct varlena *toasted = (struct varlena *) unconstify(char *, from);
	struct varlena *value;
	size_t		size = toast_raw_datum_size(PointerGetDatum(toasted)) - VARHDRSZ;
	int32		code;

	/* it is not worth fetching then */
	if (size > GS_DICTIONARY_VALUE_MAX)
		return gs_dictionary_code(c->dictionary, NULL, size);
	value = detoast_attr(toasted);
	code = gs_dictionary_code(c->dictionary, VARDATA(value), size);
	pfree(value);
	return code;
}

static inline int32
code_of(const gs_row_column *c, const char *from)
{
	if (c->length > 0)
		return gs_dictionary_code(c->dictionary, from, c->length);
	if (VARATT_IS_1B(from) && !VARATT_IS_1B_E(from))
		return gs_dictionary_code(c->dictionary, VARDATA_1B(from),
								  VARSIZE_1B(from) - VARHDRSZ_SHORT);
	if (VARATT_IS_4B_U(from))
		return gs_dictionary_code(c->dictionary, VARDATA_4B(from),
								  VARSIZE_4B(from) - VARHDRSZ);
	return code_of_toasted(c, from);
}

/* Does a text match the column's pattern? */
static bool
matches(const gs_row_column *c, const char *from)
{
	struct varlena *text = (struct varlena *) unconstify(char *, from);
	bool		result;

	if (likely(!VARATT_IS_EXTENDED(from) ||
			   (VARATT_IS_1B(from) && !VARATT_IS_1B_E(from))))
		return gs_pattern_matches(c->pattern, VARDATA_ANY(from),
								  VARSIZE_ANY_EXHDR(from));
	text = detoast_attr(text);
	result = gs_pattern_matches(c->pattern, VARDATA_ANY(text),
								VARSIZE_ANY_EXHDR(text));
	pfree(text);
	return result;
}

/* The numeric could not be read. */
pg_noinline void
gs_odd_decimal(const gs_row_column *c, const char *stored, gs_odd_value *odd)
{
	int			scale = gs_decimal_scale(PointerGetDatum(stored));

	odd->column = c->column;
	odd->scale = scale == c->scale ? -1 : scale;
	odd->reason = scale < 0 ? "a numeric is NaN or infinite" :
		"numeric values differ in scale or have too many digits";
}

static void
store_decimal(const gs_row_column *c, const char *from, gs_rows *to, int64 row)
{
	int64	   *values = (int64 *) to->values[c->column];

	if (unlikely(!gs_decimal_read(from, c->scale, &values[row])))
		gs_odd_decimal(c, from, &to->odd);
}

/* Store a value as it is in a tuple. */
static inline void
store_stored(const gs_row_column *c, const char *from, gs_rows *to, int64 row)
{
	switch (c->form)
	{
		case GS_FORM_DECIMAL:
			store_decimal(c, from, to, row);
			break;
		case GS_FORM_CODE:
			((int32 *) to->values[c->column])[row] = code_of(c, from);
			break;
		case GS_FORM_MATCH:
			to->values[c->column][row] = matches(c, from);
			break;
		default:
			store(c, from, to, row);
	}
}

/* What is missing is stored as the engine has it, but for texts and the like. */
static void
store_missing(const gs_row_column *c, gs_rows *to, int64 row)
{
	if (c->form == GS_FORM_CODE || c->form == GS_FORM_MATCH)
		store_stored(c, c->missing_reference != NULL ? c->missing_reference :
					 c->missing, to, row);
	else
		store(c, c->missing, to, row);
}

static void
store_null(const gs_row_column *c, gs_rows *to, int64 row)
{
	uint64		bit = UINT64CONST(1) << c->column;
	uint8	   *validity = to->validity[c->column];

	if ((to->nulls & bit) == 0)
		memset(validity, 0xff, ((size_t) to->rows_max + 7) / 8);
	to->nulls |= bit;
	validity[row / 8] &= ~(1 << (row % 8));
	memset(to->values[c->column] + row * c->width, 0, c->width);
}

/* Are all attributes there, up to the last wanted one, and not NULL? */
static inline bool
is_plain(const gs_row_shape *shape, HeapTupleHeader tuple)
{
	int			bytes = shape->attributes / 8;
	int			rest = (1 << (shape->attributes % 8)) - 1;

	if (HeapTupleHeaderGetNatts(tuple) < shape->attributes)
		return false;
	if ((tuple->t_infomask & HEAP_HASNULL) == 0)
		return true;
	for (int i = 0; i < bytes; i++)
	{
		if (tuple->t_bits[i] != 0xff)
			return false;
	}
	return rest == 0 || (tuple->t_bits[bytes] & rest) == rest;
}

/* Where does an attribute begin that is present, after the previous one? */
static inline uint32
begin_of(const gs_row_attribute *a, const char *data, uint32 offset)
{
	if (a->length == -1 && VARATT_NOT_PAD_BYTE(data + offset))
		return offset;
	return TYPEALIGN(a->align, offset);
}

static inline uint32
size_of(const gs_row_attribute *a, const char *from)
{
	if (a->length > 0)
		return a->length;
	return a->length == -1 ? VARSIZE_ANY(from) : strlen(from) + 1;
}

/* Store the columns of a tuple from a wanted one, and an attribute, on. */
static void
walk(const gs_row_shape *shape, HeapTupleHeader tuple, int column,
	 int attribute, uint32 offset, gs_rows *to, int64 row)
{
	const char *data = (const char *) tuple + tuple->t_hoff;
	const gs_row_column *c = &shape->column[column];
	const gs_row_column *end = &shape->column[shape->columns];
	bool		nulls = (tuple->t_infomask & HEAP_HASNULL) != 0;
	int			present = Min(HeapTupleHeaderGetNatts(tuple),
							  shape->attributes);

	for (int a = attribute; a < present; a++)
	{
		const gs_row_attribute *at = &shape->attribute[a];
		bool		null = nulls && att_isnull(a, tuple->t_bits);

		if (!null)
			offset = begin_of(at, data, offset);
		for (; c < end && c->attribute == a; c++)
		{
			if (null)
				store_null(c, to, row);
			else
				store_stored(c, data + offset, to, row);
		}
		if (!null)
			offset += size_of(at, data + offset);
	}
	for (; c < end; c++)
	{
		if (c->missing_null)
			store_null(c, to, row);
		else
			store_missing(c, to, row);
	}
}

/* One loop for each width: what the compiler knows makes it fast. */
#define COPY_LOOP(type) \
	for (int i = 0; i < n; i++) \
		((type *) to)[i] = *(const type *) (data[i] + offset)

static void
copy_column(const gs_row_column *c, const char *const *data, int n, char *to)
{
	int			offset = c->offset;

	switch (c->width)
	{
		case 1:
			COPY_LOOP(uint8);
			break;
		case 2:
			COPY_LOOP(uint16);
			break;
		case 4:
			COPY_LOOP(uint32);
			break;
		default:
			COPY_LOOP(uint64);
	}
}

/* Where its value begins, in a tuple where its place is known. */
static inline const char *
value_in(const gs_row_column *c, const char *data)
{
	uint32		offset = c->offset;

	if (c->length == -1 && !VARATT_NOT_PAD_BYTE(data + offset))
		offset = TYPEALIGN(c->align, offset);
	return data + offset;
}

/*
 * Convert a column that is not copied.  Where there is no data there is a row
 * to come.
 */
static void
convert_column(const gs_row_column *c, const char *const *data, int n,
			   gs_rows *to)
{
	for (int i = 0; i < n; i++)
	{
		if (likely(data[i] != nothing))
			store_stored(c, value_in(c, data[i]), to, to->rows + i);
	}
}

/* Store wanted columns from one to before another, of the tuples of a page. */
static void
store_columns(const gs_row_shape *shape, int from, int end,
			  const char *const *data, int n, gs_rows *to)
{
	for (int k = from; k < end; k++)
	{
		const gs_row_column *c = &shape->column[k];

		if (c->form == GS_FORM_VALUE)
			copy_column(c, data, n,
						to->values[c->column] + to->rows * c->width);
		else
			convert_column(c, data, n, to);
	}
}

/* Make a tuple without NULLs the sample. */
static void
take_sample(gs_row_shape *shape, const char *data)
{
	gs_row_stop stop = {
		.attribute = shape->fixed_attributes,
		.column = shape->fixed_columns,
		.offset = shape->fixed_size
	};

	shape->stops = 0;
	for (; stop.attribute < shape->attributes; stop.attribute++)
	{
		const gs_row_attribute *a = &shape->attribute[stop.attribute];
		const char *header = data + stop.offset;
		bool		last = stop.attribute + 1 == shape->attributes;

		if (a->length < 0 && !last)
		{
			if (a->length != -1 || !VARATT_IS_1B(header) ||
				VARATT_IS_1B_E(header))
				break;
			stop.header = *(const uint8 *) header;
			shape->stop[shape->stops++] = stop;
		}
		else if (a->length > 0)
			stop.offset = TYPEALIGN(a->align, stop.offset);
		for (; stop.column < shape->columns &&
			 shape->column[stop.column].attribute == stop.attribute;
			 stop.column++)
			shape->column[stop.column].offset = stop.offset;
		if (!last)
			stop.offset += size_of(a, header);
	}
	shape->stop[shape->stops] = stop;
	shape->sampled = true;
}

/* Where does a tuple without NULLs differ from the sample? */
static inline int
compare(const gs_row_shape *shape, const char *data)
{
	int			i = 0;

	while (i < shape->stops &&
		   *(const uint8 *) (data + shape->stop[i].offset) ==
		   shape->stop[i].header)
		i++;
	return i;
}

/* Store the columns behind the fixed ones of a tuple that differs there. */
static void
store_rest(const gs_row_shape *shape, HeapTupleHeader tuple, int stop,
		   gs_rows *to, int64 row)
{
	const gs_row_stop *s = &shape->stop[stop];
	const char *data = (const char *) tuple + tuple->t_hoff;

	for (int k = shape->fixed_columns; k < s->column; k++)
		store_stored(&shape->column[k], data + shape->column[k].offset, to,
					 row);
	walk(shape, tuple, s->column, s->attribute, s->offset, to, row);
}

/* A tuple with columns that are still to be stored. */
typedef struct odd_tuple
{
	HeapTupleHeader tuple;
	uint16		i;				/* which it is of the page's */
	int16		stop;			/* -1: all columns are */
} odd_tuple;

static void
store_system_columns(const gs_row_shape *shape, BlockNumber block,
					 const OffsetNumber *offset, int n, gs_rows *to)
{
	if (shape->tids >= 0)
	{
		int64	   *tids = (int64 *) to->values[shape->tids] + to->rows;

		for (int i = 0; i < n; i++)
			tids[i] = gs_tid_number(block, offset[i]);
	}
	if (shape->tables >= 0)
	{
		Oid		   *tables = (Oid *) to->values[shape->tables] + to->rows;

		for (int i = 0; i < n; i++)
			tables[i] = shape->table;
	}
}

/* Add the tuples of a page at these n offsets; there is room for them. */
void
gs_rows_add(gs_row_shape *shape, Page page, BlockNumber block,
			const OffsetNumber *offset, int n, gs_rows *to)
{
	const char *data[MaxHeapTuplesPerPage];
	const char *like[MaxHeapTuplesPerPage]; /* of those like the sample */
	odd_tuple	odd[MaxHeapTuplesPerPage];
	int			odds = 0;
	bool		all_fixed = shape->fixed_columns == shape->columns;

	Assert(to->rows + n <= to->rows_max);
	if (n <= 0)
		return;
	store_system_columns(shape, block, offset, n, to);
	if (shape->columns == 0)
	{
		to->rows += n;
		return;
	}
	for (int i = 0; i < n; i++)
	{
		HeapTupleHeader tuple = (HeapTupleHeader)
			PageGetItem(page, PageGetItemId(page, offset[i]));
		int			stop = -1;

		data[i] = (const char *) tuple + tuple->t_hoff;
		like[i] = data[i];
		if (likely(is_plain(shape, tuple)))
		{
			if (all_fixed)
				continue;
			if (unlikely(!shape->sampled))
				take_sample(shape, data[i]);
			stop = compare(shape, data[i]);
			if (shape->stop[stop].attribute == shape->attributes)
				continue;
		}
		else
			data[i] = nothing;
		like[i] = nothing;
		odd[odds++] = (odd_tuple) {tuple, i, stop};
	}
	store_columns(shape, 0, shape->fixed_columns, data, n, to);
	if (odds < n)
		store_columns(shape, shape->fixed_columns, shape->columns, like, n,
					  to);
	for (int i = 0; i < odds; i++)
	{
		int64		row = to->rows + odd[i].i;

		if (odd[i].stop >= 0)
			store_rest(shape, odd[i].tuple, odd[i].stop, to, row);
		else
			walk(shape, odd[i].tuple, 0, 0, 0, to, row);
	}
	to->rows += n;

	/* another sample may be more like the next page's tuples */
	if (odds > n / 2)
		shape->sampled = false;
}
