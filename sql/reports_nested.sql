-- Reports over reports: subqueries whose groups stay in the service, as stages of
-- the report around them.
LOAD 'gpuscan';
SET gpuscan.engine = auto;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
SET seq_page_cost = 1000000;	-- small tables, too, are worth a report
SET jit = off;
SET timezone = 'UTC';
SET extra_float_digits = 1;

CREATE TABLE nested (id int, sensor int4, owner text, kind "char", day date, at timestamptz, v int4, big int8, n numeric(12, 2), f float8, r float4, b bool);
INSERT INTO nested SELECT i, CASE WHEN i % 37 > 0 THEN i % 200 END, CASE WHEN i % 41 > 0 THEN 'owner ' || i % 30 END, chr(97 + i % 5)::"char",
	date '2026-01-01' + i % 400, timestamptz '2026-01-01' + i * interval '37 minutes', CASE WHEN i % 11 > 0 THEN (i * 7919) % 10007 - 3000 END,
	(i::int8 * 7919) % 10007 * 1000000007, ((i * 31) % 1000) / 100.0, i % 64 * 0.25, i % 32 * 0.5, i % 3 = 0
	FROM generate_series(1, 30000) AS i;
VACUUM ANALYZE nested;

-- Stages of the report that a plan begins with, as far as its version's joins let it.
CREATE FUNCTION stages(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	PERFORM set_config('gpuscan.reports', 'exact', false);
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	plan := jsonb_path_query_first(plan, '$.** ? (@."Custom Plan Provider" == "GpuscanReport")');
	RETURN coalesce(jsonb_array_length(plan->'Stages')::text, CASE WHEN plan IS NULL THEN 'none' ELSE '1' END);
END
$$;

-- How it was made, and whether the answer is the ordinary plan's.
CREATE FUNCTION nested(queries text[]) RETURNS TABLE (stages text, made text, same bool, query text) LANGUAGE sql AS $$
	SELECT stages(q), made_by(q), answer(q, 'exact') IS NOT DISTINCT FROM answer(q, 'off'), q FROM unnest(queries) AS q
$$;

EXPLAIN (COSTS OFF, VERBOSE) SELECT count(s), avg(s) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor HAVING count(*) > 2) AS q WHERE s > 10;

-- Aggregates of aggregates.
SELECT * FROM nested(ARRAY[
	'SELECT count(*) FROM (SELECT sensor FROM nested GROUP BY sensor) AS q',
	'SELECT count(s), count(*), sum(s), avg(s), min(s), max(s) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor) AS q',
	'SELECT b, min(owner), max(owner) FROM (SELECT b, owner, sum(v) AS s FROM nested GROUP BY b, owner) AS q GROUP BY b',
	'SELECT count(*), sum(s) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor) AS q WHERE s > 10',
	'SELECT sum(s), avg(s), min(s), max(s), variance(s) FROM (SELECT sensor, sum(big) AS s FROM nested GROUP BY sensor) AS q',
	'SELECT sum(s), avg(s), min(s), max(s) FROM (SELECT day, sum(n) AS s FROM nested GROUP BY day) AS q',
	'SELECT sum(s * 2), avg(s + 1), max(s - 0.5) FROM (SELECT day, sum(n) AS s FROM nested GROUP BY day) AS q',
	'SELECT gpu_sum(s), gpu_avg(s), gpu_stddev(s) FROM (SELECT sensor, gpu_sum(f) AS s FROM nested GROUP BY sensor) AS q',
	'SELECT gpu_sum(s), gpu_max(s), gpu_min(s) FROM (SELECT sensor, gpu_avg(f) AS s FROM nested GROUP BY sensor) AS q',
	'SELECT gpu_sum(s), gpu_count_distinct(s) FROM (SELECT sensor, gpu_stddev_pop(f) AS s FROM nested GROUP BY sensor) AS q',
	'SELECT gpu_sum(s) FROM (SELECT sensor, gpu_sum(r) AS s FROM nested GROUP BY sensor) AS q',
	'SELECT gpu_avg(c), gpu_min(s), gpu_max(i), gpu_sum(r2) FROM (SELECT sensor, gpu_corr(f, v) AS c, gpu_regr_slope(f, v) AS s, gpu_regr_intercept(f, v) AS i, gpu_regr_r2(f, v) AS r2 FROM (SELECT sensor, f, v::float8 AS v FROM nested) AS n GROUP BY sensor) AS q',
	'SELECT gpu_avg(p), gpu_min(s), gpu_max(w), count(n) FROM (SELECT day, gpu_covar_pop(r, r * 3 - 1) AS p, gpu_covar_samp(f, f + 1) AS s, gpu_weighted_avg(f, f + 1) AS w, gpu_covar_samp(f, f) FILTER (WHERE v > 6900) AS n FROM nested GROUP BY day) AS q',
	'SELECT gpu_sum(m), gpu_max(p), count(o) FROM (SELECT sensor, gpu_median(v) AS m, gpu_percentile_cont(f, 0.9) AS p, gpu_percentile_cont(v, 0.25) FILTER (WHERE b AND v > 6900) AS o FROM nested GROUP BY sensor) AS q',
	'SELECT sum(m), max(p), min(d), max(n) FROM (SELECT sensor, percentile_disc(0.5) WITHIN GROUP (ORDER BY v) AS m, percentile_disc(0.9) WITHIN GROUP (ORDER BY big) AS p, percentile_disc(0.1) WITHIN GROUP (ORDER BY day) AS d, percentile_disc(0.7) WITHIN GROUP (ORDER BY n) AS n FROM nested GROUP BY sensor) AS q',
	'SELECT max(a), min(b), count(c), max(d), max(e) FROM (SELECT sensor, max(f) AS a, min(r) AS b, max(day) AS c, min(at) AS d, max(v) AS e FROM nested WHERE f > 1 AND r > 1 GROUP BY sensor) AS q',
	'SELECT b, e, count(*) FROM (SELECT sensor, bool_or(v > 6900) AS b, bit_or(v) AS e FROM nested GROUP BY sensor) AS q GROUP BY b, e',
	'SELECT sum(c), max(d) FROM (SELECT sensor, count(v) FILTER (WHERE b) AS c, count(DISTINCT day) AS d FROM nested GROUP BY sensor) AS q',
	'SELECT c, count(*) FROM (SELECT owner, count(*) AS c FROM nested GROUP BY owner) AS q GROUP BY c ORDER BY c',
	'SELECT DISTINCT c FROM (SELECT owner, count(*) AS c FROM nested GROUP BY owner) AS q']);

-- Averages of integers and numeric: compared with numbers, counted, shown.
SELECT * FROM nested(ARRAY[
	'SELECT count(*), count(a), sum(s) FROM (SELECT sensor, avg(v) AS a, sum(v) AS s FROM nested GROUP BY sensor) AS q WHERE a > 2000',
	'SELECT a > 1990.5, a <= 2010.25, a = 2000, a <> 1999.123, count(*) FROM (SELECT sensor, avg(v) AS a FROM nested GROUP BY sensor) AS q GROUP BY 1, 2, 3, 4',
	'SELECT count(*) FILTER (WHERE a BETWEEN 1900 AND 2100), sum(CASE WHEN a < 2000 THEN 1 ELSE 3 END), count(*) FILTER (WHERE 2000 < a) FROM (SELECT day, avg(v) AS a FROM nested GROUP BY day) AS q',
	'SELECT count(*), sum(c) FROM (SELECT sensor, count(*) AS c FROM nested GROUP BY sensor HAVING avg(v) > 2000) AS q',
	'SELECT count(*), count(a), min(day) FROM (SELECT day, avg(n) AS a FROM nested GROUP BY day) AS q WHERE a >= 4.95',
	'SELECT a = 5, a < 5, a > 4.999, a <= 4.9999999999999, count(*) FROM (SELECT n, avg(n) AS a FROM nested GROUP BY n) AS q GROUP BY 1, 2, 3, 4',
	'SELECT count(*), count(a) FROM (SELECT day, avg(v) FILTER (WHERE v > 6900) AS a FROM nested GROUP BY day) AS q WHERE a IS NULL OR a > 6950',
	'SELECT count(*) FROM (SELECT sensor, avg(v) AS a FROM nested GROUP BY sensor) AS q WHERE a > (SELECT avg(v) FROM nested)',
	'SELECT count(*) FROM (SELECT sensor, avg(v) AS a FROM nested GROUP BY sensor) AS q WHERE a <> (SELECT avg(v) FROM nested) AND NOT a = 3500.12345678',
	'SELECT count(*) FROM (SELECT sensor, avg(v) AS a FROM nested GROUP BY sensor) AS q WHERE a > NULL OR a < ''NaN''',
	'SELECT count(*) FROM (SELECT kind, avg(big) AS a FROM nested GROUP BY kind) AS q WHERE a > 5001000000000',
	'SELECT count(*) FROM (SELECT avg(v) OVER (PARTITION BY sensor) AS a FROM nested) AS q WHERE a > 2000',
	'SELECT id, a FROM (SELECT id, avg(v) AS a FROM nested GROUP BY id) AS q WHERE a > 6990']);

-- A mean that is 1/3 is no decimal number: near it, the ordinary plan decides; and
-- where the mean has no decimal places.
CREATE TABLE nested_thirds (g int, v int8, n numeric(6, 3));
INSERT INTO nested_thirds SELECT i / 3, CASE WHEN i % 3 = 0 THEN 1 ELSE 0 END + i / 3 % 5, (i % 3 + 1) / 4.0 FROM generate_series(0, 29999) AS i;
INSERT INTO nested_thirds SELECT 20000, 1000000000000000000 + i / 3, 0 FROM generate_series(1, 3) AS i;
VACUUM ANALYZE nested_thirds;
SELECT * FROM nested(ARRAY[
	'SELECT a > 0.3333, a < 0.3334, count(*) FROM (SELECT g, avg(v) AS a FROM nested_thirds WHERE g < 20000 GROUP BY g) AS q GROUP BY 1, 2',
	'SELECT a > 1.33333333333, a <= 2.66666666667, a = 1.111111111111, count(*) FROM (SELECT g, avg(v) AS a FROM nested_thirds WHERE g < 20000 GROUP BY g) AS q GROUP BY 1, 2, 3',
	'SELECT count(*) FROM (SELECT g, avg(v) AS a FROM nested_thirds WHERE g < 20000 GROUP BY g) AS q WHERE a = 1.3333333333333333',
	'SELECT count(*) FROM (SELECT g, avg(v) AS a FROM nested_thirds WHERE g < 20000 GROUP BY g) AS q WHERE a <= 0.33333333333333333333',
	'SELECT count(*) FROM (SELECT g, avg(v) AS a FROM nested_thirds WHERE g < 20000 GROUP BY g) AS q WHERE a <= 0.25000000000000000001',
	'SELECT count(*), sum(g) FROM (SELECT g, avg(n) AS a FROM nested_thirds WHERE g < 20000 GROUP BY g) AS q WHERE a = 0.5',
	'SELECT count(*) FROM (SELECT g, avg(v) AS a FROM nested_thirds GROUP BY g) AS q WHERE a > 1000000000000000000',
	'SELECT count(*), max(c) FROM (SELECT g, count(*) AS c FROM nested_thirds WHERE g < 20000 GROUP BY g HAVING avg(v) > 3 + 1 / 3) AS q']);
SET gpuscan.reports = exact;
EXPLAIN (COSTS OFF, VERBOSE) SELECT max(a) FROM (SELECT g, avg(v) AS a FROM nested_thirds GROUP BY g) AS q;

-- Keys of groups, as keys, arguments and in conditions; HAVING; expressions.
SELECT * FROM nested(ARRAY[
	'SELECT sensor % 7, count(*), sum(s) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor) AS q GROUP BY 1',
	'SELECT owner, count(*), sum(c), count(DISTINCT sensor) FROM (SELECT owner, sensor, count(*) AS c FROM nested GROUP BY owner, sensor) AS q GROUP BY owner',
	'SELECT count(*), sum(c), min(owner), max(owner) FROM (SELECT owner, sensor, count(*) AS c FROM nested GROUP BY owner, sensor) AS q WHERE owner IN (''owner 3'', ''owner 5'', ''nobody'')',
	'SELECT upper(owner), owner LIKE ''%1%'', count(*) FROM (SELECT owner, sensor FROM nested GROUP BY owner, sensor) AS q GROUP BY 1, 2',
	'SELECT kind, count(DISTINCT owner), sum(c) FROM (SELECT kind, owner, count(*) AS c FROM nested GROUP BY kind, owner) AS q GROUP BY kind',
	'SELECT count(*) FROM (SELECT DISTINCT owner, kind FROM nested) AS q',
	'SELECT kind, count(*) FROM (SELECT DISTINCT owner, kind FROM nested WHERE v > 100) AS q WHERE owner IS NOT NULL GROUP BY kind',
	'SELECT date_trunc(''month'', day), extract(dow FROM day), count(*), sum(s) FROM (SELECT day, sum(v) AS s FROM nested GROUP BY day) AS q GROUP BY 1, 2',
	'SELECT date_trunc(''week'', d), avg(c) FROM (SELECT date_trunc(''day'', at) AS d, count(*) AS c FROM nested GROUP BY 1) AS q GROUP BY 1',
	'SELECT sum(x), count(*) FROM (SELECT sensor, sum(v) * 2 + count(*) AS x FROM nested GROUP BY sensor HAVING sum(v) > 0 AND count(v) < 140) AS q WHERE x % 2 = 1',
	'SELECT CASE WHEN s < 0 THEN ''less'' WHEN s > 300000 THEN ''more'' END, count(*) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor) AS q GROUP BY 1',
	'SELECT n, count(*) FROM (SELECT n, sensor FROM nested GROUP BY n, sensor) AS q WHERE n > 9.5 GROUP BY n',
	'SELECT b, coalesce(s, 0), count(*) FROM (SELECT b, kind, sum(v) AS s FROM nested WHERE v < -2990 GROUP BY b, kind) AS q GROUP BY 1, 2',
	'SELECT count(*) FROM (SELECT sensor + 1 AS x, sum(v) AS s FROM nested GROUP BY sensor + 1) AS q WHERE x < 50 AND s > 5',
	'SELECT count(*) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor ORDER BY s) AS q',
	'WITH q AS (SELECT day, sum(n) AS s FROM nested GROUP BY day) SELECT avg(s) FROM q WHERE day >= ''2026-06-01''']);

-- Numbers of a scale that only rows tell; types that have codes.
CREATE TYPE nested_enum AS ENUM ('low', 'high', 'none');
CREATE TABLE nested_types (g int, n numeric, c char(5), w varchar(9), e nested_enum, u uuid, t time, s timestamp);
INSERT INTO nested_types SELECT i % 500, i % 77 * 0.125, 'c' || i % 9, 'w' || i % 7, (ARRAY['low', 'high', 'none']::nested_enum[])[1 + i % 3],
	('00000000-0000-0000-0000-0000000000' || 10 + i % 20)::uuid, time '00:00' + i % 50 * interval '11 minutes', timestamp '2026-01-01' + i % 300 * interval '1 hour'
	FROM generate_series(1, 20000) AS i;
VACUUM ANALYZE nested_types;
SELECT * FROM nested(ARRAY[
	'SELECT sum(x), avg(x), max(x) FROM (SELECT g, sum(n) AS x FROM nested_types GROUP BY g) AS q',
	'SELECT n, count(*), sum(x + 0.5) FROM (SELECT g % 3 AS g, n, sum(n) AS x FROM nested_types GROUP BY 1, n) AS q GROUP BY n',
	'SELECT c, e, count(*) FROM (SELECT c, e, g FROM nested_types GROUP BY c, e, g) AS q WHERE c <> ''c3'' GROUP BY c, e',
	'SELECT min(e), max(e), min(w), max(w), count(DISTINCT u) FROM (SELECT e, w, u FROM nested_types GROUP BY e, w, u) AS q WHERE e > ''low''',
	'SELECT u, max(x) FROM (SELECT u, t, max(s) AS x FROM nested_types GROUP BY u, t) AS q GROUP BY u',
	'SELECT length(c), lower(w), count(*) FROM (SELECT DISTINCT c, w, e FROM nested_types) AS q GROUP BY 1, 2',
	'SELECT max(x), min(y), count(*) FROM (SELECT g, max(t) AS x, min(s) AS y FROM nested_types GROUP BY g) AS q']);

-- Several levels; no rows; no keys; as many groups as rows.
SELECT * FROM nested(ARRAY[
	'SELECT sum(x), count(*) FROM (SELECT kind, max(y) AS x FROM (SELECT kind, sensor, sum(v) AS y FROM nested GROUP BY kind, sensor) AS a GROUP BY kind) AS b',
	'SELECT c, count(*) FROM (SELECT d, count(*) AS c FROM (SELECT owner, count(*) AS d FROM (SELECT owner, sensor FROM nested GROUP BY 1, 2) AS a GROUP BY owner) AS b GROUP BY d) AS e GROUP BY c',
	'SELECT count(*), sum(x) FROM (SELECT sum(v) AS x FROM nested) AS a',
	'SELECT count(*), sum(x), sum(c) FROM (SELECT sum(v) AS x, count(*) AS c FROM nested WHERE sensor < 0) AS a',
	'SELECT count(*), sum(x) FROM (SELECT sensor, sum(v) AS x FROM nested WHERE sensor < 0 GROUP BY sensor) AS a',
	'SELECT x, count(*) FROM (SELECT sensor, sum(v) AS x FROM nested WHERE sensor < 0 GROUP BY sensor) AS a GROUP BY x',
	'SELECT count(*), sum(s), max(id) FROM (SELECT id, sum(v) AS s FROM nested GROUP BY id) AS q',
	'SELECT id % 10, sum(s) FROM (SELECT id, sum(n) AS s FROM nested GROUP BY id) AS q GROUP BY 1']);

-- Errors are the ordinary plan's: of a sum that is too large, of expressions.  A sum that only
-- numeric can hold is no error.
SELECT * FROM nested(ARRAY[
	'SELECT sum(s) FROM (SELECT kind, sum(big * 900000) AS s FROM nested GROUP BY kind) AS q',
	'SELECT sum(1 / (s - s)) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor) AS q',
	'SELECT sum(1 / s) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor HAVING sum(v) <> 0) AS q',
	'SELECT count(*) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor HAVING 1 / (count(*) - count(*)) > 0) AS q']);
SELECT answer(q, 'exact') FROM (VALUES ('SELECT sum(1 / (s - s)) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor) AS q')) AS v (q);

-- Of -0 and 0 the ordinary plan gives the one that comes first.
CREATE TABLE nested_zeros (g int, x float8);
INSERT INTO nested_zeros SELECT i % 10, CASE i % 20 WHEN 3 THEN '-0'::float8 WHEN 13 THEN 0 ELSE i % 20 END FROM generate_series(1, 20000) AS i;
VACUUM ANALYZE nested_zeros;
SELECT * FROM nested(ARRAY[
	'SELECT min(m) FROM (SELECT g, min(x) AS m FROM nested_zeros GROUP BY g) AS q',
	'SELECT count(m) FROM (SELECT g, min(x) AS m FROM nested_zeros WHERE g <> 3 GROUP BY g) AS q',
	'SELECT x, count(*) FROM (SELECT x, g FROM nested_zeros GROUP BY x, g) AS q GROUP BY x',
	'SELECT x, count(*) FROM (SELECT x, g FROM nested_zeros WHERE g <> 3 GROUP BY x, g) AS q GROUP BY x']);

-- What is no stage, and the subquery's own report then.
SELECT * FROM nested(ARRAY[
	'SELECT sum(a) FROM (SELECT sensor, avg(v) AS a FROM nested GROUP BY sensor) AS q',
	'SELECT max(a) FROM (SELECT sensor, avg(n) AS a FROM nested GROUP BY sensor) AS q',
	'SELECT a, count(*) FROM (SELECT sensor, avg(v) AS a FROM nested GROUP BY sensor) AS q GROUP BY a',
	'SELECT count(*) FROM (SELECT sensor, avg(v) AS a, max(v) AS m FROM nested GROUP BY sensor) AS q WHERE a > m - 100',
	'SELECT count(m) FROM (SELECT sensor, max(owner) AS m FROM nested GROUP BY sensor) AS q',
	'SELECT count(*) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor LIMIT 10) AS q',
	'SELECT sensor, sum(s) FROM (SELECT sensor, day, sum(v) AS s FROM nested GROUP BY sensor, day) AS q GROUP BY ROLLUP (sensor)',
	'WITH q AS MATERIALIZED (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor) SELECT sum(s) FROM q',
	'SELECT count(*) FROM (SELECT sensor, rank() OVER (ORDER BY sum(v)) AS k FROM nested GROUP BY sensor) AS q WHERE k > 2',
	'SELECT count(*) FROM (SELECT sensor, sum(v) AS s FROM nested WHERE v > (SELECT avg(v) FROM nested) GROUP BY sensor) AS q',
	'SELECT count(a.s) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor) AS a JOIN (SELECT sensor, sum(n) AS s FROM nested GROUP BY sensor) AS b USING (sensor)']);

-- Subqueries with joins, and texts that are computed.
CREATE TABLE nested_owner (owner text PRIMARY KEY, city varchar(20), country char(2), rate numeric(6, 3));
INSERT INTO nested_owner SELECT 'owner ' || i, 'city ' || i % 9, (ARRAY['DE', 'FR', 'US'])[1 + i % 3], i * 1.125 FROM generate_series(0, 25) AS i;
VACUUM ANALYZE nested_owner;
SELECT * FROM nested(ARRAY[
	'SELECT city, sum(s), count(*), max(c) FROM (SELECT city, sensor, sum(v) AS s, count(*) AS c FROM nested JOIN nested_owner USING (owner) GROUP BY city, sensor) AS q GROUP BY city',
	'SELECT count(*), sum(s) FROM (SELECT city, sensor, sum(v * rate) AS s FROM nested LEFT JOIN nested_owner USING (owner) GROUP BY city, sensor) AS q WHERE city IS NULL OR city = ''city 3''',
	'SELECT city LIKE ''%5'', min(city), max(city), count(DISTINCT city) FROM (SELECT city, sensor FROM nested JOIN nested_owner USING (owner) GROUP BY city, sensor) AS q WHERE city <> ''city 1'' GROUP BY 1',
	'SELECT country, count(*) FROM (SELECT country, sensor FROM nested JOIN nested_owner USING (owner) GROUP BY country, sensor) AS q GROUP BY country',
	'SELECT sum(s) FROM (SELECT sensor, sum(v) AS s FROM nested WHERE owner IN (SELECT owner FROM nested_owner WHERE rate > 7) GROUP BY sensor) AS q WHERE s > 100',
	'SELECT x, (SELECT sum(s) FROM (SELECT sensor, sum(v) AS s FROM nested JOIN (SELECT owner FROM nested_owner WHERE rate > x) AS o USING (owner) GROUP BY sensor) AS q WHERE s > x) FROM generate_series(0, 12, 4) AS x',
	'SELECT u, count(*), min(u) FROM (SELECT upper(owner) AS u, sensor FROM nested GROUP BY 1, 2) AS q WHERE u IN (''OWNER 3'', ''OWNER 4'', ''none'') GROUP BY u',
	'SELECT c, count(*) FROM (SELECT CASE WHEN v > 100 THEN ''high'' WHEN b THEN owner END AS c, sensor FROM nested GROUP BY 1, 2) AS q WHERE c <> ''owner 2'' GROUP BY c']);

-- HAVING with subqueries, of each group and once; conditions without columns.
SELECT * FROM nested(ARRAY[
	'SELECT kind, sum(v) FROM nested GROUP BY kind HAVING kind IN (SELECT chr(x)::"char" FROM generate_series(96, 98) AS x)',
	'SELECT owner, count(*) FROM nested GROUP BY owner HAVING owner NOT IN (SELECT owner FROM nested_owner WHERE rate > 3)',
	'SELECT owner, count(*) FROM nested GROUP BY owner HAVING owner NOT IN (SELECT owner FROM nested_owner UNION SELECT NULL)',
	'SELECT sensor, sum(v) FROM nested GROUP BY sensor HAVING sum(v) > ANY (SELECT 40000 * rate FROM nested_owner WHERE rate > 9) AND sum(v) < ALL (SELECT 30000 * rate FROM nested_owner WHERE rate > 15)',
	'SELECT sensor, sum(v) FROM nested GROUP BY sensor HAVING EXISTS (SELECT FROM nested_owner WHERE rate > 28) AND sensor < 5',
	'SELECT sensor, sum(v) FROM nested GROUP BY sensor HAVING NOT EXISTS (SELECT FROM nested_owner WHERE rate > 28) OR count(*) < (SELECT max(rate) * 5.1 FROM nested_owner)',
	'SELECT owner, sum(n) FROM nested GROUP BY owner HAVING EXISTS (SELECT FROM nested_owner AS o WHERE o.owner = nested.owner AND o.rate > 20)',
	'SELECT owner, sum(n) FROM nested GROUP BY owner HAVING sum(n) > (SELECT rate * 200 FROM nested_owner AS o WHERE o.owner = nested.owner)',
	'SELECT owner, max(v) FROM nested GROUP BY owner HAVING (SELECT count(*) FROM nested_owner WHERE rate < max(nested.v) % 30) > 12',
	'SELECT sensor % 9, b, count(*) FROM nested GROUP BY 1, 2 HAVING (''city '' || sensor % 9, b) IN (SELECT city, rate > 9 FROM nested_owner)',
	'SELECT city, count(*), sum(v) FROM nested JOIN nested_owner USING (owner) GROUP BY city HAVING count(*) IN (SELECT 970 * x FROM generate_series(1, 9) AS x) OR sum(v) > (SELECT 6000000)',
	'SELECT c, count(*) FROM (SELECT owner, count(*) AS c FROM nested GROUP BY owner) AS q GROUP BY c HAVING c IN (SELECT count(*) FROM nested GROUP BY owner HAVING max(n) > 9) ORDER BY c',
	'SELECT x, (SELECT sum(v) FROM nested WHERE sensor > x HAVING count(*) > (SELECT count(*) FROM nested WHERE sensor < x)) FROM generate_series(0, 200, 50) AS x',
	'SELECT sum(v) FROM nested WHERE id < 0 HAVING count(*) IN (SELECT 1 / x FROM generate_series(0, 1) AS x)',
	'SELECT kind FROM nested WHERE id < 0 GROUP BY kind HAVING count(*) IN (SELECT 1 / x FROM generate_series(0, 1) AS x)',
	'SELECT country, max(city) FROM nested_owner LEFT JOIN nested USING (owner) GROUP BY nested_owner.owner HAVING count(v) IN (SELECT 980 * x FROM generate_series(0, 1) AS x)',
	'SELECT count(*), sum(s) FROM (SELECT owner, sum(v) AS s FROM nested GROUP BY owner HAVING owner IN (SELECT owner FROM nested_owner WHERE rate > 3)) AS q',
	'SELECT count(*), sum(s) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor HAVING count(*) > (SELECT 145)) AS q',
	'SELECT sum(v) FROM nested WHERE EXISTS (SELECT FROM nested_owner WHERE rate > 27)',
	'SELECT sum(v) FROM nested WHERE NOT EXISTS (SELECT FROM nested_owner WHERE rate > 27)',
	'SELECT sum(v) FROM nested HAVING NOT EXISTS (SELECT FROM nested_owner WHERE rate > 28)',
	'SELECT count(*), sum(s) FROM (SELECT sensor, sum(v) AS s FROM nested WHERE 3 NOT IN (SELECT length(owner) FROM nested_owner) GROUP BY sensor) AS q',
	'SELECT x, (SELECT sum(v) FROM nested WHERE x > 1 AND v > x) FROM generate_series(2, 4) AS x',
	'SELECT x, (SELECT sum(v) FROM nested WHERE x <= 1 AND v > x) FROM generate_series(2, 4) AS x',
	'SELECT x, (SELECT sum(v) FROM nested WHERE x > NULL AND v > x) FROM generate_series(2, 4) AS x',
	'SELECT x, (SELECT sum(s) FROM (SELECT sensor, sum(v) AS s FROM nested WHERE x < 2 GROUP BY sensor) AS q) FROM generate_series(0, 3) AS x',
	'SELECT sum(v) FROM nested WHERE (SELECT 1 / count(*) FROM nested_owner WHERE rate > 28) > 0 AND id < 0',
	'SELECT sum(v) FROM nested WHERE (SELECT 1 / count(*) FROM nested_owner WHERE rate > 29) > 0 AND id < 0',
	'SELECT x, (SELECT sum(v) FROM nested LEFT JOIN nested_owner USING (owner) WHERE x > 1 AND v > x) FROM generate_series(0, 3) AS x',
	'SELECT x, (SELECT sum(rate) FROM nested LEFT JOIN nested_owner ON nested.owner = nested_owner.owner AND x > 1) FROM generate_series(0, 3) AS x',
	'SELECT x, (SELECT sum(v) FROM nested WHERE EXISTS (SELECT FROM nested_owner WHERE nested.owner = owner AND x > 1)) FROM generate_series(0, 3) AS x']);
-- Keys that are the same, or constants: since 16 an aggregation's input does not have them as keys.
SELECT * FROM nested(ARRAY[
	'SELECT s > 10 AS a, s > 10 AS b, count(*) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor) AS q GROUP BY 1, 2',
	'SELECT c, d, sum(s) FROM (SELECT sensor, sum(v) AS s, count(*) AS c, count(DISTINCT day) AS d FROM nested GROUP BY sensor) AS q WHERE c = 147 GROUP BY 1, 2',
	'SELECT c, sum(s) FROM (SELECT sensor, sum(v) AS s, count(*) AS c FROM nested GROUP BY sensor) AS q WHERE c = 147 GROUP BY 1',
	'SELECT c, sum(s) FROM (SELECT sensor, sum(v) AS s, count(*) AS c FROM nested GROUP BY sensor) AS q WHERE c = 9 GROUP BY 1',
	'SELECT c, c AS d, max(s) FROM (SELECT sensor, sum(big * 100000) AS s, count(*) AS c FROM nested GROUP BY sensor) AS q WHERE c = 147 GROUP BY 1, 2',
	'SELECT s > 10 AS a, s > 10 AS b, max(t) FROM (SELECT sensor, sum(v) AS s, sum(big * 100000) AS t FROM nested GROUP BY sensor) AS q GROUP BY 1, 2',
	'SELECT DISTINCT c, c + 0 AS d, c AS e FROM (SELECT sensor, count(*) AS c FROM nested GROUP BY sensor) AS q WHERE c = 147']);
-- (Since 18 grouping sets are no reports.)
SELECT CASE WHEN current_setting('server_version_num')::integer < 180000 THEN stages ELSE '1' END AS stages,
	CASE WHEN current_setting('server_version_num')::integer < 180000 THEN made ELSE 'service' END AS made, same, query
FROM nested(ARRAY[
	'SELECT sum(s) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY ROLLUP (sensor)) AS q',
	'SELECT kind, b, count(*), GROUPING(kind, b) FROM nested GROUP BY CUBE (kind, b) HAVING GROUPING(kind, b) IN (SELECT x FROM generate_series(1, 3, 2) AS x) OR max(n) > (SELECT 9.98)']);
-- The least and the greatest of texts, whose codes have ranks.
CREATE TYPE nested_letter AS ENUM ('c', 'b', 'a');
CREATE TABLE nested_texts (t int, vc varchar(9), c3 char(3), c5 char(5), u uuid, e nested_letter, k inet);
INSERT INTO nested_texts SELECT i % 250, 'v' || i * 7 % 13, 'c' || i % 9, CASE WHEN i % 5 > 0 THEN 'c' || i % 8 END,
	md5((i % 6)::text)::uuid, (ARRAY['a', 'b', 'c'])[i % 3 + 1]::nested_letter, ('10.0.0.' || i % 5)::inet FROM generate_series(1, 1500) AS i;
VACUUM ANALYZE nested_texts;
SELECT * FROM nested(ARRAY[
	'SELECT m, count(*), sum(c) FROM (SELECT sensor, min(owner) AS m, count(*) AS c FROM nested GROUP BY sensor) AS q GROUP BY m',
	'SELECT count(m) FROM (SELECT sensor, max(owner) AS m FROM nested GROUP BY sensor) AS q',
	'SELECT min(m), max(m), count(DISTINCT m), count(*) FILTER (WHERE m > ''owner 5''), gpu_first(m, sensor) FROM (SELECT sensor, max(owner) AS m FROM nested GROUP BY sensor) AS q',
	'SELECT count(*), sum(s) FROM (SELECT sensor, max(owner) AS m, min(owner) AS n, sum(v) AS s FROM nested GROUP BY sensor) AS q WHERE m = ''owner 9'' AND n LIKE ''%1'' ',
	'SELECT count(*), sum(s) FROM (SELECT sensor, max(owner) AS m, min(owner) AS n, sum(v) AS s FROM nested GROUP BY sensor) AS q WHERE m = n OR m IN (''owner 8'', ''owner 29'')',
	'SELECT count(*), sum(s) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor HAVING max(owner) > ''owner 8'' AND min(owner) IS NOT NULL) AS q',
	'SELECT u, count(*) FROM (SELECT sensor, upper(max(owner)) AS u FROM nested GROUP BY sensor) AS q GROUP BY u',
	'SELECT left(m, 7), count(*) FROM (SELECT sensor, max(owner) AS m FROM nested GROUP BY sensor) AS q GROUP BY 1',
	'SELECT m, count(*) FROM (SELECT day, min(owner COLLATE "C") AS m FROM nested WHERE v > 6000 GROUP BY day) AS q GROUP BY m ORDER BY m DESC LIMIT 3',
	'SELECT m, count(*) FROM (SELECT day, max(kind) AS m FROM (SELECT day, kind::text AS kind FROM nested) AS n GROUP BY day) AS q GROUP BY m',
	'SELECT m, p, count(*) FROM (SELECT day, mode() WITHIN GROUP (ORDER BY owner) AS m, percentile_disc(0.5) WITHIN GROUP (ORDER BY owner DESC) AS p FROM nested GROUP BY day) AS q GROUP BY m, p',
	'SELECT m, count(*) FROM (SELECT sensor, max(owner) FILTER (WHERE v > 6990) AS m FROM nested GROUP BY sensor) AS q GROUP BY m',
	'SELECT mm, count(*) FROM (SELECT m, min(n) AS mm FROM (SELECT sensor, max(owner) AS m, min(owner) AS n FROM nested GROUP BY sensor) AS q GROUP BY m) AS r GROUP BY mm',
	'SELECT m, count(*) FROM (SELECT owner, max(city) AS m FROM nested JOIN nested_owner USING (owner) GROUP BY owner) AS q GROUP BY m',
	'SELECT m, count(*) FROM (SELECT owner, max(country) AS m FROM nested JOIN nested_owner USING (owner) GROUP BY owner) AS q GROUP BY m',
	'SELECT m, count(*) FROM (SELECT sensor, max(CASE WHEN b THEN owner WHEN v > 0 THEN ''none'' END) AS m FROM nested GROUP BY sensor) AS q WHERE m <> ''none'' GROUP BY m',
	'SELECT a, z, count(*) FROM (SELECT t, min(vc) AS a, max(c3) AS z FROM nested_texts GROUP BY t) AS q GROUP BY a, z',
	'SELECT count(*) FROM (SELECT t, min(vc) AS a, max(c3) AS z FROM nested_texts GROUP BY t) AS q WHERE z = ''c7''',
	'SELECT count(*) FROM (SELECT t, min(c3) AS a, max(c3) AS z FROM nested_texts GROUP BY t) AS q WHERE z = a',
	'SELECT count(*) FROM (SELECT t, min(c5) AS a, max(c3) AS z FROM nested_texts GROUP BY t) AS q WHERE z = a',
	'SELECT count(*) FROM (SELECT t, min(c5) AS a, max(c3) AS z FROM nested_texts GROUP BY t) AS q WHERE z IN (''c5'', ''c6  '')',
	'SELECT z, count(*) FROM (SELECT t, c5, max(c3) AS z FROM nested_texts GROUP BY t, c5) AS q WHERE c5 > z OR c5 = z GROUP BY z',
	'SELECT length(z), z || ''x'', count(*) FROM (SELECT t, max(c3) AS z FROM nested_texts GROUP BY t) AS q GROUP BY 1, 2',
	'SELECT m, count(*) FROM (SELECT t, max(u::text) AS m FROM nested_texts GROUP BY t) AS q GROUP BY m',
	'SELECT m, count(*) FROM (SELECT t, max(e) AS m FROM nested_texts GROUP BY t) AS q WHERE m > ''b'' GROUP BY m',
	'SELECT m, count(*) FROM (SELECT t, max(k) AS m FROM nested_texts GROUP BY t) AS q WHERE m > ''10.0.0.2'' GROUP BY m',
	'SELECT m, count(*) FROM (SELECT t, max(CASE WHEN t % 2 = 0 THEN c3 ELSE ''c1'' END) AS m FROM nested_texts GROUP BY t) AS q GROUP BY m',
	'SELECT m, count(*) FROM (SELECT t, max(CASE WHEN t % 2 = 0 THEN c3 ELSE c5 END) AS m FROM nested_texts GROUP BY t) AS q GROUP BY m',
	'SELECT m, count(*) FROM (SELECT t, max(coalesce(c5, c3)) AS m FROM nested_texts GROUP BY t) AS q GROUP BY m',
	'SELECT m, count(*) FROM (SELECT t, max(upper(c3)) AS m FROM nested_texts GROUP BY t) AS q GROUP BY m',
	'SELECT m, count(*) FROM (SELECT t, max(c3::char(4)) AS m FROM nested_texts GROUP BY t) AS q GROUP BY m',
	'SELECT m, count(*) FROM (SELECT t, max(vc::char(4)) AS m FROM nested_texts GROUP BY t) AS q GROUP BY m',
	'SELECT m, count(*) FROM (SELECT t, max(vc::bpchar) AS m FROM nested_texts GROUP BY t) AS q WHERE m = ''v1 '' GROUP BY m',
	'SELECT count(*) FROM (SELECT t, mode() WITHIN GROUP (ORDER BY c3) AS m FROM nested_texts GROUP BY t) AS q WHERE m IN (SELECT c5 FROM nested_texts)',
	'SELECT count(*) FROM (SELECT t, max(vc) AS m FROM nested_texts GROUP BY t) AS q WHERE m IN (SELECT vc FROM nested_texts)',
	'SELECT DISTINCT ON (m) m, t FROM (SELECT t, max(vc) AS m FROM nested_texts GROUP BY t) AS q ORDER BY m, t',
	'SELECT m, t FROM (SELECT t, max(vc) AS m FROM nested_texts GROUP BY t) AS q ORDER BY m DESC, t LIMIT 5',
	'SELECT m, count(*) FROM (SELECT t, max(t2) AS m FROM (SELECT t, min(vc) AS t2 FROM nested_texts GROUP BY t, c3) AS p GROUP BY t) AS q GROUP BY m',
	'SELECT x, (SELECT count(*) FROM (SELECT t, max(vc) AS m FROM nested_texts WHERE t > x GROUP BY t) AS q WHERE m > ''v'' || x) FROM generate_series(0, 200, 50) AS x']);
SET gpuscan.reports = exact;
PREPARE joined AS SELECT count(*), sum(s) FROM (SELECT city, sensor, sum(v) AS s FROM nested JOIN nested_owner USING (owner) GROUP BY city, sensor) AS q WHERE city = 'city 4';
SET plan_cache_mode = force_generic_plan;
SELECT explained('EXECUTE joined', 'Group Key');
EXECUTE joined;
EXECUTE joined;
INSERT INTO nested_owner VALUES ('owner 26', 'city 4', 'IT', 3);
EXECUTE joined;
SET gpuscan.reports = off;
EXECUTE joined;
DEALLOCATE joined;
RESET plan_cache_mode;

-- Parameters, prepared statements, cursors, correlated subqueries.
SET gpuscan.reports = exact;
PREPARE by_bounds(int, int) AS SELECT count(s), sum(s) FROM (SELECT sensor, sum(v) AS s FROM nested WHERE v > $1 GROUP BY sensor) AS q WHERE s > $2;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE by_bounds(0, 0);
EXECUTE by_bounds(0, 0);
EXECUTE by_bounds(1000, 400000);
SET gpuscan.reports = off;
EXECUTE by_bounds(0, 0);
EXECUTE by_bounds(1000, 400000);
DEALLOCATE by_bounds;

-- The ordinary plan of a stored plan, sorted and hashed.
SET gpuscan.reports = exact;
PREPARE sorted AS SELECT sensor % 5 AS k, count(DISTINCT s), count(*) FROM (SELECT sensor, day, sum(v) AS s FROM nested GROUP BY sensor, day) AS q GROUP BY 1 ORDER BY 1;
PREPARE hashed AS SELECT c, count(*) FROM (SELECT id % 7000 AS k, count(*) AS c FROM nested WHERE b GROUP BY 1) AS q GROUP BY c ORDER BY c;
PREPARE different AS SELECT DISTINCT c FROM (SELECT id % 7000 AS k, count(*) AS c FROM nested WHERE b GROUP BY 1) AS q ORDER BY c;
SELECT explained('EXECUTE sorted');
EXPLAIN (COSTS OFF) EXECUTE hashed;
EXPLAIN (COSTS OFF) EXECUTE different;
EXECUTE sorted;
EXECUTE hashed;
EXECUTE different;
SET gpuscan.reports = off;
EXECUTE sorted;
EXECUTE hashed;
EXECUTE different;
DEALLOCATE sorted;
DEALLOCATE hashed;
DEALLOCATE different;
SET gpuscan.reports = exact;
RESET plan_cache_mode;
SELECT * FROM nested(ARRAY[
	'SELECT x, (SELECT sum(s) FROM (SELECT sensor, sum(v) AS s FROM nested WHERE v > x GROUP BY sensor) AS q WHERE s > x * 100) AS y FROM generate_series(0, 3000, 1000) AS x',
	'SELECT count(*) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor) AS q WHERE s > (SELECT avg(v) FROM nested)',
	'SELECT sum(s / (SELECT max(1) FROM nested)) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor) AS q',
	'SELECT sum(CASE WHEN s > 0 THEN 1 ELSE (SELECT 1 / max(0) FROM nested) END) FROM (SELECT sensor, sum(v) AS s FROM nested WHERE v > 0 GROUP BY sensor) AS q WHERE s <> 0']);

-- Subqueries that do not depend on the row: the query and they are reports, each of
-- its own or a join's.  Without rows, they are NULL; of several rows there is an error.
CREATE FUNCTION reports_in(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	PERFORM set_config('gpuscan.reports', 'exact', false);
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
	RETURN (SELECT count(*) FROM regexp_matches(plan::text, '"Engine": "', 'g')) || ' made, ' ||
		(SELECT count(*) FROM regexp_matches(plan::text, '"Ordinary Plans": ', 'g')) || ' not';
END
$$;
SELECT reports_in(q), answer(q, 'exact') IS NOT DISTINCT FROM answer(q, 'off') AS same, q FROM unnest(ARRAY[
	'SELECT count(*) FROM nested WHERE v > (SELECT avg(v) FROM nested)',
	'SELECT sum(n) FROM nested WHERE n >= (SELECT max(n) FROM nested WHERE kind = ''b'')',
	'SELECT count(*) FROM nested WHERE day = (SELECT max(day) FROM nested)',
	'SELECT count(*) FROM nested WHERE at > (SELECT min(at) FROM nested WHERE sensor = 5) AND at < (SELECT max(at) FROM nested)',
	'SELECT count(*), max(v) FROM nested WHERE owner = (SELECT max(owner) FROM nested)',
	'SELECT sensor, sum(v) FROM nested WHERE v > (SELECT sum(v) FROM nested WHERE sensor < 0) GROUP BY sensor',
	'SELECT kind, sum(v) - (SELECT sum(v) FROM nested WHERE b) FROM nested GROUP BY kind',
	'SELECT kind, (SELECT max(owner) FROM nested), (SELECT max(day) FROM nested) FROM nested GROUP BY kind',
	'SELECT sum(v - (SELECT min(v) FROM nested)) FROM nested',
	'SELECT kind, sum(v) FROM nested GROUP BY kind HAVING sum(v) > (SELECT avg(v) * 6000 FROM nested)',
	'SELECT kind, count(*) FILTER (WHERE v > (SELECT avg(v) FROM nested)) FROM nested GROUP BY kind',
	'SELECT count(*) FROM nested WHERE sensor IN (SELECT sensor FROM nested GROUP BY sensor HAVING sum(v) > 300000)',
	'SELECT count(*) FROM nested WHERE sensor NOT IN (SELECT sensor FROM nested WHERE sensor IS NOT NULL GROUP BY sensor HAVING sum(v) > 300000)',
	'SELECT count(*) FROM nested WHERE sensor NOT IN (SELECT sensor FROM nested GROUP BY sensor)',
	'SELECT count(*) FROM nested WHERE owner IN (SELECT owner FROM nested GROUP BY owner HAVING count(*) > 980)',
	'SELECT count(*) FROM nested WHERE day IN (SELECT max(day) FROM nested GROUP BY kind)',
	'SELECT kind, count(*) FILTER (WHERE day IN (SELECT day FROM nested GROUP BY day HAVING max(v) > 7000)) FROM nested GROUP BY kind',
	'SELECT kind, sum(v) FROM nested GROUP BY kind HAVING kind IN (SELECT kind FROM nested WHERE v > 7000 GROUP BY kind)',
	'SELECT count(*) FROM nested WHERE n IN (SELECT max(n) FROM nested GROUP BY sensor) OR b',
	'SELECT count(*) FROM nested WHERE f > (SELECT gpu_avg(f) FROM nested)',
	'SELECT count(*) FROM nested WHERE b = (SELECT bool_or(v > 6900) FROM nested)',
	'SELECT count(*) FROM nested WHERE v > (SELECT max(s) FROM (SELECT sensor, sum(v) AS s FROM nested WHERE v < 0 GROUP BY sensor) AS q)',
	'SELECT count(*) FROM (SELECT sensor, avg(v) AS a FROM nested GROUP BY sensor) AS q WHERE a > (SELECT avg(v) FROM nested)',
	'SELECT day, count(*) FROM nested WHERE (sensor, kind) IN (SELECT sensor, kind FROM nested GROUP BY sensor, kind HAVING count(*) > 29) GROUP BY day']) AS q;
DROP FUNCTION reports_in;
SET gpuscan.reports = exact;
SELECT count(*) FROM nested WHERE v > (SELECT v FROM nested WHERE id < 100 GROUP BY v);
SELECT kind, (SELECT v FROM nested WHERE id < 100 GROUP BY v) FROM nested GROUP BY kind;
SET gpuscan.reports = off;
SELECT count(*) FROM nested WHERE v > (SELECT v FROM nested WHERE id < 100 GROUP BY v);
SET gpuscan.reports = exact;

-- A WITH query that is read more than once, and that may be made for each reader, as soon as this takes less time.
CREATE FUNCTION made_for_each(queries text[]) RETURNS TABLE (before boolean, same boolean, after boolean, query text) LANGUAGE plpgsql AS $$
DECLARE
	line text;
	kept boolean;
BEGIN
	FOREACH query IN ARRAY queries LOOP
		same := true;
		FOR run IN 1 .. 6 LOOP
			kept := false;
			PERFORM set_config('gpuscan.reports', 'exact', false);
			FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
				kept := kept OR line ~ 'CTE Scan';
			END LOOP;
			before := CASE WHEN run = 1 THEN NOT kept ELSE before END;
			same := same AND answer(query, 'exact') IS NOT DISTINCT FROM answer(query, 'off');
		END LOOP;
		after := NOT kept;
		RETURN NEXT;
	END LOOP;
END
$$;
SET cpu_operator_cost = 10;	-- to read its rows takes long
SELECT * FROM made_for_each(ARRAY[
	'WITH w AS (SELECT id % 3000 AS k, sum(v) AS s FROM nested GROUP BY 1) SELECT k, s FROM w WHERE s = (SELECT max(s) FROM w)',
	'WITH w AS (SELECT id % 3000 AS k, sum(n) AS s FROM nested GROUP BY 1), x AS (SELECT avg(s) AS a FROM w) SELECT count(*) FROM w, x WHERE s > a',
	'SELECT (WITH w AS (SELECT id % 3000 AS k, count(*) AS c FROM nested GROUP BY 1) SELECT count(*) FROM w WHERE c < (SELECT avg(c) FROM w))',
	'WITH w AS (SELECT id % 3000 AS k, sum(v) AS s FROM nested GROUP BY 1), x AS (SELECT id % 2000 AS k, min(v) AS s FROM nested GROUP BY 1) SELECT (SELECT max(s) FROM w), (SELECT min(s) FROM w), (SELECT max(s) FROM x), (SELECT min(s) FROM x)',
	'WITH w AS MATERIALIZED (SELECT id % 3000 AS k, sum(v) AS s FROM nested GROUP BY 1) SELECT k, s FROM w WHERE s = (SELECT max(s) FROM w)',
	'WITH w AS (SELECT id % 3000 AS k, sum(v) AS s FROM nested WHERE random() >= 0 GROUP BY 1) SELECT k, s FROM w WHERE s = (SELECT max(s) FROM w)',
	'WITH w AS (SELECT id % 3000 AS k, string_agg(owner, '''') AS s FROM nested GROUP BY 1) SELECT k FROM w WHERE s = (SELECT max(s) FROM w)',
	'WITH w AS (SELECT id % 3000 AS k, sum(v) AS s FROM nested GROUP BY 1 LIMIT 3000) SELECT k, s FROM w WHERE s = (SELECT max(s) FROM w)']);
PREPARE largest (int) AS WITH w AS (SELECT id % 3000 AS k, sum(v) AS s FROM nested WHERE sensor < $1 GROUP BY 1) SELECT k, s FROM w WHERE s = (SELECT max(s) FROM w);
SET gpuscan.reports = exact;
EXECUTE largest(100);
EXECUTE largest(100);
EXECUTE largest(100);
EXECUTE largest(0);
EXECUTE largest(NULL);
EXECUTE largest(50);
EXECUTE largest(100);
UPDATE nested SET v = v + 100000 WHERE id = 5;
EXECUTE largest(100);
DEALLOCATE largest;
VACUUM nested;
RESET cpu_operator_cost;
DROP FUNCTION made_for_each;

-- Rows that change, and are read anew.
UPDATE nested SET v = v + 1, owner = 'new ' || id WHERE id < 50;
SELECT * FROM nested(ARRAY[
	'SELECT count(s), sum(s) FROM (SELECT sensor, sum(v) AS s FROM nested GROUP BY sensor) AS q',
	'SELECT count(*) FROM (SELECT owner, sum(v) AS s FROM nested GROUP BY owner) AS q WHERE owner LIKE ''new%''',
	'SELECT m, count(*) FROM (SELECT sensor, min(owner) AS m FROM nested GROUP BY sensor) AS q WHERE m > ''new 30'' GROUP BY m',
	'SELECT count(*) FROM (SELECT owner, sum(v) AS s FROM nested GROUP BY owner) AS q WHERE owner = ''new 7''']);

-- Partitions.
CREATE TABLE nested_parts (LIKE nested) PARTITION BY RANGE (id);
CREATE TABLE nested_parts_1 PARTITION OF nested_parts FOR VALUES FROM (0) TO (10000);
CREATE TABLE nested_parts_2 PARTITION OF nested_parts FOR VALUES FROM (10000) TO (40000);
INSERT INTO nested_parts SELECT * FROM nested;
VACUUM ANALYZE nested_parts;
SELECT * FROM nested(ARRAY[
	'SELECT count(s), sum(s) FROM (SELECT sensor, sum(v) AS s FROM nested_parts GROUP BY sensor) AS q',
	'SELECT owner, sum(s) FROM (SELECT owner, sensor, sum(v) AS s FROM nested_parts GROUP BY owner, sensor) AS q GROUP BY owner']);
DROP TABLE nested, nested_owner, nested_texts, nested_zeros, nested_types, nested_thirds, nested_parts;
DROP TYPE nested_enum, nested_letter;
DROP FUNCTION nested, stages;
