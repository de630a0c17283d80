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

#include "access/tupmacs.h"

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

static void
set_missing(gs_row_column *c, TupleDesc tuples)
{
	Datum		value = getmissingattr(tuples, c->attribute + 1,
									   &c->missing_null);

	memset(c->missing, 0, sizeof(c->missing));
	if (!c->missing_null)
		store_att_byval(c->missing, value, c->width);
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
 * Prepare to read a plan's columns, which are attributes of a table, counted
 * from 1.  False: one is not stored as the plan's type.
 */
bool
gs_row_shape_init(gs_row_shape *shape, TupleDesc tuples, const gs_plan *plan,
				  const AttrNumber *attribute)
{
	shape->columns = 0;
	shape->attributes = 0;
	for (int i = 0; i < plan->columns; i++)
	{
		gs_row_column *c;
		Form_pg_attribute a;
		int			width = gs_type_width((gs_type) plan->column[i]);

		if (attribute[i] < 1 || attribute[i] > tuples->natts)
			return false;
		a = TupleDescAttr(tuples, attribute[i] - 1);
		if (a->attisdropped || !a->attbyval || a->attlen != width ||
			(a->attgenerated != '\0' &&
			 a->attgenerated != ATTRIBUTE_GENERATED_STORED))
			return false;
		c = insert_column(shape, attribute[i] - 1);
		c->column = i;
		c->width = width;
		set_missing(c, tuples);
		shape->attributes = Max(shape->attributes, attribute[i]);
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

static void
store_null(const gs_row_column *c, gs_rows *to, int64 row)
{
	uint64		bit = UINT64CONST(1) << c->column;
	uint8	   *validity = to->validity[c->column];

	if ((to->nulls & bit) == 0)
		memset(validity, 0xff, ((size_t) to->rows_max + 7) / 8);
	to->nulls |= bit;
	validity[row / 8] &= ~(1 << (row % 8));
	store(c, nothing, to, row);
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

/* Walk over an attribute that is present: its end, given the previous one's. */
static inline uint32
pass(const gs_row_attribute *a, const char *data, uint32 offset)
{
	if (a->length == -1)
	{
		if (!VARATT_NOT_PAD_BYTE(data + offset))
			offset = TYPEALIGN(a->align, offset);
		return offset + VARSIZE_ANY(data + offset);
	}
	offset = TYPEALIGN(a->align, offset);
	return offset + (a->length > 0 ? (uint32) a->length :
					 (uint32) strlen(data + offset) + 1);
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
			offset = pass(at, data, offset);
		for (; c < end && c->attribute == a; c++)
		{
			if (null)
				store_null(c, to, row);
			else
				store(c, data + offset - at->length, to, row);
		}
	}
	for (; c < end; c++)
	{
		if (c->missing_null)
			store_null(c, to, row);
		else
			store(c, c->missing, to, row);
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

		copy_column(c, data, n,
					to->values[c->column] + to->rows * c->width);
	}
	for (int i = 0; i < odds; i++)
		walk(shape, (HeapTupleHeader)
			 PageGetItem(page, PageGetItemId(page, offset[odd[i]])),
			 0, 0, 0, to, to->rows + odd[i]);
	to->rows += n;
}
