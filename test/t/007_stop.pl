# The service is stopped in order, by gpuscan_stop() or for new settings, while
# other sessions start it, or use it: they lose time, and get no warning.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# Calls take about two seconds.
my $node = new_node('main', "gpuscan.debug_delay = 300ms\n");
my $engine = 'SELECT engine FROM gpuscan_last_call()';
my ($call, $pid);

# A call that another service has answered.
sub is_carried_on
{
	my ($call, $name) = @_;

	finish_call($call);
	is($call->{out}, busy_sum() . "\ngpu", "$name: the service answers");
	is($call->{err}, '', "$name: silently");
}

# A call that is under way is waited for.
$node->safe_psql('postgres', sum_of());
$pid = service_pid($node);
$call = start_call($node, sum_of() . "; $engine");
wait_until_busy($node);
is($node->safe_psql('postgres', 'SELECT gpuscan_stop()'), 't', 'stop');
is_carried_on($call, 'a call under way');
is(service_pid($node), undef, 'a call under way: no service afterwards');

# But not for long: a service that does not end is killed, and the call begins
# again with the next one.
$node->safe_psql('postgres', sum_of());
$pid = service_pid($node);
$call = start_call($node, sum_of() . "; $engine");
wait_until_busy($node);
kill 'STOP', $pid;
is($node->safe_psql('postgres', 'SELECT gpuscan_stop()'), 't', 'stop for good');
is_carried_on($call, 'a call that has lost its service');
isnt(service_pid($node), $pid, 'a call that has lost its service: another one');

# With engine auto it does not wait for that.
$node->safe_psql('postgres', sum_of());
$pid = service_pid($node);
my ($large, $large_answer) = large_call();
$call = start_call($node, "SET gpuscan.engine = auto; $large; $engine");
wait_until_busy($node);
kill 'STOP', $pid;
$node->safe_psql('postgres', 'SELECT gpuscan_stop()');
finish_call($call);
is($call->{out}, "$large_answer\ncpu", 'auto: the CPU answers');
is($call->{err}, '', 'auto: silently');

# Someone waits for a service that is about to be started, and someone else has
# it stopped: the first one asks again.  The supervisor is held, so that this
# cannot be too late.
$node->safe_psql('postgres', sum_of());
my $supervisor = (split ' ', slurp_file('/proc/' . service_pid($node) . '/stat'))[3];
$node->safe_psql('postgres', 'SELECT gpuscan_stop()');
kill 'STOP', $supervisor;
$call = start_call($node, sum_of() . " /* wait */; $engine");
wait_for('the call', sub {
	return $node->safe_psql('postgres', q{SELECT count(*) FROM pg_stat_activity
		WHERE query LIKE '%wait */%' AND wait_event_type = 'Extension'}) eq '1'});
is($node->safe_psql('postgres', 'SELECT gpuscan_stop()'), 'f',
	'stop before the start');
kill 'CONT', $supervisor;
is_carried_on($call, 'stopped before the start');

# The supervisor ends before it starts a service.
$node->safe_psql('postgres', 'SELECT gpuscan_stop()');
kill 'STOP', $supervisor;
$call = start_call($node, sum_of() . " /* wait */; $engine");
wait_for('the call', sub {
	return $node->safe_psql('postgres', q{SELECT count(*) FROM pg_stat_activity
		WHERE query LIKE '%wait */%' AND wait_event_type = 'Extension'}) eq '1'});
kill 'TERM', $supervisor;
kill 'CONT', $supervisor;
is_carried_on($call, 'the supervisor ends before the start');

# It crashes just when it is to be stopped: it stays down.  The supervisor is
# held, so that it learns of both at once.
$node->safe_psql('postgres', sum_of());
$pid = service_pid($node);
$supervisor = (split ' ', slurp_file("/proc/$pid/stat"))[3];
my $restarts = status_of($node, 'restarts');
kill 'STOP', $supervisor;
kill 'KILL', $pid;
$call = start_call($node, 'SELECT gpuscan_stop() /* stop */');
wait_for('the stop', sub {
	return $node->safe_psql('postgres', q{SELECT count(*) FROM pg_stat_activity
		WHERE query LIKE '%stop */%' AND wait_event_type = 'Extension'}) eq '1'});
kill 'CONT', $supervisor;
finish_call($call);
is($call->{out}, 't', 'stop and crash: the stop takes effect');
$node->safe_psql('postgres', 'SELECT pg_sleep(0.2)');
is(status_of($node, 'restarts'), $restarts, 'stop and crash: nothing is started');
is($node->safe_psql('postgres', sum_of()), busy_sum(),
	'stop and crash: until a call wants it');

# Stopped, and given new settings, again and again, while sessions do nothing
# but call.
configure($node, 'gpuscan.debug_delay' => '0');
$node->safe_psql('postgres', q{
	CREATE TABLE answers (good bigint, bad bigint);
	CREATE FUNCTION call_until_ended() RETURNS void LANGUAGE plpgsql AS $$
	DECLARE
		good bigint := 0;
		bad bigint := 0;
	BEGIN
		WHILE NOT EXISTS (SELECT FROM pg_class WHERE relname = 'ending') LOOP
			FOR i IN 1 .. 100 LOOP
				IF gpu_sum('{1, 2, 3}'::integer[]) = 6 THEN
					good := good + 1;
				ELSE
					bad := bad + 1;
				END IF;
			END LOOP;
			IF (SELECT gpu_sum(a) FROM numbers) <> 5000075000 THEN
				bad := bad + 1;
			END IF;
		END LOOP;
		INSERT INTO answers VALUES (good, bad);
	END $$;
});
my @calls = map { start_call($node, 'SELECT call_until_ended()') } 1 .. 3;
for my $i (1 .. 20)
{
	$node->safe_psql('postgres', sum_of() . '; SELECT gpuscan_stop()');
}
for my $i (1 .. 3)
{
	configure($node, 'gpuscan.staging_size' => $i . 'MB');
}
$node->safe_psql('postgres', 'CREATE TABLE ending ()');
finish_call($_) for @calls;
is(join('', map { $_->{err} } @calls), '', 'again and again: silently');
is($node->safe_psql('postgres', 'SELECT count(*), sum(bad), sum(good) > 1000 FROM answers'),
	'3|0|t', 'again and again: the right answers');
is(status_of($node, 'state'), 'running', 'again and again: the service runs');

$node->stop;
is(scalar services($node), 0, 'nothing is left');
done_testing();
