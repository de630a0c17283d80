# Little device memory: smaller batches, or the CPU; never an error.  Of one device:
# limits are each device's, and what the status says is of all.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('main', q{
gpuscan.chunk_size = 1MB
gpuscan.staging_size = 48MB
gpuscan.memory_limit = 8MB
gpuscan.devices = 0
});
large_arrays($node);

# All calls over arrays of 16 MB and more, and the engines that they were
# answered by.
$node->safe_psql('postgres', q{
	CREATE FUNCTION call_all(OUT wrong text, OUT engines text)
	LANGUAGE plpgsql AS $$
	DECLARE
		e expected;
		got text;
		answered_by text;
	BEGIN
		FOR e IN SELECT * FROM expected LOOP
			EXECUTE e.query INTO got;
			answered_by := (SELECT engine FROM gpuscan_last_call());
			IF got IS DISTINCT FROM e.answer THEN
				wrong := concat_ws(', ', wrong, e.query);
			END IF;
			IF answered_by <> ALL (string_to_array(coalesce(engines, ''), ' ')) THEN
				engines := concat_ws(' ', engines, answered_by);
			END IF;
		END LOOP;
	END $$;
});

sub is_within
{
	my ($limit, $name) = @_;

	cmp_ok(status_of($node, 'memory_used'), '<=', $limit << 20,
		"$name: the limit holds");
}

my ($code, $out, $err) = $node->psql('postgres', 'SELECT * FROM call_all()');
is($out, '|gpu', '8 MB: the right answers, by the service');
is($err, '', '8 MB: silently');
is_within(8, '8 MB');

# Several sessions share it; a call that finds too little falls back to the CPU.
my @calls = map { start_call($node, 'SELECT wrong FROM call_all()') } 1 .. 6;
is_within(8, "six sessions, $_") for 1 .. 3;
finish_call($_) for @calls;
is(join('', map { $_->{out} . $_->{err} } @calls), '',
	'six sessions: the right answers, silently');
is_within(8, 'six sessions, afterwards');

# The counts alone are more than that.
my $counts = 'SELECT hash_array(gpu_histogram(a, 0, 1e6, 2000000)) FROM floats';
my $expected = $node->safe_psql('postgres', "SET gpuscan.engine = cpu; $counts");
($code, $out, $err) = $node->psql('postgres',
	"$counts; SELECT engine FROM gpuscan_last_call()");
is($out, "$expected\ncpu",
	'many counts: the right answer');
is($err, '', 'many counts: silently');
is_within(8, 'many counts');

# Nothing fits.
configure($node, 'gpuscan.memory_limit' => '1MB');
($code, $out, $err) = $node->psql('postgres', 'SELECT * FROM call_all()');
is($out, service_engine() eq 'cpu' ? '|gpu' : '|cpu', '1 MB: the right answers');
is($err, '', '1 MB: silently');
is_within(1, '1 MB');
is(status_of($node, 'restarts'), '1', 'no service has ended but for the setting');

# Cached arrays may take all of it: they are evicted for executions.
configure($node, 'gpuscan.memory_limit' => '48MB', 'gpuscan.cache_size' => '48MB');
for my $use ('first', 'second')
{
	($code, $out, $err) = $node->psql('postgres', 'SELECT wrong FROM call_all()');
	is("$out$err", '', "cached: the right answers, silently, $use use");
	is_within(48, "cached, $use use");
}
is(status_of($node, 'cache_hits > 0 AND cache_bytes BETWEEN 1 AND cache_size'), 't',
	'cached: there are some, and they are used');
@calls = map { start_call($node, 'SELECT wrong FROM call_all()') } 1 .. 6;
is_within(48, "cached, six sessions, $_") for 1 .. 3;
finish_call($_) for @calls;
is(join('', map { $_->{out} . $_->{err} } @calls), '',
	'cached, six sessions: the right answers, silently');
is_within(48, 'cached, six sessions, afterwards');
is(status_of($node, 'restarts'), '2', 'no service has ended but for the settings');

# Reports of many groups, of which memory is enough for one: they wait for each other.
$node->safe_psql('postgres', q{
	CREATE TABLE many AS SELECT i % 300000 AS k, i::float8 AS v FROM generate_series(1, 600000) i;
	VACUUM ANALYZE many;
});
my $report;

for my $limit (40, 64, 96, 160, 256)
{
	configure($node, 'gpuscan.memory_limit' => "${limit}MB", 'gpuscan.cache_size' => '24MB');

	# what has found too little once is not tried again: each limit has a query of its own
	$report = q{LOAD 'gpuscan'; SET gpuscan.reports = exact; SET gpuscan.engine = gpu; EXPLAIN (ANALYZE, COSTS OFF)} .
	  "SELECT count(*), max(s) FROM (SELECT k, gpu_sum(v) AS s FROM many WHERE v < 1e6 + $limit GROUP BY k) q;";
	note("$limit MB");
	last if $node->safe_psql('postgres', "$report $report") !~ /Ordinary Plans/;
}
@calls = map { start_call($node, $report x 5) } 1 .. 3;
finish_call($_) for @calls;
is(scalar(() = join('', map { $_->{out} } @calls) =~ /Execution Time/g), 15, 'reports in three sessions: all are done');
unlike(join('', map { $_->{out} } @calls), qr/Ordinary Plans/, 'by the service');
is(join('', map { $_->{err} } @calls), '', 'silently');

$node->stop;
done_testing();
