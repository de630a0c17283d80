/*-------------------------------------------------------------------------
 *
 * groups.cu
 *	  Contests of groups: filter, group and aggregate columns.
 *
 * 10^8 rows on the device, in one batch, with keys of 4 bytes.  What is timed
 * of gpuscan is a whole execution (end of the one before, begin, feed,
 * finish), by the host's clock, since the engine waits for the device where
 * it must.  So are the launches of the others and the wait for them.
 *
 * Results are checked against an oracle (groups_expect.cu): gpuscan's float
 * sums must be the exact ones, rounded, within what the oracle's units lose.
 *
 *-------------------------------------------------------------------------
 */
#include "groups.h"
#include "groups_query.h"

#include <memory>

#define TOLERANCE	1e-14

typedef std::shared_ptr<query> shared_query;

static contestant
gpuscan(const shared_query &q, std::function<bool(const figures &)> is_right,
		int groups, int columns)
{
	contestant	p;

	q->seal();
	p.name = "gpuscan";
	p.run = [=] { q->execute(); };
	p.is_right = [=] {
		return q->summary.errors == 0 &&
			is_right(figures_of(*q, groups, columns));
	};
	return p;
}

/* gpuscan and its peers, over the rows as they are. */
static void
contest_of(const contest &c, const shared_query &q, group_work work,
		   int groups)
{
	const figures expected = expect(work, groups);
	std::vector<contestant> all;

	all.push_back(gpuscan(q, [&](const figures &got) {
		return agree(work, got, expected, TOLERANCE);
	}, groups, columns_of(work)));
	for (const contestant &p : group_cub(work, groups, &expected))
		all.push_back(p);
	for (const contestant &p : group_atomics(work, groups, &expected))
		all.push_back(p);
	compete_whole(c, all);
}

/* ----------
 * The contests
 * ----------
 */

static gs_operand
add_key(query *q, int groups, bool known)
{
	const gs_operand key = q->add_column(GS_INT4, rows.key, 4, 0,
										 known ? 0 : 1, known ? groups - 1 : 0);

	q->keys.push_back(key);
	return key;
}

static gs_operand
add_value(query *q)
{
	return q->add_column(GS_FLOAT8, rows.value, 8, 0, 1, 0);
}

typedef struct sum_contest
{
	const char *work;
	int			groups;
	key_order	order;
	bool		known;			/* the keys' range */
	distribution values;
} sum_contest;

static const sum_contest sum_contests[] = {
	{"group sum by 1", 1, RANDOM, true, FULL},
	{"group sum by 100", 100, RANDOM, true, FULL},
	{"group sum by 100, multiples of 2^-53", 100, RANDOM, true, UNIT},
	{"group sum by 100, normal values", 100, RANDOM, true, NORMAL},
	{"group sum by 100, range not known", 100, RANDOM, false, FULL},
	{"group sum by 2,500", 2500, RANDOM, true, FULL},
	{"group sum by 2,500, ascending", 2500, ASCENDING, true, FULL},
	{"group sum by 10,000", 10000, RANDOM, true, FULL},
	{"group sum by 1,000,000", 1000000, RANDOM, true, FULL},
	{"group sum by 1,000,000, range not known", 1000000, RANDOM, false, FULL},
	{"group sum by 10,000,000", 10000000, RANDOM, true, FULL},
	{"group sum by 100, half in one", 100, HALF_IN_ONE, true, FULL},
	{"group sum by 10,000, half in one", 10000, HALF_IN_ONE, true, FULL},
	{"group sum by 1,000,000, half in one", 1000000, HALF_IN_ONE, true, FULL},
};

static void
bench_sum(const sum_contest &s)
{
	shared_query q = std::make_shared<query>();

	if (!wanted(s.work))
		return;
	open_rows();
	fill_keys(s.groups, s.order, 41);
	fill_values(s.values, 42);
	add_key(q.get(), s.groups, s.known);
	q->add_aggregate(GS_AGG_SUM, add_value(q.get()));
	contest_of({s.work, GROUP_ROWS, GROUP_ROWS * 12}, q, WORK_SUM, s.groups);
}

/* count, sum, average, standard deviation, min, max */
static void
bench_six(const char *work, int groups, distribution values)
{
	shared_query q = std::make_shared<query>();
	gs_operand	value;

	if (!wanted(work))
		return;
	open_rows();
	fill_keys(groups, RANDOM, 43);
	fill_values(values, 44);
	add_key(q.get(), groups, true);
	value = add_value(q.get());
	q->add_aggregate(GS_AGG_COUNT, value);
	q->add_aggregate(GS_AGG_SUM, value);
	q->add_aggregate(GS_AGG_SQUARES, value);
	q->add_aggregate(GS_AGG_MIN, value);
	q->add_aggregate(GS_AGG_MAX, value);
	contest_of({work, GROUP_ROWS, GROUP_ROWS * 12}, q, WORK_SIX, groups);
}

static void
bench_filter(const char *work, int groups)
{
	shared_query q = std::make_shared<query>();
	gs_operand	value;
	gs_operand	day;
	gs_operand	weight;

	if (!wanted(work))
		return;
	open_rows();
	fill_keys(groups, RANDOM, 45);
	fill_values(FULL, 46);
	fill_filter();
	add_key(q.get(), groups, true);
	value = add_value(q.get());
	day = q->add_column(GS_INT4, rows.day, 4, 0, 0, DAYS - 1);
	weight = q->add_column(GS_FLOAT8, rows.weight, 8, 0, 1, 0);
	day = q->add_code(GS_CODE_AND, GS_BOOL,
					  q->add_code(GS_CODE_GE, GS_INT4, day,
								  q->add_int4(FIRST_DAY)),
					  q->add_code(GS_CODE_LT, GS_INT4, day,
								  q->add_int4(END_DAY)));
	weight = q->add_code(GS_CODE_GT, GS_FLOAT8, weight,
						 q->add_float8(LIGHTEST));
	q->plan.filter = q->add_code(GS_CODE_AND, GS_BOOL, day, weight);
	q->add_aggregate(GS_AGG_COUNT, value);
	q->add_aggregate(GS_AGG_SUM, value);
	contest_of({work, GROUP_ROWS, GROUP_ROWS * 24}, q, WORK_AVERAGE, groups);
}

/*
 * TPC-H's Q1 without its quantity: count, sums of price, discounted price and
 * charge, averages of price and discount.
 */
static void
bench_charge(const char *work, int groups, bool narrow)
{
	shared_query q = std::make_shared<query>();
	gs_operand	price;
	gs_operand	discount;
	gs_operand	tax;
	gs_operand	discounted;
	gs_operand	hundred;

	if (!wanted(work))
		return;
	open_rows();
	fill_keys(groups, RANDOM, 47);
	fill_charge();
	add_key(q.get(), groups, true);
	if (narrow)
	{
		price = q->add_column(GS_INT8, rows.narrow_price, 4, PRICE_LOW,
							  PRICE_LOW, PRICE_HIGH);
		discount = q->add_column(GS_INT8, rows.narrow_discount, 1, 0, 0,
								 DISCOUNT_HIGH);
		tax = q->add_column(GS_INT8, rows.narrow_tax, 1, 0, 0, TAX_HIGH);
	}
	else
	{
		price = q->add_column(GS_INT8, rows.price, 8, 0, PRICE_LOW,
							  PRICE_HIGH);
		discount = q->add_column(GS_INT8, rows.discount, 8, 0, 0,
								 DISCOUNT_HIGH);
		tax = q->add_column(GS_INT8, rows.tax, 8, 0, 0, TAX_HIGH);
	}
	hundred = q->add_int8(100);
	discounted = q->add_code(GS_CODE_MULTIPLY, GS_INT8, price,
							 q->add_code(GS_CODE_SUBTRACT, GS_INT8, hundred,
										 discount));
	q->add_aggregate(GS_AGG_COUNT, GS_NOTHING);
	q->add_aggregate(GS_AGG_SUM, price);
	q->add_aggregate(GS_AGG_SUM, discount);
	q->add_aggregate(GS_AGG_SUM, discounted);
	q->add_aggregate(GS_AGG_SUM,
					 q->add_code(GS_CODE_MULTIPLY, GS_INT8, discounted,
								 q->add_code(GS_CODE_ADD, GS_INT8, hundred,
											 tax)));
	contest_of({work, GROUP_ROWS, GROUP_ROWS * (narrow ? 10 : 28)}, q,
			   WORK_CHARGE, groups);
}

static void
bench_group_histogram(const char *work, int groups)
{
	shared_query q = std::make_shared<query>();
	gs_aggregate *histogram;

	if (!wanted(work))
		return;
	open_rows();
	fill_keys(groups, RANDOM, 48);
	fill_values(FULL, 49);
	add_key(q.get(), groups, true);
	histogram = q->add_aggregate(GS_AGG_HISTOGRAM, add_value(q.get()));
	histogram->buckets = BUCKETS;
	histogram->formula = GS_BUCKET_PRODUCT_FIRST;
	histogram->high = 1;
	contest_of({work, GROUP_ROWS, GROUP_ROWS * 12}, q, WORK_HISTOGRAM, groups);
}

static void
bench_median(const char *work, int groups, distribution values)
{
	shared_query q = std::make_shared<query>();
	const contest c = {work, GROUP_ROWS, GROUP_ROWS * 12};

	if (!wanted(work))
		return;
	open_rows();
	fill_keys(groups, RANDOM, 50);
	fill_values(values, 51);
	add_key(q.get(), groups, true);
	q->add_aggregate(GS_AGG_PERCENTILE, add_value(q.get()))->fraction = 0.5;
	compete_whole(c, {gpuscan(q, are_medians, groups, 2),
					  group_cub_median(groups)});
}

void
bench_groups(void)
{
	for (const sum_contest &s : sum_contests)
		bench_sum(s);
	bench_six("group six aggregates by 100", 100, FULL);
	bench_filter("group filter, sum and average by 100", 100);
	bench_charge("group charge, six aggregates by 6", 6, false);
	bench_charge("group charge, six aggregates by 6, narrow", 6, true);
	bench_group_histogram("group histogram of 256 by 10", 10);
	bench_median("group median by 100", 100, FULL);
	bench_median("group median by 100, normal values", 100, NORMAL);
	close_rows();
}
