-- Histograms against width_bucket.
SET extra_float_digits = 1;

-- The doubles next to v.  Adding something between a half and one unit in the
-- last place rounds to just that unit.
CREATE FUNCTION neighbours(v double precision)
RETURNS SETOF double precision LANGUAGE sql IMMUTABLE AS
$$ SELECT v + sign * CASE WHEN abs(v) < 1e-307 THEN 5e-324 ELSE abs(v) * 1.2e-16 END
   FROM unnest('{-1, 0, 1}'::double precision[]) AS sign
   WHERE abs(v) < 1.7e308 OR sign = 0 $$;

-- The result as a plain array of counts of width_bucket's answers.
CREATE FUNCTION counts(answers integer[], buckets integer)
RETURNS bigint[] LANGUAGE sql IMMUTABLE AS
$$ SELECT array_agg(n ORDER BY b)
   FROM (SELECT b, count(a) AS n
		 FROM generate_series(1, buckets) AS b
		 LEFT JOIN unnest(answers) AS a ON a = b
		 GROUP BY b) AS c $$;

CREATE TABLE ranges (ord serial, low double precision, high double precision,
					 buckets integer);
INSERT INTO ranges (low, high, buckets) VALUES
	(0, 1, 10), (0, 10, 7), (-1, 1, 3), (0.1, 0.7, 6), (-5, 5, 1),
	(0, 1, 1), (0, 0.3, 3), (1e-300, 1e-299, 9), (-1e300, 1e300, 10),
	(1e16, 1.0000000000000008e16, 8), (100, 100.00000000000003, 2),
	(0, 1e-322, 5), (-1e-320, 1e-320, 7), (-12.5, 1234.5, 100),
	(-1.7e308, 1.7e308, 4), (-1e308, 1.7976931348623157e308, 3),
	(0, 1e-300, 2147), (-3, 4, 97);
INSERT INTO ranges (low, high, buckets)
SELECT high, low, buckets FROM ranges ORDER BY ord;

-- At, just below and just above every edge, the value alone and all together.
CREATE TABLE edge_values AS
SELECT ord, low, high, buckets, v
FROM ranges, generate_series(0, buckets) AS i,
	neighbours(low * (1 - i / buckets::double precision)
			   + high * (i / buckets::double precision)) AS v;
SELECT count(*) FROM edge_values;
-- except where width_bucket overflows
SELECT low, high, buckets, v, width_bucket(v, low, high, buckets),
	array_position(gpu_histogram(ARRAY[v], low, high, buckets), 1::bigint)
FROM edge_values
WHERE buckets < 200 AND abs(low / 2 - high / 2) < 8e307 AND gpu_histogram(ARRAY[v], low, high, buckets) IS DISTINCT FROM
	counts(ARRAY[width_bucket(v, low, high, buckets)], buckets);
SELECT ord, low, high, buckets
FROM edge_values
WHERE abs(low / 2 - high / 2) < 8e307
GROUP BY ord, low, high, buckets
HAVING gpu_histogram(array_agg(v), low, high, buckets) IS DISTINCT FROM
	counts(array_agg(width_bucket(v, low, high, buckets)), buckets);

-- Buckets of real values, and of integers around integer edges.
SELECT ord, low, high, buckets
FROM (SELECT DISTINCT ord, low, high, buckets, v::real AS v FROM edge_values
	  WHERE abs(v) BETWEEN 1e-30 AND 1e30) AS s
GROUP BY ord, low, high, buckets
HAVING gpu_histogram(array_agg(v), low, high, buckets) IS DISTINCT FROM
	counts(array_agg(width_bucket(v::double precision, low, high, buckets)),
		   buckets);
SELECT low, high, buckets
FROM (VALUES (0, 10, 10), (10, 0, 10), (-7, 7, 3), (0, 100, 7), (-100, 100, 201),
		(0, 1, 2), (-0.5, 0.5, 1), (99.5, -99.5, 13)) AS r (low, high, buckets),
	LATERAL (SELECT array_agg(v) AS a,
				counts(array_agg(width_bucket(v::double precision, low, high,
											  buckets)), buckets) AS answer
			 FROM generate_series(-120, 120) AS v) AS s
WHERE gpu_histogram(a, low, high, buckets) IS DISTINCT FROM answer
	OR gpu_histogram(a::smallint[], low, high, buckets) IS DISTINCT FROM answer
	OR gpu_histogram(a::bigint[], low, high, buckets) IS DISTINCT FROM answer
	OR gpu_histogram(a::real[], low, high, buckets) IS DISTINCT FROM answer
	OR gpu_histogram(a::double precision[], low, high, buckets)
		IS DISTINCT FROM answer;

-- Large integers are taken as doubles.
SELECT v, width_bucket(v::double precision, low, high, 2)
FROM unnest(ARRAY[9223372036854775807, 9223372036854774784, 9223372036854774783,
		9223372036854774271, 9223372036854770000, 511, 512, 513, 0, -1,
		-9223372036854775808]) AS v,
	(VALUES (-9223372036854775808, 9223372036854774784),
		(9223372036854774784, -9223372036854775808), (-1, 512), (513, -10000))
		AS r (low, high)
WHERE gpu_histogram(ARRAY[v], low, high, 2) IS DISTINCT FROM
	counts(ARRAY[width_bucket(v::double precision, low, high, 2)], 2);
SELECT gpu_histogram(ARRAY[9007199254740993, 9007199254740992],
	'{9007199254740992, 9007199254740993.5, 9007199254740996}');

-- The samples, for each type: some in range, some outside, some NULL.
CREATE FUNCTION compare_histogram(type text, options text, answer text,
								  buckets integer)
RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	answered text;
BEGIN
	EXECUTE format('
		SELECT coalesce(string_agg(sample, '', '' ORDER BY sample)
							FILTER (WHERE r IS DISTINCT FROM e),
						count(*) || '' equal'')
		FROM (SELECT sample, gpu_histogram(array_agg(v ORDER BY i), %1$s) AS r,
				counts(array_agg(width_bucket(v::double precision, %1$s)), %2$s)
				AS e
			  FROM (SELECT sample, i, %3$s AS v FROM samples) AS data
			  GROUP BY sample) AS compared', options, buckets, answer)
	INTO answered;
	RETURN answered;
END
$$;
SELECT type,
	compare_histogram(type, format('-500.0 * %1$s, 500.0 * %1$s, 10', unit),
					  value, 10) AS ten,
	compare_histogram(type, format('700.0 * %1$s, -333.0 * %1$s, 77', unit),
					  value, 77) AS reversed,
	compare_histogram(type, format('-1001.0 * %1$s, 1001.0 * %1$s, 1', unit),
					  value, 1) AS one,
	compare_histogram(type, format('0.0, 1000.5 * %1$s, 3000', unit),
					  value, 3000) AS many,
	compare_histogram(type, format(
		'(SELECT array_agg(e * %s ORDER BY e)
		  FROM unnest(''{-900, -899.5, -0.125, 0, 1, 100, 777.75}''
					  ::double precision[]) AS e)', unit), value, 6) AS edges
FROM (SELECT *, (CASE type WHEN 'smallint' THEN '1' WHEN 'integer' THEN '10007'
	WHEN 'bigint' THEN '1000000007' WHEN 'real' THEN '2047.625'
	ELSE '125000.375' END) || '::double precision' AS unit FROM types) AS t
WHERE family <> 'boolean' ORDER BY ord;

-- Given edges against width_bucket(v, thresholds): neighbours of every edge.
SELECT edges, v
FROM (VALUES ('{0, 1}'::double precision[]), ('{-1, -0.3, 0, 0.1, 7}'),
		('{-Infinity, 0, Infinity}'), ('{1e300, 1.1e300}'),
		('{0, 5e-324, 1e-323, 1.5e-323}'), ('{-1.7976931348623157e308, -1e-300,
		1e-300, 1.7976931348623157e308}'), ('{-0.5, -0, 0.5}')) AS e (edges),
	LATERAL (SELECT n.v FROM unnest(edges) AS edge,
			 neighbours(edge) AS n (v)
			 UNION SELECT unnest('{-Infinity, Infinity, NaN, -0, 1e-310}'
								 ::double precision[])) AS s (v)
WHERE gpu_histogram(ARRAY[v], edges) IS DISTINCT FROM
	counts(ARRAY[width_bucket(v, edges)], cardinality(edges) - 1);
-- many edges, uneven ones
SELECT count(*) AS values,
	gpu_histogram(array_agg(v), edges)
		= counts(array_agg(width_bucket(v, edges)), 999) AS equal
FROM (SELECT array_agg((i * i * i)::double precision ORDER BY i) AS edges
	  FROM generate_series(-500, 499) AS i) AS e,
	generate_series(1, 3000) AS n,
	LATERAL (SELECT (noise(n) % 1200 - 600)::double precision ^ 3
			 + noise(n) % 3 - 1 AS v) AS s
GROUP BY edges;

-- Readable examples, with arguments by name.
SELECT gpu_histogram(ARRAY[1, 2, NULL, 2, 9, 10, 0], 1, 10, 3),
	gpu_histogram(ARRAY[1, 2, NULL, 2, 9, 10, 0], 10, 1, 3);
SELECT gpu_histogram(arr => ARRAY[0.5, 1.5]::real[], low => 0, high => 2,
					 buckets => 2),
	gpu_histogram(arr => ARRAY[0.5, 1.5]::real[], edges => '{0, 1, 2}');
SELECT gpu_histogram('{}'::bigint[], 0, 1, 3),
	gpu_histogram('{NULL, NULL}'::smallint[], 0, 1, 3),
	gpu_histogram('{}'::real[], '{0, 1}'),
	gpu_histogram(NULL::integer[], 0, 1, 3) IS NULL,
	gpu_histogram(NULL::integer[], '{0, 1}') IS NULL,
	gpu_histogram('{1}'::integer[], NULL) IS NULL;
-- many buckets, all the values in one
SELECT cardinality(h), gpu_sum(h), gpu_argmax(h), h[500001]
FROM (SELECT gpu_histogram(array_fill(0.5::double precision, ARRAY[70000]),
						   0, 1, 1000000) AS h OFFSET 0) AS s;

-- As a table: below, the buckets, above, NaN.  Edges are rounded here: their
-- last digits are those of the server's formula.
SELECT bucket, round(lower * 1e6) / 1e6 AS lower, round(upper * 1e6) / 1e6 AS upper, count
FROM gpu_histogram_table(
	'{-1, 0, 1, 2.5, NULL, 3.999, 4, 5, NaN, NaN, Infinity}'::double precision[],
	0, 4, 4);
SELECT bucket, round(lower * 1e6) / 1e6 AS lower, round(upper * 1e6) / 1e6 AS upper, count
FROM gpu_histogram_table(
	'{-1, 0, 1, 2.5, NULL, 3.999, 4, 5, NaN, NaN, Infinity}'::real[], 4, 0, 4);
SELECT * FROM gpu_histogram_table(ARRAY[-1, 0, 1, 2, 3, NULL, 4, 5],
								  '{0, 1, 2.5, 4}');
SELECT bucket, round(lower * 1e6) / 1e6 AS lower, round(upper * 1e6) / 1e6 AS upper, count
FROM gpu_histogram_table(arr => ARRAY[]::bigint[], low => 0, high => 1, buckets => 1);
SELECT count(*) FROM gpu_histogram_table(NULL::smallint[], 0, 1, 1);
SELECT type, error_of(format('
	DO $do$ BEGIN ASSERT (
		SELECT array_agg(h.count ORDER BY h.bucket) = gpu_histogram(a, 0, 500, 20)
			AND min(h.total) = gpu_count(a)
		FROM (SELECT array_agg(%s ORDER BY i) AS a FROM samples
			  WHERE sample = ''two thousand'') AS s,
			LATERAL (SELECT *, sum(count) OVER () AS total
					 FROM gpu_histogram_table(a, 0, 500, 20)) AS h
		WHERE h.bucket BETWEEN 1 AND 20 GROUP BY a); END $do$', value))
FROM types WHERE family <> 'boolean' ORDER BY ord;

-- The edges shown are exact: an element equal to an edge is in the bucket that
-- begins there; the double before it (after it in a reversed range) is in the
-- previous bucket.  Where there are too few doubles, several buckets begin at the
-- same edge.
CREATE TABLE shown AS
SELECT r, low, high, buckets, bucket, lower, max(bucket) OVER same AS opened, min(bucket) OVER same - 1 AS before,
	abs(low / 2 - high / 2) > 8e307 AS wide,
	CASE WHEN low < high THEN min(n) ELSE max(n) END AS outside
FROM (SELECT row_number() OVER () AS r, *
	  FROM (SELECT low, high, buckets FROM ranges
			UNION ALL
			SELECT (noise(i) - 134217728) * 1.37 * unit, (noise(i + 5000) - 134217728) * 0.93 * unit, noise(-i) % 50 + 1
			FROM generate_series(1, 600) AS i, LATERAL (SELECT 10::float8 ^ (noise(3 * i) % 580 - 300) AS unit) AS u
			UNION ALL
			SELECT a, a + (noise(-i) % 40 - 20.5) * 2.2e-16 * a, noise(i + 300) % 10 + 1
			FROM generate_series(1, 200) AS i, LATERAL (SELECT noise(i)::float8 * 1.1 AS a) AS s
			UNION ALL
			SELECT (i % 7)::float8, (i % 13)::float8, i % 20 + 1 FROM generate_series(1, 300) AS i WHERE i % 7 <> i % 13
		) AS r) AS r, gpu_histogram_table('{}'::double precision[], low, high, buckets), neighbours(lower) AS n
WHERE bucket > 0
GROUP BY r, low, high, buckets, bucket, lower
WINDOW same AS (PARTITION BY r, lower);
SELECT wide, low > high AS reversed, count(*) AS edges, count(*) > count(DISTINCT (r, lower)) AS some_together,
	count(*) FILTER (WHERE width_bucket(lower, low, high, buckets) <> opened) AS wrong,
	count(*) FILTER (WHERE width_bucket(outside, low, high, buckets) <> before) AS outside_wrong
FROM shown WHERE NOT wide GROUP BY wide, reversed ORDER BY wide, reversed;
SELECT wide, low > high AS reversed, count(*) AS ranges,
	count(*) FILTER (WHERE gpu_histogram(lower, low, high, buckets) <> counts(opened, buckets)) AS wrong,
	count(*) FILTER (WHERE gpu_histogram(outside, low, high, buckets) <> counts(before, buckets)) AS outside_wrong
FROM (SELECT wide, low, high, buckets, array_agg(lower) AS lower,
		array_agg(NULLIF(outside, lower)) AS outside,
		array_agg(opened) AS opened, array_agg(CASE WHEN outside <> lower THEN before END) AS before
	  FROM shown GROUP BY r, low, high, buckets, wide) AS r
GROUP BY wide, reversed ORDER BY wide, reversed;
-- near to the mathematical ones
SELECT count(*) FROM (SELECT * FROM shown WHERE abs(low) BETWEEN 1e-200 AND 1e300 AND abs(high) BETWEEN 1e-200 AND 1e300
	AND bucket <= buckets OFFSET 0) AS s
WHERE NOT abs(lower - (low * ((buckets - bucket + 1) / buckets::float8) + high * ((bucket - 1) / buckets::float8)))
	<= 1e-15 * (abs(low) + abs(high));

-- A range beyond that of double, against exact arithmetic: all is an integer
-- below 2^53 times 2^971.
CREATE TABLE wide AS
SELECT i, low, high, buckets, v
FROM generate_series(1, 40) AS i,
	LATERAL (SELECT CASE i % 3 WHEN 0 THEN 1 ELSE -1 END * (4503599627370496 + noise(i)::bigint * 16777216 + noise(-i)) AS l,
		noise(2 * i) % 4503599627370496 AS h) AS b,
	LATERAL (SELECT l AS low, CASE WHEN l < 0 THEN 1 ELSE -1 END * (9007199254740991 - h) AS high,
		CASE i % 4 WHEN 0 THEN 2 ^ (i % 5) WHEN 1 THEN 3 WHEN 2 THEN i + 1 ELSE 1000 END::integer AS buckets) AS r,
	LATERAL (SELECT trunc(low + (high::numeric - low) * k / buckets) + d AS v
		FROM generate_series(0, buckets, CASE WHEN buckets > 100 THEN 37 ELSE 1 END) AS k, generate_series(-2, 2) AS d
		UNION ALL VALUES (0), (1), (9007199254740991)) AS s
WHERE abs(v) < 9007199254740992;
CREATE VIEW wide_buckets AS
SELECT i, low * unit AS low, high * unit AS high, buckets, v::float8 * unit AS v,
	CASE WHEN low < high AND v < low OR low > high AND v > low THEN 0
		WHEN low < high AND v >= high OR low > high AND v <= high THEN buckets + 1
		ELSE div((v - low) * buckets, high::numeric - low) + 1 END AS bucket
FROM wide, (SELECT 2::float8 ^ 971 AS unit) AS u;
SELECT count(*) AS values, count(*) FILTER (WHERE low > high) AS reversed,
	count(*) FILTER (WHERE (SELECT h.bucket FROM gpu_histogram_table(ARRAY[v], low, high, buckets) AS h WHERE count = 1) <> w.bucket)
		AS wrong_in_table,
	count(*) FILTER (WHERE gpu_histogram(ARRAY[v], low, high, buckets) IS DISTINCT FROM counts(ARRAY[bucket::integer], buckets))
		AS wrong
FROM wide_buckets AS w;
SELECT count(*) AS ranges, count(*) FILTER (WHERE h = counts) AS arrays, count(*) FILTER (WHERE column_h = counts) AS columns
FROM (SELECT gpu_histogram(array_agg(v), low, high, buckets) AS h, gpu_histogram(v, low, high, buckets) AS column_h,
		counts(array_agg(bucket::integer), buckets) AS counts
	  FROM wide_buckets GROUP BY i, low, high, buckets) AS w;
-- not wider than double, but PostgreSQL 15 overflows on the way
SELECT gpu_histogram('{1e307, 2.9e307, 5e307, 9.9e307, 1e308, NaN}'::float8[], 0, 1e308, 10),
	gpu_histogram('{1e307, 2.9e307, 5e307, 9.9e307, 1e308, NaN}'::float8[], 1e308, 0, 10);
SELECT gpu_histogram(v, 0, 1e308, 10), gpu_histogram(v, 1e308, 0, 10)
FROM unnest('{1e307, 2.9e307, 5e307, 9.9e307, 1e308, NaN}'::float8[]) AS v;
SELECT * FROM gpu_histogram_table('{-1, 0, 1, NULL}'::real[], -1.7976931348623157e308, 1.7976931348623157e308, 2);
SELECT * FROM gpu_histogram_table('{-1, 0, 1, NULL}'::smallint[], 1.7976931348623157e308, -1.7976931348623157e308, 2);
-- Where a bound is close to 0 beside such a range: exactly, or as the server's
-- width_bucket has it where that does not overflow.
CREATE TABLE beside_zero AS
SELECT low, high, buckets, array_agg(DISTINCT x) AS a
FROM (VALUES (9e307::float8, 0::float8, 33), (1e308, -1e-310, 7), (0, 1e308, 10), (-1e-310, 1e308, 7), (1e-300, 1.7e308, 5),
		(-1.7e308, 1e-310, 9), (-1e308, 0, 3), (1e308, 0, 3), (1.7e308, 1e-300, 2)) AS r (low, high, buckets),
	unnest('{0,5e-324,-5e-324,1e-310,-1e-310,9e-311,-9e-311,1e-305,-1e-305,4.5e-305,1e-300,-1e-300,1.1e-300}'::float8[]
		|| low || high || low / 2 || high / 2 || high / 3 * 2 || low / 3) AS x
GROUP BY low, high, buckets;
CREATE FUNCTION exact_bucket(x float8, low float8, high float8, buckets integer) RETURNS bigint LANGUAGE sql AS
$$
	SELECT CASE WHEN low > high THEN exact_bucket(-x, -low, -high, buckets)
		WHEN x >= low AND x < high THEN (
			SELECT count(*) FROM generate_series(0, buckets - 1) AS i
			WHERE exact(x) * buckets >= exact(low) * (buckets - i) + exact(high) * i)
		ELSE 0 END
$$;
SELECT count(*) AS values, count(*) FILTER (WHERE wanted <> of_array) AS array_differs,
	count(*) FILTER (WHERE wanted <> of_column) AS column_differs
FROM (SELECT CASE WHEN NOT (x >= least(low, high) AND x <= greatest(low, high)) OR x = high THEN 0
		WHEN width_bucket(0::float8, -1.7e308, 1.7e308, 10) = 6 THEN width_bucket(x, low, high, buckets)
		ELSE exact_bucket(x, low, high, buckets) END AS wanted,
	coalesce(array_position(gpu_histogram(ARRAY[x], low, high, buckets), 1::bigint), 0) AS of_array,
	(SELECT coalesce(array_position(gpu_histogram(v, low, high, buckets), 1::bigint), 0) FROM unnest(ARRAY[x]) AS v) AS of_column
	FROM beside_zero, unnest(a) AS x OFFSET 0) AS counted;
SELECT low, high, buckets, bool_and(lower = high) AS ends_at_high
FROM beside_zero, gpu_histogram_table(a, low, high, buckets)
WHERE bucket = buckets + 1
GROUP BY low, high, buckets ORDER BY low, high;
DROP FUNCTION exact_bucket;
DROP TABLE beside_zero;
SELECT error_of('SELECT gpu_histogram(''{}''::real[], -1.7e308, 1.7e308, 2147483647)');

-- Errors: width_bucket's own, and of edges.
SELECT error_of('SELECT gpu_histogram(ARRAY[1], 1, 1, 5)');
SELECT error_of('SELECT gpu_histogram(ARRAY[1], 0, 1, 0)');
SELECT error_of('SELECT gpu_histogram(ARRAY[1], 0, 1, -3)');
SELECT error_of('SELECT gpu_histogram(ARRAY[1], ''-Infinity'', 1, 5)');
SELECT error_of('SELECT gpu_histogram(ARRAY[1], 0, ''Infinity'', 5)');
-- the text differs between versions of PostgreSQL
SELECT left(error_of('SELECT gpu_histogram(ARRAY[1], ''NaN'', 1, 5)'), 5),
	left(error_of('SELECT gpu_histogram(ARRAY[1], 0, ''NaN'', 5)'), 5);
SELECT error_of('SELECT gpu_histogram(''{}''::integer[], 1, 1, 5)');
SELECT error_of('SELECT gpu_histogram(ARRAY[1], NULL, 1, 5)');
SELECT error_of('SELECT gpu_histogram(ARRAY[1], 0, NULL, 5)');
SELECT error_of('SELECT gpu_histogram(ARRAY[1], 0, 1, NULL)');
SELECT gpu_histogram(NULL::integer[], NULL, 1, 0) IS NULL;
SELECT error_of('SELECT gpu_histogram(ARRAY[1], 0, 1, 2147483647)');
SELECT error_of('SELECT gpu_histogram(ARRAY[1], 0, 1, 134217728)');
SELECT left(error_of('SELECT * FROM gpu_histogram_table(ARRAY[1], 0, 1, 2147483647)'), 5);
SELECT error_of('SELECT gpu_histogram(ARRAY[1], ''{}'')');
SELECT error_of('SELECT gpu_histogram(ARRAY[1], ''{1}'')');
SELECT error_of('SELECT gpu_histogram(ARRAY[1], ''{0, 1, 1}'')');
SELECT error_of('SELECT gpu_histogram(ARRAY[1], ''{0, 2, 1}'')');
SELECT error_of('SELECT gpu_histogram(ARRAY[1], ''{-0, 0}'')');
SELECT error_of('SELECT gpu_histogram(ARRAY[1], ''{0, NaN}'')');
SELECT error_of('SELECT gpu_histogram(ARRAY[1], ''{0, NULL, 1}'')');
SELECT error_of('SELECT * FROM gpu_histogram_table(ARRAY[1], 0, 0, 5)');
SELECT error_of('SELECT * FROM gpu_histogram_table(ARRAY[1], 0, 1, 0)');
SELECT error_of('SELECT * FROM gpu_histogram_table(ARRAY[1], 0, NULL, 5)');
SELECT error_of('SELECT * FROM gpu_histogram_table(ARRAY[1], ''{1, 0}'')');
SELECT error_of('SELECT gpu_histogram(ARRAY[1.5], 0, 1, 5)');
SELECT left(error_of('SELECT gpu_histogram(ARRAY[''a''], 0, 1, 5)'), 5);

-- Over the range of the elements: width_bucket's, but with the greatest in the last bucket.
SELECT type, buckets, error_of(format('SELECT 1 / bool_and(gpu_histogram(a, %1$s) = ARRAY(SELECT count(v) FROM generate_series(1, %1$s) AS bucket
		LEFT JOIN unnest(a) AS v ON least(width_bucket(v::float8, (SELECT min(v) FROM unnest(a) AS v)::float8, (SELECT max(v) FROM unnest(a) AS v)::float8, %1$s), %1$s) = bucket
		GROUP BY bucket ORDER BY bucket))::integer
	FROM (SELECT array_agg(%2$s ORDER BY i) AS a FROM samples WHERE sample <> ''constant'' AND NOT coalesce((%2$s)::text IN (''NaN'', ''Infinity'', ''-Infinity''), false)
		GROUP BY sample HAVING min(%2$s) < max(%2$s)) AS s', buckets, value))
FROM types, unnest('{1,2,7,1000}'::integer[]) AS buckets WHERE family <> 'boolean' ORDER BY ord, buckets;
SELECT gpu_histogram('{1,2,3,NULL,5}'::integer[], 4) AS ends, gpu_histogram('{7,7}'::real[], 5) AS equal, gpu_histogram('{7}'::real[], 1) AS one,
	gpu_histogram('{}'::bigint[], 2) AS empty, gpu_histogram('{NULL}'::smallint[], 2) AS nulls, gpu_histogram('{{1,2},{3,4}}'::smallint[], 2) AS matrix,
	gpu_histogram('{1e308,-1e308,0}'::float8[], 2) AS wide, gpu_histogram('{9223372036854775807,-9223372036854775808,0}'::bigint[], 2) AS bigint,
	gpu_histogram('{9007199254740993,9007199254740995}'::bigint[], 2) AS rounded, gpu_histogram('{0,-0}'::float8[], 2) AS zero,
	gpu_histogram(NULL::integer[], 0) IS NULL AS null, gpu_histogram('{1,9}'::integer[], '{0,2,10}') AS edges;
SELECT call, error_of('SELECT ' || call)
FROM unnest('{"gpu_histogram(''{1,NaN}''::float8[], 2)", "gpu_histogram(''{-Infinity}''::real[], 2)", "gpu_histogram(''{1}''::int[], 0)", "gpu_histogram(''{1}''::int[], NULL::int)",
	"gpu_histogram(''{1}''::int[], -2147483648)", "gpu_histogram(''{1}''::int[], 2147483647)", "gpu_histogram(''{t}''::boolean[], 2)", "gpu_histogram(''{1}''::numeric[], 2)"}'::text[]) AS call;

-- Weighted: each bucket's weights, exact, as those of the exact aggregate
SELECT buckets, low, high, count(*) AS histograms, count(*) FILTER (WHERE ours = theirs) AS as_sums, count(*) FILTER (WHERE gpu_max(gpu_abs(ours)) > 0) > 0 AS any
FROM (SELECT buckets, low, high, gpu_weighted_histogram(x, w, low, high, buckets) AS ours,
		ARRAY(SELECT coalesce((SELECT gpu_sum(weight) FROM unnest(x, w) AS u (v, weight)
				WHERE v <> 'NaN' AND weight IS NOT NULL AND width_bucket(v, low, high, buckets) = bucket), 0)
			FROM generate_series(1, buckets) AS bucket) AS theirs
	FROM (VALUES (0::float8, 100::float8, 7), (100, -20, 3), (-1e9, 1e9, 1), (0.5, 0.25, 200)) AS b (low, high, buckets),
		(SELECT array_agg(CASE i % 11 WHEN 0 THEN 'NaN' WHEN 1 THEN NULL ELSE (hashint4(i) % 10000) / 50.0 END::float8 ORDER BY i) AS x,
			array_agg(CASE i % 13 WHEN 0 THEN NULL ELSE hashint4(-i) / 1e5 * 10 ^ (i % 30 - 15) END::float8 ORDER BY i) AS w
		FROM generate_series(1, 3000) AS i GROUP BY i % 3) AS a OFFSET 0) AS h
GROUP BY buckets, low, high ORDER BY buckets;
SELECT gpu_weighted_histogram('{1, 2, 3, 4}'::integer[], '{0.5, 0.25, 4, 8}', 1, 4, 3), gpu_weighted_histogram('{1, 1}'::real[], '{1e308, NaN}', 0, 2, 2) AS nan,
	gpu_weighted_histogram('{1}'::bigint[], '{-0}', 0, 2, 1) AS zero, gpu_weighted_histogram('{}'::smallint[], '{}', 0, 1, 2) AS empty,
	gpu_weighted_histogram(NULL::float8[], '{}', 0, 1, 2) AS null, gpu_weighted_histogram('{1,1,1}'::float8[], '{1e308, 1e308, -1e308}', 0, 2, 1) AS exact;
SELECT call, error_of(format('SELECT gpu_weighted_histogram(%s)', call))
FROM unnest('{"''{1,2}''::float8[], ''{1}'', 0, 1, 2", "''{1}''::float8[], ''{1}'', 1, 1, 2", "''{1}''::float8[], ''{1}'', 0, 1, 0", "''{1}''::float8[], ''{1}'', 0, NULL, 2",
	"''{1}''::float8[], ''{1}'', 0, 1, 2147483647", "''{1,1}''::float8[], ''{1e308,1e308}'', 0, 2, 1", "''{1}''::numeric[], ''{1}'', 0, 1, 2"}'::text[]) AS call;

DROP VIEW wide_buckets;
DROP FUNCTION compare_histogram;
DROP FUNCTION counts;
DROP FUNCTION neighbours;
DROP TABLE ranges, edge_values, shown, wide;
