-- Reports of rows: window functions, first rows of each group, and of an order.
LOAD 'gpuscan';
SET gpuscan.engine = auto;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
SET seq_page_cost = 1000000;	-- small tables, too, are worth a report
SET jit = off;
SET timezone = 'UTC';
SET extra_float_digits = 1;

CREATE TABLE windowed (id int, sensor int4, owner text, day date, at timestamptz, v int4, small int2, big int8, n numeric(12, 2), f float8, r float4, b bool);
INSERT INTO windowed SELECT i, CASE WHEN i % 37 > 0 THEN i % 20 END, CASE WHEN i % 41 > 0 THEN 'owner ' || i % 30 END,
	date '2026-01-01' + i % 400, timestamptz '2026-01-01' + (i * 7919 % 5000) * interval '37 minutes', CASE WHEN i % 11 > 0 THEN (i * 7919) % 107 - 30 END,
	i % 13, (i::int8 * 7919) % 10007 * 1000000007, CASE WHEN i % 17 > 0 THEN ((i * 31) % 1000) / 100.0 END,
	CASE WHEN i % 19 > 0 THEN i % 64 * 0.25 - 4 END, i % 32 * 0.5, CASE WHEN i % 5 > 0 THEN i % 3 = 0 END
	FROM generate_series(1, 5000) AS i;
CREATE TYPE level AS ENUM ('low', 'middle', 'high');
CREATE TABLE named (id int, name text COLLATE "C", level level, day date, at timestamp);
INSERT INTO named SELECT i, (ARRAY['a', 'B', 'b', 'ab', 'A', 'Ab', '', NULL, 'a b'])[1 + i * 7 % 9], (ARRAY['low', 'high', 'middle', NULL])[1 + i % 4]::level,
	CASE i % 29 WHEN 1 THEN date '-infinity' WHEN 2 THEN date 'infinity' WHEN 3 THEN NULL ELSE date '2026-01-01' + i % 90 END,
	CASE i % 31 WHEN 1 THEN timestamp '-infinity' WHEN 2 THEN timestamp 'infinity' WHEN 3 THEN NULL ELSE timestamp '2026-01-01' + i % 500 * interval '1 hour' END
	FROM generate_series(1, 3000) AS i;
VACUUM ANALYZE windowed, named;

CREATE FUNCTION windowed(queries text[]) RETURNS TABLE (made text, same bool, query text) LANGUAGE sql AS $$
	SELECT made_by(q), answer(q, 'exact') IS NOT DISTINCT FROM answer(q, 'off'), q FROM unnest(queries) AS q
$$;

SELECT explained($$SELECT id, sum(v) OVER w, v - lag(v) OVER w AS change FROM windowed WHERE b WINDOW w AS (PARTITION BY sensor ORDER BY at DESC, id) ORDER BY sensor, at DESC, id$$);
SELECT explained($$SELECT max(streak) FROM (SELECT row_number() OVER (PARTITION BY sensor, b ORDER BY at, id) AS streak FROM windowed) AS q$$);
EXPLAIN (COSTS OFF) SELECT DISTINCT ON (sensor) sensor, at, v FROM windowed ORDER BY sensor, at DESC, id;
EXPLAIN (COSTS OFF) SELECT id, f FROM windowed WHERE v > 0 ORDER BY f DESC NULLS LAST, id LIMIT 5;
SELECT explained($$SELECT name, rank() OVER (PARTITION BY name ORDER BY level DESC) FROM named ORDER BY name, level DESC$$);

-- Ranks.
SELECT * FROM windowed(ARRAY[
	'SELECT id, row_number() OVER (ORDER BY id) FROM windowed',
	'SELECT id, row_number() OVER (PARTITION BY sensor ORDER BY v DESC, id) FROM windowed WHERE v > 3',
	'SELECT id, rank() OVER (PARTITION BY sensor ORDER BY v), dense_rank() OVER (PARTITION BY sensor ORDER BY v), percent_rank() OVER (PARTITION BY sensor ORDER BY v), cume_dist() OVER (PARTITION BY sensor ORDER BY v) FROM windowed',
	'SELECT id, rank() OVER (ORDER BY f DESC), rank() OVER (ORDER BY f NULLS FIRST), rank() OVER (ORDER BY n DESC NULLS LAST) FROM windowed',
	'SELECT id, rank() OVER (ORDER BY b, day), dense_rank() OVER (ORDER BY at) FROM windowed',
	'SELECT id, rank() OVER (), dense_rank() OVER (PARTITION BY sensor), percent_rank() OVER (PARTITION BY id) FROM windowed',
	'SELECT id, ntile(7) OVER (PARTITION BY sensor ORDER BY id), ntile(1000) OVER (PARTITION BY owner ORDER BY id) FROM windowed',
	'SELECT id, rank() OVER (PARTITION BY b ORDER BY owner), rank() OVER (ORDER BY owner DESC) FROM windowed',
	'SELECT id, owner, rank() OVER (PARTITION BY owner, day ORDER BY v) FROM windowed',
	'SELECT id, rank() OVER (PARTITION BY date_trunc(''month'', day) ORDER BY v % 10), upper(owner) FROM windowed']);

-- Other rows.
SELECT * FROM windowed(ARRAY[
	'SELECT id, lag(v) OVER w, lead(v) OVER w, v - lag(v) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY at, id)',
	'SELECT id, lag(v, 3) OVER w, lead(f, 2) OVER w, lag(n, 0) OVER w, lead(v, -2) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id)',
	'SELECT id, lag(v, 1, -1) OVER w, lead(f, 2, 0.5) OVER w, lag(day, 1, date ''2000-01-01'') OVER w, lead(b, 1, true) OVER w, lag(v, 1, NULL) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id)',
	'SELECT id, lag(owner) OVER w, first_value(owner) OVER w, at - lag(at) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY at, id)',
	'SELECT id, first_value(v) OVER w, last_value(v) OVER w, nth_value(v, 2) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id ROWS BETWEEN 3 PRECEDING AND 2 FOLLOWING)',
	'SELECT id, first_value(n) OVER w, last_value(f) OVER w, nth_value(small, 5) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)',
	'SELECT id, last_value(id) OVER (ORDER BY day, id ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING), first_value(r) OVER (ORDER BY id ROWS BETWEEN 5 FOLLOWING AND UNBOUNDED FOLLOWING) FROM windowed']);

-- Values that may look different, of the same row and of others: no type tells their display scale.
SELECT * FROM windowed(ARRAY[
	'SELECT id, coalesce(n, 0), coalesce(n, 1.234) * 2 FROM windowed ORDER BY id LIMIT 30',
	'SELECT id, n FROM windowed ORDER BY coalesce(n, 0), id LIMIT 30',
	'SELECT DISTINCT ON (sensor) sensor, CASE WHEN n > 5 THEN n ELSE 0 END FROM windowed ORDER BY sensor, id DESC',
	'SELECT id, lag(coalesce(n, 0)) OVER w, first_value(coalesce(n, 0)) OVER w, count(coalesce(n, 0)) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id)',
	'SELECT id, coalesce(n, total, 0) FROM windowed LEFT JOIN (SELECT sensor, sum(n) AS total FROM windowed WHERE id % 9 = 0 GROUP BY sensor) AS q USING (sensor) ORDER BY id LIMIT 700']);

-- Aggregates.
SELECT * FROM windowed(ARRAY[
	'SELECT id, count(*) OVER w, count(v) OVER w, sum(v) OVER w, min(v) OVER w, max(v) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY day)',
	'SELECT id, sum(small) OVER w, sum(big) OVER w, sum(n) OVER w, max(n) OVER w, min(at) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id)',
	'SELECT id, sum(v) OVER (), count(*) OVER (PARTITION BY owner), v * 100.0 / sum(v) OVER (PARTITION BY sensor) FROM windowed WHERE v > 0',
	'SELECT id, sum(v) OVER w, min(v) OVER w, count(*) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id ROWS BETWEEN 5 PRECEDING AND 3 FOLLOWING)',
	'SELECT id, sum(v) OVER w, max(f) OVER w FROM windowed WHERE f <> 0 WINDOW w AS (ORDER BY id ROWS BETWEEN 3 FOLLOWING AND 1 FOLLOWING)',
	'SELECT id, sum(v) OVER w, count(*) OVER w FROM windowed WINDOW w AS (ORDER BY day RANGE BETWEEN interval ''3 days'' PRECEDING AND interval ''1 day'' FOLLOWING)',
	'SELECT id, sum(v) OVER w, count(*) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY at DESC RANGE interval ''10 hours'' PRECEDING)',
	'SELECT id, count(*) OVER (ORDER BY day RANGE BETWEEN interval ''1 day'' FOLLOWING AND UNBOUNDED FOLLOWING), sum(id) OVER (PARTITION BY level ORDER BY at DESC NULLS FIRST RANGE BETWEEN interval ''8 hours'' FOLLOWING AND interval ''2 days'' FOLLOWING) FROM named',
	'SELECT id, count(*) OVER (ORDER BY day DESC RANGE BETWEEN UNBOUNDED PRECEDING AND interval ''3 days'' PRECEDING), sum(id) OVER (PARTITION BY name ORDER BY at RANGE interval ''0'' PRECEDING) FROM named',
	'SELECT id, sum(v) OVER w, count(*) OVER w FROM windowed WINDOW w AS (ORDER BY v DESC NULLS FIRST RANGE BETWEEN 2 PRECEDING AND 3 FOLLOWING)',
	'SELECT id, sum(v) OVER w, count(*) OVER w FROM windowed WINDOW w AS (PARTITION BY b ORDER BY day GROUPS BETWEEN 2 PRECEDING AND 1 FOLLOWING)',
	'SELECT id, sum(v) FILTER (WHERE b) OVER w, count(*) FILTER (WHERE v > 3) OVER w, min(n) FILTER (WHERE NOT b) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id)',
	'SELECT id, gpu_sum(v) OVER w, gpu_min(f) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id)',
	'SELECT id, avg(v) OVER w, avg(small) OVER w, avg(big) OVER w, avg(n) OVER w, gpu_avg(v) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY day, id)',
	'SELECT id, avg(v) OVER w, avg(n * 2) OVER w, sum(n) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id ROWS BETWEEN 2 FOLLOWING AND 4 FOLLOWING)',
	'SELECT avg(v) FILTER (WHERE b) OVER w + 1, round(avg(n) OVER w, 2), avg(n + v) OVER () FROM windowed WINDOW w AS (ORDER BY day RANGE interval ''2 days'' PRECEDING) ORDER BY id',
	'SELECT id, gpu_sum(f) OVER w, gpu_avg(f) OVER w, gpu_sum(f) OVER (ORDER BY id ROWS 99 PRECEDING), gpu_avg(f) OVER (ORDER BY id ROWS 9 PRECEDING) FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id)']);

-- gpuscan's window functions, which have frames of their own.
SELECT * FROM windowed(ARRAY[
	'SELECT id, gpu_cumsum(v) OVER w, gpu_cumcount(v) OVER w, gpu_cummin(f) OVER w, gpu_cummax(n) OVER w, gpu_cumsum(n) OVER w, gpu_cumsum(f) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id)',
	'SELECT id, gpu_moving_sum(v, 9) OVER w, gpu_moving_avg(v, 3, 2) OVER w, gpu_moving_avg(f, 99) OVER w, gpu_moving_min(n, 0, 5) OVER w, gpu_moving_max(r, 4) OVER w FROM windowed WINDOW w AS (PARTITION BY b ORDER BY at, id)',
	'SELECT max(m) FROM (SELECT gpu_moving_sum(f, 9) OVER (PARTITION BY sensor ORDER BY id) AS m FROM windowed) AS q',
	'SELECT id, gpu_moving_median(v, 9) OVER w, gpu_moving_sum(v, 9) OVER w FROM windowed WINDOW w AS (ORDER BY id)',
	'SELECT id, gpu_moving_median(f, 20, 3) OVER w, gpu_moving_percentile_cont(r, 0.9, 5) OVER w, gpu_moving_percentile_cont(big, 0.25, 11) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY at, id)',
	'SELECT id, gpu_moving_percentile_disc(v, 0.1, 6) OVER w, gpu_moving_percentile_disc(n, 0.5, 2, 2) OVER w, gpu_moving_percentile_disc(day, 1, 7) OVER w FROM windowed WINDOW w AS (PARTITION BY b ORDER BY id)',
	'SELECT id, gpu_median(v) OVER (PARTITION BY sensor ORDER BY at, id ROWS 30 PRECEDING), gpu_percentile_disc(f, 0.75) OVER (PARTITION BY sensor), gpu_median(small) FILTER (WHERE b) OVER (ORDER BY day RANGE interval ''9 days'' PRECEDING) FROM windowed',
	'SELECT id, gpu_moving_median(n, 9) OVER (ORDER BY id) FROM windowed',
	'SELECT id, gpu_moving_percentile_cont(v, NULL, 9) OVER (ORDER BY id), gpu_moving_percentile_cont(v, f, 9) OVER (ORDER BY id) FROM windowed WHERE f BETWEEN 0 AND 1',
	'SELECT id, gpu_moving_percentile_cont(v, 1.5, 9) OVER (ORDER BY id) FROM windowed',
	'SELECT id, gpu_moving_corr(f, v, 9) OVER w, gpu_moving_corr(v, big, 20, 5) OVER (ORDER BY at DESC, id), gpu_moving_corr(f, r, 100000, 3) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id)',
	'SELECT id, gpu_moving_corr(f, r, 0) OVER w, gpu_moving_corr(f, 3, 5) OVER w, gpu_moving_corr(NULL, f, 5) OVER w FROM windowed WINDOW w AS (ORDER BY id)',
	'SELECT id, gpu_moving_corr(CASE id % 1000 WHEN 3 THEN ''NaN'' WHEN 500 THEN ''Infinity'' ELSE f * 1e300 END, v, 9) OVER (ORDER BY id) FROM windowed',
	'SELECT id, gpu_moving_corr(CASE WHEN id % 100 = 3 THEN 1e-300 ELSE f * 1e300 END, v, 9) OVER (ORDER BY id) FROM windowed',
	'SELECT sensor, gpu_avg(c), count(c), max(c) FROM (SELECT sensor, gpu_moving_corr(f, v, 30) OVER (PARTITION BY sensor ORDER BY id) AS c FROM windowed) AS q WHERE c <> 0 GROUP BY sensor',
	'SELECT id, gpu_moving_corr(f, v, 1000000000) OVER (ORDER BY id) FROM windowed',
	'SELECT id, gpu_moving_corr(f, v, id) OVER (ORDER BY id) FROM windowed',
	'SELECT id, gpu_cumsum(r) OVER (ORDER BY id) FROM windowed',
	'SELECT id, gpu_moving_sum(v, id) OVER (ORDER BY id) FROM windowed',
	'SELECT id, gpu_moving_sum(v, -1) OVER (ORDER BY id) FROM windowed',
	'SELECT id, gpu_cumsum(big * 1000) OVER (ORDER BY id) FROM windowed']);

-- Variances, deviations and figures of pairs.  h has what is not finite, and distant exponents.
CREATE VIEW hostile AS SELECT *, CASE id % 150 WHEN 0 THEN 'NaN' WHEN 50 THEN 'Infinity' WHEN 51 THEN '-Infinity' WHEN 70 THEN NULL WHEN 71 THEN 1e308 WHEN 72 THEN -1e308 WHEN 80 THEN 1e-300 ELSE id * 0.1 END::float8 AS h,
	CASE id % 4 WHEN 0 THEN -0.0::float8 WHEN 1 THEN 0 WHEN 2 THEN '-0'::float8 END AS z FROM windowed;
SELECT * FROM windowed(ARRAY[
	'SELECT id, gpu_stddev(f) OVER w, gpu_variance(f) OVER w, gpu_stddev_pop(r) OVER w, gpu_var_pop(f) OVER w, gpu_stddev_samp(r) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id ROWS 9 PRECEDING)',
	'SELECT id, gpu_stddev(f) OVER w, gpu_var_samp(f) OVER w, gpu_corr(f, v) OVER w, gpu_covar_samp(v, f) OVER w FROM windowed WINDOW w AS (PARTITION BY owner ORDER BY day)',
	'SELECT id, gpu_regr_slope(f, v) OVER w, gpu_regr_intercept(f, v) OVER w, gpu_regr_r2(f, v) OVER w, gpu_covar_pop(f, big) OVER w, gpu_weighted_avg(f, small + 1) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor)',
	'SELECT id, gpu_stddev(f) OVER w, gpu_corr(f, r) OVER w FROM windowed WINDOW w AS (ORDER BY day RANGE BETWEEN interval ''3 days'' PRECEDING AND interval ''1 day'' FOLLOWING)',
	'SELECT id, gpu_variance(f) OVER w, gpu_regr_slope(v, f) OVER w FROM windowed WINDOW w AS (PARTITION BY b ORDER BY day GROUPS BETWEEN 3 PRECEDING AND 1 PRECEDING)',
	'SELECT id, gpu_stddev(f) FILTER (WHERE b) OVER w, gpu_covar_pop(f, v) FILTER (WHERE NOT b) OVER w, gpu_corr(f, v) FILTER (WHERE v > 1000) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id ROWS BETWEEN 20 PRECEDING AND 5 FOLLOWING)',
	'SELECT id, gpu_stddev(f) OVER w, gpu_var_pop(f) OVER w, gpu_corr(f, v) OVER w FROM windowed WINDOW w AS (ORDER BY id ROWS BETWEEN 3 FOLLOWING AND 1 FOLLOWING)',
	'SELECT id, gpu_stddev(f) OVER w, gpu_var_pop(f) OVER w, gpu_regr_r2(f, v) OVER w, gpu_covar_pop(f, v) OVER w FROM windowed WINDOW w AS (PARTITION BY id)',
	'SELECT id, gpu_stddev(z) OVER w, gpu_stddev(h * 0) OVER w, gpu_corr(h, f) OVER w, gpu_covar_pop(h * 1e-8, z) OVER w, gpu_regr_r2(f, z) OVER w, gpu_regr_intercept(f, h) OVER w FROM hostile WINDOW w AS (PARTITION BY sensor ORDER BY id ROWS BETWEEN 4 PRECEDING AND 2 FOLLOWING)',
	'SELECT id, gpu_stddev(h) OVER (PARTITION BY sensor ORDER BY id), gpu_regr_slope(h, id) OVER (PARTITION BY owner) FROM hostile',
	'SELECT id, gpu_variance(h) OVER (ORDER BY id) FROM hostile',
	'SELECT id, gpu_variance(h) OVER (ORDER BY id ROWS 1 PRECEDING) FROM hostile',
	'SELECT id, gpu_weighted_avg(f, z) OVER (PARTITION BY id) FROM hostile',
	'SELECT id, gpu_moving_stddev(f, 9) OVER w, gpu_moving_stddev(r, 0, 3) OVER w, gpu_moving_stddev(f, 1000000000) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id)',
	'SELECT id, gpu_moving_stddev(h, 3) OVER (PARTITION BY sensor ORDER BY id) FROM hostile',
	'SELECT sensor, gpu_avg(s), count(s), max(c), count(*) FROM (SELECT sensor, gpu_stddev(f) OVER (PARTITION BY sensor ORDER BY id ROWS 30 PRECEDING) AS s, gpu_corr(f, v) OVER (PARTITION BY owner) AS c FROM windowed) AS q WHERE s > 1 GROUP BY sensor',
	'SELECT id, (f - gpu_avg(f) OVER w) / gpu_stddev(f) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor)',
	'SELECT id, regr_count(f, v) OVER (PARTITION BY sensor ORDER BY id) FROM windowed',
	'SELECT id, stddev(f) OVER (ORDER BY id) FROM windowed',
	'SELECT id, corr(f, v) OVER (ORDER BY id) FROM windowed',
	'SELECT id, gpu_stddev(v) OVER (ORDER BY id), gpu_variance(n) OVER (ORDER BY id) FROM windowed']);
-- Built-in ones, rounded as gpuscan's are; of these that gpuscan has not, some digits.
SELECT f, made_by(q, 'all') AS made, answer(q, 'all') IS NOT DISTINCT FROM answer(replace(q, 'id, ', 'id, gpu_'), 'off') AS same
	FROM unnest('{stddev(f), stddev_pop(r), stddev_samp(f), variance(f), var_pop(f), var_samp(r), "corr(f, v)", "covar_pop(v, f)", "covar_samp(f, v)", "regr_slope(f, v)", "regr_intercept(f, v)", "regr_r2(f, v)"}'::text[]) AS f,
		LATERAL format('SELECT id, %s OVER (PARTITION BY sensor ORDER BY id ROWS 9 PRECEDING) FROM windowed', f) AS q;
SELECT f, made_by(q, 'all') AS made, answer(q, 'all') IS NOT DISTINCT FROM answer(q, 'off') AS same
	FROM unnest('{"regr_count(f, v)", "regr_avgx(f, v)", "regr_avgy(f, v)", "regr_sxx(f, v)", "regr_syy(f, v)", "regr_sxy(f, v)"}'::text[]) AS f,
		LATERAL format('SELECT id, round((%s OVER (PARTITION BY sensor ORDER BY id ROWS 9 PRECEDING))::numeric, 6) FROM windowed', f) AS q;
DROP VIEW hostile;

-- Conditions, aggregates and other windows above; views; expressions.
SELECT * FROM windowed(ARRAY[
	'SELECT * FROM (SELECT sensor, id, row_number() OVER (PARTITION BY sensor ORDER BY v DESC NULLS LAST, id) AS n FROM windowed) AS q WHERE n <= 3',
	'SELECT * FROM (SELECT sensor, id, avg(v) OVER (PARTITION BY sensor) AS a, row_number() OVER (PARTITION BY sensor ORDER BY v DESC NULLS LAST, id) AS n FROM windowed) AS q WHERE n <= 3',
	'SELECT sensor, max(a) FROM (SELECT sensor, avg(v) OVER (PARTITION BY sensor ORDER BY id ROWS 9 PRECEDING) AS a FROM windowed) AS q GROUP BY sensor',
	'SELECT count(*), sum(c) FROM (SELECT avg(v) OVER w AS a, count(*) OVER w AS c FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id)) AS q WHERE a IS NOT NULL',
	'SELECT * FROM (SELECT sensor, v, rank() OVER (PARTITION BY sensor ORDER BY v) AS n FROM windowed WHERE v IS NOT NULL) AS q WHERE n < 3',
	'SELECT count(*), sum(s), max(s) FROM (SELECT sum(v) OVER (PARTITION BY sensor ORDER BY id) AS s FROM windowed) AS q',
	'SELECT sensor, max(d), min(d), count(d) FROM (SELECT sensor, v - lag(v) OVER (PARTITION BY sensor ORDER BY id) AS d FROM windowed) AS q GROUP BY sensor',
	'SELECT sensor, count(*) FILTER (WHERE gap > interval ''100 hours'') FROM (SELECT sensor, at - lag(at) OVER (PARTITION BY sensor ORDER BY at, id) AS gap FROM windowed) AS q GROUP BY sensor',
	'SELECT n, count(*), sum(v) FROM (SELECT v, row_number() OVER (PARTITION BY sensor ORDER BY id) AS n FROM windowed) AS q WHERE n <= 3 GROUP BY n',
	'SELECT session, count(*) FROM (SELECT sum(CASE WHEN gap THEN 1 ELSE 0 END) OVER (ORDER BY at, id) AS session FROM (SELECT id, at, at - lag(at) OVER (ORDER BY at, id) > interval ''30 minutes'' AS gap FROM windowed) AS q) AS q GROUP BY session',
	'SELECT day, s, sum(s) OVER (ORDER BY day) FROM (SELECT day, sum(v) AS s FROM windowed GROUP BY day) AS q',
	'SELECT DISTINCT rank() OVER (ORDER BY v) FROM windowed',
	'SELECT max(m) FROM (SELECT max(v) OVER (PARTITION BY sensor ORDER BY id ROWS 4 PRECEDING) AS m FROM windowed WHERE b) AS q',
	'SELECT id, v FROM (SELECT id, v, avg(v) OVER () AS a FROM windowed) AS q WHERE v > a',
	'SELECT id, sum(v) OVER (ORDER BY id) FROM windowed ORDER BY id DESC LIMIT 10',
	'SELECT id, row_number() OVER (ORDER BY id DESC) FROM windowed ORDER BY id DESC OFFSET 7 LIMIT 5']);

-- First rows.
SELECT * FROM windowed(ARRAY[
	'SELECT DISTINCT ON (sensor) sensor, at, v FROM windowed ORDER BY sensor, at DESC, id',
	'SELECT DISTINCT ON (sensor, b) id, sensor, owner, n FROM windowed WHERE v > 0 ORDER BY sensor DESC, b NULLS FIRST, f, id',
	'SELECT DISTINCT ON (owner) owner, id FROM windowed ORDER BY owner, id DESC',
	'SELECT count(*), sum(v) FROM (SELECT DISTINCT ON (sensor) sensor, v FROM windowed ORDER BY sensor, id) AS q',
	'SELECT id, f FROM windowed ORDER BY f DESC NULLS LAST, id LIMIT 7',
	'SELECT id, n, owner FROM windowed WHERE b AND v > 10 ORDER BY n, id LIMIT 5 OFFSET 3',
	'SELECT id, v, 1 AS one, v * 2 FROM windowed ORDER BY v NULLS FIRST, big, id LIMIT 20',
	'SELECT id FROM windowed ORDER BY id LIMIT 0',
	'SELECT id FROM windowed WHERE v > 1000 ORDER BY id LIMIT 5',
	'SELECT id, owner FROM windowed ORDER BY owner, id LIMIT 4',
	'SELECT id, owner FROM windowed ORDER BY owner DESC, id LIMIT 400 OFFSET 50',
	'SELECT id, min(name) OVER w, max(name) OVER w, max(level) OVER w FROM named WINDOW w AS (PARTITION BY level ORDER BY at, id ROWS 10 PRECEDING)',
	'SELECT id, max(name) FILTER (WHERE id % 3 = 0) OVER (PARTITION BY level ORDER BY id DESC ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING), min(level) OVER (PARTITION BY name) FROM named',
	'SELECT m, count(*), min(id) FROM (SELECT id, max(name) OVER (PARTITION BY level ORDER BY id ROWS 3 PRECEDING) AS m FROM named) AS q GROUP BY m ORDER BY m',
	'SELECT id, m FROM (SELECT id, min(name) OVER (ORDER BY id ROWS 5 PRECEDING) AS m FROM named) AS q WHERE m < ''a'' OR m IS NULL',
	'SELECT id, m, upper(m) FROM (SELECT id, min(name) OVER (ORDER BY id ROWS 5 PRECEDING) AS m FROM named) AS q WHERE m = ''A'' OR m IN (''Ab'', ''nobody'')',
	'SELECT id, min(upper(owner)) OVER (PARTITION BY sensor ORDER BY id ROWS 7 PRECEDING) FROM windowed',
	'SELECT id, name FROM named ORDER BY name, id LIMIT 9',
	'SELECT id, name FROM named ORDER BY upper(name) COLLATE "C" DESC NULLS LAST, id LIMIT 9',
	'SELECT DISTINCT ON (name) name, id FROM named ORDER BY name DESC NULLS LAST, id DESC',
	'SELECT name, id, sum(id) OVER (PARTITION BY name ORDER BY id) FROM named ORDER BY name, id',
	'SELECT name, id, rank() OVER (PARTITION BY level ORDER BY name DESC, id) FROM named ORDER BY level, name DESC, id',
	'SELECT DISTINCT ON (sensor) sensor, id FROM windowed WHERE sensor = 5 ORDER BY sensor, id DESC']);
SELECT same FROM windowed(ARRAY['SELECT DISTINCT ON (sensor) sensor FROM windowed WHERE sensor = 5']);	-- since 16 any row

-- By collations that are not that of bytes, where there are any; those that are not deterministic are the ordinary plan's.
SELECT name, r.*
FROM pg_collation, quote_ident(collname) AS name, windowed(ARRAY[
	format('SELECT id, name FROM named ORDER BY name COLLATE %s DESC, id LIMIT 9', name),
	format('SELECT DISTINCT ON (name COLLATE %1$s) name, id FROM named ORDER BY name COLLATE %1$s NULLS FIRST, id DESC', name),
	format('SELECT name, id, sum(id) OVER (PARTITION BY name COLLATE %1$s ORDER BY id), count(*) OVER (PARTITION BY name ORDER BY id) FROM named ORDER BY name COLLATE %1$s, id', name),
	format('SELECT id, min(name COLLATE %1$s) OVER (ORDER BY id ROWS 2 PRECEDING), max(name COLLATE %1$s) OVER (PARTITION BY level ORDER BY id) FROM named', name)]) AS r
WHERE collname IN ('C', 'en-x-icu', 'sv-x-icu', 'en_US.utf8', 'de_DE.utf8') AND NOT (r.made = 'service' AND r.same);
DO $$ BEGIN		-- where there is ICU
	CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
	IF made_by('SELECT id FROM named ORDER BY name COLLATE blind, id LIMIT 9') <> 'query' OR
		made_by('SELECT id, rank() OVER (PARTITION BY name COLLATE blind ORDER BY id) FROM named ORDER BY name COLLATE blind, id') <> 'query' THEN
		RAISE WARNING 'a collation that is not deterministic';
	END IF;
	DROP COLLATION blind;
EXCEPTION WHEN undefined_object OR feature_not_supported THEN NULL;
END $$;

SELECT * FROM windowed(ARRAY[
	'SELECT id, rank() OVER (ORDER BY v), rank() OVER (ORDER BY day), rank() OVER (ORDER BY at), rank() OVER (ORDER BY small), count(*) OVER (ORDER BY day GROUPS 1 PRECEDING) FROM windowed',
	'SELECT id, rank() OVER (ORDER BY v), rank() OVER (ORDER BY day), rank() OVER (ORDER BY at), rank() OVER (ORDER BY small), rank() OVER (ORDER BY big) FROM windowed']);

-- Addresses that are too many for ranks: they tell partitions apart, and PostgreSQL sorts them.
CREATE TABLE texts AS SELECT i AS id, inet '10.0.0.0' + i AS t FROM generate_series(1, 270000) AS i;
VACUUM ANALYZE texts;
SET gpuscan.reports = exact;
SET seq_page_cost = 1;
SET cpu_operator_cost = 1;
SELECT explained($$SELECT t, rank() OVER (PARTITION BY t ORDER BY id), rank() OVER (ORDER BY id DESC), rank() OVER (ORDER BY -id DESC) FROM texts ORDER BY t$$);
SET seq_page_cost = 1000000;
RESET cpu_operator_cost;
DROP TABLE texts;

-- The ordinary plan of a report, where nothing is left to sort by.
PREPARE one AS SELECT DISTINCT ON (sensor) sensor FROM windowed WHERE sensor = 5;
EXECUTE one;
SET gpuscan.engine = cpu;
EXECUTE one;
SET gpuscan.engine = auto;
DEALLOCATE one;

-- What the service does not compute.
SELECT * FROM windowed(ARRAY[
	'SELECT id, sum(f) OVER (ORDER BY id) FROM windowed',
	'SELECT id, string_agg(owner, '','') OVER (ORDER BY id ROWS 2 PRECEDING) FROM windowed',
	'SELECT id, sum(v) OVER (ORDER BY id ROWS 2 PRECEDING EXCLUDE CURRENT ROW) FROM windowed',
	'SELECT id, lag(v, small) OVER (ORDER BY id) FROM windowed',
	'SELECT id, sum(v) OVER (ORDER BY f RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM windowed',
	'SELECT id, sum(v) OVER (ORDER BY at RANGE BETWEEN interval ''1 month'' PRECEDING AND CURRENT ROW) FROM windowed',
	'SELECT id, count(*) OVER (ORDER BY day RANGE BETWEEN interval ''3000000 days'' PRECEDING AND CURRENT ROW) FROM named',
	'SELECT id, count(*) OVER (ORDER BY at RANGE BETWEEN CURRENT ROW AND interval ''110000000 days'' FOLLOWING) FROM named',
	'SELECT id, max(owner::char(9)) OVER (ORDER BY id) FROM windowed',
	'SELECT sensor, sum(v), sum(sum(v)) OVER (ORDER BY sensor) FROM windowed GROUP BY sensor',
	'SELECT id, ntile(0) OVER (ORDER BY id) FROM windowed',
	'SELECT id, sum(v) OVER (ORDER BY id ROWS -1 PRECEDING) FROM windowed',
	'SELECT id, sum(big * 1000) OVER (ORDER BY id) FROM windowed']);

-- Built-in sums and averages of floats, whose last digits may differ, if that is allowed.  These are exact, by any order.
SET gpuscan.reports = 'all';
SELECT explained($$SELECT id, sum(f) OVER w, avg(f) OVER w, avg(r) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id)$$);
SELECT q, answer(q, 'all') = answer(q, 'off') AS same FROM unnest(ARRAY[
	'SELECT id, sum(f) OVER w, avg(f) OVER w, avg(r) OVER w FROM windowed WINDOW w AS (PARTITION BY sensor ORDER BY id)',
	'SELECT id, sum(f) OVER w, avg(r) OVER w FROM windowed WINDOW w AS (ORDER BY id ROWS BETWEEN 5 PRECEDING AND 3 PRECEDING)',
	'SELECT id, sum(r) OVER w FROM windowed WINDOW w AS (ORDER BY id)']) AS q;
SET gpuscan.reports = exact;

-- Rows stop early, come back, and start again.
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT id, sum(v) OVER (ORDER BY id) FROM windowed ORDER BY id;
FETCH 3 FROM c;
FETCH BACKWARD 2 FROM c;
FETCH ABSOLUTE 5000 FROM c;
FETCH ABSOLUTE 2 FROM c;
CLOSE c;
COMMIT;
SET plan_cache_mode = force_generic_plan;
PREPARE moving(int, int) AS SELECT id, sum(v) OVER (ORDER BY id ROWS $1 PRECEDING) AS s, lag(v, $2) OVER (ORDER BY id) FROM windowed ORDER BY id;
CREATE FUNCTION sum_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	row record;
	all_rows int8 := 0;
BEGIN
	FOR row IN EXECUTE query LOOP
		all_rows := all_rows + coalesce(row.s, 0);
	END LOOP;
	RETURN all_rows;
END
$$;
SELECT sum_of('EXECUTE moving(2, 1)'), sum_of('EXECUTE moving(5, 2)');
SET gpuscan.reports = off;
SELECT sum_of('EXECUTE moving(2, 1)'), sum_of('EXECUTE moving(5, 2)');
RESET plan_cache_mode;
SET gpuscan.reports = exact;

-- The greatest of each group: its first rows.
SELECT * FROM windowed(ARRAY[
	'SELECT sensor, gpu_topk(v, 5), gpu_topk(v, 9, true) AS more FROM windowed GROUP BY sensor',
	'SELECT gpu_topk(n, 40, false), gpu_topk(n, 3, false) AS few FROM windowed WHERE v > 0 HAVING gpu_topk(n, 1, false) IS NOT NULL',
	'SELECT sensor, gpu_topk(day - date ''2026-01-01'', 3) FROM windowed WHERE v <> 0 GROUP BY sensor',
	'SELECT sensor, gpu_topk(v, 5), gpu_topk(v, 5, false) AS least FROM windowed GROUP BY sensor',
	'SELECT sensor, gpu_topk(v, 5), count(*) FROM windowed GROUP BY sensor',
	'SELECT sensor, gpu_topk(v, 5) FILTER (WHERE b) FROM windowed GROUP BY sensor',
	'SELECT sensor, gpu_topk(f, 5) FROM windowed GROUP BY sensor',
	'SELECT sensor, gpu_topk(v, 50) FROM windowed GROUP BY sensor'
	]);

-- Of floats, those that equal the last one come along, zeros of both signs among them, if no value is frequent.
CREATE TABLE zeros AS
SELECT id % 4 AS k, CASE WHEN id % 500 = 3 THEN 'NaN' WHEN id % 97 = 1 THEN NULL WHEN id % 250 IN (7, 21) THEN '-0' WHEN id % 250 IN (9, 18) THEN '0' ELSE id::float8 * (id % 8 - 3.5) END::float8 AS f,
	(CASE WHEN id % 2 = 0 THEN '0' WHEN id % 9 = 0 THEN '-0' ELSE (-id)::text END)::real AS often
FROM generate_series(1, 8000) AS id;
VACUUM ANALYZE zeros;
SELECT * FROM windowed(ARRAY[
	'SELECT k, gpu_topk(f, 13)::text FROM zeros WHERE f <= 0 GROUP BY k', 'SELECT k, gpu_topk(f, 11, false)::text, gpu_topk(f, 3, false)::text AS few FROM zeros WHERE f >= 0 GROUP BY k',
	'SELECT k, gpu_topk(f, 6)::text FROM zeros GROUP BY k', 'SELECT gpu_topk(f, 9)::text FROM zeros WHERE f < 0', 'SELECT k, gpu_topk(often, 5)::text FROM zeros GROUP BY k', 'SELECT gpu_topk(f * 2, 5)::text FROM zeros'
	]);
DROP TABLE zeros;

-- Few of many rows: the ordinary plan first, unless the engine is insisted on.
CREATE FUNCTION few(queries text[]) RETURNS TABLE (made text, same bool, query text) LANGUAGE plpgsql AS $$
BEGIN
	FOREACH query IN ARRAY queries LOOP
		PERFORM set_config('gpuscan.reports', 'off', true);
		EXECUTE 'CREATE TEMP TABLE ordinary AS ' || query;
		PERFORM set_config('gpuscan.reports', 'exact', true);
		EXECUTE 'CREATE TEMP TABLE report AS ' || query;
		made := made_by(query);
		same := NOT EXISTS ((TABLE ordinary EXCEPT ALL TABLE report) UNION ALL (TABLE report EXCEPT ALL TABLE ordinary)) AND
			(query !~ 'ORDER BY' OR (SELECT array_agg(o::text ORDER BY o.ctid) FROM ordinary AS o) = (SELECT array_agg(r::text ORDER BY r.ctid) FROM report AS r));
		DROP TABLE ordinary, report;
		RETURN NEXT;
	END LOOP;
END
$$;
SELECT same FROM few(ARRAY['SELECT id FROM windowed WHERE v = 70']);
SET gpuscan.engine = gpu;
EXPLAIN (COSTS OFF) SELECT id, owner FROM windowed WHERE v = 70 AND b;
EXPLAIN (COSTS OFF) SELECT id FROM windowed WHERE v = 70 AND b ORDER BY owner;
SELECT * FROM few(ARRAY[
	'SELECT id, sensor, owner, day, at, v, small, big, n, f, r, b FROM windowed WHERE v > 70',
	'SELECT owner || ''!'' AS o, v + id AS s, at::date AS d, 7 AS seven FROM windowed WHERE owner = ''owner 7'' AND day > ''2026-06-01''',
	'SELECT id FROM windowed WHERE f = 3.25 AND n IS NULL',
	'SELECT id FROM windowed WHERE v = 1000',
	'SELECT name, level, at FROM named WHERE day = ''infinity''',
	'SELECT name FROM windowed JOIN named USING (id) WHERE v = 70',
	'SELECT id FROM windowed WHERE v = 70 AND id % 50 < (SELECT count(*) FROM named WHERE name = ''b'')',
	-- PostgreSQL sorts them
	'SELECT id, owner, v FROM windowed WHERE v = 70 ORDER BY owner DESC NULLS LAST, id',
	'SELECT owner FROM windowed WHERE v = 70 AND b ORDER BY id % 7, at, id',
	'SELECT name FROM windowed JOIN named USING (id) WHERE v = 70 ORDER BY named.day, id',
	'SELECT id, owner FROM windowed WHERE v = 70 AND owner = ''owner 7'' ORDER BY owner, id + 1 DESC',
	'SELECT id, v FROM windowed WHERE v = 70 order by v',
	'SELECT id FROM windowed WHERE v = 70 ORDER BY id OFFSET 2',
	'SELECT id FROM windowed WHERE v > 50 ORDER BY id',
	-- more than one of ten; with a limit or places; not the whole query
	'SELECT id FROM windowed WHERE v > 50',
	'SELECT id FROM windowed WHERE v = 70 LIMIT 3',
	'SELECT ctid AS place, id FROM windowed WHERE v = 70',
	'SELECT 1 AS one FROM windowed WHERE v = 70',
	'SELECT id FROM windowed WHERE v = 70 FOR UPDATE',
	'SELECT id FROM windowed WHERE v = 70 UNION ALL SELECT id FROM named WHERE name = ''b''',
	'SELECT * FROM (SELECT id FROM windowed WHERE v = 70 OFFSET 0) AS q'
	]);
BEGIN;
SET LOCAL cursor_tuple_fraction = 1;
DECLARE c CURSOR FOR SELECT id FROM windowed WHERE v = 70;
FETCH 1 FROM c;
UPDATE windowed SET v = 70 WHERE CURRENT OF c;
ROLLBACK;
-- A run for one row stops at the first.
CREATE FUNCTION first_of(OUT has_row bool, OUT reports int8) LANGUAGE plpgsql AS $$
DECLARE
	first int;
BEGIN
	SELECT windowed.id INTO first FROM windowed WHERE v = 70;
	has_row := first IS NOT NULL;
	SELECT sum(s.reports) INTO reports FROM gpuscan_statements() AS s WHERE query LIKE '%windowed.id%';
END
$$;
SELECT * FROM first_of();
-- Aggregates that the service does not know, of few rows, whose order they do not depend on.
SELECT explained($$SELECT sensor, string_agg(owner, ',' ORDER BY id) FROM windowed WHERE v = 70 GROUP BY 1$$);
SELECT explained($$SELECT sensor, array_agg(DISTINCT small) FROM windowed GROUP BY 1$$);
SELECT * FROM few(ARRAY[
	'SELECT string_agg(owner, '';'' ORDER BY id DESC), count(*), sum(n), avg(v), min(owner), gpu_avg(f), array_agg(f ORDER BY id) FROM windowed WHERE v = 70',
	'SELECT v % 3 AS key, jsonb_agg(id ORDER BY id) FILTER (WHERE b) AS ids, string_agg(DISTINCT owner, '', '') AS owners, percentile_disc(0.5) WITHIN GROUP (ORDER BY day) AS days FROM windowed WHERE v > 70 GROUP BY 1 HAVING count(*) > 7',
	'SELECT owner, array_agg(n ORDER BY n, id) AS ns FROM windowed JOIN named USING (id) WHERE v > 70 AND name <> ''b'' GROUP BY owner ORDER BY owner LIMIT 7',
	'SELECT array_agg(id ORDER BY id) AS ids FROM windowed WHERE v = 1000',
	'SELECT owner, array_agg(x ORDER BY x) AS xs FROM (SELECT owner, v * 2 AS x FROM windowed WHERE v = 70) AS q GROUP BY owner',
	-- few different rows
	'SELECT sensor, array_agg(DISTINCT small ORDER BY small DESC) AS smalls, max(small) FROM windowed GROUP BY sensor',
	'SELECT string_agg(DISTINCT owner, '','') FILTER (WHERE b), bool_or(b) FROM windowed',
	'SELECT jsonb_agg(DISTINCT r::text) AS rs FROM windowed WHERE v > 10',
	-- of no few rows; of an unknown order; values that may look different; one that is computed for each row
	'SELECT owner, array_agg(id ORDER BY id) AS ids FROM windowed GROUP BY owner',
	'SELECT sensor, array_agg(DISTINCT big) AS bigs FROM windowed GROUP BY sensor',
	'SELECT sensor, array_agg(DISTINCT small) AS smalls, count(*) FROM windowed GROUP BY sensor',
	'SELECT array_agg(id) AS ids FROM windowed WHERE v = 70',
	'SELECT array_agg(id ORDER BY id) AS ids, sum(f) FROM windowed WHERE v = 70',
	'SELECT array_agg(id ORDER BY id) AS ids, min(f) FROM windowed WHERE v = 70',
	'SELECT jsonb_agg(DISTINCT -r * 0) AS zs FROM windowed',
	'SELECT n + 0 AS key, array_agg(id ORDER BY id) AS ids FROM windowed WHERE v = 70 GROUP BY 1',
	'SELECT f AS key, array_agg(id ORDER BY id) AS ids FROM windowed WHERE v = 70 GROUP BY 1',
	'SELECT array_length(array_agg(DISTINCT random()), 1) AS n FROM windowed WHERE v IS NOT NULL',
	'SELECT sensor, array_agg(id ORDER BY id) AS ids FROM windowed WHERE v = 70 GROUP BY ROLLUP (sensor)'
	]);
EXPLAIN (VERBOSE) SELECT id, gpu_stddev(v) OVER (ORDER BY id) FROM windowed \g /dev/null
EXPLAIN (VERBOSE) SELECT id, gpu_moving_median(n, 5) OVER (ORDER BY id) FROM windowed \g /dev/null
EXPLAIN (VERBOSE) SELECT id, array_agg(v) OVER (ORDER BY id) FROM windowed \g /dev/null
EXPLAIN (VERBOSE) SELECT array_agg(id) FROM windowed WHERE v = 70 \g /dev/null
EXPLAIN (VERBOSE) SELECT array_agg(id ORDER BY id) FROM windowed \g /dev/null
EXPLAIN (VERBOSE) SELECT f, array_agg(id ORDER BY id) FROM windowed WHERE v = 70 GROUP BY 1 \g /dev/null
SELECT error_of('SELECT count(DISTINCT (v, NULL)) FROM windowed');

DROP FUNCTION windowed(text[]), few(text[]), first_of(), sum_of(text);
DROP TABLE windowed, named;
DROP TYPE level;
