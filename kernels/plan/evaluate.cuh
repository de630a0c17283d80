/*-------------------------------------------------------------------------
 *
 * evaluate.cuh
 *	  The program of a plan, prepared for the device.
 *
 * What a plan computes is written to memory once a batch, so that all other
 * kernels read columns and bitmaps only: the rows that count, the filters of
 * aggregates, and the results that are keys or arguments.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_EVALUATE_CUH
#define GS_GROUP_EVALUATE_CUH

#include "kernels/plan/plan.cuh"

#define EVALUATE_OUTPUTS	(GS_PLAN_KEYS + 2 * GS_PLAN_AGGREGATES)
#define EVALUATE_FILTERS	GS_PLAN_AGGREGATES
#define EVALUATE_RANGES		16

/* Where a kernel finds an operand. */
typedef enum evaluate_from
{
	FROM_NOWHERE,
	FROM_COLUMN,
	FROM_CONSTANT,
	FROM_SLOT					/* the result of an earlier step */
} evaluate_from;

typedef struct evaluate_operand
{
	int16_t		from;			/* evaluate_from */
	int16_t		index;
} evaluate_operand;

typedef struct evaluate_step
{
	gs_instruction code;
	evaluate_operand a;
	evaluate_operand b;
	evaluate_operand c;
	int32_t		slot;			/* of the result */
	int32_t		operands;		/* 1 to 3 */
} evaluate_step;

/* How to find out whether a value is in a range, from what lies in memory. */
typedef enum range_test
{
	RANGE_ORDERED,				/* in group_ordered's order: any value */
	RANGE_BITS,					/* 32 bits: they are first to last, which may
								 * wrap around */
	RANGE_DOUBLE,				/* float8, no NaN: it is first to last */
	RANGE_DOUBLE_OR_NAN,		/* float8: it is not below first */
	RANGE_EMPTY
} range_test;

/* Rows in which a column is low to high, in group_ordered's order. */
typedef struct evaluate_range
{
	int32_t		column;
	int32_t		test;			/* range_test, of the batch, as first and last */
	int64_t		low;
	int64_t		high;
	union
	{
		uint32_t	bits;
		double		value;
	}			first,
				last;
	group_column c;
} evaluate_range;

/*
 * Rows fail where `flag`, a boolean LOOKUP, is false.  It looks up a column's
 * value, not below `least` and not above `most`, or what `through`, a LOOKUP of
 * integers or a FIND, gives for that.
 */
typedef struct evaluate_probe
{
	int32_t		column;
	int32_t		limited;		/* 1: by least or most */
	int64_t		least;
	int64_t		most;
	gs_instruction through;		/* code 0: nothing */
	gs_instruction flag;
	group_column c;				/* of the batch */
} evaluate_probe;

#define EVALUATE_PROBES		8

/*
 * Conditions of a filter that is not ranges alone, each of which is one column's.
 * A row for which one is false, neither NULL nor an error, does not count,
 * whatever the rest of the filter has.  They are tested before anything is
 * evaluated.
 */
typedef struct evaluate_prefilter
{
	int32_t		ranges;
	int32_t		probes;
	int32_t		placed;			/* of the batch: ranges of columns without NULLs,
								 * which are the first ones */
	evaluate_range range[EVALUATE_RANGES];
	evaluate_probe probe[EVALUATE_PROBES];
} evaluate_prefilter;

/* A key or an argument that is computed. */
typedef struct evaluate_output
{
	evaluate_operand operand;
	gs_operand	of;				/* the plan's */
	int32_t		type;
	int32_t		width;			/* bytes */
	void	   *values;
	uint32_t   *validity;
	long long  *range;			/* a key's, to be extended by its values in rows that
								 * count, in group_ordered's order; or NULL */
} evaluate_output;

/* Rows for which an aggregate's filter is true. */
typedef struct evaluate_filter
{
	evaluate_operand operand;
	gs_operand	of;
	uint32_t   *bits;
} evaluate_filter;

/* An error of `operand` counts where `filter`, if any, is true. */
typedef struct evaluate_check
{
	evaluate_operand operand;
	evaluate_operand filter;
} evaluate_check;

/* What is to be evaluated, the same for all batches but for pointers. */
typedef struct evaluate_program
{
	int32_t		steps;
	int32_t		slots;
	int32_t		outputs;
	int32_t		filters;
	int32_t		checks;
	int32_t		ranges;			/* the plan's filter, if it is no more than
								 * comparisons of columns with constants */
	evaluate_operand filter;	/* else */
	evaluate_range range[EVALUATE_RANGES];
	evaluate_prefilter prefilter;	/* of `filter` */
	evaluate_step step[GS_PLAN_CODE];
	evaluate_output output[EVALUATE_OUTPUTS];
	evaluate_filter filter_of[EVALUATE_FILTERS];
	evaluate_check check[EVALUATE_OUTPUTS];
	gs_constant constant[GS_PLAN_CONSTANTS];
	const gs_value *table[GS_PLAN_TABLES];

	/* of the batch */
	group_column column[GS_PLAN_COLUMNS];
	const uint32_t *mask;		/* NULL: all rows */
	uint32_t   *tested_rows;	/* those of them that pass the ranges, or may pass
								 * `filter` */
	uint32_t   *rows;			/* that count; NULL: as before */
	const gs_value *list;
	uint32_t   *errors;			/* GS_ERROR_... */

	/* of the plan */
	int32_t		elementary;		/* 1: there are such steps, which need the table */
	const struct gs_elementary_table *elementary_table;
} evaluate_program;

/* Are rows tested before all else? */
__host__ __device__ static inline bool
group_tests(const evaluate_program *p)
{
	return p->ranges + p->prefilter.placed + p->prefilter.probes > 0;
}

/*
 * Are rows that pass tests collected before they are evaluated?  Not if the filter is
 * ranges alone: then a sample may be evaluated, of rows whichever count.
 */
__host__ __device__ static inline bool
group_collects(const evaluate_program *p)
{
	return p->ranges == 0 && group_tests(p);
}

/* false: it has too many intermediate results */
extern bool group_program_make(const gs_plan *plan, evaluate_program *p);

static inline bool
group_is_result(gs_operand o)
{
	return o >= GS_RESULT(0);
}

static inline bool
group_is_column(gs_operand o)
{
	return o >= 0 && o < GS_CONSTANT(0);
}

/* A constant in the order of group_ordered; an integer is itself. */
extern int64_t group_ordered_constant(const gs_constant *k);

/*
 * Add what a condition of a plan is, if it is true where columns are in ranges,
 * and false or NULL elsewhere.  False: it is not, and some may have been added.
 */
extern bool group_ranges_add(const gs_plan *plan, gs_operand o,
							 evaluate_range *range, int32_t *ranges);

/* Prepare a range for a batch in which this is its column. */
extern void group_range_place(evaluate_range *range, const group_column *c);

/* Find conditions in the plan's filter; prepare them for the batch's columns. */
extern void group_prefilter_make(const gs_plan *plan, evaluate_prefilter *f);
extern void group_prefilter_place(evaluate_prefilter *f,
								  const group_column *column);

/*
 * Is all that is evaluated, but ranges, arguments of aggregates without
 * filters, and nothing elementary?  Then it need not be written to memory.
 */
extern bool group_program_is_arguments(const gs_plan *plan,
									   const evaluate_program *p);

/* Can the values of an operand be NULL, given the batch's columns? */
extern bool group_program_gives_null(const evaluate_program *p);

/* Is there anything to evaluate but ranges? */
extern bool group_program_is_empty(const evaluate_program *p);

/* Find tested_rows of n rows, if group_tests; `device` is a copy of the program. */
extern cudaError_t group_test_rows(const evaluate_program *p,
								   const evaluate_program *device, int64_t n,
								   cudaStream_t stream);

/* Then evaluate everything else. */
extern cudaError_t group_evaluate(const evaluate_program *p,
								  const evaluate_program *device, int64_t n,
								  cudaStream_t stream);

#endif							/* GS_GROUP_EVALUATE_CUH */
