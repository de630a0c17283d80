-- The first rows of each row's group, by LATERAL ... LIMIT: as reports that number the rows of all groups.
LOAD 'gpuscan';
SET gpuscan.engine = auto;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
SET seq_page_cost = 1000000;	-- small tables, too, are worth a report
SET random_page_cost = 1;
SET jit = off;
SET timezone = 'UTC';

CREATE TABLE sensor (id int, kind text, wide int8, label text COLLATE "C");
INSERT INTO sensor SELECT CASE WHEN i % 10 > 0 THEN i END, 'kind ' || i % 4, i, 'label ' || i % 7 FROM generate_series(1, 60) AS i;
INSERT INTO sensor SELECT * FROM sensor WHERE id IN (3, 77);	-- twice, so that its rows are, too
CREATE TABLE sample (id int, sensor int4, label text COLLATE "C", at timestamptz, v int4, f float8, n numeric(30, 2), payload json);
INSERT INTO sample SELECT i, CASE WHEN i % 37 > 0 THEN i % 50 END, CASE WHEN i % 41 > 0 THEN 'label ' || i % 9 END, timestamptz '2026-01-01' + (i * 7919 % 5000) * interval '37 minutes',
	CASE WHEN i % 11 > 0 THEN (i * 7919) % 17 END, CASE WHEN i % 19 > 0 THEN i % 64 * 0.25 - 4 END, i, json_build_object('i', i) FROM generate_series(1, 5000) AS i;
CREATE TABLE value AS SELECT v, 'value ' || v AS name FROM generate_series(0, 20) AS v;
CREATE VIEW of_kind AS SELECT id, sensor, at, v FROM sample WHERE v > 3;
VACUUM ANALYZE sensor, sample, value;

-- Are rows of all groups numbered by a report, and is the result the same?
CREATE FUNCTION by_number(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	SET gpuscan.reports = exact;
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
	RETURN CASE WHEN plan::text NOT LIKE '%"Windows": %PARTITION BY%' THEN 'each group'
		WHEN plan::text LIKE '%"Ordinary Plans":%' THEN 'ordinary plan: ' || substring(plan::text, '"Reason": "([^"]*)"')
		ELSE 'service' END;
END
$$;
CREATE FUNCTION laterals(queries text[]) RETURNS TABLE (made text, same bool, query text) LANGUAGE sql AS $$
	SELECT by_number(q), answer(q, 'exact') IS NOT DISTINCT FROM answer(q, 'off'), q FROM unnest(queries) AS q
$$;

-- How it is written.
SELECT * FROM laterals(ARRAY[
	'SELECT s.id, l.at, l.v FROM sensor AS s CROSS JOIN LATERAL (SELECT at, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at DESC LIMIT 3) AS l',
	'SELECT s.id, l.* FROM sensor AS s LEFT JOIN LATERAL (SELECT at, v FROM sample AS r WHERE s.id = r.sensor ORDER BY at DESC, id LIMIT 2) AS l ON true',
	'SELECT s.id, l.* FROM sensor AS s LEFT JOIN LATERAL (SELECT at, v FROM sample AS r WHERE s.id = r.sensor ORDER BY at DESC, id LIMIT 2) AS l ON v > 5',
	'SELECT s.id, l.* FROM sensor AS s JOIN LATERAL (SELECT at, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at DESC, id LIMIT 2) AS l ON v < s.wide WHERE s.kind <> ''kind 1''',
	'SELECT s.id, a, b FROM sensor AS s, LATERAL (SELECT at, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id FETCH FIRST ROW ONLY) AS l (a, b) WHERE b > 3',
	'SELECT s.id, l.* FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id OFFSET 2 LIMIT 3) AS l',
	'SELECT s.id, l.* FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY v DESC NULLS LAST FETCH FIRST 4 ROWS WITH TIES) AS l',
	'SELECT s.id, l.v FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY v OFFSET 3 FETCH FIRST 4 ROWS WITH TIES) AS l',
	'SELECT s.wide, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.wide AND v > 3 AND at >= ''2026-02-01'' AND label IN (''label 1'', ''label 2'') ORDER BY f DESC, id LIMIT 20) AS l',
	'SELECT s.wide, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id AND s.label = r.label ORDER BY id LIMIT 2) AS l',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.f = s.id ORDER BY at, id LIMIT 2) AS l',
	'SELECT s.id, l.id IS NOT NULL AS found FROM sensor AS s LEFT JOIN LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id LIMIT 90) AS l ON true',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT * FROM of_kind AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 1 + 1) AS l',
	'SELECT s.id, l.id, l.payload FROM sensor AS s, LATERAL (SELECT id, payload FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 1) AS l',
	'SELECT s.id, l.id, l.name FROM sensor AS s, LATERAL (SELECT r.id, o.name FROM sample AS r JOIN value AS o ON o.v = r.v WHERE r.sensor = s.id ORDER BY at, r.id LIMIT 3) AS l'
	]);

-- Around it: other joins, aggregates, subqueries, WITH, several of them.
SELECT * FROM laterals(ARRAY[
	'SELECT s.id, l.* FROM sensor AS s CROSS JOIN LATERAL (SELECT at, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at DESC, id LIMIT 3) AS l WHERE s.kind LIKE ''kind%'' AND 10 / s.wide <> 5',
	'SELECT kind, count(*), sum(l.v), max(l.at) FROM sensor AS s CROSS JOIN LATERAL (SELECT at, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at DESC, id LIMIT 3) AS l GROUP BY kind',
	'SELECT DISTINCT l.v FROM sensor AS s CROSS JOIN LATERAL (SELECT at, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at DESC, id LIMIT 3) AS l',
	'SELECT * FROM (SELECT s.id, l.* FROM sensor AS s CROSS JOIN LATERAL (SELECT at, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at DESC, id LIMIT 3) AS l) AS q WHERE v > 2',
	'WITH w AS MATERIALIZED (SELECT s.id, l.* FROM sensor AS s CROSS JOIN LATERAL (SELECT at, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at DESC, id LIMIT 3) AS l) SELECT a.id, b.v FROM w AS a JOIN w AS b ON a.id = b.v',
	'SELECT 1 AS a, l.v FROM sensor AS s, LATERAL (SELECT v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 1) AS l UNION ALL SELECT 2, l.v FROM sensor AS s, LATERAL (SELECT v FROM sample AS r WHERE r.sensor = s.id ORDER BY at DESC, id LIMIT 1) AS l',
	'SELECT s.id, l.id AS l, m.id AS m FROM sensor AS s CROSS JOIN LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 1) AS l LEFT JOIN LATERAL (SELECT id FROM sample AS r WHERE r.v = s.wide ORDER BY at, id LIMIT 2) AS m ON true',
	'SELECT s.id, o.wide, l.id FROM (sensor AS s LEFT JOIN sensor AS o ON s.id = o.wide AND o.wide > 30) CROSS JOIN LATERAL (SELECT id FROM sample AS r WHERE r.sensor = o.id ORDER BY at, id LIMIT 1) AS l',
	'SELECT s.id, o.wide, l.id FROM (sensor AS s LEFT JOIN sensor AS o ON s.id = o.wide AND o.wide > 30) LEFT JOIN LATERAL (SELECT id FROM sample AS r WHERE r.sensor = o.id ORDER BY at, id LIMIT 1) AS l ON true',
	'SELECT s.id, q.x, q.y FROM sensor AS s LEFT JOIN (sensor AS o (x) CROSS JOIN LATERAL (SELECT id AS y FROM sample AS r WHERE r.sensor = o.x ORDER BY at, id LIMIT 1) AS l) AS q ON q.x = s.wide AND s.wide > 20',
	'SELECT wide, w.y FROM sensor AS s FULL JOIN sensor AS o USING (wide) CROSS JOIN LATERAL (SELECT r.id AS y FROM sample AS r WHERE r.sensor = wide ORDER BY at LIMIT 0 + 1) AS w',
	'SELECT s.id, l.v FROM sensor AS s, LATERAL (SELECT v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l ORDER BY s.id DESC, l.v LIMIT 5',
	'SELECT kind, (SELECT sum(l.v) FROM sensor AS s, LATERAL (SELECT v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l) FROM sensor'
	]);
SET enable_hashjoin = off;
SELECT * FROM laterals(ARRAY[
	'SELECT s.id, l.id, o.wide FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l JOIN sensor AS o ON l.v = o.wide',
	'SELECT s.id, l.id, o.wide FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l LEFT JOIN sensor AS o ON l.v = o.wide AND o.kind = ''kind 1''']);
RESET enable_hashjoin;

-- What stays as it is: no equality, another one, other uses of the row around it, errors, what may differ.
SELECT * FROM laterals(ARRAY[
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor < s.id ORDER BY at, id LIMIT 2) AS l',
	'SELECT s.id, a.wide, l.id FROM sensor AS s, sensor AS a LEFT JOIN LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l ON l.id > a.wide WHERE a.wide > 58',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id AND r.v < s.wide ORDER BY at, id LIMIT 2) AS l',
	'SELECT s.id, l.x FROM sensor AS s, LATERAL (SELECT s.wide + id AS x FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id OR r.sensor = 1 ORDER BY at, id LIMIT 2) AS l',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY abs(v - s.wide), id LIMIT 2) AS l',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.label = s.label COLLATE "POSIX" ORDER BY at, id LIMIT 2) AS l',
	'SELECT s.id, l FROM sensor AS s LEFT JOIN LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l ON true',
	'SELECT s.id, to_json(l) ->> ''id'' AS id FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l',
	'SELECT s.id, (SELECT l::text) FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l',
	'SELECT s.id, l.n FROM sensor AS s, LATERAL (SELECT count(*) AS n FROM sample AS r WHERE r.sensor = s.id LIMIT 2) AS l',
	'SELECT s.id, l.v FROM sensor AS s, LATERAL (SELECT DISTINCT v FROM sample AS r WHERE r.sensor = s.id ORDER BY v LIMIT 2) AS l',
	'SELECT s.id, l.x FROM sensor AS s, LATERAL (SELECT 100 / (sensor - 49) AS x FROM sample AS r WHERE r.sensor = s.id ORDER BY id LIMIT 2) AS l WHERE s.id < 49',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id AND 100 / (sensor - 49) < 1000 ORDER BY id LIMIT 2) AS l WHERE s.id < 40',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY 100 / (sensor - 49), id LIMIT 2) AS l WHERE s.id < 49',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.v > 16 AND r.sensor <> 49 AND 100 / (r.sensor - 49) = s.id ORDER BY id LIMIT 2) AS l',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = 100 / (s.wide - 1) ORDER BY id LIMIT 2) AS l WHERE s.wide > 1',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id AND random() >= 0 ORDER BY id LIMIT 2) AS l',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r TABLESAMPLE system (100) WHERE r.sensor = s.id ORDER BY id LIMIT 2) AS l',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY id LIMIT NULL) AS l',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY id LIMIT 0) AS l',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY id LIMIT 2000000) AS l',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY id OFFSET 90) AS l',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY id LIMIT s.wide) AS l',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id AND EXISTS (SELECT FROM sensor AS o WHERE o.id = r.v) ORDER BY id LIMIT 2) AS l'
	]);
-- Conditions around it, and what they refer to, may be evaluated for the rows of all groups: they must raise no error.
SELECT * FROM laterals(ARRAY[
	'SELECT s.id, 100 / (l.id + 7) AS x FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l WHERE l.v > 2 AND (s.kind = ''kind 1'' OR s.wide > l.v)',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l WHERE 100 / (l.id + 7) > 2',
	'SELECT s.id, l.id FROM sensor AS s LEFT JOIN LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l ON 100 / (l.id + 7) > 2',
	'SELECT l.v FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l GROUP BY l.v HAVING 100 / (l.v + 7) > 2',
	'SELECT 100 / (l.v + 7) AS x, count(*) FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l GROUP BY x',
	'SELECT 100 / (l.v + 7) AS x FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l GROUP BY x HAVING 100 / (l.v + 7) > 2',
	'SELECT * FROM (SELECT s.id, l.id AS x FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l) AS q WHERE x > 300',
	'SELECT * FROM (SELECT s.id, l.id AS x FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l) AS q WHERE 100 / (x + 7) > 2',
	'SELECT * FROM (SELECT s.id, 100 / (l.id + 7) AS x FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l) AS q WHERE x > 2',
	'SELECT s.id, m.y FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l, LATERAL (SELECT 100 / (l.id + 7) AS y) AS m WHERE y > 2',
	'SELECT s.id, m.y FROM (sensor AS s CROSS JOIN LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l (x)), LATERAL (SELECT 100 / (x + 7) AS y) AS m WHERE y > 2',
	'SELECT s.id, g FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l, generate_series(1, 100 / (l.id + 7)) AS g',
	'SELECT q.id, m.y FROM (SELECT s.id, l.id AS x FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l) AS q, LATERAL (SELECT 100 / (x + 7) AS y) AS m WHERE y > 2',
	'WITH w AS (SELECT s.id, l.id AS x FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l) SELECT w.id, m.y FROM w, LATERAL (SELECT 100 / (x + 7) AS y) AS m WHERE y > 2',
	'WITH w AS (SELECT s.id, l.id AS x FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l) SELECT * FROM w WHERE x > 300',
	'WITH w AS (SELECT s.id, l.id AS x FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l) SELECT * FROM w WHERE 100 / (x + 7) > 2',
	'WITH w AS MATERIALIZED (SELECT s.id, l.id AS x FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l) SELECT * FROM w WHERE 100 / (x + 7) > 2',
	-- what is inlined in an expression, or twice
	'WITH w AS (SELECT s.id, l.v FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l) SELECT count(*), (SELECT max(v) FROM w) FROM sensor',
	'WITH w AS NOT MATERIALIZED (SELECT s.id, l.v FROM sensor AS s, LATERAL (SELECT id, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l) SELECT a.id, b.v FROM w AS a JOIN w AS b ON a.id = b.v',
	-- constants that may not be evaluated
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id AND at > now() - interval ''9 years'' AND v > 2 ORDER BY at, id LIMIT 2) AS l',
	'SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id AND (v > 2 OR at > now() - interval ''9 years'') ORDER BY at, id LIMIT 2) AS l',
	'SELECT s.id, l.x FROM sensor AS s, LATERAL (SELECT CASE v WHEN 2 THEN at END AS x FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l',
	'SELECT s.id, l.x FROM sensor AS s, LATERAL (SELECT CASE WHEN v > 99 THEN now() - interval ''9 years'' END AS x FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l'
	]);

-- A number that a function gives, and may not give later.
CREATE FUNCTION two() RETURNS int8 LANGUAGE sql STABLE AS 'SELECT 2::int8';
SELECT * FROM laterals(ARRAY['SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT two()) AS l']);
DROP FUNCTION two();

SELECT error_of('SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY id LIMIT -1) AS l');

-- Infinity, NaN, -0 and equal values of other types as keys.
CREATE TABLE odd (x float8, n numeric, c char(4));
INSERT INTO odd SELECT x, n::numeric, c FROM unnest('{0,-0,NaN,Infinity,-Infinity,NULL,1.5,2}'::float8[], '{0,0.00,NaN,1.50,1.5,NULL,2,2.0}'::text[], '{a,"a ",b,c,"",NULL,d,e}'::text[]) AS u (x, n, c);
CREATE TABLE odder AS SELECT i, o.* FROM odd AS o, generate_series(1, 300) AS i;
INSERT INTO odd SELECT -9, -9, 'z' FROM generate_series(1, 60);
VACUUM ANALYZE odd, odder;
SELECT * FROM laterals(ARRAY[
	'SELECT l.* FROM odd AS o, LATERAL (SELECT i FROM odder AS r WHERE r.x = o.x ORDER BY i DESC FETCH FIRST ROW WITH TIES) AS l',
	'SELECT l.* FROM odd AS o, LATERAL (SELECT i FROM odder AS r WHERE r.n = o.n ORDER BY i DESC FETCH FIRST ROW WITH TIES) AS l',
	'SELECT l.* FROM odd AS o, LATERAL (SELECT i FROM odder AS r WHERE o.c = r.c ORDER BY i DESC FETCH FIRST ROW WITH TIES) AS l',
	'SELECT o.x, l.i FROM odd AS o LEFT JOIN LATERAL (SELECT i FROM odder AS r WHERE r.n = o.x::numeric ORDER BY i DESC FETCH FIRST ROW WITH TIES) AS l ON true WHERE o.x < 3']);
DROP TABLE odd, odder;

-- Times that are skipped equal others; values without an order.
SET timezone = 'America/New_York';
CREATE TABLE local_time (i int, t timestamp, z timestamptz, d date, xs xid[], small int2, f float4);
INSERT INTO local_time SELECT i, timestamp '2026-03-08 02:00' + i % 120 * interval '1 minute', timestamptz '2026-03-08 03:00' + i % 120 * interval '1 minute', date '2026-03-08' + i % 90, ARRAY[(i % 90)::text::xid], i % 90, i % 90 * 0.1 FROM generate_series(1, 5000) AS i;
CREATE TABLE zoned AS SELECT z, d::timestamptz AS midnight, xs, small::int8 AS wide, f::float8 AS f FROM local_time WHERE i <= 90;
VACUUM ANALYZE local_time, zoned;
SELECT * FROM laterals(ARRAY[
	'SELECT o.z, l.i FROM zoned AS o, LATERAL (SELECT i FROM local_time AS r WHERE r.t = o.z ORDER BY i LIMIT 2) AS l',
	'SELECT o.midnight, l.i FROM zoned AS o, LATERAL (SELECT i FROM local_time AS r WHERE r.d = o.midnight ORDER BY i LIMIT 2) AS l',
	'SELECT o.z, l.i FROM zoned AS o, LATERAL (SELECT i FROM local_time AS r WHERE r.xs = o.xs ORDER BY i LIMIT 2) AS l',
	'SELECT o.z, l.i FROM zoned AS o, LATERAL (SELECT i FROM local_time AS r WHERE r.z = o.z ORDER BY i LIMIT 2) AS l',
	'SELECT o.z, l.i FROM zoned AS o, LATERAL (SELECT i FROM local_time AS r WHERE r.small = o.wide ORDER BY i LIMIT 2) AS l',
	'SELECT o.z, l.i FROM zoned AS o, LATERAL (SELECT i FROM local_time AS r WHERE r.f = o.f ORDER BY i LIMIT 2) AS l']);
DROP TABLE local_time, zoned;
SET timezone = 'UTC';

-- Few groups: the report would cost less, but not its ordinary plan.  An index gives the rows of a group sooner.
SELECT * FROM laterals(ARRAY[
	'SELECT s.id, l.at, l.v FROM sensor AS s CROSS JOIN LATERAL (SELECT at, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at DESC, id LIMIT 3) AS l WHERE s.wide <= 20',
	'SELECT s.id, l.at, l.v FROM sensor AS s CROSS JOIN LATERAL (SELECT at, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at DESC, id LIMIT 3) AS l WHERE s.wide <= 3'
	]);
CREATE INDEX ON sample (sensor, at);
SELECT * FROM laterals(ARRAY['SELECT s.id, l.at, l.v FROM sensor AS s CROSS JOIN LATERAL (SELECT at, v FROM sample AS r WHERE r.sensor = s.id ORDER BY at DESC LIMIT 3) AS l']);
DROP INDEX sample_sensor_at_idx;

-- Prepared, in a cursor, in other statements.
PREPARE first_of(bigint, int) AS SELECT count(*), sum(l.id) FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id AND v > $2 ORDER BY at, id LIMIT $1) AS l;
SELECT by_number('EXECUTE first_of(2, 3)'), by_number('EXECUTE first_of(3, 5)'), by_number('EXECUTE first_of(NULL, 5)');
EXECUTE first_of(2, 3);
EXECUTE first_of(3, 5);
SET plan_cache_mode = force_generic_plan;
SELECT by_number('EXECUTE first_of(2, 3)');
EXECUTE first_of(2, 3);
RESET plan_cache_mode;
SET gpuscan.reports = off;
EXECUTE first_of(2, 3);
SET gpuscan.reports = exact;
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l WHERE s.id = 3 ORDER BY 1, 2;
FETCH 2 FROM c;
FETCH BACKWARD 1 FROM c;
ROLLBACK;
CREATE TABLE copied AS SELECT s.id, l.at FROM sensor AS s, LATERAL (SELECT at FROM sample AS r WHERE r.sensor = s.id ORDER BY at DESC LIMIT 2) AS l;
INSERT INTO copied SELECT s.id, l.at FROM sensor AS s, LATERAL (SELECT at FROM sample AS r WHERE r.sensor = s.id ORDER BY at DESC LIMIT 2) AS l;
SELECT by_number('INSERT INTO copied SELECT s.id, l.at FROM sensor AS s, LATERAL (SELECT at FROM sample AS r WHERE r.sensor = s.id ORDER BY at DESC LIMIT 2) AS l');
UPDATE copied SET at = NULL FROM (SELECT s.id, l.at FROM sensor AS s, LATERAL (SELECT at FROM sample AS r WHERE r.sensor = s.id ORDER BY at DESC LIMIT 1) AS l) AS q WHERE q.id = copied.id AND q.at = copied.at;
SELECT count(*), count(at), count(DISTINCT id) FROM copied;
SELECT count(*) FROM (SELECT s.id FROM sensor AS s, LATERAL (SELECT at FROM sample AS r WHERE r.sensor = s.id ORDER BY at DESC LIMIT 2) AS l FOR UPDATE OF s) AS q;
DROP TABLE copied;

-- Row security, and privileges on columns.
CREATE ROLE regress_lateral;
GRANT SELECT ON sensor TO regress_lateral;
GRANT SELECT (sensor, at, id) ON sample TO regress_lateral;
ALTER TABLE sample ENABLE ROW LEVEL SECURITY;
CREATE POLICY few ON sample TO regress_lateral USING (v < 3);
SET ROLE regress_lateral;
SELECT * FROM laterals(ARRAY['SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l']);
SELECT count(*), sum(l.id) FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l;
SELECT s.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY v LIMIT 2) AS l;
RESET ROLE;
ALTER TABLE sample DISABLE ROW LEVEL SECURITY;
SET ROLE regress_lateral;
SELECT * FROM laterals(ARRAY['SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY at, id LIMIT 2) AS l']);
SELECT s.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY v LIMIT 2) AS l;
RESET ROLE;
DROP POLICY few ON sample;
DROP OWNED BY regress_lateral;
DROP ROLE regress_lateral;

-- Since 18 a column may stand for an expression, which raises errors for rows of groups that are not asked for.
SELECT make_derived(60);
VACUUM ANALYZE derived;
SELECT same, query FROM laterals(ARRAY[
	'SELECT s.id, l.x FROM sensor AS s, LATERAL (SELECT x FROM derived AS r WHERE r.k = s.id AND q > 20 ORDER BY x LIMIT 2) AS l',
	'SELECT s.id, l.q FROM sensor AS s, LATERAL (SELECT q FROM derived AS r WHERE r.k = s.id ORDER BY q LIMIT 2) AS l',
	'SELECT s.id, l.q FROM sensor AS s LEFT JOIN LATERAL (SELECT q FROM derived AS r JOIN value ON v = x WHERE r.k = s.id ORDER BY x LIMIT 2) AS l ON true']);

-- A report that cannot be made ends in its ordinary plan once: then each group is looked for again.
ALTER TABLE sample ALTER n TYPE numeric;
UPDATE sample SET n = 123456789012345678901234567.25 WHERE id = 4000;
VACUUM ANALYZE sample;
SELECT * FROM laterals(ARRAY['SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY n DESC, id LIMIT 2) AS l']);
SELECT by_number('SELECT s.id, l.id FROM sensor AS s, LATERAL (SELECT id FROM sample AS r WHERE r.sensor = s.id ORDER BY n DESC, id LIMIT 2) AS l');

-- Why there is no report is told of the plan that is taken.
EXPLAIN (VERBOSE) SELECT s.id, l.at FROM sensor AS s, LATERAL (SELECT at FROM sample AS r WHERE r.sensor = s.id ORDER BY at DESC FETCH FIRST 3 ROWS WITH TIES) AS l \g /dev/null
EXPLAIN (VERBOSE) SELECT s.id, l.at FROM sensor AS s, LATERAL (SELECT at FROM sample AS r WHERE r.sensor < s.id ORDER BY at DESC FETCH FIRST 3 ROWS WITH TIES) AS l \g /dev/null

DROP FUNCTION by_number(text), laterals(text[]);
DROP VIEW of_kind;
DROP TABLE sensor, sample, value, derived;
