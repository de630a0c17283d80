-- Reports over the heap partitions of a table, beside partitions on foreign servers
-- and unlogged ones.  Runs only where postgres_fdw is installed.
SET gpuscan.engine = gpu;
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
SET extra_float_digits = 1;
SET jit = off;
CREATE EXTENSION postgres_fdw;
DO $$
BEGIN
	EXECUTE format('CREATE SERVER other FOREIGN DATA WRAPPER postgres_fdw
		OPTIONS (dbname %L, host %L, port %L, extensions ''gpuscan'', options ''-c gpuscan.engine=auto'')',
		current_database(), split_part(current_setting('unix_socket_directories'), ',', 1),
		current_setting('port'));
	EXECUTE format('CREATE USER MAPPING FOR CURRENT_USER SERVER other
		OPTIONS (user %L)', current_user);
END
$$;

CREATE TABLE trip (at date, k integer, s smallint, b bigint, d double precision, r real,
	t text, c char(3), m numeric(9,2), f boolean) PARTITION BY RANGE (at);
CREATE TABLE trip_none PARTITION OF trip FOR VALUES FROM (MINVALUE) TO ('2001-01-01');
CREATE TABLE trip_2001 PARTITION OF trip FOR VALUES FROM ('2001-01-01') TO ('2002-01-01');

-- its columns lie elsewhere, and it has an unlogged partition
CREATE TABLE trip_2002 (f boolean, gone text, m numeric(9,2), c char(3), t text, r real,
	d double precision, b bigint, s smallint, k integer, at date) PARTITION BY RANGE (at);
ALTER TABLE trip_2002 DROP COLUMN gone;
ALTER TABLE trip ATTACH PARTITION trip_2002 FOR VALUES FROM ('2002-01-01') TO ('2003-01-01');
CREATE TABLE trip_2002_1 PARTITION OF trip_2002 FOR VALUES FROM ('2002-01-01') TO ('2002-07-01');
CREATE UNLOGGED TABLE trip_2002_2 PARTITION OF trip_2002 FOR VALUES FROM ('2002-07-01') TO ('2003-01-01');

CREATE TABLE away (LIKE trip);
CREATE TABLE away_empty (LIKE trip);
CREATE FOREIGN TABLE trip_away PARTITION OF trip FOR VALUES FROM ('2003-01-01') TO ('2004-01-01')
	SERVER other OPTIONS (table_name 'away');
CREATE FOREIGN TABLE trip_empty PARTITION OF trip FOR VALUES FROM ('2004-01-01') TO (MAXVALUE)
	SERVER other OPTIONS (table_name 'away_empty');

CREATE FUNCTION trips(first date, days integer, step integer) RETURNS SETOF trip LANGUAGE sql AS $$
	SELECT first + i % days, CASE WHEN i % 11 <> 3 THEN i % 9 END, i % 300 - 150, i * 1000003::bigint,
		CASE i % 401 WHEN 7 THEN 1e300 WHEN 8 THEN -1e300 ELSE (i - 5000) * 0.1 END, i * 0.3,
		CASE WHEN i % 13 <> 5 THEN 'line ' || i % 17 END, chr(97 + i % 5), i * 0.01, i % 3 = 0
	FROM generate_series(1, 24000, step) AS i
$$;
INSERT INTO trip_2001 SELECT * FROM trips('2001-01-01', 365, 1);
INSERT INTO trip SELECT * FROM trips('2002-01-01', 365, 2);
INSERT INTO away SELECT * FROM trips('2003-01-01', 365, 50);
INSERT INTO away (at, k, t, d) VALUES ('2003-05-05', 77, 'only there', 'NaN'), ('2003-05-06', NULL, NULL, NULL);
VACUUM ANALYZE trip_none, trip_2001, trip_2002_1, away;
ANALYZE trip_2002_2;
ANALYZE trip_away;
-- of a table without rows 13 knows nothing
INSERT INTO away_empty SELECT * FROM away LIMIT 1;
ANALYZE trip_empty;
DELETE FROM away_empty;

-- Wait for the service; then functions over arrays are local.
SELECT gpu_sum(s) FROM trip_2001;
SET gpuscan.engine = auto;

-- a plan's nodes
CREATE FUNCTION nodes(query text) RETURNS SETOF text LANGUAGE plpgsql AS
$$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		IF line ~ '^ *(-> *)?(Finalize|Partial|Mixed|Hash|Group|Aggregate|Append|Custom|Foreign|Seq|Sort \(|Result)' THEN
			RETURN NEXT line;
		END IF;
	END LOOP;
END
$$;
SELECT nodes('SELECT t, count(*), gpu_avg(d) FROM trip GROUP BY t HAVING count(*) > 5');
SELECT nodes('SELECT gpu_sum(d) FROM trip');
SELECT nodes('SELECT k, gpu_sum(d) FROM trip WHERE at < ''2003-03-03'' AND at > ''2002-12-01'' GROUP BY k');

-- Reports give the text of the ordinary plan.
CREATE TABLE question (q text);
INSERT INTO question VALUES
	('SELECT count(*) AS n, count(k) AS k, sum(k) AS sum, avg(k) AS avg, sum(s) AS s, avg(s) AS a FROM trip'),
	('SELECT gpu_sum(d) AS s, gpu_avg(d) AS a, gpu_stddev(d) AS v, gpu_min(d) AS l, gpu_max(d) AS g, gpu_count(d) AS n FROM trip'),
	('SELECT k, gpu_sum(d), gpu_sum(r), gpu_sum(b), gpu_sum(s), gpu_avg(b), gpu_var_pop(r), gpu_stddev_samp(s) FROM trip GROUP BY k'),
	('SELECT t, gpu_corr(s, r), gpu_regr_slope(r, b), gpu_covar_pop(r, r), gpu_weighted_avg(s, r), gpu_stats_agg(d)::text, gpu_stats_agg(s)::text FROM trip GROUP BY t'),
	('SELECT t, k, count(*), count(t), min(b), max(s), bit_and(s), bit_or(b), gpu_bit_xor(k), bool_and(f), bool_or(f), every(f) FROM trip GROUP BY t, k'),
	('SELECT f, min(t), max(t), min(at), max(at), count(*) FROM trip GROUP BY f'),
	('SELECT upper(t) AS u, extract(month FROM at)::integer AS month, gpu_avg(r) AS a FROM trip GROUP BY 1, 2'),
	('SELECT t, gpu_sum(d) FROM trip GROUP BY t HAVING sum(k) > 3000 AND t IS NOT NULL ORDER BY t'),
	('SELECT k, avg(s) FILTER (WHERE b % 2 = 0) AS a, count(*) FILTER (WHERE t LIKE ''%1%'') AS n FROM trip GROUP BY k ORDER BY count(*) DESC, k'),
	('SELECT k, avg(s), sum(k) + gpu_sum(r) AS s, k * 2 AS twice FROM trip WHERE m > 17.5 AND f GROUP BY k'),
	('SELECT k, gpu_sum(d) AS s FROM trip WHERE at < ''2003-03-03'' AND at > ''2002-05-01'' GROUP BY k'),
	('SELECT at, count(*), gpu_sum(d) AS s FROM trip WHERE k = 3 GROUP BY at'),
	('SELECT k FROM trip GROUP BY k'),
	('SELECT sum(k), gpu_sum(d) FROM trip WHERE k < 0'),
	('SELECT k, sum(k), gpu_sum(d) FROM trip WHERE k < 0 GROUP BY k'),
	('SELECT x, (SELECT gpu_sum(d) FROM trip WHERE k < x) AS s FROM generate_series(0, 9, 3) AS x'),
	('SELECT x, n, s FROM generate_series(0, 9, 3) AS x, LATERAL (SELECT t, count(*) AS n, gpu_sum(r) AS s FROM trip WHERE k > x GROUP BY t) AS l'),
	('SELECT sum(n) AS n, max(s) AS s FROM (SELECT k, count(*) AS n, gpu_sum(b) AS s FROM trip GROUP BY k) AS g'),
	('SELECT rank() OVER (ORDER BY gpu_sum(r)) AS place, k FROM trip GROUP BY k'),
	('SELECT k, count(*) AS n FROM trip GROUP BY k HAVING count(*) > (SELECT count(*) / 20 FROM trip)'),
	('SELECT k, gpu_sum(b / (s + 1000)) AS g FROM trip GROUP BY k'),
	('SELECT k, gpu_sum(b / s) AS g FROM trip GROUP BY k'),
	('SELECT k, m, gpu_sum(d) AS s FROM trip WHERE m < 3 GROUP BY k, m'),
	('SELECT k, count(*), gpu_sum(d) AS s FROM trip WHERE k = 3 GROUP BY k'),
	('SELECT k, t, t AS again, count(*), gpu_sum(d) AS s FROM trip WHERE k = 3 GROUP BY k, 2, 3'),
	('SELECT k, count(*), gpu_sum(d) AS s FROM trip WHERE k = 300 GROUP BY k'),
	('SELECT k, gpu_sum(gpu_s) FROM (SELECT k, at, gpu_sum(d) AS gpu_s FROM trip GROUP BY k, at) AS g GROUP BY k');
SELECT made_by(q), answer(q, 'exact') IS NOT DISTINCT FROM answer(q, 'off') AS same, q FROM question;

-- parameters, also of a plan that is kept, where they prune partitions
SET plan_cache_mode = force_generic_plan;
PREPARE before(date, integer) AS SELECT count(*), gpu_sum(d), sum(k) FROM trip WHERE at < $1 AND k > $2;
SET gpuscan.reports = exact;
-- 13 leaves the last one in
SELECT nodes FROM nodes('EXECUTE before(''2003-04-04'', 2)') WHERE nodes NOT LIKE '%trip_empty%';
EXECUTE before('2003-04-04', 2);
EXECUTE before('2002-02-02', 8);
EXECUTE before('2000-01-01', 2);
EXECUTE before(NULL, 2);
SET gpuscan.reports = off;
DEALLOCATE before;
PREPARE before(date, integer) AS SELECT count(*), gpu_sum(d), sum(k) FROM trip WHERE at < $1 AND k > $2;
EXECUTE before('2003-04-04', 2);
EXECUTE before('2002-02-02', 8);
EXECUTE before('2000-01-01', 2);
EXECUTE before(NULL, 2);
RESET plan_cache_mode;
RESET gpuscan.reports;

-- with partition-wise aggregation
SET enable_partitionwise_aggregate = on;
SELECT nodes('SELECT t, gpu_avg(d) FROM trip GROUP BY t');
SELECT bool_and(answer(q, 'exact') IS NOT DISTINCT FROM answer(q, 'off')) AS same FROM question;

-- each group in one partition: states are not needed
SET gpuscan.reports = exact;
SELECT * FROM nodes('SELECT at, gpu_median(d), sum(b) FROM trip GROUP BY at HAVING count(*) > 50') LIMIT 9;
SELECT made_by(q), answer(q, 'exact') = answer(q, 'off') AS same, q FROM (VALUES
	('SELECT at, gpu_median(d) AS m, sum(b), avg(m) AS a, max(m) FROM trip GROUP BY at HAVING count(*) > 50 OR min(k) IS NULL'),
	('SELECT at, d, gpu_count(k) AS n, max(r) FROM trip WHERE k < 2 AND at > ''2002-05-05'' GROUP BY at, d'),
	('SELECT at + 1 AS next, k, count(*) FROM trip GROUP BY at, k ORDER BY count(*), at, k LIMIT 9'),
	('SELECT at, count(DISTINCT k) AS n FROM trip GROUP BY at')) AS v (q);
RESET gpuscan.reports;
RESET enable_partitionwise_aggregate;

-- Never stale: changes of every partition, and between them.
CREATE FUNCTION check_all() RETURNS text LANGUAGE sql AS $$
	SELECT count(*) || ' asked, ' || count(*) FILTER (WHERE made_by(q) = 'service') || ' by the service, '
		|| count(*) FILTER (WHERE answer(q, 'exact') IS DISTINCT FROM answer(q, 'off')) || ' differ'
	FROM question WHERE q NOT LIKE '%b / s%'
$$;
SELECT check_all();
UPDATE trip SET d = d + 1, t = 'changed' WHERE k = 4 AND at < '2001-02-01';
SELECT check_all();
UPDATE away SET k = k + 1, t = 'changed, too' WHERE k = 5;
DELETE FROM trip_2002_2 WHERE k = 6;
INSERT INTO trip SELECT * FROM trips('1999-01-01', 9, 500);
SELECT check_all();
UPDATE trip SET at = at + 365 WHERE at BETWEEN '2001-03-01' AND '2001-03-03';
SELECT check_all();
VACUUM trip_none, trip_2001, trip_2002_1;
SELECT check_all();
BEGIN;
DELETE FROM trip_2001 WHERE k = 1;
SELECT count(*), sum(k), gpu_sum(r) FROM trip WHERE k < 3;
ROLLBACK;
SELECT count(*), sum(k), gpu_sum(r) FROM trip WHERE k < 3;
ALTER TABLE trip DETACH PARTITION trip_2001;
SELECT made_by(q), answer(q, 'exact') = answer(q, 'off') AS same FROM question LIMIT 2;
ALTER TABLE trip ATTACH PARTITION trip_2001 FOR VALUES FROM ('2001-01-01') TO ('2002-01-01');
SELECT check_all();

-- The ordinary plan takes over in the report's half.
UPDATE trip_2001 SET m = 'NaN' WHERE b = 1000003;
SELECT made_by(q), answer(q, 'exact') = answer(q, 'off') AS same
FROM (VALUES ('SELECT t, gpu_sum(d), avg(s), count(*), min(at) FROM trip WHERE m > 3 GROUP BY t')) AS v (q);
SET gpuscan.reports = exact;

-- What the other server makes of a query that is sent to it.
CREATE FUNCTION reports() RETURNS bigint LANGUAGE sql AS 'SELECT reports FROM gpuscan_status()';
INSERT INTO away SELECT * FROM trips('2003-01-01', 365, 1);
VACUUM ANALYZE away;
ANALYZE trip_away;
SELECT reports() AS before \gset
SELECT count(*), count(gpu_sum) FROM (SELECT t, gpu_sum(d) FROM trip_away GROUP BY t) AS g;
SELECT reports() - :before AS made_there;

-- What is not taken, and why.
SET client_min_messages = notice;
\set VERBOSITY terse
EXPLAIN (VERBOSE) SELECT d, gpu_sum(k) FROM trip GROUP BY d \g /dev/null
EXPLAIN (VERBOSE) SELECT m, gpu_sum(k) FROM trip GROUP BY m \g /dev/null
EXPLAIN (VERBOSE) SELECT sum(b), gpu_sum(k) FROM trip \g /dev/null
EXPLAIN (VERBOSE) SELECT avg(m) FROM trip \g /dev/null
EXPLAIN (VERBOSE) SELECT max(d) FROM trip \g /dev/null
EXPLAIN (VERBOSE) SELECT gpu_median(d) FROM trip \g /dev/null
EXPLAIN (VERBOSE) SELECT count(DISTINCT k) FROM trip \g /dev/null
-- From 18 on grouping sets are not taken for that alone.
SELECT CASE WHEN current_setting('server_version_num')::integer < 180000 THEN 'EXPLAIN (VERBOSE) SELECT k, gpu_sum(d) FROM trip GROUP BY ROLLUP (k)'
	ELSE 'DO $$ BEGIN RAISE NOTICE ''gpuscan makes no report: not all partitions are heap tables, and it has grouping sets''; END $$' END AS rollup \gset
:rollup \g /dev/null
EXPLAIN (VERBOSE) SELECT DISTINCT k FROM trip \g /dev/null
EXPLAIN (VERBOSE) SELECT gpu_sum(d) FROM trip WHERE at > '2003-01-01' \g /dev/null

SET client_min_messages = warning;
DROP FUNCTION nodes, check_all, reports, trips;
DROP TABLE trip, away, away_empty, question;
DROP EXTENSION postgres_fdw CASCADE;
RESET ALL;
