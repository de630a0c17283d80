-- Arrays out of line: those that are read in parts give what they give whole.

-- Values in memory, and stored: uncompressed, and, where that makes them
-- smaller, compressed.
CREATE TABLE stored (name text, n integer, a double precision[], b integer[], k boolean[]);
ALTER TABLE stored ALTER a SET STORAGE EXTERNAL, ALTER b SET STORAGE EXTERNAL,
	ALTER k SET STORAGE EXTERNAL;
CREATE TABLE compressed (LIKE stored);

CREATE FUNCTION numbers(n integer, nulls integer) RETURNS double precision[] LANGUAGE sql
IMMUTABLE AS $$
	SELECT array_agg(CASE WHEN nulls = 0 OR i % nulls > 0 THEN (i * 7919 % 10007) / 8.0 END ORDER BY i)
	FROM generate_series(1, n) AS i
$$;
INSERT INTO stored
SELECT name, n, numbers(n, nulls), numbers(n, nulls)::integer[],
	ARRAY(SELECT CASE WHEN nulls = 0 OR i % 5 > 0 THEN i % 3 = 0 END
		FROM generate_series(1, n) AS i ORDER BY i)
FROM (VALUES
	('small', 1000, 0),
	('below the limit', 8180, 0),
	('above it', 8200, 0),
	('one chunk', 32768, 0),
	('one and one', 32769, 0),
	('some', 100003, 0),
	('some with nulls', 100003, 7),
	('many with few nulls', 150000, 49999),
	('bitmap larger than values', 600000, 1)) AS s (name, n, nulls);
INSERT INTO compressed SELECT * FROM stored;
INSERT INTO stored SELECT 'dimensions', 80000,
	array_fill(1.5::double precision, ARRAY[200, 400], ARRAY[-3, 5]),
	array_fill(2, ARRAY[200, 400], ARRAY[-3, 5]), array_fill(true, ARRAY[200, 400], ARRAY[-3, 5]);
SELECT name, pg_column_size(a) > 60000 AS large, pg_column_size(a) >= gpu_count(a) * 8 AS uncompressed
FROM stored;

-- `|| '{}'` makes an array in memory; results that differ are shown.
SELECT name, 'reduction' AS differs FROM stored
WHERE (gpu_sum(a), gpu_count(a), gpu_min(a), gpu_max(a), gpu_argmin(a), gpu_argmax(b), gpu_sum(b),
		gpu_stddev(b), gpu_bool_or(k), gpu_bit_xor(b))
	IS DISTINCT FROM (gpu_sum(a || '{}'), gpu_count(a || '{}'), gpu_min(a || '{}'), gpu_max(a || '{}'),
		gpu_argmin(a || '{}'), gpu_argmax(b || '{}'), gpu_sum(b || '{}'), gpu_stddev(b || '{}'),
		gpu_bool_or(k || '{}'), gpu_bit_xor(b || '{}'));
SELECT name, 'scan' AS differs FROM stored
WHERE (gpu_cumsum(a), gpu_cumsum(b, true), gpu_cummax(a, chunk => 1000), gpu_cumcount(b, heads => k),
		gpu_cumbool_or(k))
	IS DISTINCT FROM (gpu_cumsum(a || '{}'), gpu_cumsum(b || '{}', true),
		gpu_cummax(a || '{}', chunk => 1000), gpu_cumcount(b || '{}', heads => k || '{}'),
		gpu_cumbool_or(k || '{}'));
SELECT name, 'histogram' AS differs FROM stored
WHERE (gpu_histogram(a, 0, 1200, 50), gpu_histogram(b, gpu_filter(a, '<', -1) || '{1, 10, 100, 1000}'))
	IS DISTINCT FROM (gpu_histogram(a || '{}', 0, 1200, 50), gpu_histogram(b || '{}', '{1, 10, 100, 1000}'));
SELECT name, 'compaction' AS differs FROM stored
WHERE (gpu_filter(a, '>', 600), gpu_filter(b, '=', 7::bigint), gpu_compact(a, k), gpu_where(k))
	IS DISTINCT FROM (gpu_filter(a || '{}', '>', 600), gpu_filter(b || '{}', '=', 7::bigint),
		gpu_compact(a || '{}', k || '{}'), gpu_where(k || '{}'));
SELECT s.name, 'compressed' AS differs FROM stored AS s JOIN compressed AS c USING (name)
WHERE (gpu_sum(s.a), gpu_cumsum(s.b), gpu_compact(s.b, s.k))
	IS DISTINCT FROM (gpu_sum(c.a), gpu_cumsum(c.b), gpu_compact(c.b, c.k));

-- and some of it beside built-in SQL
SELECT name, gpu_count(a) = (SELECT count(v) FROM unnest(a) AS v) AS count,
	gpu_sum(b) IS NOT DISTINCT FROM (SELECT sum(v) FROM unnest(b) AS v) AS sum,
	gpu_filter(a, '>=', 1250) = ARRAY(SELECT v FROM unnest(a) AS v WHERE v >= 1250) AS filter
FROM stored ORDER BY n, name;
SELECT array_dims(gpu_cumsum(a)), (gpu_cumsum(a))[-2][5], gpu_argmin(b) FROM stored WHERE name = 'dimensions';

-- Edges and keep of wrong lengths; errors while an array is read in parts
SELECT error_of('SELECT gpu_histogram(b, a) FROM stored WHERE name = ''some''');
SELECT error_of('SELECT gpu_compact(a, ''{t}'') FROM stored WHERE name = ''some''');
SELECT error_of('SELECT gpu_cumsum(array_fill(9223372036854775807, ARRAY[2]) || b::bigint[])
				 FROM stored WHERE name = ''some''');
CREATE TABLE large (a bigint[]);
ALTER TABLE large ALTER a SET STORAGE EXTERNAL;
INSERT INTO large SELECT array_agg(CASE i WHEN 99999 THEN 9223372036854775807 ELSE i END ORDER BY i)
FROM generate_series(1, 120000) AS i;
SELECT error_of('SELECT gpu_cumsum(a) FROM large');

-- A deleted value can still be read by a holder of its pointer.
BEGIN;
DECLARE c CURSOR FOR SELECT gpu_sum(a), gpu_count(a) FROM large;
DELETE FROM large;
FETCH c;
COMMIT;

-- A result of several huge pages
SELECT gpu_sum(gpu_cumcount(gpu_cumsum(a))) FROM stored WHERE name = 'some';
SELECT count(*), sum(v) FROM unnest(gpu_cumsum(array_fill(1, ARRAY[1500000]))) AS v;
SELECT gpu_count(f), gpu_sum(f) FROM gpu_filter(gpu_cumsum(array_fill(1, ARRAY[1500000])), '>', 2::bigint) AS f;

DROP TABLE stored, compressed, large;
DROP FUNCTION numbers;
