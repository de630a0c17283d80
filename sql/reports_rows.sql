-- Reports over tables: columns wherever they lie in tuples, against the ordinary
-- plans.
LOAD 'gpuscan';
SET gpuscan.engine = gpu;
SET max_parallel_workers_per_gather = 0;
SET cpu_operator_cost = 100;	-- small tables, too, are worth a report
SET seq_page_cost = 0.01;
SET cpu_tuple_cost = 0.000001;
SET jit = off;

-- Reports over all columns of a table that they can read, each in a report of its
-- own and all in one: how many were not made, or gave another answer?  Twice:
-- when rows are read, and when they are held.
CREATE FUNCTION wrong_rows(relation regclass, OUT reports bigint, OUT wrong bigint) LANGUAGE plpgsql AS $$
DECLARE
	list text[];
	query text;
	plan json;
	plain text;
	report text;
BEGIN
	SELECT array_agg(format(CASE
			WHEN atttypid = 'boolean'::regtype THEN 'count(%1$I), count(*) FILTER (WHERE %1$I)'
			WHEN atttypid IN ('date'::regtype, 'timestamp'::regtype, 'timestamptz'::regtype)
				THEN 'count(%1$I), min(%1$I), max(%1$I)'
			WHEN atttypid IN ('real'::regtype, 'double precision'::regtype)
				THEN 'count(%1$I), min(%1$I), gpu_sum(%1$I)'
			WHEN atttypid = 'numeric'::regtype THEN 'count(%1$I), sum(%1$I), max(%1$I)'
			ELSE 'count(%1$I), sum(%1$I), gpu_bit_xor(%1$I)' END, attname) ORDER BY attnum) INTO list
	FROM pg_attribute
	WHERE attrelid = relation AND attnum > 0 AND NOT attisdropped AND atttypid::regtype::text IN ('boolean', 'smallint',
		'integer', 'bigint', 'real', 'double precision', 'date', 'timestamp without time zone', 'timestamp with time zone')
		OR attrelid = relation AND atttypid = 'numeric'::regtype AND atttypmod >= 0;
	reports := 0;
	wrong := 0;
	FOREACH query IN ARRAY list || array_to_string(list, ', ') LOOP
		query := format('SELECT count(*), %s FROM %s', query, relation);
		PERFORM set_config('gpuscan.reports', 'off', false);
		EXECUTE format('SELECT r::text FROM (%s) AS r', query) INTO plain;
		PERFORM set_config('gpuscan.reports', 'exact', false);
		FOR i IN 1..2 LOOP
			EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
			EXECUTE format('SELECT r::text FROM (%s) AS r', query) INTO report;
			reports := reports + 1;
			IF report <> plain OR plan::text NOT LIKE '%"Engine":%' OR plan::text LIKE '%"Ordinary Plans":%' THEN
				wrong := wrong + 1;
			END IF;
		END LOOP;
	END LOOP;
END $$;

-- all at fixed places, with every alignment
CREATE TABLE fixed_place (s smallint, b boolean, l bigint, f real, b2 boolean, v double precision, d date,
	z timestamptz, i integer, t timestamp);
INSERT INTO fixed_place
SELECT i, i % 2 = 0, i * 10000000000, i / 8.0, i % 3 = 0, sqrt(i), date '2000-01-01' + i,
	timestamptz '2000-01-01 00:00+00' + i * interval '1 hour', -i, timestamp '1999-12-31' + i * interval '1 s'
FROM generate_series(1, 2000) AS i;
VACUUM fixed_place;
SELECT * FROM wrong_rows('fixed_place');
UPDATE fixed_place SET i = -i;
SELECT * FROM wrong_rows('fixed_place');
ALTER TABLE fixed_place ADD j integer DEFAULT 5;
SELECT * FROM wrong_rows('fixed_place');
INSERT INTO fixed_place
SELECT CASE WHEN i % 2 = 0 THEN i END, CASE WHEN i % 3 = 0 THEN true END, CASE WHEN i % 5 = 0 THEN i END,
	CASE WHEN i % 7 = 0 THEN i END, NULL, i, NULL, now(), CASE WHEN i % 8 > 0 THEN i END, NULL, i
FROM generate_series(1, 2000) AS i;
VACUUM fixed_place;
SELECT * FROM wrong_rows('fixed_place');

-- behind attributes of any width, some of them compressed or toasted
CREATE TABLE behind (a integer, gone bigint, o boolean, t text, s smallint, l bigint, gone2 text, b boolean, i integer);
ALTER TABLE behind ALTER t SET STORAGE EXTERNAL;
INSERT INTO behind
SELECT i, i, true, CASE WHEN i % 2 = 0 THEN repeat('x', i % 300) END, i % 1000, i, repeat('y', i % 5), i % 3 = 0, i
FROM generate_series(1, 2000) AS i;
INSERT INTO behind
SELECT i, i, false, repeat('z', 1000 * i), i, i, CASE WHEN i % 2 = 0 THEN repeat('c', 5000) END, NULL, NULL
FROM generate_series(1, 100) AS i;
VACUUM behind;
SELECT * FROM wrong_rows('behind');

-- columns that have gone, and that rows are older than
ALTER TABLE behind DROP gone, DROP gone2;
ALTER TABLE behind ADD n1 bigint DEFAULT 42, ADD n2 boolean, ADD n3 smallint NOT NULL DEFAULT 7, ADD n4 double precision;
SELECT * FROM wrong_rows('behind');
INSERT INTO behind SELECT i, NULL, repeat('q', i % 7), i % 1000, NULL, i % 2 = 0, i, i, NULL, i, NULL
FROM generate_series(1, 2000) AS i;
ALTER TABLE behind ALTER n1 DROP DEFAULT;
DELETE FROM behind WHERE a % 3 = 0;
UPDATE behind SET s = s + 1 WHERE a % 5 = 0;
SELECT * FROM wrong_rows('behind');
VACUUM behind;
SELECT * FROM wrong_rows('behind');

-- numeric, with headers of one byte and of four, among others
CREATE TABLE decimals (o boolean, a numeric(18, 4), s smallint, b numeric(5, 2), t text, c numeric(18, 0), i integer, d numeric(12, 6));
ALTER TABLE decimals ALTER b SET STORAGE PLAIN, ALTER d SET STORAGE PLAIN;
INSERT INTO decimals
SELECT i % 3 = 0, (i - 1000) * 123456789.0625, i, CASE WHEN i % 5 > 0 THEN i * 0.01 END, repeat('x', i % 200), i::numeric ^ 5, i, i * 0.000001
FROM generate_series(1, 2000) AS i;
INSERT INTO decimals SELECT NULL, i * 10000, NULL, 0, NULL, i, NULL, i FROM generate_series(1, 500) AS i;
VACUUM decimals;
SELECT * FROM wrong_rows('decimals');
ALTER TABLE decimals ALTER b SET STORAGE MAIN, DROP s, ADD e numeric(10, 5) DEFAULT -3.25, ADD f numeric(2, 1);
UPDATE decimals SET b = -b, a = a / 3 WHERE i % 7 = 0;
SELECT * FROM wrong_rows('decimals');
VACUUM decimals;
SELECT * FROM wrong_rows('decimals');

-- types that reports do not read, and bitmaps of more than a byte
CREATE TABLE between_others (c "char", n name, u uuid, k numeric, ar integer[], s smallint, vc varchar(3), l bigint,
	b1 boolean, b2 boolean, b3 boolean, c5 char(5), i integer, p point, f real, bx bit(3), t timestamp, l2 bigint);
INSERT INTO between_others
SELECT 'x', 'name' || i, md5(i::text)::uuid, CASE WHEN i % 3 = 0 THEN i * 1.5 END, ARRAY[i, i], i % 999,
	substr('abc', 1, i % 4), i, i % 2 = 0, i % 3 = 0, NULL, 'c', i, point(1, 2), i, '101', '2000-01-01',
	CASE WHEN i % 2 = 0 THEN i END
FROM generate_series(1, 2000) AS i;
VACUUM between_others;
SELECT * FROM wrong_rows('between_others');

-- a wide table, in which a column is far behind
DO $$ BEGIN
	EXECUTE format('CREATE TABLE far (%s)', (SELECT string_agg(format('c%s bigint', i), ', ') FROM generate_series(1, 900) AS i));
END $$;
INSERT INTO far (c1, c900) SELECT i, i FROM generate_series(1, 500) AS i;
DO $$ BEGIN
	EXECUTE format('INSERT INTO far SELECT %s FROM generate_series(1, 100) AS i', (SELECT string_agg('i', ', ') FROM generate_series(1, 900)));
END $$;
CREATE VIEW ends AS SELECT c1, c450, c900 FROM far;
VACUUM far;
SELECT * FROM wrong_rows('ends');

-- a materialized view: without rows, new, changed row by row, with a new file, rolled back
CREATE TABLE base AS SELECT i, i % 7 AS s, i * 0.5::float8 AS v FROM generate_series(1, 20000) AS i;
CREATE MATERIALIZED VIEW seen AS SELECT * FROM base WITH NO DATA;
CREATE UNIQUE INDEX ON seen (i);
SELECT count(*) FROM seen;
EXPLAIN (VERBOSE) SELECT count(*) FROM seen \g /dev/null
REFRESH MATERIALIZED VIEW seen;
VACUUM seen;
SELECT * FROM wrong_rows('seen');
DELETE FROM base WHERE i % 11 = 0;
UPDATE base SET v = -v WHERE i % 500 = 0;
INSERT INTO base SELECT i, i, i FROM generate_series(20001, 20500) AS i;
REFRESH MATERIALIZED VIEW CONCURRENTLY seen;
SELECT * FROM wrong_rows('seen');
VACUUM seen;
SELECT * FROM wrong_rows('seen');
BEGIN;
UPDATE base SET v = 7 WHERE i % 500 = 1;
REFRESH MATERIALIZED VIEW CONCURRENTLY seen;
SELECT * FROM wrong_rows('seen');
ROLLBACK;
SELECT * FROM wrong_rows('seen');
BEGIN;
UPDATE base SET v = 8;
REFRESH MATERIALIZED VIEW seen;
SELECT count(*), gpu_sum(v) FROM seen;
ROLLBACK;
SELECT * FROM wrong_rows('seen');
UPDATE base SET v = 9;
REFRESH MATERIALIZED VIEW seen;
SELECT count(*), gpu_sum(v) FROM seen;
VACUUM seen;
SELECT gpuscan_load('seen');
SELECT * FROM wrong_rows('seen');
REFRESH MATERIALIZED VIEW seen WITH NO DATA;
SELECT count(*), gpu_sum(v) FROM seen;

DROP VIEW ends;
DROP MATERIALIZED VIEW seen;
DROP TABLE fixed_place, behind, decimals, between_others, far, base;
DROP FUNCTION wrong_rows;
