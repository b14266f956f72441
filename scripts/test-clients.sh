#!/usr/bin/env bash
# Lets programs that are not Sinew's own read what it writes: the Khronos validator, three.js and
# Blender must agree with Sinew's point caches on every sample character and clip, on characters
# posed by mixed elements, one of each with its skin weights taken away, and on curves of rig-space
# physics played beside the clip that they belong to. Ends with a line
# "N passed, N failed"; exit code 0 where nothing failed.
#
#   scripts/test-clients.sh                 all clips of samples/*.glb, animated by build/release/bin/sinew
#   scripts/test-clients.sh LIST            what LIST names, a line each, fields separated by tabs:
#                                           INPUT OUTPUT.glb CACHE.pc2 REPORT.json   (made beforehand)
#
# Installs the Debian packages and npm packages that are missing. SINEW names another program.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

sinew=${SINEW:-build/release/bin/sinew}
export SINEW_THREADS=${SINEW_THREADS:-1}  # tasks run side by side
work=build/clients

# check NAME COMMAND...: says whether the command succeeds, and what it says.
check() {
  local name=$1 log="$work/log.$BASHPID"
  shift
  if "$@" >"$log" 2>&1; then echo "ok    $name"; else echo "FAIL  $name"; fi
  grep '^  ' "$log" || true
  rm -f "$log"
}

check_with_clients() {
  local name=$1 input=$2 output=$3 cache=$4 report=$5
  check "$name: Khronos validator" node "$work/node/validate.mjs" "$input" "$output"
  check "$name: three.js" node "$work/node/three.mjs" "$output" "$cache" "$report"
  check "$name: Blender" blender -b --factory-startup --python tests/clients/blender.py -- "$output" "$cache" "$report"
}

clip_names() {
  node --input-type=module -e '
    import { glbJson } from "./'"$work"'/node/glb.mjs";
    for (const animation of glbJson(process.argv[1]).animations ?? []) console.log(animation.name);' "$1"
}

# check_animated NAME BASE INPUT OPTIONS...: animates as a glb and as a point cache, and lets the clients compare them.
check_animated() {
  local name=$1 base=$2 input=$3
  shift 3
  if "$sinew" animate "$input" -o "$base.glb" --report "$base.json" --quiet "$@" &&
    "$sinew" animate "$input" -o "$base.pc2" --quiet "$@"; then
    check_with_clients "$name" "$input" "$base.glb" "$base.pc2" "$base.json"
  else
    echo "FAIL  $name: sinew animate"
  fi
}

# Each of these is a task by itself; they run side by side.
tasks=()
task() {
  tasks+=("$work/task-${#tasks[@]}.txt")
  printf '%q ' "$@" >"${tasks[-1]%.txt}.sh"
}

# Every clip with flesh, in few tetrahedra: what is compared are files. The first by mixed elements, with the file's skin
# weights and without any.
tasks_of_sample() {
  local input=$1 character clip
  character=$(basename "$input" .glb)
  while IFS= read -r clip; do
    task check_animated "$character $clip" "$work/$character-$clip" "$input" --clip "$clip" --tetrahedra 2000
  done < <(clip_names "$input")
  task check_animated "$character mixed" "$work/$character-mixed" "$input" --method mixed
  node "$work/node/strip_weights.mjs" "$input" "$work/$character-bare.glb"
  task check_animated "$character mixed, without weights" "$work/$character-bare-mixed" "$work/$character-bare.glb" \
    --method mixed --material corotated
}

# Curves on joints alone, the clip whole for players of one clip at a time, and curves of wires with morph targets beside them.
tasks_of_curves() {
  task check_animated "sumo curves" "$work/sumo-curves" samples/sumo.glb --method rigspace --free 'belly,breast*' --clip stomp
  task check_animated "elephant curves, whole clip" "$work/elephant-curves" samples/elephant.glb --method rigspace --free belly \
    --clip walk --whole-clip
  task check_animated "elephant wires" "$work/elephant-wires" samples/rigs/elephant.glb --method rigspace \
    --rig samples/rigs/elephant.rig.json --free 'trunk_wire*' --clip trunk_swing
}

# Force rigs as morph targets with normals.
check_correctives() {
  local base=$work/sumo-correctives
  rm -f "$base.json"
  if "$sinew" shape add samples/sumo.glb --rig "$base.json" --preset biceps --control forearm_l --quiet &&
    "$sinew" shape export samples/sumo.glb --rig "$base.json" -o "$base.glb" --quiet; then
    check "sumo correctives: Khronos validator" node "$work/node/validate.mjs" samples/sumo.glb "$base.glb"
  else
    echo "FAIL  sumo correctives: sinew shape export"
  fi
}

# The test that scripts/test.sh skips where there is no Blender yet; here there is.
task_of_rig_in_blender() {
  local tests=build/release/tests/test_rig
  [ -x "$tests" ] || return 0
  task check "Blender as a rig over a pipe" "$tests" --gtest_filter=PipeRig.BlenderIsARig --gtest_brief=1
}

# As many tasks at a time as there are processors, each into a file of its own.
run_tasks() {
  local each
  for each in "${tasks[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
    (eval "$(cat "${each%.txt}.sh")") >"$each" 2>&1 || echo "FAIL  $(cat "${each%.txt}.sh")" >>"$each" &
  done
  wait
}

mkdir -p "$work/node"
cp tests/clients/package.json tests/clients/package-lock.json tests/clients/*.mjs "$work/node/"
install_clients
npm_packages "$work/node"
rm -f "$work"/task-*

if [ $# -gt 0 ]; then
  while IFS=$'\t' read -r input output cache report; do
    task check_with_clients "$(basename "$output")" "$input" "$output" "$cache" "$report"
  done <"$1"
else
  if [ ! -x "$sinew" ]; then
    scripts/setup.sh
    cmake --preset release >/dev/null
    cmake --build --preset release --target sinew_cli
  fi
  shopt -s nullglob
  for input in samples/*.glb; do tasks_of_sample "$input"; done
  tasks_of_curves
  task check_correctives
  task_of_rig_in_blender
fi

run_tasks
outcome=$(cat "${tasks[@]}" </dev/null)
echo "$outcome"
passed=$(grep -c '^ok ' <<<"$outcome" || true)
failed=$(grep -c '^FAIL ' <<<"$outcome" || true)
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
