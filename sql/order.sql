-- Order and special values: NaN equals NaN and is above Infinity, -0 equals 0
-- in comparisons, and is just below 0 as a value.
SET extra_float_digits = 1;

CREATE TABLE special (ord serial, d double precision[]);
INSERT INTO special (d) VALUES
	('{NaN}'), ('{NaN, NaN, 1}'), ('{1, NaN, Infinity}'), ('{Infinity, NaN}'),
	('{Infinity, 1, -Infinity}'), ('{-Infinity, NULL, -Infinity}'),
	('{Infinity, Infinity}'), ('{NULL, NaN, -Infinity}'), ('{0, -0}'),
	('{-0, 0}'), ('{-0, -0}'), ('{NULL, -0}'), ('{1, -0, 0, -0, -1}'),
	('{-0, -0, 0, -0}'), ('{5e-324, -5e-324, 0}'), ('{1, 2, 1, 2}');

SELECT d, gpu_sum(d) AS sum, gpu_avg(d) AS avg, gpu_min(d) AS min,
	gpu_max(d) AS max, gpu_argmin(d) AS argmin, gpu_argmax(d) AS argmax,
	gpu_product(d) AS product, gpu_var_pop(d) AS var_pop,
	gpu_var_samp(d) AS var_samp, gpu_stddev_pop(d) AS stddev_pop,
	gpu_stddev_samp(d) AS stddev_samp, gpu_count(d) AS count
FROM special ORDER BY ord;
SELECT d, gpu_cumsum(d) AS cumsum, gpu_cumprod(d) AS cumprod,
	gpu_cummin(d) AS cummin, gpu_cummax(d) AS cummax,
	gpu_cumcount(d) AS cumcount
FROM special ORDER BY ord;
SELECT d, gpu_cumsum(d, true) AS cumsum, gpu_cumprod(d, true) AS cumprod,
	gpu_cummin(d, true) AS cummin, gpu_cummax(d, true) AS cummax
FROM special ORDER BY ord;
-- a NaN has no effect beyond its segment
SELECT gpu_cumsum(d, chunk => 1), gpu_cummax(d, chunk => 2),
	gpu_cumprod(d, chunk => 2), gpu_cummin(d, chunk => 1)
FROM special WHERE ord IN (3, 5, 8) ORDER BY ord;

-- real behaves like double precision (except for subnormals).
SELECT ord, d
FROM special, LATERAL (SELECT array_agg(v::real ORDER BY i) AS r
	FROM unnest(d) WITH ORDINALITY AS u (v, i)) AS reals
WHERE d::text NOT LIKE '%e-324%' AND (
	gpu_sum(r)::text IS DISTINCT FROM gpu_sum(d)::text OR
	gpu_avg(r)::text IS DISTINCT FROM gpu_avg(d)::text OR
	gpu_min(r)::text IS DISTINCT FROM gpu_min(d)::text OR
	gpu_max(r)::text IS DISTINCT FROM gpu_max(d)::text OR
	gpu_argmin(r) IS DISTINCT FROM gpu_argmin(d) OR
	gpu_argmax(r) IS DISTINCT FROM gpu_argmax(d) OR
	gpu_product(r)::text IS DISTINCT FROM gpu_product(d)::text OR
	gpu_stddev(r)::text IS DISTINCT FROM gpu_stddev(d)::text OR
	gpu_cumsum(r)::text IS DISTINCT FROM gpu_cumsum(d)::text OR
	gpu_cumprod(r)::text IS DISTINCT FROM gpu_cumprod(d)::text OR
	gpu_cummin(r)::text IS DISTINCT FROM gpu_cummin(d)::text OR
	gpu_cummax(r)::text IS DISTINCT FROM gpu_cummax(d)::text);

-- NaN is no overflow; nor does it hide one that came before it.
SELECT gpu_sum('{1e308, 1e308, Infinity}'::double precision[]),
	gpu_sum('{1e308, NaN, 1e308}'::double precision[]),
	gpu_sum('{3e38, 3e38, -Infinity}'::real[]),
	gpu_cumsum('{Infinity, 1e308, 1e308}'::double precision[]);
SELECT error_of('SELECT gpu_cumsum(''{1e308, 1e308, NaN}''::double precision[])');

-- All results that are NaN have the same bits; compaction copies elements as they
-- are.
SELECT float8send(gpu_sum(a)) AS sum, float8send(gpu_avg(a)) AS avg,
	float8send(gpu_min(a)) AS min, float8send(gpu_max(a)) AS max,
	float8send(gpu_product(a)) AS product,
	float8send(gpu_var_pop(a)) AS var_pop,
	float8send(gpu_stddev_pop(a)) AS stddev_pop
FROM (SELECT ARRAY[- 'NaN'::double precision] AS a) AS s;
SELECT float8send((gpu_cumsum(a))[1]) AS cumsum,
	float8send((gpu_cumprod(a))[1]) AS cumprod,
	float8send((gpu_cummin(a))[1]) AS cummin,
	float8send((gpu_cummax(a))[2]) AS cummax,
	float8send((gpu_cummax(a, true))[2]) AS exclusive,
	float8send((gpu_compact(a, '{t, t}'))[1]) AS compact,
	float8send((gpu_filter(a, '=', 'NaN'::double precision))[1]) AS filter
FROM (SELECT array_fill(- 'NaN'::double precision, ARRAY[2]) AS a) AS s;
SELECT float4send(gpu_sum(a)) AS sum, float4send(gpu_min(a)) AS min,
	float4send(gpu_max(a)) AS max, float4send((gpu_cumsum(a))[1]) AS cumsum,
	float4send((gpu_cummin(a))[2]) AS cummin,
	float4send((gpu_cummax(a))[1]) AS cummax,
	float4send((gpu_compact(a, '{t, t}'))[1]) AS compact
FROM (SELECT array_fill(- 'NaN'::real, ARRAY[2]) AS a) AS s;
SELECT float8send(gpu_sum('{Infinity, -Infinity}'::double precision[])) AS sum,
	float8send(gpu_product('{Infinity, 0}'::double precision[])) AS product,
	float8send((gpu_cumsum('{-Infinity, Infinity}'::double precision[]))[2])
		AS cumsum,
	float4send(gpu_sum('{Infinity, -Infinity}'::real[])) AS real_sum,
	float8send(gpu_stddev('{Infinity, 1}'::double precision[])) AS stddev;

-- Positions count NULLs, and are those of the first of equals.
SELECT gpu_argmin('{NULL, 3, 1, NULL, 1}'::smallint[]),
	gpu_argmax('{NULL, 3, 1, NULL, 3}'::integer[]),
	gpu_argmin('{NULL, NULL}'::bigint[]),
	gpu_argmax('{NULL, 0, -0}'::real[]), gpu_argmin('{0, NULL, -0}'::real[]),
	gpu_argmax('{1, NaN, NULL, NaN}'::double precision[]),
	gpu_argmin('{NaN, NULL, NaN}'::double precision[]),
	gpu_argmin('[10:12]={3, 1, 2}'::integer[]);
-- far apart, so that they lie in different chunks
SELECT gpu_argmin(a), gpu_argmax(a), gpu_argmin(gpu_compact(a, k)),
	gpu_argmax(gpu_compact(a, k))
FROM (SELECT array_agg(CASE i WHEN 70001 THEN -1 WHEN 70002 THEN 9
			WHEN 90001 THEN -1 WHEN 90002 THEN 9 ELSE i % 3 END ORDER BY i) AS a,
		array_agg(i <> 70001 AND i <> 70002 ORDER BY i) AS k
	  FROM generate_series(1, 100000) AS i) AS s;

-- Special values in comparisons, as SQL has it for each operator.
SELECT op, bound, string_agg(error, ', ') AS different
FROM unnest('{<, <=, =, <>, >=, >}'::text[]) AS op,
	unnest('{NaN, Infinity, -Infinity, 0, -0, 1}'::double precision[]) AS bound,
	LATERAL (
		SELECT d::text AS error FROM special
		WHERE gpu_filter(d, op, bound)::text IS DISTINCT FROM (
			SELECT coalesce(array_agg(v ORDER BY i) FILTER (WHERE CASE op
				WHEN '<' THEN v < bound WHEN '<=' THEN v <= bound
				WHEN '=' THEN v = bound WHEN '<>' THEN v <> bound
				WHEN '>=' THEN v >= bound ELSE v > bound END), '{}')::text
			FROM unnest(d) WITH ORDINALITY AS u (v, i))) AS s
GROUP BY op, bound;

-- And in histograms: outside, or not counted.
SELECT gpu_histogram('{-Infinity, -0, 0, 5e-324, 0.5, 1, Infinity, NaN, NULL}'
	::double precision[], 0, 1, 2);
SELECT gpu_histogram('{-Infinity, -0, 0, 5e-324, 0.5, 1, Infinity, NaN, NULL}'
	::double precision[], '{-Infinity, 0, 1, Infinity}');
SELECT gpu_histogram('{-Infinity, -0, 0, 1e-45, 0.5, 1, Infinity, NaN, NULL}'
	::real[], '{-Infinity, 0, 1, Infinity}');

-- Of equal zeros, whichever comes first, 0 is shown where one stands for all; an
-- element of a place is as it is.  The long array is for either engine.
SELECT d, gpu_mode(d) AS mode, gpu_distinct(d) AS distinct, v.value, v.count, g.key, gpu_mode(d::real[]) AS mode4, gpu_distinct(d::real[]) AS distinct4
FROM (VALUES ('{0, 0, 0, -0}'::float8[]), ('{-0, 0, 0}'), ('{-0, -0}'), ('{0}'), ('{NULL, -0}')) AS t (d),
	gpu_value_counts(d) AS v, gpu_group_count(d, d) AS g WHERE g.key IS NOT NULL;
SELECT gpu_sort(d), gpu_topk(d, 1), gpu_min(d), gpu_max(d), gpu_percentile_disc(d, 0), gpu_filter(d, '=', 0), gpu_unique(d),
	(SELECT array_agg(r.value) FROM gpu_rle(d) AS r) AS runs, gpu_cummin(d), gpu_cummax(d)
FROM (VALUES ('{0, -0, 1, -0, 0}'::float8[]), ('{-0, 0, 1, 0, -0}')) AS t (d);
SELECT (SELECT gpu_mode(v) FROM unnest(d) AS v), gpu_mode(d), gpu_distinct(d), gpu_count_distinct(d)
FROM (SELECT array_agg(CASE WHEN i % 3 > 0 THEN 0 ELSE i % 2 END * CASE i % 5 WHEN 0 THEN -1 ELSE 1 END::float8 ORDER BY i) AS d
	FROM generate_series(1, 200000) AS i) AS t;

-- There is one NaN.
SELECT gpu_distinct(d), float8send(gpu_mode(d)), (SELECT array_agg(float8send(v.value)) FROM gpu_value_counts(d) AS v)
FROM (SELECT ARRAY['Infinity'::float8 - 'Infinity', 'NaN', '-NaN', 'Infinity'::float8 - 'Infinity']) AS t (d);

DROP TABLE special;
