-- Reports over tables: grouping sets that are merged from the groups of one with
-- more keys, against the ordinary plans; and how many groups are expected.
SET gpuscan.engine = gpu;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
SET cpu_operator_cost = 100;	-- a small table is worth a report
SET jit = off;

-- Sums that need all of an accumulator, groups and keys of NULLs alone, and values
-- that only some groups of the finest set have.
CREATE TYPE size AS ENUM ('small', 'medium', 'large');
CREATE TABLE measured AS
SELECT id, id % 7 AS k, CASE WHEN id % 5 > 0 THEN id % 5 END AS z, (id % 3 = 0) AS o, 'w' || id * 31 % 11 AS w,
	(enum_range(NULL::size))[1 + id % 3] AS e, date '2001-01-01' + id * 3 % 1000 AS d, timestamp '2001-01-01' + id * interval '97 minutes' AS t,
	((id * 7919 % 23) - 11)::smallint AS h, (id * 7919 % 23) * 1000003 - 11000000 AS i,
	(id * 7919 % 23) * 400000000000000003 - 4400000000000000000 AS l,
	((id * 31 % 19 - 9.5) / 3)::real AS f,
	CASE WHEN id % 13 = 0 THEN 1e300 WHEN id % 13 = 1 THEN -1e300 WHEN id % 11 = 0 THEN 5e-324
		ELSE (id * 31 % 19 - 9.5) / 3 END::double precision AS g,
	CASE WHEN id % 35 = 3 THEN 'NaN' WHEN id % 35 = 4 THEN 'Infinity' WHEN id % 35 = 5 THEN '-Infinity' ELSE (id * 1e-3)::double precision END AS s,
	CASE id % 4 WHEN 0 THEN '0' WHEN 1 THEN '-0' WHEN 2 THEN '1' END::double precision AS zero,
	(id * 7 % 1009 - 500) / 100.0::numeric(9, 2) AS n, (id * 7 % 1009 * 1.5)::numeric(12, 4) AS m
FROM generate_series(1, 3000) AS id;
UPDATE measured SET h = NULL, i = NULL, l = NULL, f = NULL, g = NULL, m = NULL WHERE k = 3 OR z = 2;
ALTER TABLE measured ALTER n TYPE numeric(9, 2);
VACUUM FREEZE ANALYZE measured;

-- Wait for the service; then functions over arrays are local.
SELECT gpu_sum(i) FROM measured;
SET gpuscan.engine = auto;

-- How many sets of a report were merged?  What is no report is NULL.  less: so
-- many may be less on a GPU.
CREATE FUNCTION merged(query text, less integer DEFAULT 0) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	PERFORM set_config('gpuscan.reports', 'exact', false);
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
	RETURN (plan #>> '{0,Plan,Grouping Sets Merged}')::integer + CASE WHEN plan #>> '{0,Plan,Engine}' = 'cuda' THEN less ELSE 0 END;
END
$$;

-- From 18 on grouping sets are not taken.
SELECT query, answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same,
	CASE WHEN current_setting('server_version_num')::integer < 180000 THEN merged(query) ELSE expected END AS merged
FROM (VALUES
	-- each kind of state
	(3, 'SELECT k, z, count(*), count(i), gpu_count(g) FROM measured GROUP BY CUBE (k, z)'),
	(2, 'SELECT k, z, sum(h), avg(i), sum(l), stddev(i), var_pop(l), gpu_sum(l), gpu_stddev(h) FROM measured GROUP BY ROLLUP (k, z)'),
	(2, 'SELECT k, z, gpu_sum(f), gpu_avg(f), gpu_stddev(f), gpu_sum(g), gpu_avg(g) FROM measured GROUP BY ROLLUP (k, z)'),
	(2, 'SELECT k, z, gpu_variance(g) FROM measured WHERE abs(g) < 1 GROUP BY ROLLUP (k, z)'),
	(3, 'SELECT k, z, gpu_sum(s), gpu_avg(s), gpu_min(s), gpu_max(s), gpu_stddev(s) FROM measured GROUP BY CUBE (k, z)'),
	(3, 'SELECT k, z, min(h), max(i), min(l), max(l), gpu_min(f), gpu_max(g), min(d), max(t) FROM measured GROUP BY CUBE (k, z)'),
	(3, 'SELECT k, z, gpu_min(zero), gpu_max(zero), gpu_sum(zero) FROM measured GROUP BY CUBE (k, z)'),
	(2, 'SELECT k, z, bit_and(h), bit_or(i), gpu_bit_xor(l), bit_and(l), bool_and(o), bool_or(o) FROM measured GROUP BY ROLLUP (k, z)'),
	(2, 'SELECT k, z, gpu_corr(f, g), gpu_covar_pop(g, f), gpu_regr_slope(f, f * 2), gpu_regr_r2(f, s), gpu_weighted_avg(g, z + 1) FROM measured GROUP BY ROLLUP (k, z)'),
	(2, 'SELECT k, z, gpu_histogram(i, -1e7, 1e7, 20), gpu_histogram(s, 0, 2, 5) FROM measured GROUP BY ROLLUP (k, z)'),
	(2, 'SELECT k, z, gpu_stats_agg(i)::text, gpu_stats_agg(f)::text, gpu_stats_agg(g)::text FROM measured GROUP BY ROLLUP (k, z)'),
	(2, 'SELECT k, z, sum(n), avg(m), sum(n * (1 - m)), stddev(n), min(m), max(n) FROM measured GROUP BY ROLLUP (k, z)'),
	(2, 'SELECT k, z, sum(CASE WHEN o THEN m ELSE 0 END), avg(coalesce(m, 0)), sum(coalesce(m, n)) FROM measured GROUP BY ROLLUP (k, z)'),
	(2, 'SELECT k, z, min(w), max(w), min(e), max(e), count(w) FROM measured GROUP BY ROLLUP (k, z)'),
	(3, 'SELECT k, z, min(i) FILTER (WHERE o), sum(l) FILTER (WHERE id < 0), bit_and(h) FILTER (WHERE z = 1), gpu_min(g) FILTER (WHERE id < 9) FROM measured GROUP BY CUBE (k, z)'),
	-- keys
	(7, 'SELECT o, w, e, count(*), sum(i) FROM measured GROUP BY CUBE (o, w, e)'),
	(3, 'SELECT w, f, count(*), max(h) FROM measured GROUP BY CUBE (w, f)'),
	(7, 'SELECT date_trunc(''month'', d), extract(hour FROM t), l, GROUPING(l), sum(i) FROM measured GROUP BY CUBE (1, 2, 3)'),
	(3, 'SELECT z, s > 1, count(*) FROM measured GROUP BY CUBE (z, s > 1)'),
	(3, 'SELECT id, k, sum(i) FROM measured GROUP BY CUBE (id, k)'),
	-- sets: the same twice, of which none has all keys, of keys that are not selected, with HAVING
	(4, 'SELECT z, o, sum(i), GROUPING(o) FROM measured GROUP BY GROUPING SETS ((z), (o, z), (), (o), (z))'),
	(1, 'SELECT k, count(*) FROM measured GROUP BY GROUPING SETS ((k), (k))'),
	(3, 'SELECT k, z, w, sum(i) FROM measured GROUP BY GROUPING SETS ((k), (z), (w))'),
	(4, 'SELECT k, z, w, GROUPING(k, z, w), gpu_sum(g), max(i) FROM measured GROUP BY GROUPING SETS ((k, z), (z, w), (w), ())'),
	(3, 'SELECT sum(i), GROUPING(z) FROM measured GROUP BY CUBE (k, z)'),
	(3, 'SELECT k, z, sum(i) FROM measured GROUP BY CUBE (k, z) HAVING count(*) > 100 AND GROUPING(k) = 0'),
	(2, 'SELECT z, 2 * z, k FROM measured GROUP BY ROLLUP (z, k)'),
	-- no rows
	(2, 'SELECT k, z, count(*), sum(i), gpu_sum(g) FROM measured WHERE id < 0 GROUP BY ROLLUP (k, z)'),
	(3, 'SELECT k, z, count(*), min(w) FROM measured WHERE id < 0 GROUP BY GROUPING SETS ((k), (z), ())'),
	(2, 'SELECT k, z, count(*) FROM measured WHERE id < 0 GROUP BY GROUPING SETS ((k), (z), (k, z))'),
	-- what needs all values is not merged, nor is what the order of rows decides
	(0, 'SELECT k, z, gpu_median(i) FROM measured GROUP BY ROLLUP (k, z)'),
	(0, 'SELECT k, z, count(DISTINCT i), sum(i) FROM measured GROUP BY ROLLUP (k, z)'),
	(0, 'SELECT k, z, mode() WITHIN GROUP (ORDER BY i) FROM measured GROUP BY GROUPING SETS ((k), (z))'),
	(NULL, 'SELECT w, min(zero), max(zero) FROM measured WHERE o GROUP BY CUBE (k, w)')) AS q (expected, query);

-- Grouping sets without memory to keep the groups.
SET work_mem = '64kB';
SELECT CASE WHEN current_setting('server_version_num')::integer < 180000 THEN merged(query) ELSE 1 END AS merged,
	answer(query, 'off') = answer(query, 'exact') AS same
FROM (VALUES ('SELECT id, k, gpu_sum(g), max(i) FROM measured GROUP BY CUBE (id, k)')) AS q (query);
RESET work_mem;

-- Executed again, with other values.
SELECT v, (SELECT string_agg(q::text, ';' ORDER BY q::text COLLATE "C") FROM (SELECT z, o, sum(i) FROM measured WHERE k > v GROUP BY CUBE (z, o)) AS q) =
	answer(format('SELECT z, o, sum(i) FROM measured WHERE k > %s GROUP BY CUBE (z, o)', v), 'off') AS same
FROM generate_series(1, 3) AS v;

-- Several slices of groups, with wide sums in each.  A GPU goes over the rows
-- once more before so many groups are merged.
CREATE TABLE long AS
SELECT i / 10 AS a, i % 10 AS b, CASE i % 1000 WHEN 1 THEN 1e300 WHEN 2 THEN 1e-300 ELSE i END::double precision * (1 - i % 3) AS g FROM generate_series(0, 199999) AS i;
INSERT INTO long SELECT a, b, g / 3 FROM long WHERE a % 2 = 0;
VACUUM FREEZE ANALYZE long;
RESET cpu_operator_cost;
SET work_mem = '64MB';
SELECT CASE WHEN current_setting('server_version_num')::integer < 180000 THEN merged(query, 1) ELSE 1 END AS merged,
	md5(answer(query, 'off')) = md5(answer(query, 'exact')) AS same
FROM (VALUES ('SELECT a, gpu_sum(g), gpu_stddev(g), count(*) FROM long GROUP BY ROLLUP (a)')) AS q (query);

-- Sets of which none has all keys are merged if that gives few groups.
SELECT CASE WHEN current_setting('server_version_num')::integer < 180000 THEN merged(query) ELSE expected END AS merged,
	md5(answer(query, 'off')) = md5(answer(query, 'exact')) AS same
FROM (VALUES (3, 'SELECT b, b / 2, count(*) FROM long GROUP BY GROUPING SETS ((b), (b / 2), ())'),
	(1, 'SELECT a, b, count(*) FROM long GROUP BY GROUPING SETS ((a), (b), ())')) AS q (expected, query);
RESET work_mem;

-- PostgreSQL takes these expressions to have a value a row.  Each is off by no
-- more than a few.
CREATE TABLE event AS SELECT timestamp '2020-01-01' + i * interval '5 minutes' AS t, timestamptz '2020-01-01' + i * interval '5 minutes' AS tz,
	date '2020-01-01' + i / 288 AS d, i AS v FROM generate_series(1, 100000) AS i;
VACUUM FREEZE ANALYZE event;
CREATE FUNCTION expected(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan json;
	result text;
BEGIN
	PERFORM set_config('gpuscan.reports', 'exact', false);
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	IF plan::text NOT LIKE '%GpuscanReport%' THEN
		RETURN 'no report';
	END IF;
	EXECUTE format('SELECT CASE WHEN %s BETWEEN count(*) AND 3 + count(*) * 1.3 THEN ''close'' ELSE %s || '' for '' || count(*) END FROM (%s) AS q',
		plan #>> '{0,Plan,Plan Rows}', plan #>> '{0,Plan,Plan Rows}', query) INTO result;
	RETURN result;
END
$$;
SELECT expected(format('SELECT %s, sum(v) FROM event GROUP BY 1', key)), key
FROM unnest(ARRAY['extract(hour FROM t)', 'date_part(''dow'', t)', 'extract(month FROM d)', 'extract(quarter FROM tz)', 'date_trunc(''month'', t)',
	'date_trunc(''week'', tz)', 'date_trunc(''day'', t)', 'date_trunc(''year'', d)', 'extract(year FROM t)', 't::date', 'v % 2 = 0']) AS key;
SELECT expected('SELECT extract(hour FROM t), date_part(''dow'', t), sum(v) FROM event GROUP BY 1, 2');
SELECT CASE WHEN current_setting('server_version_num')::integer < 180000 THEN
	expected('SELECT extract(hour FROM t) AS h, date_part(''dow'', t) AS dow, sum(v) FROM event GROUP BY ROLLUP (1, 2) ORDER BY 1, 2') ELSE 'close' END;

DROP TABLE measured, long, event;
DROP TYPE size;
DROP FUNCTION merged, expected;
