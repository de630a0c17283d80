/*-------------------------------------------------------------------------
 *
 * load.c
 *	  gpuscan_load(): has the service hold columns of a table before a report
 *	  asks for them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/table.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"

#include "report/run.h"
#include "report/translate.h"

PG_FUNCTION_INFO_V1(gpuscan_load);

/* Columns to be read, by their numbers in the table that was named. */
typedef struct wanted_columns
{
	int			count;
	AttrNumber *attribute;
	uint8	   *type;			/* gs_type */
} wanted_columns;

static void
add_column(wanted_columns *wanted, const FormData_pg_attribute *attribute,
		   gs_type type)
{
	wanted->attribute[wanted->count] = attribute->attnum;
	wanted->type[wanted->count++] = (uint8) type;
}

/* Columns that a report cannot read have no gs_type. */
static bool
is_readable(const FormData_pg_attribute *attribute, gs_type *type)
{
#if PG_VERSION_NUM >= 180000
	if (attribute->attgenerated == ATTRIBUTE_GENERATED_VIRTUAL)
		return false;
#endif
	return !attribute->attisdropped &&
		gs_report_type(attribute->atttypid, type);
}

static void
add_all_columns(Relation relation, wanted_columns *wanted)
{
	TupleDesc	desc = RelationGetDescr(relation);

	for (int i = 0; i < desc->natts; i++)
	{
		const FormData_pg_attribute *attribute = TupleDescAttr(desc, i);
		gs_type		type;

		if (is_readable(attribute, &type))
			add_column(wanted, attribute, type);
	}
}

static void
add_named_column(Relation relation, const char *name, wanted_columns *wanted)
{
	AttrNumber	number = get_attnum(RelationGetRelid(relation), name);
	const FormData_pg_attribute *attribute;
	gs_type		type;

	if (number == InvalidAttrNumber)
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_COLUMN),
				errmsg("column \"%s\" of relation \"%s\" does not exist",
					   name, RelationGetRelationName(relation)));
	if (number < 0)
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("gpuscan cannot hold system column \"%s\"", name));
	attribute = TupleDescAttr(RelationGetDescr(relation), number - 1);
	if (!is_readable(attribute, &type))
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("gpuscan cannot hold column \"%s\" of type %s", name,
					   format_type_be(attribute->atttypid)));
	for (int i = 0; i < wanted->count; i++)
		if (wanted->attribute[i] == number)
			return;
	add_column(wanted, attribute, type);
}

/* The columns named, or all that can be held. */
static void
find_columns(Relation relation, ArrayType *names, wanted_columns *wanted)
{
	int			natts = RelationGetNumberOfAttributes(relation);
	Datum	   *values;
	bool	   *nulls;
	int			n;

	wanted->count = 0;
	wanted->attribute = palloc(Max(natts, 1) * sizeof(AttrNumber));
	wanted->type = palloc(Max(natts, 1));
	deconstruct_array(names, TEXTOID, -1, false, TYPALIGN_INT, &values, &nulls,
					  &n);
	if (n == 0)
		add_all_columns(relation, wanted);
	for (int i = 0; i < n; i++)
	{
		if (nulls[i])
			ereport(ERROR,
					errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					errmsg("column name must not be null"));
		add_named_column(relation, TextDatumGetCString(values[i]), wanted);
	}
}

/* May the user read these columns, of all rows? */
static void
check_privileges(Relation relation, const wanted_columns *wanted)
{
	Oid			oid = RelationGetRelid(relation);
	AclResult	whole = pg_class_aclcheck(oid, GetUserId(), ACL_SELECT);

	if (whole != ACLCHECK_OK && wanted->count == 0)
		aclcheck_error(whole, get_relkind_objtype(relation->rd_rel->relkind),
					   RelationGetRelationName(relation));
	for (int i = 0; whole != ACLCHECK_OK && i < wanted->count; i++)
		if (pg_attribute_aclcheck(oid, wanted->attribute[i], GetUserId(),
								  ACL_SELECT) != ACLCHECK_OK)
			aclcheck_error(ACLCHECK_NO_PRIV,
						   get_relkind_objtype(relation->rd_rel->relkind),
						   RelationGetRelationName(relation));
	if (check_enable_rls(oid, InvalidOid, false) == RLS_ENABLED)
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("reports are not accelerated for users to whom row-level security applies"));
}

/* The tables that rows are in: itself, or its partitions.  Locked. */
static List *
find_tables(Relation relation)
{
	List	   *tables = NIL;
	ListCell   *cell;

	if (relation->rd_rel->relkind == RELKIND_RELATION)
		return list_make1_oid(RelationGetRelid(relation));
	if (relation->rd_rel->relkind != RELKIND_PARTITIONED_TABLE)
		ereport(ERROR,
				errcode(ERRCODE_WRONG_OBJECT_TYPE),
				errmsg("\"%s\" is not a table",
					   RelationGetRelationName(relation)));
	foreach(cell, find_all_inheritors(RelationGetRelid(relation),
									  AccessShareLock, NULL))
		if (get_rel_relkind(lfirst_oid(cell)) == RELKIND_RELATION)
			tables = lappend_oid(tables, lfirst_oid(cell));
	return tables;
}

/* Read the columns of a table, or those with their names of a partition. */
static gs_status
read_table(gs_report_run *run, Oid table, Relation named,
		   const AttrNumber *attribute, int columns)
{
	Relation	relation = table_open(table, AccessShareLock);
	AttrNumber	own[GS_PLAN_COLUMNS];
	gs_status	status;

	for (int i = 0; i < columns; i++)
		own[i] = get_attnum(table,
							NameStr(TupleDescAttr(RelationGetDescr(named),
												  attribute[i] - 1)->attname));
	status = gs_report_table(run, relation, own, GetActiveSnapshot());
	table_close(relation, NoLock);
	return status;
}

/* Read some columns, by a report whose plan has them, but uses none. */
static gs_status
read_columns(gs_report_run *run, const gs_plan *plan, Relation named,
			 List *tables, const AttrNumber *attribute)
{
	gs_status	status = gs_report_begin(run, plan, true);
	ListCell   *cell;

	foreach(cell, tables)
		if (status == GS_OK)
			status = read_table(run, lfirst_oid(cell), named, attribute,
								plan->columns);
	return status == GS_OK ? gs_report_finish(run) : status;
}

/* The same; returns how many rows the service holds of them. */
static int64
load_columns(Relation named, List *tables, const AttrNumber *attribute,
			 const uint8 *type, int columns)
{
	gs_aggregate count = {
		.kind = GS_AGG_COUNT,
		.a = GS_NOTHING,
		.b = GS_NOTHING,
		.filter = GS_NOTHING
	};
	gs_plan		plan = {
		.columns = columns,
		.column = type,
		.aggregates = 1,
		.aggregate = &count,
		.filter = GS_NOTHING
	};
	gs_report_run *run = palloc0(sizeof(gs_report_run));

	PG_TRY();
	{
		if (read_columns(run, &plan, named, tables, attribute) != GS_OK)
			ereport(ERROR,
					errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					errmsg("the service could not read columns of \"%s\"",
						   RelationGetRelationName(named)),
					errdetail_internal("%s", run->reason));
	}
	PG_CATCH();
	{
		gs_report_end(run);
		PG_RE_THROW();
	}
	PG_END_TRY();
	gs_report_end(run);
	return run->stats.held_rows + run->stats.kept_rows;
}

/* Have the service hold columns of a table; returns how many rows it holds. */
Datum
gpuscan_load(PG_FUNCTION_ARGS)
{
	Relation	relation = table_open(PG_GETARG_OID(0), AccessShareLock);
	wanted_columns wanted;
	List	   *tables;
	int64		rows = 0;
	int			columns = 0;

	tables = find_tables(relation);
	find_columns(relation, PG_GETARG_ARRAYTYPE_P(1), &wanted);
	check_privileges(relation, &wanted);
	for (int i = 0; i == 0 || i < wanted.count; i += columns)
	{
		int64		held;

		columns = Min(wanted.count - i, GS_PLAN_COLUMNS);
		held = load_columns(relation, tables, wanted.attribute + i,
							wanted.type + i, columns);
		rows = i == 0 ? held : Min(rows, held);
	}
	table_close(relation, NoLock);
	PG_RETURN_INT64(rows);
}
