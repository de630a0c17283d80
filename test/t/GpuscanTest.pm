# What the tests of the service share: servers whose service computes on the
# CPU, or on what GPUSCAN_SERVICE_ENGINE says, and calls that can be interrupted
# in the middle.
package GpuscanTest;

use strict;
use warnings;
use Cwd qw(realpath);
use Exporter 'import';
use File::Temp;
use IPC::Run;

# PostgreSQL 13 and 14 have these modules by other names, but for their latest releases.
BEGIN
{
	if (!eval { require PostgreSQL::Test::Cluster })
	{
		require PostgresNode;
		require TestLib;
		no warnings 'once';
		*PostgreSQL::Test::Cluster:: = *PostgresNode::;
		*PostgreSQL::Test::Utils:: = *TestLib::;
		$INC{'PostgreSQL/Test/Cluster.pm'} = $INC{'PostgresNode.pm'};
		$INC{'PostgreSQL/Test/Utils.pm'} = $INC{'TestLib.pm'};
	}
}

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time usleep);

our @EXPORT = qw(make_node new_node service_engine gpuscand server_version configure processes services service_pid kill_service wait_for wait_for_end slowdown start_call
  finish_call open_session wait_until_busy sum_of busy_sum long_sum long_answer large_call large_arrays status_of log_has any start_steps);

# The chunks of the array in table "numbers", of 100,000 double precision
# values, at the chunk size that servers here have.
use constant CHUNKS => 7;

# What ends a test too early is said where it stands, too, not in its log alone.
$SIG{__DIE__} = sub { diag(@_) unless $^S; };

# In seconds
my $patience = $PostgreSQL::Test::Utils::timeout_default // 180;

# The engine of the service under test.
sub service_engine
{
	return $ENV{GPUSCAN_SERVICE_ENGINE} // 'cpu';
}

# The service's executable.
sub gpuscand
{
	chomp(my $directory = `pg_config --pkglibdir`);
	return "$directory/gpuscand";
}

# The server's major version
sub server_version
{
	my ($node) = @_;

	return slurp_file($node->data_dir . '/PG_VERSION') + 0;
}

# Settings of a server whose service is tested.  Autovacuum's snapshots would keep VACUUM from
# marking pages all-visible, now and then.
sub settings
{
	return 'gpuscan.service_engine = ' . service_engine() . q{
gpuscan.engine = gpu
gpuscan.chunk_size = 128kB
gpuscan.staging_size = 4MB
autovacuum = off
jit = off
log_line_prefix = '%m [%p] '
max_connections = 60
restart_after_crash = on
};
}

# A server, not yet initialized.
sub make_node
{
	my ($name) = @_;

	return PostgreSQL::Test::Cluster->can('get_new_node')
	  ? PostgreSQL::Test::Cluster->get_new_node($name)
	  : PostgreSQL::Test::Cluster->new($name);
}

# A running server with the extension, and with data.
sub new_node
{
	my ($name, $more, %init) = @_;
	my $node = make_node($name);

	$node->init(%init);
	$node->append_conf('postgresql.conf', settings() . ($more // ''));
	$node->start;
	$node->safe_psql('postgres', q{
		SET client_min_messages = warning;
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
		return !defined $before || (defined $pid && $pid != $before); });
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

# Wait until the function returns true, and return that.  It is called less often after a
# while: mostly it is a process and a session that ask.
sub wait_for
{
	my ($what, $function) = @_;
	my $until = time + $patience;
	my $pause = 20_000;

	while (time < $until)
	{
		my $result = $function->();

		return $result if $result;
		usleep($pause);
		$pause *= 1.2 if $pause < 100_000;
	}
	die "timed out waiting for $what";
}

# Wait until a process has ended and its parent knows.  One that is ending has left /proc's
# lists of command lines and folders before its sockets are closed.
sub wait_for_end
{
	my ($pid) = @_;

	wait_for("the end of process $pid", sub { return !kill 0, $pid; });
	return;
}

# Kill the service, which may be about to start, and wait until its supervisor knows.
sub kill_service
{
	my ($node) = @_;
	my $pid = wait_for('the service', sub { return service_pid($node); });

	kill 'KILL', $pid;
	wait_for_end($pid);
	return;
}

# How much longer than on an idle host everything takes just now: the time that
# a little work takes, in terms of the processor's time that it uses.  What is
# to be soon is so within a limit times this.
sub slowdown
{
	my ($begin, $user) = (time, (times)[0]);
	my $used;

	do
	{
		for (1 .. 10_000) { }	# rather than in system calls
		$used = (times)[0] - $user;
	} while $used < 0.2;
	return (time - $begin) / $used;
}

# Begin statements in a session of their own.
sub start_call
{
	my ($node, $sql) = @_;
	my %call = (sql => File::Temp->new, out => '', err => '');

	# not by -c: before PostgreSQL 15 that shows the last result alone
	$call{sql}->print($sql);
	$call{sql}->close;
	$call{run} = IPC::Run::start(
		[ 'psql', '-XAtq', '-v', 'VERBOSITY=verbose', '-v', 'ON_ERROR_STOP=1',
			'-d', $node->connstr('postgres'), '-f', $call{sql}->filename ],
		'>', \$call{out}, '2>', \$call{err},
		IPC::Run::timeout(4 * $patience));	# some last as long as a test's longest part
	return \%call;
}

# Wait for its end; it has then members code, out and err.
sub finish_call
{
	my ($call) = @_;

	$call->{run}->finish;
	$call->{code} = $call->{run}->result;
	chomp $call->{out};
	return $call;
}

# Open a session that statements are sent to one after the other.
sub open_session
{
	my ($node) = @_;

	return GpuscanTest::Session->new($node->connstr('postgres'));
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

# A call of so many chunks that it is under way, if they are delayed, for as long as a busy host
# needs to interfere with it, and its answer.
sub long_sum
{
	return 'SELECT gpu_sum(array_fill(a[1], ARRAY[2000000])) FROM numbers';
}

sub long_answer
{
	return '2500000';
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

# Wait until a request is in the service.  One session asks again and again: to start one takes
# long on a busy host, and calls end.
sub wait_until_busy
{
	my ($node) = @_;
	my $session = open_session($node);

	wait_for('a busy service', sub {
		return $session->query_safe('SELECT staging_free < staging_total FROM gpuscan_status()') eq 't'; });
	$session->quit;
}

# Does the log, from an offset on, match?
sub log_has
{
	my ($node, $pattern, $offset) = @_;

	return slurp_file($node->logfile, $offset // 0) =~ $pattern;
}

# One of them.
sub any { return $_[ rand @_ ]; }

# Start a session that repeats steps until there is a row in table "done".
sub start_steps
{
	my ($node, $times, @steps) = @_;
	my %session = (sql => File::Temp->new, out => '', err => '');
	my $ends = "SELECT EXISTS (SELECT FROM done) AS done \\gset\n\\if :done\n\\q\n\\endif\n";

	$session{sql}->print("$_\n$ends") for @steps;
	$session{sql}->close;
	$session{run} = IPC::Run::start([ 'psql', '-XAtq', '-v', 'VERBOSITY=verbose', '-d', $node->connstr('postgres'),
			map { ('-f', $session{sql}->filename) } 1 .. $times ],
		'>', \$session{out}, '2>', \$session{err});
	return \%session;
}

# A psql that runs beside the test.  The servers' own BackgroundPsql differs from version to
# version, and not all have it.
package GpuscanTest::Session;

sub new
{
	my ($class, $connection) = @_;
	my $self = bless {
		stdin => '', stdout => '', stderr => '', queries => 0,
		timer => IPC::Run::timer($patience) }, $class;

	$self->{run} = IPC::Run::start([ 'psql', '-XAtq', '-d', $connection, '-f', '-' ],
		'<', \$self->{stdin}, '>', \$self->{stdout}, '2>', \$self->{stderr}, $self->{timer});
	$self->query('');
	die "no session: $self->{stderr}" if $self->{stderr} ne '';
	return $self;
}

# What a statement prints, and add to the member stderr what it complains of.
sub query
{
	my ($self, $sql) = @_;

	$self->start($sql);
	return $self->result;
}

# Send a statement, and do not wait for it.
sub start
{
	my ($self, $sql) = @_;

	$self->{end} = 'end of query ' . ++$self->{queries};
	$self->{stdin} .= "$sql\n;\n\\echo '$self->{end}'\n\\warn '$self->{end}'\n";
	$self->{run}->pump_nb;
	return;
}

# Wait until it ends, and return what it has printed.
sub result
{
	my ($self) = @_;
	my $end = $self->{end};

	$self->pump_until(sub {
		return $self->{stdout} =~ /^$end\n/m && $self->{stderr} =~ /^$end\n/m; });
	my $output = $self->{stdout} =~ s/\n?^$end\n//mr;
	$self->{stderr} =~ s/^$end\n//m;
	$self->{stdout} = '';
	return $output;
}

# What a statement prints.  It must not fail.
sub query_safe
{
	my ($self, $sql) = @_;
	my $output = $self->query($sql);

	die "$sql: $self->{stderr}" if $self->{stderr} ne '';
	return $output;
}

# Send a statement, and wait until it is about to be executed.
sub begin
{
	my ($self, $sql) = @_;

	$self->{stdin} .= "\\echo begun\n$sql;\n";
	$self->pump_until(sub { return $self->{stdout} =~ s/^begun\n//m; });
	return;
}

sub pump_until
{
	my ($self, $condition) = @_;

	$self->{timer}->start;
	until ($condition->())
	{
		die "a session timed out: $self->{stdout} $self->{stderr}" if $self->{timer}->is_expired;
		$self->{run}->pump;
	}
	return;
}

sub quit
{
	my ($self) = @_;

	$self->{stdin} .= "\\q\n";
	return $self->{run}->finish;
}

1;
