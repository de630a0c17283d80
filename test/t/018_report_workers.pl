# Reports whose pages are read by several processes: the same answers, who takes part, and what is left after a report,
# a worker or the service has ended in the middle.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use constant PAUSE_KEY => 7283;	# of report/session/pause.h

# Parallel plans are made to look dear: what is parallel is the reading of pages.
my $node = new_node('main', q{
fsync = off
min_parallel_table_scan_size = 0
max_parallel_workers_per_gather = 2
max_parallel_maintenance_workers = 2
parallel_setup_cost = 1000000000
session_preload_libraries = gpuscan
jit = off
cpu_tuple_cost = 0.000001
cpu_operator_cost = 1
seq_page_cost = 0.01
});

sub sql { return $node->safe_psql('postgres', $_[0]); }

sql(q{
	CREATE TABLE t (k integer, w text, c char(8), v double precision) WITH (fillfactor = 80);
	INSERT INTO t SELECT i % 100, 'w' || i * 7919 % 5003, 'c' || i % 7, i * 0.25 FROM generate_series(1, 200000) AS i;
	CREATE TABLE parts (LIKE t) PARTITION BY RANGE (k);
	CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (MINVALUE) TO (30);
	CREATE TABLE parts_2 PARTITION OF parts DEFAULT;
	INSERT INTO parts SELECT * FROM t WHERE v < 20000;
	CREATE UNLOGGED TABLE unlogged AS TABLE parts;
	CREATE TABLE log (line text);
	VACUUM ANALYZE t, parts, unlogged;
});
my $report = 'SELECT c, count(DISTINCT w), sum(k), gpu_sum(v) FROM t GROUP BY c ORDER BY c';
my $answer = sql("SET gpuscan.reports = off; $report");
my $pages = sql("SELECT pg_relation_size('t') / 8192");

# The answer with nothing held, and then the plan with nothing held, as executed.
sub first_report
{
	my ($settings, $query) = @_;

	sql('SELECT gpuscan_cache_clear()');
	my $got = sql("$settings; $query");
	sql('SELECT gpuscan_cache_clear()');
	return ($got, sql("$settings; EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) $query"));
}

# ----------
# Who takes part
# ----------

my ($got, $plan) = first_report('', $report);
is($got, $answer, 'two workers: the answer');
like($plan, qr/Rows Newly Cached: 200000\n.*Workers Launched: 2\n/s, 'two workers: all rows are kept');
unlike($plan, qr/Rows Cached|Rows Read/, 'two workers: and none held before, or read again');
like(sql("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) $report"), qr/Rows Cached: 200000\n(?!.*Workers Launched: \d)/s,
	'two workers: the next report finds them held, and needs none');
my $before = status_of($node, 'report_rows_read');
is(sql("SELECT gpuscan_cache_clear() \\g /dev/null\nSELECT gpuscan_load('t')"), 200000, 'gpuscan_load()');
is(status_of($node, 'report_rows_read') - $before, 200000, 'every row was read once');

for my $alone ('SET max_parallel_workers = 0', 'SET max_parallel_workers_per_gather = 0', "SET min_parallel_table_scan_size = '1GB'")
{
	($got, $plan) = first_report($alone, $report);
	is($got, $answer, "$alone: the answer");
	like($plan, qr/Rows Newly Cached: 200000/, "$alone: the session reads all rows");
	unlike($plan, qr/Workers Launched: \d/, "$alone: no worker");
}
# How long the session expects to read, in its first report, with so many workers.
sub expected_ms
{
	my ($workers) = @_;
	my $said;

	sql('SELECT gpuscan_cache_clear()');
	$node->psql('postgres', "SET client_min_messages = debug1; SET seq_page_cost = 1000; SET max_parallel_workers_per_gather = $workers; $report",
		stderr => \$said);
	return $said =~ /gpuscan has read for \d+ ms what was estimated at (\d+)/ ? $1 : 0;
}

my $alone = expected_ms(0);
cmp_ok($alone, '>', 1000, 'how long reading takes is estimated');
cmp_ok(abs($alone / (expected_ms(2) || 1) - 1.6), '<', 0.01, 'workers are taken into account');

sql('ALTER TABLE t SET (parallel_workers = 0)');
($got, $plan) = first_report('', $report);
unlike($plan, qr/Workers Launched: \d/, "parallel_workers = 0: no worker");
sql('ALTER TABLE t RESET (parallel_workers, fillfactor)');
($got, $plan) = first_report('SET parallel_leader_participation = off', $report);
is($got, $answer, 'without the leader: the answer');
like($plan, qr/Rows Newly Cached: 200000\n.*Workers Launched: 2\n/s, 'without the leader: all rows are kept');
($got, $plan) = first_report('SET max_parallel_workers_per_gather = 7', $report);
is($got, $answer, 'more workers than there are: the answer');
($got, $plan) = first_report('', $report =~ s/FROM t/FROM parts/r);
is($got, sql('SET gpuscan.reports = off; ' . $report =~ s/FROM t/FROM parts/r), 'partitions: the answer');
like($plan, qr/Workers Launched: 2\n/, 'partitions: two workers');
($got, $plan) = first_report('', $report =~ s/FROM t/FROM unlogged/r);
unlike($plan, qr/Workers Launched: \d/, 'a table that cannot be held: no worker');
is(sql("SELECT gpuscan_cache_clear(); BEGIN ISOLATION LEVEL SERIALIZABLE; $report; COMMIT") =~ s/^\d+\n//r, $answer, 'serializable');

# ----------
# In transactions
# ----------

my $changes = q{UPDATE t SET v = -v, w = 'changed ' || k WHERE k = 7 AND v < 500; SAVEPOINT a; DELETE FROM t WHERE k = 8; ROLLBACK TO a;
	INSERT INTO t SELECT k, 'new', c, v FROM t WHERE k = 9};
is(sql("SELECT gpuscan_cache_clear() \\g /dev/null\nBEGIN; $changes; $report; ROLLBACK"),
	sql("SET gpuscan.reports = off; BEGIN; $changes; $report; ROLLBACK"), 'changes of its own transaction');
sql('VACUUM t');
is(sql("SELECT gpuscan_cache_clear() \\g /dev/null\n" . q{
	DO $$
	DECLARE sum float8;
	BEGIN
		BEGIN
			SELECT gpu_sum(v) INTO sum FROM t;
			RAISE division_by_zero;
		EXCEPTION WHEN division_by_zero THEN
			INSERT INTO log SELECT gpu_sum(v) = sum FROM t;
		END;
	END $$;
	SELECT * FROM log}), 'true', 'in a block with an exception, in one that writes');
is(sql("SELECT gpuscan_cache_clear() \\g /dev/null\nBEGIN; DECLARE q CURSOR FOR $report; FETCH ALL FROM q; COMMIT"), $answer, 'a cursor');

# ----------
# Ended in the middle
# ----------

my $session = open_session($node);
my $holder = open_session($node);
my $pid = $session->query_safe('SELECT pg_backend_pid()');

sub workers
{
	return sql(q{SELECT pid FROM pg_stat_activity WHERE backend_type = 'parallel worker'});
}

# Start the report with nothing held, and wait until its workers pause where they have read a page.
sub start_paused
{
	my ($point, $query) = @_;

	sql('SELECT gpuscan_cache_clear()');
	$holder->query_safe('SELECT pg_advisory_lock(' . PAUSE_KEY . ')');
	$session->query_safe("SET gpuscan.debug_pause = $point");
	$session->start($query // $report);
	wait_for('workers that pause', sub {
		return sql(q{SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'parallel worker' AND wait_event = 'advisory'}) == 2; });
	return;
}

# What the report has given, once it goes on.
sub end_paused
{
	$holder->query_safe('SELECT pg_advisory_unlock(' . PAUSE_KEY . ')');
	my $got = $session->result;
	my @given = ($got, $session->{stderr});
	$session->{stderr} = '';
	$session->query_safe('SET gpuscan.debug_pause = never');
	return @given;
}

sub nothing_is_left
{
	my ($name) = @_;

	wait_for("$name: no worker", sub { return workers() eq ''; });
	($got, $plan) = first_report('', $report);
	wait_for("$name: an idle service", sub { return status_of($node, 'staging_free = staging_total') eq 't'; });
	is($got, $answer, "$name: the next report");
	like($plan, qr/Rows Newly Cached: 200000\n.*Workers Launched: 2\n/s, "$name: is read by workers");
	return;
}

for my $point (qw(page look))
{
	my $err;

	start_paused($point);
	sql("SELECT pg_cancel_backend($pid)");
	wait_for('no worker', sub { return workers() eq ''; });
	($got, $err) = end_paused();
	like($err, qr/canceling statement due to user request/, "cancelled at $point");
	nothing_is_left("cancelled at $point");

	# as in any parallel query
	start_paused($point);
	sql('SELECT pg_terminate_backend(' . (split /\n/, workers())[0] . ')');
	($got, $err) = end_paused();
	like($err, qr/terminating background worker "parallel worker" due to administrator command/, "a worker is ended at $point");
	nothing_is_left("a worker was ended at $point");

	start_paused($point);
	kill 'KILL', service_pid($node);
	($got, $err) = end_paused();
	is($got, $answer, "the service is lost at $point: the answer");
	sql('SELECT gpuscan_stop()');	# no pause after crashes
	nothing_is_left("the service was lost at $point");
}

# Pages change between the copy of the map and their reading, and before the second look.  Rows are added where pages
# have room: after that, VACUUM sets their bits again and leaves their LSNs.
for my $point (qw(page look))
{
	start_paused($point);
	sql("INSERT INTO t SELECT 5, 'w1', 'c1', i FROM generate_series(1, 5000) AS i");
	($got) = end_paused();
	is($got, $answer, "changed at $point: the answer is that of the snapshot");
	$answer = sql("SET gpuscan.reports = off; $report");
	sql('VACUUM t');
	is(sql($report), $answer, "changed at $point: the next one is that of the next");
}

# A report that looks once more at the map drops what its workers should not have kept.  One that ends before does not: the
# rows go to a page that its worker reads later, but not to the next one, which it has looked at already.
sql(q{
	CREATE TABLE room (k integer, v double precision);
	INSERT INTO room SELECT i, i FROM generate_series(1, 40 * 185) AS i;
	DELETE FROM room WHERE ctid >= '(2,0)' AND ctid < '(3,0)' AND k % 2 = 0;
	VACUUM room;
});
my $room = 'SELECT count(*), gpu_sum(v) FROM room';
$session->query_safe('SET parallel_leader_participation = off');
start_paused('page', $room);
kill 'STOP', $pid;
like(sql('INSERT INTO room SELECT i, 0.5 FROM generate_series(1, 3) AS i RETURNING ctid'), qr/^\(2,/, 'a page that is not read yet');
$holder->query_safe('SELECT pg_advisory_unlock(' . PAUSE_KEY . ')');
wait_for('the end of the workers', sub { return workers() eq ''; });
sql("SELECT pg_cancel_backend($pid)");
kill 'CONT', $pid;
$session->result;
like($session->{stderr}, qr/canceling statement due to user request/, 'cancelled after its workers ended');
sql('VACUUM room');
is(sql($room), sql("SET gpuscan.reports = off; $room"), 'what they left is true');
$session->quit;
$holder->quit;

# ----------
# A service that has no room
# ----------

# two slots are the leader's: the workers do not wait
configure($node, 'gpuscan.staging_size' => '256kB');
($got, $plan) = first_report('', $report);
is($got, $answer, 'no slot for workers: the answer');
like($plan, qr/Engine: .*Workers Launched: 2\n/s, 'no slot for workers: the service makes the report');
configure($node, 'gpuscan.staging_size' => '4MB', 'gpuscan.cache_size' => '0');
my $numbers = 'SELECT k, gpu_sum(v) FROM t GROUP BY k';	# dictionaries need memory
$plan = sql("$numbers \\g /dev/null\nEXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) $numbers");
like($plan, qr/Engine: .*Rows Read: \d+\n/s, 'no memory for columns: the service makes the report');
unlike($plan, qr/Workers Launched: \d/, 'no memory for columns: one try with workers is enough');
configure($node, 'gpuscan.cache_size' => '100MB');
is(sql($report), $answer, 'memory again: the answer');
is(status_of($node, 'fallbacks'), 0, 'none of this took an ordinary plan');

$node->stop;
done_testing();
