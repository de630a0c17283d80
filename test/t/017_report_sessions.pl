# Reports among the rest of a server: pg_stat_statements, auto_explain, timeouts and cancellation at every step, and a service
# that is lost in the middle.  How long a cancelled report goes on is printed; once, at least, it has to end soon.
use strict;
use warnings;
use GpuscanTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time usleep);

use constant ROWS => 2_000_000;
use constant GROUPS => 1_000_000;
use constant PAUSE_KEY => 7283;	# of report/session/pause.h

chomp(my $libraries = `pg_config --pkglibdir`);
my @contrib = grep { -e "$libraries/$_.so" } qw(pg_stat_statements auto_explain);
my $node = new_node('main', q{
shared_preload_libraries = '} . join(',', @contrib) . q{'
compute_query_id = auto
fsync = off
max_wal_size = 4GB
shared_buffers = 512MB
max_parallel_workers_per_gather = 0
jit = off
});
my ($session, $holder);

sub sql { return $node->safe_psql('postgres', $_[0]); }

# "many" has a million groups.
sql('CREATE EXTENSION pg_stat_statements') if grep { $_ eq 'pg_stat_statements' } @contrib;
sql(sprintf q{
	CREATE TABLE few (k integer, v double precision);
	CREATE TABLE many (LIKE few);
	INSERT INTO few SELECT i %% 100, i * 0.25 FROM generate_series(1, 50000) AS i;
	INSERT INTO many SELECT i %% %d, i * 0.25 FROM generate_series(1, %d) AS i;
	VACUUM ANALYZE few, many;
}, GROUPS, ROWS);
sql("SELECT gpuscan_load('few')");
my $few = 'SELECT k, gpu_sum(v) FROM few WHERE k < 3 GROUP BY k ORDER BY k';
my $few_answer = sql("SET gpuscan.reports = off; $few");
my $many = 'SELECT count(*), sum(s), min(k), max(k) FROM (SELECT k, gpu_sum(v) AS s FROM many GROUP BY k) AS q';
my $many_answer = sql("SET gpuscan.reports = off; SET work_mem = '500MB'; $many");

# Has the service made it?
sub is_made
{
	my ($session, $query, $name) = @_;
	my $plan = $session->query("EXPLAIN (ANALYZE) $query");

	like($plan, qr/Engine: /, "$name: the service makes the next report");
	unlike($plan, qr/Ordinary Plans/, "$name: and no ordinary plan runs");
	return;
}

# Who finds no service waits for its start as long as the ordinary plan may take: here, long enough.
sql('SELECT gpuscan_stop()');
like(sql("SET cpu_tuple_cost = 1000; EXPLAIN (ANALYZE) $few"), qr/Engine: /, 'the first report after a stop is one');

# ----------
# pg_stat_statements and auto_explain
# ----------

if (grep { $_ eq 'pg_stat_statements' } @contrib)
{
	my $statistics = q{SELECT calls, rows FROM pg_stat_statements WHERE query LIKE '%FROM few%' AND query NOT LIKE 'EXPLAIN%' ORDER BY calls};

	sql('SELECT count(pg_stat_statements_reset())');
	$session = open_session($node);
	$session->query_safe("SELECT k, gpu_sum(v) FROM few WHERE v > $_ GROUP BY k") for 1 .. 3;
	is(sql($statistics), '3|300', 'pg_stat_statements: a query, its calls and rows');
	$session->query_safe('SET gpuscan.reports = off');
	$session->query_safe('SELECT k, gpu_sum(v) FROM few WHERE v > 4 GROUP BY k');
	is(sql($statistics), '4|400', 'pg_stat_statements: the same query without reports');
	$session->quit;
}
else
{
	diag('pg_stat_statements is not installed');
}

if (grep { $_ eq 'auto_explain' } @contrib)
{
	my $offset = -s $node->logfile;

	for my $format (qw(text json))
	{
		is(sql("SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on;
			SET auto_explain.log_nested_statements = on; SET auto_explain.log_format = $format; $few"),
			$few_answer, "auto_explain, $format");
	}
	my $log = slurp_file($node->logfile, $offset);
	like($log, qr/Custom Scan \(GpuscanReport\) .*actual.*\n.*Group Key: k\n.*Row Filter: .*\n.*Engine: \w+\n.*Groups: 3\n.*Rows Cached: 50000/,
		'auto_explain: the plan is in the log');
	like($log, qr/"Custom Plan Provider": "GpuscanReport",.*"Rows Cached": 50000,/s, 'auto_explain: as JSON');

	# Without ANALYZE the ordinary plan is shown, too.
	$offset = -s $node->logfile;
	is(sql("SET auto_explain.log_min_duration = 0; $few"), $few_answer, 'auto_explain without ANALYZE');
	like(slurp_file($node->logfile, $offset), qr/Custom Scan \(GpuscanReport\) .*\n(?:.*\n)*.*-> .*Aggregate .*\n.*Group Key: k\n/,
		'auto_explain: the ordinary plan is in the log');
}
else
{
	diag('auto_explain is not installed');
}

# ----------
# Timeouts and cancellation
# ----------

my %late;

# Note how late an error came, in ms.
sub note_late
{
	my ($what, $seconds) = @_;

	push @{$late{$what}}, 1000 * $seconds;
	return;
}

# Run a query that is to end by statement_timeout after so many ms.  Was it?
sub is_timed_out
{
	my ($session, $what, $ms, $query) = @_;
	my $begin = time;
	my $output = $session->query("SET statement_timeout = $ms;\n$query");
	my $seconds = time - $begin;
	my $timed_out = $session->{stderr} =~ /canceling statement due to statement timeout/;

	note_late($what, $seconds - $ms / 1000) if $timed_out;
	die "$what: $session->{stderr}" if !$timed_out && $session->{stderr} ne '';

	# the time may have been over when the query had just ended: then this is cancelled
	do
	{
		$session->{stderr} = '';
		$session->query('RESET statement_timeout');
	} while $session->{stderr} ne '';
	return $timed_out;
}

# Run a query that another session is to cancel, as soon as the condition is true.  Was it?
sub is_cancelled
{
	my ($session, $what, $condition, $query) = @_;
	my $pid = $session->query_safe('SELECT pg_backend_pid()');
	my $begin;

	$session->start($query);
	$condition->($pid);
	$begin = time;
	$holder->query_safe("SELECT pg_cancel_backend($pid)");
	$session->result;
	note_late($what, time - $begin);
	my $cancelled = $session->{stderr} =~ /canceling statement due to user request/;
	$session->{stderr} = '';
	return $cancelled;
}

# Wait until the session waits for what it is paused by, or for the service.
sub waits
{
	my ($event) = @_;

	return sub {
		my ($pid) = @_;

		wait_for("a session that waits: $event", sub {
			return $holder->query_safe("SELECT wait_event_type || ' ' || wait_event FROM pg_stat_activity WHERE pid = $pid") =~ $event; });
	};
}

sub hold { return $holder->query_safe('SELECT pg_advisory_lock(' . PAUSE_KEY . ')'); }
sub release { return $holder->query_safe('SELECT pg_advisory_unlock(' . PAUSE_KEY . ')'); }

# What has been used up by reports that were given up?
sub nothing_is_left
{
	my ($name) = @_;

	wait_for("$name: an idle service", sub { return status_of($node, 'staging_free = staging_total') eq 't'; });
	return;
}

$session = open_session($node);
$holder = open_session($node);
$session->query_safe('SET work_mem = \'500MB\'; SET jit = off');

# At pauses: nothing but the session itself is waited for.
$session->query_safe($few);
sql('UPDATE few SET v = v WHERE k = 0');
hold();
for my $point (qw(map decided page finish))
{
	$session->query_safe("SET gpuscan.debug_pause = $point");
	ok(is_timed_out($session, 'at pauses', 50, $few), "statement_timeout at: $point");
	ok(is_cancelled($session, 'at pauses', waits(qr/advisory/), $few), "cancelled at: $point");
}
release();
$session->query_safe('SET gpuscan.debug_pause = never');
is($session->query($few), $few_answer, 'pauses: the next report is right');
is_made($session, $few, 'pauses');

# While pages are read, as nothing of the table is held yet, at whatever step the time is over.
my $timed_out = 0;
for my $ms (1, 2, 3, 5, 8, 13, 21, 34)
{
	$timed_out += is_timed_out($session, 'while reading', $ms, $many);
	sql('SELECT gpuscan_cache_clear()');
}
cmp_ok($timed_out, '>', 2, 'reading: reports that timed out');
nothing_is_left('reading');
is($session->query($many), $many_answer, 'reading: the next report is right');

# While groups are computed, fetched and used.
my $begin = time;
is($session->query($many), $many_answer, 'a million groups');
my $whole = 1000 * (time - $begin);
is_made($session, $many, 'a million groups');
for my $step (1 .. 12)
{
	wait_for('a report that times out', sub {
		return 1 if is_timed_out($session, 'while computing and fetching groups', int($step * $whole / 13) + 1, $many);
		$whole *= 0.8;			# the host has been busier
		return 0; });
	is($session->query($few), $few_answer, "groups, step $step: the next report is right");
}
for my $step (1 .. 6)
{
	is_cancelled($session, 'while computing and fetching groups', sub { usleep($step * $whole * 1000 / 7) }, $many);
}
is($session->query($many), $many_answer, 'groups: the next report is right');
is_made($session, $many, 'groups');
nothing_is_left('groups');

# While the service computes, without end.
configure($node, 'gpuscan.debug_delay' => '1h', 'gpuscan.response_timeout' => '1h');
my $slow = 'SELECT gpu_sum(v) FROM few';
ok(is_timed_out($session, 'while the service computes', 300, $slow), 'statement_timeout: the service computes');
ok(is_cancelled($session, 'while the service computes', waits(qr/Extension/), $slow), 'cancelled: the service computes');
configure($node, 'gpuscan.debug_delay' => '0', 'gpuscan.response_timeout' => '10s');
is($session->query($few), $few_answer, 'computing: the next report is right');
is_made($session, $few, 'computing');

# For several sessions the service computes for longer than response_timeout, and says that it does.
sql('CREATE TABLE wide AS SELECT i * 7919::bigint % 4000037 AS k FROM generate_series(1, 6000000) AS i; VACUUM ANALYZE wide');
configure($node, 'gpuscan.response_timeout' => '1s');
sql("SELECT gpuscan_load('wide')");
my @sessions = map { open_session($node) } 1 .. 4;
$_->query_safe('SET seq_page_cost = 1000000') for @sessions;
$_->start('SELECT count(*), sum(c) FROM (SELECT k, count(*) AS c FROM wide GROUP BY k) AS q') for @sessions;
is(scalar(grep { $_->result eq '4000037|6000000' } @sessions), 4, 'several sessions: all reports are right');
is(join('', map { $_->{stderr} } @sessions), '', 'several sessions: no service is lost');
$_->quit for @sessions;
sql('DROP TABLE wide');
configure($node, 'gpuscan.response_timeout' => '10s');

for my $what (sort keys %late)
{
	my @ms = sort { $a <=> $b } @{$late{$what}};

	diag(sprintf 'cancelled %s: ended within %.0f ms, at best within %.0f ms', $what, $ms[-1], $ms[0]);
	cmp_ok($ms[0], '<', 2000, "cancelled $what: at once");
}
is(status_of($node, 'fallbacks'), '0', 'nothing of this is counted as a failure of the service');

# ----------
# A service that is lost
# ----------

my $warning = qr/WARNING:  the service was lost during a report, falling back to the ordinary plan\nDETAIL:  The service has ended\./;
my $fallbacks = 0;

# Pause a report at a step, end the service, and go on.
sub lose
{
	my ($session, $point, $query, $how) = @_;

	# whatever is held after a restart of the service
	$session->query("SET gpuscan.debug_pause = never; $query");
	$session->{stderr} = '';
	sql('UPDATE few SET v = v WHERE k = 0');
	hold();
	my $pid = $session->query_safe("SET gpuscan.debug_pause = $point; SELECT pg_backend_pid()");
	$session->start($query);
	waits(qr/advisory/)->($pid);
	$how->();
	release();
	my $out = $session->result;
	my $err = $session->{stderr};
	$session->{stderr} = '';
	return ($out, $err);
}

for my $point (qw(map decided page finish))
{
	my ($out, $err) = lose($session, $point, $few, sub { kill_service($node) });

	is($out, $few_answer, "lost at $point: the right answer");
	like($err, $warning, "lost at $point: a warning");
	is(() = $err =~ /WARNING/g, 1, "lost at $point: but one");
	$session->query_safe('SET gpuscan.debug_pause = never');
	is($session->query($few), $few_answer, "lost at $point: the next report");
	is_made($session, $few, "lost at $point");
	is(status_of($node, 'fallbacks'), ++$fallbacks, "lost at $point: it is counted");
	sql('SELECT gpuscan_stop()');	# no pause after crashes
}

# While the service makes a dimension's tables: what is the reason this time is not remembered.
sql('CREATE TABLE member AS SELECT i AS k, i * 2 AS y FROM generate_series(0, 9999) AS i');
sql('VACUUM ANALYZE member');
$session->query_safe('SET gpuscan.debug_held_rows = 0');
my $joined = 'SELECT count(*), sum(y) FROM few JOIN member USING (k)';
my $joined_answer = sql("SET gpuscan.reports = off; $joined");
my $made_of_it = sub {
	sql('UPDATE member SET y = y WHERE k = 0');	# so it is made in each execution
	return lose($session, 'decided', $joined, sub { kill_service($node) });
};
is(($made_of_it->())[0], $joined_answer, 'lost while a dimension is made: the right answer');
$session->query_safe('SET gpuscan.debug_pause = never');
is($session->query($joined), $joined_answer, 'lost while a dimension is made: the next report');
is_made($session, $joined, 'lost while a dimension is made');
like($session->query("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) $joined"), qr/Look-up: .* held\)/, 'and has it made again');
$session->query_safe('RESET gpuscan.debug_held_rows');
$fallbacks = status_of($node, 'fallbacks');
sql('SELECT gpuscan_stop()');

# With engine auto a session is warned once; if the service was told to end, never.
$session->quit;
$session = open_session($node);
$session->query_safe('SET gpuscan.engine = auto');
for my $time (1, 2)
{
	sql($few);					# a service runs
	my ($out, $err) = lose($session, 'finish', $few, sub { kill_service($node) });

	is($out, $few_answer, "auto, $time: the right answer");
	is(() = $err =~ /WARNING/g, 2 - $time, "auto, $time: one warning a session");
	is(status_of($node, 'fallbacks'), ++$fallbacks, "auto, $time: it is counted");
	sql('SET gpuscan.engine = gpu; SELECT gpuscan_stop(); SELECT gpuscan_load(\'few\')');
}
$session->quit;
$session = open_session($node);
my ($out, $err) = lose($session, 'finish', $few, sub { sql('SELECT gpuscan_stop()') });
is($out, $few_answer, 'stopped: the right answer');
is($err, '', 'stopped: no warning');
is(status_of($node, 'fallbacks'), $fallbacks, 'stopped: the next service makes the report');

# What an expression, a setting or the order of rows is the reason of is no failure.
$session->query_safe('SET gpuscan.debug_pause = never');
is($session->query('SELECT gpu_sum(v) FROM few WHERE k <> 0 AND 1 / k > 0 AND v < 2'), '0.25', 'an expression that raises an error');
$session->query('SELECT gpu_sum(1 / k) FROM few');
like($session->{stderr}, qr/ERROR:  division by zero/, 'and another one');
unlike($session->{stderr}, qr/WARNING/, 'without a warning');
is(status_of($node, 'fallbacks'), $fallbacks, 'is not counted as a failure');

# A partition that cannot be read is found while the service is asked for others: the session keeps its connection.
sql(q{
	CREATE TABLE parts (k integer, v integer) PARTITION BY RANGE (k);
	CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (10) TO (20);
	INSERT INTO parts SELECT 10 + i % 10, i FROM generate_series(1, 10000) AS i;
	ALTER TABLE parts ADD x numeric(4, 2) DEFAULT 'NaN';
	CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
	INSERT INTO parts SELECT i % 10, i, 1 FROM generate_series(1, 10000) AS i;
	CREATE TABLE sockets (link text);
});
sql('VACUUM ANALYZE parts');

sub sockets
{
	return $session->query_safe(q{DO $$ BEGIN EXECUTE format('TRUNCATE sockets; COPY sockets FROM PROGRAM %L',
		'readlink /proc/' || pg_backend_pid() || '/fd/* | grep socket'); END $$; SELECT string_agg(link, ' ' ORDER BY link) FROM sockets});
}

$session->quit;
$session = open_session($node);
$session->query_safe(q{SET cpu_tuple_cost = 1000; SELECT gpuscan_load('parts', 'v')});

my $sockets = sockets();
is(() = $sockets =~ /socket/g, 2, 'a session with a connection to the service');
is($session->query_safe('SELECT sum(x) FROM parts'), 'NaN', 'a partition that the service cannot read');
is(sockets(), $sockets, 'and the connection stays');

$session->quit;
$holder->quit;
$node->stop;
done_testing();
