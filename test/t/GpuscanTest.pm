# What the tests of the service share: servers whose service computes on the
# CPU, or on what GPUSCAN_SERVICE_ENGINE says, slowly if asked to, and calls that can be caught in the middle.
package GpuscanTest;

use strict;
use warnings;
use Cwd qw(realpath);
use Exporter 'import';
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time usleep);

our @EXPORT = qw(new_node service_engine configure processes services service_pid wait_for slowdown start_call
  finish_call wait_until_busy sum_of busy_sum large_call large_arrays status_of log_has);

# The chunks of the array in table "numbers", of 100,000 double precision
# values, at the chunk size that servers here have.
use constant CHUNKS => 7;

# What the service under test computes with.
sub service_engine
{
	return $ENV{GPUSCAN_SERVICE_ENGINE} // 'cpu';
}

# Lines for a server whose service is tested.
sub settings
{
	return 'gpuscan.service_engine = ' . service_engine() . q{
gpuscan.engine = gpu
gpuscan.chunk_size = 128kB
gpuscan.staging_size = 4MB
log_line_prefix = '%m [%p] '
max_connections = 60
restart_after_crash = on
};
}

# A running server with the extension, and with data.
sub new_node
{
	my ($name, $more, %init) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init(%init);
	$node->append_conf('postgresql.conf', settings() . ($more // ''));
	$node->start;
	$node->safe_psql('postgres', q{
		CREATE EXTENSION gpuscan;
		CREATE TABLE numbers AS
			SELECT array_agg(i + 0.25::double precision) AS a
			FROM generate_series(1, 100000) AS i;
	});
	return $node;
}

# Change settings of a running server, and wait until its service has them.
sub configure
{
	my ($node, %settings) = @_;
	my $before = service_pid($node);

	$node->append_conf('postgresql.conf', "$_ = '$settings{$_}'")
	  for sort keys %settings;
	$node->reload;

	# the service that runs, if any, is replaced
	wait_for("a new service", sub {
		my $pid = service_pid($node);
		return !defined $before || (defined $pid && $pid != $before); })
	  if grep { !/response_timeout|engine$/ } keys %settings;
	wait_for("the service to run", sub {
		return status_of($node, 'state') eq 'running'; })
	  if defined $before;
}

# The pids of all processes that work in the server's data directory and whose
# command line matches.
sub processes
{
	my ($node, $pattern) = @_;
	my $directory = realpath($node->data_dir);
	my @pids;

	for my $proc (glob '/proc/[0-9]*')
	{
		my $cwd = readlink("$proc/cwd") // next;
		next if $cwd ne $directory;
		open my $file, '<', "$proc/cmdline" or next;
		my $command = <$file> // '';
		push @pids, $proc =~ s!/proc/!!r if $command =~ $pattern;
	}
	return @pids;
}

sub services
{
	my ($node) = @_;

	return processes($node, qr/^gpuscand\0/);
}

sub service_pid
{
	my @pids = services(@_);

	return $pids[0];
}

# Wait until the function returns true, and return that.
sub wait_for
{
	my ($what, $function) = @_;
	my $until = time + $PostgreSQL::Test::Utils::timeout_default;

	while (time < $until)
	{
		my $result = $function->();

		return $result if $result;
		usleep(20_000);
	}
	die "timed out waiting for $what";
}

# How much longer than on an idle host everything takes just now: the time that
# a little work takes, in terms of the processor's time that it uses.  What is
# to be soon is so within a limit times this.
sub slowdown
{
	my ($begin, $user) = (time, (times)[0]);
	my $used;

	do { $used = (times)[0] - $user } while $used < 0.2;
	return (time - $begin) / $used;
}

# Begin a statement in a session of its own.
sub start_call
{
	my ($node, $sql) = @_;
	my %call = (out => '', err => '', since => time);

	$call{run} = IPC::Run::start(
		[ 'psql', '-XAtq', '-v', 'VERBOSITY=verbose', '-d',
			$node->connstr('postgres'), '-c', $sql ],
		'>', \$call{out}, '2>', \$call{err},
		IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
	return \%call;
}

# Wait for its end; it has then members code, out, err and seconds.
sub finish_call
{
	my ($call) = @_;

	$call->{run}->finish;
	$call->{code} = $call->{run}->result;
	$call->{seconds} = time - $call->{since};
	chomp $call->{out};
	return $call;
}

# One column of gpuscan_status().
sub status_of
{
	my ($node, $column) = @_;

	return $node->safe_psql('postgres',
		"SELECT $column FROM gpuscan_status()");
}

sub sum_of
{
	return 'SELECT gpu_sum(a) FROM numbers';
}

# What it gives.
sub busy_sum
{
	return '5000075000';
}

# A call that engine auto expects to be much faster on the GPU, and its answer.
sub large_call
{
	return ('SELECT cardinality(gpu_cumprod(array_fill(1.0::float8, ARRAY[2000000])))',
		2000000);
}

# Tables of arrays of 2,000,000 elements, and in table "expected" calls over
# them with their answers.
sub large_arrays
{
	my ($node) = @_;

	$node->safe_psql('postgres', q{
		CREATE TABLE floats (a double precision[]);
		CREATE TABLE holes (a integer[]);
		ALTER TABLE floats ALTER a SET STORAGE EXTERNAL;
		ALTER TABLE holes ALTER a SET STORAGE EXTERNAL;
		INSERT INTO floats SELECT array_agg(i * 7919 % 1000003 + 0.1::float8 * (i % 7))
			FROM generate_series(1, 2000000::bigint) AS i;
		INSERT INTO holes SELECT array_agg(CASE WHEN i % 5 <> 0 THEN i * 7919 % 1000003 END)
			FROM generate_series(1, 2000000::bigint) AS i;
		CREATE TABLE expected (query text, answer text);
		INSERT INTO expected (query) VALUES
			('SELECT gpu_sum(a) FROM floats'),
			('SELECT gpu_stddev(a) FROM floats'),
			('SELECT hash_array(gpu_cumsum(a)) FROM floats'),
			('SELECT hash_array(gpu_cummax(a)) FROM holes'),
			('SELECT hash_array(gpu_histogram(a, 0, 1e6, 5000)) FROM floats'),
			('SELECT hash_array(gpu_filter(a, ''>'', 500000)) FROM holes');
		SET gpuscan.engine = cpu;
		DO $$
		DECLARE
			e expected;
			got text;
		BEGIN
			FOR e IN SELECT * FROM expected LOOP
				EXECUTE e.query INTO got;
				UPDATE expected SET answer = got WHERE query = e.query;
			END LOOP;
		END $$;
	});
	return;
}

# Wait until requests of so many sessions are in the service.
sub wait_until_busy
{
	my ($node) = @_;

	wait_for('a busy service', sub {
		return status_of($node, 'staging_free < staging_total') eq 't'; });
}

# Does the log, from an offset on, match?
sub log_has
{
	my ($node, $pattern, $offset) = @_;

	return slurp_file($node->logfile, $offset // 0) =~ $pattern;
}

1;
