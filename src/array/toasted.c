/*-------------------------------------------------------------------------
 *
 * toasted.c
 *	  Toasted values that are out of line and not compressed: reading parts of
 *	  them, and identifying them.
 *
 * A TOAST table holds a value as a series of TOAST chunks.  The server's own
 * functions fetch any part.  The first TOAST chunk is read here, because its
 * location, and the transaction that wrote it, prove which value an OID stands
 * for (gs_toast_id).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/detoast.h"
#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/toast_internals.h"
#include "catalog/pg_am.h"
#include "miscadmin.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"

#include "array/toasted.h"
#include "pg/settings.h"

/*
 * Bytes of a toasted value fetched between two checks for interrupts: 2 ms if
 * it is in the buffer cache.
 */
#define FETCH_SIZE		(4 * 1024 * 1024)

#if PG_VERSION_NUM < 180000
static Snapshot
get_toast_snapshot(void)
{
	static SnapshotData snapshot;

	init_toast_snapshot(&snapshot);
	return &snapshot;
}
#endif

/*
 * Is the value out of line, and not compressed?  If so, set its TOAST pointer.
 */
bool
gs_is_toasted(Datum value, struct varatt_external *pointer)
{
	struct varlena *datum = (struct varlena *) DatumGetPointer(value);
	int32		stored;

	if (!VARATT_IS_EXTERNAL_ONDISK(datum))
		return false;
	VARATT_EXTERNAL_GET_POINTER(*pointer, datum);

	/* is it compressed?  The server's macro compares unsigned with signed */
	stored = VARATT_EXTERNAL_GET_EXTSIZE(*pointer);
	return stored >= pointer->va_rawsize - VARHDRSZ;
}

/*
 * Fetch a part of a toasted value.  Offsets are those in the flat value, whose
 * header (VARHDRSZ bytes) is not stored.
 */
void
gs_fetch_toasted(const struct varatt_external *pointer, Size offset, Size size,
				 char *to)
{
	Relation	relation = table_open(pointer->va_toastrelid, AccessShareLock);
	Size		part;

	for (; size > 0; offset += part, to += part, size -= part)
	{
		CHECK_FOR_INTERRUPTS();
		part = Min(FETCH_SIZE, size);

		/* the function skips a varlena header, which we do not need */
		table_relation_fetch_toast_slice(relation, pointer->va_valueid,
										 pointer->va_rawsize - VARHDRSZ,
										 (int32) (offset - VARHDRSZ),
										 (int32) part,
										 (struct varlena *) (to - VARHDRSZ));
	}
	table_close(relation, AccessShareLock);
}

/* Identify a toasted value, with the proof from its first TOAST chunk. */
static void
identify_value(const struct varatt_external *pointer, HeapTuple first,
			   gs_toast_id *id)
{
	TransactionId xmin = HeapTupleHeaderGetRawXmin(first->t_data);

	/* special transaction ids prove nothing */
	if (!gs_cache_setting || !TransactionIdIsNormal(xmin))
		return;
	id->database = MyDatabaseId;
	id->relation = pointer->va_toastrelid;
	id->value = pointer->va_valueid;
	id->raw_size = (uint32) pointer->va_rawsize;
	id->extinfo = pointer->GS_TOAST_EXTINFO;
	id->xmin = xmin;
	id->block = ItemPointerGetBlockNumber(&first->t_self);
	id->offset = ItemPointerGetOffsetNumber(&first->t_self);
}

/*
 * Read a toasted value's first TOAST chunk: its location, and the first bytes
 * behind the value's header.  The value gets its id if it can have one. False
 * if the TOAST chunk is not as expected: then reading the whole value will
 * raise the error or, if the TOAST table is not a heap, succeed.
 */
bool
gs_read_first_toast_chunk(const struct varatt_external *pointer, char *to,
						  Size size, gs_toast_id *id)
{
	Relation	toast = table_open(pointer->va_toastrelid, AccessShareLock);
	Relation   *indexes;
	int			count;
	int			valid = toast_open_indexes(toast, AccessShareLock, &indexes,
										   &count);
	SysScanDesc scan;
	ScanKeyData key[2];
	HeapTuple	tuple = NULL;
	bool		found = false;

	ScanKeyInit(&key[0], 1, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(pointer->va_valueid));
	ScanKeyInit(&key[1], 2, BTEqualStrategyNumber, F_INT4EQ,
				Int32GetDatum(0));
	scan = systable_beginscan_ordered(toast, indexes[valid],
									  get_toast_snapshot(), 2, key);
	if (toast->rd_rel->relam == HEAP_TABLE_AM_OID)
		tuple = systable_getnext_ordered(scan, ForwardScanDirection);
	if (tuple != NULL)
	{
		bool		isnull;
		TupleDesc	columns = RelationGetDescr(toast);
		Pointer		chunk = DatumGetPointer(heap_getattr(tuple, 3, columns,
														 &isnull));

		found = !isnull && !VARATT_IS_EXTENDED(chunk) &&
			VARSIZE(chunk) - VARHDRSZ >= size;
		if (found)
		{
			memcpy(to, VARDATA(chunk), size);
			identify_value(pointer, tuple, id);
		}
	}
	systable_endscan_ordered(scan);
	toast_close_indexes(indexes, count, AccessShareLock);
	table_close(toast, AccessShareLock);
	return found;
}
