-- Arrays of sizes around those at which an implementation may cut them: the
-- elements of a bitmap word, a block, a tile or a batch.
SET extra_float_digits = 1;
SET work_mem = '64MB';

CREATE TABLE sizes (n integer);
INSERT INTO sizes
SELECT p + d FROM unnest('{8, 32, 64, 128, 256, 512, 1024, 2048, 3072, 4096, 8192}'::integer[]) AS p,
	unnest('{-1, 0, 1}'::integer[]) AS d;
INSERT INTO sizes VALUES (1), (2), (3), (10000), (16385), (20000), (32769), (33000);

-- "numbers" has no NULL, "holes" has many and a long stretch of them.
CREATE TABLE numbers AS
SELECT 1 AS sample, i, n % 2001 - 1000 AS k, n / 2001 % 500 = 0 AS head,
	n / 3000 % 3 = 0 AS keep,
	count(*) FILTER (WHERE n / 2001 % 500 = 0) OVER (ORDER BY i) AS run
FROM (SELECT i, noise(i) AS n FROM generate_series(1, 33000) AS i) AS s;
CREATE TABLE holes AS
SELECT sample, i,
	CASE WHEN (k * k + i) % 4 > 0 AND i NOT BETWEEN 9000 AND 17000
		THEN k END AS k, head, keep, run
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
	compare_sizes(scan, type, 'holes', false, 'run', 'NULL, heads[1:n]')
		AS holes_heads,
	compare_sizes(scan, type, 'holes', false, '(i - 1) / 3000', '3000') AS chunk
FROM scans JOIN types ON family = ANY (families)
ORDER BY scans.ord, types.ord;

-- The other reductions and histograms, at some of the sizes.
CREATE FUNCTION compare_at(type text, reduction text, aggregate text)
RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	answer text;
BEGIN
	EXECUTE format('
		SELECT coalesce(string_agg(n::text, '', '' ORDER BY n)
							FILTER (WHERE r::text IS DISTINCT FROM e::text),
						count(*) || '' equal'')
		FROM (SELECT n, %s AS r, (%s) AS e
			  FROM unnest(''{1025, 16385, 32769, 33000}''::integer[]) AS n,
				LATERAL (SELECT array_agg(%s ORDER BY i) AS a FROM holes
						 WHERE i <= n) AS arrays OFFSET 0) AS compared',
		reduction, aggregate,
		(SELECT t.value FROM types AS t WHERE t.type = compare_at.type))
	INTO answer;
	RETURN answer;
END
$$;
SELECT type,
	compare_at(type, 'gpu_avg(a)',
			   'SELECT avg(v' || CASE family WHEN 'float' THEN '::float8' ELSE '' END
			   || ') FROM unnest(a) AS v') AS avg,
	compare_at(type, 'gpu_argmin(a)', 'array_position(a, gpu_min(a))') AS argmin,
	compare_at(type, 'gpu_argmax(a)', 'array_position(a, gpu_max(a))') AS argmax,
	compare_at(type, 'gpu_histogram(a, gpu_min(a), gpu_max(a), 9)',
			   'SELECT array_agg(c ORDER BY b)
				FROM (SELECT b, count(*) AS c
					  FROM (SELECT width_bucket(v::float8, low, high, 9) AS b
							FROM unnest(a) AS v,
								(SELECT gpu_min(a) AS low, gpu_max(a) AS high
								 OFFSET 0) AS bounds) AS buckets
					  WHERE b BETWEEN 1 AND 9 GROUP BY b) AS counts') AS histogram
FROM types WHERE family <> 'boolean' ORDER BY ord;
SELECT type,
	compare_at(type, 'gpu_bit_xor(a)', 'SELECT xor_of(v) FROM unnest(a) AS v')
		AS bit_xor,
	compare_at(type, 'gpu_var_pop(a)', 'SELECT var_pop(v) FROM unnest(a) AS v')
		AS var_pop,
	compare_at(type, 'gpu_stddev(a)', 'SELECT stddev(v) FROM unnest(a) AS v')
		AS stddev
FROM types WHERE family = 'integer' ORDER BY ord;
SELECT type,
	compare_at(type, 'gpu_var_samp(a)',
		'SELECT ((count(v) * sum(v * v) - sum(v) * sum(v))::numeric(1000, 60)
				 / (count(v) * (count(v) - 1)))::float8
		 FROM unnest(a::float8[]::numeric[]) AS v') AS var_samp
FROM types WHERE family = 'float' ORDER BY ord;

-- Compaction: the result of a prefix is a prefix of the result.
CREATE FUNCTION compare_compaction_sizes(type text, source text, call text,
										 condition text, kept text)
RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	answer text;
BEGIN
	EXECUTE format('
		SELECT coalesce(string_agg(n::text, '', '' ORDER BY n)
							FILTER (WHERE r IS DISTINCT FROM e),
						count(*) || '' equal'')
		FROM (SELECT n, %s AS r, e[1:kept[n]] AS e
			  FROM (SELECT array_agg(v) AS a, array_agg(keep) AS keep,
						array_agg(%s) FILTER (WHERE kept) AS e,
						array_agg(n) AS kept
					FROM (SELECT *, count(*) FILTER (WHERE kept)
								OVER (ORDER BY i ROWS UNBOUNDED PRECEDING) AS n
						  FROM (SELECT *, %s AS kept
								FROM (SELECT i, keep, (%s)::%s AS v FROM %s) AS data)
							AS chosen) AS counted) AS arrays, sizes
			  OFFSET 0) AS compared',
		call, kept, condition,
		(SELECT t.value FROM types AS t
		 WHERE t.type = compare_compaction_sizes.type), type, source)
	INTO answer;
	RETURN answer;
END
$$;
SELECT type,
	compare_compaction_sizes(type, 'numbers', 'gpu_compact(a[1:n], keep[1:n])',
							 'keep', 'v') AS compact,
	compare_compaction_sizes(type, 'holes', 'gpu_compact(a[1:n], keep[1:n])',
							 'keep', 'v') AS compact_holes,
	compare_compaction_sizes(type, 'numbers', 'gpu_filter(a[1:n], ''<'', 3)',
							 'v < 3', 'v') AS filter,
	compare_compaction_sizes(type, 'holes', 'gpu_filter(a[1:n], ''>'', 2.5)',
							 'v > 2.5', 'v') AS filter_holes
FROM types WHERE family <> 'boolean' ORDER BY ord;
SELECT compare_compaction_sizes('boolean', 'numbers', 'gpu_where(a[1:n])', 'v', 'i')
	AS where,
	compare_compaction_sizes('boolean', 'holes', 'gpu_where(a[1:n])', 'v', 'i')
	AS where_holes;

-- Masks with NULLs, at all the sizes.
SELECT count(*) AS sizes, count(*) FILTER (
	WHERE gpu_cumcount(a[1:n], heads => heads[1:n]) IS DISTINCT FROM e[1:n])
	AS different
FROM (SELECT array_agg(i) AS a, array_agg(head) AS heads, array_agg(e) AS e
	  FROM (SELECT i, head, count(*) OVER (PARTITION BY run ORDER BY i) AS e
			FROM (SELECT i, head, count(*) FILTER (WHERE head) OVER (ORDER BY i) AS run
				  FROM (SELECT i, CASE WHEN k % 3 <> 0 THEN k % 50 = 0 END AS head
						FROM numbers) AS h) AS r) AS s) AS arrays, sizes;

-- The first result out of range at these positions: it is reported with its
-- position, in an exclusive scan with the next one, if there is one.
SELECT call, type, count(*) AS sizes,
	string_agg(n::text, ', ' ORDER BY n) FILTER (
		WHERE inclusive NOT LIKE '22003: %at element ' || n || ' is out of range.'
		OR exclusive NOT LIKE '22003: %at element ' || n + 1 || ' is out of range.'
		OR last <> 'no error') AS wrong
FROM (VALUES ('gpu_cumsum', '9223372036854775807', '0', 'bigint'),
		('gpu_cumsum', '3e38', '0', 'real'),
		('gpu_cumsum', '1e308', '-1', 'double precision'),
		('gpu_cumprod', '1e308', '1', 'double precision'))
		AS c (call, big, small, type),
	sizes,
	format('%1$L::%2$s || array_fill(%3$L::%2$s, ARRAY[%4$s]) || %1$L::%2$s',
		   big, type, small, n - 2) AS a,
	error_of(format('SELECT %s(%s || %L::%s)', call, a, small, type)) AS inclusive,
	error_of(format('SELECT %s(%s || %L::%s, true)', call, a, small, type))
		AS exclusive,
	error_of(format('SELECT %s(%s, true)', call, a)) AS last
WHERE n BETWEEN 31 AND 33000
GROUP BY call, type ORDER BY call, type;

-- A million elements and more: the prefix sums by their sum, in which each
-- element counts as often as it has prefixes after it.
SELECT gpu_sum(a) = s AS sum, gpu_count(a) = n AS count,
	gpu_sum(gpu_cumsum(a)) = weighted AS cumsum,
	gpu_sum(gpu_cumsum(d)) = weighted AS double_cumsum,
	gpu_argmax(gpu_cummax(d)) = array_position(d, 999::double precision) AS cummax,
	gpu_sum(gpu_filter(d, '>=', 500)) = filtered AS filter,
	cardinality(gpu_where(h)) = heads AS where,
	gpu_max(gpu_cumcount(a, heads => h)) = 1009 AS heads
FROM (SELECT array_agg(v) AS a, array_agg(v::double precision) AS d,
		array_agg(i % 1009 = 0) AS h, sum(v) AS s, count(v) AS n,
		sum(v::bigint * (1100001 - i)) AS weighted,
		sum(v) FILTER (WHERE v >= 500) AS filtered,
		count(*) FILTER (WHERE i % 1009 = 0) AS heads
	  FROM (SELECT i, (i::bigint * i * 31 % 1000)::integer AS v
			FROM generate_series(1, 1100000) AS i) AS s OFFSET 0) AS arrays;

DROP FUNCTION compare_sizes;
DROP FUNCTION compare_at;
DROP FUNCTION compare_compaction_sizes;
DROP TABLE sizes, numbers, holes;
