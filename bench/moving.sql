-- Aggregates over a frame that moves: processor time a row, in microseconds, over
-- 1,000 rows by number and over the rows of an hour, which are as many.  In an
-- empty database:
--
--	psql -Xq -v rows=20000 -f bench/moving.sql
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS gpuscan;
SET gpuscan.engine = cpu;
SET jit = off;
SET work_mem = '256MB';
SET max_parallel_workers_per_gather = 0;
SELECT setseed(0.5) \g /dev/null
CREATE TEMP TABLE series AS
SELECT i, timestamp '2026-01-01' + i * interval '3.6 s' AS at, random() * 1000 AS v, (random() * 1000)::integer AS n,
	(random() * 1000)::numeric(9, 3) AS m, random() < 0.99 AS t, ARRAY[i, 1]::bigint[] AS a, gpu_stats(ARRAY[i]) AS s
FROM generate_series(1, :rows) AS i;
ANALYZE series;

CREATE FUNCTION pg_temp.processor_us() RETURNS double precision LANGUAGE sql VOLATILE
	AS $$ SELECT split_part(pg_read_file('/proc/self/schedstat'), ' ', 1)::bigint / 1e3 $$;
-- NULL: there is no such function.
CREATE FUNCTION pg_temp.cost(call text, frame text) RETURNS numeric LANGUAGE plpgsql AS
$$
DECLARE
	before double precision := pg_temp.processor_us();
BEGIN
	EXECUTE format('SELECT count(*) FROM (SELECT %s OVER (%s) AS r FROM series OFFSET 0) AS f WHERE r IS NULL', call, frame);
	RETURN round(((pg_temp.processor_us() - before) / (SELECT count(*) FROM series))::numeric, 2);
EXCEPTION WHEN undefined_function THEN
	RETURN NULL;
END
$$;
\pset tuples_only on
\pset format unaligned
SELECT format('| %s | %s | %s |', call, pg_temp.cost(call, 'ORDER BY i ROWS 999 PRECEDING'),
	pg_temp.cost(call, 'ORDER BY at RANGE BETWEEN interval ''1 hour'' PRECEDING AND CURRENT ROW'))
FROM (VALUES ('gpu_count(v)'), ('gpu_sum(v)'), ('gpu_avg(v)'), ('gpu_stddev(v)'), ('gpu_corr(v, n)'), ('gpu_sum(m)'), ('gpu_min(n)'), ('gpu_min(v)'),
	('gpu_max(v)'), ('gpu_max(m)'), ('gpu_argmin(v, i)'), ('gpu_argmax(v, i)'), ('gpu_first(v, at)'), ('gpu_last(v, at)'), ('gpu_bit_and(n)'),
	('gpu_bit_or(n)'), ('gpu_bit_xor(n)'), ('gpu_bool_and(t)'), ('gpu_bool_or(t)'), ('gpu_median(n)'), ('gpu_median(v)'), ('gpu_median(m)'),
	('gpu_median(at)'), ('gpu_mode(n)'), ('gpu_mode(v)'), ('gpu_mode(m)'), ('gpu_count_distinct(n)'), ('gpu_count_distinct(v)'),
	('gpu_count_distinct(m)'), ('gpu_percentile_cont(v, 0.9)'), ('gpu_percentile_cont(m, 0.9)'), ('gpu_percentile_disc(v, 0.9)'),
	('gpu_percentiles_cont(v, ''{0.1, 0.9}'')'), ('gpu_percentiles_disc(v, ''{0.1, 0.9}'')'), ('gpu_topk(v, 3)'), ('gpu_describe(v)'),
	('gpu_stats_agg(v)'), ('gpu_rollup(s)'), ('gpu_histogram(v, 0, 1000, 10)'), ('gpu_histogram2d(v, n, 0, 1000, 10, 0, 1000, 10)'),
	('gpu_weighted_histogram(v, n, 0, 1000, 10)'), ('gpu_array_sum(a)'), ('gpu_moving_min(v, 999)'), ('gpu_moving_median(v, 999)')) AS c (call);
