/*-------------------------------------------------------------------------
 *
 * rows.cu
 *	  The rows of a plan of rows.
 *
 * Rows that count are appended, batch by batch, to columns that have a value
 * each, of the type's width and 0 where NULL.  Their places come from ranks of
 * the bitmap of rows that count; so they are in the order in which rows were
 * fed.
 *
 * All columns are in one piece of memory.  A column has bits of what is not
 * NULL, which are kept from the first batch on where something may be NULL.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/arithmetic.h"
#include "kernels/plan/load.cuh"
#include "kernels/plan/run.cuh"

#define THREADS		256

/* Rows that a thread has at a time; a warp has GS_RANK_BLOCK in parts. */
#define ROWS		8
#define PART		(ROWS * GS_WARP)

/* ----------
 * Memory
 * ----------
 */

void
group_rows_begin(gs_plan_run *run)
{
	const gs_plan *plan = run->plan;
	group_rows *r = &run->found;

	for (int i = 0; i < plan->aggregates; i++)
	{
		gs_operand	of = plan->aggregate[i].a;
		int			c = 0;

		while (c < r->columns && r->of[c] != of)
			c++;
		r->column_of[i] = c;
		if (c < r->columns)
			continue;
		r->of[c] = of;
		r->width[c] = gs_type_width(gs_operand_type(plan, of));
		r->columns++;
	}
}

void
group_rows_free(group_rows *r)
{
	group_free(&r->memory);
	group_free(&r->ranks);
	group_free(&r->slice_bits);
}

static size_t
bits_size(int64_t rows)
{
	return (size_t) GS_VALIDITY_ROWS(rows) * sizeof(uint64_t);
}

/* Where columns of so many rows are; returns the size of all. */
static size_t
lay(group_rows *r, int64_t capacity)
{
	size_t		size = 0;

	r->capacity = capacity;
	for (int c = 0; c < r->columns; c++)
	{
		r->values_at[c] = size;
		size += gs_aligned((size_t) capacity * r->width[c]);
		r->bits_at[c] = size;
		size += gs_aligned(bits_size(capacity));
	}
	return size;
}

static cudaError_t
copy(char *to, const char *from, size_t size, cudaStream_t stream)
{
	return size == 0 ? cudaSuccess :
		cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, stream);
}

/* All rows so far go to more memory. */
static cudaError_t
move(const group_rows *from, const group_rows *to, cudaStream_t stream)
{
	for (int c = 0; c < from->columns; c++)
	{
		char	   *bits = to->memory.at + to->bits_at[c];

		GS_TRY(copy(to->memory.at + to->values_at[c],
					from->memory.at + from->values_at[c],
					(size_t) from->n * from->width[c], stream));
		GS_TRY(cudaMemsetAsync(bits, 0, bits_size(to->capacity), stream));
		if (from->nulls[c])
			GS_TRY(copy(bits, from->memory.at + from->bits_at[c],
						bits_size(from->n), stream));
	}

	/* before it is given back */
	return from->n > 0 ? cudaStreamSynchronize(stream) : cudaSuccess;
}

/*
 * Room for more rows: for twice as many as there was, if there is memory.  To a slice come
 * as many from other devices, at the end, when all of them wait.
 */
static cudaError_t
reserve(group_rows *r, int64_t more, cudaStream_t stream)
{
	int			times = r->slices > 1 ? 2 : 1;
	group_rows	after = *r;
	int64_t		least = r->n + more;
	int64_t		most = times * (least < 2 * r->capacity ? 2 * r->capacity : least);
	cudaError_t error;

	if (least <= r->capacity)
		return cudaSuccess;
	after.memory = {NULL, 0};
	error = group_reserve(&after.memory, lay(&after, most), stream);
	if (error == cudaErrorMemoryAllocation && most > least)
	{
		(void) cudaGetLastError();	/* clear the error */
		error = group_reserve(&after.memory, lay(&after, least), stream);
	}
	GS_TRY(error);
	error = move(r, &after, stream);
	group_free(error == cudaSuccess ? &r->memory : &after.memory);
	if (error == cudaSuccess)
		*r = after;
	return error;
}

/* ----------
 * Rows
 * ----------
 */

/* A column of the batch, and where its values go. */
typedef struct rows_column
{
	group_column from;
	void	   *values;
	uint32_t   *bits;			/* NULL: there are none */
} rows_column;

typedef struct rows_job
{
	int64_t		n;
	int64_t		at;				/* the first one's place */
	const uint32_t *rows;		/* that count; NULL: all */
	const uint32_t *ranks;		/* of these */
	rows_column column[GS_PLAN_AGGREGATES];
} rows_job;

static_assert(sizeof(rows_job) <= 4096, "too large for a kernel's parameters");

/* The rows of a warp's part, in words of 32. */
typedef struct rows_part
{
	uint32_t	row[ROWS];		/* a lane's, one of each word */
	uint32_t	count[ROWS];	/* the word: which ones count */
	uint32_t	mask;			/* which of the lane's do */
	uint32_t	before[ROWS];	/* how many do before each word */
	bool		full;			/* all */
} rows_part;

/* Returns how many count up to its end. */
__device__ static inline uint32_t
find_part(const rows_job &j, int64_t first, uint32_t before, rows_part *p)
{
	p->mask = 0;
	p->full = true;
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		int64_t		at = first + r * GS_WARP;
		int64_t		left = j.n - at;
		uint32_t	word = left <= 0 ? 0 : j.rows == NULL ? UINT32_MAX :
			__ldg(j.rows + at / 32);

		if (left > 0 && left < GS_WARP)
			word &= (1u << left) - 1;
		p->row[r] = (uint32_t) (at + gs_lane());
		p->count[r] = word;
		p->mask |= (word >> gs_lane() & 1) << r;
		p->full &= word == UINT32_MAX;
		p->before[r] = before;
		before += __popc(word);
	}
	return before;
}

/* NaN is the canonical one. */
__device__ static inline int64_t
canonical(int type, int64_t value)
{
	if (type == GS_FLOAT8)
	{
		double		x = __longlong_as_double(value);

		return x == x ? value : (int64_t) gs_double_bits(gs_canonical_nan());
	}
	if (type == GS_FLOAT4)
	{
		float		x = __int_as_float((int) value);

		return x == x ? value :
			(int64_t) (uint32_t) __float_as_int((float) gs_canonical_nan());
	}
	return value;
}

/* Where a lane's row is among those of its word. */
__device__ static inline uint32_t
place_in(uint32_t word)
{
	return __popc(word & ((1u << gs_lane()) - 1));
}

template <typename T>
__device__ static inline void
store_values(T *to, const rows_part &p, const int64_t *x)
{
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		if (p.mask >> r & 1)
			to[p.before[r] + place_in(p.count[r])] = (T) x[r];
	}
}

/* The bits of all lanes. */
__device__ static inline uint32_t
warp_or(uint32_t bits)
{
#if __CUDA_ARCH__ >= 800
	return __reduce_or_sync(GS_ALL_LANES, bits);
#else
#pragma unroll
	for (int d = 1; d < GS_WARP; d *= 2)
		bits |= __shfl_xor_sync(GS_ALL_LANES, bits, d);
	return bits;
#endif
}

/* Set bits from a place on; others may set the words' other ones. */
__device__ static inline void
set_bits_at(uint32_t *to, int64_t at, uint32_t bits)
{
	uint64_t	both = (uint64_t) bits << (at % 32);

	if ((uint32_t) both != 0)
		atomicOr(to + at / 32, (uint32_t) both);
	if (both >> 32 != 0)
		atomicOr(to + at / 32 + 1, (uint32_t) (both >> 32));
}

/* The bits of what is present, without gaps. */
__device__ static inline void
store_bits(uint32_t *to, int64_t at, const rows_part &p, uint32_t present)
{
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		uint32_t	bit = present >> r & 1;
		uint32_t	bits = p.count[r] == UINT32_MAX ?
			__ballot_sync(GS_ALL_LANES, bit) :
			warp_or(bit << place_in(p.count[r]));

		if (gs_lane() == 0)
			set_bits_at(to, at + p.before[r], bits);
	}
}

__device__ static inline void
append_part(const rows_column &c, int64_t at, const rows_part &p)
{
	uint32_t	present = group_rows_with_bit<ROWS>(c.from.validity, p.row,
													p.mask);
	int64_t		x[ROWS];

	if (p.full)
		group_load_rows<ROWS, GS_WARP>(c.from.values, c.from.format,
									   c.from.base, p.row, p.mask, x);
	else
		group_load_rows<ROWS, 0>(c.from.values, c.from.format, c.from.base,
								 p.row, p.mask, x);
	GROUP_EACH_ROW(ROWS, true, 0,
				   x[r] = present >> r & 1 ? canonical(c.from.type, x[r]) : 0)
	switch (c.from.type)
	{
		case GS_BOOL:
			store_values((uint8_t *) c.values + at, p, x);
			break;
		case GS_INT2:
			store_values((uint16_t *) c.values + at, p, x);
			break;
		case GS_INT4:
		case GS_FLOAT4:
			store_values((uint32_t *) c.values + at, p, x);
			break;
		default:
			store_values((int64_t *) c.values + at, p, x);
	}
	if (c.bits != NULL)
		store_bits(c.bits, at, p, present);
}

/* A row of blocks for each column; a warp has GS_RANK_BLOCK rows at a time. */
__global__ void
__launch_bounds__(THREADS, 3)
append_kernel(const __grid_constant__ rows_job j)
{
	const rows_column &c = j.column[blockIdx.y];
	int64_t		warps = (int64_t) gridDim.x * THREADS / GS_WARP;
	int64_t		warp = ((int64_t) blockIdx.x * THREADS + threadIdx.x) /
		GS_WARP;

	for (int64_t first = warp * GS_RANK_BLOCK; first < j.n;
		 first += warps * GS_RANK_BLOCK)
	{
		uint32_t	before = j.ranks == NULL ? (uint32_t) first :
			__ldg(j.ranks + first / GS_RANK_BLOCK);

		for (int64_t at = first; at < first + GS_RANK_BLOCK; at += PART)
		{
			rows_part	p;
			uint32_t	end = find_part(j, at, before, &p);

			if (end > before)
				append_part(c, j.at, p);
			before = end;
		}
	}
}

typedef struct slice_job
{
	int64_t		n;
	const uint32_t *rows;		/* that count; NULL: all */
	group_column by;
	int32_t		slices;
	int32_t		slice;
	uint32_t   *to;				/* bits of those of the slice */
} slice_job;

/* A warp has PART rows at a time. */
__global__ void
__launch_bounds__(THREADS)
slice_kernel(const __grid_constant__ slice_job j)
{
	int64_t		warps = (int64_t) gridDim.x * THREADS / GS_WARP;
	int64_t		warp = ((int64_t) blockIdx.x * THREADS + threadIdx.x) /
		GS_WARP;

	for (int64_t first = warp * PART; first < j.n; first += warps * PART)
	{
		uint32_t	row[ROWS];
		uint32_t	mask = 0;
		uint32_t	present;
		int64_t		x[ROWS];

#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			row[r] = (uint32_t) (first + r * GS_WARP + gs_lane());
			if (first + r * GS_WARP + gs_lane() < j.n)
				mask |= 1u << r;
		}
		mask = group_rows_with_bit<ROWS>(j.rows, row, mask);
		present = group_rows_with_bit<ROWS>(j.by.validity, row, mask);
		group_load_rows<ROWS, 0>(j.by.values, j.by.format, j.by.base, row,
								 present, x);
#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			int64_t		value = present >> r & 1 ? x[r] : 0;
			uint32_t	word = __ballot_sync(GS_ALL_LANES, (mask >> r & 1) &&
											 gs_slice_of(value, j.slices) ==
											 j.slice);

			if (gs_lane() == 0 && first + r * GS_WARP < j.n)
				j.to[first / GS_WARP + r] = word;
		}
	}
}

/* Of the rows that count those of the slice. */
static cudaError_t
select_slice(gs_plan_run *run, const uint32_t **rows, int64_t n)
{
	group_rows *r = &run->found;
	slice_job	j;
	int			blocks;

	GS_TRY(group_reserve(&r->slice_bits, group_bits_size(n), stream_of(run)));
	memset(&j, 0, sizeof j);
	j.n = n;
	j.rows = *rows;
	j.by = group_operand_column(run, r->by);
	j.slices = r->slices;
	j.slice = r->slice;
	j.to = (uint32_t *) r->slice_bits.at;
	GS_TRY(gs_grid(gs_divide_up(n, ROWS * THREADS), 8, &blocks));
	slice_kernel<<<blocks, THREADS, 0, stream_of(run)>>>(j);
	*rows = j.to;
	return gs_launched();
}

/* Can it be NULL in a row of the batch? */
static bool
gives_null(const gs_plan_run *run, const group_column *c, gs_operand of)
{
	const gs_plan *plan = run->plan;

	if (c->validity == NULL)
		return false;
	if (of < GS_CONSTANT(0))
		return true;
	return of < GS_RESULT(0) ? plan->constant[of - GS_CONSTANT(0)].null :
		group_program_gives_null(&run->program);
}

/* From here on a column has bits: all rows so far are present. */
static cudaError_t
begin_bits(group_rows *r, int c, cudaStream_t stream)
{
	char	   *bits = r->memory.at + r->bits_at[c];

	r->nulls[c] = true;
	GS_TRY(cudaMemsetAsync(bits, 0xff, r->n / 8, stream));
	return r->n % 8 == 0 ? cudaSuccess :
		cudaMemsetAsync(bits + r->n / 8, (1 << r->n % 8) - 1, 1, stream);
}

/* Append rows, whose columns j has; nulls: can there be any? */
static cudaError_t
append(gs_plan_run *run, rows_job *j, const bool *nulls)
{
	group_rows *r = &run->found;
	int			blocks;

	for (int c = 0; c < r->columns; c++)
	{
		rows_column *column = &j->column[c];

		if (!nulls[c])
			column->from.validity = NULL;
		else if (!r->nulls[c])
			GS_TRY(begin_bits(r, c, stream_of(run)));
		column->values = r->memory.at + r->values_at[c];
		column->bits = r->nulls[c] ?
			(uint32_t *) (r->memory.at + r->bits_at[c]) : NULL;
	}
	GS_TRY(gs_grid(gs_divide_up(j->n, GS_RANK_BLOCK * (THREADS / GS_WARP)), 8,
				   &blocks));
	append_kernel<<<dim3((unsigned int) blocks, (unsigned int) r->columns),
		THREADS, 0, stream_of(run)>>>(*j);
	return gs_launched();
}

/* Those of a batch. */
static cudaError_t
append_batch(gs_plan_run *run, rows_job *j)
{
	const group_rows *r = &run->found;
	bool		nulls[GS_PLAN_AGGREGATES];

	for (int c = 0; c < r->columns; c++)
	{
		j->column[c].from = group_operand_column(run, r->of[c]);
		nulls[c] = gives_null(run, &j->column[c].from, r->of[c]);
	}
	return append(run, j, nulls);
}

/* Rank the rows of the batch that count; *count is how many there are. */
static cudaError_t
rank(gs_plan_run *run, rows_job *j, int64_t *count)
{
	group_memory *m = &run->found.ranks;
	size_t		size = gs_aligned(gs_bitmap_ranks_size(j->n));
	uint32_t   *ranks;

	GS_TRY(group_reserve(m, size + gs_bitmap_ranks_scratch_size(j->n),
						 stream_of(run)));
	ranks = (uint32_t *) m->at;
	GS_TRY(gs_bitmap_ranks((const uint8_t *) j->rows, j->n, ranks,
						   m->at + size, stream_of(run)));
	GS_TRY(group_report(run->context, ranks + gs_divide_up(j->n, GS_RANK_BLOCK),
						sizeof(uint32_t)));
	*count = *(uint32_t *) run->context->report;
	j->ranks = ranks;
	return cudaSuccess;
}

cudaError_t
group_rows_add(gs_plan_run *run, const uint32_t *rows, int64_t n)
{
	group_rows *r = &run->found;
	rows_job	j;
	int64_t		count = n;

	if (r->slices > 0)
		GS_TRY(select_slice(run, &rows, n));
	memset(&j, 0, sizeof j);
	j.n = n;
	j.at = r->n;
	j.rows = rows;
	if (rows != NULL)
		GS_TRY(rank(run, &j, &count));
	if (count > 0 && r->columns > 0)
	{
		GS_TRY(reserve(r, count, stream_of(run)));
		GS_TRY(append_batch(run, &j));
	}
	r->n += count;
	return cudaSuccess;
}

/* What a kernel has of another execution's rows at most: their numbers have 32 bits. */
#define MERGED_ROWS		(INT64_C(1) << 30)

cudaError_t
group_rows_merge(gs_plan_run *run, const gs_plan_run *part)
{
	group_rows *r = &run->found;
	const group_rows *from = &part->found;

	if (from->n > 0 && r->columns > 0)
		GS_TRY(reserve(r, from->n, stream_of(run)));
	for (int64_t at = 0; at < from->n && r->columns > 0; at += MERGED_ROWS)
	{
		rows_job	j;

		memset(&j, 0, sizeof j);
		j.n = from->n - at < MERGED_ROWS ? from->n - at : MERGED_ROWS;
		j.at = r->n + at;
		for (int c = 0; c < r->columns; c++)
		{
			group_column *column = &j.column[c].from;

			column->type = gs_operand_type(run->plan, r->of[c]);
			column->format = group_format_of((gs_type) column->type,
											 r->width[c]);
			column->values = from->memory.at + from->values_at[c] +
				at * r->width[c];
			column->validity = (const uint32_t *)
				(from->memory.at + from->bits_at[c] + at / 8);
		}
		GS_TRY(append(run, &j, from->nulls));
	}
	r->n += from->n;
	return cudaSuccess;
}

/* ----------
 * Results
 * ----------
 */

/* Whole words of validity where nothing is NULL, 0 behind the last row. */
static void
fill_words(uint64_t *to, int64_t first, int64_t n, int64_t rows)
{
	for (int64_t i = 0; i < n; i++)
	{
		int64_t		left = rows - (first + i) * 64;

		to[i] = left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
	}
}

/* Begin to copy elements of a column, which are there at once or in a while. */
static cudaError_t
copy_elements(gs_plan_run *run, int column, int64_t first, int64_t n,
			  void *to)
{
	const group_rows *r = &run->found;
	int			at = column - GS_FETCH_STATE(0);
	int			c = r->column_of[at / 2];
	bool		bits = at % 2 != 0;
	size_t		width = bits ? sizeof(uint64_t) : (size_t) r->width[c];
	const char *from = r->memory.at + (bits ? r->bits_at[c] : r->values_at[c]);

	if (bits && !r->nulls[c])
	{
		fill_words((uint64_t *) to, first, n, r->n);
		return cudaSuccess;
	}
	return cudaMemcpyAsync(to, from + first * width, n * width,
						   cudaMemcpyDeviceToHost, stream_of(run));
}

/* How many elements a column has. */
static int64_t
length_of(const group_rows *r, int column)
{
	return (column - GS_FETCH_STATE(0)) % 2 == 0 ? r->n :
		GS_VALIDITY_ROWS(r->n);
}

/* Few rows are all copied at once, since a wait costs more than that. */
static cudaError_t
fetch_few(gs_plan_run *run)
{
	const int	end = GS_FETCH_STATE(run->plan->aggregates);
	char	   *to = run->context->stage[0].out;
	size_t		size = 0;

	for (int c = GS_FETCH_STATE(0); c < end; c++)
	{
		run->few_at[c] = size;
		size += gs_aligned(length_of(&run->found, c) *
						   gs_fetch_width(run->plan, c));
	}
	if (size > GS_BOUNCE_SIZE)
		return cudaSuccess;
	for (int c = GS_FETCH_STATE(0); c < end; c++)
		GS_TRY(copy_elements(run, c, 0, length_of(&run->found, c),
							 to + run->few_at[c]));
	run->few = to;
	return cudaStreamSynchronize(stream_of(run));
}

static cudaError_t
fetch(gs_plan_run *run, int column, int64_t first, int64_t n, void *to)
{
	size_t		width = gs_fetch_width(run->plan, column);

	if (!run->fetched)
		GS_TRY(fetch_few(run));
	run->fetched = true;
	if (run->few != NULL)
	{
		memcpy(to, run->few + run->few_at[column] + first * width, n * width);
		return cudaSuccess;
	}
	GS_TRY(copy_elements(run, column, first, n, to));
	return cudaStreamSynchronize(stream_of(run));
}

gs_status
group_rows_fetch(gs_plan_run *run, int column, int64_t first, int64_t n,
				 void *to)
{
	if (!run->finished || gs_fetch_width(run->plan, column) == 0 ||
		first < 0 || n < 0 || first > length_of(&run->found, column) - n)
		return group_fail(run, GS_INVALID, "there are no such rows");
	return n == 0 ? GS_OK :
		group_outcome(run, fetch(run, column, first, n, to));
}

/* ----------
 * A relation
 * ----------
 */

/* Copy what a column of the next stage is made of. */
static cudaError_t
copy_column(gs_plan_run *run, int aggregate, gs_column_data *to)
{
	const group_rows *r = &run->found;
	int			c = r->column_of[aggregate];

	GS_TRY(copy((char *) to->values, r->memory.at + r->values_at[c],
				(size_t) r->n * r->width[c], stream_of(run)));
	if (!r->nulls[c])
	{
		to->validity = NULL;
		return cudaSuccess;
	}
	return copy((char *) to->validity, r->memory.at + r->bits_at[c],
				bits_size(r->n), stream_of(run));
}

cudaError_t
group_rows_relation(gs_plan_run *run, const gs_stage *next,
					gs_relation *relation, uint32_t *errors)
{
	const gs_plan *plan = &next->plan;

	GS_TRY(group_relation_allocate(plan->column, plan->columns, run->found.n,
								   relation, stream_of(run)));
	for (int c = 0; c < plan->columns; c++)
	{
		gs_column_data *column = &relation->column[c];

		if (next->finish[c].kind != GS_FINISH_WINDOW)
			GS_TRY(copy_column(run, next->finish[c].of, column));
		else
			GS_TRY(cudaMemsetAsync((void *) column->validity, 0,
								   bits_size(run->found.n), stream_of(run)));
	}
	return group_find_ranges(plan->column, group_columns_of(next, false),
							 relation, run->context, errors);
}
