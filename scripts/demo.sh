#!/usr/bin/env bash
# From nothing to a character with flesh: installs what is missing, builds, and animates a sample.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
mkdir -p build/demo
cmake --preset release >build/configure-release.log 2>&1 || { cat build/configure-release.log >&2; exit 1; }
cmake --build --preset release --target product

build/release/bin/sinew animate samples/sumo.glb --clip stomp -o build/demo/sumo_flesh.glb \
  --preview build/demo/sumo_flesh.png --report build/demo/sumo_flesh.json </dev/null

echo
echo "The character with flesh:  $PWD/build/demo/sumo_flesh.glb  (any glTF viewer plays it)"
echo "The filmstrip of it:       $PWD/build/demo/sumo_flesh.png  (the rig above, the flesh below)"
echo "The report of the run:     $PWD/build/demo/sumo_flesh.json"
echo
echo "To play with it in a browser:  build/release/bin/sinew studio samples/sumo.glb"
