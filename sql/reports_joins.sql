-- Reports over joins: a fact table whose rows look up those of others by key.
-- Against the ordinary plans.
LOAD 'gpuscan';
SET gpuscan.engine = gpu;
SET max_parallel_workers_per_gather = 0;
SET seq_page_cost = 1000000;	-- small tables, too, are worth a report
SET jit = off;
SET timezone = 'UTC';

-- First values are learned, then they are known.
CREATE FUNCTION check_join(query text, OUT made_by text, OUT equal boolean, OUT equal_again boolean) LANGUAGE plpgsql AS $$
DECLARE
	plain text := answer(query, 'off');
BEGIN
	made_by := made_by(query);
	equal := plain IS NOT DISTINCT FROM answer(query, 'exact');
	equal_again := plain IS NOT DISTINCT FROM answer(query, 'exact');
END
$$;

CREATE TYPE size AS ENUM ('small', 'medium', 'large');
CREATE TABLE reading (i integer, k integer, k2 smallint, k8 bigint, t text, c text COLLATE "C", c5 char(5), s size, u uuid, ch "char", b boolean,
	d date, ts timestamp, tz timestamptz, v double precision, n numeric(10, 2), big bigint, word varchar(20));
INSERT INTO reading
SELECT i, nullif(i % 53, 7) - 5, i % 9 - 4, (i % 31)::bigint * 1000000007 - 5000000000, nullif('key ' || i % 23, 'key 4'), 'Key ' || i % 11,
	(ARRAY['', 'a', 'ab', E'\u00e9', 'abcde', NULL])[1 + i % 6], (ARRAY['small', 'large', NULL])[1 + i % 3]::size,
	md5((i % 13)::text)::uuid, (ARRAY['a', 'b', NULL])[1 + i % 3]::"char", (ARRAY[true, false, NULL])[1 + i % 3],
	date '2020-01-01' + i % 400, timestamp '2020-01-01' + i % 50 * interval '1 hour', timestamptz '2020-01-01' + i % 50 * interval '1 day',
	i * 0.25, (i % 1000) / 4.0, (ARRAY[9223372036854775807, -9223372036854775808, 0, 5, NULL])[1 + i % 5], 'word ' || i % 300
FROM generate_series(1, 6000) AS i;

-- keys -5 to 47 of k, some missing, and others besides
CREATE TABLE device (id integer PRIMARY KEY, gone text, name text NOT NULL, site varchar(10), price numeric(10, 2), rate numeric, weight real,
	since date, parts bigint, active boolean, label char(6), size size, parent integer, digits text);
INSERT INTO device
SELECT i, 'x', 'device ' || i, (ARRAY['north', 'south', 'east', NULL])[1 + abs(i) % 4], i * 1.25, i * 0.5, i / 8.0,
	date '2019-01-01' + i * 20, i::bigint * 3000000000, (ARRAY[true, false, NULL])[1 + abs(i) % 3], 'l' || i % 5,
	(ARRAY['small', 'medium', NULL])[1 + abs(i) % 3]::size, nullif(i, 10) / 4, CASE WHEN i = 200 THEN 'none' ELSE i::text END
FROM generate_series(-20, 200) AS i WHERE i % 6 <> 1;
ALTER TABLE device DROP COLUMN gone;
CREATE TABLE site (name text PRIMARY KEY, city text COLLATE "C", area integer, note text);
INSERT INTO site VALUES ('north', 'Oslo', 7, repeat('long ', 2000)), ('south', 'Rome', 3, ''), ('west', 'Lima', NULL, NULL);
VACUUM ANALYZE reading, device, site;

-- Inner joins: filters, keys and arguments of each side and of both
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), gpu_sum(v) FROM reading JOIN device ON id = k',
	'SELECT name, count(*), gpu_sum(v) FROM reading JOIN device ON id = k GROUP BY 1',
	'SELECT site, sum(price), sum(price * n), avg(n + price), max(weight), min(name) FROM reading JOIN device ON id = k GROUP BY 1',
	'SELECT site, active, size, label, count(DISTINCT name) FROM reading JOIN device ON id = k WHERE i > 100 GROUP BY 1, 2, 3, 4',
	'SELECT extract(year FROM since), sum(parts), count(*) FILTER (WHERE active) FROM reading JOIN device ON id = k GROUP BY 1',
	'SELECT upper(site) || ''!'', sum(CASE WHEN active THEN n ELSE price END) FROM reading JOIN device ON id = k WHERE name LIKE ''%3%'' GROUP BY 1',
	'SELECT d - since > 500, count(*), sum(d - since) FROM reading JOIN device ON id = k GROUP BY 1',
	'SELECT count(*), sum(i) FROM reading JOIN device ON id = k WHERE n > price OR (active AND weight < v)',
	'SELECT CASE WHEN v > 100 THEN site ELSE t END, count(*) FROM reading JOIN device ON id = k GROUP BY 1',
	'SELECT coalesce(site, ''none''), count(*) FROM reading JOIN device ON id = k GROUP BY 1',
	'SELECT DISTINCT site, k2 FROM reading JOIN device ON id = k',
	'SELECT site, percentile_disc(0.5) WITHIN GROUP (ORDER BY price), mode() WITHIN GROUP (ORDER BY parts) FROM reading JOIN device ON id = k GROUP BY 1',
	'SELECT count(*) FROM reading JOIN device ON id = k WHERE site IS NULL',
	'SELECT name, count(*) FROM reading JOIN device ON id = k GROUP BY 1 HAVING count(*) > 113 ORDER BY 2 DESC, 1 LIMIT 5',
	'SELECT max(rate), sum(rate) FROM reading JOIN device ON id = k',
	'SELECT name, site, gpu_sum(v) FROM reading JOIN device ON id = k WHERE price > 10 GROUP BY id, 1, 2',
	'SELECT count(*), sum(i) FROM reading JOIN device ON id = k WHERE (parent, i) > (3, 4000)',
	'SELECT site, count(CASE WHEN (name, k2) < (''device 3'', 2) THEN i END) FROM reading JOIN device ON id = k GROUP BY 1'
	]) AS query, check_join(query) AS r;

-- (Since 18 grouping sets are no reports.)
SELECT equal, equal_again FROM check_join('SELECT site, t, count(*) FROM reading JOIN device ON id = k GROUP BY ROLLUP (1, 2)');
-- A dimension's plan is made twice, which a server with assertions does not want of grouping sets.
SELECT * FROM check_join('SELECT k2, count(*), sum(total) FROM reading JOIN (SELECT id, sum(parts) AS total FROM device GROUP BY GROUPING SETS ((id), ())) AS d ON id = k GROUP BY 1');

-- Left joins
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), count(name), gpu_sum(v) FROM reading LEFT JOIN device ON id = k',
	'SELECT name, count(*), sum(price) FROM reading LEFT JOIN device ON id = k GROUP BY 1',
	'SELECT coalesce(site, ''none''), name IS NULL, sum(coalesce(price, 0)) FROM reading LEFT JOIN device ON id = k GROUP BY 1, 2',
	'SELECT count(*), sum(i) FROM reading LEFT JOIN device ON id = k WHERE id IS NULL',
	'SELECT count(*), sum(i) FROM reading LEFT JOIN device ON id = k WHERE name IS NULL OR price > 20',
	'SELECT active IS NOT TRUE, site IS DISTINCT FROM ''north'', count(*) FROM reading LEFT JOIN device ON id = k GROUP BY 1, 2',
	'SELECT area, city, count(*) FROM reading LEFT JOIN device ON id = k LEFT JOIN site ON site.name = site GROUP BY 1, 2',
	'SELECT count(*), sum(price) FROM reading LEFT JOIN device ON id = k AND active'
	]) AS query, check_join(query) AS r;

-- Semi and anti joins: keys may repeat, and may be NULL
CREATE TABLE listed (id integer, k2 smallint, t text);
INSERT INTO listed SELECT i % 20, nullif(i % 5, 2), nullif('key ' || i % 7, 'key 3') FROM generate_series(1, 100) AS i;
INSERT INTO listed VALUES (NULL, NULL, NULL);
VACUUM ANALYZE listed;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), sum(i) FROM reading WHERE k IN (SELECT id FROM listed)',
	'SELECT t, count(*) FROM reading WHERE k IN (SELECT id FROM listed WHERE k2 > 1) GROUP BY 1',
	'SELECT count(*), sum(i) FROM reading WHERE EXISTS (SELECT FROM listed WHERE id = k AND listed.k2 = reading.k2)',
	'SELECT count(*), sum(i) FROM reading WHERE NOT EXISTS (SELECT FROM listed WHERE id = k)',
	'SELECT count(*), sum(i) FROM reading WHERE NOT EXISTS (SELECT FROM listed WHERE listed.t = reading.t)',
	'SELECT count(*), sum(i) FROM reading WHERE NOT EXISTS (SELECT FROM listed WHERE id = k AND listed.t = reading.t)',
	'SELECT count(*), sum(i) FROM reading WHERE t IN (SELECT t FROM listed)',
	'SELECT count(*), sum(i) FROM reading WHERE k NOT IN (SELECT id FROM listed)',
	'SELECT count(*), sum(i) FROM reading WHERE k IN (SELECT id FROM listed WHERE t = ''no such'')',
	'SELECT count(*), sum(i) FROM reading WHERE NOT EXISTS (SELECT FROM listed WHERE id = k AND t = ''no such'')',
	'SELECT count(*), count(l.t), count(*) FILTER (WHERE l.id > 3) FROM reading AS r LEFT JOIN listed AS l ON l.id = k AND l.k2 <> r.k2 WHERE l.k2 IS NULL',
	'SELECT count(*), count(l.t) FROM reading AS r LEFT JOIN listed AS l ON l.id = k WHERE l.id IS NULL',
	'SELECT count(*) FROM reading JOIN device ON device.id = k WHERE EXISTS (SELECT FROM listed WHERE listed.id = k AND listed.k2 = device.parent AND listed.t <> reading.t)',
	'SELECT count(*) FROM reading LEFT JOIN device ON device.id = k WHERE EXISTS (SELECT FROM listed WHERE listed.id = k AND listed.k2 = device.parent AND listed.t <> reading.t)',
	'SELECT count(*) FROM reading WHERE k IN (SELECT listed.id FROM listed JOIN site ON site.area > listed.k2 WHERE listed.k2 = 3 OR site.city = ''Oslo'' GROUP BY listed.id HAVING count(*) > 1)',
	'WITH x AS MATERIALIZED (SELECT id, name AS label FROM device) SELECT x.label, sum(i) FROM reading JOIN x ON x.id = k WHERE to_jsonb(x)->>''label'' <> ''device 3'' GROUP BY 1',
	'SELECT site, count(*) FROM reading JOIN device ON id = k WHERE k2 IN (SELECT k2 FROM listed) AND NOT EXISTS (SELECT FROM listed WHERE t = reading.t) GROUP BY 1'
	]) AS query, check_join(query) AS r;

-- Types of keys: integers of all sizes, also at their types' limits, dates, times
CREATE TABLE whole (k2 smallint UNIQUE, k4 integer UNIQUE, k8 bigint UNIQUE, label text);
INSERT INTO whole VALUES (-32768, -2147483648, -9223372036854775808, 'least'), (32767, 2147483647, 9223372036854775807, 'most'),
	(0, 0, 0, 'zero'), (3, -3, 5, 'few'), (-1, 40, 1000000007 * 5::bigint - 5000000000, 'sparse'), (NULL, NULL, NULL, 'null'),
	(NULL, NULL, -5000000000, 'big');
CREATE TABLE near_least AS SELECT -9223372036854775808 + i AS k, 'l' || i AS label FROM generate_series(0, 20) AS i;
CREATE TABLE near_most AS SELECT 9223372036854775807 - i AS k, 'm' || i AS label FROM generate_series(0, 20) AS i;
CREATE TABLE day AS SELECT date '2020-01-01' + i AS day, timestamp '2020-01-01' + i * interval '1 hour' AS hour,
	timestamptz '2020-01-01' + i * interval '1 day' AS instant, time '00:00' + i * interval '1 hour' AS time, i / 7 AS week FROM generate_series(-5, 300) AS i;
CREATE TABLE yes_no AS VALUES (true, 'yes'), (false, 'no');
VACUUM ANALYZE whole, near_least, near_most, day, yes_no;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT label, count(*) FROM reading JOIN whole ON whole.k2 = reading.k2 GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN whole ON whole.k2 = k GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN whole ON k4 = k GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN whole ON k4 = reading.k8 GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN whole ON whole.k8 = k GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN whole ON whole.k8 = reading.k8 GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN whole ON whole.k8 = big GROUP BY 1',
	'SELECT label, count(*) FROM reading LEFT JOIN whole ON whole.k8 = big GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN near_least AS near ON near.k = big GROUP BY 1',
	'SELECT label, count(*) FROM reading LEFT JOIN near_least AS near ON near.k = big GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN near_most AS near ON near.k = big GROUP BY 1',
	'SELECT label, count(*) FROM reading LEFT JOIN near_most AS near ON near.k = big GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN near_most AS near ON near.k = reading.k GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN whole ON k4 = k + 3 GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN whole ON k4 = k * 1000000000 GROUP BY 1',
	'SELECT week, count(*) FROM reading JOIN day ON day = d GROUP BY 1',
	'SELECT week, count(*) FROM reading JOIN day ON hour = ts GROUP BY 1',
	'SELECT week, count(*) FROM reading JOIN day ON instant = tz GROUP BY 1',
	'SELECT week, count(*) FROM reading JOIN day ON day = ts GROUP BY 1',
	'SELECT week, count(*) FROM reading JOIN day ON day = d + 7 GROUP BY 1',
	'SELECT column2, count(*) FROM reading JOIN yes_no ON column1 = b GROUP BY 1',
	'SELECT column2, count(*) FROM reading LEFT JOIN yes_no ON column1 = (k > 5) GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN whole ON k4 = n GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN whole ON k4 = v GROUP BY 1'
	]) AS query, check_join(query) AS r;

-- Keys of texts and the like: of the fact table, of both, of an expression
CREATE TABLE named (t text UNIQUE, c text COLLATE "C" UNIQUE, v varchar(9), c5 char(5), c9 char(9) UNIQUE, s size UNIQUE, u uuid UNIQUE, ch "char" UNIQUE,
	label text);
INSERT INTO named
SELECT 'key ' || i, 'Key ' || i, 'key ' || i, (ARRAY['a', 'ab', '', 'new'])[i], (ARRAY['a', 'abcde', 'abcdefg', E'\u00e9'])[i], (ARRAY['small', 'medium', 'large', NULL])[i]::size,
	md5(i::text)::uuid, (ARRAY['a', 'c', '', NULL])[i]::"char", 'label ' || i
FROM generate_series(1, 4) AS i;
INSERT INTO named (t, c, label) VALUES (NULL, NULL, 'null'), ('no row has it', 'nor this', 'none'), ('key 22', 'key 22', 'key');
VACUUM ANALYZE named;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT label, count(*) FROM reading JOIN named ON named.t = reading.t GROUP BY 1',
	'SELECT label, count(*) FROM reading LEFT JOIN named ON named.t = reading.t GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN named ON named.c = reading.c GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN named ON named.c = reading.t COLLATE "C" GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN named ON named.v = reading.t GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN named ON named.t = lower(reading.c) GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN named ON lower(named.c) = reading.t GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN named ON named.c5 = reading.c5 GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN named ON named.c9 = reading.c5 GROUP BY 1',
	'SELECT label, count(*) FROM reading LEFT JOIN named ON named.c9 = reading.c5 GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN named ON named.c9 = reading.t GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN named ON named.s = reading.s GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN named ON named.u = reading.u GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN named ON named.ch = reading.ch GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN named ON named.t = ''key '' || k GROUP BY 1',
	'SELECT city, count(*) FROM reading JOIN device ON id = k JOIN site ON site.name = site GROUP BY 1',
	'SELECT length(note), substr(note, 1, 3), min(note) > ''k'', count(*) FROM reading JOIN device ON id = k JOIN site ON site.name = site GROUP BY 1, 2, note',
	'SELECT count(*), sum(area) FROM reading JOIN device ON id = k JOIN site ON site.name = CASE WHEN v > 9 THEN site ELSE ''south'' END'
	]) AS query, check_join(query) AS r;

-- A value that new rows bring, of which the dimension knows already
INSERT INTO reading (i, t) VALUES (-1, 'no row has it');
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT label, count(*) FROM reading JOIN named ON named.t = reading.t GROUP BY 1',
	'SELECT count(*) FROM reading WHERE NOT EXISTS (SELECT FROM named WHERE named.t = reading.t)'
	]) AS query, check_join(query) AS r;
DELETE FROM reading WHERE i = -1;

-- Several keys
CREATE TABLE two (a integer, b smallint, label text, PRIMARY KEY (a, b));
INSERT INTO two SELECT a, b, a || ' ' || b FROM generate_series(-3, 30, 3) AS a, generate_series(-2, 3) AS b;
CREATE TABLE three (a integer, d date, t text, label integer, UNIQUE (a, d, t));
INSERT INTO three SELECT i % 53 - 5, date '2020-01-01' + i % 400, 'key ' || i % 23, i FROM generate_series(1, 3000) AS i;
INSERT INTO three VALUES (NULL, '2020-01-02', 'key 1', -1), (1, NULL, 'key 1', -2), (1, '2020-01-02', NULL, -3);
CREATE TABLE four (a bigint, b bigint, c integer, d integer, label text);
INSERT INTO four SELECT (i % 31)::bigint * 1000000007 - 5000000000, i % 53 - 5, i % 9 - 4, i % 400, i FROM generate_series(1, 200) AS i;
CREATE TABLE far (a bigint, b bigint, label text);
INSERT INTO far VALUES (9223372036854775807, 1, 'most'), (-9223372036854775808, 2, 'least');
VACUUM ANALYZE two, three, four, far;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT label, count(*) FROM reading JOIN two ON a = k AND two.b = k2 GROUP BY 1',
	'SELECT label, count(*) FROM reading LEFT JOIN two ON a = k AND two.b = k2 GROUP BY 1',
	'SELECT sum(label), count(*) FROM reading JOIN three ON a = k AND three.d = reading.d AND three.t = reading.t',
	'SELECT count(*), sum(label) FROM reading LEFT JOIN three ON a = k AND three.d = reading.d AND three.t = reading.t',
	'SELECT count(*), sum(i) FROM reading WHERE EXISTS (SELECT FROM three WHERE a = k AND three.d = reading.d)',
	'SELECT label, count(*) FROM reading JOIN four ON a = k8 AND four.b = k AND four.c = k2 AND four.d = reading.d - date ''2020-01-01'' GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN far ON a = big AND far.b = k GROUP BY 1'
	]) AS query, check_join(query) AS r;

-- Many tables: stars, snowflakes, the same table twice, conditions across them
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT city, week, count(*), sum(price) FROM reading JOIN device ON id = k JOIN site ON site.name = site JOIN day ON day = d GROUP BY 1, 2',
	'SELECT p.name, device.site = p.site, count(*) FROM reading JOIN device ON id = k JOIN device AS p ON p.id = device.parent GROUP BY 1, 2',
	'SELECT p.site, count(*), sum(p.price - device.price) FROM reading JOIN device ON id = k LEFT JOIN device AS p ON p.id = device.parent WHERE p.active OR device.active GROUP BY 1',
	'SELECT a.name, b.name, count(*) FROM reading JOIN device AS a ON a.id = k JOIN device AS b ON b.id = k2 GROUP BY 1, 2',
	'SELECT count(*) FROM reading JOIN device AS a ON a.id = k JOIN device AS b ON b.id = k2 WHERE a.price < b.price OR a.active AND NOT b.active',
	'SELECT a.site, count(*) FROM reading JOIN device AS a ON a.id = k JOIN device AS b ON b.id = k2 AND a.site = b.site GROUP BY 1',
	'SELECT count(*) FROM reading JOIN device ON id = k WHERE site <> t',
	'SELECT count(*), sum(i) FROM reading JOIN device ON id = k JOIN site ON site.name = site WHERE city = reading.c COLLATE "C" OR site.name = substr(t, 1, 5)',
	'SELECT device.size = s, count(*) FROM reading JOIN device ON id = k GROUP BY 1',
	'SELECT count(*) FROM reading JOIN device ON id = k WHERE label <> c5',
	'SELECT count(*) FROM reading JOIN named ON named.t = reading.t WHERE named.c5 = reading.c5 OR named.c5 <> reading.c5 AND i > 100',
	'SELECT count(*) FROM reading, device, site, day WHERE id = k AND site.name = site AND day = d AND (city = ''Oslo'' AND week < 5 OR city = ''Rome'' AND week > 20)'
	]) AS query, check_join(query) AS r;

-- What is no table: subqueries, lists, functions, views; one row, no row
CREATE VIEW active AS SELECT id, name, price FROM device WHERE active;
CREATE TABLE none (id integer PRIMARY KEY, label text);
CREATE TABLE one (id integer PRIMARY KEY, label text, low integer);
INSERT INTO one VALUES (5, 'five', 3);
VACUUM ANALYZE none, one;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT name, count(*) FROM reading JOIN active ON id = k GROUP BY 1',
	'SELECT column2, count(*) FROM reading JOIN (VALUES (1, ''one''), (2, ''two''), (99, ''none'')) AS w ON column1 = k GROUP BY 1',
	'SELECT x, count(*) FROM reading JOIN generate_series(1, 10) AS x ON x = k GROUP BY 1',
	'SELECT x.total, count(*) FROM reading JOIN (SELECT parent, count(*) AS total FROM device GROUP BY parent) AS x ON x.parent = k GROUP BY 1',
	'WITH x AS MATERIALIZED (SELECT * FROM device WHERE price > 9) SELECT x.site, count(*) FROM reading JOIN x ON id = k GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN none ON id = k GROUP BY 1',
	'SELECT label, count(*) FROM reading LEFT JOIN none ON id = k GROUP BY 1',
	'SELECT count(*), sum(i) FROM reading JOIN none ON id = k',
	'SELECT count(*), sum(i) FROM reading WHERE NOT EXISTS (SELECT FROM none WHERE id = k)',
	'SELECT label, count(*) FROM reading JOIN one ON id = k GROUP BY 1',
	'SELECT label, count(*) FROM reading LEFT JOIN one ON id = k GROUP BY 1',
	'SELECT label, count(*) FROM reading, one WHERE k > low GROUP BY 1',
	'SELECT count(*) FROM reading, none'
	]) AS query, check_join(query) AS r;

-- Partitioned tables, on both sides
CREATE TABLE parted (id integer, low integer, label text) PARTITION BY RANGE (id);
CREATE TABLE parted1 PARTITION OF parted FOR VALUES FROM (-100) TO (10);
CREATE TABLE parted2 (label text, gone integer, low integer, id integer);
ALTER TABLE parted2 DROP COLUMN gone;
ALTER TABLE parted ATTACH PARTITION parted2 FOR VALUES FROM (10) TO (100);
ALTER TABLE parted ADD UNIQUE (id);
INSERT INTO parted SELECT i, i % 5, 'label ' || i % 7 FROM generate_series(-10, 60) AS i;
CREATE TABLE parts (k integer, t text, v double precision) PARTITION BY LIST (k);
CREATE TABLE parts1 PARTITION OF parts FOR VALUES IN (1, 2, 3);
CREATE TABLE parts2 PARTITION OF parts DEFAULT;
INSERT INTO parts SELECT i % 40, 'key ' || i % 23, i FROM generate_series(1, 6000) AS i;
VACUUM ANALYZE parted, parts;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT label, sum(low), count(*) FROM reading JOIN parted ON id = k GROUP BY 1',
	'SELECT label, count(*), gpu_sum(v) FROM parts JOIN parted ON id = k GROUP BY 1',
	'SELECT label, count(*), gpu_sum(v) FROM parts LEFT JOIN parted ON id = k AND low > 2 GROUP BY 1',
	'SELECT label, count(*) FROM parts JOIN named ON named.t = parts.t GROUP BY 1',
	'SELECT count(*) FROM parts WHERE k IN (SELECT id FROM parted WHERE low = 1)'
	]) AS query, check_join(query) AS r;

-- WITH queries of their own plan, which a dimension reads by another one: once, twice, beside an ordinary scan, of partitions
SELECT query, r.*
FROM unnest(ARRAY[
	'WITH x AS MATERIALIZED (SELECT * FROM device WHERE price > 9) SELECT x.site, count(*), sum(price) FROM reading LEFT JOIN x ON id = k AND rate < 12 GROUP BY 1',
	'WITH x AS (SELECT id, site, price FROM device) SELECT a.site, b.site, count(*), sum(a.price - b.price) FROM reading JOIN x AS a ON a.id = k JOIN x AS b ON b.id = k2 GROUP BY 1, 2',
	'WITH x AS (SELECT parent, count(*) AS total, min(name) AS least FROM device GROUP BY parent) SELECT total, least, count(*) FROM reading JOIN x ON parent = k WHERE i > (SELECT max(total) FROM x) GROUP BY 1, 2',
	'WITH x AS (SELECT parent, active, count(*) AS total FROM device GROUP BY parent, active) SELECT total, count(*) FROM reading JOIN x ON parent = k AND active = reading.b WHERE k IN (SELECT parent FROM x WHERE total > 2) GROUP BY 1',
	'SELECT total, count(*) FROM reading JOIN (SELECT parent, active, count(*) AS total FROM device GROUP BY parent, active) AS x ON parent = k AND active = b GROUP BY 1',
	'WITH x AS MATERIALIZED (SELECT id AS a, k2 AS b FROM listed ORDER BY t) SELECT count(*), sum(i) FROM reading WHERE k IN (SELECT a FROM x WHERE b > 0)',
	'WITH x AS MATERIALIZED (SELECT id AS a FROM listed WHERE id IS NOT NULL) SELECT count(*), sum(i) FROM reading WHERE NOT EXISTS (SELECT FROM x WHERE a = k)',
	'WITH x AS MATERIALIZED (SELECT id, label, low FROM parted) SELECT label, sum(low), count(*) FROM reading JOIN x ON id = k GROUP BY 1',
	'WITH x (id, label) AS MATERIALIZED (VALUES (1, ''one''), (2, ''two''), (99, ''none'')) SELECT label, count(*) FROM reading JOIN x ON id = k GROUP BY 1',
	'WITH x AS MATERIALIZED (SELECT a.id, b.name FROM device AS a JOIN device AS b ON a.parent = b.id) SELECT name, count(*) FROM reading JOIN x ON id = k GROUP BY 1',
	'SELECT sum(n) FROM (WITH x AS MATERIALIZED (SELECT * FROM device) SELECT site, count(*) AS n FROM reading JOIN x ON id = k GROUP BY 1) AS q',
	'WITH x AS MATERIALIZED (SELECT id, price FROM device WHERE price <> 0) SELECT count(*) FROM reading JOIN x ON id = k WHERE 1 / price < 0.5'
	]) AS query, check_join(query) AS r;

-- Not those of which two executions may give different rows, and not those over others
SELECT query, r.*
FROM unnest(ARRAY[
	'WITH x AS MATERIALIZED (SELECT id, site FROM device ORDER BY id LIMIT 20) SELECT site, count(*) FROM reading JOIN x ON id = k GROUP BY 1',
	'WITH x AS MATERIALIZED (SELECT id, site FROM device OFFSET 3) SELECT site, count(*) FROM reading JOIN x ON id = k GROUP BY 1',
	'WITH x AS MATERIALIZED (SELECT id, rank() OVER (ORDER BY id) AS r FROM device) SELECT r, count(*) FROM reading JOIN x ON id = k GROUP BY 1',
	'WITH x AS MATERIALIZED (SELECT parent, avg(weight) AS mean FROM device GROUP BY parent) SELECT mean, count(*) FROM reading JOIN x ON parent = k GROUP BY 1',
	'WITH RECURSIVE x (a) AS (VALUES (1) UNION ALL SELECT a + 1 FROM x WHERE a < 9) SELECT a, count(*) FROM reading JOIN x ON a = k GROUP BY 1',
	'WITH x AS (SELECT * FROM device), y AS MATERIALIZED (SELECT a.id, b.site FROM x AS a JOIN x AS b ON a.id = b.parent) SELECT site, count(*) FROM reading JOIN y ON id = k GROUP BY 1',
	'WITH x AS MATERIALIZED (SELECT * FROM device) SELECT length(min(x::text)), count(*) FROM reading JOIN x ON id = k',
	'SELECT (SELECT count(*) FROM (WITH x AS MATERIALIZED (SELECT id FROM device WHERE price > one.low) SELECT FROM reading JOIN x ON x.id = k) AS q) FROM one'
	]) AS query, check_join(query) AS r;

-- With a parameter, and as the tables change
PREPARE of_with(numeric) AS WITH x AS (SELECT id, site, price FROM device WHERE price > $1)
SELECT count(*) AS a, sum(a.price) AS b, count(b.site) AS c FROM reading JOIN x AS a ON a.id = k LEFT JOIN x AS b ON b.id = k2;
CREATE FUNCTION check_with(low numeric, OUT made_by text, OUT equal boolean) LANGUAGE plpgsql AS $$
DECLARE
	query text := format('EXECUTE of_with(%s)', low);
	plain record;
	report record;
BEGIN
	made_by := made_by(query);
	EXECUTE query INTO report;
	PERFORM set_config('gpuscan.reports', 'off', false);
	EXECUTE query INTO plain;
	PERFORM set_config('gpuscan.reports', 'exact', false);
	equal := plain = report;
END
$$;
SET plan_cache_mode = force_generic_plan;
SELECT r.* FROM unnest(ARRAY[3, 30, 3]) AS low, check_with(low) AS r;
RESET plan_cache_mode;
SELECT * FROM check_with(3);
BEGIN;
UPDATE device SET price = price + 1 WHERE id % 2 = 0;
SELECT r.* FROM unnest(ARRAY[3, 30]) AS low, check_with(low) AS r;
ROLLBACK;
SELECT r.* FROM unnest(ARRAY[3, 30]) AS low, check_with(low) AS r;
DEALLOCATE of_with;

-- Keys that repeat where rows would be counted twice
CREATE TABLE twice AS SELECT i / 2 AS id, 'key ' || i / 2 AS t, i AS label FROM generate_series(1, 40) AS i;
CREATE TABLE mostly AS SELECT least(i, 98) AS id, 'key ' || least(i, 98) AS t, least(i, 98) / 10 AS tens, least(i, 98) % 10 AS ones FROM generate_series(0, 100) AS i;
VACUUM ANALYZE twice, mostly;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), sum(label) FROM reading JOIN twice ON id = k',
	'SELECT count(*), sum(label) FROM reading LEFT JOIN twice ON id = k',
	'SELECT count(*), sum(label) FROM reading JOIN twice ON twice.t = reading.t',
	'SELECT count(*), sum(label) FROM reading JOIN twice ON id = k WHERE label % 2 = 0',
	'SELECT count(*) FROM reading WHERE k IN (SELECT id FROM twice)',
	'SELECT count(*), sum(tens) FROM reading JOIN mostly ON id = k',
	'SELECT count(*), sum(tens) FROM reading LEFT JOIN mostly ON id = i',
	'SELECT count(*), sum(id) FROM reading JOIN mostly ON mostly.t = reading.t',
	'SELECT count(*), sum(id) FROM reading JOIN mostly ON tens = k AND ones = k2',
	'SELECT count(*), sum(tens) FROM reading JOIN mostly ON id = k WHERE id < 90',
	'WITH x AS MATERIALIZED (SELECT * FROM mostly) SELECT count(*), sum(tens) FROM reading JOIN x ON id = k',
	'WITH x AS (SELECT * FROM mostly) SELECT q.*, ones FROM (SELECT tens % 3 AS m, count(*) AS n FROM reading JOIN x ON id = k GROUP BY 1) AS q JOIN x ON id = m',
	'WITH x AS (SELECT * FROM mostly) SELECT ones, q.* FROM x LEFT JOIN (SELECT tens % 3 AS m, count(*) AS n FROM reading JOIN x ON id = k GROUP BY 1) AS q ON id = m',
	'WITH x AS MATERIALIZED (SELECT * FROM mostly) SELECT count(*), sum(n) FROM (SELECT tens, count(*) AS n FROM reading JOIN x ON id = k GROUP BY 1) AS q'
	]) AS query, check_join(query) AS r;

-- Several keys of one dimension: its rows are told apart by them, also where there is none
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT site, active, size, label, parent, count(*), sum(n) FROM reading JOIN device ON id = k GROUP BY 1, 2, 3, 4, 5',
	'SELECT site, active, k2, length(name), count(*) FROM reading LEFT JOIN device ON id = k GROUP BY 1, 2, 3, 4',
	'SELECT id, name, price, k2, count(*) FROM reading JOIN device ON id = k GROUP BY id, k2',
	'SELECT id, name, since, parts, sum(n) FROM reading JOIN device ON id = k GROUP BY id ORDER BY count(*) DESC, id LIMIT 7',
	'SELECT parent, active, count(*) FROM reading JOIN device ON id = k GROUP BY 1, 2 ORDER BY 1, 2',
	'SELECT weight, price, site, count(*) FROM reading JOIN device ON id = k GROUP BY 1, 2, 3',
	'SELECT a.site, a.active, b.site, b.active, count(*) FROM reading JOIN device AS a ON a.id = k JOIN device AS b ON b.id = k2 GROUP BY 1, 2, 3, 4',
	'SELECT sum(s), count(*) FROM (SELECT site, active, sum(n) AS s FROM reading JOIN device ON id = k GROUP BY 1, 2) AS q',
	'SELECT DISTINCT site, active FROM reading LEFT JOIN device ON id = k'
	]) AS query, check_join(query) AS r;
SELECT equal, equal_again FROM check_join('SELECT site, active, count(*) FROM reading JOIN device ON id = k GROUP BY ROLLUP (1, 2)');

-- Rows: values of char(n) are shown and sorted, but no constant is compared with them after that
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT i, label, name FROM reading JOIN device ON id = k ORDER BY label DESC, c5, i LIMIT 9',
	'SELECT i, label, row_number() OVER (PARTITION BY label ORDER BY v) FROM reading LEFT JOIN device ON id = k',
	'SELECT i, name::char(9) AS l FROM reading JOIN device ON id = k ORDER BY l DESC, i LIMIT 9',
	'SELECT i, lag(label) OVER (ORDER BY i) FROM reading JOIN device ON id = k',
	'SELECT count(*) FROM (SELECT label, row_number() OVER (ORDER BY i) AS n FROM reading JOIN device ON id = k) AS q WHERE n % 2 = 0 AND label = ''l3''',
	'SELECT i, name, label FROM reading AS r JOIN device ON id = k WHERE v = (SELECT max(v) FROM reading AS l WHERE l.k = id) ORDER BY label DESC, i LIMIT 5'
	]) AS query, check_join(query) AS r;

-- Most rows have no key: the others' are unique
CREATE TABLE keyless AS SELECT CASE WHEN i % 3 = 0 THEN i END AS id, i AS label FROM generate_series(1, 120) AS i;
VACUUM ANALYZE keyless;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), sum(label) FROM reading JOIN keyless ON id = k',
	'SELECT label % 5, count(*) FROM reading JOIN keyless ON id = i GROUP BY 1'
	]) AS query, check_join(query) AS r;
DROP TABLE keyless;

-- Keys far apart have a table of places, and keys further apart are searched for
CREATE TABLE apart AS SELECT (i * 37 + 5)::integer AS near, (i::bigint - 150) * 400 AS far, (i::bigint - 150) * 1000000007 AS further, 'row ' || i AS label
	FROM generate_series(0, 300) AS i;
VACUUM ANALYZE apart;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT label, count(*) FROM reading JOIN apart ON near = i GROUP BY 1',
	'SELECT label, count(*) FROM reading LEFT JOIN apart ON near = i * 2 GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN apart ON far = k * 400 GROUP BY 1',
	'SELECT count(*), sum(far) FROM reading LEFT JOIN apart ON far = k * 200',
	'SELECT count(*) FROM reading WHERE NOT EXISTS (SELECT FROM apart WHERE far = k * 200)',
	'SELECT count(*), min(label) FROM reading JOIN apart ON far = big',
	'SELECT label, count(*) FROM reading JOIN apart ON further = k * 1000000007::bigint GROUP BY 1',
	'SELECT label, count(*) FROM reading JOIN apart ON near = i AND far = (i - 5) / 37 * 400 - 60000 GROUP BY 1'
	]) AS query, check_join(query) AS r;
DROP TABLE apart;

-- Errors: of rows that count, and of those that do not
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT sum(100 / id) FROM reading JOIN device ON id = k',
	'SELECT sum(100 / id) FROM reading JOIN device ON id = k WHERE id <> 0',
	'SELECT sum(100 / id) FROM reading JOIN device ON id = k WHERE k <> 0',
	'SELECT sum(100 / (id - 200)) FROM reading JOIN device ON id = k',
	'SELECT sum(100 / (id - 45)) FROM reading JOIN device ON id = k WHERE k < 45',
	'SELECT sum(100 / coalesce(id, 0)) FROM reading LEFT JOIN device ON id = k WHERE k > 0',
	'SELECT sum(digits::integer) FROM reading JOIN device ON id = k',
	'SELECT sum(digits::integer) FROM reading JOIN device ON id = k + 153',
	'SELECT count(*) FROM reading JOIN device ON id = 100 / k2',
	'SELECT count(*) FROM reading JOIN device ON id = 100 / k2 WHERE k2 > 0',
	'SELECT count(*) FROM reading JOIN device ON id = k JOIN one ON one.id = 100 / k WHERE device.id <> 0',
	'SELECT count(*) FROM reading JOIN device ON id = k WHERE 100 / (k + id) > 3',
	'SELECT count(*) FROM reading JOIN device ON id = k JOIN one ON one.id = i WHERE 100 / (k + device.id) > 3',
	'SELECT count(*) FROM reading JOIN device ON id = k WHERE 100 / (k2 + parent) > 3 AND k2 + parent <> 0'
	]) AS query, check_join(query) AS r;

-- Numbers whose display scales differ
CREATE TABLE scales (id integer PRIMARY KEY, n numeric, price numeric(6, 1));
INSERT INTO scales SELECT i, CASE i % 3 WHEN 0 THEN i * 1.5 WHEN 1 THEN i * 0.25 END, i FROM generate_series(0, 50) AS i;
VACUUM ANALYZE scales;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT sum(scales.n) FROM reading JOIN scales ON id = k',
	'SELECT sum(scales.n) FROM reading JOIN scales ON id = k WHERE id % 3 = 0',
	'SELECT scales.n > 10, sum(price * reading.n), avg(price) FROM reading JOIN scales ON id = k GROUP BY 1',
	'SELECT scales.n, count(*) FROM reading JOIN scales ON id = k GROUP BY 1',
	'SELECT count(*) FROM reading JOIN scales ON id = k WHERE price < reading.n'
	]) AS query, check_join(query) AS r;

-- Parameters, also of subqueries
PREPARE of_site(text, integer) AS
SELECT name, count(*), sum(n) FROM reading JOIN device ON id = k WHERE site = $1 AND price > $2 AND k2 > $2 - 7 GROUP BY 1 ORDER BY 1;
SET plan_cache_mode = force_generic_plan;
SET gpuscan.reports = exact;
EXECUTE of_site('north', 5);
EXECUTE of_site('south', 9);
SET gpuscan.reports = off;
EXECUTE of_site('south', 9);
RESET plan_cache_mode;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*) FROM reading JOIN device ON id = k WHERE price > (SELECT avg(area) FROM site)',
	'SELECT sum(CASE WHEN price > v THEN (SELECT max(area) FROM site) ELSE 0 END) FROM reading JOIN device ON id = k',
	'SELECT sum(id / (SELECT area - 7 FROM site WHERE name = ''north'')) FROM reading JOIN device ON id = k'
	]) AS query, check_join(query) AS r;

-- What has an effect is not evaluated twice
CREATE FUNCTION noticed(i integer) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN i > 3; END';
CREATE FUNCTION series(n integer) RETURNS SETOF integer LANGUAGE plpgsql AS 'BEGIN RETURN QUERY SELECT generate_series(1, n); END';
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*) FROM reading JOIN device ON id = k WHERE noticed(id)',
	'SELECT count(*) FROM reading JOIN series(10) AS x ON x = k',
	'SELECT count(*) FROM reading JOIN (SELECT id FROM device WHERE noticed(id) GROUP BY id) AS x ON x.id = k'
	]) AS query, check_join(query) AS r;
DROP FUNCTION noticed, series;

-- IN and NOT IN that the planner makes no joins of
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), sum(i) FROM reading WHERE k NOT IN (SELECT id FROM device WHERE active)',
	'SELECT count(*) FROM reading WHERE k NOT IN (SELECT nullif(id, 5) FROM device)',
	'SELECT count(*) FROM reading WHERE k NOT IN (SELECT id FROM device WHERE id > 1000)',
	'SELECT k2, count(*) FROM reading WHERE k IN (SELECT id FROM device WHERE active) OR v < 10 GROUP BY 1',
	'SELECT count(*) FROM reading WHERE k8 NOT IN (SELECT id FROM device) OR k2 IN (SELECT id FROM device)',
	'SELECT count(*), count(*) FILTER (WHERE t IN (SELECT ''key '' || id FROM device)) FROM reading',
	'SELECT word, count(*) FROM reading WHERE word NOT IN (SELECT ''word '' || id FROM device) GROUP BY 1',
	'SELECT count(*) FROM reading WHERE s NOT IN (SELECT size FROM device WHERE size IS NOT NULL)',
	'SELECT count(*) FROM reading WHERE d NOT IN (SELECT since FROM device) AND n NOT IN (SELECT price FROM device)',
	'SELECT t IN (SELECT ''key 3''), count(*) FROM reading GROUP BY 1',
	'SELECT count(*) FROM reading WHERE i < 0 AND k NOT IN (SELECT 1 / (id - id) FROM device)',
	'SELECT count(*) FROM reading WHERE (k, k2) NOT IN (SELECT id, parent FROM device)',
	'SELECT count(*) FROM reading WHERE k NOT IN (SELECT id FROM device WHERE parent = k2)'
	]) AS query, check_join(query) AS r;
SET gpuscan.reports = exact;
SELECT count(*) FROM reading WHERE k NOT IN (SELECT 1 / (id - id) FROM device);
SET gpuscan.reports = off;

-- Scalar subqueries of each row, by equality: what they give is looked up
SET random_page_cost = 1000000;	-- else an index answers some of them for each row
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), sum(i) FROM reading WHERE i < 300 AND n < (SELECT 0.2 * avg(l.n) FROM reading AS l WHERE l.k = reading.k)',
	'SELECT site, count(*) FROM reading JOIN device ON id = k WHERE i < 300 AND n > (SELECT avg(l.n) FROM reading AS l WHERE l.k = id) GROUP BY 1',
	'SELECT count(*), sum(i) FROM reading WHERE i > 5700 AND i = (SELECT max(l.i) FROM reading AS l WHERE l.k = reading.k AND l.k2 = reading.k2)',
	'SELECT count(*), sum(i) FROM reading WHERE i % 5 < (SELECT count(*) FROM device WHERE id = k AND active)',
	'SELECT count(*), sum(i) FROM reading WHERE k NOT IN (SELECT id FROM device WHERE active) AND i % 5 < (SELECT count(*) FROM device WHERE parent = k)',
	'SELECT count(*), sum(i) FROM reading WHERE (SELECT count(active) FROM device WHERE id = k) = 0',
	'SELECT count(*), sum(i) FROM reading WHERE (SELECT coalesce(sum(price), -1) + count(*) FROM device WHERE parent = k) < 30',
	'SELECT count(*), sum(i) FROM reading WHERE (SELECT sum(price) IS NULL FROM device WHERE parent = k)',
	'SELECT count(*), sum(i) FROM reading WHERE (SELECT min(device.name) FROM device, site WHERE id = k AND site.name = site AND area > 3) < ''device 3''',
	'SELECT count(*), sum(i) FROM reading WHERE n < (SELECT max(price) FROM device WHERE label = c5) AND n > (SELECT min(price) FROM device WHERE label = c5)',
	'SELECT count(*), sum(i) FROM reading WHERE t = (SELECT max(l.t) FROM listed AS l WHERE l.t = reading.t)',
	'SELECT count(*), sum(i) FROM reading WHERE n < (SELECT max(low) FROM parted WHERE id = k)',
	'SELECT count(*) FROM parts WHERE v > (SELECT max(price) FROM device WHERE id = k)',
	'SELECT count(*), sum(i) FROM reading AS a WHERE i < 300 AND v < (SELECT gpu_avg(v) FROM reading AS b WHERE b.k = a.k)',
	'SELECT count(*), sum(i) FROM reading LEFT JOIN device ON id = k WHERE n < (SELECT max(p.price) FROM device AS p WHERE p.id = device.parent)',
	-- an error of a group that no row needs; what is no equality; what is not one row of aggregates
	'SELECT count(*) FROM reading WHERE i < 300 AND k > 5 AND n < (SELECT sum(100 / id) FROM device WHERE id = k)',
	'SELECT count(*) FROM reading WHERE n < (SELECT 100 / sum(id) FROM device WHERE id = k) AND k > 5',
	'SELECT count(*) FROM reading WHERE v < (SELECT sum(weight) FROM device WHERE id = k)',
	'SELECT count(*) FROM reading WHERE n < (SELECT sum(price) FROM device WHERE id < k) AND i < 50',
	'SELECT count(*) FROM reading WHERE i < 300 AND n < (SELECT sum(price) FROM device WHERE id = k AND price > v)',
	'SELECT count(*) FROM reading WHERE n < (SELECT price FROM device WHERE id = k)',
	'SELECT count(*) FROM reading WHERE n < (SELECT sum(price) FROM device WHERE id = k HAVING count(*) > 0)'
	]) AS query, check_join(query) AS r;

-- Numbers of any scale, and of any digits behind those of the fact table's, are compared as they are
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), sum(i) FROM reading WHERE i % 20 = 0 AND i < (SELECT avg(l.i) FROM reading AS l WHERE l.k = reading.k)',
	'SELECT count(*), sum(i) FROM reading WHERE i % 20 = 0 AND (SELECT 0.5 * avg(l.big) FROM reading AS l WHERE l.k = reading.k AND big BETWEEN -5 AND 5) <= k2',
	'SELECT count(*), sum(i) FROM reading AS r WHERE i % 20 = 0 AND n > (SELECT -0.01 * avg(l.i) FROM reading AS l WHERE l.k = r.k)',
	'SELECT count(*) FILTER (WHERE n < a), count(*) FILTER (WHERE n <= a), count(*) FILTER (WHERE n >= a), count(*) FILTER (WHERE a < n) FROM reading JOIN (VALUES (1, 23.25), (2, 100), (3, 0.0000000000001), (4, 124.999999999999999999), (5, 2.50000000000000000001), (6, -7.5)) AS q (id, a) ON id = k',
	'SELECT count(*), sum(n) FROM reading CROSS JOIN (SELECT avg(since - date ''1990-01-01'') AS a FROM device) AS q WHERE i > a'
	]) AS query, check_join(query) AS r;
RESET random_page_cost;

-- EXISTS and NOT EXISTS with values that differ (of NULLs nothing is known)
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), sum(i) FROM reading AS a WHERE EXISTS (SELECT FROM listed WHERE id = a.k AND listed.k2 <> a.k2)',
	'SELECT count(*), sum(i) FROM reading AS a WHERE NOT EXISTS (SELECT FROM listed WHERE id = a.k AND a.k2 <> listed.k2)',
	'SELECT count(*), sum(i) FROM reading AS a WHERE EXISTS (SELECT FROM reading AS b WHERE b.k8 = a.k8 AND b.k <> a.k) AND NOT EXISTS (SELECT FROM reading AS c WHERE c.k8 = a.k8 AND c.k <> a.k AND c.n > 100)',
	'SELECT site, count(*) FROM reading AS a JOIN device ON id = k WHERE EXISTS (SELECT FROM reading AS b WHERE b.k = device.id AND b.t <> a.t) GROUP BY 1',
	'SELECT count(*), sum(i) FROM reading AS a WHERE NOT EXISTS (SELECT FROM device WHERE label = a.c5 AND device.site <> a.word)',
	'SELECT count(*), sum(i) FROM reading AS a WHERE EXISTS (SELECT FROM two WHERE two.a = k AND two.b <> k2 AND label <> ''9 0'')',
	'SELECT count(*), sum(i) FROM reading AS a WHERE EXISTS (SELECT FROM three WHERE three.a = k AND three.d = a.d AND three.t <> a.t)',
	'SELECT count(*), sum(i) FROM reading AS a WHERE NOT EXISTS (SELECT FROM parted WHERE id = k AND low <> k2)',
	'SELECT count(*), sum(i) FROM reading AS a WHERE EXISTS (SELECT FROM device WHERE id = k AND device.size <> a.s)',
	'SELECT count(*), sum(i) FROM reading AS a WHERE EXISTS (SELECT FROM listed WHERE id = k AND listed.t <> a.t AND listed.k2 <> a.k2)',
	'SELECT count(*), sum(i) FROM reading AS a WHERE EXISTS (SELECT FROM listed WHERE id = k AND listed.k2 < a.k2)'
	]) AS query, check_join(query) AS r;

-- Reports over a dimension that changes
SELECT answer('SELECT site, count(*) FROM reading JOIN device ON id = k GROUP BY 1', 'exact');
UPDATE device SET site = 'moved' WHERE id % 2 = 0;
SELECT answer('SELECT site, count(*) FROM reading JOIN device ON id = k GROUP BY 1', 'exact') =
	answer('SELECT site, count(*) FROM reading JOIN device ON id = k GROUP BY 1', 'off');
DELETE FROM device WHERE id > 20;
SELECT answer('SELECT site, count(*) FROM reading JOIN device ON id = k GROUP BY 1', 'exact') =
	answer('SELECT site, count(*) FROM reading JOIN device ON id = k GROUP BY 1', 'off');
BEGIN;
TRUNCATE device;
SELECT answer('SELECT count(*), max(name) FROM reading JOIN device ON id = k', 'exact');
ROLLBACK;
SELECT answer('SELECT count(*), max(name) FROM reading JOIN device ON id = k', 'exact') =
	answer('SELECT count(*), max(name) FROM reading JOIN device ON id = k', 'off');

-- Look-up tables that the service keeps for the session, until the dimension changes (its plan stays the same: its rows have room to change)
CREATE TABLE many WITH (fillfactor = 40) AS SELECT i AS id, i * 7919 % 10007 AS a, i * 31 % 5003 AS b, 'g' || i % 10 AS g FROM generate_series(1, 6000) AS i;
ALTER TABLE many ADD PRIMARY KEY (id);
VACUUM ANALYZE many;
SET random_page_cost = 1000000;
CREATE VIEW of_many AS SELECT made_by, equal, equal_again
FROM check_join('SELECT m.g, sum(m.a), sum(m.b), max(o.a - m.b), count(o.g) FROM reading JOIN many AS m ON m.id = i LEFT JOIN many AS o ON o.id = k + 3000 GROUP BY 1') AS r;
SELECT * FROM of_many;
UPDATE many SET a = a + 1 WHERE id % 3 = 0;
SELECT equal, equal_again FROM of_many;
VACUUM many;
SELECT * FROM of_many;
UPDATE many SET a = b, b = a;
VACUUM many;
SELECT * FROM of_many;
SELECT gpuscan_cache_clear() >= 0;
SELECT * FROM of_many;
DROP VIEW of_many;

-- Kept groups of a subquery, which change with its table
CREATE VIEW of_groups AS SELECT made_by, equal, equal_again
FROM check_join('SELECT count(*), sum(total) FROM reading JOIN (SELECT a % 50 AS g, sum(b) AS total FROM many GROUP BY 1 HAVING count(*) > 1) AS q ON g = k') AS r;
SELECT * FROM of_groups;
UPDATE many SET b = b + 1 WHERE id % 3 = 0;
SELECT equal, equal_again FROM of_groups;
VACUUM many;
SELECT * FROM of_groups;
DELETE FROM many WHERE a % 50 = 5;
SELECT equal, equal_again FROM of_groups;
VACUUM many;
SELECT * FROM of_groups;
DROP VIEW of_groups;

-- Rows that are kept for one condition are not those of another one like it
VACUUM device;
SELECT condition, r.*
FROM unnest(ARRAY[
	'price > 10', 'price > 20', 'price < 20', 'rate > 20', 'rate < 20', 'weight > 20', 'id < 20', 'id + parts < 20', 'id - parts < 20',
	'active', 'NOT active', 'active IS NULL', 'active IS NOT NULL', 'active IS NOT TRUE', 'active IS NOT FALSE',
	'site IN (''north'', ''south'')', 'site IN (''north'', ''east'')', 'site NOT IN (''north'', ''east'')', 'site IS DISTINCT FROM ''north''',
	'coalesce(site, ''north'') = ''north''', 'coalesce(site, ''south'') = ''north''', 'nullif(site, ''south'') = ''north''',
	'CASE WHEN active THEN id ELSE 3 END = 3', 'CASE WHEN active THEN 3 ELSE id END = 3', 'active AND id < 9', 'active OR id < 9',
	'length(site) = 4', 'ascii(site) = 110', 'label::text = ''l1''', 'label = ''l1'''
	]) AS condition, check_join('SELECT count(*), sum(i) FROM reading JOIN device ON id = k WHERE ' || condition) AS r;

-- nor those of a join of the same tables, each in the other's place: a plan has numbers for them
CREATE TABLE near (id integer, other integer, n integer);
CREATE TABLE far_away (LIKE near);
INSERT INTO near SELECT i, i * 7 % 100, i % 3 FROM generate_series(0, 99) AS i;
INSERT INTO far_away SELECT i, i * 11 % 100, i % 5 FROM generate_series(0, 99) AS i;
CREATE TABLE single AS SELECT 1 AS id;
VACUUM ANALYZE near, far_away, single;
SET enable_nestloop = off;
SELECT t.others, r.*
FROM (VALUES ('(SELECT id, other, n FROM near OFFSET 0) AS a, far_away AS b, reading', ''),
	('reading, near AS b, far_away AS a', ''),
	('reading, near AS b, single AS x, far_away AS a', 'x.id = i % 1 + 1 AND'),
	('reading, near AS b, single AS x, single AS y, far_away AS a', 'x.id = i % 1 + 1 AND y.id = i % 1 + 1 AND'),
	('reading, near AS b, single AS x, single AS y, single AS z, far_away AS a', 'x.id = i % 1 + 1 AND y.id = i % 1 + 1 AND z.id = i % 1 + 1 AND'))
	AS t (others, conditions),
	check_join(format('SELECT a.n, a.other %% 3, b.n, count(*), sum(i) FROM %s WHERE %s b.id = k AND a.id = b.other AND b.n < 2 AND b.other < 90 GROUP BY 1, 2, 3',
		others, conditions)) AS r;
RESET enable_nestloop;

-- nor those with a column that was added and taken back
BEGIN;
ALTER TABLE near ADD added integer DEFAULT 1;
SELECT * FROM check_join('SELECT added, count(*) FROM reading LEFT JOIN near ON id = k GROUP BY 1');
ROLLBACK;
BEGIN;
ALTER TABLE near ADD added integer DEFAULT 2;
SELECT * FROM check_join('SELECT added, count(*) FROM reading LEFT JOIN near ON id = k GROUP BY 1');
SAVEPOINT once;
ALTER TABLE near ADD again integer DEFAULT 3;
SELECT * FROM check_join('SELECT again, count(*) FROM reading LEFT JOIN near ON id = k GROUP BY 1');
ROLLBACK TO once;
ALTER TABLE near ADD again integer DEFAULT 4;
SELECT * FROM check_join('SELECT again, count(*) FROM reading LEFT JOIN near ON id = k GROUP BY 1');
ROLLBACK;

-- nor those by an operator whose function is replaced
CREATE FUNCTION same(a integer, b integer) RETURNS boolean IMMUTABLE STRICT LANGUAGE plpgsql AS 'BEGIN RETURN a = b; END';
CREATE OPERATOR === (FUNCTION = same, LEFTARG = integer, RIGHTARG = integer, COMMUTATOR = ===, MERGES, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR CLASS same FOR TYPE integer USING btree AS OPERATOR 1 <, OPERATOR 3 ===, FUNCTION 1 btint4cmp(integer, integer);
SELECT * FROM check_join('SELECT b.n, count(*) FROM reading LEFT JOIN (near AS a JOIN far_away AS b ON a.other === b.id) ON a.id = k GROUP BY 1');
CREATE OR REPLACE FUNCTION same(a integer, b integer) RETURNS boolean IMMUTABLE STRICT LANGUAGE plpgsql AS 'BEGIN RETURN a = b AND a < 50; END';
SELECT * FROM check_join('SELECT b.n, count(*) FROM reading LEFT JOIN (near AS a JOIN far_away AS b ON a.other === b.id) ON a.id = k GROUP BY 1');
DROP OPERATOR FAMILY same USING btree;
DROP OPERATOR === (integer, integer);
DROP FUNCTION same;
DROP TABLE near, far_away, single;

-- Rows are kept although a condition above has a subquery, but not with a key that depends on more than tables
CREATE FUNCTION dimensions_read(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	line text;
	n bigint := 0;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ' || query LOOP
		n := n + (line ~ ' on device .*actual')::integer;
	END LOOP;
	RETURN n;
END
$$;
VACUUM device;
SET gpuscan.reports = exact;
SELECT dimensions_read('SELECT count(*) FROM reading AS r JOIN device ON id = k WHERE r.n > (SELECT max(l.n) FROM reading AS l WHERE l.k = id)')
FROM generate_series(1, 2);
SET my.distance = 0;
SELECT * FROM check_join('SELECT count(*), sum(i) FROM reading JOIN device ON id + current_setting(''my.distance'')::integer = k');
SET my.distance = 2;
SELECT * FROM check_join('SELECT count(*), sum(i) FROM reading JOIN device ON id + current_setting(''my.distance'')::integer = k');

-- Look-ups are tested in the order of what they leave out for what they cost; which of them is the first in FROM does not matter
CREATE FUNCTION look_ups(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	told text[] := '{}';	-- each is told of the report, and of its stage
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, VERBOSE, COSTS OFF, TIMING OFF) ' || query LOOP
		IF line ~ 'Look-up:' AND trim(line) <> ALL (told) THEN
			told := told || trim(line);
			RETURN NEXT trim(line);
		END IF;
	END LOOP;
END
$$;
CREATE TABLE spread AS SELECT i, i::bigint * 1000000007 - 5000000000 AS k8, 'spread ' || i AS name FROM generate_series(0, 30) AS i;
VACUUM ANALYZE spread;
SELECT look_ups('SELECT count(*) FROM reading JOIN device AS x ON x.id = k JOIN device AS y ON y.id = k2 WHERE y.name = ''device 2''');
SELECT look_ups('SELECT count(*) FROM reading JOIN device AS y ON y.id = k2 JOIN device AS x ON x.id = k WHERE y.name = ''device 2''');
SELECT look_ups('SELECT count(*) FROM reading JOIN device AS y ON y.id = k2 JOIN device AS x ON x.id = k WHERE x.name = ''device 2''');
-- by an index of distant keys, later
SELECT look_ups('SELECT count(*) FROM reading JOIN spread AS s ON s.k8 = reading.k8 JOIN device AS x ON x.id = k WHERE s.i < 15 AND x.id < 27');
SELECT look_ups('SELECT count(*) FROM reading JOIN spread AS s ON s.k8 = reading.k8 JOIN device AS x ON x.id = k WHERE s.i = 15 AND x.id < 40');
-- left look-ups are no tests; semijoins and antijoins are
SELECT look_ups('SELECT count(name) FROM reading LEFT JOIN device ON id = k WHERE k2 IN (SELECT id FROM device AS y WHERE y.name < ''device 11'')
	AND NOT EXISTS (SELECT FROM spread AS s WHERE s.k8 = reading.k8 AND s.i > 2)');
-- an error in a key or a condition counts before any of them
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*) FROM reading JOIN device AS x ON x.id = k JOIN device AS y ON y.id = 100 / (k2 + 4) WHERE x.name = ''none''',
	'SELECT count(*) FROM reading JOIN device AS x ON x.id = k JOIN device AS y ON y.id = 100 / k2 WHERE k2 <> 0 AND x.name = ''device 2''',
	'SELECT count(*) FROM reading JOIN device AS x ON x.id = k JOIN device AS y ON y.id = k2 WHERE y.name = ''device 2'' AND 10 / (x.id + i) < 5',
	'SELECT count(*) FROM reading JOIN device AS x ON x.id = k JOIN device AS y ON y.id = k2 WHERE y.name = ''device 2'' AND 10 / (x.id + y.id) < 5'
	]) AS query, check_join(query) AS r;
DROP TABLE spread;
DROP FUNCTION look_ups;

-- Dimensions that are subqueries over partitions, set operations, and WITH queries that refer to themselves
CREATE TABLE piece (id integer, g integer, x integer, t text) PARTITION BY RANGE (id);
CREATE TABLE piece_1 PARTITION OF piece FOR VALUES FROM (0) TO (50);
CREATE TABLE piece_2 (gone integer, t text, x integer, g integer, id integer);
ALTER TABLE piece_2 DROP gone;
ALTER TABLE piece ATTACH PARTITION piece_2 FOR VALUES FROM (50) TO (200);
INSERT INTO piece SELECT i, i % 40, i * 3, 'key ' || i % 30 FROM generate_series(0, 150) AS i;
VACUUM ANALYZE piece;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT total, count(*), sum(v::numeric) FROM reading JOIN (SELECT g, sum(x) AS total FROM piece GROUP BY g) AS q ON g = k GROUP BY 1',
	'SELECT count(*), sum(total) FROM reading JOIN (SELECT g, sum(x) AS total FROM piece WHERE id > 60 GROUP BY g HAVING count(*) > 1) AS q ON g = k WHERE total > 200',
	'SELECT count(*), sum(total) FROM reading LEFT JOIN (SELECT t, max(x) AS total FROM piece GROUP BY t) AS q USING (t)',
	'SELECT count(*) FROM reading WHERE NOT EXISTS (SELECT FROM (SELECT g FROM piece GROUP BY g HAVING sum(x) > 300) AS q WHERE g = k)',
	'SELECT count(*), sum(a.total), sum(b.total) FROM reading JOIN (SELECT g, sum(x) AS total FROM piece GROUP BY g) AS a ON a.g = k JOIN (SELECT g, sum(x) AS total FROM piece GROUP BY g) AS b ON b.g = k2',
	'SELECT count(*), sum(m) FROM reading JOIN (SELECT total % 30 AS h, max(total) AS m FROM (SELECT g, sum(x) AS total FROM piece GROUP BY g OFFSET 0) AS q GROUP BY 1) AS p ON h = k',
	'SELECT count(*), sum(q.x) FROM reading JOIN (SELECT id, x FROM piece UNION ALL SELECT id + 200, parent FROM device) AS q ON q.id = k',
	'SELECT name, count(*) FROM reading JOIN (SELECT id, name FROM device WHERE id < 10 UNION ALL SELECT id, t FROM piece WHERE id BETWEEN 10 AND 20) AS q ON q.id = k GROUP BY 1',
	'SELECT count(*), sum(q.id) FROM reading LEFT JOIN (SELECT id FROM piece UNION SELECT id FROM device) AS q ON q.id = k',
	'SELECT count(*) FROM reading WHERE k IN (SELECT id FROM piece INTERSECT SELECT id FROM device)',
	'SELECT count(*) FROM reading WHERE k IN (SELECT id FROM device EXCEPT ALL SELECT id FROM piece)',
	'SELECT count(*) FROM reading WHERE NOT EXISTS (SELECT FROM (SELECT id FROM piece UNION ALL SELECT id FROM device) AS q WHERE q.id = k)',
	'SELECT count(*), sum(total) FROM reading JOIN (SELECT g, sum(x) AS total FROM piece GROUP BY g UNION SELECT -id, id FROM device WHERE id > 0) AS q ON g = k',
	'SELECT count(*), sum(total) FROM reading JOIN (SELECT g, sum(x) AS total FROM piece GROUP BY g UNION ALL SELECT -id, id FROM device WHERE id > 0) AS q ON g = k',
	'SELECT count(*) FROM reading JOIN (SELECT id FROM piece UNION ALL SELECT id FROM device) AS q ON q.id = k',
	'SELECT count(*), sum(total) FROM reading JOIN (SELECT g, sum(x) AS total FROM piece GROUP BY g) AS q ON g = k WHERE q IS NOT NULL',
	'WITH RECURSIVE up (id, top) AS (SELECT id, id FROM device WHERE parent IS NULL UNION ALL SELECT d.id, top FROM device AS d JOIN up ON d.parent = up.id AND d.id <> up.id)
		SELECT top, count(*) FROM reading JOIN up ON up.id = k GROUP BY 1',
	'WITH RECURSIVE n (i) AS (SELECT 1 UNION SELECT i + 1 FROM n WHERE i < 30) SELECT count(*), sum(n.i) FROM reading JOIN n ON n.i = k JOIN n AS m ON m.i = k2',
	'WITH RECURSIVE n (i, v) AS (SELECT 1, 1.0 UNION SELECT i + 1, v FROM n WHERE i < 30) SELECT count(*), sum(n.v) FROM reading JOIN n ON n.i = k',
	'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30) SELECT count(*) FROM reading WHERE k NOT IN (SELECT i FROM n) OR k2 IN (SELECT i FROM n)',
	'WITH q AS MATERIALIZED (SELECT id FROM piece UNION SELECT id FROM device) SELECT count(*) FROM reading JOIN q AS a ON a.id = k JOIN q AS b ON b.id = k2',
	'WITH q AS MATERIALIZED (SELECT price FROM device UNION SELECT n FROM reading) SELECT count(*) FROM reading JOIN device ON id = k WHERE price IN (SELECT price FROM q)'
	]) AS query, check_join(query) AS r;
SELECT made_by('SELECT count(*), sum(q.x) FROM reading JOIN (SELECT id, x FROM piece WHERE random() < 2 OFFSET 0) AS q ON q.id = k');
EXPLAIN (COSTS OFF) SELECT count(*), max(total) FROM reading JOIN (SELECT g, sum(x) AS total FROM piece WHERE x <> 7 GROUP BY g OFFSET 0) AS q ON g = k WHERE total > 40 AND k < 30;
SET enable_partitionwise_aggregate = on;
SELECT * FROM check_join('SELECT count(*), max(total) FROM reading JOIN (SELECT g, string_agg(t, '','' ORDER BY x) AS total FROM piece WHERE x <> 7 GROUP BY g) AS q ON g = k WHERE total LIKE ''%4%'' AND k < 30');
RESET enable_partitionwise_aggregate;

-- EXISTS within OR, which PostgreSQL may hash: as IN, but without NULL
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), sum(i) FROM reading WHERE k2 = 1 OR EXISTS (SELECT FROM device WHERE id = k)',
	'SELECT count(*), sum(i) FROM reading WHERE k2 = 1 OR NOT EXISTS (SELECT FROM device WHERE id = k AND active)',
	'SELECT count(*), sum(i) FROM reading WHERE k2 = 1 OR EXISTS (SELECT FROM device WHERE parent = k)',
	'SELECT count(*), sum(i) FROM reading WHERE NOT (k2 = 1 OR EXISTS (SELECT FROM device WHERE parent = k))',
	'SELECT count(*) FROM reading WHERE (k2 = 99 OR EXISTS (SELECT FROM device WHERE parent = k)) IS NULL',
	'SELECT count(*) FROM reading WHERE b IS NULL OR EXISTS (SELECT FROM piece AS p WHERE p.t = reading.t AND p.x > 50)',
	'SELECT count(*) FROM reading WHERE b OR EXISTS (SELECT FROM piece WHERE g = k AND id = k2)',
	'SELECT site, count(*) FROM reading JOIN device AS x ON x.id = k WHERE x.active OR EXISTS (SELECT FROM piece WHERE g = x.parent) GROUP BY 1',
	'SELECT count(*) FROM reading LEFT JOIN device AS x ON x.id = k WHERE x.active OR EXISTS (SELECT FROM piece WHERE g = x.parent + k2)',
	'SELECT count(*) FROM reading WHERE k2 = 1 OR EXISTS (SELECT FROM device WHERE id = k AND price > 10000)',
	'SELECT count(*), sum(i) FROM reading WHERE k2 = 1 OR EXISTS (SELECT FROM listed WHERE id = k AND listed.k2 = reading.k2)',
	'SELECT count(*), sum(i) FROM reading WHERE NOT (b OR EXISTS (SELECT FROM listed WHERE id = k AND listed.k2 = reading.k2))',
	'SELECT count(*) FROM reading WHERE (k2 = 99 OR EXISTS (SELECT FROM listed WHERE listed.k2 = reading.k2 AND id = k)) IS NULL',
	'SELECT count(*), sum(i) FROM reading WHERE k2 = 1 OR NOT EXISTS (SELECT FROM three WHERE a = k AND three.d = reading.d AND three.t = reading.t)',
	'SELECT count(*), sum(i) FROM reading WHERE k2 = 1 OR EXISTS (SELECT FROM listed JOIN device USING (id) WHERE listed.k2 = reading.k2 AND id = k AND active)',
	'SELECT count(*) FROM reading WHERE k2 = 1 OR EXISTS (SELECT FROM listed WHERE id = k AND listed.k2 = reading.k2 AND listed.t <> reading.t)',
	'SELECT count(*) FROM reading WHERE k2 = 1 OR EXISTS (SELECT FROM piece WHERE g = k AND id = k2 AND 1 / (id - 20) > -5)',
	'SELECT count(*) FROM reading WHERE k2 = 1 OR EXISTS (SELECT count(*) FROM piece WHERE g = k AND id = k2)',
	'SELECT count(*) FROM reading WHERE k2 = 1 OR EXISTS (SELECT FROM piece WHERE g = k AND id = k2 HAVING count(*) > 1)',
	'SELECT count(*) FROM reading WHERE k2 = 1 OR EXISTS (SELECT FROM piece WHERE g = k AND id = k2 HAVING true)',
	'SELECT count(*) FROM reading WHERE k2 = 1 OR EXISTS (SELECT g FROM piece WHERE g = k AND id = k2 OFFSET 1)',
	'SELECT count(*) FROM reading WHERE k2 = 1 OR EXISTS (SELECT FROM piece WHERE g = k AND 1 / (id - 20) > -5)',
	'SELECT count(*) FROM reading WHERE i > 0 OR EXISTS (SELECT FROM piece WHERE g = k AND 1 / (id - 20) > -5)',
	'SELECT count(*) FROM reading WHERE k2 = 1 OR EXISTS (SELECT FROM piece WHERE g = k AND random() < 2)',
	'SELECT count(*) FROM reading WHERE k2 = 1 OR EXISTS (SELECT FROM device WHERE id = k) OR k IN (SELECT parent FROM device) OR k < (SELECT max(x.parent) FROM device AS x WHERE x.id = k)'
	]) AS query, check_join(query) AS r;
-- of values that are compressed in a hash table, but not in an array, which has a limit
CREATE TABLE long AS SELECT repeat(i::text, 50000) AS t FROM generate_series(10, 99) AS i;
VACUUM ANALYZE long;
SET work_mem = '64kB';
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*) FROM reading WHERE k2 = 1 OR EXISTS (SELECT FROM long WHERE long.t = reading.t)',
	'SELECT count(*), sum(i) FROM reading WHERE t NOT IN (SELECT t FROM long)'
	]) AS query, check_join(query) AS r;
RESET work_mem;
DROP TABLE long;
PREPARE found (integer) AS SELECT count(*) FROM reading WHERE k2 = 1 OR EXISTS (SELECT FROM piece WHERE g = k AND x < $1);
SET plan_cache_mode = force_generic_plan;
SELECT made_by('EXECUTE found(30)'), made_by('EXECUTE found(90)');
EXECUTE found(30);
EXECUTE found(90);
SET gpuscan.reports = off;
EXECUTE found(30);
EXECUTE found(90);
SET gpuscan.reports = exact;
RESET plan_cache_mode;
DEALLOCATE found;

-- partitions that are pruned when it is executed, by each plan
PREPARE pruned (integer) AS SELECT count(*), sum(total) FROM reading JOIN (SELECT g, sum(x) AS total FROM piece WHERE id < $1 GROUP BY g) AS q ON g = k;
SET plan_cache_mode = force_generic_plan;
SELECT made_by('EXECUTE pruned(40)'), made_by('EXECUTE pruned(150)');
EXECUTE pruned(40);
EXECUTE pruned(150);
SET gpuscan.reports = off;
EXECUTE pruned(40);
EXECUTE pruned(150);
SET gpuscan.reports = exact;
RESET plan_cache_mode;
DEALLOCATE pruned;

-- Who does not insist on a report gets one when reading the dimension pays, from a prepared plan, too
-- (costs that a plan's time exceeds by far)
SET gpuscan.engine = auto;
SET seq_page_cost = 0.01;
SET cpu_tuple_cost = 0.0001;
SET cpu_operator_cost = 0.00001;
SELECT made_by('SELECT count(*), sum(a) FROM reading JOIN many AS m ON m.id = i') FROM generate_series(1, 3);
PREPARE by_group AS SELECT g, count(*), sum(a) FROM reading JOIN many AS m ON m.id = i GROUP BY g;
EXPLAIN (COSTS OFF) EXECUTE by_group;
SELECT made_by('EXECUTE by_group') FROM generate_series(1, 3);
EXPLAIN (COSTS OFF) EXECUTE by_group;
DEALLOCATE by_group;

-- So it is with the values of one table's column, which get codes
CREATE TABLE worded AS SELECT 'word ' || i % 150000 AS w FROM generate_series(1, 400000) AS i;
VACUUM ANALYZE worded;
-- but for LIKE, of which the service holds which rows match, as long as there are no codes
SELECT made_by('SELECT count(*) FROM worded WHERE w NOT LIKE ''%7%'' GROUP BY w LIKE ''w%''') FROM generate_series(1, 2);
SELECT equal FROM check_join('SELECT count(*) FROM worded WHERE w NOT LIKE ''%7%''');
SELECT count(*), max(bytes) < 500000 AS is_short FROM gpuscan_columns() WHERE relation = 'worded'::regclass;
SELECT made_by('SELECT count(*) FROM worded WHERE right(w, 1) <> ''7''') FROM generate_series(1, 3);
SELECT equal FROM check_join('SELECT count(*) FROM worded WHERE right(w, 1) <> ''7''');
SELECT equal FROM check_join('SELECT count(*) FROM worded WHERE w LIKE ''%8%''');
SELECT count(*), max(bytes) < 500000 AS is_short FROM gpuscan_columns() WHERE relation = 'worded'::regclass;
DROP TABLE worded;
RESET cpu_tuple_cost;
RESET cpu_operator_cost;
SET seq_page_cost = 1000000;
SET gpuscan.engine = gpu;
DROP TABLE many;
RESET random_page_cost;

-- The least and the greatest of an index are subplans, which the plan's text does not
-- tell apart.
CREATE TABLE few (id integer PRIMARY KEY, v integer);
INSERT INTO few SELECT i, i FROM generate_series(1, 40) AS i;
CREATE INDEX ON few (v);
VACUUM ANALYZE few;
SELECT text, (check_join(text)).*
FROM unnest(ARRAY[
	'SELECT count(*), sum(i) FROM reading JOIN (SELECT max(v) AS m FROM few) AS f ON m = k',
	'SELECT count(*), sum(i) FROM reading JOIN (SELECT min(v) AS m FROM few) AS f ON m = k']) AS text;
-- ... or not, where the rest is so dear that the ordinary plan may as well read all rows,
-- which parallel plans can.
SET max_parallel_workers_per_gather = 2;
CREATE TABLE fewer (v integer PRIMARY KEY);
INSERT INTO fewer SELECT * FROM generate_series(1, 6);
VACUUM ANALYZE fewer;
SELECT text, (check_join(text)).*
FROM unnest(ARRAY[
	'SELECT count(*), sum(i) FROM reading JOIN (SELECT max(v) AS m FROM fewer) AS f ON m = k',
	'SELECT count(*), sum(i) FROM reading WHERE k IN (SELECT max(v) FROM fewer)',
	'SELECT count(*), sum(i) FROM reading JOIN (SELECT m - 1 AS m FROM (SELECT max(v) AS m FROM fewer OFFSET 0) AS q OFFSET 0) AS f ON m = k']) AS text;
SET max_parallel_workers_per_gather = 0;
DROP TABLE fewer;
DROP TABLE few;

-- A dimension whose rows a user must not see: policies have shown all that is evaluated
CREATE FUNCTION leak(id integer, name text) RETURNS boolean IMMUTABLE COST 0.0001 LANGUAGE plpgsql AS $$
BEGIN
	IF id % 4 <> 0 OR current_user <> 'reports_joins_user' THEN
		RAISE EXCEPTION '% leaked', name;
	END IF;
	RETURN true;
END
$$;
CREATE ROLE reports_joins_user;
CREATE ROLE reports_joins_other;
CREATE VIEW fenced WITH (security_barrier) AS SELECT id, name FROM device WHERE id % 4 = 0 UNION SELECT id + 1000, t FROM piece WHERE id % 4 = 0;
CREATE VIEW fenced_groups WITH (security_barrier) AS SELECT g AS id, min(t) AS name FROM piece WHERE g % 4 = 0 GROUP BY g;
GRANT SELECT ON fenced, fenced_groups TO reports_joins_user;
GRANT SELECT (id, t) ON piece TO reports_joins_user;
GRANT SELECT ON reading, device TO reports_joins_user, reports_joins_other;
ALTER TABLE device ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON device FOR SELECT TO reports_joins_user USING (id % 4 = 0);
CREATE POLICY other ON device FOR SELECT TO reports_joins_other USING (id % 4 = current_setting('my.part')::integer);
SET SESSION AUTHORIZATION reports_joins_user;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT name, count(*) FROM reading JOIN device ON id = k GROUP BY 1',
	'SELECT count(*), max(price) FROM reading LEFT JOIN device ON id = k',
	'SELECT count(*) FROM reading WHERE k IN (SELECT id FROM device)',
	'SELECT count(*) FROM reading WHERE NOT EXISTS (SELECT FROM device WHERE id = k)',
	'SELECT count(*), max(p) FROM reading JOIN (SELECT parent, max(price) AS p FROM device GROUP BY 1) AS q ON parent = k',
	'SELECT count(*), max(price) FROM reading JOIN device ON id = k WHERE leak(id, name)',
	'SELECT leak(id, name), count(*) FROM reading LEFT JOIN device ON id = k GROUP BY 1',
	'SELECT count(*) FROM reading LEFT JOIN device ON id = k WHERE leak(id, name) IS NULL OR i > 100',
	'SELECT count(name) FROM reading LEFT JOIN device ON CASE WHEN leak(id, name) THEN id END = k',
	'SELECT count(*) FROM reading WHERE k2 = 1 OR EXISTS (SELECT FROM device WHERE id = k)',
	'SELECT count(*) FROM reading WHERE k2 = 1 OR NOT EXISTS (SELECT FROM device WHERE parent = k AND leak(id, name))',
	'SELECT count(*), max(name) FROM reading JOIN fenced ON id = k WHERE leak(id, name)',
	'SELECT count(*), max(name) FROM reading JOIN fenced_groups ON id = k WHERE leak(id, name) AND name > ''key 2''',
	'SELECT count(*), max(name) FROM reading JOIN (SELECT * FROM fenced UNION SELECT id, name FROM device) AS q ON id = k WHERE leak(id, name)'
	]) AS query, check_join(query) AS r;
SELECT count(*), sum(total) FROM reading JOIN (SELECT g, sum(x) AS total FROM piece GROUP BY g) AS q ON g = k;
-- its rows are read each time
SELECT dimensions_read('SELECT count(*) FROM reading JOIN device ON id = k') FROM generate_series(1, 2);
RESET SESSION AUTHORIZATION;

-- Who executes a plan, and what policies depend on, may change
SET my.part = 1;
PREPARE visible AS SELECT count(*), min(id), max(id) FROM reading JOIN device ON id = k;
EXECUTE visible;
SET ROLE reports_joins_user;
EXECUTE visible;
SET ROLE reports_joins_other;
EXECUTE visible;
SET my.part = 2;
EXECUTE visible;
SELECT r.* FROM check_join('SELECT count(*), min(id), max(id) FROM reading JOIN device ON id = k') AS r;
RESET ROLE;
ALTER POLICY own ON device USING (id % 4 = 3);
SET ROLE reports_joins_user;
EXECUTE visible;
SELECT r.* FROM check_join('SELECT count(*), min(id), max(id) FROM reading JOIN device ON id = k') AS r;
RESET ROLE;
DEALLOCATE visible;

-- Not so the fact table
ALTER TABLE device DISABLE ROW LEVEL SECURITY;
ALTER TABLE reading ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON reading FOR SELECT TO reports_joins_user USING (i < 3000);
SET SESSION AUTHORIZATION reports_joins_user;
SELECT r.* FROM check_join('SELECT name, count(*) FROM reading JOIN device ON id = k GROUP BY 1') AS r;
RESET SESSION AUTHORIZATION;
ALTER TABLE reading DISABLE ROW LEVEL SECURITY;
DROP FUNCTION leak, dimensions_read;
DROP VIEW fenced, fenced_groups;
DROP TABLE piece;

-- Dimensions of which nothing is known: rows that share a key are found when they are read
CREATE TABLE fresh (id integer, a integer, b integer, name text) WITH (autovacuum_enabled = off);
INSERT INTO fresh SELECT i, i % 20, i / 20, 'fresh ' || i FROM generate_series(-20, 379) AS i;
CREATE TEMPORARY TABLE passing AS SELECT i AS id, 'passing ' || i AS name FROM generate_series(-20, 379) AS i;
CREATE VIEW shown WITH (security_barrier) AS SELECT * FROM device WHERE id > 0;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT g / 10, count(*) FROM reading JOIN generate_series(0, 249) AS g ON g = k GROUP BY 1',
	'SELECT o / 10, count(*) FROM reading LEFT JOIN generate_series(0, 249) WITH ORDINALITY AS x (g, o) ON g = k GROUP BY 1',
	'SELECT name, count(*) FROM reading JOIN fresh ON id = k GROUP BY 1',
	'SELECT name, count(*) FROM reading JOIN passing ON id = k GROUP BY 1',
	'SELECT name, count(*) FROM reading JOIN shown ON id = k GROUP BY 1',
	'SELECT name, count(*) FROM reading JOIN fresh ON a = k AND fresh.b = reading.k2 GROUP BY 1',
	'SELECT name, count(*) FROM reading JOIN fresh ON a = k GROUP BY 1'
	]) AS query, check_join(query) AS r;
PREPARE series (integer, integer) AS SELECT g, count(*) FROM reading JOIN generate_series($1, $2) AS g ON g = k GROUP BY 1;
SET plan_cache_mode = force_generic_plan;
SELECT made_by('EXECUTE series(0, 249)'), made_by('EXECUTE series(10, 400)');
RESET plan_cache_mode;
DEALLOCATE series;
-- other queries, too, know then that they are not told apart
SELECT made_by('SELECT name, count(*) FROM reading JOIN fresh ON a = k GROUP BY 1'),
	made_by('SELECT max(fresh.b) FROM reading JOIN fresh ON a = k WHERE i > 100'),
	made_by('SELECT max(fresh.b) FROM reading JOIN fresh ON id = k WHERE i > 100');
UPDATE fresh SET a = id;
VACUUM fresh;
SELECT made_by('SELECT max(fresh.b) FROM reading JOIN fresh ON a = k WHERE i > 100');
DROP VIEW shown;
DROP TABLE fresh, passing;

-- The order of a kept dimension's names is kept, too, until the names change
CREATE TABLE named_later (id integer PRIMARY KEY, name char(34));
INSERT INTO named_later SELECT i, md5(i::text) FROM generate_series(-5, 47) AS i;
VACUUM ANALYZE named_later;
SELECT * FROM check_join('SELECT i, l.name FROM reading JOIN named_later AS l ON id = k ORDER BY l.name DESC, i LIMIT 9');
SELECT * FROM check_join('SELECT site, max(l.name), min(device.name) FROM reading JOIN named_later AS l ON l.id = k JOIN device ON device.id = k GROUP BY 1');
UPDATE named_later SET name = md5(name);
VACUUM named_later;
SELECT * FROM check_join('SELECT i, l.name FROM reading JOIN named_later AS l ON id = k ORDER BY l.name DESC, i LIMIT 9');
SELECT * FROM check_join('SELECT site, max(l.name), min(device.name) FROM reading JOIN named_later AS l ON l.id = k JOIN device ON device.id = k GROUP BY 1');
DROP TABLE named_later;

-- An order that the planner finds in two ways, of which it frees one
CREATE TABLE ordered (id integer, k integer, n integer) PARTITION BY RANGE (id);
CREATE TABLE ordered_1 PARTITION OF ordered FOR VALUES FROM (0) TO (5000);
CREATE TABLE ordered_2 PARTITION OF ordered FOR VALUES FROM (5000) TO (10000);
INSERT INTO ordered SELECT i, i % 13, i * 7 % 500 FROM generate_series(1, 9999) AS i;
CREATE TABLE name (k integer PRIMARY KEY, name text);
INSERT INTO name SELECT i, 'name ' || i FROM generate_series(0, 10) AS i;
VACUUM ANALYZE ordered, name;
SET enable_nestloop = off;
SET seq_page_cost = 1;
SET cpu_operator_cost = 1;
SET max_parallel_workers_per_gather = 2;
SELECT equal, equal_again FROM check_join('SELECT id, n, name FROM ordered JOIN name USING (k) WHERE ordered.k = 3 AND n > 450 ORDER BY n, id');
SELECT equal, equal_again FROM check_join('SELECT id, n, name FROM ordered JOIN name USING (k) WHERE ordered.k = 3 AND n > 450 ORDER BY n, id LIMIT 20');
RESET enable_nestloop;
SELECT equal, equal_again FROM check_join('SELECT id, n, name FROM ordered JOIN name USING (k) WHERE ordered.k < 3 AND n > 450 ORDER BY ordered.k DESC, id');
DROP TABLE ordered, name;

DROP VIEW active;
DROP TABLE parted, parts, reading, device, site, listed, whole, near_least, near_most, day, yes_no, named, two, three, four, far, none, one, twice, mostly, scales;
DROP TYPE size;
DROP FUNCTION check_join;
DROP ROLE reports_joins_user, reports_joins_other;
