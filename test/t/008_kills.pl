# The service is killed at random moments of real calls, over large arrays and
# without any delay: on a GPU, in the middle of copies and kernels.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

use constant KILLS => 12;
use constant SESSIONS => 3;

my $node = new_node('main', q{
gpuscan.chunk_size = 1MB
gpuscan.staging_size = 48MB
});
large_arrays($node);

# Sessions that do nothing but call, and look at the answers.
$node->safe_psql('postgres', q{
	CREATE TABLE seen (right_ones bigint, wrong_ones bigint);
	CREATE FUNCTION call_until_ending() RETURNS void LANGUAGE plpgsql AS $$
	DECLARE
		e expected;
		got text;
		right_ones bigint := 0;
		wrong_ones bigint := 0;
	BEGIN
		WHILE NOT EXISTS (SELECT FROM pg_class WHERE relname = 'ending') LOOP
			FOR e IN SELECT * FROM expected ORDER BY random() LOOP
				EXECUTE e.query INTO got;
				IF got = e.answer THEN
					right_ones := right_ones + 1;
				ELSE
					wrong_ones := wrong_ones + 1;
				END IF;
			END LOOP;
		END LOOP;
		INSERT INTO seen VALUES (right_ones, wrong_ones);
	END $$;
});
# With cached arrays there would be little to hit.
my @calls = map {
	start_call($node, 'SET gpuscan.cache = off; SELECT call_until_ending()')
} 1 .. SESSIONS;

for my $i (1 .. KILLS)
{
	my $pid = wait_for('a service', sub { return service_pid($node); });

	wait_until_busy($node);
	usleep(int rand 300_000);
	kill 'KILL', $pid;
	wait_for('another service',
		sub { return (service_pid($node) // $pid) != $pid; });

	# a stop on request resets the pause that follows crashes
	$node->safe_psql('postgres', 'SELECT gpuscan_stop()');
}
$node->safe_psql('postgres', 'CREATE TABLE ending ()');
finish_call($_) for @calls;
my $said = join '', map { $_->{err} } @calls;
unlike($said, qr/ERROR|FATAL|server closed/, 'no error');
is($node->safe_psql('postgres', 'SELECT count(*), sum(wrong_ones) FROM seen'),
	SESSIONS . '|0', 'the right answers');
note 'answers: ' . $node->safe_psql('postgres', 'SELECT sum(right_ones) FROM seen');
my $hits = () = $said =~ /WARNING:  58000: the GPU was lost during/g;
cmp_ok($hits, '>=', KILLS / 2, "$hits calls were hit by " . KILLS . ' kills');
cmp_ok($hits, '<=', KILLS * SESSIONS, 'one a kill and session at most: stops are silent');
cmp_ok(status_of($node, 'fallbacks'), '>=', $hits, 'and all of them are counted');

# Afterwards everything works as before.
is($node->safe_psql('postgres',
	sum_of() . '; SELECT engine FROM gpuscan_last_call()'),
	busy_sum() . "\ngpu", 'the service is back');
is(scalar services($node), 1, 'one service');
wait_for('memory', sub {
	return status_of($node, 'staging_free = staging_total') eq 't'; });
pass('which has all its memory');

$node->stop;
is(scalar services($node), 0, 'nothing is left');
done_testing();
