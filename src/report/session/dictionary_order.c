/*-------------------------------------------------------------------------
 *
 * dictionary_order.c
 *	  The order of a dictionary's values.
 *
 * A session keeps the orders that it was asked for last, even if it has forgotten
 * the dictionaries meanwhile: reports ask for the same ones again, and to sort a
 * million texts takes longer than many a report.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_database.h"
#include "catalog/pg_type.h"
#include "lib/ilist.h"
#include "miscadmin.h"
#include "port/pg_bswap.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/sortsupport.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "report/session/dictionary_private.h"

/* ----------
 * Sorting
 * ----------
 */

/* A value, its code, and the next eight of its bytes. */
typedef struct item
{
	uint64		key;
	Datum		value;
	int32		code;
} item;

/* So few are compared as PostgreSQL does. */
#define FEW_ITEMS	16

static int
compare_values(const void *a, const void *b, void *support)
{
	CHECK_FOR_INTERRUPTS();
	return ApplySortComparator(((const item *) a)->value, false,
							   ((const item *) b)->value, false, support);
}

static int
compare_keys(const void *a, const void *b, void *context)
{
	const uint64 x = ((const item *) a)->key;
	const uint64 y = ((const item *) b)->key;

	(void) context;
	return (x > y) - (x < y);
}

static size_t
size_of(const item *i)
{
	return VARSIZE_ANY_EXHDR(DatumGetPointer(i->value));
}

/* Behind the end there are zeros. */
static void
set_keys(item *items, int32 n, size_t depth)
{
	for (int32 i = 0; i < n; i++)
	{
		const size_t size = size_of(&items[i]);
		uint64		key = 0;

		if (size > depth)
			memcpy(&key, VARDATA_ANY(DatumGetPointer(items[i].value)) + depth,
				   Min(size - depth, sizeof key));
		items[i].key = pg_ntoh64(key);
	}
}

static bool
has_end(const item *items, int32 n, size_t depth)
{
	for (int32 i = 0; i < n; i++)
	{
		if (size_of(&items[i]) < depth)
			return true;
	}
	return false;
}

/*
 * Of values that bytes decide on, whose first `depth` are the same: by the next
 * eight, and then those where these are the same, too.
 */
static void
sort_by_bytes(item *items, int32 n, size_t depth, SortSupport support)
{
	int32		next;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (n <= FEW_ITEMS || has_end(items, n, depth))
	{
		qsort_arg(items, n, sizeof(item), compare_values, support);
		return;
	}
	set_keys(items, n, depth);
	qsort_arg(items, n, sizeof(item), compare_keys, NULL);
	for (int32 i = 0; i < n; i = next)
	{
		for (next = i + 1; next < n && items[next].key == items[i].key; next++)
			;
		if (next - i > 1)
			sort_by_bytes(items + i, next - i, depth + sizeof(uint64), support);
	}
}

/*
 * Is it the order of libc's locale C?  PostgreSQL's own answer is in a header that
 * needs those of ICU.
 */
static bool
is_c(Oid collation)
{
	const bool	is_default = collation == DEFAULT_COLLATION_OID;
	const int	cache = is_default ? DATABASEOID : COLLOID;
	HeapTuple	tuple = SearchSysCache1(cache,
										ObjectIdGetDatum(is_default ?
														 MyDatabaseId :
														 collation));
	bool		null = true;
	bool		result = false;
	char		provider = COLLPROVIDER_LIBC;
	Datum		name;

	if (!HeapTupleIsValid(tuple))
		return false;
	if (!is_default)
		provider = ((Form_pg_collation) GETSTRUCT(tuple))->collprovider;
#if PG_VERSION_NUM >= 150000
	else
		provider = ((Form_pg_database) GETSTRUCT(tuple))->datlocprovider;
#endif
	if (provider == COLLPROVIDER_LIBC)
		name = SysCacheGetAttr(cache, tuple, is_default ?
							   Anum_pg_database_datcollate :
							   Anum_pg_collation_collcollate, &null);
	if (!null)
	{
		const char *locale = gs_locale_name(name);

		result = strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0;
	}
	ReleaseSysCache(tuple);
	return result;
}

bool
gs_dictionary_bytes_decide(Oid type, Oid collation)
{
	return type == BYTEAOID ||
		((type == TEXTOID || type == VARCHAROID) && is_c(collation));
}

static void
sort_codes(const gs_dictionary *d, int32 *code, int32 n, Oid collation)
{
	const Oid	type = gs_dictionary_type(d);
	MemoryContext temporary = AllocSetContextCreate(CurrentMemoryContext,
													"gpuscan sort of codes",
													ALLOCSET_SMALL_SIZES);
	item	   *items = MemoryContextAllocHuge(temporary, n * sizeof(item));
	SortSupportData support;

	memset(&support, 0, sizeof support);
	support.ssup_cxt = temporary;
	support.ssup_collation = collation;
	PrepareSortSupportFromOrderingOp(lookup_type_cache(type, TYPECACHE_LT_OPR)->lt_opr,
									 &support);
	for (int32 i = 0; i < n; i++)
		items[i] = (item) {.value = gs_dictionary_value(d, i), .code = i};
	if (gs_dictionary_bytes_decide(type, collation))
		sort_by_bytes(items, n, 0, &support);
	else
		qsort_arg(items, n, sizeof(item), compare_values, &support);
	for (int32 i = 0; i < n; i++)
		code[i] = items[i].code;
	MemoryContextDelete(temporary);
}

/* ----------
 * Equality
 * ----------
 */

typedef struct hashed
{
	uint64		hash;
	int32		code;
} hashed;

static int
compare_hashes(const void *a, const void *b)
{
	const uint64 x = ((const hashed *) a)->hash;
	const uint64 y = ((const hashed *) b)->hash;

	return (x > y) - (x < y);
}

static bool
has_equal(const gs_dictionary *d, const hashed *h, int32 n, FmgrInfo *equal)
{
	for (int32 i = 0; i < n; i++)
	{
		for (int32 k = i + 1; k < n && h[k].hash == h[i].hash; k++)
		{
			if (DatumGetBool(FunctionCall2(equal,
										   gs_dictionary_value(d, h[i].code),
										   gs_dictionary_value(d, h[k].code))))
				return true;
		}
	}
	return false;
}

bool
gs_dictionary_values_differ(gs_dictionary *d)
{
	TypeCacheEntry *type;
	MemoryContext temporary;
	hashed	   *h;
	int32		n = d->n;
	bool		equal;

	if (d->private->different >= n)
		return true;
	type = lookup_type_cache(gs_dictionary_type(d),
							 TYPECACHE_HASH_EXTENDED_PROC_FINFO |
							 TYPECACHE_EQ_OPR_FINFO);
	temporary = AllocSetContextCreate(CurrentMemoryContext,
									  "gpuscan equality of codes",
									  ALLOCSET_SMALL_SIZES);
	h = MemoryContextAllocHuge(temporary, n * sizeof *h);
	for (int32 i = 0; i < n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		h[i].code = i;
		h[i].hash = DatumGetUInt64(FunctionCall2(&type->hash_extended_proc_finfo,
												 gs_dictionary_value(d, i),
												 UInt64GetDatum(0)));
	}
	qsort(h, n, sizeof *h, compare_hashes);
	equal = has_equal(d, h, n, &type->eq_opr_finfo);
	MemoryContextDelete(temporary);
	if (!equal)
		d->private->different = n;
	return !equal;
}

/* ----------
 * What is kept
 * ----------
 */

/* So many codes in all. */
#define KEPT_MAX	(4 * 1024 * 1024)

typedef struct kept_order
{
	dlist_node	node;			/* in `kept`, the last used first */
	uint64		dictionary;
	Oid			collation;
	int32		n;
	int32		code[FLEXIBLE_ARRAY_MEMBER];
} kept_order;

static dlist_head kept = DLIST_STATIC_INIT(kept);

static kept_order *
find_order(const gs_dictionary *d, int32 n, Oid collation)
{
	dlist_iter	iter;

	dlist_foreach(iter, &kept)
	{
		kept_order *k = dlist_container(kept_order, node, iter.cur);

		if (k->dictionary == gs_dictionary_name(d) && k->n == n &&
			k->collation == collation)
			return k;
	}
	return NULL;
}

/* An order of fewer of the same values is of no more use. */
static void
trim_orders(const kept_order *last)
{
	int64		codes = 0;
	dlist_mutable_iter iter;

	dlist_foreach_modify(iter, &kept)
	{
		kept_order *k = dlist_container(kept_order, node, iter.cur);

		codes += k->n;
		if (k == last || (codes <= KEPT_MAX && (k->dictionary != last->dictionary ||
												k->collation != last->collation)))
			continue;
		codes -= k->n;
		dlist_delete(&k->node);
		pfree(k);
	}
}

static void
keep_order(const gs_dictionary *d, const int32 *code, int32 n, Oid collation)
{
	kept_order *k = MemoryContextAllocHuge(TopMemoryContext,
										   offsetof(kept_order, code) + n * sizeof(int32));

	k->dictionary = gs_dictionary_name(d);
	k->collation = collation;
	k->n = n;
	memcpy(k->code, code, n * sizeof(int32));
	dlist_push_head(&kept, &k->node);
	trim_orders(k);
}

int32 *
gs_dictionary_order(gs_dictionary *d, int32 n, Oid collation)
{
	int32	   *code = palloc(n * sizeof(int32));
	const bool	keeps = gs_dictionary_name(d) != 0;
	kept_order *k = keeps ? find_order(d, n, collation) : NULL;

	if (k != NULL)
	{
		memcpy(code, k->code, n * sizeof(int32));
		dlist_move_head(&kept, &k->node);
		return code;
	}
	sort_codes(d, code, n, collation);
	if (keeps)
		keep_order(d, code, n, collation);
	return code;
}
