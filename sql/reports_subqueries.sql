-- Reports with subqueries: IN and NOT IN of several columns, and subqueries of each
-- row in what is aggregated and grouped.  Against the ordinary plans.
LOAD 'gpuscan';
SET gpuscan.engine = gpu;
SET max_parallel_workers_per_gather = 0;
SET seq_page_cost = 1000000;	-- small tables, too, are worth a report
SET jit = off;
SET timezone = 'UTC';

-- First values are learned, then they are known.
CREATE FUNCTION check_subquery(query text, OUT made_by text, OUT equal boolean, OUT equal_again boolean) LANGUAGE plpgsql AS $$
DECLARE
	plain text := answer(query, 'off');
BEGIN
	made_by := made_by(query);
	equal := plain IS NOT DISTINCT FROM answer(query, 'exact');
	equal_again := plain IS NOT DISTINCT FROM answer(query, 'exact');
END
$$;

CREATE TABLE asked (i integer NOT NULL, a integer, b smallint, e bigint NOT NULL, t text, c text COLLATE "C", d date, ts timestamp, n numeric(8, 2), word varchar(9));
INSERT INTO asked
SELECT i, nullif(i % 11, 3), nullif(i / 3 % 9, 5), i % 13, nullif('k' || i % 7, 'k2'), 'K' || i % 5, date '2020-01-01' + i % 4, timestamp '2020-01-01' + i % 90 * interval '1 hour',
	i % 100 / 4.0, 'k' || i % 9
FROM generate_series(1, 2000) AS i;

-- without NULLs; with them; with a row of NULLs alone; none; one that is large
CREATE TABLE full_pair AS SELECT i % 6 AS x, i % 4 AS y, 'k' || i % 3 AS z, ('K' || i % 4) COLLATE "C" AS w, date '2020-01-02' + i % 2 AS d, i AS m FROM generate_series(1, 12) AS i;
CREATE TABLE part_pair AS SELECT nullif(i % 6, 2) AS x, nullif(i % 4, 1) AS y, nullif('k' || i % 3, 'k1') AS z, ('K' || i % 2) COLLATE "C" AS w, date '2020-01-02' + i % 2 AS d, i AS m
	FROM generate_series(1, 20) AS i;
CREATE TABLE null_pair AS SELECT 7 AS x, 1 AS y, 'k3' AS z, 'K1' COLLATE "C" AS w, date '2020-01-02' AS d, 1 AS m UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, 2;
CREATE TABLE no_pair (LIKE full_pair);
CREATE TABLE owner (id integer PRIMARY KEY, name text UNIQUE, rate numeric(6, 2), active boolean, boss integer);
INSERT INTO owner SELECT i, 'k' || i, nullif(i % 8, 2) * 1.25, (ARRAY[true, false, NULL])[1 + i % 3], i / 3 FROM generate_series(0, 8) AS i;
VACUUM ANALYZE asked, full_pair, part_pair, null_pair, no_pair, owner;

-- Rows in a subquery's rows: NULLs on the one side, on the other, on both
SELECT query, r.*
FROM unnest(ARRAY['full_pair', 'part_pair', 'null_pair', 'no_pair', 'part_pair WHERE x IS NOT NULL', 'part_pair WHERE y IS NOT NULL', 'null_pair WHERE x = 7']) AS source,
	unnest(ARRAY[
	'SELECT count(*), sum(i) FROM asked WHERE (a, b) NOT IN (SELECT x, y FROM %s)',
	'SELECT count(*), sum(i) FROM asked WHERE (a, e) NOT IN (SELECT x, y FROM %s)',
	'SELECT count(*), sum(i) FROM asked WHERE (e, i) NOT IN (SELECT x, y FROM %s)',
	'SELECT (a, b) IN (SELECT x, y FROM %s) AS is_in, count(*), sum(i) FROM asked GROUP BY 1',
	'SELECT (t, a) IN (SELECT z, y FROM %s) AS is_in, count(*), sum(i) FROM asked GROUP BY 1',
	'SELECT (a, b, t) IN (SELECT x, y, z FROM %s) AS is_in, count(*), sum(i) FROM asked GROUP BY 1'
	]) AS form, format(form, source) AS query, check_subquery(query) AS r;

-- How it is written, where it is, and types
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), sum(i) FROM asked WHERE (a, b) IN (SELECT x, y FROM part_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE (a, b) = ANY (SELECT x, y FROM part_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE NOT (a, b) IN (SELECT x, y FROM full_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE (a, b) <> ALL (SELECT x, y FROM full_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE ((a, b) <> ALL (SELECT x, y FROM full_pair)) IS NOT TRUE',
	'SELECT count(*), sum(i) FROM asked WHERE ((a, b) IN (SELECT x, y FROM part_pair)) IS NOT TRUE',
	'SELECT count(*), sum(i) FROM asked WHERE ((a, b) NOT IN (SELECT x, y FROM part_pair)) IS NOT FALSE',
	'SELECT count(*), sum(i) FROM asked WHERE ((a, b) IN (SELECT x, y FROM part_pair)) IS NULL',
	'SELECT count(*), sum(i) FROM asked WHERE i < 100 OR (a, b) IN (SELECT x, y FROM part_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE a IS NOT NULL AND b IS NOT NULL AND t IS NOT NULL AND (a, b, t) NOT IN (SELECT x, y, z FROM full_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE (e, i, c, d) NOT IN (SELECT x, y, w, d FROM full_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE (e, i, c, d, e) NOT IN (SELECT x, y, w, d, m FROM full_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE (c, t) NOT IN (SELECT w, z FROM part_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE (t, c) NOT IN (SELECT w, z COLLATE "C" FROM full_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE (word, d) NOT IN (SELECT z, d FROM full_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE (a, 2) NOT IN (SELECT x, y FROM part_pair WHERE x IS NOT NULL)',
	'SELECT count(*), sum(i) FROM asked WHERE (a + 1, b) NOT IN (SELECT x, y FROM full_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE (a, n) NOT IN (SELECT x, y FROM full_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE (a, b) < ALL (SELECT x, y FROM full_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE (a, 10 / (b - 3)) NOT IN (SELECT x, y FROM full_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE b <> 3 AND (a, 10 / (b - 3)) NOT IN (SELECT x, y FROM full_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE (a, b) NOT IN (SELECT x, 10 / (y - 3) FROM full_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE i < 0 AND (a, b) NOT IN (SELECT x, 10 / (y - 3) FROM full_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE (a, b) NOT IN (SELECT x, y FROM full_pair WHERE m > e)',
	'SELECT count(*), sum(i) FROM asked WHERE (a, b) NOT IN (SELECT x, max(y) FROM part_pair WHERE x IS NOT NULL GROUP BY x)',
	'SELECT count(*), sum(i) FROM asked WHERE (a, b) NOT IN (SELECT x, y FROM full_pair UNION SELECT id, boss FROM owner ORDER BY 1, 2 LIMIT 12)',
	'WITH q AS MATERIALIZED (SELECT x, y FROM full_pair) SELECT count(*), sum(i) FROM asked WHERE (a, b) NOT IN (SELECT x, y FROM q) OR (b, a) IN (SELECT x, y FROM q)',
	'SELECT count(*), sum(i) FROM asked WHERE (a, b) NOT IN (VALUES (1, 2), (2, 3), (4, 0))',
	'SELECT count(*), sum(i) FROM asked WHERE (a, b) NOT IN (SELECT x, y FROM full_pair) AND (b, a) NOT IN (SELECT x, y FROM part_pair WHERE m < 8)',
	'SELECT count(*) FILTER (WHERE (a, b) IN (SELECT x, y FROM part_pair)), sum(CASE WHEN (a, b) NOT IN (SELECT x, y FROM full_pair) THEN i ELSE 1 END), count(*) FILTER (WHERE a NOT IN (SELECT x FROM full_pair)) FROM asked',
	'SELECT o.name, count(*) FROM asked JOIN owner AS o ON o.id = a WHERE (o.boss, b) NOT IN (SELECT x, y FROM full_pair) GROUP BY 1',
	'SELECT o.name, count(*) FROM asked LEFT JOIN owner AS o ON o.id = a WHERE (o.boss, o.id) NOT IN (SELECT x, y FROM full_pair) GROUP BY 1',
	'SELECT a, count(*) FROM asked GROUP BY a HAVING (a, count(*) % 5) NOT IN (SELECT x, y FROM full_pair)',
	'SELECT s, count(*) FROM (SELECT a, b, sum(i) % 3 AS s FROM asked GROUP BY 1, 2) AS q WHERE (a, s) NOT IN (SELECT x, y FROM full_pair) GROUP BY 1',
	'SELECT DISTINCT (a, b) IN (SELECT x, y FROM full_pair), e FROM asked',
	'SELECT i, t, (a, b) IN (SELECT x, y FROM part_pair) FROM asked WHERE (a, b) NOT IN (SELECT x, y FROM full_pair) ORDER BY i LIMIT 7',
	'SELECT i, row_number() OVER (ORDER BY n, i) FROM asked WHERE (a, b) NOT IN (SELECT x, y FROM full_pair) ORDER BY i LIMIT 7'
	]) AS query, check_subquery(query) AS r;

-- Of one column
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), sum(i) FROM asked WHERE a <> ALL (SELECT x FROM full_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE a <> ALL (SELECT x FROM part_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE a < ALL (SELECT x FROM full_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE NOT a IN (SELECT x FROM full_pair)',
	'SELECT count(*), sum(i) FROM asked WHERE (a IN (SELECT x FROM full_pair)) IS NOT TRUE',
	'SELECT a IN (SELECT x FROM part_pair), t NOT IN (SELECT z FROM full_pair), count(*) FROM asked GROUP BY 1, 2',
	'SELECT a IN (SELECT x FROM no_pair), count(*) FROM asked GROUP BY 1',
	'SELECT 4 IN (SELECT x FROM part_pair), e, count(*) FROM asked GROUP BY 1, 2',
	'SELECT DISTINCT a IN (SELECT x FROM part_pair) FROM asked',
	'SELECT count(*) FILTER (WHERE a IN (SELECT x FROM full_pair)), count(*) FILTER (WHERE b IN (SELECT y FROM part_pair)), count(*) FILTER (WHERE n > (SELECT avg(rate) FROM owner)) FROM asked',
	'SELECT count(*) FILTER (WHERE a IN (SELECT x FROM full_pair)), count(*) FILTER (WHERE b IN (SELECT 1 / (id - id) FROM owner)) FROM asked',
	'SELECT count(*) FILTER (WHERE a IN (SELECT x FROM full_pair)), count(*) FILTER (WHERE b IN (SELECT y FROM full_pair)), sum(1 / (b - 3)) FROM asked'
	]) AS query, check_subquery(query) AS r;

-- EXISTS in what is aggregated and grouped
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM full_pair WHERE x = a)) FROM asked',
	'SELECT t, count(*) FILTER (WHERE NOT EXISTS (SELECT FROM part_pair WHERE x = a AND y = b)), sum(i) FROM asked GROUP BY 1',
	'SELECT sum(CASE WHEN EXISTS (SELECT FROM full_pair WHERE x = a AND z = t) THEN n END) FROM asked',
	'SELECT sum(CASE WHEN EXISTS (SELECT FROM owner WHERE name = word AND active) THEN i ELSE -i END), max(n) FILTER (WHERE EXISTS (SELECT FROM no_pair WHERE x = a)) FROM asked',
	'SELECT EXISTS (SELECT FROM part_pair WHERE x = a), count(*), avg(n) FROM asked GROUP BY 1',
	'SELECT EXISTS (SELECT FROM part_pair WHERE x = a AND y = b) OR b IS NULL, e % 3, count(*) FROM asked GROUP BY 1, 2',
	'SELECT CASE WHEN EXISTS (SELECT FROM full_pair WHERE x = a) THEN c ELSE ''none'' END, count(*) FROM asked GROUP BY 1',
	'SELECT DISTINCT EXISTS (SELECT FROM full_pair WHERE x = a), b FROM asked',
	'SELECT b, count(*) FROM asked GROUP BY b HAVING count(*) FILTER (WHERE EXISTS (SELECT FROM full_pair WHERE x = a AND y = b)) > 9',
	'SELECT a, EXISTS (SELECT FROM full_pair WHERE x = a), count(*) FROM asked GROUP BY a',
	'SELECT EXISTS (SELECT FROM full_pair WHERE x = a AND full_pair.d = asked.d), count(*) FILTER (WHERE EXISTS (SELECT FROM full_pair WHERE x = a AND full_pair.d = asked.d)) FROM asked WHERE EXISTS (SELECT FROM full_pair WHERE x = a) OR b = 1 GROUP BY 1',
	'SELECT EXISTS (SELECT FROM full_pair WHERE full_pair.d = asked.ts::date AND m = e), EXISTS (SELECT FROM owner WHERE id = extract(hour FROM ts)), count(*) FROM asked GROUP BY 1, 2',
	'SELECT o.active, count(*) FILTER (WHERE EXISTS (SELECT FROM full_pair WHERE x = o.boss AND y = b)) FROM asked JOIN owner AS o ON id = a GROUP BY 1',
	'SELECT o.active, count(*) FILTER (WHERE EXISTS (SELECT FROM full_pair WHERE x = o.boss AND y = o.id)) FROM asked LEFT JOIN owner AS o ON id = a GROUP BY 1',
	'SELECT found, sum(k) FROM (SELECT EXISTS (SELECT FROM full_pair WHERE x = a) AS found, b, count(*) FILTER (WHERE EXISTS (SELECT FROM part_pair WHERE x = a AND y = b)) AS k FROM asked GROUP BY 1, 2) AS q GROUP BY 1',
	'SELECT gpu_last(n, i) FILTER (WHERE EXISTS (SELECT FROM full_pair WHERE x = a)), sum(DISTINCT e) FILTER (WHERE EXISTS (SELECT FROM full_pair WHERE y = b)) FROM asked',
	'SELECT i, EXISTS (SELECT FROM full_pair WHERE x = a), n FROM asked ORDER BY i LIMIT 5',
	'SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM full_pair WHERE x = a AND m < e)) FROM asked',
	'SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM full_pair WHERE x = a AND y = b AND 1 / (m - 3) > 0)) FROM asked',
	'SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM full_pair WHERE x = a AND random() < 2)) FROM asked'
	]) AS query, check_subquery(query) AS r;
SELECT equal, equal_again FROM check_subquery('SELECT a, EXISTS (SELECT FROM full_pair WHERE x = a), count(*) FROM asked GROUP BY GROUPING SETS (1, 2)');

-- Scalar subqueries: of aggregates, and of a row that a unique key tells
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT sum(i * (SELECT count(*) FROM full_pair WHERE x = a)) FROM asked',
	'SELECT sum(n * (SELECT max(m) FROM part_pair WHERE x = a AND z = t)) FROM asked',
	'SELECT (SELECT max(z) FROM full_pair WHERE x = a), count(*) FROM asked GROUP BY 1',
	'SELECT count(*) FROM asked WHERE n < (SELECT max(m) + e FROM full_pair WHERE x = a)',
	'SELECT sum((SELECT coalesce(max(m), b) FROM full_pair WHERE x = a)) FROM asked',
	'SELECT sum(n * (SELECT rate FROM owner WHERE id = a)) FROM asked',
	'SELECT (SELECT name FROM owner WHERE id = a), count(*) FROM asked GROUP BY 1',
	'SELECT coalesce((SELECT name FROM owner WHERE id = a), ''none''), count(*) FROM asked GROUP BY 1',
	'SELECT c, sum(n * (SELECT coalesce(rate, 7) FROM owner WHERE id = a AND active)), count((SELECT 5 FROM owner WHERE id = a)) FROM asked GROUP BY 1',
	'SELECT sum((SELECT rate * n + b FROM owner WHERE name = word)) FROM asked',
	'SELECT avg(n) FILTER (WHERE (SELECT active FROM owner WHERE a = id)) FROM asked',
	'SELECT count(*) FROM asked WHERE (SELECT name FROM owner WHERE id = a) LIKE ''%3%'' OR (SELECT active FROM owner WHERE name = t)',
	'SELECT sum(i * (SELECT rate FROM owner AS o WHERE o.id = x.boss)) FROM asked JOIN owner AS x ON x.id = a',
	'SELECT x.boss, sum(i * (SELECT rate FROM owner AS o WHERE o.id = x.boss)) FROM asked LEFT JOIN owner AS x ON x.id = a GROUP BY 1',
	'SELECT sum((SELECT 10 / (id - 4) FROM owner WHERE id = a)) FROM asked',
	'SELECT sum((SELECT 10 / (id - 4) FROM owner WHERE id = a)) FROM asked WHERE a <> 4',
	'SELECT sum((SELECT id FROM owner WHERE boss = 7 + a)) FROM asked',
	'SELECT sum((SELECT id FROM owner WHERE id = a LIMIT 1)) FROM asked',
	'SELECT sum((SELECT o.id FROM owner AS o JOIN owner AS p ON p.id = o.boss WHERE o.id = a)) FROM asked',
	'SELECT sum((SELECT max(id) FROM owner WHERE id = a GROUP BY boss)) FROM asked'
	]) AS query, check_subquery(query) AS r;

-- Values that are known when it is executed
PREPARE pairs (integer) AS
	SELECT EXISTS (SELECT FROM full_pair WHERE x = a AND m < $1) AS found, count(*), sum((SELECT rate + $1 FROM owner WHERE id = a)),
		count(*) FILTER (WHERE (a, b) NOT IN (SELECT x, y FROM part_pair WHERE m > $1)) FROM asked WHERE e <> $1 GROUP BY 1 ORDER BY 1;
SET plan_cache_mode = force_generic_plan;
SET gpuscan.reports = exact;
EXECUTE pairs (2);
EXECUTE pairs (11);
EXECUTE pairs (40);
SET gpuscan.reports = off;
DEALLOCATE pairs;
PREPARE pairs (integer) AS
	SELECT EXISTS (SELECT FROM full_pair WHERE x = a AND m < $1) AS found, count(*), sum((SELECT rate + $1 FROM owner WHERE id = a)),
		count(*) FILTER (WHERE (a, b) NOT IN (SELECT x, y FROM part_pair WHERE m > $1)) FROM asked WHERE e <> $1 GROUP BY 1 ORDER BY 1;
EXECUTE pairs (2);
EXECUTE pairs (11);
EXECUTE pairs (40);
DEALLOCATE pairs;
RESET plan_cache_mode;

-- Changes are seen: of the fact table, and of the subqueries' tables
INSERT INTO asked VALUES (3000, 8, NULL, 3, 'k9', 'K9');
INSERT INTO full_pair VALUES (8, 3, 'k9', 'K9');
UPDATE owner SET rate = 100 WHERE id = 8;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), sum(i) FROM asked WHERE (a, b) NOT IN (SELECT x, y FROM full_pair)',
	'SELECT EXISTS (SELECT FROM full_pair WHERE x = a), sum(n * (SELECT rate FROM owner WHERE id = a)) FROM asked GROUP BY 1'
	]) AS query, check_subquery(query) AS r;

-- Keys of subqueries, which the planner does not know again above the groups; what the row gives, where the subquery has no row; a subquery's own one
SELECT query, r.made_by, r.equal, r.equal_again FROM unnest(ARRAY[
	'SELECT (a IN (SELECT x FROM full_pair))::text, count(*) FROM asked GROUP BY a IN (SELECT x FROM full_pair)',
	'SELECT * FROM (SELECT a IN (SELECT x FROM full_pair) AS k, count(*) AS c FROM asked GROUP BY 1) AS q WHERE k',
	'SELECT count((SELECT asked.e FROM owner WHERE id = a)), count(*) FROM asked',
	'SELECT count(*) FROM asked WHERE (SELECT asked.e FROM owner WHERE id = a) IS NULL',
	'SELECT sum((SELECT rate * (SELECT max(x) FROM full_pair) FROM owner WHERE id = a)) FROM asked',
	'SELECT count(*) FROM asked WHERE n > (SELECT avg(rate) * (SELECT max(x) FROM full_pair) FROM owner WHERE id = a)'
	]) AS query, check_subquery(query) AS r;

-- Executed again for rows of a query around them: with other parameters, and where the report or the ordinary plan has executed the same subquery before
SELECT query, r.equal, r.equal_again FROM unnest(ARRAY[
	'SELECT v, (SELECT count(*) FROM asked WHERE a NOT IN (SELECT x FROM full_pair WHERE x < v GROUP BY x)) FROM generate_series(1, 6) AS v',
	'SELECT v, (SELECT count(*) FROM asked WHERE i < 10 OR a IN (SELECT x FROM full_pair WHERE x < v GROUP BY x)) FROM generate_series(1, 6) AS v',
	'SELECT v, (SELECT sum(CASE WHEN a IN (SELECT x FROM full_pair WHERE x < v GROUP BY x) THEN n ELSE 0 END * f) FROM asked) FROM (VALUES (1, 1::numeric), (4, 1e20), (2, 2), (6, 1e20)) AS w (v, f)',
	'SELECT v, (SELECT sum(n * f) FROM asked JOIN (SELECT id FROM owner WHERE id > (SELECT avg(x) FROM full_pair) OFFSET 0) AS o ON id = a) FROM (VALUES (1, 1::numeric), (4, 1e20), (2, 2)) AS w (v, f)',
	'SELECT v, (SELECT sum(n * f) FROM asked JOIN (SELECT id FROM owner WHERE id > (SELECT avg(x) FROM full_pair WHERE x < v) OFFSET 0) AS o ON id = a) FROM (VALUES (5, 1::numeric), (3, 1e20), (6, 2), (2, 1)) AS w (v, f)'
	]) AS query, check_subquery(query) AS r;

-- A cursor's tables are in use before its first row is fetched
SET gpuscan.reports = exact;
BEGIN;
DECLARE first CURSOR FOR SELECT a, count(*) FROM asked JOIN owner ON id = a GROUP BY a;
SAVEPOINT before;
TRUNCATE asked;
ROLLBACK TO before;
ALTER TABLE owner ADD COLUMN more int;
ROLLBACK;

-- Why it is none
SET gpuscan.reports = exact;
EXPLAIN (VERBOSE) SELECT count(*) FROM asked WHERE (a, n) NOT IN (SELECT x, y FROM full_pair) \g /dev/null
EXPLAIN (VERBOSE) SELECT count(*) FROM asked WHERE (a, b) NOT IN (SELECT x, y FROM full_pair WHERE m > e) \g /dev/null
EXPLAIN (VERBOSE) SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM full_pair WHERE x = a AND m < e)) FROM asked \g /dev/null
EXPLAIN (VERBOSE) SELECT sum((SELECT id FROM owner WHERE boss = a)) FROM asked \g /dev/null
DROP TABLE asked, full_pair, part_pair, null_pair, no_pair, owner;
DROP FUNCTION check_subquery;
