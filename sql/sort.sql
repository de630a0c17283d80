-- Elements in order against ORDER BY, GROUP BY, DISTINCT and the built-in
-- ordered-set aggregates.
SET extra_float_digits = 1;
SET max_parallel_workers_per_gather = 0;

-- Arrays of all types, an element a row: the samples, special values, both
-- ends of the range, few different ones, and many of all magnitudes.
CREATE TABLE elements (sample text, i integer, s smallint, n integer, b bigint,
	r real, d double precision);
INSERT INTO elements
SELECT sample, i, k, k * 10007, k * 1000000007::bigint, k * 16381 / 8.0, k * 1000003 / 8::float8
FROM samples;
INSERT INTO elements
SELECT 'special', i, x, x, x, f::real, f
FROM (SELECT i, noise(i) % 7 - 3 AS x, ('{NaN, -Infinity, Infinity, -0, 0, 1, -1, NULL, -0, 1e-40}'
		::float8[])[1 + noise(i) % 10] AS f FROM generate_series(1, 300) AS i) AS x;
INSERT INTO elements
SELECT 'ends', i, (x * -65535 + 32767)::smallint, (x * -4294967295 + 2147483647)::integer,
	CASE x WHEN 0 THEN 9223372036854775807 ELSE -9223372036854775808 END,
	CASE x WHEN 0 THEN 3.4028235e38 ELSE -3.4028235e38 END,
	CASE x WHEN 0 THEN 1.7976931348623157e308 ELSE -5e-324 END
FROM (SELECT i, noise(i) % 2 AS x FROM generate_series(1, 100) AS i) AS x;
INSERT INTO elements
SELECT 'few', i, x, x * 70000, x * 70000000000, x / 4.0, CASE WHEN x <> 2 THEN x END
FROM (SELECT i, noise(i) % 5 AS x FROM generate_series(1, 5000) AS i) AS x;
INSERT INTO elements
SELECT 'many', i, x % 30000 - 15000, (x - 134217728) * 16,
	(x - 134217728)::bigint * (x % 1000003 * 30000::bigint),
	((x - 134217728) * 10::float8 ^ (i % 60 - 30))::real,
	CASE WHEN x % 11 > 0 THEN (x - 134217728) * 10::float8 ^ (i % 400 - 200) END
FROM (SELECT i, noise(i) AS x FROM generate_series(1, 8000) AS i) AS x;

-- On how many samples a call over the array a equals an aggregate over COLUMN
-- and i, or the names of those on which it does not.
CREATE FUNCTION compare_order(call text, built_in text) RETURNS text
LANGUAGE plpgsql AS
$$
DECLARE
	c text;
	answer text;
	result text := '';
BEGIN
	FOREACH c IN ARRAY '{s, n, b, r, d}'::text[] LOOP
		EXECUTE format('
			SELECT coalesce(string_agg(sample, '', '' ORDER BY sample)
								FILTER (WHERE r::text IS DISTINCT FROM e::text),
							count(*)::text)
			FROM (SELECT sample, %s AS r, e
				  FROM (SELECT sample, array_agg(%s ORDER BY i) AS a, %s AS e
						FROM elements GROUP BY sample OFFSET 0) AS arrays) AS compared',
			call, c, replace(built_in, 'COLUMN', c))
		INTO answer;
		result := concat_ws(', ', nullif(result, ''), c || ': ' || answer);
	END LOOP;
	RETURN result;
END
$$;

-- Sorted: of zeros, -0 is the least.
SELECT options, compare_order(format('gpu_sort(a%s)', options),
	format('array_agg(COLUMN ORDER BY COLUMN %s, COLUMN::text = ''-0'' %s)', by_value, by_zero))
FROM (VALUES (1, '', '', 'DESC'), (2, ', true', 'DESC', ''), (3, ', false, true', 'NULLS FIRST', 'DESC'),
	(4, ', true, false', 'DESC NULLS LAST', ''), (5, ', nulls_first => false', '', 'DESC'))
	AS t (ord, options, by_value, by_zero)
ORDER BY ord;
-- Positions: -0 equals 0, and equals stay in place.
SELECT options, compare_order(format('gpu_argsort(a%s)', options),
	format('array_agg(i ORDER BY COLUMN %s, i)', by_value))
FROM (VALUES (1, '', ''), (2, ', true', 'DESC'), (3, ', false, true', 'NULLS FIRST'),
	(4, ', true, false', 'DESC NULLS LAST'), (5, ', descending => true', 'DESC'))
	AS t (ord, options, by_value)
ORDER BY ord;
-- the elements at these positions are sorted
SELECT compare_order('(SELECT array_agg(a[p] ORDER BY o)
		FROM unnest(gpu_argsort(a)) WITH ORDINALITY AS u (p, o)) = gpu_sort(a)', 'true');

-- The first ones.
SELECT k, compare_order(format('gpu_topk(a, %s)', k), format('coalesce((array_agg(COLUMN
		ORDER BY COLUMN DESC, COLUMN::text = ''-0'') FILTER (WHERE COLUMN IS NOT NULL))[1:%s], ''{}'')', k)),
	compare_order(format('gpu_topk(a, %s, false)', k), format('coalesce((array_agg(COLUMN
		ORDER BY COLUMN, COLUMN::text = ''-0'' DESC) FILTER (WHERE COLUMN IS NOT NULL))[1:%s], ''{}'')', k))
		AS least
FROM unnest('{0, 1, 7, 150, 8000, 2000000000}'::integer[]) AS k;

-- Percentiles; the sign of a zero from the built-in one depends on the plan.
SELECT f, compare_order(format('gpu_percentile_disc(a, %s) + 0', f),
		format('percentile_disc(%s) WITHIN GROUP (ORDER BY COLUMN) + 0', f)) AS disc,
	compare_order(format('gpu_percentile_cont(a, %s)', f),
		format('interpolated(array_agg(COLUMN ORDER BY COLUMN, COLUMN::text = ''-0'' DESC)
			FILTER (WHERE COLUMN IS NOT NULL), %s)', f)) AS cont
FROM unnest('{0, 1e-9, 0.1, 0.25, 0.3333, 0.5, 0.999, 1}'::float8[]) AS f;
SELECT f, compare_order(
		format('regexp_replace(gpu_percentile_disc(a, %L::float8[])::text, ''-0(?=[,}])'', ''0'', ''g'')', f),
		format('regexp_replace((percentile_disc(%L::float8[]) WITHIN GROUP (ORDER BY COLUMN))::text,
			''-0(?=[,}])'', ''0'', ''g'')', f)) AS disc,
	compare_order(format('ROW(array_dims(gpu_percentile_cont(a, %1$L::float8[])),
			ARRAY(SELECT unnest(gpu_percentile_cont(a, %1$L::float8[]))))', f),
		format('CASE WHEN count(COLUMN) > 0 THEN ROW(array_dims(%1$L::float8[]),
				ARRAY(SELECT interpolated(array_agg(COLUMN ORDER BY COLUMN, COLUMN::text = ''-0'' DESC)
						FILTER (WHERE COLUMN IS NOT NULL), f)
					FROM unnest(%1$L::float8[]) AS f))
			ELSE ROW(NULL::text, ''{}''::float8[]) END', f)) AS cont
FROM unnest('{"{0.5}", "{}", "{0.9,NULL,0.1,0.9}", "{NULL}", "{{0,0.25},{0.75,1}}",
	"[5:6]={0.3,0.6}", "{0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,0.99}"}'::text[]) AS f;

-- Many fractions, near to each other and far apart, ascending and not, some NULL: each as if it were alone.
CREATE TEMP TABLE ranked AS SELECT array_agg((i * 7919::bigint) % 100003 ORDER BY i) AS a FROM generate_series(1, 100000) AS i;
CREATE TEMP TABLE fractions AS
SELECT 'near' AS kind, array_agg(i / 5000.0::float8 ORDER BY i) AS f FROM generate_series(0, 100) AS i
UNION ALL SELECT 'far', array_agg(i / 9.0::float8 ORDER BY i) FROM generate_series(0, 9) AS i
UNION ALL SELECT 'falling', array_agg(i / 30.0::float8 ORDER BY -i) FROM generate_series(0, 30) AS i
UNION ALL SELECT 'mixed', array_agg(CASE WHEN i % 7 > 0 THEN i * 37 % 60 / 60.0::float8 END ORDER BY i) FROM generate_series(0, 60) AS i
UNION ALL SELECT 'to the end', array_agg(1 - i / 100000.0::float8 ORDER BY -i) FROM generate_series(0, 60) AS i;
SELECT kind, gpu_percentile_disc(a, f) = percentile AS disc,
	gpu_percentile_cont(a, f) = (SELECT array_agg(gpu_percentile_cont(a, g) ORDER BY i) FROM unnest(f) WITH ORDINALITY AS u (g, i)) AS cont,
	gpu_percentile_disc(a::real[], f) = percentile::real[] AS real
FROM ranked, fractions, LATERAL (SELECT percentile_disc(f) WITHIN GROUP (ORDER BY v) AS percentile FROM unnest(a) AS v) AS p;
DROP TABLE ranked, fractions;

-- An interpolation is exact and rounded once, of integers too; what the
-- built-in one gives may differ in the last bit, or be out of range.
SELECT a, f, gpu_percentile_cont(a, f), interpolated(a, f),
	(SELECT gpu_percentile_cont(v, f) FROM unnest(a) AS v) AS of_rows
FROM (VALUES ('{0.1,0.7}'::float8[], 0.3), ('{-1.7e308,1.7e308}', 0.5), ('{-1.7e308,1.7e308}', 0.25),
	('{1.7e308,1.7976931348623157e308}', 0.5), ('{5e-324,1e-323}', 0.5), ('{1e-323,1.5e-323}', 0.5),
	('{-5e-324,0}', 0.9), ('{1,1.0000000000000002}', 0.5), ('{1.0000000000000002,1.0000000000000004}', 0.5),
	('{1e-300,1e300}', 1e-17), ('{-0,-0}', 0.5), ('{-0}', 0.5), ('{Infinity,Infinity}', 0.5),
	('{-Infinity,-Infinity}', 0.5), ('{-Infinity,Infinity}', 0.5), ('{-Infinity,1}', 0.5),
	('{1,Infinity}', 0.5), ('{-Infinity,1,Infinity}', 0.5), ('{1,2,3,4,5,6,7,8,9,10,Infinity}', 0.9),
	('{Infinity,NaN}', 0.5), ('{1,NaN}', 0.5), ('{NaN,NaN}', 0.5)) AS t (a, f);
SELECT a, f, gpu_percentile_cont(a, f) AS got, interpolated(a, f) AS wanted,
	(SELECT gpu_percentile_cont(v, f) FROM unnest(a) AS v) AS of_rows,
	gpu_median(a) AS median, (gpu_describe(a)).p75 AS p75
FROM (VALUES ('{9007199254740993,9007199254740993}'::bigint[], 0.5::float8),
	('{9007199254740993,9007199254740994}', 0.5), ('{9007199254740993,9007199254740996}', 0.3),
	('{9007199254740993}', 0.3), ('{-9223372036854775808,9223372036854775807}', 0.5),
	('{9223372036854774271,9223372036854774273}', 0.5), ('{4611686018427387905,4611686018427387909}', 0.75))
	AS t (a, f);
-- of random doubles of all magnitudes, and random bigints
SELECT count(*), count(*) FILTER (WHERE gpu_percentile_cont(d, f) <> interpolated(gpu_sort(d), f)) AS double,
	count(*) FILTER (WHERE gpu_percentile_cont(b, f) <> interpolated(gpu_sort(b), f)) AS bigint,
	count(*) FILTER (WHERE (SELECT gpu_percentile_cont(v, f) <> interpolated(gpu_sort(d), f) FROM unnest(d) AS v)
		OR (SELECT gpu_percentile_cont(v, f) <> interpolated(gpu_sort(b), f) FROM unnest(b) AS v)) AS of_rows,
	count(*) FILTER (WHERE interpolated(gpu_sort(b), f) <> (SELECT percentile_cont(f) WITHIN GROUP (ORDER BY v)
		FROM unnest(b) AS v)) > 50 AS built_in_differs
FROM (SELECT i, noise(-i) / 268435456::float8 AS f,
		ARRAY[(noise(2 * i) - 134217728) * 10::float8 ^ (i % 30 - 15), (noise(2 * i + 1) - 134217728) * 10::float8 ^ (i % 7)] AS d,
		ARRAY[(noise(2 * i) - 134217728)::bigint * 34359738368 + noise(-2 * i),
			(noise(2 * i + 1) - 134217728)::bigint * 34359738368 + noise(-3 * i)] AS b
	FROM generate_series(1, 500) AS i) AS random;

-- Distinct elements, and how often each occurs.
SELECT compare_order('cardinality(gpu_distinct(a))', 'count(DISTINCT COLUMN)') AS distinct_count,
	compare_order('gpu_count_distinct(a)', 'count(DISTINCT COLUMN)') AS count_distinct,
	compare_order('gpu_mode(a) + 0', 'mode() WITHIN GROUP (ORDER BY COLUMN) + 0') AS mode,
	compare_order('gpu_distinct(a) = ARRAY(SELECT DISTINCT v FROM unnest(a) AS v WHERE v IS NOT NULL ORDER BY v)',
		'true') AS distinct,
	compare_order('gpu_distinct(a)::text = ARRAY(SELECT value FROM gpu_value_counts(a))::text', 'true') AS same_values,
	compare_order('NOT EXISTS (SELECT value, count FROM gpu_value_counts(a)
		EXCEPT SELECT v, count(*) FROM unnest(a) AS v GROUP BY v)', 'true') AS counts,
	compare_order('(SELECT sum(count)::bigint FROM gpu_value_counts(a))',
		'nullif(count(COLUMN), 0)') AS all_counted;
SELECT * FROM gpu_value_counts('{3, 1, NULL, 3, 2, 1, 3}'::integer[]);
SELECT * FROM gpu_value_counts('{0, NaN, -0, Infinity, NaN, -Infinity, 0}'::float8[]);
SELECT * FROM gpu_value_counts('{NULL, 1.5, -0, 1.5}'::real[]) ORDER BY count DESC;

-- NaN is one, and above all; -0 is just below 0.
SELECT gpu_sort(a), gpu_sort(a, true) AS descending, gpu_argsort(a), gpu_argsort(a, true) AS positions,
	gpu_topk(a, 2), gpu_distinct(a), gpu_mode(a), gpu_percentile_disc(a, 0.5)
FROM (VALUES ('{0, -0, 0, -0}'::float8[]), ('{NaN, 1, Infinity, NaN, NULL, -Infinity}'),
	('{-0, NULL, 5e-324, -5e-324, 0}')) AS t (a);
SELECT float8send((gpu_sort(a))[1]), float8send((gpu_distinct(a))[1]), float8send(gpu_mode(a)),
	float8send((gpu_topk(a, 1))[1]), float8send(gpu_percentile_disc(a, 0)),
	gpu_count_distinct(a)
FROM (SELECT ARRAY[- 'NaN'::float8, 'NaN'] AS a) AS s;
SELECT float4send((gpu_sort(ARRAY[- 'NaN'::real]))[1]);

-- Of any number of dimensions, the elements in storage order; of one, the
-- result.
SELECT gpu_sort('[5:6][2:3]={{4,NULL},{1,2}}'::smallint[]),
	gpu_argsort('[5:6][2:3]={{4,NULL},{1,2}}'::bigint[], true),
	gpu_topk('[5:6][2:3]={{4,NULL},{1,2}}'::real[], 2),
	gpu_distinct('{{1,1},{NULL,0}}'::integer[]), gpu_percentile_disc('{{3,1},{2,4}}'::integer[], 0.5);
-- No elements, or only NULL.
SELECT gpu_sort(a), gpu_argsort(a), gpu_topk(a, 3), gpu_distinct(a), gpu_percentile_disc(a, 0.5),
	gpu_percentile_cont(a, '{0.5, 1}'::float8[]), gpu_percentile_disc(a, '{}'::float8[]),
	(SELECT count(*) FROM gpu_value_counts(a)) AS value_counts
FROM (VALUES ('{}'::integer[]), ('{NULL}'), ('{NULL, NULL}'), (NULL)) AS t (a);
SELECT gpu_sort(NULL::real[], NULL), gpu_argsort(NULL::real[], NULL), gpu_topk(NULL::real[], NULL),
	gpu_percentile_disc(NULL::real[], NULL::float8), gpu_percentile_cont(NULL::real[], NULL::float8[]);
-- a NULL option that has a default of NULL
SELECT gpu_sort('{2, NULL, 1}'::integer[], true, NULL), gpu_argsort('{2, NULL, 1}'::integer[], false, NULL);

-- Stored arrays, and many of them at a time.
CREATE TABLE stored_elements (sample text, a double precision[]);
ALTER TABLE stored_elements ALTER a SET STORAGE EXTERNAL;
INSERT INTO stored_elements SELECT sample, array_agg(d ORDER BY i) FROM elements GROUP BY sample;
SELECT sample FROM stored_elements AS t JOIN (SELECT sample, array_agg(d ORDER BY i) AS a
		FROM elements GROUP BY sample OFFSET 0) AS e USING (sample)
WHERE gpu_sort(t.a)::text <> gpu_sort(e.a)::text OR gpu_argsort(t.a) <> gpu_argsort(e.a) OR
	gpu_median(t.a) <> gpu_median(e.a) OR gpu_distinct(t.a) <> gpu_distinct(e.a);
DROP TABLE stored_elements;

-- Wrong arguments
SELECT call, error_of('SELECT ' || call)
FROM unnest('{"gpu_sort(''{1}''::int[], NULL)", "gpu_argsort(''{1}''::int[], NULL)",
	"gpu_topk(''{1}''::int[], NULL)", "gpu_topk(''{1}''::int[], 1, NULL)", "gpu_topk(''{1}''::int[], -1)",
	"gpu_percentile_disc(''{1}''::int[], -0.1)", "gpu_percentile_disc(''{1}''::int[], ''NaN''::float8)",
	"gpu_percentile_cont(''{}''::int[], 2)", "gpu_percentile_disc(NULL::int[], ''NaN'')",
	"gpu_percentile_disc(''{1}''::int[], ''{0.5,-1}''::float8[])",
	"gpu_percentile_cont(''{1}''::int[], ''{NaN}''::float8[])"}'::text[]) AS call;
SELECT call, error_of('SELECT ' || replace(call, 'A', '''{1}''::numeric[]')) ~ '^0A000' AS refused
FROM unnest('{"gpu_percentile_cont(A, ''{0.5}''::float8[])"}'::text[]) AS call;

DROP FUNCTION compare_order;
DROP TABLE elements;
RESET ALL;
