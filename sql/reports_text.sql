-- Reports over columns that are held as codes of a dictionary (text, varchar,
-- char(n), "char", enum, uuid, inet, cidr, bytea), against the ordinary plans.
LOAD 'gpuscan';
SET gpuscan.engine = gpu;
SET max_parallel_workers_per_gather = 0;
SET cpu_operator_cost = 100;	-- small tables, too, are worth a report
SET seq_page_cost = 0.01;
SET cpu_tuple_cost = 0.000001;
SET jit = off;

-- First rows are read, then they are held.
CREATE FUNCTION check_report(query text, OUT made_by text, OUT equal boolean, OUT again text, OUT equal_again boolean) LANGUAGE plpgsql AS $$
DECLARE
	plain text := answer(query, 'off');
BEGIN
	made_by := made_by(query);
	equal := plain IS NOT DISTINCT FROM answer(query, 'exact');
	again := made_by(query);
	equal_again := plain IS NOT DISTINCT FROM answer(query, 'exact');
END
$$;

-- Every type, as a key and as what is counted
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TABLE every (i integer, t text, vc varchar(12), c5 char(5), c "char", m mood, u uuid, n text, v double precision, ip inet, net cidr, b bytea);
INSERT INTO every
SELECT i, (ARRAY['', 'a', 'ab', 'abc', 'Abc', ' abc', 'abc ', E'\u00e9\u00e8', 'abcdefgh', 'abcdefghi', 'abcdefghijklmnopq', NULL])[1 + i % 12],
	CASE WHEN i % 7 > 0 THEN repeat(chr(65 + i % 5), i % 13) END, (ARRAY['', 'x', E'\u00e9', 'xyz', '12345', NULL])[1 + i % 6],
	(ARRAY['a', '', E'\\351', NULL])[1 + i % 4]::"char", (ARRAY['sad', NULL, 'happy'])[1 + i % 3]::mood,
	CASE WHEN i % 9 > 1 THEN md5((i % 9)::text)::uuid END, NULL, i * 0.25,
	(ARRAY['10.0.0.1', '10.0.0.1/8', '10.0.0.1/32', '0.0.0.0/0', '::1', '::1/64', '::ffff:10.0.0.1', NULL, '255.255.255.255', '10.0.0.1/31'])[1 + i % 10]::inet,
	(ARRAY['10.0.0.0/8', '10.0.0.0/16', '0.0.0.0/0', '::/0', 'fe80::/10', NULL, '10.0.0.1/32'])[1 + i % 7]::cidr,
	(ARRAY['', '\x', '\x00', '\x0000', '\xff00ff', NULL, repeat('a', 300)])[1 + i % 7]::bytea
FROM generate_series(1, 20000) AS i;
VACUUM ANALYZE every;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT t, count(*), gpu_sum(v) FROM every GROUP BY t',
	'SELECT vc, count(*), gpu_sum(v) FROM every GROUP BY vc',
	'SELECT c5, count(*), gpu_sum(v) FROM every GROUP BY c5',
	'SELECT c, count(*), gpu_sum(v) FROM every GROUP BY c',
	'SELECT m, count(*), gpu_sum(v) FROM every GROUP BY m',
	'SELECT u, count(*), gpu_sum(v) FROM every GROUP BY u',
	'SELECT n, count(*), count(n) FROM every GROUP BY n',
	'SELECT ip, count(*), gpu_sum(v) FROM every GROUP BY ip ORDER BY ip',
	'SELECT net, b, count(*), min(ip), max(net), count(DISTINCT ip), count(DISTINCT b) FROM every GROUP BY net, b',
	'SELECT network(ip), family(net), host(ip), length(b), encode(b, ''hex''), count(*) FROM every GROUP BY 1, 2, 3, 4, 5',
	'SELECT count(*) FROM every WHERE ip = ''10.0.0.1'' OR net <> ''10.0.0.0/16'' OR b IN (''\x00'', ''a'')',
	'SELECT count(*) FROM every WHERE ip << ''10.0.0.0/8'' AND net >>= ''10.0.0.1'' AND b > ''\x00''',
	'SELECT t, vc, c5, c, m, u, n, count(*), gpu_max(i) FROM every GROUP BY t, vc, c5, c, m, u, n',
	'SELECT i % 10, count(*) FROM every GROUP BY 1',
	'SELECT count(t), count(vc), count(c5), count(c), count(m), count(u), count(n) FROM every',
	'SELECT m, count(t) FILTER (WHERE i > 500), min(i) FROM every WHERE vc IS NOT NULL AND (c IS NULL OR i < 9000) GROUP BY m',
	'SELECT t FROM every WHERE i < 0 GROUP BY t',
	'SELECT t, count(*) FROM every GROUP BY t HAVING t > ''ab'' AND count(*) > 1',
	'SELECT upper(t) || vc, count(*) FROM every GROUP BY t, vc',
	'SELECT t, count(*) FROM every GROUP BY t ORDER BY t',
	'SELECT m, i % 3 = 0, t COLLATE "C", count(*) FROM every GROUP BY m, i, t ORDER BY m DESC NULLS LAST, t, i',
	'SELECT m, v, count(*) FROM every GROUP BY v, m ORDER BY v, m']) AS query, check_report(query) AS r;

-- What would take a code for a value
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*) FROM every WHERE t = ''ab''',
	'SELECT count(*) FROM every WHERE t = vc',
	'SELECT count(*) FROM every WHERE m IN (''ok'', ''sad'')',
	'SELECT count(*) FROM every WHERE u IS DISTINCT FROM NULL AND c < ''b''',
	'SELECT count(coalesce(t, vc)) FROM every',
	'SELECT count(*) FROM every WHERE coalesce(t, vc) IS NULL',
	'SELECT count(*) FROM every WHERE CASE WHEN i > 5 THEN t END IS NULL',
	'SELECT CASE WHEN i % 2 = 0 THEN t ELSE ''ab'' END, count(*), max(CASE WHEN i % 2 = 0 THEN t ELSE ''ab'' END) FROM every GROUP BY 1',
	'SELECT CASE WHEN i % 5 < 2 THEN coalesce(t, ''new'') WHEN v > 9 THEN t END, count(*) FROM every GROUP BY 1',
	'SELECT coalesce(vc, CASE WHEN i % 2 = 0 THEN ''B'' ELSE '''' END), count(*) FROM every GROUP BY 1',
	'SELECT CASE WHEN i % 2 = 0 THEN c5 ELSE ''x''::char(5) END, count(DISTINCT coalesce(t, ''a'')) FROM every GROUP BY 1',
	'SELECT count(nullif(t, ''a'')), sum(length(t)) FROM every',
	'SELECT max(t || i) FROM every',
	'SELECT count(*) FROM every WHERE greatest(t, vc) IS NULL',
	'SELECT max(c::integer) FROM every',
	'SELECT count(DISTINCT t) FROM every',
	'SELECT string_agg(m::text, '''' ORDER BY i) FROM every WHERE i < 50',
	'SELECT bool_or(t::boolean) FROM every WHERE t = ''1''']) AS query, check_report(query) AS r;

-- The order of values
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT min(t), max(t), min(vc), max(vc), min(c5), max(c5), min(m), max(m), min(c), max(c), min(n), max(n) FROM every',
	'SELECT i % 10, min(t), max(vc), min(c5), max(m), count(*), sum(i) FROM every GROUP BY 1',
	'SELECT vc, min(t), max(m) FILTER (WHERE i > 9000), max(DISTINCT c5) FROM every WHERE c5 > ''1'' GROUP BY vc HAVING max(t) > ''ab''',
	'SELECT min(t), max(m), max(c5) FROM every WHERE i < 0',
	'SELECT m, max(upper(t)), min(t || ''-''), min(left(vc, 3)), max(c5::text), min(c5::varchar) FROM every GROUP BY m',
	'SELECT i % 3, max(t COLLATE "C"), min(t COLLATE "POSIX"), min(lower(t) COLLATE "C"), max(t) FROM every GROUP BY 1',
	'SELECT i % 7, mode() WITHIN GROUP (ORDER BY t), mode() WITHIN GROUP (ORDER BY vc), mode() WITHIN GROUP (ORDER BY c5) FROM every GROUP BY 1',
	'SELECT i % 7, mode() WITHIN GROUP (ORDER BY m), mode() WITHIN GROUP (ORDER BY u), mode() WITHIN GROUP (ORDER BY c), mode() WITHIN GROUP (ORDER BY n) FROM every GROUP BY 1',
	'SELECT i % 7, percentile_disc(0.3) WITHIN GROUP (ORDER BY t), percentile_disc(0.6) WITHIN GROUP (ORDER BY u) FROM every GROUP BY 1',
	'SELECT percentile_disc(ARRAY[0, 0.5, 1, NULL]) WITHIN GROUP (ORDER BY m), percentile_disc(0.5) WITHIN GROUP (ORDER BY c) FROM every GROUP BY c5',
	'SELECT percentile_disc(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY upper(t)), percentile_disc(1) WITHIN GROUP (ORDER BY c5) FROM every',
	'SELECT max(t) AS t, m FROM every GROUP BY m, i % 20 ORDER BY max(t) COLLATE "C" DESC, m, min(vc)',
	'SELECT max(vc::bpchar) FROM every',
	'SELECT mode() WITHIN GROUP (ORDER BY t DESC) FROM every',
	'SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY t USING ~<~) FROM every']) AS query, check_report(query) AS r;
-- by collations that are not that of bytes, where there are any
SELECT name, r.*
FROM pg_collation, quote_ident(collname) AS name,
	format('SELECT i %% 5, min(t COLLATE %1$s), max(t COLLATE %1$s), max(vc COLLATE %1$s), min(upper(t) COLLATE %1$s),
		mode() WITHIN GROUP (ORDER BY t COLLATE %1$s) FROM every GROUP BY 1', name) AS query, check_report(query) AS r
WHERE collname IN ('C', 'en-x-icu', 'sv-x-icu', 'en_US.utf8', 'de_DE.utf8') AND
	NOT (r.made_by = 'service' AND r.equal AND r.again = 'service' AND r.equal_again);

-- What makes equal values of different bytes, or none; but jsonb of one value does not
CREATE TABLE unequal (b bpchar, k integer, x jsonb, nm name);
INSERT INTO unequal SELECT repeat(' ', i % 3), i % 3, '1.0', 'y' FROM generate_series(1, 1000) AS i;
VACUUM ANALYZE unequal;
SELECT query, made_by(query)
FROM unnest(ARRAY['SELECT count(b) FROM unequal', 'SELECT b, count(*) FROM unequal GROUP BY b',
	'SELECT x, count(*) FROM unequal GROUP BY x', 'SELECT nm, count(*) FROM unequal GROUP BY nm']) AS query;
DO $$ BEGIN		-- where there is ICU
	CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
	ALTER TABLE unequal ADD t text COLLATE any_case;
	UPDATE unequal SET t = CASE k WHEN 0 THEN 'a' ELSE 'A' END;
	IF made_by('SELECT t, count(*) FROM unequal GROUP BY t') <> 'query' OR
		made_by('SELECT max(vc COLLATE any_case) FROM every') <> 'query' THEN
		RAISE WARNING 'a collation that is not deterministic';
	END IF;
EXCEPTION WHEN undefined_object OR feature_not_supported THEN NULL;
END $$;
-- values of char(n) that are not padded, as only damage can make them
CREATE TABLE not_padded AS SELECT repeat('p', 1 + i % 2)::char(2) AS c, i FROM generate_series(1, 1000) AS i;
UPDATE pg_attribute SET atttypmod = 8 WHERE attrelid = 'not_padded'::regclass AND attname = 'c';
INSERT INTO not_padded SELECT repeat('p', 1 + i % 2), i FROM generate_series(1, 1000) AS i;
VACUUM ANALYZE not_padded;
SELECT r.* FROM check_report('SELECT c, count(*) FROM not_padded GROUP BY c') AS r;

-- Values that are compressed, stored elsewhere, or too long
CREATE TABLE long (e text, x text, i integer);
ALTER TABLE long ALTER x SET STORAGE EXTERNAL;
INSERT INTO long SELECT repeat('e' || i % 3, 1500), repeat('x' || i % 4, i % 5 * 500), i FROM generate_series(1, 500) AS i;
VACUUM ANALYZE long;
SELECT max(pg_column_size(e)) < 100 AS compressed, pg_relation_size(reltoastrelid) > 100000 AS elsewhere
FROM long, pg_class WHERE relname = 'long' GROUP BY reltoastrelid;
SELECT r.* FROM check_report('SELECT e, x, count(*) FROM long GROUP BY e, x') AS r;
INSERT INTO long SELECT repeat('y', 4096), repeat('z', 4096), 1;
SELECT r.* FROM check_report('SELECT e, x, count(*) FROM long GROUP BY e, x') AS r;
INSERT INTO long SELECT 'y', repeat('z', 4097), 1;
SELECT r.* FROM check_report('SELECT e, count(*) FROM long GROUP BY e') AS r;
SELECT r.* FROM check_report('SELECT x, count(*) FROM long GROUP BY x') AS r;
-- A report that has been tried once says why there is none, with ANALYZE, too.
EXPLAIN (ANALYZE) SELECT x, count(*), sum(i) FROM long GROUP BY x \g /dev/null
EXPLAIN SELECT x, count(*), sum(i) FROM long GROUP BY x \g /dev/null
SELECT gpuscan_load('long', 'x');
DELETE FROM long WHERE length(x) > 4096;
SELECT r.* FROM check_report('SELECT x, count(*) FROM long GROUP BY x') AS r;
VACUUM ANALYZE long;
SELECT r.* FROM check_report('SELECT x, count(*) FROM long GROUP BY x') AS r;

-- Values that take some memory, though there are few
CREATE TABLE long_values AS SELECT repeat(md5((i % 3000)::text), 50) AS x FROM generate_series(1, 6000) AS i;
VACUUM ANALYZE long_values;
SELECT r.* FROM check_report('SELECT x, count(*) FROM long_values GROUP BY x') AS r;
DROP TABLE long_values;

-- Many values
CREATE TABLE many (k text, few text, i integer) WITH (autovacuum_enabled = off);
INSERT INTO many SELECT 'key ' || i, 'few ' || i % 5, i FROM generate_series(1, 70000) AS i;
VACUUM many;
SELECT r.* FROM check_report('SELECT k, count(*), sum(i) FROM many GROUP BY k') AS r;
SELECT r.* FROM check_report('SELECT few, count(*) FROM many GROUP BY few') AS r;
SELECT gpuscan_load('many');
SELECT gpuscan_load('many', 'k');
SELECT "column", rows FROM gpuscan_columns() WHERE relation = 'many'::regclass ORDER BY 1;
DELETE FROM many WHERE i > 60000;
VACUUM many;
SELECT r.* FROM check_report('SELECT k, count(*), sum(i) FROM many GROUP BY k') AS r;
INSERT INTO many SELECT 'key ' || i, 'few ' || i % 5, i FROM generate_series(60001, 70000) AS i;
VACUUM ANALYZE many;
\c
LOAD 'gpuscan';
SET gpuscan.engine = gpu;
SET max_parallel_workers_per_gather = 0;
SET cpu_operator_cost = 100;
SET seq_page_cost = 0.01;
SET cpu_tuple_cost = 0.000001;
SET jit = off;
SELECT made_by('SELECT k, count(*), sum(i) FROM many GROUP BY k');
-- Who does not insist on a report gets one when giving codes to so many values pays.
CREATE TABLE fresh AS SELECT 'key ' || i AS k FROM generate_series(1, 70000) AS i;
VACUUM ANALYZE fresh;
SET gpuscan.engine = auto;
SET cpu_tuple_cost = 0.001;
SET cpu_operator_cost = 0.0025;
EXPLAIN (COSTS OFF) SELECT k, count(*) FROM fresh GROUP BY k;
SELECT made_by('SELECT k, count(*) FROM fresh GROUP BY k') FROM generate_series(1, 3);
EXPLAIN (COSTS OFF) SELECT k, count(*) FROM fresh GROUP BY k;
SET gpuscan.engine = gpu;
SET cpu_operator_cost = 100;
SET cpu_tuple_cost = 0.000001;
DROP TABLE fresh, many, long, unequal, not_padded;

-- Expressions over very many values are evaluated piece by piece: results, errors and NULL of each of the pieces.
CREATE TABLE pieces AS SELECT i, 'key ' || i || repeat('x', i % 7) AS k, i % 3 AS z, CASE WHEN i % 5 > 0 THEN i / 7.0 END::numeric(12, 4) AS n FROM generate_series(1, 150000) AS i;
INSERT INTO pieces VALUES (0, NULL, 0, NULL);
VACUUM ANALYZE pieces;
SELECT query, made_by(query), answer(query, 'off') IS NOT DISTINCT FROM answer(query, 'exact') AS same
FROM unnest(ARRAY['SELECT length(k), count(*), min(i) FROM pieces GROUP BY 1', 'SELECT left(k, 6), count(*), max(i) FROM pieces GROUP BY 1', 'SELECT count(*), sum(i) FROM pieces WHERE lower(k) LIKE ''%99xx'' AND i >= 0',
	'SELECT z, sum(substr(k, 5, 3)::integer) FROM pieces WHERE i BETWEEN 1000 AND 149999 GROUP BY z', 'SELECT sum((100000 / (split_part(rtrim(k, ''x''), '' '', 2)::integer - 140000))::bigint) FROM pieces WHERE i <> 140000',
	'SELECT sum(100000 / (split_part(rtrim(k, ''x''), '' '', 2)::integer - 140000)) FROM pieces WHERE i > 3', 'SELECT round(length(k) / 3.0, 1), count(*) FROM pieces GROUP BY 1', 'SELECT coalesce(upper(nullif(k, ''key 149999'')), ''none'') IN (''none'', ''KEY 70001X''), count(*) FROM pieces GROUP BY 1',
	'SELECT k || k || k || k || k || k || k || k || k || k || k, count(*) FROM pieces GROUP BY 1']) AS query;
DROP TABLE pieces;

-- Comparisons with constants, as codes: some are new to the service as the report reads them, some are in no row
CREATE TABLE compared AS
SELECT i, 'k' || i % 300000 AS k, ('v' || i % 1000)::varchar(20) AS vc, (i % 100)::text::char(5) AS c5, md5((i % 50)::text)::uuid AS u,
	chr(65 + i % 9)::"char" AS c, (ARRAY['sad', NULL, 'happy'])[1 + i % 3]::mood AS m, CASE WHEN i % 3 > 0 THEN 'n' || i % 2 END AS n
FROM generate_series(1, 310000) AS i;
VACUUM ANALYZE compared;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), sum(i) FROM compared WHERE k = ''k77''',
	'SELECT count(*), sum(i) FROM compared WHERE ''k299999'' <> k AND k <> ''nothing''',
	'SELECT count(*), sum(i) FROM compared WHERE k IN (''k1'', ''k2'', ''nothing'', ''k1'') OR k = ''nothing''',
	'SELECT k IN (''k5'', NULL), count(*) FROM compared GROUP BY 1',
	'SELECT count(*) FROM compared WHERE k NOT IN (''k1'', ''k2'')',
	'SELECT count(*) FROM compared WHERE k NOT IN (''k1'', NULL)',
	'SELECT count(*) FROM compared WHERE k = ANY (''{}''::text[]) OR k <> ALL (''{}''::text[]) OR k = NULL::text',
	'SELECT count(*) FILTER (WHERE n = ''n0''), count(*) FILTER (WHERE n <> ''n1''), count(*) FILTER (WHERE n IN (''n1'')), count(*) FILTER (WHERE NOT n = ''x'') FROM compared',
	'SELECT vc = ''v7'', c5 = ''42'', c5 IN (''7 '', ''8'', ''toolong''), u = md5(''3'')::uuid, c = ''B'', m = ''sad'', m IN (''ok'', ''happy''), count(*)
		FROM compared GROUP BY 1, 2, 3, 4, 5, 6, 7',
	'SELECT count(*) FROM compared WHERE k = repeat(''x'', 5000) OR c5 = ''42     '' OR c5 = ''42       x''',
	'SELECT k, count(*) FROM compared GROUP BY k ORDER BY 2 DESC, 1 LIMIT 5',
	'SELECT count(DISTINCT k), count(DISTINCT vc) FROM compared WHERE k <> ''k1''']) AS query, check_report(query) AS r;
INSERT INTO compared SELECT -i, 'new ' || i, 'new', 'new', NULL, NULL, NULL, 'new' FROM generate_series(1, 9) AS i;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*) FROM compared WHERE k = ''new 4'' OR vc = ''new''',
	'SELECT count(*) FROM compared WHERE c5 <> ''new''',
	'SELECT sum(i) FROM compared WHERE k IN (''new 1'', ''new 9'', ''new 10'')']) AS query, check_report(query) AS r;
-- some end before others, at a zero byte, or only after many equal ones
CREATE TABLE compared_bytes AS SELECT i, t, t::bytea || decode(repeat('00', i % 11), 'hex') AS b
FROM generate_series(1, 20000) AS i, LATERAL (SELECT CASE WHEN i % 5 = 0 THEN '' WHEN i % 5 = 1 THEN repeat('same', 1 + i % 50) || substr('abcdefghi', 1, i / 5 % 10) || repeat(chr(1), i % 9) ELSE repeat('x', i % 40) || i / 9 END AS t) AS text;
VACUUM ANALYZE compared_bytes;
-- of conditions over many values, there is a list of those for which a condition holds, or does not, if that is shorter than a table
INSERT INTO compared (k, i) VALUES (NULL, -100);
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT count(*), sum(i) FROM compared WHERE k LIKE ''%77''',
	'SELECT count(*), sum(i) FROM compared WHERE k NOT LIKE ''%77'' AND i % 2 = 0',
	'SELECT k LIKE ''k29%'', count(*) FROM compared GROUP BY 1',
	'SELECT count(*) FROM compared WHERE coalesce(k, '''') = ''''',
	'SELECT count(*) FROM compared WHERE upper(k) IS DISTINCT FROM ''K5''',
	'SELECT count(*) FROM compared WHERE length(k) > 3',
	'SELECT count(*) FROM compared WHERE substr(k, 2) ~ ''^9+$''',
	'SELECT count(*) FROM compared WHERE CASE WHEN k < ''k2'' THEN NULL ELSE k > ''k3'' END',
	'SELECT count(*), sum(i) FROM compared WHERE k LIKE ''%1%''',
	'SELECT k NOT LIKE ''%1%'', coalesce(k LIKE ''%2_%'', i > 0), count(*) FROM compared GROUP BY 1, 2',
	'SELECT count(*) FROM compared WHERE starts_with(k, ''k1'') OR k ILIKE ''K%5%''',
	'SELECT k LIKE nullif(left(k, 2), ''k1'') || ''%'', count(*) FROM compared GROUP BY 1',
	'SELECT count(*) FROM compared WHERE i BETWEEN 100 AND 299999 AND starts_with(k, left(''k1'', 100 / (length(k) - 2)))',
	'SELECT count(*) FROM compared WHERE starts_with(k, left(''k1'', 100 / (length(k) - 2)))',
	'SELECT left(k, 2), count(*) FROM compared GROUP BY 1',
	'SELECT length(k), count(*) FROM compared GROUP BY 1',
	'SELECT min(k COLLATE "C"), max(k COLLATE "C") FROM compared', 'SELECT i % 7, min(t COLLATE "C"), mode() WITHIN GROUP (ORDER BY b), percentile_disc(''{0.3, 0.9}''::float8[]) WITHIN GROUP (ORDER BY t COLLATE "C") FROM compared_bytes GROUP BY 1',
	'SELECT b, i FROM compared_bytes ORDER BY b DESC, i LIMIT 5']) AS query, check_report(query) AS r;
DROP TABLE compared_bytes;
PREPARE comparing(text, text[]) AS SELECT count(*), sum(i) FROM compared WHERE k = $1 OR k = ANY ($2);
SET plan_cache_mode = force_generic_plan;
EXECUTE comparing('k3', '{k4,x,NULL}');
EXECUTE comparing('new 11', '{}');
INSERT INTO compared (k, i) VALUES ('new 11', 0);
EXECUTE comparing('new 11', NULL);
EXECUTE comparing(NULL, '{new 11}');
SELECT made_by('EXECUTE comparing(''new 11'', ''{k1}'')');
RESET plan_cache_mode;
DEALLOCATE comparing;
DROP TABLE compared;

-- LIKE: what stands between signs of %, which bytes tell; _ and escapes; z stands for a character of several bytes
CREATE TABLE liked AS
SELECT i, translate(concat(a, b, c, d), 'z', chr(228)) AS t
FROM unnest('{"",a,b,%,_,\\,z}'::text[]) AS a, unnest('{"",a,b,%,_,\\,z}'::text[]) AS b, unnest('{"",a,b,%,_,\\,z}'::text[]) AS c,
	unnest('{"",a,b,%,_,\\,z}'::text[]) AS d, generate_series(1, 2) AS i;
VACUUM ANALYZE liked;
SELECT q.patterns, r.*
FROM unnest(ARRAY['{"",%,%%,a,a%,%a,%a%,a%a,ab%ab,%ab%b,a%b%a%b,%z%,z%a,aaaaa%}', '{_,%_,a_b,z_%,\\%,%\\%%,a\\_%,%\\\\%,\\\\%%,\\a%\\b,%\\\\\\%}']::text[]) AS q (patterns),
	LATERAL (SELECT string_agg(format('count(*) FILTER (WHERE t LIKE %1$L), count(*) FILTER (WHERE t::varchar(9) NOT LIKE %1$L)', p), ', ') AS counts
		FROM unnest(q.patterns::text[]) AS p) AS c,
	check_report('SELECT ' || translate(counts, 'z', chr(228)) || ' FROM liked') AS r;
SELECT query, r.*
FROM unnest(ARRAY['SELECT count(*) FROM liked WHERE t LIKE ''a%\''', 'SELECT starts_with(t, ''''), starts_with(t, ''a%''), NOT t ^@ ''b'', t || ''x'' LIKE ''a%x'', count(*) FROM liked GROUP BY 1, 2, 3, 4', 'SELECT i, t LIKE NULL, count(*) FROM liked GROUP BY 1, 2']) AS query, check_report(query) AS r;
DROP TABLE liked;

-- results that are long are counted once if they are equal: 30,000 of 1,000 bytes would be too long
CREATE TABLE equal_results AS SELECT 'v' || i AS t, i FROM generate_series(1, 30000) AS i;
VACUUM ANALYZE equal_results;
SELECT query, r.*
FROM unnest(ARRAY['SELECT repeat(left(t, 2), 500), count(*) FROM equal_results GROUP BY 1',
	'SELECT repeat(t, 300), count(*) FROM equal_results GROUP BY 1']) AS query, check_report(query) AS r;
DROP TABLE equal_results;

-- Columns that rows are older than, at fixed places and behind others
CREATE TABLE added AS SELECT i, CASE WHEN i % 3 > 0 THEN 'b' || i % 3 END AS b FROM generate_series(1, 3000) AS i;
ALTER TABLE added ADD t text DEFAULT 'new', ADD c char(3) DEFAULT 'n', ADD m mood DEFAULT 'ok', ADD q "char" DEFAULT 'q',
	ADD u uuid DEFAULT '11111111-1111-1111-1111-111111111111', ADD n varchar;
INSERT INTO added SELECT i, 'b1', 't' || i % 4, 'x', 'sad', 'r', NULL, 'n' FROM generate_series(1, 1000) AS i;
VACUUM ANALYZE added;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT b, t, c, m, q, u, n, count(*), count(b) FROM added GROUP BY b, t, c, m, q, u, n',
	'SELECT u, count(*) FROM added GROUP BY u',
	'SELECT m, q, count(*) FROM added GROUP BY m, q']) AS query, check_report(query) AS r;
CREATE TABLE fixed_place AS
SELECT i % 7 AS k, (ARRAY['sad', 'happy'])[1 + i % 2]::mood AS m, md5((i % 5)::text)::uuid AS u, i::smallint AS s, chr(66 + i % 9)::"char" AS c, i
FROM generate_series(1, 3000) AS i;
INSERT INTO fixed_place SELECT i, CASE WHEN i % 2 = 0 THEN 'ok'::mood END, NULL, CASE WHEN i % 3 = 0 THEN 1 END, NULL, 1 FROM generate_series(1, 500) AS i;
VACUUM ANALYZE fixed_place;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT m, u, c, count(*), sum(s) FROM fixed_place GROUP BY m, u, c',
	'SELECT c, count(m), count(u), sum(i) FROM fixed_place GROUP BY c']) AS query, check_report(query) AS r;
DROP TABLE added, fixed_place;

-- Partitions: one dictionary for all, whichever of them is asked for
CREATE TABLE sold (d date, carrier text, mood mood, v integer) PARTITION BY RANGE (d);
CREATE TABLE sold_1 PARTITION OF sold FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
CREATE TABLE sold_2 (v integer, gone text, mood mood, carrier text, d date) PARTITION BY RANGE (v);
ALTER TABLE sold_2 DROP gone;
CREATE TABLE sold_21 (carrier text, d date, gone integer, v integer, mood mood);
ALTER TABLE sold_21 DROP gone;
ALTER TABLE sold_2 ATTACH PARTITION sold_21 DEFAULT;
ALTER TABLE sold ATTACH PARTITION sold_2 FOR VALUES FROM ('2021-01-01') TO ('2022-01-01');
INSERT INTO sold SELECT date '2020-01-01' + i % 700, 'carrier ' || i % 900 / 100, (ARRAY['ok', 'sad'])[1 + i % 2]::mood, i FROM generate_series(1, 5000) AS i;
VACUUM ANALYZE sold;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT carrier, count(*) FROM sold_21 GROUP BY carrier',
	'SELECT carrier, mood, count(*), sum(v) FROM sold GROUP BY carrier, mood',
	'SELECT mood, count(carrier) FROM sold_2 GROUP BY mood',
	'SELECT carrier, mood, sum(v) FROM sold_1 GROUP BY carrier, mood']) AS query, check_report(query) AS r;
SELECT relation, "column", chunks FROM gpuscan_columns() WHERE relation::text ~ '^sold' AND "column" IN ('carrier', 'mood') ORDER BY 1, 2;
ALTER TABLE sold DETACH PARTITION sold_1;
SELECT r.* FROM check_report('SELECT carrier, mood, sum(v) FROM sold_1 GROUP BY carrier, mood') AS r;
ALTER TABLE sold RENAME carrier TO who;
SELECT r.* FROM check_report('SELECT who, mood, sum(v) FROM sold GROUP BY who, mood') AS r;
DROP TABLE sold, sold_1;

-- What becomes of a table
CREATE TABLE lives (t text, c char(5), m mood, k integer) WITH (autovacuum_enabled = off);
INSERT INTO lives SELECT 't' || i % 5, (i % 6)::text, (ARRAY['sad', 'ok'])[1 + i % 2]::mood, i FROM generate_series(1, 3000) AS i;
VACUUM ANALYZE lives;
CREATE VIEW changes AS
	SELECT r.*
	FROM unnest(ARRAY['SELECT t, c, m, count(*), sum(k) FROM lives GROUP BY t, c, m',
		'SELECT min(c), max(c), min(m), max(m) FROM lives']) AS query, check_report(query) AS r;
SELECT * FROM changes;
UPDATE lives SET t = 'u' || k % 3, m = 'happy' WHERE k % 10 = 0;
SELECT * FROM changes;
VACUUM lives;
SELECT * FROM changes;
DELETE FROM lives WHERE k % 7 = 0;
INSERT INTO lives VALUES ('last', 'last', NULL, 1);
SELECT * FROM changes;
ALTER TYPE mood RENAME VALUE 'ok' TO 'fine';
ALTER TYPE mood ADD VALUE 'angry' BEFORE 'sad';
SELECT * FROM changes;
INSERT INTO lives VALUES ('last', 'last', 'angry', 1);
SELECT * FROM changes;
ALTER TABLE lives ALTER c TYPE char(7);
VACUUM lives;
SELECT * FROM changes;
ALTER TABLE lives ALTER c TYPE varchar, ALTER m TYPE text;
VACUUM lives;
SELECT * FROM changes;
ALTER TABLE lives ALTER m TYPE mood USING m::mood, ALTER t TYPE uuid USING md5(t)::uuid;
VACUUM lives;
SELECT * FROM changes;
BEGIN;
ALTER TABLE lives DROP t, ADD t text DEFAULT 'rolled back';
SELECT * FROM changes;
ROLLBACK;
SELECT * FROM changes;
TRUNCATE lives;
SELECT * FROM changes;
INSERT INTO lives SELECT md5((i % 3)::text)::uuid, i % 2, 'angry', i FROM generate_series(1, 2000) AS i;
SELECT * FROM changes;
VACUUM lives;
SELECT * FROM changes;
SELECT gpuscan_cache_clear() > 0 AS cleared;
SELECT * FROM changes;
SELECT gpuscan_stop();
SELECT * FROM changes;
SELECT gpuscan_stop();
SELECT gpuscan_load('lives', 'c', 'm');
SELECT gpuscan_cache_clear() > 0 AS cleared;
SELECT gpuscan_load('lives', 'c', 'm');
DROP VIEW changes;

-- A report while another one's expressions are evaluated, of the same column;
-- it adds values, and may lose the dictionary.
CREATE FUNCTION inner_report(clear boolean) RETURNS integer LANGUAGE plpgsql STABLE AS $$
DECLARE
	n integer;
BEGIN
	SELECT count(*) INTO n FROM (SELECT c, m, count(*) FROM lives GROUP BY c, m) AS r;
	IF clear AND current_setting('gpuscan.reports') <> 'off' THEN
		PERFORM gpuscan_cache_clear();
	END IF;
	RETURN n;
END
$$;
INSERT INTO lives SELECT NULL, 'inner' || i % 4, 'happy', i FROM generate_series(1, 500) AS i;
SELECT r.* FROM check_report('SELECT c, m, count(*) FROM lives WHERE c IS NOT NULL AND k > (SELECT inner_report(false)) GROUP BY c, m') AS r;
INSERT INTO lives SELECT NULL, 'inner' || i % 8, 'happy', i FROM generate_series(1, 500) AS i;
SELECT r.* FROM check_report('SELECT c, m, count(*) FROM lives WHERE c IS NOT NULL AND k > (SELECT inner_report(true)) GROUP BY c, m') AS r;

-- Types whose equal values may look different: as long as no two values of a column do.
CREATE TABLE various (i integer, d interval, j jsonb, same interval, k jsonb);
INSERT INTO various SELECT i, (ARRAY['1 day', '-3 hours', '2 mons 3 days', '0', '36:00:00.000001', NULL])[1 + i % 6]::interval,
	(ARRAY['{"kind": "click", "at": [1, 2], "n": 1.0}', '{"kind": "view", "n": 20}', '"text"', '[]', 'null', '17', '{"kind": "none", "n": 1e3}', NULL])[1 + i % 8]::jsonb,
	(ARRAY['1 day', '24 hours', '30 days', '1 mon', NULL])[1 + i % 5]::interval, (ARRAY['{"a": 1}', '{"a": 1.0}', '{"b": 2}'])[1 + i % 3]::jsonb
FROM generate_series(1, 20000) AS i;
VACUUM ANALYZE various;
SELECT query, r.*
FROM unnest(ARRAY[
	'SELECT d, count(*), min(j::text), min(d), max(d) FROM various GROUP BY d ORDER BY d DESC',
	'SELECT j, count(*), min(d), max(d), count(DISTINCT d) FROM various GROUP BY j',
	'SELECT count(*), count(DISTINCT j), mode() WITHIN GROUP (ORDER BY d), percentile_disc(0.5) WITHIN GROUP (ORDER BY j) FROM various',
	'SELECT count(*) FROM various WHERE d = ''24 hours''',
	'SELECT count(*) FROM various WHERE d IN (''1 mon 33 days'', ''-180 min'') OR d > ''1 day''',
	'SELECT count(*) FROM various WHERE j = ''17.0'' OR ''"text"'' = j',
	'SELECT count(*), sum(extract(hour FROM d)), sum(i) FILTER (WHERE d < ''1 day'') FROM various WHERE d <> ''24:00''',
	'SELECT j ->> ''kind'', sum((j ->> ''n'')::numeric::integer), count(*) FILTER (WHERE j @> ''{"n": 1000}'') FROM various WHERE jsonb_typeof(j) = ''object'' GROUP BY 1',
	'SELECT DISTINCT d, j FROM various WHERE i < 5000',
	'SELECT j, i, rank() OVER (PARTITION BY d ORDER BY j DESC, i) FROM various WHERE i < 500',
	-- a result of such a type; its sum; equal values that look different, and are not told apart by their codes, or are
	'SELECT j -> ''n'', count(*) FROM various GROUP BY 1',
	'SELECT d * 2, count(*) FROM various GROUP BY 1',
	'SELECT sum(d) FROM various',
	'SELECT count(*), sum(same), count(*) FILTER (WHERE same > ''25 hours''), count(k), count(*) FILTER (WHERE same IS NULL) FROM various WHERE same <> ''1 mon'' OR k ->> ''a'' = ''1.0''',
	'SELECT extract(day FROM same), k ->> ''a'', count(same) FROM various GROUP BY 1, 2',
	'SELECT same, count(*) FROM various GROUP BY same',
	'SELECT count(DISTINCT k) FROM various']) AS query, check_report(query) AS r;
-- a value comes that is equal to another one
INSERT INTO various VALUES (0, '12 hours', '18'), (0, '13 hours', '19');
SELECT r.* FROM check_report('SELECT d, count(*) FROM various GROUP BY d') AS r;
INSERT INTO various VALUES (0, '24 hours', '1');
SELECT r.* FROM check_report('SELECT d, count(*) FROM various GROUP BY d') AS r;
SELECT r.* FROM check_report('SELECT j, count(*) FROM various GROUP BY j') AS r;

-- The values of an open cursor are its own: dictionaries of more than 32 MB are forgotten meanwhile.
CREATE TABLE wide AS
SELECT repeat('a' || i, 10) AS a, repeat('b' || i, 10) AS b, repeat('c' || i, 10) AS c, repeat('d' || i, 10) AS d,
	repeat('e' || i, 10) AS e
FROM generate_series(1, 60000) AS i;
VACUUM ANALYZE wide;
SET gpuscan.reports = exact;
BEGIN;
DECLARE texts CURSOR FOR SELECT c, count(*) FROM lives WHERE k < 1000 GROUP BY c ORDER BY c;
FETCH 2 FROM texts;
SELECT c, made_by(format('SELECT %s, count(*) FROM wide GROUP BY %1$s', c))
FROM unnest(ARRAY['a', 'b', 'c', 'd', 'e', 'a']) AS c;
FETCH ALL FROM texts;
COMMIT;

-- A setting that the results of a function depend on
CREATE TABLE quoted AS SELECT 'r' || i % 3 AS t FROM generate_series(1, 5000) AS i;
VACUUM ANALYZE quoted;
SELECT made_by('SELECT quote_ident(t), count(*) FROM quoted GROUP BY 1');
SELECT quote_ident(t), count(*) FROM quoted GROUP BY 1 ORDER BY 1;
SET quote_all_identifiers = on;
SELECT quote_ident(t), count(*) FROM quoted GROUP BY 1 ORDER BY 1;
RESET quote_all_identifiers;
DROP TABLE quoted;

DROP TABLE every, lives, wide, various;
DROP TYPE mood;
DROP FUNCTION check_report, inner_report;
