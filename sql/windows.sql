-- Window functions, over the readings of the tests of aggregates: what the
-- array functions give for array_agg over the frame, to the last bit.
SET extra_float_digits = 1;

CREATE TEMP VIEW data AS SELECT grp, i, s, n, b / 1000 AS b, r, d FROM readings;
-- How a window function differs from a function of its frame's array, by
-- column.  ORDER BY is not part of "frame".  Window functions run in the
-- backend, whatever the engine; here so do the functions of arrays, of which
-- there is one a row.
CREATE FUNCTION compare_window(function text, arguments text, array_function text, frame text)
RETURNS TABLE (differences text) LANGUAGE plpgsql SET gpuscan.engine = cpu AS
$$
DECLARE
	type text;
BEGIN
	FOREACH type IN ARRAY '{s, n, b, r, d}'::text[] LOOP
		RETURN QUERY EXECUTE format('SELECT format(''%1$s %%s of %%s'', count(*) FILTER (
				WHERE given IS DISTINCT FROM wanted), count(*))
			FROM (SELECT %2$s(%1$s%3$s) OVER (PARTITION BY grp ORDER BY i)::text AS given,
					(%4$s(coalesce(array_agg(%1$s) OVER (PARTITION BY grp ORDER BY i ROWS %5$s), ''{}''))%6$s)::text AS wanted
				  FROM data) AS w',
			type, function, arguments, array_function, frame,
			CASE WHEN function ~ 'sum' AND type = 'b' THEN '::bigint' ELSE '' END);
	END LOOP;
END
$$;
SELECT function, compare_window(function, '', array_function, 'UNBOUNDED PRECEDING')
FROM (VALUES ('gpu_cumsum', 'gpu_sum'), ('gpu_cumcount', 'gpu_count'), ('gpu_cummin', 'gpu_min'), ('gpu_cummax', 'gpu_max')) AS f (function, array_function);
-- products of fewer numbers, which are not out of range
CREATE OR REPLACE TEMP VIEW data AS SELECT grp * 1000 + i / 16 AS grp, i, s, n, b / 1000 AS b, r, d
FROM readings WHERE grp NOT IN (1, 7);
SELECT compare_window('gpu_cumprod', '', 'gpu_product', 'UNBOUNDED PRECEDING');
CREATE OR REPLACE TEMP VIEW data AS SELECT grp, i, s, n, b / 1000 AS b, r, d FROM readings;

SELECT moving, p, f, coalesce(string_agg(different, ', ') FILTER (WHERE different !~ ' 0 of'), 'same') AS result
FROM unnest('{sum, avg, min, max, stddev}'::text[]) AS moving,
	(VALUES (0, 0), (1, 0), (7, 0), (40, 0), (5, 3), (0, 6), (300, 300), (2147483647, 2147483647)) AS o (p, f),
	LATERAL compare_window('gpu_moving_' || moving, format(', %s, %s', p, f), 'gpu_' || moving,
		format('BETWEEN %s PRECEDING AND %s FOLLOWING', p, f)) AS different
GROUP BY moving, p, f ORDER BY moving, p, f;

-- Against the built-in ones, where those are exact.
SELECT bool_and(gpu_cumsum = sum) AS sum, bool_and(gpu_cumcount = count) AS count,
	bool_and(gpu_moving_avg::text = avg::text) AS avg, bool_and(gpu_moving_stddev::text = stddev::text) AS stddev,
	bool_and(gpu_moving_max = max) AS max
FROM (SELECT gpu_cumsum(n) OVER w, sum(n) OVER w, gpu_cumcount(n) OVER w, count(n) OVER w,
		gpu_moving_avg(n, 9) OVER w, avg(n) OVER f AS avg,
		gpu_moving_stddev(b, 9) OVER w, stddev(b) OVER f AS stddev,
		gpu_moving_max(s, 9) OVER w, max(s) OVER f AS max
	FROM readings WINDOW w AS (PARTITION BY grp ORDER BY i),
		f AS (PARTITION BY grp ORDER BY i ROWS 9 PRECEDING)) AS r;
-- 1e20 enters and leaves the frame, without any effect on later sums.
SELECT i, v, gpu_moving_sum(v, 1) OVER w AS sum, gpu_moving_avg(v, 1) OVER w AS avg,
	gpu_moving_stddev(v, 2) OVER w AS stddev, sum(v) OVER (ORDER BY i ROWS 1 PRECEDING) AS built_in,
	gpu_cumsum(v) OVER w
FROM (VALUES (1, 1::float8), (2, 1e20), (3, 1), (4, 3), (5, NULL), (6, NULL), (7, 2), (8, 1e308), (9, -1e308),
	(10, 'Infinity'), (11, 1), (12, '-0'), (13, 'NaN'), (14, '-0'), (15, '-0')) AS t (i, v)
WINDOW w AS (ORDER BY i) ORDER BY i;
SELECT i, gpu_cummin(v) OVER w, gpu_cummax(v) OVER w, gpu_moving_min(v, 1) OVER w, gpu_moving_max(v, 1) OVER w
FROM (VALUES (1, 0::real), (2, '-0'), (3, 0), (4, 'NaN'), (5, '-Infinity')) AS t (i, v)
WINDOW w AS (ORDER BY i) ORDER BY i;

-- Rows, not peers; the frame clause is ignored, which a notice says; FILTER is for aggregates only.
SELECT v, gpu_cumsum(v) OVER (ORDER BY v) AS rows, sum(v) OVER (ORDER BY v) AS peers,
	gpu_cumsum(v) OVER (ORDER BY v ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS framed
FROM (VALUES (1), (1), (2), (2)) AS t (v);
SELECT gpu_cumsum(v) OVER w, gpu_cumsum(v) OVER w + gpu_cummax(v) OVER w AS both,
	gpu_moving_sum(v, preceding => 0, following => 1) OVER w AS next
FROM (VALUES (1), (2), (4)) AS t (v) WINDOW w AS ();
SELECT error_of('SELECT gpu_cumsum(v) FILTER (WHERE true) OVER () FROM (VALUES (1)) AS t (v)');
SELECT error_of('SELECT gpu_cumsum(v) FROM (VALUES (1)) AS t (v)');

-- Many partitions, some of one row, and long ones
SELECT count(*), count(DISTINCT s) FILTER (WHERE s = v) AS own
FROM (SELECT v, gpu_cumsum(v) OVER (PARTITION BY v) + gpu_moving_avg(v, 5, 5) OVER (PARTITION BY v)
		+ gpu_cumprod(v) OVER (PARTITION BY v) - 2 * v AS s
	FROM (SELECT i::float8 AS v FROM generate_series(1, 5000) AS i) AS t) AS p;
SELECT sum(abs(g - b)) FROM (SELECT gpu_moving_sum(i, 5000, 100) OVER w AS g,
	sum(i) OVER (ORDER BY i ROWS BETWEEN 5000 PRECEDING AND 100 FOLLOWING) AS b
	FROM generate_series(1, 30000) AS i WINDOW w AS (ORDER BY i)) AS d;
SELECT count(*) FROM (SELECT gpu_moving_max(v, 999, 50) OVER w AS g,
	max(v) OVER (ORDER BY i ROWS BETWEEN 999 PRECEDING AND 50 FOLLOWING) AS b
	FROM (SELECT i, noise(i) AS v FROM generate_series(1, 5000) AS i OFFSET 0) AS n WINDOW w AS (ORDER BY i)) AS d
WHERE g <> b;

-- Wrong arguments
SELECT offsets, error_of(format('SELECT gpu_moving_sum(v, %s) OVER () FROM (VALUES (1), (2)) AS t (v)', offsets))
FROM unnest('{-1, "NULL", "1, -5", "1, NULL", v, "0, v", "0, v - v"}'::text[]) AS offsets;
SELECT split_part(error_of('SELECT gpu_moving_sum(v, 2147483648) OVER () FROM (VALUES (1), (2)) AS t (v)'), E'\n', 1) AS first_line;
SELECT error_of('SELECT gpu_cumsum(v) OVER () FROM (VALUES (9223372036854775807), (1)) AS t (v)');
SELECT error_of('SELECT gpu_moving_sum(v, 1) OVER () FROM (VALUES (9223372036854775807), (1)) AS t (v)');
SELECT error_of('SELECT gpu_cumsum(v) OVER () FROM (VALUES (1e308::float8), (1e308)) AS t (v)');
SELECT error_of('SELECT gpu_cumsum(v) OVER () FROM (VALUES (3e38::real), (3e38)) AS t (v)');
SELECT error_of('SELECT gpu_cumprod(v) OVER () FROM (VALUES (1e200::float8), (1e200)) AS t (v)');
SELECT error_of('SELECT gpu_cumprod(1.5) OVER ()');
SELECT error_of('SELECT gpu_moving_avg(1.5, -2) OVER ()');
-- Only results can be out of range.
SELECT array_agg(s) FROM (SELECT gpu_moving_sum(v, 2) OVER (ORDER BY i) AS s
	FROM (VALUES (1, 1e308::float8), (2, -1e308), (3, 1e308), (4, -1e308)) AS t (i, v)) AS m;
SELECT array_agg(s) FROM (SELECT gpu_moving_sum(v, 1) OVER (ORDER BY i) AS s
	FROM (VALUES (1, 9223372036854775807), (2, -9223372036854775807), (3, 9223372036854775807)) AS t (i, v)) AS m;
SELECT count(*) FROM (SELECT gpu_cumsum(v) OVER () FROM (SELECT 1 AS v WHERE false) AS t) AS none;

-- A frame clause that says something else is told of, once a function and window: by
-- the planner, which loads the library for it.
\c
SELECT gpu_moving_sum(v, 1) OVER w, gpu_moving_sum(-v, 1) OVER w, gpu_cumcount(v) OVER w, gpu_sum(v) OVER w
FROM (VALUES (1), (2), (4)) AS t (v) WINDOW w AS (ORDER BY v ROWS 2 PRECEDING);
SELECT gpu_cummax(v) OVER (ORDER BY v RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM (VALUES (2), (1)) AS t (v);
SELECT gpu_cumprod(v) OVER (ORDER BY v ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) FROM (VALUES (1), (2)) AS t (v);
-- but not one that says the same, or what is said without one
SELECT gpu_cumsum(v) OVER (ORDER BY v ROWS UNBOUNDED PRECEDING) AS a, gpu_cummin(v) OVER (ORDER BY v ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS b,
	gpu_cummin(v) OVER (ORDER BY v RANGE UNBOUNDED PRECEDING) AS c, gpu_moving_avg(v, 1) OVER (ORDER BY v RANGE UNBOUNDED PRECEDING) AS d,
	gpu_moving_avg(v, 1) OVER () AS e, lag(v) OVER (ORDER BY v ROWS 1 PRECEDING) AS f
FROM (VALUES (1), (2)) AS t (v);

DROP FUNCTION compare_window;
