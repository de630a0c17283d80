# Reports over a table, over a join, and windows over a join's groups on a hot standby while the
# primary changes and vacuums the tables; after its promotion; after crashes of the server and of the service.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use constant ROUNDS => 40;		# changes of the table on the primary
use constant COMPARISONS => 150;	# on the standby, meanwhile

my $primary = new_node('primary', q{
gpuscan.engine = auto
session_preload_libraries = gpuscan
cpu_tuple_cost = 0.000001
cpu_operator_cost = 1
seq_page_cost = 0.01
max_parallel_workers_per_gather = 0
hot_standby_feedback = on
max_standby_streaming_delay = -1
wal_receiver_status_interval = 1
}, allows_streaming => 1);

$primary->safe_psql('postgres', q{
	CREATE TABLE t (k integer, v double precision, pad text) WITH (fillfactor = 70, autovacuum_enabled = off);
	INSERT INTO t SELECT i % 10, i / 3.0::double precision, repeat('x', i % 50) FROM generate_series(1, 5000) AS i;
	CREATE TABLE d (k integer, name text, x integer) WITH (autovacuum_enabled = off);
	INSERT INTO d SELECT i, 'name ' || i % 3, 10 * i FROM generate_series(0, 7) AS i;
	CREATE TABLE queries (number integer, query text);
	INSERT INTO queries VALUES
		(1, 'SELECT k, count(*), gpu_sum(v), gpu_stddev(v), min(v), max(v) FROM t WHERE v < 1500 GROUP BY k'),
		(2, 'SELECT name, count(*), sum(x), gpu_sum(v) FROM t LEFT JOIN d USING (k) GROUP BY name'),
		(3, 'SELECT name, n, s, sum(n) OVER (ORDER BY s), rank() OVER (ORDER BY n DESC, name) FROM
			(SELECT name, count(*) AS n, sum(x) AS s FROM t JOIN d USING (k) WHERE v < 1500 GROUP BY name) AS q');
	CREATE FUNCTION answer() RETURNS text LANGUAGE plpgsql STABLE AS $$
	DECLARE
		result text := '';
		q queries;
		one text;
	BEGIN
		FOR q IN SELECT * FROM queries ORDER BY number LOOP
			EXECUTE 'SELECT string_agg(r::text, chr(10) ORDER BY r::text COLLATE "C") FROM (' || q.query || ') AS r' INTO one;
			result := result || coalesce(one, 'none') || chr(10);
		END LOOP;
		RETURN result;
	END $$;
	-- how often a report and the ordinary plan differ in one snapshot
	CREATE FUNCTION differences(times integer) RETURNS integer LANGUAGE plpgsql STABLE AS $$
	DECLARE
		plain text;
		result integer := 0;
	BEGIN
		FOR i IN 1..times LOOP
			PERFORM set_config('gpuscan.reports', 'off', false);
			plain := answer();
			PERFORM set_config('gpuscan.reports', 'exact', false);
			result := result + (answer() IS DISTINCT FROM plain)::integer + (answer() IS DISTINCT FROM plain)::integer;
		END LOOP;
		RETURN result;
	END $$;
});
$primary->safe_psql('postgres', 'VACUUM ANALYZE t, d');

# The number of comparisons, each in a transaction of its own, that differ.
sub compare
{
	my ($node, $times) = @_;

	return $node->safe_psql('postgres', "SELECT differences(1);\n" x $times) =~ tr/1-9//;
}

# Rows that reports took from what the service held.
sub held
{
	my ($node) = @_;

	return $node->safe_psql('postgres',
		'EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT count(*), gpu_sum(v) FROM t')
	  =~ /Rows Cached: (\d+)/ ? $1 : 0;
}

# How each query is executed the second time in a session
sub made
{
	my ($node) = @_;
	my $explain = 'EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off)';
	my @queries = map { $node->safe_psql('postgres', "SELECT query FROM queries WHERE number = $_") } 1 .. 3;

	return join ', ', map { !/GpuscanReport/ ? 'query' : /Ordinary Plans/ ? 'ordinary plan' : 'report' }
	  map { (split /--second\n/, $node->safe_psql('postgres', "$explain $_; \\echo --second\n$explain $_"))[1] } @queries;
}

# Is all of the table held, once the service has started and read it, and nobody has an old snapshot
# that keeps VACUUM from marking pages all-visible?
sub all_held
{
	my ($node, $writer) = @_;

	return wait_for('the service to hold the table', sub {
		$writer->safe_psql('postgres', 'VACUUM t, d');
		return held($node) >= 4000; });
}

is(compare($primary, 3), 0, 'the primary');
is(all_held($primary, $primary), 1, 'holds the table');
is(made($primary), 'report, report, report', 'and makes all reports');

# A base backup while the service holds columns.
$primary->backup('base');
my $standby = make_node('standby');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
$standby->start;
$primary->wait_for_catchup($standby);
is(compare($standby, 3), 0, 'the standby');
is(all_held($standby, $primary), 1, 'holds the table');
is(made($standby), 'report, report, report', 'and makes all reports');

# The primary changes the table, and vacuums it.
my @reader = ('psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $standby->connstr('postgres'));
my ($out, $err) = ('', '');
my $reads = "BEGIN ISOLATION LEVEL REPEATABLE READ;\nSELECT differences(1);\nSELECT pg_sleep(0.005);\nSELECT differences(1);\nCOMMIT;\n" x COMPARISONS;
my $reader = IPC::Run::start(\@reader, '<', \$reads, '>', \$out, '2>', \$err);
for my $round (1 .. ROUNDS)
{
	$primary->safe_psql('postgres', join ";\n",
		"UPDATE t SET v = v + 1 WHERE k = $round % 10 AND v < 400",
		"DELETE FROM t WHERE v BETWEEN $round * 20 AND $round * 20 + 5",
		"UPDATE d SET x = x + 1, name = 'name ' || $round WHERE k = $round % 8",
		$round % 3 == 0 ? 'VACUUM t, d' : 'SELECT 1',
		'BEGIN', "DELETE FROM d WHERE k > $round % 10", "INSERT INTO d SELECT i, 'new', 1 FROM generate_series($round % 10 + 1, 8) AS i",
		$round % 5 == 0 ? 'ROLLBACK' : 'COMMIT',
		"INSERT INTO t SELECT $round % 7, i FROM generate_series(1, 50) AS i",
		$round % 7 == 0 ? 'VACUUM d' : 'SELECT 1',
		$round % 8 == 0 ? 'VACUUM (FREEZE) t, d' : 'SELECT 1',
		$round % 20 == 0 ? 'VACUUM FULL t' : $round % 20 == 10 ? 'VACUUM FULL d' : 'SELECT 1',
		$round % 20 == 13 ? "BEGIN;\nTRUNCATE d;\nINSERT INTO d SELECT i, 'again ' || i % 2, i FROM generate_series(0, 8) AS i;\nCOMMIT" : 'SELECT 1');
}
$reader->finish;
is($err, '', 'reads on the standby raise nothing');
is($out =~ tr/\n//, 3 * COMPARISONS, 'all have run') or diag(substr $out, 0, 200);
is($out =~ tr/1-9//, 0, 'while the primary changes the table: equal answers');
$primary->safe_psql('postgres', 'VACUUM t, d');
$primary->wait_for_catchup($standby);
is(compare($standby, 3), 0, 'and afterwards');
is(all_held($standby, $primary), 1, 'the table is held again');
is(made($standby), 'report, report, report', 'and all reports are made');

# What was held before the promotion is still true.
my $pid = service_pid($standby);
$standby->promote;
is(compare($standby, 3), 0, 'promoted');
is(service_pid($standby), $pid, 'the service is the same');
cmp_ok(held($standby), '>=', 4000, 'and holds the table');
$standby->safe_psql('postgres', 'UPDATE t SET v = -v WHERE k = 3; UPDATE d SET x = -x WHERE k = 3');
is(compare($standby, 3), 0, 'after an update');
$standby->safe_psql('postgres', 'VACUUM t, d');
is(compare($standby, 3), 0, 'and a vacuum');

# A crash: what was not committed is gone, and so is all that was held.
is($standby->safe_psql('postgres', 'BEGIN; UPDATE t SET v = 0; UPDATE d SET x = 0; SELECT differences(1); ROLLBACK'),
	0, 'after an update of its own transaction');
my $session = open_session($standby);
is($session->query_safe('BEGIN; DELETE FROM t WHERE k = 4; DELETE FROM d WHERE k = 5; SELECT differences(1)'),
	0, 'and after a deletion');
$standby->stop('immediate');
$standby->start;
is(compare($standby, 3), 0, 'after a crash of the server');
$standby->safe_psql('postgres', 'VACUUM t, d');
is(compare($standby, 3), 0, 'and a vacuum');

# The service is killed while reports run.
$out = $err = '';
$reads = "SELECT differences(1);\n" x COMPARISONS;
$reader = IPC::Run::start([ 'psql', '-XAtq', '-d', $standby->connstr('postgres') ], '<', \$reads, '>', \$out, '2>', \$err);
for (1 .. 5)
{
	select undef, undef, undef, 0.2;
	kill 'KILL', service_pid($standby) // next;
}
$reader->finish;
unlike($err, qr/ERROR|FATAL/, 'kills of the service raise no error');
is($out, "0\n" x COMPARISONS, 'and answers are equal');
$_->stop for $primary, $standby;
done_testing();
