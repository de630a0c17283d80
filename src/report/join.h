/*-------------------------------------------------------------------------
 *
 * join.h
 *	  The joins of a query, as a fact table and dimensions.
 *
 * Rows of the fact table are what a report reads.  Each looks up at most one
 * row of each dimension (translate/dimension.h), by keys that are computed of
 * the fact table, and of dimensions that come before.  The rest is conditions
 * on what has been found.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_JOIN_H
#define GS_REPORT_JOIN_H

#include "report/query.h"

/*
 * Find q->fact, q->dimensions, q->dimension_rels and q->conditions of a query
 * over a join.  False, with a reason: it has no such form.
 */
extern bool gs_report_query_joins(gs_report_query *q);

/* Is it a relation of a dimension whose columns expressions may have? */
extern bool gs_report_is_dimension(const gs_report_query *q, int varno);

/* All of the dimensions; and all else that tells them from others. */
extern List *gs_report_join_keys(const gs_report_query *q);
extern List *gs_report_join_identity(const gs_report_query *q);

/* The dimensions' columns: what these expressions, and keys, use of them. */
extern void gs_report_find_columns(gs_report_query *q, const List *expressions);

/* What gives the rows of the dimensions, with these columns. */
extern List *gs_report_dimension_paths(const gs_report_query *q);

/*
 * join_keys.c: an equality of SQL between a unit's rows and others'.
 */
typedef struct gs_join_pair
{
	Expr	   *outer;
	Expr	   *inner;			/* of the unit */
	Oid			equality;		/* operator: outer = inner */
	Oid			collation;
	const RestrictInfo *clause; /* NULL: it follows from equivalences */
} gs_join_pair;

/* Relations that are joined as one: a dimension, or what is to become one. */
typedef struct gs_join_unit
{
	JoinType	kind;
	Relids		relids;
	Relids		joined;			/* and, since 16, the outer join that joins them */
	RelOptInfo *rel;
	RelOptInfo *source;			/* what gives its rows: rel, or what reads a WITH
								 * query by itself, or is a copy; NULL: that is
								 * not made yet */
	struct gs_join_unit *grouped;	/* by gs_join_group_unit, or NULL */
} gs_join_unit;

/* The equalities that join a unit to the relations before it. */
extern List *gs_join_pairs(PlannerInfo *root, const gs_join_unit *unit,
						   Relids fact, Relids before,
						   const List *clauses);

/* A condition that two values differ; NULL: there is none. */
extern gs_join_pair *gs_join_differing_pair(const gs_join_unit *unit,
											Relids before,
											const List *clauses);

/*
 * Are a unit's rows told apart by these, as far as is known?  guessed: nothing is, so
 * that it remains to be seen.
 */
extern bool gs_join_is_unique(PlannerInfo *root, const gs_join_unit *unit,
							  const List *pairs, bool *guessed);

/* Is there a unique index of a table by which it does so? */
extern bool gs_join_has_unique_index(const RelOptInfo *rel, const List *pairs);

/* One of the pairs that does so alone; NULL: none does. */
extern gs_join_pair *gs_join_unique_pair(PlannerInfo *root,
										 const gs_join_unit *unit,
										 const List *pairs);

/* The pair as a condition. */
extern Expr *gs_join_condition(const gs_join_pair *pair);

/*
 * join_twice.c: can the plan of these relations stand in a query's plan twice?  Can
 * that of a subquery, if the second one is that of a copy?  The copy; NULL: there is
 * none.  And when their plans are made: keep them from sharing what is noted of them.
 */
extern bool gs_join_can_be_read_apart(const PlannerInfo *root, Relids relids);
extern bool gs_join_can_be_copied(const PlannerInfo *root,
								  const RelOptInfo *rel);
extern RelOptInfo *gs_join_copy(PlannerInfo *root, const RelOptInfo *rel);
extern void gs_join_separate(PlannerInfo *root);

/*
 * join_held.c: can the service make the look-up tables of a dimension of this
 * relation, as far as is known without its columns?  *tables: RelOptInfos, what it
 * consists of.  Then, with its columns, of all of them.
 */
extern bool gs_join_is_held(gs_report_query *q, gs_dimension *d,
							RelOptInfo *rel, const RelOptInfo *source,
							List **tables);
extern void gs_join_examine_held(gs_report_query *q);

/* It is read after all. */
extern void gs_join_is_read(gs_dimension *d);

/*
 * costs.c: what it costs to read a dimension's rows; and does it become one of those,
 * with d->ordinary_cost for what else it would cost?
 */
extern Cost gs_report_reading_cost(const RelOptInfo *rel);
extern void gs_report_cost_held(gs_report_query *q, gs_dimension *d,
								RelOptInfo *rel, const RelOptInfo *source);

/* join.c: expressions as they are above all joins */
extern List *gs_join_above(PlannerInfo *root, List *expressions);

/* join_tables.c: the next table or the like among relations, of which some are joins */
extern int	gs_join_next_table(const PlannerInfo *root, Relids relids, int i);

/* The tables that decide the relations' rows and keys; NIL: there is more that does. */
extern List *gs_join_tables(const PlannerInfo *root, Relids relids,
							const List *keys);

/* All tables that the relations read in FROM, whatever else decides them. */
extern List *gs_join_tables_read(const PlannerInfo *root, Relids relids);

/* What tells these relations, and which rows of them, from others. */
extern List *gs_join_identity(PlannerInfo *root, Relids relids);

/*
 * join_subquery.c: scalar subqueries that conditions have for each row become
 * dimensions, and are found among q->subqueries.  Then replace them by what the
 * dimensions give.
 */
extern void gs_join_find_subqueries(gs_report_query *q);
extern List *gs_join_replace_subqueries(const gs_report_query *q,
										List *conditions);

/*
 * subquery_plan.c: make it SELECT keys, aggregates ... GROUP BY keys, over what the query reads.  Or
 * such a query of a table, of the rows that its conditions leave; NULL: it cannot be
 * told.  Then it, or another one, as an entry of a range table, and as a table of the
 * query around it; NULL: it cannot be one, or gives nothing.  And a column of that,
 * counted from 1.
 */
extern void gs_subquery_group_by(Query *query, const List *keys,
								 const List *aggregates);
extern Query *gs_subquery_group_table(PlannerInfo *root, const RelOptInfo *rel,
									  const List *keys, const List *aggregates);
extern RangeTblEntry *gs_subquery_entry(Query *query);
extern RelOptInfo *gs_subquery_add(PlannerInfo *root, Query *query);
extern Var *gs_subquery_column(const RelOptInfo *rel, int column);

/*
 * SELECT FROM the relation, here by this entry, with its conditions, whose values of
 * columns are the entry's then; NULL: one of them has a subquery.
 */
extern Query *gs_subquery_from(const RelOptInfo *rel, RangeTblEntry *rte);

/* Is it a table, of which nothing is hidden and no sample is taken? */
extern bool gs_subquery_is_table(const RangeTblEntry *rte);

/* Has it a parameter that another subquery gives, which is not known elsewhere? */
extern bool gs_subquery_gives(Node *node);

/*
 * join_subquery.c: is it one that has the same result whatever the rows' order?  It gives NULL, or, if
 * it counts, 0, of no rows.
 */
extern bool gs_subquery_is_taken(const Aggref *aggref);

/* join_with.c: may two executions of a WITH query give different rows? */
extern bool gs_with_may_differ(Query *with);

/*
 * join_with.c: the query of a relation that is a WITH query of its own plan; NULL: it is none, or
 * two executions may give different rows.  And what gives the same columns of the rows
 * that the relation's conditions leave, by another plan; NULL: as above.
 */
extern Query *gs_subquery_with(const PlannerInfo *root, const RelOptInfo *rel);
extern RelOptInfo *gs_subquery_add_with(PlannerInfo *root,
										const RelOptInfo *rel);

/*
 * May an aggregate raise an error where the ordinary plan does not evaluate it, or
 * give something else than NULL, or 0 if it counts, of no rows?
 */
extern bool gs_subquery_may_raise(const Aggref *aggref);

/* May it raise an error for a row?  Not what is the same for all rows. */
extern bool gs_subquery_row_may_raise(Node *node);

/*
 * EXISTS (SELECT FROM t WHERE t.k = k AND t.x <> x) is true of a row if the least or
 * the greatest x of its group is another one: a unit that gives these by k, in which
 * the pairs' inner sides become its columns, and that condition.  NULL: there is
 * none.
 */
extern gs_join_unit *gs_join_group_unit(PlannerInfo *root, gs_join_unit *unit,
										const List *pairs,
										const gs_join_pair *differing);
extern List *gs_join_grouped_pairs(const gs_join_unit *grouped,
								   const List *pairs);
extern Expr *gs_join_grouped_condition(const gs_join_unit *grouped,
									   JoinType kind, const List *pairs,
									   const gs_join_pair *differing);

#endif							/* GS_REPORT_JOIN_H */
