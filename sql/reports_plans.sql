-- Reports over tables: when an ordinary plan is the better one, and what EXPLAIN
-- (VERBOSE) says of that.
SET gpuscan.engine = gpu;
SET max_parallel_workers_per_gather = 0;

CREATE FUNCTION taken(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN plan::text LIKE '%GpuscanReport%';
END
$$;

CREATE TABLE sale (id integer PRIMARY KEY, k integer, v double precision, n name) WITH (autovacuum_enabled = off);
INSERT INTO sale SELECT i, i % 100, i * 0.5, i::text FROM generate_series(1, 30000) AS i;
CREATE INDEX ON sale (k);
CREATE TABLE small AS SELECT * FROM sale WHERE id <= 100;
CREATE TABLE hidden (LIKE sale) WITH (autovacuum_enabled = off);
INSERT INTO hidden TABLE sale;
VACUUM ANALYZE sale, small;
ANALYZE hidden;

-- EXPLAIN (VERBOSE) says why.  (The detail has costs, which are not those of every
-- version.)
\set VERBOSITY terse
EXPLAIN (VERBOSE) SELECT gpu_sum(v) FROM small \g /dev/null
EXPLAIN (VERBOSE) SELECT gpu_sum(v) FROM hidden \g /dev/null
EXPLAIN VERBOSE SELECT k, gpu_sum(v) FROM sale WHERE n > '5' GROUP BY k \g /dev/null
EXPLAIN (VERBOSE 1, FORMAT JSON) SELECT gpu_median(v) FROM sale \g /dev/null
EXPLAIN (ANALYZE, VERBOSE) SELECT gpu_sum(v) FROM sale WHERE id < 0 \g /dev/null
EXPLAIN (VERBOSE) SELECT gpu_sum(v) FROM sale UNION ALL SELECT gpu_sum(v) FROM small \g /dev/null
PREPARE sums AS SELECT gpu_sum(v) FROM sale WHERE id < 0;
EXPLAIN (VERBOSE) EXECUTE sums \g /dev/null
SET gpuscan.engine = cpu;
EXPLAIN (VERBOSE) SELECT gpu_sum(v) FROM sale \g /dev/null
SET gpuscan.engine = gpu;

-- also of queries without an aggregate of gpuscan's, if they may be reports
EXPLAIN (VERBOSE) SELECT sum(id) FROM small \g /dev/null
EXPLAIN (VERBOSE) SELECT string_agg(k::text, ',') FROM sale \g /dev/null
EXPLAIN (VERBOSE) SELECT count(*) FROM sale JOIN small USING (id) \g /dev/null
EXPLAIN (VERBOSE) SELECT DISTINCT k FROM small \g /dev/null
SET gpuscan.reports = gpuscan;
EXPLAIN (VERBOSE) SELECT sum(id) FROM small \g /dev/null
RESET gpuscan.reports;

-- but not of what was taken, of those that were not asked for, and without VERBOSE
EXPLAIN (VERBOSE) SELECT gpu_sum(v) FROM sale \g /dev/null
EXPLAIN (VERBOSE) SELECT DISTINCT gpu_sum(v) FROM sale GROUP BY k \g /dev/null
EXPLAIN (VERBOSE OFF) SELECT gpu_sum(v) FROM small \g /dev/null
EXPLAIN SELECT gpu_sum(v) FROM small \g /dev/null
SELECT gpu_sum(v) FROM small;
SET gpuscan.reports = off;
EXPLAIN (VERBOSE) SELECT gpu_sum(v) FROM sale \g /dev/null
RESET gpuscan.reports;

-- Expressions of many levels, and as many as the stack has room for
SELECT array_to_string(array_fill('v'::text, ARRAY[500]), '+') AS long,
	array_to_string(array_fill('v'::text, ARRAY[700]), '+') AS longer \gset
SELECT gpu_sum(:long), taken('SELECT gpu_sum(' || :'long' || ') FROM sale') FROM sale;
EXPLAIN (VERBOSE) SELECT gpu_sum(:longer) FROM sale \g /dev/null
SELECT gpu_sum(:longer) FROM sale;
SET max_stack_depth = 400;
EXPLAIN (VERBOSE) SELECT gpu_sum(:long) FROM sale \g /dev/null
SELECT gpu_sum(:long) FROM sale;
RESET max_stack_depth;

-- A DEBUG line says it, too.
SET client_min_messages = debug1;
SELECT gpu_sum(v) FROM small;
SELECT sum(id) FROM small;
RESET client_min_messages;
\set VERBOSITY default

-- what the two would cost
EXPLAIN (VERBOSE) SELECT gpu_sum(v) FROM small \g /dev/null

-- Where the time goes, of reports and of tries, is no more than all of it.
CREATE FUNCTION times(query text, OUT ordinary text, OUT names text, OUT within boolean) LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
	plan := plan -> 0 -> 'Plan';
	ordinary := plan ->> 'Reason';
	SELECT string_agg(key, ', '), sum(value::text::numeric) <= (plan ->> 'Actual Total Time')::numeric + 0.01 INTO names, within
	FROM json_each(plan) WHERE key LIKE '% Time' AND key NOT LIKE 'Actual%';
END
$$;
SELECT * FROM times('SELECT k, gpu_sum(v) FROM sale GROUP BY k');
SELECT * FROM times('SELECT k, gpu_sum(v) FROM sale WHERE 1000 / id > -5 AND v > (SELECT gpu_avg(v) FROM sale) GROUP BY k');
CREATE TABLE mixed AS SELECT CASE WHEN i % 2 = 0 THEN 1.5 ELSE 1.25 END AS n FROM generate_series(1, 30000) AS i;
VACUUM ANALYZE mixed;
SELECT * FROM times('SELECT sum(n) FROM mixed');
DROP TABLE mixed;
DROP FUNCTION times;

-- What to write instead, and that it is taken.
CREATE TABLE pair (k integer, y double precision, x double precision, a text, b text);
INSERT INTO pair SELECT i % 100, i, i * 0.5, 'a' || i % 7, 'b' || i % 5 FROM generate_series(1, 30000) AS i;
VACUUM ANALYZE pair;
EXPLAIN (VERBOSE) SELECT corr(y, x) FROM pair \g /dev/null
EXPLAIN (VERBOSE) SELECT k, regr_slope(y, x) FROM pair GROUP BY k \g /dev/null
EXPLAIN (VERBOSE) SELECT regr_sxx(y, x) FROM pair \g /dev/null
EXPLAIN (VERBOSE) SELECT regr_count(DISTINCT y, x) FROM pair \g /dev/null
EXPLAIN (VERBOSE) SELECT avg(x) FROM pair \g /dev/null
EXPLAIN (VERBOSE) SELECT stddev(x) FROM pair \g /dev/null
EXPLAIN (VERBOSE) SELECT sum(k ORDER BY x) FROM pair \g /dev/null
EXPLAIN (VERBOSE) SELECT gpu_median(DISTINCT k) FROM pair \g /dev/null
EXPLAIN (VERBOSE) SELECT a || b, count(*) FROM pair GROUP BY 1 \g /dev/null
EXPLAIN (VERBOSE) SELECT a || x::text, count(*) FROM pair GROUP BY 1 \g /dev/null
EXPLAIN (VERBOSE) SELECT count(*) FROM pair WHERE k NOT IN (SELECT k FROM small) \g /dev/null
EXPLAIN (VERBOSE) SELECT count(*) FROM pair WHERE k IN (SELECT k FROM small) OR x > 5 \g /dev/null
EXPLAIN (VERBOSE) SELECT count(*) FROM pair WHERE x > (SELECT v FROM small WHERE small.id = pair.k) \g /dev/null
EXPLAIN (VERBOSE) SELECT count(*) FROM pair WHERE k IN (SELECT k FROM small) \g /dev/null
EXPLAIN (VERBOSE) SELECT pair.k, sum(id) FROM pair JOIN sale ON pair.k = sale.id GROUP BY 1 \g /dev/null
-- a subquery that gives each value once
EXPLAIN (VERBOSE) SELECT count(*) FROM pair WHERE k IN (SELECT k FROM sale GROUP BY k) \g /dev/null
EXPLAIN (VERBOSE) SELECT a, string_agg(DISTINCT b, ',') FROM pair GROUP BY a \g /dev/null
EXPLAIN (VERBOSE) SELECT sum(k / 1.5 / id) FROM sale \g /dev/null
EXPLAIN (VERBOSE) SELECT DISTINCT ON (a) a, x FROM pair ORDER BY a, x DESC \g /dev/null
EXPLAIN (VERBOSE) SELECT DISTINCT k, generate_series(1, 2) FROM pair \g /dev/null
-- who has followed a hint is not told it again
EXPLAIN (VERBOSE) SELECT sum(n) FROM (SELECT k, count(*) AS n FROM pair GROUP BY k) AS p \g /dev/null
EXPLAIN (VERBOSE) SELECT sum(c * v) FROM (SELECT k, count(*) AS c FROM pair GROUP BY k) AS p JOIN small ON p.k = id \g /dev/null
EXPLAIN (VERBOSE) SELECT sum(a) FROM (SELECT DISTINCT k AS a FROM (SELECT DISTINCT k, y FROM pair WHERE y < 100 LIMIT 9) AS p) AS q \g /dev/null
EXPLAIN (VERBOSE) SELECT k, gpu_sum(x) OVER (PARTITION BY k) FROM pair \g /dev/null
EXPLAIN (VERBOSE) SELECT sum(n) FROM (SELECT count(*) OVER (PARTITION BY k) AS n FROM pair) AS w \g /dev/null
EXPLAIN (VERBOSE) SELECT sum(v) FROM (SELECT k AS v FROM pair LIMIT 20000) AS s \g /dev/null
EXPLAIN (VERBOSE) SELECT sum(v) FROM generate_series(1, 100000) AS v \g /dev/null
-- system columns; an order that is none; what EXCLUDE can be replaced by; a join
EXPLAIN (VERBOSE) SELECT k, row_number() OVER (ORDER BY ctid) FROM pair \g /dev/null
EXPLAIN (VERBOSE) SELECT k FROM pair ORDER BY ctid LIMIT 3 \g /dev/null
EXPLAIN (VERBOSE) SELECT count(*) FROM pair WHERE ctid > '(1,1)' \g /dev/null
EXPLAIN (VERBOSE) SELECT count(*) FROM pair GROUP BY tableoid \g /dev/null
EXPLAIN (VERBOSE) SELECT k, row_number() OVER (ORDER BY random()) FROM pair \g /dev/null
EXPLAIN (VERBOSE) SELECT sum(x) OVER (ORDER BY k) FROM pair \g /dev/null
EXPLAIN (VERBOSE) SELECT count(*) OVER (ORDER BY k ROWS 2 PRECEDING EXCLUDE CURRENT ROW) FROM pair \g /dev/null
EXPLAIN (VERBOSE) SELECT count(*) FROM pair AS a FULL JOIN pair AS b USING (k) \g /dev/null
SELECT taken(query), query
FROM unnest(ARRAY[
	'SELECT gpu_corr(y, x) FROM pair',
	'SELECT k, gpu_regr_slope(y, x) FROM pair GROUP BY k',
	'SELECT count(*) FILTER (WHERE y IS NOT NULL AND x IS NOT NULL) FROM pair',
	'SELECT gpu_avg(x), gpu_stddev(x) FROM pair',
	'SELECT gpu_percentile_cont(x, ARRAY[0.1, 0.9]) FROM pair',
	'SELECT percentile_cont(1 - 0.9) WITHIN GROUP (ORDER BY x) FROM pair',
	'SELECT sum(k) FROM (SELECT k FROM pair GROUP BY k) AS g',
	'SELECT a || b, count(*) FROM pair GROUP BY a, b',
	'SELECT count(*) FROM pair WHERE k <> ALL (ARRAY(SELECT k FROM small))',
	'SELECT count(*) FROM pair WHERE k = ANY (ARRAY(SELECT k FROM small)) OR x > 5',
	'SELECT sum(s * n) FROM (SELECT k, count(*) AS n FROM pair GROUP BY k) AS p JOIN (SELECT k, sum(id) AS s FROM sale GROUP BY k) AS q USING (k)']) AS query;
SET gpuscan.reports = 'all';
SELECT taken('SELECT avg(x) FROM pair'), taken('SELECT corr(y, x) FROM pair');
RESET gpuscan.reports;
DROP TABLE pair;

-- Expressions that are evaluated for more values than the table has rows
CREATE TABLE far AS SELECT i % 30000 * 8 AS far, i % 300 * 30 AS near FROM generate_series(1, 60000) AS i;
VACUUM ANALYZE far;
SELECT taken(query), query
FROM unnest(ARRAY[
	'SELECT gpu_count(far) FROM far',
	'SELECT md5(near::text), gpu_count(far) FROM far GROUP BY 1',
	'SELECT md5(far::text), gpu_count(far) FROM far GROUP BY 1']) AS query;
DROP TABLE far;

-- An index that is cheaper
SELECT taken(query), query
FROM unnest(ARRAY[
	'SELECT gpu_sum(v) FROM sale WHERE id = 5',
	'SELECT gpu_sum(v) FROM sale WHERE id BETWEEN 5 AND 500',
	'SELECT gpu_sum(v) FROM sale WHERE id > 500',
	'SELECT min(id), max(id) FROM sale',
	'SELECT min(id), max(id), gpu_max(v) FROM sale',
	'SELECT gpu_sum(v) FROM sale WHERE k = 5',
	'SELECT k, gpu_sum(v) FROM sale GROUP BY k ORDER BY k LIMIT 1']) AS query;

-- PostgreSQL's settings
SET enable_seqscan = off;
SELECT taken('SELECT gpu_sum(v) FROM sale WHERE k > 5') AS without_seqscan;
RESET enable_seqscan;
SET enable_hashagg = off;
SELECT taken('SELECT k, gpu_sum(v) FROM sale GROUP BY k') AS without_hashagg, taken('SELECT gpu_sum(v) FROM sale') AS without_groups;
RESET enable_hashagg;
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SELECT taken('SELECT gpu_sum(v) FROM sale WHERE id = 5') AS without_indexscan;
RESET enable_indexscan;
RESET enable_bitmapscan;
SET enable_sort = off;
SELECT taken('SELECT k, gpu_sum(v) FROM sale GROUP BY k ORDER BY k') AS without_sort;
RESET enable_sort;

-- VACUUM has seen none of the table, all of it, more than half of what there is
-- now, less.
CREATE FUNCTION most_visible() RETURNS boolean LANGUAGE sql AS
$$ SELECT relallvisible > relpages / 2 FROM pg_class WHERE relname = 'hidden' $$;
SELECT most_visible(), taken('SELECT gpu_sum(v) FROM hidden');
VACUUM ANALYZE hidden;
SELECT most_visible(), taken('SELECT gpu_sum(v) FROM hidden');
UPDATE hidden SET v = v + 1 WHERE id < 6000;
ANALYZE hidden;
SELECT most_visible(), taken('SELECT gpu_sum(v) FROM hidden');
UPDATE hidden SET v = v + 1 WHERE id < 24000;
ANALYZE hidden;
SELECT most_visible(), taken('SELECT gpu_sum(v) FROM hidden');

-- More changed since: the plan, which is older, is told when it has run.
PREPARE older AS SELECT gpu_sum(v) FROM sale WHERE k > 5;
SET plan_cache_mode = force_generic_plan;
EXECUTE older;
UPDATE sale SET v = v;
DO $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE older' INTO plan;
	RAISE NOTICE '%', plan -> 0 -> 'Plan' -> 'Hint';
END $$;
RESET plan_cache_mode;

-- Few of many rows in no order, of a partitioned table too
CREATE TABLE sale_parts (LIKE sale) PARTITION BY RANGE (id);
CREATE TABLE sale_parts_1 PARTITION OF sale_parts FOR VALUES FROM (0) TO (10000) WITH (autovacuum_enabled = off);
CREATE TABLE sale_parts_2 PARTITION OF sale_parts FOR VALUES FROM (10000) TO (40000) WITH (autovacuum_enabled = off);
INSERT INTO sale_parts TABLE sale;
VACUUM ANALYZE sale_parts, sale;
SELECT relation, taken(format('SELECT id, k FROM %s WHERE v = 7', relation)) AS few, taken(format('SELECT id, k FROM %s WHERE v > 7', relation)) AS many
FROM (VALUES ('sale'), ('sale_parts')) AS t (relation);

-- The ordinary plan does not begin unless it is needed.  Errors of its beginning come in any case: a function that a
-- role may not call.
CREATE ROLE gpuscan_seller;
GRANT SELECT ON sale TO gpuscan_seller;
PREPARE absolute AS SELECT k % 3 AS k, sum(abs(id)) FROM sale GROUP BY 1 ORDER BY 1;
SET plan_cache_mode = force_generic_plan;
SELECT taken('EXECUTE absolute');
EXECUTE absolute;
BEGIN;
REVOKE EXECUTE ON FUNCTION abs(integer) FROM PUBLIC;
EXECUTE absolute;
SAVEPOINT s;
SET LOCAL ROLE gpuscan_seller;
EXECUTE absolute;
ROLLBACK TO s;
SET LOCAL ROLE gpuscan_seller;
EXPLAIN (COSTS OFF) EXECUTE absolute;
ROLLBACK;
RESET plan_cache_mode;
DROP OWNED BY gpuscan_seller;
DROP ROLE gpuscan_seller;

DROP TABLE sale, small, hidden, sale_parts;
DROP FUNCTION taken, most_visible;
