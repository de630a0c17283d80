-- Reductions of stored arrays, asked for several rows ahead (Custom Scan
-- GpuscanPrefetch): the same results, in every shape of plan.  (What is asked for
-- and found: test/t/020_ahead.pl.)
CREATE TABLE sensor (id integer, kind text, a double precision[], r real[], b bigint[], i integer[], s smallint[], f boolean[]);
ALTER TABLE sensor ALTER a SET STORAGE EXTERNAL, ALTER r SET STORAGE EXTERNAL, ALTER b SET STORAGE EXTERNAL,
	ALTER i SET STORAGE EXTERNAL, ALTER s SET STORAGE EXTERNAL, ALTER f SET STORAGE EXTERNAL;
-- Such arrays as are cached have 64 kB or more.
WITH series (nulls, a, r, b, i, s, f) AS MATERIALIZED (
	SELECT nulls, array_agg(v / 7.0::double precision ORDER BY e), array_agg((v / 3.0)::real ORDER BY e), array_agg(v * 1000003::bigint ORDER BY e),
		array_agg(v ORDER BY e), array_agg((v % 1000)::smallint ORDER BY e), array_agg(v % 50 > nulls ORDER BY e)
	FROM (VALUES (0), (6)) AS s (nulls), LATERAL (SELECT e, CASE WHEN nulls = 0 OR e % 6 > 0 THEN (e * 7919) % 100003 END AS v
		FROM generate_series(1, 70000) AS e) AS elements
	GROUP BY nulls)
INSERT INTO sensor SELECT n, 'kind ' || n % 3, gpu_slice(a, n, 66000 + 7 * n), gpu_slice(r, n, 66000 + 7 * n), gpu_slice(b, n, 66000 + 7 * n),
	gpu_slice(i, n, 66000 + 7 * n), gpu_slice(s, n, 66000 + 7 * n), gpu_slice(f, n, 66000 + 7 * n)
FROM generate_series(1, 75) AS n JOIN series ON (nulls > 0) = (n % 10 = 0) ORDER BY n;
-- in line, empty, NULL, NULLs alone, and what rounds to infinity or is none
INSERT INTO sensor (id, a) VALUES (101, '{1,2,3.5}'), (102, '{}'), (103, NULL), (104, array_fill(NULL::double precision, ARRAY[9000])),
	(105, array_fill('NaN'::double precision, ARRAY[9000])), (106, array_fill('-Infinity'::double precision, ARRAY[9000])),
	(107, array_fill(-0.0::double precision, ARRAY[9000]));
ANALYZE sensor;

-- Results as with engine cpu, twice: the second time arrays may be cached
CREATE FUNCTION all_reductions() RETURNS TABLE (id integer, result text) LANGUAGE sql AS $$
	SELECT id, (gpu_sum(a), gpu_avg(a), gpu_min(a), gpu_max(a), gpu_argmin(a), gpu_argmax(a), gpu_stddev(a), gpu_var_pop(a), gpu_norm(a), gpu_stats(a),
		gpu_sum(r), gpu_variance(r), gpu_min(r), gpu_stats(r), gpu_sum(b), gpu_avg(b), gpu_stddev_pop(b), gpu_max(b), gpu_bit_xor(b), gpu_sum(i), gpu_stats(i),
		gpu_bit_and(i), gpu_min(s), gpu_stddev(s), gpu_bit_or(s), gpu_bool_and(f), gpu_bool_or(f), gpu_count(a))::text
	FROM sensor
$$;
CREATE TABLE once AS SELECT * FROM all_reductions();
CREATE TABLE twice AS SELECT * FROM all_reductions();
SET gpuscan.engine = cpu;
CREATE TABLE on_cpu AS SELECT * FROM all_reductions();
RESET gpuscan.engine;
SELECT count(*), count(*) FILTER (WHERE o.result = c.result AND t.result = c.result) AS same
FROM on_cpu AS c JOIN once AS o USING (id) JOIN twice AS t USING (id);

-- Where it is in the plan, and where not.  With engine gpu, but nothing here is executed.
SET gpuscan.engine = gpu;
EXPLAIN (COSTS OFF, VERBOSE) SELECT kind, gpu_avg(a), 2 * gpu_stddev(a), gpu_product(a), gpu_cumsum(a) FROM sensor WHERE gpu_max(a) > 0;
EXPLAIN (COSTS OFF) SELECT kind, max(gpu_sum(i)) FROM sensor GROUP BY kind HAVING min(gpu_min(a)) < 5;
EXPLAIN (COSTS OFF) SELECT x.id, gpu_sum(y.i) FROM sensor AS x JOIN sensor AS y ON x.id = y.id + 1 ORDER BY gpu_sum(x.i);
EXPLAIN (COSTS OFF) SELECT gpu_sum(a) FROM sensor FOR UPDATE;
EXPLAIN (COSTS OFF) UPDATE sensor SET kind = gpu_sum(a)::text;
EXPLAIN (COSTS OFF) SELECT gpu_sum(array_agg(i)) FROM sensor AS s (id, kind, x, y, z, w), unnest(w) AS i GROUP BY s.id;
EXPLAIN (COSTS OFF) INSERT INTO sensor (id, i) SELECT gpu_sum(i), i FROM sensor;
SET gpuscan.cache = off;
EXPLAIN (COSTS OFF) SELECT gpu_sum(a) FROM sensor;
RESET gpuscan.cache;
SET gpuscan.engine = cpu;
EXPLAIN (COSTS OFF) SELECT gpu_sum(a) FROM sensor;
RESET gpuscan.engine;

-- LIMIT, an inner side that is scanned again, a correlated subquery, an empty table, partitions, parallel workers
SELECT id, gpu_sum(i), gpu_max(s) FROM sensor WHERE id <= 75 ORDER BY id LIMIT 3;
SELECT x.id, y.sum FROM generate_series(1, 3) AS x (id), LATERAL (SELECT sum(gpu_sum(i)) FROM sensor WHERE id <= x.id) AS y ORDER BY 1;
SELECT id, (SELECT gpu_sum(b.i) - gpu_sum(a.i) FROM sensor AS b WHERE b.id = a.id + 1) AS more FROM sensor AS a WHERE id < 4 ORDER BY id;
SELECT count(gpu_sum(a)) FROM sensor WHERE id > 1000;
CREATE TABLE part (i integer[], extra text, id integer) PARTITION BY RANGE (id);
CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (1) TO (30);
CREATE TABLE part_2 (id integer, dropped text, extra text, i integer[]);
ALTER TABLE part_2 DROP dropped;
ALTER TABLE part ATTACH PARTITION part_2 FOR VALUES FROM (30) TO (1000);
ALTER TABLE part_1 ALTER i SET STORAGE EXTERNAL;
ALTER TABLE part_2 ALTER i SET STORAGE EXTERNAL;
INSERT INTO part (id, i) SELECT id, i FROM sensor;
SET gpuscan.engine = gpu;
SET max_parallel_workers_per_gather = 0;
EXPLAIN (COSTS OFF) SELECT id, gpu_sum(i), gpu_avg(i) FROM part;
RESET max_parallel_workers_per_gather;
RESET gpuscan.engine;
SELECT count(*), sum(gpu_sum(p.i)) = sum(gpu_sum(s.i)) AS same FROM part AS p JOIN sensor AS s USING (id);
SELECT count(*), sum(x) = (SELECT 2 * sum(gpu_sum(i)) FROM sensor) AS same
FROM (SELECT gpu_sum(i) AS x FROM sensor UNION ALL SELECT gpu_sum(i) FROM part) AS both_tables;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT sum(gpu_sum(i)) = (SELECT sum(x) FROM sensor, unnest(i) AS x) AS same, count(gpu_stats(a)) FROM sensor;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;

-- Whole rows and system columns; INSERT into the table that is read; a prepared statement whose setting changes; a function
-- that reads the same table; arrays that no reduction takes
SELECT (x).id, x.tableoid::regclass, x.ctid = y.ctid AS same, gpu_sum(x.i), x IS NULL AS none FROM sensor AS x JOIN sensor AS y USING (id) WHERE id IN (2, 71) ORDER BY id;
SELECT gpu_sum(i), sensor.* IS NOT DISTINCT FROM sensor AS same FROM sensor WHERE id IN (2, 71) ORDER BY id;
BEGIN;
INSERT INTO sensor (id, b) SELECT 2000 + id, ARRAY[gpu_sum(i)] FROM sensor WHERE id <= 75;
SELECT count(*), sum(b[1]) = (SELECT sum(gpu_sum(i)) FROM sensor WHERE id <= 75) AS same FROM sensor WHERE id > 2000;
ROLLBACK;
PREPARE p AS SELECT sum(gpu_sum(i)) FROM sensor WHERE id <= 75;
EXECUTE p;
SET gpuscan.engine = cpu;
EXECUTE p;
RESET gpuscan.engine;
SET gpuscan.cache = off;
EXECUTE p;
RESET gpuscan.cache;
DEALLOCATE p;
CREATE FUNCTION sum_of(wanted integer) RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT gpu_sum(i) FROM sensor WHERE id = wanted); END';
SELECT count(*), bool_and(gpu_sum(i) = sum_of(id)) AS same FROM sensor WHERE id <= 75;
DROP FUNCTION sum_of;

-- Cursors: backwards, and WHERE CURRENT OF
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT id, gpu_sum(i) FROM sensor WHERE id <= 75 ORDER BY id;
FETCH 2 FROM c;
FETCH BACKWARD 1 FROM c;
DECLARE d CURSOR FOR SELECT id, gpu_sum(i) FROM sensor WHERE id BETWEEN 5 AND 50;
MOVE 20 FROM d;
FETCH 1 FROM d;
UPDATE sensor SET kind = 'here' WHERE CURRENT OF d;
SELECT id, kind FROM sensor WHERE kind = 'here';
ROLLBACK;

-- A row changes while it was read ahead: each statement sees the rows of its own snapshot
BEGIN;
DECLARE e CURSOR FOR SELECT id, gpu_sum(i) FROM sensor WHERE id < 20;
FETCH 2 FROM e;
UPDATE sensor SET i = array_fill(1, ARRAY[9000]) WHERE id < 20;
FETCH 2 FROM e;
SELECT id, gpu_sum(i) FROM sensor WHERE id IN (3, 4) ORDER BY id;
MOVE 6 FROM e;
FETCH 1 FROM e;
ROLLBACK;

-- An error belongs to its row: the sum of row 108 overflows, and nobody asks for it
INSERT INTO sensor (id, a) VALUES (108, array_fill(1.7e308::double precision, ARRAY[9000]));
SELECT count(*) FROM (SELECT gpu_sum(a) FROM sensor WHERE id < 108 OFFSET 0) AS s;
SELECT count(x) FROM (SELECT CASE WHEN id < 108 THEN gpu_sum(a) END AS x FROM sensor) AS s;
SELECT error_of('SELECT sum(gpu_sum(a)) FROM sensor');
DROP TABLE sensor, part, once, twice, on_cpu;
DROP FUNCTION all_reductions;
