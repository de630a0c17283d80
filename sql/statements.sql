-- gpuscan_statements(): what became of each statement.
LOAD 'gpuscan';
SET gpuscan.engine = gpu;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
-- by its text, as where servers have no query ids
SELECT count(set_config(name, 'off', false)) <= 1 FROM pg_settings WHERE name = 'compute_query_id';

CREATE TABLE deed (k integer, v integer, n numeric(8, 2), t text);
INSERT INTO deed SELECT i % 10, i, CASE WHEN i = 7 THEN 'NaN' ELSE (i % 100)::numeric END, 't' || i % 7
FROM generate_series(1, 50000) AS i;
CREATE TABLE little AS SELECT * FROM deed LIMIT 10;
VACUUM ANALYZE deed, little;

-- What is told of statements with this text, from the query itself on: before 18 that of PREPARE is all of it.
CREATE FUNCTION told(pattern text, OUT statement text, OUT calls bigint, OUT reports bigint, OUT ordinary bigint,
	OUT refused bigint, OUT reason text, OUT rows_cached bigint, OUT rows_read bigint, OUT groups bigint)
RETURNS SETOF record LANGUAGE sql AS $$
	SELECT left(substring(query FROM 'SELECT.*'), 70), s.calls, s.reports, s.ordinary, s.refused, s.reason, s.rows_cached, s.rows_read, s.groups
	FROM gpuscan_statements() AS s
	WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND query LIKE pattern
		AND query NOT LIKE '%told(%'
	ORDER BY query COLLATE "C"
$$;
SELECT gpuscan_statements_reset() >= 0 AS reset;
SELECT * FROM told('%deed%');

-- Reports: the first reads, the next one finds all held.
SELECT k, sum(v) FROM deed WHERE k < 2 GROUP BY k ORDER BY k;
SELECT * FROM told('%k < 2%');
SELECT k, sum(v) FROM deed WHERE k < 2 GROUP BY k ORDER BY k;
SELECT * FROM told('%k < 2%');
SELECT userid = (SELECT oid FROM pg_roles WHERE rolname = current_user) AS userid, queryid,
	report_ms > 0 AS total, report_mean_ms = report_ms / 2 AS mean, ordinary_ms, ordinary_mean_ms,
	estimated_ms > 1 AS estimated, last_used BETWEEN now() - interval '1 hour' AND clock_timestamp() AS last_used
FROM gpuscan_statements() WHERE query LIKE '%k < 2%' AND query LIKE '%deed%';

-- Ordinary plans: by the setting, and because of a value.
SET gpuscan.reports = off;
SELECT k, sum(v) FROM deed WHERE k < 2 GROUP BY k ORDER BY k;
SET gpuscan.reports = exact;
SET gpuscan.engine = cpu;
SELECT k, sum(v) FROM deed WHERE k < 2 GROUP BY k ORDER BY k;
SELECT * FROM told('%k < 2%');
SET gpuscan.engine = gpu;
SELECT k, sum(v) FROM deed WHERE k < 2 GROUP BY k ORDER BY k;
SELECT * FROM told('%k < 2%');
SELECT max(n) FROM deed WHERE k = 7;
SELECT * FROM told('%max(n)%');
SELECT report_ms, report_mean_ms, ordinary_ms > 0 AS total, ordinary_mean_ms = ordinary_ms AS mean
FROM gpuscan_statements() WHERE query LIKE '%max(n)%' AND query LIKE '%deed%';

-- What could be a report, and is none: why.
SELECT length(string_agg(t, '')) FROM deed;
SELECT count(*) FROM deed AS a FULL JOIN deed AS b USING (v);
SELECT count(a) FROM (SELECT array_agg(v) AS a FROM deed GROUP BY k) AS inner_one;
SELECT * FROM told('%string_agg%') UNION ALL SELECT * FROM told('%JOIN%') UNION ALL SELECT * FROM told('%inner_one%');
-- nor what is too small, has no aggregate or no table, or is no report by the setting
SELECT sum(k) FROM little;
SELECT count(*) FROM pg_class WHERE oid = 'deed'::regclass;
SELECT v FROM deed WHERE v = 5 LIMIT 1;
SELECT sum(i + 11) FROM generate_series(1, 50000) AS i;
SET gpuscan.reports = gpuscan;
SELECT sum(v), min(k) FROM deed;
SELECT gpu_count(v), min(length(string_agg(t, ''))) OVER () FROM deed;
SET gpuscan.reports = exact;
SELECT * FROM told('%little%') UNION ALL SELECT * FROM told('%pg_class%') UNION ALL SELECT * FROM told('%v = 5%')
UNION ALL SELECT * FROM told('%i + 11%') UNION ALL SELECT * FROM told('%min(%');

-- What is explained is not counted, nor what ends by an error, or is not executed.
\o /dev/null
EXPLAIN SELECT sum(v + 2) FROM deed;
EXPLAIN (ANALYZE) SELECT sum(v + 2) FROM deed;
\o
SELECT sum(1 / (v - 3)) FROM deed;
SELECT sum(v + 4) FROM deed LIMIT 0;
SET track_activities = off;
SELECT sum(v + 5) FROM deed;
RESET track_activities;
SELECT * FROM told('%sum(v + _)%') UNION ALL SELECT * FROM told('%v - 3%');

-- Statements that are prepared, in cursors, in functions, in one text, executed again and again.
SET plan_cache_mode = force_generic_plan;
PREPARE again (integer) AS SELECT sum(v) FROM deed WHERE k = $1;
EXECUTE again (1);
EXECUTE again (2);
SET gpuscan.reports = off;
EXECUTE again (3);
SET gpuscan.reports = exact;
PREPARE refused (integer) AS SELECT length(string_agg(t, '')) FROM deed WHERE v > $1;
EXECUTE refused (1);
EXECUTE refused (2);
RESET plan_cache_mode;
SELECT * FROM told('%$1');
BEGIN;
DECLARE step CURSOR FOR SELECT k, count(*) FROM deed GROUP BY k ORDER BY k;
FETCH 2 FROM step;
FETCH 1 FROM step;
SELECT * FROM told('%k, count(*) FROM deed%');
CLOSE step;
COMMIT;
SELECT * FROM told('%k, count(*) FROM deed%');
CREATE FUNCTION inside(integer) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY SELECT sum(v) FROM deed WHERE k > $1;
END
$$;
SELECT inside(1), inside(8);
SELECT * FROM told('%k > $1%') UNION ALL SELECT * FROM told('%inside%');
-- statements of rules and, since 14, of functions know nothing of their text
CREATE TABLE noted (n bigint);
CREATE RULE note AS ON INSERT TO noted DO ALSO UPDATE noted SET n = (SELECT sum(v + 12) FROM deed);
INSERT INTO noted VALUES (1);
DO $$
BEGIN
	EXECUTE 'CREATE FUNCTION bare() RETURNS bigint LANGUAGE sql VOLATILE ' || CASE WHEN current_setting('server_version_num')::integer >= 140000
		THEN 'BEGIN ATOMIC SELECT sum(v + 13) FROM deed; END' ELSE 'AS ''SELECT 1::bigint''' END;
END
$$;
SELECT bare() > 0 AS bare;
TABLE noted;
SELECT DISTINCT query FROM gpuscan_statements() WHERE query ~ 'noted|v [+] 1[23]|bare|^$' AND query NOT LIKE '%gpuscan_statements()%';
SELECT sum(v + 6) FROM deed\; SELECT sum(v + 7) FROM deed\;  SELECT sum(v + 8) FROM deed ;
SELECT * FROM told('%sum(v + _)%');
SELECT count(s) FROM generate_series(1, 3) AS i, LATERAL (SELECT sum(v) AS s FROM deed WHERE k <> i OFFSET 0) AS l;
SELECT * FROM told('%LATERAL%');
SELECT * FROM (SELECT sum(v) FROM deed WHERE k = 8) AS one, (SELECT length(string_agg(t, '')) FROM deed WHERE k = 9) AS other;
SELECT * FROM told('%AS other%');

-- Of long texts, the beginning, in whole characters.
DO $$
BEGIN
	EXECUTE 'SELECT sum(v) AS first_of_long FROM deed -- ' || repeat(U&'caf\00e9 ', 1000);
END
$$;
SELECT length(query), octet_length(query), right(query, 3) FROM gpuscan_statements() WHERE query LIKE 'SELECT sum(v) AS first%';

-- Who sees it
CREATE ROLE regress_gpuscan_teller;
CREATE ROLE regress_gpuscan_reader IN ROLE pg_read_all_stats;
GRANT SELECT ON deed TO regress_gpuscan_teller;
SET ROLE regress_gpuscan_teller;
SELECT sum(v + 9) FROM deed;
SELECT query, queryid, reason, count(*) > 5 AS some, sum(calls) > 5 AS calls FROM gpuscan_statements()
WHERE userid <> current_user::regrole AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
GROUP BY 1, 2, 3;
SELECT query, calls, reports FROM gpuscan_statements() WHERE userid = current_user::regrole;
SELECT gpuscan_statements_reset();
SET ROLE regress_gpuscan_reader;
SELECT * FROM told('%sum(v + _)%');
SELECT gpuscan_statements_reset();
RESET ROLE;

-- The same text of two users is two statements.
SELECT sum(v + 9) FROM deed;
SELECT * FROM told('%v + 9%');
REVOKE ALL ON deed FROM regress_gpuscan_teller;
DROP ROLE regress_gpuscan_teller, regress_gpuscan_reader;

-- 1,000 are kept: those that were used last.
SELECT gpuscan_statements_reset() > 10 AS reset;
SELECT count(*) FROM gpuscan_statements();
DO $$
BEGIN
	FOR i IN 1 .. 1100 LOOP
		EXECUTE format('SELECT sum(v) FROM deed WHERE k = %s', i);
		EXECUTE 'SELECT sum(v) FROM deed WHERE k = 1';
	END LOOP;
END
$$;
SELECT count(*), sum(calls) FROM gpuscan_statements();
SELECT statement, calls FROM told('%k = 1');
SELECT statement, calls FROM told('%k = 101');
SELECT statement, calls FROM told('%k = 102');
SELECT count(DISTINCT query) FROM gpuscan_statements();
SELECT gpuscan_statements_reset(), gpuscan_statements_reset();
SELECT sum(v) FROM deed WHERE k = 1;
SELECT * FROM told('%k = 1');

DROP FUNCTION told, inside, bare;
DROP TABLE deed, little, noted;
