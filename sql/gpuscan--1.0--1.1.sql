/* sql/gpuscan--1.0--1.1.sql: what changed since 1.0 */

-- complain if script is sourced in psql, rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION gpuscan UPDATE TO '1.1'" to load this file. \quit

-- States and summaries

/*
 * Percentiles of bigint: a state of bigint, which a double does not always hold.
 * The functions that 1.0 had for one of doubles stay, for aggregates that were
 * made of them.
 */

CREATE FUNCTION gpu_percentile_collect(bigint[], bigint, double precision) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_percentile_collect_bigint'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_percentile_collect(bigint[], bigint, double precision) IS
	'append a value to a state that begins with the fraction''s bits';

CREATE FUNCTION gpu_percentile_merge(bigint[], bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_percentile_merge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_percentile_merge(bigint[], bigint[]) IS
	'append the values of another state';

CREATE FUNCTION gpu_percentile_final(bigint[]) RETURNS double precision
	AS 'MODULE_PATHNAME', 'gpu_percentile_final'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION gpu_percentile_final(bigint[]) IS
	'percentile of a state';

CREATE OR REPLACE AGGREGATE gpu_percentile_cont(bigint, double precision)
(
	SFUNC = gpu_percentile_collect,
	STYPE = bigint[],
	SSPACE = 1024,
	INITCOND = '{}',
	FINALFUNC = gpu_percentile_final,
	FINALFUNC_MODIFY = read_only,
	COMBINEFUNC = gpu_percentile_merge,
	PARALLEL = safe
);

-- Arrays

-- Administration
