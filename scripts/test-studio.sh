#!/usr/bin/env bash
# Drives the studio in a real browser: the page's own tests, then a user's way through the program with Debian's Chromium.
# Ends with a line "N passed, N failed"; exit code 0 where nothing failed.
#
# Installs the Debian packages and npm packages that are missing. SINEW names another program than build/release/bin/sinew,
# SINEW_STUDIO_PAGE another page than the program's own, SINEW_PICTURES a folder for screenshots. SINEW_GESTURE_MINUTES, where
# it is set, adds so many minutes of gestures by chance on each of three characters.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

install_browser
npm_packages studio/page

passed=0
failed=0
# counted LOG COMMAND...: shows what failed, and adds up what node's test runner counted.
counted() {
  local log=$1
  shift
  if "$@" >"$log" 2>&1; then echo "ok    $*"; else
    echo "FAIL  $*"
    grep -E -A 12 '^not ok|error TS|Error:' "$log" || tail -n 20 "$log"
    grep -q '^# fail' "$log" || failed=$((failed + 1))
  fi
  passed=$((passed + $(sed -n 's/^# pass //p' "$log" | tail -1 | grep . || echo 0)))
  failed=$((failed + $(sed -n 's/^# \(fail\|cancelled\) //p' "$log" | paste -sd+ | grep . || echo 0)))
}

mkdir -p build/studio
counted build/studio/page.log npm test --silent --prefix studio/page
counted build/studio/browser.log node --test --test-reporter=tap tests/browser/studio.test.mjs
counted build/studio/animator.log node --test --test-reporter=tap tests/browser/animator.test.mjs
counted build/studio/rigging.log node --test --test-reporter=tap tests/browser/rigging.test.mjs
counted build/studio/jobs.log node --test --test-reporter=tap tests/browser/jobs.test.mjs
counted build/studio/curves.log node --test --test-reporter=tap tests/browser/curves.test.mjs
counted build/studio/limbs.log node --test --test-reporter=tap tests/browser/limbs.test.mjs
counted build/studio/lattice.log node --test --test-reporter=tap tests/browser/lattice.test.mjs
counted build/studio/instruments.log node --test --test-reporter=tap tests/browser/instruments.test.mjs

if [ -n "${SINEW_GESTURE_MINUTES:-}" ]; then
  node tests/browser/gestures.mjs --minutes "$SINEW_GESTURE_MINUTES" || failed=$((failed + 1))
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
