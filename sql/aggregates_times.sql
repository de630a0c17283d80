-- Aggregates of columns of dates and timestamps, against the built-in ones, in
-- groups of every kind and in every plan.
SET timezone = 'Europe/Vienna';
SET datestyle = 'ISO';
SET max_parallel_workers_per_gather = 0;
SET jit = off;

-- Groups 1: NULL alone, 2: infinity, 3: both infinities, 4: one day, 5: early and late
CREATE TABLE stamped (grp integer, i integer, d date, t timestamp, z timestamptz);
INSERT INTO stamped
SELECT grp, i, v::date, v, v::timestamptz
FROM generate_series(1, 20) AS grp, generate_series(1, 150) AS i,
	LATERAL (SELECT noise(grp * 1000 + i) AS x) AS n,
	LATERAL (SELECT CASE WHEN grp = 1 OR x % 9 = 0 THEN NULL
		WHEN grp IN (2, 3) AND x % 7 = 1 THEN 'infinity' WHEN grp = 3 AND x % 7 = 2 THEN '-infinity'
		WHEN grp = 4 THEN '2026-03-29' WHEN grp = 5 THEN timestamp '0044-03-15 BC' + x % 7000 * interval '1 year'
		ELSE timestamp '2026-01-01' + x % 4001 * interval '3 hours 17 minutes 0.000123 seconds' END AS v) AS o;
ANALYZE stamped;

-- Both sides of a comparison: of a column COLUMN, of the type TYPE
CREATE TABLE timed_aggregate (number serial, ours text, built_in text);
INSERT INTO timed_aggregate (ours, built_in) VALUES
	('gpu_count(COLUMN)', 'count(COLUMN)'),
	('gpu_min(COLUMN)', 'min(COLUMN)'),
	('gpu_max(COLUMN)', 'max(COLUMN)'),
	('gpu_max(COLUMN) FILTER (WHERE i % 2 = 1)', 'max(COLUMN) FILTER (WHERE i % 2 = 1)'),
	('gpu_median(COLUMN)', 'percentile_disc(0.5) WITHIN GROUP (ORDER BY COLUMN)'),
	('gpu_median(DISTINCT COLUMN)', 'gpu_median(gpu_distinct(array_agg(COLUMN)))'),
	('gpu_mode(COLUMN)', 'mode() WITHIN GROUP (ORDER BY COLUMN)'),
	('gpu_count_distinct(COLUMN)', 'count(DISTINCT COLUMN)'),
	('gpu_percentile_disc(COLUMN, 0)', 'percentile_disc(0) WITHIN GROUP (ORDER BY COLUMN)'),
	('gpu_percentile_disc(COLUMN, 0.9)', 'percentile_disc(0.9) WITHIN GROUP (ORDER BY COLUMN)'),
	('gpu_percentile_disc(COLUMN, NULL)', 'percentile_disc(NULL::float8) WITHIN GROUP (ORDER BY COLUMN)'),
	('gpu_percentile_disc(COLUMN, ARRAY[0.3, NULL, 1])', 'percentile_disc(ARRAY[0.3, NULL, 1]) WITHIN GROUP (ORDER BY COLUMN)'),
	('gpu_percentiles_disc(COLUMN, ''{{0, 1}, {0.25, 0.75}}'')', 'percentile_disc(''{{0, 1}, {0.25, 0.75}}''::float8[]) WITHIN GROUP (ORDER BY COLUMN)'),
	('gpu_topk(COLUMN, 4)', 'coalesce((array_agg(COLUMN ORDER BY COLUMN DESC) FILTER (WHERE COLUMN IS NOT NULL))[:4], ''{}'')'),
	('gpu_topk(COLUMN, 3, false)', 'coalesce((array_agg(COLUMN ORDER BY COLUMN) FILTER (WHERE COLUMN IS NOT NULL))[:3], ''{}'')'),
	('gpu_argmin(COLUMN, i)', '(array_agg(i ORDER BY COLUMN, i) FILTER (WHERE COLUMN IS NOT NULL))[1]'),
	('gpu_argmax(COLUMN, i::text)', '(array_agg(i::text ORDER BY COLUMN DESC, i::text) FILTER (WHERE COLUMN IS NOT NULL))[1]'),
	('gpu_histogram(COLUMN, ''2026-01-01'', ''2026-12-31'', 3)', 'gpu_histogram(array_agg(COLUMN), ''2026-01-01'', ''2026-12-31'', 3)'),
	('gpu_histogram(COLUMN, ''2027-01-01'', ''1999-01-01'', 2)',
		'ARRAY[count(*) FILTER (WHERE COLUMN > ''2013-01-01'' AND COLUMN <= ''2027-01-01''), count(*) FILTER (WHERE COLUMN > ''1999-01-01'' AND COLUMN <= ''2013-01-01'')]');
CREATE FUNCTION equal_times(ours text, built_in text) RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	c text;
	groups bigint;
	equal bigint;
	types boolean;
	result text := '';
BEGIN
	FOREACH c IN ARRAY '{d, t, z}'::text[] LOOP
		EXECUTE format('SELECT count(*), count(*) FILTER (WHERE o::text IS NOT DISTINCT FROM b::text), bool_and(pg_typeof(o) = pg_typeof(b))
			FROM (SELECT %s AS o, %s AS b FROM stamped
				GROUP BY GROUPING SETS ((grp), (grp / 9), (),
					(CASE WHEN grp <= 6 AND i <= 50 THEN grp * 1000 + i END))) AS g',
			replace(ours, 'COLUMN', c), replace(built_in, 'COLUMN', c))
		INTO groups, equal, types;
		result := concat_ws(', ', nullif(result, ''), format('%s: %s of %s', c, equal, groups), CASE WHEN NOT types THEN 'of another type' END);
	END LOOP;
	RETURN result;
END
$$;
SELECT ours, equal_times(ours, built_in) FROM timed_aggregate ORDER BY number;
-- without rows
SELECT gpu_count(d), gpu_min(d), gpu_max(t), gpu_median(z), gpu_mode(d), gpu_count_distinct(t), gpu_percentile_disc(z, 0.5), gpu_percentile_disc(d, ARRAY[0.5]),
	gpu_topk(t, 2), gpu_argmin(z, i), gpu_histogram(d, '2026-01-01', '2027-01-01', 2)
FROM stamped WHERE grp < 0;

-- In every plan the same
SELECT string_agg(replace(ours, 'COLUMN', c), ', ' ORDER BY number, c) AS list,
	string_agg(replace(ours, 'COLUMN', c) || ' OVER w', ', ' ORDER BY number, c) AS over_list
FROM timed_aggregate, unnest('{d, t, z}'::text[]) AS c WHERE ours !~ 'DISTINCT' \gset
CREATE TABLE timed_plans (plan text, grp integer, answer text);
INSERT INTO timed_plans SELECT 'plain', grp, ROW(:list)::text FROM stamped GROUP BY grp;
SET enable_hashagg = off;
INSERT INTO timed_plans SELECT 'sorted', grp, ROW(:list)::text FROM stamped GROUP BY grp;
RESET enable_hashagg;
INSERT INTO timed_plans SELECT DISTINCT ON (grp) 'window', grp, ROW(:over_list)::text FROM stamped WINDOW w AS (PARTITION BY grp);
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
ALTER TABLE stamped SET (parallel_workers = 2);
EXPLAIN (COSTS OFF) SELECT gpu_median(d), gpu_argmax(t, i), gpu_percentile_disc(z, 0.5), gpu_histogram(d, '2026-01-01', '2027-01-01', 2) FROM stamped;
INSERT INTO timed_plans SELECT 'parallel', grp, ROW(:list)::text FROM stamped GROUP BY grp;
CREATE TABLE timed_merged AS SELECT grp, ROW(:list)::text AS answer FROM stamped GROUP BY grp;
INSERT INTO timed_plans SELECT 'parallel, written', grp, answer FROM timed_merged;
SELECT plan, count(*), count(*) FILTER (WHERE answer = (SELECT answer FROM timed_plans AS p WHERE plan = 'plain' AND p.grp = timed_plans.grp)) AS equal
FROM timed_plans GROUP BY plan ORDER BY plan COLLATE "C";
SET max_parallel_workers_per_gather = 0;

-- Frames that move, and frames that grow
SELECT count(*), count(*) FILTER (WHERE counts) AS counts, count(*) FILTER (WHERE extremes) AS extremes, count(*) FILTER (WHERE medians) AS medians,
	count(*) FILTER (WHERE growing) AS growing
FROM (SELECT gpu_count(d) OVER w = count(d) OVER w AS counts,
		(gpu_min(t) OVER w, gpu_max(d) OVER w) IS NOT DISTINCT FROM (min(t) OVER w, max(d) OVER w) AS extremes,
		(gpu_median(z) OVER w, gpu_mode(d) OVER w) IS NOT DISTINCT FROM (gpu_median(array_agg(z) OVER w), gpu_mode(array_agg(d) OVER w)) AS medians,
		(gpu_percentile_disc(t, 0.3) OVER g, gpu_topk(d, 2) OVER g) IS NOT DISTINCT FROM (gpu_percentile_disc(array_agg(t) OVER g, 0.3), gpu_topk(array_agg(d) OVER g, 2)) AS growing
	FROM stamped WINDOW w AS (PARTITION BY grp ORDER BY i ROWS BETWEEN 5 PRECEDING AND 2 FOLLOWING),
		g AS (PARTITION BY grp ORDER BY i)) AS f;

-- Extremes may use an index
CREATE INDEX stamped_z ON stamped (z);
SET enable_seqscan = off;
SELECT compare_plan('SELECT gpu_min(z) AS least, gpu_max(z) AS greatest FROM stamped', '(SELECT min(z) AS least, max(z) AS greatest FROM stamped)',
	'Index Only Scan using', 'Index Only Scan Backward');
RESET enable_seqscan;

-- Parameters
CREATE DOMAIN day AS date;
SELECT gpu_max(v), gpu_median(v), gpu_percentile_disc(v, 0.5), gpu_percentile_disc(v, '{0, 1}'::float8[]), gpu_topk(v, 1), gpu_argmin(v, 'p'::text), gpu_histogram(v, '2026-01-01', '2026-01-03', 1)
FROM unnest('{2026-01-02, infinity, 2026-01-01}'::date[]) AS u (d), LATERAL (SELECT d::day AS v) AS o;
DROP DOMAIN day;
SELECT call, error_of(format('SELECT %s FROM (VALUES (date ''2026-01-01'', 1), (''2026-01-02'', 2)) AS v (d, i)', call))
FROM unnest(ARRAY['gpu_percentile_disc(d, 1.5)', 'gpu_percentile_disc(d, i / 10.0)', 'gpu_percentile_disc(d, CASE i WHEN 1 THEN 0.5 END)',
	'gpu_percentile_disc(i, CASE i WHEN 2 THEN 0.5 END)', 'gpu_percentile_disc(d, ARRAY[0.5, ''NaN''])', 'gpu_percentile_cont(d, ARRAY[0.5])', 'gpu_percentile_cont(d, 0.5)',
	'gpu_percentile_disc(d, 1.5) FILTER (WHERE i > 2)', 'gpu_percentile_disc(i, ''NaN'') FILTER (WHERE i > 2)',
	'gpu_topk(d, -1)', 'gpu_histogram(d, d, ''2027-01-01'', 3)', 'gpu_histogram(d, NULL, ''2027-01-01'', 3)', 'gpu_histogram(d, ''-infinity'', ''2027-01-01'', 3)',
	'gpu_histogram(d, ''2027-01-01'', ''2027-01-01'', 3)', 'gpu_histogram(d::timestamp, ''1500-01-01'', ''2027-01-01'', 3)', 'gpu_histogram(d, ''2026-01-01'', ''2027-01-01'', 0)']) AS call;

-- Single fractions of numbers, too
SELECT f, string_agg(c || ': ' || error, ', ') AS differences
FROM unnest('{0, 0.1, 0.25, 0.3333, 0.99, 1, NULL}'::text[]) AS f, unnest('{s, n, b, r, d}'::text[]) AS c,
	LATERAL (SELECT error_of(format('SELECT 1 / (o IS NOT DISTINCT FROM b)::integer FROM (SELECT gpu_percentile_disc(%1$s, %2$L) AS o, percentile_disc(%2$L) WITHIN GROUP (ORDER BY %1$s) AS b
		FROM readings GROUP BY GROUPING SETS ((grp), ())) AS g', c, f)) AS error) AS e
WHERE error <> 'no error' GROUP BY f;

-- The functions that they are made of, called directly: they do not modify their
-- arguments, and refuse what is not a state of this type.
SELECT _gpu_percentile_disc_final(_gpu_percentile_disc_collect(s, date '2026-01-09', 1), date '2026-01-01', NULL) AS more,
	_gpu_percentile_disc_final(_gpu_collected_merge(s, s), date '2026-01-01', NULL) AS merged, _gpu_percentile_disc_final(s, date '2026-01-01', NULL) AS itself
FROM (SELECT _gpu_percentile_disc_collect(_gpu_percentile_disc_collect(NULL, date '2026-01-01', 1), date 'infinity', 1) AS s) AS t;
CREATE FUNCTION timed_state() RETURNS bytea LANGUAGE sql AS
$$ SELECT _gpu_percentile_disc_collect(_gpu_percentile_disc_collect(NULL, date '2026-01-01', 0.5), date 'infinity', 0.5) $$;
SELECT call, left(error_of('SELECT ' || call), 5) AS outcome
FROM unnest('{"_gpu_percentile_disc_final(timed_state(), 5, NULL)", "_gpu_percentile_disc_final(timed_state(), timestamp ''2026-01-01'', NULL)",
	"_gpu_percentiles_cont_final(timed_state(), 5, NULL)", "_gpu_percentiles_cont_final(timed_state(), date ''2026-01-01'', NULL)",
	"_gpu_describe_final(timed_state(), 5)", "_gpu_describe_collect(NULL, date ''2026-01-01'')", "_gpu_topk_final(timed_state(), date ''2026-01-01'', 2)",
	"_gpu_percentile_disc_collect(timed_state(), 5, 0.5)", "_gpu_percentile_disc_collect(timed_state(), date ''2026-01-01'', 0.4)",
	"_gpu_percentile_disc_final(_gpu_percentiles_disc_collect(NULL, date ''2026-01-01'', ARRAY[0.5, 1]), date ''2026-01-01'', 0.5)",
	"_gpu_histogram_add(ARRAY[0, 0, 0]::bigint[], date ''2026-01-01'', ''2026-01-01'', ''2026-01-01'', 1)"}'::text[]) AS call;
-- every byte of a state changed, cut anywhere: a result or an error, and the server lives
SELECT count(*) > 1000 AS tried, count(*) FILTER (WHERE outcome !~ '^(no error$|22...: |53400: |54000: )') AS other
FROM (SELECT error_of(format('SELECT %s', replace(call, '@', quote_literal(forged) || '::bytea'))) AS outcome
	FROM timed_state() AS s,
		LATERAL (SELECT set_byte(s, i, x) AS forged FROM generate_series(0, length(s) - 1) AS i, unnest('{0,1,127,128,255}'::int[]) AS x
			UNION ALL SELECT substr(s, 1, i) FROM generate_series(0, length(s) - 1) AS i) AS f,
		unnest('{"_gpu_percentile_disc_final(@, date ''2026-01-01'', NULL)", "_gpu_percentile_disc_collect(@, date ''2026-01-01'', 0.5)", "_gpu_collected_merge(@, @)",
			"_gpu_topk_merge(@, @)", "_gpu_topk_final(@, date ''2026-01-01'', 2)", "_gpu_percentiles_disc_final(@, date ''2026-01-01'', NULL)"}'::text[]) AS call) AS o;
DROP FUNCTION timed_state, equal_times;
DROP TABLE stamped, timed_aggregate, timed_plans, timed_merged;
RESET ALL;
