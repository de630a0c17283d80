# What a DBA sees: the supervisor and wait events in pg_stat_activity, and gpuscan_calls().
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('main');
my $engine = service_engine();
my $names_waits = server_version($node) >= 17;

# A column of the supervisor's row, empty if there is none.
sub supervisor
{
	my ($server, $column) = @_;

	return $server->safe_psql('postgres', "SELECT $column FROM pg_stat_activity WHERE backend_type = 'gpuscan supervisor'");
}

# Wait until the supervisor says so of its service.
sub wait_for_text
{
	my ($server, $pattern) = @_;

	return wait_for("the supervisor to say $pattern", sub { return supervisor($server, 'query') =~ $pattern; });
}

sub waits_for
{
	my ($call) = @_;

	return $node->safe_psql('postgres', "SELECT wait_event FROM pg_stat_activity
		WHERE wait_event_type = 'Extension' AND query LIKE '%$call%' AND pid <> pg_backend_pid()");
}

sub wait_event
{
	my ($name) = @_;

	return $names_waits ? $name : 'Extension';
}

# What has computed calls, or reports: by the GPU, by the service on the CPU, by backends.
sub counts
{
	my ($kind) = @_;

	return $node->safe_psql('postgres', "SELECT string_agg(calls::text, ' ') FROM gpuscan_calls() WHERE kind = '$kind'");
}

# As counts: so many by the service, so many by backends.
sub expected
{
	my ($service, $backend) = @_;

	return $engine eq 'cpu' ? "0 $service $backend" : "$service 0 $backend";
}

# The supervisor is a session of no database, which holds nothing back.
is(supervisor($node, 'pid'), '', 'no supervisor before the first call');
is(counts('call'), '0 0 0', 'and no calls');
is($node->safe_psql('postgres', sum_of()), busy_sum(), 'a call');
wait_for_text($node, qr/running/);
my $service = service_pid($node);
is(supervisor($node, 'query'), "service $service running, engine $engine", 'the supervisor says what the service does');
is(supervisor($node, 'application_name, datid, state, backend_xmin, xact_start'), 'gpuscan supervisor||||',
	'it is in no database and no transaction');
is(wait_for('the supervisor to wait', sub { return supervisor($node, "CASE wait_event_type WHEN 'Extension' THEN wait_event END"); }),
	wait_event('GpuscanSupervisor'), 'it waits');

# To cancel it does nothing; the next answer comes after it has got the signal.
my $pid = supervisor($node, 'pid');
is($node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)"), 't', 'cancelled');
is($node->safe_psql('postgres', 'SELECT gpuscan_stop()'), 't', 'it stops the service all the same');
wait_for_text($node, qr/^service stopped$/);
is(supervisor($node, 'pid'), $pid, 'and stays');

# Terminated, it ends the service; the next call has another one.
$node->safe_psql('postgres', sum_of());
is($node->safe_psql('postgres', "SELECT pg_terminate_backend($pid)"), 't', 'terminated');
wait_for('its end', sub { return !services($node) && supervisor($node, 'pid') ne $pid; });
is($node->safe_psql('postgres', sum_of()), busy_sum(), 'a call afterwards');
isnt(supervisor($node, 'pid'), $pid, 'another supervisor');

# Commands that wait until every process has closed its files, from 15 on.
$node->safe_psql('postgres', 'CREATE DATABASE other');
is(($node->psql('postgres', 'DROP DATABASE other', timeout => $PostgreSQL::Test::Utils::timeout_default // 180))[0], 0,
	'a database is dropped while it runs');

# Waits.
configure($node, 'gpuscan.debug_delay' => '1s');
my $call = start_call($node, 'SELECT gpu_cumsum(a) FROM numbers');
is(wait_for('a wait', sub { return waits_for('gpu_cumsum'); }), wait_event('GpuscanAnswer'), 'a session waits for an answer');
my @calls = map { start_call($node, 'SELECT gpu_cummax(a) FROM numbers') } 1 .. 40;
my $staging = wait_event('GpuscanStaging');
wait_for('staging memory to be short', sub { return waits_for('gpu_cummax') =~ /^$staging$/m; });
pass('sessions wait for staging memory');
$_->{run}->kill_kill for $call, @calls;
configure($node, 'gpuscan.debug_delay' => '0');

# How far reports, loads and calls are.
my $progress = 'SELECT work, operation, relation, phase, done, total FROM gpuscan_progress()';

# What is told of a statement that is stopped at a step; then it goes on, unless it has been ended.
sub told_at
{
	my ($point, $statement, %how) = @_;
	my $holder = open_session($node);

	$holder->query_safe('SELECT pg_advisory_lock(7283)');
	my $set = "SET gpuscan.engine = gpu; SET max_parallel_workers_per_gather = 0; SET gpuscan.debug_pause = '$point'";
	my $stopped = start_call($node, "$set; $statement");
	wait_for('the step', sub {
		# without it, if the service was just being replaced: once more
		if (!$stopped->{run}->pumpable || !$stopped->{run}->pump_nb)
		{
			finish_call($stopped);
			$stopped = start_call($node, "$set; $statement");
		}
		return $node->safe_psql('postgres',
			"SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event = 'advisory'"); });
	my $told = $node->safe_psql($how{database} // 'postgres', $how{query} // $progress);
	$node->safe_psql('postgres', "SELECT $how{end}(pid) FROM gpuscan_progress()") if $how{end};
	$holder->query_safe('SELECT pg_advisory_unlock(7283)');
	finish_call($stopped);
	$holder->quit;
	return $told;
}

my $report = 'SELECT k, gpu_sum(v) FROM pages GROUP BY k';
$node->safe_psql('postgres', q{
	CREATE TABLE pages AS SELECT i % 10 AS k, i AS v FROM generate_series(1, 200000) AS i;
	VACUUM ANALYZE pages;
	CREATE ROLE outsider; CREATE ROLE watcher IN ROLE pg_read_all_stats});

# a report does not wait for a service that is starting
is($node->safe_psql('postgres', 'SET gpuscan.engine = gpu; ' . sum_of()), busy_sum(), 'the service runs');
is($node->safe_psql('postgres', $progress), '', 'nothing is under way');
if (server_version($node) < 14)
{
	is(told_at('finish', $report), '', '13 does not say whether a command tells its own');
}
else
{
	my $pages = $node->safe_psql('postgres', q{SELECT pg_relation_size('pages') / 8192});

	is(told_at('page', $report, end => 'pg_cancel_backend'), "report||pages|reading pages|0|$pages", 'a report that reads');
	is($node->safe_psql('postgres', $progress), '', 'nothing is told once it is cancelled');
	is(told_at('page', $report, end => 'pg_terminate_backend'), "report||pages|reading pages|0|$pages", 'another one');
	is(wait_for('its end', sub { return $node->safe_psql('postgres', 'SELECT count(*) = 0 FROM gpuscan_progress()') eq 't'; }), 1,
		'nor once its session is terminated');
	is(told_at('page', q{SELECT gpuscan_load('pages')}), "load||pages|reading pages|0|$pages", 'a load');
	is(told_at('finish', $report, query => 'SET ROLE outsider; SELECT pid > 0, database, work, relation, phase, done, total FROM gpuscan_progress()'),
		't|postgres|||||', 'of other roles no more than who');
	is(told_at('finish', $report, query => "SET ROLE watcher; $progress"), 'report||pages|computing|0|', 'pg_read_all_stats sees all');
	is(told_at('finish', "COPY ($report) TO STDOUT", query => "SELECT command FROM pg_stat_progress_copy; $progress"), 'COPY TO', 'COPY tells its own');
	is(told_at('finish', "DO \$\$ BEGIN PERFORM gpu_sum(1 / (v - 1)) FROM pages; EXCEPTION WHEN division_by_zero THEN NULL; END \$\$; $report"),
		'report||pages|computing|0|', 'an error is forgotten');
	is(told_at('finish', "SET track_activities = off; $report"), '', 'nothing is told without track_activities');
	$node->safe_psql('postgres', 'CREATE DATABASE another');
	$node->safe_psql('another', 'CREATE EXTENSION gpuscan');
	is(told_at('finish', $report, database => 'another'), 'report|||computing|0|', 'a table of another database');
	configure($node, 'gpuscan.debug_delay' => '1s');
	$call = start_call($node, 'SET gpuscan.engine = gpu; SELECT gpu_cumsum(a) FROM numbers');
	like(wait_for('a call', sub { return $node->safe_psql('postgres', "$progress WHERE phase <> 'starting'"); }), qr/^call\|cumsum\|\|(passing elements|computing)\|\d+\|/, 'a call');
	$call->{run}->kill_kill;
	configure($node, 'gpuscan.debug_delay' => '0');
}

# Calls of all sessions, on all engines.
$node->stop('immediate');
$node->start;
is(counts('call') . counts('report'), '0 0 00 0 0', 'a crash begins anew');
$node->safe_psql('postgres', sum_of());
$node->safe_psql('postgres', 'SET gpuscan.engine = cpu; ' . sum_of() . '; ' . sum_of());
is(counts('call'), expected(1, 2), 'calls are counted where they were computed');
$node->safe_psql('postgres', q{
	CREATE TABLE rows AS SELECT i % 10 AS k, i AS v FROM generate_series(1, 100000) AS i;
	VACUUM ANALYZE rows;
	SELECT k, gpu_sum(v) FROM rows GROUP BY k});
is(counts('report'), expected(1, 0), 'a report');
$node->safe_psql('postgres', q{
	SET plan_cache_mode = force_generic_plan;
	PREPARE report AS SELECT k, gpu_sum(v) FROM rows GROUP BY k;
	EXECUTE report;
	SET gpuscan.reports = off;
	EXECUTE report});
is(counts('report'), expected(2, 1), 'an ordinary plan instead of one');
$node->safe_psql('postgres', 'CREATE ROLE somebody; CREATE ROLE monitor IN ROLE pg_monitor');
like(($node->psql('postgres', 'SET ROLE somebody; SELECT * FROM gpuscan_calls()'))[2], qr/permission denied/,
	'not everybody may know');
is($node->safe_psql('postgres', 'SET ROLE monitor; SELECT count(*) FROM gpuscan_calls()'), '6', 'pg_monitor may');

# However gpuscan is loaded.
for my $setting ('session_preload_libraries', 'shared_preload_libraries')
{
	$node->append_conf('postgresql.conf', "$setting = gpuscan");
	$node->restart;
	$node->safe_psql('postgres', sum_of());
	wait_for_text($node, qr/running, engine $engine/);
	is(counts('call'), expected(1, 0), "$setting: seen and counted");
}

# A service that does not start.
$node->append_conf('postgresql.conf', 'gpuscan.staging_size = 2000GB');
$node->restart;
wait_for_text($node, qr/^service failed$/);
pass('a failed service');
$node->stop;
done_testing();
