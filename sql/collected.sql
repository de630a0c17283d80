-- Medians, percentiles, modes, different values, histograms and sums of arrays:
-- as the built-in aggregates, of groups of every kind, of all types.
SET extra_float_digits = 1;
SET max_parallel_workers_per_gather = 0;
SET jit = off;

-- In how many of the readings' groups two expressions are equal: of 150 rows,
-- of many, all, and of one.
CREATE FUNCTION equal_groups(ours text, built_in text) RETURNS text
LANGUAGE plpgsql AS
$$
DECLARE
	c text;
	groups bigint;
	equal bigint;
	result text := '';
BEGIN
	FOREACH c IN ARRAY '{s, n, b, r, d}'::text[] LOOP
		EXECUTE format('SELECT count(*), count(*) FILTER (WHERE o IS NOT DISTINCT FROM b)
			FROM (SELECT %s AS o, %s AS b FROM readings
				GROUP BY GROUPING SETS ((grp), (grp / 9), (),
					(CASE WHEN grp <= 6 AND i <= 50 THEN grp * 1000 + i END))) AS g',
			replace(ours, 'COLUMN', c), replace(built_in, 'COLUMN', c))
		INTO groups, equal;
		result := concat_ws(', ', nullif(result, ''),
			format('%s: %s of %s', c, equal, groups));
	END LOOP;
	RETURN result;
END
$$;
SELECT equal_groups('gpu_median(COLUMN)',
	'percentile_cont(0.5) WITHIN GROUP (ORDER BY COLUMN)');
SELECT equal_groups('gpu_mode(COLUMN)', 'mode() WITHIN GROUP (ORDER BY COLUMN)');
SELECT equal_groups('gpu_count_distinct(COLUMN)', 'count(DISTINCT COLUMN)');
SELECT f, equal_groups(replace('gpu_percentile_cont(COLUMN, F)', 'F)', f || ')'),
		format('interpolated(array_agg(COLUMN ORDER BY COLUMN) FILTER (WHERE COLUMN IS NOT NULL), %s)', f)),
	equal_groups(replace('gpu_percentile_cont(array_agg(COLUMN), F)', 'F)', f || ')'),
		format('interpolated(array_agg(COLUMN ORDER BY COLUMN) FILTER (WHERE COLUMN IS NOT NULL), %s)', f)) AS of_array
FROM unnest('{0, 0.1, 0.25, 0.3333, 0.99, 1}'::float8[]) AS f;
SELECT bounds, equal_groups(format('gpu_histogram(COLUMN, %s, 5)', bounds),
	'ARRAY[' || string_agg(format('count(*) FILTER (WHERE CASE WHEN COLUMN <> ''NaN''::float8
		THEN width_bucket(COLUMN::float8, %s, 5) END = %s)', bounds, bucket), ', ') || ']')
FROM unnest('{"-40, 40", "1000, -1000", "-1e7, 1e7", "0, 1e19"}'::text[]) AS bounds,
	generate_series(1, 5) AS bucket
GROUP BY bounds ORDER BY bounds COLLATE "C";

-- Medians, modes and distinct values of arrays.
SELECT equal_groups('gpu_median(array_agg(COLUMN))',
	'percentile_cont(0.5) WITHIN GROUP (ORDER BY COLUMN)');
SELECT equal_groups('gpu_mode(array_agg(COLUMN))',
	'mode() WITHIN GROUP (ORDER BY COLUMN)');
SELECT equal_groups('gpu_count_distinct(array_agg(COLUMN))', 'count(DISTINCT COLUMN)');

-- Many values: numbers of every magnitude, and few different ones.
CREATE TABLE many AS
SELECT i AS i, (x % 30000 - 15000)::smallint AS s, (x - 134217728) * 16 AS n,
	(x - 134217728)::bigint * (x % 1000003 * 30000::bigint) AS b,
	((x - 134217728) * 10::float8 ^ (i % 60 - 30))::real AS r,
	(x - 134217728) * 10::float8 ^ (i % 400 - 200) AS d,
	x % 7 * 1000 + 5 AS few, CASE x % 5 WHEN 0 THEN 'NaN' WHEN 1 THEN '-Infinity'
		WHEN 2 THEN -0.0::float8 ELSE x % 3 END AS special
FROM (SELECT i, noise(i) AS x FROM generate_series(1, 20000) AS i) AS x;
CREATE FUNCTION equal_of_many(ours text, built_in text) RETURNS text
LANGUAGE plpgsql AS
$$
DECLARE
	c text;
	equal boolean;
	result text := '';
BEGIN
	FOREACH c IN ARRAY '{s, n, b, r, d, few, special}'::text[] LOOP
		EXECUTE format('SELECT %s IS NOT DISTINCT FROM %s FROM many',
			replace(ours, 'COLUMN', c), replace(built_in, 'COLUMN', c))
		INTO equal;
		result := concat_ws(' ', nullif(result, ''), c || ':' || equal);
	END LOOP;
	RETURN result;
END
$$;
SELECT f, equal_of_many(format('gpu_percentile_cont(COLUMN, %s)', f),
	format('interpolated(array_agg(COLUMN ORDER BY COLUMN) FILTER (WHERE COLUMN IS NOT NULL), %s)', f))
FROM unnest('{0, 0.01, 0.5, 0.77, 0.999, 1}'::float8[]) AS f;
SELECT equal_of_many('gpu_median(COLUMN)', 'gpu_percentile_cont(COLUMN, 0.5)');
SELECT equal_of_many('gpu_mode(COLUMN)', 'mode() WITHIN GROUP (ORDER BY COLUMN)');
SELECT equal_of_many('gpu_count_distinct(COLUMN)', 'count(DISTINCT COLUMN)');
DROP TABLE many;
DROP FUNCTION equal_of_many, equal_groups;

-- Pairs by the buckets of both, against a row for each cell.
CREATE TABLE cells AS
SELECT grp, ax.*, ay.*, s, r, n, d,
	width_bucket(nullif(s::float8, 'NaN'), x_low, x_high, x_buckets) AS si, width_bucket(nullif(r::float8, 'NaN'), y_low, y_high, y_buckets) AS rj,
	width_bucket(nullif(n::float8, 'NaN'), x_low, x_high, x_buckets) AS ni, width_bucket(nullif(d, 'NaN'), y_low, y_high, y_buckets) AS dj
FROM readings, (VALUES (-900::float8, 900::float8, 5), (1e7, -1e7, 3), (0, 0.5, 1)) AS ax (x_low, x_high, x_buckets),
	(VALUES (-30::float8, 30::float8, 4), (1e5, 0, 7)) AS ay (y_low, y_high, y_buckets);
SELECT count(*), count(*) FILTER (WHERE ours = of_array) AS of_array, count(*) FILTER (WHERE ours = (SELECT array_agg(a ORDER BY i)
	FROM (SELECT i, array_agg(c ORDER BY j) AS a FROM (
			SELECT i, j, (SELECT count(*) FROM cells AS c WHERE (c.grp, c.x_low, c.y_low) = (h.grp, h.x_low, h.y_low) AND (CASE which WHEN 's' THEN si ELSE ni END, CASE which WHEN 's' THEN rj ELSE dj END) = (i, j)) AS c
			FROM generate_series(1, x_buckets) AS i, generate_series(1, y_buckets) AS j) AS ij GROUP BY i) AS rows)) AS as_width_bucket,
	count(*) FILTER (WHERE gpu_sum(ours) > 0) > 30 AS not_empty
FROM (SELECT 's' AS which, grp, x_low, x_buckets, y_low, y_buckets, gpu_histogram2d(s, r, x_low, x_high, x_buckets, y_low, y_high, y_buckets) AS ours,
		gpu_histogram2d(array_agg(s::float8), array_agg(r::float8), x_low, x_high, x_buckets, y_low, y_high, y_buckets) AS of_array
	FROM cells WHERE grp < 12 GROUP BY grp, x_low, x_high, x_buckets, y_low, y_high, y_buckets
	UNION ALL SELECT 'n', grp, x_low, x_buckets, y_low, y_buckets, gpu_histogram2d(n, d, x_low, x_high, x_buckets, y_low, y_high, y_buckets),
		gpu_histogram2d(array_agg(n::float8), array_agg(d), x_low, x_high, x_buckets, y_low, y_high, y_buckets)
	FROM cells WHERE grp < 12 GROUP BY grp, x_low, x_high, x_buckets, y_low, y_high, y_buckets) AS h;
DROP TABLE cells;
SELECT gpu_histogram2d('{1,2,3,NULL}'::int[], '{5,6,7,8}', 0, 4, 2, 4, 8, 4), gpu_histogram2d('{}'::real[], '{}', 0, 1, 1, 0, 1, 2) AS empty,
	gpu_histogram2d(NULL::real[], '{}', 0, 1, 1, 0, 1, 2) AS null;
SELECT gpu_histogram2d(v, v, 0, 1, 2, 0, 1, 2) AS no_rows FROM (SELECT 1 AS v) AS t WHERE v = 2;
SELECT call, error_of(format('SELECT gpu_histogram2d(%s) FROM (VALUES (1), (2)) AS t (v)', call))
FROM unnest('{"v, v, 0, 1, 0, 0, 1, 1", "v, v, 0, 1, 1, 1, 1, 5", "v, v, 0, 1, NULL, 0, 1, 1", "v, v, 0, 1, 1, 0, NULL, 5", "v, v, v, 9, 5, 0, 1, 1",
	"v, v, 0, 1, 1, 0, 1, v", "v, v, 0, 1, 100000, 0, 1, 100000", "v::numeric, v::numeric, 0, 1, 5, 0, 1, 5", "ARRAY[v], ARRAY[v, v], 0, 1, 5, 0, 1, 5",
	"ARRAY[v::numeric], ARRAY[v::numeric], 0, 1, 5, 0, 1, 5"}'::text[]) AS call;
SELECT _gpu_histogram2d_final(_gpu_histogram2d_merge(s, _gpu_histogram2d_add(s, 0.9, 0.9, 0, 1, 2, 0, 1, 2))) AS merged, _gpu_histogram2d_final(s) AS itself
FROM (SELECT _gpu_histogram2d_add(NULL, 0.1, 0.9, 0, 1, 2, 0, 1, 2) AS s) AS t;
SELECT state, error_of(format('SELECT _gpu_histogram2d_final(%L)', state)) FROM unnest('{"{}", "{0,1,1,0,1,1}", "{0,1,1,0,1,1,7}", "{0,1,2,0,1,1,7}", "{0,0,1,0,1,1,7}",
	"{0,1,1,0,1,NULL,7}", "{0,1,-1,0,1,-1,7}", "{0,1,4294967297,0,1,1,7}", "{0,9218868437227405312,1,0,1,1,7}"}'::text[]) AS state;
SELECT plan, count(*), count(DISTINCT h) AS different FROM (
	SELECT 'groups merged' AS plan, gpu_array_sum(h) AS h FROM (SELECT gpu_histogram2d(n, d, -1e7, 1e7, 5, -40, 40, 6) AS h FROM readings GROUP BY grp) AS t
	UNION ALL SELECT 'groups merged', gpu_histogram2d(n, d, -1e7, 1e7, 5, -40, 40, 6) FROM readings) AS t GROUP BY plan;

-- Weights by bucket: the array function's, and each bucket's sum; NULL without rows
SELECT count(*), count(*) FILTER (WHERE ours = of_array) AS of_array, count(*) FILTER (WHERE ours = sums) AS as_sums, count(*) FILTER (WHERE gpu_max(gpu_abs(ours)) > 0) > 15 AS not_empty
FROM (SELECT grp, gpu_weighted_histogram(s, d, 30000, -30000, 7) AS ours, gpu_weighted_histogram(array_agg(s), array_agg(d), 30000, -30000, 7) AS of_array,
		(SELECT array_agg(coalesce(sum, 0) ORDER BY b) FROM generate_series(1, 7) AS b LEFT JOIN (
			SELECT width_bucket(s, 30000, -30000, 7) AS b, gpu_sum(d) FROM readings AS i WHERE s IS NOT NULL AND d IS NOT NULL AND i.grp = r.grp GROUP BY 1) AS t (b, sum) USING (b)) AS sums
	FROM readings AS r GROUP BY grp) AS h;
SELECT gpu_weighted_histogram(v, w, 0, 4, 2) AS sums, gpu_weighted_histogram(NULL, w, 0, 4, 2) AS none, gpu_weighted_histogram(v, w, 0, 4, 2) FILTER (WHERE false) AS null,
	gpu_weighted_histogram(v, '1e308', 0, 8, 2) FILTER (WHERE v < 2) AS exact, gpu_weighted_histogram(v, -0.0::float8, 0, 4, 1) AS zero, gpu_weighted_histogram(v, 'NaN', 3, 4, 1) AS nan
FROM (VALUES (1, 0.5::float8), (2, 0.25), (3, 4), (4, 8), (NULL, 1), (2, NULL)) AS t (v, w);
SELECT v, gpu_weighted_histogram(v, v, 0, 4, 2) OVER (ORDER BY v ROWS 1 PRECEDING) FROM generate_series(1, 4) AS v;
SELECT call, error_of(format('SELECT gpu_weighted_histogram(%s) FROM (VALUES (1), (2)) AS t (v)', call))
FROM unnest('{"v, v, 0, 1, 0", "v, v, 1, 1, 5", "v, v, 0, 1, NULL", "v, v, NULL, 1, 5", "v, v, v, 9, 5", "v, v, 0, v + 1, 5", "v, v, 0, 1, v", "v, v, 0, 1, 2147483647",
	"v, 1e308, 0, 3, 1", "v::numeric, v, 0, 1, 5", "ARRAY[v], ARRAY[v, v], 0, 1, 5"}'::text[]) AS call;
-- parts of groups merged: as they are, and of workers
CREATE TABLE weighed AS SELECT gpu_weighted_histogram(n, d, -1e7, 1e7, 50) AS h, gpu_sum(d) FILTER (WHERE n < 1e7 AND n >= -1e7) AS sum FROM readings;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 3;
ALTER TABLE readings SET (parallel_workers = 3);
SELECT compare_plan('SELECT gpu_weighted_histogram(n, d, -1e7, 1e7, 50) AS h, gpu_sum(d) FILTER (WHERE n < 1e7 AND n >= -1e7) AS sum FROM readings', 'weighed',
	'Finalize .*Aggregate', 'Workers Planned: 3', 'Partial .*Aggregate');
SELECT error_of('SELECT gpu_weighted_histogram(n, d, i, 200, 5) FROM readings') ~ '^22023: low' AS differ;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
RESET max_parallel_workers_per_gather;
ALTER TABLE readings RESET (parallel_workers);
DROP TABLE weighed;

-- Buckets are those of width_bucket at the bounds, next to them and outside, but
-- where that overflows.
CREATE TABLE near AS
SELECT low, high, buckets, (low * (1 - i::float8 / buckets) + high * (i::float8 / buckets)) * f AS v
FROM (VALUES (0::float8, 1::float8, 256), (1, 0, 10), (-0.1, 0.7, 7), (1e-310, 3e-310, 5), (1e15, 1e15 + 3, 24),
		(-1.7e308, 1.7e308, 10), (1e308, -1.1e308, 3), (0, 1e-320, 100), (3, -4e5, 999)) AS p (low, high, buckets),
	generate_series(0, 999) AS i, unnest('{1, 1.0000000000000002, 0.9999999999999999}'::float8[]) AS f
WHERE i <= buckets
UNION ALL
SELECT low, high, buckets, unnest('{-Infinity, -1.79e308, -1e308, 0, -0, 1e308, 1.79e308, Infinity, NaN, NULL}'::float8[])
FROM (VALUES (0::float8, 1::float8, 256), (-1.7e308, 1.7e308, 10), (1e308, -1.1e308, 3)) AS p (low, high, buckets);
SELECT low, high, buckets, counts = of_array AS of_array,
	counts = ARRAY(SELECT count(v) FROM generate_series(1, h.buckets) AS b
		LEFT JOIN near AS n ON (n.low, n.high, n.buckets) = (h.low, h.high, h.buckets)
			AND width_bucket(nullif(v, 'NaN'), h.low, h.high, h.buckets) = b
		GROUP BY b ORDER BY b) OR abs(low / 2 - high / 2) > 8e307 AS as_width_bucket
FROM (SELECT low, high, buckets, gpu_histogram(v, low, high, buckets) AS counts,
		gpu_histogram(array_agg(v), low, high, buckets) AS of_array
	FROM near GROUP BY low, high, buckets) AS h
ORDER BY low, high;
DROP TABLE near;

-- What does not depend on order: -0 is 0, and there is one NaN.
SELECT gpu_mode(v), gpu_mode(v::real) AS of_real, gpu_count_distinct(v), gpu_median(v),
	gpu_percentile_cont(v, 0.9)
FROM unnest('{1, 0, -0, 2}'::float8[]) AS v;
SELECT float8send(gpu_mode(v)), float4send(gpu_mode(v::real)), float8send(gpu_median(v)),
	gpu_count_distinct(v)
FROM (VALUES ('-NaN'::float8 + 'Infinity'::float8), ('NaN')) AS t (v);
SELECT gpu_median(v), gpu_median(array_agg(v)),
	percentile_cont(0.5) WITHIN GROUP (ORDER BY v) AS built_in
FROM unnest('{-Infinity, Infinity}'::float8[]) AS v;
-- no rows, or only NULL
SELECT gpu_median(v), gpu_mode(v), gpu_count_distinct(v), gpu_percentile_cont(v, 0.5),
	gpu_histogram(v, 0, 1, 3)
FROM (SELECT 1::float8 AS v) AS t WHERE v = 2;
SELECT gpu_median(v), gpu_mode(v), gpu_count_distinct(v), gpu_percentile_cont(v, 0.5),
	gpu_histogram(v, 0, 1, 3)
FROM (VALUES (NULL::real), (NULL)) AS t (v);
SELECT gpu_median('{}'::int[]), gpu_mode('{NULL}'::int[]), gpu_count_distinct('{NULL}'::int[]),
	gpu_percentile_cont('{}'::int[], 0.5), gpu_percentile_cont(NULL::int[], NULL),
	gpu_count_distinct(NULL::int[]);
SELECT gpu_median('[5:6][2:3]={{4,NULL},{1,2}}'::smallint[]),
	gpu_mode('{{2,1},{1,2}}'::bigint[]);

-- Sums of arrays
SELECT gpu_array_sum(a) FROM (VALUES ('{1,2,3}'::bigint[]), (NULL), ('{10,20,-30}')) AS t (a);
SELECT gpu_array_sum(a)
FROM (VALUES ('{1,NULL,NULL}'::bigint[]), ('{NULL,NULL,5}'), ('{2,NULL,6}')) AS t (a);
SELECT gpu_array_sum(a) FROM (VALUES ('{{1,2},{3,4}}'::bigint[]), ('{{1,1},{1,1}}')) AS t (a);
SELECT gpu_array_sum(a) FROM (VALUES ('{}'::bigint[]), ('{}')) AS t (a);
SELECT gpu_array_sum(NULL);
SELECT error_of('SELECT gpu_array_sum(a) FROM (VALUES (''{1,2}''::bigint[]), (''{1}'')) AS t (a)');
SELECT error_of('SELECT gpu_array_sum(a) FROM (VALUES (''{{1,2}}''::bigint[]), (''{1,2}'')) AS t (a)');
SELECT error_of('SELECT gpu_array_sum(a) FROM (VALUES (''{1,9223372036854775807}''::bigint[]), (''{1,1}'')) AS t (a)');
-- rows keep their values when arrays are added
CREATE TABLE counts AS
SELECT grp, gpu_histogram(d, -40, 40, 300) AS a FROM readings GROUP BY grp;
SELECT gpu_array_sum(a) = (SELECT gpu_histogram(d, -40, 40, 300) FROM readings) AS same
FROM counts;
SELECT gpu_array_sum(a) = (SELECT gpu_histogram(array_agg(d), -40, 40, 300) FROM readings) AS same
FROM counts;
DROP TABLE counts;

-- Wrong arguments
SELECT error_of('SELECT gpu_percentile_cont(v, 1.5) FROM (VALUES (1)) AS t (v)');
SELECT error_of('SELECT gpu_percentile_cont(v, ''NaN'') FROM (VALUES (1)) AS t (v)');
SELECT error_of('SELECT gpu_percentile_cont(v, NULLIF(v, 2) / 2.0) FROM (VALUES (1), (2)) AS t (v)');
SELECT error_of('SELECT gpu_percentile_cont(v, NULLIF(v, 1) / 2.0) FROM (VALUES (1), (2)) AS t (v)');
SELECT error_of('SELECT gpu_percentile_cont(v, v / 10.0) FROM (VALUES (1), (2)) AS t (v)');
SELECT error_of('SELECT gpu_percentile_cont(''{1}''::int[], -0.1)');
SELECT call, error_of(format('SELECT gpu_histogram(%s) FROM (VALUES (1), (2)) AS t (v)', call))
FROM unnest('{"v, 0, 1, 0", "v, 1, 1, 5", "v, 0, 1, NULL", "v, 0, NULL, 5", "v, v, 9, 5",
	"v, 0, v + 1, 5", "v, 0, 1, v", "v, 0, 1, CASE v WHEN 1 THEN 3 END",
	"v, 0, 1, 2000000000"}'::text[]) AS call;
-- the server's own words, which differ
SELECT left(error_of('SELECT gpu_histogram(v, ''NaN'', 1, 5) FROM (VALUES (1), (2)) AS t (v)'), 5) AS nan_bound;
SELECT error_of('SELECT gpu_percentile_cont(1.5::numeric, 1.5)');

-- A group too large for memory
SET work_mem = '64kB';
SELECT error_of('SELECT gpu_median(i) FROM generate_series(1, 1048576) AS i');
SELECT error_of('SELECT gpu_median(i) FROM generate_series(1, 1048577) AS i');
SELECT error_of('SELECT gpu_mode(i::float8) FROM generate_series(1, 530000) AS i');
SELECT error_of('SELECT gpu_percentile_cont(i::smallint, 0.1) FROM generate_series(1, 530000) AS j, LATERAL (SELECT j % 10 AS i) AS s');
-- many groups, none of them large
SELECT count(*), sum(m) FROM (SELECT gpu_median(i) AS m FROM generate_series(1, 300000) AS i GROUP BY i % 1000) AS g;
RESET work_mem;

-- Plans: in parallel, partitions and hashed groups.
CREATE TABLE answer AS
SELECT grp AS key, gpu_percentile_cont(array_agg(d), 0.3)::text AS p_d,
	gpu_percentile_cont(array_agg(s), 0.7)::text AS p_s,
	gpu_histogram(array_agg(d), -40, 40, 9) AS h_d,
	gpu_histogram(array_agg(n), -1e7, 1e7, 50) AS h_n,
	ARRAY[sum(i), count(*)]::bigint[] AS sums
FROM readings GROUP BY grp;
\set columns ' AS key, gpu_percentile_cont(d, 0.3)::text AS p_d, gpu_percentile_cont(s, 0.7)::text AS p_s, gpu_histogram(d, -40, 40, 9) AS h_d, gpu_histogram(n, -1e7, 1e7, 50) AS h_n, gpu_array_sum(ARRAY[i, 1]) AS sums '
\set grouped 'SELECT grp' :columns 'FROM readings GROUP BY grp'
ALTER TABLE readings RESET (parallel_workers);
SET enable_sort = off;
SELECT compare_plan(:'grouped', 'answer', 'HashAggregate');
SET enable_sort = on;
SET enable_hashagg = off;
SELECT compare_plan(:'grouped', 'answer', 'GroupAggregate', 'Sort');
SET enable_hashagg = on;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 8;
ALTER TABLE readings SET (parallel_workers = 2);
SELECT compare_plan(:'grouped', 'answer', 'Finalize .*Aggregate', 'Workers Planned: 2',
	'Partial .*Aggregate');
ALTER TABLE readings SET (parallel_workers = 8);
SELECT compare_plan(:'grouped', 'answer', 'Finalize .*Aggregate', 'Workers Planned: 8',
	'Partial .*Aggregate');
SELECT error_of('SELECT gpu_percentile_cont(n, i / 150.0) FROM readings') ~ '^22023: fraction' AS differs,
	error_of('SELECT gpu_histogram(n, i, 200, 5) FROM readings') ~ '^22023: low' AS differ;
ALTER TABLE readings RESET (parallel_workers);
SET max_parallel_workers_per_gather = 0;
-- -0 is the same fraction as 0.
SELECT gpu_percentile_disc(n, CASE WHEN i % 2 = 0 THEN '-0'::double precision ELSE 0 END) = min(n) AS disc,
	gpu_percentile_cont(n, CASE WHEN i % 2 = 0 THEN '-0'::double precision ELSE 0 END) = min(n) AS cont,
	gpu_percentile_disc(n::numeric, CASE WHEN i % 2 = 0 THEN '-0'::double precision ELSE 0 END) = min(n) AS of_numeric FROM readings;
-- parts of each group in each partition, so that states are merged
CREATE TABLE by_row (LIKE readings) PARTITION BY RANGE (i);
CREATE TABLE by_row_1 PARTITION OF by_row FOR VALUES FROM (0) TO (33);
CREATE TABLE by_row_2 PARTITION OF by_row FOR VALUES FROM (33) TO (90);
CREATE TABLE by_row_3 PARTITION OF by_row DEFAULT;
INSERT INTO by_row SELECT * FROM readings;
ANALYZE by_row;
SET enable_partitionwise_aggregate = on;
SELECT compare_plan(replace(:'grouped', 'readings', 'by_row'), 'answer',
	'^Finalize', 'Append', 'Partial HashAggregate.*Partial HashAggregate');
SELECT error_of('SELECT gpu_percentile_cont(n, CASE WHEN i < 33 THEN 0.1 ELSE 0.2 END) FROM by_row') AS fraction,
	error_of('SELECT gpu_histogram(n, CASE WHEN i < 33 THEN 0 ELSE 1 END, 9, 5) FROM by_row') AS low;
SET enable_partitionwise_aggregate = off;
DROP TABLE by_row;

-- As window aggregates: each row has a state to finish, which the CPU does
-- soonest.
SET gpuscan.engine = cpu;
SELECT frame, compare_plan(
	replace('SELECT grp, i, gpu_percentile_cont(d, 0.4) OVER w::text AS p,
		gpu_histogram(s, -800, 800, 4) OVER w AS h, gpu_array_sum(ARRAY[i, grp]) OVER w AS sums
		FROM readings WINDOW w AS (PARTITION BY grp ORDER BY i ROWS FRAME)', 'FRAME', frame),
	replace('(SELECT grp, i, gpu_percentile_cont(array_agg(d) OVER w, 0.4)::text AS p,
		gpu_histogram(array_agg(s) OVER w, -800, 800, 4) AS h,
		CASE WHEN count(*) OVER w > 0 THEN ARRAY[sum(i) OVER w, sum(grp) OVER w] END AS sums
		FROM readings WINDOW w AS (PARTITION BY grp ORDER BY i ROWS FRAME))', 'FRAME', frame),
	'WindowAgg')
FROM unnest('{
	BETWEEN 5 PRECEDING AND 2 FOLLOWING,
	BETWEEN 4 PRECEDING AND 2 PRECEDING,
	UNBOUNDED PRECEDING}'::text[]) AS frame;
RESET gpuscan.engine;

-- The support functions of these aggregates, called directly: they do not modify
-- their arguments, and refuse values that are not states.
SELECT _gpu_collect(a, 4), _gpu_collect_merge(a, a), _gpu_array_add(b, b),
	_gpu_percentile_final(_gpu_percentile_collect(d, 3, 0.5)), a, b, d
FROM (SELECT '{1,2}'::int[] AS a, '{5,6}'::bigint[] AS b, '{0.5,1}'::float8[] AS d) AS s;
SELECT _gpu_histogram_final(_gpu_histogram_add(a, 0.3::float8, 0, 1, 2)), a
FROM (SELECT _gpu_histogram_add(NULL, 0.7::float8, 0, 1, 2) AS a) AS s;
SELECT _gpu_percentile_final('{}'::float8[]), _gpu_percentile_final('{0.5}'::float8[]),
	_gpu_percentile_final('{}'::bigint[]),
	_gpu_percentile_final(_gpu_percentile_merge(_gpu_percentile_collect('{}'::bigint[], 9007199254740993, 1),
		_gpu_percentile_collect('{}'::bigint[], 3::bigint, 1)))::bigint;
SELECT call, error_of('SELECT ' || call)
FROM unnest('{"_gpu_collect(ARRAY[[1,2]], 3)", "_gpu_collect(''{1,NULL}'', 3)",
	"_gpu_collect_merge(''{1}'', ''{NULL}''::int[])", "_gpu_percentile_final(''{2,1}''::float8[])",
	"_gpu_percentile_merge(''{0.5,1}'', ''{0.6,1}''::float8[])", "_gpu_percentile_final(''{4611686018427387904}''::bigint[])",
	"_gpu_histogram_final(''{1,2}'')",
	"_gpu_histogram_merge(''{1,2,3}'', ''{1,2,3,4}'')", "_gpu_histogram_merge(''{1,2,3}'', ''{1,3,3}'')",
	"_gpu_histogram_merge(''{1,2,9223372036854775807}'', ''{1,2,1}'')"}'::text[]) AS call;

DROP TABLE answer;
RESET ALL;
