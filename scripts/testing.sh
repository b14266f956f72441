# Sourced by the scripts that build and test.

jobs=$(nproc)
# Tests of the studio and the program wait for half of their time: three tests for two cores.
tests_at_once=$((jobs + (jobs + 1) / 2))
timings=()

# step NAME COMMAND...: runs it and remembers how long it took.
step() {
  local name=$1 start=$SECONDS
  shift
  echo "== $name"
  "$@"
  timings+=("$(printf '%5d s  %s' $((SECONDS - start)) "$name")")
}

# Configuring is chatty; its output matters only when it fails.
configure() {
  local preset=$1 log="build/configure-$1.log"
  shift
  mkdir -p build
  cmake --preset "$preset" "$@" >"$log" 2>&1 || { cat "$log" >&2; return 1; }
}

build() { cmake --build --preset "$1" --parallel "$jobs" "${@:2}"; }

# run_tests PRESET OPTIONS...: and shows which took longest.
run_tests() {
  local preset=$1 results="$PWD/build/$1/test-results.xml"
  shift
  local failed=0
  ctest --preset "$preset" --parallel "$tests_at_once" --output-junit "$results" "$@" || failed=$?
  echo
  echo "The ten slowest, in seconds beside each other:"
  # Not `head`: it would close the pipe on sort, which pipefail takes for a failure.
  sed -nE 's/.*<testcase name="([^"]*)".* time="([0-9.]+)".*/\2 \1/p' "$results" | sort -rn | sed -n 1,10p |
    while read -r seconds name; do printf '%8.1f  %s\n' "$seconds" "$name"; done
  return "$failed"
}

# at_idle COMMAND...: runs it on what other processes leave of the processor. Where the system shares its processor out by
# sessions, the command needs one of its own to be the last of all.
at_idle() {
  setsid --wait bash -c '{ echo 19 >/proc/self/autogroup; } 2>/dev/null || true; exec nice -n 19 "$@"' at_idle "$@"
}

print_timings() {
  echo
  echo "All passed. Time by part:"
  printf '%s\n' "${timings[@]}"
}
