-- Aggregates of pairs: covariance, correlation, regression.  Exact, so the same
-- bits in every plan; NULL where the built-in ones are.
SET extra_float_digits = 1;
SET max_parallel_workers_per_gather = 0;
SET enable_partitionwise_aggregate = off;
SET jit = off;

CREATE FUNCTION all_pairs(arguments text) RETURNS text LANGUAGE sql AS
$$
	SELECT 'ARRAY[' || string_agg(name || arguments || '::text', ', '
		ORDER BY name COLLATE "C") || ']'
	FROM unnest('{gpu_corr, gpu_covar_pop, gpu_covar_samp, gpu_regr_slope,
		gpu_regr_intercept, gpu_regr_r2}'::text[]) AS name
$$;

-- Of integers, numeric gives the exact results to 60 digits.
CREATE TABLE wanted AS
SELECT grp, n, ARRAY[
	CASE WHEN b <> 0 AND c <> 0 THEN sign(a) * sqrt(round(a * a / (b * c), 80)) END,
	CASE WHEN n > 0 THEN a / (n * n) END,
	CASE WHEN n > 1 THEN a / (n * (n - 1)) END,
	CASE WHEN b <> 0 THEN (y * xx - x * xy) / b END,
	CASE WHEN b <> 0 AND c = 0 THEN 1 WHEN b <> 0 THEN a * a / (b * c) END,
	CASE WHEN b <> 0 THEN a / b END]::float8[]::text[] AS results
FROM (SELECT *, n * xy - x * y AS a, n * xx - x * x AS b, n * yy - y * y AS c
	FROM (SELECT grp, round(count(*), 80) AS n, sum(s)::numeric AS x, sum(y) AS y,
			sum(s * s)::numeric AS xx, sum(y * y) AS yy, sum(s * y) AS xy
		FROM (SELECT grp, s::bigint, (s / 3 * 10007 + i * i)::numeric AS y FROM readings WHERE s IS NOT NULL
			UNION ALL SELECT 100 + i, s, (i * 1000000007::bigint)::numeric FROM readings WHERE s IS NOT NULL
			UNION ALL SELECT 1000 + i, 5, s FROM readings WHERE s IS NOT NULL
			UNION ALL SELECT 2000 + i, s, 5 FROM readings WHERE s IS NOT NULL
			UNION ALL SELECT 3000 + i % 3, i + grp % 3, i * 3 - grp % 3 FROM readings) AS p
		GROUP BY grp) AS sums) AS abc;
SELECT all_pairs('(y, x)') AS list \gset
SELECT count(*), count(*) FILTER (WHERE got = results) AS exact
FROM wanted JOIN (SELECT grp, :list AS got
	FROM (SELECT grp, s AS x, s / 3 * 10007 + i * i AS y FROM readings
		UNION ALL SELECT 100 + i, s, i * 1000000007::bigint FROM readings
		UNION ALL SELECT 1000 + i, 5, s FROM readings
		UNION ALL SELECT 2000 + i, s, 5 FROM readings WHERE s IS NOT NULL
		UNION ALL SELECT 3000 + i % 3, i + grp % 3, i * 3 - grp % 3 FROM readings) AS p
	GROUP BY grp) AS g USING (grp);
DROP TABLE wanted;

-- NULL and NaN, where the built-in ones give them.
CREATE TABLE pairs (what text, y float8, x float8);
INSERT INTO pairs VALUES
	('nothing', NULL, NULL), ('no y', NULL, 1), ('no y', NULL, 2), ('no x', 1, NULL),
	('one', 3, 2), ('one and half', 3, 2), ('one and half', NULL, 3),
	('two', 3, 2), ('two', 4, 4), ('same x', 1, 2), ('same x', 5, 2), ('same y', 1, 2), ('same y', 1, 5),
	('same', 7, 7), ('same', 7, 7), ('one NaN', 'NaN', 1), ('one x NaN', 1, 'NaN'), ('one infinity', 'Infinity', 2),
	('NaN', 'NaN', 1), ('NaN', 2, 2), ('x NaN', 1, 'NaN'), ('x NaN', 2, 2),
	('infinity', 1, '-Infinity'), ('infinity', 2, 2), ('infinities', 'Infinity', '-Infinity'), ('infinities', 2, 2),
	('same y, x NaN', 2, 1), ('same y, x NaN', 2, 'NaN'), ('same x, y infinite', 'Infinity', 3), ('same x, y infinite', 7, 3),
	('zeros', 0, '-0'), ('zeros', '-0', 0), ('zeros of y', '-0', 1), ('zeros of y', 0, 2);
SELECT what, ARRAY[gpu_corr(y, x), gpu_covar_pop(y, x), gpu_covar_samp(y, x), gpu_regr_intercept(y, x), gpu_regr_r2(y, x),
		gpu_regr_slope(y, x)] AS ours,
	ARRAY[gpu_corr(y, x), gpu_covar_pop(y, x), gpu_covar_samp(y, x), gpu_regr_intercept(y, x), gpu_regr_r2(y, x),
		gpu_regr_slope(y, x)] = ARRAY[corr(y, x), covar_pop(y, x), covar_samp(y, x), regr_intercept(y, x), regr_r2(y, x),
		regr_slope(y, x)] AS as_built_in
FROM pairs GROUP BY what ORDER BY what COLLATE "C";
SELECT :list AS of_none FROM pairs WHERE false;
DROP TABLE pairs;

-- Only results are rounded, and only they can be out of range.
SELECT gpu_corr(y, x), gpu_covar_pop(y, x), gpu_regr_r2(y, x)
FROM (VALUES (1e308::float8, 1e-308::float8), (-1e308, 2e-308), (1.5e308, 1e-300)) AS t (y, x);
SELECT gpu_corr(y, x) AS corr, gpu_regr_slope(y, x) AS slope, gpu_covar_pop(y, x) AS covar
FROM (SELECT i * 5e-324::float8 AS x, i * 1e-300::float8 AS y FROM generate_series(1, 3) AS i) AS t;
SELECT gpu_corr(v, v) AS corr, gpu_covar_pop(v, v) AS covar, gpu_covar_pop(v, v) = gpu_var_pop(v) AS var
FROM (VALUES (1e20::float8), (1e20::float8 + 16384), (1e20::float8 - 16384)) AS t (v);
SELECT gpu_regr_slope(v, 0.1::float8), gpu_corr(v, 0.1::float8) FROM (VALUES (1), (2), (3)) AS t (v);
SELECT call, error_of(format('SELECT %s FROM (VALUES (1e308::float8, 1e300::float8), (-1e308, -1e300)) AS t (y, x)', call))
FROM unnest('{"gpu_covar_pop(y, x)", "gpu_covar_samp(y, x)", "gpu_regr_slope(y, x / 1e300)",
	"gpu_regr_slope(y, x / 1e301)", "gpu_regr_intercept(y, x / 1e300 + 100)", "gpu_corr(y, x)", "gpu_regr_r2(y, x)"}'::text[]) AS call;
-- numeric is taken as double precision, as PostgreSQL's own take it.
SELECT gpu_corr(y, x), corr(y, x) AS built_in, gpu_covar_pop(y, x), gpu_covar_samp(y, x), gpu_regr_slope(y, x), gpu_regr_intercept(y, x), gpu_regr_r2(y, x), gpu_weighted_avg(y, x)
FROM (VALUES (1.5, 2.25), (2.5, 4), (NULL, 1), (4.25, 5)) AS t (y, x);

-- Means with weights: of integers, numeric gives the exact results to 60 digits.
SELECT count(*), count(*) FILTER (WHERE ours = round(vw, 80) / w) AS exact, count(*) FILTER (WHERE ours IS NULL) AS null
FROM (SELECT gpu_weighted_avg(v, w) AS ours, sum(v::numeric * w) AS vw, (sum(w) FILTER (WHERE v IS NOT NULL))::numeric AS w
	FROM (SELECT grp, n AS v, i AS w FROM readings UNION ALL SELECT grp + 100, n, i * i - i % 7 * 1000 FROM readings
		UNION ALL SELECT 1000 + grp * 1000 + i, n, s FROM readings WHERE s <> 0
		UNION ALL SELECT 10000000 + i, n, i FROM readings) AS p
	GROUP BY grp) AS t WHERE w <> 0 OR w IS NULL;
-- floats beside a plain mean, and beside what plain SQL gives
SELECT count(*), count(*) FILTER (WHERE gpu_weighted_avg = gpu_avg OR 'NaN' IN (gpu_weighted_avg, gpu_avg) OR gpu_avg IS NULL) AS equal_weights,
	count(*) FILTER (WHERE abs(weighted / nullif(plain, 0) - 1) < 1e-12) AS near
FROM (SELECT grp, gpu_weighted_avg(d, 0.1), gpu_avg(d), gpu_weighted_avg(d, i * 0.1) AS weighted, sum(d * i * 0.1) / sum(CASE WHEN d IS NOT NULL THEN i * 0.1 END) AS plain
	FROM readings GROUP BY grp) AS t;
SELECT gpu_weighted_avg(v, w), gpu_weighted_avg(w, v) AS swapped, gpu_weighted_avg(v, -w) AS negative, gpu_weighted_avg(v, w) FILTER (WHERE w > 9) AS none
FROM (VALUES (1, 2), (4, 1), (NULL, 5), (7, NULL)) AS t (v, w);
SELECT gpu_weighted_avg(v, w), gpu_weighted_avg(v * 1e308, w) AS in_range, gpu_weighted_avg(0::float8 * v, w) AS zero
FROM (VALUES (1::float8, 1e308::float8), (1, 1.5e308), (1, -1e308)) AS t (v, w);
SELECT v, w, gpu_weighted_avg(v, w), gpu_weighted_avg(v, 1) AS one FROM (VALUES ('NaN'::float8, 1::float8), (1, 'NaN'), ('Infinity', 1), (1, '-Infinity'), (0, 5e-324)) AS t (v, w)
GROUP BY v, w ORDER BY v, w;
SELECT call, error_of(format('SELECT %s FROM (VALUES (1e308::float8, 3::float8), (-1e308, -2)) AS t (v, w)', call))
FROM unnest('{"gpu_weighted_avg(v, 0)", "gpu_weighted_avg(v, w)", "gpu_weighted_avg(1, v)"}'::text[]) AS call;
SELECT error_of('SELECT gpu_state_weighted_avg(''moments'')') AS of_moments, gpu_state_weighted_avg('pairs') AS of_none,
	gpu_state_weighted_avg(gpu_state_add(gpu_state_add('pairs', 1, 2), 4, 1)) AS of_pairs;
SELECT count(*), count(*) FILTER (WHERE a IS NOT DISTINCT FROM (SELECT gpu_weighted_avg(d, i) FROM readings AS q
		WHERE q.grp = w.grp AND q.i BETWEEN w.i - 7 AND w.i + 2)) AS same
FROM (SELECT grp, i, gpu_weighted_avg(d, i) OVER (PARTITION BY grp ORDER BY i ROWS BETWEEN 7 PRECEDING AND 2 FOLLOWING) AS a
	FROM readings WHERE grp <= 9) AS w;

-- Plans.  The groups of readings have NULL, NaN, infinities, numbers of every magnitude.
SELECT all_pairs('(d, r / 3 + i)') || ' || gpu_weighted_avg(d, i)::text' AS list \gset
\set grouped 'SELECT grp AS key, ' :list ' AS results FROM readings GROUP BY grp'
\set in_sets 'SELECT grp AS key, grp / 9 AS part, ' :list ' AS results FROM readings GROUP BY GROUPING SETS ((grp), (grp / 9), ())'
CREATE TABLE answer AS :grouped;
CREATE TABLE answers AS :in_sets;
SELECT count(*) AS groups, count(*) FILTER (WHERE array_remove(results, NULL) <> '{}') AS defined,
	count(*) FILTER (WHERE 'NaN' = ANY (results)) AS nan FROM answers;
-- close to the built-in ones, where those are accurate
SELECT count(*) AS groups, bool_and(abs(ours / built_in - 1) < 1e-9) AS near
FROM (SELECT grp, unnest(ARRAY[gpu_corr(d, i), gpu_covar_pop(d, i), gpu_regr_slope(d, i)]) AS ours,
		unnest(ARRAY[corr(d, i), covar_pop(d, i), regr_slope(d, i)]) AS built_in
	FROM readings WHERE grp > 8 GROUP BY grp) AS r;
SET enable_sort = off;
SELECT compare_plan(:'grouped', 'answer', 'HashAggregate');
SET enable_sort = on;
SET enable_hashagg = off;
SELECT compare_plan(:'grouped', 'answer', 'GroupAggregate', 'Sort');
SELECT compare_plan(:'in_sets', 'answers', 'GroupAggregate', 'Sort Key');
SET enable_hashagg = on;
SELECT compare_plan(:'in_sets', 'answers', 'MixedAggregate');
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 8;
ALTER TABLE readings SET (parallel_workers = 2);
SELECT compare_plan(:'grouped', 'answer', 'Finalize .*Aggregate', 'Workers Planned: 2', 'Partial HashAggregate');
ALTER TABLE readings SET (parallel_workers = 8);
SELECT compare_plan(:'grouped', 'answer', 'Finalize .*Aggregate', 'Workers Planned: 8', 'Partial HashAggregate');
ALTER TABLE readings RESET (parallel_workers);
SET max_parallel_workers_per_gather = 0;
CREATE TABLE by_row (LIKE readings) PARTITION BY RANGE (i);
CREATE TABLE by_row_1 PARTITION OF by_row FOR VALUES FROM (0) TO (33);
CREATE TABLE by_row_2 PARTITION OF by_row DEFAULT;
INSERT INTO by_row SELECT * FROM readings;
ANALYZE by_row;
SET enable_partitionwise_aggregate = on;
SELECT compare_plan(replace(:'grouped', 'readings', 'by_row'), 'answer',
	'^Finalize', 'Append', 'Partial HashAggregate.*Partial HashAggregate');
SET enable_partitionwise_aggregate = off;
CREATE TABLE many AS SELECT grp * 1000 + i % 50 AS grp, i, r, d FROM readings;
ANALYZE many;
CREATE TABLE many_answers AS SELECT grp AS key, :list AS results FROM many GROUP BY grp;
SET work_mem = '64kB';
SET enable_sort = off;
SELECT compare_plan(replace(:'grouped', 'readings', 'many'), 'many_answers', 'HashAggregate', 'Batches: ([2-9]|\d\d)');
RESET enable_sort;
RESET work_mem;
DROP TABLE by_row, many, many_answers;

-- FILTER, DISTINCT, ORDER BY
SELECT all_pairs('(d, r) FILTER (WHERE i % 4 = 1)') AS filtered,
	all_pairs('(DISTINCT d, r)') AS of_distinct, all_pairs('(d, r ORDER BY noise(i))') AS ordered,
	all_pairs('(CASE WHEN i % 4 = 1 THEN d END, r)') AS with_null, all_pairs('(d, r)') AS of_all \gset
SELECT count(*), count(*) FILTER (WHERE filtered = with_null) AS filtered,
	count(*) FILTER (WHERE of_all = ordered) AS ordered
FROM (SELECT :filtered AS filtered, :with_null AS with_null, :ordered AS ordered, :of_all AS of_all
	FROM readings GROUP BY grp) AS g;
SELECT count(*), count(*) FILTER (WHERE of_distinct = of_all) AS of_distinct
FROM (SELECT grp, :of_distinct AS of_distinct FROM (SELECT * FROM readings UNION ALL SELECT * FROM readings) AS twice GROUP BY grp) AS d
	JOIN (SELECT grp, :of_all AS of_all FROM (SELECT DISTINCT grp, d, r FROM readings) AS r GROUP BY grp) AS a USING (grp);

-- Window aggregates with moving frames, which pairs enter and leave.
SELECT all_pairs('(d, r) OVER w') AS windows \gset
SELECT 'BETWEEN 7 PRECEDING AND 2 FOLLOWING' AS frame, count(*),
	count(*) FILTER (WHERE results IS NOT DISTINCT FROM (SELECT :of_all FROM readings AS q
		WHERE q.grp = w.grp AND q.i BETWEEN w.i - 7 AND w.i + 2)) AS same
FROM (SELECT grp, i, :windows AS results FROM readings WHERE grp <= 9
	WINDOW w AS (PARTITION BY grp ORDER BY i ROWS BETWEEN 7 PRECEDING AND 2 FOLLOWING)) AS w;

-- The state as a value; removing pairs that were never added.
SELECT gpu_state_add('pairs', 1, 2), gpu_state_add('pairs', 'NaN', 2), gpu_state_add('pairs', 2, '-Infinity'),
	gpu_state_remove(gpu_state_add(gpu_state_add('pairs', 'NaN', 2), 1e300, 0.5), 'NaN', 2);
SELECT s, gpu_state_corr(s), gpu_state_merge(s, s) AS merged
FROM (SELECT gpu_state_add(gpu_state_add('pairs', 1, 2), 3, 5) AS s) AS t;
SELECT call, error_of('SELECT ' || call)
FROM unnest('{"gpu_state_remove(''pairs'', 1, 2)", "gpu_state_remove(gpu_state_add(''pairs'', 1, 2), ''NaN'', 2)",
	"gpu_state_add(''reals'', 1, 2)", "gpu_state_add(''pairs'', 1::float8)", "gpu_state_add(''pairs'', 1)",
	"gpu_state_sum(''pairs'')", "gpu_state_var_pop(''pairs'')", "gpu_state_corr(''moments'')",
	"gpu_state_merge(''pairs'', ''moments count=1'')"}'::text[]) AS call;

DROP TABLE answer, answers;
DROP FUNCTION all_pairs;
RESET ALL;
