/* sql/gpuscan--1.0--1.1.sql: what changed since 1.0 */

-- complain if script is sourced in psql, rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION gpuscan UPDATE TO '1.1'" to load this file. \quit

-- States and summaries

-- Arrays

-- Administration

COMMENT ON FUNCTION gpuscan_status() IS
	'the service that owns the GPU; what tells of calls is NULL but for members of pg_monitor';
