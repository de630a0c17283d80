/*-------------------------------------------------------------------------
 *
 * column.c
 *	  A table's columns as the engine has them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/sysattr.h"
#include "catalog/pg_type.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "call/decimal.h"
#include "functions/reduce/reduce.h"
#include "report/table/column.h"

bool
gs_report_type(Oid type, gs_type *result)
{
	switch (type)
	{
		case BOOLOID:
			*result = GS_BOOL;
			return true;
		case INT2OID:
			*result = GS_INT2;
			return true;
		case INT4OID:
		case DATEOID:
			*result = GS_INT4;
			return true;
		case INT8OID:
		case TIMEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			*result = GS_INT8;
			return true;
		case FLOAT4OID:
			*result = GS_FLOAT4;
			return true;
		case FLOAT8OID:
			*result = GS_FLOAT8;
			return true;
		default:
			return false;
	}
}

/*
 * numeric(p, s): all values have s decimals, and are integers of p digits.  The
 * scale is that of make_numeric_typmod(), from -1000 to 1000 since 15.  Without
 * both it is to be found out.
 */
static bool
decimal_form_of(int32 typmod, gs_report_column *column)
{
	int			precision = (typmod - VARHDRSZ) >> 16 & 0xffff;
	int			scale = (((typmod - VARHDRSZ) & 0x7ff) ^ 1024) - 1024;

	column->form = GS_FORM_DECIMAL;
	column->assumed = typmod < (int32) VARHDRSZ;
	column->scale = column->assumed ? GS_ANY_SCALE : scale;
	return column->assumed ||
		(precision <= GS_DECIMAL_DIGITS && scale >= 0 &&
		 scale <= GS_DECIMAL_DIGITS);
}

static bool
is_deterministic(Oid collation)
{
	/* an expression's may be undetermined */
	return OidIsValid(collation) && get_collation_isdeterministic(collation);
}

bool
gs_codes_may_be_equal(Oid type)
{
	return type == INTERVALOID || type == JSONBOID;
}

/*
 * Are values of a type equal if, and only if, their bytes are?  Those of char(n)
 * are all padded to the same length; those of some types may not be, which
 * their dictionary tells.
 */
static bool
has_codes(Oid type, int32 typmod, Oid collation)
{
	switch (type)
	{
		case TEXTOID:
		case VARCHAROID:
			return is_deterministic(collation);
		case BPCHAROID:
			return typmod >= (int32) VARHDRSZ &&
				is_deterministic(collation);
		case CHAROID:
		case UUIDOID:
		case BYTEAOID:
		case INETOID:
		case CIDROID:
		case INTERVALOID:
		case JSONBOID:
			return true;
		default:
			return get_typtype(type) == TYPTYPE_ENUM;
	}
}

bool
gs_column_form_of(Oid type, int32 typmod, Oid collation,
				  gs_report_column *column, gs_type *engine_type)
{
	if (type == NUMERICOID)
	{
		*engine_type = GS_INT8;
		return decimal_form_of(typmod, column);
	}
	column->form = GS_FORM_VALUE;
	column->scale = 0;
	column->assumed = false;
	if (gs_report_type(type, engine_type))
		return true;
	if (!has_codes(type, typmod, collation))
		return false;
	column->form = GS_FORM_CODE;
	*engine_type = GS_INT4;
	return true;
}

bool
gs_system_column(AttrNumber attribute, gs_report_column *column,
				 gs_type *engine_type)
{
	*column = (gs_report_column) {
		.attribute = attribute, .form = GS_FORM_VALUE
	};
	*engine_type = attribute == TableOidAttributeNumber ? GS_INT4 : GS_INT8;
	return attribute == TableOidAttributeNumber ||
		attribute == SelfItemPointerAttributeNumber;
}

bool
gs_report_open_dictionaries(Oid named, gs_report_column *column, int columns,
							const char **reason)
{
	for (int i = 0; i < columns; i++)
	{
		if (column[i].form == GS_FORM_CODE)
			column[i].dictionary = gs_dictionary_open(named, column[i].attribute,
													  reason);
		else if (column[i].form == GS_FORM_MATCH)
			column[i].dictionary = gs_patterns_open(named, column[i].attribute,
													reason);
		else
			continue;
		if (column[i].dictionary == NULL)
			return false;
	}
	return true;
}

bool
gs_report_codes_are_lost(const gs_report_column *column, int columns)
{
	bool		lost = false;

	for (int i = 0; i < columns; i++)
	{
		if (column[i].dictionary != NULL)
			lost |= gs_dictionary_is_lost(column[i].dictionary);
	}
	return lost;
}

/* As the difference of timestamps has it: whole days, and the rest. */
static Datum
interval_between(int64 microseconds)
{
	Interval   *interval = palloc0(sizeof *interval);

	interval->day = (int32) (microseconds / USECS_PER_DAY);
	interval->time = microseconds % USECS_PER_DAY;
	return IntervalPGetDatum(interval);
}

Datum
gs_report_datum(const gs_report_value *v, const gs_value *value)
{
	uint64		word = (uint64) value->i8;

	if (v->form == GS_FORM_DECIMAL)
		return gs_decimal_make(&word, 1, v->scale);
	if (v->form == GS_FORM_CODE)
		return gs_dictionary_value(v->dictionary, v->code == NULL ? value->i4 :
								   v->code[value->i4]);
	if (v->form == GS_FORM_INTERVAL)
		return interval_between(value->i8);
	return gs_datum_from_value(v->type, value);
}
