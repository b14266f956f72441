#!/usr/bin/env bash
# What takes longer than a change should wait for, in parts of at most a quarter of an hour on two cores.
#
#   scripts/test-deep.sh --list     the parts, what each runs, which folders it concerns, about how long it takes
#   scripts/test-deep.sh NAME...    runs these parts, in this order
#
# Each part builds only what it needs, goes on in a build tree that is there in part, prints its time, and ends with the
# line "NAME: N passed, M failed". Where building alone would leave too little of the quarter of an hour for the tests, the
# part stops and says so (exit code 75): started again, it goes on where it stopped. Of the sanitized builds, asan-build-1 to
# asan-build-4 and tsan-build fill the tree with what the other parts share.
#
# SINEW_PART_MINUTES (15) bounds a part, SINEW_FUZZ_SECONDS (120) a fuzz target; SINEW_GESTURE_MINUTES (4) is how long the
# hands play, SINEW_GESTURE_SEED (1) what they draw from. SINEW_CHARACTERS names a folder of real characters.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/testing.sh
. scripts/packages.sh

# name | what runs it, below | minutes with nothing built, on two cores | of them the tests | folders that it concerns
# A test holds that every module has its part.
parts='
headers          | headers                                                | 4  | 4  | sinew, studies: headers
benchmarks       | benchmarks                                             | 9  | 1  | bench
manual           | manual                                                 | 12 | 6  | docs/manual cli jobs
long-elastic     | long elastic                                           | 4  | 2  | base linalg mesh elastic
long-deform      | long deform                                            | 10 | 5  | rig contact deform elastic
long-motion      | long dynamics gltf rig shape                            | 9  | 1  | dynamics kinematics gltf rig shape
long-contract    | long contract bake                                      | 12 | 4  | anatomy character cook bake gltf jobs
long-lattices    | long cook jobs                                         | 12 | 4  | mesh/lattice cook jobs
long-holds-sumo    | long --tests sumo holds                             | 11 | 5  | session contact deform cook
long-holds-elephant| long --tests elephant holds                         | 11 | 5  | session contact deform cook
long-holds-tube    | long --tests tube holds                             | 11 | 5  | session contact deform cook
long-holds-mage    | long --tests mage holds                             | 11 | 5  | session contact deform cook
long-holds-wolf    | long --tests wolf holds                             | 11 | 5  | session contact deform cook
long-holds-trex    | long --tests trex holds                             | 11 | 5  | session contact deform cook
long-holds-chance  | long --tests HandsByChance holds                    | 7  | 1  | session contact deform cook
long-program     | long cli studio                                        | 13 | 6  | bake cli jobs studio
long-studies     | long studies                                           | 10 | 3  | studies
gestures-sumo    | gestures sumo.glb                                      | 12 | 5  | studio session
gestures-elephant | gestures elephant.glb                                 | 12 | 5  | studio session
gestures-tube    | gestures tube.glb                                      | 12 | 5  | studio session
gestures-duck    | gestures duck.obj                                      | 12 | 5  | studio session rigging
asan-build-1     | libraries asan base linalg mesh character elastic rig anatomy contact kinematics dynamics | 12 | 0 | sinew: those modules
asan-build-2     | libraries asan deform geometric springs flesh tetrahedra lattice mixed | 12 | 0 | sinew/deform
asan-build-3     | libraries asan rig_space surface session shape cook rigging bake | 12 | 0 | sinew: those modules
asan-build-4     | libraries asan files gltf picture jobs gpu cli studies studio | 14 | 0 | sinew: those modules, studies, studio
asan-base        | asan base linalg                                       | 8  | 4  | base linalg
asan-mesh        | asan mesh                                              | 8  | 4  | mesh
asan-character   | asan character rig anatomy contact runtime             | 9  | 4  | character rig anatomy contact runtime
asan-elastic     | asan elastic                                           | 8  | 5  | elastic
asan-lattice     | asan --suites lattice deform                           | 14 | 6  | deform/lattice deform/mixed
asan-surface     | asan --suites surface deform                           | 14 | 6  | deform/surface deform/rig_space
asan-flesh       | asan --suites others deform                            | 14 | 6  | deform contact elastic
asan-cook        | asan shape cook rigging session                     | 11 | 7  | anatomy shape cook rigging session
asan-bake        | asan bake                                              | 10 | 6  | bake session
asan-files       | asan files gltf picture                                | 10 | 5  | files gltf picture
asan-jobs        | asan jobs samples holds kinematics dynamics            | 14 | 7  | jobs samples kinematics dynamics
asan-contract    | asan contract                                          | 12 | 8  | anatomy character cook bake gltf jobs
asan-program     | asan cli another_method                                | 12 | 8  | cli
asan-studies     | asan studies                                           | 12 | 7  | studies
asan-studio      | asan studio gpu                                        | 12 | 6  | studio gpu
fuzz             | fuzz                                                   | 14 | 11 | fuzz gltf files surface studio
tsan-build       | libraries tsan base linalg mesh character elastic rig anatomy contact deform geometric springs flesh tetrahedra lattice mixed rig_space surface session cook bake | 15 | 0 | sinew: those modules
tsan-base        | tsan base linalg mesh character rig                    | 6  | 3  | base linalg mesh character rig
tsan-deform      | tsan deform bake                                       | 8  | 5  | deform bake
'

# The tests of deform, by how their suites begin; "others" is what begins otherwise.
declare -A suites=(
  [lattice]='Lattice|HandsAndObstacles|Mixed|VolumeRows|Rotation'
  [surface]='Surface|FitSurface|Recovery|CrossValidation|HeldOut|Settling|Spread|StepConversion|WeakDirections|Rig|Static|Reduced|Adaptive'
)

trimmed() { sed -E 's/^ +//; s/ +$//'; }
# field NAME NUMBER: of a part; nothing where there is none of this name.
field() {
  awk -F'|' -v name="$1" -v number="$2" '{ gsub(/ +$/, "", $1) } $1 == name { print $number }' <<<"$parts" | trimmed
}

list_parts() {
  printf '%-18s %8s  %s\n' part minutes concerns
  awk -F'|' 'NF == 5 { for (k = 1; k <= NF; ++k) gsub(/^ +| +$/, "", $k); printf "%-18s %8d  %s\n", $1, $3, $5 }' <<<"$parts"
}

limit=$((${SINEW_PART_MINUTES:-15} * 60))
part= began=0 passed=0 failed=0

# The end of a part that cannot go on now, and can later.
stop_for_now() {
  echo "$part: $((SECONDS - began)) s"
  echo "$part: $passed passed, $failed failed; $1"
  exit 75
}

# built PRESET TARGET...: until the part's time is up. False where a source does not compile.
built() {
  local preset=$1 status=0 left=$((limit - (SECONDS - began)))
  shift
  [ $# -gt 0 ] || return 1  # without a name all would be built
  timeout --kill-after=30 "$left" cmake --build --preset "$preset" --parallel "$jobs" --target "$@" || status=$?
  [ "$status" = 124 ] && stop_for_now "building took all of its time; started again, it goes on"
  [ "$status" -lt 128 ] || stop_for_now "building was interrupted; started again, it goes on"
  [ "$status" = 0 ] || failed=$((failed + 1))
  return "$status"
}

# Whether the tests still fit in.
check_time_for_tests() {
  local tests=$(($(field "$part" 4) * 60)) gone=$((SECONDS - began))
  echo "built in $gone s"
  [ "$gone" -gt 60 ] && [ $((gone + tests)) -gt "$limit" ] && stop_for_now "all is built; started again, it runs the tests"
  return 0
}

# tested PRESET OPTIONS...: runs tests and adds up what ctest counted.
tested() {
  local results="build/$1/test-results.xml" status=0
  rm -f "$results"
  run_tests "$@" || status=$?
  local counts all bad not_run
  counts=$(tr '\n\t' '  ' <"$results" 2>/dev/null | grep -o '<testsuite [^>]*>' || true)
  all=$(sed -nE 's/.* tests="([0-9]+)".*/\1/p' <<<"$counts")
  bad=$(sed -nE 's/.* failures="([0-9]+)".*/\1/p' <<<"$counts")
  not_run=$(sed -nE 's/.* skipped="([0-9]+)".*/\1/p' <<<"$counts")
  passed=$((passed + ${all:-0} - ${bad:-0} - ${not_run:-0}))
  failed=$((failed + ${bad:-0}))
  [ "${not_run:-0}" = 0 ] || echo "$not_run skipped"
  [ "$status" = 0 ] || [ "${bad:-0}" -gt 0 ] || failed=$((failed + 1))
}

# targets PRESET NAME...: those that this machine builds; what Vulkan or Boost.Beast is missing for is left out, and named.
targets() {
  local preset=$1 known name
  shift
  known=$(cmake --build --preset "$preset" --target help)
  for name in "$@"; do
    if grep -q "^$name: " <<<"$known"; then echo "$name"; else echo "$name is left out: this machine lacks what it needs" >&2; fi
  done
}
# labels SUFFIX MODULE...: the regular expression of these modules' labels.
labels() {
  local suffix=$1
  shift
  echo "^($(IFS='|'; echo "$*"))$suffix\$"
}
configured() {
  configure "$@" && return 0
  failed=$((failed + 1))
  return 1
}

headers() {
  configured release || return 0
  check_time_for_tests
  tested release --label-regex '^sources\.long$'
}

# Benchmarks are programs that still build and begin.
benchmarks() {
  configured release || return 0
  built release benchmarks || return 0
  check_time_for_tests
  local program
  for program in build/release/bench/bench_*; do
    [ -x "$program" ] && [ -f "$program" ] || continue
    if "$program" --benchmark_list_tests >/dev/null; then passed=$((passed + 1)); else
      echo "FAIL  $program"
      failed=$((failed + 1))
    fi
  done
}

# The commands of docs/manual run as they stand.
manual() {
  configured release || return 0
  built release sinew_cli || return 0
  check_time_for_tests
  if scripts/test-manual.py; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

long() {
  local some=()
  if [ "$1" = --tests ]; then
    some=(--tests-regex "$2")
    shift 2
  fi
  configured release || return 0
  built release $(targets release "${@/#/test_}") || return 0
  check_time_for_tests
  tested release --label-regex "$(labels '\.long' "$@")" "${some[@]}"
}

# A character's afternoon in the studio. What was done is kept, to be replayed: tests/browser/gestures.mjs --replay FILE.
gestures() {
  local record="build/deep/gestures-${1%.*}.jsonl"
  configured release || return 0
  built release sinew_cli || return 0
  install_browser
  check_time_for_tests
  if node tests/browser/gestures.mjs --minutes "${SINEW_GESTURE_MINUTES:-4}" --seed "${SINEW_GESTURE_SEED:-1}" \
    --record "$record" "samples/$1"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

libraries() {
  local preset=$1 found
  shift
  configured "$preset" || return 0
  mapfile -t found < <(targets "$preset" "${@/#/sinew_}")
  built "$preset" "${found[@]}" || return 0
  passed=$((passed + ${#found[@]}))
}

# asan [--suites NAME] MODULE...: tests under the address and undefined-behaviour sanitizers; those that
# tests/CMakeLists.txt calls long are left out.
asan() {
  local some=()
  if [ "$1" = --suites ]; then
    some=(--tests-regex "^(${suites[$2]:-})")
    [ "$2" != others ] || some=(--exclude-regex "^($(IFS='|'; echo "${suites[*]}"))")
    shift 2
  fi
  configured asan || return 0
  built asan $(targets asan "${@/#/test_}") || return 0
  check_time_for_tests
  tested asan --label-regex "$(labels '(\.(threads|seconds))?' "$@")" "${some[@]}"
}

fuzz() {
  configured asan -D SINEW_FUZZ_SECONDS="${SINEW_FUZZ_SECONDS:-120}" || return 0
  built asan fuzzers || return 0
  check_time_for_tests
  tested asan --label-regex '^fuzz$'
}

# Of base all tests, of other modules those of threads. Modules that draw pictures are left out: Embree is not compiled with
# the sanitizer.
tsan() {
  configured tsan || return 0
  built tsan $(targets tsan "${@/#/test_}") || return 0
  check_time_for_tests
  tested tsan --label-regex "^base\$|$(labels '\.threads' "$@")"
}

run_part() {
  part=$1 began=$SECONDS passed=0 failed=0
  echo "== $part"
  $(field "$part" 2)
  echo "$part: $((SECONDS - began)) s"
  echo "$part: $passed passed, $failed failed"
  [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

# In one piece, read before anything is run: parts take long, and this file may be edited meanwhile.
main() {
  if [ $# = 0 ] || [ "$1" = --list ]; then
    [ $# -gt 0 ] || echo "Name the parts to run, one to three that concern what was changed:"
    list_parts
    exit 0
  fi
  for name in "$@"; do
    if [ -z "$(field "$name" 2)" ]; then
      echo "test-deep: there is no part '$name'; scripts/test-deep.sh --list names them." >&2
      exit 2
    fi
  done

  mkdir -p build/deep
  scripts/setup.sh deep
  local bad=0 summary=() name
  for name in "$@"; do
    run_part "$name" || bad=$((bad + 1))
    summary+=("$name: $passed passed, $failed failed")
  done
  if [ $# -gt 1 ]; then
    echo
    printf '%s\n' "${summary[@]}"
  fi
  [ "$bad" = 0 ]
}
main "$@"; exit
