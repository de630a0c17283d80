-- The planner's estimates for a call.

-- The plan of a query, as JSON.
CREATE FUNCTION plan(query text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
	result json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO result;
	RETURN result->0->'Plan';
END
$$;

CREATE TABLE arrays (short integer[], long integer[]);
ALTER TABLE arrays ALTER long SET STORAGE EXTERNAL;
INSERT INTO arrays SELECT ARRAY[i, 2, 3, 4, 5], array_fill(i, ARRAY[5000]) FROM generate_series(1, 100) AS i;
ANALYZE arrays;

-- Short arrays are cheap; arrays out of line count as long.
CREATE FUNCTION cost(expression text) RETURNS numeric LANGUAGE sql AS $$
	SELECT (plan('SELECT ' || expression || ' FROM arrays')->>'Total Cost')::numeric
		- (plan('SELECT 1 FROM arrays')->>'Total Cost')::numeric
$$;
SELECT cost('gpu_sum(short)') AS short, cost('gpu_sum(long)') AS long,
	cost('gpu_sum(long || 1)') AS unknown, cost('gpu_sum(ARRAY[short[1], 1])') AS two;
SELECT cost('gpu_filter(short, ''>'', 2)') < cost('gpu_filter(long, ''>'', 2)') AS filter;

-- Rows
SELECT call, (plan('SELECT * FROM ' || call)->>'Plan Rows')::integer AS rows
FROM unnest(ARRAY[
	'gpu_histogram_table(ARRAY[1, 2], 0, 10, 64)',
	'gpu_histogram_table(ARRAY[1, 2], 0, 10, buckets => 3 + 4)',
	'gpu_histogram_table(ARRAY[1, 2], 0, 10, (SELECT 5))',
	'gpu_histogram_table(ARRAY[1, 2], 0, 10, NULL)',
	'gpu_histogram_table(ARRAY[1, 2], ARRAY[1, 2, 3, 4])',
	'gpu_histogram_table(ARRAY[1, 2], (SELECT ARRAY[1.0]))',
	'gpuscan_plot(ARRAY[1, 2, 3, 4, 5, 6])',
	'gpuscan_plot((SELECT ARRAY[1]))',
	'gpu_rle(ARRAY[1, 1, NULL, NULL, 2, 1])',
	'gpu_rle(array_fill(1, ARRAY[50000]))',
	'gpu_rle((SELECT ARRAY[1]))',
	'gpu_value_counts(ARRAY[1.5, 1, 1, NULL, 1.5]::float8[])',
	'gpu_value_counts(array_fill(1, ARRAY[50000]))',
	'gpu_value_counts((SELECT ARRAY[1]))',
	'gpu_group(ARRAY[1, 2, 1, 2], ARRAY[3, 4, 5, 6])',
	'gpu_group_median(ARRAY[true, true], ARRAY[3, 4])',
	'gpu_group_sum((SELECT ARRAY[1]), ARRAY[3])',
	'arrays, gpu_value_counts(short)',
	'arrays, gpu_group_sum(short, short)',
	'arrays, gpu_rle(short)']) AS call;
SELECT count(*) FROM gpu_histogram_table(ARRAY[1, 2], 0, 10, 64);

DROP TABLE arrays;
DROP FUNCTION cost, plan;
