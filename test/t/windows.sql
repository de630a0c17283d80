-- Random reports of rows: window functions, DISTINCT ON, ORDER BY with LIMIT.  It uses functions and tables of joins.sql.
--
-- Where the order of equal rows decides, o is behind it, which no two rows share.

CREATE FUNCTION random_direction() RETURNS text LANGUAGE sql AS $$
	SELECT pick('', '', ' DESC', ' NULLS FIRST', ' DESC NULLS LAST')
$$;

CREATE FUNCTION random_sorted(names text[]) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN random() < 0.8 THEN random_value(pick(VARIADIC names)) ELSE pick(VARIADIC names) || pick('.y', '.y', '.m', '.n', '.z', '.c', '.c COLLATE "C"') END
$$;

-- Of such offsets.
CREATE FUNCTION random_bounds(VARIADIC offsets text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	first integer := 1 + floor(random() * 4);
	last integer := greatest(2, first + floor(random() * (6 - first)));
	bounds text[] := ARRAY['UNBOUNDED PRECEDING', '@ PRECEDING', 'CURRENT ROW', '@ FOLLOWING', 'UNBOUNDED FOLLOWING'];
BEGIN
	RETURN format(' BETWEEN %s AND %s', replace(bounds[first], '@', pick(VARIADIC offsets)), replace(bounds[last], '@', pick(VARIADIC offsets)));
END $$;

-- What is within OVER (...), and an order that its rows are in.  behind: what no two rows share; empty: nothing.
CREATE FUNCTION random_over(names text[], behind text, OUT clause text, OUT sorted text) LANGUAGE plpgsql AS $$
DECLARE
	partition text[] := '{}';
	orders text[] := '{}';
	choice double precision := random();
	frame text := '';
	name text := pick(VARIADIC names);
BEGIN
	FOR i IN 1..floor(random() * 3) LOOP
		partition := partition || random_sorted(names);
	END LOOP;
	FOR i IN 1..floor(random() * 3) LOOP
		orders := orders || (random_sorted(names) || random_direction());
	END LOOP;
	IF behind <> '' THEN
		orders := orders || behind;
		IF random() < 0.1 THEN
			orders := ARRAY[behind];
		END IF;
	END IF;
	CASE
		WHEN choice < 0.3 THEN
			NULL;
		WHEN choice < 0.55 AND behind <> '' THEN
			frame := ' ROWS' || random_bounds('0', '1', '2', '5', '100');
		WHEN choice < 0.7 AND orders <> '{}' THEN
			frame := ' GROUPS' || random_bounds('0', '1', '3', '50');
		WHEN choice < 0.9 AND behind = '' THEN
			CASE floor(random() * 4)
				WHEN 0 THEN
					orders := ARRAY[name || pick('.i', '.x', '.q', '.p', '.k', '.x + 1')];
					frame := random_bounds('0', '1', '3', '20');
				WHEN 1 THEN
					orders := ARRAY[name || '.b'];
					frame := random_bounds('1000000007', '5000000000', '9223372036854775807', '0');
				WHEN 2 THEN
					orders := ARRAY[name || pick('.d', '.d', '.d + 1')];
					frame := random_bounds('interval ''3 days''', 'interval ''0''', 'interval ''48 hours''', CASE WHEN random() < 0.1 THEN 'interval ''1 month''' ELSE 'interval ''1 day''' END);
				ELSE
					orders := ARRAY[name || '.z'];
					frame := random_bounds('interval ''5 hours''', 'interval ''1 day 30 minutes''', 'interval ''0''');
			END CASE;
			frame := ' RANGE' || frame;
			orders[1] := orders[1] || random_direction();
		ELSE
			frame := pick(' RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING', ' RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING', ' RANGE CURRENT ROW');
	END CASE;
	IF random() < 0.03 AND frame <> '' THEN
		frame := frame || pick(' EXCLUDE CURRENT ROW', ' EXCLUDE TIES', ' EXCLUDE NO OTHERS');
	END IF;
	sorted := array_to_string(partition || orders, ', ');
	clause := CASE WHEN partition <> '{}' THEN 'PARTITION BY ' || array_to_string(partition, ', ') ELSE '' END ||
		CASE WHEN orders <> '{}' THEN ' ORDER BY ' || array_to_string(orders, ', ') ELSE '' END || frame;
END $$;

-- What the service has no column for: rows are fetched from the table.
CREATE FUNCTION random_fetched() RETURNS text LANGUAGE sql AS $$
	SELECT pick('ARRAY[a0.x, a0.i]', 'a0::text', 'a0.ctid', 'to_jsonb(a0)', 'ROW(a0.s, a0.d)::text', 'a0')
$$;

-- A function: its kind (n: numbers, f: floats, v: something) and a colon come first.  whole: no two rows are equal.
CREATE FUNCTION random_call(names text[], whole boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	name text := pick(VARIADIC names);
	number text := CASE WHEN random() < 0.5 THEN name || pick('.x', '.i', '.q', '.m', '.n', '.k') ELSE random_number(name) END;
	value text := random_sorted(names);
BEGIN
	IF whole AND random() < 0.5 THEN
		RETURN pick('n:row_number()', format('n:ntile(%s)', 1 + floor(random() * 9)), 'v:lag(' || value || ')', format('v:lead(%s, %s)', value, floor(random() * 7) - 2), format('n:%s.x - lag(%1$s.x) OVER @', name),
			format('n:lag(%s.x, 1, 7)', name), format('v:lead(%s.d, 2, date ''infinity'')', name), 'v:first_value(' || value || ')', 'v:last_value(' || value || ')', format('v:nth_value(%s, %s)', value, 1 + floor(random() * 4)),
			format('v:%s(%s)', pick('lag', 'lead', 'first_value', 'last_value'), pick('ARRAY[a0.x, a0.i]', 'a0::text')), format('f:gpu_cumsum(%s.y)', name), format('n:gpu_cumsum(%s)', number), format('n:gpu_cumcount(%s.x)', name), format('f:gpu_cummin(%s.y)', name), format('f:gpu_cummax(%s.y)', name),
			format('n:gpu_moving_%s(%s, %s)', pick('sum', 'avg', 'min', 'max'), name || pick('.x', '.i', '.m', '.q'), pick('0', '3', '2, 5', '0, 1', '99')),
			format('f:gpu_moving_%s(%s.y, %s)', pick('sum', 'avg', 'min', 'max'), name, pick('0', '3', '2, 5', '99')), format('f:gpu_moving_median(%s, %s)', name || pick('.x', '.i', '.y', '.b'), pick('9', '99', '3, 2')),
			format('f:gpu_moving_stddev(%s.y, %s)', name, pick('9', '99', '3, 2', '0')),
			format('f:gpu_moving_corr(%s.y, %s, %s)', name, name || pick('.x', '.i', '.y'), pick('9', '99', '3, 2')),
			format('f:gpu_moving_percentile_cont(%s.y, %s, 30)', name, pick('0.3', '0', '1')), format('v:gpu_moving_percentile_disc(%s, 0.6, 8)', name || pick('.x', '.m', '.y', '.d', '.b', '.z')));
	END IF;
	IF random() < 0.2 THEN
		RETURN pick('n:rank()', 'n:dense_rank()', 'f:percent_rank()', 'f:cume_dist()');
	END IF;
	RETURN CASE 1 + floor(random() * 14)
		WHEN 1 THEN 'n:count(*)'
		WHEN 2 THEN 'n:max(' || number || ')'
		WHEN 3 THEN 'n:count(' || value || ')'
		WHEN 4 THEN format('n:%s(%s)', pick('min', 'max'), number)
		WHEN 5 THEN format('v:%s(%s)', pick('min', 'max'), name || pick('.d', '.z', '.m', '.b', '.y', '.s', '.i'))
		WHEN 6 THEN format('f:%s(%s.y)', pick('gpu_sum', 'gpu_avg', 'gpu_min', 'gpu_max'), name)
		WHEN 7 THEN format('n:avg(%s)', number)
		WHEN 8 THEN format('n:gpu_%s(%s)', pick('sum', 'avg', 'max'), name || pick('.x', '.m', '.b', '.q'))
		WHEN 10 THEN pick(format('f:gpu_median(%s)', name || pick('.x', '.i', '.y', '.b')), format('v:gpu_percentile_disc(%s, 0.2)', name || pick('.x', '.q', '.m', '.y', '.d')))
		WHEN 11 THEN format('f:gpu_%s(%s)', pick('stddev', 'variance', 'stddev_pop', 'var_pop', 'stddev_samp', 'var_samp'), pick(name || '.y', name || '.y * 1e-200', name || '.x::float8', 'sqrt(abs(' || name || '.y))'))
		WHEN 12 THEN format('f:gpu_%s(%s, %s)', pick('corr', 'covar_pop', 'covar_samp', 'regr_slope', 'regr_intercept', 'regr_r2'), pick(VARIADIC names) || pick('.y', '.y', '.x'), name || pick('.y', '.i', '.x', '.b'))
		WHEN 9 THEN format('n:%s(%s)', pick('sum', 'avg'), name || pick('.b', '.b', '.q * 2', '.x + 1'))
		ELSE format('n:sum(%s)', number) END ||
		CASE WHEN random() < 0.15 THEN '#' ELSE '' END;
END $$;

-- Rows at such places: of all, or from the last one on where the place is negative.
CREATE FUNCTION scrolled(query text, places integer[]) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
	c refcursor;
	place integer;
	found_row record;
	rows text := '';
BEGIN
	OPEN c SCROLL FOR EXECUTE query;
	FOREACH place IN ARRAY places LOOP
		IF place > 0 THEN
			FETCH ABSOLUTE place FROM c INTO found_row;
		ELSE
			FETCH RELATIVE place FROM c INTO found_row;
		END IF;
		rows := rows || chr(10) || coalesce(found_row::text, 'none');
	END LOOP;
	CLOSE c;
	RETURN rows;
END $$;

CREATE FUNCTION random_window(facts text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	source text := facts || ' AS a0';
	names text[] := '{a0}';
	behind text := 'a0.o';
	conditions text[] := '{true}';
	list text[] := '{a0.o AS o}';
	kinds text := '';
	choice double precision := random();
	whole boolean;
	call text;
	clause text;
	sorted text;
	query text;
	outer_list text[] := '{count(*)}';
BEGIN
	IF random() < 0.25 THEN
		names := '{a0, a0, a1}';
		source := format('%s %s %s AS a1 ON %s', source, pick('JOIN', 'LEFT JOIN'), random_table(false), random_key('a0', 'a1'));
		behind := 'a0.o, a1.o';
	ELSIF random() < 0.2 THEN
		-- over groups
		source := format('(SELECT min(o) AS o, %1$s, max(d) AS d, max(z) AS z, min(i) AS i, max(k) AS k, min(b) AS b, sum(m) AS m, gpu_sum(y) AS y, count(*) AS p, max(n) AS n, s AS t, s AS c, s AS v, s AS h FROM %2$s GROUP BY %1$s) AS a0',
			'x, s, q, f, l, u', facts);
	END IF;
	WHILE random() < 0.4 LOOP
		conditions := conditions || random_test(pick(VARIADIC names));
	END LOOP;
	IF source !~ '^\(' AND random() < 0.4 THEN
		list := list || (random_fetched() || ' AS e');
	END IF;
	source := format(' FROM %s WHERE %s', source, array_to_string(conditions, ' AND '));

	-- first rows
	IF choice < 0.2 THEN
		clause := random_sorted(names);
		sorted := CASE WHEN random() < 0.5 THEN random_sorted(names) || random_direction() || ', ' ELSE '' END || behind || pick('', ' DESC');
		FOR i IN 1..1 + floor(random() * 3) LOOP
			list := list || random_sorted(names);
		END LOOP;
		IF choice < 0.1 THEN
			query := format('SELECT DISTINCT ON (%1$s) %2$s%3$s ORDER BY %1$s%4$s, %5$s', clause, array_to_string(list, ', '), source, random_direction(), sorted);
		ELSE
			query := format('SELECT %s%s ORDER BY %s%s, %s LIMIT %s', array_to_string(list, ', '), source, clause, random_direction(), sorted, pick('1', '3', '10', '500', '5 OFFSET 3', '100000'));
		END IF;
		RETURN format('SELECT string_agg(r::text, chr(10)) FROM (%s) AS r', query);
	END IF;

	FOR i IN 1..1 + floor(random() * 3) LOOP
		whole := random() < 0.7;
		call := random_call(names, whole);
		SELECT r.clause, r.sorted INTO clause, sorted FROM random_over(names, CASE WHEN whole THEN behind ELSE '' END) AS r;
		kinds := kinds || left(call, 1);
		IF call ~ 'gpu_(cum|moving)' THEN
			clause := regexp_replace(clause, ' (ROWS|GROUPS|RANGE).*', '');
		END IF;
		call := replace(substr(call, 3), '#', ' FILTER (WHERE ' || random_test(pick(VARIADIC names)) || ')');
		list := list || (CASE WHEN call LIKE '%OVER @' THEN left(call, -1) ELSE call || ' OVER ' END || format('(%s) AS c%s', clause, i));
	END LOOP;
	IF choice < 0.3 THEN
		RETURN format('SELECT string_agg(r::text, chr(10) ORDER BY r::text COLLATE "C") FROM (SELECT * FROM (SELECT %s, %s OVER (%s) AS n%s) AS q WHERE n <= %s) AS r', array_to_string(list, ', '), pick('row_number()', 'rank()', 'dense_rank()'),
			(random_over(names, behind)).clause, source, floor(random() * 5));
	END IF;
	IF choice < 0.55 THEN
		list := list || format('%s AS g', random_sorted(names)) || format('%s AS h', random_sorted(names));
		FOR i IN 1..length(kinds) LOOP
			outer_list := outer_list || (format(CASE substr(kinds, i, 1)
				WHEN 'n' THEN pick('sum(c%1$s)', 'max(c%1$s)', 'count(DISTINCT c%1$s)', 'avg(c%1$s)', 'min(c%1$s + 1)')
				WHEN 'f' THEN pick('gpu_sum(c%s)', 'gpu_max(c%s)', 'count(c%s)')
				ELSE pick('count(c%s)', 'count(DISTINCT c%s)') END, i));
		END LOOP;
		query := format('SELECT %s FROM (SELECT %s%s) AS q', array_to_string(outer_list, ', '), array_to_string(list, ', '), source) || pick('', ' GROUP BY g', ' GROUP BY g, h', ' WHERE c1 IS NOT NULL', ' WHERE g IS NOT NULL GROUP BY h');
	ELSIF choice < 0.6 THEN
		-- a sum of what a window has found
		query := format('SELECT o, sum(CASE WHEN c1 IS NULL THEN 1 END) OVER (%s) FROM (SELECT %s%s) AS a', pick('ORDER BY o, p', 'ORDER BY p DESC, o', 'PARTITION BY o % 7 ORDER BY o, p'), array_to_string(list || (names[cardinality(names)] || '.o AS p'), ', '), source);
	ELSE
		query := format('SELECT %s%s', array_to_string(list, ', '), source);
		IF whole AND sorted NOT LIKE '%y%' AND random() < 0.5 THEN
			query := query || ' ORDER BY ' || sorted || CASE WHEN random() < 0.3 THEN ' LIMIT ' || pick('1', '7', '300') ELSE '' END;
			IF random() < 0.3 THEN
				RETURN format('SELECT scrolled(%L, ARRAY[%s])', query, concat_ws(', ', pick('1', '3', '100', '2000'), pick('-1', '-5', '0', '7'), pick('2', '-2', '5000', '900'), pick('1', '-1000', '0')));
			END IF;
			RETURN format('SELECT string_agg(r::text, chr(10)) FROM (%s) AS r', query);
		END IF;
	END IF;
	RETURN format('SELECT string_agg(r::text, chr(10) ORDER BY r::text COLLATE "C") FROM (%s) AS r', query);
END $$;

CREATE FUNCTION random_query(facts text) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN random() < 0.4 THEN random_window(facts) WHEN random() < 0.15 THEN random_left_groups(facts) ELSE random_join(facts) END
$$;
