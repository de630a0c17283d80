/* sql/gpuscan--1.0--1.1.sql: what changed since 1.0 */

-- complain if script is sourced in psql, rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION gpuscan UPDATE TO '1.1'" to load this file. \quit

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
CREATE FUNCTION gpu_stats_eq(gpu_stats, gpu_stats) RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpu_stats_eq'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_eq(gpu_stats, gpu_stats) IS
	'implementation of = operator';

CREATE FUNCTION gpu_stats_ne(gpu_stats, gpu_stats) RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpu_stats_ne'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_ne(gpu_stats, gpu_stats) IS
	'implementation of <> operator';

CREATE FUNCTION gpu_stats_lt(gpu_stats, gpu_stats) RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpu_stats_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_lt(gpu_stats, gpu_stats) IS
	'implementation of < operator';

CREATE FUNCTION gpu_stats_le(gpu_stats, gpu_stats) RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpu_stats_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_le(gpu_stats, gpu_stats) IS
	'implementation of <= operator';

CREATE FUNCTION gpu_stats_gt(gpu_stats, gpu_stats) RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpu_stats_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_gt(gpu_stats, gpu_stats) IS
	'implementation of > operator';

CREATE FUNCTION gpu_stats_ge(gpu_stats, gpu_stats) RETURNS boolean
	AS 'MODULE_PATHNAME', 'gpu_stats_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_ge(gpu_stats, gpu_stats) IS
	'implementation of >= operator';

CREATE FUNCTION gpu_stats_cmp(gpu_stats, gpu_stats) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_stats_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_cmp(gpu_stats, gpu_stats) IS 'less-equal-greater';

CREATE FUNCTION gpu_stats_hash(gpu_stats) RETURNS integer
	AS 'MODULE_PATHNAME', 'gpu_stats_hash'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_hash(gpu_stats) IS 'hash';

CREATE FUNCTION gpu_stats_hash_extended(gpu_stats, bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'gpu_stats_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1;
COMMENT ON FUNCTION gpu_stats_hash_extended(gpu_stats, bigint) IS 'hash';

CREATE OPERATOR =
(
	FUNCTION = gpu_stats_eq,
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
	FUNCTION = gpu_stats_ne,
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
	FUNCTION = gpu_stats_lt,
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
	FUNCTION = gpu_stats_le,
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
	FUNCTION = gpu_stats_gt,
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
	FUNCTION = gpu_stats_ge,
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
	FUNCTION 1 gpu_stats_cmp(gpu_stats, gpu_stats);

CREATE OPERATOR CLASS gpu_stats_ops DEFAULT FOR TYPE gpu_stats USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 gpu_stats_hash(gpu_stats),
	FUNCTION 2 gpu_stats_hash_extended(gpu_stats, bigint);

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
