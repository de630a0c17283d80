/*-------------------------------------------------------------------------
 *
 * operations.h
 *	  The table of operations.
 *
 * Everything that has to know which operations there are follows from this
 * table: the enum gs_kind, the protocol's checks, the arrays of costs,
 * gpuscan_calibrate(), gpuscan_selfcheck() and the tests' lists.  So a new
 * operation takes part in all of them.  An engine that cannot do it refuses
 * it, and the tests fail.
 *
 *		OPERATION(kind, name, family, types, arguments, output, null_result,
 *				  cpu, cuda, float_ns, other_ns)
 *
 *	kind			gs_kind; operations of a family stand together
 *	name			shown by gpuscan_calibrate() and the tests
 *	family			gs_family
 *	types			the element types allowed
 *	arguments		the arrays beside the data, the mask and the third, as many
 *					elements as the data unless it says ALL, where all of an
 *					array comes with each batch (gs_is_placement):
 *					ALONE, none; FLAGS, bool; FLAGS_IF_MARKED, or none
 *					(gs_op.segment); PAIRS, as the data; PAIRS_IF_SO, or none
 *					(gs_op.expression, gs_op.power); DOUBLES, float8; ANY_TYPE
 *					(gs_op.mask); ALL_ANY_TYPE; ALL_TWO, of any type, both;
 *					ALL_OWN_TYPE; ALL_POINTS, and float8; ALL_DATA, no mask
 *	output			the results that feed writes to gs_output, or fetch gives,
 *					by their type: OWN_TYPE (the elements'), SUM_TYPE (int8 for
 *					integers, else the elements'), KEY_TYPE (the mask's) or a
 *					gs_type.  NO_OUTPUT: all is in gs_result.  Of what fetch
 *					gives, also: FEW, of the own type, of which few are wanted;
 *					COUNTED, of the own type, with counts; COUNTS alone;
 *					PERCENTILES, float8, or of the own type if discrete;
 *					MEANS and DEVIATIONS, float8, or, of integers, what they
 *					follow from: counts, sums and, of deviations, squares;
 *					AGGREGATES (group_op.h)
 *	null_result		when a result can be NULL: gs_null_result
 *	cpu				what executes it in the CPU engine: gs_cpu_<cpu>
 *	cuda			.. and in the CUDA engine: gs_<cuda>_kernels
 *	float_ns		nanoseconds an element on one core of a server of 2024,
 *	other_ns		for float types and for others: what engine auto assumes
 *					until gpuscan_calibrate() has measured this host
 *
 * The comments say what finish puts into gs_result.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_OPERATIONS_H
#define GS_OPERATIONS_H

#define GS_OPERATIONS(OPERATION) \
	/* isum or sum */ \
	OPERATION(GS_SUM, "sum", GS_FAMILY_REDUCE, NUMBERS, ALONE, \
			  NO_OUTPUT, GS_NEVER_NULL, reduction, reduce, 0.5, 0.2) \
	/* isum, isquares or sum, squares */ \
	OPERATION(GS_MOMENTS, "variance", GS_FAMILY_REDUCE, NUMBERS, ALONE, \
			  NO_OUTPUT, GS_NEVER_NULL, reduction, reduce, 2.7, 1.5) \
	/* isum or sum, of the absolute values */ \
	OPERATION(GS_ASUM, "asum", GS_FAMILY_REDUCE, NUMBERS, ALONE, \
			  NO_OUTPUT, GS_NEVER_NULL, reduction, reduce, 0.9, 0.4) \
	/* isquares or squares, of the products with the mask's elements; present \
	 * counts the pairs without NULL */ \
	OPERATION(GS_DOT, "dot", GS_FAMILY_REDUCE, NUMBERS, PAIRS, \
			  NO_OUTPUT, GS_NEVER_NULL, dot, dot, 4, 1) \
	/* squares: the mask's elements, float8, each times the distance to the next \
	 * of the data's, and, if both_sides, from the one before, too; value \
	 * and greatest: the first of the data's elements and the last.  Or only errors, \
	 * 1, if anything is NULL, a distance is not above 0 or not a finite \
	 * double (interpolate.h), or there is none */ \
	OPERATION(GS_AREA, "area", GS_FAMILY_REDUCE, NUMBERS, DOUBLES, \
			  NO_OUTPUT, GS_NEVER_NULL, area, area, 3, 3) \
	/* value */ \
	OPERATION(GS_MIN, "min", GS_FAMILY_REDUCE, NUMBERS, ALONE, \
			  NO_OUTPUT, GS_NEVER_NULL, reduction, reduce, 0.75, 0.3) \
	OPERATION(GS_MAX, "max", GS_FAMILY_REDUCE, NUMBERS, ALONE, \
			  NO_OUTPUT, GS_NEVER_NULL, reduction, reduce, 0.75, 0.3) \
	/* position */ \
	OPERATION(GS_ARGMIN, "argmin", GS_FAMILY_REDUCE, NUMBERS, ALONE, \
			  NO_OUTPUT, GS_NEVER_NULL, reduction, reduce, 0.75, 0.4) \
	OPERATION(GS_ARGMAX, "argmax", GS_FAMILY_REDUCE, NUMBERS, ALONE, \
			  NO_OUTPUT, GS_NEVER_NULL, reduction, reduce, 0.75, 0.4) \
	/* product */ \
	OPERATION(GS_PRODUCT, "product", GS_FAMILY_REDUCE, NUMBERS, ALONE, \
			  NO_OUTPUT, GS_NEVER_NULL, reduction, product, 4.9, 4.9) \
	/* value */ \
	OPERATION(GS_BIT_AND, "bit_and", GS_FAMILY_REDUCE, INTEGERS | BOOL, ALONE, \
			  NO_OUTPUT, GS_NEVER_NULL, reduction, reduce, 0, 0.2) \
	OPERATION(GS_BIT_OR, "bit_or", GS_FAMILY_REDUCE, INTEGERS | BOOL, ALONE, \
			  NO_OUTPUT, GS_NEVER_NULL, reduction, reduce, 0, 0.2) \
	OPERATION(GS_BIT_XOR, "bit_xor", GS_FAMILY_REDUCE, INTEGERS, ALONE, \
			  NO_OUTPUT, GS_NEVER_NULL, reduction, reduce, 0, 0.2) \
	/* as GS_MOMENTS; value, the least, and greatest; specials */ \
	OPERATION(GS_STATS, "stats", GS_FAMILY_REDUCE, NUMBERS, ALONE, \
			  NO_OUTPUT, GS_NEVER_NULL, reduction, reduce, 4.6, 2.1) \
	\
	/* scans: one result an element */ \
	OPERATION(GS_SCAN_SUM, "cumsum", GS_FAMILY_SCAN, NUMBERS, FLAGS_IF_MARKED, \
			  SUM_TYPE, GS_NULL_IF_INCLUSIVE, scan, scan, 1.9, 0.4) \
	OPERATION(GS_SCAN_COUNT, "cumcount", GS_FAMILY_SCAN, NUMBERS, FLAGS_IF_MARKED, \
			  GS_INT8, GS_NEVER_NULL, scan, scan, 0.4, 0.4) \
	OPERATION(GS_SCAN_PRODUCT, "cumprod", GS_FAMILY_SCAN, NUMBERS, FLAGS_IF_MARKED, \
			  GS_FLOAT8, GS_NULL_IF_INCLUSIVE, scan, product_scan, 10, 10) \
	OPERATION(GS_SCAN_MIN, "cummin", GS_FAMILY_SCAN, NUMBERS, FLAGS_IF_MARKED, \
			  OWN_TYPE, GS_NULL_OR_EXCLUSIVE, scan, scan, 1, 0.6) \
	OPERATION(GS_SCAN_MAX, "cummax", GS_FAMILY_SCAN, NUMBERS, FLAGS_IF_MARKED, \
			  OWN_TYPE, GS_NULL_OR_EXCLUSIVE, scan, scan, 1, 0.6) \
	OPERATION(GS_SCAN_BIT_AND, "cumbit_and", GS_FAMILY_SCAN, INTEGERS | BOOL, FLAGS_IF_MARKED, \
			  OWN_TYPE, GS_NULL_OR_EXCLUSIVE, scan, scan, 0, 0.6) \
	OPERATION(GS_SCAN_BIT_OR, "cumbit_or", GS_FAMILY_SCAN, INTEGERS | BOOL, FLAGS_IF_MARKED, \
			  OWN_TYPE, GS_NULL_OR_EXCLUSIVE, scan, scan, 0, 0.6) \
	OPERATION(GS_SCAN_BIT_XOR, "cumbit_xor", GS_FAMILY_SCAN, INTEGERS, FLAGS_IF_MARKED, \
			  OWN_TYPE, GS_NULL_OR_EXCLUSIVE, scan, scan, 0, 0.6) \
	\
	/* histograms, of equal width or by given edges: counts */ \
	OPERATION(GS_HISTOGRAM_WIDTH, "histogram", GS_FAMILY_HISTOGRAM, NUMBERS, ALONE, \
			  NO_OUTPUT, GS_NEVER_NULL, histogram, histogram, 1.6, 1.6) \
	OPERATION(GS_HISTOGRAM_EDGES, "histogram of edges", GS_FAMILY_HISTOGRAM, NUMBERS, ALONE, \
			  NO_OUTPUT, GS_NEVER_NULL, histogram, histogram, 5.5, 5.5) \
	\
	/* maps: a result for each element, NULL for NULL: how many of the sorted \
	 * keys are not above it, or, if left, below it */ \
	OPERATION(GS_SEARCH, "searchsorted", GS_FAMILY_MAP, NUMBERS, ALONE, \
			  GS_INT4, GS_NULL_IF_DATA, search, search, 6, 6) \
	/* the element less the last one before it that is not NULL (difference.h); \
	 * the first stays, or, if null_first, is NULL */ \
	OPERATION(GS_DIFF, "diff", GS_FAMILY_MAP, NUMBERS, ALONE, \
			  SUM_TYPE, GS_NULL_OR_FIRST, diff, diff, 0.8, 0.8) \
	/* an expression's one step, of each element or pair (gs_expression): \
	 * NULL if one of a pair is; an error is GS_VALUE_ERROR, without results */ \
	OPERATION(GS_ARITHMETIC, "arithmetic", GS_FAMILY_MAP, NUMBERS, PAIRS_IF_SO, \
			  OWN_TYPE, GS_NULL_IF_EITHER, elementwise, arithmetic, 1.5, 1.5) \
	/* \
	 * Of all of an array, which comes with each feed (gs_is_placement), or of \
	 * two: elements from other places; \
	 */ \
	/* those of the mask, which has mask.elements, at the positions that the \
	 * data are, from 1 on; a position beyond them is GS_VALUE_ERROR, without \
	 * results */ \
	OPERATION(GS_TAKE, "take", GS_FAMILY_MAP, POSITIONS, ALL_ANY_TYPE, \
			  KEY_TYPE, GS_ANY_NULL, place, place, 0, 10) \
	/* the data's, the last one first */ \
	OPERATION(GS_REVERSE, "reverse", GS_FAMILY_MAP, NUMBERS | BOOL, ALL_DATA, \
			  OWN_TYPE, GS_NULL_IF_DATA, place, place, 1.5, 1.5) \
	/* the data's, each `places` places later; NULL where there is none */ \
	OPERATION(GS_SHIFT, "shift", GS_FAMILY_MAP, NUMBERS | BOOL, ALL_DATA, \
			  OWN_TYPE, GS_ANY_NULL, place, place, 1.5, 1.5) \
	/* \
	 * For each element where it lies among the mask's, which have \
	 * mask.elements, ascend and are not NULL, or it is GS_VALUE_ERROR, without \
	 * results (interpolate.h). \
	 */ \
	/* how many of them are not above it; NULL: none */ \
	OPERATION(GS_ASOF, "asof", GS_FAMILY_MAP, NUMBERS, ALL_OWN_TYPE, \
			  GS_INT4, GS_ANY_NULL, interpolate, interpolate, 12, 12) \
	/* the value there of the line through the two points next to it, whose other \
	 * coordinates are the third array's elements, float8; NULL beyond the first \
	 * point and the last.  The third's must not be NULL, nor the ends of the \
	 * mask infinite, which is GS_VALUE_ERROR, too */ \
	OPERATION(GS_INTERPOLATE, "interpolate", GS_FAMILY_MAP, NUMBERS, ALL_POINTS, \
			  GS_FLOAT8, GS_ANY_NULL, interpolate, interpolate, 16, 16) \
	/* the mask's element where the data's is true, else the third array's; each \
	 * has mask.elements, at least as many as the data */ \
	OPERATION(GS_CHOOSE_EITHER, "choose either", GS_FAMILY_MAP, BOOL, ALL_TWO, \
			  KEY_TYPE, GS_ANY_NULL, place, place, 0, 2) \
	/* is it in a range (range.h), or, if so asked, outside? */ \
	OPERATION(GS_BETWEEN, "between", GS_FAMILY_MAP, NUMBERS, ALONE, \
			  GS_BOOL, GS_NULL_IF_DATA, elementwise, compare, 1, 1) \
	/* the element, or the end of the range that it is beyond */ \
	OPERATION(GS_CLIP, "clip", GS_FAMILY_MAP, NUMBERS, ALONE, \
			  OWN_TYPE, GS_NULL_IF_DATA, elementwise, compare, 1.5, 1.5) \
	/* gs_op.pairs of each pair: NULL if one of it is */ \
	OPERATION(GS_COMPARE, "compare", GS_FAMILY_MAP, NUMBERS, PAIRS, \
			  GS_BOOL, GS_NULL_IF_EITHER, elementwise, compare, 1.5, 1.5) \
	/* SQL's logic, of three values */ \
	OPERATION(GS_NOT, "not", GS_FAMILY_MAP, BOOL, ALONE, \
			  GS_BOOL, GS_NULL_IF_DATA, elementwise, compare, 0, 0.2) \
	OPERATION(GS_AND, "and", GS_FAMILY_MAP, BOOL, FLAGS, \
			  GS_BOOL, GS_NULL_IF_EITHER, elementwise, compare, 0, 0.3) \
	OPERATION(GS_OR, "or", GS_FAMILY_MAP, BOOL, FLAGS, \
			  GS_BOOL, GS_NULL_IF_EITHER, elementwise, compare, 0, 0.3) \
	/* the element where the mask is true, or, if where_false, where it is not; \
	 * else the constant, or NULL if there is none */ \
	OPERATION(GS_CHOOSE, "choose", GS_FAMILY_MAP, NUMBERS | BOOL, FLAGS, \
			  OWN_TYPE, GS_NULL_IF_EITHER, elementwise, compare, 1.5, 1.5) \
	/* elements.h; an error is GS_VALUE_ERROR */ \
	OPERATION(GS_SQRT, "sqrt", GS_FAMILY_MAP, NUMBERS, ALONE, \
			  GS_FLOAT8, GS_NULL_IF_DATA, elements, elementary, 2.5, 2.5) \
	OPERATION(GS_EXP, "exp", GS_FAMILY_MAP, NUMBERS, ALONE, \
			  GS_FLOAT8, GS_NULL_IF_DATA, elements, elementary, 9, 9) \
	OPERATION(GS_LN, "ln", GS_FAMILY_MAP, NUMBERS, ALONE, \
			  GS_FLOAT8, GS_NULL_IF_DATA, elements, elementary, 10, 10) \
	/* of the data and the mask, if of_pairs; of an element to the power of the \
	 * constant, or, if constant_is_base, of the constant to that of an element */ \
	OPERATION(GS_POWER, "power", GS_FAMILY_MAP, NUMBERS, PAIRS_IF_SO, \
			  GS_FLOAT8, GS_NULL_IF_EITHER, elements, elementary, 14, 14) \
	/* to gs_op.round.digits */ \
	OPERATION(GS_ROUND, "round", GS_FAMILY_MAP, NUMBERS, ALONE, \
			  OWN_TYPE, GS_NULL_IF_DATA, elements, elementary, 2, 1) \
	/* from the element before, NULL where either is, and first */ \
	OPERATION(GS_PCT_CHANGE, "pct_change", GS_FAMILY_MAP, NUMBERS, ALONE, \
			  GS_FLOAT8, GS_NULL_FIRST, change, change, 3, 10) \
	\
	/* compactions: the elements whose mask is true, or whose comparison is, \
	 * in order; the positions of true elements */ \
	OPERATION(GS_COMPACT, "compact", GS_FAMILY_COMPACT, NUMBERS, FLAGS, \
			  OWN_TYPE, GS_NULL_IF_DATA, compaction, compact, 0.75, 0.75) \
	OPERATION(GS_FILTER, "filter", GS_FAMILY_COMPACT, NUMBERS, ALONE, \
			  OWN_TYPE, GS_NEVER_NULL, compaction, compact, 1.1, 1.1) \
	OPERATION(GS_WHERE, "where", GS_FAMILY_COMPACT, BOOL, ALONE, \
			  GS_INT4, GS_NEVER_NULL, compaction, compact, 0, 0.4) \
	/* of the values that are not NULL, the first of each run of equal ones: \
	 * the value; its position among them, from 1 */ \
	OPERATION(GS_UNIQUE, "unique", GS_FAMILY_COMPACT, NUMBERS, ALONE, \
			  OWN_TYPE, GS_NEVER_NULL, unique, compact, 1.1, 1.1) \
	OPERATION(GS_RUN_STARTS, "run starts", GS_FAMILY_COMPACT, NUMBERS, ALONE, \
			  GS_INT4, GS_NEVER_NULL, unique, compact, 0.9, 0.9) \
	\
	/* \
	 * Orders: finish counts the results, and fetch copies any range of them. \
	 * NULLs are left out.  As values, -0 is just below 0, and every NaN is \
	 * the canonical one, above all else. \
	 */ \
	/* own type: the elements, in order */ \
	OPERATION(GS_SORT, "sort", GS_FAMILY_ORDER, NUMBERS, ALONE, \
			  OWN_TYPE, GS_NEVER_NULL, order, order, 9, 8) \
	/* own type: a sort of which only a few results are wanted */ \
	OPERATION(GS_SELECT, "median", GS_FAMILY_ORDER, NUMBERS, ALONE, \
			  FEW, GS_NEVER_NULL, order, order, 2, 2) \
	/* int4: their positions, from 1; -0 equals 0, equals by position */ \
	OPERATION(GS_ARGSORT, "argsort", GS_FAMILY_ORDER, NUMBERS, ALONE, \
			  GS_INT4, GS_NEVER_NULL, order, order, 16, 11) \
	/* int4, of each element, in the order of the array: its place among all, \
	 * from 1, equals by position; the first place of its equals; how many \
	 * distinct elements come up to it; the last place of its equals */ \
	OPERATION(GS_ROW_NUMBER, "row number", GS_FAMILY_ORDER, NUMBERS, ALONE, \
			  GS_INT4, GS_NEVER_NULL, order, order, 20, 14) \
	OPERATION(GS_RANK, "rank", GS_FAMILY_ORDER, NUMBERS, ALONE, \
			  GS_INT4, GS_NEVER_NULL, order, order, 20, 14) \
	OPERATION(GS_DENSE_RANK, "dense rank", GS_FAMILY_ORDER, NUMBERS, ALONE, \
			  GS_INT4, GS_NEVER_NULL, order, order, 20, 14) \
	OPERATION(GS_LAST_RANK, "last rank", GS_FAMILY_ORDER, NUMBERS, ALONE, \
			  GS_INT4, GS_NEVER_NULL, order, order, 20, 14) \
	/* own type: the distinct elements, in order; -0 equals 0, which stands \
	 * for both; int8: how often each occurs; value: the most frequent, the \
	 * least if there are several */ \
	OPERATION(GS_DISTINCT, "distinct", GS_FAMILY_ORDER, NUMBERS, ALONE, \
			  COUNTED, GS_NEVER_NULL, order, order, 11, 7) \
	/* own type: the elements as they are, column by column, where they were \
	 * row by row; a row has `columns` of those that are not NULL, the \
	 * last one perhaps fewer */ \
	OPERATION(GS_TRANSPOSE, "transpose", GS_FAMILY_ORDER, NUMBERS, ALONE, \
			  OWN_TYPE, GS_NEVER_NULL, transpose, transpose, 2, 2) \
	\
	/* the elements grouped by keys (plan.h): finish counts the groups, and \
	 * fetch copies their keys and aggregates, in the order of the keys */ \
	OPERATION(GS_GROUP, "group", GS_FAMILY_GROUP, NUMBERS, ANY_TYPE, \
			  AGGREGATES, GS_NEVER_NULL, group, plan, 4, 3) \
	\
	/* reductions of what an expression gives for each element, or pair of \
	 * the data's and the mask's, perhaps filtered, or of differences \
	 * (gs_expression): present; isum, isquares or sum, squares; value, the \
	 * least, and greatest; or only errors */ \
	OPERATION(GS_EXPRESSION, "expression", GS_FAMILY_EXPRESSION, NUMBERS, PAIRS_IF_SO, \
			  NO_OUTPUT, GS_NEVER_NULL, group, plan, 3, 2.5) \
	\
	/* \
	 * Segments, each reduced: the first element and each head start one. \
	 * finish counts them, and fetch copies the results in order; NULL where all \
	 * elements are. \
	 */ \
	/* SUM_TYPE; position is that of the first result out of range, counted \
	 * from 1, or 0; such a result is 0 */ \
	OPERATION(GS_SEGMENT_SUM, "segment sum", GS_FAMILY_SEGMENT, NUMBERS, FLAGS_IF_MARKED, \
			  SUM_TYPE, GS_NULL_IF_DATA, segments, segment, 2, 0.7) \
	/* float8; of integers, instead, their sums in 128 bits (GS_COLUMN_SUMS), and \
	 * int8 counts of those that are not NULL */ \
	OPERATION(GS_SEGMENT_AVG, "segment avg", GS_FAMILY_SEGMENT, NUMBERS, FLAGS_IF_MARKED, \
			  MEANS, GS_NULL_IF_DATA, segments, segment, 2, 0.7) \
	/* own type */ \
	OPERATION(GS_SEGMENT_MIN, "segment min", GS_FAMILY_SEGMENT, NUMBERS, FLAGS_IF_MARKED, \
			  OWN_TYPE, GS_NULL_IF_DATA, segments, segment, 1.3, 0.8) \
	OPERATION(GS_SEGMENT_MAX, "segment max", GS_FAMILY_SEGMENT, NUMBERS, FLAGS_IF_MARKED, \
			  OWN_TYPE, GS_NULL_IF_DATA, segments, segment, 1.3, 0.8) \
	/* int8 (GS_COLUMN_COUNTS): how many elements are not NULL */ \
	OPERATION(GS_SEGMENT_COUNT, "segment count", GS_FAMILY_SEGMENT, NUMBERS, FLAGS_IF_MARKED, \
			  COUNTS, GS_NEVER_NULL, segments, segment, 0.6, 0.6) \
	\
	/* \
	 * Moving frames: a result for each element, of those near it.  finish says \
	 * where the first one out of range is, and fetch copies any range of \
	 * them: SUM_TYPE, float8 or the own type; NULL where all of the frame is. \
	 */ \
	OPERATION(GS_MOVING_SUM, "moving sum", GS_FAMILY_MOVING, NUMBERS, ALONE, \
			  SUM_TYPE, GS_NULL_IF_DATA, moving, moving, 15, 2) \
	/* of integers, instead, their sums in 128 bits (GS_COLUMN_SUMS), and int8 \
	 * counts of those that are not NULL */ \
	OPERATION(GS_MOVING_AVG, "moving avg", GS_FAMILY_MOVING, NUMBERS, ALONE, \
			  MEANS, GS_NULL_IF_DATA, moving, moving, 25, 4) \
	/* of a sample; NULL of fewer than two elements that are not; of integers, \
	 * counts, sums, and those of their squares in 192 bits (GS_COLUMN_SQUARES) */ \
	OPERATION(GS_MOVING_STDDEV, "moving stddev", GS_FAMILY_MOVING, NUMBERS, ALONE, \
			  DEVIATIONS, GS_ANY_NULL, moving, moving, 60, 8) \
	/* float8: of the pairs of an element and the mask's, as double precision; \
	 * NULL where there is none */ \
	OPERATION(GS_MOVING_CORR, "moving corr", GS_FAMILY_MOVING, NUMBERS, PAIRS, \
			  GS_FLOAT8, GS_ANY_NULL, moving_pairs, moving_pairs, 30, 30) \
	OPERATION(GS_MOVING_MIN, "moving min", GS_FAMILY_MOVING, NUMBERS, ALONE, \
			  OWN_TYPE, GS_NULL_IF_DATA, moving, moving, 3, 3) \
	OPERATION(GS_MOVING_MAX, "moving max", GS_FAMILY_MOVING, NUMBERS, ALONE, \
			  OWN_TYPE, GS_NULL_IF_DATA, moving, moving, 3, 3) \
	/* the percentile of a fraction: float8, interpolated, or, if discrete, \
	 * an element, of the own type (percentile.h) */ \
	OPERATION(GS_MOVING_PERCENTILE, "moving percentile", GS_FAMILY_MOVING, NUMBERS, ALONE, \
			  PERCENTILES, GS_NULL_IF_DATA, moving, moving_percentile, 90, 90) \
	/* float8: exponentially weighted means (ewma.h) of frames from the first \
	 * element on */ \
	OPERATION(GS_EWMA, "ewma", GS_FAMILY_MOVING, NUMBERS, ALONE, \
			  GS_FLOAT8, GS_NULL_IF_DATA, moving, ewma, 8, 8)

#endif							/* GS_OPERATIONS_H */
