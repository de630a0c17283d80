/*-------------------------------------------------------------------------
 *
 * rows.c
 *	  From the tuples of a heap page to columns.
 *
 * In most tuples, most columns that can be computed with lie at fixed places:
 * behind attributes of fixed width that are not NULL.  Such a column is copied
 * for all tuples of a page in one loop.  What else there is, is found by a walk
 * over the tuple, which starts where the fixed places end or, if one of the
 * attributes is NULL or missing, at the first one.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/detoast.h"
#include "access/tupmacs.h"
#include "catalog/pg_type.h"
#include "utils/datum.h"

#include "call/decimal.h"
#include "protocol/report.h"
#include "report/rows.h"

/* Stands in for the data of a tuple that is not copied in such loops. */
static const char nothing[BLCKSZ] pg_attribute_aligned(MAXIMUM_ALIGNOF);

static int
alignment(char align)
{
	switch (align)
	{
		case TYPALIGN_CHAR:
			return 1;
		case TYPALIGN_SHORT:
			return ALIGNOF_SHORT;
		case TYPALIGN_INT:
			return ALIGNOF_INT;
		default:
			return ALIGNOF_DOUBLE;
	}
}

/* Insert a wanted column; they are in the order of their attributes. */
static gs_row_column *
insert_column(gs_row_shape *shape, int attribute)
{
	int			at = shape->columns++;

	for (; at > 0 && shape->column[at - 1].attribute > attribute; at--)
		shape->column[at] = shape->column[at - 1];
	shape->column[at].attribute = attribute;
	return &shape->column[at];
}

/* Is the attribute stored as the column's values are read? */
static bool
is_stored_as(Form_pg_attribute a, const gs_report_column *column, int width)
{
	gs_report_column stored;
	gs_type		type;

	if (column->form == GS_FORM_VALUE)
		return a->attbyval && a->attlen == width;
	if (column->form == GS_FORM_CODE)
		return column->dictionary != NULL &&
			gs_dictionary_type(column->dictionary) == a->atttypid;
	return gs_column_form_of(a->atttypid, a->atttypmod, a->attcollation,
							 &stored, &type) &&
		stored.form == column->form && stored.scale == column->scale;
}

/* False: the value cannot be the column's. */
static bool
set_missing(gs_row_column *c, TupleDesc tuples)
{
	bool		by_value = TupleDescAttr(tuples, c->attribute)->attbyval;
	Datum		value = getmissingattr(tuples, c->attribute + 1,
									   &c->missing_null);
	int64		decimal;

	memset(c->missing, 0, sizeof(c->missing));
	c->missing_reference = NULL;
	if (c->missing_null)
		return true;
	if (c->form == GS_FORM_DECIMAL)
	{
		if (!gs_decimal_read(DatumGetPointer(value), c->scale, &decimal))
			return false;
		memcpy(c->missing, &decimal, sizeof(decimal));
	}
	else if (by_value)
		store_att_byval(c->missing, value, c->length);
	else
		c->missing_reference =
			DatumGetPointer(datumCopy(value, false, c->length));
	return true;
}

/* How far are the places of attributes known? */
static void
find_fixed(gs_row_shape *shape)
{
	int			a;

	shape->fixed_columns = 0;
	shape->fixed_size = 0;
	for (a = 0; a < shape->attributes && shape->attribute[a].length > 0; a++)
	{
		int			offset = TYPEALIGN(shape->attribute[a].align,
									   shape->fixed_size);

		/* a tuple ends on its page: what lies further is never read */
		if (offset + shape->attribute[a].length > BLCKSZ)
			break;
		for (; shape->fixed_columns < shape->columns &&
			 shape->column[shape->fixed_columns].attribute == a;
			 shape->fixed_columns++)
			shape->column[shape->fixed_columns].offset = offset;
		shape->fixed_size = offset + shape->attribute[a].length;
	}
	shape->fixed_attributes = a;
}

/*
 * Prepare to read a plan's columns.  False: one is not stored as the plan's
 * type.
 */
bool
gs_row_shape_init(gs_row_shape *shape, TupleDesc tuples, const gs_plan *plan,
				  const gs_report_column *column)
{
	shape->columns = 0;
	shape->attributes = 0;
	for (int i = 0; i < plan->columns; i++)
	{
		gs_row_column *c;
		Form_pg_attribute a;
		int			width = gs_type_width((gs_type) plan->column[i]);

		if (column[i].attribute < 1 || column[i].attribute > tuples->natts)
			return false;
		a = TupleDescAttr(tuples, column[i].attribute - 1);
		if (a->attisdropped || !is_stored_as(a, &column[i], width) ||
			(a->attgenerated != '\0' &&
			 a->attgenerated != ATTRIBUTE_GENERATED_STORED))
			return false;
		c = insert_column(shape, column[i].attribute - 1);
		c->column = i;
		c->width = width;
		c->form = column[i].form;
		c->scale = column[i].scale;
		c->dictionary = column[i].dictionary;
		c->length = a->attlen;
		if (!set_missing(c, tuples))
			return false;
		shape->attributes = Max(shape->attributes, column[i].attribute);
	}
	for (int i = 0; i < shape->attributes; i++)
	{
		Form_pg_attribute a = TupleDescAttr(tuples, i);

		shape->attribute[i].length = a->attlen;
		shape->attribute[i].align = alignment(a->attalign);
	}
	find_fixed(shape);
	return true;
}

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

static void
store_decimal(const gs_row_column *c, const char *from, gs_rows *to, int64 row)
{
	int64	   *values = (int64 *) to->values[c->column];

	if (unlikely(!gs_decimal_read(from, c->scale, &values[row])))
		to->refused = "a numeric is NaN or infinite";
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
		default:
			store(c, from, to, row);
	}
}

/* What is missing is stored as the engine has it, but for what has a code. */
static void
store_missing(const gs_row_column *c, gs_rows *to, int64 row)
{
	if (c->form == GS_FORM_CODE)
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

/* The same for codes.  Where there is no data there is a row to come. */
static void
code_column(const gs_row_column *c, const char *const *data, int n, char *to)
{
	for (int i = 0; i < n; i++)
		((int32 *) to)[i] = data[i] == nothing ? 0 :
			code_of(c, data[i] + c->offset);
}

/* Add the tuples of a page at these n offsets; there is room for them. */
void
gs_rows_add(const gs_row_shape *shape, Page page, const OffsetNumber *offset,
			int n, gs_rows *to)
{
	const char *data[MaxHeapTuplesPerPage];
	uint16		odd[MaxHeapTuplesPerPage];
	int			odds = 0;
	bool		all_fixed = shape->fixed_columns == shape->columns;

	Assert(to->rows + n <= to->rows_max);
	if (shape->columns == 0)
	{
		to->rows += n;
		return;
	}
	for (int i = 0; i < n; i++)
	{
		HeapTupleHeader tuple = (HeapTupleHeader)
			PageGetItem(page, PageGetItemId(page, offset[i]));

		data[i] = (const char *) tuple + tuple->t_hoff;
		if (likely(is_plain(shape, tuple)))
		{
			if (!all_fixed)
				walk(shape, tuple, shape->fixed_columns,
					 shape->fixed_attributes, shape->fixed_size, to,
					 to->rows + i);
			continue;
		}
		odd[odds++] = i;
		data[i] = nothing;
	}
	for (int k = 0; k < shape->fixed_columns; k++)
	{
		const gs_row_column *c = &shape->column[k];

		if (c->form == GS_FORM_CODE)
			code_column(c, data, n,
						to->values[c->column] + to->rows * c->width);
		else
			copy_column(c, data, n,
						to->values[c->column] + to->rows * c->width);
	}
	for (int i = 0; i < odds; i++)
		walk(shape, (HeapTupleHeader)
			 PageGetItem(page, PageGetItemId(page, offset[odd[i]])),
			 0, 0, 0, to, to->rows + odd[i]);
	to->rows += n;
}
