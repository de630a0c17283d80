/*-------------------------------------------------------------------------
 *
 * states.c
 *	  States of a few words: counts, sums of integers, bits, special values, and
 *	  histograms.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

static void *
state_at(const group_store *store, uint32_t group)
{
	return store->data + (size_t) group * store->width;
}

static gs_status
begin_whole(gs_plan_run *run, group_state *s)
{
	(void) run;
	s->store.width = s->size;
	return GS_OK;
}

static void
fetch_whole(gs_plan_run *run, group_state *s, int64_t place, void *to)
{
	memcpy(to, state_at(&s->store, gs_group_at(run, place)), s->size);
}

/* States that are arrays of counts. */
static gs_status
merge_counts(gs_plan_run *run, group_state *s, gs_plan_run *part,
			 group_state *from, const uint32_t *group)
{
	const int64_t *count = (const int64_t *) from->store.data;
	const int	each = (int) (s->store.width / sizeof *count);

	(void) run;
	for (int64_t g = 0; g < part->summary.groups; g++)
	{
		int64_t    *to = state_at(&s->store, group[g]);

		for (int i = 0; i < each; i++)
			to[i] += count[g * each + i];
	}
	return GS_OK;
}

/*
 * Of few groups, the next row is often of the same one: its addition would wait for
 * the word in memory.  So each of some successive rows adds to a replica of its own.
 */
#define REPLICAS		4
#define REPLICATED_GROUPS	32

static bool
are_replicated(const gs_plan_run *run, const group_rows *rows)
{
	return !rows->uniform && run->summary.groups <= REPLICATED_GROUPS &&
		rows->n >= REPLICAS * run->summary.groups;
}

static int64_t
sum_of_replicas(int64_t replica[][REPLICATED_GROUPS], int group)
{
	int64_t		sum = 0;

	for (int k = 0; k < REPLICAS; k++)
		sum += replica[k][group];
	return sum;
}

static void
count_replicated(const group_rows *rows, int groups, int64_t *count)
{
	int64_t		replica[REPLICAS][REPLICATED_GROUPS] = {0};
	int			i = 0;

	for (; i + REPLICAS <= rows->n; i += REPLICAS)
	{
		for (int k = 0; k < REPLICAS; k++)
			replica[k][rows->group[i + k]]++;
	}
	for (; i < rows->n; i++)
		replica[0][rows->group[i]]++;
	for (int g = 0; g < groups; g++)
		count[g] += sum_of_replicas(replica, g);
}

static gs_status
add_count(gs_plan_run *run, group_state *s, const group_rows *rows)
{
	int64_t    *count = (int64_t *) s->store.data;

	if (rows->uniform)
		count[rows->group[0]] += rows->n;
	else if (are_replicated(run, rows))
		count_replicated(rows, (int) run->summary.groups, count);
	else
	{
		for (int i = 0; i < rows->n; i++)
			count[rows->group[i]]++;
	}
	return GS_OK;
}

const group_family gs_group_counts = {
	.begin = begin_whole,
	.add = add_count,
	.merge = merge_counts,
	.fetch = fetch_whole,
};

/*
 * Sums of integers have 128 bits.  Only products of int8 need more: up to 2^126
 * each.
 */
typedef __int128 wide_integer;

typedef struct wider_integer
{
	uint64_t	word[3];
} wider_integer;

/* Does a sum of a tile's values fit into 64 bits, whichever they are? */
static bool
tile_fits(const int64_t *v, int n)
{
	uint64_t	bits = 0;

	for (int i = 0; i < n; i++)
		bits |= (uint64_t) (v[i] ^ v[i] >> 63);
	return bits < (uint64_t) INT64_MAX / GROUP_TILE;
}

/* FITS: as tile_fits, of n values of v. */
#define INTEGER_SUM(suffix, type, FITS) \
static void \
sum_##suffix(const gs_plan_run *run, const group_rows *rows, \
			 wide_integer *sum) \
{ \
	const type *v = rows->a; \
	const int	n = rows->n; \
	const bool	fits = FITS; \
	int64_t		replica[REPLICAS][REPLICATED_GROUPS]; \
	int64_t		tile = 0; \
	int			i = 0; \
\
	if (rows->uniform && fits) \
	{ \
		for (; i < n; i++) \
			tile += v[i]; \
		sum[rows->group[0]] += tile; \
	} \
	else if (fits && are_replicated(run, rows)) \
	{ \
		memset(replica, 0, sizeof replica); \
		for (; i + REPLICAS <= n; i += REPLICAS) \
		{ \
			for (int k = 0; k < REPLICAS; k++) \
				replica[k][rows->group[i + k]] += v[i + k]; \
		} \
		for (; i < n; i++) \
			replica[0][rows->group[i]] += v[i]; \
		for (int g = 0; g < (int) run->summary.groups; g++) \
			sum[g] += sum_of_replicas(replica, g); \
	} \
	else \
	{ \
		for (; i < n; i++) \
			sum[rows->group[i]] += v[i]; \
	} \
}

/* Sums of a * b, or of squares. */
#define INTEGER_PRODUCTS(suffix, type) \
static void \
products_##suffix(const group_rows *rows, const void *b, wide_integer *sum) \
{ \
	const type *v = rows->a; \
	const type *w = b; \
\
	for (int i = 0; i < rows->n; i++) \
		sum[rows->group[i]] += (int64_t) v[i] * w[i]; \
}

INTEGER_SUM(int2, int16_t, true)
INTEGER_SUM(int4, int32_t, true)
INTEGER_SUM(int8, int64_t, tile_fits(v, n))
INTEGER_PRODUCTS(int2, int16_t)
INTEGER_PRODUCTS(int4, int32_t)

static inline void
add_wider(uint64_t *word, uint64_t first, uint64_t second, uint64_t third)
{
	unsigned __int128 low = (unsigned __int128) word[0] + first;
	unsigned __int128 high = (unsigned __int128) word[1] + second +
		(uint64_t) (low >> 64);

	word[0] = (uint64_t) low;
	word[1] = (uint64_t) high;
	word[2] += (uint64_t) (high >> 64) + third;
}

static void
products_int8(const group_rows *rows, const void *b, wider_integer *sum)
{
	const int64_t *v = rows->a;
	const int64_t *w = b;

	for (int i = 0; i < rows->n; i++)
	{
		wide_integer product = (wide_integer) v[i] * w[i];

		add_wider(sum[rows->group[i]].word, (uint64_t) product,
				  (uint64_t) (product >> 64), product < 0 ? UINT64_MAX : 0);
	}
}

static bool
is_wider(const group_state *s)
{
	return s->type == GS_INT8 && s->aggregate->kind != GS_AGG_SUM;
}

static gs_status
begin_integer_sum(gs_plan_run *run, group_state *s)
{
	(void) run;
	s->store.width = is_wider(s) ? sizeof(wider_integer) :
		sizeof(wide_integer);
	return GS_OK;
}

static gs_status
add_integer_sum(gs_plan_run *run, group_state *s, const group_rows *rows)
{
	const void *b = s->aggregate->kind == GS_AGG_PRODUCTS ? rows->b : rows->a;
	void	   *sum = s->store.data;

	if (s->aggregate->kind == GS_AGG_SUM)
	{
		if (s->type == GS_INT2)
			sum_int2(run, rows, sum);
		else if (s->type == GS_INT4)
			sum_int4(run, rows, sum);
		else
			sum_int8(run, rows, sum);
	}
	else if (s->type == GS_INT2)
		products_int2(rows, b, sum);
	else if (s->type == GS_INT4)
		products_int4(rows, b, sum);
	else
		products_int8(rows, b, sum);
	return GS_OK;
}

static gs_status
merge_integer_sums(gs_plan_run *run, group_state *s, gs_plan_run *part,
				   group_state *from, const uint32_t *group)
{
	(void) run;
	for (int64_t g = 0; g < part->summary.groups; g++)
	{
		const uint64_t *word = state_at(&from->store, (uint32_t) g);
		void	   *to = state_at(&s->store, group[g]);

		if (is_wider(s))
			add_wider(to, word[0], word[1], word[2]);
		else
			*(wide_integer *) to += *(const wide_integer *) word;
	}
	return GS_OK;
}

static void
fetch_integer_sum(gs_plan_run *run, group_state *s, int64_t place, void *to)
{
	const uint64_t *word = state_at(&s->store, gs_group_at(run, place));
	gs_integer_sum sum;

	sum.word[0] = word[0];
	sum.word[1] = word[1];
	sum.word[2] = is_wider(s) ? word[2] :
		(uint64_t) -(int64_t) (word[1] >> 63);
	memcpy(to, &sum, sizeof sum);
}

const group_family gs_group_integer_sums = {
	.begin = begin_integer_sum,
	.add = add_integer_sum,
	.merge = merge_integer_sums,
	.fetch = fetch_integer_sum,
};

/* AND is kept as the OR of the complements. */
static gs_status
begin_bits(gs_plan_run *run, group_state *s)
{
	(void) run;
	s->store.width = sizeof(uint64_t);
	if (s->aggregate->kind == GS_AGG_BIT_AND)
		s->present.width = sizeof(uint8_t);
	return GS_OK;
}

static gs_status
add_bits(gs_plan_run *run, group_state *s, const group_rows *rows)
{
	const uint32_t *group = rows->group;
	uint64_t   *bits = (uint64_t *) s->store.data;
	const uint64_t *key = gs_group_ordered(run, s);

	for (int i = 0; i < rows->n; i++)
	{
		/* an integer's key is its value but for the sign */
		uint64_t	value = key[i] ^ (UINT64_C(1) << 63);

		if (s->aggregate->kind == GS_AGG_BIT_XOR)
			bits[group[i]] ^= value;
		else if (s->aggregate->kind == GS_AGG_BIT_OR)
			bits[group[i]] |= value;
		else
		{
			bits[group[i]] |= ~value;
			s->present.data[group[i]] = 1;
		}
	}
	return GS_OK;
}

static gs_status
merge_bits(gs_plan_run *run, group_state *s, gs_plan_run *part,
		   group_state *from, const uint32_t *group)
{
	const uint64_t *bits = (const uint64_t *) from->store.data;
	uint64_t   *to = (uint64_t *) s->store.data;

	(void) run;
	for (int64_t g = 0; g < part->summary.groups; g++)
	{
		if (s->aggregate->kind == GS_AGG_BIT_XOR)
			to[group[g]] ^= bits[g];
		else
			to[group[g]] |= bits[g];
		if (s->aggregate->kind == GS_AGG_BIT_AND)
			s->present.data[group[g]] |= from->present.data[g];
	}
	return GS_OK;
}

static void
fetch_bits(gs_plan_run *run, group_state *s, int64_t place, void *to)
{
	uint32_t	group = gs_group_at(run, place);
	uint64_t	bits = ((const uint64_t *) s->store.data)[group];
	gs_value	value;

	if (s->aggregate->kind == GS_AGG_BIT_AND)
		bits = s->present.data[group] ? ~bits : 0;
	value = gs_group_value_of(s->type, bits ^ (UINT64_C(1) << 63));
	memcpy(to, &value, sizeof value);
}

const group_family gs_group_bits = {
	.begin = begin_bits,
	.add = add_bits,
	.merge = merge_bits,
	.fetch = fetch_bits,
};

/* The rows' values as doubles: they themselves if they are. */
const double *
gs_group_doubles(gs_type type, const void *values, int n, double *space)
{
	if (type == GS_FLOAT8)
		return values;
	for (int i = 0; i < n; i++)
		space[i] = ((const float *) values)[i];
	return space;
}

static gs_status
add_specials(gs_plan_run *run, group_state *s, const group_rows *rows)
{
	double		space[GROUP_TILE];
	const double *x = gs_group_doubles(s->type, rows->a, rows->n, space);

	(void) run;
	for (int i = 0; i < rows->n; i++)
	{
		int64_t    *count;

		if (!gs_is_special(x[i]))
			continue;
		count = state_at(&s->store, rows->group[i]);
		count[gs_special_of(x[i])]++;
	}
	return GS_OK;
}

const group_family gs_group_specials = {
	.begin = begin_whole,
	.add = add_specials,
	.merge = merge_counts,
	.fetch = fetch_whole,
};

static gs_status
add_histogram(gs_plan_run *run, group_state *s, const group_rows *rows)
{
	const gs_op op = {
		.kind = GS_HISTOGRAM_WIDTH,
		.type = s->type,
		.histogram = {
			.low = s->aggregate->low,
			.high = s->aggregate->high,
			.buckets = s->aggregate->buckets,
			.formula = s->aggregate->formula
		}
	};
	int32_t		number[GROUP_TILE];

	(void) run;
	gs_cpu_bucket_numbers(&op, rows->a, rows->n, number);
	for (int i = 0; i < rows->n; i++)
	{
		int64_t    *count = state_at(&s->store, rows->group[i]);

		count[number[i]]++;
	}
	return GS_OK;
}

const group_family gs_group_histograms = {
	.begin = begin_whole,
	.add = add_histogram,
	.merge = merge_counts,
	.fetch = fetch_whole,
};
