# What becomes of statements, by gpuscan_statements(): many sessions, query ids, sessions that end in the middle, parallel
# workers, other encodings, standbys, a crash, and no memory to count in.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use constant SESSIONS => 8;
use constant CALLS => 25;		# of each

chomp(my $libraries = `pg_config --pkglibdir`);
my $has_pgss = -e "$libraries/pg_stat_statements.so";
my $node = new_node('main', q{
max_parallel_workers_per_gather = 0
dynamic_shared_memory_type = mmap
}, allows_streaming => 1);

sub sql { return $node->safe_psql('postgres', $_[0]); }

# Memory to count in, which is larger than what the server makes for itself.
sub segments
{
	return scalar grep { -s $_ > 1_300_000 && -s $_ < 1_600_000 } glob($node->data_dir . '/pg_dynshmem/*');
}

# calls, reports, ordinary, refused and another column of statements with this text
sub told
{
	my ($server, $text, $column) = @_;

	$column //= 'reason';
	return $server->safe_psql('postgres', "SELECT calls, reports, ordinary, refused, $column FROM gpuscan_statements()
		WHERE query LIKE '$text' AND query NOT LIKE '%gpuscan_statements%'");
}

sql(q{
	CREATE TABLE pages AS SELECT i % 10 AS k, i AS v FROM generate_series(1, 100000) AS i;
	VACUUM ANALYZE pages;
	CREATE ROLE monitor IN ROLE pg_read_all_stats});
my $report = 'SELECT k, gpu_sum(v) FROM pages GROUP BY k';

# Nobody has counted anything: there is no memory for it yet, and none is made.
is(sql('SELECT count(*) FROM gpuscan_statements()'), 0, 'no statements');
is(sql('SELECT gpuscan_statements_reset()'), 0, 'none to forget');
is(segments(), 0, 'the memory is made when it is needed');

# ----------
# Sessions
# ----------

# Whichever of these is the first makes the memory; the library is loaded while the planner is at the first report.
my @calls = map { start_call($node, "$report;\n" x CALLS) } 1 .. SESSIONS;
finish_call($_) for @calls;
is(join('', map { $_->{err} } @calls), '', 'many sessions at once');
is(told($node, $report), SESSIONS * CALLS . '|' . SESSIONS * CALLS . '|0|0|', 'all are counted');
is(segments(), 1, 'in memory that was made once');

# What a session that was terminated was at is not counted, and holds nothing back.
my $holder = open_session($node);
$holder->query_safe('SELECT pg_advisory_lock(7283)');
my $stopped = start_call($node, "SET gpuscan.debug_pause = 'finish'; $report");
wait_for('the step', sub {
	return sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event = 'advisory'"); });
sql(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event = 'advisory'});
finish_call($stopped);
isnt($stopped->{code}, 0, 'a session is terminated');
$holder->quit;
sql($report);
is(told($node, $report), SESSIONS * CALLS + 1 . '|' . (SESSIONS * CALLS + 1) . '|0|0|', 'the next one is counted');

# An error that is caught leaves nothing behind.
sql("DO \$\$ BEGIN PERFORM gpu_sum(1 / (v - 1)) FROM pages; EXCEPTION WHEN division_by_zero THEN NULL; END \$\$; SELECT gpu_sum(v - 1) FROM pages");
is(told($node, '%v - 1)%'), '1|1|0|0|', 'the statement after a caught error');

# Of a statement that parallel workers take part in, the session counts one.
is(sql(q{LOAD 'gpuscan'; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
	SET max_parallel_workers_per_gather = 2; SELECT count(*) FROM pages AS a FULL JOIN pages AS b USING (v)}), 100000, 'a parallel plan');
is(told($node, '%JOIN%'), '1|0|1|1|it has a full join', 'is counted once');
is(sql("SET max_parallel_workers_per_gather = 2; SET min_parallel_table_scan_size = 0;
	SELECT count(sum) FROM (SELECT k, gpu_sum(v + 1) AS sum FROM pages GROUP BY k) AS s JOIN pages USING (k)"), 100000, 'a report beside one');
is(told($node, '%v + 1%'), '1|1|0|0|', 'is counted once, too');

# ----------
# The service is lost
# ----------

sql(q{SELECT gpu_sum(v + 2) FROM pages});
configure($node, 'gpuscan.debug_fail_after' => '1');
$node->safe_psql('postgres', "SELECT gpuscan_cache_clear(); SELECT gpu_sum(v + 2) FROM pages");
like(told($node, '%v + 2%'), qr/^2\|1\|1\|0\|./, 'an ordinary plan after a failure, and why');
configure($node, 'gpuscan.debug_fail_after' => '0');

# ----------
# Another database, in another encoding
# ----------

$node->safe_psql('postgres', q{CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'});
$node->safe_psql('latin', q{
	SET client_encoding = 'UTF8';
	CREATE EXTENSION gpuscan;
	CREATE TABLE pages AS SELECT i % 10 AS k, i AS v FROM generate_series(1, 100000) AS i;
	VACUUM ANALYZE pages;
	SELECT gpu_sum(v) AS "caf} . "\xc3\xa9" . q{" FROM pages});
is(told($node, '%caf%', 'substring(convert_to(query, $$UTF8$$) FROM 26 FOR 2)'), '1|1|0|0|\xc3a9', 'a text in another encoding');
is($node->safe_psql('latin', "SELECT count(DISTINCT dbid) FROM gpuscan_statements()"), 2, 'of all databases');
sql(q{SET client_encoding = 'UTF8'; SELECT gpu_sum(v) AS "} . "\xe2\x82\xac" . q{ euro" FROM pages});
is($node->safe_psql('latin', "SELECT calls, query FROM gpuscan_statements() WHERE query LIKE '%euro%' AND query NOT LIKE '%gpuscan_statements%'"),
	'1|SELECT gpu_sum(v) AS "??? euro" FROM pages', 'a text that has no place in this encoding');
is($node->safe_psql('postgres', "SET ROLE monitor; SELECT count(*) FROM gpuscan_statements() WHERE query LIKE '<%'"), 0,
	'pg_read_all_stats sees all texts');

# ----------
# Query ids
# ----------

my $by_id = q{SELECT calls, reports, queryid IS NOT NULL FROM gpuscan_statements() WHERE query LIKE '%k > _'};
my $queries = join('', map { "SELECT gpu_sum(v) FROM pages WHERE k > $_;\n" } 1 .. 3);
SKIP:
{
	skip 'only a library computes query ids', 1 if server_version($node) < 14;
	sql("SET compute_query_id = on; $queries");
	is(sql($by_id), '3|3|t', 'statements that differ in constants are one');
}
sql('SELECT gpuscan_statements_reset()');
sql($queries);
is(sql("SELECT count(*), count(queryid) FROM gpuscan_statements() WHERE query LIKE '%k > _'"), '3|0', 'without query ids their texts differ');

# ----------
# Standby
# ----------

$node->backup('backup');
my $standby = make_node('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
$standby->safe_psql('postgres', "$report; $report");
is(told($standby, $report), '2|2|0|0|', 'a standby counts its own');
$standby->stop;

# ----------
# A crash
# ----------

my $session = open_session($node);
my $backend = $session->query_safe('SELECT pg_backend_pid()');
kill 'KILL', $backend;
wait_for('the restart', sub { return ($node->psql('postgres', 'SELECT 1'))[0] == 0 && !kill 0, $backend; });
is(sql('SELECT count(*) FROM gpuscan_statements()'), 0, 'a crash begins anew');
sql($report);
is(told($node, $report), '1|1|0|0|', 'and counts');

# ----------
# pg_stat_statements
# ----------

SKIP:
{
	skip 'pg_stat_statements is not installed', 2 if !$has_pgss;
	for my $preloaded ('pg_stat_statements', 'gpuscan, pg_stat_statements')
	{
		$node->append_conf('postgresql.conf', "shared_preload_libraries = '$preloaded'");
		$node->restart;
		sql("CREATE EXTENSION IF NOT EXISTS pg_stat_statements; SELECT count(pg_stat_statements_reset())");
		sql("$queries SELECT gpu_sum(v + 3) FROM pages");
		is(sql(q{SELECT p.query, s.calls, s.reports, p.calls, p.total_exec_time >= s.report_ms * 0.99
			FROM gpuscan_statements() AS s JOIN pg_stat_statements AS p USING (userid, dbid, queryid)
			WHERE p.query LIKE '%k > %' AND p.query LIKE 'SELECT gpu_sum%'}),
			'SELECT gpu_sum(v) FROM pages WHERE k > $1|3|3|3|t', "joined with pg_stat_statements: $preloaded");
	}
}

# ----------
# No memory to count in
# ----------

$node->stop;
$node->append_conf('postgresql.conf', "shared_preload_libraries = ''");
$node->start;
chmod 0500, $node->data_dir . '/pg_dynshmem' or die;
my $offset = -s $node->logfile;
my $sum = 'SELECT gpu_sum(v) FROM pages';
my ($code, $out, $err) = $node->psql('postgres', "$sum; $sum; SELECT count(*) FROM gpuscan_statements()");
is("$code $out $err", "0 5000050000\n5000050000\n0 ", 'without memory reports are made, and not counted');
like(($node->psql('postgres', "$sum; SET statement_timeout = '100ms'; SELECT pg_sleep(60)"))[2],
	qr/canceling statement due to statement timeout/, 'such a session can be cancelled');
unlike(slurp_file($node->logfile, $offset), qr/WARNING|shared memory|pg_dynshmem/, 'nobody is told');
chmod 0700, $node->data_dir . '/pg_dynshmem' or die;
sql($report);
is(told($node, $report), '1|1|0|0|', 'the next session counts');
$node->stop;
done_testing();
