-- Reports over a column of :rows doubles: built-in aggregates and window
-- functions beside gpuscan's.  Prints a JSON array.
--
-- Every statement returns a column r.  The timed statement counts r; results
-- are equal if the sums of r and of its square agree up to rounding.
\set QUIET on
\set ON_ERROR_STOP on
\pset tuples_only on
\pset format unaligned
SET client_min_messages = warning;
SET jit = off;
SELECT set_config('bench.runs', :'runs', false), set_config('bench.rows', :'rows', false) \g /dev/null
\ir numbers.sql

CREATE TABLE numbers AS
SELECT i AS ord, i % 100 AS g, i::bigint * 7919 % 1000000 AS k, number(i) AS v FROM generate_series(1, :rows) AS i;
-- for statements that need minutes in built-in SQL
CREATE TABLE tenth AS SELECT * FROM numbers WHERE ord <= :rows / 10;
CREATE TABLE hundredth AS SELECT * FROM numbers WHERE ord <= :rows / 100;
VACUUM ANALYZE numbers;
VACUUM ANALYZE tenth;
VACUUM ANALYZE hundredth;

CREATE TABLE statement
(
	ord		integer GENERATED ALWAYS AS IDENTITY,
	name	text,
	workers	integer,
	in_sql	text,			-- returns r
	in_gpuscan text,
	beyond	text,			-- work that both include, also timed alone
	sql_ms	numeric,
	gpuscan_ms numeric,
	beyond_ms numeric,
	equal	boolean
);

INSERT INTO statement (name, workers, in_sql, in_gpuscan)
SELECT format('%s of a column%s', f, CASE WHEN w > 0 THEN format(', %s workers', w) END), w,
	format('SELECT %s(v) AS r FROM numbers', f), format('SELECT gpu_%s(v) AS r FROM numbers', f)
FROM unnest('{sum,avg,stddev}'::text[]) AS f, unnest('{0,8}'::integer[]) AS w;

INSERT INTO statement (name, workers, in_sql, in_gpuscan)
SELECT format('%s by %s groups', f, n), 0,
	format('SELECT %s(v) AS r FROM numbers GROUP BY %s', f, c), format('SELECT gpu_%s(v) AS r FROM numbers GROUP BY %s', f, c)
FROM unnest('{sum,stddev}'::text[]) AS f, (VALUES ('g', '100'), ('k', '1,000,000')) AS c (c, n);

INSERT INTO statement (name, workers, in_sql, in_gpuscan, beyond) VALUES
('256-bucket histogram of a column', 0,
	'SELECT count(*) AS r FROM numbers GROUP BY width_bucket(v, 0, 1, 256)',
	'SELECT unnest(gpu_histogram(v, 0, 1, 256)) AS r FROM numbers', NULL),
('median of a column', 0,
	'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY v) AS r FROM numbers',
	'SELECT gpu_median(v) AS r FROM numbers', NULL),
('distinct values of a column', 0,
	'SELECT count(DISTINCT v) AS r FROM numbers',
	'SELECT gpu_count_distinct(v) AS r FROM numbers', NULL),
('running sum of a column', 0,
	'SELECT sum(v) OVER (ORDER BY ord) AS r FROM numbers',
	'SELECT gpu_cumsum(v) OVER (ORDER BY ord) AS r FROM numbers',
	'SELECT v AS r FROM numbers ORDER BY ord OFFSET 0'),
('row_number() of a column, for comparison', 0,
	'SELECT row_number() OVER (ORDER BY ord) AS r FROM numbers',
	'SELECT gpu_cumcount(v) OVER (ORDER BY ord) AS r FROM numbers',
	'SELECT v AS r FROM numbers ORDER BY ord OFFSET 0'),
('running sum of a column, ROWS', 0,
	'SELECT sum(v) OVER (ORDER BY ord ROWS UNBOUNDED PRECEDING) AS r FROM numbers',
	'SELECT gpu_cumsum(v) OVER (ORDER BY ord) AS r FROM numbers',
	'SELECT v AS r FROM numbers ORDER BY ord OFFSET 0'),
('running sum in 100 partitions', 0,
	'SELECT sum(v) OVER (PARTITION BY g ORDER BY ord) AS r FROM numbers',
	'SELECT gpu_cumsum(v) OVER (PARTITION BY g ORDER BY ord) AS r FROM numbers',
	'SELECT v AS r FROM numbers ORDER BY g, ord OFFSET 0'),
('running sum in 100 partitions, ROWS', 0,
	'SELECT sum(v) OVER (PARTITION BY g ORDER BY ord ROWS UNBOUNDED PRECEDING) AS r FROM numbers',
	'SELECT gpu_cumsum(v) OVER (PARTITION BY g ORDER BY ord) AS r FROM numbers',
	'SELECT v AS r FROM numbers ORDER BY g, ord OFFSET 0'),
('running sum in partitions of one row, ROWS', 0,
	'SELECT sum(v) OVER (PARTITION BY ord ORDER BY ord ROWS UNBOUNDED PRECEDING) AS r FROM numbers',
	'SELECT gpu_cumsum(v) OVER (PARTITION BY ord ORDER BY ord) AS r FROM numbers',
	'SELECT v AS r FROM numbers ORDER BY ord OFFSET 0'),
('moving average of 100 rows, a tenth of the rows', 0,
	'SELECT avg(v) OVER (ORDER BY ord ROWS BETWEEN 99 PRECEDING AND CURRENT ROW) AS r FROM tenth',
	'SELECT gpu_moving_avg(v, 99) OVER (ORDER BY ord) AS r FROM tenth', NULL),
('sum over a frame of 100 rows, a tenth of the rows', 0,
	'SELECT sum(v) OVER (ORDER BY ord ROWS BETWEEN 99 PRECEDING AND CURRENT ROW) AS r FROM tenth',
	'SELECT gpu_sum(v) OVER (ORDER BY ord ROWS BETWEEN 99 PRECEDING AND CURRENT ROW) AS r FROM tenth', NULL),
('greatest of 10,000 rows, moving, a hundredth of the rows', 0,
	'SELECT max(v) OVER (ORDER BY ord ROWS BETWEEN 9999 PRECEDING AND CURRENT ROW) AS r FROM hundredth',
	'SELECT gpu_moving_max(v, 9999) OVER (ORDER BY ord) AS r FROM hundredth', NULL);

-- The median time of some runs; a single run if it takes over two seconds.
CREATE FUNCTION milliseconds(query text, runs integer) RETURNS numeric LANGUAGE plpgsql AS
$$
DECLARE
	start timestamptz;
	elapsed numeric;
	times numeric[];
BEGIN
	FOR run IN 0 .. runs LOOP
		start := clock_timestamp();
		EXECUTE format('SELECT count(r) FROM (%s) AS q', query);
		elapsed := 1000 * extract(epoch FROM clock_timestamp() - start)::numeric;
		IF elapsed > 2000 THEN
			RETURN elapsed;
		END IF;
		IF run > 0 THEN	-- the first run warms up
			times := times || elapsed;
		END IF;
	END LOOP;
	RETURN (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY t) FROM unnest(times) AS t);
END
$$;

CREATE FUNCTION near(a double precision, b double precision) RETURNS boolean LANGUAGE sql
	AS 'SELECT abs(a - b) <= 1e-9 * abs(b)';

DO $$
DECLARE
	runs integer := current_setting('bench.runs')::integer;
	digest text := 'SELECT sum(r::float8) AS sum, sum(r::float8 * r::float8) AS squares FROM (%s) AS q';
	st statement;
	s record;
	g record;
BEGIN
	SET LOCAL min_parallel_table_scan_size = 0;
	SET LOCAL parallel_setup_cost = 0;
	FOR st IN SELECT * FROM statement ORDER BY ord LOOP
		PERFORM set_config('max_parallel_workers_per_gather', st.workers::text, true);
		st.sql_ms := milliseconds(st.in_sql, runs);
		st.gpuscan_ms := milliseconds(st.in_gpuscan, runs);
		IF st.beyond IS NOT NULL THEN
			st.beyond_ms := milliseconds(st.beyond, runs);
		END IF;
		-- over at most 2000000 rows, else this takes longer than the measurement
		EXECUTE format(digest, replace(st.in_sql, 'FROM numbers', 'FROM (SELECT * FROM numbers LIMIT 2000000) AS n')) INTO s;
		EXECUTE format(digest, replace(st.in_gpuscan, 'FROM numbers', 'FROM (SELECT * FROM numbers LIMIT 2000000) AS n')) INTO g;
		st.equal := near(s.sum, g.sum) AND near(s.squares, g.squares);
		UPDATE statement SET sql_ms = st.sql_ms, gpuscan_ms = st.gpuscan_ms, beyond_ms = st.beyond_ms, equal = st.equal
		WHERE ord = st.ord;
	END LOOP;
END
$$;

SELECT jsonb_agg(jsonb_build_object('name', name, 'built-in SQL', round(sql_ms, 1), 'gpuscan', round(gpuscan_ms, 1),
	'beyond', round(beyond_ms, 1), 'same', equal) ORDER BY ord)
FROM statement;
DROP TABLE statement, numbers, tenth, hundredth;
DROP FUNCTION milliseconds, near, number, mixed;
