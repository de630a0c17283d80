/* sql/gpuscan--1.0--1.1.sql: what changed since 1.0 */

-- complain if script is sourced in psql, rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION gpuscan UPDATE TO '1.1'" to load this file. \quit

-- States and summaries

/*
 * What only aggregates have use for.  These run with the rights of their
 * owner; gpu_state_... and gpu_stats_... are for aggregates of users' own too
 * (docs/shards.md).
 */
REVOKE EXECUTE ON FUNCTION gpu_collect(smallint[], smallint) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION gpu_collect(integer[], integer) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION gpu_collect(bigint[], bigint) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION gpu_collect(real[], real) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpu_collect(double precision[], double precision)
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpu_collect_merge(smallint[], smallint[])
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION gpu_collect_merge(integer[], integer[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION gpu_collect_merge(bigint[], bigint[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION gpu_collect_merge(real[], real[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpu_collect_merge(double precision[], double precision[])
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpu_histogram_add(bigint[], smallint, double precision, double precision, integer)
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpu_histogram_add(bigint[], integer, double precision, double precision, integer)
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpu_histogram_add(bigint[], bigint, double precision, double precision, integer)
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpu_histogram_add(bigint[], real, double precision, double precision, integer)
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpu_histogram_add(bigint[], double precision, double precision, double precision, integer)
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpu_percentile_collect(double precision[], smallint, double precision)
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpu_percentile_collect(double precision[], integer, double precision)
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpu_percentile_collect(double precision[], bigint, double precision)
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpu_percentile_collect(double precision[], real, double precision)
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpu_percentile_collect(double precision[], double precision, double precision)
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpu_percentile_merge(double precision[], double precision[])
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION gpu_percentile_final(double precision[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION gpu_histogram_merge(bigint[], bigint[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION gpu_histogram_final(bigint[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION gpu_array_add(bigint[], bigint[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION gpu_lesser(real, real) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION gpu_greater(real, real) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION gpu_canonical(real) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpu_lesser(double precision, double precision)
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpu_greater(double precision, double precision)
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION gpu_canonical(double precision) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpuscan_numeric_aggregate(numeric, numeric)
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpuscan_numeric_aggregate(numeric, numeric, numeric)
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpuscan_numeric_aggregate(numeric, numeric, double precision)
	FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION
	gpuscan_numeric_aggregate(numeric, numeric, double precision, double precision, integer)
	FROM PUBLIC;

-- Arrays

-- Administration
