/*-------------------------------------------------------------------------
 *
 * partial.c
 *	  Partial sums of floats, between rows and windows.
 *
 * To add an element to a window of words (window.c) takes shifts and
 * carries.  Where there are few groups, and the elements of a tile differ in
 * magnitude as most data do, partial sums are exact with less work.  After
 * some thousand rows they are added to the windows.
 *
 * Elements of EXPONENTS neighbouring exponents are multiples of the last bit
 * of the least of them, and below 2^SPAN of these.
 *
 * A sum is kept as two doubles.  An element is split into a multiple of
 * 2^LOW_BITS units, by an addition that rounds it there, and the rest.  Both
 * are so few units of their own that SUM_ROWS of them add up without rounding.
 * A sum has two such pairs, for even and odd rows, so that additions to the
 * same one wait less for each other.
 *
 * A sum of squares is kept as a sum of 128 bits for each exponent, to which
 * the square of an element's 53 bits is added as it is.
 *
 * A tile with an element of another exponent goes to the windows.  So does one
 * with a zero or what is not finite.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/sums.h"
#include "engine/cpu/lanes.h"

#include <stdlib.h>

typedef unsigned __int128 u128;

/*
 * With one more, squares would need a window of four words.  A tile's largest
 * element has ROOM_ABOVE exponents above it, for others to come.
 */
#define EXPONENTS		26
#define ROOM_ABOVE		2

/* Bits of an element, and of its lower part. */
#define SPAN			(53 + EXPONENTS - 1)
#define LOW_BITS		39

/*
 * Additions to a double: 2^14 upper parts of at most 2^39, or lower ones of at
 * most 2^38.  Even rows' doubles get half of a tile's, or one more.
 */
#define SUM_ROWS		(INT64_C(1) << 15)

/* Additions to 128 bits: squares are below 2^106. */
#define SQUARE_ROWS		(INT64_C(1) << 21)

/* More groups than these take more time to empty than partial sums save. */
#define MAX_GROUPS		1024

/* There have been so many rows a group, or they are not worth the memory. */
#define ROWS_A_GROUP	64

/* Tiles that are not looked at, at most, after several that did not fit. */
#define MAX_REST		63

/* Far from where a power of two, or a sum, would not be a number. */
#define MIN_EXPONENT	128
#define MAX_EXPONENT	1900

/* A pair of doubles: the upper and the lower part. */
typedef struct partial_sum
{
	lanes		pair[2];		/* of even rows, of odd ones */
} partial_sum;

/* Aligned to 2^n, so that a group's place is a shift away. */
#define SQUARE_CELLS	32

typedef struct partial_square
{
	u128		cell[SQUARE_CELLS];
} partial_square;

static words
both(uint64_t word)
{
	return (words) {word, word};
}

/* Have all n elements exponents from `first` on? */
static bool
all_fit(const double *x, int n, int first)
{
	/* without the sign; a difference below 0 has one */
	const words size = both(UINT64_MAX >> 1);
	const words low = both((uint64_t) first << 52);
	const words high = both(((uint64_t) (first + EXPONENTS) << 52) - 1);
	words		beyond = both(0);
	int			i;

	for (i = 0; i + 1 < n; i += 2)
	{
		words		v = (words) load_float8(x + i) & size;

		beyond |= (v - low) | (high - v);
	}
	if (i < n)
	{
		uint64_t	v = gs_double_bits(x[i]) & size[0];

		beyond[0] |= (v - low[0]) | (high[0] - v);
	}
	return (beyond[0] | beyond[1]) >> 63 == 0;
}

/* The greatest exponent of an element, unless that is not finite. */
static int
greatest_exponent(const double *x, int n)
{
	int			greatest = 0;

	for (int i = 0; i < n; i++)
	{
		int			e = (int) (gs_double_bits(x[i]) >> 52 & 0x7ff);

		greatest = e > greatest && e < 0x7ff ? e : greatest;
	}
	return greatest;
}

static bool
has_partial(const group_state *s)
{
	return s->family == &gs_group_float_sums &&
		s->aggregate->kind != GS_AGG_PRODUCTS;
}

/*
 * Choose exponents by this tile's elements, such that the windows of all
 * aggregates of the argument have room for them.  False if there are none.
 */
static bool
choose_exponents(gs_plan_run *run, int argument, int n, const double *x)
{
	int			low = MIN_EXPONENT;
	int			high = greatest_exponent(x, n) + ROOM_ABOVE;

	high = high < MAX_EXPONENT ? high : MAX_EXPONENT;
	for (int i = 0; i < run->plan->aggregates; i++)
	{
		const group_state *s = &run->state[i];
		const group_sums *sums = s->sums;
		int			step;
		int			top;

		if (s->argument != argument || !has_partial(s))
			continue;
		if (sums->words == 0)
			return false;
		/* positions are one less than exponents, or twice that */
		step = sums->products ? 2 : 1;
		top = (sums->first + sums->reach) / step + 1;
		high = top < high ? top : high;
		top = (sums->first + step - 1) / step + 1;
		low = top > low ? top : low;
	}
	run->argument[argument].exponent = high - EXPONENTS + 1;
	return high - EXPONENTS + 1 >= low;
}

static bool
look(gs_plan_run *run, group_argument *a, int argument, int n,
	 const double *x)
{
	if (a->rest > 0)
	{
		a->rest--;
		return false;
	}
	if ((a->exponent > 0 && all_fit(x, n, a->exponent)) ||
		(choose_exponents(run, argument, n, x) && all_fit(x, n, a->exponent)))
	{
		a->next_rest = 0;
		return true;
	}
	a->exponent = 0;
	a->rest = a->next_rest;
	a->next_rest = a->rest < MAX_REST ? 2 * a->rest + 1 : MAX_REST;
	return false;
}

/* Are the partial sums for these elements? */
bool
gs_partial_takes(gs_plan_run *run, group_state *s, int n, const double *x)
{
	group_argument *a = &run->argument[s->argument];
	group_partial *p = &s->sums->partial;

	if (p->given_up || !has_partial(s))
		return false;
	if (run->summary.groups > MAX_GROUPS)
	{
		gs_partial_empty(run, s);
		free(p->memory);
		p->memory = NULL;
		p->given_up = true;
		return false;
	}
	if (s->sums->additions < run->summary.groups * ROWS_A_GROUP)
		return false;
	if (!a->looked)
		a->fits = look(run, a, s->argument, n, x);
	a->looked = true;
	return a->fits;
}

/* 2^n, where that is a normal number. */
static double
power_of_two(int n)
{
	return gs_bits_double((uint64_t) (n + 1023) << 52);
}

/* The unit of elements: the last bit of those of the first exponent. */
static int
unit_of(const group_partial *p)
{
	return p->first - 1023 - 52;
}

/* A sum of nothing: what is added makes a zero of it, if not a number. */
static void
clear_sum(partial_sum *sum)
{
	const lanes nothing = {-0.0, -0.0};

	sum->pair[0] = sum->pair[1] = nothing;
}

static bool
is_nothing(const partial_sum *sum)
{
	return gs_double_bits(sum->pair[0][0]) == gs_double_bits(-0.0) &&
		gs_double_bits(sum->pair[1][0]) == gs_double_bits(-0.0);
}

/* Groups that came when there were too many have none. */
static int64_t
count_partial(const gs_plan_run *run)
{
	int64_t		groups = run->summary.groups;

	return groups < MAX_GROUPS ? groups : MAX_GROUPS;
}

static void
empty_sums(gs_plan_run *run, group_state *s)
{
	group_sums *sums = s->sums;
	partial_sum *sum = sums->partial.memory;
	const int	unit = unit_of(&sums->partial);
	const double low = power_of_two(-unit);
	const double high = power_of_two(-unit - LOW_BITS);
	const int64_t n = count_partial(run);

	for (int64_t g = 0; g < n; g++)
	{
		const lanes *pair = sum[g].pair;
		__int128	units;

		if (is_nothing(&sum[g]))
			continue;
		units = (int64_t) (pair[0][0] * high);
		units += (int64_t) (pair[1][0] * high);
		units *= INT64_C(1) << LOW_BITS;
		units += (int64_t) (pair[0][1] * low);
		units += (int64_t) (pair[1][1] * low);
		gs_sums_add_integer(sums, (uint64_t *) s->store.data + g * sums->words,
							units, sums->partial.first - 1);
		clear_sum(&sum[g]);
	}
}

static void
empty_squares(gs_plan_run *run, group_state *s)
{
	group_sums *sums = s->sums;
	partial_square *square = sums->partial.memory;
	const int64_t n = count_partial(run);

	for (int64_t g = 0; g < n; g++)
	{
		for (int i = 0; i < EXPONENTS; i++)
		{
			u128	   *cell = &square[g].cell[i];

			if (*cell == 0)
				continue;
			gs_sums_add_integer(sums, (uint64_t *) s->store.data +
								g * sums->words, (__int128) *cell,
								2 * (sums->partial.first + i - 1));
			*cell = 0;
		}
	}
}

/* Add the partial sums to the windows. */
void
gs_partial_empty(gs_plan_run *run, group_state *s)
{
	group_partial *p = &s->sums->partial;

	if (p->rows > 0 && s->sums->products)
		empty_squares(run, s);
	else if (p->rows > 0)
		empty_sums(run, s);
	p->rows = 0;
}

/* The rest of a row's work, if rows are taken two by two. */
static void
add_one(partial_sum *sum, double x, lanes split)
{
	double		high = (x + split[0]) - split[0];

	sum->pair[0] += (lanes) {high, x - high};
}

static void
add_to_sums(partial_sum *sum, const group_rows *rows, const double *x,
			lanes split)
{
	const uint32_t *group = rows->group;
	int			i;

	for (i = 0; i + 1 < rows->n; i += 2)
	{
		lanes		v = load_float8(x + i);
		lanes		high = (v + split) - split;
		lanes		low = v - high;

		sum[group[i]].pair[0] += (lanes) {high[0], low[0]};
		sum[group[i + 1]].pair[1] += (lanes) {high[1], low[1]};
	}
	if (i < rows->n)
		add_one(&sum[group[i]], x[i], split);
}

/* All rows are of one group. */
static void
add_to_one_sum(partial_sum *sum, const group_rows *rows, const double *x,
			   lanes split)
{
	lanes		highs = {0, 0};
	lanes		lows = {0, 0};
	int			i;

	for (i = 0; i + 1 < rows->n; i += 2)
	{
		lanes		v = load_float8(x + i);
		lanes		high = (v + split) - split;

		highs += high;
		lows += v - high;
	}
	sum->pair[0] += (lanes) {highs[0], lows[0]};
	sum->pair[1] += (lanes) {highs[1], lows[1]};
	if (i < rows->n)
		add_one(sum, x[i], split);
}

static void
add_to_squares(partial_square *square, int first, const group_rows *rows,
			   const double *x)
{
	const uint32_t *group = rows->group;

	for (int i = 0; i < rows->n; i++)
	{
		uint64_t	bits = gs_double_bits(x[i]);
		uint64_t	m = (bits & UINT64_C(0xfffffffffffff)) |
			UINT64_C(0x10000000000000);
		uint64_t	exponent = bits >> 52 & 0x7ff;

		square[group[i]].cell[exponent - first] += (u128) m * m;
	}
}

static gs_status
prepare(gs_plan_run *run, group_state *s, int exponent, int64_t rows)
{
	group_partial *p = &s->sums->partial;
	bool		squares = s->sums->products;

	if (p->memory != NULL &&
		(p->first != exponent ||
		 p->rows + rows > (squares ? SQUARE_ROWS : SUM_ROWS)))
		gs_partial_empty(run, s);
	p->first = exponent;
	p->rows += rows;
	if (p->memory != NULL)
		return GS_OK;
	p->memory = gs_group_zeros(MAX_GROUPS, squares ? sizeof(partial_square) :
							   sizeof(partial_sum));
	if (p->memory == NULL)
		return gs_group_no_memory(run);
	for (int g = 0; g < MAX_GROUPS && !squares; g++)
		clear_sum((partial_sum *) p->memory + g);
	return GS_OK;
}

/* Add elements that gs_partial_takes has found to fit. */
gs_status
gs_partial_add(gs_plan_run *run, group_state *s, const group_rows *rows,
			   const double *x)
{
	int			exponent = run->argument[s->argument].exponent;
	group_partial *p = &s->sums->partial;
	gs_status	status;

	status = prepare(run, s, exponent, rows->n + 1);
	if (status != GS_OK)
		return status;
	if (s->sums->products)
		add_to_squares(p->memory, exponent, rows, x);
	else
	{
		/* as large that its last bit is the upper part's */
		double		split = power_of_two(unit_of(p) + LOW_BITS + 52) * 1.5;
		const lanes splits = {split, split};
		partial_sum *sum = p->memory;

		if (rows->uniform)
			add_to_one_sum(&sum[rows->group[0]], rows, x, splits);
		else
			add_to_sums(sum, rows, x, splits);
	}
	return GS_OK;
}
