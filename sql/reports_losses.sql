-- Reports that end in the ordinary plan: what is remembered of that, in this session
-- and others, and when they are tried again.
LOAD 'gpuscan';
SET gpuscan.engine = gpu;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
SET cpu_operator_cost = 100;	-- a small table is worth a report
SET jit = off;

-- The report, or why it was not made.  It was not even tried: "as found before" by a
-- plan that has one, "query" where it is known in planning.
CREATE FUNCTION tried(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
	RETURN CASE WHEN plan::text NOT LIKE '%GpuscanReport%' THEN 'query'
		ELSE coalesce(substring(plan::text, '"Reason": "([^"]*)"'), 'service') END;
END
$$;

-- a product that has no room in 64 bits
CREATE TABLE product (k integer, a numeric(18, 0), b numeric(18, 0)) WITH (autovacuum_enabled = off);
INSERT INTO product SELECT i % 10, i * 1000000::bigint, i FROM generate_series(1, 20000) AS i;
INSERT INTO product VALUES (1, 999999999999999999, 999999999999999999);
VACUUM ANALYZE product;
SELECT tried('SELECT max(a * b) FROM product'), tried('SELECT max(a * b) FROM product'), tried('SELECT max(b * a) FROM product WHERE k > 1');
SELECT max(a * b) FROM product;
SELECT tried('SELECT  max(a*b)  FROM product AS p'), tried('SELECT max(a * b) FROM product WHERE b < 10');
-- of prepared statements; for ten seconds only, where it may depend on parameters
SET plan_cache_mode = force_generic_plan;
PREPARE plain AS SELECT max(a * b) + 1 FROM product;
PREPARE with_parameter AS SELECT max(a * b) FROM product WHERE b > $1;
SELECT tried('EXECUTE plain'), tried('EXECUTE with_parameter(1)'), tried('EXECUTE with_parameter(2)');
RESET plan_cache_mode;
-- of each group of a query
SELECT tried('SELECT (SELECT max(a * b) FROM product WHERE k > i) FROM generate_series(1, 3) AS i');
-- in a new session
\c
SET gpuscan.engine = gpu;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
SET cpu_operator_cost = 100;
SET jit = off;
LOAD 'gpuscan';
SELECT tried('SELECT max(a * b) FROM product'), tried('SELECT max(a + b) FROM product');
-- the table's statistics have changed a little: twice that is trusted, then it takes
-- more, or another file
INSERT INTO product VALUES (1, 1, 1);
ANALYZE product;
SELECT tried('SELECT max(a * b) FROM product'), tried('SELECT max(a * b) FROM product');
INSERT INTO product VALUES (1, 1, 1);
ANALYZE product;
SELECT tried('SELECT max(a * b) FROM product'), tried('SELECT max(a * b) FROM product');
INSERT INTO product VALUES (1, 1, 1);
ANALYZE product;
SELECT tried('SELECT max(a * b) FROM product');
VACUUM FULL product;
VACUUM product;
SELECT tried('SELECT max(a * b) FROM product'), tried('SELECT max(a * b) FROM product');
DELETE FROM product WHERE a = 999999999999999999;
VACUUM FULL product;
VACUUM product;
SELECT tried('SELECT max(a * b) FROM product'), tried('SELECT max(a * b) FROM product');
-- it was made, so that the next loss is the first
INSERT INTO product VALUES (1, 999999999999999999, 999999999999999999);
SELECT tried('SELECT max(a * b) FROM product'), tried('SELECT max(a * b) FROM product');
ANALYZE product;
SELECT tried('SELECT max(a * b) FROM product');

-- expressions whose evaluation for each of a column's values was in vain
CREATE TABLE word AS SELECT i % 1000 AS i, 'word ' || i % 1000 AS w FROM generate_series(1, 20000) AS i;
VACUUM ANALYZE word;
SELECT tried('SELECT max(repeat(w, 4000)) FROM word'), tried('SELECT max(repeat(w, 4000)) FROM word');

-- what is of a column is of all queries over it, and EXPLAIN (ANALYZE) says it
CREATE TABLE price (i integer, p numeric(10, 2), q numeric(10, 2));
INSERT INTO price SELECT i, CASE i WHEN 15000 THEN numeric 'NaN' ELSE i END, i FROM generate_series(1, 20000) AS i;
VACUUM ANALYZE price;
SELECT tried('SELECT sum(p) FROM price'), tried('SELECT max(p) FROM price WHERE i < 100'), tried('SELECT sum(q) FROM price');
EXPLAIN (ANALYZE) SELECT avg(p) FROM price \g /dev/null
EXPLAIN SELECT avg(p) FROM price \g /dev/null

-- Texts of which there are many more than statistics say
CREATE TABLE phrase AS
SELECT CASE WHEN i % 2 = 0 THEN '' ELSE 'phrase ' || i END AS rare, 'word ' || i % 50000 AS cyclic, 'word ' || i % 50000 AS unknown
FROM generate_series(1, 300000) AS i;
ALTER TABLE phrase ALTER rare SET (n_distinct = 5000), ALTER cyclic SET (n_distinct = 50000), ALTER unknown SET (n_distinct = 0);
VACUUM phrase;
ANALYZE phrase (rare, cyclic);
SELECT tried('SELECT count(*) FROM phrase WHERE rare LIKE ''%1'''), tried('SELECT count(*) FROM phrase WHERE rare LIKE ''%1'''),
	tried('SELECT count(DISTINCT cyclic) FROM phrase'), tried('SELECT count(DISTINCT unknown) FROM phrase');

-- What lies in a dimension may have changed with that, whatever becomes of the fact table
CREATE TABLE visit AS SELECT i % 1000 AS place, i FROM generate_series(1, 20000) AS i;
CREATE TABLE place (id integer, name text, fee numeric) WITH (autovacuum_enabled = off);
INSERT INTO place SELECT i, 'place ' || i, i * 0.5 FROM generate_series(0, 999) AS i;
INSERT INTO place VALUES (500, 'again', 1.5);
VACUUM ANALYZE visit, place;
SELECT tried('SELECT count(name) FROM visit JOIN place ON id = place'), tried('SELECT count(name) FROM visit JOIN place ON id = place');
-- the fact table has nothing to do with it
INSERT INTO visit VALUES (1, 1);
VACUUM ANALYZE visit;
SELECT tried('SELECT count(name) FROM visit JOIN place ON id = place');
DELETE FROM place WHERE name = 'again';
VACUUM ANALYZE place;
SELECT tried('SELECT count(name) FROM visit JOIN place ON id = place');
-- an index is a change, too
INSERT INTO place VALUES (500, 'again', 1.5);
SELECT tried('SELECT count(fee) FROM visit JOIN place ON id = place'), tried('SELECT count(fee) FROM visit JOIN place ON id = place');
DELETE FROM place WHERE name = 'again';
CREATE UNIQUE INDEX place_id ON place (id);
SELECT tried('SELECT count(fee) FROM visit JOIN place ON id = place');
-- of what is computed, any table may be the reason
UPDATE place SET fee = 0.25 WHERE id = 3;
SELECT tried('SELECT fee, count(*) FROM visit JOIN place ON id = place GROUP BY 1'), tried('SELECT fee, count(*) FROM visit JOIN place ON id = place GROUP BY 1');
UPDATE place SET fee = 1.5 WHERE id = 3;
INSERT INTO place VALUES (1001, 'more', 1.5);	-- since 18 the index has not changed what is known of its size
VACUUM ANALYZE place;
SELECT tried('SELECT fee, count(*) FROM visit JOIN place ON id = place GROUP BY 1');
-- what another session has found
DROP INDEX place_id;
INSERT INTO place VALUES (500, 'again', 1.5);
ANALYZE place;
SELECT tried('SELECT max(name) FROM visit JOIN place ON id = place'), tried('SELECT max(name) FROM visit JOIN place ON id = place');
\c
SET gpuscan.engine = gpu;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
SET cpu_operator_cost = 100;
SET jit = off;
LOAD 'gpuscan';
SELECT tried('SELECT max(name) FROM visit JOIN place ON id = place');
DELETE FROM place WHERE name = 'again';
VACUUM ANALYZE place;
\c
SET gpuscan.engine = gpu;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
SET cpu_operator_cost = 100;
SET jit = off;
LOAD 'gpuscan';
SELECT tried('SELECT max(name) FROM visit JOIN place ON id = place');
DROP TABLE visit, place;

DROP TABLE product, word, price, phrase;
DROP FUNCTION tried;
