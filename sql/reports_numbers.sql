-- Reports over tables: functions of numbers, over special and random values,
-- against the ordinary plans.
SET gpuscan.engine = gpu;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
SET cpu_operator_cost = 100;	-- a small table is worth a report
SET jit = off;

-- Each pair of special values of two columns of a type is in some row; then
-- random values, of all sizes.  Names of numeric columns tell their scale.
CREATE TABLE special (id integer, h smallint, h2 smallint, i integer, i2 integer, l bigint, l2 bigint, f real, f2 real,
	g double precision, g2 double precision, n0 numeric(18, 0), m0 numeric(18, 0), n2 numeric(12, 2), m2 numeric(12, 2),
	n6 numeric(18, 6), m6 numeric(18, 6), c text);
INSERT INTO special
SELECT a * 16 + b, smallints[1 + a % 8], smallints[1 + b % 8], integers[1 + a % 11], integers[1 + b % 11],
	bigints[1 + a % 11], bigints[1 + b % 11], reals[1 + a % 14], reals[1 + b % 14], doubles[1 + a], doubles[1 + b],
	numerics[1 + a], numerics[1 + b], numerics[1 + a] / 100, numerics[1 + b] / 100, numerics[1 + a] / 1000000,
	numerics[1 + b] / 1000000, 'c' || b % 5
FROM generate_series(0, 15) AS a, generate_series(0, 15) AS b,
	CAST('{NULL, 0, 1, -1, 7, 300, 32767, -32768}' AS smallint[]) AS smallints,
	CAST('{NULL, 0, 1, -1, 7, 46341, 32768, -32769, 16777217, 2147483647, -2147483648}' AS integer[]) AS integers,
	CAST('{NULL, 0, 1, -1, 7, 3037000500, 2147483648, -2147483649, 9007199254740993, 9223372036854775807, -9223372036854775808}' AS bigint[]) AS bigints,
	CAST('{NULL, 0, -0, 1, 0.5, 1.5, -2.5, 32767.5, 2147483648, 1e-45, 1e-20, 3e38, -Infinity, NaN}' AS real[]) AS reals,
	CAST('{NULL, 0, -0, 1, 0.5, 1.5, -2.5, -0.1, 2147483647.5, -4503599627370496.5, 9007199254740993, 5e-324, 0.49999999999999994, -1.7e308, Infinity, NaN}' AS double precision[]) AS doubles,
	CAST('{NULL, 0, 1, -1, 50, -50, 49, 5000, -5000, 4999999, 5000000, -1050000, 60000000, 359999999999, -999999999999, 1000000}' AS numeric[]) AS numerics;
SELECT setseed(0.5);
INSERT INTO special
SELECT 256 + id, sign * size, sign * random() * 300, sign * size ^ 2, sign * random() * 100, sign * size ^ 4, sign * random() * 1000,
	sign * size, random(), sign * size * random(), random() - 0.5, sign * size ^ 2.5, sign * (1 + random() * 1000), sign * size * 100, 1 + random() * 9,
	sign * size ^ 2, random() * 100, 'c' || id % 5
FROM (SELECT id, exp(random() * 10) AS size, CASE WHEN random() < 0.5 THEN -1 ELSE 1 END AS sign FROM generate_series(1, 300) AS id) AS random;
VACUUM ANALYZE special;

-- This report waits for the service's start.
SELECT count(*), gpu_count(g) FROM special;
SET gpuscan.engine = auto;

-- The rows over which PostgreSQL raises no error.
CREATE FUNCTION without_error(expression text) RETURNS integer[] LANGUAGE plpgsql
SET gpuscan.reports = off AS $$
DECLARE
	ids integer[];
	number integer;
BEGIN
	BEGIN
		EXECUTE format('SELECT array_agg(id), max((%s)::text) FROM special', expression) INTO ids;
		RETURN ids;
	EXCEPTION WHEN data_exception THEN
		ids := '{}';
	END;
	FOR number IN SELECT id FROM special LOOP
		BEGIN
			EXECUTE format('SELECT %s FROM special WHERE id = %s', expression, number);
			ids := ids || number;
		EXCEPTION WHEN data_exception THEN
			NULL;
		END;
	END LOOP;
	RETURN ids;
END
$$;

-- Each row's value, by the service where there is no error; and the error, if
-- there is one.  NULL: all is as it should be.
CREATE FUNCTION difference(expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	ids integer[] := without_error(expression);
	type regtype;
	float boolean;
	query text;
	keys text;
	made text;
BEGIN
	EXECUTE format('SELECT pg_typeof(%s) FROM special LIMIT 1', expression) INTO type;
	float := type IN ('real'::regtype, 'double precision'::regtype);
	query := format(CASE WHEN float THEN 'SELECT id, gpu_min(%1$s), count(%1$s) FROM special' ELSE 'SELECT id, %1$s, count(%1$s) FROM special' END, expression);
	keys := CASE WHEN float THEN ' GROUP BY 1' ELSE ' GROUP BY 1, 2' END;
	IF answer(query || keys, 'off') IS DISTINCT FROM answer(query || keys, 'exact') THEN
		RETURN 'all rows differ';
	END IF;
	query := query || format(' WHERE id = ANY (%L)', ids) || keys;
	made := made_by(query);
	IF answer(query, 'off') IS DISTINCT FROM answer(query, 'exact') THEN
		RETURN 'rows without an error differ';
	ELSIF made <> 'service' THEN
		RETURN 'made by ' || made;
	END IF;
	RETURN NULL;
END
$$;

-- Integers: remainders and bits
CREATE TABLE expression (text text);
INSERT INTO expression
SELECT format('%s %s %s2', a, operator, a)
FROM unnest('{h, i, l}'::text[]) AS a, unnest('{%, &, |, #}'::text[]) AS operator
UNION ALL
SELECT format(form, a)
FROM unnest('{h, i, l}'::text[]) AS a,
	unnest('{~%s, %s << 3, %s >> 3, %s << 40, %s >> 70, %s << h, %s >> -1, "mod(%1$s, 7::smallint)", %s %% -1::smallint}'::text[]) AS form
UNION ALL
VALUES ('i % l'), ('h % i2'), ('mod(i, h)'), ('l << i2 % 64'), ('i & h'), ('l # h2'), ('(i & 7) = 3'), ('abs(i % 7) - 3');
SELECT text, difference(text) FROM expression WHERE difference(text) IS NOT NULL;

-- Floats
TRUNCATE expression;
INSERT INTO expression
SELECT format('%s(%s)', function, a)
FROM unnest('{g, g2, f, -g, g / 10, i, h}'::text[]) AS a,
	unnest('{floor, ceil, ceiling, trunc, round, sign, sqrt}'::text[]) AS function
UNION ALL
VALUES ('floor(g / 10) * 10'), ('round(g)::integer'), ('sqrt(g * g + g2 * g2)'), ('sqrt(l)'), ('floor(f + g2)'),
	('f + g2'), ('g2 / f'), ('f > g2'), ('g IS DISTINCT FROM f'), ('nullif(f, g2)'), ('greatest(f, g2, i)'),
	('CASE WHEN g < 0.5 THEN f ELSE g2 END');
SELECT text, difference(text) FROM expression WHERE difference(text) IS NOT NULL;

-- numeric
TRUNCATE expression;
INSERT INTO expression
SELECT format(form, a, b)
FROM unnest('{n0, n2, n6}'::text[]) AS a, unnest('{m0, m2, m6}'::text[]) AS b, unnest('{%s %% %s, "mod(-%s, %s)", "div(%s, %s)"}'::text[]) AS form
UNION ALL
SELECT format(form, a)
FROM unnest('{n0, n2, n6, -n2, (m2 * 2.5), (n6 + m2)}'::text[]) AS a,
	unnest('{floor(%s), ceil(%s), ceiling(%s), trunc(%s), round(%s), sign(%s), "trunc(%s, 1)", "round(%s, 1)", "trunc(%s, 5)", "round(%s, 5)", "round(%s, -1)",
		"trunc(%s, -4)", "round(%s, -4)", (%s)::smallint, (%s)::integer, (%s)::bigint, "(%s)::numeric(14, 1)", "(%s)::numeric(4, 2)",
		floor(%s / 60) * 60, ceil(%s / 60), trunc(%s / 0.7), round(%s / 8), round(%s / -8), round(%s / 3), floor(%s / -0.05),
		"round(%s / 7, 1)", "round(%s / 16, 3)", "trunc(%s / 80, 2)", "round(%s / 1000, -1)", round(%s / 1000000), (%s / 32)::integer,
		floor(%s / 0.01), round(%s / -0.1), "trunc(%s / 0.001, 1)", "(%s / 0.01)::numeric(18, 1)",
		"(%s / 7)::numeric(8, 1)"}'::text[]) AS form
UNION ALL
SELECT format(form, a)
FROM unnest('{h, i}'::text[]) AS a, unnest('{round(%s / 10.0), floor(%s / 2.5), "round(%s / 100.0, 1)", "(%s)::numeric(10, 2)"}'::text[]) AS form
UNION ALL
VALUES ('round(CASE WHEN i > 0 THEN n2 ELSE m6 END, 6)'), ('floor(CASE WHEN i > 0 THEN n2 ELSE 1.5 END)'),
	('round(n2 % CASE WHEN i > 0 THEN 0.7 ELSE 0.33333 END, 3)'), ('floor(n2 / 60) < 5'), ('round(n2, 1) = n2'), ('n2::integer % 7');
INSERT INTO expression
SELECT format('%s / %s %s %s', a, b, operator, c)
FROM unnest('{n0, n2, n6, i}'::text[]) AS a, unnest('{60.0, 0.7, -8.0}'::text[]) AS b, unnest('{=, <>, <, >=}'::text[]) AS operator,
	unnest('{0.0, 1.25, -0.625, 33333.3333}'::text[]) AS c
UNION ALL
VALUES ('0.125 > n2 / 8'), ('n2 / 7 > NULL');
SELECT text, difference(text) FROM expression WHERE difference(text) IS NOT NULL;

-- Of a quotient, the digits that PostgreSQL gives decide where it is rounded: they
-- are not as many for large numbers.
CREATE TABLE quotient (q numeric(18, 6));
INSERT INTO quotient
SELECT (round(random()::numeric * 1e11 / divisor) * divisor + divisor / 2 * (id % 3) + 0.000001 * (id % 5 - 2))
FROM generate_series(1, 3000) AS id, LATERAL (SELECT (ARRAY[60, 3600, 86400, 604800])[1 + id % 4]::numeric AS divisor) AS d
UNION ALL
SELECT 3600::bigint * (110000000 + id) - 0.000001 FROM generate_series(1, 100) AS id;
VACUUM ANALYZE quotient;
SELECT text, made_by(query), answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest('{floor(q / 60), floor(q / 3600) * 3600, ceil(q / 86400), round(q / 604800), "round(q / 60, 3)", trunc(q / 31536000), "round(q / 7, 9)",
		q / 3600 > 7.5, q / 60 = 12.5, "q / 86400 <> round(q / 86400, 1)", q / 7 > 7.0000000001}'::text[]) AS text,
	LATERAL (SELECT format('SELECT %s, count(*) FROM quotient WHERE q < 1e11 GROUP BY 1', text) AS query) AS q;
SELECT text, made_by(query), answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest('{floor(q / 3600), floor(q / 60)}'::text[]) AS text, LATERAL (SELECT format('SELECT %s, count(*) FROM quotient GROUP BY 1', text) AS query) AS q;

-- Buckets, with values at and beside their bounds
TRUNCATE expression;
INSERT INTO expression VALUES
	('width_bucket(g, 0, 1000, 20)'), ('width_bucket(g2, 0.1, 0.3, 3)'), ('width_bucket(g2, 0.5, -0.5, 7)'), ('width_bucket(f, -1e300, 1e300, 10)'),
	('width_bucket(g2, 0, 1e-3, 4096)'), ('width_bucket(i, -7, 7, 2)'), ('width_bucket(n2, 0, 1000, 20)'), ('width_bucket(m6, 100, -3.5, 21)'),
	('width_bucket(m2, 1, 9.99, 7)'), ('width_bucket(n0, 0.5, 3, 13)'), ('width_bucket(n2 * 0.3, 0, 1e6, 100)'),
	('width_bucket(g, ''{-0.5, 0, 1, 100}'')'), ('width_bucket(f, ''{-0.5, 0, 1, Infinity}''::real[])'), ('width_bucket(i, ''{-7, 0, 7}'')'),
	('width_bucket(h::bigint, ''{0, 10000000000}'')'), ('width_bucket(n2, ''{-1.005, 0, 4.2, 1e6}'')'), ('width_bucket(m0, ''{0.5, 1.25, 3}'')'),
	('width_bucket(i, ''{}''::integer[])');
SELECT text, difference(text) FROM expression WHERE difference(text) IS NOT NULL;
CREATE TABLE edge AS
SELECT i, x * (1 + epsilon * 2.220446049250313e-16) AS x, (x::numeric(12, 6) + epsilon * 0.000001)::numeric(12, 6) AS n
FROM generate_series(0, 240) AS i, generate_series(-1, 1) AS epsilon, LATERAL (SELECT 0.1::double precision + 0.6::double precision * i / 240) AS v (x), generate_series(1, 10);
VACUUM ANALYZE edge;
SELECT text, made_by(query), answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest(ARRAY['width_bucket(x, 0.1, 0.7, 240)', 'width_bucket(x, 0.7, 0.1, 80)', 'width_bucket(x, 0.1, 0.5, 7)', 'width_bucket(x, 0.4, 0.4000000000000001, 20)', 'width_bucket(n, 0.1, 0.7, 240)',
	'width_bucket(n, 0.7, 0.1, 30)', 'width_bucket(n, 0.1, 0.4, 7)', 'width_bucket(x, ''{0.1, 0.4, 0.7}'')', 'width_bucket(n, ''{0.1, 0.4000005, 0.7}'')']) AS text,
	LATERAL (SELECT format('SELECT %s, i, count(*) FROM edge GROUP BY 1, 2', text) AS query) AS q;

-- Conditions that choose among texts, and rows
TRUNCATE expression;
INSERT INTO expression VALUES
	('CASE WHEN g < 10 THEN ''low'' WHEN g IS NULL THEN NULL ELSE ''high'' END'),
	('CASE WHEN g < 1 THEN ''low'' WHEN i < 10 THEN ''equal'' WHEN n2 > 5 THEN ''low'' WHEN h > 7 THEN '''' END'),
	('CASE WHEN g < 1 THEN CASE WHEN l > 0 THEN ''a'' ELSE ''b'' END WHEN f > 5 THEN coalesce(CASE WHEN i > 7 THEN ''c'' END, ''d'') ELSE ''e'' END'),
	('CASE WHEN c = ''c1'' AND g > 0 THEN ''one'' WHEN c LIKE ''%2'' THEN ''two'' ELSE ''other'' END'),
	('CASE WHEN i > 0 THEN CASE WHEN c = ''c3'' THEN ''x'' END END'), ('coalesce(CASE WHEN g < 10 THEN ''low'' WHEN g < 100 THEN ''high'' END, ''none'')'),
	('CASE sign(g) WHEN -1 THEN ''negative'' WHEN 1 THEN ''positive'' END'), ('CASE WHEN i < 0 THEN ''negative'' ELSE ''positive'' END'),
	('CASE WHEN i2 <> 0 AND 7 / i2 > 0 THEN ''yes'' ELSE ''no'' END'), ('CASE WHEN 7 / i2 > 0 THEN ''yes'' ELSE ''no'' END'),
	('CASE WHEN g < 1 THEN ''1994-01-01''::date WHEN f < 7 THEN ''infinity'' END'),
	('CASE WHEN g > 1 THEN ''a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11''::uuid ELSE ''00000000-0000-0000-0000-000000000000'' END'),
	('(CASE WHEN g > 1 THEN ''x''::varchar ELSE ''y'' END)::text'),
	('(CASE WHEN g > 1 THEN ''x'' WHEN i > 2 THEN ''z'' END) IS NULL'),
	('CASE WHEN g < 1 THEN c ELSE ''c1'' END'), ('coalesce(CASE WHEN g < 1 THEN c WHEN i > 0 THEN upper(c) END, ''C2'')'),
	('(CASE WHEN g < 1 THEN ''low'' ELSE ''high'' END) = ''low'''), ('upper(CASE WHEN g < 1 THEN ''low'' WHEN i < 1 THEN c END)'),
	('CASE CASE WHEN g < 1 THEN ''a'' WHEN i < 7 THEN ''b'' END WHEN ''a'' THEN 7 WHEN ''b'' THEN 8 ELSE 9 END + i2 % 7'),
	('length(CASE WHEN g < 1 THEN c ELSE ''long'' END) + 7'), ('CASE WHEN i < 1 AND g < 1 THEN ''x'' ELSE ''y'' END IN (''x'', ''z'')'),
	('(CASE WHEN g < 1 THEN ''5'' WHEN f > 1 THEN ''7'' END)::integer + i2 % 7'), ('(CASE WHEN g < 1 THEN ''5'' WHEN f > 1 THEN ''x'' END)::integer'),
	('(i, g) < (7, 0)'), ('(g, i) >= (0.5, 1)'), ('(h, i2, l) > (1, 0, 7)'), ('(g, g2) <= (''NaN'', 1)'), ('(c, n2) > (''c2'', 1.5)'),
	('(n2, f) < (n6, g2)'), ('(i, 7 / i2) < (1, 2)'), ('(i, 7 / i2) = (1, 2)'), ('(i, f) <> (7, g)');
SELECT text, difference(text) FROM expression WHERE difference(text) IS NOT NULL;

-- Texts of the query are ordered, counted and told apart as any others.
SELECT made_by(query), answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT CASE WHEN g < 1 THEN ''b'' WHEN g < 100 THEN ''a'' END AS size, count(*) FROM special GROUP BY 1 ORDER BY 1 DESC',
	'SELECT min(size), max(size), count(size), count(DISTINCT size), mode() WITHIN GROUP (ORDER BY size) FROM (SELECT CASE WHEN g < 1 THEN ''b'' WHEN g < 100 THEN ''a'' END AS size FROM special) AS s',
	'SELECT DISTINCT CASE WHEN g < 1 THEN ''b'' ELSE ''a'' END, CASE WHEN g < 1 THEN ''a'' ELSE ''b'' END, CASE WHEN g < 1 THEN 0 ELSE 1 END FROM special']) AS query;
SET plan_cache_mode = force_generic_plan;
PREPARE sizes (text, numeric) AS SELECT CASE WHEN g < 1 THEN $1 WHEN n2 < round($2, 1) THEN 'other' END AS size, count(*) FROM special WHERE id < 256 GROUP BY 1 ORDER BY 1;
EXECUTE sizes ('low', 7.77);
SELECT made_by('EXECUTE sizes (NULL, 7.77)');
DEALLOCATE sizes;
RESET plan_cache_mode;

-- What is not computed
SELECT text, made_by(format('SELECT %s, count(*) FROM special GROUP BY 1', text))
FROM unnest(ARRAY['n2 / 7', 'n2 / 3 = 16.666666666666666667', 'round(n2 / 7, h)', 'round(n2 / 7, 30)', 'sqrt(abs(n2))', 'ln(abs(g) + 1)', 'width_bucket(h, 0, 1, 5000)', 'width_bucket(h2, 0, id + 1, 5)', 'width_bucket(i, ''{7, 1}'')',
	'CASE WHEN g < 1 THEN c || i ELSE ''x'' END', 'round(g)', 'extract(day FROM now())::numeric(10, 2)', 'round(n2, -2147483648)']) AS text;

-- Powers, exponentials and logarithms are rounded once, as those of arrays.
SET gpuscan.reports = 'all';
EXPLAIN (COSTS OFF) SELECT g ^ 2, count(*) FROM special GROUP BY 1;
SELECT query, answer(query, 'off') = answer(query, 'all') AS same
FROM unnest(ARRAY['SELECT power(h, 2), (i2 % 1000)::double precision ^ 2, count(*) FROM special GROUP BY 1, 2', 'SELECT g ^ 1, count(*) FROM special WHERE g <> 0 GROUP BY 1',
	'SELECT power(CASE WHEN h2 > 0 THEN 4 WHEN h2 < 0 THEN -0.5::double precision END, -1), power(i::double precision, 2) > 100, count(*) FROM special GROUP BY 1, 2',
	'SELECT count(*) FROM special WHERE power(g, -1) > 0', 'SELECT sum(g ^ 2) FROM special WHERE id < 256']) AS query;
SELECT made_by('SELECT f ^ 2, count(*) FROM special GROUP BY 1'), made_by('SELECT count(*) FROM special WHERE f ^ 3 > 7');
CREATE TABLE curve AS SELECT i % 7 AS k, i / 1024.0::double precision AS x, (hashint8extended(i, 7) & 16777215) / 8192.0::double precision - 1024 AS y, 1 + hashint8(i) / 1e13::double precision AS near
	FROM generate_series(1, 100000) AS i;
VACUUM ANALYZE curve;
SELECT own, made_by(format(query, own), 'all'), answer(format(query, built_in), 'off') = answer(format(query, own), 'all') AS same
FROM (VALUES ('exp(y)', '(gpu_exp(ARRAY[y]))[1]', 'abs(y) < 700'), ('exp(x - 90)', '(gpu_exp(ARRAY[x - 90]))[1]', 'true'), ('ln(x)', '(gpu_ln(ARRAY[x]))[1]', 'true'),
	('ln(near)', '(gpu_ln(ARRAY[near]))[1]', 'true'), ('ln(exp(near))', '(gpu_ln(ARRAY[(gpu_exp(ARRAY[near]))[1]]))[1]', 'true'), ('log(x)', 'log(x::numeric(60, 40))::double precision', 'y > 900'),
	('log10(x * x * x)', 'log((x::numeric * x::numeric * x::numeric)::numeric(90, 60))::double precision', 'y < -900'), ('x ^ 0.7', '(gpu_power(ARRAY[x], 0.7))[1]', 'true'), ('power(x, y / 16)', '(gpu_power(ARRAY[x], ARRAY[y / 16]))[1]', 'true'),
	('power(floor(y), 3)', '(gpu_power(ARRAY[floor(y)], 3))[1]', 'true'), ('pow(1.001, y)', '(gpu_power(ARRAY[1.001::double precision], ARRAY[y]))[1]', 'true'), ('power(y, k)', '(gpu_power(ARRAY[y], ARRAY[k::double precision]))[1]', 'true')
	) AS f (own, built_in, rows),
	LATERAL (SELECT 'SELECT k, gpu_sum(v), min(v), max(v), gpu_count(v) FROM (SELECT k, %s AS v FROM curve WHERE ' || rows || ') AS q GROUP BY 1' AS query) AS q;
-- Infinities, NaN and zeros are those of SQL; errors are the ordinary plan's.
SELECT text, made_by(query, 'all'), answer(query, 'off') = answer(query, 'all') AS same
FROM unnest(ARRAY['exp(g) FROM special WHERE g IS NULL OR abs(g) < 3 OR abs(g) > 1.75e308', 'ln(g) FROM special WHERE g = 1 OR g > 1e308', 'log(f) FROM special WHERE f = 1 OR f > 3e38', 'g ^ (h2 * 2) FROM special WHERE (g = 0 OR abs(g) > 1.75e308) AND h2 >= 0',
	'ln(g) FROM special', 'ln(g) FROM special WHERE g = 0', 'log(g) FROM special WHERE g < -1', 'exp(g) FROM special', 'exp(g * 1e300) FROM special WHERE g < -1', 'g ^ g2 FROM special', 'g ^ -0.5 FROM special WHERE g >= 0', 'CASE WHEN g > 0 AND g < 1 THEN ln(g) END > 0 FROM special']) AS text,
	LATERAL (SELECT 'SELECT ' || replace(text, ' FROM', ' AS v, count(*) FROM') || ' GROUP BY 1' AS query) AS q;

DROP TABLE special, expression, quotient, edge, curve;
DROP FUNCTION without_error, difference;
