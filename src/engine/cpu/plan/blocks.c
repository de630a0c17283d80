/*-------------------------------------------------------------------------
 *
 * blocks.c
 *	  The rows of a plan of rows.
 *
 * Values of rows that count are appended to the last of some blocks, and stay
 * where they are.  A piece is a part of a block whose rows followed one another
 * when they were fed; pieces know their places in that order, in which finish
 * puts those of all threads.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

#include <stdlib.h>

/*
 * Bytes of a block's values, at most: large enough for huge pages, and copied
 * within a pause.
 */
#define BLOCK_BYTES		((size_t) 8 << 20)

/* Which outputs there are is known. */
void
gs_group_begin_blocks(gs_plan_run *run)
{
	group_blocks *b = &run->blocks;

	for (int i = 0; i < run->outputs; i++)
	{
		b->before[i] = b->width;
		b->width += (size_t) gs_type_width(run->output[i].type);
	}
}

void
gs_group_end_blocks(gs_plan_run *run)
{
	group_block *next;

	for (group_block *block = run->blocks.last; block != NULL; block = next)
	{
		next = block->next;
		for (int i = 0; i < GS_PLAN_AGGREGATES; i++)
			free(block->valid[i]);
		free(block->values);
		free(block);
	}
	free(run->blocks.piece);
}

/* A block of twice as many rows as there are so far, within limits. */
static gs_status
add_block(gs_plan_run *run)
{
	group_blocks *b = &run->blocks;
	int64_t		most = (int64_t) (BLOCK_BYTES / b->width) / GROUP_TILE;
	int64_t		tiles = 1 + run->summary.rows / GROUP_TILE;
	group_block *block = gs_group_zeros(1, sizeof *block);

	if (block == NULL)
		return gs_group_no_memory(run);
	tiles = tiles < most ? tiles : most;
	block->next = b->last;
	block->capacity = tiles * GROUP_TILE;
	b->last = block;
	block->values = gs_group_allocate((size_t) block->capacity, b->width);
	return block->values == NULL ? gs_group_no_memory(run) : GS_OK;
}

/* So many more pieces; the array grows. */
static bool
grow_pieces(group_blocks *b, int64_t more)
{
	int64_t		wanted = b->pieces + more;
	group_piece *piece;

	if (wanted <= b->piece_capacity)
		return true;
	wanted += wanted + 14;
	if (!gs_group_reserve((size_t) (wanted - b->piece_capacity),
						  sizeof *piece))
		return false;
	piece = realloc(b->piece, (size_t) wanted * sizeof *piece);
	if (piece == NULL)
		return false;
	b->piece = piece;
	b->piece_capacity = wanted;
	return true;
}

/* The next rows begin at this place. */
static gs_status
add_piece(gs_plan_run *run, int64_t place)
{
	group_blocks *b = &run->blocks;

	if (!grow_pieces(b, 1))
		return gs_group_no_memory(run);
	b->piece[b->pieces++] = (group_piece) {
		.place = place, .block = b->last, .at = b->last->rows
	};
	return GS_OK;
}

#define CLEAR(width, bits) \
static void \
clear##width(const uint8_t *valid, int n, void *values) \
{ \
	bits	   *v = values; \
\
	for (int i = 0; i < n; i++) \
		v[i] &= (bits) -(bits) valid[i]; \
}

CLEAR(1, uint8_t)
CLEAR(2, gs_bits16)
CLEAR(4, gs_bits32)
CLEAR(8, gs_bits64)

/* What is NULL has the value 0. */
static void
clear(const uint8_t *valid, int width, int n, void *values)
{
	switch (width)
	{
		case 1:
			clear1(valid, n, values);
			break;
		case 2:
			clear2(valid, n, values);
			break;
		case 4:
			clear4(valid, n, values);
			break;
		default:
			clear8(valid, n, values);
	}
}

/* NaN of any engine's instructions is the same one. */
static void
make_canonical_float4(float *v, int n)
{
	const float nan = (float) gs_canonical_nan();

	for (int i = 0; i < n; i++)
		v[i] = v[i] == v[i] ? v[i] : nan;
}

static void
make_canonical_float8(double *v, int n)
{
	const double nan = gs_canonical_nan();

	for (int i = 0; i < n; i++)
		v[i] = v[i] == v[i] ? v[i] : nan;
}

/*
 * Which of a tile's values, of rows that count, are not NULL; flags so far are 1
 * if the block had none.
 */
static gs_status
append_states(gs_plan_run *run, const uint8_t *states, int n, uint8_t **valid)
{
	const group_block *block = run->blocks.last;
	uint8_t		all = 0;

	for (int i = 0; i < n; i++)
		all |= states[i];
	run->summary.errors |= all & GS_STATE_ERRORS;
	if (*valid == NULL && all != 0)
	{
		*valid = gs_group_allocate((size_t) block->capacity, 1);
		if (*valid == NULL)
			return gs_group_no_memory(run);
		memset(*valid, 1, (size_t) block->rows);
	}
	for (int i = 0; i < n && *valid != NULL; i++)
		(*valid)[block->rows + i] = states[i] == 0;
	return GS_OK;
}

/* An output's values in the rows that count: `selected` of n. */
static gs_status
append_output(gs_plan_run *run, int i, int n, int selected)
{
	const group_output *o = &run->output[i];
	group_block *block = run->blocks.last;
	group_vector v = gs_group_vector(run, o->operand);
	int			width = gs_type_width(o->type);
	uint8_t    *to = gs_group_block_values(&run->blocks, block, i) +
		block->rows * width;
	uint8_t		states[GROUP_TILE];
	gs_status	status;

	if (selected < n)
		gs_group_gather(v.values, width, run->selected, selected, to);
	else
		memcpy(to, v.values, (size_t) n * width);
	if (o->type == GS_FLOAT4)
		make_canonical_float4((float *) to, selected);
	else if (o->type == GS_FLOAT8)
		make_canonical_float8((double *) to, selected);
	if (v.states == NULL)
	{
		if (block->valid[i] != NULL)
			memset(block->valid[i] + block->rows, 1, (size_t) selected);
		return GS_OK;
	}
	if (selected < n)
	{
		gs_group_gather(v.states, 1, run->selected, selected, states);
		v.states = states;
	}
	status = append_states(run, v.states, selected, &block->valid[i]);
	if (status == GS_OK && block->valid[i] != NULL)
		clear(block->valid[i] + block->rows, width, selected, to);
	return status;
}

/*
 * The rows of a tile that count: `selected`, at least one, of n from `at` of the
 * batch on.
 */
gs_status
gs_group_append(gs_plan_run *run, int64_t at, int n, int selected)
{
	group_blocks *b = &run->blocks;
	bool		follows = b->chunk == b->piece_chunk;
	gs_status	status = GS_OK;

	if (b->width == 0)
		return GS_OK;
	if (b->last == NULL || b->last->capacity - b->last->rows < selected)
	{
		follows = false;
		status = add_block(run);
	}
	if (status == GS_OK && !follows)
		status = add_piece(run, b->base + at);
	b->piece_chunk = b->chunk;
	for (int i = 0; i < run->outputs && status == GS_OK; i++)
		status = append_output(run, i, n, selected);
	if (status != GS_OK)
		return status;
	b->last->rows += selected;
	b->piece[b->pieces - 1].rows += selected;
	return GS_OK;
}

/* Take over a part's blocks. */
gs_status
gs_group_merge_blocks(gs_plan_run *run, gs_plan_run *part)
{
	group_blocks *b = &run->blocks;
	group_blocks *from = &part->blocks;
	group_block **end = &from->last;

	if (!grow_pieces(b, from->pieces))
		return gs_group_no_memory(run);
	if (from->pieces > 0)
		memcpy(b->piece + b->pieces, from->piece,
			   (size_t) from->pieces * sizeof *from->piece);
	b->pieces += from->pieces;
	while (*end != NULL)
		end = &(*end)->next;
	*end = b->last;
	b->last = from->last;
	from->last = NULL;
	return GS_OK;
}

static int
compare_pieces(const void *a, const void *b)
{
	const group_piece *x = a;
	const group_piece *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

/* All rows have been fed, and all parts merged. */
void
gs_group_order_pieces(gs_plan_run *run)
{
	group_blocks *b = &run->blocks;
	int64_t		row = 0;

	if (b->pieces > 0)
		qsort(b->piece, (size_t) b->pieces, sizeof *b->piece, compare_pieces);
	for (int64_t i = 0; i < b->pieces; i++)
	{
		b->piece[i].row = row;
		row += b->piece[i].rows;
	}
}

/* The piece that has the row. */
static const group_piece *
find_piece(const group_blocks *b, int64_t row)
{
	int64_t		first = 0;
	int64_t		end = b->pieces;

	while (end - first > 1)
	{
		int64_t		middle = first + (end - first) / 2;

		if (b->piece[middle].row <= row)
			first = middle;
		else
			end = middle;
	}
	return &b->piece[first];
}

/* The values of n rows from `first` on, which exist; and flags of these. */
typedef void (*piece_reader) (const group_blocks *b, const group_piece *piece,
							  int output, int width, int64_t skip, int64_t n,
							  uint8_t *to);

static void
read_values(const group_blocks *b, const group_piece *piece, int output,
			int width, int64_t skip, int64_t n, uint8_t *to)
{
	memcpy(to, gs_group_block_values(b, piece->block, output) +
		   (piece->at + skip) * width, (size_t) (n * width));
}

static void
read_flags(const group_blocks *b, const group_piece *piece, int output,
		   int width, int64_t skip, int64_t n, uint8_t *to)
{
	const uint8_t *valid = piece->block->valid[output];

	(void) b;
	(void) width;
	if (valid == NULL)
		memset(to, 1, (size_t) n);
	else
		memcpy(to, valid + piece->at + skip, (size_t) n);
}

static void
read_pieces(const group_blocks *b, piece_reader read, int output, int width,
			int64_t first, int64_t n, uint8_t *to)
{
	const group_piece *piece = n > 0 ? find_piece(b, first) : NULL;

	for (int64_t part; n > 0; n -= part, first += part, piece++)
	{
		int64_t		skip = first - piece->row;

		part = piece->rows - skip < n ? piece->rows - skip : n;
		read(b, piece, output, width, skip, part, to);
		to += part * width;
		gs_cpu_pause();
	}
}

static bool
has_nulls(const group_blocks *b, int output)
{
	for (const group_block *block = b->last; block != NULL; block = block->next)
	{
		if (block->valid[output] != NULL)
			return true;
	}
	return false;
}

/* n elements of validity from `first` on: one has the bits of 64 rows. */
static void
fetch_validity(const gs_plan_run *run, int output, int64_t first, int64_t n,
			   uint64_t *to)
{
	uint8_t		flags[GROUP_TILE];
	int64_t		left = run->summary.rows - first * 64;

	if (n == 0)
		return;					/* behind the last word nothing is left */
	if (!has_nulls(&run->blocks, output))
	{
		memset(to, 0, (size_t) n * sizeof *to);
		gs_cpu_set_bits((uint8_t *) to, left < n * 64 ? left : n * 64);
		return;
	}
	for (; n > 0; n -= GROUP_TILE / 64, left -= GROUP_TILE)
	{
		int			rows = left < GROUP_TILE ? (int) left : GROUP_TILE;

		if (n < GROUP_TILE / 64)
			rows = rows < n * 64 ? rows : (int) n * 64;
		memset(to, 0, (size_t) GS_VALIDITY_ROWS(rows) * sizeof *to);
		read_pieces(&run->blocks, read_flags, output, 1,
					run->summary.rows - left, rows, flags);
		gs_cpu_flags_to_bits(flags, rows, (uint8_t *) to, 0);
		to += GROUP_TILE / 64;
	}
}

/* gs_plan_engine.fetch of a range that exists */
void
gs_group_fetch_rows(gs_plan_run *run, int column, int64_t first, int64_t n,
					void *to)
{
	int			at = column - GS_FETCH_STATE(0);
	int			output = run->state[at / 2].argument;

	if (at % 2 == 0)
		read_pieces(&run->blocks, read_values, output,
					gs_type_width(run->output[output].type), first, n, to);
	else
		fetch_validity(run, output, first, n, to);
}
