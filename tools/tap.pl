# Runs the TAP tests that match and says how many passed and failed.  A test that was skipped,
# or a file that ended otherwise than planned, has failed.  What a test says of its failure comes
# right behind it; the ends of the logs of files that failed come last.
use strict;
use warnings;
use TAP::Harness;

my $result = TAP::Harness->new({ verbosity => 0, failures => 1, comments => 1, merge => 1, timer => 1,
	jobs => $ENV{TAP_JOBS} // 1, lib => \@INC })->runtests(map { glob } @ARGV);
my $failed = $result->failed + $result->skipped;

print "skipped: $_\n" for $result->skipped;
for my $file ($result->descriptions)
{
	my ($parser) = $result->parsers($file);
	next unless $parser->has_problems || $parser->skip_all;
	print "$file: skipped\n" if $parser->skip_all;
	$failed++ unless $parser->failed;
	my ($name) = $file =~ m!([^/]+)\.pl$!;
	# where PostgreSQL's modules put it depends on their version
	system 'tail', '-vn', '40', grep { -e } map { "$_/regress_log_$name" } $ENV{TESTLOGDIR}, "$ENV{TESTDATADIR}/log";
}
printf "%d passed, %d failed\n", $result->passed - $result->skipped, $failed;
exit($failed || !$result->passed ? 1 : 0);
