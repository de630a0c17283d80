-- Reports with functions of dates, timestamps and times of day, against PostgreSQL's
-- own: at each change of ten time zones, at the limits of years, and at random.
LOAD 'gpuscan';
SET gpuscan.engine = gpu;
SET max_parallel_workers_per_gather = 0;
SET seq_page_cost = 1000000;	-- small tables, too, are worth a report
SET jit = off;
SET timezone = 'UTC';
SET datestyle = 'ISO';

-- What a query does otherwise than the service with PostgreSQL's answer: nothing
CREATE FUNCTION unlike(queries text[], zone text DEFAULT 'UTC') RETURNS TABLE (query text, made_by text, "off" text, "exact" text) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('timezone', zone, false);
	FOREACH query IN ARRAY queries LOOP
		-- since 14 (before, parts of a zone's offset are floats)
		CONTINUE WHEN query ~ 'date_bin|timezone' AND current_setting('server_version_num')::integer < 140000;
		made_by := made_by(query);
		"off" := answer(query, 'off');
		"exact" := answer(query, 'exact');
		IF made_by <> 'service' OR "off" IS DISTINCT FROM "exact" THEN
			-- the first group that differs
			SELECT a, b INTO "off", "exact"
			FROM unnest(string_to_array("off", ';'), string_to_array("exact", ';')) AS r (a, b)
			WHERE a IS DISTINCT FROM b OR made_by <> 'service' LIMIT 1;
			RETURN NEXT;
		END IF;
	END LOOP;
	PERFORM set_config('timezone', 'UTC', false);
END
$$;

-- One group a row, and in it what the expressions give
CREATE FUNCTION each(expressions text[], source text) RETURNS text LANGUAGE sql AS $$
	SELECT format('SELECT i, %s FROM %s GROUP BY 1', string_agg(format('min(%s)', e), ', '), source)
	FROM unnest(expressions) AS e
$$;

-- When a zone's local time changes: within three days, and then which second
CREATE FUNCTION changes(zone text) RETURNS SETOF timestamptz LANGUAGE sql AS $$
	WITH RECURSIVE days AS (
		SELECT at, timezone(zone, at) - timezone('UTC', at) AS behind, lag(timezone(zone, at) - timezone('UTC', at)) OVER (ORDER BY at) AS before
		FROM generate_series(timestamptz '1879-06-01 00:00+00', '2299-12-31 00:00+00', '3 days') AS at
	), search AS (
		SELECT at - interval '3 days' AS low, at AS high, before FROM days WHERE behind <> before
		UNION ALL
		SELECT CASE WHEN same THEN middle ELSE low END, CASE WHEN same THEN high ELSE middle END, before
		FROM search,
			LATERAL (SELECT date_trunc('second', low + (high - low) / 2) AS middle) AS m,
			LATERAL (SELECT timezone(zone, middle) - timezone('UTC', middle) = before AS same) AS s
		WHERE high - low > interval '1 second'
	)
	SELECT high FROM search WHERE high - low = interval '1 second'
$$;

CREATE TABLE zones (z integer, zone text);
INSERT INTO zones VALUES (1, 'Europe/Berlin'), (2, 'America/New_York'), (3, 'Australia/Lord_Howe'), (4, 'Asia/Kathmandu'), (5, 'America/St_Johns'),
	(6, 'Africa/Casablanca'), (7, 'Pacific/Apia'), (8, 'Europe/Dublin'), (9, 'Asia/Tehran'), (10, 'UTC');
CREATE TABLE changed (i serial, z integer, at timestamptz, lt timestamp, d date);

-- Behind 2300 reports do not follow rules that have no end.
INSERT INTO changed (z, at, lt, d)
SELECT z, c + us * interval '1 us', local + us * interval '1 us', (local + us * interval '1 us')::date
FROM zones, changes(zone) AS c, generate_series(-1, 1) AS us,
	LATERAL (VALUES (timezone(zone, c)), (timezone('UTC', c) + (timezone(zone, c - interval '1 s') - timezone('UTC', c - interval '1 s')))) AS l (local)
WHERE c < '2298-01-01';
INSERT INTO changed (z, at, lt, d)
SELECT z, at, timezone('UTC', at), timezone('UTC', at)::date
FROM zones, generate_series(timestamptz '1850-01-01 00:00:00.123457+00', '2298-01-01 00:00+00', '137 days 05:43:21.7') AS at;
VACUUM ANALYZE changed;
SELECT z, count(*) > 1000 AS many FROM changed GROUP BY 1 ORDER BY 1;

-- In the session's zone, and in one that is named
SELECT zone, u.*
FROM zones, LATERAL (SELECT format('changed WHERE z = %s', z)) AS s (source), LATERAL unlike(ARRAY[
	each(ARRAY['at::timestamp', 'at::date', 'at::time', 'lt::timestamptz', 'd::timestamptz', 'd::timestamp', 'lt::date', 'lt::time'], source),
	each(ARRAY['date_trunc(''us'', at)', 'date_trunc(''ms'', at)', 'date_trunc(''second'', at)', 'date_trunc(''minute'', at)', 'date_trunc(''hour'', at)',
		'date_trunc(''day'', at)', 'date_trunc(''week'', at)'], source),
	each(ARRAY['date_trunc(''month'', at)', 'date_trunc(''quarter'', at)', 'date_trunc(''year'', at)', 'date_trunc(''decade'', at)',
		'date_trunc(''century'', at)', 'date_trunc(''millennium'', at)', 'date_trunc(''day'', d)'], source),
	each(ARRAY['extract(timezone FROM at)', 'extract(timezone_hour FROM at)', 'extract(timezone_minute FROM at)', 'date_part(''timezone'', at)'], source),
	each(ARRAY['extract(hour FROM at)', 'extract(day FROM at)',
		'extract(week FROM at)', 'date_part(''doy'', at)', 'date_part(''second'', at)', 'date_part(''minute'', at)'], source),
	each(ARRAY['at + interval ''1 month''', 'at - interval ''1 day''', 'at - interval ''-1 year 1 day 3:30''', 'at + interval ''25:00''', 'd + interval ''1 month''',
		'at - interval ''6 hours''', '(at - interval ''6 hours'')::date'], source),
	each(ARRAY['(lt < at)::integer', '(at = lt)::integer', '(d <= at)::integer', '(d <> lt)::integer', '(lt >= d)::integer', '(at > d)::integer'], source),
	each(ARRAY[format('at AT TIME ZONE %L', zone), format('lt AT TIME ZONE %L', zone), format('date_trunc(''day'', at, %L)', zone),
		format('date_trunc(''hour'', at, %L)', zone), format('(at AT TIME ZONE %L)::date', zone), 'at AT TIME ZONE ''EST''',
		'lt AT TIME ZONE interval ''-3:30''', 'lt AT TIME ZONE ''<+03>-3'''], source)], zone) AS u;

-- Limits of years, infinities, and at random
CREATE TABLE moments (i serial, at timestamptz, lt timestamp, d date, h time, e double precision, y integer, m integer, k integer);
INSERT INTO moments (at, lt, d, h, e, y, m, k)
SELECT timezone('UTC', lt), lt, lt::date, lt::time, extract(epoch FROM lt), extract(year FROM lt), extract(month FROM lt), i % 1000 - 500
FROM (
	SELECT i, date_trunc('year', timestamp '2000-01-01' + (i * 7 % 2400 - 1200) * interval '1 year') + us * interval '1 us' + days * interval '1 day' AS lt
	FROM generate_series(1, 2400, 5) AS i, generate_series(-1, 1) AS us, unnest(ARRAY[0, 3, 59, 60]) AS days
	UNION ALL
	SELECT i, timestamp '1970-01-01' + hashint4(i) * interval '1.000001 s' + hashint4(-i) * interval '1 us' FROM generate_series(1, 3000) AS i
	UNION ALL
	SELECT 0, t::timestamp FROM unnest(ARRAY['3000-01-02 BC', '0001-12-31 23:59:59.999999 BC', '0001-01-01', '0001-12-31', '0100-12-31', '0101-01-01', '0101-01-01 BC',
		'0100-12-31 23:00 BC', '1000-12-31', '1001-01-01', '1001-12-31 BC', '1000-01-01 BC', '0011-06-06 BC', '0010-06-06 BC', '0002-02-28 BC', '0005-02-29 BC', '2000-02-29 12:34:56.789012',
		'1900-02-28 23:59:59.999999', '1999-12-31 23:59:59.9995', '289999-12-31 23:59:59.999999', '9999-12-31', '10000-01-01', '2004-12-31', '2005-01-02',
		'2008-12-29', '2009-01-01', '2010-01-03', '1970-01-01', '2024-02-29', '2023-03-31', '2024-05-31 23:59']) AS t
) AS r;
INSERT INTO moments (at, lt, d, h, e, y, m, k)
VALUES ('infinity', 'infinity', 'infinity', '24:00', 'infinity', 2024, 2, 29), ('-infinity', '-infinity', '-infinity', '00:00', '-infinity', -4, 2, 29),
	('infinity', '-infinity', 'infinity', NULL, 0, NULL, NULL, NULL), (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
VACUUM ANALYZE moments;
SELECT * FROM unlike(ARRAY[
	each(ARRAY['lt::date', 'lt::time', 'd::timestamp', 'lt::timestamptz', 'at::timestamp', 'at::date', 'at::time', 'd::timestamptz', 'h', 'h + interval ''1 day 3:30''', 'h - interval ''3:30'''], 'moments'),
	each(ARRAY['lt::timestamp(0)', 'lt::timestamp(1)', 'at::timestamptz(2)', 'at::timestamptz(3)', 'h::time(0)', 'lt::timestamp(4)', 'at::timestamptz(5)', 'lt::timestamp(6)'], 'moments'),
	each(ARRAY['date_trunc(''us'', lt)', 'date_trunc(''ms'', lt)', 'date_trunc(''second'', lt)', 'date_trunc(''min'', lt)', 'date_trunc(''hours'', lt)', 'date_trunc(''day'', lt)', 'date_trunc(''week'', lt)'], 'moments'),
	each(ARRAY['date_trunc(''month'', lt)', 'date_trunc(''quarter'', lt)', 'date_trunc(''year'', lt)', 'date_trunc(''decade'', lt)', 'date_trunc(''century'', lt)', 'date_trunc(''millennium'', lt)', 'date_trunc(''MONTH'', d)'], 'moments'),
	each(ARRAY['date_bin(''15 minutes'', lt, ''2025-01-01'')', 'date_bin(''1 day 1 us'', lt, ''1999-12-31 23:00'')', 'date_bin(''7 days'', at, ''2024-01-01'')', 'date_bin(''0.000007 s'', at, ''1970-01-01'')',
		'date_bin(''400 days'', lt, ''2000-01-01'')', 'date_bin(''1 us'', at, ''1970-01-01'')'], 'moments'),
	each(ARRAY['extract(us FROM lt)', 'extract(ms FROM lt)', 'extract(second FROM lt)', 'extract(minute FROM lt)', 'extract(hour FROM lt)', 'extract(day FROM lt)', 'extract(dow FROM lt)', 'extract(isodow FROM lt)', 'extract(doy FROM lt)'], 'moments'),
	each(ARRAY['extract(week FROM lt)', 'extract(month FROM lt)', 'extract(quarter FROM lt)', 'extract(week FROM d)', 'extract(month FROM d)', 'extract(quarter FROM d)', 'extract(dow FROM d)', 'extract(doy FROM d)'], 'moments'),
	each(ARRAY['extract(year FROM lt)', 'extract(isoyear FROM lt)', 'extract(decade FROM lt)', 'extract(century FROM lt)', 'extract(millennium FROM lt)', 'extract(epoch FROM lt)', 'extract(epoch FROM at)'], 'moments WHERE isfinite(lt)'),
	each(ARRAY['extract(year FROM d)', 'extract(isoyear FROM d)', 'extract(decade FROM d)', 'extract(century FROM d)', 'extract(millennium FROM d)', 'extract(julian FROM d)', 'extract(epoch FROM d)'], 'moments WHERE isfinite(lt)'),
	each(ARRAY['date_part(''year'', lt)', 'date_part(''isoyear'', lt)', 'date_part(''decade'', lt)', 'date_part(''century'', lt)', 'date_part(''millennium'', lt)', 'date_part(''epoch'', lt)', 'date_part(''epoch'', at)', 'date_part(''julian'', lt)'], 'moments'),
	each(ARRAY['date_part(''us'', lt)', 'date_part(''ms'', lt)', 'date_part(''second'', lt)', 'date_part(''minute'', lt)', 'date_part(''hour'', lt)', 'date_part(''dow'', lt)', 'date_part(''julian'', d)', 'date_part(''epoch'', d)'], 'moments'),
	each(ARRAY['extract(timezone FROM at)', 'date_part(''timezone'', at)'], 'moments'),
	each(ARRAY['extract(us FROM h)', 'extract(ms FROM h)', 'extract(second FROM h)', 'extract(minute FROM h)', 'extract(hour FROM h)', 'extract(epoch FROM h)'], 'moments'),
	each(ARRAY['date_part(''us'', h)', 'date_part(''ms'', h)', 'date_part(''second'', h)', 'date_part(''minute'', h)', 'date_part(''hour'', h)', 'date_part(''epoch'', h)', 'extract(epoch FROM lt::time)', 'date_part(''epoch'', at::time)'], 'moments'),
	each(ARRAY['extract(epoch FROM lt - ''2020-02-29 12:34:56.789'')', 'extract(day FROM lt - ''2020-02-29 12:34:56.789'')', 'extract(hour FROM lt - ''2020-02-29 12:34:56.789'')', 'extract(minute FROM at - lt)',
		'extract(second FROM lt - ''2020-02-29 12:34:56.789'')', 'extract(ms FROM lt - ''2020-02-29 12:34:56.789'')', 'extract(us FROM timestamp ''2020-02-29 12:34:56.789'' - lt)'], 'moments WHERE isfinite(lt) AND lt < ''2900-01-01'''),
	each(ARRAY['date_part(''epoch'', lt - ''2020-02-29 12:34:56.789'')', 'date_part(''day'', lt - ''2020-02-29 12:34:56.789'')', 'date_part(''hour'', lt - ''2020-02-29 12:34:56.789'')',
		'date_part(''second'', lt - ''2020-02-29 12:34:56.789'')', 'date_part(''ms'', lt - ''2020-02-29 12:34:56.789'')'], 'moments WHERE isfinite(lt) AND lt < ''2900-01-01'''),
	each(ARRAY['lt + interval ''1 month''', 'lt - interval ''1 month''', 'lt - interval ''13 months -1 day 5 us''', 'lt + interval ''4 years''', 'd - interval ''1 month''', 'lt + interval ''24:00''', 'd + interval ''1 us''', 'at - interval ''1 mon 1 day 1 us'''], 'moments'),
	each(ARRAY['(lt - interval ''6 hours'')::date', '((lt - interval ''6 hours'')::date + 1)::timestamptz', 'date_trunc(''week'', lt + interval ''1 day'') - interval ''1 day''', 'date_trunc(''month'', lt - interval ''400 years'') + interval ''900 years'''], 'moments WHERE lt < ''9999-01-01'' OR NOT isfinite(lt)'),
	each(ARRAY['d + 1', 'd - 400', 'd + k', 'd - k', 'd + h', '(d + h)::date', 'lt::date + lt::time'], 'moments'),
	each(ARRAY['d - date ''2000-01-01''', 'date ''2000-02-29'' - d', 'd - lt::date', 'd - make_date(1999, 12, 31)'], 'moments WHERE isfinite(d)'),
	each(ARRAY['isfinite(d)::integer', 'isfinite(lt)::integer', 'isfinite(lt::date)::integer', 'isfinite(at - interval ''1 day'')::integer', 'isfinite(make_date(y, m, 1))::integer'], 'moments'),
	each(ARRAY['isfinite(d + k)::integer'], 'moments'),
	each(ARRAY['isfinite(d + h)::integer'], 'moments'),
	each(ARRAY['make_date(y, m, 1)', 'make_date(y, m, 28)', 'make_date(y, 12, 31)', 'make_date(y, m, 1) - 1'], 'moments'),
	each(ARRAY['to_timestamp(e)', 'to_timestamp(e / 1000)', 'date_trunc(''hour'', to_timestamp(e))'], 'moments'),
	each(ARRAY['(lt = d)::integer', '(lt < d)::integer', '(d >= at)::integer', '(at <> lt)::integer', '(lt > at)::integer', '(lt = to_timestamp(e))::integer', '(at <= make_date(y, m, 1))::integer', '(h < ''12:00'')::integer', '(h = lt::time)::integer'], 'moments'),
	each(ARRAY['lt - timestamp ''2000-02-29 12:34:56.789''', 'timestamp ''1999-12-31'' - lt', 'at - lt::timestamptz', 'greatest(lt - d, ''23:00'')', 'coalesce(CASE WHEN k > 100 THEN lt - d END, ''1 day 1 us'')',
		'CASE WHEN k > 0 THEN d - lt END'], 'moments WHERE isfinite(lt)'),
	each(ARRAY['(lt - d > ''12:00'')::integer', '(lt - ''1500-01-01'' <= ''1 mon 500 years'')::integer', '(timestamp ''2000-01-01'' - lt < lt - d)::integer', '(''-170000000 years'' < lt - d)::integer',
		'(lt - d <> ''00:00'')::integer', '(lt - d >= ''170000000 years'')::integer', '(d - lt = ''-12:34:56.789012'')::integer'], 'moments WHERE isfinite(lt)'),
	'SELECT lt - d, count(*), sum(CASE WHEN k > 0 THEN lt - d ELSE ''01:00'' END) FROM moments WHERE isfinite(lt) OR lt IS NULL GROUP BY 1',
	'SELECT DISTINCT d - lt FROM moments WHERE isfinite(lt)',
	'SELECT m, max(longest), count(longest) FROM (SELECT m, k, max(lt - d) AS longest FROM moments WHERE isfinite(lt) GROUP BY 1, 2) AS q WHERE longest > ''5 hours'' GROUP BY 1',
	'SELECT count(*) FROM moments WHERE h < ''12:00'' OR h IN (''23:00'', ''24:00'')',
	'SELECT h, count(*), max(lt) FROM moments WHERE lt::time BETWEEN ''11:00'' AND ''13:30'' GROUP BY 1',
	'SELECT min(h), max(h), count(DISTINCT h), min(lt::time) FROM moments'
]);

-- What is beyond: the ordinary plan decides.
INSERT INTO moments (i, lt, at) VALUES (0, '4713-01-01 BC', '294276-12-31 23:59+00');
SELECT query, CASE WHEN query ~ 'year' AND current_setting('server_version_num')::integer < 140000 THEN 'ordinary' ELSE (regexp_match(made_by(query), '\w+'))[1] END AS made_by, answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS equal
FROM unnest(ARRAY['SELECT date_trunc(''day'', lt), count(*) FROM moments GROUP BY 1', 'SELECT count(*) FROM moments WHERE extract(month FROM at) = 2',
	'SELECT date_trunc(''millennium'', lt), count(*) FROM moments WHERE lt < ''2000-01-01'' GROUP BY 1', 'SELECT extract(year FROM lt), count(*) FROM moments WHERE i > 0 GROUP BY 1',
	'SELECT count(*) FROM moments WHERE d - lt::date > 0', 'SELECT make_date(y, m, 31), count(*) FROM moments GROUP BY 1', 'SELECT date_trunc(''fortnight'', lt), count(*) FROM moments GROUP BY 1',
	'SELECT lt AT TIME ZONE ''Mars/Tharsis'', count(*) FROM moments GROUP BY 1', 'SELECT lt - d, count(*) FROM moments GROUP BY 1',
	'SELECT coalesce(lt - d, ''25:00''), count(*) FROM moments GROUP BY 1', 'SELECT lt - d + interval ''1 day'', count(*) FROM moments GROUP BY 1']) AS query;

-- The longest spans between two timestamps, compared with longer ones
CREATE TABLE spans (a timestamp, b timestamp);
INSERT INTO spans SELECT '294276-12-31 23:59:59.999999', timestamp '1999-12-23 19:59:05.224192' + us * interval '1 us' FROM generate_series(-1, 1) AS us, generate_series(1, 200);
INSERT INTO spans VALUES ('294276-12-31', NULL);
VACUUM ANALYZE spans;
SELECT comparison, made_by(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS equal
FROM (VALUES ('b - a %s ''-170000000 years''', ''), ('''170000000 years'' %s a - b', ' WHERE b >= ''1999-12-23 19:59:05.224192'''),
	('a - b %s ''106751991 days 04:00:54.775807''', ' WHERE b >= ''1999-12-23 19:59:05.224192'''), ('''-106751991 days -04:00:54.775808'' %s b - a', '')) AS c (comparison, rows),
	LATERAL (SELECT 'SELECT ' || string_agg('count(*) FILTER (WHERE ' || format(comparison, operator) || ')', ', ') || ' FROM spans' || rows AS query
		FROM unnest('{<,<=,=,<>,>=,>}'::text[]) AS operator) AS q;

-- The age of one timestamp at another: months of different lengths, leap days, both signs, and nights on which clocks change. Infinite ones are the ordinary plan's.
CREATE TABLE aged AS
SELECT i, date_trunc((ARRAY['month', 'day', 'hour', 'second'])[1 + i % 4], a) + (i % 3 - 1) * interval '1 us' AS a, CASE WHEN i % 50 > 0 THEN date_trunc((ARRAY['day', 'month', 'minute'])[1 + i % 3], b) - (i / 3 % 2) * interval '1 us' END AS b,
	(a + CASE WHEN i % 7 = 0 THEN interval '1 month' ELSE '0' END) AT TIME ZONE 'UTC' AS az, b AT TIME ZONE 'UTC' AS bz
FROM (SELECT i, timestamp '2000-02-29' + hashint4(i) * interval '0.5 s' * (1 + i % 5) AS a, timestamp '2000-02-29' + hashint4(-i) * interval '0.5 s' AS b FROM generate_series(1, 4000) AS i
	UNION ALL SELECT 10000 + i, timestamp '2024-10-27' + i % 37 * interval '11 min 7 s', timestamp '2024-10-27' + i % 41 * interval '13 min 3 s' FROM generate_series(1, 1517) AS i
	UNION ALL SELECT 20000 + i, timestamp '2024-03-01' + i % 37 * interval '1 day 11 min', timestamp '2024-03-31' + i % 41 * interval '13 min 3 s' FROM generate_series(1, 1517) AS i) AS t;
VACUUM ANALYZE aged;
SET timezone = 'Europe/Berlin';
SELECT query, made_by(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS equal
FROM unnest(ARRAY['SELECT i, sum(date_part(''year'', age(a, b))::integer), sum(date_part(''month'', age(a, b))::integer), sum(date_part(''day'', age(a, b))::integer), sum(date_part(''hour'', age(a, b))::integer), sum(date_part(''minute'', age(a, b))::integer), sum((1e6 * date_part(''second'', age(b, a)))::bigint) FROM aged GROUP BY i',
	'SELECT i, sum(date_part(''year'', age(az, bz))::integer), sum(date_part(''month'', age(bz, az))::integer), sum(date_part(''day'', age(az, bz))::integer), sum(date_part(''hour'', age(az, bz))::integer), sum(date_part(''minute'', age(az, bz))::integer), sum((1e6 * date_part(''second'', age(az, bz)))::bigint) FROM aged GROUP BY i',
	'SELECT count(*), sum(i) FROM aged WHERE age(a, b) > ''1 year'' OR age(a, b) BETWEEN ''-3 mons'' AND ''30 days 5 sec''', 'SELECT count(*), sum(i) FROM aged WHERE age(az, bz) < age(a, b)',
	'SELECT count(*), sum(i) FROM aged WHERE age(az) > ''20 years'' AND age(a) <> ''1 year''', 'SELECT count(*), sum(i) FROM aged WHERE age(timestamp ''2010-03-31'', a) = ''1 mon'' OR age(b, a) = ''1 mon 1 us''',
	'SELECT age(a, b), count(*) FROM aged WHERE i < 100 GROUP BY 1', 'SELECT sum(extract(epoch FROM age(a, b))) FROM aged']) AS query;
INSERT INTO aged VALUES (0, 'infinity', '2000-01-01', '-infinity', '2000-01-01'), (-1, '2000-01-01', '4713-01-01 BC', '2000-01-01', '4713-01-01 BC');
SELECT query, (regexp_match(made_by(query), '\w+'))[1] AS made_by, answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS equal
FROM unnest(ARRAY['SELECT count(*) FROM aged WHERE i >= 0 AND age(a, b) > ''1 year''', 'SELECT count(*) FROM aged WHERE i <> 0 AND age(az, bz) > ''1 year''', 'SELECT count(*) FROM aged WHERE i > 0 AND age(az, bz) > ''1 year''']) AS query;
RESET timezone;
DROP TABLE aged;

-- As tools write it
CREATE TABLE series (at timestamptz, lt timestamp, d date, v double precision);
INSERT INTO series SELECT timestamptz '2025-01-01+00' + i * interval '151 s', timestamp '2025-01-01' + i * interval '151 s', date '2025-01-01' + i / 500, i % 977 FROM generate_series(1, 50000) AS i;
VACUUM ANALYZE series;
RESET seq_page_cost;
SELECT * FROM unlike(ARRAY[
	'SELECT floor(extract(epoch FROM at) / 60) * 60, count(*) FROM series GROUP BY 1',
	'SELECT date_bin(''15 minutes'', lt, ''2025-01-01''), count(*) FROM series GROUP BY 1',
	'SELECT date_bin(''15 minutes'', at, ''2025-01-01''), gpu_avg(v) FROM series GROUP BY 1',
	'SELECT date_trunc(''day'', at, ''Europe/Berlin''), count(*) FROM series GROUP BY 1',
	'SELECT (at AT TIME ZONE ''Europe/Berlin'')::date, count(*) FROM series GROUP BY 1',
	'SELECT (lt - interval ''6 hours'')::date, count(*) FROM series GROUP BY 1',
	'SELECT count(*) FROM series WHERE lt >= timestamptz ''2025-03-01+00'' AND lt::time < ''12:00'' AND lt > d',
	'SELECT extract(epoch FROM at), count(*) FROM series WHERE v < 3 GROUP BY 1',
	'SELECT extract(isodow FROM at), lt::time, sum(extract(epoch FROM at - lt)) FROM series WHERE extract(year FROM at) = 2025 AND d - date ''2025-01-01'' < 10 GROUP BY 1, 2'
], 'America/New_York');

-- The session's zone decides when a plan is executed.
SET timezone = 'Europe/Berlin';
SET gpuscan.reports = exact;
SET plan_cache_mode = force_generic_plan;
PREPARE by_day(integer) AS SELECT at::date AS day, count(*) FROM series WHERE date_part('year', at) > $1 GROUP BY 1 ORDER BY 1 LIMIT 2;
EXECUTE by_day(2000);
SET timezone = 'Asia/Kathmandu';
EXECUTE by_day(2000);
SET gpuscan.reports = off;
EXECUTE by_day(2000);
DEALLOCATE by_day;
RESET timezone;
RESET plan_cache_mode;

DROP TABLE zones, changed, moments, series, spans;
DROP FUNCTION unlike, each, changes;
