-- Cached copies of stored arrays must not change any result.  (What is cached,
-- and when a copy must not be used: test/t/011_cache.pl.)

-- Settings and privileges
LOAD 'gpuscan';
SELECT name, boot_val, context, vartype, min_val, unit FROM pg_settings
WHERE name IN ('gpuscan.cache', 'gpuscan.cache_size') ORDER BY name;
SELECT error_of('SET gpuscan.cache_size = 1');
SELECT f, has_function_privilege('public', f, 'EXECUTE') AS everyone,
	has_function_privilege('pg_monitor', f, 'EXECUTE') AS monitor
FROM unnest('{gpuscan_cache(), gpuscan_cache_clear(), gpuscan_status()}'::text[]) AS f;
SELECT gpuscan_cache_clear() >= 0 AS cleared;
SELECT * FROM gpuscan_cache();

-- Arrays of every type, with and without NULLs, from the smallest size that is
-- cached to one of several batches
CREATE TABLE kept (name text, n integer, b boolean[], i2 smallint[], i4 integer[], i8 bigint[], f4 real[],
	f8 double precision[], p integer[]);
ALTER TABLE kept ALTER b SET STORAGE EXTERNAL, ALTER i2 SET STORAGE EXTERNAL, ALTER i4 SET STORAGE EXTERNAL,
	ALTER i8 SET STORAGE EXTERNAL, ALTER f4 SET STORAGE EXTERNAL, ALTER f8 SET STORAGE EXTERNAL, ALTER p SET STORAGE EXTERNAL;
INSERT INTO kept
SELECT name, n, array_agg(i % 3 = 0 ORDER BY i) FILTER (WHERE i IS NOT NULL), array_agg((v % 30011)::smallint ORDER BY i),
	array_agg(v ORDER BY i), array_agg(v::bigint * v ORDER BY i), array_agg((v / 7.0)::real ORDER BY i),
	array_agg(v / 8.0::double precision ORDER BY i), array_agg(CASE WHEN i % 13 > 0 THEN i * 31::bigint % n + 1 END ORDER BY i)
FROM (VALUES ('small', 9000, 0), ('nulls', 66000, 5), ('large', 140000, 0), ('few nulls', 140001, 65537)) AS s (name, n, nulls),
	LATERAL (SELECT i, CASE WHEN nulls = 0 OR i % nulls > 0 THEN i * 7919 % 100003 END AS v
		FROM generate_series(1, n) AS i) AS e
GROUP BY name, n;

-- Each call twice, so that the second finds the copy of the first, and once
-- without copies
CREATE FUNCTION results() RETURNS TABLE (name text, part text, result text) LANGUAGE sql AS $$
	SELECT name, part, md5(result) FROM kept, LATERAL (VALUES
		('bool', (gpu_bool_and(b), gpu_cumbool_or(b, chunk => 100), gpu_where(b))::text),
		('smallint', (gpu_sum(i2), gpu_cummax(i2), gpu_filter(i2, '<', 100), gpu_histogram(i2, 0, 30011, 7))::text),
		('integer', (gpu_avg(i4), gpu_cumsum(i4, true), gpu_compact(i4, b), gpu_argmin(i4))::text),
		('bigint', (gpu_sum(i8), gpu_bit_xor(i8), gpu_cumsum(i8, heads => b), gpu_stddev(i8))::text),
		('real', (gpu_sum(f4), gpu_max(f4), gpu_cumsum(f4), gpu_histogram(f4, 0, 14286, 1000))::text),
		('double', (gpu_sum(f8), gpu_variance(f8), gpu_cummin(f8, true), gpu_cumsum(f8, chunk => 5000),
			gpu_histogram(f8, ARRAY(SELECT v FROM generate_series(0, 12500, 2.5) AS v)::float8[]))::text),
		('places', (gpu_take(f8, p), gpu_take(i2, gpu_argsort(i4)), gpu_take(p, p), gpu_reverse(i4), gpu_shift(f4, -77), gpu_shift(b))::text),
		('edges', (gpu_histogram(i4, gpu_cumsum(array_fill(3::float8, ARRAY[9000]))))::text))
		AS parts (part, result)
$$;
CREATE TABLE first_use AS SELECT * FROM results();
CREATE TABLE second_use AS SELECT * FROM results();
SET gpuscan.cache = off;
CREATE TABLE no_copies AS SELECT * FROM results();
SET gpuscan.engine = cpu;
CREATE TABLE on_cpu AS SELECT * FROM results();
RESET gpuscan.engine;
RESET gpuscan.cache;
SELECT count(*) FROM on_cpu;
SELECT name, part FROM on_cpu AS c JOIN first_use AS a USING (name, part) JOIN second_use AS b USING (name, part)
	JOIN no_copies AS d USING (name, part)
WHERE a.result <> c.result OR b.result <> c.result OR d.result <> c.result;

-- Summaries: without a copy, of arrays that are then cached, and of copies
CREATE TABLE summed (name text, a double precision[], r real[], n integer[], b bigint[], s smallint[]);
ALTER TABLE summed ALTER a SET STORAGE EXTERNAL, ALTER r SET STORAGE EXTERNAL, ALTER n SET STORAGE EXTERNAL,
	ALTER b SET STORAGE EXTERNAL, ALTER s SET STORAGE EXTERNAL;
INSERT INTO summed
SELECT name, array_agg(v * factor ORDER BY i), array_agg((v * factor)::real ORDER BY i), array_agg(round(v)::integer ORDER BY i),
	array_agg(round(v * 900000000000000)::bigint ORDER BY i), array_agg((round(v)::integer % 32768)::smallint ORDER BY i)
FROM (VALUES ('positive', 1, 10000, 1::double precision), ('negative', -10000, -1, 1), ('both', -5000, 5000, 1e30),
		('zeros', 0, 0, -1), ('nulls', -3, 3, 1e-30), ('nan', -5, 5, 'NaN'), ('infinite', 1, 2, '-Infinity')) AS k (name, low, high, factor),
	LATERAL (SELECT i, CASE WHEN name <> 'nulls' OR i % 3 > 0 THEN (low + i * 7919 % (high - low + 1))::double precision END AS v
		FROM generate_series(1, 40000) AS i) AS e
GROUP BY name;
CREATE TABLE summaries AS SELECT 0 AS use, name, gpu_stats(a || '{}')::text AS a, gpu_stats(r || '{}')::text AS r,
	gpu_stats(n || '{}')::text AS n, gpu_stats(b || '{}')::text AS b, gpu_stats(s || '{}')::text AS s FROM summed;
INSERT INTO summaries SELECT 1, name, gpu_stats(a), gpu_stats(r), gpu_stats(n), gpu_stats(b), gpu_stats(s) FROM summed;
INSERT INTO summaries SELECT 2, name, gpu_stats(a), gpu_stats(r), gpu_stats(n), gpu_stats(b), gpu_stats(s) FROM summed;
INSERT INTO summaries SELECT 3, name, gpu_stats(a), gpu_stats(r), gpu_stats(n), gpu_stats(b), gpu_stats(s) FROM summed;
SELECT name, count(*), count(DISTINCT a) AS a, count(DISTINCT r) AS r, count(DISTINCT n) AS n, count(DISTINCT b) AS b,
	count(DISTINCT s) AS s FROM summaries GROUP BY name ORDER BY name;
SELECT gpu_count(s), gpu_sum(s), gpu_avg(s), gpu_min(s), gpu_max(s), gpu_sum_exact(s) FROM (SELECT gpu_rollup(gpu_stats(b)) AS s FROM summed) AS t;
DROP TABLE summed, summaries;

-- Stored edges that are invalid: an error each time
CREATE TABLE edges (name text, e double precision[]);
ALTER TABLE edges ALTER e SET STORAGE EXTERNAL;
INSERT INTO edges
SELECT name, array_agg(CASE WHEN i = 9001 AND name <> 'sound' THEN other ELSE i END ORDER BY i)
FROM generate_series(1, 10000) AS i,
	(VALUES ('sound', 0::double precision), ('not ascending', 8000), ('nan', 'NaN'), ('null', NULL)) AS s (name, other)
GROUP BY name;
SELECT name, error_of(format('SELECT gpu_histogram(i4, e) FROM kept, edges WHERE edges.name = %L', name)) AS first,
	error_of(format('SELECT gpu_histogram(i4, e) FROM kept, edges WHERE edges.name = %L', name)) AS second
FROM edges WHERE name <> 'sound' ORDER BY name;
SELECT k.name, md5(gpu_histogram(i4, e)::text) = md5(gpu_histogram(i4, e || '{}')::text) AS equal,
	md5(gpu_histogram(i4, e)::text) = md5(gpu_histogram(i4 || '{}', e)::text) AS again
FROM kept AS k, edges AS s WHERE s.name = 'sound' ORDER BY n, k.name;
SELECT count(*), min(lower), max(upper) FROM kept AS k, edges AS s,
	gpu_histogram_table(i4, e) WHERE s.name = 'sound' AND k.name = 'large';

-- A mask of another length is an error before the service is asked.
SELECT error_of('SELECT gpu_compact(a.i4, b.b) FROM kept AS a, kept AS b WHERE a.name = ''small'' AND b.name = ''large''');

-- Values change, and nobody sees an old value.
BEGIN;
UPDATE kept SET i4 = i4 || 1000000 WHERE name = 'small';
SELECT gpu_max(i4), gpu_max(i4) FROM kept WHERE name = 'small';
SAVEPOINT s;
UPDATE kept SET i4 = i4 || 2000000 WHERE name = 'small';
SELECT gpu_max(i4), gpu_max(i4) FROM kept WHERE name = 'small';
ROLLBACK TO s;
SELECT gpu_max(i4), gpu_max(i4) FROM kept WHERE name = 'small';
ROLLBACK;
SELECT gpu_max(i4), gpu_max(i4) FROM kept WHERE name = 'small';
DECLARE c CURSOR WITH HOLD FOR SELECT gpu_sum(i4) FROM kept WHERE name = 'large';
TRUNCATE kept;
INSERT INTO kept (name, i4) SELECT 'large', array_agg(i) FROM generate_series(1, 140000) AS i;
SELECT gpu_sum(i4), gpu_sum(i4) FROM kept WHERE name = 'large';
FETCH c;
CLOSE c;

DROP TABLE kept, edges, first_use, second_use, no_copies, on_cpu;
DROP FUNCTION results;
