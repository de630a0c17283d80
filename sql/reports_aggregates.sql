-- Reports over tables: aggregates that need a group's values, or parameters,
-- against the ordinary plans.
SET gpuscan.engine = gpu;
SET gpuscan.reports = exact;
SET max_parallel_workers_per_gather = 0;
SET timezone = 'Europe/Berlin';
SET cpu_operator_cost = 100;	-- a small table is worth a report
SET jit = off;

-- Groups of 0 to 40 values, often equal ones: without NULL in k, without zeros
-- of both signs in the same group of k, with them in that of z.
CREATE TABLE measured AS
SELECT id, k, id % 5 AS z, id % 700 AS many,
	((id * 7919 % 23) - 11)::smallint AS h, (id * 7919 % 23) * 1000003 - 11000000 AS i,
	(id * 7919 % 23) * 400000000000000003 - 4400000000000000000 AS l,
	(CASE WHEN id % 17 = 0 THEN 'NaN'::real WHEN id % 29 = 0 THEN 'Infinity' WHEN id % 31 = 0 THEN '-Infinity'
		ELSE CASE id * 31 % 19 WHEN 0 THEN 0.5 ELSE (id * 31 % 19 - 9.5) / 3 END END)::real AS f,
	CASE WHEN id % 17 = 0 THEN 'NaN'::double precision WHEN id % 29 = 0 THEN 'Infinity' WHEN id % 31 = 0 THEN '-Infinity'
		WHEN id % 13 = 0 THEN 1.7e308 WHEN id % 11 = 0 THEN 5e-324 ELSE (id * 31 % 19 - 9.5) / 3 END::double precision AS g,
	CASE id % 4 WHEN 0 THEN '0' WHEN 1 THEN '-0' WHEN 2 THEN '1' END::real AS zf,
	CASE id % 4 WHEN 0 THEN '0' WHEN 1 THEN '-0' WHEN 2 THEN '-1' END::double precision AS zg,
	id % 3 = 0 AS o, date '2000-01-01' + id % 9 AS d, timestamp '2000-01-01' + (id % 9) * interval '1 hour' AS t,
	timestamptz '2000-01-01' + (id % 9) * interval '1 minute' AS tz, 'x'::text AS x
FROM (SELECT id, (sqrt(id * 2) - 1)::integer AS k FROM generate_series(0, 800) AS id) AS numbered;
UPDATE measured SET h = NULL, i = NULL, l = NULL, f = NULL, g = NULL, o = NULL, d = NULL, t = NULL, tz = NULL WHERE id % 7 = 1 OR k = 3;
UPDATE measured SET d = 'infinity', t = '-infinity' WHERE id % 37 = 0;
UPDATE measured SET i = 2147483647, l = -9223372036854775808, h = -32768 WHERE id % 41 = 0;
VACUUM FREEZE ANALYZE measured;

-- Wait for the service; then functions over arrays, as gpu_median, are local.
SELECT gpu_sum(i) FROM measured;
SET gpuscan.engine = auto;

-- Aggregates, over all types
CREATE TABLE aggregate AS
SELECT format('count(DISTINCT %s)', a) AS text FROM unnest('{h, i, l, f, g, zf, zg, o, d, t, tz}'::text[]) AS a
UNION ALL
SELECT format('min(DISTINCT %1$s), max(DISTINCT %1$s)', a) FROM unnest('{h, i, l, f, g, d, t, tz}'::text[]) AS a
UNION ALL
SELECT format('gpu_count_distinct(%1$s), gpu_mode(%1$s), gpu_median(%1$s), gpu_count(DISTINCT %1$s)', a)
FROM unnest('{h, i, l, f, g, zf, zg, d, t, tz}'::text[]) AS a
UNION ALL
SELECT format('gpu_min(%1$s), gpu_max(%1$s), gpu_count(%1$s)', a) FROM unnest('{d, t, tz}'::text[]) AS a
UNION ALL
SELECT format('gpu_percentile_disc(%s, %s)', a, p)
FROM unnest('{h, i, l, f, g, zf, zg, d, t, tz}'::text[]) AS a,
	unnest('{0, 0.1, 0.5, 1/3.0, 0.6, 1, 1e-300, "ARRAY[0, 0.25, NULL, 0.9]", "''{}''::double precision[]"}'::text[]) AS p
UNION ALL
SELECT format('gpu_percentile_cont(%s, %s)', a, p)
FROM unnest('{h, i, l, f, g, zf, zg}'::text[]) AS a, unnest('{0, 0.1, 0.5, 0.7, 1, 1e-300, "ARRAY[0, 0.25, NULL, 0.9]", "''{}''::double precision[]"}'::text[]) AS p
UNION ALL
SELECT format('percentile_cont(%s) WITHIN GROUP (ORDER BY %s)', p, a)
FROM unnest('{h, i, l, f, g}'::text[]) AS a,
	unnest('{0, 0.1, 0.5, 1/3.0, 0.7, 1, 1e-300, "ARRAY[0, 0.25, NULL, 0.9]", "''{{0.3, 1}, {0.5, 0.5}}''::double precision[]"}'::text[]) AS p
UNION ALL
SELECT format('percentile_disc(%s) WITHIN GROUP (ORDER BY %s NULLS FIRST)', p, a)
FROM unnest('{h, i, l, f, g, d, t, tz}'::text[]) AS a,
	unnest('{0, 0.1, 0.5, 1/3.0, 0.6, 1, 1e-300, "ARRAY[0, 0.25, NULL, 0.9]", "''{}''::double precision[]"}'::text[]) AS p
UNION ALL
SELECT format('mode() WITHIN GROUP (ORDER BY %s)', a) FROM unnest('{h, i, l, f, g, d, t, tz}'::text[]) AS a
UNION ALL
SELECT format('percentile_cont(%s) WITHIN GROUP (ORDER BY %s DESC)', p, a)
FROM unnest('{h, i, l, "nullif(f, ''NaN'')", "nullif(g, ''NaN'')"}'::text[]) AS a,
	unnest('{0, 0.29, 0.5, 1/3.0, 0.7, 1, 1e-300, "ARRAY[0, 0.25, NULL, 0.9]", "''{{0.3, 1}, {0.5, 0.5}}''::double precision[]"}'::text[]) AS p
UNION ALL
SELECT format('percentile_disc(%s) WITHIN GROUP (ORDER BY %s DESC), mode() WITHIN GROUP (ORDER BY %2$s DESC NULLS LAST)', p, a)
FROM unnest('{h, i, l, "nullif(f, ''NaN'')", "nullif(g, ''NaN'')", d, t, tz, "i * 0.25"}'::text[]) AS a,
	unnest('{0, 0.1, 0.5, 1/3.0, 0.6, 1, 1e-300, "ARRAY[0, 0.25, NULL, 0.9]", "''{}''::double precision[]"}'::text[]) AS p
UNION ALL
SELECT format('gpu_percentiles_disc(%s, ''{0, 0.3, NULL, 1}'')', a) FROM unnest('{h, i, l, f, g, zf, zg, d, t, tz}'::text[]) AS a
UNION ALL
SELECT format('gpu_percentiles_cont(%s, ''{0, 0.3, NULL, 1}'')', a) FROM unnest('{h, i, l, f, g, zf, zg}'::text[]) AS a
UNION ALL
SELECT format('gpu_histogram(%s, %s)', a, p)
FROM unnest('{h, i, l, f, g, zf, zg}'::text[]) AS a,
	unnest('{"-10, 10, 4", "3e6, -3e6, 7", "0, 1e18, 1", "-1, 1e-3, 100"}'::text[]) AS p
UNION ALL
SELECT format('gpu_histogram(%s, %s)', a, p)
FROM unnest('{d, t, tz}'::text[]) AS a, unnest('{"''2000-01-01'', ''2000-01-09'', 4", "''2000-01-03'', ''1999-12-31'', 1000", "''1900-01-01'', ''2100-01-01'', 1"}'::text[]) AS p
UNION ALL
SELECT format('gpu_stats_agg(%s), gpu_describe(%1$s)', a) FROM unnest('{h, i, l, f, g, zf, zg}'::text[]) AS a
UNION ALL
SELECT format('gpu_describe(%s), (gpu_describe(%1$s)).median', a) FROM unnest('{i * 0.25, abs(g), l::numeric, i::numeric, NULL::real}'::text[]) AS a
UNION ALL
SELECT format('gpu_first(%1$s, %2$s), gpu_last(%1$s, %2$s), gpu_argmin(%2$s, %1$s), gpu_argmax(%2$s, %1$s)', p, a)
FROM unnest('{g, id, x}'::text[]) AS p, unnest('{h, i, l, f, g, d, t, tz, "i * 0.25"}'::text[]) AS a
UNION ALL
SELECT format('gpu_first(%1$s, %2$s), gpu_argmin(%2$s, %1$s)', p, a)
FROM unnest('{h, i, l, f, zf, zg, o, d, t, tz, x, "i * 0.25", "CASE WHEN o THEN ''yes'' WHEN z > 2 THEN ''No'' END"}'::text[]) AS p, unnest('{z, t}'::text[]) AS a
UNION ALL
SELECT format('min(%1$s), gpu_first(k, %1$s)', a) FROM unnest('{h, i, l, d, t, tz, "i * 0.25"}'::text[]) AS a
UNION ALL
SELECT format('gpu_last(k, %1$s), max(%1$s), gpu_argmax(%1$s, g)', a) FROM unnest('{h, i, l, d, t, tz, "i * 0.25"}'::text[]) AS a
UNION ALL
VALUES ('count(DISTINCT 1)'), ('count(DISTINCT NULL::integer)'), ('count(DISTINCT i % 3)'), ('count(DISTINCT -zg)'),
	('count(DISTINCT (h, o)), count(DISTINCT (d, x)), count(DISTINCT (x, z))'), ('count(DISTINCT (i, d)), count(DISTINCT (NULL::integer, h)), count(DISTINCT ROW(1, i % 3))'),
	('percentile_cont(0.5) WITHIN GROUP (ORDER BY i / 2.5::real)'), ('mode() WITHIN GROUP (ORDER BY abs(i))'),
	('sum(i::bigint * h) / nullif(sum(h), 0)'), ('regr_count(g, h), regr_count(1, i), regr_count(NULL, i), regr_count(f, f)'),
	('gpu_first(g, t), max(g), min(g), gpu_last(g, t), sum(i), count(*)'), ('gpu_last(5, t), gpu_argmin(h, 1.5)'),
	('count(DISTINCT (i, l))'), ('count(DISTINCT (t, x)), count(DISTINCT (h, o, d))'), ('count(DISTINCT (zg, zf)), count(DISTINCT ROW(tz, 1, NULL::integer)), sum(i)'), ('count(DISTINCT (i * 0.25, g))'),
	('sum(DISTINCT i), avg(DISTINCT h)'), ('gpu_stddev(DISTINCT i * 0.25), gpu_sum(DISTINCT i * 0.25), count(DISTINCT i)'), ('avg(DISTINCT l), gpu_last(i, t), sum(l)'),
	('count(DISTINCT i), count(i), sum(i), percentile_disc(0.5) WITHIN GROUP (ORDER BY i), count(*)');
CREATE VIEW tested AS
SELECT text, form, replace(form, '%s', text) AS query
FROM aggregate, unnest(ARRAY['SELECT %s FROM measured WHERE id < 0', 'SELECT %s FROM measured',
	'SELECT k, %s FROM measured GROUP BY k']) AS form;
SELECT query FROM tested WHERE answer(query, 'off') IS DISTINCT FROM answer(query, 'exact');
SELECT form, count(*), count(*) FILTER (WHERE made_by(query) = 'service') FROM tested GROUP BY form ORDER BY form;
SELECT query, made_by(query) FROM tested WHERE made_by(query) <> 'service';

-- With FILTER, and many groups
CREATE TABLE filtered AS
SELECT format('SELECT %s, ', key) || regexp_replace(text, '\)(, |$)', ') FILTER (WHERE o)\1', 'g') || format(' FROM measured GROUP BY %s', key) AS query
FROM aggregate, unnest('{k, many}'::text[]) AS key
WHERE text !~ '/|%' AND text !~ '[^g].*count\(\*\)';
SELECT query FROM filtered WHERE answer(query, 'off') IS DISTINCT FROM answer(query, 'exact');
SELECT count(*), count(*) FILTER (WHERE made_by(query) = 'service') FROM filtered;

-- Sums of x + c follow from that of x, unless x + c is out of range; then it is the error.
SELECT query, made_by(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['k, sum(h), sum(h + 1), avg(h - 2), sum(3 + h), gpu_sum(h + 4), gpu_avg(h + 5::smallint), sum(h - 7::bigint)', 'sum(h), sum(h - 1::smallint)',
	'sum(h + 1), sum(h + 2147483647)', 'sum(h), sum(h + 2147483647)', 'k, sum(i - 1), sum(i), sum(i - 2000000000)', 'sum(i), sum(i + 1)', 'sum(i - 1), sum(i + 1)',
	'k, sum(i) FILTER (WHERE i < 5), sum(i + 9) FILTER (WHERE i < 5)', 'k, sum(i), sum(i + 9::bigint), sum((i - 1)::bigint), sum(i::bigint * 2), sum(i::bigint * 2 - 3)',
	'k, sum(l), sum(l + 1), avg(l + 5)', 'sum(l), sum(l - 1)', 'sum(l), sum(l - (-9223372036854775808))', 'sum(l) FILTER (WHERE l < 0), sum(l - (-9223372036854775808)) FILTER (WHERE l < 0)',
	'k, sum(i * 0.25), sum(i * 0.25 + 3), avg(i * 0.25 - 1.75), sum(i * 0.25 + 1.125)', 'sum(l + 0.0), sum(l + 1.5), sum(l - 1.5)', 'k, sum(h * 2 + 1), sum(h * 2), avg(1 + h * 2) + sum(h * 2 - 1)',
	'k, sum(h + NULL), sum(h), sum(h + 0)', 'k, sum(z), stddev(z + 1), sum(z + 1), max(z + 1)', 'k, sum(i - i % 3), sum(i - i % 3 + 1)']) AS a,
	format('SELECT %s FROM measured%s', a, CASE WHEN a LIKE 'k, %' THEN ' GROUP BY k' ELSE '' END) AS query;
SELECT made_by(query), answer(query, 'off') = answer(query, 'exact') AS same
FROM (SELECT format('SELECT z, o, %s FROM measured GROUP BY z, o', string_agg(format('sum(i - %s), avg(h + %1$s)', c), ', ')) AS query FROM generate_series(1, 90) AS c) AS q;
SELECT CASE WHEN current_setting('server_version_num')::integer < 180000 THEN made_by(query) ELSE 'service' END, answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT z, o, sum(i), avg(i - 5), sum(h), sum(h + 5), count(*) FROM measured GROUP BY ROLLUP (z, o)']) AS query;

-- Intervals between timestamps: whole days and the rest are summed apart.  Infinite ones and sums out of range are the ordinary plan's.
SELECT query, made_by(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['k, sum(t - timestamp ''1999-12-31 13:00''), avg(t - timestamp ''2000-01-05''), avg(timestamp ''2000-01-01 03:00:01.234567'' - t), count(t - timestamp ''2000-01-05'')',
	'k, min(t - timestamp ''1999-12-31 13:00''), max(timestamp ''1999-12-31 13:00'' - t), count(DISTINCT t - timestamp ''2000-01-01''), mode() WITHIN GROUP (ORDER BY t - timestamp ''2000-01-01 04:00'')',
	'k, percentile_cont(0.3) WITHIN GROUP (ORDER BY t - timestamp ''1999-12-30 13:00''), percentile_disc(ARRAY[0.1, NULL, 0.9]) WITHIN GROUP (ORDER BY tz - timestamptz ''2000-01-01'' DESC)',
	'k, percentile_cont(ARRAY[0, 0.29, 1]) WITHIN GROUP (ORDER BY t - timestamp ''1999-12-30 13:00'' DESC), min(DISTINCT tz - timestamptz ''2000-01-01 00:00:00.5'')',
	'sum(tz - timestamptz ''2000-01-01 00:04''), avg(timestamptz ''2000-06-01'' - tz) FILTER (WHERE o), sum(tz - tz) FILTER (WHERE id < 0)',
	'k, max(id), avg(tz - timestamptz ''2000-01-01'')']) AS a,
	format('SELECT %s FROM measured WHERE t > ''-infinity'' OR t IS NULL%s', a, CASE WHEN a LIKE 'k, %' THEN ' GROUP BY k' ELSE '' END) AS query;
SELECT query, answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT k, avg(t - timestamp ''2000-01-01'') FROM measured GROUP BY k', 'SELECT sum(timestamp ''infinity'' - t) FROM measured',
	'SELECT sum(timestamp ''250000-01-01'' - t) FROM measured WHERE t > ''-infinity''', 'SELECT avg(timestamp ''290000-01-01'' - t + interval ''0'') FROM measured WHERE t > ''-infinity''',
	'SELECT z, o, sum(t - timestamp ''1999-12-31 13:00''), avg(tz - timestamptz ''2000-01-05'') FROM measured WHERE t > ''-infinity'' GROUP BY ROLLUP (z, o)']) AS query;

-- Columns of type interval: months, days and microseconds are summed apart.  Equal values may look different, if nothing else tells them apart.
CREATE TABLE stay AS
SELECT id, id % 9 AS k, hashint4(id) % 5 AS z,
	CASE WHEN id % 7 > 0 AND id % 9 <> 4 THEN make_interval(months => hashint4(id) % 500, days => hashint4(-id) % 40000, secs => hashint4(id + 7) / 7000.0) END AS i,
	CASE WHEN id % 5 > 0 THEN make_interval(mins => hashint4(id) % 50) END AS j,
	(ARRAY['1 day', '24:00', '30 days', '1 mon', NULL, '-1 mon 30 days'])[1 + id % 6]::interval AS same,
	CASE id WHEN 0 THEN '178956970 years 7 mons' WHEN 1 THEN '-178956970 years -8 mons' WHEN 2 THEN '2147483647 days' WHEN 3 THEN '-2147483648 days'
		WHEN 4 THEN '2562047788:00:54.775807' WHEN 5 THEN '-2562047788:00:54.775807' ELSE '0.000001' END::interval AS huge,
	CASE id WHEN 0 THEN '178956970 years 6 mons 2147483646 days' ELSE '0' END::interval AS most, NULL::interval AS none,
	CASE WHEN id = 17 AND current_setting('server_version_num')::integer >= 170000 THEN 'infinity' WHEN id = 26 THEN '-1 day' ELSE '1 day' END::interval AS ends
FROM generate_series(0, 1799) AS id;
CREATE TABLE kind AS SELECT id, 'kind ' || id % 3 AS name, make_interval(months => id % 2, hours => id * 1000) AS extra FROM generate_series(0, 6) AS id;
VACUUM FREEZE ANALYZE stay;
ANALYZE kind;
SELECT query, made_by(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['sum(i), avg(i), count(i), sum(none), avg(none)', 'k, sum(i), avg(i) FILTER (WHERE z > 0), sum(i) FILTER (WHERE id < 0), max(id)', 'z, avg(i), avg(-i), sum(i * 0.3)', 'sum(i - j)',
	'k, sum(CASE WHEN z > 0 THEN i WHEN z < -2 THEN ''1 mon -1 day'' ELSE j END), avg(coalesce(j, i)), sum(coalesce(j, same, i, ''1 sec''))', 'k, avg(CASE WHEN z = 1 THEN i END), sum(coalesce(j, ''01:00:01''))',
	'k, sum(same), avg(same), sum(j)', 'sum(CASE WHEN same = ''1 day'' THEN j END), sum(nullif(same, ''24:00''))', 'k, avg(least(i, ''2 mons'')), sum(justify_hours(j)), sum(i::interval(1))',
	'k, sum(most), avg(most)', 'k, sum(CASE WHEN id < 2 THEN huge END)', 'k, sum(timestamp ''2000-01-01'' + j - timestamp ''2000-01-01'')']) AS a,
	format('SELECT %s FROM stay%s', a, CASE WHEN a ~ '^[kz], ' THEN ' GROUP BY ' || left(a, 1) ELSE '' END) AS query;
-- Where a sum is out of range, or might be on the way in some order, and where values have to be told apart, the ordinary plan decides.
SELECT query, made_by(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT sum(most + ''1 mon'') FROM stay WHERE id < 3', 'SELECT avg(huge) FROM stay WHERE id IN (0, 1)', 'SELECT sum(huge) FROM stay WHERE id IN (0, 2, 4) OR id > 1000', 'SELECT k, sum(huge) FROM stay WHERE id < 6 GROUP BY k',
	'SELECT sum(huge) FROM stay WHERE id IN (2, 1001) OR id = 3', 'SELECT sum(i * 1e6) FROM stay', 'SELECT sum(same), count(DISTINCT same) FROM stay', 'SELECT same, sum(same) FROM stay GROUP BY same',
	'SELECT sum(DISTINCT i) FROM stay', 'SELECT i, sum(i), count(*) FROM stay WHERE id < 900 GROUP BY i', 'SELECT id, sum(i) OVER (PARTITION BY k ORDER BY id) FROM stay ORDER BY id LIMIT 5']) AS query;
SELECT answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT sum(ends), avg(ends) FROM stay', 'SELECT k, sum(ends), avg(ends) FROM stay GROUP BY k', 'SELECT sum(ends) FROM stay WHERE id <> 17']) AS query;
SELECT query, made_by(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT k, sum(i) FROM stay GROUP BY k HAVING avg(i) > ''0'' ORDER BY 2 DESC, 1 LIMIT 3', 'SELECT max(s), sum(s) FROM (SELECT k, sum(i) AS s FROM stay GROUP BY k) AS g', 'SELECT id % 1000, sum(i) FROM stay GROUP BY 1 ORDER BY 2, 1 LIMIT 3',
	'SELECT name, sum(i), avg(extra), sum(coalesce(extra, i)) FROM stay LEFT JOIN kind ON kind.id = k GROUP BY name']) AS query;
SELECT CASE WHEN current_setting('server_version_num')::integer < 180000 THEN made_by(query) ELSE 'service' END, answer(query, 'off') = answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT k, z, sum(i), avg(same), count(*) FROM stay GROUP BY ROLLUP (k, z)']) AS query;
-- Values that come while a report is made
SET gpuscan.reports = exact;
SELECT made_by('SELECT sum(j), sum(coalesce(j, same)) FROM stay');
INSERT INTO stay SELECT 2000 + id, id % 9, 0, NULL, make_interval(days => id, secs => id / 8.0), make_interval(months => id) FROM generate_series(1, 300) AS id;
SELECT query, made_by(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT sum(j), sum(coalesce(j, same)) FROM stay', 'SELECT k, avg(j), sum(CASE WHEN id > 5 THEN j END) FROM stay GROUP BY k']) AS query;
DROP TABLE stay, kind;

-- Of 0 and -0 PostgreSQL gives the one that it meets first.
SELECT query, made_by(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT mode() WITHIN GROUP (ORDER BY zg) FROM measured WHERE zg = 0',
	'SELECT mode() WITHIN GROUP (ORDER BY zg) FROM measured WHERE id % 4 <> 1',
	'SELECT z, percentile_disc(0.1) WITHIN GROUP (ORDER BY zf) FROM measured GROUP BY z',
	'SELECT z, percentile_disc(0.9) WITHIN GROUP (ORDER BY zf) FROM measured GROUP BY z',
	'SELECT percentile_cont(ARRAY[0.9, 0.5]) WITHIN GROUP (ORDER BY zg) FROM measured',
	'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY zg) FROM measured WHERE id IN (0, 4, 8, 12)',
	'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY zg) FROM measured WHERE id IN (1, 4, 8, 13)',
	'SELECT percentile_cont(0) WITHIN GROUP (ORDER BY zg) FROM measured WHERE zg < 0',
	'SELECT z, percentile_disc(0.1) WITHIN GROUP (ORDER BY zf DESC) FROM measured GROUP BY z',
	'SELECT z, percentile_disc(0.1) WITHIN GROUP (ORDER BY zg DESC) FROM measured GROUP BY z',
	'SELECT mode() WITHIN GROUP (ORDER BY zg DESC) FROM measured WHERE zg = 0',
	'SELECT id, mode() WITHIN GROUP (ORDER BY zg DESC), percentile_cont(0.5) WITHIN GROUP (ORDER BY zf DESC) FROM measured WHERE id % 4 <> 1 GROUP BY id',
	'SELECT percentile_cont(0.1) WITHIN GROUP (ORDER BY zg) FROM measured WHERE id IN (1, 2)']) AS query;

-- A report that was lost so is not tried again until the table changes; others are.  A plan that is kept loses no more time.
SELECT made_by('SELECT min(zg) FROM measured WHERE zg > -1') AS first, made_by('SELECT min(zg) FROM measured WHERE zg > -1') AS again,
	made_by('SELECT min(zg) FROM measured WHERE zg >= -1') AS other, made_by('SELECT max(zg) FROM measured WHERE zg < 0') AS greatest;
SELECT made_by('SELECT nullif(-zg, 1), count(*) FROM measured GROUP BY 1') AS first, made_by('SELECT nullif(-zg, 1), count(*) FROM measured GROUP BY 1') AS again,
	made_by('SELECT nullif(-zg, 1), count(*) FROM measured WHERE zg <> 0 GROUP BY 1') AS other;
ALTER TABLE measured SET (fillfactor = 100);
SELECT made_by('SELECT min(zg) FROM measured WHERE zg > -1');
PREPARE kept AS SELECT DISTINCT -zg FROM measured WHERE id > 3;
SET gpuscan.reports = exact;
SELECT made_by('EXECUTE kept') AS first, made_by('EXECUTE kept') AS again;
DEALLOCATE kept;
RESET gpuscan.reports;

-- gpuscan's own aggregates have one rule, which needs no order.
SELECT query, answer(query, 'off') = answer(query, 'exact') AS same, made_by(query), answer(query, 'exact')
FROM unnest(ARRAY['SELECT gpu_mode(zg), gpu_min(zg), gpu_max(zg) FROM measured WHERE zg = 0', 'SELECT gpu_mode(zg::real) FROM measured WHERE zg = 0 AND id % 4 = 1',
	'SELECT gpu_percentile_disc(zg, 0), gpu_count_distinct(zg) FROM measured WHERE zg = 0']) AS query;

-- Parameters that are errors, or have no value, and what else is not computed
SELECT query, made_by(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['percentile_cont(1.5) WITHIN GROUP (ORDER BY g)', 'percentile_disc(-1) WITHIN GROUP (ORDER BY i)',
	'percentile_cont(NULL) WITHIN GROUP (ORDER BY g)', 'percentile_cont(''NaN'') WITHIN GROUP (ORDER BY g)',
	'percentile_disc(ARRAY[0.5, 2]) WITHIN GROUP (ORDER BY i)', 'percentile_disc(NULL::double precision[]) WITHIN GROUP (ORDER BY i)',
	'gpu_percentile_cont(g, 2)', 'gpu_percentile_cont(g, NULL)', 'gpu_percentile_cont(g, z / 10.0)',
	'gpu_percentile_disc(i, 2)', 'gpu_percentile_disc(d, NULL)', 'gpu_percentile_disc(t, z / 10.0)',
	'gpu_histogram(d, ''-infinity'', ''2000-01-09'', 4)', 'gpu_histogram(t, ''2000-01-01'', ''2500-01-01'', 4)', 'gpu_histogram(tz, NULL, ''2000-01-01'', 4)',
	'percentile_cont(0.5) WITHIN GROUP (ORDER BY g DESC)', 'percentile_disc(0.5) WITHIN GROUP (ORDER BY i USING <)',
	'percentile_disc(0.5) WITHIN GROUP (ORDER BY x USING ~<~)', 'gpu_percentiles_cont(i, ARRAY[0.5, 2])', 'gpu_percentiles_disc(i, NULL)',
	'mode() WITHIN GROUP (ORDER BY g DESC)', 'mode() WITHIN GROUP (ORDER BY o)', 'percentile_disc(0.5) WITHIN GROUP (ORDER BY x::name)',
	'percentile_cont(0.5) WITHIN GROUP (ORDER BY k * interval ''1 hour'')', 'rank(5) WITHIN GROUP (ORDER BY i)',
	'gpu_histogram(i, 0, 0, 5)', 'gpu_histogram(i, 0, 1, 0)', 'gpu_histogram(i, 0, NULL, 5)', 'gpu_histogram(i, 0, ''Infinity'', 5)',
	'gpu_histogram(g, -1.7e308, 1.7e308, 5)', 'gpu_histogram(i, 0, z, 5)', 'gpu_sum(DISTINCT g)', 'count(DISTINCT (i, l)), count(DISTINCT (i, t)), count(DISTINCT (i, tz)), count(DISTINCT (t, tz)), count(DISTINCT (l, t))', 'count(DISTINCT (i, h, o, d, t, z, x, zf, zg))', 'count(DISTINCT (CASE WHEN i > 5 THEN -2147483647 - 1 ELSE i END, z))', 
	'gpu_describe(CASE WHEN g BETWEEN 1e308 AND 1.75e308 THEN g END)', 'gpu_describe(DISTINCT i)', 'gpu_bit_xor(DISTINCT i)', 'gpu_mode(DISTINCT i)', 'gpu_median(DISTINCT i)', 'count(i ORDER BY i)']) AS a,
	format('SELECT %s FROM measured', a) AS query;

-- What refuses its argument is left to that
SELECT query, error_of(query)
FROM unnest(ARRAY['SELECT gpu_percentile_cont(d, ARRAY[0.5]) FROM measured', 'SELECT gpu_percentiles_cont(t, ARRAY[0.5]) FROM measured', 'SELECT gpu_stats_agg(1.5) FROM measured', 'SELECT gpu_stats_agg(i::numeric(12, 2)) FROM measured WHERE i > 0']) AS query;

-- Fractions that are parameters
SET plan_cache_mode = force_generic_plan;
CREATE FUNCTION prepared(aggregate text, arguments text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	answers text[];
	made text;
BEGIN
	FOR i IN 1..2 LOOP
		PERFORM set_config('gpuscan.reports', (ARRAY['off', 'exact'])[i], false);
		EXECUTE format('PREPARE p AS SELECT %s AS r FROM measured', aggregate);
		answers := answers || answer(format('SELECT * FROM got(%L)', arguments), (ARRAY['off', 'exact'])[i]);
		IF i = 2 THEN
			made := made_by(format('EXECUTE p(%s)', arguments));
		END IF;
		DEALLOCATE p;
	END LOOP;
	RETURN CASE WHEN answers[1] = answers[2] THEN 'same, ' ELSE 'not the same, ' END || made;
END
$$;
CREATE FUNCTION got(arguments text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	r text;
BEGIN
	EXECUTE format('CREATE TEMPORARY TABLE got AS EXECUTE p(%s)', arguments);
	SELECT got.r::text INTO r FROM got;
	DROP TABLE got;
	RETURN coalesce(r, 'NULL');
END
$$;
SELECT prepared('percentile_cont($1) WITHIN GROUP (ORDER BY g)', '0.3') AS a,
	prepared('percentile_cont($1) WITHIN GROUP (ORDER BY g)', 'NULL') AS b,
	prepared('percentile_cont($1) WITHIN GROUP (ORDER BY g)', '2') AS c,
	prepared('percentile_disc($1::double precision[]) WITHIN GROUP (ORDER BY d)', '''{0.3, 1, NULL}''') AS d,
	prepared('percentile_disc($1) WITHIN GROUP (ORDER BY i)', '0.3') AS e;
SELECT prepared('gpu_percentile_cont(l, $1)', '0.3') AS a, prepared('gpu_histogram(i, $1, $2, $3)', '0, 1e6, 10') AS b,
	prepared('gpu_histogram(i, $1, $2, $3)', '0, 1e6, NULL') AS c,
	prepared('gpu_histogram(t, $1, $2, $3)', '''2000-01-01'', ''2000-01-02'', 5') AS d, prepared('gpu_histogram(d, $1, $2, $3)', '''2000-01-01'', ''infinity'', 5') AS e;
RESET plan_cache_mode;

-- Summaries, as they are and rolled up; a weighted average of sums
SELECT query, made_by(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT gpu_avg(s), gpu_stddev(s), gpu_min(s), gpu_max(s), gpu_sum_exact(s) FROM (SELECT gpu_stats_agg(g) AS s FROM measured WHERE abs(g) < 10) AS q',
	'SELECT gpu_rollup(s) FROM (SELECT k, gpu_stats_agg(g) AS s FROM measured GROUP BY k) AS q',
	'SELECT z, gpu_sum(f * h) / gpu_sum(h::real) FROM measured WHERE abs(f) < 10 GROUP BY z',
	'SELECT z, sum(i::bigint * h)::double precision / nullif(sum(h), 0) FROM measured GROUP BY z',
	'SELECT k FROM measured GROUP BY k HAVING gpu_median(g) > 0 AND count(DISTINCT i) > 5']) AS query;

-- Weighted averages, of any numbers; an error where a group's weights sum to zero
SELECT query, made_by(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT gpu_weighted_avg(i, z) FROM measured', 'SELECT gpu_weighted_avg(i, z) FROM measured WHERE id < 0',
	'SELECT k, gpu_weighted_avg(h, z + 1), gpu_weighted_avg(l, abs(f)), gpu_weighted_avg(g, z + 0.5::real) FROM measured GROUP BY k',
	'SELECT k, gpu_weighted_avg(g, 1), gpu_avg(g), gpu_weighted_avg(f, -abs(g) - 1) FROM measured WHERE abs(g) < 10 GROUP BY k',
	'SELECT many, gpu_weighted_avg(zg, abs(f) + 1), gpu_corr(zg, abs(f) + 1) FROM measured GROUP BY many',
	'SELECT k, gpu_weighted_avg(g, abs(f)) FILTER (WHERE o), gpu_weighted_avg(h, z) FILTER (WHERE id < 0) FROM measured GROUP BY k',
	'SELECT k FROM measured GROUP BY k HAVING gpu_weighted_avg(h, z + 1) > 0',
	'SELECT gpu_weighted_avg(i * 0.5, z + 1), gpu_weighted_avg(i, 0.25) FROM measured',
	'SELECT gpu_weighted_avg(f, ''NaN''), gpu_weighted_avg(''Infinity'', z) FROM measured',
	'SELECT gpu_weighted_avg(g, ''-Infinity'') FROM measured WHERE abs(g) < 10',
	'SELECT gpu_weighted_avg(g, 0) FROM measured', 'SELECT gpu_weighted_avg(i, 0) FROM measured',
	'SELECT k, gpu_weighted_avg(h, k) FROM measured GROUP BY k', 'SELECT k, gpu_weighted_avg(h, k) FROM measured WHERE k > 0 GROUP BY k',
	'SELECT k, gpu_weighted_avg(i, z - 2) FROM measured WHERE k > 20 GROUP BY k',
	'SELECT gpu_weighted_avg(g, f) OVER (ORDER BY id ROWS 2 PRECEDING) FROM measured WHERE id = 5']) AS query;

-- Rows that another column chooses: between stages, by expressions, within the conditions of a group; and of zeros of both signs
SELECT query, made_by(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT gpu_median(a), sum(n) FROM (SELECT k, gpu_first(g, t) AS a, count(*) AS n FROM measured GROUP BY k) AS q',
	'SELECT z, gpu_last(a, k), max(k) FROM (SELECT k, z, sum(id) AS a FROM measured GROUP BY k, z) AS q GROUP BY z',
	'SELECT gpu_first(a, b) FROM (SELECT z, gpu_last(i, id) AS a, gpu_first(t, h) AS b FROM measured GROUP BY z) AS q',
	'SELECT k % 5, d, gpu_argmax(i % 7, h + 1), gpu_last(upper(x), id - z) FROM measured WHERE o GROUP BY 1, 2 HAVING count(*) > 1 AND gpu_first(id, h) > 50',
	'SELECT k, gpu_last(id, t) FROM measured GROUP BY k ORDER BY gpu_last(id, t) DESC LIMIT 5', 'SELECT k, z, gpu_first(h, id), count(DISTINCT (d, o)) FROM measured GROUP BY k, z ORDER BY k, z',
	'SELECT k, gpu_last(id, t ORDER BY z) FROM measured GROUP BY k', 'SELECT k, gpu_last(DISTINCT id, t), gpu_last(id, z) FROM measured GROUP BY k',
	'SELECT gpu_first(id, 5) FROM measured', 'SELECT gpu_argmin(t, id % 2 = 0), gpu_argmax(id, CASE WHEN o THEN 1.5 ELSE 2.25 END) FROM measured', 'SELECT gpu_argmax(id, CASE WHEN o THEN 1.5 ELSE 2.250 END) FROM measured',
	'SELECT z, gpu_argmin(zg, id) FROM measured GROUP BY z', 'SELECT z, gpu_argmax(zf, id), gpu_argmax(id, id) FROM measured GROUP BY z',
	'SELECT zf, gpu_last(id, k), max(k) FROM measured GROUP BY zf', 'SELECT gpu_argmin(zg, id) FROM measured WHERE zg = 0', 'SELECT gpu_argmax(zf, id) FROM measured WHERE zf = 0',
	'SELECT a.k, gpu_last(b.id, a.t), max(b.id) FROM measured AS a JOIN (SELECT DISTINCT ON (z) z, id FROM measured ORDER BY z, id) AS b USING (z) GROUP BY a.k']) AS query;

-- SELECT DISTINCT, and groups without aggregates
SELECT query, made_by(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT DISTINCT k FROM measured', 'SELECT DISTINCT o, d, h FROM measured', 'SELECT DISTINCT h, i, l, f, t FROM measured',
	'SELECT DISTINCT zf FROM measured', 'SELECT DISTINCT zf FROM measured WHERE zf > 0', 'SELECT DISTINCT k FROM measured WHERE id < 0',
	'SELECT DISTINCT k, 1 AS one FROM measured', 'SELECT DISTINCT 1 FROM measured', 'SELECT DISTINCT k FROM measured WHERE k = 3',
	'SELECT DISTINCT k, z FROM measured WHERE k = 3', 'SELECT DISTINCT k, i + 1, k % 2 FROM measured WHERE i < 5000',
	'SELECT * FROM (SELECT DISTINCT d, h FROM measured ORDER BY d, h LIMIT 9) AS q',
	'SELECT * FROM (SELECT DISTINCT d, h FROM measured ORDER BY h DESC, d LIMIT 9) AS q',
	'SELECT count(*) FROM (SELECT DISTINCT k, z FROM measured) AS q',
	'SELECT DISTINCT ON (k) k, z FROM measured ORDER BY k, z', 'SELECT DISTINCT k, generate_series(1, 2) FROM measured',
	'SELECT DISTINCT k, row_number() OVER () > 0 FROM measured', 'SELECT DISTINCT count(*), ''x'' FROM measured GROUP BY k',
	'SELECT DISTINCT k, (SELECT 5) AS five FROM measured', 'SELECT id FROM measured WHERE k = 2 UNION SELECT z FROM measured',
	'SELECT k, z FROM measured GROUP BY k, z', 'SELECT k + 1 FROM measured GROUP BY k', 'SELECT 5 FROM measured GROUP BY k HAVING k > 3',
	'SELECT ''x'', k FROM measured GROUP BY 1, 2', 'SELECT count(*) FROM measured GROUP BY ''x''::text']) AS query;
SET enable_hashagg = off;
SELECT made_by('SELECT DISTINCT k, z FROM measured');
RESET enable_hashagg;

-- Grouping sets.  From 18 on they are not taken.
SELECT query, CASE WHEN current_setting('server_version_num')::integer < 180000 THEN made_by(query) ELSE expected END AS made_by,
	answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM (VALUES ('service', 'SELECT k, z, count(*), min(i), gpu_median(g) FROM measured GROUP BY ROLLUP (k, z)'),
	('service', 'SELECT k, z, h, count(DISTINCT i), GROUPING(k), GROUPING(h, k, z) FROM measured GROUP BY CUBE (k, z, h)'),
	('service', 'SELECT z, o, sum(i), GROUPING(o) + 1 FROM measured GROUP BY GROUPING SETS ((z), (o, z), (), (o), (z))'),
	('service', 'SELECT z, count(*) FROM measured WHERE id < 0 GROUP BY ROLLUP (z)'),
	('service', 'SELECT z, count(*), GROUPING(z) FROM measured WHERE id < 0 GROUP BY GROUPING SETS ((), (z), ())'),
	('service', 'SELECT count(*), avg(l) FROM measured GROUP BY ()'),
	('service', 'SELECT z * 2 + 1, k % 2, max(d) FROM measured GROUP BY ROLLUP (z * 2, k % 2), z'),
	('service', 'SELECT z, k % 3, sum(z), max(k % 3) FROM measured GROUP BY CUBE (z, k % 3)'),
	('service', 'SELECT z, k, avg(i), stddev(h) FILTER (WHERE o) FROM measured WHERE id > 5 GROUP BY ROLLUP (z, k) HAVING GROUPING(k) = 0 OR z IS NULL'),
	('service', 'SELECT row_number() OVER (), q.* FROM (SELECT z, d, bit_and(i), mode() WITHIN GROUP (ORDER BY i) FROM measured GROUP BY CUBE (z, d) ORDER BY z, d, 3, 4 LIMIT 20) AS q'),
	('service', 'SELECT z, count(*) FROM measured GROUP BY GROUPING SETS ((z))'),
	('service', 'SELECT coalesce(z, -1) AS zz, count(z) FROM measured GROUP BY ROLLUP (z)'),
	('service', 'SELECT a.z, a.n, b.n FROM (SELECT z, count(*) AS n FROM measured GROUP BY ROLLUP (z)) AS a JOIN (SELECT z, count(*) AS n FROM measured GROUP BY z) AS b USING (z)'),
	('service', 'SELECT v, (SELECT string_agg(q::text, '','' ORDER BY q::text) FROM (SELECT z, count(*) FROM measured WHERE k > v GROUP BY ROLLUP (z)) AS q) FROM generate_series(1, 3) AS v'),
	('service', 'SELECT v, q.* FROM generate_series(1, 3) AS v LEFT JOIN (SELECT z, count(*) AS n FROM measured GROUP BY ROLLUP (z)) AS q ON n > v * 100'),
	('ordinary plan: the result is 0 or -0 depending on the order of rows', 'SELECT zf, zg, count(*) FROM measured GROUP BY ROLLUP (zf, zg)'),
	('service', 'SELECT zf, zg, count(*) FROM measured WHERE zf > 0 AND zg < 0 GROUP BY ROLLUP (zf, zg)'),
	('query', 'SELECT z, ''x'' AS y, count(*) FROM measured GROUP BY CUBE (z, 2)'),
	('query', 'SELECT z, k, gpu_first(h, id) FROM measured GROUP BY ROLLUP (z, k)'),
	('query', 'SELECT z, count(*) FROM measured GROUP BY CUBE (z, k, h, i, l, d)')) AS q (expected, query);
DO $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) SELECT z, o, sum(i), GROUPING(o) FROM measured GROUP BY ROLLUP (z, o)' INTO plan;
	IF current_setting('server_version_num')::integer < 180000 AND plan #>> '{0,Plan,Grouping Sets}' IS DISTINCT FROM '["()", "(z)", "(z, o)"]' THEN
		RAISE '%', plan;
	END IF;
END
$$;

-- More groups than 4096, which come as values from a device; and one whose sum does not fit 64 bits
CREATE TABLE many AS
SELECT i % 6000 AS k, i, CASE WHEN i % 6000 = 17 THEN 4000000000000000000 ELSE i END AS l, ((i % 100) * 0.25)::numeric(10, 2) AS n,
	i / 8.0::double precision AS f, CASE WHEN i % 5 > 0 THEN (i / 3)::real END AS r, date '2026-01-01' + i % 40 AS d, i % 2 = 0 AS o
FROM generate_series(1, 30000) AS i;
UPDATE many SET n = n + 0, i = NULL WHERE i % 13 = 0;
VACUUM ANALYZE many;
SELECT made_by(query), answer(query, 'exact') = answer(query, 'off') AS same, query
FROM (VALUES ('SELECT k, count(*), sum(i), min(d), max(i), sum(n) FROM many GROUP BY k'),
	('SELECT k, sum(l), max(l) FROM many GROUP BY k'),
	('SELECT k, bool_and(o), sum(i), gpu_sum(f) FROM many GROUP BY k HAVING sum(i) > 40000'),
	('SELECT f, gpu_avg(r), gpu_sum(r), gpu_median(i) FROM many GROUP BY f'),
	('SELECT d, k, sum(i) + 1, avg(i) FROM many GROUP BY d, k'),
	('SELECT k, gpu_avg(f), gpu_stddev(f) FROM many GROUP BY k ORDER BY k LIMIT 50')) AS q (query);

DROP VIEW tested;
DROP TABLE measured, aggregate, filtered, many;
DROP FUNCTION prepared, got;
