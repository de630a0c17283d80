-- LIKE over texts that are too many for codes: the service holds which rows match.
LOAD 'gpuscan';
SET gpuscan.engine = gpu;
SET max_parallel_workers_per_gather = 0;
SET cpu_operator_cost = 100;	-- small tables, too, are worth a report
SET seq_page_cost = 0.01;
SET cpu_tuple_cost = 0.000001;
SET jit = off;
SELECT gpuscan_cache_clear() \g /dev/null

-- First rows are read, then they are held.
CREATE FUNCTION check_report(query text, OUT made_by text, OUT equal boolean, OUT again text, OUT equal_again boolean) LANGUAGE plpgsql AS $$
DECLARE
	plain text := answer(query, 'off');
BEGIN
	made_by := made_by(query);
	equal := plain IS NOT DISTINCT FROM answer(query, 'exact');
	again := made_by(query);
	equal_again := plain IS NOT DISTINCT FROM answer(query, 'exact');
END
$$;

-- what stands between signs of %; _ and escapes; z stands for a character of several bytes
CREATE TABLE matched AS
SELECT i, translate(concat(a, b, c, d), 'z', chr(228)) AS t, translate(concat(d, a), 'z', chr(228))::varchar(9) AS v
FROM unnest('{"",a,b,%,_,\\,z}'::text[]) AS a, unnest('{"",a,b,%,_,\\,z}'::text[]) AS b, unnest('{"",a,b,%,_,\\,z}'::text[]) AS c,
	unnest('{"",a,b,%,_,\\,z}'::text[]) AS d, generate_series(1, 2) AS i;
INSERT INTO matched VALUES (3, NULL, NULL), (3, repeat('a', 3000) || 'b', 'v'), (4, (SELECT string_agg(md5(j::text), '') FROM generate_series(1, 300) AS j), 'w');
ALTER TABLE matched ALTER t SET (n_distinct = 5000000), ALTER v SET (n_distinct = 5000000);
VACUUM ANALYZE matched;
SELECT q.patterns, r.*
FROM unnest(ARRAY['{"",%,%%,a,a%,%a,%a%,a%a,ab%ab,%ab%b,a%b%a%b,%z%,z%a,aaaaa%}', '{\\%,%\\%%,a\\_%,%\\\\%,\\\\%%,\\a%\\b,%\\\\\\%}']::text[]) AS q (patterns),
	LATERAL (SELECT string_agg(format('count(*) FILTER (WHERE t LIKE %1$L), count(*) FILTER (WHERE v NOT LIKE %1$L)', p), ', ') AS counts
		FROM unnest(q.patterns::text[]) AS p) AS c,
	check_report('SELECT ' || translate(counts, 'z', chr(228)) || ' FROM matched') AS r;
SELECT left(query, 110), r.*
FROM unnest(ARRAY['SELECT i, count(*) FROM matched WHERE t LIKE ''%a%b%'' GROUP BY i', 'SELECT i, t NOT LIKE ''%a%b%'', starts_with(t, ''a'') IS NULL, count(*) FROM matched GROUP BY 1, 2, 3',
	'SELECT count(*) FROM matched WHERE NOT (t LIKE ''a%'' OR v LIKE ''%b'') AND i < 3', 'SELECT CASE WHEN t LIKE ''%b'' THEN i ELSE -i END, count(*) FROM matched GROUP BY 1',
	'SELECT count(*), sum(i) FROM matched AS m JOIN (VALUES (1, ''one''), (3, ''three'')) AS n (id, name) ON id = i WHERE t LIKE ''a%'' AND name LIKE ''%e''',
	'SELECT i, row_number() OVER (ORDER BY i, t LIKE ''%a'') FROM matched WHERE t LIKE ''aa%a''',
	-- not these: each value would need its result
	'SELECT count(*) FROM matched WHERE t LIKE ''a_''', 'SELECT count(*) FROM matched WHERE upper(t) LIKE ''A%''',
	'SELECT count(*) FROM matched WHERE t LIKE ''' || repeat('a%', 2050) || '''']) AS query, check_report(query) AS r;
SELECT "column", rows > 4000 AS held, bytes < 5 * rows AS is_short FROM gpuscan_columns() WHERE relation = 'matched'::regclass AND "column" = 'v' LIMIT 1;

-- rows that change are read again, and only they
UPDATE matched SET t = 'new' || t WHERE i = 3;
SELECT r.* FROM check_report('SELECT i, count(*) FROM matched WHERE t LIKE ''new%'' GROUP BY i') AS r;
DELETE FROM matched WHERE t LIKE 'a%';
INSERT INTO matched SELECT 5, 'a' || j, 'c' FROM generate_series(1, 100) AS j;
SELECT r.* FROM unnest('{%a%,a%,new%}'::text[]) AS p, check_report(format('SELECT i, count(*) FROM matched WHERE t LIKE %L GROUP BY i', p)) AS r;

-- what the service has lost is made anew; another session knows the patterns, in any order
SELECT gpuscan_cache_clear() \g /dev/null
SELECT r.* FROM unnest('{%first%,%a%,a%,new%}'::text[]) AS p, check_report(format('SELECT i, count(*) FROM matched WHERE t LIKE %L GROUP BY i', p)) AS r;
\c
LOAD 'gpuscan';
SET gpuscan.engine = gpu;
SET cpu_operator_cost = 100;
SET seq_page_cost = 0.01;
SET cpu_tuple_cost = 0.000001;
SET jit = off;
SELECT r.* FROM unnest('{new%,%a%,%b,a%}'::text[]) AS p, check_report(format('SELECT i, count(*) FROM matched WHERE t LIKE %L GROUP BY i', p)) AS r;

-- read by workers, where rows are older than the column, and by partitions whose columns have other numbers
CREATE TABLE matched_parts (k integer, t text) PARTITION BY RANGE (k);
CREATE TABLE matched_part1 (x integer, t text, k integer);
ALTER TABLE matched_part1 DROP x;
INSERT INTO matched_part1 SELECT 'text ' || i || repeat('-', i % 40) || i / 3, i FROM generate_series(1, 50000) AS i;
ALTER TABLE matched_parts ATTACH PARTITION matched_part1 FOR VALUES FROM (0) TO (60000);
CREATE TABLE matched_part2 PARTITION OF matched_parts FOR VALUES FROM (60000) TO (90000);
INSERT INTO matched_part2 SELECT i, 'TEXT ' || i FROM generate_series(60000, 80000) AS i;
ALTER TABLE matched_parts ADD later text DEFAULT 'later text 7';
INSERT INTO matched_parts SELECT i, 'last', CASE WHEN i % 2 = 0 THEN 'inserted' END FROM generate_series(80001, 80100) AS i;
ALTER TABLE matched_parts ALTER t SET (n_distinct = 5000000), ALTER later SET (n_distinct = 5000000);
ALTER TABLE matched_parts ALTER t SET (n_distinct_inherited = 5000000), ALTER later SET (n_distinct_inherited = 5000000);
VACUUM ANALYZE matched_parts;
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SELECT query, r.*
FROM unnest(ARRAY['SELECT count(*), sum(k) FROM matched_parts WHERE t LIKE ''%7%1''', 'SELECT t LIKE ''%99%'', later NOT LIKE ''later%7'', count(*), sum(k) FROM matched_parts GROUP BY 1, 2',
	'SELECT count(*) FROM matched_part1 WHERE t LIKE ''%7%1''']) AS query, check_report(query) AS r;
DROP TABLE matched, matched_parts;
DROP FUNCTION check_report;
