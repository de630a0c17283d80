-- Calls over stored arrays: with the cache off, the first use, which fills the
-- cache, and later uses, which hit it.  Prints the rows of a table.
\set QUIET on
\set ON_ERROR_STOP on
\pset tuples_only on
\pset format unaligned
SET client_min_messages = warning;
SELECT set_config('bench.runs', :'runs', false) \g /dev/null

CREATE TABLE one (a double precision[], k boolean[]);
ALTER TABLE one ALTER a SET STORAGE EXTERNAL, ALTER k SET STORAGE EXTERNAL;
INSERT INTO one SELECT array_agg(i + 0.25::double precision), array_agg(i % 3 = 0)
FROM generate_series(1, :elements) AS i;
CREATE TABLE many (a double precision[]);
ALTER TABLE many ALTER a SET STORAGE EXTERNAL;
INSERT INTO many SELECT ARRAY(SELECT s + i / 7.0::double precision
	FROM generate_series(1, least(:elements / 10, 100000)) AS i) FROM generate_series(1, 1000) AS s;

-- The median time of `runs` executions; `before` runs between them, untimed.
CREATE FUNCTION timed(statement text, before text, runs integer) RETURNS double precision LANGUAGE plpgsql AS $$
DECLARE
	ms double precision[];
	since timestamptz;
	ignored text;
BEGIN
	FOR i IN 1 .. runs LOOP
		EXECUTE before;
		since := clock_timestamp();
		EXECUTE statement INTO ignored;
		ms := ms || 1000 * extract(epoch FROM clock_timestamp() - since)::double precision;
	END LOOP;
	RETURN percentile_cont(0.5) WITHIN GROUP (ORDER BY v) FROM unnest(ms) AS v;
END $$;

-- A result must be the same as with the cache off.  If it is an array, the
-- timed statement makes it but does not read it.
CREATE FUNCTION measure(name text, expression text, source text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	runs integer := current_setting('bench.runs');
	checked text;
	statement text;
	without text;
	cached text;
	off double precision;
	first double precision;
	hit double precision;
BEGIN
	EXECUTE format('SELECT pg_typeof(%s)::text FROM %s', expression, source) INTO statement;
	checked := format(CASE WHEN statement LIKE '%[]' THEN 'SELECT md5(array_send(%s)) FROM %s' ELSE 'SELECT %s FROM %s' END,
		expression, source);
	statement := replace(checked, 'md5(array_send(', '(cardinality(');
	SET LOCAL gpuscan.cache = off;
	EXECUTE checked INTO without;
	off := timed(statement, 'SELECT 1', 9);
	SET LOCAL gpuscan.cache = on;
	first := timed(statement, 'SELECT gpuscan_cache_clear()', 9);
	EXECUTE checked INTO cached;
	EXECUTE checked INTO cached;
	hit := timed(statement, 'SELECT 1', runs);
	RETURN format('| %s | %s | %s | %s%s |', name, round(off::numeric, 2), round(first::numeric, 2),
		round(hit::numeric, 3), CASE WHEN cached IS DISTINCT FROM without THEN ' WRONG' ELSE '' END);
END $$;

\echo | statement | cache off | first use | cached |
\echo |---|---|---|---|
SELECT measure(f || ' of ' || :'elements', f || '(a)', 'one')
FROM unnest('{gpu_sum,gpu_avg,gpu_max,gpu_argmax,gpu_stddev,gpu_cumsum,gpu_sort}'::text[]) AS f;
SELECT measure('gpu_histogram of ' || :'elements' || ', 256 buckets', format('gpu_histogram(a, 0, %s, 256)', :'elements'), 'one');
SELECT measure('gpu_filter of ' || :'elements' || ', half', format('gpu_filter(a, ''<'', %s / 2)', :'elements'), 'one');
SELECT measure('gpu_compact of ' || :'elements' || ', a third', 'gpu_compact(a, k)', 'one');
SELECT measure('gpu_bool_and of ' || :'elements', 'gpu_bool_and(k)', 'one');
SELECT measure('1,000 arrays, gpu_sum of each', 'sum(gpu_sum(a))', 'many');
SELECT measure('1,000 arrays, gpu_rollup of gpu_stats', 'gpu_avg(gpu_rollup(gpu_stats(a)))', 'many');
SELECT format('<!-- %s entries, %s bytes of %s, %s hits, %s misses -->', cache_entries, cache_bytes, cache_size, cache_hits, cache_misses)
FROM gpuscan_status();
