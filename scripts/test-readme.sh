#!/usr/bin/env bash
# Runs what the README shows: its indented lines and rows that begin with `sinew`, as they stand and in their order, on the
# sample that it names, in a folder of their own. Needs the program: scripts/demo.sh builds it. Well under a minute.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
program=${1:-$root/build/release/bin/sinew}

if [ ! -x "$program" ]; then
  echo "test-readme.sh: $program is not there; build it first, or name it: scripts/test-readme.sh PROGRAM" >&2
  exit 2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
ln -s "$(realpath "$program")" "$folder/bin/sinew"
ln -s "$root/samples" "$folder/samples"
export PATH="$folder/bin:$PATH"

# Indented code that copies the sample or runs the program, and the first cell of each row.
commands=$(sed -nE -e 's/^    ((cp|sinew) .*)$/\1/p' -e 's/^\| `(sinew [^`]*)` \|.*$/\1/p' README.md)
count=$(grep -c . <<<"$commands")
if [ "$count" -lt 12 ]; then
  echo "test-readme.sh: found $count commands in README.md, which has more; has its form changed?" >&2
  exit 1
fi

cd "$folder"
while IFS= read -r command; do
  start=$SECONDS
  if ! bash -c "$command" </dev/null >log.txt 2>&1; then
    cat log.txt >&2
    echo "test-readme.sh: the README's command failed: $command" >&2
    exit 1
  fi
  printf '%4d s  %s\n' $((SECONDS - start)) "$command"
done <<<"$commands"
echo "$count commands of the README run."
