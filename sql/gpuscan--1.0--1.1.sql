/* sql/gpuscan--1.0--1.1.sql: what changed since 1.0 */

-- complain if script is sourced in psql, rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION gpuscan UPDATE TO '1.1'" to load this file. \quit

-- Names

/*
 * What only the extension itself calls begins with an underscore: a user who
 * completes gpu_ is not shown it.
 */
ALTER FUNCTION gpu_array_add(bigint[], bigint[]) RENAME TO _gpu_array_add;
ALTER FUNCTION gpu_canonical(real) RENAME TO _gpu_canonical;
ALTER FUNCTION gpu_canonical(double precision) RENAME TO _gpu_canonical;
ALTER FUNCTION gpu_collect(smallint[], smallint) RENAME TO _gpu_collect;
ALTER FUNCTION gpu_collect(integer[], integer) RENAME TO _gpu_collect;
ALTER FUNCTION gpu_collect(bigint[], bigint) RENAME TO _gpu_collect;
ALTER FUNCTION gpu_collect(real[], real) RENAME TO _gpu_collect;
ALTER FUNCTION gpu_collect(double precision[], double precision) RENAME TO _gpu_collect;
ALTER FUNCTION gpu_collect_merge(smallint[], smallint[]) RENAME TO _gpu_collect_merge;
ALTER FUNCTION gpu_collect_merge(integer[], integer[]) RENAME TO _gpu_collect_merge;
ALTER FUNCTION gpu_collect_merge(bigint[], bigint[]) RENAME TO _gpu_collect_merge;
ALTER FUNCTION gpu_collect_merge(real[], real[]) RENAME TO _gpu_collect_merge;
ALTER FUNCTION gpu_collect_merge(double precision[], double precision[]) RENAME TO _gpu_collect_merge;
ALTER FUNCTION gpu_greater(real, real) RENAME TO _gpu_greater;
ALTER FUNCTION gpu_greater(double precision, double precision) RENAME TO _gpu_greater;
ALTER FUNCTION gpu_histogram_add(bigint[], smallint, double precision, double precision, integer)
	RENAME TO _gpu_histogram_add;
ALTER FUNCTION gpu_histogram_add(bigint[], integer, double precision, double precision, integer)
	RENAME TO _gpu_histogram_add;
ALTER FUNCTION gpu_histogram_add(bigint[], bigint, double precision, double precision, integer)
	RENAME TO _gpu_histogram_add;
ALTER FUNCTION gpu_histogram_add(bigint[], real, double precision, double precision, integer)
	RENAME TO _gpu_histogram_add;
ALTER FUNCTION gpu_histogram_add(bigint[], double precision, double precision, double precision, integer)
	RENAME TO _gpu_histogram_add;
ALTER FUNCTION gpu_histogram_final(bigint[]) RENAME TO _gpu_histogram_final;
ALTER FUNCTION gpu_histogram_merge(bigint[], bigint[]) RENAME TO _gpu_histogram_merge;
ALTER FUNCTION gpu_lesser(real, real) RENAME TO _gpu_lesser;
ALTER FUNCTION gpu_lesser(double precision, double precision) RENAME TO _gpu_lesser;
ALTER FUNCTION gpu_percentile_collect(double precision[], smallint, double precision)
	RENAME TO _gpu_percentile_collect;
ALTER FUNCTION gpu_percentile_collect(double precision[], integer, double precision)
	RENAME TO _gpu_percentile_collect;
ALTER FUNCTION gpu_percentile_collect(double precision[], bigint, double precision)
	RENAME TO _gpu_percentile_collect;
ALTER FUNCTION gpu_percentile_collect(double precision[], real, double precision)
	RENAME TO _gpu_percentile_collect;
ALTER FUNCTION gpu_percentile_collect(double precision[], double precision, double precision)
	RENAME TO _gpu_percentile_collect;
ALTER FUNCTION gpu_percentile_final(double precision[]) RENAME TO _gpu_percentile_final;
ALTER FUNCTION gpu_percentile_merge(double precision[], double precision[]) RENAME TO _gpu_percentile_merge;
ALTER FUNCTION gpu_state_in(cstring) RENAME TO _gpu_state_in;
ALTER FUNCTION gpu_state_out(gpu_state) RENAME TO _gpu_state_out;
ALTER FUNCTION gpu_state_recv(internal) RENAME TO _gpu_state_recv;
ALTER FUNCTION gpu_state_send(gpu_state) RENAME TO _gpu_state_send;
ALTER FUNCTION gpu_stats_add(gpu_stats, smallint) RENAME TO _gpu_stats_add;
ALTER FUNCTION gpu_stats_add(gpu_stats, integer) RENAME TO _gpu_stats_add;
ALTER FUNCTION gpu_stats_add(gpu_stats, bigint) RENAME TO _gpu_stats_add;
ALTER FUNCTION gpu_stats_add(gpu_stats, real) RENAME TO _gpu_stats_add;
ALTER FUNCTION gpu_stats_add(gpu_stats, double precision) RENAME TO _gpu_stats_add;
ALTER FUNCTION gpu_stats_final(gpu_stats) RENAME TO _gpu_stats_final;
ALTER FUNCTION gpu_stats_in(cstring) RENAME TO _gpu_stats_in;
ALTER FUNCTION gpu_stats_merge(gpu_stats, gpu_stats) RENAME TO _gpu_stats_merge;
ALTER FUNCTION gpu_stats_out(gpu_stats) RENAME TO _gpu_stats_out;
ALTER FUNCTION gpu_stats_recv(internal) RENAME TO _gpu_stats_recv;
ALTER FUNCTION gpu_stats_send(gpu_stats) RENAME TO _gpu_stats_send;
ALTER FUNCTION gpuscan_numeric_aggregate(numeric, numeric) RENAME TO _gpuscan_numeric_aggregate;
ALTER FUNCTION gpuscan_numeric_aggregate(numeric, numeric, numeric) RENAME TO _gpuscan_numeric_aggregate;
ALTER FUNCTION gpuscan_numeric_aggregate(numeric, numeric, double precision)
	RENAME TO _gpuscan_numeric_aggregate;
ALTER FUNCTION gpuscan_numeric_aggregate(numeric, numeric, double precision, double precision, integer)
	RENAME TO _gpuscan_numeric_aggregate;
ALTER FUNCTION gpuscan_support(internal) RENAME TO _gpuscan_support;
ALTER FUNCTION gpu_searchsorted(smallint[], smallint[]) SUPPORT _gpuscan_support;
ALTER FUNCTION gpu_searchsorted(integer[], integer[]) SUPPORT _gpuscan_support;
ALTER FUNCTION gpu_searchsorted(bigint[], bigint[]) SUPPORT _gpuscan_support;
ALTER FUNCTION gpu_searchsorted(real[], real[]) SUPPORT _gpuscan_support;
ALTER FUNCTION gpu_searchsorted(double precision[], double precision[]) SUPPORT _gpuscan_support;

-- States and summaries

/*
 * Wide states are compressed, or stored out of line, as other values are.
 * Columns that are there already stay as they are, until ALTER TABLE ... SET
 * STORAGE.
 */
ALTER TYPE gpu_state SET (STORAGE = extended);
ALTER TYPE gpu_stats SET (STORAGE = extended);

/*
 * Summaries are equal if their figures are.  Their order is one by counts
 * first, and of no other meaning: it is what sorts and indexes need.
 */
CREATE FUNCTION _gpu_stats_eq(gpu_stats, gpu_stats) RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpu_stats_eq'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_stats_eq(gpu_stats, gpu_stats) IS
	'implementation of = operator';

CREATE FUNCTION _gpu_stats_ne(gpu_stats, gpu_stats) RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpu_stats_ne'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_stats_ne(gpu_stats, gpu_stats) IS
	'implementation of <> operator';

CREATE FUNCTION _gpu_stats_lt(gpu_stats, gpu_stats) RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpu_stats_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_stats_lt(gpu_stats, gpu_stats) IS
	'implementation of < operator';

CREATE FUNCTION _gpu_stats_le(gpu_stats, gpu_stats) RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpu_stats_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_stats_le(gpu_stats, gpu_stats) IS
	'implementation of <= operator';

CREATE FUNCTION _gpu_stats_gt(gpu_stats, gpu_stats) RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpu_stats_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_stats_gt(gpu_stats, gpu_stats) IS
	'implementation of > operator';

CREATE FUNCTION _gpu_stats_ge(gpu_stats, gpu_stats) RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpu_stats_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_stats_ge(gpu_stats, gpu_stats) IS
	'implementation of >= operator';

CREATE FUNCTION _gpu_stats_cmp(gpu_stats, gpu_stats) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_stats_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_stats_cmp(gpu_stats, gpu_stats) IS 'less-equal-greater';

CREATE FUNCTION _gpu_stats_hash(gpu_stats) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_stats_hash'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_stats_hash(gpu_stats) IS 'hash';

CREATE FUNCTION _gpu_stats_hash_extended(gpu_stats, bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_stats_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_stats_hash_extended(gpu_stats, bigint) IS 'hash';

CREATE OPERATOR =
(
	FUNCTION = _gpu_stats_eq,
	LEFTARG = gpu_stats,
	RIGHTARG = gpu_stats,
	COMMUTATOR = =,
	NEGATOR = <>,
	RESTRICT = eqsel,
	JOIN = eqjoinsel,
	HASHES,
	MERGES
);
COMMENT ON OPERATOR = (gpu_stats, gpu_stats) IS 'equal';

CREATE OPERATOR <>
(
	FUNCTION = _gpu_stats_ne,
	LEFTARG = gpu_stats,
	RIGHTARG = gpu_stats,
	COMMUTATOR = <>,
	NEGATOR = =,
	RESTRICT = neqsel,
	JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (gpu_stats, gpu_stats) IS 'not equal';

CREATE OPERATOR <
(
	FUNCTION = _gpu_stats_lt,
	LEFTARG = gpu_stats,
	RIGHTARG = gpu_stats,
	COMMUTATOR = >,
	NEGATOR = >=,
	RESTRICT = scalarltsel,
	JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (gpu_stats, gpu_stats) IS 'less than';

CREATE OPERATOR <=
(
	FUNCTION = _gpu_stats_le,
	LEFTARG = gpu_stats,
	RIGHTARG = gpu_stats,
	COMMUTATOR = >=,
	NEGATOR = >,
	RESTRICT = scalarlesel,
	JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (gpu_stats, gpu_stats) IS 'less than or equal';

CREATE OPERATOR >
(
	FUNCTION = _gpu_stats_gt,
	LEFTARG = gpu_stats,
	RIGHTARG = gpu_stats,
	COMMUTATOR = <,
	NEGATOR = <=,
	RESTRICT = scalargtsel,
	JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (gpu_stats, gpu_stats) IS 'greater than';

CREATE OPERATOR >=
(
	FUNCTION = _gpu_stats_ge,
	LEFTARG = gpu_stats,
	RIGHTARG = gpu_stats,
	COMMUTATOR = <=,
	NEGATOR = <,
	RESTRICT = scalargesel,
	JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (gpu_stats, gpu_stats) IS 'greater than or equal';

CREATE OPERATOR CLASS gpu_stats_ops DEFAULT FOR TYPE gpu_stats USING btree AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 _gpu_stats_cmp(gpu_stats, gpu_stats);

CREATE OPERATOR CLASS gpu_stats_ops DEFAULT FOR TYPE gpu_stats USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 _gpu_stats_hash(gpu_stats),
	FUNCTION 2 _gpu_stats_hash_extended(gpu_stats, bigint);

-- Scans

CREATE FUNCTION gpu_cumbit_xor(
		arr smallint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_cumbit_xor'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cumbit_xor(smallint[], boolean, integer, boolean[]) IS
	'running bitwise exclusive or';

CREATE FUNCTION gpu_cumbit_xor(
		arr integer[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_cumbit_xor'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cumbit_xor(integer[], boolean, integer, boolean[]) IS
	'running bitwise exclusive or';

CREATE FUNCTION gpu_cumbit_xor(
		arr bigint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumbit_xor'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cumbit_xor(bigint[], boolean, integer, boolean[]) IS
	'running bitwise exclusive or';

-- Arrays

/*
 * A literal or parameter of unknown type, as drivers send them, is to get the
 * overload that is meant.  PostgreSQL takes overloads whose known arguments
 * match exactly first; of two or more that are left, a preferred type
 * (double precision), or none.  So of overloads that an unknown argument is
 * not meant for, the array is anyarray, which never matches exactly:
 *
 * - gpu_filter: the bound of an array of integers is a bigint, that of another
 *   one a double precision.
 *
 * - gpu_percentile_cont, gpu_percentile_disc: one fraction, as the built-in
 *   ones have it.
 *
 * The overloads of 1.0 that would come before these get other names, rather
 * than being dropped, since views may use them.
 */

ALTER FUNCTION gpu_filter(smallint[], text, double precision)
	RENAME TO _gpu_filter_double;
COMMENT ON FUNCTION _gpu_filter_double(smallint[], text, double precision) IS
	'gpu_filter of 1.0, for views that were made with it';

ALTER FUNCTION gpu_filter(integer[], text, double precision)
	RENAME TO _gpu_filter_double;
COMMENT ON FUNCTION _gpu_filter_double(integer[], text, double precision) IS
	'gpu_filter of 1.0, for views that were made with it';

ALTER FUNCTION gpu_filter(bigint[], text, double precision)
	RENAME TO _gpu_filter_double;
COMMENT ON FUNCTION _gpu_filter_double(bigint[], text, double precision) IS
	'gpu_filter of 1.0, for views that were made with it';

ALTER FUNCTION gpu_filter(real[], text, double precision)
	RENAME TO _gpu_filter_double;
COMMENT ON FUNCTION _gpu_filter_double(real[], text, double precision) IS
	'gpu_filter of 1.0, for views that were made with it';

ALTER FUNCTION gpu_filter(double precision[], text, double precision)
	RENAME TO _gpu_filter_double;
COMMENT ON FUNCTION _gpu_filter_double(double precision[], text, double precision) IS
	'gpu_filter of 1.0, for views that were made with it';

ALTER FUNCTION gpu_filter(real[], text, bigint)
	RENAME TO _gpu_filter_bigint;
COMMENT ON FUNCTION _gpu_filter_bigint(real[], text, bigint) IS
	'gpu_filter of 1.0, for views that were made with it';

ALTER FUNCTION gpu_filter(double precision[], text, bigint)
	RENAME TO _gpu_filter_bigint;
COMMENT ON FUNCTION _gpu_filter_bigint(double precision[], text, bigint) IS
	'gpu_filter of 1.0, for views that were made with it';

-- these were errors in any case
DROP FUNCTION gpu_filter(numeric[], text, double precision);
DROP FUNCTION gpu_filter(numeric[], text, bigint);

CREATE FUNCTION gpu_filter(arr anyarray, op text, bound double precision)
	RETURNS anyarray
	AS 'MODULE_PATHNAME', 'gpu_filter_any_double'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_filter(anyarray, text, double precision) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr anyarray, op text, bound bigint)
	RETURNS anyarray
	AS 'MODULE_PATHNAME', 'gpu_filter_any_bigint'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_filter(anyarray, text, bigint) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr anyarray, op text, bound numeric)
	RETURNS anyarray
	AS 'MODULE_PATHNAME', 'gpu_filter_any_numeric'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_filter(anyarray, text, numeric) IS
	'elements that compare true with the bound, in order';

ALTER FUNCTION gpu_percentile_cont(smallint[], double precision[])
	RENAME TO gpu_percentiles_cont;
ALTER FUNCTION gpu_percentile_cont(integer[], double precision[])
	RENAME TO gpu_percentiles_cont;
ALTER FUNCTION gpu_percentile_cont(bigint[], double precision[])
	RENAME TO gpu_percentiles_cont;
ALTER FUNCTION gpu_percentile_cont(real[], double precision[])
	RENAME TO gpu_percentiles_cont;
ALTER FUNCTION gpu_percentile_cont(double precision[], double precision[])
	RENAME TO gpu_percentiles_cont;
ALTER FUNCTION gpu_percentile_cont(numeric[], double precision[])
	RENAME TO gpu_percentiles_cont;

CREATE FUNCTION gpu_percentile_cont(arr anyarray, fractions double precision[])
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_percentiles_any_cont'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_cont(anyarray, double precision[]) IS
	'percentile of the elements, interpolated, or one for each of an array of fractions';

ALTER FUNCTION gpu_percentile_disc(smallint[], double precision[])
	RENAME TO gpu_percentiles_disc;
ALTER FUNCTION gpu_percentile_disc(integer[], double precision[])
	RENAME TO gpu_percentiles_disc;
ALTER FUNCTION gpu_percentile_disc(bigint[], double precision[])
	RENAME TO gpu_percentiles_disc;
ALTER FUNCTION gpu_percentile_disc(real[], double precision[])
	RENAME TO gpu_percentiles_disc;
ALTER FUNCTION gpu_percentile_disc(double precision[], double precision[])
	RENAME TO gpu_percentiles_disc;
ALTER FUNCTION gpu_percentile_disc(numeric[], double precision[])
	RENAME TO gpu_percentiles_disc;

CREATE FUNCTION gpu_percentile_disc(arr anyarray, fractions double precision[])
	RETURNS anyarray
	AS 'MODULE_PATHNAME', 'gpu_percentiles_any_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_disc(anyarray, double precision[]) IS
	'percentile of the elements, one of them, or one for each of an array of fractions';

/*
 * Groups.  Keys of any type are one overload, and the function looks at their
 * type: smallint, integer, bigint, real, double precision or boolean.
 */

CREATE FUNCTION gpu_group(keys anyarray, vals smallint[])
	RETURNS TABLE (key anyelement, count bigint, sum bigint, avg numeric,
		min smallint, max smallint, stddev numeric)
	AS 'MODULE_PATHNAME', 'gpu_group'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group(anyarray, smallint[]) IS
	'aggregates of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group(keys anyarray, vals integer[])
	RETURNS TABLE (key anyelement, count bigint, sum bigint, avg numeric,
		min integer, max integer, stddev numeric)
	AS 'MODULE_PATHNAME', 'gpu_group'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group(anyarray, integer[]) IS
	'aggregates of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group(keys anyarray, vals bigint[])
	RETURNS TABLE (key anyelement, count bigint, sum numeric, avg numeric,
		min bigint, max bigint, stddev numeric)
	AS 'MODULE_PATHNAME', 'gpu_group'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group(anyarray, bigint[]) IS
	'aggregates of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group(keys anyarray, vals real[])
	RETURNS TABLE (key anyelement, count bigint, sum real, avg double precision,
		min real, max real, stddev double precision)
	AS 'MODULE_PATHNAME', 'gpu_group'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group(anyarray, real[]) IS
	'aggregates of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group(keys anyarray, vals double precision[])
	RETURNS TABLE (key anyelement, count bigint, sum double precision, avg double precision,
		min double precision, max double precision, stddev double precision)
	AS 'MODULE_PATHNAME', 'gpu_group'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group(anyarray, double precision[]) IS
	'aggregates of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group(keys anyarray, vals numeric[])
	RETURNS TABLE (key anyelement, count bigint, sum numeric, avg numeric,
		min numeric, max numeric, stddev numeric)
	AS 'MODULE_PATHNAME', 'gpu_group_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000 ROWS 100;
COMMENT ON FUNCTION gpu_group(anyarray, numeric[]) IS
	'aggregates of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_count(keys anyarray, vals smallint[])
	RETURNS TABLE (key anyelement, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_group_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_count(anyarray, smallint[]) IS
	'number of values that are not null by key, in the order of the keys';

CREATE FUNCTION gpu_group_count(keys anyarray, vals integer[])
	RETURNS TABLE (key anyelement, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_group_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_count(anyarray, integer[]) IS
	'number of values that are not null by key, in the order of the keys';

CREATE FUNCTION gpu_group_count(keys anyarray, vals bigint[])
	RETURNS TABLE (key anyelement, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_group_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_count(anyarray, bigint[]) IS
	'number of values that are not null by key, in the order of the keys';

CREATE FUNCTION gpu_group_count(keys anyarray, vals real[])
	RETURNS TABLE (key anyelement, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_group_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_count(anyarray, real[]) IS
	'number of values that are not null by key, in the order of the keys';

CREATE FUNCTION gpu_group_count(keys anyarray, vals double precision[])
	RETURNS TABLE (key anyelement, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_group_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_count(anyarray, double precision[]) IS
	'number of values that are not null by key, in the order of the keys';

CREATE FUNCTION gpu_group_count(keys anyarray, vals numeric[])
	RETURNS TABLE (key anyelement, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_group_count_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000 ROWS 100;
COMMENT ON FUNCTION gpu_group_count(anyarray, numeric[]) IS
	'number of values that are not null by key, in the order of the keys';

CREATE FUNCTION gpu_group_sum(keys anyarray, vals smallint[])
	RETURNS TABLE (key anyelement, sum bigint)
	AS 'MODULE_PATHNAME', 'gpu_group_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_sum(anyarray, smallint[]) IS
	'sum of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_sum(keys anyarray, vals integer[])
	RETURNS TABLE (key anyelement, sum bigint)
	AS 'MODULE_PATHNAME', 'gpu_group_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_sum(anyarray, integer[]) IS
	'sum of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_sum(keys anyarray, vals bigint[])
	RETURNS TABLE (key anyelement, sum numeric)
	AS 'MODULE_PATHNAME', 'gpu_group_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_sum(anyarray, bigint[]) IS
	'sum of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_sum(keys anyarray, vals real[])
	RETURNS TABLE (key anyelement, sum real)
	AS 'MODULE_PATHNAME', 'gpu_group_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_sum(anyarray, real[]) IS
	'sum of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_sum(keys anyarray, vals double precision[])
	RETURNS TABLE (key anyelement, sum double precision)
	AS 'MODULE_PATHNAME', 'gpu_group_sum'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_sum(anyarray, double precision[]) IS
	'sum of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_sum(keys anyarray, vals numeric[])
	RETURNS TABLE (key anyelement, sum numeric)
	AS 'MODULE_PATHNAME', 'gpu_group_sum_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100;
COMMENT ON FUNCTION gpu_group_sum(anyarray, numeric[]) IS
	'sum of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_avg(keys anyarray, vals smallint[])
	RETURNS TABLE (key anyelement, avg numeric)
	AS 'MODULE_PATHNAME', 'gpu_group_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_avg(anyarray, smallint[]) IS
	'mean of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_avg(keys anyarray, vals integer[])
	RETURNS TABLE (key anyelement, avg numeric)
	AS 'MODULE_PATHNAME', 'gpu_group_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_avg(anyarray, integer[]) IS
	'mean of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_avg(keys anyarray, vals bigint[])
	RETURNS TABLE (key anyelement, avg numeric)
	AS 'MODULE_PATHNAME', 'gpu_group_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_avg(anyarray, bigint[]) IS
	'mean of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_avg(keys anyarray, vals real[])
	RETURNS TABLE (key anyelement, avg double precision)
	AS 'MODULE_PATHNAME', 'gpu_group_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_avg(anyarray, real[]) IS
	'mean of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_avg(keys anyarray, vals double precision[])
	RETURNS TABLE (key anyelement, avg double precision)
	AS 'MODULE_PATHNAME', 'gpu_group_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_avg(anyarray, double precision[]) IS
	'mean of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_avg(keys anyarray, vals numeric[])
	RETURNS TABLE (key anyelement, avg numeric)
	AS 'MODULE_PATHNAME', 'gpu_group_avg_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100;
COMMENT ON FUNCTION gpu_group_avg(anyarray, numeric[]) IS
	'mean of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_min(keys anyarray, vals smallint[])
	RETURNS TABLE (key anyelement, min smallint)
	AS 'MODULE_PATHNAME', 'gpu_group_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_min(anyarray, smallint[]) IS
	'least value by key, in the order of the keys';

CREATE FUNCTION gpu_group_min(keys anyarray, vals integer[])
	RETURNS TABLE (key anyelement, min integer)
	AS 'MODULE_PATHNAME', 'gpu_group_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_min(anyarray, integer[]) IS
	'least value by key, in the order of the keys';

CREATE FUNCTION gpu_group_min(keys anyarray, vals bigint[])
	RETURNS TABLE (key anyelement, min bigint)
	AS 'MODULE_PATHNAME', 'gpu_group_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_min(anyarray, bigint[]) IS
	'least value by key, in the order of the keys';

CREATE FUNCTION gpu_group_min(keys anyarray, vals real[])
	RETURNS TABLE (key anyelement, min real)
	AS 'MODULE_PATHNAME', 'gpu_group_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_min(anyarray, real[]) IS
	'least value by key, in the order of the keys';

CREATE FUNCTION gpu_group_min(keys anyarray, vals double precision[])
	RETURNS TABLE (key anyelement, min double precision)
	AS 'MODULE_PATHNAME', 'gpu_group_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_min(anyarray, double precision[]) IS
	'least value by key, in the order of the keys';

CREATE FUNCTION gpu_group_min(keys anyarray, vals numeric[])
	RETURNS TABLE (key anyelement, min numeric)
	AS 'MODULE_PATHNAME', 'gpu_group_min_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100;
COMMENT ON FUNCTION gpu_group_min(anyarray, numeric[]) IS
	'least value by key, in the order of the keys';

CREATE FUNCTION gpu_group_max(keys anyarray, vals smallint[])
	RETURNS TABLE (key anyelement, max smallint)
	AS 'MODULE_PATHNAME', 'gpu_group_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_max(anyarray, smallint[]) IS
	'greatest value by key, in the order of the keys';

CREATE FUNCTION gpu_group_max(keys anyarray, vals integer[])
	RETURNS TABLE (key anyelement, max integer)
	AS 'MODULE_PATHNAME', 'gpu_group_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_max(anyarray, integer[]) IS
	'greatest value by key, in the order of the keys';

CREATE FUNCTION gpu_group_max(keys anyarray, vals bigint[])
	RETURNS TABLE (key anyelement, max bigint)
	AS 'MODULE_PATHNAME', 'gpu_group_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_max(anyarray, bigint[]) IS
	'greatest value by key, in the order of the keys';

CREATE FUNCTION gpu_group_max(keys anyarray, vals real[])
	RETURNS TABLE (key anyelement, max real)
	AS 'MODULE_PATHNAME', 'gpu_group_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_max(anyarray, real[]) IS
	'greatest value by key, in the order of the keys';

CREATE FUNCTION gpu_group_max(keys anyarray, vals double precision[])
	RETURNS TABLE (key anyelement, max double precision)
	AS 'MODULE_PATHNAME', 'gpu_group_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_max(anyarray, double precision[]) IS
	'greatest value by key, in the order of the keys';

CREATE FUNCTION gpu_group_max(keys anyarray, vals numeric[])
	RETURNS TABLE (key anyelement, max numeric)
	AS 'MODULE_PATHNAME', 'gpu_group_max_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000 ROWS 100;
COMMENT ON FUNCTION gpu_group_max(anyarray, numeric[]) IS
	'greatest value by key, in the order of the keys';

CREATE FUNCTION gpu_group_median(keys anyarray, vals smallint[])
	RETURNS TABLE (key anyelement, median double precision)
	AS 'MODULE_PATHNAME', 'gpu_group_median'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_median(anyarray, smallint[]) IS
	'median of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_median(keys anyarray, vals integer[])
	RETURNS TABLE (key anyelement, median double precision)
	AS 'MODULE_PATHNAME', 'gpu_group_median'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_median(anyarray, integer[]) IS
	'median of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_median(keys anyarray, vals bigint[])
	RETURNS TABLE (key anyelement, median double precision)
	AS 'MODULE_PATHNAME', 'gpu_group_median'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_median(anyarray, bigint[]) IS
	'median of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_median(keys anyarray, vals real[])
	RETURNS TABLE (key anyelement, median double precision)
	AS 'MODULE_PATHNAME', 'gpu_group_median'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_median(anyarray, real[]) IS
	'median of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_median(keys anyarray, vals double precision[])
	RETURNS TABLE (key anyelement, median double precision)
	AS 'MODULE_PATHNAME', 'gpu_group_median'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_group_median(anyarray, double precision[]) IS
	'median of the values by key, in the order of the keys';

CREATE FUNCTION gpu_group_median(keys anyarray, vals numeric[])
	RETURNS TABLE (key anyelement, median double precision)
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1 ROWS 100;
COMMENT ON FUNCTION gpu_group_median(anyarray, numeric[]) IS
	'not supported: cast the array to another type';

-- Aggregates

/*
 * The planner asks for the cost of what an aggregate is made of before it plans
 * the aggregation, and so loads the library in time to offer a report.  An
 * aggregate whose transition function is built in has a final function for it.
 */
CREATE FUNCTION _gpuscan_aggregate_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'gpuscan_aggregate_support'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpuscan_aggregate_support(internal) IS
	'loads the library when an aggregation is planned';

CREATE FUNCTION _gpuscan_result(smallint) RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpuscan_result'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpuscan_result(smallint) IS
	'its argument, the result of an aggregate';

CREATE FUNCTION _gpuscan_result(integer) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpuscan_result'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpuscan_result(integer) IS
	'its argument, the result of an aggregate';

CREATE FUNCTION _gpuscan_result(bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpuscan_result'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpuscan_result(bigint) IS
	'its argument, the result of an aggregate';

CREATE FUNCTION _gpuscan_result(boolean) RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpuscan_result'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpuscan_result(boolean) IS
	'its argument, the result of an aggregate';

ALTER FUNCTION _gpu_histogram_add(bigint[], smallint, double precision, double precision, integer)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_histogram_add(bigint[], integer, double precision, double precision, integer)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_histogram_add(bigint[], bigint, double precision, double precision, integer)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_histogram_add(bigint[], real, double precision, double precision, integer)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_histogram_add(bigint[], double precision, double precision, double precision, integer)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_collect(smallint[], smallint)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_collect(integer[], integer)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_collect(bigint[], bigint)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_collect(real[], real)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_collect(double precision[], double precision)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_percentile_collect(double precision[], smallint, double precision)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_percentile_collect(double precision[], integer, double precision)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_percentile_collect(double precision[], bigint, double precision)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_percentile_collect(double precision[], real, double precision)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_percentile_collect(double precision[], double precision, double precision)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION gpu_state_add(gpu_state, smallint)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION gpu_state_add(gpu_state, integer)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION gpu_state_add(gpu_state, bigint)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION gpu_state_add(gpu_state, real)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION gpu_state_add(gpu_state, double precision)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_lesser(real, real)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_greater(real, real)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_lesser(double precision, double precision)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_greater(double precision, double precision)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION gpu_state_add(gpu_state, double precision, double precision)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_stats_add(gpu_stats, smallint)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_stats_add(gpu_stats, integer)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_stats_add(gpu_stats, bigint)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_stats_add(gpu_stats, real)
	SUPPORT _gpuscan_aggregate_support;
ALTER FUNCTION _gpu_stats_add(gpu_stats, double precision)
	SUPPORT _gpuscan_aggregate_support;

CREATE OR REPLACE AGGREGATE gpu_count(smallint)
(
	SFUNC = int8inc_any,
	STYPE = bigint,
	INITCOND = '0',
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int8pl,
	MSFUNC = int8inc_any,
	MINVFUNC = int8dec_any,
	MSTYPE = bigint,
	MINITCOND = '0',
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_count(integer)
(
	SFUNC = int8inc_any,
	STYPE = bigint,
	INITCOND = '0',
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int8pl,
	MSFUNC = int8inc_any,
	MINVFUNC = int8dec_any,
	MSTYPE = bigint,
	MINITCOND = '0',
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_count(bigint)
(
	SFUNC = int8inc_any,
	STYPE = bigint,
	INITCOND = '0',
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int8pl,
	MSFUNC = int8inc_any,
	MINVFUNC = int8dec_any,
	MSTYPE = bigint,
	MINITCOND = '0',
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_count(real)
(
	SFUNC = int8inc_any,
	STYPE = bigint,
	INITCOND = '0',
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int8pl,
	MSFUNC = int8inc_any,
	MINVFUNC = int8dec_any,
	MSTYPE = bigint,
	MINITCOND = '0',
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_count(double precision)
(
	SFUNC = int8inc_any,
	STYPE = bigint,
	INITCOND = '0',
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int8pl,
	MSFUNC = int8inc_any,
	MINVFUNC = int8dec_any,
	MSTYPE = bigint,
	MINITCOND = '0',
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_min(smallint)
(
	SFUNC = int2smaller,
	STYPE = smallint,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int2smaller,
	SORTOP = <,
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_min(integer)
(
	SFUNC = int4smaller,
	STYPE = integer,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int4smaller,
	SORTOP = <,
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_min(bigint)
(
	SFUNC = int8smaller,
	STYPE = bigint,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int8smaller,
	SORTOP = <,
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_max(smallint)
(
	SFUNC = int2larger,
	STYPE = smallint,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int2larger,
	SORTOP = >,
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_max(integer)
(
	SFUNC = int4larger,
	STYPE = integer,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int4larger,
	SORTOP = >,
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_max(bigint)
(
	SFUNC = int8larger,
	STYPE = bigint,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int8larger,
	SORTOP = >,
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_bit_and(smallint)
(
	SFUNC = int2and,
	STYPE = smallint,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int2and,
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_bit_and(integer)
(
	SFUNC = int4and,
	STYPE = integer,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int4and,
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_bit_and(bigint)
(
	SFUNC = int8and,
	STYPE = bigint,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int8and,
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_bit_or(smallint)
(
	SFUNC = int2or,
	STYPE = smallint,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int2or,
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_bit_or(integer)
(
	SFUNC = int4or,
	STYPE = integer,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int4or,
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_bit_or(bigint)
(
	SFUNC = int8or,
	STYPE = bigint,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int8or,
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_bit_xor(smallint)
(
	SFUNC = int2xor,
	STYPE = smallint,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int2xor,
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_bit_xor(integer)
(
	SFUNC = int4xor,
	STYPE = integer,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int4xor,
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_bit_xor(bigint)
(
	SFUNC = int8xor,
	STYPE = bigint,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int8xor,
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_bool_and(boolean)
(
	SFUNC = booland_statefunc,
	STYPE = boolean,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = booland_statefunc,
	PARALLEL = safe
);

CREATE OR REPLACE AGGREGATE gpu_bool_or(boolean)
(
	SFUNC = boolor_statefunc,
	STYPE = boolean,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = boolor_statefunc,
	PARALLEL = safe
);

/*
 * Percentiles of bigint: a state of bigint, which a double does not always hold.
 * The functions that 1.0 had for one of doubles stay, for aggregates that were
 * made of them.
 */
CREATE FUNCTION _gpu_percentile_collect(bigint[], bigint, double precision) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_percentile_collect_bigint'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_percentile_collect(bigint[], bigint, double precision) IS
	'append a value to a state that begins with the fraction''s bits';

CREATE FUNCTION _gpu_percentile_merge(bigint[], bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_percentile_merge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_percentile_merge(bigint[], bigint[]) IS
	'append the values of another state';

CREATE FUNCTION _gpu_percentile_final(bigint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_percentile_final'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION _gpu_percentile_final(bigint[]) IS
	'percentile of a state';

CREATE OR REPLACE AGGREGATE gpu_percentile_cont(bigint, double precision)
(
	SFUNC = _gpu_percentile_collect,
	STYPE = bigint[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = _gpu_percentile_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_percentile_merge,
	PARALLEL = safe
);

/*
 * What only aggregates have use for.  These run with the rights of their
 * owner; gpu_state_... and gpu_stats_... are for aggregates of users' own too
 * (docs/shards.md).
 */
REVOKE EXECUTE ON FUNCTION
	_gpu_lesser(real, real),
	_gpu_lesser(double precision, double precision),
	_gpu_greater(real, real),
	_gpu_greater(double precision, double precision),
	_gpu_canonical(real),
	_gpu_canonical(double precision),
	_gpu_collect(smallint[], smallint),
	_gpu_collect(integer[], integer),
	_gpu_collect(bigint[], bigint),
	_gpu_collect(real[], real),
	_gpu_collect(double precision[], double precision),
	_gpu_collect_merge(smallint[], smallint[]),
	_gpu_collect_merge(integer[], integer[]),
	_gpu_collect_merge(bigint[], bigint[]),
	_gpu_collect_merge(real[], real[]),
	_gpu_collect_merge(double precision[], double precision[]),
	_gpu_percentile_collect(double precision[], smallint, double precision),
	_gpu_percentile_collect(double precision[], integer, double precision),
	_gpu_percentile_collect(double precision[], bigint, double precision),
	_gpu_percentile_collect(double precision[], real, double precision),
	_gpu_percentile_collect(double precision[], double precision, double precision),
	_gpu_percentile_collect(bigint[], bigint, double precision),
	_gpu_percentile_merge(double precision[], double precision[]),
	_gpu_percentile_merge(bigint[], bigint[]),
	_gpu_percentile_final(double precision[]),
	_gpu_percentile_final(bigint[]),
	_gpu_histogram_add(bigint[], smallint, double precision, double precision, integer),
	_gpu_histogram_add(bigint[], integer, double precision, double precision, integer),
	_gpu_histogram_add(bigint[], bigint, double precision, double precision, integer),
	_gpu_histogram_add(bigint[], real, double precision, double precision, integer),
	_gpu_histogram_add(bigint[], double precision, double precision, double precision, integer),
	_gpu_histogram_merge(bigint[], bigint[]),
	_gpu_histogram_final(bigint[]),
	_gpu_array_add(bigint[], bigint[]),
	_gpuscan_result(smallint),
	_gpuscan_result(integer),
	_gpuscan_result(bigint),
	_gpuscan_result(boolean),
	_gpuscan_numeric_aggregate(numeric, numeric),
	_gpuscan_numeric_aggregate(numeric, numeric, numeric),
	_gpuscan_numeric_aggregate(numeric, numeric, double precision),
	_gpuscan_numeric_aggregate(numeric, numeric, double precision, double precision, integer)
FROM PUBLIC;

-- Comments, which are the first sentences of docs/reference/

COMMENT ON AGGREGATE gpu_histogram(bigint, double precision, double precision, integer) IS
	'counts of values by buckets of equal width';
COMMENT ON FUNCTION gpu_histogram(bigint[], double precision, double precision, integer) IS
	'counts of elements by buckets, of equal width or between edges';
COMMENT ON FUNCTION gpu_histogram(bigint[], double precision[]) IS
	'counts of elements by buckets, of equal width or between edges';
COMMENT ON AGGREGATE gpu_histogram(double precision, double precision, double precision, integer) IS
	'counts of values by buckets of equal width';
COMMENT ON FUNCTION gpu_histogram(double precision[], double precision, double precision, integer) IS
	'counts of elements by buckets, of equal width or between edges';
COMMENT ON FUNCTION gpu_histogram(double precision[], double precision[]) IS
	'counts of elements by buckets, of equal width or between edges';
COMMENT ON AGGREGATE gpu_histogram(integer, double precision, double precision, integer) IS
	'counts of values by buckets of equal width';
COMMENT ON FUNCTION gpu_histogram(integer[], double precision, double precision, integer) IS
	'counts of elements by buckets, of equal width or between edges';
COMMENT ON FUNCTION gpu_histogram(integer[], double precision[]) IS
	'counts of elements by buckets, of equal width or between edges';
COMMENT ON AGGREGATE gpu_histogram(real, double precision, double precision, integer) IS
	'counts of values by buckets of equal width';
COMMENT ON FUNCTION gpu_histogram(real[], double precision, double precision, integer) IS
	'counts of elements by buckets, of equal width or between edges';
COMMENT ON FUNCTION gpu_histogram(real[], double precision[]) IS
	'counts of elements by buckets, of equal width or between edges';
COMMENT ON AGGREGATE gpu_histogram(smallint, double precision, double precision, integer) IS
	'counts of values by buckets of equal width';
COMMENT ON FUNCTION gpu_histogram(smallint[], double precision, double precision, integer) IS
	'counts of elements by buckets, of equal width or between edges';
COMMENT ON FUNCTION gpu_histogram(smallint[], double precision[]) IS
	'counts of elements by buckets, of equal width or between edges';
COMMENT ON FUNCTION gpu_histogram_table(bigint[], double precision, double precision, integer) IS
	'buckets, of equal width or between edges, with their bounds and counts of elements';
COMMENT ON FUNCTION gpu_histogram_table(bigint[], double precision[]) IS
	'buckets, of equal width or between edges, with their bounds and counts of elements';
COMMENT ON FUNCTION gpu_histogram_table(double precision[], double precision, double precision, integer) IS
	'buckets, of equal width or between edges, with their bounds and counts of elements';
COMMENT ON FUNCTION gpu_histogram_table(double precision[], double precision[]) IS
	'buckets, of equal width or between edges, with their bounds and counts of elements';
COMMENT ON FUNCTION gpu_histogram_table(integer[], double precision, double precision, integer) IS
	'buckets, of equal width or between edges, with their bounds and counts of elements';
COMMENT ON FUNCTION gpu_histogram_table(integer[], double precision[]) IS
	'buckets, of equal width or between edges, with their bounds and counts of elements';
COMMENT ON FUNCTION gpu_histogram_table(real[], double precision, double precision, integer) IS
	'buckets, of equal width or between edges, with their bounds and counts of elements';
COMMENT ON FUNCTION gpu_histogram_table(real[], double precision[]) IS
	'buckets, of equal width or between edges, with their bounds and counts of elements';
COMMENT ON FUNCTION gpu_histogram_table(smallint[], double precision, double precision, integer) IS
	'buckets, of equal width or between edges, with their bounds and counts of elements';
COMMENT ON FUNCTION gpu_histogram_table(smallint[], double precision[]) IS
	'buckets, of equal width or between edges, with their bounds and counts of elements';
COMMENT ON AGGREGATE gpu_max(double precision) IS
	'greatest value';
COMMENT ON AGGREGATE gpu_max(real) IS
	'greatest value';
COMMENT ON AGGREGATE gpu_min(double precision) IS
	'least value';
COMMENT ON AGGREGATE gpu_min(real) IS
	'least value';
COMMENT ON FUNCTION gpu_percentile_cont(bigint[], double precision) IS
	'percentile of the elements, interpolated, or one for each of an array of fractions';
COMMENT ON FUNCTION gpu_percentile_cont(double precision[], double precision) IS
	'percentile of the elements, interpolated, or one for each of an array of fractions';
COMMENT ON FUNCTION gpu_percentile_cont(integer[], double precision) IS
	'percentile of the elements, interpolated, or one for each of an array of fractions';
COMMENT ON FUNCTION gpu_percentile_cont(real[], double precision) IS
	'percentile of the elements, interpolated, or one for each of an array of fractions';
COMMENT ON FUNCTION gpu_percentile_cont(smallint[], double precision) IS
	'percentile of the elements, interpolated, or one for each of an array of fractions';
COMMENT ON FUNCTION gpu_percentile_disc(bigint[], double precision) IS
	'percentile of the elements, one of them, or one for each of an array of fractions';
COMMENT ON FUNCTION gpu_percentile_disc(double precision[], double precision) IS
	'percentile of the elements, one of them, or one for each of an array of fractions';
COMMENT ON FUNCTION gpu_percentile_disc(integer[], double precision) IS
	'percentile of the elements, one of them, or one for each of an array of fractions';
COMMENT ON FUNCTION gpu_percentile_disc(real[], double precision) IS
	'percentile of the elements, one of them, or one for each of an array of fractions';
COMMENT ON FUNCTION gpu_percentile_disc(smallint[], double precision) IS
	'percentile of the elements, one of them, or one for each of an array of fractions';
COMMENT ON FUNCTION gpu_state_add(gpu_state, bigint) IS
	'add a value, or a pair, to a state';
COMMENT ON FUNCTION gpu_state_add(gpu_state, double precision) IS
	'add a value, or a pair, to a state';
COMMENT ON FUNCTION gpu_state_add(gpu_state, double precision, double precision) IS
	'add a value, or a pair, to a state';
COMMENT ON FUNCTION gpu_state_add(gpu_state, integer) IS
	'add a value, or a pair, to a state';
COMMENT ON FUNCTION gpu_state_add(gpu_state, real) IS
	'add a value, or a pair, to a state';
COMMENT ON FUNCTION gpu_state_add(gpu_state, smallint) IS
	'add a value, or a pair, to a state';
COMMENT ON FUNCTION gpu_state_remove(gpu_state, bigint) IS
	'take away a value, or a pair, that was added to a state';
COMMENT ON FUNCTION gpu_state_remove(gpu_state, double precision) IS
	'take away a value, or a pair, that was added to a state';
COMMENT ON FUNCTION gpu_state_remove(gpu_state, double precision, double precision) IS
	'take away a value, or a pair, that was added to a state';
COMMENT ON FUNCTION gpu_state_remove(gpu_state, integer) IS
	'take away a value, or a pair, that was added to a state';
COMMENT ON FUNCTION gpu_state_remove(gpu_state, real) IS
	'take away a value, or a pair, that was added to a state';
COMMENT ON FUNCTION gpu_state_remove(gpu_state, smallint) IS
	'take away a value, or a pair, that was added to a state';
COMMENT ON FUNCTION gpuscan_calibrate() IS
	'measure what operations cost on this host, and from how many elements on the GPU is faster';
COMMENT ON FUNCTION gpuscan_plot(bigint[], integer, text[]) IS
	'histogram as text, one bar a row';
COMMENT ON FUNCTION gpuscan_selfcheck(integer) IS
	'random arrays on both engines, and whether the results have the same bits';
COMMENT ON FUNCTION gpuscan_stop() IS
	'end the service, until a call wants it again, and return whether there was one';

-- Functions of each element, and of places

/*
 * Element by element: arithmetic, comparisons, conditions.
 */

CREATE FUNCTION gpu_add(a smallint[], b smallint[]) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_add'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_add(smallint[], smallint[]) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_add(arr smallint[], x smallint) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_add_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_add(smallint[], smallint) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_add(x smallint, arr smallint[]) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_add_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_add(smallint, smallint[]) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_add(a integer[], b integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_add'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_add(integer[], integer[]) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_add(arr integer[], x integer) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_add_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_add(integer[], integer) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_add(x integer, arr integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_add_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_add(integer, integer[]) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_add(a bigint[], b bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_add'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_add(bigint[], bigint[]) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_add(arr bigint[], x bigint) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_add_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_add(bigint[], bigint) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_add(x bigint, arr bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_add_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_add(bigint, bigint[]) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_add(a real[], b real[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_add'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_add(real[], real[]) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_add(arr real[], x real) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_add_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_add(real[], real) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_add(x real, arr real[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_add_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_add(real, real[]) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_add(a double precision[], b double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_add'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_add(double precision[], double precision[]) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_add(arr double precision[], x double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_add_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_add(double precision[], double precision) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_add(x double precision, arr double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_add_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_add(double precision, double precision[]) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_add(a numeric[], b numeric[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_add_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_add(numeric[], numeric[]) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_add(arr numeric[], x numeric) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_add_value_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_add(numeric[], numeric) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_add(x numeric, arr numeric[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_add_to_value_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_add(numeric, numeric[]) IS
	'sum of each pair of elements';

CREATE FUNCTION gpu_subtract(a smallint[], b smallint[]) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_subtract'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_subtract(smallint[], smallint[]) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_subtract(arr smallint[], x smallint) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_subtract_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_subtract(smallint[], smallint) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_subtract(x smallint, arr smallint[]) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_subtract_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_subtract(smallint, smallint[]) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_subtract(a integer[], b integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_subtract'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_subtract(integer[], integer[]) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_subtract(arr integer[], x integer) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_subtract_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_subtract(integer[], integer) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_subtract(x integer, arr integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_subtract_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_subtract(integer, integer[]) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_subtract(a bigint[], b bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_subtract'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_subtract(bigint[], bigint[]) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_subtract(arr bigint[], x bigint) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_subtract_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_subtract(bigint[], bigint) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_subtract(x bigint, arr bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_subtract_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_subtract(bigint, bigint[]) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_subtract(a real[], b real[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_subtract'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_subtract(real[], real[]) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_subtract(arr real[], x real) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_subtract_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_subtract(real[], real) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_subtract(x real, arr real[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_subtract_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_subtract(real, real[]) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_subtract(a double precision[], b double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_subtract'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_subtract(double precision[], double precision[]) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_subtract(arr double precision[], x double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_subtract_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_subtract(double precision[], double precision) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_subtract(x double precision, arr double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_subtract_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_subtract(double precision, double precision[]) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_subtract(a numeric[], b numeric[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_subtract_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_subtract(numeric[], numeric[]) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_subtract(arr numeric[], x numeric) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_subtract_value_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_subtract(numeric[], numeric) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_subtract(x numeric, arr numeric[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_subtract_to_value_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_subtract(numeric, numeric[]) IS
	'difference of each pair of elements';

CREATE FUNCTION gpu_multiply(a smallint[], b smallint[]) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_multiply'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_multiply(smallint[], smallint[]) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_multiply(arr smallint[], x smallint) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_multiply_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_multiply(smallint[], smallint) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_multiply(x smallint, arr smallint[]) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_multiply_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_multiply(smallint, smallint[]) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_multiply(a integer[], b integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_multiply'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_multiply(integer[], integer[]) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_multiply(arr integer[], x integer) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_multiply_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_multiply(integer[], integer) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_multiply(x integer, arr integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_multiply_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_multiply(integer, integer[]) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_multiply(a bigint[], b bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_multiply'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_multiply(bigint[], bigint[]) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_multiply(arr bigint[], x bigint) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_multiply_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_multiply(bigint[], bigint) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_multiply(x bigint, arr bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_multiply_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_multiply(bigint, bigint[]) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_multiply(a real[], b real[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_multiply'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_multiply(real[], real[]) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_multiply(arr real[], x real) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_multiply_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_multiply(real[], real) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_multiply(x real, arr real[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_multiply_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_multiply(real, real[]) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_multiply(a double precision[], b double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_multiply'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_multiply(double precision[], double precision[]) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_multiply(arr double precision[], x double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_multiply_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_multiply(double precision[], double precision) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_multiply(x double precision, arr double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_multiply_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_multiply(double precision, double precision[]) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_multiply(a numeric[], b numeric[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_multiply_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_multiply(numeric[], numeric[]) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_multiply(arr numeric[], x numeric) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_multiply_value_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_multiply(numeric[], numeric) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_multiply(x numeric, arr numeric[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_multiply_to_value_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_multiply(numeric, numeric[]) IS
	'product of each pair of elements';

CREATE FUNCTION gpu_divide(a smallint[], b smallint[]) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_divide'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_divide(smallint[], smallint[]) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_divide(arr smallint[], x smallint) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_divide_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_divide(smallint[], smallint) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_divide(x smallint, arr smallint[]) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_divide_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_divide(smallint, smallint[]) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_divide(a integer[], b integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_divide'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_divide(integer[], integer[]) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_divide(arr integer[], x integer) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_divide_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_divide(integer[], integer) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_divide(x integer, arr integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_divide_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_divide(integer, integer[]) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_divide(a bigint[], b bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_divide'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_divide(bigint[], bigint[]) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_divide(arr bigint[], x bigint) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_divide_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_divide(bigint[], bigint) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_divide(x bigint, arr bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_divide_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_divide(bigint, bigint[]) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_divide(a real[], b real[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_divide'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_divide(real[], real[]) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_divide(arr real[], x real) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_divide_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_divide(real[], real) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_divide(x real, arr real[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_divide_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_divide(real, real[]) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_divide(a double precision[], b double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_divide'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_divide(double precision[], double precision[]) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_divide(arr double precision[], x double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_divide_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_divide(double precision[], double precision) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_divide(x double precision, arr double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_divide_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_divide(double precision, double precision[]) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_divide(a numeric[], b numeric[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_divide_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_divide(numeric[], numeric[]) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_divide(arr numeric[], x numeric) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_divide_value_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_divide(numeric[], numeric) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_divide(x numeric, arr numeric[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_divide_to_value_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_divide(numeric, numeric[]) IS
	'quotient of each pair of elements';

CREATE FUNCTION gpu_abs(arr smallint[]) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_abs'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_abs(smallint[]) IS
	'magnitude of each element';

CREATE FUNCTION gpu_abs(arr integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_abs'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_abs(integer[]) IS
	'magnitude of each element';

CREATE FUNCTION gpu_abs(arr bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_abs'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_abs(bigint[]) IS
	'magnitude of each element';

CREATE FUNCTION gpu_abs(arr real[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_abs'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_abs(real[]) IS
	'magnitude of each element';

CREATE FUNCTION gpu_abs(arr double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_abs'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_abs(double precision[]) IS
	'magnitude of each element';

CREATE FUNCTION gpu_abs(arr numeric[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_abs_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_abs(numeric[]) IS
	'magnitude of each element';

CREATE FUNCTION gpu_negate(arr smallint[]) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_negate'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_negate(smallint[]) IS
	'opposite of each element';

CREATE FUNCTION gpu_negate(arr integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_negate'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_negate(integer[]) IS
	'opposite of each element';

CREATE FUNCTION gpu_negate(arr bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_negate'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_negate(bigint[]) IS
	'opposite of each element';

CREATE FUNCTION gpu_negate(arr real[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_negate'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_negate(real[]) IS
	'opposite of each element';

CREATE FUNCTION gpu_negate(arr double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_negate'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_negate(double precision[]) IS
	'opposite of each element';

CREATE FUNCTION gpu_negate(arr numeric[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_negate_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_negate(numeric[]) IS
	'opposite of each element';

CREATE FUNCTION gpu_round(arr smallint[], digits integer DEFAULT 0) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_round'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_round(smallint[], integer) IS
	'each element rounded to so many decimal places';

CREATE FUNCTION gpu_round(arr integer[], digits integer DEFAULT 0) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_round'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_round(integer[], integer) IS
	'each element rounded to so many decimal places';

CREATE FUNCTION gpu_round(arr bigint[], digits integer DEFAULT 0) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_round'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_round(bigint[], integer) IS
	'each element rounded to so many decimal places';

CREATE FUNCTION gpu_round(arr real[], digits integer DEFAULT 0) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_round'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_round(real[], integer) IS
	'each element rounded to so many decimal places';

CREATE FUNCTION gpu_round(arr double precision[], digits integer DEFAULT 0) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_round'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_round(double precision[], integer) IS
	'each element rounded to so many decimal places';

CREATE FUNCTION gpu_round(arr numeric[], digits integer DEFAULT 0) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_round_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_round(numeric[], integer) IS
	'each element rounded to so many decimal places';

CREATE FUNCTION gpu_sqrt(arr smallint[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_sqrt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_sqrt(smallint[]) IS
	'square root of each element';

CREATE FUNCTION gpu_sqrt(arr integer[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_sqrt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_sqrt(integer[]) IS
	'square root of each element';

CREATE FUNCTION gpu_sqrt(arr bigint[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_sqrt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_sqrt(bigint[]) IS
	'square root of each element';

CREATE FUNCTION gpu_sqrt(arr real[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_sqrt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_sqrt(real[]) IS
	'square root of each element';

CREATE FUNCTION gpu_sqrt(arr double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_sqrt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_sqrt(double precision[]) IS
	'square root of each element';

CREATE FUNCTION gpu_sqrt(arr numeric[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_sqrt(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_exp(arr smallint[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_exp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_exp(smallint[]) IS
	'exponential of each element';

CREATE FUNCTION gpu_exp(arr integer[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_exp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_exp(integer[]) IS
	'exponential of each element';

CREATE FUNCTION gpu_exp(arr bigint[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_exp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_exp(bigint[]) IS
	'exponential of each element';

CREATE FUNCTION gpu_exp(arr real[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_exp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_exp(real[]) IS
	'exponential of each element';

CREATE FUNCTION gpu_exp(arr double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_exp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_exp(double precision[]) IS
	'exponential of each element';

CREATE FUNCTION gpu_exp(arr numeric[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_exp(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_ln(arr smallint[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_ln'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ln(smallint[]) IS
	'natural logarithm of each element';

CREATE FUNCTION gpu_ln(arr integer[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_ln'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ln(integer[]) IS
	'natural logarithm of each element';

CREATE FUNCTION gpu_ln(arr bigint[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_ln'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ln(bigint[]) IS
	'natural logarithm of each element';

CREATE FUNCTION gpu_ln(arr real[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_ln'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ln(real[]) IS
	'natural logarithm of each element';

CREATE FUNCTION gpu_ln(arr double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_ln'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ln(double precision[]) IS
	'natural logarithm of each element';

CREATE FUNCTION gpu_ln(arr numeric[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_ln(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_power(a smallint[], b smallint[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_power'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_power(smallint[], smallint[]) IS
	'power of each pair of elements';

CREATE FUNCTION gpu_power(arr smallint[], y double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_power_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_power(smallint[], double precision) IS
	'power of each pair of elements';

CREATE FUNCTION gpu_power(x double precision, arr smallint[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_power_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION gpu_power(double precision, smallint[]) IS
	'power of each pair of elements';

CREATE FUNCTION gpu_power(a integer[], b integer[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_power'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_power(integer[], integer[]) IS
	'power of each pair of elements';

CREATE FUNCTION gpu_power(arr integer[], y double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_power_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_power(integer[], double precision) IS
	'power of each pair of elements';

CREATE FUNCTION gpu_power(x double precision, arr integer[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_power_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION gpu_power(double precision, integer[]) IS
	'power of each pair of elements';

CREATE FUNCTION gpu_power(a bigint[], b bigint[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_power'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_power(bigint[], bigint[]) IS
	'power of each pair of elements';

CREATE FUNCTION gpu_power(arr bigint[], y double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_power_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_power(bigint[], double precision) IS
	'power of each pair of elements';

CREATE FUNCTION gpu_power(x double precision, arr bigint[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_power_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION gpu_power(double precision, bigint[]) IS
	'power of each pair of elements';

CREATE FUNCTION gpu_power(a real[], b real[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_power'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_power(real[], real[]) IS
	'power of each pair of elements';

CREATE FUNCTION gpu_power(arr real[], y double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_power_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_power(real[], double precision) IS
	'power of each pair of elements';

CREATE FUNCTION gpu_power(x double precision, arr real[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_power_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION gpu_power(double precision, real[]) IS
	'power of each pair of elements';

CREATE FUNCTION gpu_power(a double precision[], b double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_power'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_power(double precision[], double precision[]) IS
	'power of each pair of elements';

CREATE FUNCTION gpu_power(arr double precision[], y double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_power_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_power(double precision[], double precision) IS
	'power of each pair of elements';

CREATE FUNCTION gpu_power(x double precision, arr double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_power_to_value'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION gpu_power(double precision, double precision[]) IS
	'power of each pair of elements';

CREATE FUNCTION gpu_power(a numeric[], b numeric[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_power(numeric[], numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_power(arr numeric[], y double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_power(numeric[], double precision) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_power(x double precision, arr numeric[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_power(double precision, numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_clip(arr smallint[], low smallint, high smallint) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_clip'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_clip(smallint[], smallint, smallint) IS
	'elements, but those beyond a bound become it';

CREATE FUNCTION gpu_clip(arr integer[], low integer, high integer) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_clip'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_clip(integer[], integer, integer) IS
	'elements, but those beyond a bound become it';

CREATE FUNCTION gpu_clip(arr bigint[], low bigint, high bigint) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_clip'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_clip(bigint[], bigint, bigint) IS
	'elements, but those beyond a bound become it';

CREATE FUNCTION gpu_clip(arr real[], low real, high real) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_clip'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_clip(real[], real, real) IS
	'elements, but those beyond a bound become it';

CREATE FUNCTION gpu_clip(arr double precision[], low double precision, high double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_clip'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_clip(double precision[], double precision, double precision) IS
	'elements, but those beyond a bound become it';

CREATE FUNCTION gpu_clip(arr numeric[], low numeric, high numeric) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_clip_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_clip(numeric[], numeric, numeric) IS
	'elements, but those beyond a bound become it';

/*
 * Bounds have the types that gpu_filter's have.
 */

CREATE FUNCTION gpu_compare(arr anyarray, op text, bound double precision)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_compare_double'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compare(anyarray, text, double precision) IS
	'whether each element compares true with the bound, or with that of another array';

CREATE FUNCTION gpu_between(arr anyarray, low double precision, high double precision)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_between_double'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_between(anyarray, double precision, double precision) IS
	'whether each element lies between the bounds, or equals one';

CREATE FUNCTION gpu_compare(arr anyarray, op text, bound bigint)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_compare_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compare(anyarray, text, bigint) IS
	'whether each element compares true with the bound, or with that of another array';

CREATE FUNCTION gpu_between(arr anyarray, low bigint, high bigint)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_between_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_between(anyarray, bigint, bigint) IS
	'whether each element lies between the bounds, or equals one';

CREATE FUNCTION gpu_compare(arr anyarray, op text, bound numeric)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_compare_numeric'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compare(anyarray, text, numeric) IS
	'whether each element compares true with the bound, or with that of another array';

CREATE FUNCTION gpu_between(arr anyarray, low numeric, high numeric)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_between_numeric'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_between(anyarray, numeric, numeric) IS
	'whether each element lies between the bounds, or equals one';

CREATE FUNCTION gpu_compare(arr smallint[], op text, bound bigint)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_compare_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compare(smallint[], text, bigint) IS
	'whether each element compares true with the bound, or with that of another array';

CREATE FUNCTION gpu_between(arr smallint[], low bigint, high bigint)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_between_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_between(smallint[], bigint, bigint) IS
	'whether each element lies between the bounds, or equals one';

CREATE FUNCTION gpu_compare(arr integer[], op text, bound bigint)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_compare_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compare(integer[], text, bigint) IS
	'whether each element compares true with the bound, or with that of another array';

CREATE FUNCTION gpu_between(arr integer[], low bigint, high bigint)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_between_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_between(integer[], bigint, bigint) IS
	'whether each element lies between the bounds, or equals one';

CREATE FUNCTION gpu_compare(arr bigint[], op text, bound bigint)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_compare_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compare(bigint[], text, bigint) IS
	'whether each element compares true with the bound, or with that of another array';

CREATE FUNCTION gpu_between(arr bigint[], low bigint, high bigint)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_between_bigint'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_between(bigint[], bigint, bigint) IS
	'whether each element lies between the bounds, or equals one';

CREATE FUNCTION gpu_compare(a smallint[], op text, b smallint[])
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_compare'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compare(smallint[], text, smallint[]) IS
	'whether each element compares true with the bound, or with that of another array';

CREATE FUNCTION gpu_compare(a integer[], op text, b integer[])
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_compare'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compare(integer[], text, integer[]) IS
	'whether each element compares true with the bound, or with that of another array';

CREATE FUNCTION gpu_compare(a bigint[], op text, b bigint[])
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_compare'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compare(bigint[], text, bigint[]) IS
	'whether each element compares true with the bound, or with that of another array';

CREATE FUNCTION gpu_compare(a real[], op text, b real[])
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_compare'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compare(real[], text, real[]) IS
	'whether each element compares true with the bound, or with that of another array';

CREATE FUNCTION gpu_compare(a double precision[], op text, b double precision[])
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_compare'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compare(double precision[], text, double precision[]) IS
	'whether each element compares true with the bound, or with that of another array';

CREATE FUNCTION gpu_compare(a numeric[], op text, b numeric[])
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_compare_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_compare(numeric[], text, numeric[]) IS
	'whether each element compares true with the bound, or with that of another array';

CREATE FUNCTION gpu_and(a boolean[], b boolean[]) RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_and'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_and(boolean[], boolean[]) IS
	'AND of each pair of conditions';

CREATE FUNCTION gpu_or(a boolean[], b boolean[]) RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_or'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_or(boolean[], boolean[]) IS
	'OR of each pair of conditions';

CREATE FUNCTION gpu_not(arr boolean[]) RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_not'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_not(boolean[]) IS
	'opposite of each condition';

CREATE FUNCTION gpu_if(condition boolean[], a smallint[], b smallint[]) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_if'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], smallint[], smallint[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a integer[], b integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_if'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], integer[], integer[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a bigint[], b bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_if'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], bigint[], bigint[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a real[], b real[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_if'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], real[], real[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a double precision[], b double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_if'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], double precision[], double precision[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a numeric[], b numeric[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_if_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_if(boolean[], numeric[], numeric[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a smallint[], b smallint) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_if_array_value'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], smallint[], smallint) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a integer[], b integer) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_if_array_value'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], integer[], integer) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a bigint[], b bigint) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_if_array_value'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], bigint[], bigint) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a real[], b real) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_if_array_value'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], real[], real) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a double precision[], b double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_if_array_value'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], double precision[], double precision) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a numeric[], b numeric) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_if_array_value_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_if(boolean[], numeric[], numeric) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a smallint, b smallint[]) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_if_value_array'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], smallint, smallint[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a integer, b integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_if_value_array'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], integer, integer[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a bigint, b bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_if_value_array'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], bigint, bigint[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a real, b real[]) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_if_value_array'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], real, real[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a double precision, b double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_if_value_array'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], double precision, double precision[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a numeric, b numeric[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_if_value_array_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_if(boolean[], numeric, numeric[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a smallint, b smallint) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_if_values'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], smallint, smallint) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a integer, b integer) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_if_values'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], integer, integer) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a bigint, b bigint) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_if_values'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], bigint, bigint) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a real, b real) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_if_values'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], real, real) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a double precision, b double precision) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_if_values'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], double precision, double precision) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a numeric, b numeric) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_if_values_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_if(boolean[], numeric, numeric) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_count_where(arr boolean[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count_where'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_count_where(boolean[]) IS
	'number of elements that are true';

CREATE FUNCTION gpu_changes(arr anyarray) RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_changes'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_changes(anyarray) IS
	'whether each element is the first, or different from the one before it';

/*
 * Elements in other places.
 */

CREATE FUNCTION gpu_take(arr anyarray, positions integer[]) RETURNS anyarray
	AS 'MODULE_PATHNAME', 'gpu_take'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_take(anyarray, integer[]) IS
	'elements at the positions';

CREATE FUNCTION gpu_slice(
		arr anyarray, first integer, last integer DEFAULT NULL)
	RETURNS anyarray
	AS 'MODULE_PATHNAME', 'gpu_slice'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_slice(anyarray, integer, integer) IS
	'elements from the first position to the last';

CREATE FUNCTION gpu_concat(a anycompatiblearray, b anycompatiblearray)
	RETURNS anycompatiblearray
	AS 'MODULE_PATHNAME', 'gpu_concat'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_concat(anycompatiblearray, anycompatiblearray) IS
	'elements of one array, and then those of the other';

CREATE FUNCTION gpu_reverse(arr anyarray) RETURNS anyarray
	AS 'MODULE_PATHNAME', 'gpu_reverse'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_reverse(anyarray) IS
	'elements in reverse order';

CREATE FUNCTION gpu_shift(arr anyarray, by integer DEFAULT 1) RETURNS anyarray
	AS 'MODULE_PATHNAME', 'gpu_shift'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_shift(anyarray, integer) IS
	'each element some positions later, NULLs before them';

-- Ranks

CREATE FUNCTION gpu_rank(
		arr smallint[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_rank'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_rank(smallint[], boolean, boolean) IS
	'rank of each element in order, the same for equals';

CREATE FUNCTION gpu_rank(
		arr integer[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_rank'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_rank(integer[], boolean, boolean) IS
	'rank of each element in order, the same for equals';

CREATE FUNCTION gpu_rank(
		arr bigint[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_rank'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_rank(bigint[], boolean, boolean) IS
	'rank of each element in order, the same for equals';

CREATE FUNCTION gpu_rank(
		arr real[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_rank'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_rank(real[], boolean, boolean) IS
	'rank of each element in order, the same for equals';

CREATE FUNCTION gpu_rank(
		arr double precision[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_rank'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_rank(double precision[], boolean, boolean) IS
	'rank of each element in order, the same for equals';

CREATE FUNCTION gpu_rank(
		arr numeric[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_rank_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_rank(numeric[], boolean, boolean) IS
	'rank of each element in order, the same for equals';

CREATE FUNCTION gpu_dense_rank(
		arr smallint[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_dense_rank'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_dense_rank(smallint[], boolean, boolean) IS
	'rank of each element in order, without gaps';

CREATE FUNCTION gpu_dense_rank(
		arr integer[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_dense_rank'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_dense_rank(integer[], boolean, boolean) IS
	'rank of each element in order, without gaps';

CREATE FUNCTION gpu_dense_rank(
		arr bigint[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_dense_rank'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_dense_rank(bigint[], boolean, boolean) IS
	'rank of each element in order, without gaps';

CREATE FUNCTION gpu_dense_rank(
		arr real[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_dense_rank'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_dense_rank(real[], boolean, boolean) IS
	'rank of each element in order, without gaps';

CREATE FUNCTION gpu_dense_rank(
		arr double precision[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_dense_rank'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_dense_rank(double precision[], boolean, boolean) IS
	'rank of each element in order, without gaps';

CREATE FUNCTION gpu_dense_rank(
		arr numeric[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_dense_rank_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_dense_rank(numeric[], boolean, boolean) IS
	'rank of each element in order, without gaps';

CREATE FUNCTION gpu_cume_dist(
		arr smallint[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cume_dist'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cume_dist(smallint[], boolean, boolean) IS
	'share of the elements up to each in order, with its equals';

CREATE FUNCTION gpu_cume_dist(
		arr integer[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cume_dist'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cume_dist(integer[], boolean, boolean) IS
	'share of the elements up to each in order, with its equals';

CREATE FUNCTION gpu_cume_dist(
		arr bigint[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cume_dist'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cume_dist(bigint[], boolean, boolean) IS
	'share of the elements up to each in order, with its equals';

CREATE FUNCTION gpu_cume_dist(
		arr real[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cume_dist'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cume_dist(real[], boolean, boolean) IS
	'share of the elements up to each in order, with its equals';

CREATE FUNCTION gpu_cume_dist(
		arr double precision[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cume_dist'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cume_dist(double precision[], boolean, boolean) IS
	'share of the elements up to each in order, with its equals';

CREATE FUNCTION gpu_cume_dist(
		arr numeric[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cume_dist_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_cume_dist(numeric[], boolean, boolean) IS
	'share of the elements up to each in order, with its equals';

CREATE FUNCTION gpu_ntile(
		arr smallint[], n integer, descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_ntile'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ntile(smallint[], integer, boolean, boolean) IS
	'which of n buckets of equal size, in order, each element is in';

CREATE FUNCTION gpu_ntile(
		arr integer[], n integer, descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_ntile'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ntile(integer[], integer, boolean, boolean) IS
	'which of n buckets of equal size, in order, each element is in';

CREATE FUNCTION gpu_ntile(
		arr bigint[], n integer, descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_ntile'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ntile(bigint[], integer, boolean, boolean) IS
	'which of n buckets of equal size, in order, each element is in';

CREATE FUNCTION gpu_ntile(
		arr real[], n integer, descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_ntile'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ntile(real[], integer, boolean, boolean) IS
	'which of n buckets of equal size, in order, each element is in';

CREATE FUNCTION gpu_ntile(
		arr double precision[], n integer, descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_ntile'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ntile(double precision[], integer, boolean, boolean) IS
	'which of n buckets of equal size, in order, each element is in';

CREATE FUNCTION gpu_ntile(
		arr numeric[], n integer, descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_ntile_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_ntile(numeric[], integer, boolean, boolean) IS
	'which of n buckets of equal size, in order, each element is in';

-- Series

CREATE FUNCTION gpu_locf(arr anyarray) RETURNS anyarray
	AS 'MODULE_PATHNAME', 'gpu_locf'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_locf(anyarray) IS
	'elements, and for each NULL the last element before it';

CREATE FUNCTION gpu_asof(times smallint[], at smallint[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_asof'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_asof(smallint[], smallint[]) IS
	'position of the last of ascending times that is not above each element';

CREATE FUNCTION gpu_asof(times integer[], at integer[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_asof'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_asof(integer[], integer[]) IS
	'position of the last of ascending times that is not above each element';

CREATE FUNCTION gpu_asof(times bigint[], at bigint[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_asof'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_asof(bigint[], bigint[]) IS
	'position of the last of ascending times that is not above each element';

CREATE FUNCTION gpu_asof(times real[], at real[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_asof'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_asof(real[], real[]) IS
	'position of the last of ascending times that is not above each element';

CREATE FUNCTION gpu_asof(times double precision[], at double precision[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_asof'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_asof(double precision[], double precision[]) IS
	'position of the last of ascending times that is not above each element';

CREATE FUNCTION gpu_asof(times numeric[], at numeric[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_asof_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_asof(numeric[], numeric[]) IS
	'position of the last of ascending times that is not above each element';

CREATE FUNCTION gpu_pct_change(arr smallint[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_pct_change'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_pct_change(smallint[]) IS
	'change from each element to the next as a share of the former, exact and rounded once';

CREATE FUNCTION gpu_pct_change(arr integer[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_pct_change'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_pct_change(integer[]) IS
	'change from each element to the next as a share of the former, exact and rounded once';

CREATE FUNCTION gpu_pct_change(arr bigint[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_pct_change'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_pct_change(bigint[]) IS
	'change from each element to the next as a share of the former, exact and rounded once';

CREATE FUNCTION gpu_pct_change(arr real[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_pct_change'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_pct_change(real[]) IS
	'change from each element to the next as a share of the former, exact and rounded once';

CREATE FUNCTION gpu_pct_change(arr double precision[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_pct_change'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_pct_change(double precision[]) IS
	'change from each element to the next as a share of the former, exact and rounded once';

CREATE FUNCTION gpu_pct_change(arr numeric[]) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_pct_change(numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_interpolate(times anycompatiblearray, vals smallint[], at anycompatiblearray)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_interpolate'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_interpolate(anycompatiblearray, smallint[], anycompatiblearray) IS
	'values at times between others, on straight lines, exact and rounded once';

CREATE FUNCTION gpu_time_weighted_avg(
		times anyarray, vals smallint[], method text DEFAULT 'locf')
	RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_time_weighted_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_time_weighted_avg(anyarray, smallint[], text) IS
	'mean of values, each weighted by the time that it lasts, exact and rounded once';

CREATE FUNCTION gpu_interpolate(times anycompatiblearray, vals integer[], at anycompatiblearray)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_interpolate'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_interpolate(anycompatiblearray, integer[], anycompatiblearray) IS
	'values at times between others, on straight lines, exact and rounded once';

CREATE FUNCTION gpu_time_weighted_avg(
		times anyarray, vals integer[], method text DEFAULT 'locf')
	RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_time_weighted_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_time_weighted_avg(anyarray, integer[], text) IS
	'mean of values, each weighted by the time that it lasts, exact and rounded once';

CREATE FUNCTION gpu_interpolate(times anycompatiblearray, vals bigint[], at anycompatiblearray)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_interpolate'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_interpolate(anycompatiblearray, bigint[], anycompatiblearray) IS
	'values at times between others, on straight lines, exact and rounded once';

CREATE FUNCTION gpu_time_weighted_avg(
		times anyarray, vals bigint[], method text DEFAULT 'locf')
	RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_time_weighted_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_time_weighted_avg(anyarray, bigint[], text) IS
	'mean of values, each weighted by the time that it lasts, exact and rounded once';

CREATE FUNCTION gpu_interpolate(times anycompatiblearray, vals real[], at anycompatiblearray)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_interpolate'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_interpolate(anycompatiblearray, real[], anycompatiblearray) IS
	'values at times between others, on straight lines, exact and rounded once';

CREATE FUNCTION gpu_time_weighted_avg(
		times anyarray, vals real[], method text DEFAULT 'locf')
	RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_time_weighted_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_time_weighted_avg(anyarray, real[], text) IS
	'mean of values, each weighted by the time that it lasts, exact and rounded once';

CREATE FUNCTION gpu_interpolate(times anycompatiblearray, vals double precision[], at anycompatiblearray)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_interpolate'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_interpolate(anycompatiblearray, double precision[], anycompatiblearray) IS
	'values at times between others, on straight lines, exact and rounded once';

CREATE FUNCTION gpu_time_weighted_avg(
		times anyarray, vals double precision[], method text DEFAULT 'locf')
	RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_time_weighted_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_time_weighted_avg(anyarray, double precision[], text) IS
	'mean of values, each weighted by the time that it lasts, exact and rounded once';

CREATE FUNCTION gpu_interpolate(times anycompatiblearray, vals numeric[], at anycompatiblearray)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_interpolate(anycompatiblearray, numeric[], anycompatiblearray) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_time_weighted_avg(
		times anyarray, vals numeric[], method text DEFAULT 'locf')
	RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_time_weighted_avg(anyarray, numeric[], text) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_ewma(
		arr smallint[], alpha double precision, adjust boolean DEFAULT false)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_ewma'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ewma(smallint[], double precision, boolean) IS
	'mean of the elements so far, weights decaying exponentially';

CREATE FUNCTION gpu_ewma(
		arr integer[], alpha double precision, adjust boolean DEFAULT false)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_ewma'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ewma(integer[], double precision, boolean) IS
	'mean of the elements so far, weights decaying exponentially';

CREATE FUNCTION gpu_ewma(
		arr bigint[], alpha double precision, adjust boolean DEFAULT false)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_ewma'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ewma(bigint[], double precision, boolean) IS
	'mean of the elements so far, weights decaying exponentially';

CREATE FUNCTION gpu_ewma(
		arr real[], alpha double precision, adjust boolean DEFAULT false)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_ewma'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ewma(real[], double precision, boolean) IS
	'mean of the elements so far, weights decaying exponentially';

CREATE FUNCTION gpu_ewma(
		arr double precision[], alpha double precision, adjust boolean DEFAULT false)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_ewma'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ewma(double precision[], double precision, boolean) IS
	'mean of the elements so far, weights decaying exponentially';

CREATE FUNCTION gpu_ewma(
		arr numeric[], alpha double precision, adjust boolean DEFAULT false)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_ewma(numeric[], double precision, boolean) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_resample(
		times anycompatiblearray, vals smallint[], width anycompatible,
		aggregate text, origin anycompatible DEFAULT 0,
		OUT starts anycompatiblearray, OUT results double precision[])
	AS 'MODULE_PATHNAME', 'gpu_resample'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_resample(anycompatiblearray, smallint[], anycompatible, text, anycompatible) IS
	'aggregate of the values in each bucket of time';

CREATE FUNCTION gpu_resample(
		times anycompatiblearray, vals integer[], width anycompatible,
		aggregate text, origin anycompatible DEFAULT 0,
		OUT starts anycompatiblearray, OUT results double precision[])
	AS 'MODULE_PATHNAME', 'gpu_resample'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_resample(anycompatiblearray, integer[], anycompatible, text, anycompatible) IS
	'aggregate of the values in each bucket of time';

CREATE FUNCTION gpu_resample(
		times anycompatiblearray, vals bigint[], width anycompatible,
		aggregate text, origin anycompatible DEFAULT 0,
		OUT starts anycompatiblearray, OUT results double precision[])
	AS 'MODULE_PATHNAME', 'gpu_resample'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_resample(anycompatiblearray, bigint[], anycompatible, text, anycompatible) IS
	'aggregate of the values in each bucket of time';

CREATE FUNCTION gpu_resample(
		times anycompatiblearray, vals real[], width anycompatible,
		aggregate text, origin anycompatible DEFAULT 0,
		OUT starts anycompatiblearray, OUT results double precision[])
	AS 'MODULE_PATHNAME', 'gpu_resample'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_resample(anycompatiblearray, real[], anycompatible, text, anycompatible) IS
	'aggregate of the values in each bucket of time';

CREATE FUNCTION gpu_resample(
		times anycompatiblearray, vals double precision[], width anycompatible,
		aggregate text, origin anycompatible DEFAULT 0,
		OUT starts anycompatiblearray, OUT results double precision[])
	AS 'MODULE_PATHNAME', 'gpu_resample'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_resample(anycompatiblearray, double precision[], anycompatible, text, anycompatible) IS
	'aggregate of the values in each bucket of time';

CREATE FUNCTION gpu_resample(
		times anycompatiblearray, vals numeric[], width anycompatible,
		aggregate text, origin anycompatible DEFAULT 0,
		OUT starts anycompatiblearray, OUT results double precision[])
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_resample(anycompatiblearray, numeric[], anycompatible, text, anycompatible) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_lttb(times anyarray, vals smallint[], points integer)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_lttb'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_lttb(anyarray, smallint[], integer) IS
	'positions of the points of a series that show its shape in a plot';

CREATE FUNCTION gpu_lttb(times anyarray, vals integer[], points integer)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_lttb'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_lttb(anyarray, integer[], integer) IS
	'positions of the points of a series that show its shape in a plot';

CREATE FUNCTION gpu_lttb(times anyarray, vals bigint[], points integer)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_lttb'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_lttb(anyarray, bigint[], integer) IS
	'positions of the points of a series that show its shape in a plot';

CREATE FUNCTION gpu_lttb(times anyarray, vals real[], points integer)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_lttb'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_lttb(anyarray, real[], integer) IS
	'positions of the points of a series that show its shape in a plot';

CREATE FUNCTION gpu_lttb(times anyarray, vals double precision[], points integer)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_lttb'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_lttb(anyarray, double precision[], integer) IS
	'positions of the points of a series that show its shape in a plot';

CREATE FUNCTION gpu_lttb(times anyarray, vals numeric[], points integer)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_lttb(anyarray, numeric[], integer) IS
	'not supported: cast the array to another type';

-- Segments of so many elements

ALTER FUNCTION gpu_segment_sum(smallint[], boolean[])
	RENAME TO _gpu_segment_sum_heads;
COMMENT ON FUNCTION _gpu_segment_sum_heads(smallint[], boolean[]) IS
	'gpu_segment_sum of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_sum(
		arr smallint[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_sum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_sum(smallint[], boolean[], integer) IS
	'sum of each segment, exact and rounded once';

ALTER FUNCTION gpu_segment_sum(integer[], boolean[])
	RENAME TO _gpu_segment_sum_heads;
COMMENT ON FUNCTION _gpu_segment_sum_heads(integer[], boolean[]) IS
	'gpu_segment_sum of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_sum(
		arr integer[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_sum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_sum(integer[], boolean[], integer) IS
	'sum of each segment, exact and rounded once';

ALTER FUNCTION gpu_segment_sum(bigint[], boolean[])
	RENAME TO _gpu_segment_sum_heads;
COMMENT ON FUNCTION _gpu_segment_sum_heads(bigint[], boolean[]) IS
	'gpu_segment_sum of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_sum(
		arr bigint[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_sum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_sum(bigint[], boolean[], integer) IS
	'sum of each segment, exact and rounded once';

ALTER FUNCTION gpu_segment_sum(real[], boolean[])
	RENAME TO _gpu_segment_sum_heads;
COMMENT ON FUNCTION _gpu_segment_sum_heads(real[], boolean[]) IS
	'gpu_segment_sum of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_sum(
		arr real[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_segment_sum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_sum(real[], boolean[], integer) IS
	'sum of each segment, exact and rounded once';

ALTER FUNCTION gpu_segment_sum(double precision[], boolean[])
	RENAME TO _gpu_segment_sum_heads;
COMMENT ON FUNCTION _gpu_segment_sum_heads(double precision[], boolean[]) IS
	'gpu_segment_sum of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_sum(
		arr double precision[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_segment_sum'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_sum(double precision[], boolean[], integer) IS
	'sum of each segment, exact and rounded once';

ALTER FUNCTION gpu_segment_sum(numeric[], boolean[])
	RENAME TO _gpu_segment_sum_heads;

CREATE FUNCTION gpu_segment_sum(
		arr numeric[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_segment_sum_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_segment_sum(numeric[], boolean[], integer) IS
	'sum of each segment, exact and rounded once';

ALTER FUNCTION gpu_segment_avg(smallint[], boolean[])
	RENAME TO _gpu_segment_avg_heads;
COMMENT ON FUNCTION _gpu_segment_avg_heads(smallint[], boolean[]) IS
	'gpu_segment_avg of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_avg(
		arr smallint[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_segment_avg'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_avg(smallint[], boolean[], integer) IS
	'mean of each segment, exact and rounded once';

ALTER FUNCTION gpu_segment_avg(integer[], boolean[])
	RENAME TO _gpu_segment_avg_heads;
COMMENT ON FUNCTION _gpu_segment_avg_heads(integer[], boolean[]) IS
	'gpu_segment_avg of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_avg(
		arr integer[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_segment_avg'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_avg(integer[], boolean[], integer) IS
	'mean of each segment, exact and rounded once';

ALTER FUNCTION gpu_segment_avg(bigint[], boolean[])
	RENAME TO _gpu_segment_avg_heads;
COMMENT ON FUNCTION _gpu_segment_avg_heads(bigint[], boolean[]) IS
	'gpu_segment_avg of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_avg(
		arr bigint[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_segment_avg'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_avg(bigint[], boolean[], integer) IS
	'mean of each segment, exact and rounded once';

ALTER FUNCTION gpu_segment_avg(real[], boolean[])
	RENAME TO _gpu_segment_avg_heads;
COMMENT ON FUNCTION _gpu_segment_avg_heads(real[], boolean[]) IS
	'gpu_segment_avg of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_avg(
		arr real[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_segment_avg'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_avg(real[], boolean[], integer) IS
	'mean of each segment, exact and rounded once';

ALTER FUNCTION gpu_segment_avg(double precision[], boolean[])
	RENAME TO _gpu_segment_avg_heads;
COMMENT ON FUNCTION _gpu_segment_avg_heads(double precision[], boolean[]) IS
	'gpu_segment_avg of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_avg(
		arr double precision[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_segment_avg'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_avg(double precision[], boolean[], integer) IS
	'mean of each segment, exact and rounded once';

ALTER FUNCTION gpu_segment_avg(numeric[], boolean[])
	RENAME TO _gpu_segment_avg_heads;

CREATE FUNCTION gpu_segment_avg(
		arr numeric[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_segment_avg_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_segment_avg(numeric[], boolean[], integer) IS
	'mean of each segment, exact and rounded once';

ALTER FUNCTION gpu_segment_min(smallint[], boolean[])
	RENAME TO _gpu_segment_min_heads;
COMMENT ON FUNCTION _gpu_segment_min_heads(smallint[], boolean[]) IS
	'gpu_segment_min of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_min(
		arr smallint[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_min'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_min(smallint[], boolean[], integer) IS
	'least element of each segment';

ALTER FUNCTION gpu_segment_min(integer[], boolean[])
	RENAME TO _gpu_segment_min_heads;
COMMENT ON FUNCTION _gpu_segment_min_heads(integer[], boolean[]) IS
	'gpu_segment_min of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_min(
		arr integer[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_segment_min'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_min(integer[], boolean[], integer) IS
	'least element of each segment';

ALTER FUNCTION gpu_segment_min(bigint[], boolean[])
	RENAME TO _gpu_segment_min_heads;
COMMENT ON FUNCTION _gpu_segment_min_heads(bigint[], boolean[]) IS
	'gpu_segment_min of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_min(
		arr bigint[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_min'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_min(bigint[], boolean[], integer) IS
	'least element of each segment';

ALTER FUNCTION gpu_segment_min(real[], boolean[])
	RENAME TO _gpu_segment_min_heads;
COMMENT ON FUNCTION _gpu_segment_min_heads(real[], boolean[]) IS
	'gpu_segment_min of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_min(
		arr real[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_segment_min'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_min(real[], boolean[], integer) IS
	'least element of each segment';

ALTER FUNCTION gpu_segment_min(double precision[], boolean[])
	RENAME TO _gpu_segment_min_heads;
COMMENT ON FUNCTION _gpu_segment_min_heads(double precision[], boolean[]) IS
	'gpu_segment_min of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_min(
		arr double precision[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_segment_min'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_min(double precision[], boolean[], integer) IS
	'least element of each segment';

ALTER FUNCTION gpu_segment_min(numeric[], boolean[])
	RENAME TO _gpu_segment_min_heads;

CREATE FUNCTION gpu_segment_min(
		arr numeric[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_segment_min_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_segment_min(numeric[], boolean[], integer) IS
	'least element of each segment';

ALTER FUNCTION gpu_segment_max(smallint[], boolean[])
	RENAME TO _gpu_segment_max_heads;
COMMENT ON FUNCTION _gpu_segment_max_heads(smallint[], boolean[]) IS
	'gpu_segment_max of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_max(
		arr smallint[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_max'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_max(smallint[], boolean[], integer) IS
	'greatest element of each segment';

ALTER FUNCTION gpu_segment_max(integer[], boolean[])
	RENAME TO _gpu_segment_max_heads;
COMMENT ON FUNCTION _gpu_segment_max_heads(integer[], boolean[]) IS
	'gpu_segment_max of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_max(
		arr integer[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_segment_max'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_max(integer[], boolean[], integer) IS
	'greatest element of each segment';

ALTER FUNCTION gpu_segment_max(bigint[], boolean[])
	RENAME TO _gpu_segment_max_heads;
COMMENT ON FUNCTION _gpu_segment_max_heads(bigint[], boolean[]) IS
	'gpu_segment_max of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_max(
		arr bigint[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_max'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_max(bigint[], boolean[], integer) IS
	'greatest element of each segment';

ALTER FUNCTION gpu_segment_max(real[], boolean[])
	RENAME TO _gpu_segment_max_heads;
COMMENT ON FUNCTION _gpu_segment_max_heads(real[], boolean[]) IS
	'gpu_segment_max of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_max(
		arr real[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_segment_max'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_max(real[], boolean[], integer) IS
	'greatest element of each segment';

ALTER FUNCTION gpu_segment_max(double precision[], boolean[])
	RENAME TO _gpu_segment_max_heads;
COMMENT ON FUNCTION _gpu_segment_max_heads(double precision[], boolean[]) IS
	'gpu_segment_max of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_max(
		arr double precision[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_segment_max'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_max(double precision[], boolean[], integer) IS
	'greatest element of each segment';

ALTER FUNCTION gpu_segment_max(numeric[], boolean[])
	RENAME TO _gpu_segment_max_heads;

CREATE FUNCTION gpu_segment_max(
		arr numeric[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_segment_max_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_segment_max(numeric[], boolean[], integer) IS
	'greatest element of each segment';

ALTER FUNCTION gpu_segment_count(smallint[], boolean[])
	RENAME TO _gpu_segment_count_heads;
COMMENT ON FUNCTION _gpu_segment_count_heads(smallint[], boolean[]) IS
	'gpu_segment_count of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_count(
		arr smallint[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_count'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_count(smallint[], boolean[], integer) IS
	'elements that are not null of each segment';

ALTER FUNCTION gpu_segment_count(integer[], boolean[])
	RENAME TO _gpu_segment_count_heads;
COMMENT ON FUNCTION _gpu_segment_count_heads(integer[], boolean[]) IS
	'gpu_segment_count of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_count(
		arr integer[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_count'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_count(integer[], boolean[], integer) IS
	'elements that are not null of each segment';

ALTER FUNCTION gpu_segment_count(bigint[], boolean[])
	RENAME TO _gpu_segment_count_heads;
COMMENT ON FUNCTION _gpu_segment_count_heads(bigint[], boolean[]) IS
	'gpu_segment_count of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_count(
		arr bigint[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_count'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_count(bigint[], boolean[], integer) IS
	'elements that are not null of each segment';

ALTER FUNCTION gpu_segment_count(real[], boolean[])
	RENAME TO _gpu_segment_count_heads;
COMMENT ON FUNCTION _gpu_segment_count_heads(real[], boolean[]) IS
	'gpu_segment_count of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_count(
		arr real[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_count'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_count(real[], boolean[], integer) IS
	'elements that are not null of each segment';

ALTER FUNCTION gpu_segment_count(double precision[], boolean[])
	RENAME TO _gpu_segment_count_heads;
COMMENT ON FUNCTION _gpu_segment_count_heads(double precision[], boolean[]) IS
	'gpu_segment_count of 1.0, for views that were made with it';

CREATE FUNCTION gpu_segment_count(
		arr double precision[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_count'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_count(double precision[], boolean[], integer) IS
	'elements that are not null of each segment';

ALTER FUNCTION gpu_segment_count(numeric[], boolean[])
	RENAME TO _gpu_segment_count_heads;

CREATE FUNCTION gpu_segment_count(
		arr numeric[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_count_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_segment_count(numeric[], boolean[], integer) IS
	'elements that are not null of each segment';

/*
 * Functions that give something else than in 1.0: those of 1.0 get other names,
 * since views may use them.
 */

ALTER FUNCTION gpu_diff(smallint[]) RENAME TO _gpu_diff_keep;
COMMENT ON FUNCTION _gpu_diff_keep(smallint[]) IS
	'gpu_diff of 1.0, for views that were made with it';

ALTER FUNCTION gpu_diff(integer[]) RENAME TO _gpu_diff_keep;
COMMENT ON FUNCTION _gpu_diff_keep(integer[]) IS
	'gpu_diff of 1.0, for views that were made with it';

ALTER FUNCTION gpu_diff(bigint[]) RENAME TO _gpu_diff_keep;
COMMENT ON FUNCTION _gpu_diff_keep(bigint[]) IS
	'gpu_diff of 1.0, for views that were made with it';

ALTER FUNCTION gpu_diff(real[]) RENAME TO _gpu_diff_keep;
COMMENT ON FUNCTION _gpu_diff_keep(real[]) IS
	'gpu_diff of 1.0, for views that were made with it';

ALTER FUNCTION gpu_diff(double precision[]) RENAME TO _gpu_diff_keep;
COMMENT ON FUNCTION _gpu_diff_keep(double precision[]) IS
	'gpu_diff of 1.0, for views that were made with it';

ALTER FUNCTION gpu_diff(numeric[]) RENAME TO _gpu_diff_keep;

ALTER FUNCTION gpu_rle(smallint[]) RENAME TO _gpu_rle_integer;
COMMENT ON FUNCTION _gpu_rle_integer(smallint[]) IS
	'gpu_rle of 1.0, for views that were made with it';

ALTER FUNCTION gpu_rle(integer[]) RENAME TO _gpu_rle_integer;
COMMENT ON FUNCTION _gpu_rle_integer(integer[]) IS
	'gpu_rle of 1.0, for views that were made with it';

ALTER FUNCTION gpu_rle(bigint[]) RENAME TO _gpu_rle_integer;
COMMENT ON FUNCTION _gpu_rle_integer(bigint[]) IS
	'gpu_rle of 1.0, for views that were made with it';

ALTER FUNCTION gpu_rle(real[]) RENAME TO _gpu_rle_integer;
COMMENT ON FUNCTION _gpu_rle_integer(real[]) IS
	'gpu_rle of 1.0, for views that were made with it';

ALTER FUNCTION gpu_rle(double precision[]) RENAME TO _gpu_rle_integer;
COMMENT ON FUNCTION _gpu_rle_integer(double precision[]) IS
	'gpu_rle of 1.0, for views that were made with it';

ALTER FUNCTION gpu_rle(numeric[]) RENAME TO _gpu_rle_integer;

CREATE FUNCTION gpu_diff(arr smallint[], first text DEFAULT 'null')
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_diff'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_diff(smallint[], text) IS
	'each element less the one before it';

CREATE FUNCTION gpu_diff(arr integer[], first text DEFAULT 'null')
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_diff'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_diff(integer[], text) IS
	'each element less the one before it';

CREATE FUNCTION gpu_diff(arr bigint[], first text DEFAULT 'null')
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_diff'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_diff(bigint[], text) IS
	'each element less the one before it';

CREATE FUNCTION gpu_diff(arr real[], first text DEFAULT 'null')
	RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_diff'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_diff(real[], text) IS
	'each element less the one before it';

CREATE FUNCTION gpu_diff(arr double precision[], first text DEFAULT 'null')
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_diff'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_diff(double precision[], text) IS
	'each element less the one before it';

CREATE FUNCTION gpu_diff(arr numeric[], first text DEFAULT 'null')
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_diff_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_diff(numeric[], text) IS
	'each element less the one before it';

CREATE FUNCTION gpu_rle(arr smallint[])
	RETURNS TABLE (value smallint, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_rle_any'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_rle(smallint[]) IS
	'runs of equal neighbours: the element, and how many';

CREATE FUNCTION gpu_rle(arr integer[])
	RETURNS TABLE (value integer, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_rle_any'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_rle(integer[]) IS
	'runs of equal neighbours: the element, and how many';

CREATE FUNCTION gpu_rle(arr bigint[])
	RETURNS TABLE (value bigint, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_rle_any'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_rle(bigint[]) IS
	'runs of equal neighbours: the element, and how many';

CREATE FUNCTION gpu_rle(arr real[])
	RETURNS TABLE (value real, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_rle_any'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_rle(real[]) IS
	'runs of equal neighbours: the element, and how many';

CREATE FUNCTION gpu_rle(arr double precision[])
	RETURNS TABLE (value double precision, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_rle_any'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_rle(double precision[]) IS
	'runs of equal neighbours: the element, and how many';

CREATE FUNCTION gpu_rle(arr numeric[])
	RETURNS TABLE (value numeric, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_rle_any_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_rle(numeric[]) IS
	'runs of equal neighbours: the element, and how many';

CREATE FUNCTION gpu_searchsorted(edges smallint[], arr smallint[], side text)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_searchsorted(smallint[], smallint[], text) IS
	'how many of the sorted edges are not above each element';

CREATE FUNCTION gpu_searchsorted(edges integer[], arr integer[], side text)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_searchsorted(integer[], integer[], text) IS
	'how many of the sorted edges are not above each element';

CREATE FUNCTION gpu_searchsorted(edges bigint[], arr bigint[], side text)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_searchsorted(bigint[], bigint[], text) IS
	'how many of the sorted edges are not above each element';

CREATE FUNCTION gpu_searchsorted(edges real[], arr real[], side text)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_searchsorted(real[], real[], text) IS
	'how many of the sorted edges are not above each element';

CREATE FUNCTION gpu_searchsorted(edges double precision[], arr double precision[], side text)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_searchsorted(double precision[], double precision[], text) IS
	'how many of the sorted edges are not above each element';

CREATE FUNCTION gpu_searchsorted(edges numeric[], arr numeric[], side text)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_searchsorted(numeric[], numeric[], text) IS
	'how many of the sorted edges are not above each element';

CREATE FUNCTION gpu_histogram(arr anyarray, buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram_range'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram(anyarray, integer) IS
	'counts of elements by buckets, of equal width or between edges';

CREATE FUNCTION gpu_covar_pop(y smallint[], x smallint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_covar_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_covar_pop(smallint[], smallint[]) IS
	'population covariance of two arrays';

CREATE FUNCTION gpu_covar_pop(y integer[], x integer[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_covar_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_covar_pop(integer[], integer[]) IS
	'population covariance of two arrays';

CREATE FUNCTION gpu_covar_pop(y bigint[], x bigint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_covar_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_covar_pop(bigint[], bigint[]) IS
	'population covariance of two arrays';

CREATE FUNCTION gpu_covar_pop(y real[], x real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_covar_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_covar_pop(real[], real[]) IS
	'population covariance of two arrays';

CREATE FUNCTION gpu_covar_pop(y double precision[], x double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_covar_pop'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_covar_pop(double precision[], double precision[]) IS
	'population covariance of two arrays';

CREATE FUNCTION gpu_covar_pop(y numeric[], x numeric[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_covar_pop(numeric[], numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_covar_samp(y smallint[], x smallint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_covar_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_covar_samp(smallint[], smallint[]) IS
	'sample covariance of two arrays';

CREATE FUNCTION gpu_covar_samp(y integer[], x integer[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_covar_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_covar_samp(integer[], integer[]) IS
	'sample covariance of two arrays';

CREATE FUNCTION gpu_covar_samp(y bigint[], x bigint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_covar_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_covar_samp(bigint[], bigint[]) IS
	'sample covariance of two arrays';

CREATE FUNCTION gpu_covar_samp(y real[], x real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_covar_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_covar_samp(real[], real[]) IS
	'sample covariance of two arrays';

CREATE FUNCTION gpu_covar_samp(y double precision[], x double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_covar_samp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_covar_samp(double precision[], double precision[]) IS
	'sample covariance of two arrays';

CREATE FUNCTION gpu_covar_samp(y numeric[], x numeric[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_covar_samp(numeric[], numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_corr(y smallint[], x smallint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_corr'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_corr(smallint[], smallint[]) IS
	'correlation of two arrays';

CREATE FUNCTION gpu_corr(y integer[], x integer[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_corr'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_corr(integer[], integer[]) IS
	'correlation of two arrays';

CREATE FUNCTION gpu_corr(y bigint[], x bigint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_corr'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_corr(bigint[], bigint[]) IS
	'correlation of two arrays';

CREATE FUNCTION gpu_corr(y real[], x real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_corr'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_corr(real[], real[]) IS
	'correlation of two arrays';

CREATE FUNCTION gpu_corr(y double precision[], x double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_corr'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_corr(double precision[], double precision[]) IS
	'correlation of two arrays';

CREATE FUNCTION gpu_corr(y numeric[], x numeric[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_corr(numeric[], numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_regr_slope(y smallint[], x smallint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_regr_slope'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_regr_slope(smallint[], smallint[]) IS
	'slope of the line of least squares through the pairs of two arrays';

CREATE FUNCTION gpu_regr_slope(y integer[], x integer[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_regr_slope'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_regr_slope(integer[], integer[]) IS
	'slope of the line of least squares through the pairs of two arrays';

CREATE FUNCTION gpu_regr_slope(y bigint[], x bigint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_regr_slope'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_regr_slope(bigint[], bigint[]) IS
	'slope of the line of least squares through the pairs of two arrays';

CREATE FUNCTION gpu_regr_slope(y real[], x real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_regr_slope'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_regr_slope(real[], real[]) IS
	'slope of the line of least squares through the pairs of two arrays';

CREATE FUNCTION gpu_regr_slope(y double precision[], x double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_regr_slope'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_regr_slope(double precision[], double precision[]) IS
	'slope of the line of least squares through the pairs of two arrays';

CREATE FUNCTION gpu_regr_slope(y numeric[], x numeric[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_regr_slope(numeric[], numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_regr_intercept(y smallint[], x smallint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_regr_intercept'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_regr_intercept(smallint[], smallint[]) IS
	'where the line of least squares through the pairs of two arrays crosses x = 0';

CREATE FUNCTION gpu_regr_intercept(y integer[], x integer[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_regr_intercept'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_regr_intercept(integer[], integer[]) IS
	'where the line of least squares through the pairs of two arrays crosses x = 0';

CREATE FUNCTION gpu_regr_intercept(y bigint[], x bigint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_regr_intercept'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_regr_intercept(bigint[], bigint[]) IS
	'where the line of least squares through the pairs of two arrays crosses x = 0';

CREATE FUNCTION gpu_regr_intercept(y real[], x real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_regr_intercept'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_regr_intercept(real[], real[]) IS
	'where the line of least squares through the pairs of two arrays crosses x = 0';

CREATE FUNCTION gpu_regr_intercept(y double precision[], x double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_regr_intercept'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_regr_intercept(double precision[], double precision[]) IS
	'where the line of least squares through the pairs of two arrays crosses x = 0';

CREATE FUNCTION gpu_regr_intercept(y numeric[], x numeric[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_regr_intercept(numeric[], numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_regr_r2(y smallint[], x smallint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_regr_r2'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_regr_r2(smallint[], smallint[]) IS
	'square of the correlation of two arrays';

CREATE FUNCTION gpu_regr_r2(y integer[], x integer[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_regr_r2'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_regr_r2(integer[], integer[]) IS
	'square of the correlation of two arrays';

CREATE FUNCTION gpu_regr_r2(y bigint[], x bigint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_regr_r2'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_regr_r2(bigint[], bigint[]) IS
	'square of the correlation of two arrays';

CREATE FUNCTION gpu_regr_r2(y real[], x real[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_regr_r2'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_regr_r2(real[], real[]) IS
	'square of the correlation of two arrays';

CREATE FUNCTION gpu_regr_r2(y double precision[], x double precision[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_regr_r2'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 6000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_regr_r2(double precision[], double precision[]) IS
	'square of the correlation of two arrays';

CREATE FUNCTION gpu_regr_r2(y numeric[], x numeric[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_regr_r2(numeric[], numeric[]) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_moving_median(arr smallint[], preceding integer, following integer DEFAULT 0)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_median'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_median(smallint[], integer, integer) IS
	'median of a frame around each element';

CREATE FUNCTION gpu_moving_median(arr integer[], preceding integer, following integer DEFAULT 0)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_median'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_median(integer[], integer, integer) IS
	'median of a frame around each element';

CREATE FUNCTION gpu_moving_median(arr bigint[], preceding integer, following integer DEFAULT 0)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_median'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_median(bigint[], integer, integer) IS
	'median of a frame around each element';

CREATE FUNCTION gpu_moving_median(arr real[], preceding integer, following integer DEFAULT 0)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_median'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_median(real[], integer, integer) IS
	'median of a frame around each element';

CREATE FUNCTION gpu_moving_median(arr double precision[], preceding integer, following integer DEFAULT 0)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_median'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_median(double precision[], integer, integer) IS
	'median of a frame around each element';

CREATE FUNCTION gpu_moving_median(arr numeric[], preceding integer, following integer DEFAULT 0)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_median(numeric[], integer, integer) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_moving_percentile_cont(
		arr smallint[], fraction double precision, preceding integer,
		following integer DEFAULT 0) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_percentile_cont'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_percentile_cont(smallint[], double precision, integer, integer) IS
	'percentile of a frame around each element, interpolated';

CREATE FUNCTION gpu_moving_percentile_cont(
		arr integer[], fraction double precision, preceding integer,
		following integer DEFAULT 0) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_percentile_cont'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_percentile_cont(integer[], double precision, integer, integer) IS
	'percentile of a frame around each element, interpolated';

CREATE FUNCTION gpu_moving_percentile_cont(
		arr bigint[], fraction double precision, preceding integer,
		following integer DEFAULT 0) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_percentile_cont'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_percentile_cont(bigint[], double precision, integer, integer) IS
	'percentile of a frame around each element, interpolated';

CREATE FUNCTION gpu_moving_percentile_cont(
		arr real[], fraction double precision, preceding integer,
		following integer DEFAULT 0) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_percentile_cont'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_percentile_cont(real[], double precision, integer, integer) IS
	'percentile of a frame around each element, interpolated';

CREATE FUNCTION gpu_moving_percentile_cont(
		arr double precision[], fraction double precision, preceding integer,
		following integer DEFAULT 0) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_percentile_cont'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_percentile_cont(double precision[], double precision, integer, integer) IS
	'percentile of a frame around each element, interpolated';

CREATE FUNCTION gpu_moving_percentile_cont(
		arr numeric[], fraction double precision, preceding integer,
		following integer DEFAULT 0) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_percentile_cont(numeric[], double precision, integer, integer) IS
	'not supported: cast the array to another type';

CREATE FUNCTION gpu_moving_percentile_disc(
		arr smallint[], fraction double precision, preceding integer,
		following integer DEFAULT 0) RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_moving_percentile_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_percentile_disc(smallint[], double precision, integer, integer) IS
	'percentile of a frame around each element, one of its elements';

CREATE FUNCTION gpu_moving_percentile_disc(
		arr integer[], fraction double precision, preceding integer,
		following integer DEFAULT 0) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_moving_percentile_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_percentile_disc(integer[], double precision, integer, integer) IS
	'percentile of a frame around each element, one of its elements';

CREATE FUNCTION gpu_moving_percentile_disc(
		arr bigint[], fraction double precision, preceding integer,
		following integer DEFAULT 0) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_moving_percentile_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_percentile_disc(bigint[], double precision, integer, integer) IS
	'percentile of a frame around each element, one of its elements';

CREATE FUNCTION gpu_moving_percentile_disc(
		arr real[], fraction double precision, preceding integer,
		following integer DEFAULT 0) RETURNS real[]
	AS 'MODULE_PATHNAME', 'gpu_moving_percentile_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_percentile_disc(real[], double precision, integer, integer) IS
	'percentile of a frame around each element, one of its elements';

CREATE FUNCTION gpu_moving_percentile_disc(
		arr double precision[], fraction double precision, preceding integer,
		following integer DEFAULT 0) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_percentile_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_percentile_disc(double precision[], double precision, integer, integer) IS
	'percentile of a frame around each element, one of its elements';

CREATE FUNCTION gpu_moving_percentile_disc(
		arr numeric[], fraction double precision, preceding integer,
		following integer DEFAULT 0) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_moving_percentile_disc_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000;
COMMENT ON FUNCTION gpu_moving_percentile_disc(numeric[], double precision, integer, integer) IS
	'percentile of a frame around each element, one of its elements';

CREATE FUNCTION gpu_moving_corr(
		y smallint[], x smallint[], preceding integer,
		following integer DEFAULT 0) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_corr'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 50000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_corr(smallint[], smallint[], integer, integer) IS
	'correlation of the pairs in a frame around each of two arrays';

CREATE FUNCTION gpu_moving_corr(
		y integer[], x integer[], preceding integer,
		following integer DEFAULT 0) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_corr'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 50000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_corr(integer[], integer[], integer, integer) IS
	'correlation of the pairs in a frame around each of two arrays';

CREATE FUNCTION gpu_moving_corr(
		y bigint[], x bigint[], preceding integer,
		following integer DEFAULT 0) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_corr'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 50000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_corr(bigint[], bigint[], integer, integer) IS
	'correlation of the pairs in a frame around each of two arrays';

CREATE FUNCTION gpu_moving_corr(
		y real[], x real[], preceding integer,
		following integer DEFAULT 0) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_corr'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 50000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_corr(real[], real[], integer, integer) IS
	'correlation of the pairs in a frame around each of two arrays';

CREATE FUNCTION gpu_moving_corr(
		y double precision[], x double precision[], preceding integer,
		following integer DEFAULT 0) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_moving_corr'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 50000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_corr(double precision[], double precision[], integer, integer) IS
	'correlation of the pairs in a frame around each of two arrays';

CREATE FUNCTION gpu_moving_corr(
		y numeric[], x numeric[], preceding integer,
		following integer DEFAULT 0) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_corr(numeric[], numeric[], integer, integer) IS
	'not supported: cast the array to another type';

-- Administration

-- it draws what the client's encoding has, which a parallel worker does not know
ALTER FUNCTION gpuscan_plot(bigint[], integer, text[]) STABLE PARALLEL RESTRICTED;

CREATE FUNCTION gpuscan_progress()
	RETURNS TABLE (pid integer, database text, work text, operation text,
		relation regclass, phase text, done bigint, total bigint)
	AS 'MODULE_PATHNAME', 'gpuscan_progress'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 100 ROWS 10;
COMMENT ON FUNCTION gpuscan_progress() IS
	'how far long calls, reports and loads of all sessions are';

CREATE FUNCTION gpuscan_calls()
	RETURNS TABLE (kind text, engine text, process text, calls bigint)
	AS 'MODULE_PATHNAME', 'gpuscan_calls'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 10 ROWS 6;
COMMENT ON FUNCTION gpuscan_calls() IS
	'what computed the calls and reports of all sessions, and how many';
REVOKE EXECUTE ON FUNCTION gpuscan_calls() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gpuscan_calls() TO pg_monitor;

CREATE FUNCTION gpuscan_columns()
	RETURNS TABLE (database name, relation regclass, "column" name,
		chunks bigint, "rows" bigint, masked_rows bigint, bytes bigint,
		hits bigint, last_used timestamptz)
	AS 'MODULE_PATHNAME', 'gpuscan_columns'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 1000 ROWS 100;
COMMENT ON FUNCTION gpuscan_columns() IS
	'columns of tables that the service holds for reports';
REVOKE EXECUTE ON FUNCTION gpuscan_columns() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gpuscan_columns() TO pg_monitor;

CREATE FUNCTION gpuscan_load(
		relation regclass, VARIADIC columns text[] DEFAULT '{}')
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpuscan_load'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION gpuscan_load(regclass, text[]) IS
	'have the service hold columns of a table, or all that it can hold, and return the number of rows held';

COMMENT ON FUNCTION gpuscan_cache_clear() IS
	'forget the copies of stored arrays and of columns, and return their number';
COMMENT ON FUNCTION gpuscan_last_call() IS
	'how this session''s last call was executed, calls of parallel workers left out';

DROP FUNCTION gpuscan_status();
CREATE FUNCTION gpuscan_status()
	RETURNS TABLE (state text, reason text, engine text, device text,
		driver text, memory_total bigint, memory_used bigint,
		staging_total bigint, staging_free bigint, cache_entries bigint,
		cache_bytes bigint, connections integer, calls bigint,
		fallbacks bigint, restarts bigint, started_at timestamptz,
		cache_size bigint, cache_hits bigint, cache_misses bigint,
		cache_saved bigint, columns bigint, column_bytes bigint,
		reports bigint, report_rows_held bigint, report_rows_read bigint,
		report_pages_verified bigint)
	AS 'MODULE_PATHNAME', 'gpuscan_status'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED COST 100 ROWS 1;
COMMENT ON FUNCTION gpuscan_status() IS
	'the service that owns the GPU; what tells of calls is NULL but for members of pg_monitor';

COMMENT ON AGGREGATE gpu_percentile_cont(smallint, double precision) IS
	'percentile of the values, interpolated, or one for each of an array of fractions';
COMMENT ON AGGREGATE gpu_percentile_cont(integer, double precision) IS
	'percentile of the values, interpolated, or one for each of an array of fractions';
COMMENT ON AGGREGATE gpu_percentile_cont(bigint, double precision) IS
	'percentile of the values, interpolated, or one for each of an array of fractions';
COMMENT ON AGGREGATE gpu_percentile_cont(real, double precision) IS
	'percentile of the values, interpolated, or one for each of an array of fractions';
COMMENT ON AGGREGATE gpu_percentile_cont(double precision, double precision) IS
	'percentile of the values, interpolated, or one for each of an array of fractions';

/*
 * Aggregates that keep a group's values, numbers or times, in a bytea.  Where
 * fractions are an array, the value is anynonarray, not each type, so that a
 * quoted fraction remains one: what is anynonarray never matches exactly.
 */

CREATE FUNCTION _gpu_collected_merge(bytea, bytea) RETURNS bytea
	AS 'MODULE_PATHNAME', 'gpu_collected_merge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_collected_merge(bytea, bytea) IS
	'append the values of another state';
REVOKE EXECUTE ON FUNCTION _gpu_collected_merge(bytea, bytea) FROM PUBLIC;

CREATE FUNCTION _gpu_percentiles_cont_collect(bytea, anynonarray, double precision[])
	RETURNS bytea
	AS 'MODULE_PATHNAME', 'gpu_percentiles_cont_collect'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_percentiles_cont_collect(bytea, anynonarray, double precision[]) IS
	'append a value to a state that begins with the fractions';
REVOKE EXECUTE ON FUNCTION
	_gpu_percentiles_cont_collect(bytea, anynonarray, double precision[])
	FROM PUBLIC;

CREATE FUNCTION _gpu_percentiles_cont_final(bytea, anynonarray, double precision[])
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_percentiles_cont_final'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION _gpu_percentiles_cont_final(bytea, anynonarray, double precision[]) IS
	'percentiles of a state';
REVOKE EXECUTE ON FUNCTION
	_gpu_percentiles_cont_final(bytea, anynonarray, double precision[])
	FROM PUBLIC;

CREATE FUNCTION _gpu_percentiles_disc_collect(bytea, anynonarray, double precision[])
	RETURNS bytea
	AS 'MODULE_PATHNAME', 'gpu_percentiles_disc_collect'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_percentiles_disc_collect(bytea, anynonarray, double precision[]) IS
	'append a value to a state that begins with the fractions';
REVOKE EXECUTE ON FUNCTION
	_gpu_percentiles_disc_collect(bytea, anynonarray, double precision[])
	FROM PUBLIC;

CREATE FUNCTION _gpu_percentiles_disc_final(bytea, anynonarray, double precision[])
	RETURNS anyarray
	AS 'MODULE_PATHNAME', 'gpu_percentiles_disc_final'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION _gpu_percentiles_disc_final(bytea, anynonarray, double precision[]) IS
	'percentiles of a state';
REVOKE EXECUTE ON FUNCTION
	_gpu_percentiles_disc_final(bytea, anynonarray, double precision[])
	FROM PUBLIC;

CREATE FUNCTION _gpu_percentile_disc_collect(bytea, anynonarray, double precision)
	RETURNS bytea
	AS 'MODULE_PATHNAME', 'gpu_percentile_disc_collect'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_percentile_disc_collect(bytea, anynonarray, double precision) IS
	'append a value to a state that begins with the fractions';
REVOKE EXECUTE ON FUNCTION
	_gpu_percentile_disc_collect(bytea, anynonarray, double precision)
	FROM PUBLIC;

CREATE FUNCTION _gpu_percentile_disc_final(bytea, anynonarray, double precision)
	RETURNS anynonarray
	AS 'MODULE_PATHNAME', 'gpu_percentile_disc_final'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION _gpu_percentile_disc_final(bytea, anynonarray, double precision) IS
	'percentiles of a state';
REVOKE EXECUTE ON FUNCTION
	_gpu_percentile_disc_final(bytea, anynonarray, double precision)
	FROM PUBLIC;

CREATE AGGREGATE gpu_percentile_cont(anynonarray, double precision[])
(
	SFUNC = _gpu_percentiles_cont_collect,
	STYPE = bytea,
	SSPACE = 1024,
	FINALFUNC = _gpu_percentiles_cont_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collected_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentile_cont(anynonarray, double precision[]) IS
	'percentile of the values, interpolated, or one for each of an array of fractions';

CREATE AGGREGATE gpu_percentile_disc(anynonarray, double precision[])
(
	SFUNC = _gpu_percentiles_disc_collect,
	STYPE = bytea,
	SSPACE = 1024,
	FINALFUNC = _gpu_percentiles_disc_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collected_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentile_disc(anynonarray, double precision[]) IS
	'percentile of the values, one of them, or one for each of an array of fractions';

CREATE AGGREGATE gpu_percentiles_cont(anynonarray, double precision[])
(
	SFUNC = _gpu_percentiles_cont_collect,
	STYPE = bytea,
	SSPACE = 1024,
	FINALFUNC = _gpu_percentiles_cont_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collected_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentiles_cont(anynonarray, double precision[]) IS
	'percentiles of the values, interpolated';

CREATE AGGREGATE gpu_percentiles_disc(anynonarray, double precision[])
(
	SFUNC = _gpu_percentiles_disc_collect,
	STYPE = bytea,
	SSPACE = 1024,
	FINALFUNC = _gpu_percentiles_disc_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collected_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentiles_disc(anynonarray, double precision[]) IS
	'percentiles of the values, each one of them';

CREATE AGGREGATE gpu_percentile_disc(smallint, double precision)
(
	SFUNC = _gpu_percentile_disc_collect,
	STYPE = bytea,
	SSPACE = 1024,
	FINALFUNC = _gpu_percentile_disc_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collected_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentile_disc(smallint, double precision) IS
	'percentile of the values, one of them, or one for each of an array of fractions';

CREATE AGGREGATE gpu_percentile_disc(integer, double precision)
(
	SFUNC = _gpu_percentile_disc_collect,
	STYPE = bytea,
	SSPACE = 1024,
	FINALFUNC = _gpu_percentile_disc_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collected_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentile_disc(integer, double precision) IS
	'percentile of the values, one of them, or one for each of an array of fractions';

CREATE AGGREGATE gpu_percentile_disc(bigint, double precision)
(
	SFUNC = _gpu_percentile_disc_collect,
	STYPE = bytea,
	SSPACE = 1024,
	FINALFUNC = _gpu_percentile_disc_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collected_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentile_disc(bigint, double precision) IS
	'percentile of the values, one of them, or one for each of an array of fractions';

CREATE AGGREGATE gpu_percentile_disc(real, double precision)
(
	SFUNC = _gpu_percentile_disc_collect,
	STYPE = bytea,
	SSPACE = 1024,
	FINALFUNC = _gpu_percentile_disc_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collected_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentile_disc(real, double precision) IS
	'percentile of the values, one of them, or one for each of an array of fractions';

CREATE AGGREGATE gpu_percentile_disc(double precision, double precision)
(
	SFUNC = _gpu_percentile_disc_collect,
	STYPE = bytea,
	SSPACE = 1024,
	FINALFUNC = _gpu_percentile_disc_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collected_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentile_disc(double precision, double precision) IS
	'percentile of the values, one of them, or one for each of an array of fractions';

CREATE AGGREGATE gpu_percentile_disc(numeric, double precision)
(
	SFUNC = _gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentile_disc(numeric, double precision) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_percentile_disc(date, double precision)
(
	SFUNC = _gpu_percentile_disc_collect,
	STYPE = bytea,
	SSPACE = 1024,
	FINALFUNC = _gpu_percentile_disc_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collected_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentile_disc(date, double precision) IS
	'percentile of the values, one of them, or one for each of an array of fractions';

CREATE AGGREGATE gpu_percentile_disc(timestamp, double precision)
(
	SFUNC = _gpu_percentile_disc_collect,
	STYPE = bytea,
	SSPACE = 1024,
	FINALFUNC = _gpu_percentile_disc_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collected_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentile_disc(timestamp, double precision) IS
	'percentile of the values, one of them, or one for each of an array of fractions';

CREATE AGGREGATE gpu_percentile_disc(timestamptz, double precision)
(
	SFUNC = _gpu_percentile_disc_collect,
	STYPE = bytea,
	SSPACE = 1024,
	FINALFUNC = _gpu_percentile_disc_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collected_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_percentile_disc(timestamptz, double precision) IS
	'percentile of the values, one of them, or one for each of an array of fractions';

CREATE FUNCTION gpu_state_weighted_avg(gpu_state) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_state_weighted_avg'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_state_weighted_avg(gpu_state) IS
	'mean of values with weights, exact and rounded once';

CREATE AGGREGATE gpu_weighted_avg(v double precision, w double precision)
(
	SFUNC = gpu_state_add,
	STYPE = gpu_state,
	SSPACE = 272,
	INITCOND = 'pairs',
	FINALFUNC = gpu_state_weighted_avg,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_state_merge,
	MSFUNC = gpu_state_add,
	MINVFUNC = gpu_state_remove,
	MSTYPE = gpu_state,
	MSSPACE = 272,
	MINITCOND = 'pairs',
	MFINALFUNC = gpu_state_weighted_avg,
	MFINALFUNC_MODIFY = read_only,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_weighted_avg(double precision, double precision) IS
	'mean of values with weights, exact and rounded once';

CREATE AGGREGATE gpu_weighted_avg(v numeric, w numeric)
(
	SFUNC = _gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_weighted_avg(numeric, numeric) IS
	'not supported: cast the argument to another type';


CREATE FUNCTION _gpu_describe_collect(bytea, anynonarray) RETURNS bytea
	AS 'MODULE_PATHNAME', 'gpu_describe_collect'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_describe_collect(bytea, anynonarray) IS
	'append a value to a state';
REVOKE EXECUTE ON FUNCTION _gpu_describe_collect(bytea, anynonarray) FROM PUBLIC;

CREATE TYPE gpu_description_int2 AS (count bigint, nulls bigint, nans bigint,
	min smallint, max smallint, sum bigint, avg numeric, stddev numeric,
	p25 double precision, median double precision, p75 double precision);
COMMENT ON TYPE gpu_description_int2 IS 'what gpu_describe gives for smallint';

CREATE FUNCTION _gpu_describe_final(bytea, smallint) RETURNS gpu_description_int2
	AS 'MODULE_PATHNAME', 'gpu_describe_final'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 15000;
COMMENT ON FUNCTION _gpu_describe_final(bytea, smallint) IS
	'description of the values of a state';
REVOKE EXECUTE ON FUNCTION _gpu_describe_final(bytea, smallint) FROM PUBLIC;

CREATE TYPE gpu_description_int4 AS (count bigint, nulls bigint, nans bigint,
	min integer, max integer, sum bigint, avg numeric, stddev numeric,
	p25 double precision, median double precision, p75 double precision);
COMMENT ON TYPE gpu_description_int4 IS 'what gpu_describe gives for integer';

CREATE FUNCTION _gpu_describe_final(bytea, integer) RETURNS gpu_description_int4
	AS 'MODULE_PATHNAME', 'gpu_describe_final'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 15000;
COMMENT ON FUNCTION _gpu_describe_final(bytea, integer) IS
	'description of the values of a state';
REVOKE EXECUTE ON FUNCTION _gpu_describe_final(bytea, integer) FROM PUBLIC;

CREATE TYPE gpu_description_int8 AS (count bigint, nulls bigint, nans bigint,
	min bigint, max bigint, sum numeric, avg numeric, stddev numeric,
	p25 double precision, median double precision, p75 double precision);
COMMENT ON TYPE gpu_description_int8 IS 'what gpu_describe gives for bigint';

CREATE FUNCTION _gpu_describe_final(bytea, bigint) RETURNS gpu_description_int8
	AS 'MODULE_PATHNAME', 'gpu_describe_final'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 15000;
COMMENT ON FUNCTION _gpu_describe_final(bytea, bigint) IS
	'description of the values of a state';
REVOKE EXECUTE ON FUNCTION _gpu_describe_final(bytea, bigint) FROM PUBLIC;

CREATE TYPE gpu_description_float4 AS (count bigint, nulls bigint, nans bigint,
	min real, max real, sum real, avg double precision, stddev double precision,
	p25 double precision, median double precision, p75 double precision);
COMMENT ON TYPE gpu_description_float4 IS 'what gpu_describe gives for real';

CREATE FUNCTION _gpu_describe_final(bytea, real) RETURNS gpu_description_float4
	AS 'MODULE_PATHNAME', 'gpu_describe_final'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 15000;
COMMENT ON FUNCTION _gpu_describe_final(bytea, real) IS
	'description of the values of a state';
REVOKE EXECUTE ON FUNCTION _gpu_describe_final(bytea, real) FROM PUBLIC;

CREATE TYPE gpu_description_float8 AS (count bigint, nulls bigint, nans bigint,
	min double precision, max double precision, sum double precision, avg double precision, stddev double precision,
	p25 double precision, median double precision, p75 double precision);
COMMENT ON TYPE gpu_description_float8 IS 'what gpu_describe gives for double precision';

CREATE FUNCTION _gpu_describe_final(bytea, double precision) RETURNS gpu_description_float8
	AS 'MODULE_PATHNAME', 'gpu_describe_final'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 15000;
COMMENT ON FUNCTION _gpu_describe_final(bytea, double precision) IS
	'description of the values of a state';
REVOKE EXECUTE ON FUNCTION _gpu_describe_final(bytea, double precision) FROM PUBLIC;

CREATE AGGREGATE gpu_describe(smallint)
(
	SFUNC = _gpu_describe_collect,
	STYPE = bytea,
	SSPACE = 1024,
	FINALFUNC = _gpu_describe_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collected_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_describe(smallint) IS
	'count, extremes, sum, mean, deviation, quartiles';

CREATE AGGREGATE gpu_describe(integer)
(
	SFUNC = _gpu_describe_collect,
	STYPE = bytea,
	SSPACE = 1024,
	FINALFUNC = _gpu_describe_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collected_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_describe(integer) IS
	'count, extremes, sum, mean, deviation, quartiles';

CREATE AGGREGATE gpu_describe(bigint)
(
	SFUNC = _gpu_describe_collect,
	STYPE = bytea,
	SSPACE = 1024,
	FINALFUNC = _gpu_describe_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collected_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_describe(bigint) IS
	'count, extremes, sum, mean, deviation, quartiles';

CREATE AGGREGATE gpu_describe(real)
(
	SFUNC = _gpu_describe_collect,
	STYPE = bytea,
	SSPACE = 1024,
	FINALFUNC = _gpu_describe_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collected_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_describe(real) IS
	'count, extremes, sum, mean, deviation, quartiles';

CREATE AGGREGATE gpu_describe(double precision)
(
	SFUNC = _gpu_describe_collect,
	STYPE = bytea,
	SSPACE = 1024,
	FINALFUNC = _gpu_describe_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collected_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_describe(double precision) IS
	'count, extremes, sum, mean, deviation, quartiles';

CREATE AGGREGATE gpu_describe(numeric)
(
	SFUNC = _gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_describe(numeric) IS
	'not supported: cast the argument to another type';

-- Dates and timestamps: functions that compare elements, or give some of them

CREATE FUNCTION gpu_count(arr date[])
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_count(date[]) IS
	'number of elements that are not null';

CREATE FUNCTION gpu_count(arr timestamp[])
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_count(timestamp[]) IS
	'number of elements that are not null';

CREATE FUNCTION gpu_count(arr timestamptz[])
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_count(timestamptz[]) IS
	'number of elements that are not null';

CREATE FUNCTION gpu_min(arr date[])
	RETURNS date
	AS 'MODULE_PATHNAME', 'gpu_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_min(date[]) IS
	'least element';

CREATE FUNCTION gpu_min(arr timestamp[])
	RETURNS timestamp
	AS 'MODULE_PATHNAME', 'gpu_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_min(timestamp[]) IS
	'least element';

CREATE FUNCTION gpu_min(arr timestamptz[])
	RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'gpu_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_min(timestamptz[]) IS
	'least element';

CREATE FUNCTION gpu_max(arr date[])
	RETURNS date
	AS 'MODULE_PATHNAME', 'gpu_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_max(date[]) IS
	'greatest element';

CREATE FUNCTION gpu_max(arr timestamp[])
	RETURNS timestamp
	AS 'MODULE_PATHNAME', 'gpu_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_max(timestamp[]) IS
	'greatest element';

CREATE FUNCTION gpu_max(arr timestamptz[])
	RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'gpu_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_max(timestamptz[]) IS
	'greatest element';

CREATE FUNCTION gpu_argmin(arr date[])
	RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmin'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_argmin(date[]) IS
	'position of the first least element';

CREATE FUNCTION gpu_argmin(arr timestamp[])
	RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmin'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_argmin(timestamp[]) IS
	'position of the first least element';

CREATE FUNCTION gpu_argmin(arr timestamptz[])
	RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmin'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_argmin(timestamptz[]) IS
	'position of the first least element';

CREATE FUNCTION gpu_argmax(arr date[])
	RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmax'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_argmax(date[]) IS
	'position of the first greatest element';

CREATE FUNCTION gpu_argmax(arr timestamp[])
	RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmax'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_argmax(timestamp[]) IS
	'position of the first greatest element';

CREATE FUNCTION gpu_argmax(arr timestamptz[])
	RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmax'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_argmax(timestamptz[]) IS
	'position of the first greatest element';

CREATE FUNCTION gpu_cumcount(
		arr date[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumcount'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cumcount(date[], boolean, integer, boolean[]) IS
	'running number of elements that are not null';

CREATE FUNCTION gpu_cumcount(
		arr timestamp[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumcount'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cumcount(timestamp[], boolean, integer, boolean[]) IS
	'running number of elements that are not null';

CREATE FUNCTION gpu_cumcount(
		arr timestamptz[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumcount'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cumcount(timestamptz[], boolean, integer, boolean[]) IS
	'running number of elements that are not null';

CREATE FUNCTION gpu_cummin(
		arr date[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_cummin'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cummin(date[], boolean, integer, boolean[]) IS
	'least element so far';

CREATE FUNCTION gpu_cummin(
		arr timestamp[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_cummin'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cummin(timestamp[], boolean, integer, boolean[]) IS
	'least element so far';

CREATE FUNCTION gpu_cummin(
		arr timestamptz[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_cummin'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cummin(timestamptz[], boolean, integer, boolean[]) IS
	'least element so far';

CREATE FUNCTION gpu_cummax(
		arr date[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_cummax'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cummax(date[], boolean, integer, boolean[]) IS
	'greatest element so far';

CREATE FUNCTION gpu_cummax(
		arr timestamp[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_cummax'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cummax(timestamp[], boolean, integer, boolean[]) IS
	'greatest element so far';

CREATE FUNCTION gpu_cummax(
		arr timestamptz[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_cummax'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cummax(timestamptz[], boolean, integer, boolean[]) IS
	'greatest element so far';

CREATE FUNCTION gpu_histogram(
		arr date[], low date, high date,
		buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram(date[], date, date, integer) IS
	'counts of elements by buckets, of equal width or between edges';

CREATE FUNCTION gpu_histogram(
		arr timestamp[], low timestamp, high timestamp,
		buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram(timestamp[], timestamp, timestamp, integer) IS
	'counts of elements by buckets, of equal width or between edges';

CREATE FUNCTION gpu_histogram(
		arr timestamptz[], low timestamptz, high timestamptz,
		buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram(timestamptz[], timestamptz, timestamptz, integer) IS
	'counts of elements by buckets, of equal width or between edges';

CREATE FUNCTION gpu_histogram(arr date[], edges date[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram(date[], date[]) IS
	'counts of elements by buckets, of equal width or between edges';

CREATE FUNCTION gpu_histogram(arr timestamp[], edges timestamp[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram(timestamp[], timestamp[]) IS
	'counts of elements by buckets, of equal width or between edges';

CREATE FUNCTION gpu_histogram(arr timestamptz[], edges timestamptz[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram(timestamptz[], timestamptz[]) IS
	'counts of elements by buckets, of equal width or between edges';

CREATE FUNCTION gpu_histogram_table(
		arr date[], low date, high date,
		buckets integer)
	RETURNS TABLE (bucket integer, lower date,
		upper date, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram_table(date[], date, date, integer) IS
	'buckets, of equal width or between edges, with their bounds and counts of elements';

CREATE FUNCTION gpu_histogram_table(
		arr timestamp[], low timestamp, high timestamp,
		buckets integer)
	RETURNS TABLE (bucket integer, lower timestamp,
		upper timestamp, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram_table(timestamp[], timestamp, timestamp, integer) IS
	'buckets, of equal width or between edges, with their bounds and counts of elements';

CREATE FUNCTION gpu_histogram_table(
		arr timestamptz[], low timestamptz, high timestamptz,
		buckets integer)
	RETURNS TABLE (bucket integer, lower timestamptz,
		upper timestamptz, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram_table(timestamptz[], timestamptz, timestamptz, integer) IS
	'buckets, of equal width or between edges, with their bounds and counts of elements';

CREATE FUNCTION gpu_histogram_table(
		arr date[], edges date[])
	RETURNS TABLE (bucket integer, lower date,
		upper date, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram_table(date[], date[]) IS
	'buckets, of equal width or between edges, with their bounds and counts of elements';

CREATE FUNCTION gpu_histogram_table(
		arr timestamp[], edges timestamp[])
	RETURNS TABLE (bucket integer, lower timestamp,
		upper timestamp, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram_table(timestamp[], timestamp[]) IS
	'buckets, of equal width or between edges, with their bounds and counts of elements';

CREATE FUNCTION gpu_histogram_table(
		arr timestamptz[], edges timestamptz[])
	RETURNS TABLE (bucket integer, lower timestamptz,
		upper timestamptz, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_histogram_table'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000 ROWS 100
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram_table(timestamptz[], timestamptz[]) IS
	'buckets, of equal width or between edges, with their bounds and counts of elements';

CREATE FUNCTION gpu_compact(arr date[], keep boolean[])
	RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_compact'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compact(date[], boolean[]) IS
	'elements whose keep is true, in order';

CREATE FUNCTION gpu_compact(arr timestamp[], keep boolean[])
	RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_compact'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compact(timestamp[], boolean[]) IS
	'elements whose keep is true, in order';

CREATE FUNCTION gpu_compact(arr timestamptz[], keep boolean[])
	RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_compact'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compact(timestamptz[], boolean[]) IS
	'elements whose keep is true, in order';

CREATE FUNCTION gpu_filter(arr date[], op text, bound date)
	RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_filter_time'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_filter(date[], text, date) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr timestamp[], op text, bound timestamp)
	RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_filter_time'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_filter(timestamp[], text, timestamp) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_filter(arr timestamptz[], op text, bound timestamptz)
	RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_filter_time'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_filter(timestamptz[], text, timestamptz) IS
	'elements that compare true with the bound, in order';

CREATE FUNCTION gpu_median(arr date[]) RETURNS date
	AS 'MODULE_PATHNAME', 'gpu_median'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_median(date[]) IS
	'median of the elements, as percentile_cont(0.5)';

CREATE FUNCTION gpu_median(arr timestamp[]) RETURNS timestamp
	AS 'MODULE_PATHNAME', 'gpu_median'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_median(timestamp[]) IS
	'median of the elements, as percentile_cont(0.5)';

CREATE FUNCTION gpu_median(arr timestamptz[]) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'gpu_median'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_median(timestamptz[]) IS
	'median of the elements, as percentile_cont(0.5)';

CREATE FUNCTION gpu_mode(arr date[]) RETURNS date
	AS 'MODULE_PATHNAME', 'gpu_mode'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_mode(date[]) IS
	'most frequent element, the least of several';

CREATE FUNCTION gpu_mode(arr timestamp[]) RETURNS timestamp
	AS 'MODULE_PATHNAME', 'gpu_mode'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_mode(timestamp[]) IS
	'most frequent element, the least of several';

CREATE FUNCTION gpu_mode(arr timestamptz[]) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'gpu_mode'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_mode(timestamptz[]) IS
	'most frequent element, the least of several';

CREATE FUNCTION gpu_count_distinct(arr date[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count_distinct'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_count_distinct(date[]) IS
	'number of different elements';

CREATE FUNCTION gpu_count_distinct(arr timestamp[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count_distinct'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_count_distinct(timestamp[]) IS
	'number of different elements';

CREATE FUNCTION gpu_count_distinct(arr timestamptz[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count_distinct'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_count_distinct(timestamptz[]) IS
	'number of different elements';

CREATE FUNCTION gpu_distinct(arr date[]) RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_distinct'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_distinct(date[]) IS
	'different elements in order';

CREATE FUNCTION gpu_distinct(arr timestamp[]) RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_distinct'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_distinct(timestamp[]) IS
	'different elements in order';

CREATE FUNCTION gpu_distinct(arr timestamptz[]) RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_distinct'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_distinct(timestamptz[]) IS
	'different elements in order';

CREATE FUNCTION gpu_sort(
		arr date[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_sort'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_sort(date[], boolean, boolean) IS
	'elements in order, as ORDER BY has it';

CREATE FUNCTION gpu_sort(
		arr timestamp[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_sort'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_sort(timestamp[], boolean, boolean) IS
	'elements in order, as ORDER BY has it';

CREATE FUNCTION gpu_sort(
		arr timestamptz[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_sort'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_sort(timestamptz[], boolean, boolean) IS
	'elements in order, as ORDER BY has it';

CREATE FUNCTION gpu_argsort(
		arr date[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_argsort'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_argsort(date[], boolean, boolean) IS
	'positions of the elements in order, of equals by position';

CREATE FUNCTION gpu_argsort(
		arr timestamp[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_argsort'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_argsort(timestamp[], boolean, boolean) IS
	'positions of the elements in order, of equals by position';

CREATE FUNCTION gpu_argsort(
		arr timestamptz[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_argsort'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_argsort(timestamptz[], boolean, boolean) IS
	'positions of the elements in order, of equals by position';

CREATE FUNCTION gpu_rank(
		arr date[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_rank'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_rank(date[], boolean, boolean) IS
	'rank of each element in order, the same for equals';

CREATE FUNCTION gpu_rank(
		arr timestamp[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_rank'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_rank(timestamp[], boolean, boolean) IS
	'rank of each element in order, the same for equals';

CREATE FUNCTION gpu_rank(
		arr timestamptz[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_rank'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_rank(timestamptz[], boolean, boolean) IS
	'rank of each element in order, the same for equals';

CREATE FUNCTION gpu_dense_rank(
		arr date[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_dense_rank'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_dense_rank(date[], boolean, boolean) IS
	'rank of each element in order, without gaps';

CREATE FUNCTION gpu_dense_rank(
		arr timestamp[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_dense_rank'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_dense_rank(timestamp[], boolean, boolean) IS
	'rank of each element in order, without gaps';

CREATE FUNCTION gpu_dense_rank(
		arr timestamptz[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_dense_rank'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_dense_rank(timestamptz[], boolean, boolean) IS
	'rank of each element in order, without gaps';

CREATE FUNCTION gpu_cume_dist(
		arr date[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cume_dist'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cume_dist(date[], boolean, boolean) IS
	'share of the elements up to each in order, with its equals';

CREATE FUNCTION gpu_cume_dist(
		arr timestamp[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cume_dist'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cume_dist(timestamp[], boolean, boolean) IS
	'share of the elements up to each in order, with its equals';

CREATE FUNCTION gpu_cume_dist(
		arr timestamptz[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_cume_dist'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_cume_dist(timestamptz[], boolean, boolean) IS
	'share of the elements up to each in order, with its equals';

CREATE FUNCTION gpu_ntile(
		arr date[], n integer, descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_ntile'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ntile(date[], integer, boolean, boolean) IS
	'which of n buckets of equal size, in order, each element is in';

CREATE FUNCTION gpu_ntile(
		arr timestamp[], n integer, descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_ntile'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ntile(timestamp[], integer, boolean, boolean) IS
	'which of n buckets of equal size, in order, each element is in';

CREATE FUNCTION gpu_ntile(
		arr timestamptz[], n integer, descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_ntile'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_ntile(timestamptz[], integer, boolean, boolean) IS
	'which of n buckets of equal size, in order, each element is in';

CREATE FUNCTION gpu_topk(arr date[], k integer, largest boolean DEFAULT true)
	RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_topk'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_topk(date[], integer, boolean) IS
	'the k greatest or least elements, best first';

CREATE FUNCTION gpu_topk(arr timestamp[], k integer, largest boolean DEFAULT true)
	RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_topk'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_topk(timestamp[], integer, boolean) IS
	'the k greatest or least elements, best first';

CREATE FUNCTION gpu_topk(arr timestamptz[], k integer, largest boolean DEFAULT true)
	RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_topk'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_topk(timestamptz[], integer, boolean) IS
	'the k greatest or least elements, best first';

CREATE FUNCTION gpu_percentile_disc(arr date[], fraction double precision) RETURNS date
	AS 'MODULE_PATHNAME', 'gpu_percentile_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_disc(date[], fraction double precision) IS
	'percentile of the elements, one of them, or one for each of an array of fractions';

CREATE FUNCTION gpu_percentile_disc(arr timestamp[], fraction double precision) RETURNS timestamp
	AS 'MODULE_PATHNAME', 'gpu_percentile_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_disc(timestamp[], fraction double precision) IS
	'percentile of the elements, one of them, or one for each of an array of fractions';

CREATE FUNCTION gpu_percentile_disc(arr timestamptz[], fraction double precision) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'gpu_percentile_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_percentile_disc(timestamptz[], fraction double precision) IS
	'percentile of the elements, one of them, or one for each of an array of fractions';

CREATE FUNCTION gpu_percentiles_disc(arr date[], fractions double precision[]) RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_percentiles_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_percentiles_disc(date[], fractions double precision[]) IS
	'percentiles of the elements, each one of them';

CREATE FUNCTION gpu_percentiles_disc(arr timestamp[], fractions double precision[]) RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_percentiles_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_percentiles_disc(timestamp[], fractions double precision[]) IS
	'percentiles of the elements, each one of them';

CREATE FUNCTION gpu_percentiles_disc(arr timestamptz[], fractions double precision[]) RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_percentiles_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_percentiles_disc(timestamptz[], fractions double precision[]) IS
	'percentiles of the elements, each one of them';

CREATE FUNCTION gpu_value_counts(arr date[])
	RETURNS TABLE (value date, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_value_counts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_value_counts(date[]) IS
	'different elements in order, and how often each is there';

CREATE FUNCTION gpu_value_counts(arr timestamp[])
	RETURNS TABLE (value timestamp, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_value_counts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_value_counts(timestamp[]) IS
	'different elements in order, and how often each is there';

CREATE FUNCTION gpu_value_counts(arr timestamptz[])
	RETURNS TABLE (value timestamptz, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_value_counts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_value_counts(timestamptz[]) IS
	'different elements in order, and how often each is there';

CREATE FUNCTION gpu_diff(arr date[], first text DEFAULT 'null')
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_diff'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_diff(date[], text) IS
	'each element less the one before it';

CREATE FUNCTION gpu_diff(arr timestamp[], first text DEFAULT 'null')
	RETURNS interval[]
	AS 'MODULE_PATHNAME', 'gpu_diff'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_diff(timestamp[], text) IS
	'each element less the one before it';

CREATE FUNCTION gpu_diff(arr timestamptz[], first text DEFAULT 'null')
	RETURNS interval[]
	AS 'MODULE_PATHNAME', 'gpu_diff'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_diff(timestamptz[], text) IS
	'each element less the one before it';

CREATE FUNCTION gpu_unique(arr date[]) RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_unique'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_unique(date[]) IS
	'runs of equal neighbours made one';

CREATE FUNCTION gpu_unique(arr timestamp[]) RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_unique'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_unique(timestamp[]) IS
	'runs of equal neighbours made one';

CREATE FUNCTION gpu_unique(arr timestamptz[]) RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_unique'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_unique(timestamptz[]) IS
	'runs of equal neighbours made one';

CREATE FUNCTION gpu_rle(arr date[])
	RETURNS TABLE (value date, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_rle_any'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_rle(date[]) IS
	'runs of equal neighbours: the element, and how many';

CREATE FUNCTION gpu_rle(arr timestamp[])
	RETURNS TABLE (value timestamp, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_rle_any'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_rle(timestamp[]) IS
	'runs of equal neighbours: the element, and how many';

CREATE FUNCTION gpu_rle(arr timestamptz[])
	RETURNS TABLE (value timestamptz, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_rle_any'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_rle(timestamptz[]) IS
	'runs of equal neighbours: the element, and how many';

CREATE FUNCTION gpu_searchsorted(edges date[], arr date[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_searchsorted(date[], date[]) IS
	'how many of the sorted edges are not above each element';

CREATE FUNCTION gpu_searchsorted(edges timestamp[], arr timestamp[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_searchsorted(timestamp[], timestamp[]) IS
	'how many of the sorted edges are not above each element';

CREATE FUNCTION gpu_searchsorted(edges timestamptz[], arr timestamptz[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_searchsorted(timestamptz[], timestamptz[]) IS
	'how many of the sorted edges are not above each element';

CREATE FUNCTION gpu_searchsorted(edges date[], arr date[], side text)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_searchsorted(date[], date[], text) IS
	'how many of the sorted edges are not above each element';

CREATE FUNCTION gpu_searchsorted(edges timestamp[], arr timestamp[], side text)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_searchsorted(timestamp[], timestamp[], text) IS
	'how many of the sorted edges are not above each element';

CREATE FUNCTION gpu_searchsorted(edges timestamptz[], arr timestamptz[], side text)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_searchsorted(timestamptz[], timestamptz[], text) IS
	'how many of the sorted edges are not above each element';

CREATE FUNCTION gpu_transpose(arr date[])
	RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_transpose'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_transpose(date[]) IS
	'rows and columns exchanged';

CREATE FUNCTION gpu_transpose(arr timestamp[])
	RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_transpose'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_transpose(timestamp[]) IS
	'rows and columns exchanged';

CREATE FUNCTION gpu_transpose(arr timestamptz[])
	RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_transpose'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_transpose(timestamptz[]) IS
	'rows and columns exchanged';

CREATE FUNCTION gpu_clip(arr date[], low date, high date) RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_clip'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_clip(date[], date, date) IS
	'elements, but those beyond a bound become it';

CREATE FUNCTION gpu_clip(arr timestamp[], low timestamp, high timestamp) RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_clip'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_clip(timestamp[], timestamp, timestamp) IS
	'elements, but those beyond a bound become it';

CREATE FUNCTION gpu_clip(arr timestamptz[], low timestamptz, high timestamptz) RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_clip'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_clip(timestamptz[], timestamptz, timestamptz) IS
	'elements, but those beyond a bound become it';

CREATE FUNCTION gpu_compare(arr date[], op text, bound date)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_compare_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compare(date[], text, date) IS
	'whether each element compares true with the bound, or with that of another array';

CREATE FUNCTION gpu_between(arr date[], low date, high date)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_between_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_between(date[], date, date) IS
	'whether each element lies between the bounds, or equals one';

CREATE FUNCTION gpu_compare(arr timestamp[], op text, bound timestamp)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_compare_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compare(timestamp[], text, timestamp) IS
	'whether each element compares true with the bound, or with that of another array';

CREATE FUNCTION gpu_between(arr timestamp[], low timestamp, high timestamp)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_between_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_between(timestamp[], timestamp, timestamp) IS
	'whether each element lies between the bounds, or equals one';

CREATE FUNCTION gpu_compare(arr timestamptz[], op text, bound timestamptz)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_compare_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compare(timestamptz[], text, timestamptz) IS
	'whether each element compares true with the bound, or with that of another array';

CREATE FUNCTION gpu_between(arr timestamptz[], low timestamptz, high timestamptz)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_between_time'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_between(timestamptz[], timestamptz, timestamptz) IS
	'whether each element lies between the bounds, or equals one';

CREATE FUNCTION gpu_compare(a anycompatiblearray, op text, b anycompatiblearray)
	RETURNS boolean[]
	AS 'MODULE_PATHNAME', 'gpu_compare_any'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_compare(anycompatiblearray, text, anycompatiblearray) IS
	'whether each element compares true with the bound, or with that of another array';

CREATE FUNCTION gpu_if(condition boolean[], a date[], b date[]) RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_if'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], date[], date[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a timestamp[], b timestamp[]) RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_if'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], timestamp[], timestamp[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a timestamptz[], b timestamptz[]) RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_if'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], timestamptz[], timestamptz[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a date[], b date) RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_if_array_value'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], date[], date) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a timestamp[], b timestamp) RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_if_array_value'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], timestamp[], timestamp) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a timestamptz[], b timestamptz) RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_if_array_value'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], timestamptz[], timestamptz) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a date, b date[]) RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_if_value_array'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], date, date[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a timestamp, b timestamp[]) RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_if_value_array'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], timestamp, timestamp[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a timestamptz, b timestamptz[]) RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_if_value_array'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], timestamptz, timestamptz[]) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a date, b date) RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_if_values'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], date, date) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a timestamp, b timestamp) RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_if_values'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], timestamp, timestamp) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_if(condition boolean[], a timestamptz, b timestamptz) RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_if_values'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_if(boolean[], timestamptz, timestamptz) IS
	'one value where the condition is true, another where it is not';

CREATE FUNCTION gpu_asof(times date[], at date[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_asof'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_asof(date[], date[]) IS
	'position of the last of ascending times that is not above each element';

CREATE FUNCTION gpu_asof(times timestamp[], at timestamp[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_asof'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_asof(timestamp[], timestamp[]) IS
	'position of the last of ascending times that is not above each element';

CREATE FUNCTION gpu_asof(times timestamptz[], at timestamptz[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_asof'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_asof(timestamptz[], timestamptz[]) IS
	'position of the last of ascending times that is not above each element';


CREATE FUNCTION _gpu_topk_merge(bytea, bytea) RETURNS bytea
	AS 'MODULE_PATHNAME', 'gpu_topk_merge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION _gpu_topk_merge(bytea, bytea) IS
	'add the values of another state';
REVOKE EXECUTE ON FUNCTION _gpu_topk_merge(bytea, bytea) FROM PUBLIC;

CREATE FUNCTION _gpu_topk_collect(bytea, anynonarray, integer) RETURNS bytea
	AS 'MODULE_PATHNAME', 'gpu_topk_collect'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_topk_collect(bytea, anynonarray, integer) IS
	'add a value to a state';
REVOKE EXECUTE ON FUNCTION
	_gpu_topk_collect(bytea, anynonarray, integer)
	FROM PUBLIC;

CREATE FUNCTION _gpu_topk_final(bytea, anynonarray, integer) RETURNS anyarray
	AS 'MODULE_PATHNAME', 'gpu_topk_final'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION _gpu_topk_final(bytea, anynonarray, integer) IS
	'values of a state, best first';
REVOKE EXECUTE ON FUNCTION
	_gpu_topk_final(bytea, anynonarray, integer)
	FROM PUBLIC;

CREATE AGGREGATE gpu_topk(anynonarray, integer)
(
	SFUNC = _gpu_topk_collect,
	STYPE = bytea,
	SSPACE = 256,
	FINALFUNC = _gpu_topk_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_topk_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_topk(anynonarray, integer) IS
	'the k greatest or least values, best first';

CREATE FUNCTION _gpu_topk_collect(bytea, anynonarray, integer, boolean) RETURNS bytea
	AS 'MODULE_PATHNAME', 'gpu_topk_collect'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_topk_collect(bytea, anynonarray, integer, boolean) IS
	'add a value to a state';
REVOKE EXECUTE ON FUNCTION
	_gpu_topk_collect(bytea, anynonarray, integer, boolean)
	FROM PUBLIC;

CREATE FUNCTION _gpu_topk_final(bytea, anynonarray, integer, boolean) RETURNS anyarray
	AS 'MODULE_PATHNAME', 'gpu_topk_final'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION _gpu_topk_final(bytea, anynonarray, integer, boolean) IS
	'values of a state, best first';
REVOKE EXECUTE ON FUNCTION
	_gpu_topk_final(bytea, anynonarray, integer, boolean)
	FROM PUBLIC;

CREATE AGGREGATE gpu_topk(anynonarray, integer, boolean)
(
	SFUNC = _gpu_topk_collect,
	STYPE = bytea,
	SSPACE = 256,
	FINALFUNC = _gpu_topk_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_topk_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_topk(anynonarray, integer, boolean) IS
	'the k greatest or least values, best first';

CREATE FUNCTION _gpuscan_numeric_aggregate(numeric, numeric, anyelement)
	RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_column_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpuscan_numeric_aggregate(numeric, numeric, anyelement) IS
	'not supported: cast the argument to another type';
REVOKE EXECUTE ON FUNCTION _gpuscan_numeric_aggregate(numeric, numeric, anyelement) FROM PUBLIC;


CREATE FUNCTION _gpu_argmin_add(internal, "any", anyelement) RETURNS internal
	AS 'MODULE_PATHNAME', 'gpu_argmin_add'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_argmin_add(internal, "any", anyelement) IS
	'look at a row';
REVOKE EXECUTE ON FUNCTION _gpu_argmin_add(internal, "any", anyelement) FROM PUBLIC;

CREATE FUNCTION _gpu_argmax_add(internal, "any", anyelement) RETURNS internal
	AS 'MODULE_PATHNAME', 'gpu_argmax_add'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_argmax_add(internal, "any", anyelement) IS
	'look at a row';
REVOKE EXECUTE ON FUNCTION _gpu_argmax_add(internal, "any", anyelement) FROM PUBLIC;

CREATE FUNCTION _gpu_arg_merge(internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'gpu_arg_merge'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_arg_merge(internal, internal) IS
	'look at another state';
REVOKE EXECUTE ON FUNCTION _gpu_arg_merge(internal, internal) FROM PUBLIC;

CREATE FUNCTION _gpu_arg_final(internal, "any", anyelement) RETURNS anyelement
	AS 'MODULE_PATHNAME', 'gpu_arg_final'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_arg_final(internal, "any", anyelement) IS
	'payload of a state';
REVOKE EXECUTE ON FUNCTION _gpu_arg_final(internal, "any", anyelement) FROM PUBLIC;

CREATE FUNCTION _gpu_arg_serialize(internal) RETURNS bytea
	AS 'MODULE_PATHNAME', 'gpu_arg_serialize'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_arg_serialize(internal) IS
	'a state for another process of this server';
REVOKE EXECUTE ON FUNCTION _gpu_arg_serialize(internal) FROM PUBLIC;

CREATE FUNCTION _gpu_arg_deserialize(bytea, internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'gpu_arg_deserialize'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_arg_deserialize(bytea, internal) IS
	'a state of another process';
REVOKE EXECUTE ON FUNCTION _gpu_arg_deserialize(bytea, internal) FROM PUBLIC;

CREATE AGGREGATE gpu_argmin(smallint, anyelement)
(
	SFUNC = _gpu_argmin_add,
	STYPE = internal,
	SSPACE = 64,
	FINALFUNC = _gpu_arg_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_arg_merge,
	SERIALFUNC = _gpu_arg_serialize,
	DESERIALFUNC = _gpu_arg_deserialize,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmin(smallint, anyelement) IS
	'payload where the value is least, the least of several';

CREATE AGGREGATE gpu_argmin(integer, anyelement)
(
	SFUNC = _gpu_argmin_add,
	STYPE = internal,
	SSPACE = 64,
	FINALFUNC = _gpu_arg_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_arg_merge,
	SERIALFUNC = _gpu_arg_serialize,
	DESERIALFUNC = _gpu_arg_deserialize,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmin(integer, anyelement) IS
	'payload where the value is least, the least of several';

CREATE AGGREGATE gpu_argmin(bigint, anyelement)
(
	SFUNC = _gpu_argmin_add,
	STYPE = internal,
	SSPACE = 64,
	FINALFUNC = _gpu_arg_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_arg_merge,
	SERIALFUNC = _gpu_arg_serialize,
	DESERIALFUNC = _gpu_arg_deserialize,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmin(bigint, anyelement) IS
	'payload where the value is least, the least of several';

CREATE AGGREGATE gpu_argmin(real, anyelement)
(
	SFUNC = _gpu_argmin_add,
	STYPE = internal,
	SSPACE = 64,
	FINALFUNC = _gpu_arg_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_arg_merge,
	SERIALFUNC = _gpu_arg_serialize,
	DESERIALFUNC = _gpu_arg_deserialize,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmin(real, anyelement) IS
	'payload where the value is least, the least of several';

CREATE AGGREGATE gpu_argmin(double precision, anyelement)
(
	SFUNC = _gpu_argmin_add,
	STYPE = internal,
	SSPACE = 64,
	FINALFUNC = _gpu_arg_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_arg_merge,
	SERIALFUNC = _gpu_arg_serialize,
	DESERIALFUNC = _gpu_arg_deserialize,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmin(double precision, anyelement) IS
	'payload where the value is least, the least of several';

CREATE AGGREGATE gpu_argmin(numeric, anyelement)
(
	SFUNC = _gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmin(numeric, anyelement) IS
	'not supported: cast the argument to another type';

CREATE AGGREGATE gpu_argmax(smallint, anyelement)
(
	SFUNC = _gpu_argmax_add,
	STYPE = internal,
	SSPACE = 64,
	FINALFUNC = _gpu_arg_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_arg_merge,
	SERIALFUNC = _gpu_arg_serialize,
	DESERIALFUNC = _gpu_arg_deserialize,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmax(smallint, anyelement) IS
	'payload where the value is greatest, the least of several';

CREATE AGGREGATE gpu_argmax(integer, anyelement)
(
	SFUNC = _gpu_argmax_add,
	STYPE = internal,
	SSPACE = 64,
	FINALFUNC = _gpu_arg_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_arg_merge,
	SERIALFUNC = _gpu_arg_serialize,
	DESERIALFUNC = _gpu_arg_deserialize,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmax(integer, anyelement) IS
	'payload where the value is greatest, the least of several';

CREATE AGGREGATE gpu_argmax(bigint, anyelement)
(
	SFUNC = _gpu_argmax_add,
	STYPE = internal,
	SSPACE = 64,
	FINALFUNC = _gpu_arg_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_arg_merge,
	SERIALFUNC = _gpu_arg_serialize,
	DESERIALFUNC = _gpu_arg_deserialize,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmax(bigint, anyelement) IS
	'payload where the value is greatest, the least of several';

CREATE AGGREGATE gpu_argmax(real, anyelement)
(
	SFUNC = _gpu_argmax_add,
	STYPE = internal,
	SSPACE = 64,
	FINALFUNC = _gpu_arg_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_arg_merge,
	SERIALFUNC = _gpu_arg_serialize,
	DESERIALFUNC = _gpu_arg_deserialize,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmax(real, anyelement) IS
	'payload where the value is greatest, the least of several';

CREATE AGGREGATE gpu_argmax(double precision, anyelement)
(
	SFUNC = _gpu_argmax_add,
	STYPE = internal,
	SSPACE = 64,
	FINALFUNC = _gpu_arg_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_arg_merge,
	SERIALFUNC = _gpu_arg_serialize,
	DESERIALFUNC = _gpu_arg_deserialize,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmax(double precision, anyelement) IS
	'payload where the value is greatest, the least of several';

CREATE AGGREGATE gpu_argmax(numeric, anyelement)
(
	SFUNC = _gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmax(numeric, anyelement) IS
	'not supported: cast the argument to another type';

CREATE FUNCTION _gpuscan_numeric_aggregate(numeric, numeric, numeric, double precision, double precision, integer, double precision, double precision, integer)
	RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_column_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpuscan_numeric_aggregate(numeric, numeric, numeric, double precision, double precision, integer, double precision, double precision, integer) IS
	'not supported: cast the argument to another type';
REVOKE EXECUTE ON FUNCTION _gpuscan_numeric_aggregate(numeric, numeric, numeric, double precision, double precision, integer, double precision, double precision, integer) FROM PUBLIC;


/*
 * Pairs by the buckets of both.
 */

CREATE FUNCTION gpu_histogram2d(
		x smallint[], y smallint[], x_low double precision,
		x_high double precision, x_buckets integer, y_low double precision,
		y_high double precision, y_buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram2d'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram2d(smallint[], smallint[], double precision, double precision, integer, double precision, double precision, integer) IS
	'counts of pairs by buckets of equal width of both';

CREATE FUNCTION gpu_histogram2d(
		x integer[], y integer[], x_low double precision,
		x_high double precision, x_buckets integer, y_low double precision,
		y_high double precision, y_buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram2d'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram2d(integer[], integer[], double precision, double precision, integer, double precision, double precision, integer) IS
	'counts of pairs by buckets of equal width of both';

CREATE FUNCTION gpu_histogram2d(
		x bigint[], y bigint[], x_low double precision,
		x_high double precision, x_buckets integer, y_low double precision,
		y_high double precision, y_buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram2d'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram2d(bigint[], bigint[], double precision, double precision, integer, double precision, double precision, integer) IS
	'counts of pairs by buckets of equal width of both';

CREATE FUNCTION gpu_histogram2d(
		x real[], y real[], x_low double precision,
		x_high double precision, x_buckets integer, y_low double precision,
		y_high double precision, y_buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram2d'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram2d(real[], real[], double precision, double precision, integer, double precision, double precision, integer) IS
	'counts of pairs by buckets of equal width of both';

CREATE FUNCTION gpu_histogram2d(
		x double precision[], y double precision[], x_low double precision,
		x_high double precision, x_buckets integer, y_low double precision,
		y_high double precision, y_buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram2d'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_histogram2d(double precision[], double precision[], double precision, double precision, integer, double precision, double precision, integer) IS
	'counts of pairs by buckets of equal width of both';

CREATE FUNCTION gpu_histogram2d(
		x numeric[], y numeric[], x_low double precision,
		x_high double precision, x_buckets integer, y_low double precision,
		y_high double precision, y_buckets integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_histogram2d(numeric[], numeric[], double precision, double precision, integer, double precision, double precision, integer) IS
	'not supported: cast the array to another type';

CREATE FUNCTION _gpu_histogram2d_add(bigint[], double precision, double precision, double precision, double precision, integer, double precision, double precision, integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram2d_add'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_histogram2d_add(bigint[], double precision, double precision, double precision, double precision, integer, double precision, double precision, integer) IS
	'count a pair';
REVOKE EXECUTE ON FUNCTION
	_gpu_histogram2d_add(bigint[], double precision, double precision, double precision, double precision, integer, double precision, double precision, integer)
	FROM PUBLIC;

CREATE FUNCTION _gpu_histogram2d_merge(bigint[], bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram2d_merge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_histogram2d_merge(bigint[], bigint[]) IS
	'add the counts of another state';
REVOKE EXECUTE ON FUNCTION _gpu_histogram2d_merge(bigint[], bigint[]) FROM PUBLIC;

CREATE FUNCTION _gpu_histogram2d_final(bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram2d_final'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_histogram2d_final(bigint[]) IS 'counts of a state';
REVOKE EXECUTE ON FUNCTION _gpu_histogram2d_final(bigint[]) FROM PUBLIC;

CREATE AGGREGATE gpu_histogram2d(double precision, double precision, double precision, double precision, integer, double precision, double precision, integer)
(
	SFUNC = _gpu_histogram2d_add,
	STYPE = bigint[],
	SSPACE = 1024,
	FINALFUNC = _gpu_histogram2d_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_histogram2d_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_histogram2d(double precision, double precision, double precision, double precision, integer, double precision, double precision, integer) IS
	'counts of pairs by buckets of equal width of both';

CREATE AGGREGATE gpu_histogram2d(numeric, numeric, double precision, double precision, integer, double precision, double precision, integer)
(
	SFUNC = _gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_histogram2d(numeric, numeric, double precision, double precision, integer, double precision, double precision, integer) IS
	'not supported: cast the argument to another type';

/* Nested calls as one. */
CREATE FUNCTION _gpu_chain_smallint(chain text, VARIADIC arguments "any") RETURNS smallint
	AS 'MODULE_PATHNAME', 'gpu_chain'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION _gpu_chain_smallint(text, "any") IS
	'result of nested calls, which the planner has made one';

CREATE FUNCTION _gpu_chain_integer(chain text, VARIADIC arguments "any") RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_chain'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION _gpu_chain_integer(text, "any") IS
	'result of nested calls, which the planner has made one';

CREATE FUNCTION _gpu_chain_bigint(chain text, VARIADIC arguments "any") RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_chain'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION _gpu_chain_bigint(text, "any") IS
	'result of nested calls, which the planner has made one';

CREATE FUNCTION _gpu_chain_numeric(chain text, VARIADIC arguments "any") RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_chain'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION _gpu_chain_numeric(text, "any") IS
	'result of nested calls, which the planner has made one';

CREATE FUNCTION _gpu_chain_real(chain text, VARIADIC arguments "any") RETURNS real
	AS 'MODULE_PATHNAME', 'gpu_chain'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION _gpu_chain_real(text, "any") IS
	'result of nested calls, which the planner has made one';

CREATE FUNCTION _gpu_chain_double(chain text, VARIADIC arguments "any") RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_chain'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION _gpu_chain_double(text, "any") IS
	'result of nested calls, which the planner has made one';

-- Weights by bucket

CREATE FUNCTION gpu_weighted_histogram(
		arr smallint[], weights double precision[], low double precision,
		high double precision, buckets integer)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_weighted_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_weighted_histogram(smallint[], double precision[], double precision, double precision, integer) IS
	'weights of elements by buckets of equal width, added up, exact and rounded once';

CREATE FUNCTION gpu_weighted_histogram(
		arr integer[], weights double precision[], low double precision,
		high double precision, buckets integer)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_weighted_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_weighted_histogram(integer[], double precision[], double precision, double precision, integer) IS
	'weights of elements by buckets of equal width, added up, exact and rounded once';

CREATE FUNCTION gpu_weighted_histogram(
		arr bigint[], weights double precision[], low double precision,
		high double precision, buckets integer)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_weighted_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_weighted_histogram(bigint[], double precision[], double precision, double precision, integer) IS
	'weights of elements by buckets of equal width, added up, exact and rounded once';

CREATE FUNCTION gpu_weighted_histogram(
		arr real[], weights double precision[], low double precision,
		high double precision, buckets integer)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_weighted_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_weighted_histogram(real[], double precision[], double precision, double precision, integer) IS
	'weights of elements by buckets of equal width, added up, exact and rounded once';

CREATE FUNCTION gpu_weighted_histogram(
		arr double precision[], weights double precision[], low double precision,
		high double precision, buckets integer)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_weighted_histogram'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 10000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_weighted_histogram(double precision[], double precision[], double precision, double precision, integer) IS
	'weights of elements by buckets of equal width, added up, exact and rounded once';

CREATE FUNCTION gpu_weighted_histogram(
		arr numeric[], weights double precision[], low double precision,
		high double precision, buckets integer)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_weighted_histogram(numeric[], double precision[], double precision, double precision, integer) IS
	'not supported: cast the array to another type';

CREATE FUNCTION _gpuscan_numeric_aggregate(numeric, numeric, double precision, double precision, double precision, integer)
	RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpuscan_numeric_column_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpuscan_numeric_aggregate(numeric, numeric, double precision, double precision, double precision, integer) IS
	'not supported: cast the argument to another type';
REVOKE EXECUTE ON FUNCTION _gpuscan_numeric_aggregate(numeric, numeric, double precision, double precision, double precision, integer) FROM PUBLIC;

CREATE FUNCTION _gpu_weighted_histogram_add(internal, double precision, double precision, double precision, double precision, integer)
	RETURNS internal
	AS 'MODULE_PATHNAME', 'gpu_weighted_histogram_add'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_weighted_histogram_add(internal, double precision, double precision, double precision, double precision, integer) IS
	'add a weight';
REVOKE EXECUTE ON FUNCTION _gpu_weighted_histogram_add(internal, double precision, double precision, double precision, double precision, integer) FROM PUBLIC;

CREATE FUNCTION _gpu_weighted_histogram_merge(internal, internal)
	RETURNS internal
	AS 'MODULE_PATHNAME', 'gpu_weighted_histogram_merge'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_weighted_histogram_merge(internal, internal) IS
	'add the weights of another state';
REVOKE EXECUTE ON FUNCTION _gpu_weighted_histogram_merge(internal, internal) FROM PUBLIC;

CREATE FUNCTION _gpu_weighted_histogram_serialize(internal)
	RETURNS bytea
	AS 'MODULE_PATHNAME', 'gpu_weighted_histogram_serialize'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_weighted_histogram_serialize(internal) IS
	'a state for another process of this server';
REVOKE EXECUTE ON FUNCTION _gpu_weighted_histogram_serialize(internal) FROM PUBLIC;

CREATE FUNCTION _gpu_weighted_histogram_deserialize(bytea, internal)
	RETURNS internal
	AS 'MODULE_PATHNAME', 'gpu_weighted_histogram_deserialize'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_weighted_histogram_deserialize(bytea, internal) IS
	'a state of another process';
REVOKE EXECUTE ON FUNCTION _gpu_weighted_histogram_deserialize(bytea, internal) FROM PUBLIC;

CREATE FUNCTION _gpu_weighted_histogram_final(internal)
	RETURNS double precision[]
	AS 'MODULE_PATHNAME', 'gpu_weighted_histogram_final'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_weighted_histogram_final(internal) IS
	'sums of a state';
REVOKE EXECUTE ON FUNCTION _gpu_weighted_histogram_final(internal) FROM PUBLIC;

CREATE AGGREGATE gpu_weighted_histogram(v double precision, w double precision, low double precision, high double precision, buckets integer)
(
	SFUNC = _gpu_weighted_histogram_add,
	STYPE = internal,
	SSPACE = 1024,
	FINALFUNC = _gpu_weighted_histogram_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_weighted_histogram_merge,
	SERIALFUNC = _gpu_weighted_histogram_serialize,
	DESERIALFUNC = _gpu_weighted_histogram_deserialize,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_weighted_histogram(double precision, double precision, double precision, double precision, integer) IS
	'weights of values by buckets of equal width, added up, exact and rounded once';

CREATE AGGREGATE gpu_weighted_histogram(v numeric, w double precision, low double precision, high double precision, buckets integer)
(
	SFUNC = _gpuscan_numeric_aggregate,
	STYPE = numeric,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_weighted_histogram(numeric, double precision, double precision, double precision, integer) IS
	'not supported: cast the argument to another type';

-- Arrays of numeric, which 1.0 refused

CREATE OR REPLACE FUNCTION gpu_count(arr numeric[])
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION gpu_count(numeric[]) IS
	'number of elements that are not null';

CREATE OR REPLACE FUNCTION gpu_min(arr numeric[])
	RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_min_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_min(numeric[]) IS
	'least element';

CREATE OR REPLACE FUNCTION gpu_max(arr numeric[])
	RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_max_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_max(numeric[]) IS
	'greatest element';

CREATE OR REPLACE FUNCTION gpu_argmin(arr numeric[])
	RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmin_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_argmin(numeric[]) IS
	'position of the first least element';

CREATE OR REPLACE FUNCTION gpu_argmax(arr numeric[])
	RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_argmax_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_argmax(numeric[]) IS
	'position of the first greatest element';

CREATE OR REPLACE FUNCTION gpu_sum(arr numeric[])
	RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_sum_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_sum(numeric[]) IS
	'sum of the elements, exact and rounded once';

CREATE OR REPLACE FUNCTION gpu_avg(arr numeric[])
	RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_avg_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION gpu_avg(numeric[]) IS
	'mean of the elements, exact and rounded once';

CREATE OR REPLACE FUNCTION gpu_var_pop(arr numeric[])
	RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_var_pop_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_var_pop(numeric[]) IS
	'population variance of the elements';

CREATE OR REPLACE FUNCTION gpu_var_samp(arr numeric[])
	RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_var_samp_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_var_samp(numeric[]) IS
	'sample variance of the elements';

CREATE OR REPLACE FUNCTION gpu_variance(arr numeric[])
	RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_variance_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_variance(numeric[]) IS
	'sample variance of the elements';

CREATE OR REPLACE FUNCTION gpu_stddev_pop(arr numeric[])
	RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev_pop_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev_pop(numeric[]) IS
	'population standard deviation of the elements';

CREATE OR REPLACE FUNCTION gpu_stddev_samp(arr numeric[])
	RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev_samp_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev_samp(numeric[]) IS
	'sample standard deviation of the elements';

CREATE OR REPLACE FUNCTION gpu_stddev(arr numeric[])
	RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_stddev_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_stddev(numeric[]) IS
	'sample standard deviation of the elements';

CREATE OR REPLACE FUNCTION gpu_cumsum(
		arr numeric[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_cumsum_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumsum(numeric[], boolean, integer, boolean[]) IS
	'running sum, exact and rounded once at every element';

CREATE OR REPLACE FUNCTION gpu_cumcount(
		arr numeric[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumcount_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cumcount(numeric[], boolean, integer, boolean[]) IS
	'running number of elements that are not null';

CREATE OR REPLACE FUNCTION gpu_cummin(
		arr numeric[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_cummin_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cummin(numeric[], boolean, integer, boolean[]) IS
	'least element so far';

CREATE OR REPLACE FUNCTION gpu_cummax(
		arr numeric[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL,
		heads boolean[] DEFAULT NULL)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_cummax_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_cummax(numeric[], boolean, integer, boolean[]) IS
	'greatest element so far';

CREATE OR REPLACE FUNCTION gpu_compact(arr numeric[], keep boolean[])
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_compact_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_compact(numeric[], boolean[]) IS
	'elements whose keep is true, in order';

CREATE OR REPLACE FUNCTION gpu_mode(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_mode_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_mode(numeric[]) IS
	'most frequent element, the least of several';

CREATE OR REPLACE FUNCTION gpu_count_distinct(arr numeric[]) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_count_distinct_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_count_distinct(numeric[]) IS
	'number of different elements';

CREATE OR REPLACE FUNCTION gpu_distinct(arr numeric[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_distinct_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_distinct(numeric[]) IS
	'different elements in order';

CREATE OR REPLACE FUNCTION gpu_sort(
		arr numeric[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_sort_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_sort(numeric[], boolean, boolean) IS
	'elements in order, as ORDER BY has it';

CREATE OR REPLACE FUNCTION gpu_argsort(
		arr numeric[], descending boolean DEFAULT false,
		nulls_first boolean DEFAULT NULL) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_argsort_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_argsort(numeric[], boolean, boolean) IS
	'positions of the elements in order, of equals by position';

CREATE OR REPLACE FUNCTION gpu_topk(arr numeric[], k integer, largest boolean DEFAULT true)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_topk_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_topk(numeric[], integer, boolean) IS
	'the k greatest or least elements, best first';

CREATE OR REPLACE FUNCTION gpu_percentile_disc(arr numeric[], fraction double precision) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_percentile_disc_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_percentile_disc(numeric[], fraction double precision) IS
	'percentile of the elements, one of them, or one for each of an array of fractions';

CREATE OR REPLACE FUNCTION gpu_percentiles_disc(arr numeric[], fractions double precision[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_percentiles_disc_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_percentiles_disc(numeric[], fractions double precision[]) IS
	'percentiles of the elements, each one of them';

CREATE OR REPLACE FUNCTION gpu_unique(arr numeric[]) RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_unique_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_unique(numeric[]) IS
	'runs of equal neighbours made one';

CREATE OR REPLACE FUNCTION gpu_searchsorted(edges numeric[], arr numeric[])
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_searchsorted_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_searchsorted(numeric[], numeric[]) IS
	'how many of the sorted edges are not above each element';

CREATE OR REPLACE FUNCTION gpu_transpose(arr numeric[])
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_transpose_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_transpose(numeric[]) IS
	'rows and columns exchanged';

CREATE OR REPLACE FUNCTION gpu_dot(a numeric[], b numeric[])
	RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_dot_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION gpu_dot(numeric[], numeric[]) IS
	'sum of the products of elements, exact and rounded once';

CREATE OR REPLACE FUNCTION gpu_asum(arr numeric[]) RETURNS numeric
	AS 'MODULE_PATHNAME', 'gpu_asum_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_asum(numeric[]) IS
	'sum of magnitudes, exact and rounded once';

DROP FUNCTION _gpu_segment_sum_heads(numeric[], boolean[]);
CREATE FUNCTION _gpu_segment_sum_heads(arr numeric[], heads boolean[])
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_segment_sum_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION _gpu_segment_sum_heads(numeric[], boolean[]) IS
	'gpu_segment_sum of 1.0, for views that were made with it';

CREATE OR REPLACE FUNCTION _gpu_segment_avg_heads(arr numeric[], heads boolean[])
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_segment_avg_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION _gpu_segment_avg_heads(numeric[], boolean[]) IS
	'gpu_segment_avg of 1.0, for views that were made with it';

CREATE OR REPLACE FUNCTION _gpu_segment_min_heads(arr numeric[], heads boolean[])
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_segment_min_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION _gpu_segment_min_heads(numeric[], boolean[]) IS
	'gpu_segment_min of 1.0, for views that were made with it';

CREATE OR REPLACE FUNCTION _gpu_segment_max_heads(arr numeric[], heads boolean[])
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_segment_max_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION _gpu_segment_max_heads(numeric[], boolean[]) IS
	'gpu_segment_max of 1.0, for views that were made with it';

CREATE OR REPLACE FUNCTION _gpu_segment_count_heads(arr numeric[], heads boolean[])
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_count_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 3000;
COMMENT ON FUNCTION _gpu_segment_count_heads(numeric[], boolean[]) IS
	'gpu_segment_count of 1.0, for views that were made with it';

DROP FUNCTION gpu_moving_sum(numeric[], integer, integer);
CREATE FUNCTION gpu_moving_sum(arr numeric[], preceding integer, following integer DEFAULT 0)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_moving_sum_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_moving_sum(numeric[], integer, integer) IS
	'sum of a frame around each element';

CREATE OR REPLACE FUNCTION gpu_moving_avg(arr numeric[], preceding integer, following integer DEFAULT 0)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_moving_avg_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_moving_avg(numeric[], integer, integer) IS
	'mean of a frame around each element';

CREATE OR REPLACE FUNCTION gpu_moving_min(arr numeric[], preceding integer, following integer DEFAULT 0)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_moving_min_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_moving_min(numeric[], integer, integer) IS
	'least element of a frame around each';

CREATE OR REPLACE FUNCTION gpu_moving_max(arr numeric[], preceding integer, following integer DEFAULT 0)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_moving_max_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_moving_max(numeric[], integer, integer) IS
	'greatest element of a frame around each';

CREATE OR REPLACE FUNCTION gpu_moving_stddev(arr numeric[], preceding integer, following integer DEFAULT 0)
	RETURNS numeric[]
	AS 'MODULE_PATHNAME', 'gpu_moving_stddev_decimals'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_moving_stddev(numeric[], integer, integer) IS
	'sample standard deviation of a frame around each element';

CREATE OR REPLACE FUNCTION gpu_value_counts(arr numeric[])
	RETURNS TABLE (value numeric, count bigint)
	AS 'MODULE_PATHNAME', 'gpu_value_counts_decimals'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION gpu_value_counts(numeric[]) IS
	'different elements in order, and how often each is there';

CREATE FUNCTION gpu_segment_min(
		arr date[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_segment_min'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_min(date[], boolean[], integer) IS
	'least element of each segment';

CREATE FUNCTION gpu_segment_min(
		arr timestamp[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_segment_min'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_min(timestamp[], boolean[], integer) IS
	'least element of each segment';

CREATE FUNCTION gpu_segment_min(
		arr timestamptz[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_segment_min'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_min(timestamptz[], boolean[], integer) IS
	'least element of each segment';

CREATE FUNCTION gpu_segment_max(
		arr date[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_segment_max'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_max(date[], boolean[], integer) IS
	'greatest element of each segment';

CREATE FUNCTION gpu_segment_max(
		arr timestamp[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_segment_max'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_max(timestamp[], boolean[], integer) IS
	'greatest element of each segment';

CREATE FUNCTION gpu_segment_max(
		arr timestamptz[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_segment_max'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_max(timestamptz[], boolean[], integer) IS
	'greatest element of each segment';

CREATE FUNCTION gpu_segment_count(
		arr date[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_count'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_count(date[], boolean[], integer) IS
	'elements that are not null of each segment';

CREATE FUNCTION gpu_segment_count(
		arr timestamp[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_count'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_count(timestamp[], boolean[], integer) IS
	'elements that are not null of each segment';

CREATE FUNCTION gpu_segment_count(
		arr timestamptz[], heads boolean[] DEFAULT NULL, chunk integer DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_segment_count'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_segment_count(timestamptz[], boolean[], integer) IS
	'elements that are not null of each segment';

CREATE FUNCTION gpu_moving_min(arr date[], preceding integer, following integer DEFAULT 0)
	RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_moving_min'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_min(date[], integer, integer) IS
	'least element of a frame around each';

CREATE FUNCTION gpu_moving_min(arr timestamp[], preceding integer, following integer DEFAULT 0)
	RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_moving_min'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_min(timestamp[], integer, integer) IS
	'least element of a frame around each';

CREATE FUNCTION gpu_moving_min(arr timestamptz[], preceding integer, following integer DEFAULT 0)
	RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_moving_min'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_min(timestamptz[], integer, integer) IS
	'least element of a frame around each';

CREATE FUNCTION gpu_moving_max(arr date[], preceding integer, following integer DEFAULT 0)
	RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_moving_max'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_max(date[], integer, integer) IS
	'greatest element of a frame around each';

CREATE FUNCTION gpu_moving_max(arr timestamp[], preceding integer, following integer DEFAULT 0)
	RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_moving_max'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_max(timestamp[], integer, integer) IS
	'greatest element of a frame around each';

CREATE FUNCTION gpu_moving_max(arr timestamptz[], preceding integer, following integer DEFAULT 0)
	RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_moving_max'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 5000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_max(timestamptz[], integer, integer) IS
	'greatest element of a frame around each';

CREATE FUNCTION gpu_moving_percentile_disc(
		arr date[], fraction double precision, preceding integer,
		following integer DEFAULT 0) RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_moving_percentile_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_percentile_disc(date[], double precision, integer, integer) IS
	'percentile of a frame around each element, one of its elements';

CREATE FUNCTION gpu_moving_percentile_disc(
		arr timestamp[], fraction double precision, preceding integer,
		following integer DEFAULT 0) RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_moving_percentile_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_percentile_disc(timestamp[], double precision, integer, integer) IS
	'percentile of a frame around each element, one of its elements';

CREATE FUNCTION gpu_moving_percentile_disc(
		arr timestamptz[], fraction double precision, preceding integer,
		following integer DEFAULT 0) RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_moving_percentile_disc'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 20000
	SUPPORT _gpuscan_support;
COMMENT ON FUNCTION gpu_moving_percentile_disc(timestamptz[], double precision, integer, integer) IS
	'percentile of a frame around each element, one of its elements';

-- Arrays that no function takes

CREATE FUNCTION gpu_count(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_count(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_count(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_count(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_min(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_min(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_min(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_min(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_max(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_max(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_max(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_max(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_argmin(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_argmin(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_argmin(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_argmin(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_argmax(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_argmax(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_argmax(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_argmax(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_sum(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_sum(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_sum(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_sum(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_avg(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_avg(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_avg(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_avg(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_product(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_product(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_product(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_product(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_var_pop(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_var_pop(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_var_pop(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_var_pop(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_var_samp(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_var_samp(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_var_samp(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_var_samp(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_variance(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_variance(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_variance(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_variance(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_stddev_pop(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stddev_pop(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_stddev_pop(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stddev_pop(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_stddev_samp(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stddev_samp(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_stddev_samp(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stddev_samp(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_stddev(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stddev(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_stddev(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stddev(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_bit_and(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_bit_and(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_bit_and(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_bit_and(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_bit_or(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_bit_or(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_bit_or(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_bit_or(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_bit_xor(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_bit_xor(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_bit_xor(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_bit_xor(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumsum(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumsum(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumsum(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumsum(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumsum(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumsum(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumsum(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumsum(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumprod(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumprod(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumprod(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumprod(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumprod(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumprod(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumprod(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumprod(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumcount(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumcount(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumcount(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumcount(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumcount(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumcount(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumcount(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumcount(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cummin(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummin(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cummin(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummin(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cummin(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummin(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cummin(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummin(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cummax(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummax(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cummax(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummax(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cummax(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummax(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cummax(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cummax(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumbit_and(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumbit_and(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumbit_and(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumbit_and(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumbit_and(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumbit_and(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumbit_and(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumbit_and(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumbit_or(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumbit_or(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumbit_or(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumbit_or(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumbit_or(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumbit_or(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumbit_or(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumbit_or(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumbit_xor(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumbit_xor(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumbit_xor(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumbit_xor(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumbit_xor(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumbit_xor(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cumbit_xor(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cumbit_xor(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_histogram_table(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_histogram_table(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_histogram_table(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_histogram_table(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_weighted_histogram(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_weighted_histogram(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_weighted_histogram(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_weighted_histogram(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_histogram2d(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_histogram2d(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_histogram2d(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_histogram2d(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_compact(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_compact(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_compact(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_compact(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_median(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_median(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_median(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_median(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_mode(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_mode(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_mode(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_mode(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_count_distinct(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_count_distinct(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_count_distinct(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_count_distinct(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_distinct(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_distinct(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_distinct(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_distinct(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_sort(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_sort(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_sort(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_sort(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_sort(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_sort(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_sort(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_sort(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_argsort(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_argsort(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_argsort(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_argsort(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_argsort(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_argsort(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_argsort(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_argsort(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_rank(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_rank(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_rank(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_rank(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_rank(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_rank(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_rank(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_rank(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_dense_rank(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_dense_rank(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_dense_rank(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_dense_rank(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_dense_rank(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_dense_rank(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_dense_rank(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_dense_rank(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cume_dist(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cume_dist(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cume_dist(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cume_dist(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cume_dist(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cume_dist(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_cume_dist(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_cume_dist(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_ntile(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_ntile(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_ntile(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_ntile(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_topk(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_topk(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_topk(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_topk(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_percentiles_cont(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_percentiles_cont(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_percentiles_cont(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_percentiles_cont(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_percentiles_disc(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_percentiles_disc(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_percentiles_disc(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_percentiles_disc(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_value_counts(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_value_counts(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_value_counts(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_value_counts(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_diff(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_diff(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_diff(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_diff(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_diff(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_diff(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_diff(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_diff(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_unique(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_unique(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_unique(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_unique(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_rle(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_rle(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_rle(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_rle(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_searchsorted(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_searchsorted(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_searchsorted(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_searchsorted(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_transpose(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_transpose(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_transpose(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_transpose(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_add(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_add(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_add(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_add(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_subtract(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_subtract(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_subtract(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_subtract(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_multiply(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_multiply(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_multiply(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_multiply(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_divide(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_divide(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_divide(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_divide(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_abs(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_abs(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_abs(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_abs(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_negate(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_negate(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_negate(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_negate(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_round(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_round(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_round(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_round(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_round(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_round(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_round(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_round(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_sqrt(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_sqrt(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_sqrt(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_sqrt(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_exp(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_exp(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_exp(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_exp(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_ln(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_ln(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_ln(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_ln(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_power(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_power(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_power(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_power(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_clip(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_clip(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_clip(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_clip(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_asof(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_asof(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_asof(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_asof(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_pct_change(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_pct_change(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_pct_change(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_pct_change(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_ewma(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_ewma(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_ewma(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_ewma(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_dot(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_dot(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_dot(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_dot(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_asum(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_asum(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_asum(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_asum(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_norm(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_norm(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_norm(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_norm(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_covar_pop(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_covar_pop(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_covar_pop(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_covar_pop(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_covar_samp(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_covar_samp(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_covar_samp(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_covar_samp(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_corr(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_corr(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_corr(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_corr(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_regr_slope(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_regr_slope(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_regr_slope(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_regr_slope(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_regr_intercept(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_regr_intercept(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_regr_intercept(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_regr_intercept(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_regr_r2(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_regr_r2(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_regr_r2(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_regr_r2(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_sum(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_sum(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_sum(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_sum(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_sum(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_sum(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_sum(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_sum(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_avg(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_avg(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_avg(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_avg(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_avg(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_avg(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_avg(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_avg(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_min(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_min(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_min(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_min(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_min(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_min(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_min(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_min(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_max(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_max(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_max(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_max(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_max(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_max(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_max(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_max(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_count(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_count(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_count(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_count(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_count(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_count(uuid[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_segment_count(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_segment_count(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_sum(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_sum(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_sum(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_sum(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_avg(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_avg(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_avg(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_avg(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_stddev(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_stddev(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_stddev(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_stddev(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_min(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_min(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_min(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_min(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_max(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_max(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_max(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_max(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_median(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_median(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_median(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_median(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_percentile_cont(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_percentile_cont(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_percentile_cont(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_percentile_cont(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_percentile_disc(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_percentile_disc(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_percentile_disc(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_percentile_disc(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_corr(text[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_corr(text[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_moving_corr(uuid[], VARIADIC "any") RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_moving_corr(uuid[], VARIADIC "any") IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_describe(text[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_describe(text[]) IS
	'not supported: there are arrays of numbers and times';

CREATE FUNCTION gpu_describe(uuid[]) RETURNS void
	AS 'MODULE_PATHNAME', 'gpuscan_array_unsupported'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_describe(uuid[]) IS
	'not supported: there are arrays of numbers and times';

-- Columns of dates and timestamps

CREATE FUNCTION _gpuscan_result(date) RETURNS date
	AS 'MODULE_PATHNAME', 'gpuscan_result'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpuscan_result(date) IS
	'its argument, the result of an aggregate';
REVOKE EXECUTE ON FUNCTION _gpuscan_result(date) FROM PUBLIC;

CREATE FUNCTION _gpuscan_result(timestamp) RETURNS timestamp
	AS 'MODULE_PATHNAME', 'gpuscan_result'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpuscan_result(timestamp) IS
	'its argument, the result of an aggregate';
REVOKE EXECUTE ON FUNCTION _gpuscan_result(timestamp) FROM PUBLIC;

CREATE FUNCTION _gpuscan_result(timestamptz) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'gpuscan_result'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpuscan_result(timestamptz) IS
	'its argument, the result of an aggregate';
REVOKE EXECUTE ON FUNCTION _gpuscan_result(timestamptz) FROM PUBLIC;

CREATE FUNCTION _gpu_histogram_add(bigint[], date, date, date, integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram_add_date'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_histogram_add(bigint[], date, date, date, integer) IS
	'count a value';
REVOKE EXECUTE ON FUNCTION
	_gpu_histogram_add(bigint[], date, date, date, integer)
	FROM PUBLIC;

CREATE FUNCTION _gpu_histogram_add(bigint[], timestamp, timestamp, timestamp, integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram_add_timestamp'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_histogram_add(bigint[], timestamp, timestamp, timestamp, integer) IS
	'count a value';
REVOKE EXECUTE ON FUNCTION
	_gpu_histogram_add(bigint[], timestamp, timestamp, timestamp, integer)
	FROM PUBLIC;

CREATE FUNCTION _gpu_histogram_add(bigint[], timestamptz, timestamptz, timestamptz, integer)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_histogram_add_timestamptz'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_histogram_add(bigint[], timestamptz, timestamptz, timestamptz, integer) IS
	'count a value';
REVOKE EXECUTE ON FUNCTION
	_gpu_histogram_add(bigint[], timestamptz, timestamptz, timestamptz, integer)
	FROM PUBLIC;

CREATE AGGREGATE gpu_histogram(date, date, date, integer)
(
	SFUNC = _gpu_histogram_add,
	STYPE = bigint[],
	SSPACE = 1024,
	FINALFUNC = _gpu_histogram_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_histogram_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_histogram(date, date, date, integer) IS
	'counts of values by buckets of equal width';

CREATE AGGREGATE gpu_histogram(timestamp, timestamp, timestamp, integer)
(
	SFUNC = _gpu_histogram_add,
	STYPE = bigint[],
	SSPACE = 1024,
	FINALFUNC = _gpu_histogram_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_histogram_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_histogram(timestamp, timestamp, timestamp, integer) IS
	'counts of values by buckets of equal width';

CREATE AGGREGATE gpu_histogram(timestamptz, timestamptz, timestamptz, integer)
(
	SFUNC = _gpu_histogram_add,
	STYPE = bigint[],
	SSPACE = 1024,
	FINALFUNC = _gpu_histogram_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_histogram_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_histogram(timestamptz, timestamptz, timestamptz, integer) IS
	'counts of values by buckets of equal width';

CREATE FUNCTION _gpu_collect(date[], date) RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_collect'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_collect(date[], date) IS
	'append a value to a state';
REVOKE EXECUTE ON FUNCTION _gpu_collect(date[], date) FROM PUBLIC;

CREATE FUNCTION _gpu_collect_merge(date[], date[]) RETURNS date[]
	AS 'MODULE_PATHNAME', 'gpu_collect_merge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_collect_merge(date[], date[]) IS
	'append the values of another state';
REVOKE EXECUTE ON FUNCTION _gpu_collect_merge(date[], date[]) FROM PUBLIC;

CREATE FUNCTION _gpu_collect(timestamp[], timestamp) RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_collect'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_collect(timestamp[], timestamp) IS
	'append a value to a state';
REVOKE EXECUTE ON FUNCTION _gpu_collect(timestamp[], timestamp) FROM PUBLIC;

CREATE FUNCTION _gpu_collect_merge(timestamp[], timestamp[]) RETURNS timestamp[]
	AS 'MODULE_PATHNAME', 'gpu_collect_merge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_collect_merge(timestamp[], timestamp[]) IS
	'append the values of another state';
REVOKE EXECUTE ON FUNCTION _gpu_collect_merge(timestamp[], timestamp[]) FROM PUBLIC;

CREATE FUNCTION _gpu_collect(timestamptz[], timestamptz) RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_collect'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1
	SUPPORT _gpuscan_aggregate_support;
COMMENT ON FUNCTION _gpu_collect(timestamptz[], timestamptz) IS
	'append a value to a state';
REVOKE EXECUTE ON FUNCTION _gpu_collect(timestamptz[], timestamptz) FROM PUBLIC;

CREATE FUNCTION _gpu_collect_merge(timestamptz[], timestamptz[]) RETURNS timestamptz[]
	AS 'MODULE_PATHNAME', 'gpu_collect_merge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION _gpu_collect_merge(timestamptz[], timestamptz[]) IS
	'append the values of another state';
REVOKE EXECUTE ON FUNCTION _gpu_collect_merge(timestamptz[], timestamptz[]) FROM PUBLIC;

CREATE AGGREGATE gpu_median(date)
(
	SFUNC = _gpu_collect,
	STYPE = date[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_median,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_median(date) IS
	'median of the values, as percentile_cont(0.5)';

CREATE AGGREGATE gpu_median(timestamp)
(
	SFUNC = _gpu_collect,
	STYPE = timestamp[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_median,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_median(timestamp) IS
	'median of the values, as percentile_cont(0.5)';

CREATE AGGREGATE gpu_median(timestamptz)
(
	SFUNC = _gpu_collect,
	STYPE = timestamptz[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_median,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_median(timestamptz) IS
	'median of the values, as percentile_cont(0.5)';

CREATE AGGREGATE gpu_mode(date)
(
	SFUNC = _gpu_collect,
	STYPE = date[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_mode,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_mode(date) IS
	'most frequent value, the least of several';

CREATE AGGREGATE gpu_mode(timestamp)
(
	SFUNC = _gpu_collect,
	STYPE = timestamp[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_mode,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_mode(timestamp) IS
	'most frequent value, the least of several';

CREATE AGGREGATE gpu_mode(timestamptz)
(
	SFUNC = _gpu_collect,
	STYPE = timestamptz[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_mode,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_mode(timestamptz) IS
	'most frequent value, the least of several';

CREATE AGGREGATE gpu_count_distinct(date)
(
	SFUNC = _gpu_collect,
	STYPE = date[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_count_distinct,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count_distinct(date) IS
	'number of different values';

CREATE AGGREGATE gpu_count_distinct(timestamp)
(
	SFUNC = _gpu_collect,
	STYPE = timestamp[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_count_distinct,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count_distinct(timestamp) IS
	'number of different values';

CREATE AGGREGATE gpu_count_distinct(timestamptz)
(
	SFUNC = _gpu_collect,
	STYPE = timestamptz[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_count_distinct,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_collect_merge,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count_distinct(timestamptz) IS
	'number of different values';

CREATE AGGREGATE gpu_count(date)
(
	SFUNC = int8inc_any,
	STYPE = bigint,
	INITCOND = '0',
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int8pl,
	MSFUNC = int8inc_any,
	MINVFUNC = int8dec_any,
	MSTYPE = bigint,
	MINITCOND = '0',
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count(date) IS
	'number of values that are not null';

CREATE AGGREGATE gpu_count(timestamp)
(
	SFUNC = int8inc_any,
	STYPE = bigint,
	INITCOND = '0',
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int8pl,
	MSFUNC = int8inc_any,
	MINVFUNC = int8dec_any,
	MSTYPE = bigint,
	MINITCOND = '0',
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count(timestamp) IS
	'number of values that are not null';

CREATE AGGREGATE gpu_count(timestamptz)
(
	SFUNC = int8inc_any,
	STYPE = bigint,
	INITCOND = '0',
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = int8pl,
	MSFUNC = int8inc_any,
	MINVFUNC = int8dec_any,
	MSTYPE = bigint,
	MINITCOND = '0',
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_count(timestamptz) IS
	'number of values that are not null';

CREATE AGGREGATE gpu_min(date)
(
	SFUNC = date_smaller,
	STYPE = date,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = date_smaller,
	SORTOP = <,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_min(date) IS 'least value';

CREATE AGGREGATE gpu_min(timestamp)
(
	SFUNC = timestamp_smaller,
	STYPE = timestamp,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = timestamp_smaller,
	SORTOP = <,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_min(timestamp) IS 'least value';

CREATE AGGREGATE gpu_min(timestamptz)
(
	SFUNC = timestamptz_smaller,
	STYPE = timestamptz,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = timestamptz_smaller,
	SORTOP = <,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_min(timestamptz) IS 'least value';

CREATE AGGREGATE gpu_max(date)
(
	SFUNC = date_larger,
	STYPE = date,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = date_larger,
	SORTOP = >,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_max(date) IS 'greatest value';

CREATE AGGREGATE gpu_max(timestamp)
(
	SFUNC = timestamp_larger,
	STYPE = timestamp,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = timestamp_larger,
	SORTOP = >,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_max(timestamp) IS 'greatest value';

CREATE AGGREGATE gpu_max(timestamptz)
(
	SFUNC = timestamptz_larger,
	STYPE = timestamptz,
	FINALFUNC = _gpuscan_result,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = timestamptz_larger,
	SORTOP = >,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_max(timestamptz) IS 'greatest value';

CREATE AGGREGATE gpu_argmin(date, anyelement)
(
	SFUNC = _gpu_argmin_add,
	STYPE = internal,
	SSPACE = 64,
	FINALFUNC = _gpu_arg_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_arg_merge,
	SERIALFUNC = _gpu_arg_serialize,
	DESERIALFUNC = _gpu_arg_deserialize,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmin(date, anyelement) IS
	'payload where the value is least, the least of several';

CREATE AGGREGATE gpu_argmin(timestamp, anyelement)
(
	SFUNC = _gpu_argmin_add,
	STYPE = internal,
	SSPACE = 64,
	FINALFUNC = _gpu_arg_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_arg_merge,
	SERIALFUNC = _gpu_arg_serialize,
	DESERIALFUNC = _gpu_arg_deserialize,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmin(timestamp, anyelement) IS
	'payload where the value is least, the least of several';

CREATE AGGREGATE gpu_argmin(timestamptz, anyelement)
(
	SFUNC = _gpu_argmin_add,
	STYPE = internal,
	SSPACE = 64,
	FINALFUNC = _gpu_arg_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_arg_merge,
	SERIALFUNC = _gpu_arg_serialize,
	DESERIALFUNC = _gpu_arg_deserialize,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmin(timestamptz, anyelement) IS
	'payload where the value is least, the least of several';

CREATE AGGREGATE gpu_argmax(date, anyelement)
(
	SFUNC = _gpu_argmax_add,
	STYPE = internal,
	SSPACE = 64,
	FINALFUNC = _gpu_arg_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_arg_merge,
	SERIALFUNC = _gpu_arg_serialize,
	DESERIALFUNC = _gpu_arg_deserialize,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmax(date, anyelement) IS
	'payload where the value is greatest, the least of several';

CREATE AGGREGATE gpu_argmax(timestamp, anyelement)
(
	SFUNC = _gpu_argmax_add,
	STYPE = internal,
	SSPACE = 64,
	FINALFUNC = _gpu_arg_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_arg_merge,
	SERIALFUNC = _gpu_arg_serialize,
	DESERIALFUNC = _gpu_arg_deserialize,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmax(timestamp, anyelement) IS
	'payload where the value is greatest, the least of several';

CREATE AGGREGATE gpu_argmax(timestamptz, anyelement)
(
	SFUNC = _gpu_argmax_add,
	STYPE = internal,
	SSPACE = 64,
	FINALFUNC = _gpu_arg_final,
	FINALFUNC_EXTRA,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = _gpu_arg_merge,
	SERIALFUNC = _gpu_arg_serialize,
	DESERIALFUNC = _gpu_arg_deserialize,
	PARALLEL = safe
);
COMMENT ON AGGREGATE gpu_argmax(timestamptz, anyelement) IS
	'payload where the value is greatest, the least of several';
