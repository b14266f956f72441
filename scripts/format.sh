#!/usr/bin/env bash
# Formats all C and C++ of the project as .clang-format says.
#
#   scripts/format.sh            changes the files
#   scripts/format.sh --check    changes none, and names those that it would: exit code 1
#
# CLANG_FORMAT names another program than clang-format, whose version 14 (Debian 12) decides.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${CLANG_FORMAT:-clang-format}
mode=(-i)
[ "${1:-}" = --check ] && mode=(--dry-run -Werror)
# What scripts make of others is left as it is.
git ls-files '*.h' '*.hpp' '*.c' '*.cpp' | grep -v '^runtime/sinew_runtime\.c$' |
  xargs -P "$(nproc)" -n 40 "$program" --style=file "${mode[@]}"
