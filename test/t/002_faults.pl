# What happens to calls when the service fails in the middle of them.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('main');
my $engine = 'SELECT engine FROM gpuscan_last_call()';
my ($call, $pid, $session);

# A call that has been answered by the CPU, with one warning.
sub is_rescued
{
	my ($call, $why, $name) = @_;

	finish_call($call);
	is($call->{out}, long_answer() . "\ncpu", "$name: the right answer");
	my @warnings = $call->{err} =~ /WARNING:  58000: the GPU was lost/g;
	is(@warnings, 1, "$name: one warning");
	like($call->{err}, $why, "$name: which says why");
	unlike($call->{err}, qr/ERROR/, "$name: no error");
}

# The service as it should be after a fault.
sub is_replaced
{
	my ($before, $name) = @_;

	is($node->safe_psql('postgres', sum_of() . "; $engine"),
		busy_sum() . "\ngpu", "$name: the next call finds a service");
	isnt(service_pid($node), $before, "$name: a new one");
	is(scalar services($node), 1, "$name: the only one");
	is(status_of($node, 'staging_total - staging_free'), '0',
		"$name: which is idle");
	isnt(status_of($node, 'restarts'), '0', "$name: the restart is counted");

	# a stop on request resets the pause that follows crashes
	$node->safe_psql('postgres', 'SELECT gpuscan_stop()');
	$node->safe_psql('postgres', sum_of());
}

# Slow enough to be caught: a call takes about two seconds, and a long one about 40.
$node->safe_psql('postgres', sum_of());
configure($node, 'gpuscan.debug_delay' => '300ms');

# Killed during a call.
$pid = service_pid($node);
$call = start_call($node, long_sum() . "; $engine");
wait_until_busy($node);
kill 'KILL', $pid;
is_rescued($call, qr/The service has ended/, 'killed');
is_replaced($pid, 'killed');
is(status_of($node, 'fallbacks'), '1', 'killed: the fallback is counted');
ok(log_has($node, qr/the service has ended: terminated by signal 9/),
	'the log says how it ended');

# Again and again: the pauses grow, and calls wait for their end.
for my $i (1 .. 3)
{
	$node->safe_psql('postgres', sum_of());
	$pid = service_pid($node);
	$call = start_call($node, long_sum() . "; $engine");
	wait_until_busy($node);
	kill 'KILL', $pid;
	is_rescued($call, qr/The service has ended/, "killed again, $i");
}
is_replaced($pid, 'killed again');

# With engine auto, a session is warned once, however often it happens.
my $until_it_answers = q{DO $$ BEGIN
	WHILE (SELECT engine IS NULL FROM gpuscan_status()) LOOP
		PERFORM pg_sleep(0.05);
	END LOOP;
END $$;};
my ($large, $large_answer) = large_call();
$session = start_call($node, 'SET gpuscan.engine = auto;' .
	"$until_it_answers $large; $engine;" x 2);
for (1 .. 2)
{
	wait_until_busy($node);
	$pid = service_pid($node);
	kill 'KILL', $pid;
	wait_for('a new service',
		sub { return (service_pid($node) // $pid) != $pid; });
}
finish_call($session);
is($session->{out}, join("\n", ($large_answer, 'cpu') x 2),
	'auto: the right answers');
is(() = $session->{err} =~ /WARNING/g, 1, 'auto: one warning a session');

# A session goes on with a new service.
$session = open_session($node);
is($session->query(sum_of()), busy_sum(), 'a session');
kill_service($node);
is($session->query("SET gpuscan.engine = gpu; " . sum_of()), busy_sum(),
	'killed between two calls of a session');
is($session->query($engine), 'gpu', 'the session finds a new service');
$session->quit;

# It does not answer, for as long as nobody else ends the wait: every wait can be cancelled.
configure($node, 'gpuscan.response_timeout' => '1h', 'gpuscan.debug_delay' => '1h');
$call = finish_call(start_call($node, "SET statement_timeout = '1s'; " . sum_of()));
like($call->{err}, qr/57014: canceling statement due to statement timeout/,
	'a batch without end: statement_timeout');
$pid = service_pid($node);
kill 'STOP', $pid;
$call = start_call($node, sum_of() . ' /* cancel me */');
wait_for('the call', sub {
	return $node->safe_psql('postgres', q{SELECT count(*) FROM pg_stat_activity
		WHERE query LIKE '%cancel me */' AND wait_event_type = 'Extension'}) eq '1'});
$node->safe_psql('postgres', q{SELECT pg_cancel_backend(pid)
	FROM pg_stat_activity WHERE query LIKE '%cancel me */'});
finish_call($call);
like($call->{err}, qr/57014: canceling statement due to user request/,
	'stopped: cancel');
kill 'CONT', $pid;

# It does not answer: another takes its place.
configure($node, 'gpuscan.response_timeout' => '4s', 'gpuscan.debug_delay' => '300ms');
$node->safe_psql('postgres', sum_of());
$pid = service_pid($node);
$call = start_call($node, long_sum() . "; $engine");
wait_until_busy($node);
kill 'STOP', $pid;
is_rescued($call, qr/has not answered for 4000 ms/, 'stopped');
is_replaced($pid, 'stopped');

# It was stopped before the session came.
$pid = service_pid($node);
kill 'STOP', $pid;
is($node->safe_psql('postgres', sum_of() . "; $engine"), busy_sum() . "\ngpu",
	'stopped before: the call waits for another');
is_replaced($pid, 'stopped before');

# A device that fails, for good.
configure($node, 'gpuscan.debug_fail_after' => '3');
$pid = service_pid($node);
$call = start_call($node, long_sum() . "; $engine");
is_rescued($call, qr/the device fails/, 'device');
wait_for('a new service',
	sub { return (service_pid($node) // $pid) != $pid; });
ok(log_has($node, qr/gpuscand: device 0 has failed/), 'device: logged');
configure($node, 'gpuscan.debug_fail_after' => '0');
is_replaced($pid, 'device');

# It fails when all has been computed, and part of the results is here.
my ($lent, $sorted) = (800_000 / (128 * 1024),
	'SELECT md5(gpu_sort(a, true)::text) FROM numbers');
configure($node, 'gpuscan.debug_fail_after' => int($lent) + 3);
$pid = service_pid($node);
$call = start_call($node, "$sorted; $engine");
finish_call($call);
is($call->{out}, $node->safe_psql('postgres', 'SELECT md5(array_agg(v
		ORDER BY v DESC)::text) FROM numbers, unnest(a) AS v') . "\ncpu",
	'results: the right answer');
is(() = $call->{err} =~ /WARNING:  58000: the GPU was lost during gpu_sort/g, 1,
	'results: one warning');
wait_for('a new service',
	sub { return (service_pid($node) // $pid) != $pid; });
configure($node, 'gpuscan.debug_fail_after' => '0');
is_replaced($pid, 'results');

# A computation that never ends.
configure($node, 'gpuscan.debug_delay' => '1h');
$pid = service_pid($node);
$call = start_call($node, long_sum() . "; $engine");
is_rescued($call, qr/has not answered for|has ended/, 'stuck');
wait_for('a new service',
	sub { return (service_pid($node) // $pid) != $pid; });

# A computation that never ends, and no session that would notice: the service notices itself.  Once more
# if the session has come first.
wait_for('a service that notices', sub {
	my $offset = -s $node->logfile;

	wait_for('the service', sub { return status_of($node, 'state') eq 'running'; });
	$pid = service_pid($node);
	$call = start_call($node, sum_of() . ' /* end me */');
	wait_until_busy($node);
	$node->safe_psql('postgres', q{SELECT pg_terminate_backend(pid)
		FROM pg_stat_activity WHERE query LIKE '%end me */'});
	finish_call($call);
	wait_for('a new service',
		sub { return (service_pid($node) // $pid) != $pid; });
	return log_has($node, qr/a request has not moved for 4 s/, $offset); });
pass('stuck: logged');
configure($node, 'gpuscan.debug_delay' => '0');
is_replaced($pid, 'stuck');

$node->stop;
is(scalar services($node), 0, 'nothing is left');
done_testing();
