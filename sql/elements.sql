-- Functions of neighbours, segments and moving frames, against window functions
-- and aggregates.
SET extra_float_digits = 1;
SET max_parallel_workers_per_gather = 0;

-- On how many samples a call over the array a, and heads, equals what a query
-- makes of data (sample, i, head, run, v), or the names of those on which it
-- does not.
CREATE FUNCTION compare_elements(call text, query text) RETURNS text
LANGUAGE plpgsql AS
$$
DECLARE
	t types;
	answer text;
	result text := '';
BEGIN
	FOR t IN SELECT * FROM types WHERE family <> 'boolean' ORDER BY ord LOOP
		EXECUTE format('
			WITH data AS (SELECT sample, i, head, run, %1$s AS v FROM samples)
			SELECT coalesce(string_agg(sample, '', '' ORDER BY sample)
								FILTER (WHERE r::text IS DISTINCT FROM e::text),
							count(*)::text)
			FROM (SELECT sample, %2$s AS r
				  FROM (SELECT sample, array_agg(v ORDER BY i) AS a, array_agg(head ORDER BY i) AS heads
						FROM data GROUP BY sample OFFSET 0) AS arrays) AS ours
				FULL JOIN (SELECT sample, array_agg(e ORDER BY o) AS e
						   FROM (%3$s) AS rows (sample, o, e) GROUP BY sample) AS wanted USING (sample)',
			t.value, call, replace(replace(query, 'SUM', CASE t.family WHEN 'integer' THEN 'bigint' ELSE t.type END),
				'TYPE', t.type))
		INTO answer;
		result := concat_ws(', ', nullif(result, ''), t.type || ': ' || answer);
	END LOOP;
	RETURN result;
END
$$;

-- Frames.
SELECT f, p, n, compare_elements(format('gpu_moving_%s(a, %s, %s)', f, p, n),
	format('SELECT sample, i, (gpu_%s(v) OVER w)%s FROM data WINDOW w AS
			(PARTITION BY sample ORDER BY i ROWS BETWEEN %s PRECEDING AND %s FOLLOWING)',
		f, CASE f WHEN 'sum' THEN '::SUM' ELSE '' END, p, n))
FROM unnest('{sum, avg, min, max, stddev}'::text[]) AS f,
	(VALUES (0, 0), (3, 0), (0, 2), (20, 40), (2147483647, 2147483647)) AS o (p, n);
SELECT compare_elements('gpu_moving_sum(a, 5)',
	'SELECT sample, i, (gpu_sum(v) OVER (PARTITION BY sample ORDER BY i ROWS 5 PRECEDING))::SUM FROM data') AS sum,
	compare_elements('gpu_moving_max(a, 5)',
	'SELECT sample, i, max(v) OVER (PARTITION BY sample ORDER BY i ROWS 5 PRECEDING) FROM data') AS max;
-- Frames shorter and longer than the blocks that an array's extremes are found by, over runs that rise and fall, beside
-- the window functions, which have other ways.
CREATE TABLE series AS
SELECT i, CASE WHEN i % 1000 < 30 OR i BETWEEN 9000 AND 14000 THEN NULL
	WHEN i % 5003 = 0 THEN 'NaN'::float8 WHEN i % 301 = 0 THEN '-0'::float8 WHEN i % 302 = 0 THEN 0
	ELSE (CASE WHEN i % 6000 < 4500 THEN i ELSE -2 * i END) + noise(i) % 100 END AS v
FROM generate_series(1, 20000) AS i;
SELECT p, f, wanted.least::text = gpu_moving_min(a, p, f)::text AS least,
	wanted.greatest::text = gpu_moving_max(a, p, f)::text AS greatest,
	wanted.integers = gpu_moving_max(k, p, f) AS integers, wanted.sum = gpu_moving_sum(a, p, f) AS sum
FROM (VALUES (1, 0), (0, 1), (2, 1), (4094, 0), (4095, 0), (0, 4096), (2000, 2095), (5000, 3191), (8191, 0), (100, 12000),
		(19998, 0), (19999, 19999), (0, 19999), (2147483647, 0), (0, 2147483647), (2147483647, 2147483647)) AS o (p, f),
	(SELECT array_agg(v ORDER BY i) AS a, array_agg(nullif(v, 'NaN')::integer ORDER BY i) AS k FROM series) AS s,
	LATERAL (SELECT array_agg(least ORDER BY i) AS least, array_agg(greatest ORDER BY i) AS greatest,
			array_agg(integers ORDER BY i) AS integers, array_agg(sum ORDER BY i) AS sum
		FROM (SELECT i, gpu_moving_min(v, p, f) OVER w AS least, gpu_moving_max(v, p, f) OVER w AS greatest,
				gpu_moving_max(nullif(v, 'NaN')::integer, p, f) OVER w AS integers, gpu_moving_sum(v, p, f) OVER w AS sum
			FROM series WINDOW w AS (ORDER BY i)) AS m) AS wanted;
-- Medians and percentiles, which a piece of the array at a time gives.
SELECT p, n, compare_elements(format('gpu_moving_median(a, %s, %s)', p, n), format('SELECT sample, i, gpu_median(v) OVER w FROM data
		WINDOW w AS (PARTITION BY sample ORDER BY i ROWS BETWEEN %s PRECEDING AND %s FOLLOWING)', p, n)) AS median,
	compare_elements(format('gpu_moving_percentile_cont(a, 0.77, %s, %s)', p, n), format('SELECT sample, i, gpu_percentile_cont(v, 0.77) OVER w FROM data
		WINDOW w AS (PARTITION BY sample ORDER BY i ROWS BETWEEN %s PRECEDING AND %s FOLLOWING)', p, n)) AS cont,
	compare_elements(format('gpu_moving_percentile_disc(a, 0.1, %s, %s)', p, n), format('SELECT sample, i, gpu_percentile_disc(array_agg(v) OVER w, 0.1) FROM data
		WINDOW w AS (PARTITION BY sample ORDER BY i ROWS BETWEEN %s PRECEDING AND %s FOLLOWING)', p, n)) AS disc
FROM (VALUES (0, 0), (3, 0), (0, 2), (20, 40), (2147483647, 2147483647)) AS o (p, n);
SELECT p, f, step, bool_and(median[i] IS NOT DISTINCT FROM gpu_median(frame)) AS median,
	bool_and(ninetieth[i] IS NOT DISTINCT FROM gpu_percentile_cont(frame, 0.9)) AS ninetieth,
	bool_and(tenth[i]::text IS NOT DISTINCT FROM gpu_percentile_disc(frame, 0.1)::text) AS tenth
FROM (VALUES (1, 0, 7), (63, 0, 17), (0, 64, 17), (2000, 2095, 197), (5000, 3191, 397), (100, 12000, 397), (19998, 0, 997), (2147483647, 0, 997)) AS o (p, f, step),
	(SELECT array_agg(v ORDER BY i) AS a FROM series) AS s,
	LATERAL (SELECT gpu_moving_median(a, p, f) AS median, gpu_moving_percentile_cont(a, 0.9, p, f) AS ninetieth,
		gpu_moving_percentile_disc(a, 0.1, p, f) AS tenth OFFSET 0) AS m,
	generate_series(1, 20000, step) AS i, LATERAL (SELECT a[greatest(i - p::bigint, 1)::integer : least(i + f::bigint, 20000)::integer] AS frame) AS w
GROUP BY p, f, step ORDER BY p, f;
DROP TABLE series;
SELECT gpu_moving_median(a, 1), gpu_moving_percentile_cont(a, 0.25, 1, 1), gpu_moving_percentile_disc(a, 0.5, 2)
FROM (VALUES ('{1e20, 1, 2, NaN, Infinity, -Infinity, 1, 2}'::float8[]), ('{-0, 0, -0, -0}'), ('{1.7e308, 1.7e308, -1.7e308}'), ('{}'),
	('[0:1][5:6]={{1,NULL},{NULL,NULL}}')) AS t (a);
SELECT gpu_moving_median('{9223372036854775807,9223372036854775805,-9223372036854775808}'::bigint[], 1), gpu_moving_percentile_disc('{3,1,2}'::smallint[], 0, 5),
	gpu_moving_percentile_cont('{3,1,2}'::smallint[], 1, 5), gpu_moving_median(NULL::real[], -1), gpu_moving_percentile_cont('{1}'::real[], NULL, -1), gpu_moving_percentile_disc(NULL::integer[], 1, NULL);
-- an array without a NULL has no bitmap
SELECT pg_column_size(gpu_moving_avg('{1,2,3}'::integer[], 1)) - pg_column_size('{1,1.5,2.5}'::numeric[]) AS larger,
	pg_column_size(gpu_moving_avg('{1,NULL,NULL,3}'::integer[], 1)) - pg_column_size('{1,1,NULL,3}'::numeric[]) AS with_null_larger;
SELECT gpu_moving_sum(a, 1), gpu_moving_avg(a, 1), gpu_moving_min(a, 1), gpu_moving_max(a, 1), gpu_moving_stddev(a, 1)
FROM (VALUES ('{1e20, 1, 2, NaN, Infinity, -Infinity, 1, 2}'::float8[]), ('{-0, 0, -0, -0}'),
	('{1e308, 1e308, -1e308}'), ('[0:1][5:6]={{1,NULL},{NULL,NULL}}')) AS t (a) WHERE a <> '{1e308, 1e308, -1e308}';
SELECT error_of('SELECT gpu_moving_sum(''{1e308, 1e308, -1e308}''::float8[], 1)');
-- deviations: of special values, out of range, in frames of one value, of bits far apart and close together, of very small numbers
SELECT f, gpu_moving_stddev(a, f, f), gpu_moving_stddev(a[:4]::real[], f)
FROM (VALUES ('{-0, 0, NaN, 1, 2, Infinity, 3, NULL, 5, NULL, NULL}'::float8[]), ('{}'), ('[0:1][5:6]={{1,2},{4,8}}')) AS t (a), (VALUES (0), (1), (2)) AS o (f);
SELECT error_of(format('SELECT gpu_moving_stddev(%L::float8[], 1)', a))
FROM unnest('{"{1,1.7e308,-1.7e308}","{1.7e308,1.7e308,-1.7e308}","{1.7e308,NULL,1.7e308,1e308}"}'::text[]) AS a;
SELECT gpu_moving_stddev('{1e-308, 3e-308, 5e-324, 0, 1}'::float8[], 1), gpu_moving_stddev('{1e300, 1, 1, 1e-300, 2e-300}'::float8[], 1), gpu_moving_stddev('{1e-45, 3e38, -3e38}'::real[], 1);
SELECT gpu_moving_sum('{1e308, 1e308, -1e308}'::float8[], 2, 2), gpu_moving_sum('{3e38, 3e38, -3e38}'::real[], 2, 2);
SELECT error_of('SELECT gpu_moving_sum(''{9223372036854775807, 1}''::bigint[], 1)');

-- Segments.
SELECT f, compare_elements(format('gpu_segment_%s(a, heads)', f),
	format('SELECT sample, run, %s(v)%s FROM data GROUP BY sample, run',
		CASE WHEN f IN ('sum', 'avg') THEN 'gpu_' ELSE '' END || f, CASE f WHEN 'sum' THEN '::SUM' ELSE '' END))
FROM unnest('{sum, avg, min, max, count}'::text[]) AS f;
SELECT f, compare_elements(format('gpu_segment_%s(a, chunk => %s)', f, chunk),
	format('SELECT sample, (i - 1) / %s, %s(v)%s FROM data GROUP BY 1, 2', chunk,
		CASE WHEN f IN ('sum', 'avg') THEN 'gpu_' ELSE '' END || f, CASE f WHEN 'sum' THEN '::SUM' ELSE '' END))
FROM unnest('{sum, avg, min, max, count}'::text[], '{7, 1, 50, 2147483647, 200}'::integer[]) AS u (f, chunk);
SELECT gpu_segment_sum('{1,NULL,3,4,NULL}'::integer[], chunk => 2), gpu_segment_avg('{{1,2},{3,5}}'::real[], NULL, 3), gpu_segment_count('{NULL,1,1}'::bigint[], chunk => 2),
	gpu_segment_min('{}'::real[], chunk => 2) AS empty, gpu_segment_max('{1}'::smallint[]) IS NULL AS neither, gpu_segment_max(NULL::real[], chunk => 0) IS NULL AS "null";
SELECT gpu_segment_sum(a, h), gpu_segment_avg(a, h), gpu_segment_min(a, h), gpu_segment_max(a, h), gpu_segment_count(a, h)
FROM (VALUES ('{1e308, 1e308, -1e308, 1, NaN, NULL, -0, -0}'::float8[], '{f, f, f, t, t, t, t, NULL}'::boolean[]),
	('{{0, -0}, {-0, 0}}', '{t, f, t, f}'), ('{}', '{}'), (NULL, '{t}'), ('{1}', NULL)) AS t (a, h);

-- Differences, of neighbours that are not NULL.
SELECT compare_elements('gpu_diff(a, ''keep'')',
	'SELECT sample, i, v::SUM - coalesce((SELECT b.v::SUM FROM data AS b WHERE b.sample = d.sample AND b.i < d.i
			AND b.v IS NOT NULL ORDER BY b.i DESC LIMIT 1), 0)
	FROM data AS d WHERE sample <> ''two thousand'' OR i < 0
	UNION ALL SELECT sample, i, v::SUM - coalesce(lag(v::SUM) OVER (PARTITION BY sample ORDER BY v IS NULL, i), 0)
	FROM data WHERE sample = ''two thousand''') AS diff;
SELECT count(*), bool_and(gpu_cumsum(gpu_diff(a, 'keep')) = a::bigint[]) AS again
FROM (SELECT array_agg(k * 10007 ORDER BY i) AS a FROM samples WHERE k IS NOT NULL GROUP BY sample) AS s;
SELECT count(*), bool_and(gpu_diff(a) IS NOT DISTINCT FROM gpu_diff(a, 'null')) AS default, bool_and(gpu_diff(a) = (CASE WHEN a = '{}' THEN a ELSE array_prepend(NULL, (gpu_diff(a, 'keep'))[2:]) END)) AS null,
	bool_and(gpu_diff(a, 'DROP') = (gpu_diff(a, 'keep'))[2:]) AS drop
FROM (SELECT array_agg(k::bigint * 10007 ORDER BY i) AS a FROM samples WHERE k IS NOT NULL GROUP BY sample UNION ALL SELECT '{}') AS s;
SELECT f, gpu_diff('{NULL, 3, NULL, 5, 4}'::integer[], f), gpu_diff('[2:3][0:0]={{1},{4}}'::integer[], f), gpu_diff('{NULL}'::real[], f), gpu_diff('{7}'::bigint[], f),
	gpu_diff('{}'::float8[], f), gpu_avg(gpu_diff('{100,101,102}'::integer[], f))
FROM unnest('{keep,"null",drop,NULL}'::text[]) AS f;
SELECT call, error_of('SELECT ' || call)
FROM unnest('{"gpu_diff(''{1}''::int[], '''')", "gpu_diff(''{1}''::int[], ''first'')", "gpu_diff(''{-9223372036854775808,1}''::bigint[], ''null'')"}'::text[]) AS call;
SELECT gpu_diff('{NaN, 1, Infinity, Infinity, -Infinity, 0, -0}'::float8[]), gpu_diff('{-0, -0}'::real[]),
	gpu_diff('{16777216, 0.5, 1e-45}'::real[]), gpu_diff('{-9223372036854775808, -1}'::bigint[]),
	gpu_diff('{-32768, 32767}'::smallint[]), gpu_diff('[2:3][0:0]={{1},{4}}'::integer[]);
SELECT call, error_of('SELECT ' || call)
FROM unnest('{"gpu_diff(''{0,-9223372036854775808,1}''::bigint[])", "gpu_diff(''{1e308,-1e308}''::float8[])",
	"gpu_diff(''{3e38,-3e38}''::real[])"}'::text[]) AS call;

-- Runs.
SELECT gpu_unique(a), ARRAY(SELECT r::text FROM gpu_rle(a) AS r) AS rle
FROM (VALUES ('{1, 1, NULL, 1, 2, 2, 1}'::float8[]), ('{0, -0, NaN, NaN, Infinity, Infinity}'), ('{-0, 0}'), ('{}'),
	('{NULL, NULL}'), ('{{3, 3}, {3, NULL}}'), (NULL)) AS t (a);
SELECT compare_elements('nullif(gpu_unique(a), ''{}'')', 'SELECT sample, i, v FROM (SELECT sample, i, v, lag(v) OVER (PARTITION BY sample
		ORDER BY i) AS before FROM data WHERE v IS NOT NULL) AS s WHERE v IS DISTINCT FROM before') AS unique,
	compare_elements('(SELECT array_agg(value) FROM gpu_rle(a), generate_series(1, count))',
		'SELECT sample, i, v FROM data') AS unrolled;
SELECT count(*) > 100 AS runs, sum((n > 1 AND value IS NOT DISTINCT FROM before)::integer) AS equal_neighbours
FROM (SELECT n, value, lag(value) OVER (PARTITION BY sample ORDER BY n) AS before
	FROM (SELECT sample, array_agg(k ORDER BY i) AS a FROM samples GROUP BY sample) AS s, gpu_rle(a) WITH ORDINALITY AS r (value, count, n)) AS r;
-- long: many runs between NULLs, NULLs within runs
SELECT (SELECT (count(*), sum(count), sum(value * count)) FROM gpu_rle(a))
FROM (VALUES (ARRAY(SELECT generate_series(1, 1000000)) || NULL::integer),
	(ARRAY(SELECT CASE WHEN i % 1000 > 0 THEN i / 2500 END FROM generate_series(1, 1000000) AS i))) AS t (a);

-- Positions among edges.
SELECT type, error_of(format('SELECT 1 / (gpu_searchsorted(e, a) = ARRAY(SELECT width_bucket(v, e) FROM unnest(a) AS v))::integer
	FROM (SELECT array_agg(v ORDER BY i) AS a, array_agg(v ORDER BY v) FILTER (WHERE i %% 7 = 0) AS e
		FROM (SELECT i, %s AS v FROM samples WHERE sample = ''no NULL'' OR sample = ''constant'') AS s) AS t', value))
FROM types WHERE family <> 'boolean' ORDER BY ord;
SELECT gpu_searchsorted(e, a) = ARRAY(SELECT width_bucket(v, e) FROM unnest(a) AS v) AS as_width_bucket, gpu_searchsorted(e, a)
FROM (VALUES ('{-Infinity, -0, 0, 1, 1, Infinity, NaN}'::float8[], '{0, -0, 1, NaN, -Infinity, NULL, Infinity, 5}'::float8[]),
	('{}', '{1, 2}'), ('{1, 2}', '{}')) AS t (e, a);
SELECT type, error_of(format('SELECT 1 / (gpu_searchsorted(e, a, ''left'') = ARRAY(SELECT (SELECT count(*) FROM unnest(e) AS w WHERE w < v)::integer
		FROM unnest(a) AS v) AND gpu_searchsorted(e, a, ''Right'') = gpu_searchsorted(e, a))::integer
	FROM (SELECT array_agg(v ORDER BY i) AS a, array_agg(v ORDER BY v) FILTER (WHERE i %% 7 = 0) AS e
		FROM (SELECT i, %s AS v FROM samples WHERE sample = ''no NULL'' OR sample = ''constant'') AS s) AS t', value))
FROM types WHERE family <> 'boolean' ORDER BY ord;
SELECT gpu_searchsorted('{-Infinity, -0, 0, 1, 1, Infinity, NaN, NaN}'::float8[], '{0, -0, 1, NaN, -Infinity, NULL, Infinity, 5}', 'left') AS left,
	gpu_searchsorted('{1}', '{1}'::integer[], NULL) AS null, error_of('SELECT gpu_searchsorted(''{1}'', ''{1}''::integer[], ''middle'')');
SELECT gpu_searchsorted('{1, 2}', '[5:6][1:1]={{1},{7}}'::integer[]), gpu_searchsorted(NULL, '{1}'::integer[]),
	gpu_searchsorted('{NaN, NaN}', '{NaN, 1}'::real[]);
-- Elements of a narrower type than the edges are not cast, where that changes nothing
CREATE TABLE mixed AS
SELECT g, (SELECT array_agg(e ORDER BY e) FROM (SELECT CASE hashint4(g * 50 + k) % 9 WHEN 0 THEN '{NaN,Infinity,-Infinity,1e300,-1e300,2147483647,-2147483648,2147483646.5,-0}'::float8[]
		ELSE ARRAY[hashint4(k - g * 50) % 40 / 4.0] END AS es FROM generate_series(1, g % 30) AS k) AS s, unnest(es) AS e) AS edges,
	(SELECT array_agg(CASE abs(hashint4(k * 77 + g)) % 20 WHEN 0 THEN NULL WHEN 1 THEN 2147483647 WHEN 2 THEN -2147483648 ELSE hashint4(k * g) % 12 END ORDER BY k) FROM generate_series(1, 40) AS k) AS i
FROM generate_series(1, 200) AS g;
CREATE FUNCTION places(edges float8[], a float8[], side text) RETURNS integer[] LANGUAGE sql IMMUTABLE AS
$$ SELECT array_agg(CASE WHEN v IS NOT NULL THEN (SELECT count(*) FROM unnest(edges) AS e WHERE CASE side WHEN 'left' THEN e < v ELSE e <= v END)::integer END ORDER BY n)
	FROM unnest(a) WITH ORDINALITY AS u (v, n) $$;
EXPLAIN (VERBOSE, COSTS OFF) SELECT gpu_searchsorted(edges, i), gpu_searchsorted(edges, i, 'left'), gpu_searchsorted(edges, i::bigint[]) FROM mixed;
SELECT side, count(*), count(*) FILTER (WHERE gpu_searchsorted(edges, i, side) = places(edges, i::float8[], side)) AS of_integer,
	count(*) FILTER (WHERE gpu_searchsorted(edges, (i::bigint[])::real[], side) = places(edges, (i::bigint[])::real[]::float8[], side)) AS of_real,
	count(*) FILTER (WHERE gpu_searchsorted(edges, gpu_clip(i, -9, 9)::smallint[], side) = places(edges, gpu_clip(i, -9, 9)::float8[], side)) AS of_smallint,
	count(*) FILTER (WHERE gpu_searchsorted(whole, i, side) = places(whole::float8[], i::float8[], side)) AS among_bigint
FROM (SELECT *, ARRAY(SELECT floor(e)::bigint FROM unnest(edges) AS e WHERE abs(e) < 1e10 ORDER BY e) AS whole FROM mixed) AS m, unnest('{left,right}'::text[]) AS side
WHERE edges IS NOT NULL GROUP BY side ORDER BY side;
DROP FUNCTION places;
DROP TABLE mixed;
SELECT call, error_of('SELECT ' || call)
FROM unnest('{"gpu_searchsorted(''{1,NULL}'', ''{1}''::int[])", "gpu_searchsorted(''{{1,2}}'', ''{1}''::int[])",
	"gpu_searchsorted(''{1,3,2}'', ''{1}''::int[])", "gpu_searchsorted(''{NaN,1}'', ''{1}''::real[])"}'::text[]) AS call;

-- Rows and columns.
SELECT gpu_transpose('[5:6][2:4]={{1,2,NULL},{4,5,6}}'::integer[]), gpu_transpose('{{1},{2}}'::real[]),
	gpu_transpose('{}'::bigint[]), gpu_transpose(NULL::bigint[]), gpu_transpose('{{-0,NaN}}'::float8[]);
SELECT bool_and(t[c][r] = a[r][c]) AS transposed, count(*)
FROM (SELECT a, gpu_transpose(a) AS t FROM (SELECT array_agg(ARRAY[i, -i, i * i, 7]::smallint[]) AS a
		FROM generate_series(1, 150) AS i) AS s) AS t, generate_series(1, 150) AS r, generate_series(1, 4) AS c;
SELECT error_of('SELECT gpu_transpose(''{1,2}''::int[])'), error_of('SELECT gpu_transpose(''{{{1}}}''::int[])');

-- Dot products and norms.
SELECT type, error_of(format('SELECT 1 / bool_and((gpu_dot(a, b), gpu_asum(a), gpu_norm(a))::text =
		(dot::%1$s, asum::%1$s, sqrt(squares::numeric(1000, 60))::float8)::text)::integer
	FROM (SELECT sample, array_agg(v ORDER BY i) AS a, array_agg(w ORDER BY i) AS b, sum(x * y) AS dot,
			sum(abs(x)) AS asum, sum(x * x) AS squares
		FROM (SELECT sample, i, v, w, v::float8::numeric AS x, w::float8::numeric AS y
			FROM (SELECT sample, i, %2$s AS v, lead(%2$s, 3, %2$s) OVER (PARTITION BY sample ORDER BY i) AS w FROM samples) AS d) AS d
		GROUP BY sample HAVING count(x * y) > 0) AS s',
	CASE family WHEN 'integer' THEN 'numeric' ELSE type END, value))
FROM types WHERE family <> 'boolean' ORDER BY ord;
SELECT gpu_dot('{1e308, 1e308, -1e308}'::float8[], '{10, 1, 10}'), gpu_dot('{1e-200, 1}'::float8[], '{1e-200, 0}'),
	gpu_dot('{1e200, 1, -1e200}'::float8[], '{1e200, 1e-10, 1e200}'), gpu_dot('{-0}'::float8[], '{5}'),
	gpu_dot('{-0, 0}'::float8[], '{5, 5}'), gpu_dot('{Infinity, 1}'::float8[], '{0, 1}'),
	gpu_dot('{Infinity, Infinity}'::float8[], '{1, -1}'), gpu_dot('{Infinity, NULL}'::real[], '{-1, NaN}');
SELECT gpu_dot('{-9223372036854775808, -9223372036854775808, -1}'::bigint[], '{-9223372036854775808, -9223372036854775808, 1}'),
	gpu_dot('{-9223372036854775808, 1}'::bigint[], '{9223372036854775807, 1}'), gpu_dot('{-32768}'::smallint[], '{-32768}'),
	gpu_asum('{-9223372036854775808, -9223372036854775808, 1}'::bigint[]), gpu_norm('{-9223372036854775808}'::bigint[]);
SELECT gpu_asum('{-1e308, -0, NULL, 5e307}'::float8[]), gpu_asum('{-0}'::real[]), gpu_asum('{-Infinity, Infinity}'::float8[]),
	gpu_asum('{NaN, Infinity}'::float8[]), gpu_norm('{3e200, -4e200}'::float8[]), gpu_norm('{3e-320, 4e-320}'::float8[]),
	gpu_norm('{-Infinity, 1}'::float8[]), gpu_norm('{Infinity, NaN}'::real[]), gpu_norm('{-0}'::float8[]), gpu_norm('{3e38, 3e38}'::real[]);
SELECT gpu_dot(NULL, '{1}'::integer[]), gpu_dot('{NULL, 1}', '{1, NULL}'::integer[]), gpu_dot('{}', '{}'::real[]),
	gpu_asum('{NULL}'::integer[]), gpu_norm('{}'::integer[]), gpu_dot('{{1, 2}}', '{3, 4}'::integer[]);
SELECT call, error_of('SELECT ' || call)
FROM unnest('{"gpu_dot(''{1,2}'', ''{1}''::int[])", "gpu_dot(''{1e200}'', ''{1e200}''::float8[])",
	"gpu_dot(''{1e30}'', ''{1e30}''::real[])", "gpu_asum(''{1e308,-1e308}''::float8[])", "gpu_asum(''{3e38,-3e38}''::real[])",
	"gpu_norm(''{1.7e308,-1.7e308}''::float8[])"}'::text[]) AS call;

-- Covariance, correlation and regression: those of the aggregates over the pairs.
SELECT type, error_of(format('SELECT 1 / bool_and((gpu_covar_pop(a, b), gpu_covar_samp(a, b), gpu_corr(a, b), gpu_regr_slope(a, b), gpu_regr_intercept(a, b),
		gpu_regr_r2(a, b))::text = rows)::integer
	FROM (SELECT array_agg(v ORDER BY i) AS a, array_agg(w ORDER BY i) AS b, (gpu_covar_pop(v::float8, w::float8), gpu_covar_samp(v::float8, w::float8),
			gpu_corr(v::float8, w::float8), gpu_regr_slope(v::float8, w::float8), gpu_regr_intercept(v::float8, w::float8),
			gpu_regr_r2(v::float8, w::float8))::text AS rows
		FROM (SELECT sample, i, %1$s AS v, lead(%1$s, 3) OVER (PARTITION BY sample ORDER BY i) AS w FROM samples) AS d
		GROUP BY sample) AS s', value))
FROM types WHERE family <> 'boolean' ORDER BY ord;
-- Without a NULL floats are summed as whole arrays.
SELECT type, error_of(format('SELECT 1 / bool_and((gpu_covar_pop(a, b), gpu_covar_samp(a, b), gpu_corr(a, b), gpu_regr_slope(a, b), gpu_regr_intercept(a, b),
		gpu_regr_r2(a, b))::text = rows)::integer
	FROM (SELECT array_agg(v ORDER BY i) AS a, array_agg(w ORDER BY i) AS b, (gpu_covar_pop(v::float8, w::float8), gpu_covar_samp(v::float8, w::float8),
			gpu_corr(v::float8, w::float8), gpu_regr_slope(v::float8, w::float8), gpu_regr_intercept(v::float8, w::float8),
			gpu_regr_r2(v::float8, w::float8))::text AS rows
		FROM (SELECT sample, i, %1$s AS v, lead(%1$s, 3) OVER (PARTITION BY sample ORDER BY i) AS w FROM samples) AS d
		WHERE v IS NOT NULL AND w IS NOT NULL GROUP BY sample) AS s', value))
FROM types WHERE family <> 'boolean' ORDER BY ord;
SELECT gpu_corr('{1,2,3,NULL,5}', '{2,4,7,1,NULL}'::integer[]) AS corr, gpu_corr('{1,2}', '{3,3}'::real[]) AS constant, gpu_corr('{1}', '{3}'::real[]) AS one,
	gpu_covar_samp('{1}', '{3}'::real[]) AS samp, gpu_covar_pop('{1}', '{3}'::real[]) AS pop, gpu_covar_pop('{}', '{}'::real[]) AS empty,
	gpu_corr(NULL, '{1}'::integer[]) AS null, gpu_corr('{1,2,NaN}', '{1,2,3}'::float8[]) AS nan, gpu_regr_slope('{1,Infinity}', '{1,2}'::float8[]) AS inf,
	gpu_regr_slope('{{1,3},{5,8}}', '{1,2,3,4}'::integer[]) AS matrix, gpu_regr_r2('{1e300,-1e300,2e300}', '{1e-300,2e-300,-7e-300}'::float8[]) AS far;
-- The correlation of a moving frame's pairs is that of a window of rows.
SELECT type, p, n, error_of(format('SELECT 1 / bool_and(gpu_moving_corr(a, b, %2$s, %3$s)::text = rows::text)::integer
	FROM (SELECT array_agg(v ORDER BY i) AS a, array_agg(w ORDER BY i) AS b, array_agg(corr ORDER BY i) AS rows
		FROM (SELECT sample, i, v, w, gpu_corr(v::float8, w::float8) OVER (PARTITION BY sample ORDER BY i ROWS BETWEEN %2$s PRECEDING AND %3$s FOLLOWING) AS corr
			FROM (SELECT sample, i, %1$s AS v, lead(%1$s, 3) OVER (PARTITION BY sample ORDER BY i) AS w FROM samples) AS d) AS d
		GROUP BY sample) AS s', value, p, n))
FROM types, (VALUES (0, 0), (5, 0), (0, 7), (30, 20), (2147483647, 2147483647)) AS o (p, n) WHERE family <> 'boolean' ORDER BY ord, p, n;
SELECT gpu_moving_corr('{1,2,4,NULL,5,6,6}'::integer[], '{3,1,0,2,8,NULL,9}', 2) AS "nulls", gpu_moving_corr('{1,2,NaN,4,5,7}', '{1,3,4,4,Infinity,1}'::float8[], 1, 1) AS special,
	gpu_moving_corr('[2:3][1:2]={{1,2},{3,3}}', '{1,2,3,4}'::real[], 1) AS matrix, gpu_moving_corr('{}', '{}'::smallint[], 1) AS empty,
	gpu_moving_corr(NULL, '{1}'::bigint[], -1) IS NULL AS "null";
SELECT call, error_of('SELECT ' || call)
FROM unnest('{"gpu_corr(''{1,2}'', ''{1}''::int[])", "gpu_covar_pop(''{1,-1e308,1e308}'', ''{1e308,-1e308,1e308}''::float8[])", "gpu_corr(''{1}''::numeric[], ''{1}'')"}'::text[])
	AS call;
-- what follows the first line is another one in 19
SELECT split_part(error_of('SELECT gpu_regr_r2(''{a}''::text[], ''{b}'')'), E'\n', 1);

-- A description.
SELECT d.* FROM (VALUES ('{1, NULL, 2, 4, -5}'::integer[]), ('{7}'), ('{NULL}'), ('{}'), (NULL)) AS t (a), gpu_describe(a) AS d;
SELECT d.* FROM (VALUES ('{1, NULL, NaN, 4, -0, NaN}'::float8[]), ('{-0, 0}'), ('{NaN}'), ('{Infinity, -Infinity}')) AS t (a),
	gpu_describe(a) AS d;
SELECT compare_elements('(SELECT ARRAY[d::text] FROM gpu_describe(a) AS d)',
	'SELECT sample, 1, ROW(count(v), count(*) - count(v), 0, min(v), max(v), gpu_sum(v), gpu_avg(v), gpu_stddev(v),
		percentile_cont(0.25) WITHIN GROUP (ORDER BY v), percentile_cont(0.5) WITHIN GROUP (ORDER BY v),
		percentile_cont(0.75) WITHIN GROUP (ORDER BY v))::text FROM data GROUP BY sample');

-- Stored arrays.
CREATE TABLE stored_elements (id integer, a double precision[], h boolean[]);
ALTER TABLE stored_elements ALTER a SET STORAGE EXTERNAL, ALTER h SET STORAGE EXTERNAL;
INSERT INTO stored_elements
SELECT id, array_agg(CASE WHEN i % 5 > id THEN noise(i) % 100 END ORDER BY i), array_agg(noise(-i) % 9 = 0 ORDER BY i)
FROM (VALUES (-1), (0)) AS s (id), generate_series(1, 70000) AS i GROUP BY id;
SELECT gpu_sum(gpu_segment_sum(s.a, s.h)) = gpu_sum(s.a) AS sum, gpu_sum(gpu_segment_count(s.a, s.h)) = gpu_count(s.a) AS count,
	gpu_dot(s.a, s.a) = gpu_dot(f.a, f.a) AS dot, gpu_sum(gpu_multiply(s.a, s.a)) = gpu_sum(gpu_multiply(f.a, f.a)) AND
	gpu_avg(gpu_abs(gpu_subtract(s.a, 50))) = (SELECT gpu_avg(d) FROM (SELECT gpu_abs(gpu_subtract(f.a, 50)) AS d OFFSET 0) AS c) AS chain, gpu_diff(s.a) = gpu_diff(f.a) AS diff, gpu_unique(s.a) = gpu_unique(f.a) AS unique,
	gpu_moving_max(s.a, 10) = gpu_moving_max(f.a, 10) AND gpu_moving_median(s.a, 10) = gpu_moving_median(f.a, 10) AND
	gpu_moving_corr(s.a, gpu_reverse(s.a), 10) = gpu_moving_corr(f.a, gpu_reverse(f.a), 10) AS moving, gpu_describe(s.a) = gpu_describe(f.a) AS describe,
	gpu_searchsorted('{10, 20}', s.a) = gpu_searchsorted('{10, 20}', f.a) AS places,
	(SELECT sum(count) FROM gpu_rle(s.a)) = cardinality(s.a) AS rle
FROM stored_elements AS s JOIN (SELECT id, (a || 1::float8)[:70000] AS a FROM stored_elements OFFSET 0) AS f USING (id);
SELECT gpu_searchsorted(e, s.a) = ARRAY(SELECT CASE WHEN v IS NOT NULL THEN count(v) OVER (ORDER BY v) END::integer
	FROM unnest(s.a) WITH ORDINALITY AS u (v, i) ORDER BY i) AS many_edges
FROM stored_elements AS s, LATERAL (SELECT gpu_sort(gpu_filter(a, '<', 1e9)) AS e) AS o ORDER BY id;
CREATE TABLE stored_matrix (a integer[]);
ALTER TABLE stored_matrix ALTER a SET STORAGE EXTERNAL;
INSERT INTO stored_matrix SELECT array_agg(r ORDER BY i)
FROM (SELECT i, array_agg((i * 7 + j)::integer ORDER BY j) AS r FROM generate_series(1, 211) AS i, generate_series(1, 97) AS j GROUP BY i) AS s;
SELECT gpu_transpose(a) = (SELECT array_agg(c ORDER BY j) FROM (SELECT j, array_agg((i * 7 + j)::integer ORDER BY i) AS c
		FROM generate_series(1, 211) AS i, generate_series(1, 97) AS j GROUP BY j) AS s) AS transposed, gpu_transpose(gpu_transpose(a)) = a AS twice
FROM stored_matrix;
CREATE TABLE stored_integers (a integer[]);
ALTER TABLE stored_integers ALTER a SET STORAGE EXTERNAL;
INSERT INTO stored_integers SELECT a::integer[] FROM stored_elements;
SELECT array_dims(m), m[70000] = (gpu_moving_avg(a[69900:], 99))[101] AS moving_avg
FROM (SELECT a, gpu_moving_avg(a, 99) AS m FROM stored_integers OFFSET 0) AS s;
DROP TABLE stored_elements, stored_integers;

SELECT call, error_of('SELECT ' || replace(call, 'A', '''{1}''::numeric[]')) ~ '^0A000' AS refused
FROM unnest('{"gpu_norm(A)", "gpu_moving_median(A, 1)", "gpu_moving_percentile_cont(A, 0.5, 1)", "gpu_moving_corr(A, A, 1)"}'::text[]) AS call;
SELECT call, error_of('SELECT ' || call)
FROM unnest('{"gpu_segment_sum(''{1,2}''::int[], ''{t}'')", "gpu_segment_min(''{1,2}''::int[], chunk => 0)", "gpu_segment_count(''{1}''::real[], ''{t}'', 2)", "gpu_moving_sum(''{1}''::int[], -1)", "gpu_moving_min(''{1}''::int[], NULL)",
	"gpu_moving_max(''{1}''::real[], 0, -3)", "gpu_moving_avg(''{1}''::int[], 0, NULL)",
	"gpu_moving_median(''{1}''::int[], -1)", "gpu_moving_percentile_cont(''{1}''::int[], 0.5, 0, -1)", "gpu_moving_percentile_disc(''{1}''::int[], 1.5, 0)",
	"gpu_moving_percentile_cont(NULL::int[], ''NaN'', 0)", "gpu_moving_corr(''{1}''::int[], ''{1}'', NULL)", "gpu_moving_corr(''{1}''::int[], ''{1,2}'', 1)"}'::text[]) AS call;
SELECT gpu_moving_sum(NULL::integer[], -1);

DROP FUNCTION compare_elements;
RESET ALL;
