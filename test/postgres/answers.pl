# Prints what must be the same in two outputs of a regression test, whatever the
# plans are: rows in one order, no plans, no notices, which functions send when
# and as often as a plan calls them, no OIDs in errors.
use strict;
use warnings;

my @lines = <>;
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
			else
			{
				my $number = pop @table;
				print $line, $rule, sort(@table), $number;
			}
			next;
		}
	}
	if ($line =~ /^(psql:\S+ )?(NOTICE|INFO|DEBUG\d?):  /)
	{
		shift @lines while @lines && $lines[0] =~ /^(DETAIL|HINT|CONTEXT):  /;
		next;
	}
	$line =~ s/ operator \K\d+/OID/ if $line =~ /^ERROR:  /;
	print $line;
}
