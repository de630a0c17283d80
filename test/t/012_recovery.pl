# What the service leaves behind when it ends, and what ends it: no session loses
# its answer, or another session's service.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use constant SESSIONS => 60;

my $node = new_node('main', "max_connections = 80\n");
my $engine = 'SELECT engine FROM gpuscan_last_call()';
my ($large, $large_answer) = large_call();
my ($call, $code, $out, $err);

# The staging memory of the running service, to be examined after its end.
sub memory
{
	my $pid = service_pid($node);

	for my $link (glob "/proc/$pid/fd/*")
	{
		next if (readlink($link) // '') !~ m!^/memfd:gpuscan!;
		open my $memory, '<', $link or die "could not open $link: $!";
		return $memory;
	}
	die "service $pid has no staging memory";
}

sub allocated
{
	my ($memory) = @_;

	return 512 * (stat $memory)[12];
}

# Run the function, and return how often the service was restarted meanwhile.
sub restarts_during
{
	my ($function) = @_;
	my $before = status_of($node, 'restarts');

	$function->();
	return status_of($node, 'restarts') - $before;
}

# Sessions that have called, and do nothing more, keep no memory of services
# that have ended.
my (@sessions, @memories);
for my $end ('kill', 'kill', 'stop')
{
	my $session = open_session($node);

	is($session->query_safe(sum_of()), busy_sum(), "$end: a session calls");
	push @sessions, $session;
	push @memories, memory();
	cmp_ok(allocated($memories[-1]), '>=', 128 << 10, "$end: there is memory");
	kill_service($node) if $end eq 'kill';
	$node->safe_psql('postgres', 'SELECT gpuscan_stop()') if $end eq 'stop';
	wait_for('the service', sub { return service_pid($node); })
	  if $end eq 'kill';
}
is($node->safe_psql('postgres', sum_of()), busy_sum(), 'another service runs');
is(join(' ', map { allocated($_) } @memories), '0 0 0',
	'idle sessions keep no memory of services that have ended');
is($_->query_safe(sum_of()), busy_sum(), 'an idle session goes on') for @sessions;
$_->quit for @sessions;

# A call whose results are there, but still in that memory, finds them gone.
$node->safe_psql('postgres', q{
	CREATE TABLE few AS
		SELECT array_agg(i + 0.25::double precision) AS a
		FROM generate_series(1, 20000) AS i;
});
configure($node, 'gpuscan.debug_delay' => '3s');
my $cumsum = 'SELECT md5(gpu_cumsum(a)::text) FROM few';
my $sums = $node->safe_psql('postgres', "SET gpuscan.engine = cpu; $cumsum");
my $memory = memory();
my $calls = status_of($node, 'calls');
$call = start_call($node, "$cumsum /* late */; $engine");
wait_until_busy($node);
my $backend = $node->safe_psql('postgres', q{SELECT pid FROM pg_stat_activity
	WHERE query LIKE '%late */%' AND pid <> pg_backend_pid()});
kill 'STOP', $backend;
wait_for('its results', sub { return status_of($node, 'calls') > $calls; });

# No other service starts, and frees the memory again, before the call has looked: the supervisor,
# which is held until there is a request, learns at once of the crash and that the service is to stop.
# A process that uses a GPU takes a while to end, all threads of it.
my $service = service_pid($node);
my $supervisor = (split ' ', slurp_file("/proc/$service/stat"))[3];
kill 'STOP', $supervisor;
kill 'KILL', $service;
wait_for('its end', sub {
	return slurp_file("/proc/$service/stat") =~ /\) Z / && (() = glob "/proc/$service/task/*") == 1; });
my $stop = start_call($node, 'SELECT gpuscan_stop() /* stop */');
wait_for('the stop', sub {
	return $node->safe_psql('postgres', q{SELECT count(*) FROM pg_stat_activity
		WHERE query LIKE '%stop */%' AND wait_event_type = 'Extension'}) eq '1'});
kill 'CONT', $supervisor;
finish_call($stop);
wait_for('free memory', sub { return allocated($memory) == 0; });
kill 'CONT', $backend;
finish_call($call);
is($call->{out}, "$sums\ncpu", 'results that are gone are computed anew');
like($call->{err}, qr/WARNING:  58000: the GPU was lost during gpu_cumsum/,
	'with a warning');
is($node->safe_psql('postgres', $cumsum), $sums, 'the next service answers');
is(allocated($memory), 0, 'looking for them has allocated no memory');

# A start that is ended by a signal, here for memory that it may not have, is
# no failure to start: who insists on the GPU waits for the next one.
configure($node, 'gpuscan.debug_delay' => '0');
$supervisor = (split ' ', slurp_file('/proc/' . service_pid($node) . '/stat'))[3];
my $offset = -s $node->logfile;
$node->safe_psql('postgres', 'SELECT gpuscan_stop()');
system_or_bail('prlimit', '--fsize=2000000:', '--pid', $supervisor);
$call = start_call($node, sum_of() . "; $engine");
wait_for('a start to fail', sub {
	return log_has($node, qr/gpuscan: the service .*terminated by signal/, $offset); });
system_or_bail('prlimit', '--fsize=unlimited:', '--pid', $supervisor);
finish_call($call);
is($call->{out}, busy_sum() . "\ngpu", 'killed while it starts: the next one answers');
is($call->{err}, '', 'killed while it starts: silently');

# Crash after crash: the pauses stay well below response_timeout.
configure($node, 'gpuscan.response_timeout' => '6s');
my $failed = 0;
for my $i (1 .. 5)
{
	kill_service($node) if defined service_pid($node);
	($code, $out, $err) = $node->psql('postgres', sum_of() . "; $engine");
	$failed++ if $out ne busy_sum() . "\ngpu";
}
is($failed, 0, 'crash after crash: calls wait for the end of the pause');
$node->safe_psql('postgres', 'SELECT gpuscan_stop()');

# Many sessions at a slow device: each waits for longer than response_timeout,
# but something moves all the time.
my $few = 'SELECT gpu_sum(a) FROM few';
my $few_sum = '200015000';
configure($node, 'gpuscan.response_timeout' => '3s',
	'gpuscan.debug_delay' => '60ms');
$node->safe_psql('postgres', $few);
my @calls;
is(restarts_during(sub {
	@calls = map { start_call($node, "$few; $engine") } 1 .. SESSIONS;
	finish_call($_) for @calls; }), 0, 'many sessions: the service stays');
is(scalar(grep { $_->{out} eq "$few_sum\ngpu" } @calls), SESSIONS,
	'many sessions: it answers all');
is(join('', map { $_->{err} } @calls), '', 'many sessions: nobody complains');

# Nothing moves: the service is ended, once, and every call is answered.  Who
# comes late waits as long for the next one, which may take a second to start.
# A long call keeps the service busy until it is stopped.
configure($node, 'gpuscan.response_timeout' => '4s', 'gpuscan.debug_delay' => '300ms');
$offset = -s $node->logfile;
is(restarts_during(sub {
	@calls = map { start_call($node, "$few; $engine") } 1 .. SESSIONS;
	$call = start_call($node, long_sum());
	wait_until_busy($node);
	kill 'STOP', service_pid($node);
	finish_call($_) for $call, @calls;
	$node->safe_psql('postgres', $few); }), 1, 'stopped: replaced once');
is(scalar(grep { $_->{out} =~ /^$few_sum\n[cg]pu$/ } @calls), SESSIONS,
	'stopped: all calls are answered');
is($call->{out}, long_answer(), 'stopped: the long one, too');
unlike(join('', map { $_->{err} } $call, @calls), qr/ERROR/, 'stopped: no error');
is(() = slurp_file($node->logfile, $offset) =~ /the service has ended: it did not answer/g,
	1, 'stopped: the log says why');

# One session's request never ends, while those of another, which are empty and
# hence take no turn, do: only the first one gives up.
configure($node, 'gpuscan.response_timeout' => '3s', 'gpuscan.debug_delay' => '1h');
my ($other, $pid_before);
is(restarts_during(sub {
	$other = start_call($node, q{DO $$
		DECLARE
			nothing double precision[] := '{}';
		BEGIN
			WHILE NOT EXISTS (SELECT FROM pg_class WHERE relname = 'ending') LOOP
				PERFORM gpu_sum(nothing), pg_sleep(0.02);
			END LOOP;
		END $$ /* not stuck */; } . $engine);
	wait_for('the other', sub { return status_of($node, 'calls > 0') eq 't'; });
	$pid_before = service_pid($node);
	$call = finish_call(start_call($node, "$few /* stuck */; $engine"));
	$node->safe_psql('postgres', 'CREATE TABLE ending ()');
	finish_call($other); }), 0, 'one is stuck: the service stays');
is(service_pid($node), $pid_before, 'one is stuck: the same service');
is($call->{out}, "$few_sum\ncpu", 'one is stuck: the CPU answers it');
like($call->{err}, qr/WARNING:  58000: the GPU was lost.*not answered this session for 30000 ms/s,
	'one is stuck: with a warning');
is("$other->{out} $other->{err}", 'gpu ', 'one is stuck: the other goes on');
$node->stop;

# The socket cannot be created.
$node->append_conf('postgresql.conf', 'gpuscan.debug_delay = 0');
for my $file ('gpuscan.sock.lock', 'gpuscan.sock.new')
{
	my $path = $node->data_dir . "/pg_stat_tmp/$file";

	unlink $path;
	mkdir $path or die "could not create $path: $!";
	$node->start;
	($code, $out, $err) = $node->psql('postgres', sum_of());
	like($err, qr/no GPU is available.*DETAIL:  could not (open|listen on) "pg_stat_tmp/s,
		"no $file: engine gpu says so");
	($code, $out, $err) = $node->psql('postgres',
		"SET gpuscan.engine = auto; $large; $engine");
	is($out, "$large_answer\ncpu", "no $file: engine auto answers");
	is($err, '', "no $file: silently");
	rmdir $path or die "could not remove $path: $!";
	$node->stop;
}
is(scalar services($node), 0, 'nothing is left');
done_testing();
