/*-------------------------------------------------------------------------
 *
 * toasted.c
 *	  Values out of line, that are not compressed: their parts, their names.
 *
 * A TOAST table has a value cut into chunks.  The server's own functions fetch
 * any part; the first chunk is looked at here, because where it lies, and which
 * transaction wrote it, proves which value a name stands for (gs_stored).
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

#include "pg/settings.h"
#include "array/toasted.h"

/*
 * Bytes of a TOASTed value fetched between two looks for a cancel: 2 ms from
 * the buffer cache.
 */
#define FETCH_PIECE		(4 * 1024 * 1024)

#if PG_VERSION_NUM < 180000
static Snapshot
get_toast_snapshot(void)
{
	static SnapshotData snapshot;

	init_toast_snapshot(&snapshot);
	return &snapshot;
}
#endif

/* Is it a value out of line, as it is?  If so, where? */
bool
gs_is_stored(Datum value, struct varatt_external *pointer)
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
 * Fetch a part of a stored value.  Offsets are those in the flat value, whose
 * first bytes (VARHDRSZ) are not stored.
 */
void
gs_fetch_stored(const struct varatt_external *pointer, Size offset, Size size,
				char *to)
{
	Relation	relation = table_open(pointer->va_toastrelid, AccessShareLock);
	Size		piece;

	for (; size > 0; offset += piece, to += piece, size -= piece)
	{
		CHECK_FOR_INTERRUPTS();
		piece = Min(FETCH_PIECE, size);

		/* it goes behind the header of a varlena, which is not looked at */
		table_relation_fetch_toast_slice(relation, pointer->va_valueid,
										 pointer->va_rawsize - VARHDRSZ,
										 (int32) (offset - VARHDRSZ),
										 (int32) piece,
										 (struct varlena *) (to - VARHDRSZ));
	}
	table_close(relation, AccessShareLock);
}

/* What a stored value is named by, with the proof that its first chunk is. */
static void
name_value(const struct varatt_external *pointer, HeapTuple first,
		   gs_stored *stored)
{
	TransactionId xmin = HeapTupleHeaderGetRawXmin(first->t_data);

	/* before there were transactions there is nothing that proves anything */
	if (!gs_cache_setting || !TransactionIdIsNormal(xmin))
		return;
	stored->database = MyDatabaseId;
	stored->relation = pointer->va_toastrelid;
	stored->value = pointer->va_valueid;
	stored->raw_size = (uint32) pointer->va_rawsize;
	stored->stored = pointer->GS_TOAST_EXTINFO;
	stored->xmin = xmin;
	stored->block = ItemPointerGetBlockNumber(&first->t_self);
	stored->offset = ItemPointerGetOffsetNumber(&first->t_self);
}

/*
 * Read a stored value's first chunk: where it lies, and the first bytes behind
 * the value's header.  The value gets its name, if it can have one.  False if
 * the chunk is not as it should be; reading the value will say so, or, should
 * the table not be a heap, know how.
 */
bool
gs_read_first_chunk(const struct varatt_external *pointer, char *to,
					Size size, gs_stored *stored)
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
		Pointer		chunk = DatumGetPointer(heap_getattr(tuple, 3,
														 RelationGetDescr(toast),
														 &isnull));

		found = !isnull && !VARATT_IS_EXTENDED(chunk) &&
			VARSIZE(chunk) - VARHDRSZ >= size;
		if (found)
		{
			memcpy(to, VARDATA(chunk), size);
			name_value(pointer, tuple, stored);
		}
	}
	systable_endscan_ordered(scan);
	toast_close_indexes(indexes, count, AccessShareLock);
	table_close(toast, AccessShareLock);
	return found;
}
