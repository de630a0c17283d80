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

-- The other reductions and histograms, at some of the sizes.
CREATE FUNCTION compare_at(reduction text, type text, aggregate text)
RETURNS text LANGUAGE plpgsql AS
$$
DECLARE
	answer text;
BEGIN
	EXECUTE format('
		SELECT coalesce(string_agg(n::text, '', '' ORDER BY n)
							FILTER (WHERE r::text IS DISTINCT FROM e::text),
						count(*) || '' equal'')
		FROM (SELECT n, %s AS r, %s AS e
			  FROM unnest(''{1025, 32769, 65537, 100000}''::integer[]) AS n,
				LATERAL (SELECT i, %s AS v FROM holes WHERE i <= n) AS data
			  GROUP BY n) AS compared',
		replace(reduction, '(a', '(array_agg(v ORDER BY i)'), aggregate,
		(SELECT t.value FROM types AS t WHERE t.type = compare_at.type))
	INTO answer;
	RETURN answer;
END
$$;
SELECT type,
	compare_at('gpu_avg(a)', type, CASE family WHEN 'float'
		THEN 'avg(v::double precision)' ELSE 'avg(v)' END) AS avg,
	compare_at('gpu_argmin(a)', type,
		'(array_agg(i ORDER BY v, i))[1]') AS argmin,
	compare_at('gpu_argmax(a)', type,
		'(array_agg(i ORDER BY v DESC NULLS LAST, i))[1]') AS argmax,
	compare_at(
		'gpu_histogram(a, -500 * 2047.625::float8, 500 * 2047.625::float8, 9)',
		type, '(SELECT ARRAY[' || string_agg(format(
			'count(*) FILTER (WHERE width_bucket(v::float8, -500 * 2047.625::float8,
			 500 * 2047.625::float8, 9) = %s)', b), ', ' ORDER BY b) || '])')
		AS histogram
FROM types, generate_series(1, 9) AS b
WHERE family <> 'boolean' GROUP BY types.ord, type, family ORDER BY types.ord;
SELECT type,
	compare_at('gpu_bit_xor(a)', type, 'xor_of(v)') AS bit_xor,
	compare_at('gpu_var_pop(a)', type, 'var_pop(v)') AS var_pop,
	compare_at('gpu_stddev(a)', type, 'stddev(v)') AS stddev
FROM types WHERE family = 'integer' ORDER BY ord;
SELECT type,
	compare_at('gpu_var_samp(a)', type,
		'((count(v) * sum(v::double precision::numeric ^ 2)
		   - sum(v::double precision::numeric) ^ 2)::numeric(1000, 60)
		  / (count(v) * (count(v) - 1)))::double precision') AS var_samp
FROM types WHERE family = 'float' ORDER BY ord;

-- Compaction: what is kept of a prefix is a prefix of what is kept.
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
			  FROM (SELECT array_agg(v ORDER BY i) AS a,
						array_agg(keep ORDER BY i) AS keep,
						array_agg(%s ORDER BY i) FILTER (WHERE kept) AS e,
						array_agg(n ORDER BY i) AS kept
					FROM (SELECT *, count(*) FILTER (WHERE kept)
								OVER (ORDER BY i) AS n
						  FROM (SELECT *, %s AS kept
								FROM (SELECT i, head OR noise(i) %% 3 = 0 AS keep,
											(%s)::%s AS v FROM %s) AS data)
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

-- Masks with NULLs, all across the sizes.
SELECT count(*) FILTER (WHERE gpu_cumcount(a[1:n], heads => heads[1:n])
	IS DISTINCT FROM e[1:n]) AS different
FROM (SELECT array_agg(i ORDER BY i) AS a, array_agg(head ORDER BY i) AS heads,
		array_agg(e ORDER BY i) AS e
	  FROM (SELECT i, head, count(*) OVER (PARTITION BY run ORDER BY i) AS e
			FROM (SELECT *, count(*) FILTER (WHERE head) OVER (ORDER BY i) AS run
				  FROM (SELECT i, CASE WHEN noise(i) % 3 > 0 THEN noise(-i) % 50 = 0
							END AS head
						FROM generate_series(1, 66000) AS i) AS h) AS r) AS s)
	AS arrays, sizes
WHERE n < 66000;

DROP FUNCTION compare_sizes;
DROP FUNCTION compare_at;
DROP FUNCTION compare_compaction_sizes;
DROP TABLE sizes, numbers, holes;
