# Cached arrays: when the cache may be used, when not, and that only the time shows the difference.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('main', "gpuscan.cache_size = 64MB\nwal_writer_delay = 10s\n");

# Half a megabyte, not compressed; "first" is the first element.
sub numbers
{
	my ($first) = @_;

	return "(SELECT array_agg($first + i::double precision ORDER BY i)
		FROM generate_series(0, 65535) AS i)";
}

# What gpu_sum gives of it.
sub sum_from
{
	my ($first) = @_;

	return 65536 * $first + 65535 * 32768;
}

sub sum_and_hits
{
	my ($where) = @_;

	return "SELECT gpu_sum(a) FROM series WHERE $where;
		SELECT cache_hits || ' hits, ' || cache_misses || ' misses' FROM gpuscan_last_call()";
}

# The right sum, with a cache hit or without.
sub is_sum
{
	my ($id, $first, $copy, $name, %more) = @_;
	my $sql = ($more{before} // '') . sum_and_hits("id = $id");
	my ($sum, $hits) = split "\n",
	  $node->safe_psql($more{database} // 'postgres', $sql, extra_params => $more{params} // []);

	is($sum, sum_from($first), "$name: the sum");
	is($hits, { hit => '1 hits, 0 misses', miss => '0 hits, 1 misses', none => '0 hits, 0 misses' }->{$copy},
		"$name: $copy") if $copy ne 'either';
}

sub do_sql
{
	$node->safe_psql('postgres', $_[0]);
}

do_sql('CREATE TABLE series (id integer, note text, a double precision[]);
	ALTER TABLE series ALTER a SET STORAGE EXTERNAL;
	CREATE INDEX series_id ON series (id);
	CREATE ROLE reader; CREATE ROLE other;
	GRANT SELECT ON series TO reader;
	INSERT INTO series SELECT s, \'as it was\', ' . numbers('1000 * s') . ' FROM generate_series(1, 8) AS s');

# The value is the same: a hit.
is_sum(1, 1000, 'miss', 'first use');
is_sum(1, 1000, 'hit', 'another session');
do_sql("UPDATE series SET note = 'changed'");
is_sum(1, 1000, 'hit', 'after an update of another column');
do_sql('VACUUM series');
is_sum(1, 1000, 'hit', 'after VACUUM');
do_sql('VACUUM FREEZE series');
is_sum(1, 1000, 'hit', 'after VACUUM FREEZE');
is_sum(1, 1000, 'hit', 'another user', before => 'SET ROLE reader; ');
my ($code, $out, $err) = $node->psql('postgres', 'SET ROLE other; ' . sum_and_hits('id = 1'));
like($err, qr/permission denied for table series/, 'the cache gives nothing to those who may not read the row');
is_sum(1, 1000, 'none', 'gpuscan.cache = off', before => 'SET gpuscan.cache = off; ');
do_sql('ALTER TABLE series RENAME TO renamed; ALTER TABLE renamed RENAME TO series');
is_sum(1, 1000, 'hit', 'after a rename');

# Another value, or another location of the same one: a miss.
do_sql('UPDATE series SET a = ' . numbers(7) . ' WHERE id = 1');
is_sum(1, 7, 'miss', 'after an update of the array');
is_sum(1, 7, 'hit', 'and from then on');
do_sql('ALTER TABLE series ALTER id TYPE bigint');
is_sum(1, 7, 'miss', 'after a rewriting ALTER TABLE');
for my $command ('VACUUM FULL series', 'CLUSTER series USING series_id',
	'BEGIN; TRUNCATE series; ROLLBACK')
{
	do_sql($command);
	is_sum(1, 7, 'either', "after $command");
}
do_sql('BEGIN; INSERT INTO series VALUES (100, NULL, ' . numbers(50) . '); '
	  . sum_and_hits('id = 100') . '; ROLLBACK');
do_sql('INSERT INTO series VALUES (100, NULL, ' . numbers(60) . ')');
is_sum(100, 60, 'miss', 'after the rollback of an insert');
do_sql('BEGIN; CREATE TABLE saved (LIKE series INCLUDING STORAGE); INSERT INTO saved TABLE series; TRUNCATE series; INSERT INTO series SELECT id, note, a
	FROM saved WHERE id = 2; COMMIT; DROP TABLE saved');
is_sum(2, 2000, 'either', 'after TRUNCATE');

do_sql('CREATE TABLE dropped (LIKE series INCLUDING STORAGE); INSERT INTO dropped SELECT 1, NULL, ' . numbers(70) . ';'
	  . 'SELECT gpu_sum(a), gpu_sum(a) FROM dropped; DROP TABLE dropped;
	CREATE TABLE dropped (LIKE series INCLUDING STORAGE); INSERT INTO dropped SELECT 1, NULL, ' . numbers(80));
is($node->safe_psql('postgres', sum_and_hits('true') =~ s/series/dropped/r), sum_from(80) . "\n0 hits, 1 misses",
	'a table of a name that another had');

# Two versions of a row at once, each for those who see it
my $old = open_session($node);
$old->query('BEGIN ISOLATION LEVEL REPEATABLE READ; ' . sum_and_hits('id = 2'));
do_sql('UPDATE series SET a = ' . numbers(9) . ' WHERE id = 2');
is_sum(2, 9, 'miss', 'the new version');
like($old->query(sum_and_hits('id = 2')), qr/^@{[sum_from(2000)]}\n1 hits/, 'the old version');
is_sum(2, 9, 'hit', 'the new version again');
$old->query('COMMIT');
$old->quit;

# Another database with the same OIDs
do_sql('CREATE DATABASE twin TEMPLATE postgres');
is_sum(2, 9, 'hit', 'before the twin has changed');
is_sum(2, 9, 'miss', 'the same OIDs in another database', database => 'twin');
is($node->safe_psql('twin', 'SELECT count(DISTINCT (database, value_id)), count(DISTINCT value_id),
		count(relation) FROM gpuscan_cache() WHERE value_id IN
			(SELECT value_id FROM gpuscan_cache() WHERE database = \'twin\')'), '2|1|1',
	'two entries with one value id');
$node->safe_psql('twin', 'UPDATE series SET a = ' . numbers(11) . ' WHERE id = 2');
is_sum(2, 11, 'miss', 'the twin has changed', database => 'twin');
is_sum(2, 9, 'hit', 'and the first has not');
do_sql('DROP DATABASE twin');

# Dump and restore
my $dump = $node->backup_dir . '/dump.sql';
$node->run_log([ 'pg_dump', '--dbname', $node->connstr('postgres'), '--file', $dump ]);
do_sql('CREATE DATABASE restored');
$node->run_log([ 'psql', '-Xq', '--dbname', $node->connstr('restored'), '--file', $dump ]);
is_sum(2, 9, 'miss', 'after dump and restore', database => 'restored');

# What is short, or not stored out of line and uncompressed, is not cached.
do_sql('CREATE TABLE others (name text, a double precision[], c double precision[]);
	ALTER TABLE others ALTER a SET STORAGE EXTERNAL, ALTER c SET STORAGE EXTENDED;
	INSERT INTO others SELECT \'short\', array_agg(i), NULL FROM generate_series(1, 10) AS i;
	INSERT INTO others SELECT \'small\', array_agg(i), NULL FROM generate_series(1, 5000) AS i;
	INSERT INTO others SELECT \'compressed\', NULL, array_fill(0.5::float8, ARRAY[100000])');
is($node->safe_psql('postgres', qq{
	SELECT name, gpu_sum(coalesce(a, c)), (SELECT cache_hits + cache_misses FROM gpuscan_last_call())
	FROM others, generate_series(1, 2);
	SELECT gpu_sum(array_fill(0.5::float8, ARRAY[100000])), cache_hits + cache_misses FROM gpuscan_last_call();
	DO \$\$
	DECLARE
		b float8[] := (SELECT a FROM series WHERE id = 2);
	BEGIN
		b[1] := b[1] + 1;
		IF gpu_sum(b) <> @{[sum_from(9) + 1]} THEN RAISE 'sum is %', gpu_sum(b); END IF;
	END \$\$}),
	join('', ("short|55|0\nsmall|12502500|0\ncompressed|50000|0\n") x 2) . '50000|0',
	'inline, small, compressed, expanded');

# Workers of a parallel plan, an index over an expression
do_sql('CREATE TABLE several (id integer, a double precision[]); ALTER TABLE several ALTER a SET STORAGE EXTERNAL;
	INSERT INTO several SELECT s, ' . numbers('100 * s') . ' FROM generate_series(1, 20) AS s');
is($node->safe_psql('postgres', 'SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0;
		SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
		EXPLAIN (COSTS OFF) SELECT sum(gpu_sum(a)) FROM several') =~ /Workers Planned: 2/, 1, 'a parallel plan');
my $sums = 'SELECT sum(gpu_sum(a)) FROM several';
is($node->safe_psql('postgres', "SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0;
		SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; $sums; $sums"),
	join("\n", (20 * sum_from(0) + 65536 * 100 * 210) x 2), 'its sum');
is(status_of($node, 'cache_hits >= 20'), 't', 'workers use what other workers have cached');
is($node->safe_psql('postgres', 'CREATE INDEX ON several (gpu_sum(a)); SET enable_seqscan = off;
		SELECT id FROM several WHERE gpu_sum(a) = ' . sum_from(700)), '7', 'an index over sums');
do_sql('DROP TABLE several');

# Every argument, in every combination
do_sql('CREATE TABLE arguments (x double precision[], n integer[], keep boolean[], edges double precision[]);
	ALTER TABLE arguments ALTER x SET STORAGE EXTERNAL, ALTER n SET STORAGE EXTERNAL,
		ALTER keep SET STORAGE EXTERNAL, ALTER edges SET STORAGE EXTERNAL;
	INSERT INTO arguments SELECT array_agg(i / 3.0), array_agg(CASE WHEN i % 7 > 0 THEN i END),
		array_agg(CASE WHEN i % 11 > 0 THEN i % 3 = 0 END), array_agg(i - 0.5)
	FROM generate_series(1, 150000) AS i');
for my $test (
	[ 'gpu_cumsum(x)', '1 0' ],
	[ 'gpu_cumsum(n)', '1 0' ],
	[ 'gpu_cumsum(n, true)', '1 0' ],
	[ 'gpu_cummax(n, chunk => 777)', '1 0' ],
	[ 'gpu_cumsum(x, heads => keep)', '2 0' ],
	[ 'gpu_cumsum(n, heads => keep)', '1 0' ],	# heads are read here, for the NULLs
	[ 'gpu_compact(x, keep)', '2 0' ],
	[ 'gpu_compact(x, gpu_cumbool_or(keep))', '1 0' ],
	[ "gpu_compact(x || '{}', keep)", '1 0' ],
	[ 'gpu_where(keep)', '1 0' ],
	[ 'gpu_cumbool_and(keep, heads => keep)', '1 0' ],
	[ 'gpu_filter(n, \'>\', 140000)', '1 0' ],
	[ 'gpu_histogram(x, 0, 50000, 100)', '1 0' ],
	[ 'gpu_histogram(n, edges)', '2 0' ],
	[ 'gpu_histogram(n, 0, 100000, 99999)', '1 0' ],
	[ 'gpu_argmax(n)', '1 0' ],
	[ 'gpu_stddev(n)', '1 0' ],
	[ 'gpu_bool_and(keep)', '1 0' ],
	[ 'gpu_stats(x)', '1 0' ],
	[ 'gpu_stats(n)', '1 0' ],
	[ 'gpu_sort(x, true)', '1 0' ],
	[ 'gpu_argsort(n)', '1 0' ],
	[ 'gpu_median(n)', '1 0' ],
	[ 'gpu_distinct(n)', '1 0' ],
	[ 'ARRAY(SELECT g FROM gpu_group(n, x) AS g)', '2 0' ],
	[ 'ARRAY(SELECT g FROM gpu_group_median(keep, n) AS g)', '2 0' ],
	[ "ARRAY(SELECT g FROM gpu_group_min(n || '{}', x) AS g)", '1 0' ])
{
	my ($call, $hits) = @$test;
	my $sql = "SELECT md5(($call)::text) FROM arguments;";
	my $last = "SELECT cache_hits || ' ' || cache_misses FROM gpuscan_last_call()";
	my $expected = $node->safe_psql('postgres', "SET gpuscan.engine = cpu; $sql");

	is($node->safe_psql('postgres', "$sql $sql $last"), "$expected\n$expected\n$hits", $call);
}
for my $engine ('cpu', 'gpu', 'gpu')
{
	(undef, undef, $err) = $node->psql('postgres',
		"SET gpuscan.engine = $engine; SELECT gpu_product(x) FROM arguments");
	like($err, qr/value out of range: overflow/, "an error, engine $engine");
	(undef, undef, $err) = $node->psql('postgres',
		"SET gpuscan.engine = $engine; SELECT gpu_histogram(n, x || '{1}') FROM arguments");
	like($err, qr/edges must be strictly ascending, but 1 follows 50000/, "edges, engine $engine");
}
do_sql('CREATE TABLE wrong (a bigint[], e float8[], u float8[]); ALTER TABLE wrong ALTER a SET STORAGE EXTERNAL,
		ALTER e SET STORAGE EXTERNAL, ALTER u SET STORAGE EXTERNAL;
	INSERT INTO wrong SELECT array_agg(CASE i WHEN 70001 THEN 9223372036854775807 ELSE i END ORDER BY i),
		array_agg(CASE i WHEN 70001 THEN 5 ELSE i END ORDER BY i),
		array_agg(CASE i WHEN 70001 THEN NULL ELSE i END ORDER BY i)
	FROM generate_series(1, 80000) AS i');
for my $use ('first', 'second')
{
	(undef, undef, $err) = $node->psql('postgres', 'SELECT gpu_cumsum(a) FROM wrong');
	like($err, qr/bigint out of range\n.*element 70001/, "an overflow, $use use");
	(undef, undef, $err) = $node->psql('postgres', 'SELECT gpu_histogram(a, e) FROM wrong');
	like($err, qr/strictly ascending, but 5 follows 70000/, "edges out of order, $use use");
	(undef, undef, $err) = $node->psql('postgres', 'SELECT gpu_histogram(a, u) FROM wrong');
	like($err, qr/edges must not contain nulls/, "edges with a NULL, $use use");
}

# What is shown of it, and to whom
is($node->safe_psql('postgres', q{SET ROLE pg_monitor;
	SELECT database, relation, type, elements, bytes BETWEEN 500000 AND 600000, hits > 20, last_used > now() - interval '1 hour'
	FROM gpuscan_cache() WHERE relation = 'arguments'::regclass AND type = 'integer'::regtype}),
	'postgres|arguments|integer|150000|t|t|t', 'gpuscan_cache()');
is($node->safe_psql('postgres', 'SELECT count(*) = s.cache_entries, sum(bytes) = s.cache_bytes, s.cache_size,
		s.cache_hits > 50, s.cache_misses > 10, s.cache_saved > 50 * 100000
	FROM gpuscan_cache(), gpuscan_status() AS s GROUP BY s.*, 3, 4, 5, 6, s.cache_entries, s.cache_bytes'),
	't|t|67108864|t|t|t', 'gpuscan_status()');
for my $call ('gpuscan_cache()', 'gpuscan_cache_clear()')
{
	(undef, undef, $err) = $node->psql('postgres', "SET ROLE other; SELECT * FROM $call");
	like($err, qr/permission denied for function/, "$call: not for everyone");
}
cmp_ok(do_sql('SELECT gpuscan_cache_clear()'), '>', 5, 'gpuscan_cache_clear() says how many');
is(do_sql('SELECT count(*) FROM gpuscan_cache()'), '0', 'and all are gone');
is(status_of($node, 'cache_bytes'), '0', 'and their memory');
is_sum(2, 9, 'miss', 'after gpuscan_cache_clear()');
do_sql('SELECT gpuscan_stop()');
is_sum(2, 9, 'miss', 'a new service');

# Engine auto: below the size from which it takes the GPU anyway, an array is cached when it is
# asked for again, and the GPU is used from then on.
my $auto = q{SELECT engine, reason ~ 'cached' FROM gpuscan_last_call()};
do_sql('SELECT gpuscan_cache_clear()');
is($node->safe_psql('postgres', "SET gpuscan.engine = auto; " . join(' ', map {
		"SELECT gpu_sum(a) FROM series WHERE id = 2; $auto;" } 1 .. 3)),
	join("\n", map { sum_from(9) . "\n$_" } 'cpu|f', 'gpu|t', 'gpu|t'), 'engine auto');
is($node->safe_psql('postgres', q{SET gpuscan.engine = auto; SELECT gpu_sum(a) FROM others WHERE name = 'small';
	SELECT engine FROM gpuscan_last_call()}), "12502500\ncpu", 'engine auto: a small one');

# Without a cache no reason mentions one, and engine auto does not count on it.
configure($node, 'gpuscan.cache_size' => '0');
is($node->safe_psql('postgres', "SET gpuscan.engine = auto; " . join(' ', map {
		"SELECT gpu_sum(a) FROM series WHERE id = 2; $auto;" } 1 .. 3)),
	join("\n", (sum_from(9) . "\ncpu|f") x 3), 'no cache: engine auto');
is_sum(2, 9, 'miss', 'no cache: engine gpu') for 1 .. 2;
is(status_of($node, "cache_entries || ' ' || cache_bytes || ' ' || cache_size"), '0 0 0', 'no cache: nothing is cached');
configure($node, 'gpuscan.cache_size' => '64MB');

# A session whose question is cancelled does not take the late answer for another one's.
is_sum(2, 9, 'miss', 'before a silence');
my $asks = open_session($node);
my $stopped = service_pid($node);
is($asks->query(sum_and_hits('id = 2')), sum_from(9) . "\n1 hits, 0 misses", 'before the question');
kill 'STOP', $stopped;
$asks->query(q{SET statement_timeout = '100ms'; SELECT * FROM gpuscan_cache()});
like($asks->{stderr}, qr/canceling statement due to statement timeout/, 'a cancelled question');
do	# which may be cancelled, too
{
	$asks->{stderr} = '';
	$asks->query('SET statement_timeout = 0');
} while $asks->{stderr} ne '';
system("(sleep 0.3; kill -CONT $stopped) &");
is($asks->query(sum_and_hits('id = 2')), sum_from(9) . "\n1 hits, 0 misses", 'the next call is answered');
is($asks->{stderr}, '', 'by the service');
$asks->quit;

# Several sessions at once that are the first: one loads, the others wait for it.
do_sql('SELECT gpuscan_cache_clear()');
my $gate = open_session($node);
$gate->query('SELECT pg_advisory_lock(1)');
my $misses = status_of($node, 'cache_misses');
my @calls = map { start_call($node, 'SELECT pg_advisory_lock_shared(1); ' . sum_and_hits('id = 2')) } 1 .. 8;
wait_for('eight sessions', sub {
	return do_sql("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted") eq '8'; });
$gate->query('SELECT pg_advisory_unlock(1)');
finish_call($_) for @calls;
is(scalar(grep { $_->{out} =~ /^\n@{[sum_from(9)]}\n/ } @calls), 8, 'eight at once: the sum');
is(status_of($node, 'cache_misses') - $misses, 1, 'eight at once: it is loaded once');
$gate->quit;

# The service is killed while it works on a cached array: the CPU reads the array.
configure($node, 'gpuscan.debug_delay' => '3s');
is_sum(2, 9, 'miss', 'a slow service');
my $pid = service_pid($node);
my $call = start_call($node, sum_and_hits('id = 2') . '; SELECT engine FROM gpuscan_last_call()');
wait_for('a use', sub { return do_sql('SELECT hits FROM gpuscan_cache() WHERE elements = 65536') eq '1'; });
kill 'KILL', $pid;
finish_call($call);
is($call->{out}, sum_from(9) . "\n0 hits, 0 misses\ncpu", 'killed: the CPU answers');
like($call->{err}, qr/WARNING:  58000: the GPU was lost during gpu_sum/, 'killed: with a warning');

# A session that is loading is cancelled half way: its part is dropped, and the next one loads.
configure($node, 'gpuscan.debug_delay' => '0');
do_sql('INSERT INTO series SELECT 200, NULL, array_agg(i::float8) FROM generate_series(1, 7000000) AS i');
my $timeout = 8;
wait_for('a timeout that is over while it loads', sub {
	do_sql('SELECT gpuscan_stop()');
	do_sql("SELECT gpu_sum('{1}'::integer[])");
	($code, $out, $err) = $node->psql('postgres', "SET statement_timeout = $timeout; SELECT gpu_sum(a) FROM series WHERE id = 200");
	$timeout = $timeout < 500 ? 1.5 * $timeout : 8;
	return $err =~ /canceling statement due to statement timeout/ && status_of($node, 'cache_misses') eq '1'; });
wait_for('memory', sub { return status_of($node, 'staging_free = staging_total AND cache_bytes = 0') eq 't'; });
pass('cancelled: it was loading, and nothing is cached');
is($node->safe_psql('postgres', sum_and_hits('id = 200')), "24500003500000\n0 hits, 1 misses", 'the next one loads');
cmp_ok(status_of($node, 'cache_bytes'), '>', 56000000, 'and it is cached');
configure($node, 'gpuscan.cache_size' => '32MB');
is($node->safe_psql('postgres', sum_and_hits('id = 200')), "24500003500000\n0 hits, 1 misses",
	'an array that is larger than the cache streams');
is(status_of($node, 'cache_bytes'), '0', 'and is not cached');
do_sql('DELETE FROM series WHERE id = 200');

# A cache that is much smaller than the data, and many sessions; killed in between
do_sql(q{CREATE TABLE many (id integer, a integer[], k boolean[]);
	ALTER TABLE many ALTER a SET STORAGE EXTERNAL, ALTER k SET STORAGE EXTERNAL;
	INSERT INTO many SELECT s, array_agg(CASE WHEN s % 3 > 0 OR i % 5 > 0 THEN i * s END), array_agg(i % (s + 1) = 0)
	FROM generate_series(1, 40) AS s, generate_series(1, 70000) AS i GROUP BY s;
	SET gpuscan.engine = cpu;
	CREATE TABLE answers AS SELECT id, gpu_sum(a) AS sum, md5(gpu_compact(a, k)::text) AS compact,
		md5(gpu_cumsum(a)::text) AS cumsum FROM many;
	CREATE FUNCTION ask(times integer) RETURNS TABLE (wrong bigint, over bigint) LANGUAGE plpgsql AS $$
	DECLARE
		r record;
	BEGIN
		wrong := 0;
		over := 0;
		FOR i IN 1 .. times LOOP
			SELECT INTO r gpu_sum(a) IS DISTINCT FROM s.sum AS sum,
				i % 3 = 0 AND md5(gpu_compact(a, k)::text) IS DISTINCT FROM compact AS compact,
				i % 3 = 1 AND md5(gpu_cumsum(a)::text) IS DISTINCT FROM cumsum AS cumsum
			FROM many JOIN answers AS s USING (id) WHERE id = 1 + floor(random() * 40)::integer;
			wrong := wrong + coalesce(r.sum OR r.compact OR r.cumsum, false)::integer;
			over := over + (SELECT count(*) FROM gpuscan_status() WHERE cache_bytes > cache_size);
		END LOOP;
		RETURN NEXT;
	END $$});
configure($node, 'gpuscan.cache_size' => '1MB');
for my $kill (0, 1)
{
	@calls = map { start_call($node, 'SELECT * FROM ask(12)') } 1 .. 16;
	if ($kill)
	{
		wait_for('some calls', sub { return status_of($node, 'calls > 20') eq 't'; });
		kill 'KILL', service_pid($node);
	}
	finish_call($_) for @calls;
	is(scalar(grep { $_->{out} eq '0|0' } @calls), 16,
		'sixteen sessions, a tiny cache' . ($kill ? ', killed' : '') . ': right, and the limit holds');
	unlike(join('', map { $_->{err} } @calls), $kill ? qr/ERROR/ : qr/./, 'nobody complains');
}
wait_for('the connections', sub { return status_of($node, 'connections') eq '1'; });
is(status_of($node, 'staging_free = staging_total'), 't', 'staging memory is whole');
do_sql('SELECT gpuscan_cache_clear()');
is(status_of($node, 'cache_bytes || \' \' || cache_entries'), '0 0', 'nothing is leaked');

# After a crash, value id, xmin and ctid of what was not committed come back with another content.
do_sql('CREATE TABLE crashed (a double precision[]); ALTER TABLE crashed ALTER a SET STORAGE EXTERNAL');
$node->restart;
my $toast = do_sql("SELECT reltoastrelid::regclass FROM pg_class WHERE relname = 'crashed'");
my @seen;
for my $first (70, 80)
{
	my $session = open_session($node);
	my $sum;

	$session->query('BEGIN; INSERT INTO crashed VALUES (' . numbers($first) . ')');
	$sum = $session->query('SELECT gpu_sum(a) FROM crashed') for 1 .. 2;
	is($sum, sum_from($first), "a crash: the sum of $first and so on");
	is($session->query('SELECT cache_hits FROM gpuscan_last_call()'), '1',
		'a crash: which is a hit');
	push @seen, $session->query("SELECT chunk_id, xmin, ctid FROM $toast WHERE chunk_seq = 0");
	if ($first == 70)
	{
		my $backend = $session->query('SELECT pg_backend_pid()');

		my $log_end = -s $node->logfile;

		kill 'KILL', $backend;
		wait_for('the restart', sub { return log_has($node, qr/ready to accept connections/, $log_end); });

		# the pages of what was inserted are there, and empty
		do_sql('VACUUM crashed');
	}
	eval { $session->quit };
}
like($seen[0], qr/^\d+\|\d+\|\(0,1\)$/, 'a crash: a value is there');
is($seen[1], $seen[0], 'a crash: its value id, xmin and ctid have come back');
$node->stop;
done_testing();
