/*-------------------------------------------------------------------------
 *
 * plan.h
 *	  What the files of the CPU engine for plans share.
 *
 * Rows are worked on a tile at a time, column after column, so that all
 * vectors stay in the L2 cache:
 *
 *		load.c				columns of a batch to vectors of a tile
 *		program.c			instructions: vectors to vectors; loops.c:
 *							their loops
 *		prefilter.c			which rows may count, a condition after the other
 *		rows.c				which rows count; their keys and arguments, packed
 *		number.c			keys to the numbers of groups, with dense.c;
 *							keys.c: the keys of the groups
 *		order.c				the order of the groups
 *		sums.c				states: sums of floats, with window.c and
 *							partial.c
 *		states.c			states: all that fit in a few words, with
 *							extremes.c
 *		values.c			states that need all of a group's values
 *		blocks.c			the rows of a plan of rows, which has no groups
 *		scatter.c			these as a look-up table
 *		engine.c			the engine's interface; memory.c
 *		threads.c			a batch's rows among threads
 *		merge.c				two executions' groups and states
 *
 * A thread that helps has an execution of its own of the same plan.  finish
 * merges these parts with the one that the caller knows.
 *
 * Groups are numbered as they appear.  A state is an array (group_store) by
 * that number; all zeros stand for no value, and so nothing is initialised.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CPU_PLAN_H
#define GS_CPU_PLAN_H

#include "engine/arithmetic.h"
#include "engine/cpu/engine_cpu.h"

#define GROUP_TILE		1024

/* Groups that results are made of between two pauses: far below 1 ms. */
#define GROUP_PAUSE		1024

/* Temporary memory of finish, which end frees if that is left by a jump. */
#define GROUP_SCRATCH	5

/* Group numbers are below this: order/sort.c's limit. */
#define GROUP_MAX		INT32_MAX

/*
 * Values of a tile's rows, of their type's width; a boolean is 0 or 1.  states
 * (arithmetic.h) are NULL if all are 0.
 */
typedef struct group_vector
{
	const void *values;
	const uint8_t *states;
} group_vector;

/* Memory for a vector. */
typedef struct group_space
{
	uint64_t	values[GROUP_TILE];
	uint8_t		states[GROUP_TILE];
} group_space;

/* An array by number of group, zero where nothing was written. */
typedef struct group_store
{
	uint8_t    *data;
	size_t		width;			/* bytes a group */
	int64_t		capacity;		/* groups */
} group_store;

/* A column that the plan reads, in this batch. */
typedef struct group_column
{
	bool		used;
	gs_type		type;
	const gs_column_data *data;
	bool		copied;			/* its memory may be another process's */
	cpu_reader	reader;			/* of its next tile */
	group_space *space;
	group_vector vector;
} group_column;

typedef struct group_step group_step;

/* loops.c: errors are set if a loop returns not 0 */
typedef uint32_t (*group_loop) (const void *a, const void *b, int n,
								void *result, uint8_t *errors);
typedef void (*group_search) (const void *a, const gs_value *list, int count,
							  int n, uint8_t *found);

typedef void (*group_places) (const void *a, const gs_value *list, int count,
							  int n, int32_t *place);
typedef uint32_t (*group_check) (const void *a, const void *b, const void *c,
								 int n, void *result, uint8_t *errors);

/* 1 where the result is b */
typedef void (*group_extreme) (const void *a, const uint8_t *a_states,
							   const void *b, const uint8_t *b_states, int n,
							   uint8_t *choice);

/* of integers and a constant */
typedef void (*group_limit) (const void *a, const uint8_t *states,
							 gs_value limit, int n, void *result);

/* Loops of which the compiler makes wider vectors, where gs_cpu_lanes() has 4. */
#if defined(__x86_64__) && defined(__GNUC__)
#define GROUP_WIDER_LANES	__attribute__((target("avx2")))
#endif

extern group_loop gs_group_loop_of(const gs_instruction *in);
extern group_search gs_group_search_of(gs_type type);
extern group_places gs_group_places_of(gs_type type);
extern group_check gs_group_check_of(gs_type type);
extern group_extreme gs_group_extreme_of(gs_code code, gs_type type);
extern group_limit gs_group_limit_of(gs_code code, gs_type type);
extern void gs_group_choose(gs_type type, const uint8_t *choice, const void *b,
							const void *c, int n, void *result);

/* division.c: where b is a constant; NULL if gs_group_loop_of's loop is as good. */
extern group_loop gs_group_divide_by_constant(const gs_instruction *in,
											  const gs_constant *b);

/* An instruction and where its result goes. */
struct group_step
{
	const gs_instruction *in;
	void		(*run) (gs_plan_run *run, group_step *step, int n);
	group_loop	loop;			/* of run_strict */
	group_limit limit;			/* of run_limit */
	group_space *space;
	group_vector vector;
};

/* A key or an argument: its values in rows that count. */
typedef struct group_output
{
	gs_operand	operand;
	gs_type		type;
	group_space *space;
	group_vector vector;
} group_output;

/* Rows of which none is NULL: their groups and arguments. */
typedef struct group_rows
{
	int			n;
	bool		uniform;		/* all are of one group */
	const uint32_t *group;
	const void *a;
	const void *b;
} group_rows;

/* Arguments and a filter that aggregates have in common. */
typedef struct group_argument
{
	int			a;				/* index of output; -1: none */
	int			b;
	int			filter;
	group_space *a_space;
	group_space *b_space;
	uint32_t   *group_space;
	group_rows	rows;
	uint64_t   *order;			/* gs_group_ordered() */
	bool		ordered;

	/* which elements go to partial sums: partial.c */
	int			exponent;		/* the least one of theirs; 0: not chosen */
	bool		looked;			/* at this tile: */
	bool		fits;			/* all elements have these exponents */
	int			rest;			/* tiles that are not looked at */
	int			next_rest;		/* after the next that does not fit */
} group_argument;

typedef struct group_state group_state;

/* What a kind of states does. */
typedef struct group_family
{
	gs_status	(*begin) (gs_plan_run *run, group_state *s);
	gs_status	(*add) (gs_plan_run *run, group_state *s,
						const group_rows *rows);

	/*
	 * add the state of a part's execution; the part's groups have these
	 * numbers in `run`
	 */
	gs_status	(*merge) (gs_plan_run *run, group_state *s,
						  gs_plan_run *part, group_state *from,
						  const uint32_t *group);

	/* before fetch; NULL: nothing */
	gs_status	(*finish) (gs_plan_run *run, group_state *s);

	/* the state of the group at a place of the order */
	void		(*fetch) (gs_plan_run *run, group_state *s, int64_t place,
						  void *to);
	void		(*end) (group_state *s);	/* NULL: nothing */
} group_family;

/* Sums of floats: sums.c */
typedef struct group_sums group_sums;

/* Values of groups: values.c */
typedef struct group_values group_values;

/* Values that change no extreme: extremes.c */
typedef struct group_bound
{
	gs_value	value;			/* those that are not beyond this one, */
	int64_t		groups;			/* while there are so many groups; 0: any may */
	int64_t		rows;			/* since the last search for it */
} group_bound;

/* The states of an aggregate. */
struct group_state
{
	const gs_aggregate *aggregate;
	const group_family *family;
	gs_type		type;			/* of its argument */
	int			argument;		/* of a plan of rows: its output */
	size_t		size;			/* gs_state_size() */
	group_store store;
	group_store present;		/* a byte: is there a value? */
	group_bound bound;
	group_sums *sums;
	group_values *values;
	bool		owner;			/* of values */
};

/*
 * Keys to numbers of groups: number.c.  A key in `stored` is an integer in
 * the keys' order.
 *
 * Dense: integers and booleans.  A key less its `low` takes `bits` bits of the
 * index of `table`, and NULL, once there is one, the bit above these.
 *
 * Hashed: open addressing.  An entry has a single key itself, or the hash of
 * several.
 */
typedef struct group_dense_key
{
	int64_t		low;
	int			bits;
	bool		nulls;
	int			shift;			/* its place in the index */
} group_dense_key;

typedef struct group_entry
{
	uint64_t	key;
	uint32_t	group;			/* its number + 1; 0: the entry is empty */
} group_entry;

typedef struct group_keys
{
	int			n;
	int			output[GS_PLAN_KEYS];
	gs_type		type[GS_PLAN_KEYS];
	group_store stored[GS_PLAN_KEYS];	/* uint64_t */
	group_store nulls;			/* uint8_t: bit k */

	bool		can_be_dense;	/* no floats */
	bool		dense;
	group_dense_key key[GS_PLAN_KEYS];
	uint32_t   *table;			/* number + 1; 0: no such group */
	int			table_bits;

	group_entry *entry;
	int			entry_bits;
	uint32_t	null_group;		/* of a single key, + 1 */
	uint64_t   *tile[GS_PLAN_KEYS]; /* of this tile, as stored */
	uint64_t   *hash;
	uint8_t    *tile_nulls;
} group_keys;

/*
 * The rows of a plan of rows: blocks.c.  Values of a block are those of one
 * output after those of another, and each has room for `capacity` rows.
 */
typedef struct group_block
{
	struct group_block *next;
	int64_t		capacity;
	int64_t		rows;
	uint8_t    *values;
	uint8_t    *valid[GS_PLAN_AGGREGATES];	/* of an output, a byte a row: is it
											 * not NULL?  NULL: all are not */
} group_block;

typedef struct group_piece
{
	int64_t		place;			/* in the order of feeding: ascends with it */
	group_block *block;
	int64_t		at;				/* its first row in the block */
	int64_t		rows;
	int64_t		row;			/* finish: its first one in the result */
} group_piece;

typedef struct group_blocks
{
	size_t		width;			/* bytes of a row */
	size_t		before[GS_PLAN_AGGREGATES]; /* of these, before an output's */
	group_block *last;			/* the others are behind it */
	group_piece *piece;
	int64_t		pieces;
	int64_t		piece_capacity;
	int64_t		base;			/* rows fed before this batch */
	int64_t		chunk;			/* counts runs of rows that this thread is given; */
	int64_t		piece_chunk;	/* that of the last piece */
} group_blocks;

/* A condition of the filter that is tested before the rest: prefilter.c */
#define GROUP_CONDITIONS	16

typedef struct group_condition
{
	gs_operand	operand;
	uint64_t	needs[GS_PLAN_CODE / 64];	/* instructions */
	int			untested;		/* tiles, before the next one that is tested */
	int			pause;			/* how many these were */
	double		price;			/* of its instructions, in simple ones */
	double		tested;			/* rows, lately, and of these those it left */
	double		left;
} group_condition;

struct gs_plan_run
{
	const gs_plan *plan;
	gs_error	error;
	bool		finished;
	gs_summary	summary;
	int64_t		rows;			/* fed so far, with this batch */
	int64_t		worked;			/* of these, not left to others */
	int			slices;			/* of a plan of rows; 0: all rows count, else */
	int			slice;			/* those of this one, */
	gs_operand	by;				/* by this integer */

	group_column column[GS_PLAN_COLUMNS];
	group_vector constant[GS_PLAN_CONSTANTS];
	group_space *constant_space[GS_PLAN_CONSTANTS];
	group_step	step[GS_PLAN_CODE];
	group_space *space[GS_PLAN_CODE];	/* results; shared by liveness */
	int			spaces;
	group_condition condition[GROUP_CONDITIONS];
	int			conditions;

	group_output output[GS_PLAN_KEYS + 3 * GS_PLAN_AGGREGATES];
	int			outputs;
	group_argument argument[GS_PLAN_AGGREGATES];
	int			arguments;
	group_keys	keys;
	group_state state[GS_PLAN_AGGREGATES];
	group_blocks blocks;

	/* what threads have that helped: threads.c */
	gs_plan_run *part[GS_ENGINE_THREADS_MAX - 1];

	/* the groups in order: order.c; NULL: as numbered */
	uint32_t   *order;
	void	   *scratch[GROUP_SCRATCH]; /* of finish */
	void	   *fresh;			/* memory that is prepared, between pauses */

	/* of a tile */
	uint8_t		keep[GROUP_TILE];
	uint16_t	selected[GROUP_TILE];
	uint32_t	group[GROUP_TILE];
};

/* memory.c */
extern gs_status gs_group_fail(gs_plan_run *run, gs_status status,
							   const char *message);
extern gs_status gs_group_no_memory(gs_plan_run *run);
extern bool gs_group_reserve(size_t n, size_t width);
extern void *gs_group_allocate(size_t n, size_t width);
extern void *gs_group_zeros(size_t n, size_t width);
extern void *gs_group_long_zeros(gs_plan_run *run, size_t n, size_t width);
extern void gs_group_free_scratch(gs_plan_run *run);
extern bool gs_group_store_grow(gs_plan_run *run, group_store *s,
								int64_t groups);

/* engine.c */
extern gs_status gs_group_grow_states(gs_plan_run *run);
extern gs_status gs_group_begin(const gs_plan *plan, gs_plan_run **run);
extern gs_status gs_group_feed_rows(gs_plan_run *run, const gs_batch *batch,
									int64_t at, int64_t end);
extern void gs_group_end(gs_plan_run *run);

/* The number of the group at a place. */
static inline uint32_t
gs_group_at(const gs_plan_run *run, int64_t place)
{
	return run->order == NULL ? (uint32_t) place : run->order[place];
}

/* load.c */
extern gs_status gs_group_check_batch(gs_plan_run *run, const gs_batch *batch);
extern void gs_group_start_batch(gs_plan_run *run, const gs_batch *batch);
extern void gs_group_end_batch(gs_plan_run *run);
extern void gs_group_load(gs_plan_run *run, int64_t at, int n);
extern void gs_group_fetch_ahead(const gs_plan_run *run, int64_t at, int n,
								 int quarter);

/* threads.c; tests share more than pays */
typedef struct group_sharing
{
	/* rows that a thread takes at a time: a multiple of GROUP_TILE */
	int64_t		chunk;

	/* rows a thread, at least */
	int64_t		rows;

	/* bytes of groups a row of a thread, at most: they will be merged */
	int64_t		bytes_a_row;

	/*
	 * rows a group so far, at least: groups that hardly repeat may never do
	 * so
	 */
	int64_t		rows_a_group;
} group_sharing;

extern group_sharing gs_group_sharing;
extern int	gs_group_helpers(const gs_plan_run *run, int64_t left);
extern gs_status gs_group_share(gs_plan_run *run, const gs_batch *batch,
								int64_t at, int wanted);

/* merge.c */
extern gs_status gs_group_merge(gs_plan_run *run, gs_plan_run *part);

/* program.c */
extern gs_status gs_group_compile(gs_plan_run *run);
extern void gs_group_execute(gs_plan_run *run, int n);

/*
 * prefilter.c: how many of a tile's n loaded rows may pass the filter; packed: fewer
 * than all, and those that the batch's mask leaves out are not among them.
 */
extern void gs_group_plan_prefilter(gs_plan_run *run);
extern int	gs_group_prefilter(gs_plan_run *run, const gs_batch *batch,
							   int64_t at, int n, bool *packed);
extern void gs_group_end_program(gs_plan_run *run);
extern group_vector gs_group_vector(const gs_plan_run *run,
									gs_operand operand);
extern void gs_group_set_value(gs_type type, void *values, int i,
							   gs_value value);

/* lookup.c: GS_CODE_LOOKUP; GS_CODE_FIND, of any values where there are states */
extern void gs_group_run_lookup(gs_plan_run *run, group_step *s, int n);
extern void gs_group_find(const gs_plan *plan, const gs_instruction *in,
						  const void *a, int n, int32_t *place);

/* rows.c */
extern gs_status gs_group_plan_rows(gs_plan_run *run);
extern bool gs_group_masks(const gs_batch *batch, int64_t at, int n);
extern int	gs_group_list(uint8_t *keep, int n, uint16_t *selected);
extern int	gs_group_select(gs_plan_run *run, const gs_batch *batch,
							int64_t at, int n, bool packed);
extern int	gs_group_select_slice(gs_plan_run *run, int n, int selected);
extern void gs_group_gather(const void *values, int width,
							const uint16_t *selected, int n, void *packed);
extern void gs_group_pack(gs_plan_run *run, int n, int selected);
extern void gs_group_pack_argument(gs_plan_run *run, group_argument *a, int n,
								   bool uniform);
extern void gs_group_end_rows(gs_plan_run *run);
extern const uint64_t *gs_group_ordered(gs_plan_run *run,
										const group_state *s);

/* scatter.c: as in gs_plan_engine */
extern gs_status gs_group_range(gs_plan_run *run, int value,
								struct gs_value_range *range);
extern gs_status gs_group_scatter(gs_plan_run *run,
								  const struct gs_scatter *s, void *to,
								  int64_t *placed, int64_t *repeated);

/* blocks.c */
extern void gs_group_begin_blocks(gs_plan_run *run);
extern void gs_group_end_blocks(gs_plan_run *run);
extern gs_status gs_group_append(gs_plan_run *run, int64_t at, int n,
								 int selected);
extern gs_status gs_group_merge_blocks(gs_plan_run *run, gs_plan_run *part);
extern void gs_group_order_pieces(gs_plan_run *run);
extern void gs_group_fetch_rows(gs_plan_run *run, int column, int64_t first,
								int64_t n, void *to);

static inline uint8_t *
gs_group_block_values(const group_blocks *b, const group_block *block,
					  int output)
{
	return block->values + (size_t) block->capacity * b->before[output];
}

/* number.c */
extern gs_status gs_group_number(gs_plan_run *run, int n);

/* keys.c */
extern gs_status gs_group_begin_keys(gs_plan_run *run);
extern void gs_group_end_keys(gs_plan_run *run);
extern uint32_t gs_group_new(gs_plan_run *run, int row);

/* dense.c */
extern gs_status gs_group_number_dense(gs_plan_run *run, int n);
extern gs_status gs_group_reconsider_dense(gs_plan_run *run, int n);

/* order.c: integers in the order of values, and back */
extern void gs_group_order_keys(gs_type type, const void *values, int n,
								bool one_zero, uint64_t *key);
extern gs_value gs_group_value_of(gs_type type, uint64_t key);
extern gs_status gs_group_sort(gs_plan_run *run);

/* states.c, extremes.c */
extern const double *gs_group_doubles(gs_type type, const void *values, int n,
									  double *space);

/* the families of states */
extern const group_family gs_group_counts;
extern const group_family gs_group_integer_sums;
extern const group_family gs_group_float_sums;
extern const group_family gs_group_extremes;
extern const group_family gs_group_bits;
extern const group_family gs_group_specials;
extern const group_family gs_group_histograms;
extern const group_family gs_group_sorted;

/* sums.c: a part's windows, and column GS_FETCH_WIDE */
extern void gs_group_copy_window(group_state *s, const group_state *from);
extern int64_t gs_group_wide_sums(const group_state *s);
extern void gs_group_fetch_wide(gs_plan_run *run, group_state *s,
								int64_t place, void *to);

#endif							/* GS_CPU_PLAN_H */
