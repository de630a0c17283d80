/* sql/gpuscan--1.0--1.1.sql: what changed since 1.0 */

-- complain if script is sourced in psql, rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION gpuscan UPDATE TO '1.1'" to load this file. \quit

-- States and summaries

-- Scans

CREATE FUNCTION gpu_cumbit_xor(
		arr smallint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS smallint[]
	AS 'MODULE_PATHNAME', 'gpu_cumbit_xor'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumbit_xor(smallint[], boolean, integer, boolean[]) IS
	'running bitwise exclusive or';

CREATE FUNCTION gpu_cumbit_xor(
		arr integer[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS integer[]
	AS 'MODULE_PATHNAME', 'gpu_cumbit_xor'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumbit_xor(integer[], boolean, integer, boolean[]) IS
	'running bitwise exclusive or';

CREATE FUNCTION gpu_cumbit_xor(
		arr bigint[], exclusive boolean DEFAULT false,
		chunk integer DEFAULT NULL, heads boolean[] DEFAULT NULL)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'gpu_cumbit_xor'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE COST 3000
	SUPPORT gpuscan_support;
COMMENT ON FUNCTION gpu_cumbit_xor(bigint[], boolean, integer, boolean[]) IS
	'running bitwise exclusive or';

-- Arrays

-- Administration
