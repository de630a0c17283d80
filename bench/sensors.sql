-- Reductions of stored arrays over the rows of a table: 1,000 sensors, each with 100,000 measurements.  In a database
-- with gpuscan, on a server whose service has a device:
--
--		psql -Xq -f bench/sensors.sql
--
-- Each statement is executed 15 times after two that are not counted; printed are the median, and that divided by the
-- rows.  "alone" asks for one array at a time: the rows come from a subquery that is no table's scan.
\set VERBOSITY terse
\set ON_ERROR_STOP on
SET client_min_messages = error;
CREATE TABLE IF NOT EXISTS sensor (id integer, name text, a double precision[], r real[], n integer[]);
ALTER TABLE sensor ALTER a SET STORAGE EXTERNAL, ALTER r SET STORAGE EXTERNAL, ALTER n SET STORAGE EXTERNAL;
TRUNCATE sensor;
INSERT INTO sensor SELECT s, 'sensor ' || s, v, v::real[], v::integer[]
FROM generate_series(1, 1000) AS s, LATERAL (SELECT array_agg(sqrt(i) * s + sin(i + s)) AS v
	FROM generate_series(1, 100000) AS i) AS series;
VACUUM ANALYZE sensor;
CREATE OR REPLACE FUNCTION median_ms(statement text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	times numeric[];
	since timestamptz;
BEGIN
	FOR i IN 1..17 LOOP
		since := clock_timestamp();
		EXECUTE statement;
		times := times || 1000 * extract(epoch FROM clock_timestamp() - since)::numeric;
	END LOOP;
	RETURN (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY t) FROM unnest(times[3:]) AS t);
END $$;
SET gpuscan.engine = gpu;
SELECT calls, round(median_ms(format('SELECT count(*), %s FROM sensor', sums)), 2) AS ms,
	round(median_ms(format('SELECT count(*), %s FROM (SELECT * FROM sensor OFFSET 0) AS s', sums)), 2) AS alone_ms
FROM (VALUES ('avg', 'sum(gpu_avg(a))'), ('avg and stddev', 'sum(gpu_avg(a)), sum(gpu_stddev(a))'),
	('stats', 'count(gpu_stats(a))'), ('min, max', 'min(gpu_min(a)), max(gpu_max(a))'),
	('sum of real', 'sum(gpu_sum(r))'), ('sum of integer', 'sum(gpu_sum(n))')) AS s (calls, sums);
SET gpuscan.engine = cpu;
SET max_parallel_workers_per_gather = 0;
SELECT 'avg and stddev on the CPU' AS calls, round(median_ms('SELECT sum(gpu_avg(a)), sum(gpu_stddev(a)) FROM sensor'), 2) AS ms;
SELECT 'the same in SQL' AS calls, round(median_ms('SELECT sum(m), sum(d) FROM (SELECT avg(x) AS m, stddev(x) AS d FROM sensor, unnest(a) AS x WHERE id <= 10 GROUP BY id) AS s') * 100, 0) AS ms;
