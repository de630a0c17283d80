-- Reports over tables: expressions and aggregates, over special values, against
-- the ordinary plans.
SET gpuscan.engine = gpu;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
SET timezone = 'Europe/Berlin';
SET cpu_operator_cost = 100;	-- a small table is worth a report
SET jit = off;

-- Each pair of special values of two columns of a type is in some row.
CREATE TABLE special AS
SELECT id, smallints[1 + a % 8] AS h, smallints[1 + b % 8] AS h2,
	integers[1 + a % 11] AS i, integers[1 + b % 11] AS i2,
	bigints[1 + a % 11] AS l, bigints[1 + b % 11] AS l2,
	reals[1 + a % 14] AS f, reals[1 + b % 14] AS f2,
	doubles[1 + a % 16] AS g, doubles[1 + b % 16] AS g2,
	booleans[1 + a % 3] AS o, booleans[1 + b % 3] AS o2,
	dates[1 + a % 7] AS d, dates[1 + b % 7] AS d2,
	times[1 + a % 8] AS t, times[1 + b % 8] AS t2,
	times[1 + a % 8] AT TIME ZONE 'UTC' AS z, times[1 + b % 8] AT TIME ZONE 'UTC' AS z2,
	'x'::text AS x, 1.5 AS n
FROM (SELECT a * 16 + b AS id, a, b FROM generate_series(0, 15) AS a, generate_series(0, 15) AS b) AS pair,
	CAST('{NULL, 0, 1, -1, 7, 300, 32767, -32768}' AS smallint[]) AS smallints,
	CAST('{NULL, 0, 1, -1, 7, 46341, 32768, -32769, 16777217, 2147483647, -2147483648}' AS integer[]) AS integers,
	CAST('{NULL, 0, 1, -1, 7, 3037000500, 2147483648, -2147483649, 9007199254740993, 9223372036854775807, -9223372036854775808}' AS bigint[]) AS bigints,
	CAST('{NULL, 0, -0, 1, 0.5, 1.5, -2.5, 32767.5, 2147483648, 1e-45, 1e-20, 3e38, -Infinity, NaN}' AS real[]) AS reals,
	CAST('{NULL, 0, -0, 1, 0.5, 1.5, -2.5, 0.1, 2147483647.5, -9223372036854775808, 9223372036854775808, 5e-324, 1e-200, -1.7e308, Infinity, NaN}' AS double precision[]) AS doubles,
	CAST('{NULL, t, f}' AS boolean[]) AS booleans,
	CAST('{NULL, 1994-01-01, 1994-01-02, 2000-01-01, infinity, -infinity, 5874897-12-31}' AS date[]) AS dates,
	CAST('{NULL, 1994-01-01, 1993-12-31 23:59:59.999999, 1993-12-31 23:00, 1994-03-27 02:30, 2000-01-01, infinity, -infinity}' AS timestamp[]) AS times;
VACUUM ANALYZE special;

-- The service computes reports even if it has no device, but then no functions
-- over arrays, as gpu_median needs.  This report waits for its start.
SELECT gpu_sum(i) FROM special;
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
	EXCEPTION WHEN numeric_value_out_of_range OR division_by_zero THEN
		ids := '{}';
	END;
	FOR number IN SELECT id FROM special LOOP
		BEGIN
			EXECUTE format('SELECT %s FROM special WHERE id = %s', expression, number);
			ids := ids || number;
		EXCEPTION WHEN numeric_value_out_of_range OR division_by_zero THEN
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
	query text;
	made text;
BEGIN
	EXECUTE format('SELECT pg_typeof(%s) FROM special LIMIT 1', expression) INTO type;
	query := format('SELECT id, count(%1$s), %2$s(%1$s) FROM special', expression,
		CASE type::text WHEN 'boolean' THEN 'gpu_bool_and' WHEN 'date' THEN 'min'
		WHEN 'timestamp without time zone' THEN 'min' WHEN 'timestamp with time zone' THEN 'min'
		ELSE 'gpu_min' END);
	IF answer(query || ' GROUP BY id', 'off') IS DISTINCT FROM answer(query || ' GROUP BY id', 'exact') THEN
		RETURN 'all rows differ';
	END IF;
	query := query || format(' WHERE id = ANY (%L) GROUP BY id', ids);
	made := made_by(query);
	IF answer(query, 'off') IS DISTINCT FROM answer(query, 'exact') THEN
		RETURN 'rows without an error differ';
	ELSIF made <> 'service' THEN
		RETURN 'made by ' || made;
	END IF;
	query := format('SELECT count(*) FROM special WHERE %s', expression);
	IF type = 'boolean'::regtype AND answer(query, 'off') IS DISTINCT FROM answer(query, 'exact') THEN
		RETURN 'as a filter it differs';
	END IF;
	RETURN NULL;
END
$$;

-- Operators of each type and pair of types
CREATE TABLE expression (text text);
WITH number (a, kind) AS (VALUES ('h', 1), ('i', 1), ('l', 1), ('f', 2), ('g', 2))
INSERT INTO expression
SELECT format('%s %s %s2', x.a, operator, y.a)
FROM number AS x JOIN number AS y USING (kind),
	unnest('{+, -, *, /, =, <>, <, <=, >, >=}'::text[]) AS operator
UNION ALL
SELECT format('%s %s %s2', a, operator, a)
FROM unnest('{o, d, t, z}'::text[]) AS a, unnest('{=, <>, <, <=, >, >=}'::text[]) AS operator
UNION ALL
SELECT format(function, a)
FROM number, unnest('{-%s, +%s, abs(%s), %s::smallint, %s::integer, %s::bigint, %s::real, %s::double precision}'::text[]) AS function
UNION ALL
SELECT format(function, a, a || 2)
FROM unnest('{h, i, l, f, g, o, d, t, z}'::text[]) AS a,
	unnest(ARRAY['%s IS NULL', '%s IS NOT NULL', '%s IS DISTINCT FROM %s', '%s IS NOT DISTINCT FROM %s', 'nullif(%s, %s)',
		'coalesce(%s, %s)', 'least(%s, %s)', 'greatest(%s, %s)', 'CASE %s WHEN %s THEN 1 END']) AS function;
SELECT text, difference(text) FROM expression WHERE difference(text) IS NOT NULL;
SELECT count(*) FROM expression;

-- Conditions, choices, lists; what is evaluated first, and what then is not
TRUNCATE expression;
INSERT INTO expression VALUES
	('o AND o2'), ('o OR o2'), ('NOT o'), ('o IS TRUE'), ('o IS NOT TRUE'), ('o IS FALSE'), ('o IS NOT FALSE'),
	('o IS UNKNOWN'), ('o IS NOT UNKNOWN'), ('o AND o2 IS NULL OR i > 0 AND NOT (f < g)'),
	('i::boolean'), ('o::integer'), ('(o AND o2)::integer + h'),
	('i <> 0 AND 7 / i > 0'), ('7 / i > 0 AND i <> 0'), ('i = 0 OR 7 / i > 0'), ('7 / i > 0 OR i = 0'),
	('NOT (7 / i > 0 AND i2 > 5 AND i <> 0)'), ('o AND 7 / i > 0'), ('7 / i > 0 AND o'), ('o2 AND (o OR h + h2 > 0)'),
	('i > 0 AND 7 / i > 0 AND 9 / i2 > 0 AND o'), ('(h + h2 > 0) IS NULL'), ('(7 / i > 0 OR o) IS NOT TRUE'),
	('CASE WHEN i <> 0 THEN 7 / i END'), ('CASE WHEN o THEN h / h2 ELSE h + h2 END'),
	('CASE WHEN o THEN 1 WHEN 7 / i > 0 THEN 2 ELSE 3 END'), ('CASE 7 / i WHEN i2 THEN 1 WHEN 7 THEN h / h2 ELSE l2 END'),
	('CASE i WHEN 0 THEN 0 WHEN 1 THEN 1 / i2 END'), ('CASE h WHEN 32767::bigint THEN i ELSE i2 END'),
	('coalesce(i, 7 / i2)'), ('coalesce(7 / i, i2)'), ('coalesce(NULL, f, 1.5::real)'), ('nullif(7 / i, 7)'),
	('nullif(h, l)'), ('least(h, i, l)'), ('greatest(f, 0, g)'), ('least(-f, 0::real)'), ('greatest(NULL, i, 7 / i2)'),
	('i IN (1, 7, -1)'), ('i NOT IN (1, 7, -1)'), ('i IN (1, NULL)'), ('i NOT IN (1, NULL)'), ('h IN (7, 100000, -1)'),
	('h NOT IN (100000, 200000)'), ('i IN (7::bigint, 10000000000)'), ('l IN (7, -1)'), ('i = ANY (''{}'')'),
	('i <> ALL (''{}'')'), ('i = ANY (NULL::integer[])'), ('7 / i = ANY (''{}'')'), ('i = ANY (''{{7, -1}, {1, 7}}'')'),
	('f IN (0, ''NaN'', 1.5)'), ('g IN (0.1, ''-0'', ''Infinity'', ''NaN'')'), ('f IN (0.1, 0.5)'),
	('f IN (0.5::real, 1e-20::real)'), ('o IN (true, NULL)'), ('d IN (''1994-01-02'', ''infinity'')'),
	('t NOT IN (''2000-01-01'', ''infinity'')'), ('i BETWEEN h AND l2'), ('g NOT BETWEEN -1 AND f2'),
	('g = ''NaN'''), ('g <> ''NaN'''), ('f > 3e37::real'), ('g < ''-0'''), ('f = 0.1'), ('g >= ''Infinity'''), ('i % 2 = 1'),
	('l > 2147483648'), ('i < 3000000000'), ('h * 2::smallint'), ('-(-i)'), ('(f * 2)::integer'), ('i + 1.5::real'),
	('d < now()'), ('t >= current_date'), ('z < now() - interval ''1 day'''), ('d = ''1994-01-01''::timestamp'),
	('d <= ''1994-01-01 00:00:00.000001''::timestamp'), ('d >= ''1994-01-01 12:00''::timestamp'),
	('d <> ''1994-01-01 12:00''::timestamp'), ('d > date ''1994-01-11'' - interval ''10 days'''), ('''infinity''::timestamp = d'),
	('''1994-01-01''::timestamp > d'), ('d < ''1994-01-02 00:00+01''::timestamptz'), ('d <= ''1994-01-01 23:30+00''::timestamptz'),
	('d = ''-infinity''::timestamptz'), ('t = date ''1994-01-01'''), ('t < date ''infinity'''), ('t < date ''5874897-12-31'''),
	('z >= date ''1994-01-01'''), ('z = ''1994-01-01 00:00''::timestamp'), ('z <= ''1994-03-27 02:30''::timestamp'),
	('date ''2000-01-01'' <> z'), ('t < now()'), ('''1994-03-27 02:00+01''::timestamptz > t'),
	('t = ''1993-12-31 23:00+00''::timestamptz'), ('t <> ''infinity''::timestamptz'), ('t > ''-infinity''::timestamptz'), ('t < z'), ('isfinite(d)');
SELECT text, difference(text) FROM expression WHERE difference(text) IS NOT NULL;

-- A remainder by -1 may be taken for an error, and then PostgreSQL decides.
SELECT text, difference(text)
FROM unnest(ARRAY['h % h2', 'i % i2', 'l % l2']) AS text;

-- What is not computed
SELECT text, made_by(format('SELECT count(*) FROM special WHERE %s', text))
FROM unnest(ARRAY['x = ''x''', 'n / 3 > 1', 'sqrt(abs(g)) > 1', 'i & 1 = 1', 'i < ANY (''{1, 2}'')',
	'i = ANY (ARRAY[i2, 7])', 'special IS NULL']) AS text;

-- Parameters and what has no column, of generic plans.  What a parameter
-- decides leaves the rest alone, which may be no number.
SET plan_cache_mode = force_generic_plan;
CREATE FUNCTION prepared(condition text, VARIADIC arguments text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	list text := array_to_string(ARRAY(SELECT quote_nullable(a) FROM unnest(arguments) AS a), ', ');
	answers text[];
	made text;
BEGIN
	FOR i IN 1..2 LOOP
		PERFORM set_config('gpuscan.reports', (ARRAY['off', 'exact'])[i], false);
		EXECUTE format('PREPARE p AS SELECT count(*), gpu_sum(id) FROM special WHERE %s', condition);
		EXECUTE format('CREATE TEMPORARY TABLE got AS EXECUTE p(%s)', list);
		answers := answers || (SELECT got::text FROM got);
		DROP TABLE got;
		IF i = 2 THEN
			made := made_by(format('EXECUTE p(%s)', list));
		END IF;
		DEALLOCATE p;
	END LOOP;
	RETURN CASE WHEN answers[1] = answers[2] THEN 'same, ' ELSE 'not the same, ' END || made;
END
$$;
SELECT prepared('i > $1::integer', '0') AS a, prepared('i > $1::integer', NULL) AS b,
	prepared('i = ANY ($1::integer[])', '{1,NULL,7}') AS c, prepared('l <> ALL ($1::integer[])', '{1,7}') AS d,
	prepared('i = ANY ($1::integer[])', NULL) AS e, prepared('h < $1::integer * 2', '3') AS f,
	prepared('d < $1::timestamp', '1994-01-01 12:00') AS g, prepared('coalesce($1::integer, i) = i', NULL) AS h;
SELECT prepared('($1::integer IS NULL OR i = $1::integer)', NULL) AS a,
	prepared('($1::text = ''all'' OR i = $2::text::integer)', 'all', '') AS b,
	prepared('($1::text = ''all'' OR i = $2::text::integer)', 'one', '7') AS c,
	prepared('CASE WHEN $1::text = ''o'' THEN o WHEN i = 7 THEN $2::text::boolean END', 'o', '') AS d,
	prepared('o OR $1::integer > 0 AND 7 / i > 0', '-1') AS e;
RESET plan_cache_mode;
DROP FUNCTION prepared;

-- Aggregates, over groups of which some have no values
CREATE TABLE aggregate AS
SELECT format('%s(%s)', function, a) || filter AS text
FROM unnest('{h, i, l, f, g}'::text[]) AS a,
	unnest('{count, gpu_count, min, max, gpu_min, gpu_max, gpu_sum, gpu_avg, gpu_var_pop, gpu_var_samp, gpu_variance, gpu_stddev_pop,
		gpu_stddev_samp, gpu_stddev}'::text[]) AS function,
	unnest(ARRAY['', ' FILTER (WHERE o)']) AS filter
UNION ALL
SELECT format('%s(%s)', function, a)
FROM unnest('{h, i, l}'::text[]) AS a,
	unnest('{sum, avg, var_pop, var_samp, variance, stddev_pop, stddev_samp, stddev, bit_and, bit_or, gpu_bit_and, gpu_bit_or,
		gpu_bit_xor}'::text[]) AS function
UNION ALL
SELECT format('%s(%s)', function, a)
FROM unnest('{d, t, z}'::text[]) AS a, unnest('{count, min, max}'::text[]) AS function
UNION ALL
SELECT format('%s(o)', function)
FROM unnest('{count, bool_and, bool_or, every, gpu_bool_and, gpu_bool_or}'::text[]) AS function
UNION ALL
SELECT format('%s(f, g2)', function)
FROM unnest('{gpu_corr, gpu_covar_pop, gpu_covar_samp, gpu_regr_slope, gpu_regr_intercept, gpu_regr_r2}'::text[]) AS function
UNION ALL
VALUES ('count(*)'), ('count(1)'), ('count(NULL::integer)'), ('sum(2)'), ('count(x)'),
	('sum(7 / i) FILTER (WHERE i <> 0)'), ('gpu_median(g)'), ('count(DISTINCT i)'),
	('sum(f) FILTER (WHERE f < 10)'), ('avg(g) FILTER (WHERE abs(g) < 10)'), ('corr(h, i)');
CREATE VIEW tested AS
SELECT text, form, format(form, text) AS query
FROM aggregate, unnest(ARRAY['SELECT %s FROM special WHERE id < 0', 'SELECT i2, %s FROM special GROUP BY i2',
	'SELECT h2, %s FROM special WHERE g BETWEEN -10 AND 10 AND f BETWEEN 0 AND 10 GROUP BY h2']) AS form;
SELECT query FROM tested WHERE answer(query, 'off') IS DISTINCT FROM answer(query, 'exact');
SELECT count(*) FROM tested WHERE form LIKE '%BETWEEN%' AND made_by(query) = 'service';
SELECT text, made_by(query) FROM tested WHERE form LIKE '%BETWEEN%' AND made_by(query) <> 'service';

-- Of 0 and -0 PostgreSQL gives the one that it meets last, or first.
SELECT query, made_by(query), answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT min(f) FROM special WHERE abs(f) = 0', 'SELECT max(f) FROM special WHERE f <= 0',
	'SELECT max(f) FROM special WHERE abs(f) = 0 AND id < 32', 'SELECT min(f) FROM special WHERE abs(f) = 0 AND id < 32',
	'SELECT min(-f) FROM special WHERE abs(f) = 0 AND id < 32', 'SELECT max(-f) FROM special WHERE abs(f) = 0 AND id < 32',
	'SELECT gpu_min(f), gpu_max(f) FROM special WHERE abs(f) = 0', 'SELECT f, count(*) FROM special GROUP BY f',
	'SELECT g, count(*) FROM special WHERE g > 0 GROUP BY g', 'SELECT h, g, count(*) FROM special WHERE id < 32 GROUP BY h, g']) AS query;

-- What was read to learn which values an expression is of counts as read.
CREATE TABLE event AS SELECT timestamp '2001-01-01' + n * interval '1 minute' AS t FROM generate_series(1, 100000) AS n;
-- (Since PostgreSQL 16 a table that grows ends with empty pages, which are read each time: one that is rewritten does not.)
VACUUM FULL event;
VACUUM ANALYZE event;
CREATE FUNCTION was_reading() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) SELECT date_trunc(''hour'', t), count(*) FROM event GROUP BY 1' INTO plan;
	RETURN substring(plan::text, '"Read Time": ([0-9.]+)')::numeric > 0;
END
$$;
SELECT was_reading() AS first, was_reading() AS then;

-- Local times compared with times of a time zone, where clocks change.  Where they
-- leap, the ordinary plan runs.
CREATE TABLE local AS
SELECT t, row_number() OVER () AS id
FROM (SELECT at AT TIME ZONE zone + i * interval '5 minutes' + j * interval '1 microsecond'
	FROM (VALUES ('Europe/Berlin', timestamptz '2007-03-25 01:00+00'), ('Europe/Berlin', '2007-10-28 01:00+00'),
			('America/New_York', '2007-11-04 06:00+00'), ('America/St_Johns', '2007-03-11 03:31+00'),
			('America/St_Johns', '2007-11-04 02:31+00'), ('Australia/Lord_Howe', '2007-10-27 15:30+00'),
			('Australia/Lord_Howe', '2007-03-24 15:00+00'), ('Pacific/Apia', '2011-12-30 10:00+00'),
			('Europe/Dublin', '1916-10-01 02:00+00'),
			('UTC', '0044-03-15 12:00+00 BC')) AS change (zone, at),
		generate_series(-36, 36) AS i, generate_series(-1, 1) AS j
	UNION ALL VALUES (NULL), ('infinity'::timestamp), ('-infinity'), ('294276-12-31 23:59:59.999999'), ('4714-11-24 00:00 BC')) AS row (t);
VACUUM ANALYZE local;
CREATE FUNCTION local_difference(zone text, at timestamptz, OUT compared bigint, OUT made_by_service bigint, OUT different text)
LANGUAGE plpgsql SET datestyle = 'ISO' AS $$
DECLARE
	query text := 'SELECT ' || (SELECT string_agg(format('gpu_sum(id) FILTER (WHERE t %s %%1$L::timestamptz)', op), ', ')
		FROM unnest('{<,<=,=,>=,>,<>}'::text[]) AS op) || ', count(*) FILTER (WHERE %1$L::timestamptz > t) FROM local';
	z timestamptz;
BEGIN
	PERFORM set_config('timezone', zone, true);
	compared := 0;
	made_by_service := 0;
	FOR z IN SELECT at + i * interval '15 minutes' + j * interval '1 microsecond'
		FROM generate_series(-5, 5) AS i, generate_series(-1, 1) AS j LOOP
		compared := compared + 1;
		made_by_service := made_by_service + (made_by(format(query, z)) = 'service')::integer;
		IF answer(format(query, z), 'off') IS DISTINCT FROM answer(format(query, z), 'exact') THEN
			different := z;
		END IF;
	END LOOP;
END
$$;
SELECT zone, at AT TIME ZONE 'UTC' AS at, d.*
FROM (VALUES ('Europe/Berlin', timestamptz '2007-03-25 01:00+00'), ('Europe/Berlin', '2007-10-28 01:00+00'),
		('America/New_York', '2007-11-04 06:00+00'), ('America/St_Johns', '2007-03-11 03:31+00'),
		('America/St_Johns', '2007-11-04 02:31+00'), ('Australia/Lord_Howe', '2007-10-27 15:30+00'),
		('Australia/Lord_Howe', '2007-03-24 15:00+00'), ('Pacific/Apia', '2011-12-30 10:00+00'),
		('Europe/Dublin', '1916-10-01 02:00+00'), ('Europe/Dublin', '1916-05-21 02:25+00'),
		('XXX4YYY,M3.2.0,M11.1.0', '2007-03-11 06:00+00'),
		('UTC', '0044-03-15 12:00+00 BC'), ('UTC', 'infinity'), ('UTC', '-infinity'), ('UTC', '294276-12-31 12:00+00')) AS v (zone, at),
	LATERAL local_difference(zone, at) AS d;
SET timezone = 'UTC';
SELECT made_by('SELECT count(*) FROM local WHERE t > now()') AS later, made_by('SELECT count(*) FROM local WHERE now() - interval ''1 day'' >= t') AS earlier;
DROP FUNCTION local_difference;

DROP VIEW tested;
DROP TABLE special, expression, aggregate, event, local;
DROP FUNCTION without_error, difference, was_reading;
