# The life of the service: what starts it, what it reports, what ends it.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Socket;
use Test::More;

my ($large, $large_answer) = large_call();
my $node = new_node('main', "max_worker_processes = 2\n");
my ($code, $out, $err);

# Nothing runs until a call wants it.
is(service_pid($node), undef, 'no service before the first call');
is(status_of($node, "state || ': ' || reason"), 'not started: It starts with the next call or report that wants it.',
	'status: not started');
is($node->safe_psql('postgres', sum_of()), busy_sum(),
	'the first call starts the service');
my $pid = service_pid($node);
ok(defined $pid, 'the service runs');
is($node->safe_psql('postgres',
	sum_of() . '; SELECT engine FROM gpuscan_last_call()'),
	busy_sum() . "\ngpu", 'the service answered');
is(service_pid($node), $pid, 'and stays');
# the service sees a little later that a session has ended
$node->poll_query_until('postgres', 'SELECT staging_free = staging_total FROM gpuscan_status()');
is($node->safe_psql('postgres', q{
	SELECT state, reason, engine, device <> '' AND memory_total > 0,
		staging_total, staging_free, calls, fallbacks, restarts,
		started_at > now() - interval '1 hour'
	FROM gpuscan_status()}),
	'running||' . (service_engine() eq 'cpu' ? 'cpu|f' : 'cuda|t') .
	'|4194304|4194304|2|0|0|t', 'status: running');

# The socket is for the server's own user.
my $socket = $node->data_dir . '/pg_stat_tmp/gpuscan.sock';
ok(-S $socket, 'the socket');
is((stat $socket)[2] & 0777, 0600, 'is for its owner');

# It blocks no command on databases.
$node->safe_psql('postgres', 'CREATE DATABASE other');
$node->safe_psql('postgres', 'CREATE DATABASE another TEMPLATE other');
$node->safe_psql('postgres', 'DROP DATABASE other');
$node->safe_psql('postgres', 'DROP DATABASE another');
is(service_pid($node), $pid, 'databases are created and dropped while the service runs');

# gpuscan_stop(): the next call starts it again.
is($node->safe_psql('postgres', 'SELECT gpuscan_stop()'), 't', 'stop');
is(service_pid($node), undef, 'the service has ended');
ok(!-e $socket, 'and its socket is gone');
is(status_of($node, "state || ': ' || reason"), 'stopped: It starts with the next call or report that wants it.',
	'status: stopped');
is($node->safe_psql('postgres', 'SELECT gpuscan_stop()'), 'f', 'stop nothing');
is($node->safe_psql('postgres', sum_of()), busy_sum(), 'started again');
isnt(service_pid($node), $pid, 'another service');
is(status_of($node, 'restarts'), '0', 'a stop is no restart');
kill_service($node);
is($node->safe_psql('postgres', sum_of()), busy_sum(), 'started after a crash');
is(status_of($node, 'restarts'), '1', 'which is one');
$node->safe_psql('postgres', 'CREATE ROLE somebody');
($code, $out, $err) = $node->psql('postgres',
	'SET ROLE somebody; SELECT gpuscan_stop()');
like($err, qr/permission denied/, 'not everybody may stop it');

# Only pg_monitor may see what reveals the calls of others.
my $null = 'SELECT string_agg(key, \' \' ORDER BY key) FROM gpuscan_status() AS s, jsonb_each_text(to_jsonb(s)) WHERE value IS NULL';
my @null = qw(reason);
push @null, 'device', 'driver' if service_engine() eq 'cpu';
$node->safe_psql('postgres', q{CREATE ROLE monitor IN ROLE pg_monitor});
is($node->safe_psql('postgres', "SET ROLE monitor; $null"),
	join(' ', sort @null), 'pg_monitor sees everything');
push @null, qw(cache_bytes cache_entries cache_hits cache_misses cache_saved calls column_bytes columns
  connections fallbacks host_column_bytes memory_used report_pages_verified report_rows_cached report_rows_read reports staging_free);
is($node->safe_psql('postgres', "SET ROLE somebody; $null"),
	join(' ', sort @null), 'others see nothing about calls');

# A session that was connected finds that the service has gone, and connects to
# the next.
is($node->safe_psql('postgres',
	sum_of() . '; SELECT gpuscan_stop(); ' . sum_of()),
	join("\n", busy_sum(), 't', busy_sum()), 'a session outlives a service');

# Both engines give the same bits.
is($node->safe_psql('postgres',
	'SELECT count(*), sum(arrays), bool_and(equal) FROM gpuscan_selfcheck(4)'),
	'54|216|t', 'gpuscan_selfcheck()');
($code, $out, $err) = $node->psql('postgres', 'SELECT gpuscan_selfcheck(0)');
like($err, qr/arrays must be at least 1, but is 0/, 'of no arrays: an error');

# It starts quickly: the first call is answered within seconds of the server's
# start.  The best of three, since others may keep the host busy.
my $best;
for (1 .. 3)
{
	$node->restart;
	my ($sum, $seconds) = split /\|/, $node->safe_psql('postgres', q{
		SELECT gpu_sum(a), extract(epoch FROM clock_timestamp() - pg_postmaster_start_time())
		FROM numbers});
	is($sum, busy_sum(), 'the first call after a start of the server');
	$seconds /= slowdown() if $seconds > 1;
	$best = $seconds if !defined $best || $seconds < $best;
}
cmp_ok($best, '<', 3, 'is answered within seconds of the start');

# New settings: a new service.
configure($node, 'gpuscan.staging_size' => '1MB');
is(status_of($node, 'staging_total'), '1048576', 'a setting takes effect');
my $session = open_session($node);
is($session->query_safe(sum_of()), busy_sum(), 'a session computes');
configure($node, 'gpuscan.staging_size' => '2MB');
is($session->query(sum_of()), busy_sum(), 'and goes on after a change');
is($session->query('SELECT engine FROM gpuscan_last_call()'), 'gpu',
	'with the new service');
$session->quit;

# Where there is no device, calls are the CPU's.
my $no_device = !grep { -e $_ } qw(/dev/nvidiactl /dev/nvidia0 /dev/dxg /dev/nvhost-gpu);

# Sessions are not connected to a service that runs, and are.
sub calls_lack_device
{
	my ($name, $says) = @_;
	my $connect = "DO 'BEGIN PERFORM gpuscan_status(); END'; ";

	($code, $out, $err) = $node->psql('postgres',
		"\\set VERBOSITY verbose\n" . sum_of());
	like($err, qr/55000: no GPU is available.*no NVIDIA device.*HINT/s,
		"engine gpu without a device, $name: an error");
	($code, $out, $err) = $node->psql('postgres',
		"SET gpuscan.engine = auto; $connect $large; " .
		'SELECT engine, (SELECT right(reason, length(l.reason)) FROM gpuscan_status()) = reason FROM gpuscan_last_call() AS l');
	is($out, "$large_answer\ncpu|t",
		"engine auto without a device, $name: the CPU");
	is($err, '', "$name: silently");
	like(status_of($node, 'reason'), $says, "$name: status says why");
	return;
}

if ($no_device)
{
	for my $engine ('cuda', 'auto')
	{
		$node->safe_psql('postgres', 'SELECT gpuscan_stop()');
		$node->append_conf('postgresql.conf', "gpuscan.service_engine = $engine");
		$node->reload;
		calls_lack_device("service_engine $engine", $engine eq 'cuda' ? qr/^This host has no NVIDIA device\.$/ :
			qr/^It starts with the next report, and computes it on the CPU\. This host has no NVIDIA device\.$/);
		is(service_pid($node), undef, "service_engine $engine: and nothing is started");
	}
	command_checks_all(
		[ gpuscand(), '--engine=cuda',
			'--socket=' . $node->basedir . '/sock' ],
		2, [qr/^$/], [qr/could not start: no device/],
		'gpuscand without a device');
}

# A service of another release, as after an upgrade without a restart, refuses
# the session by a message whose place is the same in all releases.
$node->safe_psql('postgres', 'SELECT gpuscan_stop()');
my $other = fork;
if ($other == 0)
{
	chdir $node->data_dir . '/pg_stat_tmp';
	socket my $listener, AF_UNIX, SOCK_SEQPACKET, 0 or die;
	bind $listener, pack_sockaddr_un('other.sock') or die;
	listen $listener, 5 or die;
	rename 'other.sock', 'gpuscan.sock' or die;	# whoever sees it can connect
	while (accept my $client, $listener)
	{
		recv $client, my $hello, 65536, 0;
		send $client, pack('L4 a200', 65, 216, 2, 99, 'other version'), 0;
	}
	die;
}
wait_for('the other release', sub { return -S $socket; });
$node->append_conf('postgresql.conf',
	'gpuscan.service_engine = ' . service_engine());
$node->reload;
like(($node->psql('postgres', sum_of()))[2],
	qr/no GPU is available.*another release of gpuscan.*must be restarted/s,
	'another release: engine gpu says so');
($code, $out, $err) = $node->psql('postgres',
	"SET gpuscan.engine = auto; $large; SELECT engine, reason FROM gpuscan_last_call()");
like($out, qr/^$large_answer\ncpu\|The service belongs to another release/,
	'another release: engine auto falls back to the CPU');
is($err, '', 'another release: silently');
kill 'KILL', $other;
waitpid $other, 0;
is($node->safe_psql('postgres', sum_of()), busy_sum(),
	'another release: once gone, it does no harm');
$node->stop;

# From shared_preload_libraries it starts with the server.
$node->append_conf('postgresql.conf', 'shared_preload_libraries = gpuscan');
$node->start;
wait_for('the service', sub { return service_pid($node); });
is($node->safe_psql('postgres', sum_of()), busy_sum(), 'preloaded');
$node->stop;
is(service_pid($node), undef, 'and gone with the server');

# Without a device, `auto` starts a service that is for reports alone.
if ($no_device)
{
	$node->append_conf('postgresql.conf', 'gpuscan.service_engine = auto');
	$node->start;
	wait_for('the service', sub { return status_of($node, 'state') eq 'running'; });
	calls_lack_device('while a service runs',
		qr/^Reports are computed on the CPU, functions over arrays in the session\. This host has no NVIDIA device\.$/);
	is($node->safe_psql('postgres', q{
		SELECT engine, calls, cache_size BETWEEN 1 AND 4::bigint << 30 FROM gpuscan_status()}),
		'cpu|0|t', 'it computes on the CPU, and no call has come to it');
	ok(log_has($node, qr/gpuscand: no device.*computes reports on the CPU/),
		'the log says so');
	$node->append_conf('postgresql.conf', 'gpuscan.service_engine = ' . service_engine());
	$node->stop;
}

# No background worker is left: the one is taken by logical replication.
$node->append_conf('postgresql.conf', q{
shared_preload_libraries = ''
max_worker_processes = 1});
$node->start;
($code, $out, $err) = $node->psql('postgres',
	"\\set VERBOSITY verbose\n" . sum_of());
like($err, qr/53000: no background worker.*HINT:.*max_worker_processes/s,
	'engine gpu without a worker: an error');
($code, $out, $err) = $node->psql('postgres',
	"\\set VERBOSITY verbose\n SET gpuscan.engine = auto; $large; $large");
is($out, "$large_answer\n$large_answer",
	'engine auto without a worker: the CPU');
is(() = $err =~ /WARNING:  53000/g, 1, 'with one warning');
is(status_of($node, "state || ': ' || reason"), 'not started: All max_worker_processes are in use.', 'status says why');
if ($no_device)
{
	# reports want a service without a device, too
	$node->append_conf('postgresql.conf', 'gpuscan.service_engine = auto');
	$node->restart;
	is(status_of($node, "state || ': ' || reason"),
		'not started: It starts with the next report, and computes it on the CPU. This host has no NVIDIA device.', 'without a device: until a report asks for it');
	like($node->safe_psql('postgres', q{
		CREATE TABLE asked AS SELECT i FROM generate_series(1, 100000) AS i;
		VACUUM ANALYZE asked;
		EXPLAIN (ANALYZE, COSTS OFF) SELECT gpu_sum(i) FROM asked GROUP BY i % 7}),
		qr/Reason: All max_worker_processes are in use/, 'a report is made by the ordinary plan');
	is(status_of($node, 'reason'), 'All max_worker_processes are in use.', 'status says why');
	$node->append_conf('postgresql.conf', 'gpuscan.service_engine = ' . service_engine());
}
$node->append_conf('postgresql.conf', 'max_worker_processes = 0');
$node->restart;
is(status_of($node, "state || ': ' || reason"), 'not started: All max_worker_processes are in use.',
	'status says so from the start if there are none');
$node->stop;

# No shared memory is left: others have used up the server's reserve.  From 19 on locks reserve theirs
# at the start, and leave the rest alone.
if (server_version($node) < 19)
{
	$node->append_conf('postgresql.conf', 'max_locks_per_transaction = 10');
	$node->start;
	($code, $out, $err) = $node->psql('postgres',
		'SELECT pg_advisory_lock(i) FROM generate_series(1, 1000000) AS i');
	like($err, qr/out of shared memory/, 'shared memory is used up');
	# that session's locks go when it ends, a little after psql does
	$node->poll_query_until('postgres', q{SELECT count(*) = 0 FROM pg_locks WHERE locktype = 'advisory'});
	($code, $out, $err) = $node->psql('postgres',
		"\\set VERBOSITY verbose\n" . sum_of());
	like($err, qr/53200: not enough shared memory.*HINT:.*shared_preload_libraries/s,
		'engine gpu without shared memory: an error');
	($code, $out, $err) = $node->psql('postgres',
		"\\set VERBOSITY verbose\n SET gpuscan.engine = auto; $large; $large");
	is($out, "$large_answer\n$large_answer",
		'engine auto without shared memory: the CPU');
	is(() = $err =~ /WARNING:  53200/g, 1, 'with one warning');
	unlike($err, qr/ERROR/, 'and no error');
	($code, $out, $err) = $node->psql('postgres', "SET gpuscan.engine = auto;
		$large; SET statement_timeout = '100ms'; SELECT pg_sleep(60)");
	like($err, qr/canceling statement due to statement timeout/,
		'and the session can be cancelled');
	is($node->safe_psql('postgres', 'SET gpuscan.engine = cpu; ' . sum_of()),
		busy_sum(), 'engine cpu without shared memory: as usual');
	like(($node->psql('postgres', 'SELECT gpuscan_stop(), gpuscan_status()'))[2],
		qr/not enough shared memory/, 'nothing to stop, or to show');
	$node->stop;
}

# A service that cannot be started: the reason is kept.
my $gpuscand = gpuscand();
$node->append_conf('postgresql.conf', q{
max_worker_processes = 2
gpuscan.staging_size = 2000GB});
$node->start;
($code, $out, $err) = $node->psql('postgres', sum_of());
like($err, qr/no GPU is available.*DETAIL:  .*exited with status 1/s,
	'a service that does not start');
like(status_of($node, "state || ': ' || reason"), qr/^failed: exited with/,
	'status says why');
$node->append_conf('postgresql.conf', 'gpuscan.staging_size = 2MB');
$node->reload;
wait_for('the service', sub {
	return ($node->psql('postgres', sum_of()))[0] == 0; });
is(status_of($node, 'state'), 'running', 'it starts when it can');

# The service accepts every value that a setting may have.
my %most = map { split /\|/ } split /\n/, $node->safe_psql('postgres',
	"LOAD 'gpuscan'; SELECT name, max_val || unit FROM pg_settings WHERE name IN ('gpuscan.memory_limit', 'gpuscan.cache_size')");
configure($node, %most);
is($node->safe_psql('postgres', sum_of() . '; SELECT cache_size = (1::bigint << 50) FROM gpuscan_status()'),
	busy_sum() . "\nt", 'the largest limits');
$node->stop;

# The command line.
command_like([ $gpuscand, '--help' ], qr/Usage: gpuscand --socket=PATH/,
	'gpuscand --help');
command_like([ $gpuscand, '--version' ], qr/^gpuscand \(gpuscan\) \d/,
	'gpuscand --version');
for my $wrong ('--engine=abacus', '--chunk-size=3MB', '--chunk-size=1kB',
	'--staging-size=1kB', '--staging-size=1MM', '--devices=-1', '--devices=0,', '--devices=0x',
	'--response-timeout=0', '--incarnation=xyz', '--unknown', 'word')
{
	command_exit_is([ $gpuscand, '--socket=x', $wrong ], 1,
		"gpuscand $wrong");
}
command_exit_is([ $gpuscand, '--engine=cpu' ], 1, 'gpuscand without a socket');
done_testing();
