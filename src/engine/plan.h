/*-------------------------------------------------------------------------
 *
 * plan.h
 *	  Filter, group and aggregate rows of columns, in one operation.
 *
 * A plan (gs_plan) says what SQL's
 *
 *		SELECT keys, aggregates FROM columns WHERE filter GROUP BY keys
 *
 * says.  An engine takes the rows in batches, in any order, and keeps a state
 * for each group and aggregate:
 *
 *		gs_plan_check(&plan)				is it valid?
 *		engine->begin(&plan, &run)
 *		engine->feed(run, &batch)			any number of times
 *		engine->finish(run, &summary)
 *		engine->fetch(run, column, first, n, to)	any range of the results
 *		engine->end(run)					always, even after an error
 *
 * Every engine gives the same bits.  Sums are exact, so neither batches nor
 * the order of rows, nor the number of threads matter, and states of
 * several executions add up to those of one.
 *
 * Results are in the order of the keys: the first key decides, then the
 * second, and so on; each ascends, and NULL comes last.  A plan without keys
 * gives one group, even of no rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_PLAN_H
#define GS_PLAN_H

#include "engine/engine.h"

#ifdef __cplusplus
extern "C"
{
#endif

#define GS_PLAN_COLUMNS		64
#define GS_PLAN_KEYS		8
#define GS_PLAN_AGGREGATES	64
#define GS_PLAN_CODE		512
#define GS_PLAN_CONSTANTS	256		/* operands; lists may be longer */
#define GS_PLAN_TABLES		32		/* beside the list */

/* A batch has at most this many rows: 32 bits count them. */
#define GS_PLAN_BATCH_MAX	(INT64_C(1) << 30)

/*
 * What an instruction, a key or an aggregate reads: a column, a constant, or
 * the result of an instruction.
 */
typedef int16_t gs_operand;

#define GS_NOTHING			(-1)
#define GS_COLUMN(c)		((gs_operand) (c))
#define GS_CONSTANT(k)		((gs_operand) (0x1000 + (k)))
#define GS_RESULT(i)		((gs_operand) (0x2000 + (i)))

/* LOOKUP's and FIND's `first`, of a table that is not in the list. */
#define GS_TABLE(i)			(-1 - (i))

/*
 * Instructions.  They compute as PostgreSQL does: NULL if an operand is NULL,
 * except where said; integers are checked for overflow and divide towards
 * zero; floats are not contracted, and overflow and underflow as its
 * float8_mul() and others have it; NaN equals NaN and is above all else, and
 * -0 equals 0.
 *
 * Where PostgreSQL raises an error, the result is an error, which passes
 * through other instructions, except where said; it goes before NULL.  Errors
 * of several operands are OR-ed.  An error in a filter of a row that counts
 * so far (gs_batch.rows for the plan's filter, that for an aggregate's), or in
 * a key or argument of a row that counts, sets gs_summary.errors.  arithmetic.h
 * has all this for one row.
 *
 * `type` is the type of the operands, also of comparisons, whose result is a
 * boolean; a float4 or integer operand must be cast first.
 */
typedef enum gs_code
{
	GS_CODE_ADD = 1,			/* numbers: a + b, and so on */
	GS_CODE_SUBTRACT,
	GS_CODE_MULTIPLY,
	GS_CODE_DIVIDE,
	GS_CODE_NEGATE,
	GS_CODE_ABS,

	GS_CODE_LT,					/* any type, gs_compare's order */
	GS_CODE_LE,
	GS_CODE_EQ,
	GS_CODE_NE,
	GS_CODE_GE,
	GS_CODE_GT,

	GS_CODE_AND,				/* booleans, three-valued; false wins over an
								 * error, and so does true for OR */
	GS_CODE_OR,
	GS_CODE_NOT,

	GS_CODE_IS_NULL,			/* any type; never NULL */

	/*
	 * a is true ? b : c.  An error in the one that is not chosen is none. For
	 * CASE, COALESCE and NULLIF.  `type` is b's and c's.
	 */
	GS_CODE_CHOOSE,

	/* any type: of two, NULL ignored; for equals a */
	GS_CODE_LEAST,
	GS_CODE_GREATEST,

	/* from `type` to `to`, both numbers, as a cast of SQL does */
	GS_CODE_CAST,

	/*
	 * a IN (list[first], ..., list[first + count - 1]), which ascend strictly,
	 * in gs_compare's order, without NULL; NULL if a is not in it and
	 * `list_null`, as if NULL were in the list, too.
	 */
	GS_CODE_IN,

	/*
	 * Entry a - low of a table, a an integer of `type`, the result of type
	 * `to`.  An error if a - low is not within 0 and count - 1.  `on_null` is
	 * the entry for NULL, one of these or one behind them; -1: that is NULL.
	 *
	 * The table is in the list, from `first` on, or it is one of the plan's
	 * tables: GS_TABLE(i).  There are as many entries as
	 * count and on_null ask for, of `width` bytes each: 1, 2, 4 or 8.  An
	 * integer's are extended with their sign, or cut; a float has its own
	 * bytes, and may have more; of a boolean the lowest bit counts.  Behind
	 * the entries, if `list_null`, there is a bit for each: 1, it is NULL.
	 * Both begin at a place in the list.
	 */
	GS_CODE_LOOKUP,

	/* integers: a / b, rounded down; a % b, with the sign of a */
	GS_CODE_FLOOR_DIVIDE,
	GS_CODE_MODULO,

	/* integers, bit by bit; b's low 5 bits, of int8 6, say how far to shift */
	GS_CODE_BIT_AND,
	GS_CODE_BIT_OR,
	GS_CODE_BIT_XOR,
	GS_CODE_SHIFT_LEFT,
	GS_CODE_SHIFT_RIGHT,
	GS_CODE_BIT_NOT,

	/* float8; ROUND: ties to even; SQRT: an error of negative numbers */
	GS_CODE_FLOOR,
	GS_CODE_CEIL,
	GS_CODE_TRUNC,
	GS_CODE_ROUND,
	GS_CODE_SQRT,

	/*
	 * int4: from a day to its month, and from a month to its first day; an
	 * error if that is beyond int4.  Both count from January 1, 2000, in the
	 * Gregorian calendar, also before it was introduced.
	 */
	GS_CODE_MONTH,
	GS_CODE_MONTH_START,

	/* a; an error unless b <= a and a <= c, in gs_compare's order */
	GS_CODE_CHECK,

	/*
	 * int4: how many of list[first], ..., list[first + count - 1] are <= a.
	 * They ascend strictly, in gs_compare's order, without NULL.
	 */
	GS_CODE_SEARCH,

	/*
	 * int4: the place of a, an integer, in an index (index.h), from 1 on; 0: it
	 * is not there.  The index is where LOOKUP's table is, with 2^width buckets
	 * of `count` numbers, and the factor `low`.
	 */
	GS_CODE_FIND,

	/*
	 * float8, rounded once (exact/elementary.h); an error wherever SQL has one,
	 * and where the result is neither 0 nor normal
	 */
	GS_CODE_EXP,
	GS_CODE_LN,
	GS_CODE_LOG10,
	GS_CODE_POWER,				/* a^b */

	GS_CODES					/* one more than the last */
} gs_code;

typedef struct gs_instruction
{
	uint8_t		code;			/* gs_code */
	uint8_t		type;			/* gs_type of the operands */
	uint8_t		to;				/* CAST, LOOKUP: gs_type of the result */
	uint8_t		list_null;		/* IN, LOOKUP: 0 or 1 */
	gs_operand	a;				/* GS_RESULT of earlier instructions only */
	gs_operand	b;
	gs_operand	c;
	int16_t		width;			/* LOOKUP, FIND */
	int32_t		first;			/* IN, LOOKUP, SEARCH, FIND: index in
								 * gs_plan.list; LOOKUP, FIND: or GS_TABLE(i) */
	int32_t		count;
	int32_t		on_null;		/* LOOKUP */
	int64_t		low;			/* LOOKUP, FIND */
} gs_instruction;

typedef struct gs_constant
{
	int32_t		type;			/* gs_type */
	int32_t		null;			/* 0 or 1 */
	gs_value	value;
} gs_constant;

/*
 * Aggregates, and the state that fetch gives for each group.  All but
 * GS_AGG_COUNT of nothing skip rows where an argument is NULL.  States without
 * any value are zero.  SQL's aggregates are made of these: an average is of
 * a count and a sum, a variance of these and squares, a correlation of counts,
 * sums, squares and products of the rows where both are present.
 */
typedef enum gs_aggregate_kind
{
	GS_AGG_COUNT = 1,			/* int64_t: rows where a is present; of all, if
								 * a is GS_NOTHING */

	/*
	 * Numbers.  gs_integer_sum or, of floats, gs_float_sum: a; a * a; a * b
	 * (of the same type).  The float sum counts units of
	 * 2^(GS_ACC_LOWEST) or, for the other two, 2^(GS_ACC2_LOWEST).
	 */
	GS_AGG_SUM,
	GS_AGG_SQUARES,
	GS_AGG_PRODUCTS,

	/*
	 * gs_value: numbers; NaN above all else, -0 just below 0; NaN is the
	 * canonical one
	 */
	GS_AGG_MIN,
	GS_AGG_MAX,

	/* gs_value: integers and, but for XOR, booleans (an i2 of 0 or 1) */
	GS_AGG_BIT_AND,
	GS_AGG_BIT_OR,
	GS_AGG_BIT_XOR,

	/* int64_t[GS_SPECIALS]: floats: how many are NaN, infinite, -0 */
	GS_AGG_SPECIALS,

	/*
	 * int64_t[buckets + 3]: numbers: counts below the range, in the buckets,
	 * at or above the range, NaN; as GS_HISTOGRAM_WIDTH
	 */
	GS_AGG_HISTOGRAM,

	/*
	 * gs_value[2]: numbers: of n values in ascending order, counted from 0,
	 * those at the places floor(f) and ceil(f), f = fraction * (n - 1). -0
	 * just below 0; NaN is canonical.
	 */
	GS_AGG_PERCENTILE,

	/* gs_value: the most frequent number, the least if several; -0 equals 0,
	 * and 0 stands for both */
	GS_AGG_MODE,

	/* int64_t: how many different numbers or booleans; -0 equals 0 */
	GS_AGG_DISTINCT,

	/*
	 * Of plans of rows, and only of these: a in each row, any type, in
	 * gs_type_width() bytes, as the type is in memory; 0 where NULL, and NaN
	 * is the canonical one.
	 */
	GS_AGG_VALUE,

	GS_AGGREGATE_KINDS			/* one more than the last */
} gs_aggregate_kind;

typedef struct gs_aggregate
{
	int32_t		kind;			/* gs_aggregate_kind */
	gs_operand	a;
	gs_operand	b;				/* GS_AGG_PRODUCTS */
	gs_operand	filter;			/* boolean: count rows where it is true;
								 * GS_NOTHING: all */

	/* GS_AGG_HISTOGRAM: as in gs_op */
	int32_t		buckets;
	int32_t		formula;
	double		low;
	double		high;

	double		fraction;		/* GS_AGG_PERCENTILE: 0 to 1 */
} gs_aggregate;

/* Two's complement, least significant word first. */
typedef struct gs_integer_sum
{
	uint64_t	word[3];
} gs_integer_sum;

/*
 * A sum of floats: limb[i] counts units of 2^(32 (first + i)) of the lowest
 * unit; together they are in two's complement, least significant first.
 * Canonical: limb[0] is not 0 unless all are, and then first is 0.
 *
 * A sum that needs more limbs has wide > 0: it is in column GS_FETCH_WIDE, in
 * the place wide - 1, as gs_acc or gs_acc2, normalised as by gs_acc_propagate;
 * first and all limbs are 0.  Wide sums are in the order of the groups.
 */
#define GS_FLOAT_SUM_LIMBS	9

typedef struct gs_float_sum
{
	uint32_t	seen;			/* GS_SEEN_... of all addends */
	int32_t		first;
	int32_t		wide;			/* 0: it is not */
	uint32_t	limb[GS_FLOAT_SUM_LIMBS];
} gs_float_sum;

/*
 * A table of LOOKUP or FIND that is used again and again: it is in the engine's own memory
 * (gs_engine.reserve), aligned to 8 bytes.
 */
typedef struct gs_plan_table
{
	uint64_t	number;			/* of a session's, for its service; 0: none */
	int64_t		size;			/* in gs_values, as in the list: 1 to INT32_MAX */
	const gs_value *value;
} gs_plan_table;

/*
 * A plan.  All pointers stay valid until the execution's end.
 */
typedef struct gs_plan
{
	int32_t		columns;
	int32_t		instructions;
	int32_t		constants;
	int32_t		keys;
	int32_t		aggregates;
	int32_t		list_length;
	int32_t		tables;
	gs_operand	filter;			/* boolean; GS_NOTHING: all rows count */

	/*
	 * 1: a plan of rows.  Each row that counts is a group of its own, and the
	 * groups are in the order in which rows were fed.  There are no keys, and
	 * all aggregates are GS_AGG_VALUE without a filter of their own.
	 */
	int16_t		of_rows;
	const uint8_t *column;		/* gs_type of each */
	const gs_instruction *code;
	const gs_constant *constant;
	const gs_value *list;		/* of IN, LOOKUP, SEARCH and FIND */
	const gs_plan_table *table; /* of LOOKUP and FIND */
	const gs_plan_table *const *copy;	/* each device's, of `tables` each; NULL:
										 * there is one device */
	const gs_operand *key;		/* any type but constants */
	const gs_aggregate *aggregate;
} gs_plan;

/* A column's values in a batch. */
typedef struct gs_column_data
{
	const void *values;			/* aligned to `width` bytes */
	const uint8_t *validity;	/* a bit a row; NULL: none is NULL */

	/*
	 * If packed, there are only the values that are not NULL (gs_span), else
	 * one for each row, whatever it is where NULL.
	 */
	int32_t		packed;			/* 0 or 1 */

	/*
	 * How they are held (gs_encoding).  There is a unit only if they are in the
	 * host's memory (on_host).
	 */
	int32_t		width;
	int64_t		base;
	int64_t		unit;

	/*
	 * 1: of a resident batch, the values are not in the engine's own memory but
	 * in the host's (gs_engine.reserve_host).  Else 0.
	 */
	int32_t		on_host;

	/* integers: the values are low to high; not known if low > high */
	int64_t		low;
	int64_t		high;
} gs_column_data;

typedef struct gs_batch
{
	int64_t		n;				/* rows, 1 to GS_PLAN_BATCH_MAX */
	const uint8_t *rows;		/* a bit a row: does it count?  NULL: all do */
	const gs_column_data *column;	/* gs_plan.columns */

	/*
	 * All of the above but the structs themselves is in the engine's own
	 * memory (gs_engine.reserve, or reserve_host), aligned to GS_CACHE_ALIGN, and
	 * 16 bytes more than it has may be read.
	 */
	int32_t		resident;		/* 0 or 1 */
	int32_t		device;			/* the one that has it, if resident */

	/*
	 * 1: it is resident, and all of it stays as it is until a later batch without
	 * this has been fed.  So nobody need wait for it.  If something fails before,
	 * the execution is ended, whatever it has computed.
	 */
	int32_t		stays;			/* 0 or 1 */
} gs_batch;

/* Errors of expressions: bits of gs_summary.errors. */
#define GS_ERROR_RANGE			1	/* out of range */
#define GS_ERROR_DIVISION		2	/* division by zero */
#define GS_ERROR_LOOKUP			4	/* GS_CODE_LOOKUP found no place */

typedef struct gs_summary
{
	int64_t		groups;
	int64_t		rows;			/* that counted */
	uint32_t	errors;			/* if not 0, there are no results, and the
								 * others are 0 */
} gs_summary;

/*
 * What fetch can give: of each group, its keys (gs_value), which of them are
 * NULL (uint8_t: bit k for key k; their values are 0), the states of an
 * aggregate (gs_state_size() bytes each); and an aggregate's wide sums.
 */
#define GS_FETCH_KEY(k)			(k)
#define GS_FETCH_NULLS			GS_PLAN_KEYS
#define GS_FETCH_STATE(i)		(GS_PLAN_KEYS + 1 + 2 * (i))
#define GS_FETCH_WIDE(i)		(GS_PLAN_KEYS + 2 + 2 * (i))

/*
 * Of a plan of rows, instead of wide sums: which values of GS_AGG_VALUE are not
 * NULL.  Element j has the bits of rows 64 j and following ones, least
 * significant first, 0 beyond the last (uint64_t).
 */
#define GS_FETCH_VALIDITY(i)	GS_FETCH_WIDE(i)

typedef struct gs_plan_run gs_plan_run;		/* each engine has its own */
struct gs_scatter;
struct gs_value_range;

/*
 * An engine for plans.  Functions that can fail return a status, and error has
 * the details.  After a status other than GS_OK only error and end may follow.
 */
typedef struct gs_plan_engine
{
	const char *name;

	/* run is set even if this fails, unless it is NULL */
	gs_status	(*begin) (const gs_plan *plan, gs_plan_run **run);

	/* The batch's memory may be reused when it returns, unless it stays. */
	gs_status	(*feed) (gs_plan_run *run, const gs_batch *batch);
	gs_status	(*finish) (gs_plan_run *run, gs_summary *summary);

	/* GS_INVALID: there are not so many */
	gs_status	(*fetch) (gs_plan_run *run, int column, int64_t first,
						  int64_t n, void *to);
	const gs_error *(*error) (const gs_plan_run *run);
	void		(*end) (gs_plan_run *run);

	/*
	 * Add what another execution of the plan has found, on any device.  Neither
	 * has been finished, and the part can only be ended then, after run has been
	 * finished or ended, or this has failed.  If it was the part that failed, error says so
	 * of the part.  merges: is there a way for this plan?
	 */
	bool		(*merges) (const gs_plan *plan);
	gs_status	(*merge) (gs_plan_run *run, gs_plan_run *part);

	/*
	 * Of a plan of rows that has had none: let only those count whose value of an
	 * integer is of this slice (gs_slice_of).  NULL: engines that do not merge.
	 */
	void		(*slice) (gs_plan_run *run, gs_operand by, int slices,
						  int slice);

	/* relation.h; NULL: what is between two stages is the host's */
	const struct gs_relation_engine *relations;

	/*
	 * scatter.h.  Of a finished plan of rows: the range of one of its values, and
	 * its rows as a table, in the engine's own memory, on the device that has
	 * them: gs_scatter_size() bytes, aligned to GS_CACHE_ALIGN.  *placed: rows
	 * that have a place; *repeated: of these, if they are counted, those whose
	 * place another one had.  GS_INVALID: there is no such value, or
	 * gs_scatter_check.  Of several rows of a place any one may have it.
	 */
	gs_status	(*range) (gs_plan_run *run, int value,
						  struct gs_value_range *range);
	gs_status	(*scatter) (gs_plan_run *run, const struct gs_scatter *s,
							void *to, int64_t *placed, int64_t *repeated);
} gs_plan_engine;

extern const gs_plan_engine gs_plan_cpu;

/* plan.c: what follows from the plan alone */
extern gs_status gs_plan_check(const gs_plan *plan);
extern gs_type gs_operand_type(const gs_plan *plan, gs_operand operand);

/* How many operands an instruction reads: a; a and b; all three. */
extern int	gs_code_operands(int code);

/* a < b is b > a; other instructions than such comparisons stay as they are. */
extern gs_code gs_code_exchanged(gs_code code);
extern size_t gs_state_size(const gs_plan *plan, int aggregate);

/* Below, equal or above: -1, 0, 1, in the order of comparisons (arithmetic.h). */
extern int	gs_compare_values(gs_type type, gs_value a, gs_value b);

/* Bytes of a column that fetch gives; 0: there is no such column. */
extern size_t gs_fetch_width(const gs_plan *plan, int column);

/*
 * The sum as limbs, for gs_limbs_round, gs_limbs_mean, gs_limbs_variance and
 * others.  squares: not of GS_AGG_SUM.  wide: the gs_acc or gs_acc2, if
 * sum->wide > 0.  The limbs are in *wide or in space[GS_FLOAT_SUM_LIMBS].
 */
extern gs_limbs gs_float_sum_limbs(const gs_float_sum *sum, bool squares,
								   const void *wide, int64_t *space);

/*
 * The other way: a sum from limbs, of which limb[i] counts units of 2^(32
 * (first + i)) of the lowest unit; all but the last are within 0 and 2^32 - 1.
 * False if the sum is wide; *sum is as for such a sum, but for `wide`.
 */
extern bool gs_float_sum_make(const int64_t *limb, int n, int first,
							  uint32_t seen, gs_float_sum *sum);

/* Of such limbs, in two's complement, the one at i, also beyond the last. */
static inline uint32_t
gs_limb_at(const int64_t *limb, int n, int i)
{
	if (i < n)
		return (uint32_t) limb[i];
	return limb[n - 1] < 0 ? UINT32_MAX : 0;
}

/* ----------
 * merge.c: the states of some groups, merged into those of fewer.  The results
 * are the bits that one execution with the fewer groups would have given.
 * ----------
 */

/* The states of an aggregate that fetch has given, of all groups. */
typedef struct gs_states
{
	const void *state;
	const void *wide;			/* all wide sums */
} gs_states;

/* Which groups become one: order[end[i - 1]] to order[end[i] - 1]. */
typedef struct gs_merge
{
	int64_t		n;				/* of the groups that come out */
	const int64_t *end;
	const uint32_t *order;
} gs_merge;

/* Not of kinds that need all values. */
extern bool gs_states_can_merge(const gs_plan *plan, int aggregate);

/*
 * Are states without any value to be told from others?  Then `present` below has
 * to be the state that counts the aggregate's values, or NULL if the aggregate
 * is GS_AGG_MAX of values that are not negative.
 */
extern bool gs_states_need_counts(const gs_plan *plan, int aggregate);

/* The aggregate that counts the values of another one; -1: none does. */
extern int	gs_states_count(const gs_plan *plan, int aggregate);

/*
 * Merge states into `to`.  Returns the number of wide sums, which go into
 * wide_to unless that is NULL.
 */
extern int64_t gs_states_merge(const gs_plan *plan, int aggregate,
							   const gs_states *from, const int64_t *present,
							   const gs_merge *merge, void *to, void *wide_to);

#ifdef __cplusplus
}
#endif

#endif							/* GS_PLAN_H */
