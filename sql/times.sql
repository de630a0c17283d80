-- Arrays of dates and timestamps: functions that compare elements, or give some
-- of them, against SQL.
SET timezone = 'Europe/Vienna';
SET datestyle = 'ISO';

-- Days on both sides of changes to and from summer time, with duplicates, NULLs and infinities; @ is the type
CREATE TABLE times_sample (name text, number serial, text text);
INSERT INTO times_sample (name, text) VALUES
	('empty', '{}'), ('null', '{NULL}'), ('one', '{2026-03-29 02:30}'), ('equal', '{2026-03-29,2026-03-29,2026-03-29}'),
	('infinite', '{infinity,2026-01-01,NULL,-infinity,infinity,1999-12-31 23:59:59.999999,2000-01-01}'),
	('early', '{0044-03-15 BC,1582-10-15,0001-01-01,2026-01-01,NULL,5000-01-01}');
INSERT INTO times_sample (name, text)
SELECT 'long ' || n, array_agg(CASE WHEN i % 11 <> 0 THEN '2026-01-01'::timestamp + (i * 7919 % 4001) * interval '3 hours 17 minutes 0.000123 seconds' END ORDER BY i)::text
FROM unnest('{300,9000}'::integer[]) AS n, generate_series(1, n) AS i GROUP BY n;

-- Both sides of a comparison: over the array @, whose elements u (v, i) gives; T is the type.
CREATE TABLE times_comparison (number serial, call text, sql text);
INSERT INTO times_comparison (call, sql) VALUES
	('gpu_count(@)', 'SELECT count(v) FROM u'),
	('gpu_min(@)', 'SELECT min(v) FROM u'),
	('gpu_max(@)', 'SELECT max(v) FROM u'),
	('gpu_argmin(@)', 'SELECT i::integer FROM u WHERE v IS NOT NULL ORDER BY v, i LIMIT 1'),
	('gpu_argmax(@)', 'SELECT i::integer FROM u WHERE v IS NOT NULL ORDER BY v DESC, i LIMIT 1'),
	('gpu_sort(@)', 'SELECT coalesce(array_agg(v ORDER BY v), ''{}'') FROM u'),
	('gpu_sort(@, true)', 'SELECT coalesce(array_agg(v ORDER BY v DESC), ''{}'') FROM u'),
	('gpu_argsort(@)', 'SELECT coalesce(array_agg(i::integer ORDER BY v, i), ''{}'') FROM u'),
	('gpu_rank(@)', 'SELECT coalesce(array_agg(r::integer ORDER BY i), ''{}'') FROM (SELECT i, rank() OVER (ORDER BY v) AS r FROM u) AS s'),
	('gpu_dense_rank(@)', 'SELECT coalesce(array_agg(r::integer ORDER BY i), ''{}'') FROM (SELECT i, dense_rank() OVER (ORDER BY v) AS r FROM u) AS s'),
	('gpu_cume_dist(@)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, cume_dist() OVER (ORDER BY v) AS r FROM u) AS s'),
	('gpu_ntile(@, 3)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, ntile(3) OVER (ORDER BY v, i) AS r FROM u) AS s'),
	('gpu_topk(@, 3)', 'SELECT coalesce(array_agg(v ORDER BY v DESC), ''{}'') FROM (SELECT v FROM u WHERE v IS NOT NULL ORDER BY v DESC LIMIT 3) AS s'),
	('gpu_median(@)', 'SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY v) FROM u'),
	('gpu_percentile_disc(@, 0.9)', 'SELECT percentile_disc(0.9) WITHIN GROUP (ORDER BY v) FROM u'),
	('gpu_percentile_disc(@, ARRAY[0, 0.3, 1])', 'SELECT percentile_disc(ARRAY[0, 0.3, 1]) WITHIN GROUP (ORDER BY v) FROM u'),
	('gpu_percentiles_disc(@, ''{0, 0.3, NULL}'')', 'SELECT percentile_disc(''{0, 0.3, NULL}''::float8[]) WITHIN GROUP (ORDER BY v) FROM u'),
	('gpu_mode(@)', 'SELECT v FROM u WHERE v IS NOT NULL GROUP BY v ORDER BY count(*) DESC, v LIMIT 1'),
	('gpu_count_distinct(@)', 'SELECT count(DISTINCT v) FROM u'),
	('gpu_distinct(@)', 'SELECT coalesce(array_agg(DISTINCT v) FILTER (WHERE v IS NOT NULL), ''{}'') FROM u'),
	('(SELECT array_agg(r) FROM gpu_value_counts(@) AS r)', 'SELECT array_agg((v, n) ORDER BY v) FROM (SELECT v, count(*) AS n FROM u WHERE v IS NOT NULL GROUP BY v) AS s'),
	('(SELECT array_agg(r) FROM gpu_rle(@) AS r)', 'SELECT array_agg((v, n) ORDER BY run) FROM (SELECT v, count(*) AS n, run FROM (SELECT v, sum(head) OVER (ORDER BY i) AS run FROM
		(SELECT v, i, (i = 1 OR v IS DISTINCT FROM lag(v) OVER (ORDER BY i))::integer AS head FROM u) AS h) AS r GROUP BY v, run) AS s'),
	('gpu_unique(@)', 'SELECT coalesce(array_agg(v ORDER BY i) FILTER (WHERE head), ''{}'') FROM (SELECT v, i, v IS DISTINCT FROM lag(v) OVER (ORDER BY i) AS head FROM u WHERE v IS NOT NULL) AS s'),
	('gpu_changes(@)', 'SELECT coalesce(array_agg(i = 1 OR v IS DISTINCT FROM before ORDER BY i), ''{}'') FROM (SELECT v, i, lag(v) OVER (ORDER BY i) AS before FROM u) AS s'),
	('gpu_cummin(@)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, min(v) OVER (ORDER BY i) AS r FROM u) AS s'),
	('gpu_cummax(@, chunk => 5)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, max(v) OVER (PARTITION BY (i - 1) / 5 ORDER BY i) AS r FROM u) AS s'),
	('gpu_cumcount(@)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, count(v) OVER (ORDER BY i) AS r FROM u) AS s'),
	('gpu_segment_min(@, chunk => 3)', 'SELECT coalesce(array_agg(r ORDER BY run), ''{}'') FROM (SELECT min(v) AS r, run FROM (SELECT v, i, (i - 1) / 3 AS run FROM u) AS h GROUP BY run) AS s'),
	('gpu_segment_min(@, gpu_compare(@, ''>'', ''2026-03-29''))', 'SELECT coalesce(array_agg(r ORDER BY run), ''{}'') FROM (SELECT min(v) AS r, run FROM (SELECT v, i, count(*) FILTER (WHERE i = 1 OR v > ''2026-03-29'') OVER (ORDER BY i) AS run FROM u) AS h GROUP BY run) AS s'),
	('gpu_segment_max(@, chunk => 3)', 'SELECT coalesce(array_agg(r ORDER BY run), ''{}'') FROM (SELECT max(v) AS r, run FROM (SELECT v, i, (i - 1) / 3 AS run FROM u) AS h GROUP BY run) AS s'),
	('gpu_segment_max(@, gpu_compare(@, ''>'', ''2026-03-29''))', 'SELECT coalesce(array_agg(r ORDER BY run), ''{}'') FROM (SELECT max(v) AS r, run FROM (SELECT v, i, count(*) FILTER (WHERE i = 1 OR v > ''2026-03-29'') OVER (ORDER BY i) AS run FROM u) AS h GROUP BY run) AS s'),
	('gpu_segment_count(@, chunk => 3)', 'SELECT coalesce(array_agg(r ORDER BY run), ''{}'') FROM (SELECT count(v) AS r, run FROM (SELECT v, i, (i - 1) / 3 AS run FROM u) AS h GROUP BY run) AS s'),
	('gpu_segment_count(@, gpu_compare(@, ''>'', ''2026-03-29''))', 'SELECT coalesce(array_agg(r ORDER BY run), ''{}'') FROM (SELECT count(v) AS r, run FROM (SELECT v, i, count(*) FILTER (WHERE i = 1 OR v > ''2026-03-29'') OVER (ORDER BY i) AS run FROM u) AS h GROUP BY run) AS s'),
	('gpu_moving_min(@, 2, 0)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, min(v) OVER (ORDER BY i ROWS BETWEEN 2 PRECEDING AND 0 FOLLOWING) AS r FROM u) AS s'),
	('gpu_moving_min(@, 3, 2)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, min(v) OVER (ORDER BY i ROWS BETWEEN 3 PRECEDING AND 2 FOLLOWING) AS r FROM u) AS s'),
	('gpu_moving_min(@, 1000000, 1)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, min(v) OVER (ORDER BY i ROWS BETWEEN 1000000 PRECEDING AND 1 FOLLOWING) AS r FROM u) AS s'),
	('gpu_moving_max(@, 2, 0)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, max(v) OVER (ORDER BY i ROWS BETWEEN 2 PRECEDING AND 0 FOLLOWING) AS r FROM u) AS s'),
	('gpu_moving_max(@, 3, 2)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, max(v) OVER (ORDER BY i ROWS BETWEEN 3 PRECEDING AND 2 FOLLOWING) AS r FROM u) AS s'),
	('gpu_moving_max(@, 1000000, 1)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, max(v) OVER (ORDER BY i ROWS BETWEEN 1000000 PRECEDING AND 1 FOLLOWING) AS r FROM u) AS s'),
	('gpu_moving_percentile_disc(@, 0, 2, 1)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT o.i, (SELECT percentile_disc(0) WITHIN GROUP (ORDER BY f.v) FROM (SELECT v FROM unnest(o.w) AS w (v)) AS f) AS r FROM (SELECT i, array_agg(v) OVER (ORDER BY i ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING) AS w FROM u) AS o) AS s'),
	('gpu_moving_percentile_disc(@, 0.5, 20, 0)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT o.i, (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY f.v) FROM (SELECT v FROM unnest(o.w) AS w (v)) AS f) AS r FROM (SELECT i, array_agg(v) OVER (ORDER BY i ROWS BETWEEN 20 PRECEDING AND 0 FOLLOWING) AS w FROM u) AS o) AS s'),
	('gpu_moving_percentile_disc(@, 0.9, 3, 2)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT o.i, (SELECT percentile_disc(0.9) WITHIN GROUP (ORDER BY f.v) FROM (SELECT v FROM unnest(o.w) AS w (v)) AS f) AS r FROM (SELECT i, array_agg(v) OVER (ORDER BY i ROWS BETWEEN 3 PRECEDING AND 2 FOLLOWING) AS w FROM u) AS o) AS s'),
	('gpu_compact(@, gpu_compare(@, ''>'', ''2026-01-01''))', 'SELECT coalesce(array_agg(v ORDER BY i) FILTER (WHERE v > ''2026-01-01''), ''{}'') FROM u'),
	('gpu_compare(@, ''<='', gpu_reverse(@))', 'SELECT coalesce(array_agg(u.v <= w.v ORDER BY u.i), ''{}'') FROM u JOIN u AS w ON w.i = (SELECT count(*) FROM u) + 1 - u.i'),
	('gpu_between(@, ''2026-01-01'', ''infinity'')', 'SELECT coalesce(array_agg(v BETWEEN ''2026-01-01'' AND ''infinity'' ORDER BY i), ''{}'') FROM u'),
	('gpu_clip(@, ''1582-10-15'', ''2026-03-29'')', 'SELECT coalesce(array_agg(CASE WHEN v < ''1582-10-15'' THEN ''1582-10-15'' WHEN v > ''2026-03-29'' THEN ''2026-03-29'' ELSE v END ORDER BY i), ''{}'') FROM u'),
	('gpu_if(gpu_compare(@, ''>'', ''2026-03-29''), @, ''infinity''::T)', 'SELECT coalesce(array_agg(CASE WHEN v > ''2026-03-29'' THEN v ELSE ''infinity'' END ORDER BY i), ''{}'') FROM u'),
	('gpu_if(gpu_compare(@, ''>'', ''2026-03-29''), NULL::T, @)', 'SELECT coalesce(array_agg(CASE WHEN v > ''2026-03-29'' THEN NULL ELSE v END ORDER BY i), ''{}'') FROM u'),
	('gpu_take(@, gpu_argsort(@, true))', 'SELECT coalesce(array_agg(v ORDER BY v DESC), ''{}'') FROM u'),
	('gpu_slice(@, 2, 4)', 'SELECT coalesce(array_agg(v ORDER BY i), ''{}'') FROM u WHERE i BETWEEN 2 AND 4'),
	('gpu_concat(@, @)', 'SELECT @ || @'),
	('gpu_reverse(@)', 'SELECT coalesce(array_agg(v ORDER BY i DESC), ''{}'') FROM u'),
	('gpu_shift(@, 2)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, lag(v, 2) OVER (ORDER BY i) AS r FROM u) AS s'),
	('gpu_locf(@)', 'SELECT coalesce(array_agg(r ORDER BY i), ''{}'') FROM (SELECT i, first_value(v) OVER (PARTITION BY run ORDER BY i) AS r FROM (SELECT i, v, count(v) OVER (ORDER BY i) AS run FROM u) AS c) AS s'),
	('gpu_searchsorted(''{1582-10-15, 2026-01-01, 2026-03-29, infinity}'', @)',
		'SELECT coalesce(array_agg(CASE WHEN v IS NOT NULL THEN width_bucket(v, ''{1582-10-15, 2026-01-01, 2026-03-29, infinity}''::T[]) END ORDER BY i), ''{}'') FROM u'),
	('gpu_searchsorted(''{1582-10-15, 2026-01-01, 2026-03-29, infinity}'', @, ''left'')',
		'SELECT coalesce(array_agg(CASE WHEN v IS NOT NULL THEN (SELECT count(*) FROM unnest(''{1582-10-15, 2026-01-01, 2026-03-29, infinity}''::T[]) AS e WHERE e < v) END ORDER BY i), ''{}'') FROM u'),
	('gpu_asof(''{-infinity, 1582-10-15, 2026-01-01}'', @)',
		'SELECT coalesce(array_agg(CASE WHEN v IS NOT NULL THEN width_bucket(v, ''{-infinity, 1582-10-15, 2026-01-01}''::T[]) END ORDER BY i), ''{}'') FROM u'),
	('gpu_histogram(@, ''{-infinity, 1722-10-15, 2026-01-01, 2026-03-29, infinity}'')',
		'SELECT array_agg((SELECT count(*) FROM u WHERE width_bucket(v, ''{-infinity, 1722-10-15, 2026-01-01, 2026-03-29, infinity}''::T[]) = b) ORDER BY b) FROM generate_series(1, 4) AS b'),
	('(SELECT array_agg(r) FROM gpu_histogram_table(@, ''{1722-10-15, 2026-01-01, 2026-03-29, infinity}'') AS r)',
		'SELECT array_agg((b, edge[b + 1], edge[b + 2], (SELECT count(*) FROM u WHERE width_bucket(v, ''{1722-10-15, 2026-01-01, 2026-03-29, infinity}''::T[]) = b)) ORDER BY b)
		FROM generate_series(0, 4) AS b, (SELECT ''{-infinity, 1722-10-15, 2026-01-01, 2026-03-29, infinity, infinity}''::T[] AS edge) AS e'),
	('gpu_histogram(@, ''2026-01-01'', ''2026-01-31'', 7)',
		'SELECT array_agg((SELECT count(*) FROM u WHERE isfinite(v) AND width_bucket(extract(epoch FROM v - ''2000-01-01''::T), extract(epoch FROM ''2026-01-01'' - ''2000-01-01''::T), extract(epoch FROM ''2026-01-31'' - ''2000-01-01''::T), 7) = b) ORDER BY b) FROM generate_series(1, 7) AS b'),
	('(SELECT array_agg(r) FROM gpu_group_count(@, array_fill(1, ARRAY[cardinality(@)])) AS r)', 'SELECT array_agg((v, n) ORDER BY v) FROM (SELECT v, count(*) AS n FROM u GROUP BY v) AS s'),
	('gpu_diff(gpu_filter(gpu_filter(@, ''<'', ''infinity''), ''>'', ''-infinity''))',
		'SELECT coalesce(array_agg(d ORDER BY i), ''{}'') FROM (SELECT v - lag(v) OVER (ORDER BY i) AS d, i FROM u WHERE isfinite(v)) AS s'),
	('gpu_diff(gpu_filter(gpu_filter(@, ''<'', ''infinity''), ''>'', ''-infinity''), ''drop'')',
		'SELECT coalesce(array_agg(d ORDER BY i) FILTER (WHERE d IS NOT NULL), ''{}'') FROM (SELECT v - lag(v) OVER (ORDER BY i) AS d, i FROM u WHERE isfinite(v)) AS s');
INSERT INTO times_comparison (call, sql)
SELECT format('gpu_filter(@, %L, ''2026-03-29'')', op), format('SELECT coalesce(array_agg(v ORDER BY i) FILTER (WHERE v %s ''2026-03-29''), ''{}'') FROM u', op)
FROM unnest('{<,<=,=,<>,!=,>=,>}'::text[]) AS op;

-- dates lie an integer apart, of days
CREATE FUNCTION times_difference(type text, sql text) RETURNS text LANGUAGE sql AS
$$ SELECT CASE type WHEN 'date' THEN regexp_replace(sql, 'extract\(epoch FROM (.*?)\)(?=,|\))', '(\1)', 'g') ELSE sql END $$;
CREATE FUNCTION times_compare(type text, sample text, call text, sql text, OUT got text, OUT wanted text) LANGUAGE plpgsql AS
$$
BEGIN
	EXECUTE format('SELECT (%s)::text', regexp_replace(replace(call, '@', 'a'), '::T\M', '::' || type, 'g'))
		|| format(' FROM (SELECT %L::%s[] OFFSET 0) AS s (a)', sample, type) INTO got;
	EXECUTE format('WITH s (a) AS (SELECT %L::%s[] OFFSET 0), u (v, i) AS MATERIALIZED (SELECT v, i FROM s, unnest(a) WITH ORDINALITY AS e (v, i)) SELECT (%s)::text',
		sample, type, replace(regexp_replace(times_difference(type, sql), '::T\M', '::' || type, 'g'), '@ || @', 'a || a FROM s')) INTO wanted;
EXCEPTION WHEN OTHERS THEN
	got := call || ': ' || SQLERRM;
END
$$;
CREATE TABLE times_outcome AS
SELECT type, name, call, c.number, got, wanted
FROM unnest('{date,timestamp,timestamptz}'::text[]) AS type, times_sample AS s, times_comparison AS c, times_compare(type, s.text, call, sql);
SELECT type, name, call, left(got, 200) AS got, left(wanted, 200) AS wanted FROM times_outcome
WHERE got IS DISTINCT FROM wanted ORDER BY type, number, name LIMIT 20;
SELECT type, count(*) AS comparisons, count(*) FILTER (WHERE got <> '{}') > 200 AS with_results FROM times_outcome GROUP BY type ORDER BY type;

-- Infinite times have no difference, and the first one is none.
CREATE FUNCTION times_error(call text) RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	message text;
	detail text;
	hint text;
BEGIN
	EXECUTE 'SELECT (' || call || ')::text' INTO message;
	RETURN message;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN CASE WHEN SQLSTATE = '42883' THEN '42883: ' || SQLERRM
		ELSE concat_ws(E'\n', SQLSTATE || ': ' || SQLERRM, NULLIF(detail, ''), NULLIF(hint, '')) END;
END
$$;
SELECT call, times_error(call) FROM (VALUES
	('gpu_diff(''{2026-01-01,infinity}''::date[])'),
	('gpu_diff(''{infinity,NULL}''::timestamp[])'),
	('gpu_diff(''{294276-12-31,4713-01-01 BC}''::timestamp[])'),
	('gpu_diff(''{2026-01-01}''::timestamptz[], ''keep'')'),
	('gpu_diff(''{{2026-01-01,2026-01-05},{NULL,2026-01-03}}''::date[])'),
	('gpu_sort(''{{2026-01-05,2026-01-01},{NULL,2026-01-03}}''::date[])'),
	-- segments and frames
	('pg_typeof(gpu_segment_max(''{2026-01-01}''::timestamp[], chunk => 1))'),
	('pg_typeof(gpu_moving_min(''{2026-01-01}''::date[], 1))'),
	('gpu_moving_max(''{{2026-01-05,2026-01-01},{NULL,infinity}}''::date[], 1)'),
	('gpu_moving_percentile_disc(''{{2026-01-05,2026-01-01},{NULL,-infinity}}''::timestamptz[], 0.5, 1)'),
	('gpu_segment_min(''{{2026-01-05,2026-01-01},{NULL,2026-01-03}}''::date[], ''{{f,f},{t,f}}'')'),
	('gpu_segment_min(''{NULL,NULL,infinity}''::timestamptz[], chunk => 2)'),
	('gpu_segment_count(''{NULL,NULL,infinity}''::timestamptz[], chunk => 2)'),
	('gpu_segment_max(''{2026-01-01,2026-01-02}''::date[], ''{t}'')'),
	('gpu_segment_min(''{2026-01-01}''::date[], chunk => 0)'),
	('gpu_segment_count(''{2026-01-01}''::date[], ''{t}'', 1)'),
	('gpu_moving_min(''{2026-01-01}''::date[], -1)'),
	('gpu_moving_max(''{2026-01-01}''::timestamp[], 1, NULL)'),
	('gpu_moving_percentile_disc(''{2026-01-01}''::timestamp[], 1.5, 1)'),
	-- a date with a time is compared as SQL does, as a timestamp
	('gpu_filter(''{2026-01-01,2026-01-02}''::date[], ''>'', ''2026-01-01 12:00''::timestamptz)'),
	('gpu_compare(''{2026-01-01,2026-01-02}''::date[], ''>='', ''{2026-01-01 01:00,2026-01-02}''::timestamptz[])'),
	('gpu_concat(''{2026-01-01}''::date[], ''{2026-01-02 12:00}''::timestamp[])'),
	-- series
	('gpu_interpolate(''{2026-01-01,2026-01-02}''::timestamptz[], ''{1,3}''::integer[], ''{2026-01-01 06:00,infinity,-infinity,NULL}''::timestamptz[])'),
	('gpu_interpolate(''{2026-01-01,infinity}''::timestamptz[], ''{1,3}''::integer[], ''{2026-01-01}''::timestamptz[])'),
	('gpu_time_weighted_avg(''{2026-01-01,2026-01-02,2026-01-05}''::date[], ''{1,5,7}''::integer[])'),
	('gpu_time_weighted_avg(''{-infinity,2026-01-02}''::date[], ''{1,5}''::integer[])'),
	('gpu_lttb(''{2026-01-01,2026-01-02,2026-01-03,2026-01-04,2026-01-05,2026-01-06,2026-01-07}''::date[], ''{0,1,9,1,0,-5,0}''::real[], 4)'),
	('gpu_lttb(''{2026-01-01,infinity}''::timestamp[], ''{0,1}''::real[], 2)'),
	('gpu_take((SELECT array_agg(k) FROM gpu_group_sum(''{2026-01-02,2026-01-01,2026-01-02,NULL}''::date[], ''{1,2,3,4}''::integer[]) AS g (k, s)), ''{1,3,2}'')'),
	-- buckets: over the range; reversed; bounds that no double holds
	('gpu_histogram(''{2026-01-01,2026-01-04,NULL,2026-01-07}''::date[], 2)'),
	('gpu_histogram(''{2026-01-01,infinity}''::date[], 2)'),
	('(SELECT array_agg(h) FROM gpu_histogram_table(''{2026-01-01,2026-01-04,2026-01-07}''::date[], ''2026-01-08'', ''2026-01-01'', 2) AS h)'),
	('(SELECT array_agg(h) FROM gpu_histogram_table(''{2026-01-01,2026-01-04,2026-01-07}''::date[], ''2026-01-01'', ''2026-01-06'', 2) AS h)'),
	('gpu_histogram(''{2026-01-01}''::timestamp[], ''2026-01-01'', ''infinity'', 2)'),
	('gpu_histogram(''{2026-01-01}''::timestamp[], ''1700-01-01'', ''2026-01-01'', 2)'),
	('gpu_histogram(''{2026-01-01}''::timestamp[], ''{2026-01-01,2286-01-01}'')'),
	('gpu_histogram(''{2026-01-01}''::timestamp[], ''{2026-01-01,2026-01-01}'')'),
	('gpu_histogram(''{2026-01-01}''::timestamp[], ''{2026-01-01,NULL}'')'),
	('gpu_histogram(''{2026-01-01}''::timestamp[], ''{2026-01-01}'')'),
	-- what has no meaning does not exist
	('gpu_sum(''{2026-01-01}''::date[])'),
	('gpu_filter(''{2026-01-01}''::date[], ''>'', 1)'),
	('gpu_percentile_cont(''{2026-01-01}''::date[], ARRAY[0.5])'),
	('gpu_segment_sum(''{2026-01-01}''::date[], chunk => 1)'),
	('gpu_moving_avg(''{2026-01-01}''::date[], 1)'),
	('gpu_moving_percentile_cont(''{2026-01-01}''::date[], 0.5, 1)'),
	('gpu_add(''{2026-01-01}''::date[], 1)'),
	('gpu_sort(''{01:00}''::interval[])'),
	-- refused by name
	('gpu_filter(''{01:00}''::interval[], ''>'', 1)'),
	('gpu_take(''{00000000-0000-0000-0000-000000000000}''::uuid[], ''{1}'')'),
	('gpu_compare(''{a}''::text[], ''='', ''{b}''::text[])')) AS calls (call);

-- Of infinite timestamps the difference, or the error, is that of the server.
SELECT a, b, times_error(format('(gpu_diff(''{%s,%s}''::timestamp[]))[2]', b, a)) = times_error(format('timestamp %L - timestamp %L', a, b)) AS same
FROM unnest('{infinity,-infinity,2026-01-01}'::text[]) AS a, unnest('{infinity,-infinity,2026-01-01}'::text[]) AS b ORDER BY a, b;

-- Of what is stored, the service has copies.
CREATE TABLE times_stored (a timestamptz[]);
ALTER TABLE times_stored ALTER a SET STORAGE EXTERNAL;
INSERT INTO times_stored SELECT array_agg(timestamptz '2026-01-01' + i * interval '1 second') FROM generate_series(20000, 1, -1) AS i;
SELECT gpu_min(a), gpu_max(a), (gpu_sort(a))[1:2] AS least, gpu_count_distinct(a), cardinality(gpu_filter(a, '>=', '2026-01-01 01:00')) AS kept,
	gpu_histogram(a, '2026-01-01', '2026-01-01 06:00', 6) FROM times_stored;
SELECT gpu_min(a), gpu_max(a), (gpu_sort(a))[1:2] AS least, gpu_count_distinct(a), cardinality(gpu_filter(a, '>=', '2026-01-01 01:00')) AS kept,
	gpu_histogram(a, '2026-01-01', '2026-01-01 06:00', 6) FROM times_stored;
DROP TABLE times_stored, times_sample, times_comparison, times_outcome;
