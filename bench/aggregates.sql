-- The cost of aggregates of a column, compared with the built-in ones.  The two
-- run alternately, so that other load on the host affects both alike.  Prints a
-- Markdown table.
--
--	psql -X -v rows=10000000 -v runs=11 -f bench/aggregates.sql
--
-- Times are medians over the runs, ratios are medians over pairs of runs.  The
-- processor time is the scheduler's, for this process only, so no parallel plans.
\set QUIET on
\set ON_ERROR_STOP on
\pset tuples_only on
\pset format unaligned
SET client_min_messages = warning;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET work_mem = '256MB';
SELECT set_config('bench.runs', :'runs', false) \g /dev/null
\ir numbers.sql

CREATE TABLE numbers AS
SELECT i AS ord, i % 100 AS g, number(i) AS v, number(i)::real AS r FROM generate_series(1, :rows) AS i;
VACUUM (FREEZE, ANALYZE) numbers;

CREATE FUNCTION processor_ms() RETURNS double precision LANGUAGE sql VOLATILE
	AS $$ SELECT split_part(pg_read_file('/proc/self/schedstat'), ' ', 1)::bigint / 1e6 $$;

-- Elapsed time and processor time, in milliseconds.
CREATE FUNCTION run(query text, OUT ms double precision, OUT processor double precision) LANGUAGE plpgsql AS
$$
DECLARE
	start timestamptz := clock_timestamp();
	before double precision := processor_ms();
BEGIN
	EXECUTE format('SELECT count(r) FROM (%s) AS q', query);
	processor := processor_ms() - before;
	ms := 1000 * extract(epoch FROM clock_timestamp() - start);
END
$$;

CREATE FUNCTION compare(built_in text, gpuscan text, runs integer) RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	result text;
BEGIN
	PERFORM run(built_in), run(gpuscan);	-- warm-up
	CREATE TEMP TABLE pair (a double precision, a_processor double precision,
		b double precision, b_processor double precision) ON COMMIT DROP;
	FOR i IN 1 .. runs LOOP
		INSERT INTO pair SELECT a.ms, a.processor, b.ms, b.processor FROM run(built_in) AS a, run(gpuscan) AS b;
	END LOOP;
	SELECT format('%s | %s | %s | %s | %s | %s',
		round(percentile_cont(0.5) WITHIN GROUP (ORDER BY a)),
		round(percentile_cont(0.5) WITHIN GROUP (ORDER BY b)),
		round((percentile_cont(0.5) WITHIN GROUP (ORDER BY b / a))::numeric, 2),
		round(percentile_cont(0.5) WITHIN GROUP (ORDER BY a_processor)),
		round(percentile_cont(0.5) WITHIN GROUP (ORDER BY b_processor)),
		round((percentile_cont(0.5) WITHIN GROUP (ORDER BY b_processor / nullif(a_processor, 0)))::numeric, 2))
	INTO result FROM pair;
	DROP TABLE pair;
	RETURN result;
END
$$;

\echo '| aggregate | built-in, ms | gpuscan, ms | ratio | built-in, processor | gpuscan, processor | ratio |'
\echo '|---|---|---|---|---|---|---|'
SELECT format('| %s | %s |', name, compare(
	format('SELECT %s AS r FROM numbers %s', call, clause),
	format('SELECT %s AS r FROM numbers %s', regexp_replace(call, '(\w+)\(', 'gpu_\1(', 'g'), clause),
	current_setting('bench.runs')::integer))
FROM (VALUES ('count(v)'), ('sum(v)'), ('avg(v)'), ('stddev(v)'), ('min(v)'), ('sum(r)'),
		('sum(ord)'), ('avg(ord)'), ('stddev(ord)'),
		('count(v) + sum(v) + avg(v) + min(v) + stddev(v)')) AS c (call),
	(VALUES ('', ''), (' by 100 groups', 'GROUP BY g')) AS g (by, clause),
	LATERAL (SELECT CASE WHEN call ~ '\+' THEN 'these five' ELSE call END || by AS name) AS n;
DROP TABLE numbers;
DROP FUNCTION compare, run, processor_ms, number, mixed;
