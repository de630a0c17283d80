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

-- What only other functions take: of several scales, of many digits, no numbers.
CREATE TABLE any_decimals AS
SELECT name, a, ARRAY(SELECT i % 3 = 0 FROM generate_subscripts(a, 1) AS i) AS keep,
	ARRAY(SELECT CASE WHEN i % 7 <> 0 THEN 1 + i * 31 % cardinality(a) END FROM generate_subscripts(a, 1) AS i)::integer[] AS positions,
	ARRAY(SELECT NULLIF(x, 0) FROM unnest(a) WITH ORDINALITY AS u (x, i) ORDER BY i DESC) AS divisors
FROM (SELECT 'any', array_agg(CASE i % 9 WHEN 0 THEN NULL WHEN 1 THEN 'NaN' WHEN 2 THEN hashint8(i) * 1e30 WHEN 3 THEN hashint8(-i) / 1e30
			WHEN 4 THEN CASE WHEN current_setting('server_version_num')::integer >= 140000 THEN '-Infinity' ELSE '-1e400' END::numeric
			ELSE round(hashint4(i) / 1000.0, i % 5) END ORDER BY i)
	FROM generate_series(1, 300) AS i
	UNION ALL SELECT 'huge', array_agg((repeat('7', 500 + i % 7) || '.' || repeat('3', 500 - i % 5))::numeric) FROM generate_series(1, 30) AS i
	UNION ALL SELECT name, a FROM decimals) AS s (name, a);

-- The samples of which a call's text is not what the query says.
CREATE FUNCTION differing(call text, by_sql text, samples regclass DEFAULT 'decimals') RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	names text;
BEGIN
	EXECUTE format('SELECT string_agg(name || '': '' || coalesce(ours, ''NULL'') || '' for '' || coalesce(theirs, ''NULL''), E''\n'' ORDER BY name)
		FROM (SELECT name, (%s)::text AS ours, (%s)::text AS theirs FROM %s WHERE name <> ''18 digits'' OR %L !~ ''cumsum|moving_sum'') AS s
		WHERE ours IS DISTINCT FROM theirs', call, by_sql, samples, call) INTO names;
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

-- Elements as they are, in other places
SELECT call, differing(call, format('SELECT coalesce(array_agg(%s), ''{}'') FROM unnest(a, keep, positions) WITH ORDINALITY AS u (x, keep, p, i)', by_sql),
	'any_decimals') AS differing
FROM (VALUES ('gpu_take(a, positions)', 'a[p] ORDER BY i'),
	('gpu_slice(a, 3, 250)', 'x ORDER BY i) FILTER (WHERE i BETWEEN 3 AND 250'),
	('gpu_slice(a, NULL)', 'x ORDER BY i'),
	('gpu_reverse(a)', 'x ORDER BY i DESC'),
	('gpu_compact(a, keep)', 'x ORDER BY i) FILTER (WHERE keep'),
	('gpu_if(keep, a, gpu_reverse(a))', 'CASE WHEN keep THEN x ELSE a[cardinality(a) + 1 - i] END ORDER BY i'),
	('gpu_if(keep, a, 0.10)', 'CASE WHEN keep THEN x ELSE 0.10 END ORDER BY i'),
	('gpu_if(keep, ''NaN''::numeric, a)', 'CASE WHEN keep THEN ''NaN'' ELSE x END ORDER BY i'),
	('gpu_if(keep, a, NULL::numeric)', 'CASE WHEN keep THEN x END ORDER BY i'),
	('gpu_if(keep, 1.5, 1e-20)', 'CASE WHEN keep THEN 1.5 ELSE 1e-20 END ORDER BY i')) AS c (call, by_sql);
SELECT call, differing(call, format('SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, %s AS r
	FROM unnest(a) WITH ORDINALITY AS u (x, i)) AS s', by_sql), 'any_decimals') AS differing
FROM (VALUES ('gpu_shift(a)', 'lag(x) OVER (ORDER BY i)'),
	('gpu_shift(a, -299)', 'lead(x, 299) OVER (ORDER BY i)'),
	('gpu_locf(a)', '(array_agg(x) FILTER (WHERE x IS NOT NULL) OVER (ORDER BY i))[count(x) OVER (ORDER BY i)]')) AS c (call, by_sql);
SELECT differing('gpu_concat(a, gpu_reverse(a))', 'a || gpu_reverse(a)', 'any_decimals') AS concat,
	differing('gpu_concat(NULL::numeric[], a)', 'NULL::numeric[] || a', 'any_decimals') AS concat_null;
SELECT gpu_take('{{1.5, 2}, {NULL, 3.250}}'::numeric[], '{{4, 1}}') AS take, gpu_slice('{{1.5, 2}, {NULL, 3.250}}'::numeric[], 2, 3) AS slice,
	gpu_reverse('[0:1][2:3]={{1.5, 2}, {NULL, 3.250}}'::numeric[]) AS reverse, gpu_shift('{{1.5, 2}, {NULL, 3.250}}'::numeric[], 1) AS shift,
	gpu_locf('{{1.5, 2}, {NULL, 3.250}}'::numeric[]) AS locf, gpu_if('[2:2][0:1]={{t, NULL}}', '{{1.5, 2}}'::numeric[], 0.125) AS "if",
	gpu_concat('{1.5}'::numeric[], '{2, NULL}'::integer[]) AS concat, gpu_transpose('{{1.5, 2}, {3.25, 1e20}}'::numeric[]) AS transpose;
SELECT gpu_take('{NULL}'::numeric[], '{1, NULL}'), gpu_take('{}'::numeric[], '{NULL}'), gpu_take(NULL::numeric[], '{1}'), gpu_slice(NULL::numeric[], 1), gpu_concat(NULL::numeric[], NULL) IS NULL AS concat,
	gpu_if(NULL, 1.5, 2), gpu_if('{t}', NULL::numeric[], 2), gpu_if('{t, f}', NULL::numeric, NULL::numeric), gpu_if('{t, f}', '{1, 2}'::integer[], 2.50);

-- What the server computes for each element
SELECT call, differing(call, format('SELECT coalesce(array_agg(%s ORDER BY i), ''{}'') FROM unnest(a, divisors) WITH ORDINALITY AS u (x, d, i)', by_sql), 'any_decimals') AS differing
FROM (VALUES ('gpu_multiply(a, divisors)', 'x * d'), ('gpu_multiply(a, 1.50)', 'x * 1.50'), ('gpu_multiply(''NaN''::numeric, a)', '''NaN'' * x'),
	('gpu_divide(a, divisors)', 'x / d'), ('gpu_divide(a, 7)', 'x / 7'), ('gpu_divide(2.50, divisors)', '2.50 / d'),
	('gpu_round(a)', 'round(x)'), ('gpu_round(a, 2)', 'round(x, 2)'), ('gpu_round(a, -3)', 'round(x, -3)')) AS c (call, by_sql);
SELECT gpu_multiply('[0:1][1:2]={{1.5, 2}, {NULL, 3}}'::numeric[], '{{1.50, 2}, {1, NULL}}'), gpu_divide('{{1, 2.00}}'::numeric[], 3), gpu_round('{{0.5, 1.5, -2.5}}'::numeric[]),
	gpu_multiply('{1, 2}'::integer[], 1.5) AS integers, gpu_multiply('{1.5}'::numeric[], '{2}'::float8[]) AS floats;
SELECT gpu_multiply('{1}'::numeric[], NULL::numeric), gpu_multiply(NULL::numeric[], '{1}'), gpu_divide('{}'::numeric[], 0), gpu_round('{NULL}'::numeric[], 2), gpu_round('{1.5}'::numeric[], NULL);
SELECT function, elements, engine, reason FROM gpuscan_last_call();

-- Places in order
SELECT differing('gpu_asof(gpu_distinct(a), gpu_reverse(a))', 'SELECT coalesce(array_agg(NULLIF((SELECT count(DISTINCT y) FROM unnest(a) AS y WHERE y <= x), 0) ORDER BY i DESC), ''{}'')
	FROM unnest(a) WITH ORDINALITY AS u (x, i)') AS asof;
SELECT gpu_asof('{1, 2.5, 2.50, 7}'::numeric[], '{{0.999, 2.5, NULL}, {2.4999, 7.0, 1e9}}'), gpu_asof('{}'::numeric[], '{1}'), gpu_asof('{1}'::numeric[], NULL);

-- Equal elements
SELECT differing('gpu_changes(a)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, i = 1 OR x IS DISTINCT FROM lag(x) OVER (ORDER BY i) AS r
		FROM unnest(a) WITH ORDINALITY AS u (x, i)) AS s') AS changes,
	differing('SELECT array_agg((value, count)) FROM gpu_value_counts(a)', 'SELECT array_agg((x, n) ORDER BY x)
		FROM (SELECT x, count(*) AS n FROM unnest(a) AS x WHERE x IS NOT NULL GROUP BY x) AS s') AS value_counts,
	differing('SELECT array_agg((value, count)) FROM gpu_rle(a)', 'SELECT array_agg((x, n) ORDER BY run) FROM (SELECT x, run, count(*) AS n
		FROM (SELECT x, count(*) FILTER (WHERE c) OVER (ORDER BY i) AS run FROM unnest(a, gpu_changes(a)) WITH ORDINALITY AS u (x, c, i)) AS r GROUP BY x, run) AS s') AS rle,
	differing('gpu_percentile_disc(a, ARRAY[0, 0.9, NULL])', 'SELECT percentile_disc(ARRAY[0, 0.9, NULL]::float8[]) WITHIN GROUP (ORDER BY x) FROM unnest(a) AS x') AS percentile_disc;
SELECT gpu_changes('{{1.5, 1.50}, {NULL, NULL}}'::numeric[]), gpu_changes(NULL::numeric[]), gpu_changes('{}'::numeric[]),
	gpu_percentile_disc('{1.5, 2.25, 7}'::numeric[], '{{0, 1}, {0.5, NULL}}'::float8[]) AS percentiles;
SELECT 'rle' AS f, * FROM gpu_rle('{1.5, 1.50, NULL, 2}'::numeric[]) UNION ALL SELECT 'value_counts', * FROM gpu_value_counts('{2, 1.5, NULL, 1.50}'::numeric[])
UNION ALL SELECT 'none', * FROM gpu_rle(NULL::numeric[]) UNION ALL SELECT 'none', * FROM gpu_value_counts('{}'::numeric[]);

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

-- Medians and interpolated percentiles
SELECT f, differing(format('gpu_percentile_cont(a, %s)', f), format('SELECT low + (high - low) * (place - floor(place)) FROM (SELECT place, max(x) FILTER (WHERE r = floor(place)) AS low,
	max(x) FILTER (WHERE r = ceil(place)) AS high FROM (SELECT x, row_number() OVER (ORDER BY x) - 1 AS r, %s::numeric * (count(*) OVER () - 1) AS place
		FROM unnest(a) AS x WHERE x IS NOT NULL) AS r GROUP BY place) AS p', f)) AS differing
FROM unnest('{0, 0.5, 0.29, 0.9, 0.125, 1}'::text[]) AS f;
SELECT differing('gpu_median(a)', 'gpu_percentile_cont(a, 0.5)') AS median, differing('gpu_percentiles_cont(a, ''{0.29, NULL, 1}'')',
	'NULLIF(ARRAY[gpu_percentile_cont(a, 0.29), NULL, gpu_percentile_cont(a, 1)], ''{NULL, NULL, NULL}'')') AS percentiles;
SELECT differing('SELECT array_agg((g.*)::text) FROM gpu_group_median(keys, a) AS g', 'SELECT array_agg((k, m)::text ORDER BY k)
	FROM (SELECT k, gpu_median(x) AS m FROM unnest(keys, a) AS u (k, x) GROUP BY k) AS s') AS group_median,
	differing('gpu_describe(a)', 'SELECT (count(x), count(*) - count(x), 0, min(x), max(x), sum(x), avg(x), stddev(x), gpu_percentile_cont(a, 0.25), gpu_median(a), gpu_percentile_cont(a, 0.75))::text
	FROM unnest(a) AS x') AS describe;
SELECT gpu_median('{1.5, 2.25}'::numeric[]), gpu_median('{1.5, NULL, 2.25, 7}'::numeric[]), gpu_median('{}'::numeric[]), gpu_median(NULL::numeric[]),
	gpu_percentile_cont('{1, 2}'::numeric[], 1 / 3.0::double precision), gpu_percentile_cont('{1, 2}'::numeric[], NULL), gpu_percentile_cont('{1, 2}'::numeric[], '0.5'),
	gpu_percentiles_cont('{1, 2.5}'::numeric[], '{{0, 1}, {0.5, NULL}}'), gpu_percentiles_cont('{1}'::numeric[], '{}');

-- Columns, of any digits: against the built-in aggregates, digit by digit, and by
-- the rule that of equal values the one with the fewest decimal places is shown
SELECT f, differing(format('SELECT gpu_%s(x) FROM unnest(a) AS x', f), format('SELECT %s(x) FROM unnest(a) AS x', f), 'any_decimals') AS differing
FROM unnest('{count,sum,avg,var_pop,var_samp,variance,stddev_pop,stddev_samp,stddev}'::text[]) AS f;
SELECT call, differing(format('SELECT %s FROM unnest(a) AS x', call), by_sql, 'any_decimals') AS differing
FROM (VALUES ('gpu_min(x)', 'SELECT x FROM unnest(a) AS x WHERE x IS NOT NULL ORDER BY x, scale(x) LIMIT 1'),
	('gpu_max(x)', 'SELECT x FROM unnest(a) AS x WHERE x IS NOT NULL ORDER BY x DESC, scale(x) LIMIT 1'),
	('gpu_mode(x)', 'SELECT (array_agg(x ORDER BY scale(x)))[1] FROM unnest(a) AS x WHERE x IS NOT NULL GROUP BY x ORDER BY count(*) DESC, x LIMIT 1'),
	('gpu_count_distinct(x)', 'SELECT count(DISTINCT x) FROM unnest(a) AS x'),
	('gpu_percentile_disc(x, 0.3)', 'SELECT y FROM unnest(a) AS y WHERE y = (SELECT percentile_disc(0.3) WITHIN GROUP (ORDER BY x) FROM unnest(a) AS x) ORDER BY scale(y) LIMIT 1'),
	('gpu_percentile_disc(x, ARRAY[0.3, NULL])', 'SELECT CASE WHEN count(x) > 0 THEN ARRAY[gpu_percentile_disc(x, 0.3), NULL] END FROM unnest(a) AS x'),
	('gpu_percentile_cont(x, ARRAY[0.3, NULL])', 'SELECT CASE WHEN count(x) > 0 THEN ARRAY[gpu_percentile_cont(x, 0.3), NULL] END FROM unnest(a) AS x'),
	('gpu_percentiles_cont(x, ''{0.5}'')', 'SELECT CASE WHEN count(x) > 0 THEN ARRAY[gpu_median(x)] END FROM unnest(a) AS x'),
	('NULLIF(gpu_topk(x, 3), ''{}'')', 'SELECT array_agg(x ORDER BY x DESC, scale(x)) FROM (SELECT x FROM unnest(a) AS x WHERE x IS NOT NULL ORDER BY x DESC, scale(x) LIMIT 3) AS s'),
	('NULLIF(gpu_topk(x, 200, false), ''{}'')', 'SELECT array_agg(x ORDER BY x, scale(x)) FROM (SELECT x FROM unnest(a) AS x WHERE x IS NOT NULL ORDER BY x, scale(x) LIMIT 200) AS s'),
	('gpu_argmax(x, x::text)', 'SELECT (array_agg(x::text ORDER BY x DESC, x::text) FILTER (WHERE x IS NOT NULL))[1] FROM unnest(a) AS x'),
	('gpu_argmin(x, x::text)', 'SELECT (array_agg(x::text ORDER BY x, x::text) FILTER (WHERE x IS NOT NULL))[1] FROM unnest(a) AS x'),
	('gpu_histogram(x, -1000, 1e6, 7)', 'SELECT array_agg(n ORDER BY b) FROM (SELECT b, count(x) AS n FROM generate_series(1, 7) AS b
		LEFT JOIN (SELECT x FROM unnest(a) AS x WHERE x <> ''NaN'') AS s ON width_bucket(x, -1000, 1e6, 7) = b GROUP BY b) AS s WHERE cardinality(a) > 0')) AS c (call, by_sql);
SELECT f, differing(format('SELECT gpu_percentile_cont(x, %s) FROM unnest(a) AS x', f), format('SELECT CASE WHEN low = high AND scale(low) IS NULL THEN low
	ELSE low + (high - low) * (place - floor(place)) END FROM (SELECT place, min(x) FILTER (WHERE r = floor(place)) AS low, min(x) FILTER (WHERE r = ceil(place)) AS high
	FROM (SELECT first_value(x) OVER (PARTITION BY x ORDER BY scale(x)) AS x, row_number() OVER (ORDER BY x, scale(x)) - 1 AS r, %s::numeric * (count(*) OVER () - 1) AS place
		FROM unnest(a) AS x WHERE x IS NOT NULL) AS r GROUP BY place) AS p', f), 'any_decimals') AS differing
FROM unnest('{0, 0.5, 0.29, 0.9, 0.125, 1}'::text[]) AS f;
SELECT differing('SELECT gpu_describe(x)::text FROM unnest(a) AS x', 'SELECT (count(x), count(*) - count(x), count(*) FILTER (WHERE x = ''NaN''), gpu_min(x), gpu_max(x), sum(x), avg(x), stddev(x),
	gpu_percentile_cont(x, 0.25), gpu_median(x), gpu_percentile_cont(x, 0.75))::text FROM unnest(a) AS x', 'any_decimals') AS describe;
-- in any order; of some rows; of different values
SELECT call, count(DISTINCT r::text) AS results, min(r::text) FROM unnest('{gpu_min, gpu_max, gpu_mode, gpu_median, gpu_sum}'::text[]) AS call,
	LATERAL (SELECT result_or_error(format('SELECT %s(x ORDER BY i %s) FROM unnest(''{1.00, 1, 1.0, 2.00, 2, 2.0}''::numeric[]) WITH ORDINALITY AS u (x, i)', call, o)) AS r
	FROM unnest('{ASC,DESC}'::text[]) AS o) AS s GROUP BY call ORDER BY call;
SELECT gpu_sum(DISTINCT x), gpu_count(DISTINCT x), gpu_avg(x) FILTER (WHERE x < 2), gpu_median(x) FILTER (WHERE x > 5), gpu_sum(x) FILTER (WHERE x > 5), gpu_mode(DISTINCT x),
	gpu_count(x) FILTER (WHERE x > 5), gpu_describe(x) FILTER (WHERE x > 5) FROM unnest('{1, 1.00, 2.5}'::numeric[]) AS x;
SELECT gpu_percentile_cont(x, '0.5'), gpu_percentile_cont(x::integer, '0.5') AS integer, gpu_percentile_cont(x::integer, ARRAY[0.5]) AS integers, gpu_percentile_cont(x::real, ARRAY[0.5]) AS reals,
	gpu_percentile_cont(x, NULL::double precision), gpu_percentile_cont(x, NULL::double precision[]), gpu_percentiles_disc(x, '{0.5}')
FROM unnest('{1, 2.5}'::numeric[]) AS x;
SELECT call, error_of(format('SELECT %s FROM unnest(''{1, 2.5, NaN}''::numeric[]) AS x', call))
FROM unnest('{"gpu_percentile_cont(x, 1.5)", "gpu_percentile_cont(x, x / 3)", "gpu_percentile_cont(x, ARRAY[2])", "gpu_percentile_cont(x, ''NaN'')", "gpu_topk(x, -1)", "gpu_histogram(x, 0, 0, 1)",
	"gpu_histogram(x, 0, x, 1)", gpu_stats_agg(x), gpu_product(ARRAY[x]), "gpu_percentile_cont(ARRAY[x], ARRAY[0.5])", gpu_median(ARRAY[x]), gpu_describe(ARRAY[x])}'::text[]) AS call;

-- in parallel, and no more of a group than its memory
CREATE TABLE values_of_decimals WITH (parallel_workers = 2) AS SELECT i % 5 AS k, i, CASE i % 11 WHEN 0 THEN NULL WHEN 1 THEN i * 1e20 ELSE round(hashint4(i) / 7e8, i % 4) END AS x,
	round(hashint4(i) / 7e8, 2)::numeric(9, 2) AS m FROM generate_series(1, 20000) AS i;
ANALYZE values_of_decimals;
\set all 'SELECT k, gpu_count(x), gpu_sum(x), gpu_avg(x), gpu_stddev(x), gpu_min(x), gpu_max(x), gpu_median(x), gpu_mode(x), gpu_count_distinct(x), gpu_percentile_cont(x, 0.9), gpu_percentile_disc(x, ARRAY[0.1, 0.9]), gpu_topk(x, 3), gpu_topk(x, 1500) AS best, gpu_argmax(x, i), gpu_describe(x), gpu_histogram(x, 0, 1, 3), gpu_median(m) AS median_m, gpu_mode(m) AS mode_m, gpu_count_distinct(m) AS distinct_m, gpu_percentile_cont(m, 0.9) AS cont_m, gpu_describe(m) AS describe_m FROM values_of_decimals GROUP BY k'
CREATE TABLE one_process AS :all;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SET enable_hashagg = on;
EXPLAIN (COSTS OFF) SELECT gpu_sum(x), gpu_median(x), gpu_argmax(x, i), gpu_topk(x, 2) FROM values_of_decimals;
CREATE TABLE parallel AS :all;
SELECT count(*) FROM (SELECT one_process.*::text FROM one_process EXCEPT SELECT parallel.*::text FROM parallel) AS s;
SELECT gpu_sum(x)::text = sum(x)::text AS sum, gpu_avg(x)::text = avg(x)::text AS avg, gpu_stddev(x)::text = stddev(x)::text AS stddev, gpu_count_distinct(x) = count(DISTINCT x) AS "distinct",
	(gpu_topk(x, 5000))[5000] = (SELECT y FROM (SELECT x AS y FROM values_of_decimals WHERE x IS NOT NULL ORDER BY x DESC LIMIT 5000) AS s ORDER BY y LIMIT 1) AS topk
FROM values_of_decimals;
RESET max_parallel_workers_per_gather;
SET work_mem = '64kB';
SELECT gpu_median(repeat('7', 200)::numeric + i) FROM generate_series(1, 100000) AS i;
RESET work_mem;
DROP TABLE values_of_decimals, one_process, parallel;

-- Over windows
SELECT call, differing(format('SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, %s AS r FROM unnest(a) WITH ORDINALITY AS u (x, i) WINDOW w AS (ORDER BY i)) AS s', call),
	format('SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, %s AS r FROM unnest(a) WITH ORDINALITY AS u (x, i)) AS s', by_sql), 'any_decimals') AS differing
FROM (VALUES ('gpu_cumsum(x) OVER w', 'sum(x) OVER (ORDER BY i ROWS UNBOUNDED PRECEDING)'),
	('gpu_cumcount(x) OVER w', 'count(x) OVER (ORDER BY i)'),
	('gpu_cummin(x) OVER w', 'gpu_min(x) OVER (ORDER BY i)'),
	('gpu_cummax(x) OVER w', 'gpu_max(x) OVER (ORDER BY i)'),
	('gpu_moving_sum(x, 9) OVER w', 'sum(x) OVER (ORDER BY i ROWS 9 PRECEDING)'),
	('gpu_moving_avg(x, 9, 2) OVER w', 'avg(x) OVER (ORDER BY i ROWS BETWEEN 9 PRECEDING AND 2 FOLLOWING)'),
	('gpu_moving_stddev(x, 3) OVER w', 'stddev(x) OVER (ORDER BY i ROWS 3 PRECEDING)'),
	('gpu_moving_min(x, 5, 2) OVER w', 'gpu_min(x) OVER (ORDER BY i ROWS BETWEEN 5 PRECEDING AND 2 FOLLOWING)'),
	('gpu_moving_max(x, 5, 2) OVER w', 'gpu_max(x) OVER (ORDER BY i ROWS BETWEEN 5 PRECEDING AND 2 FOLLOWING)'),
	('gpu_sum(x) OVER (ORDER BY i ROWS 9 PRECEDING)', 'sum(x) OVER (ORDER BY i ROWS 9 PRECEDING)'),
	('gpu_count(x) OVER (ORDER BY i ROWS 9 PRECEDING)', 'count(x) OVER (ORDER BY i ROWS 9 PRECEDING)'),
	('gpu_stddev(x) OVER (ORDER BY i ROWS 9 PRECEDING)', 'stddev(x) OVER (ORDER BY i ROWS 9 PRECEDING)'),
	('gpu_median(x) OVER (ORDER BY i ROWS 9 PRECEDING)', '(SELECT gpu_median(y) FROM unnest(a[i - 9:i]) AS y)')) AS c (call, by_sql);
SELECT k, x, gpu_cumsum(x) OVER w, gpu_moving_sum(x, 1) OVER w, gpu_cummax(x) OVER w FROM (VALUES (1, 1, 0.5), (1, 2, NULL), (1, 3, 2.25), (1, 4, 7), (2, 1, NULL), (2, 2, 1.000), (2, 3, 1)) AS t (k, i, x)
WINDOW w AS (PARTITION BY k ORDER BY i) ORDER BY k, i;

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
SELECT gpu_reverse(gpu_reverse(a))::text = a::text AS reverse, gpu_take(a, gpu_argsort(a))::text = (SELECT array_agg(x ORDER BY x, i)::text FROM unnest(a) WITH ORDINALITY AS u (x, i)) AS take,
	(SELECT sum(count) FROM gpu_value_counts(a)) AS values, (SELECT sum(count) FROM gpu_rle(a)) AS rle
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
SELECT gpu_take('{1.5}'::numeric[], '{2}');
SELECT gpu_take('{}'::numeric[], '{1}');
SELECT gpu_if('{t, f}', '{1}'::numeric[], 2.5);
SELECT gpu_multiply('{1, 2}'::numeric[], '{1}');
SELECT gpu_divide('{1, NULL, 3}'::numeric[], '{2, 0, 0.00}');
SELECT gpu_divide('{1}'::numeric[], 0);
SELECT gpu_asof('{2, 1.5}'::numeric[], '{1}');
SELECT gpu_asof('{1, NULL}'::numeric[], '{1}');
SELECT gpu_asof('{1}'::numeric[], '{1e-18}');
SELECT gpu_changes('{1, NaN}'::numeric[]);
SELECT gpu_changes(ARRAY[('1' || repeat('7', 131000) || '.' || repeat('3', 16000))::numeric]);
SELECT * FROM gpu_rle('{1e18}'::numeric[]);
SELECT * FROM gpu_value_counts('{1, 1e-18}'::numeric[]);
SELECT gpu_percentile_disc('{1e18}'::numeric[], ARRAY[0.5]);
DROP FUNCTION differing(text, text, regclass);
DROP TABLE decimals, any_decimals, many_decimals;
