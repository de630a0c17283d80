/*-------------------------------------------------------------------------
 *
 * dictionary_order.c
 *	  The order of a dictionary's values.
 *
 * A dictionary keeps the order that was asked for last: reports ask for the
 * same one again, and a sort by a collation takes longer than many a report.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "utils/sortsupport.h"
#include "utils/typcache.h"

#include "report/session/dictionary_private.h"

typedef struct sorting
{
	const gs_dictionary *dictionary;
	SortSupportData support;
} sorting;

static int
compare_codes(const void *a, const void *b, void *context)
{
	sorting    *s = context;

	CHECK_FOR_INTERRUPTS();
	return ApplySortComparator(gs_dictionary_value(s->dictionary, *(const int32 *) a),
							   false,
							   gs_dictionary_value(s->dictionary, *(const int32 *) b),
							   false, &s->support);
}

static void
sort_codes(const gs_dictionary *d, int32 *code, int32 n, Oid collation)
{
	MemoryContext temporary = AllocSetContextCreate(CurrentMemoryContext,
													"gpuscan sort of codes",
													ALLOCSET_SMALL_SIZES);
	sorting		s = {.dictionary = d};

	s.support.ssup_cxt = temporary;
	s.support.ssup_collation = collation;
	PrepareSortSupportFromOrderingOp(lookup_type_cache(gs_dictionary_type(d),
													   TYPECACHE_LT_OPR)->lt_opr,
									 &s.support);
	qsort_arg(code, n, sizeof(int32), compare_codes, &s);
	MemoryContextDelete(temporary);
}

static void
keep_order(struct gs_dictionary_private *p, const int32 *code, int32 n,
		   Oid collation)
{
	int32	   *kept = MemoryContextAlloc(p->context, n * sizeof(int32));

	memcpy(kept, code, n * sizeof(int32));
	if (p->order != NULL)
		pfree(p->order);
	p->order = kept;
	p->ordered = n;
	p->collation = collation;
}

int32 *
gs_dictionary_order(gs_dictionary *d, int32 n, Oid collation)
{
	struct gs_dictionary_private *p = d->private;
	int32	   *code = palloc(n * sizeof(int32));

	if (p->order != NULL && p->ordered == n && p->collation == collation)
	{
		memcpy(code, p->order, n * sizeof(int32));
		return code;
	}
	for (int32 i = 0; i < n; i++)
		code[i] = i;
	sort_codes(d, code, n, collation);
	keep_order(p, code, n, collation);
	return code;
}
