#!/usr/bin/env bash
# Everything that can be checked without other programs than the packages of scripts/setup.sh:
#   1. release build (g++) and all tests;
#   2. build with clang, AddressSanitizer and UndefinedBehaviorSanitizer, warnings as errors; all tests
#      but the few that take long, and the fuzz targets for a while;
#   3. build with clang and ThreadSanitizer; the tests of base, and of the other modules those of threads.
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

# Left out are the tests that tests/CMakeLists.txt calls long, with what they take.
step "asan: configure" configure asan -D SINEW_FUZZ_SECONDS="${SINEW_FUZZ_SECONDS:-30}"
step "asan: build" build asan --target tests fuzzers
step "asan: tests" run_tests asan --label-exclude '^fuzz$|\.long$'
step "asan: fuzz" run_tests asan --label-regex '^fuzz$'

# Of the modules with loops of their own io is left out: it draws rows of pictures side by side, through Embree, which
# is not compiled with the sanitizer.
step "tsan: configure" configure tsan
step "tsan: build" build tsan --target test_base test_linalg test_mesh test_character test_skinning test_deform test_bake
step "tsan: tests" run_tests tsan --label-regex '^base$|\.threads$'

echo
echo "All passed. Time by part:"
printf '%s\n' "${timings[@]}"
