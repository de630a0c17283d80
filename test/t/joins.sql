-- Random joins of tables like those of 024_joins.pl, executed both ways in one snapshot.  It uses functions of reports.sql.

CREATE TYPE level AS ENUM ('low', 'middle', 'high', 'top', 'none');
CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false);

-- Every table has these columns: keys of many types, made of one number, and others.
CREATE TABLE columns (i smallint, k integer, b bigint, d date, z timestamp, t text, c text COLLATE "en-x-icu", v varchar(20), h char(6), u uuid, l level, f boolean, n numeric(9, 2), w text COLLATE blind,
	p integer, q smallint, x integer, y double precision, m numeric(8, 3), s text, id integer, o integer);

-- No two rows have the same o.
CREATE SEQUENCE rows;

-- The row whose keys are made of number i: NULLs of this share.
CREATE FUNCTION keys(i integer, nulls double precision) RETURNS SETOF columns LANGUAGE sql AS $$
	SELECT CASE WHEN random() >= nulls THEN i END,
		CASE WHEN random() >= nulls THEN CASE i WHEN 3 THEN -2147483648 WHEN 4 THEN 2147483647 ELSE i * 3 END END,
		CASE WHEN random() >= nulls THEN CASE i WHEN 3 THEN -9223372036854775808 WHEN 4 THEN 9223372036854775807 ELSE i * 1000000007::bigint END END,
		CASE WHEN random() >= nulls THEN CASE i WHEN 3 THEN '-infinity' WHEN 4 THEN 'infinity' ELSE date '2000-01-01' + i END END,
		CASE WHEN random() >= nulls THEN CASE i WHEN 3 THEN '-infinity' WHEN 4 THEN 'infinity' ELSE timestamp '2000-01-01' + i * interval '1 hour' END END,
		CASE WHEN random() >= nulls THEN CASE i WHEN 3 THEN '' WHEN 4 THEN repeat('long ', 300) ELSE 'k' || i END END,
		CASE WHEN random() >= nulls THEN CASE i WHEN 3 THEN '' ELSE 'K' || i END END,
		CASE WHEN random() >= nulls THEN 'k' || i END,
		CASE WHEN random() >= nulls THEN 'k' || i END,
		CASE WHEN random() >= nulls THEN md5(i::text)::uuid END,
		CASE WHEN random() >= nulls THEN (enum_range(NULL::level))[1 + abs(i) % 5] END,
		CASE WHEN random() >= nulls THEN i % 2 = 0 END,
		CASE WHEN random() >= nulls THEN i * 0.25 END,
		CASE WHEN random() >= nulls THEN CASE WHEN random() < 0.5 THEN 'k' ELSE 'K' END || i END,
		CASE WHEN random() >= nulls THEN floor(i / 16.0) END,
		CASE WHEN random() >= nulls THEN (i % 16 + 16) % 16 END,
		CASE WHEN random() >= nulls THEN floor(random() * 12) - 2 END,
		CASE WHEN random() < nulls THEN NULL WHEN random() < 0.97 THEN floor(random() * 64) / 4 ELSE pick('NaN', 'Infinity', '-Infinity', '-0', '0')::double precision END,
		CASE WHEN random() >= nulls THEN floor(random() * 1000) / 8 END,
		CASE WHEN random() >= nulls THEN pick('red', 'green', 'blue', '', 'a longer one') END,
		floor(random() * 30000), nextval('rows')
$$;

-- Rows of a fact table, which may repeat; those of a dimension, which do not, except now and then.
CREATE FUNCTION facts(rows integer) RETURNS SETOF columns LANGUAGE sql AS $$
	SELECT k.* FROM generate_series(1, rows) AS r, keys((floor(random() * 260) - 20 + 0 * r)::integer, 0.03) AS k
$$;
CREATE FUNCTION members(rows integer, nulls double precision) RETURNS SETOF columns LANGUAGE sql AS $$
	SELECT k.* FROM (SELECT i FROM generate_series(-20, 239) AS i ORDER BY random() LIMIT rows) AS r, keys(i, nulls) AS k
$$;

-- A random table's name; a small one where its keys have few values.
CREATE FUNCTION random_table(few boolean) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN few THEN pick('few', 'few', 'few', 'few', 'few', 'none')
		ELSE pick('dim', 'dim', 'dim', 'dim', 'dim_gone', 'dim_gone', 'dim_gone', 'dim_parts', 'dim_parts', 'dim_parts', 'dim_parts', 'dim_nulls', CASE WHEN random() < 0.3 THEN 'dim_twice' ELSE 'dim' END, CASE WHEN random() < 0.3 THEN 'few' ELSE 'dim_gone' END, CASE WHEN random() < 0.5 THEN 'none' ELSE 'dim' END) END
$$;

-- Number of the kind that aggregates take, of a table.
CREATE FUNCTION random_number(a text) RETURNS text LANGUAGE sql AS $$
	SELECT replace(pick('@.x', '@.x', '@.i', '@.q', '@.m', '(@.x + 1)', '@.x * @.q', 'abs(@.x)', 'coalesce(@.x, 7)', 'CASE WHEN @.s = ''red'' THEN @.x ELSE 0 END',
		CASE WHEN random() < 0.1 THEN 'length(@.s || @.t)' ELSE 'ascii(@.s)' END, '(nullif(nullif(@.d, ''infinity''), ''-infinity'') - date ''2000-02-01'')', 'extract(dow FROM nullif(nullif(@.d, ''infinity''), ''-infinity''))', 'nullif(@.x, 3)'), '@', a)
$$;

CREATE FUNCTION random_value(a text) RETURNS text LANGUAGE sql AS $$
	SELECT replace(pick('@.x', '@.s', '@.l', '@.f', '@.d', '@.i', '@.t', '@.q', '@.p', 'upper(@.s)', '@.x % 3', 'coalesce(@.s, ''without'')', '@.x > 4', '@.x IS NULL',
		'date_trunc(''month'', @.z)', 'left(@.t, 2)', 'coalesce(@.x, -1)', '@.s || @.q', '@.u', '@.h', '@.v'), '@', a)
$$;

CREATE FUNCTION random_test(a text) RETURNS text LANGUAGE sql AS $$
	SELECT replace(pick('@.x > 3', '@.x < 8', '@.x <> 2', '@.x IS NOT NULL', '@.x IS NULL', '@.s = ''red''', '@.s IN (''red'', ''blue'', ''none'')', '@.s LIKE ''%e%''', '@.s IS NULL',
		'@.f', 'NOT @.f', '@.f IS NULL', '@.l > ''middle''', '@.l = ''top''', '@.d < date ''2000-05-01''', '@.t > ''k2''', '@.m < 60.5', '@.y > 5', 'coalesce(@.x, 5) = 5', '@.x % 2 = 1',
		'(@.x > 7) IS NOT TRUE', '@.q BETWEEN 3 AND 9', '@.n > 10', '@.k > 60', '@.b > 1000', '@.i <> ALL (ARRAY[1, 5, 30])'), '@', a)
$$;

-- Of two tables.
CREATE FUNCTION random_test(a text, b text) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN random() < 0.5 THEN '(' || random_test(a) || pick(' OR ', ' OR ', ' AND ') || random_test(b) || ')'
		ELSE replace(replace(pick('@.x < #.x', '@.x <> #.x', '@.x + #.x > 6', '@.s = #.s', '@.s <> #.s', '@.s || #.s > ''green''', '@.d < #.d', '@.m > #.m', '@.y >= #.y', '@.x IS DISTINCT FROM #.x',
			'coalesce(@.x, #.x) > 2', '(@.x < #.x) IS NULL', '@.f = #.f', '@.l <= #.l', '@.x = #.q', '@.z > #.z', 'CASE WHEN @.x > 3 THEN #.x > 3 ELSE #.f END'), '@', a), '#', b) END
$$;

-- A column, or several, by which the table b is joined to a.
CREATE FUNCTION random_key(a text, b text) RETURNS text LANGUAGE sql AS $$
	SELECT replace(replace(CASE WHEN random() < 0.8 THEN pick('@.i = #.i', '@.k = #.k', '@.b = #.b', '@.d = #.d', '@.z = #.z', '@.t = #.t', '@.c = #.c', '@.v = #.v', '@.h = #.h', '@.u = #.u',
			'@.i = #.i', '@.p = #.p AND @.q = #.q')
		ELSE pick('@.n = #.n', '@.w = #.w', '@.t = #.v', '@.v = #.t', '@.i = #.k', '@.k = #.i', '@.k = #.b', '@.b = #.i', '@.i + 1 = #.i', '@.i = #.i - 3', 'upper(@.t) = #.c', '@.c = upper(#.t)', '@.h = #.t', '@.t = #.h',
			'@.d = #.d + 2', 'abs(@.i) = #.i', 'coalesce(@.i, 7) = #.i', '@.d = #.z', '@.p * 16 + @.q = #.i', '@.i = #.p * 16 + #.q', '@.i = #.i AND @.t = #.t', '@.i = #.i AND @.s = #.s', '@.k = #.k AND @.d = #.d AND @.f = #.f',
			'@.p = #.p AND @.q = #.q AND @.l = #.l', '@.q = #.q AND @.t = #.t AND @.p = #.p AND @.f = #.f', '@.i = 5 AND #.i = 5', '@.i = #.i AND #.i = 9', '@.i = #.i AND @.x = #.x') END, '@', a), '#', b)
$$;
CREATE FUNCTION random_few_key(a text, b text) RETURNS text LANGUAGE sql AS $$
	SELECT replace(replace(pick('@.l = #.l', '@.l = #.l', '@.l = #.l AND @.f = #.f', '@.s = #.s', '@.x = #.x', '@.q = #.i', '@.x % 5 = #.i'), '@', a), '#', b)
$$;

-- What the relations of a query may be joined to.
CREATE FUNCTION random_join(facts text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	source text := facts || ' AS a0';
	condition text := 'true';
	visible text[] := '{a0}';
	keys text[] := '{}';
	list text[];
	rest text;
	outside text;
	name text;
	on_key text;
	few boolean;
	made text;
	withs text := '';
BEGIN
	FOR i IN 1..1 + floor(random() ^ 2 * 5) LOOP
		name := 'a' || i;
		outside := CASE WHEN random() < 0.7 THEN 'a0' ELSE pick(VARIADIC visible) END;
		few := random() < 0.2;
		made := random_table(few);
		IF random() < 0.12 THEN
			-- all of its rows, or most of them, from subqueries of their own
			made := format(pick('(SELECT * FROM %s AS m OFFSET 0)', '(SELECT DISTINCT m.* FROM %s AS m)', '(SELECT * FROM %1$s AS m WHERE i %% 3 = 0 UNION ALL SELECT * FROM %1$s AS m WHERE i %% 3 <> 0)',
				'(SELECT * FROM %1$s AS m UNION SELECT * FROM %1$s AS l WHERE l.i > 9)', '(SELECT * FROM %1$s AS m EXCEPT SELECT * FROM %1$s AS l WHERE l.i = 9)',
				'(SELECT * FROM %1$s AS m WHERE x > 2 UNION ALL SELECT * FROM (SELECT * FROM %1$s AS l OFFSET 0) AS k WHERE x <= 2)'), made);
		END IF;
		IF random() < 0.1 THEN
			withs := withs || CASE WHEN withs = '' THEN 'WITH RECURSIVE ' ELSE ', ' END ||
				format('w%s AS MATERIALIZED (SELECT * FROM %s AS m%s%s)', i, made, CASE WHEN random() < 0.3 THEN ' WHERE ' || random_test('m') ELSE '' END,
					CASE WHEN random() < 0.3 THEN format(' UNION ALL SELECT * FROM w%s AS r WHERE r.o < 0', i) ELSE '' END);
			made := 'w' || i;
		END IF;
		on_key := CASE WHEN few THEN random_few_key(outside, name) ELSE random_key(outside, name) END;
		CASE
			WHEN random() < 0.35 THEN
				source := source || format(' JOIN %s AS %s ON %s', made, name, on_key);
				visible := visible || name;
			WHEN random() < 0.1 THEN
				source := format('%s AS %s CROSS JOIN %s', made, name, source);
				condition := condition || ' AND ' || on_key;
				visible := visible || name;
			WHEN random() < 0.15 THEN
				-- the fact table once more
				source := source || format(' %s %s AS %s ON %s', pick('JOIN', 'LEFT JOIN'), facts, name, pick('a0.id = ' || name || '.id', 'a0.id = ' || name || '.id', 'a0.id = ' || name || '.id AND a0.i = ' || name || '.i', 'a0.id = ' || name || '.id'));
				visible := visible || name;
			WHEN random() < 0.4 THEN
				source := source || format(' LEFT JOIN %s AS %s ON %s', made, name, on_key) ||
					CASE WHEN random() < 0.2 THEN ' AND ' || random_test(name) WHEN random() < 0.1 THEN ' AND ' || random_test(outside) WHEN random() < 0.1 THEN ' AND ' || random_test(outside, name) ELSE '' END;
				visible := visible || name;
				IF random() < 0.2 THEN
					condition := condition || format(' AND %s.%s IS %s', name, pick('i', 'k', 'x', 't'), pick('NULL', 'NULL', 'NOT NULL'));
				END IF;
			WHEN random() < 0.15 THEN
				source := source || format(' %s (%s AS %s %s %s AS b%s ON %s) ON %s', pick('JOIN', 'LEFT JOIN', 'LEFT JOIN'), made, name, pick('JOIN', 'LEFT JOIN'), random_table(false), i, random_key(name, 'b' || i), on_key);
				visible := visible || name || ('b' || i);
			WHEN random() < 0.6 THEN
				condition := condition || format(' AND %s (SELECT FROM %s AS %s%s WHERE %s%s)', pick('EXISTS', 'EXISTS', 'NOT EXISTS'), made, name,
					CASE WHEN random() < 0.15 THEN format(' %s %s AS b%s ON %s', pick('JOIN', 'LEFT JOIN'), random_table(false), i, random_key(name, 'b' || i)) ELSE '' END, on_key,
					CASE WHEN random() < 0.3 THEN ' AND ' || random_test(name) WHEN random() < 0.1 THEN ' AND ' || random_test(outside, name)
						WHEN random() < 0.3 THEN replace(replace(replace(pick(' AND #.@ <> $.@', ' AND $.@ <> #.@', ' AND $.x > 2 AND $.@ <> #.@'), '#', outside), '$', name), '@', pick('x', 'q', 's', 'd', 'm', 'y', 't', 'l')) ELSE '' END);
			ELSE
				condition := condition || format(pick(' AND %1$s.%2$s IN (SELECT %2$s FROM %3$s AS %4$s WHERE %5$s)', ' AND %1$s.%2$s IN (SELECT %2$s FROM %3$s AS %4$s WHERE %5$s)',
					' AND (%1$s.%2$s NOT IN (SELECT %2$s FROM %3$s AS %4$s WHERE %5$s))', ' AND (%1$s.p, %1$s.q) IN (SELECT p, q FROM %3$s AS %4$s WHERE %5$s)'),
					outside, pick('i', 'k', 'b', 'd', 't', 'u', 'h', 'c'), made, name, random_test(name));
		END CASE;
	END LOOP;
	IF random() < 0.12 THEN
		outside := pick(VARIADIC visible);
		made := pick('b9.x', 'b9.q', 'b9.i', 'b9.m');
		condition := condition || format(' AND %s %s (SELECT %s FROM %s AS b9 WHERE %s%s)', random_number(pick(VARIADIC visible)), pick('<', '>', '=', '<>', '>='),
			pick('count(*)', format('count(%s)', made), format('min(%s)', made), format('max(%s)', made), format('sum(%s)', made), format('0.5 * avg(%s)', made),
				format('coalesce(max(%s), 3)', made), format('count(*) + sum(%s)', made), format('sum(%s) / count(*)', made)),
			pick('dim', 'dim_twice', 'dim_nulls', 'dim_parts', 'few', 'none', facts), random_key(outside, 'b9'),
			CASE WHEN random() < 0.3 THEN ' AND ' || random_test('b9') WHEN random() < 0.05 THEN ' AND ' || random_test(outside, 'b9') ELSE '' END);
	END IF;
	IF random() < 0.08 THEN
		outside := pick(VARIADIC visible);
		condition := condition || format(' AND (%s OR %s (SELECT FROM %s AS b8 WHERE %s%s))', random_test(pick(VARIADIC visible)), pick('EXISTS', 'NOT EXISTS'),
			pick('dim', 'dim_twice', 'dim_nulls', 'dim_parts', 'few', 'none', facts), random_key(outside, 'b8'),
			CASE WHEN random() < 0.3 THEN ' AND ' || random_test('b8') WHEN random() < 0.1 THEN ' AND ' || random_test(outside, 'b8') ELSE '' END);
	END IF;
	WHILE random() < 0.5 LOOP
		condition := condition || ' AND ' || CASE WHEN random() < 0.6 THEN random_test(pick(VARIADIC visible)) ELSE random_test(pick(VARIADIC visible), pick(VARIADIC visible)) END;
	END LOOP;
	FOR i IN 1..floor(random() * 4) LOOP
		keys := keys || CASE WHEN random() < 0.07 THEN format(pick('%1$s.x + %2$s.x', 'coalesce(%1$s.s, %2$s.s)', '%1$s.f AND %2$s.f', 'greatest(%1$s.d, %2$s.d)', '%1$s.s || %2$s.s'), pick(VARIADIC visible), pick(VARIADIC visible))
			ELSE random_value(pick(VARIADIC visible)) END;
	END LOOP;
	list := keys;
	rest := format(' FROM %s WHERE %s', source, condition);
	IF keys <> '{}' AND random() < 0.1 THEN
		RETURN format('SELECT string_agg(r::text, chr(10) ORDER BY r::text COLLATE "C") FROM (%s SELECT DISTINCT %s%s) AS r', withs, array_to_string(keys, ', '), rest);
	END IF;
	FOR i IN 0..floor(random() * 4) LOOP
		name := random_number(pick(VARIADIC visible));
		list := list || (CASE floor(random() * 8)
			WHEN 0 THEN 'count(*)'
			WHEN 1 THEN format('count(%s)', random_value(pick(VARIADIC visible)))
			WHEN 2 THEN format('%s(%s)', pick('min', 'max'), pick(VARIADIC visible) || pick('.d', '.x', '.s', '.i', '.z', '.m', '.b'))
			WHEN 3 THEN format('gpu_sum(%s.y%s)', pick(VARIADIC visible), pick('', ' + 1', ' * ' || pick(VARIADIC visible) || '.x'))
			WHEN 4 THEN format('sum(%s %s %s)', name, pick('+', '-', '*'), random_number(pick(VARIADIC visible)))
			WHEN 5 THEN format('%s(%s)', pick('sum', 'avg', 'min', 'max', 'count', 'count', 'stddev'), CASE WHEN random() < 0.1 THEN 'DISTINCT ' ELSE '' END || name)
			-- an error where there is a row with 0
			WHEN 6 THEN format('sum(%s)', CASE WHEN random() < 0.1 THEN replace(pick('100 / @.x', '@.i / (@.x - 4)', '(10 * @.x)::smallint * @.i'), '@', pick(VARIADIC visible)) ELSE name END)
			ELSE format('sum(%s)', name) END ||
			CASE WHEN random() < 0.15 THEN ' FILTER (WHERE ' || random_test(pick(VARIADIC visible), pick(VARIADIC visible)) || ')' ELSE '' END);
	END LOOP;
	RETURN format('SELECT string_agg(r::text, chr(10) ORDER BY r::text COLLATE "C") FROM (%s SELECT %s%s', withs, array_to_string(list, ', '), rest) ||
		CASE WHEN keys <> '{}' THEN ' GROUP BY ' || format(pick('%s', '%s', '%s', '%s', 'ROLLUP (%s)', 'GROUPING SETS (%s)'), array_to_string(keys, ', ')) ELSE '' END ||
		CASE WHEN random() < 0.1 THEN ' HAVING count(*) > 2' ELSE '' END || ') AS r';
END $$;

-- Groups of one row each, by a left join of it with many: of the fact table, or of others with several rows for a key.  Each row has an o of its own.
CREATE FUNCTION random_left_groups(facts text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	many text := CASE WHEN random() < 0.7 THEN facts ELSE pick('dim_twice', 'dim_nulls', 'dim_parts', 'few', 'none', '(SELECT * FROM dim AS m WHERE x > 2)') END;
	source text := pick('dim', 'dim', 'dim_nulls', 'dim_twice') || ' AS a0';
	on_key text := random_key('a0', 'a1');
	more text := pick('', '', '', ' JOIN dim AS a2 ON a2.i = a0.i', ' LEFT JOIN dim AS a2 ON a2.i = a0.i', ' LEFT JOIN dim_gone AS a2 ON a2.p = a0.p AND a2.q = a0.q', ' JOIN dim_nulls AS a2 ON a2.b = a0.b', ' LEFT JOIN dim_parts AS a2 ON a2.i = a0.i');
	list text[] := ARRAY[pick('a0.o', 'a0.o', random_value('a0'), 'a0.i')];
	after text := '';
	name text;
BEGIN
	on_key := on_key || CASE WHEN random() < 0.3 THEN ' AND ' || random_test('a1') ELSE '' END || CASE WHEN random() < 0.15 THEN ' AND ' || pick(random_test('a0'), random_test('a0', 'a1')) ELSE '' END;
	many := format(' LEFT JOIN %s AS a1 ON %s', many, on_key);
	source := source || CASE WHEN random() < 0.5 THEN more || many ELSE many || more END;
	FOR i IN 0..floor(random() * 3) LOOP
		name := CASE WHEN random() < 0.9 THEN random_number('a1') ELSE random_number('a0') END;
		list := list || (CASE floor(random() * 7)
			WHEN 0 THEN 'count(*)'
			WHEN 1 THEN format('count(%s)', random_value('a1'))
			WHEN 2 THEN format('%s(a1%s)', pick('min', 'max'), pick('.d', '.x', '.s', '.i', '.z', '.m', '.b'))
			WHEN 3 THEN format('%s(%s%s)', pick('sum', 'avg', 'count'), CASE WHEN random() < 0.3 THEN 'DISTINCT ' ELSE '' END, name)
			WHEN 4 THEN 'gpu_avg(a1.y)'
			ELSE format('sum(a1.%s)', pick('x', 'q', 'm', 'n', 'i')) END ||
			CASE WHEN random() < 0.2 THEN ' FILTER (WHERE ' || random_test('a1') || ')' ELSE '' END);
	END LOOP;
	IF random() < 0.3 THEN
		after := ' HAVING ' || pick(list[2] || ' IS NOT NULL', list[2] || ' IS NULL', 'count(*) > 1', 'count(a1.x) < 3', 'sum(a1.x) > 2', 'max(a1.x) < 7 OR a0.x > 3', 'sum(a1.q) = 0 AND a0.s LIKE ''%e%''', random_test('a0'), '100 / min(a1.x) > 7');
	END IF;
	source := format(' FROM %s WHERE %s GROUP BY a0.o, %s%s', source, CASE WHEN random() < 0.3 THEN random_test('a0') WHEN random() < 0.05 THEN random_test('a1') ELSE 'true' END, list[1], after);
	IF random() < 0.4 THEN
		-- the groups are rows of another query
		source := format(pick('SELECT c, count(*), min(k::text) FROM (%s) AS q (k, c) GROUP BY c', 'SELECT count(*), sum(c) FROM (%s) AS q (k, c) WHERE c > 1', 'SELECT c, k FROM (%s) AS q (k, c) WHERE c IS NOT NULL',
			'SELECT f.s, q.* FROM (%s) AS q (k, c) LEFT JOIN few AS f ON f.i = q.c', 'SELECT f.s, sum(q.c) FROM (%s) AS q (k, c) JOIN few AS f ON f.i = q.c GROUP BY 1'),
			format('SELECT %s, %s%s', list[1], pick('count(*)', 'count(a1.x)', 'sum(a1.q)', 'max(a1.x)', 'coalesce(sum(a1.x), a0.x)'), regexp_replace(source, '(GROUP BY )', '\1a0.x, ')));
		RETURN format('SELECT string_agg(r::text, chr(10) ORDER BY r::text COLLATE "C") FROM (%s) AS r', source);
	END IF;
	RETURN format('SELECT string_agg(r::text, chr(10) ORDER BY r::text COLLATE "C") FROM (SELECT %s%s) AS r', array_to_string(list, ', '), source);
END $$;

-- NULL if the answers are equal, else what differs.  The locks keep others from rewriting the tables, whose rows an older
-- snapshot may see, even after an error.
CREATE FUNCTION join_difference(query text, times integer) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
	plain text;
	report text;
BEGIN
	PERFORM FROM fact, fact_parts, dim, dim_gone, dim_parts, dim_nulls, dim_twice, few, none LIMIT 0;
	PERFORM set_config('gpuscan.reports', 'off', false);
	plain := answer(query);
	PERFORM set_config('gpuscan.reports', 'exact', false);
	PERFORM set_config('enable_nestloop', pick('on', 'off'), false);
	FOR i IN 1..times LOOP
		report := answer(query);
		IF report IS DISTINCT FROM plain THEN
			-- whether there is an error may depend on how the ordinary plan joins
			PERFORM set_config('gpuscan.reports', 'off', false);
			plain := answer(query);
			PERFORM set_config('gpuscan.reports', 'exact', false);
		END IF;
		IF report IS DISTINCT FROM plain AND NOT is_alike(query, plain, report) THEN
			RETURN format('DIFFERENT %s: %s, but plain: %s', query, report, plain);
		END IF;
	END LOOP;
	-- what is planned as a report is cheap, unlike the ordinary plan by nested loops
	PERFORM set_config('enable_nestloop', 'off', false);
	RETURN NULL;
END $$;

-- Compare some queries, by a session that also does something else.
CREATE FUNCTION compare_joins(times integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	different text;
BEGIN
	FOR i IN 1..times LOOP
		different := join_difference(random_query('fact'), 1);
		IF different IS NOT NULL THEN
			RAISE WARNING '%', different;
		END IF;
	END LOOP;
END $$;

-- Compare queries, so many or for so many seconds.
CREATE PROCEDURE read_joins(times integer, seconds double precision) LANGUAGE plpgsql AS $$
DECLARE
	until timestamptz := clock_timestamp() + make_interval(secs => seconds);
	compared integer := 0;
	explained integer := 0;
	taken integer := 0;
	query text;
	different text;
BEGIN
	WHILE compared < times OR clock_timestamp() < until LOOP
		ROLLBACK;
		BEGIN
			FOR i IN 1..4 LOOP
				query := random_query(pick('fact', 'fact', 'fact_parts'));
				different := join_difference(query, 2);
				compared := compared + 1;
				IF different IS NOT NULL THEN
					RAISE WARNING '%', different;
				END IF;
				explained := explained + 1;
				taken := taken + is_report(query)::integer;
			END LOOP;
		EXCEPTION
			WHEN transaction_rollback OR lock_not_available THEN
				NULL;
		END;
	END LOOP;
	ROLLBACK;
	RAISE NOTICE 'compared %, explained %, taken %', compared, explained, taken;
END $$;

CREATE TABLE fact (LIKE columns);
CREATE TABLE fact_parts (LIKE columns) PARTITION BY RANGE (x);
CREATE TABLE fact_parts_1 PARTITION OF fact_parts FOR VALUES FROM (MINVALUE) TO (2);
CREATE TABLE fact_parts_2 (gone text, LIKE columns);
ALTER TABLE fact_parts_2 DROP gone;
ALTER TABLE fact_parts ATTACH PARTITION fact_parts_2 FOR VALUES FROM (2) TO (6);
CREATE TABLE fact_parts_3 PARTITION OF fact_parts DEFAULT;
CREATE TABLE dim (LIKE columns);
CREATE TABLE dim_gone (gone integer, LIKE columns, gone_too text);
ALTER TABLE dim_gone DROP gone, DROP gone_too;
CREATE TABLE dim_parts (LIKE columns) PARTITION BY LIST (s);
CREATE TABLE dim_parts_1 PARTITION OF dim_parts FOR VALUES IN ('red', '');
CREATE TABLE dim_parts_2 (gone text, LIKE columns);
ALTER TABLE dim_parts_2 DROP gone;
ALTER TABLE dim_parts ATTACH PARTITION dim_parts_2 DEFAULT;
CREATE TABLE dim_nulls (LIKE columns);
CREATE TABLE dim_twice (LIKE columns);
CREATE TABLE few (LIKE columns);
CREATE TABLE none (LIKE columns);
CREATE UNIQUE INDEX ON dim (i);
CREATE UNIQUE INDEX ON dim (t);
CREATE UNIQUE INDEX ON dim (p, q);
CREATE UNIQUE INDEX ON dim_gone (u);
CREATE UNIQUE INDEX ON dim_gone (q, p);
CREATE UNIQUE INDEX ON dim_nulls (b);
ALTER TABLE dim ADD PRIMARY KEY (o);
ALTER TABLE dim_nulls ADD PRIMARY KEY (o);
ALTER TABLE dim_twice ADD PRIMARY KEY (o);
INSERT INTO fact SELECT * FROM facts(2500);
UPDATE fact SET id = r.n FROM (SELECT ctid, row_number() OVER () AS n FROM fact) AS r WHERE fact.ctid = r.ctid;
INSERT INTO fact_parts SELECT * FROM facts(2000);
UPDATE fact_parts AS f SET id = r.n FROM (SELECT tableoid, ctid, row_number() OVER () AS n FROM fact_parts) AS r WHERE (f.tableoid, f.ctid) = (r.tableoid, r.ctid);
INSERT INTO dim SELECT * FROM members(200, 0);
INSERT INTO dim_gone SELECT * FROM members(150, 0.01);
INSERT INTO dim_parts SELECT * FROM members(200, 0.01);
INSERT INTO dim_nulls SELECT * FROM members(150, 0.06);
INSERT INTO dim_twice SELECT * FROM members(120, 0);
INSERT INTO dim_twice SELECT * FROM members(2, 0);
INSERT INTO few SELECT * FROM members(5, 0);
UPDATE few SET i = r.n - 1, l = (enum_range(NULL::level))[r.n], f = r.n = 1, s = 's' || r.n, x = r.n FROM (SELECT ctid, row_number() OVER () AS n FROM few) AS r WHERE few.ctid = r.ctid;
UPDATE few SET s = 'red' WHERE i = 1;
