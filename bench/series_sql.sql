-- Functions of series beside the same in SQL over unnest, on the CPU, one core:
--
--	psql -Xq -f bench/series_sql.sql
--
-- in an empty database with gpuscan.  Arrays of a million elements, read from a
-- table.  Whole statements in milliseconds, the least of 3, of SQL's of 2.
SET gpuscan.engine = cpu;
SET max_parallel_workers_per_gather = 0;
SET work_mem = '1GB';
SET client_min_messages = warning;

CREATE TABLE series AS
SELECT array_agg(random() * 1000 ORDER BY o) AS a, array_agg(random() * 200 - 100 ORDER BY o) AS b, array_agg(random() * 2 - 1 ORDER BY o) AS c,
	array_agg((o * 7 % 1000003)::integer ORDER BY o) AS i, array_agg((1 + o * 7919 % 1000000)::integer ORDER BY o) AS places,
	array_agg(random() > 0.5 ORDER BY o) AS flags, array_agg(o * 10::float8 ORDER BY o) AS times, '{}'::float8[] AS edges
FROM generate_series(1, 1000000::bigint) AS o;
UPDATE series SET edges = (SELECT array_agg(e::float8 ORDER BY e) FROM generate_series(0, 99) AS e);

CREATE FUNCTION least_of(runs integer, query text) RETURNS float8 LANGUAGE plpgsql AS
$$
DECLARE
	least float8;
	began timestamptz;
	took float8;
BEGIN
	FOR run IN 1 .. runs LOOP
		began := clock_timestamp();
		EXECUTE query;
		took := 1000 * extract(epoch FROM clock_timestamp() - began);
		least := least(least, took);
	END LOOP;
	RETURN least;
END
$$;

CREATE TABLE pair (call text, of_sql text);
INSERT INTO pair VALUES
	('gpu_add(a, b)', 'array_agg(x + y) FROM unnest(a, b) AS u (x, y)'),
	('gpu_multiply(a, 2.5::float8)', 'array_agg(x * 2.5::float8) FROM unnest(a) AS x'),
	('gpu_divide(b, a)', 'array_agg(y / x) FROM unnest(a, b) AS u (x, y)'),
	('gpu_abs(b)', 'array_agg(abs(x)) FROM unnest(b) AS x'),
	('gpu_round(b)', 'array_agg(round(x)) FROM unnest(b) AS x'),
	('gpu_round(b, 2)', 'array_agg(round(x::numeric, 2)::float8) FROM unnest(b) AS x'),
	('gpu_sqrt(a)', 'array_agg(sqrt(x)) FROM unnest(a) AS x'),
	('gpu_exp(c)', 'array_agg(exp(x)) FROM unnest(c) AS x'),
	('gpu_ln(a)', 'array_agg(ln(x)) FROM unnest(a) AS x'),
	('gpu_power(a, 1.5)', 'array_agg(power(x, 1.5::float8)) FROM unnest(a) AS x'),
	('gpu_clip(b, -10, 10)', 'array_agg(least(greatest(x, -10), 10)) FROM unnest(b) AS x'),
	('gpu_compare(a, ''>'', 500)', 'array_agg(x > 500) FROM unnest(a) AS x'),
	('gpu_between(a, 250, 750)', 'array_agg(x BETWEEN 250 AND 750) FROM unnest(a) AS x'),
	('gpu_if(flags, a, b)', 'array_agg(CASE WHEN f THEN x ELSE y END) FROM unnest(flags, a, b) AS u (f, x, y)'),
	('gpu_filter(a, ''>'', 500)', 'array_agg(x) FILTER (WHERE x > 500) FROM unnest(a) AS x'),
	('gpu_take(a, places)', 'array_agg(v.x ORDER BY p.o) FROM unnest(places) WITH ORDINALITY AS p (p, o) JOIN unnest(a) WITH ORDINALITY AS v (x, o) ON v.o = p.p'),
	('gpu_reverse(a)', 'array_agg(x ORDER BY o DESC) FROM unnest(a) WITH ORDINALITY AS u (x, o)'),
	('gpu_shift(a)', 'array_agg(y) FROM (SELECT lag(x) OVER (ORDER BY o) AS y FROM unnest(a) WITH ORDINALITY AS u (x, o)) AS s'),
	('gpu_diff(a)', 'array_agg(y) FROM (SELECT x - lag(x) OVER (ORDER BY o) AS y FROM unnest(a) WITH ORDINALITY AS u (x, o)) AS s'),
	('gpu_changes(i)', 'array_agg(y) FROM (SELECT x IS DISTINCT FROM lag(x) OVER (ORDER BY o) AS y FROM unnest(i) WITH ORDINALITY AS u (x, o)) AS s'),
	('gpu_pct_change(a)', 'array_agg(y) FROM (SELECT x / lag(x) OVER (ORDER BY o) - 1 AS y FROM unnest(a) WITH ORDINALITY AS u (x, o)) AS s'),
	('gpu_rank(a)', 'array_agg(r ORDER BY o) FROM (SELECT o, rank() OVER (ORDER BY x)::integer AS r FROM unnest(a) WITH ORDINALITY AS u (x, o)) AS s'),
	('gpu_dense_rank(i)', 'array_agg(r ORDER BY o) FROM (SELECT o, dense_rank() OVER (ORDER BY x)::integer AS r FROM unnest(i) WITH ORDINALITY AS u (x, o)) AS s'),
	('gpu_cume_dist(a)', 'array_agg(r ORDER BY o) FROM (SELECT o, cume_dist() OVER (ORDER BY x) AS r FROM unnest(a) WITH ORDINALITY AS u (x, o)) AS s'),
	('gpu_ntile(a, 10)', 'array_agg(r ORDER BY o) FROM (SELECT o, ntile(10) OVER (ORDER BY x) AS r FROM unnest(a) WITH ORDINALITY AS u (x, o)) AS s'),
	('ARRAY[gpu_corr(a, b)]', 'ARRAY[corr(x, y)] FROM unnest(a, b) AS u (x, y)'),
	('gpu_moving_avg(a, 99)', 'array_agg(y) FROM (SELECT avg(x) OVER (ORDER BY o ROWS 99 PRECEDING) AS y FROM unnest(a) WITH ORDINALITY AS u (x, o)) AS s'),
	('gpu_moving_stddev(a, 99)', 'array_agg(y) FROM (SELECT stddev(x) OVER (ORDER BY o ROWS 99 PRECEDING) AS y FROM unnest(a) WITH ORDINALITY AS u (x, o)) AS s'),
	('gpu_moving_corr(a, b, 99)', 'array_agg(z) FROM (SELECT corr(x, y) OVER (ORDER BY o ROWS 99 PRECEDING) AS z FROM unnest(a, b) WITH ORDINALITY AS u (x, y, o)) AS s'),
	('gpu_searchsorted(edges, a)', 'array_agg(width_bucket(x, edges)) FROM unnest(a) AS x'),
	('(gpu_resample(times, a, 3600::float8, ''avg'')).results', 'array_agg(y) FROM (SELECT avg(x) AS y FROM unnest(times, a) AS u (t, x) GROUP BY floor(t / 3600) ORDER BY floor(t / 3600)) AS s'),
	('ARRAY[gpu_time_weighted_avg(times, a, ''linear'')]',
		'ARRAY[sum(y) / (max(t) - min(t))] FROM (SELECT t, (t - lag(t) OVER w) * (x + lag(x) OVER w) / 2 AS y FROM unnest(times, a) AS u (t, x) WINDOW w AS (ORDER BY t)) AS s');

\pset format aligned
SELECT call, round(ours::numeric, 2) AS ms, round(theirs::numeric) AS sql_ms, round((theirs / ours)::numeric, 1) AS times
FROM pair, LATERAL (SELECT least_of(3, 'SELECT cardinality(' || call || ') FROM series') AS ours,
	least_of(2, 'SELECT cardinality((SELECT ' || of_sql || ')) FROM series') AS theirs) AS t
ORDER BY theirs / ours;
