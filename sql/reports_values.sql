-- Reports with any expression over one column of few values: PostgreSQL evaluates
-- it once for each value.  Against the ordinary plans.
LOAD 'gpuscan';
SET gpuscan.engine = gpu;
SET max_parallel_workers_per_gather = 0;
SET seq_page_cost = 1000000;	-- small tables, too, are worth a report
SET jit = off;
SET timezone = 'UTC';

-- First values are learned, then they are known.
CREATE FUNCTION check_report(query text, OUT made_by text, OUT equal boolean, OUT equal_again boolean) LANGUAGE plpgsql AS $$
DECLARE
	plain text := answer(query, 'off');
BEGIN
	made_by := made_by(query);
	equal := plain IS NOT DISTINCT FROM answer(query, 'exact');
	equal_again := plain IS NOT DISTINCT FROM answer(query, 'exact');
END
$$;

CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN short AS text CHECK (length(value) < 8);
CREATE DOMAIN even AS integer CHECK (value % 2 = 0);
CREATE TABLE every (i integer, k integer, t text, vc varchar(12), c5 char(5), c "char", m mood, u uuid, f boolean, d date,
	number text, v double precision, n numeric(8, 2));
INSERT INTO every
SELECT i, i % 40, (ARRAY['', 'a', 'ab', 'abc', 'Abc', ' abc', 'abc ', E'\u00e9\u00e8', 'abcdefgh', NULL])[1 + i % 10],
	CASE WHEN i % 7 > 0 THEN repeat(chr(65 + i % 5), i % 13) END, (ARRAY['', 'x', E'\u00e9', 'xyz', '12345', NULL])[1 + i % 6],
	(ARRAY['a', '', E'\\351', NULL])[1 + i % 4]::"char", (ARRAY['sad', NULL, 'happy'])[1 + i % 3]::mood,
	CASE WHEN i % 9 > 1 THEN md5((i % 9)::text)::uuid END, (ARRAY[true, false, NULL])[1 + i % 3], date '2000-01-01' + i % 400,
	CASE WHEN i % 11 = 0 THEN 'x' ELSE (i % 11)::text END, i * 0.25, i % 5
FROM generate_series(1, 20000) AS i;
VACUUM ANALYZE every;

-- As filters, keys and arguments, of each type
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), gpu_sum(v) FROM every WHERE t = ''abc'' OR t LIKE ''A%''',
	'SELECT upper(t), count(*) FROM every GROUP BY 1',
	'SELECT length(t), sum(length(t)), max(length(t) + i) FROM every GROUP BY 1',
	'SELECT count(*) FROM every WHERE t < ''abc'' COLLATE "C"',
	'SELECT count(*) FROM every WHERE lower(t COLLATE "C") IN (''abc'', ''a'') AND i > 10',
	'SELECT t COLLATE "C", vc::text, count(*) FROM every GROUP BY 1, 2',
	'SELECT vc::varchar(2), count(*) FROM every GROUP BY 1',
	'SELECT t::char(3), count(*) FROM every GROUP BY 1',
	'SELECT left(t, 1), right(vc, 1), count(*) FROM every GROUP BY 1, 2',
	'SELECT c5 || ''|'', length(c5), octet_length(c5), count(*) FROM every GROUP BY 1, 2, 3',
	'SELECT c5::text, c5::char(2), c5 = ''x'', count(*) FROM every GROUP BY 1, 2, 3',
	'SELECT count(*) FROM every WHERE c5 LIKE ''x  %'' OR c5 = E''\u00e9''',
	'SELECT c::text, c > ''a'', count(*) FROM every GROUP BY 1, 2',
	'SELECT m::text, m > ''ok'', coalesce(m, ''ok''), count(*) FROM every GROUP BY 1, 2, 3',
	'SELECT u::text, left(u::text, 1), u > ''8''::text::uuid, count(*) FROM every WHERE f GROUP BY 1, 2, 3',
	'SELECT u::text, left(u::text, 1), count(*) FROM every WHERE u < md5(''1'')::uuid GROUP BY 1, 2',
	'SELECT f::text, CASE WHEN f THEN ''yes'' WHEN NOT f THEN ''no'' END, count(*) FROM every GROUP BY 1, 2',
	'SELECT CASE WHEN k < 10 THEN ''low'' WHEN k < 20 THEN ''medium'' END, count(*) FROM every GROUP BY 1',
	'SELECT k % 7, to_char(k, ''FM000''), k::text, count(*) FROM every GROUP BY 1, 2, 3',
	'SELECT round(k / 3.0, 1), sum(round(k / 3.0, 1)), count(*) FROM every GROUP BY 1',
	'SELECT sqrt(k), gpu_sum(ln(k + 1)), max(sin(k)) FROM every GROUP BY 1',
	'SELECT extract(year FROM d), extract(month FROM d), count(*) FROM every GROUP BY 1, 2',
	'SELECT date_trunc(''month'', d), to_char(d, ''Day''), count(*) FROM every GROUP BY 1, 2',
	'SELECT count(*) FROM every WHERE d > date ''2000-01-01'' + interval ''3 months'' AND extract(dow FROM d) IN (0, 6)',
	'SELECT d + k, count(*) FROM every GROUP BY 1',
	'SELECT (d + 1)::text, sum(extract(day FROM d)::integer) FILTER (WHERE t ~ ''^a'') FROM every GROUP BY 1',
	'SELECT coalesce(t, ''none''), t IS NULL, nullif(t, ''a''), count(*) FROM every GROUP BY 1, 2, 3',
	'SELECT count(upper(t)), count(nullif(vc, '''')), count(*) FILTER (WHERE m IS DISTINCT FROM ''sad'') FROM every',
	'SELECT CASE t WHEN ''a'' THEN vc END, count(*) FROM every GROUP BY 1',
	'SELECT CASE t WHEN ''a'' THEN i WHEN lower(''ABC'') THEN -i ELSE length(vc) END, count(*) FROM every GROUP BY 1',
	'SELECT greatest(t, ''abc''), least(k, 5), count(*) FROM every GROUP BY 1, 2',
	'SELECT greatest(c5, ''x''::text) || ''|'', count(*) FROM every GROUP BY greatest(c5, ''x''::text)',
	'SELECT concat(t, current_user), count(*) FROM every GROUP BY 1',
	'SELECT (string_to_array(t, ''b''))[1], count(*) FROM every GROUP BY 1',
	'SELECT n::text, count(*) FROM every GROUP BY 1',
	'SELECT v::text, count(*) FROM every GROUP BY 1']) AS query, check_report(query) AS r;

-- Sorted by the expression, not by codes
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT upper(t), count(*) FROM every GROUP BY 1 ORDER BY 1',
	'SELECT lower(t) COLLATE "C", count(*) FROM every GROUP BY 1 ORDER BY 1 DESC',
	'SELECT k % 3, greatest(t, ''b'') AS g, count(*) FROM every GROUP BY 1, 2 ORDER BY 1, 2',
	'SELECT length(t), count(*) FROM every GROUP BY 1 ORDER BY 1',
	'SELECT CASE WHEN k > 20 THEN ''a'' ELSE ''b'' END, count(*) FROM every GROUP BY 1 ORDER BY 1',
	'SELECT round(k / 3.0, 1), count(*) FROM every GROUP BY 1 ORDER BY 1',
	'SELECT m::text, count(*) FROM every GROUP BY 1 ORDER BY 1 NULLS FIRST',
	'SELECT coalesce(m, ''ok''), count(*) FROM every GROUP BY 1 ORDER BY 1']) AS query, check_report(query) AS r;

-- What is no value of a plan, differs from row to row, or has side effects
CREATE FUNCTION noted(text) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RAISE WARNING ''told of %'', $1; RETURN 1; END';
CREATE FUNCTION first_letter(text) RETURNS text LANGUAGE sql IMMUTABLE LEAKPROOF AS 'SELECT left($1, 1) FROM generate_series(1, 1)';
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT ROW(t, 1)::text, count(*) FROM every GROUP BY 1',
	'SELECT ROW(t, 1), count(*) FROM every GROUP BY 1',
	'SELECT string_to_array(t, ''b''), count(*) FROM every GROUP BY 1',
	'SELECT t::bytea, count(*) FROM every WHERE i < 0 GROUP BY 1',
	'SELECT t::name, count(*) FROM every GROUP BY 1',
	'SELECT d - current_timestamp::timestamp, count(*) FROM every WHERE i < 0 GROUP BY 1',
	'SELECT generate_series(1, k % 3), count(*) FROM every GROUP BY 1',
	'SELECT k % 3, generate_series(1, 2), count(*) FROM every GROUP BY 1',
	'SELECT unnest(string_to_array(t, ''b'')), count(*) FROM every GROUP BY 1',
	'SELECT count(*) FROM every WHERE length(t) > random() * 0',
	'SELECT count(*) FROM every WHERE t || vc = ''aA''',
	'SELECT max(upper(t)), count(DISTINCT upper(t)::bytea) FROM every',
	'SELECT count(*) FROM every AS e WHERE (SELECT count(*) FROM every WHERE t = e.t AND i < 3) > 1 AND i < 10',
	'SELECT count(*) FROM every AS e WHERE length(e::text) > 50',
	'SELECT length(tableoid::regclass::text), count(*) FROM every GROUP BY 1',
	'SELECT first_letter(t), count(*) FROM every GROUP BY 1',
	'SELECT (k * 2)::even, count(*) FROM every GROUP BY 1',
	'SELECT (k * 2)::even + 1, count(*) FROM every GROUP BY 1',
	'SELECT length(t::short), count(*) FROM every WHERE i % 10 <> 8 GROUP BY 1']) AS query, check_report(query) AS r;
-- a function that is not built in must not learn of values in other rows
SET gpuscan.reports = exact;
SELECT sum(noted(t)), count(*) FROM every WHERE i = 1;
ALTER DOMAIN short ADD CHECK (noted(value) = 1);
SELECT sum(length(t::short)), count(*) FROM every WHERE i = 1;
-- nor of a domain within another type, which functions that are built in make
CREATE DOMAIN told AS text CHECK (noted(value) = 1);
CREATE TYPE tells AS (t told, l told[]);
CREATE TYPE tells_range AS RANGE (SUBTYPE = told);
CREATE DOMAIN tells_again AS tells;
SELECT query, made_by(query)
FROM unnest(ARRAY[
	'SELECT count(*) FROM every WHERE i < 0 AND (''{'' || t || ''}'')::told[] IS NULL',
	'SELECT count(*) FROM every WHERE i < 0 AND (''('' || t || '',)'')::tells IS NULL',
	'SELECT count(*) FROM every WHERE i < 0 AND (''('' || t || '',)'')::tells_again[] IS NULL',
	'SELECT count(*) FROM every WHERE i < 0 AND (''[a,'' || t || ''z]'')::tells_range IS NULL',
	'SELECT count(*) FROM every WHERE i < 0 AND array_in((''{'' || t || ''}'')::cstring, ''told''::regtype::oid, -1) IS NULL',
	'SELECT count(*) FROM every WHERE i < 0 AND domain_in(t::cstring, ''told''::regtype::oid, -1) IS NULL',
	'SELECT count(*) FROM every WHERE i < 0 AND jsonb_populate_record(NULL::tells, jsonb_build_object(''t'', t)) IS NULL',
	'SELECT count(*) FROM every WHERE i < 0 AND jsonb_populate_record(NULL::tells_again, jsonb_build_object(''t'', t)) IS NULL',
	'SELECT count(*) FROM every WHERE i < 0 AND json_populate_record((SELECT ROW(NULL::told)), json_build_object(''f1'', t)) IS NULL',
	'SELECT count(*) FROM every WHERE i < 0 AND (''{'' || t || ''}'')::text[] IS NULL',
	'SELECT count(*) FROM every WHERE i < 0 AND concat(t, ''ok''::mood)::varchar = ''a''']) AS query;
DROP TYPE tells_range;
DROP DOMAIN tells_again;
DROP TYPE tells;
DROP DOMAIN told;

-- Values that raise errors: in rows that count, or not
CREATE FUNCTION internal_error(integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS
	'BEGIN IF $1 = 7 THEN RAISE EXCEPTION ''internal'' USING ERRCODE = ''XX000''; END IF; RETURN $1 / 2; END';
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT number::integer, count(*) FROM every GROUP BY 1',
	'SELECT number::integer, count(*) FROM every WHERE number <> ''x'' GROUP BY 1',
	'SELECT sum(number::integer), gpu_avg(CASE WHEN number <> ''x'' THEN number::double precision END) FROM every WHERE i % 11 > 0',
	'SELECT CASE WHEN number = ''x'' THEN -1 ELSE number::integer END, count(*) FROM every GROUP BY 1',
	'SELECT (''1'' || number)::numeric(5, 1), count(*) FROM every WHERE number <> ''x'' GROUP BY 1',
	'SELECT number::boolean, count(*) FROM every WHERE number IN (''1'', ''0'') GROUP BY 1',
	'SELECT upper(number::integer::text), count(*) FROM every WHERE number < ''a'' COLLATE "C" GROUP BY 1',
	'SELECT count(*) FROM every WHERE number::integer > 3 AND number <> ''x''',
	'SELECT count(*) FROM every WHERE number <> ''x'' AND number::integer > 3',
	'SELECT coalesce(nullif(number, ''x''), ''5'')::real, count(*) FROM every GROUP BY 1',
	'SELECT internal_error(k), count(*) FROM every GROUP BY 1',
	'SELECT internal_error(k), count(*) FROM every WHERE k <> 7 GROUP BY 1',
	'SELECT sqrt(20 - k), count(*) FROM every GROUP BY 1',
	'SELECT sqrt(20 - k), count(*) FROM every WHERE k <= 20 GROUP BY 1',
	'SELECT (1.5 ^ (k - 10))::numeric(4, 2), count(*) FROM every WHERE k < 12 GROUP BY 1',
	'SELECT length(rpad(t, 2000000000)), count(*) FROM every WHERE i < 0 GROUP BY 1',
	'SELECT rpad(vc, 4000000), count(*) FROM every WHERE i < 0 GROUP BY 1',
	'SELECT k / nullif(k, k), 10 % (k / 3 * 3 - k + 1), count(*) FROM every GROUP BY 1, 2']) AS query, check_report(query) AS r;

-- A query that is cancelled meanwhile ends its subtransactions.
CREATE FUNCTION slow(integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS 'BEGIN PERFORM pg_sleep(0.2); RETURN $1; END';
SET statement_timeout = '3s';
DO $$
BEGIN
	CREATE TEMPORARY TABLE outside (i integer);
	BEGIN
		CREATE TEMPORARY TABLE inside (i integer);
		PERFORM slow(k), count(*) FROM every WHERE k < 0 GROUP BY 1;
	EXCEPTION WHEN query_canceled THEN
		RAISE WARNING 'cancelled';
	END;
END $$;
RESET statement_timeout;
SELECT to_regclass('outside') IS NOT NULL AS outside, to_regclass('inside') IS NOT NULL AS inside;

-- Subqueries behind parameters are evaluated if a row needs them, and not within a subtransaction.
CREATE TABLE word AS SELECT chr(96 + i) AS word, i FROM generate_series(1, 9) AS i;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*) FROM every WHERE t = (SELECT word FROM word WHERE i = 1)',
	'SELECT count(*) FROM every WHERE upper(t) = (SELECT upper(word) FROM word WHERE i = 1)',
	'SELECT count(*) FROM every WHERE (t = ''a'') = EXISTS (SELECT FROM word)',
	'SELECT count(*) FROM every WHERE lower(t) = ANY (ARRAY(SELECT word FROM word))',
	'SELECT t || (SELECT word FROM word WHERE i = 2), count(*) FROM every GROUP BY 1',
	'SELECT count(t || (SELECT word FROM word WHERE i = 2)) FROM every WHERE i < 0',
	'SELECT count(*) FROM every WHERE t = (SELECT (1 / (i - 1))::text FROM word WHERE i = 1)',
	'SELECT count(*) FROM every WHERE i < 0 AND t = (SELECT (1 / (i - 1))::text FROM word WHERE i = 1)',
	'SELECT count(*) FROM every WHERE CASE WHEN t = ''z'' THEN (SELECT 1 / (i - 1) FROM word WHERE i = 1) ELSE 1 END = 1',
	'SELECT CASE WHEN t = ''z'' THEN (SELECT (1 / (i - 1))::text FROM word WHERE i = 1) ELSE t END, count(*) FROM every GROUP BY 1',
	'SELECT count(*) FROM every WHERE to_char(number::integer, ''9'') = (SELECT (1 / (i - 1))::text FROM word WHERE i = 1)',
	'SELECT word, (SELECT count(*) FROM every WHERE lower(t) LIKE word || ''%'' AND d > date ''2000-01-01'' + w.i) FROM word AS w',
	'SELECT word, n FROM word AS w, LATERAL (SELECT left(t, w.i), count(*) FROM every GROUP BY 1) AS r(l, n)']) AS query, check_report(query) AS r;

-- Reports within functions that are evaluated
CREATE FUNCTION counted(integer) RETURNS bigint LANGUAGE plpgsql STABLE AS
	'DECLARE r bigint; BEGIN SELECT count(*) INTO r FROM every WHERE length(t) = $1; RETURN r; END';
SELECT query, r.* FROM unnest(ARRAY['SELECT counted(k % 5), count(*) FROM every WHERE i < 30 GROUP BY 1']) AS query, check_report(query) AS r;

-- Integers at the ends of their types, and far apart
CREATE TABLE ends (i integer, s smallint, low bigint, high bigint, far bigint, one bigint, none bigint);
INSERT INTO ends SELECT i, i % 65536 - 32768, -9223372036854775808 + i % 9, 9223372036854775807 - i % 9,
	CASE WHEN i % 2 = 0 THEN -9223372036854775808 ELSE 9223372036854775807 END, -9223372036854775808, NULL
FROM generate_series(0, 70000) AS i;
VACUUM ANALYZE ends;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT to_char(s, ''S99999''), count(*) FROM ends GROUP BY 1',
	'SELECT low::text, high::text, count(*) FROM ends GROUP BY 1, 2',
	'SELECT low / -1 FROM ends GROUP BY 1',
	'SELECT gpu_sum(ln(high)), count(*) FROM ends WHERE i < 100',
	'SELECT far::text, count(*) FROM ends GROUP BY 1',
	'SELECT one::text, none::text, coalesce(none::text, ''none''), count(*) FROM ends GROUP BY 1, 2, 3',
	'SELECT (i / 1000)::text, count(*) FROM ends GROUP BY 1',
	'SELECT md5(i::text), count(*) FROM ends GROUP BY 1',
	'SELECT none::text, count(*) FROM ends WHERE i < 0 GROUP BY 1']) AS query, check_report(query) AS r;

-- Dates and times before Christ, and at infinity
CREATE TABLE days (d date, e date, z timestamp, y timestamp, x timestamptz);
INSERT INTO days SELECT date '0044-03-15 BC' + i % 3000, CASE WHEN i % 2 = 0 THEN 'infinity' ELSE '-infinity' END::date,
	timestamp '2999-01-01 00:00:30 BC' + i % 5000 * interval '20 minutes', '-infinity', 'infinity'
FROM generate_series(0, 20000) AS i;
VACUUM ANALYZE days;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT extract(year FROM d), to_char(d, ''YYYY BC''), count(*) FROM days GROUP BY 1, 2',
	'SELECT e::text, count(*) FROM days GROUP BY 1',
	'SELECT extract(year FROM e), count(*) FROM days GROUP BY 1',
	'SELECT date_trunc(''day'', z), date_trunc(''hour'', z), count(*) FROM days GROUP BY 1, 2',
	'SELECT date_trunc(''minute'', z), count(*) FROM days GROUP BY 1',
	'SELECT date_trunc(''day'', y), date_trunc(''day'', x), count(*) FROM days GROUP BY 1, 2',
	'SELECT to_char(y, ''YYYY''), to_char(x, ''HH''), count(*) FROM days GROUP BY 1, 2',
	'SELECT x::date, count(*) FROM days GROUP BY 1']) AS query, check_report(query) AS r;

-- Granules of times.  Newfoundland's clocks change at 0:01, Lord Howe's by half
-- an hour, and Liberia left 44:30.
CREATE TABLE times (z timestamp, y timestamptz);
INSERT INTO times SELECT timestamp '2007-03-01' + i * interval '3 minutes 0.25 seconds', timestamptz '2007-03-01 UTC' + i * interval '3 minutes 0.25 seconds'
FROM generate_series(0, 29000) AS i;
CREATE TABLE old_times AS SELECT y - interval '12841 days' AS y FROM times;
VACUUM ANALYZE times, old_times;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT date_trunc(''day'', z), count(*) FROM times GROUP BY 1',
	'SELECT date_trunc(''hour'', z), extract(minute FROM z), count(*) FROM times GROUP BY 1, 2',
	'SELECT date_trunc(''week'', z), date_part(''year'', z), z::date, count(*) FROM times GROUP BY 1, 2, 3',
	'SELECT to_char(z, ''YYYY-MM-DD HH24:MI''), count(*) FROM times GROUP BY 1',
	'SELECT to_char(z, ''SS''), count(*) FROM times GROUP BY 1',
	'SELECT to_char(z, ''"of" PM HH''), to_char(z, ''Q IW Day''), count(*) FROM times GROUP BY 1, 2',
	'SELECT extract(second FROM z), count(*) FROM times GROUP BY 1',
	'SELECT date_trunc(''hour'', z) + interval ''30 minutes'', count(*) FROM times GROUP BY 1',
	'SELECT date_trunc(''hour'', z + interval ''30 minutes''), count(*) FROM times GROUP BY 1',
	'SELECT CASE WHEN extract(hour FROM z) < 12 THEN ''am'' ELSE ''pm'' END, count(*) FROM times WHERE date_trunc(''day'', z) > ''2007-03-05'' GROUP BY 1',
	'SELECT CASE WHEN extract(hour FROM z) < 12 THEN z END, count(*) FROM times GROUP BY 1']) AS query, check_report(query) AS r;
CREATE TABLE zone (number integer, name text);
INSERT INTO zone VALUES (1, 'UTC'), (2, 'America/New_York'), (3, 'Asia/Kolkata'), (4, 'Asia/Kathmandu'), (5, 'Australia/Lord_Howe'),
	(6, 'America/St_Johns'), (7, 'Africa/Monrovia'), (8, '<x>-3:07'), (9, 'Europe/Dublin');
CREATE FUNCTION check_in_zone(zone text, query text, OUT made_by text, OUT equal boolean, OUT equal_again boolean) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('timezone', zone, false);
	SELECT r.made_by, r.equal, r.equal_again INTO made_by, equal, equal_again FROM check_report(query) AS r;
END
$$;
SELECT name, query, r.*
FROM zone, unnest(ARRAY[
	'SELECT date_trunc(''day'', y), count(*) FROM times GROUP BY 1',
	'SELECT to_char(y, ''YYYY-MM-DD HH24 OF''), extract(hour FROM y), y::date, date_trunc(''hour'', y), count(*) FROM times GROUP BY 1, 2, 3, 4',
	'SELECT date_trunc(''day'', y), extract(hour FROM y), count(*) FROM old_times GROUP BY 1, 2']) AS query, check_in_zone(name, query) AS r
ORDER BY number, query;
-- a prepared statement in another zone
SET timezone = 'America/New_York';
SET plan_cache_mode = force_generic_plan;
PREPARE by_day(integer) AS SELECT md5(string_agg(r::text, ';' ORDER BY r::text)) FROM
	(SELECT date_trunc('day', y) AS d, to_char(y, 'HH24') AS h, extract(hour FROM y) + $1, count(*) FROM times GROUP BY 1, 2, 3) AS r;
SET gpuscan.reports = exact;
EXECUTE by_day(1) \gset exact_
SET timezone = 'Asia/Kathmandu';
EXECUTE by_day(1) \gset exact_again_
EXECUTE by_day(2) \gset exact_other_
DEALLOCATE by_day;
SET gpuscan.reports = off;
PREPARE by_day(integer) AS SELECT md5(string_agg(r::text, ';' ORDER BY r::text)) FROM
	(SELECT date_trunc('day', y) AS d, to_char(y, 'HH24') AS h, extract(hour FROM y) + $1, count(*) FROM times GROUP BY 1, 2, 3) AS r;
EXECUTE by_day(1) \gset plain_again_
EXECUTE by_day(2) \gset plain_other_
SET timezone = 'America/New_York';
EXECUTE by_day(1) \gset plain_
SELECT :'exact_md5' = :'plain_md5' AS equal, :'exact_again_md5' = :'plain_again_md5' AS again, :'exact_other_md5' = :'plain_other_md5' AS other,
	:'exact_md5' <> :'exact_again_md5' AS zones_differ;
RESET plan_cache_mode;
SET timezone = 'UTC';

-- Rows that come later: a new value, one below and above the range, and just
-- beside its granules
CREATE TABLE later (i integer, k integer, t text, z timestamp, y timestamptz, b bigint, f boolean) WITH (autovacuum_enabled = off);
INSERT INTO later SELECT i, 100 + i % 10, 'old ' || i % 10, timestamp '2020-01-01 10:00' + i % 100 * interval '1 hour',
	timestamptz '2020-01-01 10:00 UTC' + i % 100 * interval '1 hour', i % 3, true
FROM generate_series(1, 6000) AS i;
VACUUM ANALYZE later;
CREATE FUNCTION check_later(change text, OUT not_made text, OUT all_equal boolean) LANGUAGE plpgsql AS $$
DECLARE
	query text;
	r record;
BEGIN
	EXECUTE change;
	all_equal := true;
	FOREACH query IN ARRAY ARRAY[
		'SELECT upper(t), count(*) FROM later GROUP BY 1',
		'SELECT to_char(k, ''999999999''), t LIKE ''%1'', count(*) FROM later GROUP BY 1, 2',
		'SELECT date_trunc(''hour'', z), count(*) FROM later GROUP BY 1',
		'SELECT date_trunc(''day'', y), extract(hour FROM y), count(*) FROM later GROUP BY 1, 2',
		'SELECT b::text, coalesce(f::text, ''unknown''), count(*) FROM later GROUP BY 1, 2',
		'SELECT to_char(z, ''DD HH24:MI''), lower(t), b::text, count(*) FROM later WHERE length(t) > 1 GROUP BY 1, 2, 3'] LOOP
		SELECT * INTO r FROM check_report(query);
		IF r.made_by <> 'service' THEN
			not_made := concat_ws('; ', not_made, substr(query, 8, 19) || ' ' || r.made_by);
		END IF;
		all_equal := all_equal AND r.equal AND r.equal_again;
	END LOOP;
END
$$;
SELECT change, r.*
FROM unnest(ARRAY[
	'SELECT',
	'INSERT INTO later VALUES (0, 99, ''new'', ''2020-01-01 09:59:59.999999'', ''2020-01-01 09:59:59.999999 UTC'', -1)',
	'INSERT INTO later VALUES (0, 110, ''New'', ''2020-01-05 14:00'', ''2020-01-05 14:00 UTC'', 3)',
	'INSERT INTO later VALUES (0, 50, NULL, ''2020-01-01 08:00'', ''2020-01-01 08:00 UTC'', -10)',
	'INSERT INTO later VALUES (0, 150000, ''newer'', ''2021-01-05 14:00'', ''2021-01-05 14:00 UTC'', 3000)',
	'INSERT INTO later VALUES (NULL, NULL, NULL, NULL, NULL, NULL, NULL)',
	'UPDATE later SET k = k - 200, z = z - interval ''3 days'', t = ''newest'' WHERE i % 1000 = 0',
	'DELETE FROM later WHERE k > 1000',
	'INSERT INTO later VALUES (0, 0, '''', ''infinity'', ''2020-01-05 14:00 UTC'', 0)',
	'INSERT INTO later VALUES (0, 2147483647, ''a'', ''-infinity'', ''-infinity'', -9223372036854775808)',
	'DELETE FROM later WHERE NOT isfinite(z) OR k > 1000']) AS change, check_later(change) AS r;
DELETE FROM later WHERE z > '2021-01-01';
ALTER TABLE later ALTER k TYPE smallint;
VACUUM ANALYZE later;
SELECT change, r.*
FROM unnest(ARRAY['SELECT', 'INSERT INTO later VALUES (0, -32768, ''ab'', NULL, NULL, 8)']) AS change, check_later(change) AS r;

-- Infinite times have places of their own, also if they come later, and if there are no others
CREATE TABLE endless WITH (autovacuum_enabled = off) AS
	SELECT date '2020-01-01' + i % 700 AS d, timestamp '2020-01-01' + i % 700 * interval '7 hours' AS z, i % 4 AS k FROM generate_series(1, 20000) AS i;
VACUUM ANALYZE endless;
CREATE FUNCTION check_endless(change text, OUT made_by text, OUT all_equal boolean) LANGUAGE plpgsql AS $$
DECLARE
	query text;
	r record;
BEGIN
	EXECUTE change;
	all_equal := true;
	FOREACH query IN ARRAY ARRAY[
		'SELECT to_char(d, ''YYYY-MM''), count(*) FROM endless GROUP BY 1',
		'SELECT to_char(z, ''IYYY-IW''), to_char(d, ''Day''), count(*), gpu_sum(k) FROM endless WHERE isfinite(d) GROUP BY 1, 2',
		'SELECT d::text, count(*) FROM endless WHERE to_char(z, ''YYYY'') IS NULL GROUP BY 1'] LOOP
		r := check_report(query);
		all_equal := all_equal AND r.equal AND r.equal_again;
		made_by := concat_ws(', ', made_by, r.made_by);
	END LOOP;
END
$$;
SELECT change, r.* FROM unnest(ARRAY['SELECT',
	'UPDATE endless SET d = ''infinity'', z = ''-infinity'' WHERE k = 1 AND d < ''2020-02-01''',
	'ANALYZE endless',
	'UPDATE endless SET d = ''-infinity'', z = ''infinity'' WHERE k = 2',
	'DELETE FROM endless WHERE isfinite(d)',
	'INSERT INTO endless VALUES (''5874897-12-31'', ''294276-12-31'', 0)']) AS change, check_endless(change) AS r;
DROP TABLE endless;
DROP FUNCTION check_endless;

-- Of only infinite times, and of times that come where there were none; of more columns than one plan finds the ranges of
CREATE TABLE times_later (never date, z timestamp) WITH (autovacuum_enabled = off);
INSERT INTO times_later SELECT CASE WHEN i % 3 = 0 THEN 'infinity' ELSE '-infinity' END::date FROM generate_series(1, 20000) AS i;
VACUUM ANALYZE times_later;
SELECT query, r.* FROM unnest(ARRAY[
	'SELECT to_char(never, ''YYYY''), never::text, count(*) FROM times_later GROUP BY 1, 2',
	'SELECT to_char(z, ''HH24:MI''), count(*) FROM times_later GROUP BY 1']) AS query, check_report(query) AS r;
INSERT INTO times_later SELECT NULL, timestamp '2025-01-01' + i * interval '7 minutes' FROM generate_series(1, 20000) AS i;
SELECT r.* FROM check_report('SELECT to_char(z, ''HH24:MI''), count(*) FROM times_later GROUP BY 1') AS r;
DO $$
BEGIN
	EXECUTE (SELECT format('CREATE TABLE columns WITH (autovacuum_enabled = off) AS SELECT %s FROM generate_series(1, 20000) AS i', string_agg(format('(i + %s) %% 9 AS c%1$s', n), ', ')) FROM generate_series(1, 30) AS n);
END $$;
VACUUM ANALYZE columns;
SELECT r.* FROM (SELECT string_agg(format('to_char(c%s, ''9'') <> '' 7''', n), ' AND ') AS c FROM generate_series(1, 30) AS n WHERE n % 9 < 8) AS q,
	check_report('SELECT count(*) FROM columns WHERE ' || c) AS r;
DROP TABLE times_later, columns;

-- A new value whose error must not be lost because another condition is false
CREATE TABLE added (t text, k integer) WITH (autovacuum_enabled = off);
INSERT INTO added SELECT (i % 10)::text, i % 4 FROM generate_series(1, 20000) AS i;
VACUUM ANALYZE added;
CREATE FUNCTION check_added(change text, OUT made_by text, OUT equal boolean, OUT equal_again boolean) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE change;
	SELECT r.made_by, r.equal, r.equal_again INTO made_by, equal, equal_again
		FROM check_report('SELECT count(*) FROM added WHERE t::integer > 3 AND k + 0 + 0 + 0 = 1') AS r;
END
$$;
SELECT change, r.* FROM unnest(ARRAY['SELECT', 'INSERT INTO added VALUES (''x'', 2)', 'UPDATE added SET k = 1 WHERE t = ''x''']) AS change, check_added(change) AS r;

-- An enum that gets new values, between the others
CREATE TABLE felt AS SELECT (ARRAY['sad', 'ok', 'happy'])[1 + i % 3]::mood AS m FROM generate_series(1, 20000) AS i;
VACUUM ANALYZE felt;
SELECT r.* FROM check_report('SELECT m > ''ok'', m::text, upper(m::text), count(*) FROM felt GROUP BY 1, 2, 3') AS r;
BEGIN;
ALTER TYPE mood ADD VALUE 'rolled back' BEFORE 'ok';
SELECT r.* FROM check_report('SELECT m > ''ok'', m::text, upper(m::text), count(*) FROM felt GROUP BY 1, 2, 3') AS r;
ROLLBACK;
ALTER TYPE mood ADD VALUE 'tired' BEFORE 'ok';
ALTER TYPE mood RENAME VALUE 'sad' TO 'gloomy';
INSERT INTO felt VALUES ('tired'), ('gloomy');
SELECT r.* FROM check_report('SELECT m > ''ok'', m::text, upper(m::text), count(*) FROM felt GROUP BY 1, 2, 3') AS r;

-- Functions that are replaced, and settings, between executions
CREATE FUNCTION of_number(integer) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN ''first '' || $1 % 2; END';
CREATE FUNCTION of_table(integer) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT count(*) + $1 % 2 FROM word';
SET gpuscan.reports = exact;
PREPARE replaced(integer) AS SELECT of_number(k) AS of_number, of_table(k) AS of_table, (k % $1)::real / 3 AS third, count(*) FROM every GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
EXECUTE replaced(1);
CREATE OR REPLACE FUNCTION of_number(integer) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN ''second '' || $1 % 2; END';
DELETE FROM word WHERE i = 9;
EXECUTE replaced(2);
SET plan_cache_mode = force_generic_plan;
EXECUTE replaced(1);
EXECUTE replaced(2);
RESET plan_cache_mode;
SELECT r.* FROM check_report('SELECT (k::real / 3)::text, count(*) FROM every GROUP BY 1') AS r;
SET extra_float_digits = 0;
SELECT r.* FROM check_report('SELECT (k::real / 3)::text, count(*) FROM every GROUP BY 1') AS r;
RESET extra_float_digits;
SET gpuscan.reports = exact;

-- Results that the session has kept: not those of other settings or other values
CREATE TABLE kept (t text, u text, k integer, tz timestamptz, ts timestamp) WITH (autovacuum_enabled = off);
INSERT INTO kept
SELECT 'a' || i % 7, 'b' || i % 7, i % 50, timestamptz '2021-03-20 12:10+00' + i * interval '7 minutes', timestamp '2021-03-20 12:10' + i * interval '7 minutes'
FROM generate_series(1, 3000) AS i;
VACUUM ANALYZE kept;
CREATE VIEW wrong AS
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT upper(t), upper(u), count(*) FROM kept GROUP BY 1, 2',
	'SELECT upper(t), max(lower(u)), count(*) FROM kept WHERE upper(u) <> ''B2'' GROUP BY 1',
	'SELECT date_trunc(''day'', tz), extract(hour FROM tz), tz::date, count(*) FROM kept GROUP BY 1, 2, 3',
	'SELECT to_char(tz, ''YYYY-MM-DD HH24 TZ''), count(*) FROM kept GROUP BY 1',
	'SELECT (timestamptz ''2021-03-20 12:00+00'' + k * interval ''1 hour'') AT TIME ZONE ''EST'', count(*) FROM kept GROUP BY 1',
	'SELECT (k::real / 3)::text, (date ''2021-03-01'' + k)::text, to_char(k, ''999D9''), count(*) FROM kept GROUP BY 1, 2, 3']) AS query, check_report(query) AS r
WHERE NOT (r.equal AND r.equal_again AND r.made_by = 'service');
SELECT * FROM wrong;
SET timezone = 'Asia/Kolkata';
SELECT * FROM wrong;
SET timezone = 'America/New_York';
SET datestyle = 'German';
SELECT * FROM wrong;
SET timezone_abbreviations = 'Australia';
SET extra_float_digits = 0;
SELECT * FROM wrong;
RESET datestyle;
RESET timezone_abbreviations;
RESET extra_float_digits;
SET timezone = 'UTC';
INSERT INTO kept SELECT 'c' || i % 3, 'b' || i % 9, i % 60, timestamptz '2021-03-18 12:10+00' + i * interval '1 hour', timestamp '2021-03-18' FROM generate_series(1, 1000) AS i;
SELECT * FROM wrong;
SELECT gpuscan_cache_clear() > 0 AS cleared;
INSERT INTO kept VALUES ('new', 'new', -1, '2021-03-01', '2021-03-01');
SELECT * FROM wrong;
-- They are used, and do not take much memory, however many expressions there are.
\c
LOAD 'gpuscan';
SET gpuscan.engine = gpu;
SET max_parallel_workers_per_gather = 0;
SET cpu_operator_cost = 100;
SET seq_page_cost = 0.01;
SET cpu_tuple_cost = 0.000001;
SET jit = off;
SET timezone = 'UTC';
SET gpuscan.reports = exact;
DO $$
DECLARE
	contexts text := 'SELECT count(*), coalesce(sum(total_bytes), 0) FROM pg_backend_memory_contexts WHERE name = ''gpuscan table of results''';
	before bigint;
	n bigint;
	bytes bigint;
BEGIN
	IF to_regclass('pg_catalog.pg_backend_memory_contexts') IS NULL THEN	-- before 14
		RETURN;
	END IF;
	EXECUTE contexts INTO before, bytes;
	FOR i IN 1..3 LOOP
		PERFORM lower(upper(t)), count(*) FROM kept GROUP BY 1;
	END LOOP;
	EXECUTE contexts INTO n, bytes;
	IF before <> 0 OR n <> 1 THEN
		RAISE WARNING '% tables before, then %', before, n;
	END IF;
	FOR i IN 1..100 LOOP
		EXECUTE format('SELECT rpad(t, 1000 * %s), count(*) FROM kept GROUP BY 1', i);
		EXECUTE format('SELECT k + %s > 10, count(*) FROM kept GROUP BY 1', i);
	END LOOP;
	EXECUTE contexts INTO n, bytes;
	IF n > 65 OR bytes > 24 * 1024 * 1024 THEN
		RAISE WARNING '% tables, % bytes', n, bytes;
	END IF;
END $$;
DROP VIEW wrong;

-- Cursors, while other reports run, and several at once
BEGIN;
DECLARE upper_t SCROLL CURSOR FOR SELECT upper(t) AS upper, count(*) FROM every GROUP BY 1 ORDER BY upper(t) COLLATE "C";
DECLARE kept CURSOR WITH HOLD FOR SELECT left(vc, 2) AS vc, count(*) FROM every GROUP BY 1 ORDER BY left(vc, 2) COLLATE "C";
FETCH 2 FROM upper_t;
FETCH 2 FROM kept;
SAVEPOINT s;
SELECT length(t), count(*) FROM every GROUP BY 1 ORDER BY 1 LIMIT 3;
SELECT number::integer FROM every GROUP BY 1;
ROLLBACK TO s;
FETCH 2 FROM upper_t;
MOVE ABSOLUTE 0 FROM upper_t;
FETCH 2 FROM upper_t;
COMMIT;
FETCH 3 FROM kept;
CLOSE kept;

-- In parallel mode, beside workers that run, and within them
CREATE FUNCTION in_worker(integer) RETURNS bigint LANGUAGE plpgsql STABLE PARALLEL SAFE AS
	'DECLARE r bigint; BEGIN SELECT count(*) INTO r FROM every WHERE upper(t) = ''A'' AND i <> $1; RETURN r; END';
SET cpu_operator_cost = 100;	-- work for workers
SET seq_page_cost = 0.01;
SET cpu_tuple_cost = 0.000001;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT upper(t), gpu_sum(v), count(*) FROM every GROUP BY 1',
	'SELECT count(*) FROM every WHERE t || ''x'' = (SELECT max(word) || ''x'' FROM word)',
	'SELECT s.i, n FROM (SELECT i FROM every WHERE i < 4 OFFSET 0) AS s, LATERAL (SELECT count(*) FROM every WHERE left(t, s.i) = ''a'') AS r(n)',
	'SELECT sum(in_worker(i)) FROM word']) AS query, check_report(query) AS r;

-- A command that writes what is read, with a plan that would be parallel: expressions are evaluated in parallel mode.
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
CREATE TABLE spelled AS SELECT i, 't' || i % 23 AS t, i % 53 AS k FROM generate_series(1, 3000) AS i;
VACUUM ANALYZE spelled;
SET gpuscan.reports = exact;
SELECT made_by($$SELECT k, count(*) FROM spelled WHERE CASE WHEN k > 7 THEN t ELSE upper(t) END LIKE 't1%' GROUP BY k$$);
CREATE TABLE written AS SELECT k, count(*) FROM spelled WHERE CASE WHEN k > 7 THEN t ELSE upper(t) END LIKE 't1%' GROUP BY k;
SELECT count(*), sum(count) FROM written;
DROP TABLE spelled, written;
RESET parallel_tuple_cost;
RESET parallel_setup_cost;
RESET min_parallel_table_scan_size;
RESET max_parallel_workers_per_gather;

DROP TABLE every, kept, word, ends, days, times, old_times, zone, later, added, felt;
DROP DOMAIN short, even;
DROP TYPE mood;
DROP FUNCTION check_report, check_in_zone, check_later, check_added, noted, first_letter, internal_error, slow, counted,
	of_number, of_table, in_worker;
