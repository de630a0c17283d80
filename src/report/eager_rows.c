/*-------------------------------------------------------------------------
 *
 * eager_rows.c
 *	  Queries whose groups are rows, but for the many rows of a left join.
 *
 * What is known of a row fixes columns of others: by an equality with what is known, or
 * because GROUP BY has the column.  If the columns of a unique index are fixed, then so
 * is the row.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/transam.h"
#include "access/xact.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#if PG_VERSION_NUM >= 180000
#include "catalog/pg_constraint.h"
#endif
#include "catalog/pg_inherits.h"
#include "nodes/makefuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "report/eager_rows.h"
#include "report/join.h"
#include "report/rewriting.h"
#include "report/rewriting_uses.h"

/* Of the left join. */
typedef struct sides
{
	const Query *query;
	const JoinExpr *join;
	int			many;			/* its inner side: a range table index */
	Relids		others;			/* what else there is in FROM */
	List	   *fixed;			/* columns of these: */
	bool		lost;			/* joins have another form */
} sides;

/* A column that has one value in each group, if these relations have one row. */
typedef struct fixed
{
	const Var  *column;
	Oid			equality;		/* by this operator, and collation */
	Oid			collation;
	bool		by_key;			/* of GROUP BY: NULL, too, is a value */
	Relids		relations;
} fixed;

static void
fix(sides *s, const Node *column, Oid equality, Oid collation, bool by_key,
	Relids relations)
{
	fixed	   *f = palloc(sizeof *f);

	*f = (fixed) {(const Var *) column, equality, collation, by_key, relations};
	s->fixed = lappend(s->fixed, f);
}

/*
 * Conditions that hold for what these relations give; NULL: for all.  A timestamp with
 * time zone equals two without where local time is skipped: it fixes neither.
 */
static void
fix_columns(sides *s, Node *quals, Relids of)
{
	ListCell   *cell;

	foreach(cell, make_ands_implicit((Expr *) quals))
	{
		const OpExpr *op = lfirst(cell);

		for (int i = 0; IsA(op, OpExpr) && list_length(op->args) == 2 && i < 2; i++)
		{
			const Node *column = list_nth(op->args, i);
			Relids		others = gs_references_of(list_nth(op->args, 1 - i)).own;

			if (IsA(column, Var) && ((const Var *) column)->varlevelsup == 0 &&
				!bms_is_member((int) ((const Var *) column)->varno, others) &&
				(of == NULL ||
				 bms_is_member((int) ((const Var *) column)->varno, of)) &&
				gs_rewriting_ties(op, column))
				fix(s, column, op->opno, op->inputcollid, false, others);
		}
	}
}

/*
 * All relations below, and what their joins fix.  Rows of many's join must not become
 * more, or lose columns, above it but for what others decide.
 */
static Relids
examine_joins(sides *s, Node *node)
{
	JoinExpr   *join = (JoinExpr *) node;
	Relids		left;
	Relids		right;
	Relids		inner;

	if (IsA(node, RangeTblRef))
		return bms_make_singleton(((RangeTblRef *) node)->rtindex);
	left = examine_joins(s, join->larg);
	right = examine_joins(s, join->rarg);
	inner = join->jointype == JOIN_LEFT ? right :
		join->jointype == JOIN_RIGHT ? left : NULL;
	if (inner == NULL && join->jointype != JOIN_INNER)
		s->lost = true;
	else if (!bms_is_member(s->many, inner))
		fix_columns(s, join->quals, inner);
	else if (join != s->join)
		s->lost = true;
	return bms_union(left, right);
}

static void
examine_from(sides *s)
{
	FromExpr   *from = s->query->jointree;
	ListCell   *cell;

	foreach(cell, from->fromlist)
		s->others = bms_add_members(s->others, examine_joins(s, lfirst(cell)));
	s->others = bms_del_member(s->others, s->many);
	fix_columns(s, from->quals, NULL);
}

/* ----------
 * Is each group one row of the others?
 * ----------
 */

static bool
is_fixed(const sides *s, int relation, AttrNumber column, Oid family,
		 Oid collation, bool may_be_null, Relids known)
{
	ListCell   *cell;

	foreach(cell, s->fixed)
	{
		const fixed *f = lfirst(cell);

		if (f->column->varno == relation && f->column->varattno == column &&
			f->collation == collation && bms_is_subset(f->relations, known) &&
			!(f->by_key && may_be_null) &&
			get_op_opfamily_strategy(f->equality, family) ==
			BTEqualStrategyNumber)
			return true;
	}
	return false;
}

/*
 * Did a row of a catalog say so when the snapshot was taken?  A later constraint
 * does not hold for rows that are deleted since then, which the snapshot sees.
 */
static bool
was_so(const HeapTupleHeader row)
{
	TransactionId xid = HeapTupleHeaderGetXmin(row);

	if (TransactionIdIsCurrentTransactionId(xid))
		return !IsolationUsesXactSnapshot();
	return ActiveSnapshotSet() && !XidInMVCCSnapshot(xid, GetActiveSnapshot());
}

static bool
is_declared(Oid table, AttrNumber column)
{
	HeapTuple	tuple = SearchSysCache2(ATTNUM, ObjectIdGetDatum(table),
										Int16GetDatum(column));
	bool		declared = HeapTupleIsValid(tuple) && was_so(tuple->t_data);

	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
#if PG_VERSION_NUM >= 180000
	/* one that was NOT VALID has become valid */
	tuple = findNotNullConstraintAttnum(table, column);
	declared = declared && (tuple == NULL || was_so(tuple->t_data));
#endif
	return declared;
}

static bool
may_be_null(Relation table, AttrNumber column)
{
#if PG_VERSION_NUM >= 180000
	const TupleDesc columns = RelationGetDescr(table);

	if (TupleDescCompactAttr(columns, column - 1)->attnullability !=
		ATTNULLABLE_VALID)
		return true;
#else
	if (!TupleDescAttr(RelationGetDescr(table), column - 1)->attnotnull)
		return true;
#endif
	return !is_declared(RelationGetRelid(table), column);
}

/* Does the index let no two rows have the same of the fixed columns? */
static bool
is_key(const sides *s, int relation, Relation table, Relation index,
	   Relids known)
{
	const FormData_pg_index *form = index->rd_index;

	if (!form->indisunique || !form->indimmediate || !form->indisvalid ||
		form->indcheckxmin || index->rd_rel->relam != BTREE_AM_OID ||
		RelationGetIndexPredicate(index) != NIL ||
		!was_so(index->rd_indextuple->t_data))
		return false;
	for (int i = 0; i < form->indnkeyatts; i++)
	{
		AttrNumber	column = form->indkey.values[i];

		if (column <= 0 ||
			!is_fixed(s, relation, column, index->rd_opfamily[i],
					  index->rd_indcollation[i],
					  may_be_null(table, column), known))
			return false;
	}
	return true;
}

static bool
has_key(const sides *s, int relation, const RangeTblEntry *rte, Relids known)
{
	Relation	table;
	bool		found = false;
	ListCell   *cell;

	/* partitions may have come, with rows that were deleted before */
	if (rte->relkind == RELKIND_PARTITIONED_TABLE && IsolationUsesXactSnapshot())
		return false;
	if (rte->tablesample != NULL || (rte->relkind != RELKIND_RELATION &&
									 rte->relkind != RELKIND_PARTITIONED_TABLE &&
									 rte->relkind != RELKIND_MATVIEW) ||
		(rte->inh && rte->relkind == RELKIND_RELATION &&
		 has_subclass(rte->relid)))
		return false;
	table = table_open(rte->relid, NoLock);
	foreach(cell, RelationGetIndexList(table))
	{
		Relation	index = index_open(lfirst_oid(cell), AccessShareLock);

		found |= is_key(s, relation, table, index, known);
		index_close(index, NoLock);
	}
	table_close(table, NoLock);
	return found;
}

/* A function that never gives the same value twice, and whether that is fixed. */
static bool
is_series(const sides *s, int relation, const RangeTblEntry *rte, Relids known)
{
	const RangeTblFunction *function = linitial(rte->functions);
	const FuncExpr *call = (const FuncExpr *) function->funcexpr;
	ListCell   *cell;

	if (list_length(rte->functions) != 1 || !IsA(call, FuncExpr) ||
		call->funcid >= FirstGenbkiObjectId || rte->lateral ||
		strcmp(get_func_name(call->funcid), "generate_series") != 0)
		return false;
	foreach(cell, s->fixed)
	{
		const fixed *f = lfirst(cell);

		if (f->column->varno == relation && f->column->varattno == 1 &&
			bms_is_subset(f->relations, known) &&
			gs_dimension_is_equality(f->equality, f->column->vartype))
			return true;
	}
	return false;
}

static bool
has_one_row(const sides *s, int relation, Relids known)
{
	const RangeTblEntry *rte = rt_fetch(relation, s->query->rtable);

	switch (rte->rtekind)
	{
		case RTE_RELATION:
			return has_key(s, relation, rte, known);
		case RTE_FUNCTION:
			return is_series(s, relation, rte, known);
		default:
			return false;
	}
}

/* What is known of a row fixes columns of others. */
static bool
are_groups_rows(const sides *s)
{
	Relids		known = NULL;
	bool		more = true;

	while (more && !bms_equal(known, s->others))
	{
		more = false;
		for (int i = -1; (i = bms_next_member(s->others, i)) >= 0;)
		{
			if (!bms_is_member(i, known) && has_one_row(s, i, known))
			{
				known = bms_add_member(known, i);
				more = true;
			}
		}
	}
	return bms_equal(known, s->others);
}

static void
fix_keys(sides *s)
{
	ListCell   *cell;

	foreach(cell, s->query->groupClause)
	{
		SortGroupClause *clause = lfirst_node(SortGroupClause, cell);
		const Node *key = get_sortgroupclause_expr(clause,
												   s->query->targetList);

		if (IsA(key, Var) && ((const Var *) key)->varlevelsup == 0)
			fix(s, key, clause->eqop, ((const Var *) key)->varcollid, true, NULL);
	}
}

bool
gs_eager_groups_are_rows(const Query *query, const JoinExpr *join, int many)
{
	sides		s = {.query = query,.join = join,.many = many};

	fix_keys(&s);
	examine_from(&s);
	return !s.lost && are_groups_rows(&s);
}
