# Prints what must be the same in two outputs of a regression test, whatever the
# plans are: rows in one order, no plans, no notices, which functions send when
# and as often as a plan calls them, no OIDs in errors, no values that depend on
# which of its peers in an order a row comes behind.
use strict;
use warnings;

# the last lines of statements whose windows give such values
my %of_peers = map { ("$_\n" => 1) } (
	'SELECT last_value(four) OVER (ORDER BY ten), ten, four FROM tenk1 WHERE unique2 < 10;',
	'WINDOW w AS (order by four range between current row and unbounded following);');

my @lines = <>;
my $before = '';
while (@lines)
{
	my $line = shift @lines;

	# a table: its header, a rule, rows, all of which begin with a space, and
	# their number
	if ($line =~ /^ / && @lines && $lines[0] =~ /^-[-+]*$/)
	{
		my $rows = 1;
		$rows++ while $rows < @lines && $lines[$rows] =~ /^ /;
		if ($rows < @lines && $lines[$rows] =~ /^\(\d+ rows?\)$/)
		{
			my ($rule, @table) = splice @lines, 0, $rows + 1;
			if ($line =~ /QUERY PLAN|explain|estimated/)
			{
				print "(plan)\n";
			}
			elsif ($of_peers{$before})
			{
				print "(values of peers)\n";
			}
			else
			{
				my $number = pop @table;
				print $line, $rule, sort(@table), $number;
			}
			next;
		}
	}
	$before = $line;
	if ($line =~ /^(psql:\S+ )?(NOTICE|INFO|DEBUG\d?):  /)
	{
		shift @lines while @lines && $lines[0] =~ /^(DETAIL|HINT|CONTEXT):  /;
		next;
	}
	$line =~ s/ operator \K\d+/OID/ if $line =~ /^ERROR:  /;
	print $line;
}
