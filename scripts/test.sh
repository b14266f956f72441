#!/usr/bin/env bash
# What has to pass before a change lands: a release build (g++), its tests but the long ones, and every command of the
# README. scripts/test-deep.sh has the rest. With CI set, warnings are errors.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/testing.sh

step "packages" scripts/setup.sh tests
step "configure" configure release ${CI:+-D SINEW_WARNINGS_AS_ERRORS=ON}
step "build the product" build release --target product
step "build the tests" build release --target tests
step "tests" run_tests release --label-exclude '\.long$'
step "commands of the README" scripts/test-readme.sh
print_timings
