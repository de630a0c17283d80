/*-------------------------------------------------------------------------
 *
 * row_shape.c
 *	  How to find a plan's columns in a table's tuples.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/sysattr.h"
#include "access/tupmacs.h"
#include "catalog/pg_type.h"
#include "utils/datum.h"

#include "call/decimal.h"
#include "protocol/report.h"
#include "report/table/rows.h"

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
	if (column->form == GS_FORM_MATCH)
		return column->dictionary != NULL &&
			column->scale < column->dictionary->n &&
			(a->atttypid == TEXTOID || a->atttypid == VARCHAROID);
	return gs_column_form_of(a->atttypid, a->atttypmod, a->attcollation,
							 &stored, &type) &&
		stored.form == column->form &&
		stored.assumed == column->assumed &&
		(stored.assumed || stored.scale == column->scale);
}

/* False: the value cannot be the column's. */
static bool
set_missing(gs_row_column *c, TupleDesc tuples, gs_odd_value *odd)
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
		{
			gs_odd_decimal(c, DatumGetPointer(value), odd);
			return false;
		}
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
gs_row_shape_init(gs_row_shape *shape, Relation relation, const gs_plan *plan,
				  const gs_report_column *column, gs_odd_value *odd)
{
	TupleDesc	tuples = RelationGetDescr(relation);

	shape->columns = 0;
	shape->attributes = 0;
	shape->tids = -1;
	shape->tables = -1;
	shape->table = RelationGetRelid(relation);
	for (int i = 0; i < plan->columns; i++)
	{
		gs_row_column *c;
		Form_pg_attribute a;
		int			width = gs_type_width((gs_type) plan->column[i]);

		if (column[i].attribute < 0)
		{
			*(column[i].attribute == TableOidAttributeNumber ?
			  &shape->tables : &shape->tids) = i;
			continue;
		}
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
		if (c->form == GS_FORM_MATCH)
			c->pattern = gs_pattern_of_code(c->dictionary, c->scale);
		c->length = a->attlen;
		c->align = alignment(a->attalign);
		if (!set_missing(c, tuples, odd))
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
	shape->sampled = false;
	return true;
}
