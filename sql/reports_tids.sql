-- Reports of rows with columns of any type, which are fetched from the table by TID.
LOAD 'gpuscan';
SET gpuscan.engine = auto;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
SET seq_page_cost = 1000000;	-- small tables, too, are worth a report
SET random_page_cost = 1;
SET jit = off;
SET timezone = 'UTC';

CREATE TYPE pair AS (a int, b text);
CREATE TABLE event (gone text, id int, device int4, at timestamptz, payload json, tags text[], v int4, was_dropped numeric, part pair, owner text, double_v int GENERATED ALWAYS AS (v * 2) STORED);
INSERT INTO event (gone, id, device, at, payload, tags, v, part, owner) SELECT repeat('g', i % 9), i, i % 20, timestamptz '2026-01-01' + (i * 7919 % 5003) * interval '37 minutes',
	CASE WHEN i % 7 > 0 THEN json_build_object('i', i, 'x', repeat('x', i % 90)) END, ARRAY['t' || i, NULL], CASE WHEN i % 11 > 0 THEN i % 100 END, (i, 'b')::pair, 'owner ' || i
	FROM generate_series(1, 5000) AS i;
ALTER TABLE event DROP gone, DROP was_dropped, ADD later text DEFAULT 'later', ADD added json DEFAULT '{"added": 1}';
INSERT INTO event (id, device, at, payload, tags, v, part, owner, later) SELECT i, i % 20, timestamptz '2027-01-01' + i * interval '1 hour', to_json(repeat(md5(i::text), 200)), '{}', i, NULL, repeat('long ' || i, 900), NULL
	FROM generate_series(5001, 5100) AS i;
CREATE TABLE device (id int PRIMARY KEY, name text);
INSERT INTO device SELECT i, 'device ' || i FROM generate_series(0, 14) AS i;
VACUUM ANALYZE event, device;

CREATE FUNCTION fetched(queries text[]) RETURNS TABLE (made text, same bool, query text) LANGUAGE sql AS $$
	SELECT made_by(q), answer(q, 'off') IS NOT DISTINCT FROM answer(q, 'exact'), q FROM unnest(queries) AS q
$$;

EXPLAIN (COSTS OFF) SELECT * FROM event ORDER BY at DESC LIMIT 10;
EXPLAIN (COSTS OFF) SELECT DISTINCT ON (device) device, at, payload ->> 'i' AS i FROM event ORDER BY device, at DESC;
EXPLAIN (VERBOSE, COSTS OFF) SELECT id, payload FROM event ORDER BY tags LIMIT 10;

SELECT * FROM fetched(ARRAY[
	'SELECT * FROM event ORDER BY at DESC, id LIMIT 10',
	'SELECT * FROM event ORDER BY v NULLS FIRST, id LIMIT 10 OFFSET 1000',
	'SELECT id, payload, payload ->> ''i'' AS i, tags || later AS t, (part).a + 1 AS a, double_v, added FROM event WHERE device < 5 ORDER BY at, id LIMIT 100',
	'SELECT e, e.* FROM event AS e ORDER BY at, id LIMIT 3',
	'SELECT ctid, tableoid::regclass, id, cmin, xmin FROM event ORDER BY at, id LIMIT 3',
	'SELECT DISTINCT ON (device) * FROM event ORDER BY device, at DESC, id',
	'SELECT DISTINCT ON (device, v) tags, 7 AS seven, id FROM event WHERE v > 80 ORDER BY device DESC, v, id',
	'SELECT payload, tags, row_number() OVER (PARTITION BY device ORDER BY at, id) AS n FROM event WHERE v > 20',
	'SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY device ORDER BY at DESC, id) AS n FROM event) AS q WHERE n <= 3',
	'SELECT id, part, sum(v) OVER w, count(*) OVER w FROM event WINDOW w AS (PARTITION BY device ORDER BY at, id ROWS 3 PRECEDING)',
	'SELECT count(*), sum(v), count(payload) FROM (SELECT DISTINCT ON (device) device, v, payload FROM event ORDER BY device, id) AS q',
	'SELECT max(payload ->> ''i'') FROM (SELECT payload, rank() OVER (PARTITION BY device ORDER BY id) AS n FROM event) AS q WHERE n <= 3']);

-- Values of other rows.
SELECT * FROM fetched(ARRAY[
	'SELECT id, lag(payload) OVER w, lead(tags, 3) OVER w, first_value(part) OVER w, last_value(added) OVER w, nth_value(payload, 2) OVER w FROM event WINDOW w AS (PARTITION BY device ORDER BY at, id)',
	'SELECT id, payload, lag(payload -> ''i'') OVER w, lag(part) OVER w IS NULL FROM event WHERE v > 10 WINDOW w AS (PARTITION BY device ORDER BY id)',
	'SELECT lead(e, 1) OVER (ORDER BY id) FROM event AS e WHERE device = 3',
	'SELECT id, lag(payload, 1, NULL) OVER (ORDER BY id), lag(v, 1, 5) OVER (ORDER BY id) FROM event',
	'SELECT id, lag(payload, 1, ''{}'') OVER (ORDER BY id) FROM event',
	'SELECT id, lag(payload, v) OVER (ORDER BY id) FROM event',
	'SELECT count(*) FROM (SELECT payload, lag(payload) OVER (PARTITION BY device ORDER BY id) AS other FROM event) AS q WHERE payload::text = other::text']);

-- Joins.
SELECT * FROM fetched(ARRAY[
	'SELECT event.id, name, payload FROM event JOIN device ON device.id = device WHERE v = 7 ORDER BY at, event.id LIMIT 20',
	'SELECT event.id, upper(name), tags FROM event LEFT JOIN device ON device.id = device ORDER BY at DESC, event.id LIMIT 50',
	'SELECT event.*, device.* FROM event JOIN device ON device.id = device ORDER BY name, at, event.id LIMIT 20',
	'SELECT name || owner, payload FROM event JOIN device ON device.id = device ORDER BY at, event.id LIMIT 20']);

-- What the order, a window or a condition needs of them is not the service's.
SELECT * FROM fetched(ARRAY[
	'SELECT id FROM event ORDER BY tags, id LIMIT 10',
	'SELECT id, payload FROM event WHERE added IS NOT NULL ORDER BY id LIMIT 10',
	'SELECT id, rank() OVER (PARTITION BY tags ORDER BY id) FROM event',
	'SELECT id, payload, random() < 2 AS r FROM event ORDER BY id LIMIT 10',
	'SELECT id, payload, generate_series(1, 2) AS g FROM event ORDER BY id LIMIT 10',
	'SELECT id, (SELECT max(name) FROM device WHERE device.id = v), payload FROM event ORDER BY id LIMIT 10']);

-- Text of many values is fetched, where that costs less than codes of all of them.
CREATE TABLE note AS SELECT i AS id, 'note ' || i AS note, i * 7919 % 100003 AS v FROM generate_series(1, 100000) AS i;
VACUUM ANALYZE note;
EXPLAIN (COSTS OFF) SELECT id, note FROM note ORDER BY v, id LIMIT 5;
SELECT * FROM fetched(ARRAY['SELECT id, note FROM note ORDER BY v, id LIMIT 5', 'SELECT id, note, lag(note) OVER (ORDER BY v, id) FROM note ORDER BY v, id LIMIT 5']);

-- Few of many rows.
SET gpuscan.engine = gpu;
EXPLAIN (COSTS OFF) SELECT id, payload FROM event WHERE v = 70 AND device = 10;
SELECT * FROM fetched(ARRAY[
	'SELECT * FROM event WHERE v = 70',
	'SELECT ctid, payload FROM event WHERE v = 1000',
	'SELECT name, tags FROM event JOIN device ON device.id = device WHERE v = 7',
	'SELECT device, json_agg(payload ORDER BY id) FROM event WHERE v = 70 GROUP BY device']);
SET gpuscan.engine = auto;

-- Rows that change: updated in place, deleted, of this transaction, and gone before a savepoint.
UPDATE event SET payload = '{"changed": true}' WHERE id % 10 = 0;
DELETE FROM event WHERE id % 13 = 0;
SELECT * FROM fetched(ARRAY['SELECT *, ctid FROM event ORDER BY at DESC, id LIMIT 300', 'SELECT DISTINCT ON (device) device, payload, ctid FROM event ORDER BY device, at, id']);
VACUUM event;
INSERT INTO event (id, device, at, payload) SELECT i, 3, '2028-01-01', to_json(i) FROM generate_series(6001, 6010) AS i;
BEGIN;
UPDATE event SET tags = '{mine}' WHERE id % 50 = 1;
SAVEPOINT s;
DELETE FROM event WHERE device = 3;
SELECT * FROM fetched(ARRAY['SELECT *, ctid FROM event ORDER BY at DESC, id LIMIT 300']);
ROLLBACK TO s;
SELECT * FROM fetched(ARRAY['SELECT *, ctid FROM event ORDER BY at DESC, id LIMIT 300', 'SELECT id, payload, lag(tags) OVER (ORDER BY id) FROM event']);
COMMIT;

-- A cursor sees what there was when it was opened; it goes back, it is held, and what it reads is not dropped.
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT id, payload FROM event ORDER BY at DESC, id LIMIT 20;
FETCH 2 FROM c;
UPDATE event SET payload = '"new"';
DELETE FROM event WHERE id > 6000;
FETCH 2 FROM c;
FETCH BACKWARD 3 FROM c;
SAVEPOINT s;
TRUNCATE event;
ROLLBACK TO s;
ALTER TABLE event ALTER id TYPE bigint;
ROLLBACK;
BEGIN;
DECLARE c CURSOR WITH HOLD FOR SELECT id, payload, tags FROM event ORDER BY at DESC, id LIMIT 4;
FETCH 1 FROM c;
COMMIT;
UPDATE event SET tags = '{after}' WHERE id > 6000;
VACUUM event;
FETCH ALL FROM c;
CLOSE c;

-- How many rows are fetched: those that are asked for, and for them other rows once more.
CREATE FUNCTION fetches(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
	RETURN (regexp_match(plan::text, '"Heap Fetches": (\d+)'))[1];
END
$$;
SELECT fetches('SELECT * FROM event ORDER BY at, id LIMIT 10'), fetches('SELECT id, lag(payload) OVER (ORDER BY id) FROM event WHERE id BETWEEN 3 AND 7'),
	fetches('SELECT lead(payload, 2) OVER (ORDER BY id) FROM event WHERE id BETWEEN 3 AND 7'), fetches('SELECT count(*) FROM (SELECT payload FROM event ORDER BY at, id LIMIT 10) AS q');

-- Once more for each row of another query, and with parameters.
SELECT d, q.* FROM generate_series(1, 3) AS d, LATERAL (SELECT id, tags FROM event WHERE device = d ORDER BY at DESC, id LIMIT 2) AS q ORDER BY d, id;
SELECT count(*) FROM generate_series(1, 3) AS d, LATERAL (SELECT * FROM (SELECT id, payload FROM event ORDER BY at DESC, id LIMIT 5) AS e OFFSET 0) AS q;
SET plan_cache_mode = force_generic_plan;
PREPARE of_device(int, text) AS SELECT id, payload ->> $2 AS x, $2 AS p FROM event WHERE device = $1 ORDER BY at DESC, id LIMIT 2;
EXECUTE of_device(5, 'i');
EXECUTE of_device(10, 'changed');
ALTER TABLE event DROP owner, ADD owner int DEFAULT 3;
EXECUTE of_device(5, 'i');
DEALLOCATE of_device;
RESET plan_cache_mode;

-- The ordinary plan of such a report.
PREPARE last AS SELECT id, tags, payload FROM event ORDER BY at DESC, id LIMIT 2;
EXECUTE last;
SET gpuscan.engine = cpu;
EXECUTE last;
SET gpuscan.engine = auto;
DEALLOCATE last;

-- A table that has been rewritten, and one that is empty.
VACUUM FULL event;
VACUUM event;
SELECT * FROM fetched(ARRAY['SELECT *, ctid FROM event ORDER BY at DESC, id LIMIT 300', 'SELECT * FROM event WHERE v > 10000 ORDER BY id LIMIT 3']);

-- Partitions whose columns have other numbers.
CREATE TABLE parts (id int, device int, payload json, at timestamptz, note text) PARTITION BY RANGE (at);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
CREATE TABLE parts_2 (note text, gone int, at timestamptz, payload json, device int, id int);
ALTER TABLE parts_2 DROP gone;
ALTER TABLE parts ATTACH PARTITION parts_2 FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
CREATE TABLE parts_3 PARTITION OF parts FOR VALUES FROM ('2026-03-01') TO ('2027-03-01') PARTITION BY LIST (device);
CREATE TABLE parts_3_other (payload json, id int, device int, at timestamptz, note text);
ALTER TABLE parts_3 ATTACH PARTITION parts_3_other DEFAULT;
INSERT INTO parts SELECT i, i % 10, json_build_object('i', i), timestamptz '2026-01-01' + i * 7919 % 5003 * interval '37 minutes', 'note ' || i FROM generate_series(1, 5000) AS i;
VACUUM ANALYZE parts;
EXPLAIN (COSTS OFF) SELECT * FROM parts ORDER BY at DESC LIMIT 10;
SELECT * FROM fetched(ARRAY[
	'SELECT * FROM parts ORDER BY device, at DESC, id LIMIT 700',
	'SELECT DISTINCT ON (device) *, tableoid::regclass, ctid FROM parts ORDER BY device, at, id',
	'SELECT p, payload -> ''i'' FROM parts AS p WHERE at < ''2026-03-15'' ORDER BY device, id LIMIT 300',
	'SELECT * FROM parts WHERE at >= ''2026-04-01'' ORDER BY at DESC, id LIMIT 5',
	'SELECT payload, row_number() OVER (PARTITION BY device ORDER BY at, id) FROM parts',
	'SELECT id, lag(payload) OVER (ORDER BY id) FROM parts',
	'SELECT id, lag(payload) OVER w, first_value(''x''::text) OVER w FROM parts WHERE at < ''2026-02-01'' WINDOW w AS (ORDER BY id)']);
DELETE FROM parts WHERE id % 7 = 0;
UPDATE parts SET at = at - interval '20 days', payload = '{"moved": true}' WHERE id % 5 = 0 AND at > '2026-02-01';
SELECT * FROM fetched(ARRAY['SELECT *, tableoid::regclass, ctid FROM parts ORDER BY device, at DESC, id LIMIT 700']);

-- A subquery in what would be fetched.
SELECT * FROM fetched(ARRAY['SELECT id, CASE WHEN id IN (SELECT id + 1 FROM event AS e) THEN payload::text ELSE ''none'' END AS got FROM event ORDER BY at DESC, id LIMIT 3']);

-- Who may read but some columns.
CREATE ROLE regress_gpuscan_reader;
GRANT SELECT (id, at, payload) ON event TO regress_gpuscan_reader;
SET ROLE regress_gpuscan_reader;
SELECT id, payload FROM event ORDER BY at DESC, id LIMIT 1;
SELECT id, tags FROM event ORDER BY at DESC, id LIMIT 1;
SELECT id, event FROM event ORDER BY at DESC, id LIMIT 1;
RESET ROLE;
REVOKE SELECT (id, at, payload) ON event FROM regress_gpuscan_reader;
DROP ROLE regress_gpuscan_reader;

DROP FUNCTION fetched(text[]), fetches(text);
DROP TABLE event, device, note, parts;
DROP TYPE pair;
