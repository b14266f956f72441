#!/usr/bin/env bash
# Writes what the docs say about settings anew from the program's tables: the schemas, and the tables of docs/settings.md.
# A test fails until this has been run: scripts/settings-docs.sh [PROGRAM].
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/release/bin/sinew}

"$program" settings docs/flesh_settings.schema.json --as schema
"$program" settings docs/mixed_settings.schema.json --method mixed --as schema
"$program" settings docs/rig_space_settings.schema.json --method rigspace --as schema

page=$(mktemp)
trap 'rm -f "$page"' EXIT
while IFS= read -r line; do
  if [[ $line == "<!-- end -->" ]]; then inside=; fi
  if [[ -z ${inside:-} ]]; then printf '%s\n' "$line"; fi
  if [[ $line =~ ^"<!-- settings of "([a-z]+)" -->"$ ]]; then
    inside=yes
    "$program" settings - --method "${BASH_REMATCH[1]}" --as table </dev/null
  fi
done <docs/settings.md >"$page"
cat "$page" >docs/settings.md
