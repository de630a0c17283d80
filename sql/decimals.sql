-- Arrays of numeric: each function against SQL over unnest, digit by digit.
CREATE TABLE decimals (name text, a numeric[], keys integer[]);
INSERT INTO decimals
SELECT name, array_agg(x ORDER BY i), array_agg(i % 5 ORDER BY i)
FROM generate_series(1, 300) AS i,
	LATERAL (VALUES ('money', (hashint4(i) / 1000.0)::numeric(12, 2)),
		('money with NULLs', CASE WHEN hashint4(i) % 3 <> 0 THEN (hashint4(-i) / 1000.0)::numeric(12, 2) END),
		('mostly NULL', CASE WHEN i % 50 = 7 THEN i::numeric(5, 1) END),
		('integers', (hashint4(i) % 20)::numeric),
		('18 digits', (hashint8(i) % 1000000000)::numeric(18, 0) * 1000000000 + 999999999),
		('18 places', (hashint4(i) / 1e10)::numeric(18, 18)),
		('equal', 7.50)) AS v (name, x)
GROUP BY name;
INSERT INTO decimals VALUES ('empty', '{}', '{}'), ('NULL alone', '{NULL}', '{1}'), ('one', '{-0.010}', '{1}'), ('zero', '{0.00, 0.00}', '{1, 1}'),
	('extremes', '{999999999999999999, -999999999999999999}', '{1, 2}');

-- The samples of which a call's text is not what the query says.
CREATE FUNCTION differing(call text, by_sql text) RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	names text;
BEGIN
	EXECUTE format('SELECT string_agg(name || '': '' || coalesce(ours, ''NULL'') || '' for '' || coalesce(theirs, ''NULL''), E''\n'' ORDER BY name)
		FROM (SELECT name, (%s)::text AS ours, (%s)::text AS theirs FROM decimals WHERE name <> ''18 digits'' OR %L !~ ''cumsum|moving_sum'') AS s
		WHERE ours IS DISTINCT FROM theirs', call, by_sql, call) INTO names;
	RETURN names;
END
$$;

-- Reductions
SELECT f, differing(format('gpu_%s(a)', f), format('SELECT %s(x) FROM unnest(a) AS x', f)) AS differing
FROM unnest('{count,sum,avg,min,max,var_pop,var_samp,variance,stddev_pop,stddev_samp,stddev}'::text[]) AS f;
SELECT call, differing(call, by_sql) AS differing
FROM (VALUES ('gpu_argmin(a)', 'SELECT i FROM unnest(a) WITH ORDINALITY AS u (x, i) WHERE x IS NOT NULL ORDER BY x, i LIMIT 1'),
	('gpu_argmax(a)', 'SELECT i FROM unnest(a) WITH ORDINALITY AS u (x, i) WHERE x IS NOT NULL ORDER BY x DESC, i LIMIT 1'),
	('gpu_asum(a)', 'SELECT sum(abs(x)) FROM unnest(a) AS x'),
	('trim_scale(gpu_dot(a, a))', 'SELECT trim_scale(sum(x * x)) FROM unnest(a) AS x'),
	('gpu_mode(a)', 'SELECT mode() WITHIN GROUP (ORDER BY x) FROM unnest(a) AS x'),
	('gpu_count_distinct(a)', 'SELECT count(DISTINCT x) FROM unnest(a) AS x'),
	('gpu_percentile_disc(a, 0.3)', 'SELECT percentile_disc(0.3) WITHIN GROUP (ORDER BY x) FROM unnest(a) AS x'),
	('gpu_percentiles_disc(a, ''{0, 0.9}'')', 'SELECT percentile_disc(''{0, 0.9}''::float8[]) WITHIN GROUP (ORDER BY x) FROM unnest(a) AS x')) AS c (call, by_sql);

-- An array for an array
SELECT call, differing(call, format('SELECT coalesce(array_agg(%s), ''{}'') FROM unnest(a) WITH ORDINALITY AS u (x, i)', by_sql)) AS differing
FROM (VALUES ('gpu_sort(a)', 'x ORDER BY x'),
	('gpu_sort(a, true)', 'x ORDER BY x DESC'),
	('gpu_argsort(a)', 'i ORDER BY x, i'),
	('gpu_distinct(a)', 'DISTINCT x) FILTER (WHERE x IS NOT NULL'),
	('gpu_filter(a, ''>'', 7.5)', 'x ORDER BY i) FILTER (WHERE x > 7.5'),
	('gpu_filter(a, ''<='', -1)', 'x ORDER BY i) FILTER (WHERE x <= -1'),
	('gpu_filter(a, ''<>'', 7.5::float8)', 'x ORDER BY i) FILTER (WHERE x <> 7.5'),
	('gpu_filter(a, ''<'', 1e30)', 'x ORDER BY i) FILTER (WHERE x < 1e30'),
	('gpu_filter(a, ''<'', ''NaN''::numeric)', 'x ORDER BY i) FILTER (WHERE x < ''NaN'''),
	('gpu_filter(a, ''='', 0.0000000000000000000000001)', 'x ORDER BY i) FILTER (WHERE x = 0.0000000000000000000000001'),
	('gpu_compare(a, ''>='', 7.5)', 'x >= 7.5 ORDER BY i'),
	('gpu_compare(a, ''<'', a)', 'x < x ORDER BY i'),
	('gpu_between(a, -1, 7.50)', 'x BETWEEN -1 AND 7.50 ORDER BY i'),
	('gpu_compact(a, gpu_compare(a, ''>'', 0))', 'x ORDER BY i) FILTER (WHERE x > 0'),
	('gpu_abs(a)', 'abs(x) ORDER BY i'),
	('gpu_negate(a)', '-x ORDER BY i'),
	('gpu_add(a, a)', 'x + x ORDER BY i'),
	('gpu_subtract(a, gpu_negate(a))', 'x + x ORDER BY i')) AS c (call, by_sql);
SELECT differing('gpu_topk(a, 3)', 'SELECT coalesce(array_agg(x ORDER BY x DESC), ''{}'') FROM (SELECT x FROM unnest(a) AS x WHERE x IS NOT NULL ORDER BY x DESC LIMIT 3) AS s') AS topk,
	differing('gpu_rank(a)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, rank() OVER (ORDER BY x) AS r
		FROM unnest(a) WITH ORDINALITY AS u (x, i)) AS s') AS rank;

-- Windows
SELECT call, differing(call, format('SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, %s AS r
	FROM unnest(a) WITH ORDINALITY AS u (x, i)) AS s', by_sql)) AS differing
FROM (VALUES ('gpu_cumsum(a)', 'sum(x) OVER (ORDER BY i)'),
	('gpu_cummin(a)', 'min(x) OVER (ORDER BY i)'),
	('gpu_cummax(a)', 'max(x) OVER (ORDER BY i)'),
	('gpu_diff(a)', 'x - lag(x) OVER (PARTITION BY x IS NULL ORDER BY i)'),
	('gpu_moving_sum(a, 9)', 'sum(x) OVER (ORDER BY i ROWS 9 PRECEDING)'),
	('gpu_moving_avg(a, 9)', 'avg(x) OVER (ORDER BY i ROWS 9 PRECEDING)'),
	('gpu_moving_min(a, 3, 2)', 'min(x) OVER (ORDER BY i ROWS BETWEEN 3 PRECEDING AND 2 FOLLOWING)'),
	('gpu_moving_max(a, 3, 2)', 'max(x) OVER (ORDER BY i ROWS BETWEEN 3 PRECEDING AND 2 FOLLOWING)'),
	('gpu_moving_stddev(a, 9)', 'stddev(x) OVER (ORDER BY i ROWS 9 PRECEDING)')) AS c (call, by_sql);
SELECT call, differing(call, format('SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT min(i) AS i, %s AS r
	FROM unnest(a) WITH ORDINALITY AS u (x, i) GROUP BY (i - 1) / 10) AS s', by_sql)) AS differing
FROM (VALUES ('gpu_segment_sum(a, chunk => 10)', 'sum(x)'), ('gpu_segment_avg(a, chunk => 10)', 'avg(x)'), ('gpu_segment_min(a, chunk => 10)', 'min(x)'),
	('gpu_segment_max(a, chunk => 10)', 'max(x)'), ('gpu_segment_count(a, chunk => 10)', 'count(x)')) AS c (call, by_sql);

-- Groups
SELECT name, count(*) FILTER (WHERE g.* IS DISTINCT FROM s.*)
FROM decimals, LATERAL (SELECT array_agg(g::text ORDER BY g::text) AS g FROM gpu_group(keys, a) AS g) AS g,
	LATERAL (SELECT array_agg(s::text ORDER BY s::text) AS s
		FROM (SELECT k, count(x), sum(x), avg(x), min(x), max(x), stddev(x) FROM unnest(keys, a) AS u (k, x) GROUP BY k) AS s) AS s
GROUP BY name ORDER BY name;
SELECT * FROM gpu_group_sum('{1, 2, 1}'::integer[], '{0.10, 0.20, 0.05}'::numeric[]);
SELECT * FROM gpu_group_avg('{1, 2, 1}'::integer[], '{0.10, 0.20, 0.05}'::numeric[]);
SELECT * FROM gpu_group_min('{1, 2, 1}'::integer[], '{0.10, 0.20, 0.05}'::numeric[]);
SELECT * FROM gpu_group_max('{1, 2, 1}'::integer[], '{0.10, 0.20, 0.05}'::numeric[]);

-- An array has one scale: the greatest of its elements, and of values beside it.
SELECT gpu_min('{1.5, 2.25}'::numeric[]), gpu_sort('{1.5, 1.25, 7}'::numeric[]), gpu_sum('{1.5, 1.25, 7}'::numeric[]), gpu_add('{1.5, NULL}'::numeric[], 0.125),
	gpu_subtract(1, '{1.5, 7}'::numeric[]), gpu_clip('{1.5, 7, NULL, -2}'::numeric[], 0, 6.25), gpu_searchsorted('{1, 2.5}', '{2.50, 0.999}'::numeric[]);
SELECT gpu_cumsum('{{1.5, 2}, {3.25, NULL}}'::numeric[]), gpu_transpose('{{1.5, 2}, {3.25, 4}}'::numeric[]), gpu_diff('{1.5, 4}'::numeric[], 'drop'),
	gpu_unique('{1.5, 1.50, 2}'::numeric[]), gpu_ntile('{3, 1, 2}'::numeric[], 2), gpu_cumsum('{1, 2, 3, 4}'::numeric[], chunk => 2),
	gpu_moving_percentile_disc('{3, 1, 2.5}'::numeric[], 0.5, 1);
SELECT gpu_sum(NULL::numeric[]), gpu_sort(NULL::numeric[]), gpu_filter(NULL::numeric[], '>', 1), gpu_filter('{1}'::numeric[], '>', NULL::numeric),
	gpu_add('{1}'::numeric[], NULL::numeric), gpu_moving_sum(NULL::numeric[], 1), gpu_cumsum(NULL::numeric[]);

-- Many values of several scales, in a table's column
CREATE TABLE many_decimals AS SELECT array_agg(round(hashint4(i) / 1000.0, i % 4) ORDER BY i) AS a FROM generate_series(1, 70000) AS i;
SELECT gpu_sum(a) = (SELECT sum(x) FROM unnest(a) AS x), gpu_sort(a) = ARRAY(SELECT x FROM unnest(a) AS x ORDER BY x),
	gpu_cumsum(a) = ARRAY(SELECT sum(x) OVER (ROWS UNBOUNDED PRECEDING) FROM unnest(a) AS x)
FROM many_decimals;
DO $$
DECLARE
	a numeric[];	-- expanded
BEGIN
	FOR i IN 1 .. 100 LOOP
		a[i] := i * 0.25;
	END LOOP;
	RAISE NOTICE '%', gpu_avg(a);
END
$$;

-- What does not fit
SELECT gpu_sum('{1.5, NaN}'::numeric[]);
SELECT gpu_max('{1000000000000000000}'::numeric[]);
SELECT gpu_avg('{10000000000, 0.000000001}'::numeric[]);
SELECT gpu_avg('{0.000000001, 10000000000}'::numeric[]);
SELECT gpu_sort('{0.0000000000000000001}'::numeric[]);
SELECT gpu_sort(ARRAY[1 / 4.0]);
SELECT gpu_add('{1}'::numeric[], 'NaN'::numeric);
SELECT gpu_add('{1}'::numeric[], 1e20);
SELECT gpu_cumsum(array_fill(999999999999999999::numeric, '{10}'));
SELECT gpu_add('{1, 2}'::numeric[], '{1}'::numeric[]);
SELECT gpu_moving_sum('{1}'::numeric[], -1);
DROP TABLE decimals, many_decimals;
DROP FUNCTION differing(text, text);
