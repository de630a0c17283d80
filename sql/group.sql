-- Groups of arrays against GROUP BY.
SET extra_float_digits = 1;

-- Types of keys: "value" makes one of a small integer g.
CREATE TABLE key_types (ord integer, type text PRIMARY KEY, value text);
INSERT INTO key_types VALUES
	(1, 'smallint', 'g::smallint'), (2, 'integer', 'g * 100003'),
	(3, 'bigint', 'g * 10000000019::bigint'), (4, 'real', '(g / 8.0)::real'),
	(5, 'double precision', 'g / 8::double precision'),
	(6, 'boolean', 'g % 2 = 0');

-- The keys of a sample's elements.
CREATE TABLE key_patterns (ord integer, pattern text, g text);
INSERT INTO key_patterns VALUES
	(1, 'few', 'CASE WHEN noise(i + 3000) % 11 > 0 THEN noise(3 * i) % 7 - 3 END'),
	(2, 'many', 'CASE WHEN noise(i + 3000) % 50 > 0 THEN noise(3 * i) % 500 - 250 END'),
	(3, 'one', '4'), (4, 'NULL', 'NULL::integer'), (5, 'all different', '100 - i');

-- What a row of gpu_group must be, by built-in aggregates as far as they are
-- exact, else by gpuscan's.
CREATE FUNCTION aggregates_of(type text) RETURNS text LANGUAGE sql AS
$$
	SELECT 'count(v), ' || replace(total, ' OVER w', '') || CASE family
		WHEN 'integer' THEN ', avg(v), min(v), max(v), stddev(v)'
		ELSE ', avg(v::double precision), min(v), max(v), gpu_stddev(v)' END
	FROM types WHERE types.type = aggregates_of.type
$$;

-- Compare the rows of a function over the arrays of every sample with those of
-- aggregates, in all patterns of keys.
CREATE FUNCTION compare_group(function text, key_type text, type text, aggregates text)
RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	answer text;
	differing text[] := '{}';
	compared integer := 0;
	p key_patterns;
BEGIN
	FOR p IN SELECT * FROM key_patterns ORDER BY ord LOOP
		EXECUTE format('
			SELECT coalesce(array_agg(sample || '': %s'') FILTER (WHERE got IS DISTINCT FROM wanted), ''{}'') || $1, count(*) + $2
			FROM (SELECT sample, ARRAY(SELECT r::text FROM %s(keys, vals) AS r) AS got,
					ARRAY(SELECT row(k, %s)::text FROM unnest(keys, vals) AS u (k, v) GROUP BY k ORDER BY k) AS wanted
				  FROM (SELECT sample, array_agg(%s ORDER BY i) AS keys, array_agg(%s ORDER BY i) AS vals
						FROM (SELECT *, %s AS g FROM samples) AS s GROUP BY sample) AS arrays) AS both_ways',
			p.pattern, function, aggregates, kt.value, t.value, p.g)
		FROM key_types AS kt, types AS t WHERE kt.type = key_type AND t.type = compare_group.type
		INTO differing, compared USING differing, compared;
	END LOOP;
	RETURN coalesce(array_to_string(nullif(differing, '{}'), ', '), compared || ' equal');
END
$$;

SELECT k.type AS keys, t.type AS vals, compare_group('gpu_group', k.type, t.type, aggregates_of(t.type))
FROM key_types AS k, types AS t WHERE t.family <> 'boolean' ORDER BY k.ord, t.ord;

SELECT t.type, compare_group('gpu_group_count', 'integer', t.type, 'count(v)') AS count,
	compare_group('gpu_group_sum', 'integer', t.type, replace(total, ' OVER w', '')) AS sum,
	compare_group('gpu_group_avg', 'integer', t.type, CASE family WHEN 'float' THEN 'avg(v::double precision)' ELSE 'avg(v)' END) AS avg,
	compare_group('gpu_group_min', 'integer', t.type, 'min(v)') AS min,
	compare_group('gpu_group_max', 'integer', t.type, 'max(v)') AS max,
	compare_group('gpu_group_median', 'integer', t.type, 'percentile_cont(0.5) WITHIN GROUP (ORDER BY v)') AS median
FROM types AS t WHERE t.family <> 'boolean' ORDER BY t.ord;

-- Keys and values that are hard: of all magnitudes, cancelling, special ones; to
-- the last bit.
CREATE TABLE hard_groups (data text, i integer, k double precision, v double precision);
INSERT INTO hard_groups
SELECT data, i, k, CASE data
	WHEN 'magnitudes' THEN (noise(i) - 134217728) * 10::float8 ^ (noise(2 * i) % 600 - 300)
	WHEN 'cancelling' THEN (i / 40 % 2 * 2 - 1) * (1e300 + (i / 80 % 5) * 1e285 + (noise(i / 80) % 10)) + (i % 40) * 1e-300
	WHEN 'special' THEN (ARRAY[0, -0.0, 1, -1e308, 1e308, 'Infinity', '-Infinity', 'NaN', 5e-324, NULL]::float8[])[1 + noise(i) % 10]
	WHEN 'zeros' THEN (ARRAY[0, '-0']::float8[])[1 + (i % 40 + noise(i)) % 3 / 2]
	WHEN 'huge' THEN (noise(i) % 3 - 1) * 1.7e308
	END
FROM unnest('{magnitudes,cancelling,special,zeros,huge}'::text[]) AS data, generate_series(1, 3000) AS i,
	LATERAL (SELECT (i % 40) / 3::float8 - 2) AS keys (k);
-- sums out of range are errors on both sides
DELETE FROM hard_groups WHERE data = 'huge' AND k IN
	(SELECT k FROM hard_groups WHERE data = 'huge' GROUP BY k HAVING abs(sum(v::numeric)) > 1.75e308);
SELECT data, count(*) AS groups, count(*) FILTER (WHERE got IS DISTINCT FROM wanted) AS different
FROM (SELECT h.data, a.k, (float8send(g.key), g.count, float8send(g.sum), float8send(g.avg), float8send(g.min), float8send(g.max),
			float8send(g.stddev), float8send(m.median), float8send(c.sum)) AS got,
		(float8send(a.k), a.count, float8send(a.sum), float8send(a.avg), float8send(a.min), float8send(a.max), float8send(a.stddev),
			float8send(a.median), float8send(a.sum)) AS wanted
	  FROM (SELECT data, array_agg(k ORDER BY i) AS keys, array_agg(v ORDER BY i) AS vals FROM hard_groups GROUP BY data) AS h
	  CROSS JOIN LATERAL (SELECT k, count(v), gpu_sum(v) AS sum, gpu_avg(v) AS avg, gpu_min(v) AS min, gpu_max(v) AS max,
			gpu_stddev(v) AS stddev, gpu_median(v) AS median FROM hard_groups WHERE data = h.data GROUP BY k) AS a
	  LEFT JOIN LATERAL gpu_group(h.keys, h.vals) AS g ON g.key = a.k
	  LEFT JOIN LATERAL gpu_group_median(h.keys, h.vals) AS m ON m.key = a.k
	  LEFT JOIN LATERAL gpu_group_sum(h.keys, h.vals) AS c ON c.key = a.k) AS both_ways
GROUP BY data ORDER BY data;
DROP TABLE hard_groups;
SELECT error_of('SELECT * FROM gpu_group_sum(''{1,2,1}''::integer[], ''{1e308,1,1e308}''::float8[])') AS sum,
	error_of('SELECT * FROM gpu_group_sum(''{1,2,1}''::integer[], ''{3e38,1,3e38}''::real[])') AS real,
	error_of('SELECT * FROM gpu_group_avg(''{1,2,1}''::integer[], ''{1e308,1,1e308}''::float8[])') AS mean;

-- NaN is one key, and so are -0 and 0, shown as 0.
SELECT key, float8send(key), sum FROM gpu_group_sum('{0,NaN,-0,1,-Infinity,Infinity,-0,NULL,NaN}'::float8[],
	'{1,2,4,8,16,32,64,128,256}'::integer[]);
SELECT key, float4send(key), count FROM gpu_group_count('{-0,NaN,-0,NULL}'::real[], '{1,2,NULL,4}'::bigint[]);
SELECT float8send(key), count FROM gpu_group_count(ARRAY[- 'NaN'::float8, 'NaN'], '{1,2}'::real[]);
SELECT * FROM gpu_group('{t,NULL,f,t}'::boolean[], '{1,2,3,4}'::smallint[]);

-- The ends of the integers, as keys and as values.
SELECT * FROM gpu_group('{32767,-32768,0,-1,-32768}'::smallint[], '{1,2,3,4,5}'::integer[]);
SELECT * FROM gpu_group('{2147483647,-2147483648,0,-1,-2147483648}'::integer[], '{32767,-32768,-32768,4,-32768}'::smallint[]);
SELECT * FROM gpu_group('{9223372036854775807,-9223372036854775808,0,-1,-9223372036854775808}'::bigint[],
	'{2147483647,-2147483648,-2147483648,4,-2147483648}'::integer[]);
SELECT * FROM gpu_group('{1,2,2,1,1}'::integer[],
	'{9223372036854775807,-9223372036854775808,-9223372036854775808,9223372036854775807,-9223372036854775808}'::bigint[]);
SELECT * FROM gpu_group_median('{1,2,2,1,1}'::integer[],
	'{9223372036854775807,-9223372036854775808,9223372036854775807,9223372036854775807,-9223372036854775808}'::bigint[]);

-- A group of nothing but NULL, one value, two; values that are all NULL.
SELECT * FROM gpu_group('{1,2,1,3,3,NULL}'::integer[], '{NULL,0.1,NULL,0.1,0.3,NULL}'::float8[]);
SELECT * FROM gpu_group_median('{1,2,1,3,3,NULL}'::integer[], '{NULL,0.1,NULL,0.1,0.3,NULL}'::float8[]);
SELECT s.key, s.sum, a.avg, l.min, m.max, c.count
FROM gpu_group_sum('{2,1}'::bigint[], '{NULL,NULL}'::integer[]) AS s
JOIN gpu_group_avg('{2,1}'::bigint[], '{NULL,NULL}'::integer[]) AS a USING (key)
JOIN gpu_group_min('{2,1}'::bigint[], '{NULL,NULL}'::integer[]) AS l USING (key)
JOIN gpu_group_max('{2,1}'::bigint[], '{NULL,NULL}'::integer[]) AS m USING (key)
JOIN gpu_group_count('{2,1}'::bigint[], '{NULL,NULL}'::integer[]) AS c USING (key) ORDER BY key;

-- No elements, no arrays; arrays of any number of dimensions.
SELECT (SELECT count(*) FROM gpu_group(k, v)) AS rows, (SELECT count(*) FROM gpu_group_median(k, v)) AS medians
FROM (VALUES ('{}'::integer[], '{}'::real[]), (NULL, '{1}'), ('{1}', NULL), (NULL, NULL), ('{1}', '{2}')) AS t (k, v);
SELECT * FROM gpu_group_sum('[5:6][2:3]={{1,2},{1,NULL}}'::integer[], '{1,2,3,4}'::integer[]);
SELECT (gpu_group_sum('{1,2,1}'::integer[], '{1,2,3}'::integer[])).*;
SELECT key, sum FROM generate_series(1, 3) AS n, gpu_group_sum(ARRAY[n, n, -n], ARRAY[1, 2, n]) ORDER BY key;

-- Many rows and groups: in one array, stored, in parts.
CREATE TABLE many_groups (data text, keys integer[], vals double precision[]);
ALTER TABLE many_groups ALTER keys SET STORAGE EXTERNAL, ALTER vals SET STORAGE EXTERNAL;
INSERT INTO many_groups
SELECT data, array_agg(CASE data WHEN 'few' THEN i % 100 WHEN 'many' THEN i * 7919 % 30011 - 15000 ELSE i * 1009 % 100000 END ORDER BY i),
	array_agg(CASE WHEN i % 13 > 0 THEN (i * 1000003::bigint % 2000003) / 8.0::float8 * (i % 3 - 1) END ORDER BY i)
FROM unnest('{few,many,all different}'::text[]) AS data, generate_series(1, 100000) AS i GROUP BY data;
INSERT INTO many_groups
SELECT 'of all magnitudes', array_agg(i % 20000 ORDER BY i), array_agg(((i::bigint * 7907 % 20011) / 16.0)::float8 * 10::float8 ^ (i * 31 % 600 - 300) ORDER BY i)
FROM generate_series(1, 100000) AS i;
SELECT data, count(*), count(*) FILTER (WHERE g IS DISTINCT FROM a) AS different
FROM many_groups AS many, LATERAL (SELECT row_number() OVER () AS i, key, count, sum, avg, min, max, stddev FROM gpu_group(keys, vals)) AS g
FULL JOIN LATERAL (SELECT row_number() OVER (ORDER BY k) AS i, k AS key, count(v), gpu_sum(v) AS sum, gpu_avg(v) AS avg, min(v), max(v), gpu_stddev(v) AS stddev
	FROM unnest(keys, vals) AS u (k, v) GROUP BY k) AS a USING (i)
GROUP BY data ORDER BY data COLLATE "C";
SELECT data, count(*), count(*) FILTER (WHERE g IS DISTINCT FROM a) AS different
FROM many_groups AS many, LATERAL (SELECT row_number() OVER () AS i, key, median FROM gpu_group_median(vals, keys)) AS g
FULL JOIN LATERAL (SELECT row_number() OVER (ORDER BY v) AS i, v AS key, percentile_cont(0.5) WITHIN GROUP (ORDER BY k) AS median
	FROM unnest(keys, vals) AS u (k, v) GROUP BY v) AS a USING (i)
GROUP BY data ORDER BY data COLLATE "C";
-- beyond work_mem, on disk
SET work_mem = '64kB';
SELECT data, count(*), sum(s.count), count(DISTINCT key) FROM many_groups AS many, gpu_group(keys, vals) AS s GROUP BY data ORDER BY data COLLATE "C";
RESET work_mem;
DROP TABLE many_groups;

-- Wrong arguments.  What the server advises where there is no such function depends on its version.
SELECT call, regexp_replace(error_of('SELECT * FROM ' || call), '^(42883[^\n]*).*', '\1') AS error
FROM unnest('{"gpu_group(''{1,2}''::integer[], ''{1}''::integer[])", "gpu_group_sum(''{}''::integer[], ''{1}''::real[])",
	"gpu_group(''{1}''::numeric[], ''{1}''::integer[])", "gpu_group_median(''{1}''::integer[], ''{NaN}''::numeric[])",
	"gpu_group(''{a}''::text[], ''{1}''::integer[])", "gpu_group(''{1}''::integer[], ''{t}''::boolean[])"}'::text[]) AS call;

DROP FUNCTION compare_group, aggregates_of;
DROP TABLE key_types, key_patterns;
RESET ALL;
