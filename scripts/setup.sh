#!/usr/bin/env bash
# Installs what building and testing Sinew needs, on Debian 12, Ubuntu 24.04 or later. Needs root or
# sudo only where something is missing; does nothing where all is there.
set -euo pipefail

packages=(
  # Tools. clang, its run-time library and llvm's symbolizer serve the sanitized builds; calculix-ccx
  # is only run, as an independent check of the elasticity (it is never linked).
  g++ cmake ninja-build ccache mold clang llvm calculix-ccx
  # Libraries: cmake/SinewDependencies.cmake, docs/dependencies.md.
  libeigen3-dev libtbb-dev nlohmann-json3-dev libcli11-dev libmeshoptimizer-dev libdraco-dev
  libembree-dev libmetis-dev libhwy-dev liblbfgsb-dev libstb-dev
  # The module gpu: Vulkan's headers and loader, the compiler of its shader; to run it, a driver that needs no GPU, and
  # the layer that judges calls.
  libvulkan-dev glslang-tools mesa-vulkan-drivers vulkan-validationlayers
  # Tests and benchmarks.
  libgtest-dev libbenchmark-dev valgrind
)

. "$(dirname "$0")/packages.sh"

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "setup: this is not Debian or Ubuntu; install the like of these yourself: ${packages[*]}" >&2
  exit 1
fi

install_missing "${packages[@]}"
# The sanitizers' run-time libraries are a package of their own, named after clang's version.
clang_version=$(clang -dumpversion | cut -d. -f1)
install_missing "libclang-rt-${clang_version}-dev"
