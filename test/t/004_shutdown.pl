# Whatever ends the server, nothing of the service is left, and nothing prevents
# the next start.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# Calls take about two seconds, and long ones about 40.
my $node = new_node('main', "gpuscan.debug_delay = 300ms\n");
my $engine = 'SELECT engine FROM gpuscan_last_call()';
my ($call, $pid);

# The supervisor is the parent of the service.
sub supervisor_of
{
	my ($service) = @_;

	return (split ' ', slurp_file("/proc/$service/stat"))[3];
}

sub is_gone
{
	my ($name) = @_;

	wait_for("$name: the end of the service",
		sub { return !services($node); });
	pass("$name: nothing runs");
}

# The server can be used, and the service with it.
sub is_back
{
	my ($name) = @_;

	is($node->safe_psql('postgres', sum_of() . "; $engine"),
		busy_sum() . "\ngpu", "$name: the service is back");
	is(scalar services($node), 1, "$name: one service");
}

# The modes of a shutdown, with a call under way.
for my $mode ('fast', 'immediate')
{
	$call = start_call($node, long_sum());
	wait_until_busy($node);
	$node->stop($mode);
	is_gone($mode);
	finish_call($call);
	isnt($call->{code}, 0, "$mode: the call was ended");
	$node->start;
	is_back($mode);
}
$call = start_call($node, sum_of() . "; $engine");
wait_until_busy($node);
$node->stop('smart');
finish_call($call);
is($call->{out}, busy_sum() . "\ngpu", 'smart: the call was finished');
is(scalar services($node), 0, 'smart: nothing runs');
ok(!-e $node->data_dir . '/pg_stat_tmp/gpuscan.sock', 'smart: no socket');
$node->start;
is_back('smart');

# With a service that does not respond.
$pid = service_pid($node);
kill 'STOP', $pid;
$node->stop('fast');
is(scalar services($node), 0, 'fast, the service stopped: nothing runs');
$node->start;
is_back('fast, the service stopped');

# The supervisor is killed: the server restarts all its processes.
$pid = service_pid($node);
$call = start_call($node, long_sum());
wait_until_busy($node);
my $log_end = -s $node->logfile;
kill 'KILL', supervisor_of($pid);
finish_call($call);
ok($call->{code} != 0 || $call->{out} eq long_answer(),
	'supervisor killed: the call was ended, or answered just before');
wait_for('the server', sub { return log_has($node, qr/ready to accept connections/, $log_end); });
wait_for('the end of the old service', sub { return !grep { $_ == $pid } services($node); });
pass('supervisor killed: the old service has ended');
is_back('supervisor killed');

# The supervisor is asked to end: nothing else happens.
$pid = service_pid($node);
kill 'TERM', supervisor_of($pid);
is_gone('supervisor ended');
is_back('supervisor ended');

# The postmaster is killed.
$pid = service_pid($node);
$call = start_call($node, sum_of());
wait_until_busy($node);
my $postmaster = (split /\n/, slurp_file($node->data_dir . '/postmaster.pid'))[0];
$node->kill9;
is_gone('postmaster killed');
finish_call($call);
wait_for('the end of all others',
	sub { return !processes($node, qr/./) && !kill 0, $postmaster; });
$node->start;
is_back('postmaster killed');

# A service that has survived its server: made by hand, with the incarnation
# of another.
$node->safe_psql('postgres', 'SELECT gpuscan_stop()');
my $survivor = fork;
if ($survivor == 0)
{
	chdir $node->data_dir;
	open STDERR, '>>', $node->logfile;
	exec { gpuscand() }
	  'gpuscand', '--engine=cpu', '--socket=pg_stat_tmp/gpuscan.sock',
	  '--incarnation=1234';
	die;
}
wait_for('the survivor',
	sub { return -S $node->data_dir . '/pg_stat_tmp/gpuscan.sock'; });
is(service_pid($node), $survivor, 'survivor: it is there');
is_back('survivor');
waitpid($survivor, 0);
is($?, 9, 'survivor: killed');
ok(log_has($node, qr/client belongs to another start of the server/),
	'survivor: it refused the new server');
ok(log_has($node, qr/ending a gpuscand of an earlier start.*PID $survivor/),
	'survivor: the supervisor found it');
$node->stop;
is(scalar services($node), 0, 'nothing is left');
done_testing();
