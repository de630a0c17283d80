/*-------------------------------------------------------------------------
 *
 * enable.c
 *	  gpuscan_enable(), gpuscan_disable(): which sessions load the library at
 *	  their start.
 *
 * PostgreSQL asks the library whether a query can be a report only once it is
 * loaded.  A function of gpuscan's in the query loads it; for other queries it
 * must be there before.  So gpuscan_enable() adds it to the database's
 * session_preload_libraries.  That setting hides the one that the server's
 * configuration gives to all databases, whose libraries are therefore taken
 * over into it, and kept apart from gpuscan again when that is taken out.
 *
 * The setting itself is changed by ALTER DATABASE, with its privileges, hooks
 * and errors.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_database.h"
#include "catalog/pg_db_role_setting.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/fmgroids.h"
#include "utils/guc_tables.h"
#include "utils/rel.h"
#include "utils/varlena.h"

#include "admin/enable.h"

#define SETTING		"session_preload_libraries"
#define ALL			InvalidOid	/* databases, or roles */

PG_FUNCTION_INFO_V1(gpuscan_enable);
PG_FUNCTION_INFO_V1(gpuscan_disable);
PG_FUNCTION_INFO_V1(gpuscan_announce);

static bool announcing;			/* at the end of this transaction */
static object_access_hook_type previous_hook;

/* Is this library gpuscan, with or without its folder and ending? */
static bool
is_gpuscan(const char *library)
{
	const char *slash = strrchr(library, '/');
	const char *name = slash == NULL ? library : slash + 1;

	return strcmp(name, "gpuscan") == 0 ||
		strcmp(name, "gpuscan.so") == 0;
}

/* The names in a list of libraries.  False if the server cannot read it. */
static bool
split(const char *value, List **libraries)
{
	List	   *names;
	ListCell   *cell;

	*libraries = NIL;
	if (value == NULL)
		return true;
	if (!SplitDirectoriesString(pstrdup(value), ',', &names))
		return false;
	foreach(cell, names)
		if (((char *) lfirst(cell))[0] != '\0')
			*libraries = lappend(*libraries, lfirst(cell));
	return true;
}

static bool
has_gpuscan(const char *value)
{
	List	   *libraries;
	ListCell   *cell;

	if (!split(value, &libraries))
		return false;
	foreach(cell, libraries)
		if (is_gpuscan(lfirst(cell)))
			return true;
	return false;
}

static List *
without_gpuscan(const char *value)
{
	List	   *libraries;
	List	   *others = NIL;
	ListCell   *cell;

	if (!split(value, &libraries))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("invalid list syntax in parameter \"%s\"", SETTING),
				errdetail("It is: %s", value));
	foreach(cell, libraries)
		if (!is_gpuscan(lfirst(cell)))
			others = lappend(others, lfirst(cell));
	return others;
}

/* Do two lists name the same libraries? */
static bool
are_equal(List *a, List *b)
{
	ListCell   *x;
	ListCell   *y;

	if (list_length(a) != list_length(b))
		return false;
	forboth(x, a, y, b)
		if (strcmp(lfirst(x), lfirst(y)) != 0)
			return false;
	return true;
}

/* The setting in a row of pg_db_role_setting; NULL: another one's alone. */
static char *
value_in(HeapTuple tuple, Relation relation)
{
	static const char prefix[] = SETTING "=";
	bool		null;
	Datum		config = heap_getattr(tuple,
									  Anum_pg_db_role_setting_setconfig,
									  RelationGetDescr(relation), &null);
	Datum	   *settings;
	int			n;

	if (null)
		return NULL;
	deconstruct_array(DatumGetArrayTypeP(config), TEXTOID, -1, false,
					  TYPALIGN_INT, &settings, NULL, &n);
	for (int i = 0; i < n; i++)
	{
		char	   *setting = TextDatumGetCString(settings[i]);

		if (strncmp(setting, prefix, strlen(prefix)) == 0)
			return setting + strlen(prefix);
	}
	return NULL;
}

/* What is set for a database, or all of them, for whichever role. */
static char *
value_for(Oid database)
{
	Relation	relation = table_open(DbRoleSettingRelationId, AccessShareLock);
	char	   *value = NULL;
	SysScanDesc scan;
	ScanKeyData key[2];
	HeapTuple	tuple;

	ScanKeyInit(&key[0], Anum_pg_db_role_setting_setdatabase,
				BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(database));
	ScanKeyInit(&key[1], Anum_pg_db_role_setting_setrole,
				BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(ALL));
	scan = systable_beginscan(relation, DbRoleSettingDatidRolidIndexId, true,
							  NULL, 2, key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		value = value_in(tuple, relation);
	systable_endscan(scan);
	table_close(relation, AccessShareLock);
	return value;
}

/*
 * Roles with a setting of their own do not follow the database's.  Say so of
 * those who then do otherwise.
 */
static void
warn_of_roles(bool enabled)
{
	Relation	relation = table_open(DbRoleSettingRelationId, AccessShareLock);
	SysScanDesc scan = systable_beginscan(relation, InvalidOid, false, NULL, 0,
										  NULL);
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		const FormData_pg_db_role_setting *row =
			(Form_pg_db_role_setting) GETSTRUCT(tuple);
		char	   *value;

		if (row->setrole == ALL ||
			(row->setdatabase != ALL && row->setdatabase != MyDatabaseId))
			continue;
		value = value_in(tuple, relation);
		if (value == NULL || has_gpuscan(value) == enabled)
			continue;
		ereport(WARNING,
				errmsg("role \"%s\" has a \"%s\" of its own, with%s gpuscan",
					   GetUserNameFromId(row->setrole, true), SETTING,
					   enabled ? "out" : ""),
				errhint("ALTER ROLE ... %sSET %s changes it.",
						row->setdatabase == ALL ? "" : "IN DATABASE ... ",
						SETTING));
	}
	systable_endscan(scan);
	table_close(relation, AccessShareLock);
}

/* Where this session's value comes from. */
static GucSource
source_here(void)
{
#if PG_VERSION_NUM >= 160000
	return find_option(SETTING, false, false, ERROR)->source;
#else
	struct config_generic **variables = get_guc_variables();

	for (int i = 0; i < GetNumConfigOptions(); i++)
		if (strcmp(variables[i]->name, SETTING) == 0)
			return variables[i]->source;
	elog(ERROR, "there is no parameter \"%s\"", SETTING);
#endif
}

/* What the configuration files say, whatever hides it here; or NULL. */
static char *
value_in_files(void)
{
	const char *const files[] = {ConfigFileName, PG_AUTOCONF_FILENAME};
	char	   *value = NULL;

	for (int i = 0; i < (int) lengthof(files); i++)
	{
		ConfigVariable *head = NULL;
		ConfigVariable *tail = NULL;

		(void) ParseConfigFile(files[i], false, NULL, 0, 0, DEBUG1, &head,
							   &tail);
		for (ConfigVariable *item = head; item != NULL; item = item->next)
			if (item->name != NULL && item->errmsg == NULL &&
				pg_strcasecmp(item->name, SETTING) == 0)
				value = item->value;
	}
	return value;
}

/* What a database without a setting of its own has. */
static char *
value_of_server(void)
{
	char	   *value = value_for(ALL);

	if (value != NULL)
		return value;
	return source_here() <= PGC_S_ARGV ? session_preload_libraries_string :
		value_in_files();
}

/* What has loaded the library into this session. */
const char *
gs_loaded_by(void)
{
	if (has_gpuscan(shared_preload_libraries_string))
		return "shared_preload_libraries";
	if (has_gpuscan(session_preload_libraries_string))
		return SETTING;
	if (has_gpuscan(local_preload_libraries_string))
		return "local_preload_libraries";
	return "use";
}

/* Do sessions of this database that begin now load the library? */
bool
gs_database_is_enabled(void)
{
	char	   *value;

	if (has_gpuscan(shared_preload_libraries_string))
		return true;
	value = value_for(MyDatabaseId);
	return has_gpuscan(value != NULL ? value : value_of_server());
}

/* Set the database's libraries.  None: it has no setting of its own. */
static void
alter_database(List *libraries)
{
	StringInfoData command;
	ListCell   *cell;

	initStringInfo(&command);
	appendStringInfo(&command, "ALTER DATABASE %s %s " SETTING,
					 quote_identifier(get_database_name(MyDatabaseId)),
					 libraries == NIL ? "RESET" : "SET");
	foreach(cell, libraries)
		appendStringInfo(&command, "%s %s",
						 cell == list_head(libraries) ? " TO" : ",",
						 quote_literal_cstr(lfirst(cell)));
	SPI_connect();
	if (SPI_execute(command.data, false, 0) != SPI_OK_UTILITY)
		elog(ERROR, "could not execute \"%s\"", command.data);
	SPI_finish();
}

/*
 * Of two sessions at once, the second one is to see what the first one has
 * set.
 */
static void
begin_change(const char *function)
{
	PreventCommandIfReadOnly(function);
	PreventCommandDuringRecovery(function);
	LockSharedObject(DatabaseRelationId, MyDatabaseId, 0,
					 ShareUpdateExclusiveLock);
}

/* Returns whether anything had to be done. */
Datum
gpuscan_enable(PG_FUNCTION_ARGS pg_attribute_unused())
{
	char	   *own;
	char	   *value;

	begin_change("gpuscan_enable()");
	own = value_for(MyDatabaseId);
	value = own != NULL ? own : value_of_server();
	if (has_gpuscan(shared_preload_libraries_string))
	{
		ereport(NOTICE,
				errmsg("all sessions load gpuscan already, by shared_preload_libraries"));
		PG_RETURN_BOOL(false);
	}
	warn_of_roles(true);
	if (has_gpuscan(value))
	{
		ereport(NOTICE,
				errmsg("\"%s\" of %s has gpuscan already", SETTING,
					   own != NULL ? "this database" : "all databases"));
		PG_RETURN_BOOL(false);
	}
	alter_database(lappend(without_gpuscan(value), "gpuscan"));
	PG_RETURN_BOOL(true);
}

/* Returns whether anything had to be done. */
Datum
gpuscan_disable(PG_FUNCTION_ARGS pg_attribute_unused())
{
	char	   *own;
	bool		enabled;

	begin_change("gpuscan_disable()");
	own = value_for(MyDatabaseId);
	enabled = has_gpuscan(own);
	if (enabled)
	{
		List	   *others = without_gpuscan(own);
		List	   *of_server;

		if (split(value_of_server(), &of_server) &&
			are_equal(others, of_server))
			others = NIL;
		alter_database(others);
		CommandCounterIncrement();
	}
	else
		ereport(NOTICE,
				errmsg("\"%s\" of this database has no gpuscan", SETTING));
	if (gs_database_is_enabled())
		ereport(WARNING,
				errmsg("sessions of this database still load gpuscan, by \"%s\" of all databases",
					   has_gpuscan(shared_preload_libraries_string) ?
					   "shared_preload_libraries" : SETTING));
	warn_of_roles(false);
	PG_RETURN_BOOL(enabled);
}

/*
 * CREATE EXTENSION keeps to itself what its script says, unless that is a
 * warning.
 */
static void
announce(XactEvent event, void *arg pg_attribute_unused())
{
	if (announcing && event == XACT_EVENT_PRE_COMMIT &&
		OidIsValid(get_extension_oid("gpuscan", true)))
		ereport(NOTICE,
				errmsg("SELECT gpuscan_enable() lets ordinary queries of this database run as reports"));
	if (event == XACT_EVENT_PRE_COMMIT || event == XACT_EVENT_ABORT ||
		event == XACT_EVENT_PREPARE)
		announcing = false;
}

/* Called by the installation script, which then drops it. */
Datum
gpuscan_announce(PG_FUNCTION_ARGS pg_attribute_unused())
{
	static bool registered = false;

	announcing = !gs_database_is_enabled();
	if (!registered)
		RegisterXactCallback(announce, NULL);
	registered = true;
	PG_RETURN_VOID();
}

/* The extension is about to be dropped, and its files perhaps removed. */
static void
warn_of_drop(ObjectAccessType access, Oid class, Oid object, int part,
			 void *arg)
{
	if (previous_hook != NULL)
		previous_hook(access, class, object, part, arg);
	if (access == OAT_DROP && class == ExtensionRelationId &&
		object == get_extension_oid("gpuscan", true) &&
		has_gpuscan(value_for(MyDatabaseId)))
		ereport(WARNING,
				errmsg("sessions of this database still load gpuscan, and will fail once its files are removed"),
				errhint("CREATE EXTENSION and SELECT gpuscan_disable(), or ALTER DATABASE ... RESET %s.",
						SETTING));
}

void
gs_enable_init(void)
{
	previous_hook = object_access_hook;
	object_access_hook = warn_of_drop;
}
