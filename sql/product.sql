-- Products are evaluated in double-double with exponents of their own, over a
-- tree that depends on the index alone.  That is off by less than n 2^-50 units
-- in the last place before it is rounded.
SET extra_float_digits = 1;

CREATE AGGREGATE product_of(numeric) (SFUNC = numeric_mul, STYPE = numeric);

SELECT gpu_product('{2, 3, 7}'::smallint[]), gpu_product('{2, NULL, -7}'::integer[]),
	gpu_product('{3000000000, 3}'::bigint[]), gpu_product('{0.5, 3}'::real[]),
	gpu_product('{0.1, 10}'::double precision[]);
SELECT gpu_cumprod('{2, 3, 7}'::smallint[]), gpu_cumprod('{2, NULL, -7}'::integer[]),
	gpu_cumprod('{3000000000, 3}'::bigint[]), gpu_cumprod('{0.5, 3}'::real[]),
	gpu_cumprod('{0.1, 10}'::double precision[]);

-- NULL counts as 1; a scan gives NULL until the first element that is not NULL.
SELECT gpu_cumprod(ARRAY[NULL, 3, NULL, 5]),
	gpu_cumprod(ARRAY[NULL, 3, NULL, 5], true),
	gpu_cumprod(ARRAY[NULL, 3, NULL, 5], chunk => 2),
	gpu_cumprod(ARRAY[NULL, 3, NULL, 5], true, 2),
	gpu_cumprod(ARRAY[NULL, 3, NULL, 5], heads => ARRAY[false, true, true, NULL]);
SELECT gpu_product(ARRAY[NULL, NULL]::integer[]),
	gpu_cumprod(ARRAY[NULL, NULL]::integer[]),
	gpu_cumprod(ARRAY[NULL, NULL]::integer[], true);

-- Only the result can overflow or underflow.
SELECT gpu_product('{1e300, 1e300, 1e-300}'::double precision[]) AS up,
	gpu_product('{1e-300, 1e-300, 1e300}'::double precision[]) AS down,
	gpu_product('{1e-200, 1e-200}'::double precision[]) AS underflow,
	gpu_product('{1e-200, -1e-200}'::double precision[]) AS negative_underflow,
	gpu_product('{1e-160, 1e-160}'::double precision[]) AS subnormal,
	gpu_product('{5e-324, 5e-324, 1e308, 1e308, 1e308}'::double precision[])
		AS from_subnormal;
SELECT error_of('SELECT gpu_product(''{1e300, 1e300}''::double precision[])');
SELECT error_of('SELECT gpu_product(''{1e300, -1e300}''::double precision[])');
SELECT error_of('SELECT gpu_cumprod(''{1e300, NULL, 1e300, 1e-300}''::double precision[])');
SELECT gpu_cumprod('{1e300, 1e300}'::double precision[], true);
SELECT gpu_cumprod('{1e300, 1e300}'::double precision[], chunk => 1);
SELECT gpu_cumprod('{1e-300, 1e-300, 1e300, 1e300}'::double precision[]);

-- Zeros, infinities and NaN.
SELECT gpu_product('{0, 1e300, 1e300}'::double precision[]) AS zero,
	gpu_product('{-1, 0}'::double precision[]) AS negative_zero,
	gpu_product('{-0, -0}'::double precision[]) AS two_negative_zeros,
	gpu_product('{0, Infinity}'::double precision[]) AS nan,
	gpu_product('{Infinity, -1}'::double precision[]) AS infinity,
	gpu_product('{1, NaN}'::double precision[]) AS also_nan,
	gpu_product('{0, 5}'::integer[]) AS integer_zero,
	gpu_product('{-5, 0}'::integer[]) AS integer_negative_zero;
SELECT gpu_cumprod('{2, Infinity, -1, 0, 1}'::double precision[]),
	gpu_cumprod('{-2, 0, -1, NaN, 1}'::real[]);

-- The ends of bigint: 2^126 less 2^63, rounded; the square of -2^63.
SELECT gpu_product('{9223372036854775807, 9223372036854775807}'::bigint[])
		= 2::double precision ^ 126 AS max,
	gpu_product('{-9223372036854775808, -9223372036854775808}'::bigint[])
		= 2::double precision ^ 126 AS min,
	gpu_product('{9007199254740993}'::bigint[]) AS rounded,
	gpu_product('{9007199254740993, 9007199254740993}'::bigint[])
		= (9007199254740993::numeric * 9007199254740993)::double precision AS rounded_once;

-- Factorials against numeric: the double-double is good for the rounded one.
SELECT type, count(*), count(*) FILTER (
	WHERE scanned[n] IS DISTINCT FROM exact[n]) AS different
FROM (
	SELECT 'smallint' AS type, gpu_cumprod(array_agg(n::smallint ORDER BY n)) AS scanned
	FROM generate_series(1, 170) AS n
	UNION ALL
	SELECT 'integer', gpu_cumprod(array_agg(n ORDER BY n))
	FROM generate_series(1, 170) AS n
	UNION ALL
	SELECT 'bigint', gpu_cumprod(array_agg(n::bigint ORDER BY n))
	FROM generate_series(1, 170) AS n
	UNION ALL
	SELECT 'real', gpu_cumprod(array_agg(n::real ORDER BY n))
	FROM generate_series(1, 170) AS n
	UNION ALL
	SELECT 'double precision', gpu_cumprod(array_agg(n::double precision ORDER BY n))
	FROM generate_series(1, 170) AS n) AS scans,
	(SELECT array_agg(f::double precision ORDER BY n) AS exact
	 FROM (SELECT n, product_of(n) OVER (ORDER BY n) AS f
		   FROM generate_series(1, 170) AS n) AS factorials) AS f,
	generate_series(1, 170) AS n
GROUP BY type ORDER BY type;
SELECT error_of('SELECT gpu_product(array_agg(n)) FROM generate_series(1, 171) AS n');
SELECT error_of('SELECT gpu_cumprod(array_agg(n)) FROM generate_series(1, 200) AS n');

-- Powers of two: exact at any length.  Factors 1/2, 1 and 2, either sign,
-- with NULLs; against sums of the logarithms.
CREATE TABLE powers AS
SELECT i, CASE WHEN n % 6 > 0 THEN n / 6 % 3 - 1 END AS e,
	CASE WHEN n % 6 > 0 THEN n / 18 % 2 END AS minus, n / 36 % 40 = 0 AS head
FROM (SELECT i, noise(i) AS n FROM generate_series(1, 66000) AS i) AS s;
CREATE TABLE powers_expected AS
SELECT variant,
	array_agg((1 - 2 * minus) * 2::double precision ^ e ORDER BY i) AS a,
	array_agg(head ORDER BY i) AS heads,
	array_agg((1 - 2 * (minuses % 2)) * 2::double precision ^ es ORDER BY i)
		AS answer
FROM (
	SELECT 'plain' AS variant, i, e, minus, head, sum(e) OVER w AS es,
		sum(minus) OVER w AS minuses
	FROM powers WINDOW w AS (ORDER BY i)
	UNION ALL
	SELECT 'exclusive', i, e, minus, head, coalesce(sum(e) OVER w, 0),
		coalesce(sum(minus) OVER w, 0)
	FROM powers WINDOW w AS (ORDER BY i ROWS BETWEEN UNBOUNDED PRECEDING
		AND 1 PRECEDING)
	UNION ALL
	SELECT 'chunk', i, e, minus, head, sum(e) OVER w, sum(minus) OVER w
	FROM powers WINDOW w AS (PARTITION BY (i - 1) / 1000 ORDER BY i)
	UNION ALL
	SELECT 'heads', i, e, minus, head, coalesce(sum(e) OVER w, 0),
		coalesce(sum(minus) OVER w, 0)
	FROM (SELECT *, count(*) FILTER (WHERE head) OVER (ORDER BY i) AS run
		  FROM powers) AS p
	WINDOW w AS (PARTITION BY run ORDER BY i ROWS BETWEEN UNBOUNDED PRECEDING
		AND 1 PRECEDING)) AS p
GROUP BY variant;

SELECT n,
	(SELECT gpu_cumprod(a[1:n]) IS NOT DISTINCT FROM answer[1:n]
	 FROM powers_expected WHERE variant = 'plain') AS plain,
	(SELECT gpu_product(a[1:n]) IS NOT DISTINCT FROM answer[n]
	 FROM powers_expected WHERE variant = 'plain') AS product,
	(SELECT gpu_cumprod(a[1:n], true) IS NOT DISTINCT FROM answer[1:n]
	 FROM powers_expected WHERE variant = 'exclusive') AS exclusive,
	(SELECT gpu_cumprod(a[1:n], chunk => 1000) IS NOT DISTINCT FROM answer[1:n]
	 FROM powers_expected WHERE variant = 'chunk') AS chunk,
	(SELECT gpu_cumprod(a[1:n], true, heads => heads[1:n])
		IS NOT DISTINCT FROM answer[1:n]
	 FROM powers_expected WHERE variant = 'heads') AS heads
FROM unnest('{1, 2, 63, 64, 65, 1023, 1024, 1025, 2047, 2048, 2049, 4096, 4097,
	8191, 8193, 16384, 16385, 32767, 32768, 32769, 65535, 65536, 65537, 66000}'
	::integer[]) AS n;

-- Each prefix product is the product of the elements so far, bit by bit; an
-- exclusive one, of those before.  Factors about 1, where the bits matter.
SELECT type, count(*) AS prefixes, count(*) FILTER (
	WHERE float8send(c[n]) IS DISTINCT FROM float8send(p)) AS different,
	count(*) FILTER (WHERE float8send(x[n + 1])
		IS DISTINCT FROM float8send(coalesce(p, 1))) AS exclusive_different
FROM (
	SELECT type, n, c, x, CASE type
		WHEN 'real' THEN gpu_product(r[1:n]) ELSE gpu_product(d[1:n]) END AS p
	FROM (SELECT array_agg(v ORDER BY i) AS d, array_agg(v::real ORDER BY i) AS r
		  FROM (SELECT i, CASE WHEN noise(-i) % 6 > 0 AND i > 5 THEN
					noise(i) / 134217728::double precision + 0.02 END AS v
				FROM generate_series(1, 1500) AS i) AS factors OFFSET 0) AS s,
		LATERAL (SELECT 'real' AS type, gpu_cumprod(r) AS c,
					gpu_cumprod(r || 1::real, true) AS x
				 UNION ALL
				 SELECT 'double precision', gpu_cumprod(d),
					gpu_cumprod(d || 1::double precision, true) OFFSET 0) AS t,
		generate_series(1, 1500) AS n) AS prefixes
GROUP BY type ORDER BY type;

-- Against numeric: 60 factors, each exact in it.
SELECT gpu_product(array_agg(v)) = product_of(v::numeric)::double precision
	AS correctly_rounded
FROM (SELECT (1 + noise(i) % 1024 / 1024.0)::double precision AS v
	  FROM generate_series(1, 60) AS i) AS factors;

-- The one way to miss the nearest double: a true value that is nearer than
-- that to halfway between two.  Then it is one of the two, the same everywhere.
SELECT gpu_product(a), gpu_cumprod(a), rounded,
	abs(exact(gpu_product(a)) - value) / exact(2::double precision ^ 160)
		< 0.5 + 4 / exact(2::double precision ^ 50) AS within
FROM (SELECT a, product_of(exact(d))::double precision AS rounded, product_of(exact(d)) AS value
	FROM (VALUES ('{9007199254740991,9007199254740994,-9007199254740994,9007199254740992}'::double precision[])) AS t (a),
		unnest(a) AS d
	GROUP BY a) AS p;

DROP TABLE powers, powers_expected;
