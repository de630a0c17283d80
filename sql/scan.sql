-- Scans against window aggregates: every scan, every type it takes, every
-- option.
SET extra_float_digits = 1;

SELECT scan, type,
	compare_scan(scan, type, false, '', '') AS plain,
	compare_scan(scan, type, false, '(i - 1) / 7', 'chunk => 7') AS chunk,
	compare_scan(scan, type, false, 'run', 'heads => heads') AS heads
FROM scans JOIN types ON family = ANY (families)
ORDER BY scans.ord, types.ord;

SELECT scan, type,
	compare_scan(scan, type, true, '', '') AS plain,
	compare_scan(scan, type, true, '(i - 1) / 7', 'chunk => 7') AS chunk,
	compare_scan(scan, type, true, 'run', 'heads => heads') AS heads
FROM scans JOIN types ON family = ANY (families)
ORDER BY scans.ord, types.ord;

-- Runs of one element, of exactly the array, of more than it has.
SELECT scan, type,
	compare_scan(scan, type, false, 'i', 'chunk => 1') AS one,
	compare_scan(scan, type, true, '(i - 1) / 200', 'chunk => 200') AS all,
	compare_scan(scan, type, true, '', 'chunk => 2147483647') AS more
FROM scans JOIN types ON family = ANY (families)
ORDER BY scans.ord, types.ord;

-- The types of the results.
SELECT type,
	pg_typeof(gpu_cumsum(s)) AS cumsum, pg_typeof(gpu_cumcount(s)) AS cumcount,
	pg_typeof(gpu_cumprod(s)) AS cumprod, pg_typeof(gpu_cummin(s)) AS cummin,
	pg_typeof(gpu_cummax(s)) AS cummax
FROM (SELECT 'smallint' AS type, '{1}'::smallint[] AS s) AS a
UNION ALL
SELECT 'integer', pg_typeof(gpu_cumsum(s)), pg_typeof(gpu_cumcount(s)),
	pg_typeof(gpu_cumprod(s)), pg_typeof(gpu_cummin(s)),
	pg_typeof(gpu_cummax(s))
FROM (SELECT '{1}'::integer[] AS s) AS a
UNION ALL
SELECT 'bigint', pg_typeof(gpu_cumsum(s)), pg_typeof(gpu_cumcount(s)),
	pg_typeof(gpu_cumprod(s)), pg_typeof(gpu_cummin(s)),
	pg_typeof(gpu_cummax(s))
FROM (SELECT '{1}'::bigint[] AS s) AS a
UNION ALL
SELECT 'real', pg_typeof(gpu_cumsum(s)), pg_typeof(gpu_cumcount(s)),
	pg_typeof(gpu_cumprod(s)), pg_typeof(gpu_cummin(s)),
	pg_typeof(gpu_cummax(s))
FROM (SELECT '{1}'::real[] AS s) AS a
UNION ALL
SELECT 'double precision', pg_typeof(gpu_cumsum(s)),
	pg_typeof(gpu_cumcount(s)), pg_typeof(gpu_cumprod(s)),
	pg_typeof(gpu_cummin(s)), pg_typeof(gpu_cummax(s))
FROM (SELECT '{1}'::double precision[] AS s) AS a;

-- Readable examples, with options by position and by name.
SELECT gpu_cumsum(ARRAY[3, 1, NULL, 4, 1]);
SELECT gpu_cumsum(ARRAY[3, 1, NULL, 4, 1], true);
SELECT gpu_cumsum(ARRAY[3, 1, NULL, 4, 1], false, 2);
SELECT gpu_cumsum(ARRAY[3, 1, NULL, 4, 1], true, 2);
SELECT gpu_cumsum(ARRAY[3, 1, NULL, 4, 1], false, NULL,
				  ARRAY[false, true, true, NULL, true]);
SELECT gpu_cumsum(arr => ARRAY[3, 1, NULL, 4, 1],
				  heads => ARRAY[false, true, true, NULL, true],
				  exclusive => true);
SELECT gpu_cumsum(chunk => 3, arr => ARRAY[0.5, 0.25, 8]::real[]);
SELECT gpu_cummin(ARRAY[NULL, 3, 1, NULL, 4], true);
SELECT gpu_cumcount(ARRAY[NULL, 3, 1, NULL, 4]);
SELECT gpu_cumcount(ARRAY[NULL, 3, 1, NULL, 4], true);
SELECT gpu_cumbit_and(ARRAY[NULL, 7, 6, NULL, 12]);
SELECT gpu_cumbit_or(ARRAY[NULL, 1, 2, NULL, 12], true);
SELECT gpu_cumbit_xor(ARRAY[NULL, 1, 3, NULL, 12]);
SELECT gpu_cumbool_and(ARRAY[NULL, true, NULL, false, true]);
SELECT gpu_cumbool_or(ARRAY[NULL, false, NULL, true, false]);
SELECT gpu_cumbool_or(ARRAY[NULL, false, NULL, true, false], true);

-- Only true starts a segment; the first element always does.
SELECT gpu_cumsum(ARRAY[1, 1, 1, 1], heads => ARRAY[NULL, NULL, false, false]);
SELECT gpu_cumsum(ARRAY[1, 1, 1, 1], heads => ARRAY[true, true, true, true]);
SELECT gpu_cumsum(ARRAY[1, 1, 1, 1], heads => NULL);
SELECT gpu_cumsum(ARRAY[1, 1, 1, 1], heads => ARRAY[[false, false], [true, false]]);
SELECT gpu_cumsum(ARRAY[1, 1, 1, 1],
				  heads => '[-3:0]={f,t,f,f}'::boolean[]);

-- Overflow of bigint: the first prefix that is out of range, wherever the sum
-- goes afterwards; an exclusive scan leaves the last element out.
SELECT error_of($$ SELECT gpu_cumsum(ARRAY[9223372036854775807, NULL, 1, -1]) $$);
SELECT error_of($$ SELECT gpu_cumsum(ARRAY[9223372036854775807, NULL, 1, -1], true) $$);
SELECT error_of($$ SELECT gpu_cumsum(ARRAY[-9223372036854775807, -1, -1]) $$);
SELECT gpu_cumsum(ARRAY[-9223372036854775807, -1, -1], true);
SELECT gpu_cumsum(ARRAY[9223372036854775807, 1], true);
SELECT gpu_cumsum(ARRAY[9223372036854775807, 1, -1], chunk => 1);
SELECT gpu_cumsum(ARRAY[9223372036854775807, 1, -1],
				  heads => ARRAY[false, true, false]);
SELECT error_of($$ SELECT gpu_cumsum(ARRAY[5, 9223372036854775807, 9223372036854775807],
				  heads => ARRAY[false, true, false]) $$);
SELECT gpu_cumsum(ARRAY[9223372036854775807, -9223372036854775807, -9223372036854775807,
				  -1, 9223372036854775807]);
-- far from the start, and twice: the first is reported
SELECT error_of($$
	SELECT gpu_cumsum(array_agg(CASE WHEN i IN (70001, 90000)
								THEN 9223372036854775807 ELSE i % 2 END))
	FROM generate_series(1, 100000) AS i $$);
