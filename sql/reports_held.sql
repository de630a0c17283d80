-- Joins whose look-up tables the service makes of columns that it holds, however
-- small the tables are here.  Against the ordinary plans.
LOAD 'gpuscan';
SET gpuscan.engine = gpu;
SET gpuscan.debug_held_rows = 0;
SET max_parallel_workers_per_gather = 0;
SET seq_page_cost = 1000000;	-- small tables, too, are worth a report
SET jit = off;
SET timezone = 'UTC';

-- How many of its look-ups has the service made?  First values are learned, then they
-- are known, and then the service has forgotten all.
CREATE FUNCTION check_held(query text, OUT held integer, OUT made_by text, OUT equal boolean, OUT equal_again boolean, OUT equal_anew boolean)
LANGUAGE plpgsql AS $$
DECLARE
	plain text := answer(query, 'off');
	line text;
BEGIN
	PERFORM set_config('gpuscan.reports', 'exact', false);
	held := 0;
	made_by := made_by(query);
	equal := plain IS NOT DISTINCT FROM answer(query, 'exact');
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
		held := held + (line LIKE '%Look-up: % held%')::integer;
	END LOOP;
	equal_again := plain IS NOT DISTINCT FROM answer(query, 'exact');
	PERFORM gpuscan_cache_clear();
	equal_anew := plain IS NOT DISTINCT FROM answer(query, 'exact');
EXCEPTION WHEN data_exception OR internal_error THEN
	made_by := SQLSTATE || ' ' || SQLERRM;
END
$$;

CREATE TYPE colour AS ENUM ('red', 'green', 'blue');
CREATE TABLE fact (i integer, k integer, k2 smallint, k8 bigint, d date, b boolean, t text, v double precision, n numeric(10, 2));
INSERT INTO fact
SELECT i, nullif(i % 613, 7) - 50, i % 19 - 9, 5000000000 - i % 300, date '2020-01-01' + i % 400, (ARRAY[true, false, NULL])[1 + i % 3],
	't' || i % 7, i * 0.25, (i % 1000) / 4.0
FROM generate_series(1, 6000) AS i;
CREATE TABLE wide (gone text, id integer PRIMARY KEY, k2 smallint, k8 bigint, d date, b boolean, t text, c char(4), e colour, price numeric(10, 2),
	rate numeric, f double precision, f4 real, ts timestamp, other bigint, small smallint);
INSERT INTO wide
SELECT 'x', i, nullif(i % 13, 3), 5000000000 - i, date '2020-01-01' + i, (ARRAY[true, false, NULL])[1 + abs(i) % 3], 't' || abs(i) % 9,
	'c' || abs(i) % 4, (ARRAY['red', 'blue', NULL])[1 + abs(i) % 3]::colour, i * 1.25, i * 0.5, i / 8.0, (ARRAY['NaN', -0.0, i / 4.0])[1 + abs(i) % 3],
	timestamp '2019-12-31' + i * interval '1 hour', CASE WHEN i % 5 <> 0 THEN i::bigint * 3000000000 END, i % 100
FROM generate_series(-40, 500) AS i WHERE i % 6 <> 1;
ALTER TABLE wide DROP COLUMN gone;
CREATE TABLE pair (a integer, b smallint, v integer);
INSERT INTO pair SELECT a, b, nullif(a * b, 12) FROM generate_series(-60, 300, 3) AS a, generate_series(-9, 9, 2) AS b;
CREATE UNIQUE INDEX ON pair (a, b);
INSERT INTO pair VALUES (NULL, 1, 5), (1, NULL, 6), (NULL, NULL, 7);
CREATE TABLE many (k integer, x integer);
INSERT INTO many SELECT nullif(i % 200, 5), i FROM generate_series(1, 1000) AS i;
CREATE TABLE nothing (k integer, x integer);
CREATE TABLE single (k integer, x integer, y text);
INSERT INTO single VALUES (3, 5, 'one');
CREATE TABLE leaf (k integer PRIMARY KEY, name text, w numeric(6, 1), up integer, v integer);
INSERT INTO leaf SELECT i, nullif('leaf ' || i % 11, 'leaf 3'), i / 2.0, nullif(i % 6, 2), 100 / nullif(i, 0) FROM generate_series(-3, 90) AS i WHERE i % 7 <> 2;
CREATE TABLE top (k integer PRIMARY KEY, name text);
INSERT INTO top SELECT i, 'top ' || i FROM generate_series(0, 4) AS i;
VACUUM ANALYZE fact, wide, pair, many, nothing, single, leaf, top;

-- Inner joins: filters, keys and arguments of each side and of both
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), gpu_sum(v) FROM fact JOIN wide ON id = k',
	'SELECT count(*), sum(i) FROM fact JOIN wide ON id = k WHERE price > 20 AND other IS NOT NULL',
	'SELECT wide.t, count(*), gpu_sum(v) FROM fact JOIN wide ON id = k GROUP BY 1',
	'SELECT wide.t, c, e, sum(price), sum(price * n), avg(n + price), min(wide.d), max(ts) FROM fact JOIN wide ON id = k GROUP BY 1, 2, 3',
	'SELECT extract(year FROM wide.d), wide.b, sum(other), count(*) FILTER (WHERE wide.b) FROM fact JOIN wide ON id = k GROUP BY 1, 2',
	'SELECT count(*), sum(i) FROM fact JOIN wide ON id = k WHERE fact.d < wide.d OR n > price',
	'SELECT max(f), min(f), min(f4), max(f4), count(f4) FROM fact JOIN wide ON id = k',
	'SELECT small, small IS NULL, count(*), sum(small) FROM fact JOIN wide ON id = k GROUP BY 1, 2',
	'SELECT CASE WHEN v > 100 THEN wide.t ELSE fact.t END, count(*) FROM fact JOIN wide ON id = k GROUP BY 1',
	'SELECT sum(CASE WHEN wide.t IN (''t1'', ''t2'') THEN 1 ELSE 0 END), count(*) FROM fact JOIN wide ON id = k',
	'SELECT count(*) FROM fact JOIN wide ON id = k WHERE wide.t = fact.t',
	'SELECT coalesce(wide.t, ''none''), count(*) FROM fact JOIN wide ON id = k GROUP BY 1',
	'SELECT upper(wide.t), count(*) FROM fact JOIN wide ON id = k GROUP BY 1',
	'SELECT max(rate), sum(rate) FROM fact JOIN wide ON id = k',
	'SELECT count(DISTINCT wide.t), min(wide.t), max(c) FROM fact JOIN wide ON id = k',
	'SELECT DISTINCT wide.t, fact.k2 FROM fact JOIN wide ON id = k',
	'SELECT id, wide.t, count(*) FROM fact JOIN wide ON id = k GROUP BY 1, 2 HAVING count(*) > 9 ORDER BY 3 DESC, 1 LIMIT 5',
	'SELECT count(*), sum(x) FROM fact JOIN single USING (k)',
	'SELECT y, count(*), sum(single.x) FROM fact JOIN nothing USING (k) JOIN single USING (k) GROUP BY y',
	'SELECT count(*), sum(x) FROM fact JOIN nothing USING (k)',
	'SELECT count(*), sum(small) FROM fact JOIN wide ON id = k WHERE price > 100000',
	'SELECT count(*), sum(small) FROM fact JOIN wide ON id = k + 1',
	'SELECT count(*), sum(a.i), sum(b.k8) FROM fact AS a JOIN fact AS b ON a.k = b.i'
	]) AS query, check_held(query) AS r;

-- Keys of other types, and several
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), sum(small) FROM fact JOIN wide USING (k8)',
	'SELECT count(*), sum(small) FROM fact JOIN wide ON wide.k8 = fact.k8 AND fact.i < 1000',
	'SELECT count(*), sum(small) FROM fact JOIN wide USING (d)',
	'SELECT count(*), sum(small) FROM fact JOIN wide ON id = fact.k2',
	'SELECT count(*), sum(small) FROM fact JOIN wide ON id = fact.k8 - 5000000000',
	'SELECT count(*), sum(pair.v) FROM fact JOIN pair ON a = k AND pair.b = k2',
	'SELECT pair.v, count(*) FROM fact LEFT JOIN pair ON a = k AND pair.b = k2 GROUP BY 1',
	'SELECT count(*) FROM fact WHERE EXISTS (SELECT FROM pair WHERE a = k AND pair.b = k2 AND pair.v > 10)',
	'SELECT count(*) FROM fact WHERE b IN (SELECT b FROM wide WHERE small > 50)'
	]) AS query, check_held(query) AS r;

-- Left joins, semijoins and antijoins, of keys that repeat and are NULL
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), count(id), gpu_sum(v) FROM fact LEFT JOIN wide ON id = k',
	'SELECT wide.t, count(*), sum(price) FROM fact LEFT JOIN wide ON id = k GROUP BY 1',
	'SELECT count(*), sum(coalesce(small, -1)), sum(coalesce(price, 0)) FROM fact LEFT JOIN wide ON id = k',
	'SELECT coalesce(wide.t, ''none''), id IS NULL, count(*) FROM fact LEFT JOIN wide ON id = k GROUP BY 1, 2',
	'SELECT count(*), sum(small) FROM fact LEFT JOIN wide ON id = k AND price > 20',
	'SELECT wide.b IS NOT TRUE, count(*) FROM fact LEFT JOIN wide ON id = k GROUP BY 1',
	'SELECT count(*), sum(i) FROM fact WHERE k IN (SELECT k FROM many)',
	'SELECT count(*), sum(i) FROM fact WHERE k IN (SELECT k FROM many WHERE x > 950)',
	'SELECT count(*), sum(i) FROM fact WHERE EXISTS (SELECT FROM many WHERE many.k = fact.k)',
	'SELECT count(*), sum(i) FROM fact WHERE NOT EXISTS (SELECT FROM many WHERE many.k = fact.k AND x % 3 = 0)',
	'SELECT count(*), sum(i) FROM fact WHERE NOT EXISTS (SELECT FROM nothing WHERE nothing.k = fact.k)',
	'SELECT count(*), sum(i) FROM fact WHERE k IN (SELECT k FROM nothing)',
	'SELECT t, count(*) FROM fact WHERE i IN (SELECT other FROM wide) GROUP BY 1',
	'SELECT wide.t, count(*) FROM fact JOIN wide ON id = k WHERE NOT EXISTS (SELECT FROM many WHERE many.k = small) GROUP BY 1'
	]) AS query, check_held(query) AS r;

-- Dimensions of dimensions: what they have is in the tables of the latter, or is
-- found in two steps.
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), sum(leaf.w), sum(wide.price), gpu_sum(fact.v) FROM fact JOIN wide ON id = fact.k JOIN leaf ON leaf.k = small',
	'SELECT leaf.name, count(*), sum(leaf.w + price) FROM fact JOIN wide ON id = fact.k JOIN leaf ON leaf.k = small GROUP BY 1',
	'SELECT leaf.name, wide.t, leaf.up, count(*) FROM fact JOIN wide ON id = fact.k JOIN leaf ON leaf.k = small WHERE price > w AND i > 100 GROUP BY 1, 2, 3',
	'SELECT count(*) FROM fact JOIN wide ON id = fact.k JOIN leaf ON leaf.k = small WHERE leaf.w < 20 AND leaf.w > fact.n',
	'SELECT top.name, leaf.name, count(*), max(leaf.w) FROM fact JOIN wide ON id = fact.k JOIN leaf ON leaf.k = small JOIN top ON top.k = up GROUP BY 1, 2',
	'SELECT top.name, count(*) FROM fact JOIN wide ON id = fact.k JOIN leaf ON leaf.k = small JOIN top ON top.k = up WHERE top.name <> ''top 1'' GROUP BY 1',
	'SELECT top.name, count(*) FROM fact JOIN wide ON id = fact.k LEFT JOIN leaf ON leaf.k = small LEFT JOIN top ON top.k = up GROUP BY 1',
	'SELECT leaf.name, count(*) FROM fact LEFT JOIN wide ON id = fact.k LEFT JOIN leaf ON leaf.k = small GROUP BY 1',
	'SELECT leaf.name, count(*) FROM fact JOIN wide ON id = fact.k JOIN leaf ON leaf.k = small WHERE leaf.k IN (SELECT k FROM many) GROUP BY 1',
	'SELECT leaf.k, leaf.name, leaf.w, upper(leaf.name), count(*) FROM fact JOIN wide ON id = fact.k JOIN leaf ON leaf.k = small GROUP BY 1, 2, 3, 4 ORDER BY 1 LIMIT 20',
	'SELECT count(*), sum(x), sum(leaf.v) FROM fact JOIN wide ON id = fact.k JOIN leaf ON leaf.k = small JOIN single ON single.k = leaf.up',
	'SELECT count(*), sum(1 / leaf.k) FROM fact JOIN wide ON id = fact.k JOIN leaf ON leaf.k = small WHERE leaf.k > 0',
	'SELECT leaf.name, count(*) FROM fact JOIN wide ON id = fact.k JOIN leaf ON leaf.k = small + fact.k2 GROUP BY 1'
	]) AS query, check_held(query) AS r;
UPDATE leaf SET w = w + 1 WHERE k = 20;
SELECT check_held('SELECT leaf.name, count(*), sum(leaf.w + price) FROM fact JOIN wide ON id = fact.k JOIN leaf ON leaf.k = small GROUP BY 1');
VACUUM leaf;
SELECT check_held('SELECT leaf.name, count(*), sum(leaf.w + price) FROM fact JOIN wide ON id = fact.k JOIN leaf ON leaf.k = small GROUP BY 1');
UPDATE leaf SET w = w + 1 WHERE k = 21;
VACUUM leaf;
SELECT check_held('SELECT leaf.name, count(*), sum(leaf.w + price) FROM fact JOIN wide ON id = fact.k JOIN leaf ON leaf.k = small GROUP BY 1');

-- A key that repeats, errors, and keys far apart: the ordinary plan, or the rows
-- are read.
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), sum(x) FROM fact JOIN many USING (k)',
	'SELECT count(*), sum(x) FROM fact JOIN many USING (k) WHERE x <= 200',
	'SELECT count(*), sum(1 / (id - 499)) FROM fact JOIN wide ON id = k',
	'SELECT count(*), sum(1 / (id - 500)) FROM fact JOIN wide ON id = k',
	'SELECT count(*) FROM fact JOIN wide ON id = k WHERE 1 / (id - 500) = 0',
	'SELECT count(*), sum(small) FROM fact JOIN wide ON other = fact.k8 - 5000000000',
	'SELECT count(*), sum(length(wide.t || c)) FROM fact JOIN wide ON id = k',
	'SELECT count(*) FROM fact JOIN wide ON id = k AND wide.t = fact.t'
	]) AS query, check_held(query) AS r;

-- Statistics say that a key is unique, which it is no more.
CREATE TABLE guess (k integer, x integer);
INSERT INTO guess SELECT i, i FROM generate_series(1, 300) AS i;
VACUUM ANALYZE guess;
SELECT check_held('SELECT count(*), sum(x) FROM fact JOIN guess USING (k)');
INSERT INTO guess VALUES (7, 1000);
SELECT check_held('SELECT count(*), sum(x) FROM fact JOIN guess USING (k)');
SELECT made_by('SELECT count(*), sum(x + 1) FROM fact JOIN guess USING (k)');

-- A key is taken for unique, and no more so when two dimensions are joined to be read
-- as one: for the next fact table to be tried they are two again.
CREATE TABLE big (k integer, e integer);
INSERT INTO big SELECT i % 30, i % 600 FROM generate_series(1, 3000) AS i;
ANALYZE big;
ALTER TABLE big ALTER e TYPE bigint;
CREATE TABLE gone (e integer);
INSERT INTO gone SELECT i FROM generate_series(1, 3) AS i;
ANALYZE gone;
DELETE FROM gone;
CREATE TABLE few (k integer, x integer);
INSERT INTO few SELECT i, i FROM generate_series(1, 3) AS i;
CREATE TABLE twice (x integer);
INSERT INTO twice SELECT i % 20 FROM generate_series(1, 70) AS i;
VACUUM gone, big;
VACUUM ANALYZE few, twice;
SELECT check_held('SELECT count(*), sum(twice.x) FROM big JOIN gone USING (e) JOIN few USING (k) JOIN twice USING (x)');
DROP TABLE big, gone, few, twice;

-- Partitions, of which one lies in another order of columns
CREATE TABLE part (k integer, at date, v numeric(8, 1), t text) PARTITION BY RANGE (at);
CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM ('2020-01-01') TO ('2020-02-01');
CREATE TABLE part_2 (t text, x integer, v numeric(8, 1), at date, k integer);
ALTER TABLE part_2 DROP COLUMN x;
ALTER TABLE part ATTACH PARTITION part_2 FOR VALUES FROM ('2020-02-01') TO ('2020-03-01');
INSERT INTO part SELECT i, date '2020-01-01' + abs(i) % 60, i / 10.0, 'part ' || i % 3 FROM generate_series(-30, 400) AS i;
VACUUM ANALYZE part_1, part_2;
ANALYZE part;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), sum(part.v) FROM fact JOIN part USING (k)',
	'SELECT part.t, count(*), min(at) FROM fact JOIN part USING (k) WHERE at >= ''2020-01-20'' GROUP BY 1',
	'SELECT part.t, count(*) FROM fact LEFT JOIN part ON part.k = fact.k AND at >= ''2020-02-10'' GROUP BY 1',
	'SELECT count(*) FROM fact WHERE NOT EXISTS (SELECT FROM part WHERE part.k = fact.k)'
	]) AS query, check_held(query) AS r;

-- Parameters of the dimension's conditions
SET gpuscan.reports = exact;
SET plan_cache_mode = force_generic_plan;
PREPARE by_price(numeric, text) AS SELECT count(*), sum(small) FROM fact JOIN wide ON id = k WHERE price > $1 AND wide.t <> $2;
EXECUTE by_price(10, 't1');
EXECUTE by_price(100, 't2');
EXECUTE by_price(NULL, 't2');
EXECUTE by_price(100, 'no such text');
SET gpuscan.reports = off;
EXECUTE by_price(10, 't1');
EXECUTE by_price(100, 't2');
EXECUTE by_price(NULL, 't2');
EXECUTE by_price(100, 'no such text');
DEALLOCATE by_price;
RESET plan_cache_mode;

-- What changes is read, and what a snapshot does not see is not.
SELECT check_held('SELECT count(*), sum(small) FROM fact JOIN wide ON id = k');
UPDATE wide SET small = small + 1 WHERE id = 10;
DELETE FROM wide WHERE id = 12;
INSERT INTO wide (id, small) VALUES (13, 7000), (100000, 1);
SELECT check_held('SELECT count(*), sum(small) FROM fact JOIN wide ON id = k');
VACUUM wide;
SELECT check_held('SELECT count(*), sum(small) FROM fact JOIN wide ON id = k');
SET gpuscan.reports = exact;
BEGIN ISOLATION LEVEL REPEATABLE READ;
DECLARE before CURSOR FOR SELECT wide.t, count(*), sum(small) FROM fact JOIN wide ON id = k GROUP BY 1 ORDER BY 1;
FETCH 2 FROM before;
DELETE FROM wide WHERE id < 20;
SELECT count(*), sum(small) FROM fact JOIN wide ON id = k;
FETCH 2 FROM before;
SET gpuscan.reports = off;
SELECT count(*), sum(small) FROM fact JOIN wide ON id = k;
ROLLBACK;
SET gpuscan.reports = exact;
SELECT count(*), sum(small) FROM fact JOIN wide ON id = k;
SET gpuscan.reports = off;
SELECT count(*), sum(small) FROM fact JOIN wide ON id = k;

-- Row-level security: the rows that the policies show are read.
CREATE ROLE held_reader;
GRANT SELECT ON fact TO held_reader;
GRANT SELECT (id, small) ON wide TO held_reader;
ALTER TABLE many ENABLE ROW LEVEL SECURITY;
CREATE POLICY few ON many FOR SELECT TO held_reader USING (x < 100);
GRANT SELECT ON many TO held_reader;
GRANT EXECUTE ON FUNCTION gpuscan_cache_clear TO held_reader;
SET ROLE held_reader;
SELECT check_held('SELECT count(*), sum(i) FROM fact WHERE k IN (SELECT k FROM many)');
SELECT check_held('SELECT count(*), sum(small) FROM fact JOIN wide ON id = k');
SET gpuscan.reports = exact;
SELECT count(*), sum(small) FROM fact JOIN wide ON id = k WHERE price > 5;
RESET ROLE;

-- How the plan is shown
CREATE FUNCTION shown(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	PERFORM set_config('gpuscan.reports', 'exact', false);
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
		IF line ~ '^ *(Left )?Look-up' OR line ~ '^ *->  .* on wide' THEN
			RETURN NEXT regexp_replace(trim(line), '(rows=\d+)\.00', '\1');	-- as since 18
		END IF;
	END LOOP;
END
$$;
SET enable_indexscan = off;
SELECT * FROM shown('SELECT count(*), sum(small) FROM fact LEFT JOIN wide ON id = k AND price > 20');
SET gpuscan.debug_held_rows = -1;
SELECT * FROM shown('SELECT count(*), sum(small) FROM fact LEFT JOIN wide ON id = k AND price > 20');

-- What the service has made is not taken for rows that the session has read
CREATE TABLE measured AS SELECT i % 500 AS k, i AS v FROM generate_series(1, 20000) AS i;
CREATE TABLE sensor AS SELECT i AS id, i * 2 AS y FROM generate_series(0, 499) AS i;
ALTER TABLE sensor ADD PRIMARY KEY (id);
VACUUM ANALYZE measured, sensor;
SET gpuscan.debug_held_rows = 0;
SELECT count(*), sum(y) FROM measured JOIN sensor ON id = k;
SELECT count(*), sum(y) FROM measured JOIN sensor ON id = k;
SET gpuscan.debug_held_rows = -1;
SELECT count(*), sum(y + 1) FROM measured JOIN sensor ON id = k;
SET gpuscan.debug_held_rows = 0;
SELECT count(*), sum(y + 2) FROM measured JOIN sensor ON id = k;
DROP TABLE measured, sensor;

DROP TABLE fact, wide, pair, many, nothing, single, part, leaf, top, guess;
DROP TYPE colour;
DROP FUNCTION check_held, shown;
REVOKE EXECUTE ON FUNCTION gpuscan_cache_clear FROM held_reader;
DROP OWNED BY held_reader;
DROP ROLE held_reader;

-- What the service holds of another session's reports need not be read first: then a first run pays
CREATE TABLE held_fact AS SELECT i, -i AS j, i % 40000 AS k, repeat('x', 200) AS filler FROM generate_series(1, 50000) AS i;
CREATE TABLE held_dim AS SELECT i AS id, i % 7 AS g, repeat('y', 100) AS filler FROM generate_series(0, 39999) AS i;
VACUUM ANALYZE held_fact, held_dim;
\c
LOAD 'gpuscan';
SET gpuscan.engine = auto;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET cpu_tuple_cost = 0.0001;
SET cpu_operator_cost = 0.00001;
SELECT made_by('SELECT g, sum(i) FROM held_fact JOIN held_dim ON id = k GROUP BY g');
SET gpuscan.engine = gpu;
SELECT made_by('SELECT g, sum(i) FROM held_fact JOIN held_dim ON id = k GROUP BY g');
\c
LOAD 'gpuscan';
SET gpuscan.engine = auto;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET cpu_tuple_cost = 0.0001;
SET cpu_operator_cost = 0.00001;
-- but not another column, or what has gone
SELECT made_by('SELECT g, sum(j) FROM held_fact JOIN held_dim ON id = k GROUP BY g');
SELECT made_by('SELECT g, sum(i) FROM held_fact JOIN held_dim ON id = k GROUP BY g');
SELECT gpuscan_cache_clear() \g /dev/null
\c
LOAD 'gpuscan';
SET gpuscan.engine = auto;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET cpu_tuple_cost = 0.0001;
SET cpu_operator_cost = 0.00001;
SELECT made_by('SELECT g, sum(i) FROM held_fact JOIN held_dim ON id = k GROUP BY g');
DROP TABLE held_fact, held_dim;
