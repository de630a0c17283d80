# Sourced after cluster.sh by scripts that are made of steps, some of which run at
# the same time:
#
#	step NAME command ...		begins one; what it says at last is "N passed, N failed"
#	end_steps					waits for all
#
# What passes or fails is a test: an SQL file, a function of the unit tests, a question
# that a script asks of the sources.  What a step compared for that, random values or
# names, it says in a line before, "N comparisons".
#
# A line a step says what passed and failed, and how long it took.  All that it said
# is in build/check/; the logs of those that failed are shown at the end.
#
# The last line is "N passed, N failed", after one with all comparisons; the exit status
# is 0 only if something passed and nothing failed.
# shellcheck shell=bash

passed=0
failed=0
comparisons=0
lanes=3				# steps that run at the same time: most wait now and then
logs=build/check
declare -A running=()	# by process id, the names of steps
declare -A began=()		# and when they did
broken=()				# the names of steps that failed
exec 4>&1

finish() {
	[[ ($? == 0 && $passed != 0) || $failed != 0 ]] || failed=1
	trap - EXIT
	stop_steps
	clean_up
	show_broken >&4
	((comparisons == 0)) || say "$comparisons comparisons in all" >&4
	echo "$passed passed, $failed failed" >&4	# whatever step was interrupted
	exit $((failed > 0))
}
trap finish EXIT
mkdir -p $logs
rm -f $logs/*.log

log_of() { tr -cs 'A-Za-z0-9\n' - <<<"$1" | sed "s|.*|$logs/&.log|"; }

# Takes "N passed, N failed" and "N comparisons" out of what a step said: its last
# such lines.  A step that says nothing of the first kind, or denies its exit status,
# or that nothing passed in, has failed.
add() {
	local name=$1 status=$2 seconds=$3 log p=0 f=0 c=0
	log=$(log_of "$name")
	if [[ $(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1) =~ ([0-9]+)\ passed,\ ([0-9]+) ]]; then
		p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]}
	fi
	if [[ $(grep -E '^[0-9]+ comparisons$' "$log" | tail -n 1) =~ ([0-9]+) ]]; then
		c=${BASH_REMATCH[1]}
	fi
	[[ $f != 0 || ($status == 0 && $p != 0) ]] || f=1
	passed=$((passed + p)) failed=$((failed + f)) comparisons=$((comparisons + c))
	[[ $f == 0 ]] || broken+=("$name")
	((c == 0)) && c= || c=", $c comparisons"
	say "$name: $p passed, $f failed$c, $seconds s"
}

# The logs of steps that failed, and after them once more which these are.
show_broken() {
	local name log
	for name in "${broken[@]}"; do
		log=$(log_of "$name")
		printf '\n'
		say "what $name said, in its last 500 lines ($log has all):"
		tail -n 500 "$log"
	done
	((${#broken[@]} == 0)) || printf '\n'
	for name in "${broken[@]}"; do
		say "FAILED: $name, see $(log_of "$name")"
	done
}

# Begins a step, as soon as there is a lane for it.  It is a process group, with
# files and a cluster of its own, that can be ended as a whole.
step() {
	local log
	((${#running[@]} < lanes)) || end_one_step
	log=$(log_of "$1")
	set -m
	(
		set +m
		scratch=$(mktemp -d)
		trap clean_up EXIT
		trap 'exit 143' TERM
		"${@:2}"
	) >"$log" 2>&1 </dev/null 4>&- &
	set +m
	running[$!]=$1
	began[$!]=$SECONDS
}

# Waits until a step ends, and counts.
end_one_step() {
	local pid name status=0
	while :; do
		for pid in "${!running[@]}"; do
			kill -0 "$pid" 2>/dev/null || break 2
		done
		sleep 0.1
	done
	name=${running[$pid]}
	unset "running[$pid]"
	wait "$pid" || status=$?
	add "$name" "$status" "$((SECONDS - began[$pid]))"
}

end_steps() {
	while ((${#running[@]} > 0)); do end_one_step; done
}

# Ends the steps that are under way: they have not passed.
stop_steps() {
	local pid
	for pid in "${!running[@]}"; do
		kill -TERM -- "-$pid" 2>/dev/null || true
		say "${running[$pid]}: interrupted after $((SECONDS - began[$pid])) s, see $(log_of "${running[$pid]}")" >&4
	done
	wait
}
