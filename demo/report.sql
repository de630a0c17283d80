-- The demo's report.  Each question is answered by built-in SQL, which reads the
-- rows of "flight", and by gpuscan, which reads the arrays of "month" or the same
-- rows.
\set QUIET on
\set ON_ERROR_STOP on
\pset footer off
\pset pager off
SET client_min_messages = warning;
SET work_mem = '256MB';

CREATE TABLE answer
(
	question	text,
	sql_ms		numeric,
	first_ms	numeric,
	gpuscan_ms	numeric,
	engine		text,
	equal		boolean
);

-- The times of five runs of a query, in milliseconds.
CREATE FUNCTION milliseconds(query text) RETURNS numeric[]
LANGUAGE plpgsql AS
$$
DECLARE
	start timestamptz;
	runs numeric[];
BEGIN
	FOR run IN 1 .. 5 LOOP
		start := clock_timestamp();
		EXECUTE query;
		runs := runs || 1000 * extract(epoch FROM clock_timestamp() - start)::numeric;
	END LOOP;
	RETURN runs;
END
$$;

CREATE FUNCTION median(runs numeric[]) RETURNS numeric LANGUAGE sql AS
	'SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY r) FROM unnest(runs) AS r';

-- What computes a query over rows: the service, or the ordinary plan here?
CREATE FUNCTION computed_by(query text) RETURNS text
LANGUAGE plpgsql AS
$$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
	RETURN coalesce(substring(plan::text FROM '"Engine": "([^"]*)"'), 'cpu');
END
$$;

-- Answers a question both ways and reports times and equality.  The answer is one
-- row.  Built-in SQL runs as it would without gpuscan, whose first run finds
-- nothing in the service.
CREATE FUNCTION ask(question text, in_sql text, in_gpuscan text, of_rows boolean DEFAULT false)
RETURNS text
LANGUAGE plpgsql AS
$$
DECLARE
	sql_ms numeric;
	cleared bigint := gpuscan_cache_clear();
	runs numeric[] := milliseconds(in_gpuscan);
	gpuscan_ms numeric := median(runs);
	engine text := CASE WHEN of_rows THEN computed_by(in_gpuscan)
		ELSE (SELECT c.engine FROM gpuscan_last_call() AS c) END;
	by_sql text;
	by_gpuscan text;
BEGIN
	EXECUTE format('SELECT s::text FROM (%s) AS s', in_gpuscan) INTO by_gpuscan;
	SET LOCAL gpuscan.reports = off;
	sql_ms := median(milliseconds(in_sql));
	EXECUTE format('SELECT s::text FROM (%s) AS s', in_sql) INTO by_sql;
	SET LOCAL gpuscan.reports = exact;
	INSERT INTO answer VALUES (question, sql_ms, runs[1], gpuscan_ms, engine, by_sql IS NOT DISTINCT FROM by_gpuscan);
	RETURN format('   SQL %s ms, gpuscan %s ms: %s times as fast, results %s',
		round(sql_ms, 1), round(gpuscan_ms, 1), round(sql_ms / gpuscan_ms, 1),
		CASE WHEN by_sql IS NOT DISTINCT FROM by_gpuscan THEN 'equal' ELSE 'NOT EQUAL' END);
END
$$;

-- Use the GPU, if there is one, even where it is hardly faster.
DO $$
BEGIN
	PERFORM set_config('gpuscan.engine', 'gpu', false);
	PERFORM gpu_sum('{1}'::integer[]);
EXCEPTION WHEN object_not_in_prerequisite_state THEN
	NULL;
END
$$;

SELECT format('%s flights in the United States, %s to %s',
		to_char(count(*), 'FM999,999,999'), min(departure)::date, max(departure)::date) AS data,
	format('%s, gpuscan %s',
		substring(version() FROM 'PostgreSQL [^ ]*'),
		(SELECT extversion FROM pg_extension WHERE extname = 'gpuscan')) AS software,
	(SELECT CASE WHEN s.engine = 'cuda' THEN format('on the GPU: %s', s.device)
			WHEN s.engine = 'cpu' THEN 'in the service, which is set to use the CPU'
			ELSE format('on the CPU: %s', s.reason) END
		FROM gpuscan_status() AS s) AS works,
	(SELECT round(ms) FROM arrays_made) AS made
FROM flight \gset
\echo
\echo :data
\echo :software 'works' :works
\echo 'SQL reads rows; gpuscan reads arrays, made from the rows once in' :made 'ms,'
\echo 'and, from question 7 on, the same rows'

\echo
\echo '1. How many flights, and how many hours of delay, up to each day''s end?'
\echo
SELECT day AS "until", to_char(flights, '999,999') AS flights,
	to_char(minutes / 60, '999,999') AS "hours of delay"
FROM month,
	unnest(gpu_where(last_of_day), gpu_compact(gpu_cumsum(delay), last_of_day))
		AS total (flights, minutes),
	LATERAL (SELECT departure::date AS day FROM flight WHERE n = flights) AS last_flight
WHERE extract(day FROM day)::integer % 5 = 1;
SELECT ask('Flights and delay up to each day''s end', $$
	SELECT array_agg(flights ORDER BY day) AS flights, array_agg(delay ORDER BY day) AS delay
	FROM (SELECT departure::date AS day,
			(sum(count(*)) OVER w)::integer AS flights,
			(sum(sum(delay)) OVER w)::bigint AS delay
		FROM flight
		GROUP BY departure::date
		WINDOW w AS (ORDER BY departure::date)) AS d
$$, $$
	SELECT gpu_where(last_of_day) AS flights,
		gpu_compact(gpu_cumsum(delay), last_of_day) AS delay
	FROM month
$$) AS verdict \gset
\echo :verdict

\echo
\echo '2. How does delay pile up, flight by flight, from midnight on? The worst five days:'
\echo
SELECT day, to_char(minutes / 60, '99,999') AS "hours of delay"
FROM month,
	unnest(gpu_where(last_of_day),
		gpu_compact(gpu_cumsum(delay, heads => first_of_day), last_of_day))
		AS total (flights, minutes),
	LATERAL (SELECT departure::date AS day FROM flight WHERE n = flights) AS last_flight
ORDER BY minutes DESC LIMIT 5;
SELECT ask('Delay so far, flight by flight, of each day', $$
	SELECT ARRAY(SELECT sum(delay) OVER (PARTITION BY departure::date ORDER BY n)
		FROM flight ORDER BY n) AS delay
$$, $$
	SELECT gpu_cumsum(delay, heads => first_of_day) AS delay FROM month
$$) AS verdict \gset
\echo :verdict

\echo
\echo '3. Which was the worst delay so far? The last five records:'
\echo
SELECT departure, origin, destination, delay AS minutes
FROM (SELECT o.n
	FROM month,
		unnest(gpu_cummax(delay), gpu_cummax(delay, exclusive => true))
			WITH ORDINALITY AS o (record, before, n)
	WHERE record > before
	ORDER BY o.n DESC LIMIT 5) AS broken
JOIN flight USING (n)
ORDER BY n;
SELECT ask('The worst delay so far', $$
	SELECT ARRAY(SELECT max(delay) OVER (ORDER BY n) FROM flight ORDER BY n) AS worst
$$, $$
	SELECT gpu_cummax(delay) AS worst FROM month
$$) AS verdict \gset
\echo :verdict

\echo
\echo '4. How are delays distributed, in minutes?'
\echo
\pset tuples_only on
\pset format unaligned
SELECT gpuscan_plot(gpu_histogram(delay, -45, 120, 11), 50,
	ARRAY(SELECT format('%s to %s', low, low + 14) FROM generate_series(-45, 105, 15) AS low))
FROM month;
\pset format aligned
\pset tuples_only off
\echo
SELECT ask('Distribution of delay', $$
	SELECT array_agg(coalesce(count, 0) ORDER BY bucket) AS counts
	FROM generate_series(1, 11) AS bucket
	LEFT JOIN (SELECT width_bucket(delay, -45, 120, 11) AS bucket, count(*)
		FROM flight GROUP BY 1) AS counted USING (bucket)
$$, $$
	SELECT gpu_histogram(delay, -45, 120, 11) AS counts FROM month
$$) AS verdict \gset
\echo :verdict

\echo
\echo '5. How many flights are more than an hour late, and by how much?'
\echo
SELECT to_char(gpu_count(late), '999,999') AS flights,
	round(gpu_avg(late), 1) AS "mean, minutes", round(gpu_stddev(late), 1) AS deviation
FROM (SELECT gpu_filter(delay, '>', 60) AS late FROM month OFFSET 0) AS f;
SELECT ask('Late flights: number, mean, deviation', $$
	SELECT count(*), avg(delay), stddev(delay) FROM flight WHERE delay > 60
$$, $$
	SELECT gpu_count(late) AS count, gpu_avg(late) AS avg, gpu_stddev(late) AS stddev
	FROM (SELECT gpu_filter(delay, '>', 60) AS late FROM month OFFSET 0) AS f
$$) AS verdict \gset
\echo :verdict

\echo
\echo '6. How far do they fly?'
\echo
SELECT format('%s to under %s', lower, upper) AS miles, to_char(count, '999,999') AS flights,
	to_char(100.0 * count / sum(count) OVER (), '990.0') AS percent
FROM month, gpu_histogram_table(distance, '{0,250,500,1000,1500,2500,5000}')
WHERE bucket BETWEEN 1 AND 6
ORDER BY bucket;
SELECT ask('Share by distance', $$
	SELECT array_agg(count ORDER BY bucket) AS counts
	FROM (SELECT width_bucket(distance, '{0,250,500,1000,1500,2500,5000}') AS bucket, count(*)
		FROM flight GROUP BY 1) AS counted
$$, $$
	SELECT gpu_histogram(distance, '{0,250,500,1000,1500,2500,5000}') AS counts FROM month
$$) AS verdict \gset
\echo :verdict

\echo
\echo '7. From where do flights come late? The six largest airports:'
\echo
SELECT origin, to_char(gpu_count(delay), '99,999') AS flights, round(gpu_avg(delay), 1) AS "mean, minutes",
	gpu_median(delay) AS median, round(gpu_stddev(delay), 1) AS deviation,
	round(gpu_corr(delay, distance)::numeric, 3) AS "correlation with distance"
FROM flight GROUP BY origin ORDER BY count(*) DESC, origin LIMIT 6;
SELECT ask('Delay by airport: mean, median, deviation', $$
	SELECT array_agg(ROW(origin, mean, median, deviation)::text ORDER BY origin) AS airports
	FROM (SELECT origin, avg(delay) AS mean, percentile_cont(0.5) WITHIN GROUP (ORDER BY delay) AS median,
			stddev(delay) AS deviation
		FROM flight GROUP BY origin) AS a
$$, $$
	SELECT array_agg(ROW(origin, mean, median, deviation)::text ORDER BY origin) AS airports
	FROM (SELECT origin, gpu_avg(delay) AS mean, gpu_median(delay) AS median,
			gpu_stddev(delay) AS deviation
		FROM flight GROUP BY origin) AS a
$$, true) AS verdict \gset
\echo :verdict

\echo
\echo '8. When is it best to fly?  Ordinary SQL, the same for both:'
\echo
SELECT extract(hour FROM departure) AS hour, count(*) AS flights, round(avg(delay), 1) AS "mean, minutes",
	round(100.0 * count(*) FILTER (WHERE delay > 15) / count(*), 1) AS "percent late"
FROM flight WHERE extract(hour FROM departure) % 4 = 2 GROUP BY 1 ORDER BY 1;
SELECT ask('Delay by hour of the day, in ordinary SQL', $$
	SELECT array_agg(ROW(hour, flights, mean, late)::text ORDER BY hour) AS hours
	FROM (SELECT extract(hour FROM departure) AS hour, count(*) AS flights, avg(delay) AS mean,
			count(*) FILTER (WHERE delay > 15) AS late
		FROM flight GROUP BY 1) AS h
$$, $$
	SELECT array_agg(ROW(hour, flights, mean, late)::text ORDER BY hour) AS hours
	FROM (SELECT extract(hour FROM departure) AS hour, count(*) AS flights, avg(delay) AS mean,
			count(*) FILTER (WHERE delay > 15) AS late
		FROM flight GROUP BY 1) AS h
$$, true) AS verdict \gset
\echo :verdict

\echo
\echo '9. When were the last hundred flights worst, on average?'
\echo
SELECT departure AS "until", round(mean, 1) AS "mean, minutes", worst
FROM (SELECT departure, n, gpu_moving_avg(delay, 99) OVER w AS mean, gpu_moving_max(delay, 99) OVER w AS worst
	FROM flight WINDOW w AS (ORDER BY n)) AS f
ORDER BY mean DESC, n LIMIT 1;
SELECT ask('Mean and worst of the last hundred flights', $$
	SELECT array_agg(mean ORDER BY n) AS mean, array_agg(worst ORDER BY n) AS worst
	FROM (SELECT n, avg(delay) OVER w AS mean, max(delay) OVER w AS worst
		FROM flight WINDOW w AS (ORDER BY n ROWS 99 PRECEDING)) AS f
$$, $$
	SELECT array_agg(mean ORDER BY n) AS mean, array_agg(worst ORDER BY n) AS worst
	FROM (SELECT n, gpu_moving_avg(delay, 99) OVER w AS mean, gpu_moving_max(delay, 99) OVER w AS worst
		FROM flight WINDOW w AS (ORDER BY n)) AS f
$$, true) AS verdict \gset
\echo :verdict

\echo
\echo '10. How were the weeks, from a stored summary of each day?'
\echo
CREATE TABLE day_summary AS
SELECT departure::date AS day, gpu_stats_agg(delay) AS delay FROM flight GROUP BY departure::date;
SELECT date_trunc('week', day)::date AS "week of", to_char(gpu_count(gpu_rollup(delay)), '999,999') AS flights,
	round(gpu_avg(gpu_rollup(delay))::numeric, 1) AS "mean, minutes",
	gpu_max(gpu_rollup(delay)) AS worst, round(gpu_stddev(gpu_rollup(delay))::numeric, 1) AS deviation
FROM day_summary GROUP BY 1 ORDER BY 1;
SELECT ask('Weeks, from summaries of days', $$
	SELECT array_agg(ROW(week, flights, minutes, worst, deviation)::text ORDER BY week) AS weeks
	FROM (SELECT date_trunc('week', departure)::date AS week, count(*) AS flights, sum(delay) AS minutes,
			max(delay) AS worst, round(stddev(delay), 9) AS deviation
		FROM flight GROUP BY 1) AS w
$$, $$
	SELECT array_agg(ROW(week, gpu_count(s), gpu_sum(s), gpu_max(s), round(gpu_stddev(s)::numeric, 9))::text ORDER BY week) AS weeks
	FROM (SELECT date_trunc('week', day)::date AS week, gpu_rollup(delay) AS s
		FROM day_summary GROUP BY 1) AS w
$$, true) AS verdict \gset
\echo :verdict

\echo
\echo 'All questions, medians of five runs in ms; of reports over rows, the first run reads the table:'
\echo
SELECT question, engine, round(sql_ms, 1) AS "SQL", round(first_ms, 1) AS "gpuscan, first",
	round(gpuscan_ms, 1) AS "gpuscan", round(sql_ms / gpuscan_ms, 1) AS ratio,
	CASE WHEN equal THEN 'yes' ELSE 'NO' END AS equal
FROM answer;

DO $$
BEGIN
	IF (SELECT NOT bool_and(equal) OR count(*) <> 10 FROM answer) THEN
		RAISE 'results differ';
	END IF;
END
$$;
