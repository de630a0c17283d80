# Runs the TAP tests that match and says how many passed and failed.  A test that was skipped,
# or a file that ended otherwise than planned, has failed.
use strict;
use warnings;
use TAP::Harness;

my $result = TAP::Harness->new({ verbosity => 0, failures => 1, merge => 1,
	jobs => $ENV{TAP_JOBS} // 1, lib => \@INC })->runtests(map { glob } @ARGV);
my $failed = $result->failed + $result->skipped;

print "skipped: $_\n" for $result->skipped;
for my $file ($result->descriptions)
{
	my ($parser) = $result->parsers($file);
	next unless $parser->has_problems || $parser->skip_all;
	print "$file: skipped\n" if $parser->skip_all;
	$failed++ unless $parser->failed;
}
printf "%d passed, %d failed\n", $result->passed - $result->skipped, $failed;
exit($failed ? 1 : 0);
