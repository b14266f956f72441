#!/usr/bin/env bash
# Draws the animation at the top of README.md anew, from the sample that is in the repository.
set -euo pipefail
cd "$(dirname "$0")/.."

sinew=${SINEW:-build/release/bin/sinew}
[ -x "$sinew" ] || { echo "readme-animation: $sinew is not there; build it with scripts/demo.sh." >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$sinew" animate samples/sumo.glb --clip run_jump --look lively --range 0.7 2.5 --fps 24 -o "$work/sumo.glb" \
  --preview docs/images/flesh.webp --quiet
ls -l docs/images/flesh.webp
