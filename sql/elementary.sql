-- Roots, exponentials, logarithms, powers and rounding of each element, against SQL's float8 and, to the last bit, numeric.
SET extra_float_digits = 1;
SET max_parallel_workers_per_gather = 0;

-- Many digits, so that numeric functions give as many.
CREATE FUNCTION long(v double precision) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$ SELECT exact(v) + ('0.' || repeat('0', 90))::numeric $$;

-- The nearest multiple of 10^-digits, of two the even one.
CREATE FUNCTION nearest_multiple(v numeric, digits integer) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS
$$
DECLARE
	q numeric := v * ('1e' || digits)::numeric;
	m numeric := floor(q);
BEGIN
	RETURN CASE WHEN q - m > 0.5 OR q - m = 0.5 AND m % 2 <> 0 THEN m + 1 ELSE m END * ('1e' || -digits)::numeric;
END
$$;

CREATE TABLE elementary_numbers AS
SELECT i, CASE i % 6 WHEN 0 THEN noise(i) / 1e5 WHEN 1 THEN (noise(i) % 20001 - 10000) / 100.0 WHEN 2 THEN noise(i) % 40 - 20
	WHEN 3 THEN noise(i) * power(2::float8, noise(-i) % 60 - 60) WHEN 4 THEN 1 + (noise(i) - 134217728) * power(2::float8, -noise(-i) % 25 - 27)
	ELSE (noise(i) % 4001 - 2000) / 8.0 END::float8 AS v
FROM generate_series(1, 3000) AS i;

-- to the last bit
SELECT count(*), sum((got = wanted)::integer) AS exp
FROM (SELECT array_agg(v ORDER BY i) AS a FROM elementary_numbers WHERE v BETWEEN -100 AND 100) AS s,
	unnest(a, gpu_exp(a)) AS u (v, got), LATERAL (SELECT exp(long(v))::float8 AS wanted) AS w;
SELECT count(*), sum((got = wanted)::integer) AS ln
FROM (SELECT array_agg(v ORDER BY i) AS a FROM elementary_numbers WHERE v > 0) AS s,
	unnest(a, gpu_ln(a)) AS u (v, got), LATERAL (SELECT ln(long(v))::float8 AS wanted) AS w;
SELECT count(*), sum((got = wanted)::integer) AS power, sum((by_value = wanted)::integer) AS by_value, sum((of_value = to_value)::integer) AS of_value
FROM (SELECT array_agg(v ORDER BY i) AS x, array_agg(y ORDER BY i) AS y FROM (SELECT i, v, (noise(i + 7) % 129 - 64) / 16.0::float8 AS y
		FROM elementary_numbers WHERE v BETWEEN 0.001 AND 1000 AND i % 3 = 0) AS s) AS s,
	unnest(x, y, gpu_power(x, y)) AS u (v, w, got),
	LATERAL (SELECT power(long(v), long(w))::float8 AS wanted, (gpu_power(ARRAY[v], w))[1] AS by_value, (gpu_power(v, ARRAY[w]))[1] AS of_value,
		(gpu_power(ARRAY[v], ARRAY[w]))[1] AS to_value) AS w;
SELECT count(*), sum((got = sqrt(v))::integer) AS sqrt
FROM (SELECT array_agg(v ORDER BY i) AS a FROM elementary_numbers WHERE v >= 0) AS s, unnest(a, gpu_sqrt(a)) AS u (v, got);

-- Rounding.
SELECT digits, count(*), sum((got::text = wanted::text)::integer) AS double, sum((real_got::text = real_wanted::text)::integer) AS real
FROM unnest('{0, 1, 2, 3, 9, 15, 22, 23, 30, 400, -1, -2, -5, -22, -23, -400}'::integer[]) AS digits,
	LATERAL (SELECT array_agg(v) AS a FROM (SELECT v FROM elementary_numbers WHERE i % 10 = 0 UNION ALL SELECT v * 1e-20 FROM elementary_numbers WHERE i % 40 = 0
		UNION ALL SELECT v * 1e20 FROM elementary_numbers WHERE i % 40 = 1 UNION ALL SELECT (noise(i) % 200 - 100) * 5 FROM generate_series(1, 40) AS i) AS v) AS s,
	unnest(a, gpu_round(a, digits), gpu_round(a::real[], digits)) AS u (v, got, real_got),
	LATERAL (SELECT CASE WHEN digits > 0 THEN least(digits, 80) ELSE greatest(digits, -60) END AS d) AS d,
	LATERAL (SELECT CASE WHEN m = 0 AND v < 0 THEN '-0' ELSE m::text::float8 END AS wanted FROM nearest_multiple(exact(v), d) AS m) AS w,
	LATERAL (SELECT CASE WHEN m = 0 AND v < 0 THEN '-0' ELSE m::text::real END AS real_wanted FROM nearest_multiple(exact(v::real::float8), d) AS m) AS x
GROUP BY digits ORDER BY digits;
SELECT sum((got = round(v))::integer) = count(*) AS as_built_in
FROM (SELECT array_agg(v) AS a FROM elementary_numbers) AS s, unnest(a, gpu_round(a)) AS u (v, got);
SELECT digits, type, result_or_error(format('SELECT gpu_round(%L::%s[], %s)', a, type, digits)) AS rounded
FROM (VALUES ('smallint', '{25,35,-15,NULL,32749,-32768,0}'), ('integer', '{25,-25,50,150,2147483600,NULL}'), ('bigint', '{50,-150,4999999999999999999,9223372036854775807}'),
		('bigint', '{-9223372036854775808}')) AS t (type, a),
	unnest('{2, 0, -1, -2, -18, -19, -20, -2147483648}'::integer[]) AS digits ORDER BY type, a, digits DESC;
SELECT gpu_round('{2.5,3.5,-0.4,0.5,-0.5,NaN,Infinity,-Infinity,NULL,4503599627370497.5,9007199254740993,-0}'::float8[]) AS double,
	gpu_round('{2.675,1.005,0.125,-0.375,1e-300,5e-324}'::float8[], 2) AS hundredths, gpu_round('{2.5,8388608.5,0.05,NaN}'::real[], 1) AS real,
	gpu_round('{5e-324,1.5e-323,2.5e-323}'::float8[], 323) AS least, gpu_round('{1.4e308,9e307,4e307}'::float8[], -308) AS greatest;
SELECT error_of('SELECT gpu_round(''{1.2e308,1.7e308}''::float8[], -308)'), error_of('SELECT gpu_round(''{3.4e38}''::real[], -38)') AS real_fits,
	error_of('SELECT gpu_round(''{NULL,32767}''::smallint[], -1)') AS smallint;

-- Special values, and errors: those of SQL's functions, where the result is one of these.  Before version 14, SQL's raise an error where an infinite
-- argument makes the result 0.
CREATE VIEW errs_at_infinity AS SELECT current_setting('server_version_num')::integer < 140000 AS errs;
SELECT count(*), sum(same::integer) AS same, string_agg(format('%s(%s): %s, not %s', f, x, got, wanted), '; ') FILTER (WHERE NOT same) AS different
FROM errs_at_infinity, unnest('{sqrt,exp,ln}'::text[]) AS f,
	unnest('{NaN,Infinity,-Infinity,0,-0,1,-1,4,-2,709.5,709.79,710,1e308,-745,-745.2,-1000,5e-324,1e-300,-1e-300,NULL}'::float8[]) AS x,
	LATERAL (SELECT result_or_error(format('SELECT (gpu_%s(ARRAY[%L::float8]))[1]', f, x)) AS got, result_or_error(format('SELECT %s(%L::float8)', f, x)) AS wanted) AS r,
	LATERAL (SELECT got IS NOT DISTINCT FROM wanted OR errs AND x = '-Infinity' AND got = '0' AND wanted ~ 'underflow' AS same) AS s
WHERE wanted IS NULL OR wanted ~ ':' OR wanted IN ('NaN', 'Infinity', '0', '-0', '1', '2');
SELECT count(*), sum(same::integer) AS same, string_agg(format('%s ^ %s: %s, not %s', x, y, got, wanted), '; ') FILTER (WHERE NOT same) AS different
FROM errs_at_infinity, unnest('{NaN,Infinity,-Infinity,0,-0,1,-1,2,-2,0.5,-0.5,3,-3,1e200,-1e200,1e-200,NULL}'::float8[]) AS x,
	unnest('{NaN,Infinity,-Infinity,0,-0,1,-1,2,-2,0.5,-0.5,3,-3,1e200,-1e200,1e-200,2000,2001,-2000,-2001,NULL}'::float8[]) AS y,
	LATERAL (SELECT result_or_error(format('SELECT (gpu_power(ARRAY[%L::float8], %L::float8))[1]', x, y)) AS got,
		result_or_error(format('SELECT power(%L::float8, %L::float8)', x, y)) AS wanted) AS r,
	LATERAL (SELECT got IS NOT DISTINCT FROM wanted OR errs AND 'Infinity' IN (abs(x), abs(y)) AND got IN ('0', '-0') AND wanted ~ 'underflow' AS same) AS s
WHERE wanted IS NULL OR wanted ~ ':' OR wanted IN ('NaN', 'Infinity', '-Infinity', '0', '-0', '1', '-1', '4', '0.25', '8', '-8', '0.125', '-0.125');
SELECT call, error_of('SELECT ' || call)
FROM unnest('{"gpu_sqrt(''{4,NULL,-1}''::int[])", "gpu_ln(''{1,0}''::real[])", "gpu_ln(''{NULL,-3}''::float8[])", "gpu_exp(''{1,NULL,710}''::float8[])", "gpu_exp(''{-746}''::float8[])",
	"gpu_power(''{2,0}''::int[], -1)", "gpu_power(''{2,-8}''::int[], 0.5)", "gpu_power(''{1,10}''::float8[], ''{1,309}'')", "gpu_power(10, ''{-324}''::float8[])",
	"gpu_power(''{1,2}''::int[], ''{1}'')", "gpu_power(''{{1,2}}''::int[], ''{1,2}'')", "gpu_sqrt(''{1}''::numeric[])",
	"gpu_power(''{1}''::numeric[], 2)", "gpu_exp(''{a}''::text[])"}'::text[]) AS call;

-- Types, shapes, NULLs; subnormal results.
SELECT gpu_sqrt('[0:1][1:2]={{4,NULL},{9,2}}'::smallint[]), gpu_exp('{}'::integer[]), gpu_ln('{1,9223372036854775807}'::bigint[]), gpu_power('{0.1}'::real[], 2) AS real,
	gpu_power('{2,NULL,3}'::bigint[], '{NULL,1,40}'), gpu_power(2, '{-1,NULL,10}'::smallint[]), gpu_power('{2,3}'::integer[], '{0.5,2}'::float8[]) AS mixed,
	gpu_round('[2:3]={1.26,NULL}'::float8[], 1), gpu_round('{1.5}'::float8[], NULL) IS NULL AND gpu_sqrt(NULL::real[]) IS NULL AND gpu_power(NULL::real[], 1) IS NULL AS "null";
SELECT gpu_exp('{-708.5,-740,-745.1}'::float8[]) AS subnormal, gpu_power('{2,-2,0.1}'::float8[], '{-1074,-1073,323}') AS powers, gpu_ln('{5e-324,1.7976931348623157e308}'::float8[]) AS ln;
SELECT gpu_sum(gpu_exp(a)) = gpu_sum(gpu_exp(a[1:35000])) + gpu_sum(gpu_exp(a[35001:])) AS long_arrays
FROM (SELECT array_agg((noise(i) % 5)::float8) AS a FROM generate_series(1, 70000) AS i) AS s;

-- A block at a time, where all are float8 and none is NULL: what a block leaves open, and faults in a later block.
SELECT k, gpu_exp(a) IS NOT DISTINCT FROM (gpu_exp(a || NULL::float8))[:n] AS exp, gpu_ln(b) IS NOT DISTINCT FROM (gpu_ln(b || NULL::float8))[:n] AS ln,
	gpu_power(b, a) IS NOT DISTINCT FROM (gpu_power(b || NULL::float8, a || NULL::float8))[:n] AS power,
	gpu_power(b, 0.5) IS NOT DISTINCT FROM (gpu_power(b || NULL::float8, 0.5))[:n] AS root,
	gpu_power(1.5, a) IS NOT DISTINCT FROM (gpu_power(1.5, a || NULL::float8))[:n] AS of_value
FROM unnest('{1, 2, 1023, 1024, 1025, 5000}'::integer[]) WITH ORDINALITY AS t (n, k),
	LATERAL (SELECT array_agg(CASE i % 50 WHEN 0 THEN 'NaN'::float8 WHEN 1 THEN 0 WHEN 2 THEN 'Infinity' WHEN 3 THEN 1e-320 ELSE noise(i) % 2001 / 100.0 - 10 END::float8 ORDER BY i) AS a,
		array_agg(CASE i % 60 WHEN 0 THEN 'NaN'::float8 WHEN 1 THEN 1 WHEN 2 THEN 'Infinity' WHEN 3 THEN 1e-3 ELSE 1 + noise(i) % 2001 / 100.0 END::float8 ORDER BY i) AS b
		FROM generate_series(1, n) AS i) AS s ORDER BY k;
SELECT error_of(format('SELECT %s FROM (SELECT array_fill(2::float8, ARRAY[1499]) || %s::float8 || array_fill(-3::float8, ARRAY[9]) AS a) AS s', call, v))
FROM (VALUES ('gpu_exp(a)', '710'), ('gpu_exp(a)', '-750'), ('gpu_ln(a)', '0'), ('gpu_ln(a)', '-1'), ('gpu_power(a, 1.5)', '1e300'),
	('gpu_power(a, 0.5)', '-1'), ('gpu_power(1e9, a)', '1e9')) AS t (call, v);

DROP TABLE elementary_numbers;
DROP VIEW errs_at_infinity;
DROP FUNCTION long, nearest_multiple;
RESET ALL;
