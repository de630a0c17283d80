# From array to array: toasted arrays, and several copying threads, when
# calls are cancelled or lose the service; calibration.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('main', "gpuscan.copy_threads = 4\n", allows_streaming => 1);
my $reason = 'SELECT reason FROM gpuscan_last_call()';
my $call;

# A stored array of 400,000 values, and what a running sum of it ends in.
$node->safe_psql('postgres', q{
	CREATE TABLE stored (a double precision[]);
	ALTER TABLE stored ALTER a SET STORAGE EXTERNAL;
	INSERT INTO stored SELECT array_agg(i ORDER BY i) FROM generate_series(1, 400000) AS i;
	CREATE TABLE large AS SELECT array_agg(i ORDER BY i) AS a FROM generate_series(1, 1000000) AS i;
});
my $scan = 'SELECT gpu_count(s), gpu_max(s) FROM (SELECT gpu_cumsum(a) AS s FROM stored OFFSET 0) AS t';
my $scanned = '400000|80000200000';

# How many threads has a session, in a transaction and after it?
my $session = open_session($node);
my $pid = $session->query('SELECT pg_backend_pid()');

sub threads
{
	my @threads = glob "/proc/$pid/task/*";

	return scalar @threads;
}

# A thread that has been waited for may still be seen for a moment.
sub is_alone
{
	wait_for($_[0], sub { return threads() == 1; });
	pass($_[0]);
}

is(threads(), 1, 'no thread without need');
is($session->query('BEGIN; SELECT gpu_sum(a) FROM stored'), '80000200000', 'a small copy');
is(threads(), 1, 'is none for threads');
is($session->query('SELECT gpu_max(gpu_cumsum(a)) FROM large'), '500000500000', 'a large result');
is(threads(), 4, 'has threads');
$session->query('COMMIT');
is_alone('the end of the transaction ends them');
$session->query('BEGIN');
$session->query('SELECT gpu_max(gpu_cumsum(a)) FROM large');
$session->query('SELECT 1 / 0');
$session->query('ROLLBACK');
is_alone('an error, too');

# A session that has threads is ended.
$session->query('BEGIN');
$session->query('SELECT gpu_max(gpu_cumsum(a)) FROM large');
is(threads(), 4, 'threads again');
$node->safe_psql('postgres', "SELECT pg_terminate_backend($pid)");
wait_for('the end of a session', sub { return !-e "/proc/$pid"; });
pass('a session with threads ends');
$session->quit;

# Without threads everything works, too.
is($node->safe_psql('postgres', $scan), $scanned, 'with threads');
$node->append_conf('postgresql.conf', 'gpuscan.copy_threads = 0');
$node->reload;
is($node->safe_psql('postgres', $scan), $scanned, 'without threads');
$node->append_conf('postgresql.conf', 'gpuscan.copy_threads = 4');
$node->reload;

# The service is killed, or the call cancelled, while a stored array is read.
configure($node, 'gpuscan.debug_delay' => '300ms');
$call = start_call($node, $scan);
wait_until_busy($node);
kill 'KILL', service_pid($node);
finish_call($call);
is($call->{out}, $scanned, 'the service is killed: the result is right');
like($call->{err}, qr/WARNING.*the GPU was lost during gpu_cumsum/, 'with a warning');

# Nothing else would end it.
configure($node, 'gpuscan.debug_delay' => '1h', 'gpuscan.response_timeout' => '1h');
$call = finish_call(start_call($node, "SET statement_timeout = '500ms'; $scan"));
like($call->{err}, qr/57014/, 'cancelled');
configure($node, 'gpuscan.debug_delay' => '0');
is($node->safe_psql('postgres', $scan), $scanned, 'afterwards');

# Groups, whose keys are stored, too, and whose results come in parts: killed and cancelled.
$node->safe_psql('postgres', q{
	CREATE TABLE pairs (k integer[], v double precision[]);
	ALTER TABLE pairs ALTER k SET STORAGE EXTERNAL, ALTER v SET STORAGE EXTERNAL;
	INSERT INTO pairs SELECT array_agg(i % 100000 ORDER BY i), array_agg(i ORDER BY i) FROM generate_series(1, 300000) AS i;
});
my $groups = 'SET gpuscan.cache = off; SELECT count(*), max(s.key), sum(s.sum) FROM pairs, gpu_group_sum(k, v) AS s';
my $grouped = '100000|99999|45000150000';
is($node->safe_psql('postgres', $groups), $grouped, 'groups');
configure($node, 'gpuscan.debug_delay' => '300ms');
$call = start_call($node, $groups);
wait_until_busy($node);
kill 'KILL', service_pid($node);
finish_call($call);
is($call->{out}, $grouped, 'the service is killed: the groups are right');
like($call->{err}, qr/WARNING.*the GPU was lost during gpu_group_sum/, 'with a warning');
configure($node, 'gpuscan.debug_delay' => '1h');
$call = finish_call(start_call($node, "SET statement_timeout = '500ms'; $groups"));
like($call->{err}, qr/57014/, 'groups are cancelled');
# about 40 batches and 75 parts of columns
configure($node, 'gpuscan.debug_delay' => '0', 'gpuscan.response_timeout' => '10s', 'gpuscan.debug_fail_after' => '70');
is($node->safe_psql('postgres', $groups), $grouped, 'the device is lost while the groups are fetched');
configure($node, 'gpuscan.debug_fail_after' => '0');

# Calibration: only for those it is granted to, in effect for all sessions, and
# kept across a restart.
my ($code, $out, $err) = $node->psql('postgres',
	'CREATE ROLE somebody; SET ROLE somebody; SELECT * FROM gpuscan_calibrate()');
like($err, qr/permission denied for function gpuscan_calibrate/, 'not for everybody');

$node->append_conf('postgresql.conf', 'gpuscan.engine = auto');
$node->reload;
my $estimate = 'SELECT gpu_sum(a) FROM numbers \g /dev/null' . "\n$reason";
my $before = $node->safe_psql('postgres', $estimate);
like($before, qr/^estimated [\d.e-]+ ms on the CPU, [\d.e-]+ ms on the GPU$/, 'auto estimates');
my $rows = $node->safe_psql('postgres', q{
	SELECT count(*), count(DISTINCT operation), bool_and(cpu_ns >= 0 AND gpu_ns >= 0),
		bool_and((elements IS NULL) = (cpu_ns <= gpu_ns) OR elements > 100000000)
	FROM gpuscan_calibrate()});
is($rows, '346|75|t|t', 'calibration');
my $after = $node->safe_psql('postgres', $estimate);
like($after, qr/^estimated/, 'calibrated estimates');
isnt($after, $before, 'are others');
$node->restart;

# auto does not wait for a service that is starting
$node->safe_psql('postgres', 'SET gpuscan.engine = gpu; ' . sum_of());
is($node->safe_psql('postgres', $estimate), $after, 'a restart keeps them');

# A backup may run on another host.
my $file = $node->data_dir . '/pg_stat_tmp/gpuscan.calibration';
ok(-e $file, 'they are in a file');
$node->backup('copy');
ok(!-e $node->backup_dir . '/copy/pg_stat_tmp/gpuscan.calibration', 'which backups leave out');

# A damaged file is ignored.
$node->stop;
open my $handle, '+<', $file or die "$file: $!";
seek $handle, 100, 0;
print $handle "\xff\xff\xff\x7f";
close $handle;
$node->start;
is($node->safe_psql('postgres', $estimate), $before, 'a damaged file is ignored');

$node->stop;
is(scalar services($node), 0, 'nothing is left');
done_testing();
