-- Exponentially weighted means, against the same in numbers of any length.
SET extra_float_digits = 1;
SET max_parallel_workers_per_gather = 0;

-- The means to 420 decimals, of finite elements, as pandas' documentation of ewm(ignore_na=False) defines them, and what results may differ by
-- without the last rounding.  Weights decay with every position; without adjustment they are scaled to a sum of 1 at each element.
CREATE FUNCTION ewma_exact(a anyarray, alpha double precision, adjust boolean, OUT o integer, OUT mean numeric, OUT error numeric)
RETURNS SETOF record LANGUAGE plpgsql AS
$$
DECLARE
	gain numeric := CASE WHEN adjust THEN 1 ELSE exact(alpha) END;
	greatest numeric := (SELECT max(abs(exact(v))) FROM unnest(a) AS v);
	total numeric := 0;
	magnitudes numeric := 0;
	weight numeric;
	x numeric;
BEGIN
	FOR i IN 1 .. coalesce(cardinality(a), 0) LOOP
		weight := round(weight * (1 - exact(alpha)), 420);
		total := round(total * (1 - exact(alpha)), 420);
		magnitudes := round(magnitudes * (1 - exact(alpha)), 420);
		IF a[i] IS NOT NULL THEN
			x := exact(a[i]);
			IF weight IS NULL THEN
				total := x;
				magnitudes := abs(x);
				weight := 1;
			ELSE
				total := total + gain * x;
				magnitudes := magnitudes + gain * abs(x);
				weight := weight + gain;
			END IF;
			IF NOT adjust THEN
				total := round(total / weight + 0e-420, 420);
				magnitudes := round(magnitudes / weight + 0e-420, 420);
				weight := 1;
			END IF;
			mean := round((total + 0e-420) / weight, 420);
			error := (i + 10) * 7.88e-31 * magnitudes / weight + i * greatest * 1e-300;	-- 2^-100
		END IF;
		o := i;
		RETURN NEXT;
	END LOOP;
END
$$;

-- How many results there are; which are not the nearest double, nor as near to it as they must be; and how many are not the nearest.
CREATE FUNCTION ewma_errors(a anyarray, alpha double precision, adjust boolean,
	OUT results bigint, OUT not_nearest bigint, OUT wrong text) LANGUAGE sql AS
$$
	SELECT count(*), count(*) FILTER (WHERE NOT nearest),
		string_agg(o || ': ' || coalesce(got::text, 'NULL') || ', not ' || coalesce(mean::float8::text, 'NULL'), ', ' ORDER BY o)
			FILTER (WHERE NOT nearest AND (got IS NULL OR mean IS NULL OR
				abs(exact(got) - mean) > error + abs(mean) * 1.1102230246251566e-16 + 2.5e-324))
	FROM (SELECT o, got, mean, error, got IS NOT DISTINCT FROM mean::float8 AS nearest
		FROM ewma_exact(a, alpha, adjust) AS e
		FULL JOIN unnest(gpu_ewma(a, alpha, adjust)) WITH ORDINALITY AS u (got, n) ON n = o) AS r
$$;

CREATE FUNCTION ldexp_of(m integer, e integer) RETURNS double precision LANGUAGE sql AS
$$ SELECT m * (2::float8 ^ (e / 2)) * (2::float8 ^ (e - e / 2)) $$;

-- Errors in an array that an expression of i and k makes, from rows of both.
CREATE FUNCTION ewma_errors(expression text, source text, alpha double precision, adjust boolean,
	OUT results bigint, OUT not_nearest bigint, OUT wrong text) LANGUAGE plpgsql AS
$$
BEGIN
	EXECUTE format('SELECT (e).* FROM (SELECT ewma_errors(array_agg(%s ORDER BY i), $1, $2) AS e FROM %s) AS e', expression, source)
		INTO results, not_nearest, wrong USING alpha, adjust;
END
$$;

-- Every type and sample.
SELECT alpha, adjust, count(*) AS arrays, sum(results) AS results, sum(not_nearest) AS not_nearest,
	string_agg(type || ' ' || sample || ': ' || wrong, chr(10)) AS wrong
FROM (VALUES (0.1, false), (0.75, true), (1, false), (1e-9, true)) AS v (alpha, adjust), types, (SELECT DISTINCT sample FROM samples WHERE sample <> 'two thousand') AS s,
	LATERAL ewma_errors(value, format('samples WHERE sample = %L', sample), alpha, adjust) AS e
WHERE family <> 'boolean' GROUP BY alpha, adjust ORDER BY alpha;

-- Sizes around runs and tiles, and a tree of some levels.
SELECT adjust, sum(results) AS results, sum(not_nearest) AS not_nearest, string_agg(n || ': ' || wrong, chr(10)) AS wrong
FROM unnest('{1,31,32,33,63,64,65,255,256,257,511,512,513,3000}'::integer[]) AS n, unnest('{f,t}'::boolean[]) AS adjust,
	LATERAL ewma_errors('(noise(i) % 20001 - 10000) / 7.0::float8', format('generate_series(1, %s) AS i', n), 0.01, adjust) AS e
GROUP BY adjust;

-- Gaps of any length, and numbers of any magnitude: large ones before small ones, such as have few bits, and such as cancel each other out.
SELECT name, alpha, adjust, results, not_nearest, wrong
FROM (VALUES
	('gaps', '(CASE WHEN noise(i / (1 + i / 300 * 20)) % 3 = 0 THEN noise(i) % 1000 / 3.0 END)::float8', 0.02::float8),
	('long gaps', 'CASE WHEN i % 211 = 100 THEN i::bigint * 1234567890123457 END', 0.001),
	('large', '(noise(i) % 1000) * 1.7e305::float8', 0.3),
	('small', 'ldexp_of(noise(i) % 1000, -1074)', 0.3),
	('wide', 'ldexp_of(noise(i), noise(-i) % 2070 - 1074)', 0.5),
	('falling', 'ldexp_of(noise(i), 990 - i * 29 / 10)', 0.6),
	('cancelling', '(CASE WHEN i % 2 = 0 THEN 1 ELSE -1 END) * (1e15::float8 + noise(i) % 8)', 0.5),
	('halves', 'i % 54 / 53', 0.5)) AS v (name, expression, alpha),
	unnest('{f,t}'::boolean[]) AS adjust, LATERAL ewma_errors(expression, 'generate_series(1, 700) AS i', alpha, adjust) AS e
ORDER BY name, adjust;

-- What is not finite stays, unless it weighs nothing; so does what is NULL before all.
SELECT alpha, adjust, gpu_ewma('{NULL,1,Infinity,NULL,5,-Infinity,3,NULL}'::real[], alpha, adjust), gpu_ewma('{1,NaN,NULL,5}'::float8[], alpha, adjust)
FROM (VALUES (0.5, false), (0.5, true), (1, false), (1, true)) AS v (alpha, adjust);
SELECT gpu_ewma('[5:6][1:2]={{1,2},{NULL,4}}'::smallint[], 0.5) AS shape, gpu_ewma('{}'::integer[], 0.5) AS empty, gpu_ewma('{NULL,NULL}'::bigint[], 0.5) AS none,
	gpu_ewma(NULL::real[], 0.5) IS NULL AS no_array, gpu_ewma('{1}'::real[], NULL) IS NULL AS no_alpha, gpu_ewma('{1,2}'::integer[], '0.5', adjust => true) AS quoted,
	gpu_ewma('{1,5}'::float8[], 5e-324) AS least_alpha, gpu_ewma('{-0,-0}'::float8[], 0.5) AS zero,
	gpu_ewma('{9007199254740993,9007199254740993}'::bigint[], 0.5) AS rounded, gpu_ewma('{1.7976931348623157e308,1.7976931348623157e308}'::float8[], 0.3) AS greatest;

-- A result depends on nothing that comes later, and the bits are these.
SELECT count(*) FILTER (WHERE gpu_ewma(a[:k], 0.3, adjust) <> (gpu_ewma(a, 0.3, adjust))[:k]) AS different, count(*),
	max(md5(gpu_ewma(a, 0.3, adjust)::text)) FILTER (WHERE NOT adjust) AS digest, max(md5(gpu_ewma(a, 0.3, adjust)::text)) FILTER (WHERE adjust) AS adjusted
FROM (SELECT array_agg(CASE WHEN noise(-i) % 50 > 0 THEN noise(i) / 1000.0::float8 END ORDER BY i) AS a FROM generate_series(1, 20000) AS i) AS a,
	unnest('{1,2,31,33,64,255,256,257,1000,19999}'::integer[]) AS k, unnest('{f,t}'::boolean[]) AS adjust;
CREATE TABLE ewma_stored (a double precision[]);
ALTER TABLE ewma_stored ALTER a SET STORAGE EXTERNAL;
INSERT INTO ewma_stored SELECT array_agg(noise(i) / 1000.0 ORDER BY i) FROM generate_series(1, 40000) AS i;
SELECT gpu_ewma(a, 0.1) = gpu_ewma(a || '{}', 0.1) AS same FROM ewma_stored;

-- Errors.
SELECT call, error_of('SELECT ' || call)
FROM unnest(ARRAY['gpu_ewma(''{1}''::real[], 0)', 'gpu_ewma(''{1}''::real[], 1.0000001)', 'gpu_ewma(''{}''::integer[], ''NaN'')',
	'gpu_ewma(''{1}''::real[], -0.5, true)', 'gpu_ewma(''{1}''::numeric[], 0.5)', 'gpu_ewma(''{a}''::text[], 0.5)']) AS call;
