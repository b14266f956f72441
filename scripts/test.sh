#!/usr/bin/env bash
# What has to pass before a change lands: a release build (g++), its tests but the long ones, and every command of the
# README. scripts/test-deep.sh has the rest. With CI set, warnings are errors.
#
#   scripts/test.sh                 all of it
#   scripts/test.sh first | rest    the builds and most tests; what needs these builds
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/testing.sh

# The tests of kernels and solvers once more with each vector instruction set that the processor has beside its widest: sums
# round differently, and every processor's users get one of these. Tests of seconds have parts that the others run.
run_on_other_vector_targets() {
  local target
  for target in $(SINEW_VECTOR_TARGET='?' build/release/tests/test_linalg | tail -n +2); do
    echo "-- $target"
    SINEW_VECTOR_TARGET=$target run_tests release --label-regex '^(linalg|rig|elastic|contact|deform)$'
  done
}

# Other versions of clang-format have other opinions.
check_format() {
  if clang-format --version | grep -q 'version 14\.'; then scripts/format.sh --check; else
    echo "Not checked: $(clang-format --version); version 14 decides."
  fi
}

first() {
  step "packages" scripts/setup.sh tests
  step "format" check_format
  step "configure" configure release ${CI:+-D SINEW_WARNINGS_AS_ERRORS=ON -D SINEW_ROOMY_COMPILER=ON}
  step "build" build release --target product tests
  # Tests side by side keep the cores busy by themselves: threads that wait for each other would take a fifth of the time.
  # Tests of threads set their own number.
  SINEW_THREADS=1 step "tests" run_tests release --label-exclude '\.long$'
}

rest() {
  SINEW_THREADS=1 step "kernels with narrower vectors" run_on_other_vector_targets
  SINEW_THREADS=1 step "commands of the README" scripts/test-readme.sh
}

case "${1:-all}" in
  all) first; rest ;;
  first | rest) "$1" ;;
  *) echo "There is no part '$1'; use first or rest." >&2; exit 2 ;;
esac
print_timings
