-- Random reports over tables like those of 014_reports.pl, executed both ways in
-- one snapshot.

CREATE FUNCTION pick(VARIADIC text[]) RETURNS text LANGUAGE sql AS
	'SELECT $1[1 + floor(random() * cardinality($1))::integer]';

-- Rows for these tables.  Each of their values is NULL with a probability of `nulls`.
CREATE FUNCTION fresh(rows integer, nulls double precision)
RETURNS TABLE (id integer, k integer, s smallint, b bigint, r real, v double precision,
	f boolean, d date, z timestamp, y timestamptz, n numeric, w text, e text, h double precision, m real, u numeric)
LANGUAGE sql AS $$
	SELECT random() * 1000,
		CASE WHEN random() >= nulls THEN floor(random() * 20) END,
		CASE WHEN random() >= nulls THEN floor(random() * 7) - 3 END,
		CASE WHEN random() >= nulls THEN (random() - 0.5) * 1e15 END,
		CASE WHEN random() >= nulls THEN random() * 100 END,
		CASE WHEN random() < nulls THEN NULL
			WHEN random() < 0.9 THEN (random() - 0.4) * 10 ^ floor(random() * 12)
			WHEN random() < 0.98 THEN floor(random() * 10)
			ELSE pick('NaN', 'Infinity', '-Infinity', '1e-300', '-0')::double precision END,
		CASE WHEN random() >= nulls THEN random() < 0.6 END,
		CASE WHEN random() >= nulls THEN date '2020-01-01' + floor(random() * 30)::integer END,
		CASE WHEN random() >= nulls THEN timestamp '2020-01-01' + random() * interval '30 days' END,
		CASE WHEN random() >= nulls THEN timestamptz '2020-01-01 UTC' + random() * interval '30 days' END,
		CASE WHEN random() >= nulls THEN ((random() - 0.4) * 10 ^ floor(random() * 9))::numeric(14, 5) END,
		CASE WHEN random() < nulls THEN NULL
			WHEN random() < 0.8 THEN 'w' || floor(random() * 12)
			WHEN random() < 0.2 THEN 'new ' || floor(random() * 10000)
			WHEN random() < 0.3 THEN repeat('long ' || floor(random() * 5), 500)
			ELSE '' END,
		CASE WHEN random() >= nulls THEN pick('', 'a', 'ab', 'abc', 'abc') END,
		-- equal values that look different
		CASE WHEN random() >= nulls THEN pick('0', '-0', '0', '1', '-1', '2', 'NaN', 'Infinity')::double precision END,
		CASE WHEN random() >= nulls THEN pick('-0', '-0', '-0', '0', '1', '1')::real END,
		CASE WHEN random() >= nulls THEN pick('0.0', '1.0', '1.0', '2.5', CASE WHEN random() < 0.001 THEN '1.00' ELSE '3.0' END)::numeric END
	FROM generate_series(1, rows)
$$;

-- A constant to compare a column with.
CREATE FUNCTION random_constant(name text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN CASE name
		WHEN 'k' THEN floor(random() * 22 - 1)::integer::text
		WHEN 's' THEN floor(random() * 7 - 3)::integer::text
		WHEN 'x' THEN floor(random() * 10)::integer::text
		WHEN 'b' THEN ((random() - 0.5) * 1e15)::bigint::text
		WHEN 'r' THEN round((random() * 100)::numeric, 2)::text
		WHEN 'n' THEN round(((random() - 0.4) * 10 ^ floor(random() * 9))::numeric, floor(random() * 7)::integer)::text
		WHEN 'h' THEN pick('0', '1', '''-0''', '''NaN''')
		WHEN 'v' THEN round(((random() - 0.4) * 10 ^ floor(random() * 12))::numeric, 3)::text
		ELSE format('%L', '2020-01-' || 1 + floor(random() * 30)) END;
END $$;

CREATE FUNCTION random_condition(more text, depth integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	name text := pick('k', 's', 'b', 'r', 'v', 'd', 'z', 'y', 'f', 'n', 'h', more);
	choice float8 := random();
BEGIN
	IF depth > 0 AND random() < 0.5 THEN
		RETURN '(' || random_condition(more, depth - 1) || pick(' AND ', ' OR ') ||
			random_condition(more, depth - 1) || ')';
	ELSIF depth > 0 AND random() < 0.1 THEN
		RETURN 'NOT (' || random_condition(more, depth - 1) || ')';
	ELSIF name = 'f' THEN
		RETURN pick('f', 'NOT f', 'f IS NULL', 'f IS NOT NULL', 'f = true', 'w IS NULL', 'w IS NOT NULL', 'e IS NOT NULL');
	ELSIF choice < 0.5 THEN
		RETURN name || pick(' < ', ' <= ', ' = ', ' <> ', ' >= ', ' > ') || random_constant(name);
	ELSIF choice < 0.65 THEN
		RETURN name || pick(' IN (', ' NOT IN (') || concat_ws(', ', random_constant(name),
			random_constant(name), random_constant(name)) || ')';
	ELSIF choice < 0.8 THEN
		RETURN name || ' BETWEEN ' || random_constant(name) || ' AND ' || random_constant(name);
	ELSIF choice < 0.9 THEN
		RETURN name || pick(' IS NULL', ' IS NOT NULL');
	ELSIF choice < 0.99 THEN
		RETURN pick('k + s > 5', 'k * 2 <= s', 'v < r', 'b > k', 'v - r > 1000', 'r * 2.5 > v',
			'n > k', 'n < v', 'n * 1.5 - s >= 0.25', 'coalesce(n, 0) + 1.125 > b', 'd > z', 'y >= d', 'z <> y', 'd + s > z', 'z::time < ''12:00''', 'extract(dow FROM z) = 1',
			'date_trunc(''day'', y, ''Asia/Kathmandu'') < ''2020-01-15''', 'z - interval ''1 month 1 day 6:30'' < d', '-s > 0', 'abs(b) < 100000000000000', 'least(k, s) = 1');
	END IF;
	RETURN 'k / s > 2';			-- an error where s is 0
END $$;

CREATE FUNCTION random_aggregate(more text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	whole text := pick('k', 's', 'b', more);
	number text := pick('k', 's', 'b', 'r', 'v', 'v', more);
BEGIN
	RETURN CASE floor(random() * 17)
		WHEN 0 THEN 'count(*)'
		WHEN 1 THEN format('count(%I)', pick('k', 's', 'b', 'r', 'v', 'f', 'd', 'z', 'y', 'n', 'w', 'e', more))
		WHEN 2 THEN format('gpu_avg(%I)', number)
		WHEN 3 THEN format('gpu_stddev(%I)', number)
		WHEN 4 THEN format('%s(%I), %s(%I', pick('sum', 'avg'), whole, pick('sum', 'avg', 'gpu_sum'), whole) || pick('', ' + 1', ' - 3', ' + 2147483640', ' - 7::smallint') || ')'
		WHEN 5 THEN pick('gpu_min(', 'gpu_max(') || number || ')'
		WHEN 6 THEN pick('min(', 'max(') || pick('k', 's', 'b', 'r', 'd', 'z', 'y', 'z::time', 'd + interval ''1 month''', 'extract(epoch FROM y)', more) || ')'
		WHEN 7 THEN pick('bool_and(f)', 'bool_or(f)', 'avg(z - timestamp ''2020-01-15'')', 'sum(timestamptz ''2020-01-20'' - y)', 'max(y - timestamptz ''2020-01-09'')',
			'percentile_cont(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY z - timestamp ''2020-01-09'')')
		WHEN 8 THEN pick('bit_and(', 'bit_or(') || whole || ')'
		WHEN 9 THEN pick('sum(', 'avg(', 'min(', 'max(', 'stddev(', 'var_pop(', 'count(') || pick('n', '-n', 'n * s') || ')'
		WHEN 10 THEN pick('sum(', 'avg(') || pick('n * (1 - n)', 'n * k', 'round(n / nullif(s, 0), 1)', 'floor(b / (n + 0.5))', 'coalesce(n, 0)', 'CASE WHEN s > 0 THEN n * 2.5 ELSE 1 END', 'abs(n)') || ')'
		WHEN 11 THEN pick('min(', 'max(', 'mode() WITHIN GROUP (ORDER BY ', 'percentile_disc(0.5) WITHIN GROUP (ORDER BY ', 'gpu_mode(', 'gpu_max(', 'count(DISTINCT ') ||
			pick('h', 'm', '-h', 'nullif(m, 1)', 'h * 0', 'least(h, m)', 'coalesce(m, ''-0'')') || ')'
		WHEN 12 THEN pick('min(', 'max(', 'mode() WITHIN GROUP (ORDER BY ', 'count(DISTINCT ') || pick('u', 'w', 'greatest(e::text, w)', 'coalesce(u, 1)', 'greatest(u, n)', 'e::text', 'least(u, 1.0)') || ')'
		WHEN 13 THEN format('%s(%I, %s)', pick('gpu_weighted_avg', 'gpu_corr'), number, pick('abs(k) + 1', 'CASE WHEN f THEN 2.5::real ELSE 1 END'))
		WHEN 14 THEN CASE WHEN random() < 0.5
			THEN pick('mode()', 'percentile_disc(0.29)', 'percentile_disc(ARRAY[0, 0.5, 1])') || ' WITHIN GROUP (ORDER BY ' || pick('k', 's', 'b', 'r', 'v', 'd', 'z', 'y', 'n', 'h', 'm', 'w', 'e::text', more)
			ELSE pick('percentile_cont(0.29)', 'percentile_cont(ARRAY[0, 0.7, 1])') || ' WITHIN GROUP (ORDER BY ' || pick('k', 's', 'b', 'r', 'v', 'h', '-s', more) END || pick('', ' DESC', ' DESC NULLS LAST') || ')'
		WHEN 15 THEN CASE WHEN random() < 0.3 THEN pick('sum(DISTINCT k', 'avg(DISTINCT n', 'stddev(DISTINCT s', 'count(DISTINCT (b, z)', 'count(DISTINCT (k, f, w)', 'count(DISTINCT (h, v, s)', 'count(DISTINCT (d, k % 3, e, u)') || ')'
			ELSE pick('gpu_first(', 'gpu_last(') || pick('k', 's', 'v', 'd', 'n', 'w', 'e', 'f', 'z', 'h', 'k % 3', more) || ', ' || pick('k', 'b', 'd', 'z', 'z', 'y', 'r', 'n', 'h', more) || ')' END
		ELSE format('gpu_sum(%I)', number) END ||
		CASE WHEN random() < 0.15 THEN ' FILTER (WHERE ' || random_condition(more, 0) || ')' ELSE '' END;
END $$;

-- Tables that these look up, side_k and side_w by a key that is unique.
CREATE FUNCTION random_joins() RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN random() < 0.75 THEN '' ELSE
		pick(' JOIN side_k ON key_k = k', ' LEFT JOIN side_k ON key_k = k', ' JOIN side_k ON key_k = s + 3', ' LEFT JOIN side_k ON key_k = s AND flag', ' JOIN side_k ON key_k = k - s AND day > d') ||
		pick('', '', ' JOIN side_w ON key_w = w', ' LEFT JOIN side_w ON key_w = w', ' LEFT JOIN side_w ON key_w = label') END
$$;

CREATE FUNCTION random_join_condition() RETURNS text LANGUAGE sql AS $$
	SELECT pick('price < n', 'label LIKE ''%1%''', 'flag', 'label IS NULL', 'parent > s OR f', 'day < z', 'label <> w', '60 / parent > k')
$$;

CREATE FUNCTION random_semijoin() RETURNS text LANGUAGE sql AS $$
	SELECT pick('', 'NOT ') || pick('EXISTS (SELECT FROM side_d WHERE key_d = d)', 'EXISTS (SELECT FROM side_d WHERE key_d = d AND key_s = s)', 'k IN (SELECT key_k FROM side_k WHERE flag)',
		'EXISTS (SELECT FROM side_w WHERE key_w = w)')
$$;
-- A report over reports: of each column, what can be made of it follows from its kind.
CREATE FUNCTION random_nested(relation text, more text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	-- integers and numeric, times, booleans, texts; floats and averages, of which equal ones may look different:
	-- where the outer query is no report, the order of the subquery's groups decides
	keys text[] := ARRAY['i:k', 'i:s', 'i:n', 'i:u', 'f:h', 't:d', 'b:f', 'w:w', 'w:e', 't:date_trunc(''day'', z)', 'i:CASE WHEN f THEN 1 ELSE s END', 'i:k % 4', 'i:' || more];
	aggregates text[] := ARRAY['i:count(*)', 'i:count(v)', 'i:sum(k)', 'i:sum(b)', 'i:sum(n)', 'i:sum(n * s)', 'i:min(n)', 'i:max(b)', 'i:min(u)', 'f:gpu_sum(v)', 'f:gpu_sum(r)', 'f:gpu_avg(r)', 'f:gpu_avg(v)',
		'f:gpu_stddev(v)', 'f:gpu_var_pop(r)', 'f:min(h)', 'f:max(m)', 'f:gpu_max(v)', 't:max(d)', 't:min(y)', 'b:bool_or(f)', 'b:sum(k) > 40', 'i:count(DISTINCT s)', 'i:sum(k) + count(*)', 'i:sum(s) FILTER (WHERE f)',
		'i:sum(k / s)', 'i:bit_or(k)', 'a:avg(k)', 'w:max(w)', 't:max(z)::date', 'i:mode() WITHIN GROUP (ORDER BY k)', 'i:coalesce(sum(k), -1)', 'i:gpu_last(s, z)', 'b:gpu_argmin(k, f)', 'i:sum(' || more || ')'];
	kinds text := '';
	list text[] := '{}';
	grouped integer := floor(random() * 4);
	n integer := 1 + grouped + floor(random() * 4);
	picked text;
	query text;
	outer_keys text[];
	outer_list text[];
	name text;
	kind text;
BEGIN
	FOR i IN 1..n LOOP
		picked := CASE WHEN i <= grouped THEN pick(VARIADIC keys) ELSE pick(VARIADIC aggregates) END;
		kinds := kinds || left(picked, 1);
		list := list || format('%s AS c%s', substr(picked, 3), i);
	END LOOP;
	query := format('SELECT %s FROM %I', array_to_string(list, ', '), relation) ||
		CASE WHEN random() < 0.5 THEN ' WHERE ' || random_condition(more, 1) ELSE '' END ||
		CASE WHEN grouped > 0 THEN ' GROUP BY ' || array_to_string((ARRAY['1', '2', '3'])[1:grouped], ', ') ELSE '' END ||
		CASE WHEN random() < 0.3 THEN ' HAVING ' || pick('count(*) > 2', 'sum(k) > 50', 'min(n) IS NOT NULL', 'sum(s) <> 0 AND max(d) > ''2020-01-20''') ELSE '' END;
	FOR level IN 1..1 + floor(random() * 1.4)::integer LOOP
		outer_keys := '{}';
		outer_list := '{}';
		list := '{}';
		FOR i IN 1..floor(random() * 3) LOOP
			name := 1 + floor(random() * n);
			kind := substr(kinds, name::integer, 1);
			outer_keys := outer_keys || (CASE WHEN kind IN ('a', 'f') THEN 'b' ELSE kind END || ':' || 'c' || name ||
				CASE kind WHEN 'i' THEN pick('', '', ' % 3', ' + 1') WHEN 'a' THEN ' > 3' WHEN 'f' THEN ' < 2.5' WHEN 't' THEN pick('', '::date') WHEN 'b' THEN pick('', ' IS NULL') WHEN 'w' THEN pick('', ' || ''x''') ELSE '' END);
		END LOOP;
		FOR i IN 0..floor(random() * 4) LOOP
			name := 1 + floor(random() * n);
			kind := substr(kinds, name::integer, 1);
			outer_list := outer_list || format(CASE kind
				WHEN 'i' THEN pick('i:sum(c%s)', 'i:min(c%s)', 'i:max(c%s)', 'i:count(c%s)', 'a:avg(c%s)', 'i:count(DISTINCT c%s)', 'i:sum(c%s * 2)', 'a:variance(c%s)', 'f:gpu_sum(c%s::float8)')
				WHEN 'f' THEN pick('f:gpu_sum(c%s)', 'f:gpu_max(c%s)', 'f:gpu_min(c%s)', 'i:count(c%s)', 'f:gpu_avg(c%s)', 'f:gpu_stddev(c%s)', 'i:count(DISTINCT c%s)', 'f:gpu_sum(abs(c%s))')
				WHEN 't' THEN pick('t:min(c%s)', 't:max(c%s)', 'i:count(DISTINCT c%s)', 'i:count(c%s)')
				WHEN 'b' THEN pick('b:bool_and(c%s)', 'b:bool_or(c%s)', 'i:count(c%s)')
				WHEN 'a' THEN pick('i:count(c%s)', 'a:sum(c%s)', 'b:bool_or(c%s > 3)')
				ELSE pick('w:min(c%s)', 'w:max(c%s)', 'i:count(DISTINCT c%s)', 'i:count(c%s)') END, name);
		END LOOP;
		name := 1 + floor(random() * n);
		kind := substr(kinds, name::integer, 1);
		query := format('SELECT %%s FROM (%s) AS q%s', replace(query, '%', '%%'), level) ||
			CASE WHEN random() < 0.4 THEN ' WHERE c' || name || CASE WHEN kind IN ('i', 'a') THEN pick(' > 10', ' <> 3', ' IS NOT NULL', ' BETWEEN 0 AND 1000') ELSE CASE kind WHEN 'f' THEN pick(' > 0.5', ' < 1e6', ' IS NULL')
				WHEN 't' THEN ' > ''2020-01-12''' WHEN 'b' THEN '' ELSE pick(' IS NOT NULL', ' IN (''w3'', ''ab'', ''new 5'')', ' <> ''''') END END ELSE '' END;
		IF outer_keys <> '{}' THEN
			query := query || ' GROUP BY ' || array_to_string((ARRAY['1', '2', '3'])[1:cardinality(outer_keys)], ', ');
		END IF;
		kinds := '';
		n := 0;
		FOREACH picked IN ARRAY outer_keys || outer_list LOOP
			n := n + 1;
			kinds := kinds || left(picked, 1);
			list := list || (substr(picked, 3) || ' AS c' || n);
		END LOOP;
		query := format(query, array_to_string(list, ', '));
	END LOOP;
	RETURN format('SELECT string_agg(t::text, chr(10) ORDER BY t::text COLLATE "C") FROM (%s) AS t', query);
END $$;

-- An aggregate that the service does not know, or one beside it, of which the order of rows is of no account.
CREATE FUNCTION random_collection(more text) RETURNS text LANGUAGE sql AS $$
	SELECT pick('string_agg(DISTINCT w, '','')', 'array_agg(DISTINCT k)', 'array_agg(DISTINCT s ORDER BY s DESC)', 'jsonb_agg(DISTINCT d)', 'string_agg(w, '';'' ORDER BY w)', 'array_agg(d ORDER BY d DESC NULLS LAST)',
			'array_agg(k ORDER BY k)', 'string_agg(DISTINCT e::text, ''+'')', 'array_agg(DISTINCT ' || more || ')', 'gpu_topk(k, 3)', 'gpu_topk(b, 2, false)', 'max(s)', 'min(w)', 'bool_or(f)', 'count(*)', 'sum(k)', 'gpu_avg(v)') ||
		CASE WHEN random() < 0.2 THEN ' FILTER (WHERE ' || random_condition(more, 0) || ')' ELSE '' END
$$;

-- A report: all of its rows as one text.  A table that ends in x has a column x now and then.
CREATE FUNCTION random_report(relation text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	more text := CASE WHEN relation LIKE '%x' AND random() < 0.3 THEN 'x' ELSE 'k' END;
	joins text := random_joins();
	conditions text[] := '{}';
	keys text[] := '{}';
	list text[];
	source text;
BEGIN
	IF random() < 0.15 THEN
		RETURN random_nested(relation, more);
	END IF;
	IF random() < 0.7 THEN
		conditions := conditions || random_condition(more, 2);
	END IF;
	IF random() < 0.1 THEN
		conditions := conditions || random_semijoin();
	END IF;
	IF joins <> '' AND random() < 0.5 THEN
		conditions := conditions || random_join_condition();
	END IF;
	source := format(' FROM %I', relation) || joins || CASE WHEN conditions <> '{}' THEN ' WHERE (' || array_to_string(conditions, ') AND (') || ')' ELSE '' END;
	IF joins <> '' AND random() < 0.6 THEN
		keys := keys || pick('label', 'flag', 'day', 'coalesce(label, w)', 'price > n', 'upper(label)', 'date_trunc(''month'', day)', 'parent', 'parent + k', 'label = w');
	END IF;
	FOR i IN 1..floor(random() * 4) LOOP
		keys := keys || CASE WHEN random() < 0.7 THEN pick('k', 's', 'f', 'd', 'k', 's', 'n', 'w', 'e', more)
			ELSE pick('h', 'm', 'u', '-h', 'nullif(h, 1)', 'nullif(m, h)', 'h + m', 'CASE WHEN f THEN h ELSE m END', 'coalesce(u, 1)', 'greatest(u, n)', 'least(u, 1.0)',
				'u * 1.0', 'round(n / nullif(k, 0))', 'n::real', 'date_trunc(''week'', z - interval ''6 hours'')', '(y AT TIME ZONE ''America/St_Johns'')::date', 'date_trunc(''hour'', y)::time',
				'extract(hour FROM y)', 'd - date ''2020-01-15''', 'd + s', 'greatest(e::text, w)', 'least(e::text, ''ab'')', 'coalesce(e::text, w)', 'CASE e WHEN ''a'' THEN 1.0 ELSE 1 END', 'CASE s WHEN 1 THEN ''-0''::float8 WHEN 2 THEN 0 END') END;
	END LOOP;
	list := keys;
	IF keys <> '{}' AND random() < 0.15 THEN
		RETURN format('SELECT string_agg(t::text, chr(10) ORDER BY t::text COLLATE "C") FROM (SELECT DISTINCT %s', array_to_string(list, ', ')) || source || CASE WHEN random() < 0.3 THEN ' ORDER BY 1' ELSE '' END || ') AS t';
	END IF;
	IF random() < 0.12 THEN
		FOR i IN 0..floor(random() * 2.5) LOOP
			list := list || random_collection(more);
		END LOOP;
		RETURN format('SELECT string_agg(t::text, chr(10) ORDER BY t::text COLLATE "C") FROM (SELECT %s', array_to_string(list, ', ')) || source ||
			CASE WHEN keys <> '{}' THEN format(' GROUP BY %s', array_to_string(keys, ', ')) ELSE '' END || ') AS t';
	END IF;
	FOR i IN 0..floor(random() * 5) LOOP
		list := list || random_aggregate(more);
	END LOOP;
	IF joins <> '' AND random() < 0.8 THEN
		list := list || pick('sum(price)', 'sum(price * n)', 'count(DISTINCT label)', 'max(label)', 'min(day)', 'sum(parent + k)', 'sum(coalesce(price, 0))', 'avg(price)', 'count(price) FILTER (WHERE flag)');
	END IF;
	RETURN format('SELECT string_agg(t::text, chr(10) ORDER BY t::text COLLATE "C") FROM (SELECT %s', array_to_string(list, ', ')) || source ||
		CASE WHEN keys <> '{}' THEN ' GROUP BY ' || format(pick('%s', '%s', '%s', 'ROLLUP (%s)', 'GROUPING SETS (%s)'), array_to_string(keys, ', ')) ELSE '' END ||
		CASE WHEN keys <> '{}' AND random() < 0.1 THEN ' ORDER BY 1' ELSE '' END || ') AS t';
END $$;

-- The answer, or the error.  A STABLE function, and what it calls, sees the tables as its caller
-- does, whatever the isolation level.
CREATE FUNCTION answer(query text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
	result text;
BEGIN
	EXECUTE query INTO result;
	RETURN result;
EXCEPTION
	WHEN transaction_rollback OR operator_intervention OR lock_not_available THEN
		RAISE;
	WHEN OTHERS THEN
		RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

-- An answer without what tells equal values apart: the sign of zeros, and zeros
-- behind the decimal point.
CREATE FUNCTION alike(answer text) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT string_agg(line, chr(10) ORDER BY line COLLATE "C")
	FROM regexp_split_to_table(regexp_replace(regexp_replace(answer, '(^|[(,{])-0(?=[,)}]|$)', '\10', 'gn'),
		'\.0+(?=[,)}]|$)|(\.\d*[1-9])0+(?=[,)}]|$)', '\1', 'gn'), '\n') AS line
$$;

-- Do two answers differ in that alone?  They may where the ordinary plan runs in place of a
-- report, as it may be another plan than without.  A report shows what the ordinary plan shows.
-- Of several rows' errors, the plan decides which one comes first: one that sorts before it
-- aggregates has evaluated WHERE of all rows.
CREATE FUNCTION is_alike(query text, plain text, report text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
	IF plain ~ '^22... ' AND report ~ '^22... ' THEN
		RETURN true;
	END IF;
	RETURN alike(plain) IS NOT DISTINCT FROM alike(report) AND
		(NOT is_report(query, 'ANALYZE') OR answer(query) IS NOT DISTINCT FROM plain);
END $$;

-- NULL if the answers are equal, else what differs.  The lock keeps others from rewriting the table, whose rows an older
-- snapshot may see, even after an error.
CREATE FUNCTION difference(relation text, query text, times integer) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
	plain text;
	report text;
BEGIN
	EXECUTE format('SELECT FROM %I LIMIT 0', relation);
	PERFORM set_config('gpuscan.reports', 'off', false);
	plain := answer(query);
	PERFORM set_config('gpuscan.reports', 'exact', false);
	PERFORM set_config('max_parallel_workers_per_gather', CASE WHEN random() < 0.1 THEN '2' ELSE '0' END, false);
	FOR i IN 1..times LOOP
		report := answer(query);
		IF report IS DISTINCT FROM plain AND NOT is_alike(query, plain, report) THEN
			RETURN format('DIFFERENT %s: %s, but plain: %s', query, report, plain);
		END IF;
	END LOOP;
	RETURN NULL;
END $$;

-- Compare some reports, by a session that also does something else.
CREATE FUNCTION compare(relation text, times integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	different text;
BEGIN
	FOR i IN 1..times LOOP
		different := difference(relation, random_report(relation), 1);
		IF different IS NOT NULL THEN
			RAISE WARNING '%', different;
		END IF;
	END LOOP;
END $$;

-- Compare a report that every row matters for.
CREATE FUNCTION compare_all(relation text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	different text := difference(relation, format('SELECT concat_ws('', '', count(*), gpu_sum(id), gpu_sum(k), gpu_sum(v)) FROM %I', relation), 1);
BEGIN
	IF different IS NOT NULL THEN
		RAISE WARNING '%', different;
	END IF;
END $$;

-- Is a query planned as a report, or, with ANALYZE, does it run as one?  Not if the ordinary plan runs in its place.
CREATE FUNCTION is_report(query text, options text DEFAULT 'COSTS') RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	line text;
	found boolean := false;
BEGIN
	FOR line IN EXECUTE format('EXPLAIN (%s) %s', options, query) LOOP
		IF line ~ 'Ordinary Plans' THEN
			RETURN false;
		END IF;
		found := found OR line ~ 'GpuscanReport';
	END LOOP;
	RETURN found;
END $$;

-- Compare `times` reports or, if that is more, for so many seconds.  Transactions have the session's default
-- isolation level.  pause: wait at random points (gpuscan.debug_pause) while another session holds their lock.
CREATE PROCEDURE read_reports(tables text[], times integer, seconds double precision, pause boolean)
LANGUAGE plpgsql AS $$
DECLARE
	until timestamptz := clock_timestamp() + make_interval(secs => seconds);
	compared integer := 0;
	explained integer := 0;
	taken integer := 0;
	relation text;
	query text;
	different text;
BEGIN
	WHILE compared < times OR clock_timestamp() < until LOOP
		ROLLBACK;
		IF pause THEN
			PERFORM set_config('gpuscan.debug_pause', pick('map', 'decided', 'page', 'look', 'finish'), false);
		END IF;
		BEGIN
			FOR i IN 0..floor(random() * 20) LOOP
				relation := pick(VARIADIC tables);
				query := random_report(relation);
				different := difference(relation, query, 2);
				compared := compared + 1;
				IF different IS NOT NULL THEN
					RAISE WARNING '%', different;
				END IF;
			END LOOP;
			explained := explained + 1;
			taken := taken + is_report(query)::integer;
		EXCEPTION
			WHEN transaction_rollback OR lock_not_available OR undefined_column OR undefined_function THEN
				NULL;
		END;
	END LOOP;
	ROLLBACK;
	RAISE NOTICE 'compared %, explained %, taken %', compared, explained, taken;
END $$;
