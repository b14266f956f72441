#!/usr/bin/env bash
# Runs benchmarks: scripts/bench.sh [NAME...], all by default. Each writes build/bench/NAME.json: the
# machine, compiler and commit, and per benchmark the smallest and median time and the spread.
# SINEW_BENCH_REPETITIONS (default 5) sets how often each is repeated. After a run of all,
# scripts/plot_benchmarks.py draws the plots and writes the tables of docs/benchmarks.md.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh deep
mkdir -p build/bench
cmake --preset release >build/bench/configure.log 2>&1 || { cat build/bench/configure.log >&2; exit 1; }
cmake --build --preset release --target benchmarks

names=("$@")
all=$([ $# = 0 ] && echo yes || echo no)
if [ ${#names[@]} = 0 ]; then
  for source in bench/*_bench.cpp; do names+=("$(basename "$source" _bench.cpp)"); done
fi

commit=$(git rev-parse --short=12 HEAD)
[ -z "$(git status --porcelain --untracked-files=no)" ] || commit="$commit+changes"
compiler=$(c++ --version | head -n 1)
cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)

for name in "${names[@]}"; do
  program="build/release/bench/bench_$name"
  if [ ! -x "$program" ]; then
    echo "bench: there is no benchmark $name in bench/" >&2
    exit 2
  fi
  "$program" --benchmark_repetitions="${SINEW_BENCH_REPETITIONS:-5}" \
    --benchmark_out="build/bench/$name.json.part" \
    --benchmark_context=commit="$commit" --benchmark_context=date="$(date -u +%F)" \
    --benchmark_context=compiler="$compiler" --benchmark_context=cpu="$cpu"
  mv "build/bench/$name.json.part" "build/bench/$name.json"
  echo "bench: wrote build/bench/$name.json"
done

if [ "$all" = yes ]; then
  plot() { "$(command -v /usr/bin/python3 || command -v python3)" scripts/plot_benchmarks.py "$@"; }
  plot --write
  plot || echo "bench: no plots; install python3-matplotlib and run scripts/plot_benchmarks.py" >&2
fi
