-- Arrays whose sizes lie around the places where an implementation may cut
-- them: what a word of a bitmap, a block, a tile or a chunk holds.
SET extra_float_digits = 1;

CREATE TABLE sizes (n integer);
INSERT INTO sizes
SELECT p + d FROM unnest('{8, 32, 64, 128, 256, 512, 1024, 2048, 3072, 4096, 8192,
	16384, 32768, 65536}'::integer[]) AS p, unnest('{-1, 0, 1}'::integer[]) AS d;
INSERT INTO sizes VALUES (1), (2), (3), (1000), (10000), (50000), (100000);

-- "numbers" has no NULL, "holes" has many and a long stretch of them.
CREATE TABLE numbers AS
SELECT 1 AS sample, i, noise(i) % 2001 - 1000 AS k, noise(-i) % 500 = 0 AS head,
	count(*) FILTER (WHERE noise(-i) % 500 = 0) OVER (ORDER BY i) AS run
FROM generate_series(1, 100000) AS i;
CREATE TABLE holes AS
SELECT sample, i,
	CASE WHEN noise(i + 200000) % 4 > 0 AND i NOT BETWEEN 9000 AND 17000
		THEN k END AS k, head, run
FROM numbers;

-- The sizes at which a scan, or the reduction that its last element is,
-- differs.
CREATE FUNCTION compare_sizes(scan text, type text, source text,
							  exclusive boolean, partition text, options text)
RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	answer text;
BEGIN
	EXECUTE format('
		SELECT coalesce(string_agg(n::text, '', '' ORDER BY n) FILTER (
							WHERE r IS DISTINCT FROM e OR s IS DISTINCT FROM l),
						count(*) || '' equal'')
		FROM (SELECT n, %1$s(%2$s) AS r, e[1:n]::%3$s AS e,
				%4$s AS s, %5$s AS l
			  FROM (%6$s) AS arrays, sizes OFFSET 0) AS compared',
		scan, concat_ws(', ', 'a[1:n]', exclusive::text, nullif(options, '')),
		CASE scan WHEN 'gpu_cumsum' THEN
			CASE type WHEN 'real' THEN 'real[]'
			WHEN 'double precision' THEN 'double precision[]' ELSE 'bigint[]' END
		WHEN 'gpu_cumcount' THEN 'bigint[]' ELSE type || '[]' END,
		CASE WHEN exclusive OR partition <> '' THEN '0' ELSE
			(SELECT reduction || '(a[1:n])' FROM scans
			 WHERE scans.scan = compare_sizes.scan) END,
		CASE WHEN exclusive OR partition <> '' THEN '0' ELSE 'e[n]' END,
		expected_scan(scan, type, source, exclusive, partition))
	INTO answer;
	RETURN answer;
END
$$;

SELECT scan, type, compare_sizes(scan, type, 'numbers', false, '', '') AS plain,
	compare_sizes(scan, type, 'holes', false, '', '') AS holes
FROM scans JOIN types ON family = ANY (families)
ORDER BY scans.ord, types.ord;
SELECT scan, type,
	compare_sizes(scan, type, 'numbers', true, 'run', 'NULL, heads[1:n]') AS heads,
	compare_sizes(scan, type, 'holes', false, '(i - 1) / 3000', '3000') AS chunk
FROM scans JOIN types ON family = ANY (families)
ORDER BY scans.ord, types.ord;
