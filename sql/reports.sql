-- Reports over tables: which queries are made as one, and that their answers
-- are those of the ordinary plans.  (gpu: the session waits for the service.)
SET gpuscan.engine = gpu;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;

-- Is there a report in the plan?
CREATE FUNCTION taken(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN plan::text LIKE '%GpuscanReport%';
END
$$;

-- Did the service make it?
CREATE FUNCTION made(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
	RETURN plan::text LIKE '%"Engine":%' AND plan::text NOT LIKE '%"Ordinary Plans":%';
END
$$;

-- A query's rows: in order, if it has one at its end.
CREATE FUNCTION answer(query text, reports text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	rows text;
BEGIN
	PERFORM set_config('gpuscan.reports', reports, false);
	EXECUTE format(CASE WHEN query ~ ' ORDER BY [^()]*$'
		THEN 'SELECT string_agg(r::text, '';'') FROM (%s) AS r'
		ELSE 'SELECT string_agg(r::text, '';'' ORDER BY r::text) FROM (%s) AS r' END,
		query) INTO rows;
	RETURN rows;
END
$$;

-- The rows of a table that is large enough, with NULLs and special values.
CREATE TABLE sale (s smallint, k integer, b bigint, f real, v double precision,
	o boolean, d date, t timestamp, z timestamptz, x double precision,
	wide double precision, n numeric);
INSERT INTO sale
SELECT i % 5, NULLIF(i % 100, 99), NULLIF(i::bigint * 1000000007 % 10007, 0), i % 64 * 0.5,
	CASE WHEN i % 11 <> 0 THEN (i % 1000 - 500) * 0.25 END, i % 3 = 0,
	date '1994-01-01' + i % 700, timestamp '1994-01-01' + i * interval '1 minute',
	timestamptz '1994-01-01 00:00+00' + i * interval '1 hour',
	CASE i % 1999 WHEN 0 THEN 'NaN'::float8 WHEN 1 THEN 'Infinity' WHEN 2 THEN '-0' WHEN 3 THEN 1e300
		ELSE i * 1e-9 END,
	CASE i % 3 WHEN 0 THEN i * 1e140 WHEN 1 THEN i * 1e-140 ELSE i END, i
FROM generate_series(1, 30000) AS i;
CREATE TABLE parted (k integer, d date, v double precision) PARTITION BY RANGE (d);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM ('1994-01-01') TO ('1995-01-01');
-- columns in another order, and one that is gone
CREATE TABLE parted_2 (v double precision, gone integer, d date, k integer);
ALTER TABLE parted_2 DROP gone;
ALTER TABLE parted ATTACH PARTITION parted_2 FOR VALUES FROM ('1995-01-01') TO ('1996-01-01');
INSERT INTO parted SELECT k, d, v FROM sale;
CREATE TABLE keyed (id integer PRIMARY KEY, k integer, v double precision);
INSERT INTO keyed SELECT n, k, v FROM sale;
CREATE TABLE small AS SELECT * FROM sale LIMIT 100;
CREATE UNLOGGED TABLE unlogged AS TABLE sale;
CREATE TABLE parent AS TABLE sale;
CREATE TABLE child () INHERITS (parent);
CREATE TABLE hidden AS TABLE sale;
CREATE TABLE secured AS TABLE sale;
CREATE ROLE regress_gpuscan_reports;
GRANT SELECT ON secured TO regress_gpuscan_reports;
CREATE POLICY few ON secured USING (k < 50);
ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
CREATE VIEW barrier WITH (security_barrier) AS SELECT k, v FROM sale WHERE s = 1;
CREATE VIEW simple AS SELECT k, v FROM sale WHERE s = 1;
VACUUM ANALYZE sale, parted, keyed, small, unlogged, parent, child, secured;
ANALYZE hidden;

-- What EXPLAIN shows: the report's keys and filter, HAVING, and the ordinary plan.
EXPLAIN (COSTS OFF)
SELECT k, gpu_sum(v) AS sum, count(*) FROM sale WHERE d >= '1994-02-01' AND v > 0.25 GROUP BY k;
EXPLAIN (COSTS OFF)
SELECT gpu_avg(v) + 1 FROM sale HAVING gpu_max(v) > 3;

-- The library is loaded when the planner looks at an aggregate of gpuscan's.
\c
SET gpuscan.engine = gpu;
SELECT taken(query), query
FROM (VALUES
	(1, 'SELECT sum(b) FROM sale'),
	(2, 'SELECT gpu_count(k) FROM sale'),
	(3, 'SELECT sum(b) FROM sale')) AS q (i, query)
ORDER BY i;
\c
SET gpuscan.engine = gpu;
SELECT taken('SELECT gpu_max(k) FROM sale'), taken('SELECT gpu_bool_or(o) FROM sale');
\c
SET gpuscan.engine = auto;
SELECT taken('SELECT gpu_sum(v) FROM sale') AS auto;
SET gpuscan.engine = cpu;
SELECT taken('SELECT gpu_sum(v) FROM sale') AS cpu;
SET gpuscan.engine = gpu;

-- What is taken under which setting
SELECT query,
	set_config('gpuscan.reports', 'off', false) < '' OR taken(query) AS off,
	set_config('gpuscan.reports', 'gpuscan', false) < '' OR taken(query) AS gpuscan,
	set_config('gpuscan.reports', 'exact', false) < '' OR taken(query) AS exact,
	set_config('gpuscan.reports', 'all', false) < '' OR taken(query) AS "all"
FROM unnest(ARRAY[
	'SELECT gpu_sum(v) FROM sale',
	'SELECT gpu_sum(v), sum(k) FROM sale',
	'SELECT sum(k), count(*), min(v), max(d), bool_and(o), bit_or(k) FROM sale',
	'SELECT k FROM sale GROUP BY k',
	'SELECT sum(v) FROM sale']) AS query;
RESET gpuscan.reports;

-- What is not taken
CREATE TEMPORARY TABLE temporary AS TABLE sale;
ANALYZE temporary;
SELECT query, taken(query)
FROM unnest(ARRAY[
	'SELECT gpu_sum(v) FROM small',
	'SELECT gpu_sum(v) FROM unlogged',
	'SELECT gpu_sum(v) FROM temporary',
	'SELECT gpu_sum(v) FROM parent',
	'SELECT gpu_sum(v) FROM ONLY parent',
	'SELECT gpu_sum(v) FROM hidden',
	'SELECT gpu_sum(v) FROM barrier',
	'SELECT gpu_sum(v) FROM simple',
	'SELECT gpu_sum(v) FROM sale WHERE false',
	'SELECT gpu_sum(v) FROM sale WHERE random() < 2',
	'SELECT gpu_sum(v) FROM sale TABLESAMPLE SYSTEM (50)',
	'SELECT gpu_sum(v) FROM sale WHERE ctid <> ''(0,1)''',
	'SELECT gpu_sum(sale.v) FROM sale, small WHERE sale.k = small.k',
	'SELECT gpu_sum(v) FROM (SELECT v FROM sale LIMIT 20000) AS s',
	'SELECT gpu_sum(v) FROM (SELECT v FROM sale FOR UPDATE) AS s',
	'SELECT gpu_sum(v ORDER BY k) FROM sale',
	'SELECT gpu_sum(DISTINCT v) FROM sale',
	'SELECT gpu_sum(v), sum(n / 3) FROM sale',
	'SELECT n / 3, gpu_sum(v) FROM sale GROUP BY 1',
	'SELECT gpu_sum(v) FROM sale WHERE k IN (SELECT k FROM small)',
	'SELECT gpu_sum(v) FROM generate_series(1, 100000) AS v',
	'SELECT gpu_sum(reltuples) FROM pg_class']) AS query;
SET ROLE regress_gpuscan_reports;
SELECT taken('SELECT gpu_sum(v) FROM secured') AS with_row_security;
RESET ROLE;
SET enable_seqscan = off;
SELECT taken('SELECT gpu_sum(v) FROM sale') AS without_seqscan;
RESET enable_seqscan;
EXPLAIN (VERBOSE) SELECT gpu_sum(v) FROM unlogged \g /dev/null
EXPLAIN (VERBOSE) SELECT gpu_sum(v) FROM temporary \g /dev/null

-- What is taken has the same answer.
CREATE TABLE query (number serial, query text);
INSERT INTO query (query) VALUES
	('SELECT gpu_sum(v) FROM sale'),
	('SELECT k, gpu_sum(v), gpu_avg(v), gpu_stddev(v), count(*) FROM sale WHERE d >= ''1994-03-01'' AND v > 0.25 GROUP BY k'),
	('SELECT s, o, gpu_sum(k), gpu_sum(b), gpu_avg(b), gpu_var_pop(k), gpu_min(b), gpu_max(k) FROM sale GROUP BY s, o'),
	('SELECT d, sum(k), avg(k), count(v), min(v), max(f) FROM sale GROUP BY d'),
	('SELECT t, z, gpu_sum(v) FROM sale WHERE t < ''1994-01-02'' GROUP BY t, z'),
	('SELECT k, gpu_sum(x), gpu_avg(x), gpu_min(x), gpu_max(x) FROM sale GROUP BY k'),
	('SELECT gpu_sum(x), gpu_stddev(x) FROM sale WHERE x < 1e100'),
	('SELECT k, gpu_sum(v) FILTER (WHERE o), count(*) FILTER (WHERE s = 3) FROM sale GROUP BY k'),
	('SELECT o, bool_and(v > 3), bool_or(o), bit_and(k), bit_or(s), min(d), max(t) FROM sale GROUP BY o'),
	('SELECT k, gpu_sum(v) + 1, k * 2, count(*) FROM sale GROUP BY k HAVING gpu_max(v) > 60 AND k > 5'),
	('SELECT 1 AS one, ''x'' AS x, gpu_sum(v) FROM sale GROUP BY k'),
	('SELECT k FROM sale GROUP BY k'),
	('SELECT k, gpu_sum(v * 2 + k), gpu_sum(CASE WHEN o THEN v ELSE -v END), gpu_sum(coalesce(v, 0)) FROM sale GROUP BY k'),
	('SELECT gpu_sum(v) FROM sale WHERE k IN (1, 5, 7) OR k IS NULL AND NOT o'),
	('SELECT gpu_sum(v) FROM sale WHERE d BETWEEN ''1994-02-01'' AND ''1994-02-28'' AND z < now()'),
	('SELECT gpu_count(v) FROM sale WHERE k = 1000'),
	('SELECT k, gpu_count(v) FROM sale WHERE k = 1000 GROUP BY k'),
	('SELECT k, gpu_count(v) FROM sale WHERE k = 10 GROUP BY k'),
	('SELECT b, gpu_sum(v) FROM sale GROUP BY b ORDER BY b'),
	('SELECT b, gpu_sum(v) FROM sale GROUP BY b ORDER BY 2 DESC NULLS LAST, 1 LIMIT 7'),
	('SELECT s, k, gpu_sum(v) FROM sale GROUP BY k, s ORDER BY s, k LIMIT 20 OFFSET 5'),
	('SELECT k, gpu_sum(v) FROM sale GROUP BY k ORDER BY k DESC'),
	('SELECT k, gpu_sum(v) FROM sale GROUP BY k ORDER BY k NULLS FIRST'),
	('SELECT s, k, gpu_sum(v) FROM sale GROUP BY k, s ORDER BY s, k DESC NULLS LAST'),
	('SELECT s, k, gpu_sum(v) FROM sale WHERE s = 3 GROUP BY k, s ORDER BY s DESC, k'),
	('SELECT s, o, k, gpu_sum(v) FROM sale GROUP BY k, s, o ORDER BY o, k, s'),
	('SELECT id, k, gpu_sum(v) FROM keyed GROUP BY id'),
	('SELECT id, k, gpu_sum(v) FROM keyed GROUP BY k, id ORDER BY k, id'),
	('SELECT count(*), sum(s) FROM (SELECT k, gpu_sum(v) AS s FROM sale GROUP BY k) AS q'),
	('SELECT k, s, sum(s) OVER (ORDER BY k) FROM (SELECT k, gpu_sum(v) AS s FROM sale GROUP BY k) AS q'),
	('WITH q AS MATERIALIZED (SELECT k, gpu_sum(v) AS s FROM sale GROUP BY k) SELECT q.k, r.s FROM q JOIN q AS r ON q.k = r.k + 1'),
	('SELECT k, gpu_sum(v) FROM sale WHERE s = 1 GROUP BY k UNION ALL SELECT k, gpu_sum(f) FROM sale WHERE s = 2 GROUP BY k'),
	('SELECT i, q.* FROM generate_series(1, 4) AS i, LATERAL (SELECT o, gpu_sum(v) FROM sale WHERE k = i GROUP BY o) AS q'),
	('SELECT i, (SELECT gpu_sum(v) FROM sale WHERE k = i AND s < 4) FROM generate_series(1, 4) AS i'),
	('SELECT k, gpu_sum(v) FROM sale WHERE v > (SELECT gpu_avg(v) FROM sale) GROUP BY k'),
	('SELECT k, (SELECT max(small.v) FROM small WHERE small.k = sale.k), gpu_sum(v) FROM sale GROUP BY k'),
	('SELECT q.k, q.s FROM (SELECT k, gpu_sum(v) AS s FROM sale GROUP BY k) AS q JOIN small USING (k)'),
	('SELECT gpu_sum(v), count(*) FROM simple WHERE k > 3'),
	('SELECT k, gpu_sum(v), count(*) FROM parted GROUP BY k'),
	('SELECT d, gpu_sum(v) FROM parted WHERE d >= ''1995-01-05'' GROUP BY d'),
	('SELECT gpu_sum(v) FROM parted WHERE d < ''1994-06-01'' AND k < 30');
-- bit_xor is there since PostgreSQL 14
INSERT INTO query (query)
SELECT format('SELECT o, %s(b), %s(k) FROM sale GROUP BY o', proname, proname)
FROM (SELECT DISTINCT proname FROM pg_proc WHERE proname IN ('gpu_bit_xor', 'bit_xor')) AS p;
SELECT number AS not_taken, query FROM query WHERE NOT taken(query);
SELECT number AS not_made, query FROM query WHERE NOT made(query);
CREATE VIEW differing AS
SELECT number, query FROM query
WHERE answer(query, 'off') IS DISTINCT FROM answer(query, 'exact');
TABLE differing;

-- `all`: rounded once.  These sums are exact in any order.
SELECT answer('SELECT k, sum(v), avg(v), sum(f) FROM sale GROUP BY k', 'all') =
	answer('SELECT k, sum(v), avg(v), sum(f) FROM sale GROUP BY k', 'off') AS same;
-- Of pairs, as gpuscan's own, where there is one; and but for the last digits as the built-in ones
SELECT answer('SELECT k, corr(v, b), covar_pop(v, f), covar_samp(f, v), regr_slope(v, b), regr_intercept(f, b), regr_r2(v, f) FROM sale GROUP BY k', 'all') =
	answer('SELECT k, gpu_corr(v, b), gpu_covar_pop(v, f), gpu_covar_samp(f, v), gpu_regr_slope(v, b), gpu_regr_intercept(f, b), gpu_regr_r2(v, f) FROM sale GROUP BY k', 'off') AS same;
SELECT taken(query) AS taken, answer(query, 'all') = answer(query, 'off') AS same
FROM (SELECT set_config('gpuscan.reports', 'all', false), 'SELECT k, regr_sxx(v, k * n)::real AS sxx, regr_syy(v, n)::real AS syy, regr_sxy(v, n)::real AS sxy, regr_avgx(v, n)::real AS x, regr_avgy(v, n)::real AS y, regr_count(v, n)
	FROM (SELECT k, v, CASE WHEN s > 0 THEN b % 1000 END AS n FROM sale) AS q GROUP BY k' AS query) AS q;
RESET gpuscan.reports;

-- The table changes: in this transaction, with parts rolled back, for good.
BEGIN;
UPDATE sale SET v = v + 1 WHERE k = 7;
TABLE differing;
SAVEPOINT s;
DELETE FROM sale WHERE s = 2;
INSERT INTO parted SELECT k, d, v FROM sale WHERE k < 3;
TABLE differing;
ROLLBACK TO s;
TABLE differing;
COMMIT;
VACUUM sale;
TABLE differing;
ALTER TABLE sale ADD added integer DEFAULT 5;
INSERT INTO query (query) VALUES ('SELECT gpu_sum(added), gpu_sum(v) FROM sale WHERE added = 5');
ALTER TABLE sale ALTER x TYPE real USING least(x, 1e30);
VACUUM ANALYZE sale;
TABLE differing;
BEGIN ISOLATION LEVEL SERIALIZABLE;
TABLE differing;
COMMIT;

-- Generic plans: parameters are known when execution starts
SET plan_cache_mode = force_generic_plan;
PREPARE by_key(integer, double precision) AS
SELECT s, gpu_sum(v * $2) + $1 AS sum FROM sale WHERE k < $1 GROUP BY s HAVING gpu_max(v) > $2 ORDER BY s;
SELECT taken('EXECUTE by_key(1, 2)');
CREATE TEMPORARY TABLE result (made text, number integer, s smallint, sum double precision);
INSERT INTO result SELECT 'report', 1, q.* FROM (SELECT s, gpu_sum(v * 2) + 3 FROM sale WHERE k < 3 GROUP BY s HAVING gpu_max(v) > 2) AS q;
EXECUTE by_key(3, 2);
TABLE result ORDER BY s;
EXECUTE by_key(4, NULL);
EXECUTE by_key(NULL, 2);
SELECT made('EXECUTE by_key(3, 2)');
SET gpuscan.reports = off;
EXECUTE by_key(3, 2);
SELECT made('EXECUTE by_key(3, 2)');
RESET gpuscan.reports;
RESET plan_cache_mode;

-- Cursors, backwards too; loops; a holdable one
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT o, gpu_sum(v) FROM sale GROUP BY o ORDER BY o;
FETCH 1 FROM c;
FETCH ALL FROM c;
FETCH BACKWARD 1 FROM c;
MOVE ABSOLUTE 0 IN c;
FETCH 1 FROM c;
DECLARE h CURSOR WITH HOLD FOR SELECT s, gpu_sum(v) FROM sale GROUP BY s ORDER BY s;
FETCH 1 FROM h;
COMMIT;
FETCH 2 FROM h;
CLOSE h;
DO $$
DECLARE
	r record;
	total double precision = 0;
BEGIN
	FOR r IN SELECT k, gpu_sum(v) AS sum FROM sale WHERE k < 5 GROUP BY k ORDER BY k LOOP
		total = total + r.sum * (SELECT gpu_count(v) FROM sale WHERE k = r.k);
		BEGIN
			RAISE division_by_zero;
		EXCEPTION WHEN division_by_zero THEN
			total = total + 1;
		END;
	END LOOP;
	RAISE NOTICE 'total %', total;
END
$$;

-- What raises an error does so as ever
SELECT gpu_sum(1 / s) FROM sale;
SELECT gpu_sum((b * 9223372036854775807)) FROM sale WHERE b > 1;
SELECT answer('SELECT gpu_sum(1 / s) FROM sale WHERE s > 0', 'off') =
	answer('SELECT gpu_sum(1 / s) FROM sale WHERE s > 0', 'exact') AS same;

-- Privileges are those of columns
GRANT SELECT (k) ON sale TO regress_gpuscan_reports;
SET ROLE regress_gpuscan_reports;
SELECT count(*) FROM (SELECT k, gpu_count(k) FROM sale GROUP BY k) AS q;
SELECT gpu_sum(v) FROM sale;
SELECT gpu_count(k) FROM sale WHERE v > 0;
RESET ROLE;

-- Groups that do not fit into work_mem
SET work_mem = 64;
SELECT answer(query, 'off') = answer(query, 'exact') AS same, query
FROM unnest(ARRAY[
	'SELECT z, gpu_sum(v), gpu_sum(b), gpu_stddev(f) FROM sale GROUP BY z',
	-- sums of 300 bits and more
	'SELECT b, gpu_sum(wide), gpu_avg(wide), gpu_var_pop(wide) FROM sale GROUP BY b']) AS query;
RESET work_mem;

-- An overflow is an error only for who gets as far as its group
CREATE TABLE enormous AS
SELECT i AS k, CASE i WHEN 20000 THEN 1e308 ELSE i END::float8 AS v
FROM generate_series(1, 20000) AS i, generate_series(1, 2);
VACUUM ANALYZE enormous;
SELECT k, gpu_sum(v) FROM enormous GROUP BY k ORDER BY k LIMIT 2;
SELECT count(s) FROM (SELECT k, gpu_sum(v) AS s FROM enormous GROUP BY k) AS q;
DROP TABLE enormous;

DROP VIEW differing, simple, barrier;
DROP TABLE query, sale, parted, keyed, small, unlogged, child, parent, hidden, secured, result;
DROP ROLE regress_gpuscan_reports;
DROP FUNCTION taken, made, answer;
