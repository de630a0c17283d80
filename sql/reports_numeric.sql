-- Reports over tables: numeric, with its digits and display scales, against the
-- ordinary plans.
SET gpuscan.engine = gpu;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
SET cpu_operator_cost = 100;	-- a small table is worth a report
SET jit = off;

-- Special values of numeric(digits, scale), 16 of them
CREATE FUNCTION specials(digits integer, scale integer) RETURNS numeric[] LANGUAGE sql AS $$
	SELECT array_agg(((u % (10::numeric ^ digits)::numeric(40, 0))::text || 'e-' || scale)::numeric
		ORDER BY i)
	FROM unnest(ARRAY[NULL, 0, 1, -1, 5, 10, -99, 999, 10000, -10001, 99990000, 250000000, -1234567890123, 100000000000000000,
		999999999999999999, -999999999999999999]::numeric[]) WITH ORDINALITY AS unit (u, i)
$$;

-- Each pair of special values of two columns of a type is in some row.  The
-- names tell how many digits there are, and how many of them are decimals.
CREATE TABLE special AS
SELECT p.a * 16 + p.b AS id, n1_0[1 + p.a] AS n1_0, n1_0[1 + p.b] AS m1_0, n4_1[1 + p.a] AS n4_1, n4_1[1 + p.b] AS m4_1,
	n6_3[1 + p.a] AS n6_3, n6_3[1 + p.b] AS m6_3, n9_0[1 + p.a] AS n9_0, n9_0[1 + p.b] AS m9_0,
	n15_2[1 + p.a] AS n15_2, n15_2[1 + p.b] AS m15_2, n18_0[1 + p.a] AS n18_0, n18_0[1 + p.b] AS m18_0,
	n18_9[1 + p.a] AS n18_9, n18_9[1 + p.b] AS m18_9, n18_18[1 + p.a] AS n18_18, n18_18[1 + p.b] AS m18_18,
	p.a * 16 - p.b AS i, p.a * 1000000000000 AS l, (p.b - 5)::smallint AS h, (p.a - 7) * 0.1::double precision AS g,
	p.b % 3 = 0 AS o, 1.5 AS n, 1.5::numeric(19, 2) AS n19_2
FROM (SELECT a, b FROM generate_series(0, 15) AS a, generate_series(0, 15) AS b) AS p,
	specials(1, 0) AS n1_0, specials(4, 1) AS n4_1, specials(6, 3) AS n6_3, specials(9, 0) AS n9_0,
	specials(15, 2) AS n15_2, specials(18, 0) AS n18_0, specials(18, 9) AS n18_9, specials(18, 18) AS n18_18;
DO $$
DECLARE
	name text;
BEGIN
	FOR name IN SELECT attname FROM pg_attribute WHERE attrelid = 'special'::regclass AND attname ~ '^[nm]\d+_\d+$' LOOP
		EXECUTE format('ALTER TABLE special ALTER %I TYPE numeric(%s)', name, replace(substr(name, 2), '_', ', '));
	END LOOP;
END
$$;
VACUUM ANALYZE special;

-- This report waits for the service's start.
SELECT sum(n15_2), gpu_sum(i) FROM special;
SET gpuscan.engine = auto;

-- Each row's value, alone, and as a part of a sum of all.  What does not fit
-- into 64 bits is left to the ordinary plan.
CREATE FUNCTION tested(expression text, OUT made_by text, OUT same boolean) LANGUAGE plpgsql AS $$
DECLARE
	type regtype;
	query text;
BEGIN
	EXECUTE format('SELECT pg_typeof(%s) FROM special LIMIT 1', expression) INTO type;
	query := format(CASE type::text WHEN 'numeric' THEN 'SELECT sum(%1$s), avg(%1$s), count(%1$s) FROM special'
		WHEN 'double precision' THEN 'SELECT gpu_sum(%1$s), min(%1$s), count(%1$s) FROM special'
		ELSE 'SELECT bool_and(%1$s), bool_or(%1$s), count(%1$s), count(*) FILTER (WHERE %1$s) FROM special' END, expression);
	made_by := made_by(query);
	same := answer(query, 'off') = answer(query, 'exact');
	query := query || ' GROUP BY id';
	same := same AND answer(query, 'off') = answer(query, 'exact');
	IF type = 'boolean'::regtype THEN
		query := format('SELECT count(*) FROM special WHERE %s', expression);
		same := same AND answer(query, 'off') = answer(query, 'exact');
	END IF;
END
$$;

-- Operators over all pairs of columns
CREATE TABLE expression (number serial, text text);
INSERT INTO expression (text)
SELECT format(form, a, b)
FROM unnest('{n1_0, n4_1, n6_3, n9_0, n15_2, n18_0, n18_9, n18_18}'::text[]) AS a,
	unnest('{m1_0, m4_1, m6_3, m9_0, m15_2, m18_0, m18_9, m18_18}'::text[]) AS b,
	unnest(ARRAY['%s + %s', '%s - %s', '%s * %s', '%s = %s', '%s <> %s', '%s < %s', '%s <= %s', '%s > %s', '%s >= %s',
		'%s IS DISTINCT FROM %s', 'nullif(%s, %s)', 'coalesce(%s, %s)', 'CASE WHEN %s > %s THEN 1.50 END',
		'CASE WHEN o THEN %s ELSE %s END']) AS form
WHERE substr(a, 2) <= substr(b, 2) OR (a, b) = ('n6_3', 'm4_1');
CREATE TABLE result AS SELECT number, text, (tested(text)).* FROM expression;
SELECT count(*), made_by, same FROM result GROUP BY 2, 3 ORDER BY 2, 3;
-- numbers of few digits always fit
SELECT text, made_by FROM result WHERE made_by <> 'service' AND text !~ '18_';

-- Functions, casts, constants of other scales, choices, lists
TRUNCATE expression, result;
INSERT INTO expression (text)
SELECT format(form, a)
FROM unnest('{n1_0, n4_1, n6_3, n9_0, n15_2, n18_0, n18_9, n18_18}'::text[]) AS a,
	unnest(ARRAY['-%s', '+%s', 'abs(%s)', '%s IS NULL', '%s * 2', '%s + 1', '1 - %s', '%s * 1.10', '%s + 0.125', '-%s - 0.5', '%s + NULL',
		'coalesce(%s, 0)', 'coalesce(0.000, %s)', 'nullif(%s, 0.0)', 'nullif(%s, 1)', 'CASE WHEN o THEN %s ELSE 0 END',
		'CASE WHEN o THEN 1.5 WHEN h > 0 THEN %s END', 'CASE WHEN o THEN %1$s ELSE 0 END * 1.1 + %1$s', 'CASE WHEN o THEN 0 ELSE -%s END + 1',
		'CASE WHEN o THEN coalesce(%1$s, 0) ELSE abs(CASE WHEN h > 0 THEN %1$s ELSE 5.25 END) END', 'abs(coalesce(%s, 2)) > 0.5',
		'CASE %s WHEN 0.00 THEN 1.5 WHEN 1 THEN 2.0 END', 'least(%1$s, -%1$s)', 'greatest(%1$s, NULL, abs(%1$s))',
		'%s + i', '%s * h', '%s < l', 'i::numeric = %s', '%s > g', '%s::double precision = g', '%s::double precision * 2',
		'%s < 0.1::double precision', '%s IN (0, 1.0, 0.001, -0.99)', '%s NOT IN (0, 5.000, 0.5)', '%s IN (1, NULL)',
		'%s NOT IN (1, NULL)', '%s IN (1e30, -1e30, 0.00000000000000000001)', '%s = ANY (ARRAY[]::numeric[])', '%s <> ALL (''{NaN, 0.5}'')',
		'%s BETWEEN -0.0099 AND 12.5', '%s NOT BETWEEN SYMMETRIC 12.5 AND 0.0001', '%1$s > 0 AND %1$s + 0.5 < 100 AND o']) AS form;
INSERT INTO result SELECT number, text, (tested(text)).* FROM expression;
SELECT count(*), made_by, same FROM result GROUP BY 2, 3 ORDER BY 2, 3;
SELECT text, made_by FROM result WHERE made_by <> 'service' AND text !~ '18_' OR NOT same;

-- Comparisons with constants of any scale and size
SELECT a, made_by(query), answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest('{n1_0, n4_1, n6_3, n9_0, n15_2, n18_0, n18_9, n18_18}'::text[]) AS a,
	LATERAL (SELECT format('SELECT id, %s FROM special GROUP BY id', string_agg(format('count(*) FILTER (WHERE %s %s %s::numeric)',
		CASE WHEN i % 2 = 0 THEN a ELSE '''' || c || '''' END, operator, CASE WHEN i % 2 = 0 THEN '''' || c || '''' ELSE a END), ', ')) AS query
	FROM unnest('{0, 0.000, 0.0001, -0.0001, 0.5, -0.99, 0.999, 10000.00001, -10001, 99990000}'::text[]) WITH ORDINALITY AS constant (c, i),
		unnest('{=, <>, <, <=, >, >=}'::text[]) AS operator) AS q
UNION ALL
SELECT a, made_by(query), answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest('{n1_0, n4_1, n6_3, n9_0, n15_2, n18_0, n18_9, n18_18}'::text[]) AS a,
	LATERAL (SELECT format('SELECT id, %s FROM special GROUP BY id', string_agg(format('count(*) FILTER (WHERE %s %s ''%s''::numeric)',
		a, operator, c), ', ')) AS query
	FROM unnest('{NaN, 1e300, -1e300, 9223372036854775807, 9223372036854775808, -9223372036854775808, -9223372036854775808.5,
		99999999999999999999999999.9, 1e-300, -0.123456789012345678901}'::text[]) AS c,
		unnest('{=, <>, <, <=, >, >=}'::text[]) AS operator) AS q;

-- Aggregates, over groups of which some have no values
TRUNCATE expression;
INSERT INTO expression (text)
SELECT format('%s(%s)', function, a) || filter
FROM unnest('{n1_0, n4_1, n6_3, n9_0, n15_2, n18_0, n18_9, n18_18, n15_2 * (1 - n4_1), n6_3 * -1.5, n18_18 * n18_9, n18_0 * n18_0,
	2 * n9_0, CASE WHEN o THEN n6_3 WHEN h > 3 THEN n4_1 ELSE 7 END, i * m6_3}'::text[]) AS a,
	unnest('{count, sum, avg, min, max, var_pop, var_samp, variance, stddev_pop, stddev_samp, stddev}'::text[]) AS function,
	unnest(ARRAY['', ' FILTER (WHERE o)']) AS filter;
TRUNCATE result;
INSERT INTO result
SELECT number, text, made_by(query), answer(query, 'off') = answer(query, 'exact') AS same
FROM (SELECT number, text, format(form, text) AS query
	FROM expression, unnest(ARRAY['SELECT %s FROM special WHERE id < 0', 'SELECT %s FROM special WHERE id < 16', 'SELECT %s FROM special',
		'SELECT h, %s FROM special GROUP BY h', 'SELECT m4_1, %s FROM special GROUP BY m4_1',
		'SELECT m18_18, m1_0, %s FROM special WHERE id %% 7 < 3 GROUP BY m18_18, m1_0']) AS form) AS q;
SELECT count(*), made_by, same FROM result GROUP BY 2, 3 ORDER BY 2, 3;
SELECT DISTINCT text, made_by FROM result WHERE made_by <> 'service' AND text !~ '18_' ORDER BY 1, 2;

-- two display scales of the same numbers; results are stored without zeros at their ends
SELECT made_by(query), answer(query, 'off') = answer(query, 'exact') AS same
FROM (VALUES ('SELECT m4_1, sum(CASE WHEN o THEN n4_1 ELSE 0 END), sum(CASE WHEN o THEN n4_1 ELSE 0.0 END), sum(CASE WHEN h > 90 THEN n6_3 ELSE 0 END),
	pg_column_size(sum(n9_0)), pg_column_size(sum(n15_2 * n18_18)), pg_column_size(max(n18_9)) FROM special WHERE id % 7 < 3 GROUP BY m4_1')) AS q (query);

-- As keys: equality, order, HAVING, and parameters of a generic plan
SELECT n6_3, count(*), sum(n15_2) FROM special GROUP BY n6_3 ORDER BY n6_3 DESC;
SELECT n6_3, n15_2, max(n1_0) FROM special GROUP BY n6_3, n15_2 ORDER BY n6_3, n15_2 LIMIT 4;
SELECT n6_3, n18_18 FROM special GROUP BY n6_3, n18_18 HAVING sum(n15_2) > 1.5 AND n6_3 < 10 ORDER BY n6_3, n18_18 LIMIT 3;
EXPLAIN (COSTS OFF) SELECT n6_3, sum(n15_2 * (1 - n4_1)) FROM special WHERE n4_1 > 0.05 GROUP BY n6_3 ORDER BY n6_3;
SET plan_cache_mode = force_generic_plan;
CREATE FUNCTION prepared(v numeric) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	query text := format('EXECUTE p(%L, ''{0.1, 0.50, NULL, 7}'')', v);
	rows text[];
	made text;
BEGIN
	FOR i IN 1..2 LOOP
		PERFORM set_config('gpuscan.reports', (ARRAY['off', 'exact'])[i], false);
		PREPARE p(numeric, numeric[]) AS
		SELECT sum(n15_2 * $1) AS product, sum(n6_3 + $1) AS sum, count(*) FILTER (WHERE n6_3 > $1 + 0.0005), sum(CASE WHEN o THEN n4_1 ELSE $1 END) AS choice
		FROM special WHERE n4_1 < $1 OR n4_1 = ANY ($2);
		EXECUTE 'CREATE TEMPORARY TABLE got AS ' || query;
		rows := rows || (SELECT got::text FROM got);
		DROP TABLE got;
		made := made_by(query);
		DEALLOCATE p;
	END LOOP;
	RETURN concat_ws(', ', CASE WHEN rows[1] = rows[2] THEN 'same' ELSE 'not the same' END, made, rows[1]);
END
$$;
SELECT v, prepared(v) FROM unnest('{NULL, 0, 1.5, 2.00000, 1e10, 1e30, NaN}'::numeric[]) AS v;
RESET plan_cache_mode;

-- What is not computed
SELECT text, made_by(format('SELECT %s FROM special', text))
FROM unnest(ARRAY['sum(n19_2)', 'sum(n6_3 / 2)', 'sum(n6_3 % 2)', 'sum(round(n6_3, 1))', 'sum(n6_3::numeric(10, 1))', 'sum(n6_3::integer)',
	'max(n6_3::real)', 'sum(n6_3 + g::numeric)', 'min(coalesce(n6_3, 0))', 'sum(least(n6_3, n4_1))', 'avg(n18_9 * n18_9 * n18_9 * n18_9)',
	'sum(n6_3 * 0.0000000000000000000000000000000000001)', 'sum(DISTINCT n6_3)',
	-- but these are
	'sum(n6_3::numeric)', 'sum(n6_3::numeric(8, 3))']) AS text;

-- gpuscan's aggregates, and PostgreSQL's that give one of the values, by groups of
-- every size
CREATE TABLE aggregated (query text);
INSERT INTO aggregated
SELECT format(form, replace(aggregate, '%s', c))
FROM unnest('{n1_0, n6_3, m15_2, n18_0, n18_9, n18_18}'::text[]) AS c,
	unnest(ARRAY['gpu_count(%s), gpu_sum(%s), gpu_avg(%s)', 'gpu_min(%s), gpu_max(%s), gpu_count_distinct(%s), gpu_count(DISTINCT %s), gpu_max(DISTINCT %s)',
		'gpu_var_pop(%s), gpu_var_samp(%s), gpu_variance(%s), gpu_stddev_pop(%s), gpu_stddev_samp(%s), gpu_stddev(%s)',
		'gpu_median(%s), gpu_mode(%s), gpu_percentile_cont(%s, 0.29), gpu_percentile_cont(%s, ARRAY[0, 0.9, NULL, 1 / 3.0::double precision])',
		'gpu_percentile_disc(%s, 0.29), gpu_percentile_disc(%s, ARRAY[[0.9], [0.5]])',
		'gpu_histogram(%s, -1, 1, 4), gpu_histogram(%s, 500.5, -3e5, 1000), gpu_histogram(%s, 1e-9, 0.1, 7) FILTER (WHERE o)',
		'percentile_disc(0.3) WITHIN GROUP (ORDER BY %s), mode() WITHIN GROUP (ORDER BY %s)',
		'gpu_median(%s) FILTER (WHERE o), gpu_sum(%s) FILTER (WHERE o), gpu_sum(-%s), gpu_avg(%s * n6_3)']) AS aggregate,
	unnest('{SELECT %s FROM special,SELECT h\, %s FROM special GROUP BY h,SELECT id / 3\, %s FROM special GROUP BY id / 3,SELECT %s FROM special WHERE id < 0}'::text[]) AS form;
SELECT query FROM aggregated WHERE answer(query, 'off') IS DISTINCT FROM answer(query, 'exact');
SELECT made_by(query), count(*) FROM aggregated GROUP BY 1 ORDER BY 1;

-- gpu_sum() as sum() is taken, of values whose display scale differs too; but a
-- value needs one
SELECT query, made_by(query), answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest(ARRAY['gpu_sum(coalesce(n6_3, 0)), gpu_count(coalesce(n6_3, 0))', 'gpu_sum(n)', 'gpu_median(n)', 'gpu_median(coalesce(n6_3, 0))',
	'gpu_percentile_disc(coalesce(n6_3, 0), 0.5)', 'gpu_sum(n19_2)', 'gpu_stats_agg(n6_3::double precision)', 'gpu_histogram(n6_3, -1, 1, 5000)', 'gpu_histogram(coalesce(n6_3, 0), -1, 1, 4)', 'gpu_histogram(n, -1, 1, 4)', 'gpu_sum(DISTINCT n6_3)']) AS a,
	format('SELECT %s FROM special', a) AS query;

-- States of sums are PostgreSQL's own: with a partition that no report reads there is none,
-- but of aggregates whose states are ordinary values.
CREATE TABLE halves (k integer, n numeric(9, 3)) PARTITION BY LIST (k);
CREATE TABLE halves_1 PARTITION OF halves FOR VALUES IN (1);
CREATE UNLOGGED TABLE halves_2 PARTITION OF halves FOR VALUES IN (2);
INSERT INTO halves SELECT 1 + i % 2, i * 0.125 FROM generate_series(1, 3000) AS i;
VACUUM ANALYZE halves;
SELECT query, made_by(query), answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest('{SELECT gpu_sum(n)\, gpu_stddev(n) FROM halves,SELECT gpu_count(n)\, gpu_min(n)\, gpu_max(n) FROM halves,SELECT k\, gpu_avg(n)\, gpu_median(n) FROM halves GROUP BY k}'::text[]) AS query;
SET enable_partitionwise_aggregate = on;
SELECT query, made_by(query), answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest('{SELECT k\, gpu_avg(n)\, gpu_median(n) FROM halves GROUP BY k}'::text[]) AS query;
RESET enable_partitionwise_aggregate;
DROP TABLE halves, aggregated;

-- Scales that only PostgreSQL 15 and later have
DO $$
DECLARE
	old boolean := current_setting('server_version_num')::integer < 150000;
BEGIN
	EXECUTE format('CREATE TABLE scaled AS SELECT (i * 0.00001)::numeric(%s) AS small, (i * 100)::numeric%s AS large
		FROM generate_series(1, 500) AS i', CASE WHEN old THEN '5, 5' ELSE '3, 5' END, CASE WHEN NOT old THEN '(5, -2)' END);
END
$$;
VACUUM ANALYZE scaled;
SELECT made_by('SELECT sum(small) FROM scaled'),
	CASE WHEN current_setting('server_version_num')::integer >= 150000 THEN made_by('SELECT sum(large) FROM scaled') ELSE 'query' END AS made_by;
SELECT sum(small), avg(small), min(small), max(small) FILTER (WHERE small < 0.00123) FROM scaled;

-- NaN is no integer: as long as there is one, the ordinary plan runs.  This one
-- is not on the last page.
CREATE TABLE strange AS SELECT i, (CASE WHEN i > 0 THEN i * 0.01 ELSE 'NaN' END)::numeric(10, 2) AS n
FROM generate_series(0, 1000) AS i;
VACUUM ANALYZE strange;
SELECT made_by('SELECT sum(n) FROM strange'), made_by('SELECT sum(i) FROM strange');
SELECT sum(n), max(n), count(*) FROM strange WHERE n > 5;
DELETE FROM strange WHERE n = 'NaN';
ANALYZE strange;	-- a column that was refused is tried anew
SELECT made_by('SELECT sum(n) FROM strange');
SELECT sum(n), max(n), count(*) FROM strange WHERE n > 5;

-- Columns that rows are older than; a type that changes
ALTER TABLE strange ADD d numeric(8, 3) DEFAULT -12.5, ADD e numeric(4, 2);
SELECT made_by('SELECT sum(d), sum(e), sum(n) FROM strange');
SELECT sum(d), sum(e), avg(d + n) FROM strange;
ALTER TABLE strange ADD nan numeric(4, 2) DEFAULT 'NaN';
SELECT made_by('SELECT sum(nan) FROM strange');
ALTER TABLE strange ALTER n TYPE numeric(12, 2);
SELECT made_by('SELECT sum(n) FROM strange');
ALTER TABLE strange ALTER n TYPE numeric(12, 4);
VACUUM strange;
SELECT made_by('SELECT sum(n) FROM strange');
SELECT sum(n), sum(d) FROM strange;
ALTER TABLE strange ALTER n TYPE numeric;
SELECT made_by('SELECT sum(n) FROM strange');

-- Columns without a scale: taken if one display scale is that of all values
CREATE TABLE plain (k integer, two numeric, whole numeric, mixed numeric, long numeric, nan numeric, none numeric) WITH (autovacuum_enabled = off);
INSERT INTO plain
SELECT i % 7, i % 100 + 0.25, CASE WHEN i % 3 > 0 THEN i % 10 END, CASE i % 2 WHEN 0 THEN 1.5 ELSE 2 END, 1e18::numeric + i,
	CASE WHEN i < 900 THEN i::numeric ELSE 'NaN' END, NULL
FROM generate_series(1, 1000) AS i;
VACUUM ANALYZE plain;
CREATE VIEW unscaled AS
SELECT query, made_by(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same, made_by(query) AS again
FROM unnest(ARRAY[
	'SELECT k, sum(two), avg(two), min(two), max(two), stddev(two), sum(whole), avg(whole), count(whole), sum(none), max(none) FROM plain GROUP BY k',
	'SELECT two, whole, none, count(*), sum(two * whole), avg(two + whole), sum(two * 1.5 - 7) FROM plain WHERE two > 3.333 AND whole IN (1, 2.0, 5) GROUP BY 1, 2, 3',
	'SELECT sum(two) FILTER (WHERE k = 1) + 0.125, sum(CASE WHEN k > 3 THEN two ELSE whole END), max(abs(-two)) FROM plain WHERE two >= whole',
	'SELECT sum(mixed) FROM plain', 'SELECT k, max(two), sum(long) FROM plain GROUP BY k', 'SELECT count(*) FROM plain WHERE nan > 3']) AS query;
SELECT * FROM unscaled;
EXPLAIN (ANALYZE) SELECT sum(mixed) FROM plain \g /dev/null
-- values of another scale come and go
INSERT INTO plain SELECT 1, 3.5, 3, 4, 5, 6, 7;
SELECT * FROM unscaled;
DELETE FROM plain WHERE scale(two) <> 2 OR scale(mixed) = 0 OR nan = 'NaN' OR none = 7;
VACUUM plain;
SELECT * FROM unscaled;
UPDATE plain SET two = two * 1.000, whole = k, mixed = mixed - 1, long = k, none = 0.5;
VACUUM FULL plain;	-- another file: a column that was refused again and again is tried anew
VACUUM plain;
SELECT * FROM unscaled;
SELECT gpuscan_load('plain', 'two');
ALTER TABLE plain ADD later numeric DEFAULT 1.125;
SELECT query, made_by(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT sum(later) FROM plain WHERE two > 1', 'SELECT later, sum(later) FROM plain GROUP BY 1']) AS query;
-- a session that knows of no scale yet, where one is held
\c
LOAD 'gpuscan';
SET gpuscan.engine = gpu;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
SET cpu_operator_cost = 100;	-- a small table is worth a report
SET jit = off;
SELECT * FROM unscaled;
DROP VIEW unscaled;

-- Which of equal numbers is shown must not matter: of least and greatest, where one has no scale of its own, that is not known.
CREATE TABLE alike AS SELECT (i % 5)::numeric(4, 1)::numeric AS u, (i % 3)::numeric(6, 1) AS n FROM generate_series(1, 30000) AS i;
VACUUM ANALYZE alike;
SELECT query, made_by(query), answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest(ARRAY['greatest(u, n)', 'least(u, 1.0)', 'greatest(n, u * n)', 'greatest(u, u)', 'greatest(u, NULL)', 'least(n, 1.0)', 'greatest(n, 1)', 'coalesce(u, 1)', 'CASE WHEN u > 1 THEN u ELSE n * n END']) AS key,
	unnest(ARRAY['SELECT %s, count(*) FROM alike GROUP BY 1', 'SELECT max(%s) FROM alike']) AS form, format(form, key) AS query;
-- what is known only then is not tried again
SELECT query, made_by(query)
FROM unnest(ARRAY['SELECT coalesce(u, 1), count(*) FROM alike GROUP BY 1', 'SELECT max(coalesce(u, 1)) FROM alike', 'SELECT sum(coalesce(u, 1)) FROM alike']) AS query;
DROP TABLE alike;

-- In parts
CREATE TABLE parted (n numeric(9, 3), k integer) PARTITION BY LIST (k);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (0);
CREATE TABLE parted_2 (k integer, gone numeric(5, 1), n numeric(9, 3));
ALTER TABLE parted_2 DROP gone;
ALTER TABLE parted ATTACH PARTITION parted_2 FOR VALUES IN (1);
INSERT INTO parted SELECT i * 0.125, i % 2 FROM generate_series(1, 2000) AS i;
VACUUM ANALYZE parted;
SELECT made_by('SELECT k, sum(n * n) FROM parted GROUP BY k');
SELECT k, sum(n * n), stddev(n) FROM parted GROUP BY k ORDER BY k;

-- What the service may hold beforehand
SELECT gpuscan_load('strange', 'd', 'e');
SELECT gpuscan_load('strange', 'n');

-- Sums of products beyond 64 and 128 bits
CREATE TABLE enormous AS
SELECT (999999999999999999 - i)::numeric(18, 0) AS a, (i - 999999999999999999)::numeric(18, 0) AS b FROM generate_series(1, 3000) AS i;
VACUUM ANALYZE enormous;
SELECT made_by('SELECT sum(a), sum(a * b), avg(b * b), stddev(a) FROM enormous'), made_by('SELECT sum(a + a + a + a + a + a + a + a + a + a) FROM enormous');
SELECT sum(a), sum(a * b), avg(b * b), stddev(a), variance(b) FROM enormous;
SELECT sum(a * b * 10), max(a + a + a + a + a + a + a + a + a + a) FROM enormous;
SET gpuscan.reports = off;
SELECT sum(a), sum(a * b), avg(b * b), stddev(a), variance(b) FROM enormous;
RESET gpuscan.reports;

DROP TABLE special, expression, result, scaled, strange, plain, parted, enormous;
DROP FUNCTION specials, tested, prepared;
