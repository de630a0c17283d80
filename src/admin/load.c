/*-------------------------------------------------------------------------
 *
 * load.c
 *	  Has the service hold columns of a table before a report asks for them:
 *	  gpuscan_load(), and autoload.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/relation.h"
#include "access/sysattr.h"
#include "access/tableam.h"
#include "catalog/catalog.h"
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

#include "admin/load.h"
#include "client/link.h"
#include "pg/progress.h"
#include "pg/settings.h"
#include "report/table/run.h"
#include "report/table/table.h"
#include "report/translate/translate.h"

PG_FUNCTION_INFO_V1(gpuscan_load);

/* Columns to be read, by their numbers in the table that was named. */
typedef struct wanted_columns
{
	int			count;
	gs_report_column *column;
	uint8	   *type;			/* gs_type */
	bool		all;			/* that can be held */
} wanted_columns;

static void
add_column(wanted_columns *wanted, const gs_report_column *column,
		   gs_type type)
{
	wanted->column[wanted->count] = *column;
	wanted->type[wanted->count++] = (uint8) type;
}

/* False: a report cannot read the column. */
static bool
is_readable(Relation relation, AttrNumber number, gs_report_column *column,
			gs_type *type)
{
	const FormData_pg_attribute *attribute;

	if (number < 0)
		return gs_system_column(number, column, type);
	if (number < 1 || number > RelationGetNumberOfAttributes(relation))
		return false;
	attribute = TupleDescAttr(RelationGetDescr(relation), number - 1);
	memset(column, 0, sizeof *column);
	column->attribute = number;
#if PG_VERSION_NUM >= 180000
	if (attribute->attgenerated == ATTRIBUTE_GENERATED_VIRTUAL)
		return false;
#endif
	return !attribute->attisdropped &&
		gs_column_form_of(attribute->atttypid, attribute->atttypmod,
						  attribute->attcollation, column, type) &&
		!column->assumed;
}

/* But not of jsonb, which may have another value in each row, and its like. */
static void
add_all_columns(Relation relation, wanted_columns *wanted)
{
	for (int i = 1; i <= RelationGetNumberOfAttributes(relation); i++)
	{
		gs_report_column column;
		gs_type		type;

		if (is_readable(relation, i, &column, &type) &&
			!gs_codes_may_be_equal(get_atttype(RelationGetRelid(relation), i)))
			add_column(wanted, &column, type);
	}
}

static void
add_named_column(Relation relation, const char *name, wanted_columns *wanted)
{
	AttrNumber	number = get_attnum(RelationGetRelid(relation), name);
	gs_report_column column;
	gs_type		type;

	if (number == InvalidAttrNumber)
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_COLUMN),
				errmsg("column \"%s\" of relation \"%s\" does not exist",
					   name, RelationGetRelationName(relation)));
	if (!is_readable(relation, number, &column, &type))
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("gpuscan cannot cache column \"%s\" of type %s", name,
					   format_type_be(get_atttype(RelationGetRelid(relation),
												  number))));
	for (int i = 0; i < wanted->count; i++)
		if (wanted->column[i].attribute == number)
			return;
	add_column(wanted, &column, type);
}

/* The columns named, or all that can be held. */
static void
find_columns(Relation relation, ArrayType *names, wanted_columns *wanted)
{
	/* with all system columns */
	int			natts = RelationGetNumberOfAttributes(relation) -
		FirstLowInvalidHeapAttributeNumber;
	Datum	   *values;
	bool	   *nulls;
	int			n;

	wanted->count = 0;
	wanted->column = palloc0(natts * sizeof(gs_report_column));
	wanted->type = palloc(natts);
	deconstruct_array(names, TEXTOID, -1, false, TYPALIGN_INT, &values, &nulls,
					  &n);
	wanted->all = n == 0;
	if (wanted->all)
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
		if (pg_attribute_aclcheck(oid, wanted->column[i].attribute, GetUserId(),
								  ACL_SELECT) != ACLCHECK_OK)
			aclcheck_error(ACLCHECK_NO_PRIV,
						   get_relkind_objtype(relation->rd_rel->relkind),
						   RelationGetRelationName(relation));
	if (check_enable_rls(oid, InvalidOid, false) == RLS_ENABLED)
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("reports are not accelerated for users to whom row-level security applies"));
}

/* Why can the service never hold rows of this relation?  NULL: it can. */
static const char *
refusal(Relation relation)
{
	switch (relation->rd_rel->relkind)
	{
		case RELKIND_RELATION:
			break;
		case RELKIND_MATVIEW:
			if (!RelationIsPopulated(relation))
				return "it has not been populated";
			break;
		case RELKIND_VIEW:
			return "it is a view";
		case RELKIND_FOREIGN_TABLE:
			return "it is a foreign table";
		default:
			return "it is not a table";
	}
	if (relation->rd_tableam != GetHeapamTableAmRoutine())
		return "its access method is not heap";
	if (relation->rd_rel->relpersistence == RELPERSISTENCE_TEMP)
		return "it is temporary";
	if (relation->rd_rel->relpersistence == RELPERSISTENCE_UNLOGGED)
		return "it is unlogged";
	return IsCatalogRelation(relation) ? "it is a system catalog" : NULL;
}

/* Of a partitioned table, those partitions that can be held.  Locked. */
static List *
find_partitions(Relation relation)
{
	List	   *tables = NIL;
	const char *reason = NULL;
	char	   *first = NULL;
	int			refused = 0;
	ListCell   *cell;

	foreach(cell, find_all_inheritors(RelationGetRelid(relation),
									  AccessShareLock, NULL))
	{
		Relation	part = relation_open(lfirst_oid(cell), NoLock);

		if (part->rd_rel->relkind == RELKIND_PARTITIONED_TABLE)
			 /* its partitions are in the list, too */ ;
		else if (refusal(part) == NULL)
			tables = lappend_oid(tables, lfirst_oid(cell));
		else if (refused++ == 0)
		{
			first = pstrdup(RelationGetRelationName(part));
			reason = refusal(part);
		}
		relation_close(part, NoLock);
	}
	if (refused > 0)
		ereport(NOTICE,
				errmsg_plural("%d partition of \"%s\" cannot be cached",
							  "%d partitions of \"%s\" cannot be cached",
							  refused, refused,
							  RelationGetRelationName(relation)),
				errdetail("\"%s\": %s.", first, reason));
	return tables;
}

/* The tables that rows are in: itself, or its partitions.  Locked. */
static List *
find_tables(Relation relation)
{
	const char *reason;

	if (relation->rd_rel->relkind == RELKIND_PARTITIONED_TABLE)
		return find_partitions(relation);
	reason = refusal(relation);
	if (reason != NULL)
		ereport(ERROR,
				errcode(relation->rd_rel->relkind == RELKIND_RELATION ||
						relation->rd_rel->relkind == RELKIND_MATVIEW ?
						ERRCODE_FEATURE_NOT_SUPPORTED :
						ERRCODE_WRONG_OBJECT_TYPE),
				errmsg("the service cannot cache \"%s\": %s",
					   RelationGetRelationName(relation), reason));
	if (has_subclass(RelationGetRelid(relation)))
		ereport(NOTICE,
				errmsg("other tables inherit from \"%s\": only its own rows are cached",
					   RelationGetRelationName(relation)));
	return list_make1_oid(RelationGetRelid(relation));
}

/* Say so if nothing can be held just now. */
static void
warn_of_transaction(Relation named, List *tables)
{
	ListCell   *cell;

	if (tables == NIL)
		return;
	foreach(cell, tables)
	{
		Relation	relation = relation_open(lfirst_oid(cell), NoLock);
		bool		may = gs_table_may_hold(relation, GetActiveSnapshot());

		relation_close(relation, NoLock);
		if (may)
			return;
	}
	ereport(NOTICE,
			errmsg("nothing of \"%s\" can be cached in this transaction",
				   RelationGetRelationName(named)),
			errdetail("The transaction is serializable, or it has created or altered the table, or old_snapshot_threshold is set."),
			errhint("Load it in another transaction."));
}

/* Read some columns, by a report whose plan has them, but uses none. */
static gs_status
read_columns(gs_report_run *run, const gs_stage *stage, Relation named,
			 List *tables, const gs_report_column *column)
{
	gs_report_input input = {
		.tables = tables,
		.named = RelationGetRelid(named),
		.column = column,
		.snapshot = GetActiveSnapshot(),
		.workers = max_parallel_maintenance_workers
	};
	gs_status	status = gs_report_read(run, stage, 1, &input);

	return status == GS_OK ? gs_report_finish(run) : status;
}

static void
fail(Relation named, const char *reason)
{
	ereport(ERROR,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("the service could not read columns of \"%s\"",
				   RelationGetRelationName(named)),
			errdetail_internal("%s", reason));
}

static void
open_dictionaries(Relation named, gs_report_column *column, int columns)
{
	const char *reason;

	if (!gs_report_open_dictionaries(RelationGetRelid(named), column, columns,
									 &reason))
		fail(named, reason);
}

/*
 * Of all columns, leave out those of which is known that they have too many
 * values.  Is there any?
 */
static bool
leave_out_refused(Relation named, wanted_columns *wanted)
{
	int			kept = 0;
	int			before = wanted->count;

	if (!wanted->all)
		return false;
	for (int i = 0; i < before; i++)
	{
		if (wanted->column[i].form == GS_FORM_CODE &&
			gs_dictionary_refusal(RelationGetRelid(named),
								  wanted->column[i].attribute) != NULL)
			continue;
		wanted->column[kept] = wanted->column[i];
		wanted->type[kept++] = wanted->type[i];
	}
	wanted->count = kept;
	return kept < before;
}

/*
 * Load some columns; returns how many rows the service holds of them; -1:
 * try again.
 */
static int64
load_columns(Relation named, List *tables, wanted_columns *wanted, int first,
			 int columns)
{
	gs_report_column *column = wanted->column + first;
	gs_aggregate count = {
		.kind = GS_AGG_COUNT,
		.a = GS_NOTHING,
		.b = GS_NOTHING,
		.filter = GS_NOTHING
	};
	gs_stage	stage = {
		.plan = {
			.columns = columns,
			.column = wanted->type + first,
			.aggregates = 1,
			.aggregate = &count,
			.filter = GS_NOTHING
		}
	};
	gs_report_run *run = palloc0(sizeof(gs_report_run));
	gs_status	status;

	open_dictionaries(named, column, columns);
	PG_TRY();
	{
		status = read_columns(run, &stage, named, tables, column);
	}
	PG_CATCH();
	{
		gs_report_end(run);
		PG_RE_THROW();
	}
	PG_END_TRY();
	gs_report_end(run);
	if (status == GS_OK)
		return run->stats.held_rows + run->stats.kept_rows;
	if (!gs_report_codes_are_lost(column, columns) &&
		!leave_out_refused(named, wanted))
		fail(named, run->reason);
	return -1;
}

/* Load all of them; returns of how many rows the service holds each. */
static int64
load(Relation named, List *tables, wanted_columns *wanted)
{
	int64		rows = -1;
	int			first = 0;
	const char *reason;

	leave_out_refused(named, wanted);
	gs_dictionaries_trim();
	gs_progress_begin(GS_WORK_LOAD, RelationGetRelid(named));
	gs_progress_phase(GS_PHASE_STARTING, 0);
	do
	{
		int			columns = Min(wanted->count - first, GS_PLAN_COLUMNS);
		int64		held;

		if (gs_engine_setting != GS_ENGINE_CPU)
			(void) gs_link_acquire(gs_response_timeout * 1000, &reason);
		held = load_columns(named, tables, wanted, first, columns);
		if (held < 0)
			continue;
		rows = first == 0 ? held : Min(rows, held);
		first += columns;
	} while (rows < 0 || first < wanted->count);
	gs_progress_end();
	return rows;
}

void
gs_load_again(Oid table, const int16 *attribute, int attributes)
{
	Relation	relation = try_relation_open(table, AccessShareLock);
	wanted_columns wanted = {.all = true};

	if (relation == NULL)
		return;
	wanted.column = palloc0(attributes * sizeof(gs_report_column));
	wanted.type = palloc(attributes);
	for (int i = 0; i < attributes; i++)
	{
		gs_report_column column;
		gs_type		type;

		if (is_readable(relation, attribute[i], &column, &type))
			add_column(&wanted, &column, type);
	}
	if (wanted.count > 0 && refusal(relation) == NULL)
		(void) load(relation, list_make1_oid(table), &wanted);
	relation_close(relation, NoLock);
}

/* Have the service hold columns of a table; returns how many rows it holds. */
Datum
gpuscan_load(PG_FUNCTION_ARGS)
{
	Relation	relation = try_relation_open(PG_GETARG_OID(0), AccessShareLock);
	wanted_columns wanted;
	List	   *tables;
	int64		rows;

	if (relation == NULL)
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_TABLE),
				errmsg("relation with OID %u does not exist",
					   PG_GETARG_OID(0)));
	tables = find_tables(relation);
	find_columns(relation, PG_GETARG_ARRAYTYPE_P(1), &wanted);
	check_privileges(relation, &wanted);
	warn_of_transaction(relation, tables);
	rows = load(relation, tables, &wanted);
	relation_close(relation, NoLock);
	PG_RETURN_INT64(rows);
}
