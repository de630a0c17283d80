-- Reports over tables: ORDER BY an aggregate or a key ... LIMIT, where of very many groups
-- few are fetched, against the ordinary plans.
SET gpuscan.engine = gpu;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
SET jit = off;

CREATE TABLE hit AS
SELECT md5((i * 7919::bigint % 6007)::text) AS url, (i * 31 % 6007)::integer AS page, i % 997 * 0.25 AS weight,
	(i * 104729::bigint % 5003 / 7 * 1.25)::double precision AS seconds, ('2025-01-01'::timestamp + i % 6007 % 4999 * interval '1 minute') AS seen,
	(i % 30011)::integer AS n, NULLIF(i % 4001, 0)::bigint AS size
FROM generate_series(1, 50000) AS i;
VACUUM ANALYZE hit;
SELECT count(*), gpu_count(n) FROM hit;
SET gpuscan.engine = auto;

-- How many groups come of the service's last stage, and how many were fetched, if not all.
CREATE FUNCTION fetched(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	found text := '';
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
		found := found || coalesce((regexp_match(line, 'Groups(?: Fetched)?: \d+'))[1] || '  ', '');
	END LOOP;
	RETURN trim(found);
END
$$;

-- Where groups are equal, more of the order tells them apart, or all of them may come.
SELECT query, fetched(query), answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest(ARRAY[
	'SELECT page, count(*), sum(n) FROM hit GROUP BY page ORDER BY 3 DESC, page LIMIT 10',
	'SELECT url, count(*), avg(n) FROM hit GROUP BY url ORDER BY avg(n), url LIMIT 7',
	'SELECT url, sum(weight) FROM hit GROUP BY url ORDER BY 2 DESC, 1 LIMIT 5 OFFSET 3',
	'SELECT url, gpu_sum(seconds) FROM hit GROUP BY url ORDER BY 2 DESC, 1 LIMIT 5',
	'SELECT url, stddev(n), min(seen) FROM hit GROUP BY url ORDER BY 2 DESC, 1 LIMIT 5',
	'SELECT url, max(seen) FROM hit GROUP BY url ORDER BY max(seen) DESC, url LIMIT 4',
	'SELECT page, sum(size) FROM hit WHERE n < 5000 GROUP BY page ORDER BY 2 DESC, 1 LIMIT 4',
	'SELECT page, sum(size) FROM hit WHERE n < 5000 GROUP BY page ORDER BY 2 NULLS FIRST, 1 LIMIT 4',
	'SELECT page, sum(size) FROM hit WHERE n < 5000 GROUP BY page ORDER BY 2 DESC NULLS LAST, 1 LIMIT 4',
	'SELECT page, gpu_median(seconds), percentile_disc(0.9) WITHIN GROUP (ORDER BY n) FROM hit GROUP BY page ORDER BY 2 DESC, 3 LIMIT 4',
	'SELECT page, count(DISTINCT n) FILTER (WHERE seconds > 600) FROM hit GROUP BY page ORDER BY 2 DESC, page LIMIT 6',
	'SELECT page, max(n) FROM hit GROUP BY page ORDER BY 2 DESC LIMIT 6',
	'SELECT * FROM (SELECT page, max(seconds) FROM hit GROUP BY page ORDER BY 2 DESC FETCH FIRST 6 ROWS WITH TIES) AS q',
	'SELECT page + 1, sum(n) * 2, max(n) FROM hit GROUP BY page ORDER BY max(n) LIMIT 6',
	'SELECT url FROM hit GROUP BY url ORDER BY sum(n) DESC, url LIMIT 3',
	'SELECT page, sum(n) FROM hit GROUP BY page ORDER BY page DESC LIMIT 3',
	'SELECT page, sum(n) FROM hit GROUP BY page ORDER BY page LIMIT 3 OFFSET 5',
	'SELECT url, count(*) FROM hit GROUP BY url ORDER BY url COLLATE "C" DESC LIMIT 3',
	'SELECT url, avg(n) FROM hit GROUP BY url ORDER BY url LIMIT 3',
	'SELECT url, seconds, count(*) FROM hit GROUP BY url, seconds ORDER BY seconds DESC, url LIMIT 5',
	'SELECT weight, n % 100, count(*) FROM hit GROUP BY 1, 2 ORDER BY 1 DESC, 2 LIMIT 5',
	'SELECT NULLIF(page, 77), max(seen) FROM hit GROUP BY 1 ORDER BY 1 DESC LIMIT 3',
	'SELECT DISTINCT url FROM hit ORDER BY url DESC LIMIT 4',
	'SELECT DISTINCT seen, page % 2 FROM hit ORDER BY seen DESC, 2 LIMIT 4']) AS query;

-- Equal ones without more of an order: any of them, but so many.
SELECT fetched('SELECT url, count(*) FROM hit GROUP BY url ORDER BY count(*) DESC LIMIT 10'),
	(SELECT array_agg(n) FROM (SELECT count(*) AS n FROM hit GROUP BY url ORDER BY 1 DESC LIMIT 10) AS first);

-- All come: there are few of them or too many equal ones, something comes
-- between them and the order, or that is neither an aggregate's nor a key's.
SELECT query, fetched(query), answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest(ARRAY[
	'SELECT page % 100, sum(n) FROM hit GROUP BY 1 ORDER BY 2 DESC LIMIT 3',
	'SELECT page, sum(n) FROM hit GROUP BY page ORDER BY 2 DESC, 1 LIMIT 3000',
	'SELECT n, count(*) FROM hit GROUP BY n ORDER BY 2 DESC, n LIMIT 5',
	'SELECT page, sum(n) FROM hit GROUP BY page HAVING sum(n) > 90000 ORDER BY 2 DESC, 1 LIMIT 3',
	'SELECT DISTINCT sum(n) % 1000 FROM hit GROUP BY page ORDER BY 1 DESC LIMIT 3',
	'SELECT page, sum(n), rank() OVER (ORDER BY sum(n)) FROM hit GROUP BY page ORDER BY 2 DESC, 1 LIMIT 3',
	'SELECT page, sum(n) FROM hit GROUP BY page ORDER BY sum(n) % 1000, page LIMIT 3',
	'SELECT page, sum(n) FROM hit GROUP BY page ORDER BY page % 7, page LIMIT 3']) AS query;

-- HAVING of few of very many groups: the others do not come.
SELECT query, fetched(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY[
	'SELECT page, sum(n), count(*) FROM hit GROUP BY page HAVING sum(n) > 90000 ORDER BY 1',
	'SELECT url FROM hit GROUP BY url HAVING count(*) > 8 AND max(seconds) < 600 ORDER BY 1',
	'SELECT page, sum(weight) FROM hit GROUP BY page HAVING sum(weight) < 900.125 AND min(n) IS NOT NULL ORDER BY 1',
	'SELECT page, sum(size) FROM hit WHERE n < 5000 GROUP BY page HAVING sum(size) IS NULL ORDER BY 1',
	'SELECT page, gpu_sum(seconds) FROM hit GROUP BY page HAVING gpu_sum(seconds) > 6000 AND gpu_avg(seconds) < 800 ORDER BY 1',
	'SELECT page, sum(n) FROM hit GROUP BY page HAVING avg(n) > 29000 ORDER BY 1',
	'SELECT page, sum(n) FROM hit GROUP BY page HAVING page % 1000 = count(*) ORDER BY 1',
	'SELECT page, sum(n) FROM hit GROUP BY page HAVING sum(n)::text LIKE ''999%'' ORDER BY 1']) AS query;

SELECT query, answer(query, 'exact') AS error, answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT page, sum(n) FROM hit GROUP BY page HAVING sum(n) > (SELECT 1 / (count(*) - 50000) FROM hit) ORDER BY 1',
	'SELECT page, sum(n) FROM hit GROUP BY page HAVING 100 / (count(*) - 9) > 300 ORDER BY 1']) AS query;

-- With a subquery; and a subquery beside an error. Both are of this HAVING alone.
SELECT query, left(answer(query, 'exact'), 40) AS answer, answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT page, sum(size) FROM hit WHERE n < 5000 GROUP BY page HAVING sum(size) > (SELECT 1.0001 * avg(size) FROM hit) ORDER BY 1',
	'SELECT page, sum(n) FROM hit GROUP BY page HAVING 100 / (count(*) - 9) > 30 AND sum(n) > (SELECT max(page) FROM hit) ORDER BY 1']) AS query;
SELECT query, fetched(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT page, sum(n) FROM hit GROUP BY page HAVING sum(n) > (SELECT 3 * avg(n) FROM hit) AND sum(n) < (SELECT 4 * avg(n) FROM hit) ORDER BY 1',
	'SELECT page, sum(n) FROM hit GROUP BY page HAVING sum(n) > 130000 AND count(*) > 0 ORDER BY 1']) AS query;

-- Conditions are in the ordinary plan's order, where those that cost less come first.
SELECT query, answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT page, sum(n) FROM hit GROUP BY page HAVING 100 / (count(*) - 9) > 30 AND count(*) > 10 ORDER BY 1']) AS query;

-- Sums that do not fit 64 bits do not come as values.
SELECT query, fetched(query), answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT page, sum(n * 100000000000000) AS s FROM hit GROUP BY page HAVING sum(n * 100000000000000) > 9900000000000000000 ORDER BY 1',
	'SELECT page, sum(n * 100000000000000) AS s FROM hit GROUP BY page ORDER BY 2 DESC, 1 LIMIT 4']) AS query;

-- The number of rows is not known when it is planned.
SET plan_cache_mode = force_generic_plan;
PREPARE first (integer) AS SELECT page, sum(n) FROM hit GROUP BY page ORDER BY 2 DESC, 1 LIMIT $1;
SELECT fetched('EXECUTE first (5)');
DEALLOCATE first;
RESET plan_cache_mode;

-- A group that would not be fetched may raise an error, or have a NaN that is first
-- in descending order: all are fetched.
CREATE TABLE odd AS
SELECT i % 5000 AS g, CASE WHEN i = 77 THEN 'NaN' ELSE (i % 5000)::double precision END AS x, CASE WHEN i = 88 THEN 2147483647 ELSE i END AS n
FROM generate_series(1, 15000) AS i;
VACUUM ANALYZE odd;
SELECT query, answer(query, 'exact'), answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest(ARRAY[
	'SELECT g, percentile_disc(0) WITHIN GROUP (ORDER BY x DESC) FROM odd GROUP BY g ORDER BY 2 DESC LIMIT 3',
	'SELECT g, sum(n), sum(n + 1) FROM odd GROUP BY g ORDER BY count(*) DESC, g LIMIT 3']) AS query;
DROP TABLE odd;

DROP TABLE hit;
DROP FUNCTION fetched;
