#!/usr/bin/env bash
# Drives the studio in a real browser: the page's own tests, then a user's way through the program with Debian's Chromium.
# Ends with a line "N passed, N failed"; exit code 0 where nothing failed.
#
# Installs the Debian packages and npm packages that are missing. SINEW names another program than build/release/bin/sinew,
# SINEW_STUDIO_PAGE another page than the program's own, SINEW_PICTURES a folder for screenshots. SINEW_GESTURE_MINUTES, where
# it is set, adds so many minutes of gestures by chance on each of three characters and a mesh.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

install_browser
npm_packages studio/page

logs=build/studio
rm -rf "$logs"
mkdir -p "$logs"

# run NAME COMMAND...: shows what failed. The log stays, with the exit status beside it.
run() {
  local log="$logs/$1.log" status=0
  shift
  "$@" >"$log" 2>&1 || status=$?
  echo "$status" >"${log%.log}.status"
  if [ "$status" = 0 ]; then echo "ok    $*"; else
    echo "FAIL  $*"
    grep -E -A 12 '^not ok|error TS|Error:' "$log" || tail -n 20 "$log"
  fi
}
in_browser() {
  local name
  for name in "$@"; do run "$name" node --test --test-reporter=tap "tests/browser/$name.test.mjs"; done
}

# Programs side by side keep the cores busy with one thread each.
export SINEW_THREADS=${SINEW_THREADS:-1}

# Two at a time, since half of a test of the page is waiting: for pictures, for flesh that settles, for a second of a clip.
{ run page npm test --silent --prefix studio/page; in_browser studio jobs limbs; } &
in_browser animator instruments muscles lattice rigging curves motion paths
wait

# of COUNT LOG: what node's test runner counted; nothing where it did not come so far.
of() { sed -nE "s/^# ($1) //p" "$2" | paste -sd+ | grep . || echo 0; }
passed=0 failed=0
for log in "$logs"/*.log; do
  passed=$((passed + $(of pass "$log")))
  bad=$(($(of 'fail|cancelled' "$log")))
  [ "$bad" -gt 0 ] || bad=$(($(<"${log%.log}.status") != 0))
  failed=$((failed + bad))
done

if [ -n "${SINEW_GESTURE_MINUTES:-}" ]; then
  node tests/browser/gestures.mjs --minutes "$SINEW_GESTURE_MINUTES" || failed=$((failed + 1))
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
