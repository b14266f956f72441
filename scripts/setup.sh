#!/usr/bin/env bash
# Installs what is missing on Debian 12, Ubuntu 24.04 or later, and does nothing where all is there. Needs root or sudo
# only to install.
#
#   scripts/setup.sh           what building the program and the library takes
#   scripts/setup.sh tests     and what scripts/test.sh takes
#   scripts/setup.sh clients   the first, and what scripts/test-clients.sh and scripts/test-studio.sh take: Blender, Chromium
#   scripts/setup.sh deep      and what scripts/test-deep.sh and scripts/bench.sh take
set -euo pipefail

build=(
  g++ cmake ninja-build mold
  # Libraries: cmake/SinewDependencies.cmake, docs/dependencies.md.
  libeigen3-dev libtbb-dev nlohmann-json3-dev libcli11-dev libmeshoptimizer-dev libdraco-dev
  libembree-dev libmetis-dev libhwy-dev liblbfgsb-dev libstb-dev libturbojpeg0-dev libwebp-dev libmujoco-dev
  libpagmo-dev
  # The studio's server: headers. Without them it is left out.
  libboost-dev
)
# The studio's page. Whoever has a Node.js from elsewhere has its npm too, and Debian's would be in its way.
command -v node >/dev/null || build+=(nodejs)
command -v npm >/dev/null || build+=(npm)
tests=(
  ccache clang-format libgtest-dev valgrind
  # Only run, as an independent check of the elasticity; never linked.
  calculix-ccx
  # The module gpu: Vulkan's headers and loader, the compiler of its shader; to run it, a driver that needs no GPU, and
  # the layer that judges calls.
  libvulkan-dev glslang-tools mesa-vulkan-drivers vulkan-validationlayers
)
# clang, its run-time library and llvm's symbolizer serve the sanitized builds.
deep=(clang llvm libbenchmark-dev)

. "$(dirname "$0")/packages.sh"

case "${1:-build}" in
  build) packages=("${build[@]}") ;;
  tests) packages=("${build[@]}" "${tests[@]}") ;;
  clients) packages=("${build[@]}") ;;
  deep) packages=("${build[@]}" "${tests[@]}" "${deep[@]}") ;;
  *) echo "setup: '$1' is no set of packages; it can be build, tests, clients or deep." >&2; exit 2 ;;
esac

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "setup: this is not Debian or Ubuntu; install the like of these yourself: ${packages[*]}" >&2
  exit 1
fi

install_missing "${packages[@]}"
if [ "${1:-build}" = clients ]; then
  install_clients
  install_browser
fi
if [ "${1:-build}" = deep ]; then
  # The sanitizers' run-time libraries are a package of their own, named after clang's version.
  clang_version=$(clang -dumpversion | cut -d. -f1)
  install_missing "libclang-rt-${clang_version}-dev"
fi
