/*-------------------------------------------------------------------------
 *
 * relation_memory.cu
 *	  Relations in device memory: where their columns are, and the ranges of
 *	  these.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/relation.cuh"

#define THREADS		256

/* What may be read behind a column. */
#define BEHIND		16

/* Rows that a thread looks at a time: a byte of a bitmap. */
#define ROWS		8

static size_t
rows_aligned(int64_t rows)
{
	return (size_t) gs_divide_up(rows, 64) * 64;
}

static size_t
values_size(uint8_t type, int64_t rows)
{
	return gs_aligned(rows_aligned(rows) *
					  (size_t) gs_type_width((gs_type) type) + BEHIND);
}

static size_t
bits_size(int64_t rows)
{
	return gs_aligned(rows_aligned(rows) / 8 + BEHIND);
}

cudaError_t
group_relation_allocate(const uint8_t *type, int columns, int64_t rows,
						gs_relation *relation, cudaStream_t stream)
{
	size_t		size = gs_aligned(sizeof(group_found));
	char	   *at;

	memset(relation, 0, sizeof *relation);
	for (int c = 0; c < columns; c++)
		size += values_size(type[c], rows) + bits_size(rows);
	GS_TRY(gs_memory_acquire(size, &at));
	relation->memory = at;
	relation->rows = rows;
	relation->columns = columns;
	at += gs_aligned(sizeof(group_found));
	for (int c = 0; c < columns; c++)
	{
		gs_column_data *column = &relation->column[c];

		column->values = at;
		at += values_size(type[c], rows);
		column->validity = (const uint8_t *) at;
		at += bits_size(rows);
		column->width = gs_type_width((gs_type) type[c]);
		column->low = INT64_MAX;	/* not known */
		column->high = INT64_MIN;
	}
	return cudaMemsetAsync(relation->memory, 0, sizeof(group_found), stream);
}

void
group_relation_free(gs_relation *relation)
{
	if (relation->memory != NULL)
		gs_memory_give_back((char *) relation->memory);
	memset(relation, 0, sizeof *relation);
}

uint64_t
group_columns_of(const gs_stage *next, bool windows)
{
	uint64_t	columns = 0;

	for (int c = 0; c < next->plan.columns; c++)
	{
		if ((next->finish[c].kind == GS_FINISH_WINDOW) == windows)
			columns |= UINT64_C(1) << c;
	}
	return columns;
}

/* ----------
 * Ranges
 * ----------
 */

typedef struct range_column
{
	const void *values;			/* NULL: not integers */
	const uint8_t *validity;
	int32_t		width;
	int32_t		column;
} range_column;

typedef struct range_job
{
	group_found *found;
	int64_t		rows;
	range_column column[GS_PLAN_COLUMNS];
} range_job;

/* Some values, aligned to their size. */
template <typename T>
struct alignas(sizeof(T) * ROWS > 16 ? 16 : sizeof(T) * ROWS) some_values
{
	T			value[ROWS];
};

/* The values of a part whose bits are set. */
template <typename T>
__device__ static inline void
find_some(const void *values, int64_t part, bool whole, uint32_t valid,
		  int64_t *low, int64_t *high)
{
	some_values<T> some = {};

	if (whole)
		some = ((const some_values<T> *) values)[part];
#pragma unroll
	for (int i = 0; i < ROWS; i++)
	{
		if (valid >> i & 1)
		{
			int64_t		v = whole ? some.value[i] :
				((const T *) values)[part * ROWS + i];

			*low = v < *low ? v : *low;
			*high = v > *high ? v : *high;
		}
	}
}

/* A row of blocks for each column. */
__global__ void
__launch_bounds__(THREADS)
range_kernel(range_job j)
{
	const range_column c = j.column[blockIdx.y];
	int64_t		parts = gs_divide_up(j.rows, ROWS);
	int64_t		low = INT64_MAX;
	int64_t		high = INT64_MIN;
	bool		nulls = false;

	for (int64_t at = (int64_t) blockIdx.x * THREADS + threadIdx.x; at < parts;
		 at += (int64_t) gridDim.x * THREADS)
	{
		int64_t		left = j.rows - at * ROWS;
		uint32_t	there = left < ROWS ? (1u << left) - 1 : 0xff;
		uint32_t	valid = c.validity == NULL ? there :
			c.validity[at] & there;

		nulls |= valid != there;
		if (c.values == NULL)
			continue;
		if (c.width == 8)
			find_some<int64_t>(c.values, at, left >= ROWS, valid, &low,
							   &high);
		else if (c.width == 4)
			find_some<int32_t>(c.values, at, left >= ROWS, valid, &low,
							   &high);
		else
			find_some<int16_t>(c.values, at, left >= ROWS, valid, &low,
							   &high);
	}
	group_found_nulls(j.found, c.column, nulls);
	if (c.values != NULL)
		group_found_range(j.found, c.column, low, high);
}

static bool
is_integer(uint8_t type)
{
	return type == GS_INT2 || type == GS_INT4 || type == GS_INT8;
}

cudaError_t
group_take_found(const uint8_t *type, uint64_t columns, gs_relation *relation,
				 gs_exec_context *context, uint32_t *errors)
{
	const group_found *found = (const group_found *) context->report;

	static_assert(sizeof(group_found) <= GS_REPORT_SIZE, "a large report");
	GS_TRY(cudaMemcpyAsync(context->report, relation->memory, sizeof *found,
						   cudaMemcpyDeviceToHost, context->compute));
	GS_TRY(cudaStreamSynchronize(context->compute));
	*errors |= found->errors;
	for (int c = 0; c < relation->columns; c++)
	{
		gs_column_data *column = &relation->column[c];

		if (!(columns >> c & 1))
			continue;
		if (!(found->nulls >> c & 1))
			column->validity = NULL;
		if (!is_integer(type[c]))
			continue;
		column->low = (int64_t) group_found_key(~found->lowest[c]);
		column->high = (int64_t) group_found_key(found->highest[c]);
	}
	return cudaSuccess;
}

cudaError_t
group_find_ranges(const uint8_t *type, uint64_t columns, gs_relation *relation,
				  gs_exec_context *context, uint32_t *errors)
{
	range_job	j;
	int			n = 0;
	int			blocks;

	j.found = group_found_of(relation);
	j.rows = relation->rows;
	for (int c = 0; c < relation->columns; c++)
	{
		const gs_column_data *column = &relation->column[c];
		bool		integers = is_integer(type[c]);

		if (!(columns >> c & 1) || (!integers && column->validity == NULL))
			continue;
		j.column[n].values = integers ? column->values : NULL;
		j.column[n].validity = column->validity;
		j.column[n].width = column->width;
		j.column[n++].column = c;
	}
	if (n > 0 && relation->rows > 0)
	{
		GS_TRY(gs_grid(gs_divide_up(relation->rows, ROWS * THREADS), 8,
					   &blocks));
		range_kernel<<<dim3((unsigned int) blocks, (unsigned int) n), THREADS,
			0, context->compute>>>(j);
		GS_TRY(gs_launched());
	}
	return group_take_found(type, columns, relation, context, errors);
}
