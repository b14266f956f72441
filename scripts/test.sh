#!/usr/bin/env bash
# Everything that can be checked without other programs than the packages of scripts/setup.sh:
#   1. release build (g++) and all tests;
#   2. build with clang, AddressSanitizer and UndefinedBehaviorSanitizer, warnings as errors; the
#      tests of the modules up to character and io, and the fuzz targets for a while;
#   3. build with clang and ThreadSanitizer; the threaded tests of the sparse solver.
# With CI set, warnings of g++ are errors too. SINEW_FUZZ_SECONDS (default 30) is per fuzz target.
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=$(nproc)
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

run_tests() { ctest --preset "$1" --parallel "$jobs" "${@:2}"; }

step "packages" scripts/setup.sh

step "release: configure" configure release ${CI:+-D SINEW_WARNINGS_AS_ERRORS=ON}
step "release: build" build release
step "release: tests" run_tests release

# The sanitized builds cover the modules that read files and handle raw memory; the heavier modules
# above them run their tests in release only until their tests are short enough for a tenfold slowdown.
step "asan: configure" configure asan -D SINEW_FUZZ_SECONDS="${SINEW_FUZZ_SECONDS:-30}"
step "asan: build" build asan --target test_linalg test_mesh test_skinning test_character test_io fuzzers
step "asan: tests" run_tests asan --label-regex '^(linalg|mesh|skinning|character|io)(\.threads)?$'
step "asan: fuzz" run_tests asan --label-regex '^fuzz$'

# Of the tests of threads, the sparse solver's: its subtrees are the one place where tasks share memory
# in another way than by the rows of a parallel loop.
step "tsan: configure" configure tsan
step "tsan: build" build tsan --target test_linalg
step "tsan: tests" run_tests tsan --tests-regex '^BlockCholesky\..*Threads'

echo
echo "All passed. Time by part:"
printf '%s\n' "${timings[@]}"
