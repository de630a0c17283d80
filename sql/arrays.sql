-- Arrays of every shape, and in every form in which PostgreSQL keeps them.
SET extra_float_digits = 1;

-- Dimensions and lower bounds carry over to a scan; elements are taken in
-- storage order.
SELECT gpu_cumsum('{{1, 2}, {3, 4}}'::integer[]),
	gpu_cumsum('[0:1][-1:0]={{1, NULL}, {3, 4}}'::bigint[]),
	gpu_cummax('{{{1, 9}}, {{NULL, 4}}}'::real[], true);
SELECT gpu_cumcount('[5:7]={1, NULL, 3}'::smallint[]),
	gpu_cumprod('[-1:1]={2, 2, 2}'::double precision[]),
	gpu_cummin('[2147483646:2147483646]={1}'::integer[]),
	gpu_cumbool_or('[3:4][1:1]={{f}, {t}}'),
	gpu_cumbit_or('[3:4][1:1]={{1}, {2}}'::smallint[]);
SELECT gpu_cumsum('{{1, 2, 3}, {4, 5, 6}}'::integer[], chunk => 3) AS rows,
	gpu_cumsum('{{1, 2, 3}, {4, 5, 6}}'::integer[], chunk => 4) AS across;
SELECT gpu_cumsum(array_fill(1, ARRAY[2, 1, 2, 1, 2, 1]));
SELECT gpu_sum('[7:8][0:1]={{1, 2}, {NULL, 4}}'::integer[]),
	gpu_argmax('[7:8][0:1]={{1, 2}, {NULL, 4}}'::integer[]),
	gpu_count('[7:8][0:1]={{1, 2}, {NULL, 4}}'::integer[]),
	gpu_histogram('[7:8][0:1]={{1, 2}, {NULL, 4}}'::integer[], 0, 5, 5);

-- Empty and NULL arrays.
SELECT gpu_cumsum('{}'::smallint[]), gpu_cumprod('{}'::integer[]),
	gpu_cummin('{}'::bigint[], true), gpu_cummax('{}'::real[], chunk => 5),
	gpu_cumcount('{}'::double precision[], heads => '{}'),
	gpu_cumbit_and('{}'::integer[]), gpu_cumbit_or('{}'::bigint[]),
	gpu_cumbool_and('{}'), gpu_cumbool_or('{}', true);
SELECT gpu_cumsum(NULL::smallint[]) IS NULL AS a,
	gpu_cumprod(NULL::integer[], true) IS NULL AS b,
	gpu_cummin(NULL::bigint[], NULL) IS NULL AS c,
	gpu_cummax(NULL::real[], chunk => 0) IS NULL AS d,
	gpu_cumcount(NULL::double precision[], heads => '{t}') IS NULL AS e,
	gpu_cumbit_and(NULL::integer[], chunk => 1, heads => '{t}') IS NULL AS f,
	gpu_cumbool_or(NULL) IS NULL AS g;

-- Slices, results of functions, arrays of a subquery, of a cast, of domains.
CREATE DOMAIN prices AS real[];
SELECT gpu_cumsum((ARRAY[1, 2, 3, 4])[2:3]), gpu_cumsum(ARRAY[1, 2] || ARRAY[NULL, 5]),
	gpu_cumsum(gpu_cumsum(ARRAY[1, 2, 3])),
	gpu_cumsum(ARRAY(SELECT i FROM generate_series(1, 5) AS i ORDER BY i)),
	gpu_cumsum(array_remove(ARRAY[1, NULL, 2], NULL)),
	gpu_cumsum('{1.5, 2.25}'::numeric[]::real[]),
	gpu_cumsum('{1.5, 2.25}'::prices);
SELECT gpu_sum((SELECT array_agg(v) FROM unnest(ARRAY[1, 2, NULL]) AS v));
-- a bitmap of NULLs in which there is none
SELECT gpu_cumsum(a[2:3]), gpu_sum(a[2:3]), gpu_cummin(a[2:3], true)
FROM (SELECT ARRAY[NULL, 2, 3] AS a) AS s;
SELECT gpu_cumsum(a), gpu_filter(a, '<', 9)
FROM (SELECT array_replace(ARRAY[1, NULL, 3], NULL, 7) AS a) AS s;

-- Stored: short, plain, compressed, out of line, both.
CREATE TABLE stored (kind text, d double precision[], i integer[], b boolean[]);
ALTER TABLE stored ALTER d SET STORAGE EXTERNAL, ALTER i SET STORAGE EXTERNAL,
	ALTER b SET STORAGE EXTERNAL;
CREATE FUNCTION some_doubles(n integer) RETURNS double precision[] LANGUAGE sql AS
$$ SELECT array_agg(CASE WHEN noise(-g) % 9 > 0 THEN noise(g) / 16.0 END
					::double precision ORDER BY g)
   FROM generate_series(1, n) AS g $$;
CREATE FUNCTION some_integers(n integer) RETURNS integer[] LANGUAGE sql AS
$$ SELECT array_agg(CASE WHEN noise(-g) % 9 > 0 THEN noise(g) % 1000 END
					ORDER BY g)
   FROM generate_series(1, n) AS g $$;
CREATE FUNCTION some_booleans(n integer) RETURNS boolean[] LANGUAGE sql AS
$$ SELECT array_agg(noise(g) % 50 = 0 ORDER BY g)
   FROM generate_series(1, n) AS g $$;
CREATE FUNCTION form(a anyarray) RETURNS text LANGUAGE sql AS
$$ SELECT CASE pg_column_size(a || '{}') - pg_column_size(a)
		WHEN 0 THEN 'plain' WHEN 3 THEN 'short' WHEN 4 THEN 'out of line'
		ELSE 'compressed' END $$;
INSERT INTO stored
SELECT 'short', some_doubles(5), some_integers(5), some_booleans(5);
INSERT INTO stored
SELECT 'plain', some_doubles(120), some_integers(120), some_booleans(120);
INSERT INTO stored
SELECT 'external', some_doubles(20000), some_integers(20000), some_booleans(20000);
ALTER TABLE stored ALTER d SET STORAGE MAIN, ALTER i SET STORAGE MAIN,
	ALTER b SET STORAGE MAIN;
INSERT INTO stored
SELECT 'compressed', array_fill(0.5::double precision, ARRAY[5000]) || '{7, NULL}',
	array_fill(3, ARRAY[5000]) || '{7, NULL}',
	array_fill(false, ARRAY[5000]) || '{t, f}';
ALTER TABLE stored ALTER d SET STORAGE EXTENDED, ALTER i SET STORAGE EXTENDED,
	ALTER b SET STORAGE EXTENDED;
INSERT INTO stored
SELECT 'compressed external', d || array_fill(1.5::double precision, ARRAY[30000]),
	i || array_fill(-1, ARRAY[30000]), b || array_fill(false, ARRAY[30000])
FROM stored WHERE kind = 'external';

-- each is stored as named: bytes saved against a copy in memory
SELECT kind, cardinality(d) AS elements, form(d) AS d, form(i) AS i, form(b) AS b
FROM stored ORDER BY elements, kind;

-- against copies of the same arrays in memory
SELECT kind,
	gpu_sum(d) IS NOT DISTINCT FROM (SELECT sum(v) FROM unnest(d) AS v) AS sum,
	gpu_cumsum(d) IS NOT DISTINCT FROM gpu_cumsum(d2) AS cumsum,
	gpu_cumsum(i, true, NULL, b) IS NOT DISTINCT FROM gpu_cumsum(i2, true, NULL, b2)
		AS heads,
	gpu_compact(d, b) IS NOT DISTINCT FROM gpu_compact(d2, b2) AS compact,
	gpu_filter(i, '<', 500) IS NOT DISTINCT FROM
		(SELECT array_agg(v ORDER BY n) FROM unnest(i) WITH ORDINALITY AS u (v, n)
		 WHERE v < 500) AS filter,
	gpu_where(b) IS NOT DISTINCT FROM
		(SELECT coalesce(array_agg(n::integer ORDER BY n) FILTER (WHERE v), '{}')
		 FROM unnest(b) WITH ORDINALITY AS u (v, n)) AS where,
	gpu_histogram(i, 0, 1000, 10) IS NOT DISTINCT FROM gpu_histogram(i2, 0, 1000, 10)
		AS histogram,
	gpu_cumbool_or(b) IS NOT DISTINCT FROM gpu_cumbool_or(b2) AS cumbool_or,
	(gpu_cumsum(i))[cardinality(i)] = (SELECT sum(v) FROM unnest(i) AS v) AS last
FROM stored,
	LATERAL (SELECT array_agg(v ORDER BY n) AS d2
			 FROM unnest(d) WITH ORDINALITY AS u (v, n)) AS d2,
	LATERAL (SELECT array_agg(v ORDER BY n) AS i2
			 FROM unnest(i) WITH ORDINALITY AS u (v, n)) AS i2,
	LATERAL (SELECT array_agg(v ORDER BY n) AS b2
			 FROM unnest(b) WITH ORDINALITY AS u (v, n)) AS b2
ORDER BY cardinality(d), kind;
-- several megabytes, out of line, plain and compressed
CREATE TABLE large (kind text, a double precision[]);
ALTER TABLE large ALTER a SET STORAGE EXTERNAL;
INSERT INTO large SELECT 'external', array_agg(i) FROM generate_series(1, 700000) AS i;
ALTER TABLE large ALTER a SET STORAGE EXTENDED;
INSERT INTO large SELECT 'compressed', array_agg(i / 1000) FROM generate_series(1, 700000) AS i;
SELECT kind, cardinality(a), form(a), gpu_sum(a) = s AS sum,
	gpu_sum(gpu_cumsum(a)) = weighted::double precision AS cumsum
FROM large, LATERAL (SELECT sum(v) AS s, sum(v::bigint * (700001 - n)) AS weighted
	FROM unnest(a) WITH ORDINALITY AS u (v, n)) AS s;
-- edges and heads from a table too
CREATE TABLE edges AS SELECT array_agg(e::double precision ORDER BY e) AS e
FROM generate_series(0, 1000, 2) AS e;
SELECT kind, gpu_histogram(i, e) = gpu_histogram(i, 0, 1000, 500) AS edges
FROM stored, edges ORDER BY kind;
-- results stored and read again
CREATE TABLE results AS SELECT kind, gpu_cumsum(i) AS r FROM stored;
SELECT kind, r IS NOT DISTINCT FROM gpu_cumsum(i) AS same
FROM stored JOIN results USING (kind) ORDER BY kind;
-- many rows, several calls a row, in several processes if there are any
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
CREATE TABLE many AS
SELECT g, array_agg(noise(g + 17 * j) % 100 ORDER BY j) AS a
FROM generate_series(1, 2000) AS g, generate_series(1, 20) AS j GROUP BY g;
ALTER TABLE many SET (parallel_workers = 2);
ANALYZE many;
SELECT sum(gpu_sum(a)) = (SELECT sum(v) FROM many, unnest(a) AS v) AS sum,
	max(gpu_max(gpu_cumsum(a, true))) =
	(SELECT max(s) FROM (SELECT sum(v) FILTER (WHERE n < 20) AS s
	 FROM many, unnest(a) WITH ORDINALITY AS u (v, n) GROUP BY g) AS t) AS cumsum
FROM many;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
CREATE INDEX ON many (gpu_sum(a));

-- Expanded arrays, which PL/pgSQL changes between calls.
CREATE FUNCTION expanded(n integer) RETURNS TABLE (step integer, sum double precision,
	cumsum double precision[], kept double precision[], flags integer[])
LANGUAGE plpgsql AS
$$
DECLARE
	a double precision[];
	c double precision[];
	keep boolean[];
BEGIN
	FOR i IN 1 .. n LOOP
		a[i] := i * 1.5;
		keep[i] := i % 2 = 1;
		IF i = 3 THEN
			a[i] := NULL;
		END IF;
		c := gpu_cumsum(a, heads => keep);
		c[1] := -1;
		step := i;
		sum := gpu_sum(a);
		cumsum := gpu_cumsum(c);
		kept := gpu_compact(a, keep);
		kept[0] := 0.25;
		flags := gpu_where(keep);
		RETURN NEXT;
	END LOOP;
	a := NULL;
	a[2] := 5;
	a[3] := 6;
	step := 0;
	sum := gpu_sum(a);
	cumsum := gpu_cumsum(a);
	kept := gpu_filter(a, '>', 5);
	flags := NULL;
	RETURN NEXT;
END
$$;
SELECT * FROM expanded(5);
DO $$
DECLARE
	a bigint[] := array_fill(0::bigint, ARRAY[3000]);
BEGIN
	FOR i IN 1 .. 300 LOOP
		a[i * 10] := i;
		a[i * 10 - 5] := NULL;
		IF gpu_sum(a) <> i * (i + 1) / 2 OR gpu_count(a) <> 3000 - i
			OR gpu_argmax(a) <> i * 10 OR (gpu_cumsum(a))[3000] <> gpu_sum(a)
		THEN
			RAISE 'wrong at %: %, %, %, %', i, gpu_sum(a), gpu_count(a),
				gpu_argmax(a), (gpu_cumsum(a))[3000];
		END IF;
	END LOOP;
END
$$;

DROP TABLE stored, large, edges, results, many;
DROP DOMAIN prices;
DROP FUNCTION some_doubles;
DROP FUNCTION some_integers;
DROP FUNCTION some_booleans;
DROP FUNCTION expanded;
DROP FUNCTION form;
