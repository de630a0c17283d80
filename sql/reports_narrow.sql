-- Reports over tables: integers that the service holds in fewer bytes than their
-- type has, at limits, and as rows come that need more; against the ordinary plans.
LOAD 'gpuscan';
SET gpuscan.engine = gpu;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
SET cpu_operator_cost = 100;	-- a small table is worth a report
SET jit = off;

CREATE TABLE narrow (s smallint, i integer, l bigint, m bigint, d date, t timestamp, n numeric(12, 2), c text, none integer,
	v double precision, g integer);
INSERT INTO narrow
SELECT j % 7 - 3, 1000000000 + j % 200, 9223372036854775807, NULLIF(j % 1000, 9) - 5000000000000000000, date '2020-01-01' + j % 2000,
	timestamp '2020-01-01' + j % 60 * interval '1 min', NULLIF(j, 5) * 0.07, 'name ' || j % 99, NULL, j / 8.0, j % 5
FROM generate_series(1, 6000) AS j;
VACUUM ANALYZE narrow;

-- Of each column what a report tells, in several ways; of all of them together
CREATE VIEW questions AS
SELECT format(query, name) AS query
FROM unnest('{s,i,l,m,d,t,n,none}'::text[]) AS name,
	unnest(ARRAY['SELECT count(%1$I), min(%1$I), max(%1$I) FROM narrow', 'SELECT g, count(%1$I), max(%1$I) FROM narrow GROUP BY g',
		'SELECT %1$I, count(*), min(g) FROM narrow GROUP BY 1', 'SELECT count(DISTINCT %1$I) FROM narrow',
		'SELECT g, percentile_disc(0.3) WITHIN GROUP (ORDER BY %1$I) FROM narrow GROUP BY g']) AS query
WHERE (name, query ~ 'percentile') <> ('n', true)
UNION ALL
SELECT unnest(ARRAY['SELECT sum(s), sum(i), sum(l), sum(m), sum(n), avg(i), stddev(s), variance(n), sum(none), bit_and(i) FROM narrow',
	'SELECT g, sum(s), sum(i), sum(l), sum(m), sum(n), avg(n), gpu_sum(v), min(c) FROM narrow GROUP BY g',
	'SELECT c, count(*), sum(n) FROM narrow GROUP BY c', 'SELECT s, d, count(*), sum(i) FROM narrow GROUP BY s, d',
	'SELECT count(*) FROM narrow WHERE i = 1000000003', 'SELECT sum(i) FROM narrow WHERE d BETWEEN ''2021-01-01'' AND ''2022-03-04''',
	'SELECT count(*), sum(n) FROM narrow WHERE l > 0', 'SELECT count(*) FROM narrow WHERE m < -4999999999999999990 AND s IN (-3, 0, 9)',
	'SELECT count(*) FROM narrow WHERE none IS NULL', 'SELECT sum(n * s), sum(i::bigint - s), max(n + 0.001) FROM narrow WHERE t > ''2020-01-01 00:30''',
	'SELECT i / 3, count(*) FROM narrow GROUP BY 1', 'SELECT sum(n) FROM narrow WHERE c LIKE ''%7''']);
-- asked twice: rows are read, and are held
CREATE VIEW asked AS
SELECT count(*) AS questions, array_agg(DISTINCT made_by) AS made_by,
	count(*) FILTER (WHERE answer(query, 'off') IS DISTINCT FROM answer(query, 'exact')) AS wrong
FROM (SELECT query, made_by(query) FROM generate_series(1, 2), questions OFFSET 0) AS q;
-- bytes of a value, from those of the chunks, which have some more room
CREATE VIEW widths AS
SELECT string_agg("column" || ' ' || (2 ^ floor(log(2, bytes / rows::numeric)))::integer, ', ' ORDER BY "column") AS widths
FROM gpuscan_columns()
WHERE relation = 'narrow'::regclass AND "column" IS NOT NULL;
SELECT * FROM asked;
SELECT * FROM widths;

-- Rows that need more, in one page with others that do not
INSERT INTO narrow
VALUES (3, 1000000200, 9223372036854775552, -5000000000000000001, '2019-12-31', '2020-01-01 01:10', 430.00, 'name 0', 7, 0.5, 1),
	(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
VACUUM narrow;
SELECT * FROM asked;
SELECT * FROM widths;
INSERT INTO narrow
VALUES (32767, 2147483647, -9223372036854775808, 9223372036854775807, 'infinity', 'infinity', 9999999999.99, 'more', -2147483648, 1, 2),
	(-32768, -2147483648, 0, -9223372036854775808, '-infinity', '-infinity', -9999999999.99, 'and more', 2147483647, 1, 3),
	(0, 0, 0, 0, '4713-01-01 BC', '1999-12-31', 0, 'name 1', 0, 0, 0);
INSERT INTO narrow (c) SELECT 'other ' || j FROM generate_series(1, 170) AS j;
VACUUM narrow;
SELECT * FROM asked;
SELECT * FROM widths;

-- Rows that changed, in place and for good
UPDATE narrow SET s = -s - 1, i = -i / 2, l = g, n = -n / 2 WHERE g = 2 AND s BETWEEN -9 AND 9;
VACUUM narrow;
SELECT * FROM asked;
DELETE FROM narrow WHERE g IS NULL OR s > 9 OR s < -9;
VACUUM narrow;
SELECT * FROM asked;
DROP VIEW questions, asked, widths;
DROP TABLE narrow;
