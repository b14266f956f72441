#!/usr/bin/env bash
# What takes longer than a change should wait for (some three hours on two cores):
#   1. the long tests of the release build, benchmarks as programs that still build, an hour of gestures in the studio;
#   2. clang with AddressSanitizer and UndefinedBehaviorSanitizer, every source by itself, warnings as errors: all tests
#      but the few that take long, and the fuzz targets for a while;
#   3. clang with ThreadSanitizer: the tests of base, and of the other modules those of threads.
# SINEW_FUZZ_SECONDS (default 120) is per fuzz target, SINEW_GESTURE_MINUTES (default 20) per character; SINEW_CHARACTERS
# names a folder of real characters.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/testing.sh

step "packages" scripts/setup.sh deep

step "release: configure" configure release ${CI:+-D SINEW_WARNINGS_AS_ERRORS=ON}
step "release: build" build release
step "release: long tests" run_tests release --label-regex '\.long$'

step "release: gestures" env SINEW_GESTURE_MINUTES="${SINEW_GESTURE_MINUTES:-20}" scripts/test-studio.sh

# Left out are the tests that tests/CMakeLists.txt calls long, with what they take.
step "asan: configure" configure asan -D SINEW_FUZZ_SECONDS="${SINEW_FUZZ_SECONDS:-120}"
step "asan: build" build asan --target tests fuzzers
step "asan: tests" run_tests asan --label-exclude '^fuzz$|\.long$'
step "asan: fuzz" run_tests asan --label-regex '^fuzz$'

# Of the modules with loops of their own io is left out: it draws rows of pictures side by side, through Embree, which
# is not compiled with the sanitizer.
step "tsan: configure" configure tsan
step "tsan: build" build tsan --target test_base test_linalg test_mesh test_character test_rig test_deform test_bake
step "tsan: tests" run_tests tsan --label-regex '^base$|\.threads$'
print_timings
