-- Sums of floats are exact and rounded once: small cases with answers that
-- can be checked by hand.
SET extra_float_digits = 1;

CREATE TABLE known (ord serial, what text, got text, answer text);

-- Double precision: 2^53 = 9007199254740992, neighbours 2 apart above it.
INSERT INTO known (what, got, answer)
SELECT what, gpu_sum(a), answer::double precision
FROM (VALUES
	('decimal tenths, as doubles, ten of them',
	 array_fill(0.1::double precision, ARRAY[10]), '1'),
	('big ones cancel, the small one stays', '{1e16, 1, -1e16}', '1'),
	('in any order', '{1, 1e16, -1e16}', '1'),
	('over the whole range', '{1e308, 1e-308, -1e308}', '1e-308'),
	('over it, twice', '{1e308, 4e-324, 1, -1e308, -1}', '4e-324'),
	('a tie goes to the even neighbour', '{9007199254740992, 1}',
	 '9007199254740992'),
	('the other way too', '{9007199254740994, 1}', '9007199254740996'),
	('above the tie', '{9007199254740992, 1, 1e-300}', '9007199254740994'),
	('below the tie', '{9007199254740994, 1, -1e-300}', '9007199254740994'),
	('negative tie', '{-9007199254740992, -1}', '-9007199254740992'),
	('below a power of two the neighbours are closer',
	 '{9007199254740992, -1}', '9007199254740991'),
	('and half of that is a tie', '{9007199254740992, -0.5}',
	 '9007199254740992'),
	('or not', '{9007199254740992, -0.5, -1e-300}', '9007199254740991'),
	('subnormal', '{5e-324, 5e-324, 5e-324}', '1.5e-323'),
	('from subnormal to normal', '{2.225073858507201e-308, 5e-324}',
	 '2.2250738585072014e-308'),
	('from normal to subnormal', '{2.2250738585072014e-308, -5e-324}',
	 '2.225073858507201e-308'),
	('no overflow on the way', '{1e308, 1e308, -1e308}', '1e308'),
	('nor down', '{-1e308, -1e308, 1e308, 1e308, 1e308}', '1e308'),
	('the largest double', '{1.7976931348623157e308}', '1.7976931348623157e308'),
	('less than half a step above it: 2^969',
	 '{1.7976931348623157e308, 4.9896007738368e291}', '1.7976931348623157e308'),
	('cancels to zero', '{0.1, 0.2, -0.1, -0.2}', '0'),
	('what 0.1 + 0.2 - 0.3 is', '{0.1, 0.2, -0.3}', '2.7755575615628914e-17'))
	AS c (what, a, answer);
SELECT what, got, got = answer AS right FROM known ORDER BY ord;
TRUNCATE known;

-- Real: 2^24 = 16777216.  Rounding to double first would round twice.
INSERT INTO known (what, got, answer)
SELECT what, gpu_sum(a), answer::real
FROM (VALUES
	('decimal tenths, as reals, ten of them',
	 array_fill(0.1::real, ARRAY[10]), '1'),
	('a tie goes to the even neighbour', '{16777216, 1}', '16777216'),
	('two halves of a step are a step', '{16777216, 1, 1}', '16777218'),
	('far above the tie', '{16777216, 1, 1e-8}', '16777218'),
	('just above the tie: a double would not hold it',
	 '{16777216, 1, 1e-30}', '16777218'),
	('just below the tie', '{16777218, 1, -1e-30}', '16777218'),
	('no overflow on the way', '{3e38, 3e38, -3e38}', '3e38'),
	('subnormal', '{1e-45, 1e-45, 1e-45}', '4e-45'),
	('cancels', '{1e30, 1e-30, -1e30}', '1e-30'),
	('cancels to zero', '{0.1, -0.1}', '0'))
	AS c (what, a, answer);
SELECT what, got, got = answer AS right FROM known ORDER BY ord;
TRUNCATE known;

-- Averages, rounded once as well.
INSERT INTO known (what, got, answer)
SELECT what, gpu_avg(a), answer::double precision
FROM (VALUES
	('thirds', '{0, 0, 1}'::double precision[], '0.3333333333333333'),
	('a sum beyond the range', '{1.7e308, 1.7e308}', '1.7e308'),
	('of the largest',
	 '{1.7976931348623157e308, 1.7976931348623157e308, 1.7976931348623157e308}',
	 '1.7976931348623157e308'),
	('the mean of neighbours is a tie', '{1, 1.0000000000000002}', '1'),
	('to even', '{1.0000000000000002, 1.0000000000000004}',
	 '1.0000000000000004'),
	('not a third of a rounded sum: that were 9007199254740998',
	 '{9007199254740996, 9007199254740994, 9007199254741000}',
	 '9007199254740996'),
	('nor here: that were 0.3', '{0.1, 0.4, 0.4}', '0.30000000000000004'),
	('half of the least double', '{5e-324, 0}', '0'),
	('two thirds of it', '{5e-324, 5e-324, 0}', '5e-324'),
	('half a step above 2^47 of the least doubles, and a little: not a tie',
	 ARRAY[2::double precision ^ 53 * 5e-324, 33 * 5e-324::double precision]
	 || array_fill(0::double precision, ARRAY[62]),
	 ((2::double precision ^ 47 + 1) * 5e-324)::text),
	('cancels', '{1e308, 3, -1e308}', '1'))
	AS c (what, a, answer);
INSERT INTO known (what, got, answer)
SELECT what, gpu_avg(a), answer::double precision
FROM (VALUES
	('of reals, as a double', '{0.5, 0, 0}'::real[], '0.16666666666666666'),
	('a sum beyond real', '{3e38, 3e38}', '3e38'::real::double precision::text))
	AS c (what, a, answer);
SELECT what, got, got = answer AS right FROM known ORDER BY ord;
TRUNCATE known;

-- Variances and deviations.
INSERT INTO known (what, got, answer)
SELECT what, format('%s %s %s %s', gpu_var_pop(a), gpu_var_samp(a),
					gpu_stddev_pop(a), gpu_stddev_samp(a)), answer
FROM (VALUES
	('1 to 4', '{1, 2, 3, 4}'::double precision[],
	 '1.25 1.6666666666666667 1.118033988749895 1.2909944487358056'),
	('far from zero', '{1000000000, 1000000001, 1000000002}',
	 '0.6666666666666666 1 0.816496580927726 1'),
	('farther', '{1e16, 10000000000000002}', '1 2 1 1.4142135623730951'),
	('constant', '{0.1, 0.1, 0.1}', '0 0 0 0'),
	('one element', '{0.1}', '0  0 '),
	('almost out of range', '{1e153, -1e153}',
	 '1e+306 2e+306 1e+153 1.414213562373095e+153'))
	AS c (what, a, answer);
SELECT what, got, got = answer AS right FROM known ORDER BY ord;
-- the variance is out of range, the deviation is not
SELECT error_of('SELECT gpu_var_pop(''{1e200, -1e200}''::double precision[])');
SELECT error_of('SELECT gpu_var_samp(''{1e200, -1e200}''::double precision[])');
SELECT gpu_stddev_pop('{1e200, -1e200}'::double precision[]);
SELECT gpu_stddev_samp('{1e200, -1e200, NULL}'::double precision[]);
TRUNCATE known;

-- Norms and deviations are roots that are rounded once: squares below the
-- range of double count, and so do the bits that a rounded sum would lose.
INSERT INTO known (what, got, answer)
SELECT what, format('%s %s', gpu_norm(a), gpu_stddev_pop(a)), answer
FROM (VALUES
	('not the root of a rounded sum', '{0.4, 6.0}'::double precision[],
	 '6.013318551349164 2.8'),
	('squares in the subnormal range', '{1e-160}', '1e-160 0'),
	('and below it', '{1e-200, -1e-200}', '1.414213562373095e-200 1e-200'),
	('3, 4, 5', '{3e-162, 4e-162}', '5e-162 4.999999999999999e-163'),
	('the least double', '{5e-324}', '5e-324 0'),
	('a tie of subnormals, to even', '{5e-324, 0}', '5e-324 0'),
	('another', '{1.5e-323, 0}', '1.5e-323 1e-323'),
	('a tie of normals: 2^53 + 1, halved', '{9007199254740992, -1}',
	 '9.007199254740992e+15 4.503599627370496e+15'),
	('and 2^53 + 3', '{9007199254740992, -3}',
	 '9.007199254740992e+15 4.503599627370498e+15'),
	('of norms: 3, 4, 5 times 2^51 + 1', '{6755399441055747, 9007199254740996}',
	 '1.1258999068426244e+16 1.1258999068426245e+15'),
	('almost one', '{6755399441055747, 9007199254740996, 1e-300}',
	 '1.1258999068426246e+16 3.8273237302285605e+15'),
	('squares beyond the range', '{3e307, 4e307}', '5e+307 5.0000000000000006e+306'),
	('a root of the largest', '{1.7976931348623157e308}',
	 '1.7976931348623157e+308 0'))
	AS c (what, a, answer);
SELECT what, got, got = answer AS right FROM known ORDER BY ord;
TRUNCATE known;
-- in any form
SELECT gpu_stddev_pop(a), gpu_stddev_pop(gpu_stats(a)) AS stats,
	(gpu_describe(a)).stddev AS samp, gpu_stddev(a),
	gpu_moving_stddev(a, 1) AS moving, gpu_norm(a::real[]) AS real_norm,
	gpu_stddev(a::real[]) AS real_stddev
FROM (VALUES ('{1e-44, -1e-44}'::double precision[])) AS t (a);
SELECT gpu_stddev_pop(v), gpu_stddev(v), gpu_stddev_pop(gpu_stats_agg(v)) AS stats
FROM unnest('{1e-200, -1e-200}'::double precision[]) AS v;
SELECT gpu_moving_stddev(v, 1) OVER w AS moving,
	gpu_stddev_pop(v) OVER (w ROWS 1 PRECEDING) AS over
FROM unnest('{1e-200, -1e-200, 1e-200, 3e-200}'::double precision[])
	WITH ORDINALITY AS u (v, i) WINDOW w AS (ORDER BY i);
-- out of range only if the rounded root is: the limit is at 1.894e300
SELECT gpu_norm('{1.7976931348623157e308, 1.89e300}'::double precision[]);
SELECT error_of('SELECT gpu_norm(''{1.7976931348623157e308, 1.90e300}''::double precision[])');

-- Prefix sums of reals are rounded once as well.
SELECT gpu_cumsum('{16777216, 1, 1e-30, -2e-30, 3}'::real[]),
	gpu_cumsum('{16777218, 1, -1e-30, 2e-30}'::real[], true);

-- A prefix sum is the sum of the elements so far, at every position; so is an
-- exclusive one, one later.  Magnitudes from 1e-300 to 1e300, cancelling ones,
-- some of one magnitude, and a range that 128 bits hold but two doubles do not.
CREATE TABLE wild AS
SELECT 1 AS id, array_agg(CASE WHEN noise(i) % 5 = 0 THEN NULL
	ELSE ((noise(-i) - 134217728) / 1000000.0)::double precision
		 * ('1e' || (noise(i) % 601 - 300))::double precision END
	ORDER BY i) AS a
FROM generate_series(1, 1500) AS i
UNION ALL
SELECT 2, array_agg(('1e' || (noise(i / 2) % 250))::double precision
	* CASE i % 2 WHEN 0 THEN 1 ELSE -1 END ORDER BY i)
FROM generate_series(2, 1500) AS i
UNION ALL
SELECT 3, array_agg(noise(i) / 1e9::double precision ORDER BY i)
FROM generate_series(1, 1500) AS i
UNION ALL
SELECT 4, array_agg((noise(i) - 134217728)
	* 2::double precision ^ (noise(-i) % 60 - 30) ORDER BY i)
FROM generate_series(1, 1500) AS i;

SELECT id, count(*) AS prefixes, count(*) FILTER (
	WHERE float8send(c[n]) IS DISTINCT FROM float8send(gpu_sum(a[1:n])))
	AS different,
	count(*) FILTER (WHERE x[n] IS DISTINCT FROM coalesce(c[n - 1], 0))
	AS exclusive_different
FROM (SELECT id, a, gpu_cumsum(a) AS c, gpu_cumsum(a, true) AS x FROM wild
	  OFFSET 0) AS s, generate_series(1, cardinality(a)) AS n
GROUP BY id ORDER BY id;

SELECT id, count(*) AS prefixes, count(*) FILTER (
	WHERE float4send(c[n]) IS DISTINCT FROM float4send(gpu_sum(r[1:n])))
	AS different
FROM (SELECT id, r, gpu_cumsum(r) AS c
	  FROM (SELECT id, (SELECT array_agg(v::text::real ORDER BY i)
			FROM unnest(a) WITH ORDINALITY AS u (v, i)
			WHERE abs(v) BETWEEN 1e-30 AND 1e30) AS r FROM wild) AS reals
	  OFFSET 0) AS s, generate_series(1, cardinality(r)) AS n
GROUP BY id ORDER BY id;

-- Against numeric, which is exact: numbers of 28 bits, or of 24 as reals, times
-- 2^-30 to 2^29; running sums, averages, variances, deviations and norms rounded
-- from 60 places.
CREATE TABLE integral AS
SELECT i, (n - 134217728) * power AS v, (n % 16777216 - 8388608) * power AS r
FROM (SELECT i, noise(i)::numeric AS n,
		(1::bigint << noise(-i) % 60)::numeric AS power
	  FROM generate_series(1, 1500) AS i) AS s;
SELECT count(*) AS prefixes,
	count(*) FILTER (WHERE c[i] <> (s / 1073741824)::double precision) AS cumsum,
	count(*) FILTER (WHERE rc[i] <> (rs / 1073741824)::real) AS real_cumsum,
	count(*) FILTER (WHERE gpu_avg(a[1:i]) <>
		(s / (1073741824::numeric * i))::double precision) AS avg,
	count(*) FILTER (WHERE gpu_var_pop(a[1:i]) <>
		((i * q - s * s) / (1073741824::numeric * 1073741824 * i * i))
		::double precision) AS var_pop,
	count(*) FILTER (WHERE gpu_stddev_pop(a[1:i]) <>
		sqrt((i * q - s * s) / (1073741824::numeric * 1073741824 * i * i))
		::double precision) AS stddev_pop,
	count(*) FILTER (WHERE gpu_stddev(a[1:i]) <>
		sqrt((i * q - s * s) / (1073741824::numeric * 1073741824 * i * nullif(i - 1, 0)))
		::double precision) AS stddev,
	count(*) FILTER (WHERE gpu_norm(a[1:i]) <>
		sqrt(q / (1073741824::numeric * 1073741824))::double precision) AS norm
FROM (SELECT i, (sum(v) OVER w)::numeric(1000, 60) AS s,
		(sum(v * v) OVER w)::numeric(1000, 60) AS q,
		(sum(r) OVER w)::numeric(1000, 60) AS rs
	  FROM integral WINDOW w AS (ORDER BY i)) AS sums,
	(SELECT a, gpu_cumsum(a) AS c, gpu_cumsum(r) AS rc
	 FROM (SELECT array_agg(v::double precision / 1073741824 ORDER BY i) AS a,
			array_agg((r::double precision / 1073741824)::real ORDER BY i) AS r
		   FROM integral) AS s OFFSET 0) AS arrays;
-- plain addition would fail this
SELECT count(*) > 100 AS plain_sums_differ
FROM (SELECT sum(v) OVER w AS s, sum(v::double precision) OVER w AS plain
	  FROM integral WINDOW w AS (ORDER BY i)) AS sums
WHERE plain <> s::double precision;

-- In runs, it is the sum of the elements since the run's start.
SELECT id, count(*) FILTER (WHERE float8send(by_chunk[n])
	IS DISTINCT FROM float8send(gpu_sum(a[(n - 1) / 37 * 37 + 1:n])))
	AS chunk_different,
	count(*) FILTER (WHERE float8send(by_heads[n])
	IS DISTINCT FROM float8send(gpu_sum(a[start[n]:n]))) AS heads_different,
	count(*) FILTER (WHERE exclusive[n] IS DISTINCT FROM
		CASE start[n] WHEN n THEN 0 ELSE coalesce(by_heads[n - 1], 0) END)
	AS exclusive_different
FROM (SELECT id, a, start, gpu_cumsum(a, chunk => 37) AS by_chunk,
		gpu_cumsum(a, heads => heads[1:cardinality(a)]) AS by_heads,
		gpu_cumsum(a, true, heads => heads[1:cardinality(a)]) AS exclusive
	  FROM wild,
		(SELECT array_agg(head) AS heads, array_agg(start) AS start
		 FROM (SELECT head, coalesce(max(i) FILTER (WHERE head) OVER (ORDER BY i), 1)
					AS start
			   FROM (SELECT i, noise(-i) % 60 = 0 AS head
					 FROM generate_series(1, 1500) AS i) AS h) AS r) AS runs
	  OFFSET 0) AS s, generate_series(1, cardinality(a)) AS n
GROUP BY id ORDER BY id;

-- Prefixes are exact across blocks and batches of any size.
SELECT id, count(*) AS prefixes, count(*) FILTER (
	WHERE float8send(c[n]) IS DISTINCT FROM float8send(gpu_sum(a[1:n])))
	AS different,
	count(*) FILTER (WHERE float4send(rc[n])
		IS DISTINCT FROM float4send(gpu_sum(r[1:n]))) AS real_different
FROM (SELECT id, a, r, gpu_cumsum(a) AS c, gpu_cumsum(r) AS rc
	  FROM (SELECT id, array_agg(v) AS a, array_agg(v::text::real) AS r
			FROM (SELECT 1 AS id, (noise(i) - 134217728)
						* 2::double precision ^ (i / 300 % 100 - 50) AS v
				  FROM generate_series(1, 66000) AS i
				  UNION ALL
				  SELECT 2, CASE WHEN i % 20000 = 19990 THEN 1e30 ELSE noise(i) / 7e8
						END * CASE i % 2 WHEN 0 THEN 1 ELSE -1 END
				  FROM generate_series(1, 66000) AS i) AS v
			GROUP BY id) AS s
	  OFFSET 0) AS s,
	unnest('{1000, 1023, 1024, 1025, 4095, 4097, 8192, 19989, 19990, 19991, 32767,
		32768, 32769, 39990, 40100, 65535, 65536, 65537, 66000}'::integer[]) AS n
GROUP BY id ORDER BY id;

-- The order of the elements does not matter, to the last bit.
SELECT id, seed,
	float8send(gpu_sum(b)) = float8send(gpu_sum(a)) AS sum,
	float8send(gpu_avg(b)) = float8send(gpu_avg(a)) AS avg,
	float8send(gpu_stddev(b)) = float8send(gpu_stddev(a)) AS stddev
FROM wild, generate_series(1, 3) AS seed,
	LATERAL (SELECT array_agg(v ORDER BY md5(i::text || seed)) AS b
			 FROM unnest(a) WITH ORDINALITY AS u (v, i)) AS shuffled
ORDER BY id, seed;
-- it does matter for plain addition
SELECT count(DISTINCT s) > 1 AS plain_sums_differ
FROM (SELECT seed, (SELECT sum(v ORDER BY md5(i::text || seed))
			FROM unnest(a) WITH ORDINALITY AS u (v, i)) AS s
	  FROM wild, generate_series(1, 10) AS seed WHERE id = 1) AS sums;

-- Only the result can overflow.
SELECT error_of('SELECT gpu_sum(''{1e308, 1e308}''::double precision[])');
SELECT error_of('SELECT gpu_sum(''{-1e308, NULL, -1e308}''::double precision[])');
SELECT error_of('SELECT gpu_sum(''{1.7976931348623157e308, 1e292}''::double precision[])');
SELECT error_of('SELECT gpu_sum(''{3e38, 3e38}''::real[])');
SELECT error_of('SELECT gpu_cumsum(''{NULL, 1e308, 1e308, -1e308}''::double precision[])');
SELECT error_of('SELECT gpu_cumsum(''{1e308, 1e308, -1e308}''::double precision[], true)');
SELECT gpu_cumsum('{1e308, 1e308}'::double precision[], true);
SELECT gpu_cumsum('{1e308, 1e308}'::double precision[], chunk => 1);
SELECT error_of('SELECT gpu_cumsum(''{0, 3e38, NULL, -1, 3e38}''::real[])');
SELECT gpu_cumsum('{3e38, -3e38, 3e38, 1e38}'::real[], true);
SELECT error_of($$
	SELECT gpu_cumsum(array_agg(CASE WHEN i IN (30, 40000) THEN 1e308 ELSE 1 END
								::double precision))
	FROM generate_series(1, 50000) AS i $$);

DROP TABLE known, wild, integral;
